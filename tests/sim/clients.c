/*
 * clients.c - what clients do: create games, join, move, take back, offer, resign, follow, look, try
 * what they must not do, lose connections and send again what was not answered.
 * SPDX-License-Identifier: MIT
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

enum { REFUSED_MOST = 60 };

static const char *const games[] = { "noughts", "hexapawn", "connect4", "connect4", "reversi",
				     "reversi", "minichess", "race" };
enum { GAMES = sizeof games / sizeof *games };

static const struct {
	const char *text;
	int64_t base_ms, added_ms; /* 0: not checked */
} clocks[] = { { NULL, 0, 0 },		       { NULL, 0, 0 },
	       { NULL, 0, 0 },		       { "5m", 300000, 0 },
	       { "30m+10", 1800000, 10000 },   { "2h", 7200000, 0 },
	       { "3d/move", 0, 0 } };
enum { CLOCKS = sizeof clocks / sizeof *clocks };

static void path_of(const struct play *p, const char *rest, char out[API_PATH])
{
	snprintf(out, API_PATH, "/api/v1/plays/%s%s", p->id, rest);
}

/* ---- Who they are ---- */

static void send_name(struct sim *s, int c)
{
	const struct sim_call what = { .kind = SENT_NAME, .client = c, .play = -1 };
	sim_send(s, &what, true, "/api/v1/me", json_pack("{s:s}", "name", s->clients[c].name));
}

void clients_begin(struct sim *s)
{
	for (int c = 0; c < CLIENTS && s->api; c++) {
		struct client *client = &s->clients[c];
		*client = (struct client){ .named = false };
		api_identify(s->api, NULL, NULL, "10.0.0.1", &client->visitor);
		memcpy(client->cookie, client->visitor.cookie, sizeof client->cookie);
		memcpy(client->user, client->visitor.user, sizeof client->user);
		snprintf(client->name, sizeof client->name, "client%d", c);
		client_identify(s, c, NULL);
		send_name(s, c);
	}
}

/* ---- Games ---- */

static int play_place(const struct sim *s, const struct play *p)
{
	return (int)(p - s->plays);
}

static void create(struct sim *s, int c)
{
	/* Race, the last of them, is long. */
	const uint64_t game = sim_pick(s, sim_chance(s, 8) ? GAMES : GAMES - 1);
	const uint64_t kind = sim_pick(s, 10);
	uint64_t clock = sim_pick(s, CLOCKS);
	const char *other = kind < 4 ? "open" : kind < 8 ? "human" : "random";
	/* Computers need no time; how long a roll takes is not for the clients to know. */
	if (kind >= 8 || strcmp(games[game], "race") == 0)
		clock = 0;
	const bool first = sim_chance(s, 2);
	json_t *body = json_pack("{s:s, s:[s, s], s:s*, s:b}", "game", games[game], "seats",
				 first ? "human" : other, first ? other : "human", "clock",
				 clocks[clock].text, "private", (int)sim_chance(s, 4));
	struct sim_call what = { .kind = SENT_CREATE, .client = c, .play = -1, .version = clock };
	snprintf(what.text, sizeof what.text, "%s", games[game]);
	sim_send(s, &what, true, "/api/v1/plays", body);
}

/* False: the client cannot ask now. */
static bool look(struct sim *s, int c, struct play *p)
{
	const struct sim_call what = { .kind = SENT_PLAY, .client = c, .play = play_place(s, p) };
	const uint64_t before = s->report.requests; /* the response may come at once */
	char path[API_PATH];
	path_of(p, "", path);
	p->looked = s->report.steps;
	sim_send(s, &what, false, path, NULL);
	return s->report.requests > before;
}

/* Somebody looks at each game, whoever is logged in. */
void clients_look(struct sim *s)
{
	for (int i = 0; i < PLAYS; i++) {
		struct play *p = &s->plays[i];
		bool looked = !p->id[0];
		for (int c = 0; c < CLIENTS && !looked; c++)
			looked = look(s, c, p);
		p->stale |= !looked;
	}
}

static void follow(struct sim *s, int c, struct play *p)
{
	const struct sim_call what = { .kind = SENT_STREAM, .client = c, .play = play_place(s, p) };
	char path[API_PATH];
	int streams = 0;
	for (int i = 0; i < CALLS; i++)
		streams += s->calls[i].number && s->calls[i].kind == SENT_STREAM &&
			   s->calls[i].play == what.play;
	path_of(p, sim_chance(s, 2) ? "/events" : "/events?people=1", path);
	if (streams < 3)
		sim_send(s, &what, false, path, NULL);
}

static void act(struct sim *s, int c, struct play *p, json_t *body)
{
	const struct sim_call what = { .kind = SENT_ACTION, .client = c, .play = play_place(s, p) };
	char path[API_PATH];
	path_of(p, "/actions", path);
	sim_send(s, &what, true, path, body);
}

