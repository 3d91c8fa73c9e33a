/*
 * player.c - the player kind `equity`: n-ply look-ahead with move filters, and cube decisions.
 * SPDX-License-Identifier: MIT
 *
 * A turn is chosen in stages. All turns are valued at 0 plies; the filter keeps the best of them
 * for 1 ply, and so on. A decision about the cube is valued at 0 plies, then 1, and so on. If a
 * limit ends a stage, the answer is that of the stage before. A value is in thousandths: of a point
 * in a money game; in a match, of the difference between the chances to win and to lose it.
 */
#include "games/backgammon/player.h"

#include "base/text.h"
#include "games/backgammon/equity.h"
#include "search/legal.h"
#include "search/player_kind.h"
#include "search/root.h"
#include "search/visit.h"

#include <math.h>

enum { CACHE_MOST = 8 }; /* MB; a larger cache is not faster */

struct equity_settings {
	int64_t plies, filter, noise;
};
_Static_assert(sizeof(struct equity_settings) <= SETTINGS_OWN, "own settings are too large");

struct candidate {
	qv_move move;
	double worth; /* for the seat to move */
	int plies;
	struct backgammon_chances chances; /* likewise for it, whatever the cube */
};

struct equity_player {
	struct qv_player base;
	struct equity equity;
	struct match_equity table;
	int table_points; /* 0: not computed */
	struct qv_random random;
	struct candidate candidates[BACKGAMMON_MAX_MOVES];
};

/* One decision. */
struct decision {
	struct backgammon state; /* the whole state, and the plain one */
	struct backgammon plain;
	struct cube_view view; /* of plain.turn */
	double point;	       /* the value of a point, to scale margins */
	struct candidate *list;
	int count;
	int valued; /* candidates with a value; stopped in the first stage: not all */
};

/* ---- Filters ---- */

/* Which candidates of a stage are valued one ply deeper, after sorting. */
struct filter {
	int keep;      /* so many in any case */
	int extra;     /* and at most so many more ... */
	double margin; /* ... that are at most so many points behind the best */
};

enum { STAGES = 2, FILTERS = 6 }; /* after 0 plies, and after more */

static const struct filter filters[FILTERS][STAGES] = {
	{ { 2, 2, 0.06 }, { 1, 1, 0.03 } },				    /* tiny */
	{ { 2, 4, 0.10 }, { 2, 1, 0.05 } },				    /* narrow */
	{ { 3, 6, 0.16 }, { 2, 3, 0.08 } },				    /* normal */
	{ { 4, 12, 0.32 }, { 3, 5, 0.16 } },				    /* large */
	{ { 8, 32, 0.64 }, { 6, 14, 0.40 } },				    /* huge */
	{ { BACKGAMMON_MAX_MOVES, 0, 0 }, { BACKGAMMON_MAX_MOVES, 0, 0 } }, /* none */
};

static int filtered(const struct decision *d, const struct filter *f)
{
	int n = 0;
	while (n < d->count &&
	       (n < f->keep || (n < f->keep + f->extra &&
				d->list[n].worth >= d->list[0].worth - f->margin * d->point)))
		n++;
	return n;
}

/* ---- Values ---- */

/* Best first; equal ones keep their order. */
static void sort(struct candidate *list, int n)
{
	for (int i = 1; i < n; i++) {
		const struct candidate c = list[i];
		int at = i;
		for (; at > 0 && list[at - 1].worth < c.worth; at--)
			list[at] = list[at - 1];
		list[at] = c;
	}
}

/* Enters a move of the root for the listener; the look-ahead reports what is below it. */
static void enter(struct equity *e, const struct backgammon *s, qv_move move, int plies, int seat)
{
	e->ply = 1;
	visit_enter(e->listener, &(struct qv_visit){ .state = s,
						     .move = move,
						     .ply = 1,
						     .depth = plies,
						     .seat = seat,
						     .alpha = -INFINITY,
						     .beta = INFINITY });
}

/* Values the first n turns. False: stopped; *done of them have a value. */
static bool value_turns(struct equity *e, const struct decision *d, int plies, int n, int *done)
{
	const struct cube_view theirs = cube_turned(&d->view);
	for (*done = 0; *done < n; ++*done) {
		struct candidate *c = &d->list[*done];
		struct backgammon next = d->plain;
		struct backgammon_chances chances;
		double worth;
		backgammon_play(&next, c->move);
		e->nodes++;
		if (e->listener)
			enter(e, &next, c->move, plies, next.turn);
		equity_look_ahead(e, &next, plies, true, &theirs, 1, &chances, &worth);
		if (e->budget.stopped)
			return false;
		if (e->listener)
			visit_leave(e->listener, 1, EQUITY_UNIT * worth, QV_NO_MOVE);
		c->worth = -worth;
		c->plies = plies;
		c->chances = backgammon_flip(&chances);
		if (e->nodes >= e->budget.check_at && budget_poll(&e->budget, e->nodes, e->evals) &&
		    *done + 1 < n) {
			++*done;
			return false;
		}
	}
	return true;
}

