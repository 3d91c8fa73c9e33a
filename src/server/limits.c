/*
 * limits.c - how much one address may ask of the server.
 * SPDX-License-Identifier: MIT
 */
#include "server/limits.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "quevedo.h"

enum { BUCKETS = 4096, SWEEP_EVERY = 256 };

struct limits {
	int scale, most, connections;
	int since_sweep; /* connections since those that are idle were last forgotten */
	struct limits_peer *buckets[BUCKETS];
};

struct limits *limits_new(int scale, int most)
{
	struct limits *limits = calloc(1, sizeof *limits);
	if (limits) {
		limits->scale = scale;
		limits->most = most;
	}
	return limits;
}

void limits_free(struct limits *limits)
{
	for (int i = 0; limits && i < BUCKETS; i++)
		while (limits->buckets[i]) {
			struct limits_peer *peer = limits->buckets[i];
			limits->buckets[i] = peer->next;
			free(peer);
		}
	free(limits);
}

static double burst(const struct limits *limits)
{
	return (double)LIMIT_BURST * limits->scale;
}

static void refill(const struct limits *limits, struct limits_peer *peer, int64_t now_ms)
{
	const double since = (double)(now_ms - peer->counted_ms) / 1000;
	peer->tokens += since * LIMIT_RATE * limits->scale;
	if (peer->tokens > burst(limits))
		peer->tokens = burst(limits);
	peer->counted_ms = now_ms;
}

/* Forgets who has no connection and, by now, all tokens again. */
static void sweep(struct limits *limits, int64_t now_ms)
{
	for (int i = 0; i < BUCKETS; i++)
		for (struct limits_peer **at = &limits->buckets[i]; *at;) {
			struct limits_peer *peer = *at;
			refill(limits, peer, now_ms);
			if (peer->connections || peer->tokens < burst(limits)) {
				at = &peer->next;
				continue;
			}
			*at = peer->next;
			free(peer);
		}
	limits->since_sweep = 0;
}

static struct limits_peer **bucket(struct limits *limits, const char *address)
{
	return &limits->buckets[qv_hash_bytes(address, strlen(address)) % BUCKETS];
}

static struct limits_peer *find(struct limits *limits, const char *address, int64_t now_ms)
{
	struct limits_peer **head = bucket(limits, address);
	for (struct limits_peer *peer = *head; peer; peer = peer->next)
		if (strcmp(peer->address, address) == 0)
			return peer;
	struct limits_peer *peer = calloc(1, sizeof *peer);
	if (!peer)
		return NULL;
	snprintf(peer->address, sizeof peer->address, "%s", address);
	peer->tokens = burst(limits);
	peer->counted_ms = now_ms;
	peer->next = *head;
	return *head = peer;
}

struct limits_peer *limits_connect(struct limits *limits, const char *address, int64_t now_ms)
{
	if (++limits->since_sweep >= SWEEP_EVERY)
		sweep(limits, now_ms);
	if (limits->connections >= limits->most)
		return NULL;
	struct limits_peer *peer = find(limits, address, now_ms);
	if (!peer || peer->connections >= LIMIT_CONNECTIONS * limits->scale)
		return NULL;
	peer->connections++;
	limits->connections++;
	return peer;
}

void limits_disconnect(struct limits *limits, struct limits_peer *peer)
{
	peer->connections--;
	limits->connections--;
}

bool limits_take(const struct limits *limits, struct limits_peer *peer, int64_t now_ms)
{
	refill(limits, peer, now_ms);
	if (peer->tokens < 1)
		return false;
	peer->tokens--;
	return true;
}

static void address_of_six(const struct in6_addr *six, char address[LIMIT_ADDRESS])
{
	static const unsigned char wrapped[12] = { [10] = 0xff, 0xff };
	struct in6_addr network = *six;
	char text[INET6_ADDRSTRLEN] = "";
	if (memcmp(six->s6_addr, wrapped, sizeof wrapped) == 0) {
		inet_ntop(AF_INET, six->s6_addr + sizeof wrapped, address, LIMIT_ADDRESS);
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
		address_of_six(&six.sin6_addr, address);
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
