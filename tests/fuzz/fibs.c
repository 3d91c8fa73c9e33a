/*
 * fibs.c - fuzz target: any lines as boards of FIBS. What is read is written, and reads back the
 * same; a position that is accepted has legal moves and is kept.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/fibs.h"

static void check_round_trip(const struct fibs_board *board)
{
	char text[2 * FIBS_NAME + 12 * FIBS_FIELDS + 8] = "";
	struct qv_text out = { text, sizeof text, 0 };
	struct fibs_board again;
	const char *rest;
	fibs_write(board, &out);
	fuzz_require(out.length < sizeof text);
	fuzz_require(fibs_read(text, &again, &rest, NULL) == QV_OK && !*rest);
	fuzz_require(memcmp(&again, board, sizeof again) == 0);
}

static void check_state(const int64_t *options, const struct backgammon *s)
{
	static qv_move list[BACKGAMMON_MAX_MOVES];
	struct fibs_board board;
	struct backgammon again;
	fuzz_require(backgammon_moves(s, list) > 0);
	fibs_from_state(s, &board);
	fuzz_require(fibs_to_state(&board, options, &again, NULL) == QV_OK);
	fuzz_require(memcmp(&again, s, sizeof again) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *line = text;
	while (*line) {
		struct qv_error error = { "" };
		struct fibs_board board;
		struct backgammon s;
		char *next = fuzz_next_line(line);
		const char *rest;
		if (fibs_read(line, &board, &rest, &error) == QV_OK) {
			int64_t options[BACKGAMMON_OPTIONS] = {
				[BACKGAMMON_OPTION_CRAWFORD] = size & 1,
				[BACKGAMMON_OPTION_BEAVERS] = size >> 1 & 1,
			};
			check_round_trip(&board);
			fibs_options(&board, options);
			if (fibs_to_state(&board, options, &s, &error) == QV_OK)
				check_state(options, &s);
			else
				fuzz_require_reason(&error);
		} else {
			fuzz_require_reason(&error);
		}
		line = next;
	}
	free(text);
	return 0;
}