/* ply: for which one it is meant, so that it can be sent again; -1: whichever comes. */
static void send_move(struct sim *s, int c, struct play *p, const char *move, int ply, bool forbidden)
{
	struct sim_call what = { .kind = SENT_MOVE,
				 .client = c,
				 .play = play_place(s, p),
				 .ply = ply,
				 .forbidden = forbidden };
	char path[API_PATH];
	json_t *body = json_pack("{s:s}", "move", move);
	if (ply >= 0)
		json_object_set_new(body, "ply", json_integer(ply));
	snprintf(what.text, sizeof what.text, "%s", move);
	path_of(p, "/moves", path);
	sim_send(s, &what, true, path, body);
}

/* The client whose turn it is; NOBODY: a computer's, or nobody's. */
static int mover(const struct play *p)
{
	const int seat = play_seat(p);
	return seat < 0 || seat >= p->seat_count ? NOBODY : p->seats[seat];
}

static bool is_seated(const struct play *p, int c)
{
	for (int i = 0; i < p->seat_count; i++)
		if (p->seats[i] == c)
			return true;
	return false;
}

static bool has_open_seat(const struct play *p)
{
	for (int i = 0; i < p->seat_count; i++)
		if (p->open[i])
			return true;
	return false;
}

/* The one who has the turn moves; now and then somebody sends it twice. */
static void move(struct sim *s, struct play *p)
{
	const int c = mover(p);
	char text[MOVE_TEXT];
	/* A computer moves soon, and nobody may be told of it. */
	if (c == NOBODY && p->looked != s->report.steps)
		p->stale = true;
	if (c == NOBODY || (p->waiting && !sim_chance(s, 10)))
		return;
	play_choose(s, p, text);
	if (!text[0])
		return;
	const bool twice = sim_chance(s, 200);
	const int ply = sim_chance(s, 2) ? p->plies : -1;
	/* A program may know nothing but the token of its seat. */
	const bool by_seat = strcmp(s->clients[c].seat_play, p->id) == 0 && sim_chance(s, 10);
	if (by_seat)
		client_identify(s, c, s->clients[c].seat_token);
	send_move(s, c, p, text, ply, false);
	if (by_seat)
		client_identify(s, c, NULL);
	if (twice) {
		s->report.resent++;
		send_move(s, c, p, text, ply, false);
	}
}

/* The one who has the turn moves with the token of a seat in another game: it must be refused. */
static void move_with_other_token(struct sim *s, struct play *p)
{
	char text[MOVE_TEXT];
	const int c = mover(p);
	if (c == NOBODY || !s->clients[c].seat_token[0] ||
	    strcmp(s->clients[c].seat_play, p->id) == 0)
		return;
	play_choose(s, p, text);
	client_identify(s, c, s->clients[c].seat_token);
	if (text[0])
		send_move(s, c, p, text, sim_chance(s, 2) ? p->plies : -1, true);
	client_identify(s, c, NULL);
}

/* Somebody moves for another one: it must be refused. */
static void intrude(struct sim *s, int c, struct play *p)
{
	char text[MOVE_TEXT];
	const int turn = mover(p);
	if (p->waiting || p->stale || turn == NOBODY || turn == c || p->clock.running)
		return;
	play_choose(s, p, text);
	if (text[0])
		send_move(s, c, p, text, sim_chance(s, 2) ? p->plies : -1, true);
}

/* Anything that players do but moving. */
static void do_something(struct sim *s, int c, struct play *p)
{
	static const char *const offers[] = { "draw", "undo", "swap" };
	const char *kind = offers[sim_pick(s, 3)];
	char path[API_PATH];
	switch (sim_pick(s, 13)) {
	case 0:
	case 1:
	case 2:
		act(s, c, p, json_pack("{s:s}", "action", "undo"));
		break;
	case 3:
		act(s, c, p, json_pack("{s:s, s:s}", "action", "offer", "kind", kind));
		break;
	case 4:
	case 5:
		act(s, c, p, json_pack("{s:s, s:s}", "action",
				       sim_chance(s, 2) ? "accept" : "decline", "kind", kind));
		break;
	case 6:
		if (sim_chance(s, 4))
			act(s, c, p, json_pack("{s:s}", "action", "resign"));
		break;
	case 7:
		if (sim_chance(s, 4))
			act(s, c, p, json_pack("{s:s}", "action", "leave"));
		break;
	case 8:
		act(s, c, p, json_pack("{s:s, s:s}", "action", "note", "text", "a note"));
		break;
	case 9:
		act(s, c, p, json_pack("{s:s}", "action", "help"));
		break;
	case 10: {
		const struct sim_call claim = { .kind = SENT_ACTION,
						.client = c,
						.play = play_place(s, p) };
		path_of(p, "/claim", path);
		sim_send(s, &claim, true, path, json_object());
		break;
	}
	default: {
		const struct sim_call what = { .kind = SENT_OTHER, .client = c, .play = -1 };
		path_of(p, "/phrases", path);
		sim_send(s, &what, true, path, json_pack("{s:s}", "phrase", "hello"));
	}
	}
}

