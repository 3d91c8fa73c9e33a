/*
 * search_log.h - the slow checker of the two-player searches' logs: every window, value, cut-off and
 * reason is derived again from the rest of the log and from the rules of the game.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_SEARCH_LOG_H
#define TEST_SEARCH_LOG_H

#include "support/search_config.h"

#include <math.h>
#include <stdarg.h>

#include "search/duel_inline.h"
#include "trace/log.h"

enum { MOST_ITERATIONS = 16, MOST_VISITS = 1000000 };

/* ---- the checker ---- */

struct checker {
	const struct log *l;
	const struct config *c;
	const struct spot *root;
	int32_t root_static, hard;
	bool razoring; /* in this pass */
	int iteration, pass;
	int64_t carried[QV_MAX_LINE + 2];
	uint64_t *keys; /* of the positions of the visits */
	qv_move *moves; /* that led to the visits; some games name the same move differently elsewhere */
	uint64_t hard_tests, top_nodes;
	struct qv_answer lines[MOST_ITERATIONS];
	int line_count, kept_line; /* iterations; the one whose line is kept, or -1 */
	/* With top-N: the root's moves in the order of the search, and the name of the best. */
	struct root_move order[SPOT_MOVES];
	int order_count, best_name;
	char wrong[512]; /* "": nothing */
};

__attribute__((format(printf, 3, 4))) static inline bool wrong(struct checker *k, int visit,
							       const char *format, ...)
{
	va_list arguments;
	if (*k->wrong)
		return false;
	const int at = snprintf(k->wrong, sizeof k->wrong, "visit %d (%s): ", visit,
				log_name(k->l, k->l->visits[visit].move));
	va_start(arguments, format);
	vsnprintf(k->wrong + at, sizeof k->wrong - (size_t)at, format, arguments);
	va_end(arguments);
	return false;
}

/* Infinite edges as the search has them. */
static inline int32_t edge(double value)
{
	return isinf(value) ? (value > 0 ? DUEL_INFINITE : -DUEL_INFINITE) : (int32_t)value;
}

static inline int sign_of(const struct checker *k, const struct spot *s)
{
	return s->rules.game->seat(s->state) == k->l->root_seat ? 1 : -1;
}

static inline const struct qv_evaluation *evaluation_of(const struct spot *s)
{
	return s->rules.game->evaluations;
}

static inline const void *weights_of(const struct checker *k)
{
	const struct qv_evaluation *e = evaluation_of(k->root);
	if (!k->c->phases)
		return e ? e->weights : NULL;
	return (const char *)e->phase_weights +
	       (size_t)k->root->rules.game->phase(k->root->state) * e->weights_size;
}

static inline int64_t evaluated(const struct checker *k, const struct spot *s)
{
	const struct qv_evaluation *e = evaluation_of(s);
	return e ? duel_clamp(e->evaluate(s->state, weights_of(k))) : 0;
}

static inline int64_t ahead(const struct spot *s)
{
	const struct qv_game *g = s->rules.game;
	const int seat = g->seat(s->state);
	return (int64_t)g->material(s->state, seat) - g->material(s->state, 1 - seat);
}

/* The static value of a position in which the game goes on, for its seat to move. */
static inline int32_t leaf_value(const struct checker *k, const struct spot *s, int ply)
{
	const struct config *c = k->c;
	const struct qv_game *g = s->rules.game;
	const int seat = g->seat(s->state);
	const int64_t carried = sign_of(k, s) * k->carried[ply];
	int64_t value = evaluated(k, s);
	if (c->move_eval)
		return duel_clamp(carried);
	if (c->ply1)
		value = carried + (c->ply1 == 1 ? ahead(s) : value);
	if (c->exchange)
		value = DUEL_HUNDREDTHS * value +
			duel_exchange_term(g->material(s->state, seat),
					   g->material(s->state, 1 - seat));
	return duel_clamp(value);
}

/* What a line carries after a move. */
static inline void carry(struct checker *k, const struct spot *s, qv_move move,
			 const struct spot *child, int ply)
{
	const struct qv_evaluation *e = evaluation_of(s);
	k->carried[ply + 1] = k->carried[ply];
	if (k->c->ply1 && !ply)
		k->carried[1] = sign_of(k, child) * (evaluated(k, child) - ahead(child));
	if (k->c->move_eval)
		k->carried[ply + 1] +=
			sign_of(k, s) * duel_clamp(e->move(s->state, move, weights_of(k)));
}

