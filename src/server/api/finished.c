/*
 * finished.c - the finished games of a user: written when a game ends, listed, searched, deleted.
 * SPDX-License-Identifier: MIT
 *
 * Every player has a list of their own. To delete a game from it leaves the game itself and the
 * lists of others as they are.
 */
#include <stdlib.h>

#include "server/api/inside.h"

enum {
	LIST_MOST = 100,       /* entries of one response, and deletions of one request */
	FIRST_MOST = 1000000,  /* entries that can be skipped */
	OPPONENTS_ROOM = 1024, /* for the names of the other players */
	PLACE_ROOM = 48,       /* for a place in the list, as text */
};

/* ---- The end of a game ---- */

/* The user's result: "won", "lost", "draw", or "other" if the user played all sides or none won. */
static const char *outcome_of(const struct hosted_game *play, const char *user)
{
	const int winner = qv_record_winner(hosted_record(play));
	int own = 0;
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		own += seat->kind == SEAT_PERSON && strcmp(seat->user, user) == 0;
	}
	if (winner == QV_UNDECIDED || own == hosted_seat_count(play))
		return "other";
	if (winner < 0)
		return "draw";
	const struct hosted_seat *seat = hosted_seat_at(play, winner);
	return seat->kind == SEAT_PERSON && strcmp(seat->user, user) == 0 ? "won" : "lost";
}

/* A line for each other player: no name has a newline. */
static void name_opponents(const struct hosted_game *play, const char *user,
			   char out[OPPONENTS_ROOM])
{
	const struct qv_game *game = qv_record_rules(hosted_record(play))->game;
	size_t length = 0;
	*out = '\0';
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		char name[HOSTED_SPEC_ROOM];
		if (seat->kind == SEAT_PERSON && strcmp(seat->user, user) == 0)
			continue;
		hosted_seat_name(game, seat, name);
		const int added =
			snprintf(out + length, OPPONENTS_ROOM - length, "%s\n", name);
		if (added < 0 || (size_t)added >= OPPONENTS_ROOM - length)
			return;
		length += (size_t)added;
	}
}

/* The user's row is in the store, since the user has a seat. */
static void write_for(struct api *api, const struct hosted_game *play, const char *id,
		      const char *user, int64_t ended)
{
	char opponents[OPPONENTS_ROOM];
	name_opponents(play, user, opponents);
	char *entry = json_to_text(game_finished_json(play, user, ended), RESPONSE_JSON);
	const struct store_finished row = {
		.user = user,
		.play = id,
		.game = qv_record_rules(hosted_record(play))->game->name,
		.outcome = outcome_of(play, user),
		.opponents = opponents,
		.entry = entry,
		.ended = ended,
	};
	if (entry) /* out of memory: the game is not listed */
		store_put_finished(api->store, &row);
	free(entry);
}

/* Queues the entries of all its players. */
static void write_for_all(struct api *api, const struct hosted_game *play, const char *id,
			  int64_t ended)
{
	const struct qv_record *record = hosted_record(play);
	/* An invitation that was cancelled is no game. */
	if (qv_record_winner(record) == QV_UNDECIDED && qv_record_ply(record) == 0)
		return;
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		bool again = false; /* for a user with several seats */
		for (int before = 0; before < s; before++)
			again |= hosted_seat_at(play, before)->kind == SEAT_PERSON &&
				 strcmp(hosted_seat_at(play, before)->user, seat->user) == 0;
		if (seat->kind == SEAT_PERSON && !again)
			write_for(api, play, id, seat->user, ended);
	}
}

/* Only when it ends: a note after the end must not bring back what was deleted from a list. */
void finished_write(struct api *api, struct room *room)
{
	const bool over = hosted_over(room->play);
	if (over == room->finished)
		return;
	room->finished = over;
	store_set_seats(api->store, room->id, !over);
	explorer_write(api, room);
	if (over)
		write_for_all(api, room->play, room->id, api_seconds(api));
	else
		store_drop_finished(api->store, "", room->id);
}

/* ---- Games from before there were lists ---- */

/*
 * They are read one after another. If the server ends before that, the next start begins with those
 * that are left.
 */
static void list_next(struct api *api);

static void on_listed(void *ctx, bool ok)
{
	struct api *api = ctx;
	if (ok)
		list_next(api);
}

/* A game that cannot be read is left out. */
static void list_game(struct api *api, const char *id, const struct store_play *row,
		      const struct hosted_game *play)
{
	const struct room *room = room_at(api, id);
	if (room) /* it is newer */
		play = room->play;
	if (play && hosted_over(play))
		write_for_all(api, play, id, row ? row->updated : api_seconds(api));
	store_drop_unlisted(api->store, id);
	store_end_unit(api->store, on_listed, api);
}

