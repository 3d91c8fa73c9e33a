/*
 * board_json.h - boards and positions as JSON, for user interfaces; and reading a position that was
 * set up by hand.
 * SPDX-License-Identifier: MIT
 *
 * The functions have no side effects. The caller releases what they return with json_decref; NULL
 * means not enough memory. Seats are numbered from 1 in JSON and from 0 in C. docs/boards.md
 * describes the fields.
 */
#ifndef FORMATS_BOARD_JSON_H
#define FORMATS_BOARD_JSON_H

#include <jansson.h>

#include "record/record.h"

/* The empty board of a game, the same for all positions. JSON null: the game has no board. */
json_t *board_json(const struct qv_rules *rules);

/*
 * A position by the rules alone: {"position", "seat" (0: chance), "turn" (the seat to move, or the
 * one that moves after the dice roll; null: the roll decides), "moves": [{"move", "short",
 * "clicks", "touches", "ways", "weight" (of a dice roll; 1 is left out), "max", "piece"}],
 * "standing": [[cell, piece, count]], "marks", "scores", "over", "result", "points", "text"}.
 * Without a board, clicks, standing and marks are empty. After the end of the game there are no
 * moves.
 *
 * If several moves have the same clicks and lead to different pieces on the last cell, each has
 * "piece", the piece it becomes: the user has to choose. "short" is as in put_short.
 */
json_t *view_json(const struct qv_rules *rules, const void *state);

/*
 * Replaces over, result and points by those of a record, which knows repetition and resignation. If
 * the game is over, removes the moves. points may be NULL with QV_GOING. False: not enough memory.
 */
bool view_set_result(json_t *view, const struct qv_game *game, enum qv_outcome outcome,
		     const int32_t *points);


/*
 * Adds "short" to the object of a legal move: the move in the usual notation (chess: Nf3), if the
 * game has one. Returns the object, or NULL if it is NULL or memory runs out; then the object is
 * released.
 */
json_t *put_short(json_t *object, const struct qv_game *game, const void *state, qv_move move);
/* The same as a text; false: the game has no such notation. */
bool move_short(const struct qv_game *game, const void *state, qv_move move,
		char out[QV_MOVE_TEXT]);

/* The cells on which a legal move is shown, [cell, ...]; [] without a board. */
json_t *touches_json(const struct qv_game *game, const void *state, qv_move move);

/*
 * The cells of the last move before the cursor. In a game with dice a roll touches none: then those
 * of the move before it, which is still the last one to be seen. `scratch`: a state.
 */
json_t *last_touches_json(const struct qv_record *record, void *scratch);

/* The current score of each seat; JSON null: the game has no score. */
json_t *scores_json(const struct qv_game *game, const void *state);

/*
 * Builds the position with exactly these pieces, [[cell, piece, count], ...] or [[cell, piece],
 * ...], and this seat (from 0) to move. The JSON may be anything: if it is wrong, the error text
 * gives the reason and the state is unchanged. QV_UNSUPPORTED: the game has no board, or no editor.
 */
enum qv_status view_set_up(const struct qv_rules *rules, const json_t *standing, int seat,
			   void *state, struct qv_error *error);

#endif
