/*
 * games_file.h - the games of a text in any format that we read, and a game in any that we write.
 * SPDX-License-Identifier: MIT
 *
 * A text is PGN or PDN, SGF or GGF, a backgammon match (.mat or SGF), records one after the other,
 * or the journal of a match; its first bytes show which. Games are read one at a time. A game that
 * cannot be read is reported and skipped; of a backgammon match, what comes before the fault is
 * kept.
 */
#ifndef MATCH_GAMES_FILE_H
#define MATCH_GAMES_FILE_H

#include "formats/backgammon_file.h"
#include "formats/wthor.h"

struct games_listener {
	/* Called for each game; the record is valid during the call. */
	enum qv_status (*game)(void *ctx, struct qv_record *record);
	/*
	 * Called for a game that cannot be read and is skipped, or, with `harmless`, for something
	 * odd in a game that was read.
	 */
	void (*wrong)(void *ctx, const char *what, bool harmless);
	void *ctx;
};

/*
 * Reads all games. `rules` apply to PGN without the tag Variant; NULL: chess. is_pgn: the name of
 * the file says so. If the listener fails, so does the function, and *error is unchanged.
 */
enum qv_status games_of_text(const struct qv_context *context, const struct qv_rules *rules,
			     const char *data, size_t size, bool is_pgn,
			     const struct games_listener *listener, struct qv_error *error);
/* The same for a database of reversi games. */
enum qv_status games_of_wthor(struct wthor_reader *reader, const struct games_listener *listener,
			      struct qv_error *error);

/* Formats that are written, and their names in the same order, for options. */
enum { AS_PGN, AS_PDN, AS_RECORD, AS_MAT, AS_SGF, AS_GGF };
#define GAME_FORMATS "pgn|pdn|record|mat|sgf|ggf"

/*
 * Appends a record. *match is what .mat and SGF have of a backgammon match so far; {0} at first.
 * QV_UNSUPPORTED: the format cannot represent the game. Sets out->failed if memory runs out.
 */
enum qv_status game_write(const struct qv_context *context, const struct qv_record *record,
			  int format, struct backgammon_file *match, struct string *out,
			  struct qv_error *error);

#endif
