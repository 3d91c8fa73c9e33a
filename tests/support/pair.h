/*
 * pair.h - two servers on one database, in one process: with SQLite and letters between them, or
 * with PostgreSQL and its bus.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_PAIR_H
#define TEST_PAIR_H

#include "server/api/inside.h"
#include "support/api_desk.h"
#include "support/cluster.h"
#include "support/database.h"

/* No server is lost because the machine is slow, but only because a test turns its clock. */
enum { NODES = 2, LEASE_MS = 600000, PATIENCE_US = 60 * 1000000 };

static const char *const pair_names[NODES] = { "one", "two" };

struct mail {
	int to;
	char *text;
	struct mail *next;
};

/* Not started: SQLite. */
static struct cluster postgres;

struct pair {
	struct api_desk desk[NODES];
	bool stopped[NODES]; /* it has no turns and gets nothing */
	struct mail *first, **last;
	char place[256]; /* of PostgreSQL, whose bus they use; "": SQLite and mail */
	int lease_ms;
};

static inline bool pair_send_mail(void *ctx, const char *node, const char *text)
{
	struct pair *p = ctx;
	for (int i = 0; i < NODES; i++) {
		if (strcmp(node, pair_names[i]) != 0 && *node)
			continue;
		struct mail *mail = calloc(1, sizeof *mail);
		assert_non_null(mail);
		*mail = (struct mail){ .to = i, .text = strdup(text) };
		*p->last = mail;
		p->last = &mail->next;
	}
	return true;
}

static inline void pair_deliver(struct pair *p)
{
	while (p->first) {
		struct mail *mail = p->first;
		p->first = mail->next;
		if (!p->first)
			p->last = &p->first;
		if (!p->stopped[mail->to] && p->desk[mail->to].api)
			api_hear(p->desk[mail->to].api, mail->text);
		free(mail->text);
		free(mail);
	}
}

static inline void pair_turn(struct pair *p)
{
	for (int i = 0; i < NODES; i++)
		if (!p->stopped[i] && p->desk[i].api) {
			desk_step(&p->desk[i]);
			api_turn(p->desk[i].api);
		}
	pair_deliver(p);
}

/* For so long, and some turns at least, however long the machine stands still. */
static inline void pair_turn_for(struct pair *p, int ms)
{
	const int64_t until = clock_us() + ms * 1000;
	for (int i = 0; i < 20 || clock_us() < until; i++, nap())
		pair_turn(p);
}

