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
 * A gammon counts 2 points and a backgammon 3. With the doubling cube these are multiplied by its
 * value, and before a roll the seat to move chooses between `roll` and `double`, if it may double.
 * It may not double in the opening roll, in the Crawford game, if the other seat owns the cube, or
 * in a match if the points on the cube are enough for it to win the match: then the cube is dead,
 * as in GNU Backgammon. The seat that beavers turns the cube again and keeps it; the doubler then
 * takes or drops. There are no raccoons, that is, the doubler cannot turn the cube a third time.
 *
 * A match is one game for the library. After each game of it the board is set up again.
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
	BACKGAMMON_MIDDLE = 2,	  /* the owner of the cube: nobody */
	BACKGAMMON_MAX_CUBE = 12, /* 4096, as in GNU Backgammon */
	BACKGAMMON_MAX_MATCH = 64,
};

enum backgammon_phase {
	BACKGAMMON_OPENING, /* chance rolls one die for each seat */
	BACKGAMMON_ROLL,    /* chance rolls for `turn`, or the game has ended */
	BACKGAMMON_MOVE,    /* `turn` moves by the dice */
	BACKGAMMON_CUBE,    /* `turn` rolls or doubles */
	/*
	 * `turn` has doubled: the other seat takes, drops or beavers. With BACKGAMMON_BEAVERED the
	 * other seat has beavered, and `turn` takes or drops. `cube` is what a drop costs.
	 */
	BACKGAMMON_ANSWER,
	BACKGAMMON_OVER, /* `turn` has won: money, by a drop; or the whole match */
};

/* The moves of the phases BACKGAMMON_CUBE and BACKGAMMON_ANSWER. */
enum {
	BACKGAMMON_DO_ROLL = 1,
	BACKGAMMON_DOUBLE,
	BACKGAMMON_TAKE,
	BACKGAMMON_DROP,
	BACKGAMMON_BEAVER,
};

/* Bits of `flags`. */
enum {
	BACKGAMMON_HAS_CUBE = 1,
	BACKGAMMON_JACOBY = 2,	       /* gammons count only after a double; money only */
	BACKGAMMON_BEAVERS = 4,	       /* they are allowed; money only */
	BACKGAMMON_CRAWFORD = 8,       /* the match has a Crawford game */
	BACKGAMMON_CRAWFORD_GAME = 16, /* this is it */
	BACKGAMMON_BEAVERED = 32,
};

/* The options of the game, as indexes of the array that `start` gets. */
enum {
	BACKGAMMON_OPTION_MATCH,
	BACKGAMMON_OPTION_CUBE,
	BACKGAMMON_OPTION_JACOBY,
	BACKGAMMON_OPTION_BEAVERS,
	BACKGAMMON_OPTION_CRAWFORD,
	BACKGAMMON_OPTIONS,
};

struct backgammon {
	uint8_t men[2][BACKGAMMON_PLACES]; /* of each seat, as it counts places */
	uint8_t turn;
	uint8_t phase;	 /* enum backgammon_phase */
	uint8_t dice[2]; /* larger first; 0 unless the phase is BACKGAMMON_MOVE */
	uint8_t cube;	 /* the power of two on the cube */
	uint8_t owner;	 /* of the cube: a seat, or BACKGAMMON_MIDDLE */
	uint8_t match;	 /* the length of the match in points; 0: a single game for money */
	uint8_t flags;
	uint8_t score[2]; /* of the match, at most its length */
};
_Static_assert(sizeof(struct backgammon) == 2 * BACKGAMMON_PLACES + 10, "no padding");

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

/* Sets up the men for the opening roll, with the cube at 1 in the middle. */
static inline void backgammon_set_men(struct backgammon *s)
{
	memset(s->men, 0, sizeof s->men);
	for (int seat = 0; seat < 2; seat++) {
		s->men[seat][24] = 2;
		s->men[seat][13] = 5;
		s->men[seat][8] = 3;
		s->men[seat][6] = 5;
	}
	s->turn = 0;
	s->phase = BACKGAMMON_OPENING;
	s->cube = 0;
	s->owner = BACKGAMMON_MIDDLE;
}

