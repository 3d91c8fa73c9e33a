/*
 * duel_value.h - what a line is worth where a technique says more than one evaluation at its end:
 * full evaluation at the first ply (ply1), scores of moves (move-eval), Samuel's exchange term
 * (exchange), weights by phase (phases).
 * SPDX-License-Identifier: MIT
 *
 * A line may carry something along, which plies[].carried keeps for the root's seat: the sum of its
 * moves' scores, or what the position after its first move had besides material. Games are asked
 * through struct qv_game, stamped or not; without these techniques nothing here is called.
 */
#ifndef SEARCH_DUEL_VALUE_H
#define SEARCH_DUEL_VALUE_H

#include "search/duel.h"

enum {
	DUEL_HUNDREDTHS = 100,     /* with exchange, scores are in hundredths of a point */
	DUEL_RATIO_MOST = 100,     /* of the sides' material, in the exchange term */
};

/*
 * Samuel's term in hundredths: (stronger / weaker) * (own - other). Who is ahead gains by even
 * trades, who is behind loses. A weaker side with next to nothing, or nothing, counts as
 * 1 / DUEL_RATIO_MOST of the stronger.
 */
int64_t duel_exchange_term(int64_t own, int64_t other);

/* Whether the game and the other settings allow what is asked for. */
enum qv_status duel_check(const struct qv_game *game, const struct qv_evaluation *evaluation,
			  const struct settings *settings, struct qv_error *error);

/* The weights for a search from this position: those of its phase. Needs settings.phases. */
const void *duel_phase_weights(const struct qv_evaluation *evaluation, int phase);
int duel_phase_of(const struct qv_game *game, const void *state);

/* The value for the seat to move of a position still going, at the end of a line. */
int32_t duel_line_value(const struct duel_worker *w, const void *state, int seat, int ply);

/* What lines carry along: at the root, and from the position at `ply` to the one after a move. */
void duel_carry_root(struct duel_worker *w, const void *root);
void duel_carry(struct duel_worker *w, const void *state, int seat, qv_move move, const void *after,
		int after_seat, int ply);

/*
 * A key for the table where lines carry something: the value of a position depends on the position
 * and on what the line there carries, as the seat to move sees it.
 */
static inline uint64_t duel_carried_key(const struct duel_worker *w, uint64_t key, int seat,
					int ply)
{
	const uint64_t carried = (uint64_t)w->plies[ply].carried;
	return qv_mix(key + qv_mix(seat == w->root_seat ? carried : 0 - carried));
}

/* Calls of the evaluation, of positions or of moves. */
static inline uint64_t duel_evals(const struct duel_worker *w)
{
	return w->move_eval ? w->scored : w->evals + w->scored;
}

#endif
