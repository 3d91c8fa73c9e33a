/*
 * server_api_load.c - the web interface and those who ask much of it: long plays, many followers.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

#include <stdatomic.h>

#define PLAYS "/api/v1/plays"

static struct visitor visitor_at(struct api_desk *d, const char *address)
{
	struct visitor who = desk_visitor(d);
	snprintf(who.address, sizeof who.address, "%s", address);
	return who;
}

/* ---- Many followers ---- */

static atomic_long allocations;

static void *count_and_allocate(size_t size)
{
	atomic_fetch_add(&allocations, 1);
	return malloc(size);
}

/* The JSON that one note costs, but for what the desk itself reads of the answers. */
static long cost_of_note(struct api_desk *d, const struct visitor *who, const char *id,
			 const uint64_t *streams, int followers)
{
	const long before = atomic_load(&allocations);
	desk_ask(d, who, "POST", play_path(id, "/actions"), "{\"action\":\"note\",\"text\":\"x\"}",
		 200);
	for (int i = 0; i < followers; i++)
		desk_wait(d, streams[i], d->call[streams[i]].count ? 2 : 1);
	const long all = atomic_load(&allocations) - before;
	json_t *read = json_loads(d->call[streams[0]].last->text, 0, NULL);
	const long of_one = atomic_load(&allocations) - before - all;
	json_decref(read);
	return all - followers * of_one;
}

/* What a note costs in a game of so many moves, without reading the answer to it. */
static long cost_after(int moves)
{
	enum { FOLLOWERS = 3 };
	struct api_desk d;
	uint64_t streams[FOLLOWERS];
	json_t *list = json_array(), *body = json_pack("{s:s, s:o}", "game", "starchess", "moves", list);
	for (int i = 0; i < moves; i++)
		json_array_append_new(list, json_string("end"));
	char *text = json_dumps(body, 0);
	desk_open(&d, 1, 100);
	json_decref(d.openapi);
	d.openapi = NULL;
	const struct visitor a = desk_visitor(&d);
	const char *id = desk_text(desk_ask(&d, &a, "POST", PLAYS, text, 201), "id");
	for (int i = 0; i < FOLLOWERS; i++) {
		const struct visitor stranger = desk_visitor(&d);
		streams[i] = desk_send(&d, i ? &stranger : &a, "GET", play_path(id, "/events"), NULL);
		desk_wait(&d, streams[i], 1);
	}
	const long cost = cost_of_note(&d, &a, id, streams, FOLLOWERS);
	const long before = atomic_load(&allocations);
	json_decref(json_loads(d.call[streams[0]].last->text, 0, NULL));
	const long reading = atomic_load(&allocations) - before;
	json_decref(body);
	free(text);
	desk_close(&d);
	return cost - reading;
}

/* Line and tree of a long game are texts: no JSON is built for each of its moves. */
static void test_followers__a_message_is_not_built_move_by_move(void **state)
{
	(void)state;
	json_set_alloc_funcs(count_and_allocate, free);
	const long brief = cost_after(10), lengthy = cost_after(500);
	json_set_alloc_funcs(malloc, free);
	assert_in_range(brief, 1, 100000);
	assert_in_range(lengthy, 1, brief + 500);
}

static long cost_with(int followers)
{
	struct api_desk d;
	uint64_t streams[64];
	desk_open(&d, 1, 100);
	json_decref(d.openapi);
	d.openapi = NULL;          /* it would count too */
	const struct visitor a = desk_visitor(&d);
	const json_t *made =
		desk_ask(&d, &a, "POST", PLAYS,
			 "{\"game\":\"reversi\",\"seats\":[\"human\",\"human\"]}", 201);
	const char *id = desk_text(made, "id");
	for (int i = 0; i < followers; i++) {
		const struct visitor stranger = desk_visitor(&d);
		streams[i] = desk_send(&d, &stranger, "GET", play_path(id, "/events"), NULL);
		desk_wait(&d, streams[i], 1);
	}
	const long cost = cost_of_note(&d, &a, id, streams, followers);
	desk_close(&d);
	return cost;
}

static void test_followers__the_play_is_written_once_for_all_strangers(void **state)
{
	(void)state;
	json_set_alloc_funcs(count_and_allocate, free);
	const long few = cost_with(2), many = cost_with(40);
	json_set_alloc_funcs(malloc, free);
	assert_in_range(few, 100, 1000000);
	assert_in_range(many, 100, few + few / 2);
}

static bool says_you(const struct api_desk *d, uint64_t stream, size_t seat)
{
	const json_t *seats = json_object_get(d->call[stream].last->json, "seats");
	return json_is_true(json_object_get(json_array_get(seats, seat), "you"));
}

