/*
 * record_times.h - the times and clocks of a record's moves, for writers of files.
 * SPDX-License-Identifier: MIT
 *
 * They are only in the journal, so the journal is replayed once to find the moves they belong to.
 */
#ifndef FORMATS_RECORD_TIMES_H
#define FORMATS_RECORD_TIMES_H

#include <jansson.h>

#include "record/record.h"

struct record_times {
	struct qv_record *copy; /* of the record, with its cursor at the end of its line */
	json_t *header;		/* the first line */
	double *seconds;	/* for each node; -1: unknown */
	int64_t *clocks;	/* milliseconds left to who moved, for each node; -1: unknown */
	size_t nodes;
	const struct qv_allocator *allocator;
};

/* Release it in any case. */
enum qv_status record_times_read(struct record_times *t, const struct qv_context *context,
				 const struct qv_record *record, struct qv_error *error);
void record_times_release(struct record_times *t);

#endif
