/*
 * limits.h - how much one address may ask of the server: connections at a time, requests a second.
 * SPDX-License-Identifier: MIT
 *
 * Both are counted before anything is parsed. One thread.
 */
#ifndef SERVER_HTTP_LIMITS_H
#define SERVER_HTTP_LIMITS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { LIMIT_ADDRESS = 64, LIMIT_CONNECTIONS = 64, LIMIT_RATE = 20, LIMIT_BURST = 40 };

struct limits;

/* One address, as long as it has a connection. */
struct limits_peer {
	char address[LIMIT_ADDRESS];
	int connections;
};

/*
 * scale: multiplies the three limits above; most: connections of all addresses together. NULL: no
 * memory.
 */
struct limits *limits_new(int scale, int most);
void limits_free(struct limits *limits);        /* NULL is fine */

/* A connection comes; NULL: one too many, or no memory. Give it to limits_disconnect, once. */
struct limits_peer *limits_connect(struct limits *limits, const char *address);
void limits_disconnect(struct limits *limits, struct limits_peer *peer);
/* A request comes; false: too fast. */
bool limits_take(const struct limits *limits, const struct limits_peer *peer, int64_t now_ms);

/* Asks the system for as many descriptors as it gives, up to 16384; how many there are. */
int limits_raise_files(void);

/*
 * What counts as one address: IPv4 as a.b.c.d, also where it comes wrapped in IPv6; of IPv6 the
 * network of 64 bits, since one machine may use all of it.
 */
void limits_address(const struct sockaddr *from, char address[LIMIT_ADDRESS]);

#endif
