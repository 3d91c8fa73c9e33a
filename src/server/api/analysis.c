/*
 * analysis.c - routes that search a position: best lines, exact values, evaluation, explanations,
 * the luck of a game, its review.
 * SPDX-License-Identifier: MIT
 *
 * A worker does the search (server/jobs/search_jobs.h). An analysis is a stream with a message per
 * depth; the others have one response.
 */
#include <limits.h>

#include "core/context.h"
#include "server/api/allowed_specs.h"
#include "server/api/inside.h"
#include "server/jobs/record_jobs.h"

enum {
	LINES_MOST = 8,
	TIME_DEFAULT = 5000,
	TIME_MOST = 30000,
	VALUES_MS = 2000,
	EXPLAIN_MS = 2000,
	EVALUATION_MS = 2000, /* never reached: the board bounds the work */
	LUCK_MS = 10000,
	REVIEW_MS = 60000,
	GRACE_MS = 500, /* after its time is up, before its stop flag is set */
};

/* Is a player to move? False: an error was sent. */
static bool can_search(struct api *api, const struct api_request *r,
		       const struct request_position *position)
{
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(position->record, points) != QV_GOING)
		reply_error(api, r->call, 409, "position: the game is over");
	else if (position->rules.game->seat(qv_record_state(position->record)) == QV_CHANCE)
		reply_error(api, r->call, 409,
			    "position: a dice roll is next, not a player's move");
	else
		return true;
	return false;
}

/*
 * Is the spec, if there is one, valid and allowed? False: an error was sent, or a worker looks and the
 * request runs again.
 */
static bool may_play(struct api *api, const struct api_request *r,
		     struct request_position *position, const char *spec)
{
	struct qv_error error;
	if (spec && !player_is_known(api, r, &position->rules, spec, position))
		return false;
	if (!spec || specs_check(api->setup.context, api->table_lookup, &position->rules, spec,
				 &error) == QV_OK)
		return true;
	reply_error(api, r->call, 400, "%s", error.text);
	return false;
}

/* Submits a job with its arg, run and release; its texts go to `done`. */
static void submit_job(struct api *api, const struct api_request *r, struct worker_job *job,
		       call_done_fn *done)
{
	const struct visitor *v = r->visitor;
	if (!job->arg) {
		reply_no_memory(api, r->call);
		return;
	}
	job->group = v->address;
	job->most = QUEUE_CLIENT;
	/* The client is the user, or the address of a visitor without a cookie. */
	call_submit(api, call_new(api, r->call, v->user, CALL_JOB), done, "search",
		    v->fresh ? v->address : v->user, job);
}

/* Makes the search job and submits it. */
static void submit(struct api *api, const struct api_request *r, struct search_job_setup *setup,
		   const struct request_position *position, struct worker_job *job,
		   call_done_fn *done)
{
	setup->context = api->setup.context;
	setup->rules = position->rules;
	setup->state = qv_record_state(position->record);
	setup->history = qv_record_history(position->record, &setup->history_count);
	setup->hash_mb = api->setup.hash_mb;
	setup->tables = api->setup.tables;
	setup->prober = api->setup.prober;
	setup->table_lookup = api->table_lookup;
	setup->seed = 1;
	job->arg = search_job_new(setup);
	job->release = search_job_free;
	submit_job(api, r, job, done);
}

/* ---- Analysis ---- */

/* Progress and the result are messages of a stream; an error ends one that has begun. */
static void analysis_text(struct api *api, struct call *call, const char *text)
{
	const bool begun = call->begun, last = !call->job_number;
	const bool failed = !text || *text == '!';
	const struct outgoing out = {
		.call = call->number, .status = 200, .stream = true, .end = last
	};
	call->begun = true;
	if (last)
		call_free(api, call);
	if (!failed || begun)
		reply_text(api, &out, failed ? "" : text);
	else
		reply_result(api, out.call, text);
}

/* POST /api/v1/analysis: a stream of the best lines, deeper and deeper. */
void post_analysis(struct api *api, const struct api_request *r)
{
	struct request_position position;
	json_int_t lines, time;
	struct search_job_setup setup = { 0 };
	if (!body_keys(api, r, "game position moves lines time player book") ||
	    !body_text(api, r, "player", &setup.spec) ||
	    !body_boolean(api, r, "book", &setup.hint) ||
	    !body_integer(api, r, "lines", 1, LINES_MOST, 1, &lines) ||
	    !body_integer(api, r, "time", 1, TIME_MOST, TIME_DEFAULT, &time) ||
	    !request_position_open(api, r, &position))
		return;
	if (may_play(api, r, &position, setup.spec) && can_search(api, r, &position)) {
		struct worker_job job = { .limit_ms = time + GRACE_MS,
					  .yields = YIELD_ENDS,
					  .run = search_job_lines };
		setup.lines = (int)lines;
		setup.time_ms = time;
		submit(api, r, &setup, &position, &job, analysis_text);
	}
	request_position_release(&position);
}

