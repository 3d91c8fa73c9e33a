/*
 * follow.h - tree --follow: a search event by event.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include "cli/cli.h"
#include "trace/log.h"

/* Prints the events of the log; on a terminal, one for each key. */
enum qv_status follow_log(struct cli *c, const struct log *l);

#endif
