/*
 * sentences.c - the rules of a game on a screen of any width.
 * SPDX-License-Identifier: MIT
 *
 * What a game says of itself has paragraphs, tables, and lists of a word and what it means:
 *
 *       move A1 B2 12  ships to a neighbour that holds a colony
 *                      or is next to one
 *
 * A line that fits stays as it is. Of one that does not, the rest stands under where the meaning
 * begins, or, on a narrow screen, a little to the right.
 */
#include "terminal/view.h"

enum { STEP = 2 }; /* to the right */

/* A line of the text: how many blanks it begins with, and where what it explains is explained. */
struct prose_line {
	const char *text;
	size_t length, lead, hang; /* hang = lead: nowhere */
};

static struct prose_line read_line(const char *text)
{
	struct prose_line l = { .text = text, .length = strcspn(text, "\n") };
	while (l.lead < l.length && text[l.lead] == ' ')
		l.lead++;
	l.hang = l.lead;
	for (size_t i = l.lead; l.lead && i + 2 < l.length; i++)
		if (text[i] == ' ' && text[i + 1] == ' ') {
			l.hang = i + strspn(text + i, " ");
			break;
		}
	return l;
}

/* The flowing text under itself, behind what stands there already. */
static void add_under(struct string *out, int width, size_t indent, const char *text)
{
	struct string flow = { .allocator = out->allocator };
	view_flow(&flow, width - (int)indent, 0, text);
	for (const char *line = flow.data; line && *line;) {
		const size_t length = strcspn(line, "\n");
		string_addf(out, "%*s", line == flow.data ? 0 : (int)indent, "");
		string_add(out, line, length);
		string_addf(out, "\n");
		line += length + (line[length] == '\n');
	}
	out->failed |= flow.failed;
	string_release(&flow);
}

static void add_line(struct string *out, int width, const struct prose_line *l, const char *text)
{
	const size_t narrow = l->lead + STEP;
	if (text_columns(text) <= width) {
		string_addf(out, "%s\n", text);
	} else if (!l->lead) {
		view_flow(out, width, 0, text);
	} else if (l->hang > l->lead && l->hang * 2 <= (size_t)width) {
		string_add(out, text, l->hang);
		add_under(out, width, l->hang, text + l->hang);
	} else if (narrow * 2 <= (size_t)width) {
		string_addf(out, "%*s", (int)l->lead, "");
		add_under(out, width, narrow, text + l->lead);
	} else {
		view_flow(out, width, 0, text);
	}
}

void view_prose(struct string *out, int width, const char *text)
{
	while (*text) {
		struct string line = { .allocator = out->allocator };
		const struct prose_line first = read_line(text);
		string_add(&line, text, first.length);
		text += first.length + (text[first.length] == '\n');
		for (struct prose_line next = read_line(text);
		     *text && first.hang > first.lead && next.lead == first.hang &&
		     next.length > next.lead;
		     next = read_line(text)) {
			string_addf(&line, " ");
			string_add(&line, text + next.lead, next.length - next.lead);
			text += next.length + (text[next.length] == '\n');
		}
		if (!line.failed)
			add_line(out, width, &first, line.data ? line.data : "");
		out->failed |= line.failed;
		string_release(&line);
	}
}
