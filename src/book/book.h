/*
 * book.h - opening books of any game: lines and positions with weights, looked up by position.
 * SPDX-License-Identifier: MIT
 *
 * A book is a list of items, as they are written in a file (docs/books.md), and an index built from
 * them. The index contains positions, not sequences of moves. So it does not matter by which order
 * of moves a position arose, how it is rotated or mirrored, or at which ply it occurs. A lookup
 * hashes the position under all its symmetries, whatever the size of the book, and compares
 * positions with equal hashes.
 *
 * Use a book from one thread at a time, also for lookups: they use its scratch memory.
 */
#ifndef BOOK_BOOK_H
#define BOOK_BOOK_H

#include "base/map.h"
#include "base/text.h"
#include "quevedo.h"

enum {
	BOOK_MOST_BYTES = 1 << 26,     /* size limit of a file */
	BOOK_MOST_WEIGHT = 1000000000,
	BOOK_MOST_NAME = 120,          /* size limit of a name or title, bytes */
};

enum book_kind {
	BOOK_LINE,                 /* a sequence of moves */
	BOOK_AT,                   /* a position, and the moves to choose from */
	BOOK_REPLY,                /* the first move is the reply to any move but the others */
};

struct book_move {
	qv_move move;
	uint32_t weight;           /* for BOOK_AT */
	size_t note;               /* for BOOK_AT: an offset into texts; 0: none */
};

struct book_item {
	enum book_kind kind;
	int line;                  /* line number in the file; 0: not from a file */
	uint32_t from;             /* index of the position in states */
	uint32_t weight;           /* for BOOK_LINE and BOOK_REPLY */
	size_t name, note;         /* offsets into texts */
	uint32_t first, count;     /* its part of moves */
};

/*
 * A position of the index. Its moves refer to the orientation in which the position was first
 * added.
 */
struct book_place {
	uint64_t key;
	uint32_t state;            /* index of the position, in that orientation, in states */
	uint32_t first;            /* its first choice, as index + 1; 0: none */
	size_t name, note;
};

struct book_choice {
	qv_move move;
	uint64_t weight;
	size_t note;
	uint32_t next;             /* the next choice of the position, as `first` */
	bool general;              /* a universal reply, used if there is nothing else */
};

struct polyglot;

struct book {
	const struct qv_allocator *allocator;  /* NULL: not initialized; can be released */
	bool shared;               /* only scratch, list and other_list are its own: do not change it */
	struct qv_rules rules;
	size_t stride;             /* bytes per state */
	size_t title, note;        /* offsets into texts */
	struct book_item *items;
	struct book_move *moves;
	struct book_place *places;
	struct book_choice *choices;
	unsigned char *states;     /* state 0 is the start position */
	struct map index;          /* indexes into places, by key */
	uint32_t item_count, move_count, place_count, choice_count, state_count;
	size_t item_room, move_room, place_room, choice_room, state_room;
	struct polyglot *bin;      /* what a .bin file has (polyglot_book.h); NULL: all is in the items */
	struct string texts;       /* each ends with a NUL; number 0 is empty */
	unsigned char *scratch;    /* room for states, below */
	qv_move *list, *other_list;            /* room for the moves of a position */
};

/* ---- Creating ---- */

/*
 * Initializes an empty book. Release it with book_release, also on failure. The allocator must
 * outlive it.
 */
enum qv_status book_make(struct book *b, const struct qv_allocator *allocator,
			 const struct qv_rules *rules, struct qv_error *error);
void book_release(struct book *b);

/*
 * Reads a book file; its header names the game. The input may be any bytes. Without a reporter, the
 * first error ends the reading with its line number. With a reporter, each wrong line is reported
 * and skipped, and only a bad first line is an error.
 */
struct book_reporter {
	void (*report)(void *ctx, int line, const char *what);    /* line 0: no particular line */
	void *ctx;
};
enum qv_status book_read(const struct qv_context *context, const char *data, size_t size,
			 const struct book_reporter *reporter, struct book *out,
			 struct qv_error *error);
/*
 * The same from a path, or from `own:GAME` for the book built into the program. A path that ends
 * with .bin is a Polyglot book of chess.
 */
enum qv_status book_open(const struct qv_context *context, const char *path,
			 const struct book_reporter *reporter, struct book *out,
			 struct qv_error *error);
/*
 * The text of the book that is built into the program, for the default options of the game; NULL if
 * the game has no such book.
 */
const char *book_own(const struct qv_game *game, size_t *size);

/*
 * The book built into the program for these rules. It is parsed once for each context, which must
 * outlive *out. Each thread may open one; it cannot be changed. QV_UNKNOWN: there is none.
 */
enum qv_status book_open_own(const struct qv_context *context, const struct qv_rules *rules,
			     struct book *out, struct qv_error *error);

/*
 * A book from a .bin file has no items, only hashes of positions. This function finds the positions
 * by walking from the start, and makes items of them. *unknown becomes the number of positions that
 * were not reached; they are dropped. Other books are unchanged.
 */
enum qv_status book_unfold(struct book *b, uint32_t *unknown, struct qv_error *error);

/* Appends the book as a file that book_read accepts. */
void book_write(const struct book *b, struct string *out);

