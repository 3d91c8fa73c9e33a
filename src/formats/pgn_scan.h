/*
 * pgn_scan.h - the words of a PGN file: tags, moves, numbers, comments, results.
 * SPDX-License-Identifier: MIT
 *
 * Any bytes may come. Texts come out as UTF-8 without NULs: what is not UTF-8 is taken for
 * ISO 8859-1, as the standard of 1994 has it.
 */
#ifndef FORMATS_PGN_SCAN_H
#define FORMATS_PGN_SCAN_H

#include "base/text.h"

enum pgn_word {
	PGN_FILE_ENDS,
	PGN_TAG,     /* a `[` that begins a line of tags; pgn_scan_tag reads it */
	PGN_NUMBER,  /* of a move: digits, with or without dots; or dots alone */
	PGN_SYMBOL,  /* a move, most likely */
	PGN_RESULT,  /* 1-0, 0-1, 1/2-1/2, * */
	PGN_COMMENT, /* what is between braces, or behind a semicolon */
	PGN_GLYPH,   /* $1, or ! and the like */
	PGN_OPEN,    /* ( */
	PGN_CLOSE,   /* ) */
	PGN_WRONG,   /* see `text` */
};

enum { PGN_MAX_SYMBOL = 128 };

struct pgn_scan {
	const char *at, *start, *end;
	int line; /* from 1, of `at` */

	/* The word read last. */
	int word_line;
	const char *word_at;
	struct string text; /* of a comment, symbol or number; says what is wrong */
	int glyph;	    /* 0 to 255 */
	bool dotted;	    /* of a number: dots followed */
};

void pgn_scan_init(struct pgn_scan *s, const struct qv_allocator *a, const char *data, size_t size);
void pgn_scan_release(struct pgn_scan *s);
/* Want of memory shows in text.failed. */
enum pgn_word pgn_scan_next(struct pgn_scan *s);
/* Stands before a word again: the one read last. */
void pgn_scan_back(struct pgn_scan *s);

/* After PGN_TAG: name and value, which are then in `name` and `text`; false: it is none. */
bool pgn_scan_tag(struct pgn_scan *s, struct string *name);

/*
 * After something wrong: to the next line that looks like the first tag of a game. Tags of the
 * same game, if no moves have been seen of it, are left behind too.
 */
void pgn_scan_recover(struct pgn_scan *s, bool in_tags);

#endif
