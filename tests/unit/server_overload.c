/*
 * server_overload.c - more writes than the disk takes, and a disk that hangs: what is refused, what
 * waits, what is answered, and what a client does then. The test turns the clock and does the
 * writing.
 * SPDX-License-Identifier: MIT
 */
#include "support/accounts.h"

static const char plays[] = "/api/v1/plays";
static const char two_people[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";

struct overload {
	struct api_desk d;
	struct visitor a;
	char id[32];
};

static void settle(struct api_desk *d)
{
	do
		api_turn(d->api);
	while (desk_step(d));
}

/* A game in memory; nothing waits, and the clock stands. */
static void set_up_with(struct overload *o, int overload_ms)
{
	desk_open(&o->d, 1, 100);
	o->a = desk_visitor(&o->d);
	o->d.manual = true;
	o->d.frozen = true;
	o->d.now = 1000000;
	o->d.overload_ms = overload_ms;
	desk_reopen(&o->d);
	settle(&o->d);
	snprintf(o->id, sizeof o->id, "%s",
		 desk_text(desk_ask(&o->d, &o->a, "POST", plays, two_people, 201), "id"));
	settle(&o->d);
}

static void set_up(struct overload *o)
{
	set_up_with(o, 1000);
}

static void tear_down(struct overload *o)
{
	assert_string_equal(o->d.fault, "");
	desk_close(&o->d);
}

static uint64_t move(struct overload *o, const char *text, int ply)
{
	char body[64];
	snprintf(body, sizeof body, "{\"move\":\"%s\",\"ply\":%d}", text, ply);
	return desk_send(&o->d, &o->a, "POST", play_path(o->id, "/moves"), body);
}

static void pass(struct overload *o, int ms)
{
	o->d.now += ms;
	api_turn(o->d.api);
}

static int count_of(const struct overload *o, uint64_t call)
{
	return o->d.call[call].count;
}

static int status_of(const struct overload *o, uint64_t call)
{
	return count_of(o, call) ? o->d.call[call].last->status : 0;
}

static const char *error_of(const struct overload *o, uint64_t call)
{
	return desk_text(json_object_get(o->d.call[call].last->json, "error"), "message");
}

/* The status of a route about the server, which answers at once. */
static int ask_at_once(struct overload *o, const char *path)
{
	return status_of(o, desk_send(&o->d, &o->a, "GET", path, NULL));
}

static void test_overload__new_writes_are_refused_early(void **state)
{
	struct overload o;
	(void)state;
	set_up(&o);
	const uint64_t first = move(&o, "5", 0);
	pass(&o, 998);
	const uint64_t second = move(&o, "1", 1);
	assert_int_equal(status_of(&o, second), 0); /* it waits, too */
	pass(&o, 1);
	const uint64_t third = move(&o, "9", 2);
	assert_int_equal(status_of(&o, third), 503);
	assert_memory_equal(error_of(&o, third), "overload: ", 10);
	assert_int_equal(status_of(&o, desk_send(&o.d, &o.a, "POST", plays, two_people)), 503);
	/* Whatever writes nothing goes on. */
	assert_int_equal(ask_at_once(&o, "/api/v1/health"), 200);
	assert_int_equal(ask_at_once(&o, "/api/v1/health/ready"), 200);
	assert_int_equal(status_of(&o, desk_send(&o.d, &o.a, "POST", "/api/v1/positions",
						 "{\"game\":\"noughts\"}")),
			 200);
	settle(&o.d);
	assert_int_equal(status_of(&o, first), 200);
	assert_int_equal(status_of(&o, second), 200);
	/* The same request again. */
	const uint64_t again = move(&o, "9", 2);
	settle(&o.d);
	assert_int_equal(status_of(&o, again), 200);
	const json_t *play = desk_ask(&o.d, &o.a, "GET", play_path(o.id, ""), NULL, 200);
	assert_int_equal(json_array_size(json_object_get(play, "line")), 3);
	tear_down(&o);
}

static int64_t oldest_write(struct overload *o, int status)
{
	const uint64_t call = desk_send(&o->d, &o->a, "GET", "/api/v1/health", NULL);
	assert_int_equal(status_of(o, call), status);
	return json_integer_value(
		json_object_get(o->d.call[call].last->json, "oldest_write_ms"));
}

static void test_overload__a_disk_that_hangs_is_noticed(void **state)
{
	struct overload o;
	(void)state;
	set_up(&o);
	assert_int_equal(oldest_write(&o, 200), 0);
	move(&o, "5", 0);
	pass(&o, 4998);
	assert_int_equal(oldest_write(&o, 200), 4999);
	assert_int_equal(ask_at_once(&o, "/api/v1/health/ready"), 200);
	o.d.log[0] = '\0';
	pass(&o, 1);
	assert_int_equal(oldest_write(&o, 503), 5000);
	assert_int_equal(ask_at_once(&o, "/api/v1/health/ready"), 503);
	pass(&o, 1000);
	assert_string_equal(o.d.log, "error store: the disk does not answer; requests wait, or are "
				     "refused\n");
	settle(&o.d);
	assert_int_equal(oldest_write(&o, 200), 0);
	assert_int_equal(ask_at_once(&o, "/api/v1/health/ready"), 200);
	assert_non_null(strstr(o.d.log, "warn store: the disk answers again\n"));
	tear_down(&o);
}

/* The move is stored when the disk answers again; whoever sends it again with its ply learns so. */
static void test_overload__who_waits_is_answered(void **state)
{
	struct overload o;
	(void)state;
	set_up_with(&o, -1);
	const uint64_t first = move(&o, "5", 0);
	pass(&o, 9998);
	assert_int_equal(status_of(&o, first), 0);
	pass(&o, 2);
	assert_int_equal(status_of(&o, first), 503);
	assert_non_null(strstr(error_of(&o, first), "may still be stored"));
	const uint64_t refused = move(&o, "5", 0); /* too early */
	assert_true(status_of(&o, refused) == 0 || status_of(&o, refused) == 503);
	settle(&o.d);
	assert_int_equal(count_of(&o, first), 1);
	const uint64_t again = move(&o, "5", 0);
	settle(&o.d);
	assert_int_equal(status_of(&o, again), 200);
	const json_t *play = desk_ask(&o.d, &o.a, "GET", play_path(o.id, ""), NULL, 200);
	assert_int_equal(json_array_size(json_object_get(play, "line")), 1);
	tear_down(&o);
}

/*
 * Sends it, and the disk hangs when the write is on its way; then it answers again. Before that it
 * hangs once for each other thing that the request writes, such as a guess at a password.
 */
static void change_late(struct overload *o, const char *path, const char *body)
{
	uint64_t call;
	for (int skip = 0;;) {
		int rounds = 0;
		call = desk_send(&o->d, &o->a, "POST", path, body);
		while (!status_of(o, call)) {
			assert_true(rounds < 50);
			api_turn(o->d.api);
			if (rounds++ >= skip)
				pass(o, 10000);
			if (!status_of(o, call))
				desk_step(&o->d);
		}
		assert_int_equal(status_of(o, call), 503);
		assert_null(o->d.call[call].last->cookie);
		if (strstr(error_of(o, call), "may still be stored"))
			break;
		assert_non_null(strstr(error_of(o, call), "nothing was done"));
		settle(&o->d);
		desk_me(&o->d, &o->a); /* the cookie holds */
		skip = rounds;
	}
	settle(&o->d);
	assert_int_equal(count_of(o, call), 1);
}

/* It is refused, and says why; a browser gets the cookie of a guest with that, and not before. */
static void assert_logged_out(struct overload *o)
{
	const uint64_t call = desk_send(&o->d, &o->a, "GET", "/api/v1/me", NULL);
	settle(&o->d);
	assert_int_equal(status_of(o, call), 401);
	assert_non_null(strstr(error_of(o, call), "you were logged out"));
	assert_non_null(o->d.call[call].last->cookie);
}

/*
 * Whose account change may still be stored has the cookie from before. When it is stored that holds
 * no more: the next request is refused, and never that of another user.
 */
static void test_overload__a_late_login_makes_nobody_another_user(void **state)
{
	static const char credentials[] =
		"{\"name\":\"Ada\",\"password\":\"" PASSWORD "\"}";
	struct overload o;
	char user[API_USER];
	(void)state;
	set_up(&o);
	snprintf(user, sizeof user, "%s", o.a.user);
	change_late(&o, "/api/v1/accounts", credentials);
	assert_logged_out(&o);
	o.a = desk_login(&o.d, "Ada", NULL); /* the account exists, and is that of the same user */
	assert_string_equal(o.a.user, user);
	change_late(&o, "/api/v1/login", credentials);
	assert_logged_out(&o);
	o.a = desk_login(&o.d, "Ada", NULL);
	assert_string_equal(o.a.user, user);
	change_late(&o, "/api/v1/logout", "{}");
	assert_logged_out(&o);
	tear_down(&o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overload__new_writes_are_refused_early),
		cmocka_unit_test(test_overload__a_disk_that_hangs_is_noticed),
		cmocka_unit_test(test_overload__who_waits_is_answered),
		cmocka_unit_test(test_overload__a_late_login_makes_nobody_another_user),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
