/*
 * weights.h - an evaluation's weights from a file: lines `name = 1 2 3`; '#' starts a comment.
 * SPDX-License-Identifier: MIT
 */
#ifndef SEARCH_WEIGHTS_H
#define SEARCH_WEIGHTS_H

#include "quevedo.h"

/*
 * Parses a file's data into weights (evaluation->weights_size bytes, which hold the defaults
 * before); weights that the file does not name keep their value. An unknown or repeated name or a
 * wrong number of values is an error; weights are then undefined.
 */
enum qv_status weights_read(const struct qv_evaluation *evaluation, const char *data, size_t size,
			    void *weights, struct qv_error *error);

/*
 * Finds one weight: `corner[2]` is the second value of its group; `threat` a group with one value.
 * *place is its index among all weights of the evaluation.
 */
enum qv_status weights_find(const struct qv_evaluation *evaluation, const char *name, int *place,
			    struct qv_error *error);
/* Sets one: `corner[2]:25`. */
enum qv_status weights_set(const struct qv_evaluation *evaluation, const char *text, void *weights,
			   struct qv_error *error);

enum { WEIGHT_MOST = 1 << 16 };        /* and minus that */

#endif
