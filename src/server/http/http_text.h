/*
 * http_text.h - parses the texts of a request: paths, queries, hosts, origins, headers.
 * SPDX-License-Identifier: MIT
 *
 * Pure functions over NUL-terminated, untrusted texts. Nothing is allocated.
 */
#ifndef SERVER_HTTP_HTTP_TEXT_H
#define SERVER_HTTP_HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes the %XX of a path. Returns false for a path without its first slash, a bad escape, a
 * control character, a "." or ".." part, or one that does not fit.
 */
bool path_decode(const char *text, size_t length, char *out, size_t size);
/* The same checks for a path that is already decoded. */
bool path_is_clean(const char *path, size_t length);

/* Percent-encodes one "name=value" of a query; returns its length, or 0 if it does not fit. */
size_t query_encode(const char *pair, char *out, size_t size);

/* ---- Hosts and origins ---- */

enum { MAX_HOSTS = 16, HOST_NAME = 256 };

/* Host names that a Host header may contain: protects against DNS rebinding. */
struct host_list {
	const char *names[MAX_HOSTS]; /* without ports; an IPv6 address in brackets; borrowed */
	int count;
	bool any_address; /* allow numeric addresses too: they cannot be rebound */
};

/* "name:port" without the port, in lower case, without a final dot. False: not a host. */
bool host_name(const char *text, char name[HOST_NAME]);
bool host_is_allowed(const struct host_list *list, const char *host);
bool host_is_address(const char *name); /* a.b.c.d, or [...] */
bool host_is_listed(const struct host_list *list, const char *name);

enum url_scheme { SCHEME_UNKNOWN, SCHEME_HTTP, SCHEME_HTTPS };

/* "https://name:port"; without a port it is that of the scheme. */
struct origin {
	enum url_scheme scheme; /* SCHEME_UNKNOWN: a host name alone */
	char name[HOST_NAME];
	int port; /* of a host name alone: 0 */
};

/* Reads a whole origin. False: not one. */
bool origin_parse(const char *text, struct origin *out);
/* Reads a whole origin, or a host name without a port. False: neither. */
bool origin_or_name_parse(const char *text, struct origin *out);

/*
 * Is this origin that of the request, or an allowed one? scheme: of the request; SCHEME_UNKNOWN if a
 * proxy may hide it. A host name alone allows the usual port of the request's scheme.
 */
bool origin_is_ours(const char *origin, enum url_scheme scheme, const char *host,
		    const struct origin *allowed, int count);

/* ---- Headers ---- */

bool content_length_parse(const char *text, size_t *out); /* digits alone */
bool type_is_json(const char *text);			  /* with or without parameters */
/*
 * How many cookies of that name there are. out: the value of the last one that fits, or "". More than
 * one: somebody else may have set the others, for a parent domain.
 */
int cookie_find(const char *header, const char *name, char *out, size_t size);
/* The token after "Bearer "; NULL: another scheme. */
const char *bearer_find(const char *header);
/* Is it the Sec-WebSocket-Key of a client: 16 bytes in base64? */
bool socket_key_is_valid(const char *text);
/* Is the token in this comma-separated list? Letter case does not matter. */
bool header_has_token(const char *header, const char *token);
/* Does this Accept-Encoding header allow the coding? A weight of 0 forbids it. */
bool encoding_accepted(const char *header, const char *coding);
/* Does the list in If-None-Match contain the tag, or "*"? Weak tags match too. */
bool etag_matches(const char *if_none_match, const char *etag);

#endif
