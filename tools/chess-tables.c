/*
 * chess-tables.c - part of the build: the tables of attacks and random numbers for chess
 * (src/games/chess/tables.h), found by walking the lines, as the bytes that the library takes in.
 * SPDX-License-Identifier: MIT
 * usage: chess-tables OUT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/chess/tables.h"
#include "quevedo.h"

struct step {
	int file, row;
};

static const struct step bishop_steps[4] = { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } };
static const struct step rook_steps[4] = { { 0, 1 }, { 0, -1 }, { 1, 0 }, { -1, 0 } };

/* The square so many steps away, or -1. */
static int away(int square, struct step step, int times)
{
	const int file = square % 8 + times * step.file, row = square / 8 + times * step.row;
	return file < 0 || file > 7 || row < 0 || row > 7 ? -1 : 8 * row + file;
}

/* The squares in one direction, up to and with the first man; `inner`: without the last square. */
static uint64_t walk(int square, struct step step, uint64_t men, int inner)
{
	uint64_t out = 0;
	for (int k = 1; away(square, step, k) >= 0; k++) {
		const int at = away(square, step, k);
		if (inner && away(square, step, k + 1) < 0)
			break;
		out |= chess_bit(at);
		if (men >> at & 1)
			break;
	}
	return out;
}

static uint64_t walk_all(int square, const struct step *steps, uint64_t men, int inner)
{
	uint64_t out = 0;
	for (int i = 0; i < 4; i++)
		out |= walk(square, steps[i], men, inner);
	return out;
}

static uint64_t jumps(int square, const struct step *steps, int count)
{
	uint64_t out = 0;
	for (int i = 0; i < count; i++)
		if (away(square, steps[i], 1) >= 0)
			out |= chess_bit(away(square, steps[i], 1));
	return out;
}

static void make_jumps(struct chess_tables *t, int square)
{
	static const struct step knight[8] = { { 1, 2 },  { 2, 1 },  { 2, -1 },	 { 1, -2 },
					       { -1, 2 }, { -2, 1 }, { -2, -1 }, { -1, -2 } };
	static const struct step pawn[2][2] = { { { -1, 1 }, { 1, 1 } },
						{ { -1, -1 }, { 1, -1 } } };
	t->knight[square] = jumps(square, knight, 8);
	t->king[square] = jumps(square, bishop_steps, 4) | jumps(square, rook_steps, 4);
	for (int side = 0; side < 2; side++)
		t->pawn[side][square] = jumps(square, pawn[side], 2);
	t->diagonal[square] = chess_bit(square) | walk(square, bishop_steps[0], 0, 0) |
			      walk(square, bishop_steps[3], 0, 0);
	t->antidiagonal[square] = chess_bit(square) | walk(square, bishop_steps[1], 0, 0) |
				  walk(square, bishop_steps[2], 0, 0);
}

static void make_lines(struct chess_tables *t, int square, const struct step *steps)
{
	for (int i = 0; i < 4; i++) {
		const struct step back = { -steps[i].file, -steps[i].row };
		uint64_t between = 0;
		for (int k = 1; away(square, steps[i], k) >= 0; k++) {
			const int to = away(square, steps[i], k);
			t->between[square][to] = between;
			t->line[square][to] = walk(square, steps[i], 0, 0) |
					      walk(square, back, 0, 0) | chess_bit(square);
			between |= chess_bit(to);
		}
	}
}

enum { MOST_ANSWERS = 4096 }; /* a rook's in a corner */

/* All sets of men within a slider's mask, and what it attacks among them. */
struct answers {
	int count;
	uint64_t men[MOST_ANSWERS], attacks[MOST_ANSWERS];
};

static void find_answers(struct answers *a, uint64_t mask, int square, const struct step *steps)
{
	uint64_t men = 0;
	a->count = 0;
	do {
		a->men[a->count] = men;
		a->attacks[a->count++] = walk_all(square, steps, men, 0);
		men = (men - mask) & mask; /* the next set */
	} while (men);
}

/* Writes the answers to their places by the present magic; 0 if two different ones meet. */
static int fill(const struct chess_slider *l, const struct answers *a, uint64_t *slides)
{
	memset(slides, 0, (size_t)a->count * sizeof *slides);
	for (int i = 0; i < a->count; i++) {
		uint64_t *answer = &slides[chess_slide_place(l, a->men[i])];
		if (*answer && *answer != a->attacks[i])
			return 0;
		*answer = a->attacks[i];
	}
	return 1;
}

/* A factor with few ones that brings many of the mask's bits to the top: it may do. */
static uint64_t draw_magic(struct qv_random *random, uint64_t mask)
{
	uint64_t magic;
	do
		magic = qv_random_next(random) & qv_random_next(random) & qv_random_next(random);
	while (bits_count(mask * magic >> 56) < 6);
	return magic;
}

/* Returns where the next slider's answers begin. */
static uint32_t make_slider(struct chess_slider *l, int square, const struct step *steps,
			    uint32_t first, uint64_t *slides)
{
	struct answers answers;
	struct qv_random random = { .key = qv_random_key(1, (uint64_t)square) };
	l->mask = walk_all(square, steps, 0, 1);
	l->rays = walk_all(square, steps, 0, 0);
	l->first = first;
	l->shift = (uint32_t)(64 - bits_count(l->mask));
	find_answers(&answers, l->mask, square, steps);
	do /* with pext the first one does */
		l->magic = draw_magic(&random, l->mask);
	while (!fill(l, &answers, slides + first));
	return first + (uint32_t)answers.count;
}

static void make(struct chess_tables *t)
{
	struct qv_random random = { .key = qv_random_key(1983, 0) };
	uint32_t first = 0;
	for (int square = 0; square < CHESS_SQUARES; square++) {
		make_jumps(t, square);
		make_lines(t, square, bishop_steps);
		make_lines(t, square, rook_steps);
		first = make_slider(&t->bishop[square], square, bishop_steps, first, t->slides);
	}
	for (int square = 0; square < CHESS_SQUARES; square++)
		first = make_slider(&t->rook[square], square, rook_steps, first, t->slides);
	for (int man = 0; man < 16; man++)
		for (int square = 0; square < CHESS_SQUARES; square++)
			t->piece_key[man][square] = qv_random_next(&random);
	for (int i = 0; i < 16; i++)
		t->castling_key[i] = qv_random_next(&random);
	for (int i = 0; i < 8; i++)
		t->passant_key[i] = qv_random_next(&random);
	t->turn_key = qv_random_next(&random);
}

int main(int argc, char **argv)
{
	struct chess_tables *t = calloc(1, sizeof *t);
	FILE *f = argc == 2 && t ? fopen(argv[1], "wb") : NULL;
	int good = 0;
	if (f) {
		make(t);
		good = fwrite(t, sizeof *t, 1, f) == 1;
		good = fclose(f) == 0 && good;
	}
	if (!good)
		fprintf(stderr, "chess-tables: usage: OUT, a file that can be written\n");
	free(t);
	return good ? 0 : 1;
}
