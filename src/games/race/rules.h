/*
 * rules.h - Race!, the Ludo of the 1983 book: two seats, four pieces each, one track, one die.
 * SPDX-License-Identifier: MIT
 *
 * Both seats run the same way. Square 0 is the start, 1 to 17 the track, 18 is home. The book
 * counts five dummy squares between the start and the track, which may be passed but not landed on,
 * so its square n + 5 is our n. This is why a piece leaves the start only with a six, to square 1.
 * Before a roll, chance is to move and its moves are the faces 1 to 6. Otherwise a move is the
 * square that a piece leaves, or RACE_PASS.
 */
#ifndef RACE_RULES_H
#define RACE_RULES_H

#include "base/bits.h"
#include "quevedo.h"

enum {
	RACE_START = 0,
	RACE_ENTRY = 1,            /* where a six brings a piece from the start */
	RACE_HOME = 18,
	RACE_PIECES = 4,           /* of each seat */
	RACE_FACES = 6,
	RACE_SIX = 6,              /* lets a piece in, and gives another roll */
	RACE_PASS = 31,            /* a move; the others are squares */
	RACE_MAX_MOVES = RACE_FACES,
};

struct race {
	uint8_t at[2][RACE_PIECES];        /* each seat's squares, in ascending order */
	uint8_t turn;
	uint8_t roll;                      /* 0: not yet rolled */
};
_Static_assert(sizeof(struct race) == 10, "no padding");

/* The squares of the track. On the start and at home nothing blocks and nothing is hit. */
#define RACE_TRACK ((UINT32_C(1) << RACE_HOME) - (UINT32_C(1) << RACE_ENTRY))

/* All pieces are on the start, and seat 0 rolls first. */
static inline void race_start(struct race *s, const int64_t *options)
{
	(void)options;
	*s = (struct race){ { { RACE_START } }, 0, 0 };
}

/* All pieces are home if the smallest square is. */
static inline bool race_is_home(const struct race *s, int seat)
{
	return s->at[seat][0] == RACE_HOME;
}

static inline bool race_has_ended(const struct race *s)
{
	return race_is_home(s, 0) || race_is_home(s, 1);
}

/* Before a roll chance is to move; after the end it does not matter. */
static inline int race_seat(const struct race *s)
{
	return s->roll || race_has_ended(s) ? s->turn : QV_CHANCE;
}

/* How many pieces of the seat are on a square. */
static inline int race_pieces_on(const struct race *s, int seat, int square)
{
	int pieces = 0;
	for (int i = 0; i < RACE_PIECES; i++)
		pieces += s->at[seat][i] == square;
	return pieces;
}

/* The squares of the track with pieces of the seat. */
static inline uint32_t race_squares(const struct race *s, int seat)
{
	const uint8_t *at = s->at[seat];
	return (UINT32_C(1) << at[0] | UINT32_C(1) << at[1] | UINT32_C(1) << at[2] |
		UINT32_C(1) << at[3]) &
	       RACE_TRACK;
}

/* Squares with two or more pieces of the seat: the other can neither pass nor land there. */
static inline uint32_t race_blocks(const struct race *s, int seat)
{
	const uint8_t *at = s->at[seat];
	uint32_t blocks = 0;
	for (int i = 1; i < RACE_PIECES; i++)
		blocks |= (uint32_t)(at[i] == at[i - 1]) << at[i];
	return blocks & RACE_TRACK;
}

/* Where a roll brings a piece; from the start only a six has a square to go to. */
static inline int race_target(int from, int roll)
{
	return from == RACE_START ? roll - (RACE_SIX - RACE_ENTRY) : from + roll;
}

/* Whether a piece can move by the roll: not past home, nor over or onto a block. */
static inline bool race_can_move(int from, int roll, uint32_t blocks)
{
	const int to = race_target(from, roll);
	if (to < RACE_ENTRY || to > RACE_HOME)
		return false;
	const uint32_t passed = (UINT32_C(2) << to) - (UINT32_C(2) << from);
	return !(passed & blocks);
}

