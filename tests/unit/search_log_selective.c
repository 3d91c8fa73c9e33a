/*
 * search_log_selective.c - the visits that the selective search, the search of threats, Lurgee's
 * search and the programs that look few plies ahead report: a slow checker derives every window,
 * value and cut-off again from the parent.
 * SPDX-License-Identifier: MIT
 *
 * Each search is also run without a listener: nodes, evaluations, score and line must be the same.
 * Then errors are planted into the records, and the checker must find each of them.
 */
#include "support/visits.h"

#include "search/duel_inline.h"

enum { INFINITE = QV_WIN + 2 };

/* What a checker must know of the player. */
struct how {
	bool negascout; /* Lurgee: null windows */
	double worst;	/* the value of a node before its first move */
	double inside;	/* windows are open at and beyond this */
	bool mate_distance;
	bool random; /* ... between equal moves */
	bool prunes; /* the 1983 program: replies are skipped */
	bool bare;   /* no table and no correction: static values are those of the evaluation */
};

static double opened(const struct how *how, double bound)
{
	return bound >= how->inside ? INFINITY : bound <= -how->inside ? -INFINITY : bound;
}

static bool has_window(const struct visits *r, const struct how *how, int c, double alpha,
		       double beta)
{
	return r->list[c].alpha == opened(how, alpha) && r->list[c].beta == opened(how, beta);
}

/* Plies from the root, without those of searches within a search. */
static int real_ply(const struct visits *r, int i)
{
	int ply = r->list[i].ply;
	for (; r->list[i].parent >= 0; i = r->list[i].parent)
		ply -= !!(r->list[i].flags & QV_VISIT_VERIFY);
	return ply;
}

/* Whether one of these reasons says what the node is worth, without its moves. */
static bool is_known(const struct visits *r, int i)
{
	static const enum qv_why known[] = { QV_WHY_ENDED, QV_WHY_REPEATED, QV_WHY_SOLVED,
					     QV_WHY_TABLE, QV_WHY_DEEPEST,  QV_WHY_LEAF,
					     QV_WHY_MATE,  QV_WHY_WON };
	for (size_t k = 0; k < sizeof known / sizeof *known; k++)
		if (visit_why_of(r, i, known[k]))
			return true;
	return false;
}

/* The static value for the seat to move. */
static double static_at(const struct visits *r, int i)
{
	const struct qv_evaluation *e = r->game->evaluations;
	const double value = e->evaluate(visit_state(r, i), e->weights);
	return fmax(-QV_MAX_EVAL, fmin(QV_MAX_EVAL, value));
}

/* ---- The selective search and that of threats ---- */

struct node {
	double alpha, beta; /* as the search narrows them */
	double best;
	bool cut, quiet, pv;
	int moves; /* tried so far */
};

/* The greatest number of a reason. */
static double most_of(const struct visits *r, int i, enum qv_why why, double most)
{
	for (int k = r->list[i].reason; k >= 0; k = r->reasons[k].next)
		if (r->reasons[k].why == why && r->reasons[k].number > most)
			most = r->reasons[k].number;
	return most;
}

/* A search of the same position, a pass or a probe, which comes before the moves. */
static const char *check_aside(struct visits *r, int i, int c, const struct node *n,
			       const struct how *how)
{
	const struct visit *v = &r->list[c];
	const bool null = v->beta - v->alpha == 1;
	bool right = null && !n->cut;
	if (v->flags & QV_VISIT_PASS)
		right = right && has_window(r, how, c, -n->beta, 1 - n->beta) && !n->pv &&
			v->depth < r->list[i].depth;
	else if (v->flags & QV_VISIT_PROBE)
		right = right && -v->beta >= n->beta && v->depth < r->list[i].depth;
	else if (v->flags & QV_VISIT_QUIET)
		right = right && has_window(r, how, c, n->alpha, n->alpha + 1) && !n->pv;
	return right ? NULL : VISITS_WRONG(r, "visit %d: a search aside", c);
}

