/*
 * plugin.c - the toy games as one plug-in.
 * SPDX-License-Identifier: MIT
 */
#include "toys/toys.h"

static const struct qv_game *const toys[] = {
	&toy_die, &toy_three, &toy_four, &toy_repeat, &toy_counted, &toy_quiet, &toy_solo,
	&toy_sling, &toy_trade, &toy_trog, &toy_trog_forward, &toy_trog_images, NULL,
};

QV_API qv_plugin_fn qv_plugin;

const struct qv_game *qv_plugin(int index)
{
	return toys[index];
}
