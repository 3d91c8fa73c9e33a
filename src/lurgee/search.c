/*
 * search.c - the player kind `lurgee`: the driver of the Lurgee framework's search.
 * SPDX-License-Identifier: MIT
 *
 * Games provide evaluators, opening library and difficulty ladders in a struct lurgee_kit. The
 * search reproduces the original's moves and counts exactly (tests/unit compares them), so odd
 * details are kept on purpose. The recursion is in search.inc.h.
 */
#include "lurgee/search.h"

#include "search/evaluation.h"
#include "search/player_kind.h"
#include "search/root.h"

/* ---- move ordering ---- */

/*
 * As in the framework: each move is inserted at a random place among those of equal rank. Then new
 * keys are assigned in the order of the list.
 */
void lurgee_shuffle(struct lurgee *l, qv_move *moves, uint32_t *keys, int n)
{
	uint8_t ranks[ORDER_MOST];
	for (int i = 0; i < n; i++) {
		const uint8_t rank = (uint8_t)(keys[i] >> ORDER_RANK);
		const qv_move move = moves[i];
		int to = 0, equals = 0;
		while (to < i && ranks[to] > rank)
			to++;
		while (to + equals < i && ranks[to + equals] == rank)
			equals++;
		if (equals)
			to += (int)qv_random_below(&l->random, (uint64_t)equals + 1);
		for (int k = i; k > to; k--) {
			ranks[k] = ranks[k - 1];
			moves[k] = moves[k - 1];
		}
		ranks[to] = rank;
		moves[to] = move;
	}
	for (int i = 0; i < n; i++)
		keys[i] = order_key(ranks[i] - ORDER_PLAIN, (unsigned)(n - i), i);
}

/* Whether limits.only names the move. */
static bool is_allowed(const struct lurgee *l, qv_move move)
{
	for (int i = 0; i < l->only_count; i++)
		if (l->only[i] == move)
			return true;
	return false;
}

void lurgee_keep_only(const struct lurgee *l, const qv_move *moves, uint32_t *keys, int n)
{
	bool any = false;
	for (int i = 0; i < n; i++)
		any |= is_allowed(l, moves[i]);
	for (int i = 0; any && i < n; i++)
		if (!is_allowed(l, moves[i]))
			keys[i] = 0;
}

/* ---- the player ---- */

struct lurgee_player {
	struct qv_player base;
	const struct lurgee_kit *kit;
	struct chosen_evaluation chosen;
	struct lurgee search;
};

/* Sets the switches from the settings and restarts the random numbers. */
static void new_game(struct qv_player *base)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	const struct settings *set = &base->settings;
	p->search = (struct lurgee){
		.game = base->rules.game,
		.ops = p->kit->ops,
		.weights = p->chosen.weights ? p->chosen.weights : p->chosen.evaluation->weights,
		.negascout = lurgee_settings(set)->search == LURGEE_NEGASCOUT,
		.byes = lurgee_settings(set)->bye,
		.shuffled = set->random,
		.killer_most = (int)set->killers,
		.random = { .key = set->seed },
	};
}

/* The opening library's move if it is legal and allowed, or QV_NO_MOVE. */
static qv_move library_move(struct lurgee_player *p, const void *state, int depth)
{
	struct lurgee *l = &p->search;
	qv_move list[QV_MAX_MOVES];
	const bool documents = strcmp(p->chosen.evaluation->name, "lurgee") == 0;
	if (p->base.settings.no_book || !p->kit->library)
		return QV_NO_MOVE;
	const qv_move move = p->kit->library(state, depth, documents, &l->random);
	if (move == QV_NO_MOVE || (l->only && !is_allowed(l, move)))
		return QV_NO_MOVE;
	for (int n = l->game->moves(state, list); n > 0; n--)
		if (list[n - 1] == move)
			return move;
	return QV_NO_MOVE;
}

/*
 * Puts the result of a pass into *out. A stopped pass counts only if there is no answer yet. If no
 * move exceeds the lower bound, the framework has no move; then the first one tried is used, or the
 * first legal one.
 */
