/*
 * server.h - the verbs of the command server that have files of their own, and what they share.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "cli/cli.h"
#include "server/store/store.h"

/* Opens the store of --data beside a server that may run. *out stays as it is on failure. */
enum qv_status server_open(struct cli *c, char folder[FOLDER_PATH], struct store **out);

enum qv_status server_check(struct cli *c); /* server_check.c */

#endif
