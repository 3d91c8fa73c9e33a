/*
 * rules.h - hexapawn: three pawns a side on a 3x3 board. White moves first, up the board.
 * SPDX-License-Identifier: MIT
 *
 * Squares are bits 0 to 8, rank by rank from a1 at the bottom left:
 *
 *     6 7 8   rank 3        A move is its two squares, FROM | TO << 4.
 *     3 4 5
 *     0 1 2   rank 1
 *
 * The result for a side that cannot move is an option. It is in the state, because the result of a
 * position depends on it.
 */
#ifndef HEXAPAWN_RULES_H
#define HEXAPAWN_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum { HEXAPAWN_WHITE, HEXAPAWN_BLACK };
enum { HEXAPAWN_LOSS, HEXAPAWN_DRAW };         /* the values of the option `blocked` */

struct hexapawn {
	uint16_t pawns[2];         /* white, black */
	uint8_t turn;
	uint8_t blocked;           /* the option */
};
_Static_assert(sizeof(struct hexapawn) == 6, "no padding");

enum {
	HEXAPAWN_BOARD = 0x1ff,
	HEXAPAWN_COLUMN_A = 0x049,
	HEXAPAWN_COLUMN_C = 0x124,
	HEXAPAWN_MAX_MOVES = 5,    /* over all positions, as a test counts */
	HEXAPAWN_TO = 4,           /* where the second square starts in a move */
};

/* The rank where the pawns of each side start, and the one that they must reach. */
static const uint16_t hexapawn_home[2] = { 0x007, 0x1c0 };
static const uint16_t hexapawn_goal[2] = { 0x1c0, 0x007 };

static inline void hexapawn_start(struct hexapawn *s, const int64_t *options)
{
	*s = (struct hexapawn){ .pawns = { hexapawn_home[0], hexapawn_home[1] },
				.blocked = (uint8_t)options[0] };
}

static inline int hexapawn_seat(const struct hexapawn *s)
{
	return s->turn;
}

/* The squares one rank ahead of the pawns and `aside` columns to the right. */
static inline int hexapawn_ahead(int pawns, int seat, int aside)
{
	const int edge = aside < 0 ? HEXAPAWN_COLUMN_A : aside > 0 ? HEXAPAWN_COLUMN_C : 0;
	pawns &= ~edge;
	return (seat == HEXAPAWN_WHITE ? pawns << (3 + aside) : pawns >> (3 - aside)) &
	       HEXAPAWN_BOARD;
}

/* Where these pawns of the mover can go: straight ahead to an empty square, aside to capture. */
static inline int hexapawn_targets(const struct hexapawn *s, int pawns, int aside)
{
	const int theirs = s->pawns[1 - s->turn], all = s->pawns[0] | s->pawns[1];
	return hexapawn_ahead(pawns, s->turn, aside) & (aside ? theirs : ~all);
}

/* The move between two squares, given as bits. */
static inline qv_move hexapawn_move(int from, int to)
{
	return (qv_move)(bits_lowest((uint64_t)from) | bits_lowest((uint64_t)to) << HEXAPAWN_TO);
}

/* Lists the moves of the side to move, pawn by pawn from a1, captures to the left first. */
static inline int hexapawn_moves(const struct hexapawn *s, qv_move *list)
{
	int n = 0;
	for (uint64_t left = s->pawns[s->turn]; left; left = bits_rest(left)) {
		const int from = bits_lowest(left);
		for (int aside = -1; aside <= 1; aside++) {
			const int to = hexapawn_targets(s, 1 << from, aside);
			if (to)
				list[n++] = hexapawn_move(1 << from, to);
		}
	}
	return n;
}

/* The squares of a move, as bits. */
static inline int hexapawn_from(qv_move move)
{
	return 1 << (move & 15);
}

static inline int hexapawn_to(qv_move move)
{
	return 1 << (move >> HEXAPAWN_TO);
}

static inline void hexapawn_play(struct hexapawn *s, qv_move move)
{
	s->pawns[s->turn] = (uint16_t)((s->pawns[s->turn] ^ hexapawn_from(move)) |
				       hexapawn_to(move));
	s->turn ^= 1;
	s->pawns[s->turn] &= (uint16_t)~hexapawn_to(move);
}

/* Only the last to move can have reached the far rank. */
static inline enum qv_outcome hexapawn_result(const struct hexapawn *s, int32_t *points)
{
	const int last = 1 - s->turn;
	const int mine = s->pawns[s->turn];
	const bool arrived = s->pawns[last] & hexapawn_goal[last];
	if (!arrived && (hexapawn_targets(s, mine, -1) | hexapawn_targets(s, mine, 0) |
			 hexapawn_targets(s, mine, 1)))
		return QV_GOING;
	points[last] = arrived || s->blocked == HEXAPAWN_LOSS;
	points[1 - last] = 0;
	return QV_ENDED;
}

