/*
 * perfect_player.c - the player `perfect`: solves the position, or looks it up, and plays a best move.
 * SPDX-License-Identifier: MIT
 *
 * With a solver it wins as fast as possible and loses as late as possible, or maximizes the margin in
 * games whose solver finds margins. Where distances are slow to find it keeps the value only. It takes as long as the solver does, unless a stop or one of
 * its own limits ends it; the time of a clock does not. Then it returns any legal move, and the
 * answer is unsolved. Where the solver finds no value, as may happen where positions repeat, the
 * answer is unsolved, too. Then it plays a move that is not known to lose, if there is one.
 *
 * With endgame tables it wins as fast as the tables allow, keeps draws and loses as late as possible.
 * The tables ignore counters and repetition. These can only cause draws, so a drawn position of the
 * tables is never lost; but a counter may turn a win into a draw, and then the answer is not called
 * proven. Where a table is missing, or the search down to the tables takes too long, the game's
 * strongest level chooses among the moves that are not known to be worse.
 */
#include "base/clock.h"
#include "base/flag.h"
#include "core/context.h"
#include "core/player.h"
#include "core/table_solver.h"
#include "search/legal.h"

struct perfect_player {
	struct qv_player base;
	struct qv_solver *solver;
	bool by_tables;                    /* the solver is that of endgame tables */
	struct qv_player *stand_in;        /* with tables; NULL: the game has no suitable level */
	unsigned char *at, *child;         /* one state each */
	qv_move *list, *best;              /* max_moves of room each */
	/* The move that is being chosen. */
	const struct qv_limits *limits;
	const void *root;
	struct qv_listener listener; /* of the search at the root */
	uint64_t nodes;	     /* of all positions solved so far */
	uint64_t most_nodes; /* 0: no limit */
	int64_t until_us;    /* by clock_us; 0: no limit */
	bool refused;	     /* limits->watch has ended the search */
};

/*
 * The value of a child for the seat to move at its parent; larger is better. An unknown value
 * counts as a draw.
 */
static int64_t worth(const struct qv_solution *child, bool same_seat)
{
	const enum qv_value value = child->value;
	const int plies = child->in < 0 ? 0 : child->in;
	if (child->has_margin)
		return same_seat ? child->margin : -child->margin;
	if (value == QV_VALUE_DRAW || value == QV_VALUE_UNKNOWN)
		return 0;
	return value == (same_seat ? QV_VALUE_WIN : QV_VALUE_LOSS) ? QV_WIN - plies
								   : plies - QV_WIN;
}

/* A comparison of moves: the position, and the best moves so far. */
struct choice {
	const void *state;
	int64_t best;              /* the worth of the best moves: above 0 they win, below they lose */
	bool open;                 /* a value is unknown: of any child, with tables of a best one */
	struct qv_solution found;  /* with a solver: the best move and its value */
	/* With tables: the number of best moves, in p->best. */
	int count;
	bool draws;                /* one of them leads to a known draw, and comes first */
	bool held;		   /* the only move does not lose, but whether it wins is unknown */
};

/* ---- Limits ---- */

/* For solvers: shows the nodes of the whole move to the caller, and ends at the time limit. */
static bool watch(void *ctx, uint64_t nodes)
{
	struct perfect_player *p = ctx;
	const struct qv_limits *limits = p->limits;
	p->refused |= limits->watch && !limits->watch(limits->watch_ctx, p->nodes + nodes);
	return !p->refused && (!p->until_us || clock_us() < p->until_us);
}

/* What is left of the limits for the next position. */
static struct qv_solve_limits limits_left(struct perfect_player *p)
{
	const uint64_t left = p->most_nodes > p->nodes ? p->most_nodes - p->nodes : 1;
	return (struct qv_solve_limits){ .stop = p->limits->stop,
					 .threads = (int)p->base.settings.threads,
					 .nodes = p->most_nodes ? left : 0,
					 .watch = watch,
					 .ctx = p };
}

