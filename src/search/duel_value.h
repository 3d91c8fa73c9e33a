/*
 * duel_value.h - techniques that change the value of a line from the plain evaluation at its end:
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
 * Samuel's term in hundredths: (stronger / weaker) * (own - other). The side that is ahead gains by
 * even trades. The ratio is limited to DUEL_RATIO_MOST.
 */
int64_t duel_exchange_term(int64_t own, int64_t other);

/* QV_UNSUPPORTED if the game or another setting rules out one of these techniques. */
enum qv_status duel_check(const struct qv_game *game, const struct qv_evaluation *evaluation,
			  const struct settings *settings, struct qv_error *error);

/* The evaluation's weights for a phase of the game. Needs settings.phases. */
const void *duel_phase_weights(const struct qv_evaluation *evaluation, int phase);
int duel_phase_of(const struct qv_game *game, const void *state);      /* QV_OPENING to QV_END */

/* The value of a leaf in which the game has not ended, for the seat to move. */
int32_t duel_line_value(const struct duel_worker *w, const void *state, int seat, int ply);

/* Set the carried sum: at the root, and for the position after a move at `ply`. */
void duel_carry_root(struct duel_worker *w, const void *root);
void duel_carry(struct duel_worker *w, const void *state, int seat, qv_move move, const void *after,
		int after_seat, int ply);

/* The table key where lines carry a sum: a position's value then depends on that sum, too. */
static inline uint64_t duel_carried_key(const struct duel_worker *w, uint64_t key, int seat,
					int ply)
{
	const uint64_t carried = (uint64_t)w->plies[ply].carried;
	return qv_mix(key + qv_mix(seat == w->root_seat ? carried : 0 - carried));
}

/* Evaluations done, of positions or of moves. */
static inline uint64_t duel_evals(const struct duel_worker *w)
{
	return w->move_eval ? w->scored : w->evals + w->scored;
}

#endif
