/*
 * loop_poll.c - libwebsockets with its own poll, for a static program.
 * SPDX-License-Identifier: MIT
 *
 * A static program cannot load the plug-in that puts libwebsockets on a libuv loop. Here
 * libwebsockets waits, and libuv's loop runs when there is something for it: libwebsockets also
 * polls the descriptor of the loop and has a timer for the loop's next one.
 */
#include <poll.h>
#include <unistd.h>

#include "server/http/transport.h"

enum { PAUSE_MS = 2 };

/* Calls nothing: loop_run lets libuv look after each turn. */
static int loop_callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
			 size_t length)
{
	(void)wsi, (void)reason, (void)user, (void)in, (void)length;
	return 0;
}

/* Those of a connection count; for the others libwebsockets may pass no connection. */
static void count(struct lws *wsi, const void *user)
{
	if (user)
		web_of(wsi)->callbacks++;
}

static int counted_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
			size_t length)
{
	count(wsi, user);
	return http_callback(wsi, reason, user, in, length);
}

static int counted_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
			  size_t length)
{
	count(wsi, user);
	return socket_callback(wsi, reason, user, in, length);
}

void loop_prepare(struct web *web, struct lws_context_creation_info *info)
{
	(void)info;
	web->protocols[0].callback = counted_http;
	web->protocols[1].callback = counted_socket;
	web->protocols[2] = (struct lws_protocols){ .name = "loop", .callback = loop_callback };
}

/* libwebsockets closes the descriptor that it gets, so it gets a copy. */
bool loop_join(struct web *web)
{
	const lws_sock_file_fd_type fd = { .filefd = dup(uv_backend_fd(&web->loop)) };
	return fd.filefd >= 0 && lws_adopt_descriptor_vhost(web->vhost, LWS_ADOPT_RAW_FILE_DESC, fd,
							    "loop", NULL);
}

static void on_time(lws_sorted_usec_list_t *timer)
{
	(void)timer;
}

/*
 * One turn of libwebsockets. While it may not read but has bytes of another request buffered, it
 * polls for writing and ignores the event: then it would not wait, and this does.
 */
static void serve_turn(struct web *web)
{
	const int wait_ms = uv_backend_timeout(&web->loop);
	const uint64_t callbacks = web->callbacks, began = uv_hrtime();
	if (wait_ms > 0)
		lws_sul_schedule(web->context, 0, &web->alarm, on_time,
				 (lws_usec_t)wait_ms * LWS_US_PER_MS);
	lws_service(web->context, wait_ms == 0 ? -1 : 0);
	lws_sul_cancel(&web->alarm);
	if (wait_ms && web->callbacks == callbacks && uv_hrtime() - began < 1000000) {
		struct pollfd ours = { .fd = uv_backend_fd(&web->loop), .events = POLLIN };
		poll(&ours, 1, wait_ms > 0 && wait_ms < PAUSE_MS ? wait_ms : PAUSE_MS);
	}
}

/* Without a context only handles of our own remain, which close. */
void loop_run(struct web *web)
{
	while (uv_run(&web->loop, UV_RUN_NOWAIT)) {
		if (web->context)
			serve_turn(web);
		else
			uv_run(&web->loop, UV_RUN_ONCE);
	}
}

/* Called by a handle of our loop, so outside the callbacks of libwebsockets. */
void loop_leave(struct web *web)
{
	lws_context_destroy(web->context);
	web->context = NULL;
}

void loop_end(struct web *web)
{
	(void)web;
}

void loop_unwatch(struct exchange *e)
{
	(void)e;
}
