/*
 * lurgee_evaluate.h - the Lurgee framework's nine men's morris: move ordering and evaluations.
 * SPDX-License-Identifier: MIT
 *
 * The framework numbers the points otherwise, and its order of moves depends on that. The sixteen
 * lines are bits of one word: the side of a ring at its first corner clockwise, a line across the
 * rings at its outermost point. So a few words hold what all lines have at their first, second and
 * third points.
 */
#ifndef GAMES_MORRIS_LURGEE_EVALUATE_H
#define GAMES_MORRIS_LURGEE_EVALUATE_H

#include "lurgee/order_key.h"
#include "lurgee/search.h"
#include "games/morris/evaluate.h"

enum {
	MORRIS_L_MAN,
	MORRIS_L_MOBILITY,  /* for each step that a man could make */
	MORRIS_L_MILL,
	MORRIS_L_OPENING,   /* for each empty point beside a mill */
	MORRIS_L_TWO,       /* a line with two men of one side and none of the other */
	MORRIS_L_CLOSES,    /* for each man that can step into the gap, if the side is to move */
	MORRIS_L_WILL_CLOSE, /* ... if it is not to move */
	MORRIS_L_ONE,       /* a line with one man only */
	MORRIS_L_VALENCY,   /* any such line: across the rings, in the middle ring, in the others */
	MORRIS_L_WIN = MORRIS_L_VALENCY + 3,
	MORRIS_L_DRAW,      /* what it costs the side that searches */
	MORRIS_L_LAST_MOVE, /* 1: mobility is what the last move changed, as in the release */
	MORRIS_L_WEIGHTS,
};

#define MORRIS_L_COMMON                                                              \
	[MORRIS_L_MAN] = 256, [MORRIS_L_MOBILITY] = 64, [MORRIS_L_MILL] = 32,        \
	[MORRIS_L_OPENING] = 8, [MORRIS_L_TWO] = 64, [MORRIS_L_CLOSES] = 96,         \
	[MORRIS_L_WILL_CLOSE] = 64, [MORRIS_L_ONE] = 64, [MORRIS_L_VALENCY] = 24, 16, 12
static const int32_t morris_lurgee_weights[MORRIS_L_WEIGHTS] = {
	MORRIS_L_COMMON, [MORRIS_L_WIN] = 100000, [MORRIS_L_DRAW] = 50000,
};
static const int32_t morris_lurgee22_weights[MORRIS_L_WEIGHTS] = {
	MORRIS_L_COMMON, [MORRIS_L_WIN] = 100000, [MORRIS_L_DRAW] = 50000, [MORRIS_L_LAST_MOVE] = 1,
};
static const int32_t morris_alternative_weights[MORRIS_L_WEIGHTS] = {
	MORRIS_L_COMMON, [MORRIS_L_WIN] = 100000, [MORRIS_L_LAST_MOVE] = 1,
};
#undef MORRIS_L_COMMON

static const struct qv_weight morris_lurgee_names[] = {
	{ "man", MORRIS_L_MAN, 1 },	    { "mobility", MORRIS_L_MOBILITY, 1 },
	{ "mill", MORRIS_L_MILL, 1 },	    { "opening", MORRIS_L_OPENING, 1 },
	{ "two", MORRIS_L_TWO, 1 },	    { "closes", MORRIS_L_CLOSES, 1 },
	{ "will-close", MORRIS_L_WILL_CLOSE, 1 }, { "one", MORRIS_L_ONE, 1 },
	{ "valency", MORRIS_L_VALENCY, 3 }, { "win", MORRIS_L_WIN, 1 },
	{ "draw", MORRIS_L_DRAW, 1 },	    { "last-move", MORRIS_L_LAST_MOVE, 1 },
	{ 0 },
};

/* ---- numbers ---- */

