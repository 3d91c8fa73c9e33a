/*
 * thinking.c - opens the queue of jobs for other processes, and shows its state.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/thinking.h"

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