/* ---- Values ---- */

/* POST /api/v1/values: win, draw or loss of each move, by tables or a short search. */
void post_values(struct api *api, const struct api_request *r)
{
	struct request_position position;
	if (!body_keys(api, r, "game position moves") || !request_position_open(api, r, &position))
		return;
	if (position.rules.game->seats != 2 || position.rules.game->chance) {
		reply_error(api, r->call, 409,
			    "values: only for games of two players without dice, not for %s",
			    position.rules.game->name);
	} else if (can_search(api, r, &position)) {
		struct worker_job job = { .limit_ms = VALUES_MS, .run = search_job_values };
		struct search_job_setup setup = { 0 };
		submit(api, r, &setup, &position, &job, call_reply);
	}
	request_position_release(&position);
}

/* ---- Evaluation ---- */

/* POST /api/v1/evaluation: the static evaluation, term by term, without a search. */
void post_evaluation(struct api *api, const struct api_request *r)
{
	struct request_position position;
	if (!body_keys(api, r, "game position moves") || !request_position_open(api, r, &position))
		return;
	const struct qv_evaluation *evaluation = position.rules.game->evaluations;
	if (!evaluation || !evaluation->name) {
		reply_error(api, r->call, 409, "evaluation: %s has none",
			    position.rules.game->name);
	} else if (can_search(api, r, &position)) {
		struct worker_job job = { .limit_ms = EVALUATION_MS, .run = search_job_evaluation };
		struct search_job_setup setup = { 0 };
		submit(api, r, &setup, &position, &job, call_reply);
	}
	request_position_release(&position);
}

/* ---- Luck ---- */

/* POST /api/v1/luck: the luck of each roll and the loss of each move, from the start on. */
void post_luck(struct api *api, const struct api_request *r)
{
	struct request_position position;
	if (!body_keys(api, r, "game position moves") || !request_position_open(api, r, &position))
		return;
	if (!position.rules.game->chance) {
		reply_error(api, r->call, 409, "luck: %s has no dice", position.rules.game->name);
	} else {
		struct worker_job job = {
			.limit_ms = LUCK_MS,
			.run = record_job_luck,
			.release = record_job_free,
			.arg = record_job_new(api->setup.context, position.record, 0, NULL),
		};
		position.record = NULL; /* it belongs to the job */
		submit_job(api, r, &job, call_reply);
	}
	request_position_release(&position);
}

/* ---- Review ---- */

/* POST /api/v1/review: a stream with the progress, and then the class of every move. */
void post_review(struct api *api, const struct api_request *r)
{
	struct request_position position;
	json_int_t last;
	if (!body_keys(api, r, "game position moves last") ||
	    !body_integer(api, r, "last", 0, INT_MAX, 0, &last) ||
	    !request_position_open(api, r, &position))
		return;
	struct worker_job job = {
		.limit_ms = REVIEW_MS,
		.yields = YIELD_PAUSES,
		.run = record_job_review,
		.release = record_job_free,
		.arg = record_job_new(api->setup.context, position.record, (int)last,
				      api->setup.tables),
	};
	position.record = NULL; /* it belongs to the job */
	submit_job(api, r, &job, analysis_text);
	request_position_release(&position);
}

/* ---- Explanations ---- */

/* POST /api/v1/explanations: why a player chooses its move, if its engine can say so. */
void post_explanation(struct api *api, const struct api_request *r)
{
	struct request_position position;
	struct search_job_setup setup = { 0 };
	if (!body_keys(api, r, "game position moves player") ||
	    !body_text(api, r, "player", &setup.spec) || !request_position_open(api, r, &position))
		return;
	const struct engine *engine = context_engine(position.rules.game);
	if (!engine->explain) {
		reply_error(api, r->call, 409, "explanation: no player of %s can explain its moves",
			    position.rules.game->name);
	} else if (may_play(api, r, &position, setup.spec) && can_search(api, r, &position)) {
		struct worker_job job = { .limit_ms = EXPLAIN_MS, .run = search_job_explanation };
		if (!setup.spec)
			setup.spec = engine->explainer;
		submit(api, r, &setup, &position, &job, call_reply);
	}
	request_position_release(&position);
}
