/*
 * words.c - what happens at a visit of a search, in words for a reader who has never met one.
 * SPDX-License-Identifier: MIT
 *
 * Up to three sentences: which move is tried and how, what came of it, and one remark if there is
 * room. They state only what the log contains: a bound that an earlier move has set is told apart
 * from one that the search merely tests.
 */
#include "trace/log.h"

#include <math.h>

enum { MOST_SENTENCES = 3 };

/* A text while it is written. */
struct speech {
	const struct log *l;
	int at;			    /* the visit */
	const struct log_visit *v;  /* the same */
	const struct log_visit *up; /* its parent; NULL: a pass over the root */
	struct string *out;
	int sentences;
};

/* ---- Names and numbers ---- */

void log_side(const struct log *l, int seat, struct qv_text *out)
{
	const struct qv_piece *piece = l->game->board ? l->game->board->pieces : NULL;
	while (piece && piece->name && piece->seat != seat)
		piece++;
	const char *name = piece ? piece->name : NULL, *space = name ? strchr(name, ' ') : NULL;
	if (!name || space == name || (space && strchr(space + 1, ' ')) || l->game->seats != 2) {
		qv_put(out, "Player ");
		qv_put_int(out, seat + 1);
		return;
	}
	/* In English, the sides of noughts and crosses are X and O. */
	if (strcmp(name, "cross") == 0 || strcmp(name, "nought") == 0) {
		qv_put_char(out, *name == 'c' ? 'X' : 'O');
		return;
	}
	/* Names are in small letters. */
	const char *const end = space ? space : name + strlen(name), first = *name;
	qv_put_char(out, first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first);
	for (const char *c = name + 1; c < end; c++)
		qv_put_char(out, *c);
}

static struct trace_label side(const struct log *l, int seat)
{
	struct trace_label name = { "" };
	struct qv_text out = { name.text, sizeof name.text, 0 };
	if (seat == QV_CHANCE)
		qv_put(&out, "Chance");
	else
		log_side(l, seat, &out);
	return name;
}

/* "3", "2.50", "a win for Red in 3 moves": those of Red, as players count. */
struct trace_label log_number(const struct log *l, double value)
{
	struct trace_label t;
	const double size = fabs(value);
	const int plies = QV_WIN - (int)(size < QV_WIN ? size : QV_WIN), moves = (plies + 1) / 2;
	if (isinf(value))
		snprintf(t.text, sizeof t.text, "%s", value > 0 ? "infinite" : "minus infinity");
	else if (size > QV_MAX_EVAL && l->game->seats == 2 && size == floor(size))
		snprintf(t.text, sizeof t.text, "a win for %.20s in %d move%s",
			 side(l, value > 0 ? l->root_seat : 1 - l->root_seat).text, moves,
			 moves == 1 ? "" : "s");
	else
		snprintf(t.text, sizeof t.text, "%.*f", value == floor(value) ? 0 : 2, value);
	return t;
}

void log_window(const struct log *l, const struct log_visit *v, struct string *out)
{
	string_addf(out, "[%s, ", isinf(v->alpha) ? "open" : log_number(l, v->alpha).text);
	string_addf(out, "%s]", isinf(v->beta) ? "open" : log_number(l, v->beta).text);
}

/* ---- Sentences ---- */

/* Whether there is room for another sentence, which then begins. */
static bool another(struct speech *s)
{
	if (s->sentences == MOST_SENTENCES)
		return false;
	if (s->sentences++)
		string_add(s->out, " ", 1);
	return true;
}

#define SAY(s, ...)                                         \
	do {                                                \
		if (another(s))                             \
			string_addf((s)->out, __VA_ARGS__); \
	} while (0)

static bool has(const struct log_visit *v, enum qv_why why)
{
	return v->reasons >> why & 1;
}

static const char *number(const struct speech *s, double value, struct trace_label *t)
{
	*t = log_number(s->l, value);
	return t->text;
}
#define NUMBER(s, value) number(s, value, &(struct trace_label){ "" })
#define SIDE(s, seat) side((s)->l, seat).text

