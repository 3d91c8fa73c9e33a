/*
 * players.c - the mask predictor and the admiral as players of Star Chess.
 * SPDX-License-Identifier: MIT
 *
 * The rules know single commands, but these players plan whole turns. Both plan at the first
 * command of a turn and then give the commands one by one. The plan is kept with the position where
 * its next command belongs. If the game is in another position, somebody else has moved, and the
 * player plans again. A player is one block of memory, with its workers at the end.
 */
#include "games/starchess/players.h"

#include "base/threads.h"
#include "games/starchess/admiral.h"
#include "search/legal.h"
#include "search/root.h"
#include "search/visit.h"

enum { WATCHES = WATCH_MODELS, NODES_A_US = 3, NODES_UNLIMITED = 50000 };

/* Decides a whole turn: sets the plan and the counts of the answer. True: it was stopped. */
struct planner;
typedef bool decide_fn(struct planner *m, const struct starchess *s, const struct qv_limits *limits,
		       struct qv_answer *out);

/* What both kinds have in common. */
struct planner {
	struct qv_player base;
	size_t size; /* of the whole player, in bytes */
	int worker_count;
	decide_fn *decide;
	struct relative_maps maps;
	struct turn_log plan;	   /* the commands of the turn, as moves of the rules */
	int next;		   /* the index of the next one */
	struct starchess expected; /* the position where it belongs */
	int32_t score;
	int depth;
	struct watch watch; /* admiral: what it knows about the others */
	struct qv_random random; /* mask: which requests it overlooks */
	/* While it decides; NULL: no callback for single nodes. The position where it decides. */
	const struct qv_listener *listener;
	const struct starchess *root;
};

struct mask_player {
	struct planner planner;
	struct predict_root root;
	struct predictor workers[]; /* the first makes the turns of the root */
};

struct admiral_player {
	struct planner planner;
	struct admiral admiral;
	struct predictor workers[ADMIRAL_WORKERS];
	struct predict_known known[]; /* one for each worker */
};

/* ---- Giving commands ---- */

qv_move turn_absolute(qv_move move, int me)
{
	const enum sc_command kind = sc_kind(move);
	const uint8_t *order = sc_orders[me];
	if (kind == SC_END)
		return move;
	return sc_command(kind, order[sc_from(move)], kind == SC_MOVE ? order[sc_to(move)] : 0,
			  sc_number(move));
}

/* Puts the next command into the answer, with those that follow. False: it does not belong here. */
static bool give(struct planner *m, const struct starchess *s, struct qv_answer *out)
{
	if (m->next >= m->plan.count || memcmp(&m->expected, s, sizeof *s) != 0)
		return false;
	const qv_move *moves = m->plan.moves + m->next;
	out->move = *moves;
	out->score = m->score;
	out->depth = m->depth;
	out->line_length = sc_least(m->plan.count - m->next++, QV_MAX_LINE);
	memcpy(out->line, moves, (size_t)out->line_length * sizeof *moves);
	starchess_play(&m->expected, *moves);
	return true;
}

/* How many more ships the income of the faction to move can keep, without its reserves. */
static int ships_to_keep(const struct starchess *s)
{
	const struct sc_income income = sc_income_of(&s->g, s->seat);
	return sc_capacity(income.materials, income.credits) - sc_ships_of(&s->g, s->seat);
}

/*
 * Removes what looks foolish from a plan: ships that go where others just came from, ships that
 * could not be kept for long, and scrapping, which the rules do where it must be. Later commands
 * that have become illegal go, too.
 */
static void tidy(struct planner *m, const struct starchess *s)
{
	struct starchess at = *s;
	uint16_t moved[SC_SECTORS] = { 0 }; /* by source, the targets */
	int kept = 0;
	for (int i = 0; i < m->plan.count; i++) {
		qv_move list[SC_MAX_MOVES], move = m->plan.moves[i];
		const enum sc_command kind = sc_kind(move);
		const unsigned from = sc_from(move), to = sc_to(move);
		const int room = ships_to_keep(&at);
		if (kind == SC_BUILD && room > 0)
			move = sc_command(kind, from, 0, sc_least(sc_number(move), room));
		if ((kind == SC_MOVE && moved[to] >> from & 1) || kind == SC_SCRAP ||
		    (kind == SC_BUILD && room <= 0) ||
		    !legal_among(m->base.rules.game, &at, list, starchess_moves(&at, list), move))
			continue;
		if (kind == SC_MOVE)
			moved[from] |= (uint16_t)(1U << to);
		starchess_play(&at, move);
		m->plan.moves[kept++] = move;
	}
	m->plan.count = kept;
}

