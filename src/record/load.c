/*
 * load.c - reads a journal into a record, line by line, through the functions that live games use.
 * SPDX-License-Identifier: MIT
 *
 * The input may be any bytes. Anything that is not exactly a journal is an error with a line
 * number, except for a last line that was cut short by a crash: it is ignored (docs/formats.md). So
 * a loaded record obeys the rules as a played one does, and saving it again gives the same lines.
 */
#include "record/record.h"

#include "base/json.h"

enum { FORMAT = 1 };

/* Fails if the object has a key that is not in the list of names, which are separated by blanks. */
static enum qv_status check_keys(const json_t *object, const char *names, struct qv_error *error)
{
	const char *key = json_unknown_key(object, names);
	return key ? qv_fail(error, QV_UNKNOWN, "%s: unknown key next to '%.*s'", key,
			     (int)strcspn(names, " "), names)
		   : QV_OK;
}

/* ---- Events ---- */

/* The seat is redundant, but a wrong one shows that the journal belongs to another game. */
static enum qv_status load_move(struct qv_record *r, json_t *event, struct qv_error *error)
{
	const struct qv_game *game = r->rules.game;
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "move");
	const json_t *time = json_object_get(event, "time");
	const double seconds = time ? json_number_value(time) : -1;
	qv_move move = QV_NO_MOVE;
	if (in.status != QV_OK)
		return in.status;
	if (time && (!json_is_number(time) || !(seconds >= 0 && seconds <= RECORD_MAX_SECONDS)))
		return qv_fail(error, QV_BAD_INPUT, "time: expected seconds from 0 to %d",
			       RECORD_MAX_SECONDS);
	if (r->outcome != QV_GOING) /* lets qv_record_play report the error */
		return qv_record_play(r, move, seconds, error);
	const int turn = game->seat(r->state) + 1;
	const int64_t seat =
		json_has(&in, "seat") ? json_read_int(&in, "seat", 0, game->seats) : turn;
	if (in.status != QV_OK)
		return in.status;
	if (seat != turn)
		return qv_fail(error, QV_ILLEGAL, "seat: it is seat %d's turn, not seat %d's", turn,
			       (int)seat);
	const enum qv_status status = qv_move_parse(game, r->state, text, &move, error);
	return status == QV_OK ? qv_record_play(r, move, seconds, error) : status;
}

/*
 * undo or redo. A journal records what was done, so one that goes beyond the moves is an error, and
 * so is one that does nothing.
 */
static enum qv_status load_walk(struct qv_record *r, json_t *event, struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *name = json_has(&in, "undo") ? "undo" : "redo";
	const int plies = (int)json_read_int(&in, name, 0, RECORD_MAX_LINES), lines = r->lines;
	int done = 0;
	if (in.status != QV_OK)
		return in.status;
	const enum qv_status status =
		(*name == 'u' ? qv_record_undo : qv_record_redo)(r, plies, &done);
	if (status == QV_OK && done != plies)
		return qv_fail(error, QV_ILLEGAL, "%s: cannot %s %d plies, only %d", name, name,
			       plies, done);
	if (status == QV_OK && r->lines == lines)
		return qv_fail(error, QV_ILLEGAL, "%s: nothing to %s", name, name);
	return status;
}

static enum qv_status load_note(struct qv_record *r, json_t *event, struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "note");
	return in.status == QV_OK ? qv_record_note(r, text) : in.status;
}

/* {"clock":{"seat":N,"ms":N}} */
static enum qv_status load_clock(struct qv_record *r, json_t *event, struct qv_error *error)
{
	const json_t *clock = json_object_get(event, "clock");
	if (!json_is_object(clock))
		return qv_fail(error, QV_BAD_INPUT,
			       "clock: expected an object with seat and ms");
	struct json_reader in = { clock, check_keys(clock, "seat ms", error), error };
	const int seat = (int)json_read_int(&in, "seat", 1, r->rules.game->seats) - 1;
	const int64_t ms = json_read_int(&in, "ms", 0, INT64_MAX);
	return in.status == QV_OK ? qv_record_clock(r, seat, ms) : in.status;
}

