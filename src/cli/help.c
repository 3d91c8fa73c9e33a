/*
 * help.c - the command help: the overview, commands, games and players, out of their tables.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "cli/help_files.h"
#include "core/context.h"
#include "core/player.h"
#include "lurgee/search.h"
#include "terminal/view.h"
#include "search/settings.h"

enum { WIDTH = 80, USAGE = 31, OPTION_WIDTH = 20, LAST_COLUMN = 48 };

/* ---- Width ---- */

/* Where the text of a row begins, so that what is folded stands below it. */
static size_t hang_of(const char *line, size_t length)
{
	size_t hang = strspn(line, " ");
	for (size_t i = hang; hang && i + 2 < length && i < LAST_COLUMN; i++)
		if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ')
			hang = i + 2;
	return hang;
}

/* A line, folded at blanks; a word that is too long stays whole. */
static void add_folded(struct string *out, const char *line, size_t length)
{
	const size_t hang = hang_of(line, length);
	for (size_t indent = 0;; indent = hang) {
		size_t end = WIDTH - indent;
		const size_t least = indent ? 0 : hang;
		while (length > WIDTH - indent && end > least && line[end] != ' ')
			end--;
		if (end == least)
			end = least + strcspn(line + least, " \n");
		if (length <= WIDTH - indent || end > length)
			end = length;
		string_addf(out, "%*s", (int)indent, "");
		string_add(out, line, end);
		string_addf(out, "\n");
		if (end == length)
			return;
		const size_t used = end + strspn(line + end, " ");
		line += used;
		length -= used;
	}
}

static void add_all_folded(struct string *out, const char *text)
{
	while (text && *text) {
		const size_t length = strcspn(text, "\n");
		add_folded(out, text, length);
		text += length + (text[length] == '\n');
	}
}

/* Two columns; the right one begins on its own line if the left one is too wide. */
static void add_row(const char *left, int width, const char *right, struct string *out)
{
	if (strlen(left) > (size_t)width)
		string_addf(out, "  %s\n%*s%s\n", left, width + 4, "", right);
	else
		string_addf(out, "  %-*s  %s\n", width, left, right);
}

/* ---- Options ---- */

/* "--seed N", "--offer[=COLOR]" */
static void add_usage(const struct option *row, struct string *out)
{
	const char *value = row->value ? row->value : row->choices;
	string_addf(out, "--%s", row->name);
	if (row->optional_value)
		string_addf(out, "[=%s]", value);
	else if (row->type != OPTION_FLAG)
		string_addf(out, " %s", value);
}

void help_add_meaning(const struct option *row, struct string *out)
{
	string_addf(out, "%s", row->help);
	if (row->type == OPTION_INT && row->def >= row->min)
		string_addf(out, " (default %lld)", (long long)row->def);
	if (row->type == OPTION_CHOICE && row->def >= 0) {
		char word[64] = "";
		option_put_choice(row->choices, row->def,
				  &(struct qv_text){ word, sizeof word, 0 });
		string_addf(out, " (default %s)", word);
	}
}

static void add_group(const struct option *group, struct string *out)
{
	for (const struct option *row = group; row->name; row++) {
		struct string left = { .allocator = out->allocator },
			      right = { .allocator = out->allocator };
		add_usage(row, &left);
		help_add_meaning(row, &right);
		out->failed |= left.failed || right.failed;
		if (!out->failed)
			add_row(left.data, OPTION_WIDTH, right.data, out);
		string_release(&left);
		string_release(&right);
	}
}

/* ---- Everything ---- */

static void add_overview(struct cli *c, struct string *out)
{
	const struct qv_game *game;
	string_addf(out,
		    "quevedo %s: play, search and solve strategy games.\n\nusage: quevedo "
		    "COMMAND ...\n",
		    qv_version());
	for (int i = 0; commands[i]; i++)
		add_row(commands[i]->usage, USAGE, commands[i]->help, out);
	string_addf(out, "\ngames:\n");
	for (int i = 0; (game = qv_game_at(c->context, i)); i++)
		add_row(game->name, USAGE, game->title, out);
	string_addf(out, "\noptions of every command:\n");
	add_group(common_options, out);
	add_group(version_option, out);
	string_addf(out,
		    "\nGAME is NAME or NAME:option=value,...; POS is one argument in the game's "
		    "format, or 'start'.\n");
	if ((game = qv_game_at(c->context, 0)))
		string_addf(out, "Try: quevedo show %s; quevedo best %s; quevedo help %s\n",
			    game->name, game->name, game->name);
}

