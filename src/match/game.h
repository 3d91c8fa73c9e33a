/*
 * game.h - one game of a match, and the players that one worker keeps for its games.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_GAME_H
#define MATCH_GAME_H

#include "match/match.h"

struct qv_player;

/*
 * Receives new lines of a long game's record before it is over, in the thread that plays it. False:
 * they could not be written, and the game fails.
 */
struct game_reader {
	bool (*lines)(void *ctx, int64_t number, const char *lines, size_t size);
	void *ctx;
};

/* The players of one worker thread, and what its games need. */
struct player_pool {
	const struct qv_context *context;
	const struct match_plan *plan;
	const struct qv_flag *stop;   /* set: the game is abandoned, QV_STOPPED. May be NULL */
	bool no_times;
	bool opinions;             /* scores and depths go into the record, as notes */
	struct engine_log *log;	   /* of the dialogue with programs; NULL: no log */
	const char *log_folder;	   /* instead: a file for each program and game; NULL: none */
	int log_rank;
	struct game_reader reader; /* its function may be NULL */

	/*
	 * Each player of the plan, made when a game first needs it. A player that has several seats
	 * of a game is made once for each of them.
	 */
	struct qv_player *members[MATCH_MAX_PLAYERS][QV_MAX_SEATS];
	bool outside[MATCH_MAX_PLAYERS]; /* an external program, started once and kept */
	struct engine_log *logs[MATCH_MAX_PLAYERS]; /* in the folder, of the current game */
	void *scratch;             /* a state */
	struct qv_tables *tables;  /* decide games early; NULL: no tables do */
};

/*
 * Makes one of each player, so that a malformed spec is found at once. Context and plan must
 * outlive the pool, which only one thread may use. Of the run, stop, no_times, opinions and the
 * logs count; NULL: all zero. After a failure there is nothing to release.
 */
enum qv_status player_pool_init(struct player_pool *pool, const struct qv_context *context,
				const struct match_plan *plan, const struct match_run *run,
				struct qv_error *error);
/* Frees the players and ends their programs. {0} is fine. */
void player_pool_release(struct player_pool *pool);

/*
 * Starts each player's program and waits for the end of its handshake: one that cannot play is
 * found before the first game. With a folder for logs, each has a file for this. Stops early, with QV_OK, when *stop is set; it may be NULL.
 */
enum qv_status player_pool_start(struct player_pool *pool, const struct qv_flag *stop,
				 struct qv_error *error);
/* What a player that has been started does not accept of its options; "": nothing. */
const char *player_pool_warnings(const struct player_pool *pool, int player);
/*
 * Plays game `number` of the plan. A player at fault loses the game, which is not a failure. On
 * QV_OK the caller releases *out. QV_STOPPED: *pool->stop was set. error must not be NULL.
 */
enum qv_status match_play_game(struct player_pool *pool, int64_t number, struct match_game *out,
			 struct qv_error *error);

/*
 * Whether the player always plays the same in the same place: one of the library's, in one thread,
 * and bounded by no clock.
 */
bool player_pool_reproducible(const struct player_pool *pool, int player);

#endif
