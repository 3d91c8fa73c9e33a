/*
 * net_fit.h - chess: trains the neural network on positions of self-play.
 * SPDX-License-Identifier: MIT
 *
 * Stochastic gradient descent (Adam) on random mini-batches minimises the squared error of the
 * expected score against the games' results blended with the search's scores. Threads divide the
 * network among them, not the positions (net_fit_strip.h), so the result does not depend on their
 * number.
 */
#ifndef LEARN_CHESS_NET_FIT_H
#define LEARN_CHESS_NET_FIT_H

#include "games/chess/net.h"
#include "learn/chess/fit.h"

/* As chess_fit, with random initial weights; job->iterations is the number of epochs. */
enum qv_status chess_net_fit(const struct fit_job *job, struct chess_net *net,
			     struct fit_news *news, struct qv_error *error);

#endif
