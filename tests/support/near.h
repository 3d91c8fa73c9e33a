/*
 * near.h - figures that are right to so many decimals.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_NEAR_H
#define TEST_NEAR_H

#include <math.h>

#include "support/check.h"

static inline void near_or_fail(double is, double expected, double tolerance, const char *what)
{
	if (!(fabs(is - expected) <= tolerance))
		fail_msg("%s is %.6f, not %.6f", what, is, expected);
}
#define assert_near(is, expected, tolerance) near_or_fail(is, expected, tolerance, #is)
#define assert_shown(is, expected) assert_near(is, expected, 0.005001) /* two decimals */

#endif
