/*
 * login_limits.c - how often a password may be tried, and devices that have logged in before.
 * SPDX-License-Identifier: MIT
 *
 * Attempts are limited by address and by name. If they were limited by name alone, a stranger could
 * keep the owner of an account out by guessing all the time. So a device that has logged in to the
 * account gets a cookie that tells so, and its attempts are limited apart from those of strangers.
 * The cookie gives no other right, and outlives a logout.
 */
#include <sodium.h>

#include "base/scan.h"
#include "server/api/inside.h"
#include "server/api/limits.h"

/* Not one of the purposes in secrets_text.c. Never change it, or all devices are forgotten. */
enum { PURPOSE_DEVICE = 16 };

enum { LOGINS_A_MINUTE = 5 }; /* of one address */

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

/* Letter case does not count, so that a name has no more than one. */
static void guess_name(const char *login, const char *user, bool known, char out[LIMIT_NAME])
{
	snprintf(out, LIMIT_NAME, "login %s %.40s", known ? "device" : "name", known ? user : login);
	for (char *c = out; *c && !known; c++)
		*c = to_lower(*c);
}

/* The same for a name that nobody has, which cannot be told from another one. */
bool login_may_try(struct api *api, const struct api_request *r, const char *login,
		   const char *user)
{
	const bool known = login_is_known(r, user);
	char name[LIMIT_NAME];
	guess_name(login, user, known, name);
	if (!known && !api_limit(api, r, "login", LOGINS_A_MINUTE, LOGINS_A_MINUTE))
		return false;
	const int64_t wait = limits_guess(api->limits, name, api_now(api));
	if (wait)
		reply_error(api, r->call, 429,
			    "login: too many attempts with this name; wait %lld seconds",
			    (long long)(wait + 999) / 1000);
	return !wait;
}

void login_was_right(struct api *api, const char *login, const char *user, bool known)
{
	char name[LIMIT_NAME];
	guess_name(login, user, known, name);
	limits_guessed(api->limits, name);
}
