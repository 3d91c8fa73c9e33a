/*
 * file.h - a whole file into memory, and what may go wrong with that.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/memory.h"

struct file_bytes {
	char *data;                /* NUL-terminated, the NUL not counted */
	size_t size, capacity;
};

/*
 * Reads at most `most` bytes; a larger file is refused. "-" is standard input. Release with
 * file_release.
 */
enum qv_status file_read(const struct qv_allocator *a, const char *path, size_t most,
			 struct file_bytes *out, struct qv_error *error);
void file_release(const struct qv_allocator *a, struct file_bytes *f);

#endif
