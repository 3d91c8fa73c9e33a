/*
 * server_http.c - fuzz target: any bytes as what a client sends to the web server: HTTP, and after an upgrade frames of a WebSocket.
 * The server answers with HTTP or closes the connection, and goes on.
 * SPDX-License-Identifier: MIT
 *
 * The server runs in a thread of its own, as `quevedo serve` runs it. What follows the head of an upgrade is sent when the
 * answer is there.
 */
#define _GNU_SOURCE /* for memmem */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>

#include "fuzz/host.h"
#include "fuzz/work.h"
#include "server/http/web.h"

enum { SHORT_MS = 2, LONG_MS = 20, MOST_READ = 1 << 20 };

static struct served {
	char folder[64];
	pthread_t thread;
	pthread_mutex_t guard;
	pthread_cond_t news;
	int port; /* 0: not yet */
	unsigned inputs;
} served = { .guard = PTHREAD_MUTEX_INITIALIZER, .news = PTHREAD_COND_INITIALIZER };

/* In the server's thread, whose work counts. */
static enum qv_status on_ready(void *ctx, const char *url, const char *imcs, int metrics_port, struct qv_error *error)
{
	(void)ctx, (void)imcs, (void)metrics_port, (void)error;
	pthread_mutex_lock(&served.guard);
	served.port = atoi(strrchr(url, ':') + 1);
	pthread_cond_signal(&served.news);
	pthread_mutex_unlock(&served.guard);
	work_join();
	return QV_OK;
}

static void *serve(void *ctx)
{
	struct qv_error error = { "" };
	const struct web_setup setup = { .host = "127.0.0.1", .imcs_port = -1, .metrics_port = -1, .ready = on_ready,
					 .api = { .context = ctx, .data = served.folder, .workers = 1,
						  .hash_mb = 1, .per_address = 1000000 } };
	fuzz_require(web_run(&setup, &error) == QV_OK);
	return NULL;
}

static void stop(void)
{
	kill(getpid(), SIGTERM);
	pthread_join(served.thread, NULL);
	fuzz_folder_remove(served.folder);
}

static void start(void)
{
	fuzz_folder_make(served.folder);
	fuzz_use_own_random();
	fuzz_require(pthread_create(&served.thread, NULL, serve, (void *)(uintptr_t)fuzz_games()) == 0);
	pthread_mutex_lock(&served.guard);
	while (!served.port)
		pthread_cond_wait(&served.news, &served.guard);
	pthread_mutex_unlock(&served.guard);
	atexit(stop);
}

/*
 * Each input comes from another address, so that limits and old connections do not matter. -1: the system has no room for one
 * more just now; a server that has ended is a finding.
 */
static int connect_to_it(void)
{
	struct sockaddr_in from = { .sin_family = AF_INET }, to = from;
	const int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
	served.inputs++;
	from.sin_addr.s_addr = htonl(0x7f000001 + served.inputs % 60000);
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	to.sin_port = htons((uint16_t)served.port);
	if (fd < 0)
		return -1;
	bind(fd, (struct sockaddr *)&from, sizeof from);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0)
		return fd;
	fuzz_require(errno != ECONNREFUSED);
	close(fd);
	return -1;
}

/* Reads until nothing comes for so long; false: the server has closed the connection. */
static bool read_answer(int fd, int wait_ms, bool *any)
{
	char buffer[16384];
	size_t total = 0;
	for (;;) {
		struct pollfd one = { .fd = fd, .events = POLLIN };
		if (poll(&one, 1, wait_ms) <= 0)
			return true;
		const ssize_t got = recv(fd, buffer, sizeof buffer, MSG_DONTWAIT);
		if (got <= 0)
			return false;
		if (!*any)
			fuzz_require(got < 7 || memcmp(buffer, "HTTP/1.", 7) == 0);
		*any = true;
		if ((total += (size_t)got) > MOST_READ)
			return false; /* the page is enough once */
	}
}

/* The server may close while it is being written to. */
static bool send_all(int fd, const uint8_t *data, size_t size)
{
	while (size) {
		const ssize_t sent = send(fd, data, size, MSG_NOSIGNAL);
		if (sent <= 0)
			return false;
		data += sent;
		size -= (size_t)sent;
	}
	return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool any = false;
	if (!served.port)
		start();
	const int fd = connect_to_it();
	if (fd < 0)
		return 0;
	const uint8_t *end = memmem(data, size, "\r\n\r\n", 4);
	const size_t head = end && memmem(data, (size_t)(end - data), "Upgrade", 7) ?
				    (size_t)(end - data) + 4 : size;
	bool open = send_all(fd, data, head) && read_answer(fd, SHORT_MS, &any);
	if (open && head < size)
		open = send_all(fd, data + head, size - head) && read_answer(fd, SHORT_MS, &any);
	if (open) {
		shutdown(fd, SHUT_WR);
		read_answer(fd, LONG_MS, &any);
	}
	close(fd);
	return 0;
}
