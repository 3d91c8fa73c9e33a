/*
 * loop_uv.c - libwebsockets on the server's libuv loop, by a plug-in of its own.
 * SPDX-License-Identifier: MIT
 */
#include "server/http/transport.h"

void loop_prepare(struct web *web, struct lws_context_creation_info *info)
{
	web->foreign_loop = &web->loop;
	info->options |= LWS_SERVER_OPTION_LIBUV;
	info->foreign_loops = &web->foreign_loop;
}

bool loop_join(struct web *web)
{
	(void)web;
	return true;
}

void loop_run(struct web *web)
{
	uv_run(&web->loop, UV_RUN_DEFAULT);
}

/* Asynchronous: handles of the context are on our loop until it has run out. */
void loop_leave(struct web *web)
{
	web->closed = web->context;
	web->context = NULL;
	lws_context_destroy(web->closed);
}

/* Frees the rest, now that the handles are closed. */
void loop_end(struct web *web)
{
	lws_context_destroy(web->closed);
}

struct poll_search {
	int fd;
	uv_poll_t *found;
};

/* For uv_walk: compares descriptors. */
static void look_at(uv_handle_t *handle, void *ctx)
{
	struct poll_search *search = ctx;
	uv_os_fd_t fd;
	if (uv_handle_get_type(handle) == UV_POLL && uv_fileno(handle, &fd) == 0 &&
	    fd == search->fd)
		search->found = (uv_poll_t *)handle;
}

/*
 * While libwebsockets may not read but has bytes of another request buffered, it polls for
 * writing and ignores the event, which would fire forever. So its poll handle is stopped; it starts
 * it again when it may read.
 */
void loop_unwatch(struct exchange *e)
{
	struct poll_search search = { lws_get_socket_fd(e->wsi), e->poll };
	if (!search.found)
		uv_walk(&e->web->loop, look_at, &search);
	if (search.found)
		uv_poll_stop(search.found);
	e->poll = search.found;
}