static inline bool has(const struct log_visit *v, enum qv_why why)
{
	return v->reasons >> why & 1;
}

/* A node without children whose only reason is this one; value: for the seat to move. */
static inline bool check_single(struct checker *k, int i, const struct spot *s, enum qv_why why,
				int32_t value)
{
	const struct log_visit *v = &k->l->visits[i];
	if (v->why != (int)why || v->reasons != 1U << why)
		return wrong(k, i, "reason %d, not %d", v->why, (int)why);
	if (v->end != i + 1)
		return wrong(k, i, "has visits below it");
	if (v->value != sign_of(k, s) * value || v->number != v->value || v->best)
		return wrong(k, i, "value %g of reason %d, not %d", v->value, (int)why,
			     sign_of(k, s) * value);
	return true;
}

/* A visit is over before another begins. */
static inline bool is_before(const struct checker *k, int j, int i)
{
	return k->l->visits[j].end <= i;
}

/* Whether the whole subtree has no heuristic value. */
static inline bool is_exact_below(const struct checker *k, int j)
{
	const unsigned guesses = 1U << QV_WHY_LEAF | 1U << QV_WHY_STAND_PAT | 1U << QV_WHY_RAZOR |
				 1U << QV_WHY_HARD | 1U << QV_WHY_TOP;
	for (int i = j; i < k->l->visits[j].end; i++)
		if (k->l->visits[i].reasons & guesses)
			return false;
	return true;
}

/* The table's value was found at an earlier visit of the position, deep enough and with its bound. */
static inline bool check_table(struct checker *k, int i, const struct spot *s)
{
	const struct log_visit *v = &k->l->visits[i];
	const int sgn = sign_of(k, s);
	const int32_t value = sgn * (int32_t)v->value;
	const int32_t alpha = edge(sgn > 0 ? v->alpha : -v->beta);
	const int32_t beta = edge(sgn > 0 ? v->beta : -v->alpha);
	if (!k->c->tt || v->depth < 2)
		return wrong(k, i, "there is no table here");
	if (v->reasons != 1U << QV_WHY_TABLE || v->end != i + 1 || v->number != v->value)
		return wrong(k, i, "not ended by the table alone");
	for (int j = 0; j < i; j++) {
		const struct log_visit *u = &k->l->visits[j];
		if (k->keys[j] != k->keys[i] || u->parent < 0 || u->depth < 2 ||
		    !is_before(k, j, i) || isnan(u->value))
			continue;
		const int32_t found = sgn * (int32_t)u->value;
		if (duel_from_table(duel_to_table(found, u->ply), v->ply) != value)
			continue;
		const bool exact_key = k->c->tt_exact || v->flags & QV_VISIT_VERIFY;
		const bool deep = exact_key && u->depth == v->depth;
		if (!deep && u->depth < v->depth && !is_exact_below(k, j) && !is_decided(found))
			continue;
		const int32_t low = edge(sgn > 0 ? u->alpha : -u->beta);
		const int32_t high = edge(sgn > 0 ? u->beta : -u->alpha);
		const bool lower = found >= high, upper = found <= low;
		if ((lower && value < beta) || (upper && value > alpha))
			continue;
		return true;
	}
	return wrong(k, i, "no earlier visit gave %g to the table", v->value);
}

/* ---- moves of a node ---- */

struct tried {
	qv_move list[SPOT_MOVES];
	bool done[SPOT_MOVES];
	int count, tried;
};

/* The move of that name, which must be legal and new here; -1: it is not. */
static inline int find_move(struct checker *k, const struct spot *s, const struct tried *t,
			    int visit)
{
	char text[QV_MOVE_TEXT];
	for (int i = 0; i < t->count; i++)
		if (strcmp(move_text(s, t->list[i], text),
			   log_name(k->l, k->l->visits[visit].move)) == 0) {
			if (t->done[i])
				wrong(k, visit, "the move was searched before");
			return t->done[i] ? -1 : i;
		}
	wrong(k, visit, "no such move");
	return -1;
}

