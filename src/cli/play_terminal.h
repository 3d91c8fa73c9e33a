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
	LINE_LATE,	/* time to look at the clocks */
	LINE_END,	/* Ctrl-D, the end of the input, or a request to end */
};

/* interrupt: what Ctrl-C sets; reading clears it. NULL: no memory. */
struct terminal *terminal_open(struct talk *talk, atomic_bool *interrupt);
void terminal_close(struct terminal *t);	/* NULL is fine */
bool terminal_is_one(const struct terminal *t); /* somebody sits there */
/* What can be shown just now: the width may change at any time. */
struct screen terminal_screen(const struct terminal *t, bool ascii);
/* Reads a line, without its end, into the terminal's own memory until the next call. */
enum line_kind terminal_read(struct terminal *t, const char *prompt, const char **line);
/* While somebody thinks: a word, taken back afterwards. Nothing through a pipe. */
void terminal_show_thinking(const struct terminal *t, bool begins);

#endif
