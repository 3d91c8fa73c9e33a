/*
 * words.h - words of a line, one after the other.
 * SPDX-License-Identifier: MIT
 */
#ifndef WIRE_WORDS_H
#define WIRE_WORDS_H

#include "base/text.h"

static inline char *words_skip(char *text)
{
	return text + strspn(text, " \t");
}

/* Without blanks at either end; those at its end are cut off in place. */
static inline char *words_trim(char *text)
{
	text = words_skip(text);
	size_t length = strlen(text);
	while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
		text[--length] = '\0';
	return text;
}

/* The next word, cut off in place; "" at the end. *rest goes behind it and the blanks after. */
static inline char *words_next(char **rest)
{
	char *word = words_skip(*rest);
	char *end = word + strcspn(word, " \t");
	*rest = *end ? words_skip(end + 1) : end;
	*end = '\0';
	return word;
}

/* The next item of a list separated by commas, trimmed; NULL at the end. */
static inline char *words_item(char **rest)
{
	if (!*rest)
		return NULL;
	char *item = *rest, *comma = strchr(item, ',');
	*rest = comma ? comma + 1 : NULL;
	if (comma)
		*comma = '\0';
	return words_trim(item);
}

#endif
