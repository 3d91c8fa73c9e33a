/*
 * random_player.c - the player kind `random`: a random legal move, all equally likely.
 * SPDX-License-Identifier: MIT
 *
 * At a chance node it draws an outcome by its weight. Its random numbers restart with each game, so
 * games are reproducible from the seed.
 */
#include "base/clock.h"
#include "search/legal.h"
#include "search/player_kind.h"
#include "search/random_move.h"

struct random_player {
	struct qv_player base;
	struct qv_random random;
	qv_move *moves;            /* max_moves of room */
};

/* A random one of the moves in limits->only; QV_NO_MOVE: none of them is legal. */
static qv_move one_of(struct random_player *r, const void *state, const struct qv_limits *limits,
		      int n)
{
	qv_move chosen = QV_NO_MOVE;
	uint64_t legal = 0;
	for (int i = 0; limits->only && i < limits->only_count; i++)
		if (legal_among(r->base.rules.game, state, r->moves, n, limits->only[i]) &&
		    qv_random_below(&r->random, ++legal) == 0)
			chosen = limits->only[i];
	return chosen;
}

static enum qv_status think(struct qv_player *p, const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out,
			    struct qv_error *error)
{
	(void)listener, (void)error;
	struct random_player *r = (struct random_player *)p;
	const struct qv_game *g = p->rules.game;
	const int64_t started = clock_us();
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	const int n = g->result(state, points) == QV_GOING ? g->moves(state, r->moves) : 0;
	if (!n)
		return QV_OK;
	out->move = one_of(r, state, limits, n);
	if (out->move == QV_NO_MOVE)
		out->move = random_move(g, state, r->moves, n, &r->random);
	out->line[0] = out->move;
	out->line_length = 1;
	out->seconds = (double)(clock_us() - started) / 1e6;
	return QV_OK;
}

static void new_game(struct qv_player *p)
{
	((struct random_player *)p)->random = (struct qv_random){ .key = p->settings.seed };
}

static void free_player(struct qv_player *p)
{
	struct random_player *r = (struct random_player *)p;
	mem_free(p->allocator, r->moves, (size_t)p->rules.game->max_moves * sizeof *r->moves);
	mem_free(p->allocator, r, sizeof *r);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	struct random_player *r = player_begin(setup, &ops, sizeof *r, error);
	if (!r)
		return QV_NO_MEMORY;
	r->moves =
		mem_new(setup->allocator, (size_t)setup->rules->game->max_moves, sizeof *r->moves);
	new_game(&r->base);
	return player_finish(r->moves ? QV_OK : qv_fail(error, QV_NO_MEMORY, "player: out of memory"),
			     &r->base, out);
}

static const struct option *const options[] = { opening_options, NULL };

const struct player_kind random_kind = {
	.name = "random",
	.help = "a random legal move, all equally likely",
	.options = options,
	.make = make,
};
