/*
 * rules.h - Warp Trog, the game of the 1983 book's chapter 13: Valgs and Trogs on a 6x6 board.
 * SPDX-License-Identifier: MIT
 *
 * Squares are bits 0 to 35, rank by rank from a1 at the bottom left. A move is its two squares,
 * FROM | TO << 6, or WARPTROG_WARP.
 *
 * A warp visits the squares from f6 to a1: file f first, and each file from rank 6 down. A Trog of
 * the warping side that is met goes to a random one of the 36 squares. It stays if one of its own
 * men is there, and it removes an enemy there. A Trog that lands on a square still to be visited
 * warps again. While a warp is under way, chance is to move, and its moves are the squares 0 to 35.
 *
 * rules=1983 has two faults of the listing. It allows one warp more than the rules, since it
 * compares the warps used with 6 (lines 930, 950, 1260). And line 1020, a leftover of capturing en
 * passant, empties the square of rank 4 that the first side moved to last, when the second side
 * moves sideways to the square below it.
 */
#ifndef WARPTROG_RULES_H
#define WARPTROG_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	WARPTROG_SIZE = 6,
	WARPTROG_SQUARES = 36,
	WARPTROG_NONE = WARPTROG_SQUARES, /* no square */
	WARPTROG_MEN = 5,		  /* of each side at the start */
	WARPTROG_TO = 6,		  /* where the second square starts in a move */
	WARPTROG_WARP = 0xfff,		  /* a move; no pair of squares has this number */
	WARPTROG_MAX_MOVES = WARPTROG_SQUARES,
	WARPTROG_MOST_WARPS = 9, /* the largest value of the option `warps` */
};

/* The options, and the values of `rules`. */
enum { WARPTROG_OPTION_WARPS, WARPTROG_OPTION_RULES };
enum { WARPTROG_TEXT, WARPTROG_1983 };

struct warptrog {
	uint64_t men[2]; /* each side's Valgs and Trogs */
	uint64_t trogs;	 /* of both sides */
	uint8_t turn;
	uint8_t warps[2]; /* left */
	uint8_t warping;  /* the square of the Trog that chance moves, or WARPTROG_NONE */
	uint8_t rules;	  /* the option */
	/* rules=1983: where the first side moved to last, if on rank 4, or WARPTROG_NONE */
	uint8_t last;
	/* In a search with contempt: 1 + the seat that is expected to play worse. Elsewhere 0. */
	uint8_t weaker;
	uint8_t unused;
};
_Static_assert(sizeof(struct warptrog) == 32, "no padding");

#define WARPTROG_BOARD ((UINT64_C(1) << WARPTROG_SQUARES) - 1)
#define WARPTROG_FILE_A UINT64_C(0x041041041)
#define WARPTROG_FILE_F (WARPTROG_FILE_A << 5)
#define WARPTROG_RANK_1 UINT64_C(0x3f)
#define WARPTROG_RANK_6 (WARPTROG_RANK_1 << 30)

/* The rank where the Valgs of each side become Trogs. */
#define WARPTROG_GOAL(seat) ((seat) ? WARPTROG_RANK_1 : WARPTROG_RANK_6)

/* The warps that a side starts with, which no position exceeds. */
static inline int warptrog_most_warps(const int64_t *options)
{
	const int warps = (int)options[WARPTROG_OPTION_WARPS];
	return warps && options[WARPTROG_OPTION_RULES] == WARPTROG_1983 ? warps + 1 : warps;
}

/* Valgs on a, b, e and f, a Trog on c2 against one on d5. */
static inline void warptrog_start(struct warptrog *s, const int64_t *options)
{
	const uint8_t warps = (uint8_t)warptrog_most_warps(options);
	*s = (struct warptrog){
		.men = { UINT64_C(0x37) << 6, UINT64_C(0x3b) << 24 },
		.trogs = UINT64_C(1) << 8 | UINT64_C(1) << 27,
		.warps = { warps, warps },
		.warping = WARPTROG_NONE,
		.rules = (uint8_t)options[WARPTROG_OPTION_RULES],
		.last = WARPTROG_NONE,
	};
}

static inline int warptrog_seat(const struct warptrog *s)
{
	return s->warping == WARPTROG_NONE ? s->turn : QV_CHANCE;
}

/* The side whose warp is under way. */
static inline int warptrog_chain_seat(const struct warptrog *s)
{
	return s->turn;
}

