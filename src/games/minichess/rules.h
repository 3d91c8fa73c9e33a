/*
 * rules.h - minichess on a 5x6 board, as the IMCS server enforces it. White moves first, up the
 * board.
 * SPDX-License-Identifier: MIT
 *
 * There is no check: you win by capturing the king. A pawn that reaches the last rank becomes a
 * queen. A bishop may also step one square along its rank or file, but not capture that way.
 * Black's fortieth move ends the game as a draw, unless it captures the king. A side that cannot
 * move loses.
 *
 *     A move:   15 .. 13   12 .. 10   9 .. 5   4 .. 0
 *                taken      mover       to      from
 *
 * Sets of squares are words of 30 bits:
 *
 *     25 26 27 28 29   rank 6        file a is bits 0, 5, ..., 25
 *     ...
 *      0  1  2  3  4   rank 1
 *
 * Every square is in exactly one of the sets kind[]; the empty ones are in kind[MINICHESS_EMPTY].
 * So a move updates them without testing whether it captures something. The compiler builds the
 * tables of attacks: a square beyond the edge adds nothing.
 */
#ifndef MINICHESS_RULES_H
#define MINICHESS_RULES_H

#include "base/bits.h"
#include "quevedo.h"

/* ---- squares ---- */

enum { MINICHESS_FILES = 5, MINICHESS_RANKS = 6, MINICHESS_SQUARES = 30 };

#define MINICHESS_BOARD UINT32_C(0x3fffffff)
#define MINICHESS_FILE_A UINT32_C(0x02108421)
#define MINICHESS_FILE_E UINT32_C(0x21084210)
#define MINICHESS_RANK_1 UINT32_C(0x1f)
#define MINICHESS_RANK_6 (MINICHESS_RANK_1 << 25)

/* The square this many files and ranks from another, as a bit; 0 beyond the edge. */
#define MINICHESS_FROM(q, files, ranks)                                             \
	((q) % 5 + (files) < 0 || (q) % 5 + (files) > 4 || (q) / 5 + (ranks) < 0 || \
			 (q) / 5 + (ranks) > 5                                      \
		 ? UINT32_C(0)                                                      \
		 : UINT32_C(1) << (((q) + (files) + 5 * (ranks)) & 31))

/* Up to five steps one way; a line is both ways. */
#define MINICHESS_RAY(q, f, r)                                                       \
	(MINICHESS_FROM(q, f, r) | MINICHESS_FROM(q, 2 * (f), 2 * (r)) |             \
	 MINICHESS_FROM(q, 3 * (f), 3 * (r)) | MINICHESS_FROM(q, 4 * (f), 4 * (r)) | \
	 MINICHESS_FROM(q, 5 * (f), 5 * (r)))
#define MINICHESS_LINE(q, f, r) (MINICHESS_RAY(q, f, r) | MINICHESS_RAY(q, -(f), -(r)))

/* The eight squares reached by f and r with either sign, and with the two swapped. */
#define MINICHESS_AROUND(q, f, r)                                                               \
	(MINICHESS_FROM(q, f, r) | MINICHESS_FROM(q, f, -(r)) | MINICHESS_FROM(q, -(f), r) |    \
	 MINICHESS_FROM(q, -(f), -(r)) | MINICHESS_FROM(q, r, f) | MINICHESS_FROM(q, r, -(f)) | \
	 MINICHESS_FROM(q, -(r), f) | MINICHESS_FROM(q, -(r), -(f)))

/* What a piece on a square attacks on an empty board. */
struct minichess_view {
	uint32_t rank, file, rising, falling; /* the lines through it, without it */
	uint32_t knight, king;
};

#define MINICHESS_VIEW(q)                                                               \
	{ .rank = MINICHESS_LINE(q, 1, 0), .file = MINICHESS_LINE(q, 0, 1),             \
	  .rising = MINICHESS_LINE(q, 1, 1), .falling = MINICHESS_LINE(q, 1, -1),       \
	  .knight = MINICHESS_AROUND(q, 1, 2),                                          \
	  .king = MINICHESS_AROUND(q, 1, 0) | MINICHESS_AROUND(q, 1, 1) }
