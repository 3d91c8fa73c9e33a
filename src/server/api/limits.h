/*
 * limits.h - rate limits by name, and connections at a time by address.
 * SPDX-License-Identifier: MIT
 *
 * The web server and the IMCS server check connections and requests before anything is parsed; the
 * API limits single routes. Each has its own struct limits. For one thread.
 */
#ifndef SERVER_API_LIMITS_H
#define SERVER_API_LIMITS_H

#include "quevedo.h"

/* Of one address, before scaling: connections; requests per second, and at once. */
enum { LIMIT_CONNECTIONS = 64, LIMIT_RATE = 20, LIMIT_BURST = 40, LIMIT_FILES = 10 };
/*
 * Connections per second, and at once. A TLS handshake costs a millisecond, but a visit needs one for
 * each file of the page, several of them at once.
 */
enum { LIMIT_ACCEPTS = 300, LIMIT_HANDSHAKES = 20, LIMIT_ACCEPT_BURST = 5 };
/* MiB of files per second, and at once. */
enum { LIMIT_EGRESS = 2, LIMIT_EGRESS_BURST = 64 };
enum { LIMIT_ADDRESS = 64, LIMIT_NAME = 96 }; /* sizes of buffers */
/* A site has an IPv6 /48, with 65,536 networks that count as one address each. */
enum { LIMIT_SITE = 8 }; /* the limits of a site are those of an address times this */

struct limits;
struct addrinfo;
struct sockaddr;

/* One address while it has a connection. */
struct limits_peer {
	char address[LIMIT_ADDRESS];
	int connections;
	size_t held;		  /* bytes in memory: held_bytes.h */
	struct limits_peer *site; /* the same for its IPv6 /48; NULL: IPv4, or a site itself */
};

/*
 * scale: multiplies the three limits above; most: connections of all addresses together. Returns
 * NULL if out of memory.
 */
struct limits *limits_new(int scale, int most);
void limits_free(struct limits *limits); /* NULL is fine */

/*
 * Takes a token from the bucket of that name, which is cut to LIMIT_NAME. False: the bucket is
 * empty. A full bucket holds `burst` tokens and gains `per_minute` of them per minute. A new name
 * has a full bucket. Returns true if there is no memory for a new bucket, so that nobody is locked
 * out by others.
 */
bool limits_take(struct limits *limits, const char *name, double per_minute, double burst,
		 int64_t now_ms);

/*
 * The same for an address; the bucket is named "WHAT ADDRESS". An IPv6 network also takes a token
 * from the bucket of its site.
 */
bool limits_take_at(struct limits *limits, const char *what, const char *address, double per_minute,
		    double burst, int64_t now_ms);

/*
 * Takes what a request has cost in the end: as many tokens, also if fewer are left. What limits_take
 * took before pays first. The bucket then owes tokens, at most those that it gains in a minute.
 */
void limits_spend_at(struct limits *limits, const char *what, const char *address, double tokens,
		     double per_minute, double burst, int64_t now_ms);
/* How many tokens an address has, without taking any; below 0: it owes some. */
double limits_left_at(struct limits *limits, const char *what, const char *address,
		      double per_minute, double burst, int64_t now_ms);

/*
 * ---- Other servers that share the database: shared_limits.c ----
 * What is taken from a bucket is a charge, of which the other servers have to be told.
 */
enum { LIMIT_CHARGE = 1000000000 }; /* the most of each of its numbers */
struct limits_charge {
	char name[LIMIT_NAME];
	double tokens, per_minute, burst; /* as for limits_take */
};
/* There are other servers: from now on charges are kept for them. */
void limits_share(struct limits *limits);
/* The next charge to tell, which is not told again; false: none. */
bool limits_next_charge(struct limits *limits, struct limits_charge *out);
/* Another server has told this one. False: it cannot be one, or out of memory. */
bool limits_charge(struct limits *limits, const struct limits_charge *charge, int64_t now_ms);

/* Counts a new connection. NULL: too many, or out of memory. Pass it to limits_disconnect, once. */
struct limits_peer *limits_connect(struct limits *limits, const char *address);
void limits_disconnect(struct limits *limits, struct limits_peer *peer);
/* Of all addresses together. */
int limits_connections(const struct limits *limits);
/* A proxy has no limit of its own: its connections count for all addresses together only. */
bool limits_connect_proxy(struct limits *limits);
void limits_disconnect_proxy(struct limits *limits);
/* Counts a visitor who comes through a connection of a proxy. As limits_connect. */
struct limits_peer *limits_visit(struct limits *limits, const char *address);
void limits_leave(struct limits *limits, struct limits_peer *peer);
/* Counts a request of an address; false: too fast. */
bool limits_request(struct limits *limits, const char *address, int64_t now_ms);
/* The same for a file of the page: LIMIT_FILES times as many, counted apart. */
bool limits_file(struct limits *limits, const char *address, int64_t now_ms);
/* Counts the bytes of a file. False: too many before; it must not be sent. */
bool limits_bytes(struct limits *limits, const char *address, size_t bytes, int64_t now_ms);
/* Counts a connection that was accepted, before anything is read from it. False: too many. */
bool limits_accept(struct limits *limits, const char *address, bool tls, int64_t now_ms);

/*
 * Bounds what the system keeps of the output of a socket, or of all that a listening one accepts: its
 * buffer is small, and a connection whose peer takes nothing for LIMIT_STALL_MS is reset, also one
 * that is closed already.
 */
enum { LIMIT_OUTPUT = 128 << 10, LIMIT_STALL_MS = 30000 };
void limits_output(int socket);

/* Sets the limit on open files: as high as the system allows, up to 16384. Returns it. */
int limits_raise_files(void);

/* ---- Addresses ---- */

/*
 * The address to listen at. The caller frees *out with freeaddrinfo. QV_BAD_INPUT: the host cannot
 * be resolved; the error names the option --host.
 */
enum qv_status address_find(const char *host, int port, struct addrinfo **out,
			    struct qv_error *error);

/* An IPv6 address; one of IPv4 is mapped into it, ::ffff:a.b.c.d. All zero: none. */
struct ip {
	unsigned char bytes[16];
};
struct ip ip_of(const struct sockaddr *from); /* all zero: of another family */
struct ip ip_of_four(const unsigned char bytes[4]);

/*
 * The text that counts as one address: a.b.c.d for IPv4; for IPv6 the /64 network, since one machine
 * may use all of it. "" for none.
 */
void limits_address(struct ip ip, char address[LIMIT_ADDRESS]);
/*
 * For logs, the network of a visitor instead of the address: a.b.c.0 of IPv4, the /48 of IPv6. A
 * hash would tell less to a reader who looks for a pattern, and more to one who tries all addresses.
 */
void limits_network(const char *address, char out[LIMIT_ADDRESS]);
/* The site of such a text, the /48 of an IPv6 network. False: it has none. */
bool limits_site(const char *address, char site[LIMIT_ADDRESS]);

#endif