/* "draw", "none" or "win N". After the end of the game it must be the result that the game has. */
static enum qv_status load_result(struct qv_record *r, json_t *event, struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "result");
	int64_t seat = 0;
	const bool win = strncmp(text, "win ", 4) == 0 && text[4] >= '1' && text[4] <= '9' &&
			 text_to_int(text + 4, 1, r->rules.game->seats, &seat);
	const bool none = strcmp(text, "none") == 0;
	if (in.status == QV_OK && !win && !none && strcmp(text, "draw") != 0)
		in.status = qv_fail(error, QV_BAD_INPUT,
				    "result: expected draw, none, or win and a seat from 1 to %d",
				    r->rules.game->seats);
	const int winner = none ? QV_UNDECIDED : (int)seat - 1;
	const char *reason = json_has(&in, "reason") ? json_read_text(&in, "reason") : NULL;
	if (in.status != QV_OK)
		return in.status;
	if (r->outcome != QV_GOING) {
		char buffer[LINE_ROOM];
		struct string line = { .allocator = r->allocator };
		enum qv_status status = line_result(&line, winner, reason);
		if (status == QV_OK && strcmp(line.data, journal_result_line(r, buffer)) != 0)
			status = qv_fail(error, QV_ILLEGAL,
					 "result: the game has already ended with another result");
		string_release(&line);
		return status;
	}
	if (!reason)
		return qv_fail(error, QV_ILLEGAL,
			       "result: the rules do not end the game here, so a reason is needed");
	if (!*reason)
		return qv_fail(error, QV_BAD_INPUT, "reason: is empty");
	return qv_record_end(r, winner, reason);
}

static const struct event {
	const char *name;
	const char *keys; /* its name and further keys, separated by blanks */
	enum qv_status (*load)(struct qv_record *r, json_t *event, struct qv_error *error);
} events[] = {
	{ "move", "move seat time", load_move }, { "undo", "undo", load_walk },
	{ "redo", "redo", load_walk },		 { "note", "note", load_note },
	{ "clock", "clock", load_clock },	 { "result", "result reason", load_result },
};

/* ---- The header ---- */

/* Creates the record. The names of seats and tags point into the header. */
static enum qv_status load_header(const struct qv_context *context, json_t *header,
				  struct qv_record **out, struct qv_error *error)
{
	const char *seats[QV_MAX_SEATS];
	struct record_tag tags[RECORD_MAX_TAGS];
	int tag_count = 0;
	struct qv_rules rules;
	if (!json_object_get(header, "quevedo"))
		return qv_fail(error, QV_BAD_INPUT,
			       "expected a header {\"quevedo\":1,\"game\":...}");
	struct json_reader in = { header, QV_OK, error };
	const int64_t format = json_read_int(&in, "quevedo", 1, INT64_MAX);
	if (in.status == QV_OK && format != FORMAT)
		return qv_fail(
			error, QV_BAD_INPUT,
			"quevedo: format %lld is newer than %d, the newest this version reads",
			(long long)format, FORMAT);
	if (in.status == QV_OK)
		in.status = check_keys(header, "quevedo game position seats tags", error);
	const char *game = json_read_text(&in, "game");
	const char *position = json_read_text(&in, "position");
	if (in.status == QV_OK)
		in.status = qv_rules_parse(context, game, &rules, error);
	if (in.status != QV_OK)
		return in.status;
	const json_t *list = json_object_get(header, "seats");
	const size_t seat_count = json_array_size(list);
	if (list &&
	    (!json_is_array(list) || (seat_count && seat_count != (size_t)rules.game->seats)))
		return qv_fail(error, QV_BAD_INPUT,
			       "seats: expected an empty list or a list of %d texts",
			       rules.game->seats);
	for (size_t i = 0; i < seat_count; i++) {
		seats[i] = json_string_value(json_array_get(list, i));
		if (!seats[i])
			return qv_fail(error, QV_BAD_INPUT, "seats: expected a list of texts");
	}
	json_t *all = json_object_get(header, "tags"), *value;
	const char *name;
	if (all && (!json_is_object(all) || json_object_size(all) > RECORD_MAX_TAGS))
		return qv_fail(error, QV_BAD_INPUT, "tags: expected an object of at most %d texts",
			       RECORD_MAX_TAGS);
	json_object_foreach(all, name, value)
	{
		if (!*name || !json_is_string(value))
			return qv_fail(error, QV_BAD_INPUT, "tags: expected texts with names");
		tags[tag_count++] = (struct record_tag){ name, json_string_value(value) };
	}
	return record_new_tagged(context, &rules, position, seats, (int)seat_count, tags, tag_count,
				 out, error);
}