/* Whether the best move of a visit that is over was this one. */
static inline bool is_best(const struct checker *k, int j, qv_move move)
{
	const struct log_visit *visits = k->l->visits;
	for (int child = j + 1; child < visits[j].end; child++)
		if (visits[child].parent == j && visits[child].move == visits[j].best)
			return k->moves[child] == move;
	return false;
}

/* A killer move was the best of an earlier node at the ply. */
static inline bool check_killer(struct checker *k, int i, qv_move move)
{
	if (!k->c->killers)
		return wrong(k, i, "a killer without killers");
	for (int j = 0; j < i; j++)
		if (k->l->visits[j].ply == k->l->visits[i].ply - 1 && is_before(k, j, i) &&
		    is_best(k, j, move))
			return true;
	return wrong(k, i, "a killer that was never good");
}

/* The table's move puts all its counts first, the largest before it. */
static inline bool is_same_but_count(const struct checker *k, qv_move a, qv_move b)
{
	const struct qv_game *game = k->root->rules.game;
	return game->with_count && game->with_count(a, 1) == game->with_count(b, 1);
}

/* A table move was the best, or the least bad, of an earlier visit of the position. */
static inline bool check_table_move(struct checker *k, int i, qv_move move)
{
	const struct log_visit *visits = k->l->visits, *v = &visits[i];
	if (!k->c->tt)
		return wrong(k, i, "a table move without a table");
	for (int j = 0; j < i; j++) {
		if (k->keys[j] != k->keys[v->parent] || j == v->parent || !is_before(k, j, i))
			continue;
		for (int c = j + 1; c < visits[j].end; c = visits[c].end)
			if ((visits[c].move == v->move || is_same_but_count(k, k->moves[c], move)) &&
			    visits[c].value == visits[j].value)
				return true;
	}
	return wrong(k, i, "the table cannot have this move");
}

/* A kept move continues the line of the iteration before. */
static inline bool check_kept(struct checker *k, int i, const struct spot *s, qv_move move)
{
	const int ply = k->l->visits[i].ply - 1;
	(void)s;
	if (k->kept_line < 0 || ply >= k->lines[k->kept_line].line_length)
		return ply == 0 ? true : wrong(k, i, "no line is kept");
	if (ply && !k->c->keep_line)
		return wrong(k, i, "a kept move, but keep-line=0");
	/* MTD(f) may have found another best move in an earlier pass of the iteration. */
	return k->lines[k->kept_line].line[ply] == move || (ply == 0 && is_mtdf(k->c))
		       ? true
		       : wrong(k, i, "not a move of the last line");
}

static inline bool check_flags(struct checker *k, int i, const struct spot *s, qv_move move)
{
	const unsigned flags = k->l->visits[i].flags;
	k->moves[i] = move;
	return (!(flags & QV_VISIT_KILLER) || check_killer(k, i, move)) &&
	       (!(flags & QV_VISIT_TABLE) || check_table_move(k, i, move)) &&
	       (!(flags & QV_VISIT_KEPT) || check_kept(k, i, s, move));
}

/* The window and the flags that say how a child is searched; for the seat at the parent. */
static inline bool check_entry(struct checker *k, int i, int sgn, int32_t alpha, int32_t beta,
			       unsigned how)
{
	const struct log_visit *v = &k->l->visits[i];
	const unsigned all = QV_VISIT_SCOUT | QV_VISIT_AGAIN | QV_VISIT_QUIET;
	const int32_t low = sgn > 0 ? alpha : -beta, high = sgn > 0 ? beta : -alpha;
	if (edge(v->alpha) != low || edge(v->beta) != high)
		return wrong(k, i, "window [%g, %g], not [%d, %d]", v->alpha, v->beta, low, high);
	if ((v->flags & all) != how)
		return wrong(k, i, "flags %u, not %u", v->flags & all, how);
	return true;
}

static inline bool check_node(struct checker *k, int i, const struct spot *s);

/* The state of the loop over a node's moves, for the seat to move there. */
struct loop {
	int32_t alpha, beta; /* alpha: the highest so far */
	int32_t best;
	int best_name;
	bool root, random, quiet, later, cut;
};

