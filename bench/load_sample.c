/*
 * load_sample.c - samples of latencies, and what a process has used.
 * SPDX-License-Identifier: MIT
 */
#include "load_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void sample_add(struct sample *s, int64_t us)
{
	if (s->count == s->room) {
		s->room = 2 * s->room + 4096;
		s->us = realloc(s->us, s->room * sizeof *s->us);
		if (!s->us)
			abort();
	}
	s->us[s->count++] = us < 0 ? 0 : us > UINT32_MAX ? UINT32_MAX : (uint32_t)us;
}

static int by_size(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* In ms; the sample is sorted. */
static double sample_part(const struct sample *s, double part)
{
	return s->count ? s->us[(size_t)(part * (double)(s->count - 1))] / 1000.0 : 0;
}

json_t *sample_json(struct sample *s)
{
	qsort(s->us, s->count, sizeof *s->us, by_size);
	return json_pack("{s:f, s:f, s:f, s:f}", "p50", sample_part(s, 0.5), "p95",
			 sample_part(s, 0.95), "p99", sample_part(s, 0.99), "max",
			 sample_part(s, 1));
}

void process_read(long pid, double *seconds, long *kilobytes)
{
	char path[64];
	unsigned long user = 0, system = 0;
	long pages = 0;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	FILE *in = pid ? fopen(path, "r") : NULL;
	if (in && fscanf(in,
			 "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu "
			 "%*d %*d %*d %*d %*d %*d %*u %*u %ld",
			 &user, &system, &pages) != 3)
		user = system = 0;
	if (in)
		fclose(in);
	*seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
	*kilobytes = pages * (sysconf(_SC_PAGESIZE) / 1024);
}
