/*
 * lines.c - splits a stream of bytes into lines of bounded length.
 * SPDX-License-Identifier: MIT
 *
 * One buffer of fixed size holds the bytes that have not been returned. Lines are returned in
 * place. A line that does not fit is reported once and skipped up to its end, so a client can
 * neither use more memory nor desynchronize the stream.
 */
#include "base/lines.h"

enum { LINE_END = 2 };             /* room for "\r\n"; the NUL replaces the line end */

enum qv_status lines_init(struct lines *l, const struct qv_allocator *allocator, size_t most)
{
	*l = (struct lines){ .allocator = allocator, .size = most + LINE_END };
	l->data = mem_new(allocator, 1, l->size);
	return l->data ? QV_OK : QV_NO_MEMORY;
}

void lines_release(struct lines *l)
{
	mem_free(l->allocator, l->data, l->size);
	*l = (struct lines){ 0 };
}

void lines_clear(struct lines *l)
{
	l->start = l->end = 0;
	l->skipping = false;
}

char *lines_space(struct lines *l, size_t *room)
{
	memmove(l->data, l->data + l->start, l->end - l->start);
	l->end -= l->start;
	l->start = 0;
	*room = l->size - l->end;
	return l->data + l->end;
}

void lines_took(struct lines *l, size_t bytes)
{
	l->end += bytes;
}

/*
 * Returns the bytes before `end` as a line, unless they are the rest of a line that was too long.
 */
static enum lines_got take_line(struct lines *l, char *end, char **line, size_t *length)
{
	char *begin = l->data + l->start;
	const bool skipped = l->skipping;
	l->start = (size_t)(end - l->data) + 1;
	l->skipping = false;
	if (skipped)
		return LINES_NONE;
	if (end > begin && end[-1] == '\r')
		end--;
	if ((size_t)(end - begin) > l->size - LINE_END)
		return LINES_TOO_LONG; /* without "\r" one byte more fits into the buffer */
	*end = '\0';
	*line = begin;
	*length = (size_t)(end - begin);
	return LINES_LINE;
}

enum lines_got lines_next(struct lines *l, char **line, size_t *length)
{
	for (;;) {
		char *begin = l->data + l->start;
		char *end = memchr(begin, '\n', l->end - l->start);
		if (end) {
			const enum lines_got got = take_line(l, end, line, length);
			if (got != LINES_NONE)
				return got;
			continue;
		}
		if (l->end - l->start < l->size && !l->skipping)
			return LINES_NONE;
		/* The line fills the buffer, or is the rest of one that did. */
		const bool first = !l->skipping;
		l->start = l->end = 0;
		l->skipping = true;
		return first ? LINES_TOO_LONG : LINES_NONE;
	}
}

enum lines_got lines_last(struct lines *l, char **line, size_t *length)
{
	if (l->start == l->end || l->skipping)
		return LINES_NONE;
	if (l->end == l->size) {
		memmove(l->data, l->data + l->start, l->end - l->start);
		l->end -= l->start;
		l->start = 0;
	}
	/* lines_next has left room for the line end. */
	l->data[l->end] = '\n';
	return take_line(l, l->data + l->end++, line, length);
}
