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
 *
 * Servers that share a database tell each other what they take from buckets, some time later and not
 * token by token: a bucket is due when an eighth of it was taken. What others took is taken here, too,
 * even if less is left: the bucket then owes tokens, and N servers together allow what one allows, but
 * for what they did not know yet. That is at most the burst, its eighth, and what the bucket gains
 * until the news arrives, for each server but one.
 */
#include "server/api/limits.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "base/map.h"
#include "base/memory.h"

enum {
	SWEEP = 4096,
	TELL_PART = 8,	/* of the burst is told to other servers */
	DEBT_MOST = 64, /* bursts that a bucket may owe */
};

struct bucket {
	char name[LIMIT_NAME];
	double tokens, per_minute, burst;
	double paid;	 /* tokens that were taken, but not spent yet; at most the burst */
	int64_t seen_ms; /* when it was last filled */
	double untold;	 /* tokens that were taken here, of which other servers do not know */
	bool due;	 /* it is in the list of those to tell */
	struct bucket *next_due;
};

struct limits {
	int scale, most, connections;
	struct map peers;   /* by address: those with a connection */
	struct map buckets; /* by name */
	size_t sweep_at;    /* number of buckets that triggers a sweep */
	bool shared; /* there are other servers */
	struct bucket *due, **due_end;
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
			.due_end = &l->due,
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
		if (bucket->tokens < bucket->burst || bucket->due)
			continue;
		map_remove_text(&l->buckets, bucket);
		free(bucket);
	}
	l->sweep_at = 2 * l->buckets.count > SWEEP ? 2 * l->buckets.count : SWEEP;
}

/* The bucket of that name, filled. NULL: out of memory. A new one has no burst: calloc made it. */
static struct bucket *find_bucket(struct limits *l, const char *name, double per_minute,
				  double burst, int64_t now_ms)
{
	if (l->buckets.count >= l->sweep_at)
		sweep(l, now_ms);
	struct bucket *bucket = find_or_add(&l->buckets, name, LIMIT_NAME, sizeof *bucket);
	if (!bucket)
		return NULL;
	if (bucket->burst <= 0) {
		bucket->tokens = burst;
		bucket->seen_ms = now_ms;
	}
	bucket->per_minute = per_minute;
	bucket->burst = burst;
	fill(bucket, now_ms);
	return bucket;
}

/* Takes the tokens, and puts the bucket among those to tell, if it is time. */
static void take(struct limits *l, struct bucket *bucket, double tokens)
{
	bucket->tokens -= tokens;
	if (!l->shared)
		return;
	bucket->untold += tokens;
	if (bucket->due || bucket->untold * TELL_PART < bucket->burst)
		return;
	bucket->due = true;
	*l->due_end = bucket;
	l->due_end = &bucket->next_due;
}

bool limits_take(struct limits *l, const char *name, double per_minute, double burst,
		 int64_t now_ms)
{
	struct bucket *bucket = find_bucket(l, name, per_minute, burst, now_ms);
	if (!bucket)
		return true;
	if (bucket->tokens < 1)
		return false;
	take(l, bucket, 1);
	bucket->paid = bucket->paid + 1 < burst ? bucket->paid + 1 : burst;
	return true;
}

/* ---- Other servers ---- */

void limits_share(struct limits *l)
{
	l->shared = true;
}

bool limits_next_charge(struct limits *l, struct limits_charge *out)
{
	struct bucket *bucket = l->due;
	if (!bucket)
		return false;
	l->due = bucket->next_due;
	if (!l->due)
		l->due_end = &l->due;
	*out = (struct limits_charge){ .tokens = bucket->untold,
				       .per_minute = bucket->per_minute,
				       .burst = bucket->burst };
	memcpy(out->name, bucket->name, sizeof out->name);
	bucket->next_due = NULL;
	bucket->due = false;
	bucket->untold = 0;
	return true;
}

/* Written so that it refuses what is not a number, too. */
bool limits_charge(struct limits *l, const struct limits_charge *charge, int64_t now_ms)
{
	const bool good = charge->tokens > 0 && charge->tokens <= LIMIT_CHARGE &&
			  charge->per_minute > 0 && charge->per_minute <= LIMIT_CHARGE &&
			  charge->burst >= 1 && charge->burst <= LIMIT_CHARGE && *charge->name;
	struct bucket *bucket = good ? find_bucket(l, charge->name, charge->per_minute,
						   charge->burst, now_ms)
				     : NULL;
	if (!bucket)
		return false;
	bucket->tokens -= charge->tokens;
	if (bucket->tokens < -DEBT_MOST * bucket->burst)
		bucket->tokens = -DEBT_MOST * bucket->burst;
	return true;
}

