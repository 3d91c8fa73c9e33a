/*
 * lurgee_kit.h - what the Lurgee framework's player has for nine men's morris: evaluators and ladders.
 * SPDX-License-Identifier: MIT
 */
#ifndef GAMES_MORRIS_LURGEE_KIT_H
#define GAMES_MORRIS_LURGEE_KIT_H

#include "lurgee/search.h"

extern const struct qv_evaluation morris_lurgee_evaluations[];
extern const char *const morris_lurgee_documents[], *const morris_lurgee_release[];

#endif
