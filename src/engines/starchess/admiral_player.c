/*
 * admiral_player.c - our own player of Star Chess. It thinks at the first command of a turn; the others
 * follow from that, unless somebody else has played them.
 * SPDX-License-Identifier: MIT
 */
#include "engines/starchess/admiral.h"
#include "engines/starchess/mask_player.h"
#include "engines/starchess/orders.h"

struct admiral_player {
	struct qv_player base;
	struct relative_maps maps;
	struct orders orders;
	struct turn_log log;
	struct admiral admiral;
};

static bool decide(struct qv_player *player, const struct starchess *s,
		   const struct qv_limits *limits, struct qv_answer *out)
{
	struct admiral_player *m = (struct admiral_player *)player;
	struct admiral *a = &m->admiral;
	struct predictor *p = &a->predictor;
	*p = (struct predictor){
		.maps = &m->maps,
		.how = { .levels = 4 * (int)m->base.settings.turns + 1,
			 .model = (int)m->base.settings.model,
			 .prospects = true },
	};
	pace_start(&p->pace, &m->base.settings, limits, 0);
	admiral_decide(a, s);
	struct sc_galaxy after = a->view;
	write_turn(&m->maps, &a->requests, a->best.mask, &a->past, &a->best.forced, &after, &m->log);
	orders_take(&m->orders, s, &m->log);
	if (!a->found) {
		int32_t values[SC_FACTIONS];
		sc_prospects(&after, values);
		a->best.value = values[0];
	}
	m->orders.score = a->best.value;
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
	orders_forget(&((struct admiral_player *)p)->orders);
}

static void free_player(struct qv_player *p)
{
	mem_free(p->allocator, p, sizeof(struct admiral_player));
}

static const struct player_ops ops = { think, new_game, free_player };

enum qv_status admiral_player_new(const struct player_setup *setup, struct qv_player **out,
				  struct qv_error *error)
{
	struct admiral_player *m = mem_new(setup->allocator, 1, sizeof *m);
	if (!m)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	m->base = (struct qv_player){ &ops, setup->allocator, *setup->rules, *setup->settings };
	relative_prepare(&m->maps);
	orders_forget(&m->orders);
	*out = &m->base;
	return QV_OK;
}
