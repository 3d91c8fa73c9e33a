/*
 * header.h - a plan in writing: the first line of a journal.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_HEADER_H
#define MATCH_HEADER_H

#include "base/json.h"
#include "match/match.h"

/* The plan as {"quevedo":1,"match":{...}}; NULL: no memory, or a text is not UTF-8. */
json_t *header_of_plan(const struct match_plan *plan);

/* A plan out of such a value, which it borrows texts from. {0} is a valid empty one. */
struct header_plan {
	struct match_plan plan;
	const struct qv_allocator *allocator;
	struct match_player *players;
	struct match_opening *openings;
	json_t *source;
};
/* Takes a reference to the value. The plan is checked as plan_check does, specs are not. */
enum qv_status header_read(const struct qv_context *context, json_t *header,
			   struct header_plan *out, struct qv_error *error);
void header_release(struct header_plan *h);

/* Refuses two headers that differ, and names the first difference. */
enum qv_status header_compare(const json_t *there, const json_t *wanted, struct qv_error *error);

#endif
