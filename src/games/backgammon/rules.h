/*
 * rules.h - backgammon: two seats, fifteen men each, two dice.
 * SPDX-License-Identifier: MIT
 *
 * Each seat counts places from its own side: 1 to 24 are the points, 25 is the bar, 0 is off. Its
 * men move towards 0. Point p of one seat is point 25 - p of the other. Before a roll, chance is to
 * move. A whole turn is one move: up to four steps, one byte each, by descending source:
 *
 *     bits 7..5   4..0
 *          die    from        step 0 in the lowest byte; a zero byte ends the list; 0 is a pass
 *
 * Steps in this order are not always legal one by one, but played together they give the position
 * of the turn, whatever the order. Turns with the same resulting position are listed once.
 * A roll is die + 8 * die, larger die first. In the opening roll the first die is seat 1's and the
 * second seat 2's; the seat with the larger one moves first, and equal dice are rolled again.
 *
 * These are the rules of money games without the doubling cube. A gammon counts 2 points and a
 * backgammon 3. For the cube and for matches the state is to be extended by its value, its owner
 * and the score, as bytes after `dice`, and by phases: before a roll the seat to move chooses
 * between `roll` and `double`, then the other seat takes, drops or beavers. `result` multiplies by
 * the cube. Jacoby, beavers and the match length become options, which `start` stores in the state.
 */
#ifndef BACKGAMMON_RULES_H
#define BACKGAMMON_RULES_H

#include "quevedo.h"

enum {
	BACKGAMMON_MEN = 15, /* of each seat */
	BACKGAMMON_OFF = 0,
	BACKGAMMON_HOME = 6, /* the last point of the home board */
	BACKGAMMON_POINTS = 24,
	BACKGAMMON_BAR = 25,
	BACKGAMMON_PLACES = 26,
	BACKGAMMON_FACES = 6,
	BACKGAMMON_STEPS = 4, /* of a turn, at most */
	BACKGAMMON_PASS = 0,
	/* Doubles: four steps, each by one of 15 men. C(15 + 4 - 1, 4). */
	BACKGAMMON_MAX_MOVES = 3060,
};

enum backgammon_phase {
	BACKGAMMON_OPENING, /* chance rolls one die for each seat */
	BACKGAMMON_ROLL,    /* chance rolls for `turn`, or the game has ended */
	BACKGAMMON_MOVE,    /* `turn` moves by the dice */
};

struct backgammon {
	uint8_t men[2][BACKGAMMON_PLACES]; /* of each seat, as it counts places */
	uint8_t turn;
	uint8_t phase;	 /* enum backgammon_phase */
	uint8_t dice[2]; /* larger first; 0 unless the phase is BACKGAMMON_MOVE */
};
_Static_assert(sizeof(struct backgammon) == 2 * BACKGAMMON_PLACES + 4, "no padding");

/* ---- Steps ---- */

static inline int backgammon_step_from(qv_move move, int step)
{
	return (int)(move >> 8 * step & 31);
}

static inline int backgammon_step_die(qv_move move, int step)
{
	return (int)(move >> (8 * step + 5) & 7);
}

/* Where a die brings a man. */
static inline int backgammon_target(int from, int die)
{
	return from > die ? from - die : BACKGAMMON_OFF;
}

/* The number of steps; 0 for a pass. */
static inline int backgammon_steps(qv_move move)
{
	int n = 0;
	while (n < BACKGAMMON_STEPS && backgammon_step_from(move, n))
		n++;
	return n;
}

/* ---- Rules ---- */

static inline void backgammon_start(struct backgammon *s, const int64_t *options)
{
	(void)options;
	*s = (struct backgammon){ .phase = BACKGAMMON_OPENING };
	for (int seat = 0; seat < 2; seat++) {
		s->men[seat][24] = 2;
		s->men[seat][13] = 5;
		s->men[seat][8] = 3;
		s->men[seat][6] = 5;
	}
}

static inline bool backgammon_has_ended(const struct backgammon *s)
{
	return s->men[0][BACKGAMMON_OFF] == BACKGAMMON_MEN ||
	       s->men[1][BACKGAMMON_OFF] == BACKGAMMON_MEN;
}

static inline int backgammon_seat(const struct backgammon *s)
{
	return s->phase == BACKGAMMON_MOVE || backgammon_has_ended(s) ? s->turn : QV_CHANCE;
}

/* The rearmost place of a seat's men; 0 if all are off. */
static inline int backgammon_rear(const uint8_t *men)
{
	int place = BACKGAMMON_BAR;
	while (place > BACKGAMMON_OFF && !men[place])
		place--;
	return place;
}

/*
 * The points for beating this seat: 3 if no man is off and one is on the bar or in the winner's
 * home board, 2 if no man is off, else 1.
 */
static inline int32_t backgammon_loss(const uint8_t *men)
{
	if (men[BACKGAMMON_OFF])
		return 1;
	return backgammon_rear(men) > BACKGAMMON_POINTS - BACKGAMMON_HOME ? 3 : 2;
}

