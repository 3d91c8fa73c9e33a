/*
 * engine.c - the engine in a browser: requests, and the calls and jobs of the API in one thread.
 * SPDX-License-Identifier: MIT
 *
 * The routes of server/api find here what api.c and the worker pool provide in the server. A job runs
 * as soon as it is submitted, and the request ends with it.
 */
#include "server/wasm/engine.h"

#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"
#include "formats/pgn.h"
#include "server/wasm/inside.h"

enum {
	HASH_MB = 32, /* as in the server */
	JOB_MS = 10000,
};

static struct api *engine;

/* ---- Jobs ---- */

struct worker_task {
	struct api *api;
	struct call *call;
	struct qv_flag stop, alarm;
	int64_t until_us, alarm_us;
	char *result;
};

const struct qv_flag *worker_task_stop(const struct worker_task *task)
{
	return &task->stop;
}

int64_t worker_task_left_ms(const struct worker_task *task)
{
	const int64_t left = (task->until_us - clock_us()) / 1000;
	return left > 1 ? left : 1;
}

const struct qv_flag *worker_task_alarm(struct worker_task *task, int64_t ms)
{
	task->alarm_us = clock_us() + ms * 1000;
	flag_set(&task->alarm, false);
	worker_task_watch(task, 0);
	return &task->alarm;
}

bool worker_task_watch(void *ctx, uint64_t nodes)
{
	struct worker_task *task = ctx;
	const int64_t now = clock_us();
	(void)nodes;
	if (now >= task->until_us)
		flag_set(&task->stop, true);
	if (now >= task->alarm_us || now >= task->until_us)
		flag_set(&task->alarm, true);
	return true;
}

bool worker_task_pause(struct worker_task *task)
{
	(void)task; /* nobody else waits */
	return false;
}

void worker_task_progress(struct worker_task *task, char *text)
{
	if (text)
		task->call->job_done(task->api, task->call, text);
	free(text);
}

void worker_task_result(struct worker_task *task, char *text)
{
	free(task->result);
	task->result = text;
}

/* ---- Calls ---- */

struct call *call_new(struct api *api, uint64_t number, const char *user, enum call_kind kind)
{
	struct call *call = calloc(1, sizeof *call);
	(void)user;
	if (!call) {
		reply_no_memory(api, number);
		return NULL;
	}
	call->number = number;
	call->kind = kind;
	return call;
}

void call_free(struct api *api, struct call *call)
{
	(void)api;
	free(call);
}

/* `done` frees the call after the result. */
void call_submit(struct api *api, struct call *call, call_done_fn *done, const char *what,
		 const char *whom, const struct worker_job *job)
{
	(void)what, (void)whom;
	if (call) {
		struct worker_task task = { .api = api,
					    .call = call,
					    .until_us = clock_us() + job->limit_ms * 1000,
					    .alarm_us = INT64_MAX };
		call->job_done = done;
		call->job_arg = job->arg;
		call->job_number = 1;
		job->run(&task, job->arg);
		call->job_number = 0;
		done(api, call, task.result);
		free(task.result);
	}
	job->release(job->arg);
}

void call_reply(struct api *api, struct call *call, const char *text)
{
	const uint64_t number = call->number;
	call_free(api, call);
	reply_result(api, number, text);
}

void run_job(struct api *api, const struct api_request *r, const struct worker_job *job,
	     call_done_fn *done)
{
	if (job->arg)
		call_submit(api, call_new(api, r->call, "", CALL_JOB), done, "", "", job);
	else
		reply_no_memory(api, r->call);
}

/* ---- Long positions: the request runs again with the position that the job made ---- */

static void run_route(struct api *api, const struct api_request *r);

/* The request outlives the job, which runs at once. */
struct call *call_park(struct api *api, const struct api_request *r, enum call_kind kind)
{
	struct call *call = call_new(api, r->call, "", kind);
	if (call)
		call->parked = (struct parked *)(uintptr_t)r;
	return call;
}

void call_resume(struct api *api, struct call *call)
{
	const struct api_request *r = (const struct api_request *)call->parked;
	call_free(api, call);
	run_route(api, r);
}

