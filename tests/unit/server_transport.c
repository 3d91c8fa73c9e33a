/*
 * server_transport.c - what the transport is made of, alone: texts of requests, limits of an
 * address, the blob of the page.
 * SPDX-License-Identifier: MIT
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "server/http/assets.h"
#include "server/http/gzip.h"
#include "server/http/http_text.h"
#include "server/api/held_bytes.h"
#include "server/http/wire_bytes.h"

static void test_path__is_decoded_or_refused(void **state)
{
	static const struct {
		const char *text, *path;
	} cases[] = {
		{ "/", "/" },	      { "/api/v1/plays/a%20b", "/api/v1/plays/a b" },
		{ "/a%2Fb", "/a/b" }, { "/.well-known/x", "/.well-known/x" },
		{ "/...", "/..." },   { "/%e2%82%ac", "/\xe2\x82\xac" },
		{ "", NULL },	      { "a", NULL },
		{ "/%", NULL },	      { "/%4", NULL },
		{ "/%4g", NULL },     { "/%00", NULL },
		{ "/a%0a", NULL },    { "/..", NULL },
		{ "/../x", NULL },    { "/a/./b", NULL },
		{ "/%2e%2E", NULL },  { "/a/%2e", NULL },
	};
	char path[64];
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const bool good =
			path_decode(cases[i].text, strlen(cases[i].text), path, sizeof path);
		assert_int_equal(good, cases[i].path != NULL);
		if (good)
			assert_string_equal(path, cases[i].path);
	}
	assert_false(path_decode("/abc", 4, path, 4));
	assert_true(path_decode("/abc", 4, path, 5));
}

static void test_query__is_encoded_again(void **state)
{
	char out[32];
	(void)state;
	assert_int_equal(query_encode("game=a:b=1,c&d+e", out, sizeof out), 22);
	assert_string_equal(out, "game=a:b%3D1,c%26d%2Be");
	assert_int_equal(query_encode("abc", out, 3), 0);
	assert_int_equal(query_encode("\xff", out, sizeof out), 3);
	assert_string_equal(out, "%FF");
}

static void test_host__only_known_names(void **state)
{
	static const char *const good[] = { "localhost",	"LocalHost:80",
					    "127.0.0.1:8080",	"[::1]",
					    "[::1]:1",		"games.example.",
					    "games.example:443" };
	static const char *const bad[] = { "",
					   ":80",
					   "localhost.evil.example",
					   "evil-localhost",
					   "localhost:x",
					   "localhost:",
					   "127.0.0.1.evil",
					   "10.0.0.1",
					   "[::2]",
					   "[::1",
					   "localhost evil",
					   "localhost/",
					   "a@localhost",
					   "localhost:123456" };
	struct host_list list = { { "localhost", "127.0.0.1", "[::1]", "games.example" },
				  4,
				  false };
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		assert_true(host_is_allowed(&list, good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		assert_false(host_is_allowed(&list, bad[i]));
	list.any_address = true;
	assert_true(host_is_allowed(&list, "10.0.0.1:8080"));
	assert_true(host_is_allowed(&list, "[fe80::1]"));
	assert_false(host_is_allowed(&list, "10.0.0.1.evil.example"));
	assert_false(host_is_allowed(&list, "1.2.3.example"));
	assert_false(host_is_allowed(&list, "10.0.0"));
}

/* A whole origin: another port or scheme of the same name may be somebody else's server. */
static void test_origin__the_host_or_an_allowed_one(void **state)
{
	struct origin allowed[2];
	static const struct {
		const char *origin, *host;
		enum url_scheme scheme;
		bool ours;
	} cases[] = {
		{ "http://localhost:8080", "localhost:8080", SCHEME_UNKNOWN, true },
		{ "https://LOCALHOST", "localhost", SCHEME_UNKNOWN, true },
		{ "https://localhost:443", "localhost", SCHEME_HTTPS, true },
		{ "https://localhost", "localhost:443", SCHEME_HTTPS, true },
		{ "http://localhost", "localhost", SCHEME_HTTPS, false },
		{ "https://localhost", "localhost", SCHEME_HTTP, false },
		{ "https://[::1]:8443", "[::1]:8443", SCHEME_HTTPS, true },
		{ "https://[::1]", "[::1]:8443", SCHEME_HTTPS, false },
		{ "https://games.example", "127.0.0.1:8080", SCHEME_UNKNOWN, true },
		{ "http://games.example", "127.0.0.1:8080", SCHEME_UNKNOWN, true },
		{ "https://games.example", "127.0.0.1:8080", SCHEME_HTTPS, true },
		{ "http://games.example", "127.0.0.1:8080", SCHEME_HTTPS, false },
		{ "http://games.example:3000", "127.0.0.1:8080", SCHEME_UNKNOWN, false },
		{ "http://games.example:3000", "games.example", SCHEME_UNKNOWN, false },
		{ "https://games.example:9999", "games.example", SCHEME_HTTPS, false },
		{ "https://games.example:80", "games.example", SCHEME_UNKNOWN, false },
		{ "https://whole.example:8443", "127.0.0.1", SCHEME_HTTP, true },
		{ "https://whole.example", "127.0.0.1", SCHEME_HTTPS, false },
		{ "http://whole.example:8443", "127.0.0.1", SCHEME_UNKNOWN, false },
		{ "http://localhost:8081", "localhost:8080", SCHEME_UNKNOWN, false },
		{ "http://localhost", "localhost:8080", SCHEME_UNKNOWN, false },
		{ "http://localhost:8080/", "localhost:8080", SCHEME_UNKNOWN, false },
		{ "null", "localhost", SCHEME_UNKNOWN, false },
		{ "", "", SCHEME_UNKNOWN, false },
		{ "http://", "", SCHEME_UNKNOWN, false },
		{ "http://games.example.evil", "localhost", SCHEME_UNKNOWN, false },
		{ "file://localhost", "localhost", SCHEME_UNKNOWN, false },
	};
	(void)state;
	assert_true(origin_or_name_parse("Games.example", &allowed[0]));
	assert_true(origin_or_name_parse("https://whole.example:8443", &allowed[1]));
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (origin_is_ours(cases[i].origin, cases[i].scheme, cases[i].host, allowed, 2) !=
		    cases[i].ours)
			fail_msg("%s at %s", cases[i].origin, cases[i].host);
	assert_false(origin_or_name_parse("games.example:80", &allowed[0]));
	assert_false(origin_or_name_parse("ftp://games.example", &allowed[0]));
	assert_false(origin_or_name_parse("https://games.example/", &allowed[0]));
	assert_false(origin_or_name_parse("https://", &allowed[0]));
	assert_false(origin_or_name_parse("", &allowed[0]));
}

