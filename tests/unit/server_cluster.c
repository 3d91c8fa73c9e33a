/*
 * server_cluster.c - two servers on one database: requests for a game of the other one, a server
 * that dies, one that does not notice that it counts as dead.
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>

#include "support/accounts.h"
#include "support/pair.h"

#define PLAYS "/api/v1/plays"

static const char two_people[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";

static size_t moves_of(const json_t *play)
{
	return json_array_size(json_object_get(play, "line"));
}

static json_int_t in_memory(struct pair *p, int at, const struct visitor *who)
{
	return json_integer_value(
		json_object_get(pair_ask(p, at, who, "/api/v1/health", NULL, 200), "plays"));
}

/* The first server counts as dead, which the second one notices. */
static void die(struct pair *p)
{
	char out[64];
	pair_sql(p, "UPDATE node SET until = 1 WHERE id = 'one'", out);
	pair_hasten(p, 1, !cluster_is_other(p->desk[1].api, "one"));
}

static void close_node(struct pair *p, int at)
{
	api_close(p->desk[at].api);
	p->desk[at].api = NULL;
}

/* Begins a game at the first server. */
static const char *begin(struct pair *p, const struct visitor *who)
{
	return desk_text(pair_ask(p, 0, who, PLAYS, two_people, 201), "id");
}

/* Follows a game at a server; its first line has come then. */
static uint64_t follow(struct pair *p, int at, const struct visitor *who, const char *id)
{
	const uint64_t call = pair_send(p, at, who, play_path(id, "/events"), NULL);
	pair_wait(p, at, call, 1);
	return call;
}

/* ---- Passing on ---- */

/* Of the games of the first server. */
static json_int_t watchers(struct pair *p, const struct visitor *who)
{
	const json_t *health = pair_ask(p, 0, who, "/api/v1/health", NULL, 200);
	return json_integer_value(json_object_get(health, "watchers"));
}

static void test_cluster__a_game_is_played_through_both_servers(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	const uint64_t far = follow(&p, 1, &a, id);
	assert_true(p.desk[1].call[far].last->stream);
	pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	pair_wait(&p, 1, far, 2);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"1\"}", 200);
	pair_wait(&p, 1, far, 3);
	pair_wait(&p, 0, near, 3);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"1\"}", 409);
	assert_int_equal(moves_of(pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200)), 2);
	pair_ask(&p, 1, &a, play_path(id, "/record?format=pgn"), NULL, 200);
	/* Only its owner has it. */
	assert_int_equal(in_memory(&p, 0, &a), 1);
	assert_int_equal(in_memory(&p, 1, &a), 0);
	pair_ask(&p, 1, &a, play_path("Anone12345678901", ""), NULL, 404);
	/* Who leaves here has left there. */
	assert_int_equal(watchers(&p, &a), 2);
	api_cancel(p.desk[1].api, far);
	pair_until(&p, watchers(&p, &a) == 1);
	assert_string_equal(p.desk[0].fault, "");
	assert_string_equal(p.desk[1].fault, "");
	pair_tear_down(&p);
}

static void test_cluster__names_change_everywhere(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]), b = desk_visitor(&p.desk[0]);
	static const char open_seat[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";
	const char *here = desk_text(pair_ask(&p, 1, &a, PLAYS, open_seat, 201), "id");
	/* The other server has the old name in its cache. */
	pair_ask(&p, 1, &b, "/api/v1/me", NULL, 200);
	pair_ask(&p, 0, &b, "/api/v1/me", "{\"name\":\"Bea\"}", 200);
	pair_until(&p, strcmp(desk_text(pair_ask(&p, 1, &b, "/api/v1/me", NULL, 200), "name"),
			      "Bea") == 0);
	const json_t *joined =
		pair_ask(&p, 1, &b, play_path(here, "/actions"), "{\"action\":\"join\"}", 200);
	assert_string_equal(
		desk_text(json_array_get(json_object_get(joined, "seats"), 1), "name"), "Bea");
	pair_tear_down(&p);
}

/* The visitor of the last answer's cookie, at a server. */
static struct visitor enter(struct pair *p, int at, int to)
{
	struct visitor who;
	char cookie[API_COOKIE];
	desk_cookie(&p->desk[at], cookie);
	assert_true(api_identify(p->desk[to].api, cookie, NULL, "127.0.0.1", &who));
	assert_false(who.fresh);
	return who;
}

