/*
 * mask_player.c - the mask predictor as a player of Star Chess.
 * SPDX-License-Identifier: MIT
 *
 * It plans at the first command of a turn and then gives the commands one by one, as long as the
 * game goes as planned (orders.h).
 */
#include "games/starchess/mask_player.h"

#include "base/threads.h"
#include "games/starchess/explain.h"
#include "games/starchess/orders.h"
#include "games/starchess/predict.h"
#include "games/starchess/turn_log.h"

struct mask_player {
	struct qv_player base;
	struct relative_maps maps;
	struct predict_how how;
	struct orders orders;
	struct turn_log log;
	struct predict_turn turns[PREDICT_MASKS];
	int worker_count;
	struct predictor workers[]; /* the first makes the turns of the root */
};

static size_t size_for(int workers)
{
	return sizeof(struct mask_player) + (size_t)workers * sizeof(struct predictor);
}

struct predict_how mask_how(const struct settings *settings)
{
	const struct mask_settings *set = mask_settings(settings);
	return (struct predict_how){
		.habits = { .build_threat = set->build_threat, .garrison_early = set->garrison == 3 },
		.levels = 4 * (int)set->turns + 1,
		.vary_last = set->turns == 0,
		.vary_all = set->all_masks,
		.literal = settings->literal,
		.skip_dead = set->skip_dead,
		.gains = (int)set->gains,
	};
}

/* One thread keeps a node limit exactly; several would share it unevenly. */
static int prepare_workers(struct mask_player *m)
{
	struct predictor *first = m->workers;
	const int count = first->pace.node_limit == UINT64_MAX ? m->worker_count : 1;
	for (int k = 1; k < count; k++) {
		m->workers[k] = *first;
		m->workers[k].generated = m->workers[k].evaluated = 0;
	}
	return count;
}

/* Decides the turn. Returns whether it was stopped before everything was tried. */
static bool decide(struct qv_player *player, const struct starchess *s,
		   const struct qv_limits *limits, struct qv_answer *out)
{
	struct mask_player *m = (struct mask_player *)player;
	struct predictor *p = m->workers;
	struct sc_galaxy view;
	struct turn_past past;
	struct requests r;
	*p = (struct predictor){ .maps = &m->maps, .how = m->how };
	pace_start(&p->pace, &m->base.settings, limits, 0);
	relative_view(&view, &s->g, s->seat);
	turn_past_of(s, &past);
	requests_make(&r, &m->maps, &m->how.habits, &view);
	const bool masks = mask_settings(&m->base.settings)->masks;
	const int turns = predict_turns(p, &view, &r, &past, masks, m->turns);
	int best = 0;
	if (masks) {
		const int count = prepare_workers(m);
		best = predict_best(m->workers, count, m->turns, turns);
		for (int k = 1; k < count; k++) {
			p->generated += m->workers[k].generated;
			p->evaluated += m->workers[k].evaluated;
			p->pace.stopped |= m->workers[k].pace.stopped;
			p->pace.was_stopped |= m->workers[k].pace.was_stopped;
		}
	}
	if (!m->turns[best].known) {
		sc_scores(&m->turns[best].after, m->turns[best].scores);
		p->evaluated++;
	}
	log_turn(&m->maps, &r, m->turns[best].mask, &past, NULL, &view, &m->log);
	orders_take(&m->orders, s, &m->log);
	m->orders.score = m->turns[best].scores[0];
	m->orders.depth = masks ? m->how.levels : 1;
	out->nodes = out->considered = p->generated;
	out->evals = p->evaluated;
	out->seconds = pace_seconds(&p->pace);
	return p->pace.was_stopped;
}

static enum qv_status think(struct qv_player *player, const void *state,
			    const struct qv_limits *limits, const struct qv_listener *listener,
			    struct qv_answer *out, struct qv_error *error)
{
	struct orders *orders = &((struct mask_player *)player)->orders;
	const enum qv_status status =
		orders_think(orders, player, decide, state, limits, listener, out);
	return status == QV_STOPPED ? qv_fail(error, status, "player mask: stopped") : status;
}

static void new_game(struct qv_player *p)
{
	orders_forget(&((struct mask_player *)p)->orders);
}

static void free_player(struct qv_player *p)
{
	struct mask_player *m = (struct mask_player *)p;
	mem_free(p->allocator, m, size_for(m->worker_count));
}

static const struct player_ops ops = { think, new_game, free_player };

static enum qv_status make(const struct player_setup *setup, struct qv_player **out,
			   struct qv_error *error)
{
	const int workers = threads_count(setup->settings->threads);
	struct mask_player *m = player_begin(setup, &ops, size_for(workers), error);
	if (!m)
		return QV_NO_MEMORY;
	m->worker_count = workers;
	m->how = mask_how(setup->settings);
	relative_prepare(&m->maps);
	orders_forget(&m->orders);
	return player_finish(QV_OK, &m->base, out);
}

#define ROW(name_, type_, f, ...) OWN_OPTION(struct mask_settings, name_, type_, f, __VA_ARGS__)

const struct option turns_option[] = {
	ROW("turns", OPTION_INT, turns, .max = 9, .def = 2, .value = "N",
	    .help = "full turns to look ahead"),
	{ 0 },
};

static const struct option own_options[] = {
	ROW("masks", OPTION_SWITCH, masks, .def = 1,
	    .help = "try masked requests (0: use all requests, no tree)"),
	ROW("all-masks", OPTION_SWITCH, all_masks, .help = "the other factions use masks too"),
	ROW("gains", OPTION_INT, gains, .max = 2, .value = "N",
	    .help = "prune turns that score worse at once (1), or no better (2) (not sound)"),
	ROW("skip-dead", OPTION_SWITCH, skip_dead,
	    .help = "look further ahead where factions are defeated"),
	ROW("build-threat", OPTION_SWITCH, build_threat,
	    .help = "count ships that could be built as threats"),
	ROW("garrison", OPTION_INT, garrison, .min = 3, .max = 4, .def = 4, .value = "N",
	    .help = "priority of garrisons"),
	{ 0 },
};
static const struct option *const options[] = { turns_option,	own_options,  threads_option,
						literal_option, opening_options, NULL };

const struct player_kind mask_kind = {
	.name = "mask",
	.help = "builds turns from requests, some left out (masks); looks whole turns ahead",
	.options = options,
	.needs_game = true,
	.make = make,
};
