/*
 * sandbox.h - takes from this process what a worker does not need (Linux).
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_JOBS_SANDBOX_H
#define SERVER_JOBS_SANDBOX_H

#include <stdbool.h>
#include <stdint.h>

enum { SANDBOX_TEXT = 200 };

struct sandbox {
	int64_t memory_bytes;	    /* that it may write to; 0: no limit */
	const char *const *folders; /* whose files may be read, ends with a NULL */
};
/*
 * From now on this process, which has one thread, opens no file but those, no socket, and starts no
 * program. It ends with its parent. It keeps its standard descriptors, forgets its environment, and may
 * start threads.
 *
 * text: what there is, such as "seccomp", or "none: WHY". A program that was built with a sanitizer
 * has only the rest. False: files of the folders cannot be read, since only Landlock could allow just them.
 */
bool sandbox_enter(const struct sandbox *sandbox, char text[SANDBOX_TEXT]);

#endif