/* An empty board with the rules that the options give; NULL: the defaults. */
static inline struct backgammon backgammon_with_options(const int64_t *options)
{
	struct backgammon s = { .owner = BACKGAMMON_MIDDLE };
	if (!options)
		return s;
	s.match = (uint8_t)options[BACKGAMMON_OPTION_MATCH];
	if (s.match)
		s.flags = BACKGAMMON_HAS_CUBE |
			  (options[BACKGAMMON_OPTION_CRAWFORD] ? BACKGAMMON_CRAWFORD : 0);
	else if (options[BACKGAMMON_OPTION_CUBE])
		s.flags = BACKGAMMON_HAS_CUBE |
			  (options[BACKGAMMON_OPTION_JACOBY] ? BACKGAMMON_JACOBY : 0) |
			  (options[BACKGAMMON_OPTION_BEAVERS] ? BACKGAMMON_BEAVERS : 0);
	return s;
}

static inline void backgammon_start(struct backgammon *s, const int64_t *options)
{
	*s = backgammon_with_options(options);
	backgammon_set_men(s);
}

/* Whether a seat has all men off. */
static inline bool backgammon_is_off(const struct backgammon *s)
{
	return s->men[0][BACKGAMMON_OFF] == BACKGAMMON_MEN ||
	       s->men[1][BACKGAMMON_OFF] == BACKGAMMON_MEN;
}

/* Whether the game, or the whole match, has ended. */
static inline bool backgammon_has_ended(const struct backgammon *s)
{
	return s->phase == BACKGAMMON_OVER || backgammon_is_off(s);
}

/* The seat that moves, or that moves after the roll. */
static inline int backgammon_mover(const struct backgammon *s)
{
	const bool other = s->phase == BACKGAMMON_OVER ||
			   (s->phase == BACKGAMMON_ANSWER && !(s->flags & BACKGAMMON_BEAVERED));
	return other ? 1 - s->turn : s->turn;
}

static inline int backgammon_seat(const struct backgammon *s)
{
	return s->phase == BACKGAMMON_OPENING ||
			       (s->phase == BACKGAMMON_ROLL && !backgammon_has_ended(s))
		       ? QV_CHANCE
		       : backgammon_mover(s);
}

/* Whether `turn` may double before its roll. */
static inline bool backgammon_can_double(const struct backgammon *s)
{
	return s->flags & BACKGAMMON_HAS_CUBE && !(s->flags & BACKGAMMON_CRAWFORD_GAME) &&
	       s->owner != 1 - s->turn && s->cube < BACKGAMMON_MAX_CUBE &&
	       (!s->match || s->score[s->turn] + (1 << s->cube) < s->match) &&
	       !backgammon_is_off(s);
}

