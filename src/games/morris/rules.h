/*
 * rules.h - nine men's morris: placing, moving, flying, mills.
 * SPDX-License-Identifier: MIT
 *
 * Three squares, one inside the other. A point is bit 8 * RING + PLACE, rings from the outermost,
 * places clockwise from the upper left corner, so that rotating eight bits moves along a ring:
 *
 *     0 - - 1 - - 2      a7 d7 g7       Odd places are the middles of the sides, where the
 *     |           |                     rings are linked: bit n with n + 8.
 *     7   ring    3
 *     |           |                     A move is FROM | TO << 5 | TAKEN << 10, each a point or
 *     6 - - 5 - - 4      a1 d1 g1       MORRIS_NONE: without FROM it is a man from the hand.
 *
 * Options that change the rules are in the state, because results depend on them.
 */
#ifndef MORRIS_RULES_H
#define MORRIS_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	MORRIS_POINTS = 24,
	MORRIS_MEN = 9,            /* of each side */
	MORRIS_FEWEST = 3,         /* with fewer a side has lost; with exactly this many it flies */
	MORRIS_NONE = 31,
	MORRIS_TO = 5,             /* where the parts of a move start */
	MORRIS_TAKEN = 10,
	/*
	 * Nine men, each on two lines, hold two points of at most nine lines, whose third point two
	 * men may reach: 18 moves that each capture one of nine. Other moves go along 32 links.
	 */
	MORRIS_MAX_MOVES = 200,
	MORRIS_SYMMETRIES = 16,
};

/* In the order of the table of options. */
enum { MORRIS_FLYING, MORRIS_QUIET, MORRIS_REPEAT };

#define MORRIS_BOARD UINT32_C(0xffffff)
#define MORRIS_CORNERS UINT32_C(0x555555)
#define MORRIS_MIDDLES UINT32_C(0xaaaaaa)

struct morris {
	uint32_t men[2];           /* white, black */
	uint8_t hand[2];
	uint8_t turn;
	uint8_t quiet;             /* moves since a man was placed or captured */
	uint8_t flying;            /* the options */
	uint8_t most_quiet;        /* this many draw; 0: never */
	uint8_t repeat;            /* a position that occurs this many times draws; 0: never */
	uint8_t spare;
};
_Static_assert(sizeof(struct morris) == 16, "no padding");

/* All men are in hand, and White moves first. */
static inline void morris_start(struct morris *s, const int64_t *options)
{
	*s = (struct morris){ .hand = { MORRIS_MEN, MORRIS_MEN },
			      .flying = (uint8_t)options[MORRIS_FLYING],
			      .most_quiet = (uint8_t)options[MORRIS_QUIET],
			      .repeat = (uint8_t)options[MORRIS_REPEAT] };
}

/* The seat to move. */
static inline int morris_seat(const struct morris *s)
{
	return s->turn;
}

/* Every ring rotated clockwise by n places, 1 to 7. */
static inline uint32_t morris_turned(uint32_t points, int n)
{
	const uint32_t low = (UINT32_C(0xff) >> (8 - n)) * UINT32_C(0x010101);
	return ((points << n) & ~low & MORRIS_BOARD) | ((points >> (8 - n)) & low);
}

/* Steps from these men to these points, two directions counted at once. */
static inline int morris_steps(uint32_t men, uint32_t points)
{
	const uint32_t middles = men & MORRIS_MIDDLES;
	const uint64_t both = points | (uint64_t)points << 32;
	return bits_count((morris_turned(men, 1) | (uint64_t)morris_turned(men, 7) << 32) & both) +
	       bits_count((middles << 8 | (uint64_t)(middles >> 8) << 32) & both);
}

/* The points next to any of these. */
static inline uint32_t morris_near(uint32_t points)
{
	const uint32_t middles = points & MORRIS_MIDDLES;
	return morris_turned(points, 1) | morris_turned(points, 7) |
	       (((middles << 8) | (middles >> 8)) & MORRIS_BOARD);
}

/* Those of the men that are in mills. */
static inline uint32_t morris_in_mills(uint32_t men)
{
	const uint32_t first = men & morris_turned(men, 7) & morris_turned(men, 6) & MORRIS_CORNERS;
	const uint32_t across = men & (men >> 8) & (men >> 16) & MORRIS_MIDDLES;
	return first | (first ? morris_turned(first, 1) | morris_turned(first, 2) : 0) | across |
	       (across << 8) | (across << 16);
}