/* All visits for one move from c on: a test, a deeper one, one with the whole window. */
static const char *check_attempts(struct visits *r, int i, int *at, struct node *n,
				  const struct how *how)
{
	const qv_move move = r->list[*at].move;
	/* To choose between equal moves at random, the window at the root begins a point lower. */
	const bool equals = how->random && r->list[i].parent < 0 && n->best > r->list[i].alpha;
	const double alpha = equals ? n->alpha - 1 : n->alpha;
	double value = -INFINITY;
	bool null = false;
	for (int c = *at, k = 0; c >= 0; k++) {
		const struct visit *v = &r->list[c];
		const bool whole = has_window(r, how, c, -n->beta, -alpha);
		const bool narrow = has_window(r, how, c, -alpha - 1, -alpha);
		if ((!whole && !narrow) || (k == 0) == !!(v->flags & QV_VISIT_AGAIN))
			return VISITS_WRONG(r, "visit %d: its window", c);
		if (n->pv && !n->quiet && !whole != !!(v->flags & QV_VISIT_SCOUT))
			return VISITS_WRONG(r, "visit %d: whether it is a test", c);
		if (k && value <= alpha)
			return VISITS_WRONG(r, "visit %d: it repeats a move that failed", c);
		if (v->flags & QV_VISIT_REDUCED && v->depth >= r->list[i].depth + 2)
			return VISITS_WRONG(r, "visit %d: it is not reduced", c);
		value = -v->value;
		null = narrow && !whole;
		*at = c = visit_next(r, i, c);
		if (c >= 0 && (r->list[c].move != move || !(r->list[c].flags & QV_VISIT_AGAIN)))
			break;
	}
	if (null && n->pv && value > alpha && value < n->beta)
		return VISITS_WRONG(r, "below visit %d: a test was not repeated", i);
	n->moves++;
	n->best = value > n->best ? value : n->best;
	n->alpha = value > n->alpha ? value : n->alpha;
	n->cut = value >= n->beta;
	return NULL;
}

/* The value of a node that a pass, a probe or razoring ended; false: none did. */
static bool ends_aside(const struct visits *r, int i, const struct node *n, const struct how *how)
{
	const double value = r->list[i].value;
	double pass = NAN, probe = NAN, aside = NAN;
	for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c)) {
		const struct visit *v = &r->list[c];
		pass = v->flags & QV_VISIT_PASS ? -v->value : pass;
		probe = v->flags & QV_VISIT_PROBE ? -v->value : probe;
		aside = v->flags & QV_VISIT_VERIFY ? v->value : aside;
	}
	if (visit_is(r, i, QV_WHY_NULL_MOVE))
		return pass >= n->beta && (value == pass || value == n->beta);
	if (visit_is(r, i, QV_WHY_RAZOR))
		return aside == value && value <= n->alpha;
	if (visit_is(r, i, QV_WHY_FUTILE) && !n->quiet && !n->moves)
		return value >= n->beta && !n->pv &&
		       (!how->bare || value == n->beta + trunc((static_at(r, i) - n->beta) / 3));
	if (visit_is(r, i, QV_WHY_CUT) && !n->cut)
		return value >= n->beta && (probe == value || aside >= value);
	return false;
}

/* Whether the moves that were not tried were left out for a reason. */
static bool may_miss(const struct visits *r, int i, const struct node *n)
{
	qv_move list[SPOT_MOVES];
	const int all = visit_moves(r, i, list);
	const bool singular = r->list[i].flags & QV_VISIT_VERIFY && r->list[i].parent >= 0;
	return n->cut || n->quiet || n->moves == all || (singular && n->moves == all - 1) ||
	       visit_why_of(r, i, QV_WHY_LATE) || visit_why_of(r, i, QV_WHY_FUTILE) ||
	       (visit_why_of(r, i, QV_WHY_TOP) &&
		n->moves == visit_why_of(r, i, QV_WHY_TOP)->number);
}

