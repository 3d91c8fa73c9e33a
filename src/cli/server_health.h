/*
 * server_health.h - server health: asks a running server whether it is ready for visitors.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SERVER_HEALTH_H
#define CLI_SERVER_HEALTH_H

#include "cli/cli.h"

enum qv_status run_health(struct cli *c);

#endif
