/*
 * server_lobby.c - the lobby: whose invitations it shows, for how long, and how many of each.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

static const char lobby[] = "/api/v1/lobby";
static const char plays[] = "/api/v1/plays";
static const char invitation[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";

/* The clock stands: only the test turns it. */
static void set_up(struct api_desk *d)
{
	desk_open(d, 1, 1);
	d->now = desk_now(d);
	d->frozen = true;
}

static void tear_down(struct api_desk *d)
{
	assert_string_equal(d->fault, "");
	desk_close(d);
}

static struct visitor visitor_at(struct api_desk *d, const char *address)
{
	struct visitor who;
	assert_true(api_identify(d->api, NULL, NULL, address, &who));
	return who;
}

/* The limits of an address allow one every two seconds. */
static const char *invite(struct api_desk *d, const struct visitor *who)
{
	d->now += 2000;
	return desk_text(desk_ask(d, who, "POST", plays, invitation, 201), "id");
}

/* In the lobby as a stranger sees it. */
static const json_t *open_games(struct api_desk *d)
{
	const struct visitor reader = visitor_at(d, "198.51.100.99");
	return json_object_get(desk_ask(d, &reader, "GET", lobby, NULL, 200), "open");
}

static size_t count(struct api_desk *d)
{
	return json_array_size(open_games(d));
}

static bool is_shown(struct api_desk *d, const char *id)
{
	const json_t *open = open_games(d), *entry;
	size_t i;
	json_array_foreach(open, i, entry)
		if (strcmp(desk_text(entry, "id"), id) == 0)
			return true;
	return false;
}

static uint64_t get(struct api_desk *d, const struct visitor *who, const char *path)
{
	return desk_send(d, who, "GET", path, NULL);
}

static void test_lobby__one_address_does_not_empty_it(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1");
	const char *id = invite(&d, &a);
	get(&d, &a, play_path(id, "/events"));
	for (int i = 0; i < 51; i++) {
		const struct visitor flood = visitor_at(&d, "192.0.2.66"); /* a new guest each time */
		get(&d, &flood, play_path(invite(&d, &flood), "/events"));
	}
	assert_true(is_shown(&d, id));
	assert_int_equal(count(&d), 1 + 3);
	/* They stand behind the first of everybody else. */
	const struct visitor b = visitor_at(&d, "192.0.2.2");
	const char *other = invite(&d, &b);
	get(&d, &b, play_path(other, "/events"));
	const json_t *open = open_games(&d);
	assert_int_equal(json_array_size(open), 5);
	assert_string_equal(desk_text(json_array_get(open, 0), "id"), other);
	assert_string_equal(desk_text(json_array_get(open, 2), "id"), id);
	tear_down(&d);
}

/* Many addresses have many, but everybody's first comes before anybody's second. */
static void test_lobby__the_first_of_each_comes_first(void **state)
{
	struct api_desk d;
	char address[32];
	(void)state;
	set_up(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1");
	const char *id = invite(&d, &a);
	get(&d, &a, play_path(id, "/events"));
	for (int i = 0; i < 20; i++)
		for (int k = 0; k < 3; k++) {
			snprintf(address, sizeof address, "203.0.113.%d", i);
			const struct visitor flood = visitor_at(&d, address);
			get(&d, &flood, play_path(invite(&d, &flood), "/events"));
		}
	assert_int_equal(count(&d), 50);
	assert_true(is_shown(&d, id));
	tear_down(&d);
}

static void test_lobby__a_site_has_few(void **state)
{
	struct api_desk d;
	char address[64];
	(void)state;
	set_up(&d);
	for (int i = 0; i < 30; i++) {
		snprintf(address, sizeof address, "2001:db8:1:%x::/64", i + 1);
		const struct visitor flood = visitor_at(&d, address);
		get(&d, &flood, play_path(invite(&d, &flood), "/events"));
	}
	assert_int_equal(count(&d), 3 * 4);
	const struct visitor other = visitor_at(&d, "2001:db8:2:1::/64");
	invite(&d, &other);
	assert_int_equal(count(&d), 3 * 4 + 1);
	tear_down(&d);
}

/* By user, too: who has many addresses has one name. */
static void test_lobby__a_user_has_few(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d);
	struct visitor a = visitor_at(&d, "192.0.2.1");
	for (int i = 0; i < 6; i++) {
		snprintf(a.address, sizeof a.address, "192.0.2.%d", i + 1);
		invite(&d, &a);
	}
	assert_int_equal(count(&d), 3);
	tear_down(&d);
}

