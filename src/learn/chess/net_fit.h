/*
 * net_fit.h - chess: the weights of the net from lessons.
 * SPDX-License-Identifier: MIT
 *
 * The squared error of the expected result, against how the games ended mixed with what the search
 * said, goes down its gradient in steps, each for a batch of lessons drawn by chance (Adam's rule).
 * Threads divide the net among them, not the lessons (net_fit_strip.h): the result does not depend
 * on their number.
 */
#ifndef LEARN_CHESS_NET_FIT_H
#define LEARN_CHESS_NET_FIT_H

#include "games/chess/net.h"
#include "learn/chess/fit.h"

/* As chess_fit; `iterations` are the times that all lessons are gone through. Makes the net anew.
 */
enum qv_status chess_net_fit(const struct fit_job *job, struct chess_net *net,
			     struct fit_news *news, struct qv_error *error);

#endif
