/*
 * plan.h - a plan of training from text, `rounds=4,games=1000`.
 * SPDX-License-Identifier: MIT
 */
#ifndef LEARN_PLAN_H
#define LEARN_PLAN_H

#include "quevedo.h"

struct plan_key {
	const char *name;
	int64_t preset, min, max;
};

/* Sets values[i] of each of the keys, those that are not named to their presets. */
enum qv_status plan_parse(const char *text, const struct plan_key *keys, int count, int64_t *values,
			  struct qv_error *error);

#endif
