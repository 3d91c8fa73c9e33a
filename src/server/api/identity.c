/*
 * identity.c - who sends a request: whether cookies, sessions and tokens hold, and how they end.
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
 * against the latest ones, so that nothing is done for a visitor whose credentials have ended. The
 * operator deletes games the same way: the server that has one in memory drops it.
 */
#include <stdlib.h>

#include "server/api/bounds.h"
#include "server/api/inside.h"

enum {
	POLL_MS = 500, /* between two looks for revocations */
	DAY_S = 86400,
	SESSION_DAYS = 365, /* without a use, after which a session does not hold any more */
};

/* ---- Sessions and tokens ---- */

static struct known_issuer *issuer_slot(struct api *api, const char *id)
{
	return &api->issuers[qv_hash_bytes(id, strlen(id)) % ISSUERS];
}

/* Notes the day of a use, once a day: no more than that is stored. */
static void mark_use(struct api *api, const char *id, bool program, int64_t *day)
{
	const int64_t today = api_seconds(api) / DAY_S * DAY_S;
	if (*day >= today)
		return;
	*day = today;
	if (program)
		store_token_used(api->store, id, today);
	else
		store_session_seen(api->store, id, today);
	store_end_unit(api->store, NULL, NULL);
}

/* The session or token of that user. */
static enum read_result read_issuer(struct api *api, const struct api_request *r, const char *user,
				    const char *id, bool *program)
{
	const struct store_value values[] = { value_text(user), value_text(id) };
	struct known_issuer *slot = issuer_slot(api, id);
	struct store_identity found;
	bool fresh;
	/* A server that hears nothing from the database does not know what has ended. */
	if (strcmp(slot->id, id) != 0 || cluster_is_lost(api)) {
		const struct store_rows *rows = read_rows(api, r, ASK_IDENTITY, values, 2, &fresh);
		if (!rows)
			return READ_LATER;
		store_row_identity(rows, &found);
		if ((!found.session && !found.token) ||
		    (found.session && !bounds_doubt_clock(api) &&
		     found.day < api_seconds(api) - (int64_t)SESSION_DAYS * DAY_S))
			return READ_NONE;
		*program = found.token;
		if (!fresh)
			return READ_FOUND;
		*slot = (struct known_issuer){ .program = found.token, .day = found.day };
		snprintf(slot->id, sizeof slot->id, "%s", id);
		snprintf(slot->user, sizeof slot->user, "%s", user);
	}
	if (strcmp(slot->user, user) != 0)
		return READ_NONE;
	*program = slot->program;
	mark_use(api, id, slot->program, &slot->day);
	return READ_FOUND;
}

/* A cookie or a seat token. */
static enum read_result read_holds(struct api *api, const struct api_request *r,
				   struct visitor *who)
{
	struct known_name known;
	if (*who->issuer)
		return read_issuer(api, r, who->user, who->issuer, &who->program);
	if (read_known(api, r, who->user, &known) == READ_LATER)
		return READ_LATER;
	return known.epoch == 0 ? READ_FOUND : READ_NONE;
}

/* A bearer token: its hash leads to its row. */
static enum read_result read_bearer(struct api *api, const struct api_request *r,
				    struct visitor *who)
{
	struct known_token token;
	const enum read_result result = read_token(api, r, who->token, &token);
	if (result != READ_FOUND)
		return result;
	snprintf(who->user, sizeof who->user, "%s", token.user);
	snprintf(who->issuer, sizeof who->issuer, "%s", token.id);
	who->program = true;
	struct known_issuer *slot = issuer_slot(api, token.id);
	if (token.fresh && strcmp(slot->id, token.id) != 0) {
		*slot = (struct known_issuer){ .program = true, .day = token.day };
		snprintf(slot->id, sizeof slot->id, "%s", token.id);
		snprintf(slot->user, sizeof slot->user, "%s", token.user);
	}
	if (strcmp(slot->id, token.id) == 0)
		mark_use(api, slot->id, true, &slot->day);
	return READ_FOUND;
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
static bool visitor_holds(const struct api *api, const struct visitor *who)
{
	const struct revocations *all = &api->revocations;
	if (all->count - who->checked > REVOCATIONS_KEPT)
		return false;
	for (int64_t i = all->count; i > who->checked; i--)
		if (concerns(&all->kept[i % REVOCATIONS_KEPT], who->user, who->issuer,
			     who->program))
			return false;
	return true;
}

bool api_recheck(const struct api *api, struct visitor *who)
{
	if (!visitor_holds(api, who))
		return false;
	who->checked = api->revocations.count;
	return true;
}

/* ---- Requests ---- */

/* Whether a cookie or token holds turns out when a request runs; a bad cookie makes a new guest. */
bool api_identify(struct api *api, const char *cookie, const char *bearer, const char *address,
		  struct visitor *out)
{
	*out = (struct visitor){ .checked = api->revocations.count };
	snprintf(out->address, sizeof out->address, "%s", address);
	if (bearer) { /* a seat token, or a token of a user */
		out->unchecked =
			secrets_read_seat(&api->secrets, bearer, out->user, out->play, out->issuer);
		out->by_token = !out->unchecked && secrets_token_hash(bearer, out->token);
		return out->unchecked || out->by_token;
	}
	out->unchecked =
		cookie && secrets_read_cookie(&api->secrets, cookie, out->user, out->issuer);
	if (out->unchecked)
		return true;
	out->fresh = true;
	secrets_user_id(out->user);
	secrets_cookie(&api->secrets, out->user, "", out->cookie);
	return true;
}

#define LOGGED_OUT "session: you were logged out; send the request again"

const struct refusal visitor_ended = { 401, LOGGED_OUT };

/*
 * ended: the store says so, and a browser gets the cookie of a new guest. Otherwise it ended while
 * the request was on its way, or so much has ended that the request has to be sent again.
 */
static void refuse(struct api *api, const struct api_request *r, bool ended)
{
	const bool bearer = r->visitor->by_token || *r->visitor->play || r->visitor->program;
	char user[SECRETS_ID], cookie[SECRETS_COOKIE], text[256];
	struct outgoing out = { .call = r->call, .status = 401, .end = true };
	if (ended && !bearer) {
		secrets_user_id(user);
		secrets_cookie(&api->secrets, user, "", cookie);
		out.cookie = cookie;
	}
	api_error_text(401, bearer ? "Authorization: unknown token" : LOGGED_OUT, text,
		       sizeof text);
	reply_text(api, &out, text);
}

bool request_identify(struct api *api, struct api_request *r, struct visitor *who)
{
	enum read_result result = READ_FOUND;
	*who = *r->visitor;
	if (who->by_token)
		result = read_bearer(api, r, who);
	else if (who->unchecked)
		result = read_holds(api, r, who);
	if (result == READ_LATER)
		return false;
	if (result == READ_NONE || !visitor_holds(api, who)) {
		refuse(api, r, result == READ_NONE);
		return false;
	}
	who->by_token = who->unchecked = false;
	r->visitor = who;
	return true;
}

/* ---- Reading revocations ---- */

/*
 * The streams of the visitors whom it concerns end; other calls have begun before it. A stream of
 * another node is one of this node's, too: that one may have read the revocation before it began.
 */
static void end_streams(struct api *api, const struct store_revocation *r)
{
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const struct visitor *far =
			call->kind == CALL_REMOTE && call->begun ? parked_visitor(call->parked) : NULL;
		const uint64_t number = call->number;
		if (far ? !concerns(r, far->user, far->issuer, far->program)
			: call->kind < CALL_PLAY ||
				  !concerns(r, call->visitor_user, call->issuer, call->program))
			continue;
		call_free(api, call);
		reply_end(api, number);
	}
}

