/*
 * help.c - the command help: texts on commands, games and players, the man page, and completions
 * for shells.
 * SPDX-License-Identifier: MIT
 *
 * Everything is generated from the tables of commands, options, games and player kinds, so that
 * help cannot differ from what the program accepts. Texts are written with lines of any length and
 * then folded to 80 columns. The build installs what `quevedo help --man` and `--completion SHELL`
 * print.
 */
#include <ctype.h>

#include "cli/cli.h"
#include "core/context.h"
#include "core/history.h"
#include "core/player.h"
#include "lurgee/search.h"
#include "terminal/view.h"
#include "search/settings.h"

/*
 * Columns of the output, of the left column of usages and of options, and the last column where the
 * right one of a row may begin.
 */
enum { WIDTH = 80, USAGE = 31, OPTION_WIDTH = 20, CLASSIC_WIDTH = 24, LAST_COLUMN = 48 };

/* ---- Width ---- */

/* Where to fold a word that is too long: after the last comma that fits, else at its end. */
static size_t word_end(const char *line, size_t first, size_t most)
{
	for (size_t end = most; end > first; end--)
		if (line[end - 1] == ',')
			return end;
	return first + strcspn(line + first, " \n");
}

/*
 * Adds a line, folded at blanks, in long words at commas. In a row of two columns, the other lines
 * are indented as the right column.
 */
