/*
 * listener.c - accepts connections, counts them, and finds out whose they are.
 * SPDX-License-Identifier: MIT
 *
 * We listen ourselves instead of leaving it to libwebsockets: an address in use becomes an error
 * with its reason, and a connection beyond the limits is closed before it costs anything. With the
 * PROXY protocol, the header of a trusted proxy is read here too; libwebsockets gets the connection
 * after that.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/http/transport.h"

enum {
	BACKLOG = 512,
	ACCEPTS = 64, /* connections accepted per turn of the loop */
};

/* A connection of a proxy whose header has not come yet. */
struct waiting {
	uv_poll_t poll;
	struct web *web;
	int fd;
	bool visits; /* the header is complete */
	struct ip from;
	int64_t since_ms;
	size_t size;
	unsigned char bytes[PROXY_HEADER];
	struct waiting *next, **link; /* in the listener's list */
};

struct listener {
	uv_poll_t poll;
	int socket;
	struct waiting *waiting;
};

/* ---- Connections ---- */

struct web_client *web_client_of(struct lws *wsi)
{
	return lws_get_opaque_user_data(wsi);
}

/* NULL: too many, or out of memory. */
static struct web_client *web_client_new(struct web *web, struct ip from)
{
	struct web_client *c = calloc(1, sizeof *c);
	if (!c)
		return NULL;
	const struct ip_networks *trusted = &web->setup->trusted;
	c->from = from;
	c->proxied = ip_is_in(&from, trusted);
	c->scheme = web->setup->cert ? SCHEME_HTTPS
		    : trusted->count ? SCHEME_HTTP
				     : SCHEME_UNKNOWN; /* a proxy may be in between */
	limits_address(from, c->address);
	if (!c->proxied)
		c->peer = limits_connect(web->limits, c->address);
	if (c->proxied ? limits_connect_proxy(web->limits) : c->peer != NULL)
		return c;
	free(c);
	return NULL;
}

void web_client_free(struct web *web, struct web_client *c)
{
	if (!c)
		return;
	if (!c->proxied) {
		limits_disconnect(web->limits, c->peer);
	} else {
		limits_disconnect_proxy(web->limits);
		if (c->peer)
			limits_leave(web->limits, c->peer);
	}
	free(c);
}

/* What X-Forwarded-Proto says about the visitor's own connection to the proxy. */
static enum url_scheme forwarded_scheme(struct lws *wsi)
{
	static const char name[] = "x-forwarded-proto:"; /* libwebsockets keeps the colon */
	char text[64];
	if (lws_hdr_custom_copy(wsi, text, sizeof text, name, sizeof name - 1) < 0)
		return SCHEME_UNKNOWN;
	/* The nearest proxy has written the last one. */
	const char *last = strrchr(text, ',');
	last = last ? last + 1 : text;
	return header_has_token(last, "https")	 ? SCHEME_HTTPS
	       : header_has_token(last, "http") ? SCHEME_HTTP
						 : SCHEME_UNKNOWN;
}

/*
 * Sets the scheme and returns the visitor. X-Forwarded-For and X-Forwarded-Proto come first, each for
 * itself: many more proxies write them, and pass on a Forwarded that the visitor has sent.
 */
static struct ip read_forwarded(struct lws *wsi, struct web_client *c)
{
	static const char name[] = "forwarded:";
	const struct web *web = web_of(wsi);
	const struct ip_networks *trusted = &web->setup->trusted;
	struct header_text text;
	struct forwarded by_standard = { .visitor = c->from };
	if (lws_hdr_custom_copy(wsi, text.text, sizeof text.text, name, sizeof name - 1) > 0)
		by_standard = forwarded_read(text.text, c->from, trusted);
	if (!web->setup->cert) {
		c->scheme = forwarded_scheme(wsi);
		if (c->scheme == SCHEME_UNKNOWN && *by_standard.scheme)
			c->scheme = by_standard.scheme[4] ? SCHEME_HTTPS : SCHEME_HTTP;
	}
	header_text(wsi, WSI_TOKEN_X_FORWARDED_FOR, &text);
	return *text.text ? forwarded_for(text.text, c->from, trusted) : by_standard.visitor;
}

