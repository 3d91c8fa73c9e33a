/*
 * paired.h - matches with paired dice, for tests and benches: in both games of a pair the k-th
 * throw of a seat is the same, and the players change seats.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_PAIRED_H
#define TEST_PAIRED_H

#include <math.h>

#include "quevedo.h"

enum { PAIRED_PLIES = 100000 };            /* no game of dice is so long */

struct paired {
	int pairs;
	int wins;                  /* of the first player */
	int wins_in[2];            /* ... by the seat it had */
	double sum, squares;       /* of its points in a pair: 0, 1 or 2 */
};

/* A throw for the seat whose turn comes after it. The outcomes must be equally likely. */
static inline qv_move paired_throw(const struct qv_game *g, const void *state, uint64_t key,
				   int seat, uint64_t *thrown)
{
	qv_move list[QV_MAX_MOVES];
	const int n = g->moves(state, list);
	const uint64_t mine = qv_random_key(key, (uint64_t)seat);
	return list[qv_random_below_at(mine, thrown[seat]++, (uint64_t)n)];
}

/* Whose throw it is: the mover after any outcome. */
static inline int paired_thrower(const struct qv_game *g, const void *state, void *scratch)
{
	qv_move list[QV_MAX_MOVES];
	g->moves(state, list);
	memcpy(scratch, state, g->state_size);
	g->play(scratch, list[0]);
	return g->seat(scratch);
}

/* The winner's seat; -1: a draw, or no answer from a player. players: by seat. */
static inline int paired_game(const struct qv_rules *rules, struct qv_player *const players[2],
			      uint64_t key, void *state, void *scratch)
{
	const struct qv_game *g = rules->game;
	int32_t points[QV_MAX_SEATS];
	uint64_t thrown[2] = { 0, 0 };
	g->start(rules->options, state);
	for (int ply = 0; ply < PAIRED_PLIES; ply++) {
		struct qv_answer answer = { .size = sizeof answer };
		if (g->result(state, points) != QV_GOING)
			return qv_winner(g, points);
		const int seat = g->seat(state);
		enum qv_status status = QV_OK;
		if (seat == QV_CHANCE)
			answer.move = paired_throw(g, state, key,
						   paired_thrower(g, state, scratch), thrown);
		else
			status = qv_player_think(players[seat], state, NULL, NULL, &answer, NULL);
		if (status != QV_OK || !qv_move_legal(g, state, answer.move))
			return -1;
		g->play(state, answer.move);
	}
	return -1;
}

/* False: no memory, or a game without a winner. */
static inline bool paired_match(const struct qv_context *context, const struct qv_rules *rules,
				struct qv_player *const players[2], int pairs, uint64_t seed,
				struct paired *out)
{
	struct qv_player *const swapped[2] = { players[1], players[0] };
	void *state = qv_state_new(context, rules->game);
	void *scratch = qv_state_new(context, rules->game);
	bool fine = state && scratch;
	*out = (struct paired){ 0 };
	for (; fine && out->pairs < pairs; out->pairs++) {
		const uint64_t key = qv_random_key(seed, (uint64_t)out->pairs);
		const int first = paired_game(rules, players, key, state, scratch);
		const int second = paired_game(rules, swapped, key, state, scratch);
		const int won = (first == 0) + (second == 1);
		fine = first >= 0 && second >= 0;
		out->wins_in[0] += first == 0;
		out->wins_in[1] += second == 1;
		out->wins += won;
		out->sum += won;
		out->squares += won * won;
	}
	qv_state_free(context, rules->game, state);
	qv_state_free(context, rules->game, scratch);
	return fine;
}

/* The first player's share of all games, and the standard error of that. */
static inline double paired_score(const struct paired *p)
{
	return p->sum / (2.0 * p->pairs);
}

static inline double paired_error(const struct paired *p)
{
	const double n = p->pairs, mean = p->sum / n;
	return sqrt((p->squares / n - mean * mean) / (n - 1)) / 2;
}

#endif
