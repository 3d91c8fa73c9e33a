/*
 * command_line.c - splits a command line into words.
 * SPDX-License-Identifier: MIT
 *
 * A word without its quotes is never longer than with them, so it is written over itself.
 */
#include "programs/command_line.h"

#include "base/text.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The quote that is open after *at, which moves past a backslash that hides a character. */
static char quote_after(char quote, const char **at)
{
	const char c = **at;
	if (!quote)
		return c == '"' || c == '\'' ? c : '\0';
	if (c == quote)
		return '\0';
	if (quote == '"' && c == '\\' && ((*at)[1] == '"' || (*at)[1] == '\\'))
		++*at;
	return quote;
}

bool command_closes(const char *text)
{
	char quote = '\0';
	for (; *text; text++)
		quote = quote_after(quote, &text);
	return !quote;
}

/* Copies a word to *to, which is at or before *from, up to a blank. False: a quote is open. */
static bool take_word(char **from, char **to)
{
	const char *in = *from;
	char quote = '\0', *out = *to;
	for (; *in && (quote || !is_blank(*in)); in++) {
		const char before = quote;
		quote = quote_after(quote, &in);
		if (before == quote) /* it is not a quote itself */
			*out++ = *in;
	}
	*from += in - *from;
	*to = out;
	return !quote;
}

enum qv_status command_split(char *text, char **words, size_t *count, struct qv_error *error)
{
	char *from = text, *to = text;
	*count = 0;
	for (;;) {
		while (is_blank(*from))
			from++;
		if (!*from)
			break;
		words[(*count)++] = to;
		if (!take_word(&from, &to))
			return qv_fail(error, QV_BAD_INPUT,
				       "a quote in the command line is not closed");
		const bool last = !*from;
		*to++ = '\0'; /* over the blank that ended the word, or before it */
		if (last)
			break;
		from++;
	}
	if (!*count)
		return qv_fail(error, QV_BAD_INPUT, "the command line is empty");
	return QV_OK;
}
