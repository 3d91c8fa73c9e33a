/*
 * play_terminal.h - the terminal, or the pipe, that a game is played through.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PLAY_TERMINAL_H
#define CLI_PLAY_TERMINAL_H

#include "terminal/dialogue.h"

struct terminal;

enum line_kind {
	LINE_TEXT,
	LINE_CANCELLED, /* Ctrl-C */
	LINE_LATE,	/* a clock has run out */
	LINE_END,	/* Ctrl-D, the end of the input, or a request to end */
};

/*
 * Opens standard input and output. `talk` completes words; its session has the clocks. Ctrl-C sets
 * `interrupt`; reading clears it. Both must outlive the terminal. NULL: no memory.
 */
struct terminal *terminal_open(struct talk *talk, atomic_bool *interrupt);
void terminal_close(struct terminal *t);	/* NULL is fine */
bool terminal_is_one(const struct terminal *t); /* it is a terminal, not a pipe */
/* Width, colours and character set. The width may change at any time. */
struct screen terminal_screen(const struct terminal *t, bool ascii);
/* Reads a line, without its end. *line belongs to the terminal and is valid until the next call. */
enum line_kind terminal_read(struct terminal *t, const char *prompt, const char **line);
/* Shows that the computer thinks, or clears that; prints nothing to a pipe. */
void terminal_show_thinking(const struct terminal *t, bool begins);

#endif
