/*
 * child.h - a program outside: started, written to and read from line by line, and ended for good.
 * It is connected by pipes or by a socket, and a socket may also lead to a program that runs already.
 * SPDX-License-Identifier: MIT
 *
 * No call waits without a limit: each has a time (of clock_us) by which it returns. The program may
 * be of any kind: it may die, not read, flood us with output, or ignore signals. It gets its own
 * process group, so that what it starts ends with it. Its standard error is read whenever this
 * process waits for it: it goes to the log, if there is one, and the last line is kept. It inherits
 * no other file. Several threads may each have their own children.
 */
#ifndef PROGRAMS_CHILD_H
#define PROGRAMS_CHILD_H

#include <sys/types.h>

#include "programs/engine_log.h"
#include "base/lines.h"

enum {
	CHILD_LINE_MOST = 1 << 16,   /* bytes of a line */
	CHILD_FLOOD_MOST = 16 << 20, /* bytes of output after our last write */
	CHILD_ERRORS_MOST = 1 << 16, /* bytes of standard error that are logged, likewise */
	CHILD_GRACE_MS = 500,	     /* to end by itself, and then after SIGTERM */
	CHILD_COMPLAINT = 200,	     /* bytes of the last line of standard error that are kept */
};

/* {0} is valid: no program runs. */
struct child {
	bool runs;    /* a program runs, or is connected */
	pid_t pid;    /* 0: it was not started here */
	pid_t guard;  /* ends it if this process ends without; 0: none */
	int leash;    /* with a guard, the pipe that it reads */
	int to, from; /* its standard input and output, or a socket */
	int pipes[2]; /* with a socket, its standard input and output; -1: none */
	int errors;   /* its standard error; -1: not read, or closed */
	struct engine_log_entry log;
	struct lines lines, error_lines;
	int64_t heard, errors_heard; /* bytes read since the last write */
	bool ended;		     /* its output has ended */
	/* The last line of its standard error that is not blank, printable; kept by child_end. */
	char complaint[CHILD_COMPLAINT];
};

enum child_got {
	CHILD_LINE,
	CHILD_TIMEOUT,
	CHILD_ENDED,                       /* it closed its output, most likely by dying */
	CHILD_LONG_LINE,
	CHILD_FLOOD,
};

/*
 * The command line is split as in command_line.h; its first word is a path, or a name to be found
 * in PATH. folder: where the program runs, and where a relative path begins; NULL: here. The log may
 * be NULL. The error is the system's reason alone.
 */
enum qv_status child_start(struct child *c, const struct qv_allocator *allocator,
			   const char *command, const char *folder,
			   const struct engine_log_entry *log, struct qv_error *error);
/*
 * The same, from words that end with a NULL; its lines have up to line_most bytes. It has no guard: it
 * ends by itself when its input does.
 */
enum qv_status child_start_words(struct child *c, const struct qv_allocator *allocator,
				 char *const *words, const char *folder,
				 const struct engine_log_entry *log, size_t line_most,
				 struct qv_error *error);
/*
 * Connects to a program that runs already, as peer_connect does. It is only disconnected at the end.
 */
enum qv_status child_connect(struct child *c, const struct qv_allocator *allocator,
			     const char *address, const struct engine_log_entry *log,
			     int64_t until_us, struct qv_error *error);
/*
 * From now on a program that was started is written to and read from by its socket at this address.
 * False: it does not accept connections yet.
 */
bool child_attach(struct child *c, const char *address);
static inline bool child_runs(const struct child *c)
{
	return c->runs;
}
/* Writes it all: CHILD_LINE. CHILD_TIMEOUT, CHILD_ENDED: only a part was written. */
enum child_got child_write(struct child *c, const char *data, size_t size, int64_t until_us);
/* Reads a line, which is valid until the next call and may be changed. */
enum child_got child_read(struct child *c, int64_t until_us, char **line, size_t *length);
/* It gets no more lines; child_write must not be called any more. */
void child_close_input(struct child *c);
/*
 * Ends it: closes its input, waits a little if `gently`, then SIGTERM, waits a little, SIGKILL.
 * Leaves no zombie. Does nothing if no program runs. Returns its status as waitpid gives it, or -1
 * if it did not end by itself.
 */
int child_end(struct child *c, bool gently);

#endif
