/*
 * letters.h - responses on their way to other nodes: one text for all calls of a node that get it.
 * SPDX-License-Identifier: MIT
 *
 * Followers of a game get the same messages, but each message to a node passes through the database.
 * So responses are kept until the end of a turn, and a stream's joins those with the same text.
 */
#ifndef SERVER_API_LETTERS_H
#define SERVER_API_LETTERS_H

#include <jansson.h>

#include "server/api/api.h"

/* A call that a letter is for. */
struct letter_call {
	uint64_t guest;	 /* its number here */
	uint64_t call;	 /* its number there */
	int64_t message; /* which of its messages this is, from 0 */
};

struct letter {
	struct letter *next;
	uint64_t order; /* from 1 */
	char node[STORE_NODE];
	struct api_response response; /* without a call; text and file are its own */
	struct letter_call *calls;
	size_t count, room;
};

/* In the order in which they leave. { 0 } is valid. */
struct letters {
	struct letter *first, *last;
	uint64_t count; /* so far */
};

/*
 * Adds a response for a call, whose messages so far are in letters up to `after`. Returns the order
 * of the letter; 0: out of memory.
 */
uint64_t letters_add(struct letters *letters, const char *node, const struct letter_call *call,
		     uint64_t after, const struct api_response *response);
/* Replaces the response of a letter. False: out of memory. */
bool letter_set(struct letter *letter, const struct api_response *response);
/* What the node gets. NULL: out of memory. */
json_t *letter_json(const struct letter *letter);
void letters_drop_first(struct letters *letters);
void letters_release(struct letters *letters);

#endif
