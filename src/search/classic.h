/*
 * classic.h - classic opponents: historical programs that people can play against, and their authors.
 * SPDX-License-Identifier: MIT
 *
 * A game lists its own in struct engine, next to its players. `quevedo help classics` and the page
 * show them from there.
 */
#ifndef SEARCH_CLASSIC_H
#define SEARCH_CLASSIC_H

#include <stdbool.h>

/* A NULL spec ends a list. */
struct classic {
	const char *spec;  /* "book"; "level:3,ladder=lurgee" stands for all levels of its ladder */
	const char *title; /* a name: "John White's program" */
	const char *by;	   /* author and year: "John White, 1983" */
	const char *about; /* two sentences: who made it, and how it plays */
	/* Keys of the spec to be offered as settings, separated by blanks: "turns=0|2|3 masks". */
	const char *keys;     /* NULL: none; KEY=a|b are the values to offer */
	const char *position; /* the start position that it needs; NULL: any */
	int seat;	      /* the seat that it needs, from 1; 0: any */
	bool memory;	      /* it learns from game to game */
};

/* The learner, for tiny games. */
#define LEARNER_CLASSIC                                                                    \
	{                                                                                  \
		.spec = "learn", .title = "The learner", .by = "John White, 1983",         \
		.about = "John White's book suggests a program that plays at random and "  \
			 "never repeats a move that has lost. It knows nothing at first, " \
			 "and every game that you win makes it better.",                   \
		.memory = true                                                             \
	}

#endif