void call_work(struct api *api, const struct api_request *r, struct call *call,
	       const struct request_work *work, void *arg)
{
	const struct worker_job job = {
		.limit_ms = JOB_MS, .run = work->run, .release = work->release, .arg = arg
	};
	(void)r;
	call_submit(api, call, work->done, "", "", &job);
}

/* ---- The API ---- */

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return clock_us() / 1000;
}

static int64_t seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

/* Nobody else uses this engine. */
bool api_costs(struct api *api, const struct api_request *r, size_t requests)
{
	(void)api, (void)r, (void)requests;
	return true;
}

/* Nobody else waits while it is made. */
bool player_is_known(struct api *api, const struct api_request *r, const struct qv_rules *rules,
		     const char *spec, struct request_position *position)
{
	(void)api, (void)r, (void)rules, (void)spec, (void)position;
	return true;
}

void api_respond(struct api *api, const struct api_response *response)
{
	api->setup.host.respond(api->setup.host.ctx, response);
}

/* The response shows it; there is no operator. */
void api_failed(struct api *api, uint64_t call, int status, const char *why)
{
	(void)api, (void)call, (void)status, (void)why;
}

/* A * stands for a part of the path, which becomes words[0]. */
static const struct route {
	enum api_method method;
	const char *path;
	route_fn *run;
} routes[] = {
	{ API_GET, "games", get_games },
	{ API_GET, "gallery", get_gallery },
	{ API_GET, "history", get_history },
	{ API_GET, "boards", get_board },
	{ API_GET, "openings", get_openings },
	{ API_POST, "positions", post_position },
	{ API_POST, "analysis", post_analysis },
	{ API_POST, "values", post_values },
	{ API_POST, "evaluation", post_evaluation },
	{ API_POST, "luck", post_luck },
	{ API_POST, "review", post_review },
	{ API_POST, "explanations", post_explanation },
	{ API_POST, "move", post_choice },
	{ API_POST, "solve", post_solve },
	{ API_POST, "perft", post_perft },
	{ API_POST, "trace", post_trace },
	{ API_POST, "trace/words", post_trace_words },
	{ API_POST, "proof", post_proof },
	{ API_POST, "wave", post_wave },
	{ API_POST, "wave/map", post_wave_map },
	{ API_POST, "wave/position", post_wave_position },
	{ API_POST, "learn", post_learn },
	{ API_POST, "boxes", post_boxes },
	{ API_POST, "td", post_td },
	{ API_POST, "machine", post_machine },
	{ API_POST, "mask", post_mask },
	{ API_POST, "records", post_record },
	{ API_POST, "plays", post_play },
	{ API_POST, "plays/load", post_play_lines },
	{ API_GET, "plays/*", get_play },
	{ API_GET, "plays/*/record", get_play_record },
	{ API_POST, "plays/*/moves", post_move },
	{ API_POST, "plays/*/actions", post_action },
	{ API_POST, "plays/*/computer", post_computer },
};

/* Copies what the * of the pattern stands for, or "". */
static bool path_matches(const char *pattern, const char *path, char word[API_PATH])
{
	const char *star = strchr(pattern, '*');
	const size_t before = star ? (size_t)(star - pattern) : 0;
	word[0] = '\0';
	if (!star)
		return strcmp(pattern, path) == 0;
	if (strncmp(pattern, path, before) != 0)
		return false;
	const size_t length = strcspn(path + before, "/");
	snprintf(word, API_PATH, "%.*s", (int)length, path + before);
	return length > 0 && strcmp(star + 1, path + before + length) == 0;
}

static void run_route(struct api *api, const struct api_request *r)
{
	struct api_request matched = *r;
	char word[API_PATH];
	matched.words[0] = word;
	for (size_t i = 0; i < sizeof routes / sizeof *routes; i++)
		if (routes[i].method == r->method && path_matches(routes[i].path, r->path, word)) {
			routes[i].run(api, &matched);
			return;
		}
	reply_error(api, r->call, 404, "%.60s: no such request", r->path);
}

static void respond(void *ctx, const struct api_response *response)
{
	(void)ctx;
	engine_respond(response->status, response->text, response->size, response->end);
}

/* ---- Data ---- */

