/*
 * server_shared.c - what two servers on one database count and end together: guesses at passwords,
 * rate limits, ratings of puzzles, sessions and tokens.
 * SPDX-License-Identifier: MIT
 */
#include <limits.h>

#include "server/api/limits.h"
#include "server/api/login_limits.h"
#include "server/store/privacy.h"
#include "support/accounts.h"
#include "support/desk_writes.h"
#include "support/pair.h"

#define PLAYS "/api/v1/plays"

enum { POLL_MS = 500 }; /* between two looks for what has ended */

/* An account of the name Ada; its first cookie, until the next request. */
static const char *new_account(struct pair *p)
{
	const struct visitor who = desk_visitor(&p->desk[0]);
	pair_ask(p, 0, &who, "/api/v1/accounts",
		 "{\"name\":\"Ada\",\"password\":\"" PASSWORD "\"}", 201);
	return p->desk[0].call[p->desk[0].calls].last->cookie;
}

static void restart(struct pair *p)
{
	for (int i = NODES - 1; i >= 0; i--)
		api_close(p->desk[i].api);
	for (int i = 0; i < NODES; i++)
		pair_open(p, i);
}

/* ---- Guesses ---- */

/* From an address that nobody else has. */
static struct visitor stranger(struct api_desk *d)
{
	static int count;
	struct visitor who = desk_visitor(d);
	count++;
	snprintf(who.address, sizeof who.address, "10.1.%d.%d", count / 200, count % 200);
	return who;
}

static uint64_t try(struct pair *p, int at, const struct visitor *who, const char *password)
{
	char body[128];
	snprintf(body, sizeof body, "{\"name\":\"%s\",\"password\":\"%s\"}", at ? "Ada" : "aDA",
		 password);
	return pair_send(p, at, who, "/api/v1/login", body);
}

/* How many may be made by the clock beyond those at the same moment: after 1 s, 3 s, 7 s, ... */
static int more_guesses(int64_t since_us)
{
	const int64_t seconds = (clock_us() - since_us) / 1000000;
	int count = 0;
	while (seconds >= (INT64_C(2) << count) - 1)
		count++;
	return count;
}

/* Many guesses at the same moment, in turn at both servers: how many were let through. */
static int guess_at_once(struct pair *p, int count)
{
	uint64_t calls[64];
	int let_through = 0;
	for (int i = 0; i < count; i++) {
		const struct visitor who = stranger(&p->desk[i % NODES]);
		calls[i] = try(p, i % NODES, &who, "wrong horse");
	}
	for (int i = 0; i < count; i++) {
		const int status = pair_wait(p, i % NODES, calls[i], 1)->status;
		assert_true(status == 401 || status == 429);
		let_through += status == 401;
	}
	return let_through;
}

static int guess_rows(const struct pair *p)
{
	char out[64];
	pair_sql(p, "SELECT count(*) FROM guess", out);
	return atoi(out);
}

static void test_shared__guesses_at_a_name(void **state)
{
	static struct pair p;
	char out[64], device[API_COOKIE];
	(void)state;
	pair_set_up(&p);
	new_account(&p);
	struct visitor owner = stranger(&p.desk[1]);
	snprintf(device, sizeof device, "%s",
		 pair_wait(&p, 1, try(&p, 1, &owner, PASSWORD), 1)->device);
	const int64_t began = clock_us();
	const int let_through = guess_at_once(&p, 20);
	assert_in_range(let_through, LIMIT_GUESSES, LIMIT_GUESSES + more_guesses(began));
	pair_sql(&p, "UPDATE guess SET next = last + 360000", out);
	/* Neither the right password, nor the other server, nor a restart helps... */
	restart(&p);
	for (int i = 0; i < NODES; i++) {
		const struct visitor who = stranger(&p.desk[i]);
		assert_int_equal(pair_wait(&p, i, try(&p, i, &who, PASSWORD), 1)->status, 429);
	}
	/* ... but a device that is known at the other server. */
	owner = stranger(&p.desk[0]);
	api_know_device(p.desk[0].api, device, &owner);
	assert_int_equal(pair_wait(&p, 0, try(&p, 0, &owner, PASSWORD), 1)->status, 200);
	/* The next one waits twice as long, up to the most; time heals. */
	pair_sql(&p, "UPDATE guess SET next = last, wrong = 20, last = last - 200000", out);
	assert_int_equal(guess_at_once(&p, 4), 1);
	pair_sql(&p, "SELECT max(next - last) FROM guess", out);
	assert_string_equal(out, "360000");
	pair_sql(&p, "UPDATE guess SET next = next - 3600000, last = last - 3600000", out);
	const struct visitor back = stranger(&p.desk[1]);
	assert_int_equal(pair_wait(&p, 1, try(&p, 1, &back, PASSWORD), 1)->status, 200);
	pair_until(&p, guess_rows(&p) == 0);
	pair_tear_down(&p);
}