static void test_headers__lengths_types_cookies_tokens(void **state)
{
	size_t length = 7;
	char value[8];
	(void)state;
	assert_true(content_length_parse("0", &length) && length == 0);
	assert_true(content_length_parse("16384", &length) && length == 16384);
	assert_false(content_length_parse("", &length) || content_length_parse("-1", &length) ||
		     content_length_parse("1 ", &length) || content_length_parse("1,1", &length) ||
		     content_length_parse("12345678901234567890", &length));
	assert_true(type_is_json("application/json"));
	assert_true(type_is_json(" Application/JSON ; charset=utf-8"));
	assert_false(type_is_json("application/jsonx") || type_is_json("text/json") ||
		     type_is_json(""));
	assert_int_equal(cookie_find("a=b; qv=x1; c=d", "qv", value, sizeof value), 1);
	assert_string_equal(value, "x1");
	assert_int_equal(cookie_find("aqv=x; qvb=y", "qv", value, sizeof value), 0);
	assert_int_equal(cookie_find("qv=12345678", "qv", value, sizeof value), 1);
	assert_string_equal(value, "");
	assert_int_equal(cookie_find("qv=1234567", "qv", value, sizeof value), 1);
	/* Somebody who may set cookies for a parent domain has put one into the value of another. */
	assert_int_equal(cookie_find("a=1,qv=bad; qv=good", "qv", value, sizeof value), 1);
	assert_string_equal(value, "good");
	assert_int_equal(cookie_find("a=1,qv=bad", "qv", value, sizeof value), 0);
	assert_int_equal(cookie_find("qv=bad;qv=good", "qv", value, sizeof value), 2);
	assert_true(socket_key_is_valid("dGhlIHNhbXBsZSBub25jZQ=="));
	assert_false(socket_key_is_valid(""));
	assert_false(socket_key_is_valid("x"));
	assert_false(socket_key_is_valid("dGhlIHNhbXBsZSBub25jZR=="));
	assert_false(socket_key_is_valid("dGhlIHNhbXBsZSBub25jZQ=="
					 "dGhlIHNhbXBsZSBub25jZQ=="));
	assert_string_equal(bearer_find("bearer  x"), "x");
	assert_null(bearer_find("Basic x"));
	assert_true(header_has_token("keep-alive , Close", "close"));
	assert_false(header_has_token("closed", "close"));
}

