/*
 * lab_td.c - requests of the laboratory: temporal-difference learning of the weights of Race!.
 * SPDX-License-Identifier: MIT
 */
#include "base/clock.h"
#include "learn/race/train.h"
#include "server/wasm/inside.h"

enum { GAMES_MOST = 20000, TEST_MOST = 1000, POINTS_MOST = 500, SECONDS_MOST = 120 };

/* What the response gets while it learns: points of the curve, and the moves of the last game. */
struct response {
	const struct qv_game *game;
	json_t *curve, *moves;
};

static void add_point(void *ctx, const struct race_point *p)
{
	struct response *out = ctx;
	out->curve = json_item(out->curve, race_point_json(p));
}

static void add_move(void *ctx, const struct race *s, qv_move move)
{
	struct response *out = ctx;
	out->moves = json_item(out->moves, move_text_json(out->game, s, move));
}

/*
 * Reads the plan, and how far the training has come; *opponent: the spec of the player it is tested
 * against.
 */
static bool read_job(struct api *api, const struct api_request *r, struct race_job *job,
		     const char **opponent)
{
	struct race_plan *plan = &job->plan;
	struct qv_error error = { "" };
	const char *game, *progress;
	json_int_t seed, games, every, test, rate, lambda, wild, slice;
	if (race_plan_parse("", plan, NULL) != QV_OK ||
	    !body_keys(api, r,
		       "game games every test seed rate lambda wild opponent slice progress") ||
	    !body_text(api, r, "game", &game) || !body_text(api, r, "opponent", opponent) ||
	    !body_text(api, r, "progress", &progress) ||
	    !body_integer(api, r, "slice", 0, GAMES_MOST, 0, &slice) ||
	    !body_integer(api, r, "seed", 0, INT64_MAX, 1, &seed) ||
	    !body_integer(api, r, "games", 1, GAMES_MOST, plan->games, &games) ||
	    !body_integer(api, r, "every", 1, GAMES_MOST, plan->every, &every) ||
	    !body_integer(api, r, "test", 0, TEST_MOST, 100, &test) ||
	    !body_integer(api, r, "rate", 1, 1000, plan->rate, &rate) ||
	    !body_integer(api, r, "lambda", 0, 100, plan->lambda, &lambda) ||
	    !body_integer(api, r, "wild", 0, 100, plan->wild, &wild))
		return false;
	*plan = (struct race_plan){ .seed = (uint64_t)seed,
				    .games = games,
				    .every = every,
				    .test = test,
				    .rate = (int)rate,
				    .lambda = (int)lambda,
				    .wild = (int)wild };
	job->slice = slice;
	if (game && strcmp(game, "race") != 0)
		reply_error(api, r->call, 409, "game: only race has such a learner");
	else if (games / every > POINTS_MOST)
		reply_error(api, r->call, 400, "every: at most %d points are allowed", POINTS_MOST);
	else if (progress && race_progress_parse(progress, plan, job->progress, &error) != QV_OK)
		reply_error(api, r->call, 400, "%s", error.text);
	else
		return true;
	return false;
}

static json_t *response_json(struct response *out, const struct race_progress *progress,
			     const int32_t *weights)
{
	char text[QV_POSITION_TEXT] = "";
	race_progress_text(progress, &(struct qv_text){ text, sizeof text, 0 });
	return json_pack("{s:s, s:o, s:o, s:o, s:s, s:o}", "game", "race", "curve", out->curve,
			 "weights", race_weights_json(weights), "usual",
			 race_weights_json(race_weights), "progress", text, "moves", out->moves);
}

/* A request may play a slice of the games only. The next one gets the `progress` of its response. */
void post_td(struct api *api, const struct api_request *r)
{
	const char *opponent;
	struct race_progress progress = { 0 };
	struct response out = { 0 };
	struct race_job job = {
		.progress = &progress, .point = add_point, .played = add_move, .ctx = &out
	};
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_rules rules = { 0 };
	struct qv_error error = { "" };
	int32_t weights[RACE_WEIGHTS];
	if (!read_job(api, r, &job, &opponent))
		return;
	out.curve = json_array();
	out.moves = json_array();
	enum qv_status status = qv_rules_parse(api->setup.context, "race", &rules, &error);
	out.game = rules.game;
	if (status == QV_OK && job.plan.test)
		status = qv_player_new(api->setup.context, &rules, opponent ? opponent : "book",
				       &defaults, &job.opponent, &error);
	job.until_us = clock_us() + SECONDS_MOST * INT64_C(1000000);
	if (status == QV_OK)
		status = race_train(&job, weights, &error);
	if (status == QV_STOPPED)
		qv_fail(&error, status,
			"td: more than %d seconds; request fewer games, or a faster opponent",
			SECONDS_MOST);
	if (status == QV_OK)
		reply(api, r->call, 200, response_json(&out, &progress, weights));
	else {
		json_decref(out.curve);
		json_decref(out.moves);
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 409, "%s", error.text);
	}
	qv_player_free(job.opponent);
}
