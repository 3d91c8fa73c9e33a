/*
 * letters.c - responses on their way to other nodes.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/letters.h"

#include <stdlib.h>
#include <string.h>

static void letter_free(struct letter *letter)
{
	free((char *)letter->response.text);
	free((char *)letter->response.file);
	free(letter->calls);
	free(letter);
}

bool letter_set(struct letter *letter, const struct api_response *response)
{
	char *text = strdup(response->text);
	char *file = response->file ? strdup(response->file) : NULL;
	if (!text || (response->file && !file)) {
		free(text);
		free(file);
		return false;
	}
	free((char *)letter->response.text);
	free((char *)letter->response.file);
	letter->response = *response;
	letter->response.text = text;
	letter->response.size = strlen(text);
	letter->response.file = file;
	return true;
}

/* The first message of a stream goes apart: in place of it, an error can be sent. */
static bool same_letter(const struct letter *letter, const char *node,
			const struct letter_call *call, const struct api_response *r)
{
	const struct api_response *other = &letter->response;
	return r->stream && other->stream && r->end == other->end && r->status == other->status &&
	       r->size == other->size && !call->message == !letter->calls->message &&
	       strcmp(letter->node, node) == 0 && memcmp(other->text, r->text, r->size) == 0;
}

static bool add_call(struct letter *letter, const struct letter_call *call)
{
	if (letter->count == letter->room) {
		const size_t room = letter->room ? 2 * letter->room : 1;
		struct letter_call *calls = realloc(letter->calls, room * sizeof *calls);
		if (!calls)
			return false;
		letter->calls = calls;
		letter->room = room;
	}
	letter->calls[letter->count++] = *call;
	return true;
}

static struct letter *letter_new(const char *node, const struct letter_call *call,
				 const struct api_response *response)
{
	struct letter *letter = calloc(1, sizeof *letter);
	if (letter && add_call(letter, call) && letter_set(letter, response)) {
		snprintf(letter->node, sizeof letter->node, "%s", node);
		return letter;
	}
	if (letter)
		letter_free(letter);
	return NULL;
}

/* A call joins no letter before its last one: its messages stay in order. */
uint64_t letters_add(struct letters *letters, const char *node, const struct letter_call *call,
		     uint64_t after, const struct api_response *response)
{
	struct letter *letter = letters->first;
	while (letter && (letter->order <= after || !same_letter(letter, node, call, response)))
		letter = letter->next;
	if (letter)
		return add_call(letter, call) ? letter->order : 0;
	if (!(letter = letter_new(node, call, response)))
		return 0;
	letter->order = ++letters->count;
	if (letters->first)
		letters->last->next = letter;
	else
		letters->first = letter;
	letters->last = letter;
	return letter->order;
}

json_t *letter_json(const struct letter *letter)
{
	const struct api_response *r = &letter->response;
	json_t *calls = json_array();
	for (size_t i = 0; i < letter->count; i++) {
		json_array_append_new(calls, json_integer((json_int_t)letter->calls[i].call));
		json_array_append_new(calls, json_integer((json_int_t)letter->calls[i].message));
	}
	return json_pack("{s:o, s:i, s:s, s:s, s:b, s:b, s:s}", "reply", calls, "status", r->status,
			 "type", r->type, "text", r->text, "stream", (int)r->stream, "end",
			 (int)r->end, "file", r->file ? r->file : "");
}

void letters_drop_first(struct letters *letters)
{
	struct letter *letter = letters->first;
	letters->first = letter->next;
	letter_free(letter);
}

void letters_release(struct letters *letters)
{
	while (letters->first)
		letters_drop_first(letters);
}
