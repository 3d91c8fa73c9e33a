/*
 * play.c - the public functions of matches, and of players that are other programs.
 * SPDX-License-Identifier: MIT
 */
#include "base/sized.h"
#include "core/context.h"
#include "match/match.h"
#include "match/opening.h"
#include "match/sprt.h"
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
	bool pairs, has_sprt;
	struct sprt sprt;
};

void qv_match_free(struct qv_match *m)
{
	if (!m)
		return;
	totals_release(&m->totals);
	mem_free(m->allocator, m, sizeof *m);
}

/* A match that is being played: what the caller gave, and what was made of it. */
struct playing {
	const struct qv_context *context;
	struct qv_match_job job;
	struct match_player players[MATCH_MAX_PLAYERS];
	struct match_plan plan;
	struct opening_list openings;
	char sprt_text[256];
	struct string plugins;
	struct qv_match *match;
	enum qv_status status; /* of what is done after a game */
	struct qv_error error;
};

/* Gives a game to the caller; false ends the match. */
static bool give_game(struct playing *p, const struct match_game *game)
{
	const struct match_reason reason = match_game_reason(game);
	struct string pgn = { .allocator = p->match->allocator };
	struct match_seating seating;
	plan_seating(&p->plan, game->number, &seating);
	struct qv_match_game given = { .number = game->number,
				       .winner = game->winner,
				       .plies = game->plies,
				       .end = match_end_text(game->end),
				       .record = game->record.data,
				       .record_size = game->record.length,
				       .at_fault = game->at_fault,
				       .reason = reason.text };
	for (int seat = 0; seat < p->match->seats; seat++) {
		given.player[seat] = seating.player[seat];
		given.points[seat] = game->points[seat];
	}
	if (p->job.pgn)
		p->status = match_pgn(p->context, &p->plan, game, p->job.no_times, &pgn, &p->error);
	given.pgn = pgn.data;
	const bool goes_on = p->status == QV_OK && p->job.game(p->job.ctx, &given);
	string_release(&pgn);
	return goes_on;
}

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *so_far)
{
	struct playing *p = ctx;
	if (p->job.game && !give_game(p, game))
		return false;
	return !p->match->has_sprt ||
	       totals_sprt(so_far, p->match->pairs, &p->match->sprt).verdict == SPRT_GOING_ON;
}

static void warn(void *ctx, int player, const char *words)
{
	const struct playing *p = ctx;
	p->job.warning(p->job.ctx, player, words);
}

/* Reads the players, the openings and the test of the job, and the plug-ins of the context. */
static enum qv_status read_job(struct playing *p, struct qv_error *error)
{
	const struct qv_match_job *job = &p->job;
	enum qv_status status = QV_OK;
	if (job->player_count < 1 || job->player_count > MATCH_MAX_PLAYERS || !job->players)
		return qv_fail(error, QV_BAD_INPUT, "match: needs 1 to %d players",
			       MATCH_MAX_PLAYERS);
	for (int i = 0; i < job->player_count; i++) {
		p->players[i] = (struct match_player){ job->players[i].name, job->players[i].spec };
		if (!p->players[i].name || !p->players[i].spec)
			return qv_fail(error, QV_BAD_INPUT, "players: number %d lacks name or spec",
				       i + 1);
	}
	if (job->jobs < 0 || job->jobs > MATCH_MAX_JOBS || job->opening_plies < 0)
		return qv_fail(error, QV_BAD_INPUT, "match: jobs or opening_plies is out of range");
	if (job->sprt && (job->player_count != 2 || p->match->seats != 2))
		return qv_fail(error, QV_UNSUPPORTED,
			       "sprt: it compares two players in a game of two seats");
	if (job->sprt) {
		status = sprt_parse(job->sprt, &p->match->sprt, error);
		p->match->has_sprt = status == QV_OK;
	}
	if (p->match->has_sprt) {
		sprt_text(&p->match->sprt, &(struct qv_text){ p->sprt_text, sizeof p->sprt_text, 0 });
		p->plan.sprt = p->sprt_text;
	}
	if (status == QV_OK && job->openings)
		status = openings_read(p->context, &p->plan.rules, job->openings,
				       strlen(job->openings), job->opening_plies, &p->openings,
				       error);
	if (status == QV_OK)
		status = match_plugins(p->context, &p->plugins, error);
	p->plan.openings = p->openings.openings;
	p->plan.opening_count = p->openings.count;
	p->plan.plugins = p->plugins.data;
	return status == QV_OK ? plan_check(&p->plan, error) : status;
}