/* The name in the first seat, as a server shows it. */
static const char *first_name(struct pair *p, int at, const struct visitor *who, const char *id)
{
	const json_t *play = pair_ask(p, at, who, play_path(id, ""), NULL, 200);
	return desk_text(json_array_get(json_object_get(play, "seats"), 0), "name");
}

static void test_cluster__an_account_holds_and_goes_everywhere(void **state)
{
	static const char login[] = "{\"name\":\"Annabel\",\"password\":\"" PASSWORD "\"}";
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor guest = desk_visitor(&p.desk[0]), bea = desk_visitor(&p.desk[0]);
	int ended = p.desk[1].ended;
	pair_ask(&p, 0, &guest, "/api/v1/accounts", login, 201);
	const struct visitor here = enter(&p, 0, 0), there = enter(&p, 0, 1);
	/* The other server hears that the guest's cookie has ended. */
	pair_until(&p, p.desk[1].ended != ended);
	pair_ask(&p, 1, &there, "/api/v1/me", NULL, 200);
	pair_ask(&p, 1, &guest, "/api/v1/me", NULL, 401);
	static const char open_seat[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";
	const char *id = desk_text(pair_ask(&p, 1, &there, PLAYS, open_seat, 201), "id");
	pair_ask(&p, 1, &bea, play_path(id, "/actions"), "{\"action\":\"join\"}", 200);
	assert_string_equal(first_name(&p, 1, &bea, id), "Annabel");
	/* The server that deletes the account is not that which has the game. */
	ended = p.desk[1].ended;
	pair_ask(&p, 0, &here, "/api/v1/account/delete", "{\"password\":\"" PASSWORD "\"}", 200);
	pair_until(&p, p.desk[1].ended != ended);
	pair_ask(&p, 1, &there, "/api/v1/me", NULL, 401);
	pair_until(&p, strcmp(first_name(&p, 1, &bea, id), "Deleted user") == 0);
	assert_string_equal(first_name(&p, 0, &bea, id), "Deleted user");
	assert_string_equal(p.desk[0].fault, "");
	assert_string_equal(p.desk[1].fault, "");
	pair_tear_down(&p);
}

/* By the operator's command, beside the server that has it in memory. */
static void test_cluster__a_game_that_is_deleted_beside_them_goes(void **state)
{
	static struct pair p;
	struct store *store;
	struct qv_error error;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	const char *other = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	const uint64_t far = follow(&p, 1, &a, id);
	const struct store_setup setup = { .folder = p.desk[0].folder,
					   .place = p.place,
					   .shared = true };
	assert_int_equal(store_open(&setup, &store, &error), QV_OK);
	assert_int_equal(store_delete_play(store, id, 1700000000), QV_OK);
	store_close(store);
	pair_wait(&p, 0, near, INT_MAX);
	pair_wait(&p, 1, far, INT_MAX);
	for (int i = 0; i < NODES; i++) {
		pair_ask(&p, i, &a, play_path(id, ""), NULL, 404);
		pair_ask(&p, i, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 404);
		pair_ask(&p, i, &a, play_path(other, ""), NULL, 200);
		assert_string_equal(p.desk[i].fault, "");
	}
	pair_tear_down(&p);
}

static size_t count(const json_t *object, const char *key)
{
	return json_array_size(json_object_get(object, key));
}

/* Until the lobby, as a follower at the second server sees it, has so many open games. */
static void wait_for_open(struct pair *p, uint64_t follows, size_t games)
{
	pair_until(p, count(p->desk[1].call[follows].last->json, "open") == games);
}

/* Lists have the games of all servers, wherever they are asked for. */
static void test_cluster__lists_have_the_games_of_both_servers(void **state)
{
	static const char open_seat[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const uint64_t follows = pair_send(&p, 1, &a, "/api/v1/lobby/events", NULL);
	pair_wait(&p, 1, follows, 1);
	const char *first = desk_text(pair_ask(&p, 0, &a, PLAYS, open_seat, 201), "id");
	pair_ask(&p, 1, &a, PLAYS, open_seat, 201);
	const char *watched = begin(&p, &a);
	pair_wait(&p, 0, pair_send(&p, 0, &a, play_path(watched, "/events"), NULL), 1);
	for (int at = 0; at < NODES; at++) {
		const json_t *lobby = pair_ask(&p, at, &a, "/api/v1/lobby", NULL, 200);
		assert_int_equal(count(lobby, "open"), 2);
		assert_int_equal(count(lobby, "going"), 1);
		assert_int_equal(count(pair_ask(&p, at, &a, "/api/v1/me", NULL, 200), "plays"), 3);
	}
	/* Whoever follows the lobby hears of changes elsewhere. */
	wait_for_open(&p, follows, 2);
	pair_ask(&p, 0, &a, play_path(first, "/actions"), "{\"action\":\"resign\"}", 200);
	wait_for_open(&p, follows, 1);
	/* A server that does not answer is left out. */
	p.stopped[0] = true;
	const uint64_t call = pair_send(&p, 1, &a, "/api/v1/lobby", NULL);
	die(&p);
	const struct desk_answer *lobby = pair_wait(&p, 1, call, 1);
	assert_int_equal(lobby->status, 200);
	assert_int_equal(count(lobby->json, "open"), 1);
	assert_string_equal(p.desk[0].fault, "");
	assert_string_equal(p.desk[1].fault, "");
	pair_tear_down(&p);
}

/* Servers with different secrets would refuse each other's cookies. */
static void test_cluster__a_server_with_another_secret_is_refused(void **state)
{
	static struct pair p;
	struct qv_error error = { "" };
	struct api *other = NULL;
	char folder[64] = "test-api-XXXXXX", secret[128], keep[128];
	(void)state;
	pair_set_up(&p);
	assert_non_null(mkdtemp(folder));
	snprintf(secret, sizeof secret, "%s/secret", p.desk[0].folder);
	snprintf(keep, sizeof keep, "%s/kept", folder);
	assert_int_equal(rename(secret, keep), 0);
	snprintf(secret, sizeof secret, "%s/lock", p.desk[0].folder);
	unlink(secret);
	const struct api_setup setup = { .context = p.desk[0].context,
					 .data = p.desk[0].folder,
					 .workers = 1,
					 .hash_mb = 1,
					 .host = { .respond = desk_answer,
						   .wake = desk_wake,
						   .now_ms = desk_now,
						   .seconds = desk_seconds,
						   .ctx = &p.desk[0] },
					 .cluster = { "three", LEASE_MS, pair_send_mail, &p } };
	assert_int_equal(api_open(&setup, &other, &error), QV_IO);
	assert_memory_equal(error.text, "secret: another server", 22);
	desk_remove(folder);
	pair_tear_down(&p);
}

/* ---- Taking over ---- */

static void test_cluster__the_games_of_a_dead_server_are_taken_over(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	const uint64_t far = follow(&p, 1, &a, id);
	p.stopped[0] = true;
	const uint64_t look = pair_send(&p, 1, &a, play_path(id, ""), NULL);
	const uint64_t move = pair_send(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"1\"}");
	die(&p);
	assert_int_equal(pair_wait(&p, 1, move, 1)->status, 503);
	assert_int_equal(moves_of(pair_wait(&p, 1, look, 1)->json), 1);
	assert_true(p.desk[1].call[far].ended);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"1\"}", 200);
	assert_int_equal(in_memory(&p, 1, &a), 1);
	/* It was only asleep: it drops what it had, and passes requests on. */
	p.stopped[0] = false;
	pair_oversleep(&p, 0);
	assert_int_equal(moves_of(pair_ask(&p, 0, &a, play_path(id, ""), NULL, 200)), 2);
	pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"2\"}", 200);
	assert_int_equal(moves_of(pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200)), 3);
	pair_tear_down(&p);
}

