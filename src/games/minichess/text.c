/*
 * text.c - minichess in writing: `1 W/kqbnr/ppppp/...../...../PPPPP/RNBQK` is the number of the
 * move, the side and the ranks from the top; `a2-a3` is a move.
 * SPDX-License-Identifier: MIT
 *
 * The server's board, a rank a line, is read as well: ends of lines stand for the strokes.
 */
#include "games/minichess/rules.h"

static const char letters[2][MINICHESS_KINDS + 1] = { ".PNBRQK", ".pnbrqk" };
static const char side_letter[2] = { 'W', 'B' };
static const char *const side_name[2] = { "white", "black" };
static const char *const kind_name[MINICHESS_KINDS] = {
	"empty square", "pawn", "knight", "bishop", "rook", "queen", "king",
};

static void put_square(struct qv_text *out, int square)
{
	qv_put_char(out, (char)('a' + square % MINICHESS_FILES));
	qv_put_char(out, (char)('1' + square / MINICHESS_FILES));
}

void minichess_move_text(const struct minichess *s, qv_move move, struct qv_text *out)
{
	(void)s;
	put_square(out, minichess_from(move));
	qv_put_char(out, '-');
	put_square(out, minichess_to(move));
}

/* The square that two characters name; -1: none. */
static int read_square(const char *text)
{
	if (text[0] < 'a' || text[0] > 'e' || text[1] < '1' || text[1] > '6')
		return -1;
	return MINICHESS_FILES * (text[1] - '1') + (text[0] - 'a');
}

/* As the server sends a move: with an exclamation mark before it. */
bool minichess_move_parse(const struct minichess *s, const char *text, qv_move *move)
{
	qv_move list[MINICHESS_MAX_MOVES];
	if (*text++ != '!')
		return false;
	text += strspn(text, " ");
	const int from = read_square(text);
	if (from < 0 || text[2] != '-')
		return false;
	const int to = read_square(text + 3);
	if (to < 0 || text[5])
		return false;
	const int count = minichess_moves(s, list);
	for (int i = 0; i < count; i++)
		if (minichess_from(list[i]) == from && minichess_to(list[i]) == to) {
			*move = list[i];
			return true;
		}
	return false;
}

static char letter_at(const struct minichess *s, int square)
{
	return letters[s->side[1] >> square & 1][minichess_kind_at(s, square)];
}

void minichess_position_text(const struct minichess *s, struct qv_text *out)
{
	qv_put_int(out, s->number);
	qv_put_char(out, ' ');
	qv_put_char(out, side_letter[s->turn]);
	for (int rank = MINICHESS_RANKS - 1; rank >= 0; rank--) {
		qv_put_char(out, '/');
		for (int file = 0; file < MINICHESS_FILES; file++)
			qv_put_char(out, letter_at(s, MINICHESS_FILES * rank + file));
	}
}

/* ---- reading ---- */

/* A stroke or the end of a line; NULL: neither. */
static const char *skip_stroke(const char *text)
{
	text += text[0] == '\r' && text[1] == '\n';
	return *text == '/' || *text == '\n' ? text + 1 : NULL;
}

/* The number of the move and the side; NULL: they are not there. */
static const char *parse_head(const char *text, struct minichess *s)
{
	int number = 0;
	if (*text == '0')
		return NULL;
	for (int digits = 0; *text >= '0' && *text <= '9' && digits < 2; digits++)
		number = 10 * number + (*text++ - '0');
	if (!number || text[0] != ' ' || (text[1] != 'W' && text[1] != 'B'))
		return NULL;
	s->number = (uint16_t)number;
	s->turn = text[1] == 'B';
	return text + 2;
}

static bool put_man(struct minichess *s, char letter, int square)
{
	for (int seat = 0; seat < 2; seat++) {
		const char *found = letter ? strchr(letters[seat], letter) : NULL;
		if (!found)
			continue;
		s->kind[found - letters[seat]] |= UINT32_C(1) << square;
		if (letter != '.')
			s->side[seat] |= UINT32_C(1) << square;
		return true;
	}
	return false;
}

