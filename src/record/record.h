/*
 * record.h - the record of a game from inside: a journal, and the tree that follows from it.
 * SPDX-License-Identifier: MIT
 *
 * The journal is the truth: a text that only grows, one JSON line an event (docs/formats.md). The
 * tree, the cursor and the clocks are what replaying it gives. Every change first makes all the
 * room it needs (tree_reserve, journal_reserve), which is where it may fail, and then happens as
 * a whole.
 *
 *   tree.c     nodes, the cursor's line, states, history, the result at the cursor
 *   journal.c  lines of JSON
 *   record.c   the public functions: each checks, reserves, writes its line and changes the tree
 *   rewrite.c  the last moves taken back and others played, in one step
 *   load.c     a journal read back through those same functions
 */
#ifndef RECORD_RECORD_H
#define RECORD_RECORD_H

#include "base/memory.h"
#include "base/text.h"

/* Beyond these a file is an attack or a mistake, and a live game does not go on. */
enum {
	RECORD_MAX_BYTES = 64 << 20,
	RECORD_MAX_LINES = 1000000,          /* the header counts */
	RECORD_MAX_REDONE = 10000000,        /* plies: a short redo line can name many */
	RECORD_MAX_SECONDS = 1000000000,     /* of one move */
};

enum {
	NODE_NONE = -1,
	NODE_END = -2,                       /* as `follow`: the game was ended by word here */
	STATE_EVERY = 16,                    /* plies between kept states, on every line */
};

/* A position, and the move that led to it. Node 0 is the start. */
struct node {
	qv_move move;
	uint64_t hash;                       /* what the history holds of it */
	int32_t since;                       /* as in struct step; NODE_NONE: never reached yet */
	int32_t kept;                        /* the slot of its state; NODE_NONE: it has none */
	int32_t first, last, next;           /* children, oldest first; the parent's next child */
	int32_t parent;                      /* NODE_NONE: the start has none */
	int32_t follow;                      /* what redo does: a child, NODE_END or NODE_NONE */
	int32_t winner;                      /* as said with `end`: a seat, -1 or QV_UNDECIDED */
	char *note, *end;                    /* end: the line that ended it here. May be NULL */
};

/* One ply of the line from the start to the cursor. */
struct step {
	int32_t node;
	int32_t since;                       /* the ply after the last irreversible move */
};

/* What else is said of a game, as a PGN file does: Event, Site and the like. */
struct record_tag {
	const char *name, *value;            /* UTF-8 */
};
enum { RECORD_MAX_TAGS = 256 };

struct qv_record {
	const struct qv_allocator *allocator;
	struct qv_rules rules;

	struct string journal;
	int lines;
	int64_t redone;

	struct node *nodes;
	size_t node_count, node_room;

	/* The cursor's line; [ply] is the cursor. The search wants the hashes in a row. */
	struct step *line;
	uint64_t *hashes;
	unsigned char *kept;                 /* slots of states; the first holds the start */
	size_t line_room, hash_room, kept_count, kept_room, stride;
	int ply;
	void *state;                         /* at the cursor */

	bool ended;                          /* by word, and not taken back */
	enum qv_outcome outcome;             /* at the cursor */
	int32_t points[QV_MAX_SEATS];
	int64_t clocks[QV_MAX_SEATS];
};

/* ---- tree.c ---- */

/* The first node, at the state in record->state. */
void tree_start(struct qv_record *r);
void tree_release(struct qv_record *r);
/* Room for one more node and one more ply. */
enum qv_status tree_reserve(struct qv_record *r);
/* Room for so many more nodes, and for their states. */
enum qv_status tree_reserve_nodes(struct qv_record *r, int count);
/* The child that a move leads to, or NODE_NONE. */
int32_t tree_child(const struct qv_record *r, int32_t parent, qv_move move);
int32_t tree_add_child(struct qv_record *r, int32_t parent, qv_move move);
/* Moves the cursor; the room is there. */
void tree_forward(struct qv_record *r, int32_t child);
void tree_back(struct qv_record *r, int plies);
/* So many plies along `follow`, which must lead that far. */
void tree_follow(struct qv_record *r, int plies);
/* The state at a ply of the cursor's line, 0 to the cursor's. */
void tree_state_at(const struct qv_record *r, int ply, void *state);
/* Sets outcome and points for the cursor. */
void tree_judge(struct qv_record *r);

static inline struct node *tree_cursor(const struct qv_record *r)
{
	return &r->nodes[r->line[r->ply].node];
}

/* ---- journal.c ---- */

/*
 * The functions that make a line put it into `line`, an empty string that the caller releases. They
 * may fail for want of memory, or because a text is not UTF-8 (QV_BAD_INPUT).
 */
enum qv_status line_header(struct string *line, const struct qv_rules *rules, const char *position,
			   const char *const *seats, int seat_count, const struct record_tag *tags,
			   int tag_count);
enum qv_status line_move(struct string *line, const struct qv_record *r, qv_move move,
			 double seconds);
enum qv_status line_note(struct string *line, const char *text);
/* reason NULL: the rules ended it. */
enum qv_status line_result(struct string *line, int winner, const char *reason);

/* Makes sure that the next lines, of so many bytes in all, can be added without failing. */
enum qv_status journal_reserve(struct qv_record *r, size_t bytes);
void journal_add(struct qv_record *r, const char *line);
/* If the game has ended at the cursor, says so; the room must have been reserved. */
void journal_add_result(struct qv_record *r);

enum { LINE_ROOM = 96 };             /* enough for a line that holds nothing but numbers */

/* The line of the result at the cursor, if it has ended; buffer has LINE_ROOM. */
const char *journal_result_line(const struct qv_record *r, char *buffer);

/* ---- record.c ---- */

/* As qv_record_new, with who sits where: seat_count is the game's, or 0 (not said). */
enum qv_status record_new_seated(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 struct qv_record **out, struct qv_error *error);
/* The same with tags, each name once. */
enum qv_status record_new_tagged(const struct qv_context *context, const struct qv_rules *rules,
				 const char *position, const char *const *seats, int seat_count,
				 const struct record_tag *tags, int tag_count,
				 struct qv_record **out, struct qv_error *error);

/* ---- rewrite.c ---- */

/*
 * Takes back so many plies and plays other moves, no more than were taken back: all of it, or, if one
 * is illegal (QV_ILLEGAL) or room is wanting, nothing. Not for games that know repetition, which could
 * end one of the moves (QV_UNSUPPORTED).
 */
enum qv_status record_rewrite(struct qv_record *record, int plies, const qv_move *moves, int count);

/* ---- load.c ---- */

/*
 * One more line of a journal, for whoever gets them one by one: the header makes *record, the
 * others change it. It is left as it was if the line is refused.
 */
enum qv_status record_load_line(const struct qv_context *context, const char *text,
				struct qv_record **record, struct qv_error *error);
/* As qv_record_load, with a bound of the caller's on the plies that are redone. */
enum qv_status record_load_bounded(const struct qv_context *context, const char *data, size_t size,
				   int64_t most_redone, struct qv_record **out,
				   struct qv_error *error);

#endif
