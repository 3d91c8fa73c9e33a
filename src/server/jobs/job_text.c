/*
 * job_text.c - writes jobs as texts, and reads them.
 * SPDX-License-Identifier: MIT
 *
 * What is read may come from a damaged database, so it is checked like the request of a visitor.
 */
#include "server/jobs/job_text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"
#include "record/record.h"
#include "server/api/allowed_specs.h"
#include "server/jobs/file_jobs.h"
#include "server/jobs/record_jobs.h"

enum {
	PLIES_MOST = 1000, /* of a review: it is written on the event loop, and replayed */
	HASH_MOST = 4096,  /* MB */
	LINES_MOST = 8,
	DEPTH_MOST = 4,
	DIGITS = 16, /* of a hash of the history */
};

/* To add a kind of job: name it here, and say in job_suits what it needs. */
static const struct kind {
	struct job_kind about;
	void (*run)(struct worker_task *task, void *job);
	bool of_record; /* of record_jobs.h */
} kinds[] = {
	{ { "move", true, false }, search_job_move, false },
	{ { "lines", true, false }, search_job_lines, false },
	{ { "values", false, false }, search_job_values, false },
	{ { "evaluation", false, false }, search_job_evaluation, false },
	{ { "explanation", false, false }, search_job_explanation, false },
	{ { "review", true, false }, record_job_review, true },
	{ { "luck", false, false }, record_job_luck, true },
	{ { "files", false, true }, file_job_run, false },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct kind *kind_of(const struct worker_job *job)
{
	for (int i = 0; i < KINDS; i++)
		if (kinds[i].run == job->run)
			return &kinds[i];
	return NULL;
}

bool job_text_can(const struct worker_job *job)
{
	const struct kind *kind = kind_of(job);
	return kind && !kind->about.is_file;
}

const struct job_kind *job_text_kind(const struct worker_job *job)
{
	const struct kind *kind = kind_of(job);
	return kind ? &kind->about : NULL;
}

/* ---- Writing ---- */

static json_t *rules_json(const struct qv_rules *rules)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	qv_rules_text(rules, &out);
	return json_string(text);
}

static json_t *position_json(const struct qv_game *game, const void *state)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	game->position_text(state, &out);
	return out.length < sizeof text ? json_string(text) : NULL;
}

/* All hashes in one text of hexadecimal digits. */
static json_t *history_json(const uint64_t *history, int count)
{
	struct string out = { .allocator = &mem_malloc };
	for (int i = 0; i < count; i++)
		string_addf(&out, "%016" PRIx64, history[i]);
	json_t *json = out.failed ? NULL : json_stringn(count ? out.data : "", out.length);
	string_release(&out);
	return json;
}

static json_t *search_json(const void *arg)
{
	const struct search_job_setup s = search_job_setup(arg);
	return json_pack("{s:o, s:o, s:o, s:s*, s:I, s:i, s:i, s:I, s:I, s:I, s:s*, s:b, s:b}",
			 "game", rules_json(&s.rules), "position",
			 position_json(s.rules.game, s.state), "history",
			 history_json(s.history, s.history_count), "player", s.spec, "seed",
			 (json_int_t)s.seed, "hash", s.hash_mb, "lines", s.lines, "time",
			 (json_int_t)s.time_ms, "aim", (json_int_t)s.aim_ms, "turn",
			 (json_int_t)s.turn, "memory", s.memory, "hint", (int)s.hint, "no_book",
			 (int)s.no_book);
}

/* The moves from the start to the cursor, and the start. */
static json_t *line_json(const struct qv_record *record, void *state)
{
	const struct qv_game *game = qv_record_rules(record)->game;
	json_t *moves = json_array();
	tree_state_at(record, 0, state);
	json_t *start = position_json(game, state);
	for (int i = 0; i < qv_record_ply(record); i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		game->move_text(state, qv_record_move(record, i), &out);
		moves = json_item(moves, json_string(text));
		game->play(state, qv_record_move(record, i));
	}
	return json_pack("{s:o, s:o, s:o}", "game", rules_json(qv_record_rules(record)), "position",
			 start, "moves", moves);
}

static json_t *record_json(const void *arg)
{
	int last;
	const struct qv_record *record = record_job_record(arg, &last);
	if (qv_record_ply(record) > PLIES_MOST)
		return NULL;
	void *state = malloc(qv_record_rules(record)->game->state_size);
	json_t *json = state ? line_json(record, state) : NULL;
	free(state);
	return json_field(json, "last", json_integer(last));
}

