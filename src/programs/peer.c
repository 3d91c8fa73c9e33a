/*
 * peer.c - stream sockets by address.
 * SPDX-License-Identifier: MIT
 */
#define _GNU_SOURCE /* accept4, and close on exec at once */
#include "programs/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/flag.h"

enum { QUEUE = 8 }; /* connections that wait to be accepted */

/* The parts of an address; a path has no port. */
struct parts {
	char host[PEER_ADDRESS];
	const char *port;
};

static bool split(const char *address, struct parts *out, struct qv_error *error)
{
	char *colon = NULL;
	if (!*address || strlen(address) >= sizeof out->host) {
		qv_fail(error, QV_BAD_INPUT, "'%.40s': expected HOST:PORT or a path", address);
		return false;
	}
	memcpy(out->host, address, strlen(address) + 1);
	if (!strchr(out->host, '/'))
		colon = strrchr(out->host, ':');
	if (colon)
		*colon = '\0';
	out->port = colon ? colon + 1 : NULL;
	return true;
}

static int fail(struct qv_error *error, const char *address, const char *why)
{
	qv_fail(error, QV_IO, "%.100s: %.100s", address, why);
	return -1;
}

/* An empty host is NULL for getaddrinfo. */
static struct addrinfo *look_up(const struct parts *parts, int family, int flags,
				const char *address, struct qv_error *error)
{
	const struct addrinfo hints = { .ai_family = family,
					.ai_socktype = SOCK_STREAM,
					.ai_flags = flags };
	struct addrinfo *list = NULL;
	/* getaddrinfo would take the last 16 bits of a larger number. */
	if (strtoll(parts->port, NULL, 10) > 65535) {
		fail(error, address, "the port must be at most 65535");
		return NULL;
	}
	const int wrong =
		getaddrinfo(*parts->host ? parts->host : NULL, parts->port, &hints, &list);
	if (wrong)
		fail(error, address, gai_strerror(wrong));
	return wrong ? NULL : list;
}

static bool set_path(struct sockaddr_un *to, const char *path, struct qv_error *error)
{
	*to = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof to->sun_path) {
		fail(error, path, "the path is too long for a socket");
		return false;
	}
	memcpy(to->sun_path, path, strlen(path) + 1);
	return true;
}

/* ---- Connecting ---- */

/* Returns a descriptor, or -1 with the reason in errno. */
static int connect_to(int family, const struct sockaddr *to, socklen_t size, int64_t until_us)
{
	const int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	int failed = connect(fd, to, size) == 0 ? 0 : errno;
	if (failed == EINPROGRESS) {
		struct pollfd wait = { fd, POLLOUT, 0 };
		const int64_t left_ms = (until_us - clock_us()) / 1000;
		socklen_t length = sizeof failed;
		failed = ETIMEDOUT;
		if (poll(&wait, 1, left_ms < 0 ? 0 : left_ms > 60000 ? 60000 : (int)left_ms) > 0)
			getsockopt(fd, SOL_SOCKET, SO_ERROR, &failed, &length);
	}
	if (!failed) {
		const int on = 1;
		if (family != AF_UNIX)
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		return fd;
	}
	close(fd);
	errno = failed;
	return -1;
}

int peer_connect(const char *address, int64_t until_us, struct qv_error *error)
{
	struct parts parts;
	struct sockaddr_un path;
	int fd = -1;
	if (!split(address, &parts, error))
		return -1;
	if (!parts.port) {
		if (!set_path(&path, address, error))
			return -1;
		fd = connect_to(AF_UNIX, (const struct sockaddr *)&path, sizeof path, until_us);
		return fd >= 0 ? fd : fail(error, address, strerror(errno));
	}
	struct addrinfo *list = look_up(&parts, AF_UNSPEC, 0, address, error);
	if (!list)
		return -1;
	for (const struct addrinfo *at = list; at && fd < 0; at = at->ai_next)
		fd = connect_to(at->ai_family, at->ai_addr, at->ai_addrlen, until_us);
	const int why = errno;
	freeaddrinfo(list);
	return fd >= 0 ? fd : fail(error, address, strerror(why));
}

/* ---- Listening ---- */

