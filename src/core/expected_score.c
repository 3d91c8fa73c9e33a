/*
 * expected_score.c - from the score of a search to the expected score of the game, 0 to 1.
 * SPDX-License-Identifier: MIT
 */
#include "core/expected_score.h"

#include <math.h>

#include "base/real.h"
#include "games/review_words.h"

enum {
	SCALE_GAMES = 32, /* random games from which a scale is estimated */
	SCALE_PLIES = 200,
	RANDOM_EXCESS = 3, /* how much wider random games are than games between players */
};

/* A proven score that is neither a win nor a loss is a draw. */
double expected_score(const struct qv_answer *answer, double whole, double scale)
{
	const double score = answer->score;
	if (answer->score > QV_MAX_EVAL || answer->score < -QV_MAX_EVAL)
		return answer->score > 0 ? 1 : 0;
	if (answer->proven)
		return 0.5;
	if (whole <= 0)
		return 1 / (1 + real_exp(fmin(fmax(-score / scale, -40), 40)));
	const double part = score / whole;
	return 0.5 + 0.5 * (part > 1 ? 1 : part < -1 ? -1 : part);
}

/* The same random games every time, so that the scale is the same, too. */
double evaluation_scale(const struct qv_context *context, const struct qv_rules *rules)
{
	const struct qv_game *game = rules->game;
	const struct qv_evaluation *eval = game->evaluations;
	struct qv_random random = { .key = 1 };
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	double squares = 0;
	int count = 0;
	if (review_words(game)->slope > 0)
		return review_words(game)->slope;
	if (!eval || !eval->name)
		return 1;
	void *state = qv_state_new(context, game);
	for (int i = 0; state && i < SCALE_GAMES; i++) {
		game->start(rules->options, state);
		for (int ply = 0; ply < SCALE_PLIES; ply++) {
			const int moves = game->moves(state, list);
			if (moves == 0 || game->result(state, points) != QV_GOING)
				break;
			const double value = eval->evaluate(state, eval->weights);
			squares += value * value;
			count++;
			game->play(state, list[qv_random_below(&random, (uint64_t)moves)]);
		}
	}
	qv_state_free(context, game, state);
	return count && squares > 0 ? sqrt(squares / count) / RANDOM_EXCESS : 1;
}
