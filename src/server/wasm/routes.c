/*
 * routes.c - requests that the engine in a browser has and the server has not: a player's move,
 * solving and perft. traces.c has the searches that can be watched.
 * SPDX-License-Identifier: MIT
 *
 * In the server a player's move belongs to a game, which the server keeps.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "core/context.h"
#include "server/wasm/inside.h"

enum {
	TIME_MOST = 3600000,
	DEPTH_MOST = 100,
	SOLVER_MB = 64,
};

bool open_position(struct api *api, const struct api_request *r, struct request_position *p)
{
	int32_t points[QV_MAX_SEATS];
	if (!request_position_open(api, r, p))
		return false;
	if (qv_record_result(p->record, points) != QV_GOING)
		reply_error(api, r->call, 409, "position: the game is over");
	else if (p->rules.game->seat(qv_record_state(p->record)) == QV_CHANCE)
		reply_error(api, r->call, 409,
			    "position: a dice roll is next, not a player's move");
	else
		return true;
	request_position_release(p);
	return false;
}

json_t *move_text_json(const struct qv_game *game, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	game->move_text(state, move, &(struct qv_text){ text, sizeof text, 0 });
	return json_text(text);
}

/* ---- A player's move ---- */

/* The messages are JSON; the result is "+MOVE", a newline and a message, or an error. */
static void move_text_done(struct api *api, struct call *call, const char *text)
{
	const uint64_t number = call->number;
	if (call->job_number) {
		reply_message(api, number, text);
		return;
	}
	call_free(api, call);
	const char *thoughts = text && *text == '+' ? strchr(text, '\n') : NULL;
	if (!thoughts) {
		reply_result(api, number, text && *text == '!' ? text : NULL);
		return;
	}
	struct string out = { .allocator = &mem_malloc };
	struct string move = { .allocator = &mem_malloc };
	string_add(&move, text + 1, (size_t)(thoughts - text - 1));
	string_addf(&out, "{\"move\":");
	if (!move.failed)
		json_add_quoted(&out, move.data);
	string_addf(&out, ",\"thoughts\":%s}", thoughts + 1);
	reply_ok(api, number, out.failed || move.failed ? NULL : out.data);
	string_release(&move);
	string_release(&out);
}

void post_choice(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct search_job_setup setup = { .context = api->setup.context,
					  .hash_mb = api->setup.hash_mb };
	json_int_t seed, time, aim;
	bool book;
	if (!body_keys(api, r, "game position moves player seed time aim book memory") ||
	    !body_text(api, r, "player", &setup.spec) ||
	    !body_text(api, r, "memory", &setup.memory) ||
	    !body_integer(api, r, "seed", 0, INT64_MAX, 1, &seed) ||
	    !body_integer(api, r, "time", 1, TIME_MOST, 0, &time) ||
	    !body_integer(api, r, "aim", 0, TIME_MOST, 0, &aim) ||
	    !body_boolean(api, r, "book", &book) || !open_position(api, r, &position))
		return;
	setup.rules = position.rules;
	setup.state = qv_record_state(position.record);
	setup.history = qv_record_history(position.record, &setup.history_count);
	setup.seed = (uint64_t)seed;
	setup.time_ms = time;
	setup.aim_ms = aim;
	setup.no_book = !book;
	const struct worker_job job = { .limit_ms = time ? time : TIME_MOST,
					.run = search_job_move,
					.release = search_job_free,
					.arg = search_job_new(&setup) };
	run_job(api, r, &job, move_text_done);
	request_position_release(&position);
}

/* ---- Solving ---- */

static bool before_deadline(void *until_us, uint64_t nodes)
{
	(void)nodes;
	return clock_us() < *(const int64_t *)until_us;
}

const char *value_name(enum qv_value value)
{
	static const char *const names[] = { [QV_VALUE_UNKNOWN] = "unknown",
					     [QV_VALUE_LOSS] = "loss",
					     [QV_VALUE_DRAW] = "draw",
					     [QV_VALUE_WIN] = "win" };
	return names[value];
}

static json_t *solution_json(const struct request_position *p, const struct qv_solution *s)
{
	const struct qv_game *game = p->rules.game;
	const void *state = qv_record_state(p->record);
	char move[QV_MOVE_TEXT] = "";
	struct qv_text out = { move, sizeof move, 0 };
	const bool known = s->value != QV_VALUE_UNKNOWN;
	if (known && qv_move_legal(game, state, s->move))
		game->move_text(state, s->move, &out);
	return json_pack("{s:s, s:o, s:o, s:I}", "value", value_name(s->value), "in",
			 known && s->in >= 0 ? json_integer(s->in) : json_null(), "move",
			 text_or_null(move), "nodes", (json_int_t)s->nodes);
}

void post_solve(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct qv_solver *solver = NULL;
	struct qv_solution solution;
	struct qv_error error;
	json_int_t nodes, time;
	struct qv_solve_limits limits = { .watch = before_deadline };
	if (!body_keys(api, r, "game position moves distance nodes time") ||
	    !body_boolean(api, r, "distance", &limits.distance) ||
	    !body_integer(api, r, "nodes", 0, INT64_MAX, 0, &nodes) ||
	    !body_integer(api, r, "time", 1, TIME_MOST, TIME_MOST, &time) ||
	    !open_position(api, r, &position))
		return;
	int64_t until_us = clock_us() + time * 1000;
	limits.nodes = (uint64_t)nodes;
	limits.ctx = &until_us;
	enum qv_status status = qv_solver_new(api->setup.context, &position.rules,
					      (size_t)SOLVER_MB << 20, &solver, &error);
	if (status == QV_OK)
		status = solver_run(solver, qv_record_state(position.record), &limits,
					 &solution, &error);
	if (status == QV_OK || status == QV_STOPPED)
		reply(api, r->call, 200, solution_json(&position, &solution));
	else
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 409, "%s", error.text);
	qv_solver_free(solver);
	request_position_release(&position);
}

/* ---- Perft ---- */

void post_perft(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct qv_perft_limits limits = { .size = sizeof limits };
	struct qv_error error;
	json_int_t depth;
	uint64_t nodes;
	if (!body_keys(api, r, "game position moves depth") ||
	    !body_integer(api, r, "depth", 0, DEPTH_MOST, 1, &depth) ||
	    !request_position_open(api, r, &position))
		return;
	limits.depth = (int)depth;
	if (qv_perft(api->setup.context, position.rules.game, qv_record_state(position.record),
		     &limits, &nodes, &error) == QV_OK)
		reply(api, r->call, 200, json_pack("{s:I}", "nodes", (json_int_t)nodes));
	else
		reply_error(api, r->call, 409, "%s", error.text);
	request_position_release(&position);
}