static void add_folded(struct string *out, const char *line, size_t length)
{
	size_t hang = strspn(line, " ");
	for (size_t i = hang; hang && i + 2 < length && i < LAST_COLUMN; i++)
		if (line[i] == ' ' && line[i + 1] == ' ' && line[i + 2] != ' ')
			hang = i + 2;
	for (size_t indent = 0;; indent = hang) {
		/*
		 * Fold at the last blank that fits, but not inside the left column of the first
		 * line.
		 */
		size_t end = WIDTH - indent;
		const size_t least = indent ? 0 : hang;
		while (length > WIDTH - indent && end > least && line[end] != ' ')
			end--;
		if (end == least)
			end = word_end(line, least, WIDTH - indent);
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

/* Adds a row of two columns; the right one begins on a new line if the left one is too wide. */
static void add_row(const char *left, int width, const char *right, struct string *out)
{
	if (strlen(left) > (size_t)width)
		string_addf(out, "  %s\n%*s%s\n", left, width + 4, "", right);
	else
		string_addf(out, "  %-*s  %s\n", width, left, right);
}

/* ---- Options ---- */

/* What an option does, and its default. */
static void add_meaning(const struct option *row, struct string *out)
{
	string_addf(out, "%s", row->help);
	/* A default below the minimum means that the option is off unless it is given. */
	if (row->type == OPTION_INT && row->def >= row->min)
		string_addf(out, " (default %lld)", (long long)row->def);
	if (row->type == OPTION_CHOICE && row->def >= 0) {
		char word[64] = "";
		option_put_choice(row->choices, row->def,
				  &(struct qv_text){ word, sizeof word, 0 });
		string_addf(out, " (default %s)", word);
	}
}

/* Adds a row for each option of a group. */
static void add_group(const struct option *group, struct string *out)
{
	for (const struct option *row = group; row->name; row++) {
		struct string left = { .allocator = out->allocator },
			      right = { .allocator = out->allocator };
		/* "--seed N", "--offer[=COLOR]" */
		const char *value = row->value ? row->value : row->choices;
		string_addf(&left, "--%s", row->name);
		if (row->optional_value)
			string_addf(&left, "[=%s]", value);
		else if (row->type != OPTION_FLAG)
			string_addf(&left, " %s", value);
		add_meaning(row, &right);
		/* The columns are built apart, since their width decides the layout. */
		out->failed |= left.failed || right.failed;
		if (!out->failed)
			add_row(left.data, OPTION_WIDTH, right.data, out);
		string_release(&left);
		string_release(&right);
	}
}

/* ---- Everything ---- */

/* The overview: all commands, games and common options, with an example to try. */
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
	/* All games, those of plug-ins included. */
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

/* ---- A game ---- */

/* Adds a row for each evaluation, with its weights; the list may be NULL. */
static void add_evaluations(const struct qv_evaluation *e, struct string *out)
{
	for (; e && e->name; e++) {
		string_addf(out, "  %-12s %s\n", e->name, e->help ? e->help : "");
		const struct qv_weight *w = e->names;
		for (int i = 0; w && w[i].name; i++) {
			string_addf(out, i ? ", %s" : "               weights: %s", w[i].name);
			if (w[i].count > 1)
				string_addf(out, "[1..%d]", w[i].count);
		}
		string_addf(out, w && w->name ? "\n" : "");
	}
}

/* Adds a row for each level, numbered from 1, with its name and the spec of its player. */
static void add_own_levels(const struct qv_game *game, struct string *out)
{
	for (int i = 0; qv_levels(game)[i]; i++) {
		char name[LEVEL_NAME];
		level_name(game, i + 1, name);
		string_addf(out, "  %-6d %-14s %s\n", i + 1, name, qv_levels(game)[i]);
	}
}

/* The levels of another ladder have no names. */
static void add_levels(const char *const *levels, struct string *out)
{
	for (int i = 0; levels[i]; i++)
		string_addf(out, "  %-6d %s\n", i + 1, levels[i]);
}

/* The options, evaluations and levels of a game. */
static void add_tables(const struct cli *c, const struct qv_game *game, struct string *out)
{
	if (game->options && game->options->name)
		string_addf(out, "\noptions (%s:name=value,...):\n", game->name);
	for (const struct qv_option *o = game->options; o && o->name; o++) {
		char word[64] = "";
		string_addf(out, "  %-12s %s; ", o->name, o->help ? o->help : "");
		if (o->choices)
			option_put_choice(o->choices, o->preset,
					  &(struct qv_text){ word, sizeof word, 0 });
		if (o->choices)
			string_addf(out, "%s, default %s\n", o->choices, word);
		else
			string_addf(out, "%lld to %lld, default %lld\n", (long long)o->min,
				    (long long)o->max, (long long)o->preset);
	}
	/* Evaluations are for eval= in a spec; levels are complete specs. */
	if (game->evaluations && game->evaluations->name)
		string_addf(out,
			    "\nevaluations (eval=NAME in a player; the first is the default):\n");
	add_evaluations(game->evaluations, out);
	if (context_added(c->context, game))
		string_addf(out, "\nevaluations of plug-ins (eval=NAME in a player):\n");
	add_evaluations(context_added(c->context, game), out);
	string_addf(out, "\nlevels (level:N as a player; 1 is the easiest):\n");
	add_own_levels(game, out);
	const struct classic *classic = context_engine(game)->classics;
	string_addf(out, classic ? "\nclassic opponents ('quevedo help classics'):\n" : "");
	for (; classic && classic->spec; classic++)
		add_row(classic->spec, CLASSIC_WIDTH, classic->title, out);
	const struct game_player *lurgee = game_player_find(context_engine(game), &lurgee_kind);
	if (!lurgee)
		return;
	/* Some games also have the players of the Lurgee framework. */
	const struct lurgee_kit *kit = lurgee->own;
	string_addf(out, "\nevaluations of the player lurgee (eval=NAME; the first is the "
			 "default):\n");
	add_evaluations(kit->evaluations, out);
	string_addf(out, "\nlevels of its documents (level:N,ladder=lurgee):\n");
	add_levels(kit->documents, out);
	string_addf(out, "\nlevels of its release (level:N,ladder=lurgee22):\n");
	add_levels(kit->release, out);
}

/*
 * The help on a game: names, seats, rules, start position, and its options, evaluations and levels.
 */
static void add_game(struct cli *c, const struct qv_rules *rules, struct string *out)
{
	const struct qv_game *game = rules->game;
	string_addf(out, "%s: %s\n", game->name, game->title);
	if (game->aliases && *game->aliases)
		string_addf(out, "also called: %s\n", game->aliases);
	string_addf(out, "seats: %d%s\n", game->seats, game->chance ? ", and chance" : "");
	if (game->solved)
		string_addf(out, "solved: %s for the first to move\n", game->solved);
	/*
	 * The rules are written with line ends; they are removed, since the text is folded later.
	 */
	if (game->help && *game->help) {
		const bool ended = game->help[strlen(game->help) - 1] == '\n';
		string_addf(out, "\n");
		view_unbreak(out, game->help);
		string_addf(out, "%s", ended ? "" : "\n");
	}
	char text[QV_POSITION_TEXT] = "";
	/* The start position shows the format of positions. */
	void *state = qv_state_new(c->context, game);
	if (state && qv_position_parse(rules, NULL, state, NULL) == QV_OK) {
		game->position_text(state, &(struct qv_text){ text, sizeof text, 0 });
		string_addf(out, "\nstart position:\n  %s\n", text);
	}
	out->failed |= !state;
	qv_state_free(c->context, game, state);
	add_tables(c, game, out);
}

/* ---- Finding the topic ---- */

/* Topics besides commands, games and player kinds. */
static const struct {
	const char *name;
	void (*add)(struct string *out);
} topics[] = { { "players", players_help },
	       { "classics", classics_help },
	       { "history", history_help } };
enum { TOPICS = sizeof topics / sizeof *topics };

/* Fails with what is wrong with the options of a game, or with the nearest of all topics. */
static enum qv_status unknown_topic(struct cli *c, const char *topic)
{
	/* The name of the game, without options; if that is good, the options are wrong. */
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
	for (int i = 0; i < TOPICS; i++)
		text_nearest_try(&nearest, topics[i].name);
	for (int i = 0; player_kind_at(i); i++)
		text_nearest_try(&nearest, player_kind_at(i)->name);
	for (int i = 0; (game = qv_game_at(c->context, i)); i++)
		text_nearest_try(&nearest, game->name);
	return qv_fail(&c->error, QV_UNKNOWN, "%s: no such help topic%s", cli_word(name),
		       nearest.best ? suggest(&nearest).text : "; 'quevedo help' lists them");
}

/*
 * A topic is a command, one of the table, a game with or without options, or a player kind, in this
 * order.
 * The text is collected first and folded then, since the texts of games and players are not.
 */
enum qv_status help_topic(struct cli *c, const char *topic)
{
	struct string text = { .allocator = &mem_malloc }, folded = { .allocator = &mem_malloc };
	const struct command *command = topic ? command_find(topic) : NULL;
	struct qv_rules rules;
	enum qv_status status = QV_OK;
	int general = 0; /* the topic's place in the table */
	while (general < TOPICS && (!topic || strcmp(topics[general].name, topic) != 0))
		general++;
	if (!topic)
		add_overview(c, &text);
	else if (!command && general < TOPICS)
		topics[general].add(&text);
	else if (!command && qv_rules_parse(c->context, topic, &rules, NULL) == QV_OK)
		add_game(c, &rules, &text);
	else if (!command && !player_kind_help(topic, &text))
		status = unknown_topic(c, topic);
	/* A command: usage, help and its options, the common ones under their own title. */
	if (command)
		string_addf(&text, "usage: quevedo %s\n%s: %s\n%s%s", command->usage, command->name,
			    command->help, command->more ? command->more : "",
			    *command->options != common_options ? "\noptions:\n" : "");
	for (int i = 0; command && command->options[i]; i++) {
		if (command->options[i] == common_options)
			string_addf(&text, "\ncommon options:\n");
		add_group(command->options[i], &text);
	}
	/* Fold line by line. */
	for (const char *line = text.data; line && *line;) {
		const size_t length = strcspn(line, "\n");
		add_folded(&folded, line, length);
		line += length + (line[length] == '\n');
	}
	folded.failed |= text.failed;
	if (status == QV_OK && !c->args.json) {
		string_add(&c->out, folded.data ? folded.data : "", folded.length);
		c->out.failed |= folded.failed;
	} else if (status == QV_OK) {
		status = cli_json(c,
				  json_fields(json_object(), "topic", json_text(topic), "text",
					      folded.failed ? NULL : json_text(folded.data), NULL));
	}
	string_release(&text);
	string_release(&folded);
	return status;
}

/* ---- Man page ---- */

/* Adds text for roff: escapes dashes and backslashes, and a control character at the start. */
static void add_roff_part(struct string *out, const char *text, size_t length)
{
	if (length && (*text == '.' || *text == '\''))
		string_addf(out, "\\&");
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '-')
			string_addf(out, "\\-");
		else if (text[i] == '\\')
			string_addf(out, "\\e");
		else if (text[i] == '~')
			string_addf(out, "\\(ti");
		else
			string_add(out, text + i, 1);
	}
}

