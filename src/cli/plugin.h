/*
 * plugin.h - `plugin check` in two processes: the child that runs the suite, and what its parent
 * sees of it.
 * SPDX-License-Identifier: MIT
 *
 * A plug-in is foreign code. The child writes where it is into shared memory before each call, and
 * what it has found into a pipe. If it crashes, hangs or calls exit(), the parent still has both.
 */
#ifndef CLI_PLUGIN_H
#define CLI_PLUGIN_H

#include <stdatomic.h>

#include "cli/cli.h"
#include "conform/watch.h"

/* Where the child is: memory that both processes share. */
struct checkpoint {
	_Atomic unsigned beat;	      /* grows with every call of plugin_note */
	_Atomic int strayed;	      /* enum stray: where the crash was, if beside a fence */
	char rules[QV_POSITION_TEXT]; /* the game with its options; "": none yet */
	char law[64], function[64];
	char input[256]; /* what a parser reads, a player spec; "": nothing */
	bool placed;	 /* there is a position */
	size_t state_size;
	unsigned char state[QV_MAX_STATE];
	char position[QV_POSITION_TEXT]; /* written by a second child after a crash */
};

enum stray { STRAY_NOWHERE, STRAY_STATE, STRAY_TEXT };

/* What the child watches besides the laws. */
struct plugin_watch {
	struct checkpoint *note;
	size_t state_size;
	int output[2]; /* the ends to read from standard output and standard error */
	/* The plug-in's static data, as it was before the first call. */
	struct plugin_data {
		const unsigned char *data;
		unsigned char *before;
		size_t size;
	} data[4];
	int data_count;
	bool large;	   /* too much of it to compare after every check */
	bool instrumented; /* its static data has counters of the compiler */
	uint64_t checks;
	size_t heap; /* memory in use after the last check, and how often it grew */
	unsigned heap_grew;
	char heap_law[64];
	char complaint[200];
};

/* Of struct conform_watch; the context is a struct plugin_watch. */
void plugin_note(void *watch, const struct conform_place *place);
const char *plugin_complaint(void *watch);
/* Makes memory for positions and texts that crashes when it is left, and has the crash noted. */
void plugin_fence(struct checkpoint *n, struct conform_watch *watch);
/* Remembers the static data of the object that has this function. */
void plugin_watch_data(struct plugin_watch *w, uintptr_t function);
void plugin_watch_release(struct plugin_watch *w);
/* Whether the compiler has added counters to a plug-in, as for coverage. */
bool plugin_is_instrumented(const char *path);
/* Writes what was printed into `out`, as one printable line; false: nothing was. */
bool plugin_printed(int end, char *out, size_t size);

/* The two verbs. */
enum qv_status plugin_check(struct cli *c);
enum qv_status plugin_new(struct cli *c);

/* Options of both verbs. */
struct plugin_values {
	int64_t time_ms, call_ms;
	const char *dir;
};
#endif
