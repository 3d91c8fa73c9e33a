/*
 * text.c - positions and moves of minichess as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the move number, the side to move and the ranks from the top: `1
 * W/kqbnr/ppppp/...../...../PPPPP/RNBQK`. A move is `a2-a3`, and in algebraic notation, as people
 * write it, `a3`. There is no check to write. The board as the IMCS server prints
 * it, one rank a line, is accepted too: line ends stand for the strokes.
 */
#include "base/scan.h"
#include "games/minichess/rules.h"

static const char letters[2][MINICHESS_KINDS + 1] = { ".PNBRQK", ".pnbrqk" };
static const char side_letter[2] = { 'W', 'B' };
static const char *const side_name[2] = { "White", "Black" };
static const char *const kind_name[MINICHESS_KINDS] = {
	"empty square", "pawn", "knight", "bishop", "rook", "queen", "king",
};

/* As in a2. */
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

/* File, rank or both, if another piece of the kind, a second queen, could go there too. */
static void put_origin(const struct minichess *s, qv_move move, struct qv_text *out)
{
	qv_move list[MINICHESS_MAX_MOVES];
	const int from = minichess_from(move), count = minichess_moves(s, list);
	bool others = false, same_file = false, same_rank = false;
	for (int i = 0; i < count; i++) {
		const int other = minichess_from(list[i]);
		if (other == from || minichess_to(list[i]) != minichess_to(move) ||
		    minichess_mover(list[i]) != minichess_mover(move))
			continue;
		others = true;
		same_file |= other % MINICHESS_FILES == from % MINICHESS_FILES;
		same_rank |= other / MINICHESS_FILES == from / MINICHESS_FILES;
	}
	if (others && (!same_file || same_rank))
		qv_put_char(out, (char)('a' + from % MINICHESS_FILES));
	if (same_file)
		qv_put_char(out, (char)('1' + from / MINICHESS_FILES));
}

void minichess_short_text(const void *state, qv_move move, struct qv_text *out)
{
	const int kind = minichess_mover(move);
	const bool takes = minichess_taken(move) != MINICHESS_EMPTY;
	if (kind != MINICHESS_PAWN) {
		qv_put_char(out, letters[0][kind]);
		put_origin(state, move, out);
	} else if (takes) {
		qv_put_char(out, (char)('a' + minichess_from(move) % MINICHESS_FILES));
	}
	if (takes)
		qv_put_char(out, 'x');
	put_square(out, minichess_to(move));
	if (minichess_promotes(move))
		qv_put(out, "=Q");
}

/* The move that the text names in algebraic notation. */
static bool parse_short(const struct minichess *s, const char *text, qv_move *move)
{
	qv_move list[MINICHESS_MAX_MOVES];
	const int count = minichess_moves(s, list);
	for (int i = 0; i < count; i++) {
		char written[QV_MOVE_TEXT] = "";
		struct qv_text out = { written, sizeof written, 0 };
		minichess_short_text(s, list[i], &out);
		if (strcmp(written, text) == 0) {
			*move = list[i];
			return true;
		}
	}
	return false;
}

/* Accepts algebraic notation, and a move as the server sends it, with a ! before it. */
bool minichess_move_parse(const struct minichess *s, const char *text, qv_move *move)
{
	qv_move list[MINICHESS_MAX_MOVES];
	if (*text != '!')
		return parse_short(s, text, move);
	text++;
	text += strspn(text, " ");
	const int from = read_square(text);
	if (from < 0 || text[2] != '-')
		return false;
	const int to = read_square(text + 3);
	if (to < 0 || text[5])
		return false;
	/* The squares name one legal move at most. */
	const int count = minichess_moves(s, list);
	for (int i = 0; i < count; i++)
		if (minichess_from(list[i]) == from && minichess_to(list[i]) == to) {
			*move = list[i];
			return true;
		}
	return false;
}

/* The letter of what is on a square; a dot if it is empty. */
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

/* ---- reading: a position is checked as a whole after it has been read ---- */

/* Puts the piece of a letter, or an empty square; false: no such letter. */
static bool put_piece(struct minichess *s, char letter, int square)
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

