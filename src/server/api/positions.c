/*
 * positions.c - positions that requests name: a game, a position of it, moves from there.
 * SPDX-License-Identifier: MIT
 *
 * Many moves are played by a worker; the request then runs again and finds its place made.
 */
#include <stdlib.h>

#include "server/api/move_list.h"
#include "server/api/inside.h"
#include "formats/board_json.h"

enum {
	MOVES_MOST = 4000,
	PLACES_MOST = 16,          /* that may wait for a worker, of one address */
	PLACE_MS = 10000,          /* never reached: the number of moves bounds the work */
};

/* A place to be made: a worker's argument. */
struct position_job {
	const struct qv_context *context;
	json_t *body;              /* texts point into it */
	const char *game, *position;
	int seat;                  /* to move, where the pieces are given */
	struct opened_position place;        /* what came of it */
	int status;                /* 200, or as the error is to be answered */
	struct qv_error error;
};

void position_release(struct opened_position *place)
{
	qv_record_free(place->record);
	json_decref(place->course);
	*place = (struct opened_position){ 0 };
}

static void position_job_release(struct position_job *p)
{
	position_release(&p->place);
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

/* A position by its pieces becomes its text, as if that had been given. */
static enum qv_status standing_text(struct position_job *p, const json_t *standing,
				    char out[QV_POSITION_TEXT])
{
	const struct qv_rules *rules = &p->place.rules;
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
	enum qv_status status = qv_rules_parse(p->context, p->game, &p->place.rules, &p->error);
	if (status == QV_OK && p->seat >= p->place.rules.game->seats)
		status = qv_fail(&p->error, QV_BAD_INPUT, "seat: from 1 to %d is expected",
				 p->place.rules.game->seats);
	if (status == QV_OK && standing) {
		status = standing_text(p, standing, text);
		position = text;
	}
	return status == QV_OK ? qv_record_new(p->context, &p->place.rules, position,
					       &p->place.record, &p->error)
			       : status;
}

static int play_moves(struct position_job *p)
{
	const json_t *moves = json_object_get(p->body, "moves");
	const struct qv_game *game = p->place.rules.game;
	for (size_t i = 0; i < json_array_size(moves); i++) {
		const char *text = json_string_value(json_array_get(moves, i));
		struct qv_error why = { "" };
		qv_move move;
		if (!text)
			return status_of(qv_fail(&p->error, QV_BAD_INPUT,
						 "moves: a list of texts is expected"), 400);
		enum qv_status status = qv_move_parse(game, qv_record_state(p->place.record), text,
						      &move, &why);
		if (status == QV_OK)
			status = qv_record_play(p->place.record, move, -1, &why);
		if (status != QV_OK)
			return status_of(qv_fail(&p->error, status, "move %zu of those given: %s",
						 i + 1, why.text), 409);
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
		p->place.course = move_list_json(p->context, p->place.record);
}

/* ---- By a worker ---- */

static void position_job_done(struct api *api, struct call *call, const char *text, bool last)
{
	struct position_job *p = call->job_arg;
	const uint64_t number = call->number;
	(void)text;
	(void)last;                /* nothing is said before the end */
	if (p->status == 200) {
		api->place = &p->place;
		call_resume(api, call);
		api->place = NULL;
	} else {
		call_free(api, call);
		reply_error(api, number, p->status, "%s", p->error.text);
	}
}

static void hand_to_worker(struct api *api, const struct api_request *r, const struct position_job *p)
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
	snprintf(client, sizeof client, "place %s", r->visitor->address);
	const struct worker_job job = { .client = client, .group = r->visitor->address,
				       .urgent = true, .most = PLACES_MOST, .limit_ms = PLACE_MS,
				       .run = position_job_run, .release = position_job_free, .arg = copy };
	call_submit(api, call, &job);
}

/* ---- For a request ---- */

/* False: answered. */
static bool read_body(struct api *api, const struct api_request *r, struct position_job *p)
{
	const json_t *moves = json_object_get(r->body, "moves");
	json_int_t seat;
	if (!body_text(api, r, "game", &p->game) || !body_text(api, r, "position", &p->position) ||
	    !body_integer(api, r, "seat", 1, QV_MAX_SEATS, 1, &seat))
		return false;
	p->seat = (int)seat - 1;
	if (!p->game)
		reply_error(api, r->call, 400, "game: which one?");
	else if (moves && !json_is_null(moves) && !json_is_array(moves))
		reply_error(api, r->call, 400, "moves: a list of texts is expected");
	else if (json_array_size(moves) > MOVES_MOST)
		reply_error(api, r->call, 400, "moves: at most %d", MOVES_MOST);
	else
		return api_costs(api, r, json_array_size(moves) / LONG_LINES);
	return false;
}

bool position_open(struct api *api, const struct api_request *r, struct opened_position *out)
{
	struct position_job p = { .context = api->setup.context };
	*out = (struct opened_position){ 0 };
	if (api->place) {
		*out = *api->place;
		*api->place = (struct opened_position){ 0 };
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
		*out = p.place;
		p.place = (struct opened_position){ 0 };
	} else {
		reply_error(api, r->call, p.status, "%s", p.error.text);
	}
	position_job_release(&p);
	return p.status == 200;
}
