/*
 * luck.h - the luck of the rolls and the losses of the moves along the line of a record.
 * SPDX-License-Identifier: MIT
 */
#ifndef RECORD_LUCK_H
#define RECORD_LUCK_H

#include "record/record.h"

/* A ply of a game with chance. */
struct ply_luck {
	int ply;		 /* from 0 */
	bool roll;		 /* a chance outcome; else a move */
	int seat;		 /* whose roll or move it was */
	double luck;		 /* of a roll, for that seat */
	struct qv_move_review review; /* of a move */
	qv_move move;
	const void *before; /* the state before it, valid during the call */
};

/* Sums along the line. */
struct line_luck {
	double luck[QV_MAX_SEATS]; /* of each seat's rolls, for that seat */
	double loss[QV_MAX_SEATS]; /* of each seat's moves */
	double net;		   /* with two seats: what all rolls brought seat 0 */
	bool has_result;	   /* two seats, and the game is decided: ... */
	double result;		   /* ... the margin of seat 0, as equity counts it */
};

/*
 * Values every ply from the start to the cursor. visit, which may be NULL, is called for each in
 * order; unless it returns QV_OK, the walk ends with its status. Rolls only: moves are not reviewed,
 * and visit is not called for them. QV_UNSUPPORTED: the game has no chance.
 */
enum qv_status record_luck(const struct qv_context *context, const struct qv_record *record,
			   bool rolls_only,
			   enum qv_status (*visit)(void *ctx, const struct ply_luck *at), void *ctx,
			   struct line_luck *out, struct qv_error *error);

/*
 * The margin of seat 0 in a game of two seats that has ended, as equity counts it; 1 or -1 if the
 * end was declared. False: it has not ended, was abandoned, or has another number of seats.
 */
bool record_margin(const struct qv_context *context, const struct qv_record *record, double *out);

/* A word for the luck of a roll, as in GNU Backgammon: "", "lucky", "very unlucky" ...; static. */
const char *luck_word(double luck);

enum { LUCK_NOTE = 192 };
/* Writes a comment on a ply: "luck +0.12", "?! loses 0.05 (doubtful): 8/5 6/5 is better"; may be empty. */
void ply_luck_note(const struct qv_game *game, const struct ply_luck *at, char out[LUCK_NOTE]);

#endif
