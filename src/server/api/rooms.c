/*
 * rooms.c - games in memory: the table of rooms, their commits, and what happens in them by itself.
 * SPDX-License-Identifier: MIT
 *
 * After a restart nothing is loaded. A game is loaded when somebody looks at it (rooms_load.c);
 * until then its clock stands still and its computers do not think. Idle rooms are dropped when
 * there are too many.
 *
 * While lines of a game are on their way to the disk, every response and message about it waits for
 * the newest of them: no client ever sees what a crash could take back. They leave in the order in
 * which they were made. If lines cannot be stored, all that waited for them get a 503 and the room
 * is dropped: the store has the game as it was before.
 *
 * Computers that play each other move at most every half a second, and only while somebody looks.
 */
#include <stdlib.h>

#include "server/api/allowed_specs.h"
#include "server/api/bounds.h"
#include "server/api/inside.h"

enum {
	IDLE_MS = 30000,      /* rooms without a request for this long are dropped first ... */
	IDLE_LEAST_MS = 1000, /* ... then these, if there are still too many */
	FORGET_MS = 100,      /* between two searches for idle rooms */
	LOOK_MS = 10000,      /* after a request somebody is assumed to look for this long */
	PACE_MS = 500,	      /* between two moves of computers that play each other */
	BOOK_PLIES = 40,      /* no line of a book is longer, so later moves need not open it */
	RETRY_MS = 500,	      /* until a job that was refused is submitted again */
	PRESENCE_MS = 1000,   /* between two messages about connected users */
	LINE_COST = 32,	      /* bytes that a line takes besides its text */
	QUEUE_MOVES = 64,     /* moves of computers that may wait for one owner */
	LEVEL_MS = 100,	      /* what a move of a level is expected to take */
};

/* ---- Callbacks of a game ---- */

static void give_random(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	secrets_random(bytes, size);
}

static void give_secret(void *ctx, const char *game, const unsigned char drawn[DICE_SECRET],
			unsigned char out[DICE_SECRET])
{
	const struct api *api = ctx;
	secrets_dice(&api->secrets, api->dice_mark, game, drawn, out);
}

/* For a computer that takes a seat of a game in progress. */
static enum qv_status check_spec(void *ctx, const struct qv_rules *rules, const char *spec,
				 struct qv_error *error)
{
	const struct api *api = ctx;
	return specs_check(api->setup.context, api->table_lookup, rules, spec, error);
}

static uint64_t roll_dice(void *ctx, const struct dice *dice, uint64_t weights)
{
	(void)ctx;
	return dice_number(dice, weights);
}

static int64_t seconds_now(void *ctx)
{
	return api_seconds(ctx);
}

/* The same for every game; ctx is the API. */
struct hosted_callbacks rooms_host(struct api *api)
{
	return (struct hosted_callbacks){ give_random, give_secret, roll_dice,
					  check_spec,  seconds_now, api };
}

/* ---- The table ---- */

/* Updates the count of lines after the game has grown. */
static void count_lines(struct api *api, struct room *room)
{
	const size_t lines = hosted_lines_before(room->play) + hosted_lines(room->play);
	api->room_lines += lines - room->lines;
	room->lines = lines;
}

/* The room is not stored yet; room_changed queues its first lines. */
struct room *room_add(struct api *api, struct hosted_game *play, const char *id)
{
	struct room *room = calloc(1, sizeof *room);
	if (room)
		snprintf(room->id, sizeof room->id, "%s", id);
	if (!room || !map_add_text(&api->rooms, room)) {
		free(room);
		hosted_free(play);
		return NULL;
	}
	room->play = play;
	room->used_ms = api_now(api);
	room->moved_ms = room->sent_ms = room->owner_ms = INT64_MIN / 2;
	for (int s = 0; s < QV_MAX_SEATS; s++)
		room->here_ms[s] = room->used_ms;
	room->due_ms = -1;
	count_lines(api, room);
	return room;
}

