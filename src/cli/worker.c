/*
 * worker.c - the command worker: a process that thinks for the web servers of a database.
 * SPDX-License-Identifier: MIT
 *
 * It prints a line as soon as it takes jobs, so that a script can wait for it; its log goes to
 * standard error. Ctrl-C or SIGTERM ends it: it takes nothing new, finishes what it can in time, and
 * gives the rest back. A second signal ends it at once.
 */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"
#include "base/threads.h"
#include "cli/cli.h"
#include "server/http/log.h"
#include "server/http/notify.h"
#include "server/jobs/job_worker.h"
#include "server/jobs/worker_process.h"

enum { LOG_TEXT, LOG_JSON };
enum {
	LOOK_MS = 200,	  /* between two looks at the signals */
	PIPE_MB = 1024,	  /* memory of a worker for a server here, besides hash tables */
	FOLDERS_MOST = 16, /* of endgame tables */
};

/* The options of worker. */
struct worker_values {
	const char *store;
	int64_t drain, log_form, log_level; /* LOG_TEXT, LOG_JSON; enum log_level */
	bool pipe;
};

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct worker_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("store", OPTION_POINTER, store, .value = "URL",
	    .help = "the PostgreSQL database of the servers, postgres://..."),
	SHARED_OPTION(
		"tables", OPTION_POINTER, tables, .value = "DIR",
		.help = "tables of solved positions (default: where 'tables build' puts them)"),
	ROW("pipe", OPTION_FLAG, pipe,
	    .help = "work for a server that has started this process, without any rights (serve does so)"),
	ROW("drain", OPTION_INT, drain, .max = 600, .def = 10, .value = "SECONDS",
	    .help = "after Ctrl-C or SIGTERM, wait at most so long for jobs under way"),
	ROW("log", OPTION_CHOICE, log_form, .choices = "text|json", .def = LOG_TEXT,
	    .help = "form of the log on standard error"),
	ROW("log-level", OPTION_CHOICE, log_level, .choices = "error|warn|info|debug",
	    .def = LOG_WARN, .help = "the least important lines to log; info: each job"),
	SHARED_OPTION("config", OPTION_POINTER, config, .value = "FILE",
		      .help = "read options from FILE, lines 'name = value'; those on the command "
			      "line win"),
	{ 0 },
};
#undef ROW

/* Where the loop sleeps, and other threads wake it. */
struct bell {
	struct mutex lock;
	struct condition rings;
	bool rung;
	const struct server_log *log;
};

static void ring(void *ctx)
{
	struct bell *b = ctx;
	mutex_lock(&b->lock);
	b->rung = true;
	condition_signal(&b->rings);
	mutex_unlock(&b->lock);
}

static void sleep_until_rung(struct bell *b, int64_t ms)
{
	const int64_t until = clock_us() + ms * 1000;
	mutex_lock(&b->lock);
	while (!b->rung && clock_us() < until)
		condition_wait_until(&b->rings, &b->lock, until);
	b->rung = false;
	mutex_unlock(&b->lock);
}

/* One call for each line, so that lines of several programs do not mix. */
static void write_log(void *ctx, const char *line)
{
	(void)ctx;
	fputs(line, stderr);
}

static void log_line(void *ctx, const char *level, const char *text)
{
	const struct bell *b = ctx;
	log_message((void *)(uintptr_t)b->log, level, text);
}

/* All processors: unlike a server, it has nothing else to do. */
static int thread_count(const struct cli *c)
{
	const long processors = sysconf(_SC_NPROCESSORS_ONLN);
	return threads_count(cli_given(c, "threads") ? c->args.threads : processors);
}

static enum qv_status print_ready(struct cli *c, const struct job_worker *w, int threads)
{
	if (c->args.json)
		cli_json(c, json_fields(json_object(), "worker", json_text(job_worker_id(w)),
					"threads", json_integer(threads), NULL));
	else
		string_addf(&c->out, "quevedo: worker %s, %d threads\n", job_worker_id(w), threads);
	return cli_flush(c);
}