static const char *check_selective_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	struct node n = { .alpha = fmax(v->alpha, -INFINITE),
			  .beta = fmin(v->beta, INFINITE),
			  .best = -INFINITY };
	const int ply = real_ply(r, i);
	const struct visit_reason *stand = visit_why_of(r, i, QV_WHY_STAND_PAT);
	const struct visit_reason *leaf = visit_why_of(r, i, QV_WHY_LEAF);
	const char *wrong = NULL;
	if (how->bare && ((stand && stand->number != static_at(r, i)) ||
			  (leaf && leaf->number != static_at(r, i))))
		return VISITS_WRONG(r, "visit %d: its static value", i);
	n.quiet = v->flags & QV_VISIT_QUIET || stand || (v->depth <= 0 && v->parent >= 0);
	if (how->mate_distance && v->parent >= 0 && v->depth > 0) {
		n.beta = fmin(n.beta, QV_WIN - ply - 1);
		n.alpha = fmax(n.alpha, ply - QV_WIN);
	}
	n.pv = n.beta > n.alpha + 1 || v->parent < 0;
	const struct node entered = n;
	if (is_known(r, i)) {
		const bool mate = visit_why_of(r, i, QV_WHY_MATE);
		if (mate && (n.alpha < n.beta || v->value != n.alpha))
			return VISITS_WRONG(r, "visit %d: mate distance", i);
		return r->reasons[v->last].number == v->value
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: its known value", i);
	}
	if (stand) {
		n.best = stand->number;
		n.alpha = fmax(n.alpha, n.best);
	}
	for (int c = visit_child(r, i); c >= 0 && !wrong;) {
		const unsigned aside = QV_VISIT_PASS | QV_VISIT_PROBE | QV_VISIT_VERIFY;
		if (n.cut || (stand && stand->number >= n.beta))
			return VISITS_WRONG(r, "visit %d: it comes after a cut-off", c);
		if (r->list[c].flags & aside && v->parent >= 0) {
			wrong = check_aside(r, i, c, &n, how);
			c = visit_next(r, i, c);
		} else {
			wrong = check_attempts(r, i, &c, &n, how);
		}
	}
	if (wrong || ends_aside(r, i, &entered, how))
		return wrong;
	if (n.quiet)
		n.best = most_of(r, i, QV_WHY_FUTILE, n.best);
	if (!n.quiet && !n.moves && v->flags & QV_VISIT_VERIFY)
		n.best = n.alpha; /* the move that is left out is the only one */
	if (v->value != n.best || n.cut != visit_is(r, i, QV_WHY_CUT))
		return VISITS_WRONG(r, "visit %d: its value or cut-off", i);
	if (!may_miss(r, i, &n))
		return VISITS_WRONG(r, "visit %d: a move is missing", i);
	if (visit_why_of(r, i, QV_WHY_FUTILE) && !n.quiet &&
	    most_of(r, i, QV_WHY_FUTILE, -INFINITY) > entered.alpha)
		return VISITS_WRONG(r, "visit %d: the margin of futility", i);
	return NULL;
}

static uint64_t visit_hash(const struct visits *r, int i)
{
	const void *s = visit_state(r, i);
	return r->game->repeat_hash ? r->game->repeat_hash(s) : r->game->hash(s);
}

/* Whether visit j, which is over, can have stored what the table gave at visit i. */
static bool can_have_stored(const struct visits *r, int j, int i)
{
	const struct visit *u = &r->list[j], *v = &r->list[i];
	const int32_t stored = duel_to_table((int32_t)u->value, real_ply(r, j));
	const int depth = v->depth > 0 ? v->depth : 0;
	if (u->end > i || u->parent < 0 || (u->depth > 0 ? u->depth : 0) < depth ||
	    duel_from_table(stored, real_ply(r, i)) != v->value)
		return false;
	return (u->value < u->beta || v->value >= v->beta) &&
	       (u->value > u->alpha || v->value <= v->alpha);
}

/* Each value of the table was found at an earlier visit of the position, deep enough. */
static const char *check_tables(struct visits *r)
{
	uint64_t *hashes = malloc((size_t)r->count * sizeof *hashes);
	const char *wrong = NULL;
	assert_non_null(hashes);
	for (int i = 0; i < r->count && !wrong; i++) {
		bool found = !visit_why_of(r, i, QV_WHY_TABLE);
		hashes[i] = visit_hash(r, i);
		for (int j = 0; j < i && !found; j++)
			found = hashes[j] == hashes[i] && can_have_stored(r, j, i);
		if (!found)
			wrong = VISITS_WRONG(r, "visit %d: no earlier visit gave %g to the table",
					     i, r->list[i].value);
	}
	free(hashes);
	return wrong;
}

/* ---- Lurgee's search and that of the minichess document ---- */

