/*
 * games_file.h - files of games, whatever their format: records, journals of matches, PGN.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_GAMES_FILE_H
#define CLI_GAMES_FILE_H

#include "cli/cli.h"

struct games_ear {
	/* One game after the other; the record is this function's to look at. */
	enum qv_status (*game)(void *ctx, struct qv_record *record);
	/*
	 * A game of a PGN file that cannot be read; it is passed over. NULL: it is an error. With
	 * harmless: it was read, and something is odd about it.
	 */
	void (*wrong)(void *ctx, const char *what, bool harmless);
	void *ctx;
};

/* rules: what a PGN file without the tag Variant is about; NULL: chess. */
enum qv_status games_read(struct cli *c, const char *path, const struct qv_rules *rules,
			  const struct games_ear *ear);

#endif
