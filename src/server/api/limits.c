/*
 * limits.c - rate limits by name, and connections at a time by address.
 * SPDX-License-Identifier: MIT
 *
 * Rates are token buckets in a hash map by name. A bucket is filled when it is used, from the time
 * that has passed. A full bucket is equal to a missing one, so full ones are dropped in a
 * sweep whenever their number has doubled: the cost of a sweep is spread over the additions, and
 * memory is bounded by the names in use.
 *
 * Connections are counted in a second map, with an entry for each connected address. The bucket of
 * an address outlives its connections.
 */
#include "server/api/limits.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/map.h"
#include "base/memory.h"

enum { SWEEP = 4096 };

struct bucket {
	char name[LIMIT_NAME];
	double tokens, per_minute, burst;
	int64_t seen_ms; /* when it was last filled */
};

struct limits {
	int scale, most, connections;
	struct map peers;   /* by address: those with a connection */
	struct map buckets; /* by name */
	size_t sweep_at;    /* number of buckets that triggers a sweep */
};

/* All limits but `most` are constants times the scale. */
struct limits *limits_new(int scale, int most)
{
	struct limits *l = malloc(sizeof *l);
	if (l)
		*l = (struct limits){
			.scale = scale,
			.most = most,
			.peers = { .allocator = &mem_malloc,
				   .text_at = offsetof(struct limits_peer, address) },
			.buckets = { .allocator = &mem_malloc,
				     .text_at = offsetof(struct bucket, name) },
			.sweep_at = SWEEP,
		};
	return l;
}

void limits_free(struct limits *l)
{
	void *entry;
	if (!l)
		return;
	for (size_t at = 0; (entry = map_next(&l->peers, &at));)
		free(entry);
	for (size_t at = 0; (entry = map_next(&l->buckets, &at));)
		free(entry);
	map_release(&l->peers);
	map_release(&l->buckets);
	free(l);
}

/* The entry of that text, made if it is missing: `size` zeroed bytes. NULL: out of memory. */
static void *find_or_add(struct map *map, const char *text, size_t most, size_t size)
{
	char cut[LIMIT_NAME] = "";
	strncpy(cut, text, most - 1);
	char *entry = map_find_text(map, cut);
	if (entry || !(entry = calloc(1, size)))
		return entry;
	memcpy(entry + map->text_at, cut, most);
	if (map_add_text(map, entry))
		return entry;
	free(entry);
	return NULL;
}

/* ---- Rates ---- */

/* Adds the tokens of the time since it was last filled. */
static void fill(struct bucket *bucket, int64_t now)
{
	bucket->tokens += (double)(now - bucket->seen_ms) * bucket->per_minute / 60000;
	if (bucket->tokens > bucket->burst)
		bucket->tokens = bucket->burst;
	bucket->seen_ms = now;
}

/* Drops the full ones; the next sweep comes when there are twice as many as are left. */
static void sweep(struct limits *l, int64_t now)
{
	struct bucket *bucket;
	for (size_t at = 0; (bucket = map_next(&l->buckets, &at));) {
		fill(bucket, now);
		if (bucket->tokens < bucket->burst)
			continue;
		map_remove_text(&l->buckets, bucket);
		free(bucket);
	}
	l->sweep_at = 2 * l->buckets.count > SWEEP ? 2 * l->buckets.count : SWEEP;
}

/* A new bucket has no burst yet: calloc made it. */
bool limits_take(struct limits *l, const char *name, double per_minute, double burst,
		 int64_t now_ms)
{
	if (l->buckets.count >= l->sweep_at)
		sweep(l, now_ms);
	struct bucket *bucket = find_or_add(&l->buckets, name, LIMIT_NAME, sizeof *bucket);
	if (!bucket)
		return true;
	if (bucket->burst <= 0) { /* a new one */
		bucket->tokens = burst;
		bucket->seen_ms = now_ms;
	}
	bucket->per_minute = per_minute;
	bucket->burst = burst;
	fill(bucket, now_ms);
	if (bucket->tokens < 1)
		return false;
	bucket->tokens -= 1;
	return true;
}

/* ---- Connections ---- */

/* Refuses before an entry is made if there are too many connections in all. */
struct limits_peer *limits_connect(struct limits *l, const char *address)
{
	if (l->connections >= l->most)
		return NULL;
	struct limits_peer *peer = find_or_add(&l->peers, address, LIMIT_ADDRESS, sizeof *peer);
	if (!peer || peer->connections >= LIMIT_CONNECTIONS * l->scale)
		return NULL;
	peer->connections++;
	l->connections++;
	return peer;
}

/* The entry goes with the last connection; the bucket of the address stays. */
void limits_disconnect(struct limits *l, struct limits_peer *peer)
{
	l->connections--;
	if (--peer->connections)
		return;
	map_remove_text(&l->peers, peer);
	free(peer);
}

/* The name of the bucket is the address itself. */
bool limits_request(struct limits *l, const struct limits_peer *peer, int64_t now_ms)
{
	return limits_take(l, peer->address, 60.0 * LIMIT_RATE * l->scale,
			   (double)LIMIT_BURST * l->scale, now_ms);
}

bool limits_file(struct limits *l, const struct limits_peer *peer, int64_t now_ms)
{
	const double times = (double)LIMIT_FILES * l->scale;
	char name[LIMIT_NAME];
	snprintf(name, sizeof name, "file %s", peer->address);
	return limits_take(l, name, 60.0 * LIMIT_RATE * times, LIMIT_BURST * times, now_ms);
}

/* ---- The system ---- */

/* AI_PASSIVE: an address to bind to. Only the first one is used. */
enum qv_status address_find(const char *host, int port, struct addrinfo **out,
			    struct qv_error *error)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
					.ai_flags = AI_PASSIVE | AI_NUMERICSERV };
	char digits[16];
	snprintf(digits, sizeof digits, "%d", port);
	const int wrong = getaddrinfo(host, digits, &hints, out);
	return wrong ? qv_fail(error, QV_BAD_INPUT, "--host: %.60s: %s", host, gai_strerror(wrong))
		     : QV_OK;
}

/* sockaddr may be unaligned for its true type, so it is copied. */
void limits_address(const struct sockaddr *from, char address[LIMIT_ADDRESS])
{
	static const unsigned char mapped[12] = { [10] = 0xff, 0xff }; /* ::ffff:a.b.c.d */
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	address[0] = '\0';
	if (from->sa_family == AF_INET) {
		memcpy(&four, from, sizeof four);
		inet_ntop(AF_INET, &four.sin_addr, address, LIMIT_ADDRESS);
	} else if (from->sa_family == AF_INET6) {
		memcpy(&six, from, sizeof six);
		unsigned char *bytes = six.sin6_addr.s6_addr;
		if (memcmp(bytes, mapped, sizeof mapped) == 0) {
			inet_ntop(AF_INET, bytes + sizeof mapped, address, LIMIT_ADDRESS);
			return;
		}
		memset(bytes + 8, 0, 8);
		inet_ntop(AF_INET6, bytes, address, LIMIT_ADDRESS);
		strcat(address, "/64");
	}
}

/* Each connection needs a descriptor, and the usual soft limit is 1024. */
int limits_raise_files(void)
{
	enum { USUAL = 1024, MOST = 16384 };
	struct rlimit limit;
	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return USUAL;
	const rlim_t wanted = limit.rlim_max < MOST ? limit.rlim_max : MOST;
	/* libwebsockets finds connections by descriptor quickly only if it has the same limit. */
	if (limit.rlim_cur != wanted) {
		limit.rlim_cur = wanted;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			return USUAL;
	}
	return (int)wanted;
}