bool job_text_write(const struct worker_job *job, struct string *out)
{
	const struct kind *kind = kind_of(job);
	if (!kind)
		return false;
	json_t *json = kind->of_record       ? record_json(job->arg)
		       : kind->about.is_file ? file_job_json(job->arg)
					     : search_json(job->arg);
	char *text = json_to_text(json_field(json, "job", json_string(kind->about.name)), JSON_COMPACT);
	const size_t size = text ? strlen(text) : 0;
	const bool ok = size && size <= (kind->about.is_file ? JOB_FILES_TEXT : JOB_TEXT);
	if (ok)
		string_add(out, text, size);
	free(text);
	return ok && !out->failed;
}

/* ---- Reading ---- */

/* NULL: there is no such text. */
static const char *optional_text(struct json_reader *r, const char *key)
{
	return json_has(r, key) ? json_read_text(r, key) : NULL;
}

static enum qv_status refuse(struct qv_error *error, const char *what, const char *why)
{
	return qv_fail(error, QV_BAD_INPUT, "%s: %s", what, why);
}

/* Reads the digits in place of `out`, whose room is enough. */
static bool read_history(const char *digits, size_t count, uint64_t *out)
{
	for (size_t i = 0; i < count; i++) {
		char one[DIGITS + 1];
		memcpy(one, digits + i * DIGITS, DIGITS);
		one[DIGITS] = '\0';
		if (strspn(one, "0123456789abcdef") != DIGITS)
			return false;
		out[i] = strtoull(one, NULL, 16);
	}
	return true;
}

/* Is it a job that can be done in this position? As the routes of the server check it. */
static enum qv_status job_suits(const struct kind *kind, const struct qv_rules *rules,
				const void *state, struct qv_error *error)
{
	const struct qv_game *game = rules->game;
	int32_t points[QV_MAX_SEATS];
	const bool solves = kind->run == search_job_values;
	const bool evaluates = kind->run == search_job_evaluation;
	const bool explains = kind->run == search_job_explanation;
	if (game->result(state, points) != QV_GOING || game->seat(state) == QV_CHANCE)
		return refuse(error, "position", "no player is to move");
	if ((solves && (game->seats != 2 || game->chance)) ||
	    (evaluates && (!game->evaluations || !game->evaluations->name)) ||
	    (explains && !context_engine(game)->explain))
		return refuse(error, kind->about.name, "not possible in this game");
	return QV_OK;
}

/* A job for this state and history, which it copies. */
static enum qv_status make_search(const struct job_tools *tools, const struct kind *kind,
				  struct json_reader *r, struct search_job_setup *s, void **out)
{
	s->context = tools->context;
	s->tables = tools->tables;
	s->prober = tools->prober;
	s->table_lookup = tools->table_lookup;
	s->spec = optional_text(r, "player");
	s->memory = optional_text(r, "memory");
	s->seed = (uint64_t)json_read_int(r, "seed", INT64_MIN, INT64_MAX);
	s->hash_mb = (int)json_read_int(r, "hash", 1, HASH_MOST);
	s->lines = (int)json_read_int(r, "lines", 0, LINES_MOST);
	s->time_ms = json_read_int(r, "time", 0, JOB_LIMIT_MS);
	s->aim_ms = json_read_int(r, "aim", 0, JOB_LIMIT_MS);
	s->turn = (uint64_t)json_read_int(r, "turn", INT64_MIN, INT64_MAX);
	s->hint = json_read_bool(r, "hint");
	s->no_book = json_read_bool(r, "no_book");
	if (r->status == QV_OK && kind->run == search_job_lines && (!s->lines || !s->time_ms))
		json_expected(r, "lines", "1 or more, and a time");
	if (r->status == QV_OK)
		r->status = job_suits(kind, &s->rules, s->state, r->error);
	if (r->status == QV_OK && s->spec && !tools->checked)
		r->status = specs_check(tools->context, tools->table_lookup, &s->rules, s->spec,
					r->error);
	if (r->status != QV_OK)
		return r->status;
	*out = search_job_new(s);
	return *out ? QV_OK : qv_fail(r->error, QV_NO_MEMORY, "job: out of memory");
}

