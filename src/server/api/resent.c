/*
 * resent.c - moves that are sent again because the response to them was lost.
 * SPDX-License-Identifier: MIT
 *
 * A client whose connection breaks cannot know whether its move was played. With "ply", the number
 * of plies before the move, it may send the move again: if it was played already, the response is
 * the game as it is now.
 */
#include "server/api/inside.h"
#include "session/hosted_inside.h"

/* Has the user made this move at that ply of the present line? */
static bool was_made(const struct hosted_game *p, const char *user, const char *move, int64_t ply)
{
	const struct qv_record *r = p->game.record;
	if (ply >= r->ply)
		return false;
	const struct node_info *info = &p->node_infos[r->line[ply + 1].node];
	return info->seat >= 0 && seat_is(p, info->seat, user) &&
	       (strcmp(info->move, move) == 0 || (info->brief && strcmp(info->brief, move) == 0));
}

/* POST /api/v1/plays/ID/moves: as post_move, but once for each ply, if the body has one. */
void post_move_once(struct api *api, const struct api_request *r)
{
	const struct outgoing out = { .call = r->call, .status = 200, .end = true };
	const char *move;
	json_int_t ply;
	if (!body_integer(api, r, "ply", 0, INT32_MAX, -1, &ply) ||
	    !body_text(api, r, "move", &move))
		return;
	struct room *room = ply < 0 ? NULL : room_for(api, r, r->words[0]);
	if (ply >= 0 && !room)
		return;
	if (ply < 0 || ply == qv_record_ply(hosted_record(room->play))) {
		post_move(api, r);
		return;
	}
	const char *user = room_user(r->visitor, room);
	if (!move || !was_made(room->play, user, move, ply))
		reply_error(api, r->call, 409, "move: the game is no longer at ply %lld",
			    (long long)ply);
	else if (api_costs(api, r, hosted_lines(room->play) / LONG_LINES))
		room_reply_whole(api, room, &out, room_head(api, room, user));
}
