/*
 * sgf_tree.h - games on boards of points in the Smart Game Format (SGF, FF[4]) and in the Generic
 * Game Format of GGS (GGF): reversi (GM[2], GM[Othello]), go-moku (GM[4]), nine men's morris (GM[5]).
 * SPDX-License-Identifier: MIT
 *
 * Both formats are trees of properties. A point is two letters, column and row from the top left, or
 * a letter and a number as in the game's own notation. Nine men's morris, for which SGF defines no
 * points, is in the game's notation. Names, event, place, date, ratings and the like become seats
 * and tags, comments become notes, TE, BM, DO and IT glyphs ($1 to $6), and arrows and circles
 * [%cal] and [%csl]. GGF has times and evaluations within its moves; evaluations become [%eval].
 * Backgammon has a reader of its own (backgammon_file.h), because its nodes have dice.
 */
#ifndef FORMATS_SGF_TREE_H
#define FORMATS_SGF_TREE_H

#include "formats/pgn.h"

enum {
	SGF_MAX_BYTES = 64 << 20,
	SGF_MAX_DEPTH = 512, /* nesting of variations */
	SGF_MAX_BOARD = 19,
	SGF_TEXT = 64, /* of a short property */
};

/* Reads the games of a file one by one. Set the first part, and the rest to 0. */
struct sgf_reader {
	const struct qv_context *context;
	struct pgn_bounds most;
	const char *at, *end;

	int line; /* of `at`, less 1 */
	struct sgf_game *game;
};

/* Whether the text is a game that this reader knows. */
bool sgf_tree_looks_like(const char *data, size_t size);
/* The name of the game in an SGF file, if it is one that Quevedo does not play; else NULL. Static. */
const char *sgf_other_game(const char *data, size_t size);
/*
 * Reads the next game, as pgn_next does: the caller frees the record. After an error, "line N: WHY",
 * the next call reads the game after it.
 */
enum qv_status sgf_next(struct sgf_reader *r, struct qv_record **out, struct qv_error *error);

/*
 * Append the game. The main line is the one of the cursor. QV_UNSUPPORTED: the format has no such
 * game; GGF is for reversi alone, and has no variations.
 */
enum qv_status sgf_tree_write(const struct qv_context *context, const struct qv_record *record,
			      struct string *out, struct qv_error *error);
enum qv_status ggf_write(const struct qv_context *context, const struct qv_record *record,
			 struct string *out, struct qv_error *error);

/* ---- What reading and writing share ---- */

/* A game as the formats know it. */
struct sgf_kind {
	const char *number;   /* its GM; GGF has names */
	const char *name;     /* of our game */
	bool points;	      /* moves are points, two letters */
	bool from_top;	      /* row 1 is at the top of the board */
	bool white_first;
	int size; /* of the board, if SZ is missing */
};
/* By GM, or with a NULL by the name of the game; NULL: unknown. */
const struct sgf_kind *sgf_kind_of(const char *gm, const char *name);

/* A property of the root and the record's tag that it becomes. */
struct sgf_fact {
	const char *property, *tag;
	bool ggf, sgf; /* where it is written */
};
extern const struct sgf_fact sgf_facts[];
extern const int sgf_fact_count;

/* The number of rows of the record's board. */
int sgf_board_size(const struct qv_record *record, const struct sgf_kind *kind);

#endif
