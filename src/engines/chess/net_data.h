/*
 * net_data.h - chess: the net that comes with the library.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_CHESS_NET_DATA_H
#define ENGINES_CHESS_NET_DATA_H

#include "games/chess/net.h"

extern const struct chess_net chess_net_weights __attribute__((visibility("hidden")));

#endif
