/*
 * calls.c - the calls that the API works on, by number.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/memory.h"
#include "server/http/transport.h"

void calls_init(struct calls *calls)
{
	*calls = (struct calls){ .by_number = { .allocator = &mem_malloc } };
}

struct web_call *calls_add(struct calls *calls)
{
	struct web_call *call = calloc(1, sizeof *call);
	if (!call)
		return NULL;
	call->number = ++calls->last;
	if (map_add(&calls->by_number, call->number, call))
		return call;
	free(call);
	return NULL;
}

struct web_call *calls_find(const struct calls *calls, uint64_t number)
{
	return map_find(&calls->by_number, number);
}

void calls_remove(struct calls *calls, uint64_t number)
{
	struct web_call *call = calls_find(calls, number);
	map_remove(&calls->by_number, number, call);
	free(call);
}

void calls_release(struct calls *calls)
{
	struct web_call *call;
	for (size_t at = 0; (call = map_next(&calls->by_number, &at));)
		free(call);
	map_release(&calls->by_number);
}
