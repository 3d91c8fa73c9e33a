/*
 * desk.h - what tests of players need at hand: a context with the toys, a game with a position, a
 * search asked once.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_DESK_H
#define TEST_DESK_H

#include "support/check.h"

#include "quevedo.h"

static inline struct qv_context *desk_context(const struct qv_allocator *allocator)
{
	struct qv_context *context = qv_context_new(allocator);
	struct qv_error error = { "" };
	assert_non_null(context);
	if (qv_context_load(context, TOY_PLUGIN, &error) != QV_OK)
		fail_msg("%s", error.text);
	return context;
}

/* A game and one position of it. */
struct desk {
	const struct qv_context *context;
	struct qv_rules rules;
	void *state;
	struct qv_game copy; /* of a built-in game, for desk_as_plugin */
};

static inline void desk_open(struct desk *d, const struct qv_context *context, const char *game,
			     const char *position)
{
	struct qv_error error = { "" };
	d->context = context;
	if (qv_rules_parse(context, game, &d->rules, &error) != QV_OK)
		fail_msg("%s", error.text);
	d->state = qv_state_new(context, d->rules.game);
	assert_non_null(d->state);
	if (qv_position_parse(&d->rules, position, d->state, &error) != QV_OK)
		fail_msg("%s: %s", position, error.text);
}

/*
 * From now on the game is one that the library has never seen: everything goes through struct
 * qv_game.
 */
static inline void desk_as_plugin(struct desk *d)
{
	d->copy = *d->rules.game;
	d->rules.game = &d->copy;
}

static inline void desk_close(struct desk *d)
{
	qv_state_free(d->context, d->rules.game, d->state);
	d->state = NULL;
}

static inline bool desk_going(const struct desk *d)
{
	int32_t points[QV_MAX_SEATS];
	return d->rules.game->result(d->state, points) == QV_GOING;
}

/* Starts anew and plays at most so many random moves, but never the one that ends the game. */
static inline void desk_wander(struct desk *d, struct qv_random *random, int plies)
{
	const struct qv_game *game = d->rules.game;
	qv_move list[QV_MAX_MOVES];
	void *next = qv_state_new(d->context, game);
	assert_non_null(next);
	game->start(d->rules.options, d->state);
	for (; plies > 0; plies--) {
		int32_t points[QV_MAX_SEATS];
		memcpy(next, d->state, game->state_size);
		const int n = game->moves(d->state, list);
		game->play(next, list[qv_random_below(random, (uint64_t)n)]);
		if (game->result(next, points) != QV_GOING)
			break;
		memcpy(d->state, next, game->state_size);
	}
	qv_state_free(d->context, game, next);
}

static inline struct qv_player *desk_player(const struct desk *d, const char *spec, uint64_t seed)
{
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	if (qv_player_new(d->context, &d->rules, spec, &defaults, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	return player;
}

/* The answer of a player made for the purpose. */
static inline struct qv_answer desk_ask(const struct desk *d, const char *spec, uint64_t seed,
					const struct qv_limits *limits)
{
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	struct qv_player *player = desk_player(d, spec, seed);
	if (qv_player_think(player, d->state, limits, NULL, &answer, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	qv_player_free(player);
	return answer;
}

/* Everything but the time. */
static inline bool same_answer(const struct qv_answer *a, const struct qv_answer *b)
{
	return a->move == b->move && a->score == b->score && a->proven == b->proven &&
	       a->rests_on_repetition == b->rests_on_repetition && a->depth == b->depth &&
	       a->nodes == b->nodes && a->evals == b->evals && a->considered == b->considered &&
	       a->line_length == b->line_length &&
	       memcmp(a->line, b->line, (size_t)a->line_length * sizeof *a->line) == 0;
}

#endif
