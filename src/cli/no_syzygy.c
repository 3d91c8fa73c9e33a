/*
 * no_syzygy.c - stands in for syzygy.c in a build without libfathom.
 * SPDX-License-Identifier: MIT
 */
#include "cli/syzygy.h"

const struct qv_prober *syzygy_prober(void)
{
	return NULL;
}
