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

#include <stddef.h>
#include <stdint.h>

#include "quevedo.h"

enum { PEER_ADDRESS = 300 }; /* bytes of an address, NUL included */

/* Connects by that time (of clock_us); the descriptor does not block. -1: failed. */
int peer_connect(const char *address, int64_t until_us, struct qv_error *error);

/*
 * Opens a listener and writes its address, with the port that it got if that was 0. A path must not
 * exist, unless it is a socket that nobody listens on. -1: failed.
 */
int peer_listen(const char *address, char bound[PEER_ADDRESS], struct qv_error *error);

/* Waits for the next connection, whose descriptor blocks. -1: failed. */
int peer_accept(int listener, struct qv_error *error);

#endif
