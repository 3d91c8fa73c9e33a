/*
 * thinking.h - the processes that work for this server, here and on other machines, as the API uses
 * them.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_API_THINKING_H
#define SERVER_API_THINKING_H

#include "server/api/inside.h"

/*
 * Opens api->processes, if the setup has them and this system can, and sets them in that of the pool.
 * Otherwise the log says why.
 */
void processes_open(struct api *api, struct worker_pool_setup *pool);
/* Logs what has happened to them. */
void thinking_turn(struct api *api);
/* Opens api->jobs, if the setup wants it; store and pool are open. */
enum qv_status thinking_open(struct api *api, struct qv_error *error);
/* The workers that think for this server. NULL: it has none, or memory ran out. */
json_t *thinking_json(const struct api *api);

#endif
