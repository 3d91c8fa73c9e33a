/*
 * moderation.c - what protects people from each other: reports, suspensions, and the audit trail.
 * SPDX-License-Identifier: MIT
 *
 * Visitors report a player, a name or a study; only operators read reports, and decide (quevedo
 * server). They suspend accounts, guests and addresses: the database has the list, all servers keep
 * it in memory, and a revocation tells them to read it again.
 */
#include "server/api/moderation.h"

#include <stdlib.h>
#include <time.h>

#include "base/plain.h"
#include "server/api/bounds.h"
#include "server/api/inside.h"
#include "server/api/limits.h"

enum { REPORTS_AT_ONCE = 5, REPORT_CHARACTERS = 500, HOUR_S = 3600 };
static const double REPORTS_A_MINUTE = 0.2;

/* ---- Suspensions ---- */

static void take_suspensions(struct api *api, const struct store_rows *rows)
{
	struct suspensions *s = &api->suspensions;
	struct store_suspension *list = calloc(rows->count + 1, sizeof *list);
	if (!list)
		return; /* the old list is better than none */
	free(s->list);
	*s = (struct suspensions){ .list = list, .asked = s->asked, .again = s->again };
	while (store_row_suspension(rows, (size_t)s->count, &list[s->count]))
		s->count++;
}

enum qv_status suspensions_open(struct api *api, struct qv_error *error)
{
	struct store_rows *rows = NULL;
	const enum qv_status status =
		store_read_now(api->store, ASK_SUSPENSIONS, NULL, &rows, error);
	if (status == QV_OK)
		take_suspensions(api, rows);
	store_rows_free(rows);
	return status;
}

/* A suspended player is away from that moment on. */
static void end_streams(struct api *api)
{
	struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const uint64_t number = call->number;
		if (call->kind < CALL_PLAY ||
		    !suspension_of(api, call->visitor_user, call->visitor_address))
			continue;
		call_free(api, call);
		reply_end(api, number);
	}
}

static void on_suspensions(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	(void)error;
	struct suspensions *s = &api->suspensions;
	s->asked = false;
	if (rows && !api->closing) {
		take_suspensions(api, rows);
		end_streams(api);
	}
	/* What could not be read is tried again when the server looks for revocations. */
	s->again |= !rows;
	store_rows_free(rows);
}

void suspensions_changed(struct api *api)
{
	struct suspensions *s = &api->suspensions;
	s->again = s->asked;
	if (!s->asked)
		s->asked = store_read(api->store, ASK_SUSPENSIONS, NULL, 0, on_suspensions, api) ==
			   QV_OK;
}

void suspensions_free(struct api *api)
{
	free(api->suspensions.list);
}

const struct store_suspension *suspension_of(const struct api *api, const char *user,
					     const char *address)
{
	const struct suspensions *all = &api->suspensions;
	for (int i = 0; i < all->count; i++) {
		const struct store_suspension *s = &all->list[i];
		if ((strcmp(s->target, user) == 0 || strcmp(s->target, address) == 0) &&
		    (!s->until || s->until > api_seconds(api)))
			return s;
	}
	return NULL;
}

bool refuse_suspended(struct api *api, const struct api_request *r)
{
	static const char *const allowed[] = { "/api/v1/logout", "/api/v1/account/delete" };
	static const char stream[] = "/events";
	const size_t length = strlen(r->path), end = sizeof stream - 1;
	const bool follows = length > end && strcmp(r->path + length - end, stream) == 0;
	const struct store_suspension *s =
		r->method == API_POST || follows
			? suspension_of(api, r->visitor->user, r->visitor->address)
			: NULL;
	char until[32] = "";
	for (size_t i = 0; s && i < sizeof allowed / sizeof *allowed; i++)
		if (strcmp(r->path, allowed[i]) == 0)
			s = NULL;
	if (!s)
		return false;
	const time_t at = (time_t)s->until;
	struct tm day;
	if (s->until && gmtime_r(&at, &day))
		strftime(until, sizeof until, " until %Y-%m-%d", &day);
	reply_error(api, r->call, 403, "suspended: the operator has suspended your %s%s%s%s",
		    strcmp(s->target, r->visitor->user) == 0 ? "account" : "address", until,
		    *s->reason ? ": " : "", s->reason);
	return true;
}

/* ---- The audit trail ---- */

static void add_audit(struct api *api, const struct api_request *r, int64_t made, const char *user,
		      const char *what)
{
	char network[LIMIT_ADDRESS];
	limits_network(r->visitor->address, network);
	const struct store_audit entry = {
		.made = made, .what = what, .user = user, .network = network, .detail = ""
	};
	store_add_audit(api->store, &entry);
}

void audit(struct api *api, const struct api_request *r, const char *user, const char *what)
{
	add_audit(api, r, api_seconds(api), user, what);
}