#define MINICHESS_VIEWS(q)                                                   \
	MINICHESS_VIEW(q), MINICHESS_VIEW((q) + 1), MINICHESS_VIEW((q) + 2), \
		MINICHESS_VIEW((q) + 3), MINICHESS_VIEW((q) + 4)

static const struct minichess_view minichess_views[MINICHESS_SQUARES] = {
	MINICHESS_VIEWS(0),  MINICHESS_VIEWS(5),  MINICHESS_VIEWS(10),
	MINICHESS_VIEWS(15), MINICHESS_VIEWS(20), MINICHESS_VIEWS(25),
};

/* ---- sets of squares, moved as a whole; squares beyond the edge vanish ---- */

static inline uint32_t minichess_up(uint32_t set)
{
	return set << 5 & MINICHESS_BOARD;
}

static inline uint32_t minichess_down(uint32_t set)
{
	return set >> 5;
}

static inline uint32_t minichess_right(uint32_t set)
{
	return (set & ~MINICHESS_FILE_E) << 1;
}

static inline uint32_t minichess_left(uint32_t set)
{
	return (set & ~MINICHESS_FILE_A) >> 1;
}

/* One step to either side. */
static inline uint32_t minichess_beside(uint32_t set)
{
	return minichess_right(set) | minichess_left(set);
}

/* One step along a rank or file, from any of the squares. */
static inline uint32_t minichess_straight(uint32_t set)
{
	return minichess_up(set) | minichess_down(set) | minichess_beside(set);
}

/* One step along a diagonal. */
static inline uint32_t minichess_slanted(uint32_t set)
{
	const uint32_t beside = minichess_beside(set);
	return minichess_up(beside) | minichess_down(beside);
}

/* Knight moves. */
static inline uint32_t minichess_leaps(uint32_t set)
{
	const uint32_t right = minichess_right(set), left = minichess_left(set);
	const uint32_t near = right | left, far = minichess_right(right) | minichess_left(left);
	return ((near << 10 | far << 5) & MINICHESS_BOARD) | near >> 10 | far >> 5;
}

/* ---- sliding ---- */

/*
 * The squares along a line through a square, both ways, up to and including the first piece. Above
 * the square that is the lowest piece, and x ^ (x - 1) is its bit and all below; below it is the
 * highest.
 */
static inline uint32_t minichess_slide(int square, uint32_t line, uint32_t pieces)
{
	const uint32_t below = line & ((UINT32_C(1) << square) - 1), above = line ^ below;
	const uint32_t first = above & pieces, last = below & pieces;
	return (above & (first ^ (first - 1))) |
	       (below & (UINT32_MAX << bits_highest(last | UINT64_C(1))));
}

/* The squares that a rook or a bishop attacks, own pieces included. */
static inline uint32_t minichess_rook_reach(int square, uint32_t pieces)
{
	const struct minichess_view *v = &minichess_views[square];
	return minichess_slide(square, v->rank, pieces) | minichess_slide(square, v->file, pieces);
}

static inline uint32_t minichess_bishop_reach(int square, uint32_t pieces)
{
	const struct minichess_view *v = &minichess_views[square];
	return minichess_slide(square, v->rising, pieces) |
	       minichess_slide(square, v->falling, pieces);
}

/* ---- the state ---- */

enum { MINICHESS_WHITE, MINICHESS_BLACK };
enum {
	MINICHESS_EMPTY, MINICHESS_PAWN, MINICHESS_KNIGHT, MINICHESS_BISHOP, MINICHESS_ROOK,
	MINICHESS_QUEEN, MINICHESS_KING, MINICHESS_KINDS,
};

/* A position. The first element of kind[] has the empty squares. */
struct minichess {
	uint32_t side[2]; /* White's pieces, Black's */
	uint32_t kind[MINICHESS_KINDS];
	uint16_t turn;
	uint16_t number; /* of the move: 1, 2, ...; it increases after Black's move */
};
_Static_assert(sizeof(struct minichess) == 40, "no padding");

