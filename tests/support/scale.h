/*
 * scale.h - how much of a repeated check to do: TEST_SCALE is a percentage, for builds that run
 * slowly.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_SCALE_H
#define TEST_SCALE_H

#include <stdint.h>
#include <stdlib.h>

/* So many at TEST_SCALE=100 (the default); at least one. */
static inline int64_t scaled(int64_t n)
{
	const char *percent = getenv("TEST_SCALE");
	const int64_t some = percent && atoi(percent) > 0 ? n * atoi(percent) / 100 : n;
	return some > 0 ? some : 1;
}

#endif
