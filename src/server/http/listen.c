/*
 * listen.c - the listening socket of the web server.
 * SPDX-License-Identifier: MIT
 *
 * We listen ourselves instead of leaving it to libwebsockets: an address in use becomes an error
 * with its reason, and a connection beyond the limits is closed before it costs anything.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/http/transport.h"

enum { BACKLOG = 512, ACCEPTS = 64 };

struct listener {
	uv_poll_t poll;
	int socket;
};

/* ---- Opening ---- */

static enum qv_status find_address(const struct web_setup *setup, struct addrinfo **out,
				   struct qv_error *error)
{
	char port[16];
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_PASSIVE | AI_NUMERICSERV };
	snprintf(port, sizeof port, "%d", setup->port);
	const int wrong = getaddrinfo(setup->host, port, &hints, out);
	if (wrong)
		return qv_fail(error, QV_BAD_INPUT, "--host: %.60s: %s", setup->host,
			       gai_strerror(wrong));
	return QV_OK;
}

static int open_socket(const struct addrinfo *address)
{
	const int on = 1, off = 0;
	const int fd = socket(address->ai_family, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (address->ai_family == AF_INET6) /* "::" accepts IPv4 too */
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0 &&
	    bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0)
		return fd;
	const int why = errno;
	close(fd);
	errno = why;
	return -1;
}

static void write_url(const struct web *web, int fd, char url[WEB_ADDRESS])
{
	struct sockaddr_storage bound;
	socklen_t size = sizeof bound;
	char host[64] = "", port[16] = "";
	if (getsockname(fd, (struct sockaddr *)&bound, &size) != 0 ||
	    getnameinfo((struct sockaddr *)&bound, size, host, sizeof host, port, sizeof port,
			NI_NUMERICHOST | NI_NUMERICSERV) != 0)
		snprintf(host, sizeof host, "%.60s", web->setup->host);
	const bool six = strchr(host, ':');
	snprintf(url, WEB_ADDRESS, "%s://%s%s%s:%s/", web_is_secure(web) ? "https" : "http",
		 six ? "[" : "", host, six ? "]" : "", port);
}

/* ---- Accepting connections ---- */

static void set_up_connection(struct web *web, int fd, const struct sockaddr *from)
{
	char address[LIMIT_ADDRESS];
	const int on = 1;
	limits_address(from, address);
	if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
		close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	web_adopt(web, fd, address);
}

/* Accepts a few at a time; the others wait for the next turn of the loop. */
static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct listener *listener = poll->data;
	struct web *web = poll->loop->data;
	(void)events;
	for (int i = 0; status == 0 && i < ACCEPTS; i++) {
		struct sockaddr_storage from;
		socklen_t size = sizeof from;
		const int fd = accept(listener->socket, (struct sockaddr *)&from, &size);
		if (fd < 0)
			return;
		set_up_connection(web, fd, (struct sockaddr *)&from);
	}
}

static void on_closed(uv_handle_t *handle)
{
	struct listener *listener = handle->data;
	close(listener->socket);
	free(listener);
}

static enum qv_status begin(struct web *web, int fd, struct qv_error *error)
{
	struct listener *listener = calloc(1, sizeof *listener);
	if (!listener || uv_poll_init(&web->loop, &listener->poll, fd) != 0) {
		free(listener);
		close(fd);
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	}
	listener->socket = fd;
	listener->poll.data = listener;
	web->listener = listener;
	uv_poll_start(&listener->poll, UV_READABLE, on_readable);
	return QV_OK;
}

enum qv_status listener_open(struct web *web, char url[WEB_ADDRESS], struct qv_error *error)
{
	struct addrinfo *address = NULL;
	enum qv_status status = find_address(web->setup, &address, error);
	if (status != QV_OK)
		return status;
	const int fd = open_socket(address);
	const int why = errno;
	freeaddrinfo(address);
	if (fd < 0)
		return qv_fail(error, QV_IO, "%.60s port %d: %s", web->setup->host,
			       web->setup->port, strerror(why));
	write_url(web, fd, url);
	return begin(web, fd, error);
}

void listener_close(struct web *web)
{
	if (!web->listener)
		return;
	uv_poll_stop(&web->listener->poll);
	uv_close((uv_handle_t *)&web->listener->poll, on_closed);
	web->listener = NULL;
}
