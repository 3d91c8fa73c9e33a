/*
 * imcs_pair.h - two IMCS servers on one PostgreSQL, in this process or in their own, and clients.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_IMCS_PAIR_H
#define TEST_IMCS_PAIR_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/api/login_limits.h"
#include "server/imcs/hall_inside.h"
#include "server/imcs/listen.h"
#include "support/api_desk.h"
#include "support/cluster.h"

/* No server is lost because the machine is slow. SHORT_LEASE_MS: where one is to be lost. */
enum { NODES = 2, LEASE_MS = 600000, SHORT_LEASE_MS = 30000, PATIENCE_US = 60 * 1000000 };

static struct cluster postgres;

struct pair {
	struct api_desk desk[NODES];
	struct imcs_listener *imcs[NODES];
	int port[NODES];
	uv_loop_t loop[NODES];
	char place[256];
	pid_t process[NODES]; /* 0: it runs in this one */
	bool stands[NODES];   /* it gets no turns */
	int64_t day_bytes;    /* as in struct api_desk */
	int lease_ms;	      /* 0: LEASE_MS */
};

/* A client, with what it has read. */
struct player {
	int socket;
	char text[1 << 16];
	size_t size, seen;
	bool ended;
};

/* ---- Servers ---- */

static inline void open_imcs(struct pair *p, int at)
{
	char where[IMCS_LISTENS_AT];
	struct qv_error error = { "" };
	const struct imcs_listen_setup setup = { .loop = &p->loop[at],
						 .api = p->desk[at].api,
						 .host = "127.0.0.1",
						 .per_address = 100 };
	if (imcs_listener_open(&setup, &p->imcs[at], where, &error) != QV_OK)
		fail_msg("%s", error.text);
	p->port[at] = atoi(strrchr(where, ':') + 1);
}

static inline void turn(struct pair *p)
{
	for (int i = 0; i < NODES; i++) {
		if (!p->desk[i].api || p->stands[i])
			continue;
		uv_run(&p->loop[i], UV_RUN_NOWAIT);
		api_turn(p->desk[i].api);
	}
	nap();
}

static inline void turn_for(struct pair *p, int ms)
{
	for (const int64_t until = clock_us() + ms * 1000; clock_us() < until;)
		turn(p);
}

static inline void open_node(struct pair *p, int at)
{
	static const char *const names[NODES] = { "one", "two" };
	struct api_desk *d = &p->desk[at];
	desk_open(d, 1, 100);
	api_close(d->api);
	d->cluster =
		(struct api_cluster){ names[at], p->lease_ms ? p->lease_ms : LEASE_MS, NULL, p };
	d->place = p->place;
	d->day_bytes = p->day_bytes;
	desk_api_open(d);
	uv_loop_init(&p->loop[at]);
	open_imcs(p, at);
}

static inline struct hall *hall_of(const struct pair *p, int at)
{
	return ((const struct imcs_base *)p->imcs[at])->hall;
}

static inline void end_process(struct pair *p, int at)
{
	kill(p->process[at], SIGKILL);
	waitpid(p->process[at], NULL, 0);
	desk_remove(p->desk[at].folder);
}

static inline void tear_down(struct pair *p)
{
	for (int i = 0; i < NODES; i++) {
		imcs_listener_shut(p->imcs[i]);
		desk_close(&p->desk[i]);
		uv_run(&p->loop[i], UV_RUN_DEFAULT);
		assert_int_equal(uv_loop_close(&p->loop[i]), 0);
	}
}

/* ---- Clients ---- */

static inline void look(struct player *g)
{
	ssize_t got;
	while (g->size < sizeof g->text - 1 &&
	       (got = recv(g->socket, g->text + g->size, sizeof g->text - 1 - g->size,
			   MSG_DONTWAIT)) >= 0) {
		g->ended |= got == 0;
		if (got == 0)
			break;
		g->size += (size_t)got;
		g->text[g->size] = '\0';
	}
}

/* Until the client has read the words, after what it has seen; they are seen then. */
static inline void expect(struct pair *p, struct player *g, const char *words)
{
	const char *found;
	const int64_t until = clock_us() + PATIENCE_US;
	for (;;) {
		look(g);
		if ((found = strstr(g->text + g->seen, words)))
			break;
		if (clock_us() > until || g->ended)
			fail_msg("no '%s' in: %s", words, g->text + g->seen);
		turn(p);
	}
	g->seen = (size_t)(found - g->text) + strlen(words);
}

static inline void expect_end(struct pair *p, struct player *g)
{
	const int64_t until = clock_us() + PATIENCE_US;
	for (look(g); !g->ended; look(g)) {
		if (clock_us() > until)
			fail_msg("no end: %s", g->text + g->seen);
		turn(p);
	}
}

static inline void say(const struct player *g, const char *line)
{
	char text[128];
	const int size = snprintf(text, sizeof text, "%s\r\n", line);
	assert_int_equal(send(g->socket, text, (size_t)size, MSG_NOSIGNAL), size);
}

static inline void ask(struct pair *p, struct player *g, const char *line, const char *words)
{
	say(g, line);
	expect(p, g, words);
}

