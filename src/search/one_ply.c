/*
 * one_ply.c - the player kinds `random` and `book`, which look at most one ply ahead.
 * SPDX-License-Identifier: MIT
 *
 * `random` plays a random legal move, all equally likely; at a chance node it draws an outcome by its
 * weight. `book` runs a program that scores each move. Limits of depth, nodes and time do not apply
 * to them. Random numbers restart with each game, so games are reproducible from the seed.
 */
#include "search/one_ply.h"

#include "base/clock.h"
#include "search/random_move.h"
#include "search/root.h"
#include "search/visit.h"

struct one_ply_player {
	struct qv_player base;
	const struct one_ply_program *program; /* NULL: random moves */
	struct qv_random random;
	qv_move *moves;            /* max_moves of room */
	void *after;		   /* room for a position, for listeners */
};

/* Reports to a listener that a move has a value for the seat that plays it. */
static void report_move(const struct one_ply_player *p, const struct qv_listener *l,
			const void *state, qv_move move, int32_t value)
{
	const struct qv_game *g = p->base.rules.game;
	memcpy(p->after, state, g->state_size);
	g->play(p->after, move);
	visit_enter(l, &(struct qv_visit){ .state = p->after,
					   .move = move,
					   .ply = 1,
					   .seat = g->seat(state),
					   .alpha = -INFINITY,
					   .beta = INFINITY });
	visit_why(l, 1, QV_WHY_LEAF, value);
	visit_leave(l, 1, value, QV_NO_MOVE);
}

static enum qv_status random_think(struct qv_player *p, const void *state,
				   const struct qv_limits *limits,
				   const struct qv_listener *listener, struct qv_answer *out,
				   struct qv_error *error)
{
	(void)error;
	struct one_ply_player *r = (struct one_ply_player *)p;
	const struct qv_game *g = p->rules.game;
	const int64_t started = clock_us();
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	const int n = g->result(state, points) == QV_GOING ? g->moves(state, r->moves) : 0;
	if (!n)
		return QV_OK;
	/* A random one of the legal moves in limits->only, or of all. */
	uint64_t legal = 0;
	for (int i = 0; limits->only && i < limits->only_count; i++)
		if (legal_among(g, state, r->moves, n, limits->only[i]) &&
		    qv_random_below(&r->random, ++legal) == 0)
			out->move = limits->only[i];
	if (out->move == QV_NO_MOVE)
		out->move = random_move(g, state, r->moves, n, &r->random);
	/* It values nothing: the root alone, with the move that it draws. */
	if (root_is_watched(listener)) {
		const int seat = g->seat(state);
		visit_enter_root(listener, state, seat == QV_CHANCE ? 0 : seat, 0);
		visit_leave(listener, 0, 0, out->move);
	}
	out->line[0] = out->move;
	out->line_length = 1;
	out->seconds = (double)(clock_us() - started) / 1e6;
	return QV_OK;
}

static enum qv_status book_think(struct qv_player *base, const void *state,
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
	/* In a position of its book lines, the program considers only their moves. */
	int kept = 0;
	for (int i = 0; p->program->knows && p->program->knows(state) && i < n; i++)
		if (p->program->prefers(state, p->moves[i]))
			p->moves[kept++] = p->moves[i];
	n = kept ? kept : n;
	/* The best of the moves; of equal ones the first, or with random=1 a random one. */
	*out = (struct qv_answer){ .depth = 1, .line_length = 1 };
	uint64_t equals = 0;
	const bool watched = root_is_watched(listener);
	if (watched)
		visit_enter_root(listener, state, g->seat(state), 1);
	for (int i = 0; i < n; i++) {
		const int32_t score = p->program->score(state, p->moves[i], base->settings.literal);
		if (watched)
			report_move(p, listener, state, p->moves[i], score);
		const bool better = !equals || score > out->score;
		if (!better && score < out->score)
			continue;
		equals = better ? 1 : equals + 1;
		if (better || (base->settings.random && qv_random_below(&p->random, equals) == 0))
			out->move = p->moves[i];
		out->score = score;
	}
	if (watched)
		visit_leave(listener, 0, out->score, out->move);
	out->nodes = out->evals = out->considered = (uint64_t)n;
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
	mem_free(base->allocator, p->after, base->rules.game->state_size);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops random_ops = { random_think, new_game, free_player };
static const struct player_ops book_ops = { book_think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, const struct one_ply_program *program,
			   struct qv_player **out, struct qv_error *error)
{
	struct one_ply_player *p =
		player_begin(setup, program ? &book_ops : &random_ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->program = program;
	p->moves =
		mem_new(setup->allocator, (size_t)setup->rules->game->max_moves, sizeof *p->moves);
	p->after = mem_new(setup->allocator, 1, setup->rules->game->state_size);
	new_game(&p->base);
	return player_finish(p->moves && p->after
				     ? QV_OK
				     : qv_fail(error, QV_NO_MEMORY, "player: out of memory"),
			     &p->base, out);
}

static enum qv_status random_player_new(const struct player_setup *setup, struct qv_player **out,
					struct qv_error *error)
{
	return make(setup, NULL, out, error);
}

enum qv_status one_ply_player_new(const struct player_setup *setup, struct qv_player **out,
				  struct qv_error *error)
{
	const struct one_ply_program *program = setup->own;
	if (setup->settings->literal && !program->has_literal)
		return qv_fail(
			error, QV_UNSUPPORTED,
			"player %s: literal=1 has no effect; the program for %s has one reading",
			setup->settings->kind->name, setup->rules->game->name);
	if (program->make)
		return program->make(setup, out, error);
	if (setup->settings->kind == &book_kind &&
	    !(setup->settings->sort && setup->settings->prune))
		return qv_fail(error, QV_UNSUPPORTED,
			       "player %s: sort and prune have no effect; the program for %s looks "
			       "one ply ahead",
			       setup->settings->kind->name, setup->rules->game->name);
	return make(setup, program, out, error);
}

static const struct option *const random_groups[] = { opening_options, NULL };
static const struct option listing_options[] = {
	OPTION(struct settings, "sort", OPTION_SWITCH, sort, .def = 1,
	       .help = "Warp Trog: line 740 of the listing, which sorts its moves"),
	OPTION(struct settings, "prune", OPTION_SWITCH, prune, .def = 1,
	       .help = "Warp Trog: line 640, which skips replies (alpha-beta)"),
	{ 0 },
};
static const struct option *const book_groups[] = { random_option, literal_option, listing_options,
						    opening_options, NULL };

const struct player_kind random_kind = {
	.name = "random", .help = "a random legal move, all equally likely",
	.options = random_groups, .make = random_player_new
};

const struct player_kind book_kind = {
	.name = "book", .help = "the programs of the 1983 book, which look one or two plies ahead",
	.options = book_groups, .defaults = "random=1", .needs_game = true,
	.make = one_ply_player_new
};
