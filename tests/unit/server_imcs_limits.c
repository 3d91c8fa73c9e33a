/*
 * server_imcs_limits.c - an IMCS server on a loop, in SQLite and in PostgreSQL: lines beyond the
 * limit wait, and what cannot be stored is not acknowledged.
 * SPDX-License-Identifier: MIT
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <uv.h>

#include "server/api/inside.h"
#include "server/imcs/listen.h"
#include "support/accounts.h"
#include "support/cluster.h"

enum { AT_ONCE = 100, LINES = 150 };

static struct cluster postgres; /* not started: SQLite */

struct table {
	struct api_desk desk;
	struct imcs_listener *imcs;
	uv_loop_t loop;
	char place[256];
	int socket, port;
	char text[1 << 14];
	size_t size;
};

static void turn(struct table *t)
{
	ssize_t got;
	uv_run(&t->loop, UV_RUN_NOWAIT);
	api_turn(t->desk.api);
	while (t->size < sizeof t->text - 1 &&
	       (got = recv(t->socket, t->text + t->size, sizeof t->text - 1 - t->size,
			   MSG_DONTWAIT)) > 0)
		t->size += (size_t)got;
	t->text[t->size] = '\0';
	nap();
}

static void open_imcs(struct table *t)
{
	char where[IMCS_LISTENS_AT];
	struct qv_error error = { "" };
	const struct imcs_listen_setup setup = {
		.loop = &t->loop, .api = t->desk.api, .host = "127.0.0.1", .per_address = 1
	};
	if (imcs_listener_open(&setup, &t->imcs, where, &error) != QV_OK)
		fail_msg("%s", error.text);
	t->port = atoi(strrchr(where, ':') + 1);
}

static void arrive(struct table *t)
{
	const struct sockaddr_in to = { .sin_family = AF_INET,
					.sin_port = htons((uint16_t)t->port),
					.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	t->socket = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(connect(t->socket, (const struct sockaddr *)&to, sizeof to), 0);
}

/* Sends it and waits for the words. */
static void ask(struct table *t, const char *line, const char *words)
{
	t->size = 0;
	t->text[0] = '\0';
	assert_int_equal(send(t->socket, line, strlen(line), MSG_NOSIGNAL), strlen(line));
	for (const int64_t until = clock_us() + 60 * 1000000; !strstr(t->text, words);) {
		turn(t);
		if (clock_us() > until)
			fail_msg("%s: no '%s' in: %s", line, words, t->text);
	}
}

static void set_up(struct table *t)
{
	*t = (struct table){ .place = "" };
	desk_open(&t->desk, 1, 1);
	if (postgres.server) {
		cluster_new_place(&postgres, t->place);
		t->desk.place = t->place;
		t->desk.cluster = (struct api_cluster){ .node = "one", .lease_ms = 600000 };
		desk_reopen(&t->desk);
	}
	uv_loop_init(&t->loop);
	open_imcs(t);
	arrive(t);
}

static void shut(struct table *t)
{
	close(t->socket);
	imcs_listener_shut(t->imcs);
	uv_run(&t->loop, UV_RUN_DEFAULT);
}

static void tear_down(struct table *t)
{
	shut(t);
	desk_close(&t->desk);
	assert_int_equal(uv_loop_close(&t->loop), 0);
}

static int replies(const struct table *t)
{
	int count = 0;
	for (const char *at = t->text; (at = strstr(at, "501 unknown command\r\n")); at++)
		count++;
	return count;
}

/* While the clock of the limits stands, no more lines are handled; none is lost. */
static void test_imcs_limits__lines_beyond_the_limit_wait(void **state)
{
	static struct table t;
	char lines[3 * LINES + 1] = "";
	(void)state;
	set_up(&t);
	t.desk.now = desk_now(&t.desk);
	t.desk.frozen = true;
	for (int i = 0; i < LINES; i++)
		memcpy(lines + 3 * i, "x\r\n", 3);
	ask(&t, lines, "501 ");
	while (replies(&t) < AT_ONCE)
		turn(&t);
	for (int i = 0; i < 1500; i++) /* two sweeps or more */
		turn(&t);
	assert_int_equal(replies(&t), AT_ONCE);
	t.desk.now += 60000;
	for (const int64_t until = clock_us() + 60 * 1000000;
	     replies(&t) < LINES && clock_us() < until;)
		turn(&t);
	assert_int_equal(replies(&t), LINES);
	ask(&t, "list\r\n", "211 0 available games");
	tear_down(&t);
}

static void test_imcs_limits__a_full_store_changes_nothing(void **state)
{
	static struct table t;
	(void)state;
	set_up(&t);
	ask(&t, "register bob old\r\n", "202 hello new user bob\r\n");
	/* Opened again, so that the size is that of now. */
	shut(&t);
	desk_reopen(&t.desk);
	open_imcs(&t);
	arrive(&t);
	ask(&t, "me bob old\r\n", "201 hello bob\r\n");
	ask(&t, "password old\r\n", "203");
	shut(&t);
	/*
	 * A little less than there is, with PostgreSQL less what is left free for other servers (1/20):
	 * passwords may still be tried.
	 */
	const int64_t bytes = store_space(t.desk.api->store).bytes;
	assert_true(bytes > 0);
	t.desk.max_data = t.desk.place ? bytes + bytes / 20 : bytes - bytes / 250;
	desk_reopen(&t.desk);
	open_imcs(&t);
	arrive(&t);
	ask(&t, "me bob old\r\n", "201 hello bob\r\n");
	ask(&t, "password new\r\n", "499 internal error");
	ask(&t, "rerate\r\n", "499 internal error");
	ask(&t, "register eve pw\r\n", "503 too many new users");
	ask(&t, "me bob new\r\n", "401 wrong password\r\n");
	ask(&t, "me bob old\r\n", "201 hello bob\r\n");
	shut(&t);
	t.desk.max_data = 0;
	desk_reopen(&t.desk);
	open_imcs(&t);
	arrive(&t);
	ask(&t, "me bob old\r\n", "201 hello bob\r\n");
	ask(&t, "me eve pw\r\n", "400 no such username");
	ask(&t, "me bob old\r\n", "201 hello bob\r\n");
	ask(&t, "password new\r\n", "203 password change for user bob\r\n");
	tear_down(&t);
}

/* ---- Names ---- */

/* A name of IMCS must not be taken for an account of the web server, nor for the server itself. */
static void test_imcs_limits__names_are_not_those_of_others(void **state)
{
	static const char *const names[] = { "ALICE",	"A1ice",     "a.l.i.c.e",
					     "Quevedo", "m0derator", "Guest-12" };
	static struct table t;
	char line[64];
	(void)state;
	set_up(&t);
	desk_account(&t.desk, "Alice");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(line, sizeof line, "register %s pw\r\n", names[i]);
		ask(&t, line, "402 username already exists");
		snprintf(line, sizeof line, "me %s pw\r\n", names[i]);
		ask(&t, line, "400 no such username");
	}
	ask(&t, "register alicia pw\r\n", "202 hello new user alicia\r\n");
	ask(&t, "register alicia pw\r\n", "402 username already exists");
	tear_down(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imcs_limits__lines_beyond_the_limit_wait),
		cmocka_unit_test(test_imcs_limits__a_full_store_changes_nothing),
		cmocka_unit_test(test_imcs_limits__names_are_not_those_of_others),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	return failed + cluster_run_tests(&postgres, tests);
}
