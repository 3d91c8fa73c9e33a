/*
 * search_log_families.c - the visits that expectimax and the searches for several seats report:
 * a slow checker derives every window, value and cut-off again from the parent.
 * SPDX-License-Identifier: MIT
 *
 * Each search is also run without a listener: nodes, evaluations, score and line must be the same.
 * Then errors are planted into the records, and the checker must find each of them.
 */
#include "support/log_words.h"
#include "support/visits.h"

/* What a checker must know of the player. */
struct how {
	int star;
	bool quiet, table, brs, paranoid, prune;
	int costs;    /* extra plies of a move that starts a chain; it may be left out */
	bool samples; /* of chains at the root; elsewhere they are evaluated */
};

static double win_of(const struct qv_game *g)
{
	return g->win ? g->win : QV_MAX_EVAL;
}

/* The static value for the seat to move. */
static double static_at(const struct visits *r, int i)
{
	const struct qv_evaluation *e = r->game->evaluations;
	const double value = e ? e->evaluate(visit_state(r, i), e->weights) : 0;
	const double win = r->game->chance ? win_of(r->game) : QV_MAX_EVAL;
	return value > win ? win : value < -win ? -win : value;
}

/* ---- Depths ---- */

/* Whether a chain of rolls begins with the move. In other games a roll costs no depth. */
static bool starts_chain(const struct visits *r, int i, qv_move move)
{
	unsigned char state[SPOT_STATE];
	memcpy(state, visit_state(r, i), r->game->state_size);
	r->game->play(state, move);
	return strcmp(r->game->name, "warptrog") == 0 && r->game->seat(state) == QV_CHANCE;
}

/* The depth of visit c, from that of its parent i. */
static int depth_below(const struct visits *r, int i, int c, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const int after_roll = v->depth - 1 - how->costs;
	if (v->mover == QV_CHANCE)
		return strcmp(r->game->name, "warptrog") != 0 ? v->depth
		       : after_roll > 0			      ? after_roll
							      : 0;
	if (v->depth > 0 && !(v->flags & QV_VISIT_PROBE) && starts_chain(r, i, r->list[c].move)) {
		if (r->list[c].flags & QV_VISIT_SAMPLE)
			return v->depth > 2 ? v->depth - 3 : v->depth - 1;
		if (v->parent < 0 && how->costs)
			return (v->depth > 4 ? v->depth - 3 : 1) + 1 + how->costs;
		if (v->parent >= 0 && how->samples)
			return 0;
	}
	return v->depth - 1;
}

/* The depth grows from pass to pass up to that of the answer. Without depth left, it ends. */
static const char *check_depth(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const int next = v->end < r->count ? r->list[v->end].depth - 1 : r->answer.depth;
	if (v->depth != (v->parent < 0 ? next : depth_below(r, v->parent, i, how)))
		return VISITS_WRONG(r, "visit %d: depth %d", i, v->depth);
	if (v->depth > 0 ? visit_why_of(r, i, QV_WHY_LEAF) != NULL
			 : v->mover != QV_CHANCE && visit_child(r, i) >= 0 && !how->quiet)
		return VISITS_WRONG(r, "visit %d: it ends too early or too late", i);
	return NULL;
}

/* ---- Expectimax ---- */

enum { OUTCOMES = 64 };

struct odds {
	int count;
	double total, weight[OUTCOMES], lower[OUTCOMES], upper[OUTCOMES];
	qv_move move[OUTCOMES];
};

struct window {
	double alpha, beta;
};

static double average(const struct odds *o, const double *values)
{
	double sum = 0;
	for (int i = 0; i < o->count; i++)
		sum += o->weight[i] * values[i];
	return sum / o->total;
}

/* Ballard's Star1: outside this window of outcome i, the average leaves the node's window. */
static struct window outcome_window(const struct odds *o, int i, struct window w)
{
	double most = 0, least = 0;
	for (int j = 0; j < o->count; j++) {
		most += j == i ? 0 : o->weight[j] * o->upper[j];
		least += j == i ? 0 : o->weight[j] * o->lower[j];
	}
	return (struct window){ (o->total * w.alpha - most) / o->weight[i],
				(o->total * w.beta - least) / o->weight[i] };
}