/* The game is compared with the store; then there is place for another one. */
static void finish(struct sim *s, struct play *p)
{
	const int place = play_place(s, p);
	struct old_play *old = &s->old[sim_pick(s, OLD_PLAYS)];
	play_verify(s, p);
	memcpy(old->id, p->id, sizeof old->id);
	old->version = p->version;
	old->hash = p->hashes[p->plies];
	for (int i = 0; i < CALLS; i++)
		if (s->calls[i].number && s->calls[i].kind == SENT_STREAM &&
		    s->calls[i].play == place && s->calls[i].generation == p->generation)
			sim_cancel(s, &s->calls[i]);
	play_drop(s, p);
}

/* ---- Connections ---- */

/* A client that has lost its connection sends the same move again. */
static void cut(struct sim *s)
{
	struct sim_call *call = &s->calls[sim_pick(s, CALLS)];
	if (!call->number)
		return;
	struct sim_call was = *call;
	struct play *p = was.play >= 0 ? &s->plays[was.play] : NULL;
	sim_cancel(s, call);
	s->report.cuts++;
	/* With a cookie it would be allowed what a wrong seat token is not. */
	const bool other = was.forbidden && was.by_seat;
	if (was.kind == SENT_MOVE && p && p->generation == was.generation && !other &&
	    sim_chance(s, 2)) {
		s->report.resent++;
		send_move(s, was.client, p, was.text, was.ply, was.forbidden);
	}
}

/* ---- Turns ---- */

/* A finished game, perhaps after some restarts. */
static void look_back(struct sim *s, int c)
{
	const struct old_play *old = &s->old[sim_pick(s, OLD_PLAYS)];
	struct sim_call what = { .kind = SENT_OLD,
				 .client = c,
				 .play = -1,
				 .version = old->version,
				 .hash = old->hash };
	char path[API_PATH];
	memcpy(what.text, old->id, sizeof what.text);
	snprintf(path, sizeof path, "/api/v1/plays/%s", old->id);
	if (old->id[0])
		sim_send(s, &what, false, path, NULL);
}

/* Everything about one client that is not about a game. */
static void do_own_things(struct sim *s, int c)
{
	const uint64_t kind = sim_pick(s, 3000);
	struct sim_call what = { .kind = SENT_ME, .client = c, .play = -1 };
	if (kind < 40) {
		sim_send(s, &what, false, "/api/v1/me", NULL);
	} else if (kind < 46) {
		what.kind = SENT_OTHER;
		sim_send(s, &what, false, "/api/v1/lobby", NULL);
	} else if (kind < 48) {
		what.kind = SENT_OTHER;
		sim_send(s, &what, false, "/api/v1/me/games", NULL);
	} else if (kind < 52) {
		what.kind = SENT_OTHER;
		sim_send(s, &what, false, "/api/v1/account/export", NULL);
	} else if (kind < 98) {
		look_back(s, c);
	} else if (kind < 300) {
		account_act(s, c);
	}
}

static void play_on(struct sim *s, int c, struct play *p)
{
	const uint64_t kind = sim_pick(s, 100);
	if (p->stale) { /* one look in a step is enough, mostly */
		if (p->looked != s->report.steps ? !p->waiting || sim_chance(s, 4) : sim_chance(s, 8))
			look(s, c, p);
	} else if (p->over) {
		if (!p->waiting && sim_chance(s, 3))
			finish(s, p);
		else if (!p->rematched && is_seated(p, c) && sim_chance(s, 2))
			act(s, c, p, json_pack("{s:s}", "action", "rematch"));
	} else if (has_open_seat(p) && kind < 80) {
		if (!is_seated(p, c))
			act(s, c, p, json_pack("{s:s}", "action", "join"));
	} else if (kind < 86 && p->dice && play_seat(p) == QV_CHANCE) {
		const int roller = p->seats[sim_pick(s, (uint64_t)p->seat_count)];
		if (roller != NOBODY && !p->waiting)
			act(s, roller, p, json_pack("{s:s, s:s}", "action", "throw", "seed", "x"));
	} else if (kind < 86) {
		move(s, p);
	} else if (kind < 90) {
		for (int i = 0; i < p->seat_count; i++)
			if (p->seats[i] != NOBODY && sim_chance(s, 2)) {
				do_something(s, p->seats[i], p);
				return;
			}
	} else if (kind < 92) {
		look(s, c, p);
	} else if (kind < 95) {
		follow(s, c, p);
	} else if (kind < 97) {
		intrude(s, c, p);
	} else if (kind == 97) {
		move_with_other_token(s, p);
	} else if (kind == 98) {
		do_something(s, c, p); /* mostly somebody who may not */
	}
}

