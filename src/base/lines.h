/*
 * lines.h - splits a stream of bytes into lines of bounded length, for protocols over pipes and
 * sockets.
 * SPDX-License-Identifier: MIT
 *
 *    n = read(fd, lines_space(&l, &room), room); lines_took(&l, n);
 *    while (lines_next(&l, &line, &length) != LINES_NONE) ...
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/memory.h"

struct lines {
	const struct qv_allocator *allocator;
	char *data;                /* one block of `size` */
	size_t size, start, end;   /* bytes that were received and not returned yet: [start, end) */
	bool skipping;             /* inside a line that was too long */
};

enum lines_got {
	LINES_NONE,                /* no complete line yet */
	LINES_LINE,
	LINES_TOO_LONG,            /* returned once for such a line, which is dropped */
};

/*
 * For lines of up to `most` bytes, line end not counted. Allocates the whole buffer; QV_NO_MEMORY.
 */
enum qv_status lines_init(struct lines *l, const struct qv_allocator *allocator, size_t most);
void lines_release(struct lines *l);
/* Drops everything received so far. */
void lines_clear(struct lines *l);
/*
 * Where to put the next bytes, and how many fit: at least one after lines_next has returned
 * LINES_NONE. Invalidates the lines returned before.
 */
char *lines_space(struct lines *l, size_t *room);
/* Reports how many bytes were put there. */
void lines_took(struct lines *l, size_t bytes);
/*
 * Returns the next line without "\n" or "\r\n", NUL-terminated. It may contain other NULs, so use
 * its length. The caller may write to it; it is valid until the next call of lines_space.
 */
enum lines_got lines_next(struct lines *l, char **line, size_t *length);
/* At the end of the stream: returns a last line that has no line end. */
enum lines_got lines_last(struct lines *l, char **line, size_t *length);

#endif
