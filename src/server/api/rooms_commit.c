/*
 * rooms_commit.c - lines on their way to the disk, and what waits for them.
 * SPDX-License-Identifier: MIT
 *
 * Whatever is said about a play while lines of it are on their way waits for the newest of them, so
 * that nobody ever hears of what a crash could take back. Answers and messages leave in the order
 * in which they were made. If lines cannot be kept, everything that waited for them is answered
 * with 503 and the play is forgotten: the store has what it was before.
 */
#include <stdlib.h>

#include "server/api/rooms.h"

struct said {
	int holders;
	char text[];
};

struct message {
	struct outgoing out;
	struct said *said;
	char *file;
	struct message *next;
};

struct keep {
	struct api *api;
	struct room *rooms[2];     /* the second: a new play that was stored with it; may be NULL */
	uint64_t versions[2];
	struct message *first, *last;
};

/* ---- What waits ---- */

struct said *said_new(const char *text)
{
	const size_t size = strlen(text) + 1;
	struct said *said = malloc(sizeof *said + size);
	if (!said)
		return NULL;
	said->holders = 1;
	memcpy(said->text, text, size);
	return said;
}

void said_drop(struct said *said)
{
	if (said && --said->holders == 0)
		free(said);
}

static void message_free(struct message *m)
{
	said_drop(m->said);
	free(m->file);
	free(m);
}

/* A stream's message goes to the stream if it is still there; an answer to its call likewise. */
static void send_message(struct api *api, struct message *m, bool ok)
{
	struct call *call = call_find(api, m->out.call);
	if (call && m->out.stream) {
		if (ok)
			reply_text(api, &m->out, m->said->text);
	} else if (call) {
		call_free(api, call);
		m->out.file = m->file;
		if (ok)
			reply_text(api, &m->out, m->said->text);
		else
			reply_error(api, m->out.call, 503,
				    "store: it could not be kept; try again");
	}
	message_free(m);
}

static bool add_message(struct keep *k, const struct outgoing *out, struct said *said)
{
	struct message *m = calloc(1, sizeof *m);
	if (!m)
		return false;
	m->out = *out;
	m->said = said;
	said->holders++;
	m->file = out->file ? strdup(out->file) : NULL;
	if (out->file && !m->file) {
		message_free(m);
		return false;
	}
	if (k->last)
		k->last->next = m;
	else
		k->first = m;
	k->last = m;
	return true;
}

void room_say(struct api *api, struct room *room, const struct outgoing *out, struct said *said)
{
	if (!room->last_keep) {
		reply_text(api, out, said->text);
		return;
	}
	if (!out->stream && !call_new(api, out->call, "", CALL_STORE))
		return;
	if (add_message(room->last_keep, out, said) || out->stream)
		return;
	call_free(api, call_find(api, out->call));
	reply_error(api, out->call, 503, "server: out of memory");
}

void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text)
{
	struct said *said = said_new(text);
	if (said)
		room_say(api, room, out, said);
	else if (!out->stream)
		reply_error(api, out->call, 503, "server: out of memory");
	said_drop(said);
}

void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json)
{
	char *text = json_to_text(json, RESPONSE_JSON);
	if (text)
		room_reply_text(api, room, out, text);
	else if (!out->stream)
		reply_error(api, out->call, 503, "server: out of memory");
	free(text);
}

/* ---- On disk, or not ---- */

static void settle(struct api *api, struct keep *k, struct room *room, uint64_t version, bool ok)
{
	room->keeps--;
	if (room->last_keep == k)
		room->last_keep = NULL;
	if (ok && !room->broken) {
		room->stored = true;
		hosted_committed(room->play, version, api_now(api));
	} else {
		users_forget(api);
		room_break(api, room);
	}
}

static void on_kept(void *ctx, bool ok)
{
	struct keep *k = ctx;
	struct api *api = k->api;
	for (int i = 0; i < 2; i++)
		if (k->rooms[i])
			settle(api, k, k->rooms[i], k->versions[i], ok);
	while (k->first) {
		struct message *m = k->first;
		k->first = m->next;
		send_message(api, m, ok);
	}
	for (int i = 0; i < 2; i++)
		if (k->rooms[i] && !k->rooms[i]->broken)
			room_run(api, k->rooms[i]);
	free(k);
}

/* ---- On their way ---- */

