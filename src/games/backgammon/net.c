/*
 * net.c - backgammon: the chances of a position by the nets.
 * SPDX-License-Identifier: MIT
 *
 * The first layer is added in tiles that stay in registers. Vectors are the compiler's own, so no
 * processor needs code of its own.
 */
#include "games/backgammon/net.h"

/*
 * Vectors as wide as the processor's, and as many as it has registers for a tile. The order of
 * additions does not depend on them.
 */
#ifdef __AVX2__
enum { LANES = 8, VECTORS = 8 };
#elif defined __aarch64__
enum { LANES = 4, VECTORS = 16 };
#else
enum { LANES = 4, VECTORS = 8 };
#endif
typedef float lanes __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t lane_bits __attribute__((vector_size(4 * LANES)));

enum { TILE = VECTORS * LANES, SUMS = 8 / LANES };
_Static_assert(BACKGAMMON_HIDDEN % TILE == 0, "whole tiles");

const struct backgammon_nets *backgammon_nets(void)
{
	return &backgammon_net_file.nets;
}

/* ---- Classes ---- */

static bool has_crashed(const uint8_t *men)
{
	return men[0] + men[1] + men[2] >= BACKGAMMON_MEN - 6;
}

enum backgammon_class backgammon_class(const struct backgammon *s)
{
	if (backgammon_rear(s->men[0]) + backgammon_rear(s->men[1]) <= BACKGAMMON_POINTS)
		return BACKGAMMON_RACE;
	return has_crashed(s->men[0]) || has_crashed(s->men[1]) ? BACKGAMMON_CRASHED
								: BACKGAMMON_CONTACT;
}

/* ---- The net ---- */

/* A polynomial for 2^f, f from -0.5 to 0.5, times a power of two. */
static float exponential(float x)
{
	const float scaled = x * 1.44269504F;
	const int whole = (int)(scaled + (scaled < 0 ? -0.5F : 0.5F));
	const float f = (scaled - (float)whole) * 0.693147181F;
	const float p =
		1 + f * (1 + f * (0.5F + f * (0.166666667F +
					      f * (0.0416666667F +
						   f * (0.00833333333F + f * 0.00138888889F)))));
	union {
		uint32_t bits;
		float value;
	} power = { .bits = (uint32_t)(whole + 127) << 23 };
	return p * power.value;
}

float backgammon_sigmoid(float x)
{
	const float most = 30, bounded = x > most ? most : x < -most ? -most : x;
	return 1 / (1 + exponential(-bounded));
}

static inline lanes activate(lanes x)
{
	const lanes size = (lanes)((lane_bits)x & INT32_MAX);
	return x / (1 + size);
}

void backgammon_forward(const struct backgammon_net *net, const struct backgammon_inputs *in,
			float hidden[BACKGAMMON_HIDDEN], float outputs[BACKGAMMON_OUTPUTS])
{
	for (int first = 0; first < BACKGAMMON_HIDDEN; first += TILE) {
		lanes sum[VECTORS];
		const lanes *row = (const lanes *)(net->bias + first);
#pragma GCC unroll 16
		for (int k = 0; k < VECTORS; k++)
			sum[k] = row[k];
		for (int i = 0; i < in->units; i++) {
			row = (const lanes *)(net->rows[in->row[i]] + first);
#pragma GCC unroll 16
			for (int k = 0; k < VECTORS; k++)
				sum[k] += row[k];
		}
		for (int i = in->units; i < in->count; i++) {
			const float value = in->value[i];
			row = (const lanes *)(net->rows[in->row[i]] + first);
#pragma GCC unroll 16
			for (int k = 0; k < VECTORS; k++)
				sum[k] += row[k] * value;
		}
#pragma GCC unroll 16
		for (int k = 0; k < VECTORS; k++)
			((lanes *)(hidden + first))[k] = activate(sum[k]);
	}
	/* Eight sums for each output, added pairwise at the end. */
	for (int o = 0; o < BACKGAMMON_OUTPUTS; o++) {
		union {
			lanes vector[SUMS];
			float of[8];
		} sum = { .of = { 0 } };
		for (int h = 0; h < BACKGAMMON_HIDDEN; h += 8)
			for (int k = 0; k < SUMS; k++)
				sum.vector[k] += ((const lanes *)(net->outs[o] + h))[k] *
						 ((const lanes *)(hidden + h))[k];
		const float *t = sum.of;
		outputs[o] = net->base[o] +
			     (((t[0] + t[4]) + (t[1] + t[5])) + ((t[2] + t[6]) + (t[3] + t[7])));
	}
}

/* ---- Chances ---- */

/* The result of an ended game. */
static void ended(const struct backgammon *s, struct backgammon_chances *out)
{
	const uint8_t *mine = s->men[s->turn], *theirs = s->men[1 - s->turn];
	const bool won = mine[BACKGAMMON_OFF] == BACKGAMMON_MEN;
	const int32_t points = backgammon_loss(won ? theirs : mine);
	*out = (struct backgammon_chances){ { 0 } };
	out->of[BACKGAMMON_WIN_ANY] = won;
	out->of[won ? BACKGAMMON_WIN_GAMMON : BACKGAMMON_LOSE_GAMMON] = points > 1;
	out->of[won ? BACKGAMMON_WIN_BACKGAMMON : BACKGAMMON_LOSE_BACKGAMMON] = points > 2;
}

static void at_most(float *chance, float most)
{
	if (*chance > most)
		*chance = most;
}

void backgammon_chances(const struct backgammon_nets *nets, const struct backgammon *s,
			struct backgammon_chances *out)
{
	if (backgammon_has_ended(s)) {
		ended(s, out);
		return;
	}
	const enum backgammon_class c = backgammon_class(s);
	struct backgammon_inputs in;
	float hidden[BACKGAMMON_HIDDEN] __attribute__((aligned(64)));
	float outputs[BACKGAMMON_OUTPUTS];
	backgammon_inputs(s, c, &in);
	backgammon_forward(&nets->of[c], &in, hidden, outputs);
	for (int i = 0; i < BACKGAMMON_OUTPUTS; i++)
		out->of[i] = backgammon_sigmoid(outputs[i]);
	/* A seat with a man off cannot lose a gammon. Backgammons are gammons, and gammons wins. */
	if (s->men[1 - s->turn][BACKGAMMON_OFF])
		out->of[BACKGAMMON_WIN_GAMMON] = 0;
	if (s->men[s->turn][BACKGAMMON_OFF])
		out->of[BACKGAMMON_LOSE_GAMMON] = 0;
	at_most(&out->of[BACKGAMMON_WIN_GAMMON], out->of[BACKGAMMON_WIN_ANY]);
	at_most(&out->of[BACKGAMMON_WIN_BACKGAMMON], out->of[BACKGAMMON_WIN_GAMMON]);
	at_most(&out->of[BACKGAMMON_LOSE_GAMMON], 1 - out->of[BACKGAMMON_WIN_ANY]);
	at_most(&out->of[BACKGAMMON_LOSE_BACKGAMMON], out->of[BACKGAMMON_LOSE_GAMMON]);
}

int32_t backgammon_net_evaluate(const void *state, const void *nets)
{
	struct backgammon_chances c;
	backgammon_chances(nets, state, &c);
	const float value = backgammon_equity(&c) * 1000;
	return (int32_t)(value < 0 ? value - 0.5F : value + 0.5F);
}
