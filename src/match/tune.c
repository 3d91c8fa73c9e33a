/*
 * tune.c - tunes one weight of an evaluation by self-play.
 * SPDX-License-Identifier: MIT
 *
 * A value is passed to its player in the spec, as `weight=NAME:N`, so that anybody can repeat the
 * games with a match or play against such a player. NAME may have an index, as in corner[2];
 * whether the weight exists is checked when the tuning starts.
 */
#include "match/tune.h"

#include "base/scan.h"
#include "core/context.h"
#include "core/player.h"
#include "lurgee/search.h"
#include "search/evaluation.h"
#include "search/weights.h"

/* ---- The values ---- */

enum qv_status tune_range_parse(const char *text, struct tune_range *out, struct qv_error *error)
{
	const int64_t most = WEIGHT_MOST;
	const size_t length = strcspn(text, "=");
	const char *rest = text[length] ? text + length + 1 : "";
	int64_t from, to, step;
	struct tune_range r = { .count = 0 };
	if (!length || length >= sizeof r.name || !scan_int(&rest, -most, most, &from) ||
	    !scan_literal(&rest, ":") || !scan_int(&rest, -most, most, &to) ||
	    !scan_literal(&rest, ":") || !scan_int(&rest, -most, most, &step) || *rest)
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s' is not NAME=FROM:TO:STEP, as in corner[2]=0:40:10",
			       text);
	memcpy(r.name, text, length);
	r.from = (int)from;
	r.to = (int)to;
	r.step = (int)step;
	if (r.step < 1 || r.from > r.to)
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s': FROM must be at most TO, and STEP at least 1",
			       text);
	r.count = (r.to - r.from) / r.step + 1;
	if (r.count > TUNE_VALUES)
		return qv_fail(error, QV_BAD_INPUT, "weight: '%.60s': %d values, more than %d",
			       text, r.count, TUNE_VALUES);
	*out = r;
	return QV_OK;
}

/* ---- The players ---- */

const char *tune_player(const struct qv_game *game)
{
	if (game->seats > 2)
		return "maxn:depth=2,random=1";
	return game->chance ? "expectimax:depth=2" : "alphabeta:depth=3,random=1,tt=1";
}

/* The spec with this value of the weight. */
static enum qv_status varied_spec(const struct tune_job *job, const char *base, int value,
				  char out[TUNE_SPEC], struct qv_error *error)
{
	const int length = snprintf(out, TUNE_SPEC, "%s%cweight=%s:%d", base,
				    strchr(base, ':') ? ',' : ':', job->range.name, value);
	if (length < 0 || length >= TUNE_SPEC)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters",
			       TUNE_SPEC - 1);
	return QV_OK;
}

/* Finds the current value of the weight. Fails if the player has no such weight. */
static enum qv_status find_current(const struct qv_context *context, const struct tune_job *job,
				   const char *base, int32_t *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = job->seed, .threads = 1, .hash_mb = 1
	};
	struct chosen_evaluation chosen = { 0 };
	struct settings set;
	char spec[TUNE_SPEC];
	int place = 0;
	enum qv_status status = varied_spec(job, base, job->range.from, spec, error);
	if (status == QV_OK)
		status = spec_parse(spec, &defaults, &set, error);
	if (status != QV_OK)
		return status;
	set.weight[0] = '\0';
	/* The Lurgee players have evaluations of their own. */
	const struct qv_game *game = job->rules.game;
	const struct game_player *part = game_player_find(context_engine(game), &lurgee_kind);
	const struct lurgee_kit *kit = part && set.kind == &lurgee_kind ? part->own : NULL;
	status = evaluation_choose(a, game, kit ? kit->evaluations : game->evaluations,
				   kit ? NULL : context_added(context, game), &set, &chosen, error);
	if (status == QV_OK)
		status = weights_find(chosen.evaluation, job->range.name, &place, error);
	if (status == QV_OK) {
		const void *weights = chosen.weights ? chosen.weights : chosen.evaluation->weights;
		*out = ((const int32_t *)weights)[place];
	}
	evaluation_release(a, &chosen);
	return status;
}

/* ---- The matches ---- */

struct tune_progress {
	const struct tune_job *job;
	int number;
};

/* The match's listener: passes the totals on with the number of the value. */
static bool on_game(void *ctx, const struct match_game *game, const struct match_totals *so_far)
{
	const struct tune_progress *t = ctx;
	(void)game;
	if (t->job->game)
		t->job->game(t->job->ctx, t->number, so_far);
	return true;
}

/* Plays one match: the player with the value against the unchanged player. */
static enum qv_status try_value(const struct qv_context *context, const struct tune_job *job,
				const char *base, int number, struct tune_value *v,
				struct qv_error *error)
{
	char spec[TUNE_SPEC];
	enum qv_status status = varied_spec(job, base, v->value, spec, error);
	if (status != QV_OK)
		return status;
	const struct match_player players[2] = { { "varied", spec }, { "base", base } };
	const bool two = job->rules.game->seats == 2;
	const struct match_plan plan = { .rules = job->rules, .players = players, .player_count = 2,
					 .games = job->games, .seed = job->seed, .pairs = two,
					 .random_plies = job->random_plies,
					 .max_plies = job->max_plies, .threads = job->threads,
					 .hash_mb = job->hash_mb };
	struct tune_progress progress = { job, number };
	const struct match_run run = { .jobs = job->jobs, .no_times = true, .stop = job->stop,
				       .listener = { .game = on_game, .ctx = &progress } };
	struct match_totals totals = { 0 };
	status = plan_check(&plan, error);
	if (status == QV_OK)
		status = match_run(context, &plan, &run, &totals, error);
	if (status == QV_OK) {
		v->games = totals.meetings[1];
		v->statistics = two ? statistics_of_pairs(&totals.pairs[1])
				    : statistics_of_meetings(&totals.meetings[1],
							     plan.rules.game->seats);
	}
	totals_release(&totals);
	return status;
}

enum qv_status tune_run(const struct qv_context *context, const struct tune_job *job,
			struct tune_value *values, struct tune_outcome *out,
			struct qv_error *error)
{
	const char *base = job->player ? job->player : tune_player(job->rules.game);
	*out = (struct tune_outcome){ 0 };
	if (job->rules.game->seats == 2 && job->games % 2)
		return qv_fail(error, QV_BAD_INPUT,
			       "games: %lld is odd, but games are played in pairs",
			       (long long)job->games);
	enum qv_status status = find_current(context, job, base, &out->current, error);
	for (int i = 0; status == QV_OK && i < job->range.count; i++) {
		values[i] = (struct tune_value){ .value = job->range.from + i * job->range.step };
		values[i].current = values[i].value == out->current;
		status = try_value(context, job, base, i, &values[i], error);
		out->done += status == QV_OK;
	}
	return status;
}
