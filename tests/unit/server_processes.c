/*
 * server_processes.c - processes without rights that search and read files for a server: they find
 * what threads find; what happens when one dies, pauses or cannot start; and what the sandbox takes.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS, prlimit */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "support/api_desk.h"

#include "base/flag.h"
#include "server/api/inside.h"
#include "server/jobs/record_jobs.h"
#include "server/jobs/sandbox.h"
#include "server/jobs/worker_pool_inside.h"

static const char *const command[] = { QUEVEDO, "worker", "--pipe", NULL };
static const char *const no_program[] = { "/nonexistent", NULL }, *const dies[] = { "true", NULL };

static void set_up(struct api_desk *d, int workers, const char *const *words)
{
	desk_open(d, workers, 1000);
	d->worker_command = words;
	desk_reopen(d);
}

static struct worker_processes_figures figures(struct api_desk *d)
{
	struct api_figures f;
	api_figures(d->api, &f);
	return f.processes;
}

static void turn(struct api_desk *d)
{
	api_turn(d->api);
	nap();
}

/* ---- The same results ---- */

#define JOURNAL \
	"{\\\"quevedo\\\":1,\\\"game\\\":\\\"noughts\\\",\\\"position\\\":\\\"start\\\"}\\n{\\\"move\\\":\\\"5\\\"}\\n"

static const char *const requests[][3] = {
	{ "200", "/api/v1/analysis", "{\"game\":\"connect4\",\"moves\":[\"4\",\"4\",\"3\"],\"lines\":2,"
				     "\"player\":\"negascout:nodes=20000,depth=7\"}" },
	{ "200", "/api/v1/values", "{\"game\":\"noughts\",\"moves\":[\"5\",\"1\",\"2\"]}" },
	{ "200", "/api/v1/evaluation", "{\"game\":\"chess\",\"moves\":[\"e2e4\"]}" },
	{ "200", "/api/v1/luck", "{\"game\":\"race\",\"moves\":[\"roll 1\"]}" },
	{ "200", "/api/v1/review", "{\"game\":\"noughts\",\"moves\":[\"5\",\"2\",\"1\",\"9\"]}" },
	{ "409", "/api/v1/explanations", "{\"game\":\"noughts\"}" },
	{ "200", "/api/v1/records", "{\"record\":\"[Event \\\"a\\\"]\\n[Result \\\"*\\\"]\\n\\n1. e4 e5 *\\n\"}" },
	{ "200", "/api/v1/records", "{\"record\":\"" JOURNAL "\"}" },
	{ "400", "/api/v1/records", "{\"record\":\"[Event \\\"a\\\"]\\n\\n1. e4 e9 *\\n\"}" },
	{ "400", "/api/v1/records", "{\"record\":\"" JOURNAL "{\\\"move\\\":\\\"5\\\"}\\n\"}" },
	{ "400", "/api/v1/records", "{\"record\":\"rubbish\"}" },
	{ "400", "/api/v1/studies", "{\"title\":\"t\",\"chapters\":[{\"name\":\"n\",\"record\":\"" JOURNAL
				    "\"},{\"name\":\"n\",\"record\":\"1. e4\"}]}" },
};
enum { REQUESTS = sizeof requests / sizeof *requests };

static const char *ask(struct api_desk *d, const struct visitor *who, int i)
{
	struct desk_call *c =
		&d->call[desk_send(d, who, "POST", requests[i][1], requests[i][2])];
	const int64_t until = clock_us() + INT64_C(120000000);
	while (!c->ended && clock_us() < until)
		turn(d);
	assert_true(c->ended);
	if (c->last->status != atoi(requests[i][0]))
		fail_msg("%s: %d %s", requests[i][2], c->last->status, c->last->text);
	return c->last->text;
}

