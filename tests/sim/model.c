/*
 * model.c - what the clients were told about each game, and what follows from it.
 * SPDX-License-Identifier: MIT
 *
 * Each message has the version of the game. Versions never go back, not even over a crash: what
 * somebody was told lasts. One version has one line of moves, whoever is told of it. All lines that
 * somebody was told of are passed through, in that order, by the lines in the store. Moves are legal,
 * and made by those who have the seat.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

/* ---- Lines ---- */

static uint64_t hash_move(uint64_t before, int seat, const char *move)
{
	uint64_t hash = sim_mix(before, (uint64_t)(seat + 2));
	for (; *move; move++)
		hash = sim_mix(hash, (unsigned char)*move);
	return hash;
}

static void start_line(struct play *p)
{
	p->plies = 0;
	p->hashes[0] = 1;
	p->rules.game->start(p->rules.options, p->state);
}

int play_seat(const struct play *p)
{
	int32_t points[QV_MAX_SEATS];
	if (p->over || p->rules.game->result(p->state, points) != QV_GOING)
		return -2;
	return p->rules.game->seat(p->state);
}

/* Plays a move that somebody was told of. seat: from 0, as told. False: a violation. */
static bool push(struct sim *s, struct play *p, const char *text, int seat)
{
	const struct qv_game *game = p->rules.game;
	qv_move move;
	int32_t points[QV_MAX_SEATS];
	if (p->plies == PLIES || strlen(text) >= MOVE_TEXT)
		sim_violation(s, "%s: a game or a move is too long", p->id);
	else if (game->result(p->state, points) != QV_GOING)
		sim_violation(s, "%s: %s after the end", p->id, text);
	else if (game->seat(p->state) != seat)
		sim_violation(s, "%s: %s by seat %d, who is not to move", p->id, text, seat + 1);
	else if (qv_move_parse(game, p->state, text, &move, NULL) != QV_OK)
		sim_violation(s, "%s: %s is not legal after %d plies", p->id, text, p->plies);
	else {
		game->play(p->state, move);
		strcpy(p->moves[p->plies], text);
		p->movers[p->plies] = (int8_t)seat;
		p->hashes[p->plies + 1] = hash_move(p->hashes[p->plies], seat, text);
		p->plies++;
		return true;
	}
	return false;
}

void play_choose(struct sim *s, const struct play *p, char out[MOVE_TEXT])
{
	qv_move list[QV_MAX_MOVES];
	struct qv_text text = { out, MOVE_TEXT, 0 };
	const int count = p->rules.game->moves(p->state, list);
	out[0] = '\0';
	if (count > 0)
		p->rules.game->move_text(p->state, list[sim_pick(s, (uint64_t)count)], &text);
}

/* ---- Games ---- */

struct play *play_add(struct sim *s, const char *id, const char *game, int64_t base_ms,
		      int64_t added_ms)
{
	struct play *p = NULL;
	for (int i = 0; i < PLAYS; i++) {
		if (strcmp(s->plays[i].id, id) == 0)
			return NULL;
		if (!s->plays[i].id[0])
			p = &s->plays[i];
	}
	if (!p)
		return NULL;
	const struct play empty = { .generation = ++s->generations,
				    .stale = true,
				    .base_ms = base_ms,
				    .added_ms = added_ms };
	struct qv_error error = { "" };
	*p = empty;
	if (qv_rules_parse(s->context, game, &p->rules, &error) != QV_OK ||
	    !(p->state = qv_state_new(s->context, p->rules.game))) {
		sim_violation(s, "%s: %s", game, error.text);
		return NULL;
	}
	snprintf(p->id, sizeof p->id, "%s", id);
	p->seat_count = p->rules.game->seats;
	p->dice = p->rules.game->chance;
	for (int i = 0; i < SEATS; i++)
		p->seats[i] = NOBODY;
	start_line(p);
	s->report.games++;
	return p;
}

void play_drop(struct sim *s, struct play *p)
{
	qv_state_free(s->context, p->rules.game, p->state);
	free(p->seen);
	*p = (struct play){ .id = "" };
}

/* ---- Clocks ---- */