/*
 * A turn as a visit: its first command stands for it, and the position is that after the turn. Its
 * value is that of the seat to move.
 */
static void report_turn(const struct planner *m, const struct turn_log *turn, int32_t value,
			int depth, unsigned flags)
{
	const int seat = m->root->seat;
	struct starchess after = *m->root;
	if (!turn->count)
		return;
	for (int i = 0; i < turn->count; i++)
		starchess_play(&after, turn_absolute(turn->moves[i], seat));
	visit_enter(m->listener, &(struct qv_visit){ .state = &after,
						     .move = turn_absolute(turn->moves[0], seat),
						     .ply = 1,
						     .depth = depth,
						     .seat = seat,
						     .alpha = -INFINITY,
						     .beta = INFINITY,
						     .flags = flags });
	visit_leave(m->listener, 1, value, QV_NO_MOVE);
}

/* How many turns of any faction are looked ahead: the own one first. */
static int look_ahead(const struct settings *settings)
{
	return 4 * (int)mask_settings(settings)->turns + 1;
}

/* Gives the next command, after deciding a new turn if needed. */
static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct planner *m = (struct planner *)player;
	struct starchess s;
	int32_t points[QV_MAX_SEATS];
	bool stopped = false;
	memcpy(&s, state, sizeof s);
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (starchess_result(&s, points) != QV_GOING)
		return QV_OK;
	m->listener = root_is_watched(listener) ? listener : NULL;
	m->root = &s;
	if (m->listener)
		visit_enter_root(m->listener, &s, s.seat, look_ahead(&player->settings));
	if (!give(m, &s, out)) {
		stopped = m->decide(m, &s, limits, out);
		for (int i = 0; i < m->plan.count; i++)
			m->plan.moves[i] = turn_absolute(m->plan.moves[i], s.seat);
		if (mask_settings(&player->settings)->miss)
			tidy(m, &s);
		m->expected = s;
		m->next = 0;
		give(m, &s, out);
	}
	if (m->listener && !stopped)
		visit_leave(m->listener, 0, m->score, out->move);
	/*
	 * If only some moves are allowed and this is not one of them, the first legal one is taken.
	 */
	qv_move list[SC_MAX_MOVES];
	const int n = starchess_moves(&s, list);
	bool named = !limits->only || legal_is_named(limits, out->move);
	for (int i = 0; !named && i < limits->only_count; i++) {
		named = legal_among(player->rules.game, &s, list, n, limits->only[i]);
		if (!named)
			continue;
		out->move = out->line[0] = limits->only[i];
		out->line_length = 1;
	}
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	if (!stopped)
		return QV_OK;
	return qv_fail(error, QV_STOPPED, "player %s: stopped", player->settings.kind->name);
}

static void new_game(struct qv_player *p)
{
	struct planner *m = (struct planner *)p;
	m->next = m->plan.count = 0;
	m->watch = (struct watch){ 0 };
	m->random = (struct qv_random){ .key = qv_random_key(p->settings.seed, 0) };
}

static void free_player(struct qv_player *p)
{
	mem_free(p->allocator, p, ((struct planner *)p)->size);
}

static const struct player_ops ops = { think, new_game, free_player };

/* Makes a player of `size` bytes whose struct begins with a struct planner. */
static enum qv_status make(const struct player_setup *setup, size_t size, int workers,
			   decide_fn *decide, struct qv_player **out, struct qv_error *error)
{
	struct planner *m = player_begin(setup, &ops, size, error);
	if (!m)
		return QV_NO_MEMORY;
	m->size = size;
	m->worker_count = workers;
	m->decide = decide;
	relative_prepare(&m->maps);
	new_game(&m->base);
	return player_finish(QV_OK, &m->base, out);
}

