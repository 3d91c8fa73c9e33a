/*
 * load_attack.c - costly requests that the load generator sends beside its moves.
 * SPDX-License-Identifier: MIT
 *
 * Each was once enough to make everybody wait, or to fill the disk.
 */
#define _GNU_SOURCE
#include "load_attack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	H1_PLIES = 4200,
	H1_PAIRS = 2357, /* of undo and redo: 9.9 million plies */
	H1_ALLOWED = 11, /* 92,400 plies: just within the bound */
	RECORD_BYTES = (512 << 10) - 16, /* what is accepted; the server adds a few bytes */
	NOTE_BYTES = 1900,
	NOTE_FRAME = 12, /* of the line around a note */
	POSITION_PLIES = 3000,
	FRAMES = 40000, /* 240 kB of what the server closes a socket for */
	SOURCE = 249, /* the attacker's source address */
};

static const char record_head[] =
	"{\"quevedo\":1,\"game\":\"starchess:limit=9999\",\"position\":\"start\","
	"\"seats\":[\"human\",\"human\",\"human\",\"human\"]}\n";

/* The text as a JSON string, between quotes. */
static void put_quoted(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else if (*text == '\n')
			fputs("\\n", out);
		else
			fputc(*text, out);
}

/* A long game, and then many times back to its start and to its end again. */
static void put_journal(FILE *out, int pairs)
{
	fputs("{\"private\":true,\"record\":\"", out);
	put_quoted(out, record_head);
	for (int i = 0; i < H1_PLIES; i++)
		put_quoted(out, "{\"move\":\"end\"}\n");
	for (int i = 0; i < pairs; i++)
		put_quoted(out, "{\"undo\":4200}\n{\"redo\":4200}\n");
	fputs("\"}", out);
}

static void put_long(FILE *out)
{
	put_journal(out, H1_PAIRS);
}

static void put_longest_allowed(FILE *out)
{
	put_journal(out, H1_ALLOWED);
}

/* As many notes, which replace each other, as a record may have. */
static void put_notes(FILE *out)
{
	static const char move[] = "{\"move\":\"end\"}\n";
	size_t left = RECORD_BYTES - strlen(record_head) - strlen(move);
	fputs("{\"private\":true,\"record\":\"", out);
	put_quoted(out, record_head);
	put_quoted(out, move);
	while (left > NOTE_FRAME) {
		const size_t size = left - NOTE_FRAME < NOTE_BYTES ? left - NOTE_FRAME : NOTE_BYTES;
		put_quoted(out, "{\"note\":\"");
		for (size_t i = 0; i < size; i++)
			fputc('x', out);
		put_quoted(out, "\"}\n");
		left -= NOTE_FRAME + size;
	}
	fputs("\"}", out);
}

static void put_login(FILE *out)
{
	fputs("{\"name\":\"somebody\",\"password\":\"not the password\"}", out);
}

static void put_moves(FILE *out)
{
	fputs("{\"game\":\"starchess:limit=9999\",\"moves\":[\"end\"", out);
	for (int i = 1; i < POSITION_PLIES / 2; i++)
		fputs(",\"end\"", out);
	fputs("]}", out);
}