/* Ends the streams of the followers and the search for a computer's move. */
static void end_activity(struct api *api, struct room *room)
{
	while (room->streams) {
		const uint64_t number = room->streams->number;
		call_free(api, room->streams);
		reply_end(api, number);
	}
	if (room->job_number)
		worker_pool_cancel(api->pool, room->job_number);
	room->job_number = 0;
}

/* The game itself stays in the store and can be loaded again. */
void room_drop(struct api *api, struct room *room)
{
	end_activity(api, room);
	map_remove_text(&api->rooms, room);
	api->room_lines -= room->lines;
	hosted_free(room->play);
	free(room->thoughts);
	free(room);
}

/* The room stays until its commits are done: they point to it. */
void room_break(struct api *api, struct room *room)
{
	room->broken = true;
	room->due_ms = -1;
	end_activity(api, room);
}

/* Is somebody or something using the room? A game of IMCS in progress has no stream. */
static bool in_use(const struct room *room)
{
	return room->streams || room->commits || room->job_number ||
	       (room->shown && !room->broken && !hosted_over(room->play));
}

void rooms_forget(struct api *api)
{
	static const int64_t idle_ms[] = { IDLE_MS, IDLE_LEAST_MS };
	const int64_t now = api_now(api);
	if (now < api->forget_ms)
		return;
	for (int i = 0; i < 2; i++) {
		struct room *room;
		if (api->rooms.count <= ROOMS_MOST && api->room_lines <= ROOM_LINES_MOST)
			return;
		/* If no room can be dropped now, do not search again at once. */
		api->forget_ms = now + FORGET_MS;
		for (size_t at = 0; (room = map_next(&api->rooms, &at));)
			if (!in_use(room) &&
			    (room->broken || room->used_ms < now - idle_ms[i]))
				room_drop(api, room);
	}
}

/* A broken room is dropped here, as soon as no commit is on its way. */
struct room *room_at(struct api *api, const char *id)
{
	struct room *room = map_find_text(&api->rooms, id);
	if (!room || !room->broken || room->commits)
		return room;
	room_drop(api, room);
	return NULL;
}

/* A use of the room: it is not dropped as idle. */
struct room *room_in_memory(struct api *api, const char *id)
{
	struct room *room = room_at(api, id);
	if (!room || room->broken)
		return NULL;
	room->used_ms = api_now(api);
	return room;
}

struct room *room_for(struct api *api, const struct api_request *r, const char *id)
{
	struct room *room = room_in_memory(api, id);
	if (room && (!read_accounts(api, r, room->play) || !room_allows(api, r, room)))
		return NULL;
	if (room) {
		if (!suspension_of(api, "", r->visitor->address)) /* such a player may not move */
			room_seen(api, room, room_user(r->visitor, room));
		return room;
	}
	if (cluster_forward(api, r, id))
		return NULL;
	const int status = room_at(api, id)	? 503
			   : secrets_is_id(id) ? request_wait_for(api, r, id)
					       : 404;
	if (status && (status != STATUS_ELSEWHERE || !cluster_forward(api, r, id)))
		room_refuse(api, r->call, status);
	return NULL;
}

/* A visitor with a seat token for another game only watches. */
const char *room_user(const struct visitor *visitor, const struct room *room)
{
	return *visitor->play && strcmp(visitor->play, room->id) != 0 ? "" : visitor->user;
}

/* ---- Messages that wait for a commit ---- */

/* A text that several messages share. Its maker and each message hold it. */
struct shared_text {
	int holders;
	char text[];
};

struct message {
	struct outgoing out;
	struct shared_text *text;
	char *file; /* a copy of out.file */
	struct message *next;
};

/* Lines of one room, or of two that were stored as one unit, on their way to the disk. */
struct commit {
	struct api *api;
	struct room *rooms[2];	      /* the second: the new game of a rematch; may be NULL */
	uint64_t versions[2];	      /* of the games, with these lines */
	struct message *first, **end; /* end: where to link the next one */
};

