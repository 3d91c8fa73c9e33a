/*
 * held_bytes.h - memory that connections make the server hold: output that waits, input that is not
 * complete, requests without a response.
 * SPDX-License-Identifier: MIT
 *
 * It is bounded for each address, for each site (limits.h) and in all. Where a bound is exceeded the
 * largest holder within it is ended, and then the next one; for the bound of all, the largest holder
 * of the address or site that holds the most. For one thread.
 */
#ifndef SERVER_API_HELD_BYTES_H
#define SERVER_API_HELD_BYTES_H

#include "server/api/limits.h"

enum {
	HELD_ADDRESS = 16 << 20, /* of one address, before scaling */
	HELD_SITE = 4,		 /* a site may have as much as so many addresses */
	HELD_ALL = 256 << 20,
};

/* What one connection holds. */
struct holder {
	struct limits_peer *peer; /* NULL: not known yet, so it counts for the bound of all only */
	size_t bytes;
	bool ended;	     /* it counts no more, and is about to be closed */
	struct holder *next, **link;
};

struct held_bytes {
	size_t address, site, all; /* the bounds */
	size_t total;
	struct holder *first;
	/* Closes the connection of the holder, soon: not from inside. */
	void (*end)(void *ctx, struct holder *holder);
	void *ctx;
};

/* Everything else must be zero. scale: as for limits_new. */
void held_open(struct held_bytes *held, int scale);
/* The holder must be zero. The peer must outlive it, or holder_move. */
void holder_open(struct held_bytes *held, struct holder *holder, struct limits_peer *peer);
/* Its bytes count for another peer from now on. */
void holder_move(struct held_bytes *held, struct holder *holder, struct limits_peer *peer);
/* It holds so many bytes now. This may end it, or others. */
void holder_set(struct held_bytes *held, struct holder *holder, size_t bytes);
void holder_close(struct held_bytes *held, struct holder *holder); /* it may be zero */

#endif
