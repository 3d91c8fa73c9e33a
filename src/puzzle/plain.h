/*
 * plain.h - a plain search by the rules alone: can a side force its goal within some plies?
 * SPDX-License-Identifier: MIT
 *
 * Every move of both sides is tried. It shares no code with the searches of players and solvers,
 * so that it can check them. The moves of chance count as the opponent's: a goal that is forced is
 * reached with any dice. Repetition is ignored.
 */
#ifndef PUZZLE_PLAIN_H
#define PUZZLE_PLAIN_H

#include "puzzle/puzzle.h"

enum { PLAIN_DEPTH = 64, PLAIN_TABLE = 1 << 17 };

enum plain_answer { PLAIN_NO, PLAIN_YES, PLAIN_UNKNOWN };

struct plain_entry {
	uint64_t key;
	int32_t value;
};

/* What is particular to a game. */
struct plain_hints {
	const char *game;
	/*
	 * Drops the moves that cannot matter when the attacker has `left` moves to go, because they
	 * are as good as a pass. Of these the defender keeps one. Returns the number of moves that
	 * are left. NULL: all can matter.
	 */
	int (*keep)(const void *state, qv_move *list, int n, int left, bool attacks);
	/* What a seat's pieces are worth for a gain; NULL: their material. */
	int32_t (*worth)(const void *state, int seat);
	int squares; /* where the winner also gets the empty squares; 0: elsewhere */
};

struct plain {
	const struct qv_game *game;
	const struct qv_allocator *allocator;
	const struct plain_hints *hints; /* NULL: none */
	struct plain_entry *table;
	unsigned char *states; /* PLAIN_DEPTH + 1 of them */
	qv_move *moves;	       /* as many lists */
	qv_move killers[PLAIN_DEPTH + 1];
	uint64_t nodes, most; /* most: limit; 0: none */
	const struct qv_flag *stop; /* may be NULL */

	/* The question. */
	int attacker;
	struct puzzle_goal goal;
	int32_t base;  /* material before the first move */
	uint64_t salt; /* separates the questions in the table */
};

enum qv_status plain_init(struct plain *p, const struct qv_allocator *a,
			  const struct qv_game *game, struct qv_error *error);
void plain_release(struct plain *p); /* {0} is fine */
/* Sets the question: the seat to move in `root` wants the goal. */
void plain_aim(struct plain *p, const void *root, const struct puzzle_goal *goal);
/* Whether it can force the goal, if it has `plies` left from this state on. */
enum plain_answer plain_forces(struct plain *p, const void *state, int plies);
/* Whether it can do so with this first move. */
enum plain_answer plain_move_forces(struct plain *p, const void *state, qv_move move, int plies);
/* Whether it can force another goal within that goal's plies; the question stays. */
enum plain_answer plain_instead(struct plain *p, const void *state,
				const struct puzzle_goal *other);
/*
 * The final lead of the seat to move with best play, within the window. *known is false if a limit
 * ended the search.
 */
int32_t plain_margin(struct plain *p, const void *state, int32_t alpha, int32_t beta, bool *known);

/* The attacker's lead in pieces. */
int32_t plain_lead(const struct plain *p, const void *state);
/* Forgets the table and the count of nodes, before plain_aim. */
void plain_forget(struct plain *p);

/* draughts.c: plain_hints.worth, and gomoku.c: plain_hints.keep. */
int32_t draughts_pieces(const void *state, int seat);
int gomoku_keep_what_matters(const void *state, qv_move *list, int n, int left, bool attacks);

#endif
