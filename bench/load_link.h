/*
 * load_link.h - the connections of the load generator: HTTP and WebSocket clients on one epoll.
 * SPDX-License-Identifier: MIT
 *
 * A link is one TCP connection: a WebSocket (link_open), or one HTTP request (link_request). Its
 * callbacks run inside links_wait. For one thread.
 */
#ifndef BENCH_LOAD_LINK_H
#define BENCH_LOAD_LINK_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { LINK_COOKIE = 320 };

/* Where the server is. */
struct target {
	struct sockaddr_in address;
	char host[80]; /* for the Host header, with the port */
	char name[80]; /* of the Origin: https behind a proxy is not supported */
};

enum link_state { LINK_CLOSED, LINK_CONNECTING, LINK_UPGRADING, LINK_OPEN, LINK_REQUEST };

struct link {
	int fd;
	enum link_state state;
	const struct target *target;
	int from;		  /* number of the source address, from 0; see links.addresses */
	char cookie[LINK_COOKIE]; /* "name=value" from the server, sent again on reconnecting */
	char *in, *out;
	size_t in_size, in_room, out_size, out_room;
	void (*opened)(struct link *link);
	/* One message of a WebSocket, NUL-terminated. */
	void (*message)(struct link *link, char *text, size_t size);
	/*
	 * After a WebSocket has closed, or a request has ended: with its status and body. 0: the
	 * response, if there was one, is not HTTP; body is all of it.
	 */
	void (*closed)(struct link *link, int status, const char *body, size_t size);
	void *owner;
	bool upgrades; /* it becomes a WebSocket */
};

struct links {
	int epoll;
	int addresses; /* use 127.0.1.1 and so on as source addresses, that many; 0: do not choose */
};

/* "http://HOST[:PORT]", HOST being a name or an IPv4 address. False: it is not. */
bool target_parse(const char *url, struct target *out);

bool links_init(struct links *links);
/* Runs the callbacks of the links that are ready; returns after the timeout if none is. */
void links_wait(struct links *links, int timeout_ms);

/* The callbacks, target and `from` are set. False: no connection can be made; errno says why. */
bool link_open(struct links *links, struct link *link);
/* The same for one request: head and body are sent as they are. */
bool link_request(struct links *links, struct link *link, const char *text, size_t size);
/* Writes the request for a WebSocket, with that cookie, or "". */
void link_put_upgrade(FILE *out, const struct target *target, const char *cookie);
/* A text message; it must be open. */
void link_send(struct links *links, struct link *link, const char *text, size_t size);
/* Closes it without a callback. */
void link_close(struct link *link);

#endif