static void add_command(const struct command *command, struct string *out)
{
	string_addf(out, "usage: quevedo %s\n%s: %s\n%s", command->usage, command->name,
		    command->help, command->more ? command->more : "");
	if (*command->options != common_options)
		string_addf(out, "\noptions:\n");
	for (const struct option *const *group = command->options; *group; group++) {
		if (*group == common_options)
			string_addf(out, "\ncommon options:\n");
		add_group(*group, out);
	}
}

/* ---- A game ---- */

static void add_option(const struct qv_option *o, struct string *out)
{
	string_addf(out, "  %-12s %s; ", o->name, o->help ? o->help : "");
	if (o->choices) {
		char word[64] = "";
		option_put_choice(o->choices, o->preset, &(struct qv_text){ word, sizeof word, 0 });
		string_addf(out, "%s, default %s\n", o->choices, word);
	} else {
		string_addf(out, "%lld to %lld, default %lld\n", (long long)o->min,
			    (long long)o->max, (long long)o->preset);
	}
}

static void add_evaluations(const struct qv_evaluation *e, struct string *out)
{
	for (; e && e->name; e++)
		string_addf(out, "  %-12s %s\n", e->name, e->help ? e->help : "");
}

static void add_levels(const char *const *levels, struct string *out)
{
	for (int i = 0; levels[i]; i++)
		string_addf(out, "  %-12d %s\n", i + 1, levels[i]);
}

static void add_lurgee(const struct lurgee_kit *kit, struct string *out)
{
	string_addf(out, "\nevaluations of the player lurgee (eval=NAME; the first is the "
			 "default):\n");
	add_evaluations(kit->evaluations, out);
	string_addf(out, "\nlevels of its documents (level:N,ladder=lurgee):\n");
	add_levels(kit->documents, out);
	string_addf(out, "\nlevels of its release (level:N,ladder=lurgee22):\n");
	add_levels(kit->release, out);
}

static void add_tables(const struct qv_game *game, struct string *out)
{
	if (game->options && game->options->name)
		string_addf(out, "\noptions (%s:name=value,...):\n", game->name);
	for (const struct qv_option *o = game->options; o && o->name; o++)
		add_option(o, out);
	if (game->evaluations && game->evaluations->name)
		string_addf(out,
			    "\nevaluations (eval=NAME in a player; the first is the default):\n");
	add_evaluations(game->evaluations, out);
	string_addf(out, "\nlevels (level:N as a player; 1 is the easiest):\n");
	add_levels(qv_levels(game), out);
	const struct game_player *lurgee = game_player_find(context_engine(game), &lurgee_kind);
	if (lurgee)
		add_lurgee(lurgee->own, out);
}

static void add_start(struct cli *c, const struct qv_rules *rules, struct string *out)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text position = { text, sizeof text, 0 };
	void *state = qv_state_new(c->context, rules->game);
	if (state && qv_position_parse(rules, NULL, state, NULL) == QV_OK) {
		rules->game->position_text(state, &position);
		string_addf(out, "\nstart position:\n  %s\n", text);
	}
	out->failed |= !state;
	qv_state_free(c->context, rules->game, state);
}

static void add_game(struct cli *c, const struct qv_rules *rules, struct string *out)
{
	const struct qv_game *game = rules->game;
	string_addf(out, "%s: %s\n", game->name, game->title);
	if (game->aliases && *game->aliases)
		string_addf(out, "also called: %s\n", game->aliases);
	string_addf(out, "seats: %d%s\n", game->seats, game->chance ? ", and chance" : "");
	if (game->solved)
		string_addf(out, "solved: %s for the first to move\n", game->solved);
	if (game->help && *game->help) {
		const bool ended = game->help[strlen(game->help) - 1] == '\n';
		string_addf(out, "\n");
		view_unbreak(out, game->help);
		string_addf(out, "%s", ended ? "" : "\n");
	}
	add_start(c, rules, out);
	add_tables(game, out);
}