/* Its clock stands, so it believes to be alive: but nothing that it writes counts. */
static void test_cluster__a_server_that_was_taken_over_cannot_write(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	struct api_desk *old = &p.desk[0];
	const struct visitor a = desk_visitor(old);
	const char *id = begin(&p, &a);
	old->now = desk_now(old);
	old->frozen = true;
	p.stopped[0] = true;
	die(&p);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	p.stopped[0] = false;
	pair_ask(&p, 0, &a, play_path(id, "/moves"), "{\"move\":\"9\"}", 503);
	old->frozen = false;
	pair_oversleep(&p, 0);
	const json_t *play = pair_ask(&p, 0, &a, play_path(id, ""), NULL, 200);
	assert_int_equal(moves_of(play), 1);
	assert_int_equal(in_memory(&p, 1, &a), 1);
	pair_tear_down(&p);
}

/*
 * As after a step of the database's clock: for a moment the row of a server does not hold, and the
 * other one takes its game. By its own clock it was alive all the time; still it must not show the
 * game any more.
 */
static void test_cluster__a_server_learns_that_its_game_was_taken(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	struct api_desk *old = &p.desk[0];
	const struct visitor a = desk_visitor(old);
	const char *id = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	old->now = desk_now(old);
	old->frozen = true;
	p.stopped[0] = true;
	die(&p);
	pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	p.stopped[0] = false;
	/* With PostgreSQL a message says so; otherwise the next sign of life, which is due. */
	old->now += *p.place ? 0 : LEASE_MS / 4;
	pair_wait(&p, 0, near, INT_MAX);
	assert_true(old->call[near].ended);
	/* Without a bus it has to join again, too. */
	pair_until(&p, pair_wait(&p, 0, pair_send(&p, 0, &a, play_path(id, ""), NULL), 1)->status !=
			       503);
	assert_int_equal(moves_of(pair_ask(&p, 0, &a, play_path(id, ""), NULL, 200)), 1);
	assert_int_equal(in_memory(&p, 1, &a), 1);
	/* It is alive again. */
	const char *next = begin(&p, &a);
	pair_ask(&p, 0, &a, play_path(next, "/moves"), "{\"move\":\"5\"}", 200);
	old->frozen = false;
	pair_tear_down(&p);
}

