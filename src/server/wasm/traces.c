/*
 * traces.c - requests of the engine in a browser that watch a search: its tree, or its log with
 * every visit, in words if the host asks for them.
 * SPDX-License-Identifier: MIT
 *
 * The last logs stay in memory, so that the host can request the words of one visit after the other.
 */
#include <stdlib.h>

#include "core/context.h"
#include "server/wasm/inside.h"
#include "trace/log.h"

enum {
	PLIES_MOST = 100,
	TRACE_NODES = 2000,
	TRACE_NODES_MOST = 100000,
	KEPT_LOGS = 4,
};

/* The engine is one for its whole module, like `engine` in engine.c. */
static struct log *kept[KEPT_LOGS];
static json_int_t last_id; /* of the newest log; 0: none */

void traces_release(void)
{
	for (int i = 0; i < KEPT_LOGS; i++) {
		log_free(kept[i]);
		kept[i] = NULL;
	}
	last_id = 0;
}

/*
 * A player that thinks about the position while the listener follows. One that has nothing to show is
 * stopped at once.
 */
static enum qv_status think(struct api *api, const struct request_position *p,
			    const struct trace_setup *setup, const struct qv_listener *listener,
			    bool (*watch)(void *, uint64_t), struct qv_answer *out,
			    struct qv_error *error)
{
	const struct qv_defaults defaults = { .size = sizeof defaults, .seed = 1,
					      .threads = 1,
					      .hash_mb = api->setup.hash_mb };
	struct qv_limits limits = { .watch = watch, .watch_ctx = listener->ctx };
	struct qv_player *player = NULL;
	limits.history = qv_record_history(p->record, &limits.history_count);
	enum qv_status status = qv_player_new(api->setup.context, &p->rules, setup->player,
					      &defaults, &player, error);
	if (status == QV_OK)
		status = player_choose(player, setup->root, &limits, listener, out, error);
	qv_player_free(player);
	return status == QV_STOPPED ? QV_OK : status; /* it has reported nothing */
}

/* NULL: it failed. */
static json_t *traced(struct api *api, const struct request_position *p,
		      const struct trace_setup *setup, struct qv_error *error)
{
	struct trace_capture *capture = NULL;
	struct trace trace = { 0 };
	struct qv_answer answer;
	json_t *json = NULL;
	enum qv_status status = trace_capture_new(setup, &capture, error);
	if (status == QV_OK) {
		const struct qv_listener listener = trace_capture_listener(capture);
		status = think(api, p, setup, &listener, trace_capture_watch, &answer, error);
	}
	if (status == QV_OK)
		status = trace_capture_finish(capture, &answer, &trace, error);
	if (status == QV_OK && !(json = trace_json(&trace)))
		qv_fail(error, QV_NO_MEMORY, "trace: out of memory");
	trace_release(&trace);
	trace_capture_free(capture);
	return json;
}

/* The same with every visit. The log is kept in place of the oldest one. */
static json_t *logged(struct api *api, const struct request_position *p,
		      const struct trace_setup *setup, struct qv_error *error)
{
	struct log *log = NULL;
	struct qv_answer answer;
	json_t *json = NULL;
	enum qv_status status = log_new(setup, &log, error);
	if (status == QV_OK) {
		const struct qv_listener listener = log_listener(log);
		status = think(api, p, setup, &listener, log_watch, &answer, error);
	}
	if (status == QV_OK)
		status = log_finish(log, &answer, error);
	if (status == QV_OK && !(json = json_field(log_json(log), "id", json_integer(last_id + 1))))
		qv_fail(error, QV_NO_MEMORY, "trace: out of memory");
	if (!json) {
		log_free(log);
		return NULL;
	}
	log_free(kept[++last_id % KEPT_LOGS]);
	kept[last_id % KEPT_LOGS] = log;
	return json;
}

void post_trace(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct qv_error error;
	const char *spec;
	json_int_t nodes, plies;
	bool log, brief;
	if (!body_keys(api, r, "game position moves player nodes plies log short") ||
	    !body_text(api, r, "player", &spec) ||
	    !body_integer(api, r, "nodes", 1, TRACE_NODES_MOST, TRACE_NODES, &nodes) ||
	    !body_integer(api, r, "plies", 1, PLIES_MOST, PLIES_MOST, &plies) ||
	    !body_boolean(api, r, "log", &log) || !body_boolean(api, r, "short", &brief))
		return;
	if (!spec) {
		reply_error(api, r->call, 400, "player: missing");
		return;
	}
	if (!open_position(api, r, &position))
		return;
	const struct engine *engine = context_engine(position.rules.game);
	const struct trace_setup setup = { .allocator = &mem_malloc,
					   .rules = position.rules,
					   .root = qv_record_state(position.record),
					   .player = spec,
					   .max_nodes = nodes,
					   .max_ply = plies,
					   .short_moves = brief && engine->short_text };
	json_t *json = (log ? logged : traced)(api, &position, &setup, &error);
	if (json)
		reply(api, r->call, 200, json);
	else
		reply_error(api, r->call, 409, "%s", error.text);
	request_position_release(&position);
}

void post_trace_words(struct api *api, const struct api_request *r)
{
	json_int_t id, visit;
	if (!body_keys(api, r, "id visit") || !body_integer(api, r, "id", 0, INT64_MAX, 0, &id) ||
	    !body_integer(api, r, "visit", 0, TRACE_NODES_MOST, 0, &visit))
		return;
	const struct log *log =
		id > 0 && id <= last_id && id > last_id - KEPT_LOGS ? kept[id % KEPT_LOGS] : NULL;
	if (!log) {
		reply_error(api, r->call, 404, "id: no such log; request the trace again");
		return;
	}
	/* A tree that grows has steps instead of visits. */
	const int count = log->step_count ? log->step_count : log->count;
	if (visit >= count) {
		reply_error(api, r->call, 404, "visit: the log has %d", count);
		return;
	}
	struct string text = { .allocator = &mem_malloc };
	(log->step_count ? log_step_words : log_words)(log, (int)visit, &text);
	if (text.failed || !text.data)
		reply_no_memory(api, r->call);
	else
		reply(api, r->call, 200, json_pack("{s:s}", "text", text.data));
	string_release(&text);
}