static void write_seats(struct api *api, struct room *room)
{
	for (int s = 0; s < hosted_seat_count(room->play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(room->play, s);
		if (seat->kind != SEAT_PERSON || strcmp(seat->user, room->seated[s]) == 0)
			continue;
		snprintf(room->seated[s], sizeof room->seated[s], "%s", seat->user);
		user_ensure(api, seat->user);
		store_put_seat(api->store, seat->user, room->id);
	}
}

static int open_seats(const struct hosted_game *play)
{
	int open = 0;
	for (int s = 0; s < hosted_seat_count(play); s++)
		open += hosted_seat_at(play, s)->kind == SEAT_OPEN;
	return open;
}

static void write_play(struct api *api, const struct room *room)
{
	struct store_play row = { .created = hosted_created(room->play),
				  .updated = api_seconds(api),
				  .is_private = hosted_private(room->play),
				  .going = !hosted_over(room->play),
				  .open_seats = open_seats(room->play) };
	struct qv_text game = { row.game, sizeof row.game, 0 };
	snprintf(row.id, sizeof row.id, "%s", room->id);
	snprintf(row.owner, sizeof row.owner, "%s", hosted_owner(room->play));
	qv_rules_text(qv_record_rules(hosted_record(room->play)), &game);
	user_ensure(api, row.owner);
	store_add_play(api->store, &row);
}

/* Any failure comes back from store_end_unit. */
static void write_lines(struct api *api, struct room *room)
{
	struct hosted_game *play = room->play;
	const int64_t before = (int64_t)hosted_lines_before(play);
	if (before == 0)
		write_play(api, room);
	for (size_t i = 0; i < hosted_lines(play); i++) {
		const char *line = hosted_line(play, i);
		store_add_event(api->store, room->id, before + (int64_t)i, line, strlen(line));
	}
	write_seats(api, room);
	store_set_play(api->store, room->id, !hosted_over(play), open_seats(play), api_seconds(api));
	hosted_lines_taken(play);
	room_count_lines(api, room);
}

/* Writes the lines of one room, or of two as one unit. */
static bool keep_rooms(struct api *api, struct room *room, struct room *other)
{
	struct keep *k = calloc(1, sizeof *k);
	if (!k)
		return false;
	*k = (struct keep){ .api = api, .rooms = { room, other } };
	for (int i = 1; i >= 0; i--)
		if (k->rooms[i]) {
			write_lines(api, k->rooms[i]);
			k->versions[i] = hosted_version(k->rooms[i]->play);
		}
	if (store_end_unit(api->store, on_kept, k) != QV_OK) {
		users_forget(api);
		free(k);
		return false;
	}
	for (int i = 0; i < 2; i++)
		if (k->rooms[i]) {
			k->rooms[i]->last_keep = k;
			k->rooms[i]->keeps++;
		}
	return true;
}

/* ---- After a command ---- */

/* The next play of a rematch; NULL: there is none to be made, or no memory for it. */
static struct room *make_rematch(struct api *api, struct room *room)
{
	struct hosted_setup setup;
	struct hosted_game *play = NULL;
	struct qv_error error;
	const struct hosted_callbacks host = rooms_host(api);
	char id[SECRETS_ID];
	if (!hosted_rematch_due(room->play))
		return NULL;
	secrets_play_id(id);
	hosted_rematch_setup(room->play, &setup);
	setup.id = id;
	setup.created = api_seconds(api);
	if (hosted_new(api->setup.context, &host, &setup, api_now(api), &play, &error) != VERDICT_OK)
		return NULL;
	struct room *next = room_add(api, play, id);
	if (next && hosted_rematched(room->play, id, &error) != VERDICT_OK) {
		room_drop(api, next);
		next = NULL;
	}
	return next;
}

static char *move_text(const struct api *api, const struct room *room)
{
	return json_to_text(game_move_json(room->play, api_now(api)), RESPONSE_JSON);
}

static void tell_move(struct api *api, struct room *room, const char *text)
{
	struct said *said = said_new(text);
	for (struct call *c = room->streams, *next; c && said; c = next) {
		const struct outgoing out = { .call = c->number, .status = 200, .stream = true };
		next = c->fellow;
		room_say(api, room, &out, said);
	}
	said_drop(said);
}

bool room_moved(struct api *api, struct room *room, char **moved)
{
	const bool only_moved = hosted_only_moved(room->play);
	const bool over = hosted_over(room->play);
	struct room *next = make_rematch(api, room);
	*moved = NULL;
	if (hosted_lines(room->play) == 0) {
		room_run(api, room);
		return true;
	}
	if (!keep_rooms(api, room, next)) {
		room_break(api, room);
		if (next)
			room_break(api, next);
		return false;
	}
	*moved = only_moved && !next ? move_text(api, room) : NULL;
	if (*moved)
		tell_move(api, room, *moved);
	else
		room_tell(api, room);
	api->lobby_changed |= !*moved || over;
	if (next)
		room_run(api, next);
	room_run(api, room);
	return true;
}

bool room_changed(struct api *api, struct room *room)
{
	char *moved;
	const bool ok = room_moved(api, room, &moved);
	free(moved);
	return ok;
}