/* ---- Lines ---- */

/*
 * Loads a line: the header if *record is NULL, else an event. A last line that a crash cut short
 * (may_be_cut) is ignored if it is not JSON.
 */
static enum qv_status load_line(const struct qv_context *context, const char *data, size_t length,
				bool may_be_cut, struct qv_record **record, struct qv_error *error)
{
	const size_t count = sizeof events / sizeof events[0];
	json_t *json;
	enum qv_status status = json_load_object(data, length, JSON_ANY_DEPTH, &json, error);
	if (status == QV_BAD_INPUT && may_be_cut && *data != '[')
		return QV_OK;
	if (status != QV_OK)
		return status;
	size_t i = 0;
	while (i < count && !json_object_get(json, events[i].name))
		i++;
	struct qv_record *r = *record;
	if (!r)
		status = load_header(context, json, record, error);
	else if (i == count)
		status = qv_fail(error, QV_UNKNOWN,
				 "unknown event: expected move, undo, redo, note, clock or result");
	else
		status = check_keys(json, events[i].keys, error);
	if (r && status == QV_OK)
		status = events[i].load(r, json, error);
	json_decref(json);
	return status;
}

/* Supplies an error text if a function returned none. */
static void add_reason(enum qv_status status, struct qv_error *why)
{
	if (!why->text[0])
		qv_fail(why, status, "%s",
			status == QV_NO_MEMORY ? "out of memory" : "the record is too long");
}

/* A line from a live source is complete, so nothing is ignored. */
enum qv_status record_load_line(const struct qv_context *context, const char *text,
				struct qv_record **record, struct qv_error *error)
{
	struct qv_error why = { "" };
	const enum qv_status status = load_line(context, text, strlen(text), false, record, &why);
	if (status == QV_OK)
		return status;
	add_reason(status, &why);
	return qv_fail(error, status, "%s", why.text);
}

enum qv_status record_load_bounded(const struct qv_context *context, const char *data, size_t size,
				   int64_t most_redone, struct qv_record **out,
				   struct qv_error *error)
{
	if (size > RECORD_MAX_BYTES)
		return qv_fail(error, QV_BAD_INPUT, "record: longer than %d bytes",
			       RECORD_MAX_BYTES);
	if (!size)
		return qv_fail(error, QV_BAD_INPUT, "record: is empty");
	struct qv_record *record = NULL;
	enum qv_status status = QV_OK;
	struct qv_error why = { "" };
	int number = 0;
	const char *const stop = data + size;
	for (const char *at = data, *end; status == QV_OK && at < stop;
	     at = end < stop ? end + 1 : stop) {
		end = memchr(at, '\n', (size_t)(stop - at));
		const bool cut = !end && number > 0;
		number++;
		end = end ? end : stop;
		status = load_line(context, at, (size_t)(end - at), cut, &record, &why);
		if (status == QV_OK && record->redone > most_redone)
			status = qv_fail(&why, QV_BAD_INPUT, "redo: more than %lld plies in all",
					 (long long)most_redone);
	}
	if (status == QV_OK) {
		*out = record;
		return status;
	}
	qv_record_free(record);
	add_reason(status, &why);
	return qv_fail(error, status, "line %d: %s", number, why.text);
}

enum qv_status qv_record_load(const struct qv_context *context, const char *data, size_t size,
			      struct qv_record **out, struct qv_error *error)
{
	return record_load_bounded(context, data, size, RECORD_MAX_REDONE, out, error);
}
