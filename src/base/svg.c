/*
 * svg.c - helpers to write SVG pictures.
 * SPDX-License-Identifier: MIT
 *
 * Titles and names in pictures come from users, so the text is checked character by character:
 * invalid UTF-8 and control codes would make the whole picture unreadable.
 */
#include "base/svg.h"

#include "base/scan.h"

void svg_add_text(struct string *out, const char *text, int letters)
{
	for (; *text && letters > 0; letters--) {
		const unsigned char *c = (const unsigned char *)text;
		int size = text_character(text);
		/* XML has no control codes, nor the noncharacters U+xxFFFE and U+xxFFFF. */
		if ((size == 1 && (c[0] < ' ' || c[0] == 0x7f)) ||
		    (size >= 3 && (c[size - 3] & 0x0f) == 0x0f && c[size - 2] == 0xbf &&
		     c[size - 1] >= 0xbe))
			size = 0;
		if (!size)
			string_add(out, "?", 1);
		else if (is_one_of(*text, "<>&\""))
			string_addf(out, "&#%d;", *text);
		else
			string_add(out, text, (size_t)size);
		/* Each byte of an invalid sequence counts as one letter. */
		text += size ? size : 1;
	}
	if (*text)
		string_addf(out, "\u2026");
}

void svg_begin(struct string *out, double width, double height, const char *title)
{
	string_addf(out,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
		    "viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n<title>",
		    width, height, width, height);
	svg_add_text(out, title, SVG_WHOLE);
	string_addf(out, "</title>\n");
}