static void test_headers__codings_and_tags(void **state)
{
	(void)state;
	assert_true(encoding_accepted("gzip, deflate, br", "br"));
	assert_true(encoding_accepted("br;q=0.1", "br"));
	assert_true(encoding_accepted("BR ; q=1", "br"));
	assert_false(encoding_accepted("br;q=0", "br") || encoding_accepted("br; q=0.000", "br"));
	assert_false(encoding_accepted("brotli", "br") || encoding_accepted("", "br"));
	assert_true(etag_matches("\"a\", W/\"b\"", "\"b\""));
	assert_true(etag_matches("*", "\"b\""));
	assert_false(etag_matches("\"a\"", "\"b\"") || etag_matches("", "\"b\""));
}

static void test_json__depth_is_bounded(void **state)
{
	(void)state;
	assert_true(json_is_shallow("[[1]]", 5, 2));
	assert_false(json_is_shallow("[[[", 3, 2));
	assert_true(json_is_shallow("[\"[[[\\\"[\"]", 10, 1));
	assert_true(json_is_shallow("[],[],[]", 8, 1));
}

static void test_limits__connections_of_an_address(void **state)
{
	struct limits *limits = limits_new(1, 100);
	struct limits_peer *first = NULL;
	(void)state;
	for (int i = 0; i < LIMIT_CONNECTIONS; i++)
		assert_non_null(first = limits_connect(limits, "10.0.0.1"));
	assert_null(limits_connect(limits, "10.0.0.1"));
	for (int i = LIMIT_CONNECTIONS; i < 100; i++)
		assert_non_null(limits_connect(limits, "10.0.0.2"));
	assert_null(limits_connect(limits, "10.0.0.3"));
	limits_disconnect(limits, first);
	assert_ptr_equal(limits_connect(limits, "10.0.0.1"), first);
	limits_free(limits);
}

static void test_limits__requests_come_back_with_time(void **state)
{
	struct limits *limits = limits_new(2, 10);
	struct limits_peer *peer = limits_connect(limits, "10.0.0.1");
	(void)state;
	for (int i = 0; i < 2 * LIMIT_BURST; i++)
		assert_true(limits_request(limits, peer->address, 1000));
	assert_false(limits_request(limits, peer->address, 1000));
	assert_false(limits_request(limits, peer->address, 1020));
	assert_true(limits_request(limits, peer->address, 1025));
	for (int i = 0; i < 2 * LIMIT_RATE; i++)
		assert_true(limits_request(limits, peer->address, 2025));
	assert_false(limits_request(limits, peer->address, 2025));
	limits_free(limits);
}

static void test_limits__files_are_counted_apart(void **state)
{
	struct limits *limits = limits_new(1, 10);
	struct limits_peer *peer = limits_connect(limits, "10.0.0.1");
	(void)state;
	for (int i = 0; i < LIMIT_FILES * LIMIT_BURST; i++)
		assert_true(limits_file(limits, peer->address, 1000));
	assert_false(limits_file(limits, peer->address, 1000));
	assert_true(limits_request(limits, peer->address, 1000));
	limits_free(limits);
}

/* A site with an IPv6 /48 has 65,536 networks: together they have the limits of LIMIT_SITE. */
static void test_limits__networks_of_a_site(void **state)
{
	struct limits *limits = limits_new(1, 1 << 20);
	struct limits_peer *peer = NULL;
	char address[LIMIT_ADDRESS];
	int taken = 0, connected = 0;
	(void)state;
	for (int i = 0; i < 100 * LIMIT_SITE; i++) {
		snprintf(address, sizeof address, "2001:db8:1:%x::/64", i + 1);
		for (int k = 0; k < LIMIT_BURST; k++)
			taken += limits_request(limits, address, 0);
		struct limits_peer *next = limits_connect(limits, address);
		connected += next != NULL;
		peer = next ? next : peer;
	}
	assert_int_equal(taken, LIMIT_SITE * LIMIT_BURST);
	assert_int_equal(connected, LIMIT_SITE * LIMIT_CONNECTIONS);
	/* Another site is not concerned, and a connection that ends makes room. */
	assert_true(limits_request(limits, "2001:db8:2:1::/64", 0));
	assert_non_null(limits_connect(limits, "2001:db8:2:1::/64"));
	assert_null(limits_connect(limits, "2001:db8:1:ffff::/64"));
	limits_disconnect(limits, peer);
	assert_non_null(limits_connect(limits, "2001:db8:1:ffff::/64"));
	limits_free(limits);
}

