/*
 * listener.c - accepts connections, counts them, and finds out whose they are.
 * SPDX-License-Identifier: MIT
 *
 * We listen ourselves instead of leaving it to libwebsockets: an address in use becomes an error
 * with its reason, and a connection beyond the limits is closed before it costs anything. With the
 * PROXY protocol, the header of a trusted proxy is read here too. Then we look at the head of its
 * request: libwebsockets 4.1 returns only the first of several lines of a name that it does not
 * know, and a visitor's own Forwarded stands before the proxy's. libwebsockets gets the connection
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
	HEAD_BYTES = 2 * HEADER_BYTES, /* of a head; libwebsockets would refuse a longer one */
};

/* A connection of a proxy whose header, or the head of its request, has not come yet. */
struct waiting {
	uv_poll_t poll;
	struct web *web;
	int fd;
	bool visits; /* all has come */
	struct ip from;
	struct proxy_says says;
	int64_t since_ms;
	size_t size; /* read of the header; seen of the head */
	unsigned char bytes[PROXY_HEADER];
	struct waiting *next, **link; /* in the listener's list */
};

struct listener {
	uv_poll_t poll;
	int socket;
	bool paused, logged; /* there were no descriptors; the operator knows */
	struct waiting *waiting;
};

/* ---- Connections ---- */

struct web_client *web_client_of(struct lws *wsi)
{
	return lws_get_opaque_user_data(wsi);
}

static struct web_client *client_of(struct holder *holder)
{
	return (struct web_client *)holder; /* its first member */
}

void web_client_holds(struct lws *wsi, size_t bytes)
{
	struct web_client *c = web_client_of(wsi);
	if (c)
		holder_set(&web_of(wsi)->held, &c->holder, bytes);
}

bool web_client_is_ended(struct lws *wsi)
{
	const struct web_client *c = web_client_of(wsi);
	return c && c->holder.ended;
}

/*
 * A client that reads nothing would leave its output with the system for minutes, and libwebsockets
 * would wait for five seconds to write what it has. What counts no more is freed at once: the
 * connection may be closed a second later, when many others have taken its place.
 */
void web_client_end(struct lws *wsi)
{
	struct web_client *c = web_client_of(wsi);
	const struct linger none = { .l_onoff = 1 };
	const int fd = lws_get_socket_fd(wsi);
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
	shutdown(fd, SHUT_RDWR);
	if (c->socket)
		socket_drop(c->socket);
	if (c->exchange)
		exchange_drop(c->exchange);
	c->holder.ended = true;
	web_kill(wsi);
}

void web_client_end_largest(void *ctx, struct holder *holder)
{
	struct web *web = ctx;
	metrics_refused(web->metrics, "memory");
	web_client_end(client_of(holder)->wsi);
}

/* libwebsockets forgets its order to close one when it sets another timeout. */
void web_client_sweep(struct web *web)
{
	for (struct holder *h = web->held.first; h; h = h->next)
		if (h->ended)
			web_kill(client_of(h)->wsi);
}

/* NULL: too many at a time or too fast, or out of memory. */
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
	const bool fast = !c->proxied && !limits_accept(web->limits, c->address,
							web->setup->cert, web_now_ms());
	if (!c->proxied && !fast)
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
	holder_close(&web->held, &c->holder);
	if (!c->proxied) {
		limits_disconnect(web->limits, c->peer);
	} else {
		limits_disconnect_proxy(web->limits);
		if (c->peer)
			limits_leave(web->limits, c->peer);
	}
	free(c);
}

/* Headers of the proxy name different visitors: one of them may be the visitor's own invention. */
static struct ip contradicted(struct web *web)
{
	static const unsigned char nobody[4]; /* not the proxy: its health checks must pass */
	if (!web->contradicted)
		log_message((void *)web->setup->log, "warn",
			    "proxy: X-Forwarded-For and Forwarded name different visitors, who now share "
			    "the limits of one address; let it remove the one that it does not write");
	web->contradicted = true;
	return ip_of_four(nobody);
}

/*
 * Sets the scheme and returns the visitor. A proxy writes X-Forwarded-For or Forwarded, and passes
 * on the other one as the visitor has sent it. If both are there they must agree.
 */