/* Whether the data of the game is loaded; its name may have options. False: an error was sent. */
static bool has_data(const struct api_request *r, const char *rules)
{
	char game[API_PATH];
	snprintf(game, sizeof game, "%.*s", (int)strcspn(rules, ":"), rules);
	if (data_is_loaded(game))
		return true;
	reply_error(engine, r->call, 409, "data: %.40s is not loaded", game);
	return false;
}

/* The same for the game that the first line of a journal names; "": none. */
static bool has_journal_data(const struct api_request *r, const char *journal)
{
	json_t *line = json_loadb(journal, strcspn(journal, "\n"), 0, NULL);
	const char *name = json_string_value(json_object_get(line, "game"));
	const bool has = has_data(r, name ? name : "");
	json_decref(line);
	return has;
}

/* The same for the game of a PGN file: the tag Variant names it, or it is chess or draughts. */
static bool has_pgn_data(const struct api_request *r, const char *pgn)
{
	static const char tag[] = "[Variant \"";
	char name[API_PATH];
	const char *variant = strstr(pgn, tag);
	if (!variant)
		return has_data(r, "chess") && has_data(r, "draughts");
	variant += sizeof tag - 1;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(variant, "\""), variant);
	return has_data(r, name);
}

/* Whether the data of all games that the request names is loaded. False: an error was sent. */
static bool request_has_data(const struct api_request *r)
{
	const char *game = json_string_value(json_object_get(r->body, "game"));
	const char *record = json_string_value(json_object_get(r->body, "record"));
	/* Of the lines of a game in progress the second begins its journal. */
	const char *line = json_string_value(json_array_get(json_object_get(r->body, "lines"), 1));
	char query[API_PATH] = "";
	if (!game)
		query_value(r->query, "game", query, sizeof query);
	/* Only the moves of chess need data: the gallery shows some, and the machine plays them. */
	if (strcmp(r->path, "gallery") == 0 || strcmp(r->path, "machine") == 0)
		game = "chess";
	return has_data(r, game ? game : query) && (!line || has_journal_data(r, line)) &&
	       (!record || (pgn_looks_like(record, strlen(record)) ? has_pgn_data(r, record)
								   : has_journal_data(r, record)));
}

bool engine_open(void)
{
	struct api *api = calloc(1, sizeof *api);
	struct qv_context *context = qv_context_new(NULL);
	if (api && context) {
		api->setup = (struct api_setup){
			.context = context,
			.hash_mb = HASH_MB,
			.host = { .respond = respond, .now_ms = now_ms, .seconds = seconds }
		};
		api->rooms = (struct map){ .allocator = &mem_malloc,
					   .text_at = offsetof(struct room, id) };
		api->table_lookup = table_lookup_new(context, NULL);
		api->openings = openings_new(context);
	}
	if (api && api->table_lookup && api->openings) {
		engine = api;
		return true;
	}
	if (api) {
		table_lookup_free(api->table_lookup);
		openings_free(api->openings);
	}
	free(api);
	qv_context_free(context);
	return false;
}

void engine_close(void)
{
	rooms_release(engine);
	traces_release();
	lab_wave_release();
	table_lookup_free(engine->table_lookup);
	openings_free(engine->openings);
	free(engine->gallery);
	free(engine->games);
	qv_context_free((struct qv_context *)(uintptr_t)engine->setup.context);
	free(engine);
	engine = NULL;
}

void engine_request(const char *request, const char *body)
{
	static const struct visitor visitor = { .user = "you" };
	struct qv_error error;
	char path[API_PATH];
	struct api_request r = { .method = *body ? API_POST : API_GET,
				 .path = path,
				 .query = "",
				 .visitor = &visitor,
				 .words = { "", "" },
				 .call = 1 };
	snprintf(path, sizeof path, "%s", request);
	char *query = strchr(path, '?');
	if (query) {
		*query = '\0';
		r.query = query + 1;
	}
	if (*body &&
	    json_load_object(body, strlen(body), JSON_ANY_DEPTH, &r.body, &error) != QV_OK) {
		reply_error(engine, r.call, 400, "body: %s", error.text);
		return;
	}
	rooms_forget(engine);
	if (request_has_data(&r))
		run_route(engine, &r);
	json_decref(r.body);
}

void *engine_alloc(size_t size)
{
	return malloc(size);
}

void engine_free(void *block)
{
	free(block);
}
