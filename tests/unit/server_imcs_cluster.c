/*
 * server_imcs_cluster.c - two IMCS servers on one PostgreSQL: accounts, offers and games are those
 * of both; a server that dies.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk_writes.h"
#include "support/imcs_pair.h"

enum { REFUSED_LINES = 320 };

/* ---- Accounts ---- */

static void test_imcs__accounts_are_those_of_all_servers(void **state)
{
	static struct pair p;
	static struct player a, b, c;
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	arrive(&p, 1, &c);
	ask(&p, &a, "register ann pw", "202 hello new user ann\r\n");
	ask(&p, &b, "me ann pw", "201 hello ann\r\n");
	ask(&p, &b, "register ann other", "402 username already exists");
	ask(&p, &b, "password new", "203 password change for user ann\r\n");
	ask(&p, &a, "me ann pw", "401 wrong password");
	ask(&p, &a, "me ann new", "201 hello ann\r\n");
	/* At the same moment: one of them has the name. */
	say(&a, "register bob one");
	say(&b, "register bob two");
	const char *said_a = a.text + a.seen, *said_b = b.text + b.seen;
	expect(&p, &a, "\r\n");
	expect(&p, &b, "\r\n");
	const bool first = strstr(said_a, "202 hello new user bob");
	assert_true(strstr(said_b, "202 hello new user bob") ? !first : first);
	assert_non_null(strstr(first ? said_b : said_a, "402 username"));
	check_sql(&p, "SELECT count(*) FROM imcs_user WHERE name = 'bob'", "1");
	ask(&p, &c, first ? "me bob one" : "me bob two", "201 hello bob");
	/* What the command before has changed is in the list of another server. */
	sql(&p, "UPDATE imcs_user SET rating = 1300, version = 1000 WHERE name = 'ann' RETURNING 1",
	    (char[64]){ "" });
	ask(&p, &c, "ratings", "212 ratings\r\n ann 1300\r\n bob 1000\r\n.");
	/* Guesses at a password count together. */
	ask(&p, &c, "register eve pw", "202 ");
	for (int i = 0; i < LIMIT_GUESSES; i++)
		ask(&p, i % 2 ? &a : &b, "me eve wrong", "401 wrong password\r\n");
	/* The next one would be let through after a second. */
	sql(&p, "UPDATE guess SET next = last + 360000", (char[64]){ "" });
	ask(&p, &a, "me eve pw", "503 too many attempts, come back later\r\n");
	ask(&p, &b, "me eve pw", "503 too many attempts, come back later\r\n");
	ask(&p, &b, "me a-name-that-is-longer-than-any pw", "400 no such username");
	leave(&a);
	leave(&b);
	leave(&c);
	tear_down(&p);
}

/* More than one result has. */
static void test_imcs__many_new_accounts_are_heard_of(void **state)
{
	static struct pair p;
	static struct player a;
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	ask(&p, &a, "register ann pw", "202 ");
	sql(&p, "INSERT INTO imcs_user (name, \"user\", password, rating, version) SELECT 'n' || n,"
		" (SELECT \"user\" FROM imcs_user), 'x', n, 10 + n FROM generate_series(1, 2500) n"
		" RETURNING 1", (char[64]){ "" });
	ask(&p, &a, "ratings", "212 ratings\r\n n2500 2500\r\n n2499 2499\r\n");
	leave(&a);
	tear_down(&p);
}

/* As whatever else visitors store. */
static void test_imcs__an_address_registers_so_many_in_a_day(void **state)
{
	enum { COST = 512, PER_ADDRESS = 100 };
	static struct pair p;
	static struct player a;
	char line[64];
	(void)state;
	p = (struct pair){ .day_bytes = 10 * COST / PER_ADDRESS };
	open_pair(&p);
	arrive(&p, 0, &a);
	for (int i = 0; i < 10; i++) {
		snprintf(line, sizeof line, "register n%d pw", i);
		ask(&p, &a, line, "202 ");
	}
	ask(&p, &a, "register another pw", "503 too many new users, come back later\r\n");
	ask(&p, &a, "me n0 pw", "201 ");
	leave(&a);
	tear_down(&p);
}

/* ---- Offers ---- */