/* Sets the counts of the answer. Returns whether a worker was stopped. */
static bool report(const struct predictor *p, struct qv_answer *out)
{
	out->nodes = out->considered = p->generated;
	out->evals = p->evaluated;
	out->seconds = budget_seconds(&p->budget);
	return p->budget.was_stopped;
}

/* ---- The mask predictor ---- */

struct predict_how mask_how(const struct settings *settings)
{
	const struct mask_settings *set = mask_settings(settings);
	return (struct predict_how){
		.habits = { .build_threat = set->build_threat, .garrison_early = set->garrison == 3 },
		.levels = look_ahead(settings),
		.vary_last = set->turns == 0,
		.vary_all = set->all_masks,
		.literal = settings->literal,
		.skip_dead = set->skip_dead,
		.gains = (int)set->gains,
	};
}

/* Each sector with a chance of `miss` in a hundred. */
static uint16_t overlooked(struct qv_random *random, int64_t miss)
{
	unsigned set = 0;
	for (unsigned i = 0; miss && i < SC_SECTORS; i++)
		if (qv_random_below(random, 100) < (uint64_t)miss)
			set |= 1U << i;
	return (uint16_t)set;
}

static bool decide_mask(struct planner *planner, const struct starchess *s,
			const struct qv_limits *limits, struct qv_answer *out)
{
	struct mask_player *m = (struct mask_player *)planner;
	struct predictor *p = m->workers;
	struct predict_root *root = &m->root;
	const struct settings *set = &planner->base.settings;
	const bool masks = mask_settings(set)->masks;
	*p = (struct predictor){ .maps = &planner->maps, .how = mask_how(set) };
	p->how.overlooked = overlooked(&planner->random, mask_settings(set)->miss);
	budget_start(&p->budget, set, limits, 0);
	/* One thread keeps a node limit exactly; several would share it unevenly. */
	const int count = p->budget.node_limit == UINT64_MAX ? planner->worker_count : 1;
	predict_decide(p, count, s, masks, root);
	for (int i = 0; planner->listener && i < root->count; i++) {
		struct turn_log turn;
		struct sc_galaxy after = root->view;
		if (!root->turns[i].known)
			continue;
		turn_make(&after, &root->requests, root->turns[i].mask, &root->past, NULL, &turn);
		report_turn(planner, &turn, root->turns[i].scores[0], p->how.levels - 1, 0);
	}
	struct predict_turn *best = &root->turns[root->best];
	if (!best->known) {
		sc_scores(&best->after, best->scores);
		p->evaluated++;
	}
	turn_make(&root->view, &root->requests, best->mask, &root->past, NULL, &planner->plan);
	planner->score = best->scores[0];
	planner->depth = masks ? p->how.levels : 1;
	return report(p, out);
}

static enum qv_status make_mask(const struct player_setup *setup, struct qv_player **out,
				struct qv_error *error)
{
	const int workers = threads_count(setup->settings->threads);
	const size_t size = sizeof(struct mask_player) + (size_t)workers * sizeof(struct predictor);
	return make(setup, size, workers, decide_mask, out, error);
}

#define ROW(name_, type_, f, ...) OWN_OPTION(struct mask_settings, name_, type_, f, __VA_ARGS__)

static const struct option turns_option[] = {
	ROW("turns", OPTION_INT, turns, .max = 9, .def = 2, .value = "N",
	    .help = "full turns to look ahead"),
	{ 0 },
};

static const struct option mask_options[] = {
	ROW("masks", OPTION_SWITCH, masks, .def = 1,
	    .help = "try masked requests (off: use all requests, no tree)"),
	ROW("all-masks", OPTION_SWITCH, all_masks, .help = "the other factions use masks too"),
	ROW("gains", OPTION_INT, gains, .max = 2, .value = "N",
	    .help = "prune turns that score worse at once (1), or no better (2) (not sound)"),
	ROW("skip-dead", OPTION_SWITCH, skip_dead,
	    .help = "look further ahead where factions are defeated"),
	ROW("build-threat", OPTION_SWITCH, build_threat,
	    .help = "count ships that could be built as threats"),
	ROW("garrison", OPTION_INT, garrison, .min = 3, .max = 4, .def = 4, .value = "N",
	    .help = "priority of garrisons"),
	ROW("miss", OPTION_INT, miss, .max = 100, .value = "P",
	    .help = "overlook P of 100 requests at random (plays weaker)"),
	{ 0 },
};

