/*
 * sprt.c - fuzz target: `--sprt`, and the test itself on any counts.
 * SPDX-License-Identifier: MIT
 *
 * The first line is the text; the bytes after it are counts.
 */
#include "fuzz/fuzz.h"

#include <math.h>

#include "match/sprt.h"

/* Eight bytes; two bits less, so that sums stay in bounds. */
static uint64_t take_count(const char **data, const char *end)
{
	uint64_t value = 0;
	for (int i = 0; i < 8 && *data < end; i++)
		value = value << 8 | (unsigned char)*(*data)++;
	return value >> 6;
}

static void check_counts(const struct sprt *s, const char *data, const char *end)
{
	const struct tally t = { take_count(&data, end), take_count(&data, end),
				 take_count(&data, end) };
	const struct pair_tally p = { t.losses >> 2, t.draws >> 2, take_count(&data, end) >> 2,
				      take_count(&data, end) >> 2, t.wins >> 2,
				      take_count(&data, end) >> 2 };
	const struct statistics games = statistics_of_games(&t), pairs = statistics_of_pairs(&p);
	fuzz_require(isfinite(sprt_of_games(s, &t).llr) && isfinite(sprt_of_pairs(s, &p).llr));
	fuzz_require(isfinite(games.elo) && isfinite(games.elo_error) && isfinite(games.nelo));
	fuzz_require(isfinite(pairs.elo) && isfinite(pairs.elo_error) && isfinite(pairs.nelo));
	fuzz_require(games.los >= 0 && games.los <= 1 && pairs.los >= 0 && pairs.los <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = fuzz_next_line(text);
	struct qv_error error = { "" };
	struct sprt s, again;
	if (sprt_parse(text, &s, &error) == QV_OK) {
		char written[256];
		struct qv_text out = { written, sizeof written, 0 };
		sprt_text(&s, &out);
		fuzz_require(sprt_parse(written, &again, &error) == QV_OK);
		fuzz_require(fabs(s.elo0 - again.elo0) < 1e-9 && fabs(s.elo1 - again.elo1) < 1e-9);
		fuzz_require(s.model == again.model && s.elo0 < s.elo1);
		check_counts(&s, rest, text + size);
	} else {
		fuzz_require_reason(&error);
	}
	free(text);
	return 0;
}
