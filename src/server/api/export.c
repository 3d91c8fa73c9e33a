/*
 * export.c - everything that is stored about a user, as JSON.
 * SPDX-License-Identifier: MIT
 *
 * A worker reads it through a connection of its own. A part has some MB: if there is more, it names
 * the game with which the next part goes on. Studies and games are as they are stored.
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
	char folder[FOLDER_PATH]; /* of the database, or its place; the latter is borrowed */
	const char *place;
	char user[API_USER], after[API_USER];
};

/* What is collected while one read runs. */
struct collected {
	json_t *list;
	size_t bytes;
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

static bool take_line(void *ctx, int64_t number, const char *line, size_t size)
{
	struct collected *c = ctx;
	json_t *json = json_loadb(line, size, 0, NULL);
	(void)number;
	c->bytes += size;
	c->list = json_item(c->list, json ? json : json_stringn(line, size));
	return true;
}

/* The ids first: the store cannot be read inside its callback. */
static json_t *studies_of(struct store *store, const char *user)
{
	struct collected ids = { .list = json_array() }, found = { .list = json_array() };
	json_t *id;
	size_t i;
	store_list_studies(store, user, STUDIES_LISTED, take_study_id, &ids, NULL);
	json_array_foreach(ids.list, i, id)
		store_find_study(store, json_string_value(id), take_study, &found, NULL);
	json_decref(ids.list);
	return found.list;
}

/* What the first part begins with. */
static json_t *profile_json(struct store *store, const char *user)
{
	struct store_user row = { .login = "" };
	struct collected sessions = { .list = json_array() }, tokens = { .list = json_array() },
			 attempts = { .list = json_array() };
	store_user_by_id(store, user, &row, NULL);
	store_list_sessions(store, user, take_session, &sessions, NULL);
	store_list_tokens(store, user, take_token, &tokens, NULL);
	store_list_attempts(store, user, take_attempt, &attempts, NULL);
	return json_pack("{s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o}", "id", user, "name",
			 row.name, "account", row.login, "email", row.email, "created",
			 (json_int_t)row.created, "sessions", sessions.list, "tokens", tokens.list,
			 "puzzles", attempts.list, "studies", studies_of(store, user));
}

/* The games after that one, up to the limit of a part. *next: the last of them; "": no more. */
static json_t *games_json_of(struct store *store, const struct export *e, struct worker_task *task,
			     char next[STORE_ID])
{
	json_t *games = json_array();
	size_t bytes = 0;
	bool shared;
	snprintf(next, STORE_ID, "%s", e->after);
	while (bytes < PART_BYTES && !flag_is_set(worker_task_stop(task))) {
		struct collected lines = { .list = json_array() };
		if (store_next_play(store, e->user, next, next, &shared, NULL) != QV_OK) {
			json_decref(lines.list);
			next[0] = '\0';
			break;
		}
		store_load_play(store, next, NULL, take_line, &lines, NULL);
		bytes += lines.bytes;
		games = json_item(games, json_pack("{s:s, s:o}", "id", next, "lines", lines.list));
	}
	return games;
}

static void export_run(struct worker_task *task, void *arg)
{
	const struct export *e = arg;
	const struct store_setup setup = { .folder = e->folder, .place = e->place };
	struct store *store = NULL;
	struct qv_error error = { "" };
	char next[STORE_ID];
	if (store_open_reader(&setup, &store, &error) != QV_OK) {
		worker_task_result(task, strdup("!503export: the store cannot be read"));
		return;
	}
	json_t *json = json_object();
	if (!*e->after)
		json_object_set_new(json, "user", profile_json(store, e->user));
	json_object_set_new(json, "games", games_json_of(store, e, task, next));
	json_object_set_new(json, "next", text_or_null(next));
	store_close_reader(store);
	worker_task_result(task, json_to_text(json, RESPONSE_JSON));
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
	mine.arg = e;
	call_submit(api, call_new(api, r->call, r->visitor->user, CALL_JOB), call_reply, "export",
		    r->visitor->user, &mine);
}
