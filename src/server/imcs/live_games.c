/*
 * live_games.c - shows IMCS games on the page while they are played.
 * SPDX-License-Identifier: MIT
 *
 * Moves and results are passed on to the play as if its two users had made them in the API, so that
 * streams, the lobby and the store work as for any other game.
 */
#include "server/imcs/live_games.h"

#include "server/api/rooms.h"

/* Stores and sends what has changed, and wakes the host for what is due. */
static void changed(struct api *api, struct room *room, enum verdict verdict)
{
	room->shown = true;
	if (verdict == VERDICT_NO_MEMORY)
		room_break(api, room);
	else if (verdict == VERDICT_OK)
		room_changed(api, room);
	api->lobby_changed = true;
	api->setup.host.wake(api->setup.host.ctx);
}

static bool seat(struct hosted_seat *out, const struct imcs_live_game *show, int at)
{
	const struct hosted_user person = { show->users[at], show->names[at] };
	return hosted_seat_read(out, "human", &person);
}

void imcs_live_begin(struct api *api, struct imcs_live_game *show)
{
	const struct hosted_callbacks host = rooms_host(api);
	struct qv_rules rules;
	struct hosted_game *play = NULL;
	struct qv_error error;
	struct hosted_setup setup = { .id = show->play,
				    .owner = show->users[0],
				    .rules = &rules,
				    .seat_count = 2,
				    .created = api_seconds(api) };
	secrets_play_id(show->play);
	struct room *room = NULL;
	if (qv_rules_parse(api->setup.context, "minichess", &rules, &error) == QV_OK &&
	    seat(&setup.seats[0], show, 0) && seat(&setup.seats[1], show, 1) &&
	    hosted_new(api->setup.context, &host, &setup, api_now(api), &play, &error) == VERDICT_OK)
		room = room_add(api, play, show->play);
	if (room)
		changed(api, room, VERDICT_OK);
	else
		show->play[0] = '\0';
}

void imcs_live_move(struct api *api, const struct imcs_live_game *show, int at, const char *move)
{
	const struct hosted_user person = { show->users[at], show->names[at] };
	struct qv_error error;
	int status;
	struct room *room = *show->play ? room_find(api, show->play, &status) : NULL;
	if (room)
		changed(api, room, hosted_move(room->play, &person, move, api_now(api), &error));
}

void imcs_live_end(struct api *api, const char *play, int winner, const char *reason)
{
	struct qv_error error;
	int status;
	struct room *room = *play ? room_find(api, play, &status) : NULL;
	if (room)
		changed(api, room, hosted_decide(room->play, winner, reason, api_now(api), &error));
}
