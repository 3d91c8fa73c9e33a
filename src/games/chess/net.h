/*
 * net.h - chess: an evaluation by a small neural network, trained on games.
 * SPDX-License-Identifier: MIT
 *
 * Each side looks at the board from its own end, mirrored so that its king is on the right half.
 * Each piece on each square, own and enemy, has a row of weights, a different one for each area
 * where that king may be (a king-bucketed feature transformer, as in NNUE). The rows of all pieces
 * are added. The two sums, clipped to 0..1 and squared, are weighted once more; these weights
 * depend on the number of pieces and on the side to move. The output is the expected result, as the
 * argument of a logistic curve. Everything is in integers, so the value is the same on every
 * machine. Rows are added as vectors of the compiler's own, so no processor needs code of its own,
 * except that WebAssembly has one for the last step.
 *
 * A search evaluates positions that differ by a few pieces from earlier ones. It gives the net a
 * memory: for each side, area and half of the board of its king, the last sum and its pieces. Then
 * only the rows of pieces that left or arrived are updated.
 */
#ifndef CHESS_NET_H
#define CHESS_NET_H

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "base/embed.h"
#include "games/chess/endings.h"

/* The shape of the net; files have it in their head. */
enum {
	CHESS_NET_AREAS = 4,  /* of the king's square; 1 or 4 */
	CHESS_NET_SIZE = 512, /* of each side's sum */
	CHESS_NET_STAGES = 8, /* by the number of pieces */
};

enum {
	CHESS_NET_PLACES = 2 * CHESS_KINDS * CHESS_SQUARES,
	CHESS_NET_INPUTS = CHESS_NET_AREAS * CHESS_NET_PLACES,
	CHESS_NET_ONE = 255,	/* of rows and sums */
	CHESS_NET_OUT_ONE = 64, /* of the weights of sums */
	CHESS_NET_ROW_MOST = 2 * CHESS_NET_ONE,
	CHESS_NET_OUT_MOST = 127,
	CHESS_NET_PIECES = 32, /* positions with more are not considered */
};
_Static_assert(CHESS_NET_AREAS == 1 || CHESS_NET_AREAS == 4, "areas that there are");
_Static_assert((CHESS_NET_PIECES + 1) * CHESS_NET_ROW_MOST <= INT16_MAX, "sums stay in their type");
_Static_assert(CHESS_NET_ONE *CHESS_NET_OUT_MOST <= INT16_MAX, "so does what is weighed");

/* Plain data, as in files. */
struct chess_net {
	int16_t rows[CHESS_NET_INPUTS][CHESS_NET_SIZE];
	int16_t empty[CHESS_NET_SIZE];			   /* the sum of an empty board */
	int16_t outs[CHESS_NET_STAGES][2][CHESS_NET_SIZE]; /* of the side to move, of the other */
	int32_t base[CHESS_NET_STAGES];			   /* in 1/(ONE * OUT_ONE) */
	int32_t curve[CHESS_NET_STAGES]; /* hundredths of a pawn per unit of the logistic curve */
};
_Static_assert(sizeof(struct chess_net) % 64 == 0, "no padding");

enum { CHESS_NET_HEAD = 64, CHESS_NET_FILE = CHESS_NET_HEAD + sizeof(struct chess_net) };

/*
 * Writes the CHESS_NET_FILE bytes of a file. chess_net_read reads one into *weights, a struct
 * chess_net; QV_BAD_INPUT if it is not a sound net of this shape.
 */
void chess_net_write(const struct chess_net *net, char *out);
enum qv_status chess_net_read(const char *data, size_t size, void *weights, struct qv_error *error);

/* The stage of a position by its number of pieces. */
static inline int chess_net_stage(int pieces)
{
	return pieces > CHESS_NET_PIECES ? CHESS_NET_STAGES - 1
					 : (pieces - 1) * CHESS_NET_STAGES / CHESS_NET_PIECES;
}

/* How a side sees the board. */
struct chess_net_view {
	int side;
	int turn; /* squares are turned by exclusive or with this */
	int area;
};

static inline struct chess_net_view chess_net_view(const struct chess *s, int side)
{
	const int king = chess_king(s, side);
	const int turn = (side ? 56 : 0) ^ (chess_file(king) < 4 ? 7 : 0), seen = king ^ turn;
	/* 0: g1 and h1; 1: e1 and f1; 2: the second row; 3: the rest. */
	const int area = seen >= 16 ? 3 : seen >= 8 ? 2 : seen % 4 < 2;
	return (struct chess_net_view){ side, turn, CHESS_NET_AREAS == 1 ? 0 : area };
}