/* What a request costs beyond its token is owed, at most what a minute brings. */
static void test_limits__costs_are_owed(void **state)
{
	struct limits *limits = limits_new(1, 10);
	static const char here[] = "2001:db8:1:1::/64", there[] = "2001:db8:1:2::/64";
	(void)state;
	assert_true(limits_take_at(limits, "what", here, 60, 4, 0));
	limits_spend_at(limits, "what", here, 0.5, 60, 4, 0); /* it was paid */
	assert_true(limits_left_at(limits, "what", here, 60, 4, 0) == 3);
	limits_spend_at(limits, "what", here, 5.5, 60, 4, 0);
	assert_true(limits_left_at(limits, "what", here, 60, 4, 0) == -2);
	assert_false(limits_take_at(limits, "what", here, 60, 4, 2999));
	assert_true(limits_take_at(limits, "what", here, 60, 4, 3000));
	/* Its site has LIMIT_SITE times as many, for all of its networks together. */
	limits_spend_at(limits, "what", here, 1e9, 60, 4, 3000);
	assert_true(limits_left_at(limits, "what", here, 60, 4, 3000) == -60.0 * LIMIT_SITE);
	assert_true(limits_left_at(limits, "what", there, 60, 4, 3000) == -60.0 * LIMIT_SITE);
	limits_spend_at(limits, "what", "10.0.0.2", 1e9, 60, 4, 3000);
	assert_true(limits_left_at(limits, "what", "10.0.0.2", 60, 4, 3000) == -60);
	assert_true(limits_take_at(limits, "what", "10.0.0.1", 60, 4, 3000));
	limits_free(limits);
}

static void test_limits__bytes_of_files(void **state)
{
	struct limits *limits = limits_new(1, 10);
	int sent = 0;
	(void)state;
	while (limits_bytes(limits, "10.0.0.1", 5 << 20, 0))
		sent += 5;
	assert_in_range(sent, LIMIT_EGRESS_BURST, LIMIT_EGRESS_BURST + 5);
	assert_true(limits_bytes(limits, "10.0.0.2", 5 << 20, 0));
	assert_true(limits_bytes(limits, "10.0.0.1", 20 << 20, 5000));
	assert_false(limits_bytes(limits, "10.0.0.1", 1, 5000));
	limits_free(limits);
}

static void test_limits__connections_in_a_row(void **state)
{
	struct limits *limits = limits_new(1, 10);
	int plain = 0, tls = 0;
	(void)state;
	while (limits_accept(limits, "10.0.0.1", false, 0))
		plain++;
	while (limits_accept(limits, "10.0.0.2", true, 0))
		tls++;
	assert_int_equal(plain, LIMIT_ACCEPT_BURST * LIMIT_ACCEPTS);
	assert_int_equal(tls, LIMIT_ACCEPT_BURST * LIMIT_HANDSHAKES);
	for (int i = 0; i < LIMIT_HANDSHAKES; i++)
		assert_true(limits_accept(limits, "10.0.0.2", true, 1000));
	assert_false(limits_accept(limits, "10.0.0.2", true, 1000));
	limits_free(limits);
}

/* The connections of a proxy are limited by visitor. */
static void test_limits__visitors_of_a_proxy(void **state)
{
	struct limits *limits = limits_new(1, 200);
	struct limits_peer *last = NULL;
	(void)state;
	for (int i = 0; i < 200; i++)
		assert_true(limits_connect_proxy(limits));
	assert_false(limits_connect_proxy(limits));
	assert_null(limits_connect(limits, "10.0.0.1"));
	for (int i = 0; i < LIMIT_CONNECTIONS; i++)
		assert_non_null(last = limits_visit(limits, "10.0.0.1"));
	assert_null(limits_visit(limits, "10.0.0.1"));
	assert_non_null(limits_visit(limits, "10.0.0.2"));
	limits_leave(limits, last);
	assert_non_null(limits_visit(limits, "10.0.0.1"));
	limits_disconnect_proxy(limits);
	assert_non_null(limits_connect(limits, "10.0.0.3"));
	limits_free(limits);
}

/* ---- Memory for connections ---- */

enum { HOLDERS = 40 };

