/*
 * metrics.c - figures for the operator, and their text for Prometheus.
 * SPDX-License-Identifier: MIT
 */
#include "server/http/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { ROUTES = 96, LIMITS = 32, LIMIT_NAME_BYTES = 24, EXTRA_ROUTES = 4 };

/* Statuses that are counted by themselves; any other counts as the last one. */
static const int statuses[] = { 101, 200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406,
				409, 411, 413, 415, 429, 431, 499, 500, 503, 0 };
enum { STATUSES = sizeof statuses / sizeof *statuses };

struct metrics {
	uint64_t requests[ROUTES][STATUSES];
	struct histogram seconds[ROUTES];
	struct {
		char name[LIMIT_NAME_BYTES];
		uint64_t count;
	} limits[LIMITS]; /* the last one counts all that do not fit */
	int limit_count;
	uint64_t failed_logins;
	int64_t started; /* seconds since 1970 */
};

struct metrics *metrics_new(void)
{
	struct metrics *m = calloc(1, sizeof *m);
	if (m)
		m->started = (int64_t)time(NULL);
	return m;
}

void metrics_free(struct metrics *m)
{
	free(m);
}

/* ---- Counting ---- */

const char *route_label(int route)
{
	static const char *const others[EXTRA_ROUTES] = { "other", "page", "asset", "socket" };
	const char *path = route >= 0 ? api_route_path(route) : NULL;
	return path ? path : others[route < 0 && route >= -EXTRA_ROUTES ? -1 - route : 0];
}

/* The routes of the API come after the others; those that do not fit count as "other". */
static int row_of(int route)
{
	const int row = route < 0 ? -1 - route : EXTRA_ROUTES + route;
	return row < ROUTES ? row : 0;
}

void metrics_refused(struct metrics *m, const char *limit)
{
	char name[LIMIT_NAME_BYTES];
	int at = 0;
	snprintf(name, sizeof name, "%.*s", (int)strcspn(limit, ":\"\\\n"), limit);
	while (at < m->limit_count && strcmp(m->limits[at].name, name) != 0)
		at++;
	if (at == LIMITS)
		at = LIMITS - 1;
	if (at == m->limit_count) {
		m->limit_count++;
		memcpy(m->limits[at].name, at < LIMITS - 1 ? name : "other",
		       at < LIMITS - 1 ? sizeof name : sizeof "other");
	}
	m->limits[at].count++;
}

void metrics_request(struct metrics *m, int route, int status, double seconds, const char *why)
{
	const int row = row_of(route);
	int column = 0;
	while (column < STATUSES - 1 && statuses[column] != status)
		column++;
	m->requests[row][column]++;
	histogram_add(&m->seconds[row], histogram_seconds, seconds);
	const bool overload = status == 503 && why && strncmp(why, "overload:", 9) == 0;
	if ((status == 429 && why) || overload)
		metrics_refused(m, why);
	if (status == 401 && strcmp(route_label(route), "/api/v1/login") == 0)
		m->failed_logins++;
}

/* ---- Writing ---- */

