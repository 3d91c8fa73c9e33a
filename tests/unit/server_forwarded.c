/*
 * server_forwarded.c - whose request a proxy passes on: networks, X-Forwarded-For, PROXY headers.
 * SPDX-License-Identifier: MIT
 */
#include <string.h>

#include "server/http/forwarded.h"
#include "support/check.h"

static struct ip_networks networks_of(const char *const *texts)
{
	struct ip_networks networks = { .count = 0 };
	for (; *texts; texts++)
		assert_true(ip_network_parse(*texts, &networks.list[networks.count++]));
	return networks;
}

static struct ip ip(const char *text)
{
	struct ip parsed = { { 0 } };
	assert_true(ip_parse(text, strlen(text), &parsed));
	return parsed;
}

static bool is_in(const char *text, const struct ip_networks *networks)
{
	const struct ip parsed = ip(text);
	return ip_is_in(&parsed, networks);
}

static void test_ip__with_and_without_a_port(void **state)
{
	static const struct {
		const char *text, *address; /* NULL: not one */
	} cases[] = {
		{ "1.2.3.4", "1.2.3.4" },
		{ "1.2.3.4:80", "1.2.3.4" },
		{ "::ffff:1.2.3.4", "1.2.3.4" },
		{ "2001:db8::1", "2001:db8::/64" },
		{ "[2001:db8::1]", "2001:db8::/64" },
		{ "[2001:db8::1]:65535", "2001:db8::/64" },
		{ "", NULL },
		{ "1.2.3", NULL },
		{ "1.2.3.4:", NULL },
		{ "1.2.3.4:0", NULL },
		{ "1.2.3.4:65536", NULL },
		{ "1.2.3.4:-1", NULL },
		{ "[1.2.3.4]", NULL },
		{ "[::1", NULL },
		{ "[::1]x", NULL },
		{ "[::1]:", NULL },
		{ "::1]", NULL },
		{ "fe80::1%eth0", NULL },
		{ "unknown", NULL },
		{ "_hidden", NULL },
		{ " 1.2.3.4", NULL },
		{ "256.1.1.1", NULL },
		{ "0000000000000000000000000000000000000000000000000000000000000000001.2.3.4",
		  NULL },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ip out;
		char address[LIMIT_ADDRESS] = "none";
		if (ip_parse(cases[i].text, strlen(cases[i].text), &out))
			limits_address(out, address);
		assert_string_equal(address, cases[i].address ? cases[i].address : "none");
	}
}

static void test_networks__prefixes_are_exact(void **state)
{
	static const char *const bad[] = { "",		"10.0.0.0/33", "10.0.0.1/8",  "10.0.0.0/",
					   "10.0.0.0/-1", "10.0.0.0/8x", "[::1]/128", "::1/129",
					   "10.0.0.0:80", "example",	 "::1/0",     "unix" };
	const char *const texts[] = { "10.0.0.0/8", "127.0.0.1", "fd00::/8", "2001:db8::/33", NULL };
	static const char *const in[] = { "10.255.0.1", "::ffff:10.1.1.1", "127.0.0.1", "fdff::1",
					  "2001:db8:7fff::1" };
	static const char *const out[] = { "11.0.0.0", "9.255.255.255",	   "127.0.0.2",
					   "fe00::1",  "2001:db8:8000::1", "::a00:1" };
	const struct ip_networks networks = networks_of(texts);
	struct ip_network network;
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(ip_network_parse(bad[i], &network));
	for (size_t i = 0; i < sizeof in / sizeof *in; i++)
		assert_true(is_in(in[i], &networks));
	for (size_t i = 0; i < sizeof out / sizeof *out; i++)
		assert_false(is_in(out[i], &networks));
	assert_true(ip_network_parse("0.0.0.0/0", &network) && network.bits == 96);
}