/* A win or a loss: "at least" would not say for whom. */
static bool is_decided(const struct speech *s, double value)
{
	return s->l->game->seats == 2 && fabs(value) > QV_MAX_EVAL;
}

/* Beyond any value: the edge of a window that is open, or of a null window at such an edge. */
static bool is_open(double edge)
{
	return fabs(edge) >= QV_WIN;
}

/* ---- Where a bound comes from ---- */

/*
 * The earlier move above a visit whose value became alpha (or beta) of the visit. 0: no move did; the
 * bound is that of the pass, of a null-window test, or of a position as it stands.
 */
static int bound_move(const struct speech *s, bool upper)
{
	const struct log_visit *visits = s->l->visits;
	const double bound = upper ? s->v->beta : s->v->alpha;
	int at = s->at;
	while (visits[at].parent >= 0) {
		const struct log_visit *p = &visits[visits[at].parent];
		if ((upper ? p->beta : p->alpha) != bound)
			break;
		at = visits[at].parent;
	}
	if (visits[at].parent < 0)
		return 0;
	for (int i = visits[at].parent + 1; i < at; i = visits[i].end) {
		const struct log_visit *v = &visits[i];
		if (v->value == bound && (upper ? v->value < v->beta : v->value > v->alpha))
			return v->move;
	}
	return 0;
}

/* ---- The move ---- */

/* Why it was tried early: the strongest reason. */
static const char *early(const struct log_visit *v)
{
	if (v->flags & QV_VISIT_TABLE)
		return ", the move that the transposition table has for this position";
	if (v->flags & QV_VISIT_KEPT)
		return ", the best move of the search before, which is tried first";
	if (v->flags & QV_VISIT_KILLER)
		return ", a killer move: it was good at this ply elsewhere, so it is tried early";
	if (v->flags & QV_VISIT_USUAL)
		return ", the only move that is tried for this player here";
	return "";
}

/* Whether the whole log is a root with a move: it was drawn, or comes from a book or a plan. */
static bool is_unsearched(const struct log *l)
{
	const struct log_visit *v = l->visits;
	return l->seen == 1 && l->count == 1 && v->why < 0 && v->best && !isnan(v->value);
}

static void say_pass(struct speech *s)
{
	const struct log *l = s->l;
	const struct log_visit *v = s->v;
	const char *depth = v->depth == 1 ? "ply" : "plies";
	if (v->flags & QV_VISIT_VERIFY)
		SAY(s, "This pass checks the result once more, %d %s deep.", v->depth, depth);
	else if (v->flags & QV_VISIT_SCOUT && is_open(v->beta))
		SAY(s, "A pass %d %s deep that only tests a bound of the value.", v->depth, depth);
	else if (v->flags & QV_VISIT_SCOUT)
		SAY(s, "A pass %d %s deep that only tests whether the value is at least %s.",
		    v->depth, depth, NUMBER(s, v->beta));
	else if (v->flags & QV_VISIT_AGAIN)
		SAY(s,
		    "The pass before did not settle the value, so the same depth is searched again.");
	else if (s->at)
		SAY(s, "The search begins again from this position and looks %d %s ahead.",
		    v->depth, depth);
	else if (l->game->seats == 2 && v->seat >= 0) {
		SAY(s, "%.20s is to move, and the search looks %d %s ahead.", SIDE(s, v->seat),
		    v->depth, depth);
		SAY(s, "%.20s wants the highest value, %.20s the lowest.", SIDE(s, l->root_seat),
		    SIDE(s, 1 - l->root_seat));
	} else
		SAY(s, "The search looks %d %s ahead.", v->depth, depth);
}

/* Whether the same move was tested with a null window before. */
static bool was_tested(const struct speech *s)
{
	const struct log_visit *visits = s->l->visits;
	for (int i = s->v->parent + 1; i < s->at; i = visits[i].end)
		if (visits[i].move == s->v->move && visits[i].flags & QV_VISIT_SCOUT)
			return true;
	return false;
}