/* NULL: out of memory. */
static struct shared_text *shared_new(const char *text)
{
	const size_t size = strlen(text) + 1;
	struct shared_text *shared = malloc(sizeof *shared + size);
	if (!shared)
		return NULL;
	shared->holders = 1;
	memcpy(shared->text, text, size);
	return shared;
}

static void shared_drop(struct shared_text *shared) /* NULL is fine */
{
	if (shared && --shared->holders == 0)
		free(shared);
}

/* Sends the text once the commits on their way are on disk, or at once if there are none. */
static void send_shared(struct api *api, struct room *room, const struct outgoing *out,
			struct shared_text *text)
{
	struct commit *c = room->last_commit;
	if (!c) {
		reply_text(api, out, text->text);
		return;
	}
	if (!out->stream && !call_new(api, out->call, "", CALL_STORE))
		return;
	struct message *m = calloc(1, sizeof *m);
	if (m && (!out->file || (m->file = strdup(out->file)))) {
		m->out = *out;
		m->text = text;
		text->holders++;
		*c->end = m;
		c->end = &m->next;
		return;
	}
	/* Out of memory: a stream loses a message, a call gets an error. */
	free(m);
	if (out->stream)
		return;
	call_free(api, call_find(api, out->call));
	reply_no_memory(api, out->call);
}

/* A message to one follower. */
static void send_to_stream(struct api *api, struct room *room, const struct call *stream,
			   struct shared_text *text)
{
	const struct outgoing out = { .call = stream->number, .status = 200, .stream = true };
	send_shared(api, room, &out, text);
}

/* If memory runs out, a stream loses this message but gets the next one. */
void room_reply_text(struct api *api, struct room *room, const struct outgoing *out,
		     const char *text)
{
	struct shared_text *shared = text ? shared_new(text) : NULL;
	if (shared)
		send_shared(api, room, out, shared);
	else if (!out->stream)
		reply_no_memory(api, out->call);
	shared_drop(shared);
}

void room_reply(struct api *api, struct room *room, const struct outgoing *out, json_t *json)
{
	char *text = json_to_text(json, RESPONSE_JSON);
	room_reply_text(api, room, out, text);
	free(text);
}

/* ---- The game as its followers see it ---- */

/* Computers and open seats belong to nobody. */
static bool is_seat_of(const struct hosted_seat *seat, const char *user)
{
	return seat->kind == SEAT_PERSON && strcmp(seat->user, user) == 0;
}

/* "connected" shows who follows at this moment. */
json_t *room_head(struct api *api, const struct room *room, const char *user)
{
	json_t *head = game_head_json(room->play, user, room_connected(room), api_now(api));
	head = seats_add_accounts(api, room->play, head);
	head = json_field(head, "watchers", json_integer(room_watchers(room, "")));
	if (room->damaged)
		head = json_field(head, "damaged", json_integer((json_int_t)room->damaged));
	return room_add_claim(api, room, head);
}

void room_reply_whole(struct api *api, struct room *room, const struct outgoing *out, json_t *head)
{
	struct string rest = game_line_and_tree(room->play);
	char *text = game_text(head, &rest);
	struct call *call = text ? NULL : call_find(api, out->call);
	if (call) /* a stream that was to begin */
		call_free(api, call);
	if (text)
		room_reply_text(api, room, out, text);
	else
		reply_no_memory(api, out->call);
	string_release(&rest);
	free(text);
}

/*
 * Sends the whole game to all followers. Line and tree are written once; the head once for all
 * users without a seat, and once for each player, since it says which seats are the reader's.
 */