/* Only what trusted proxies have written counts, whatever the visitor puts before it. */
static void test_forwarded__spoofed_chains(void **state)
{
	static const struct {
		const char *header, *visitor;
	} cases[] = {
		{ "203.0.113.7", "203.0.113.7" },
		{ "203.0.113.7:4711", "203.0.113.7" },
		{ "1.1.1.1, 203.0.113.7", "203.0.113.7" },
		{ "127.0.0.1, 203.0.113.7", "203.0.113.7" },
		{ "1.1.1.1,203.0.113.7,10.0.0.2", "203.0.113.7" },
		{ "1.1.1.1 ,\t203.0.113.7 , 10.0.0.2 ", "203.0.113.7" },
		{ "10.0.0.9, 10.0.0.2", "10.0.0.9" },
		{ "[2001:db8::1]:80, 10.0.0.2", "2001:db8::/64" },
		{ "2001:db8::1", "2001:db8::/64" },
		{ "", "10.0.0.1" },
		{ "garbage", "10.0.0.1" },
		{ "203.0.113.7, garbage", "10.0.0.1" },
		{ "203.0.113.7, garbage, 10.0.0.2", "10.0.0.2" },
		{ "203.0.113.7,", "10.0.0.1" },
		{ ",,,,", "10.0.0.1" },
		{ "203.0.113.7,, 10.0.0.2", "10.0.0.2" },
	};
	const struct ip_networks trusted =
		networks_of((const char *const[]){ "10.0.0.0/8", NULL });
	char address[LIMIT_ADDRESS];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		limits_address(forwarded_for(cases[i].header, ip("10.0.0.1"), &trusted), address);
		assert_string_equal(address, cases[i].visitor);
	}
	/* Whoever is not trusted says nothing about others. */
	limits_address(forwarded_for("203.0.113.7", ip("192.0.2.1"), &trusted), address);
	assert_string_equal(address, "192.0.2.1");
}

/* A long list is read from its end, and no further than FORWARDED_HOPS. */
static void test_forwarded__long_lists_are_bounded(void **state)
{
	static char header[8192];
	const struct ip_networks trusted =
		networks_of((const char *const[]){ "10.0.0.0/8", NULL });
	char address[LIMIT_ADDRESS], expected[LIMIT_ADDRESS];
	size_t used = 0;
	int count = 0;
	(void)state;
	for (; used + 16 < sizeof header; count++)
		used += (size_t)snprintf(header + used, sizeof header - used, "%s10.0.%d.%d",
					 count ? ", " : "", count / 250, count % 250);
	limits_address(forwarded_for(header, ip("10.0.0.1"), &trusted), address);
	const int seen = count - FORWARDED_HOPS;
	snprintf(expected, sizeof expected, "10.0.%d.%d", seen / 250, seen % 250);
	assert_string_equal(address, expected);
}