bool limits_site(const char *address, char site[LIMIT_ADDRESS])
{
	unsigned char bytes[16];
	const char *end = strstr(address, "/64");
	if (!end || end - address >= LIMIT_ADDRESS)
		return false;
	memcpy(site, address, (size_t)(end - address));
	site[end - address] = '\0';
	if (inet_pton(AF_INET6, site, bytes) != 1)
		return false;
	memset(bytes + 6, 0, 10);
	inet_ntop(AF_INET6, bytes, site, LIMIT_ADDRESS);
	strcat(site, "/48");
	return true;
}

/* The names of the buckets of an address: its own, and that of its site if it has one. */
struct bucket_names {
	char list[2][LIMIT_NAME];
	int count;
};

static struct bucket_names names_of(const char *what, const char *address)
{
	struct bucket_names names = { .count = 1 };
	char site[LIMIT_ADDRESS];
	snprintf(names.list[0], LIMIT_NAME, "%.30s %s", what, address);
	if (limits_site(address, site))
		snprintf(names.list[names.count++], LIMIT_NAME, "%.30s %s", what, site);
	return names;
}

bool limits_take_at(struct limits *l, const char *what, const char *address, double per_minute,
		    double burst, int64_t now_ms)
{
	const struct bucket_names names = names_of(what, address);
	bool good = true;
	for (int i = 0; i < names.count && good; i++) {
		const double times = i ? LIMIT_SITE : 1;
		good = limits_take(l, names.list[i], times * per_minute, times * burst, now_ms);
	}
	return good;
}

void limits_spend_at(struct limits *l, const char *what, const char *address, double tokens,
		     double per_minute, double burst, int64_t now_ms)
{
	const struct bucket_names names = names_of(what, address);
	for (int i = 0; i < names.count; i++) {
		const double times = i ? LIMIT_SITE : 1;
		struct bucket *bucket =
			find_bucket(l, names.list[i], times * per_minute, times * burst, now_ms);
		if (!bucket)
			continue;
		const double paid = bucket->paid < tokens ? bucket->paid : tokens;
		bucket->paid -= paid;
		take(l, bucket, tokens - paid);
		if (bucket->tokens < -bucket->per_minute)
			bucket->tokens = -bucket->per_minute;
	}
}

double limits_left_at(struct limits *l, const char *what, const char *address, double per_minute,
		      double burst, int64_t now_ms)
{
	const struct bucket_names names = names_of(what, address);
	double least = burst;
	for (int i = 0; i < names.count; i++) {
		const double times = i ? LIMIT_SITE : 1;
		const struct bucket *bucket =
			find_bucket(l, names.list[i], times * per_minute, times * burst, now_ms);
		if (bucket && bucket->tokens < least)
			least = bucket->tokens;
	}
	return least;
}

/* ---- Connections ---- */

/* The entry goes with the last connection; the bucket of the address stays. */
void limits_leave(struct limits *l, struct limits_peer *peer)
{
	struct limits_peer *site = peer->site;
	if (--peer->connections == 0) {
		map_remove_text(&l->peers, peer);
		free(peer);
	}
	if (site)
		limits_leave(l, site);
}

/* An address that has no connection may always have one, so no entry is made in vain. */
static struct limits_peer *join(struct limits *l, const char *address, int most)
{
	struct limits_peer *peer = find_or_add(&l->peers, address, LIMIT_ADDRESS, sizeof *peer);
	if (!peer || peer->connections >= most * l->scale)
		return NULL;
	peer->connections++;
	return peer;
}

struct limits_peer *limits_visit(struct limits *l, const char *address)
{
	char site[LIMIT_ADDRESS];
	struct limits_peer *peer = join(l, address, LIMIT_CONNECTIONS);
	if (!peer || !limits_site(address, site))
		return peer;
	/* The same for all connections of the address. */
	struct limits_peer *all = join(l, site, LIMIT_SITE * LIMIT_CONNECTIONS);
	if (all) {
		peer->site = all;
		return peer;
	}
	peer->connections--;
	if (!peer->connections) {
		map_remove_text(&l->peers, peer);
		free(peer);
	}
	return NULL;
}

bool limits_connect_proxy(struct limits *l)
{
	if (l->connections >= l->most)
		return false;
	l->connections++;
	return true;
}

