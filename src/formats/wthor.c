/*
 * wthor.c - reads databases of reversi games.
 * SPDX-License-Identifier: MIT
 */
#include "formats/wthor.h"

#include "core/context.h"
#include "formats/pgn.h"
#include "games/reversi/rules.h"

enum {
	HEADER = 16,
	GAME = 68,
	PLAYER = 20,
	TOURNAMENT = 26,
	MOVES = 60,
	EVEN = 32, /* Black's score in a draw */
};

/* Numbers are little-endian. */
static unsigned read_16(const char *at)
{
	return (unsigned)(unsigned char)at[0] | (unsigned)(unsigned char)at[1] << 8;
}

static int64_t read_32(const char *at)
{
	return (int64_t)read_16(at) | (int64_t)read_16(at + 2) << 16;
}

/* A day of its creation, and as many games as the header says. */
bool wthor_looks_like(const char *data, size_t size)
{
	const unsigned char *day = (const unsigned char *)data; /* century, year, month, day */
	return size >= HEADER && day[0] >= 19 && day[0] <= 21 && day[1] < 100 && day[2] <= 12 &&
	       day[3] <= 31 && (size - HEADER) % GAME == 0 &&
	       read_32(data + 4) == (int64_t)((size - HEADER) / GAME);
}

/* What the header says is wrong for this reader. */
static enum qv_status check_header(const struct wthor_file *f, struct qv_error *error)
{
	if (!wthor_looks_like(f->data, f->size))
		return qv_fail(error, QV_BAD_INPUT,
			       "WTHOR: the header and the size of the file do not fit together");
	if (f->data[12] != 0 && f->data[12] != 8)
		return qv_fail(error, QV_UNSUPPORTED, "WTHOR: the board has %d rows; expected 8",
			       (unsigned char)f->data[12]);
	if (f->data[13])
		return qv_fail(error, QV_UNSUPPORTED, "WTHOR: solitaires cannot be read");
	return QV_OK;
}

/* Appends the n-th name of a file, or "?" if it has none. */
static void add_name(const struct wthor_file *f, unsigned n, size_t each, struct string *out)
{
	const size_t at = HEADER + n * each;
	size_t length = 0;
	if (f->data && at + each <= f->size)
		while (length < each && f->data[at + length])
			length++;
	while (length && f->data[at + length - 1] == ' ')
		length--;
	if (length)
		pgn_add_text(out, f->data + at, length);
	else
		string_add(out, "?", 1);
}

/* The record of a game before its first move. */
static enum qv_status begin(const struct wthor_reader *r, const char *game, struct qv_record **out,
			    struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(r->context);
	struct string names[3] = { { .allocator = a }, { .allocator = a }, { .allocator = a } };
	char date[24], black[8], best[8];
	struct qv_rules rules;
	add_name(&r->players, read_16(game + 2), PLAYER, &names[0]);
	add_name(&r->players, read_16(game + 4), PLAYER, &names[1]);
	add_name(&r->tournaments, read_16(game), TOURNAMENT, &names[2]);
	snprintf(date, sizeof date, "%04u.??.??", read_16(r->games.data + 10));
	snprintf(black, sizeof black, "%d", (unsigned char)game[6]);
	snprintf(best, sizeof best, "%d", (unsigned char)game[7]);
	enum qv_status status = QV_NO_MEMORY;
	if (!names[0].failed && !names[1].failed && !names[2].failed)
		status = qv_rules_parse(r->context, "reversi", &rules, error);
	if (status == QV_OK) {
		const char *const seats[2] = { names[0].data, names[1].data };
		const struct record_tag tags[] = { { "Event", names[2].data },
						   { "Date", date },
						   { "BlackScore", black },
						   { "TheoreticalScore", best } };
		status = record_new_tagged(r->context, &rules, NULL, seats, 2, tags, 4, out, error);
	}
	for (int i = 0; i < 3; i++)
		string_release(&names[i]);
	return status;
}

/* Plays a move, and before it a pass if there must be one. */
static enum qv_status play(struct qv_record *record, int byte, int number, struct qv_error *error)
{
	const struct qv_game *game = record->rules.game;
	const int row = byte / 10 - 1, column = byte % 10 - 1;
	const qv_move move = (qv_move)(row * 8 + column);
	enum qv_status status = QV_OK;
	if (record->outcome == QV_GOING && qv_move_legal(game, record->state, REVERSI_PASS))
		status = qv_record_play(record, REVERSI_PASS, -1, error);
	if (status != QV_OK)
		return status;
	if (row < 0 || row > 7 || column < 0 || column > 7 || record->outcome != QV_GOING ||
	    !qv_move_legal(game, record->state, move))
		return qv_fail(error, QV_ILLEGAL, "move %d, byte %d, is not a legal move", number,
			       byte);
	return qv_record_play(record, move, -1, error);
}

static enum qv_status read_game(const struct wthor_reader *r, const char *game,
				struct qv_record **out, struct qv_error *error)
{
	const int black = (unsigned char)game[6];
	struct qv_record *record = NULL;
	enum qv_status status = begin(r, game, &record, error);
	for (int i = 0; i < MOVES && status == QV_OK && game[8 + i]; i++)
		status = play(record, (unsigned char)game[8 + i], i + 1, error);
	if (status == QV_OK && record->outcome == QV_GOING)
		status = qv_record_end(record, black == EVEN ? -1 : black < EVEN,
				       "as the file says");
	if (status == QV_OK)
		*out = record;
	else
		qv_record_free(record);
	return status;
}

enum qv_status wthor_next(struct wthor_reader *r, struct qv_record **out, struct qv_error *error)
{
	struct qv_error why = { "" };
	*out = NULL;
	if (!r->next) {
		const enum qv_status status = check_header(&r->games, error);
		if (status != QV_OK) {
			r->next = INT64_MAX;
			return status;
		}
	}
	if (r->next == INT64_MAX || r->next >= (int64_t)((r->games.size - HEADER) / GAME))
		return QV_OK;
	const char *game = r->games.data + HEADER + (size_t)r->next * GAME;
	const enum qv_status status = read_game(r, game, out, &why);
	r->next++;
	if (status == QV_NO_MEMORY)
		return qv_fail(error, status, "WTHOR: out of memory");
	return status == QV_OK
		       ? QV_OK
		       : qv_fail(error, status, "game %lld: %.200s", (long long)r->next, why.text);
}

enum qv_status wthor_to_journal(const struct qv_context *context, const char *data, size_t size,
				struct string *out, struct qv_error *error)
{
	struct wthor_reader reader = { .context = context, .games = { data, size } };
	struct qv_record *record = NULL;
	enum qv_status status = wthor_next(&reader, &record, error);
	if (status == QV_OK && !record)
		return qv_fail(error, QV_BAD_INPUT, "WTHOR: the file contains no game");
	if (status == QV_OK)
		string_add(out, record->journal.data, record->journal.length);
	qv_record_free(record);
	return status == QV_OK && out->failed ? qv_fail(error, QV_NO_MEMORY, "WTHOR: out of memory")
					      : status;
}
