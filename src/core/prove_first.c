/*
 * prove_first.c - a player that tries to prove the value of a position before it searches.
 * SPDX-License-Identifier: MIT
 *
 * The player `perfect` gets a limited number of nodes. If it proves the value, its answer counts: an
 * exact value, a perfect move and a line to the end. Otherwise the player of the spec searches. The
 * limit is a number of nodes, not a time, so that a game without a clock is the same on every
 * machine. If there is a time limit, at most half of the time is spent on the proof.
 *
 * Endgame tables are used if the folder has useful ones. A game that is too large to be solved
 * without them has no proof then. Other games use their own solver, or a search if they are solved.
 * In chess and Warp Trog only positions that the tables contain are tried.
 */
#include "base/clock.h"
#include "core/context.h"
#include "core/player.h"
#include "core/table_solver.h"
#include "search/root.h"

/* PROBED_WIN: the score of a win whose distance is unknown, above all evaluations in practice. */
enum { SOLVER_MB = 16, MOST_FAILED = 32, PROBED_WIN = 20000 };

struct prove_player {
	struct qv_player base;
	struct qv_player *searcher;
	struct qv_player *solver;  /* `perfect`; NULL: not made yet in this game */
	const struct engine *engine;
	const struct qv_prober *prober; /* NULL: none */
	char *tables;              /* folder of endgame tables; NULL: none */
	size_t tables_size;
	/* The last positions without a proof, each with the moves that were allowed. */
	uint64_t failed[MOST_FAILED];
	unsigned failed_count;     /* of all of them; the oldest are overwritten */
};

/* Identifies a position and the moves that the limits allow. */
static uint64_t question_key(const struct qv_game *game, const void *state,
			     const struct qv_limits *limits)
{
	uint64_t key = game->hash(state);
	for (int i = 0; limits->only && i < limits->only_count; i++)
		key = qv_mix(key ^ (uint64_t)limits->only[i]) + (uint64_t)i;
	return key;
}

static bool has_failed(const struct prove_player *p, uint64_t key)
{
	const unsigned count = p->failed_count < MOST_FAILED ? p->failed_count : MOST_FAILED;
	for (unsigned i = 0; i < count; i++)
		if (p->failed[i] == key)
			return true;
	return false;
}

/* What is left of a limit, at least 1; 0 or less stays none. */
static int64_t less(int64_t limit, int64_t spent)
{
	return limit <= 0 ? 0 : limit > spent ? limit - spent : 1;
}

/* The time for the move in ms: the caller's, its target first, or the player's own; 0: no limit. */
static int64_t time_for_move(const struct prove_player *p, const struct qv_limits *limits)
{
	if (limits->ponder)
		return 0;
	return smaller_limit(p->base.settings.time_ms,
			     limits->aim_ms > 0 ? limits->aim_ms : limits->time_ms);
}

/* Ends the proof at a time, for the caller's watch function too. */
struct deadline {
	const struct qv_limits *limits;
	int64_t until_us;          /* 0: none */
};

static bool before_deadline(void *ctx, uint64_t nodes)
{
	const struct deadline *d = ctx;
	return (!d->until_us || clock_us() < d->until_us) &&
	       (!d->limits->watch || d->limits->watch(d->limits->watch_ctx, nodes));
}

