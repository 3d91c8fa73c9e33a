/*
 * early.h - connect-four: the exact scores of all positions with a given number of discs, their
 * file format and the shipped files.
 * SPDX-License-Identifier: MIT
 *
 * The index of a position is its shape's number, times the ways to colour the discs, plus the
 * number of its colouring. The shape is how many discs each column holds. A position and its mirror
 * image share an index, and of two mirrored shapes only one is numbered. So the file needs no keys;
 * early.c describes it.
 */
#ifndef GAMES_CONNECT4_EARLY_H
#define GAMES_CONNECT4_EARLY_H

#include "base/memory.h"
#include "games/connect4/rules.h"

enum {
	C4_EARLY_MOST = 12,        /* plies */
	C4_SHAPES_MOST = 15330,    /* for that number of discs */
};

struct c4_places {
	int plies;
	uint32_t colours;          /* ways to colour the discs, half of them each side's */
	uint32_t shapes;           /* ways to distribute them over the columns */
	uint32_t count;            /* number of indices */
	/* [c][n][h]: ways to put n discs on columns c and above with fewer than h on column c */
	uint32_t below[C4_WIDTH][C4_EARLY_MOST + 1][C4_HEIGHT + 2];
	uint32_t choose[C4_EARLY_MOST + 1][C4_EARLY_MOST + 1];
	uint16_t number[C4_SHAPES_MOST]; /* of a shape that does not come after its mirror image */
};

/* Prepares for 1 to C4_EARLY_MOST plies. */
void c4_places_init(struct c4_places *p, int plies);

/* The index of a position with that many discs, the same for its mirror image. */
uint32_t c4_place(const struct c4_places *p, const struct c4 *at);

struct c4_early {
	int plies;
	struct c4_places places;
	const unsigned char *codes;	/* by index, as early.c describes; borrowed */
	int bits;                       /* of a code */
};

enum { C4_EARLY_UNKNOWN = INT8_MIN };

/*
 * Whether no search is needed: the side to move wins at once, or cannot block all threats. Then
 * *score is set.
 */
bool c4_seen_at_once(const struct c4 *at, int discs, int *score);

/*
 * The score (score_search.h) of a position with that many discs and no four; C4_EARLY_UNKNOWN if it
 * is not in the table.
 */
int c4_early_score(const struct c4_early *e, const struct c4 *at);

/*
 * A lower bound for a position with one disc more and no four. Whichever disc was the last, its
 * side cannot have gained by playing it. C4_EARLY_UNKNOWN: no bound.
 */
int c4_early_at_least(const struct c4_early *e, const struct c4 *at);

/* The shipped tables, by index. A search from an early position reads only those it needs. */
enum { C4_EARLY_TABLES = 2 };
extern const int c4_early_plies[C4_EARLY_TABLES];

/*
 * Reads a file in memory, which need not be trusted and must outlive *e. QV_BAD_INPUT, with
 * e->codes NULL, unless it is a complete and undamaged table.
 */
enum qv_status c4_early_read(struct c4_early *e, const unsigned char *file, size_t size,
			     struct qv_error *error);

/* Reads an embedded table, by index into c4_early_plies. */
enum qv_status c4_early_shipped(struct c4_early *e, int table, struct qv_error *error);

/*
 * Writes the file for these scores, by index, into c4_early_size(plies) bytes. Scores that
 * c4_seen_at_once finds may be missing.
 */
size_t c4_early_size(int plies);
void c4_early_pack(int plies, const int8_t *scores, unsigned char *file);

#endif
