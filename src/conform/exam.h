/*
 * exam.h - a game under examination: the position looked at, scratch memory, and what a law is.
 * SPDX-License-Identifier: MIT
 *
 * A law is one function. It is called once (LAW_ONCE), at every position of the random games
 * (LAW_EVERYWHERE), or at some positions still going, picked from them (LAW_SAMPLED), and returns
 * QV_OK or what exam_fail returns. Laws stand in the order in which they may rely on each other:
 * what an earlier one has shown, a later one takes for granted.
 */
#ifndef CONFORM_EXAM_H
#define CONFORM_EXAM_H

#include "base/memory.h"
#include "quevedo.h"

enum law_place { LAW_ONCE, LAW_EVERYWHERE, LAW_SAMPLED };

struct exam;

struct law {
	const char *name;          /* NULL ends a table */
	enum law_place place;
	enum qv_status (*holds)(struct exam *x);
	bool (*applies)(const struct qv_game *game);   /* NULL: to every game */
	int samples;               /* LAW_SAMPLED: positions for each hundred games */
};

/* Plies of the trees that laws walk themselves, and of the lines they replay. */
enum { TREE_PLIES = 8, LINE_PLIES = QV_MAX_LINE };

/* Scratch states, each between guard bytes and with a list of moves; the first is in use. */
enum { SLOT_AT, SLOT_A, SLOT_B, SLOT_C, SLOT_D, SLOT_TREE, SLOTS = SLOT_TREE + TREE_PLIES };

struct exam {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const struct qv_game *game;
	struct qv_conformance how; /* presets filled in */
	struct qv_error *error;
	const struct law *law;
	uint64_t checks;           /* of this law */
	struct qv_random random;   /* for what a law chooses; begins anew with each law */

	/* The position looked at. */
	unsigned char *at;         /* NULL: none yet */
	int ply;
	enum qv_outcome outcome;
	int32_t points[QV_MAX_SEATS];
	qv_move *list;
	int count;
	bool over;                 /* by the rules or by repetition */
	uint64_t *history; /* repeat hashes from the start to here; LINE_PLIES of room more */
	int cut;                   /* the first of them since the last irreversible move */

	unsigned char *room;
	size_t room_size, slot_size;
	uint64_t *seen;            /* SEEN_SIZE pairs, for the hash law */
	char (*texts)[QV_MOVE_TEXT];
	unsigned char *memory;     /* for each evaluation that recalls, one after the other */
	void *aid;                 /* of the index, made by its first law; may be NULL */
};
enum { SEEN_SIZE = 1 << 14, TEXTS = QV_MAX_MOVES, LIST_ROOM = QV_MAX_MOVES + 64 };

/* The tables, in the order in which they are run. */
extern const struct law fact_laws[], rules_laws[], extra_laws[], text_laws[], board_laws[],
	notion_laws[], index_laws[], search_laws[];

/* Breaks the law under examination: "LAW: what is wrong; at POSITION". Returns QV_ILLEGAL. */
enum qv_status exam_fail(struct exam *x, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Takes the memory the exam needs; the facts must have been found sane. Release even after a
 * failure.
 */
enum qv_status exam_init(struct exam *x);
void exam_release(struct exam *x);

unsigned char *exam_slot(const struct exam *x, int slot);
qv_move *exam_list(const struct exam *x,
		   int slot); /* LIST_ROOM moves of room; that of SLOT_AT is in use */
bool exam_guards_hold(const struct exam *x, int slot);   /* nothing was written beside the state */
unsigned char *exam_copy(const struct exam *x, int slot, const void *state);
bool exam_same(const struct exam *x, const void *a, const void *b);

/*
 * Fills the slot with a byte, and the dead part of the stack with it too: what a function then
 * leaves uninitialised shows as a difference between two calls.
 */
unsigned char *exam_dirty(const struct exam *x, int slot, int byte);
void exam_stir_stack(int byte);

/* What the evaluation's memory takes. */
size_t exam_memory(const struct qv_evaluation *e);

/* Looks at random positions as the law wants and applies it. */
enum qv_status exam_walk(struct exam *x);

/* The state after the move, in the slot. */
unsigned char *exam_after(const struct exam *x, int slot, const void *state, qv_move move);
/* Any listed move of x, and a count for it where it has one. */
qv_move exam_any_move(struct exam *x);
int exam_max_count(const struct exam *x, const void *state, qv_move move);
/*
 * Where the history that may recur begins after a move played at that ply, and whether the state
 * there ends the game by repetition.
 */
int exam_cut_after(const struct exam *x, const void *state, qv_move move, int cut, int ply);
bool exam_repeats(const struct exam *x, const void *state, int cut, int ply, int32_t *points);
bool exam_is_registered(const struct exam *x);
/* Printable, not empty, and its NUL is within the room. */
bool exam_is_text(const char *text, size_t room);

#endif
