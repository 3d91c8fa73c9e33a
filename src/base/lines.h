/*
 * lines.h - bytes in, lines out, within a bound: what stands between a pipe and a protocol.
 * SPDX-License-Identifier: MIT
 *
 *   n = read(fd, lines_space(&l, &room), room); lines_took(&l, n);
 *   while (lines_next(&l, &line, &length) != LINES_NONE) ...
 */
#ifndef BASE_LINES_H
#define BASE_LINES_H

#include "base/memory.h"

struct lines {
	const struct qv_allocator *allocator;
	char *data;                /* one block of `size` */
	size_t size, start, end;   /* what has come and was not given out: [start, end) */
	bool skipping;             /* inside a line that was too long */
};

enum lines_got {
	LINES_NONE,                /* not yet */
	LINES_LINE,
	LINES_TOO_LONG,            /* said once for such a line, which is dropped */
};

/* Lines of up to `most` bytes without their end. */
enum qv_status lines_init(struct lines *l, const struct qv_allocator *allocator, size_t most);
void lines_release(struct lines *l);
void lines_clear(struct lines *l);
/* Room for more; at least one byte, once lines_next has said LINES_NONE. */
char *lines_space(struct lines *l, size_t *room);
void lines_took(struct lines *l, size_t bytes);
/*
 * The next line, without "\n" or "\r\n", NUL-terminated; it may hold other NULs, so its length is
 * given too. It may be written to, and stands until the next lines_space.
 */
enum lines_got lines_next(struct lines *l, char **line, size_t *length);
/* After the last byte: a line that was never ended. */
enum lines_got lines_last(struct lines *l, char **line, size_t *length);

#endif
