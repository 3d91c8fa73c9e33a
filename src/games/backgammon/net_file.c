/*
 * net_file.c - backgammon: reads and writes the weights of the nets as a file.
 * SPDX-License-Identifier: MIT
 *
 * The file is a line with its format and shape, blanks up to BACKGAMMON_NET_HEAD bytes, then struct
 * backgammon_nets as it is in memory, little-endian. The reader checks bounds, so that every
 * position has a finite value.
 */
#include "games/backgammon/net.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read and written as they are");

static const char title[] = "quevedo-backgammon-nets ";

/* Writes the bytes before the weights. */
static void put_head(char *out)
{
	char line[BACKGAMMON_NET_HEAD];
	const int length = snprintf(line, sizeof line, "%s1 inputs=%d hidden=%d\n", title,
				    (int)BACKGAMMON_INPUTS, (int)BACKGAMMON_HIDDEN);
	memset(out, ' ', BACKGAMMON_NET_HEAD);
	memcpy(out, line, (size_t)length);
}

void backgammon_nets_write(const struct backgammon_nets *nets, char *out)
{
	put_head(out);
	memcpy(out + BACKGAMMON_NET_HEAD, nets, sizeof *nets);
}

enum qv_status backgammon_nets_read(const char *data, size_t size, void *nets,
				    struct qv_error *error)
{
	enum { TITLE = sizeof title - 1, MOST = 1000 };
	char head[BACKGAMMON_NET_HEAD];
	float *weights = nets;
	put_head(head);
	if (size < BACKGAMMON_NET_HEAD || memcmp(data, title, TITLE) != 0)
		return qv_fail(error, QV_BAD_INPUT, "weights: not nets of backgammon");
	if (memcmp(data, head, sizeof head) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: nets of backgammon of another format or shape");
	if (size != BACKGAMMON_NET_FILE)
		return qv_fail(error, QV_BAD_INPUT, "weights: %zu bytes, but the nets have %zu",
			       size, (size_t)BACKGAMMON_NET_FILE);
	memcpy(weights, data + BACKGAMMON_NET_HEAD, sizeof(struct backgammon_nets));
	for (size_t i = 0; i < sizeof(struct backgammon_nets) / sizeof *weights; i++)
		if (!(weights[i] >= -MOST && weights[i] <= MOST))
			return qv_fail(error, QV_BAD_INPUT, "weights: a weight is out of range");
	return QV_OK;
}
