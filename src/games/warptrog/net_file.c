/*
 * net_file.c - Warp Trog: reads and writes the weights of the net as a file.
 * SPDX-License-Identifier: MIT
 *
 * The file is a line with its format and shape, blanks up to WARPTROG_NET_HEAD bytes, then struct
 * warptrog_net as it is in memory, little-endian.
 */
#include "games/warptrog/net.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read and written as they are");

static const char title[] = "quevedo-warptrog-net ";

/* Writes the bytes before the weights. */
static void put_head(char *out)
{
	char line[WARPTROG_NET_HEAD];
	const int length = snprintf(line, sizeof line, "%s1 rows=%d hidden=%d\n", title,
				    (int)WARPTROG_ROWS, (int)WARPTROG_HIDDEN);
	memset(out, ' ', WARPTROG_NET_HEAD);
	memcpy(out, line, (size_t)length);
}

void warptrog_net_write(const struct warptrog_net *net, char *out)
{
	put_head(out);
	memcpy(out + WARPTROG_NET_HEAD, net, sizeof *net);
}

enum qv_status warptrog_net_read(const char *data, size_t size, void *out, struct qv_error *error)
{
	enum { TITLE = sizeof title - 1 };
	char head[WARPTROG_NET_HEAD];
	struct warptrog_net *net = out;
	put_head(head);
	if (size < WARPTROG_NET_HEAD || memcmp(data, title, TITLE) != 0)
		return qv_fail(error, QV_BAD_INPUT, "weights: not a net of Warp Trog");
	if (memcmp(data, head, sizeof head) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: a net of Warp Trog of another format or shape");
	if (size != WARPTROG_NET_FILE)
		return qv_fail(error, QV_BAD_INPUT, "weights: %zu bytes, but the net has %zu", size,
			       (size_t)WARPTROG_NET_FILE);
	memcpy(net, data + WARPTROG_NET_HEAD, sizeof *net);
	const int16_t *outs = &net->out[0][0][0][0][0];
	for (size_t i = 0; i < sizeof net->out / sizeof *outs; i++)
		if (outs[i] < -WARPTROG_OUT_MOST || outs[i] > WARPTROG_OUT_MOST)
			return qv_fail(error, QV_BAD_INPUT, "weights: a weight is out of range");
	return QV_OK;
}