static void test_imcs__offers_are_listed_and_cleaned_everywhere(void **state)
{
	static struct pair p;
	static struct player a, b, again;
	char one[16], two[16], line[64];
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	arrive(&p, 1, &again);
	ask(&p, &a, "register ann pw", "202 ");
	ask(&p, &b, "register bob pw", "202 ");
	ask(&p, &again, "me ann pw", "201 ");
	offer(&p, &a, "offer W 60 1:30", one);
	offer(&p, &b, "offer", two);
	assert_string_not_equal(one, two);
	ask(&p, &again, "list", "211 2 available games\r\n");
	snprintf(line, sizeof line, " %s ann W 1:00 1:30 1000 [offer]\r\n", one);
	expect(&p, &again, line);
	snprintf(line, sizeof line, " %s bob ? 5:00 5:00 1000 [offer]\r\n.", two);
	expect(&p, &again, line);
	snprintf(line, sizeof line, "accept %s W", one);
	ask(&p, &again, line, "405 bad color W\r\n");
	ask(&p, &again, "accept 9999", "408 no such game\r\n");
	ask(&p, &again, "clean", "204 1 games cleaned\r\n");
	expect(&p, &a, "421 offer countermanded\r\n");
	ask(&p, &again, "list", "211 1 available games\r\n");
	snprintf(line, sizeof line, "accept %s", one);
	ask(&p, &again, line, "408 no such game\r\n");
	/* Whoever leaves takes the offer along. */
	leave(&b);
	wait_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	ask(&p, &again, "list", "211 0 available games\r\n.");
	/* No account may fill the list. */
	sql(&p, "INSERT INTO imcs_entry SELECT n, 'two', 1, 'ann', '', '?', 1, 1, 0, 0 FROM"
		" generate_series(1000, 1063) n RETURNING 1", (char[64]){ "" });
	ask(&p, &a, "offer", "503 too many offers, come back later\r\n");
	leave(&a);
	leave(&again);
	tear_down(&p);
}

/* ---- Games ---- */

/* White moves a knight out and back; then Black, who is at the other server. */
static void play(struct pair *p, struct player *white, struct player *black)
{
	expect(p, white, "? 05:00.000 05:00.000\r\n");
	say(white, "a2-a3");
	expect(p, black, "! a2-a3\r\n");
	expect(p, black, "? 05:00.000 05:00.000\r\n");
	ask(p, black, "a5-a4x", "- invalid move a5-a4x\r\n");
	ask(p, black, "a6-a1", "- illegal move a6-a1\r\n");
	expect(p, black, "? 0");
	say(black, "a5-a4");
	expect(p, white, "! a5-a4\r\n");
	expect(p, white, "? 05:00.000 0");
}

static void test_imcs__players_of_a_game_are_at_two_servers(void **state)
{
	static struct pair p;
	static struct player a, b, c;
	char id[16], line[80];
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	arrive(&p, 1, &c);
	ask(&p, &a, "register ann pw", "202 ");
	ask(&p, &b, "register bob pw", "202 ");
	offer(&p, &a, "offer W", id);
	accept_offer(&b, id);
	expect(&p, &b, "106 B 5:00 5:00 game starts\r\n");
	expect(&p, &a, "105 W 5:00 5:00 game starts\r\n");
	play(&p, &a, &b);
	ask(&p, &c, "list", "211 1 available games\r\n");
	snprintf(line, sizeof line, " %s ann bob (1000/1000)  [in-progress]\r\n.", id);
	expect(&p, &c, line);
	/* Spectators of the page see it. */
	const struct visitor guest = desk_visitor(&p.desk[1]);
	char play_id[64], path[128];
	sql(&p, "SELECT play FROM imcs_game", play_id);
	snprintf(path, sizeof path, "/api/v1/plays/%s", play_id);
	const uint64_t call = desk_send(&p.desk[1], &guest, "GET", path, NULL);
	while (!p.desk[1].call[call].count)
		turn(&p);
	assert_int_equal(json_array_size(json_object_get(p.desk[1].call[call].last->json, "line")), 2);
	say(&a, "resign");
	expect(&p, &a, "232 B wins on opponent resignation\r\n");
	expect(&p, &b, "= B wins on opponent resignation\r\n");
	expect(&p, &b, "232 B wins on opponent resignation\r\n");
	expect_end(&p, &a);
	expect_end(&p, &b);
	wait_sql(&p, "SELECT string_agg(name || rating, ' ' ORDER BY name) FROM imcs_user",
		 "ann984 bob1016");
	check_sql(&p, "SELECT result FROM imcs_game", "B wins on opponent resignation");
	check_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	ask(&p, &c, "ratings", " bob 1016\r\n ann 984\r\n.");
	ask(&p, &c, "list", "211 0 available games\r\n.");
	leave(&a);
	leave(&b);
	leave(&c);
	tear_down(&p);
}