static void test_lobby__only_while_the_owner_is_there(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1"), b = visitor_at(&d, "192.0.2.2");
	const char *id = invite(&d, &a);
	d.now += 59000;
	assert_true(is_shown(&d, id));
	/* Others who look at it do not keep it there. */
	desk_wait(&d, get(&d, &b, play_path(id, "/events")), 1);
	d.now += 1000;
	assert_false(is_shown(&d, id));
	/* A program that asks now and then is there, */
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	d.now += 59000;
	assert_true(is_shown(&d, id));
	desk_ask(&d, &a, "GET", lobby, NULL, 200);
	d.now += 59000;
	assert_true(is_shown(&d, id));
	d.now += 1000;
	assert_false(is_shown(&d, id));
	/* ... and whoever follows the game, or the lobby, as long as that lasts, and a minute. */
	const char *const streams[] = { play_path(id, "/events"), "/api/v1/lobby/events" };
	for (int i = 0; i < 2; i++) {
		const uint64_t stream = get(&d, &a, streams[i]);
		desk_wait(&d, stream, 1);
		d.now += 3600000;
		assert_true(is_shown(&d, id));
		api_cancel(d.api, stream);
		d.now += 59000;
		assert_true(is_shown(&d, id));
		d.now += 61000;
		assert_false(is_shown(&d, id));
	}
	tear_down(&d);
}

/* Seconds pass until a follower has heard of so many games; at most two minutes. */
static void until_open(struct api_desk *d, uint64_t stream, size_t games)
{
	const struct desk_call *c = desk_wait(d, stream, 1);
	for (int second = 0; second < 120; second++) {
		if (json_array_size(json_object_get(c->last->json, "open")) == games)
			return;
		d->now += 1000;
		desk_turn(d, 1);
	}
	fail_msg("not %zu open games", games);
}

/* Nothing else happens, and still those who follow the lobby hear that an owner has left. */
static void test_lobby__followers_hear_who_has_left(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1"), b = visitor_at(&d, "192.0.2.2");
	const uint64_t stream = get(&d, &b, "/api/v1/lobby/events");
	const char *id = invite(&d, &a);
	until_open(&d, stream, 1);
	until_open(&d, stream, 0);
	/* The owner comes back. */
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	until_open(&d, stream, 1);
	tear_down(&d);
}

/* After a restart nothing is there until its owner is. */
static void test_lobby__after_a_restart(void **state)
{
	struct api_desk d;
	char id[32];
	(void)state;
	set_up(&d);
	const struct visitor a = visitor_at(&d, "192.0.2.1");
	snprintf(id, sizeof id, "%s", invite(&d, &a));
	desk_reopen(&d);
	assert_int_equal(count(&d), 0);
	desk_ask(&d, &a, "GET", play_path(id, ""), NULL, 200);
	assert_true(is_shown(&d, id));
	tear_down(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lobby__one_address_does_not_empty_it),
		cmocka_unit_test(test_lobby__the_first_of_each_comes_first),
		cmocka_unit_test(test_lobby__a_site_has_few),
		cmocka_unit_test(test_lobby__a_user_has_few),
		cmocka_unit_test(test_lobby__only_while_the_owner_is_there),
		cmocka_unit_test(test_lobby__followers_hear_who_has_left),
		cmocka_unit_test(test_lobby__after_a_restart),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