/* The framework's number of each of our points; 0 for MORRIS_NONE. */
static const uint8_t morris_lurgee_number[MORRIS_NONE + 1] = {
	12, 4, 13, 5, 14, 6, 15, 7,    /* a7 d7 g7 g4 g1 d1 a1 a4 */
	16, 0, 17, 1, 18, 2, 19, 3,    /* b6 d6 f6 f4 f2 d2 b2 b4 */
	20, 8, 21, 9, 22, 10, 23, 11,  /* c5 d5 e5 e4 e3 d3 c3 c4 */
};

/* Our point for each of its numbers. */
static const uint8_t morris_lurgee_point[MORRIS_POINTS] = {
	9, 11, 13, 15, 1, 3, 5, 7, 17, 19, 21, 23, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22,
};

/* ---- lines ---- */

#define MORRIS_ACROSS UINT32_C(0x0000aa)       /* where the four lines across the rings are */
#define MORRIS_MIDDLE_SIDES UINT32_C(0x005500)
#define MORRIS_OTHER_SIDES UINT32_C(0x550055)

/* For each line, whether its first, second, third point is among these. */
struct morris_lines {
	uint32_t first, second, third;
};

/* Sorts a set of points by their place on each line. */
static inline struct morris_lines morris_lines(uint32_t points)
{
	return (struct morris_lines){
		points & (MORRIS_CORNERS | MORRIS_ACROSS),
		(morris_turned(points, 7) & MORRIS_CORNERS) | (points >> 8 & MORRIS_ACROSS),
		(morris_turned(points, 6) & MORRIS_CORNERS) | (points >> 16 & MORRIS_ACROSS),
	};
}

/*
 * The number of men next to the gap of a line that has two of them, outside the line. A gap has at
 * most two such neighbours.
 */
static inline int morris_gap_neighbours(uint32_t men, uint32_t two, const struct morris_lines *l)
{
	const uint32_t before = morris_turned(men, 1), after = morris_turned(men, 7);
	const uint32_t middles = men & MORRIS_MIDDLES;
	const uint32_t outwards = morris_turned(middles << 8 & MORRIS_BOARD, 7) & MORRIS_CORNERS;
	const uint32_t inwards = morris_turned(middles >> 8, 7) & MORRIS_CORNERS;
	const uint32_t first = two & ~l->first, second = two & ~l->second;
	const uint32_t third = two & ~l->third;
	const uint32_t the_one =
		(first & before) | (second & (outwards | (before >> 8 & MORRIS_ACROSS))) |
		(third & ((morris_turned(men, 5) & MORRIS_CORNERS) |
			  (before >> 16 & MORRIS_ACROSS)));
	const uint32_t the_other = (first & after & MORRIS_ACROSS) |
				   (second & (inwards | (after >> 8 & MORRIS_ACROSS))) |
				   (third & (after >> 16 & MORRIS_ACROSS));
	return bits_count(the_one | (uint64_t)the_other << 32);
}

/* What a search keeps of its root position, and tables. */
struct morris_lurgee_root {
	int placed[2];             /* moves made, as far as the position shows: men placed */
	uint32_t numbered[3][256]; /* the points of each ring as a set of the framework's numbers */
	uint32_t beside[MORRIS_POINTS]; /* the points next to each line */
};

/* The value of a side's lines without men of the other side, which is in `blocked`. */
__attribute__((always_inline)) static inline int32_t
morris_lines_value(const struct morris_lurgee_root *r, uint32_t men, const struct morris_lines *l,
		   uint32_t blocked, uint32_t empty, int32_t closes, const int32_t *w)
{
	const uint32_t any = (l->first | l->second | l->third) & ~blocked;
	const uint32_t mills = l->first & l->second & l->third;
	const uint32_t two = ((l->first & l->second) | (l->first & l->third) |
			      (l->second & l->third)) & ~mills & ~blocked;
	const uint32_t one = any & ~two & ~mills;
	int32_t value = w[MORRIS_L_ONE] * bits_count(one) +
			w[MORRIS_L_VALENCY] * bits_count(any & MORRIS_ACROSS) +
			w[MORRIS_L_VALENCY + 1] * bits_count(any & MORRIS_MIDDLE_SIDES) +
			w[MORRIS_L_VALENCY + 2] * bits_count(any & MORRIS_OTHER_SIDES);
	if (two)
		value += w[MORRIS_L_TWO] * bits_count(two) +
			 closes * morris_gap_neighbours(men, two, l);
	for (uint64_t left = mills; left; left = bits_rest(left))
		value += w[MORRIS_L_MILL] +
			 w[MORRIS_L_OPENING] * bits_count(r->beside[bits_lowest(left)] & empty);
	return value;
}

