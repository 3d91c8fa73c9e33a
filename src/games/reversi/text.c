/*
 * text.c - reversi in writing. A position is OBF: 64 squares `X` (black), `O`, `-` from a1, b1, ...
 * to h8, a blank, and the side to move, X or O; nothing else is read. A move is its square, `d3`,
 * or `pass`.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/rules.h"

static const char side_letter[2] = { 'X', 'O' };

static void put_square(struct qv_text *out, int square)
{
	qv_put_char(out, (char)('a' + (square & 7)));
	qv_put_char(out, (char)('1' + (square >> 3)));
}

void reversi_move_text(const struct reversi *s, qv_move move, struct qv_text *out)
{
	(void)s;
	if (move == REVERSI_PASS)
		qv_put(out, "pass");
	else
		put_square(out, (int)move);
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

/* Those of the discs that hang together with the centre. */
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
 * What no game can reach: the four discs of the start never leave the board, and every later one
 * was put next to another. The four lie crosswise; we take them turned by a quarter too, so that
 * the image of a position is one.
 */
static enum qv_status check_discs(const struct reversi *s, struct qv_error *error)
{
	const uint64_t discs = s->mover | s->other;
	if ((discs & REVERSI_CENTRE) != REVERSI_CENTRE)
		return qv_fail(error, QV_ILLEGAL, "position: d4, e4, d5 and e5 cannot be empty");
	const uint64_t apart = discs & ~connected(discs);
	if (apart)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the disc on %c%d does not hang together with the centre",
			       'a' + (bits_lowest(apart) & 7), 1 + (bits_lowest(apart) >> 3));
	struct reversi start;
	reversi_start(&start, NULL);
	if (discs == REVERSI_CENTRE && s->mover != start.mover && s->mover != start.other)
		return qv_fail(error, QV_ILLEGAL,
			       "position: four discs must lie crosswise, two of each side");
	return QV_OK;
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
				       "position: 64 squares are expected, it ends after %d", i);
		else if (text[i] != '-')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: '%c' on %c%d is not one of 'X', 'O', '-'",
				       text[i], 'a' + i % 8, 1 + i / 8);
	}
	const char *side = text + 64;
	if (side[0] != ' ' || (side[1] != 'X' && side[1] != 'O') || side[2])
		return qv_fail(error, QV_BAD_INPUT,
			       "position: a blank and the side, X or O, must end it");
	const uint64_t seat = side[1] == 'O';
	const struct reversi read = { discs[seat], discs[seat ^ 1], seat };
	const enum qv_status status = check_discs(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/*
 * What stands on a square of the drawing: a disc, `+` where the side to move may play, or nothing.
 */
static const char *square_drawing(const struct reversi *s, int square, uint64_t playable,
				  bool unicode)
{
	const char letter = square_letter(s, square);
	if (letter == '-')
		return playable >> square & 1 ? "+" : unicode ? "·" : ".";
	if (letter == 'X')
		return unicode ? "●" : "X";
	return unicode ? "○" : "O";
}

void reversi_draw(const struct reversi *s, bool unicode, struct qv_text *out)
{
	const uint64_t playable = reversi_mobility(s->mover, s->other);
	const uint64_t black = s->seat ? s->other : s->mover, white = s->seat ? s->mover : s->other;
	qv_put(out, "  a b c d e f g h\n");
	for (int row = 0; row < 8; row++) {
		qv_put_char(out, (char)('1' + row));
		for (int column = 0; column < 8; column++) {
			qv_put_char(out, ' ');
			qv_put(out, square_drawing(s, row * 8 + column, playable, unicode));
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, unicode ? "  ● X " : "  X ");
	qv_put_int(out, bits_count(black));
	qv_put(out, unicode ? "  ○ O " : "  O ");
	qv_put_int(out, bits_count(white));
	qv_put_char(out, '\n');
}