/* To choose between equal moves at random, the root opens the window below the best. */
static inline int32_t lower_edge(const struct checker *k, const struct loop *n)
{
	return n->random && n->best_name
		       ? duel_open_below(n->alpha, k->c->blunder && !k->c->margin ? DUEL_INFINITE : k->c->margin)
		       : n->alpha;
}

/* Searches of one move: a test and, if needed, another one. Stores the value and the next visit. */
static inline bool check_attempt(struct checker *k, const struct spot *s, const struct spot *child,
				 const struct loop *n, int *at, int32_t *value)
{
	const struct log_visit *visits = k->l->visits;
	const struct config *c = k->c;
	const int sgn = sign_of(k, s), first = *at, left = visits[first].depth;
	int32_t alpha = lower_edge(k, n), beta = n->beta;
	if (!prunes(c)) {
		alpha = -DUEL_INFINITE;
		beta = DUEL_INFINITE;
	}
	const bool scout =
		!n->quiet && strcmp(c->kind, "negascout") == 0 && n->later && alpha + 1 < beta;
	const int32_t wide = c->deep || n->quiet || !prunes(c) ? beta : DUEL_INFINITE;
	if (!check_entry(k, first, sgn, alpha, scout ? alpha + 1 : wide,
			 scout	    ? QV_VISIT_SCOUT
			 : n->quiet ? QV_VISIT_QUIET
				    : 0) ||
	    !check_node(k, first, child))
		return false;
	*value = sgn * (int32_t)visits[first].value;
	*at = visits[first].end;
	if (!scout || *value <= alpha || *value >= beta ||
	    (!left && !(c->quiet && s->rules.game->quiet)))
		return true;
	if (*at >= k->l->count || visits[*at].parent != visits[first].parent ||
	    visits[*at].move != visits[first].move)
		return wrong(k, first, "a test that did not settle it, and no second search");
	const unsigned early = QV_VISIT_TABLE | QV_VISIT_KEPT | QV_VISIT_KILLER;
	if ((visits[*at].flags ^ visits[first].flags) & early)
		return wrong(k, *at, "tried early for another reason");
	if (!check_entry(k, *at, sgn, alpha, wide, QV_VISIT_AGAIN) || !check_node(k, *at, child))
		return false;
	*value = sgn * (int32_t)visits[*at].value;
	*at = visits[*at].end;
	return true;
}

/* The static value of a child for the seat that moves there from s. */
static inline int32_t child_value(const struct checker *k, const struct spot *s,
				  const struct spot *child, int ply)
{
	int32_t points[QV_MAX_SEATS];
	const int32_t leaf = s->rules.game->result(child->state, points) != QV_GOING
				     ? points_value(child, points, ply + 1)
				     : leaf_value(k, child, ply + 1);
	return sign_of(k, s) == sign_of(k, child) ? leaf : -leaf;
}

/* Whether hard pruning gives the child up; *mine: its value for the seat that plays. */
static inline bool is_hopeless(const struct checker *k, const struct spot *s,
			       const struct spot *child, int ply, int32_t *mine)
{
	*mine = child_value(k, s, child, ply);
	return *mine < sign_of(k, s) * k->root_static - k->hard && !duel_is_loss(*mine);
}

/* The static value of a move. */
static inline int32_t move_value(struct checker *k, const struct spot *s, qv_move move, int ply)
{
	struct spot child = *s;
	spot_play(&child, move);
	carry(k, s, move, &child, ply);
	return child_value(k, s, &child, ply);
}

/* Sorts the moves from place `first` on by value; equal ones stay as they are. */
static inline void sort_order(struct checker *k, int first)
{
	for (int i = first + 1; i < k->order_count; i++)
		for (int j = i; j > first && k->order[j - 1].value < k->order[j].value; j--) {
			const struct root_move move = k->order[j];
			k->order[j] = k->order[j - 1];
			k->order[j - 1] = move;
		}
}

/* Top-N begins with the root's moves by static value. */
static inline void begin_order(struct checker *k)
{
	qv_move list[SPOT_MOVES];
	k->order_count = k->c->top ? spot_moves(k->root, list) : 0;
	for (int i = 0; i < k->order_count; i++)
		k->order[i] = (struct root_move){ list[i], move_value(k, k->root, list[i], 0) };
	sort_order(k, 0);
	for (int i = 0; i < k->order_count; i++)
		k->order[i].value = 0;
}

