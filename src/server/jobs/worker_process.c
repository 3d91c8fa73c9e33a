/*
 * worker_process.c - the loop of a process that runs jobs, one at a time.
 * SPDX-License-Identifier: MIT
 *
 * The job has a thread of a worker pool, so that this one can hear that it shall return soon. Limits
 * and pauses are the server's: it hurries, stops or kills this process.
 */
#include "server/jobs/worker_process.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/lines.h"
#include "server/jobs/sandbox.h"

struct process {
	const struct worker_process_setup *setup;
	struct worker_pool *pool;
	uint64_t number; /* of the job; 0: none */
	char *text;	 /* of the job */
	bool refused;	 /* it cannot be read */
	int bell[2];	 /* the pool writes to it */
	bool ended;	 /* nobody reads what is written */
};

static void ring(void *ctx)
{
	const struct process *p = ctx;
	while (write(p->bell[1], "", 1) < 0 && errno == EINTR)
		;
}

static void say(struct process *p, char kind, const char *text, size_t length)
{
	struct string out = { .allocator = &mem_malloc };
	string_addf(&out, "%c ", kind);
	string_add(&out, text, length);
	string_add(&out, "\n", 1);
	for (size_t at = 0; !out.failed && at < out.length && !p->ended;) {
		const ssize_t wrote = write(p->setup->out, out.data + at, out.length - at);
		if (wrote > 0)
			at += (size_t)wrote;
		else if (errno != EINTR)
			p->ended = true;
	}
	p->ended |= out.failed;
	string_release(&out);
}

static void say_result(struct process *p, const char *text)
{
	if (!text) {
		say(p, 'n', "", 0);
		return;
	}
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		say(p, 'm', text, (size_t)(end - text));
	say(p, 'r', text, strlen(text));
}

static void on_text(void *ctx, uint64_t number, const char *text, bool last)
{
	struct process *p = ctx;
	(void)number;
	if (last)
		p->number = 0;
	if (!last)
		say(p, 'p', text, strlen(text));
	else if (p->refused)
		say(p, 'x', text ? text : "", text ? strlen(text) : 0);
	else
		say_result(p, text);
}

static void run(struct worker_task *task, void *arg)
{
	struct process *p = arg;
	p->refused = !job_text_run(p->setup->tools, p->text, task);
}

static void release(void *arg)
{
	struct process *p = arg;
	free(p->text);
	p->text = NULL;
}

static void begin(struct process *p, const char *line)
{
	char *body;
	const int64_t limit = strtoll(line, &body, 10);
	const struct worker_job job = { .client = "job",
					.urgent = true,
					.most = 1,
					.limit_ms = limit > 0 ? limit : 1,
					.expected_ms =
						WORKER_SHORT_MS, /* for the pool's only thread */
					.run = run,
					.release = release,
					.arg = p,
					.deliver = on_text,
					.ctx = p };
	if (p->number)
		return; /* the server sends one at a time */
	p->text = strdup(body);
	if (p->text && worker_pool_submit(p->pool, &job, &p->number) == SUBMIT_OK)
		return;
	release(p);
	p->number = 0;
	say(p, 'n', "", 0);
}

static void take_line(struct process *p, const char *line)
{
	if (strncmp(line, "job ", 4) == 0)
		begin(p, line + 4);
	else if (strcmp(line, "hurry") == 0)
		worker_pool_hurry(p->pool, p->number);
}

static void loop(struct process *p, struct lines *lines)
{
	int64_t wait_ms = -1;
	while (!p->ended) {
		struct pollfd wait[] = { { p->setup->in, POLLIN, 0 }, { p->bell[0], POLLIN, 0 } };
		char rung[64], *line;
		size_t room;
		if (poll(wait, 2, (int)wait_ms) < 0 && errno != EINTR)
			return;
		if (wait[1].revents && read(p->bell[0], rung, sizeof rung) < 0)
			return;
		if (wait[0].revents) {
			char *to = lines_space(lines, &room);
			const ssize_t bytes = read(p->setup->in, to, room);
			if (bytes == 0 || (bytes < 0 && errno != EINTR && errno != EAGAIN))
				return;
			lines_took(lines, bytes > 0 ? (size_t)bytes : 0);
			for (enum lines_got got; (got = lines_next(lines, &line, &room));)
				if (got == LINES_LINE)
					take_line(p, line);
		}
		wait_ms = worker_pool_deliver(p->pool);
	}
}

enum qv_status worker_process_run(const struct worker_process_setup *setup, struct qv_error *error)
{
	struct process p = { .setup = setup, .bell = { -1, -1 } };
	const struct worker_pool_setup pool = {
		.most = 1, .group_most = 1, .wake = ring, .ctx = &p
	};
	const struct sandbox sandbox = { setup->memory_bytes, setup->folders };
	char text[SANDBOX_TEXT], ready[SANDBOX_TEXT + 8];
	struct lines lines = { 0 };
	json_object_seed(0); /* from /dev/urandom */
	const bool files = sandbox_enter(&sandbox, text);
	snprintf(ready, sizeof ready, "%s%s", files ? "files " : "", text);
	enum qv_status status = lines_init(&lines, &mem_malloc, PROCESS_LINE);
	if (status == QV_OK && pipe(p.bell) != 0)
		status = QV_IO;
	if (status == QV_OK && !(p.pool = worker_pool_new(&pool)))
		status = QV_NO_MEMORY;
	if (status == QV_OK) {
		say(&p, 'R', ready, strlen(ready));
		loop(&p, &lines);
	} else {
		qv_fail(error, status, "worker: not enough memory or threads");
	}
	worker_pool_free(p.pool);
	lines_release(&lines);
	for (int i = 0; i < 2; i++)
		if (p.bell[i] >= 0)
			close(p.bell[i]);
	return status;
}
