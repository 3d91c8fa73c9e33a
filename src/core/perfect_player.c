/*
 * perfect_player.c - the player `perfect`: solves the position and plays a best move.
 * SPDX-License-Identifier: MIT
 *
 * It wins as fast as possible and loses as late as possible, or maximizes the margin in games whose
 * solver finds margins. It takes as long as the solver does; only a stop ends it sooner, and then
 * it returns any legal move. Where the solver finds no value, as may happen where positions repeat,
 * the answer is not proven. Then it plays a move that is not known to lose, if there is one.
 */
#include "base/clock.h"
#include "core/context.h"
#include "core/table_solver.h"
#include "search/legal.h"
#include "core/player.h"
#include "search/solver.h"

struct perfect_player {
	struct qv_player base;
	struct qv_solver *solver;
	unsigned char *at, *child;         /* one state each */
	qv_move *list;
};

static size_t list_bytes(const struct perfect_player *p)
{
	return (size_t)p->base.rules.game->max_moves * sizeof *p->list;
}

/*
 * Solves for the margin if the solver supports it, else for the distance, else for the value alone.
 */
static enum qv_status solve(struct perfect_player *p, const void *state,
			    const struct qv_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	const bool by_margin = p->solver->ops->margin != NULL;
	struct qv_solve_limits how = { .distance = !by_margin, .stop = limits->stop,
				       .margin = by_margin,
				       .threads = (int)p->base.settings.threads };
	enum qv_status status = qv_solver_solve(p->solver, state, &how, out, error);
	if (status != QV_UNSUPPORTED)
		return status;
	how.distance = false;
	return qv_solver_solve(p->solver, state, &how, out, error);
}

/*
 * The value of a child for the seat to move at its parent; larger is better. An unknown value
 * counts as a draw.
 */
static int64_t worth(const struct qv_solution *child, bool same_seat)
{
	const enum qv_value value = child->value;
	const bool good = value == (same_seat ? QV_VALUE_WIN : QV_VALUE_LOSS);
	const int plies = child->in < 0 ? 0 : child->in;
	if (child->has_margin)
		return same_seat ? child->margin : -child->margin;
	if (value == QV_VALUE_DRAW || value == QV_VALUE_UNKNOWN)
		return 0;
	return good ? QV_WIN - plies : plies - QV_WIN;
}

/* A comparison of moves: the position, and the best move so far. */
struct choice {
	const void *state;
	const struct qv_limits *limits;
	int64_t best;
	bool open;                         /* not every child's value is known */
	struct qv_solution *out;
};

static enum qv_status try_move(struct perfect_player *p, struct choice *c, qv_move move,
			       struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution child = { .nodes = 0 };
	memcpy(p->child, c->state, game->state_size);
	game->play(p->child, move);
	enum qv_status status = solve(p, p->child, c->limits, &child, error);
	c->out->nodes += child.nodes + 1;
	if (status != QV_OK)
		return status;
	c->open |= child.value == QV_VALUE_UNKNOWN;
	const int64_t here = worth(&child, game->seat(p->child) == game->seat(c->state));
	if (here <= c->best)
		return QV_OK;
	c->best = here;
	c->out->move = move;
	c->out->value = here > 0 ? QV_VALUE_WIN : here < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
	c->out->in = child.in < 0 ? -1 : child.in + 1;
	return QV_OK;
}

/* While a move's value is unknown, only a win is certain. */
static enum qv_status finish_choice(const struct choice *c, enum qv_status status)
{
	if (c->open && c->out->value != QV_VALUE_WIN) {
		c->out->value = QV_VALUE_UNKNOWN;
		c->out->in = -1;
	}
	return status;
}

/* For solvers that return no move: tries all moves, with each count of a counted one. */
static enum qv_status try_all(struct perfect_player *p, struct choice *c, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	const int count = game->moves(c->state, p->list);
	enum qv_status status = QV_OK;
	for (int i = 0; i < count; i++) {
		const int most = legal_max_count(game, c->state, p->list[i]);
		for (int n = most; n > 0 && status == QV_OK; n--)
			status = try_move(p, c, n < most ? game->with_count(p->list[i], n) : p->list[i],
					  error);
	}
	return finish_choice(c, status);
}

static enum qv_status choose(struct perfect_player *p, const void *state,
			     const struct qv_limits *limits, struct qv_solution *out,
			     struct qv_error *error)
{
	struct choice c = { state, limits, INT64_MIN, false, out };
	*out = (struct qv_solution){ .in = -1, .move = QV_NO_MOVE };
	enum qv_status status = solve(p, state, limits, out, error);
	return status != QV_OK || out->move != QV_NO_MOVE ? status : try_all(p, &c, error);
}

