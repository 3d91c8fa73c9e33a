/*
 * opening.h - how games of a match begin: lists of openings, and the moves they are made of.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_OPENING_H
#define MATCH_OPENING_H

#include "base/file.h"
#include "match/match.h"

enum { OPENING_MOST_BYTES = 1 << 26, OPENING_MOST = 1000000 };

/* The openings of a text. {0} is a valid empty list. */
struct opening_list {
	const struct qv_allocator *allocator;
	struct match_opening *openings;
	int count;
	size_t room;
	char *text;                /* what they point into */
	size_t text_size;
};

/*
 * One opening a line: a position, or moves from the start, separated by commas, or by blanks where
 * no move holds one. Empty lines and lines that begin with '#' are nothing. Each is tried: an error
 * names the line. An opening may not end the game.
 */
enum qv_status openings_read(const struct qv_context *context, const struct qv_rules *rules,
			     const char *text, size_t size, struct opening_list *out,
			     struct qv_error *error);
void openings_release(struct opening_list *list);

/* Plays the moves on the record. */
enum qv_status opening_play(struct qv_record *record, const char *moves, struct qv_error *error);

#endif
