/*
 * net_file.c - chess: reads and writes the weights of the net as a file.
 * SPDX-License-Identifier: MIT
 *
 * The file is a line with its format and shape, blanks up to CHESS_NET_HEAD bytes, then struct
 * chess_net as it is in memory, little-endian. The reader checks bounds, so that no position can
 * overflow a sum.
 */
#include "games/chess/net.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read and written as they are");

static const char title[] = "quevedo-chess-net ";

/* Writes the CHESS_NET_HEAD bytes before the weights. */
static void put_head(char *out)
{
	char line[CHESS_NET_HEAD];
	const int length =
		snprintf(line, sizeof line, "%s2 areas=%d size=%d stages=%d\n", title,
			 (int)CHESS_NET_AREAS, (int)CHESS_NET_SIZE, (int)CHESS_NET_STAGES);
	memset(out, ' ', CHESS_NET_HEAD);
	memcpy(out, line, (size_t)length);
}

void chess_net_write(const struct chess_net *net, char *out)
{
	put_head(out);
	memcpy(out + CHESS_NET_HEAD, net, sizeof *net);
}

/* Whether all numbers are from -most to most. */
static bool within(const int16_t *list, size_t count, int most)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] > most || list[i] < -most)
			return false;
	return true;
}

enum qv_status chess_net_read(const char *data, size_t size, void *weights, struct qv_error *error)
{
	enum { BASE_MOST = 1 << 24, CURVE_MOST = 10000, TITLE = sizeof title - 1 };
	struct chess_net *net = weights;
	char head[CHESS_NET_HEAD];
	put_head(head);
	if (size < CHESS_NET_HEAD || memcmp(data, title, TITLE) != 0)
		return qv_fail(error, QV_BAD_INPUT, "weights: not a chess net");
	if (memcmp(data, head, sizeof head) != 0) {
		/* Show the shape of each: the printable characters after the title. */
		int there = TITLE, here = TITLE;
		while (there < CHESS_NET_HEAD && data[there] >= ' ' && data[there] <= '~')
			there++;
		while (head[here] != '\n')
			here++;
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: a chess net of another shape: '%.*s' instead of '%.*s'",
			       there - TITLE, data + TITLE, here - TITLE, head + TITLE);
	}
	if (size != CHESS_NET_FILE)
		return qv_fail(error, QV_BAD_INPUT, "weights: %zu bytes, but a net has %zu", size,
			       (size_t)CHESS_NET_FILE);
	memcpy(net, data + CHESS_NET_HEAD, sizeof *net);
	/* Within these bounds no position can overflow the sums. */
	bool sound =
		within(net->rows[0], sizeof net->rows / sizeof(int16_t), CHESS_NET_ROW_MOST) &&
		within(net->empty, CHESS_NET_SIZE, CHESS_NET_ROW_MOST) &&
		within(net->outs[0][0], sizeof net->outs / sizeof(int16_t), CHESS_NET_OUT_MOST);
	for (int i = 0; i < CHESS_NET_STAGES; i++)
		sound &= net->base[i] <= BASE_MOST && net->base[i] >= -BASE_MOST &&
			 net->curve[i] >= 1 && net->curve[i] <= CURVE_MOST;
	if (!sound)
		return qv_fail(error, QV_BAD_INPUT, "weights: a weight is out of range");
	return QV_OK;
}