static void count_guess(void *ctx, int64_t wait)
{
	int *counts = ctx;
	assert_true(wait >= 0);
	counts[wait > 0]++;
}

/* As the IMCS server counts them. */
static void test_shared__guesses_at_any_secret(void **state)
{
	static struct pair p;
	int counts[2] = { 0 };
	(void)state;
	pair_set_up(&p);
	const int64_t began = clock_us();
	for (int i = 0; i < 40; i++)
		login_guess(p.desk[i % NODES].api, "imcs ann ", count_guess, counts);
	while (counts[0] + counts[1] < 40)
		pair_turn(&p);
	const int let_through = counts[0];
	assert_in_range(let_through, LIMIT_GUESSES, LIMIT_GUESSES + more_guesses(began));
	login_guessed(p.desk[1].api, "imcs ann ");
	pair_until(&p, guess_rows(&p) == 0);
	login_guess(p.desk[0].api, "imcs ann ", count_guess, counts);
	login_guess(p.desk[0].api, "imcs bob ", count_guess, counts);
	while (counts[0] + counts[1] < 42)
		pair_turn(&p);
	assert_int_equal(counts[0], let_through + 2);
	pair_tear_down(&p);
}

/* ---- Rate limits ---- */

enum { STEP_MS = 50, SECONDS = 30, SHORT_LEASE_MS = 1000 };

/* Letters with charges that wait, and the charges in them. */
static int count_charges(const struct pair *p, int *letters)
{
	int count = 0;
	for (const struct mail *mail = p->first; mail; mail = mail->next) {
		json_t *json = json_loads(mail->text, 0, NULL);
		const size_t size = json_array_size(json_object_get(json, "charges"));
		*letters += mail->to == 1 && size > 0;
		count += mail->to == 1 ? (int)size : 0;
		json_decref(json);
	}
	return count;
}

/* Clocks that the test turns: all turns, steps and letters come in the same order each time. */
static void test_shared__requests_at_both_servers_have_one_limit(void **state)
{
	static struct pair p;
	struct limits *limits[NODES];
	int allowed = 0, letters = 0, charges = 0;
	(void)state;
	pair_set_up_with(&p, 1, SHORT_LEASE_MS, true);
	for (int i = 0; i < NODES; i++) {
		limits[i] = limits_new(1, 0);
		assert_non_null(limits[i]);
		api_share_limits(p.desk[i].api, limits[i]);
		p.desk[i].now = desk_now(&p.desk[0]);
		p.desk[i].frozen = true;
	}
	for (int ms = 0; ms < 1000 * SECONDS; ms += STEP_MS) {
		for (int i = 0; i < NODES; i++)
			for (int k = 0; k < 10; k++)
				allowed += limits_request(limits[i], "1.2.3.4", p.desk[i].now);
		for (int i = 0; i < NODES; i++) {
			p.desk[i].now += STEP_MS;
			api_turn(p.desk[i].api);
			desk_step(&p.desk[i]);
			api_turn(p.desk[i].api);
		}
		charges += count_charges(&p, &letters);
		pair_deliver(&p);
	}
	/* The rate, the burst of each, and what the other did not know yet. */
	const int late = LIMIT_RATE * (SHORT_LEASE_MS / 6 + STEP_MS) / 1000 +
			 LIMIT_BURST / 8 + 1;
	assert_in_range(allowed, LIMIT_RATE * SECONDS * 9 / 10,
			LIMIT_RATE * SECONDS + NODES * LIMIT_BURST + (NODES - 1) * late);
	/* Not token by token, and no more often than signs of life. */
	assert_in_range(charges, 1, allowed * 8 / LIMIT_BURST + NODES);
	assert_in_range(letters, 1, NODES * (1000 * SECONDS * 6 / SHORT_LEASE_MS + 1));
	/* Others are not concerned; whoever takes little is not spoken of. */
	for (int i = 0; i < 4; i++)
		assert_true(limits_request(limits[i % 2], "1.2.3.5", p.desk[0].now));
	p.desk[0].now += SHORT_LEASE_MS;
	api_turn(p.desk[0].api);
	charges = 0;
	for (const struct mail *mail = p.first; mail; mail = mail->next)
		charges += strstr(mail->text, "1.2.3.5") != NULL;
	assert_int_equal(charges, 0);
	pair_tear_down(&p);
	for (int i = 0; i < NODES; i++)
		limits_free(limits[i]);
}

