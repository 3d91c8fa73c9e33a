/*
 * load_server.c - load test of running servers: games, idle sockets, analyses and attacks.
 * SPDX-License-Identifier: MIT
 *
 * Each game has two players with a WebSocket and a stream each. Moves are due at a fixed rate; the
 * next one is made in the game that has waited longest. Its latency counts from when it was due, so
 * a server that is late cannot slow the clock down. The response comes after the move is on disk.
 *
 * Attacks and a visitor that asks for /health, or what --probe says, run beside it. With --log every move is logged before
 * it is sent and when it is acknowledged; --verify compares such a log with a server. SIGTERM ends
 * the test early, with its report.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "load_attack.h"
#include "load_link.h"
#include "load_options.h"
#include "load_sample.h"
#include "load_verify.h"

enum {
	MOVE = 64,
	CALL_NEW = 1, /* the last digit of a request's id */
	CALL_JOIN = 2,
	CALL_STREAM = 3,
	CALL_MOVE = 4,
	CALL_CANCEL = 5,
	AGAIN_MS = 200,	  /* before a broken connection is opened again */
	STALL_MS = 10000, /* a game without progress is given up */
	PROBE_MS = 50,
	OPEN_SECONDS = 30,
	OPENS = 5, /* connections opened in a millisecond */
};

struct game;
struct load;

struct player {
	struct link link;
	struct load *load;
	struct game *game;
	int seat; /* 1 or 2 */
	bool joined;
	long long next_call, stream_call, move_call; /* 0: none on its way */
	int64_t due_us;				     /* of the move on its way */
	int ply;				     /* of that move */
	char id[24];				     /* of its game */
	char move[MOVE];
	int64_t again_ms;  /* when to open the link again; 0: it is open */
	int64_t follow_ms; /* when to ask for the stream again; 0: there is no need */
};

struct game {
	struct player players[2];
	char id[24];	      /* "": none yet */
	int ply;	      /* moves made */
	int stored;	      /* moves that are stored for certain */
	struct player *ready; /* who may move; NULL: nobody */
	char next_move[MOVE];
	int64_t active_ms; /* when something last happened */
	struct game *next_ready;
	bool listed; /* in the list of those that are ready */
};

struct load {
	struct links links;
	struct load_options o;
	sigset_t stop; /* the signals that end it; they are blocked, and asked for */

	struct game *game;
	struct game *ready, **ready_end;
	struct link *idle, *analysts;
	int to_open, opened, opened_idle, lost_idle;
	FILE *log;
	int64_t all_sent_us, began_us, ends_us, next_due_us;
	bool measuring, stopped;
	struct sample moves, probes;
	struct link probe;
	int64_t probe_us, last_ack_us, longest_gap_us;
	long long made_games, ended_games, errors, disconnects, refused, stalled, analysed, late;
	char first_error[200];
	struct attack attack_state;
	uint64_t random;
};

/* ---- Small things ---- */

