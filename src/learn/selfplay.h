/*
 * selfplay.h - self-play games for training: random openings, adjudication, and the rows of a plan.
 * SPDX-License-Identifier: MIT
 *
 * For games of two players without chance. A game is adjudicated when its score is decisive or level
 * for several plies, or when the game's own rule for training says that it is drawn.
 */
#ifndef LEARN_SELFPLAY_H
#define LEARN_SELFPLAY_H

#include "base/options.h"
#include "search/duel.h"

enum { SELFPLAY_PLIES_MOST = 512 };

struct selfplay_game;

/* How games are played. */
struct selfplay_rules {
	const struct qv_game *game;
	int random_least, random_most; /* random plies of the opening */
	int32_t lopsided;	       /* an opening with a larger score is replaced */
	int plies_most;		       /* a longer game is a draw */
	int32_t decided;	       /* adjudicated as a win with such a score ... */
	int decided_plies;	       /* ... after this many plies */
	int32_t level;		       /* as a draw with a smaller one ... */
	int level_plies, level_from;   /* ... after this many plies, from this ply on */
	bool (*is_drawn)(const struct selfplay_game *g); /* as a draw in this position */
};

/* A game in progress. */
struct selfplay_game {
	const struct selfplay_rules *rules;
	struct qv_random random;
	void *state;
	uint64_t history[SELFPLAY_PLIES_MOST]; /* since the last irreversible move */
	int history_count;
	int plies;
	int decided,
		level; /* plies with a decisive score (negative: for the second), a level one */
	bool over;
	int result; /* for the first player: 0 lost, 1 drawn, 2 won */
};

/*
 * Plays a whole game from a random opening; `state` has room for a position. `keep` gets every
 * position with its search before the move is played.
 */
enum qv_status selfplay_run(struct selfplay_game *g, struct duel *duel,
			    enum qv_status (*keep)(void *ctx, const struct selfplay_game *g,
						   const struct qv_answer *answer,
						   struct qv_error *error),
			    void *ctx, struct qv_error *error);

/* How often the position has occurred before since the last irreversible move. */
int selfplay_repetitions(const struct selfplay_game *g);

/* Reads a plan of `size` bytes by its keys; on failure it stays as it was. */
enum qv_status selfplay_plan_parse(const struct option *keys, const char *text, void *plan,
				   size_t size, struct qv_error *error);

/* The evaluation of that name, which must exist. */
const struct qv_evaluation *selfplay_evaluation(const struct qv_game *game, const char *name);

#endif
