/*
 * search.c - the driver of the Lurgee framework's search: iterations, opening library, answer.
 * SPDX-License-Identifier: MIT
 *
 * It reproduces the original's moves and counts exactly (tests/unit compares them), so odd details
 * are kept on purpose. The recursion is in search.inc.h.
 */
#include "lurgee/search.h"

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

/* ---- running ---- */

void lurgee_init(struct lurgee *l, const struct lurgee_setup *setup)
{
	const struct settings *set = setup->settings;
	*l = (struct lurgee){
		.game = setup->game,
		.ops = setup->kit->ops,
		.weights = setup->weights ? setup->weights : setup->evaluation->weights,
		.negascout = lurgee_settings(set)->search == LURGEE_NEGASCOUT,
		.byes = lurgee_settings(set)->bye,
		.shuffled = set->random,
		.killer_most = (int)set->killers,
		.random = { .key = set->seed },
	};
}

static uint64_t smaller_limit(int64_t own, uint64_t theirs)
{
	const uint64_t mine = own > 0 ? (uint64_t)own : 0;
	return mine && (!theirs || mine < theirs) ? mine : theirs;
}

static void start(struct lurgee *l, const struct lurgee_setup *setup, const void *state,
		  const struct qv_limits *limits, const struct qv_listener *listener)
{
	const bool asked = listener && (listener->branch || listener->node || listener->leaf);
	pace_start(&l->pace, setup->settings, limits, 0);
	l->listener = asked ? listener : NULL;
	l->only = limits->only_count > 0 ? limits->only : NULL;
	l->only_count = limits->only_count;
	l->evals = l->moves = 0;
	memset(l->killers, 0, sizeof l->killers);
	memcpy(l->root_state, state, l->game->state_size);
	l->ops->prepare(l);
}

static bool is_legal(const struct qv_game *game, const void *state, qv_move move)
{
	qv_move list[QV_MAX_MOVES];
	for (int n = game->moves(state, list); n > 0; n--)
		if (list[n - 1] == move)
			return true;
	return false;
}

/* Puts the opening library's move into *out, if there is one that is legal and allowed. */
static bool find_library_move(struct lurgee *l, const struct lurgee_setup *setup, const void *state,
			int depth, struct qv_answer *out)
{
	const bool documents = strcmp(setup->evaluation->name, "lurgee") == 0;
	if (setup->settings->no_book || !setup->kit->library)
		return false;
	const qv_move move = setup->kit->library(state, depth, documents, &l->random);
	if (move == QV_NO_MOVE || !is_legal(l->game, state, move) ||
	    (l->only && !is_allowed(l, move)))
		return false;
	*out = (struct qv_answer){ .move = move, .line_length = 1, .line = { move } };
	return true;
}

/* One pass; false: a limit stopped it. */
static bool pass(struct lurgee *l, int depth, uint64_t eval_limit, int32_t *value)
{
	l->depth = depth;
	l->eval_limit = eval_limit ? eval_limit : UINT64_MAX;
	l->stopped = false;
	l->first = l->best = QV_NO_MOVE;
	*value = l->ops->search(l);
	return !l->stopped;
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
	out->seconds = pace_seconds(&l->pace);
}

static void iterate(struct lurgee *l, const struct settings *set, int most, uint64_t eval_limit,
		    const struct qv_listener *listener, struct qv_answer *out)
{
	for (int depth = set->iterate ? 1 : most; depth <= most; depth++) {
		int32_t value;
		const bool whole = pass(l, depth, eval_limit, &value);
		fill_answer(l, value, whole, out);
		if (!whole)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (pace_enough(&l->pace, out))
			return;
	}
}

static int32_t ended_score(const struct qv_game *game, const void *state, const int32_t *points)
{
	const int mover = game->seat(state);
	const int32_t ahead = points[mover] - points[1 - mover];
	return ahead > 0 ? QV_WIN : ahead < 0 ? -QV_WIN : 0;
}

enum qv_status lurgee_run(struct lurgee *l, const struct lurgee_setup *setup, const void *state,
			  const struct qv_limits *limits, const struct qv_listener *listener,
			  struct qv_answer *out, struct qv_error *error)
{
	const struct settings *set = setup->settings;
	const int most = pace_depth(set, limits, LURGEE_MAX_DEPTH);
	int32_t points[QV_MAX_SEATS];
	if (l->game->result(state, points) != QV_GOING) {
		*out = (struct qv_answer){ .move = QV_NO_MOVE, .proven = true,
					   .score = ended_score(l->game, state, points) };
		return QV_OK;
	}
	start(l, setup, state, limits, listener);
	if (find_library_move(l, setup, state, most, out))
		return QV_OK;
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	iterate(l, set, most, smaller_limit(set->evals, limits->evals), listener, out);
	if (l->pace.was_stopped)
		return qv_fail(error, QV_STOPPED, "search: stopped");
	return QV_OK;
}
