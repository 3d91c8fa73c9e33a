/*
 * early.h - connect-four: the exact scores of positions with so many discs, shipped.
 * SPDX-License-Identifier: MIT
 *
 * A position has a place: its shape, which is how many discs each column holds, numbered, times
 * the ways to colour them, plus the number of its colours. A position and its mirror image share a
 * place, and of two shapes that are each other's image one is numbered. So no file needs keys;
 * early_file.c says what it looks like.
 */
#ifndef GAMES_CONNECT4_EARLY_H
#define GAMES_CONNECT4_EARLY_H

#include "base/memory.h"
#include "games/connect4/rules.h"

enum {
	C4_EARLY_MOST = 12,        /* plies */
	C4_SHAPES_MOST = 15330,    /* of that many discs */
};

struct c4_places {
	int plies;
	uint32_t colours;          /* ways to colour that many discs, half of them each */
	uint32_t shapes;           /* ways to heap them up */
	uint32_t count;            /* places */
	/* [c][n][h]: ways to heap n discs on columns c and above with fewer than h on c */
	uint32_t below[C4_WIDTH][C4_EARLY_MOST + 1][C4_HEIGHT + 2];
	uint32_t choose[C4_EARLY_MOST + 1][C4_EARLY_MOST + 1];
	uint16_t number[C4_SHAPES_MOST]; /* of a shape that is not after its image */
};

/* For 1 to C4_EARLY_MOST plies. */
void c4_places_init(struct c4_places *p, int plies);

/* The place of a position with that many discs, and of its mirror image. */
uint32_t c4_place(const struct c4_places *p, const struct c4 *at);

struct c4_early {
	int plies;
	struct c4_places places;
	const unsigned char *codes;     /* by place, as early_file.c has it; borrowed */
	int bits;                       /* of a code */
};

enum { C4_EARLY_UNKNOWN = INT8_MIN };

/* Whether no search is needed: the side to move wins at once, or cannot meet all threats. */
bool c4_seen_at_once(const struct c4 *at, int discs, int *score);

/* The score of a position with that many discs and no four, as ask.h has it, or C4_EARLY_UNKNOWN. */
int c4_early_score(const struct c4_early *e, const struct c4 *at);

/*
 * At least so much is the score of a position with one disc more, and no four: whatever disc was
 * the last, its side can have got no more by it than it had. C4_EARLY_UNKNOWN: any.
 */
int c4_early_at_least(const struct c4_early *e, const struct c4 *at);

#endif
