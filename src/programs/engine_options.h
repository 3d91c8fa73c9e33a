/*
 * engine_options.h - the options that an engine declares in its handshake, and whether a value suits
 * one of them.
 * SPDX-License-Identifier: MIT
 *
 *     option name Hash type spin default 16 min 1 max 1024      UCI, UGI
 *     option hash number 64 0 1048576                           QGP
 *     feature option="Resign threshold -spin 500 0 1000"        XBoard
 *     param name=tt-size value=24 type=int min=16 max=30        Hub
 *
 * The other protocols have no declarations: every option suits them. The lines may be anything.
 */
#ifndef PROGRAMS_ENGINE_OPTIONS_H
#define PROGRAMS_ENGINE_OPTIONS_H

#include "protocols/manager.h"

enum { ENGINE_OPTIONS_MOST = 1 << 16, ENGINE_OPTION_NAME = 80, ENGINE_OPTION_CHOICES = 1024 };

enum engine_option_kind {
	ENGINE_OPTION_UNKNOWN, /* a kind that is not known here: any value suits it */
	ENGINE_OPTION_CHECK,
	ENGINE_OPTION_NUMBER,
	ENGINE_OPTION_CHOICE,
	ENGINE_OPTION_BUTTON,
	ENGINE_OPTION_TEXT,
};

struct engine_option {
	char name[ENGINE_OPTION_NAME];
	enum engine_option_kind kind;
	char value[ENGINE_OPTION_NAME]; /* the default, cut if it is long */
	bool has_value, has_bounds;
	int64_t min, max;
	char choices[ENGINE_OPTION_CHOICES]; /* a line for each; those beyond its size are lost */
	bool more_choices;		     /* some were lost */
};

/*
 * Reads the first option that the line declares, or with *at those after it. *at begins with 0 and
 * moves on. False: there is no other.
 */
bool engine_option_read(const struct manager_ops *ops, const char *line, size_t *at,
			struct engine_option *out);
/* What is wrong with the declaration itself, such as a default beyond its bounds; NULL: nothing. */
const char *engine_option_flaw(const struct engine_option *o);
/*
 * Whether an engine that declared these lines, each ended by a newline, has the option and accepts
 * the value. If not, *why is a sentence.
 */
bool engine_option_accepts(const struct manager_ops *ops, const char *lines, const char *name,
			   const char *value, struct qv_error *why);

#endif