/*
 * Adds another book of the same rules. Weights of common items are added; for names, titles and
 * notes, those of b are kept. QV_BAD_INPUT: the rules differ.
 */
enum qv_status book_merge(struct book *b, const struct book *more, struct qv_error *error);

/* Whether the book is for this game with these options. */
bool book_is_for(const struct book *b, const struct qv_rules *rules);

/* ---- Looking things up ---- */

/* A book move, in the orientation of the position that was looked up. */
struct book_option {
	qv_move move;
	uint64_t weight;
	const char *note;          /* "" if it has none */
	bool general;              /* it is a universal reply */
};

/*
 * Writes the book moves of a position, heaviest first, and returns their number; list has room for
 * the game's max_moves. 0: the position is not in the book, or has no moves there.
 */
int book_options(const struct book *b, const void *state, struct book_option *list);
/* Whether two moves of a position are the same or symmetric to each other. */
bool book_same_move(const struct book *b, const void *state, qv_move one, qv_move other);

/* A line of the book that contains a position, in any order of moves and any orientation. */
struct book_passing {
	uint32_t line; /* number of the line, from 1 */
	qv_move move;  /* its next move there (at the first occurrence) */
};
/*
 * Calls `call` for each line of the book that continues from the position, in the order of the
 * book.
 */
void book_lines_through(const struct book *b, const void *state,
			void (*call)(void *ctx, struct book_passing passing), void *ctx);

/*
 * The name of a position, and its note in *note; "" if it has none. *in_book: the position is in
 * the book. note and in_book may be NULL. The texts belong to the book.
 */
const char *book_name(const struct book *b, const void *state, const char **note, bool *in_book);
/* Writes the name of an opening, behind the ECO code that its note begins with: "B61 Sicilian". */
void book_put_opening(const char *name, const char *note, struct qv_text *out);
/* The ECO code that a note begins with, "ECO B61", as three letters; "" if it has none. */
struct book_eco {
	char text[4];
};
struct book_eco book_eco(const char *note);
/* A hash of the position that is the same for symmetric positions. */
uint64_t book_key(const struct book *b, const void *state);

/*
 * The line with this number, from 1, or this name. NULL: there is no such line, and the error
 * suggests the nearest name.
 */
const struct book_item *book_line(const struct book *b, const char *which, struct qv_error *error);
/*
 * Creates a book of certain lines only: all with this name, or the one with this number. On failure
 * *out need not be released.
 */
enum qv_status book_pick(const struct book *b, const char *which, struct book *out,
			 struct qv_error *error);

static inline const char *book_text(const struct book *b, size_t place)
{
	return b->texts.data ? b->texts.data + place : "";
}

static inline void *book_state(const struct book *b, uint32_t number)
{
	return b->states + number * b->stride;
}

/* ---- Checking ---- */

/*
 * Reports problems of a book that could be read (docs/books.md), and adds their number to *found.
 */
enum qv_status book_check(struct book *b, const struct book_reporter *reporter, int *found,
			  struct qv_error *error);
/*
 * Lets the player analyse the final position of each line. Reports those where a seat has lost or
 * is more than margin points behind (margin < 0: only lost ones), and adds their number to *found.
 * For games of two seats.
 */
enum qv_status book_judge(struct book *b, struct qv_player *player, int64_t margin,
			  const struct qv_flag *stop, const struct book_reporter *reporter,
			  int *found, struct qv_error *error);

/* ---- Building ---- */

/* Results of the games in which a move was played. */
struct book_count {
	uint32_t won, drawn, lost; /* for the seat that played it */
};
/* Counts the moves of games, to build a book from them. */
struct book_tally {
	struct book book;          /* only its index is used */
	struct book_count *counts; /* one for each choice of the book */
	size_t room;
};
/* As book_make and book_release. */
enum qv_status book_tally_make(struct book_tally *t, const struct qv_allocator *allocator,
			       const struct qv_rules *rules, struct qv_error *error);
void book_tally_release(struct book_tally *t);
/* Counts a move of a game; winner is a seat, or -1 for a draw. */
enum qv_status book_tally_add(struct book_tally *t, const void *state, qv_move move, int winner,
			      struct qv_error *error);
/*
 * Creates a book of the moves that were played at least `least` times. The weight is 2 per win plus
 * 1 per draw.
 */
enum qv_status book_tally_finish(const struct book_tally *t, uint32_t least, struct book *out,
				 struct qv_error *error);

/* How to build a book from a player's analysis. */
struct book_search {
	struct qv_player *player;
	int plies;                 /* the length of the book */
	int64_t margin;            /* moves up to this many points behind the best are good, too */
	bool every;                /* also visit positions after moves that are not good */
	const struct qv_flag *stop;   /* may be NULL */
	void (*progress)(void *ctx, uint32_t done, uint32_t known);    /* may be NULL */
	void *ctx;
};
/*
 * Creates a book of the moves that the player finds good in each position. QV_STOPPED: *out is
 * empty and need not be released. The player must not be used by others meanwhile.
 */
enum qv_status book_build(const struct qv_allocator *allocator, const struct qv_rules *rules,
			  const struct book_search *how, struct book *out, struct qv_error *error);

#endif
