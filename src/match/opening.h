/*
 * opening.h - the openings of a match: lists of positions or moves from which games begin.
 * SPDX-License-Identifier: MIT
 */
#ifndef MATCH_OPENING_H
#define MATCH_OPENING_H

#include "base/file.h"
#include "match/match.h"

enum {
	OPENING_MOST_BYTES = 1 << 26, /* of a file */
	OPENING_MOST = 1000000,	      /* openings of a file */
};

/* The openings of a file. {0} is a valid empty list. */
struct opening_list {
	const struct qv_allocator *allocator;
	struct match_opening *openings;
	int count;
	struct string text; /* the openings point into it */
};

/*
 * A file of PGN: the main line of each game. Else one opening per line: a position, or moves from
 * the start, separated by commas, or by blanks if no move contains one, or for chess a position with
 * operations, as in EPD. Empty lines and lines that begin with '#' are ignored. most_plies: how many
 * moves of PGN are used at most; 0: all. Each opening is played: an error names the line. The game
 * must not be over after an opening. The caller releases *out.
 */
enum qv_status openings_read(const struct qv_context *context, const struct qv_rules *rules,
			     const char *text, size_t size, int most_plies,
			     struct opening_list *out, struct qv_error *error);
/* Frees the list and its texts. An empty list is fine. */
void openings_release(struct opening_list *list);

/* Plays the moves, separated as above, on the record. QV_ILLEGAL: a move is not legal. */
enum qv_status opening_play(struct qv_record *record, const char *moves, struct qv_error *error);

#endif