/* The message of the server that takes a game comes before the next sign of life. */
static void test_cluster__who_takes_a_game_says_so(void **state)
{
	static struct pair p;
	char message[200];
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	for (int epoch = 0; epoch < 2; epoch++) {
		snprintf(message, sizeof message,
			 "{\"claimed\":\"%s\",\"epoch\":%d,\"from\":\"two\"}", id, epoch);
		api_hear(p.desk[0].api, message);
		assert_int_equal(p.desk[0].call[near].ended, epoch);
	}
	pair_tear_down(&p);
}

/*
 * In manual mode with SQLite: a new game whose server seems to be gone, which the first server has
 * claimed and is about to read.
 */
static uint64_t claim_game(struct pair *p, const struct visitor *a, char id[64])
{
	char sql[200], out[64];
	struct api_desk *d = &p->desk[0];
	snprintf(id, 64, "%s", begin(p, a));
	snprintf(sql, sizeof sql, "UPDATE play SET node = 'gone', epoch = 7 WHERE id = '%s'", id);
	pair_sql(p, sql, out);
	pair_ask(p, 0, a, play_path(id, "/moves"), "{\"move\":\"5\"}", 503);
	const uint64_t call = pair_send(p, 0, a, play_path(id, ""), NULL);
	snprintf(sql, sizeof sql, "SELECT epoch FROM play WHERE id = '%s'", id);
	while (database_number(d->folder, sql) == 7) {
		api_turn(d->api);
		api_step(d->api, API_STORE);
	}
	return call;
}

static void test_cluster__a_game_that_was_taken_while_it_was_loaded(void **state)
{
	static struct pair p;
	char sql[200], id[64], out[64];
	(void)state;
	pair_set_up_with(&p, 100, LEASE_MS, true);
	struct api_desk *d = &p.desk[0];
	d->now = desk_now(d);
	d->frozen = true;
	const struct visitor a = desk_visitor(d);
	/* The other one claims it before it is read. */
	uint64_t call = claim_game(&p, &a, id);
	snprintf(sql, sizeof sql, "UPDATE play SET node = 'two', epoch = 9 WHERE id = '%s'", id);
	pair_sql(&p, sql, out);
	assert_int_equal(pair_wait(&p, 0, call, 1)->status, 503);
	assert_int_equal(in_memory(&p, 0, &a), 0);
	/* It is read, and before that is delivered, the server learns that it counted as dead. */
	call = claim_game(&p, &a, id);
	pair_sql(&p, "UPDATE node SET until = 1 WHERE id = 'one'", out);
	d->now += LEASE_MS / 4;
	api_turn(d->api); /* queues a sign of life, behind the lines */
	while (api_step(d->api, API_STORE))
		continue;
	assert_int_equal(pair_wait(&p, 0, call, 1)->status, 503);
	assert_int_equal(in_memory(&p, 0, &a), 0);
	pair_until(&p, !cluster_is_lost(d->api));
	assert_int_equal(moves_of(pair_ask(&p, 0, &a, play_path(id, ""), NULL, 200)), 0);
	pair_tear_down(&p);
}

