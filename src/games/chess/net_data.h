/*
 * net_data.h - chess: the net that comes with the library.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_CHESS_NET_DATA_H
#define GAMES_CHESS_NET_DATA_H

#include "base/embed.h"
#include "games/chess/net.h"

/* As `quevedo train chess` wrote it. */
struct chess_net_file {
	char head[CHESS_NET_HEAD];
	struct chess_net net;
};
EMBEDDED(struct chess_net_file chess_net_file);

#endif