static bool is_decided_by(const struct odds *o, struct window w, double *bound)
{
	*bound = average(o, o->upper);
	if (*bound <= w.alpha)
		return true;
	*bound = average(o, o->lower);
	return *bound >= w.beta;
}

static void learn(struct odds *o, int i, struct window w, double value)
{
	if (value > w.alpha && value > o->lower[i])
		o->lower[i] = value;
	if (value < w.beta && value < o->upper[i])
		o->upper[i] = value;
}

static struct odds odds_at(const struct visits *r, int i)
{
	struct odds o = { 0 };
	o.count = r->game->moves(visit_state(r, i), o.move);
	assert_true(o.count <= OUTCOMES);
	for (int k = 0; k < o.count; k++) {
		const uint32_t weight = r->game->weight(visit_state(r, i), o.move[k]);
		o.weight[k] = weight ? weight : 1;
		o.total += o.weight[k];
		o.lower[k] = -win_of(r->game);
		o.upper[k] = win_of(r->game);
	}
	return o;
}

/* What Star2's probe of outcome k, visit c, shows. */
static void learn_probe(const struct visits *r, int c, int seat, struct odds *o, int k,
			struct window w)
{
	qv_move list[SPOT_MOVES];
	const int below = visit_child(r, c);
	const bool same = r->list[c].seat == seat;
	if (below < 0)
		return;
	const struct window his = same ? w : (struct window){ -w.beta, -w.alpha };
	const double value = r->list[c].value;
	const bool forced = visit_moves(r, c, list) == 1;
	if (!forced && value <= his.alpha)
		return;
	if (!forced)
		w = same ? (struct window){ -INFINITY, value }
			 : (struct window){ -value, INFINITY };
	learn(o, k, w, same ? value : -value);
}

/* A chance node with cut-offs. */
static const char *check_star(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const struct window w = { v->alpha, v->beta };
	struct odds o = odds_at(r, i);
	double bound;
	int c = visit_child(r, i);
	for (int k = 0; c >= 0 && r->list[c].flags & QV_VISIT_PROBE; k++) {
		const struct window his = outcome_window(&o, k, w);
		if (how->star != 2 || k >= o.count || r->list[c].move != o.move[k])
			return VISITS_WRONG(r, "visit %d: a probe out of order", c);
		if (!visit_has_window(r, c, v->seat, his.alpha, his.beta))
			return VISITS_WRONG(r, "visit %d: the window of a probe", c);
		learn_probe(r, c, v->seat, &o, k, his);
		c = visit_next(r, i, c);
		if (!is_decided_by(&o, w, &bound))
			continue;
		if (c >= 0 || v->value != bound || !visit_is(r, i, QV_WHY_STAR2))
			return VISITS_WRONG(r, "visit %d: a cut-off by Star2", i);
		return NULL;
	}
	for (int k = 0; k < o.count; k++) {
		struct window his = outcome_window(&o, k, w);
		while (o.lower[k] < o.upper[k]) {
			if (c < 0 || r->list[c].move != o.move[k])
				return VISITS_WRONG(r, "visit %d: outcome %d is missing", i, k);
			if (!visit_has_window(r, c, v->seat, his.alpha, his.beta))
				return VISITS_WRONG(r, "visit %d: the window of an outcome", c);
			learn(&o, k, his, visit_value_for(r, c, v->seat));
			c = visit_next(r, i, c);
			if (is_decided_by(&o, w, &bound)) {
				if (c >= 0 || v->value != bound || !visit_is(r, i, QV_WHY_STAR1))
					return VISITS_WRONG(r, "visit %d: a cut-off by Star1", i);
				return NULL;
			}
			his = (struct window){ -INFINITY, INFINITY };
		}
	}
	if (c >= 0 || v->reason >= 0 || v->value != average(&o, o.lower))
		return VISITS_WRONG(r, "visit %d: the average of its outcomes", i);
	return NULL;
}