/* Makes the solver. It is made again for each game, so that a game does not depend on others. */
static enum qv_status make_solver(struct prove_player *p, struct qv_error *error)
{
	struct settings settings;
	enum qv_status status = kind_settings(&perfect_kind, "", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.nodes = p->base.settings.prove;
	settings.tt = SOLVER_MB;
	((struct perfect_settings *)(void *)settings.own)->alone = true;
	const struct player_setup how = { .allocator = p->base.allocator,
					  .engine = p->engine,
					  .rules = &p->base.rules,
					  .settings = &settings,
					  .tables = p->tables };
	return perfect_kind.make(&how, &p->solver, error);
}

/*
 * Answers with the move of other tables. False: they do not contain the position, or the limits do
 * not allow the move. Their wins have no distance, so the score is not called proven.
 */
static bool answer_by_prober(const struct prove_player *p, const void *state,
			     const struct qv_limits *limits, const struct qv_listener *listener,
			     struct qv_answer *out)
{
	const struct qv_prober *prober = p->prober;
	const int64_t started = clock_us();
	struct qv_solution found = { .in = -1, .move = QV_NO_MOVE };
	if (!prober ||
	    p->base.rules.game->result(state, (int32_t[QV_MAX_SEATS]){ 0 }) != QV_GOING ||
	    !prober->probe(prober->ctx, &p->base.rules, state, &found) ||
	    found.value == QV_VALUE_UNKNOWN || found.move == QV_NO_MOVE)
		return false;
	bool allowed = !limits->only || !limits->only_count;
	for (int i = 0; !allowed && i < limits->only_count; i++)
		allowed = limits->only[i] == found.move;
	if (!allowed)
		return false;
	*out = (struct qv_answer){ .move = found.move,
				   .score = ((int)found.value - QV_VALUE_DRAW) * PROBED_WIN,
				   .proven = found.value == QV_VALUE_DRAW,
				   .depth = 1,
				   .nodes = 1,
				   .considered = 1,
				   .table_hits = 1,
				   .line_length = 1,
				   .line = { found.move },
				   .seconds = (double)(clock_us() - started) / 1e6 };
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return true;
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct prove_player *p = (struct prove_player *)base;
	const struct qv_game *game = base->rules.game;
	const int64_t started = clock_us(), time_ms = time_for_move(p, limits);
	const uint64_t key = question_key(game, state, limits);
	/* Nodes that the caller counts are for the search, and so is one that is watched. */
	if (limits->nodes || limits->evals || root_is_watched(listener) ||
	    has_failed(p, key))
		return p->searcher->ops->think(p->searcher, state, limits, listener, out, error);
	enum qv_status status = p->solver ? QV_OK : make_solver(p, error);
	if (status != QV_OK)
		return status;
	if (p->engine->tables_alone && !perfect_looks_up(p->solver, state))
		return answer_by_prober(p, state, limits, listener, out)
			       ? QV_OK
			       : p->searcher->ops->think(p->searcher, state, limits, listener, out,
							 error);
	struct deadline deadline = { limits, time_ms ? clock_us() + time_ms * 500 : 0 };
	const struct qv_limits how = { .stop = limits->stop,
				       .history = limits->history,
				       .history_count = limits->history_count,
				       .only = limits->only,
				       .only_count = limits->only_count,
				       .watch = before_deadline,
				       .watch_ctx = &deadline };
	status = p->solver->ops->think(p->solver, state, &how, NULL, out, error);
	if (status != QV_OK && status != QV_STOPPED)
		return status;
	if (status == QV_OK && !out->unsolved) {
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		return QV_OK;
	}
	/* If the caller or the time has ended the proof, it may succeed the next time. */
	if (status == QV_OK)
		p->failed[p->failed_count++ % MOST_FAILED] = key;
	/* The search has the rest of the time. */
	struct qv_limits rest = *limits;
	const uint64_t nodes = out->nodes;
	const int64_t spent_ms = limits->ponder ? 0 : (clock_us() - started) / 1000;
	rest.time_ms = less(smaller_limit(base->settings.time_ms, limits->time_ms), spent_ms);
	rest.aim_ms = less(limits->aim_ms, spent_ms);
	status = p->searcher->ops->think(p->searcher, state, &rest, listener, out, error);
	out->nodes += nodes;
	out->considered += nodes;
	out->seconds = (double)(clock_us() - started) / 1e6;
	return status;
}

static void new_game(struct qv_player *base)
{
	struct prove_player *p = (struct prove_player *)base;
	qv_player_free(p->solver);
	p->solver = NULL;
	p->failed_count = 0;
	p->searcher->settings.seed = base->settings.seed;
	p->searcher->ops->new_game(p->searcher);
}

static void free_player(struct qv_player *base)
{
	struct prove_player *p = (struct prove_player *)base;
	qv_player_free(p->solver);
	qv_player_free(p->searcher);
	mem_free(base->allocator, p->tables, p->tables_size);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* Whether the game has a solver that may be fast; *tables: it is that of the endgame tables. */
static bool has_solver(const struct player_setup *setup, bool *tables)
{
	const struct qv_game *game = setup->rules->game;
	*tables = false;
	if (game->seats != 2 || (game->chance && !setup->engine->tables_alone))
		return false;
	*tables = game->index && setup->tables &&
		  table_solver_useful(setup->allocator, setup->rules, setup->tables);
	if (*tables)
		return true;
	/* The options may exclude tables. */
	if (setup->engine->tables_alone)
		return table_solver_useful(setup->allocator, setup->rules, NULL);
	if (game->index && table_solver_needed(setup->allocator, setup->rules))
		return false;
	return setup->engine->solver || game->solved;
}

enum qv_status prove_first(const struct player_setup *setup, struct qv_player **player,
			   struct qv_error *error)
{
	bool tables;
	if (!has_solver(setup, &tables))
		return QV_OK;
	struct prove_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p) {
		qv_player_free(*player);
		return QV_NO_MEMORY;
	}
	p->searcher = *player;
	p->engine = setup->engine;
	p->prober = setup->prober;
	enum qv_status status = QV_OK;
	if (tables) {
		p->tables_size = strlen(setup->tables) + 1;
		p->tables = mem_new(setup->allocator, p->tables_size, 1);
		if (p->tables)
			memcpy(p->tables, setup->tables, p->tables_size);
		else
			status = qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	}
	return player_finish(status, &p->base, player);
}