/* The points where one more man would make a mill, including occupied ones. */
__attribute__((always_inline)) static inline uint32_t morris_closing(uint32_t men)
{
	const uint32_t on = morris_turned(men, 7), on2 = morris_turned(men, 6);
	const uint32_t back = morris_turned(men, 1), back2 = morris_turned(men, 2);
	const uint32_t middles = men & MORRIS_MIDDLES;
	const uint32_t out = middles & 0xff, mid = middles >> 8 & 0xff, in = middles >> 16;
	return (((on & on2) | (back & back2)) & MORRIS_CORNERS) |
	       ((on & back) & MORRIS_MIDDLES) | (mid & in) | (out & in) << 8 | (out & mid) << 16;
}

/* The men that a mill of the side to move may capture. */
static inline uint32_t morris_takable(const struct morris *s)
{
	const uint32_t theirs = s->men[1 - s->turn], open = theirs & ~morris_in_mills(theirs);
	return open ? open : theirs;
}

/* Whether the side to move has men in hand; whether its men fly. */
static inline bool morris_is_placing(const struct morris *s)
{
	return s->hand[s->turn] > 0;
}

static inline bool morris_is_flying(const struct morris *s)
{
	return s->flying && bits_count(s->men[s->turn]) == MORRIS_FEWEST;
}

/* A move, and its parts; MORRIS_NONE for a part that it does not have. */
static inline qv_move morris_move(int from, int to, int taken)
{
	return (qv_move)(from | to << MORRIS_TO | taken << MORRIS_TAKEN);
}

static inline int morris_from(qv_move move)
{
	return (int)(move & MORRIS_NONE);
}

static inline int morris_to(qv_move move)
{
	return (int)(move >> MORRIS_TO & MORRIS_NONE);
}

static inline int morris_taken(qv_move move)
{
	return (int)(move >> MORRIS_TAKEN);
}

static inline uint32_t morris_bit(int point)
{
	return UINT32_C(1) << point;
}

/*
 * Lists moves from a point, or the hand, to each target; one move for each man that a mill may
 * capture.
 */
static inline int morris_list(const struct morris *s, int from, uint32_t targets, uint32_t takable,
			      qv_move *list, int n)
{
	const uint32_t others = s->men[s->turn] & ~(from == MORRIS_NONE ? 0 : morris_bit(from));
	const uint32_t closing = takable ? morris_closing(others) : 0;
	for (uint64_t left = targets; left; left = bits_rest(left)) {
		const int to = bits_lowest(left);
		if (!(closing >> to & 1)) {
			list[n++] = morris_move(from, to, MORRIS_NONE);
			continue;
		}
		for (uint64_t taken = takable; taken; taken = bits_rest(taken))
			list[n++] = morris_move(from, to, bits_lowest(taken));
	}
	return n;
}

/* In the order of the points; captures of a mill are separate moves. */
static inline int morris_moves(const struct morris *s, qv_move *list)
{
	const uint32_t mine = s->men[s->turn], takable = morris_takable(s);
	const uint32_t empty = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	int n = 0;
	if (morris_is_placing(s))
		return morris_list(s, MORRIS_NONE, empty, takable, list, 0);
	const bool flying = morris_is_flying(s);
	for (uint64_t left = mine; left; left = bits_rest(left)) {
		const int from = bits_lowest(left);
		const uint32_t targets = flying ? empty : empty & morris_near(morris_bit(from));
		n = morris_list(s, from, targets, takable, list, n);
	}
	return n;
}

/* Plays a move and passes the turn. */
__attribute__((always_inline)) static inline void morris_play(struct morris *s, qv_move move)
{
	const int from = morris_from(move), taken = morris_taken(move), mover = s->turn;
	s->men[mover] |= morris_bit(morris_to(move));
	s->quiet++;
	if (from == MORRIS_NONE) {
		s->hand[mover]--;
		s->quiet = 0;
	} else {
		s->men[mover] &= ~morris_bit(from);
	}
	if (taken != MORRIS_NONE) {
		s->men[1 - mover] &= ~morris_bit(taken);
		s->quiet = 0;
	}
	/*
	 * Perft and tables play on after a draw by count, and without the rule nothing needs the
	 * count.
	 */
	if (s->quiet > s->most_quiet)
		s->quiet = s->most_quiet;
	s->turn ^= 1;
}