struct held_desk {
	struct limits *limits;
	struct held_bytes held;
	struct holder holders[HOLDERS];
	struct holder *ended[HOLDERS];
	int ended_count;
};

static void note_ended(void *ctx, struct holder *holder)
{
	struct held_desk *d = ctx;
	d->ended[d->ended_count++] = holder;
}

static void held_desk_open(struct held_desk *d)
{
	*d = (struct held_desk){ .limits = limits_new(1, 1000) };
	held_open(&d->held, 1);
	d->held.end = note_ended;
	d->held.ctx = d;
}

/* Holder `at` is a connection of that address and holds so many MiB. */
static void holds(struct held_desk *d, int at, const char *address, size_t mib)
{
	struct holder *h = &d->holders[at];
	if (!h->link)
		holder_open(&d->held, h, limits_connect(d->limits, address));
	holder_set(&d->held, h, mib << 20);
}

static void held_desk_close(struct held_desk *d)
{
	for (int i = 0; i < HOLDERS; i++) {
		struct limits_peer *peer = d->holders[i].peer;
		if (!d->holders[i].link)
			continue;
		holder_close(&d->held, &d->holders[i]);
		if (peer)
			limits_disconnect(d->limits, peer);
	}
	assert_int_equal(d->held.total, 0);
	assert_null(d->held.first);
	limits_free(d->limits);
}

static void test_held__the_largest_of_an_address_ends(void **state)
{
	struct held_desk d;
	(void)state;
	held_desk_open(&d);
	holds(&d, 0, "10.0.0.2", 15);
	holds(&d, 1, "10.0.0.1", 4);
	holds(&d, 2, "10.0.0.1", 7);
	holds(&d, 3, "10.0.0.1", 5);
	assert_int_equal(d.ended_count, 0); /* just as much as is allowed */
	holds(&d, 1, "10.0.0.1", 5);
	assert_int_equal(d.ended_count, 1);
	assert_ptr_equal(d.ended[0], &d.holders[2]);
	assert_true(d.holders[2].ended);
	assert_int_equal(d.held.total, 25 << 20);
	/* It counts no more, whatever it does until it is closed. */
	holds(&d, 2, "10.0.0.1", 16);
	assert_int_equal(d.ended_count, 1);
	assert_int_equal(d.held.total, 25 << 20);
	/* One that holds too much alone ends itself. */
	holds(&d, 0, "10.0.0.2", 17);
	assert_int_equal(d.ended_count, 2);
	assert_ptr_equal(d.ended[1], &d.holders[0]);
	held_desk_close(&d);
}

static void test_held__a_site_has_less_than_its_networks(void **state)
{
	struct held_desk d;
	char address[LIMIT_ADDRESS];
	(void)state;
	held_desk_open(&d);
	holds(&d, 39, "2001:db8:2:1::/64", 16);
	for (int i = 0; i < 39; i++) {
		snprintf(address, sizeof address, "2001:db8:1:%x::/64", i + 1);
		holds(&d, i, address, 8);
		assert_in_range(d.held.total, 0, (64 + 16) << 20);
	}
	assert_int_equal(d.ended_count, 39 - HELD_SITE * 16 / 8);
	assert_false(d.holders[39].ended);
	held_desk_close(&d);
}

/* Whoever spreads it over many connections is found by what they hold together. */
static void test_held__of_all_the_largest_visitor_ends(void **state)
{
	struct held_desk d;
	char address[LIMIT_ADDRESS];
	(void)state;
	held_desk_open(&d);
	for (int i = 0; i < 20; i++)
		holds(&d, i, "2001:db8:1:1::/64", 0);
	for (int i = 20; i < HOLDERS; i++) {
		snprintf(address, sizeof address, "10.0.0.%d", i);
		holds(&d, i, address, 12);
	}
	for (int i = 0; i < 16; i++) /* 240 MiB and 16 */
		holds(&d, i, "2001:db8:1:1::/64", 1);
	assert_int_equal(d.held.total, HELD_ALL);
	assert_int_equal(d.ended_count, 0);
	holds(&d, 20, "10.0.0.20", 13);
	assert_int_equal(d.held.total, HELD_ALL);
	assert_int_equal(d.ended_count, 1);
	assert_in_range(d.ended[0] - d.holders, 0, 15);
	held_desk_close(&d);
}

