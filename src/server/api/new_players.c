/*
 * new_players.c - players whose spec nobody has used yet: a worker makes one, to see whether it is valid.
 * SPDX-License-Identifier: MIT
 *
 * Making a player takes up to 10 ms: weights are unpacked, tables are allocated. Specs that are valid are
 * remembered (search_jobs.h), so most requests do not come here.
 */
#include <stdlib.h>
#include <string.h>

#include "server/api/allowed_specs.h"
#include "server/api/inside.h"

enum { CHECKS_MOST = 8 }; /* that may wait for a worker, of one address */

struct trial {
	struct api *api;
	struct qv_rules rules;
	char spec[];
};

/* If it is valid it is remembered; if not, the request finds out why, which is quick. */
static void trial_run(struct worker_task *task, void *arg)
{
	const struct trial *t = arg;
	struct qv_error error;
	(void)task;
	specs_check(t->api->setup.context, t->api->table_lookup, &t->rules, t->spec, &error);
}

bool player_is_known(struct api *api, const struct api_request *r, const struct qv_rules *rules,
		     const char *spec, struct request_position *position)
{
	static const struct request_work work = { "spec", CHECKS_MOST, trial_run, free,
						  call_resume_with, 0 };
	const size_t size = strlen(spec) + 1;
	if (api->run->job_ended || table_lookup_knows(api->table_lookup, rules, spec))
		return true;
	struct trial *t = malloc(sizeof *t + size);
	if (!t) {
		reply_no_memory(api, r->call);
		return false;
	}
	t->api = api;
	t->rules = *rules;
	memcpy(t->spec, spec, size);
	if (position)
		request_keep_position(api, position);
	call_work(api, r, call_park(api, r, CALL_JOB), &work, t);
	return false;
}