static void send_whole(struct api *api, struct room *room)
{
	struct {
		unsigned seats; /* of the users that it is for, a bit each; the last: owner */
		struct shared_text *text;
	} views[QV_MAX_SEATS + 2];
	struct string rest = { .allocator = &mem_malloc };
	int count = 0;
	if (room->streams)
		rest = game_line_and_tree(room->play);
	room->connected = room_connected(room);
	room->watchers = room_watchers(room, "");
	room->sent_ms = api_now(api);
	for (struct call *c = room->streams, *next; c; c = next) {
		unsigned seats = (unsigned)(strcmp(hosted_owner(room->play), c->user) == 0)
				 << QV_MAX_SEATS;
		int i = 0;
		next = c->next_stream;
		for (int s = 0; s < hosted_seat_count(room->play); s++)
			seats |= (unsigned)is_seat_of(hosted_seat_at(room->play, s), c->user) << s;
		/* Users with the same seats see the same: the text is written once. */
		while (i < count && views[i].seats != seats)
			i++;
		if (i == count) {
			char *text = game_text(room_head(api, room, c->user), &rest);
			views[count].seats = seats;
			views[count++].text = text ? shared_new(text) : NULL;
			free(text);
		}
		if (views[i].text)
			send_to_stream(api, room, c, views[i].text);
	}
	while (count > 0)
		shared_drop(views[--count].text);
	string_release(&rest);
}

/* If memory runs out, nobody gets it. */
void room_send_all(struct api *api, struct room *room, const char *text, bool people)
{
	struct shared_text *shared = text ? shared_new(text) : NULL;
	for (struct call *c = room->streams, *next; c && shared; c = next) {
		next = c->next_stream;
		if (!people || c->people)
			send_to_stream(api, room, c, shared);
	}
	shared_drop(shared);
}

/* The lobby shows games that somebody follows. */
void room_follow(struct api *api, struct room *room, struct call *call)
{
	for (const struct call *c = room->streams; c; c = c->next_stream)
		call->again |= strcmp(c->user, call->user) == 0;
	call->room = room;
	call->next_stream = room->streams;
	room->streams = call;
	room->stream_count++;
	/* The first message to the new follower says who is connected; there may be nobody else. */
	if (room->stream_count == 1) {
		room->connected = room_connected(room);
		room->watchers = room_watchers(room, "");
	}
	api->lobby_changed = true;
}

void room_unfollow(struct api *api, struct call *call)
{
	struct room *room = call->room;
	struct call **at = &room->streams;
	while (*at != call)
		at = &(*at)->next_stream;
	*at = call->next_stream;
	call->room = NULL;
	room->stream_count--;
	room->used_ms = api_now(api);
	room_seen(api, room, call->user);
	if (strcmp(call->user, hosted_owner(room->play)) == 0)
		room->owner_ms = room->used_ms;
	/* Of several streams of one user, another one now counts. */
	for (struct call *c = room->streams; c && !call->again; c = c->next_stream)
		if (strcmp(c->user, call->user) == 0) {
			c->again = false;
			break;
		}
	api->lobby_changed = true;
	/* Soon, not now: the caller may be in the middle of something. */
	if (!room->broken)
		room->due_ms = api->next_due_ms = room->used_ms;
}

/* ---- Commits ---- */

/* Called by the store when the lines are on disk, or have failed. */
static void on_committed(void *ctx, bool ok)
{
	struct commit *c = ctx;
	struct api *api = c->api;
	for (int i = 0; i < 2 && c->rooms[i]; i++) {
		struct room *room = c->rooms[i];
		room->commits--;
		if (room->last_commit == c)
			room->last_commit = NULL;
		if (ok && !room->broken) {
			api->lobby_changed |= !room->stored;
			room->stored = true;
			hosted_committed(room->play, c->versions[i], api_now(api));
		} else {
			users_forget(api);
			room_break(api, room);
		}
	}
	while (c->first) {
		struct message *m = c->first;
		/* It goes to its stream or call if that still exists. */
		struct call *call = call_find(api, m->out.call);
		c->first = m->next;
		if (call && !m->out.stream) {
			call_free(api, call);
			m->out.file = m->file;
		}
		if (call && ok)
			reply_text(api, &m->out, m->text->text);
		else if (call && !m->out.stream)
			reply_not_stored(api, m->out.call);
		shared_drop(m->text);
		free(m->file);
		free(m);
	}
	for (int i = 0; i < 2; i++)
		if (c->rooms[i] && !c->rooms[i]->broken)
			room_run(api, c->rooms[i]);
	free(c);
}

