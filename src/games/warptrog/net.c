/*
 * net.c - Warp Trog's neural network: its inputs and the integer arithmetic.
 * SPDX-License-Identifier: MIT
 */
#include "games/warptrog/net.h"

#include <math.h>

/*
 * The expected landings in a warp of a Trog that the scan visits at this place, times
 * WARPTROG_GAIN_ONE: 1 at the last square, and 37/36 times the one after it elsewhere.
 */
static const int16_t landings[WARPTROG_SQUARES] = {
	668, 650, 632, 615, 599, 582, 567, 551, 536, 522, 508, 494, 481, 468, 455, 443, 431, 419,
	408, 397, 386, 376, 366, 356, 346, 337, 328, 319, 310, 302, 294, 286, 278, 270, 263, 256,
};

#define DARK UINT64_C(0xa95a95a95)

/* ---- Inputs ---- */

/* Adds the inputs of one side: `side` is 0 for the side to move. */
static void add_side(const struct warptrog *s, enum warptrog_role role, int side,
		     struct warptrog_inputs *in)
{
	const int me = s->turn, seat = side ? 1 - me : me, warps = s->warps[seat];
	const int known = warps < WARPTROG_NET_WARPS ? warps : WARPTROG_NET_WARPS - 1;
	int32_t gain = 0;
	for (uint64_t left = s->men[seat]; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		const int trog = (int)(s->trogs >> square & 1);
		in->row[in->count++] =
			(uint16_t)((me * 4 + 2 * side + trog) * WARPTROG_SQUARES + square);
		gain += trog ? landings[warptrog_visit(square)] : 0;
	}
	in->row[in->count++] =
		(uint16_t)(WARPTROG_ROW_WARPS +
			   (((int)role * 2 + me) * 2 + side) * WARPTROG_NET_WARPS + known);
	in->gain_row[side] = (uint16_t)(WARPTROG_ROW_GAIN + me * 2 + side);
	in->gain[side] = warps ? gain * bits_count(s->men[1 - seat]) / WARPTROG_SQUARES : 0;
}

void warptrog_net_inputs(const struct warptrog *s, struct warptrog_inputs *out)
{
	const uint64_t men = s->men[0] | s->men[1];
	const int parity = bits_count(men & DARK) & 1, count = bits_count(men);
	const int phase = count <= 3 ? 0 : count <= 5 ? 1 : count <= 7 ? 2 : 3;
	const enum warptrog_role role = !s->weaker		   ? WARPTROG_EQUAL
					: s->weaker - 1 == s->turn ? WARPTROG_WEAKER
								   : WARPTROG_STRONGER;
	out->count = 1;
	out->row[0] = (uint16_t)(WARPTROG_ROW_BIAS + ((int)role * 2 + s->turn) * 2 + parity);
	add_side(s, role, 0, out);
	add_side(s, role, 1, out);
	out->out = ((int)role * 2 + parity) * WARPTROG_PHASES + phase;
}

/* ---- The value ---- */

/* The value of a position where s->turn is to move, by one of the outputs. */
static int32_t evaluate(const struct warptrog *s, const struct warptrog_net *net,
			enum warptrog_output output)
{
	const int16_t *weights = (const int16_t *)net;
	struct warptrog_inputs in;
	int32_t sum[WARPTROG_HIDDEN] = { 0 }, out = 0;
	warptrog_net_inputs(s, &in);
	for (int i = 0; i < in.count; i++) {
		const int16_t *row = weights + in.row[i] * WARPTROG_HIDDEN;
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			sum[k] += row[k];
	}
	for (int side = 0; side < 2; side++) {
		const int16_t *row = weights + in.gain_row[side] * WARPTROG_HIDDEN;
		if (!in.gain[side])
			continue;
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			sum[k] += row[k] * in.gain[side] / WARPTROG_GAIN_ONE;
	}
	const int at = (int)output * WARPTROG_OUT_ROWS + in.out;
	const int16_t *row = weights + (WARPTROG_ROW_OUT + at) * WARPTROG_HIDDEN;
	for (int k = 0; k < WARPTROG_HIDDEN; k++) {
		const int32_t low = sum[k] < 0 ? 0 : sum[k];
		const int32_t cut = low > WARPTROG_NET_ONE ? WARPTROG_NET_ONE : low;
		out += (cut * cut >> 6) * row[k];
	}
	const double x = ((double)out / (WARPTROG_NET_ONE * (WARPTROG_NET_ONE >> 6)) +
			  weights[WARPTROG_ROWS * WARPTROG_HIDDEN + at]) /
			 WARPTROG_OUT_ONE;
	return (int32_t)lround(WARPTROG_NET_VALUE * (x / sqrt(1 + x * x)));
}

int32_t warptrog_net_evaluate(const void *state, const void *net)
{
	const struct warptrog *s = state;
	if (s->warping == WARPTROG_NONE)
		return evaluate(s, net, WARPTROG_VALUE);
	struct warptrog before = *s;
	before.warps[s->turn]++;
	return evaluate(&before, net, WARPTROG_WARP_VALUE);
}
