/*
 * rooms_run.c - what happens in a play by itself: computers think, flags fall, people come and go.
 * SPDX-License-Identifier: MIT
 *
 * Computers among themselves move at most every half a second, and only while somebody looks.
 */
#include <stdlib.h>

#include "server/api/rooms.h"
#include "server/api/allowed_specs.h"
#include "server/jobs/search_jobs.h"

enum {
	LOOK_MS = 10000,           /* whoever asked for a play looks at it for so long */
	PACE_MS = 500,             /* between two moves of computers among themselves */
	RETRY_MS = 500,            /* until a thought that was refused is asked for again */
	HEAR_MS = 1000,            /* between two messages about who is there */
	QUEUE_MOVES = 64,          /* moves of computers that may wait for one owner */
};

/* ---- Followers ---- */

unsigned room_connected(const struct room *room)
{
	unsigned bits = 0;
	for (int s = 0; s < hosted_seat_count(room->play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(room->play, s);
		for (const struct call *c = room->streams; c && seat->kind == SEAT_PERSON;
		     c = c->fellow)
			if (strcmp(c->user, seat->user) == 0)
				bits |= 1U << s;
	}
	return bits;
}

json_t *room_head(struct api *api, const struct room *room, const char *user)
{
	return game_head_json(room->play, user, room_connected(room), api_now(api));
}

/* Line and tree: long work for a long play, and the same for everybody. */
static struct string rest_of(const struct room *room)
{
	struct string rest = { .allocator = &mem_malloc };
	game_add_line(room->play, &rest);
	string_add(&rest, ",", 1);
	game_add_tree(room->play, &rest);
	return rest;
}

void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head)
{
	struct string rest = rest_of(room);
	char *text = game_text(head, &rest);
	struct call *call = text ? NULL : call_find(api, out->call);
	if (call)                  /* a stream that was to begin */
		call_free(api, call);
	if (text)
		room_reply_text(api, room, out, text);
	else
		reply_error(api, out->call, 503, "server: out of memory");
	string_release(&rest);
	free(text);
}

/* The play as all those see it who have the same seats in it. */
struct sight {
	unsigned seats;            /* a bit each; the last: the owner */
	struct said *said;
};

static unsigned seats_seen(const struct hosted_game *play, const char *user)
{
	unsigned seats = (unsigned)(strcmp(hosted_owner(play), user) == 0) << QV_MAX_SEATS;
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		seats |= (unsigned)(seat->kind == SEAT_PERSON && strcmp(seat->user, user) == 0)
			 << s;
	}
	return seats;
}

/* NULL: no memory. */
static struct said *say_play(struct api *api, const struct room *room, const char *user,
			     const struct string *rest)
{
	char *text = game_text(room_head(api, room, user), rest);
	struct said *said = text ? said_new(text) : NULL;
	free(text);
	return said;
}

/* Line and tree are written once; the head once for all strangers, and once for each player. */
void room_tell(struct api *api, struct room *room)
{
	struct sight sights[QV_MAX_SEATS + 2];
	struct string rest = { .allocator = &mem_malloc };
	int count = 0;
	if (room->streams)
		rest = rest_of(room);
	room->connected = room_connected(room);
	room->heard_ms = api_now(api);
	for (struct call *c = room->streams, *next; c; c = next) {
		const struct outgoing out = { .call = c->number, .status = 200, .stream = true };
		const unsigned seats = seats_seen(room->play, c->user);
		int i = 0;
		next = c->fellow;
		while (i < count && sights[i].seats != seats)
			i++;
		if (i == count)
			sights[count++] =
				(struct sight){ seats, say_play(api, room, c->user, &rest) };
		if (sights[i].said)
			room_say(api, room, &out, sights[i].said);
	}
	while (count > 0)
		said_drop(sights[--count].said);
	string_release(&rest);
}

void room_follow(struct api *api, struct room *room, struct call *call)
{
	call->room = room;
	call->fellow = room->streams;
	room->streams = call;
	room->stream_count++;
	api->lobby_changed = true;
}

void room_unfollow(struct api *api, struct room *room, struct call *call)
{
	struct call **at = &room->streams;
	while (*at != call)
		at = &(*at)->fellow;
	*at = call->fellow;
	call->room = NULL;
	room->stream_count--;
	room->used_ms = api_now(api);
	api->lobby_changed = true;
	/* Soon, not now: this may be in the middle of something. */
	if (!room->broken)
		room->due_ms = api->next_due_ms = room->used_ms;
}

/* ---- Computers ---- */

static struct search_job *thinking_about(struct api *api, const struct room *room,
				       const struct hosted_think *t)
{
	const struct qv_record *record = hosted_record(room->play);
	struct search_job_setup setup = {
		.context = api->setup.context,
		.rules = *qv_record_rules(record),
		.state = qv_record_state(record),
		.spec = t->spec,
		.hash_mb = api->setup.hash_mb,
		.tables = api->setup.tables,
		.aim_ms = t->aim_ms,
	};
	setup.history = qv_record_history(record, &setup.history_count);
	secrets_random(&setup.seed, sizeof setup.seed);
	return search_job_new(&setup);
}

