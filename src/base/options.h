/*
 * options.h - named options: a table gives each option its name, type, place, bounds, default,
 * choices and help, and everything else follows from the table.
 * SPDX-License-Identifier: MIT
 *
 * Commands, player specs, training plans, tests of a match and engine protocols all keep their
 * options in such tables. A group is an array of struct option that ends with a NULL name; a list
 * of groups ends with NULL. Several owners can share a group. The values are fields of one plain
 * struct, found by offset.
 *
 *     static const struct option limits[] = {
 *             OPTION(struct settings, "depth", OPTION_INT, depth, .min = 1, .max = 100,
 *                    .help = "plies to search"),
 *             { 0 },
 *     };
 *
 * Options come from lists, "name=value,name=value", or one by one: from a command line, a protocol.
 * Nothing is allocated, and nothing here prints.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include "base/text.h"

enum option_type {
	/* These are an int64_t, an int or enum, or a bool, as the field's size tells. */
	OPTION_INT,	/* a number from min to max */
	OPTION_SWITCH,	/* 0 or 1 */
	OPTION_TIME,	/* ms from min to max: 500ms, 2s, 1.5s; 2 is 2s */
	OPTION_CHOICE,	/* the place of a word in choices, "a|b|c" */
	OPTION_REAL,	/* double from real_min to real_max: digits, at most six after the point */
	OPTION_TEXT,	/* char[size]: a text of 1 to size - 1 bytes */
	OPTION_POINTER, /* const char *: borrows the text that was given */
	OPTION_FLAG,	/* bool: true once it is given; it takes no value */
	OPTION_LIST,	/* struct option_list: every text that was given, at most max of them */
	OPTION_CUSTOM,	/* set() of the option reads it */
};

enum {
	OPTIONS_MOST = 96, /* in all groups of one owner */
	OPTION_LIST_MOST = 32,
};

struct option_list {
	const char *texts[OPTION_LIST_MOST]; /* borrowed */
	int count;
};

struct option {
	const char *name;
	enum option_type type;
	size_t at, size; /* the field in the struct of values */
	int64_t min, max;
	int64_t def;		  /* the default of a number or choice; texts begin empty */
	double real_min, real_max, real_def;
	const char *choices;	  /* of an OPTION_CHOICE */
	const char *value, *help; /* for people: the placeholder of the value, and what it does */
	bool repeats;		  /* it may be given again; an OPTION_LIST always may */
	bool commas;		  /* in a list, items without '=' behind it belong to its value */
	bool optional_value;	  /* on a command line, only "--name=value" gives it a value */
	/* Of an OPTION_CUSTOM: reads the text into the struct of values. */
	enum qv_status (*set)(void *values, const struct option *option, const char *text,
			      struct qv_error *error);
};

/* A row of a table whose value is the field `f` of `type`. */
#define OPTION(type_, name_, kind_, f, ...)                                                  \
	{                                                                                    \
		.name = name_, .type = kind_, .at = offsetof(type_, f),                      \
		.size = sizeof(((type_ *)0)->f), __VA_ARGS__                                 \
	}

/* A list of groups. */
#define OPTION_GROUPS(...) ((const struct option *const[]){ __VA_ARGS__, NULL })

/* Options on their way into a struct of values. */
struct options {
	const struct option *const *groups;
	void *values;	   /* the caller's */
	const char *owner; /* begins error texts: "player mcts", "plan" */
	const char *mark;  /* stands before names in error texts: "--"; NULL: nothing */
	bool owner_first;  /* errors about values begin with the owner, too */
	bool lists;	   /* the error about an unknown name lists the names, if none is near */
	bool given[OPTIONS_MOST];
};

/* Sets every field that has an option to its default. */
void options_init(struct options *o);

/* The option of that name; NULL: there is no such option. *index may be NULL. */
const struct option *options_find(const struct options *o, const char *name, int *index);
/* Was the option set by options_set or options_parse? False for a name that is not in the table. */
bool options_given(const struct options *o, const char *name);

/*
 * Sets one option from text. QV_UNKNOWN: there is no such option, or no such choice; error names
 * the nearest option. QV_BAD_INPUT: it was set before, or the text is not a value for it. Then the
 * field is unchanged.
 */
enum qv_status options_set(struct options *o, const char *name, const char *text,
			   struct qv_error *error);

/*
 * Sets options from "name=value,name=value"; "" sets nothing. The name of an OPTION_FLAG stands
 * alone. Items before an error stay set. Not for tables with an OPTION_POINTER or OPTION_LIST: the
 * text of an item does not last.
 */
enum qv_status options_parse(struct options *o, const char *text, struct qv_error *error);

/* Writes all options, "name=value,name=value", as options_parse takes them. */
void options_text(const struct options *o, struct qv_text *out);

/* Sets options from such a text as defaults: they do not count as given. The text must be good. */
void options_default(struct options *o, const char *text);

/* Reads a value for one option into its field of `values`, without any table. */
enum qv_status option_read(const struct option *option, void *values, const char *text,
			   struct qv_error *error);
/* Writes the value as option_read takes it; "" for an unset text. */
void option_write(const struct option *option, const void *values, struct qv_text *out);

/* Writes the word at a place of "a|b|c". */
void option_put_choice(const char *choices, int64_t place, struct qv_text *out);

/* "; did you mean 'X'?", or "" without a near name: the one place for that sentence. */
struct suggestion {
	char text[96];
};
struct suggestion suggest(const struct text_nearest *near);
/* With a mark before the name, as in '--seed'; at most four characters. */
struct suggestion suggest_marked(const struct text_nearest *near, const char *mark);

#endif
