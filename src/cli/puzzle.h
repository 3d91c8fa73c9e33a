/*
 * puzzle.h - the parts of the command puzzle that make and check files (puzzle_files.c).
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_PUZZLE_H
#define CLI_PUZZLE_H

#include "cli/cli.h"
#include "puzzle/puzzle.h"

/* The options of puzzle. */
struct puzzle_values {
	bool rights;
	int64_t count, seconds, sample, trials;
};

enum qv_status puzzle_make_file(struct cli *c);	 /* puzzle make GAME */
enum qv_status puzzle_check_file(struct cli *c); /* puzzle check FILE */

#endif