static inline bool warptrog_starts_chain(const struct warptrog *s, qv_move move)
{
	(void)s;
	return move == WARPTROG_WARP;
}

/* For the evaluation `net`, which then expects the other seat to play like the 1983 program. */
static inline void warptrog_set_contempt(struct warptrog *s, int seat)
{
	s->weaker = (uint8_t)(2 - seat);
}

/* The squares to the left and right of these. */
static inline uint64_t warptrog_beside(uint64_t squares)
{
	return (squares & ~WARPTROG_FILE_F) << 1 | (squares & ~WARPTROG_FILE_A) >> 1;
}

/* The four neighbours of each of these squares. */
static inline uint64_t warptrog_around(uint64_t squares)
{
	return (warptrog_beside(squares) | squares << WARPTROG_SIZE | squares >> WARPTROG_SIZE) &
	       WARPTROG_BOARD;
}

/* The squares one rank ahead of these. */
static inline uint64_t warptrog_ahead(uint64_t squares, int seat)
{
	return (seat ? squares >> WARPTROG_SIZE : squares << WARPTROG_SIZE) & WARPTROG_BOARD;
}

/* The men of a side with a friend beside them: Valgs cannot capture these. */
static inline uint64_t warptrog_supported(const struct warptrog *s, int seat)
{
	return s->men[seat] & warptrog_beside(s->men[seat]);
}

/* Where the Valgs of a side may not go. */
static inline uint64_t warptrog_closed_to_valgs(const struct warptrog *s, int seat)
{
	return s->men[seat] | warptrog_supported(s, 1 - seat);
}

/* Whether a side has a move other than a warp. */
static inline bool warptrog_can_move(const struct warptrog *s, int seat)
{
	const uint64_t mine = s->men[seat], trogs = mine & s->trogs;
	return (warptrog_around(trogs) & ~mine) ||
	       (warptrog_ahead(mine & ~trogs, seat) & ~warptrog_closed_to_valgs(s, seat));
}

/* A warp is completed before anyone has lost. */
static inline bool warptrog_has_ended(const struct warptrog *s)
{
	return s->warping == WARPTROG_NONE && !warptrog_can_move(s, s->turn);
}

/* The squares in order; or man by man from a1, with targets in the same order, and the warp. */
static inline int warptrog_moves(const struct warptrog *s, qv_move *list)
{
	int n = 0;
	if (s->warping != WARPTROG_NONE) {
		for (; n < WARPTROG_SQUARES; n++)
			list[n] = (qv_move)n;
		return n;
	}
	const uint64_t mine = s->men[s->turn], closed = warptrog_closed_to_valgs(s, s->turn);
	for (uint64_t left = mine; left; left = bits_rest(left)) {
		const uint64_t from = left & -left;
		uint64_t to = from & s->trogs ? warptrog_around(from) & ~mine
					      : warptrog_ahead(from, s->turn) & ~closed;
		for (; to; to = bits_rest(to))
			list[n++] = (qv_move)(bits_lowest(from) | bits_lowest(to) << WARPTROG_TO);
	}
	if (n && s->warps[s->turn])
		list[n++] = WARPTROG_WARP;
	return n;
}

/* How many squares a warp visits before this one. */
static inline int warptrog_visit(int square)
{
	return WARPTROG_SQUARES - 1 - square % WARPTROG_SIZE * WARPTROG_SIZE -
	       square / WARPTROG_SIZE;
}

/* Goes on to the first Trog that the scan meets from a visit on, or ends the warp and the turn. */
static inline void warptrog_scan(struct warptrog *s, int visit)
{
	int first = WARPTROG_SQUARES;
	s->warping = WARPTROG_NONE;
	for (uint64_t left = s->men[s->turn] & s->trogs; left; left = bits_rest(left)) {
		const int square = bits_lowest(left), at = warptrog_visit(square);
		if (at >= visit && at < first) {
			first = at;
			s->warping = (uint8_t)square;
		}
	}
	if (s->warping == WARPTROG_NONE)
		s->turn = (uint8_t)(1 - s->turn);
}

/* Moves a man of the side to move, which removes an enemy; Valgs on the far rank become Trogs. */
static inline void warptrog_shift(struct warptrog *s, int from, int to)
{
	const uint64_t origin = UINT64_C(1) << from, target = UINT64_C(1) << to;
	const bool trog = (s->trogs & origin) || (target & WARPTROG_GOAL(s->turn));
	s->men[s->turn] ^= origin | target;
	s->men[1 - s->turn] &= ~target;
	s->trogs &= ~(origin | target);
	s->trogs |= trog ? target : 0;
}