static bool start_thinking(struct api *api, struct room *room, const struct hosted_think *t)
{
	char client[WORKER_CLIENT];
	struct search_job *thinking = thinking_about(api, room, t);
	if (!thinking)
		return false;
	snprintf(client, sizeof client, "move %s", hosted_owner(room->play));
	const struct worker_job job = {
		.client = client,
		.group = room->address,
		.urgent = true,
		.most = QUEUE_MOVES,
		.limit_ms = t->time_ms > 0 && t->time_ms < SPECS_TIME_MS ? t->time_ms
									 : SPECS_TIME_MS,
		.run = search_job_move,
		.release = search_job_free,
		.arg = thinking,
		.deliver = room_thought_done,
		.ctx = api,
	};
	if (worker_pool_submit(api->pool, &job, &room->job_number) == SUBMIT_OK) {
		room->turn = t->turn;
		return true;
	}
	room->job_number = 0;
	search_job_free(thinking);
	return false;
}

static struct room *room_of_thought(struct api *api, uint64_t number)
{
	struct room *room;
	size_t at = 0;
	while ((room = map_next(&api->rooms, &at)) && room->job_number != number)
		;
	return room;
}

static enum verdict play_thought(const struct api *api, const struct room *room, const char *text)
{
	const struct qv_record *record = hosted_record(room->play);
	struct qv_error error;
	qv_move move;
	if (text && *text == '+' &&
	    qv_move_parse(qv_record_rules(record)->game, qv_record_state(record), text + 1, &move,
			  &error) == QV_OK)
		return hosted_computer_move(room->play, room->turn, move, -1, api_now(api), &error);
	return hosted_computer_fails(room->play, room->turn, api_now(api), &error);
}

void room_thought_done(void *ctx, uint64_t number, const char *text, bool last)
{
	struct api *api = ctx;
	struct room *room = last ? room_of_thought(api, number) : NULL;
	if (!room)
		return;
	room->job_number = 0;
	const enum verdict verdict = play_thought(api, room, text);
	room->moved_ms = api_now(api);
	if (verdict == VERDICT_NO_MEMORY)
		room_break(api, room);
	else if (verdict == VERDICT_OK)
		room_changed(api, room);
	else
		room_run(api, room);
}

/* ---- What is due ---- */

static int64_t earlier(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Nobody looks at computers that play each other: they rest. Returns when to look again. */
static int64_t rest_or_wake(struct room *room, int64_t now)
{
	const bool alone = !hosted_has_person(room->play) && !room->streams;
	const int64_t until = room->used_ms + LOOK_MS;
	hosted_pause(room->play, alone && now >= until, now);
	return alone && now < until ? until : -1;
}

static int64_t run_computer(struct api *api, struct room *room, int64_t now)
{
	struct hosted_think t;
	const bool wanted = hosted_wants_think(room->play, now, &t);
	if (room->job_number && (!wanted || t.turn != room->turn)) {
		worker_pool_cancel(api->pool, room->job_number);
		room->job_number = 0;
	}
	if (!wanted || room->job_number)
		return -1;
	if (!hosted_has_person(room->play) && now < room->moved_ms + PACE_MS)
		return room->moved_ms + PACE_MS;
	return start_thinking(api, room, &t) ? -1 : now + RETRY_MS;
}

static int64_t tell_who_is_there(struct api *api, struct room *room, int64_t now)
{
	if (room_connected(room) == room->connected)
		return -1;
	if (now < room->heard_ms + HEAR_MS)
		return room->heard_ms + HEAR_MS;
	room_tell(api, room);
	return -1;
}

void room_run(struct api *api, struct room *room)
{
	const int64_t now = api_now(api);
	bool broken = false;
	if (room->broken || api->closing)
		return;
	int64_t due = rest_or_wake(room, now);
	const int64_t tick = hosted_due(room->play);
	if (tick >= 0 && tick <= now && hosted_tick(room->play, now, &broken)) {
		room_changed(api, room);
		return;
	}
	if (broken) {
		room_break(api, room);
		return;
	}
	due = earlier(due, tick >= 0 && tick <= now ? now + 1 : tick);
	due = earlier(due, run_computer(api, room, now));
	due = earlier(due, tell_who_is_there(api, room, now));
	room->due_ms = due;
	api->next_due_ms = earlier(api->next_due_ms, due);
}

int64_t rooms_turn(struct api *api)
{
	const int64_t now = api_now(api);
	if (api->next_due_ms < 0 || api->next_due_ms > now)
		return api->next_due_ms;
	int64_t next = -1;
	api->next_due_ms = -1;
	struct room *room;
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		if (room->due_ms >= 0 && room->due_ms <= now)
			room_run(api, room);
	/* Apart, since a room that was added above may have hidden another, which is still due. */
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		next = earlier(next, room->due_ms);
	api->next_due_ms = earlier(api->next_due_ms, next);
	return api->next_due_ms;
}