/* The visitor of a proxy is known when the head of the request has come. */
static void test_held__counts_for_the_visitor_once_known(void **state)
{
	struct held_desk d;
	(void)state;
	held_desk_open(&d);
	struct limits_peer *peer = limits_connect(d.limits, "10.0.0.1");
	holder_open(&d.held, &d.holders[0], NULL);
	holder_set(&d.held, &d.holders[0], 17 << 20);
	assert_int_equal(d.ended_count, 0);
	assert_int_equal(peer->held, 0);
	holder_move(&d.held, &d.holders[0], peer);
	assert_int_equal(peer->held, 17 << 20);
	assert_int_equal(d.held.total, 17 << 20);
	holder_set(&d.held, &d.holders[0], 17 << 20);
	assert_int_equal(d.ended_count, 1);
	assert_int_equal(peer->held, 0);
	held_desk_close(&d);
}

/* Only bytes that the other side has taken count, and only while there are any for it. */
static void test_stall__counts_what_is_taken(void **state)
{
	struct stall stall = { 0 };
	(void)state;
	assert_int_equal(stall_note(&stall, false, 100, 1000), 0);
	assert_int_equal(stall_note(&stall, true, 100, 3000), 2000);
	assert_int_equal(stall_note(&stall, true, 100, 31000), LIMIT_STALL_MS);
	assert_int_equal(stall_note(&stall, true, 101, 40000), 0);
	assert_int_equal(stall_note(&stall, true, 101, 69999), LIMIT_STALL_MS - 1);
	assert_int_equal(stall_note(&stall, false, 101, 80000), 0);
	assert_int_equal(stall_note(&stall, true, 101, 80001), 1);
}

