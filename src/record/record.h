/*
 * record.h - the inside of a game record: a journal, and the tree that follows from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal is authoritative: a text that only grows, with one JSON line per event
 * (docs/formats.md). The tree, the cursor and the clocks are the result of replaying it. Every
 * change first reserves all the memory it needs (tree_reserve, journal_reserve), which may fail,
 * and then takes effect as a whole.
 *
 *    tree.c    nodes, the line to the cursor, states, history, the result at the cursor
 *    record.c  the public functions: each checks, reserves, writes its line and changes the tree
 *    load.c    reads a journal through the same functions
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "base/memory.h"
#include "base/text.h"

/*
 * Limits. A file beyond them is an attack or a mistake and is not loaded; a game in progress cannot
 * continue beyond them.
 */
enum {
	RECORD_MAX_BYTES = 64 << 20,
	RECORD_MAX_LINES = 1000000,          /* the header included */
	RECORD_MAX_REDONE = 10000000,        /* plies in all: a short line can redo many */
	RECORD_MAX_SECONDS = 1000000000,     /* of one move */
};

enum {
	NODE_NONE = -1,
	/* As `follow`: the game was ended here by qv_record_end. */
	NODE_END = -2,
	/* Plies between stored states, on every line of the tree. */
	STATE_EVERY = 16,
};

/* A position, and the move that led to it. Node 0 is the start. */
struct node {
	qv_move move;
	uint64_t hash;                       /* its repeat_hash */
	int32_t since;                       /* as in struct step; NODE_NONE: never reached yet */
	int32_t kept;                        /* slot of its stored state; NODE_NONE: not stored */
	int32_t first, last, next;           /* first and last child, oldest first; next sibling */
	int32_t parent;                      /* NODE_NONE for the start */
	int32_t follow;                      /* where redo goes: a child, NODE_END or NODE_NONE */
	int32_t winner;                      /* with `end`: a seat, -1 or QV_UNDECIDED */
	/* `end`: the journal line that ended the game here; both may be NULL. */
	char *note, *end;
};

/* One ply of the line from the start to the cursor. */
struct step {
	int32_t node;
	int32_t since;                       /* the ply after the last irreversible move */
};

/* A fact about the game, like the tags of a PGN file: Event, Site and so on. */
struct record_tag {
	const char *name, *value;            /* UTF-8 */
};
enum { RECORD_MAX_TAGS = 256 };

struct qv_record {
	const struct qv_allocator *allocator;
	struct qv_rules rules;

	struct string journal;
	int lines;	/* of the journal */
	int64_t redone; /* plies in all; see RECORD_MAX_REDONE */

	struct node *nodes;
	size_t node_count, node_room;

	/*
	 * The line from the start to the cursor, which is [ply]. Searches need the hashes as an
	 * array.
	 */
	struct step *line;
	uint64_t *hashes;
	/* Slots of stored states; the first one is the start. */
	unsigned char *kept;
	size_t line_room, hash_room, kept_count, kept_room, stride;
	int ply;
	void *state;                         /* at the cursor */

	bool ended;                          /* by qv_record_end, and not undone */
	enum qv_outcome outcome;             /* at the cursor */
	int32_t points[QV_MAX_SEATS];
	int64_t clocks[QV_MAX_SEATS]; /* milliseconds left; -1: unknown */
};

/* ---- tree.c ---- */

/* Adds the first node, for the state in r->state. */
void tree_start(struct qv_record *r);
void tree_release(struct qv_record *r);
/* Reserves memory for one more node and one more ply. */
enum qv_status tree_reserve(struct qv_record *r);
/* Reserves memory for `count` more nodes and their states. */
enum qv_status tree_reserve_nodes(struct qv_record *r, int count);
/* The child that a move leads to from the cursor; adds it as the last one if it is new. */
int32_t tree_child(struct qv_record *r, qv_move move);
/* Moves the cursor. Memory must have been reserved. */
void tree_forward(struct qv_record *r, int32_t child);
void tree_back(struct qv_record *r, int plies); /* at most r->ply */
/* Moves the cursor forward along `follow`, which must lead that far. */
void tree_follow(struct qv_record *r, int plies);
/* Writes the state at a ply of the line to the cursor, from 0 to r->ply. */
void tree_state_at(const struct qv_record *r, int ply, void *state);
/* Sets outcome and points for the cursor. */
void tree_judge(struct qv_record *r);

static inline struct node *tree_cursor(const struct qv_record *r)
{
	return &r->nodes[r->line[r->ply].node];
}

/* ---- record.c ---- */

enum { LINE_ROOM = 96 }; /* bytes, enough for a line that contains only numbers */

/*
 * Appends a result line to `line`, an empty string that the caller releases. reason NULL: the game
 * ended by the rules. QV_NO_MEMORY, or QV_BAD_INPUT if the reason is not UTF-8.
 */
enum qv_status line_result(struct string *line, int winner, const char *reason);
/* The result line at the cursor, where the game has ended; buffer has LINE_ROOM bytes. */
const char *journal_result_line(const struct qv_record *r, char *buffer);

/*
 * As qv_record_new, with the players' names: seat_count is the game's number of seats, or 0 for no
 * names.
 */
enum qv_status record_new_seated(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 struct qv_record **out, struct qv_error *error);
/* The same with tags; each name must occur once. */
enum qv_status record_new_tagged(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 const struct record_tag *tags, int tag_count,
				 struct qv_record **out, struct qv_error *error);

/*
 * Undoes `plies` plies and plays other moves, at most as many, in one step. Changes nothing if a
 * move is illegal (QV_ILLEGAL) or memory runs out. QV_UNSUPPORTED for games with a repetition rule,
 * which could end the game in between.
 */
enum qv_status record_rewrite(struct qv_record *record, int plies, const qv_move *moves, int count);

/* ---- load.c ---- */

/*
 * Adds one line of a journal, for callers that receive the lines one by one. The header creates
 * *record; later lines change it. On failure the record is unchanged.
 */
enum qv_status record_load_line(const struct qv_context *context, const char *text,
				struct qv_record **record, struct qv_error *error);
/* As qv_record_load, with the caller's limit of plies that are redone in all. */
enum qv_status record_load_bounded(const struct qv_context *context, const char *data, size_t size,
				   int64_t most_redone, struct qv_record **out,
				   struct qv_error *error);

#endif
