/*
 * player_2017.c - the player of the minichess document, written by its author for the IMCS server
 * in 2017.
 * SPDX-License-Identifier: MIT
 *
 * The root moves share the time equally. Each is searched within its own share with a full window:
 * two plies deep, which always completes, then one ply more each time, up to forty, while the share
 * lasts. A depth that is cut short does not count. The first of the best moves is played. The
 * search is negamax with alpha-beta. It tries the pieces in the order of the board, rank by rank
 * from a6, without move ordering or a table. A leaf is worth its material, 1000 for a king, and so
 * is a finished game; the document has no other value.
 *
 * With random=1 the choice between the best moves is random instead.
 */
#include "base/clock.h"
#include "games/minichess/evaluate.h"
#include "search/legal.h"
#include "search/budget.h"
#include "search/player_kind.h"
#include "search/root.h"
#include "search/visit.h"

enum { FIRST_DEPTH = 2, LAST_DEPTH = 40 };

struct seed_player {
	struct qv_player base;
	struct qv_random random;
};

/* The search of all root moves; the budget is the current move's share. */
struct seed_search {
	struct budget *budget;
	uint64_t nodes, evals;
	const struct qv_listener *listener; /* NULL: no callback for single nodes */
};

static int32_t negamax(struct seed_search *x, const struct minichess *s, int depth, int ply,
		       int32_t alpha, int32_t beta);

/* negamax as a visit to a node by a move. A stopped search does not leave it. */
static int32_t visit(struct seed_search *x, const struct minichess *s, qv_move move, int depth,
		     int ply, int32_t alpha, int32_t beta)
{
	if (x->listener)
		visit_enter(x->listener,
			    &(struct qv_visit){ .state = s,
						.move = move,
						.ply = ply,
						.depth = depth,
						.seat = minichess_seat(s),
						.alpha = visit_edge(alpha, QV_MAX_EVAL),
						.beta = visit_edge(beta, QV_MAX_EVAL) });
	return negamax(x, s, depth, ply, alpha, beta);
}

/* Reports what ends a node, if anything does, and that it is left. */
static int32_t leave(const struct seed_search *x, int ply, int why, int32_t value, qv_move best)
{
	if (x->listener && !x->budget->stopped) {
		if (why >= 0)
			visit_why(x->listener, ply, (enum qv_why)why, value);
		visit_leave(x->listener, ply, value, best);
	}
	return value;
}

/* Lists the moves piece by piece, rank by rank from the top; returns how many. */
static int moves_by_board(const struct minichess *s, qv_move *list)
{
	const uint32_t theirs = s->side[1 - s->turn], empty = s->kind[MINICHESS_EMPTY];
	int n = 0;
	for (int rank = MINICHESS_RANKS - 1; rank >= 0; rank--)
		for (uint32_t left = s->side[s->turn] & MINICHESS_RANK_1 << MINICHESS_FILES * rank;
		     left; left &= left - 1) {
			const int square = bits_lowest(left), kind = minichess_kind_at(s, square);
			const uint32_t ahead = minichess_ahead(UINT32_C(1) << square, s->turn);
			const bool pawn = kind == MINICHESS_PAWN;
			const uint32_t takes =
				pawn ? minichess_beside(ahead)
				     : minichess_reach(kind, square, minichess_occupied(s));
			const uint32_t walks = pawn ? ahead : minichess_walk(kind, square, takes);
			for (uint32_t to = (takes & theirs) | (walks & empty); to; to &= to - 1) {
				const int goal = bits_lowest(to);
				list[n++] = minichess_move(square, goal, kind,
							   minichess_kind_at(s, goal));
			}
		}
	return n;
}

/* The result is meaningless once the budget is used up. */
static int32_t negamax(struct seed_search *x, const struct minichess *s, int depth, int ply,
		       int32_t alpha, int32_t beta)
{
	int32_t points[QV_MAX_SEATS];
	const bool ended = minichess_result(s, points) != QV_GOING;
	if (!depth || ended) {
		x->evals++;
		return leave(x, ply, ended ? QV_WHY_ENDED : QV_WHY_LEAF,
			     minichess_ahead_by(s, minichess_seed_values), QV_NO_MOVE);
	}
	qv_move moves[MINICHESS_MAX_MOVES];
	const int n = moves_by_board(s, moves);
	int32_t best = -QV_MAX_EVAL;
	qv_move best_move = QV_NO_MOVE;
	for (int i = 0; i < n && best < beta; i++) {
		if (x->nodes >= x->budget->check_at && budget_poll(x->budget, x->nodes, x->evals))
			return best;
		struct minichess child = *s;
		minichess_play(&child, moves[i]);
		x->nodes++;
		const int32_t value = -visit(x, &child, moves[i], depth - 1, ply + 1, -beta,
					     best > alpha ? -best : -alpha);
		if (value > best) {
			best = value;
			best_move = moves[i];
		}
	}
	return leave(x, ply, best >= beta ? QV_WHY_CUT : -1, best, best_move);
}