/* How it is searched, if that is unusual. */
static void say_how(struct speech *s)
{
	const struct log_visit *v = s->v;
	const bool above = s->up->seat == s->l->root_seat || s->l->game->seats != 2;
	const double edge = above ? v->alpha : v->beta;
	if (v->flags & QV_VISIT_SCOUT && is_open(edge))
		SAY(s, "A null window only tests it.");
	else if (v->flags & QV_VISIT_SCOUT)
		SAY(s, "A null window only tests whether it is better for %.20s than %s.",
		    SIDE(s, s->up->seat), NUMBER(s, edge));
	else if (v->flags & QV_VISIT_AGAIN)
		SAY(s, "%s, so it is searched once more.",
		    was_tested(s) ? "The test did not settle its value"
				  : "Its value is still open");
	else if (v->flags & QV_VISIT_PROBE)
		SAY(s, "This is a probe: one quick search, only for a bound.");
	else if (v->flags & QV_VISIT_SAMPLE)
		SAY(s, "It is one random sequence out of many.");
	else if (v->flags & QV_VISIT_QUIET)
		SAY(s, "That is beyond the depth, where only captures and the like are searched.");
	else if (v->flags & QV_VISIT_REDUCED)
		SAY(s, "It is searched less deeply than usual.");
	else if (v->flags & QV_VISIT_EXTENDED)
		SAY(s, "It is searched more deeply than usual.");
}

static void say_move(struct speech *s)
{
	const struct log_visit *v = s->v;
	const char *name = log_name(s->l, v->move);
	if (v->flags & QV_VISIT_PASS)
		SAY(s, "%.20s passes, to see whether the position is good enough even so.",
		    SIDE(s, s->up->seat));
	else if (!*name && v->flags & QV_VISIT_VERIFY)
		SAY(s, "The same position is searched with less depth, to check a result.");
	else if (!*name)
		SAY(s, "The same position is searched in another way.");
	else if (s->up->seat == QV_CHANCE)
		SAY(s, "Chance brings %s.", name);
	else
		SAY(s, "%.20s plays %s%s.", SIDE(s, s->up->seat), name, early(v));
	if (*name)
		say_how(s);
}

/* ---- What came of it ---- */

/* The value with its bound: "3", "at most 3". */
static struct trace_label valued(const struct speech *s)
{
	static const char *const bounds[] = {
		[TRACE_EXACT] = "", [TRACE_AT_MOST] = "at most ", [TRACE_AT_LEAST] = "at least "
	};
	struct trace_label t;
	const struct trace_label value = log_number(s->l, s->v->value);
	snprintf(t.text, sizeof t.text, "%s%.50s",
		 is_decided(s, s->v->value) ? "" : bounds[log_bound(s->v)], value.text);
	return t;
}

/* What a cut-off saves. */
static const char *saved(const struct speech *s)
{
	return s->v->untried == 0 ? "but that was the last move, so the cut-off saves nothing"
				  : "so the other moves cannot matter";
}

/* What the other side has already, and the move that refutes this one; for two seats. */
static void say_refutation(struct speech *s, double bound, int move)
{
	const struct log *l = s->l;
	const struct log_visit *v = s->v;
	const bool mine = v->seat == l->root_seat;
	const struct trace_label here = side(l, v->seat), there = side(l, 1 - v->seat);
	const char *elsewhere = log_name(l, move), *best = log_name(l, v->best);
	if (is_decided(s, bound) || is_decided(s, v->value))
		SAY(s,
		    "Elsewhere, with %s, the value is already %s; here %.20s can play %s, for %s, %s.",
		    elsewhere, NUMBER(s, bound), here.text, best, NUMBER(s, v->value), saved(s));
	else if (mine)
		SAY(s,
		    "%.20s can already hold %.20s to %s elsewhere, with %s; here %.20s can play %s, and that "
		    "gives at least %s, %s.",
		    there.text, here.text, NUMBER(s, bound), elsewhere, here.text, best,
		    NUMBER(s, v->value), saved(s));
	else
		SAY(s,
		    "%.20s already has %s elsewhere, with %s; here %.20s can play %s, and that gives %.20s at "
		    "most %s, %s.",
		    there.text, NUMBER(s, bound), elsewhere, here.text, best, there.text,
		    NUMBER(s, v->value), saved(s));
}