/* A number that no other position has, mixed. */
static inline uint64_t hexapawn_hash(const struct hexapawn *s)
{
	return qv_mix(((uint64_t)s->pawns[0] << 16 | s->pawns[1]) + 1 +
		      ((uint64_t)s->turn << 32 | (uint64_t)s->blocked << 33));
}

/*
 * The evaluation of the 1983 program: each pawn counts by the rank it has reached, plus one. The
 * program looks only at positions after its own move, where the other side cannot have reached the
 * far rank. Here both sides get that prize, so that the value for one side is the negative of the
 * other's.
 */
enum { HEXAPAWN_RANK, HEXAPAWN_PAWN = HEXAPAWN_RANK + 3, HEXAPAWN_WEIGHTS };

static const int32_t hexapawn_weights[HEXAPAWN_WEIGHTS] = {
	[HEXAPAWN_RANK] = 1, 4, 9 + 20, /* at home, one step ahead, on the far rank */
	[HEXAPAWN_PAWN] = 1,
};

static const struct qv_weight hexapawn_weight_names[] = {
	{ "rank", HEXAPAWN_RANK, 3 }, { "pawn", HEXAPAWN_PAWN, 1 }, { 0 },
};

QV_ALWAYS_INLINE int32_t hexapawn_side_value_as(const struct hexapawn *s, int seat,
						const int32_t *w, struct qv_terms *terms)
{
	const int pawns = s->pawns[seat], home = pawns & hexapawn_home[seat],
		  arrived = pawns & hexapawn_goal[seat], between = pawns ^ home ^ arrived;
	return qv_weigh(terms, w, HEXAPAWN_RANK, seat, bits_count((uint64_t)home)) +
	       qv_weigh(terms, w, HEXAPAWN_RANK + 1, seat, bits_count((uint64_t)between)) +
	       qv_weigh(terms, w, HEXAPAWN_RANK + 2, seat, bits_count((uint64_t)arrived)) +
	       qv_weigh(terms, w, HEXAPAWN_PAWN, seat, bits_count((uint64_t)pawns));
}

static inline int32_t hexapawn_side_value(const struct hexapawn *s, int seat, const int32_t *w)
{
	return hexapawn_side_value_as(s, seat, w, NULL);
}

static inline int32_t hexapawn_evaluate(const struct hexapawn *s, const void *weights)
{
	return hexapawn_side_value(s, s->turn, weights) -
	       hexapawn_side_value(s, 1 - s->turn, weights);
}

/* Pawns only. */
static inline int32_t hexapawn_material(const struct hexapawn *s)
{
	return bits_count(s->pawns[s->turn]) - bits_count(s->pawns[1 - s->turn]);
}

/* Move ordering: reaching the far rank, then captures. */
static inline int32_t hexapawn_rank(const struct hexapawn *s, qv_move move)
{
	const int to = hexapawn_to(move);
	return to & hexapawn_goal[s->turn] ? 2 : to & s->pawns[1 - s->turn] ? 1 : 0;
}

static inline int hexapawn_mirror(int pawns)
{
	return (pawns & HEXAPAWN_COLUMN_A) << 2 | (pawns & HEXAPAWN_COLUMN_C) >> 2 |
	       (pawns & ~(HEXAPAWN_COLUMN_A | HEXAPAWN_COLUMN_C));
}

/* Symmetry 1 is the mirror image. */
static inline void hexapawn_image(const struct hexapawn *s, int k, struct hexapawn *out)
{
	*out = *s;
	for (int seat = 0; k && seat < 2; seat++)
		out->pawns[seat] = (uint16_t)hexapawn_mirror(s->pawns[seat]);
}

static inline qv_move hexapawn_image_move(const struct hexapawn *s, int k, qv_move move)
{
	(void)s;
	return !k ? move
		  : hexapawn_move(hexapawn_mirror(hexapawn_from(move)),
				  hexapawn_mirror(hexapawn_to(move)));
}

/*
 * text.c: the slots of struct qv_game with these names. move_parse accepts 1,1 1,2; all other moves
 * are found by their text. position_parse accepts only positions that a game can reach, or that
 * lack pawns, and leaves *s unchanged if it fails.
 */
void hexapawn_move_text(const struct hexapawn *s, qv_move move, struct qv_text *out);
bool hexapawn_move_parse(const struct hexapawn *s, const char *text, qv_move *move);
void hexapawn_position_text(const struct hexapawn *s, struct qv_text *out);
enum qv_status hexapawn_position_parse(struct hexapawn *s, const int64_t *options, const char *text,
				       struct qv_error *error);
void hexapawn_draw(const struct hexapawn *s, bool unicode, struct qv_text *out);

extern const struct qv_board hexapawn_board;     /* board.c */

#endif
