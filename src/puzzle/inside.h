/*
 * inside.h - what the files of this folder share.
 * SPDX-License-Identifier: MIT
 */
#ifndef PUZZLE_INSIDE_H
#define PUZZLE_INSIDE_H

#include "puzzle/plain.h"

struct backgammon_rolls;
struct race_table;

struct puzzle_checker {
	const struct qv_context *context;
	const struct qv_allocator *allocator;
	struct qv_rules rules;
	struct plain plain;
	struct qv_solver *proof;	/* df-pn; NULL until a value is to be proven */
	struct backgammon_rolls *rolls; /* NULL: another game */
	struct race_table *race;	/* NULL: another game */
	void *state, *next;
	qv_move *moves;
	uint64_t used, most; /* nodes of this puzzle, and their limit */
	const struct qv_flag *stop;
};

/*
 * chess.c: the shortest mate in at most `most` moves. Returns the moves it takes, 0: none was found
 * within the nodes.
 */
int chess_mate_in(const struct qv_allocator *a, const void *state, int most, uint64_t nodes);

/* backgammon.c: roll-outs with `trials` games of each move. */
enum qv_status backgammon_rolls_new(const struct qv_context *context, uint64_t seed, int trials,
				    struct backgammon_rolls **out, struct qv_error *error);
void backgammon_rolls_free(struct backgammon_rolls *r); /* NULL is fine */
/* Makes a puzzle of a position after a roll; false: the position gives no puzzle. */
bool backgammon_rolls_make(struct backgammon_rolls *r, const void *state, struct puzzle *out);
/* As puzzle_check. */
enum qv_status backgammon_rolls_check(struct backgammon_rolls *r, const void *state,
				      const struct puzzle *p, struct qv_error *error);

/* race.c: the exact chances of late positions. */
enum qv_status race_table_new(const struct qv_allocator *a, const struct qv_game *game,
			      struct race_table **out, struct qv_error *error);
void race_table_free(struct race_table *t); /* NULL is fine */
/* Makes a puzzle of a position after a roll; false: the position gives no puzzle. */
bool race_table_make(const struct race_table *t, const void *state, struct puzzle *out);
/* As puzzle_check. */
enum qv_status race_table_check(const struct race_table *t, const void *state,
				const struct puzzle *p, struct qv_error *error);

#endif