/* After each iteration the best move comes first; if sort=1, the others follow by value. */
static inline void renew_order(struct checker *k)
{
	char text[QV_MOVE_TEXT];
	for (int i = 0; i < k->order_count; i++)
		if (strcmp(move_text(k->root, k->order[i].move, text),
			   log_name(k->l, k->best_name)) == 0) {
			const struct root_move best = k->order[i];
			memmove(k->order + 1, k->order, (size_t)i * sizeof *k->order);
			k->order[0] = best;
			break;
		}
	if (k->c->sort)
		sort_order(k, 1);
}

/* One move of a node, from visit *at on, which it moves past it. */
static inline bool check_move(struct checker *k, int i, const struct spot *s, struct tried *t,
			      struct loop *n, int *at)
{
	const struct log_visit *visits = k->l->visits, *v = &visits[i];
	const int first = *at, move = find_move(k, s, t, first);
	if (move < 0)
		return false;
	if (visits[first].ply != v->ply + 1 || visits[first].depth != v->depth - 1)
		return wrong(k, first, "ply %d, depth %d", visits[first].ply, visits[first].depth);
	if (n->quiet && s->rules.game->quiet(s->state, t->list[move]))
		return wrong(k, first, "a quiet move beyond the depth");
	if (!check_flags(k, first, s, t->list[move]))
		return false;
	struct root_move *place = n->root && k->order_count ? &k->order[t->tried] : NULL;
	if (place && place->move != t->list[move])
		return wrong(k, first, "not the next of the root's moves");
	t->done[move] = true;
	t->tried++;
	struct spot child = *s;
	spot_play(&child, t->list[move]);
	carry(k, s, t->list[move], &child, v->ply);
	int32_t value;
	const bool tested = !n->quiet && k->hard && v->depth > 1;
	const bool hopeless = tested && is_hopeless(k, s, &child, v->ply, &value);
	if (hopeless) {
		if (!check_entry(k, first, sign_of(k, s), lower_edge(k, n), n->beta, 0) ||
		    !check_single(k, first, &child, QV_WHY_HARD,
				  sign_of(k, s) == sign_of(k, &child) ? value : -value))
			return false;
		*at = first + 1;
	} else {
		k->hard_tests += tested;
		if (!check_attempt(k, s, &child, n, at, &value))
			return false;
	}
	n->later = true;
	if (place)
		place->value = value;
	if (hopeless && n->root)
		return true;
	if (value > n->best) {
		n->best = value;
		if (value > n->alpha || n->quiet)
			n->best_name = visits[first].move;
		n->alpha = value > n->alpha ? value : n->alpha;
	}
	n->cut = n->best >= n->beta;
	return true;
}

/* How many moves a node must have tried if nothing cuts it off. */
static inline int full_count(const struct checker *k, int i, const struct spot *s,
			     const struct tried *t, bool quiet)
{
	const struct log_visit *v = &k->l->visits[i];
	int count = t->count;
	for (int m = 0; quiet && m < t->count; m++)
		count -= s->rules.game->quiet(s->state, t->list[m]);
	return !quiet && has(v, QV_WHY_TOP) ? k->c->top : count;
}

/* Of the moves, those with the best static values are searched. */
static inline bool check_top(struct checker *k, int i, const struct spot *s, const struct tried *t)
{
	int32_t worst = DUEL_INFINITE, skipped = -DUEL_INFINITE;
	for (int m = 0; m < t->count; m++) {
		const int32_t value = move_value(k, s, t->list[m], k->l->visits[i].ply);
		if (t->done[m])
			worst = value < worst ? value : worst;
		else
			skipped = value > skipped ? value : skipped;
	}
	return worst >= skipped || t->tried < k->c->top
		       ? true
		       : wrong(k, i, "top-N left out a better move");
}

/* How early a move is tried: table move, kept line, killer moves, then the others. */
static inline int class_of(unsigned flags)
{
	return flags & QV_VISIT_TABLE	 ? 3
	       : flags & QV_VISIT_KEPT	 ? 2
	       : flags & QV_VISIT_KILLER ? 1
					 : 0;
}

/*
 * The order of a node's moves: by class, and of the same class by rank if sort=1, then as listed.
 * The history of a search is not derived again, nor the order of the root and of top-N.
 */