struct refusal web_client_visit(struct lws *wsi)
{
	const struct refusal fine = { 0, NULL };
	struct web *web = web_of(wsi);
	struct web_client *c = web_client_of(wsi);
	char address[LIMIT_ADDRESS];
	if (!c->proxied)
		return fine;
	limits_address(read_forwarded(wsi, c), address);
	if (c->peer && strcmp(c->address, address) == 0)
		return fine;
	if (c->peer)
		limits_leave(web->limits, c->peer);
	c->peer = limits_visit(web->limits, address);
	memcpy(c->address, address, sizeof address);
	return c->peer ? fine
		       : (struct refusal){ 429, "connections: too many from this address" };
}

/* ---- Accepting ---- */

/* Makes a descriptor non-blocking, and closed in child processes. */
static bool set_up_descriptor(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

/* Gives a new connection to libwebsockets, or closes it if there are too many. Owns `fd`. */
static void adopt(struct web *web, int fd, struct ip from)
{
	const int on = 1;
	struct web_client *c = web_client_new(web, from);
	if (!c) {
		metrics_refused(web->metrics, "connections");
		close(fd);
		return;
	}
	/* Small messages must not wait in a buffer; keep-alive finds dead clients. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	struct lws *wsi = lws_adopt_socket_vhost(web->vhost, fd);
	if (wsi)
		lws_set_opaque_user_data(wsi, c);
	else
		web_client_free(web, c); /* libwebsockets has closed it */
}

/* libuv has stopped polling the descriptor, so that libwebsockets may poll it. */
static void on_waited(uv_handle_t *handle)
{
	struct waiting *w = handle->data;
	limits_disconnect_proxy(w->web->limits);
	if (w->visits && !w->web->draining)
		adopt(w->web, w->fd, w->from);
	else
		close(w->fd);
	free(w);
}

/* The wait is over: `visits` tells how. */
static void end_waiting(struct waiting *w)
{
	*w->link = w->next;
	if (w->next)
		w->next->link = w->link;
	uv_poll_stop(&w->poll);
	uv_close((uv_handle_t *)&w->poll, on_waited);
}

/* Reads the header and nothing after it: that is for libwebsockets, or for TLS. */
static void on_header(uv_poll_t *poll, int status, int events)
{
	struct waiting *w = poll->data;
	size_t length = 0;
	(void)events;
	const ssize_t got = status == 0 ? recv(w->fd, w->bytes + w->size,
					       sizeof w->bytes - w->size, MSG_PEEK)
					: 0;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	const size_t size = w->size + (got > 0 ? (size_t)got : 0);
	const enum proxy_header header =
		got > 0 ? proxy_header_read(w->bytes, size, &length, &w->from) : PROXY_MALFORMED;
	const size_t taken = header == PROXY_INCOMPLETE	 ? size - w->size
			     : header != PROXY_MALFORMED ? length - w->size
							 : 0;
	if (taken && recv(w->fd, w->bytes + w->size, taken, 0) != (ssize_t)taken) {
		end_waiting(w);
		return;
	}
	w->size += taken;
	w->visits = header == PROXY_LOCAL || header == PROXY_VISITOR;
	if (header != PROXY_INCOMPLETE || w->size == sizeof w->bytes)
		end_waiting(w);
}

/* Owns `fd`. */
static void wait_for_header(struct web *web, int fd, struct ip from)
{
	const bool counted = limits_connect_proxy(web->limits);
	struct waiting *w = counted ? calloc(1, sizeof *w) : NULL;
	if (!w || uv_poll_init(&web->loop, &w->poll, fd) != 0) {
		if (counted)
			limits_disconnect_proxy(web->limits);
		free(w);
		close(fd);
		return;
	}
	w->poll.data = w;
	w->web = web;
	w->fd = fd;
	w->from = from;
	w->since_ms = web_now_ms();
	w->link = &web->listener->waiting;
	w->next = *w->link;
	if (w->next)
		w->next->link = &w->next;
	*w->link = w;
	uv_poll_start(&w->poll, UV_READABLE, on_header);
}

void listener_sweep(struct web *web)
{
	struct waiting *next;
	for (struct waiting *w = web->listener ? web->listener->waiting : NULL; w; w = next) {
		next = w->next;
		if (web_now_ms() - w->since_ms > READ_SECONDS * 1000)
			end_waiting(w);
	}
}

/* Accepts a few at a time; the others wait for the next turn of the loop. */
static void on_readable(uv_poll_t *poll, int status, int events)
{
	struct listener *listener = poll->data;
	struct web *web = poll->loop->data;
	(void)events;
	for (int i = 0; status == 0 && i < ACCEPTS; i++) {
		struct sockaddr_storage address;
		socklen_t size = sizeof address;
		const int fd = accept(listener->socket, (struct sockaddr *)&address, &size);
		if (fd < 0)
			return;
		const struct ip from = ip_of((struct sockaddr *)&address);
		if (!set_up_descriptor(fd))
			close(fd);
		else if (web->setup->proxy_protocol && ip_is_in(&from, &web->setup->trusted))
			wait_for_header(web, fd, from);
		else
			adopt(web, fd, from);
	}
}

/* ---- Opening and closing ---- */

/* A listening socket; -1: errno says why. */
static int open_socket(const struct addrinfo *address)
{
	const int on = 1, off = 0;
	const int fd = socket(address->ai_family, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (address->ai_family == AF_INET6) /* "::" accepts IPv4 too */
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
	if (set_up_descriptor(fd) && bind(fd, address->ai_addr, address->ai_addrlen) == 0 &&
	    listen(fd, BACKLOG) == 0)
		return fd;
	const int why = errno;
	close(fd);
	errno = why;
	return -1;
}

/* The address that the socket is bound to: the port may have been 0. */
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
	snprintf(url, WEB_ADDRESS, "%s://%s%s%s:%s/", web->setup->cert ? "https" : "http",
		 six ? "[" : "", host, six ? "]" : "", port);
}

enum qv_status listener_open(struct web *web, char url[WEB_ADDRESS], struct qv_error *error)
{
	const struct web_setup *setup = web->setup;
	struct addrinfo *address;
	enum qv_status status = address_find(setup->host, setup->port, &address, error);
	if (status != QV_OK)
		return status;
	const int fd = open_socket(address);
	const int why = errno;
	freeaddrinfo(address);
	if (fd < 0)
		return qv_fail(error, QV_IO, "%.60s port %d: %s", setup->host, setup->port,
			       strerror(why));
	struct listener *listener = calloc(1, sizeof *listener);
	if (!listener || uv_poll_init(&web->loop, &listener->poll, fd) != 0) {
		free(listener);
		close(fd);
		return qv_fail(error, QV_NO_MEMORY, "serve: out of memory");
	}
	write_url(web, fd, url);
	listener->socket = fd;
	listener->poll.data = listener;
	web->listener = listener;
	uv_poll_start(&listener->poll, UV_READABLE, on_readable);
	return QV_OK;
}

/* Only now may the descriptor be closed: libuv has stopped polling it. */
static void on_listener_closed(uv_handle_t *handle)
{
	struct listener *listener = handle->data;
	close(listener->socket);
	free(listener);
}

void listener_close(struct web *web)
{
	if (!web->listener)
		return;
	while (web->listener->waiting)
		end_waiting(web->listener->waiting);
	uv_poll_stop(&web->listener->poll);
	uv_close((uv_handle_t *)&web->listener->poll, on_listener_closed);
	web->listener = NULL;
}
