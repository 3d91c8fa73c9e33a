/*
 * arguments.c - reads a command line into the values of one command's options.
 * SPDX-License-Identifier: MIT
 *
 * Options may stand anywhere, as `--name value` or `--name=value`; `--` ends them. Positions may
 * begin with dashes ("---X... X"), so only `--` with a letter after it, and no blank before a `=`,
 * is taken for an option.
 *
 * The first word that is neither an option nor its value names the command. An option before it
 * could belong to any command, so whether it takes a value is looked up in all of them: options of
 * one name either all take a value or none does.
 */
#include "base/scan.h"
#include "cli/cli.h"

#define ROW(name_, type_, f, ...) SHARED_OPTION(name_, type_, f, __VA_ARGS__)

const struct option common_options[] = {
	ROW("json", OPTION_FLAG, json, .help = "print one JSON value"),
	ROW("no-times", OPTION_FLAG, no_times, .help = "leave out all times and speeds"),
	ROW("seed", OPTION_INT, seed, .max = INT64_MAX, .def = 1, .value = "N",
	    .help = "seed of all random numbers"),
	ROW("threads", OPTION_INT, threads, .min = 1, .max = 256, .def = 1, .value = "N",
	    .help = "search threads"),
	ROW("hash", OPTION_INT, hash_mb, .max = 1 << 20, .def = 64, .value = "MB",
	    .help = "size of hash tables"),
	ROW("plugin", OPTION_LIST, plugins, .max = 16, .value = "FILE",
	    .help = "load games from a plug-in; can be repeated"),
	ROW("help", OPTION_FLAG, help, .help = "print help on the command"),
	{ 0 },
};

/* An empty argument would be invisible in an error. */
const char *cli_word(const char *word)
{
	return *word ? word : "''";
}

/* Whether the word is taken for an option, known or not. */
static bool is_option(const char *word)
{
	if (word[0] != '-')
		return false;
	if (is_letter(word[1]) && !word[2])
		return true; /* -h; any other is unknown */
	if (word[1] != '-' || !is_letter(word[2]))
		return false;
	return word[strcspn(word, " =")] != ' '; /* a position has a blank */
}

/* The name in an option word: "seed" in --seed=3; -h is --help. "": no option can have it. */
struct option_name {
	char text[64];
};

/* The name is cut out of the word; one that is too long becomes "". */
static struct option_name name_of(const char *word)
{
	struct option_name name = { "" };
	const char *from = strcmp(word, "-h") == 0 ? "help" : word[1] == '-' ? word + 2 : "";
	const size_t length = strcspn(from, "=");
	if (length < sizeof name.text)
		snprintf(name.text, sizeof name.text, "%.*s", (int)length, from);
	return name;
}

enum qv_status cli_refuse(struct cli *c, const char *format, ...)
{
	char text[sizeof c->error.text];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return qv_fail(&c->error, QV_BAD_INPUT, "%s", text);
}

/* ---- Options of all commands ---- */

/* The first option of that name, of any command; NULL: no command has it. */
static const struct option *find_anywhere(const struct command *const *all,
					  const struct command *alone, const char *name)
{
	struct options o = { .groups = alone->options };
	const struct option *row = options_find(&o, name, NULL);
	for (int i = 0; all[i] && !row; i++) {
		o.groups = all[i]->options;
		row = options_find(&o, name, NULL);
	}
	return row;
}