static inline bool check_order(struct checker *k, int i, const struct spot *s,
			       const struct tried *t)
{
	const struct log_visit *visits = k->l->visits, *v = &visits[i];
	const struct qv_game *g = s->rules.game;
	char text[QV_MOVE_TEXT];
	int before = 4, place = -1;
	if (g->max_count || v->ply == 0 || v->depth <= 0 || has(v, QV_WHY_TOP))
		return true;
	for (int c = i + 1; c < v->end; c = visits[c].end) {
		const int class = class_of(visits[c].flags);
		int at = 0;
		if (visits[c].flags & QV_VISIT_AGAIN)
			continue;
		while (strcmp(move_text(s, t->list[at], text), log_name(k->l, visits[c].move)) != 0)
			at++;
		if (class > before)
			return wrong(k, c, "tried after a move that has less reason to be early");
		if (class == 0 && before == 0 && !k->c->history) {
			const bool ranked = k->c->sort && prunes(k->c) && g->rank;
			const int32_t mine = ranked ? g->rank(s->state, t->list[at]) : 0;
			const int32_t other = ranked ? g->rank(s->state, t->list[place]) : 0;
			if (duel_rank(mine) > duel_rank(other) ||
			    (duel_rank(mine) == duel_rank(other) && at < place))
				return wrong(k, c, "out of order");
		}
		before = class;
		place = at;
	}
	return true;
}

/* The moves of a node; n: with the window and the value to start from. */
static inline bool check_moves(struct checker *k, int i, const struct spot *s, struct loop n)
{
	const struct log_visit *v = &k->l->visits[i];
	const int sgn = sign_of(k, s);
	struct tried t = { .count = spot_moves(s, t.list) };
	const int32_t from = n.alpha;
	int at = i + 1;
	while (at < v->end && !n.cut)
		if (!check_move(k, i, s, &t, &n, &at))
			return false;
	if (at < v->end)
		return wrong(k, i, "moves after a cut-off");
	if (n.cut != has(v, QV_WHY_CUT))
		return wrong(k, i, n.cut ? "a cut-off is not reported" : "no reason for a cut-off");
	if (n.cut && (v->why != QV_WHY_CUT || v->number != sgn * n.best))
		return wrong(k, i, "cut-off with %g", v->number);
	const int full = full_count(k, i, s, &t, n.quiet);
	if (!n.cut && t.tried != full)
		return wrong(k, i, "%d of %d moves were searched", t.tried, full);
	if (!check_order(k, i, s, &t))
		return false;
	if (edge(v->value) != sgn * n.best)
		return wrong(k, i, "value %g, not %d", v->value, sgn * n.best);
	if (n.random && n.best > from)
		return true;
	if (v->best != n.best_name)
		return wrong(k, i, "best move %s, not %s", log_name(k->l, v->best),
			     log_name(k->l, n.best_name));
	return n.root || !has(v, QV_WHY_TOP) || check_top(k, i, s, &t);
}

