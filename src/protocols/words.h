/*
 * words.h - words of a line, one after the other.
 * SPDX-License-Identifier: MIT
 *
 * The scanners of base/scan.h with blanks and tabs as separators, as all line protocols here have
 * them. They cut the line in place and allocate nothing.
 */
#ifndef PROTOCOLS_WORDS_H
#define PROTOCOLS_WORDS_H

#include "base/scan.h"
#include "base/text.h"

/* The text without blanks at its start. */
static inline char *words_skip(char *text)
{
	return text + strspn(text, " \t");
}

/* The text without blanks at either end. */
static inline char *words_trim(char *text)
{
	return scan_trim(text, " \t");
}

/* The next word, "" at the end of the line; *rest moves to the word after it. */
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