static enum qv_status read_search(const struct job_tools *tools, const struct kind *kind,
				  struct json_reader *r, const struct qv_rules *rules, void **out)
{
	const char *position = json_read_text(r, "position");
	const char *digits = json_read_text(r, "history");
	if (r->status != QV_OK)
		return r->status;
	const size_t count = strlen(digits) / DIGITS;
	void *state = qv_state_new(tools->context, rules->game);
	uint64_t *history = malloc((count + 1) * sizeof *history);
	struct search_job_setup setup = {
		.rules = *rules, .state = state, .history = history, .history_count = (int)count
	};
	enum qv_status status = state && history ? QV_OK : QV_NO_MEMORY;
	if (status != QV_OK)
		qv_fail(r->error, status, "job: out of memory");
	else if (strlen(digits) % DIGITS || !read_history(digits, count, history))
		status = refuse(r->error, "history", "hexadecimal digits are expected");
	else
		status = qv_position_parse(rules, position, state, r->error);
	if (status == QV_OK)
		status = make_search(tools, kind, r, &setup, out);
	free(history);
	qv_state_free(tools->context, rules->game, state);
	return status;
}

/* Plays the moves from the start of the record. */
static enum qv_status play_moves(struct qv_record *record, const json_t *moves,
				 struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (size_t i = 0; status == QV_OK && i < json_array_size(moves); i++) {
		const char *text = json_plain_text(json_array_get(moves, i));
		qv_move move;
		if (!text)
			return refuse(error, "moves", "texts are expected");
		status = qv_move_parse(qv_record_rules(record)->game, qv_record_state(record), text,
				       &move, error);
		if (status == QV_OK)
			status = qv_record_play(record, move, -1, error);
	}
	return status;
}

static enum qv_status read_record(const struct job_tools *tools, const struct kind *kind,
				  struct json_reader *r, const struct qv_rules *rules, void **out)
{
	const char *position = json_read_text(r, "position");
	const json_t *moves = json_read_list(r, "moves", PLIES_MOST);
	const int last = (int)json_read_int(r, "last", 0, INT_MAX);
	struct qv_record *record = NULL;
	if (r->status != QV_OK)
		return r->status;
	if (kind->run == record_job_luck && !rules->game->chance)
		return refuse(r->error, kind->about.name, "not possible in this game");
	enum qv_status status =
		qv_record_new(tools->context, rules, position, &record, r->error);
	if (status == QV_OK)
		status = play_moves(record, moves, r->error);
	if (status != QV_OK) {
		qv_record_free(record);
		return status;
	}
	*out = record_job_new(tools->context, record, last,
			      kind->run == record_job_review ? tools->tables : NULL);
	return *out ? QV_OK : qv_fail(r->error, QV_NO_MEMORY, "job: out of memory");
}

static enum qv_status read_object(const struct job_tools *tools, const json_t *object,
				  struct worker_job *out, struct qv_error *error)
{
	struct json_reader r = { object, QV_OK, error };
	const char *name = json_read_text(&r, "job");
	const struct kind *kind = NULL;
	struct qv_rules rules;
	if (r.status != QV_OK)
		return r.status;
	for (int i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].about.name, name) == 0)
			kind = &kinds[i];
	if (!kind || (kind->about.is_file && !tools->checked))
		return refuse(error, "job", "no such kind");
	out->run = kind->run;
	if (kind->about.is_file) {
		out->release = file_job_free;
		return file_job_read(tools->context, &r, &out->arg);
	}
	const char *game = json_read_text(&r, "game");
	if (r.status != QV_OK)
		return r.status;
	const enum qv_status status = qv_rules_parse(tools->context, game, &rules, error);
	if (status != QV_OK)
		return status;
	out->release = kind->of_record ? record_job_free : search_job_free;
	return (kind->of_record ? read_record : read_search)(tools, kind, &r, &rules,
								   &out->arg);
}

enum qv_status job_text_read(const struct job_tools *tools, const char *text, size_t size,
			     struct worker_job *out, struct qv_error *error)
{
	json_t *object = NULL;
	if (size > (tools->checked ? JOB_FILES_TEXT : JOB_TEXT))
		return refuse(error, "job", "too long");
	enum qv_status status = json_load_object(text, size, DEPTH_MOST, &object, error);
	if (status == QV_OK)
		status = read_object(tools, object, out, error);
	json_decref(object);
	return status;
}

bool job_text_run(const struct job_tools *tools, const char *text, struct worker_task *task)
{
	struct worker_job job = { 0 };
	struct qv_error error = { "" };
	const bool good = job_text_read(tools, text, strlen(text), &job, &error) == QV_OK;
	if (good) {
		job.run(task, job.arg);
		job.release(job.arg);
	} else {
		worker_task_result(task, strdup(error.text));
	}
	return good;
}
