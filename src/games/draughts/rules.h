/*
 * rules.h - English draughts (checkers) on bitboards.
 * SPDX-License-Identifier: MIT
 *
 * The board is numbered as in Samuel's program: two rows of four dark squares, then one dummy
 * square that does not exist. A bit is Samuel's number less ten:
 *
 *	   1   2   3   4	  0   1   2   3
 *	 5   6   7   8		4   5   6   7		8 is a dummy
 *	   9  10  11  12	  9  10  11  12
 *	13  14  15  16	       13  14  15  16		17 is a dummy
 *	  17  18  19  20	 18  19  20  21
 *	21  22  23  24	       22  23  24  25		26 is a dummy
 *	  25  26  27  28	 27  28  29  30
 *	29  30  31  32	       31  32  33  34
 *
 * Every step is then a shift by 4 or 5 and every jump one by 8 or 10, in all rows. A step over an
 * edge ends on a dummy, which is never empty and never holds a piece, so no masks are needed.
 *
 * A move is FROM | JUMPS << 6 | DIRECTIONS << 10, with two bits for each direction, the first one
 * lowest. A step has no jumps and one direction. Two paths of jumps are therefore different moves,
 * even if they capture the same pieces.
 */
#ifndef DRAUGHTS_RULES_H
#define DRAUGHTS_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	DRAUGHTS_BLACK,
	DRAUGHTS_WHITE,
	DRAUGHTS_SQUARES = 32,
	DRAUGHTS_PIECES = 12, /* of a side */
	DRAUGHTS_QUIET = 80,  /* 40 moves of each side without progress draw */
	DRAUGHTS_REPEAT = 3,  /* so does a position that occurs this many times */
	/*
	 * The squares that a piece can jump to are the eight of one colour of a 4x4 board, with
	 * nine pieces to jump between them.
	 */
	DRAUGHTS_MAX_JUMPS = 9,
	DRAUGHTS_MAX_PATHS = 16, /* of one piece: counted over all sets of these nine */
	DRAUGHTS_MAX_MOVES = DRAUGHTS_PIECES * DRAUGHTS_MAX_PATHS,
	/* The parts of a move. */
	DRAUGHTS_FROM = 63,
	DRAUGHTS_JUMPS = 6,
	DRAUGHTS_WAY = 10,
	/* The directions; the opposite of d is 3 - d. */
	DRAUGHTS_UP4 = 0,
	DRAUGHTS_UP5,
	DRAUGHTS_DOWN5,
	DRAUGHTS_DOWN4,
};

#define DRAUGHTS_BOARD \
	(UINT64_C(0x7ffffffff) & ~(UINT64_C(1) << 8 | UINT64_C(1) << 17 | UINT64_C(1) << 26))
#define DRAUGHTS_TOP UINT64_C(0xf)	      /* squares 1 to 4 */
#define DRAUGHTS_BOTTOM (UINT64_C(0xf) << 31) /* squares 29 to 32 */

struct draughts {
	uint64_t pieces[2]; /* black, white */
	uint64_t kings;	    /* of both sides */
	uint8_t turn;
	uint8_t quiet; /* moves of either side since a capture or a move of a man */
	uint8_t spare[6];
};
_Static_assert(sizeof(struct draughts) == 32, "no padding");

/* ---- squares ---- */

/* The bit of a square from 1 to 32, and the square of a bit. */
static inline int draughts_bit_of(int square)
{
	return square - 1 + (square - 1) / 8;
}

static inline int draughts_square_of(int bit)
{
	return bit + 1 - bit / 9;
}

/* The number of a square on Samuel's board, from 10 to 44. */
static inline int draughts_samuel(int square)
{
	return draughts_bit_of(square) + 10;
}

static inline uint64_t draughts_bit(int bit)
{
	return UINT64_C(1) << bit;
}

/* The neighbours in a direction. */
static inline uint64_t draughts_shift(uint64_t squares, int direction)
{
	return direction < DRAUGHTS_DOWN5 ? squares << (4 + direction) : squares >> (7 - direction);
}

static inline uint64_t draughts_empty(const struct draughts *s)
{
	return DRAUGHTS_BOARD & ~(s->pieces[0] | s->pieces[1]);
}

