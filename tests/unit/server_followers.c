/*
 * server_followers.c - those who follow a game at another server than its own: what passes between
 * the servers, however many they are and however large the game is.
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>

#include "server/api/inside.h"
#include "support/pair.h"

#define PLAYS "/api/v1/plays"
#define GUEST(number) ((uint64_t)1 << 62 | (number)) /* a call of another server */

static const char two_people[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";

enum { NOTE = 2000, RECORD = 512 << 10 }; /* the longest note; the largest record that is taken */

/* A game of noughts with a record of up to so many bytes: notes of quotes, four for each node. */
static const char *large_game(struct pair *p, const struct visitor *who, size_t bytes)
{
	struct string record = { .allocator = &mem_malloc };
	char note[2 * NOTE + 1];
	for (int i = 0; i < 2 * NOTE; i++)
		note[i] = i % 2 ? '"' : '\\';
	note[2 * NOTE] = '\0';
	string_addf(&record, "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\",\"seats\":[]}\n");
	for (int i = 0; i < 72; i++) {
		const int a = 1 + i % 9, b = 1 + (a + i / 9 % 8) % 9;
		if (record.length + 4 * sizeof note + 200 > bytes)
			break;
		string_addf(&record, "{\"move\":\"%d\",\"seat\":1}\n{\"move\":\"%d\",\"seat\":2}\n", a, b);
		for (int n = 0; n < 4; n++)
			string_addf(&record, "{\"note\":\"%s\"}\n", note);
		string_addf(&record, "{\"undo\":2}\n");
	}
	while (record.length + sizeof note + 20 < bytes)
		string_addf(&record, "{\"note\":\"%s\"}\n", note);
	json_t *body = json_pack("{s:s}", "record", record.data);
	char *text = json_dumps(body, 0);
	const char *id = desk_text(pair_ask(p, 0, who, PLAYS, text, 201), "id");
	free(text);
	json_decref(body);
	string_release(&record);
	return id;
}

/* The bytes of a text within JSON. */
static size_t json_size(const char *text)
{
	json_t *string = json_string(text);
	char *json = json_dumps(string, JSON_ENCODE_ANY);
	const size_t size = strlen(json);
	free(json);
	json_decref(string);
	return size;
}

/* Letters for the second server that have responses. */
static int count_letters(const struct pair *p)
{
	int count = 0;
	for (const struct mail *mail = p->first; mail; mail = mail->next)
		count += mail->to == 1 && strstr(mail->text, "\"reply\":");
	return count;
}

/* What the first server has done by itself. */
static void step_owner(struct pair *p)
{
	for (int i = 0; i < 3; i++) {
		desk_step(&p->desk[0]);
		api_turn(p->desk[0].api);
	}
}

/* ---- Many ---- */

static void test_followers__share_the_messages_to_their_server(void **state)
{
	enum { MANY = 50 };
	static struct pair p;
	uint64_t far[MANY];
	int had[MANY];
	(void)state;
	pair_set_up_with(&p, 100, LEASE_MS, true);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = desk_text(pair_ask(&p, 0, &a, PLAYS, two_people, 201), "id");
	for (int i = 0; i < MANY; i++) {
		const struct visitor who = i ? desk_visitor(&p.desk[1]) : a;
		far[i] = pair_send(&p, 1, &who, play_path(id, "/events"), NULL);
		pair_wait(&p, 1, far[i], 1);
	}
	p.desk[0].skew += 1100; /* who is there is told once a second */
	pair_turn_for(&p, 20);
	for (int i = 0; i < NODES; i++) {
		p.desk[i].now = desk_now(&p.desk[i]);
		p.desk[i].frozen = true;
	}
	static const struct {
		const char *path, *body;
		int letters;
	} commands[] = {
		{ "/moves", "{\"move\":\"5\"}", 1 },
		{ "/moves", "{\"move\":\"1\"}", 1 },
		{ "/actions", "{\"action\":\"undo\"}", 2 }, /* the player's tells which seats are theirs */
	};
	for (int c = 0; c < 3; c++) {
		for (int i = 0; i < MANY; i++)
			had[i] = p.desk[1].call[far[i]].count;
		pair_send(&p, 0, &a, play_path(id, commands[c].path), commands[c].body);
		step_owner(&p);
		assert_int_equal(count_letters(&p), commands[c].letters);
		pair_deliver(&p);
		for (int i = 0; i < MANY; i++) {
			assert_int_equal(p.desk[1].call[far[i]].count, had[i] + 1);
			assert_false(p.desk[1].call[far[i]].ended);
		}
	}
	/* A stream gets several messages of one turn in their order. */
	pair_send(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"3\"}");
	pair_send(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"4\"}");
	step_owner(&p);
	assert_int_equal(count_letters(&p), 2);
	pair_deliver(&p);
	for (int i = 0; i < MANY; i++) {
		const struct desk_call *call = &p.desk[1].call[far[i]];
		assert_int_equal(call->count, had[i] + 3);
		assert_string_equal(call->last->text, p.desk[1].call[far[0]].last->text);
	}
	/* So do their ends. */
	room_break(p.desk[0].api, room_at(p.desk[0].api, id));
	step_owner(&p);
	assert_int_equal(count_letters(&p), 1);
	pair_deliver(&p);
	for (int i = 0; i < MANY; i++)
		assert_true(p.desk[1].call[far[i]].ended);
	pair_tear_down(&p);
}

/* The store writes nothing meanwhile: what is told piles up in its queue. */
static void test_followers__displace_no_move(void **state)
{
	enum { MANY = 400 };
	static struct pair p;
	char ask[400];
	(void)state;
	pair_set_up_with(&p, 100, LEASE_MS, true);
	struct api_desk *d = &p.desk[0];
	api_close(p.desk[1].api);
	p.desk[1].api = NULL;
	d->cluster.send = NULL; /* to nobody, through the store */
	desk_reopen(d);
	d->now = desk_now(d);
	d->frozen = true;
	const struct visitor a = desk_visitor(d), b = desk_visitor(d);
	const char *id = large_game(&p, &a, RECORD);
	const char *other = desk_text(pair_ask(&p, 0, &b, PLAYS, two_people, 201), "id");
	for (int i = 1; i <= MANY; i++) {
		snprintf(ask, sizeof ask,
			 "{\"ask\":%d,\"hops\":1,\"post\":false,\"path\":\"%s\",\"query\":\"\","
			 "\"user\":\"follower%d\",\"play\":\"\",\"address\":\"10.0.%d.%d\",\"issuer\":"
			 "\"\",\"program\":false,\"from\":\"two\"}",
			 i, play_path(id, "/events"), i, i / 200, i % 200);
		api_hear(d->api, ask);
		api_turn(d->api);
	}
	const json_t *health = pair_ask(&p, 0, &b, "/api/v1/health", NULL, 200);
	const json_int_t watchers = json_integer_value(json_object_get(health, "watchers"));
	assert_in_range(watchers, 10, MANY - 1); /* the others were refused */
	const uint64_t move = pair_send(&p, 0, &b, play_path(other, "/moves"), "{\"move\":\"5\"}");
	assert_int_equal(pair_wait(&p, 0, move, 1)->status, 200);
	assert_string_equal(d->fault, "");
	pair_tear_down(&p);
}

/* Those of games of other servers count where the visitor is connected. */
static void test_followers__have_a_limit_over_all_servers(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	struct visitor seat = desk_visitor(&p.desk[0]);
	const char *id = desk_text(pair_ask(&p, 0, &a, PLAYS, two_people, 201), "id");
	uint64_t call = 0;
	for (int i = 0; i < STREAMS_MOST; i++) {
		const char *path = i % 2 ? "/api/v1/lobby/events" : play_path(id, "/events");
		call = pair_send(&p, 1, &a, path, NULL);
		assert_int_equal(pair_wait(&p, 1, call, 1)->status, 200);
	}
	pair_ask(&p, 1, &a, "/api/v1/lobby/events", NULL, 429);
	pair_ask(&p, 1, &a, play_path(id, "/events"), NULL, 429);
	api_cancel(p.desk[1].api, call);
	call = pair_send(&p, 1, &a, "/api/v1/lobby/events", NULL);
	assert_int_equal(pair_wait(&p, 1, call, 1)->status, 200);
	/* A token for a seat of another game gives no rights in this one, but counts. */
	snprintf(seat.play, sizeof seat.play, "Aanother12345678");
	for (int i = 0; i < STREAMS_MOST; i++) {
		call = pair_send(&p, 0, &seat, play_path(id, "/events"), NULL);
		assert_int_equal(pair_wait(&p, 0, call, 1)->status, 200);
	}
	pair_ask(&p, 0, &seat, play_path(id, "/events"), NULL, 429);
	pair_tear_down(&p);
}

/* ---- Large ---- */

static const struct desk_answer *get_record(struct pair *p, int at, const struct visitor *who,
					    const char *id)
{
	return pair_wait(p, at, pair_send(p, at, who, play_path(id, "/record"), NULL), 1);
}

static void test_followers__get_a_large_game(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = large_game(&p, &a, RECORD);
	for (int i = 0; i < 60; i++) {
		p.desk[0].skew += 200; /* two moves */
		pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
		pair_ask(&p, 0, &a, play_path(id, "/actions"), "{\"action\":\"undo\"}", 200);
	}
	const char *near = get_record(&p, 0, &a, id)->text;
	assert_true(json_size(near) > 1 << 20);
	const struct desk_answer *there = get_record(&p, 1, &a, id);
	assert_int_equal(there->status, 200);
	assert_string_equal(there->text, near);
	pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200);
	const uint64_t far = pair_send(&p, 1, &a, play_path(id, "/events"), NULL);
	assert_int_equal(pair_wait(&p, 1, far, 1)->status, 200);
	pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	pair_wait(&p, 1, far, 2);
	assert_false(p.desk[1].call[far].ended);
	pair_tear_down(&p);
}