/* Whether the caller has ended the search, rather than a limit of the player. */
static bool is_stopped(const struct perfect_player *p)
{
	return p->refused || flag_is_set(p->limits->stop);
}

/* ---- By a solver ---- */

/*
 * Solves for the margin if the solver supports it, else for the distance unless that is slow, else
 * for the value alone.
 */
static enum qv_status solve(struct perfect_player *p, const void *state, struct qv_solution *out,
			    struct qv_error *error)
{
	struct qv_solve_limits how = limits_left(p);
	how.margin = p->solver->ops->margin != NULL;
	how.distance = !how.margin && !p->solver->ops->slow_distance;
	/* Lines that are completed afterwards are searches from other roots. */
	how.listener = state == p->root ? &p->listener : NULL;
	enum qv_status status = solver_run(p->solver, state, &how, out, error);
	if (status == QV_UNSUPPORTED) {
		how.distance = false;
		status = solver_run(p->solver, state, &how, out, error);
	}
	if (status == QV_OK || status == QV_STOPPED)
		p->nodes += out->nodes;
	return status;
}

/* Plays the move on p->child and compares the value there with the best so far. */
static enum qv_status solve_move(struct perfect_player *p, struct choice *c, qv_move move,
				 struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution child;
	memcpy(p->child, c->state, game->state_size);
	game->play(p->child, move);
	p->nodes++;
	enum qv_status status = solve(p, p->child, &child, error);
	if (status != QV_OK)
		return status;
	c->open |= child.value == QV_VALUE_UNKNOWN;
	const int64_t here = worth(&child, game->seat(p->child) == game->seat(c->state));
	if (here <= c->best)
		return QV_OK;
	c->best = here;
	c->found.move = move;
	c->found.value = here > 0 ? QV_VALUE_WIN : here < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
	c->found.in = child.in < 0 ? -1 : child.in + 1;
	return QV_OK;
}

/*
 * Finds a best move. `among` restricts it to the moves of limits->only; c->found.move is QV_NO_MOVE
 * if none of them is legal. For solvers that return no move, all moves are tried.
 */
static enum qv_status choose(struct perfect_player *p, const void *state, bool among,
			     struct choice *c, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	const struct qv_limits *limits = p->limits;
	enum qv_status status = QV_OK;
	*c = (struct choice){ .state = state,
			      .best = INT64_MIN,
			      .found = { .in = -1, .move = QV_NO_MOVE } };
	if (!among) {
		status = solve(p, state, &c->found, error);
		if (status != QV_OK || c->found.move != QV_NO_MOVE)
			return status;
	}
	const int count = game->moves(state, p->list);
	for (int i = 0; among && limits->only && i < limits->only_count && status == QV_OK; i++)
		if (legal_among(game, state, p->list, count, limits->only[i]))
			status = solve_move(p, c, limits->only[i], error);
	struct legal_walk walk = { p->list, among ? 0 : count, 0 };
	for (qv_move move;
	     status == QV_OK && (move = legal_next(game, state, &walk)) != QV_NO_MOVE;)
		status = solve_move(p, c, move, error);
	/* While a move's value is unknown, only a win is certain. */
	if (c->open && c->found.value != QV_VALUE_WIN) {
		c->found.value = QV_VALUE_UNKNOWN;
		c->found.in = -1;
	}
	return status;
}

/*
 * Extends the line from the chosen move to the end of the game with best play. If a position of the
 * line has no known value, the line proves nothing and the answer is unsolved. If a limit or the
 * caller ends the extension, the line is just shorter, unless its length is the only known distance.
 */
