/*
 * call_owners.c - maps the number of an API call to the connection that waits for its response.
 * SPDX-License-Identifier: MIT
 *
 * A hash map by number, so that the API needs no pointer to a connection and a late response to a
 * closed one finds nothing.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "server/http/transport.h"

void call_owners_init(struct call_owners *calls)
{
	*calls = (struct call_owners){ .by_number = { .allocator = &mem_malloc } };
}

struct call_owner *call_owners_add(struct call_owners *calls)
{
	struct call_owner *call = calloc(1, sizeof *call);
	if (!call)
		return NULL;
	call->number = ++calls->last;
	if (map_add(&calls->by_number, call->number, call))
		return call;
	free(call);
	return NULL;
}

struct call_owner *call_owners_find(const struct call_owners *calls, uint64_t number)
{
	return map_find(&calls->by_number, number);
}

void call_owners_remove(struct call_owners *calls, uint64_t number)
{
	struct call_owner *call = call_owners_find(calls, number);
	map_remove(&calls->by_number, number, call);
	free(call);
}

void call_owners_release(struct call_owners *calls)
{
	struct call_owner *call;
	for (size_t at = 0; (call = map_next(&calls->by_number, &at));)
		free(call);
	map_release(&calls->by_number);
}
