/*
 * no_imcs.c - stands in for server/imcs/ in a build without IMCS (QV_IMCS=OFF).
 * SPDX-License-Identifier: MIT
 */
#include "server/imcs/listen.h"

/* The option --imcs gets an error; nothing else calls it. */
enum qv_status imcs_listener_open(const struct imcs_listen_setup *setup, struct imcs_listener **out,
				  char at[IMCS_LISTENS_AT], struct qv_error *error)
{
	(void)setup, (void)out, (void)at;
	return qv_fail(error, QV_UNSUPPORTED, "--imcs: this build has no IMCS");
}

void imcs_listener_shut(struct imcs_listener *l)
{
	(void)l;
}
