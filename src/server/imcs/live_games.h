/*
 * live_games.h - shows IMCS games on the page while they are played.
 * SPDX-License-Identifier: MIT
 *
 * Each IMCS game gets a game of the API (a "play"), whose seats belong to users that no browser can
 * log in as: everybody else watches. If that play cannot be created or stored, the IMCS game itself
 * continues without it.
 */
#ifndef SERVER_IMCS_LIVE_GAMES_H
#define SERVER_IMCS_LIVE_GAMES_H

#include "server/api/api.h"

struct imcs_live_game {
	char play[API_USER];  /* id of the play; "": the game is not shown */
	const char *users[2]; /* ids of White and Black; borrowed */
	const char *names[2];
};

/* Creates the play and fills show->play. */
void imcs_live_begin(struct api *api, struct imcs_live_game *show);
void imcs_live_move(struct api *api, const struct imcs_live_game *show, int seat, const char *move);
/* winner -1: a draw; QV_UNDECIDED: no result. Does nothing if the rules have ended the game. */
void imcs_live_end(struct api *api, const char *play, int winner, const char *reason);

#endif
