/*
 * thinking.h - the queue of jobs for other processes, as the API uses it.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_THINKING_H
#define SERVER_API_THINKING_H

#include "server/api/inside.h"

/* Opens api->jobs, if the setup wants it; store and pool are open. */
enum qv_status thinking_open(struct api *api, struct qv_error *error);
/* The workers that think for this server. NULL: it has none, or memory ran out. */
json_t *thinking_json(const struct api *api);

#endif