/* Adds a whole text for roff. */
static void add_roff(struct string *out, const char *text)
{
	add_roff_part(out, text, strlen(text));
}

/* Adds a paragraph for each option of a group. */
static void man_options(const struct option *group, struct string *out)
{
	for (const struct option *row = group; row->name; row++) {
		const char *value = row->value ? row->value : row->choices;
		string_addf(out, ".TP\n\\fB\\-\\-");
		add_roff(out, row->name);
		string_addf(out, "\\fP");
		if (value) {
			string_addf(out, row->optional_value ? "[=\\fI" : " \\fI");
			add_roff(out, value);
			string_addf(out, row->optional_value ? "\\fP]" : "\\fP");
		}
		struct string text = { .allocator = out->allocator };
		add_meaning(row, &text);
		out->failed |= text.failed;
		string_addf(out, "\n");
		add_roff(out, text.data ? text.data : "");
		string_addf(out, "\n");
		string_release(&text);
	}
}

/* The section of a command: usage, help as a sentence, paragraphs, and its own options. */
static void man_command(const struct command *command, struct string *out)
{
	string_addf(out, ".SS \"quevedo ");
	add_roff(out, command->usage);
	string_addf(out, "\"\n");
	add_roff_part(out, (const char[]){ (char)toupper((unsigned char)*command->help) }, 1);
	add_roff(out, command->help + 1);
	string_addf(out, ".\n");
	for (const char *line = command->more; line && *line;) {
		const size_t length = strcspn(line, "\n");
		string_addf(out, ".PP\n");
		add_roff_part(out, line, length);
		string_addf(out, "\n");
		line += length + (line[length] == '\n');
	}
	for (const struct option *const *group = command->options; *group; group++)
		if (*group != common_options)
			man_options(*group, out);
}