/* Searches a move within a share that starts now; false: not even the first depth completed. */
static bool search_move(struct seed_search *x, const struct minichess *s, qv_move move,
			const struct budget *whole, int last, int32_t *value, int *depth)
{
	struct minichess child = *s;
	struct budget *p = x->budget;
	const uint64_t nodes = x->nodes, evals = x->evals;
	/* No limits yet: the first depth always completes, unless the caller stops it. */
	*p = *whole;
	p->started_us = p->polled_at = clock_us();
	p->time_us = 0;
	p->deadline_us = INT64_MAX;
	p->node_limit = p->eval_limit = UINT64_MAX;
	p->polled_nodes = p->check_at = nodes;
	minichess_play(&child, move);
	x->nodes++;
	*depth = last < FIRST_DEPTH ? last : FIRST_DEPTH;
	*value = -visit(x, &child, move, *depth, 1, -QV_MAX_EVAL, QV_MAX_EVAL);
	if (p->stopped)
		return false;
	/* The first depth is free; the limits of the share apply from here on. */
	p->time_us = whole->time_us;
	if (p->time_us && !p->ponder)
		p->deadline_us = p->started_us + p->time_us;
	if (whole->node_limit != UINT64_MAX)
		p->node_limit = nodes + whole->node_limit;
	if (whole->eval_limit != UINT64_MAX)
		p->eval_limit = evals + whole->eval_limit;
	p->check_at = x->nodes;
	while (*depth < last) {
		const int32_t deeper =
			-visit(x, &child, move, *depth + 1, 1, -QV_MAX_EVAL, QV_MAX_EVAL);
		if (p->stopped)
			break;
		*value = deeper;
		++*depth;
	}
	return true;
}

/* Tries n > 0 moves; false: the caller stopped it. */
static bool choose(struct seed_player *player, const struct minichess *s, const qv_move *moves,
		   int n, struct budget *whole, int last, const struct qv_listener *listener,
		   struct qv_answer *out)
{
	struct budget budget = *whole;
	struct seed_search x = { .budget = &budget,
				 .listener = root_is_watched(listener) ? listener : NULL };
	uint64_t equals = 0;
	/* Each move gets an equal share of the time, the nodes and the evaluations. */
	whole->time_us /= n;
	if (whole->node_limit != UINT64_MAX)
		whole->node_limit /= (uint64_t)n;
	if (whole->eval_limit != UINT64_MAX)
		whole->eval_limit /= (uint64_t)n;
	if (x.listener)
		visit_enter_root(x.listener, s, minichess_seat(s), last + 1);
	for (int i = 0; i < n && !budget.was_stopped; i++) {
		int32_t value;
		int depth;
		if (!search_move(&x, s, moves[i], whole, last, &value, &depth))
			break;
		whole->ponder = budget.ponder;
		if (!i || depth + 1 < out->depth)
			out->depth = depth + 1;
		const bool better = !i || value > out->score;
		if (!better && value < out->score)
			continue;
		/* Among equals the first, or with random=1 each with the same probability. */
		equals = better ? 1 : equals + 1;
		if (better ||
		    (player->base.settings.random && qv_random_below(&player->random, equals) == 0))
			out->move = moves[i];
		out->score = value;
	}
	if (x.listener && !budget.was_stopped)
		visit_leave(x.listener, 0, out->score, out->move);
	out->nodes = out->considered = x.nodes;
	out->evals = x.evals;
	return !budget.was_stopped;
}

/* The slot of struct player_ops. */
static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct seed_player *p = (struct seed_player *)base;
	struct minichess s;
	int32_t points[QV_MAX_SEATS];
	qv_move moves[MINICHESS_MAX_MOVES];
	(void)error;
	memcpy(&s, state, sizeof s);
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (minichess_result(&s, points) != QV_GOING)
		return QV_OK;
	/* Only the moves that the limits name, if they name any. */
	const int n = legal_keep_named(moves, moves_by_board(&s, moves), limits);
	struct budget whole;
	budget_start(&whole, &base->settings, limits, 1);
	budget_aim(&whole);
	const int64_t started = whole.started_us;
	*out = (struct qv_answer){ .move = moves[0], .line_length = 1 };
	const bool done = choose(p, &s, moves, n, &whole,
				 budget_depth(&base->settings, limits, LAST_DEPTH), listener, out);
	out->line[0] = out->move;
	out->seconds = (double)(clock_us() - started) / 1e6;
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return done ? QV_OK : QV_STOPPED;
}

/* The same seed gives the same choices in every game. */
static void new_game(struct qv_player *base)
{
	((struct seed_player *)base)->random = (struct qv_random){ .key = base->settings.seed };
}

static void free_player(struct qv_player *base)
{
	mem_free(base->allocator, base, sizeof(struct seed_player));
}

static const struct player_ops ops = { think, new_game, free_player };

/* The slot of struct player_kind. */
static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	struct seed_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	new_game(&p->base);
	return player_finish(QV_OK, &p->base, out);
}

static const struct option *const options[] = { depth_option, effort_options, random_option,
						opening_options, NULL };

/* The default of 7.5 s a move is 300 s for forty moves. */
const struct player_kind seed_kind = {
	.name = "seed",
	.help = "the student's player of 2017: gives each root move an equal share of the time",
	.options = options,
	.limit = "time=7500ms",
	.needs_game = true,
	.make = make,
};
