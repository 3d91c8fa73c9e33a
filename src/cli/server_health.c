/*
 * server_health.c - server health: asks a running server whether it is ready for visitors.
 * SPDX-License-Identifier: MIT
 *
 * For health checks of containers, which have no other program that could ask. Over https the
 * certificate is not checked: it is that of the public name, while the check asks the machine itself,
 * and sends no secret.
 */
#include <errno.h>
#include <netdb.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/server_health.h"

enum { PATIENCE_S = 5, HEALTH_HOST = 128, HEALTH_PORT = 8 };

/* "http[s]://HOST[:PORT][/]" */
static bool url_parse(const char *url, bool *secure, char host[HEALTH_HOST], char port[HEALTH_PORT])
{
	static const char scheme[] = "http", after[] = "://";
	if (strncmp(url, scheme, sizeof scheme - 1) != 0)
		return false;
	url += sizeof scheme - 1;
	*secure = *url == 's';
	url += *secure;
	if (strncmp(url, after, sizeof after - 1) != 0)
		return false;
	url += sizeof after - 1;
	const bool bracketed = *url == '[';
	url += bracketed;
	const size_t length = strcspn(url, bracketed ? "]" : ":/");
	if (!length || length >= HEALTH_HOST || (bracketed && url[length] != ']'))
		return false;
	snprintf(host, HEALTH_HOST, "%.*s", (int)length, url);
	url += length + bracketed;
	snprintf(port, HEALTH_PORT, *secure ? "443" : "80");
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

static const char request[] = "GET /api/v1/health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n";

/* The status in the first bytes of a response, or 0 without one. */
static int status_of(char *head, size_t size)
{
	int status = 0;
	head[size] = '\0';
	return sscanf(head, "HTTP/1.%*d %d", &status) == 1 ? status : 0;
}

/* The status of the response; 0: none came. */
static int ask(int fd)
{
	char head[256];
	size_t size = 0;
	if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != (ssize_t)sizeof request - 1)
		return 0;
	while (size < 12) {
		const ssize_t got = recv(fd, head + size, sizeof head - 1 - size, 0);
		if (got <= 0)
			return 0;
		size += (size_t)got;
	}
	return status_of(head, size);
}

/* The same over TLS. */
static int ask_secure(int fd)
{
	char head[256];
	size_t size = 0, got;
	SSL_CTX *context = SSL_CTX_new(TLS_client_method());
	SSL *ssl = context ? SSL_new(context) : NULL;
	bool good = ssl && SSL_set_fd(ssl, fd) == 1 && SSL_connect(ssl) == 1 &&
		    SSL_write(ssl, request, (int)sizeof request - 1) > 0;
	while (good && size < 12) {
		good = SSL_read_ex(ssl, head + size, sizeof head - 1 - size, &got) == 1;
		size += good ? got : 0;
	}
	SSL_free(ssl);
	SSL_CTX_free(context);
	return good ? status_of(head, size) : 0;
}

enum qv_status run_health(struct cli *c)
{
	const char *url = c->args.word_count > 2 ? c->args.words[2] : "http://127.0.0.1:8080";
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *address;
	char host[HEALTH_HOST], port[HEALTH_PORT];
	bool secure;
	if (!url_parse(url, &secure, host, port))
		return cli_refuse(c, "server health: '%.60s' is not http[s]://HOST:PORT",
				  cli_word(url));
	const int wrong = getaddrinfo(host, port, &hints, &address);
	if (wrong)
		return cli_refuse(c, "server health: %.60s: %s", cli_word(host),
				  gai_strerror(wrong));
	const int fd = connect_to(address);
	const int why = errno;
	freeaddrinfo(address);
	const int status = fd < 0 ? 0 : secure ? ask_secure(fd) : ask(fd);
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
