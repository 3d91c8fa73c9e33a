/*
 * lab_td.c - requests of the laboratory: temporal-difference learning of the weights of Race!.
 * SPDX-License-Identifier: MIT
 */
#include "learn/race/train.h"
#include "server/wasm/inside.h"

enum { GAMES_MOST = 20000, TEST_MOST = 1000, POINTS_MOST = 500 };

static json_t *weights_json(const int32_t *weights)
{
	json_t *o = json_object();
	for (const struct qv_weight *w = race_weight_names; w->name; w++)
		o = json_field(o, w->name, json_integer(weights[w->first]));
	return o;
}

/* race_job.point: ctx is the array of points. */
static void add_point(void *ctx, const struct race_point *p)
{
	json_t **curve = ctx;
	*curve = json_item(*curve,
			   json_pack("{s:I, s:o, s:I, s:I, s:o}", "games", (json_int_t)p->games,
				     "error", p->games ? json_real(p->error) : json_null(), "won",
				     (json_int_t)p->won, "tested", (json_int_t)p->tested, "weights",
				     weights_json(p->weights)));
}

/* Reads the plan; *opponent: the spec of the player it is tested against. */
static bool read_plan(struct api *api, const struct api_request *r, struct race_plan *plan,
		      const char **opponent)
{
	const char *game;
	json_int_t seed, games, every, test, rate, lambda, wild;
	if (race_plan_parse("", plan, NULL) != QV_OK ||
	    !body_keys(api, r, "game games every test seed rate lambda wild opponent") ||
	    !body_text(api, r, "game", &game) || !body_text(api, r, "opponent", opponent) ||
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
	if (game && strcmp(game, "race") != 0)
		reply_error(api, r->call, 409, "game: only race has such a learner");
	else if (games / every > POINTS_MOST)
		reply_error(api, r->call, 400, "every: at most %d points are allowed", POINTS_MOST);
	else
		return true;
	return false;
}

void post_td(struct api *api, const struct api_request *r)
{
	const char *opponent;
	json_t *curve = NULL;
	struct race_job job = { .point = add_point, .ctx = &curve };
	const struct qv_defaults defaults = { .seed = 1, .threads = 1, .hash_mb = 1 };
	struct qv_rules rules;
	struct qv_error error = { "" };
	int32_t weights[RACE_WEIGHTS];
	if (!read_plan(api, r, &job.plan, &opponent))
		return;
	curve = json_array();
	enum qv_status status = qv_rules_parse(api->setup.context, "race", &rules, &error);
	if (status == QV_OK && job.plan.test)
		status = qv_player_new(api->setup.context, &rules, opponent ? opponent : "book",
				       &defaults, &job.opponent, &error);
	if (status == QV_OK)
		status = race_train(&job, weights, &error);
	if (status == QV_OK)
		reply(api, r->call, 200,
		      json_pack("{s:s, s:o, s:o}", "game", "race", "curve", curve, "weights",
				weights_json(weights)));
	else {
		json_decref(curve);
		reply_error(api, r->call, status == QV_NO_MEMORY ? 503 : 409, "%s", error.text);
	}
	qv_player_free(job.opponent);
}
