/*
 * review_json.c - the review of a game as JSON.
 * SPDX-License-Identifier: MIT
 *
 * Values are those of the positions after the moves. Scores and expected scores are for the first
 * seat, whoever is to move.
 */
#include "formats/review_json.h"

#include <math.h>

#include "base/json.h"
#include "formats/board_json.h"
#include "games/review_words.h"

/* A number with so many thousandths; more digits would be noise. */
static json_t *rounded(double value)
{
	return json_real(round(value * 1000) / 1000);
}

static json_t *move_json(const struct qv_game *game, const void *state, qv_move move)
{
	char text[QV_MOVE_TEXT] = "";
	game->move_text(state, move, &(struct qv_text){ text, sizeof text, 0 });
	return json_text(text);
}

/* The score in units for the first seat; null: the value is exact, or no search found it. */
static json_t *score_json(const struct qv_game *game, const struct review_value *v, int mover)
{
	const struct review_words *words = review_words(game);
	const double one = words->unit ? words->one : 1;
	if (v->exact || !v->depth || v->score > QV_MAX_EVAL || v->score < -QV_MAX_EVAL)
		return json_null();
	return json_real(round((mover == 0 ? v->score : -v->score) / one * 100) / 100);
}

/* Adds the fields of a value; result: what perfect players reach, as in the results of games. */
static json_t *add_value(json_t *o, const struct qv_game *game, const struct review_value *v,
			 int mover)
{
	char result[16] = "draw";
	if (v->expected != 0.5)
		snprintf(result, sizeof result, "win %d", v->expected > 0.5 ? 1 : 2);
	o = json_field(o, "expected", rounded(v->expected));
	o = json_field(o, "score", score_json(game, v, mover));
	o = json_field(o, "depth", json_integer(v->depth));
	o = json_field(o, "result", v->exact ? json_text(result) : json_null());
	return json_field(o, "in", v->exact && v->in >= 0 ? json_integer(v->in) : json_null());
}

/* The state is the one before the ply; it is played on. */
static json_t *ply_json(const struct qv_game *game, const struct ply_review *at, void *state)
{
	json_t *o = json_field(json_object(), "ply", json_integer(at->ply + 1));
	o = json_field(o, "seat", json_integer(at->seat == QV_CHANCE ? 0 : at->seat + 1));
	o = json_field(o, "move", move_json(game, state, at->move));
	o = put_short(o, game, state, at->move);
	if (at->class != REVIEW_UNRATED) {
		char brief[QV_MOVE_TEXT] = "";
		o = json_field(o, "class", json_text(review_class_name(at->class)));
		o = json_field(o, "glyph", json_text(review_glyph(at->class)));
		o = json_field(o, "forced", json_boolean(at->forced));
		o = json_field(o, "only", json_boolean(at->only));
		o = json_field(o, "lost", rounded(at->lost));
		o = json_field(o, "best",
			       at->best == QV_NO_MOVE ? json_null()
						      : move_json(game, state, at->best));
		if (at->best != QV_NO_MOVE && move_short(game, state, at->best, brief))
			o = json_field(o, "short_best", json_text(brief));
		o = json_field(o, "text", *at->sentence ? json_text(at->sentence) : json_null());
	}
	game->play(state, at->move);
	return add_value(o, game, &at->after, game->seat(state));
}

json_t *review_json(const struct qv_context *context, const struct qv_record *record,
		    const struct review *review)
{
	const struct qv_rules *rules = qv_record_rules(record);
	const struct qv_game *game = rules->game;
	void *state = qv_state_new(context, game);
	char name[QV_POSITION_TEXT] = "";
	json_t *plies = json_array(), *sides = json_array(), *accuracy = json_array();
	if (!state) {
		json_decref(plies);
		json_decref(sides);
		json_decref(accuracy);
		return NULL;
	}
	qv_rules_text(rules, &(struct qv_text){ name, sizeof name, 0 });
	for (int seat = 0; seat < game->seats; seat++) {
		char side[64] = "";
		review_side(game, seat, &(struct qv_text){ side, sizeof side, 0 });
		sides = json_item(sides, json_text(side));
		accuracy = json_item(accuracy, review->accuracy[seat] < 0 ?
						       json_null() :
						       json_real(round(review->accuracy[seat] * 10) / 10));
	}
	tree_state_at(record, review->first, state);
	json_t *start = add_value(json_object(), game, &review->start, game->seat(state));
	for (int i = 0; i < review->count; i++)
		plies = json_item(plies, ply_json(game, &review->plies[i], state));
	qv_state_free(context, game, state);
	json_t *o = json_field(json_object(), "game", json_text(name));
	o = json_field(o, "sides", sides);
	o = json_field(o, "accuracy", accuracy);
	o = json_field(o, "unit", json_text(review_words(game)->unit));
	o = json_field(o, "start", start);
	return json_field(o, "plies", plies);
}