static enum qv_status parse_ranks(const char *text, struct minichess *s, struct qv_error *error)
{
	for (int rank = MINICHESS_RANKS - 1; rank >= 0; rank--) {
		text = skip_stroke(text);
		if (!text)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: before rank %d a '/' is expected", rank + 1);
		for (int file = 0; file < MINICHESS_FILES; file++)
			if (!put_man(s, *text++, MINICHESS_FILES * rank + file))
				return qv_fail(error, QV_BAD_INPUT,
					       "position: rank %d: five of '.' and PNBRQK, in "
					       "small letters for black, are expected",
					       rank + 1);
	}
	if (text[strspn(text, "\r\n")])
		return qv_fail(error, QV_BAD_INPUT, "position: nothing may follow rank 1");
	return QV_OK;
}

/* ---- what cannot be ---- */

static enum qv_status check_number(const struct minichess *s, struct qv_error *error)
{
	if (s->number > MINICHESS_LAST + 1)
		return qv_fail(error, QV_ILLEGAL,
			       "position: move %d: there are 40, and 41 says that they are over",
			       s->number);
	if (s->number > MINICHESS_LAST && s->turn == MINICHESS_BLACK)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game ends after black's move 40, with W 41");
	return QV_OK;
}

static enum qv_status check_kings(const struct minichess *s, struct qv_error *error)
{
	const int mover = s->turn, other = 1 - mover;
	for (int seat = 0; seat < 2; seat++)
		if (bits_count(minichess_men(s, seat, MINICHESS_KING)) > 1)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than one king",
				       side_name[seat]);
	if (!minichess_has_king(s, other))
		return qv_fail(error, QV_ILLEGAL, "position: %s has just moved, but has no king",
			       side_name[other]);
	if (!minichess_has_king(s, mover) && s->number == 1 && mover == MINICHESS_WHITE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: white has no king, and nobody has moved yet");
	return QV_OK;
}

/* One of each kind, five pawns, and queens that were pawns. */
static enum qv_status check_men(const struct minichess *s, int seat, struct qv_error *error)
{
	const int pawns = bits_count(minichess_men(s, seat, MINICHESS_PAWN)),
		  queens = bits_count(minichess_men(s, seat, MINICHESS_QUEEN));
	if (minichess_men(s, seat, MINICHESS_PAWN) & MINICHESS_ENDS)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has a pawn on rank 1 or 6, where none can stand",
			       side_name[seat]);
	if (pawns > MINICHESS_PAWNS)
		return qv_fail(error, QV_ILLEGAL, "position: %s has more than five pawns",
			       side_name[seat]);
	for (int kind = MINICHESS_KNIGHT; kind <= MINICHESS_ROOK; kind++)
		if (bits_count(minichess_men(s, seat, kind)) > 1)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than one %s",
				       side_name[seat], kind_name[kind]);
	if (queens + pawns > MINICHESS_PAWNS + 1)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has %d queens, more than lost pawns explain",
			       side_name[seat], queens);
	return QV_OK;
}

enum qv_status minichess_position_parse(struct minichess *s, const int64_t *options,
					const char *text, struct qv_error *error)
{
	struct minichess read = { .turn = 0 };
	(void)options;
	text = parse_head(text, &read);
	if (!text)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: it begins with the number of the move, a blank and the "
			       "side, W or B");
	enum qv_status status = parse_ranks(text, &read, error);
	if (status == QV_OK)
		status = check_number(&read, error);
	if (status == QV_OK)
		status = check_kings(&read, error);
	for (int seat = 0; seat < 2 && status == QV_OK; seat++)
		status = check_men(&read, seat, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- the board for a terminal ---- */

static const char *const symbols[2][MINICHESS_KINDS] = {
	{ "·", "♙", "♘", "♗", "♖", "♕", "♔" },
	{ "·", "♟", "♞", "♝", "♜", "♛", "♚" },
};

void minichess_draw(const struct minichess *s, bool unicode, struct qv_text *out)
{
	for (int rank = MINICHESS_RANKS - 1; rank >= 0; rank--) {
		qv_put_char(out, (char)('1' + rank));
		for (int file = 0; file < MINICHESS_FILES; file++) {
			const int square = MINICHESS_FILES * rank + file;
			qv_put_char(out, ' ');
			if (unicode)
				qv_put(out, symbols[s->side[1] >> square & 1]
						   [minichess_kind_at(s, square)]);
			else
				qv_put_char(out, letter_at(s, square));
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c d e\n");
	if (s->number > MINICHESS_LAST)
		return;
	qv_put(out, "move ");
	qv_put_int(out, s->number);
	qv_put(out, " of 40\n");
}