/* Writes quevedo.1. */
static void add_man_page(struct string *out)
{
	string_addf(out,
		    ".\\\" SPDX-License-Identifier: MIT\n"
		    ".TH QUEVEDO 1 \"\" \"Quevedo %s\" \"User Commands\"\n"
		    ".SH NAME\n"
		    "quevedo \\- play, search and solve strategy games\n"
		    ".SH SYNOPSIS\n"
		    ".B quevedo\n"
		    ".I command\n"
		    ".RI [ argument \" ...] [\" option \" ...]\"\n"
		    ".SH DESCRIPTION\n"
		    "Quevedo plays, searches, solves, teaches and serves strategy games.\n"
		    "Without arguments it prints an overview.\n"
		    ".PP\n"
		    "GAME is a name, with options if the game has any: NAME[:key=value,...].\n"
		    ".B quevedo games\n"
		    "lists the names,\n"
		    ".B quevedo help\n"
		    ".I name\n"
		    "the options.\n"
		    "POS is a position, one argument in the game's format;\n"
		    ".B start\n"
		    "or nothing is the start position.\n"
		    "SPEC is a player, KIND[:key=value,...];\n"
		    ".B quevedo help players\n"
		    "lists kinds and keys.\n"
		    ".PP\n"
		    "Options can stand anywhere on the line, as\n"
		    ".BI \\-\\-name \" value\"\n"
		    "or\n"
		    ".BI \\-\\-name= value\\fR;\n"
		    ".B \\-\\-\n"
		    "ends them.\n"
		    ".SH COMMANDS\n",
		    qv_version());
	for (int i = 0; commands[i]; i++)
		man_command(commands[i], out);
	/* The common options have a section of their own. */
	string_addf(out, ".SH OPTIONS OF EVERY COMMAND\n");
	man_options(common_options, out);
	man_options(version_option, out);
	string_addf(
		out,
		".SH EXIT STATUS\n"
		".TP\n.B 0\nDone.\n"
		".TP\n.B 1\nThe answer is \\(lqno\\(rq or \\(lqunknown\\(rq: a check failed, or "
		"the command was interrupted.\n"
		".TP\n.B 2\nWrong use or bad input, or the output could not be written; one line "
		"on standard error gives the reason.\n"
		".SH ENVIRONMENT\n"
		".TP\n.B XDG_DATA_HOME\nFolder of the tables and of the server's data; "
		"\\fI\\(ti/.local/share\\fP if it is not set.\n"
		".TP\n.BR LC_ALL \", \" LC_CTYPE \", \" LANG\n"
		"The first of these that is set tells whether boards can be drawn in UTF\\-8.\n"
		".SH EXAMPLES\n"
		".nf\n"
		"quevedo show connect4 \\-\\-moves \"4 4 3\"\n"
		"quevedo best reversi \\-\\-player negascout:time=500ms\n"
		"quevedo best noughts \"x..oo..x. x\" \\-\\-json\n"
		"quevedo perft reversi 6 \\-\\-divide\n"
		".fi\n"
		".SH SEE ALSO\n"
		".BR quevedo\\-check (1)\n");
}

