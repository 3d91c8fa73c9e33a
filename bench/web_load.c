/*
 * web_load.c - load test of a running server: the latency of moves with many concurrent players.
 * SPDX-License-Identifier: MIT
 *
 * usage: bench_web_load PORT [PLAYERS [MOVES_PER_SECOND [SECONDS [GAME]]]]
 *
 * Opens a WebSocket for each player, pairs them, and lets each move at the given rate, with a
 * random offset. The latency is the time to the response, which the server sends after the move is
 * on disk. Raise the server's per-address limits: quevedo serve --per-address 100.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

enum { MOVE_TEXT = 64, MOST_MOVES = 64, CALL_PLAY = 1, CALL_JOIN = 2, CALL_STREAM = 3 };

/* One player, with a socket of its own. */
struct player {
	uv_tcp_t socket;
	uv_connect_t connecting;
	uv_timer_t timer;
	struct load *load;
	struct player *partner;    /* the opponent */
	int seat;                  /* 1 or 2 */
	bool open, waiting;        /* upgraded; a move is on its way */
	char *in;
	size_t in_size, in_room;
	char play[40];
	json_int_t next_call, move_call, stream_call;
	uint64_t sent_at;          /* ns */
	int to_move;               /* the seat to move; -1: the game is over */
	char moves[MOST_MOVES][MOVE_TEXT];
	int move_count;
};

struct load {
	uv_loop_t *loop;
	struct sockaddr_in address;
	const char *game;
	int port, players, opened;
	double interval_ms, seconds;
	struct player *player;
	uint64_t began;            /* ns; 0: still warming up */
	double *latencies;         /* ms */
	size_t count, room;
	uint64_t errors, plays, random;
	uv_timer_t end;
};

static void die(const char *what)
{
	fprintf(stderr, "bench_web_load: %s\n", what);
	exit(1);
}

static uint64_t draw(struct load *l, uint64_t below)
{
	l->random = l->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (l->random >> 33) % below;
}

/* ---- Sending ---- */

struct packet {
	uv_write_t request;
	char bytes[];
};

static void on_written(uv_write_t *request, int status)
{
	(void)status;
	free(request);
}

static void send_bytes(struct player *p, const char *head, size_t head_size, const char *body,
		       size_t size)
{
	struct packet *packet = malloc(sizeof *packet + head_size + size);
	if (!packet)
		die("out of memory");
	memcpy(packet->bytes, head, head_size);
	memcpy(packet->bytes + head_size, body, size);
	uv_buf_t buffer = uv_buf_init(packet->bytes, (unsigned)(head_size + size));
	uv_write(&packet->request, (uv_stream_t *)&p->socket, &buffer, 1, on_written);
}

/* A text frame; the mask is all zeros, which leaves the text as it is. */
static void send_text(struct player *p, const char *text)
{
	const size_t size = strlen(text);
	const unsigned char small[6] = { 0x81, (unsigned char)(0x80 | size) };
	const unsigned char large[8] = { 0x81, 0x80 | 126, (unsigned char)(size >> 8),
					 (unsigned char)size };
	if (size < 126)
		send_bytes(p, (const char *)small, sizeof small, text, size);
	else
		send_bytes(p, (const char *)large, sizeof large, text, size);
}

static void send_call(struct player *p, json_int_t call, const char *method, const char *path,
		const char *body)
{
	char text[1024];
	snprintf(text, sizeof text, "{\"id\":%lld,\"method\":\"%s\",\"path\":\"%s\"%s%s}",
		 (long long)call, method, path, *body ? ",\"body\":" : "", body);
	send_text(p, text);
}

static void begin_play(struct player *p)
{
	char body[200];
	snprintf(body, sizeof body,
		 "{\"game\":\"%s\",\"seats\":[\"human\",\"open\"],\"private\":true}", p->load->game);
	p->load->plays++;
	send_call(p, p->next_call++ * 10 + CALL_PLAY, "POST", "/api/v1/plays", body);
}

static void follow(struct player *p, const char *play)
{
	char path[100];
	snprintf(p->play, sizeof p->play, "%s", play);
	snprintf(path, sizeof path, "/api/v1/plays/%s/events", play);
	p->to_move = 0;
	if (p->stream_call)
		send_call(p, p->stream_call, "CANCEL", "", "");
	p->stream_call = p->next_call++ * 10 + CALL_STREAM;
	send_call(p, p->stream_call, "GET", path, "");
}

static void join(struct player *p, const char *play)
{
	char path[100];
	snprintf(p->play, sizeof p->play, "%s", play);
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", play);
	send_call(p, p->next_call++ * 10 + CALL_JOIN, "POST", path, "{\"action\":\"join\"}");
}

