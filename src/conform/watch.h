/*
 * watch.h - an examination that somebody watches: where it is now, and what the laws cannot see.
 * SPDX-License-Identifier: MIT
 *
 * `plugin check` runs the suite in a child process. If the game crashes or hangs, the parent
 * reports the last place that `now` was called with.
 */
#ifndef CONFORM_WATCH_H
#define CONFORM_WATCH_H

#include "quevedo.h"

/* Where an examination is. All pointers are valid during the call only. */
struct conform_place {
	const char *law;           /* the law that the next call belongs to */
	const char *function;      /* the game's function that is about to be called, or NULL */
	const char *input;         /* what it reads beside the state: a text, a spec; or NULL */
	const void *state;         /* NULL: no position yet */
};

/*
 * Memory between two pages that nobody may touch. What is placed at its end, or begins with it, is
 * read and written within its bounds only, or the program crashes.
 */
struct conform_fence {
	unsigned char *begin, *end; /* NULL: there is none */
};

/* Each function may be NULL. */
struct conform_watch {
	void (*now)(void *ctx, const struct conform_place *place);
	/*
	 * Called after each check: a violation that only the caller can see, as one sentence
	 * without a full stop, or NULL.
	 */
	const char *(*complaint)(void *ctx);
	/* Called in place of `progress` for a law that does not apply to the game. */
	void (*skipped)(void *ctx, const char *law, const char *why);
	/* Called when all laws hold: what breaks none, but may be a mistake. */
	void (*advise)(void *ctx, const char *sentence);
	/* For the positions of some games, and for texts; at least QV_MAX_STATE, QV_POSITION_TEXT. */
	struct conform_fence states, texts;
	void *ctx;
};

/* As qv_conform, watched; `watch` may be NULL. */
enum qv_status conform_run(const struct qv_context *context, const struct qv_rules *rules,
			   const struct qv_conformance *how, const struct conform_watch *watch,
			   struct qv_error *error);
#endif
