/*
 * forwarded.h - whose request a proxy passes on: networks of proxies, X-Forwarded-For, Forwarded (RFC
 * 7239), and the header of the PROXY protocol.
 * SPDX-License-Identifier: MIT
 *
 * Pure functions over untrusted input. Nothing is allocated. Only what a trusted proxy sends may be
 * passed to them: the caller checks that with ip_is_in.
 */
#ifndef SERVER_HTTP_FORWARDED_H
#define SERVER_HTTP_FORWARDED_H

#include "server/api/limits.h"

enum {
	PROXY_NETWORKS = 16, /* networks that can be trusted */
	FORWARDED_HOPS = 16, /* addresses of a header that are looked at, from its end */
};

/* "1.2.3.4", "1.2.3.4:80", "::1", "[::1]", "[::1]:80". False: anything else. */
bool ip_parse(const char *text, size_t length, struct ip *out);

struct ip_network {
	struct ip base;
	int bits; /* of the 128 */
};

struct ip_networks {
	struct ip_network list[PROXY_NETWORKS];
	int count;
};

/* "10.0.0.0/8", "::1", "fd00::/8". False: not a network, or it has bits after its prefix. */
bool ip_network_parse(const char *text, struct ip_network *out);
bool ip_is_in(const struct ip *ip, const struct ip_networks *networks);

/*
 * The visitor according to an X-Forwarded-For header that came from the trusted address `from`: the
 * last address in it that is not a trusted proxy. Everything before that one is the visitor's own
 * claim. Reading ends at FORWARDED_HOPS and at what is no address: then it is the last proxy found.
 */
struct ip forwarded_for(const char *header, struct ip from, const struct ip_networks *trusted);

struct forwarded {
	struct ip visitor;
	char scheme[8]; /* of the visitor's connection: "http", "https"; "": not known */
};
/*
 * The same for a Forwarded header. Its syntax is checked from the beginning, so that a quote which
 * the visitor has opened cannot hide what the proxies append: then all of it says nothing.
 */
struct forwarded forwarded_read(const char *header, struct ip from,
				const struct ip_networks *trusted);

/* Is the head of a request complete? A body may follow. */
bool head_is_complete(const char *head, size_t size);
/*
 * The values of all lines of a head with that name ("forwarded:"), joined by commas in their order.
 * Returns how many; "" and 0: none, or more text than fits.
 */
int head_values(const char *head, size_t size, const char *name, char *out, size_t room);

/* ---- The PROXY protocol, versions 1 and 2 ---- */

enum { PROXY_HEADER = 1024 }; /* bytes; a longer header is refused */

enum proxy_header {
	PROXY_INCOMPLETE, /* all bytes belong to the header, and more must follow */
	PROXY_MALFORMED,
	PROXY_LOCAL, /* the proxy itself speaks, or does not say for whom */
	PROXY_VISITOR,
};

/*
 * Reads the header at the beginning of a connection. If it is complete, *length is its length, and
 * for PROXY_VISITOR *from is the visitor's address.
 */
enum proxy_header proxy_header_read(const unsigned char *bytes, size_t size, size_t *length,
				    struct ip *from);

#endif