/* Tries the moves of limits->only. out->move stays QV_NO_MOVE if none of them is legal. */
static enum qv_status choose_among(struct perfect_player *p, const void *state,
				   const struct qv_limits *limits, struct qv_solution *out,
				   struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct choice c = { state, limits, INT64_MIN, false, out };
	*out = (struct qv_solution){ .in = -1, .move = QV_NO_MOVE };
	const int count = game->moves(state, p->list);
	enum qv_status status = QV_OK;
	for (int i = 0; limits->only && i < limits->only_count && status == QV_OK; i++)
		if (legal_among(game, state, p->list, count, limits->only[i]))
			status = try_move(p, &c, limits->only[i], error);
	return finish_choice(&c, status);
}

/*
 * Extends the line from the chosen move to the end of the game with best play. If a position of the
 * line has no known value, the line proves nothing and found->value becomes unknown.
 */
static enum qv_status extend(struct perfect_player *p, const void *state,
			     const struct qv_limits *limits, struct qv_answer *out,
			     struct qv_solution *found, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	memcpy(p->at, state, game->state_size);
	game->play(p->at, out->move);
	while (found->value != QV_VALUE_UNKNOWN && out->line_length < QV_MAX_LINE &&
	       game->result(p->at, points) == QV_GOING) {
		struct qv_solution next;
		enum qv_status status = choose(p, p->at, limits, &next, error);
		out->nodes += next.nodes;
		if (status != QV_OK)
			return status;
		if (next.value == QV_VALUE_UNKNOWN)
			found->value = QV_VALUE_UNKNOWN;
		out->line[out->line_length++] = next.move;
		game->play(p->at, next.move);
	}
	return QV_OK;
}

static void fill(struct qv_answer *out, const struct qv_solution *found)
{
	const int plies = found->in >= 0 ? found->in : out->line_length;
	out->depth = out->line_length;
	out->proven = found->value != QV_VALUE_UNKNOWN;
	out->score = found->value == QV_VALUE_WIN  ? QV_WIN - plies :
		     found->value == QV_VALUE_LOSS ? plies - QV_WIN : 0;
}

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct perfect_player *p = (struct perfect_player *)player;
	const struct qv_game *game = player->rules.game;
	const int64_t started = clock_us();
	struct qv_solution found;
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (game->result(state, points) != QV_GOING)
		return QV_OK;
	game->moves(state, p->list);
	out->move = out->line[0] = p->list[0];
	out->line_length = 1;
	enum qv_status status = choose_among(p, state, limits, &found, error);
	if (status == QV_OK && found.move == QV_NO_MOVE)
		status = choose(p, state, limits, &found, error);
	out->nodes = found.nodes;
	if (status == QV_OK) {
		out->move = out->line[0] = found.move;
		status = extend(p, state, limits, out, &found, error);
	}
	if (status == QV_OK)
		fill(out, &found);
	out->considered = out->nodes;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (status == QV_OK && listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return status;
}

static void new_game(struct qv_player *player)
{
	(void)player;              /* solved positions stay valid */
}

static void free_player(struct qv_player *player)
{
	struct perfect_player *p = (struct perfect_player *)player;
	const size_t size = player->rules.game->state_size;
	qv_solver_free(p->solver);
	mem_free(player->allocator, p->at, size);
	mem_free(player->allocator, p->child, size);
	mem_free(player->allocator, p->list, list_bytes(p));
	mem_free(player->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

struct perfect_settings {
	char tables[SETTINGS_PATH];
};
_Static_assert(sizeof(struct perfect_settings) <= SETTINGS_OWN, "own settings are too large");

/*
 * The folder of the tables to use: the one of the spec, or the default one if its tables are worth
 * using. NULL: use the solver.
 */
static const char *folder_of_tables(const struct player_setup *setup)
{
	const struct perfect_settings *own = (const void *)setup->settings->own;
	if (*own->tables)
		return own->tables;
	const bool useful = setup->tables && setup->rules->game->index &&
			    table_solver_useful(setup->allocator, setup->rules, setup->tables);
	return useful ? setup->tables : NULL;
}

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const size_t state_size = setup->rules->game->state_size,
		     most = (size_t)setup->rules->game->max_moves;
	const struct solver_setup how = { setup->allocator, setup->engine, setup->rules,
					  (size_t)setup->settings->tt << 20 };
	const char *folder = folder_of_tables(setup);
	if (folder)
		return table_player_new(setup, folder, out, error);
	struct perfect_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->at = mem_new(setup->allocator, 1, state_size);
	p->child = mem_new(setup->allocator, 1, state_size);
	p->list = mem_new(setup->allocator, most, sizeof *p->list);
	return player_finish(p->at && p->child && p->list ?
				     solver_for(&how, &p->solver, error) :
				     qv_fail(error, QV_NO_MEMORY, "player: out of memory"),
			     &p->base, out);
}

static const struct option own_options[] = {
	OWN_OPTION(struct perfect_settings, "tables", OPTION_TEXT, tables, .value = "DIR",
		   .help = "folder of endgame tables; positions outside them are searched"),
	{ 0 },
};
static const struct option *const options[] = { table_option, threads_option, own_options,
						opening_options, NULL };

const struct player_kind perfect_kind = {
	.name = "perfect",
	.help = "solves the position, however long that takes",
	.options = options,
	.make = make,
};