/* Any node, from its reasons down. */
static inline bool check_node(struct checker *k, int i, const struct spot *s)
{
	const struct log_visit *v = &k->l->visits[i];
	const struct config *c = k->c;
	const struct qv_game *g = s->rules.game;
	const int sgn = sign_of(k, s);
	int32_t points[QV_MAX_SEATS];
	struct loop n = { .alpha = edge(sgn > 0 ? v->alpha : -v->beta),
			  .beta = edge(sgn > 0 ? v->beta : -v->alpha),
			  .best = -DUEL_INFINITE,
			  .root = v->ply == 0 };
	/* The tests of MTD(f) choose nothing. */
	n.random = n.root && (c->random || c->margin || c->blunder) &&
		   (!is_mtdf(c) || n.alpha + 1 < n.beta);
	const bool ended = g->result(s->state, points) != QV_GOING;
	k->keys[i] = spot_hash(s);
	if (v->seat != (ended ? LOG_NOBODY : g->seat(s->state)) || v->sign != sgn)
		return wrong(k, i, "seat %d", v->seat);
	if (ended)
		return check_single(k, i, s, QV_WHY_ENDED, points_value(s, points, v->ply));
	if (v->ply && spot_ended(s, points))
		return check_single(k, i, s, QV_WHY_REPEATED, points_value(s, points, v->ply));
	if (has(v, QV_WHY_TABLE))
		return check_table(k, i, s);
	const bool horizon = v->depth <= 0;
	if (horizon && !(c->quiet && g->quiet))
		return check_single(k, i, s, QV_WHY_LEAF, leaf_value(k, s, v->ply));
	/* Which reasons may be there besides a cut-off. */
	qv_move list[QV_MAX_MOVES];
	const int width = g->moves(s->state, list);
	const bool top = c->top && k->iteration > DUEL_FULL_WIDTH && v->ply < 2 && width > c->top;
	const bool razor = k->razoring && v->ply && v->depth > 1;
	const unsigned expected =
		horizon ? 1U << QV_WHY_STAND_PAT
			: (top ? 1U << QV_WHY_TOP : 0U) | (razor ? 1U << QV_WHY_RAZOR : 0U);
	if ((v->reasons & ~(1U << QV_WHY_CUT)) != expected)
		return wrong(k, i, "reasons %x, not %x", v->reasons, expected);
	k->top_nodes += top && v->ply ? (uint64_t)width : 0;
	if (horizon || razor) {
		n.best = leaf_value(k, s, v->ply);
		n.quiet = horizon;
		if (v->why == (horizon ? QV_WHY_STAND_PAT : QV_WHY_RAZOR) &&
		    v->number != sgn * n.best)
			return wrong(k, i, "static value %g", v->number);
		if (n.best >= n.beta)
			return check_single(k, i, s, horizon ? QV_WHY_STAND_PAT : QV_WHY_RAZOR,
					    n.best) ||
			       (top && v->value == sgn * n.best);
		n.alpha = n.best > n.alpha ? n.best : n.alpha;
	}
	return check_moves(k, i, s, n);
}

/* ---- passes over the root ---- */

/* The next pass, which must have this window; *value: what it gave. */
static inline bool check_pass(struct checker *k, int depth, int32_t alpha, int32_t beta,
			      unsigned how, int32_t *value)
{
	const int i = k->pass;
	const unsigned test = alpha + 1 == beta ? QV_VISIT_SCOUT : 0;
	if (i >= k->l->count)
		return wrong(k, k->l->count - 1, "a pass is missing");
	const struct log_visit *v = &k->l->visits[i];
	if (v->parent != -1 || v->ply || v->depth != depth || v->move)
		return wrong(k, i, "no pass of depth %d", depth);
	k->iteration = depth;
	k->pass = v->end;
	if (!check_entry(k, i, 1, alpha, beta, (how & QV_VISIT_AGAIN) | test) ||
	    !check_node(k, i, k->root))
		return false;
	if ((v->flags & QV_VISIT_VERIFY) != (how & QV_VISIT_VERIFY))
		return wrong(k, i, "flags of a pass");
	*value = edge(v->value);
	if (v->best && !(how & QV_VISIT_VERIFY))
		k->best_name = v->best;
	if (*value > -DUEL_INFINITE || !k->hard)
		return true;
	/* Hard pruning left no move: its margin doubles. */
	k->hard = k->hard > QV_MAX_EVAL / 2 ? 0 : k->hard * 2;
	return check_pass(k, depth, alpha, beta, QV_VISIT_AGAIN, value);
}

static inline bool check_full_pass(struct checker *k, int depth, unsigned how, int32_t *value)
{
	k->hard = k->c->hard;
	return check_pass(k, depth, -DUEL_INFINITE, DUEL_INFINITE, how, value);
}

static inline bool check_mtdf(struct checker *k, int depth, int32_t guess, int32_t *value)
{
	int32_t low = -DUEL_INFINITE, high = DUEL_INFINITE;
	*value = guess;
	while (low < high) {
		const int32_t beta = *value == low ? *value + 1 : *value;
		k->hard = k->c->hard;
		if (!check_pass(k, depth, beta - 1, beta, 0, value))
			return false;
		if (*value < beta)
			high = *value;
		else
			low = *value;
	}
	int32_t unused;
	k->hard = k->c->hard;
	return !k->c->random ||
	       check_pass(k, depth, *value - 1, *value + 1, QV_VISIT_AGAIN, &unused);
}