/* The row where men of a side are crowned. */
static inline uint64_t draughts_last_row(int side)
{
	return side == DRAUGHTS_BLACK ? DRAUGHTS_BOTTOM : DRAUGHTS_TOP;
}

/* ---- the parts of a move ---- */

static inline int draughts_from(qv_move move)
{
	return (int)(move & DRAUGHTS_FROM);
}

/* The number of captured pieces. */
static inline int draughts_jumps(qv_move move)
{
	return (int)(move >> DRAUGHTS_JUMPS & 15);
}

/* The direction of step or jump i. */
static inline int draughts_direction(qv_move move, int i)
{
	return (int)(move >> (DRAUGHTS_WAY + 2 * i) & 3);
}

/* Where the piece lands; *taken: the squares that it jumps over. */
static inline uint64_t draughts_walk(qv_move move, uint64_t *taken)
{
	const int jumps = draughts_jumps(move);
	uint64_t at = draughts_bit(draughts_from(move)), over = 0;
	if (!jumps)
		at = draughts_shift(at, draughts_direction(move, 0));
	for (int i = 0; i < jumps; i++) {
		const int direction = draughts_direction(move, i);
		const uint64_t next = draughts_shift(at, direction);
		over |= next;
		at = draughts_shift(next, direction);
	}
	*taken = over;
	return at;
}

/* The bit of the square where the move ends. */
static inline int draughts_to(qv_move move)
{
	uint64_t taken;
	return bits_lowest(draughts_walk(move, &taken));
}

/* ---- steps and jumps ---- */

/* Those of the pieces that can step, or jump, in a direction. */
QV_ALWAYS_INLINE uint64_t draughts_steppers(uint64_t pieces, uint64_t empty, int direction)
{
	return pieces & draughts_shift(empty, 3 - direction);
}

QV_ALWAYS_INLINE uint64_t draughts_jumpers(uint64_t pieces, uint64_t theirs, uint64_t empty,
					   int direction)
{
	const uint64_t over = theirs & draughts_shift(empty, 3 - direction);
	return pieces & draughts_shift(over, 3 - direction);
}

/* The first direction in which men of a side move; the other one is the next. */
QV_ALWAYS_INLINE int draughts_forward(int side)
{
	return side == DRAUGHTS_BLACK ? DRAUGHTS_UP4 : DRAUGHTS_DOWN5;
}

/* The pieces of the side to move that can capture. */
QV_ALWAYS_INLINE uint64_t draughts_takers_of(const struct draughts *s, int side)
{
	const uint64_t mine = s->pieces[side], theirs = s->pieces[1 - side];
	const uint64_t empty = draughts_empty(s), kings = mine & s->kings;
	const int forward = draughts_forward(side), back = draughts_forward(1 - side);
	uint64_t takers = draughts_jumpers(mine, theirs, empty, forward) |
			  draughts_jumpers(mine, theirs, empty, forward + 1);
	if (kings)
		takers |= draughts_jumpers(kings, theirs, empty, back) |
			  draughts_jumpers(kings, theirs, empty, back + 1);
	return takers;
}

static inline uint64_t draughts_takers(const struct draughts *s)
{
	return s->turn == DRAUGHTS_BLACK ? draughts_takers_of(s, DRAUGHTS_BLACK)
					 : draughts_takers_of(s, DRAUGHTS_WHITE);
}

/* The pieces of a side that can step. */
QV_ALWAYS_INLINE uint64_t draughts_movers_of(const struct draughts *s, int side)
{
	const uint64_t mine = s->pieces[side], empty = draughts_empty(s), kings = mine & s->kings;
	const int forward = draughts_forward(side), back = draughts_forward(1 - side);
	return draughts_steppers(mine, empty, forward) |
	       draughts_steppers(mine, empty, forward + 1) | draughts_steppers(kings, empty, back) |
	       draughts_steppers(kings, empty, back + 1);
}

/* Whether the side to move has a legal move. */
static inline bool draughts_can_move(const struct draughts *s)
{
	return draughts_movers_of(s, s->turn) || draughts_takers(s);
}

/*
 * The paths of jumps from a square, first to last direction: all four for a king, two for a man. A
 * man never turns, so a man that is crowned stops. The square where the piece started counts as
 * empty, and a piece that was jumped is not in `theirs` any more.
 */