/* Rolls of a game of backgammon at random, and what was played with them. */
static const char dice_game[] =
	"62,8/6 8/2,53,24/16,31,24/23 6/3,51,24/23* 16/11,51,bar/20 8/7,21,8/7 6/4,21,"
	"20/18* 3/2*,21,bar/24 bar/23*,53,bar/20 6/3,54,24/20 6/1*,61,bar/24*/18,21,"
	"bar/24 8/6,61,13/7 3/2*,22,bar/23* 6/2* 4/2,53,bar/22 bar/20,63,23/17 13/10,51,"
	"22/17* 6/5*,66,pass,41,20/16 5/4,31,bar/24 bar/22,54,18/14*/9,44,bar/21*/13 10/6,43,"
	"bar/21 17/14,62,17/15 13/7*,51,bar/24 9/4,63,22/16 6/3,11,7/3,61,24/18* 15/14,65,"
	"bar/20 14/8,44,13/9*(3) 6/2,41,bar/21 13/12*,52,bar/23 18/13*,31,bar/22* 13/12*,42,"
	"bar/23 bar/21*,63,bar/22 20/14,31,21/20 16/13*,41,bar/24 21/17,21,23/22*/20,54,"
	"bar/20 8/4,51,24/23 14/9,64,22/18* 20/14,42,bar/21* 23/21,55,bar/15 17/12* 13/8,42,"
	"bar/21 9/7*,31,bar/22 21/20,61,23/22 21/15,32,15/12 13/11,31,22/21 15/12,43,"
	"14/10 11/8,53,21/18 9/4,51,20/15 12/11,55,21/11* 21/16 20/15*,65,bar/20,62,"
	"20/14* 15/13*,41,bar/24 bar/21*,21,bar/24 11/9,65,bar/14,32,13/10* 6/4*,64,"
	"bar/21* bar/19*,64,bar/21,33,24/18* 22/19 20/17,61,bar/24,43,21/18 14/10,21,bar/22,"
	"22,20/18 19/17 8/6(2),44,24/20 14/10 9/5(2),22,24/22(2) 18/16* 10/8,64,bar/21 24/18,"
	"21,22/19,65,21/16 21/15,51,8/3*/2,31,bar/24 20/17,43,22/18 16/13*,32,bar/22 15/13,"
	"64,17/11 6/2,41,17/13 2/1,54,6/2 6/1*,61,bar/24* 10/4,22,pass,31,24/21 16/15,32,"
	"bar/22 6/4*,51,bar/20 15/14*,42,bar/21* 4/2,65,bar/19* 16/11,53,bar/22 18/13,63,"
	"19/13 11/8*,41,bar/24* 22/18,64,bar/19 13/9,11,22/21(2) 19/17*,21,bar/24 20/18,31,"
	"18/17 13/10,52,13/6*,51,bar/24 10/5,21,5/2,42,17/11*,51,bar/24 22/17,11,"
	"21/20* 13/12* 11/9,41,bar/24 bar/21,11,20/19* 18/16* 9/8*,51,bar/24 bar/20*";

/* The luck of each roll and the loss of each move take a millisecond. */
static void put_dice(FILE *out)
{
	fputs("{\"private\":true,\"game\":\"backgammon\",\"dice\":\"typed\","
	      "\"seats\":[\"human\",\"human\"],\"moves\":[",
	      out);
	const char *at = dice_game;
	for (int i = 0; *at; i++) {
		const int length = (int)strcspn(at, ",");
		fprintf(out, "%s\"%s%.*s\"", i ? "," : "", i % 2 ? "" : "roll ", length, at);
		at += length + (at[length] == ',');
	}
	fputs("]}", out);
}

/* The longest search; the connection stays open for as long. */
static void put_search(FILE *out)
{
	fputs("{\"game\":\"chess\",\"time\":30000}", out);
}

static void put_computers(FILE *out)
{
	fputs("{\"private\":true,\"game\":\"chess\",\"seats\":[\"level:10\",\"level:10\"]}", out);
}

static void put_new(FILE *out)
{
	fputs("{\"private\":true,\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}", out);
}

static void put_guess(FILE *out)
{
	fputs("me victim guess\r\nquit\r\n", out);
}

/* Empty, and masked with zeros. */
static void put_frames(FILE *out, int first, int count)
{
	const char frame[] = { (char)first, (char)0x80, 0, 0, 0, 0 };
	for (int i = 0; i < count; i++)
		fwrite(frame, sizeof frame, 1, out);
}

static void put_pings(FILE *out)
{
	put_frames(out, 0x89, FRAMES);
}

/* Parts of a message that has no end. */
static void put_parts(FILE *out)
{
	put_frames(out, 0x01, 1);
	put_frames(out, 0x00, FRAMES);
}

static const struct attack_kind {
	const char *name, *method, *path; /* method: NULL: not HTTP; "": a WebSocket and frames */
	void (*put[2])(FILE *out); /* bodies, sent in turn; the second may be NULL */
	double rate;		   /* that the limits allow to one address */
} kinds[] = {
	{ "h1", "POST", "/api/v1/plays", { put_long, put_longest_allowed }, 0.5 },
	{ "import", "POST", "/api/v1/plays", { put_notes, NULL }, 0.5 },
	{ "dice", "POST", "/api/v1/plays", { put_dice, NULL }, 0.5 },
	{ "login", "POST", "/api/v1/login", { put_login, NULL }, 5.0 / 60 },
	{ "matches", "GET", "/api/v1/matches", { NULL, NULL }, 20 },
	{ "lobby", "GET", "/api/v1/lobby", { NULL, NULL }, 20 },
	{ "position", "POST", "/api/v1/positions", { put_moves, NULL }, 20 },
	{ "analysis", "POST", "/api/v1/analysis", { put_search, NULL }, 20 },
	{ "computers", "POST", "/api/v1/plays", { put_computers, NULL }, 0.5 },
	{ "me", "GET", "/api/v1/me", { NULL, NULL }, 20 },
	{ "finished", "GET", "/api/v1/me/games?opponent=zzz", { NULL, NULL }, 20 },
	{ "new", "POST", "/api/v1/plays", { put_new, NULL }, 0.5 },
	{ "imcs", NULL, NULL, { put_guess, NULL }, 20 },
	{ "pings", "", "/api/v1/ws", { put_pings, NULL }, 20 },
	{ "frames", "", "/api/v1/ws", { put_parts, NULL }, 20 },
};

