/*
 * facts.c - laws about the facts of a game: names, sizes, options, tables.
 * SPDX-License-Identifier: MIT
 *
 * They call none of the game's functions. They overlap with check_game (core/check_game.c), which
 * guards the library against bad plug-ins; these laws go further and explain what is wrong to the
 * author of a game.
 */
#include "conform/exam.h"
#include "core/context.h"

/* Whether a text is one or more of a-z, 0-9 and '-'. */
static bool is_word(const char *text)
{
	return text && *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

/* Whether a text is one line: not empty, without control characters. */
static bool is_line(const char *text)
{
	const char *end = text;
	while (end && (unsigned char)*end >= ' ')
		end++;
	return end && end != text && !*end;
}

/* Interface, name, title and the solved value; the name is used in commands, files and URLs. */
static bool names_are_sane(struct exam *x)
{
	const struct qv_game *g = x->game;
	const char *s = g->solved;
	if (g->interface_number != QV_INTERFACE)
		return exam_fail(x, "interface_number is %d, not %d", (int)g->interface_number,
				 QV_INTERFACE);
	if (!is_word(g->name))
		return exam_fail(x, "the name must consist of a-z, 0-9 and '-'");
	if (!is_line(g->title))
		return exam_fail(x, "the title must be one line of text");
	return !s || !strcmp(s, "win") || !strcmp(s, "loss") || !strcmp(s, "draw") ||
	       exam_fail(x, "solved is '%s', not win, loss or draw", s);
}

/* The limits on which all fixed-size buffers of the library rely. */
static bool sizes_are_sane(struct exam *x)
{
	const struct qv_game *g = x->game;
	if (g->seats < 1 || g->seats > QV_MAX_SEATS)
		return exam_fail(x, "seats is %d, not 1 to %d", g->seats, QV_MAX_SEATS);
	if (g->alternates && (g->seats != 2 || g->chance))
		return exam_fail(x, "alternates needs two seats and no chance");
	if (!g->state_size || g->state_size > QV_MAX_STATE)
		return exam_fail(x, "state_size is %zu, not 1 to %d", g->state_size, QV_MAX_STATE);
	if (g->max_moves < 1 || g->max_moves > QV_MAX_MOVES)
		return exam_fail(x, "max_moves is %d, not 1 to %d", g->max_moves, QV_MAX_MOVES);
	if (g->stakes < 0 || (g->stakes && g->seats != 2))
		return exam_fail(x, "stakes are for two seats, and not negative");
	return g->max_plies >= 0 || exam_fail(x, "max_plies is %d", g->max_plies);
}

/* Required functions exist, and functions that belong together are set together. */
static bool functions_exist(struct exam *x)
{
	const struct qv_game *g = x->game;
	if (missing_function(g))
		return exam_fail(x, "the required function %s is missing", missing_function(g));
	if (g->chance != (g->weight != NULL))
		return exam_fail(x, "chance and weight: set both or neither");
	if (!g->max_count != !g->with_count)
		return exam_fail(x, "max_count and with_count: set both or neither");
	if (!g->repeated != !g->irreversible)
		return exam_fail(x, "repeated and irreversible: set both or neither");
	if (g->repeat_hash && !g->repeated)
		return exam_fail(x, "repeat_hash needs repeated");
	if (!g->image != !g->image_move)
		return exam_fail(x, "image and image_move: set both or neither");
	return (g->image ? g->symmetries >= 2 : g->symmetries == 0 || g->symmetries == 1) ||
	       exam_fail(x, "symmetries is %d %s image", g->symmetries,
			 g->image ? "with" : "without");
}

/* The number of words separated by '|'; 0: one of them is not a valid name. */
static int choice_count(const char *choices)
{
	int count = 0;
	while (choices) {
		char word[32];
		const size_t length = strcspn(choices, "|");
		if (length >= sizeof word)
			return 0;
		memcpy(word, choices, length);
		word[length] = '\0';
		if (!is_word(word))
			return 0;
		count++;
		choices = choices[length] ? choices + length + 1 : NULL;
	}
	return count;
}

/* Names are unique words, the default and the current value are within bounds. */
static bool options_are_sane(struct exam *x)
{
	const struct qv_option *options = x->game->options;
	for (int i = 0; options && options[i].name; i++) {
		if (i == QV_MAX_OPTIONS)
			return exam_fail(x, "there are more than %d options", QV_MAX_OPTIONS);
		const struct qv_option *o = &options[i];
		const int choices = choice_count(o->choices);
		if (!is_word(o->name))
			return exam_fail(x, "an option's name must consist of a-z, 0-9 and '-'");
		if (o->choices && !choices)
			return exam_fail(x, "option %s: choices are words split by '|'", o->name);
		/* The value of a choice is its index. */
		const int64_t value = x->rules->options[i], min = o->choices ? 0 : o->min,
			      max = o->choices ? choices - 1 : o->max;
		if (min > max || o->preset < min || o->preset > max)
			return exam_fail(x, "option %s: the default is out of bounds", o->name);
		if (value < min || value > max)
			return exam_fail(x, "option %s cannot be %lld", o->name, (long long)value);
		for (const struct qv_option *other = options; other < o; other++)
			if (!strcmp(other->name, o->name))
				return exam_fail(x, "option %s is listed twice", o->name);
	}
	return true;
}

/* Names are unique words, and named weights lie within the array of weights. */
static bool evaluations_are_sane(struct exam *x)
{
	for (const struct qv_evaluation *e = x->game->evaluations; e && e->name; e++) {
		if (!is_word(e->name))
			return exam_fail(x, "an evaluation's name must consist of a-z, 0-9, '-'");
		if (!e->evaluate)
			return exam_fail(x, "evaluation %s has no function", e->name);
		if (e->leaf && x->game->seats != 2)
			return exam_fail(x, "evaluation %s: leaf needs two seats", e->name);
		if (e->terms && x->game->seats > 2)
			return exam_fail(x, "evaluation %s: terms need one or two seats", e->name);
		if ((e->names || e->read) && (!e->weights || !e->weights_size))
			return exam_fail(x, "evaluation %s names weights but has none", e->name);
		if (e->phase_weights && (!x->game->phase || !e->weights_size))
			return exam_fail(x, "evaluation %s: phase_weights need phase and weights",
					 e->name);
		for (const struct qv_weight *w = e->names; w && w->name; w++) {
			const int64_t end =
				((int64_t)w->first + w->count) * (int64_t)sizeof(int32_t);
			if (!is_word(w->name) || w->first < 0 || w->count < 1 ||
			    (uint64_t)end > e->weights_size)
				return exam_fail(x, "evaluation %s: weights '%s' are out of bounds",
						 e->name, w->name);
		}
		for (const struct qv_evaluation *other = x->game->evaluations; other < e; other++)
			if (!strcmp(other->name, e->name))
				return exam_fail(x, "evaluation %s is listed twice", e->name);
	}
	return true;
}

/* Writes the game's name with its options and reads it back through the registry. */
static bool rules_text_reads_back(struct exam *x)
{
	const struct qv_game *registered = qv_game_at(x->context, 0);
	for (int i = 1; registered && registered != x->game; i++)
		registered = qv_game_at(x->context, i);
	if (!registered)
		return true; /* the context cannot find it by name */
	char name[512];
	struct qv_text text = { name, sizeof name, 0 };
	struct qv_rules read;
	struct qv_error why;
	qv_rules_text(x->rules, &text);
	if (text.length >= sizeof name)
		return exam_fail(x, "the name with options has %zu characters", text.length);
	if (qv_rules_parse(x->context, name, &read, &why) != QV_OK)
		return exam_fail(x, "'%s' is rejected: %s", name, why.text);
	if (read.game != x->game)
		return exam_fail(x, "'%s' names another game", name);
	for (int i = 0; x->game->options && x->game->options[i].name; i++)
		if (read.options[i] != x->rules->options[i])
			return exam_fail(x, "'%s' changes option %s", name,
					 x->game->options[i].name);
	return true;
}

const struct law fact_laws[] = {
	{ "names", LAW_ONCE, names_are_sane, ANY_GAME, 0 },
	{ "sizes", LAW_ONCE, sizes_are_sane, ANY_GAME, 0 },
	{ "functions", LAW_ONCE, functions_exist, ANY_GAME, 0 },
	{ "options", LAW_ONCE, options_are_sane, ANY_GAME, 0 },
	{ "evaluation-table", LAW_ONCE, evaluations_are_sane, ANY_GAME, 0 },
	{ "rules-text", LAW_ONCE, rules_text_reads_back, ANY_GAME, 0 },
	{ 0 },
};