/* The same in the words of RFC 7239. */
static void test_forwarded__the_standard(void **state)
{
	static const struct {
		const char *header, *visitor, *scheme;
	} cases[] = {
		{ "for=203.0.113.7", "203.0.113.7", "" },
		{ "For=\"203.0.113.7:4711\"; Proto=HTTPS;by=10.0.0.1", "203.0.113.7", "https" },
		{ "for=203.0.113.7:4711", "203.0.113.7", "" },
		{ "for=\"[2001:db8::1]\";proto=http", "2001:db8::/64", "http" },
		{ "for=\"[2001:db8::1]:47011\"", "2001:db8::/64", "" },
		{ "for=\"203.0.113\\.7\"", "203.0.113.7", "" },
		{ "for=1.1.1.1;proto=https, for=203.0.113.7;proto=http", "203.0.113.7", "http" },
		{ "for=1.1.1.1, for=203.0.113.7 ,for=10.0.0.2;proto=https", "203.0.113.7", "https" },
		{ "for=1.1.1.1;x=\"a,b;for=2.2.2.2\", for=203.0.113.7", "203.0.113.7", "" },
		{ "for=10.0.0.9, for=10.0.0.2", "10.0.0.9", "" },
		{ "host=games.example;for=203.0.113.7;", "203.0.113.7", "" },
		/* What is no address says nothing about those before it. */
		{ "for=203.0.113.7, for=unknown", "10.0.0.1", "" },
		{ "for=203.0.113.7, for=_hidden, for=10.0.0.2", "10.0.0.2", "" },
		{ "for=203.0.113.7, proto=https", "10.0.0.1", "https" },
		{ "for=203.0.113.7,", "10.0.0.1", "" },
		{ "proto=ftp", "10.0.0.1", "" },
		{ "", "10.0.0.1", "" },
		/* A visitor who opens a quote, or breaks the syntax, hides nothing. */
		{ "for=1.1.1.1;x=\", for=203.0.113.7", "10.0.0.1", "" },
		{ "for=1.1.1.1, x=\", for=\"[2001:db8::1]\"", "10.0.0.1", "" },
		{ "for=1.1.1.1;x=\"\\, for=\"[2001:db8::1]\"", "10.0.0.1", "" },
		{ "for=1.1.1.1;x=\"\\", "10.0.0.1", "" },
		{ "for=1.1.1.1;for=2.2.2.2", "10.0.0.1", "" },
		{ "for", "10.0.0.1", "" },
		{ "for=", "10.0.0.1", "" },
		{ "=203.0.113.7", "10.0.0.1", "" },
		{ "for=203.0.113.7 proto=https", "10.0.0.1", "" },
		{ "for=\"203.0.113.7\"x", "10.0.0.1", "" },
		{ "203.0.113.7", "10.0.0.1", "" },
	};
	const struct ip_networks trusted =
		networks_of((const char *const[]){ "10.0.0.0/8", NULL });
	char address[LIMIT_ADDRESS];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct forwarded out =
			forwarded_read(cases[i].header, ip("10.0.0.1"), &trusted);
		limits_address(out.visitor, address);
		if (strcmp(address, cases[i].visitor) != 0 ||
		    strcmp(out.scheme, cases[i].scheme) != 0)
			fail_msg("%s: %s %s", cases[i].header, address, out.scheme);
	}
	/* Whoever is not trusted says nothing. */
	const struct forwarded out =
		forwarded_read("for=203.0.113.7;proto=https", ip("192.0.2.1"), &trusted);
	limits_address(out.visitor, address);
	assert_string_equal(address, "192.0.2.1");
	assert_string_equal(out.scheme, "");
	/* Of a long list only the end counts. */
	static char header[8192];
	size_t used = 0;
	int count = 0;
	for (; used + 24 < sizeof header; count++)
		used += (size_t)snprintf(header + used, sizeof header - used, "%sfor=10.0.%d.%d",
					 count ? ", " : "", count / 250, count % 250);
	char expected[LIMIT_ADDRESS];
	const int seen = count - FORWARDED_HOPS;
	snprintf(expected, sizeof expected, "10.0.%d.%d", seen / 250, seen % 250);
	limits_address(forwarded_read(header, ip("10.0.0.1"), &trusted).visitor, address);
	assert_string_equal(address, expected);
}

#define V2 "\r\n\r\n\0\r\nQUIT\n"