static inline enum qv_outcome backgammon_result(const struct backgammon *s, int32_t *points)
{
	if (!backgammon_has_ended(s))
		return QV_GOING;
	const int winner = s->men[1][BACKGAMMON_OFF] == BACKGAMMON_MEN;
	points[winner] = backgammon_loss(s->men[1 - winner]);
	points[1 - winner] = 0;
	return QV_ENDED;
}

/* A roll, or a whole turn. */
static inline void backgammon_play(struct backgammon *s, qv_move move)
{
	if (s->phase != BACKGAMMON_MOVE) {
		const uint8_t first = move & 7, second = move >> 3 & 7;
		if (s->phase == BACKGAMMON_OPENING)
			s->turn = second > first;
		s->dice[0] = first > second ? first : second;
		s->dice[1] = first > second ? second : first;
		s->phase = BACKGAMMON_MOVE;
		return;
	}
	uint8_t *mine = s->men[s->turn], *theirs = s->men[1 - s->turn];
	for (int i = 0, n = backgammon_steps(move); i < n; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		mine[from]--;
		mine[to]++;
		if (to != BACKGAMMON_OFF && theirs[BACKGAMMON_BAR - to]) {
			theirs[BACKGAMMON_BAR - to] = 0;
			theirs[BACKGAMMON_BAR]++;
		}
	}
	s->turn = 1 - s->turn;
	s->phase = BACKGAMMON_ROLL;
	s->dice[0] = s->dice[1] = 0;
}

/* Two different dice are twice as likely as a double. In the opening roll their order counts. */
static inline uint32_t backgammon_weight(const struct backgammon *s, qv_move outcome)
{
	return s->phase == BACKGAMMON_OPENING || (outcome & 7) == (outcome >> 3 & 7) ? 1 : 2;
}

static inline uint64_t backgammon_hash(const struct backgammon *s)
{
	return qv_hash_bytes(s, sizeof *s);
}

/* The pips that a seat has to move until all its men are off. */
static inline int backgammon_pips(const uint8_t *men)
{
	int pips = 0;
	for (int place = 1; place < BACKGAMMON_PLACES; place++)
		pips += place * men[place];
	return pips;
}

/* Move ordering: hits first, then men off, then made points. */
static inline int32_t backgammon_rank(const struct backgammon *s, qv_move move)
{
	if (s->phase != BACKGAMMON_MOVE)
		return 0;
	const uint8_t *mine = s->men[s->turn], *theirs = s->men[1 - s->turn];
	int32_t rank = 0;
	for (int i = 0, n = backgammon_steps(move); i < n; i++) {
		const int from = backgammon_step_from(move, i);
		const int to = backgammon_target(from, backgammon_step_die(move, i));
		if (to == BACKGAMMON_OFF)
			rank += 20;
		else
			rank += 50 * theirs[BACKGAMMON_BAR - to] + 10 * (mine[to] == 1);
		rank -= 10 * (mine[from] == 2);
	}
	return rank;
}

/* moves.c: the rolls at a chance node, or the turns. The game must not have ended. */
int backgammon_moves(const struct backgammon *s, qv_move *list);

/*
 * What a turn does, to recognise equal ones: the change of the number of men on each place, four
 * bits a place, and the points of the mover on which it hits.
 */
struct backgammon_change {
	uint64_t men[2];
	uint32_t hits;
};

static inline void backgammon_change_men(struct backgammon_change *c, int from, int to)
{
	c->men[from / 16] -= UINT64_C(1) << 4 * (from % 16);
	c->men[to / 16] += UINT64_C(1) << 4 * (to % 16);
}

struct backgammon_change backgammon_change_of(const struct backgammon *s, qv_move move);
uint32_t backgammon_blots(const struct backgammon *s); /* those the mover may hit, as a set */

/* text.c: the slots of struct qv_game with these names. */
void backgammon_move_text(const struct backgammon *s, qv_move move, struct qv_text *out);
bool backgammon_move_parse(const struct backgammon *s, const char *text, qv_move *move);
void backgammon_position_text(const struct backgammon *s, struct qv_text *out);
enum qv_status backgammon_position_parse(struct backgammon *s, const int64_t *options,
					 const char *text, struct qv_error *error);
void backgammon_draw(const struct backgammon *s, bool unicode, struct qv_text *out);
/* Refuses what no game can reach; `s` has 15 men of each seat. */
enum qv_status backgammon_check(const struct backgammon *s, struct qv_error *error);

/*
 * position_id.c: the position IDs of GNU Backgammon. An ID describes the men alone, as the seat
 * `turn` sees them.
 */
enum { BACKGAMMON_ID = 14 }; /* characters */
void backgammon_write_id(const struct backgammon *s, char id[BACKGAMMON_ID + 1]);
/* Reads the first 14 characters of the text into s->men. False: they are not an ID. */
bool backgammon_read_id(const char *text, struct backgammon *s);

extern const struct qv_board backgammon_board; /* board.c */

#endif
