/*
 * record_jobs.c - jobs for worker_pool.h about a whole game: its review, and the luck of its rolls.
 * SPDX-License-Identifier: MIT
 */
#include "server/jobs/record_jobs.h"

#include <math.h>
#include <stdlib.h>

#include "base/flag.h"
#include "base/json.h"
#include "formats/review_json.h"
#include "record/luck.h"

struct record_job {
	const struct qv_context *context;
	struct qv_record *record;
	int last;
	const char *tables;
	struct worker_task *task;
	struct reviewer *reviewer; /* NULL: no review has begun */
	json_t *line;		   /* of the luck, so far */
};

struct record_job *record_job_new(const struct qv_context *context, struct qv_record *record,
				  int last, const char *tables)
{
	struct record_job *t = calloc(1, sizeof *t);
	if (t)
		*t = (struct record_job){
			.context = context, .record = record, .last = last, .tables = tables
		};
	else
		qv_record_free(record);
	return t;
}

void record_job_free(void *job)
{
	struct record_job *t = job;
	reviewer_free(t->reviewer);
	qv_record_free(t->record);
	free(t);
}

const struct qv_record *record_job_record(const void *job, int *last)
{
	const struct record_job *t = job;
	*last = t->last;
	return t->record;
}

/* ---- The review ---- */

/* ReviewMessage of types.ts; takes the review, which is NULL until the end. */
static char *message_text(int done, int of, json_t *review)
{
	return json_to_text(json_pack("{s:s, s:i, s:i, s:o}", "type", "review", "done", done, "of",
				      of, "review", review ? review : json_null()),
			    JSON_COMPACT | JSON_REAL_PRECISION(6));
}

static bool on_progress(void *ctx, int done, int of)
{
	struct record_job *t = ctx;
	worker_task_progress(t->task, message_text(done, of, NULL));
	return worker_task_watch(t->task, 0) && !worker_task_pause(t->task);
}

static enum qv_status begin_review(struct record_job *t, struct qv_error *error)
{
	const struct review_setup setup = { .context = t->context,
					    .last = t->last,
					    .tables = t->tables,
					    .progress = on_progress,
					    .ctx = t,
					    .stop = worker_task_stop(t->task) };
	return reviewer_new(&setup, t->record, &t->reviewer, error);
}

void record_job_review(struct worker_task *task, void *job)
{
	struct record_job *t = job;
	struct review review;
	struct qv_error error = { "" };
	t->task = task;
	enum qv_status status = t->reviewer ? QV_OK : begin_review(t, &error);
	if (status == QV_OK)
		status = reviewer_run(t->reviewer, &review, &error);
	if (status == QV_OK) {
		json_t *o = review_json(t->context, t->record, &review);
		worker_task_result(task, o ? message_text(review.count, review.count, o) : NULL);
		review_release(&review);
	} else if (status == QV_NO_MEMORY) {
		worker_task_result(task, NULL);
	} else if (status != QV_STOPPED) {
		char text[sizeof error.text + 8];
		snprintf(text, sizeof text, "!409%s", error.text);
		worker_task_result(task, strdup(text));
	} else if (flag_is_set(worker_task_stop(task))) {
		worker_task_result(task, strdup("!409review: the game has too many moves"));
	} /* else it pauses */
}

/* ---- The luck of the rolls and the losses of the moves ---- */

/* In thousandths, as in the games of the server. */
static json_t *points_json(double points)
{
	return json_real(round(points * 1000) / 1000);
}

static json_t *move_json(const struct qv_game *game, const void *state, qv_move move)
{
	char name[QV_MOVE_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	game->move_text(state, move, &text);
	return json_string(name);
}

static enum qv_status add_ply(void *ctx, const struct ply_luck *at)
{
	struct record_job *t = ctx;
	const struct qv_game *game = t->record->rules.game;
	json_t *o = json_field(json_object(), "move", move_json(game, at->before, at->move));
	o = json_field(o, "seat", json_integer(at->roll ? 0 : at->seat + 1));
	if (at->roll) {
		o = json_field(o, "luck", points_json(at->luck));
		o = json_field(o, "roller", json_integer(at->seat + 1));
	} else {
		o = json_field(o, "loss", points_json(at->review.loss));
		if (*qv_loss_name(at->review.loss))
			o = json_field(o, "best", move_json(game, at->before, at->review.best));
	}
	t->line = json_item(t->line, o);
	return flag_is_set(worker_task_stop(t->task)) ? QV_STOPPED : QV_OK;
}

/* As in a Play; takes the line. */
static json_t *line_luck_json(const struct line_luck *sums, int seat_count, json_t *line)
{
	json_t *seats = json_array();
	for (int seat = 0; seat < seat_count; seat++)
		seats = json_item(seats, points_json(sums->luck[seat]));
	json_t *o = json_field(json_object(), "seats", seats);
	o = json_field(o, "result", sums->has_result ? json_real(sums->result) : json_null());
	o = json_field(o, "skill",
		       sums->has_result ? points_json(sums->result - sums->net) : json_null());
	return json_field(o, "line", line);
}

void record_job_luck(struct worker_task *task, void *job)
{
	struct record_job *t = job;
	struct line_luck sums;
	t->task = task;
	t->line = json_array();
	if (record_luck(t->context, t->record, false, add_ply, t, &sums, NULL) == QV_OK) {
		json_t *o = line_luck_json(&sums, t->record->rules.game->seats, t->line);
		worker_task_result(task, json_to_text(o, JSON_COMPACT | JSON_REAL_PRECISION(6)));
	} else {
		json_decref(t->line);
		worker_task_result(task, strdup("!409luck: the game has too many moves"));
	}
}
