/*
 * text.c - positions and moves of nine men's morris as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * Moves are `d6`, `a1-a4` and `a1-a4xb2`. A position is the points row by row from a7, the side to
 * move, the men in hand of each side, and the number of moves since the last capture.
 */
#include "base/scan.h"
#include "games/morris/rules.h"

const char morris_point_names[MORRIS_POINTS][3] = {
	"a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4", /* the outer ring */
	"b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4",
	"c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4",
};

const uint8_t morris_text_order[MORRIS_POINTS] = {
	0, 1, 2, 8, 9, 10, 16, 17, 18, 7, 15, 23, 19, 11, 3, 22, 21, 20, 14, 13, 12, 6, 5, 4,
};

static const char side_letter[2] = { 'W', 'B' };
static const char *const side_name[2] = { "White", "Black" };

/* FROM- and xTAKEN are left out where the move has no such part. */
void morris_move_text(const struct morris *s, qv_move move, struct qv_text *out)
{
	const int from = morris_from(move), taken = morris_taken(move);
	(void)s;
	if (from != MORRIS_NONE) {
		qv_put(out, morris_point_names[from]);
		qv_put_char(out, '-');
	}
	qv_put(out, morris_point_names[morris_to(move)]);
	if (taken != MORRIS_NONE) {
		qv_put_char(out, 'x');
		qv_put(out, morris_point_names[taken]);
	}
}

/* The letter of a point in the text: W, B or a dot. */
static char letter_at(const struct morris *s, int point)
{
	for (int side = 0; side < 2; side++)
		if (s->men[side] >> point & 1)
			return side_letter[side];
	return '.';
}

void morris_position_text(const struct morris *s, struct qv_text *out)
{
	for (int i = 0; i < MORRIS_POINTS; i++)
		qv_put_char(out, letter_at(s, morris_text_order[i]));
	qv_put_char(out, ' ');
	qv_put_char(out, side_letter[s->turn]);
	const int numbers[] = { s->hand[0], s->hand[1], s->quiet };
	for (int i = 0; i < 3; i++) {
		qv_put_char(out, ' ');
		qv_put_int(out, numbers[i]);
	}
}

/* Refuses what no game can reach. */
static enum qv_status check_position(const struct morris *s, struct qv_error *error)
{
	const int mover = s->turn, other = 1 - mover;
	for (int side = 0; side < 2; side++)
		if (s->hand[side] + bits_count(s->men[side]) > MORRIS_MEN)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than nine men",
				       side_name[side]);
	if (s->hand[1] - s->hand[0] != mover * ((s->hand[0] | s->hand[1]) != 0))
		return qv_fail(error, QV_ILLEGAL,
			       "position: men in hand: White places first, then each side in turn");
	if (s->hand[other] < s->hand[mover] && !s->men[other])
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has just placed a man but has none on the board",
			       side_name[other]);
	if (s->hand[0] || s->hand[1]) {
		if (!s->quiet)
			return QV_OK;
		return qv_fail(
			error, QV_ILLEGAL,
			"position: moves without a capture: must be 0 while men are in hand");
	}
	if (bits_count(s->men[other]) < MORRIS_FEWEST)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has just moved but has fewer than three men",
			       side_name[other]);
	if (bits_count(s->men[mover]) < MORRIS_FEWEST - 1)
		return qv_fail(error, QV_ILLEGAL, "position: %s has already lost, with two men",
			       side_name[mover]);
	if (s->quiet && bits_count(s->men[mover]) < MORRIS_FEWEST)
		return qv_fail(error, QV_ILLEGAL,
			       "position: moves without a capture: must be 0 after a capture");
	if (s->quiet > s->most_quiet)
		return qv_fail(error, QV_ILLEGAL, "position: moves without a capture: at most %d",
			       s->most_quiet);
	return QV_OK;
}

/* *s changes only if the text is valid and the position possible. */
enum qv_status morris_position_parse(struct morris *s, const int64_t *options, const char *text,
				     struct qv_error *error)
{
	struct morris read;
	int numbers[3];
	morris_start(&read, options);
	for (int i = 0; i < MORRIS_POINTS; i++, text++) {
		if (*text != 'W' && *text != 'B' && *text != '.')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: point %d of 24: expected 'W', 'B' or '.'", i + 1);
		if (*text != '.')
			read.men[*text == 'B'] |= morris_bit(morris_text_order[i]);
	}
	if (text[0] != ' ' || (text[1] != 'W' && text[1] != 'B'))
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a blank and the side to move, W or B, after the points");
	read.turn = text[1] == 'B';
	text += 2;
	bool good = true;
	for (int i = 0; i < 3 && good; i++)
		good = *text++ == ' ' &&
		       scan_count(&text, i < 2 ? MORRIS_MEN : UINT8_MAX, &numbers[i]);
	if (!good || *text)
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected the men in hand of White and of Black (0 to 9), then "
			"the moves without a capture, at the end");
	read.hand[0] = (uint8_t)numbers[0];
	read.hand[1] = (uint8_t)numbers[1];
	read.quiet = (uint8_t)numbers[2];
	const enum qv_status status = check_position(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- The board for a terminal ---- */

/* Points are letters 'A' to 'X' in the order of the text. */
static const char *const plain_rows[] = {
	"7 A-----B-----C", "  |     |     |", "6 | D---E---F |", "  | |   |   | |",
	"5 | | G-H-I | |", "  | | |   | | |", "4 J-K-L   M-N-O", "  | | |   | | |",
	"3 | | P-Q-R | |", "  | |   |   | |", "2 | S---T---U |", "  |     |     |",
	"1 V-----W-----X", "  a b c d e f g",
};

/* Replaces the marks of the plain rows by what stands there, or by line characters. */
void morris_draw(const struct morris *s, bool unicode, struct qv_text *out)
{
	const bool hands = s->hand[0] | s->hand[1];
	for (size_t row = 0; row < sizeof plain_rows / sizeof *plain_rows; row++) {
		for (const char *mark = plain_rows[row]; *mark; mark++) {
			const bool point = *mark >= 'A' && *mark <= 'X';
			const char c = point ? letter_at(s, morris_text_order[*mark - 'A']) : *mark;
			if (unicode && point)
				qv_put(out, c == 'W' ? "○" : c == 'B' ? "●" : "·");
			else if (unicode && (c == '-' || c == '|'))
				qv_put(out, c == '-' ? "─" : "│");
			else
				qv_put_char(out, c);
		}
		qv_put_char(out, '\n');
	}
	for (int side = 0; side < 2 && hands; side++) {
		qv_put(out, side ? ", black " : "in hand: white ");
		qv_put_int(out, s->hand[side]);
	}
	if (hands)
		qv_put_char(out, '\n');
}