static void make_move(struct player *p)
{
	char path[100], body[100];
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", p->play);
	snprintf(body, sizeof body, "{\"move\":\"%s\"}",
		 p->moves[draw(p->load, (uint64_t)p->move_count)]);
	p->waiting = true;
	p->sent_at = uv_hrtime();
	p->move_call = p->next_call++ * 10;
	send_call(p, p->move_call, "POST", path, body);
}

static void on_timer(uv_timer_t *timer)
{
	struct player *p = timer->data;
	if (p->open && !p->waiting && p->to_move == p->seat && p->move_count)
		make_move(p);
}

/* ---- Receiving ---- */

static void keep_view(struct player *p, const json_t *view)
{
	const json_t *moves = json_object_get(view, "moves");
	p->to_move = (int)json_integer_value(json_object_get(view, "seat"));
	p->move_count = 0;
	for (size_t i = 0; i < json_array_size(moves) && i < MOST_MOVES; i++) {
		const json_t *move = json_array_get(moves, i);
		const char *text = json_string_value(json_object_get(move, "move"));
		snprintf(p->moves[p->move_count++], MOVE_TEXT, "%s", text ? text : "");
	}
	if (!json_is_true(json_object_get(view, "over")))
		return;
	p->to_move = -1;
	if (p->seat == 1)
		begin_play(p);
}

static void count_latency(struct player *p)
{
	struct load *l = p->load;
	p->waiting = false;
	if (l->began && l->count < l->room)
		l->latencies[l->count++] = (double)(uv_hrtime() - p->sent_at) / 1e6;
}

static void on_message(struct player *p, const json_t *message)
{
	const json_int_t call = json_integer_value(json_object_get(message, "id"));
	const json_int_t status = json_integer_value(json_object_get(message, "status"));
	const json_t *body = json_object_get(message, "body");
	const json_t *view = json_object_get(body, "view");
	if (call == p->move_call)
		count_latency(p);
	if (status >= 300) {
		if (!p->load->errors++)
			fprintf(stderr, "bench_web_load: first error: %s\n",
				json_dumps(message, JSON_COMPACT));
		return;
	}
	if (call % 10 == CALL_PLAY) {
		const char *id = json_string_value(json_object_get(body, "id"));
		follow(p, id ? id : "");
		join(p->partner, id ? id : "");
	} else if (call % 10 == CALL_JOIN) {
		char play[sizeof p->play];
		memcpy(play, p->play, sizeof play);
		follow(p, play);
	} else if (call % 10 == CALL_STREAM && view) {
		const char *id = json_string_value(json_object_get(body, "id"));
		if (id && strcmp(id, p->play) == 0)
			keep_view(p, view);
	}
}

/* Processes one WebSocket frame; returns its bytes, 0: it is incomplete. */
static size_t take_frame(struct player *p)
{
	const unsigned char *b = (unsigned char *)p->in;
	if (p->in_size < 2)
		return 0;
	size_t size = b[1] & 127, head = 2;
	if (size == 126) {
		head = 4;
		size = p->in_size < 4 ? 0 : (size_t)b[2] << 8 | b[3];
	} else if (size == 127) {
		head = 10;
		size = 0;
		for (size_t i = 2; i < 10 && p->in_size >= 10; i++)
			size = size << 8 | b[i];
	}
	if (p->in_size < head || p->in_size - head < size)
		return 0;
	if ((b[0] & 15) == 1) {
		json_t *message = json_loadb(p->in + head, size, 0, NULL);
		on_message(p, message);
		json_decref(message);
	} else if ((b[0] & 15) == 9) {
		static const char pong[6] = { (char)0x8a, (char)0x80 };
		send_bytes(p, pong, 6, "", 0);
	} else if ((b[0] & 15) == 8) {
		p->load->errors++;
		p->open = false;
	}
	return head + size;
}

static void start_clock(struct load *l);

static size_t take_upgrade(struct player *p)
{
	static const char end[] = "\r\n\r\n";
	p->in[p->in_size] = '\0';
	const char *stop = strstr(p->in, end);
	if (!stop)
		return 0;
	if (strncmp(p->in, "HTTP/1.1 101", 12) != 0)
		die(p->in);
	p->open = true;
	if (p->seat == 1 && p->partner->open)
		begin_play(p);
	else if (p->seat == 2 && p->partner->open)
		begin_play(p->partner);
	if (++p->load->opened == p->load->players)
		start_clock(p->load);
	return (size_t)(stop - p->in) + sizeof end - 1;
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
	struct player *p = stream->data;
	(void)buffer;
	if (size < 0) {
		if (!p->load->errors++)
			fprintf(stderr, "bench_web_load: a connection was closed\n");
		p->open = false;
		uv_read_stop(stream);
		return;
	}
	p->in_size += (size_t)size;
	size_t used;
	while ((used = p->open ? take_frame(p) : take_upgrade(p)) > 0) {
		p->in_size -= used;
		memmove(p->in, p->in + used, p->in_size);
	}
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct player *p = handle->data;
	(void)suggested;
	if (p->in_room - p->in_size < 16384) {
		p->in_room = 2 * p->in_room + 32768;
		p->in = realloc(p->in, p->in_room);
		if (!p->in)
			die("out of memory");
	}
	*buffer = uv_buf_init(p->in + p->in_size, (unsigned)(p->in_room - p->in_size - 1));
}