static void take_revocation(struct api *api, const struct store_revocation *r)
{
	struct revocations *all = &api->revocations;
	all->last = r->number;
	if (strcmp(r->user, STORE_SUSPENDED) == 0) {
		api->suspensions.again = true;
		return;
	}
	if (!*r->user) { /* a game: nobody's credentials end */
		room_unload(api, r->issuer);
		api->lobby_changed = true;
		return;
	}
	user_forget(api, r->user);
	tokens_forget(api, r->user);
	for (int i = 0; i < ISSUERS; i++)
		if (strcmp(api->issuers[i].user, r->user) == 0)
			api->issuers[i] = (struct known_issuer){ .id = "" };
	all->kept[++all->count % REVOCATIONS_KEPT] = *r;
	end_streams(api, r);
}

/* The host checks its connections after each answer: many logouts at once close no other ones. */
_Static_assert((int)STORE_REVOCATIONS <= (int)REVOCATIONS_KEPT, "an answer fits into the ring");

/* Who waits for the answer. */
struct poll {
	struct api *api;
	void (*then)(void *ctx);
	void *ctx;
};

static void on_revocations(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct poll poll = *(struct poll *)ctx;
	struct api *api = poll.api;
	struct revocations *all = &api->revocations;
	const int64_t before = all->count;
	struct store_revocation r;
	(void)error;
	free(ctx);
	all->asked = false;
	for (size_t i = 0; rows && !api->closing && i < rows->count; i++)
		if (store_row_revocation(rows, i, &r) && r.number > all->last)
			take_revocation(api, &r); /* else another question has brought it */
	store_rows_free(rows);
	if (api->suspensions.again && !api->closing)
		suspensions_changed(api);
	if (all->count != before) {
		api->deletions_due = true; /* perhaps one of them is of a deleted user */
		if (api->setup.host.ended)
			api->setup.host.ended(api->setup.host.ctx);
	}
	if (poll.then)
		poll.then(poll.ctx);
}

void revocations_read(struct api *api, void (*then)(void *ctx), void *ctx)
{
	struct revocations *all = &api->revocations;
	const struct store_value after = value_number(all->last);
	struct poll *poll = malloc(sizeof *poll);
	all->due_ms = api_now(api) + POLL_MS;
	if (poll) {
		*poll = (struct poll){ api, then, ctx };
		all->asked = true;
		if (store_read(api->store, ASK_REVOCATIONS, &after, 1, on_revocations, poll) ==
		    QV_OK)
			return;
		all->asked = false;
		free(poll);
	}
	if (then)
		then(ctx);
}

int64_t revocations_turn(struct api *api)
{
	struct revocations *all = &api->revocations;
	if (all->asked || api->closing)
		return -1; /* the answer wakes the host */
	if (api_now(api) >= all->due_ms)
		revocations_read(api, NULL, NULL);
	return all->due_ms;
}

/*
 * What ended before concerns nobody who will be identified. They are committed in the order of their
 * numbers, in PostgreSQL by a trigger: so whoever has read one has read all before it.
 */
enum qv_status revocations_open(struct api *api, struct qv_error *error)
{
	struct revocations *all = &api->revocations;
	all->due_ms = api_now(api) + POLL_MS;
	return store_last_revocation(api->store, &all->last, error);
}