/* The value of a decision about the cube for the seat that takes it. */
static double cube_move_worth(const struct cube_view *v, const struct cube_offer *o, qv_move move,
			      bool beavered)
{
	const double answer = beavered ? 1 : -1; /* a beaver is answered by the doubler */
	switch (move) {
	case BACKGAMMON_DO_ROLL:
		return o->keep;
	case BACKGAMMON_DOUBLE: {
		const double offered = cube_offer_worth(v, o);
		/* A double that costs nothing is not put off. */
		const bool free_double = offered <= o->keep && cube_should_double(v, o);
		return free_double ? o->keep + 1e-9 : offered;
	}
	case BACKGAMMON_TAKE:
		return answer * o->take;
	case BACKGAMMON_DROP:
		return answer * o->drop;
	default:
		return answer * cube_beaver_worth(v, o);
	}
}

static void report_cube_move(struct equity *e, const struct backgammon *s,
			     const struct candidate *c)
{
	struct backgammon next = *s;
	backgammon_play(&next, c->move);
	enter(e, &next, c->move, c->plies, backgammon_seat(s));
	visit_why(e->listener, 1, QV_WHY_LEAF, EQUITY_UNIT * c->worth);
	visit_leave(e->listener, 1, EQUITY_UNIT * c->worth, QV_NO_MOVE);
}

static bool value_cube(struct equity *e, const struct decision *d, int plies)
{
	const bool beavered = d->state.flags & BACKGAMMON_BEAVERED;
	struct cube_view views[EQUITY_MAX_VIEWS] = { d->view, cube_doubled(&d->view) };
	struct backgammon_chances chances;
	double worth[EQUITY_MAX_VIEWS];
	if (e->listener)
		enter(e, &d->plain, QV_NO_MOVE, plies, d->plain.turn);
	equity_look_ahead(e, &d->plain, plies, false, views, EQUITY_MAX_VIEWS, &chances, worth);
	if (e->budget.stopped)
		return false;
	if (e->listener)
		visit_leave(e->listener, 1, EQUITY_UNIT * worth[0], QV_NO_MOVE);
	const struct cube_offer offer = { worth[0], worth[1],
					  cube_points(&d->view, beavered ? -1 : 1) };
	const bool answers = d->state.phase == BACKGAMMON_ANSWER && !beavered;
	for (int i = 0; i < d->count; i++) {
		struct candidate *c = &d->list[i];
		c->worth = cube_move_worth(&d->view, &offer, c->move, beavered);
		c->plies = plies;
		c->chances = answers ? backgammon_flip(&chances) : chances;
		if (e->listener)
			report_cube_move(e, &d->state, c);
	}
	return true;
}

/* ---- Deliberate errors ---- */

/* A random number with mean 0 and variance 1: the sum of twelve uniform ones. */
static double normal(struct qv_random *random)
{
	double sum = -6;
	for (int i = 0; i < 12; i++)
		sum += (double)qv_random_below(random, 1 << 20) / (1 << 20);
	return sum;
}

/* Whether a turn bears off the last man. */
static bool ends_game(const struct decision *d, qv_move move)
{
	struct backgammon next = d->plain;
	if (d->state.phase != BACKGAMMON_MOVE)
		return false;
	backgammon_play(&next, move);
	return backgammon_has_ended(&next);
}

/* Replaces the first candidate, the best one, if the settings ask for errors. */
static void err(struct equity_player *p, struct decision *d)
{
	const struct settings *set = &p->base.settings;
	const struct equity_settings *own = (const void *)set->own;
	const double scale = d->point / 1000;
	double best = -INFINITY;
	int chosen = 0;
	if (set->blunder && qv_random_below(&p->random, 100) < (uint64_t)set->blunder) {
		chosen = d->valued - 1;
	} else if (ends_game(d, d->list[0].move)) {
		return; /* a win is always taken */
	} else if (own->noise) {
		for (int i = 0; i < d->valued; i++) {
			const double value =
				d->list[i].worth + scale * (double)own->noise * normal(&p->random);
			if (value > best) {
				best = value;
				chosen = i;
			}
		}
	} else if (set->margin) {
		int n = 1;
		while (n < d->valued &&
		       d->list[n].worth >= d->list[0].worth - scale * (double)set->margin)
			n++;
		chosen = (int)qv_random_below(&p->random, (uint64_t)n);
	}
	const struct candidate c = d->list[chosen];
	d->list[chosen] = d->list[0];
	d->list[0] = c;
}

/* ---- Thinking ---- */