const char attack_names[] = "h1, import, dice, login, matches, lobby, position, analysis, "
			    "computers, me, finished, new, imcs, pings or frames";

const char *attack_name(const struct attack *attack)
{
	return attack->kind ? attack->kind->name : "none";
}

/* A whole request in malloc'd memory. NULL: no memory. */
static char *make_request(const struct attack_kind *kind, const struct attack_setup *setup,
			  void (*put)(FILE *out), size_t *size)
{
	const bool upgrades = kind->method && !*kind->method;
	char *body = NULL, *text = NULL;
	size_t body_size = 0;
	FILE *out = open_memstream(&body, &body_size);
	if (out && put)
		put(out);
	if (!out || fclose(out) != 0)
		return NULL;
	out = open_memstream(&text, size);
	if (!out)
		return NULL;
	if (upgrades)
		link_put_upgrade(out, setup->target, "");
	else if (kind->method) {
		fprintf(out, "%s %s HTTP/1.1\r\nHost: %s\r\n", kind->method, kind->path,
			setup->target->host);
		if (setup->token)
			fprintf(out, "Authorization: Bearer %s\r\n", setup->token);
		if (put)
			fprintf(out, "Content-Type: application/json\r\nContent-Length: %zu\r\n",
				body_size);
		fprintf(out, "Connection: close\r\n\r\n");
	}
	fwrite(body, 1, body_size, out);
	free(body);
	return fclose(out) == 0 ? text : NULL;
}

static void on_closed(struct link *link, int status, const char *body, size_t size)
{
	struct attack *a = link->owner;
	(void)size;
	/* The reply of IMCS after its greeting. */
	const char *line = status ? NULL : strchr(body, '\n');
	if (line)
		sscanf(line, "%d", &status);
	for (int i = 0; i < ATTACK_ANSWERS; i++)
		if (!a->answers[i].count || a->answers[i].status == status) {
			a->answers[i].status = status;
			a->answers[i].count++;
			return;
		}
}

bool attack_init(struct attack *a, const char *name, const struct attack_setup *setup)
{
	*a = (struct attack){ .links = setup->links };
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			a->kind = &kinds[i];
	if (!a->kind)
		return false;
	a->rate = setup->rate > 0 ? setup->rate : a->kind->rate;
	for (int i = 0; i < 2; i++)
		a->texts[i] = make_request(a->kind, setup,
					   a->kind->put[i] ? a->kind->put[i] : a->kind->put[0],
					   &a->sizes[i]);
	for (int i = 0; i < ATTACK_LINKS; i++)
		a->link[i] = (struct link){
			.target = setup->target, .from = SOURCE, .owner = a, .closed = on_closed
		};
	return a->texts[0] && a->texts[1];
}

void attack_turn(struct attack *a, int64_t now_us)
{
	while (a->kind && a->next_us <= now_us) {
		const int turn = (int)((a->sent + a->unsent) % 2);
		struct link *free_link = NULL;
		for (int i = 0; i < ATTACK_LINKS && !free_link; i++)
			if (a->link[i].state == LINK_CLOSED)
				free_link = &a->link[i];
		if (free_link && link_request(a->links, free_link, a->texts[turn], a->sizes[turn]))
			a->sent++;
		else
			a->unsent++;
		a->next_us = (a->next_us ? a->next_us : now_us) + (int64_t)(1e6 / a->rate);
	}
}

void attack_release(struct attack *a)
{
	for (int i = 0; i < ATTACK_LINKS; i++) {
		a->link[i].closed = NULL;
		link_close(&a->link[i]);
	}
	free(a->texts[0]);
	free(a->texts[1]);
}
