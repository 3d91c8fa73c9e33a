/*
 * server_resent.c - moves that are sent again because the response was lost: played once.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

static const char *make(struct api_desk *d, const struct visitor *who, const char *body)
{
	return desk_text(desk_ask(d, who, "POST", "/api/v1/plays", body, 201), "id");
}

/* Sends a move with a ply, or without one if that is negative. */
static const json_t *move(struct api_desk *d, const struct visitor *who, const char *id,
			  const char *move, int ply, int status)
{
	char path[128], body[128];
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", id);
	if (ply < 0)
		snprintf(body, sizeof body, "{\"move\":\"%s\"}", move);
	else
		snprintf(body, sizeof body, "{\"move\":\"%s\",\"ply\":%d}", move, ply);
	return desk_ask(d, who, "POST", path, body, status);
}

static size_t plies(struct api_desk *d, const struct visitor *who, const char *id)
{
	char path[128];
	snprintf(path, sizeof path, "/api/v1/plays/%s", id);
	return json_array_size(json_object_get(desk_ask(d, who, "GET", path, NULL, 200), "line"));
}

static void test_resent__a_move_is_played_once(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"chess\",\"seats\":[\"human\",\"open\"]}");
	char path[128];
	snprintf(path, sizeof path, "/api/v1/plays/%s/actions", id);
	desk_ask(&d, &b, "POST", path, "{\"action\":\"join\",\"seat\":2}", 200);
	move(&d, &a, id, "e2e4", 0, 200);
	/* Again, while it is the other's turn: the game as it is. In the short notation, too. */
	for (int i = 0; i < 3; i++) {
		const json_t *now = move(&d, &a, id, i == 2 ? "e4" : "e2e4", 0, 200);
		assert_string_equal(desk_text(now, "type"), "play");
		assert_int_equal(json_array_size(json_object_get(now, "line")), 1);
	}
	/* Also after the reply, which is then part of the response. */
	move(&d, &b, id, "e7e5", 1, 200);
	const json_t *now = move(&d, &a, id, "e2e4", 0, 200);
	assert_int_equal(json_array_size(json_object_get(now, "line")), 2);
	/* Another move, another player's, another ply, or without a ply: refused. */
	move(&d, &a, id, "d2d4", 0, 409);
	move(&d, &b, id, "e2e4", 0, 409);
	move(&d, &a, id, "e7e5", 1, 409);
	move(&d, &a, id, "e2e4", 1, 409);
	move(&d, &a, id, "d2d4", 3, 409);
	move(&d, &a, id, "d2d4", 2147483647, 409);
	move(&d, &a, id, "e2e4", -1, 409);
	assert_int_equal(plies(&d, &a, id), 2);
	/* A move with the present ply is judged as any other. */
	move(&d, &b, id, "d7d6", 2, 409);
	move(&d, &a, id, "e1e8", 2, 409);
	move(&d, &a, id, "d2d4", 2, 200);
	assert_int_equal(plies(&d, &a, id), 3);
	/* Strangers learn nothing but what everybody may see. */
	const struct visitor stranger = desk_visitor(&d);
	move(&d, &stranger, id, "e2e4", 0, 409);
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", id);
	desk_ask(&d, &a, "POST", path, "{\"move\":\"e2e4\",\"ply\":-1}", 400);
	desk_ask(&d, &a, "POST", path, "{\"move\":\"e2e4\",\"ply\":\"0\"}", 400);
	desk_ask(&d, &a, "POST", path, "{\"ply\":3}", 400);
	desk_ask(&d, &a, "POST", path, "{\"ply\":1}", 409);
	move(&d, &a, "none-such", "e2e4", 0, 404);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The acknowledged move is on disk: sent again to a server that has started since, too. */
static void test_resent__after_a_restart(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}");
	move(&d, &a, id, "5", 0, 200);
	desk_reopen(&d);
	move(&d, &a, id, "5", 0, 200);
	assert_int_equal(plies(&d, &a, id), 1);
	move(&d, &a, id, "1", 1, 200);
	assert_int_equal(plies(&d, &a, id), 2);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resent__a_move_is_played_once),
		cmocka_unit_test(test_resent__after_a_restart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
