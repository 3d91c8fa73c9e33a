/*
 * weights.h - an evaluation's weights from a file: lines `name = 1 2 3`, '#' begins a remark.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_WEIGHTS_H
#define SEARCH_WEIGHTS_H

#include "quevedo.h"

/*
 * Reads data over weights (evaluation->weights_size bytes, which hold the defaults before); what
 * the file does not name stays. A name that is not known, given twice, or has another number of
 * values is an error, and weights may then be half read.
 */
enum qv_status weights_read(const struct qv_evaluation *evaluation, const char *data, size_t size,
			    void *weights, struct qv_error *error);

/*
 * One weight: `corner[2]`, the second value of its group, or `threat`, of a group with only one.
 * *place is its number among all of the evaluation's.
 */
enum qv_status weights_find(const struct qv_evaluation *evaluation, const char *name, int *place,
			    struct qv_error *error);
/* Sets one: `corner[2]:25`. */
enum qv_status weights_set(const struct qv_evaluation *evaluation, const char *text, void *weights,
			   struct qv_error *error);

enum { WEIGHT_MOST = 1 << 16 };        /* and minus that */

#endif