static void test_proxy__both_versions(void **state)
{
	static const struct {
		const char *bytes;
		size_t size;
		enum proxy_header header;
		const char *visitor;
	} cases[] = {
#define CASE(text, ...) { text, sizeof text - 1, __VA_ARGS__ }
		CASE("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n", PROXY_VISITOR, "203.0.113.7"),
		CASE("PROXY TCP6 2001:db8::1 ::1 4711 80\r\n", PROXY_VISITOR, "2001:db8::/64"),
		CASE("PROXY UNKNOWN\r\n", PROXY_LOCAL, ""),
		CASE("PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n", PROXY_LOCAL, ""),
		CASE("PROXY TCP4 2001:db8::1 ::1 4711 80\r\n", PROXY_MALFORMED, ""),
		CASE("PROXY TCP4 203.0.113.7:1 10.0.0.1 4711 80\r\n", PROXY_MALFORMED, ""),
		CASE("PROXY TCP4 203.0.113.7\r\n", PROXY_MALFORMED, ""),
		CASE("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\n", PROXY_MALFORMED, ""),
		CASE("PROXY UDP4 203.0.113.7 10.0.0.1 4711 80\r\n", PROXY_MALFORMED, ""),
		CASE("GET / HTTP/1.1\r\n", PROXY_MALFORMED, ""),
		CASE("\x16\x03\x01\x02", PROXY_MALFORMED, ""),
		CASE(V2 "\x21\x11\0\x0c\xcb\0\x71\x07\x0a\0\0\1\x10\0\0\x50", PROXY_VISITOR,
		     "203.0.113.7"),
		CASE(V2 "\x21\x21\0\x24\x20\x01\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0"
			"\0\0\0\0\0\1\x10\0\0\x50",
		     PROXY_VISITOR, "2001:db8::/64"),
		CASE(V2 "\x20\0\0\0", PROXY_LOCAL, ""),
		CASE(V2 "\x21\x31\0\4abcd", PROXY_LOCAL, ""), /* a Unix socket */
		CASE(V2 "\x21\x11\0\4abcd", PROXY_MALFORMED, ""),
		CASE(V2 "\x31\x11\0\x0c", PROXY_MALFORMED, ""),
		CASE(V2 "\x22\x11\0\x0c", PROXY_MALFORMED, ""),
		CASE(V2 "\x21\x11\xff\xff", PROXY_MALFORMED, ""),
#undef CASE
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct ip from = { { 0 } };
		char address[LIMIT_ADDRESS];
		unsigned char bytes[256];
		size_t length = 0;
		memcpy(bytes, cases[i].bytes, cases[i].size);
		memcpy(bytes + cases[i].size, "GET /", 5);
		const size_t size = cases[i].size;
		const enum proxy_header header = proxy_header_read(bytes, size + 5, &length, &from);
		assert_int_equal(header, cases[i].header);
		if (header == PROXY_MALFORMED)
			continue;
		assert_int_equal(length, size);
		limits_address(header == PROXY_VISITOR ? from : (struct ip){ { 0 } }, address);
		assert_string_equal(address, cases[i].visitor);
		/* A part of it is not complete. */
		for (size_t part = 0; part < size; part++)
			assert_int_equal(proxy_header_read(bytes, part, &length, &from),
					 PROXY_INCOMPLETE);
	}
	/* A line of text that does not end. */
	unsigned char endless[PROXY_HEADER];
	struct ip from;
	size_t length;
	memset(endless, 'x', sizeof endless);
	memcpy(endless, "PROXY ", 6);
	assert_int_equal(proxy_header_read(endless, 106, &length, &from), PROXY_INCOMPLETE);
	assert_int_equal(proxy_header_read(endless, 107, &length, &from), PROXY_MALFORMED);
}

/* All lines of a name count, in their order, and nothing of the body. */
static void test_head__lines_of_a_name_are_joined(void **state)
{
	static const struct {
		const char *head, *values;
		int count;
	} cases[] = {
		{ "GET / HTTP/1.1\r\nForwarded: a\r\nHost: b\r\nFORWARDED:c \r\n\r\n", " a,c ", 2 },
		{ "GET / HTTP/1.1\nforwarded:a\nForwarded:\n\n", "a,", 2 },
		{ "GET / HTTP/1.1\r\nX-Forwarded: a\r\nForwarded-For: b\r\n\r\n", "", 0 },
		{ "GET / HTTP/1.1\r\nHost: b\r\n\r\nForwarded: a\r\n\r\n", "", 0 },
		{ "GET / HTTP/1.1\r\nForwarded: much more than what fits\r\n\r\n", "", 0 },
		{ "Forwarded: a\r\n\r\n", "", 0 },
	};
	char values[16];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const size_t size = strlen(cases[i].head);
		assert_true(head_is_complete(cases[i].head, size));
		assert_int_equal(head_values(cases[i].head, size, "forwarded:", values,
					     sizeof values),
				 cases[i].count);
		assert_string_equal(values, cases[i].values);
	}
	for (size_t size = 0; size < strlen(cases[0].head); size++) {
		assert_false(head_is_complete(cases[0].head, size));
		head_values(cases[0].head, size, "forwarded:", values, sizeof values);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ip__with_and_without_a_port),
		cmocka_unit_test(test_networks__prefixes_are_exact),
		cmocka_unit_test(test_forwarded__spoofed_chains),
		cmocka_unit_test(test_head__lines_of_a_name_are_joined),
		cmocka_unit_test(test_forwarded__long_lists_are_bounded),
		cmocka_unit_test(test_forwarded__the_standard),
		cmocka_unit_test(test_proxy__both_versions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
