/*
 * file.h - a whole file into memory, or out of it, and what may go wrong with that.
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

/*
 * Who reads a file, changes it and writes it again holds the folder it is in for that long, or
 * loses what another did meanwhile. Waits for others who hold it, but some seconds only: whoever
 * can read a folder can hold it. -1: it cannot be held, or is not there; all goes on without.
 */
int file_hold(const char *path);
void file_let_go(int held);

/*
 * A file being written. It bears a name of its own until file_keep, which makes it safe on the disk
 * and gives it the right name: whoever reads that name finds the old file or the new one, never
 * half of one. {0} is a valid idle one.
 */
struct file_writer {
	int descriptor;            /* while `path` is not NULL */
	char *path, *temporary;
	const struct qv_allocator *allocator;
};
enum qv_status file_create(struct file_writer *w, const struct qv_allocator *a, const char *path,
			   struct qv_error *error);
enum qv_status file_write(struct file_writer *w, const void *data, size_t size,
			  struct qv_error *error);
/* Idle again, whatever happens. */
enum qv_status file_keep(struct file_writer *w, struct qv_error *error);
/* The same, but QV_ILLEGAL if there is a file of that name by then. */
enum qv_status file_keep_new(struct file_writer *w, struct qv_error *error);
void file_abandon(struct file_writer *w);  /* removes what was written; idle is fine */

#endif
