/*
 * help_files.c - the man page and the shell completions, written from the tables of commands and
 * options. The build installs what `quevedo help --man` and `--completion SHELL` print.
 * SPDX-License-Identifier: MIT
 */
#include "cli/help_files.h"

/* ---- Parts of a usage text ---- */

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

/*
 * The words that can be typed in a usage text after the command: "plan" and "build" in
 * "tables plan|build [GAME] --data DIR". Steps past the word; false: there are no more.
 */
static bool next_word(const char **usage, char word[32])
{
	const char *c = *usage;
	for (; *c; c += *c != '\0') {
		if (c[0] == '-' && c[1] == '-') {
			c += strcspn(c, " ]");
			continue;
		}
		size_t length = 0;
		while (is_lower(c[length]))
			length++;
		if (length) {
			snprintf(word, 32, "%.*s", (int)length, c);
			*usage = c + length;
			return true;
		}
	}
	*usage = c;
	return false;
}

/* The part behind the command's name. */
static const char *arguments_of(const struct command *command)
{
	return command->usage + strlen(command->name);
}

/* ---- Man page ---- */

/* Text for roff: dashes that stay dashes, backslashes, and no line that begins with a control. */
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

static void add_roff(struct string *out, const char *text)
{
	add_roff_part(out, text, strlen(text));
}

static void man_sentence(struct string *out, const char *text)
{
	const char first[2] = { (char)(is_lower(*text) ? *text - 'a' + 'A' : *text), '\0' };
	add_roff(out, first);
	add_roff(out, text + 1);
	string_addf(out, ".\n");
}

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
		help_add_meaning(row, &text);
		out->failed |= text.failed;
		string_addf(out, "\n");
		add_roff(out, text.data ? text.data : "");
		string_addf(out, "\n");
		string_release(&text);
	}
}

static void man_command(const struct command *command, struct string *out)
{
	string_addf(out, ".SS \"quevedo ");
	add_roff(out, command->usage);
	string_addf(out, "\"\n");
	man_sentence(out, command->help);
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

void help_man(struct string *out)
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

/* What can be typed after a command, besides options: words of its usage, games, commands. */
static void add_words(struct cli *c, const struct command *command, struct string *out)
{
	const char *usage = arguments_of(command);
	const struct qv_game *game;
	char word[32];
	while (next_word(&usage, word))
		string_addf(out, " %s", word);
	for (int i = 0; strstr(command->usage, "COMMAND") && commands[i]; i++)
		string_addf(out, " %s", commands[i]->name);
	for (int i = 0; strstr(command->usage, "GAME") && (game = qv_game_at(c->context, i)); i++)
		string_addf(out, " %s", game->name);
}

/* "a|b|c" with blanks in between. */
static void add_choices(const char *choices, struct string *out)
{
	for (; *choices; choices++)
		string_addf(out, "%c", *choices == '|' ? ' ' : *choices);
}

/* In single quotes; a backslash goes before each of the characters in `special`. */
static void add_quoted(struct string *out, const char *text, const char *special)
{
	for (; *text; text++)
		if (*text == '\'')
			string_addf(out, "'\\''");
		else
			string_addf(out, "%s%c", strchr(special, *text) ? "\\" : "", *text);
}

static void bash_options(const struct command *command, struct string *out)
{
	for (const struct option *const *group = command->options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			string_addf(out, " --%s%s", row->name, row->optional_value ? "=" : "");
}

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
		bash_options(commands[i], out);
		string_addf(out, "'\n\t\t;;\n");
	}
	/* An option that takes a value: its choices, or nothing, which completes file names. */
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

static void zsh_option(const struct option *row, struct string *out)
{
	string_addf(out, " \\\n\t\t\t'%s--%s%s[",
		    row->repeats || row->type == OPTION_LIST ? "*" : "", row->name,
		    row->optional_value	       ? "=-"
		    : row->type == OPTION_FLAG ? ""
					       : "=");
	add_quoted(out, row->help, "[]:\\");
	string_addf(out, "]");
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

static void fish(struct cli *c, struct string *out)
{
	string_addf(out, "# fish completion for quevedo\n");
	for (int i = 0; commands[i]; i++) {
		string_addf(out, "complete -c quevedo -n __fish_use_subcommand -f -a %s -d '",
			    commands[i]->name);
		add_quoted(out, commands[i]->help, "\\");
		string_addf(out, "'\n");
	}
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

void help_completion(struct cli *c, enum help_shell shell, struct string *out)
{
	(shell == HELP_BASH ? bash : shell == HELP_ZSH ? zsh : fish)(c, out);
}
