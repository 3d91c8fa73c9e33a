/*
 * net.c - Warp Trog's neural network: the integer arithmetic, and the shipped weights.
 * SPDX-License-Identifier: MIT
 */
#include "games/warptrog/net.h"

#include <math.h>

static const struct warptrog_net net = {
#include "games/warptrog/net_weights.inc.h"
};

/*
 * The expected landings in a warp of a Trog that the scan visits at this place, times
 * WARPTROG_GAIN_ONE: 1 at the last square, and 37/36 times the one after it elsewhere.
 */
static const int16_t landings[WARPTROG_SQUARES] = {
	668, 650, 632, 615, 599, 582, 567, 551, 536, 522, 508, 494, 481, 468, 455, 443, 431, 419,
	408, 397, 386, 376, 366, 356, 346, 337, 328, 319, 310, 302, 294, 286, 278, 270, 263, 256,
};

#define DARK UINT64_C(0xa95a95a95)

static inline void add(int32_t *sum, const int16_t *row)
{
	for (int i = 0; i < WARPTROG_HIDDEN; i++)
		sum[i] += row[i];
}

/* Adds the inputs of one side: `side` is 0 for the side to move. */
static void add_side(const struct warptrog *s, enum warptrog_role role, int side, int32_t *sum)
{
	const int me = s->turn, seat = side ? 1 - me : me;
	const int warps = s->warps[seat];
	int32_t gain = 0;
	for (uint64_t left = s->men[seat]; left; left = bits_rest(left)) {
		const int square = bits_lowest(left);
		const int trog = (int)(s->trogs >> square & 1);
		add(sum, net.men[me][2 * side + trog][square]);
		gain += trog ? landings[warptrog_visit(square)] : 0;
	}
	add(sum,
	    net.warps[role][me][side][warps < WARPTROG_NET_WARPS ? warps : WARPTROG_NET_WARPS - 1]);
	if (!warps)
		return;
	gain = gain * bits_count(s->men[1 - seat]) / WARPTROG_SQUARES;
	for (int i = 0; i < WARPTROG_HIDDEN; i++)
		sum[i] += net.gain[me][side][i] * gain / WARPTROG_GAIN_ONE;
}

/* The value of a position where s->turn is to move, by one of the outputs. */
static int32_t evaluate(const struct warptrog *s, const struct warptrog_outputs *outputs)
{
	const uint64_t men = s->men[0] | s->men[1];
	const int parity = bits_count(men & DARK) & 1, count = bits_count(men);
	const int phase = count <= 3 ? 0 : count <= 5 ? 1 : count <= 7 ? 2 : 3;
	const enum warptrog_role role = !s->weaker		   ? WARPTROG_EQUAL
					: s->weaker - 1 == s->turn ? WARPTROG_WEAKER
								   : WARPTROG_STRONGER;
	const int16_t *weights = outputs->of[role][parity][phase];
	int32_t sum[WARPTROG_HIDDEN] = { 0 }, out = 0;
	add(sum, net.bias[role][s->turn][parity]);
	add_side(s, role, 0, sum);
	add_side(s, role, 1, sum);
	for (int i = 0; i < WARPTROG_HIDDEN; i++) {
		const int32_t cut = sum[i] < 0			? 0
				    : sum[i] > WARPTROG_NET_ONE ? WARPTROG_NET_ONE
								: sum[i];
		out += (cut * cut >> 6) * weights[i];
	}
	const double x =
		(double)out / (WARPTROG_NET_ONE * (WARPTROG_NET_ONE >> 6)) / WARPTROG_OUT_ONE +
		(double)outputs->bias[role][parity][phase] / WARPTROG_OUT_ONE;
	return (int32_t)lround(WARPTROG_NET_VALUE * (x / sqrt(1 + x * x)));
}

/* The value of a warp is known where it begins; one under way is taken for such a warp. */
int32_t warptrog_net_evaluate(const struct warptrog *s)
{
	if (s->warping == WARPTROG_NONE)
		return evaluate(s, &net.value);
	struct warptrog before = *s;
	before.warps[s->turn]++;
	return evaluate(&before, &net.warp);
}