static const char *check_plain_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	double alpha = fmax(v->alpha, -how->inside), best = how->worst;
	const double beta = fmin(v->beta, how->inside);
	bool cut = false;
	int moves = 0;
	qv_move list[SPOT_MOVES];
	if (visit_why_of(r, i, QV_WHY_LEAF))
		return visit_is(r, i, QV_WHY_LEAF) && visit_child(r, i) < 0
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: a leaf", i);
	if (visit_why_of(r, i, QV_WHY_ENDED))
		return v->ended && visit_child(r, i) < 0 && r->reasons[v->last].number == v->value
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: an ended game", i);
	for (int c = visit_child(r, i), next; c >= 0; c = next) {
		const struct visit *w = &r->list[c];
		const bool scout = w->flags & QV_VISIT_SCOUT;
		next = visit_next(r, i, c);
		const bool again = next >= 0 && r->list[next].flags & QV_VISIT_AGAIN;
		if (cut || (scout && (!moves || !how->negascout)) ||
		    (how->negascout && v->depth > 1 && moves && !scout &&
		     !(w->flags & QV_VISIT_AGAIN)))
			return VISITS_WRONG(r, "visit %d: whether it is a test", c);
		if (!has_window(r, how, c, scout ? -alpha - 1 : -beta, -alpha))
			return VISITS_WRONG(r, "visit %d: its window", c);
		if (again != (scout && -w->value > alpha && -w->value < beta))
			return VISITS_WRONG(r, "visit %d: a test and its repetition", c);
		if (again) {
			alpha = -w->value;
			continue;
		}
		moves++;
		best = fmax(best, -w->value);
		alpha = fmax(alpha, best);
		cut = alpha >= beta;
	}
	if (v->value != best || cut != (visit_why_of(r, i, QV_WHY_CUT) != NULL))
		return VISITS_WRONG(r, "visit %d: its value or cut-off", i);
	if (!cut && moves != visit_moves(r, i, list))
		return VISITS_WRONG(r, "visit %d: a move is missing", i);
	return NULL;
}

/* The last value of each move counts; each is searched with the whole window. */
static const char *check_seed_root(struct visits *r, int i)
{
	double best = -INFINITY;
	qv_move list[SPOT_MOVES];
	for (int c = visit_child(r, i), next; c >= 0; c = next) {
		next = visit_next(r, i, c);
		const bool again = next >= 0 && r->list[next].move == r->list[c].move;
		if (r->list[c].alpha != -INFINITY || r->list[c].beta != INFINITY ||
		    (again && r->list[next].depth != r->list[c].depth + 1) ||
		    r->list[c].flags & QV_VISIT_AGAIN)
			return VISITS_WRONG(r, "visit %d: its window or depth", c);
		best = again ? best : fmax(best, -r->list[c].value);
	}
	if (r->list[i].value != best || visit_tried(r, i, 0) != visit_moves(r, i, list))
		return VISITS_WRONG(r, "visit %d: the best of the moves", i);
	return NULL;
}

static const char *check_seed_visit(struct visits *r, int i, const struct how *how)
{
	return r->list[i].parent < 0 ? check_seed_root(r, i) : check_plain_visit(r, i, how);
}

/* ---- Programs that value moves one by one ---- */

/* The best of the values at the root, and below it the least of the replies. */
static const char *check_short_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	const int c = visit_child(r, i);
	const bool root = v->parent < 0;
	double best = root ? -INFINITY : INFINITY;
	const bool cut = !root && c >= 0 && how->prunes && v->value <= v->alpha;
	if (cut != (visit_why_of(r, i, QV_WHY_CUT) != NULL))
		return VISITS_WRONG(r, "visit %d: a cut-off", i);
	/* Star Chess looks further ahead than it reports: no reason, and whole values. */
	if (c < 0 && !root && v->last < 0)
		return v->depth > 0 && v->value == floor(v->value)
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: its value or depth", i);
	if (c < 0)
		return root || r->reasons[v->last].number == v->value
			       ? NULL
			       : VISITS_WRONG(r, "visit %d: its value", i);
	for (int k = c; k >= 0; k = visit_next(r, i, k))
		if (!(r->list[k].flags & QV_VISIT_REDUCED)) /* admiral: only screened */
			best = root ? fmax(best, r->list[k].value) : fmin(best, r->list[k].value);
	if (v->value != best && !visit_why_of(r, i, QV_WHY_WON))
		return VISITS_WRONG(r, "visit %d: the best of its moves", i);
	return NULL;
}

