/*
 * export.c - everything that is stored about a user, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A worker reads it through a connection of its own. A part has some MB: if there is more, it names
 * the game with which the next part goes on. Studies and games are as they are stored, but other
 * people have no ids: "other-1" is the first of a game, and in each game somebody else. A bearer
 * token, which is for games, gets no address and no list of what lets somebody in.
 */
#include <stdlib.h>

#include "base/flag.h"
#include "base/paths.h"
#include "server/api/inside.h"

enum {
	PART_BYTES = 4 << 20, /* of games; the one that exceeds it is the last of its part */
	EXPORT_MS = 60000,
	STUDIES_LISTED = 1000,
};

struct export
{
	char folder[FOLDER_PATH]; /* of the database, or its place; what points is borrowed */
	const char *place, *vfs;
	char user[API_USER], after[API_USER];
	bool program; /* by a bearer token */
};

/* What is collected while one read runs. */
struct collected {
	json_t *list;
	size_t bytes;
	const char *user; /* of lines: whose export it is, and what others are called in this game */
	json_t *others;
};

static void take_session(void *ctx, const struct store_session *session)
{
	struct collected *c = ctx;
	c->list = json_item(c->list,
			    json_pack("{s:s, s:s, s:I, s:I}", "id", session->id, "label",
				      session->label, "created", (json_int_t)session->created,
				      "seen", (json_int_t)session->seen));
}

static void take_token(void *ctx, const struct store_token *token)
{
	struct collected *c = ctx;
	c->list = json_item(c->list, json_pack("{s:s, s:s, s:I, s:I}", "id", token->id, "label",
					       token->label, "created", (json_int_t)token->created,
					       "used", (json_int_t)token->used));
}

static void take_attempt(void *ctx, const char *entry, size_t size)
{
	struct collected *c = ctx;
	c->list = json_item(c->list, json_stringn(entry, size));
}

static void take_study_id(void *ctx, const struct store_study *study, const char *body)
{
	struct collected *c = ctx;
	(void)body;
	c->list = json_item(c->list, json_string(study->id));
}

static void take_study(void *ctx, const struct store_study *study, const char *body)
{
	struct collected *c = ctx;
	json_t *contents = json_loads(body, 0, NULL);
	c->list =
		json_item(c->list, json_pack("{s:s, s:s, s:I, s:I, s:o}", "id", study->id, "title",
					     study->title, "created", (json_int_t)study->created,
					     "updated", (json_int_t)study->updated, "body",
					     contents ? contents : json_string(body)));
}

/* In place of the id of somebody else: the number in the order of appearance. */
static void hide_id(struct collected *c, json_t *json, const char *key)
{
	const char *id = json_string_value(json_object_get(json, key));
	char name[32];
	if (!id || !*id || strcmp(id, c->user) == 0)
		return;
	if (!json_object_get(c->others, id))
		json_object_set_new(c->others, id,
				    json_integer((json_int_t)json_object_size(c->others) + 1));
	snprintf(name, sizeof name, "other-%d",
		 (int)json_integer_value(json_object_get(c->others, id)));
	json_object_set_new(json, key, json_string(name));
}

/* Ids of people are in the header and where somebody sits down. A damaged line is left out. */
static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct collected *c = ctx;
	json_t *json = json_loadb(line, size, 0, NULL), *seat;
	size_t i;
	(void)number;
	c->bytes += size;
	hide_id(c, json, "owner");
	hide_id(c, json, "user");
	json_array_foreach(json_object_get(json, "seats"), i, seat) hide_id(c, seat, "user");
	c->list = json_item(c->list, json ? json : json_null());
	return true;
}

/* Columns of rows that go into the copy. */
struct exported {
	enum store_question question;
	struct {
		const char *name; /* NULL: the end */
		int column;
	} fields[8];
};

/* The rows about the user. False: they cannot be read. */
static bool read_rows_of(struct store *store, const struct exported *e, const char *user,
			 json_t **out)
{
	const struct store_value value = value_text(user);
	struct store_rows *rows = NULL;
	const bool ok = store_read_now(store, e->question, &value, &rows, NULL) == QV_OK;
	*out = json_array();
	for (size_t i = 0; ok && i < rows->count; i++) {
		json_t *row = json_object();
		for (int k = 0; e->fields[k].name; k++) {
			const int c = e->fields[k].column;
			const bool number = store_rows_at(rows, i, c)->type == STORE_NUMBER;
			row = json_field(row, e->fields[k].name,
					 number ? json_integer(store_rows_number(rows, i, c))
						: json_string(store_rows_text(rows, i, c)));
		}
		*out = json_item(*out, row);
	}
	store_rows_free(rows);
	return ok;
}

/* What the user has reported; reports about the user are other people's. */
static const struct exported exported_reports = {
	ASK_REPORTS_OF,
	{ { "made", REPORT_MADE },
	  { "kind", REPORT_KIND },
	  { "object", REPORT_OBJECT },
	  { "reason", REPORT_REASON },
	  { "text", REPORT_TEXT },
	  { "network", REPORT_NETWORK },
	  { "closed", REPORT_CLOSED } },
};
static const struct exported exported_suspension = {
	ASK_SUSPENSION,
	{ { "made", SUSPENSION_MADE }, { "until", SUSPENSION_UNTIL }, { "reason", SUSPENSION_REASON } },
};
static const struct exported exported_audit = {
	ASK_AUDIT_OF,
	{ { "made", AUDIT_MADE },
	  { "what", AUDIT_WHAT },
	  { "network", AUDIT_NETWORK },
	  { "detail", AUDIT_DETAIL },
	  { "times", AUDIT_TIMES } },
};

