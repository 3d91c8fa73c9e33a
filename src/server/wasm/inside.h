/*
 * inside.h - what the files of the engine for browsers share.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_WASM_INSIDE_H
#define SERVER_WASM_INSIDE_H

#include "server/api/inside.h"

/* Routes that only exist here: routes.c, traces.c and rooms.c. */
route_fn post_choice, post_solve, post_perft;
route_fn post_trace, post_trace_words;
route_fn post_play_lines, post_computer;

/* The position, if a player is to move there. False: an error was sent. */
bool open_position(struct api *api, const struct api_request *r, struct request_position *p);

/* "win", "unknown"; and a move in the game's notation. */
const char *value_name(enum qv_value value);
json_t *move_text_json(const struct qv_game *game, const void *state, qv_move move);

/* Frees the logs of searches. */
void traces_release(void);

/* The laboratory: lab_*.c. */
route_fn post_proof, post_wave, post_wave_position, post_wave_map, post_learn, post_boxes, post_td,
	post_machine, post_mask;

/* Frees the solved game that post_wave keeps. */
void lab_wave_release(void);

/* Frees the games in progress. */
void rooms_release(struct api *api);

/* Whether the game's data is loaded, or it has none: data.c, or in a native build always. */
bool data_is_loaded(const char *game);

/* Runs a job at once and passes its texts to `done`; the job's arg is released. */
void run_job(struct api *api, const struct api_request *r, const struct worker_job *job,
	     call_done_fn *done);

#endif