/* ---- Completions ---- */

/*
 * The words that can be typed after a command, besides options: those in small letters in its usage
 * ("plan" and "build" in "tables plan|build [GAME] --data DIR"), names of games and commands.
 */
static void add_words(struct cli *c, const struct command *command, struct string *out)
{
	const struct qv_game *game;
	for (const char *at = command->usage + strlen(command->name); *at; at += *at != '\0') {
		if (at[0] == '-' && at[1] == '-') {
			at += strcspn(at, " ]");
			continue;
		}
		size_t length = 0;
		while (at[length] >= 'a' && at[length] <= 'z')
			length++;
		if (length)
			string_addf(out, " %.*s", (int)length, at);
		at += length;
	}
	for (int i = 0; strstr(command->usage, "COMMAND") && commands[i]; i++)
		string_addf(out, " %s", commands[i]->name);
	for (int i = 0; strstr(command->usage, "GAME") && (game = qv_game_at(c->context, i)); i++)
		string_addf(out, " %s", game->name);
}

/* Adds "a|b|c" with blanks in place of the bars. */
static void add_choices(const char *choices, struct string *out)
{
	for (; *choices; choices++)
		string_addf(out, "%c", *choices == '|' ? ' ' : *choices);
}

/* Adds text for single quotes, with a backslash before each of the characters in `special`. */
static void add_quoted(struct string *out, const char *text, const char *special)
{
	for (; *text; text++)
		if (*text == '\'')
			string_addf(out, "'\\''");
		else
			string_addf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

/*
 * A function that completes the commands, then the words and options of the command, and after an
 * option the choices of its value.
 */
static void bash(struct cli *c, struct string *out)
{
	string_addf(out,
		    "# bash completion for quevedo\n"
		    "_quevedo()\n{\n"
		    "\tlocal cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
		    "\tlocal command= words= i\n"
		    "\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
		    "\t\tcase ${COMP_WORDS[i]} in\n\t\t");
	for (int i = 0; commands[i]; i++)
		string_addf(out, "%s%s", i ? " | " : "", commands[i]->name);
	/* Without a command yet: all commands and common options. */
	string_addf(out, ")\n\t\t\tcommand=${COMP_WORDS[i]}\n\t\t\tbreak\n\t\t\t;;\n\t\tesac\n"
			 "\tdone\n"
			 "\tcase $command in\n\t'')\n\t\twords='");
	for (int i = 0; commands[i]; i++)
		string_addf(out, "%s ", commands[i]->name);
	string_addf(out, "--version");
	for (const struct option *row = common_options; row->name; row++)
		string_addf(out, " --%s", row->name);
	string_addf(out, "'\n\t\t;;\n");
	for (int i = 0; commands[i]; i++) {
		string_addf(out, "\t%s)\n\t\twords='", commands[i]->name);
		add_words(c, commands[i], out);
		for (const struct option *const *group = commands[i]->options; *group; group++)
			for (const struct option *row = *group; row->name; row++)
				string_addf(out, " --%s%s", row->name,
					    row->optional_value ? "=" : "");
		string_addf(out, "'\n\t\t;;\n");
	}
	/* After an option with a value: its choices, or nothing, which completes file names. */
	string_addf(out, "\tesac\n\tcase $command:$prev in\n");
	for (int i = 0; commands[i]; i++)
		for (const struct option *const *group = commands[i]->options; *group; group++)
			for (const struct option *row = *group; row->name; row++) {
				if (row->type == OPTION_FLAG || row->optional_value)
					continue;
				string_addf(out, "\t%s:--%s) words='", commands[i]->name,
					    row->name);
				add_choices(row->choices ? row->choices : "", out);
				string_addf(out, "' ;;\n");
			}
	string_addf(out, "\tesac\n"
			 "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
			 "}\n"
			 "complete -o default -F _quevedo quevedo\n");
}

/* An option as _arguments of zsh takes it: '--name=[help]:value:action'. */
static void zsh_option(const struct option *row, struct string *out)
{
	string_addf(out, " \\\n\t\t\t'%s--%s%s[",
		    row->repeats || row->type == OPTION_LIST ? "*" : "", row->name,
		    row->optional_value	       ? "=-"
		    : row->type == OPTION_FLAG ? ""
					       : "=");
	add_quoted(out, row->help, "[]:\\");
	string_addf(out, "]");
	/* The value: its placeholder, and what completes it. */
	if (row->type != OPTION_FLAG) {
		const char *value = row->value ? row->value : "word";
		string_addf(out, "%s", row->optional_value ? "::" : ":");
		add_quoted(out, value, "[]:\\");
		string_addf(out, ":");
		if (row->choices) {
			string_addf(out, "(");
			add_choices(row->choices, out);
			string_addf(out, ")");
		} else if (strncmp(value, "FILE", 4) == 0) {
			string_addf(out, "_files");
		} else if (strcmp(value, "DIR") == 0) {
			string_addf(out, "_files -/");
		}
	}
	string_addf(out, "'");
}

/* A function for _arguments, with a description of each command and option. */
static void zsh(struct cli *c, struct string *out)
{
	string_addf(out, "#compdef quevedo\n"
			 "# zsh completion for quevedo\n"
			 "_quevedo()\n{\n"
			 "\tlocal -a commands\n"
			 "\tlocal state line\n"
			 "\tcommands=(\n");
	for (int i = 0; commands[i]; i++) {
		string_addf(out, "\t\t'%s:", commands[i]->name);
		add_quoted(out, commands[i]->help, ":\\");
		string_addf(out, "'\n");
	}
	/* Options of the whole program, then the command, then its arguments. */
	string_addf(out, "\t)\n"
			 "\t_arguments -C '--version[print the version]' '1:command:->command' "
			 "'*::argument:->argument'\n"
			 "\tcase $state in\n"
			 "\tcommand) _describe command commands ;;\n"
			 "\targument)\n"
			 "\t\tcase $words[1] in\n");
	for (int i = 0; commands[i]; i++) {
		string_addf(out, "\t\t%s) _arguments", commands[i]->name);
		for (const struct option *const *group = commands[i]->options; *group; group++)
			for (const struct option *row = *group; row->name; row++)
				zsh_option(row, out);
		string_addf(out, " \\\n\t\t\t'*:argument: _alternative \"words:word:(");
		add_words(c, commands[i], out);
		string_addf(out, ")\" \"files:file:_files\"' ;;\n");
	}
	string_addf(out, "\t\tesac\n\t\t;;\n\tesac\n}\n_quevedo \"$@\"\n");
}

/* Lines for complete, each with a condition on the command. */
static void fish(struct cli *c, struct string *out)
{
	string_addf(out, "# fish completion for quevedo\n");
	for (int i = 0; commands[i]; i++) {
		string_addf(out, "complete -c quevedo -n __fish_use_subcommand -f -a %s -d '",
			    commands[i]->name);
		add_quoted(out, commands[i]->help, "\\");
		string_addf(out, "'\n");
	}
	/* Commands first, with their help; --version goes without a command. */
	string_addf(out, "complete -c quevedo -n __fish_use_subcommand -l version -d 'print the "
			 "version'\n");
	for (int i = 0; commands[i]; i++) {
		char when[80];
		snprintf(when, sizeof when,
			 "complete -c quevedo -n '__fish_seen_subcommand_from %s'",
			 commands[i]->name);
		string_addf(out, "%s -a '", when);
		add_words(c, commands[i], out);
		string_addf(out, "'\n");
		for (const struct option *const *group = commands[i]->options; *group; group++)
			for (const struct option *row = *group; row->name; row++) {
				string_addf(out, "%s -l %s", when, row->name);
				/*
				 * -x: the choices and nothing else; -r: a value is required, and
				 * files are completed.
				 */
				if (row->choices) {
					string_addf(out, " -x -a '");
					add_choices(row->choices, out);
					string_addf(out, "'");
				} else if (row->type != OPTION_FLAG && !row->optional_value) {
					string_addf(out, " -r");
				}
				string_addf(out, " -d '");
				add_quoted(out, row->help, "\\");
				string_addf(out, "'\n");
			}
	}
}

/* ---- The command ---- */

/* The options of help. */
struct help_values {
	bool man;
	int64_t shell; /* the place in "bash|zsh|fish"; -1: not given */
};

static const struct option own_options[] = {
	COMMAND_OPTION(struct help_values, "man", OPTION_FLAG, man, .help = "print the man page"),
	COMMAND_OPTION(struct help_values, "completion", OPTION_CHOICE, shell,
		       .choices = "bash|zsh|fish", .def = -1,
		       .help = "print the completions of a shell"),
	{ 0 },
};

/* Prints help on a topic, or one of the files that the build installs. */
static enum qv_status run(struct cli *c)
{
	const struct help_values *own = cli_own(c);
	if (!own->man && own->shell < 0)
		return help_topic(c, c->args.words[1]);
	if (c->args.word_count > 1 || c->args.json || (own->man && own->shell >= 0))
		return cli_refuse(c, "--%s: nothing else can be given with it",
				  own->man ? "man" : "completion");
	static void (*const shells[])(struct cli *, struct string *) = { bash, zsh, fish };
	if (own->man)
		add_man_page(&c->out);
	else
		shells[own->shell](c, &c->out);
	return QV_OK;
}

const struct command command_help = {
	.name = "help",
	.run = run,
	.most = 1,
	.usage = "help [COMMAND | GAME | players | classics | history]",
	.help = "explain a command, a game, players, classic opponents or history",
	.options = OPTION_GROUPS(own_options, common_options),
};