/* Backgammon: a mean over the rolls where the cube is not used. */
static const char *check_equity_visit(struct visits *r, int i, const struct how *how)
{
	const struct visit *v = &r->list[i];
	double sum = 0, total = 0, best = -INFINITY;
	(void)how;
	for (int c = visit_child(r, i); c >= 0; c = visit_next(r, i, c)) {
		const double weight = v->mover == QV_CHANCE
					      ? r->game->weight(visit_state(r, i), r->list[c].move)
					      : 1;
		const double value = visit_value_for(r, c, v->seat);
		sum += weight * value;
		total += weight;
		best = fmax(best, value);
	}
	const double value = v->mover == QV_CHANCE ? sum / total : best;
	if (total > 0 ? fabs(v->value - value) > 1e-6
		      : v->last < 0 || r->reasons[v->last].number != v->value)
		return VISITS_WRONG(r, "visit %d: its value", i);
	return NULL;
}

/* ---- Whole records ---- */

typedef const char *visit_checker(struct visits *r, int i, const struct how *how);

static const char *check_all(struct visits *r, const struct how *how, visit_checker *check)
{
	const char *wrong = NULL;
	for (int i = 0; i < r->count && !wrong; i++)
		wrong = check(r, i, how);
	return wrong;
}

/* Spoils windows, values and reasons; the checker must notice. */
static void plant(struct visits *r, const struct how *how, visit_checker *check, const char *spec,
		  struct qv_random *random)
{
	for (int attempt = 0; attempt < 24; attempt++) {
		const int i = (int)qv_random_below(random, (uint64_t)r->count), kind = attempt % 3;
		struct visit *v = &r->list[i];
		const struct visit before = *v;
		struct visit_reason *why = v->last >= 0 ? &r->reasons[v->last] : NULL;
		const struct visit_reason reason = why ? *why : (struct visit_reason){ 0 };
		const bool windows = check == check_selective_visit || check == check_plain_visit;
		if (v->parent < 0 || (kind == 0 && !windows) ||
		    (kind == 0 && v->flags & (QV_VISIT_VERIFY | QV_VISIT_PROBE)) ||
		    (kind == 2 && (!why || why->why != QV_WHY_CUT)))
			continue;
		if (kind == 0)
			v->alpha = v->alpha == -INFINITY ? -1 : v->alpha - 7;
		else if (kind == 1)
			v->value += 0.5;
		else
			why->why = QV_WHY_COUNT;
		r->trouble[0] = '\0';
		if (!check_all(r, how, check))
			fail_msg("%s: fault %d at visit %d was not found", spec, kind, i);
		*v = before;
		if (why)
			*why = reason;
		r->trouble[0] = '\0';
	}
}

/* On random positions of a game. */
static void check_subject(const struct qv_context *context, const char *name, const char *spec,
			  const struct how *how, visit_checker *check, int plies, int64_t spots)
{
	const struct qv_game *game = visits_game(context, name);
	struct qv_random random = { .key = qv_random_key(12, 0) };
	for (int64_t n = scaled(3 * spots); n > 0; n--) {
		char text[QV_POSITION_TEXT];
		struct visits r;
		struct spot s;
		if (!visits_spot(&s, context, game, plies, &random))
			continue;
		const char *wrong = visits_record(&r, &s, spec);
		const bool exact = check == check_selective_visit || check == check_plain_visit;
		for (int i = 0; exact && i < r.count && !wrong && !r.full; i++)
			wrong = visit_check_position(&r, i);
		if (!wrong && !r.full)
			wrong = check_all(&r, how, check);
		if (!wrong && how->mate_distance && r.count < 6000)
			wrong = check_tables(&r);
		const struct visit *last = r.count ? &r.list[visits_last_pass(&r)] : NULL;
		if (!wrong && !r.full && last && !(last->flags & QV_VISIT_VERIFY) &&
		    last->best != QV_NO_MOVE && last->best != r.answer.move)
			wrong = "the answer is not that of the last pass";
		if (wrong)
			fail_msg("%s, %s, %s: %s", name, spec, spot_text(&s, text), wrong);
		if (!r.full && r.count < 6000)
			plant(&r, how, check, spec, &random);
		visits_free(&r);
	}
}

/* ---- The tests ---- */