enum {
	MINICHESS_LAST = 40,	    /* the number of the last move */
	MINICHESS_PAWNS = 5,	    /* of each side at the start */
	MINICHESS_MOST_PIECES = 10, /* of a side */
	/* Six queens with 17 moves each, a rook with 9, a bishop 12, a knight 8, a king 8. */
	MINICHESS_MAX_MOVES = 139,
	MINICHESS_MAX_PLIES = 2 * MINICHESS_LAST,
	MINICHESS_TO = 5,
	MINICHESS_MOVER = 10,
	MINICHESS_TAKEN = 13, /* parts of a move */
};

/* The pieces on the first rank, from a1; the sixth rank has the same from e6 to a6. */
static inline void minichess_start(struct minichess *s, const int64_t *options)
{
	(void)options;
	*s = (struct minichess){
		.side = { 0x3ff, UINT32_C(0x3ff) << 20 },
		.kind = { UINT32_C(0x3ff) << 10, UINT32_C(0x1f) << 5 | UINT32_C(0x1f) << 20,
			  [MINICHESS_KNIGHT] = 2 | UINT32_C(1) << 28, 4 | UINT32_C(1) << 27,
			  [MINICHESS_ROOK] = 1 | UINT32_C(1) << 29, 8 | UINT32_C(1) << 26,
			  [MINICHESS_KING] = 16 | UINT32_C(1) << 25 },
		.number = 1,
	};
}

/* The side to move. */
static inline int minichess_seat(const struct minichess *s)
{
	return s->turn;
}

/* The parts of a move: squares 0 to 29, kinds as above. */
static inline int minichess_from(qv_move move)
{
	return (int)(move & 31);
}

static inline int minichess_to(qv_move move)
{
	return (int)(move >> MINICHESS_TO & 31);
}

static inline int minichess_mover(qv_move move)
{
	return (int)(move >> MINICHESS_MOVER & 7);
}

static inline int minichess_taken(qv_move move)
{
	return (int)(move >> MINICHESS_TAKEN & 7);
}

/* Whether a pawn reaches the last rank and becomes a queen. */
static inline bool minichess_promotes(qv_move move)
{
	return minichess_mover(move) == MINICHESS_PAWN &&
	       (UINT32_C(1) << minichess_to(move) & (MINICHESS_RANK_1 | MINICHESS_RANK_6));
}

/* The pieces of a side and kind. */
static inline uint32_t minichess_of(const struct minichess *s, int seat, int kind)
{
	return s->side[seat] & s->kind[kind];
}

/* The occupied squares. Many functions take them, as `pieces`: these block lines. */
static inline uint32_t minichess_occupied(const struct minichess *s)
{
	return MINICHESS_BOARD ^ s->kind[MINICHESS_EMPTY];
}

/* The kind of piece on a square; each of three sums is a binary digit of it. */
static inline int minichess_kind_at(const struct minichess *s, int square)
{
	const uint32_t ones = s->kind[1] | s->kind[3] | s->kind[5],
		       twos = s->kind[2] | s->kind[3] | s->kind[6],
		       fours = s->kind[4] | s->kind[5] | s->kind[6];
	return (int)((ones >> square & 1) | (twos >> square & 1) << 1 | (fours >> square & 1) << 2);
}

/* ---- where pieces move ---- */

/* One step up the board, as the side sees it. */
static inline uint32_t minichess_ahead(uint32_t set, int seat)
{
	return seat == MINICHESS_WHITE ? minichess_up(set) : minichess_down(set);
}

/* The squares that a piece attacks, whatever stands there. Not for pawns. */
static inline uint32_t minichess_reach(int kind, int square, uint32_t pieces)
{
	switch (kind) {
	case MINICHESS_KNIGHT:
		return minichess_views[square].knight;
	case MINICHESS_BISHOP:
		return minichess_bishop_reach(square, pieces);
	case MINICHESS_ROOK:
		return minichess_rook_reach(square, pieces);
	case MINICHESS_QUEEN:
		return minichess_rook_reach(square, pieces) |
		       minichess_bishop_reach(square, pieces);
	default:
		return minichess_views[square].king;
	}
}