/* A chance node without cut-offs, of one seat's values or of a vector. */
static const char *check_average(struct visits *r, int i)
{
	const struct visit *v = &r->list[i];
	struct odds o = odds_at(r, i);
	double sums[QV_MAX_SEATS] = { 0 };
	int c = visit_child(r, i);
	for (int k = 0; k < o.count; k++) {
		if (c < 0 || r->list[c].move != o.move[k] || r->list[c].alpha != -INFINITY ||
		    r->list[c].beta != INFINITY)
			return VISITS_WRONG(r, "visit %d: outcome %d", i, k);
		o.lower[k] = v->has_values ? 0 : visit_value_for(r, c, v->seat);
		for (int seat = 0; v->has_values && seat < r->game->seats; seat++)
			sums[seat] += o.weight[k] * r->list[c].values[seat];
		c = visit_next(r, i, c);
	}
	for (int seat = 0; v->has_values && seat < r->game->seats; seat++)
		if (v->values[seat] != sums[seat] / o.total)
			return VISITS_WRONG(r, "visit %d: the average of seat %d", i, seat);
	if (c >= 0 || (!v->has_values && v->value != average(&o, o.lower)))
		return VISITS_WRONG(r, "visit %d: the average", i);
	return NULL;
}

/* The value of Star2's probe of the same outcome, if this is its first search; NAN: none. */
static double probed_value(const struct visits *r, int i)
{
	const int parent = r->list[i].parent;
	double value = NAN;
	if (parent < 0 || r->list[parent].mover != QV_CHANCE || r->list[i].flags & QV_VISIT_PROBE)
		return value;
	for (int c = visit_child(r, parent); c != i; c = visit_next(r, parent, c))
		if (r->list[c].move == r->list[i].move)
			value = r->list[c].flags & QV_VISIT_PROBE && visit_child(r, c) >= 0
					? r->list[c].value
					: NAN;
	return value;
}

/* A sampled move at the root: the mean of its samples; *c moves past them. */
static double mean_of_samples(const struct visits *r, int i, int *c, int seat)
{
	const qv_move move = r->list[*c].move;
	double sum = 0;
	int n = 0;
	for (; *c >= 0 && r->list[*c].move == move; *c = visit_next(r, i, *c), n++)
		sum += visit_value_for(r, *c, seat);
	return sum / n;
}

/* Whether every move was visited that had to be. */
static bool visited_all(const struct visits *r, int i, const struct how *how, bool known)
{
	qv_move list[SPOT_MOVES];
	const int n = visit_moves(r, i, list), tried = visit_tried(r, i, 0) + known;
	const bool root = r->list[i].parent < 0;
	int must = 0;
	if (!root && how->quiet && r->list[i].depth <= 0) {
		for (int k = 0; k < n; k++)
			must += !r->game->quiet(visit_state(r, i), list[k]);
		return tried == must;
	}
	return tried == n || (how->costs && !root && tried == n - 1);
}

/* A node where a player moves. */
static const char *check_choice(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const double beta = v->beta, first = probed_value(r, i);
	const struct visit_reason *stand = visit_why_of(r, i, QV_WHY_STAND_PAT);
	double alpha = v->alpha, best = !isnan(first) ? first : stand ? stand->number : -INFINITY;
	bool cut = !isnan(first) && first >= beta, later = !isnan(first);
	if (stand && stand->number != static_at(r, i))
		return VISITS_WRONG(r, "visit %d: its static value", i);
	for (int c = visit_child(r, i); c >= 0;) {
		const int next = visit_next(r, i, c);
		const unsigned flags = r->list[c].flags;
		if (cut)
			return VISITS_WRONG(r, "visit %d: it comes after a cut-off", c);
		if (how->star && best > alpha)
			alpha = best;
		const double edge = flags & QV_VISIT_SCOUT ? alpha + 1.0 / 4096 : beta;
		if (flags & QV_VISIT_SAMPLE) {
			best = fmax(best, mean_of_samples(r, i, &c, v->seat));
			continue;
		}
		if (!visit_has_window(r, c, v->seat, alpha, edge) ||
		    (flags & QV_VISIT_SCOUT && (!how->table || !later)))
			return VISITS_WRONG(r, "visit %d: its window", c);
		const double value = visit_value_for(r, c, v->seat);
		const bool again = next >= 0 && r->list[next].flags & QV_VISIT_AGAIN;
		if (again != (flags & QV_VISIT_SCOUT && value >= edge && value < beta) ||
		    (again && r->list[next].move != r->list[c].move))
			return VISITS_WRONG(r, "visit %d: a test and its repetition", c);
		later = true;
		if (!again) {
			best = value > best ? value : best;
			cut = best >= beta;
		}
		c = next;
	}
	const bool pat = stand && stand->number >= beta;
	if (cut != (visit_why_of(r, i, QV_WHY_CUT) != NULL) || v->value != best ||
	    (cut && !visit_is(r, i, QV_WHY_CUT)))
		return VISITS_WRONG(r, "visit %d: its value or cut-off", i);
	if (!cut && !pat && !visited_all(r, i, how, !isnan(first)))
		return VISITS_WRONG(r, "visit %d: a move is missing", i);
	return NULL;
}