static void test_processes__find_what_threads_find(void **state)
{
	static const char *const *const commands[] = { NULL, command };
	char *text[2][REQUESTS];
	struct api_desk d;
	(void)state;
	for (int run = 0; run < 2; run++) {
		set_up(&d, 1, commands[run]);
		const struct visitor who = desk_visitor(&d);
		for (int i = 0; i < REQUESTS; i++)
			text[run][i] = strdup(ask(&d, &who, i));
		assert_string_equal(d.fault, "");
		if (run) {
			assert_int_equal(figures(&d).died, 0);
			assert_int_equal(figures(&d).refused, 0);
			/* One at most for each kind of search stays; one that has read a file ends. */
			assert_in_range(figures(&d).started, 2, REQUESTS);
			assert_in_range(figures(&d).alive, 1, 2);
		}
		desk_close(&d);
	}
	for (int i = 0; i < REQUESTS; i++) {
		assert_string_equal(text[1][i], text[0][i]);
		free(text[0][i]);
		free(text[1][i]);
	}
}

static void test_processes__play_and_take_games(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d, 1, command);
	const struct visitor who = desk_visitor(&d);
	const char *id = desk_text(desk_ask(&d, &who, "POST", "/api/v1/plays",
					    "{\"record\":\"[Event \\\"a\\\"]\\n\\n1. e4 e5 2. Nf3 *\\n\",\"seats\":[\"level:1\",\"human\"]}",
					    201),
				   "id");
	const uint64_t events = desk_send(&d, &who, "GET", play_path(id, "/events"), NULL);
	desk_wait(&d, events, 1);
	desk_ask(&d, &who, "POST", play_path(id, "/moves"), "{\"move\":\"b8c6\"}", 200);
	desk_wait(&d, events, 3);
	const json_t *line = json_object_get(desk_ask(&d, &who, "GET", play_path(id, ""), NULL, 200), "line");
	assert_int_equal(json_array_size(line), 5);
	desk_ask(&d, &who, "POST", "/api/v1/studies",
		 "{\"title\":\"t\",\"chapters\":[{\"name\":\"n\",\"record\":\"" JOURNAL "\"}]}", 201);
	assert_int_equal(figures(&d).died, 0);
	assert_string_equal(d.fault, "");
	desk_close(&d);
}

/* ---- Death ---- */

static const char endless[] = "{\"game\":\"reversi\",\"time\":30000}";

/* Kills the children of this process, as a broken reader or the system would. */
static int kill_children(int signal)
{
	char path[300], text[300];
	int count = 0;
	DIR *dir = opendir("/proc");
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		int pid = atoi(e->d_name), parent = 0;
		snprintf(path, sizeof path, "/proc/%s/stat", e->d_name);
		FILE *file = pid > 0 ? fopen(path, "r") : NULL;
		if (file && fgets(text, sizeof text, file) && strrchr(text, ')'))
			sscanf(strrchr(text, ')') + 1, " %*c %d", &parent);
		if (file)
			fclose(file);
		if (parent == getpid() && kill(pid, signal) == 0)
			count++;
	}
	closedir(dir);
	return count;
}

static void until_logged(struct api_desk *d, const char *text)
{
	const int64_t until = clock_us() + INT64_C(120000000);
	while (!strstr(d->log, text) && clock_us() < until)
		turn(d);
	if (!strstr(d->log, text))
		fail_msg("'%s' is not in the log: %s", text, d->log);
}

/*
 * The job begins again, once; then it is refused, and so is the next one like it, at once, unless
 * the system or an operator has killed them: that says nothing about the job.
 */
static void test_processes__that_die_have_their_job_done_by_another(void **state)
{
	static const int signals[] = { SIGABRT, SIGKILL };
	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct api_desk d;
		char killed[40];
		set_up(&d, 1, command);
		const struct visitor who = desk_visitor(&d);
		const uint64_t call = desk_send(&d, &who, "POST", "/api/v1/analysis", endless);
		desk_wait(&d, call, 1);
		assert_true(kill_children(signals[i]) >= 1);
		until_logged(&d, "begins again");
		snprintf(killed, sizeof killed, "killed by signal %d", signals[i]);
		assert_non_null(strstr(d.log, killed));
		const int before = d.call[call].count;
		desk_wait(&d, call, before + 1);
		assert_false(d.call[call].ended);
		assert_true(kill_children(signals[i]) >= 1);
		until_logged(&d, "is refused");
		while (!d.call[call].ended)
			turn(&d);
		assert_int_equal(figures(&d).died, 2);
		assert_int_equal(figures(&d).refused, 1);
		const uint64_t started = figures(&d).started;
		const uint64_t next = desk_send(&d, &who, "POST", "/api/v1/analysis", endless);
		assert_int_equal(desk_wait(&d, next, 1)->last->status,
				 signals[i] == SIGABRT ? 500 : 200);
		assert_int_equal(figures(&d).started, started + (signals[i] == SIGKILL));
		api_cancel(d.api, next);
		/* Other jobs are not affected. */
		ask(&d, &who, 0);
		assert_int_equal(figures(&d).refused, signals[i] == SIGABRT ? 2 : 1);
		desk_close(&d);
	}
}

