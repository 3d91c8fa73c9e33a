/*
 * command_line.h - splits a command line into words, as a shell does with quotes.
 * SPDX-License-Identifier: MIT
 *
 * Blanks separate words. Between single quotes every character stands for itself. Between double
 * quotes, too, but \" is a quote and \\ a backslash. Nothing else is special: no shell runs.
 */
#ifndef PROGRAMS_COMMAND_LINE_H
#define PROGRAMS_COMMAND_LINE_H

#include <stddef.h>

#include "quevedo.h"

/* Whether every quote is closed. */
bool command_closes(const char *text);

/* How many words a text of this length can have at most. */
#define COMMAND_WORDS(length) ((length) / 2 + 1)

/*
 * Splits the text in place. words: room for COMMAND_WORDS of its length. QV_BAD_INPUT: a quote is
 * not closed, or there is no word.
 */
enum qv_status command_split(char *text, char **words, size_t *count, struct qv_error *error);

#endif
