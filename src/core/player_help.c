/*
 * player_help.c - the help texts about player kinds and their options.
 * SPDX-License-Identifier: MIT
 *
 * Everything comes from the option tables of the kinds. An option that several kinds share is the
 * same row of the same table, so it is described once, with its default per kind.
 */
#include "core/player.h"
#include "games/registry.h"

/* Rows are compared by address: a shared option is one row of one table. */
static bool has_option(const struct player_kind *kind, const struct option *option)
{
	for (const struct option *const *group = kind->options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			if (row == option)
				return true;
	return false;
}

/* The value that a kind gives to an option when a spec does not; "" if it is off or empty. */
static void put_default(const struct player_kind *kind, const struct option *row,
			struct qv_text *out)
{
	struct settings set;
	int64_t number = 0;
	/* The kind `level` needs a level, so any one will do. */
	if (kind_settings(kind, "", NULL, &set, NULL) != QV_OK &&
	    kind_settings(kind, "1", NULL, &set, NULL) != QV_OK)
		return;
	if (row->type != OPTION_TEXT)
		memcpy(&number, (const char *)&set + row->at, sizeof number);
	if (row->type != OPTION_TEXT &&
	    (number || row->type == OPTION_SWITCH || row->type == OPTION_CHOICE))
		option_write(row, &set, out);
}

/* Appends "depth=N". */
static void add_usage(const struct option *row, struct string *out)
{
	string_addf(out, "  %s=%s", row->name,
		    row->type == OPTION_SWITCH ? "0|1"
		    : row->value	       ? row->value
					       : "...");
}

/* The kinds that share an option, each default with the kinds that have it. */
static void add_kinds(const struct option *row, struct string *out)
{
	/* done: kinds that were listed with an earlier one of the same default */
	bool done[64] = { false };
	int kinds = 0, with = 0;
	for (; player_kind_at(kinds); kinds++)
		with += has_option(player_kind_at(kinds), row);
	string_addf(out, "      %s", with == kinds ? "every kind" : "");
	for (int i = 0; i < kinds; i++) {
		char value[64] = "";
		if (done[i] || !has_option(player_kind_at(i), row))
			continue;
		put_default(player_kind_at(i), row, &(struct qv_text){ value, sizeof value, 0 });
		const bool first = with == kinds || out->data[out->length - 1] == ' ';
		if (with < kinds && !first)
			string_addf(out, "; ");
		for (int k = i; k < kinds; k++) {
			char other[64] = "";
			if (!has_option(player_kind_at(k), row))
				continue;
			put_default(player_kind_at(k), row,
				    &(struct qv_text){ other, sizeof other, 0 });
			if (strcmp(value, other) != 0)
				continue;
			done[k] = true;
			if (with < kinds)
				string_addf(out, "%s%s", k == i ? "" : " ",
					    player_kind_at(k)->name);
		}
		if (value[0])
			string_addf(out, " (default %s)", value);
	}
	string_addf(out, "\n");
}

/*
 * The kinds that are other programs, as a list describes them: its lines begin in the same column.
 * They are no player_kind of the library: src/programs makes players of them.
 */
static const struct {
	const char *names, *help;
} programs[] = {
	{ "qgp, ugi, uci, xboard",
	  "another program, over a protocol: uci:COMMAND LINE, or\n"
	  "uci:key=value,...,cmd=COMMAND LINE with the keys depth, nodes,\n"
	  "time, option.NAME and dir, the folder in which it runs\n"
	  "(docs/protocol.md). Put quotes around words with blanks:\n"
	  "uci:'/path with blanks/engine' --arg \"a b\"\n" },
	{ "external", "backgammon: external:HOST:PORT or external:PATH, the socket\n"
		      "of a GNU Backgammon that was told to serve it\n" },
	{ "hub", "draughts: hub:COMMAND LINE, with the keys of uci\n" },
	{ "gnubg", "backgammon: gnubg:gnubg -t -q starts GNU Backgammon;\n"
		   "gnubg:plies=2,cmd=gnubg -t -q\n" },
	{ "gomocup", "go-moku: gomocup:COMMAND LINE, an engine of Gomocup;\n"
		     "option.NAME=VALUE is sent as INFO NAME VALUE\n" },
	{ "nboard", "reversi: nboard:depth=12,cmd=COMMAND LINE, an engine for NBoard\n" },
	{ "gtp", "reversi, go-moku: gtp:COMMAND LINE, the Go Text Protocol\n" },
};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* Adds the names and the lines beside them; below them if they are too long. */
static void add_program(int i, struct string *out)
{
	const char *at = programs[i].help;
	if (strlen(programs[i].names) <= 11)
		string_addf(out, "  %-11s ", programs[i].names);
	else
		string_addf(out, "  %s\n%14s", programs[i].names, "");
	for (; *at; at += strcspn(at, "\n") + 1)
		string_addf(out, "%*s%.*s\n", at == programs[i].help ? 0 : 14, "",
			    (int)strcspn(at, "\n"), at);
}

void players_help(struct string *out)
{
	string_addf(out, "A player is KIND[:key=value,...], as in negascout:depth=6,tt=16.\n"
			 "'quevedo help KIND' shows the options of one kind.\n\nKinds:\n");
	for (int i = 0; player_kind_at(i); i++)
		string_addf(out, "  %-11s %s\n", player_kind_at(i)->name, player_kind_at(i)->help);
	for (int i = 0; i < PROGRAMS; i++)
		add_program(i, out);
	string_addf(out, "\nOptions, the kinds that have them, and their defaults:\n");
	for (int i = 0; player_kind_at(i); i++)
		for (const struct option *const *group = player_kind_at(i)->options; *group;
		     group++)
			for (const struct option *row = *group; row->name; row++) {
				/* An option is described at the first kind that has it. */
				int first = 0;
				while (!has_option(player_kind_at(first), row))
					first++;
				if (first != i)
					continue;
				add_usage(row, out);
				string_addf(out, "\n      %s\n", row->help);
				add_kinds(row, out);
			}
	string_addf(
		out,
		"\nThe defaults of tt and threads follow --hash and --threads. A kind without a\n"
		"limit in its spec uses its own, as 'quevedo help KIND' shows, unless the\n"
		"caller sets one: a clock, match --time, 'go nodes 1000'. Options that never\n"
		"change the value: iterate, window, sort, deep, killers, history, keep-line,\n"
		"stack, random, threads, prune, and tt with tt-exact=1. In maxn, sort may: moves\n"
		"of equal value to one player differ for the others.\n");
}

/* Whether the name is one of a list with commas. */
static bool is_among(const char *name, const char *names)
{
	const size_t length = strlen(name);
	for (; length && *names; names += *names == ',' ? 2 : 0) {
		if (strcspn(names, ",") == length && memcmp(names, name, length) == 0)
			return true;
		names += strcspn(names, ",");
	}
	return false;
}

bool player_kind_help(const char *name, struct string *out)
{
	const struct player_kind *kind = NULL;
	for (int i = 0; player_kind_at(i) && !kind; i++)
		if (strcmp(player_kind_at(i)->name, name) == 0)
			kind = player_kind_at(i);
	for (int i = 0; i < PROGRAMS && !kind; i++)
		if (is_among(name, programs[i].names)) {
			string_addf(out,
				    "A player that is a program, or the protocol it speaks:\n");
			add_program(i, out);
			return true;
		}
	if (!kind)
		return false;
	string_addf(out, "%s: %s\n", kind->name, kind->help);
	if (kind->limit)
		string_addf(out, "Without a limit in its spec: %s.\n", kind->limit);
	if (kind->needs_game) {
		string_addf(out, "\ngames:\n");
		for (int i = 0; registry_at(i); i++) {
			const struct game_player *part = game_player_find(registry_at(i), kind);
			if (part)
				string_addf(out, "  %-12s %s\n", registry_at(i)->game->name,
					    part->help ? part->help : registry_at(i)->game->title);
		}
	}
	string_addf(out, "\noptions (%s:key=value,...):\n", kind->name);
	for (const struct option *const *group = kind->options; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			char value[64] = "";
			put_default(kind, row, &(struct qv_text){ value, sizeof value, 0 });
			add_usage(row, out);
			if (value[0])
				string_addf(out, " (default %s)", value);
			string_addf(out, "\n      %s\n", row->help);
		}
	return true;
}