/* Turns until the condition holds; fails after a minute. */
#define pair_until(p, condition)                                                            \
	for (const int64_t until_us = clock_us() + PATIENCE_US; !(condition); pair_rest(p)) \
		if (clock_us() > until_us)                                                  \
	fail_msg("not in time: %s", #condition)

/*
 * The same while the clock of that server goes on, so that its next sign of life is due, with which
 * it looks at the others. Not so fast that it would be lost before an answer that comes late.
 */
#define pair_hasten(p, at, condition)                                                        \
	for (int64_t end_us = clock_us() + PATIENCE_US, next_us = 0; !(condition);           \
	     pair_rest(p))                                                                   \
		if (clock_us() > end_us)                                                     \
			fail_msg("not in time: %s", #condition);                             \
		else if (clock_us() >= next_us && (next_us = clock_us() + 1000000))          \
	pair_pass(p, at, (p)->lease_ms / 6)

static inline void pair_rest(struct pair *p)
{
	pair_turn(p);
	nap();
}

/* The clock of that server goes on by so much. */
static inline void pair_pass(struct pair *p, int at, int ms)
{
	p->desk[at].now += ms;
	p->desk[at].skew += ms;
}

/* Until there are so many answers, or the end. */
static inline const struct desk_answer *pair_wait(struct pair *p, int at, uint64_t call, int count)
{
	const struct desk_call *c = &p->desk[at].call[call];
	const int64_t until = clock_us() + PATIENCE_US;
	while (c->count < count && !c->ended) {
		pair_rest(p);
		if (clock_us() > until)
			fail_msg("%s %s: no answer", c->method, c->path);
	}
	return c->last;
}

static inline uint64_t pair_send(struct pair *p, int at, const struct visitor *who,
				 const char *path, const char *body)
{
	return desk_send(&p->desk[at], who, body ? "POST" : "GET", path, body);
}

static inline const json_t *pair_ask(struct pair *p, int at, const struct visitor *who,
				     const char *path, const char *body, int status)
{
	const struct desk_answer *answer = pair_wait(p, at, pair_send(p, at, who, path, body), 1);
	if (answer->status != status)
		fail_msg("%s: %d, not %d: %s", path, answer->status, status, answer->text);
	return answer->json;
}

/* A second server on the folder of the first: the lock is that of a file, which goes away. */
static inline void pair_open(struct pair *p, int at)
{
	struct api_desk *d = &p->desk[at];
	char lock[128];
	snprintf(lock, sizeof lock, "%s/lock", d->folder);
	unlink(lock);
	d->cluster = (struct api_cluster){ pair_names[at], p->lease_ms,
					   *p->place ? NULL : pair_send_mail, p };
	d->place = *p->place ? p->place : NULL;
	desk_api_open(d);
}

/* SQL past the servers, in the database of both. */
static inline void pair_sql(const struct pair *p, const char *sql, char out[64])
{
	char all[400];
	if (!*p->place) {
		database_sql(p->desk[0].folder, sql, out);
		return;
	}
	snprintf(all, sizeof all, "SET search_path = %s; %s", strstr(p->place, "%3D") + 3, sql);
	cluster_sql(&postgres, all, out);
}

/* How many servers have a row. */
static inline int pair_rows(const struct pair *p)
{
	char out[64];
	pair_sql(p, "SELECT count(*) FROM node", out);
	return atoi(out);
}

/* The server counts as alive, and knows that the other one does. */
static inline bool pair_knows_other(const struct pair *p, int at)
{
	const struct api *api = p->desk[at].api;
	return !cluster_is_lost(api) && cluster_is_other(api, pair_names[!at]);
}

/* As if the server had been asleep: it has lost its games, and then joins again. */
static inline void pair_oversleep(struct pair *p, int at)
{
	pair_pass(p, at, p->lease_ms);
	pair_until(p, cluster_is_lost(p->desk[at].api));
	pair_hasten(p, at, !cluster_is_lost(p->desk[at].api));
}

/* per_address, manual: as in struct api_setup. */
static inline void pair_set_up_with(struct pair *p, int per_address, int lease_ms, bool manual)
{
	*p = (struct pair){ .last = &p->first, .lease_ms = lease_ms };
	if (postgres.server)
		cluster_new_place(&postgres, p->place);
	for (int i = 0; i < NODES; i++) {
		desk_open(&p->desk[i], 1, per_address);
		api_close(p->desk[i].api);
		p->desk[i].api = NULL;
	}
	/* With PostgreSQL each has a file `secret` of its own; they use that of the database. */
	if (!*p->place) {
		desk_remove(p->desk[1].folder);
		memcpy(p->desk[1].folder, p->desk[0].folder, sizeof p->desk[0].folder);
	}
	for (int i = 0; i < NODES; i++) {
		p->desk[i].manual = manual;
		pair_open(p, i);
	}
	/* Until they know each other: with the second sign of life. */
	pair_until(p, pair_rows(p) == NODES);
	for (int i = 0; i < NODES; i++)
		pair_hasten(p, i, pair_knows_other(p, i));
}

static inline void pair_set_up(struct pair *p)
{
	pair_set_up_with(p, 100, LEASE_MS, false);
}

static inline void pair_tear_down(struct pair *p)
{
	for (int i = NODES - 1; i >= 0; i--) {
		desk_close(&p->desk[i]);
		p->stopped[i] = true; /* what is left for it is only freed */
	}
	pair_deliver(p);
}

#endif
