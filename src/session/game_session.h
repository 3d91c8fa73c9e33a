/*
 * game_session.h - one game in progress, and the rules that all its drivers share.
 * SPDX-License-Identifier: MIT
 *
 * Games run at the terminal (session.h), on the web (hosted_game.h), in matches and on IMCS. Each
 * of them drives a game_session: a record, a clock, and one rule each for whose roll it is, how far
 * undo and redo go, when a move earns time, what becomes of a seat that gives up, and how seats
 * rotate. It makes no decision about players: who sits where and who may do what is the driver's
 * concern.
 *
 * Seats count from 0; QV_CHANCE is the dice.
 */
#ifndef SESSION_GAME_SESSION_H
#define SESSION_GAME_SESSION_H

#include "core/game_clock.h"
#include "record/record.h"

/* A longer game is a draw, since some games need not end. */
enum { GAME_MAX_PLIES = 100000 };
#define GAME_TOO_LONG "too long" /* the reason of such a draw */

struct game_session {
	const struct qv_context *context;
	struct qv_record *record; /* owned */
	struct game_clock clock;
	bool substitutes; /* with more than two seats a computer plays on for one that gives up */
	void *scratch; /* owned: a state for any use, which every function here may overwrite */
};

/*
 * Takes over the record. QV_NO_MEMORY: the record was freed, and the session is empty. The context
 * must outlive the session.
 */
enum qv_status game_session_init(struct game_session *g, const struct qv_context *context,
				 struct qv_record *record, const struct time_control *control);
/* Frees the record and the scratch state. An empty session is fine. */
void game_session_release(struct game_session *g);

/* ---- Queries ---- */

/* The game and its state: over by the rules, or declared; the seat to move, or QV_CHANCE. */
const struct qv_game *game_rules(const struct game_session *g);
bool game_is_over(const struct game_session *g);
int game_seat_to_move(const struct game_session *g);
/*
 * Whose dice roll it is, by the game's own rule, or that of the seat that moves after it, or, if the
 * roll ends the game, of the seat that moved last. Chance must be to move.
 */
int game_roller(const struct game_session *g);

/* ---- Moves ---- */

/* A random legal move, or a roll by the weights of its outcomes. Steps the random numbers. */
qv_move game_random_move(const struct game_session *g, struct qv_random *random);
/*
 * To be called when a move of the seat is on the record: the time of its turn is counted from zero
 * again. The seat gets its increment if its turn is over, so of a turn with many moves only the
 * last one earns time.
 */
void game_count_move(struct game_session *g, int seat);

/*
 * If there are clocks, sets the time limits of a search for this seat. lag_ms: the overhead of a
 * move besides thinking. Limits that are already smaller stay.
 */
void game_allocate_time(const struct game_session *g, int seat, int64_t now_ms, int64_t lag_ms,
		struct qv_limits *limits);

/* A property of a seat that the driver knows; ctx is the driver's. */
typedef bool game_seat_test(const void *ctx, int seat);

/*
 * The seat whose clock runs: the one to move, or the one whose roll it is, if it rolls by hand. -1:
 * no clock runs.
 */
int game_time_seat(const struct game_session *g, game_seat_test *rolls_by_hand, const void *ctx);

/* ---- Undo and redo: they stop where is_stop is true of the seat to move, or of QV_CHANCE ---- */

/*
 * How many plies an undo of `stops` stops goes back, at most to the first stop. 0: it takes back
 * only the end of the game, which was agreed or declared. -1: there is nothing to take back.
 */
int game_undo_plies(const struct game_session *g, int stops, game_seat_test *is_stop,
		    const void *ctx);
/*
 * How many plies a redo of `stops` stops goes forward, at most to the end of what was taken back.
 * 0: no ply can be redone.
 */
int game_redo_plies(const struct game_session *g, int stops, game_seat_test *is_stop,
		    const void *ctx);
/* How many plies can be redone in all. */
int game_redo_most(const struct game_session *g);
/* Whether a redo of 0 plies makes sense: it declares the end again that was taken back here. */
bool game_can_redo_end(const struct game_session *g);

/* ---- Giving up ---- */

/*
 * When a seat resigns, fails, or runs out of time: whether a computer plays on for it. If not, the
 * game ends, and game_winner_without wins.
 */
bool game_takes_over(const struct game_session *g);
/* The winner if a seat gives up: of two seats the other one; else nobody, -1. */
int game_winner_without(const struct game_session *g, int seat);

enum { GAME_LEVEL_SPEC = 32 }; /* bytes of `level:N` or `random` */
/* How many levels the game has, from 1, the easiest. */
int game_level_count(const struct qv_game *game);
/* Writes the spec of the middle level. */
void game_middle_level(const struct qv_game *game, char out[GAME_LEVEL_SPEC]);
/*
 * Writes the spec of the player that takes over from another one: the middle level, or a random
 * player if it was the middle level that gave up.
 */
void game_substitute(const struct qv_game *game, const char *spec, char out[GAME_LEVEL_SPEC]);

/* ---- Seats ---- */

/*
 * Everybody moves to the next seat, the last to the first. seats: an array of `count` elements of
 * `size` bytes.
 */
void game_rotate_seats(void *seats, int count, size_t size);

/* ---- Verifiable dice ---- */

enum { DICE_SECRET = 32, DICE_HEX = 2 * DICE_SECRET + 1 };

/* What the number of a roll that people can verify follows from. */
struct dice {
	unsigned char secret[DICE_SECRET];
	const char *seed, *game; /* the player's text, and the id of the game */
	int ply;		 /* moves and rolls before it */
};

/* A secret as hexadecimal digits, and back. False: not DICE_HEX - 1 such digits. */
void dice_hex(const unsigned char secret[DICE_SECRET], char out[DICE_HEX]);
bool dice_from_hex(const char *hex, unsigned char secret[DICE_SECRET]);
/* The sum of the weights of all outcomes in a state where chance moves; > 0. */
uint64_t dice_weights(const struct qv_game *game, const void *state);
/*
 * The outcome of a number below that sum: each takes as many numbers as its weight, in list order.
 * QV_NO_MOVE: the number is not below it.
 */
qv_move dice_outcome(const struct qv_game *game, const void *state, uint64_t number);

#endif
