/*
 * limits.h - limits per address: connections at a time, requests per second.
 * SPDX-License-Identifier: MIT
 *
 * Both are checked before anything is parsed. For one thread.
 */
#ifndef SERVER_HTTP_LIMITS_H
#define SERVER_HTTP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { LIMIT_ADDRESS = 64, LIMIT_CONNECTIONS = 64, LIMIT_RATE = 20, LIMIT_BURST = 40 };

struct limits;

/* One address while it has a connection. */
struct limits_peer {
	char address[LIMIT_ADDRESS];
	int connections;
};

/*
 * scale: multiplies the three limits above; most: connections of all addresses together. Returns
 * NULL if out of memory.
 */
struct limits *limits_new(int scale, int most);
void limits_free(struct limits *limits);        /* NULL is fine */

/* Counts a new connection. NULL: too many, or out of memory. Pass it to limits_disconnect, once. */
struct limits_peer *limits_connect(struct limits *limits, const char *address);
void limits_disconnect(struct limits *limits, struct limits_peer *peer);
/* Counts a request; false: too fast. */
bool limits_take(const struct limits *limits, const struct limits_peer *peer, int64_t now_ms);

/* Raises the limit on open files as far as the system allows, up to 16384; returns the limit. */
int limits_raise_files(void);

/*
 * The text that counts as one address: a.b.c.d for IPv4, also when mapped into IPv6; for IPv6 the
 * /64 network, since one machine may use all of it.
 */
void limits_address(const struct sockaddr *from, char address[LIMIT_ADDRESS]);

#endif