/* What is not there, such as a game that was deleted meanwhile, is left out; the rest must be read. */
static bool was_read(enum qv_status status)
{
	return status == QV_OK || status == QV_UNKNOWN;
}

/* The ids first: the store cannot be read inside its callback. False: it cannot be read. */
static bool read_studies(struct store *store, const char *user, json_t **out)
{
	struct collected ids = { .list = json_array() }, found = { .list = json_array() };
	json_t *id;
	size_t i;
	bool ok = was_read(
		store_list_studies(store, user, STUDIES_LISTED, take_study_id, &ids, NULL));
	json_array_foreach(ids.list, i, id)
		ok = ok && was_read(store_find_study(store, json_string_value(id), take_study,
						     &found, NULL));
	json_decref(ids.list);
	*out = found.list;
	return ok;
}

/* What the first part begins with. False: it cannot be read. */
static bool read_profile(struct store *store, const struct export *e, json_t *out)
{
	const char *user = e->user;
	struct store_user row = { .login = "" };
	struct collected sessions = { .list = json_array() }, tokens = { .list = json_array() },
			 attempts = { .list = json_array() };
	json_t *studies = NULL, *reports = NULL, *suspension = NULL, *trail = NULL;
	const bool ok =
		was_read(store_user_by_id(store, user, &row, NULL)) &&
		was_read(store_list_sessions(store, user, take_session, &sessions, NULL)) &&
		was_read(store_list_tokens(store, user, take_token, &tokens, NULL)) &&
		was_read(store_list_attempts(store, user, take_attempt, &attempts, NULL)) &&
		read_studies(store, user, &studies) &&
		read_rows_of(store, &exported_reports, user, &reports) &&
		read_rows_of(store, &exported_suspension, user, &suspension) &&
		read_rows_of(store, &exported_audit, user, &trail);
	json_t *profile = json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o?, s:o?, s:o?, s:o?}",
				    "id", user,
				    "name", row.name, "account", row.login, "email", row.email,
				    "created", (json_int_t)row.created, "sessions", sessions.list,
				    "tokens", tokens.list, "puzzles", attempts.list, "studies",
				    studies, "reports", reports, "suspension", suspension, "audit",
				    trail);
	if (e->program) {
		json_object_del(profile, "email");
		json_object_del(profile, "sessions");
		json_object_del(profile, "tokens");
		json_object_del(profile, "audit");
	}
	return json_object_set_new(out, "user", profile) == 0 && ok;
}

/*
 * The games after that one, up to the limit of a part, and the last of them; null: no more. False:
 * they cannot be read.
 */
static bool read_games(struct store *store, const struct export *e, struct worker_task *task,
		       json_t *out)
{
	json_t *games = json_array();
	char next[STORE_ID];
	size_t bytes = 0;
	bool shared, ok = true;
	snprintf(next, sizeof next, "%s", e->after);
	do {
		struct collected lines = { .list = json_array(),
					   .user = e->user,
					   .others = json_object() };
		const enum qv_status found =
			store_next_play(store, e->user, next, next, &shared, NULL);
		const enum qv_status loaded =
			found != QV_OK ? found
				       : store_load_play(store, next, NULL, take_line, &lines, NULL);
		ok = was_read(found) && was_read(loaded);
		bytes += lines.bytes;
		if (found != QV_OK)
			next[0] = '\0';
		if (loaded == QV_OK)
			games = json_item(games, json_pack("{s:s, s:O}", "id", next, "lines",
							   lines.list));
		json_decref(lines.list);
		json_decref(lines.others);
	} while (ok && *next && bytes < PART_BYTES && !flag_is_set(worker_task_stop(task)));
	return json_object_set_new(out, "games", games) == 0 &&
	       json_object_set_new(out, "next", text_or_null(next)) == 0 && ok;
}

static void export_run(struct worker_task *task, void *arg)
{
	const struct export *e = arg;
	const struct store_setup setup = { .folder = e->folder, .place = e->place, .vfs = e->vfs };
	struct store *store = NULL;
	struct qv_error error = { "" };
	json_t *json = json_object();
	/* No list that ends early may look like a whole one. */
	const bool ok = store_open_reader(&setup, &store, &error) == QV_OK &&
			(*e->after || read_profile(store, e, json)) &&
			read_games(store, e, task, json);
	store_close_reader(store);
	worker_task_result(task, ok ? json_to_text(json, RESPONSE_JSON)
				    : strdup("!503export: the store cannot be read"));
	if (!ok)
		json_decref(json);
}

/* GET /api/v1/account/export[?after=GAME] */
void get_export(struct api *api, const struct api_request *r)
{
	const struct worker_job job = { .group = r->visitor->address,
					.most = 1,
					.limit_ms = EXPORT_MS,
					.run = export_run,
					.release = free };
	struct worker_job mine = job;
	if (!acts_as_user(api, r) || !api_limit(api, r, "export", 10, 20))
		return;
	struct export *e = calloc(1, sizeof *e);
	if (!e) {
		reply_no_memory(api, r->call);
		return;
	}
	snprintf(e->user, sizeof e->user, "%s", r->visitor->user);
	if (*r->query && (!query_value(r->query, "after", e->after, sizeof e->after) ||
			  !secrets_is_id(e->after))) {
		reply_error(api, r->call, 400, "after: the id of a game is expected");
		free(e);
		return;
	}
	snprintf(e->folder, sizeof e->folder, "%s", api->data);
	e->place = api->setup.place;
	e->program = r->visitor->program;
	e->vfs = api->setup.vfs;
	mine.arg = e;
	audit(api, r, e->user, "export");
	store_end_unit(api->store, NULL, NULL);
	call_submit(api, call_new(api, r->call, r->visitor->user, CALL_JOB), call_reply, "export",
		    r->visitor->user, &mine);
}
