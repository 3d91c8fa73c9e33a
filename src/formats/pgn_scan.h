/*
 * pgn_scan.h - the tokens of a PGN file: tags, moves, numbers, comments, results.
 * SPDX-License-Identifier: MIT
 *
 * The input may be any bytes. Texts are returned as UTF-8 without NULs; a text that is not UTF-8 is
 * taken for ISO 8859-1, as the PGN standard of 1994 has it.
 */
#ifndef FORMATS_PGN_SCAN_H
#define FORMATS_PGN_SCAN_H

#include "base/text.h"

enum pgn_word {
	PGN_FILE_ENDS,
	PGN_TAG,     /* a `[` that begins a tag; pgn_scan_tag reads the rest */
	PGN_NUMBER,  /* move number: digits, with or without dots, or dots alone */
	PGN_SYMBOL,  /* probably a move */
	PGN_RESULT,  /* 1-0, 0-1, 1/2-1/2, * */
	PGN_COMMENT, /* text between braces or after a semicolon */
	PGN_GLYPH,   /* $1, or a sign such as ! */
	PGN_OPEN,    /* ( */
	PGN_CLOSE,   /* ) */
	PGN_WRONG,   /* an error, described in `text` */
};

enum { PGN_MAX_SYMBOL = 128 };

struct pgn_scan {
	const char *at, *start, *end;
	int line; /* line number of `at`, from 1 */

	/* The last token. */
	int word_line;
	const char *word_at;
	struct string text; /* of a comment, symbol or number; or the error */
	int glyph;	    /* 0 to 255 */
	bool dotted;	    /* a number with dots */
};

/* Starts scanning; data must stay valid. Release with pgn_scan_release. */
void pgn_scan_init(struct pgn_scan *s, const struct qv_allocator *a, const char *data, size_t size);
void pgn_scan_release(struct pgn_scan *s);
/* Reads the next token. If memory runs out, text.failed is set. */
enum pgn_word pgn_scan_next(struct pgn_scan *s);
/* Goes back to before the last token. */
void pgn_scan_back(struct pgn_scan *s);

/* After PGN_TAG: reads name and value into `name` and `text`; false: it is not a tag. */
bool pgn_scan_tag(struct pgn_scan *s, struct string *name);

/*
 * After an error: skips to the next line that looks like the first tag of a game. in_tags: the
 * error was among the tags of a game, so the rest of these tags is skipped, too.
 */
void pgn_scan_recover(struct pgn_scan *s, bool in_tags);

#endif
