/*
 * board_png.c - a position as a PNG file: the picture of board_svg.h in pixels.
 * SPDX-License-Identifier: MIT
 */
#include "formats/board_png.h"

#include "core/context.h"
#include "formats/board_svg.h"
#include "formats/svg_png.h"

enum { CARD_MARGIN = 15 };

static enum qv_status write_png(const struct qv_rules *rules, const void *state, int width,
				int height, int margin, struct string *out, struct qv_error *error)
{
	struct string svg = { .allocator = out->allocator };
	enum qv_status status = board_svg(rules, state, &svg, error);
	if (status == QV_OK && svg.failed)
		status = qv_fail(error, QV_NO_MEMORY, "picture: out of memory");
	if (status == QV_OK)
		status = svg_png(svg.data, svg.length, width, height, margin, out, error);
	string_release(&svg);
	return status;
}

enum qv_status board_png(const struct qv_rules *rules, const void *state, struct string *out,
			 struct qv_error *error)
{
	struct qv_layout layout = { 0 };
	if (rules->game->board)
		board_layout(rules, &layout);
	/* Very long boards stay at least a pixel wide. */
	const int longer = layout.width > layout.height ? layout.width : layout.height;
	const int width = longer > 0 ? BOARD_PNG_SIDE * layout.width / longer : 1;
	const int height = longer > 0 ? BOARD_PNG_SIDE * layout.height / longer : 1;
	return write_png(rules, state, width > 0 ? width : 1, height > 0 ? height : 1, 0, out,
			 error);
}

enum qv_status board_card_png(const struct qv_rules *rules, const void *state, struct string *out,
			      struct qv_error *error)
{
	return write_png(rules, state, BOARD_CARD_WIDTH, BOARD_CARD_HEIGHT, CARD_MARGIN, out,
			 error);
}
