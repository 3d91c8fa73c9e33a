/*
 * server_finished.c - the lists of finished games: who has which, searching, paging, deleting.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "support/cluster.h"
#include "support/database.h"

#define PLAYS "/api/v1/plays"
#define GAMES "/api/v1/me/games"

static struct cluster postgres; /* for the tests that run with it, too */

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

static size_t count(struct api_desk *d, const struct visitor *who, const char *query, int total)
{
	char path[160];
	snprintf(path, sizeof path, GAMES "%s", query);
	const json_t *list = desk_ask(d, who, "GET", path, NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(list, "total")), total);
	return json_array_size(json_object_get(list, "games"));
}

static const json_t *first(struct api_desk *d, const struct visitor *who)
{
	return json_array_get(json_object_get(desk_ask(d, who, "GET", GAMES, NULL, 200), "games"),
			      0);
}

static const char resign[] = "{\"action\":\"resign\"}";
static const char alone[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:2\"]}";

/* A game of two people is in both lists, and each deletes it for themselves. */
static void test_finished__b19_games_are_listed_for_their_players(void **state)
{
	struct api_desk d;
	char body[64];
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d), c = desk_visitor(&d);
	const char *id = make(&d, &a, "{\"game\":\"chess\",\"seats\":[\"human\",\"open\"]}");
	post(&d, &b, id, "actions", "{\"action\":\"join\",\"name\":\"Bea\"}", 200);
	post(&d, &a, id, "moves", "{\"move\":\"e2e4\"}", 200);
	assert_int_equal(count(&d, &a, "", 0), 0);
	post(&d, &b, id, "actions", resign, 200);
	const json_t *entry = first(&d, &a);
	assert_string_equal(desk_text(entry, "id"), id);
	assert_string_equal(desk_text(entry, "result"), "win 1");
	assert_string_equal(desk_text(entry, "reason"), "resigns");
	assert_int_equal(json_integer_value(json_object_get(entry, "plies")), 1);
	assert_true(json_is_true(json_object_get(
		json_array_get(json_object_get(entry, "seats"), 0), "you")));
	assert_int_equal(count(&d, &a, "?result=won&opponent=BEA&game=chess", 1), 1);
	assert_int_equal(count(&d, &b, "?result=lost", 1), 1);
	assert_int_equal(count(&d, &b, "?opponent=bea", 0), 0);
	assert_int_equal(count(&d, &c, "", 0), 0);
	snprintf(body, sizeof body, "{\"delete\":[\"%s\"]}", id);
	desk_ask(&d, &c, "POST", GAMES, body, 200);
	assert_int_equal(count(&d, &a, "", 1), 1);
	desk_ask(&d, &a, "POST", GAMES, body, 200);
	assert_int_equal(count(&d, &a, "", 0), 0);
	assert_int_equal(count(&d, &b, "", 1), 1);
	/* A note after the end is refused between two people, and does not bring it back. */
	post(&d, &a, id, "actions", "{\"action\":\"note\",\"text\":\"well\"}", 409);
	assert_int_equal(count(&d, &a, "", 0), 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* What is taken back after the end is no finished game any more. */
static void test_finished__a_game_that_continues_leaves_the_list(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	const char *both = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";
	const char *id = make(&d, &a, both);
	static const char *const moves[] = { "1", "4", "2", "5", "3" };
	char body[32];
	for (size_t i = 0; i < 5; i++) {
		snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[i]);
		post(&d, &a, id, "moves", body, 200);
	}
	assert_int_equal(count(&d, &a, "?result=other", 1), 1);
	post(&d, &a, id, "actions", "{\"action\":\"undo\"}", 200);
	assert_int_equal(count(&d, &a, "", 0), 0);
	post(&d, &a, id, "moves", "{\"move\":\"3\"}", 200);
	assert_int_equal(count(&d, &a, "", 1), 1);
	desk_close(&d);
}

static void test_finished__pages_and_bad_requests(void **state)
{
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (int i = 0; i < 7; i++)
		post(&d, &a, make(&d, &a, alone), "actions", resign, 200);
	assert_int_equal(count(&d, &a, "?most=3", 7), 3);
	assert_int_equal(count(&d, &a, "?most=3&first=6", 7), 1);
	assert_int_equal(count(&d, &a, "?since=1&until=2", 0), 0);
	assert_int_equal(count(&d, &a, "?opponent=casual&result=lost", 7), 7);
	desk_ask(&d, &a, "GET", GAMES "?most=101", NULL, 400);
	desk_ask(&d, &a, "GET", GAMES "?first=-1", NULL, 400);
	desk_ask(&d, &a, "GET", GAMES "?since=x", NULL, 400);
	desk_ask(&d, &a, "POST", GAMES, "{\"delete\":[]}", 400);
	desk_ask(&d, &a, "POST", GAMES, "{\"delete\":[7]}", 400);
	desk_ask(&d, &a, "POST", GAMES, "{\"delete\":\"all\"}", 400);
	assert_int_equal(count(&d, &a, "", 7), 7);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* The database of version 0.1 has two games of Ada that are over; each is listed once. */
static void test_finished__older_games_are_listed(void **state)
{
	struct api_desk d;
	char path[128];
	(void)state;
	desk_open(&d, 1, 100);
	struct visitor ada = desk_visitor(&d);
	api_close(d.api);
	snprintf(ada.user, sizeof ada.user, "FiDvjSrv-F8vh9mP");
	snprintf(path, sizeof path, "%.63s/quevedo.db", d.folder);
	copy_file(TEST_DATA "/v0.1/quevedo.db", path);
	desk_api_open(&d);
	/* One after another, after the start. */
	for (int i = 0; i < 1000 && json_integer_value(json_object_get(
					    desk_ask(&d, &ada, "GET", GAMES, NULL, 200), "total")) < 2;
	     i++)
		desk_turn(&d, 5);
	assert_int_equal(count(&d, &ada, "", 2), 2);
	assert_int_equal(count(&d, &ada, "?game=chess&since=1794801281&until=1794801282", 1), 1);
	const json_t *entry = first(&d, &ada);
	assert_int_equal(json_integer_value(json_object_get(entry, "ended")), 1794801281);
	assert_true(json_is_string(json_object_get(entry, "result")));
	desk_ask(&d, &ada, "POST", GAMES, "{\"delete\":[\"v-BgYs-eDpk4Ut8H\"]}", 200);
	desk_reopen(&d);
	desk_ask(&d, &ada, "POST", "/api/v1/me", "{\"name\":\"Ada\"}", 200);
	assert_int_equal(count(&d, &ada, "", 1), 1);
	assert_string_equal(desk_text(first(&d, &ada), "id"), "VJcCm2Xm2AZWC67s");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Who types the rolls may type any: the lobby says so, and the game does not count. */
static void test_finished__typed_dice_count_for_nothing(void **state)
{
	static const struct {
		const char *setup, *mode, *roll;
	} cases[] = {
		{ "{\"game\":\"race\",\"seats\":[\"human\",\"open\"],\"dice\":\"server\"}", "server",
		  NULL },
		{ "{\"game\":\"race\",\"seats\":[\"human\",\"open\"],\"dice\":\"typed\"}", "typed",
		  "{\"move\":\"roll 6\"}" },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	for (size_t i = 0; i < 2; i++) {
		const char *id = make(&d, &a, cases[i].setup);
		const json_t *lobby = desk_ask(&d, &b, "GET", "/api/v1/lobby", NULL, 200);
		const json_t *entry = json_array_get(json_object_get(lobby, "open"), 0);
		assert_string_equal(desk_text(entry, "id"), id);
		assert_string_equal(desk_text(entry, "dice"), cases[i].mode);
		post(&d, &b, id, "actions", "{\"action\":\"join\"}", 200);
		if (cases[i].roll)
			post(&d, &a, id, "moves", cases[i].roll, 200);
		else
			post(&d, &a, id, "actions", "{\"action\":\"throw\"}", 200);
		post(&d, &a, id, "actions", resign, 200);
		const json_t *games = json_object_get(desk_ask(&d, &b, "GET", GAMES, NULL, 200), "games");
		entry = json_array_get(games, 0);
		for (size_t k = 0; strcmp(desk_text(entry, "id"), id) != 0; k++)
			entry = json_array_get(games, k);
		assert_int_equal(json_is_true(json_object_get(entry, "rated")), !cases[i].roll);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* Ratings count games from the start position, without undo, hints or another player's help. */
static void test_finished__tells_which_games_count_for_ratings(void **state)
{
	static const struct {
		const char *setup, *before; /* an action after the first move; NULL: none */
		bool rated;
	} cases[] = {
		{ alone, NULL, true },
		{ alone, "{\"action\":\"undo\"}", false },
		{ alone, "{\"action\":\"help\"}", false },
		{ alone, "{\"action\":\"seat\",\"seat\":2,\"spec\":\"level:1\"}", false },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:2\"],"
		  "\"position\":\"x...o.... x\"}",
		  NULL, false },
		{ "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:2\"],"
		  "\"moves\":[\"5\",\"1\"]}",
		  NULL, false },
	};
	struct api_desk d;
	(void)state;
	desk_open(&d, 1, 100);
	const struct visitor a = desk_visitor(&d);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *id = make(&d, &a, cases[i].setup);
		post(&d, &a, id, "moves", "{\"move\":\"2\"}", 200);
		if (cases[i].before)
			post(&d, &a, id, "actions", cases[i].before, 200);
		if (i % 2)
			desk_reopen(&d); /* what is loaded counts the same */
		post(&d, &a, id, "actions", resign, 200);
		const json_t *games = json_object_get(desk_ask(&d, &a, "GET", GAMES, NULL, 200), "games");
		const json_t *entry = NULL;
		for (size_t k = 0; k < json_array_size(games); k++)
			if (strcmp(desk_text(json_array_get(games, k), "id"), id) == 0)
				entry = json_array_get(games, k);
		assert_non_null(entry);
		assert_int_equal(json_is_true(json_object_get(entry, "rated")), cases[i].rated);
	}
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Long lists ---- */

enum { MANY = 2500, LOOKED = 2000 }; /* looked: at most so many for one response */

/* On SQLite, or on PostgreSQL if that was started. */
static void open_anywhere(struct api_desk *d, char place[256])
{
	desk_open(d, 1, 100);
	if (!*postgres.folder)
		return;
	cluster_new_place(&postgres, place);
	d->place = place;
	desk_reopen(d);
}

static void sql(const struct api_desk *d, const char *text)
{
	char all[2048], out[64];
	if (!d->place) {
		database_sql(d->folder, text, out);
		return;
	}
	snprintf(all, sizeof all, "SET search_path = %s; %s", strstr(d->place, "%3D") + 3, text);
	cluster_sql(&postgres, all, out);
}

/* PostgreSQL has an index of the order, so that it looks at no more games than it returns. */
static void is_ordered(const struct api_desk *d)
{
	char all[1024], out[64];
	snprintf(all, sizeof all,
		 "SET search_path = %s; SET enable_seqscan = off; SET enable_bitmapscan = off;"
		 "CREATE FUNCTION found() RETURNS TEXT LANGUAGE plpgsql AS $$ DECLARE line TEXT; BEGIN"
		 " FOR line IN EXPLAIN SELECT entry FROM finished WHERE \"user\" = 'u' AND ended >= 0"
		 "  AND (ended, play) < (9, 'p') ORDER BY ended DESC, play DESC LIMIT 2000 LOOP"
		 "  IF line LIKE '%%Sort%%' THEN RETURN line; END IF; END LOOP;"
		 " RETURN 'ordered'; END $$; SELECT found()",
		 strstr(d->place, "%3D") + 3);
	cluster_sql(&postgres, all, out);
	assert_string_equal(out, "ordered");
}

/* Games 1 to MANY, seven in a second, the last one first. The first 30 are against Zoe. */
static void put_many(struct api_desk *d, const struct visitor *who)
{
	char text[1500];
	snprintf(text, sizeof text,
		 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		 " INSERT INTO play (id, game, owner, created, updated, private, going, open_seats)"
		 " SELECT 'long-list-' || CAST(100000 + i AS TEXT), 'noughts', '%s', 1, 1, 1, 0, 0"
		 " FROM n;"
		 "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		 " INSERT INTO finished (\"user\", play, ended, game, outcome, opponents, entry)"
		 " SELECT '%s', 'long-list-' || CAST(100000 + i AS TEXT), 1000 + i / 7, 'noughts',"
		 " CASE WHEN i %% 3 = 0 THEN 'won' ELSE 'lost' END,"
		 " CASE WHEN i <= 30 THEN 'Zoe' ELSE 'Bob' END,"
		 " '{\"id\":\"x\",\"game\":\"noughts\",\"title\":\"\",\"seats\":[],\"created\":1,"
		 "\"ended\":2,\"result\":null,\"reason\":null,\"plies\":' || CAST(i AS TEXT) || '}'"
		 " FROM n",
		 MANY, who->user, MANY, who->user);
	sql(d, text);
}

/*
 * Follows `next` to the end: the games from `last` down to `first`, each `step`th, come once and in
 * order, and `total` counts them.
 */
static void walk(struct api_desk *d, const struct visitor *who, const char *query, int last,
		 int first, int step)
{
	char path[200], after[64] = "";
	int expected = last, pages = 0;
	int64_t left = 0;
	for (bool more = true; more; pages++) {
		snprintf(path, sizeof path, GAMES "?most=100%s%s%s", query, *after ? "&after=" : "",
			 after);
		const json_t *list = desk_ask(d, who, "GET", path, NULL, 200), *game;
		const json_t *next = json_object_get(list, "next");
		const int64_t total = json_integer_value(json_object_get(list, "total"));
		size_t i;
		/* The next games looked at are those of this response, or the 2000 after them. */
		assert_in_range(total, left, LOOKED);
		json_array_foreach(json_object_get(list, "games"), i, game) {
			assert_int_equal(json_integer_value(json_object_get(game, "plies")), expected);
			expected -= step;
		}
		left = total - (int64_t)i;
		more = json_is_string(next);
		assert_true(more || (!left && json_is_false(json_object_get(list, "more"))));
		snprintf(after, sizeof after, "%s", more ? json_string_value(next) : "");
		assert_in_range(pages, 0, 2 * MANY / 100);
	}
	assert_in_range(expected, first - step, first - 1);
}

static void test_finished__next_leads_through_the_whole_list(void **state)
{
	struct api_desk d;
	char place[256];
	(void)state;
	open_anywhere(&d, place);
	const struct visitor a = desk_visitor(&d), b = desk_visitor(&d);
	make(&d, &a, alone); /* from now on the store has them */
	make(&d, &b, alone);
	put_many(&d, &a);
	walk(&d, &a, "", MANY, 1, 1);
	walk(&d, &a, "&result=won", MANY / 3 * 3, 3, 3);
	walk(&d, &a, "&opponent=ZOE", 30, 1, 1);
	walk(&d, &a, "&since=1100&until=1200", 1399, 700, 1);
	walk(&d, &a, "&opponent=zzz", 0, 1, 1);
	walk(&d, &b, "", 0, 1, 1);
	desk_ask(&d, &a, "GET", GAMES "?after=1000", NULL, 400);
	desk_ask(&d, &a, "GET", GAMES "?after=x.long-list-100001", NULL, 400);
	desk_ask(&d, &a, "GET", GAMES "?after=1.%27", NULL, 400);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* A response looks at 2000 games only, and says whether there are more. */
static void test_finished__one_response_looks_at_a_part(void **state)
{
	struct api_desk d;
	char place[256];
	(void)state;
	open_anywhere(&d, place);
	const struct visitor a = desk_visitor(&d);
	make(&d, &a, alone);
	put_many(&d, &a);
	if (d.place)
		is_ordered(&d);
	assert_int_equal(count(&d, &a, "", LOOKED), 100);
	assert_int_equal(count(&d, &a, "?first=1950", LOOKED), 50);
	assert_int_equal(count(&d, &a, "?first=1000000", LOOKED), 0);
	assert_int_equal(count(&d, &a, "?opponent=zoe", 0), 0);
	const json_t *list = desk_ask(&d, &a, "GET", GAMES "?opponent=zoe", NULL, 200);
	assert_true(json_is_true(json_object_get(list, "more")));
	/* The last 2000: there are no more. */
	list = desk_ask(&d, &a, "GET", GAMES "?after=1071.long-list-100501&most=0", NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(list, "total")), 500);
	assert_true(json_is_false(json_object_get(list, "more")));
	assert_true(json_is_null(json_object_get(list, "next")));
	list = desk_ask(&d, &a, "GET", GAMES "?after=1285.long-list-102001&most=0", NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(list, "total")), LOOKED);
	assert_true(json_is_false(json_object_get(list, "more")));
	list = desk_ask(&d, &a, "GET", GAMES "?after=1286.long-list-102002&most=0", NULL, 200);
	assert_int_equal(json_integer_value(json_object_get(list, "total")), LOOKED);
	assert_true(json_is_true(json_object_get(list, "more")));
	assert_string_equal(desk_text(list, "next"), "1000.long-list-100002");
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finished__b19_games_are_listed_for_their_players),
		cmocka_unit_test(test_finished__a_game_that_continues_leaves_the_list),
		cmocka_unit_test(test_finished__pages_and_bad_requests),
		cmocka_unit_test(test_finished__older_games_are_listed),
		cmocka_unit_test(test_finished__typed_dice_count_for_nothing),
		cmocka_unit_test(test_finished__tells_which_games_count_for_ratings),
	};
	const struct CMUnitTest long_lists[] = {
		cmocka_unit_test(test_finished__next_leads_through_the_whole_list),
		cmocka_unit_test(test_finished__one_response_looks_at_a_part),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL) +
			   cmocka_run_group_tests(long_lists, NULL, NULL);
	return failed + cluster_run_tests(&postgres, long_lists);
}
