/*
 * table_player.c - the player `perfect` with endgame tables: it looks its moves up.
 * SPDX-License-Identifier: MIT
 *
 * It wins as fast as the tables allow, keeps draws and loses as late as possible. The tables ignore
 * counters and repetition. These can only cause draws, so a drawn position of the tables is never
 * lost; but a counter may turn a win into a draw, and then the answer is not called proven.
 *
 * Where a table is missing, or the search down to the tables takes too long, the game's strongest
 * level chooses among the moves that are not known to be worse.
 */
#include "base/clock.h"
#include "core/context.h"
#include "core/table_solver.h"
#include "search/legal.h"
#include "core/player.h"

struct table_player {
	struct qv_player base;
	struct qv_solver *solver;
	struct qv_player *stand_in;        /* NULL: the game has no suitable level */
	unsigned char *at, *child;         /* one state each */
	qv_move *list, *best;
};

/* ---- The value of a position ---- */

/*
 * Looks up a position. A missing table or the end of the time makes the value unknown, which is no
 * error; out->move may still be a move that does not lose. Other failures are errors.
 */
static enum qv_status look_up(struct table_player *p, const void *state,
			      const struct table_search_limits *limits, struct qv_solution *out,
			      struct qv_error *error)
{
	const enum qv_status status = table_solver_look_up(p->solver, state, limits, out, error);
	if (status != QV_IO && status != QV_UNKNOWN && status != QV_STOPPED)
		return status;
	const qv_move held = status == QV_STOPPED ? out->move : QV_NO_MOVE;
	*out = (struct qv_solution){ .in = -1, .move = held, .nodes = out->nodes };
	return limits->stop && atomic_load(limits->stop) ? QV_STOPPED : QV_OK;
}

/*
 * The value of a child for the seat that moved there; larger is better. An unknown value counts as
 * a draw.
 */
static int64_t worth(const struct qv_solution *child)
{
	const int plies = child->in < 0 ? 0 : child->in;
	if (child->value == QV_VALUE_LOSS)
		return QV_WIN - plies;
	return child->value == QV_VALUE_WIN ? plies - QV_WIN : 0;
}

struct choice {
	const void *state;
	struct table_search_limits limits;
	int64_t worth;             /* of the best moves: above 0 they win, below they lose */
	int count;
	bool open;                 /* one of them leads to an unknown value */
	bool draws;                /* one of them leads to a known draw, and comes first */
	bool held;                 /* the only move does not lose, but whether it wins is unknown */
	uint64_t nodes;
};

/* Adds a move to the best ones, or replaces them, or ignores it. */
static void compare_move(struct table_player *p, struct choice *c, qv_move move,
			 const struct qv_solution *child)
{
	const int64_t here = worth(child);
	const bool draws = child->value == QV_VALUE_DRAW;
	if (c->count && here < c->worth)
		return;
	/* A known draw is better than an unknown value. */
	if (!c->count || here > c->worth || (draws && !c->draws))
		c->count = 0, c->open = c->draws = false;
	else if (here == 0 && c->draws && !draws)
		return;
	c->worth = here;
	c->draws |= draws;
	c->open |= child->value == QV_VALUE_UNKNOWN;
	p->best[c->count++] = move;
}

static enum qv_status try_move(struct table_player *p, struct choice *c, qv_move move,
			       struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution child;
	memcpy(p->child, c->state, game->state_size);
	game->play(p->child, move);
	const enum qv_status status = look_up(p, p->child, &c->limits, &child, error);
	c->nodes += child.nodes + 1;
	if (status == QV_OK)
		compare_move(p, c, move, &child);
	return status;
}

/* Tries the legal moves of limits->only. */
static enum qv_status try_only(struct table_player *p, struct choice *c,
			       const struct qv_limits *limits, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	const int count = game->moves(c->state, p->list);
	enum qv_status status = QV_OK;
	for (int i = 0; limits->only && i < limits->only_count && status == QV_OK; i++)
		if (c->count < game->max_moves &&
		    legal_among(game, c->state, p->list, count, limits->only[i]))
			status = try_move(p, c, limits->only[i], error);
	return status;
}

/*
 * Takes the move of the tables. If they have none, tries all moves, with each count of a counted
 * one.
 */
static enum qv_status try_all(struct table_player *p, struct choice *c, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution here;
	enum qv_status status = look_up(p, c->state, &c->limits, &here, error);
	c->nodes += here.nodes;
	if (status != QV_OK)
		return status;
	if (here.move != QV_NO_MOVE) {
		c->held = here.value == QV_VALUE_UNKNOWN;
		c->worth = c->held ? 0 : (int64_t)here.value - QV_VALUE_DRAW;
		p->best[c->count++] = here.move;
		return QV_OK;
	}
	const int count = game->moves(c->state, p->list);
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(game, c->state, p->list[i]);
		for (int n = most; n > 0 && status == QV_OK && c->count < game->max_moves; n--)
			status = try_move(p, c, n < most ? game->with_count(p->list[i], n) : p->list[i],
					  error);
	}
	return status;
}

/* ---- The answer ---- */

/* Follows the tables' moves to the end of the game, or until the line is full. */
static enum qv_status extend(struct table_player *p, const void *state,
			     const struct table_search_limits *limits, struct qv_answer *out,
			     int *plies, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	*plies = -1;
	memcpy(p->at, state, game->state_size);
	game->play(p->at, out->move);
	while (game->result(p->at, points) == QV_GOING) {
		struct qv_solution next;
		const enum qv_status status = look_up(p, p->at, limits, &next, error);
		if (status != QV_OK)
			return status;
		if (*plies < 0 && next.in >= 0)
			*plies = out->line_length + next.in;
		if (next.move == QV_NO_MOVE || out->line_length == QV_MAX_LINE)
			return QV_OK;
		out->line[out->line_length++] = next.move;
		game->play(p->at, next.move);
	}
	*plies = *plies < 0 ? out->line_length : *plies;
	return QV_OK;
}

