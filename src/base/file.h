/*
 * file.h - reading a whole file into memory, and replacing a file safely.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/memory.h"

/* The contents of a file. {0} is a valid empty one. */
struct file_bytes {
	char *data;                /* followed by a NUL that is not counted */
	size_t size, capacity;
};

/*
 * Reads a whole file; "-" is standard input. QV_IO if it cannot be read or is larger than `most`
 * bytes. Free the result with file_release.
 */
enum qv_status file_read(const struct qv_allocator *a, const char *path, size_t most,
			 struct file_bytes *out, struct qv_error *error);
void file_release(const struct qv_allocator *a, struct file_bytes *f);

/*
 * Locks the folder that contains the file, so that two processes that read, change and rewrite the
 * file do not overwrite each other's changes. Waits a few seconds for another lock to end, no
 * longer, because anyone who can read the folder can lock it. Returns a handle for file_unlock, or
 * -1 if the folder cannot be locked; the caller then continues without the lock.
 */
int file_lock_folder(const char *path);
void file_unlock(int held);

/*
 * A file that is being written under a temporary name. file_keep flushes it to disk and renames
 * it, so that readers see either the old file or the new one, never a part. A device or a pipe is
 * written in place. {0} is a valid idle writer.
 */
struct file_writer {
	int descriptor;            /* while `path` is not NULL */
	char *path, *temporary;    /* the temporary name is empty if it writes in place */
	const struct qv_allocator *allocator;
};
/*
 * Opens a temporary file beside path. On failure the writer is idle, as after an error of
 * file_write.
 */
enum qv_status file_create(struct file_writer *w, const struct qv_allocator *a, const char *path,
			   struct qv_error *error);
enum qv_status file_write(struct file_writer *w, const void *data, size_t size,
			  struct qv_error *error);
/* Makes the file permanent under its name. The writer is idle afterwards, also on failure. */
enum qv_status file_keep(struct file_writer *w, struct qv_error *error);
/* The same, but fails with QV_ILLEGAL if a file of that name already exists. */
enum qv_status file_keep_new(struct file_writer *w, struct qv_error *error);
/* Deletes the temporary file; an idle writer is accepted. */
void file_abandon(struct file_writer *w);

#endif
