/*
 * exam.h - a game under examination: the current position, scratch memory, and what a law is.
 * SPDX-License-Identifier: MIT
 *
 * A law is one function. It is called once (LAW_ONCE), at every position of the random games
 * (LAW_EVERYWHERE), or at a sample of positions where the game has not ended (LAW_SAMPLED). It
 * returns QV_OK or the result of exam_fail. Laws are ordered so that a later one may rely on what
 * an earlier one has checked.
 */
#ifndef CONFORM_EXAM_H
#define CONFORM_EXAM_H

#include "base/memory.h"
#include "quevedo.h"

enum law_place { LAW_ONCE, LAW_EVERYWHERE, LAW_SAMPLED };

struct exam;

struct law {
	const char *name;          /* NULL after the last law */
	enum law_place place;
	enum qv_status (*holds)(struct exam *x);
	bool (*applies)(const struct qv_game *game);   /* NULL: the law applies to every game */
	int samples;               /* LAW_SAMPLED: positions per hundred games */
};

/* Limits of the trees that laws search by themselves, and of the lines they replay. */
enum { TREE_PLIES = 8, LINE_PLIES = QV_MAX_LINE };

/*
 * Scratch states, each between guard bytes and with a list of moves. SLOT_AT is the current
 * position.
 */
enum { SLOT_AT, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_TREE, SLOTS = SLOT_TREE + TREE_PLIES };

struct exam {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const struct qv_game *game;
	struct qv_conformance how; /* with defaults filled in */
	struct qv_error *error;
	const struct law *law;
	uint64_t checks;           /* checks made by this law */
	struct qv_random random;   /* random choices of a law; restarted for each law */

	/* The current position. */
	unsigned char *at;         /* NULL: no position yet */
	int ply;
	enum qv_outcome outcome;
	int32_t points[QV_MAX_SEATS];
	qv_move *list;
	int count;
	bool over;                 /* the game has ended, by the rules or by repetition */
	/* Repeat hashes from the start to the current position, with room for LINE_PLIES more. */
	uint64_t *history;
	int cut;                   /* index of the first one since the last irreversible move */

	unsigned char *room;
	size_t room_size, slot_size;
	uint64_t *seen;            /* SEEN_SIZE pairs of hash and fingerprint, for the hash laws */
	char (*texts)[QV_MOVE_TEXT];
	unsigned char *memory;     /* the caches of the evaluations with `recall`, concatenated */
	/* Precomputed data of the index, from its first law; may be NULL. */
	void *aid;
};
enum { SEEN_SIZE = 1 << 14, TEXTS = QV_MAX_MOVES, LIST_ROOM = QV_MAX_MOVES + 64 };

/* The tables of laws. */
extern const struct law fact_laws[], rules_laws[], extra_laws[], text_laws[], board_laws[],
	term_laws[], index_laws[], search_laws[];

/* Reports a violation of the current law: "LAW: what is wrong; at POSITION". Returns QV_ILLEGAL. */
enum qv_status exam_fail(struct exam *x, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Allocates the memory of the examination. The facts of the game must have been checked. Call
 * exam_release even after a failure.
 */
enum qv_status exam_init(struct exam *x);
void exam_release(struct exam *x);

unsigned char *exam_slot(const struct exam *x, int slot);        /* the state in a slot */
/* The list of a slot, with room for LIST_ROOM moves. That of SLOT_AT has the current moves. */
qv_move *exam_list(const struct exam *x, int slot);
bool exam_guards_hold(const struct exam *x, int slot);   /* nothing was written around the state */
/* Copies a state into a slot and returns it. */
unsigned char *exam_copy(const struct exam *x, int slot, const void *state);
bool exam_same(const struct exam *x, const void *a, const void *b);

/*
 * Fills the slot and the unused part of the stack with a byte. Bytes that a function leaves
 * uninitialized then differ between two calls with different fill bytes.
 */
unsigned char *exam_dirty(const struct exam *x, int slot, int byte);
void exam_stir_stack(int byte);

/* The bytes that the cache of an evaluation takes, with its guard bytes. */
size_t exam_memory(const struct qv_evaluation *e);

/* Plays random games and applies the current law to their positions. */
enum qv_status exam_walk(struct exam *x);

/* Plays the move on a copy of the state in the slot, and returns the copy. */
unsigned char *exam_after(const struct exam *x, int slot, const void *state, qv_move move);
/* A random move of the current position, with a random count if it is a counted move. */
qv_move exam_any_move(struct exam *x);
int exam_max_count(const struct exam *x, const void *state, qv_move move);
/*
 * The index of the first position that can recur after the move, which is played at this ply; and
 * whether the state ends the game by repetition.
 */
int exam_cut_after(const struct exam *x, const void *state, qv_move move, int cut, int ply);
bool exam_repeats(const struct exam *x, const void *state, int cut, int ply, int32_t *points);
/* Whether the context has the game, so that it can be found by name. */
bool exam_is_registered(const struct exam *x);
/* Whether a text is printable, not empty, and ends within `room` bytes. */
bool exam_is_text(const char *text, size_t room);
int exam_cell_count(const struct exam *x);       /* the cells of the game's board */

#endif
