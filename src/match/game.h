/*
 * game.h - one game of a match, and the players that one worker keeps for its games.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_GAME_H
#define MATCH_GAME_H

#include "match/match.h"

struct qv_player;

/* Who takes the lines of a game that lasts, before it is over; false: they could not be kept. */
struct game_reader {
	bool (*lines)(void *ctx, int64_t number, const char *lines, size_t size);
	void *ctx;
};

/* The players of one worker thread, and what its games need. */
struct player_pool {
	const struct qv_context *context;
	const struct match_plan *plan;
	const atomic_bool *stop;   /* set: the game is abandoned, QV_STOPPED. May be NULL */
	bool no_times;
	bool opinions;             /* scores and depths go into the record, as notes */
	struct engine_log *log;    /* of the dialogue with programs; NULL: none */
	struct game_reader reader; /* its function may be NULL */

	/* A player may sit in several seats: as many of it are made. */
	struct qv_player *members[MATCH_MAX_PLAYERS][QV_MAX_SEATS];
	bool outside[MATCH_MAX_PLAYERS];       /* a program, started once and kept */
	void *scratch;             /* a state */
	struct qv_tables *tables;  /* that adjudicate; NULL: none do */
};

enum qv_status player_pool_init(struct player_pool *pool, const struct qv_context *context,
			 const struct match_plan *plan, struct qv_error *error);
void player_pool_release(struct player_pool *pool);

/* Takes no_times, opinions and engine_log of the run. */
void player_pool_set_up(struct player_pool *pool, const struct match_run *run);
/*
 * Starts each player's program and waits for the end of its handshake: one that cannot play is
 * found before the first game. Stops early, with QV_OK, when *stop is set; it may be NULL.
 */
enum qv_status player_pool_start(struct player_pool *pool, const atomic_bool *stop,
				 struct qv_error *error);
/* Plays game `number`; error is not NULL; *out is the caller's to release if QV_OK comes back. */
enum qv_status match_play_game(struct player_pool *pool, int64_t number, struct match_game *out,
			 struct qv_error *error);

/*
 * Whether the player always plays the same in the same place: one of the library's, in one thread,
 * and bounded by no clock.
 */
bool player_pool_reproducible(const struct player_pool *pool, int player);

#endif
