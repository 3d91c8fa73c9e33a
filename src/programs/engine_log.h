/*
 * engine_log.h - the dialogue with programs: every line in both directions, and what they write to
 * standard error. It goes to a file, to a folder of files, or to a function.
 * SPDX-License-Identifier: MIT
 *
 * A line of the file is
 *
 *     MS NAME[PID] WAY TEXT
 *
 * MS: milliseconds since the log was opened. WAY: '>' to the program, '<' from it, '!' from its
 * standard error, '#' a remark of ours. Control characters become '?', and long texts are cut.
 * Each line is one write(2), so nothing is lost when a process is killed. Several threads may write
 * to one log.
 */
#ifndef PROGRAMS_ENGINE_LOG_H
#define PROGRAMS_ENGINE_LOG_H

#include <sys/types.h>

#include "base/memory.h"

enum {
	ENGINE_LOG_TEXT = 4096, /* bytes of a text; the rest is left out */
	ENGINE_LOG_NAME = 64,	/* bytes of a name */
	/* Bytes of a file in a folder; the rest is left out. */
	ENGINE_LOG_MOST = 64 << 20,
};

struct engine_log;

/* The log of one program's lines; both are borrowed. { NULL, NULL }: no log. */
struct engine_log_entry {
	struct engine_log *log;
	const char *name;
};

/*
 * Creates the file; an existing one is emptied, or continued if `append`. Close it with
 * engine_log_close.
 */
enum qv_status engine_log_open(struct engine_log **out, const struct qv_allocator *allocator,
			       const char *path, bool append, struct qv_error *error);

/* The file of one player and one game in a folder. */
struct engine_log_file {
	const char *folder; /* made if it does not exist */
	const char
		*name; /* of the player; characters that a file name should not have become '_' */
	int player;    /* its number, from 1: two names may become the same */
	int64_t game;  /* from 1; 0: what came before the first game */
	int rank;      /* of the process among several that write to the folder; 0: the first */
};
/*
 * Creates FOLDER/game-000012-1-NAME.log, or start-1-NAME.log before the first game. The file begins
 * with a remark: the time of day and the number of the game. It has at most ENGINE_LOG_MOST bytes.
 */
enum qv_status engine_log_open_in(struct engine_log **out, const struct qv_allocator *allocator,
				  const struct engine_log_file *file, struct qv_error *error);

/* Gets each line as it was sent or came, of any length. */
struct engine_tap {
	void (*line)(void *ctx, char way, const char *text, size_t length);
	void *ctx;
};
/* A log that calls a function. */
enum qv_status engine_log_tap(struct engine_log **out, const struct qv_allocator *allocator,
			      const struct engine_tap *tap, struct qv_error *error);

/* Writes a line; does nothing without a log. pid 0: no process runs. From any thread. */
void engine_log_line(const struct engine_log_entry *entry, pid_t pid, char way, const char *text,
		     size_t length);
/* Whether all lines could be written; NULL is fine. */
enum qv_status engine_log_status(struct engine_log *log, struct qv_error *error);
void engine_log_close(struct engine_log *log);     /* NULL is fine */

#endif