/* A probe of Star2: one move at most. */
static const char *check_probe(struct visits *r, int i)
{
	const struct visit *v = &r->list[i];
	const int c = visit_child(r, i);
	if (c < 0)
		return isnan(v->value) && (v->beta == INFINITY || v->mover == QV_CHANCE || v->ended)
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a probe without a move", i);
	if (visit_next(r, i, c) >= 0 || !visit_has_window(r, c, v->seat, v->alpha, v->beta) ||
	    v->value != visit_value_for(r, c, v->seat) || v->best != r->list[c].move)
		return VISITS_WRONG(r, "visit %d: a probe", i);
	return NULL;
}

/* The value of a game that has ended, for the seat of the visit. */
static double ended_value(const struct visits *r, int i)
{
	int32_t points[QV_MAX_SEATS];
	const struct qv_game *g = r->game;
	const struct visit *v = &r->list[i];
	g->result(visit_state(r, i), points);
	double part = (points[0] > points[1]) - (points[0] < points[1]);
	if (g->stakes)
		part = fmax(-1, fmin(1, (double)(points[0] - points[1]) / g->stakes));
	part = v->seat ? -part : part;
	return part * win_of(g) - (part > 0) * v->ply / 256.0 + (part < 0) * v->ply / 256.0;
}

static const char *check_chance_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const struct visit_reason *leaf = visit_why_of(r, i, QV_WHY_LEAF);
	if (v->parent < 0)
		return check_choice(r, i, how);
	if (v->flags & QV_VISIT_PROBE)
		return check_probe(r, i);
	if (v->ended)
		return visit_is(r, i, QV_WHY_ENDED) && v->value == ended_value(r, i)
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: the value of an ended game", i);
	if (visit_why_of(r, i, QV_WHY_TABLE))
		return visit_is(r, i, QV_WHY_TABLE) && how->table
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a value of the table", i);
	if (visit_why_of(r, i, QV_WHY_REPEATED))
		return visit_is(r, i, QV_WHY_REPEATED) && fabs(v->value) == win_of(r->game) / 10
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a repetition", i);
	if (leaf)
		return visit_is(r, i, QV_WHY_LEAF) &&
				       (v->mover == QV_CHANCE || v->value == static_at(r, i)) &&
				       visit_child(r, i) < 0
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a leaf", i);
	if (v->mover == QV_CHANCE)
		return how->star ? check_star(r, i, how) : check_average(r, i);
	return check_choice(r, i, how);
}

static const char *check_chance(struct visits *r, const struct how *how)
{
	uint64_t evaluations = 0, passes = 0;
	const char *wrong = NULL;
	for (int i = 0; i < r->count && !wrong; i++) {
		wrong = visit_check_position(r, i);
		if (!wrong)
			wrong = check_depth(r, i, how);
		if (!wrong)
			wrong = check_chance_visit(r, i, how);
		evaluations += visit_why_of(r, i, QV_WHY_LEAF) != NULL;
		evaluations += visit_why_of(r, i, QV_WHY_STAND_PAT) != NULL;
		passes += r->list[i].parent < 0;
	}
	const struct visit *last = &r->list[visits_last_pass(r)];
	if (wrong)
		return wrong;
	if ((uint64_t)r->count - passes != r->answer.nodes || evaluations != r->answer.evals)
		return VISITS_WRONG(r, "the counts of nodes or evaluations");
	if (last->best != r->answer.move ||
	    (r->answer.score != QV_WIN - 1 && r->answer.score != (int32_t)lround(last->value)))
		return VISITS_WRONG(r, "the answer is not that of the last pass");
	return NULL;
}