/* Where a piece moves without capturing: a bishop has its step, too. */
static inline uint32_t minichess_walk(int kind, int square, uint32_t reach)
{
	return kind == MINICHESS_BISHOP ? reach | minichess_straight(UINT32_C(1) << square) : reach;
}

/* All squares that the pieces of a side attack. */
static inline uint32_t minichess_attacks(const struct minichess *s, int seat)
{
	const uint32_t pieces = minichess_occupied(s),
		       ahead = minichess_ahead(minichess_of(s, seat, MINICHESS_PAWN), seat);
	uint32_t reached = minichess_beside(ahead);
	for (int kind = MINICHESS_KNIGHT; kind <= MINICHESS_KING; kind++)
		for (uint32_t left = minichess_of(s, seat, kind); left; left &= left - 1)
			reached |= minichess_reach(kind, bits_lowest(left), pieces);
	return reached;
}

/* Packs a move; taken: MINICHESS_EMPTY if it does not capture. */
static inline qv_move minichess_move(int from, int to, int piece, int taken)
{
	return (qv_move)(from | to << MINICHESS_TO | piece << MINICHESS_MOVER |
			 taken << MINICHESS_TAKEN);
}

/* Adds pawn moves to these squares, each from the square `step` below. */
static inline int minichess_add_pawns(const struct minichess *s, uint32_t to, int step,
				      qv_move *list, int n)
{
	for (; to; to &= to - 1) {
		const int square = bits_lowest(to);
		list[n++] = minichess_move(square - step, square, MINICHESS_PAWN,
					   minichess_kind_at(s, square));
	}
	return n;
}

/* Adds pawn steps to those of the goals that are empty. */
static inline int minichess_pawn_steps(const struct minichess *s, uint32_t goals, qv_move *list,
				       int n)
{
	const uint32_t pawns = minichess_of(s, s->turn, MINICHESS_PAWN),
		       to = minichess_ahead(pawns, s->turn) & s->kind[MINICHESS_EMPTY] & goals;
	return minichess_add_pawns(s, to, s->turn == MINICHESS_WHITE ? 5 : -5, list, n);
}

#define MINICHESS_ENDS (MINICHESS_RANK_1 | MINICHESS_RANK_6)

/*
 * Lists the mover's other pieces with the squares they reach, the cheapest first; returns how many.
 */
struct minichess_reached {
	uint32_t reach; /* squares attacked, own pieces included */
	int square, kind;
};

static inline int minichess_reaches(const struct minichess *s, struct minichess_reached *out)
{
	const uint32_t pieces = minichess_occupied(s);
	int n = 0;
	for (int kind = MINICHESS_KNIGHT; kind <= MINICHESS_KING; kind++)
		for (uint32_t left = minichess_of(s, s->turn, kind); left; left &= left - 1) {
			const int square = bits_lowest(left);
			out[n++] =
				(struct minichess_reached){ minichess_reach(kind, square, pieces),
							    square, kind };
		}
	return n;
}

/* Captures and promotions, those of pawns first. */
static inline int minichess_loud(const struct minichess *s, const struct minichess_reached *pieces,
				 int count, qv_move *list)
{
	const uint32_t theirs = s->side[1 - s->turn];
	const uint32_t ahead = minichess_ahead(minichess_of(s, s->turn, MINICHESS_PAWN), s->turn);
	const int step = s->turn == MINICHESS_WHITE ? 5 : -5;
	int n = minichess_add_pawns(s, minichess_right(ahead) & theirs, step + 1, list, 0);
	n = minichess_add_pawns(s, minichess_left(ahead) & theirs, step - 1, list, n);
	n = minichess_pawn_steps(s, MINICHESS_ENDS, list, n);
	for (int i = 0; i < count; i++)
		for (uint32_t to = pieces[i].reach & theirs; to; to &= to - 1) {
			const int square = bits_lowest(to);
			list[n++] = minichess_move(pieces[i].square, square, pieces[i].kind,
						   minichess_kind_at(s, square));
		}
	return n;
}

/* The moves that are not quiet: captures and promotions. */
static inline int minichess_captures(const struct minichess *s, qv_move *list)
{
	struct minichess_reached pieces[MINICHESS_MOST_PIECES];
	return minichess_loud(s, pieces, minichess_reaches(s, pieces), list);
}