/* Offers the names of a command's options as "did you mean". */
static void try_names(const struct command *command, struct text_nearest *near)
{
	for (const struct option *const *group = command->options; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			text_nearest_try(near, row->name);
}

/* Fails with the nearest option of any command, since the word may belong to another one. */
static enum qv_status unknown_option(const struct command *const *all,
				     const struct command *command, const char *word,
				     struct qv_error *error)
{
	char name[64];
	const size_t length = strcspn(word, "=");
	snprintf(name, sizeof name, "%.*s", length < 60 ? (int)length : 60, word);
	struct text_nearest near = text_nearest_to(name + strspn(name, "-"));
	try_names(command, &near);
	for (int i = 0; all[i]; i++)
		try_names(all[i], &near);
	return qv_fail(error, QV_UNKNOWN, "%s: unknown option%s", name,
		       suggest_marked(&near, "--").text);
}

/* ---- One line ---- */

/* A command line while it is parsed. */
struct line {
	const struct command *const *all;
	const struct command *alone, *command; /* command: the one that the line names */
	int argc, at;			       /* at: the word that is being read */
	char **argv;
	struct qv_error *error;
	const char *foreign; /* the first option that only other commands have; NULL: none */
};

/* Whether the value of the option at argv[at] is the next word. */
static bool value_follows(const struct line *l, const struct option *row)
{
	return row->type != OPTION_FLAG && !row->optional_value && !strchr(l->argv[l->at], '=');
}

/* Sets l->command by the first word; an option on the way that no command has is an error. */
static enum qv_status find_command(struct line *l)
{
	l->command = l->alone;
	for (l->at = 1; l->at < l->argc; l->at++) {
		const char *word = l->argv[l->at];
		const bool end = strcmp(word, "--") == 0;
		if (!end && is_option(word)) {
			const struct option *row =
				find_anywhere(l->all, l->alone, name_of(word).text);
			if (!row)
				return unknown_option(l->all, l->alone, word, l->error);
			l->at += value_follows(l, row);
			continue;
		}
		/*
		 * The first word that is no option; after "--" even one that looks like an option.
		 */
		word = l->argv[l->at + end];
		for (int i = 0; word && l->all[i]; i++)
			if (strcmp(l->all[i]->name, word) == 0) {
				l->command = l->all[i];
				return QV_OK;
			}
		if (!word)
			return QV_OK;
		/* The word is not a command: suggest the nearest one. */
		struct text_nearest near = text_nearest_to(word);
		for (int i = 0; l->all[i]; i++)
			text_nearest_try(&near, l->all[i]->name);
		return qv_fail(l->error, QV_UNKNOWN, "%.60s: unknown command%s", cli_word(word),
			       near.best ? suggest(&near).text : "; 'quevedo help' lists them");
	}
	return QV_OK;
}

/*
 * Reads the option at argv[at], with its value, which may be the next word. An option of other
 * commands only is remembered in `foreign`, so that --help still works beside it.
 */
static enum qv_status read_option(struct line *l, struct options *o)
{
	const char *word = l->argv[l->at], *value = strchr(word, '=');
	const struct option_name name = name_of(word);
	const struct option *row = options_find(o, name.text, NULL);
	const struct option *other = row ? row : find_anywhere(l->all, l->alone, name.text);
	if (!other)
		return unknown_option(l->all, l->command, word, l->error);
	/* A flag takes no value; any other option takes the rest of the word or the next word. */
	if (other->type == OPTION_FLAG && value)
		return qv_fail(l->error, QV_BAD_INPUT, "--%s: takes no value", other->name);
	if (value_follows(l, other)) {
		value = l->argv[++l->at];
		if (l->at >= l->argc)
			return qv_fail(l->error, QV_BAD_INPUT,
				       "--%s: a value is missing; write --%s %s", other->name,
				       other->name, other->value ? other->value : other->choices);
	} else {
		value = value ? value + 1 : "";
	}
	/* An option of this command is set; one of another command is remembered. */
	if (row)
		return options_set(o, row->name, value, l->error);
	if (!l->foreign)
		l->foreign = other->name;
	return QV_OK;
}

/* Two passes: the first finds the command, whose options the second needs to read the rest. */
enum qv_status arguments_parse(struct arguments *args, const struct command *const *all,
			       const struct command *alone, int argc, char **argv,
			       const struct command **out, struct qv_error *error)
{
	struct line l = { all, alone, alone, argc, 1, argv, error, NULL };
	enum qv_status status = find_command(&l);
	if (status != QV_OK)
		return status;
	*out = l.command;
	*args = (struct arguments){ .options = { .groups = l.command->options,
						 .values = args,
						 .owner = l.command->name,
						 .mark = "--" } };
	/* Defaults first; options that are given overwrite them. */
	options_init(&args->options);
	bool options_end = false;
	for (l.at = 1; l.at < argc; l.at++) {
		if (!options_end && strcmp(argv[l.at], "--") == 0) {
			options_end = true;
		} else if (!options_end && is_option(argv[l.at])) {
			status = read_option(&l, &args->options);
			if (status != QV_OK)
				return status;
		} else {
			/*
			 * Surplus words are counted, so that the number of arguments can be
			 * checked.
			 */
			if (args->word_count < MAX_WORDS)
				args->words[args->word_count] = argv[l.at];
			args->word_count++;
		}
	}
	if (l.foreign && !args->help)
		return qv_fail(error, QV_BAD_INPUT, "--%s: not an option of '%s'", l.foreign,
			       l.command->name);
	return QV_OK;
}

/* Common options are always allowed, so their group is skipped. */
enum qv_status arguments_allow(const struct arguments *args, const struct option *const *groups,
			       const char *what, struct qv_error *error)
{
	const struct options allowed = { .groups = groups };
	for (const struct option *const *group = args->options.groups; *group; group++)
		for (const struct option *row = *group; row->name && *group != common_options;
		     row++)
			if (options_given(&args->options, row->name) &&
			    !options_find(&allowed, row->name, NULL))
				return qv_fail(error, QV_BAD_INPUT, "--%s: not an option of '%s'",
					       row->name, what);
	return QV_OK;
}

/*
 * The list of names for the error grows while the verb is searched; a match returns before it is
 * used.
 */
enum qv_status cli_run_verb(struct cli *c, const struct verb *verbs, const char *missing)
{
	const char *word = c->args.words[1], *command = c->args.words[0];
	const int count = c->args.word_count - 2;
	char names[96] = "", what[32];
	struct qv_text list = { names, sizeof names, 0 };
	for (const struct verb *v = verbs; v->name; v++) {
		qv_put(&list, v == verbs ? "" : v[1].name ? ", " : " or ");
		qv_put(&list, v->name);
		if (strcmp(word, v->name) != 0)
			continue;
		/* The verb is known: check its options, then its arguments. */
		snprintf(what, sizeof what, "%s %s", command, v->name);
		const enum qv_status status =
			arguments_allow(&c->args, v->options, what, &c->error);
		if (status != QV_OK)
			return status;
		if (count < v->least || count > v->most)
			return cli_refuse(c, "%s: %s", what,
					  count < v->least ? missing : "too many arguments");
		return v->run(c);
	}
	return cli_refuse(c, "%s %.60s: expected %s", command, cli_word(word), names);
}
