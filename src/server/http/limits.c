/*
 * limits.c - limits per address: connections at a time, requests per second.
 * SPDX-License-Identifier: MIT
 *
 * Connections are counted in a map that has an entry for each connected address; requests are
 * counted by a token bucket per address (server/api/buckets.h), which outlives the connection.
 */
#include "server/http/limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/map.h"
#include "base/memory.h"
#include "server/api/buckets.h"

struct limits {
	int scale, most, connections;
	struct map peers;          /* by address: those with a connection */
	struct buckets *requests;  /* by address */
};

struct limits *limits_new(int scale, int most)
{
	struct limits *limits = malloc(sizeof *limits);
	if (!limits)
		return NULL;
	*limits = (struct limits){
		.scale = scale,
		.most = most,
		.peers = { .allocator = &mem_malloc,
			   .text_at = offsetof(struct limits_peer, address) },
		.requests = buckets_new(),
	};
	if (limits->requests)
		return limits;
	free(limits);
	return NULL;
}

void limits_free(struct limits *limits)
{
	struct limits_peer *peer;
	if (!limits)
		return;
	for (size_t at = 0; (peer = map_next(&limits->peers, &at));)
		free(peer);
	map_release(&limits->peers);
	buckets_free(limits->requests);
	free(limits);
}

/* The address's entry, made if it has none; NULL: out of memory. */
static struct limits_peer *find(struct limits *limits, const char *address)
{
	struct limits_peer *peer = map_find_text(&limits->peers, address);
	if (peer || !(peer = calloc(1, sizeof *peer)))
		return peer;
	snprintf(peer->address, sizeof peer->address, "%s", address);
	if (map_add_text(&limits->peers, peer))
		return peer;
	free(peer);
	return NULL;
}

struct limits_peer *limits_connect(struct limits *limits, const char *address)
{
	if (limits->connections >= limits->most)
		return NULL;
	struct limits_peer *peer = find(limits, address);
	if (!peer || peer->connections >= LIMIT_CONNECTIONS * limits->scale)
		return NULL;
	peer->connections++;
	limits->connections++;
	return peer;
}

void limits_disconnect(struct limits *limits, struct limits_peer *peer)
{
	limits->connections--;
	if (--peer->connections)
		return;
	map_remove_text(&limits->peers, peer);
	free(peer);
}

bool limits_take(const struct limits *limits, const struct limits_peer *peer, int64_t now_ms)
{
	return buckets_take(limits->requests, peer->address, 60.0 * LIMIT_RATE * limits->scale,
			    (double)LIMIT_BURST * limits->scale, now_ms);
}

static void ipv6_address(const struct in6_addr *six, char address[LIMIT_ADDRESS])
{
	static const unsigned char mapped[12] = { [10] = 0xff, 0xff }; /* ::ffff:a.b.c.d */
	struct in6_addr network = *six;
	char text[INET6_ADDRSTRLEN] = "";
	if (memcmp(six->s6_addr, mapped, sizeof mapped) == 0) {
		inet_ntop(AF_INET, six->s6_addr + sizeof mapped, address, LIMIT_ADDRESS);
		return;
	}
	memset(network.s6_addr + 8, 0, 8);
	inet_ntop(AF_INET6, &network, text, sizeof text);
	snprintf(address, LIMIT_ADDRESS, "%s/64", text);
}

void limits_address(const struct sockaddr *from, char address[LIMIT_ADDRESS])
{
	address[0] = '\0';
	if (from->sa_family == AF_INET) {
		struct sockaddr_in four;
		memcpy(&four, from, sizeof four);
		inet_ntop(AF_INET, &four.sin_addr, address, LIMIT_ADDRESS);
	} else if (from->sa_family == AF_INET6) {
		struct sockaddr_in6 six;
		memcpy(&six, from, sizeof six);
		ipv6_address(&six.sin6_addr, address);
	}
}

int limits_raise_files(void)
{
	enum { USUAL = 1024, MOST = 16384 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return USUAL;
	const rlim_t wanted = limit.rlim_max < MOST ? limit.rlim_max : MOST;
	if (limit.rlim_cur < wanted) {
		limit.rlim_cur = wanted;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			return USUAL;
	}
	return (int)wanted;
}
