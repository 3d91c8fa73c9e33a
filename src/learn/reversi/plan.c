/*
 * plan.c - reversi: parses and prints a training plan.
 * SPDX-License-Identifier: MIT
 *
 * The keys with their defaults and bounds are in one table.
 */
#include "base/options.h"
#include "learn/reversi/train.h"

#define ROW(name_, f, ...) OPTION(struct train_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", rounds, .min = 1, .max = 99, .def = 6),
	ROW("games", games, .min = 1, .max = 10000000, .def = 20000),
	ROW("depth", depth, .min = 1, .max = 20, .def = 4),
	ROW("solve", solve, .max = 30, .def = 14),
	ROW("remember", remember, .min = 1, .max = 99, .def = 4),
	ROW("iterations", fit.iterations, .min = 1, .max = 1000, .def = 20),
	ROW("penalty", fit.penalty, .min = 1, .max = 100000, .def = 64),
	ROW("least", fit.least, .max = 100000, .def = 16),
	{ 0 },
};
#undef ROW
static const struct option *const groups[] = { keys, NULL };

enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error)
{
	struct train_plan plan = *out;
	struct options o = {
		.groups = groups, .values = &plan, .owner = "plan", .owner_first = true
	};
	options_init(&o);
	const enum qv_status status = options_parse(&o, text, error);
	if (status == QV_OK)
		*out = plan;
	return status;
}

void train_plan_text(const struct train_plan *p, char *out, size_t size)
{
	struct train_plan plan = *p;
	struct qv_text text = { out, size, 0 };
	options_text(&(struct options){ .groups = groups, .values = &plan }, &text);
}
