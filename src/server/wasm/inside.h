/*
 * inside.h - what the files of the engine for browsers share.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_WASM_INSIDE_H
#define SERVER_WASM_INSIDE_H

#include "server/api/inside.h"

/* Routes that only exist here: routes.c and rooms.c. */
route_fn post_choice, post_solve, post_perft, post_trace;
route_fn post_play_lines, post_computer;

/* Frees the games in progress. */
void rooms_release(struct api *api);

/* Whether the game's data is loaded, or it has none: data.c, or in a native build always. */
bool data_is_loaded(const char *game);

/* Runs a job at once and passes its texts to `done`; the job's arg is released. */
void run_job(struct api *api, const struct api_request *r, const struct worker_job *job,
	     call_done_fn *done);

#endif
