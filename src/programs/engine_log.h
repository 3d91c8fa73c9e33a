/*
 * engine_log.h - a file that holds the dialogue with programs: every line in both directions, and
 * what they write to standard error.
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
/* Writes a line; does nothing without a log. pid 0: no process runs. From any thread. */
void engine_log_line(const struct engine_log_entry *entry, pid_t pid, char way, const char *text,
		     size_t length);
/* Whether all lines could be written; NULL is fine. */
enum qv_status engine_log_status(struct engine_log *log, struct qv_error *error);
void engine_log_close(struct engine_log *log);     /* NULL is fine */

#endif
