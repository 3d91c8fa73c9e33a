/*
 * hub.h - lines, positions and moves of Hub, a protocol for draughts engines.
 * SPDX-License-Identifier: MIT
 *
 *     COMMAND name=value name="value with blanks" flag ...
 *
 * Hub was made for the board of 10x10 squares. A position of English draughts has 33 characters in
 * the same form: `B` or `W` for the side to move, then squares 1 to 32 as w, b, W, B (kings) or e
 * (empty). A capture lists the squares where it starts and ends, then those of the captured pieces
 * in any order: `22x8x18x11`. Paths that differ only between these squares lead to the same position
 * and are written alike.
 */
#ifndef FORMATS_HUB_H
#define FORMATS_HUB_H

#include "base/text.h"
#include "games/draughts/rules.h"

enum { HUB_POSITION = DRAUGHTS_SQUARES + 2 }; /* size of a position, NUL included */
#define HUB_START "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww"

/* QV_UNSUPPORTED: it is not draughts. */
enum qv_status hub_fits(const struct qv_game *game, struct qv_error *error);

void hub_position_text(const struct draughts *s, struct qv_text *out);
/* Reads the squares; whether the position is legal is not checked. */
enum qv_status hub_position_parse(struct draughts *s, const char *text, struct qv_error *error);

void hub_move_text(qv_move move, struct qv_text *out);
/* Finds the legal move; false: no move fits. */
bool hub_move_parse(const struct draughts *s, const char *text, qv_move *move);

/*
 * Scores are in hundredths of a man. Hub has no form for wins, so a win in n plies is written as
 * HUB_WIN - n if that is more than HUB_WIN_LEAST, which no position is worth.
 */
enum { HUB_WIN = 10000, HUB_WIN_LEAST = 9900 };

enum hub_got { HUB_END, HUB_ARGUMENT, HUB_BAD };
/*
 * Cuts the next argument off a line; a flag has the value "". HUB_BAD: a quote is not closed, or a
 * name is missing.
 */
enum hub_got hub_argument(char **rest, char **name, char **value);
/* Appends ` name=value`, quoted where necessary. Hub cannot quote a '"', so it becomes a '\''. */
void hub_add(struct string *out, const char *name, const char *value);

/* Reads a decimal number such as -0.25, in thousandths; large ones are cut to a trillion. */
bool hub_number(const char *text, int64_t *thousandths);

#endif
