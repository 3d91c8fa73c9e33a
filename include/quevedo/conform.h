/*
 * conform.h - part of quevedo.h: the conformance suite, which checks the laws of a game.
 * SPDX-License-Identifier: MIT
 */
#ifndef QUEVEDO_CONFORM_H
#define QUEVEDO_CONFORM_H

#include "rules.h"

#ifdef __cplusplus
extern "C" {
#endif

struct qv_conformance {
	size_t size;               /* sizeof(struct qv_conformance) */
	uint64_t seed;
	int games;                 /* random games to play; 0: 100 */
	int max_plies;             /* length limit of a random game; 0: 400 */
	int search_depth;          /* depth of the searches that are compared; 0: 3 */
	/* Called after each law that holds, with the number of checks made; may be NULL. */
	void (*progress)(void *ctx, const char *law, uint64_t checks);
	void *ctx;
};
/*
 * Checks the laws that every game must obey. QV_ILLEGAL: one is violated; the error text says which
 * one and in which position.
 */
QV_API enum qv_status qv_conform(const struct qv_context *context, const struct qv_rules *rules,
				 const struct qv_conformance *how, struct qv_error *error);


#ifdef __cplusplus
}
#endif

#endif