/* Moves without a capture to squares that the pieces reach. */
static inline int minichess_walks(const struct minichess *s, const struct minichess_reached *pieces,
				  int count, qv_move *list, int n)
{
	n = minichess_pawn_steps(s, ~MINICHESS_ENDS, list, n);
	for (int i = 0; i < count; i++) {
		const uint32_t walk =
			minichess_walk(pieces[i].kind, pieces[i].square, pieces[i].reach);
		for (uint32_t to = walk & s->kind[MINICHESS_EMPTY]; to; to &= to - 1)
			list[n++] = minichess_move(pieces[i].square, bits_lowest(to),
						   pieces[i].kind, MINICHESS_EMPTY);
	}
	return n;
}

/* The quiet moves. */
static inline int minichess_quiets(const struct minichess *s, qv_move *list)
{
	struct minichess_reached pieces[MINICHESS_MOST_PIECES];
	return minichess_walks(s, pieces, minichess_reaches(s, pieces), list, 0);
}

/* All moves, the quiet ones last. */
static inline int minichess_moves(const struct minichess *s, qv_move *list)
{
	struct minichess_reached pieces[MINICHESS_MOST_PIECES];
	const int count = minichess_reaches(s, pieces);
	return minichess_walks(s, pieces, count, list, minichess_loud(s, pieces, count, list));
}

/* Whether any 16 bits are a legal move here. */
static inline bool minichess_is_legal(const struct minichess *s, qv_move move)
{
	const int from = minichess_from(move), to = minichess_to(move),
		  piece = minichess_mover(move);
	const uint32_t start = UINT32_C(1) << from, goal = UINT32_C(1) << to;
	const uint32_t empty = s->kind[MINICHESS_EMPTY];
	if (move >> 16 || !(start & s->side[s->turn] & MINICHESS_BOARD) ||
	    minichess_kind_at(s, from) != piece || !(goal & MINICHESS_BOARD) ||
	    minichess_kind_at(s, to) != minichess_taken(move) || goal & s->side[s->turn])
		return false;
	if (piece == MINICHESS_PAWN) {
		const uint32_t ahead = minichess_ahead(start, s->turn);
		return goal & (goal & empty ? ahead : minichess_beside(ahead));
	}
	const uint32_t reach = minichess_reach(piece, from, MINICHESS_BOARD ^ empty);
	return goal & (goal & empty ? minichess_walk(piece, from, reach) : reach);
}

/* Plays a legal move. */
static inline void minichess_play(struct minichess *s, qv_move move)
{
	const uint32_t from = UINT32_C(1) << minichess_from(move);
	const uint32_t to = UINT32_C(1) << minichess_to(move);
	s->kind[minichess_taken(move)] ^= to;
	s->kind[minichess_mover(move)] ^= from | to;
	s->kind[MINICHESS_EMPTY] ^= from;
	if (minichess_promotes(move)) {
		s->kind[MINICHESS_PAWN] ^= to;
		s->kind[MINICHESS_QUEEN] ^= to;
	}
	/* The number increases after Black's move; the captured piece leaves the other side. */
	s->side[s->turn] ^= from | to;
	s->number = (uint16_t)(s->number + s->turn);
	s->turn ^= 1;
	s->side[s->turn] &= ~to;
}

/* ---- the end ---- */

/* Whether any piece can move; for a slider, one step is enough to know. */
static inline bool minichess_can_move(const struct minichess *s)
{
	const int me = s->turn;
	const uint32_t pawns = minichess_of(s, me, MINICHESS_PAWN),
		       bishops = minichess_of(s, me, MINICHESS_BISHOP),
		       rooks = minichess_of(s, me, MINICHESS_ROOK),
		       others = minichess_of(s, me, MINICHESS_QUEEN) |
				minichess_of(s, me, MINICHESS_KING);
	const uint32_t ahead = minichess_ahead(pawns, me), empty = s->kind[MINICHESS_EMPTY];
	if (((ahead | minichess_straight(bishops)) & empty) |
	    ((minichess_beside(ahead)) & s->side[1 - me]))
		return true;
	return (minichess_straight(rooks | others) | minichess_slanted(bishops | others) |
		minichess_leaps(minichess_of(s, me, MINICHESS_KNIGHT))) &
	       ~s->side[me] & MINICHESS_BOARD;
}

