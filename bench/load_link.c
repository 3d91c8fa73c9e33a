/*
 * load_link.c - the connections of the load generator: HTTP and WebSocket clients on one epoll.
 * SPDX-License-Identifier: MIT
 *
 * Only what our server sends is understood: no fragments, no compression, no chunked bodies.
 */
#define _GNU_SOURCE
#include "load_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { READ_BYTES = 16384, EVENTS = 256, MOST_IN = 16 << 20 };

static void out_of_memory(void)
{
	fprintf(stderr, "bench_load_server: out of memory\n");
	exit(1);
}

/* ---- Addresses ---- */

bool target_parse(const char *url, struct target *out)
{
	static const char scheme[] = "http://";
	const struct addrinfo hints = { .ai_family = AF_INET, .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char host[64], port[8] = "80";
	if (strncmp(url, scheme, sizeof scheme - 1) != 0)
		return false;
	url += sizeof scheme - 1;
	const size_t length = strcspn(url, ":/");
	if (!length || length >= sizeof host)
		return false;
	memcpy(host, url, length);
	host[length] = '\0';
	if (url[length] == ':' && sscanf(url + length + 1, "%7[0-9]", port) != 1)
		return false;
	if (getaddrinfo(host, port, &hints, &found) != 0)
		return false;
	memcpy(&out->address, found->ai_addr, sizeof out->address);
	freeaddrinfo(found);
	snprintf(out->host, sizeof out->host, "%s:%s", host, port);
	snprintf(out->name, sizeof out->name, "http://%s:%s", host, port);
	return true;
}

/* Source addresses are 127.0.1.1 and up; a server that is elsewhere cannot be reached from them. */
static bool choose_source(const struct links *links, const struct link *link)
{
	const struct sockaddr_in *to = &link->target->address;
	const bool loopback = ntohl(to->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
	const int on = 1;
	if (!links->addresses || !loopback)
		return true;
	const uint32_t number = (uint32_t)(link->from % links->addresses);
	const struct sockaddr_in from = {
		.sin_family = AF_INET,
		.sin_addr.s_addr = htonl(0x7f000101 + number / 250 * 256 + number % 250),
	};
	/* The port is chosen when it connects, so many links to one server are possible. */
	setsockopt(link->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
	return bind(link->fd, (const struct sockaddr *)&from, sizeof from) == 0;
}

/* ---- Sending ---- */

static void watch(struct links *links, struct link *link, int operation)
{
	const bool writes = link->out_size || link->state == LINK_CONNECTING;
	struct epoll_event event = { .events = EPOLLIN | (writes ? EPOLLOUT : 0),
				     .data.ptr = link };
	epoll_ctl(links->epoll, operation, link->fd, &event);
}

static void make_room(char **buffer, size_t *room, size_t needed)
{
	if (needed <= *room)
		return;
	*room = needed + needed / 2;
	*buffer = realloc(*buffer, *room);
	if (!*buffer)
		out_of_memory();
}

static void add_out(struct link *link, const void *bytes, size_t size)
{
	make_room(&link->out, &link->out_room, link->out_size + size);
	memcpy(link->out + link->out_size, bytes, size);
	link->out_size += size;
}

/* Sends what the system takes now. False: the connection is broken. */
static bool flush(struct link *link)
{
	while (link->out_size) {
		const ssize_t sent = send(link->fd, link->out, link->out_size, MSG_NOSIGNAL);
		if (sent < 0)
			return errno == EAGAIN || errno == EINTR;
		link->out_size -= (size_t)sent;
		memmove(link->out, link->out + sent, link->out_size);
	}
	free(link->out); /* thousands of links are idle */
	link->out = NULL;
	link->out_room = 0;
	return true;
}

/* A frame; the mask is all zeros, which leaves the bytes as they are. */
static void add_frame(struct link *link, int kind, const char *bytes, size_t size)
{
	unsigned char head[14] = { (unsigned char)(0x80 | kind) };
	size_t used = 2;
	if (size < 126) {
		head[1] = (unsigned char)(0x80 | size);
	} else {
		const int length = size < 65536 ? 2 : 8;
		head[1] = length == 2 ? 0x80 | 126 : 0x80 | 127;
		for (int i = length - 1; i >= 0; i--)
			head[used++] = (unsigned char)((uint64_t)size >> (8 * i));
	}
	add_out(link, head, used + 4);
	add_out(link, bytes, size);
}

void link_send(struct links *links, struct link *link, const char *text, size_t size)
{
	add_frame(link, 1, text, size);
	/* A failure is noticed when it is read from. */
	if (flush(link) && link->out_size)
		watch(links, link, EPOLL_CTL_MOD);
}

/* ---- Opening and closing ---- */

void link_close(struct link *link)
{
	if (link->state == LINK_CLOSED)
		return;
	close(link->fd);
	free(link->in);
	free(link->out);
	link->in = link->out = NULL;
	link->in_size = link->in_room = link->out_size = link->out_room = 0;
	link->state = LINK_CLOSED;
}

static bool start(struct links *links, struct link *link)
{
	const int on = 1;
	link->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (link->fd < 0)
		return false;
	setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	const struct sockaddr *to = (const struct sockaddr *)&link->target->address;
	link->state = LINK_CONNECTING;
	if (!choose_source(links, link) ||
	    (connect(link->fd, to, sizeof link->target->address) != 0 && errno != EINPROGRESS)) {
		const int why = errno;
		link_close(link);
		errno = why;
		return false;
	}
	watch(links, link, EPOLL_CTL_ADD);
	return true;
}

void link_put_upgrade(FILE *out, const struct target *target, const char *cookie)
{
	fprintf(out,
		"GET /api/v1/ws HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\n%s%s%s"
		"Upgrade: websocket\r\nConnection: Upgrade\r\n"
		"Sec-WebSocket-Version: 13\r\n"
		"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
		"Sec-WebSocket-Protocol: quevedo\r\n\r\n",
		target->host, target->name, *cookie ? "Cookie: " : "", cookie,
		*cookie ? "\r\n" : "");
}

bool link_open(struct links *links, struct link *link)
{
	char text[1024];
	FILE *out = fmemopen(text, sizeof text, "w");
	if (!out)
		return false;
	link->upgrades = true;
	link_put_upgrade(out, link->target, link->cookie);
	const long size = ftell(out);
	if (fclose(out) != 0)
		return false;
	add_out(link, text, (size_t)size);
	return start(links, link);
}

bool link_request(struct links *links, struct link *link, const char *text, size_t size)
{
	link->upgrades = false;
	add_out(link, text, size);
	return start(links, link);
}

/* ---- Receiving ---- */

/* The value of a header in a head of that size; NULL: it has no such header. */
static const char *header(const char *head, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = strstr(head, "\r\n"); at; at = strstr(at + 2, "\r\n"))
		if (strncasecmp(at + 2, name, length) == 0 && at[2 + length] == ':')
			return at + 3 + length + strspn(at + 3 + length, " ");
	return NULL;
}

/* Calls `closed` after the link was closed, so that it may be opened again there. */
static void end(struct link *link)
{
	char *in = link->in;
	int status = 0;
	const char *body = in ? in : "";
	if (in)
		in[link->in_size] = '\0';
	size_t size = in ? link->in_size : 0;
	if (!link->upgrades && in && sscanf(in, "HTTP/1.1 %d", &status) == 1) {
		const char *found = strstr(in, "\r\n\r\n");
		body = found ? found + 4 : "";
		size = found ? link->in_size - (size_t)(body - in) : 0;
	}
	link->in = NULL;
	link_close(link);
	if (link->closed)
		link->closed(link, status, body, size);
	free(in);
}

/* The response to the upgrade. Returns its bytes; 0: it is incomplete. False: it was refused. */
static bool take_upgrade(struct link *link, size_t *used)
{
	link->in[link->in_size] = '\0';
	const char *stop = strstr(link->in, "\r\n\r\n");
	*used = 0;
	if (!stop)
		return true;
	if (strncmp(link->in, "HTTP/1.1 101", 12) != 0)
		return false;
	const char *cookie = header(link->in, "set-cookie");
	if (cookie)
		snprintf(link->cookie, sizeof link->cookie, "%.*s", (int)strcspn(cookie, ";\r"),
			 cookie);
	*used = (size_t)(stop - link->in) + 4;
	link->state = LINK_OPEN;
	link->opened(link);
	return true;
}

/* One frame. Returns its bytes; 0: it is incomplete. False: the server closes. */
static bool take_frame(struct link *link, size_t *used)
{
	const unsigned char *b = (unsigned char *)link->in;
	*used = 0;
	if (link->in_size < 2)
		return true;
	const size_t length = (b[1] & 127) == 126 ? 2 : (b[1] & 127) == 127 ? 8 : 0;
	uint64_t size = length ? 0 : b[1] & 127;
	if (link->in_size < 2 + length)
		return true;
	for (size_t i = 0; i < length; i++)
		size = size << 8 | b[2 + i];
	if (size > MOST_IN)
		return false;
	if (link->in_size - 2 - length < size)
		return true;
	char *text = link->in + 2 + length;
	*used = 2 + length + (size_t)size;
	const int kind = b[0] & 15;
	if (kind == 1) {
		/* The buffer has room for one more byte. */
		const char next = text[size];
		text[size] = '\0';
		link->message(link, text, (size_t)size);
		if (link->state == LINK_OPEN)
			text[size] = next;
	} else if (kind == 9) {
		add_frame(link, 10, text, (size_t)size);
	}
	return kind != 8;
}

/* Everything that has come. False: the connection has ended. */
static bool take_input(struct link *link)
{
	for (;;) {
		make_room(&link->in, &link->in_room, link->in_size + READ_BYTES + 1);
		const ssize_t got = recv(link->fd, link->in + link->in_size, READ_BYTES, 0);
		if (got < 0)
			return errno == EAGAIN || errno == EINTR;
		if (got == 0 || link->in_size + (size_t)got > MOST_IN)
			return false;
		link->in_size += (size_t)got;
		size_t used = 1, at = 0;
		while (link->upgrades && used && link->state != LINK_CLOSED) {
			const bool good = link->state == LINK_UPGRADING ? take_upgrade(link, &used)
									: take_frame(link, &used);
			if (!good || link->state == LINK_CLOSED)
				return false;
			link->in_size -= used;
			at = used;
			memmove(link->in, link->in + at, link->in_size);
		}
		if (got < READ_BYTES)
			break;
	}
	if (link->upgrades && !link->in_size) {
		free(link->in);
		link->in = NULL;
		link->in_room = 0;
	}
	return true;
}

bool links_init(struct links *links)
{
	links->epoll = epoll_create1(EPOLL_CLOEXEC);
	return links->epoll >= 0;
}

static void serve(struct links *links, struct link *link, uint32_t events)
{
	if (link->state == LINK_CONNECTING && events & (EPOLLOUT | EPOLLERR | EPOLLHUP)) {
		int why = 0;
		socklen_t size = sizeof why;
		getsockopt(link->fd, SOL_SOCKET, SO_ERROR, &why, &size);
		if (why) {
			end(link);
			return;
		}
		link->state = link->upgrades ? LINK_UPGRADING : LINK_REQUEST;
	}
	const bool had_output = link->out_size;
	bool good = !had_output || flush(link);
	if (good && events & (EPOLLIN | EPOLLHUP | EPOLLERR))
		good = take_input(link);
	if (link->state == LINK_CLOSED)
		return;
	if (good)
		good = flush(link);
	if (!good)
		end(link);
	else if (had_output || link->out_size)
		watch(links, link, EPOLL_CTL_MOD);
}

void links_wait(struct links *links, int timeout_ms)
{
	struct epoll_event events[EVENTS];
	const int count = epoll_wait(links->epoll, events, EVENTS, timeout_ms);
	for (int i = 0; i < count; i++) {
		struct link *link = events[i].data.ptr;
		/* A callback may have closed it: its events are stale then. */
		if (link && link->state != LINK_CLOSED)
			serve(links, link, events[i].events);
	}
}
