/*
 * probcut.h - Multi-ProbCut: when a shallow search shows that a deep one will miss the window.
 * SPDX-License-Identifier: MIT
 *
 * A game whose evaluation is steady measures how far searches of two depths differ. A node whose
 * shallow value misses a null window by enough of these standard errors is cut without the deep
 * search (Buro, 1997).
 */
#ifndef SEARCH_PROBCUT_H
#define SEARCH_PROBCUT_H

#include "quevedo.h"

enum { PROBCUT_LEAST = 3 }; /* plies; nodes closer to the horizon cost too little */

struct probcut {
	const char *evaluation; /* the one whose errors these are */
	/*
	 * Standard error, in points, of a search of probcut_shallow(depth) plies as an estimate of
	 * one of `depth` plies; still: of the static value.
	 */
	int32_t (*error)(const void *state, int depth, bool still);
};

/* The depth that stands for a deeper one: about half of it, and as even or odd. */
static inline int probcut_shallow(int depth)
{
	return depth / 4 * 2 + (depth & 1);
}

#endif
