/*
 * obf.c - fuzz target: any lines as OBF. What is read has legal moves with scores, of which none is
 * above the best.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "formats/obf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *line = text;
	(void)obf_looks_like(text);
	while (*line) {
		struct qv_error error = { "" };
		char *next = fuzz_next_line(line);
		struct obf o;
		if (obf_read(line, &o, &error) == QV_OK) {
			fuzz_require(o.count >= 0 && o.count <= REVERSI_MAX_MOVES);
			for (int i = 0; i < o.count; i++) {
				int score;
				fuzz_require(o.moves[i] <= REVERSI_PASS);
				fuzz_require(obf_score(&o, o.moves[i], &score));
				fuzz_require(o.has_best && score <= o.best && score >= -64);
			}
		} else {
			fuzz_require_reason(&error);
		}
		line = next;
	}
	free(text);
	return 0;
}