/* What is sent early waits; bytes that are no text; leaving loses. */
static void test_imcs__a_visitor_who_leaves_has_lost(void **state)
{
	static struct pair p;
	static struct player a, b;
	char id[16], line[64];
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	ask(&p, &a, "register ann pw", "202 ");
	ask(&p, &b, "register bob pw", "202 ");
	offer(&p, &a, "offer B", id);
	snprintf(line, sizeof line, "accept %s\r\na2-a3\r\n\xe4\xff\x01", id);
	say(&b, line);
	expect(&p, &a, "! a2-a3\r\n");
	ask(&p, &a, "a5-a4", "");
	expect(&p, &b, "- invalid move \xe4\xff\\[01]\r\n");
	leave(&b);
	expect(&p, &a, "232 B wins on opponent disconnect\r\n");
	wait_sql(&p, "SELECT string_agg(name || rating, ' ' ORDER BY name) FROM imcs_user",
		 "ann1016 bob984");
	check_sql(&p, "SELECT log LIKE '%invalid move äÿ%' FROM imcs_game", "t");
	leave(&a);
	/* Neither server takes bytes without end from one who is not on move. */
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	ask(&p, &a, "me ann pw", "201 ");
	ask(&p, &b, "me bob pw", "201 ");
	offer(&p, &a, "offer W", id);
	accept_offer(&b, id);
	expect(&p, &b, "106 ");
	static const char zeros[4096];
	for (int i = 0; i < 1000 && !b.ended; i++) {
		send(b.socket, zeros, sizeof zeros, MSG_NOSIGNAL | MSG_DONTWAIT);
		turn(&p);
		look(&b);
	}
	expect(&p, &a, "231 W wins on opponent disconnect\r\n");
	leave(&a);
	leave(&b);
	tear_down(&p);
}

/* ---- Failures ---- */

/* Two players at two servers, in a game that was offered at the first. */
static void begin(struct pair *p, int white_at, int black_at, struct player *white,
		  struct player *black, const char *white_login, const char *black_login)
{
	char id[16];
	arrive(p, white_at, white);
	arrive(p, black_at, black);
	ask(p, white, white_login, "20");
	ask(p, black, black_login, "20");
	offer(p, white, "offer W", id);
	accept_offer(black, id);
	play(p, white, black);
}

/*
 * The server of one game dies, which is also that of a player of another game: neither has a result,
 * nor changes ratings. It is only asleep: when it wakes up, those who are still connected to it hear
 * of it.
 */
static void test_imcs__games_of_a_dead_server_have_no_result(void **state)
{
	static struct player a, b, c, d, offers, looks;
	static struct pair p;
	char id[16];
	(void)state;
	p = (struct pair){ .lease_ms = SHORT_LEASE_MS };
	open_processes(&p);
	begin(&p, 0, 1, &a, &b, "register ann pw", "register bob pw");
	begin(&p, 1, 0, &c, &d, "register cid pw", "register dot pw");
	arrive(&p, 0, &offers);
	ask(&p, &offers, "me ann pw", "201");
	offer(&p, &offers, "offer", id);
	arrive(&p, 1, &looks);
	ask(&p, &looks, "list", "211 3 available games\r\n");
	kill(p.process[0], SIGSTOP);
	sql(&p, "UPDATE node SET until = 0 WHERE id = 'one'", (char[64]){ "" });
	expect(&p, &b, "X fatal IO error: exiting\r\n");
	expect_end(&p, &b);
	expect(&p, &c, "X fatal IO error: exiting\r\n");
	expect_end(&p, &c);
	ask(&p, &looks, "list", "211 0 available games\r\n.");
	wait_sql(&p, "SELECT count(*) FROM imcs_game WHERE ended > 0 AND result <> ''", "2");
	wait_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	wait_sql(&p, "SELECT count(*) FROM play WHERE going = 1", "0");
	kill(p.process[0], SIGCONT);
	expect(&p, &a, "X fatal IO error: exiting\r\n");
	expect(&p, &d, "X fatal IO error: exiting\r\n");
	expect(&p, &offers, "421 offer countermanded\r\n");
	ask(&p, &offers, "offer", "103 ");
	check_sql(&p, "SELECT count(*) FROM imcs_user WHERE rating = 1000", "4");
	struct player *const all[] = { &a, &b, &c, &d, &offers, &looks };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		leave(all[i]);
	for (int i = 0; i < NODES; i++)
		end_process(&p, i);
}