void limits_disconnect_proxy(struct limits *l)
{
	l->connections--;
}

/* Refuses before an entry is made if there are too many connections in all. */
struct limits_peer *limits_connect(struct limits *l, const char *address)
{
	struct limits_peer *peer = l->connections < l->most ? limits_visit(l, address) : NULL;
	l->connections += peer != NULL;
	return peer;
}

void limits_disconnect(struct limits *l, struct limits_peer *peer)
{
	l->connections--;
	limits_leave(l, peer);
}

int limits_connections(const struct limits *l)
{
	return l->connections;
}

bool limits_request(struct limits *l, const char *address, int64_t now_ms)
{
	return limits_take_at(l, "request", address, 60.0 * LIMIT_RATE * l->scale,
			      (double)LIMIT_BURST * l->scale, now_ms);
}

bool limits_file(struct limits *l, const char *address, int64_t now_ms)
{
	const double times = (double)LIMIT_FILES * l->scale;
	return limits_take_at(l, "file", address, 60.0 * LIMIT_RATE * times, LIMIT_BURST * times,
			      now_ms);
}

bool limits_bytes(struct limits *l, const char *address, size_t bytes, int64_t now_ms)
{
	static const char what[] = "MiB";
	const double a_minute = 60.0 * LIMIT_EGRESS * l->scale,
		     burst = (double)LIMIT_EGRESS_BURST * l->scale;
	if (limits_left_at(l, what, address, a_minute, burst, now_ms) <= 0)
		return false;
	limits_spend_at(l, what, address, (double)bytes / (1 << 20), a_minute, burst, now_ms);
	return true;
}

bool limits_accept(struct limits *l, const char *address, bool tls, int64_t now_ms)
{
	const double rate = (double)(tls ? LIMIT_HANDSHAKES : LIMIT_ACCEPTS) * l->scale;
	return limits_take_at(l, "connection", address, 60 * rate, LIMIT_ACCEPT_BURST * rate, now_ms);
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

struct ip ip_of_four(const unsigned char bytes[4])
{
	struct ip ip = { { [10] = 0xff, [11] = 0xff } };
	memcpy(ip.bytes + 12, bytes, 4);
	return ip;
}

/* sockaddr may be unaligned for its true type, so it is copied. */
struct ip ip_of(const struct sockaddr *from)
{
	struct ip ip = { { 0 } };
	struct sockaddr_in four;
	struct sockaddr_in6 six;
	if (from->sa_family == AF_INET) {
		memcpy(&four, from, sizeof four);
		ip = ip_of_four((const unsigned char *)&four.sin_addr);
	} else if (from->sa_family == AF_INET6) {
		memcpy(&six, from, sizeof six);
		memcpy(ip.bytes, six.sin6_addr.s6_addr, sizeof ip.bytes);
	}
	return ip;
}

void limits_address(struct ip ip, char address[LIMIT_ADDRESS])
{
	static const struct ip none;
	static const unsigned char mapped[12] = { [10] = 0xff, 0xff };
	address[0] = '\0';
	if (memcmp(ip.bytes, none.bytes, sizeof none.bytes) == 0)
		return;
	if (memcmp(ip.bytes, mapped, sizeof mapped) == 0) {
		inet_ntop(AF_INET, ip.bytes + sizeof mapped, address, LIMIT_ADDRESS);
		return;
	}
	memset(ip.bytes + 8, 0, 8);
	inet_ntop(AF_INET6, ip.bytes, address, LIMIT_ADDRESS);
	strcat(address, "/64");
}

/* A system without one of the two options lets the other bounds work. */
void limits_output(int socket)
{
	const int bytes = LIMIT_OUTPUT;
	const unsigned stall_ms = LIMIT_STALL_MS;
	setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
	setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &stall_ms, sizeof stall_ms);
}

void limits_network(const char *address, char out[LIMIT_ADDRESS])
{
	char text[LIMIT_ADDRESS];
	unsigned char bytes[16];
	snprintf(text, sizeof text, "%s", address);
	text[strcspn(text, "/%")] = '\0';
	out[0] = '\0';
	if (inet_pton(AF_INET, text, bytes) == 1) {
		bytes[3] = 0;
		inet_ntop(AF_INET, bytes, out, LIMIT_ADDRESS);
	} else if (inet_pton(AF_INET6, text, bytes) == 1) {
		memset(bytes + 6, 0, 10);
		inet_ntop(AF_INET6, bytes, out, LIMIT_ADDRESS - 4);
		strcat(out, "/48");
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
