/*
 * net.h - chess: an evaluation by a small net, whose weights were learned from games.
 * SPDX-License-Identifier: MIT
 *
 * Each side looks at the board from its own end, mirrored so that its king stands on the right
 * half. To each man on each square, own and other, belongs a row of weights; the rows of what
 * stands there are added up. The two sums, cut to 0..1 and squared, are weighed once more, by
 * weights that depend on how many men are left and on whose turn it is: the expected result, as the
 * argument of a logistic curve. All is in integers, so the value is the same on every machine. Rows
 * are added as vectors: the compiler finds the instructions, and no processor needs code of its
 * own.
 */
#ifndef CHESS_NET_H
#define CHESS_NET_H

#include "games/chess/endings.h"

enum {
	CHESS_NET_INPUTS = 2 * CHESS_KINDS * CHESS_SQUARES,
	CHESS_NET_SIZE = 128,	/* of each side's sum */
	CHESS_NET_STAGES = 8,	/* by the number of men */
	CHESS_NET_ONE = 255,	/* of rows and sums */
	CHESS_NET_OUT_ONE = 64, /* of the weights of sums */
	CHESS_NET_ROW_MOST = 2 * CHESS_NET_ONE,
	CHESS_NET_OUT_MOST = 127,
	CHESS_NET_MEN = 32, /* who has more is not looked at beyond */
};

/* Plain data, as in files. */
struct chess_net {
	int16_t rows[CHESS_NET_INPUTS][CHESS_NET_SIZE];
	int16_t empty[CHESS_NET_SIZE];			   /* the sum of an empty board */
	int16_t outs[CHESS_NET_STAGES][2][CHESS_NET_SIZE]; /* of who moves, of the other */
	int32_t base[CHESS_NET_STAGES];			   /* in 1/(ONE * OUT_ONE) */
	int32_t curve[CHESS_NET_STAGES]; /* hundredths of a pawn for one of the logistic curve */
};
_Static_assert(sizeof(struct chess_net) % 64 == 0, "no padding");

enum { CHESS_NET_HEAD = 64, CHESS_NET_FILE = CHESS_NET_HEAD + sizeof(struct chess_net) };

/* Writes the file's CHESS_NET_FILE bytes. */
void chess_net_write(const struct chess_net *net, char *out);
enum qv_status chess_net_read(const char *data, size_t size, void *weights, struct qv_error *error);

static inline int chess_net_stage(int men)
{
	return men > CHESS_NET_MEN ? CHESS_NET_STAGES - 1
				   : (men - 1) * CHESS_NET_STAGES / CHESS_NET_MEN;
}

/* The rows that the men on the board take, as the side sees them. Returns how many. */
static inline int chess_net_inputs(const struct chess *s, int side, uint16_t *out)
{
	const int king = chess_king(s, side);
	const int turn = (side ? 56 : 0) ^ (chess_file(king) < 4 ? 7 : 0);
	int n = 0;
	for (int other = 0; other < 2; other++)
		for (int kind = 0; kind < CHESS_KINDS; kind++) {
			const int first = (other * CHESS_KINDS + kind) * CHESS_SQUARES;
			for (uint64_t left = chess_of(s, side ^ other, kind);
			     left && n < CHESS_NET_MEN; left = bits_rest(left))
				out[n++] = (uint16_t)(first + (bits_lowest(left) ^ turn));
		}
	return n;
}

typedef int16_t chess_net_lanes __attribute__((vector_size(32), aligned(2), may_alias));

enum { CHESS_NET_VECTORS = CHESS_NET_SIZE / 16 };

/* Adds up rows, cuts the sum to 0..1, and weighs its square. */
CHESS_INLINE int32_t chess_net_look(const struct chess_net *net, const uint16_t *inputs, int n,
				    const int16_t *outs)
{
	chess_net_lanes sum[CHESS_NET_VECTORS];
	const chess_net_lanes *row = (const chess_net_lanes *)net->empty;
#pragma GCC unroll 8
	for (int k = 0; k < CHESS_NET_VECTORS; k++)
		sum[k] = row[k];
	for (int i = 0; i < n; i++) {
		row = (const chess_net_lanes *)net->rows[inputs[i]];
#pragma GCC unroll 8
		for (int k = 0; k < CHESS_NET_VECTORS; k++)
			sum[k] += row[k];
	}
	int16_t cut[CHESS_NET_SIZE] __attribute__((aligned(32)));
#pragma GCC unroll 8
	for (int k = 0; k < CHESS_NET_VECTORS; k++) {
		const chess_net_lanes one = CHESS_NET_ONE - (chess_net_lanes){ 0 };
		const chess_net_lanes above = sum[k] > one;
		chess_net_lanes v = sum[k] & (sum[k] > 0);
		v = (v & ~above) | (one & above);
		((chess_net_lanes *)cut)[k] = v;
	}
	int32_t total = 0;
	for (int i = 0; i < CHESS_NET_SIZE; i++)
		total += (int16_t)(cut[i] * outs[i]) * cut[i];
	return total;
}

static inline int32_t chess_net_value(const struct chess *s, const struct chess_net *net)
{
	uint16_t mine[CHESS_NET_MEN], theirs[CHESS_NET_MEN];
	const int stage = chess_net_stage(bits_count(chess_men(s)));
	const int n = chess_net_inputs(s, s->turn, mine);
	const int m = chess_net_inputs(s, 1 - s->turn, theirs);
	const int64_t sum = (int64_t)chess_net_look(net, mine, n, net->outs[stage][0]) +
			    chess_net_look(net, theirs, m, net->outs[stage][1]);
	const int64_t whole = sum / CHESS_NET_ONE + net->base[stage];
	return (int32_t)(whole * net->curve[stage] / (CHESS_NET_ONE * CHESS_NET_OUT_ONE));
}

/* The net's value, less where a lead is hard to use, and how to mate a king alone. */
static inline int32_t chess_net_evaluate(const struct chess *s, const void *weights)
{
	const int32_t extra = chess_mop_up(s, s->turn) - chess_mop_up(s, 1 - s->turn);
	const int32_t value = chess_net_value(s, weights);
	const int strong = value > 0 ? s->turn : 1 - s->turn;
	const int64_t left =
		s->kind[CHESS_PAWN] & s->side[strong] ? CHESS_SCALE_ONE : chess_scale(s, strong);
	return (int32_t)(value * left / CHESS_SCALE_ONE) + extra;
}

#endif
