/*
 * exchange.h - what the ranks of a build agree on and exchange, over struct qv_tables_ranks.
 * SPDX-License-Identifier: MIT
 *
 * All functions are collective: every rank calls them, in the same order. With ranks NULL they
 * return at once, as for a single rank.
 */
#ifndef SOLVE_EXCHANGE_H
#define SOLVE_EXCHANGE_H

#include "solve/retro.h"

/* The maximum of a value over all ranks. */
int64_t exchange_max(const struct qv_tables_ranks *ranks, int64_t value);
/* Whether it is true on any rank. */
bool exchange_any(const struct qv_tables_ranks *ranks, bool value);
/* For a maximum over all ranks: 0 for QV_OK, otherwise a number that names this rank. */
int64_t exchange_failure(const struct qv_tables_ranks *ranks, enum qv_status status);
/* What exchange_agree returns if the maximum of exchange_failure is not 0. */
enum qv_status exchange_spread(const struct qv_tables_ranks *ranks, int64_t failure,
			       enum qv_status status, struct qv_error *error);
/*
 * Gives all ranks the status and error text of the first rank that failed; QV_OK: none failed. The
 * text then begins with that rank's number, unless it is 0 or the status is QV_STOPPED.
 */
enum qv_status exchange_agree(const struct qv_tables_ranks *ranks, enum qv_status status,
			      struct qv_error *error);

/* Buffers for updates. {0} is a valid empty one. */
struct exchange {
	uint64_t *out, *in;
	size_t out_room, in_room;
	size_t *bytes; /* per rank: bytes that go there, bytes that come, the size of a size */
};

/* False: not enough memory. Release it in any case. */
bool exchange_init(struct exchange *e, const struct retro *r);

/*
 * Sends the queued updates of all workers to the ranks that hold the positions, and empties the
 * queues. Received updates are in e->in, *count of them. Fails on all ranks or on none.
 */
enum qv_status exchange_updates(struct exchange *e, const struct retro *r,
				struct retro_worker *workers, int count_workers, size_t *count,
				struct qv_error *error);
void exchange_release(struct exchange *e, const struct retro *r);

/*
 * Writes the finished table of a space, of which each rank holds a part. The first rank writes; the
 * others send it their values, a window at a time. All return the same status.
 */
enum qv_status exchange_write_table(const struct retro *r, int space, const char *path,
				    struct table_facts *facts, struct qv_error *error);

/*
 * A rank's checkpoint of a space has the format of a table. Its values are those of the part,
 * followed by the counters, in values of the same width; `progress` is the first number of the part.
 */
enum qv_status exchange_write_part(const struct retro *r, int space, const char *path,
				   struct table_facts *facts, struct qv_error *error);
/* The number of values in the checkpoint of a part with this many numbers. */
uint64_t exchange_part_size(uint64_t numbers);
/*
 * Reads a checkpoint of the right size. `values` may be wider than the file. QV_IO or QV_BAD_INPUT: it
 * cannot be read or is damaged, and the values are incomplete.
 */
enum qv_status exchange_read_part(struct table_file *file, struct values *values,
				  struct values *counters, struct qv_error *error);

#endif