/* The limits of routes, through whatever the servers talk with: five accounts a minute in all. */
static void test_shared__a_limit_of_a_route_is_told(void **state)
{
	static struct pair p;
	static const char taken[] = "{\"name\":\"x\",\"password\":\"" PASSWORD "\"}";
	static const char open_seat[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}";
	int tried[NODES] = { 0 };
	(void)state;
	pair_set_up_with(&p, 1, LEASE_MS, false);
	for (int i = 0; i < NODES; i++) {
		p.desk[i].now = desk_now(&p.desk[i]);
		p.desk[i].frozen = true;
	}
	const struct visitor who = stranger(&p.desk[0]), other = stranger(&p.desk[1]);
	const uint64_t lobby = pair_send(&p, 1, &other, "/api/v1/lobby/events", NULL);
	pair_wait(&p, 1, lobby, 1);
	while (pair_wait(&p, 0, pair_send(&p, 0, &who, "/api/v1/accounts", taken), 1)->status != 429)
		tried[0]++;
	assert_int_equal(tried[0], 5);
	/*
	 * It refuses before it has let through any more, once it was told: with a sign of life, and
	 * before anything that the first one tells later. The lobby is shown at most once a second.
	 */
	desk_await_writes(&p.desk[0]); /* the sign of life before it is written, so there is a next one */
	pair_pass(&p, 0, LEASE_MS / 6);
	pair_rest(&p);
	pair_ask(&p, 0, &who, PLAYS, open_seat, 201);
	pair_pass(&p, 1, 1000);
	pair_wait(&p, 1, lobby, 2);
	while (pair_wait(&p, 1, pair_send(&p, 1, &who, "/api/v1/accounts", taken), 1)->status != 429)
		tried[1]++;
	assert_int_equal(tried[1], 0);
	pair_ask(&p, 1, &other, "/api/v1/accounts", taken, 400);
	pair_tear_down(&p);
}