/* The row of a piece (its colour and kind, as on the board) on a square. */
static inline int chess_net_row(const struct chess_net_view *v, int piece, int square)
{
	const int other = (piece >> 3) ^ v->side;
	return ((v->area * 2 + other) * CHESS_KINDS + (piece & 7)) * CHESS_SQUARES +
	       (square ^ v->turn);
}

/* Lists the rows of the pieces on a set of squares; returns how many. */
static inline int chess_net_rows(const struct chess_net_view *v, const uint8_t *board, uint64_t set,
				 uint16_t *out)
{
	int n = 0;
	for (; set && n < CHESS_NET_PIECES; set = bits_rest(set)) {
		const int square = bits_lowest(set);
		out[n++] = (uint16_t)chess_net_row(v, board[square], square);
	}
	return n;
}

/* Vectors as wide as the processor's: gcc splits wider ones, through memory. */
#ifdef __AVX2__
enum { CHESS_NET_LANES = 16 };
#else
enum { CHESS_NET_LANES = 8 };
#endif
typedef int16_t chess_net_lanes
	__attribute__((vector_size(2 * CHESS_NET_LANES), aligned(2), may_alias));

/* This many numbers of a sum are held in registers at a time. */
enum { CHESS_NET_TILE = 64, CHESS_NET_VECTORS = CHESS_NET_TILE / CHESS_NET_LANES };
_Static_assert(CHESS_NET_SIZE % CHESS_NET_TILE == 0, "whole tiles");

/*
 * Rows to subtract from a sum, then rows to add, so that no intermediate sum has more pieces than
 * allowed.
 */
struct chess_net_change {
	int gone_count, come_count;
	uint16_t gone[CHESS_NET_PIECES], come[CHESS_NET_PIECES];
};

/* Clips a tile of a sum to 0..1, and weights its square. */
#ifdef __wasm_simd128__
/* clang does not use the dot product of WebAssembly by itself. */
CHESS_INLINE int32_t chess_net_weigh(const int16_t *restrict sum, const int16_t *restrict outs)
{
	const v128_t least = wasm_i16x8_splat(0), most = wasm_i16x8_splat(CHESS_NET_ONE);
	v128_t total = wasm_i32x4_splat(0);
	for (int i = 0; i < CHESS_NET_TILE; i += 8) {
		const v128_t low = wasm_i16x8_max(wasm_v128_load(sum + i), least);
		const v128_t cut = wasm_i16x8_min(low, most);
		const v128_t weighed = wasm_i16x8_mul(cut, wasm_v128_load(outs + i));
		total = wasm_i32x4_add(total, wasm_i32x4_dot_i16x8(weighed, cut));
	}
	return wasm_i32x4_extract_lane(total, 0) + wasm_i32x4_extract_lane(total, 1) +
	       wasm_i32x4_extract_lane(total, 2) + wasm_i32x4_extract_lane(total, 3);
}
#else
CHESS_INLINE int32_t chess_net_weigh(const int16_t *restrict sum, const int16_t *restrict outs)
{
	int32_t total = 0;
	for (int i = 0; i < CHESS_NET_TILE; i++) {
		const int16_t low = sum[i] > 0 ? sum[i] : 0;
		const int16_t cut = low < CHESS_NET_ONE ? low : CHESS_NET_ONE;
		total += (int16_t)(cut * outs[i]) * cut;
	}
	return total;
}
#endif

