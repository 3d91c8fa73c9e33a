/*
 * net_file.c - chess: the net's weights as a file: a line that says what it is, blanks up to
 * CHESS_NET_HEAD bytes, then struct chess_net as it lies in memory, lowest bytes first.
 * SPDX-License-Identifier: MIT
 */
#include "games/chess/net.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read and written as they are");

static const char title[] = "quevedo-chess-net 1\n";

void chess_net_write(const struct chess_net *net, char *out)
{
	memset(out, ' ', CHESS_NET_HEAD);
	memcpy(out, title, sizeof title - 1);
	memcpy(out + CHESS_NET_HEAD, net, sizeof *net);
}

static bool within(const int16_t *list, size_t count, int most)
{
	for (size_t i = 0; i < count; i++)
		if (list[i] > most || list[i] < -most)
			return false;
	return true;
}

/* No position's sums can leave their types then. */
static bool is_sound(const struct chess_net *net)
{
	enum { BASE_MOST = 1 << 24, CURVE_MOST = 10000 };
	for (int i = 0; i < CHESS_NET_STAGES; i++)
		if (net->base[i] > BASE_MOST || net->base[i] < -BASE_MOST || net->curve[i] < 1 ||
		    net->curve[i] > CURVE_MOST)
			return false;
	return within(net->rows[0], sizeof net->rows / sizeof(int16_t), CHESS_NET_ROW_MOST) &&
	       within(net->empty, CHESS_NET_SIZE, CHESS_NET_ROW_MOST) &&
	       within(net->outs[0][0], sizeof net->outs / sizeof(int16_t), CHESS_NET_OUT_MOST);
}

enum qv_status chess_net_read(const char *data, size_t size, void *weights, struct qv_error *error)
{
	struct chess_net *net = weights;
	if (size < CHESS_NET_HEAD || memcmp(data, title, sizeof title - 1) != 0)
		return qv_fail(error, QV_BAD_INPUT, "weights: no net of chess, version 1");
	if (size != CHESS_NET_FILE)
		return qv_fail(error, QV_BAD_INPUT, "weights: %zu bytes, where a net has %zu", size,
			       (size_t)CHESS_NET_FILE);
	memcpy(net, data + CHESS_NET_HEAD, sizeof *net);
	if (!is_sound(net))
		return qv_fail(error, QV_BAD_INPUT, "weights: a number is out of its bounds");
	return QV_OK;
}