void audit_wrong_password(struct api *api, const struct api_request *r)
{
	add_audit(api, r, api_seconds(api) / HOUR_S * HOUR_S, "", "wrong_password");
	store_end_unit(api->store, NULL, NULL);
}

/* ---- Reports ---- */

/* What a report is about, found by its kind and id. */
struct reported {
	char about[STORE_ID], shown[STORE_TITLE];
};

/* The person in that seat of a game. False: READ_LATER, or an error was sent. */
static bool find_player(struct api *api, const struct api_request *r, const char *id,
			json_int_t seat, struct reported *out)
{
	const struct room *room = room_for(api, r, id);
	if (!room)
		return false;
	const struct hosted_seat *s = seat >= 1 && seat <= hosted_seat_count(room->play)
					      ? hosted_seat_at(room->play, (int)seat - 1)
					      : NULL;
	if (!s || s->kind != SEAT_PERSON) {
		reply_error(api, r->call, 400, "seat: the seat of a person is expected");
		return false;
	}
	snprintf(out->about, sizeof out->about, "%s", s->user);
	snprintf(out->shown, sizeof out->shown, "%s", s->name);
	return true;
}

static bool find_author(struct api *api, const struct api_request *r, const char *id,
			struct reported *out)
{
	struct store_study study;
	const char *body;
	const enum read_result found = read_study(api, r, id, &study, &body);
	if (found == READ_NONE)
		reply_error(api, r->call, 404, "study: not found");
	if (found != READ_FOUND)
		return false;
	snprintf(out->about, sizeof out->about, "%s", study.owner);
	snprintf(out->shown, sizeof out->shown, "%s", study.title);
	return true;
}

/* Lines are fine, other control characters are not. */
static bool is_report_text(const char *text)
{
	const int count = text_count_plain(text, "\n");
	return count >= 0 && count <= REPORT_CHARACTERS;
}

static bool is_reason(const char *text)
{
	static const char *const reasons[] = { "name", "behaviour", "cheating", "content", "other" };
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (strcmp(text, reasons[i]) == 0)
			return true;
	return false;
}

/* The fields of a report. False: a 400 was sent. */
static bool read_report(struct api *api, const struct api_request *r, struct store_report *out,
			json_int_t *seat)
{
	if (!body_keys(api, r, "kind id seat reason text") ||
	    !body_text(api, r, "kind", &out->kind) || !body_text(api, r, "id", &out->object) ||
	    !body_integer(api, r, "seat", 1, QV_MAX_SEATS, 0, seat) ||
	    !body_text(api, r, "reason", &out->reason) || !body_text(api, r, "text", &out->text))
		return false;
	const bool game = out->kind && strcmp(out->kind, "game") == 0;
	const char *fault =
		!game && (!out->kind || strcmp(out->kind, "study") != 0) ? "kind: game or study is expected"
		: !out->object || !secrets_is_id(out->object)
			? "id: the id of a game or study is expected"
		: !out->reason || !is_reason(out->reason)
			? "reason: name, behaviour, cheating, content or other is expected"
		: out->text && !is_report_text(out->text) ? "text: at most 500 characters"
		: game != (*seat > 0) ? "seat: of a game, and only of a game"
				      : NULL;
	if (fault)
		reply_error(api, r->call, 400, "%s", fault);
	return !fault;
}

/* POST /api/v1/reports: for the operator, about a player of a game, or about a study. */
void post_report(struct api *api, const struct api_request *r)
{
	static const struct refusal refused = {
		429, "reports: you have reported this already, or too many reports are waiting"
	};
	const char *user = r->visitor->user;
	struct store_report report = { .made = api_seconds(api) };
	struct reported found;
	json_int_t seat;
	char id[SECRETS_ID], network[LIMIT_ADDRESS];
	if (!acts_as_user(api, r) || !read_report(api, r, &report, &seat) ||
	    !(seat ? find_player(api, r, report.object, seat, &found)
		   : find_author(api, r, report.object, &found)))
		return;
	if (strcmp(found.about, user) == 0) {
		reply_error(api, r->call, 409, "report: it is your own");
		return;
	}
	if (!api_limit(api, r, "reports", REPORTS_A_MINUTE, REPORTS_AT_ONCE))
		return;
	secrets_play_id(id);
	report.id = id;
	report.reporter = user;
	limits_network(r->visitor->address, network);
	report.network = network;
	report.about = found.about;
	report.shown = found.shown;
	report.text = report.text ? report.text : "";
	bounds_charge(api, r->visitor->address, user, strlen(report.text));
	store_add_report(api->store, &report);
	reply_unless_refused(api, r->call, 201, json_pack("{s:s}", "reported", id), &refused);
}