/* A side without its king has lost. */
static inline bool minichess_has_king(const struct minichess *s, int seat)
{
	return minichess_of(s, seat, MINICHESS_KING) != 0;
}

/* The king counts first, then the move number. */
static inline enum qv_outcome minichess_result(const struct minichess *s, int32_t *points)
{
	const bool king = minichess_has_king(s, s->turn);
	if (king && s->number <= MINICHESS_LAST && minichess_can_move(s))
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = !king || s->number <= MINICHESS_LAST;
	return QV_ENDED;
}

/* The number of legal moves; 0 if the game is over. */
static inline int minichess_count(const struct minichess *s)
{
	struct minichess_reached pieces[MINICHESS_MOST_PIECES];
	if (!minichess_has_king(s, s->turn) || s->number > MINICHESS_LAST)
		return 0;
	const uint32_t theirs = s->side[1 - s->turn], empty = s->kind[MINICHESS_EMPTY],
		       ahead = minichess_ahead(minichess_of(s, s->turn, MINICHESS_PAWN), s->turn);
	int n = bits_count(ahead & empty) + bits_count(minichess_right(ahead) & theirs) +
		bits_count(minichess_left(ahead) & theirs);
	const int count = minichess_reaches(s, pieces);
	for (int i = 0; i < count; i++) {
		const uint32_t walk =
			minichess_walk(pieces[i].kind, pieces[i].square, pieces[i].reach);
		n += bits_count((pieces[i].reach & theirs) | (walk & empty));
	}
	return n;
}

/* Three digits of each square's kind, and its side, make two words; no two positions share both. */
static inline uint64_t minichess_hash(const struct minichess *s)
{
	const uint32_t ones = s->kind[1] | s->kind[3] | s->kind[5],
		       twos = s->kind[2] | s->kind[3] | s->kind[6],
		       fours = s->kind[4] | s->kind[5] | s->kind[6];
	const uint64_t when = 2 * (uint64_t)s->number + s->turn; /* below 2^7 */
	const uint64_t first = ones | (uint64_t)twos << 30 | when << 60,
		       second = fours | (uint64_t)s->side[0] << 30 | when >> 4 << 60;
	return qv_mix(qv_mix(first + UINT64_C(0x9e3779b97f4a7c15)) ^ second);
}

/* ---- for searches ---- */

/* Neither a capture nor a promotion. */
static inline bool minichess_quiet(const struct minichess *s, qv_move move)
{
	(void)s;
	return !minichess_taken(move) && !minichess_promotes(move);
}

/*
 * Move ordering: the most valuable capture first, by the cheapest piece; promotions are among them.
 */
static inline int32_t minichess_rank(const struct minichess *s, qv_move move)
{
	const int taken = minichess_taken(move), arrives = minichess_promotes(move) ? 4 : 0;
	return minichess_quiet(s, move) ? 0 : (8 * (taken + arrives) - minichess_mover(move)) << 20;
}

/*
 * text.c: the slots of struct qv_game with these names. move_parse accepts a legal move in algebraic
 * notation, or with a ! before it, as the server sends it; all other moves are found by their text.
 * position_parse changes *s only on success; QV_BAD_INPUT: malformed, QV_ILLEGAL: no such position.
 */
void minichess_move_text(const struct minichess *s, qv_move move, struct qv_text *out);
bool minichess_move_parse(const struct minichess *s, const char *text, qv_move *move);
void minichess_short_text(const void *state, qv_move move, struct qv_text *out); /* as in Nc3 */
void minichess_position_text(const struct minichess *s, struct qv_text *out);
enum qv_status minichess_position_parse(struct minichess *s, const int64_t *options,
					const char *text, struct qv_error *error);
void minichess_draw(const struct minichess *s, bool unicode, struct qv_text *out);

extern const struct qv_board minichess_board; /* board.c */
extern const struct player_kind seed_kind;    /* player_2017.c */

#endif
