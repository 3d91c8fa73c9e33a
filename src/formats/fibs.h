/*
 * fibs.h - backgammon positions as board lines of FIBS, the First Internet Backgammon Server, which
 * GNU Backgammon exchanges with external players.
 * SPDX-License-Identifier: MIT
 *
 *     board:NAME:NAME:MATCH:SCORE:SCORE:26 POINTS:TURN:4 DICE:CUBE: ...
 *
 * A board line has two names and up to 50 numbers. Points are 0 to 25, both bars included; the men
 * of one player are positive, those of the other negative. COLOUR is the sign of the player whom
 * the line describes, DIRECTION is 1 if this player moves towards higher points, and TURN is the
 * sign of the player on roll, even if this player has doubled and the other one must answer.
 *
 * GNU Backgammon 1.07 differs from FIBS in the two scores: if the player described is on roll and
 * has not doubled, the opponent's score comes first. Both directions here follow GNU Backgammon.
 */
#ifndef FORMATS_FIBS_H
#define FORMATS_FIBS_H

#include "games/backgammon/rules.h"

/* The numbers in their order. Where a field has several, the name is that of the first. */
enum fibs_field {
	FIBS_MATCH, /* its length in points; 0 or FIBS_MONEY: a money game */
	FIBS_SCORE,
	FIBS_POINT = FIBS_SCORE + 2,
	FIBS_TURN = FIBS_POINT + 26,
	FIBS_DICE, /* of the player described, then of the other; 0: not rolled */
	FIBS_CUBE = FIBS_DICE + 4,
	FIBS_MAY_DOUBLE,		    /* whether the player described, and the other, may */
	FIBS_DOUBLED = FIBS_MAY_DOUBLE + 2, /* the player on roll has doubled */
	FIBS_COLOUR,
	FIBS_DIRECTION,
	FIBS_HOME, /* the places of men off and of the bar */
	FIBS_BAR,
	FIBS_OFF,			 /* men off, of the player described and of the other */
	FIBS_ON_BAR = FIBS_OFF + 2,	 /* men on the bar, likewise */
	FIBS_CAN_MOVE = FIBS_ON_BAR + 2, /* men that the roll moves */
	FIBS_FORCED,
	FIBS_POST_CRAWFORD,
	FIBS_NO_CRAWFORD, /* the game is not the Crawford game */
	FIBS_FIELDS,
	FIBS_LEAST = FIBS_DIRECTION + 1, /* a line must have these; others are 0 if left out */
};

enum { FIBS_MONEY = 9999, FIBS_NAME = 32 };

struct fibs_board {
	char name[2][FIBS_NAME]; /* longer ones are cut */
	int32_t field[FIBS_FIELDS];
};

/*
 * Reads a line up to its end or the first blank after the names, and sets *rest behind it. The
 * numbers are not checked. QV_BAD_INPUT: it is not a board line.
 */
enum qv_status fibs_read(const char *text, struct fibs_board *out, const char **rest,
			 struct qv_error *error);
/* Writes all fields, without a line end. */
void fibs_write(const struct fibs_board *board, struct qv_text *out);

/*
 * Changes the options of the game to those that the board needs: the length of the match, and the
 * cube for money games if the board shows that it is in use. A match longer than the game allows
 * becomes the longest with the same points to go, or nearly so.
 */
void fibs_options(const struct fibs_board *board, int64_t *options);
/*
 * The position in which a player must decide, by these options, as fibs_options has changed them.
 * The player with positive men becomes seat 1. QV_ILLEGAL: a number is out of range, or no game
 * reaches such a position.
 */
enum qv_status fibs_to_state(const struct fibs_board *board, const int64_t *options,
			     struct backgammon *out, struct qv_error *error);
/*
 * The board of a position in which a seat must decide; the names are left empty. The answer to a
 * beaver is the only decision for which GNU Backgammon has no board.
 */
void fibs_from_state(const struct backgammon *s, struct fibs_board *out);

#endif
