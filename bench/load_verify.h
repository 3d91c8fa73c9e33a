/*
 * load_verify.h - the log of the load generator's moves, and its comparison with a server.
 * SPDX-License-Identifier: MIT
 *
 * A line is "sent GAME PLY MOVE" or "acked GAME PLY MOVE", and ply 0 is the new game; "ended GAME
 * PLY over" and "left GAME PLY stalled" end it. A tab and the time follow, in milliseconds of the
 * monotonic clock. Every acknowledged move must be in the game at its ply, and every move of the
 * game must have been sent for just that ply.
 */
#ifndef BENCH_LOAD_VERIFY_H
#define BENCH_LOAD_VERIFY_H

#include "load_link.h"

struct verified {
	int games, missing_games;
	int acked, lost; /* lost: acknowledged, but not in the game at that ply */
	int stored,
		foreign; /* foreign: in the game, but never sent for that ply; so duplicates, too */
	int unacked;	 /* stored and sent, without a response: allowed */
};

/* False: the log cannot be read, or the server does not answer; printed to standard error. */
bool verify_log(struct links *links, const struct target *target, const char *file,
		struct verified *out);

#endif
