/*
 * imcs_client.c - fuzz target: lines of a server to an IMCS client.
 * SPDX-License-Identifier: MIT
 *
 * The first line says what it wants: o (offer), a (accept any), i (accept 7), l (list), each after
 * r if it registers. Where it is asked for a move it plays the last legal one that was not refused.
 */
#include "fuzz/fuzz.h"

#include "imcs/client.h"
#include "base/lines.h"

enum { MOST_TURNS = 200 };

static qv_move choose(const struct imcs_client *c)
{
	qv_move moves[QV_MAX_MOVES];
	int count = c->rules.game->moves(qv_record_state(c->record), moves);
	fuzz_require(count > 0);
	while (count > 0) {
		bool refused = false;
		for (int i = 0; i < c->refused_count; i++)
			refused |= c->refused[i] == moves[count - 1];
		if (!refused)
			return moves[count - 1];
		count--;
	}
	return QV_NO_MOVE;
}

static void check(const struct imcs_client *c, const struct string *out)
{
	for (const char *at = c->text; *at; at++)
		fuzz_require(*at >= ' ' && *at <= '~');
	fuzz_require(!out->length || out->data[out->length - 1] == '\n');
	fuzz_require(!c->playing || c->record);
}

/* False: it is over. */
static bool hear(struct imcs_client *c, enum client_said said, struct string *out, int *turns)
{
	struct qv_error error;
	if (said == CLIENT_TURN) {
		fuzz_require(imcs_client_time(c) > 0);
		fuzz_require(imcs_client_move(c, choose(c), 0.1, out, &error) == QV_OK);
		++*turns;
	}
	if (said == CLIENT_WAIT)
		imcs_client_again(c, out);
	check(c, out);
	out->length = 0;
	return said != CLIENT_OVER && said != CLIENT_REFUSED && *turns < MOST_TURNS;
}

static void converse(struct imcs_client *c, char *text, size_t size)
{
	struct string out = { .allocator = &mem_malloc };
	int turns = 0;
	bool on = true;
	for (size_t at = 0; on && at < size;) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length = end ? (size_t)(end - text) - at : size - at;
		const size_t next = at + length + 1;
		if (length && text[at + length - 1] == '\r')
			length--;
		text[at + length] = '\0';
		on = hear(c, imcs_client_line(c, text + at, length, &out), &out, &turns);
		at = next;
	}
	if (turns < MOST_TURNS) {
		const enum client_said said = imcs_client_end(c);
		fuzz_require(said == CLIENT_OVER || said == CLIENT_REFUSED);
		check(c, &out);
	}
	string_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = fuzz_next_line(text);
	const char *wish = text;
	struct imcs_client_setup setup = { .context = fuzz_games(),
					   .user = "ann",
					   .password = "pw",
					   .color = '?',
					   .wish = CLIENT_OFFER };
	struct imcs_client client;
	if (*wish == 'r') {
		setup.enroll = true;
		wish++;
	}
	if (*wish == 'a' || *wish == 'i') {
		setup.wish = CLIENT_ACCEPT;
		setup.id = *wish == 'i' ? 7 : 0;
		setup.color = wish[1] == 'W' ? 'W' : '?';
	} else if (*wish == 'l') {
		setup.wish = CLIENT_LIST;
	} else if (wish[0] == 'o' && wish[1] == 't') {
		setup.times = "60 30";
	}
	fuzz_require(imcs_client_init(&client, &setup, NULL) == QV_OK);
	converse(&client, rest, size - (size_t)(rest - text));
	imcs_client_release(&client);
	free(text);
	return 0;
}
