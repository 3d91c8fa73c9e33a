/*
 * chess960.h - how formats and protocols recognise Chess960, an option of chess.
 * SPDX-License-Identifier: MIT
 */
#ifndef FORMATS_CHESS960_H
#define FORMATS_CHESS960_H

#include "core/context.h"

#define CHESS_RULES "chess"
#define CHESS960_RULES "chess:start=960"

/* Whether these are the rules of Chess960, from whichever start. */
static inline bool rules_are_960(const struct qv_rules *rules)
{
	const struct qv_option *o = rules->game->options;
	if (!context_engine(rules->game)->orthodox)
		return false;
	for (int i = 0; o && o[i].name; i++)
		if (strcmp(o[i].name, "start") == 0)
			return rules->options[i] != o[i].preset;
	return false;
}

#endif
