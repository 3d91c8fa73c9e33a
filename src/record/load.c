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

static enum qv_status check_seat(const struct qv_record *r, const json_t *event,
				 struct qv_error *error)
{
	if (!json_object_get(event, "seat"))
		return QV_OK;
	const int turn = r->rules.game->seat(r->state) + 1;
	struct json_reader in = { event, QV_OK, error };
	const int64_t seat = json_read_int(&in, "seat", 0, r->rules.game->seats);
	if (in.status == QV_OK && seat != turn)
		return qv_fail(error, QV_ILLEGAL, "seat: it is seat %d's turn, not seat %d's", turn,
			       (int)seat);
	return in.status;
}

static enum qv_status get_seconds(const json_t *event, double *seconds, struct qv_error *error)
{
	const json_t *time = json_object_get(event, "time");
	*seconds = time ? json_number_value(time) : -1;
	if (time && (!json_is_number(time) || !(*seconds >= 0 && *seconds <= RECORD_MAX_SECONDS)))
		return qv_fail(error, QV_BAD_INPUT, "time: expected seconds from 0 to %d",
			       RECORD_MAX_SECONDS);
	return QV_OK;
}

static enum qv_status load_move(struct qv_record *r, json_t *event, struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "move");
	double seconds = -1;
	qv_move move = QV_NO_MOVE;
	enum qv_status status = in.status;
	if (status == QV_OK)
		status = get_seconds(event, &seconds, error);
	if (status == QV_OK && r->outcome != QV_GOING)  /* lets qv_record_play report the error */
		return qv_record_play(r, move, seconds, error);
	if (status == QV_OK)
		status = check_seat(r, event, error);
	if (status == QV_OK)
		status = qv_move_parse(r->rules.game, r->state, text, &move, error);
	return status == QV_OK ? qv_record_play(r, move, seconds, error) : status;
}

typedef enum qv_status walk_fn(struct qv_record *r, int plies, int *done);

/* A journal records what was done, so an undo or redo that goes beyond the moves is an error. */
static enum qv_status load_walk(struct qv_record *r, json_t *event, const char *name, walk_fn *walk,
				struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const int plies = (int)json_read_int(&in, name, 0, RECORD_MAX_LINES);
	if (in.status != QV_OK)
		return in.status;
	const int lines = r->lines;
	int done = 0;
	const enum qv_status status = walk(r, plies, &done);
	if (status == QV_OK && done != plies)
		return qv_fail(error, QV_ILLEGAL, "%s: cannot %s %d plies, only %d", name,
			       name, plies, done);
	if (status == QV_OK && r->lines == lines)
		return qv_fail(error, QV_ILLEGAL, "%s: nothing to %s", name, name);
	return status;
}

static enum qv_status load_undo(struct qv_record *r, json_t *event, struct qv_error *error)
{
	return load_walk(r, event, "undo", qv_record_undo, error);
}

static enum qv_status load_redo(struct qv_record *r, json_t *event, struct qv_error *error)
{
	return load_walk(r, event, "redo", qv_record_redo, error);
}

static enum qv_status load_note(struct qv_record *r, json_t *event, struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "note");
	return in.status == QV_OK ? qv_record_note(r, text) : in.status;
}

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

/* "draw", "none" or "win N". */
static enum qv_status get_winner(const struct qv_record *r, const json_t *event, int *winner,
				 struct qv_error *error)
{
	struct json_reader in = { event, QV_OK, error };
	const char *text = json_read_text(&in, "result");
	int64_t seat = 0;
	if (in.status != QV_OK)
		return in.status;
	const bool win = strncmp(text, "win ", 4) == 0 && text[4] >= '1' && text[4] <= '9' &&
			 text_to_int(text + 4, 1, r->rules.game->seats, &seat);
	const bool none = strcmp(text, "none") == 0;
	if (!win && !none && strcmp(text, "draw") != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "result: expected draw, none, or win and a seat from 1 to %d",
			       r->rules.game->seats);
	*winner = none ? QV_UNDECIDED : (int)seat - 1;
	return QV_OK;
}

/* The game has already ended, so the result must be the one that the journal has. */
static enum qv_status confirm_result(const struct qv_record *r, int winner, const char *reason,
				     struct qv_error *error)
{
	char buffer[LINE_ROOM];
	struct string line = { .allocator = r->allocator };
	enum qv_status status = line_result(&line, winner, reason);
	if (status == QV_OK && strcmp(line.data, journal_result_line(r, buffer)) != 0)
		status = qv_fail(error, QV_ILLEGAL,
				 "result: the game has already ended with another result");
	string_release(&line);
	return status;
}

static enum qv_status load_result(struct qv_record *r, json_t *event, struct qv_error *error)
{
	int winner = -1;
	struct json_reader in = { event, get_winner(r, event, &winner, error), error };
	const char *reason = json_has(&in, "reason") ? json_read_text(&in, "reason") : NULL;
	if (in.status != QV_OK)
		return in.status;
	if (r->outcome != QV_GOING)
		return confirm_result(r, winner, reason, error);
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
	{ "move", "move seat time", load_move },
	{ "undo", "undo", load_undo },
	{ "redo", "redo", load_redo },
	{ "note", "note", load_note },
	{ "clock", "clock", load_clock },
	{ "result", "result reason", load_result },
};