/* Until a signal, and then until the jobs are done or the time is up. */
static void run_until_signal(struct job_worker *w, struct bell *b, const struct qv_flag *stop,
			     int64_t drain_s)
{
	int64_t until_us = 0;
	for (;;) {
		const int64_t next = job_worker_turn(w);
		if (!until_us && flag_is_set(stop)) {
			notify_systemd("STOPPING=1");
			job_worker_drain(w);
			until_us = clock_us() + drain_s * 1000000;
		}
		if (until_us && (!job_worker_busy(w) || clock_us() >= until_us))
			return;
		sleep_until_rung(b, next < LOOK_MS ? next : LOOK_MS);
	}
}

/* The folders of the tables, to be read in the sandbox; `parts` has room for those of Syzygy. */
static void list_folders(const char *tables, char *parts, const char *folders[FOLDERS_MOST])
{
	int count = 0;
	char *rest = parts;
	if (tables)
		folders[count++] = tables;
	for (const char *part; (part = strtok_r(rest, ":;", &rest)) && count < FOLDERS_MOST - 1;)
		folders[count++] = part;
	folders[count] = NULL;
}

/* For the server at the other end of the standard input and output. */
static enum qv_status run_pipe(struct cli *c)
{
	const struct qv_defaults defaults = cli_defaults(c);
	const char *folders[FOLDERS_MOST];
	char *parts = strdup(c->args.syzygy ? c->args.syzygy : "");
	const struct job_tools tools = { .context = c->context,
					 .tables = defaults.tables,
					 .prober = defaults.prober,
					 .table_lookup = table_lookup_new(c->context,
									  defaults.tables),
					 .checked = true };
	const struct worker_process_setup setup = {
		.tools = &tools,
		.folders = folders,
		.memory_bytes = (PIPE_MB + 2 * c->args.hash_mb) << 20,
		.in = STDIN_FILENO,
		.out = STDOUT_FILENO,
	};
	enum qv_status status = QV_NO_MEMORY;
	if (parts && tools.table_lookup) {
		list_folders(defaults.tables, parts, folders);
		/* The server decides when it ends, also if the whole group gets a signal. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGTERM, SIG_IGN);
		signal(SIGINT, SIG_IGN);
		signal(SIGHUP, SIG_IGN);
		status = worker_process_run(&setup, &c->error);
	}
	table_lookup_free(tools.table_lookup);
	free(parts);
	return status;
}

static enum qv_status run_worker(struct cli *c)
{
	const struct worker_values *own = cli_own(c);
	if (own->pipe)
		return own->store ? cli_refuse(c, "--pipe: not with --store") : run_pipe(c);
	char name[128] = "";
	const struct server_log log = { .level = (enum log_level)own->log_level,
					.json = own->log_form == LOG_JSON,
					.write = write_log };
	struct bell bell = { .log = &log };
	struct job_worker *w = NULL;
	const struct qv_flag *stop = cli_stop_flag(); /* also for a signal that comes at once */
	if (!own->store || !*own->store)
		return cli_refuse(c, "--store: a worker needs the PostgreSQL database of the "
				     "servers, postgres://...; with SQLite the server thinks itself");
	gethostname(name, sizeof name - 1);
	const struct job_worker_setup setup = { .place = own->store,
						.context = c->context,
						.tables = cli_defaults(c).tables,
						.prober = cli_defaults(c).prober,
						.threads = thread_count(c),
						.name = name,
						.wake = ring,
						.log = log_line,
						.ctx = &bell };
	mutex_init(&bell.lock);
	condition_init(&bell.rings);
	enum qv_status status = job_worker_open(&setup, &w, &c->error);
	if (status == QV_OK)
		status = print_ready(c, w, setup.threads);
	if (status == QV_OK) {
		notify_systemd("READY=1");
		run_until_signal(w, &bell, stop, own->drain);
	}
	job_worker_close(w);
	condition_release(&bell.rings);
	mutex_release(&bell.lock);
	return status;
}

const struct command command_worker = {
	.name = "worker",
	.run = run_worker,
	.usage = "worker --store URL",
	.help = "think for web servers that share a PostgreSQL database",
	.more = "Uses all processors, or --threads N. Prints a line when it is ready; Ctrl-C ends it. The servers run with --think workers "
		"or --think both. See docs/server.md.\n",
	.options = OPTION_GROUPS(own_options, syzygy_option, common_options),
};
