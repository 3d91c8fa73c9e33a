/*
 * play.c - the public functions of matches, and of players that are other programs.
 * SPDX-License-Identifier: MIT
 */
#include "base/sized.h"
#include "core/context.h"
#include "match/match.h"
#include "programs/players.h"

enum qv_status qv_player_open(const struct qv_context *context, const struct qv_rules *rules,
			      const char *spec, const struct qv_defaults *defaults,
			      struct qv_player **out, struct qv_error *error)
{
	struct qv_defaults known;
	const enum qv_status status = defaults_in(defaults, &known, error);
	return status == QV_OK ? player_open(context, rules, spec, &known, out, error) : status;
}

struct qv_match {
	const struct qv_allocator *allocator;
	struct match_totals totals;
	int seats;
	bool pairs;
};

void qv_match_free(struct qv_match *m)
{
	if (!m)
		return;
	totals_release(&m->totals);
	mem_free(m->allocator, m, sizeof *m);
}

/* What a caller's function gets, through the listener of the run. */
struct report {
	const struct qv_match_job *job;
	const struct match_plan *plan;
};

static bool report_game(void *ctx, const struct match_game *game,
			const struct match_totals *so_far)
{
	(void)so_far;
	const struct report *r = ctx;
	struct match_seating seating;
	plan_seating(r->plan, game->number, &seating);
	struct qv_match_game given = { .number = game->number,
				       .winner = game->winner,
				       .plies = game->plies,
				       .end = match_end_text(game->end),
				       .record = game->record.data,
				       .record_size = game->record.length };
	for (int seat = 0; seat < r->plan->rules.game->seats; seat++) {
		given.player[seat] = seating.player[seat];
		given.points[seat] = game->points[seat];
	}
	return r->job->game(r->job->ctx, &given);
}

enum qv_status qv_match_run(const struct qv_context *context, const struct qv_rules *rules,
			    const struct qv_match_job *given, struct qv_match **out,
			    struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct match_player players[MATCH_MAX_PLAYERS];
	struct qv_match_job job;
	enum qv_status status = sized_in("qv_match_job", &job, sizeof job, given, error);
	if (status == QV_OK &&
	    (job.player_count < 1 || job.player_count > MATCH_MAX_PLAYERS || !job.players))
		status = qv_fail(error, QV_BAD_INPUT, "match: needs 1 to %d players",
				 MATCH_MAX_PLAYERS);
	if (status != QV_OK)
		return status;
	for (int i = 0; i < job.player_count; i++)
		players[i] = (struct match_player){ job.players[i].name, job.players[i].spec };
	const struct match_plan plan = {
		.rules = *rules,
		.players = players,
		.player_count = job.player_count,
		.games = job.games,
		.seed = job.seed,
		.gauntlet = job.gauntlet,
		.pairs = job.pairs,
		.random_plies = job.random_plies,
		.clock = { .base_ms = job.base_ms, .added_ms = job.added_ms, .move_ms = job.move_ms },
		.max_plies = job.max_plies,
		.threads = job.threads,
		.hash_mb = job.hash_mb,
	};
	struct report report = { &job, &plan };
	const struct match_run run = {
		.jobs = job.jobs,
		.journal = job.journal,
		.resume = job.resume,
		.no_times = job.no_times,
		.stop = job.stop,
		.listener = { .game = job.game ? report_game : NULL, .ctx = &report },
	};
	status = plan_check(&plan, error);
	struct qv_match *m = status == QV_OK ? mem_new(a, 1, sizeof *m) : NULL;
	if (status == QV_OK && !m)
		status = qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	if (status != QV_OK)
		return status;
	m->allocator = a;
	m->seats = rules->game->seats;
	m->pairs = job.pairs && m->seats == 2;
	struct qv_error why = { "" };
	status = match_run(context, &plan, &run, &m->totals, &why);
	if (status != QV_OK)
		qv_fail(error, status, "%s", why.text);
	if (status == QV_OK || status == QV_STOPPED)
		*out = m;
	else
		qv_match_free(m);
	return status;
}

/* Adds the results of one player against another. */
static void add_meeting(const struct qv_match *m, int player, int opponent, struct tally *games,
			struct pair_tally *pairs)
{
	const size_t at = (size_t)player * (size_t)m->totals.players + (size_t)opponent;
	const struct tally *t = &m->totals.meetings[at];
	const struct pair_tally *p = &m->totals.pairs[at];
	games->wins += t->wins;
	games->draws += t->draws;
	games->losses += t->losses;
	pairs->ll += p->ll;
	pairs->ld += p->ld;
	pairs->wl += p->wl;
	pairs->dd += p->dd;
	pairs->wd += p->wd;
	pairs->ww += p->ww;
}

enum qv_status qv_match_score(const struct qv_match *m, int player, int opponent,
			      struct qv_match_figures *out, struct qv_error *error)
{
	const int count = m->totals.players;
	struct tally games = { 0 };
	struct pair_tally pairs = { 0 };
	const enum qv_status status = sized_check("qv_match_figures", out, error);
	if (status != QV_OK)
		return status;
	if (player < 0 || player >= count || opponent < -1 || opponent >= count ||
	    player == opponent)
		return qv_fail(error, QV_UNKNOWN, "match: there is no such player");
	for (int i = 0; i < count; i++)
		if (i != player && (opponent < 0 || i == opponent))
			add_meeting(m, player, i, &games, &pairs);
	const struct statistics s = m->pairs ? statistics_of_pairs(&pairs)
					     : statistics_of_meetings(&games, m->seats);
	const struct match_total *t = &m->totals.total[player];
	const struct qv_match_figures figures = {
		.games = (int64_t)tally_games(&games),
		.wins = (int64_t)games.wins,
		.draws = (int64_t)games.draws,
		.losses = (int64_t)games.losses,
		.score = s.score,
		.score_error = s.score_error,
		.elo = s.elo,
		.elo_error = s.elo_error,
		.los = s.los,
		.crashes = t->crashes,
		.timeouts = t->timeouts,
		.illegal = t->illegal,
		.nodes = t->nodes,
		.seconds = t->seconds,
	};
	sized_out(out, &figures, sizeof figures);
	return QV_OK;
}