/* Steps of the side to move minus those of the other. */
static inline int32_t morris_lurgee_mobility(const struct morris *s)
{
	const uint32_t empty = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	return morris_steps(s->men[s->turn], empty) - morris_steps(s->men[1 - s->turn], empty);
}

/* ---- the evaluator ---- */

/* A set of our points, in the framework's numbers. */
static inline uint32_t morris_lurgee_numbered(const struct morris_lurgee_root *r, uint32_t points)
{
	return r->numbered[0][points & 255] | r->numbered[1][points >> 8 & 255] |
	       r->numbered[2][points >> 16 & 255];
}

/* Fills the tables of a search from its root position. */
static inline void morris_lurgee_prepare(const struct morris *s, const int32_t *weights,
					 struct morris_lurgee_root *r)
{
	(void)weights;
	r->placed[0] = MORRIS_MEN - s->hand[0];
	r->placed[1] = MORRIS_MEN - s->hand[1];
	for (int line = 0; line < MORRIS_POINTS; line++) {
		const uint32_t at = morris_bit(line);
		const uint32_t on = at & MORRIS_ACROSS
					    ? at | at << 8 | at << 16
					    : at | morris_turned(at, 1) | morris_turned(at, 2);
		r->beside[line] = morris_near(on) & ~on;
	}
	for (int ring = 0; ring < 3; ring++) {
		r->numbered[ring][0] = 0;
		for (unsigned set = 1; set < 256; set++)
			r->numbered[ring][set] =
				r->numbered[ring][set & (set - 1)] |
				morris_bit(morris_lurgee_number[8 * ring + bits_lowest(set)]);
	}
}

/* A draw by the count of quiet moves. */
static inline bool morris_lurgee_drawn(const struct morris *s)
{
	return s->most_quiet && s->quiet >= s->most_quiet;
}

/*
 * The value for the side to move, `ply` plies down. before: the mobility of the position before the
 * last move, for the side that made it.
 */
static inline int32_t morris_lurgee_score(const struct morris_lurgee_root *r,
					  const struct morris *s, int32_t before, int ply,
					  const int32_t *w)
{
	/* The number of moves made counts against a quick loss or draw. */
	const int32_t made = r->placed[s->turn] + ply / 2;
	if (morris_has_lost(s))
		return made - w[MORRIS_L_WIN];
	if (morris_lurgee_drawn(s) && w[MORRIS_L_DRAW])
		return ply % 2 ? w[MORRIS_L_DRAW] - made : made - w[MORRIS_L_DRAW];
	if (morris_lurgee_drawn(s))
		return 0;
	const uint32_t mine = s->men[s->turn], theirs = s->men[1 - s->turn];
	const uint32_t empty = MORRIS_BOARD & ~(mine | theirs);
	const struct morris_lines my = morris_lines(mine), their = morris_lines(theirs);
	const int men = morris_men(s, s->turn) - morris_men(s, 1 - s->turn);
	const int32_t mobility = morris_lurgee_mobility(s) + (w[MORRIS_L_LAST_MOVE] ? before : 0);
	return w[MORRIS_L_MAN] * men + w[MORRIS_L_MOBILITY] * mobility +
	       morris_lines_value(r, mine, &my, their.first | their.second | their.third, empty,
				  w[MORRIS_L_CLOSES], w) -
	       morris_lines_value(r, theirs, &their, my.first | my.second | my.third, empty,
				  w[MORRIS_L_WILL_CLOSE], w);
}

/* ---- the order of moves ---- */

