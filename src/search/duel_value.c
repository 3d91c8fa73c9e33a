/*
 * duel_value.c - techniques that change the value of a line from the plain evaluation at its end:
 * full evaluation at the first ply (ply1), scores of moves (move-eval), Samuel's exchange term.
 * SPDX-License-Identifier: MIT
 *
 * They reproduce programs of the 1983 book and of Samuel (1959) and are rarely used, so they run
 * through function pointers, and the templates test one flag (carries, special) to skip them all.
 */
#include "search/duel_inline.h"

/* ---- material ---- */

/* Clamped, since a plug-in may return anything. */
static int64_t material_of(const struct duel_worker *w, const void *state, int seat)
{
	const int32_t material = w->game->material(state, seat), most = QV_MAX_EVAL / 2;
	return material < 0 ? 0 : material > most ? most : material;
}

static int64_t material_ahead(const struct duel_worker *w, const void *state, int seat)
{
	return material_of(w, state, seat) - material_of(w, state, 1 - seat);
}

int64_t duel_exchange_term(int64_t own, int64_t other)
{
	const int64_t stronger = own > other ? own : other, weaker = own > other ? other : own;
	const int64_t ahead = DUEL_HUNDREDTHS * (own - other);
	return weaker * DUEL_RATIO_MOST > stronger ? ahead * stronger / weaker
						   : ahead * DUEL_RATIO_MOST;
}

/* ---- lines ---- */

static int64_t evaluated(const struct duel_worker *w, const void *state)
{
	return duel_clamp(w->custom->evaluate(state, w->weights));
}

static int64_t for_root(const struct duel_worker *w, int seat, int64_t value)
{
	return seat == w->root_seat ? value : -value;
}

int32_t duel_line_value(const struct duel_worker *w, const void *state, int seat, int ply)
{
	const int64_t carried = w->carries ? for_root(w, seat, w->plies[ply].carried) : 0;
	if (w->move_eval)
		return duel_clamp(carried);
	const int64_t value =
		carried + (w->ply1 == 1 ? material_ahead(w, state, seat) : evaluated(w, state));
	if (!w->exchange)
		return duel_clamp(value);
	return duel_clamp(
		DUEL_HUNDREDTHS * value +
		duel_exchange_term(material_of(w, state, seat), material_of(w, state, 1 - seat)));
}

/* The positional terms of a position (all but material), for the root's seat. */
static int64_t besides_material(struct duel_worker *w, const void *state, int seat)
{
	w->scored++;
	return for_root(w, seat, evaluated(w, state) - material_ahead(w, state, seat));
}

void duel_carry_root(struct duel_worker *w, const void *root)
{
	w->plies[0].carried = w->ply1 ? besides_material(w, root, w->root_seat)
				      : evaluated(w, root);
}

void duel_carry(struct duel_worker *w, const void *state, int seat, qv_move move, const void *after,
		int after_seat, int ply)
{
	const int64_t before = w->plies[ply].carried;
	int64_t *carried = &w->plies[ply + 1].carried;
	if (w->ply1) {
		*carried = ply ? before : besides_material(w, after, after_seat);
		return;
	}
	w->scored++;
	*carried = before + for_root(w, seat, duel_clamp(w->custom->move(state, move, w->weights)));
}
