/*
 * obf.c - reads lines of Othello Board Files.
 * SPDX-License-Identifier: MIT
 */
#include "formats/obf.h"

#include <stdio.h>

#include "base/scan.h"

enum { POSITION = 66, MOST_SCORE = 64 }; /* characters of a position; discs */

bool obf_looks_like(const char *text)
{
	text += strspn(text, " \t\r\n");
	while (*text == '%') {
		text += strcspn(text, "\n");
		text += strspn(text, " \t\r\n");
	}
	return strspn(text, "XO-") == 64 && text[64] == ' ' && is_one_of(text[65], "XO") &&
	       (!text[66] || is_one_of(text[66], "; \t\r\n"));
}

/* A move: `G8`, `pass`, `PS`; -1: it is none. */
static int read_move(const char **text)
{
	static const char *const passes[] = { "pass", "ps", "pa" };
	const char *at = *text;
	char word[8];
	size_t length = 0;
	for (; length < sizeof word - 1 && at[length] && !is_one_of(at[length], ":; \t"); length++)
		word[length] = to_lower(at[length]);
	word[length] = '\0';
	for (int i = 0; i < 3; i++)
		if (strcmp(word, passes[i]) == 0) {
			*text += length;
			return REVERSI_PASS;
		}
	if (length != 2 || word[0] < 'a' || word[0] > 'h' || word[1] < '1' || word[1] > '8')
		return -1;
	*text += length;
	return (word[1] - '1') * 8 + word[0] - 'a';
}

static bool is_legal(const struct reversi *s, int move)
{
	const uint64_t squares = reversi_mobility(s->mover, s->other);
	return move == REVERSI_PASS ? !squares : (squares >> move & 1) != 0;
}

/* MOVE:SCORE, or a score alone. */
static enum qv_status read_field(struct obf *o, const char *field, struct qv_error *error)
{
	const char *at = field;
	const int move = read_move(&at);
	int64_t score;
	at += strspn(at, " \t");
	if (move >= 0 && !scan_literal(&at, ":"))
		return qv_fail(error, QV_BAD_INPUT, "'%.20s': expected MOVE:SCORE", field);
	at += strspn(at, " \t");
	if (!scan_int(&at, -MOST_SCORE, MOST_SCORE, &score) || at[strspn(at, " \t")])
		return qv_fail(error, QV_BAD_INPUT,
			       "'%.20s': expected MOVE:SCORE, a score from %+d to %+d", field,
			       -MOST_SCORE, MOST_SCORE);
	int known;
	if (move >= 0 && (!is_legal(&o->state, move) || obf_score(o, (qv_move)move, &known)))
		return qv_fail(error, QV_ILLEGAL,
			       "'%.20s': not a legal move here, or the second time", field);
	if (move >= 0) {
		o->moves[o->count] = (qv_move)move;
		o->scores[o->count++] = (int)score;
	}
	if (!o->has_best || score > o->best)
		o->best = (int)score;
	o->has_best = true;
	return QV_OK;
}

enum qv_status obf_read(const char *line, struct obf *out, struct qv_error *error)
{
	char position[POSITION + 1], field[32];
	line += strspn(line, " \t");
	snprintf(position, sizeof position, "%s", line);
	*out = (struct obf){ .count = 0 };
	enum qv_status status = reversi_position_parse(&out->state, NULL, position, error);
	if (status != QV_OK)
		return status;
	line += POSITION;
	while (status == QV_OK && *(line += strspn(line, "; \t\r")) && *line != '%') {
		const size_t length = strcspn(line, ";%\r");
		if (length >= sizeof field)
			return qv_fail(error, QV_BAD_INPUT, "'%.20s': expected MOVE:SCORE", line);
		snprintf(field, sizeof field, "%.*s", (int)length, line);
		line += length;
		status = read_field(out, field, error);
	}
	if (status == QV_OK && *line == '%') {
		line++;
		line += strspn(line, " \t");
		snprintf(out->comment, sizeof out->comment, "%.*s", (int)strcspn(line, "\r"), line);
	}
	return status;
}

bool obf_score(const struct obf *o, qv_move move, int *score)
{
	for (int i = 0; i < o->count; i++)
		if (o->moves[i] == move) {
			*score = o->scores[i];
			return true;
		}
	return false;
}
