/*
 * seats.h - what session.c needs of seats.c.
 * SPDX-License-Identifier: MIT
 */
#ifndef SESSION_SEATS_H
#define SESSION_SEATS_H

#include "session/session.h"

/* Frees the players, which are made again when they are needed. */
void seats_release(struct session *s);
/* Whether `human` or a player can be made of it; programs: also one that is a program outside. */
enum qv_status seats_check(const struct qv_context *context, const struct qv_rules *rules,
			   const struct qv_defaults *defaults, const char *spec, bool programs,
			   struct qv_error *error);

#endif
