/*
 * access.c - the public functions that read games, rules and positions, so that callers need not
 * know struct qv_game.
 * SPDX-License-Identifier: MIT
 */
#include "core/context.h"
#include "search/evaluation.h"
#include "search/random_move.h"

/* ---- Games ---- */

const char *qv_game_name(const struct qv_game *game)
{
	return game->name;
}

const char *qv_game_title(const struct qv_game *game)
{
	return game->title;
}

const char *qv_game_help(const struct qv_game *game)
{
	return game->help;
}

int qv_game_seats(const struct qv_game *game)
{
	return game->seats;
}

const char *qv_game_seat_name(const struct qv_game *game, int seat)
{
	return game->seat_names && seat >= 0 && seat < game->seats ? game->seat_names[seat] : NULL;
}

bool qv_game_has_chance(const struct qv_game *game)
{
	return game->chance;
}

bool qv_game_alternates(const struct qv_game *game)
{
	return game->alternates;
}

int32_t qv_game_stakes(const struct qv_game *game)
{
	return game->stakes;
}

int qv_game_max_moves(const struct qv_game *game)
{
	return game->max_moves;
}

int qv_game_max_plies(const struct qv_game *game)
{
	return game->max_plies;
}

const char *qv_game_solved(const struct qv_game *game)
{
	return game->solved;
}

const struct qv_option *qv_game_option(const struct qv_game *game, int index)
{
	for (const struct qv_option *o = game->options; o && o->name && index >= 0; o++)
		if (index-- == 0)
			return o;
	return NULL;
}

const char *qv_game_evaluation(const struct qv_context *context, const struct qv_game *game,
			       int index, const char **help)
{
	const struct qv_evaluation *const tables[] = { game->evaluations,
						       context_added(context, game) };
	for (int i = 0; i < 2; i++)
		for (const struct qv_evaluation *e = tables[i]; e && e->name && index >= 0; e++) {
			if (index-- > 0)
				continue;
			if (help)
				*help = e->help;
			return e->name;
		}
	return NULL;
}

/* ---- Rules ---- */

const struct qv_game *qv_rules_game(const struct qv_rules *rules)
{
	return rules->game;
}

void qv_rules_default(const struct qv_game *game, struct qv_rules *out)
{
	*out = (struct qv_rules){ .game = game };
	for (int i = 0; qv_game_option(game, i); i++)
		out->options[i] = qv_game_option(game, i)->preset;
}

/* The number of the option with this name; -1, with an error: no such option. */
static int find_option(const struct qv_game *game, const char *name, struct qv_error *error)
{
	for (int i = 0; qv_game_option(game, i); i++)
		if (strcmp(qv_game_option(game, i)->name, name) == 0)
			return i;
	qv_fail(error, QV_UNKNOWN, "game %s: it has no option '%.40s'", game->name, name);
	return -1;
}

enum qv_status qv_rules_get(const struct qv_rules *rules, const char *name, int64_t *value,
			    struct qv_error *error)
{
	const int at = find_option(rules->game, name, error);
	if (at < 0)
		return QV_UNKNOWN;
	*value = rules->options[at];
	return QV_OK;
}

enum qv_status qv_rules_set(struct qv_rules *rules, const char *name, int64_t value,
			    struct qv_error *error)
{
	const int at = find_option(rules->game, name, error);
	if (at < 0)
		return QV_UNKNOWN;
	const struct qv_option *o = qv_game_option(rules->game, at);
	int64_t min = o->min, max = o->max;
	if (o->choices)
		min = max = 0;
	for (const char *c = o->choices; c && *c; c++)
		max += *c == '|';
	if (value < min || value > max)
		return qv_fail(error, QV_BAD_INPUT, "game %s: %s must be from %lld to %lld",
			       rules->game->name, name, (long long)min, (long long)max);
	rules->options[at] = value;
	return QV_OK;
}

/* ---- States ---- */

size_t qv_state_size(const struct qv_game *game)
{
	return game->state_size;
}

void qv_state_copy(const struct qv_game *game, void *to, const void *from)
{
	memcpy(to, from, game->state_size);
}

void qv_start(const struct qv_rules *rules, void *state)
{
	rules->game->start(rules->options, state);
}

void qv_position_text(const struct qv_game *game, const void *state, struct qv_text *out)
{
	game->position_text(state, out);
}

void qv_draw(const struct qv_game *game, const void *state, bool unicode, struct qv_text *out)
{
	if (game->draw) {
		game->draw(state, unicode, out);
		return;
	}
	game->position_text(state, out);
	qv_put_char(out, '\n');
}

uint64_t qv_hash(const struct qv_game *game, const void *state)
{
	return game->hash(state);
}

/* ---- Moves ---- */

int qv_seat(const struct qv_game *game, const void *state)
{
	return game->seat(state);
}

bool qv_is_chance(const struct qv_game *game, const void *state)
{
	return game->seat(state) == QV_CHANCE;
}

/* All moves; none once the game has ended by count, too. */
static int list_moves(const struct qv_game *game, const void *state, qv_move *list)
{
	int32_t points[QV_MAX_SEATS];
	return game->result(state, points) == QV_GOING ? game->moves(state, list) : 0;
}

int qv_moves(const struct qv_game *game, const void *state, qv_move *list, int max)
{
	qv_move all[QV_MAX_MOVES];
	const int count = list_moves(game, state, all);
	for (int i = 0; i < count && i < max; i++)
		list[i] = all[i];
	return count;
}

int qv_move_max_count(const struct qv_game *game, const void *state, qv_move move)
{
	return legal_max_count(game, state, move);
}

