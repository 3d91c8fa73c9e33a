/*
 * metrics_listen.c - the address at which Prometheus reads the figures.
 * SPDX-License-Identifier: MIT
 *
 * A server of its own, with one path and no cookies, so that a firewall can tell it from the public
 * one. A client that is slow is closed; there are few at a time.
 */
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#include "server/api/limits.h"
#include "server/http/metrics.h"

enum { CLIENTS = 8, REQUEST_BYTES = 4096, CLIENT_MS = 5000 };

struct metrics_listener {
	struct metrics_listen_setup setup;
	uv_tcp_t socket;
	struct client *open[CLIENTS];
	int clients; /* also those that are being closed */
	bool shut;
};

struct client {
	struct metrics_listener *listener;
	uv_tcp_t socket;
	uv_timer_t timer;
	uv_write_t write;
	struct string out;
	char in[REQUEST_BYTES];
	size_t in_size;
	int handles; /* that are not closed yet */
};

static void free_if_unused(struct metrics_listener *l)
{
	if (l->shut && !l->clients && !l->socket.data)
		free(l);
}

static void on_client_closed(uv_handle_t *handle)
{
	struct client *c = handle->data;
	struct metrics_listener *l = c->listener;
	if (--c->handles)
		return;
	string_release(&c->out);
	free(c);
	l->clients--;
	free_if_unused(l);
}

static void close_client(struct client *c)
{
	if (uv_is_closing((uv_handle_t *)&c->socket))
		return;
	for (int i = 0; i < CLIENTS; i++)
		if (c->listener->open[i] == c)
			c->listener->open[i] = NULL;
	uv_close((uv_handle_t *)&c->socket, on_client_closed);
	uv_close((uv_handle_t *)&c->timer, on_client_closed);
}

static void on_late(uv_timer_t *timer)
{
	close_client(timer->data);
}

static void on_written(uv_write_t *write, int status)
{
	(void)status;
	close_client(write->data);
}

/* The first line decides; everything else of the request is ignored. */
static void respond(struct client *c)
{
	struct string body = { .allocator = &mem_malloc };
	const bool get = strncmp(c->in, "GET ", 4) == 0;
	const bool found = get && strncmp(c->in + 4, "/metrics", 8) == 0 &&
			   strchr(" ?", c->in[12]) && c->in[12];
	if (found)
		c->listener->setup.write(c->listener->setup.ctx, &body);
	const char *status = body.failed ? "503 Service Unavailable"
			     : found	 ? "200 OK"
			     : get	 ? "404 Not Found"
					 : "405 Method Not Allowed";
	string_addf(&c->out,
		    "HTTP/1.1 %s\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n"
		    "Content-Length: %zu\r\nConnection: close\r\n\r\n",
		    status, body.failed ? 0 : body.length);
	if (!body.failed && body.length)
		string_add(&c->out, body.data, body.length);
	string_release(&body);
	uv_buf_t buffer = uv_buf_init(c->out.data, (unsigned)c->out.length);
	uv_read_stop((uv_stream_t *)&c->socket);
	c->write.data = c;
	if (c->out.failed ||
	    uv_write(&c->write, (uv_stream_t *)&c->socket, &buffer, 1, on_written) != 0)
		close_client(c);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buffer)
{
	struct client *c = stream->data;
	(void)buffer;
	if (size < 0) {
		close_client(c);
		return;
	}
	c->in_size += (size_t)size;
	c->in[c->in_size] = '\0';
	if (strstr(c->in, "\r\n\r\n"))
		respond(c);
	else if (c->in_size == REQUEST_BYTES - 1 || strlen(c->in) != c->in_size)
		close_client(c);
}

static void on_room(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer)
{
	struct client *c = handle->data;
	(void)suggested;
	*buffer = uv_buf_init(c->in + c->in_size, (unsigned)(REQUEST_BYTES - 1 - c->in_size));
}

static void on_connection(uv_stream_t *stream, int status)
{
	struct metrics_listener *l = stream->data;
	struct client *c = status == 0 ? calloc(1, sizeof *c) : NULL;
	if (!c)
		return;
	*c = (struct client){ .listener = l, .handles = 2, .out = { .allocator = &mem_malloc } };
	c->socket.data = c->timer.data = c;
	uv_tcp_init(l->setup.loop, &c->socket);
	uv_timer_init(l->setup.loop, &c->timer);
	l->clients++;
	int slot = 0;
	while (slot < CLIENTS && l->open[slot])
		slot++;
	if (slot < CLIENTS)
		l->open[slot] = c;
	if (uv_accept(stream, (uv_stream_t *)&c->socket) != 0 || slot == CLIENTS ||
	    uv_read_start((uv_stream_t *)&c->socket, on_room, on_read) != 0)
		close_client(c);
	else
		uv_timer_start(&c->timer, on_late, CLIENT_MS, 0);
}

static void on_listener_closed(uv_handle_t *handle)
{
	struct metrics_listener *l = handle->data;
	l->socket.data = NULL;
	free_if_unused(l);
}

static int bound_port(const uv_tcp_t *socket)
{
	struct sockaddr_storage bound;
	int size = sizeof bound;
	char port[16] = "0";
	if (uv_tcp_getsockname(socket, (struct sockaddr *)&bound, &size) == 0)
		getnameinfo((struct sockaddr *)&bound, (socklen_t)size, NULL, 0, port, sizeof port,
			    NI_NUMERICSERV);
	return atoi(port);
}

enum qv_status metrics_listener_open(const struct metrics_listen_setup *setup,
				     struct metrics_listener **out, int *port,
				     struct qv_error *error)
{
	struct addrinfo *address;
	enum qv_status status = address_find(setup->host, setup->port, &address, error);
	if (status != QV_OK)
		return qv_fail(error, status, "--metrics: %.60s: unknown address", setup->host);
	struct metrics_listener *l = calloc(1, sizeof *l);
	if (!l) {
		freeaddrinfo(address);
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	}
	l->setup = *setup;
	uv_tcp_init(setup->loop, &l->socket);
	l->socket.data = l;
	int wrong = uv_tcp_bind(&l->socket, address->ai_addr, 0);
	uv_os_fd_t fd;
	if (!wrong && uv_fileno((uv_handle_t *)&l->socket, &fd) == 0)
		limits_output(fd);
	freeaddrinfo(address);
	if (!wrong)
		wrong = uv_listen((uv_stream_t *)&l->socket, CLIENTS, on_connection);
	if (wrong) {
		qv_fail(error, QV_IO, "--metrics: %.60s port %d: %s", setup->host, setup->port,
			uv_strerror(wrong));
		metrics_listener_shut(l);
		return QV_IO;
	}
	*port = bound_port(&l->socket);
	*out = l;
	return QV_OK;
}

void metrics_listener_shut(struct metrics_listener *l)
{
	if (!l || l->shut)
		return;
	l->shut = true;
	for (int i = 0; i < CLIENTS; i++)
		if (l->open[i])
			close_client(l->open[i]);
	uv_close((uv_handle_t *)&l->socket, on_listener_closed);
}
