/*
 * peer.h - stream sockets by address: HOST:PORT, or the path of a Unix socket.
 * SPDX-License-Identifier: MIT
 *
 * As for GNU Backgammon, an address with a slash or without a colon is a path. An empty host means
 * all interfaces for a listener and this machine for a connection. All descriptors are closed on
 * exec. Errors name the address.
 */
#ifndef PROGRAMS_PEER_H
#define PROGRAMS_PEER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "quevedo.h"

enum {
	PEER_ADDRESS = 300, /* bytes of an address, NUL included */
	PEER_LOOK_MS =
		1000, /* how often to look at a flag, in case its signal came before a wait */
};

/* Connects by that time (of clock_us); the descriptor does not block. -1: failed. */
int peer_connect(const char *address, int64_t until_us, struct qv_error *error);

struct peer_listener {
	int fd;
	char bound[PEER_ADDRESS]; /* the address, with the port that it got if that was 0 */
	/* A Unix socket: its file. */
	bool has_file;
	dev_t device;
	ino_t inode;
};

/*
 * Opens a listener. A path must not exist, unless it is a socket that nobody listens on. False:
 * failed.
 */
bool peer_listen(const char *address, struct peer_listener *out, struct qv_error *error);
/* Closes it. The file of a Unix socket is removed, unless it was replaced by another. */
void peer_listener_release(struct peer_listener *l);

/* Waits for the next connection, whose descriptor blocks. -1: failed, or `stop` was set. */
int peer_accept(const struct peer_listener *l, const struct qv_flag *stop, struct qv_error *error);

#endif