/* Longer than a server counts as alive without it. */
static void test_imcs__a_game_goes_on_without_the_database(void **state)
{
	static struct pair p;
	static struct player a, b, c;
	(void)state;
	p = (struct pair){ .lease_ms = SHORT_LEASE_MS };
	open_pair(&p);
	begin(&p, 0, 0, &a, &b, "register ann pw", "register bob pw");
	arrive(&p, 1, &c);
	sql(&p, "UPDATE node SET until = 1", (char[64]){ "" });
	cluster_freeze(&postgres, true);
	/* The other one looks for games that nobody has, and hears of them when this one is lost. */
	hall_of(&p, 1)->left_ms = 1;
	hall_sweep(hall_of(&p, 1));
	for (int i = 0; i < NODES; i++)
		oversleep(&p, i);
	say(&a, "b2-b3");
	expect(&p, &b, "! b2-b3\r\n");
	cluster_freeze(&postgres, false);
	say(&b, "b5-b4");
	expect(&p, &a, "! b5-b4\r\n");
	/* The other one would end the game if this one stayed away for long. */
	p.stands[1] = true;
	await_found(&p, 0);
	p.stands[1] = false;
	await_found(&p, 1);
	ask(&p, &c, "list", "211 1 available games\r\n");
	say(&a, "resign");
	expect(&p, &b, "232 B wins on opponent resignation\r\n");
	wait_sql(&p, "SELECT result FROM imcs_game", "B wins on opponent resignation");
	check_sql(&p, "SELECT string_agg(name || rating, ' ' ORDER BY name) FROM imcs_user",
		  "ann984 bob1016");
	wait_sql(&p, "SELECT count(*) FROM event WHERE line LIKE '%\"move\"%'", "4");
	wait_sql(&p, "SELECT count(*) FROM play WHERE going = 1", "0");
	leave(&a);
	leave(&b);
	leave(&c);
	tear_down(&p);
}

/* A game of two players at the first server, which ends while the database is away. */
static void end_without_database(struct pair *p, struct player *a, struct player *b)
{
	*p = (struct pair){ .lease_ms = SHORT_LEASE_MS };
	open_pair(p);
	begin(p, 0, 0, a, b, "register ann pw", "register bob pw");
	cluster_halt(&postgres);
	for (int i = 0; i < NODES; i++)
		oversleep(p, i);
	say(a, "resign");
	expect(p, b, "232 B wins on opponent resignation\r\n");
	/* The other server finds the database first, and then waits for this one. */
	p->stands[0] = true;
	cluster_resume(&postgres);
	await_found(p, 1);
	desk_await_writes(&p->desk[1]);
	p->stands[0] = false;
	p->stands[1] = true;
	await_found(p, 0);
	leave(a);
	leave(b);
}

static void test_imcs__a_result_is_stored_when_the_database_is_back(void **state)
{
	static struct pair p;
	static struct player a, b, c;
	(void)state;
	end_without_database(&p, &a, &b);
	wait_sql(&p, "SELECT ended > 0 FROM imcs_game", "t");
	p.stands[1] = false;
	check_sql(&p, "SELECT result FROM imcs_game", "B wins on opponent resignation");
	check_sql(&p, "SELECT string_agg(name || rating, ' ' ORDER BY name) FROM imcs_user",
		  "ann984 bob1016");
	check_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	wait_sql(&p, "SELECT count(*) FROM play WHERE going = 1", "0");
	for (int i = 0; i < NODES; i++) {
		arrive(&p, i, &c);
		ask(&p, &c, "ratings", " bob 1016\r\n ann 984\r\n.");
		leave(&c);
	}
	tear_down(&p);
}

