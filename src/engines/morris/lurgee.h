/*
 * lurgee.h - what the Lurgee framework's player has for nine men's morris: evaluators and ladders.
 * SPDX-License-Identifier: MIT
 */
#ifndef ENGINES_MORRIS_LURGEE_H
#define ENGINES_MORRIS_LURGEE_H

#include "search/lurgee.h"

extern const struct qv_evaluation morris_lurgee_evaluations[];
extern const char *const morris_lurgee_documents[], *const morris_lurgee_release[];

#endif
