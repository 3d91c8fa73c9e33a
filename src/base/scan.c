/*
 * scan.c - small scanners for characters, numbers and words of untrusted text.
 * SPDX-License-Identifier: MIT
 *
 * None of them looks beyond the NUL, and numbers are checked for overflow before each digit is
 * added. Games' notations, weight files and protocols are read with these functions instead of
 * strtol and strtok, which depend on the locale or on hidden state.
 */
#include "base/scan.h"

int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	const char lower = to_lower(c);
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool scan_int(const char **text, int64_t min, int64_t max, int64_t *out)
{
	const bool negative = **text == '-';
	const char *digit = *text + (negative || **text == '+');
	/* Kept negative, because INT64_MIN has no positive counterpart. */
	int64_t value = 0;
	if (!is_digit(*digit))
		return false;
	for (; is_digit(*digit); digit++) {
		const int d = *digit - '0';
		if (value < (INT64_MIN + d) / 10)
			return false;
		value = value * 10 - d;
	}
	if (!negative && value == INT64_MIN)
		return false;
	if (!negative)
		value = -value;
	if (value < min || value > max)
		return false;
	*text = digit;
	*out = value;
	return true;
}

bool scan_count(const char **text, int max, int *out)
{
	int64_t number;
	if (!is_digit(**text) || (**text == '0' && is_digit((*text)[1])) ||
	    !scan_int(text, 0, max, &number))
		return false;
	*out = (int)number;
	return true;
}

bool scan_literal(const char **text, const char *literal)
{
	const size_t length = strlen(literal);
	if (strncmp(*text, literal, length) != 0)
		return false;
	*text += length;
	return true;
}

bool scan_piece(const char **text, const char *separators, const char *blanks, char *piece,
		size_t size)
{
	const char *start = *text;
	while (is_one_of(*start, separators) || is_one_of(*start, blanks))
		start++;
	size_t length = strcspn(start, separators);
	*text = start + length;
	while (length && is_one_of(start[length - 1], blanks))
		length--;
	const size_t copied = length < size ? length : size - 1;
	memcpy(piece, start, copied);
	piece[copied] = '\0';
	return length > 0;
}

char *scan_trim(char *text, const char *blanks)
{
	text += strspn(text, blanks);
	char *end = text + strlen(text);
	while (end > text && is_one_of(end[-1], blanks))
		*--end = '\0';
	return text;
}

char *scan_word(char **rest, const char *blanks)
{
	char *word = *rest + strspn(*rest, blanks), *end = word + strcspn(word, blanks);
	*rest = *end ? end + 1 + strspn(end + 1, blanks) : end;
	*end = '\0';
	return word;
}

char *scan_cut(char **rest, char mark)
{
	char *part = *rest, *end = strchr(part, mark);
	*rest = end ? end + 1 : NULL;
	if (end)
		*end = '\0';
	return part;
}

int scan_choice(const char *choices, const char *word)
{
	const size_t length = strlen(word);
	for (int place = 0;; place++) {
		const size_t n = strcspn(choices, "|");
		if (n == length && memcmp(choices, word, n) == 0)
			return place;
		if (!choices[n])
			return -1;
		choices += n + 1;
	}
}

bool percent_decode(const char *text, size_t length, bool plus, char *out, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < length; i++) {
		int c = plus && text[i] == '+' ? ' ' : (unsigned char)text[i];
		if (c == '%') {
			const int high = length - i > 2 ? hex_digit(text[i + 1]) : -1;
			const int low = length - i > 2 ? hex_digit(text[i + 2]) : -1;
			if (high < 0 || low < 0)
				return false;
			c = high * 16 + low;
			i += 2;
		}
		if (c == 0 || used + 1 >= size)
			return false;
		out[used++] = (char)c;
	}
	if (used >= size)
		return false;
	out[used] = '\0';
	return true;
}
