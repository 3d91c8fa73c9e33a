/*
 * net_fit.h - chess: trains the neural network on positions of self-play.
 * SPDX-License-Identifier: MIT
 *
 * Stochastic gradient descent (Adam) on random mini-batches minimises the squared error of the
 * expected score against the games' results blended with the search's scores.
 *
 * The network is cut into strips: a few neurons of the hidden layer each, and the weights that they
 * depend on. A strip does its forward step, backward step and weight update for a whole batch by
 * itself; only the outputs are added up over the strips in between. So threads share no weights and
 * no gradients, a strip's data stays in its processor's cache, and the result does not depend on
 * the number of threads.
 */
#ifndef LEARN_CHESS_NET_FIT_H
#define LEARN_CHESS_NET_FIT_H

#include "games/chess/net.h"
#include "learn/chess/train.h"

/* As chess_fit, with random initial weights; job->iterations is the number of epochs. */
enum qv_status chess_net_fit(const struct fit_job *job, struct chess_net *net,
			     struct fit_news *news, struct qv_error *error);

/* ---- strips: net_fit_strip.c ---- */

/*
 * Rows are numbered by area, side, kind (eight of them) and square, so that mirroring the board is
 * one exclusive or.
 */
enum {
	STRIP_WIDTH = 16, /* neurons */
	STRIPS = CHESS_NET_SIZE / STRIP_WIDTH,
	STRIP_PLACES = 2 * 8 * CHESS_SQUARES,
	STRIP_ROWS = CHESS_NET_AREAS * STRIP_PLACES,
	STRIP_NOBODY = 7 * CHESS_SQUARES, /* a dummy piece, whose rows are zeros */
	STRIP_CHUNK = 2048,		  /* positions of a forward or backward step */
};

/* A training position. */
struct net_line {
	/* Pieces as the side to move sees them, not mirrored, area 0; padded to an even number. */
	uint16_t pieces[CHESS_NET_PIECES];
	uint16_t turns[2];     /* XOR masks that turn them into rows: side to move, other */
	int16_t score;	       /* for the side to move */
	uint8_t count, result; /* result for the side to move, as in struct lesson */
};

/*
 * One number for each weight: the weights themselves, their gradient, and its moments. The row of
 * an area is the sum of a shared row and its own (factorised features): the general value of a
 * piece is learned from all positions, and an area learns only its difference. With one area the
 * shared rows keep their initial values.
 */
struct net_weights {
	float own[STRIP_ROWS][STRIP_WIDTH];
	float shared[STRIP_PLACES][STRIP_WIDTH];
	float empty[STRIP_WIDTH];
	float outs[CHESS_NET_STAGES][2][STRIP_WIDTH];
};

/* A strip in training; one worker at a time uses it. */
struct net_strip {
	struct net_weights now, slow, size, gradient; /* slow, size: Adam's moments */
	float rows[STRIP_ROWS][STRIP_WIDTH];	      /* own plus shared */
	float sums[STRIP_CHUNK][2][STRIP_WIDTH];      /* accumulators of the last forward step */
	float outputs[STRIP_CHUNK];		      /* this strip's part of the outputs */
};

/* The parameters of an Adam step with weight decay. */
struct net_rate {
	float length, decay;	    /* learning rate, weight decay */
	float slow_part, size_part; /* bias corrections of the two moments */
	float batch;		    /* positions summed up in the gradient */
};

/* Computes rows from own and shared. */
void net_strip_fold(struct net_strip *s);
/* Forward step: sets sums and outputs. `at` is the index of the first line in the chunk. */
void net_strip_forward(struct net_strip *s, const struct net_line *lines, int count, int at);
/* Backward step: adds to the gradient. slopes: derivative of the error by the output, per line. */
void net_strip_backward(struct net_strip *s, const struct net_line *lines, int count, int at,
			const float *slopes);
/* Updates the weights by the gradient, and clears it. */
void net_strip_step(struct net_strip *s, const struct net_rate *rate);

/* Updates a single weight, as net_strip_step does. */
void net_step_one(float *now, float *slow, float *size, float gradient,
		  const struct net_rate *rate);

#endif
