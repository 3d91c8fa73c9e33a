/*
 * pgn.h - the games of a match as PGN.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_PGN_H
#define MATCH_PGN_H

#include "match/match.h"

/* With the tags of a match; no_times: without a date as well. */
enum qv_status match_pgn(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_game *game, bool no_times, struct string *out,
			 struct qv_error *error);

#endif