/* Whether the answer to a double may be a beaver. */
static inline bool backgammon_can_beaver(const struct backgammon *s)
{
	return s->flags & BACKGAMMON_BEAVERS && !(s->flags & BACKGAMMON_BEAVERED) &&
	       s->cube + 2 <= BACKGAMMON_MAX_CUBE;
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

/* What a seat wins that has all men off, with the cube. */
static inline int32_t backgammon_points(const struct backgammon *s, int winner)
{
	if (s->flags & BACKGAMMON_JACOBY && s->owner == BACKGAMMON_MIDDLE)
		return 1 << s->cube;
	return backgammon_loss(s->men[1 - winner]) << s->cube;
}

static inline enum qv_outcome backgammon_result(const struct backgammon *s, int32_t *points)
{
	if (!backgammon_has_ended(s))
		return QV_GOING;
	const bool over = s->phase == BACKGAMMON_OVER;
	const int winner = over ? s->turn : s->men[1][BACKGAMMON_OFF] == BACKGAMMON_MEN;
	points[winner] = s->match ? 1 : over ? 1 << s->cube : backgammon_points(s, winner);
	points[1 - winner] = 0;
	return QV_ENDED;
}

/* A game of a match has ended. */
static inline void backgammon_score(struct backgammon *s, int winner, int32_t points)
{
	const int last = s->match - 1;
	const bool was_near = s->score[0] == last || s->score[1] == last;
	const int32_t sum = s->score[winner] + points;
	s->score[winner] = (uint8_t)(sum < s->match ? sum : s->match);
	if (sum >= s->match) {
		s->turn = (uint8_t)winner;
		s->phase = BACKGAMMON_OVER;
		return;
	}
	s->flags &= (uint8_t)~BACKGAMMON_CRAWFORD_GAME;
	if (s->flags & BACKGAMMON_CRAWFORD && !was_near && s->score[winner] == last)
		s->flags |= BACKGAMMON_CRAWFORD_GAME;
	backgammon_set_men(s);
}

/* Plays the decision to roll or to double, or the answer to a double. */
static inline void backgammon_play_cube(struct backgammon *s, qv_move move)
{
	const int other = 1 - s->turn;
	const int winner = 1 - backgammon_mover(s); /* if it drops */
	switch (move) {
	case BACKGAMMON_DO_ROLL:
		s->phase = BACKGAMMON_ROLL;
		return;
	case BACKGAMMON_DOUBLE:
		s->phase = BACKGAMMON_ANSWER;
		return;
	case BACKGAMMON_BEAVER:
		s->cube++;
		s->owner = (uint8_t)other;
		s->flags |= BACKGAMMON_BEAVERED;
		return;
	}
	s->flags &= (uint8_t)~BACKGAMMON_BEAVERED;
	if (move == BACKGAMMON_TAKE) {
		s->cube++;
		s->owner = (uint8_t)other;
		s->phase = BACKGAMMON_ROLL;
	} else if (s->match) {
		backgammon_score(s, winner, 1 << s->cube);
	} else {
		s->turn = (uint8_t)winner;
		s->phase = BACKGAMMON_OVER;
	}
}

/* A roll, a decision about the cube, or a whole turn. */
static inline void backgammon_play(struct backgammon *s, qv_move move)
{
	if (s->phase > BACKGAMMON_MOVE) {
		backgammon_play_cube(s, move);
		return;
	}
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
	s->dice[0] = s->dice[1] = 0;
	if (s->match && mine[BACKGAMMON_OFF] == BACKGAMMON_MEN) {
		backgammon_score(s, s->turn, backgammon_points(s, s->turn));
		return;
	}
	s->turn = 1 - s->turn;
	s->phase = backgammon_can_double(s) ? BACKGAMMON_CUBE : BACKGAMMON_ROLL;
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

/*
 * moves.c: the rolls at a chance node, the turns, or the decisions about the cube. The game must not
 * have ended.
 */
int backgammon_moves(const struct backgammon *s, qv_move *list);

/*
 * Other steps with the result of a legal turn, such as 13/10/8 for 13/11/8. They are no moves of
 * their own. With doubles there are none, and never more than BACKGAMMON_WAYS.
 */
enum { BACKGAMMON_WAYS = 4 };
int backgammon_ways(const struct backgammon *s, qv_move move, qv_move *list);

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
/*
 * Match IDs describe the rest: whose turn it is, dice, cube, score and length of the match. Seat k
 * is player k of GNU Backgammon. Jacoby is written but not read: the options decide.
 */
enum { BACKGAMMON_MATCH_ID = 12 };
void backgammon_write_match_id(const struct backgammon *s, char id[BACKGAMMON_MATCH_ID + 1]);
/*
 * Reads the whole text into s, whose flags come from the options, except for the men. False: it is
 * not an ID, or one of a state that we do not have, such as an offer to resign. The phase
 * BACKGAMMON_CUBE means any before the roll.
 */
bool backgammon_read_match_id(const char *text, struct backgammon *s, int *length);

extern const struct qv_board backgammon_board; /* board.c */

#endif
