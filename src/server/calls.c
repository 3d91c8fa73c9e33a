/*
 * calls.c - the calls that the API works on, by number.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "server/transport.h"

struct call *calls_add(struct calls *calls)
{
	struct call *call = calloc(1, sizeof *call);
	if (!call)
		return NULL;
	call->number = ++calls->last;
	struct call **bucket = &calls->buckets[call->number % CALL_BUCKETS];
	call->next = *bucket;
	return *bucket = call;
}

struct call *calls_find(const struct calls *calls, uint64_t number)
{
	struct call *call = calls->buckets[number % CALL_BUCKETS];
	while (call && call->number != number)
		call = call->next;
	return call;
}

void calls_remove(struct calls *calls, uint64_t number)
{
	for (struct call **at = &calls->buckets[number % CALL_BUCKETS]; *at; at = &(*at)->next)
		if ((*at)->number == number) {
			struct call *call = *at;
			*at = call->next;
			free(call);
			return;
		}
}

void calls_release(struct calls *calls)
{
	for (int i = 0; i < CALL_BUCKETS; i++)
		while (calls->buckets[i])
			calls_remove(calls, calls->buckets[i]->number);
}
