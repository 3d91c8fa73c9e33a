/*
 * exam.h - a game under examination: the current position, scratch memory, and what a law is.
 * SPDX-License-Identifier: MIT
 *
 * A law is one function. It is called once (LAW_ONCE), at every position of the random games
 * (LAW_EVERYWHERE), or at a sample of positions where the game has not ended (LAW_SAMPLED). It
 * returns true, or false after exam_fail. Laws are ordered so that a later one may rely on what
 * an earlier one has checked.
 */
#ifndef CONFORM_EXAM_H
#define CONFORM_EXAM_H

#include "base/memory.h"
#include "conform/watch.h"
#include "quevedo.h"
#include "search/legal.h"

enum law_place { LAW_ONCE, LAW_EVERYWHERE, LAW_SAMPLED };

/* What a game must have for a law to apply to it. */
enum feature {
	ANY_GAME, ALTERNATES, BOARD, CHANCE, COUNT, COUNTED_MOVES, DRAWING, DUEL, EDITOR,
	EVALUATION, EVALUATION_TERMS, INDEX, LEAF, LEVELS, MARKS, MATERIAL, MAX_PLIES,
	MOVE_SCORES, PHASES, RANK, RECALL, REPEAT_HASH, REPETITION, SEAT_VALUES, SEVERAL_SEATS,
	SYMMETRY, TERMS, FEATURES
};

struct exam;

struct law {
	const char *name;          /* NULL after the last law */
	enum law_place place;
	bool (*holds)(struct exam *x); /* false: exam_fail has been called */
	enum feature needs;
	int samples;               /* LAW_SAMPLED: positions per hundred games */
};

/* Limits of the trees that laws search by themselves, and of the lines they replay. */
enum { TREE_PLIES = 8, LINE_PLIES = QV_MAX_LINE };

/*
 * Scratch states, each between guard bytes and with a list of moves. SLOT_AT is for the current
 * position (exam.at), SLOT_BEFORE for a copy of it that laws leave alone.
 */
enum {
	SLOT_AT, SLOT_BEFORE, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_TREE,
	SLOTS = SLOT_TREE + TREE_PLIES
};

/* What advice follows from (advice.c). */
enum { EXAM_EVALUATIONS = 16 };
struct exam_tally {
	int games, drawn, won[QV_MAX_SEATS]; /* that have ended */
	int seat;                  /* whose turn it was before */
	int turns, again;          /* turns after another; of the same seat */
	int clicked, beside;       /* moves with clicks; where none is on a cell that they change */
	/* Positions set up with the other seat to move; those with the same value. By evaluation. */
	int compared[EXAM_EVALUATIONS], same[EXAM_EVALUATIONS];
};

struct exam {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const struct qv_game *game;
	struct qv_conformance how; /* with defaults filled in */
	const struct conform_watch *watch; /* may be NULL */
	struct qv_error *error;
	enum qv_status status; /* QV_OK until a law fails */
	const struct law *law;
	uint64_t checks;           /* checks made by this law */
	const char *idle;          /* set by a law that finds that it does not apply: why */
	struct qv_random random;   /* random choices of a law; restarted for each law */

	/* The current position. */
	unsigned char *at;         /* NULL: no position yet. In some games at a fence */
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
	struct exam_tally tally;
};
enum { SEEN_SIZE = 1 << 14, TEXTS = QV_MAX_MOVES, LIST_ROOM = QV_MAX_MOVES + 64 };

/* Not a law: it counts, and holds. The sentences that follow from that go to the watcher. */
extern const struct law advice_law;
void advice_give(const struct exam *x);

/* The tables of laws. */
extern const struct law fact_laws[], rules_laws[], extra_laws[], text_laws[], board_laws[],
	index_laws[], search_laws[];

/*
 * Reports a violation of the current law: "LAW: what is wrong; at POSITION". Sets x->status to
 * QV_ILLEGAL and x->error, and returns false: a law can end with `return good || exam_fail(...)`.
 */
bool exam_fail(struct exam *x, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Reports that a function of the library has failed: QV_NO_MEMORY ends the examination with that
 * status, anything else is a violation. Returns false.
 */
bool exam_broken(struct exam *x, enum qv_status status, const char *what, const char *why);

/*
 * Tells the watcher where the examination is: before a call that may not return, and often enough
 * that the time between two calls says something. `function` is the one that is about to be called,
 * `input` what it reads besides the current position; both may be NULL.
 */
void exam_now(const struct exam *x, const char *function, const char *input);

/*
 * The text for a parser, in memory of just its size, where the watcher has a fence: it ends with
 * the fence, or begins with it. Valid until the next call.
 */
const char *exam_text(const struct exam *x, const char *text, bool at_end);

/* The state in a slot: state_size bytes between guard bytes. */
unsigned char *exam_slot(const struct exam *x, int slot);
/* The list of a slot, with room for LIST_ROOM moves. That of SLOT_AT has the current moves. */
qv_move *exam_list(const struct exam *x, int slot);
/* Whether nothing was written around the state since the examination began. */
bool exam_guards_hold(const struct exam *x, int slot);
/* Copies a state into a slot and returns it. */
unsigned char *exam_copy(const struct exam *x, int slot, const void *state);
/* Whether two states have the same bytes. */
bool exam_same(const struct exam *x, const void *a, const void *b);

/*
 * Fills the slot and the unused part of the stack with a byte. Bytes that a function leaves
 * uninitialized then differ between two calls with different fill bytes.
 */
unsigned char *exam_dirty(const struct exam *x, int slot, int byte);
void exam_stir_stack(int byte);

/* The bytes that the cache of an evaluation takes, with its guard bytes. */
size_t exam_memory(const struct qv_evaluation *e);

/* Plays the move on a copy of the state in the slot, and returns the copy. */
unsigned char *exam_after(const struct exam *x, int slot, const void *state, qv_move move);
/* A random move of the current position, with a random count if it is a counted move. */
qv_move exam_any_move(struct exam *x);
/*
 * The index of the first position that can recur after the move, which is played at this ply; and
 * whether the state ends the game by repetition.
 */
int exam_cut_after(const struct exam *x, const void *state, qv_move move, int cut, int ply);
bool exam_repeats(const struct exam *x, const void *state, int cut, int ply, int32_t *points);
#endif
