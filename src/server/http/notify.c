/*
 * notify.c - tells systemd how the server is.
 * SPDX-License-Identifier: MIT
 *
 * The protocol is one datagram of text to a Unix socket, which may be an abstract one ("@NAME").
 */
#include "server/http/notify.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

void notify_systemd(const char *state)
{
	const char *path = getenv("NOTIFY_SOCKET");
	struct sockaddr_un to = { .sun_family = AF_UNIX };
	if (!path || (*path != '/' && *path != '@') || strlen(path) >= sizeof to.sun_path)
		return;
	memcpy(to.sun_path, path, strlen(path));
	if (*path == '@')
		to.sun_path[0] = '\0';
	const int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	if (fd < 0)
		return;
	const size_t size = offsetof(struct sockaddr_un, sun_path) + strlen(path);
	/* systemd reads it at once; the event loop must not wait if it does not. */
	const ssize_t sent = sendto(fd, state, strlen(state), MSG_DONTWAIT | MSG_NOSIGNAL,
				    (const struct sockaddr *)&to, (socklen_t)size);
	(void)sent;
	close(fd);
}

void notify_reloading(void)
{
	struct timespec now;
	char state[64];
	clock_gettime(CLOCK_MONOTONIC, &now);
	snprintf(state, sizeof state, "RELOADING=1\nMONOTONIC_USEC=%lld",
		 now.tv_sec * 1000000LL + now.tv_nsec / 1000);
	notify_systemd(state);
}

int64_t notify_watchdog_ms(void)
{
	const char *interval = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");
	if (!interval || (pid && atoll(pid) != (long long)getpid()))
		return 0;
	const long long us = atoll(interval);
	return us > 0 ? us / 1000 : 0;
}
