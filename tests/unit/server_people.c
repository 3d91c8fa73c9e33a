/*
 * server_people.c - people who play each other: lists, spectators, phrases, players who leave.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

#define PLAYS "/api/v1/plays"

static const char open_game[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";
static const char join[] = "{\"action\":\"join\",\"name\":\"Bea\"}";

struct table {
	struct api_desk d;
	struct visitor a, b, c;
	char id[64];
};

static const char *path_of(const struct table *t, const char *rest)
{
	static char path[128];
	snprintf(path, sizeof path, PLAYS "/%s%s", t->id, rest);
	return path;
}

static json_t *post(struct table *t, const struct visitor *who, const char *rest, const char *body,
		    int status)
{
	return desk_ask(&t->d, who, "POST", path_of(t, rest), body, status);
}

static uint64_t follow(struct table *t, const struct visitor *who)
{
	const uint64_t call = desk_send(&t->d, who, "GET", path_of(t, "/events?people=1"), NULL);
	desk_wait(&t->d, call, 1);
	return call;
}

static void open_table(struct table *t, const char *game)
{
	desk_open(&t->d, 1, 100);
	t->a = desk_visitor(&t->d);
	t->b = desk_visitor(&t->d);
	t->c = desk_visitor(&t->d);
	const json_t *made = desk_ask(&t->d, &t->a, "POST", PLAYS, game, 201);
	snprintf(t->id, sizeof t->id, "%s", desk_text(made, "id"));
}

static void close_table(struct table *t)
{
	assert_string_equal(t->d.fault, "");
	desk_close(&t->d);
}

static const json_t *listed(struct table *t, const struct visitor *who)
{
	const json_t *me = desk_ask(&t->d, who, "GET", "/api/v1/me", NULL, 200);
	return json_array_get(json_object_get(me, "plays"), 0);
}

static int number(const json_t *object, const char *key)
{
	assert_true(json_is_integer(json_object_get(object, key)));
	return (int)json_integer_value(json_object_get(object, key));
}

static bool is_true(const json_t *object, const char *key)
{
	return json_is_true(json_object_get(object, key));
}

static void test_people__lists_say_whose_turn_it_is(void **state)
{
	struct table t;
	(void)state;
	open_table(&t, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"],\"clock\":\"5m\"}");
	assert_int_equal(number(listed(&t, &t.a), "turn"), 0);
	assert_false(is_true(listed(&t, &t.a), "your_turn"));
	post(&t, &t.b, "/actions", join, 200);
	assert_true(is_true(listed(&t, &t.a), "your_turn"));
	assert_false(is_true(listed(&t, &t.b), "your_turn"));
	post(&t, &t.a, "/moves", "{\"move\":\"5\"}", 200);
	assert_false(is_true(listed(&t, &t.a), "your_turn"));
	assert_true(is_true(listed(&t, &t.b), "your_turn"));
	assert_int_equal(number(listed(&t, &t.b), "turn"), 2);
	assert_in_range(number(listed(&t, &t.b), "left"), 290000, 300000);
	/* It is the same after a restart. */
	desk_reopen(&t.d);
	assert_true(is_true(listed(&t, &t.b), "your_turn"));
	close_table(&t);
}

/* Neither players nor a second tab count. */
static void test_people__spectators_are_counted_without_players(void **state)
{
	struct table t;
	(void)state;
	open_table(&t, open_game);
	post(&t, &t.b, "/actions", join, 200);
	const uint64_t first = follow(&t, &t.a);
	follow(&t, &t.a);
	follow(&t, &t.b);
	assert_int_equal(number(listed(&t, &t.a), "watchers"), 0);
	follow(&t, &t.c);
	const uint64_t twice = follow(&t, &t.c);
	assert_int_equal(number(listed(&t, &t.a), "watchers"), 1);
	t.d.skew += 2000;
	desk_turn(&t.d, 5);
	const json_t *said = t.d.call[first].last->json;
	assert_int_equal(number(said, "watchers"), 1);
	api_cancel(t.d.api, twice);
	assert_int_equal(number(listed(&t, &t.a), "watchers"), 1);
	close_table(&t);
}

static void test_people__phrases_are_for_players_and_limited(void **state)
{
	struct table t;
	(void)state;
	open_table(&t, open_game);
	t.d.now = desk_now(&t.d);
	t.d.frozen = true;
	static const char hello[] = "{\"phrase\":\"hello\"}";
	post(&t, &t.a, "/phrases", hello, 409); /* nobody is there */
	post(&t, &t.b, "/actions", join, 200);
	post(&t, &t.c, "/phrases", hello, 403);
	post(&t, &t.a, "/phrases", "{\"phrase\":\"you fool\"}", 400);
	post(&t, &t.a, "/phrases", "{\"phrase\":7}", 400);
	post(&t, &t.a, "/phrases", "{\"phrase\":\"hello\",\"text\":\"x\"}", 400);
	const uint64_t watch = follow(&t, &t.b);
	const uint64_t plain = desk_send(&t.d, &t.b, "GET", path_of(&t, "/events"), NULL);
	assert_int_equal(number(post(&t, &t.a, "/phrases", hello, 200), "seat"), 1);
	const struct desk_call *heard = desk_wait(&t.d, watch, 2);
	assert_string_equal(desk_text(heard->last->json, "type"), "phrase");
	assert_string_equal(desk_text(heard->last->json, "phrase"), "hello");
	desk_turn(&t.d, 2);
	assert_int_equal(t.d.call[plain].count, 1); /* who does not want phrases gets none */
	/* A flood is refused, and passes. */
	for (int i = 0; i < 3; i++)
		post(&t, &t.a, "/phrases", "{\"phrase\":\"thanks\"}", 200);
	post(&t, &t.a, "/phrases", hello, 429);
	post(&t, &t.b, "/phrases", "{\"phrase\":\"good_luck\"}", 200);
	for (int i = 0; i < 20; i++) {
		t.d.now += 10000;
		post(&t, &t.a, "/phrases", hello, 200);
	}
	/* The newest are there for those who come later; their numbers grow. */
	const struct desk_call *late = &t.d.call[follow(&t, &t.c)];
	int last = 0, phrases = 0;
	for (const struct desk_answer *a = late->first->next; a; a = a->next)
		if (strcmp(desk_text(a->json, "type"), "phrase") == 0) {
			assert_true(number(a->json, "number") > last);
			last = number(a->json, "number");
			phrases++;
		}
	assert_int_equal(phrases, 8);
	/* Nothing of it is stored. */
	desk_reopen(&t.d);
	assert_int_equal(t.d.call[follow(&t, &t.c)].count, 1);
	close_table(&t);
}