/* Pieces on the same square are interchangeable, so a square is listed once. */
static inline int race_moves(const struct race *s, qv_move *list)
{
	const uint8_t *at = s->at[s->turn];
	int n = 0;
	if (!s->roll) {
		for (int face = 1; face <= RACE_FACES; face++)
			list[n++] = (qv_move)face;
		return n;
	}
	const uint32_t blocks = race_blocks(s, 1 - s->turn);
	for (int i = 0; i < RACE_PIECES; i++)
		if ((i == 0 || at[i] != at[i - 1]) && race_can_move(at[i], s->roll, blocks))
			list[n++] = at[i];
	if (!n)
		list[n++] = RACE_PASS;
	return n;
}

/* Moves one piece from a square to another and keeps the order. */
static inline void race_shift(uint8_t at[RACE_PIECES], int from, int to)
{
	int i = 0;
	while (at[i] != from)
		i++;
	at[i] = (uint8_t)to;
	for (; i + 1 < RACE_PIECES && at[i] > at[i + 1]; i++) {
		at[i] = at[i + 1];
		at[i + 1] = (uint8_t)to;
	}
	for (; i > 0 && at[i] < at[i - 1]; i--) {
		at[i] = at[i - 1];
		at[i - 1] = (uint8_t)to;
	}
}

/* A roll, a pass or a move; captures send the enemy piece back to the start. */
static inline void race_play(struct race *s, qv_move move)
{
	if (!s->roll) {
		s->roll = (uint8_t)move;
		return;
	}
	const int other = 1 - s->turn;
	if (move != RACE_PASS) {
		const int to = race_target((int)move, s->roll);
		race_shift(s->at[s->turn], (int)move, to);
		if (race_squares(s, other) >> to & 1)
			race_shift(s->at[other], to, RACE_START);
	}
	if (s->roll != RACE_SIX)
		s->turn = (uint8_t)other;
	s->roll = 0;
}

static inline enum qv_outcome race_result(const struct race *s, int32_t *points)
{
	if (!race_has_ended(s))
		return QV_GOING;
	points[0] = race_is_home(s, 0);
	points[1] = race_is_home(s, 1);
	return QV_ENDED;
}

/* All faces of the die are equally likely. */
static inline uint32_t race_weight(const struct race *s, qv_move outcome)
{
	(void)s, (void)outcome;
	return 1;
}

/* A number that no other position has: five bits for a piece, then the turn and the roll. */
static inline uint64_t race_hash(const struct race *s)
{
	uint64_t number = (uint64_t)s->turn << 3 | s->roll;
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < RACE_PIECES; i++)
			number = number << 5 | s->at[seat][i];
	return qv_mix(number + 1);
}

/* The number of moves; 0: the game is over. */
static inline int race_count(const struct race *s)
{
	qv_move list[RACE_MAX_MOVES];
	return race_has_ended(s) ? 0 : race_moves(s, list);
}

/*
 * Move ordering: captures first, of advanced pieces before others; then home, new blocks, progress.
 */
static inline int32_t race_rank(const struct race *s, qv_move move)
{
	if (!s->roll || move == RACE_PASS)
		return 0;
	const int to = race_target((int)move, s->roll);
	const uint32_t target = UINT32_C(1) << to;
	if (race_squares(s, 1 - s->turn) & target)
		return 200 + to;
	if (to == RACE_HOME || to == RACE_ENTRY)
		return 100;
	return (race_squares(s, s->turn) & target ? 50 : 0) + to;
}

/*
 * text.c: the slots of struct qv_game with these names. The parser of positions refuses those that
 * no game can reach, and leaves *s unchanged if it fails. move_parse accepts the number of a piece.
 */
void race_move_text(const struct race *s, qv_move move, struct qv_text *out);
bool race_move_parse(const struct race *s, const char *text, qv_move *move);
void race_position_text(const struct race *s, struct qv_text *out);
enum qv_status race_position_parse(struct race *s, const int64_t *options, const char *text,
				   struct qv_error *error);
void race_draw(const struct race *s, bool unicode, struct qv_text *out);

extern const struct qv_board race_board;     /* board.c */

#endif
