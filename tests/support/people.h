/*
 * people.h - two people at one game, and every route for them called once.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_PEOPLE_H
#define TEST_PEOPLE_H

#include "support/studies.h"

static inline json_t *post_to_play(struct api_desk *d, const struct visitor *who, const char *id,
				   const char *where, const char *body, int status)
{
	char path[128];
	snprintf(path, sizeof path, "/api/v1/plays/%s/%s", id, where);
	return desk_ask(d, who, "POST", path, body, status);
}

/* A game that the first player leaves and the second one claims. */
static inline void try_people(struct api_desk *d, const struct visitor *who)
{
	const struct visitor other = desk_visitor(d);
	const json_t *made = desk_ask(d, who, "POST", "/api/v1/plays",
				      "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}", 201);
	const char *id = desk_text(made, "id");
	post_to_play(d, &other, id, "actions", "{\"action\":\"join\"}", 200);
	post_to_play(d, &other, id, "phrases", "{\"phrase\":\"hello\"}", 200);
	d->skew += 300000;
	post_to_play(d, &other, id, "claim", "{}", 200);
}

#endif
