/*
 * luck.c - the luck of the rolls and the losses of the moves along the line of a record.
 * SPDX-License-Identifier: MIT
 */
#include "record/luck.h"

#include "core/context.h"

bool record_margin(const struct qv_context *context, const struct qv_record *r, double *out)
{
	double equities[QV_MAX_SEATS];
	const int winner = qv_record_winner(r);
	if (r->rules.game->seats != 2 || r->outcome == QV_GOING || winner == QV_UNDECIDED)
		return false;
	*out = winner < 0 ? 0 : winner ? -1 : 1;
	if (!r->ended && winner >= 0 &&
	    qv_equity(context, r->rules.game, r->state, equities, NULL) == QV_OK)
		*out = equities[0];
	return true;
}

/* Values the ply at->ply in the state before it. */
static enum qv_status value_ply(const struct qv_context *context, const struct qv_game *game,
				struct ply_luck *at, struct line_luck *sums, struct qv_error *error)
{
	struct qv_roll_luck luck = { .size = sizeof luck };
	if (!at->roll) {
		at->review.size = sizeof at->review;
		const enum qv_status status =
			qv_review(context, game, at->before, at->move, &at->review, error);
		if (status == QV_OK)
			sums->loss[at->seat] += at->review.loss;
		return status;
	}
	const enum qv_status status = qv_luck(context, game, at->before, at->move, &luck, error);
	if (status != QV_OK)
		return status;
	at->seat = luck.seat;
	at->luck = luck.of[luck.seat];
	sums->luck[luck.seat] += at->luck;
	sums->net += luck.of[0];
	return QV_OK;
}

enum qv_status record_luck(const struct qv_context *context, const struct qv_record *record,
			   bool rolls_only,
			   enum qv_status (*visit)(void *ctx, const struct ply_luck *at), void *ctx,
			   struct line_luck *out, struct qv_error *error)
{
	const struct qv_game *game = record->rules.game;
	struct line_luck sums = { .net = 0 };
	if (!game->chance)
		return qv_fail(error, QV_UNSUPPORTED, "luck: %s has no dice", game->name);
	void *state = qv_state_new(context, game);
	if (!state)
		return qv_fail(error, QV_NO_MEMORY, "luck: out of memory");
	enum qv_status status = QV_OK;
	tree_state_at(record, 0, state);
	for (int ply = 0; status == QV_OK && ply < record->ply; ply++) {
		const int seat = game->seat(state);
		struct ply_luck at = { .ply = ply,
				       .roll = seat == QV_CHANCE,
				       .seat = seat,
				       .move = qv_record_move(record, ply),
				       .before = state };
		const bool counts = at.roll || !rolls_only;
		if (counts)
			status = value_ply(context, game, &at, &sums, error);
		if (status == QV_OK && counts && visit)
			status = visit(ctx, &at);
		game->play(state, at.move);
	}
	qv_state_free(context, game, state);
	if (status != QV_OK)
		return status;
	sums.has_result = record_margin(context, record, &sums.result);
	*out = sums;
	return QV_OK;
}

const char *luck_word(double luck)
{
	return luck >= 0.6    ? "very lucky"
	       : luck >= 0.3  ? "lucky"
	       : luck <= -0.6 ? "very unlucky"
	       : luck <= -0.3 ? "unlucky"
			      : "";
}

void ply_luck_note(const struct qv_game *game, const struct ply_luck *at, char out[LUCK_NOTE])
{
	char best[QV_MOVE_TEXT] = "";
	struct qv_text text = { best, sizeof best, 0 };
	const char *sign = qv_loss_sign(at->review.loss);
	out[0] = '\0';
	if (at->roll) {
		const char *word = luck_word(at->luck);
		snprintf(out, LUCK_NOTE, "luck %+.2f%s%s", at->luck, *word ? ", " : "", word);
	} else if (*sign) {
		game->move_text(at->before, at->review.best, &text);
		snprintf(out, LUCK_NOTE, "%s loses %.2f (%s): %s is better", sign, at->review.loss,
			 qv_loss_name(at->review.loss), best);
	}
}
