/*
 * simulate.c - runs simulated worlds from a seed and looks for violations.
 * SPDX-License-Identifier: MIT
 *
 * usage: simulate [--seed S] [--events N] [--hours H] [--steps N] [--report] [--json] [--verbose]
 *   --seed S     of the first world; the next ones follow from it (default 1)
 *   --events N   stop after so many acknowledged events (default 20000)
 *   --hours H    ... and not before so many simulated hours (default 0)
 *   --steps N    of one world (default 5000)
 *   --report     print what has happened, and how often each kind of fault
 *   --json       print the same as one line of JSON, and nothing else
 *   --verbose    print every request and response
 * Exit status 1: a violation, with the seed of its world, which `--seed` runs again. The log is a hash
 * of all requests and responses of the last world: the same seed and steps give the same log.
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
	bool report, json, verbose;
};

static bool read_options(struct options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";
		char *end = NULL;
		if (strcmp(argv[i], "--report") == 0) {
			o->report = true;
			continue;
		} else if (strcmp(argv[i], "--json") == 0) {
			o->json = true;
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

/*
 * How often each kind of fault has happened. Those that count are what the world does to the server;
 * failed operations, of which a broken disk causes any number, are counted apart.
 */
struct fault {
	const char *name, *text;
	uint64_t count;
};
enum { COUNTED_FAULTS = 7, FAULTS = COUNTED_FAULTS + 1 + DISK_OPS };

static void list_faults(const struct report *r, struct fault out[FAULTS])
{
	const struct disk_counts *d = &r->disk;
	const struct fault list[FAULTS] = {
		{ "lost", "sectors lost by a power cut", d->lost },
		{ "torn", "sectors torn by a power cut", d->torn },
		{ "reordered", "sectors kept, though earlier ones were lost", d->reordered },
		{ "power_cuts", "power cuts", d->cuts },
		{ "kills", "processes killed", d->kills },
		{ "connections", "connections cut", r->cuts },
		{ "clock_jumps", "jumps of the system's clock", r->jumps },
		{ "full", "writes on a full disk", d->full },
		{ "open", "failed: open", d->failed[DISK_OPEN] },
		{ "read", "failed: read", d->failed[DISK_READ] },
		{ "write", "failed: write", d->failed[DISK_WRITE] },
		{ "sync", "failed: sync", d->failed[DISK_SYNC] },
		{ "truncate", "failed: truncate", d->failed[DISK_TRUNCATE] },
		{ "delete", "failed: delete", d->failed[DISK_DELETE] },
	};
	memcpy(out, list, sizeof list);
}

static uint64_t sum_faults(const struct fault *list, int from, int to)
{
	uint64_t sum = 0;
	for (int i = from; i < to; i++)
		sum += list[i].count;
	return sum;
}

static void print_report(const struct sim *s, double seconds)
{
	const struct report *r = &s->report;
	struct fault faults[FAULTS];
	list_faults(r, faults);
	printf("%.1f hours, %" PRIu64 " worlds, %" PRIu64 " steps\n", (double)r->ms / 3600000,
	       r->worlds, r->steps);
	printf("%" PRIu64 " acknowledged events, %" PRIu64 " requests, %" PRIu64
	       " refused, %" PRIu64 " games, %" PRIu64 " finished, %" PRIu64 " checked\n",
	       r->events, r->requests, r->refused, r->games, r->finished, r->checks);
	printf("%" PRIu64 " faults, %" PRIu64 " failed operations\n",
	       sum_faults(faults, 0, COUNTED_FAULTS), sum_faults(faults, COUNTED_FAULTS, FAULTS));
	for (int i = 0; i < FAULTS; i++)
		printf("%10" PRIu64 "  %s\n", faults[i].count, faults[i].text);
	printf("%" PRIu64 " delayed commits, %" PRIu64 " requests sent again, %" PRIu64
	       " proper restarts\n",
	       r->delays, r->resent, r->stops);
	printf("%" PRIu64 " logins, %" PRIu64 " logouts, %" PRIu64 " tokens revoked, %" PRIu64
	       " accounts deleted, %" PRIu64 " requests with what has ended\n",
	       r->logins, r->logouts, r->revoked, r->deleted, r->ended);
	printf("%.1f s, %.0f events a second\n", seconds, (double)r->events / seconds);
}

static void print_json(const struct sim *s, const struct options *o, uint64_t seed, double seconds)
{
	const struct report *r = &s->report;
	struct fault faults[FAULTS];
	list_faults(r, faults);
	json_t *kinds = json_object();
	for (int i = 0; i < FAULTS; i++)
		json_object_set_new(kinds, faults[i].name, json_integer((json_int_t)faults[i].count));
	json_t *json = json_pack(
		"{s:I, s:I, s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s?}",
		"seed", (json_int_t)seed, "steps", (json_int_t)o->steps, "hours",
		(double)r->ms / 3600000, "events", (json_int_t)r->events, "requests",
		(json_int_t)r->requests, "games", (json_int_t)r->games, "checks",
		(json_int_t)r->checks, "resent", (json_int_t)r->resent, "restarts",
		(json_int_t)r->stops, "faults",
		(json_int_t)sum_faults(faults, 0, COUNTED_FAULTS), "failed",
		(json_int_t)sum_faults(faults, COUNTED_FAULTS, FAULTS), "kinds", kinds, "worlds",
		(json_int_t)r->worlds, "logins", (json_int_t)r->logins, "logouts",
		(json_int_t)r->logouts, "revoked", (json_int_t)r->revoked, "deleted",
		(json_int_t)r->deleted, "ended", (json_int_t)r->ended, "seconds", seconds, "violation",
		s->violation[0] ? s->violation : NULL);
	char log[17];
	snprintf(log, sizeof log, "%016" PRIx64, s->log);
	json_object_set_new(json, "log", json_string(log));
	json_dumpf(json, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6));
	putchar('\n');
	json_decref(json);
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
}

int main(int argc, char **argv)
{
	static struct sim s;
	struct options o = { .seed = 1, .events = 20000, .steps = 5000 };
	if (!read_options(&o, argc, argv)) {
		fprintf(stderr, "usage: simulate [--seed S] [--events N] [--hours H] [--steps N] "
				"[--report] [--json] [--verbose]\n");
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
	s.report.disk = disk_counts(s.disk);
	const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
	if (s.violation[0] && !o.json)
		printf("VIOLATION: seed %" PRIu64 " --steps %" PRIu64 ", event %" PRIu64 ": %s\n",
		       seed, o.steps, s.report.steps, s.violation);
	if (o.report && !o.json)
		print_report(&s, seconds);
	if (o.json)
		print_json(&s, &o, seed, seconds);
	else
		printf("log %016" PRIx64 "\n", s.log);
	const bool failed = s.violation[0];
	sim_close(&s);
	return failed;
}