/* Queues the new lines of a room for the store. Any failure comes back from store_end_unit. */
static void write_lines(struct api *api, struct room *room)
{
	struct hosted_game *play = room->play;
	const int64_t before = (int64_t)hosted_lines_before(play);
	int open_seats = 0;
	for (int s = 0; s < hosted_seat_count(play); s++)
		open_seats += hosted_seat_at(play, s)->kind == SEAT_OPEN;
	if (before == 0) {
		struct store_play row = { .created = hosted_created(play),
					  .updated = api_seconds(api),
					  .is_private = hosted_private(play),
					  .going = !hosted_over(play),
					  .open_seats = open_seats };
		struct qv_text game = { row.game, sizeof row.game, 0 };
		snprintf(row.id, sizeof row.id, "%s", room->id);
		snprintf(row.owner, sizeof row.owner, "%s", hosted_owner(play));
		snprintf(row.node, sizeof row.node, "%s", cluster_node(api));
		qv_rules_text(qv_record_rules(hosted_record(play)), &game);
		user_ensure(api, row.owner);
		store_add_play(api->store, &row);
	}
	size_t bytes = 0;
	for (size_t i = 0; i < hosted_lines(play); i++) {
		const char *line = hosted_line(play, i);
		bytes += strlen(line) + LINE_COST;
		store_add_event(api->store, room->id, before + (int64_t)i, line, strlen(line));
	}
	bounds_charge(api, room->address, before == 0 ? hosted_owner(play) : "", bytes);
	/* Users who have taken a seat since the last time. */
	for (int s = 0; s < hosted_seat_count(play); s++) {
		const struct hosted_seat *seat = hosted_seat_at(play, s);
		if (seat->kind != SEAT_PERSON || strcmp(seat->user, room->seated[s]) == 0)
			continue;
		snprintf(room->seated[s], sizeof room->seated[s], "%s", seat->user);
		room->here_ms[s] = api_now(api);
		user_ensure(api, seat->user);
		store_put_seat(api->store, seat->user, room->id);
	}
	store_set_play(api->store, room->id, room->epoch, !hosted_over(play), open_seats,
		       api_seconds(api));
	finished_write(api, room);
	hosted_lines_taken(play);
	count_lines(api, room);
}

/* Commits the new lines of one room, or of two as one unit. False: refused. */
static bool commit_rooms(struct api *api, struct room *room, struct room *other)
{
	struct commit *c = calloc(1, sizeof *c);
	if (!c)
		return false;
	*c = (struct commit){ .api = api, .rooms = { room, other }, .end = &c->first };
	for (int i = 1; i >= 0; i--)
		if (c->rooms[i]) {
			write_lines(api, c->rooms[i]);
			c->versions[i] = hosted_version(c->rooms[i]->play);
		}
	if (store_end_unit(api->store, on_committed, c) != QV_OK) {
		users_forget(api);
		free(c);
		return false;
	}
	for (int i = 0; i < 2; i++)
		if (c->rooms[i]) {
			c->rooms[i]->last_commit = c;
			c->rooms[i]->commits++;
		}
	return true;
}

/* The next game of a rematch; NULL: none is due, or it cannot be created. */
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
	if (hosted_new(api->setup.context, &host, &setup, api_now(api), &play, &error) !=
	    VERDICT_OK)
		return NULL;
	struct room *next = room_add(api, play, id);
	if (next && hosted_rematched(room->play, id, &error) != VERDICT_OK) {
		room_drop(api, next);
		next = NULL;
	}
	/* It is charged to whoever has asked for it. */
	if (next)
		memcpy(next->address, room->address, sizeof next->address);
	return next;
}

