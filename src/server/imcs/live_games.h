/*
 * live_games.h - games of IMCS as plays, so that the page can show them as they go.
 * SPDX-License-Identifier: MIT
 *
 * The seats belong to users whom no browser can be: everybody else looks on. A play that cannot be
 * made or kept is left alone: the game itself goes on without it.
 */
#ifndef SERVER_IMCS_LIVE_GAMES_H
#define SERVER_IMCS_LIVE_GAMES_H

#include "server/api/api.h"

struct imcs_live_game {
	char play[API_USER];  /* "": it is not shown */
	const char *users[2]; /* ids of White and Black; borrowed */
	const char *names[2];
};

/* A new play; fills show->play. */
void imcs_live_begin(struct api *api, struct imcs_live_game *show);
void imcs_live_move(struct api *api, const struct imcs_live_game *show, int seat, const char *move);
/* winner -1: a draw, QV_UNDECIDED: broken off. Nothing happens where the rules have ended it. */
void imcs_live_end(struct api *api, const char *play, int winner, const char *reason);

#endif
