/*
 * identity.c - who sends a request: cookies, sessions and tokens, and how they end.
 * SPDX-License-Identifier: MIT
 *
 * A signature shows that this server issued a cookie or a seat token; the store shows whether it
 * still holds:
 *
 * - A cookie without a session is a guest's, or from before there were sessions. It holds while the
 *   epoch of its user is 0. A guest who has done nothing worth storing has no row, and holds.
 * - A cookie with a session holds while the store has the session, with the epoch of its user.
 * - A seat token holds as long as the cookie or the bearer token that it was issued to.
 *
 * What was looked up is cached. Whoever ends something also writes a revocation, in the same
 * transaction; twice a second, and after each change of its own, the server reads the new ones,
 * forgets what they concern and ends the streams. Requests that began before that are checked
 * against the latest ones, so that nothing is done for a visitor whose credentials have ended.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum {
	POLL_MS = 500,	     /* between two looks for revocations */
	UNSTORED_MS = 60000, /* after which a user who was not in the store is looked for again */
	DAY_S = 86400,
	SESSION_DAYS = 365, /* without a use, after which a session does not hold any more */
};

/* ---- Users ---- */

/* A direct-mapped cache: a user replaces another one of the same slot. */
static struct known_user *slot_of(struct api *api, const char *user)
{
	return &api->users[qv_hash_bytes(user, strlen(user)) % USERS_KNOWN];
}

/* NULL: the store cannot be read. The only place that looks up a user for others. */
static const struct known_user *know_user(struct api *api, const char *user)
{
	struct known_user *slot = slot_of(api, user);
	struct store_user row = { .name = "" };
	const int64_t now = api_now(api);
	if (strcmp(slot->user, user) == 0 && (slot->stored || now < slot->until_ms))
		return slot;
	const enum qv_status status = store_user_by_id(api->store, user, &row, NULL);
	if (status != QV_OK && status != QV_UNKNOWN)
		return NULL;
	*slot = (struct known_user){ .stored = status == QV_OK,
				     .account = *row.login,
				     .epoch = row.epoch,
				     .until_ms = now + UNSTORED_MS };
	snprintf(slot->user, sizeof slot->user, "%s", user);
	snprintf(slot->name, sizeof slot->name, "%s", row.name);
	return slot;
}

/* Names that were cached before a failed write may be missing in the store. */
void users_forget(struct api *api)
{
	memset(api->users, 0, sizeof api->users);
	memset(api->issuers, 0, sizeof api->issuers);
}

/* A guest's number follows from the id, so that it stays the same without being stored. */
void guest_name(const char *user, char out[STORE_NAME])
{
	snprintf(out, STORE_NAME, "Guest %d",
		 1000 + (int)(qv_hash_bytes(user, strlen(user)) % 9000));
}

void user_name(struct api *api, const char *user, char out[STORE_NAME])
{
	const struct known_user *known = know_user(api, user);
	if (known && known->stored)
		snprintf(out, STORE_NAME, "%s", known->name);
	else
		guest_name(user, out);
}

bool user_has_account(struct api *api, const char *user)
{
	const struct known_user *known = know_user(api, user);
	return known && known->account;
}

/* The cache has the new name at once: it is shown before it is written. */
void user_put(struct api *api, const char *user, const char *name)
{
	const bool known = know_user(api, user);
	store_put_user(api->store, user, name, api_seconds(api));
	if (known) {
		slot_of(api, user)->stored = true;
		snprintf(slot_of(api, user)->name, STORE_NAME, "%s", name);
	}
}

/* Rows that refer to a user need that user's row first. */
void user_ensure(struct api *api, const char *user)
{
	const struct known_user *known = know_user(api, user);
	char name[STORE_NAME];
	if (known && known->stored)
		return;
	guest_name(user, name);
	store_ensure_user(api->store, user, name, api_seconds(api));
	if (known) {
		slot_of(api, user)->stored = true;
		snprintf(slot_of(api, user)->name, STORE_NAME, "%s", name);
	}
}