/* The end of its play can be stored only after its result. */
static void test_imcs__a_play_whose_end_was_not_stored_ends_later(void **state)
{
	static struct pair p;
	static struct player a, b;
	(void)state;
	set_up(&p);
	begin(&p, 0, 0, &a, &b, "register ann pw", "register bob pw");
	desk_await_writes(&p.desk[0]);
	sql(&p, "ALTER TABLE event RENAME TO away", (char[64]){ "" });
	say(&a, "resign");
	expect(&p, &b, "232 B wins on opponent resignation\r\n");
	wait_sql(&p, "SELECT result FROM imcs_game", "B wins on opponent resignation");
	desk_await_writes(&p.desk[0]);
	sql(&p, "ALTER TABLE away RENAME TO event", (char[64]){ "" });
	check_sql(&p, "SELECT count(*) FROM play WHERE going = 1", "1");
	hall_of(&p, 0)->left_ms = hall_of(&p, 1)->left_ms = INT64_MAX;
	hall_of(&p, 0)->stale_ms = 1;
	wait_sql(&p, "SELECT count(*) FROM play WHERE going = 1", "0");
	leave(&a);
	leave(&b);
	tear_down(&p);
}

static void test_imcs__ratings_are_those_of_the_server_that_ended_the_game(void **state)
{
	static struct pair p;
	static struct player a, b, c;
	(void)state;
	set_up(&p);
	begin(&p, 0, 0, &a, &b, "register ann pw", "register bob pw");
	arrive(&p, 0, &c);
	wait_sql(&p, "SELECT count(*) FROM imcs_game", "1");
	/* So that the server reads the accounts because of the result, not because they are new. */
	ask(&p, &c, "ratings", " ann 1000\r\n bob 1000\r\n.");
	sql(&p, "UPDATE imcs_game SET ended = 1, result = 'no result'", (char[64]){ "" });
	say(&a, "resign");
	expect(&p, &b, "232 B wins on opponent resignation\r\n");
	wait_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	assert_non_null(strstr(p.desk[0].log, "warn imcs: the result of game 1 is lost: "));
	/* The accounts are read in the meantime. */
	bool back = false;
	for (const int64_t until = clock_us() + PATIENCE_US; !back && clock_us() < until;) {
		const char *said = c.text + c.seen;
		ask(&p, &c, "ratings", "\r\n.\r\n");
		back = strstr(said, " ann 1000\r\n bob 1000\r\n.");
	}
	assert_true(back);
	check_sql(&p, "SELECT result FROM imcs_game", "no result");
	leave(&a);
	leave(&b);
	leave(&c);
	tear_down(&p);
}

/* ---- A server that is dead, and one that starts ---- */

/* Servers whose leases do not end in the test, and a game of a server that is dead. */
static void set_up_left(struct pair *p, int nodes)
{
	*p = (struct pair){ .place = "" };
	cluster_new_place(&postgres, p->place);
	for (int i = 0; i < nodes; i++)
		open_node(p, i);
	sql(p,
	    "INSERT INTO imcs_game (id, white, black, play, began, ended, result, log)"
	    " VALUES (7, 'ann', 'bob', '', 1, 0, '', '')",
	    (char[64]){ "" });
	sql(p,
	    "INSERT INTO imcs_entry (id, node, since, white, black, color, own_s, other_s,"
	    " white_rating, black_rating) VALUES (7, 'gone', 1, 'ann', 'bob', '', 0, 0, 1, 1)",
	    (char[64]){ "" });
}

/* The dead one may come back, with its results. */
static void test_imcs__a_server_that_starts_ends_no_games_at_once(void **state)
{
	static struct pair p;
	(void)state;
	set_up_left(&p, 1);
	open_node(&p, 1);
	desk_await_writes(&p.desk[1]); /* its timers stand still */
	check_sql(&p, "SELECT ended FROM imcs_game", "0");
	wait_sql(&p, "SELECT result FROM imcs_game", "no result");
	wait_sql(&p, "SELECT count(*) FROM imcs_entry", "0");
	tear_down(&p);
}