static enum qv_status think_by_solver(struct perfect_player *p, const void *state,
				      struct qv_answer *out, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	struct choice c, next;
	enum qv_status status = choose(p, state, true, &c, error);
	if (status == QV_OK && c.found.move == QV_NO_MOVE)
		status = choose(p, state, false, &c, error);
	if (status != QV_OK)
		return status;
	out->move = out->line[0] = c.found.move;
	memcpy(p->at, state, game->state_size);
	game->play(p->at, out->move);
	while (c.found.value != QV_VALUE_UNKNOWN && out->line_length < QV_MAX_LINE &&
	       game->result(p->at, points) == QV_GOING) {
		status = choose(p, p->at, false, &next, error);
		if (status == QV_STOPPED && (c.found.in >= 0 || c.found.value == QV_VALUE_DRAW))
			break;
		if (status != QV_OK)
			return status;
		if (next.found.value == QV_VALUE_UNKNOWN)
			c.found.value = QV_VALUE_UNKNOWN;
		out->line[out->line_length++] = next.found.move;
		game->play(p->at, next.found.move);
	}
	const int plies = c.found.in >= 0 ? c.found.in : out->line_length;
	out->depth = out->line_length;
	out->proven = c.found.value != QV_VALUE_UNKNOWN;
	out->unsolved = !out->proven;
	out->score = c.found.value == QV_VALUE_WIN    ? QV_WIN - plies
		     : c.found.value == QV_VALUE_LOSS ? plies - QV_WIN
						      : 0;
	return QV_OK;
}

/* ---- By endgame tables ---- */

/*
 * Looks up a position. A missing table or the end of the time makes the value unknown, which is no
 * error; out->move may still be a move that does not lose. Other failures are errors.
 */
static enum qv_status look_up(struct perfect_player *p, const void *state, struct qv_solution *out,
			      struct qv_error *error)
{
	const struct qv_solve_limits left = limits_left(p);
	const struct table_search_limits limits = { .solve = &left };
	*out = (struct qv_solution){ .in = -1, .move = QV_NO_MOVE };
	const enum qv_status status = table_solver_look_up(p->solver, state, &limits, out, error);
	p->nodes += out->nodes;
	if (status != QV_IO && status != QV_UNKNOWN && status != QV_STOPPED)
		return status;
	const qv_move held = status == QV_STOPPED ? out->move : QV_NO_MOVE;
	*out = (struct qv_solution){ .in = -1, .move = held };
	return is_stopped(p) ? QV_STOPPED : QV_OK;
}

/* Looks up the position after a move. Adds the move to the best ones, or replaces or ignores them. */
static enum qv_status look_up_move(struct perfect_player *p, struct choice *c, qv_move move,
				   struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution child;
	memcpy(p->child, c->state, game->state_size);
	game->play(p->child, move);
	p->nodes++;
	const enum qv_status status = look_up(p, p->child, &child, error);
	if (status != QV_OK)
		return status;
	const int64_t here = worth(&child, false);
	const bool draws = child.value == QV_VALUE_DRAW;
	/* A known draw is better than an unknown value. */
	const bool better = !c->count || here > c->best || (here == c->best && draws && !c->draws);
	if (!better && (here < c->best || (here == 0 && c->draws && !draws)))
		return QV_OK;
	if (better) {
		c->count = 0;
		c->open = c->draws = false;
	}
	c->best = here;
	c->draws |= draws;
	c->open |= child.value == QV_VALUE_UNKNOWN;
	p->best[c->count++] = move;
	return QV_OK;
}

/* Takes the move of the tables. If they have none, tries all moves. */
static enum qv_status look_up_all(struct perfect_player *p, struct choice *c,
				  struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	struct qv_solution here;
	enum qv_status status = look_up(p, c->state, &here, error);
	if (status != QV_OK)
		return status;
	if (here.move != QV_NO_MOVE) {
		c->held = here.value == QV_VALUE_UNKNOWN;
		c->best = c->held ? 0 : (int64_t)here.value - QV_VALUE_DRAW;
		p->best[c->count++] = here.move;
		return QV_OK;
	}
	struct legal_walk walk = { p->list, game->moves(c->state, p->list), 0 };
	for (qv_move move; status == QV_OK && c->count < game->max_moves &&
			   (move = legal_next(game, c->state, &walk)) != QV_NO_MOVE;)
		status = look_up_move(p, c, move, error);
	return status;
}