static void test_shared__bad_charges_do_nothing(void **state)
{
	static const char *const bad[] = {
		"{\"from\":\"x\",\"charges\":1}",
		"{\"from\":\"x\",\"charges\":{}}",
		"{\"from\":\"x\",\"charges\":[]}",
		"{\"from\":\"x\",\"charges\":[1,null,[],[0],[[]],{\"a\":1}]}",
		"{\"from\":\"x\",\"charges\":[[0,\"request 1\",-1,10,10],[0,\"request 1\",0,10,10]]}",
		"{\"from\":\"x\",\"charges\":[[0,\"request 1\",1,-10,10],[0,\"request 1\",1,1,0.5]]}",
		"{\"from\":\"x\",\"charges\":[[0,\"request 1\",1e300,1,1],[0,\"request 1\",1,1,1e300]]}",
		"{\"from\":\"x\",\"charges\":[[0,\"\",1,10,10],[0,7,1,10,10],[0,null,1,10,10]]}",
		"{\"from\":\"x\",\"charges\":[[2,\"a\",1,10,10],[-1,\"a\",1,10,10],[1e9,\"a\",1,9,9]]}",
	};
	const struct limits_charge much = { .name = "request 1",
					    .tokens = LIMIT_CHARGE,
					    .per_minute = 60,
					    .burst = 10 };
	struct limits_charge odd = much;
	static struct pair p;
	(void)state;
	pair_set_up(&p);
	struct limits *limits = limits_new(1, 0);
	api_share_limits(p.desk[0].api, limits);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		api_hear(p.desk[0].api, bad[i]);
	/* One for the host's limits, with which it has none left; then it owes no more than it may. */
	api_hear(p.desk[0].api, "{\"from\":\"x\",\"charges\":[[1,\"a\",10,60,10]]}");
	const int64_t now = desk_now(&p.desk[0]);
	assert_false(limits_take(limits, "a", 60, 10, now));
	assert_true(limits_take(limits, "b", 60, 10, now));
	assert_true(limits_charge(limits, &much, now));
	assert_false(limits_take(limits, "request 1", 60, 10, now + 640 * 1000));
	assert_true(limits_take(limits, "request 1", 60, 10, now + 642 * 1000));
	odd.tokens = strtod("nan", NULL);
	assert_false(limits_charge(limits, &odd, now));
	odd = much;
	odd.per_minute = strtod("inf", NULL);
	assert_false(limits_charge(limits, &odd, now));
	pair_tear_down(&p);
	limits_free(limits);
}

/* ---- Puzzles ---- */

static void test_shared__puzzles_are_rated_once(void **state)
{
	static const char solved[] = "{\"puzzle\":\"1x272dg\",\"solved\":true}";
	static const char *const path = "/api/v1/puzzles/chess/attempts";
	static struct pair p;
	uint64_t calls[10];
	(void)state;
	pair_set_up(&p);
	for (int i = 0; i < NODES; i++) { /* both have it in memory, if they ever do */
		const struct visitor who = stranger(&p.desk[i]);
		pair_ask(&p, i, &who, "/api/v1/puzzles/chess", NULL, 200);
	}
	for (int i = 0; i < 10; i++) {
		const struct visitor who = stranger(&p.desk[i % NODES]);
		calls[i] = pair_send(&p, i % NODES, &who, path, solved);
	}
	for (int i = 0; i < 10; i++)
		assert_int_equal(pair_wait(&p, i % NODES, calls[i], 1)->status, 200);
	for (int i = 0; i < NODES; i++) {
		const struct visitor who = stranger(&p.desk[i]);
		const json_t *list = json_object_get(
			pair_ask(&p, i, &who, "/api/v1/puzzles/chess", NULL, 200), "puzzles");
		const json_t *one = json_array_get(list, 0);
		assert_int_equal(json_array_size(list), 1);
		assert_int_equal(json_integer_value(json_object_get(one, "tries")), 10);
		assert_int_equal(json_integer_value(json_object_get(one, "solved")), 10);
	}
	pair_tear_down(&p);
}

/* ---- What ends ---- */

/* Something to come with: a cookie, or a token for the header; it is used at both servers. */
struct holder {
	char secret[API_COOKIE];
	bool bearer;
	struct visitor socket[NODES];		/* of a WebSocket that is open */
	uint64_t lobby[NODES], game[NODES];	/* streams; the game is the first server's */
	const char *path;			/* of its events */
};

static struct visitor come(struct pair *p, int at, const struct holder *h)
{
	struct visitor who;
	assert_true(api_identify(p->desk[at].api, h->bearer ? NULL : h->secret,
				 h->bearer ? h->secret : NULL, "127.0.0.1", &who));
	assert_false(who.fresh);
	return who;
}

/* A route that all may use: a seat token, too. */
static bool holds(struct pair *p, int at, const struct holder *h)
{
	const struct visitor who = come(p, at, h);
	char path[64];
	snprintf(path, sizeof path, "%.*s", (int)(strlen(h->path) - strlen("/events")), h->path);
	const int status = pair_wait(p, at, pair_send(p, at, &who, path, NULL), 1)->status;
	assert_true(status == 200 || status == 401);
	return status == 200;
}

