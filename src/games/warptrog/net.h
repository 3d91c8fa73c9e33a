/*
 * net.h - a neural network that evaluates Warp Trog.
 * SPDX-License-Identifier: MIT
 *
 * One hidden layer of clipped and squared sums. Its inputs are each side's men on their squares, the
 * warps left, the expected captures of a warp, and a parity: the number of men on dark squares. Every
 * move changes that number by one, so the parity shows who has the opposition until the next capture
 * or warp. It also chooses the output weights, together with the number of men. A second output is
 * the value of a warp, the mean over all landings.
 *
 * Part of the weights depends on who plays: two equal players, or a player against the 1983 program
 * (the option `contempt` of expectimax). The layers are computed in integers, so values are the same
 * on every machine.
 */
#ifndef WARPTROG_NET_H
#define WARPTROG_NET_H

#include "base/embed.h"
#include "games/warptrog/rules.h"

enum {
	WARPTROG_HIDDEN = 32,
	WARPTROG_PHASES = 4,	   /* by the number of men on the board */
	WARPTROG_NET_WARPS = 6,	   /* 0 to 5; more count as 5 */
	WARPTROG_NET_ONE = 1024,   /* 1 in the hidden layer */
	WARPTROG_OUT_ONE = 256,	   /* 1 in the output weights */
	WARPTROG_OUT_MOST = 4095,  /* the largest output weight: no sum overflows */
	WARPTROG_GAIN_ONE = 256,   /* a capture */
	WARPTROG_NET_VALUE = 2900, /* a sure win; WARPTROG_WIN is for won games alone */
};

/* Who is to move: one of two equal players, or one of a player and a weaker one. */
enum warptrog_role { WARPTROG_EQUAL, WARPTROG_STRONGER, WARPTROG_WEAKER, WARPTROG_ROLES };

/* The outputs: the value of a position, and that of a warp that begins in it. */
enum warptrog_output { WARPTROG_VALUE, WARPTROG_WARP_VALUE, WARPTROG_OUTPUTS };

/*
 * Plain data, as in files: rows of WARPTROG_HIDDEN weights, and the bias of each row of `out`. The
 * index before `own, theirs` is the seat to move.
 */
struct warptrog_net {
	int16_t men[2][4][WARPTROG_SQUARES][WARPTROG_HIDDEN]; /* own Valg, own Trog, theirs */
	int16_t warps[WARPTROG_ROLES][2][2][WARPTROG_NET_WARPS][WARPTROG_HIDDEN]; /* own, theirs */
	int16_t gain[2][2][WARPTROG_HIDDEN];		     /* captures of a warp: own, theirs */
	int16_t bias[WARPTROG_ROLES][2][2][WARPTROG_HIDDEN]; /* by seat to move and parity */
	int16_t out[WARPTROG_OUTPUTS][WARPTROG_ROLES][2][WARPTROG_PHASES][WARPTROG_HIDDEN];
	int16_t out_bias[WARPTROG_OUTPUTS][WARPTROG_ROLES][2][WARPTROG_PHASES];
};

/* The same as numbers of rows from the start of the net. */
enum {
	WARPTROG_ROW_WARPS = 2 * 4 * WARPTROG_SQUARES,
	WARPTROG_ROW_GAIN = WARPTROG_ROW_WARPS + WARPTROG_ROLES * 2 * 2 * WARPTROG_NET_WARPS,
	WARPTROG_ROW_BIAS = WARPTROG_ROW_GAIN + 2 * 2,
	WARPTROG_ROW_OUT = WARPTROG_ROW_BIAS + WARPTROG_ROLES * 2 * 2,
	WARPTROG_OUT_ROWS = WARPTROG_ROLES * 2 * WARPTROG_PHASES, /* of one output */
	WARPTROG_ROWS = WARPTROG_ROW_OUT + WARPTROG_OUTPUTS * WARPTROG_OUT_ROWS,
	WARPTROG_NET_WEIGHTS =
		WARPTROG_ROWS * WARPTROG_HIDDEN + WARPTROG_OUTPUTS * WARPTROG_OUT_ROWS,
	WARPTROG_INPUTS = WARPTROG_SQUARES + 3, /* rows of a position: men, warps, bias */
	WARPTROG_NET_HEAD = 64,
	WARPTROG_NET_FILE = WARPTROG_NET_HEAD + sizeof(struct warptrog_net),
};
_Static_assert(sizeof(struct warptrog_net) == WARPTROG_NET_WEIGHTS * sizeof(int16_t), "no padding");

/* The rows that a position adds up. */
struct warptrog_inputs {
	int count;
	uint16_t row[WARPTROG_INPUTS];
	uint16_t gain_row[2]; /* these rows times gain / WARPTROG_GAIN_ONE are added, too */
	int32_t gain[2];
	int out; /* the number of its row among those of an output */
};
void warptrog_net_inputs(const struct warptrog *s, struct warptrog_inputs *out);

/*
 * The slot of the evaluation `net`: the value for s->turn, from -WARPTROG_NET_VALUE to
 * WARPTROG_NET_VALUE. In a warp it is that of the warp before its first landing.
 */
int32_t warptrog_net_evaluate(const void *state, const void *net);

/*
 * net_file.c: writes the WARPTROG_NET_FILE bytes of a file, and reads them into a struct warptrog_net.
 * QV_BAD_INPUT: not a sound net of this shape.
 */
void warptrog_net_write(const struct warptrog_net *net, char *out);
enum qv_status warptrog_net_read(const char *data, size_t size, void *net, struct qv_error *error);

/* The shipped net, as `quevedo train warptrog` wrote it. */
struct warptrog_net_file {
	char head[WARPTROG_NET_HEAD];
	struct warptrog_net net;
};
EMBEDDED(struct warptrog_net_file warptrog_net_file);
EMBEDDED(uint64_t warptrog_net_file_size);

#endif
