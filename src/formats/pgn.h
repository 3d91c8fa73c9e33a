/*
 * pgn.h - games in the Portable Game Notation, read into records and written from them.
 * SPDX-License-Identifier: MIT
 *
 * It is chess's format, and good for any game of two seats that move in turn and whose moves hold
 * no blanks: the tag Variant names the game, and its moves are in its own text. The tags of a file
 * are those of the record, glyphs ($1) stand at the beginning of notes, comments are the notes,
 * [%clk] and [%emt] are clocks and times; docs/formats.md has all of it.
 */
#ifndef FORMATS_PGN_H
#define FORMATS_PGN_H

#include "record/record.h"
#include "formats/pgn_scan.h"

enum {
	PGN_MOST_BYTES = INT32_MAX,
	PGN_MAX_DEPTH = 64, /* variations within variations */
};

/* Told of what is odd but does no harm. */
struct pgn_ear {
	void (*tell)(void *ctx, int line, const char *what); /* NULL: nobody listens */
	void *ctx;
};

/* Whether games of it can be written; the error says why not. */
enum qv_status pgn_suits(const struct qv_game *game, struct qv_error *error);

/* ---- Reading ---- */

/* How long the journal of a game may get: a longer game is refused while it is read. 0: no bound. */
struct pgn_bounds {
	int lines;
	size_t bytes;
};

/* The games of a file, one after the other. Fill in the first part. */
struct pgn_reader {
	const struct qv_context *context;
	const struct qv_rules *rules; /* of these games; NULL: as Variant says, chess without it */
	struct pgn_bounds most;
	struct pgn_ear ear;

	struct pgn_scan scan;
	int line;	       /* where the game read last begins */
	struct pgn_game *game; /* the one at work */
};

/* The bytes stay the caller's, and where they are. Release whatever comes back. */
enum qv_status pgn_reader_init(struct pgn_reader *r, const char *data, size_t size,
			       struct qv_error *error);
void pgn_reader_release(struct pgn_reader *r);
/*
 * The next game, with its cursor at the end of the main line; QV_OK with NULL: there is none left.
 * Another status is about this game alone, "line N: WHY": the next call goes on with the one
 * behind it.
 */
enum qv_status pgn_next(struct pgn_reader *r, struct qv_record **out, struct qv_error *error);

/* The first game as a journal. */
enum qv_status pgn_to_journal(const struct qv_context *context, const struct qv_rules *rules,
			      const char *data, size_t size, struct pgn_bounds most,
			      struct string *out, struct qv_error *error);

/* Whether a file's beginning looks like PGN and like nothing else that we read. */
bool pgn_looks_like(const char *data, size_t size);
/* Whether a name ends with .pgn. */
bool pgn_is_name(const char *path);

/* ---- Writing ---- */

struct pgn_style {
	/* Comments as engine matches have them, {+0.31/14 0.323s}, in place of [%emt]. */
	bool match;
	/* Further tags, or other values than the record's. */
	const struct record_tag *tags;
	int tag_count;
	/* A comment before the result; NULL or "": none. */
	const char *last_comment;
	/* Who plays; NULL: as the record has it. */
	const char *players[2];
};

/* In export format; the main line is the cursor's. What it cannot hold is an error. */
enum qv_status pgn_write(const struct qv_context *context, const struct qv_record *record,
			 const struct pgn_style *style, struct string *out, struct qv_error *error);

/* ---- Moves ---- */

/* A move as PGN has it: short algebraic for chess, else the game's own text. */
void pgn_move_text(const struct qv_game *game, const void *state, qv_move move,
		   struct qv_text *out);
/* Reads one, and what people write in its place: 0-0, e8Q, Ng1-f3, exd6e.p. */
bool pgn_move_parse(const struct qv_game *game, const void *state, const char *text, qv_move *out);

#endif
