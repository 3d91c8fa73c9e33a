/*
 * journal.c - the journal of a record: lines of JSON that are added and never changed.
 * SPDX-License-Identifier: MIT
 *
 * The lines are composed by hand, so that the same game always gives the same bytes; jansson quotes
 * the texts in them. Memory for a line and for the result that may follow it is reserved before the
 * tree changes.
 */
#include "record/record.h"

#include <math.h>

#include "base/json.h"

/* Appends `before` and then the quoted text, unless *status is a failure already. */
static void add_quoted(struct string *line, const char *before, const char *text,
		       enum qv_status *status)
{
	string_addf(line, "%s", before);
	if (*status == QV_OK)
		*status = json_add_quoted(line, text);
}

/* Ends the line, and returns its status. */
static enum qv_status line_done(struct string *line, enum qv_status status)
{
	string_add(line, "}\n", 2);
	return status == QV_OK && line->failed ? QV_NO_MEMORY : status;
}

enum qv_status line_header(struct string *line, const struct qv_rules *rules, const char *position,
			   const char *const *seats, int seat_count, const struct record_tag *tags,
			   int tag_count)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	enum qv_status status = QV_OK;
	qv_rules_text(rules, &text);
	if (text.length >= text.size)
		return QV_BAD_INPUT;
	add_quoted(line, "{\"quevedo\":1,\"game\":", name, &status);
	add_quoted(line, ",\"position\":", position, &status);
	string_addf(line, ",\"seats\":[");
	for (int i = 0; i < seat_count; i++)
		add_quoted(line, i ? "," : "", seats[i], &status);
	string_addf(line, "]");
	for (int i = 0; i < tag_count; i++) {
		add_quoted(line, i ? "," : ",\"tags\":{", tags[i].name, &status);
		add_quoted(line, ":", tags[i].value, &status);
	}
	if (tag_count)
		string_addf(line, "}");
	return line_done(line, status);
}

enum qv_status line_move(struct string *line, const struct qv_record *r, qv_move move,
			 double seconds)
{
	const struct qv_game *game = r->rules.game;
	char name[QV_MOVE_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	enum qv_status status = QV_OK;
	game->move_text(r->state, move, &text);
	if (text.length >= text.size)
		return QV_BAD_INPUT;
	add_quoted(line, "{\"move\":", name, &status);
	string_addf(line, ",\"seat\":%d", game->seat(r->state) + 1);
	if (seconds >= 0) {
		/* In microseconds, without trailing zeros: 12, 0.5, 0.000001. */
		const long long us = llround(seconds * 1e6);
		char digits[32];
		int length =
			snprintf(digits, sizeof digits, "%lld.%06lld", us / 1000000, us % 1000000);
		while (digits[length - 1] == '0')
			length--;
		length -= digits[length - 1] == '.';
		string_addf(line, ",\"time\":%.*s", length, digits);
	}
	return line_done(line, status);
}

enum qv_status line_note(struct string *line, const char *text)
{
	enum qv_status status = QV_OK;
	add_quoted(line, "{\"note\":", text, &status);
	return line_done(line, status);
}

/* Writes the start of a result line, without the closing brace. */
static void put_result(struct qv_text *out, int winner)
{
	qv_put(out, "{\"result\":\"");
	qv_put(out, winner >= 0 ? "win " : winner == QV_UNDECIDED ? "none" : "draw");
	if (winner >= 0)
		qv_put_int(out, winner + 1);
	qv_put_char(out, '"');
}

enum qv_status line_result(struct string *line, int winner, const char *reason)
{
	char head[LINE_ROOM];
	struct qv_text text = { head, sizeof head, 0 };
	put_result(&text, winner);
	string_addf(line, "%s", head);
	enum qv_status status = QV_OK;
	if (reason)
		add_quoted(line, ",\"reason\":", reason, &status);
	return line_done(line, status);
}

enum qv_status journal_reserve(struct qv_record *r, size_t bytes)
{
	struct string *j = &r->journal;
	/* At most two lines are added: the event, and a result that follows from it. */
	if (bytes > RECORD_MAX_BYTES - j->length || r->lines > RECORD_MAX_LINES - 2)
		return QV_BAD_INPUT;
	if (j->length + bytes < j->capacity)
		return QV_OK;
	const size_t capacity = (j->length + bytes + 1) * 2;
	char *data = mem_resize(r->allocator, j->data, j->capacity, capacity);
	if (!data)
		return QV_NO_MEMORY;
	j->data = data;
	j->capacity = capacity;
	return QV_OK;
}

void journal_add(struct qv_record *r, const char *line)
{
	string_add(&r->journal, line, strlen(line));
	r->lines++;
}

const char *journal_result_line(const struct qv_record *r, char *buffer)
{
	if (r->ended)
		return tree_cursor(r)->end;
	struct qv_text text = { buffer, LINE_ROOM, 0 };
	put_result(&text, qv_record_winner(r));
	qv_put(&text, "}\n");
	return buffer;
}

void journal_add_result(struct qv_record *r)
{
	char buffer[LINE_ROOM];
	if (r->outcome != QV_GOING)
		journal_add(r, journal_result_line(r, buffer));
}
