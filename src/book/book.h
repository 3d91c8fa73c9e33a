/*
 * book.h - opening books of any game: lines and positions with weights, looked up by position.
 * SPDX-License-Identifier: MIT
 *
 * A book is a list of items, as they are written in a file (docs/books.md), and an index made of
 * them. The index holds positions, not sequences of moves, so it does not matter by which order of
 * moves a position came about, nor how it is turned or mirrored, nor how many plies it took to get
 * there: a look-up hashes the position and its images, whatever the size of the book. What hashes
 * alike is compared before it is believed.
 *
 * One thread at a time for a book, look-ups included: they use room of its own.
 */
#ifndef BOOK_BOOK_H
#define BOOK_BOOK_H

#include "base/map.h"
#include "base/text.h"
#include "quevedo.h"

enum {
	BOOK_MOST_BYTES = 1 << 26,     /* of a file */
	BOOK_MOST_WEIGHT = 1000000000,
	BOOK_MOST_NAME = 120,          /* bytes of a name or title */
};

enum book_kind {
	BOOK_LINE,                 /* moves one after the other */
	BOOK_AT,                   /* a position, and what may be played there */
	BOOK_REPLY,                /* the first move answers any move from there but the others */
};

struct book_move {
	qv_move move;
	uint32_t weight;           /* of BOOK_AT */
	size_t note;               /* likewise; a place in texts, 0: none */
};

struct book_item {
	enum book_kind kind;
	int line;                  /* of the file; 0: it was in none */
	uint32_t from;             /* the position, in states */
	uint32_t weight;           /* of BOOK_LINE and BOOK_REPLY */
	size_t name, note;         /* places in texts */
	uint32_t first, count;     /* its moves */
};

/* A position of the index. Moves are kept as in the first form in which the position came up. */
struct book_place {
	uint64_t key;
	uint32_t state;            /* that form, in states */
	uint32_t first;            /* of its choices, plus one; 0: it has none */
	size_t name, note;
};

struct book_choice {
	qv_move move;
	uint64_t weight;
	size_t note;
	uint32_t next;             /* as first */
	bool general;              /* a universal reply, for want of anything else */
};

struct polyglot;

struct book {
	const struct qv_allocator *allocator;  /* NULL: not made; safe to release */
	struct qv_rules rules;
	size_t stride;             /* bytes from state to state */
	size_t title, note;        /* places in texts */
	struct book_item *items;
	struct book_move *moves;
	struct book_place *places;
	struct book_choice *choices;
	unsigned char *states;     /* number 0 is the start */
	struct map index;          /* numbers of places, by their keys */
	uint32_t item_count, move_count, place_count, choice_count, state_count;
	size_t item_room, move_room, place_room, choice_room, state_room;
	struct polyglot *bin;      /* what a .bin file has (polyglot_book.h); NULL: all is in the items */
	struct string texts;       /* each ends with a NUL; number 0 is empty */
	unsigned char *scratch;    /* room for states, below */
	qv_move *list, *other_list;            /* room for the moves of a position */
};

/* ---- Making one ---- */

/* Empty, with the start position known. Release it whatever comes back. */
enum qv_status book_make(struct book *b, const struct qv_allocator *allocator,
			 const struct qv_rules *rules, struct qv_error *error);
void book_release(struct book *b);

/*
 * Reads a file, of whatever game it names. Any bytes may come; what is wrong is refused with the
 * number of the line. With an ear, it is told of every wrong line instead, which is then passed
 * over, and only a bad first line is an error.
 */
struct book_ear {
	void (*tell)(void *ctx, int line, const char *what);    /* line 0: of none */
	void *ctx;
};
enum qv_status book_read(const struct qv_context *context, const char *data, size_t size,
			 const struct book_ear *ear, struct book *out, struct qv_error *error);
/*
 * The same from a path, or `own:GAME` for the book that comes with the program; .bin is a Polyglot
 * book of chess.
 */
enum qv_status book_open(const struct qv_context *context, const char *path,
			 const struct book_ear *ear, struct book *out, struct qv_error *error);
/* The book that comes with the program, as text; NULL: there is none. The rules are the presets. */
const char *book_own(const struct qv_game *game, size_t *size);

