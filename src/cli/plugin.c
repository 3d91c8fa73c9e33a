/*
 * plugin.c - the command plugin: check a plug-in, or begin a new one.
 * SPDX-License-Identifier: MIT
 */
#include "cli/plugin.h"

static const struct option check_options[] = {
	COMMAND_OPTION(struct plugin_values, "time", OPTION_TIME, time_ms, .min = 1,
		       .max = 86400000, .def = 600000, .value = "TIME",
		       .help = "check: give up after this time: 90s, default 600s"),
	COMMAND_OPTION(struct plugin_values, "call-time", OPTION_TIME, call_ms, .min = 1,
		       .max = 86400000, .def = 10000, .value = "TIME",
		       .help = "check: time that a call of the plug-in may take, default 10s"),
	{ 0 },
};
static const struct option new_options[] = {
	COMMAND_OPTION(struct plugin_values, "dir", OPTION_POINTER, dir, .value = "DIR",
		       .help = "new: the folder to make, by default NAME"),
	{ 0 },
};

static const struct verb verbs[] = {
	{ "check", plugin_check, 1, 2, { check_options } },
	{ "new", plugin_new, 1, 1, { new_options } },
	{ 0 },
};

static enum qv_status run(struct cli *c)
{
	return cli_run_verb(c, verbs, "an argument is missing");
}

const struct command command_plugin = {
	.name = "plugin",
	.run = run,
	.least = 2,
	.most = 3,
	.usage = "plugin check FILE [GAME] | plugin new NAME",
	.help = "run the conformance suite on a plug-in, or write the skeleton of one",
	.more = "check FILE examines every game of the file: with its default options, with each "
		"option at its least and greatest value or at each choice, with all at their least "
		"and all at their greatest, at most 64 combinations. check FILE GAME:options "
		"examines one game with these options. It runs in a process of its own and reports "
		"crashes, calls that do not return, reading outside a state or text, and printing "
		"with the law and the position. Advice names what breaks no law but may be a "
		"mistake.\n"
		"new NAME writes a small game that compiles and passes, a Makefile and a test.\n"
		"Exit status 1: a law does not hold; the last line names it.\n",
	.options = OPTION_GROUPS(check_options, new_options, common_options),
};
