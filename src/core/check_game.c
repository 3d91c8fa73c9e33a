/*
 * check_game.c - checks the facts of a struct qv_game, before anything relies on them.
 * SPDX-License-Identifier: MIT
 *
 * Plug-ins come from outside, so the bounds that the rest of the library trusts (array sizes, pairs
 * of functions, tables with an end) are checked once, when a game is added to a context. No
 * function of the game is called here; qv_conform checks their behaviour.
 */
#include "core/context.h"

static bool is_name(const char *name)
{
	if (!name || !*name || strlen(name) > 31)
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(name);
}

static const char *wrong_facts(const struct qv_game *g)
{
	if (!g->title)
		return "it has no title";
	if (g->seats < 1 || g->seats > QV_MAX_SEATS)
		return "the number of seats is out of bounds";
	if (g->alternates && g->seats != 2)
		return "alternates needs exactly two seats";
	if (g->state_size < 1 || g->state_size > QV_MAX_STATE)
		return "state_size is out of bounds";
	if (g->max_moves < 1 || g->max_moves > QV_MAX_MOVES)
		return "max_moves is out of bounds";
	if (g->max_plies < 0 || g->symmetries < 0)
		return "max_plies or symmetries is negative";
	if (g->win < 0 || g->win > QV_MAX_EVAL)
		return "win is out of bounds";
	return NULL;
}

static const char *wrong_functions(const struct qv_game *g)
{
	if (!g->start || !g->seat || !g->moves || !g->play || !g->result || !g->hash ||
	    !g->move_text || !g->position_text || !g->position_parse)
		return "a required function is missing";
	if (g->chance && !g->weight)
		return "a game with chance needs weight";
	if (!g->max_count != !g->with_count)
		return "max_count and with_count must both be set";
	if (!g->repeated != !g->irreversible)
		return "repeated and irreversible must both be set";
	if (g->repeat_hash && !g->repeated)
		return "repeat_hash needs repeated";
	if (!g->image != !g->image_move || (g->symmetries > 1) != !!g->image)
		return "symmetries > 1, image and image_move must be set together";
	const struct qv_board *b = g->board;
	if (b && (!b->pieces || !b->layout || !b->stand || !b->clicks))
		return "a board needs pieces, layout, stand and clicks";
	return NULL;
}

static int64_t last_choice(const char *choices)
{
	int64_t last = 0;
	for (; *choices; choices++)
		last += *choices == '|';
	return last;
}

static const char *wrong_options(const struct qv_game *g)
{
	int count = 0;
	for (const struct qv_option *o = g->options; o && o->name; o++, count++) {
		if (!is_name(o->name))
			return "the name of an option must consist of a-z, 0-9, '-'";
		const int64_t min = o->choices ? 0 : o->min,
			      max = o->choices ? last_choice(o->choices) : o->max;
		if (min > max || o->preset < min || o->preset > max)
			return "the default of an option is out of its bounds";
	}
	return count > QV_MAX_OPTIONS ? "it has too many options" : NULL;
}

static bool weights_fit(const struct qv_evaluation *e)
{
	const int64_t room = (int64_t)(e->weights_size / sizeof(int32_t));
	for (const struct qv_weight *w = e->names; w && w->name; w++)
		if (w->first < 0 || w->count < 1 || (int64_t)w->first + w->count > room)
			return false;
	return !e->weights_size || e->weights;
}

static const char *wrong_evaluations(const struct qv_game *g)
{
	for (const struct qv_evaluation *e = g->evaluations; e && e->name; e++) {
		if (!e->evaluate)
			return "an evaluation has no function";
		if (!weights_fit(e))
			return "an evaluation's named weights lie outside weights_size";
		if (e->phase_weights && (!g->phase || !e->weights_size))
			return "phase_weights need phase and weights";
		if (!e->recall != !e->memory_size)
			return "an evaluation must have both recall and memory_size, or neither";
	}
	return g->evaluations && !g->evaluations->name ? "the list of evaluations is empty" : NULL;
}

enum qv_status check_game(const struct qv_game *game, struct qv_error *error)
{
	if (game->interface != QV_INTERFACE)
		return qv_fail(error, QV_UNSUPPORTED,
			       "plug-in: built for interface %d, but this version needs %d",
			       game->interface, QV_INTERFACE);
	if (!is_name(game->name))
		return qv_fail(
			error, QV_ILLEGAL,
			"plug-in: the name of a game must be 1 to 31 characters a-z, 0-9, '-'");
	const char *wrong = wrong_facts(game);
	if (!wrong)
		wrong = wrong_functions(game);
	if (!wrong)
		wrong = wrong_options(game);
	if (!wrong)
		wrong = wrong_evaluations(game);
	return wrong ? qv_fail(error, QV_ILLEGAL, "game %s: %s", game->name, wrong) : QV_OK;
}