static inline int draughts_count_paths(uint64_t at, uint64_t theirs, uint64_t empty, int first,
				       int last)
{
	int n = 0;
	for (int d = first; d <= last; d++) {
		const uint64_t over = draughts_shift(at, d) & theirs;
		const uint64_t land = draughts_shift(over, d) & empty;
		if (land) {
			const int further =
				draughts_count_paths(land, theirs ^ over, empty, first, last);
			n += further ? further : 1;
		}
	}
	return n;
}

/* Lists these paths; `move` is the path so far. */
static inline int draughts_list_paths(uint64_t at, uint64_t theirs, uint64_t empty, int first,
				      int last, qv_move move, qv_move *list)
{
	const int jumps = draughts_jumps(move);
	int n = 0;
	for (int d = first; d <= last; d++) {
		const uint64_t over = draughts_shift(at, d) & theirs;
		const uint64_t land = draughts_shift(over, d) & empty;
		if (land) {
			const qv_move longer = (move | (qv_move)d << (DRAUGHTS_WAY + 2 * jumps)) +
					       (UINT64_C(1) << DRAUGHTS_JUMPS);
			const int further = draughts_list_paths(land, theirs ^ over, empty, first,
								last, longer, list + n);
			if (!further)
				list[n] = longer;
			n += further ? further : 1;
		}
	}
	return n;
}

QV_ALWAYS_INLINE int draughts_list_captures(const struct draughts *s, uint64_t takers, int side,
					    qv_move *list)
{
	const uint64_t theirs = s->pieces[1 - side], empty = draughts_empty(s);
	const int forward = draughts_forward(side);
	int n = 0;
	for (; takers; takers = bits_rest(takers)) {
		const uint64_t at = takers & -takers;
		const bool king = s->kings & at;
		n += draughts_list_paths(at, theirs, empty | at, king ? 0 : forward,
					 king ? 3 : forward + 1, (qv_move)bits_lowest(at),
					 list + n);
	}
	return n;
}

QV_ALWAYS_INLINE int draughts_list_steps(const struct draughts *s, int side, qv_move *list)
{
	const uint64_t empty = draughts_empty(s);
	const int forward = draughts_forward(side);
	int n = 0;
	for (uint64_t left = draughts_movers_of(s, side); left; left = bits_rest(left)) {
		const uint64_t at = left & -left;
		const qv_move from = (qv_move)bits_lowest(at);
		const bool king = s->kings & at;
		const int last = king ? 3 : forward + 1;
		for (int d = king ? 0 : forward; d <= last; d++)
			if (draughts_shift(at, d) & empty)
				list[n++] = from | (qv_move)d << DRAUGHTS_WAY;
	}
	return n;
}

/* The moves that capture; if there is one, no others are legal. */
static inline int draughts_captures(const struct draughts *s, qv_move *list)
{
	const uint64_t takers = draughts_takers(s);
	return takers ? draughts_list_captures(s, takers, s->turn, list) : 0;
}

QV_ALWAYS_INLINE int draughts_moves_of(const struct draughts *s, int side, qv_move *list)
{
	const uint64_t takers = draughts_takers_of(s, side);
	return takers ? draughts_list_captures(s, takers, side, list)
		      : draughts_list_steps(s, side, list);
}

/* In the order of the squares. */
static inline int draughts_moves(const struct draughts *s, qv_move *list)
{
	return s->turn == DRAUGHTS_BLACK ? draughts_moves_of(s, DRAUGHTS_BLACK, list)
					 : draughts_moves_of(s, DRAUGHTS_WHITE, list);
}

QV_ALWAYS_INLINE int draughts_count_of(const struct draughts *s, int side)
{
	const uint64_t mine = s->pieces[side], theirs = s->pieces[1 - side];
	const uint64_t empty = draughts_empty(s), kings = mine & s->kings;
	const int forward = draughts_forward(side), back = draughts_forward(1 - side);
	uint64_t takers = draughts_takers_of(s, side);
	int n = 0;
	if (!takers) {
		n = bits_count(draughts_steppers(mine, empty, forward)) +
		    bits_count(draughts_steppers(mine, empty, forward + 1));
		if (kings)
			n += bits_count(draughts_steppers(kings, empty, back)) +
			     bits_count(draughts_steppers(kings, empty, back + 1));
		return n;
	}
	for (; takers; takers = bits_rest(takers)) {
		const uint64_t at = takers & -takers;
		const bool king = kings & at;
		n += draughts_count_paths(at, theirs, empty | at, king ? 0 : forward,
					  king ? 3 : forward + 1);
	}
	return n;
}

