/*
 * flag.c - the public functions on stop flags.
 * SPDX-License-Identifier: MIT
 */
#include "base/flag.h"

void qv_flag_set(struct qv_flag *flag)
{
	flag_set(flag, true);
}

void qv_flag_clear(struct qv_flag *flag)
{
	flag_set(flag, false);
}

bool qv_flag_is_set(const struct qv_flag *flag)
{
	return flag_is_set(flag);
}
