/*
 * wire_bytes.c - how many bytes have come and gone over a TCP connection.
 * SPDX-License-Identifier: MIT
 *
 * In a file of its own, because the headers of Linux and of the C library define the same names and
 * only the former has the fields.
 */
#include "server/http/wire_bytes.h"

#include <linux/tcp.h>
#include <stddef.h>
#include <sys/socket.h>

enum { TCP_PROTOCOL = 6 }; /* IPPROTO_TCP */

struct wire wire_bytes(int socket)
{
	struct tcp_info info = { 0 };
	socklen_t size = sizeof info;
	if (getsockopt(socket, TCP_PROTOCOL, TCP_INFO, &info, &size) != 0 ||
	    size < offsetof(struct tcp_info, tcpi_notsent_bytes) + sizeof info.tcpi_notsent_bytes)
		return (struct wire){ 0 };
	return (struct wire){ .came = info.tcpi_bytes_received,
			      .taken = info.tcpi_bytes_acked,
			      .waiting = (uint64_t)info.tcpi_unacked * info.tcpi_snd_mss +
					 info.tcpi_notsent_bytes };
}

int64_t stall_note(struct stall *stall, bool waits, uint64_t taken, int64_t now_ms)
{
	if (!waits || taken != stall->taken)
		*stall = (struct stall){ taken, now_ms };
	return now_ms - stall->since_ms;
}