/* Whether the side to move has lost: too few men, or no legal move. */
static inline bool morris_has_lost(const struct morris *s)
{
	const uint32_t men = s->men[s->turn], empty = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	if (morris_is_placing(s))
		return false;
	return bits_count(men) < MORRIS_FEWEST ||
	       (!morris_is_flying(s) && !(morris_near(men) & empty));
}

/* A side with too few men or no move loses; a draw by the count of quiet moves gives no points. */
static inline enum qv_outcome morris_result(const struct morris *s, int32_t *points)
{
	const bool lost = morris_has_lost(s);
	if (!lost && (!s->most_quiet || s->quiet < s->most_quiet))
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = lost;
	return lost ? QV_ENDED : QV_DRAWN_BY_COUNT;
}

/* Without the count of quiet moves: what makes two positions the same. */
static inline uint64_t morris_repeat_hash(const struct morris *s)
{
	const uint64_t men = (uint64_t)s->men[0] << 24 | s->men[1];
	const uint64_t rest = (uint64_t)s->hand[0] << 8 | (uint64_t)s->hand[1] << 4 | s->turn;
	return qv_mix(qv_mix(men + 1) + (rest << 24 | (uint64_t)s->repeat << 16 |
					 (uint64_t)s->most_quiet << 8 | s->flying));
}

/* With the count of quiet moves, on which the result depends. */
static inline uint64_t morris_hash(const struct morris *s)
{
	return qv_mix(morris_repeat_hash(s) + s->quiet);
}

/* A draw when the option `repeat` says so. */
static inline enum qv_outcome morris_repeated(const struct morris *s, int times, int32_t *points)
{
	points[0] = points[1] = 0;
	return s->repeat && times + 1 >= s->repeat ? QV_ENDED : QV_GOING;
}

/* Placements and captures cannot be undone. */
static inline bool morris_irreversible(const struct morris *s, qv_move move)
{
	(void)s;
	return morris_from(move) == MORRIS_NONE || morris_taken(move) != MORRIS_NONE;
}

/* ---- the 16 symmetries ---- */

/*
 * Symmetry k: mirrored in the diagonal through a7 if bit 2 is set, rotated by a quarter k & 3
 * times, outer and inner ring swapped if bit 3 is set.
 */
static inline uint32_t morris_image_points(uint32_t points, int k)
{
	if (k & 4) {
		points = (points & UINT32_C(0x0f0f0f)) << 4 | (points & UINT32_C(0xf0f0f0)) >> 4;
		points = (points & UINT32_C(0x333333)) << 2 | (points & UINT32_C(0xcccccc)) >> 2;
		points = (points & MORRIS_CORNERS) << 1 | (points & MORRIS_MIDDLES) >> 1;
		points = morris_turned(points, 1);
	}
	if (k & 3)
		points = morris_turned(points, 2 * (k & 3));
	if (k & 8)
		points = (points & UINT32_C(0x00ff00)) | points >> 16 | (points & 0xff) << 16;
	return points;
}

/* Symmetries move the men; the rest of the state stays as it is. */
static inline void morris_image(const struct morris *s, int k, struct morris *out)
{
	*out = *s;
	for (int side = 0; side < 2; side++)
		out->men[side] = morris_image_points(s->men[side], k);
}

/* MORRIS_NONE stays as it is. */
static inline int morris_image_point(int point, int k)
{
	return point == MORRIS_NONE ? point
				    : bits_lowest(morris_image_points(morris_bit(point), k));
}

static inline qv_move morris_image_move(const struct morris *s, int k, qv_move move)
{
	(void)s;
	return morris_move(morris_image_point(morris_from(move), k),
			   morris_image_point(morris_to(move), k),
			   morris_image_point(morris_taken(move), k));
}

/* text.c: the slots of struct qv_game with these names. */
void morris_move_text(const struct morris *s, qv_move move, struct qv_text *out);
void morris_position_text(const struct morris *s, struct qv_text *out);
enum qv_status morris_position_parse(struct morris *s, const int64_t *options, const char *text,
				     struct qv_error *error);
void morris_draw(const struct morris *s, bool unicode, struct qv_text *out);
extern const char morris_point_names[MORRIS_POINTS][3];
extern const uint8_t morris_text_order[MORRIS_POINTS];
extern const struct qv_board morris_board;     /* board.c */

#endif