/* ---- Finding the topic ---- */

/* No game of that name? Then the nearest of all topics; else what is wrong with its options. */
static enum qv_status unknown_topic(struct cli *c, const char *topic)
{
	char name[64];
	struct qv_rules rules;
	const size_t length = strcspn(topic, ":");
	snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, topic);
	if (topic[length] && qv_rules_parse(c->context, name, &rules, NULL) == QV_OK)
		return qv_rules_parse(c->context, topic, &rules, &c->error);
	struct text_nearest nearest = text_nearest_to(name);
	const struct qv_game *game;
	for (int i = 0; commands[i]; i++)
		text_nearest_try(&nearest, commands[i]->name);
	text_nearest_try(&nearest, "players");
	for (int i = 0; player_kind_at(i); i++)
		text_nearest_try(&nearest, player_kind_at(i)->name);
	for (int i = 0; (game = qv_game_at(c->context, i)); i++)
		text_nearest_try(&nearest, game->name);
	return qv_fail(&c->error, QV_UNKNOWN, "%s: no such help topic%s", cli_word(name),
		       nearest.best ? suggest(&nearest).text : "; 'quevedo help' lists them");
}

static enum qv_status add_topic(struct cli *c, const char *topic, struct string *out)
{
	struct qv_rules rules;
	const struct command *command = topic ? command_find(topic) : NULL;
	if (!topic)
		add_overview(c, out);
	else if (command)
		add_command(command, out);
	else if (strcmp(topic, "players") == 0)
		players_help(out);
	else if (qv_rules_parse(c->context, topic, &rules, NULL) == QV_OK)
		add_game(c, &rules, out);
	else if (!player_kind_help(topic, out))
		return unknown_topic(c, topic);
	return QV_OK;
}

enum qv_status help_topic(struct cli *c, const char *topic)
{
	struct string text = { .allocator = &mem_malloc }, folded = { .allocator = &mem_malloc };
	enum qv_status status = add_topic(c, topic, &text);
	add_all_folded(&folded, text.data);
	folded.failed |= text.failed;
	if (status == QV_OK && !c->args.json) {
		string_add(&c->out, folded.data ? folded.data : "", folded.length);
		c->out.failed |= folded.failed;
	} else if (status == QV_OK) {
		json_t *o =
			json_field(json_object(), "topic", topic ? json_text(topic) : json_null());
		status = cli_json(
			c, json_field(o, "text", folded.failed ? NULL : json_text(folded.data)));
	}
	string_release(&text);
	string_release(&folded);
	return status;
}

/* ---- The command ---- */

struct help_values {
	bool man;
	int64_t shell; /* -1: none */
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct help_values, "man", OPTION_FLAG, man, .help = "print the man page"),
	COMMAND_OPTION(struct help_values, "completion", OPTION_CHOICE, shell,
		       .choices = "bash|zsh|fish", .def = -1,
		       .help = "print the completions of a shell"),
	{ 0 },
};

static enum qv_status run(struct cli *c)
{
	const struct help_values *own = cli_own(c);
	if (!own->man && own->shell < 0)
		return help_topic(c, c->args.words[1]);
	if (c->args.word_count > 1 || c->args.json || (own->man && own->shell >= 0))
		return qv_fail(&c->error, QV_BAD_INPUT, "--%s: nothing else can be given with it",
			       own->man ? "man" : "completion");
	if (own->man)
		help_man(&c->out);
	else
		help_completion(c, (enum help_shell)own->shell, &c->out);
	return QV_OK;
}

const struct command command_help = {
	.name = "help",
	.run = run,
	.most = 1,
	.usage = "help [COMMAND | GAME | players]",
	.help = "explain a command, a game or players",
	.options = OPTION_GROUPS(own_options, common_options),
};