/* No game is as large as that. */
static void test_followers__learn_that_a_message_is_too_large(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up_with(&p, 100, LEASE_MS, true);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = desk_text(pair_ask(&p, 0, &a, PLAYS, two_people, 201), "id");
	char *text = malloc(STORE_TELL_MOST + 1);
	memset(text, 'x', STORE_TELL_MOST);
	text[STORE_TELL_MOST] = '\0';
	struct api_response large = { .call = GUEST(1),
				      .status = 200,
				      .type = "application/x-ndjson",
				      .text = text,
				      .size = STORE_TELL_MOST,
				      .stream = true };
	/* A stream that has begun ends. */
	const uint64_t far = pair_send(&p, 1, &a, play_path(id, "/events"), NULL);
	pair_wait(&p, 1, far, 1);
	api_respond(p.desk[0].api, &large);
	pair_wait(&p, 1, far, INT_MAX);
	assert_true(p.desk[1].call[far].ended);
	assert_string_equal(p.desk[1].call[far].last->text, "");
	/* What waits for its first message gets an error, and nothing more. */
	const uint64_t list = pair_send(&p, 1, &a, play_path(id, ""), NULL);
	while (!p.first) {
		desk_step(&p.desk[1]);
		api_turn(p.desk[1].api);
	}
	char ask[400];
	snprintf(ask, sizeof ask, "%s", p.first->text);
	json_t *changed = json_loads(ask, 0, NULL);
	json_object_set_new(changed, "path", json_string("/api/v1/me/games")); /* it waits for rows */
	char *waits = json_dumps(changed, 0);
	free(p.first->text);
	p.first->text = waits;
	json_decref(changed);
	pair_deliver(&p);
	large.call = GUEST(2);
	api_respond(p.desk[0].api, &large);
	assert_int_equal(pair_wait(&p, 1, list, 1)->status, 500);
	pair_turn_for(&p, 20);
	assert_int_equal(p.desk[1].call[list].count, 1);
	free(text);
	pair_tear_down(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_followers__share_the_messages_to_their_server),
		cmocka_unit_test(test_followers__displace_no_move),
		cmocka_unit_test(test_followers__have_a_limit_over_all_servers),
		cmocka_unit_test(test_followers__learn_that_a_message_is_too_large),
	};
	/* Through the database. */
	const struct CMUnitTest shared[] = {
		cmocka_unit_test(test_followers__get_a_large_game),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, shared);
}
