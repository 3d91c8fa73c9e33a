/*
 * quevedo_luck.h - part of quevedo.h: luck and skill in games with chance.
 * SPDX-License-Identifier: MIT
 *
 * The equity of a position is its expected result in points. With two seats that is the margin of
 * points, or 1 for a win if the game has no stakes. With more seats a sole winner has 1, joint
 * winners have 0 and the others -1. A single seat has its points. For a game in progress the equity
 * is a quick estimate: the game's own, or its first evaluation.
 */
#ifndef QUEVEDO_LUCK_H
#define QUEVEDO_LUCK_H

/* Writes the equity of each seat. QV_NO_MEMORY is the only failure. */
QV_API enum qv_status qv_equity(const struct qv_context *context, const struct qv_game *game,
				const void *state, double *equities, struct qv_error *error);

struct qv_luck {
	int seat;		 /* whose roll it was */
	double of[QV_MAX_SEATS]; /* what it brought each seat */
};
/*
 * The luck of a chance outcome: the equity after it minus the mean over all outcomes. Its mean is
 * therefore 0, however good the estimates are. Nothing but `state` and `outcome` is used.
 * QV_ILLEGAL: chance is not to move, or the outcome is not possible.
 */
QV_API enum qv_status qv_luck(const struct qv_context *context, const struct qv_game *game,
			      const void *state, qv_move outcome, struct qv_luck *out,
			      struct qv_error *error);

struct qv_review {
	qv_move best; /* the best move by these estimates; the move itself if equal */
	double loss;  /* what the move loses against it, in points; >= 0 */
};
/* Compares a legal move with the others. QV_ILLEGAL: chance is to move, or the move is illegal. */
QV_API enum qv_status qv_review(const struct qv_context *context, const struct qv_game *game,
				const void *state, qv_move move, struct qv_review *out,
				struct qv_error *error);
/*
 * What a loss is called: "" below 0.04, then "doubtful", from 0.08 on "bad", from 0.16 on "very
 * bad". The sign is the one of chess notation: "", "?!", "?" or "??". Static strings.
 */
QV_API const char *qv_loss_name(double loss);
QV_API const char *qv_loss_sign(double loss);

#endif
