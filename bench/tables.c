/*
 * tables.c - the speed of retrograde analysis: trog against trog on a board of 56 x 56, ten million
 * positions, in one thread, with and without counters. No files are written.
 * SPDX-License-Identifier: MIT
 *
 * usage: bench_tables [SIDE]     the time is this process's own processor time
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "toys/trog.h"

#define G(f) trog_##f
#define G_STATE struct trog
#define G_MAX_MOVES TROG_MAX_MOVES
#define G_MAX_PARENTS TROG_MAX_MOVES
#define G_ALTERNATES 1
#define G_HAS_INDEX 1
#define G_HAS_PARENTS 1
#include "solve/retro.inc.h"

extern const struct qv_game toy_trog;

static bool measure(const char *name, const struct spaces *spaces, const struct retro_ops *ops,
		    bool counters)
{
	const struct retro_run run = { .ops = ops, .threads = 1 };
	const struct retro_size size = { .width = 1, .counters = counters };
	struct retro retro;
	struct qv_error error = { "" };
	struct table_facts facts = { 0 };
	const int64_t started = clock_thread_us();
	enum qv_status status = retro_init(&retro, spaces, NULL, NULL, &size, &error);
	if (status == QV_OK)
		status = retro_solve(&retro, &run, RETRO_FIRST, 0, &error);
	const double seconds = (double)(clock_thread_us() - started) / 1e6;
	if (status != QV_OK) {
		fprintf(stderr, "%s\n", error.text);
		return false;
	}
	table_count(&facts, &retro.values[0]);
	const double positions = (double)(facts.wins + facts.draws + facts.losses);
	printf("%-22s %.0f positions, longest %d, %.2f s, %.0f ns a position\n", name, positions,
	       facts.longest, seconds, seconds * 1e9 / positions);
	retro_release(&retro);
	return true;
}

int main(int argc, char **argv)
{
	const int side = argc > 1 ? atoi(argv[1]) : 56;
	struct qv_rules rules = { .game = &toy_trog, .options = { side, side } };
	struct spaces spaces;
	struct qv_error error = { "" };
	if (side < 2 || side > TROG_LARGEST ||
	    spaces_init(&spaces, &mem_malloc, &rules, "trog", &error) != QV_OK) {
		fprintf(stderr, "bench_tables: SIDE must be from 2 to %d\n", TROG_LARGEST);
		return 2;
	}
	const bool done = measure("without counters", &spaces, &trog_retro_ops, false) &&
			  measure("counters", &spaces, &trog_retro_ops, true);
	spaces_release(&spaces);
	return done ? 0 : 1;
}
