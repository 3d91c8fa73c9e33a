/*
 * solver.c - solves go-moku: wins by fours and open threes first, then a search.
 * SPDX-License-Identifier: MIT
 *
 * A sequence of threats that wins against every reply proves the win, however large the board is
 * (vcf.h, vct.h). A position is proven lost if the opponent has such a win after every move. All
 * other positions go to the search of increasing depth, which ends only on small or full boards.
 *
 * The length of such a sequence is an upper bound of the distance: there may be a shorter win
 * without a threat at each move. Wins in one and three plies are always found by fours, so a
 * sequence of up to five plies is a shortest win. Longer distances take the search.
 */
#include "games/gomoku/solver.h"

#include "games/gomoku/vct.h"

enum {
	MOST_NODES = 1 << 20,  /* for a win by fours, and for one by threats */
	REPLY_NODES = 1 << 16, /* the same after each move, to prove a loss */
	EXACT_PLIES = 5,
};

struct gomoku_solver {
	struct qv_solver base;
	struct table table; /* of the searches for threats */
	struct distance_search search;
};

/* A run, and the nodes of it so far. */
struct solving {
	struct gomoku_solver *v;
	const struct qv_solve_limits *limits;
	uint64_t nodes;
	unsigned polls;
	bool stopped;
};

/* gomoku_vct.poll */
static bool poll_limits(void *ctx, uint64_t nodes)
{
	struct solving *run = ctx;
	run->stopped |= ++run->polls % 64 == 0 && solve_must_stop(run->limits, run->nodes + nodes);
	return run->stopped;
}

/* Searches a win of the side to move. Returns its length in plies; 0: none was found. */
static int find_win(struct solving *run, const struct gomoku *s, uint64_t most, qv_move *move)
{
	struct gomoku_vcf fours = { .table = &run->v->table, .max_nodes = most };
	struct gomoku_vct threats = {
		.table = &run->v->table, .max_nodes = most, .poll = poll_limits, .ctx = run
	};
	const bool by_fours = gomoku_vcf(&fours, s, GOMOKU_VCF_MOVES);
	run->nodes += fours.nodes;
	run->stopped |= solve_must_stop(run->limits, run->nodes);
	/* A win by threats may be shorter, but that is of no use beyond the exact lengths. */
	if (by_fours && (fours.length <= EXACT_PLIES || run->stopped)) {
		*move = fours.line[0];
		return fours.length;
	}
	if (run->stopped)
		return 0;
	const bool by_threats =
		gomoku_vct(&threats, s, by_fours ? (EXACT_PLIES + 1) / 2 : GOMOKU_VCT_MOVES);
	run->nodes += threats.nodes;
	*move = by_threats ? threats.move : by_fours ? fours.line[0] : QV_NO_MOVE;
	return by_threats ? 2 * threats.moves - 1 : by_fours ? fours.length : 0;
}

/*
 * Whether the opponent wins by threats after every move. *move is the one that holds out longest
 * against the wins that were found.
 */
static bool is_lost(struct solving *run, const struct gomoku *s, qv_move *move)
{
	qv_move list[GOMOKU_MAX_MOVES], unused;
	struct gomoku other = *s;
	int longest = 0;
	/* If the opponent has no win when it moves twice, there is a move that prevents all wins. */
	gomoku_set_turn(&other, 1 - s->turn);
	if (!find_win(run, &other, REPLY_NODES, &unused))
		return false;
	const int n = gomoku_moves(s, list);
	for (int i = 0; i < n; i++) {
		struct gomoku next = *s;
		int32_t points[QV_MAX_SEATS];
		gomoku_play(&next, list[i]);
		const int plies = gomoku_result(&next, points) == QV_GOING
					  ? find_win(run, &next, REPLY_NODES, &unused)
					  : 0;
		if (!plies || run->stopped)
			return false;
		if (plies > longest) {
			longest = plies;
			*move = list[i];
		}
	}
	return n > 0;
}

/* The search of increasing depth, for what threats do not decide. */
static enum qv_status search(struct solving *run, const void *state, struct qv_solution *out,
			     struct qv_error *error)
{
	struct distance_search *d = &run->v->search;
	struct qv_solve_limits rest = *run->limits;
	enum qv_status status = QV_OK;
	if (rest.nodes)
		rest.nodes = rest.nodes > run->nodes ? rest.nodes - run->nodes : 1;
	if (!d->search)
		status = search_solver_new(&d->setup, &d->search, error);
	if (status == QV_OK)
		status = d->search->ops->solve(d->search, state, &rest, out, error);
	out->nodes += run->nodes;
	return status;
}

static enum qv_status solve(struct qv_solver *base, const void *state,
			    const struct qv_solve_limits *limits, struct qv_solution *out,
			    struct qv_error *error)
{
	const struct gomoku *s = state;
	struct solving run = { .v = (struct gomoku_solver *)base, .limits = limits };
	if (s->phase == GOMOKU_OPENING)
		return search(&run, state, out, error);
	const int plies = find_win(&run, s, MOST_NODES, &out->move);
	if (plies)
		out->value = QV_VALUE_WIN;
	else if (!run.stopped && is_lost(&run, s, &out->move))
		out->value = QV_VALUE_LOSS;
	else if (!run.stopped)
		return search(&run, state, out, error);
	out->nodes = run.nodes;
	if (out->value == QV_VALUE_UNKNOWN) {
		out->move = QV_NO_MOVE;
		return qv_fail(error, QV_STOPPED, "solve: stopped");
	}
	if (plies && plies <= EXACT_PLIES) {
		out->in = plies;
		return QV_OK;
	}
	return distance_add(&run.v->search, state, limits, out, error);
}

static void solver_free(struct qv_solver *base)
{
	struct gomoku_solver *v = (struct gomoku_solver *)base;
	distance_release(&v->search);
	table_release(&v->table);
	mem_free(base->allocator, v, sizeof *v);
}

static const struct solver_ops ops = { .solve = solve, .free = solver_free, .slow_distance = true };

enum qv_status gomoku_solver_new(const struct solver_setup *setup, struct qv_solver **out,
				 struct qv_error *error)
{
	struct gomoku_solver *v = mem_new(setup->allocator, 1, sizeof *v);
	if (!v)
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	v->base = (struct qv_solver){ &ops, setup->allocator, *setup->rules };
	v->search.setup = *setup;
	v->search.setup.rules = &v->base.rules;
	if (table_init(&v->table, setup->allocator, setup->hash_bytes) != QV_OK) {
		solver_free(&v->base);
		return qv_fail(error, QV_NO_MEMORY, "solve: out of memory");
	}
	*out = &v->base;
	return QV_OK;
}
