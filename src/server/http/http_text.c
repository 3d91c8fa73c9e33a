/*
 * http_text.c - parses the texts of a request: paths, queries, hosts, origins, headers.
 * SPDX-License-Identifier: MIT
 *
 * Input is untrusted: every function accepts any bytes and rejects what it does not understand.
 */
#include "server/http/http_text.h"

#include <string.h>
#include <strings.h>

#include "base/scan.h"

/* ---- Paths and queries ---- */

/* Each part is looked at when its slash, or the end, has been reached. */
bool path_is_clean(const char *path, size_t length)
{
	if (!length || path[0] != '/')
		return false;
	size_t part = 1; /* where the current part begins */
	for (size_t i = 0; i <= length; i++) {
		if (i < length && ((unsigned char)path[i] < ' ' || path[i] == 0x7f))
			return false;
		if (i < length && path[i] != '/')
			continue;
		const size_t size = i > part ? i - part : 0;
		if (size && size <= 2 && path[part] == '.' && path[i - 1] == '.')
			return false;
		part = i + 1;
	}
	return true;
}

/* Decoded first: an encoded slash or dot must not get around the checks. */
bool path_decode(const char *text, size_t length, char *out, size_t size)
{
	return percent_decode(text, length, false, out, size) && path_is_clean(out, strlen(out));
}

/* Everything but the characters that need no escape becomes %XX. */
size_t query_encode(const char *pair, char *out, size_t size)
{
	static const char digits[] = "0123456789ABCDEF";
	/* `out` keeps room for the NUL. */
	size_t used = 0;
	bool value = false; /* the first '=' divides, the others belong to the value */
	for (; *pair; pair++) {
		const unsigned char c = (unsigned char)*pair;
		const bool plain = is_letter(*pair) || is_digit(*pair) ||
				   is_one_of(*pair, "-._~:,/*") || (c == '=' && !value);
		if (used + (plain ? 1 : 3) >= size)
			return 0;
		value |= c == '=';
		if (plain) {
			out[used++] = *pair;
			continue;
		}
		out[used++] = '%';
		out[used++] = digits[c >> 4];
		out[used++] = digits[c & 15];
	}
	out[used] = '\0';
	return used;
}

/* ---- Hosts and origins ---- */

bool host_name(const char *text, char name[HOST_NAME])
{
	/* The name, brackets of an IPv6 address included; then a port, or nothing. */
	const bool six = text[0] == '[';
	size_t length = six ? strspn(text + 1, "0123456789abcdefABCDEF:.%") : strcspn(text, ":");
	if (six)
		length = length && text[1 + length] == ']' ? length + 2 : 0;
	if (!length || length >= HOST_NAME)
		return false;
	const char *port = text + length;
	const size_t digits = *port == ':' ? strspn(port + 1, "0123456789") : 0;
	if (*port && (!digits || digits > 5 || port[1 + digits]))
		return false;
	for (size_t i = 0; i < length; i++) {
		name[i] = to_lower(text[i]);
		if (!six && !is_letter(text[i]) && !is_digit(text[i]) && !is_one_of(text[i], "-._"))
			return false;
	}
	if (name[length - 1] == '.')
		length--;
	name[length] = '\0';
	return length > 0;
}

/* Four numbers of up to three digits; their size does not matter here. */
bool host_is_address(const char *name)
{
	if (name[0] == '[')
		return true;
	int numbers = 0;
	for (;;) {
		const size_t digits = strspn(name, "0123456789");
		if (!digits || digits > 3 || ++numbers > 4)
			return false;
		if (!name[digits])
			return numbers == 4;
		if (name[digits] != '.')
			return false;
		name += digits + 1;
	}
}

bool host_is_listed(const struct host_list *list, const char *name)
{
	for (int i = 0; i < list->count; i++)
		if (strcasecmp(list->names[i], name) == 0)
			return true;
	return false;
}

bool host_is_allowed(const struct host_list *list, const char *host)
{
	char name[HOST_NAME];
	if (!host_name(host, name))
		return false;
	return host_is_listed(list, name) || (list->any_address && host_is_address(name));
}

/* The port after the name, 0 without one. The text is a good one. */
static int port_of(const char *host)
{
	const char *at = strrchr(host, ':');
	int64_t port = 0;
	if (at && !strchr(at, ']')) {
		at++;
		scan_int(&at, 0, 99999, &port);
	}
	return (int)port;
}

static int usual_port(enum url_scheme scheme)
{
	return scheme == SCHEME_HTTPS ? 443 : 80;
}

bool origin_parse(const char *text, struct origin *out)
{
	if (strncasecmp(text, "http://", 7) == 0) {
		out->scheme = SCHEME_HTTP;
		text += 7;
	} else if (strncasecmp(text, "https://", 8) == 0) {
		out->scheme = SCHEME_HTTPS;
		text += 8;
	} else {
		return false;
	}
	if (!host_name(text, out->name))
		return false;
	out->port = port_of(text) ? port_of(text) : usual_port(out->scheme);
	return true;
}

