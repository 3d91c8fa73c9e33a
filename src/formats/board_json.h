/*
 * board_json.h - boards and positions as JSON, for pages: what a board looks like, what stands on
 * it, what can be clicked; and a position set up by hand, read back.
 * SPDX-License-Identifier: MIT
 *
 * Pure functions. What they return belongs to the caller (json_decref); NULL: no memory. Seats
 * count from 1 in the JSON, and from 0 in C. docs/boards.md has the fields.
 */
#ifndef FORMATS_BOARD_JSON_H
#define FORMATS_BOARD_JSON_H

#include <jansson.h>

#include "quevedo.h"

/* The board of a game with nothing on it, the same for all positions. JSON null: it has none. */
json_t *board_json(const struct qv_rules *rules);

/*
 * A position by the rules alone: {"position", "seat" (0: chance), "turn" (the seat, or who moves
 * after the throw; null: the throw decides), "moves": [{"move", "short", "clicks", "touches",
 * "max", "piece"}], "standing": [[cell, piece, count]], "marks", "scores", "over", "result",
 * "points", "text"}. Without a board, clicks, standing and marks are empty. When it is over there
 * are no moves.
 */
json_t *view_json(const struct qv_rules *rules, const void *state);

/*
 * Says over, result and points anew, as a record has it (repetition, resignation); when it is over
 * the moves go. points may be NULL with QV_GOING. False: no memory.
 */
bool view_say_result(json_t *view, const struct qv_game *game, enum qv_outcome outcome,
		     const int32_t *points);

/*
 * Of moves that the same clicks enter, those that lead to different pieces on the last cell also
 * have "piece", the one it becomes: a choice for pages. Moves have "short" as put_short says.
 */

/*
 * Adds "short" to the object of a legal move: as people write it (chess: Nf3), where the game knows
 * such a notation; else nothing. The object, or NULL, when it is gone.
 */
json_t *put_short(json_t *object, const struct qv_game *game, const void *state, qv_move move);
/* The same as a text; false: the game has no other notation than its own. */
bool move_short(const struct qv_game *game, const void *state, qv_move move,
		char out[QV_MOVE_TEXT]);

/* The cells a legal move shows on, as [cell, ...]; [] without a board. */
json_t *touches_json(const struct qv_game *game, const void *state, qv_move move);

/* The score of each seat as it stands now; JSON null: the game shows none. */
json_t *scores_json(const struct qv_game *game, const void *state);

/*
 * The position in which exactly `standing` stands, [[cell, piece, count], ...] or [[cell, piece],
 * ...], and it is this seat's turn (from 0). Any JSON may come: it is refused with the reason, and
 * the state left alone. QV_UNSUPPORTED: the game has no board, or no editor.
 */
enum qv_status view_set_up(const struct qv_rules *rules, const json_t *standing, int seat,
			   void *state, struct qv_error *error);

#endif