/* rules=1983: line 1020, and the square that it looks at. */
static inline void warptrog_line_1020(struct warptrog *s, int from, int to)
{
	enum { RANK_3 = 2, RANK_4 = 3 };
	const int rank = to / WARPTROG_SIZE;
	if (!s->turn) {
		s->last = rank == RANK_4 ? (uint8_t)to : WARPTROG_NONE;
	} else if (rank == RANK_3 && from / WARPTROG_SIZE == RANK_3 && s->last != WARPTROG_NONE &&
		   s->last == to + WARPTROG_SIZE) {
		const uint64_t kept = ~(UINT64_C(1) << s->last);
		s->men[0] &= kept;
		s->men[1] &= kept;
		s->trogs &= kept;
	}
}

static inline void warptrog_play(struct warptrog *s, qv_move move)
{
	if (s->warping != WARPTROG_NONE) {
		const int from = s->warping, to = (int)move;
		if (!(s->men[s->turn] >> to & 1))
			warptrog_shift(s, from, to);
		warptrog_scan(s, warptrog_visit(from) + 1);
		return;
	}
	if (move == WARPTROG_WARP) {
		s->warps[s->turn]--;
		warptrog_scan(s, 0);
		return;
	}
	const int from = (int)(move & 63), to = (int)(move >> WARPTROG_TO);
	warptrog_shift(s, from, to);
	if (s->rules == WARPTROG_1983)
		warptrog_line_1020(s, from, to);
	s->turn = (uint8_t)(1 - s->turn);
}

/* A side without a man to move has lost, whether it has warps left or not. */
static inline enum qv_outcome warptrog_result(const struct warptrog *s, int32_t *points)
{
	if (!warptrog_has_ended(s))
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = 1;
	return QV_ENDED;
}

/* All squares are equally likely. */
static inline uint32_t warptrog_weight(const struct warptrog *s, qv_move outcome)
{
	(void)s, (void)outcome;
	return 1;
}

/* Mixes two words into which the whole state fits, except for the option, which never changes. */
static inline uint64_t warptrog_hash(const struct warptrog *s)
{
	const uint64_t first = s->men[0] | (uint64_t)s->warping << 36 | (uint64_t)s->last << 42 |
			       (uint64_t)s->turn << 48 | (uint64_t)s->warps[0] << 49 |
			       (uint64_t)s->warps[1] << 53;
	return qv_mix(first ^ qv_mix(s->men[1] ^ qv_mix(s->trogs + 1)));
}

/* Move ordering: captures first, then promotions and steps forward; warps last. */
static inline int32_t warptrog_rank(const struct warptrog *s, qv_move move)
{
	if (s->warping != WARPTROG_NONE)
		return 0;
	if (move == WARPTROG_WARP)
		return -1;
	const uint64_t from = UINT64_C(1) << (move & 63), to = UINT64_C(1) << (move >> WARPTROG_TO);
	const int32_t takes = !(s->men[1 - s->turn] & to) ? 0 : s->trogs & to ? 30 : 10;
	const bool valg = !(s->trogs & from);
	return takes + (valg && (to & WARPTROG_GOAL(s->turn)) ? 20 : valg);
}

/* Captures and promotions are not quiet. */
static inline bool warptrog_quiet(const struct warptrog *s, qv_move move)
{
	return warptrog_rank(s, move) < 10;
}

/*
 * text.c: the slots of struct qv_game with these names. The parser of positions refuses those that
 * break the rules, and leaves *s unchanged if it fails. move_parse accepts w for warp, and a square
 * for a landing. refusal and chance_text are slots of struct engine and struct play_words.
 */
void warptrog_move_text(const struct warptrog *s, qv_move move, struct qv_text *out);
bool warptrog_move_parse(const struct warptrog *s, const char *text, qv_move *move);
void warptrog_position_text(const struct warptrog *s, struct qv_text *out);
enum qv_status warptrog_position_parse(struct warptrog *s, const int64_t *options, const char *text,
				       struct qv_error *error);
void warptrog_draw(const struct warptrog *s, bool unicode, struct qv_text *out);
void warptrog_refusal(const struct warptrog *s, const char *text, struct qv_text *why);
void warptrog_chance_text(const struct warptrog *s, qv_move move, struct qv_text *out);

extern const struct qv_board warptrog_board; /* board.c */

#endif
