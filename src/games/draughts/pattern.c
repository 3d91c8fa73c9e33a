/*
 * pattern.c - draughts: reads and writes the weights of the patterns as a file.
 * SPDX-License-Identifier: MIT
 *
 * The file is a line with its format and size, blanks up to DRAUGHTS_PATTERN_HEAD bytes, then struct
 * draughts_patterns as it is in memory, little-endian.
 */
#include "games/draughts/pattern.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are read and written as they are");
_Static_assert(sizeof(struct draughts_pattern_file) == DRAUGHTS_PATTERN_FILE, "no padding");

static const char title[] = "quevedo-draughts-patterns ";

/* Writes the bytes before the weights. */
static void put_head(char *out)
{
	char line[DRAUGHTS_PATTERN_HEAD];
	const int length = snprintf(line, sizeof line, "%s1 weights=%d\n", title,
				    (int)DRAUGHTS_PATTERN_WEIGHTS);
	memset(out, ' ', DRAUGHTS_PATTERN_HEAD);
	memcpy(out, line, (size_t)length);
}

void draughts_patterns_write(const struct draughts_patterns *p, char *out)
{
	put_head(out);
	memcpy(out + DRAUGHTS_PATTERN_HEAD, p, sizeof *p);
}

enum qv_status draughts_patterns_read(const char *data, size_t size, void *weights,
				      struct qv_error *error)
{
	enum { TITLE = sizeof title - 1 };
	char head[DRAUGHTS_PATTERN_HEAD];
	put_head(head);
	if (size < DRAUGHTS_PATTERN_HEAD || memcmp(data, title, TITLE) != 0)
		return qv_fail(error, QV_BAD_INPUT, "weights: not the patterns of draughts");
	if (memcmp(data, head, sizeof head) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: patterns of draughts of another format or size");
	if (size != DRAUGHTS_PATTERN_FILE)
		return qv_fail(error, QV_BAD_INPUT, "weights: %zu bytes, but the patterns have %zu",
			       size, (size_t)DRAUGHTS_PATTERN_FILE);
	memcpy(weights, data + DRAUGHTS_PATTERN_HEAD, sizeof(struct draughts_patterns));
	return QV_OK;
}
