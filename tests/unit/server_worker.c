/*
 * server_worker.c - a server that lets workers think, through the queue in PostgreSQL: moves and
 * analyses, workers that die, results that come late, damaged rows.
 * SPDX-License-Identifier: MIT
 */
#include "support/api_desk.h"
#include "support/cluster.h"

#include "server/jobs/job_text.h"
#include "server/jobs/job_worker.h"

#define ANALYSIS "/api/v1/analysis"

/* LEASE_MS: however slow the machine is, a worker dies only when a test says so. */
enum { WORKERS = 2, LEASE_MS = 600000 };

static struct cluster postgres;

/* A server and its workers, all turned by the test. */
struct office {
	struct api_desk desk;
	struct job_worker *worker[WORKERS];
	bool stopped[WORKERS]; /* it gets no turns, as if its process stood still */
	struct qv_context *context; /* of the workers */
	char place[256], schema[32];
	char log[8192]; /* of the workers */
	struct visitor me;
	struct job_queue_figures before; /* the test */
};

static struct office office;

static void on_log(void *ctx, const char *level, const char *text)
{
	struct office *o = ctx;
	const size_t length = strlen(o->log);
	snprintf(o->log + length, sizeof o->log - length, "%s %s\n", level, text);
}

static void on_wake(void *ctx)
{
	(void)ctx;
}

static void turn(struct office *o)
{
	api_turn(o->desk.api);
	for (int i = 0; i < WORKERS; i++)
		if (o->worker[i] && !o->stopped[i])
			job_worker_turn(o->worker[i]);
	nap();
}

static int64_t soon(void)
{
	return clock_us() + 60 * 1000000;
}