/* Makes one sum from another, and weights it. */
CHESS_INLINE int64_t chess_net_look(const struct chess_net *net, const struct chess_net_change *c,
				    const int16_t *from, int16_t *to, const int16_t *outs)
{
	int64_t total = 0;
	for (int first = 0; first < CHESS_NET_SIZE; first += CHESS_NET_TILE) {
		chess_net_lanes sum[CHESS_NET_VECTORS];
		const chess_net_lanes *row = (const chess_net_lanes *)(from + first);
#pragma GCC unroll 8
		for (int k = 0; k < CHESS_NET_VECTORS; k++)
			sum[k] = row[k];
		for (int i = 0; i < c->gone_count; i++) {
			row = (const chess_net_lanes *)(net->rows[c->gone[i]] + first);
#pragma GCC unroll 8
			for (int k = 0; k < CHESS_NET_VECTORS; k++)
				sum[k] -= row[k];
		}
		for (int i = 0; i < c->come_count; i++) {
			row = (const chess_net_lanes *)(net->rows[c->come[i]] + first);
#pragma GCC unroll 8
			for (int k = 0; k < CHESS_NET_VECTORS; k++)
				sum[k] += row[k];
		}
#pragma GCC unroll 8
		for (int k = 0; k < CHESS_NET_VECTORS; k++)
			((chess_net_lanes *)(to + first))[k] = sum[k];
		total += chess_net_weigh(to + first, outs + first);
	}
	return total;
}

/* A remembered sum and its pieces. All zeros: none yet. */
struct chess_net_sum {
	uint64_t kind[CHESS_KINDS], side[2];
	uint8_t board[CHESS_SQUARES]; /* valid where pieces stand */
	int16_t sum[CHESS_NET_SIZE];
};
_Static_assert(sizeof(struct chess_net_sum) % 64 == 0, "no padding");

struct chess_net_memory {
	struct chess_net_sum sums[2][CHESS_NET_AREAS][2]; /* [side][area][half of the board] */
};

/*
 * Adds up what a side sees, and weights it. With a memory, the remembered sum is updated if that
 * takes fewer rows than adding up all pieces.
 */
static inline int64_t chess_net_side(const struct chess_net *net, const struct chess *s, int side,
				     struct chess_net_memory *memory, const int16_t *outs)
{
	const struct chess_net_view v = chess_net_view(s, side);
	const uint64_t pieces = chess_occupied(s);
	struct chess_net_change c;
	c.gone_count = 0;
	if (!memory) {
		int16_t sum[CHESS_NET_SIZE] __attribute__((aligned(32)));
		c.come_count = chess_net_rows(&v, s->board, pieces, c.come);
		return chess_net_look(net, &c, net->empty, sum, outs);
	}
	struct chess_net_sum *m = &memory->sums[side][v.area][v.turn & 1];
	uint64_t changed = (m->side[0] ^ s->side[0]) | (m->side[1] ^ s->side[1]);
	for (int i = 0; i < CHESS_KINDS; i++)
		changed |= m->kind[i] ^ s->kind[i];
	const uint64_t gone = changed & (m->side[0] | m->side[1]), come = changed & pieces;
	const bool from_scratch = bits_count(gone) + bits_count(come) >= bits_count(pieces);
	c.gone_count = from_scratch ? 0 : chess_net_rows(&v, m->board, gone, c.gone);
	c.come_count = chess_net_rows(&v, s->board, from_scratch ? pieces : come, c.come);
	memcpy(m->kind, s->kind, sizeof m->kind);
	memcpy(m->side, s->side, sizeof m->side);
	memcpy(m->board, s->board, sizeof m->board);
	return chess_net_look(net, &c, from_scratch ? net->empty : m->sum, m->sum, outs);
}

/* memory: may be NULL; the value is the same. */
static inline int32_t chess_net_value(const struct chess *s, const struct chess_net *net,
				      struct chess_net_memory *memory)
{
	const int pieces = bits_count(chess_occupied(s)), stage = chess_net_stage(pieces);
	int64_t sum = 0;
	if (pieces > CHESS_NET_PIECES)
		memory = NULL;
	for (int i = 0; i < 2; i++)
		sum += chess_net_side(net, s, s->turn ^ i, memory, net->outs[stage][i]);
	const int64_t whole = sum / CHESS_NET_ONE + net->base[stage];
	return (int32_t)(whole * net->curve[stage] / (CHESS_NET_ONE * CHESS_NET_OUT_ONE));
}

/*
 * The slot `recall` of struct qv_evaluation. memory: a struct chess_net_memory, all zeros at first,
 * or NULL. The value of the net, reduced where a lead is hard to use, plus how to mate a bare king.
 */
int32_t chess_net_evaluate(const void *state, const void *weights, void *memory);

/* The shipped net, as `quevedo train chess` wrote it. */
struct chess_net_file {
	char head[CHESS_NET_HEAD];
	struct chess_net net;
};
EMBEDDED(struct chess_net_file chess_net_file);

#endif