/* The order matters: lines are queued before anybody is informed of them. */
bool room_moved(struct api *api, struct room *room, char **moved)
{
	const bool only_moved = hosted_only_moved(room->play);
	const bool over = hosted_over(room->play);
	struct room *next = make_rematch(api, room);
	*moved = NULL;
	/* Nothing to store: the command changed nothing that lasts. */
	if (hosted_lines(room->play) == 0) {
		room_run(api, room);
		return true;
	}
	if (!commit_rooms(api, room, next)) {
		room_break(api, room);
		if (next)
			room_break(api, next);
		return false;
	}
	/* After a mere move the followers get that; after anything else, the whole game. */
	if (only_moved && !next) {
		json_t *json = game_move_json(room->play, api_now(api));
		*moved = json_to_text(room_add_claim(api, room, json), RESPONSE_JSON);
	}
	if (*moved) {
		room_send_all(api, room, *moved, false);
	} else {
		send_whole(api, room);
	}
	api->lobby_changed |= !*moved || over;
	if (next)
		room_run(api, next);
	room_run(api, room);
	return true;
}

/* As room_moved, for callers that send the whole game. */
bool room_changed(struct api *api, struct room *room)
{
	char *moved;
	const bool ok = room_moved(api, room, &moved);
	free(moved);
	return ok;
}

/* ---- Computers ---- */

void room_send_thoughts(struct api *api, struct room *room, const struct call *stream)
{
	const struct outgoing out = { .call = stream->number, .status = 200, .stream = true };
	if (stream->thoughts && room->thoughts && hosted_is_free(room->play))
		room_reply_text(api, room, &out, room->thoughts);
}

/* Keeps a ThoughtsMessage, and sends it to the followers who want it. */
static void take_thoughts(struct api *api, struct room *room, const char *text)
{
	free(room->thoughts);
	room->thoughts = strdup(text);
	for (struct call *c = room->streams, *next; c; c = next) {
		next = c->next_stream;
		room_send_thoughts(api, room, c);
	}
}

/*
 * What a worker has found: thoughts while it searches, finally "+MOVE" and the last thoughts. A
 * computer without a move gives up its seat.
 */
static void on_move_found(void *ctx, uint64_t number, const char *text, bool last)
{
	struct api *api = ctx;
	struct room *room;
	struct qv_error error;
	enum verdict verdict;
	char name[QV_MOVE_TEXT] = "";
	qv_move move;
	for (size_t at = 0; (room = map_next(&api->rooms, &at)) && room->job_number != number;)
		;
	if (!room)
		return;
	const char *thoughts = !last ? text : text ? strchr(text, '\n') : NULL;
	if (thoughts)
		take_thoughts(api, room, last ? thoughts + 1 : thoughts);
	if (!last)
		return;
	if (text && *text == '+')
		snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 1, "\n"), text + 1);
	const struct qv_record *record = hosted_record(room->play);
	const int64_t now = api_now(api);
	room->job_number = 0;
	if (*name && qv_move_parse(qv_record_rules(record)->game, qv_record_state(record), name,
				   &move, &error) == QV_OK)
		verdict = hosted_computer_move(room->play, room->turn, move, -1, now, &error);
	else
		verdict = hosted_computer_fails(room->play, room->turn, now, &error);
	room->moved_ms = api_now(api);
	if (verdict == VERDICT_NO_MEMORY)
		room_break(api, room);
	else if (verdict == VERDICT_OK)
		room_changed(api, room);
	else
		room_run(api, room);
}

