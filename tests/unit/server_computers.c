/*
 * server_computers.c - computers that play on the server: they move when they are told to, and what
 * they think is seen only by those who ask for it, and by no opponent of a person. Also the static
 * evaluation.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"

#include "base/flag.h"
#include "server/api/inside.h"

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
	desk_open(&d, 2, 100);
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

/* A job of the pool that goes on until it is stopped. */
static void hold(struct worker_task *task, void *held)
{
	atomic_fetch_add((atomic_int *)held, 1);
	while (!flag_is_set(worker_task_stop(task)))
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
}

static void let_go(void *held)
{
	(void)held;
}

/* Long searches have every thread but one, as on a machine with two processors. */
static void test_computers__do_not_keep_short_jobs_waiting(void **state)
{
	static const char account[] = "{\"name\":\"ada\",\"password\":\"long enough\"}";
	atomic_int held = 0;
	struct api_desk d;
	uint64_t number;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	for (int i = 0; i < 2; i++) {
		const struct worker_job job = { .client = i ? "one" : "other", .urgent = true,
						.most = 1, .limit_ms = 3600000, .run = hold,
						.release = let_go, .arg = &held };
		assert_int_equal(worker_pool_submit(d.api->pool, &job, &number), SUBMIT_OK);
	}
	while (!atomic_load(&held))
		nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	desk_ask(&d, &a, "POST", "/api/v1/accounts", account, 201);
	desk_ask(&d, &b, "POST", "/api/v1/login", account, 200);
	const char *id = make(&d, &b, "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}");
	const uint64_t events = follow(&d, &b, id, "");
	post(&d, &b, id, "moves", "{\"move\":\"5\"}", 200);
	desk_wait(&d, events, 3); /* the game, and both moves */
	assert_int_equal(atomic_load(&held), 1);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* How many messages of a stream are thoughts; each has the seat and the version of its turn. */
static int thoughts_in(const struct desk_call *call, int seat, json_int_t version)
{
	int count = 0;
	for (const struct desk_answer *a = call->first; a; a = a->next) {
		if (strcmp(desk_text(a->json, "type"), "thoughts") != 0)
			continue;
		assert_int_equal(json_integer_value(json_object_get(a->json, "seat")), seat);
		assert_int_equal(json_integer_value(json_object_get(a->json, "version")), version);
		count++;
	}
	return count;
}

static void test_computers__tell_their_thoughts_to_those_who_ask(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id =
		make(&d, &a, "{\"game\":\"chess\",\"seats\":[\"human\",\"alphabeta:depth=3\"]}");
	const uint64_t asks = follow(&d, &b, id, "?thoughts=1"), other = follow(&d, &a, id, "");
	post(&d, &a, id, "moves", first_move, 200);
	desk_wait(&d, other, 3); /* the play and both moves */
	const struct desk_call *call = &d.call[asks];
	assert_true(thoughts_in(call, 2, 1) >= 1);
	assert_int_equal(thoughts_in(&d.call[other], 2, 1), 0);
	/* The last ones come before the move that they explain. */
	const struct desk_answer *last = call->first;
	while (last->next && last->next->next)
		last = last->next;
	const json_t *line = json_object_get(last->json, "line");
	assert_true(json_is_true(json_object_get(last->json, "done")));
	assert_string_equal(desk_text(line, "move"),
			    desk_text(json_object_get(call->last->json, "move"), "move"));
	assert_int_equal(json_integer_value(json_object_get(line, "depth")), 3);
	/* Who comes later sees the last ones, too. */
	assert_int_equal(thoughts_in(desk_wait(&d, follow(&d, &a, id, "?thoughts=1"), 2), 2, 1), 1);
	char path[128];
	snprintf(path, sizeof path, PLAYS "/%s/events?thoughts=all", id);
	desk_ask(&d, &a, "GET", path, NULL, 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_computers__hide_their_thoughts_from_opponents(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	const char *id = make(&d, &a,
			      "{\"game\":\"starchess\",\"seats\":"
			      "[\"human\",\"open\",\"level:1\",\"level:1\"]}");
	post(&d, &b, id, "actions", "{\"action\":\"join\"}", 200);
	const uint64_t events = follow(&d, &a, id, "?thoughts=1"),
		       of_b = follow(&d, &b, id, "?thoughts=1");
	post(&d, &a, id, "moves", "{\"move\":\"end\"}", 200);
	post(&d, &b, id, "moves", "{\"move\":\"end\"}", 200);
	desk_wait(&d, events, 5); /* the play, two moves of people and two of computers */
	desk_wait(&d, of_b, 5);
	assert_int_equal(thoughts_in(&d.call[events], 0, 0), 0);
	assert_int_equal(thoughts_in(&d.call[of_b], 0, 0), 0);
	const uint64_t later = follow(&d, &a, id, "?thoughts=1");
	assert_int_equal(thoughts_in(&d.call[later], 0, 0), 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The term of this name. */
static const json_t *term_of(const json_t *evaluation, const char *name)
{
	const json_t *term;
	size_t i;
	json_array_foreach(json_object_get(evaluation, "terms"), i,
			   term) if (strcmp(desk_text(term, "name"), name) == 0) return term;
	fail_msg("there is no term %s", name);
	return NULL;
}

static void test_evaluation__is_told_term_by_term_with_its_cells(void **state)
{
	static const char path[] = "/api/v1/evaluation";
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	/* White has a knight more, on b1. */
	const json_t *e = desk_ask(&d, &a, "POST", path,
				   "{\"game\":\"chess\",\"position\":"
				   "\"rnbqkb1r/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R b KQkq - 0 1\","
				   "\"moves\":[\"b8c6\"]}",
				   200),
		     *term;
	json_int_t sum = 0;
	size_t i;
	json_array_foreach(json_object_get(e, "terms"), i, term) sum +=
		json_integer_value(json_object_get(term, "value"));
	assert_int_equal(sum, json_integer_value(json_object_get(e, "value")));
	assert_int_equal(json_integer_value(json_object_get(e, "seat")), 1);
	const json_t *knights = term_of(e, "material[3]"),
		     *cells = json_object_get(knights, "cells");
	assert_int_equal(json_array_size(json_object_get(knights, "counts")), 2);
	assert_int_equal(json_array_size(cells), 2);
	assert_int_equal(json_integer_value(json_array_get(cells, 0)), 1);  /* b1 */
	assert_int_equal(json_integer_value(json_array_get(cells, 1)), 42); /* c6 */
	/* Wrong requests. */
	desk_ask(&d, &a, "POST", path, "{}", 400);
	desk_ask(&d, &a, "POST", path, "{\"game\":\"chess\",\"eval\":\"net\"}", 400);
	desk_ask(&d, &a, "POST", path, "{\"game\":\"chess\",\"position\":\"x\"}", 400);
	desk_ask(&d, &a, "POST", path, "{\"game\":\"race\"}", 409);
	desk_ask(&d, &a, "POST", path,
		 "{\"game\":\"chess\",\"moves\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]}", 409);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

static void test_luck__is_told_of_each_roll_and_each_move(void **state)
{
	static const char path[] = "/api/v1/luck";
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const json_t *luck = desk_ask(&d, &a, "POST", path,
				      "{\"game\":\"backgammon\",\"position\":"
				      "\"24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31\","
				      "\"moves\":[\"13/9\",\"roll 66\"]}",
				      200),
		     *line = json_object_get(luck, "line"), *move = json_array_get(line, 0),
		     *roll = json_array_get(line, 1);
	assert_int_equal(json_array_size(line), 2);
	assert_true(json_real_value(json_object_get(move, "loss")) >= 0.04);
	assert_string_equal(desk_text(move, "best"), "8/5 6/5");
	assert_int_equal(json_integer_value(json_object_get(move, "seat")), 1);
	assert_int_equal(json_integer_value(json_object_get(roll, "seat")), 0);
	assert_int_equal(json_integer_value(json_object_get(roll, "roller")), 2);
	const double lucky = json_real_value(json_object_get(roll, "luck"));
	assert_true(lucky > 0);
	assert_true(json_real_value(json_array_get(json_object_get(luck, "seats"), 0)) == 0);
	assert_true(json_real_value(json_array_get(json_object_get(luck, "seats"), 1)) == lucky);
	assert_true(json_is_null(json_object_get(luck, "result")));
	desk_ask(&d, &a, "POST", path, "{\"game\":\"race\"}", 200);
	/* Wrong requests. */
	desk_ask(&d, &a, "POST", path, "{}", 400);
	desk_ask(&d, &a, "POST", path, "{\"game\":\"race\",\"time\":1}", 400);
	desk_ask(&d, &a, "POST", path, "{\"game\":\"chess\"}", 409);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_computers__do_not_keep_short_jobs_waiting),
		cmocka_unit_test(test_computers__move_when_they_are_told_to),
		cmocka_unit_test(test_computers__tell_their_thoughts_to_those_who_ask),
		cmocka_unit_test(test_computers__hide_their_thoughts_from_opponents),
		cmocka_unit_test(test_evaluation__is_told_term_by_term_with_its_cells),
		cmocka_unit_test(test_luck__is_told_of_each_roll_and_each_move),
	};
	return cmocka_run_group_tests_name("server_computers", tests, NULL, NULL);
}
