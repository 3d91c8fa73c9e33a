/*
 * expected_score.h - from the score of a search to the expected score of the game, 0 to 1.
 * SPDX-License-Identifier: MIT
 */
#ifndef CORE_EXPECTED_SCORE_H
#define CORE_EXPECTED_SCORE_H

#include "quevedo.h"

/*
 * The expected score of the side to move, 0 to 1. A proven score is 0, 1/2 or 1. If scores are
 * expectations themselves (dice, random games), `whole` is the score of a sure win and the result
 * is linear in the score. Otherwise (whole is 0) it is the logistic function 1 / (1 + exp(-score /
 * scale)).
 */
double expected_score(const struct qv_answer *answer, double whole, double scale);

/*
 * The scale of expected_score: the game's own, fitted to games of its strongest player, else a third
 * of the root mean square of the evaluation over positions of random games, which are much less even.
 */
double evaluation_scale(const struct qv_context *context, const struct qv_rules *rules);

#endif