/* The number of empty points next to each point, as binary digits, for all at once. */
struct morris_room {
	uint32_t ones, twos, fours;
};

static inline struct morris_room morris_room(uint32_t empty)
{
	const uint32_t a = morris_turned(empty, 1), b = morris_turned(empty, 7);
	const uint32_t middles = empty & MORRIS_MIDDLES;
	const uint32_t c = middles << 8 & MORRIS_BOARD, d = middles >> 8;
	const uint32_t ab = a & b, cd = c & d, x = a ^ b, y = c ^ d;
	return (struct morris_room){ x ^ y, ab ^ cd ^ (x & y), ab & cd };
}

/* The number of empty neighbours of one point. */
static inline int morris_room_at(const struct morris_room *room, int point)
{
	return (int)((room->ones >> point & 1) + 2 * (room->twos >> point & 1) +
		     4 * (room->fours >> point & 1));
}

/*
 * The moves, and a sort key for each: its rank is the number of empty points next to the target
 * and, for men from the hand, a bonus for mills closed or prevented. 0 moves: the game is over. A
 * placement is listed as a move from MORRIS_NONE.
 */
static inline int morris_lurgee_moves(const struct morris *s, qv_move *list, uint32_t *keys)
{
	const uint32_t mine = s->men[s->turn], empty = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	if (morris_has_lost(s) || morris_lurgee_drawn(s))
		return 0;
	const struct morris_room room = morris_room(empty);
	const uint32_t takable = morris_takable(s), blocking = morris_closing(s->men[1 - s->turn]);
	const bool placing = morris_is_placing(s), flying = morris_is_flying(s);
	int n = 0;
	for (uint64_t men = placing ? morris_bit(MORRIS_NONE) : mine; men; men = bits_rest(men)) {
		const int from = bits_lowest(men);
		const uint32_t closing = morris_closing(mine & ~morris_bit(from));
		const uint32_t targets =
			placing || flying ? empty : empty & morris_near(morris_bit(from));
		const unsigned number = morris_lurgee_number[from];
		for (uint64_t left = targets; left; left = bits_rest(left)) {
			const int to = bits_lowest(left);
			const bool mill = closing >> to & 1;
			unsigned place = morris_lurgee_number[to];
			int rank = morris_room_at(&room, to);
			/*
			 * The framework lists the links of its points 0 to 3, the middles of the
			 * middle ring, in this order: the corners of the ring, the outer ring, the
			 * inner ring; all others by number.
			 */
			if (placing)
				rank += mill ? 10 : 5 * (int)(blocking >> to & 1);
			else if (flying)
				place = place << 5 | number;
			else
				place += (number < 4 && place < 16 ? 24 : 0) + (number << 6);
			/* A mill gives one move for each man that it may capture. */
			if (!mill || !takable) {
				list[n] = morris_move(from, to, MORRIS_NONE);
				keys[n] = order_key(rank, place << 5, n);
				n++;
				continue;
			}
			for (uint64_t each = takable; each; each = bits_rest(each), n++) {
				const int taken = bits_lowest(each);
				list[n] = morris_move(from, to, taken);
				keys[n] = order_key(rank, place << 5 | morris_lurgee_number[taken],
						    n);
			}
		}
	}
	return n;
}

/*
 * Picks placements one after the other: sets of the framework's numbers, those of equal rank
 * together. Mills come first (ranks from 10), then moves that prevent one (from 5), then the rest.
 */
struct morris_lurgee_picker {
	uint32_t kinds[3];         /* mills, preventing, others; what is left of them */
	uint32_t rooms[5];         /* points with no empty neighbour, one, ... */
	int kind, room;
	uint32_t takable;          /* what a mill may capture */
	int to;                    /* a mill whose ... */
	uint32_t taking;           /* ... captures are left */
	int out_count;             /* killers with captures, already tried */
	qv_move out[8];
};