/* Whether the value holds with counters too: that of a draw does. */
static bool is_proven(struct table_player *p, const void *state,
		      const struct table_search_limits *limits, int64_t value)
{
	const struct qv_solve_limits how = { .stop = limits->stop };
	struct qv_solution found;
	return !value || (qv_solver_solve(p->solver, state, &how, &found, NULL) == QV_OK &&
			  found.value != QV_VALUE_UNKNOWN);
}

static enum qv_status answer(struct table_player *p, const struct choice *c, struct qv_answer *out,
			     struct qv_error *error)
{
	int plies;
	memcpy(p->child, c->state, p->base.rules.game->state_size);
	p->base.rules.game->play(p->child, out->move);
	const enum qv_status status = extend(p, c->state, &c->limits, out, &plies, error);
	if (status != QV_OK)
		return status;
	plies = plies < 0 ? out->line_length : plies;
	out->depth = out->line_length;
	out->proven = is_proven(p, p->child, &c->limits, c->worth);
	if (out->proven && c->worth)
		out->score = c->worth > 0 ? QV_WIN - plies : plies - QV_WIN;
	return QV_OK;
}

/* Lets the strongest level choose among the best moves, some of which have unknown values. */
static enum qv_status think_by_stand_in(struct table_player *p, const struct choice *c,
				   const struct qv_limits *limits, struct qv_answer *out,
				   struct qv_error *error)
{
	struct qv_limits how = *limits;
	how.only = p->best;
	how.only_count = c->count;
	return p->stand_in ? p->stand_in->ops->think(p->stand_in, c->state, &how, NULL, out, error) :
			     QV_OK;
}

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct table_player *p = (struct table_player *)player;
	const struct qv_game *game = player->rules.game;
	const int64_t started = clock_us();
	struct choice c = { .state = state, .limits = { .stop = limits->stop } };
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (game->result(state, points) != QV_GOING)
		return QV_OK;
	if (limits->time_ms)
		c.limits.until_us = started + limits->time_ms * 1000;
	game->moves(state, p->list);
	out->move = out->line[0] = p->list[0];
	out->line_length = 1;
	enum qv_status status = try_only(p, &c, limits, error);
	if (status == QV_OK && !c.count)
		status = try_all(p, &c, error);
	if (status == QV_OK) {
		out->move = out->line[0] = p->best[0];
		status = c.open ? think_by_stand_in(p, &c, limits, out, error) :
				  answer(p, &c, out, error);
		out->proven &= !c.open && !c.held;
	}
	out->nodes += c.nodes;
	out->considered = out->nodes;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (status == QV_OK && listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return status;
}

/* ---- the player ---- */

static void new_game(struct qv_player *player)
{
	struct table_player *p = (struct table_player *)player;
	if (p->stand_in)
		p->stand_in->ops->new_game(p->stand_in);
}

static void free_player(struct qv_player *player)
{
	struct table_player *p = (struct table_player *)player;
	const struct qv_game *game = player->rules.game;
	const size_t moves = (size_t)game->max_moves * sizeof *p->list;
	if (p->stand_in)
		p->stand_in->ops->free(p->stand_in);
	qv_solver_free(p->solver);
	mem_free(player->allocator, p->at, p->at ? game->state_size : 0);
	mem_free(player->allocator, p->child, p->child ? game->state_size : 0);
	mem_free(player->allocator, p->list, p->list ? moves : 0);
	mem_free(player->allocator, p->best, p->best ? moves : 0);
	mem_free(player->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* Creates the stand-in: the strongest level, if it is a two-player search. */
static enum qv_status make_stand_in(struct table_player *p, const struct player_setup *setup,
				    struct qv_error *error)
{
	const struct qv_defaults defaults = { .seed = setup->settings->seed, .threads = 1,
					      .hash_mb = (int)setup->settings->tt };
	const char *const *level = qv_levels(setup->rules->game);
	struct player_setup how = *setup;
	struct settings settings;
	while (level[1])
		level++;
	enum qv_status status = spec_parse(*level, &defaults, &settings, error);
	if (status != QV_OK || settings.kind->make != duel_player_new)
		return status;
	const struct game_player *part = game_player_find(setup->engine, settings.kind);
	how.settings = &settings;
	how.own = part ? part->own : NULL;
	return duel_player_new(&how, &p->stand_in, error);
}

enum qv_status table_player_new(const struct player_setup *setup, const char *folder,
				struct qv_player **out, struct qv_error *error)
{
	const struct qv_game *game = setup->rules->game;
	const struct settings *settings = setup->settings;
	struct table_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->at = mem_new(setup->allocator, 1, game->state_size);
	p->child = mem_new(setup->allocator, 1, game->state_size);
	p->list = mem_new(setup->allocator, (size_t)game->max_moves, sizeof *p->list);
	p->best = mem_new(setup->allocator, (size_t)game->max_moves, sizeof *p->best);
	enum qv_status status = p->at && p->child && p->list && p->best ?
					table_solver_new(setup->allocator, setup->rules,
							 folder, (size_t)settings->tt << 20,
							 &p->solver, error) :
					qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	if (status == QV_OK)
		status = make_stand_in(p, setup, error);
	return player_finish(status, &p->base, out);
}
