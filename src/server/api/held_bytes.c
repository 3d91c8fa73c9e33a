/*
 * held_bytes.c - memory that connections make the server hold.
 * SPDX-License-Identifier: MIT
 *
 * The largest holder is found by looking at all of them. Each search ends a connection, so nobody
 * can cause more of them than connections.
 */
#include "server/api/held_bytes.h"

void held_open(struct held_bytes *held, int scale)
{
	held->address = (size_t)HELD_ADDRESS * (size_t)scale;
	held->site = HELD_SITE * held->address;
	held->all = HELD_ALL;
}

/* Adds the bytes of the holder to its peer, its site and all, or takes them away. */
static void count(struct held_bytes *held, const struct holder *h, bool add)
{
	const size_t bytes = add ? h->bytes : 0 - h->bytes; /* wraps around, and back */
	held->total += bytes;
	for (struct limits_peer *peer = h->peer; peer; peer = peer->site)
		peer->held += bytes;
}

/* What the address or site of a holder holds. */
static size_t group_bytes(const struct holder *h)
{
	return !h->peer ? 0 : h->peer->site ? h->peer->site->held : h->peer->held;
}

/* whose: of which peer or site; NULL: of all. */
static struct holder *find_largest(const struct held_bytes *held, const struct limits_peer *whose)
{
	struct holder *largest = NULL;
	size_t most = 0;
	for (struct holder *h = held->first; h; h = h->next) {
		const bool counts = !whose ||
				    (h->peer && (h->peer == whose || h->peer->site == whose));
		const size_t group = whose ? 0 : group_bytes(h);
		if (!counts || !h->bytes ||
		    (largest && (group < most || (group == most && h->bytes <= largest->bytes))))
			continue;
		largest = h;
		most = group;
	}
	return largest;
}

static void end_largest(struct held_bytes *held, const struct limits_peer *whose)
{
	struct holder *h = find_largest(held, whose);
	count(held, h, false);
	h->bytes = 0;
	h->ended = true;
	held->end(held->ctx, h);
}

void holder_set(struct held_bytes *held, struct holder *h, size_t bytes)
{
	if (h->ended)
		return;
	count(held, h, false);
	h->bytes = bytes;
	count(held, h, true);
	while (h->peer && h->peer->held > held->address)
		end_largest(held, h->peer);
	while (h->peer && h->peer->site && h->peer->site->held > held->site)
		end_largest(held, h->peer->site);
	while (held->total > held->all)
		end_largest(held, NULL);
}

void holder_open(struct held_bytes *held, struct holder *h, struct limits_peer *peer)
{
	h->peer = peer;
	h->link = &held->first;
	h->next = held->first;
	if (h->next)
		h->next->link = &h->next;
	held->first = h;
}

void holder_move(struct held_bytes *held, struct holder *h, struct limits_peer *peer)
{
	count(held, h, false);
	h->peer = peer;
	count(held, h, true);
}

void holder_close(struct held_bytes *held, struct holder *h)
{
	if (!h->link)
		return;
	count(held, h, false);
	*h->link = h->next;
	if (h->next)
		h->next->link = h->link;
	*h = (struct holder){ 0 };
}
