/*
 * wire_bytes.h - how many bytes have come and gone over a TCP connection.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_WIRE_BYTES_H
#define SERVER_HTTP_WIRE_BYTES_H

#include <stdbool.h>
#include <stdint.h>

struct wire {
	uint64_t came, taken; /* since it was opened; taken: what the other side has acknowledged */
	uint64_t waiting;     /* what the system still has for the other side, about */
};

/* All zero: not known. */
struct wire wire_bytes(int socket);

/* Since when the other side has taken nothing. */
struct stall {
	uint64_t taken;
	int64_t since_ms;
};

/*
 * Call it now and then. waits: is there output for the other side? Returns for how long it has taken
 * nothing, in ms. What it sends does not matter.
 */
int64_t stall_note(struct stall *stall, bool waits, uint64_t taken, int64_t now_ms);

#endif
