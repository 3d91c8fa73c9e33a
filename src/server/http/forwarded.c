/*
 * forwarded.c - whose request a proxy passes on: networks of proxies, X-Forwarded-For, Forwarded (RFC
 * 7239), and the header of the PROXY protocol.
 * SPDX-License-Identifier: MIT
 */
#include "server/http/forwarded.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/scan.h"

enum { V1_MOST = 107, V2_FIXED = 16 }; /* bytes: a whole header, the part before the addresses */

/* ---- Addresses and networks ---- */

/* ":1" to ":65535", or nothing. */
static bool is_port(const char *text)
{
	int64_t port;
	return !*text || (scan_literal(&text, ":") && is_digit(*text) &&
			  scan_int(&text, 1, 65535, &port) && !*text);
}

/* An IPv6 address with a port has brackets; an IPv4 address has exactly one colon before it. */
bool ip_parse(const char *text, size_t length, struct ip *out)
{
	char copy[64], *at = copy, *end;
	if (!length || length >= sizeof copy || memchr(text, '\0', length))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	if (*at == '[') {
		end = strchr(++at, ']');
		if (!end || !is_port(end + 1))
			return false;
		*end = '\0';
	} else if ((end = strchr(at, ':')) && !strchr(end + 1, ':')) {
		if (!is_port(end))
			return false;
		*end = '\0';
	}
	unsigned char four[4];
	if (inet_pton(AF_INET6, at, out->bytes) == 1)
		return true;
	if (at != copy || inet_pton(AF_INET, at, four) != 1)
		return false;
	*out = ip_of_four(four);
	return true;
}

/* Bit by bit from the left: bit 0 is the highest of the first byte. */
static bool has_bits_after(const struct ip *ip, int bits)
{
	for (int i = bits; i < 128; i++)
		if (ip->bytes[i / 8] & (0x80 >> i % 8))
			return true;
	return false;
}

/* Bits after the prefix are a mistake of the operator, who may have meant a single address. */
bool ip_network_parse(const char *text, struct ip_network *out)
{
	const size_t length = strcspn(text, "/");
	const char *rest = text + length, *colon = memchr(text, ':', length);
	const bool six = colon;
	int64_t bits = six ? 128 : 32;
	/* Neither brackets nor a port. */
	if (memchr(text, '[', length) || !ip_parse(text, length, &out->base) ||
	    (six && !memchr(colon + 1, ':', length - (size_t)(colon + 1 - text))))
		return false;
	if (*rest && (!scan_literal(&rest, "/") || !is_digit(*rest) ||
		      !scan_int(&rest, 0, bits, &bits) || *rest))
		return false;
	out->bits = (int)bits + (six ? 0 : 96);
	return !has_bits_after(&out->base, out->bits);
}

bool ip_is_in(const struct ip *ip, const struct ip_networks *networks)
{
	for (int i = 0; i < networks->count; i++) {
		const struct ip_network *network = &networks->list[i];
		struct ip differs;
		for (int b = 0; b < 16; b++)
			differs.bytes[b] = ip->bytes[b] ^ network->base.bytes[b];
		bool same = true;
		for (int b = 0; b < network->bits && same; b++)
			same = !(differs.bytes[b / 8] & (0x80 >> b % 8));
		if (same)
			return true;
	}
	return false;
}

/* From the end: each proxy appends the address that it was called from. */
struct ip forwarded_for(const char *header, struct ip from, const struct ip_networks *trusted)
{
	size_t end = strlen(header);
	for (int hops = 0; hops < FORWARDED_HOPS && ip_is_in(&from, trusted); hops++) {
		size_t begin = end;
		struct ip before;
		while (begin && header[begin - 1] != ',')
			begin--;
		size_t first = begin, length;
		while (first < end && is_one_of(header[first], " \t"))
			first++;
		for (length = end - first; length && is_one_of(header[first + length - 1], " \t");)
			length--;
		if (!ip_parse(header + first, length, &before))
			break;
		from = before;
		if (!begin)
			break;
		end = begin - 1; /* the comma */
	}
	return from;
}

