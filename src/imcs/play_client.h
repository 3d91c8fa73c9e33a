/*
 * play_client.h - plays games on an IMCS server: connects, offers or accepts, thinks, reconnects.
 * SPDX-License-Identifier: MIT
 *
 * Each game has its own connection, because the server closes it after the game.
 */
#ifndef IMCS_PLAY_CLIENT_H
#define IMCS_PLAY_CLIENT_H

#include "imcs/client.h"

/* Pointers are borrowed. No function may be NULL; all are called from within imcs_play. */
struct imcs_play_setup {
	const char *host, *port;
	struct imcs_client_setup client;
	struct qv_player *player;
	int games; /* stop after this number of games */
	/* Set by others: the first time ends the run after this game, the second time at once. */
	struct qv_flag *interrupt;
	bool (*must_end)(void); /* an interrupt came from somebody who will not wait for a game */

	void *ctx;
	/* CLIENT_OFFERED, CLIENT_LISTED or CLIENT_BEGINS. */
	void (*on_event)(void *ctx, enum client_said event, const struct imcs_client *client);
	/* Another attempt follows after again_ms. */
	void (*connection_lost)(void *ctx, const char *why, int64_t again_ms);
	/* abandoned: the run was interrupted during the game. An error ends the run. */
	enum qv_status (*game_over)(void *ctx, const struct imcs_client *client, bool abandoned,
				    struct qv_error *error);
};

struct imcs_play_result {
	int games, won, drawn, lost, unknown; /* unknown: the server sent no result */
	bool listed;			      /* CLIENT_LIST: the list was complete */
};

/*
 * Returns when the games are played, after an interrupt, or on an error that another attempt would
 * not help. Connects, searches and waits in the calling thread.
 */
enum qv_status imcs_play(const struct imcs_play_setup *setup, struct imcs_play_result *result,
			 struct qv_error *error);

#endif