/* A move has reached the edge of the window: say whose bound that is. */
static void say_cut(struct speech *s)
{
	const struct log_visit *v = s->v;
	const struct log *l = s->l;
	const bool mine = v->seat == l->root_seat;
	const double bound = mine ? v->beta : v->alpha;
	const int move = bound_move(s, mine);
	if (l->game->seats != 2 || v->seat < 0 || !v->best || is_open(bound))
		SAY(s, "The value reaches %s%s.", NUMBER(s, v->value),
		    v->untried ? ", so no other move is searched" : " with the last move");
	else if (move)
		say_refutation(s, bound, move);
	else if (v->ply == 0)
		SAY(s, "%s gives %s or more, which answers this pass%s.", log_name(l, v->best),
		    NUMBER(s, v->value), v->untried ? ": no other move is searched" : "");
	else
		SAY(s, "Only a value %s %s matters here; %s gives %s, %s.",
		    mine ? "below" : "above", NUMBER(s, bound), log_name(l, v->best),
		    NUMBER(s, v->value), saved(s));
}

/* All moves were searched. */
static void say_searched(struct speech *s)
{
	const struct log_visit *v = s->v;
	const struct log *l = s->l;
	const double edge = v->seat == l->root_seat ? v->alpha : v->beta;
	if (v->seat == QV_CHANCE)
		SAY(s, "Chance decides here: the value is the average, %s.", valued(s).text);
	else if (l->game->seats != 2 || v->seat < 0)
		SAY(s, "The value is %s.", valued(s).text);
	else if (v->best)
		SAY(s, "The best move of %.20s here is %s: %s.", SIDE(s, v->seat),
		    log_name(l, v->best), valued(s).text);
	else if (isinf(v->value))
		SAY(s, "Every move was dropped, so this pass has no value.");
	else if (is_open(edge))
		SAY(s, "The value is %s.", valued(s).text);
	else
		SAY(s, "No move of %.20s here is better for that side than %s: the value is %s.",
		    SIDE(s, v->seat), NUMBER(s, edge), valued(s).text);
}

/* How a game has ended. */
static void say_end(struct speech *s, const char *why)
{
	const double value = s->v->value;
	if (s->l->game->seats != 2 || value == 0 || fabs(value) <= QV_MAX_EVAL)
		SAY(s, "%s%s.", why, value == 0 ? ": a draw" : "");
	else
		SAY(s, "%s: %.20s has won.", why,
		    SIDE(s, value > 0 ? s->l->root_seat : 1 - s->l->root_seat));
}

static void say_stand_pat(struct speech *s)
{
	const struct log_visit *v = s->v;
	const bool mine = v->seat == s->l->root_seat;
	if (s->l->game->seats == 2 && (mine ? v->number >= v->beta : v->number <= v->alpha))
		SAY(s,
		    "As it stands the position counts %s, so good for %.20s that no capture is tried.",
		    NUMBER(s, v->number), SIDE(s, v->seat));
	else if (v->value == v->number)
		SAY(s,
		    "As it stands the position counts %s, and no capture or the like improves on that.",
		    NUMBER(s, v->number));
	else
		say_searched(s);
}

/* Whether the static value less a margin ended the node; no move was searched. */
static bool ends_futile(const struct speech *s)
{
	const struct log_visit *v = s->v;
	return v->why == QV_WHY_FUTILE && v->value == v->number && !v->best &&
	       !has(v, QV_WHY_STAND_PAT) && v->end == s->at + 1;
}

