/*
 * record.h - part of quevedo.h: the record of a game.
 * SPDX-License-Identifier: MIT
 */
#ifndef QUEVEDO_RECORD_H
#define QUEVEDO_RECORD_H

#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A game as it was played: moves with times and notes, variations, undo and redo, and the result.
 * It is a tree of moves with a cursor. A move after an undo starts a variation, or enters an
 * existing one. Use a record from one thread at a time; the context must outlive it.
 */
struct qv_record;
/*
 * Creates a record that starts from a position text, as for qv_position_parse. The rules are
 * copied.
 */
QV_API enum qv_status qv_record_new(const struct qv_context *context, const struct qv_rules *rules,
				    const char *position, struct qv_record **out,
				    struct qv_error *error);
QV_API void qv_record_free(struct qv_record *record);       /* NULL is fine */
QV_API const struct qv_rules *qv_record_rules(const struct qv_record *record);
/* The state at the cursor. The pointer is valid until the record changes. */
QV_API const void *qv_record_state(const struct qv_record *record);
QV_API int qv_record_ply(const struct qv_record *record);   /* moves from the start to the cursor */
/* The move that was played at this ply, from 0, on the line to the cursor. */
QV_API qv_move qv_record_move(const struct qv_record *record, int ply);
/* The number of moves recorded at the cursor, and the n-th of them, from 0, oldest first. */
QV_API int qv_record_variations(const struct qv_record *record);
QV_API qv_move qv_record_variation(const struct qv_record *record, int n);
/*
 * Plays a move at the cursor. seconds < 0: the time is unknown. QV_ILLEGAL: the move is not legal,
 * or the game has ended.
 */
QV_API enum qv_status qv_record_play(struct qv_record *record, qv_move move, double seconds,
				     struct qv_error *error);
/*
 * Moves the cursor back, or forward along the line that was visited last. *done, unless done is
 * NULL, becomes the number of plies it moved, which may be fewer.
 */
QV_API enum qv_status qv_record_undo(struct qv_record *record, int plies, int *done);
QV_API enum qv_status qv_record_redo(struct qv_record *record, int plies, int *done);
/* Sets the comment on the cursor's position; UTF-8, copied. QV_BAD_INPUT: it is not UTF-8. */
QV_API enum qv_status qv_record_note(struct qv_record *record, const char *text);
/* That comment, or NULL. Valid until the record changes. */
QV_API const char *qv_record_note_text(const struct qv_record *record);
/* Records the time that a seat has left at the cursor, and returns it; -1: never recorded. */
QV_API enum qv_status qv_record_clock(struct qv_record *record, int seat, int64_t left_ms);
QV_API int64_t qv_record_clock_left(const struct qv_record *record, int seat);
enum { QV_UNDECIDED = -2 };        /* as winner: the game was abandoned */
/*
 * Ends the game by agreement, resignation, time forfeit or the like. winner is a seat, -1 for a
 * draw, or QV_UNDECIDED. An undo removes this result.
 */
QV_API enum qv_status qv_record_end(struct qv_record *record, int winner, const char *reason);
/*
 * The result at the cursor: by the rules, by repetition, or from qv_record_end. Unless it returns
 * QV_GOING, it writes the points of each seat.
 */
QV_API enum qv_outcome qv_record_result(const struct qv_record *record, int32_t *points);
/*
 * The winner at the cursor: a seat, -1 for a draw, QV_UNDECIDED if the game goes on or was
 * abandoned.
 */
QV_API int qv_record_winner(const struct qv_record *record);
/* The hashes for `history` of struct qv_limits. Valid until the record changes. */
QV_API const uint64_t *qv_record_history(const struct qv_record *record, int *count);
/*
 * Writes and reads a record as JSON lines (docs/formats.md). The record that qv_record_load creates
 * uses the rules that its header names.
 */
QV_API void qv_record_save(const struct qv_record *record, struct qv_text *out);
QV_API enum qv_status qv_record_load(const struct qv_context *context, const char *data,
				     size_t size, struct qv_record **out, struct qv_error *error);

/* ---- Files of other programs ---- */

/* Receives the games of a text. Each function may be NULL. */
struct qv_games_listener {
	size_t size;               /* sizeof(struct qv_games_listener) */
	void *ctx;                 /* passed to each function */
	/*
	 * Called for each game; the record is valid during the call, and its cursor is at the end
	 * of the main line. Returns false to read no further.
	 */
	bool (*game)(void *ctx, struct qv_record *record);
	/*
	 * Called for a game that cannot be read and is skipped, or, with `harmless`, for something
	 * odd in a game that was read.
	 */
	void (*wrong)(void *ctx, const char *what, bool harmless);
};
/*
 * Reads all games of a text: PGN, PDN, SGF, GGF, .mat, WTHOR, records, or the journal of a match;
 * its first bytes show which. `rules` apply to PGN without the tag Variant; NULL: chess. The text
 * may be any bytes. QV_BAD_INPUT: an unknown format.
 */
QV_API enum qv_status qv_games_read(const struct qv_context *context, const struct qv_rules *rules,
				    const char *data, size_t size,
				    const struct qv_games_listener *listener,
				    struct qv_error *error);
/*
 * Writes a record as "pgn", "pdn", "record", "mat", "sgf" or "ggf". QV_UNSUPPORTED: the format cannot
 * represent the game. QV_UNKNOWN: no such format.
 */
QV_API enum qv_status qv_record_export(const struct qv_context *context,
				       const struct qv_record *record, const char *format,
				       struct qv_text *out, struct qv_error *error);

#ifdef __cplusplus
}
#endif

#endif
