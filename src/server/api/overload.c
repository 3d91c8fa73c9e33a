/*
 * overload.c - what happens when more is to be written than the disk takes, or when it hangs.
 * SPDX-License-Identifier: MIT
 *
 * A write that is refused before anything is done costs little, and the client knows where it is. So
 * new ones are refused while others have waited for a second. A request that has waited for ten gets
 * its response, too; but its write stays where it is and may still be stored, and says so. If that
 * ends the cookie that the client has, the next request with it is refused with 401, as after a
 * response that was lost: nobody becomes another user without a word.
 */
#include "server/api/inside.h"

enum {
	OVERLOAD_MS = 1000, /* writes that wait for so long: no more of them */
	LATE_MS = 5000,	    /* ... and the server is not ready */
	ANSWER_MS = 10000,  /* a request that waits for so long gets a response */
	LOOK_MS = 1000,	    /* between two looks, while something is written */
};

bool overload_allows(struct api *api, const struct api_request *r)
{
	const int64_t most = api->setup.overload_ms ? api->setup.overload_ms : OVERLOAD_MS;
	if (most < 0 || store_delay(api->store).queued_ms < most)
		return true;
	reply_error(api, r->call, 503,
		    "overload: more is to be stored than the disk takes, so nothing was done; send "
		    "the request again in a second");
	return false;
}

/* Writes that are on their way stay there. What the server does by itself goes on waiting. */
static void answer_those_that_wait(struct api *api)
{
	const int64_t until = api_now(api) - ANSWER_MS;
	const struct call *call;
	for (size_t at = 0; (call = map_next(&api->calls, &at));) {
		const uint64_t number = call->number;
		const bool writes = call->kind == CALL_STORE;
		if ((!writes && call->kind != CALL_WAIT) || call->since_ms > until ||
		    request_is_inside(number))
			continue;
		call_free(api, map_find(&api->calls, number));
		reply_error(api, number, 503,
			    writes ? "store: the disk does not answer; this may still be stored, so "
				     "look before you try again"
				   : "store: the disk does not answer, and nothing was done; try "
				     "again");
	}
}

int64_t overload_turn(struct api *api)
{
	const int64_t age = store_delay(api->store).oldest_ms, now = api_now(api);
	const bool late = age >= LATE_MS;
	if (late && !api->store_late_since) {
		api->store_late_since = api_seconds(api) - age / 1000;
		api_log(api, "error", "store: the disk does not answer; requests wait, or are refused");
	} else if (!late && api->store_late_since) {
		api->store_late_since = 0;
		api_log(api, "warn", "store: the disk answers again");
	}
	if (age >= ANSWER_MS)
		answer_those_that_wait(api);
	return age ? now + LOOK_MS : -1;
}
