/*
 * wire_bytes.h - how many bytes have come over a TCP connection.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_WIRE_BYTES_H
#define SERVER_HTTP_WIRE_BYTES_H

#include <stdint.h>

/* Since it was opened; 0: not known. */
uint64_t wire_bytes(int socket);

#endif
