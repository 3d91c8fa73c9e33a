/*
 * positions.c - the position that a request names: a game, a position of it, moves from there.
 * SPDX-License-Identifier: MIT
 *
 * A few moves are played at once. Many are played by a worker while the request is parked; then the
 * request runs again and finds its position in api->position.
 */
#include <stdlib.h>

#include "server/api/move_list.h"
#include "server/api/inside.h"
#include "formats/board_json.h"

enum {
	MOVES_MOST = 4000,
	JOBS_MOST = 16,            /* that may wait for a worker, of one address */
	JOB_MS = 10000,            /* never reached: the number of moves bounds the work */
};

/* The work: from the body of a request to its position. A worker's argument. */
struct position_job {
	const struct qv_context *context;
	json_t *body;              /* texts point into it */
	const char *game, *position;
	int seat;                  /* to move, if the body gives the pieces */
	struct request_position made;
	int status;                /* 200, or the status of the error */
	struct qv_error error;
};

void request_position_release(struct request_position *position)
{
	qv_record_free(position->record);
	json_decref(position->move_list);
	*position = (struct request_position){ 0 };
}

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

static int status_of(enum qv_status status, int fault)
{
	return status == QV_OK ? 200 : status == QV_NO_MEMORY ? 503 : fault;
}

/* Converts a position given by its pieces into the text of a position. */
static enum qv_status standing_text(struct position_job *p, const json_t *standing,
				    char out[QV_POSITION_TEXT])
{
	const struct qv_rules *rules = &p->made.rules;
	void *state = qv_state_new(p->context, rules->game);
	struct qv_text text = { out, QV_POSITION_TEXT, 0 };
	if (!state)
		return qv_fail(&p->error, QV_NO_MEMORY, "position: out of memory");
	const enum qv_status status = view_set_up(rules, standing, p->seat, state, &p->error);
	if (status == QV_OK)
		rules->game->position_text(state, &text);
	qv_state_free(p->context, rules->game, state);
	return status;
}

static enum qv_status open_record(struct position_job *p)
{
	const json_t *standing = json_object_get(p->body, "standing");
	const char *position = p->position;
	char text[QV_POSITION_TEXT] = "";
	enum qv_status status = qv_rules_parse(p->context, p->game, &p->made.rules, &p->error);
	if (status == QV_OK && p->seat >= p->made.rules.game->seats)
		status = qv_fail(&p->error, QV_BAD_INPUT, "seat: must be from 1 to %d",
				 p->made.rules.game->seats);
	if (status == QV_OK && standing) {
		status = standing_text(p, standing, text);
		position = text;
	}
	return status == QV_OK ? qv_record_new(p->context, &p->made.rules, position,
					       &p->made.record, &p->error)
			       : status;
}

static int play_moves(struct position_job *p)
{
	const json_t *moves = json_object_get(p->body, "moves");
	const struct qv_game *game = p->made.rules.game;
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const char *text = json_string_value(json_array_get(moves, i));
		struct qv_error why = { "" };
		qv_move move;
		if (!text)
			return status_of(qv_fail(&p->error, QV_BAD_INPUT,
						 "moves: must be a list of strings"), 400);
		enum qv_status status = qv_move_parse(game, qv_record_state(p->made.record), text,
						      &move, &why);
		if (status == QV_OK)
			status = qv_record_play(p->made.record, move, -1, &why);
		if (status != QV_OK)
			return status_of(qv_fail(&p->error, status, "moves, number %zu: %s", i + 1,
						 why.text), 409);
	}
	return 200;
}

static void position_job_run(struct worker_task *task, void *arg)
{
	struct position_job *p = arg;
	(void)task;
	p->status = status_of(open_record(p), 400);
	if (p->status == 200)
		p->status = play_moves(p);
	if (p->status == 200 && json_is_true(json_object_get(p->body, "course")))
		p->made.move_list = move_list_json(p->context, p->made.record);
}

/* ---- By a worker ---- */

static void position_job_done(struct api *api, struct call *call, const char *text, bool last)
{
	struct position_job *p = call->job_arg;
	const uint64_t number = call->number;
	(void)text;
	(void)last;                /* the job reports no progress */
	if (p->status == 200) {
		api->position = &p->made;
		call_resume(api, call);
		api->position = NULL;
	} else {
		call_free(api, call);
		reply_error(api, number, p->status, "%s", p->error.text);
	}
}

static void hand_to_worker(struct api *api, const struct api_request *r,
			   const struct position_job *p)
{
	char client[WORKER_CLIENT];
	struct call *call = call_park(api, r, CALL_JOB);
	struct position_job *copy = call ? malloc(sizeof *copy) : NULL;
	if (!copy) {
		json_decref(p->body);
		if (call) {
			call_free(api, call);
			reply_error(api, r->call, 503, "server: out of memory");
		}
		return;
	}
	*copy = *p;
	call->job_done = position_job_done;
	snprintf(client, sizeof client, "position %s", r->visitor->address);
	const struct worker_job job = { .client = client,
					.group = r->visitor->address,
					.urgent = true,
					.most = JOBS_MOST,
					.limit_ms = JOB_MS,
					.run = position_job_run,
					.release = position_job_free,
					.arg = copy };
	call_submit(api, call, &job);
}

/* ---- For a request ---- */

/* False: an error was sent. */
static bool read_body(struct api *api, const struct api_request *r, struct position_job *p)
{
	const json_t *moves = json_object_get(r->body, "moves");
	json_int_t seat;
	if (!body_text(api, r, "game", &p->game) || !body_text(api, r, "position", &p->position) ||
	    !body_integer(api, r, "seat", 1, QV_MAX_SEATS, 1, &seat))
		return false;
	p->seat = (int)seat - 1;
	if (!p->game)
		reply_error(api, r->call, 400, "game: missing");
	else if (moves && !json_is_null(moves) && !json_is_array(moves))
		reply_error(api, r->call, 400, "moves: must be a list of strings");
	else if (json_array_size(moves) > MOVES_MOST)
		reply_error(api, r->call, 400, "moves: at most %d are allowed", MOVES_MOST);
	else
		return api_costs(api, r, json_array_size(moves) / LONG_LINES);
	return false;
}

bool request_position_open(struct api *api, const struct api_request *r,
			   struct request_position *out)
{
	struct position_job p = { .context = api->setup.context };
	*out = (struct request_position){ 0 };
	if (api->position) {
		*out = *api->position;
		*api->position = (struct request_position){ 0 };
		return true;
	}
	if (!read_body(api, r, &p))
		return false;
	p.body = json_incref(r->body);
	if (json_array_size(json_object_get(r->body, "moves")) > LONG_LINES) {
		hand_to_worker(api, r, &p);
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