static void test_followers__each_sees_its_own_seat(void **state)
{
	enum { OWNER, OTHER, LOOKS_ON, ALSO, COUNT };
	struct api_desk d;
	struct visitor who[COUNT];
	uint64_t streams[COUNT];
	(void)state;
	desk_open(&d, 1, 100);
	for (int i = 0; i < COUNT; i++)
		who[i] = desk_visitor(&d);
	const char *id = desk_text(
		desk_ask(&d, &who[OWNER], "POST", PLAYS,
			 "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}", 201),
		"id");
	for (int i = 0; i < COUNT; i++) {
		streams[i] = desk_send(&d, &who[i], "GET", play_path(id, "/events"), NULL);
		desk_wait(&d, streams[i], 1);
	}
	desk_ask(&d, &who[OTHER], "POST", play_path(id, "/actions"), "{\"action\":\"join\"}", 200);
	for (int i = 0; i < COUNT; i++) {
		desk_wait(&d, streams[i], 2);
		const json_t *owner = json_object_get(d.call[streams[i]].last->json, "owner");
		assert_int_equal(json_is_true(owner), i == OWNER);
		assert_int_equal(says_you(&d, streams[i], 0), i == OWNER);
		assert_int_equal(says_you(&d, streams[i], 1), i == OTHER);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Long plays ---- */

/* How often one may look at it in one moment. */
static int count_looks(struct api_desk *d, const struct visitor *who, const char *id)
{
	int count = 0;
	while (count < 1000) {
		const uint64_t call = desk_send(d, who, "GET", play_path(id, ""), NULL);
		if (desk_wait(d, call, 1)->last->status != 200)
			break;
		count++;
	}
	return count;
}

static const char *make_long(struct api_desk *d, const struct visitor *who, int pairs)
{
	static const char pair[] = "{\"move\":\"5\",\"seat\":1}\n{\"undo\":1}\n";
	const size_t size = 200 + (size_t)pairs * sizeof pair;
	char *record = malloc(size);
	assert_non_null(record);
	strcpy(record, "{\"quevedo\":1,\"game\":\"noughts\",\"position\":\"start\","
		       "\"seats\":[\"human\",\"human\"]}\n");
	for (char *end = record + strlen(record); pairs > 0; pairs--, end += sizeof pair - 1)
		memcpy(end, pair, sizeof pair);
	json_t *body = json_pack("{s:s, s:[s, s]}", "record", record, "seats", "human", "human");
	char *text = json_dumps(body, 0);
	const char *id = desk_text(desk_ask(d, who, "POST", PLAYS, text, 201), "id");
	json_decref(body);
	free(text);
	free(record);
	return id;
}

static void test_limits__a_long_play_counts_as_several_requests(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 1);
	d.frozen = true;
	d.now = 1000000;
	const struct visitor maker = visitor_at(&d, "10.0.0.1"), a = visitor_at(&d, "10.0.0.2"),
			     b = visitor_at(&d, "10.0.0.3");
	const char *brief = make_long(&d, &maker, 10), *lengthy = make_long(&d, &maker, 2500);
	const int often = count_looks(&d, &a, brief), seldom = count_looks(&d, &b, lengthy);
	assert_in_range(often, 20, 999);
	assert_in_range(seldom, 1, often / 5);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Matches ---- */

static void play_match(const struct api_desk *d, int games)
{
	char path[128], command[600];
	snprintf(path, sizeof path, "%s/matches", d->folder);
	mkdir(path, 0700);
	snprintf(command, sizeof command,
		 "%s match noughts --player a=random --player b=random --games %d --journal "
		 "%s/small >/dev/null 2>&1",
		 QUEVEDO, games, path);
	assert_int_equal(system(command), 0);
}

static json_int_t jobs(struct api_desk *d, const struct visitor *who)
{
	const json_t *health = desk_ask(d, who, "GET", "/api/v1/health", NULL, 200);
	return json_integer_value(json_object_get(health, "queue"));
}

static json_int_t games_seen(const struct api_desk *d, uint64_t stream)
{
	return json_integer_value(json_object_get(d->call[stream].last->json, "games"));
}

static void test_matches__are_read_once_for_all_who_follow(void **state)
{
	enum { FOLLOWERS = 12 };
	struct api_desk d;
	uint64_t streams[FOLLOWERS];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	play_match(&d, 4);
	for (int i = 0; i < FOLLOWERS; i++) {
		const struct visitor who = desk_visitor(&d);
		streams[i] = desk_send(&d, &who, "GET", "/api/v1/matches/small/events", NULL);
	}
	assert_in_range(jobs(&d, &a), 0, 1);
	for (int i = 0; i < FOLLOWERS; i++) {
		desk_wait(&d, streams[i], 1);
		assert_int_equal(games_seen(&d, streams[i]), 4);
	}
	/* The one that reads goes, and the others still hear of what is new. */
	api_cancel(d.api, streams[0]);
	char path[128];
	snprintf(path, sizeof path, "%s/matches/small", d.folder);
	assert_int_equal(unlink(path), 0);
	play_match(&d, 6);
	d.skew += 2000;
	for (int i = 1; i < FOLLOWERS; i++) {
		desk_wait(&d, streams[i], 2);
		assert_int_equal(games_seen(&d, streams[i]), 6);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_followers__the_play_is_written_once_for_all_strangers),
		cmocka_unit_test(test_followers__a_message_is_not_built_move_by_move),
		cmocka_unit_test(test_followers__each_sees_its_own_seat),
		cmocka_unit_test(test_limits__a_long_play_counts_as_several_requests),
		cmocka_unit_test(test_matches__are_read_once_for_all_who_follow),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