/* Whether the value is a loss for the seat to move, in games of two seats. */
static bool is_lost(const struct speech *s)
{
	const double value = s->v->seat == s->l->root_seat ? s->v->value : -s->v->value;
	return s->l->game->seats == 2 && value < 0;
}

/* The reason that ended the node, or the value that its moves gave. */
static void say_result(struct speech *s)
{
	const struct log_visit *v = s->v;
	if (isnan(v->value)) {
		SAY(s, v->left ? "The probe searches no move here, so it shows nothing."
			       : "The search was stopped before this position had a value.");
		return;
	}
	switch (v->why) {
	case QV_WHY_LEAF:
		SAY(s, "Here the depth ends: the position is judged as it stands and counts %s.",
		    NUMBER(s, v->value));
		return;
	case QV_WHY_ENDED:
		say_end(s, "The game is over");
		return;
	case QV_WHY_REPEATED:
		say_end(s, "The position has occurred before, which ends the game here");
		return;
	case QV_WHY_TABLE:
		SAY(s,
		    "It was searched before, and the transposition table still has the value: %s.",
		    valued(s).text);
		return;
	case QV_WHY_SOLVED:
		SAY(s, "An endgame table has the value: %s.", NUMBER(s, v->value));
		return;
	case QV_WHY_STAND_PAT:
		say_stand_pat(s);
		return;
	case QV_WHY_HARD:
		SAY(s,
		    "As it stands it counts only %s, too far below the position at the root: hard pruning "
		    "does not search it.",
		    NUMBER(s, v->value));
		return;
	case QV_WHY_RAZOR:
		if (v->value != v->number || v->best)
			break;
		if (v->end > s->at + 1) { /* the selective search tries captures first */
			SAY(s,
			    "Razoring: it stands so badly that only captures were searched, and they "
			    "do not help: %s.",
			    NUMBER(s, v->number));
			return;
		}
		SAY(s, "Razoring: as it stands it counts %s, and that is taken for its value.",
		    NUMBER(s, v->number));
		return;
	case QV_WHY_NULL_MOVE:
		SAY(s, "Even after a pass the value is %s, so a move is surely good enough.",
		    NUMBER(s, v->number));
		return;
	case QV_WHY_MATE:
		SAY(s, "A faster win or loss is known already, so nothing here can matter: %s.",
		    NUMBER(s, v->value));
		return;
	case QV_WHY_STAR1:
		SAY(s,
		    "The outcomes that are left cannot bring the average into the window: it is %s.",
		    valued(s).text);
		return;
	case QV_WHY_STAR2:
		SAY(s, "One move for each outcome already shows enough: the average is %s.",
		    valued(s).text);
		return;
	case QV_WHY_FUTILE:
		if (!ends_futile(s))
			break;
		SAY(s,
		    "It misses the window so clearly, by a margin, that it is not searched: %s.",
		    NUMBER(s, v->value));
		return;
	case QV_WHY_WON:
		if (is_lost(s))
			SAY(s, "The opponent has a win that no move can stop.");
		else
			SAY(s, "A move wins, and nothing can be better.");
		return;
	case QV_WHY_CUT:
		say_cut(s);
		return;
	case QV_WHY_DEEPEST:
		SAY(s, "The search can go no deeper, so the position counts %s.",
		    NUMBER(s, v->value));
		return;
	default:
		break;
	}
	say_searched(s);
}

/* ---- Remarks ---- */