/* Idle ones, too: no job suffers from it. */
static void test_processes__that_are_killed_when_idle_are_replaced(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d, 1, command);
	const struct visitor who = desk_visitor(&d);
	ask(&d, &who, 0);
	assert_true(kill_children(SIGKILL) >= 1);
	ask(&d, &who, 0);
	ask(&d, &who, 6);
	assert_int_equal(figures(&d).refused, 0);
	desk_close(&d);
}

/* One that a visitor's file has broken writes what it likes: nobody else notices. */
static void test_processes__that_lie_harm_their_job_only(void **state)
{
	static const struct {
		const char *script;
		int values, record; /* statuses */
	} cases[] = {
		{ "echo 'R files none'; while read l; do echo 'r !'; done", 500, 500 },
		{ "echo 'R files none'; while read l; do echo 'r !99'; done", 500, 500 },
		{ "echo 'R files none'; while read l; do echo 'r !999'; done", 500, 500 },
		{ "echo 'R files none'; while read l; do echo 'r +[1'; done", 200, 400 },
		{ "echo 'R files none'; while read l; do echo 'x why'; done", 500, 500 },
		{ "echo 'R files none'; while read l; do echo 'n '; done", 503, 503 },
		{ "echo 'R files none'; while read l; do echo; done", 500, 500 },
		{ "echo 'R files none'; read l; exit 1", 500, 500 },
		{ "echo 'R files none'; read l; yes 'p x' | head -c 20000000", 500, 500 },
		{ "echo 'R files none'; read l; head -c 20000000 /dev/zero", 500, 500 },
	};
	struct api_desk d;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *const words[] = { "sh", "-c", cases[i].script, NULL };
		set_up(&d, 1, words);
		d.openapi = (json_decref(d.openapi), NULL); /* what it writes is no good answer */
		const struct visitor who = desk_visitor(&d);
		const struct desk_call *c = desk_wait(
			&d, desk_send(&d, &who, "POST", requests[1][1], requests[1][2]), 1);
		assert_int_equal(c->last->status, cases[i].values);
		c = desk_wait(&d, desk_send(&d, &who, "POST", requests[6][1], requests[6][2]), 1);
		assert_int_equal(c->last->status, cases[i].record);
		desk_ask(&d, &who, "GET", "/api/v1/health", NULL, 200);
		desk_close(&d);
	}
}

/* ---- Stopping ---- */