/* What the system does for every connection that a listening socket accepts. */
static void test_output__is_bounded_by_the_system(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof at;
	const int listening = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	int bytes = 0;
	(void)state;
	limits_output(listening);
	assert_int_equal(bind(listening, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(listening, 1), 0);
	assert_int_equal(getsockname(listening, (struct sockaddr *)&at, &size), 0);
	assert_int_equal(connect(client, (struct sockaddr *)&at, sizeof at), 0);
	const int accepted = accept(listening, NULL, NULL);
	size = sizeof bytes;
	assert_int_equal(getsockopt(accepted, SOL_SOCKET, SO_SNDBUF, &bytes, &size), 0);
	assert_in_range(bytes, 1, 2 * LIMIT_OUTPUT); /* Linux doubles it */
	assert_int_equal(getsockopt(accepted, IPPROTO_TCP, TCP_USER_TIMEOUT, &bytes, &size), 0);
	assert_int_equal(bytes, LIMIT_STALL_MS);
	/* What waits in the system is seen. */
	static char text[10000];
	assert_int_equal(wire_bytes(accepted).waiting, 0);
	int one = 4096;
	setsockopt(client, SOL_SOCKET, SO_RCVBUF, &one, sizeof one);
	while (send(accepted, text, sizeof text, MSG_DONTWAIT) > 0)
		;
	assert_in_range(wire_bytes(accepted).waiting, 1, 8 * LIMIT_OUTPUT);
	close(accepted);
	close(client);
	close(listening);
}

static void test_gzip__packs_what_becomes_smaller(void **state)
{
	struct gzip_cache cache = { 0 };
	struct string packed;
	char text[4000], tag[GZIP_TAG], other[GZIP_TAG];
	(void)state;
	memset(text, 'a', sizeof text);
	assert_true(gzip_pack(text, sizeof text, &packed));
	assert_true(packed.length < 100 && memcmp(packed.data, "\x1f\x8b", 2) == 0);
	string_release(&packed);
	assert_false(gzip_pack("a", 1, &packed));
	gzip_tag(text, sizeof text, tag);
	gzip_tag(text, sizeof text - 1, other);
	assert_string_not_equal(tag, other);
	assert_true(etag_matches(tag, tag) && !etag_matches(other, tag));
	const struct string *first = gzip_shared(&cache, tag, text, sizeof text);
	assert_non_null(first);
	assert_ptr_equal(gzip_shared(&cache, tag, text, sizeof text), first);
	/* The oldest leaves when the cache is full. */
	for (int i = 1; i <= GZIP_KEPT; i++) {
		gzip_tag(text, sizeof text - (size_t)i, other);
		assert_non_null(gzip_shared(&cache, other, text, sizeof text - (size_t)i));
	}
	assert_string_not_equal(cache.kept[0].tag, tag);
	gzip_cache_release(&cache);
}

/* Who has gone is forgotten only when its tokens are back: to reconnect is no way around. */
static void test_limits__an_address_is_remembered(void **state)
{
	struct limits *limits = limits_new(1, 10000);
	struct limits_peer *peer = limits_connect(limits, "10.0.0.1");
	char address[LIMIT_ADDRESS];
	(void)state;
	while (limits_request(limits, peer->address, 0))
		;
	limits_disconnect(limits, peer);
	for (int i = 0; i < 10000; i++) {
		snprintf(address, sizeof address, "10.1.%d.%d", i / 250, i % 250);
		struct limits_peer *other = limits_connect(limits, address);
		assert_non_null(other);
		assert_true(limits_request(limits, other->address, 1));
		limits_disconnect(limits, other);
	}
	peer = limits_connect(limits, "10.0.0.1");
	assert_false(limits_request(limits, peer->address, 1));
	limits_free(limits);
}

static void test_limits__addresses_are_normal(void **state)
{
	struct sockaddr_in6 six = { .sin6_family = AF_INET6 };
	struct sockaddr_in four = { .sin_family = AF_INET };
	char address[LIMIT_ADDRESS];
	(void)state;
	inet_pton(AF_INET, "192.168.1.20", &four.sin_addr);
	limits_address(ip_of((struct sockaddr *)&four), address);
	assert_string_equal(address, "192.168.1.20");
	inet_pton(AF_INET6, "::ffff:192.168.1.20", &six.sin6_addr);
	limits_address(ip_of((struct sockaddr *)&six), address);
	assert_string_equal(address, "192.168.1.20");
	inet_pton(AF_INET6, "2001:db8:1:2:3:4:5:6", &six.sin6_addr);
	limits_address(ip_of((struct sockaddr *)&six), address);
	assert_string_equal(address, "2001:db8:1:2::/64");
}

static void test_assets__the_smallest_that_is_taken(void **state)
{
	static const char blob[] = "quevedo-page 2 3\n"
				   "/a.js text/javascript identity 0 5 5 \"i\"\n"
				   "/a.js text/javascript gzip 5 4 4 \"g\"\n"
				   "/a.js text/javascript br 9 3 3 \"b\"\n\nhellogzipbro";
	struct assets assets;
	(void)state;
	assert_true(assets_read(&assets, (const unsigned char *)blob, sizeof blob - 1));
	assert_string_equal(assets_find(&assets, "/a.js", "gzip, br")->tag, "\"b\"");
	assert_string_equal(assets_find(&assets, "/a.js", "gzip")->tag, "\"g\"");
	assert_memory_equal(assets_find(&assets, "/a.js", "gzip")->data, "gzip", 4);
	assert_string_equal(assets_find(&assets, "/a.js", "")->coding, "identity");
	assert_null(assets_find(&assets, "/b.js", "br"));
	assets_release(&assets);
	assert_false(assets_read(&assets, (const unsigned char *)blob, sizeof blob - 2));
}

static void test_assets__only_identity_is_unpacked(void **state)
{
	static const struct {
		const char *line;
		bool sound, packed;
	} cases[] = {
		{ "quevedo-page 2 1\n/a text/plain identity 0 4 9 \"i\"\n\ngzip", true, true },
		{ "quevedo-page 2 1\n/a text/plain identity 0 4 4 \"i\"\n\ngzip", true, false },
		{ "quevedo-page 2 1\n/a text/plain identity 0 4 3 \"i\"\n\ngzip", false, false },
		{ "quevedo-page 2 1\n/a text/plain gzip 0 4 9 \"i\"\n\ngzip", false, false },
		{ "quevedo-page 2 1\n/a text/plain identity 0 5 9 \"i\"\n\ngzip", false, false },
		{ "quevedo-page 1 1\n/a text/plain identity 0 4 \"i\"\n\ngzip", false, false },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *blob = cases[i].line;
		struct assets assets;
		assert_int_equal(assets_read(&assets, (const unsigned char *)blob, strlen(blob)),
				 cases[i].sound);
		if (cases[i].sound)
			assert_int_equal(asset_is_packed(assets_find(&assets, "/a", "")),
					 cases[i].packed);
		assets_release(&assets);
	}
}

/* Unpacks a file in pieces, as the server does, and checks it against its tag. */
static void check_unpacked(const struct asset *asset)
{
	static const char prefix[] = "identity ";
	unsigned char piece[32768], hash[crypto_hash_sha256_BYTES];
	char tag[40] = "\"";
	crypto_hash_sha256_state sha;
	struct gunzip *gunzip = gunzip_open(asset->data, asset->stored);
	assert_non_null(gunzip);
	crypto_hash_sha256_init(&sha);
	crypto_hash_sha256_update(&sha, (const unsigned char *)prefix, sizeof prefix - 1);
	for (size_t left = asset->size; left;) {
		const size_t size = left < sizeof piece ? left : sizeof piece;
		assert_true(gunzip_read(gunzip, piece, size));
		crypto_hash_sha256_update(&sha, piece, size);
		left -= size;
	}
	assert_false(gunzip_read(gunzip, piece, 1)); /* that was all */
	gunzip_close(gunzip);
	crypto_hash_sha256_final(&sha, hash);
	sodium_bin2hex(tag + 1, 33, hash, 16);
	strcat(tag, "\"");
	assert_string_equal(tag, asset->tag);
}

static void test_assets__the_one_built_in_is_whole(void **state)
{
	struct assets assets;
	size_t size, total = 0;
	const unsigned char *blob = page_blob(&size);
	(void)state;
	assert_true(assets_read(&assets, blob, size));
	if (assets.count)
		assert_non_null(assets_find(&assets, "/index.html", ""));
	for (size_t i = 0; i < assets.count; i++) {
		total += assets.list[i].size;
		if (asset_is_packed(&assets.list[i]))
			check_unpacked(&assets.list[i]);
	}
	/* Nothing large is stored as it is. */
	if (total > 1 << 20)
		assert_true(size < total / 2);
	assets_release(&assets);
}

static void test_gunzip__damaged_files_end(void **state)
{
	char text[4000];
	unsigned char out[sizeof text], damaged[sizeof text];
	struct string packed;
	(void)state;
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)('a' + i * i % 11);
	assert_true(gzip_pack(text, sizeof text, &packed));
	for (size_t i = 0; i <= packed.length; i++) {
		/* One byte differs; the last round changes none. */
		memcpy(damaged, packed.data, packed.length);
		if (i < packed.length)
			damaged[i] ^= 0x55;
		struct gunzip *gunzip = gunzip_open(damaged, packed.length);
		bool read = true;
		for (size_t at = 0; read && at < sizeof out; at += 500)
			read = gunzip_read(gunzip, out + at, 500);
		if (i == packed.length)
			assert_true(read && memcmp(out, text, sizeof text) == 0);
		gunzip_close(gunzip);
	}
	struct gunzip *gunzip = gunzip_open((const unsigned char *)packed.data, packed.length / 2);
	assert_false(gunzip_read(gunzip, out, sizeof out));
	gunzip_close(gunzip);
	gunzip_close(NULL);
	string_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path__is_decoded_or_refused),
		cmocka_unit_test(test_query__is_encoded_again),
		cmocka_unit_test(test_host__only_known_names),
		cmocka_unit_test(test_origin__the_host_or_an_allowed_one),
		cmocka_unit_test(test_headers__lengths_types_cookies_tokens),
		cmocka_unit_test(test_headers__codings_and_tags),
		cmocka_unit_test(test_json__depth_is_bounded),
		cmocka_unit_test(test_limits__connections_of_an_address),
		cmocka_unit_test(test_limits__requests_come_back_with_time),
		cmocka_unit_test(test_limits__files_are_counted_apart),
		cmocka_unit_test(test_limits__networks_of_a_site),
		cmocka_unit_test(test_limits__costs_are_owed),
		cmocka_unit_test(test_limits__bytes_of_files),
		cmocka_unit_test(test_limits__connections_in_a_row),
		cmocka_unit_test(test_limits__visitors_of_a_proxy),
		cmocka_unit_test(test_held__the_largest_of_an_address_ends),
		cmocka_unit_test(test_held__a_site_has_less_than_its_networks),
		cmocka_unit_test(test_held__of_all_the_largest_visitor_ends),
		cmocka_unit_test(test_held__counts_for_the_visitor_once_known),
		cmocka_unit_test(test_stall__counts_what_is_taken),
		cmocka_unit_test(test_output__is_bounded_by_the_system),
		cmocka_unit_test(test_gzip__packs_what_becomes_smaller),
		cmocka_unit_test(test_limits__an_address_is_remembered),
		cmocka_unit_test(test_limits__addresses_are_normal),
		cmocka_unit_test(test_assets__the_smallest_that_is_taken),
		cmocka_unit_test(test_assets__only_identity_is_unpacked),
		cmocka_unit_test(test_assets__the_one_built_in_is_whole),
		cmocka_unit_test(test_gunzip__damaged_files_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
