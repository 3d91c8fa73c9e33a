/*
 * sized.h - structs of callers that may be older or newer than the library (quevedo.h).
 * SPDX-License-Identifier: MIT
 *
 * Such a struct begins with its size, a size_t. A public function works with copies of the size that
 * this version knows; what lies beyond the caller's size is 0, and is not written.
 */
#ifndef BASE_SIZED_H
#define BASE_SIZED_H

#include "quevedo.h"

/*
 * Copies a caller's struct into *to, which has `room` bytes; NULL gives zeros. to->size becomes
 * `room`. QV_BAD_INPUT: the size is not set; `name` is the struct's, for the error.
 */
enum qv_status sized_in(const char *name, void *to, size_t room, const void *from,
			struct qv_error *error);
/* Before anything is done: whether the size of a caller's struct for the result is set. */
enum qv_status sized_check(const char *name, const void *to, struct qv_error *error);
/* Copies a result of `room` bytes into a caller's struct, whose size stays. */
void sized_out(void *to, const void *from, size_t room);

#endif