static void on_unlisted(void *ctx, struct store_rows *rows, const struct qv_error *error)
{
	struct api *api = ctx;
	struct store_play row;
	(void)error; /* the next start tries again */
	if (rows && rows->count && store_row_play(rows, 0, &row) && !api->closing)
		game_read(api, row.id, list_game);
	store_rows_free(rows);
}

static void list_next(struct api *api)
{
	const struct store_value most = value_number(1);
	if (!api->closing)
		store_read(api->store, ASK_UNLISTED, &most, 1, on_unlisted, api);
}

void finished_catch_up(struct api *api)
{
	list_next(api);
}

/* ---- Routes ---- */

/* A number of the query, from 0 to `most`. False: a 400 was sent. */
static bool query_number(struct api *api, const struct api_request *r, const char *key,
			 int64_t most, int64_t *number)
{
	char text[24], *end;
	if (!query_value(r->query, key, text, sizeof text))
		return true;
	*number = strtoll(text, &end, 10);
	if (end != text && !*end && *number >= 0 && *number <= most)
		return true;
	reply_error(api, r->call, 400, "%s: must be a number from 0 to %lld", key,
		    (long long)most);
	return false;
}

/* "" if it is missing or malformed. */
static void query_text(const struct api_request *r, const char *key, char *out, size_t size)
{
	if (!query_value(r->query, key, out, size))
		*out = '\0';
}

/* The place after which a list goes on, as in `next` of a response. False: a 400 was sent. */
static bool query_after(struct api *api, const struct api_request *r, char text[PLACE_ROOM],
			struct store_place *after)
{
	char *end = text;
	if (!query_value(r->query, "after", text, PLACE_ROOM))
		return true;
	after->ended = strtoll(text, &end, 10);
	after->play = end + 1;
	if (end != text && *end == '.' && secrets_is_id(after->play))
		return true;
	reply_error(api, r->call, 400, "after: must be the next of a response");
	return false;
}

/* Where the list goes on: after the last game of the response, or the last one looked at. */
static json_t *next_json(const struct store_search *search, const struct store_rows *rows,
			 const struct store_looked *looked)
{
	const int64_t count = (int64_t)rows->count;
	const bool page = count && search->first + count < looked->count;
	const struct store_place at = page ? store_row_place(rows, rows->count - 1) : looked->last;
	return page || looked->more ? json_sprintf("%lld.%s", (long long)at.ended, at.play)
				    : json_null();
}

/* GET /api/v1/me/games: the latest first. */
void get_finished(struct api *api, const struct api_request *r)
{
	char game[STORE_GAME] = "", outcome[16] = "", opponent[STORE_NAME] = "";
	char place[PLACE_ROOM];
	struct store_search search = { game, outcome, opponent, .most = LIST_MOST };
	query_text(r, "game", game, sizeof game);
	query_text(r, "result", outcome, sizeof outcome);
	query_text(r, "opponent", opponent, sizeof opponent);
	if (!acts_as_user(api, r) ||
	    !query_number(api, r, "since", INT64_MAX, &search.since) ||
	    !query_number(api, r, "until", INT64_MAX, &search.until) ||
	    !query_number(api, r, "first", FIRST_MOST, &search.first) ||
	    !query_number(api, r, "most", LIST_MOST, &search.most) ||
	    !query_after(api, r, place, &search.after))
		return;
	struct store_value values[STORE_SEARCH_VALUES];
	store_ask_finished(r->visitor->user, &search, values);
	const struct store_rows *rows =
		read_rows(api, r, ASK_FINISHED, values, STORE_SEARCH_VALUES, NULL);
	if (!rows)
		return;
	const struct store_looked looked = store_rows_looked(rows);
	reply(api, r->call, 200,
	      json_pack("{s:I, s:b, s:o, s:o}", "total", (json_int_t)looked.count, "more",
			looked.more, "next", next_json(&search, rows, &looked), "games",
			entries_json(rows)));
}

/* POST /api/v1/me/games: deletes games from the list. Unknown ids are fine. */
void post_finished(struct api *api, const struct api_request *r)
{
	const json_t *ids = json_object_get(r->body, "delete"), *id;
	size_t i;
	if (!acts_as_user(api, r) || !body_keys(api, r, "delete"))
		return;
	bool good = json_array_size(ids) > 0 && json_array_size(ids) <= LIST_MOST;
	json_array_foreach(ids, i, id)
		good = good && json_is_string(id) && json_string_length(id) < STORE_ID;
	if (!good) {
		reply_error(api, r->call, 400, "delete: must be a list of 1 to %d ids of games",
			    LIST_MOST);
		return;
	}
	json_array_foreach(ids, i, id)
		store_drop_finished(api->store, r->visitor->user, json_string_value(id));
	reply_when_stored(api, r->call, 200, json_pack("{s:i}", "deleted", (int)i));
}
