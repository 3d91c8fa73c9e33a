/*
 * imcs.h - what the files of the command imcs share, and serve.
 * SPDX-License-Identifier: MIT
 */
#ifndef CLI_IMCS_H
#define CLI_IMCS_H

#include "cli/cli.h"
#include "imcs/server.h"

/* --host and --per-address, of both servers. */
extern const struct option listen_options[];

struct imcs_values {
	int64_t port, games;
	const char *user, *offer, *accept, *time, *log; /* offer: "" without a colour */
	bool list, enroll;
};

/* The first line of --password-file. */
enum qv_status cli_password(struct cli *c, char out[IMCS_PASSWORD + 1]);
/* A line of a server's log, on standard error: time, level, text. */
void cli_log(void *ctx, const char *level, const char *text);
/* imcs play HOST */
enum qv_status cmd_imcs_play(struct cli *c, const char *host);

#endif
