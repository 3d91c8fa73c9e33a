/*
 * thinking.c - opens the processes that work for this server, and shows their state.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/thinking.h"

enum { NOTE = 300 };

static void wake_host(void *ctx)
{
	const struct api *api = ctx;
	api->setup.host.wake(api->setup.host.ctx);
}

void processes_open(struct api *api, struct worker_pool_setup *pool)
{
	const struct worker_processes_setup setup = { .command = api->setup.worker_command,
						      .keep = pool->workers + 1,
						      .wake = wake_host,
						      .ctx = api };
	struct qv_error error = { "" };
	char line[NOTE];
	bool searches;
	if (!setup.command)
		return;
	if (worker_processes_new(&setup, &api->processes, &error) != QV_OK) {
		snprintf(line, sizeof line,
			 "workers: no processes: %.150s; threads of the server search and read files",
			 error.text);
		api_log(api, "warn", line);
		return;
	}
	pool->pass_on = worker_processes_run;
	pool->forget = worker_processes_forget;
	pool->processes = api->processes;
	const char *sandbox = worker_processes_sandbox(api->processes, &searches);
	if (strncmp(sandbox, "none", 4) != 0 && searches)
		return;
	snprintf(line, sizeof line, "workers: processes with sandbox %.100s%s", sandbox,
		 searches ? ""
			  : "; without Landlock, threads of the server search, for the endgame tables");
	api_log(api, "warn", line);
}

void thinking_turn(struct api *api)
{
	char line[NOTE];
	if (api->processes && worker_processes_note(api->processes, line, sizeof line))
		api_log(api, "error", line);
}

static int64_t queue_now(void *ctx)
{
	return api_now(ctx);
}

static void queue_log(void *ctx, const char *level, const char *text)
{
	api_log(ctx, level, text);
}

enum qv_status thinking_open(struct api *api, struct qv_error *error)
{
	const struct api_setup *setup = &api->setup;
	if (setup->think == THINK_HERE)
		return QV_OK;
	if (!setup->place || !*setup->place)
		return qv_fail(error, QV_BAD_INPUT, "think: workers need PostgreSQL");
	const struct job_queue_setup queue = { .store = api->store,
					       .pool = api->pool,
					       .node = setup->cluster.node,
					       .both = setup->think == THINK_BOTH,
					       .now_ms = queue_now,
					       .log = queue_log,
					       .ctx = api };
	api->jobs = job_queue_new(&queue);
	return api->jobs ? QV_OK : qv_fail(error, QV_NO_MEMORY, "server: out of memory");
}

json_t *thinking_json(const struct api *api)
{
	struct job_queue_figures f;
	if (!api->jobs)
		return NULL;
	job_queue_figures(api->jobs, &f);
	return json_pack("{s:s, s:i, s:i, s:i}", "where", f.both ? "both" : "workers", "workers",
			 f.workers, "threads", f.threads, "jobs", f.sent);
}