/* Follows the tables' moves to the end of the game, or until the line is full, and fills in *out. */
static enum qv_status follow_tables(struct perfect_player *p, const struct choice *c,
				    struct qv_answer *out, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	int32_t points[QV_MAX_SEATS];
	int plies = -1; /* to the end of the game; -1: not known yet */
	memcpy(p->at, c->state, game->state_size);
	game->play(p->at, out->move);
	memcpy(p->child, p->at, game->state_size);
	while (game->result(p->at, points) == QV_GOING) {
		struct qv_solution next;
		const enum qv_status status = look_up(p, p->at, &next, error);
		if (status != QV_OK)
			return status;
		if (plies < 0 && next.in >= 0)
			plies = out->line_length + next.in;
		if (next.move == QV_NO_MOVE || out->line_length == QV_MAX_LINE)
			break;
		out->line[out->line_length++] = next.move;
		game->play(p->at, next.move);
	}
	plies = plies < 0 ? out->line_length : plies;
	out->depth = out->line_length;
	/* Whether the value holds with counters too: that of a draw does. */
	const struct qv_solve_limits how = limits_left(p);
	struct qv_solution found;
	out->proven =
		!c->best || (solver_run(p->solver, p->child, &how, &found, NULL) == QV_OK &&
			     found.value != QV_VALUE_UNKNOWN);
	if (out->proven && c->best)
		out->score = c->best > 0 ? QV_WIN - plies : plies - QV_WIN;
	return QV_OK;
}

static enum qv_status think_by_tables(struct perfect_player *p, const void *state,
				      struct qv_answer *out, struct qv_error *error)
{
	const struct qv_game *game = p->base.rules.game;
	const struct qv_limits *limits = p->limits;
	struct choice c = { .state = state };
	const int count = game->moves(state, p->list);
	enum qv_status status = QV_OK;
	for (int i = 0; limits->only && i < limits->only_count && status == QV_OK; i++)
		if (c.count < game->max_moves &&
		    legal_among(game, state, p->list, count, limits->only[i]))
			status = look_up_move(p, &c, limits->only[i], error);
	if (status == QV_OK && !c.count)
		status = look_up_all(p, &c, error);
	if (status == QV_OK) {
		out->move = out->line[0] = p->best[0];
		/* The strongest level chooses among the best moves if some have unknown values. */
		struct qv_limits how = *limits;
		how.only = p->best;
		how.only_count = c.count;
		if (!c.open)
			status = follow_tables(p, &c, out, error);
		else if (p->stand_in)
			status =
				p->stand_in->ops->think(p->stand_in, state, &how, NULL, out, error);
		out->proven &= !c.open && !c.held;
		out->unsolved = !out->proven && !(c.open && p->stand_in);
	}
	return status;
}

/* The player's own limits, and the caller's. Only with tables does the caller's time apply. */
static void start_limits(struct perfect_player *p, const struct qv_limits *limits, int64_t now)
{
	const struct settings *own = &p->base.settings;
	const int64_t time_ms = smaller_limit(own->time_ms, p->by_tables ? limits->time_ms : 0);
	p->limits = limits;
	p->nodes = 0;
	p->most_nodes = (uint64_t)smaller_limit(own->nodes, (int64_t)(limits->nodes & INT64_MAX));
	p->until_us = time_ms > 0 ? now + time_ms * 1000 : 0;
	p->refused = false;
}

/* ---- The player ---- */

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct perfect_player *p = (struct perfect_player *)player;
	const struct qv_game *game = player->rules.game;
	const int64_t started = clock_us();
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (game->result(state, points) != QV_GOING)
		return QV_OK;
	game->moves(state, p->list);
	out->move = out->line[0] = p->list[0];
	out->line_length = 1;
	start_limits(p, limits, started);
	p->root = state;
	p->listener = (struct qv_listener){ 0 };
	/* Its iterations are not the player's: that reports one, at the end. */
	if (listener)
		p->listener = (struct qv_listener){ .enter = listener->enter,
						    .why = listener->why,
						    .values = listener->values,
						    .leave = listener->leave,
						    .growth = listener->growth,
						    .ctx = listener->ctx };
	enum qv_status status = p->by_tables ? think_by_tables(p, state, out, error)
					     : think_by_solver(p, state, out, error);
	out->unsolved |= status != QV_OK;
	/* A limit of the player's own is no stop: the answer says that it gave up. */
	if (status == QV_STOPPED && !is_stopped(p))
		status = QV_OK;
	out->nodes += p->nodes;
	out->considered = out->nodes;
	if (tables_first_has(p->solver, state))
		out->table_hits = out->nodes;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (status == QV_OK && listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return status;
}

