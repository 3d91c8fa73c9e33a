/*
 * desk_writes.h - waiting for what the store of a desk is writing.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_DESK_WRITES_H
#define TEST_DESK_WRITES_H

#include "server/api/inside.h"
#include "support/api_desk.h"

static inline void desk_on_written(void *ctx, bool ok)
{
	bool *written = ctx;
	(void)ok;
	*written = true;
}

/* Turns the API until all units that were queued before have been written, or have failed. */
static inline void desk_await_writes(struct api_desk *d)
{
	bool written = false;
	store_put_user(d->api->store, "somebody", "Somebody", 1);
	assert_int_equal(store_end_unit(d->api->store, desk_on_written, &written), QV_OK);
	for (const int64_t until = clock_us() + 60 * 1000000; !written && clock_us() < until; nap())
		api_turn(d->api);
	assert_true(written);
}

#endif