static int listen_at(int family, const struct sockaddr *at, socklen_t size)
{
	const int on = 1, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	if (bind(fd, at, size) == 0 && listen(fd, QUEUE) == 0)
		return fd;
	const int why = errno;
	close(fd);
	errno = why;
	return -1;
}

/* A socket that refuses connections was left behind by a program that has ended. */
static int listen_at_path(const char *path, struct qv_error *error)
{
	struct sockaddr_un to;
	struct stat found;
	if (!set_path(&to, path, error))
		return -1;
	const struct sockaddr *at = (const struct sockaddr *)&to;
	int fd = listen_at(AF_UNIX, at, sizeof to);
	if (fd < 0 && errno == EADDRINUSE && lstat(path, &found) == 0 && S_ISSOCK(found.st_mode)) {
		const int other = connect_to(AF_UNIX, at, sizeof to, 0);
		const bool unused = other < 0 && errno == ECONNREFUSED;
		if (other >= 0)
			close(other);
		if (unused && unlink(path) == 0)
			fd = listen_at(AF_UNIX, at, sizeof to);
		else
			errno = EADDRINUSE;
	}
	return fd >= 0 ? fd : fail(error, path, strerror(errno));
}

/* Remembers which file the path is now. */
static void note_file(struct peer_listener *l)
{
	struct stat found;
	l->has_file = lstat(l->bound, &found) == 0 && S_ISSOCK(found.st_mode);
	if (l->has_file) {
		l->device = found.st_dev;
		l->inode = found.st_ino;
	}
}

bool peer_listen(const char *address, struct peer_listener *out, struct qv_error *error)
{
	struct parts parts;
	int fd = -1;
	*out = (struct peer_listener){ .fd = -1 };
	if (!split(address, &parts, error))
		return false;
	snprintf(out->bound, sizeof out->bound, "%s", address);
	if (!parts.port) {
		out->fd = listen_at_path(address, error);
		if (out->fd >= 0)
			note_file(out);
		return out->fd >= 0;
	}
	/* IPv4 first: GNU Backgammon connects to nothing else. */
	struct addrinfo *list = look_up(&parts, AF_INET, AI_PASSIVE, address, error);
	if (!list)
		list = look_up(&parts, AF_INET6, AI_PASSIVE, address, error);
	if (!list)
		return false;
	for (const struct addrinfo *at = list; at && fd < 0; at = at->ai_next)
		fd = listen_at(at->ai_family, at->ai_addr, at->ai_addrlen);
	const int why = errno;
	freeaddrinfo(list);
	if (fd < 0) {
		fail(error, address, strerror(why));
		return false;
	}
	struct sockaddr_storage got;
	socklen_t size = sizeof got;
	char port[8] = "";
	if (getsockname(fd, (struct sockaddr *)&got, &size) == 0 &&
	    getnameinfo((const struct sockaddr *)&got, size, NULL, 0, port, sizeof port,
			NI_NUMERICSERV) == 0)
		snprintf(out->bound, sizeof out->bound, "%.*s:%s", PEER_ADDRESS - 10, parts.host,
			 port);
	out->fd = fd;
	return true;
}

void peer_listener_release(struct peer_listener *l)
{
	struct stat found;
	if (l->fd >= 0)
		close(l->fd);
	if (l->has_file && lstat(l->bound, &found) == 0 && S_ISSOCK(found.st_mode) &&
	    found.st_dev == l->device && found.st_ino == l->inode)
		unlink(l->bound);
	*l = (struct peer_listener){ .fd = -1 };
}

int peer_accept(const struct peer_listener *l, const struct qv_flag *stop, struct qv_error *error)
{
	struct pollfd ready = { l->fd, POLLIN, 0 };
	for (;;) {
		if (flag_is_set(stop))
			return fail(error, l->bound, "stopped");
		if (poll(&ready, 1, PEER_LOOK_MS) <= 0)
			continue;
		const int on = 1, fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
		if (fd >= 0) {
			/* Fails for a Unix socket, which does not need it. */
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
			return fd;
		}
		if (errno != EINTR && errno != ECONNABORTED)
			return fail(error, "accept", strerror(errno));
	}
}