static void test_processes__end_with_the_server(void **state)
{
	struct api_desk d;
	(void)state;
	set_up(&d, 1, command);
	const struct visitor who = desk_visitor(&d);
	desk_wait(&d, desk_send(&d, &who, "POST", "/api/v1/analysis", endless), 1);
	desk_close(&d);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* What nobody wants ends soon, and its process is used again. */
static void test_processes__stop_when_nobody_wants_it(void **state)
{
	struct api_desk d;
	int waiting, running;
	(void)state;
	set_up(&d, 1, command);
	const struct visitor who = desk_visitor(&d);
	const uint64_t call = desk_send(&d, &who, "POST", "/api/v1/analysis", endless);
	desk_wait(&d, call, 1);
	api_cancel(d.api, call);
	do
		turn(&d);
	while (worker_pool_count(d.api->pool, &waiting, &running), running);
	ask(&d, &who, 0);
	assert_int_equal(figures(&d).died, 0);
	desk_close(&d);
}

static void test_processes__that_cannot_start_leave_the_work_to_threads(void **state)
{
	static const char *const *const commands[] = { no_program, dies };
	struct api_desk d;
	(void)state;
	for (int i = 0; i < 2; i++) {
		set_up(&d, 1, commands[i]);
		assert_non_null(strstr(d.log, "warn workers: no processes: "));
		assert_null(d.api->processes);
		const struct visitor who = desk_visitor(&d);
		ask(&d, &who, 0);
		ask(&d, &who, 8);
		desk_close(&d);
	}
}

/* ---- A review that makes room ---- */

struct bench {
	struct worker_pool *pool;
	_Atomic int64_t now_us;
	atomic_int answers;
	char text[2][64];
};

static void wake(void *ctx)
{
	(void)ctx;
}

static int64_t now_us(void *ctx)
{
	struct bench *b = ctx;
	return atomic_load(&b->now_us);
}

static void deliver(void *ctx, uint64_t number, const char *text, bool last)
{
	struct bench *b = ctx;
	if (!last)
		return;
	snprintf(b->text[number - 1], sizeof b->text[0], "%s", text ? text : "none");
	b->answers++;
}

static void wait_for(struct bench *b, int answers)
{
	while (b->answers < answers) {
		worker_pool_deliver(b->pool);
		nap();
	}
}

static struct qv_record *play_game(const struct qv_context *context, int plies)
{
	struct qv_rules rules;
	struct qv_record *record = NULL;
	qv_move moves[QV_MAX_MOVES];
	assert_int_equal(qv_rules_parse(context, "reversi", &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(context, &rules, NULL, &record, NULL), QV_OK);
	for (int i = 0; i < plies; i++) {
		const int count = rules.game->moves(qv_record_state(record), moves);
		assert_int_equal(qv_record_play(record, moves[(i * 7) % count], -1, NULL), QV_OK);
	}
	return record;
}

static void test_processes__pause_with_a_review(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct table_lookup *lookup = table_lookup_new(context, NULL);
	struct bench b = { 0 };
	struct worker_processes *ps = NULL;
	struct worker_processes_figures f;
	uint64_t number;
	(void)state;
	const struct worker_processes_setup setup = { command, 2, wake, &b };
	assert_int_equal(worker_processes_new(&setup, &ps, NULL), QV_OK);
	const struct worker_pool_setup pool = { .workers = 1, .most = 10, .wake = wake,
						.now_us = now_us, .ctx = &b,
						.pass_on = worker_processes_run,
						.forget = worker_processes_forget,
						.processes = ps };
	b.pool = worker_pool_new(&pool);
	const struct worker_job review = {
		.client = "a", .yields = YIELD_PAUSES, .most = 1, .limit_ms = 600000,
		.run = record_job_review, .release = record_job_free,
		.arg = record_job_new(context, play_game(context, 50), 0, NULL),
		.deliver = deliver, .ctx = &b,
	};
	assert_int_equal(worker_pool_submit(b.pool, &review, &number), SUBMIT_OK);
	for (int waiting = 1, running; waiting; nap())
		worker_pool_count(b.pool, &waiting, &running);
	atomic_store(&b.now_us, (WORKER_YIELD_MS + 1) * 1000);
	struct qv_record *start = play_game(context, 0);
	const struct search_job_setup search = { .context = context, .rules = *qv_record_rules(start),
						 .state = qv_record_state(start), .spec = "level:1",
						 .hash_mb = 1, .table_lookup = lookup };
	const struct worker_job move = {
		.client = "b", .most = 1, .limit_ms = 600000, .run = search_job_move,
		.release = search_job_free, .arg = search_job_new(&search), .deliver = deliver,
		.ctx = &b,
	};
	assert_int_equal(worker_pool_submit(b.pool, &move, &number), SUBMIT_OK);
	wait_for(&b, 1);
	assert_int_equal(*b.text[1], '+');
	wait_for(&b, 2);
	assert_non_null(strstr(b.text[0], "review"));
	worker_processes_figures(ps, &f);
	assert_int_equal(f.started, 2); /* the move had one of its own */
	assert_int_equal(f.paused, 0);
	assert_int_equal(f.died, 0);
	worker_processes_stop(ps);
	worker_pool_free(b.pool);
	worker_processes_free(ps);
	qv_record_free(start);
	table_lookup_free(lookup);
	qv_context_free(context);
}

/* ---- The sandbox ---- */

enum { MEMORY_MB = 512 };

/* What a process in the sandbox could do; 0: nothing that it should not. */
static int break_out(const char *folder, bool files)
{
	char inside[300], outside[300], byte;
	const size_t large = (size_t)(MEMORY_MB + 1) << 20;
	snprintf(inside, sizeof inside, "%s/tables/a", folder);
	snprintf(outside, sizeof outside, "%s/secret", folder);
	if (open(outside, O_RDONLY) >= 0 || open("/etc/passwd", O_RDONLY) >= 0)
		return 1;
	if (open(outside, O_WRONLY | O_CREAT, 0600) >= 0 || unlink(outside) == 0)
		return 2;
	const int fd = open(inside, O_RDONLY);
	if ((fd >= 0) != files || (files && read(fd, &byte, 1) != 1) || open(inside, O_WRONLY) >= 0)
		return 3;
	if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0)
		return 4;
	if (kill(getppid(), 0) == 0 || fork() >= 0)
		return 5;
	execl("/bin/true", "true", (char *)NULL);
	if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		return 6;
	if (mmap(NULL, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		return 7;
	for (int i = STDERR_FILENO + 1; i < 64; i++)
		if (i != fd && write(i, "", 0) == 0)
			return 8;
	if (getenv("PATH"))
		return 9;
	/* Its own priority, not that of its group or of its user. */
	if (setpriority(PRIO_PGRP, 0, 19) == 0 || setpriority(PRIO_USER, 0, 19) == 0)
		return 11;
	struct rlimit limit;
	if (prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) == 0)
		return 13;
	if (fd >= 0 && fcntl(fd, F_SETOWN, getppid()) == 0)
		return 14;
	/* And what it needs. */
	if (setpriority(PRIO_PROCESS, 0, 19) != 0)
		return 12;
	char *memory = malloc(64 << 20);
	if (!memory || clock_us() <= 0)
		return 10;
	memset(memory, 1, 64 << 20);
	return 0;
}

static void write_file(const char *folder, const char *name)
{
	char path[300];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs("x", file);
	fclose(file);
}

/* Exit status 100: this system or build has no filter; 101: none for files. */
static void test_sandbox__takes_everything_but_the_work(void **state)
{
	char folder[] = "test-sandbox-XXXXXX", tables[64], text[SANDBOX_TEXT];
	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(tables, sizeof tables, "%s/tables", folder);
	assert_int_equal(mkdir(tables, 0700), 0);
	write_file(folder, "secret");
	write_file(tables, "a");
	for (int with_files = 0; with_files < 2; with_files++) {
		const char *const folders[] = { with_files ? tables : "/nonexistent", NULL };
		const struct sandbox sandbox = { (int64_t)MEMORY_MB << 20, folders };
		int status;
		fflush(NULL);
		const pid_t child = fork();
		assert_true(child >= 0);
		if (child == 0) {
			const bool good = sandbox_enter(&sandbox, text);
			_exit(strncmp(text, "seccomp", 7) != 0 ? 100
			      : !good			    ? 101
							    : break_out(folder, with_files));
		}
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) >= 100)
			print_message("not tested: this %s\n", WEXITSTATUS(status) == 100
				? "system has no seccomp, or the build has a sanitizer"
				: "system has no Landlock");
		else
			assert_int_equal(WEXITSTATUS(status), 0);
	}
	write_file(tables, "a"); /* both are there */
	desk_remove(tables);
	desk_remove(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_processes__find_what_threads_find),
		cmocka_unit_test(test_processes__play_and_take_games),
		cmocka_unit_test(test_processes__that_die_have_their_job_done_by_another),
		cmocka_unit_test(test_processes__that_are_killed_when_idle_are_replaced),
		cmocka_unit_test(test_processes__that_lie_harm_their_job_only),
		cmocka_unit_test(test_processes__end_with_the_server),
		cmocka_unit_test(test_processes__stop_when_nobody_wants_it),
		cmocka_unit_test(test_processes__that_cannot_start_leave_the_work_to_threads),
		cmocka_unit_test(test_processes__pause_with_a_review),
		cmocka_unit_test(test_sandbox__takes_everything_but_the_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
