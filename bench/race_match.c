/*
 * race_match.c - our player of Race! against the 1983 book's, with paired dice, as Markdown.
 * SPDX-License-Identifier: MIT
 * usage: bench_race_match [GAMES [SEED]]
 *
 * docs/results/strength.md has the output. The depth is fixed, so the numbers are the same on every
 * machine.
 */
#include <stdlib.h>

#include "support/paired.h"

static void fail(const char *what)
{
	fprintf(stderr, "bench_race_match: %s\n", what);
	exit(1);
}

static struct qv_player *player(const struct qv_context *context, const struct qv_rules *rules,
				const char *spec)
{
	struct qv_player *made;
	struct qv_error error;
	if (qv_player_new(context, rules, spec, NULL, &made, &error) != QV_OK)
		fail(error.text);
	return made;
}

static void measure(const struct qv_context *context, const struct qv_rules *rules,
		    const char *one, const char *other, int pairs, uint64_t seed)
{
	struct qv_player *const players[2] = { player(context, rules, one),
					       player(context, rules, other) };
	struct paired p;
	if (!paired_match(context, rules, players, pairs, seed, &p))
		fail("a game without a winner");
	/* Seat 1 won what the first player won in it, and what the second did not lose in it. */
	const double begun = (p.wins_in[0] + p.pairs - p.wins_in[1]) / (2.0 * p.pairs);
	printf("| `%s` | `%s` | %d | %.2f %% +- %.2f | %.2f %% |\n", one, other, 2 * p.pairs,
	       100 * paired_score(&p), 100 * 1.96 * paired_error(&p), 100 * begun);
	fflush(stdout);
	qv_player_free(players[0]);
	qv_player_free(players[1]);
}

int main(int argc, char **argv)
{
	static const char *const matches[][2] = {
		{ "expectimax:depth=1", "book" },
		{ "expectimax:depth=1", "book:literal=1" },
		{ "expectimax:depth=2", "book" },
		{ "expectimax:depth=2", "book:literal=1" },
		{ "book", "book:literal=1" },
		{ "expectimax:depth=2", "expectimax:depth=1" },
		{ "book", "random" },
	};
	const int pairs = argc > 1 ? atoi(argv[1]) / 2 : 5000;
	const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	if (pairs < 2)
		fail("at least four games");
	if (!context || qv_rules_parse(context, "race", &rules, NULL) != QV_OK)
		fail("no race");
	printf("| player | against | games | its score, 95 %% | games won by who began |\n"
	       "|---|---|--:|--:|--:|\n");
	for (size_t i = 0; i < sizeof matches / sizeof *matches; i++)
		measure(context, &rules, matches[i][0], matches[i][1], pairs, seed);
	qv_context_free(context);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