/* Reads number, side and ranks into *s, whose sets are empty at first. */
static enum qv_status parse(const char *text, struct minichess *s, struct qv_error *error)
{
	int number = 0, digits = 0;
	for (; is_digit(*text) && digits < 2 && (number || *text != '0'); digits++)
		number = 10 * number + (*text++ - '0');
	if (!number || text[0] != ' ' || (text[1] != 'W' && text[1] != 'B'))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the move number, a blank and the side to move, "
			       "W or B, at the start");
	s->number = (uint16_t)number;
	s->turn = text[1] == 'B';
	text += 2;
	for (int rank = MINICHESS_RANKS - 1; rank >= 0; rank--) {
		/* A stroke, or a line end as the server sends it. */
		text += text[0] == '\r' && text[1] == '\n';
		if (*text != '/' && *text != '\n')
			return qv_fail(error, QV_BAD_INPUT, "position: expected '/' before rank %d",
				       rank + 1);
		text++;
		for (int file = 0; file < MINICHESS_FILES; file++)
			if (!put_piece(s, *text++, MINICHESS_FILES * rank + file))
				return qv_fail(
					error, QV_BAD_INPUT,
					"position: rank %d: expected five of '.' and PNBRQK, in "
					"small letters for Black",
					rank + 1);
	}
	if (text[strspn(text, "\r\n")])
		return qv_fail(error, QV_BAD_INPUT, "position: unexpected text after rank 1");
	return QV_OK;
}

/* ---- checks ---- */

/* The move number, and the kings: only that of the side to move may be missing. */
static enum qv_status check_state(const struct minichess *s, struct qv_error *error)
{
	const int mover = s->turn, other = 1 - mover;
	if (s->number > MINICHESS_LAST + 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: move %d: the last move is 40; 41 means that the game is over",
			s->number);
	if (s->number > MINICHESS_LAST && s->turn == MINICHESS_BLACK)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the game is over after Black's move 40; write 41 W");
	for (int seat = 0; seat < 2; seat++)
		if (bits_count(minichess_of(s, seat, MINICHESS_KING)) > 1)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than one king",
				       side_name[seat]);
	if (!minichess_has_king(s, other))
		return qv_fail(error, QV_ILLEGAL, "position: %s has just moved but has no king",
			       side_name[other]);
	if (!minichess_has_king(s, mover) && s->number == 1 && mover == MINICHESS_WHITE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: White has no king, but nobody has moved yet");
	return QV_OK;
}

/* One of each kind, five pawns, and queens made from the missing pawns. */
static enum qv_status check_pieces(const struct minichess *s, int seat, struct qv_error *error)
{
	const char *const who = side_name[seat];
	const uint32_t pawns = minichess_of(s, seat, MINICHESS_PAWN);
	const int queens = bits_count(minichess_of(s, seat, MINICHESS_QUEEN));
	if (pawns & MINICHESS_ENDS)
		return qv_fail(error, QV_ILLEGAL, "position: %s has a pawn on rank 1 or 6", who);
	if (bits_count(pawns) > MINICHESS_PAWNS)
		return qv_fail(error, QV_ILLEGAL, "position: %s has more than five pawns", who);
	for (int kind = MINICHESS_KNIGHT; kind <= MINICHESS_ROOK; kind++)
		if (bits_count(minichess_of(s, seat, kind)) > 1)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than one %s", who,
				       kind_name[kind]);
	if (queens + bits_count(pawns) > MINICHESS_PAWNS + 1)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has %d queens, more than the missing pawns allow", who,
			       queens);
	return QV_OK;
}

enum qv_status minichess_position_parse(struct minichess *s, const int64_t *options,
					const char *text, struct qv_error *error)
{
	struct minichess read = { .turn = 0 };
	(void)options;
	enum qv_status status = parse(text, &read, error);
	if (status == QV_OK)
		status = check_state(&read, error);
	for (int seat = 0; seat < 2 && status == QV_OK; seat++)
		status = check_pieces(&read, seat, error);
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
	/* The move that is next, unless the game is over by number. */
	if (s->number > MINICHESS_LAST)
		return;
	qv_put(out, "move ");
	qv_put_int(out, s->number);
	qv_put(out, " of 40\n");
}
