/*
 * http_text.h - the texts of a request, read: paths, queries, hosts, origins, headers.
 * SPDX-License-Identifier: MIT
 *
 * Pure functions over NUL-terminated texts that may hold anything. Nothing is allocated.
 */
#ifndef SERVER_HTTP_HTTP_TEXT_H
#define SERVER_HTTP_HTTP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Decodes the %XX of a path and refuses what no page or program of ours sends: a path without its
 * first slash, an escape that is none, control characters, a part that is "." or "..". False: bad.
 */
bool path_decode(const char *text, size_t length, char *out, size_t size);
/* The same refusals, for a path that somebody else has decoded. */
bool path_is_clean(const char *path, size_t length);

/* Writes one "name=value" of a query encoded; returns its length, or 0 if it does not fit. */
size_t query_encode(const char *pair, char *out, size_t size);

/* ---- Who is asked, and from which page ---- */

enum { MAX_HOSTS = 16, HOST_NAME = 256 };

/* What a Host header may say: guards against names that are made to lead here (DNS rebinding). */
struct host_list {
	const char *names[MAX_HOSTS]; /* without ports; an IPv6 address in its brackets; borrowed */
	int count;
	bool any_address;             /* an address in digits is no name, so nobody can rebind it */
};

/* "name:port" without the port, in lower case and without a dot at its end. False: no host. */
bool host_name(const char *text, char name[HOST_NAME]);
bool host_is_allowed(const struct host_list *list, const char *host);
bool host_is_address(const char *name);   /* a.b.c.d, or [...] */
bool host_is_listed(const struct host_list *list, const char *name);

/* Is the page of this origin ours: of the host that was asked, or of a host that is named? */
bool origin_is_ours(const char *origin, const char *host, const struct host_list *named);

/* ---- Headers ---- */

bool content_length_parse(const char *text, size_t *out); /* digits alone */
bool type_is_json(const char *text);                      /* with or without parameters */
/* The value of a cookie; false: it is not there, or too long for `out`. */
bool cookie_find(const char *header, const char *name, char *out, size_t size);
/* What stands after "Bearer "; NULL: something else. */
const char *bearer_find(const char *header);
bool header_has_token(const char *header, const char *token); /* of a list with commas */
/* Does Accept-Encoding take this coding? A weight of 0 says no. */
bool encoding_accepted(const char *header, const char *coding);
bool etag_matches(const char *if_none_match, const char *etag);

#endif