/* Turns until the condition holds; fails after a minute. */
#define until(o, condition)                                                \
	for (const int64_t until_us = soon(); !(condition); turn(o))       \
		if (clock_us() > until_us)                                 \
	fail_msg("not in time: %s\n%s%s", #condition, (o)->log, (o)->desk.log)

static int64_t count_sql(struct office *o, const char *sql)
{
	char text[800], out[64];
	snprintf(text, sizeof text, "SET search_path = %s; %s", o->schema, sql);
	cluster_sql(&postgres, text, out);
	return atoll(out);
}

static int64_t job_count(struct office *o)
{
	return count_sql(o, "SELECT count(*) FROM job");
}

/* 0: no worker has taken a job, though one may be asking for it. */
static int64_t attempts(struct office *o)
{
	return count_sql(o, "SELECT sum(attempt) FROM job");
}

static struct job_queue_figures figures(struct office *o)
{
	struct api_figures f;
	api_figures(o->desk.api, &f);
	assert_true(f.thinks_elsewhere);
	f.queue.done -= o->before.done;
	f.queue.back -= o->before.back;
	return f.queue;
}

static void open_worker(struct office *o, int at)
{
	struct qv_error error = { "" };
	const struct job_worker_setup setup = { .place = o->place,
						.context = o->context,
						.threads = 1,
						.name = "test",
						.lease_ms = LEASE_MS,
						.wake = on_wake,
						.log = on_log,
						.ctx = o };
	if (job_worker_open(&setup, &o->worker[at], &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void close_worker(struct office *o, int at)
{
	job_worker_close(o->worker[at]);
	o->worker[at] = NULL;
	o->stopped[at] = false;
}

/* The server knows of so many workers. */
static void await_workers(struct office *o, int count)
{
	until(o, figures(o).workers == count);
}

/* One server for all tests: it is the slowest to open. */
static void open_office(struct office *o)
{
	*o = (struct office){ .context = qv_context_new(NULL) };
	assert_non_null(o->context);
	cluster_new_place(&postgres, o->place);
	snprintf(o->schema, sizeof o->schema, "s%d", postgres.schemas);
	desk_open(&o->desk, 1, 100);
	o->desk.place = o->place;
	o->desk.think = THINK_WORKERS;
	desk_reopen(&o->desk);
	o->me = desk_visitor(&o->desk);
}

static void close_office(struct office *o)
{
	desk_close(&o->desk);
	qv_context_free(o->context);
}

/*
 * The deadlines of the server for its jobs do not come then. Nor does it look at workers and rows,
 * but it hears what workers tell.
 */
static void stop_clock(struct office *o)
{
	o->desk.now = desk_now(&o->desk);
	o->desk.frozen = true;
}

/* With so many workers; the figures begin at 0. */
static struct office *set_up(int workers)
{
	struct office *o = &office;
	for (int i = 0; i < workers; i++)
		open_worker(o, i);
	await_workers(o, workers);
	o->log[0] = '\0';
	o->before = (struct job_queue_figures){ 0 };
	o->before = figures(o);
	return o;
}

static void tear_down(struct office *o)
{
	o->desk.frozen = false;
	for (int i = 0; i < WORKERS; i++)
		close_worker(o, i);
	assert_string_equal(o->desk.fault, "");
	until(o, job_count(o) == 0);
	await_workers(o, 0);
}

static uint64_t send(struct office *o, const char *path, const char *body)
{
	return desk_send(&o->desk, &o->me, body ? "POST" : "GET", path, body);
}

/* The last response of a request. */
static const struct desk_answer *ask(struct office *o, const char *path, const char *body)
{
	const struct desk_call *c = &o->desk.call[send(o, path, body)];
	until(o, c->ended);
	return c->last;
}

/* ---- The same results ---- */

static const char *const requests[][2] = {
	{ ANALYSIS, "{\"game\":\"connect4\",\"moves\":[\"4\",\"4\",\"3\"],\"lines\":2,"
		    "\"player\":\"negascout:nodes=20000,depth=7\"}" },
	{ ANALYSIS, "{\"game\":\"chess\",\"moves\":[\"g1f3\",\"g8f6\",\"f3g1\",\"f6g8\"],"
		    "\"player\":\"level:2\"}" },
	{ "/api/v1/values", "{\"game\":\"noughts\",\"moves\":[\"5\",\"1\",\"2\"]}" },
	{ "/api/v1/evaluation", "{\"game\":\"chess\",\"moves\":[\"e2e4\"]}" },
	{ "/api/v1/luck", "{\"game\":\"race\",\"moves\":[\"roll 1\"]}" },
	{ "/api/v1/review", "{\"game\":\"noughts\",\"moves\":[\"5\",\"2\",\"1\",\"9\"]}" },
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static void test_worker__finds_what_the_server_finds(void **state)
{
	char *here[REQUESTS];
	(void)state;
	struct office *o = set_up(0);
	/* Without workers the server thinks itself, and says so. */
	until(o, strstr(o->desk.log, "warn workers: none is alive; this server thinks itself"));
	for (int i = 0; i < REQUESTS; i++)
		here[i] = copy_text(ask(o, requests[i][0], requests[i][1])->text);
	assert_int_equal(figures(o).done, 0);
	open_worker(o, 0);
	await_workers(o, 1);
	stop_clock(o);
	for (int i = 0; i < REQUESTS; i++) {
		const struct desk_answer *answer = ask(o, requests[i][0], requests[i][1]);
		assert_int_equal(answer->status, 200);
		assert_string_equal(answer->text, here[i]);
		assert_int_equal(figures(o).done, i + 1);
		free(here[i]);
	}
	assert_int_equal(figures(o).back, 0);
	until(o, job_count(o) == 0);
	const json_t *thinking =
		json_object_get(ask(o, "/api/v1/health", NULL)->json, "thinking");
	assert_int_equal(json_integer_value(json_object_get(thinking, "workers")), 1);
	assert_int_equal(json_integer_value(json_object_get(thinking, "threads")), 1);
	/* As the operator's command sees it. */
	const struct store_setup beside = { .place = o->place, .shared = true };
	struct store *store = NULL;
	struct store_queue queue;
	assert_int_equal(store_open(&beside, &store, NULL), QV_OK);
	assert_int_equal(store_find_queue(store, &queue, NULL), QV_OK);
	assert_int_equal(queue.workers, 1);
	assert_int_equal(queue.threads, 1);
	assert_int_equal(queue.waiting + queue.running, 0);
	store_close(store);
	/* Passwords and the like are never given away. */
	ask(o, "/api/v1/accounts", "{\"login\":\"worker\",\"password\":\"long enough\"}");
	assert_int_equal(figures(o).done, REQUESTS);
	tear_down(o);
}

static void test_worker__plays_the_moves_of_levels(void **state)
{
	char path[128];
	(void)state;
	struct office *o = set_up(1);
	stop_clock(o);
	const struct desk_answer *play =
		ask(o, "/api/v1/plays", "{\"game\":\"noughts\",\"seats\":[\"human\",\"level:1\"]}");
	assert_int_equal(play->status, 201);
	snprintf(path, sizeof path, "/api/v1/plays/%s/moves", desk_text(play->json, "id"));
	assert_int_equal(ask(o, path, "{\"move\":\"5\"}")->status, 200);
	path[strlen(path) - strlen("/moves")] = '\0';
	until(o, json_array_size(json_object_get(ask(o, path, NULL)->json, "line")) == 2);
	assert_int_equal(figures(o).done, 1);
	tear_down(o);
}

/* ---- Cancelling, hurrying ---- */

static const char long_one[] = "{\"game\":\"reversi\",\"time\":30000}";

static void test_worker__stops_what_nobody_wants(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	stop_clock(o);
	const uint64_t call = send(o, ANALYSIS, long_one);
	const struct desk_call *c = &o->desk.call[call];
	until(o, c->count >= 2); /* progress comes through */
	assert_false(c->ended);
	assert_int_equal(job_count(o), 1);
	api_cancel(o->desk.api, call);
	until(o, !job_worker_busy(o->worker[0]));
	until(o, job_count(o) == 0);
	assert_non_null(strstr(o->log, "cancelled"));
	/* The visitor's next one is taken. */
	assert_int_equal(ask(o, requests[0][0], requests[0][1])->status, 200);
	assert_int_equal(figures(o).done, 1);
	tear_down(o);
}

/* Its lease says so, even if what the server told got lost. */
static void test_worker__ends_soon_what_is_hurried(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	stop_clock(o);
	const struct desk_call *c = &o->desk.call[send(o, ANALYSIS, long_one)];
	until(o, c->count >= 1);
	count_sql(o, "UPDATE job SET hurry = 1");
	until(o, c->ended);
	assert_true(json_is_true(json_object_get(c->last->json, "done")));
	assert_int_equal(figures(o).done, 1);
	tear_down(o);
}

static void test_worker__stops_when_its_server_has_died(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	count_sql(o, "INSERT INTO node VALUES ('gone', now_ms() + 60000, '');"
		      "INSERT INTO job (node, number, urgent, limit_ms, body, made) VALUES"
		      " ('gone', 1, 0, 60000, '{\"job\":\"lines\",\"game\":\"reversi\","
		      "\"position\":\"\",\"history\":\"\",\"seed\":1,\"hash\":1,\"lines\":1,"
		      "\"time\":60000,\"aim\":0,\"turn\":0,\"hint\":false,\"no_book\":false}', 0)");
	until(o, job_worker_busy(o->worker[0]) && attempts(o));
	count_sql(o, "UPDATE node SET until = 0 WHERE id = 'gone'");
	until(o, strstr(o->log, "cancelled"));
	until(o, job_count(o) == 0); /* another server tidies up */
	until(o, !job_worker_busy(o->worker[0]));
	tear_down(o);
}

/* ---- Workers that die ---- */

static void test_worker__that_dies_has_its_job_taken_again(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	stop_clock(o);
	const struct desk_call *c =
		&o->desk.call[send(o, ANALYSIS,
				  "{\"game\":\"reversi\",\"player\":\"negascout:time=300ms\"}")];
	until(o, job_worker_busy(o->worker[0]) && attempts(o));
	o->stopped[0] = true;
	count_sql(o, "UPDATE job SET until = 0"); /* as if its lease had ended */
	open_worker(o, 1);
	until(o, c->ended);
	assert_int_equal(c->last->status, 200);
	assert_int_equal(figures(o).done, 1);
	/* The first one comes back with a result that nobody wants. */
	const int count = c->count;
	o->stopped[0] = false;
	until(o, !job_worker_busy(o->worker[0]));
	until(o, strstr(o->log, "too late") || strstr(o->log, "cancelled"));
	assert_int_equal(c->count, count);
	assert_int_equal(figures(o).done, 1);
	assert_int_equal(figures(o).back, 0);
	tear_down(o);
}

static void test_worker__is_asked_three_times_at_most(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	const struct desk_call *c =
		&o->desk.call[send(o, ANALYSIS,
				  "{\"game\":\"reversi\",\"player\":\"negascout:nodes=1000\"}")];
	o->stopped[0] = true;
	until(o, job_count(o) == 1);
	count_sql(o, "UPDATE job SET attempt = 3, until = 0");
	until(o, c->ended); /* by the server itself */
	assert_int_equal(c->last->status, 200);
	assert_int_equal(figures(o).back, 1);
	until(o, job_count(o) == 0);
	tear_down(o);
}

/* A worker that ends gives back what it has not done, and another takes it at once. */
static void test_worker__that_ends_gives_its_jobs_back(void **state)
{
	(void)state;
	struct office *o = set_up(1);
	const uint64_t call = send(o, ANALYSIS, long_one);
	const struct desk_call *c = &o->desk.call[call];
	until(o, c->count >= 1);
	job_worker_drain(o->worker[0]);
	until(o, figures(o).threads == 0);
	open_worker(o, 1);
	await_workers(o, 2);
	until(o, !job_worker_busy(o->worker[1]));
	close_worker(o, 0);
	until(o, job_worker_busy(o->worker[1]) && attempts(o));
	assert_false(c->ended);
	assert_int_equal(attempts(o), 1);
	/* With the last one gone, the server goes on alone. */
	close_worker(o, 1);
	until(o, figures(o).back == 1);
	api_cancel(o->desk.api, call);
	tear_down(o);
}

/* ---- What a worker refuses ---- */

static void test_worker__without_the_game_refuses_it(void **state)
{
	struct qv_error error = { "" };
	(void)state;
	struct office *o = set_up(1);
	assert_int_equal(qv_context_load(o->desk.context, TOY_PLUGIN, &error), QV_OK);
	const struct desk_answer *answer =
		ask(o, ANALYSIS, "{\"game\":\"toy-repeat\",\"time\":100}");
	assert_int_equal(answer->status, 200);
	assert_int_equal(figures(o).done, 0);
	assert_int_equal(figures(o).back, 1);
	assert_non_null(strstr(o->log, "refused"));
	assert_non_null(strstr(o->desk.log, "warn workers: a job was refused"));
	tear_down(o);
}

static void test_worker__refuses_damaged_rows(void **state)
{
	static const char *const bodies[] = {
		"''",
		"'{'",
		"'[]'",
		"repeat('[', 200000)",
		"repeat('x', 300000)",
		"'{\"job\":\"dance\",\"game\":\"chess\"}'",
		"'{\"job\":\"lines\",\"game\":\"nosuch\",\"position\":\"\",\"history\":\"\"}'",
		"'{\"job\":\"lines\",\"game\":\"chess\",\"position\":\"x\",\"history\":\"\"}'",
		"'{\"job\":\"lines\",\"game\":\"chess\",\"position\":\"\",\"history\":\"1\"}'",
	};
	char sql[400];
	(void)state;
	struct office *o = set_up(1);
	for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
		snprintf(sql, sizeof sql,
			 "INSERT INTO job (node, number, urgent, limit_ms, body, made)"
			 " SELECT id, %zu, %zu, -5, %s, 0 FROM node",
			 i, i % 2, bodies[i]);
		count_sql(o, sql);
	}
	/* One that no server waits for is not even taken, and goes away. */
	count_sql(o, "INSERT INTO job (node, number, urgent, limit_ms, body, made)"
		     " VALUES ('nobody', 1, 9, 9, 'x', 0)");
	until(o, job_count(o) == 0);
	assert_null(strstr(o->log, "nobody"));
	assert_int_equal(ask(o, requests[0][0], requests[0][1])->status, 200);
	assert_int_equal(figures(o).done, 1);
	tear_down(o);
}

/* ---- Both ---- */

static void test_worker__thinks_beside_the_server(void **state)
{
	(void)state;
	struct office *o = &office;
	o->desk.think = THINK_BOTH;
	desk_reopen(&o->desk);
	set_up(1);
	const struct visitor you = desk_visitor(&o->desk);
	const uint64_t mine = send(o, ANALYSIS, long_one);
	until(o, o->desk.call[mine].count >= 1);
	const uint64_t yours = desk_send(&o->desk, &you, "POST", ANALYSIS, long_one);
	until(o, o->desk.call[yours].count >= 1);
	assert_false(o->desk.call[mine].ended);
	assert_int_equal(figures(o).sent, 1); /* the other one runs here */
	assert_int_equal(job_count(o), 1);
	api_cancel(o->desk.api, mine);
	api_cancel(o->desk.api, yours);
	tear_down(o);
}

/* ---- The text of a job ---- */

static enum qv_status read_text(const struct job_tools *tools, const char *text)
{
	struct worker_job job = { 0 };
	struct qv_error error = { "" };
	const enum qv_status status = job_text_read(tools, text, strlen(text), &job, &error);
	if (status == QV_OK)
		job.release(job.arg);
	else
		assert_non_null(strchr(error.text, ':'));
	return status;
}

/* Of a job for the start position of connect4; `what` replaces the value of a key. */
static enum qv_status read_changed(const struct job_tools *tools, const char *kind, const char *key,
				   const char *what)
{
	json_t *o = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:b, s:b}",
			      "job", kind, "game", "connect4", "position", "", "history",
			      "0123456789abcdef", "player", "level:1", "seed", 1, "hash", 1, "lines",
			      1, "time", 100, "aim", 0, "turn", 0, "hint", 0, "no_book", 0);
	if (*key)
		json_object_set_new(o, key, json_loads(what, JSON_DECODE_ANY, NULL));
	char *text = json_to_text(o, JSON_COMPACT);
	const enum qv_status status = read_text(tools, text);
	free(text);
	return status;
}

static void test_text__is_checked_like_a_request(void **state)
{
	static const char *const wrong[][2] = {
		{ "player", "\"level:99\"" },
		{ "player", "\"alphabeta:threads=8\"" },
		{ "player", "\"alphabeta:time=1h\"" },
		{ "player", "\"book:file=/etc/passwd\"" },
		{ "player", "\"uci:/bin/true\"" },
		{ "player", "7" },
		{ "history", "\"0123456789abcdeg\"" },
		{ "history", "\"0123\"" },
		{ "position", "\"no such position\"" },
		{ "hash", "100000" },
		{ "hash", "0" },
		{ "lines", "0" },
		{ "lines", "99" },
		{ "time", "99999999" },
		{ "time", "-1" },
		{ "aim", "\"soon\"" },
		{ "hint", "1" },
		{ "game", "\"connect4:size=999\"" },
	};
	struct qv_context *context = qv_context_new(NULL);
	struct table_lookup *lookup = table_lookup_new(context, NULL);
	const struct job_tools tools = { .context = context, .table_lookup = lookup };
	(void)state;
	assert_int_equal(read_changed(&tools, "lines", "", ""), QV_OK);
	assert_int_equal(read_changed(&tools, "move", "", ""), QV_OK);
	assert_int_equal(read_changed(&tools, "values", "", ""), QV_OK);
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		if (read_changed(&tools, "lines", wrong[i][0], wrong[i][1]) == QV_OK)
			fail_msg("%s %s was accepted", wrong[i][0], wrong[i][1]);
	/* Not in this game: dice, explanations. */
	assert_int_not_equal(read_changed(&tools, "explanation", "", ""), QV_OK);
	assert_int_not_equal(read_changed(&tools, "values", "game", "\"race\""), QV_OK);
	assert_int_not_equal(read_text(&tools, "{\"job\":\"luck\",\"game\":\"chess\","
					       "\"position\":\"\",\"moves\":[],\"last\":0}"),
			     QV_OK);
	assert_int_not_equal(read_text(&tools, "{\"job\":\"review\",\"game\":\"chess\","
					       "\"position\":\"\",\"moves\":[\"a1a9\"],\"last\":0}"),
			     QV_OK);
	assert_int_equal(read_text(&tools, "{\"job\":\"review\",\"game\":\"chess\",\"position\":\"\","
					   "\"moves\":[\"e2e4\"],\"last\":0}"),
			 QV_OK);
	table_lookup_free(lookup);
	qv_context_free(context);
}

/* ---- Without PostgreSQL ---- */

static void test_worker__needs_postgresql(void **state)
{
	struct qv_error error = { "" };
	struct job_worker *w = NULL;
	struct api_desk d;
	(void)state;
	assert_int_equal(job_worker_open(&(struct job_worker_setup){ .place = "" }, &w, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "needs PostgreSQL"));
	desk_open(&d, 1, 1);
	struct api *api = NULL;
	const struct api_setup setup = { .context = d.context,
					 .data = "test-no-think",
					 .think = THINK_BOTH,
					 .host = { desk_answer, desk_wake, desk_now, desk_seconds,
						   &d, desk_ended, NULL, NULL } };
	assert_int_equal(api_open(&setup, &api, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "think: workers need PostgreSQL");
	desk_remove("test-no-think");
	desk_close(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text__is_checked_like_a_request),
		cmocka_unit_test(test_worker__needs_postgresql),
	};
	const struct CMUnitTest shared[] = {
		cmocka_unit_test(test_worker__finds_what_the_server_finds),
		cmocka_unit_test(test_worker__plays_the_moves_of_levels),
		cmocka_unit_test(test_worker__stops_what_nobody_wants),
		cmocka_unit_test(test_worker__ends_soon_what_is_hurried),
		cmocka_unit_test(test_worker__stops_when_its_server_has_died),
		cmocka_unit_test(test_worker__that_dies_has_its_job_taken_again),
		cmocka_unit_test(test_worker__is_asked_three_times_at_most),
		cmocka_unit_test(test_worker__that_ends_gives_its_jobs_back),
		cmocka_unit_test(test_worker__without_the_game_refuses_it),
		cmocka_unit_test(test_worker__refuses_damaged_rows),
		cmocka_unit_test(test_worker__thinks_beside_the_server),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!cluster_start(&postgres))
		return failed;
	open_office(&office);
	const int others = cmocka_run_group_tests(shared, NULL, NULL);
	close_office(&office);
	cluster_stop(&postgres);
	return failed + others;
}
