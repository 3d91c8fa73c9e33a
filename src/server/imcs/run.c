/*
 * run.c - an IMCS server without the web server.
 * SPDX-License-Identifier: MIT
 *
 * It runs the API for its store, its games and its threads, but sends it no requests. The loop, the
 * signals and the turns are the same as in server/http/web.c.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "server/api/limits.h"
#include "server/imcs/listen.h"

/* The server alone: its loop, its handles and the API. */
struct run {
	uv_loop_t loop;
	uv_async_t wake;
	uv_timer_t turn, end;
	uv_signal_t interrupt, terminate;
	struct api *api;
	struct imcs_listener *listener;
	bool ending;
};

/* No request was sent, so none is expected. */
static void no_response(void *ctx, const struct api_response *response)
{
	(void)ctx;
	(void)response;
}

/* From any thread. */
static void wake_up(void *ctx)
{
	struct run *r = ctx;
	uv_async_send(&r->wake);
}

static int64_t run_now_ms(void *ctx)
{
	(void)ctx;
	return (int64_t)(uv_hrtime() / 1000000);
}

static int64_t run_seconds(void *ctx)
{
	(void)ctx;
	return (int64_t)time(NULL);
}

static void on_turn(uv_timer_t *timer);

/* Runs the API and sets the timer to when it has to run again. */
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

/* In this order: games are stored through the API, which then closes. */
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
	api_close(r->api);
	r->api = NULL;
	for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
		uv_close(handles[i], NULL);
}

/* A second signal finds `ending` set. */
static void on_signal(uv_signal_t *handle, int number)
{
	(void)number;
	end(handle->data);
}

static void on_end(uv_timer_t *timer)
{
	end(timer->data);
}

/* For imcs_listen_setup. Deferred to a timer: the protocol is still in the middle of the admin's command. */
static void stopped(void *ctx)
{
	struct run *r = ctx;
	uv_timer_start(&r->end, on_end, 0, 0);
}

/* Handles are initialised first, so that `end` can close them whatever fails. */
enum qv_status imcs_run(const struct imcs_run_setup *setup, struct qv_error *error)
{
	struct api_setup api = setup->api;
	char at[IMCS_LISTENS_AT];
	struct run *r = calloc(1, sizeof *r);
	if (!r || uv_loop_init(&r->loop) != 0) {
		free(r);
		return qv_fail(error, QV_NO_MEMORY, "imcs: out of memory");
	}
	limits_raise_files();
	uv_async_init(&r->loop, &r->wake, on_wake);
	uv_timer_init(&r->loop, &r->turn);
	uv_timer_init(&r->loop, &r->end);
	uv_signal_init(&r->loop, &r->interrupt);
	uv_signal_init(&r->loop, &r->terminate);
	r->wake.data = r->turn.data = r->end.data = r->interrupt.data = r->terminate.data = r;
	api.host = (struct api_host){ no_response, wake_up, run_now_ms, run_seconds, r, NULL,
				      NULL, NULL };
	enum qv_status status = api_open(&api, &r->api, error);
	const struct imcs_listen_setup listen_setup = { .loop = &r->loop,
							.api = r->api,
							.host = setup->host,
							.port = setup->port,
							.per_address = api.per_address,
							.stopped = stopped,
							.admin_password = setup->admin_password,
							.ctx = r };
	if (status == QV_OK)
		status = imcs_listener_open(&listen_setup, &r->listener, at, error);
	if (status == QV_OK) {
		uv_signal_start(&r->interrupt, on_signal, SIGINT);
		uv_signal_start(&r->terminate, on_signal, SIGTERM);
		status = setup->ready(setup->ctx, at, error);
	}
	if (status == QV_OK)
		turn(r);
	else
		end(r);
	uv_run(&r->loop, UV_RUN_DEFAULT);
	uv_loop_close(&r->loop);
	free(r);
	return status;
}