static inline void arrive(struct pair *p, int at, struct player *g)
{
	const struct sockaddr_in to = { .sin_family = AF_INET,
					.sin_port = htons((uint16_t)p->port[at]),
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	*g = (struct player){ .socket = socket(AF_INET, SOCK_STREAM, 0) };
	assert_int_equal(connect(g->socket, (const struct sockaddr *)&to, sizeof to), 0);
	expect(p, g, "100 imcs 2.5\r\n");
}

static inline void leave(struct player *g)
{
	close(g->socket);
}

/* The number of the only offer, as the client was told. */
static inline void offer(struct pair *p, struct player *g, const char *line, char id[16])
{
	ask(p, g, line, "103 ");
	expect(p, g, "game waiting");
	const char *at = strstr(g->text, "103 ");
	while (strstr(at + 1, "103 "))
		at = strstr(at + 1, "103 ");
	snprintf(id, 16, "%.*s", (int)strcspn(at + 4, " "), at + 4);
}

static inline void accept_offer(const struct player *g, const char *id)
{
	char line[32];
	snprintf(line, sizeof line, "accept %s", id);
	say(g, line);
}

static inline void sql(const struct pair *p, const char *query, char out[64])
{
	char text[256];
	snprintf(text, sizeof text, "SET search_path = s%d; %s", postgres.schemas, query);
	(void)p;
	cluster_sql(&postgres, text, out);
}

static inline void check_sql(const struct pair *p, const char *query, const char *value)
{
	char out[64];
	sql(p, query, out);
	if (strcmp(out, value) != 0)
		fail_msg("%s: %s, not %s", query, out, value);
}

/* Until the value is that. */
static inline void wait_sql(struct pair *p, const char *query, const char *value)
{
	char out[64];
	const int64_t until = clock_us() + PATIENCE_US;
	for (sql(p, query, out); strcmp(out, value) != 0 && clock_us() < until; sql(p, query, out))
		turn_for(p, 50);
	check_sql(p, query, value);
}

/* ---- Both ---- */

static inline bool know_each_other(const struct pair *p, int at)
{
	const struct api *api = p->desk[at].api;
	return !cluster_is_lost(api) && cluster_is_other(api, at ? "one" : "two");
}

/* As if the server had been asleep: it has lost its games. */
static inline void oversleep(struct pair *p, int at)
{
	p->desk[at].skew += p->lease_ms;
	while (!cluster_is_lost(p->desk[at].api))
		turn(p);
}

/*
 * Until it has joined again. Its clock goes on, so that its next sign of life is due; but not so
 * fast that it would be lost before an answer that comes late.
 */
static inline void await_found(struct pair *p, int at)
{
	const int64_t end = clock_us() + PATIENCE_US;
	for (int64_t next = 0; cluster_is_lost(p->desk[at].api); turn(p)) {
		assert_true(clock_us() < end);
		if (clock_us() < next)
			continue;
		p->desk[at].skew += p->lease_ms / 6;
		next = clock_us() + 1000000;
	}
}

/* What a process tells once it knows the other one. */
struct process_ready {
	int port;
	char folder[64];
};

static inline void run_process(struct pair *p, int at, int out)
{
	struct process_ready ready;
	open_node(p, at);
	while (!know_each_other(p, at))
		turn(p);
	ready.port = p->port[at];
	memcpy(ready.folder, p->desk[at].folder, sizeof ready.folder);
	if (write(out, &ready, sizeof ready) != sizeof ready)
		_exit(1);
	close(out);
	while (getppid() != 1)
		turn(p);
	_exit(0);
}

/* Servers in processes of their own, so that they can be stopped whole, with their threads. */
static inline void open_processes(struct pair *p)
{
	struct process_ready ready;
	int ends[NODES][2];
	cluster_new_place(&postgres, p->place);
	fflush(NULL);
	for (int i = 0; i < NODES; i++) {
		assert_int_equal(pipe(ends[i]), 0);
		p->process[i] = fork();
		assert_true(p->process[i] >= 0);
		if (!p->process[i])
			run_process(p, i, ends[i][1]);
		close(ends[i][1]);
	}
	for (int i = 0; i < NODES; i++) {
		assert_int_equal(read(ends[i][0], &ready, sizeof ready), sizeof ready);
		close(ends[i][0]);
		p->port[i] = ready.port;
		memcpy(p->desk[i].folder, ready.folder, sizeof ready.folder);
	}
}

/* Until they know each other: their next sign of life is made due. */
static inline void open_pair(struct pair *p)
{
	cluster_new_place(&postgres, p->place);
	for (int i = 0; i < NODES; i++)
		open_node(p, i);
	wait_sql(p, "SELECT count(*) FROM node", "2");
	const int64_t until = clock_us() + PATIENCE_US;
	for (int64_t next = 0; !know_each_other(p, 0) || !know_each_other(p, 1); turn(p)) {
		assert_true(clock_us() < until);
		if (clock_us() < next)
			continue;
		for (int i = 0; i < NODES; i++)
			p->desk[i].skew += p->desk[i].cluster.lease_ms / 6;
		next = clock_us() + 1000000;
	}
}

static inline void set_up(struct pair *p)
{
	*p = (struct pair){ .place = "" };
	open_pair(p);
}

#endif