/* Opens everything at both servers. */
static struct holder enter(struct pair *p, const char *secret, bool bearer, const char *path)
{
	struct holder h = { .bearer = bearer, .path = path };
	snprintf(h.secret, sizeof h.secret, "%s", secret);
	for (int i = 0; i < NODES; i++) {
		h.socket[i] = come(p, i, &h);
		h.lobby[i] = pair_send(p, i, &h.socket[i], "/api/v1/lobby/events", NULL);
		h.game[i] = pair_send(p, i, &h.socket[i], path, NULL);
		pair_wait(p, i, h.lobby[i], 1);
		pair_wait(p, i, h.game[i], 1);
		assert_true(holds(p, i, &h));
	}
	return h;
}

/* All that it opened is as it should be at both servers; so are new requests. */
static void check_holder(struct pair *p, struct holder *h, bool lives)
{
	for (int i = 0; i < NODES; i++) {
		if (!lives) { /* its ends may be on their way */
			pair_wait(p, i, h->lobby[i], INT_MAX);
			pair_wait(p, i, h->game[i], INT_MAX);
		}
		assert_int_equal(p->desk[i].call[h->lobby[i]].ended, !lives);
		assert_int_equal(p->desk[i].call[h->game[i]].ended, !lives);
		assert_int_equal(holds(p, i, h), lives);
		if (!h->bearer) /* one with a token shows it with each request */
			assert_int_equal(api_recheck(p->desk[i].api, &h->socket[i]), lives);
	}
}

/*
 * After something has ended at one server: the clock of the other goes on until its next look, and
 * stands. So this one look, half a second after the last one, must be enough.
 */
static void let_other_look(struct pair *p, int other, int ended_before)
{
	p->desk[other].now += POLL_MS;
	pair_until(p, p->desk[other].ended != ended_before);
	pair_turn_for(p, 30); /* ends of streams are on their way from one to the other */
}

/* A request at one server that ends something, which the other hears of. */
static void end_at(struct pair *p, int at, const struct visitor *who, const char *path,
		   const char *body)
{
	const int before = p->desk[!at].ended;
	pair_ask(p, at, who, path, body, 200);
	let_other_look(p, !at, before);
}

/* Logs in at that server, with everything open at both. */
static struct holder log_in(struct pair *p, int at, const char *password, const char *path)
{
	char body[128];
	const struct visitor guest = desk_visitor(&p->desk[at]);
	snprintf(body, sizeof body, "{\"name\":\"Ada\",\"password\":\"%s\"}", password);
	const struct desk_answer *answer =
		pair_wait(p, at, pair_send(p, at, &guest, "/api/v1/login", body), 1);
	assert_int_equal(answer->status, 200);
	return enter(p, answer->cookie, false, path);
}

static struct holder new_token(struct pair *p, int at, const struct holder *h, const char *path,
			       char id[STORE_ID])
{
	const struct visitor who = come(p, at, h);
	const json_t *made = pair_ask(p, at, &who, "/api/v1/tokens", "{}", 201);
	snprintf(id, STORE_ID, "%s", desk_text(made, "id"));
	return enter(p, desk_text(made, "token"), true, path);
}

/* A game of the server, and the token of a seat in it that was issued to the holder. */
static struct holder new_seat(struct pair *p, int at, const struct holder *h, char path[64])
{
	static const char body[] = "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}";
	const struct visitor who = come(p, at, h);
	const json_t *made = pair_ask(p, at, &who, PLAYS, body, 201);
	snprintf(path, 64, PLAYS "/%s/events", desk_text(made, "id"));
	struct holder seat = { .bearer = true, .path = path };
	snprintf(seat.secret, sizeof seat.secret, "%s", desk_text(made, "seat_token"));
	for (int i = 0; i < NODES; i++) { /* not for the lobby: the game twice */
		seat.socket[i] = come(p, i, &seat);
		seat.lobby[i] = pair_send(p, i, &seat.socket[i], path, NULL);
		seat.game[i] = pair_send(p, i, &seat.socket[i], path, NULL);
		pair_wait(p, i, seat.lobby[i], 1);
		pair_wait(p, i, seat.game[i], 1);
	}
	return seat;
}

