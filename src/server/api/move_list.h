/*
 * move_list.h - the moves of a record with the position after each.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_MOVE_LIST_H
#define SERVER_API_MOVE_LIST_H

#include <jansson.h>

#include "quevedo.h"

/*
 * [{"move", "seat", "scores", "position"}, ...] from the start to the cursor; NULL: out of memory.
 */
json_t *move_list_json(const struct qv_context *context, const struct qv_record *record);

#endif
