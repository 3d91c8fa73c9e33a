/*
 * standalone.c - an IMCS server without the web server.
 * SPDX-License-Identifier: MIT
 *
 * It runs the API for its store, its games and its threads, but sends it no requests. The loop, the
 * signals and the turns are the same as in server/http/web.c.
 */
#include "server/imcs/standalone.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "server/imcs/listen.h"
#include "server/http/limits.h"

struct run {
	const struct imcs_run_setup *setup;
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t turn, end;
	uv_signal_t interrupt, terminate;
	struct api *api;
	struct imcs_listener *listener;
	bool ending;
};

/* ---- The API's host functions ---- */

static void no_response(void *ctx, const struct api_response *response)
{
	(void)ctx;
	(void)response;
}

static void wake_up(void *ctx)
{
	struct run *r = ctx;
	uv_async_send(&r->wake);
}

static int64_t now_ms(void *ctx)
{
	(void)ctx;
	return (int64_t)(uv_hrtime() / 1000000);
}

static int64_t seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

static void on_turn(uv_timer_t *timer);

static void turn(struct run *r)
{
	const int64_t next = r->api ? api_turn(r->api) : -1;
	if (next < 0)
		uv_timer_stop(&r->turn);
	else
		uv_timer_start(&r->turn, on_turn, (uint64_t)next, 0);
}

static void on_turn(uv_timer_t *timer)
{
	turn(timer->data);
}

static void on_wake(uv_async_t *wake)
{
	turn(wake->data);
}

/* ---- Shutdown ---- */

static void end(struct run *r)
{
	uv_handle_t *const handles[] = { (uv_handle_t *)&r->wake, (uv_handle_t *)&r->turn,
					 (uv_handle_t *)&r->end, (uv_handle_t *)&r->interrupt,
					 (uv_handle_t *)&r->terminate };
	if (r->ending)
		return;
	r->ending = true;
	imcs_listener_shut(r->listener);
	r->listener = NULL;
	struct api *api = r->api;
	api_close(api);
	r->api = NULL;
	for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
		uv_close(handles[i], NULL);
}

static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	end(handle->data);
}

static void on_end(uv_timer_t *timer)
{
	end(timer->data);
}

/* Deferred to a timer: the protocol is still in the middle of the admin's command. */
static void stopped(void *ctx)
{
	struct run *r = ctx;
	uv_timer_start(&r->end, on_end, 0, 0);
}

/* ---- Startup ---- */

static void init_handles(struct run *r)
{
	uv_async_init(&r->loop, &r->wake, on_wake);
	uv_timer_init(&r->loop, &r->turn);
	uv_timer_init(&r->loop, &r->end);
	uv_signal_init(&r->loop, &r->interrupt);
	uv_signal_init(&r->loop, &r->terminate);
	r->wake.data = r->turn.data = r->end.data = r->interrupt.data = r->terminate.data = r;
}

static enum qv_status begin(struct run *r, struct qv_error *error)
{
	struct api_setup api = r->setup->api;
	char at[IMCS_LISTENS_AT];
	struct imcs_listen_setup listen = { .loop = &r->loop,
					    .host = r->setup->host,
					    .port = r->setup->port,
					    .stopped = stopped,
					    .admin_password = r->setup->admin_password,
					    .ctx = r };
	api.host = (struct api_host){ no_response, wake_up, now_ms, seconds, r };
	enum qv_status status = api_open(&api, &r->api, error);
	listen.api = r->api;
	if (status == QV_OK)
		status = imcs_listener_open(&listen, &r->listener, at, error);
	if (status != QV_OK)
		return status;
	uv_signal_start(&r->interrupt, on_signal, SIGINT);
	uv_signal_start(&r->terminate, on_signal, SIGTERM);
	return r->setup->ready(r->setup->ctx, at, error);
}

enum qv_status imcs_run(const struct imcs_run_setup *setup, struct qv_error *error)
{
	struct run *r = calloc(1, sizeof *r);
	if (!r || uv_loop_init(&r->loop) != 0) {
		free(r);
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	}
	r->setup = setup;
	limits_raise_files();
	init_handles(r);
	const enum qv_status status = begin(r, error);
	if (status == QV_OK)
		turn(r);
	else
		end(r);
	uv_run(&r->loop, UV_RUN_DEFAULT);
	uv_loop_close(&r->loop);
	free(r);
	return status;
}
