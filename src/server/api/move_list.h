/*
 * move_list.h - the way to a position: what each move led to.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_MOVE_LIST_H
#define SERVER_API_MOVE_LIST_H

#include <jansson.h>

#include "quevedo.h"

/* [{"move", "seat", "scores", "position"}, ...] from the start to the cursor; NULL: no memory. */
json_t *move_list_json(const struct qv_context *context, const struct qv_record *record);

#endif
