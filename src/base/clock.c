/*
 * clock.c - monotonic time and processor time of a thread.
 * SPDX-License-Identifier: MIT
 *
 * Both clocks are read by clock_gettime, which is a few dozen nanoseconds on Linux. Searches
 * therefore read the clock every few thousand nodes, not at every node.
 */
#include "base/clock.h"

#include <time.h>

static int64_t read_us(clockid_t id)
{
	struct timespec now;
	clock_gettime(id, &now);
	return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

int64_t clock_us(void)
{
	return read_us(CLOCK_MONOTONIC);
}

int64_t clock_thread_us(void)
{
	return read_us(CLOCK_THREAD_CPUTIME_ID);
}