static struct ip read_forwarded(struct lws *wsi, struct web_client *c)
{
	static const char name[] = "forwarded:"; /* libwebsockets keeps the colon */
	struct web *web = web_of(wsi);
	const struct proxy_says *says = &c->says;
	struct header_text list;
	if (!web->setup->cert)
		c->scheme = says->scheme;
	header_text(wsi, WSI_TOKEN_X_FORWARDED_FOR, &list);
	const struct ip by_list = forwarded_for(list.text, c->from, &web->setup->trusted);
	if (!says->known)
		return lws_hdr_custom_length(wsi, name, sizeof name - 1) < 0 ? by_list
									      : contradicted(web);
	if (!says->forwarded)
		return by_list;
	const bool differ = *list.text && memcmp(by_list.bytes, says->by_standard.visitor.bytes,
						 sizeof by_list.bytes) != 0;
	return differ ? contradicted(web) : says->by_standard.visitor;
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
	holder_move(&web->held, &c->holder, NULL);
	if (c->peer)
		limits_leave(web->limits, c->peer);
	c->peer = limits_visit(web->limits, address);
	holder_move(&web->held, &c->holder, c->peer);
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
static void adopt(struct web *web, int fd, struct ip from, const struct proxy_says *says)
{
	const int on = 1;
	struct web_client *c = web_client_new(web, from);
	if (!c) {
		metrics_refused(web->metrics, "connections");
		close(fd);
		return;
	}
	c->says = *says;
	/* Small messages must not wait in a buffer; keep-alive finds dead clients. */
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
	struct lws *wsi = lws_adopt_socket_vhost(web->vhost, fd);
	if (!wsi) {
		web_client_free(web, c); /* libwebsockets has closed it */
		return;
	}
	lws_set_opaque_user_data(wsi, c);
	c->wsi = wsi;
	holder_open(&web->held, &c->holder, c->peer);
	web_client_holds(wsi, HEADER_BYTES); /* of which any part may have come */
}

/* libuv has stopped polling the descriptor, so that libwebsockets may poll it. */
static void on_waited(uv_handle_t *handle)
{
	struct waiting *w = handle->data;
	limits_disconnect_proxy(w->web->limits);
	if (w->visits && w->web->listener) /* while it drains, load balancers still ask */
		adopt(w->web, w->fd, w->from, &w->says);
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

/* With TLS we cannot look at a head. */
static bool has_head(const struct web *web, const struct ip *from)
{
	return !web->setup->cert && ip_is_in(from, &web->setup->trusted);
}

static struct proxy_says read_head(const char *head, size_t size, struct ip from,
				   const struct ip_networks *trusted)
{
	struct proxy_says says = { .known = true, .by_standard = { .visitor = from } };
	char text[HEAD_BYTES];
	says.forwarded = head_values(head, size, "forwarded:", text, sizeof text) > 0;
	if (says.forwarded)
		says.by_standard = forwarded_read(text, from, trusted);
	head_values(head, size, "x-forwarded-proto:", text, sizeof text);
	/* The nearest proxy has written the last one. */
	const char *last = strrchr(text, ',');
	last = last ? last + 1 : *text ? text : says.by_standard.scheme;
	says.scheme = header_has_token(last, "https")  ? SCHEME_HTTPS
		      : header_has_token(last, "http") ? SCHEME_HTTP
						       : SCHEME_UNKNOWN;
	return says;
}

/* The head stays where it is, for libwebsockets. Until more has come nothing wakes us. */
static void on_head(uv_poll_t *poll, int status, int events)
{
	struct waiting *w = poll->data;
	char head[HEAD_BYTES];
	int enough = 1;
	(void)events;
	const ssize_t got = status == 0 ? recv(w->fd, head, sizeof head, MSG_PEEK) : 0;
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	const bool complete = got > 0 && head_is_complete(head, (size_t)got);
	if (!complete && got > (ssize_t)w->size && got < HEAD_BYTES) {
		w->size = (size_t)got;
		enough = (int)got + 1;
	} else {
		w->visits = complete;
		if (complete)
			w->says = read_head(head, (size_t)got, w->from, &w->web->setup->trusted);
		end_waiting(w);
	}
	setsockopt(w->fd, SOL_SOCKET, SO_RCVLOWAT, &enough, sizeof enough);
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
	if (w->visits && has_head(w->web, &w->from)) {
		w->visits = false;
		w->size = 0;
		uv_poll_start(&w->poll, UV_READABLE, on_head);
	} else if (header != PROXY_INCOMPLETE || w->size == sizeof w->bytes) {
		end_waiting(w);
	}
}

/* Owns `fd`. */
static void wait_for_proxy(struct web *web, int fd, struct ip from)
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
	uv_poll_start(&w->poll, UV_READABLE, web->setup->proxy_protocol ? on_header : on_head);
}

static void on_readable(uv_poll_t *poll, int status, int events);

void listener_sweep(struct web *web)
{
	struct waiting *next;
	struct listener *listener = web->listener;
	if (!listener)
		return;
	if (listener->paused)
		uv_poll_start(&listener->poll, UV_READABLE, on_readable);
	listener->paused = false;
	for (struct waiting *w = listener->waiting; w; w = next) {
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
		if (fd < 0) {
			/* Without a descriptor the poll would call again and again: wait a second. */
			if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
			    errno == ENOMEM) {
				uv_poll_stop(poll);
				listener->paused = true;
				metrics_refused(web->metrics, "descriptors");
				if (!listener->logged)
					log_message((void *)web->setup->log, "error",
						    "connections: no file descriptors are left; new "
						    "ones wait");
				listener->logged = true;
			}
			return;
		}
		const struct ip from = ip_of((struct sockaddr *)&address);
		if (!set_up_descriptor(fd))
			close(fd);
		else if (has_head(web, &from) ||
			 (web->setup->proxy_protocol && ip_is_in(&from, &web->setup->trusted)))
			wait_for_proxy(web, fd, from);
		else
			adopt(web, fd, from, &(struct proxy_says){ .known = false });
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
	limits_output(fd); /* connections inherit it */
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