/* ---- Issuers: sessions and bearer tokens ---- */

static struct known_issuer *issuer_slot(struct api *api, const char *id)
{
	return &api->issuers[qv_hash_bytes(id, strlen(id)) % ISSUERS_KNOWN];
}

static struct known_issuer *keep_issuer(struct api *api, const char *id, const char *user,
					bool program, int64_t day)
{
	struct known_issuer *slot = issuer_slot(api, id);
	*slot = (struct known_issuer){ .program = program, .day = day };
	snprintf(slot->id, sizeof slot->id, "%s", id);
	snprintf(slot->user, sizeof slot->user, "%s", user);
	return slot;
}

/* The session or token of that user. NULL: it does not hold; *failed: the store cannot be read. */
static struct known_issuer *find_issuer(struct api *api, const char *user, const char *id,
					bool *failed)
{
	struct known_issuer *slot = issuer_slot(api, id);
	struct store_identity found;
	*failed = false;
	if (strcmp(slot->id, id) == 0)
		return strcmp(slot->user, user) == 0 ? slot : NULL;
	*failed = store_find_identity(api->store, user, id, &found, NULL) != QV_OK;
	if (*failed || (!found.session && !found.token) ||
	    (found.session && found.day < api_seconds(api) - (int64_t)SESSION_DAYS * DAY_S))
		return NULL;
	return keep_issuer(api, id, user, found.token, found.day);
}

/* Notes the day of the use, once a day: what is stored about it is no more than the page shows. */
static void mark_use(struct api *api, struct known_issuer *issuer)
{
	const int64_t today = api_seconds(api) / DAY_S * DAY_S;
	if (issuer->day >= today)
		return;
	issuer->day = today;
	if (issuer->program)
		store_token_used(api->store, issuer->id, today);
	else
		store_session_seen(api->store, issuer->id, today);
	store_end_unit(api->store, NULL, NULL);
}

/* Does the cookie or seat token that names these ids still hold? */
static bool holds(struct api *api, struct visitor *who, bool *failed)
{
	if (!*who->issuer) {
		const struct known_user *known = know_user(api, who->user);
		*failed = !known;
		return known && known->epoch == 0;
	}
	struct known_issuer *issuer = find_issuer(api, who->user, who->issuer, failed);
	if (!issuer)
		return false;
	who->program = issuer->program;
	mark_use(api, issuer);
	return true;
}

/* A bearer token: the hash leads to its row. */
static bool read_token(struct api *api, const char *bearer, struct visitor *out)
{
	uint8_t hash[SECRETS_HASH];
	struct store_token token;
	if (!secrets_token_hash(bearer, hash) ||
	    store_find_token(api->store, hash, &token, NULL) != QV_OK)
		return false;
	snprintf(out->user, sizeof out->user, "%s", token.user);
	snprintf(out->issuer, sizeof out->issuer, "%s", token.id);
	out->program = true;
	mark_use(api, keep_issuer(api, token.id, token.user, true, token.used));
	return true;
}

/*
 * A bearer token must be valid; a bad cookie only makes a new guest. If the store cannot be read
 * the visitor keeps the cookie, and is a guest for this request alone.
 */
bool api_identify(struct api *api, const char *cookie, const char *bearer, const char *address,
		  struct visitor *out)
{
	bool failed = false;
	*out = (struct visitor){ .checked = api->revocations.last };
	snprintf(out->address, sizeof out->address, "%s", address);
	if (bearer) { /* a seat token, or a token of a user */
		if (secrets_read_seat(&api->secrets, bearer, out->user, out->play, out->issuer))
			return holds(api, out, &failed);
		return read_token(api, bearer, out);
	}
	if (cookie && secrets_read_cookie(&api->secrets, cookie, out->user, out->issuer) &&
	    holds(api, out, &failed))
		return true;
	out->issuer[0] = '\0';
	secrets_user_id(out->user);
	if (failed)
		return true;
	out->fresh = true;
	secrets_cookie(&api->secrets, out->user, "", out->cookie);
	return true;
}