qv_move qv_move_with_count(const struct qv_game *game, qv_move move, int count)
{
	return game->with_count ? game->with_count(move, count) : move;
}

int qv_outcomes(const struct qv_game *game, const void *state, qv_move *list,
		double *probabilities, int max)
{
	qv_move all[QV_MAX_MOVES];
	double total = 0;
	if (!qv_is_chance(game, state))
		return 0;
	const int count = list_moves(game, state, all);
	for (int i = 0; i < count; i++)
		total += game->weight ? game->weight(state, all[i]) : 1;
	for (int i = 0; i < count && i < max; i++) {
		if (list)
			list[i] = all[i];
		if (probabilities)
			probabilities[i] = (game->weight ? game->weight(state, all[i]) : 1) / total;
	}
	return count;
}

qv_move qv_roll(const struct qv_game *game, const void *state, struct qv_random *random)
{
	qv_move all[QV_MAX_MOVES];
	const int count = qv_is_chance(game, state) ? list_moves(game, state, all) : 0;
	return count ? random_move(game, state, all, count, random) : QV_NO_MOVE;
}

enum qv_status qv_play(const struct qv_game *game, void *state, qv_move move,
		       struct qv_error *error)
{
	qv_move all[QV_MAX_MOVES];
	const int count = list_moves(game, state, all);
	if (!count)
		return qv_fail(error, QV_ILLEGAL, "move: the game has ended");
	if (!legal_among(game, state, all, count, move))
		return qv_fail(error, QV_ILLEGAL, "move: not a legal move here");
	game->play(state, move);
	return QV_OK;
}

void qv_move_text(const struct qv_game *game, const void *state, qv_move move,
		  struct qv_text *out)
{
	game->move_text(state, move, out);
}

enum qv_outcome qv_result(const struct qv_game *game, const void *state, int32_t *points)
{
	return game->result(state, points);
}

int qv_playout(const struct qv_game *game, void *state, struct qv_random *random, int max_plies)
{
	qv_move all[QV_MAX_MOVES];
	int plies = 0;
	for (int count; plies < max_plies && (count = list_moves(game, state, all)) > 0; plies++)
		game->play(state, random_move(game, state, all, count, random));
	return plies;
}

int qv_standings(const struct qv_game *game, const void *state, struct qv_standing *list, int max)
{
	struct qv_standing all[QV_MAX_CELLS];
	const int count = game->board ? game->board->stand(state, all) : 0;
	for (int i = 0; i < count && i < max; i++)
		list[i] = all[i];
	return count;
}

/* ---- Evaluations ---- */

/* The evaluation of this name; NULL: the first one. */
static enum qv_status choose(const struct qv_context *context, const struct qv_game *game,
			     const char *name, struct chosen_evaluation *out,
			     struct qv_error *error)
{
	struct settings set = { 0 };
	if (name && strlen(name) >= sizeof set.eval)
		return qv_fail(error, QV_UNKNOWN, "evaluation '%.40s': no such evaluation", name);
	snprintf(set.eval, sizeof set.eval, "%s", name ? name : "");
	const enum qv_status status =
		evaluation_choose(context_allocator(context), game, game->evaluations,
				  context_added(context, game), &set, out, error);
	if (status == QV_OK && !out->evaluation)
		return qv_fail(error, QV_UNSUPPORTED, "evaluation: %s has none", game->name);
	return status;
}

enum qv_status qv_evaluate(const struct qv_context *context, const struct qv_game *game,
			   const void *state, const char *name, int32_t *value,
			   struct qv_error *error)
{
	struct chosen_evaluation chosen;
	const enum qv_status status = choose(context, game, name, &chosen, error);
	if (status == QV_OK)
		*value = chosen.evaluation->evaluate(state, chosen.evaluation->weights);
	return status;
}

enum qv_status qv_evaluation_terms(const struct qv_context *context, const struct qv_game *game,
				   const void *state, const char *name, struct qv_terms *out,
				   struct qv_error *error)
{
	struct chosen_evaluation chosen;
	struct qv_term list[QV_MAX_TERMS];
	enum qv_status status = choose(context, game, name, &chosen, error);
	if (status != QV_OK)
		return status;
	if (qv_is_chance(game, state))
		return qv_fail(error, QV_UNSUPPORTED, "evaluation: chance is to move");
	const int count = evaluation_terms(game, chosen.evaluation, chosen.evaluation->weights,
					   state, list);
	if (!count)
		return qv_fail(error, QV_UNSUPPORTED, "evaluation %s: it lists no terms",
			       chosen.evaluation->name);
	out->seat = game->seat(state);
	out->count = count < out->max ? count : out->max;
	memcpy(out->list, list, (size_t)out->count * sizeof *list);
	return QV_OK;
}

enum qv_status qv_weight_name(const struct qv_context *context, const struct qv_game *game,
			      const char *name, int place, struct qv_text *out,
			      struct qv_error *error)
{
	struct chosen_evaluation chosen;
	const enum qv_status status = choose(context, game, name, &chosen, error);
	if (status != QV_OK)
		return status;
	for (const struct qv_weight *w = chosen.evaluation->names; w && w->name; w++) {
		if (place < w->first || place >= w->first + w->count)
			continue;
		qv_put(out, w->name);
		if (w->count > 1) {
			qv_put_char(out, '[');
			qv_put_int(out, place - w->first + 1);
			qv_put_char(out, ']');
		}
		return QV_OK;
	}
	return qv_fail(error, QV_UNKNOWN, "evaluation %s: no weight has the number %d",
		       chosen.evaluation->name, place);
}