/* ---- Max^n, paranoid and best-reply search ---- */

/* The highest rank's first move. */
static qv_move usual_move(const struct visits *r, int i)
{
	qv_move list[QV_MAX_MOVES], usual = QV_NO_MOVE;
	const struct qv_game *g = r->game;
	const int n = g->moves(visit_state(r, i), list);
	for (int k = 0; k < n; k++)
		if (usual == QV_NO_MOVE || (g->rank && g->rank(visit_state(r, i), list[k]) >
							       g->rank(visit_state(r, i), usual)))
			usual = list[k];
	return usual;
}

/* The opponent that has had its choice since the last own move; -1: nobody yet. */
static int replier_at(const struct visits *r, int i, int me)
{
	const int parent = r->list[i].parent;
	if (parent < 0)
		return -1;
	const int mover = r->list[parent].mover, before = replier_at(r, parent, me);
	if (mover == QV_CHANCE)
		return before;
	return mover == me ? -1 : r->list[i].move == usual_move(r, parent) ? before : mover;
}

/* Paranoid or best-reply: all values are those of the searching seat. */
static const char *check_against(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const int me = v->seat, replier = replier_at(r, i, me);
	const bool mine = v->mover == me;
	const bool bound = how->brs && !mine && replier >= 0 && replier != v->mover;
	double alpha = v->alpha, beta = v->beta, best = mine ? -INFINITY : INFINITY;
	qv_move list[SPOT_MOVES];
	bool cut = false;
	for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c)) {
		const struct visit *w = &r->list[c];
		if (cut || w->seat != me || w->alpha != alpha || w->beta != beta)
			return VISITS_WRONG(r, "visit %d: its window", c);
		if (bound != !!(w->flags & QV_VISIT_USUAL) ||
		    (bound && w->move != usual_move(r, i)))
			return VISITS_WRONG(r, "visit %d: whether only the usual move is tried", c);
		best = mine ? fmax(best, w->value) : fmin(best, w->value);
		if (!how->prune)
			continue;
		cut = v->parent >= 0 && (mine ? best >= beta : best <= alpha);
		alpha = mine && best > alpha ? best : alpha;
		beta = !mine && best < beta ? best : beta;
	}
	if (cut != (visit_why_of(r, i, QV_WHY_CUT) != NULL) || v->value != best ||
	    (cut && !visit_is(r, i, QV_WHY_CUT)))
		return VISITS_WRONG(r, "visit %d: its value or cut-off", i);
	if (!cut && visit_tried(r, i, 0) != (bound ? 1 : visit_moves(r, i, list)))
		return VISITS_WRONG(r, "visit %d: a move is missing", i);
	return NULL;
}

static const char *check_maxn(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i], *best = NULL;
	const double most = r->game->chance ? win_of(r->game) : QV_WIN - (v->ply + 1);
	qv_move list[SPOT_MOVES];
	bool won = false;
	for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c)) {
		if (won || r->list[c].alpha != -INFINITY || r->list[c].beta != INFINITY)
			return VISITS_WRONG(r, "visit %d: it comes after a win", c);
		if (!best || r->list[c].values[v->mover] > best->values[v->mover])
			best = &r->list[c];
		won = how->prune && v->parent >= 0 && best->values[v->mover] >= most;
	}
	if (!best || best->move != v->best ||
	    memcmp(v->values, best->values, (size_t)r->game->seats * sizeof *v->values) != 0)
		return VISITS_WRONG(r, "visit %d: its values are not those of the best move", i);
	if (won != visit_is(r, i, QV_WHY_WON) ||
	    (!won && visit_tried(r, i, 0) != visit_moves(r, i, list)))
		return VISITS_WRONG(r, "visit %d: a win, or a move that is missing", i);
	return NULL;
}

