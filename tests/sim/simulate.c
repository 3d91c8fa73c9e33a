/*
 * simulate.c - runs simulated worlds from a seed and looks for violations.
 * SPDX-License-Identifier: MIT
 *
 * usage: simulate [--seed S] [--events N] [--hours H] [--world W] [--report] [--verbose]
 *   --seed S     of the first world; the next ones follow from it (default 1)
 *   --events N   stop after so many acknowledged events (default 20000)
 *   --hours H    ... and not before so many simulated hours (default 0)
 *   --steps N    of one world (default 20000)
 *   --report     print what has happened
 *   --verbose    print every request and response
 * Exit status 1: a violation, with the seed of its world, which `--seed` runs again.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/sim.h"

struct options {
	uint64_t seed, events, steps;
	double hours;
	bool report, verbose;
};

static bool read_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		char *end = NULL;
		if (strcmp(argv[i], "--report") == 0) {
			o->report = true;
			continue;
		} else if (strcmp(argv[i], "--verbose") == 0) {
			o->verbose = true;
			continue;
		} else if (strcmp(argv[i], "--seed") == 0) {
			o->seed = strtoull(value, &end, 10);
		} else if (strcmp(argv[i], "--events") == 0) {
			o->events = strtoull(value, &end, 10);
		} else if (strcmp(argv[i], "--steps") == 0) {
			o->steps = strtoull(value, &end, 10);
		} else if (strcmp(argv[i], "--hours") == 0) {
			o->hours = strtod(value, &end);
		}
		if (!end || *end || !*value)
			return false;
		i++;
	}
	return true;
}

/* Faults of all kinds. */
static uint64_t fault_count(const struct report *r)
{
	uint64_t sum = r->disk.full + r->disk.kills + r->disk.cuts + r->disk.lost + r->disk.torn +
		       r->cuts + r->jumps;
	for (int op = 0; op < DISK_OPS; op++)
		sum += r->disk.failed[op];
	return sum;
}

static void print_report(const struct sim *s, double seconds)
{
	const struct report *r = &s->report;
	const struct disk_counts *d = &r->disk;
	printf("%.1f hours, %" PRIu64 " worlds, %" PRIu64 " steps\n", (double)r->ms / 3600000,
	       r->worlds, r->steps);
	printf("%" PRIu64 " acknowledged events, %" PRIu64 " requests, %" PRIu64
	       " refused, %" PRIu64 " games, %" PRIu64 " finished, %" PRIu64 " checked\n",
	       r->events, r->requests, r->refused, r->games, r->finished, r->checks);
	printf("%" PRIu64 " faults: %" PRIu64 " kills, %" PRIu64 " power cuts with %" PRIu64
	       " sectors lost and %" PRIu64 " torn, %" PRIu64 " writes on a full disk,\n"
	       "  failed: open %" PRIu64 ", read %" PRIu64 ", write %" PRIu64 ", sync %" PRIu64
	       ", truncate %" PRIu64 ", delete %" PRIu64 "; %" PRIu64 " cut connections, %" PRIu64
	       " clock jumps\n",
	       fault_count(r), d->kills, d->cuts, d->lost, d->torn, d->full, d->failed[DISK_OPEN],
	       d->failed[DISK_READ], d->failed[DISK_WRITE], d->failed[DISK_SYNC],
	       d->failed[DISK_TRUNCATE], d->failed[DISK_DELETE], r->cuts, r->jumps);
	printf("%" PRIu64 " delayed commits, %" PRIu64 " requests sent again, %" PRIu64
	       " proper restarts\n",
	       r->delays, r->resent, r->stops);
	printf("%.1f s, %.0f events a second\n", seconds, (double)r->events / seconds);
}

/* One world from an empty disk; at its end everything is compared with the store. */
static void run_world(struct sim *s, uint64_t seed, uint64_t steps)
{
	sim_new_world(s, seed);
	for (uint64_t i = 0; i < steps && !s->violation[0]; i++)
		sim_step(s);
	if (s->violation[0])
		return;
	sim_settle(s);
	for (int i = 0; i < 2; i++) { /* the first look wakes the computers */
		clients_look(s);
		sim_settle(s);
	}
	for (int i = 0; i < PLAYS && !s->violation[0]; i++)
		if (s->plays[i].id[0])
			play_verify(s, &s->plays[i]);
	s->report.disk = disk_counts(s->disk);
}

int main(int argc, char **argv)
{
	static struct sim s;
	struct options o = { .seed = 1, .events = 20000, .steps = 20000 };
	if (!read_options(&o, argc, argv)) {
		fprintf(stderr, "usage: simulate [--seed S] [--events N] [--hours H] [--steps N] "
				"[--report] [--verbose]\n");
		return 2;
	}
	if (!sim_open(&s, o.seed)) {
		fprintf(stderr, "simulate: cannot create its folder\n");
		return 2;
	}
	const clock_t began = clock();
	uint64_t seed = o.seed;
	s.verbose = o.verbose;
	for (; !s.violation[0]; seed++) {
		run_world(&s, seed, o.steps);
		if (s.violation[0] || (s.report.events >= o.events &&
				       (double)s.report.ms / 3600000 >= o.hours))
			break;
	}
	if (s.violation[0])
		printf("VIOLATION: seed %" PRIu64 " --steps %" PRIu64 ", event %" PRIu64 ": %s\n",
		       seed, o.steps, s.report.steps, s.violation);
	if (o.report)
		print_report(&s, (double)(clock() - began) / CLOCKS_PER_SEC);
	printf("log %016" PRIx64 "\n", s.log);
	const bool failed = s.violation[0];
	sim_close(&s);
	return failed;
}
