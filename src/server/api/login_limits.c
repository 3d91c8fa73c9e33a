/*
 * login_limits.c - how often a password may be tried, and devices that have logged in before.
 * SPDX-License-Identifier: MIT
 *
 * Attempts are limited by address and by name. If they were limited by name alone, a stranger could
 * keep the owner of an account out by guessing all the time. So a device that has logged in to the
 * account gets a cookie that tells so, and its attempts are limited apart from those of strangers.
 * The cookie gives no other right, and outlives a logout.
 *
 * Attempts by name are counted in the store, before the password is checked, in one statement: so
 * they are the same for all servers of the database, many at a time are no way around, and a restart
 * forgets none. Those that are refused only read. Names are hashes with the server's key, since they may be names that nobody has.
 */
#include <sodium.h>
#include <stdlib.h>

#include "base/scan.h"
#include "server/api/inside.h"
#include "server/api/limits.h"
#include "server/api/login_limits.h"

/* Not one of the purposes in secrets_text.c. Never change it, or all devices are forgotten. */
enum { PURPOSE_DEVICE = 16 };

enum {
	LOGINS_A_MINUTE = 5, /* of one address */
	GUESS_NAME = 40,
};

/* "ID.SIGNATURE" */
void device_cookie(const struct secrets *s, const char *user, char out[DEVICE_COOKIE])
{
	uint8_t message[1 + SECRETS_ID_LENGTH], signature[crypto_auth_BYTES];
	message[0] = PURPOSE_DEVICE;
	memcpy(message + 1, user, SECRETS_ID_LENGTH);
	crypto_auth(signature, message, sizeof message, s->key);
	snprintf(out, DEVICE_COOKIE, "%.16s.", user);
	sodium_bin2base64(out + SECRETS_ID_LENGTH + 1, DEVICE_COOKIE - SECRETS_ID_LENGTH - 1,
			  signature, sizeof signature, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

/* As for the other cookies: made again and compared, in the same time wherever it differs. */
void api_know_device(const struct api *api, const char *cookie, struct visitor *who)
{
	char user[SECRETS_ID], ours[DEVICE_COOKIE];
	who->device[0] = '\0';
	if (strnlen(cookie, DEVICE_COOKIE) <= SECRETS_ID_LENGTH)
		return;
	memcpy(user, cookie, SECRETS_ID_LENGTH);
	user[SECRETS_ID_LENGTH] = '\0';
	if (!secrets_is_id(user))
		return;
	device_cookie(&api->secrets, user, ours);
	if (strnlen(cookie, DEVICE_COOKIE) == strlen(ours) &&
	    sodium_memcmp(ours, cookie, strlen(ours)) == 0)
		memcpy(who->device, user, sizeof user);
}

bool login_is_known(const struct api_request *r, const char *user)
{
	return *r->visitor->device && strcmp(r->visitor->device, user) == 0;
}

/* ---- Guesses ---- */

/* The name in the store: a hash of key and text. */
static void guess_name(const struct api *api, const char *text, char out[GUESS_NAME])
{
	uint8_t hash[SECRETS_HASH];
	char whole[SECRETS_KEY + LIMIT_NAME + 8];
	memcpy(whole, api->secrets.key, SECRETS_KEY);
	const int length = snprintf(whole + SECRETS_KEY, sizeof whole - SECRETS_KEY, "guess %.*s",
				    LIMIT_NAME, text);
	secrets_sha256(whole, SECRETS_KEY + (size_t)length, hash);
	for (int i = 0; i < 16; i++)
		snprintf(out + 2 * i, 3, "%02x", hash[i]);
}

/* Servers of one database use its clock: their own may differ. */
static int64_t guess_time(const struct api *api)
{
	return *cluster_node(api) ? 0 : api_seconds(api) * 1000;
}

/* The ms to wait, of a row that says so; they may have passed meanwhile. */
static int64_t refused_wait(const struct store_rows *rows, int column)
{
	const int64_t wait = store_rows_number(rows, 0, column);
	return wait > 0 ? wait : 1;
}

/* Of rows of ASK_GUESS_WAIT and ASK_GUESS. 0: it may be made. */
static int64_t early_wait(const struct store_rows *rows)
{
	return rows->count ? refused_wait(rows, 0) : 0;
}

static int64_t guess_wait(const struct store_rows *rows)
{
	return store_rows_number(rows, 0, 0) ? refused_wait(rows, 1) : 0;
}

/* Who waits for the store. */
struct guess {
	struct api *api;
	int64_t time;
	char name[GUESS_NAME];
	guess_fn *done;
	void *ctx;
};

static void guess_end(struct guess *guess, int64_t wait)
{
	guess->done(guess->ctx, wait);
	free(guess);
}

static void guess_ask(struct guess *guess, enum store_question question,
		      void (*then)(void *ctx, struct store_rows *rows, const struct qv_error *error))
{
	const struct store_value values[] = { value_text(guess->name), value_number(guess->time) };
	if (store_read(guess->api->store, question, values, 2, then, guess) != QV_OK)
		guess_end(guess, -1);
}

static void on_guess(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	(void)error;
	const int64_t wait = rows ? guess_wait(rows) : -1;
	store_rows_free(rows);
	guess_end(ctx, wait);
}

static void on_guess_wait(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	(void)error;
	const int64_t wait = rows ? early_wait(rows) : -1;
	store_rows_free(rows);
	if (wait)
		guess_end(ctx, wait);
	else
		guess_ask(ctx, ASK_GUESS, on_guess);
}

void login_guess(struct api *api, const char *text, guess_fn *done, void *ctx)
{
	struct guess *guess = malloc(sizeof *guess);
	if (!guess) {
		done(ctx, -1);
		return;
	}
	*guess = (struct guess){ .api = api, .time = guess_time(api), .done = done, .ctx = ctx };
	guess_name(api, text, guess->name);
	guess_ask(guess, ASK_GUESS_WAIT, on_guess_wait);
}

void login_guessed(struct api *api, const char *text)
{
	char name[GUESS_NAME];
	guess_name(api, text, name);
	store_drop_guess(api->store, name);
	store_end_unit(api->store, NULL, NULL);
}

/* ---- Logins ---- */

/* Letter case does not count, so that a name has no more than one. */
static void login_name(const char *login, const char *user, bool known, char out[LIMIT_NAME])
{
	snprintf(out, LIMIT_NAME, "login %s %.40s", known ? "device" : "name", known ? user : login);
	for (char *c = out; *c && !known; c++)
		*c = to_lower(*c);
}

/*
 * The same for a name that nobody has, which cannot be told from another one. The question has the
 * same time in each run, for it is asked once.
 */
bool login_may_try(struct api *api, const struct api_request *r, const char *login,
		   const char *user)
{
	const bool known = login_is_known(r, user);
	char text[LIMIT_NAME], name[GUESS_NAME];
	if (!known && !api_limit(api, r, "login", LOGINS_A_MINUTE, LOGINS_A_MINUTE))
		return false;
	login_name(login, user, known, text);
	guess_name(api, text, name);
	if (!api->run->guess_time)
		api->run->guess_time = guess_time(api);
	const struct store_value values[] = { value_text(name),
					      value_number(api->run->guess_time) };
	const struct store_rows *early = read_rows(api, r, ASK_GUESS_WAIT, values, 2, NULL);
	int64_t wait = early ? early_wait(early) : 0;
	const struct store_rows *rows =
		early && !wait ? read_rows(api, r, ASK_GUESS, values, 2, NULL) : NULL;
	if (rows)
		wait = guess_wait(rows);
	if (wait)
		reply_error(api, r->call, 429,
			    "login: too many attempts with this name; wait %lld second%s",
			    (long long)(wait + 999) / 1000, wait > 1000 ? "s" : "");
	return rows && !wait;
}

void login_was_right(struct api *api, const char *login, const char *user, bool known)
{
	char text[LIMIT_NAME];
	if (api->run->guessed)
		return;
	login_name(login, user, known, text);
	login_guessed(api, text);
	api->run->guessed = true;
}
