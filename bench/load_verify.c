/*
 * load_verify.c - compares the log of the load generator's moves with the games of a server.
 * SPDX-License-Identifier: MIT
 */
#include "load_verify.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ID = 24, MOVE = 64, PATIENCE_MS = 30000, WINDOW = 16, SLOW_MS = 100 };

struct entry {
	char game[ID], move[MOVE];
	int ply;
	bool acked;
};

struct check {
	struct links *links;
	struct entry *entries;
	size_t count, next; /* next: the first entry of the next game to ask for */
	int waiting;	    /* requests on their way */
	bool failed;
	struct verified *out;
};

/* One asker, which has a WebSocket and asks for one game at a time. */
struct asker {
	struct link link;
	struct check *check;
	size_t first, end; /* the entries of its game; first == end: none */
	int64_t again_ms;  /* it was told to slow down: when to ask again; 0: it was not */
};

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	const int games = strcmp(x->game, y->game);
	if (games)
		return games;
	return x->ply != y->ply ? x->ply - y->ply : (int)x->acked - (int)y->acked;
}

static bool read_log(const char *file, struct check *check)
{
	FILE *in = fopen(file, "r");
	char line[256], kind[8];
	size_t room = 0;
	if (!in)
		return false;
	while (fgets(line, sizeof line, in)) {
		struct entry e = { .ply = 0 };
		/* The last line may be cut if the generator was killed. */
		if (!strchr(line, '\n') ||
		    sscanf(line, "%7s %23s %d %63[^\t\n]", kind, e.game, &e.ply, e.move) != 4)
			continue;
		e.acked = strcmp(kind, "acked") == 0;
		if (!e.acked && strcmp(kind, "sent") != 0)
			continue;
		if (check->count == room) {
			room = 2 * room + 1024;
			check->entries = realloc(check->entries, room * sizeof *check->entries);
			if (!check->entries)
				break;
		}
		check->entries[check->count++] = e;
	}
	fclose(in);
	if (check->entries)
		qsort(check->entries, check->count, sizeof *check->entries, compare);
	return check->count > 0;
}

/* Was that move sent for that ply? *acked: was it acknowledged? */
static bool was_sent(const struct check *c, const struct asker *a, int ply, const char *move,
		     bool *acked)
{
	bool sent = false;
	*acked = false;
	for (size_t i = a->first; i < a->end; i++) {
		const struct entry *e = &c->entries[i];
		if (e->ply != ply || strcmp(e->move, move) != 0)
			continue;
		sent = true;
		*acked |= e->acked;
	}
	return sent;
}

/* `line` is that of the play: an array of {move}. */
static void compare_game(const struct check *c, const struct asker *a, const json_t *line)
{
	struct verified *v = c->out;
	const size_t plies = json_array_size(line);
	v->games++;
	v->stored += (int)plies;
	for (size_t i = a->first; i < a->end; i++) {
		const struct entry *e = &c->entries[i];
		const json_t *at = json_array_get(line, (size_t)e->ply - 1);
		const char *move = json_string_value(json_object_get(at, "move"));
		if (!e->acked || !e->ply)
			continue;
		v->acked++;
		if (move && strcmp(move, e->move) == 0)
			continue;
		if (!v->lost++)
			fprintf(stderr,
				"bench_load_server: game %s ply %d: %s was acknowledged, "
				"the server has %s\n",
				e->game, e->ply, e->move, move ? move : "nothing");
	}
	for (size_t i = 0; i < plies; i++) {
		const char *move =
			json_string_value(json_object_get(json_array_get(line, i), "move"));
		bool acked;
		if (!move || !was_sent(c, a, (int)i + 1, move, &acked)) {
			if (!v->foreign++)
				fprintf(stderr,
					"bench_load_server: game %s ply %zu: %s was never "
					"sent\n",
					c->entries[a->first].game, i + 1, move ? move : "?");
		} else if (!acked) {
			v->unacked++;
		}
	}
}

static void ask(struct asker *a)
{
	char text[200];
	const int size = snprintf(text, sizeof text,
				  "{\"id\":1,\"method\":\"GET\",\"path\":\"/api/v1/plays/%s\"}",
				  a->check->entries[a->first].game);
	link_send(a->check->links, &a->link, text, (size_t)size);
}

/* The next game that nobody has asked for; none: the asker is done. */
static void ask_next(struct asker *a)
{
	struct check *c = a->check;
	a->first = a->end = c->next;
	if (c->next == c->count) {
		c->waiting--;
		return;
	}
	while (a->end < c->count && strcmp(c->entries[a->end].game, c->entries[a->first].game) == 0)
		a->end++;
	c->next = a->end;
	ask(a);
}

static void on_open(struct link *link)
{
	ask_next(link->owner);
}

static void on_message(struct link *link, char *text, size_t size)
{
	struct asker *a = link->owner;
	json_t *message = json_loadb(text, size, 0, NULL);
	const json_int_t status = json_integer_value(json_object_get(message, "status"));
	const json_t *body = json_object_get(message, "body");
	if (status == 429 || status == 503) {
		a->again_ms = now_ms() + SLOW_MS;
		json_decref(message);
		return;
	}
	if (status == 200) {
		compare_game(a->check, a, json_object_get(body, "line"));
	} else {
		if (!a->check->out->missing_games++)
			fprintf(stderr, "bench_load_server: game %s: status %d\n",
				a->check->entries[a->first].game, (int)status);
		for (size_t i = a->first; i < a->end; i++) {
			a->check->out->acked += a->check->entries[i].acked;
			a->check->out->lost += a->check->entries[i].acked;
		}
	}
	json_decref(message);
	ask_next(a);
}

static void on_closed(struct link *link, int status, const char *body, size_t size)
{
	struct asker *a = link->owner;
	(void)status, (void)body, (void)size;
	a->check->failed = true;
}

bool verify_log(struct links *links, const struct target *target, const char *file,
		struct verified *out)
{
	struct check check = { .links = links, .out = out };
	static struct asker askers[WINDOW];
	*out = (struct verified){ 0 };
	if (!read_log(file, &check)) {
		fprintf(stderr, "bench_load_server: %s: no log of moves: %s\n", file,
			strerror(errno));
		free(check.entries);
		return false;
	}
	for (int i = 0; i < WINDOW; i++) {
		struct asker *a = &askers[i];
		*a = (struct asker){ .check = &check };
		a->link = (struct link){ .target = target,
					 .from = 7 * i,
					 .owner = a,
					 .opened = on_open,
					 .message = on_message,
					 .closed = on_closed };
		check.waiting++;
		if (!link_open(links, &a->link))
			check.failed = true;
	}
	int64_t moved = now_ms();
	for (int last = -1; check.waiting && !check.failed;) {
		links_wait(links, SLOW_MS);
		for (int i = 0; i < WINDOW; i++)
			if (askers[i].again_ms && askers[i].again_ms <= now_ms()) {
				askers[i].again_ms = 0;
				ask(&askers[i]);
			}
		const int done = out->games + out->missing_games;
		if (done != last)
			moved = now_ms();
		else if (now_ms() - moved > PATIENCE_MS)
			check.failed = true;
		last = done;
	}
	if (check.failed)
		fprintf(stderr, "bench_load_server: %s: the server does not answer\n",
			target->name);
	for (int i = 0; i < WINDOW; i++) {
		askers[i].link.closed = NULL;
		link_close(&askers[i].link);
	}
	free(check.entries);
	return !check.failed;
}