bool origin_or_name_parse(const char *text, struct origin *out)
{
	if (strstr(text, "://"))
		return origin_parse(text, out);
	out->scheme = SCHEME_UNKNOWN;
	out->port = 0;
	return host_name(text, out->name) && !port_of(text);
}

/* Compared whole: another port, or the same one without TLS, may be somebody else's server. */
bool origin_is_ours(const char *origin, enum url_scheme scheme, const char *host,
		    const struct origin *allowed, int count)
{
	struct origin from;
	char name[HOST_NAME];
	if (!origin_parse(origin, &from))
		return false;
	const bool same_scheme = scheme == SCHEME_UNKNOWN || scheme == from.scheme;
	const int usual = usual_port(from.scheme);
	if (same_scheme && host_name(host, name) && strcmp(from.name, name) == 0 &&
	    from.port == (port_of(host) ? port_of(host) : usual))
		return true;
	for (int i = 0; i < count; i++) {
		if (strcmp(from.name, allowed[i].name) != 0)
			continue;
		if (allowed[i].scheme == SCHEME_UNKNOWN
			    ? same_scheme && from.port == usual
			    : allowed[i].scheme == from.scheme && allowed[i].port == from.port)
			return true;
	}
	return false;
}

/* ---- Headers ---- */

/* No sign and no blanks, unlike strtoll; 15 digits cannot overflow. */
bool content_length_parse(const char *text, size_t *out)
{
	const size_t digits = strspn(text, "0123456789");
	if (!digits || digits > 15 || text[digits])
		return false;
	*out = 0;
	for (size_t i = 0; i < digits; i++)
		*out = *out * 10 + (size_t)(text[i] - '0');
	return true;
}

bool type_is_json(const char *text)
{
	static const char json[] = "application/json";
	/* Blanks, the type, then nothing or its parameters. */
	text += strspn(text, " \t");
	if (strncasecmp(text, json, sizeof json - 1) != 0)
		return false;
	text += sizeof json - 1;
	text += strspn(text, " \t");
	return !*text || *text == ';';
}

/* A comma is part of a value: whoever may set cookies for a parent domain can write one into them. */
int cookie_find(const char *header, const char *name, char *out, size_t size)
{
	const size_t length = strlen(name);
	int count = 0;
	*out = '\0';
	while (*header) {
		header += strspn(header, "; \t");
		const size_t piece = strcspn(header, ";");
		if (piece > length && strncmp(header, name, length) == 0 && header[length] == '=') {
			const size_t value = piece - length - 1;
			count++;
			if (value < size) {
				memcpy(out, header + length + 1, value);
				out[value] = '\0';
			}
		}
		header += piece;
	}
	return count;
}

const char *bearer_find(const char *header)
{
	if (strncasecmp(header, "bearer ", 7) != 0)
		return NULL;
	return header + 7 + strspn(header + 7, " \t");
}

/* 22 digits, of which the last has 4 bits that are not used, and "==". */
bool socket_key_is_valid(const char *text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	return strspn(text, digits) == 22 && is_one_of(text[21], "AQgw") &&
	       strcmp(text + 22, "==") == 0;
}

/* The next item of a comma-separated list, without blanks around it; false: no more items. */
static bool next_item(const char **list, const char **item, size_t *length)
{
	const char *at = *list + strspn(*list, ", \t");
	*length = strcspn(at, ",");
	*list = at + *length;
	*item = at;
	while (*length && is_one_of(at[*length - 1], " \t"))
		--*length;
	return *length > 0;
}

bool header_has_token(const char *header, const char *token)
{
	const char *item;
	size_t length;
	while (next_item(&header, &item, &length))
		if (length == strlen(token) && strncasecmp(item, token, length) == 0)
			return true;
	return false;
}

bool encoding_accepted(const char *header, const char *coding)
{
	const char *item;
	size_t length, name = strlen(coding);
	while (next_item(&header, &item, &length)) {
		if (length < name || strncasecmp(item, coding, name) != 0 ||
		    (length > name && !is_one_of(item[name], "; \t")))
			continue;
		/* ";q=0", ";q=0.0" and the like forbid it. */
		while (name < length && is_one_of(item[name], "; \t"))
			name++;
		if (length - name < 3 || to_lower(item[name]) != 'q' || item[name + 1] != '=')
			return true;
		for (name += 2; name < length && is_one_of(item[name], "0."); name++)
			;
		return name < length;
	}
	return false;
}

/* The tag in the list has its quotes, as ours has. */
bool etag_matches(const char *if_none_match, const char *etag)
{
	const char *item;
	size_t length;
	while (next_item(&if_none_match, &item, &length)) {
		if (length == 1 && *item == '*')
			return true;
		if (length > 2 && strncmp(item, "W/", 2) == 0)
			item += 2, length -= 2;
		if (length == strlen(etag) && memcmp(item, etag, length) == 0)
			return true;
	}
	return false;
}