/* Each technique of the selective search alone, and all together. */
static void test_search_log__selective(void **state)
{
	static const char *const games[] = { "chess", "minichess", "draughts" };
	static const char *const keys[] = { "null",	"lmr",	   "late",    "futility",
					    "see",	"delta",   "checks",  "extend",
					    "singular", "iir",	   "probcut", "follow",
					    "correct",	"twofold", "quiet",   "history" };
	enum { KEYS = sizeof keys / sizeof *keys };
	const struct how how = { .inside = INFINITE, .mate_distance = true };
	const struct how random = { .inside = INFINITE, .mate_distance = true, .random = true };
	const struct how bare = { .inside = INFINITE, .mate_distance = true, .bare = true };
	for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
		for (int only = -1; only < KEYS; only++) {
			char spec[400];
			size_t n = (size_t)snprintf(
				spec, sizeof spec, "selective:depth=%d,tt=%d,killers=%d",
				only < 0 ? 4 : 3, only % 2 ? 1 : 0, only % 3 ? 2 : 0);
			for (int k = 0; k < KEYS; k++)
				n += (size_t)snprintf(spec + n, sizeof spec - n, ",%s=%d", keys[k],
						      only == k);
			check_subject(*state, games[g], spec, &how, check_selective_visit, 30, 1);
		}
		check_subject(*state, games[g], "selective:depth=5,tt=1", &how,
			      check_selective_visit, 40, 6);
		check_subject(*state, games[g], "selective:depth=4,tt=0,correct=0", &bare,
			      check_selective_visit, 40, 3);
		check_subject(*state, games[g], "selective:depth=3,tt=0,correct=0,quiet=0", &bare,
			      check_selective_visit, 40, 1);
		check_subject(*state, games[g], "selective:depth=7,tt=1", &how,
			      check_selective_visit, 60, 2);
		check_subject(*state, games[g], "selective:depth=4,tt=1,window=0,random=1", &random,
			      check_selective_visit, 40, 1);
		check_subject(*state, games[g], "selective:depth=3,tt=1,tt-exact=1", &how,
			      check_selective_visit, 40, 1);
	}
}

static void test_search_log__threats(void **state)
{
	const struct how how = { .inside = INFINITE };
	check_subject(*state, "gomoku", "threats:depth=3,tt=1", &how, check_selective_visit, 20, 3);
	check_subject(*state, "gomoku", "threats:depth=5,tt=1", &how, check_selective_visit, 12, 1);
	check_subject(*state, "gomoku", "threats:depth=2,tt=0", &how, check_selective_visit, 30, 2);
}

static void test_search_log__lurgee(void **state)
{
	static const char *const games[] = { "connect4", "reversi", "morris" };
	const struct how scout = { .negascout = true, .worst = -100000, .inside = 100000 };
	const struct how plain = { .worst = -100000, .inside = 100000 };
	for (size_t g = 0; g < sizeof games / sizeof *games; g++) {
		check_subject(*state, games[g], "lurgee:depth=3,book=none", &scout,
			      check_plain_visit, 20, 4);
		check_subject(*state, games[g], "lurgee:depth=3,search=negamax,killers=0,book=none",
			      &plain, check_plain_visit, 40, 2);
	}
}

static void test_search_log__seed(void **state)
{
	const struct how how = { .worst = -QV_MAX_EVAL, .inside = QV_MAX_EVAL };
	check_subject(*state, "minichess", "seed:depth=3", &how, check_seed_visit, 20, 2);
}

/* Backgammon's equity, the programs of the books, Star Chess, and random moves. */
static void test_search_log__short_programs(void **state)
{
	static const char *const books[] = { "noughts",	  "connect4", "hexapawn",
					     "noughts3d", "warptrog", "race" };
	const struct how how = { 0 }, prunes = { .prunes = true };
	check_subject(*state, "backgammon", "equity:plies=1,filter=tiny", &how, check_equity_visit,
		      30, 2);
	check_subject(*state, "backgammon", "equity:plies=2,filter=tiny", &how, check_equity_visit,
		      30, 1);
	for (size_t i = 0; i < sizeof books / sizeof *books; i++)
		check_subject(*state, books[i], "book:random=0", &prunes, check_short_visit, 12, 6);
	check_subject(*state, "warptrog", "book:random=1,prune=0", &how, check_short_visit, 12, 3);
	check_subject(*state, "starchess", "mask:turns=1", &how, check_short_visit, 30, 4);
	check_subject(*state, "starchess", "admiral:nodes=2000", &how, check_short_visit, 30, 2);
	check_subject(*state, "noughts", "random", &how, check_short_visit, 4, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_search_log__selective, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__threats, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__lurgee, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__seed, setup, teardown),
		cmocka_unit_test_setup_teardown(test_search_log__short_programs, setup, teardown),
	};
	return cmocka_run_group_tests_name("search_log_selective", tests, NULL, NULL);
}