static enum qv_status load_event(struct qv_record *r, json_t *event, struct qv_error *error)
{
	const size_t count = sizeof events / sizeof events[0];
	size_t i = 0;
	while (i < count && !json_object_get(event, events[i].name))
		i++;
	if (i == count)
		return qv_fail(error, QV_UNKNOWN, "unknown event: expected move, undo, redo, note, "
			       "clock or result");
	const enum qv_status status = check_keys(event, events[i].keys, error);
	return status == QV_OK ? events[i].load(r, event, error) : status;
}

/* ---- The header ---- */

static enum qv_status get_seats(const json_t *header, int seats, const char **names, int *count,
				struct qv_error *error)
{
	const json_t *list = json_object_get(header, "seats");
	const size_t length = json_array_size(list);
	if (list && (!json_is_array(list) || (length && length != (size_t)seats)))
		return qv_fail(error, QV_BAD_INPUT,
			       "seats: expected an empty list or a list of %d texts", seats);
	for (size_t i = 0; i < length; i++) {
		names[i] = json_string_value(json_array_get(list, i));
		if (!names[i])
			return qv_fail(error, QV_BAD_INPUT, "seats: expected a list of texts");
	}
	*count = (int)length;
	return QV_OK;
}

static enum qv_status get_tags(json_t *header, struct record_tag *tags, int *count,
			       struct qv_error *error)
{
	json_t *list = json_object_get(header, "tags"), *value;
	const char *name;
	if (list && (!json_is_object(list) || json_object_size(list) > RECORD_MAX_TAGS))
		return qv_fail(error, QV_BAD_INPUT, "tags: expected an object of at most %d texts",
			       RECORD_MAX_TAGS);
	json_object_foreach(list, name, value) {
		if (!*name || !json_is_string(value))
			return qv_fail(error, QV_BAD_INPUT, "tags: expected texts with names");
		tags[(*count)++] = (struct record_tag){ name, json_string_value(value) };
	}
	return QV_OK;
}

static enum qv_status check_format(const json_t *header, struct qv_error *error)
{
	struct json_reader in = { header, QV_OK, error };
	const int64_t format = json_read_int(&in, "quevedo", 1, INT64_MAX);
	if (in.status == QV_OK && format != FORMAT)
		return qv_fail(
			error, QV_BAD_INPUT,
			"quevedo: format %lld is newer than %d, the newest this version reads",
			(long long)format, FORMAT);
	return in.status;
}

static enum qv_status load_header(const struct qv_context *context, json_t *header,
				  struct qv_record **out, struct qv_error *error)
{
	const char *seats[QV_MAX_SEATS];
	struct record_tag tags[RECORD_MAX_TAGS];
	int seat_count = 0, tag_count = 0;
	struct qv_rules rules;
	if (!json_object_get(header, "quevedo"))
		return qv_fail(error, QV_BAD_INPUT,
			       "expected a header {\"quevedo\":1,\"game\":...}");
	struct json_reader in = { header, check_format(header, error), error };
	if (in.status == QV_OK)
		in.status = check_keys(header, "quevedo game position seats tags", error);
	const char *game = json_read_text(&in, "game");
	const char *position = json_read_text(&in, "position");
	enum qv_status status = in.status;
	if (status == QV_OK)
		status = qv_rules_parse(context, game, &rules, error);
	if (status == QV_OK)
		status = get_seats(header, rules.game->seats, seats, &seat_count, error);
	if (status == QV_OK)
		status = get_tags(header, tags, &tag_count, error);
	if (status != QV_OK)
		return status;
	return record_new_tagged(context, &rules, position, seats, seat_count, tags, tag_count, out,
				 error);
}

/* ---- Lines ---- */

struct line {
	const char *data;
	size_t length;
	int number; /* from 1 */
	bool whole; /* a newline ends it */
};

/* Advances to the next line; false at the end. { .data = data } is before the first line. */
static bool next_line(struct line *line, const char *end)
{
	const char *start = line->data + line->length + line->whole;
	if (start == end)
		return false;
	const char *newline = memchr(start, '\n', (size_t)(end - start));
	*line = (struct line){ start, (size_t)((newline ? newline : end) - start), line->number + 1,
			       newline };
	return true;
}

/* Parses a line. For a last line that a crash cut short, it returns QV_OK and *out is NULL. */
static enum qv_status parse_line(const struct line *line, json_t **out, struct qv_error *error)
{
	const enum qv_status status =
		json_load_object(line->data, line->length, JSON_ANY_DEPTH, out, error);
	const bool is_cut = !line->whole && line->number > 1 && *line->data != '[';
	return status == QV_BAD_INPUT && is_cut ? QV_OK : status;
}

static enum qv_status load_line(const struct qv_context *context, const struct line *line,
				struct qv_record **record, struct qv_error *error)
{
	json_t *json;
	enum qv_status status = parse_line(line, &json, error);
	if (status != QV_OK || !json)
		return status;
	status = *record ? load_event(*record, json, error)
			 : load_header(context, json, record, error);
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

enum qv_status record_load_line(const struct qv_context *context, const char *text,
				struct qv_record **record, struct qv_error *error)
{
	const struct line line = { text, strlen(text), 1, true };
	struct qv_error why = { "" };
	const enum qv_status status = load_line(context, &line, record, &why);
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
	struct line line = { .data = data };
	enum qv_status status = QV_OK;
	struct qv_error why = { "" };
	while (status == QV_OK && next_line(&line, data + size)) {
		status = load_line(context, &line, &record, &why);
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
	return qv_fail(error, status, "line %d: %s", line.number, why.text);
}

enum qv_status qv_record_load(const struct qv_context *context, const char *data, size_t size,
			      struct qv_record **out, struct qv_error *error)
{
	return record_load_bounded(context, data, size, RECORD_MAX_REDONE, out, error);
}
