/*
 * tune.c - the command tune: self-play for each value of one weight.
 * SPDX-License-Identifier: MIT
 *
 * For each value of the range the player with it meets the player as it is. The matches are those
 * of match/tune.h; here are the options, the table and the JSON. After Ctrl-C the values that are
 * done are printed, with exit status 1.
 */
#include "cli/cli.h"
#include "match/tune.h"

/* The options of tune. */
struct tune_values {
	const char *weight;
	int64_t games, jobs, random_plies, max_plies;
};

#define ROW(name_, type_, f, ...) COMMAND_OPTION(struct tune_values, name_, type_, f, __VA_ARGS__)
static const struct option own_options[] = {
	ROW("weight", OPTION_POINTER, weight, .value = "NAME=FROM:TO:STEP",
	    .help = "the weight and its values: threat=0:20:5, corner[2]=0:50:10"),
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "player whose weight is tuned"),
	ROW("games", OPTION_INT, games, .min = 1, .max = MATCH_MAX_GAMES, .def = 100, .value = "N",
	    .help = "games for each value; a pair counts as two"),
	ROW("jobs", OPTION_INT, jobs, .min = 1, .max = MATCH_MAX_JOBS, .def = 1, .value = "N",
	    .help = "games played at the same time"),
	/* Without random moves all games between two players would be the same. */
	ROW("random-plies", OPTION_INT, random_plies, .max = MATCH_MAX_PLIES, .def = 4,
	    .value = "N", .help = "start with N random moves"),
	ROW("max-plies", OPTION_INT, max_plies, .max = MATCH_MAX_PLIES, .value = "N",
	    .help = "longer games are drawn; 0: after 100000 plies"),
	{ 0 },
};
#undef ROW

/* A tuning run with its results. */
struct run {
	struct cli *c;
	struct tune_job job;
	struct tune_value *values; /* one for each value of the range */
	struct tune_outcome outcome;
};

/* Overwrites the line of progress: the value and the game that is being played. */
static void show_progress(void *ctx, int number, const struct match_totals *so_far)
{
	const struct run *r = ctx;
	const struct tune_range *range = &r->job.range;
	fprintf(stderr, "\r%s %d (%d of %d): game %lld of %lld  ", range->name,
		range->from + number * range->step, number + 1, range->count,
		(long long)so_far->games, (long long)r->job.games);
}

/* A row for each value that is done, then the value with the best score. */
static void print_table(const struct run *r)
{
	struct string *out = &r->c->out;
	const struct tune_value *best = NULL;
	string_addf(out, "player %s, %s %d\n%-12s %7s %7s %7s %7s  %8s %7s  %8s %7s\n",
		    r->job.player, r->job.range.name, (int)r->outcome.current, r->job.range.name,
		    "games", "wins", "draws", "losses", "score %", "+-", "Elo", "+-");
	for (int i = 0; i < r->outcome.done; i++) {
		const struct tune_value *v = &r->values[i];
		const struct statistics *s = &v->statistics;
		char value[24];
		snprintf(value, sizeof value, "%d%s", v->value, v->current ? " (now)" : "");
		string_addf(out, "%-12s %7llu %7llu %7llu %7llu  %8.2f %7.2f  %+8.1f %7.1f\n",
			    value, (unsigned long long)tally_games(&v->games),
			    (unsigned long long)v->games.wins, (unsigned long long)v->games.draws,
			    (unsigned long long)v->games.losses, 100 * s->score,
			    100 * s->score_error, s->elo, s->elo_error);
		if (!best || s->score > best->statistics.score)
			best = v;
	}
	if (best)
		string_addf(out, "best %d\n", best->value);
}

/* Fills the job from the command line. */
static enum qv_status make_job(struct run *r)
{
	struct cli *c = r->c;
	const struct tune_values *own = cli_own(c);
	struct tune_job *job = &r->job;
	struct qv_error why;
	enum qv_status status =
		qv_rules_parse(c->context, c->args.words[1], &job->rules, &c->error);
	if (status != QV_OK)
		return status;
	/* The option is required, since there is no weight to tune by default. */
	if (!own->weight)
		return cli_refuse(c, "--weight: it is missing; write --weight NAME=FROM:TO:STEP");
	/* The parser names the option in its error without the dashes. */
	status = tune_range_parse(own->weight, &job->range, &why);
	if (status != QV_OK)
		return qv_fail(&c->error, status, "--%.200s", why.text);
	/* Without --player, the default player of the game for tuning is used. */
	job->player = c->args.player ? c->args.player : tune_player(job->rules.game);
	job->games = own->games;
	job->seed = (uint64_t)c->args.seed;
	job->jobs = (int)own->jobs;
	job->threads = (int)c->args.threads;
	job->hash_mb = (int)c->args.hash_mb;
	job->max_plies = (int)own->max_plies;
	job->random_plies = (int)own->random_plies;
	job->stop = cli_stop_flag();
	job->game = cli_shows_progress() ? show_progress : NULL;
	job->ctx = r;
	return QV_OK;
}

/* Plays all matches and prints the results, also of a run that Ctrl-C stopped. */
static enum qv_status run_tune(struct cli *c)
{
	struct run r = { .c = c };
	enum qv_status status = make_job(&r);
	if (status != QV_OK)
		return status;
	const size_t count = (size_t)r.job.range.count;
	r.values = mem_new(&mem_malloc, count, sizeof *r.values);
	if (!r.values)
		return cli_no_memory(c, "tune");
	status = tune_run(c->context, &r.job, r.values, &r.outcome, &c->error);
	/* The table comes in place of the line of progress. */
	cli_clear_progress();
	/* The values that are done are worth printing. */
	if (status == QV_STOPPED) {
		fprintf(stderr, "quevedo: tune: stopped after %d of %d values\n", r.outcome.done,
			r.job.range.count);
		c->answer_is_no = true;
		status = QV_OK;
	}
	if (status == QV_OK && c->args.json) {
		json_t *list = json_array();
		for (int i = 0; i < r.outcome.done; i++) {
			const struct tune_value *v = &r.values[i];
			const struct statistics *s = &v->statistics;
			json_t *o = json_fields(
				json_object(), "value", json_integer(v->value), "current",
				json_boolean(v->current), "games",
				json_count(tally_games(&v->games)), "wins",
				json_count(v->games.wins), "draws", json_count(v->games.draws),
				"losses", json_count(v->games.losses), "score", json_real(s->score),
				"score_error", json_real(s->score_error), "elo", json_real(s->elo),
				"error", json_real(s->elo_error), "los", json_real(s->los), NULL);
			list = json_item(list, o);
		}
		status = cli_json(c, list);
	} else if (status == QV_OK) {
		print_table(&r);
	}
	mem_free(&mem_malloc, r.values, count * sizeof *r.values);
	return status;
}

const struct command command_tune = {
	.name = "tune", .run = run_tune, .least = 1, .most = 1,
	.usage = "tune GAME --weight NAME=FROM:TO:STEP",
	.help = "find the value of a weight that plays best",
	.more = "For each value, the player with it meets the player as it is, in pairs of games from "
		"the same openings. See docs/match.md.\n"
		"Exit status 1: Ctrl-C stopped it before all values were played.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