static void test_people__a_game_is_claimed_from_a_player_who_left(void **state)
{
	struct table t;
	(void)state;
	open_table(&t, open_game);
	t.d.now = desk_now(&t.d);
	t.d.frozen = true;
	post(&t, &t.b, "/actions", join, 200);
	follow(&t, &t.a);
	const uint64_t there = follow(&t, &t.b);
	json_t *moved = post(&t, &t.a, "/moves", "{\"move\":\"5\"}", 200);
	assert_true(json_is_null(json_object_get(moved, "claim")));
	t.d.now += 400000;
	post(&t, &t.a, "/claim", "{}", 409); /* she is there, and thinks */
	api_cancel(t.d.api, there);
	t.d.now += 299000;
	const json_t *play = desk_ask(&t.d, &t.a, "GET", path_of(&t, ""), NULL, 200);
	assert_int_equal(number(json_object_get(play, "claim"), "seat"), 2);
	assert_int_equal(number(json_object_get(play, "claim"), "wait"), 1000);
	post(&t, &t.a, "/claim", "{}", 409);
	t.d.now += 1000;
	post(&t, &t.c, "/claim", "{}", 403);
	post(&t, &t.a, "/claim", "{\"seat\":1}", 400);
	play = post(&t, &t.a, "/claim", "{}", 200);
	assert_string_equal(desk_text(play, "result"), "win 1");
	assert_string_equal(desk_text(play, "reason"), "disconnect");
	post(&t, &t.a, "/claim", "{}", 409);
	close_table(&t);
	/* With a clock there is nothing to claim. */
	open_table(&t, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"],\"clock\":\"3d/move\"}");
	t.d.now = desk_now(&t.d);
	t.d.frozen = true;
	post(&t, &t.b, "/actions", join, 200);
	post(&t, &t.a, "/moves", "{\"move\":\"5\"}", 200);
	t.d.now += 400000;
	post(&t, &t.a, "/claim", "{}", 409);
	close_table(&t);
}

/* An invitation that is taken back leaves no game behind, and nobody can join it. */
static void test_people__an_invitation_is_cancelled(void **state)
{
	static const char cancel[] = "{\"action\":\"cancel\"}";
	struct table t;
	(void)state;
	open_table(&t, open_game);
	post(&t, &t.b, "/actions", cancel, 403);
	assert_string_equal(desk_text(post(&t, &t.a, "/actions", cancel, 200), "reason"),
			    "cancelled");
	post(&t, &t.b, "/actions", join, 409);
	assert_null(listed(&t, &t.a));
	const json_t *games = desk_ask(&t.d, &t.a, "GET", "/api/v1/me/games", NULL, 200);
	assert_int_equal(number(games, "total"), 0);
	const json_t *made = desk_ask(&t.d, &t.a, "POST", PLAYS, open_game, 201);
	snprintf(t.id, sizeof t.id, "%s", desk_text(made, "id"));
	post(&t, &t.b, "/actions", join, 200);
	post(&t, &t.a, "/actions", cancel, 409);
	close_table(&t);
}

/* The host fills open seats with computers, though another person has come; nobody else does. */
static void test_people__open_seats_are_filled(void **state)
{
	static const char fill[] = "{\"action\":\"seat\",\"seat\":3,\"spec\":\"level:1\"}";
	static const char empty[] = "{\"action\":\"seat\",\"seat\":3,\"spec\":\"open\"}";
	struct table t;
	(void)state;
	open_table(&t, "{\"game\":\"starchess\",\"seats\":[\"human\",\"open\",\"open\",\"level:1\"]}");
	post(&t, &t.b, "/actions", join, 200);
	post(&t, &t.b, "/actions", fill, 409);
	post(&t, &t.a, "/actions", fill, 200);
	post(&t, &t.a, "/actions", empty, 409);
	assert_true(is_true(listed(&t, &t.a), "your_turn"));
	close_table(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_people__lists_say_whose_turn_it_is),
		cmocka_unit_test(test_people__spectators_are_counted_without_players),
		cmocka_unit_test(test_people__phrases_are_for_players_and_limited),
		cmocka_unit_test(test_people__a_game_is_claimed_from_a_player_who_left),
		cmocka_unit_test(test_people__an_invitation_is_cancelled),
		cmocka_unit_test(test_people__open_seats_are_filled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
