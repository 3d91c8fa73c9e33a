/*
 * sized.c - structs of callers that may be older or newer than the library.
 * SPDX-License-Identifier: MIT
 */
#include "base/sized.h"

static size_t size_of(const void *sized)
{
	size_t size;
	memcpy(&size, sized, sizeof size);
	return size;
}

enum qv_status sized_check(const char *name, const void *to, struct qv_error *error)
{
	if (size_of(to) > sizeof(size_t))
		return QV_OK;
	return qv_fail(error, QV_BAD_INPUT, "struct %s: size is not set; set it to sizeof(struct %s)",
		       name, name);
}

enum qv_status sized_in(const char *name, void *to, size_t room, const void *from,
			struct qv_error *error)
{
	const enum qv_status status = from ? sized_check(name, from, error) : QV_OK;
	if (status != QV_OK)
		return status;
	memset(to, 0, room);
	if (from)
		memcpy(to, from, size_of(from) < room ? size_of(from) : room);
	memcpy(to, &room, sizeof room);
	return QV_OK;
}

void sized_out(void *to, const void *from, size_t room)
{
	const size_t size = size_of(to), head = sizeof size, most = size < room ? size : room;
	memcpy((char *)to + head, (const char *)from + head, most - head);
}
