/*
 * engine_check.h - what the two parts of the command engine share.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_ENGINE_CHECK_H
#define CLI_ENGINE_CHECK_H

#include "cli/cli.h"

/* The options of engine. */
struct engine_values {
	const char *protocol, *listen;
	int64_t wait_ms;  /* of a check; 0: the default */
	const char *step; /* of a check; NULL: all */
};

extern const struct option engine_check_options[];

/* Runs `engine check GAME SPEC`. */
enum qv_status engine_check_run(struct cli *c);

#endif
