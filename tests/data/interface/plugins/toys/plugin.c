/*
 * plugin.c - the toy games as one plug-in.
 * SPDX-License-Identifier: MIT
 */
#include "toys/toys.h"

static const struct qv_game *const toys[] = {
	&toy_die, &toy_counted, &toy_trade, NULL,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return toys[index];
}
