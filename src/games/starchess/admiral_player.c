/*
 * admiral_player.c - the admiral as a player of Star Chess.
 * SPDX-License-Identifier: MIT
 *
 * It plans at the first command of a turn and then gives the commands one by one, as long as the
 * game goes as planned (orders.h).
 */
#include "base/threads.h"
#include "games/starchess/admiral.h"
#include "games/starchess/mask_player.h"
#include "games/starchess/orders.h"

enum { WATCHES = WATCH_MODELS, NODES_A_US = 3, NODES_UNLIMITED = 50000 };

struct admiral_player {
	struct qv_player base;
	struct relative_maps maps;
	struct orders orders;
	struct turn_log log;
	struct watch watch;
	struct admiral admiral;
	struct predictor workers[ADMIRAL_WORKERS];
	int worker_count;
	struct predict_known known[]; /* one for each worker */
};

static size_t size_for(int workers)
{
	return sizeof(struct admiral_player) + (size_t)workers * sizeof(struct predict_known);
}

/* The nodes that it may use; for a time limit, by an estimate. */
static uint64_t budget_of(const struct pace *pace)
{
	if (pace->node_limit != UINT64_MAX)
		return pace->node_limit;
	return pace->time_us ? (uint64_t)pace->time_us * NODES_A_US : NODES_UNLIMITED;
}

/* One thread keeps a node limit exactly; several would share it unevenly. */
static int prepare_workers(struct admiral_player *m, const struct qv_limits *limits)
{
	const struct settings *set = &m->base.settings;
	struct predictor *first = m->workers;
	*first = (struct predictor){
		.maps = &m->maps,
		.how = { .levels = 4 * (int)mask_settings(set)->turns + 1, .replies = true, .prospects = true },
	};
	pace_start(&first->pace, set, limits, 0);
	pace_aim(&first->pace);
	const int count = first->pace.node_limit == UINT64_MAX ? m->worker_count : 1;
	for (int k = 0; k < count; k++) {
		m->workers[k] = *first;
		m->workers[k].known = &m->known[k];
		memset(m->known[k].keys, 0, sizeof m->known[k].keys);
		m->known[k].count = 0;
	}
	return count;
}

static void prepare(struct admiral_player *m, const struct qv_limits *limits)
{
	const int64_t model = mask_settings(&m->base.settings)->model;
	struct admiral *a = &m->admiral;
	a->worker_count = prepare_workers(m, limits);
	a->workers = m->workers;
	a->watch = model == WATCHES ? &m->watch : NULL;
	a->budget = budget_of(&m->workers->pace);
	for (int f = 1; f < SC_FACTIONS; f++)
		a->models[f] = (int)model;
}

static bool decide(struct qv_player *player, const struct starchess *s,
		   const struct qv_limits *limits, struct qv_answer *out)
{
	struct admiral_player *m = (struct admiral_player *)player;
	struct admiral *a = &m->admiral;
	struct predictor *p = m->workers;
	const struct plan *plan = &a->best.plan;
	prepare(m, limits);
	admiral_decide(a, s);
	struct sc_galaxy after = a->view;
	log_turn(&m->maps, &a->requests, plan->mask, &a->past, &plan->forced, &after, &m->log);
	orders_take(&m->orders, s, &m->log);
	watch_begin(&m->watch, &after, a->found ? a->best.replies : NULL);
	if (!a->found) {
		int32_t values[SC_FACTIONS];
		sc_prospects(&after, values);
		a->best.plan.value = values[0];
	}
	for (int k = 1; k < a->worker_count; k++) {
		p->generated += m->workers[k].generated;
		p->evaluated += m->workers[k].evaluated;
		p->pace.was_stopped |= m->workers[k].pace.was_stopped;
	}
	m->orders.score = plan->value;
	m->orders.depth = p->how.levels;
	out->nodes = out->considered = p->generated;
	out->evals = p->evaluated;
	out->seconds = pace_seconds(&p->pace);
	return p->pace.was_stopped;
}

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct orders *orders = &((struct admiral_player *)player)->orders;
	const enum qv_status status =
		orders_think(orders, player, decide, state, limits, listener, out);
	return status == QV_STOPPED ? qv_fail(error, status, "player admiral: stopped") : status;
}

static void new_game(struct qv_player *p)
{
	struct admiral_player *m = (struct admiral_player *)p;
	orders_forget(&m->orders);
	m->watch = (struct watch){ 0 };
}

static void free_player(struct qv_player *p)
{
	mem_free(p->allocator, p, size_for(((struct admiral_player *)p)->worker_count));
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const int workers = sc_least(threads_count(setup->settings->threads), ADMIRAL_WORKERS);
	struct admiral_player *m = player_begin(setup, &ops, size_for(workers), error);
	if (!m)
		return QV_NO_MEMORY;
	m->worker_count = workers;
	relative_prepare(&m->maps);
	orders_forget(&m->orders);
	return player_finish(QV_OK, &m->base, out);
}

static const struct option own_options[] = {
	OWN_OPTION(struct mask_settings, "model", OPTION_INT, model, .max = 6, .def = WATCHES,
		   .value = "N",
		   .help = "how the others plan their next turns: unmasked (0), as mask looking N - 1 turns "
			   "ahead, or whichever fits (6)"),
	{ 0 },
};
static const struct option *const options[] = { effort_options, turns_option, own_options,
						threads_option, opening_options, NULL };

const struct player_kind admiral_kind = {
	.name = "admiral",
	.help = "as mask, and also tries moves that no request asks for; obeys limits",
	.options = options,
	.limit = "nodes=50000",
	.needs_game = true,
	.ignores_threads = true,
	.make = make,
};