static int64_t now_us(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static int64_t now_ms(void)
{
	return now_us() / 1000;
}

static size_t draw(struct load *l, size_t below)
{
	l->random = l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (size_t)((l->random >> 33) % below);
}

static void fail(struct load *l, const char *what, const char *text)
{
	if (!l->errors++)
		snprintf(l->first_error, sizeof l->first_error, "%s: %.160s", what, text);
}

/* ---- Requests of players ---- */

static void log_move(struct load *l, const char *kind, const char *id, int ply, const char *move)
{
	if (l->log)
		fprintf(l->log, "%s %s %d %s\t%lld\n", kind, id, ply, move, (long long)now_ms());
}

static long long send_call(struct player *p, int kind, const char *method, const char *path,
			   const char *body)
{
	char text[1024];
	const long long id = ++p->next_call * 10 + kind;
	const int size =
		snprintf(text, sizeof text, "{\"id\":%lld,\"method\":\"%s\",\"path\":\"%s\"%s%s}",
			 id, method, path, *body ? ",\"body\":" : "", body);
	link_send(&p->load->links, &p->link, text, (size_t)size);
	return id;
}

static void new_game(struct game *g)
{
	struct player *first = &g->players[0];
	char body[200];
	g->id[0] = '\0';
	g->ready = NULL;
	g->ply = g->stored = 0;
	g->players[0].joined = g->players[1].joined = false;
	g->players[0].follow_ms = g->players[1].follow_ms = 0;
	g->active_ms = now_ms();
	if (first->link.state != LINK_OPEN)
		return;
	snprintf(body, sizeof body,
		 "{\"game\":\"%.60s\",\"seats\":[\"human\",\"open\"],"
		 "\"private\":true}",
		 first->load->o.game_name);
	send_call(first, CALL_NEW, "POST", "/api/v1/plays", body);
}

static void follow(struct player *p)
{
	char path[80], old[80];
	p->follow_ms = 0;
	if (!*p->game->id) /* the next game has not begun */
		return;
	if (p->stream_call) {
		/* The old stream has the same path under another id. */
		const int size = snprintf(old, sizeof old, "{\"id\":%lld,\"method\":\"CANCEL\"}",
					  p->stream_call);
		link_send(&p->load->links, &p->link, old, (size_t)size);
	}
	snprintf(path, sizeof path, "/api/v1/plays/%s/events", p->game->id);
	p->stream_call = send_call(p, CALL_STREAM, "GET", path, "");
}

/* The server has ended the stream: it shuts down, or the game moves to another one. */
static void follow_again(struct player *p)
{
	p->stream_call = 0;
	p->follow_ms = now_ms() + AGAIN_MS;
}

static void join(struct player *p)
{
	char path[80];
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", p->game->id);
	send_call(p, CALL_JOIN, "POST", path, "{\"action\":\"join\"}");
}

static void make_move(struct game *g, int64_t due_us)
{
	struct player *p = g->ready;
	char path[80], body[100];
	g->ready = NULL;
	p->due_us = due_us;
	p->ply = g->ply + 1;
	memcpy(p->move, g->next_move, MOVE);
	memcpy(p->id, g->id, sizeof p->id);
	log_move(p->load, "sent", g->id, p->ply, p->move);
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", g->id);
	/* With the ply: a request that was cut off may come late, and must not become a later move. */
	snprintf(body, sizeof body, "{\"move\":\"%s\",\"ply\":%d}", p->move, p->ply - 1);
	p->move_call = send_call(p, CALL_MOVE, "POST", path, body);
}

/* ---- Games that are ready for a move ---- */

static void list_ready(struct load *l, struct game *g)
{
	if (g->listed)
		return;
	g->listed = true;
	g->next_ready = NULL;
	*l->ready_end = g;
	l->ready_end = &g->next_ready;
}

/* The game that has waited longest; NULL: none is ready. */
static struct game *take_ready(struct load *l)
{
	struct game *g;
	while ((g = l->ready)) {
		l->ready = g->next_ready;
		if (!l->ready)
			l->ready_end = &l->ready;
		g->listed = false;
		if (g->ready && g->ready->link.state == LINK_OPEN && !g->ready->move_call)
			return g;
	}
	return NULL;
}

static void make_due_moves(struct load *l, int64_t now)
{
	while (l->began_us && l->o.rate > 0 && l->next_due_us <= now) {
		struct game *g = take_ready(l);
		if (!g)
			return;
		make_move(g, l->next_due_us);
		l->next_due_us += (int64_t)(1e6 / l->o.rate);
	}
}

/* ---- Responses to players ---- */

/* What the stream says: whose turn it is, and with which moves. */
static void keep_view(struct player *p, const json_t *body)
{
	struct game *g = p->game;
	const json_t *view = json_object_get(body, "view"), *node = json_object_get(body, "node");
	const json_t *line = json_object_get(body, "line");
	const json_t *moves = json_object_get(view, "moves");
	const char *id = json_string_value(json_object_get(body, "id"));
	if (!view || !id || strcmp(id, g->id) != 0)
		return;
	g->active_ms = now_ms();
	if (json_is_true(json_object_get(view, "over"))) {
		if (p->seat == 1) {
			p->load->ended_games++;
			log_move(p->load, "ended", g->id, g->ply, "over");
			new_game(g);
		}
		return;
	}
	if (json_integer_value(json_object_get(view, "seat")) != p->seat || !json_array_size(moves))
		return;
	/* The other seat may still be open. */
	if (!g->players[1].joined)
		return;
	/* The whole game may be sent again while a move is on its way. */
	const int ply = node ? (int)json_integer_value(node) : (int)json_array_size(line);
	if (ply < g->stored || p->move_call)
		return;
	g->ply = g->stored = ply;
	const json_t *move = json_array_get(moves, draw(p->load, json_array_size(moves)));
	const char *text = json_string_value(json_object_get(move, "move"));
	snprintf(g->next_move, MOVE, "%.63s", text ? text : "");
	g->ready = p;
	list_ready(p->load, g);
}

static void on_moved(struct player *p, int status)
{
	struct load *l = p->load;
	const int64_t now = now_us();
	p->move_call = 0;
	if (status >= 300)
		return;
	log_move(l, "acked", p->id, p->ply, p->move);
	/* The response to the last move of a game may come after the next one has begun. */
	if (strcmp(p->id, p->game->id) == 0 && p->ply > p->game->stored)
		p->game->stored = p->ply;
	if (!l->measuring)
		return;
	sample_add(&l->moves, now - p->due_us);
	if (l->last_ack_us && now - l->last_ack_us > l->longest_gap_us)
		l->longest_gap_us = now - l->last_ack_us;
	l->last_ack_us = now;
}

/* A refused request: the stream tells where the game really is. */
static void on_refused(struct player *p, int kind, int status, const char *text)
{
	struct load *l = p->load;
	const bool excused = l->o.reconnect && (status == 503 || status == 409 || status == 429);
	if (excused)
		l->refused++;
	else
		fail(l, "response", text);
	if (kind == CALL_JOIN && status == 409) /* the first join was stored, its response lost */
		p->joined = true;
	if (kind == CALL_MOVE || (kind == CALL_JOIN && p->joined))
		follow(p);
	else if (kind == CALL_STREAM && excused)
		follow_again(p);
	else
		p->game->active_ms = now_ms() - STALL_MS + 1000; /* begins a new game soon */
}

static void on_message(struct link *link, char *text, size_t size)
{
	struct player *p = link->owner;
	struct game *g = p->game;
	json_t *message = json_loadb(text, size, 0, NULL);
	const long long call = json_integer_value(json_object_get(message, "id"));
	const int status = (int)json_integer_value(json_object_get(message, "status"));
	const json_t *body = json_object_get(message, "body");
	const int kind = (int)(call % 10);
	if (call == p->move_call)
		on_moved(p, status);
	if (kind == CALL_STREAM && call != p->stream_call) {
		/* The last message of an old stream. */
	} else if (status >= 300) {
		on_refused(p, kind, status, text);
	} else if (kind == CALL_NEW) {
		const char *id = json_string_value(json_object_get(body, "id"));
		snprintf(g->id, sizeof g->id, "%.23s", id ? id : "");
		log_move(p->load, "acked", g->id, 0, "new");
		p->load->made_games++;
		p->joined = true;
		follow(p);
		if (g->players[1].link.state == LINK_OPEN)
			join(&g->players[1]);
	} else if (kind == CALL_JOIN) {
		p->joined = true;
		follow(p);
		if (g->players[0].link.state == LINK_OPEN)
			follow(&g->players[0]); /* its view may be from before */
	} else if (kind == CALL_STREAM) {
		keep_view(p, body);
		if (call == p->stream_call && json_is_true(json_object_get(message, "end")))
			follow_again(p);
	}
	json_decref(message);
}

static void on_open(struct link *link)
{
	struct player *p = link->owner;
	struct game *g = p->game;
	p->load->opened++;
	p->again_ms = 0;
	p->stream_call = p->move_call = 0;
	p->follow_ms = 0;
	if (!*g->id) {
		if (p->seat == 1)
			new_game(g);
	} else if (p->joined) {
		follow(p);
	} else {
		join(p);
	}
}

static void on_closed(struct link *link, int status, const char *body, size_t size)
{
	struct player *p = link->owner;
	struct load *l = p->load;
	(void)status, (void)body, (void)size;
	l->disconnects++;
	if (!l->o.reconnect)
		fail(l, "connection", "was closed by the server");
	if (p->game->ready == p)
		p->game->ready = NULL;
	p->move_call = 0;
	/* Another server, if there are several. */
	link->target = &l->o.targets[(size_t)(link->target - l->o.targets + 1) %
				     (size_t)l->o.target_count];
	p->again_ms = now_ms() + AGAIN_MS;
}

/* ---- Others: idle sockets, analyses, the probe ---- */

static void ignore_message(struct link *link, char *text, size_t size)
{
	(void)link, (void)text, (void)size;
}

static void on_idle_open(struct link *link)
{
	struct load *l = link->owner;
	l->opened++;
	l->opened_idle++;
}

static void on_idle_closed(struct link *link, int status, const char *body, size_t size)
{
	struct load *l = link->owner;
	(void)status, (void)body, (void)size;
	l->lost_idle++;
	fail(l, "idle socket", "was closed by the server");
}

/* One after the other, for as long as the test runs. */
static void analyse(struct link *link)
{
	static const char text[] = "{\"id\":1,\"method\":\"POST\",\"path\":\"/api/v1/analysis\","
				   "\"body\":{\"game\":\"chess\",\"time\":2000}}";
	struct load *l = link->owner;
	link_send(&l->links, link, text, sizeof text - 1);
}

static void on_analyst_open(struct link *link)
{
	((struct load *)link->owner)->opened++;
	analyse(link);
}

static void on_analysis(struct link *link, char *text, size_t size)
{
	struct load *l = link->owner;
	(void)size;
	if (!strstr(text, "\"end\":true"))
		return;
	if (strstr(text, "\"status\":200"))
		l->analysed++;
	else
		fail(l, "analysis", text);
	analyse(link);
}

static void on_analyst_closed(struct link *link, int status, const char *body, size_t size)
{
	(void)status, (void)body, (void)size;
	if (!((struct load *)link->owner)->o.reconnect)
		fail(link->owner, "analysis", "the connection was closed");
}

static void on_probed(struct link *link, int status, const char *body, size_t size)
{
	struct load *l = link->owner;
	(void)body, (void)size;
	if (l->measuring)
		sample_add(&l->probes, now_us() - l->probe_us);
	if (status != 200 && !l->o.reconnect)
		fail(l, l->o.probe, "not 200");
}

static void probe(struct load *l, int64_t now)
{
	char text[200];
	if (l->probe.state != LINK_CLOSED || now - l->probe_us < PROBE_MS * 1000)
		return;
	l->probe_us = now;
	const int size =
		snprintf(text, sizeof text, "GET /api/v1/%.60s HTTP/1.1\r\nHost: %s\r\n\r\n",
			 l->o.probe, l->o.targets[0].host);
	link_request(&l->links, &l->probe, text, (size_t)size);
}

/* ---- The run ---- */

/* The next connection of those that are opened at the beginning. */
static void open_next(struct load *l)
{
	const int players = 2 * l->o.games, number = l->to_open++;
	struct link *link;
	if (number < players)
		link = &l->game[number / 2].players[number % 2].link;
	else if (number < players + l->o.analyses)
		link = &l->analysts[number - players];
	else
		link = &l->idle[number - players - l->o.analyses];
	if (!link_open(&l->links, link))
		die("cannot connect: %s", strerror(errno));
}

static void look_after(struct load *l, struct game *g, int64_t now)
{
	for (int i = 0; i < 2; i++) {
		struct player *p = &g->players[i];
		if (p->follow_ms && p->follow_ms <= now && p->link.state == LINK_OPEN)
			follow(p);
		if (!p->again_ms || p->again_ms > now || p->link.state != LINK_CLOSED)
			continue;
		if (!link_open(&l->links, &p->link))
			p->again_ms = now + AGAIN_MS;
	}
	/* A ready game waits for its move to be due. */
	const bool waits = g->ready || !g->active_ms;
	if (waits || now - g->active_ms < STALL_MS)
		return;
	l->stalled++;
	if (*g->id)
		log_move(l, "left", g->id, g->ply, "stalled");
	if (!l->o.reconnect)
		fail(l, "game", "no progress for ten seconds");
	new_game(g);
}

static void turn(struct load *l)
{
	const int total = 2 * l->o.games + l->o.analyses + l->o.sockets;
	int64_t now = now_us();
	for (int i = 0; i < OPENS && l->to_open < total; i++)
		open_next(l);
	for (int i = 0; i < l->o.games; i++)
		look_after(l, &l->game[i], now / 1000);
	/* When all are connected, or after a while if some are refused. */
	if (l->to_open == total && !l->all_sent_us)
		l->all_sent_us = now;
	if (l->all_sent_us && !l->began_us &&
	    (l->opened >= total || now - l->all_sent_us > OPEN_SECONDS * 1000000)) {
		l->began_us = now + (int64_t)(l->o.warm_up * 1e6);
		l->next_due_us = now;
	}
	if (l->began_us && !l->measuring && now >= l->began_us) {
		l->measuring = true;
		l->ends_us = now + (int64_t)(l->o.seconds * 1e6);
	}
	l->stopped = sigtimedwait(&l->stop, NULL, &(struct timespec){ 0 }) > 0;
	if (l->began_us) {
		attack_turn(&l->attack_state, now);
		probe(l, now);
	}
}

static void init_link(struct load *l, struct link *link, int number, void *owner)
{
	*link = (struct link){ .target = &l->o.targets[number % l->o.target_count],
			       .from = number,
			       .owner = owner,
			       .message = ignore_message };
}

static void *zeroed(int count, size_t size)
{
	void *memory = calloc((size_t)count + 1, size);
	if (!memory)
		die("out of memory");
	return memory;
}

static void set_up(struct load *l)
{
	l->game = zeroed(l->o.games, sizeof *l->game);
	l->idle = zeroed(l->o.sockets, sizeof *l->idle);
	l->analysts = zeroed(l->o.analyses, sizeof *l->analysts);
	l->ready_end = &l->ready;
	for (int i = 0; i < 2 * l->o.games; i++) {
		struct game *g = &l->game[i / 2];
		struct player *p = &g->players[i % 2];
		*p = (struct player){ .load = l, .game = g, .seat = i % 2 + 1 };
		init_link(l, &p->link, i, p);
		p->link.opened = on_open;
		p->link.message = on_message;
		p->link.closed = on_closed;
	}
	for (int i = 0; i < l->o.analyses; i++) {
		init_link(l, &l->analysts[i], i, l);
		l->analysts[i].opened = on_analyst_open;
		l->analysts[i].message = on_analysis;
		l->analysts[i].closed = on_analyst_closed;
	}
	for (int i = 0; i < l->o.sockets; i++) {
		init_link(l, &l->idle[i], i, l);
		l->idle[i].opened = on_idle_open;
		l->idle[i].closed = on_idle_closed;
	}
	init_link(l, &l->probe, 0, l);
	l->probe.from = 200;
	l->probe.closed = on_probed;
}

static void run(struct load *l)
{
	int64_t last_turn = 0;
	while (!l->stopped && (!l->ends_us || now_us() < l->ends_us)) {
		links_wait(&l->links, 1);
		const int64_t now = now_us();
		if (now - last_turn >= 1000) {
			last_turn = now;
			turn(l);
		}
		make_due_moves(l, now);
	}
	if (l->stopped)
		l->o.seconds =
			l->measuring ? l->o.seconds - (double)(l->ends_us - now_us()) / 1e6 : 1e-6;
	else if (l->o.rate > 0 && l->next_due_us < l->ends_us)
		l->late = (long long)((double)(l->ends_us - l->next_due_us) / 1e6 * l->o.rate);
}

/* ---- The report ---- */

static json_t *report_attack(const struct attack *a)
{
	json_t *answers = json_object();
	for (int i = 0; i < ATTACK_ANSWERS && a->answers[i].count; i++) {
		char status[16];
		snprintf(status, sizeof status, "%d", a->answers[i].status);
		json_object_set_new(answers, status, json_integer(a->answers[i].count));
	}
	return json_pack("{s:s, s:I, s:I, s:o}", "name", attack_name(a), "sent",
			 (json_int_t)a->sent, "unsent", (json_int_t)a->unsent, "answers", answers);
}

static json_t *make_report(struct load *l, double load_before, double cpu_seconds)
{
	double load_now = 0, cpu = 0;
	long kilobytes = 0;
	if (getloadavg(&load_now, 1) != 1)
		load_now = 0;
	process_read(l->o.pid, &cpu, &kilobytes);
	json_t *o = json_pack(
		"{s:f, s:i, s:i, s:f, s:f, s:o, s:o, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"seconds", l->o.seconds, "games", l->o.games, "moves", (int)l->moves.count,
		"asked_per_second", l->o.rate, "moves_per_second",
		(double)l->moves.count / l->o.seconds, "move_ms", sample_json(&l->moves),
		"probe_ms", sample_json(&l->probes), "longest_gap_ms",
		(double)l->longest_gap_us / 1000, "late", (json_int_t)l->late, "new_games",
		(json_int_t)l->made_games, "ended_games", (json_int_t)l->ended_games, "analyses",
		(json_int_t)l->analysed, "disconnects", (json_int_t)l->disconnects, "refused",
		(json_int_t)l->refused, "stalled", (json_int_t)l->stalled, "errors",
		(json_int_t)l->errors);
	json_object_set_new(o, "sockets",
			    json_pack("{s:i, s:i}", "open", l->opened_idle - l->lost_idle, "lost",
				      l->lost_idle));
	json_object_set_new(o, "load_average", json_pack("[f, f]", load_before, load_now));
	if (l->o.pid)
		json_object_set_new(o, "server",
				    json_pack("{s:f, s:i}", "cpu_seconds", cpu - cpu_seconds,
					      "kilobytes", (int)kilobytes));
	if (l->o.attack)
		json_object_set_new(o, "attack", report_attack(&l->attack_state));
	if (l->errors)
		json_object_set_new(o, "first_error", json_string(l->first_error));
	return o;
}

static double number_at(const json_t *o, const char *key, const char *inner)
{
	const json_t *at = json_object_get(o, key);
	return json_number_value(inner ? json_object_get(at, inner) : at);
}

static void print_report(const struct load *l, const json_t *o)
{
	if (l->o.json) {
		json_dumpf(o, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
		putchar('\n');
		return;
	}
	printf("durable moves %.0f in %g s, %.0f a second of %g asked; %lld were late\n",
	       number_at(o, "moves", NULL), l->o.seconds, number_at(o, "moves_per_second", NULL),
	       l->o.rate, l->late);
	printf("acknowledged in ms: p50 %.2f  p95 %.2f  p99 %.2f  max %.2f\n",
	       number_at(o, "move_ms", "p50"), number_at(o, "move_ms", "p95"),
	       number_at(o, "move_ms", "p99"), number_at(o, "move_ms", "max"));
	printf("probe in ms:  p50 %.2f  p95 %.2f  p99 %.2f  max %.2f\n",
	       number_at(o, "probe_ms", "p50"), number_at(o, "probe_ms", "p95"),
	       number_at(o, "probe_ms", "p99"), number_at(o, "probe_ms", "max"));
	printf("games %d (%lld new, %lld ended), idle sockets %d, analyses %lld\n", l->o.games,
	       l->made_games, l->ended_games, l->opened_idle - l->lost_idle, l->analysed);
	printf("errors %lld, disconnects %lld, refused %lld, stalled %lld, longest gap %.0f ms\n",
	       l->errors, l->disconnects, l->refused, l->stalled, (double)l->longest_gap_us / 1000);
	if (l->errors)
		printf("first error: %s\n", l->first_error);
	if (l->o.attack) {
		char *text = json_dumps(json_object_get(o, "attack"), JSON_COMPACT);
		printf("attack %s\n", text ? text : "");
		free(text);
	}
	printf("load average %.2f before, %.2f after\n",
	       json_number_value(json_array_get(json_object_get(o, "load_average"), 0)),
	       json_number_value(json_array_get(json_object_get(o, "load_average"), 1)));
	if (l->o.pid)
		printf("server: %.2f processor seconds, %.0f kB\n",
		       number_at(o, "server", "cpu_seconds"), number_at(o, "server", "kilobytes"));
}

/* 0: every acknowledged move is there, and nothing else. */
static int verify(struct load *l, const char *file)
{
	struct verified v;
	if (!verify_log(&l->links, &l->o.targets[0], file, &v))
		return 2;
	if (l->o.json)
		printf("{\"games\":%d,\"missing_games\":%d,\"acked\":%d,\"lost\":%d,\"stored\":%d,"
		       "\"foreign\":%d,\"unacked\":%d}\n",
		       v.games, v.missing_games, v.acked, v.lost, v.stored, v.foreign, v.unacked);
	else
		printf("games %d, missing %d; acknowledged moves %d, lost %d; stored moves %d, never "
		       "sent %d, without a response %d\n",
		       v.games, v.missing_games, v.acked, v.lost, v.stored, v.foreign, v.unacked);
	return v.lost || v.foreign || v.missing_games;
}

int main(int argc, char **argv)
{
	struct load *l = zeroed(1, sizeof *l);
	struct rlimit files;
	double load_before = 0, cpu_seconds;
	long kilobytes;
	l->random = (uint64_t)time(NULL);
	options_read(&l->o, argc, argv);
	if (!links_init(&l->links))
		die("epoll: %s", strerror(errno));
	l->links.addresses = l->o.addresses;
	if (l->o.verify_name)
		return verify(l, l->o.verify_name);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	const struct attack_setup attack = { &l->links, &l->o.attack_target, l->o.attack_rate,
					     l->o.attack_token };
	if (l->o.attack && !attack_init(&l->attack_state, l->o.attack, &attack))
		die("--attack: '%.40s' is not %s", l->o.attack, attack_names);
	if (l->o.log_name && !(l->log = fopen(l->o.log_name, "a")))
		die("%s: %s", l->o.log_name, strerror(errno));
	if (l->log)
		setvbuf(l->log, NULL, _IOLBF, BUFSIZ); /* others read it meanwhile */
	if (getloadavg(&load_before, 1) != 1)
		load_before = 0;
	set_up(l);
	sigemptyset(&l->stop);
	sigaddset(&l->stop, SIGTERM);
	sigprocmask(SIG_BLOCK, &l->stop, NULL);
	process_read(l->o.pid, &cpu_seconds, &kilobytes);
	run(l);
	json_t *report = make_report(l, load_before, cpu_seconds);
	print_report(l, report);
	json_decref(report);
	attack_release(&l->attack_state);
	if (l->log && fclose(l->log) != 0)
		die("%s: %s", l->o.log_name, strerror(errno));
	return l->errors != 0;
}