/* Submits the search for a computer's move. False: refused, or out of memory. */
static bool start_thinking(struct api *api, struct room *room, const struct hosted_think *t)
{
	const struct qv_record *record = hosted_record(room->play);
	char client[WORKER_CLIENT];
	struct search_job_setup setup = { .context = api->setup.context,
					  .rules = *qv_record_rules(record),
					  .state = qv_record_state(record),
					  .spec = t->spec,
					  .hash_mb = api->setup.hash_mb,
					  .tables = api->setup.tables,
					  .prober = api->setup.prober,
					  .aim_ms = t->aim_ms,
					  .turn = t->turn,
					  .memory = t->memory,
					  .no_book = qv_record_ply(record) >= BOOK_PLIES };
	setup.history = qv_record_history(record, &setup.history_count);
	secrets_random(&setup.seed, sizeof setup.seed);
	struct search_job *search = search_job_new(&setup);
	if (!search)
		return false;
	const int64_t limit_ms =
		t->time_ms > 0 && t->time_ms < SPECS_TIME_MS ? t->time_ms : SPECS_TIME_MS;
	const int64_t expected_ms = strncmp(t->spec, "level:", 6) == 0 ? LEVEL_MS : limit_ms;
	/* A level does not wait for a long search of the same person. */
	snprintf(client, sizeof client, "%s %s", expected_ms <= WORKER_SHORT_MS ? "move" : "search",
		 hosted_owner(room->play));
	const struct worker_job job = { .client = client,
					.group = room->address,
					.urgent = true,
					.yields = YIELD_ENDS,
					.most = QUEUE_MOVES,
					.limit_ms = limit_ms,
					.expected_ms = expected_ms,
					.run = search_job_move,
					.release = search_job_free,
					.arg = search,
					.deliver = on_move_found,
					.ctx = api };
	if (worker_pool_submit(api->pool, &job, &room->job_number) == SUBMIT_OK) {
		room->turn = t->turn;
		if (t->now)
			worker_pool_hurry(api->pool, room->job_number);
		return true;
	}
	room->job_number = 0;
	search_job_free(search);
	return false;
}

/* Starts or cancels the search that the position needs. Returns when to look again; -1: never. */
static int64_t run_computer(struct api *api, struct room *room, int64_t now)
{
	struct hosted_think t;
	const bool wanted = hosted_wants_think(room->play, now, &t);
	if (room->job_number && (!wanted || t.turn != room->turn)) {
		worker_pool_cancel(api->pool, room->job_number);
		room->job_number = 0;
	}
	if (room->job_number && t.now)
		worker_pool_hurry(api->pool, room->job_number);
	if (!wanted || room->job_number)
		return -1;
	if (!hosted_has_person(room->play) && now < room->moved_ms + PACE_MS)
		return room->moved_ms + PACE_MS;
	return start_thinking(api, room, &t) ? -1 : now + RETRY_MS;
}

/* ---- What is due ---- */

/*
 * Called after every change and whenever due_ms has come. It may call itself through room_changed.
 */
void room_run(struct api *api, struct room *room)
{
	const int64_t now = api_now(api);
	bool broken = false;
	if (room->broken || room->damaged || api->closing) {
		room->due_ms = -1; /* or the loop would not wait any more */
		return;
	}
	/* Computers that play each other rest while nobody looks. */
	const bool alone = !hosted_has_person(room->play) && !room->streams;
	const int64_t until = room->used_ms + LOOK_MS;
	hosted_pause(room->play, alone && now >= until, now);
	int64_t due = alone && now < until ? until : -1;
	/* A flag that falls, or a dice roll that nobody has to make. */
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
	/* Users who have come or gone. */
	const bool moved_seats = room_connected(room) != room->connected;
	if (moved_seats || room_watchers(room, "") != room->watchers) {
		if (now < room->sent_ms + PRESENCE_MS)
			due = earlier(due, room->sent_ms + PRESENCE_MS);
		else if (moved_seats)
			send_whole(api, room);
		else
			room_send_watchers(api, room);
	}
	room->due_ms = due;
	api->next_due_ms = earlier(api->next_due_ms, due);
}

/* Runs the rooms that are due and finds out when the next one is. */
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
	/* A second pass, since a room added in the first may have hidden another that is due. */
	for (size_t at = 0; (room = map_next(&api->rooms, &at));)
		next = earlier(next, room->due_ms);
	return api->next_due_ms = earlier(api->next_due_ms, next);
}