static void make_plan(struct playing *p, const struct qv_rules *rules)
{
	const struct qv_match_job *job = &p->job;
	p->plan = (struct match_plan){
		.rules = *rules,
		.players = p->players,
		.player_count = job->player_count,
		.games = job->games,
		.seed = job->seed,
		.gauntlet = job->gauntlet,
		.pairs = job->pairs,
		.random_plies = job->random_plies,
		.clock = { .base_ms = job->base_ms,
			   .added_ms = job->added_ms,
			   .move_ms = job->move_ms,
			   .period_moves = job->period_moves },
		.max_plies = job->max_plies,
		.adjudication = { .resign_score = job->resign_score,
				  .resign_moves = job->resign_moves,
				  .draw_score = job->draw_score,
				  .draw_moves = job->draw_moves,
				  .draw_plies = job->draw_plies,
				  .tables = job->tables },
		.threads = job->threads,
		.hash_mb = job->hash_mb,
	};
}

static enum qv_status play(struct playing *p, struct qv_error *error)
{
	const struct qv_match_job *job = &p->job;
	struct qv_error why = { "" };
	const struct match_run run = {
		.jobs = job->jobs,
		.journal = job->journal,
		.resume = job->resume,
		.no_times = job->no_times,
		.opinions = job->notes,
		.log_folder = job->log_folder,
		.stop = job->stop,
		.listener = { .game = take_game, .ctx = p },
		.warning = job->warning ? warn : NULL,
	};
	enum qv_status status = read_job(p, error);
	if (status != QV_OK)
		return status;
	status = match_run(p->context, &p->plan, &run, &p->match->totals, &why);
	if (p->status != QV_OK)
		return qv_fail(error, p->status, "%s", p->error.text);
	return status == QV_OK ? QV_OK : qv_fail(error, status, "%s", why.text);
}

enum qv_status qv_match_run(const struct qv_context *context, const struct qv_rules *rules,
			    const struct qv_match_job *given, struct qv_match **out,
			    struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct playing p = { .context = context, .plugins = { .allocator = a } };
	enum qv_status status = sized_in("qv_match_job", &p.job, sizeof p.job, given, error);
	if (status != QV_OK)
		return status;
	p.match = mem_new(a, 1, sizeof *p.match);
	if (!p.match)
		return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	p.match->allocator = a;
	p.match->seats = rules->game->seats;
	p.match->pairs = p.job.pairs && p.match->seats == 2;
	make_plan(&p, rules);
	status = play(&p, error);
	openings_release(&p.openings);
	string_release(&p.plugins);
	if (status == QV_OK || status == QV_STOPPED)
		*out = p.match;
	else
		qv_match_free(p.match);
	return status;
}

enum qv_status qv_match_audit(const struct qv_context *context, const char *journal, int64_t sample,
			      uint64_t seed, int jobs, const struct qv_flag *stop,
			      struct qv_audit *out, struct qv_error *error)
{
	struct match_audit found;
	enum qv_status status = sized_check("qv_audit", out, error);
	if (status == QV_OK && (sample < 0 || jobs < 0 || jobs > MATCH_MAX_JOBS))
		status = qv_fail(error, QV_BAD_INPUT, "audit: sample or jobs is out of range");
	if (status == QV_OK)
		status = match_audit(context, journal, sample, seed, jobs ? jobs : 1, stop, &found,
				     error);
	if (status != QV_OK)
		return status;
	struct qv_audit given = { .games = found.games,
					.checked = found.checked,
					.replayed = found.replayed,
					.wrong = found.wrong };
	snprintf(given.first_wrong, sizeof given.first_wrong, "%s", found.first_wrong);
	sized_out(out, &given, sizeof given);
	return QV_OK;
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
	const struct statistics s =
		m->pairs ? statistics_of_pairs(&pairs) : statistics_of_meetings(&games, m->seats);
	const struct match_total *t = &m->totals.total[player];
	struct sprt_state test = { 0 };
	if (m->has_sprt)
		test = totals_sprt(&m->totals, m->pairs, &m->sprt);
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
		.pairs = { (int64_t)pairs.ll, (int64_t)pairs.ld, (int64_t)(pairs.wl + pairs.dd),
			   (int64_t)pairs.wd, (int64_t)pairs.ww },
		.llr = test.llr,
		.llr_lower = test.lower,
		.llr_upper = test.upper,
	};
	sized_out(out, &figures, sizeof figures);
	return QV_OK;
}