static void test_shared__what_ends_ends_at_both_servers(void **state)
{
	static struct pair p;
	char game[64], seat_game[64], far_game[64], body[160], path[96], id[STORE_ID], id2[STORE_ID];
	(void)state;
	pair_set_up(&p);
	for (int i = 0; i < NODES; i++) {
		p.desk[i].now = desk_now(&p.desk[i]);
		p.desk[i].frozen = true;
	}
	/* A game of the first server that all of them look at. */
	const struct visitor guest = desk_visitor(&p.desk[0]);
	const json_t *made = pair_ask(
		&p, 0, &guest, PLAYS, "{\"game\":\"noughts\",\"seats\":[\"human\",\"open\"]}", 201);
	snprintf(game, sizeof game, PLAYS "/%s/events", desk_text(made, "id"));
	struct holder a = enter(&p, new_account(&p), false, game);
	/* Logout of one session, with the seat tokens that it got at either server. */
	struct holder b = log_in(&p, 1, PASSWORD, game);
	struct holder seat = new_seat(&p, 0, &b, seat_game), far = new_seat(&p, 1, &b, far_game);
	struct visitor who = come(&p, 1, &b);
	end_at(&p, 1, &who, "/api/v1/logout", "{}");
	check_holder(&p, &b, false);
	check_holder(&p, &seat, false);
	check_holder(&p, &far, false);
	check_holder(&p, &a, true);
	/* A stream that begins where it is still unknown, of a game whose server knows it already. */
	b = log_in(&p, 1, PASSWORD, game);
	who = come(&p, 0, &b);
	const int before = p.desk[1].ended;
	pair_ask(&p, 0, &who, "/api/v1/logout", "{}", 200);
	who = come(&p, 1, &b);
	const uint64_t late = pair_send(&p, 1, &who, game, NULL);
	assert_int_equal(pair_wait(&p, 1, late, 1)->status, 200);
	assert_false(p.desk[1].call[late].ended);
	let_other_look(&p, 1, before);
	pair_wait(&p, 1, late, INT_MAX);
	check_holder(&p, &b, false);
	/* A token is revoked, with the seat tokens that it got. */
	struct holder token = new_token(&p, 0, &a, game, id), kept = new_token(&p, 1, &a, game, id2);
	seat = new_seat(&p, 1, &token, seat_game);
	snprintf(path, sizeof path, "/api/v1/tokens/%s/revoke", id);
	who = come(&p, 0, &a);
	end_at(&p, 0, &who, path, "{}");
	check_holder(&p, &token, false);
	check_holder(&p, &seat, false);
	check_holder(&p, &kept, true);
	/* One session ends another. */
	b = log_in(&p, 1, PASSWORD, game);
	snprintf(path, sizeof path, "/api/v1/sessions/%s/end", b.socket[1].issuer);
	end_at(&p, 0, &who, path, "{}");
	check_holder(&p, &b, false);
	check_holder(&p, &a, true);
	/* A new password ends all sessions; the tokens stay, since the user says so. */
	b = log_in(&p, 1, PASSWORD, game);
	snprintf(body, sizeof body, "{\"old\":\"%s\",\"new\":\"battery staple\",\"tokens\":\"keep\"}",
		 PASSWORD);
	end_at(&p, 0, &who, "/api/v1/password", body);
	check_holder(&p, &b, false);
	check_holder(&p, &a, false);
	check_holder(&p, &kept, true);
	/* All sessions, wherever. */
	a = log_in(&p, 0, "battery staple", game);
	b = log_in(&p, 1, "battery staple", game);
	who = come(&p, 1, &b);
	end_at(&p, 1, &who, "/api/v1/logout", "{\"everywhere\":true}");
	check_holder(&p, &a, false);
	check_holder(&p, &b, false);
	check_holder(&p, &kept, true);
	/* The account. */
	a = log_in(&p, 0, "battery staple", game);
	who = come(&p, 0, &a);
	end_at(&p, 0, &who, "/api/v1/account/delete", "{\"password\":\"battery staple\"}");
	check_holder(&p, &a, false);
	check_holder(&p, &kept, false);
	for (int i = 0; i < NODES; i++)
		assert_string_equal(p.desk[i].fault, "");
	pair_tear_down(&p);
}