/* The passes of one iteration. */
static inline bool check_iteration(struct checker *k, int depth, int32_t guess, int32_t *value)
{
	const struct config *c = k->c;
	if (is_mtdf(c))
		return check_mtdf(k, depth, guess, value);
	k->hard = c->hard;
	if (c->razor) {
		k->razoring = true;
		const bool right = check_pass(k, depth, k->root_static, DUEL_INFINITE, 0, value);
		k->razoring = false;
		if (!right || *value > k->root_static)
			return right;
		return check_full_pass(k, depth, QV_VISIT_AGAIN, value);
	}
	if (c->window && depth > 1 && !is_decided(guess)) {
		if (!check_pass(k, depth, guess - c->window, guess + c->window, 0, value))
			return false;
		if (*value > guess - c->window && *value < guess + c->window)
			return true;
		return check_full_pass(k, depth, QV_VISIT_AGAIN, value);
	}
	return check_full_pass(k, depth, 0, value);
}

/* A pass that confirms a win or loss where positions may repeat. */
static inline bool check_confirmation(struct checker *k, int32_t value)
{
	int32_t unused;
	if (k->pass >= k->l->count || !(k->l->visits[k->pass].flags & QV_VISIT_VERIFY))
		return true;
	const int32_t alpha = value > 0 ? value - 1 : value;
	k->hard = k->c->hard;
	return check_pass(k, QV_WIN - abs(value), alpha, alpha + 1, QV_VISIT_VERIFY, &unused);
}

/* Nodes and evaluations of the search from the visits, as log.h says. */
static inline bool check_counts(struct checker *k)
{
	const struct log *l = k->l;
	const struct config *c = k->c;
	qv_move list[QV_MAX_MOVES];
	uint64_t nodes = k->top_nodes, evals = l->evaluations + k->hard_tests + k->top_nodes;
	uint64_t first = 0, cuts = 0;
	if (c->top) {
		const int n = k->root->rules.game->moves(k->root->state, list);
		nodes += (uint64_t)n;
		evals += (uint64_t)n;
		first += (uint64_t)n;
	}
	for (int i = 0; i < l->count; i++) {
		const struct log_visit *v = &l->visits[i];
		nodes += v->ply && !(v->flags & QV_VISIT_AGAIN);
		first += v->ply == 1 && !(v->flags & QV_VISIT_AGAIN);
		cuts += has(v, QV_WHY_CUT);
	}
	evals = c->move_eval ? nodes : c->ply1 ? evals + 1 + first : evals;
	if (nodes != l->iteration_nodes)
		return wrong(k, 0, "%llu nodes, not %llu", (unsigned long long)nodes,
			     (unsigned long long)l->iteration_nodes);
	if (evals != l->iteration_evals)
		return wrong(k, 0, "%llu evaluations, not %llu", (unsigned long long)evals,
			     (unsigned long long)l->iteration_evals);
	if (cuts != l->cuts || l->seen != (uint64_t)l->count)
		return wrong(k, 0, "cut-offs or visits are missing");
	return true;
}

/* The whole log. False: k->wrong tells why. */
static inline bool check_log(struct checker *k)
{
	const struct log *l = k->l;
	const struct config *c = k->c;
	int32_t guess, value = 0;
	const int most =
		c->chopper && l->visits[0].depth == 1 && l->answer.depth == 1 ? 1 : c->depth;
	k->pass = 0;
	k->hard_tests = k->top_nodes = 0;
	k->razoring = false;
	*k->wrong = '\0';
	k->carried[0] = c->ply1	       ? evaluated(k, k->root) - ahead(k->root)
			: c->move_eval ? evaluated(k, k->root)
				       : 0;
	k->root_static = guess = leaf_value(k, k->root, 0);
	begin_order(k);
	for (int depth = c->iterate ? 1 : most; k->pass < l->count; depth++) {
		k->kept_line = depth > 1 && c->iterate ? depth - 2 : -1;
		if (depth > most)
			return wrong(k, k->pass, "a pass too many");
		if (!check_iteration(k, depth, guess, &value) || !check_confirmation(k, value))
			return false;
		guess = value;
		renew_order(k);
	}
	if (!c->margin && !c->blunder && value != l->answer.score)
		return wrong(k, 0, "value %d, not %d", value, l->answer.score);
	return check_counts(k);
}

#endif
