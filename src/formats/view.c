/*
 * view.c - the public functions that write boards and positions as JSON and SVG.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "base/json.h"
#include "core/context.h"
#include "formats/board_json.h"
#include "formats/board_svg.h"

static enum qv_status no_memory(struct qv_error *error)
{
	return qv_fail(error, QV_NO_MEMORY, "board: out of memory");
}

/* Writes the value and releases it. NULL: there was not enough memory for it. */
static enum qv_status put_json(json_t *value, struct qv_text *out, struct qv_error *error)
{
	char *text = json_to_text(value, JSON_COMPACT | JSON_ENCODE_ANY);
	if (!text)
		return no_memory(error);
	qv_put(out, text);
	free(text);
	return QV_OK;
}

enum qv_status qv_board_json(const struct qv_context *context, const struct qv_rules *rules,
			     struct qv_text *out, struct qv_error *error)
{
	(void)context;
	return put_json(board_json(rules), out, error);
}

enum qv_status qv_position_json(const struct qv_context *context, const struct qv_rules *rules,
				const void *state, struct qv_text *out, struct qv_error *error)
{
	(void)context;
	return put_json(view_json(rules, state), out, error);
}

enum qv_status qv_position_svg(const struct qv_context *context, const struct qv_rules *rules,
			       const void *state, struct qv_text *out, struct qv_error *error)
{
	struct string svg = { .allocator = context_allocator(context) };
	enum qv_status status = board_svg(rules, state, &svg, error);
	if (status == QV_OK && svg.failed)
		status = no_memory(error);
	for (size_t i = 0; status == QV_OK && i < svg.length; i++)
		qv_put_char(out, svg.data[i]);
	string_release(&svg);
	return status;
}