/* A stream whose follower is not known here, after a restart perhaps: it ends there. */
static void test_cluster__a_stream_that_nobody_follows_is_cancelled(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	pair_deliver(&p);
	api_hear(p.desk[0].api, "{\"reply\":[999,3],\"status\":200,\"stream\":true,"
				"\"end\":false,\"type\":\"application/x-ndjson\",\"text\":\"{}\","
				"\"from\":\"two\"}");
	assert_non_null(p.first);
	assert_int_equal(p.first->to, 1);
	assert_non_null(strstr(p.first->text, "\"cancel\":999"));
	pair_tear_down(&p);
}

/* Its clients connect to another server, and it need not wait for them. */
static void test_cluster__a_server_that_drains_ends_streams_of_games_elsewhere(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	const uint64_t far = follow(&p, 1, &a, id);
	api_drain(p.desk[1].api);
	assert_true(pair_wait(&p, 1, far, 2)->end);
	pair_until(&p, watchers(&p, &a) == 1);
	assert_false(p.desk[0].call[near].last->end);
	/* A request for a stream may be under way meanwhile. */
	const uint64_t late = pair_send(&p, 1, &a, play_path(id, "/events"), NULL);
	api_drain(p.desk[1].api);
	assert_false(pair_wait(&p, 1, late, 1)->end);
	api_drain(p.desk[1].api);
	assert_true(pair_wait(&p, 1, late, 2)->end);
	/* Visitors of the other server are not sent away again and again. */
	const uint64_t first = follow(&p, 1, &a, id);
	api_drain(p.desk[0].api);
	assert_true(pair_wait(&p, 1, first, 2)->end);
	const uint64_t second = follow(&p, 1, &a, id);
	api_drain(p.desk[0].api);
	pair_turn_for(&p, 50);
	assert_false(p.desk[1].call[second].last->end);
	pair_tear_down(&p);
}

/* The other one hears of it: with this lease it would not notice. */
static void test_cluster__a_server_that_closes_leaves_its_games(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200);
	const uint64_t far = follow(&p, 1, &a, id);
	close_node(&p, 0);
	pair_wait(&p, 1, far, INT_MAX);
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	assert_int_equal(moves_of(pair_ask(&p, 1, &a, play_path(id, ""), NULL, 200)), 1);
	assert_int_equal(in_memory(&p, 1, &a), 1);
	pair_tear_down(&p);
}

static bool is_ready(struct pair *p, int at, const struct visitor *who)
{
	const uint64_t call = pair_send(p, at, who, "/api/v1/health/ready", NULL);
	return pair_wait(p, at, call, 1)->status == 200;
}

/* Nothing is heard from the database, and no connection breaks: nobody may wait for it. */
static void test_cluster__a_server_without_its_database_says_so(void **state)
{
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	const struct visitor a = desk_visitor(&p.desk[0]);
	const char *id = begin(&p, &a);
	const uint64_t near = follow(&p, 0, &a, id);
	const uint64_t far = follow(&p, 1, &a, id);
	cluster_freeze(&postgres, true);
	for (int i = 0; i < NODES; i++) {
		pair_pass(&p, i, LEASE_MS);
		pair_until(&p, cluster_is_lost(p.desk[i].api));
	}
	for (int i = 0; i < NODES; i++) {
		pair_ask(&p, i, &a, "/api/v1/health/ready", NULL, 503);
		assert_true(p.desk[i].call[i ? far : near].ended);
		pair_ask(&p, i, &a, "/api/v1/me", NULL, 503);
		pair_ask(&p, i, &a, "/api/v1/me/games", NULL, 503);
		pair_ask(&p, i, &a, play_path(id, ""), NULL, 503);
		pair_ask(&p, i, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 503);
	}
	cluster_freeze(&postgres, false);
	for (int i = 0; i < NODES; i++)
		pair_hasten(&p, i, is_ready(&p, i, &a));
	pair_ask(&p, 1, &a, play_path(id, "/moves"), "{\"move\":\"5\"}", 200);
	assert_int_equal(moves_of(pair_ask(&p, 0, &a, play_path(id, ""), NULL, 200)), 1);
	pair_tear_down(&p);
}