/* The number after a key; 0 if it is missing. */
static uint64_t number_at(const char *text, const char *key)
{
	const char *at = strstr(text, key);
	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

/* The clocks of a message: {"terms","left":[...],"running"}. False: the game has none. */
static bool read_clock(const struct sim *s, const struct play *p, const char *text,
		       struct shown_clock *out)
{
	const char *at = p->base_ms ? strstr(text, "\"left\":[") : NULL;
	*out = (struct shown_clock){ .known = at,
				     .from_ms = s->stepped_ms,
				     .to_ms = s->now_ms,
				     .failures = disk_failures(s->disk),
				     .restarts = s->starts,
				     .version = number_at(text, "\"version\":"),
				     .turn = number_at(text, "\"turn\":"),
				     .down_ms = s->down_ms };
	if (!at)
		return false;
	at += 8;
	for (int i = 0; i < p->seat_count; i++) {
		char *end;
		out->left[i] = strtoll(at, &end, 10);
		at = end + 1;
	}
	at = strstr(at, "\"running\":");
	out->running = at ? atoi(at + 10) : 0;
	return true;
}

/*
 * What the store has for each seat is the time that it had when the turn began. Clocks that stand
 * still show just that, and all clocks do in the message of the move that began the turn. The clock
 * that runs has lost no more than has passed since a message in which the turn had not begun.
 */
static void bound_stored(struct shown_clock *now, const struct shown_clock *was)
{
	const int ran = now->running - 1;
	memcpy(now->stored, now->left, sizeof now->stored);
	if (ran < 0)
		return;
	if (was->known && was->turn == now->turn && was->running == now->running)
		now->stored[ran] = was->stored[ran];
	else if (was->known && was->version < now->turn)
		now->stored[ran] += now->to_ms - was->from_ms;
	else
		now->stored[ran] = INT64_MAX / 4;
}

/*
 * Since the last message only the seat whose clock ran has lost time, as much as has passed, and
 * has got its increment if it has moved. Its time counts from the moment at which its turn was on
 * the disk. After a restart, or when a game is read again after a failure, the clock continues from
 * what it had when the turn began. mover: the seat that has moved meanwhile; -1: none.
 */
static void check_clock(struct sim *s, const struct play *p, const struct shown_clock *now,
			int mover)
{
	const struct shown_clock *was = &p->clock;
	const bool restarted = was->restarts != now->restarts;
	const bool read_again = was->failures != now->failures || restarted;
	const int64_t began = restarted ? s->booted_ms : was->from_ms;
	for (int i = 0; i < p->seat_count; i++) {
		const bool ran = was->running == i + 1;
		const int64_t most = ran ? now->to_ms - began : 0;
		const int64_t least = ran && now->from_ms > was->to_ms ? now->from_ms - was->to_ms : 0;
		/* A turn that is not on the disk yet may have been shown as running. */
		const int64_t back = ran ? was->to_ms - was->from_ms : 0;
		const int64_t added = i == mover ? p->added_ms : 0;
		const int64_t low = was->left[i] - most + (ran ? added : 0);
		const int64_t high =
			added + (ran && read_again ? was->stored[i] : was->left[i] - least + back);
		if (now->left[i] < (low > 0 ? low : 0) || now->left[i] > (high > added ? high : added))
			sim_violation(s,
				      "%s: the clock of seat %d shows %lld ms, not %lld to %lld",
				      p->id, i + 1, (long long)now->left[i], (long long)low,
				      (long long)high);
	}
}

/* ---- What somebody was told ---- */

/* A new version, or one that somebody else was told of already. */
static bool note_version(struct sim *s, struct play *p, uint64_t version, uint64_t hash)
{
	if (version < p->version || (version == p->version && p->seen_count &&
				     p->seen[p->seen_count - 1].hash != hash)) {
		sim_violation(s, "%s: version %llu after %llu, with %s", p->id,
			      (unsigned long long)version, (unsigned long long)p->version,
			      version < p->version ? "older moves" : "other moves");
		return false;
	}
	if (version == p->version && p->seen_count)
		return true;
	s->report.events += p->seen_count ? version - p->version : 1;
	if (p->seen_count == p->seen_room) {
		const size_t room = p->seen_room * 2 + 64;
		struct seen *seen = realloc(p->seen, room * sizeof *seen);
		if (!seen) {
			sim_violation(s, "out of memory");
			return false;
		}
		p->seen = seen;
		p->seen_room = room;
	}
	p->seen[p->seen_count++] = (struct seen){ version, hash };
	p->version = version;
	return true;
}

/* The text in quotes at this place, cut to the buffer. */
static void copy_quoted(const char *at, char *out, size_t size)
{
	snprintf(out, size, "%.*s", (int)strcspn(at, "\""), at);
}

/* The first plies of the line stay; the others are taken back. */
static bool cut_line(struct sim *s, struct play *p, int plies)
{
	const int before = p->plies;
	if (plies == before)
		return true;
	start_line(p);
	while (p->plies < plies) {
		char move[MOVE_TEXT];
		strcpy(move, p->moves[p->plies]);
		if (!push(s, p, move, p->rules.game->seat(p->state)))
			return false;
	}
	return true;
}

/*
 * The whole line, which may be any. Messages are read without a parser, which would take most of the
 * time: "line":[{"move":"e4","seat":1,...},...],"tree":...
 */
static void take_line(struct sim *s, struct play *p, const char *text)
{
	static const char begin[] = "{\"move\":\"";
	const char *at = strstr(text, "\"line\":["), *end = at ? strstr(at, "],\"tree\":[") : NULL;
	int ply = 0;
	if (!end) {
		sim_violation(s, "%s: a game without a line", p->id);
		return;
	}
	for (; (at = strstr(at, begin)) && at < end; ply++) {
		char move[MOVE_TEXT * 2];
		at += sizeof begin - 1;
		copy_quoted(at, move, sizeof move);
		if (ply < p->plies && strcmp(p->moves[ply], move) == 0)
			continue;
		if (!cut_line(s, p, ply) || !push(s, p, move, (int)number_at(at, "\"seat\":") - 1))
			return;
	}
	cut_line(s, p, ply);
}

/* Clients know each other by their names, which are unique. */
static void take_seats(struct sim *s, struct play *p, const char *text, int client)
{
	const char *at = strstr(text, "\"seats\":[");
	for (int i = 0; at && i < p->seat_count; i++) {
		char kind[16], name[32];
		int who = NOBODY;
		const char *const you = (at = strstr(at, "\"kind\":\"")) ? strstr(at, "\"you\":") : NULL;
		const char *const called = you ? strstr(at, "\"name\":\"") : NULL;
		if (!called)
			break;
		copy_quoted(at + 8, kind, sizeof kind);
		copy_quoted(called + 8, name, sizeof name);
		at = you;
		p->open[i] = strcmp(kind, "open") == 0;
		for (int c = 0; c < CLIENTS && strcmp(kind, "person") == 0; c++)
			if (strcmp(s->clients[c].name, name) == 0)
				who = c;
		if (strcmp(kind, "person") == 0 && who == NOBODY)
			sim_violation(s, "%s: %s, who has a seat, has another name", p->id, name);
		const bool mine = strncmp(you + 6, "true", 4) == 0;
		if (mine != (who == client))
			sim_violation(s, "%s: seat %d is %sof client %d, called %s", p->id, i + 1,
				      mine ? "" : "not ", client, name);
		p->seats[i] = who;
	}
}

/* A game ends by the rules, or because somebody says so; never by itself. */
static void take_end(struct sim *s, struct play *p, bool over)
{
	int32_t points[QV_MAX_SEATS];
	if (!over && p->rules.game->result(p->state, points) != QV_GOING)
		sim_violation(s, "%s: the rules say that it is over", p->id);
	s->report.finished += over && !p->over;
	p->over = over;
}

/* The secret of a roll is drawn once: what was promised for a line stays. */
static void take_promise(struct sim *s, struct play *p, const char *text)
{
	const char *at = strstr(text, "\"commit\":\"");
	char promise[65];
	if (!p->dice || !at || strncmp(at - 16, "\"mode\":\"server\",", 16) != 0)
		return;
	snprintf(promise, sizeof promise, "%.64s", at + 10);
	if (p->promised == p->hashes[p->plies] && strcmp(promise, p->promise) != 0)
		sim_violation(s, "%s: another secret for the same roll", p->id);
	p->promised = p->hashes[p->plies];
	memcpy(p->promise, promise, sizeof promise);
}

static void hear_whole(struct sim *s, struct sim_call *call, struct play *p, const char *text)
{
	struct shown_clock clock;
	const uint64_t version = number_at(text, "\"version\":");
	const bool over = !strstr(text, "\"result\":null,\"reason\"");
	const uint64_t told = p->version, before = p->hashes[p->plies];
	const int ran = p->clock.running;
	if (version >= p->version)
		take_line(s, p, text);
	const bool same = version == p->version && p->hashes[p->plies] == before;
	if (!note_version(s, p, version, p->hashes[p->plies]))
		return;
	take_seats(s, p, text, call->client);
	take_end(s, p, over);
	read_clock(s, p, text, &clock);
	if (clock.known && p->clock.known && same && !over)
		check_clock(s, p, &clock, -1);
	/* Whoever looks at a game makes the flag fall that is due. */
	if (call->kind == SENT_PLAY && clock.known && !over && clock.running &&
	    clock.left[clock.running - 1] == 0)
		sim_violation(s, "%s: the flag of seat %d has fallen, and nothing happens", p->id,
			      clock.running);
	/* With one version more, nothing else has happened meanwhile. */
	if (over && version == told + 1 && p->clock.known && ran &&
	    strstr(text, "\"reason\":\"time\"") &&
	    clock.to_ms - p->clock.from_ms - (clock.down_ms - p->clock.down_ms) <
		    p->clock.left[ran - 1])
		sim_violation(s, "%s: the flag of seat %d has fallen too early", p->id, ran);
	bound_stored(&clock, &p->clock);
	take_promise(s, p, text);
	if (call->kind == SENT_MOVE && call->ply >= 0 && version == p->version &&
	    (call->ply >= p->plies || strcmp(p->moves[call->ply], call->text) != 0))
		sim_violation(s, "%s: %s was not played at ply %d, though the response says so",
			      p->id, call->text, call->ply);
	p->clock = clock;
	p->stale = false;
	p->rematched = !strstr(text, "\"rematch\":null");
	call->hash = p->hashes[p->plies];
	call->begun = true;
}

/* A move, as its maker and everybody who follows is told. */
static void hear_move(struct sim *s, struct sim_call *call, struct play *p, const char *text)
{
	char move[MOVE_TEXT] = "";
	const char *at = strstr(text, "\"move\":{\"move\":\"");
	const uint64_t version = number_at(text, "\"version\":");
	struct shown_clock clock;
	if (!at) {
		sim_violation(s, "%s: a move without a move", p->id);
		return;
	}
	at += 16;
	snprintf(move, sizeof move, "%.*s", (int)strcspn(at, "\""), at);
	const int seat = (int)number_at(at, "\"seat\":") - 1;
	call->hash = hash_move(call->hash, seat, move); /* what the reader of a stream has */
	if (version > p->version + 1 || (version > p->version && p->stale)) {
		p->stale = true; /* somebody will look at the whole game */
		return;
	}
	if (call->kind == SENT_MOVE && seat >= 0 && p->seats[seat] != call->client)
		sim_violation(s, "%s: client %d has moved for seat %d", p->id, call->client,
			      seat + 1);
	if (call->kind == SENT_MOVE && strcmp(move, call->text) != 0)
		sim_violation(s, "%s: %s was played, not %s", p->id, move, call->text);
	read_clock(s, p, text, &clock);
	if (version == p->version + 1) {
		if (!push(s, p, move, seat))
			return;
		if (clock.known && p->clock.known)
			check_clock(s, p, &clock, seat);
		clock.turn = version; /* which is not in the message */
		memcpy(clock.stored, clock.left, sizeof clock.stored);
		take_end(s, p, !strstr(text, "\"result\":null,\"reason\""));
		take_promise(s, p, text);
		p->clock = clock;
		p->refused = 0;
	}
	/* What a stream has told its reader leads to the same line. */
	if (call->kind == SENT_STREAM && call->begun && call->hash != p->hashes[p->plies])
		sim_violation(s, "%s: a stream has left out a message before version %llu", p->id,
			      (unsigned long long)version);
	note_version(s, p, version, p->hashes[p->plies]);
}

void play_heard(struct sim *s, struct sim_call *call, const struct api_response *a)
{
	struct play *p = &s->plays[call->play];
	if (strncmp(a->text, "{\"type\":\"play\"", 14) == 0)
		hear_whole(s, call, p, a->text);
	else if (strncmp(a->text, "{\"type\":\"move\"", 14) == 0)
		hear_move(s, call, p, a->text);
	else if (a->size && strncmp(a->text, "{\"type\":", 8) != 0)
		sim_violation(s, "%s: a strange message: %.100s", p->id, a->text);
	if (s->violation[0] && s->verbose)
		fprintf(stderr, "  message: %s\n", a->text);
}

/* The moves of a line as a hash. */
static uint64_t hash_line(const json_t *line)
{
	uint64_t hash = 1;
	size_t i;
	json_t *item;
	json_array_foreach(line, i, item) {
		const char *text = json_string_value(json_object_get(item, "move"));
		hash = hash_move(hash, (int)json_integer_value(json_object_get(item, "seat")) - 1,
				 text ? text : "");
	}
	return hash;
}

void play_check_old(struct sim *s, const struct sim_call *call, const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	const uint64_t version = (uint64_t)json_integer_value(json_object_get(json, "version"));
	/* A rematch whose connection was cut may have been offered or accepted since: it adds a version. */
	if (version < call->version || hash_line(json_object_get(json, "line")) != call->hash ||
	    json_is_null(json_object_get(json, "result")))
		sim_violation(s, "%s: it ended with version %llu and has %llu now", call->text,
			      (unsigned long long)call->version, (unsigned long long)version);
	json_decref(json);
}

/* ---- What is in the store ---- */

struct stored {
	uint64_t hashes[PLIES + 1];
	int plies;
	size_t seen; /* how many of the states that were told it has passed through */
};

/* The states that were told come in order; several versions may have the same moves. */
static void pass(const struct play *p, struct stored *st)
{
	while (st->seen < p->seen_count && p->seen[st->seen].hash == st->hashes[st->plies])
		st->seen++;
}

static bool take_stored(struct play *p, struct stored *st, const char *line)
{
	char move[MOVE_TEXT] = "";
	if (strncmp(line, "{\"move\":\"", 9) == 0) {
		const int seat = (int)number_at(line, "\"seat\":") - 1;
		snprintf(move, sizeof move, "%.*s", (int)strcspn(line + 9, "\""), line + 9);
		if (st->plies == PLIES)
			return false;
		st->hashes[st->plies + 1] = hash_move(st->hashes[st->plies], seat, move);
		st->plies++;
	} else if (strncmp(line, "{\"undo\":", 8) == 0) {
		st->plies -= atoi(line + 8);
		if (st->plies < 0)
			return false;
	}
	pass(p, st);
	return true;
}

static bool open_reader(struct sim *s)
{
	char path[128];
	snprintf(path, sizeof path, "%s/quevedo.db", s->folder);
	return s->reader ||
	       (sqlite3_open_v2(path, &s->reader, SQLITE_OPEN_READONLY, "sim") == SQLITE_OK &&
		sqlite3_prepare_v3(s->reader,
				   "SELECT number, line FROM event WHERE play = ?1 ORDER BY number",
				   -1, SQLITE_PREPARE_PERSISTENT, &s->lines, NULL) == SQLITE_OK);
}

void play_verify(struct sim *s, struct play *p)
{
	struct stored st = { .hashes = { 1 } };
	int64_t number = 0;
	int code;
	disk_pause(s->disk, true);
	if (!open_reader(s)) {
		sim_violation(s, "the database cannot be read: %s", sqlite3_errmsg(s->reader));
		disk_pause(s->disk, false);
		return;
	}
	s->report.checks++;
	sqlite3_bind_text(s->lines, 1, p->id, -1, SQLITE_STATIC);
	pass(p, &st);
	while ((code = sqlite3_step(s->lines)) == SQLITE_ROW) {
		const char *line = (const char *)sqlite3_column_text(s->lines, 1);
		sim_leaves(s, line, strlen(line)); /* as it would in a backup */
		if (sqlite3_column_int64(s->lines, 0) != number++ || !take_stored(p, &st, line))
			sim_violation(s, "%s: line %lld of the store is wrong", p->id,
				      (long long)number - 1);
	}
	if (code != SQLITE_DONE)
		sim_violation(s, "the database cannot be read: %s", sqlite3_errmsg(s->reader));
	sqlite3_reset(s->lines);
	if (st.seen < p->seen_count)
		sim_violation(s,
			      "%s: the store has lost version %llu, which was acknowledged; it has "
			      "%lld lines",
			      p->id, (unsigned long long)p->seen[st.seen].version,
			      (long long)number);
	if (!p->stale && !p->waiting && s->calm && st.hashes[st.plies] != p->hashes[p->plies])
		sim_violation(s, "%s: the store has other moves than the clients", p->id);
	disk_pause(s->disk, false);
}