/* The values of an ended game: wins, losses, or shared first places. */
static const char *check_end(struct visits *r, int i)
{
	int32_t points[QV_MAX_SEATS];
	const struct qv_game *g = r->game;
	const struct visit *v = &r->list[i];
	const double win = g->chance ? win_of(g) - v->ply / 256.0 : QV_WIN - v->ply;
	int32_t most = INT32_MIN;
	int winners = 0;
	g->result(visit_state(r, i), points);
	for (int seat = 0; seat < g->seats; seat++)
		most = points[seat] > most ? points[seat] : most;
	for (int seat = 0; seat < g->seats; seat++)
		winners += points[seat] == most;
	const double value = points[v->seat] < most ? -win : winners > 1 ? 0 : win;
	if (!visit_is(r, i, QV_WHY_ENDED) || (!g->stakes && v->value != value))
		return VISITS_WRONG(r, "visit %d: the value of an ended game", i);
	return NULL;
}

static const char *check_multi_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const bool vector = !how->paranoid && !how->brs;
	if (v->has_values != vector || (vector && v->value != v->values[v->seat]))
		return VISITS_WRONG(r, "visit %d: its vector", i);
	if (v->ended)
		return check_end(r, i);
	if (visit_why_of(r, i, QV_WHY_REPEATED))
		return visit_is(r, i, QV_WHY_REPEATED) ? NULL
						       : VISITS_WRONG(r, "visit %d: repeated", i);
	if (visit_why_of(r, i, QV_WHY_LEAF)) {
		const bool two = r->game->seats == 2 && v->mover != QV_CHANCE;
		const double value =
			two && v->seat != v->mover ? -static_at(r, i) : static_at(r, i);
		return visit_is(r, i, QV_WHY_LEAF) && visit_child(r, i) < 0 &&
				       (!two || v->value == value)
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a leaf", i);
	}
	if (v->mover == QV_CHANCE)
		return check_average(r, i);
	return vector ? check_maxn(r, i, how) : check_against(r, i, how);
}

/* Whether the answer's line is that of the best moves of the last pass. */
static const char *check_line(struct visits *r)
{
	int i = visits_last_pass(r), n = 0;
	while (i >= 0 && r->list[i].best != QV_NO_MOVE) {
		int next = -1;
		if (n >= r->answer.line_length || r->answer.line[n++] != r->list[i].best)
			return VISITS_WRONG(r, "the line at ply %d", n);
		for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c))
			next = r->list[c].move == r->list[i].best ? c : next;
		i = next;
	}
	return n == r->answer.line_length ? NULL : VISITS_WRONG(r, "the length of the line");
}

static const char *check_multi(struct visits *r, const struct how *how)
{
	uint64_t evaluations = 0, passes = 0;
	const char *wrong = NULL;
	for (int i = 0; i < r->count && !wrong; i++) {
		wrong = visit_check_position(r, i);
		if (!wrong)
			wrong = check_depth(r, i, how);
		if (!wrong)
			wrong = check_multi_visit(r, i, how);
		evaluations += visit_why_of(r, i, QV_WHY_LEAF) != NULL;
		passes += r->list[i].parent < 0;
	}
	if (wrong)
		return wrong;
	if ((uint64_t)r->count - passes != r->answer.nodes || evaluations != r->answer.evals)
		return VISITS_WRONG(r, "the counts of nodes or evaluations");
	return check_line(r);
}

/* ---- Planted errors ---- */

typedef const char *checker(struct visits *r, const struct how *how);

enum fault { FAULT_ALPHA, FAULT_VALUE, FAULT_DEPTH, FAULT_REASON, FAULT_DROP, FAULTS };

/* Spoils one visit; false: this fault does not fit it. */
static bool spoil(struct visits *r, int i, enum fault fault)
{
	struct visit *v = &r->list[i];
	switch (fault) {
	case FAULT_ALPHA:
		if (v->parent < 0 || v->flags & QV_VISIT_SAMPLE)
			return false;
		v->alpha = v->alpha == -INFINITY ? -1 : v->alpha - 1;
		return true;
	case FAULT_VALUE:
		v->value = isnan(v->value) ? 0 : v->value + 3;
		v->values[v->seat] += v->has_values ? 3 : 0;
		return true;
	case FAULT_DEPTH:
		v->depth++;
		return true;
	case FAULT_REASON: {
		if (v->last < 0)
			return false;
		const enum qv_why why = r->reasons[v->last].why;
		if (why != QV_WHY_CUT && why != QV_WHY_STAR1 && why != QV_WHY_STAR2 &&
		    why != QV_WHY_WON)
			return false;
		r->reasons[v->last].why = QV_WHY_TOP;
		return true;
	}
	default: /* the last move of a node is forgotten */
		if (v->end == i + 1 || v->flags & QV_VISIT_SAMPLE || v->ended)
			return false;
		for (int c = visit_child(r, i), next; c >= 0; c = next) {
			next = visit_next(r, i, c);
			if (next >= 0)
				continue;
			if (r->list[c].flags & (QV_VISIT_AGAIN | QV_VISIT_SAMPLE))
				return false;
			v->end = c;
		}
		return true;
	}
}

