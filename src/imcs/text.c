/*
 * text.c - texts of IMCS: times, moves, what cannot be shown, and the arithmetic of ratings.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "base/scan.h"
#include "imcs/server.h"

/* The original's ^([0-9]+)(:([0-9][0-9]))?$, but for what is too much. */
bool imcs_read_time(const char *text, int64_t *seconds)
{
	int64_t whole = 0;
	const char *at = text;
	for (; is_digit(*at); at++)
		if ((whole = 10 * whole + (*at - '0')) > IMCS_MOST_S)
			return false;
	if (at == text)
		return false;
	if (*at == ':') {
		if (!is_digit(at[1]) || !is_digit(at[2]))
			return false;
		whole = 60 * whole + 10 * (at[1] - '0') + (at[2] - '0');
		at += 3;
	}
	if (*at || whole > IMCS_MOST_S)
		return false;
	*seconds = whole;
	return true;
}

int imcs_rate(int own, int other, int outcome)
{
	const double expected = 1 / (1 + pow(10, (other - own) / 400.0));
	return (int)floor(32 * ((outcome + 1) / 2.0 - expected));
}

static bool is_square(const char *text)
{
	return text[0] >= 'a' && text[0] <= 'e' && text[1] >= '1' && text[1] <= '6';
}

bool imcs_is_move(const char *text, size_t length)
{
	return length == 5 && is_square(text) && text[2] == '-' && is_square(text + 3);
}

/* Of Latin-1, as the original takes bytes. */
static bool prints(unsigned char c)
{
	return (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c != 0xad);
}

void imcs_add_shown(struct string *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c == '\\')
			string_add(out, "\\\\", 2);
		else if (prints(c))
			string_add(out, &text[i], 1);
		else
			string_addf(out, "\\[%02x]", c);
	}
}

void imcs_add_clock(struct string *out, int64_t ms)
{
	string_addf(out, "%02d:%02d.%03d", (int)(ms / 60000), (int)(ms / 1000 % 60),
		    (int)(ms % 1000));
}
