/*
 * plain.c - texts that control nothing where they are shown.
 * SPDX-License-Identifier: MIT
 */
#include "base/plain.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

/* U+0080 to U+009F, U+202A to U+202E, U+2066 to U+2069; of ASCII, all below the blank, and DEL. */
static bool is_control(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	if (c[0] < 0x80)
		return c[0] < ' ' || c[0] == 0x7f;
	if (c[0] == 0xc2)
		return c[1] < 0xa0;
	return c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
				(c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
}

int text_count_plain(const char *text, const char *allowed)
{
	int count = 0;
	for (; *text; count++) {
		const int bytes = text_character(text);
		if (!bytes || (is_control(text) && !strchr(allowed, *text)))
			return -1;
		text += bytes;
	}
	return count;
}