static void on_connect(uv_connect_t *request, int status)
{
	struct player *p = request->data;
	char text[400];
	if (status < 0)
		die(uv_strerror(status));
	const int size = snprintf(text, sizeof text,
				  "GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
				  "Origin: http://127.0.0.1:%d\r\nUpgrade: websocket\r\n"
				  "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
				  "Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
				  "Sec-WebSocket-Protocol: quevedo\r\n\r\n",
				  p->load->port, p->load->port);
	uv_read_start((uv_stream_t *)&p->socket, on_room, on_read);
	send_bytes(p, text, (size_t)size, "", 0);
}

/* ---- The run ---- */

static void connect_next(uv_timer_t *timer)
{
	struct player *p = timer->data;
	uv_timer_stop(timer);
	uv_timer_start(timer, on_timer, 1 + draw(p->load, (uint64_t)p->load->interval_ms),
		       (uint64_t)p->load->interval_ms);
	uv_tcp_connect(&p->connecting, &p->socket, (const struct sockaddr *)&p->load->address,
		       on_connect);
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static double at_part(const struct load *l, double part)
{
	return l->count ? l->latencies[(size_t)(part * (double)(l->count - 1))] : NAN;
}

static void on_end(uv_timer_t *timer)
{
	struct load *l = timer->data;
	const double seconds = (double)(uv_hrtime() - l->began) / 1e9;
	qsort(l->latencies, l->count, sizeof *l->latencies, by_size);
	printf("players %d, moves %zu, %.0f a second, plays %llu, errors %llu\n", l->players,
	       l->count, (double)l->count / seconds, (unsigned long long)l->plays,
	       (unsigned long long)l->errors);
	printf("acknowledged in ms: p50 %.2f  p95 %.2f  p99 %.2f  worst %.2f\n", at_part(l, 0.5),
	       at_part(l, 0.95), at_part(l, 0.99), at_part(l, 1));
	exit(l->errors != 0);
}

/* Called after a warm-up of three seconds, which does not count. */
static void on_warm(uv_timer_t *timer)
{
	struct load *l = timer->data;
	l->began = uv_hrtime();
	uv_timer_start(timer, on_end, (uint64_t)(l->seconds * 1000), 0);
}

static void start_clock(struct load *l)
{
	uv_timer_start(&l->end, on_warm, 3000, 0);
}

static void set_up(struct load *l)
{
	l->player = calloc((size_t)l->players, sizeof *l->player);
	l->room = (size_t)(l->players * (l->seconds + 10) * 1000 / l->interval_ms) + 1000;
	l->latencies = malloc(l->room * sizeof *l->latencies);
	if (!l->player || !l->latencies)
		die("out of memory");
	for (int i = 0; i < l->players; i++) {
		struct player *p = &l->player[i];
		*p = (struct player){ .load = l, .partner = &l->player[i ^ 1], .seat = i % 2 + 1,
				      .next_call = 1, .move_call = -1 };
		p->socket.data = p->connecting.data = p->timer.data = p;
		uv_tcp_init(l->loop, &p->socket);
		uv_tcp_nodelay(&p->socket, 1);
		uv_timer_init(l->loop, &p->timer);
		uv_timer_start(&p->timer, connect_next, (uint64_t)i * 3, 0);
		p->timer.data = p;
	}
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: bench_web_load PORT [PLAYERS [MOVES_PER_SECOND [SECONDS "
				"[GAME]]]]\n");
		return 2;
	}
	struct load l = { .loop = uv_default_loop(), .port = atoi(argv[1]), .random = 1 };
	l.players = argc > 2 ? atoi(argv[2]) & ~1 : 1000;
	l.interval_ms = 1000 / (argc > 3 ? atof(argv[3]) : 1);
	l.seconds = argc > 4 ? atof(argv[4]) : 30;
	l.game = argc > 5 ? argv[5] : "reversi";
	if (l.players < 2 || !(l.interval_ms >= 1) || !(l.seconds > 0))
		die("players, moves a second or seconds: out of bounds");
	uv_ip4_addr("127.0.0.1", l.port, &l.address);
	uv_timer_init(l.loop, &l.end);
	l.end.data = &l;
	set_up(&l);
	return uv_run(l.loop, UV_RUN_DEFAULT);
}