/* PostgreSQL goes away in the middle of a commit, and the server ends before it is back. */
static void test_cluster__a_move_whose_end_is_unknown_is_sent_again(void **state)
{
	static struct pair p;
	static const char move[] = "{\"move\":\"5\",\"ply\":0}";
	char sql[600], out[64] = "";
	(void)state;
	pair_set_up(&p);
	struct api_desk *d = &p.desk[0];
	const struct visitor a = desk_visitor(d);
	const char *id = begin(&p, &a);
	snprintf(sql, sizeof sql,
		 "SET search_path = %s; CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
		 " $$ BEGIN PERFORM pg_sleep(15); RETURN NEW; END $$;"
		 "CREATE TRIGGER slow BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION slow()",
		 strstr(p.place, "%3D") + 3);
	cluster_sql(&postgres, sql, out);
	const uint64_t call = pair_send(&p, 0, &a, play_path(id, "/moves"), move);
	while (strcmp(out, "1") != 0) {
		pair_turn(&p);
		cluster_sql(&postgres,
			    "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'",
			    out);
	}
	close_node(&p, 1); /* it would wait, too */
	cluster_halt(&postgres);
	api_close(d->api);
	assert_int_equal(d->call[call].last->status, 503);
	assert_non_null(strstr(d->call[call].last->text, "unknown whether this was stored"));
	cluster_resume(&postgres);
	snprintf(sql, sizeof sql, "SET search_path = %s; DROP TRIGGER slow ON event",
		 strstr(p.place, "%3D") + 3);
	cluster_sql(&postgres, sql, out);
	desk_api_open(d);
	/* Whatever became of it, it is made once. */
	for (int i = 0; i < 2; i++)
		desk_ask(d, &a, "POST", play_path(id, "/moves"), move, 200);
	assert_int_equal(moves_of(desk_ask(d, &a, "GET", play_path(id, ""), NULL, 200)), 1);
	pair_tear_down(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cluster__a_game_is_played_through_both_servers),
		cmocka_unit_test(test_cluster__names_change_everywhere),
		cmocka_unit_test(test_cluster__an_account_holds_and_goes_everywhere),
		cmocka_unit_test(test_cluster__a_game_that_is_deleted_beside_them_goes),
		cmocka_unit_test(test_cluster__lists_have_the_games_of_both_servers),
		cmocka_unit_test(test_cluster__a_server_with_another_secret_is_refused),
		cmocka_unit_test(test_cluster__the_games_of_a_dead_server_are_taken_over),
		cmocka_unit_test(test_cluster__a_server_that_was_taken_over_cannot_write),
		cmocka_unit_test(test_cluster__a_server_learns_that_its_game_was_taken),
		cmocka_unit_test(test_cluster__who_takes_a_game_says_so),
		cmocka_unit_test(test_cluster__a_game_that_was_taken_while_it_was_loaded),
		cmocka_unit_test(test_cluster__a_stream_that_nobody_follows_is_cancelled),
		cmocka_unit_test(
			test_cluster__a_server_that_drains_ends_streams_of_games_elsewhere),
		cmocka_unit_test(test_cluster__a_server_that_closes_leaves_its_games),
	};
	/* With PostgreSQL and its bus; a server that only rests is alive there. */
	const struct CMUnitTest shared[] = {
		cmocka_unit_test(test_cluster__a_game_is_played_through_both_servers),
		cmocka_unit_test(test_cluster__lists_have_the_games_of_both_servers),
		cmocka_unit_test(test_cluster__an_account_holds_and_goes_everywhere),
		cmocka_unit_test(test_cluster__a_game_that_is_deleted_beside_them_goes),
		cmocka_unit_test(test_cluster__a_server_learns_that_its_game_was_taken),
		cmocka_unit_test(test_cluster__a_server_that_closes_leaves_its_games),
		cmocka_unit_test(test_cluster__a_server_without_its_database_says_so),
		cmocka_unit_test(test_cluster__a_move_whose_end_is_unknown_is_sent_again),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, shared);
}