/*
 * A book of a .bin file has no items, only positions that can be looked up. This finds the items;
 * *unknown is how many of its positions no way from the start leads to, which are then dropped.
 * Other books stay as they are.
 */
enum qv_status book_unfold(struct book *b, uint32_t *unknown, struct qv_error *error);

/* What read would read to the same book. */
void book_write(const struct book *b, struct string *out);

/*
 * Adds another of the same rules: weights of what both have are added up; of names, titles and
 * notes the first stay.
 */
enum qv_status book_merge(struct book *b, const struct book *more, struct qv_error *error);

bool book_is_for(const struct book *b, const struct qv_rules *rules);

/* ---- Looking things up ---- */

/* A move that the book has here, for the position as it was asked. */
struct book_option {
	qv_move move;
	uint64_t weight;
	const char *note;          /* "": none */
	bool general;              /* the universal reply */
};

/*
 * Fills list (max_moves of the game of room), heaviest first; returns how many. 0: not in the book,
 * or nothing is known to play.
 */
int book_options(const struct book *b, const void *state, struct book_option *list);
/* Whether two moves of a position are images of each other, or the same. */
bool book_same_move(const struct book *b, const void *state, qv_move one, qv_move other);

/* A line that goes through a position: by any order of moves, turned as the position is. */
struct book_passing {
	uint32_t line; /* its number, from 1 */
	qv_move move;  /* how it goes on there; a position twice in a line comes once */
};
/* Calls for each line of the book that goes on from the position, in their order. */
void book_lines_through(const struct book *b, const void *state,
			void (*call)(void *ctx, struct book_passing passing), void *ctx);

/* The name and the note of a position; "" if it has none. *in_book: it is known. May be NULL. */
const char *book_name(const struct book *b, const void *state, const char **note, bool *in_book);
/* The same number for a position and its images; another one for others, but for accidents. */
uint64_t book_key(const struct book *b, const void *state);

/* The line by its number, from 1, or by its name; NULL: none, and the error names the nearest. */
const struct book_item *book_line(const struct book *b, const char *which, struct qv_error *error);
/* Another book of those lines alone: all that are called so, or the one of that number. */
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

/* Tells of what is wrong though it can be read (docs/books.md); *found counts it. */
enum qv_status book_check(struct book *b, const struct book_ear *ear, int *found,
			  struct qv_error *error);
/*
 * Lets the player look at the ends of the lines: tells of those where a seat has lost, or is more
 * than margin points behind (margin < 0: lost alone). Two seats.
 */
enum qv_status book_judge(struct book *b, struct qv_player *player, int64_t margin,
			  const atomic_bool *stop, const struct book_ear *ear, int *found,
			  struct qv_error *error);

/* ---- Building ---- */

/* Moves of games that have been played, counted. */
struct book_count {
	uint32_t won, drawn, lost; /* for the seat that moved */
};
struct book_tally {
	struct book book;          /* its index alone */
	struct book_count *counts; /* for each of the choices */
	size_t room;
};
enum qv_status book_tally_make(struct book_tally *t, const struct qv_allocator *allocator,
			       const struct qv_rules *rules, struct qv_error *error);
void book_tally_release(struct book_tally *t);
/* A move of a game; the winner is a seat, or -1. */
enum qv_status book_tally_add(struct book_tally *t, const void *state, qv_move move, int winner,
			      struct qv_error *error);
/* The book of moves that were played `least` times or more: weight 2 for a win, 1 for a draw. */
enum qv_status book_tally_finish(const struct book_tally *t, uint32_t least, struct book *out,
				 struct qv_error *error);

struct book_search {
	struct qv_player *player;
	int plies;                 /* the book ends there */
	int64_t margin;            /* moves so many points behind the best are good too */
	bool every;                /* also positions after moves that are not good */
	const atomic_bool *stop;   /* may be NULL */
	void (*progress)(void *ctx, uint32_t done, uint32_t known);    /* may be NULL */
	void *ctx;
};
/* A book of what the player thinks of every position; QV_STOPPED: *out is empty. */
enum qv_status book_build(const struct qv_allocator *allocator, const struct qv_rules *rules,
			  const struct book_search *how, struct book *out, struct qv_error *error);

#endif
