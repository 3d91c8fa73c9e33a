/*
 * forwarded.c - fuzz target: what a proxy says about a visitor. The first line is a network, the
 * second an X-Forwarded-For or a Forwarded header; the rest is the beginning of a connection (PROXY protocol), or the head of a request.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "server/http/forwarded.h"

static bool same(struct ip a, struct ip b)
{
	return memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

/* Is this address in the header, as one of its last? */
static bool is_named(const char *header, struct ip ip)
{
	for (const char *at = header;; at++) {
		const size_t blanks = strspn(at, " \t");
		size_t length = strcspn(at + blanks, ",");
		struct ip read;
		while (length && (at[blanks + length - 1] == ' ' || at[blanks + length - 1] == '\t'))
			length--;
		if (ip_parse(at + blanks, length, &read) && same(read, ip))
			return true;
		at = strchr(at, ',');
		if (!at)
			return false;
	}
}

/* However a visitor begins, what the proxy appends counts, or nothing does. */
static void try_standard(const char *header, struct ip from, const struct ip_networks *trusted)
{
	static const char *const appended[] = { "for=203.0.113.7;proto=https",
						"for=\"203.0.113.7\";proto=\"https\"" };
	const struct forwarded alone = forwarded_read(header, from, trusted);
	fuzz_require(!*alone.scheme || strcmp(alone.scheme, "http") == 0 ||
		     strcmp(alone.scheme, "https") == 0);
	for (int i = 0; i < 2 && strlen(header) < 400; i++) {
		char whole[512];
		struct ip real;
		fuzz_require(ip_parse("203.0.113.7", 11, &real));
		snprintf(whole, sizeof whole, "%s, %s", header, appended[i]);
		const struct forwarded out = forwarded_read(whole, from, trusted);
		fuzz_require(same(out.visitor, from) || same(out.visitor, real) ||
			     ip_is_in(&real, trusted));
	}
}

static void try_header(const char *network, const char *header)
{
	struct ip_networks trusted = { .count = 0 };
	struct ip from;
	fuzz_require(ip_parse("10.0.0.1", 8, &from));
	fuzz_require(same(forwarded_for(header, from, &trusted), from));
	fuzz_require(ip_network_parse("10.0.0.0/8", &trusted.list[trusted.count++]));
	trusted.count += ip_network_parse(network, &trusted.list[1]);
	const struct ip visitor = forwarded_for(header, from, &trusted);
	fuzz_require(same(visitor, from) || is_named(header, visitor));
	/* What a visitor writes before the addresses of the proxies changes nothing. */
	if (!ip_is_in(&visitor, &trusted) && strlen(header) < 400) {
		char spoofed[512];
		snprintf(spoofed, sizeof spoofed, "10.0.0.2, 1.1.1.1,%s", header);
		fuzz_require(same(forwarded_for(spoofed, from, &trusted), visitor));
	}
	try_standard(header, from, &trusted);
	char address[LIMIT_ADDRESS];
	limits_address(visitor, address);
	fuzz_require(strlen(address) < LIMIT_ADDRESS);
}

/* The same in whatever pieces it comes; a header is never longer than its bound. */
static void try_proxy(const uint8_t *bytes, size_t size)
{
	struct ip from = { { 0 } }, again = { { 0 } };
	size_t length = 0, part_length = 0;
	size = size < PROXY_HEADER ? size : PROXY_HEADER;
	const enum proxy_header header = proxy_header_read(bytes, size, &length, &from);
	if (header == PROXY_INCOMPLETE)
		fuzz_require(size < PROXY_HEADER);
	if (header != PROXY_LOCAL && header != PROXY_VISITOR)
		return;
	fuzz_require(length > 0 && length <= size);
	for (size_t part = 0; part < length; part++)
		fuzz_require(proxy_header_read(bytes, part, &part_length, &again) ==
			     PROXY_INCOMPLETE);
	fuzz_require(proxy_header_read(bytes, length, &part_length, &again) == header);
	fuzz_require(part_length == length && (header == PROXY_LOCAL || same(from, again)));
}

/* What follows the empty line is not looked at, and no value is longer than its room. */
static void try_head(const uint8_t *bytes, size_t size)
{
	char head[512], values[64], again[64];
	size_t least = 0;
	size = size < sizeof head ? size : sizeof head;
	memcpy(head, bytes, size);
	const int count = head_values(head, size, "forwarded:", values, sizeof values);
	fuzz_require(strlen(values) < sizeof values && (count > 0 || !*values));
	if (!head_is_complete(head, size))
		return;
	while (!head_is_complete(head, least))
		least++;
	memset(head + least, 'x', sizeof head - least);
	fuzz_require(head_is_complete(head, sizeof head));
	fuzz_require(head_values(head, least, "forwarded:", again, sizeof again) == count);
	fuzz_require(strcmp(values, again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *header = fuzz_next_line(text);
	char *rest = fuzz_next_line(header);
	try_header(text, header);
	const size_t at = (size_t)(rest - text);
	try_proxy(data + (at < size ? at : size), at < size ? size - at : 0);
	try_proxy(data, size);
	try_head(data, size);
	free(text);
	return 0;
}
