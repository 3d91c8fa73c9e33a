/*
 * analysis.c - routes that let workers think: the best lines, exact values.
 * SPDX-License-Identifier: MIT
 */
#include <stdlib.h>

#include "core/context.h"
#include "server/api/inside.h"
#include "server/api/allowed_specs.h"
#include "server/jobs/search_jobs.h"

enum {
	LINES_MOST = 8,
	TIME_PRESET = 5000,
	TIME_MOST = 30000,
	VALUES_MS = 2000,
	EXPLAIN_MS = 2000,
	GRACE_MS = 500,            /* beyond its time, before its stop flag is set */
};

/* Somebody who has no cookie yet counts by address. */
static void client_of(const struct visitor *v, char out[WORKER_CLIENT])
{
	if (v->fresh)
		snprintf(out, WORKER_CLIENT, "at %s", v->address);
	else
		snprintf(out, WORKER_CLIENT, "think %s", v->user);
}

static bool can_think(struct api *api, const struct api_request *r, const struct opened_position *place)
{
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(place->record, points) != QV_GOING)
		reply_error(api, r->call, 409, "position: the game has ended");
	else if (place->rules.game->seat(qv_record_state(place->record)) == QV_CHANCE)
		reply_error(api, r->call, 409, "position: chance is to move, not a player");
	else
		return true;
	return false;
}

/* Makes the job and hands it over; the answer comes by `done`. */
static void submit(struct api *api, const struct api_request *r, struct search_job_setup *setup,
		   const struct opened_position *place, struct worker_job *job,
		   void (*done)(struct api *, struct call *, const char *, bool))
{
	char client[WORKER_CLIENT];
	setup->context = api->setup.context;
	setup->rules = place->rules;
	setup->state = qv_record_state(place->record);
	setup->history = qv_record_history(place->record, &setup->history_count);
	setup->hash_mb = api->setup.hash_mb;
	setup->tables = api->setup.tables;
	setup->table_lookup = api->table_lookup;
	setup->seed = 1;
	struct search_job *thinking = search_job_new(setup);
	struct call *call = NULL;
	if (!thinking)
		reply_error(api, r->call, 503, "server: out of memory");
	else if (!(call = call_new(api, r->call, r->visitor->user, CALL_JOB)))
		search_job_free(thinking);
	if (!call)
		return;
	client_of(r->visitor, client);
	call->job_done = done;
	job->client = client;
	job->group = r->visitor->address;
	job->most = QUEUE_CLIENT;
	job->release = search_job_free;
	job->arg = thinking;
	call_submit(api, call, job);
}

/* ---- Analysis ---- */

static void analysis_said(struct api *api, struct call *call, const char *text, bool last)
{
	const bool begun = call->begun;
	const struct outgoing out = { .call = call->number, .status = 200, .stream = true,
				      .end = last };
	const bool failed = !text || *text == '!';
	call->begun = true;
	if (last)
		call_free(api, call);
	if (!failed)
		reply_text(api, &out, text);
	else if (begun)
		reply_text(api, &out, "");
	else
		reply_error(api, out.call, text ? 409 : 503, "%s",
			    text ? text + 1 : "server: out of memory");
}

void post_analysis(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct opened_position place;
	struct qv_error error;
	json_int_t lines, time;
	struct search_job_setup setup = { 0 };
	(void)w;
	if (!body_keys(api, r, "game position moves lines time player") ||
	    !body_text(api, r, "player", &setup.spec) ||
	    !body_integer(api, r, "lines", 1, LINES_MOST, 1, &lines) ||
	    !body_integer(api, r, "time", 1, TIME_MOST, TIME_PRESET, &time) ||
	    !position_open(api, r, &place))
		return;
	if (setup.spec &&
	    specs_check(api->setup.context, api->table_lookup, &place.rules, setup.spec, &error) != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
	} else if (can_think(api, r, &place)) {
		struct worker_job job = { .limit_ms = time + GRACE_MS, .run = search_job_lines };
		setup.lines = (int)lines;
		setup.time_ms = time;
		submit(api, r, &setup, &place, &job, analysis_said);
	}
	position_release(&place);
}

/* ---- Values ---- */

static void values_said(struct api *api, struct call *call, const char *text, bool last)
{
	const struct outgoing out = { .call = call->number, .status = 200, .end = true };
	if (!last)
		return;
	call_free(api, call);
	if (text && *text != '!')
		reply_text(api, &out, text);
	else
		reply_error(api, out.call, text ? 409 : 503, "%s",
			    text ? text + 1 : "server: out of memory");
}

void post_values(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct opened_position place;
	(void)w;
	if (!body_keys(api, r, "game position moves") || !position_open(api, r, &place))
		return;
	if (place.rules.game->seats != 2 || place.rules.game->chance) {
		reply_error(api, r->call, 409,
			    "values: for two seats without chance, which %s is not",
			    place.rules.game->name);
	} else if (can_think(api, r, &place)) {
		struct worker_job job = { .limit_ms = VALUES_MS, .run = search_job_values };
		struct search_job_setup setup = { 0 };
		submit(api, r, &setup, &place, &job, values_said);
	}
	position_release(&place);
}

/* ---- How a player thinks ---- */

void post_explanation(struct api *api, const struct api_request *r, const struct path_words *w)
{
	struct opened_position place;
	struct qv_error error;
	struct search_job_setup setup = { 0 };
	(void)w;
	if (!body_keys(api, r, "game position moves player") ||
	    !body_text(api, r, "player", &setup.spec) || !position_open(api, r, &place))
		return;
	const struct engine *engine = context_engine(place.rules.game);
	if (!engine->explain) {
		reply_error(api, r->call, 409, "explain: no player of %s tells how it thinks",
			    place.rules.game->name);
	} else if (setup.spec && specs_check(api->setup.context, api->table_lookup, &place.rules,
					     setup.spec, &error) != QV_OK) {
		reply_error(api, r->call, 400, "%s", error.text);
	} else if (can_think(api, r, &place)) {
		struct worker_job job = { .limit_ms = EXPLAIN_MS, .run = search_job_explanation };
		if (!setup.spec)
			setup.spec = engine->explainer;
		submit(api, r, &setup, &place, &job, values_said);
	}
	position_release(&place);
}