/* ---- What has ended ---- */

static bool concerns(const struct store_revocation *r, const char *user, const char *issuer,
		     bool program)
{
	if (strcmp(r->user, user) != 0)
		return false;
	if (strcmp(r->issuer, STORE_ALL_TOKENS) == 0)
		return program;
	if (strcmp(r->issuer, STORE_UNNAMED) == 0)
		return !*issuer;
	if (*r->issuer)
		return strcmp(r->issuer, issuer) == 0;
	return !program && (!*issuer || strcmp(r->kept, issuer) != 0);
}

/* Only the latest are kept: whoever was identified before the oldest of them has to come again. */
bool visitor_holds(const struct api *api, const struct visitor *who)
{
	const struct revocations *all = &api->revocations;
	for (int64_t i = all->count; i > 0 && i > all->count - REVOCATIONS_KEPT; i--) {
		const struct store_revocation *r = &all->kept[i % REVOCATIONS_KEPT];
		if (r->number <= who->checked)
			return true;
		if (concerns(r, who->user, who->issuer, who->program))
			return false;
	}
	return all->count <= REVOCATIONS_KEPT || who->checked >= all->first;
}

bool api_recheck(const struct api *api, struct visitor *who)
{
	if (!visitor_holds(api, who))
		return false;
	who->checked = api->revocations.last;
	return true;
}

/* The streams of the visitors whom it concerns end; other calls have begun before it. */
static void end_streams(struct api *api, const struct store_revocation *r)
{
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));)
		if (call->kind >= CALL_PLAY &&
		    concerns(r, call->visitor_user, call->issuer, call->program)) {
			const uint64_t number = call->number;
			call_free(api, call);
			reply_end(api, number);
		}
}

static void take_revocation(void *ctx, const struct store_revocation *r)
{
	struct api *api = ctx;
	struct revocations *all = &api->revocations;
	struct known_user *user = slot_of(api, r->user);
	if (strcmp(user->user, r->user) == 0)
		*user = (struct known_user){ 0 };
	for (int i = 0; i < ISSUERS_KNOWN; i++)
		if (strcmp(api->issuers[i].user, r->user) == 0)
			api->issuers[i] = (struct known_issuer){ 0 };
	/* The first of those that are kept begins where the one that it replaces ended. */
	struct store_revocation *slot = &all->kept[++all->count % REVOCATIONS_KEPT];
	if (all->count > REVOCATIONS_KEPT)
		all->first = slot->number;
	*slot = *r;
	all->last = r->number;
}

/*
 * Streams are ended when all rows were read: the store cannot be read inside its callback, and the
 * end of a stream may want to.
 */
void revocations_read(struct api *api)
{
	struct revocations *all = &api->revocations;
	const int64_t before = all->count;
	all->due_ms = api_now(api) + POLL_MS;
	store_list_revocations(api->store, all->last, take_revocation, api, NULL);
	if (all->count == before)
		return;
	for (int64_t i = before + 1; i <= all->count; i++)
		if (i > all->count - REVOCATIONS_KEPT)
			end_streams(api, &all->kept[i % REVOCATIONS_KEPT]);
	api->deletions_due = true; /* perhaps one of them is of a deleted user */
	if (api->setup.host.ended)
		api->setup.host.ended(api->setup.host.ctx);
}

int64_t revocations_turn(struct api *api)
{
	if (api_now(api) >= api->revocations.due_ms)
		revocations_read(api);
	return api->revocations.due_ms;
}

/* What ended before concerns nobody who will be identified; they commit in the order of numbers. */
enum qv_status revocations_open(struct api *api, struct qv_error *error)
{
	struct revocations *all = &api->revocations;
	all->due_ms = api_now(api) + POLL_MS;
	const enum qv_status status = store_last_revocation(api->store, &all->last, error);
	all->first = all->last;
	return status;
}