static void report(struct equity *e, const struct decision *d, int plies, struct qv_answer *out)
{
	out->move = out->line[0] = d->list[0].move;
	out->score = (int32_t)lround(EQUITY_UNIT * d->list[0].worth);
	out->line_length = 1;
	out->depth = plies;
	out->nodes = out->considered = e->nodes;
	out->evals = e->evals;
	out->seconds = budget_seconds(&e->budget);
}

/* Values the candidates ever deeper and puts the best first. */
static void decide(struct equity_player *p, struct decision *d, int plies,
		   const struct qv_listener *listener, struct qv_answer *out)
{
	const struct equity_settings *own = (const void *)p->base.settings.own;
	struct equity *e = &p->equity;
	int kept = d->count;
	for (int depth = 0; depth <= plies; depth++) {
		bool whole;
		int done = kept;
		if (depth > 0 && d->state.phase == BACKGAMMON_MOVE) {
			d->count = kept; /* of the sorted list */
			kept = filtered(d, &filters[own->filter][depth > 1]);
		}
		if (listener && listener->iteration_start)
			listener->iteration_start(listener->ctx, depth);
		if (e->listener)
			visit_enter_root(e->listener, &d->state, backgammon_seat(&d->state), depth);
		if (d->state.phase == BACKGAMMON_MOVE)
			whole = value_turns(e, d, depth, kept, &done);
		else
			whole = value_cube(e, d, depth);
		if (!whole && depth > 0)
			return;
		d->valued = depth == 0 && d->state.phase == BACKGAMMON_MOVE ? done : d->valued;
		sort(d->list, done);
		report(e, d, depth, out);
		if (e->listener && whole)
			visit_leave(e->listener, 0, EQUITY_UNIT * d->list[0].worth,
				    d->list[0].move);
		if (!whole)
			return;
		if (listener && listener->iteration)
			listener->iteration(listener->ctx, out);
		if (budget_enough(&e->budget, out))
			return;
	}
}

/* Lists the moves that the limits allow. */
static void start_decision(struct equity_player *p, const void *state,
			   const struct qv_limits *limits, struct decision *d)
{
	qv_move moves[BACKGAMMON_MAX_MOVES];
	memcpy(&d->state, state, sizeof d->state);
	d->plain = equity_plain(&d->state);
	if (d->state.match > p->table_points) {
		p->table_points = d->state.match;
		match_equity_compute(&p->table, p->table_points);
	}
	d->view = cube_view_of(&d->state, d->state.turn, &p->table);
	d->point = (cube_points(&d->view, 1) - cube_points(&d->view, -1)) / 2;
	d->count = legal_keep_named(moves, backgammon_moves(&d->state, moves), limits);
	d->list = p->candidates;
	for (int i = 0; i < d->count; i++)
		d->list[i] = (struct candidate){ .move = moves[i] };
	d->valued = d->count;
	equity_aim(&p->equity, &d->plain, &d->view);
}

static enum qv_status think(struct qv_player *base, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct equity_player *p = (struct equity_player *)base;
	const struct equity_settings *own = (const void *)base->settings.own;
	struct equity *e = &p->equity;
	struct decision d;
	budget_start(&e->budget, &base->settings, limits, 1);
	e->nodes = e->evals = 0;
	if (root_has_ended(base->rules.game, state, out))
		return QV_OK;
	if (base->rules.game->seat(state) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "player: chance is to move, not a player");
	start_decision(p, state, limits, &d);
	e->listener = root_is_watched(listener) ? listener : NULL;
	*out = (struct qv_answer){ .move = d.list[0].move,
				   .line_length = 1,
				   .line = { d.list[0].move } };
	/* An only move needs no search. */
	const int most = budget_yields(&base->settings, limits) ? EQUITY_MAX_PLIES : (int)own->plies;
	const int plies = base->settings.chopper && d.count == 1 ? 0 : most;
	decide(p, &d, budget_depth(&base->settings, limits, plies), listener, out);
	if (d.valued && (base->settings.blunder || base->settings.margin || own->noise)) {
		err(p, &d);
		report(e, &d, out->depth, out);
	}
	out->seconds = budget_seconds(&e->budget);
	return e->budget.was_stopped ? qv_fail(error, QV_STOPPED, "search: stopped") : QV_OK;
}

/* ---- Explanations ---- */