/* The number of legal moves. */
static inline int draughts_count(const struct draughts *s)
{
	return s->turn == DRAUGHTS_BLACK ? draughts_count_of(s, DRAUGHTS_BLACK)
					 : draughts_count_of(s, DRAUGHTS_WHITE);
}

/* ---- the game ---- */

/* Black, on squares 1 to 12, moves first. */
static inline void draughts_start(struct draughts *s, const int64_t *options)
{
	(void)options;
	*s = (struct draughts){ .pieces = { UINT64_C(0x1eff), UINT64_C(0x7fbc00000) } };
}

/* The seat to move. */
static inline int draughts_seat(const struct draughts *s)
{
	return s->turn;
}

/* Plays a move, crowns a man that reached its last row, and passes the turn. */
static inline void draughts_play(struct draughts *s, qv_move move)
{
	const int side = s->turn;
	const uint64_t from = draughts_bit(draughts_from(move)), king = s->kings & from;
	uint64_t taken;
	const uint64_t to = draughts_walk(move, &taken);
	s->pieces[side] ^= from ^ to;
	s->pieces[1 - side] &= ~taken;
	s->kings &= ~(taken | from);
	s->kings |= king ? to : to & draughts_last_row(side);
	/* Perft and tables play on after a draw by count, which must not overflow. */
	if (!king || taken)
		s->quiet = 0;
	else if (s->quiet < DRAUGHTS_QUIET)
		s->quiet++;
	s->turn ^= 1;
}

/* A side without a legal move loses; 40 moves of each side without progress draw. */
static inline enum qv_outcome draughts_result(const struct draughts *s, int32_t *points)
{
	const bool lost = !draughts_can_move(s);
	if (!lost && s->quiet < DRAUGHTS_QUIET)
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = lost;
	return lost ? QV_ENDED : QV_DRAWN_BY_COUNT;
}

/* Without the count of quiet moves: what makes two positions the same. */
static inline uint64_t draughts_repeat_hash(const struct draughts *s)
{
	return qv_mix(s->pieces[0] * UINT64_C(0xd6e8feb86659fd93) +
		      s->pieces[1] * UINT64_C(0xa0761d6478bd642f) +
		      (s->kings << 1 | s->turn) * UINT64_C(0xe7037ed1a0b428db));
}

/* With the count, on which the result depends. */
static inline uint64_t draughts_hash(const struct draughts *s)
{
	return qv_mix(draughts_repeat_hash(s) + s->quiet);
}

/* A draw at the third occurrence. */
static inline enum qv_outcome draughts_repeated(const struct draughts *s, int times,
						int32_t *points)
{
	(void)s;
	points[0] = points[1] = 0;
	return times + 1 >= DRAUGHTS_REPEAT ? QV_ENDED : QV_GOING;
}

/* Captures, and moves of men, cannot be undone. */
static inline bool draughts_irreversible(const struct draughts *s, qv_move move)
{
	return draughts_jumps(move) || !(s->kings >> draughts_from(move) & 1);
}

/* Whether a move captures nothing. */
static inline bool draughts_quiet(const struct draughts *s, qv_move move)
{
	(void)s;
	return !draughts_jumps(move);
}

/* text.c: the slots of struct qv_game with these names. */
void draughts_move_text(const struct draughts *s, qv_move move, struct qv_text *out);
bool draughts_move_parse(const struct draughts *s, const char *text, qv_move *move);
void draughts_position_text(const struct draughts *s, struct qv_text *out);
enum qv_status draughts_position_parse(struct draughts *s, const int64_t *options, const char *text,
				       struct qv_error *error);
void draughts_draw(const struct draughts *s, bool unicode, struct qv_text *out);
/* ... and that of struct engine. */
void draughts_refusal(const void *state, const char *text, struct qv_text *why);
extern const struct qv_board draughts_board; /* board.c */

#endif