/* Plants each kind of error at some visit where it fits; the checker must notice. */
static void plant(struct visits *r, const struct how *how, checker *check, const char *spec,
		  struct qv_random *random)
{
	for (enum fault fault = 0; fault < FAULTS; fault++)
		for (int attempt = 0; attempt < 4; attempt++) {
			const int i = (int)qv_random_below(random, (uint64_t)r->count);
			const struct visit before = r->list[i];
			const enum qv_why why = before.last < 0 ? 0 : r->reasons[before.last].why;
			if ((fault == FAULT_DROP && how->costs) || !spoil(r, i, fault))
				continue;
			r->trouble[0] = '\0';
			const char *found = check(r, how);
			if (!found)
				fail_msg("%s: fault %d at visit %d was not found", spec, (int)fault,
					 i);
			r->list[i] = before;
			if (before.last >= 0)
				r->reasons[before.last].why = why;
			r->trouble[0] = '\0';
		}
}

/* ---- The searches ---- */

struct subject {
	const char *game, *spec;
	struct how how;
	int plies; /* of the random games that lead to its positions */
	int64_t spots;
};

static void check_subject(const struct qv_context *context, const struct subject *t, checker *check)
{
	const struct qv_game *game = visits_game(context, t->game);
	struct qv_random random = { .key = qv_random_key(11, 0) };
	for (int64_t n = scaled(3 * t->spots); n > 0; n--) {
		char text[QV_POSITION_TEXT];
		struct visits r;
		struct spot s;
		if (!visits_spot(&s, context, game, t->plies, &random))
			continue;
		const char *wrong = visits_record(&r, &s, t->spec);
		if (!wrong && !r.full)
			wrong = check(&r, &t->how);
		if (wrong)
			fail_msg("%s, %s, %s: %s", t->game, t->spec, spot_text(&s, text), wrong);
		if (!r.full && r.count < 3000)
			plant(&r, &t->how, check, t->spec, &random);
		visits_free(&r);
	}
}

static void test_search_log__expectimax(void **state)
{
	static const struct subject subjects[] = {
		{ "race", "expectimax:depth=2,star=0", { .star = 0 }, 20, 4 },
		{ "race", "expectimax:depth=2,star=1", { .star = 1 }, 20, 4 },
		{ "race", "expectimax:depth=2", { .star = 2 }, 20, 4 },
		{ "race", "expectimax:depth=3,sort=0", { .star = 2 }, 20, 2 },
		{ "race",
		  "expectimax:depth=2,iterate=0,table=1",
		  { .star = 2, .table = true },
		  20,
		  4 },
		{ "race",
		  "expectimax:depth=3,table=1,tt-exact=1",
		  { .star = 2, .table = true },
		  20,
		  2 },
		{ "toy-die", "expectimax:depth=4,star=0", { .star = 0 }, 6, 4 },
		{ "toy-die", "expectimax:depth=4,star=1", { .star = 1 }, 6, 4 },
		{ "toy-die", "expectimax:depth=5", { .star = 2 }, 6, 4 },
		{ "toy-die", "expectimax:depth=5,table=1", { .star = 2, .table = true }, 6, 4 },
		{ "warptrog", "expectimax:depth=2,star=0", { .star = 0 }, 20, 2 },
		{ "warptrog", "expectimax:depth=2,star=1", { .star = 1 }, 20, 2 },
		{ "warptrog", "expectimax:depth=2", { .star = 2 }, 20, 2 },
		{ "warptrog", "expectimax:depth=2,quiet=1", { .star = 2, .quiet = true }, 20, 2 },
		{ "warptrog",
		  "expectimax:depth=3,twofold=1,chance-cost=3",
		  { .star = 2, .costs = 3 },
		  20,
		  2 },
		{ "warptrog",
		  "expectimax:depth=3,samples=72",
		  { .star = 2, .samples = true },
		  20,
		  2 },
		{ "backgammon", "expectimax:depth=1", { .star = 2 }, 20, 2 },
		{ "backgammon", "expectimax:depth=1,star=1", { .star = 1 }, 20, 1 },
	};
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
		check_subject(*state, &subjects[i], check_chance);
}