/* ---- What one server removes ---- */

static void test_shared__a_guest_who_was_removed_comes_back(void **state)
{
	static struct pair p;
	char left[64];
	(void)state;
	pair_set_up(&p);
	const struct visitor guest = desk_visitor(&p.desk[1]);
	pair_ask(&p, 1, &guest, "/api/v1/me", "{\"name\":\"Ann\"}", 200);
	/* The second server knows that the guest is stored; then the first one removes the guest. */
	const uint64_t renames = p.desk[1].api->renames;
	api_close(p.desk[0].api);
	p.desk[0].keep_guests = 30;
	p.desk[0].days = 40;
	desk_trust_clock(&p.desk[0]);
	pair_open(&p, 0);
	p.desk[0].skew += 600000; /* the first look is not at once */
	const int64_t until = clock_us() + PATIENCE_US;
	do {
		pair_turn_for(&p, 100);
		pair_sql(&p, "SELECT count(*) FROM \"user\"", left);
	} while (strcmp(left, "0") != 0 && clock_us() < until);
	assert_string_equal(left, "0");
	/* A server looks once a second what it has removed, and tells the others. */
	pair_until(&p, p.desk[1].api->renames != renames);
	pair_ask(&p, 1, &guest, PLAYS, "{\"game\":\"noughts\",\"seats\":[\"human\",\"human\"]}", 201);
	pair_tear_down(&p);
}

/* ---- Privacy ---- */

/* The tables of this kind of database, with the times that the server uses. */
static void test_shared__privacy_lists_the_tables_that_exist(void **state)
{
	static struct pair p;
	const json_t *row;
	int codes = 0, secrets = 0;
	size_t i;
	(void)state;
	pair_set_up(&p);
	const struct visitor who = desk_visitor(&p.desk[0]);
	const json_t *stored = json_object_get(
		desk_ask(&p.desk[0], &who, "GET", "/api/v1/privacy", NULL, 200), "stored");
	json_array_foreach(stored, i, row) {
		secrets += strcmp(desk_text(row, "table"), "secret") == 0;
		if (strcmp(desk_text(row, "table"), "code") != 0)
			continue;
		codes++;
		assert_int_equal(json_integer_value(json_object_get(row, "days")),
				 STORE_CODE_DAYS);
	}
	assert_int_equal(codes, 1);
	assert_int_equal(secrets, *p.place != '\0');
	pair_tear_down(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shared__requests_at_both_servers_have_one_limit),
		cmocka_unit_test(test_shared__bad_charges_do_nothing),
		cmocka_unit_test(test_shared__privacy_lists_the_tables_that_exist),
	};
	/* With PostgreSQL, if it is there. */
	const struct CMUnitTest shared[] = {
		cmocka_unit_test(test_shared__guesses_at_a_name),
		cmocka_unit_test(test_shared__guesses_at_any_secret),
		cmocka_unit_test(test_shared__a_limit_of_a_route_is_told),
		cmocka_unit_test(test_shared__puzzles_are_rated_once),
		cmocka_unit_test(test_shared__what_ends_ends_at_both_servers),
		cmocka_unit_test(test_shared__a_guest_who_was_removed_comes_back),
		cmocka_unit_test(test_shared__privacy_lists_the_tables_that_exist),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!cluster_start(&postgres))
		return failed + cmocka_run_group_tests(shared, NULL, NULL);
	const int others = cmocka_run_group_tests_name("postgres", shared, NULL, NULL);
	cluster_stop(&postgres);
	return failed + others;
}