/* What else was reported at the node. */
static void say_reasons(struct speech *s)
{
	const struct log_visit *v = s->v;
	if (has(v, QV_WHY_TOP) && v->why == QV_WHY_TOP && v->number == 1)
		SAY(s, "Only one move is searched.");
	else if (has(v, QV_WHY_TOP) && v->why == QV_WHY_TOP)
		SAY(s, "Only the %.0f moves that look best at once are searched.", v->number);
	else if (has(v, QV_WHY_TOP))
		SAY(s, "Only the moves that look best at once are searched.");
	if (has(v, QV_WHY_RAZOR) && (v->why != QV_WHY_RAZOR || v->value != v->number || v->best))
		SAY(s,
		    "Razoring: the position as it stands is taken for the least that a move brings.");
	if (has(v, QV_WHY_LATE))
		SAY(s, "The moves that come late in the order are left out.");
	if (has(v, QV_WHY_FUTILE) && !ends_futile(s))
		SAY(s, "Moves that are too weak to matter, even with a margin, are left out.");
}

/* A move that beats those before it, as far as they are kept. */
static void say_progress(struct speech *s)
{
	const struct log *l = s->l;
	const struct log_visit *v = s->v, *up = s->up;
	if (!up || l->game->seats != 2 || up->seat < 0 || isnan(v->value) ||
	    v->flags & (QV_VISIT_PROBE | QV_VISIT_VERIFY | QV_VISIT_PASS))
		return;
	const int sign = up->seat == l->root_seat ? 1 : -1;
	const double edge = sign > 0 ? v->alpha : v->beta;
	if (sign * v->value <= sign * edge)
		return;
	for (int i = v->parent + 1; i < s->at; i = l->visits[i].end)
		if (l->visits[i].move != v->move && sign * l->visits[i].value >= sign * v->value)
			return;
	if (s->at > v->parent + 1)
		SAY(s, "That is better for %.20s than the moves before.", SIDE(s, up->seat));
}

static void say_seats(struct speech *s)
{
	const struct log *l = s->l;
	if (s->v->values < 0 || !another(s))
		return;
	string_addf(s->out, "The values are");
	for (int seat = 0; seat < l->game->seats; seat++)
		string_addf(s->out, "%s %s for %.20s", seat ? "," : "",
			    NUMBER(s, l->vectors[s->v->values + seat]), SIDE(s, seat));
	string_addf(s->out, ".");
}

void log_words(const struct log *l, int visit, struct string *out)
{
	const struct log_visit *v = &l->visits[visit];
	struct speech s = { .l = l,
			    .at = visit,
			    .v = v,
			    .up = v->parent < 0 ? NULL : &l->visits[v->parent],
			    .out = out };
	if (is_unsearched(l)) {
		SAY(&s, "The player plays %s without a search.", log_name(l, v->best));
		return;
	}
	if (s.up)
		say_move(&s);
	else
		say_pass(&s);
	say_result(&s);
	say_seats(&s);
	say_reasons(&s);
	say_progress(&s);
}

/* ---- Growing trees ---- */

/* The moves from the root to a grown node. */
static void add_path(const struct log *l, int node, struct string *out)
{
	if (l->grown[node].parent < 0)
		return;
	add_path(l, l->grown[node].parent, out);
	string_addf(out, " %s", log_name(l, l->grown[node].move));
}

void log_step_words(const struct log *l, int step, struct string *out)
{
	const struct log_growth *g = &l->steps[step];
	const double *root = l->vectors + g->first,
		     *last = root + 2 * (g->count ? g->count - 1 : 0);
	if (g->attacker < 0 && g->result < 0) {
		string_addf(out,
			    l->grown[0].proven == step
				    ? "The next two plies decide the game, so no playout is needed."
				    : "The tree has only its root, and no playout was played.");
		return;
	}
	string_addf(out, "The search goes down");
	if (l->grown[g->node].parent < 0)
		string_addf(out, " no further than the root");
	else
		add_path(l, g->node, out);
	string_addf(out, g->added ? " to a new node." : ".");
	if (g->count && g->result >= 0)
		string_addf(out,
			    " Visits of that node: %.0f, mean value %s; visits of the root: %.0f.",
			    last[0], log_number(l, last[1]).text, root[0]);
	else if (g->count)
		string_addf(out, " Its proof number is %s, its disproof number %s.",
			    log_number(l, last[0]).text, log_number(l, last[1]).text);
}
