/*
 * pgn.h - games in Portable Game Notation, read into records and written from them.
 * SPDX-License-Identifier: MIT
 *
 * PGN is chess's format, but suits any game of two seats that alternate and whose move texts have
 * no blanks: the tag Variant names the game, and moves are in its own notation. The tags of a file
 * become the record's tags, comments become notes, glyphs ($1) the start of notes, and [%clk] and
 * [%emt] clocks and times. docs/formats.md has the details.
 */
#ifndef FORMATS_PGN_H
#define FORMATS_PGN_H

#include "record/record.h"
#include "formats/pgn_scan.h"

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

/* ---- Reading ---- */

/* Limits of a game's journal; reading fails for a longer game. 0: no limit. */
struct pgn_bounds {
	int lines;
	size_t bytes;
};

/* Reads the games of a file one by one. Set the fields of the first part before pgn_reader_init. */
struct pgn_reader {
	const struct qv_context *context;
	/* The expected rules; NULL: as the tag Variant says, else chess. */
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
/* Whether a name ends with .pgn. */
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

/* ---- Moves ---- */

/* Writes a move in PGN: short algebraic notation for chess, else the game's own notation. */
void pgn_move_text(const struct qv_game *game, const void *state, qv_move move,
		   struct qv_text *out);
/* Reads a move, also in common variants such as 0-0, e8Q, Ng1-f3, exd6e.p. False: no legal move. */
bool pgn_move_parse(const struct qv_game *game, const void *state, const char *text, qv_move *out);

#endif
