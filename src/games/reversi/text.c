/*
 * text.c - positions and moves of reversi as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is in OBF: 64 squares `X` (black), `O` or `-` from a1, b1 to h8, a blank, and the side
 * to move, X or O. What a line of OBF has after that, `; D3:+2; C4:+0; % comment`, is ignored. A
 * move is its square, `d3`, or `pass`.
 */
#include "games/reversi/rules.h"

static const char side_letter[2] = { 'X', 'O' };

void reversi_move_text(const struct reversi *s, qv_move move, struct qv_text *out)
{
	(void)s;
	if (move == REVERSI_PASS) {
		qv_put(out, "pass");
		return;
	}
	qv_put_char(out, (char)('a' + (move & 7)));
	qv_put_char(out, (char)('1' + (move >> 3)));
}

static char square_letter(const struct reversi *s, int square)
{
	if (s->mover >> square & 1)
		return side_letter[s->seat];
	return s->other >> square & 1 ? side_letter[s->seat ^ 1] : '-';
}

void reversi_position_text(const struct reversi *s, struct qv_text *out)
{
	for (int i = 0; i < 64; i++)
		qv_put_char(out, square_letter(s, i));
	qv_put_char(out, ' ');
	qv_put_char(out, side_letter[s->seat]);
}

/* Those of the discs that are connected to the centre. */
static uint64_t connected(uint64_t discs)
{
	uint64_t reached = discs & REVERSI_CENTRE, before;
	do {
		before = reached;
		reached |= (reached & ~(REVERSI_LEFT << 7)) << 1 | (reached & ~REVERSI_LEFT) >> 1;
		reached |= reached << 8 | reached >> 8;
		reached &= discs;
	} while (reached != before);
	return reached;
}

/*
 * Refuses what no game can reach: the first four discs never leave the board, and every later one
 * was placed next to another. The first four lie crosswise; rotated by a quarter turn they are
 * accepted too, so that symmetric positions are.
 */
static enum qv_status check_discs(const struct reversi *s, struct qv_error *error)
{
	const uint64_t discs = s->mover | s->other;
	if ((discs & REVERSI_CENTRE) != REVERSI_CENTRE)
		return qv_fail(error, QV_ILLEGAL, "position: d4, e4, d5 and e5 cannot be empty");
	const uint64_t apart = discs & ~connected(discs);
	if (apart)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the disc on %c%d is not connected to the centre",
			       'a' + (bits_lowest(apart) & 7), 1 + (bits_lowest(apart) >> 3));
	struct reversi start;
	reversi_start(&start, NULL);
	if (discs == REVERSI_CENTRE && s->mover != start.mover && s->mover != start.other)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: the first four discs must be two of each side, placed crosswise");
	return QV_OK;
}

/* Whether the text is empty, or the scores of a line of OBF. */
static bool is_scores(const char *text)
{
	static const char scores[] = "; :+-0123456789abcdefghABCDEFGHpsPS";
	while (*text && strchr(scores, *text))
		text++;
	return !*text || *text == '%';
}

enum qv_status reversi_position_parse(struct reversi *s, const int64_t *options, const char *text,
				      struct qv_error *error)
{
	(void)options;
	uint64_t discs[2] = { 0, 0 };
	for (int i = 0; i < 64; i++) {
		if (text[i] == 'X' || text[i] == 'O')
			discs[text[i] == 'O'] |= UINT64_C(1) << i;
		else if (!text[i])
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected 64 squares, but there are only %d", i);
		else if (text[i] != '-')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: '%c' on %c%d must be 'X', 'O' or '-'", text[i],
				       'a' + i % 8, 1 + i / 8);
	}
	const char *side = text + 64;
	if (side[0] != ' ' || (side[1] != 'X' && side[1] != 'O') ||
	    (side[2] && (side[2] != ';' || !is_scores(side + 3))))
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected a blank and the side to move, X or O, at the end");
	const uint64_t seat = side[1] == 'O';
	const struct reversi read = { discs[seat], discs[seat ^ 1], seat };
	const enum qv_status status = check_discs(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* A square is a disc, `+` where the side to move can play, or empty. */
void reversi_draw(const struct reversi *s, bool unicode, struct qv_text *out)
{
	const uint64_t playable = reversi_mobility(s->mover, s->other);
	qv_put(out, "  a b c d e f g h\n");
	for (int row = 0; row < 8; row++) {
		qv_put_char(out, (char)('1' + row));
		for (int column = 0; column < 8; column++) {
			const int square = row * 8 + column;
			const char letter = square_letter(s, square);
			qv_put_char(out, ' ');
			qv_put(out, letter == 'X'	     ? unicode ? "●" : "X"
				    : letter == 'O'	     ? unicode ? "○" : "O"
				    : playable >> square & 1 ? "+"
				    : unicode		     ? "·"
							     : ".");
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, unicode ? "  ● X " : "  X ");
	qv_put_int(out, bits_count(s->seat ? s->other : s->mover));
	qv_put(out, unicode ? "  ○ O " : "  O ");
	qv_put_int(out, bits_count(s->seat ? s->mover : s->other));
	qv_put_char(out, '\n');
}
