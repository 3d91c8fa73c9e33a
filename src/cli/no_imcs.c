/*
 * no_imcs.c - stands in for imcs.c and imcs_play.c in a build without IMCS (QV_IMCS=OFF).
 * SPDX-License-Identifier: MIT
 */
#include "cli/imcs.h"

enum qv_status cli_password(struct cli *c, char out[IMCS_PASSWORD + 1])
{
	(void)out;
	return qv_fail(&c->error, QV_UNSUPPORTED, "--imcs: this build has no IMCS");
}

enum qv_status cmd_imcs(struct cli *c)
{
	return qv_fail(&c->error, QV_UNSUPPORTED, "imcs: this build has no IMCS");
}
