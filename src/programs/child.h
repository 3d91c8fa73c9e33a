/*
 * child.h - a program outside: started, written to and read from line by line, and ended for good.
 * SPDX-License-Identifier: MIT
 *
 * Nothing here waits without a bound: every call has a moment (clock_us) by which it comes back.
 * The program may be of any kind: it may die, be deaf, flood, or ignore signals. It gets a process
 * group of its own, so that what it starts ends with it. Its standard error goes to the log, if
 * there is one, and else to /dev/null. No other file of ours reaches it. Several threads may each
 * have children of their own.
 */
#ifndef PROGRAMS_CHILD_H
#define PROGRAMS_CHILD_H

#include <sys/types.h>

#include "programs/engine_log.h"
#include "base/lines.h"

enum {
	CHILD_LINE_MOST = 1 << 16,         /* bytes of a line */
	CHILD_FLOOD_MOST = 16 << 20,       /* bytes after the last write */
	CHILD_ERRORS_MOST = 1 << 16,       /* likewise, of its standard error that are logged */
	CHILD_GRACE_MS = 500,              /* to end when asked, and then after SIGTERM */
};

/* {0} is valid: none runs. */
struct child {
	pid_t pid;                         /* 0: none runs */
	int to, from;                      /* its standard input and output */
	int errors;                        /* its standard error; -1: nobody reads it */
	struct engine_log_entry log;
	struct lines lines, error_lines;
	int64_t heard, errors_heard;       /* bytes since the last write */
	bool ended;                        /* its output has */
};

enum child_got {
	CHILD_LINE,
	CHILD_TIMEOUT,
	CHILD_ENDED,                       /* it closed its output, most likely by dying */
	CHILD_LONG_LINE,
	CHILD_FLOOD,
};

/*
 * The command line is split at blanks; its first word is a path, or a name to be found in PATH. The
 * log may be NULL. The error is the system's reason alone.
 */
enum qv_status child_start(struct child *c, const struct qv_allocator *allocator,
			   const char *command, const struct engine_log_entry *log,
			   struct qv_error *error);
static inline bool child_runs(const struct child *c)
{
	return c->pid != 0;
}
/* CHILD_LINE: all was written. */
enum child_got child_write(struct child *c, const char *data, size_t size, int64_t until_us);
/* The line is the child's until the next call, and may be written to. */
enum child_got child_read(struct child *c, int64_t until_us, char **line, size_t *length);
/*
 * Ends it: closes its input, waits a little if `gently`, then SIGTERM, waits a little, SIGKILL.
 * Leaves no zombie. None runs: nothing happens. Returns its status as waitpid gives it, or -1 if it
 * did not end of its own accord.
 */
int child_end(struct child *c, bool gently);

#endif
