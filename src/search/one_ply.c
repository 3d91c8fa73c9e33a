/*
 * one_ply.c - the player kind `book`: programs that look one ply ahead.
 * SPDX-License-Identifier: MIT
 *
 * They always search one ply, so limits of depth, nodes and time do not apply.
 */
#include "search/one_ply.h"

#include "base/clock.h"
#include "search/legal.h"

struct one_ply_player {
	struct qv_player base;
	const struct one_ply_program *program;
	struct qv_random random;
	qv_move *moves;            /* max_moves of room */
};

/* Keeps the book lines' moves, if the position is in one; otherwise all. Returns how many. */
static int keep_known(const struct one_ply_program *program, const void *state, qv_move *moves,
		      int n)
{
	int kept = 0;
	for (int i = 0; program->knows && program->knows(state) && i < n; i++)
		if (program->prefers(state, moves[i]))
			moves[kept++] = moves[i];
	return kept ? kept : n;
}

/* The best of n > 0 moves; of equal ones the first, or with random=1 a random one. */
static void choose(struct one_ply_player *p, const void *state, int n, struct qv_answer *out)
{
	uint64_t equals = 0;
	for (int i = 0; i < n; i++) {
		const int32_t score =
			p->program->score(state, p->moves[i], p->base.settings.literal);
		const bool better = !equals || score > out->score;
		if (!better && score < out->score)
			continue;
		equals = better ? 1 : equals + 1;
		if (better || (p->base.settings.random && qv_random_below(&p->random, equals) == 0))
			out->move = p->moves[i];
		out->score = score;
	}
	out->nodes = out->evals = out->considered = (uint64_t)n;
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct one_ply_player *p = (struct one_ply_player *)base;
	const struct qv_game *g = base->rules.game;
	const int64_t started = clock_us();
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE };
		return QV_OK;
	}
	if (g->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "player: chance is to move, not a player");
	int n = g->moves(state, p->moves);
	n = legal_keep_named(p->moves, n, limits);
	n = keep_known(p->program, state, p->moves, n);
	*out = (struct qv_answer){ .depth = 1, .line_length = 1 };
	choose(p, state, n, out);
	out->line[0] = out->move;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return QV_OK;
}

static void new_game(struct qv_player *base)
{
	((struct one_ply_player *)base)->random = (struct qv_random){ .key = base->settings.seed };
}

static void free_player(struct qv_player *base)
{
	struct one_ply_player *p = (struct one_ply_player *)base;
	mem_free(base->allocator, p->moves,
		 (size_t)base->rules.game->max_moves * sizeof *p->moves);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

enum qv_status one_ply_player_new(const struct player_setup *setup, struct qv_player **out,
				  struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct one_ply_program *program = setup->own;
	if (setup->settings->literal && !program->has_literal)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: literal=1 has no effect; the program for %s has one reading",
			       setup->settings->kind->name, game->name);
	struct one_ply_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->program = program;
	p->moves = mem_new(setup->allocator, (size_t)game->max_moves, sizeof *p->moves);
	new_game(&p->base);
	return player_finish(p->moves ? QV_OK : qv_fail(error, QV_NO_MEMORY, "player: out of memory"),
			     &p->base, out);
}

static const struct option *const options[] = { random_option, literal_option, opening_options, NULL };

const struct player_kind book_kind = {
	.name = "book",
	.help = "the programs of the 1983 book, which look one ply ahead",
	.options = options,
	.defaults = "random=1",
	.needs_game = true,
	.make = one_ply_player_new,
};
