/*
 * frontier.c - an evaluation of your own for reversi, a built-in game, as a plug-in.
 * SPDX-License-Identifier: MIT
 *
 * It counts corners, the squares diagonally next to an empty corner, and the frontier: discs beside
 * an empty square, which give the opponent moves. Try it against the game's own evaluation:
 *
 *   quevedo match reversi --plugin ./frontier.so --player A=alphabeta:depth=4,eval=frontier \
 *       --player B=alphabeta:depth=4,eval=default --random-plies 4
 */
#include <quevedo.h>

enum { SIZE = 8, SQUARES = SIZE * SIZE };
enum { CORNER, NEAR_CORNER, FRONTIER, WEIGHTS };

static const struct qv_game *reversi; /* the library stores it here before it calls evaluate */

static const int32_t default_weights[WEIGHTS] = { 60, -20, -4 };
static const struct qv_weight names[] = {
	{ "corner", CORNER, 1 }, { "near-corner", NEAR_CORNER, 1 }, { "frontier", FRONTIER, 1 },
	{ NULL, 0, 0 },
};

/* Whether a square next to this one is empty. */
static bool is_frontier(const int16_t *squares, int at)
{
	for (int row = at / SIZE - 1; row <= at / SIZE + 1; row++)
		for (int column = at % SIZE - 1; column <= at % SIZE + 1; column++)
			if (row >= 0 && row < SIZE && column >= 0 && column < SIZE &&
			    squares[row * SIZE + column] < 0)
				return true;
	return false;
}

/* Cells are a1, b1, ... to h8. The value is for the side to move, and minus that for the other. */
static int32_t weigh(const void *state, const int32_t *weights, struct qv_terms *terms)
{
	const int me = reversi->seat(state);
	int16_t squares[SQUARES];
	int32_t counts[WEIGHTS][2] = { { 0 } }, value = 0;
	qv_read_cells(reversi->board, state, squares, SQUARES);
	for (int i = 0; i < SQUARES; i++)
		if (squares[i] >= 0 && is_frontier(squares, i))
			counts[FRONTIER][reversi->board->pieces[squares[i]].seat]++;
	for (int i = 0; i < 4; i++) {
		const int row = i / 2 * (SIZE - 1), column = i % 2 * (SIZE - 1);
		const int16_t corner = squares[row * SIZE + column];
		const int inwards = (row ? row - 1 : 1) * SIZE + (column ? column - 1 : 1);
		const int16_t near = squares[inwards];
		if (corner >= 0)
			counts[CORNER][reversi->board->pieces[corner].seat]++;
		else if (near >= 0)
			counts[NEAR_CORNER][reversi->board->pieces[near].seat]++;
	}
	for (int i = 0; i < WEIGHTS; i++)
		value += qv_weigh_ahead(terms, weights, i, me, counts[i][me], counts[i][1 - me]);
	return value;
}

static int32_t evaluate(const void *state, const void *weights)
{
	return weigh(state, weights, NULL);
}

static void terms(const void *state, const void *weights, struct qv_terms *out)
{
	weigh(state, weights, out);
}

static const struct qv_evaluation evaluations[] = {
	{ .name = "frontier", .help = "corners and few discs beside empty squares",
	  .evaluate = evaluate, .terms = terms, .weights = default_weights,
	  .weights_size = sizeof default_weights, .names = names },
	{ 0 },
};

static const struct qv_added_evaluations added = {
	QV_HEAD(qv_added_evaluations), .game = "reversi", .evaluations = evaluations, .rules = &reversi,
};

QV_API qv_plugin_evaluations_fn qv_plugin_evaluations;

const struct qv_added_evaluations *qv_plugin_evaluations(int index)
{
	return index == 0 ? &added : NULL;
}
