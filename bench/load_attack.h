/*
 * load_attack.h - costly requests that the load generator sends beside its moves.
 * SPDX-License-Identifier: MIT
 */
#ifndef BENCH_LOAD_ATTACK_H
#define BENCH_LOAD_ATTACK_H

#include "load_link.h"

enum { ATTACK_LINKS = 64, ATTACK_ANSWERS = 8 };

struct attack {
	const struct attack_kind *kind;
	struct links *links;
	double rate; /* requests a second */
	int64_t next_us;
	struct link link[ATTACK_LINKS];
	char *texts[2]; /* whole requests, sent in turn */
	size_t sizes[2];
	long long sent, unsent; /* unsent: all links were busy, or a connection failed */
	struct {
		int status; /* 0: closed without a response */
		long long count;
	} answers[ATTACK_ANSWERS];
};

/* The names, for a usage text. */
extern const char attack_names[];

struct attack_setup {
	struct links *links;
	const struct target *target;
	double rate;	   /* requests a second; 0: as often as the server allows */
	const char *token; /* of the attacker; NULL: a guest each time */
};

/* False: no attack has that name, or no memory. What setup points to is borrowed. */
bool attack_init(struct attack *attack, const char *name, const struct attack_setup *setup);
/* Sends what is due. */
void attack_turn(struct attack *attack, int64_t now_us);
const char *attack_name(const struct attack *attack);
void attack_release(struct attack *attack);

#endif