static void fill_answer(const struct lurgee *l, int32_t value, bool whole, struct qv_answer *out)
{
	if (whole || !out->depth) {
		qv_move list[QV_MAX_MOVES];
		out->move = l->best != QV_NO_MOVE ? l->best : l->first;
		if (out->move == QV_NO_MOVE && l->game->moves(l->root_state, list))
			out->move = list[0];
		out->score = l->best != QV_NO_MOVE ? l->best_score : value;
		out->depth = whole ? l->depth : 0;
		out->line_length = 1;
		out->line[0] = out->move;
	}
	out->evals = l->evals;
	out->nodes = out->considered = l->moves;
	out->seconds = budget_seconds(&l->budget);
}

/*
 * player_ops.think: plays a library move if there is one (unless book=none), otherwise searches.
 * QV_STOPPED: *out is valid.
 */
static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	struct lurgee *l = &p->search;
	const struct settings *set = &base->settings;
	const int most = budget_depth(set, limits, LURGEE_MAX_DEPTH);
	int32_t points[QV_MAX_SEATS];
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (l->game->result(state, points) != QV_GOING) {
		const int mover = l->game->seat(state);
		const int32_t ahead = points[mover] - points[1 - mover];
		out->proven = true;
		out->score = ahead > 0 ? QV_WIN : ahead < 0 ? -QV_WIN : 0;
		return QV_OK;
	}
	/* Start the search. */
	budget_start(&l->budget, set, limits, 0);
	l->listener = root_is_watched(listener) ? listener : NULL;
	l->only = limits->only_count > 0 ? limits->only : NULL;
	l->only_count = limits->only_count;
	l->evals = l->moves = 0;
	memset(l->killers, 0, sizeof l->killers);
	memcpy(l->root_state, state, l->game->state_size);
	l->ops->prepare(l);
	out->move = library_move(p, state, most);
	if (out->move != QV_NO_MOVE) {
		out->line[out->line_length++] = out->move;
		return QV_OK;
	}
	/* Deepen until a limit stops a pass. The smaller limit of evaluations holds, 0 for none. */
	uint64_t evals = limits->evals;
	if (set->evals > 0 && (!evals || (uint64_t)set->evals < evals))
		evals = (uint64_t)set->evals;
	const bool deepens = set->iterate || most == LURGEE_MAX_DEPTH;
	for (int depth = deepens ? 1 : most; depth <= most; depth++) {
		l->depth = depth;
		l->eval_limit = evals ? evals : UINT64_MAX;
		l->stopped = false;
		l->first = l->best = QV_NO_MOVE;
		if (listener && listener->iteration_start)
			listener->iteration_start(listener->ctx, depth);
		const int32_t value = l->ops->search(l);
		fill_answer(l, value, !l->stopped, out);
		if (l->stopped)
			break;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (budget_enough(&l->budget, out))
			break;
	}
	if (l->budget.was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}

static void free_player(struct qv_player *base)
{
	struct lurgee_player *p = (struct lurgee_player *)base;
	evaluation_release(base->allocator, &p->chosen);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

/* player_kind.make */
static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const struct settings *set = setup->settings;
	/* The framework's single-pass searches have no move when a limit stops them. */
	if (set->evals && !set->iterate)
		return qv_fail(error, QV_UNSUPPORTED,
			       "player lurgee: evals=%lld needs iterate=1; a single pass that is "
			       "stopped has no move",
			       (long long)set->evals);
	struct lurgee_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	p->kit = setup->own;
	const enum qv_status status =
		evaluation_choose(setup->allocator, setup->rules->game, p->kit->evaluations, NULL,
				  set, &p->chosen, error);
	if (status == QV_OK)
		new_game(&p->base);
	return player_finish(status, &p->base, out);
}

static const struct option own_options[] = {
	OWN_OPTION(struct lurgee_settings, "search", OPTION_CHOICE, search,
		   .choices = "negamax|negascout", .def = LURGEE_NEGASCOUT, .value = "NAME",
		   .help = "negamax or negascout"),
	OWN_OPTION(struct lurgee_settings, "bye", OPTION_SWITCH, bye, .def = 1,
		   .help = "a forced pass takes a ply; 0: the line ends there"),
	{ 0 },
};
static const struct option *const options[] = {
	depth_option, evaluation_options, random_option, killers_option,
	own_options,  opening_options,	  NULL,
};

const struct player_kind lurgee_kind = {
	.name = "lurgee", .help = "the Lurgee framework's search, with its own evaluators",
	.options = options, .defaults = "killers=4", .limit = "depth=5",
	.needs_game = true, .counts_work = true, .make = make,
};