/* False: the moves must be listed instead, or there are none. */
static inline bool morris_lurgee_begin(const struct morris_lurgee_root *r, const struct morris *s,
				       struct morris_lurgee_picker *p)
{
	if (!morris_is_placing(s) || morris_lurgee_drawn(s))
		return false;
	const uint32_t ours = MORRIS_BOARD & ~(s->men[0] | s->men[1]);
	const uint32_t closing = morris_closing(s->men[s->turn]) & ours;
	const uint32_t empty = morris_lurgee_numbered(r, ours);
	const struct morris_room room = morris_room(ours);
	const uint32_t ones = morris_lurgee_numbered(r, room.ones);
	const uint32_t twos = morris_lurgee_numbered(r, room.twos);
	const uint32_t fours = morris_lurgee_numbered(r, room.fours);
	const uint32_t takable = closing ? morris_takable(s) : 0;
	const uint32_t mills = takable ? morris_lurgee_numbered(r, closing) : 0;
	const uint32_t stops = morris_lurgee_numbered(r, morris_closing(s->men[1 - s->turn])) &
			       empty & ~mills;
	*p = (struct morris_lurgee_picker){
		.kinds = { mills, stops, empty & ~mills & ~stops },
		.rooms = { ~(ones | twos | fours), ones & ~twos, twos & ~ones, ones & twos, fours },
		.room = 4,
		.takable = takable ? morris_lurgee_numbered(r, takable) : 0,
	};
	return true;
}

/* Takes out a killer move if it is legal, so that it is not picked again. */
static inline bool morris_lurgee_take_out(struct morris_lurgee_picker *p, uint32_t id,
					  qv_move *move, unsigned *place)
{
	if (morris_from(id) != MORRIS_NONE)
		return false;
	const int to = morris_lurgee_number[morris_to(id)], taken = morris_taken(id);
	const uint32_t at = morris_bit(to);
	*move = id;
	if (taken == MORRIS_NONE) {
		if (!((p->kinds[1] | p->kinds[2]) & at))
			return false;
		p->kinds[1] &= ~at;
		p->kinds[2] &= ~at;
		*place = (unsigned)to << 5;
		return true;
	}
	const unsigned number = morris_lurgee_number[taken];
	if (!(p->kinds[0] & at) || !(p->takable >> number & 1))
		return false;
	p->out[p->out_count++] = id;
	*place = (unsigned)to << 5 | number;
	return true;
}

/* The next capture of the mill at p->to that has not been taken out. */
static inline qv_move morris_lurgee_capture(struct morris_lurgee_picker *p)
{
	while (p->taking) {
		const int taken = bits_highest(p->taking);
		const qv_move move = morris_move(MORRIS_NONE, p->to, morris_lurgee_point[taken]);
		int out = 0;
		p->taking ^= morris_bit(taken);
		while (out < p->out_count && p->out[out] != move)
			out++;
		if (out == p->out_count)
			return move;
	}
	return QV_NO_MOVE;
}

/* The next placement, or QV_NO_MOVE. */
static inline qv_move morris_lurgee_pick(struct morris_lurgee_picker *p)
{
	const qv_move next = morris_lurgee_capture(p);
	if (next != QV_NO_MOVE)
		return next;
	for (; p->kind < 3; p->kind++, p->room = 4)
		for (; p->kinds[p->kind] && p->room >= 0; p->room--) {
			uint32_t here;
			while ((here = p->kinds[p->kind] & p->rooms[p->room]) != 0) {
				const int number = bits_highest(here);
				p->kinds[p->kind] ^= morris_bit(number);
				p->to = morris_lurgee_point[number];
				if (p->kind)
					return morris_move(MORRIS_NONE, p->to, MORRIS_NONE);
				p->taking = p->takable;
				const qv_move move = morris_lurgee_capture(p);
				if (move != QV_NO_MOVE)
					return move;
			}
		}
	return QV_NO_MOVE;
}

/* What identifies a move among the killers: the move itself. */
static inline uint32_t morris_lurgee_id(qv_move move)
{
	return (uint32_t)move;
}

/* No limit: men can move back and forth. */
static inline int morris_lurgee_left(const struct morris *s)
{
	(void)s;
	return INT32_MAX;
}

#endif