static void add_candidate(struct string *out, const struct decision *d, const struct candidate *c)
{
	static const char *const names[BACKGAMMON_OUTPUTS] = {
		[BACKGAMMON_WIN_ANY] = "win",
		[BACKGAMMON_WIN_GAMMON] = "win_gammon",
		[BACKGAMMON_WIN_BACKGAMMON] = "win_backgammon",
		[BACKGAMMON_LOSE_GAMMON] = "lose_gammon",
		[BACKGAMMON_LOSE_BACKGAMMON] = "lose_backgammon",
	};
	char move[QV_MOVE_TEXT] = "";
	struct qv_text text = { move, sizeof move, 0 };
	backgammon_move_text(&d->state, c->move, &text);
	string_addf(out, "{\"move\":\"%s\",\"plies\":%d,\"equity\":%.6f", move, c->plies, c->worth);
	for (int k = 0; k < BACKGAMMON_OUTPUTS; k++)
		string_addf(out, ",\"%s\":%.6f", names[k], (double)c->chances.of[k]);
	string_addf(out, "}");
}

enum qv_status equity_explain(const struct qv_player *player, const void *state,
			      const struct qv_limits *limits, struct string *out,
			      struct qv_error *error)
{
	const struct settings *set = &player->settings;
	const struct equity_settings *own = (const void *)set->own;
	const struct equity_player *shared = (const struct equity_player *)player;
	const struct backgammon *s = state;
	struct decision d;
	struct qv_answer answer;
	if (set->kind != &equity_kind)
		return qv_fail(error, QV_UNSUPPORTED,
			       "explain: only players of the kind equity can explain their moves");
	if (backgammon_has_ended(s) || backgammon_seat(s) == QV_CHANCE)
		return qv_fail(error, QV_ILLEGAL, "explain: no player is to move");
	/* The same player without its cache: explaining must not change it. */
	struct equity_player *p = mem_new(player->allocator, 1, sizeof *p);
	if (!p)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	p->base = *player;
	equity_init(&p->equity, player->allocator, shared->equity.tables, 0);
	budget_start(&p->equity.budget, set, limits, 1);
	start_decision(p, state, limits, &d);
	decide(p, &d, budget_depth(set, limits, (int)own->plies), NULL, &answer);
	string_addf(out, "{\"seat\":%d,\"evaluated\":%llu,\"candidates\":[", backgammon_seat(s) + 1,
		    (unsigned long long)p->equity.evals);
	for (int i = 0; i < d.valued; i++) {
		string_addf(out, "%s", i ? "," : "");
		add_candidate(out, &d, &d.list[i]);
	}
	string_addf(out, "]}");
	const bool stopped = p->equity.budget.was_stopped;
	mem_free(player->allocator, p, sizeof *p);
	if (out->failed)
		return qv_fail(error, QV_NO_MEMORY, "explain: out of memory");
	return stopped ? qv_fail(error, QV_STOPPED, "explain: stopped") : QV_OK;
}

/* ---- The player ---- */

static void new_game(struct qv_player *base)
{
	/* The cache stays: a position has the same chances in every game. */
	((struct equity_player *)base)->random =
		(struct qv_random){ .key = qv_random_key(base->settings.seed, 0) };
}

static void free_player(struct qv_player *base)
{
	struct equity_player *p = (struct equity_player *)base;
	equity_release(&p->equity);
	mem_free(base->allocator, p, sizeof *p);
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	struct equity_player *p = player_begin(setup, &ops, sizeof *p, error);
	if (!p)
		return QV_NO_MEMORY;
	const int64_t megabytes =
		setup->settings->tt < CACHE_MOST ? setup->settings->tt : CACHE_MOST;
	new_game(&p->base);
	enum qv_status status =
		equity_init(&p->equity, setup->allocator, setup->shared, (size_t)megabytes);
	if (status != QV_OK)
		qv_fail(error, status, "player: out of memory");
	return player_finish(status, &p->base, out);
}

#define ROW(name_, type_, f, ...) OWN_OPTION(struct equity_settings, name_, type_, f, __VA_ARGS__)

static const struct option own_options[] = {
	ROW("plies", OPTION_INT, plies, .max = EQUITY_MAX_PLIES, .def = 2, .value = "N",
	    .help = "plies to look ahead, as GNU Backgammon counts them: 0 is the static "
		    "evaluation after the move"),
	ROW("filter", OPTION_CHOICE, filter, .choices = "tiny|narrow|normal|large|huge|none",
	    .def = 2, .value = "NAME",
	    .help = "how many moves are looked at more deeply; none: all"),
	ROW("noise", OPTION_INT, noise, .max = 10000, .value = "N",
	    .help = "standard deviation of random errors in the values of moves, in thousandths "
		    "of a point"),
	{ 0 },
};

const struct player_kind equity_kind = {
	.name = "equity",
	.help = "backgammon: chances of wins and gammons by neural nets, averaged over the dice; "
		"cube by Janowski's formula",
	.options = (const struct option *const[]){ own_options, depth_option, effort_options,
						   error_options, chopper_option, table_option,
						   opening_options, NULL },
	.first = "plies",
	.limit = "plies=2",
	.needs_game = true,
	.counts_work = true,
	.make = make,
};
