/*
 * words.h - words of a line, one after the other.
 * SPDX-License-Identifier: MIT
 */
#ifndef PROTOCOLS_WORDS_H
#define PROTOCOLS_WORDS_H

#include "base/scan.h"
#include "base/text.h"

static inline char *words_skip(char *text)
{
	return text + strspn(text, " \t");
}

/* Without blanks at either end; those at its end are cut off in place. */
static inline char *words_trim(char *text)
{
	return scan_trim(text, " \t");
}

/* The next word, cut off in place; "" at the end. *rest goes behind it and the blanks after. */
static inline char *words_next(char **rest)
{
	return scan_word(rest, " \t");
}

/* The next item of a list separated by commas, trimmed; NULL at the end. */
static inline char *words_item(char **rest)
{
	return *rest ? words_trim(scan_cut(rest, ',')) : NULL;
}

#endif
