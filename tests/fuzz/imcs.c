/*
 * imcs.c - fuzz target: guests of an IMCS server.
 * SPDX-License-Identifier: MIT
 *
 * The first byte of a line says what happens: a to d send the rest of the line with its end, A to D
 * without; "+a" connects, "-a" sends no more, "!a" is gone, "t500" is half a second later, "f" lets
 * nobody register, "k" turns the coin, "h" makes hashes wait, "H" no more. A text that begins with
 * "s" has other servers: "o" is an offer of one of them, "x" a database that fails, "m" lets guests
 * who are away send more, "r" is a move that they read from there, "R" the end of their game, "X"
 * that of the other server; "1" to "9" is the only game that this server has not lost. At the end
 * the server closes, and nobody is left.
 */
#include "fuzz/fuzz.h"

#include "support/imcs_hall.h"

enum { GUESTS = 4, MOST_CONNECTIONS = 64, MOST_LINES = 400 };

struct party {
	struct hall *hall;
	struct guest *guests[GUESTS]; /* the newest in each place */
	bool shared;		      /* with other servers */
};

/* What is heard is lines, whole ones. */
static void check_heard(struct guest *g)
{
	fuzz_require(!g->heard.length || g->heard.data[g->heard.length - 1] == '\n');
	for (size_t i = 0; i < g->heard.length; i++)
		fuzz_require(g->heard.data[i] != '\0');
	g->heard.length = 0;
}

static void check_all(struct hall *h)
{
	for (int i = 0; i < h->count; i++)
		check_heard(&h->guests[i]);
}

static struct guest *guest_at(const struct party *p, char letter)
{
	const int at = (letter | 32) - 'a';
	struct guest *g = at >= 0 && at < GUESTS ? p->guests[at] : NULL;
	return g && g->peer ? g : NULL;
}

static void arrive(struct party *p, char letter)
{
	const int at = letter - 'a';
	if (at >= 0 && at < GUESTS && !guest_at(p, letter) && p->hall->count < MOST_CONNECTIONS)
		p->guests[at] = hall_connect(p->hall, "");
}

static void pass_time(struct hall *h, const char *digits)
{
	int64_t ms;
	if (!text_to_int(digits, 0, 10000000, &ms))
		return;
	h->now += ms;
	imcs_tick(h->server, h->now);
	fuzz_require(imcs_due(h->server) < 0 || imcs_games(h->server) > 0);
}

/* What other servers do; false: something else. */
static bool happen_elsewhere(struct hall *h, char what)
{
	const int64_t own = what - '0';
	if (what == 'o')
		h->elsewhere = !h->elsewhere;
	else if (what == 'x')
		h->failing = !h->failing;
	else if (what >= '1' && what <= '9')
		imcs_keep_only(h->server, &own, 1, h->now);
	else if (!what || !strchr("mrRX", what))
		return false;
	for (int i = 0; i < h->count; i++) {
		struct guest *g = &h->guests[i];
		if (!g->peer || !g->away)
			continue;
		if (what == 'm')
			imcs_more(h->server, g->peer, h->now);
		else if (what == 'r' || what == 'R')
			imcs_relay(h->server, g->peer, "! a2-a3\r\n", 9, what == 'R', h->now);
		else if (what == 'X')
			imcs_break_off(h->server, g->peer, h->now);
	}
	return true;
}

static void happen(struct party *p, char *line, size_t length)
{
	struct hall *h = p->hall;
	struct guest *g = length > 1 && strchr("-!", *line) && *line ? guest_at(p, line[1]) : NULL;
	if (p->shared && happen_elsewhere(h, *line)) {
		check_all(h);
		return;
	}
	switch (*line) {
	case '+':
		arrive(p, length > 1 ? line[1] : 0);
		break;
	case '-':
		if (g)
			imcs_end(h->server, g->peer, h->now);
		break;
	case '!':
		if (g)
			imcs_gone(h->server, g->peer, h->now);
		break;
	case 't':
		pass_time(h, line + 1);
		break;
	case 'f':
		h->full = true;
		break;
	case 'k':
		h->coin = !h->coin;
		break;
	case 'h':
		h->slow = true;
		break;
	case 'H':
		h->slow = false;
		hall_hashes(h);
		break;
	default:
		g = length ? guest_at(p, *line) : NULL;
		if (!g)
			break;
		line[length] = '\n';
		hall_say(h, g, line + 1, *line >= 'a' ? length : length - 1);
	}
	check_all(h);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct party party = { .shared = size && *text == 's' };
	party.hall = hall_new_with(fuzz_context(), 1, party.shared);
	int lines = 0;
	hall_account(party.hall, "ann", 1000);
	hall_account(party.hall, "bob", 1100);
	hall_account(party.hall, "admin", 900);
	for (size_t at = 0; at < size && lines < MOST_LINES; lines++) {
		const char *end = memchr(text + at, '\n', size - at);
		const size_t length = end ? (size_t)(end - text) - at : size - at;
		happen(&party, text + at, length);
		at += length + 1;
	}
	imcs_shut(party.hall->server, party.hall->now);
	fuzz_require(imcs_games(party.hall->server) == 0);
	for (int i = 0; i < party.hall->count; i++)
		fuzz_require(!party.hall->guests[i].peer);
	fuzz_require(party.hall->begun == party.hall->ended);
	hall_free(party.hall);
	free(text);
	return 0;
}
