/*
 * server_health.c - server health: asks a running server whether it is ready for visitors.
 * SPDX-License-Identifier: MIT
 *
 * For health checks of containers, which have no other program that could ask.
 */
#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/server_health.h"

enum { PATIENCE_S = 5, HEALTH_HOST = 128, HEALTH_PORT = 8 };

/* "http://HOST[:PORT][/]" */
static bool url_parse(const char *url, char host[HEALTH_HOST], char port[HEALTH_PORT])
{
	static const char scheme[] = "http://";
	if (strncmp(url, scheme, sizeof scheme - 1) != 0)
		return false;
	url += sizeof scheme - 1;
	const bool bracketed = *url == '[';
	url += bracketed;
	const size_t length = strcspn(url, bracketed ? "]" : ":/");
	if (!length || length >= HEALTH_HOST || (bracketed && url[length] != ']'))
		return false;
	snprintf(host, HEALTH_HOST, "%.*s", (int)length, url);
	url += length + bracketed;
	snprintf(port, HEALTH_PORT, "80");
	if (*url == ':') {
		const size_t digits = strspn(url + 1, "0123456789");
		if (!digits || digits >= HEALTH_PORT)
			return false;
		snprintf(port, HEALTH_PORT, "%.*s", (int)digits, url + 1);
		url += 1 + digits;
	}
	return !*url || strcmp(url, "/") == 0;
}

/* A connection that gives up after PATIENCE_S; -1: errno says why. */
static int connect_to(const struct addrinfo *address)
{
	const struct timeval patience = { .tv_sec = PATIENCE_S };
	const int fd = socket(address->ai_family, SOCK_STREAM, 0);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
	if (connect(fd, address->ai_addr, address->ai_addrlen) == 0)
		return fd;
	const int why = errno;
	close(fd);
	errno = why;
	return -1;
}

/* The status of the response; 0: none came. */
static int ask(int fd)
{
	static const char request[] = "GET /api/v1/health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n";
	char head[256];
	size_t size = 0;
	int status = 0;
	if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
		return 0;
	while (size < 12) {
		const ssize_t got = recv(fd, head + size, sizeof head - 1 - size, 0);
		if (got <= 0)
			return 0;
		size += (size_t)got;
	}
	head[size] = '\0';
	return sscanf(head, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

enum qv_status run_health(struct cli *c)
{
	const char *url = c->args.word_count > 2 ? c->args.words[2] : "http://127.0.0.1:8080";
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *address;
	char host[HEALTH_HOST], port[HEALTH_PORT];
	if (!url_parse(url, host, port))
		return cli_refuse(c, "server health: '%.60s' is not http://HOST:PORT", cli_word(url));
	const int wrong = getaddrinfo(host, port, &hints, &address);
	if (wrong)
		return cli_refuse(c, "server health: %.60s: %s", cli_word(host),
				  gai_strerror(wrong));
	const int fd = connect_to(address);
	const int why = errno;
	freeaddrinfo(address);
	const int status = fd >= 0 ? ask(fd) : 0;
	if (fd >= 0)
		close(fd);
	c->answer_is_no = status != 200;
	const char *text = status == 200   ? "ready"
			   : status	   ? "not ready"
			   : fd >= 0	   ? "no response"
					   : strerror(why);
	if (c->args.json)
		return cli_json(c, json_fields(json_object(), "url", json_text(url), "ready",
					       json_boolean(status == 200), "status",
					       json_integer(status), NULL));
	string_addf(&c->out, "%s\n", text);
	return QV_OK;
}
