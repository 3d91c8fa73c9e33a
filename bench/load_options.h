/*
 * load_options.h - the options of the load generator.
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_LOAD_OPTIONS_H
#define BENCH_LOAD_OPTIONS_H

#include "load_link.h"

enum { LOAD_TARGETS = 8 };

struct load_options {
	struct target targets[LOAD_TARGETS];
	int target_count;
	struct target attack_target; /* {0}: the first of them */
	int games, sockets, analyses, addresses;
	double rate, seconds, warm_up, attack_rate;
	const char *game_name, *probe, *attack, *attack_token, *log_name, *verify_name; /* NULL: none of it */
	bool json, reconnect;
	long pid; /* of the server; 0: unknown */
};

/* Prints an error and ends the program if they are wrong. */
void options_read(struct load_options *options, int argc, char **argv);
/* "bench_load_server: ...", and ends the program. */
void die(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
