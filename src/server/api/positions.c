/*
 * positions.c - the position that a request names: a game, a position of it, moves from there.
 * SPDX-License-Identifier: MIT
 *
 * A few moves are played at once. Many are played by a worker while the request is parked; then the
 * request runs again and finds its position in api->position.
 */
#include <stdlib.h>

#include "formats/board_json.h"
#include "record/record.h"
#include "server/api/inside.h"

enum {
	MOVES_MOST = 4000,
	JOBS_MOST = 16, /* that may wait for a worker, of one address */
};

/* The work: from the body of a request to its position. A worker's argument. */
struct position_job {
	const struct qv_context *context;
	json_t *body; /* texts point into it */
	const char *game, *position;
	int seat; /* to move, if the body gives the pieces */
	struct request_position made;
	int status; /* 200, or the status of the error */
	struct qv_error error;
};

void request_position_release(struct request_position *position)
{
	qv_record_free(position->record);
	json_decref(position->move_list);
	*position = (struct request_position){ 0 };
}

/* For a job on the stack; position_job_free is for one of the pool. */
static void position_job_release(struct position_job *p)
{
	request_position_release(&p->made);
	json_decref(p->body);
}

static void position_job_free(void *arg)
{
	position_job_release(arg);
	free(arg);
}

/* ---- The work ---- */

/* Sets the HTTP status and returns whether it is 200; fault: that of an error in the request. */
static bool set_status(struct position_job *p, enum qv_status status, int fault)
{
	p->status = status == QV_OK ? 200 : status == QV_NO_MEMORY ? 503 : fault;
	return status == QV_OK;
}

/* The record of the start position, without the moves. */
static enum qv_status open_record(struct position_job *p)
{
	const json_t *standing = json_object_get(p->body, "standing");
	const char *position = p->position;
	char buffer[QV_POSITION_TEXT] = "";
	struct qv_rules *rules = &p->made.rules;
	enum qv_status status = qv_rules_parse(p->context, p->game, rules, &p->error);
	if (status != QV_OK)
		return status;
	if (p->seat >= rules->game->seats)
		return qv_fail(&p->error, QV_BAD_INPUT, "seat: must be from 1 to %d",
			       rules->game->seats);
	if (standing) { /* a position given by its pieces: written as a text first */
		struct qv_text text = { buffer, sizeof buffer, 0 };
		void *state = qv_state_new(p->context, rules->game);
		if (!state)
			return qv_fail(&p->error, QV_NO_MEMORY, "position: out of memory");
		status = view_set_up(rules, standing, p->seat, state, &p->error);
		if (status == QV_OK)
			rules->game->position_text(state, &text);
		qv_state_free(p->context, rules->game, state);
		if (status != QV_OK)
			return status;
		position = buffer;
	}
	return qv_record_new(p->context, rules, position, &p->made.record, &p->error);
}

/* Plays the moves of the body on the record. */
static bool play_moves(struct position_job *p)
{
	const json_t *moves = json_object_get(p->body, "moves");
	const struct qv_game *game = p->made.rules.game;
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const char *text = json_string_value(json_array_get(moves, i));
		struct qv_error why = { "" };
		qv_move move;
		if (!text)
			return set_status(p,
					  qv_fail(&p->error, QV_BAD_INPUT,
						  "moves: must be a list of strings"),
					  400);
		enum qv_status status =
			qv_move_parse(game, qv_record_state(p->made.record), text, &move, &why);
		if (status == QV_OK)
			status = qv_record_play(p->made.record, move, -1, &why);
		if (status != QV_OK)
			return set_status(p,
					  qv_fail(&p->error, status, "moves, number %zu: %s", i + 1,
						  why.text),
					  409);
	}
	return true;
}

/*
 * [{"move", "seat", "scores", "position"}, ...] from the start to the cursor, for a page that
 * replays the game. NULL: out of memory.
 */
static json_t *move_list_json(const struct qv_context *context, const struct qv_record *record)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	void *state = qv_state_new(context, game);
	if (!state)
		return NULL;
	json_t *list = json_array();
	tree_state_at(record, 0, state);
	for (int i = 0; i < qv_record_ply(record); i++) {
		char move[QV_MOVE_TEXT] = "", position[QV_POSITION_TEXT] = "";
		struct qv_text move_out = { move, sizeof move, 0 };
		struct qv_text out = { position, sizeof position, 0 };
		const int seat = game->seat(state);
		game->move_text(state, qv_record_move(record, i), &move_out);
		game->play(state, qv_record_move(record, i));
		game->position_text(state, &out);
		json_array_append_new(list, json_pack("{s:s, s:i, s:o, s:s}", "move", move, "seat",
						      seat + 1, "scores", scores_json(game, state),
						      "position", position));
	}
	qv_state_free(context, game, state);
	return list;
}

/* 400 if the position is wrong, 409 if a move of it is not legal. */
static void position_job_run(struct worker_task *task, void *arg)
{
	struct position_job *p = arg;
	(void)task;
	if (set_status(p, open_record(p), 400) && play_moves(p) &&
	    json_is_true(json_object_get(p->body, "course")))
		p->made.move_list = move_list_json(p->context, p->made.record);
}

/* ---- By a worker ---- */

/* Runs the request again, which finds the position in api->position. */
static void position_job_done(struct api *api, struct call *call, const char *text)
{
	struct position_job *p = call->job_arg;
	const uint64_t number = call->number;
	(void)text;
	if (p->status == 200) {
		api->position = &p->made;
		call_resume(api, call);
		api->position = NULL;
	} else {
		call_free(api, call);
		reply_error(api, number, p->status, "%s", p->error.text);
	}
}

/* ---- For a request ---- */

/* A request that runs again takes over the position that the worker made. */
bool request_position_open(struct api *api, const struct api_request *r,
			   struct request_position *out)
{
	static const struct request_work work = { "position", JOBS_MOST, position_job_run,
						  position_job_free, position_job_done, 0 };
	const json_t *moves = json_object_get(r->body, "moves");
	const size_t count = json_array_size(moves);
	struct position_job p = { .context = api->setup.context };
	json_int_t seat;
	bool good = false;
	*out = (struct request_position){ 0 };
	if (api->position) {
		*out = *api->position;
		*api->position = (struct request_position){ 0 };
		return true;
	}
	if (!body_text(api, r, "game", &p.game) || !body_text(api, r, "position", &p.position) ||
	    !body_integer(api, r, "seat", 1, QV_MAX_SEATS, 1, &seat))
		return false;
	p.seat = (int)seat - 1;
	if (!p.game)
		reply_error(api, r->call, 400, "game: missing");
	else if (moves && !json_is_null(moves) && !json_is_array(moves))
		reply_error(api, r->call, 400, "moves: must be a list of strings");
	else if (count > MOVES_MOST)
		reply_error(api, r->call, 400, "moves: at most %d are allowed", MOVES_MOST);
	else
		good = api_costs(api, r, count / LONG_LINES);
	if (!good)
		return false;
	p.body = json_incref(r->body);
	if (count > SHORT_LINES) { /* a worker plays them */
		struct position_job *copy = malloc(sizeof *copy);
		if (copy) {
			*copy = p;
			call_work(api, r, call_park(api, r, CALL_JOB), &work, copy);
		} else {
			json_decref(p.body);
			reply_no_memory(api, r->call);
		}
		return false;
	}
	position_job_run(NULL, &p);
	if (p.status == 200) {
		*out = p.made;
		p.made = (struct request_position){ 0 };
	} else {
		reply_error(api, r->call, p.status, "%s", p.error.text);
	}
	position_job_release(&p);
	return p.status == 200;
}
