/*
 * wire_bytes.c - how many bytes have come over a TCP connection.
 * SPDX-License-Identifier: MIT
 *
 * In a file of its own, because the headers of Linux and of the C library define the same names and
 * only the former has the field.
 */
#include "server/http/wire_bytes.h"

#include <linux/tcp.h>
#include <stddef.h>
#include <sys/socket.h>

enum { TCP_PROTOCOL = 6 }; /* IPPROTO_TCP */

uint64_t wire_bytes(int socket)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof info;
	if (getsockopt(socket, TCP_PROTOCOL, TCP_INFO, &info, &size) != 0 ||
	    size < offsetof(struct tcp_info, tcpi_bytes_received) + sizeof(uint64_t))
		return 0;
	return info.tcpi_bytes_received;
}
