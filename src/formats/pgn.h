/*
 * pgn.h - games in Portable Game Notation, read into records and written from them.
 * SPDX-License-Identifier: MIT
 *
 * PGN is chess's format, but suits any game of two seats that alternate and whose move texts have
 * no blanks: the tag Variant names the game, and moves are in its own notation. The tags of a file
 * become the record's tags, comments become notes, glyphs ($1) the start of notes, and [%clk] and
 * [%emt] clocks and times. docs/formats.md has the details.
 *
 * Draughts has a dialect, PDN: the tag GameType names the game, Black is the first player, so that
 * 1-0 is Black's win, and 2-0, 1-1 and 0-2 are results, too.
 */
#ifndef FORMATS_PGN_H
#define FORMATS_PGN_H

#include "record/record.h"

enum {
	PGN_MOST_BYTES = INT32_MAX,
	PGN_MAX_DEPTH = 64, /* nesting of variations */
};

/* Receives warnings: oddities of a file that do no harm. */
struct pgn_reporter {
	void (*report)(void *ctx, int line, const char *what); /* NULL: no reports */
	void *ctx;
};

/* Whether the game can be written as PGN. QV_UNSUPPORTED: it cannot; error gives the reason. */
enum qv_status pgn_suits(const struct qv_game *game, struct qv_error *error);

/* ---- Tokens: tags, moves, numbers, comments, results ---- */

/*
 * The input may be any bytes. Texts are returned as UTF-8 without NULs; a text that is not UTF-8 is
 * taken for ISO 8859-1, as the PGN standard of 1994 has it.
 */
enum pgn_word {
	PGN_FILE_ENDS,
	PGN_TAG,     /* a `[` that begins a tag; pgn_scan_tag reads the rest */
	PGN_NUMBER,  /* move number: digits, with or without dots, or dots alone */
	PGN_SYMBOL,  /* probably a move */
	PGN_RESULT,  /* 1-0, 0-1, 1/2-1/2, * */
	PGN_COMMENT, /* text between braces or after a semicolon */
	PGN_GLYPH,   /* $1, or a sign such as ! or (!) */
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

/* Appends a text of a file as UTF-8; control characters become blanks. */
void pgn_add_text(struct string *out, const char *data, size_t length);

/*
 * After an error: skips to the next line that looks like the first tag of a game. in_tags: the
 * error was among the tags of a game, so the rest of these tags is skipped, too.
 */
void pgn_scan_recover(struct pgn_scan *s, bool in_tags);

/* ---- Reading ---- */

/* Limits of a game's journal; reading fails for a longer game. 0: no limit. */
struct pgn_bounds {
	int lines; /* events, one per line */
	size_t bytes;
};

/* Reads the games of a file one by one. Set the fields of the first part before pgn_reader_init. */
struct pgn_reader {
	const struct qv_context *context;
	/* The expected rules; NULL: as the tag Variant or GameType says, else chess. */
	const struct qv_rules *rules;
	struct pgn_bounds most;
	struct pgn_reporter reporter;

	struct pgn_scan scan;
	int line;	       /* first line of the last game */
	struct pgn_game *game; /* the game that is being read */
};

/*
 * Starts reading. data must stay valid and unchanged until pgn_reader_release, which must be called
 * in any case.
 */
enum qv_status pgn_reader_init(struct pgn_reader *r, const char *data, size_t size,
			       struct qv_error *error);
void pgn_reader_release(struct pgn_reader *r);
/*
 * Reads the next game. The cursor of the record, which the caller frees, is at the end of the main
 * line. QV_OK with *out NULL: no more games. Any other status concerns this game only, with the
 * error "line N: WHY"; the next call reads the game after it.
 */
enum qv_status pgn_next(struct pgn_reader *r, struct qv_record **out, struct qv_error *error);

/* Appends the first game of a file as a journal. */
enum qv_status pgn_to_journal(const struct qv_context *context, const struct qv_rules *rules,
			      const char *data, size_t size, struct pgn_bounds most,
			      struct string *out, struct qv_error *error);

/* Whether a file looks like PGN and not like another format that we read. */
bool pgn_looks_like(const char *data, size_t size);
/* Whether a name ends with .pgn or .pdn. */
bool pgn_is_name(const char *path);

/* ---- Writing ---- */

struct pgn_style {
	/* Comments as in engine matches, {+0.31/14 0.323s}, instead of [%emt]. */
	bool match;
	/* Additional tags, or replacements of the record's. */
	const struct record_tag *tags;
	int tag_count;
	/* A comment before the result; may be NULL or "". */
	const char *last_comment;
	/* Names of the players; NULL: as in the record. */
	const char *players[2];
};

/*
 * Appends the record in export format; the main line is the one of the cursor. style may be NULL.
 * QV_UNSUPPORTED: PGN cannot represent the game or one of its moves.
 */
enum qv_status pgn_write(const struct qv_context *context, const struct qv_record *record,
			 const struct pgn_style *style, struct string *out, struct qv_error *error);
/* As pgn_write, but only for a game that PGN writes as PDN, such as draughts. */
enum qv_status pdn_write(const struct qv_context *context, const struct qv_record *record,
			 const struct pgn_style *style, struct string *out, struct qv_error *error);

/* ---- Moves ---- */

/* Writes a move in PGN: short algebraic notation for chess, else the game's own notation. */
void pgn_move_text(const struct qv_game *game, const void *state, qv_move move,
		   struct qv_text *out);
/* Reads a move, also in common variants such as 0-0, e8Q, Ng1-f3, exd6e.p. False: no legal move. */
bool pgn_move_parse(const struct qv_game *game, const void *state, const char *text, qv_move *out);

#endif