static void test_search_log__several_seats(void **state)
{
	static const char *const games[] = { "toy-three", "toy-four",  "toy-die",    "race",
					     "starchess", "noughts",   "reversi",    "connect4",
					     "hexapawn",  "minichess", "toy-repeat", "toy-counted",
					     "toy-quiet", "warptrog" };
	static const struct {
		const char *spec;
		struct how how;
	} kinds[] = {
		{ "maxn:depth=%d", { .prune = true } },
		{ "maxn:depth=%d,prune=0,sort=0", { .prune = false } },
		{ "paranoid:depth=%d", { .paranoid = true, .prune = true } },
		{ "paranoid:depth=%d,prune=0", { .paranoid = true } },
		{ "brs:depth=%d", { .brs = true, .prune = true } },
		{ "brs:depth=%d,sort=0,iterate=0", { .brs = true, .prune = true } },
	};
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
			const struct qv_game *game = visits_game(*state, games[i]);
			char spec[64];
			const int depth = game->chance || game->max_moves > 60 ? 2 : 4;
			snprintf(spec, sizeof spec, kinds[k].spec, depth);
			check_subject(*state,
				      &(struct subject){ games[i], spec, kinds[k].how, 12, 2 },
				      check_multi);
		}
}

/* Every kind can be watched: its log has visits, each with words, and it can be written. */
static void test_search_log__words_for_every_kind(void **state)
{
	static const char *const specs[][2] = {
		{ "race", "expectimax:depth=2" },
		{ "race", "expectimax:depth=3" },
		{ "toy-die", "expectimax:depth=5" },
		{ "warptrog", "expectimax:depth=2,quiet=1,samples=72" },
		{ "toy-three", "maxn:depth=4" },
		{ "toy-four", "paranoid:depth=4" },
		{ "toy-four", "brs:depth=4" },
		{ "chess", "selective:depth=3,tt=1" },
		{ "minichess", "selective:depth=5,tt=1" },
		{ "gomoku", "threats:depth=2,tt=1" },
		{ "reversi", "lurgee:depth=2" },
		{ "minichess", "seed:depth=2" },
		{ "backgammon", "equity:plies=1,filter=tiny" },
		{ "noughts", "book" },
		{ "warptrog", "book" },
		{ "starchess", "mask:turns=1" },
		{ "starchess", "admiral:nodes=1000" },
		{ "noughts", "random" },
	};
	struct qv_random random = { .key = qv_random_key(13, 0) };
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		const struct qv_game *game = visits_game(*state, specs[i][0]);
		struct spot s = spot_random(*state, game, 3, &random);
		while (game->seat(s.state) == QV_CHANCE)
			assert_true(spot_wander(&s, &random));
		const struct trace_setup setup_of = { .allocator = &mem_malloc,
						      .rules = s.rules,
						      .root = s.state,
						      .player = specs[i][1],
						      .max_nodes = 2000,
						      .max_ply = QV_MAX_LINE };
		struct qv_error error = { "" };
		struct log *l;
		assert_int_equal(log_new(&setup_of, &l, &error), QV_OK);
		const struct qv_listener listener = log_listener(l);
		const struct qv_answer answer = think(&s, specs[i][1], NULL, &listener);
		if (log_finish(l, &answer, &error) != QV_OK)
			fail_msg("%s: %s", specs[i][1], error.text);
		for (int k = 0; k < l->count; k++)
			check_words_of(l, k);
		json_t *json = log_json(l);
		assert_non_null(json);
		json_decref(json);
		log_free(l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_search_log__expectimax, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__several_seats, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__words_for_every_kind, setup,
						teardown),
	};
	return cmocka_run_group_tests_name("search_log_families", tests, NULL, NULL);
}