/* Whatever else it hears: the others may be lost just as well. */
static void test_imcs__a_server_that_is_lost_ends_no_games(void **state)
{
	static struct pair p;
	(void)state;
	set_up_left(&p, NODES);
	for (int i = 0; i < NODES; i++) {
		const struct cluster_watch *watch = p.desk[i].api->watch;
		watch->lost(watch->ctx);
		watch->died(watch->ctx, "gone");
	}
	turn_for(&p, 4000);
	check_sql(&p, "SELECT ended FROM imcs_game", "0");
	p.desk[1].api->watch->found(p.desk[1].api->watch->ctx);
	wait_sql(&p, "SELECT result FROM imcs_game", "no result");
	tear_down(&p);
}

/* ---- Limits ---- */

/* How many lines of the client were no moves. */
static int refused(struct player *g)
{
	int count = 0;
	look(g);
	for (const char *at = g->text; (at = strstr(at, "- invalid move x\r\n")); at++)
		count++;
	return count;
}

/* Lines of a visitor wait until its own server gives it more portions, with its timer. */
static void test_imcs__lines_of_a_visitor_are_limited(void **state)
{
	static struct pair p;
	static struct player a, b;
	char id[16], lines[2 * REFUSED_LINES];
	(void)state;
	set_up(&p);
	arrive(&p, 0, &a);
	arrive(&p, 1, &b);
	ask(&p, &a, "register ann pw", "202 ");
	ask(&p, &b, "register bob pw", "202 ");
	offer(&p, &a, "offer B", id);
	accept_offer(&b, id);
	expect(&p, &b, "? 05:00.000 05:00.000\r\n");
	for (int i = 0; i < REFUSED_LINES; i++)
		memcpy(lines + 2 * i, "x\n", 2);
	assert_int_equal(send(b.socket, lines, sizeof lines, MSG_NOSIGNAL), sizeof lines);
	while (!refused(&b))
		turn(&p);
	for (int i = 0; i < 3000 && refused(&b) < REFUSED_LINES; i++) {
		uv_run(&p.loop[0], UV_RUN_NOWAIT);
		for (int n = 0; n < NODES; n++)
			api_turn(p.desk[n].api);
		nap();
	}
	assert_in_range(refused(&b), 1, REFUSED_LINES - 1);
	for (const int64_t until = clock_us() + 2 * (int64_t)PATIENCE_US;
	     refused(&b) < REFUSED_LINES && clock_us() < until;)
		turn(&p);
	assert_int_equal(refused(&b), REFUSED_LINES);
	leave(&a);
	leave(&b);
	tear_down(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imcs__accounts_are_those_of_all_servers),
		cmocka_unit_test(test_imcs__many_new_accounts_are_heard_of),
		cmocka_unit_test(test_imcs__an_address_registers_so_many_in_a_day),
		cmocka_unit_test(test_imcs__offers_are_listed_and_cleaned_everywhere),
		cmocka_unit_test(test_imcs__players_of_a_game_are_at_two_servers),
		cmocka_unit_test(test_imcs__a_visitor_who_leaves_has_lost),
		cmocka_unit_test(test_imcs__games_of_a_dead_server_have_no_result),
		cmocka_unit_test(test_imcs__a_game_goes_on_without_the_database),
		cmocka_unit_test(test_imcs__a_result_is_stored_when_the_database_is_back),
		cmocka_unit_test(test_imcs__a_play_whose_end_was_not_stored_ends_later),
		cmocka_unit_test(test_imcs__ratings_are_those_of_the_server_that_ended_the_game),
		cmocka_unit_test(test_imcs__a_server_that_starts_ends_no_games_at_once),
		cmocka_unit_test(test_imcs__a_server_that_is_lost_ends_no_games),
		cmocka_unit_test(test_imcs__lines_of_a_visitor_are_limited),
	};
	if (!cluster_start(&postgres))
		return 0;
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	cluster_stop(&postgres);
	return failed;
}