void clients_act(struct sim *s)
{
	const int c = (int)sim_pick(s, CLIENTS);
	for (int i = 0; i < CLIENTS; i++)
		if (s->clients[i].renew && !s->clients[i].out)
			client_identify(s, i, NULL);
	if (s->clients[c].out) {
		account_return(s, c);
		return;
	}
	struct play *p = &s->plays[sim_pick(s, PLAYS)];
	if (!s->clients[c].named && c != MAYFLY) {
		if (sim_chance(s, 4))
			send_name(s, c);
		return;
	}
	if (s->clients[c].visitor.play[0])
		client_identify(s, c, NULL);
	if (c == MAYFLY) /* it has no games that its end would change */
		account_act(s, c);
	else if (p->id[0])
		play_on(s, c, p);
	else
		create(s, c);
	if (sim_chance(s, 4))
		do_own_things(s, c);
	if (sim_chance(s, 40) && !s->calm)
		cut(s);
}

/* ---- What they hear ---- */

/* The id and the token of a new game. */
static void created(struct sim *s, const struct sim_call *call, const char *text)
{
	json_t *json = json_loads(text, 0, NULL);
	const char *id = json_string_value(json_object_get(json, "id"));
	const char *game = NULL;
	for (int i = 0; i < GAMES; i++)
		if (strcmp(games[i], call->text) == 0)
			game = games[i];
	const char *token = json_string_value(json_object_get(json, "seat_token"));
	struct client *client = &s->clients[call->client];
	const bool holds = call->session == client->session &&
			   (!call->by_token || call->tokens == client->tokens);
	if (id && token && holds) {
		snprintf(client->seat_token, sizeof client->seat_token, "%s", token);
		snprintf(client->seat_play, sizeof client->seat_play, "%s", id);
		client->seat_by_token = call->by_token;
	}
	if (id && game)
		play_add(s, id, game, clocks[call->version].base_ms,
			 clocks[call->version].added_ms);
	json_decref(json);
}

/* A command about a game was refused, or could not be stored. */
static void refused(struct sim *s, const struct sim_call *call, struct play *p, int status,
		    const char *text)
{
	const bool up_to_date = !p->stale && !p->waiting;
	s->report.refused++;
	/* What was refused has not happened; whoever expected another response looks again. */
	p->stale |= status == 503 || (call->kind == SENT_MOVE && !call->forbidden && status != 429);
	if (call->kind != SENT_MOVE || call->forbidden || status == 429 || status == 503)
		return;
	/* Whoever sends a move again is told that it was played. */
	if (status == 409 && call->ply >= 0 && call->ply < p->plies && up_to_date &&
	    p->movers[call->ply] >= 0 && p->seats[p->movers[call->ply]] == call->client &&
	    strcmp(p->moves[call->ply], call->text) == 0)
		sim_violation(s, "%s: %s was played at ply %d, and is refused when it is sent again",
			      p->id, call->text, call->ply);
	if (++p->refused > REFUSED_MOST)
		sim_violation(s, "%s: %d legal moves in a row were refused: %.200s", p->id,
			      p->refused, text);
}

void clients_heard(struct sim *s, struct sim_call *call, const struct api_response *a)
{
	struct play *p = call->play >= 0 ? &s->plays[call->play] : NULL;
	const bool good = a->status == 200 || a->status == 201;
	if (a->status >= 500 && a->status != 503)
		sim_violation(s, "status %d: %.200s", a->status, a->text);
	account_heard(s, call, a);
	if (p && p->generation != call->generation)
		return;
	if (p && (call->kind == SENT_MOVE || call->kind == SENT_ACTION))
		p->waiting--;
	if (!good && p) {
		if (a->status == 404)
			sim_violation(s, "%s: it was acknowledged, and is not found", p->id);
		refused(s, call, p, a->status, a->text);
		return;
	}
	/* An intruder may have waited until it was its own turn; whose seat has moved is looked at below. */
	if (call->forbidden && call->by_seat)
		sim_violation(s, "%s: client %d has moved with the token of another game", p->id,
			      call->client);
	if (call->kind == SENT_CREATE && good)
		created(s, call, a->text);
	else if (call->kind == SENT_NAME && good)
		s->clients[call->client].named = true;
	else if (call->kind == SENT_OLD && (good || a->status == 404))
		play_check_old(s, call, a->text);
	else if (p && a->size)
		play_heard(s, call, a);
}