static void add_head(struct string *out, const char *name, const char *type, const char *help)
{
	string_addf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void add_one(struct string *out, const char *name, const char *type, double value,
		    const char *help)
{
	add_head(out, name, type, help);
	string_addf(out, "%s %.17g\n", name, value);
}

/* labels: "" or LABEL="VALUE",... */
static void add_histogram(struct string *out, const char *name, const char *labels,
			  const struct histogram *h, const double bounds[HISTOGRAM_BOUNDS])
{
	uint64_t count = 0;
	const char *comma = *labels ? "," : "";
	for (int i = 0; i < HISTOGRAM_BOUNDS; i++) {
		count += h->counts[i];
		string_addf(out, "%s_bucket{%s%sle=\"%g\"} %llu\n", name, labels, comma, bounds[i],
			    (unsigned long long)count);
	}
	count += h->counts[HISTOGRAM_BOUNDS];
	string_addf(out, "%s_bucket{%s%sle=\"+Inf\"} %llu\n", name, labels, comma,
		    (unsigned long long)count);
	const char *open = *labels ? "{" : "", *close = *labels ? "}" : "";
	string_addf(out, "%s_sum%s%s%s %.17g\n%s_count%s%s%s %llu\n", name, open, labels, close,
		    h->sum, name, open, labels, close, (unsigned long long)count);
}

static int route_of_row(int row)
{
	return row < EXTRA_ROUTES ? -1 - row : row - EXTRA_ROUTES;
}

static const char *method_of_row(int row)
{
	const int route = route_of_row(row);
	const bool known = route >= 0 && api_route_path(route);
	return known && api_route_method(route) == API_POST ? "POST" : "GET";
}

/* Rows that were never used are left out. */
static void add_requests(const struct metrics *m, struct string *out)
{
	add_head(out, "quevedo_requests_total", "counter", "Requests by route and status.");
	for (int row = 0; row < ROUTES; row++)
		for (int i = 0; i < STATUSES; i++)
			if (m->requests[row][i])
				string_addf(out,
					    "quevedo_requests_total{route=\"%s\",method=\"%s\","
					    "status=\"%d\"} %llu\n",
					    route_label(route_of_row(row)), method_of_row(row),
					    statuses[i], (unsigned long long)m->requests[row][i]);
	add_head(out, "quevedo_request_seconds", "histogram",
		 "Time from the request to its response.");
	for (int row = 0; row < ROUTES; row++) {
		char labels[128];
		bool used = false;
		for (int i = 0; i < STATUSES; i++)
			used |= m->requests[row][i] != 0;
		snprintf(labels, sizeof labels, "route=\"%s\",method=\"%s\"",
			 route_label(route_of_row(row)), method_of_row(row));
		if (used)
			add_histogram(out, "quevedo_request_seconds", labels, &m->seconds[row],
				      histogram_seconds);
	}
	add_head(out, "quevedo_refused_total", "counter",
		 "Requests and connections refused by the limit of that name.");
	for (int i = 0; i < m->limit_count; i++)
		string_addf(out, "quevedo_refused_total{limit=\"%s\"} %llu\n", m->limits[i].name,
			    (unsigned long long)m->limits[i].count);
	add_one(out, "quevedo_failed_logins_total", "counter", (double)m->failed_logins,
		"Logins with a wrong name or password.");
}

static void add_space(const struct store_space *space, struct string *out)
{
	add_one(out, "quevedo_store_bytes", "gauge", (double)space->bytes, "Size of the database.");
	add_one(out, "quevedo_store_space_short", "gauge", space->tight,
		"1 while nothing new may be stored, since space is short.");
	if (space->disk)
		add_one(out, "quevedo_store_disk_free_bytes", "gauge", (double)space->free,
			"Free space of the disk that the database is on.");
}

static void add_store(const struct store_figures *f, bool failing, struct string *out)
{
	add_one(out, "quevedo_store_failing", "gauge", failing, "1 while nothing can be stored.");
	add_one(out, "quevedo_store_queue_bytes", "gauge", (double)f->queued_bytes,
		"Memory of writes and reads that are on their way.");
	add_one(out, "quevedo_store_queue_units", "gauge", f->queued_units,
		"Units of writes that wait for the writer.");
	add_one(out, "quevedo_store_oldest_write_seconds", "gauge", (double)f->oldest_ms / 1000,
		"For how long the oldest write waits.");
	add_one(out, "quevedo_store_reads_waiting", "gauge", f->questions,
		"Reads that are on their way.");
	add_one(out, "quevedo_store_failed_units_total", "counter", (double)f->failed_units,
		"Units of writes that were not stored.");
	add_one(out, "quevedo_store_failed_reads_total", "counter", (double)f->failed_reads,
		"Reads that failed.");
	add_head(out, "quevedo_event_commit_seconds", "histogram",
		 "Time until events, such as a move, are on disk.");
	add_histogram(out, "quevedo_event_commit_seconds", "", &f->unit_seconds, histogram_seconds);
	add_head(out, "quevedo_store_commit_seconds", "histogram", "Duration of one commit.");
	add_histogram(out, "quevedo_store_commit_seconds", "", &f->commit_seconds,
		      histogram_seconds);
	add_head(out, "quevedo_store_commit_units", "histogram", "Units of writes in one commit.");
	add_histogram(out, "quevedo_store_commit_units", "", &f->commit_units, histogram_sizes);
	add_head(out, "quevedo_store_read_seconds", "histogram", "Time until a read is answered.");
	add_histogram(out, "quevedo_store_read_seconds", "", &f->read_seconds, histogram_seconds);
}

static void add_jobs(const struct worker_pool_figures *f, struct string *out)
{
	static const char *const names[] = { "quevedo_jobs_waiting", "quevedo_jobs_running",
					     "quevedo_job_wait_seconds",
					     "quevedo_job_run_seconds" };
	static const char *const helps[] = { "Jobs that wait for a worker.",
					     "Jobs that a worker is busy with.",
					     "Time that jobs waited for a worker.",
					     "Time that workers spent on jobs." };
	for (int i = 0; i < 4; i++) {
		add_head(out, names[i], i < 2 ? "gauge" : "histogram", helps[i]);
		for (int k = 0; k < f->kind_count; k++) {
			const struct worker_kind *kind = &f->kinds[k];
			char labels[64];
			snprintf(labels, sizeof labels, "kind=\"%s\"", kind->name);
			if (i < 2)
				string_addf(out, "%s{%s} %d\n", names[i], labels,
					    i == 0 ? kind->waiting : kind->running);
			else
				add_histogram(out, names[i], labels,
					      i == 2 ? &kind->wait_seconds : &kind->run_seconds,
					      histogram_seconds);
		}
	}
	double thinking = 0;
	for (int k = 0; k < f->kind_count; k++)
		thinking += f->kinds[k].run_seconds.sum;
	add_one(out, "quevedo_thinking_seconds_total", "counter", thinking,
		"Time that workers have spent on jobs of all kinds.");
}

/* What worker processes do for this server. */
static void add_queue(const struct job_queue_figures *q, struct string *out)
{
	add_one(out, "quevedo_worker_processes", "gauge", q->workers, "Worker processes alive.");
	add_one(out, "quevedo_worker_threads", "gauge", q->threads, "Their search threads.");
	add_one(out, "quevedo_worker_jobs", "gauge", q->sent,
		"Jobs of this server that worker processes have or may take.");
	add_one(out, "quevedo_worker_results_total", "counter", (double)q->done,
		"Results of worker processes.");
	add_one(out, "quevedo_worker_returns_total", "counter", (double)q->back,
		"Jobs that no worker process finished, and that this server ran itself.");
}

/* The processes of this machine. */
static void add_processes(const struct worker_processes_figures *f, struct string *out)
{
	add_one(out, "quevedo_local_processes", "gauge", f->alive,
		"Processes without rights that search and read files for this server.");
	add_one(out, "quevedo_local_deaths_total", "counter", (double)f->died,
		"Those that have died, or were killed because a job did not end.");
	add_one(out, "quevedo_local_refusals_total", "counter", (double)f->refused,
		"Jobs that were refused because such processes died of them.");
}

/* As Prometheus' own client libraries call them. */
static void add_process(const struct metrics *m, struct string *out)
{
	struct rusage used;
	struct rlimit files;
	long size = 0, resident = 0;
	FILE *in = fopen("/proc/self/statm", "r");
	if (in && fscanf(in, "%ld %ld", &size, &resident) == 2)
		add_one(out, "process_resident_memory_bytes", "gauge",
			(double)resident * (double)sysconf(_SC_PAGESIZE), "Resident memory.");
	if (in)
		fclose(in);
	if (getrusage(RUSAGE_SELF, &used) == 0)
		add_one(out, "process_cpu_seconds_total", "counter",
			(double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
				(double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e6,
			"Processor time.");
	if (getrlimit(RLIMIT_NOFILE, &files) == 0)
		add_one(out, "process_max_fds", "gauge", (double)files.rlim_cur,
			"Limit of open files.");
	add_one(out, "process_start_time_seconds", "gauge", (double)m->started,
		"When the server started, in seconds since 1970.");
}

void metrics_write(const struct metrics *m, struct api *api, const struct metrics_now *now,
		   struct string *out)
{
	add_head(out, "quevedo_build_info", "gauge", "The version, as a label.");
	string_addf(out, "quevedo_build_info{version=\"%s\"} 1\n", qv_version());
	add_requests(m, out);
	add_one(out, "quevedo_connections", "gauge", now->connections, "Open connections.");
	add_one(out, "quevedo_connection_bytes", "gauge", (double)now->held,
		"Memory for output that waits, bodies that are not complete, and requests.");
	add_one(out, "quevedo_sockets", "gauge", now->sockets, "Open WebSockets.");
	add_one(out, "quevedo_requests_waiting", "gauge", now->waiting,
		"HTTP requests that wait for a response, streams included.");
	if (api) {
		struct api_figures f;
		api_figures(api, &f);
		add_one(out, "quevedo_games", "gauge", (double)f.games, "Games in memory.");
		add_one(out, "quevedo_game_lines", "gauge", (double)f.game_lines,
			"Lines of all games in memory.");
		add_one(out, "quevedo_streams", "gauge", f.streams, "Open streams of messages.");
		add_one(out, "quevedo_calls", "gauge", f.calls,
			"Requests without a complete response.");
		add_one(out, "quevedo_workers", "gauge", f.workers, "Search threads.");
		add_store(&f.store, f.failing, out);
		add_space(&f.space, out);
		add_jobs(&f.pool, out);
		if (f.has_processes)
			add_processes(&f.processes, out);
		if (f.thinks_elsewhere)
			add_queue(&f.queue, out);
	}
	add_process(m, out);
}