/* Solved positions stay valid, so only the stand-in forgets. */
static void new_game(struct qv_player *player)
{
	struct qv_player *stand_in = ((struct perfect_player *)player)->stand_in;
	if (stand_in)
		stand_in->ops->new_game(stand_in);
}

static void free_player(struct qv_player *player)
{
	struct perfect_player *p = (struct perfect_player *)player;
	const size_t size = player->rules.game->state_size;
	const size_t moves = (size_t)player->rules.game->max_moves * sizeof *p->list;
	qv_player_free(p->stand_in);
	qv_solver_free(p->solver);
	mem_free(player->allocator, p->at, size);
	mem_free(player->allocator, p->child, size);
	mem_free(player->allocator, p->list, moves);
	mem_free(player->allocator, p->best, moves);
	mem_free(player->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* Creates the stand-in: the strongest level, if it is a two-player search. */
static enum qv_status make_stand_in(struct perfect_player *p, const struct player_setup *setup,
				    struct qv_error *error)
{
	const struct qv_defaults defaults = { .size = sizeof defaults,
					      .seed = setup->settings->seed,
					      .threads = 1,
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

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct qv_allocator *a = setup->allocator;
	const struct qv_game *game = setup->rules->game;
	const size_t most = (size_t)game->max_moves, bytes = (size_t)setup->settings->tt << 20;
	const struct solver_setup how = {
		a, setup->engine, setup->rules, bytes, setup->tables, NULL
	};
	/* The tables of the spec, or the default ones if they are worth using; else the solver. */
	const struct perfect_settings *own = (const void *)setup->settings->own;
	const char *folder = *own->tables ? own->tables : setup->tables;
	if (!*own->tables && folder &&
	    (setup->engine->tables_alone ||
	     !(game->index && table_solver_useful(a, setup->rules, folder))))
		folder = NULL;
	if ((game->chance || game->seats != 2) && !own->alone)
		return qv_fail(
			error, QV_UNSUPPORTED,
			"player perfect: needs a game of two players without dice; %s is not one",
			game->name);
	struct perfect_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->by_tables = folder;
	p->at = mem_new(a, 1, game->state_size);
	p->child = mem_new(a, 1, game->state_size);
	p->list = mem_new(a, most, sizeof *p->list);
	p->best = mem_new(a, most, sizeof *p->best);
	enum qv_status status = QV_OK;
	if (!p->at || !p->child || !p->list || !p->best)
		status = qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	else if (!folder)
		status = solver_for(&how, &p->solver, error);
	else
		status = table_solver_new(a, setup->rules, folder, bytes, &p->solver, error);
	if (status == QV_OK && folder && !own->alone)
		status = make_stand_in(p, setup, error);
	return player_finish(status, &p->base, out);
}

bool perfect_looks_up(const struct qv_player *player, const void *state)
{
	return tables_first_has(((const struct perfect_player *)player)->solver, state);
}

static const struct option own_options[] = {
	OWN_OPTION(struct perfect_settings, "tables", OPTION_TEXT, tables, .value = "DIR",
		   .help = "folder of endgame tables; positions outside them are searched"),
	{ 0 },
};
static const struct option *const options[] = { effort_options, table_option,	 threads_option,
						own_options,	opening_options, NULL };

const struct player_kind perfect_kind = {
	.name = "perfect",
	.help = "solves the position, however long that takes, unless time or nodes limit it",
	.options = options,
	.make = make
};
