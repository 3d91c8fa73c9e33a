/*
 * net_fit_strip.h - chess: a strip of the net that learns: a few numbers of every sum, and the
 * weights that they depend on.
 * SPDX-License-Identifier: MIT
 *
 * A strip goes through all lessons of a batch by itself, forth and back, and steps by itself; only
 * the outputs are added up over the strips in between. So threads share no weights and no
 * gradient, and what a strip needs stays in its processor's cache.
 *
 * Rows are numbered so that a turn of the board is one exclusive or: area, other, kind (eight of
 * them), square.
 */
#ifndef LEARN_CHESS_NET_FIT_STRIP_H
#define LEARN_CHESS_NET_FIT_STRIP_H

#include "games/chess/net.h"

enum {
	STRIP_WIDTH = 16,
	STRIPS = CHESS_NET_SIZE / STRIP_WIDTH,
	STRIP_PLACES = 2 * 8 * CHESS_SQUARES,
	STRIP_ROWS = CHESS_NET_AREAS * STRIP_PLACES,
	STRIP_NOBODY = 7 * CHESS_SQUARES, /* a man of no kind, whose rows are zeros */
	STRIP_CHUNK = 2048,		  /* lessons that go forth and back at a time */
};

/* A lesson ready to be learned. */
struct net_line {
	/* As who moves sees them, not mirrored, of area 0; after an odd number, nobody. */
	uint16_t men[CHESS_NET_MEN];
	uint16_t turns[2];     /* the exclusive or that makes rows of them: who moves, other */
	int16_t score;	       /* for who moves */
	uint8_t count, result; /* for who moves, as in struct lesson */
};

/*
 * One number for each weight: the weights themselves, their gradient, its means. The row of an area
 * is the sum of one that all areas share and of its own: what men are worth anywhere is learned
 * from all positions, and an area has to learn only how it differs. With one area the shared rows
 * stay as they began.
 */
struct net_weights {
	float own[STRIP_ROWS][STRIP_WIDTH];
	float shared[STRIP_PLACES][STRIP_WIDTH];
	float empty[STRIP_WIDTH];
	float outs[CHESS_NET_STAGES][2][STRIP_WIDTH];
};

struct net_strip {
	struct net_weights now, slow, size, gradient; /* slow, size: means of the gradient */
	float rows[STRIP_ROWS][STRIP_WIDTH];	      /* own and shared together */
	float sums[STRIP_CHUNK][2][STRIP_WIDTH];      /* of the chunk that went forth last */
	float outputs[STRIP_CHUNK];		      /* this strip's share of them */
};

/* A step by Adam's rule. */
struct net_rate {
	float length, decay;
	float slow_part, size_part; /* of the means: how much of them is no start of zero */
	float batch;		    /* lessons that the gradient is the sum of */
};

/* Sets rows by own and shared. */
void net_strip_fold(struct net_strip *s);
/* `at`: the number of the first line in the chunk. */
void net_strip_forth(struct net_strip *s, const struct net_line *lines, int count, int at);
/* slopes: of the error by the net's output, for each line of the chunk. Adds to the gradient. */
void net_strip_back(struct net_strip *s, const struct net_line *lines, int count, int at,
		    const float *slopes);
/* Changes the weights by the gradient, and sets that to zero. */
void net_strip_step(struct net_strip *s, const struct net_rate *rate);

/* One weight, or as many as there are in a strip. */
void net_step_one(float *now, float *slow, float *size, float gradient,
		  const struct net_rate *rate);

#endif