const struct player_kind mask_kind = {
	.name = "mask",
	.help = "builds turns from requests, some left out (masks); looks whole turns ahead",
	.options = (const struct option *const[]){ turns_option, mask_options, threads_option,
						   literal_option, opening_options, NULL },
	.needs_game = true,
	.make = make_mask,
};

/* ---- The admiral ---- */

/* The slot `report` of struct admiral; ctx: the player. */
static void report_plan(void *ctx, const struct plan *plan, bool screened)
{
	const struct admiral_player *m = ctx;
	const struct admiral *a = &m->admiral;
	struct turn_log turn;
	struct sc_galaxy after = a->view;
	turn_make(&after, &a->requests, plan->mask, &a->past, &plan->forced, &turn);
	report_turn(&m->planner, &turn, plan->value, m->workers->how.levels - 1,
		    screened ? QV_VISIT_REDUCED : 0);
}

static bool decide_admiral(struct planner *planner, const struct starchess *s,
			   const struct qv_limits *limits, struct qv_answer *out)
{
	struct admiral_player *m = (struct admiral_player *)planner;
	struct admiral *a = &m->admiral;
	struct predictor *p = m->workers;
	struct plan *best = &a->best.plan;
	const struct settings *set = &planner->base.settings;
	const struct mask_settings *own = mask_settings(set);
	*p = (struct predictor){
		.maps = &planner->maps,
		.how = { .levels = look_ahead(set), .replies = true, .prospects = true },
	};
	budget_start(&p->budget, set, limits, 0);
	budget_aim(&p->budget);
	const uint64_t most = p->budget.node_limit;
	a->worker_count = most == UINT64_MAX ? planner->worker_count : 1; /* as in decide_mask */
	for (int k = 0; k < a->worker_count; k++) {
		p[k] = *p;
		p[k].known = &m->known[k];
		memset(m->known[k].keys, 0, sizeof m->known[k].keys);
		m->known[k].count = 0;
	}
	a->workers = p;
	a->watch = own->model == WATCHES ? &planner->watch : NULL;
	/* For a time limit, the nodes are an estimate. */
	a->budget = most != UINT64_MAX ? most
		    : p->budget.time_us  ? (uint64_t)p->budget.time_us * NODES_A_US
				       : NODES_UNLIMITED;
	for (int f = 1; f < SC_FACTIONS; f++)
		a->models[f] = (int)own->model;
	a->report = planner->listener ? report_plan : NULL;
	a->report_ctx = m;
	admiral_decide(a, s);
	struct sc_galaxy after = a->view;
	turn_make(&after, &a->requests, best->mask, &a->past, &best->forced, &planner->plan);
	watch_begin(&planner->watch, &after, a->found ? a->best.replies : NULL);
	if (!a->found) {
		int32_t values[SC_FACTIONS];
		sc_prospects(&after, values);
		best->value = values[0];
	}
	predict_sum(p, a->worker_count);
	planner->score = best->value;
	planner->depth = p->how.levels;
	return report(p, out);
}

static enum qv_status make_admiral(const struct player_setup *setup, struct qv_player **out,
				   struct qv_error *error)
{
	const int workers = sc_least(threads_count(setup->settings->threads), ADMIRAL_WORKERS);
	const size_t size =
		sizeof(struct admiral_player) + (size_t)workers * sizeof(struct predict_known);
	return make(setup, size, workers, decide_admiral, out, error);
}

static const struct option admiral_options[] = {
	ROW("model", OPTION_INT, model, .max = 6, .def = WATCHES, .value = "N",
	    .help = "how the others plan their next turns: unmasked (0), as mask looking N - 1 turns "
		    "ahead, or whichever fits (6)"),
	{ 0 },
};

const struct player_kind admiral_kind = {
	.name = "admiral",
	.help = "as mask, and also tries moves that no request asks for; obeys limits",
	.options = (const struct option *const[]){ effort_options, turns_option, admiral_options,
						   threads_option, opening_options, NULL },
	.limit = "nodes=50000",
	.ignores_depth = true,
	.needs_game = true,
	.ignores_threads = true,
	.make = make_admiral,
};
