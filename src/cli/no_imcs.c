/*
 * no_imcs.c - stands in for imcs.c in a build without IMCS (QV_IMCS=OFF).
 * SPDX-License-Identifier: MIT
 */
#include "cli/cli.h"

/* serve calls this with --imcs only. */
enum qv_status cli_password(struct cli *c, char *out, size_t size)
{
	(void)out, (void)size;
	return qv_fail(&c->error, QV_UNSUPPORTED, "--imcs: this build has no IMCS");
}

/* The command stays in the list, so that its error says why it does not work. */
static enum qv_status run(struct cli *c)
{
	return qv_fail(&c->error, QV_UNSUPPORTED, "imcs: this build has no IMCS");
}

const struct command command_imcs = {
	.name = "imcs", .run = run, .least = 1, .most = 2, .usage = "imcs",
	.help = "play minichess over the network (not in this build)",
	.options = OPTION_GROUPS(common_options),
};