/* ---- Forwarded ---- */

enum { VALUE = 64 };

/* What a proxy says: `for` and `proto`, "" if they are missing or too long. */
struct element {
	char from[VALUE], scheme[VALUE];
};

/* What a name or an unquoted value consists of. RFC 7239 wants IPv6 addresses and ports quoted. */
static size_t token_length(const char *text)
{
	return strspn(text, "!#$%&'*+-.^_`|~:[]0123456789abcdefghijklmnopqrstuvwxyz"
			    "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

static void skip_blanks(const char **at)
{
	*at += strspn(*at, " \t");
}

/* A token, or a quoted string without its quotes. */
static bool read_value(const char **at, char out[VALUE])
{
	size_t length = 0;
	if (**at != '"') {
		const size_t size = token_length(*at);
		length = size < VALUE ? size : 0;
		memcpy(out, *at, length);
		out[length] = '\0';
		*at += size;
		return size > 0;
	}
	for (++*at; **at && **at != '"'; ++*at) {
		*at += **at == '\\' && (*at)[1];
		if (length < VALUE)
			out[length++] = **at;
	}
	out[length < VALUE ? length : 0] = '\0';
	return *(*at)++ == '"';
}

/* "NAME=VALUE;NAME=VALUE", up to a comma or the end; it may be empty. */
static bool read_element(const char **at, struct element *out)
{
	*out = (struct element){ "", "" };
	for (;;) {
		char value[VALUE], *known = NULL;
		skip_blanks(at);
		const char *name = *at;
		const size_t length = strcspn(name, "=;,\" \t");
		if (length) {
			known = length == 3 && strncasecmp(name, "for", 3) == 0	    ? out->from
				: length == 5 && strncasecmp(name, "proto", 5) == 0 ? out->scheme
										    : NULL;
			*at += length;
			/* A name that comes twice is no clear statement. */
			if (!scan_literal(at, "=") || !read_value(at, value) || (known && *known))
				return false;
			if (known)
				memcpy(known, value, sizeof value);
			skip_blanks(at);
		}
		if (!**at || **at == ',')
			return true;
		if (!scan_literal(at, ";"))
			return false;
	}
}

struct forwarded forwarded_read(const char *header, struct ip from,
				const struct ip_networks *trusted)
{
	struct forwarded out = { from, "" };
	struct element last[FORWARDED_HOPS];
	int count = 0;
	do {
		if (!read_element(&header, &last[count++ % FORWARDED_HOPS]))
			return out;
	} while (scan_literal(&header, ","));
	if (!ip_is_in(&from, trusted))
		return out;
	const char *scheme = last[(count - 1) % FORWARDED_HOPS].scheme;
	if (strcasecmp(scheme, "http") == 0 || strcasecmp(scheme, "https") == 0)
		snprintf(out.scheme, sizeof out.scheme, "%s", scheme[4] ? "https" : "http");
	for (int i = 1; i <= count && i <= FORWARDED_HOPS && ip_is_in(&out.visitor, trusted); i++) {
		const char *text = last[(count - i) % FORWARDED_HOPS].from;
		struct ip before;
		if (!ip_parse(text, strlen(text), &before))
			break;
		out.visitor = before;
	}
	return out;
}

/* ---- The head of a request ---- */

/* The line after this one, or NULL. */
static const char *next_line(const char *line, const char *end)
{
	const char *mark = memchr(line, '\n', (size_t)(end - line));
	return mark ? mark + 1 : NULL;
}

bool head_is_complete(const char *head, size_t size)
{
	const char *end = head + size;
	for (const char *line = next_line(head, end); line && line < end; line = next_line(line, end))
		if (*line == '\n' || (*line == '\r' && line + 1 < end && line[1] == '\n'))
			return true;
	return false;
}

int head_values(const char *head, size_t size, const char *name, char *out, size_t room)
{
	const char *end = head + size, *line = head;
	const size_t length = strlen(name);
	size_t used = 0;
	int count = 0;
	out[0] = '\0';
	while ((line = next_line(line, end)) && line < end && *line != '\r' && *line != '\n') {
		if ((size_t)(end - line) < length || strncasecmp(line, name, length) != 0)
			continue;
		const char *value = line + length, *next = next_line(value, end);
		size_t most = (size_t)((next ? next - 1 : end) - value);
		most -= most && value[most - 1] == '\r';
		if (used + most + 2 > room) {
			out[0] = '\0';
			return 0;
		}
		if (count++)
			out[used++] = ',';
		memcpy(out + used, value, most);
		used += most;
		out[used] = '\0';
	}
	return count;
}

/* ---- The PROXY protocol ---- */

/* "PROXY TCP4 SOURCE DESTINATION PORT PORT\r\n"; with UNKNOWN the rest of the line means nothing. */
static enum proxy_header read_text(const unsigned char *bytes, size_t size, size_t *length,
				   struct ip *from)
{
	const unsigned char *end = memchr(bytes, '\n', size < V1_MOST ? size : V1_MOST);
	char line[V1_MOST + 1], *words[6];
	if (!end)
		return size < V1_MOST ? PROXY_INCOMPLETE : PROXY_MALFORMED;
	*length = (size_t)(end - bytes) + 1;
	if (*length < 2 || end[-1] != '\r' || memchr(bytes, '\0', *length))
		return PROXY_MALFORMED;
	memcpy(line, bytes, *length - 2);
	line[*length - 2] = '\0';
	int count = 0;
	for (char *at = line; at && count < 6;) {
		words[count++] = at;
		at = strchr(at, ' ');
		if (at)
			*at++ = '\0';
	}
	if (count >= 2 && strcmp(words[1], "UNKNOWN") == 0)
		return PROXY_LOCAL;
	if (count < 6 || (strcmp(words[1], "TCP4") != 0 && strcmp(words[1], "TCP6") != 0) ||
	    strchr(words[2], '[') || !ip_parse(words[2], strlen(words[2]), from))
		return PROXY_MALFORMED;
	const bool six = strchr(words[2], ':');
	return six == (words[1][3] == '6') ? PROXY_VISITOR : PROXY_MALFORMED;
}

/* Twelve fixed bytes; version and command; family; length of the rest, which has the addresses. */
static enum proxy_header read_binary(const unsigned char *bytes, size_t size, size_t *length,
				     struct ip *from)
{
	if (size < V2_FIXED)
		return PROXY_INCOMPLETE;
	const size_t rest = (size_t)bytes[14] << 8 | bytes[15];
	const int command = bytes[12] & 15, family = bytes[13] >> 4;
	*length = V2_FIXED + rest;
	if (bytes[12] >> 4 != 2 || command > 1 || *length > PROXY_HEADER)
		return PROXY_MALFORMED;
	if (size < *length)
		return PROXY_INCOMPLETE;
	if (command == 0 || (family != 1 && family != 2))
		return PROXY_LOCAL;
	if (rest < (family == 1 ? 12 : 36))
		return PROXY_MALFORMED;
	if (family == 1)
		*from = ip_of_four(bytes + V2_FIXED);
	else
		memcpy(from->bytes, bytes + V2_FIXED, sizeof from->bytes);
	return PROXY_VISITOR;
}

enum proxy_header proxy_header_read(const unsigned char *bytes, size_t size, size_t *length,
				    struct ip *from)
{
	static const char text[] = "PROXY ";
	static const unsigned char binary[] = "\r\n\r\n\0\r\nQUIT\n";
	const size_t of_text = sizeof text - 1, of_binary = sizeof binary - 1;
	if (memcmp(bytes, text, size < of_text ? size : of_text) == 0)
		return size < of_text ? PROXY_INCOMPLETE : read_text(bytes, size, length, from);
	if (memcmp(bytes, binary, size < of_binary ? size : of_binary) == 0)
		return size < of_binary ? PROXY_INCOMPLETE
					: read_binary(bytes, size, length, from);
	return PROXY_MALFORMED;
}
