/*
 * server_computers.c - computers that play on the server: they move when they are told to.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

#define PLAYS "/api/v1/plays"

/* The id of a new play. */
static const char *make(struct api_desk *d, const struct visitor *who, const char *body)
{
	return desk_text(desk_ask(d, who, "POST", PLAYS, body, 201), "id");
}

static json_t *post(struct api_desk *d, const struct visitor *who, const char *id,
		    const char *where, const char *body, int status)
{
	char path[128];
	snprintf(path, sizeof path, PLAYS "/%s/%s", id, where);
	return desk_ask(d, who, "POST", path, body, status);
}

static uint64_t follow(struct api_desk *d, const struct visitor *who, const char *id,
		       const char *query)
{
	char path[128];
	snprintf(path, sizeof path, PLAYS "/%s/events%s", id, query);
	const uint64_t call = desk_send(d, who, "GET", path, NULL);
	desk_wait(d, call, 1);
	return call;
}

static bool thinks(struct api_desk *d, const struct visitor *who, const char *id)
{
	char path[128];
	snprintf(path, sizeof path, PLAYS "/%s", id);
	return json_is_true(json_object_get(desk_ask(d, who, "GET", path, NULL, 200), "thinking"));
}

static const char slow_game[] =
	"{\"game\":\"chess\",\"seats\":[\"human\",\"alphabeta:depth=60,time=10s\"]}";
static const char first_move[] = "{\"move\":\"e2e4\"}", now[] = "{\"action\":\"move_now\"}";

/* The first search goes on while the second one, which began later, is cut short. */
static void test_computers__move_when_they_are_told_to(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *slow = make(&d, &a, slow_game), *id = make(&d, &b, slow_game);
	post(&d, &b, id, "actions", now, 409);
	post(&d, &a, slow, "moves", first_move, 200);
	post(&d, &b, id, "moves", first_move, 200);
	const uint64_t events = follow(&d, &b, id, "");
	assert_true(thinks(&d, &b, id));
	post(&d, &a, id, "actions", now, 403);
	post(&d, &b, id, "actions", now, 200);
	const json_t *last = desk_wait(&d, events, 2)->last->json;
	assert_int_equal(json_integer_value(json_object_get(json_object_get(last, "move"), "seat")),
			 2);
	assert_true(thinks(&d, &a, slow));
	post(&d, &b, id, "actions", now, 409);
	post(&d, &a, slow, "actions", "{\"action\":\"undo\"}", 200);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_computers__move_when_they_are_told_to),
	};
	return cmocka_run_group_tests_name("server_computers", tests, NULL, NULL);
}
