/*
 * match.c - the command match: its options into a plan, the run, and the audit of a journal.
 * SPDX-License-Identifier: MIT
 */
#include <unistd.h>

#include "base/file.h"
#include "base/scan.h"
#include "cli/match_mpi.h"
#include "cli/match_show.h"
#include "match/opening.h"
#include "match/pgn.h"
#include "match/report.h"
#include "programs/engine_log.h"
#include "core/game_clock.h"
#include "formats/pgn.h"

/* A match with everything that its plan points to. */
struct job {
	struct cli *c;
	struct match_plan plan;
	struct match_player players[MAX_PLAYERS];
	char names[MAX_PLAYERS][MATCH_MAX_NAME + 1];
	struct opening_list openings;
	struct opening_count *counts; /* one for each of them */
	bool has_sprt;
	struct sprt sprt;
	char sprt_text[256];
	char tables[FOLDER_PATH];
	struct file_writer out, picture;
	struct match_report report;
	struct engine_log *engine_log;
	enum qv_status status;     /* of the logs, the records and the report */
	bool logs, logs_faults, progresses, decided;
	struct ranks ranks;        /* --mpi */
};

/* ---- The plan ---- */

static enum qv_status read_player(struct job *j, int i)
{
	const char *text = j->c->args.players[i];
	const size_t length = strcspn(text, "=");
	if (!text[length] || !length || length > MATCH_MAX_NAME ||
	    strcspn(text, ":") < length)
		return qv_fail(&j->c->error, QV_BAD_INPUT,
			       "--player: '%.60s' is not NAME=SPEC, as in A=level:3",
			       cli_word(text));
	snprintf(j->names[i], sizeof j->names[i], "%.*s", (int)length, text);
	j->players[i] = (struct match_player){ j->names[i], text + length + 1 };
	return QV_OK;
}

static enum qv_status read_players(struct job *j)
{
	enum qv_status status = QV_OK;
	for (int i = 0; i < j->c->args.player_count && status == QV_OK; i++)
		status = read_player(j, i);
	j->plan.players = j->players;
	j->plan.player_count = j->c->args.player_count;
	if (status == QV_OK && j->plan.player_count < 2)
		return qv_fail(&j->c->error, QV_BAD_INPUT,
			       "--player: a match needs two, as in "
			       "--player A=level:2 --player B=random");
	return status;
}

static enum qv_status read_openings(struct job *j)
{
	struct cli *c = j->c;
	struct file_bytes bytes = { 0 };
	struct qv_error why = { "" };
	if (!arguments_given(&c->args, OPT_OPENINGS))
		return QV_OK;
	enum qv_status status = file_read(&mem_malloc, c->args.openings, OPENING_MOST_BYTES, &bytes,
					  &c->error);
	if (status != QV_OK)
		return status;
	status = openings_read(c->context, &j->plan.rules, bytes.data, bytes.size, &j->openings,
			       &why);
	if (status != QV_OK)
		qv_fail(&c->error, status, "%.60s: %.190s", c->args.openings, why.text);
	file_release(&mem_malloc, &bytes);
	j->plan.openings = j->openings.openings;
	j->plan.opening_count = j->openings.count;
	j->counts = mem_new(&mem_malloc, (size_t)j->openings.count, sizeof *j->counts);
	if (status == QV_OK && !j->counts)
		status = qv_fail(&c->error, QV_NO_MEMORY, "--openings: out of memory");
	return status;
}

static enum qv_status read_clock(struct job *j)
{
	struct timer_terms terms;
	const char *text = j->c->args.time;
	if (!arguments_given(&j->c->args, OPT_TIME))
		return QV_OK;
	if (!timer_parse(text, &terms) || !terms.base_ms)
		return qv_fail(&j->c->error, QV_BAD_INPUT,
			       "--time: '%.60s' is not a time: 1s for a move, 10+0.1 for a game",
			       text);
	j->plan.clock = (struct match_clock){ strchr(text, '+') ? CLOCK_GAME : CLOCK_MOVE,
					      terms.base_ms, terms.added_ms };
	return QV_OK;
}

/* Numbers between colons: exactly `count` of them; *text goes behind them. */
static bool read_numbers(const char **text, int count, int64_t *numbers)
{
	for (int i = 0; i < count; i++)
		if ((i && *(*text)++ != ':') || !is_digit(**text) ||
		    !scan_int(text, 0, QV_WIN, &numbers[i]))
			return false;
	return true;
}

/*
 * resign=SCORE:MOVES, draw=SCORE:MOVES:PLIES and tables, in any order, a comma between them.
 * `tables` is marked by an empty folder.
 */
static bool parse_adjudication(const char *text, struct match_adjudication *out)
{
	int64_t n[3];
	for (;;) {
		if (!out->resign_moves && scan_literal(&text, "resign=")) {
			if (!read_numbers(&text, 2, n) || !n[1] || n[1] > MATCH_MAX_PLIES)
				return false;
			out->resign_score = (int32_t)n[0];
			out->resign_moves = (int)n[1];
		} else if (!out->draw_moves && scan_literal(&text, "draw=")) {
			if (!read_numbers(&text, 3, n) || !n[1] || n[1] > MATCH_MAX_PLIES ||
			    n[2] > MATCH_MAX_PLIES)
				return false;
			out->draw_score = (int32_t)n[0];
			out->draw_moves = (int)n[1];
			out->draw_plies = (int)n[2];
		} else if (!out->tables && scan_literal(&text, "tables")) {
			out->tables = "";
		} else {
			return false;
		}
		if (!*text)
			return true;
		if (*text++ != ',')
			return false;
	}
}

static enum qv_status read_adjudication(struct job *j)
{
	const char *text = j->c->args.adjudicate;
	if (!arguments_given(&j->c->args, OPT_ADJUDICATE))
		return QV_OK;
	if (!parse_adjudication(text, &j->plan.adjudication))
		return qv_fail(&j->c->error, QV_BAD_INPUT,
			       "--adjudicate: '%.60s' is not "
			       "resign=SCORE:MOVES,draw=SCORE:MOVES:PLIES,tables",
			       text);
	if (!j->plan.adjudication.tables)
		return QV_OK;
	j->plan.adjudication.tables = j->tables;
	return cli_tables_folder(j->c, j->tables);
}

static enum qv_status read_sprt(struct job *j)
{
	struct qv_text text = { j->sprt_text, sizeof j->sprt_text, 0 };
	struct qv_error why;
	if (!arguments_given(&j->c->args, OPT_SPRT))
		return QV_OK;
	if (j->plan.player_count != 2 || j->plan.rules.game->seats != 2)
		return qv_fail(&j->c->error, QV_UNSUPPORTED,
			       "--sprt: it compares two players, in a game of two seats");
	const enum qv_status status = sprt_parse(j->c->args.sprt, &j->sprt, &why);
	if (status != QV_OK)
		return qv_fail(&j->c->error, status, "--sprt: %.200s", why.text);
	sprt_text(&j->sprt, &text);
	j->plan.sprt = j->sprt_text;
	j->has_sprt = true;
	return QV_OK;
}

static enum qv_status make_plan(struct job *j)
{
	const struct arguments *args = &j->c->args;
	enum qv_status status =
		qv_rules_parse(j->c->context, args->words[1], &j->plan.rules, &j->c->error);
	if (status != QV_OK)
		return status;
	j->plan.games = args->games;
	j->plan.seed = (uint64_t)args->seed;
	j->plan.gauntlet = arguments_given(args, OPT_GAUNTLET);
	j->plan.near = (int)args->near;
	j->plan.pairs = arguments_given(args, OPT_PAIRS);
	j->plan.random_plies = (int)args->random_plies;
	j->plan.max_plies = (int)args->max_plies;
	j->plan.threads = (int)args->threads;
	j->plan.hash_mb = (int)args->hash_mb;
	static enum qv_status (*const readers[])(struct job *) = {
		read_players, read_openings, read_clock, read_adjudication, read_sprt
	};
	for (size_t i = 0; i < sizeof readers / sizeof *readers && status == QV_OK; i++)
		status = readers[i](j);
	return status == QV_OK ? plan_check(&j->plan, &j->c->error) : status;
}

/* ---- The run ---- */

static void show_progress(void *ctx, const struct match_totals *totals)
{
	struct job *j = ctx;
	struct string line = { .allocator = &mem_malloc };
	if (j->c->out.length && j->status == QV_OK) {
		if (j->progresses)
			fprintf(stderr, "\r\033[K");
		j->status = cli_flush(j->c);
	}
	if (j->progresses) {
		match_progress(&j->plan, j->has_sprt ? &j->sprt : NULL, totals, &line);
		fprintf(stderr, "\r%s\033[K", line.data ? line.data : "");
		string_release(&line);
	}
}

static void count_opening(struct job *j, const struct match_game *game)
{
	struct match_seating s;
	plan_seating(&j->plan, game->number, &s);
	if (s.opening < 0)
		return;
	struct opening_count *count = &j->counts[s.opening];
	count->games++;
	if (game->winner < 0)
		count->draws++;
	else
		count->wins[game->winner]++;
}

static enum qv_status write_game(struct job *j, const struct match_game *game)
{
	struct string text = { .allocator = &mem_malloc };
	struct cli *c = j->c;
	if (!pgn_is_name(c->args.out))
		return file_write(&j->out, game->record.data, game->record.length, &c->error);
	enum qv_status status = match_pgn(c->context, &j->plan, game,
					  arguments_given(&c->args, OPT_NO_TIMES), &text, &c->error);
	if (status == QV_OK)
		status = file_write(&j->out, text.data, text.length, &c->error);
	string_release(&text);
	return status;
}

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct job *j = ctx;
	count_opening(j, game);
	if (j->logs || (j->logs_faults && game->at_fault >= 0))
		match_log_game(&j->plan, game, &j->c->out);
	if (j->status == QV_OK)
		j->status = engine_log_status(j->engine_log, &j->c->error);
	if (j->out.path && j->status == QV_OK)
		j->status = write_game(j, game);
	if (j->picture.path && j->status == QV_OK) {
		j->status = report_add(&j->report, &j->plan, game, totals);
		if (j->status != QV_OK)
			qv_fail(&j->c->error, j->status, "--report: out of memory");
	}
	if (j->has_sprt)
		j->decided = match_sprt(&j->plan, &j->sprt, totals).verdict != SPRT_GOING_ON;
	return !j->decided && j->status == QV_OK;
}

static enum qv_status open_report(struct job *j)
{
	if (!arguments_given(&j->c->args, OPT_REPORT))
		return QV_OK;
	if (report_init(&j->report, &mem_malloc, j->plan.player_count) != QV_OK)
		return qv_fail(&j->c->error, QV_NO_MEMORY, "--report: out of memory");
	return file_create(&j->picture, &mem_malloc, j->c->args.report, &j->c->error);
}

/* Each rank has programs of its own, and so a log of its own. */
static enum qv_status open_engine_log(struct job *j)
{
	struct cli *c = j->c;
	struct string path = { .allocator = &mem_malloc };
	enum qv_status status = QV_OK;
	if (!arguments_given(&c->args, OPT_ENGINE_LOG))
		return QV_OK;
	string_addf(&path, "%s", c->args.engine_log);
	if (j->ranks.rank && path.length)
		string_addf(&path, ".%d", j->ranks.rank);
	if (path.failed)
		status = qv_fail(&c->error, QV_NO_MEMORY, "--engine-log: out of memory");
	else
		status = engine_log_open(&j->engine_log, &mem_malloc, path.length ? path.data : "",
					 arguments_given(&c->args, OPT_RESUME), &c->error);
	string_release(&path);
	return status;
}

static enum qv_status draw_report(struct job *j, const struct match_totals *totals)
{
	struct string svg = { .allocator = &mem_malloc };
	enum qv_status status = QV_OK;
	if (!j->picture.path)
		return QV_OK;
	report_svg(&j->report, &j->plan, totals, &svg);
	if (svg.failed)
		status = qv_fail(&j->c->error, QV_NO_MEMORY, "--report: out of memory");
	else
		status = file_write(&j->picture, svg.data, svg.length, &j->c->error);
	if (status == QV_OK)
		status = file_keep(&j->picture, &j->c->error);
	string_release(&svg);
	return status;
}

static enum qv_status show_result(struct job *j, const struct match_totals *totals)
{
	struct cli *c = j->c;
	struct match_view view = { .plan = &j->plan, .totals = totals,
				   .sprt = j->has_sprt ? &j->sprt : NULL,
				   .no_times = arguments_given(&c->args, OPT_NO_TIMES),
				   .openings = j->counts };
	const enum qv_status status = match_view_make(&view, &c->error);
	if (status != QV_OK)
		return status;
	if (j->has_sprt)
		c->answer_is_no = match_sprt(&j->plan, &j->sprt, totals).verdict != SPRT_H1;
	if (arguments_given(&c->args, OPT_JSON))
		return cli_json(c, match_json(&view));
	match_table(&view, &c->out);
	return QV_OK;
}

static enum qv_status play_match(struct job *j)
{
	struct cli *c = j->c;
	struct match_totals totals = { 0 };
	struct match_run run = {
		.jobs = (int)c->args.jobs,
		.journal = c->args.journal,
		.resume = arguments_given(&c->args, OPT_RESUME),
		.no_times = arguments_given(&c->args, OPT_NO_TIMES),
		.opinions = c->args.out && pgn_is_name(c->args.out),
		.engine_log = j->engine_log,
		.stop = cli_stop_flag(),
		.listener = { take_game, show_progress, j },
	};
	if (c->mute) {
		const enum qv_status status =
			ranks_assist(&j->ranks, c->context, &j->plan, &run, &c->error);
		return status == QV_OK ? engine_log_status(j->engine_log, &c->error) : status;
	}
	if (j->ranks.open)
		run.branch = ranks_branch(&j->ranks, &j->plan);
	/* What mpirun gives its programs is a terminal, wherever it goes from there. */
	j->logs_faults = !arguments_given(&c->args, OPT_JSON);
	j->logs = j->logs_faults && (j->ranks.open || !isatty(STDOUT_FILENO));
	j->progresses = cli_shows_progress();
	enum qv_status status = match_run(c->context, &j->plan, &run, &totals, &c->error);
	if (j->progresses)
		fprintf(stderr, "\r\033[K");
	if (status == QV_STOPPED) {
		fprintf(stderr, "quevedo: %s\n", c->error.text);
		c->answer_is_no = true;
		status = QV_OK;
	}
	if (status == QV_OK)
		status = j->status;
	const bool stopped = c->answer_is_no;
	if (status == QV_OK)
		status = show_result(j, &totals);
	c->answer_is_no |= stopped;
	if (status == QV_OK && j->out.path)
		status = file_keep(&j->out, &c->error);
	if (status == QV_OK)
		status = draw_report(j, &totals);
	totals_release(&totals);
	return status;
}

/* ---- Audit ---- */

static enum qv_status audit(struct cli *c)
{
	struct match_audit a;
	const int64_t sample = arguments_given(&c->args, OPT_GAMES) ? c->args.games : 0;
	const enum qv_status status = match_audit(c->context, c->args.audit, sample,
						  (uint64_t)c->args.seed, cli_stop_flag(), &a,
						  &c->error);
	if (status != QV_OK)
		return status;
	c->answer_is_no = a.wrong;
	if (arguments_given(&c->args, OPT_JSON)) {
		json_t *o = json_field(json_object(), "games", json_integer(a.games));
		o = json_field(o, "checked", json_integer(a.checked));
		o = json_field(o, "replayed", json_integer(a.replayed));
		o = json_field(o, "wrong", json_integer(a.wrong));
		return cli_json(c, json_field(o, "first_wrong",
					      a.wrong ? json_text(a.first_wrong) : json_null()));
	}
	string_addf(&c->out, "games %lld, checked %lld, played again %lld\n", (long long)a.games,
		    (long long)a.checked, (long long)a.replayed);
	if (a.wrong)
		string_addf(&c->out, "wrong %lld; the first: %s\n", (long long)a.wrong,
			    a.first_wrong);
	else
		string_addf(&c->out, "nothing wrong\n");
	return QV_OK;
}

static enum qv_status check_usage(struct cli *c)
{
	const struct arguments *args = &c->args;
	if (arguments_given(args, OPT_MPI) && arguments_given(args, OPT_JOBS))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "--jobs: with --mpi each rank plays one game at a time");
	if (arguments_given(args, OPT_AUDIT) && args->word_count > 1)
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "--audit: the journal names the game itself");
	if (arguments_given(args, OPT_DATA) && !arguments_given(args, OPT_ADJUDICATE))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "--data: without --adjudicate tables it says nothing");
	if (arguments_given(args, OPT_RESUME) && !arguments_given(args, OPT_JOURNAL))
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "--resume: --journal says what to go on with");
	if (!arguments_given(args, OPT_AUDIT) && args->word_count < 2)
		return qv_fail(&c->error, QV_BAD_INPUT,
			       "match: the game is missing; usage: "
			       "quevedo match GAME --player A=SPEC --player B=SPEC");
	return QV_OK;
}

enum qv_status cmd_match(struct cli *c)
{
	struct job j = { .c = c };
	enum qv_status status = check_usage(c);
	if (status == QV_OK && arguments_given(&c->args, OPT_AUDIT))
		status = arguments_allow(&c->args,
					 common_options | BIT(OPT_AUDIT) | BIT(OPT_GAMES),
					 "match --audit", &c->error);
	if (status == QV_OK && arguments_given(&c->args, OPT_AUDIT))
		return audit(c);
	if (status == QV_OK && arguments_given(&c->args, OPT_MPI))
		status = ranks_open(&j.ranks, &c->error);
	c->mute |= j.ranks.rank > 0;
	if (status == QV_OK)
		status = make_plan(&j);
	if (status == QV_OK && c->args.out && pgn_is_name(c->args.out))
		status = pgn_suits(j.plan.rules.game, &c->error);
	if (status == QV_OK && arguments_given(&c->args, OPT_OUT) && !c->mute)
		status = file_create(&j.out, &mem_malloc, c->args.out, &c->error);
	if (status == QV_OK && !c->mute)
		status = open_report(&j);
	if (status == QV_OK)
		status = open_engine_log(&j);
	if (status == QV_OK)
		status = play_match(&j);
	engine_log_close(j.engine_log);
	/* After a signal mpirun does not listen for long. */
	if (status == QV_OK && j.ranks.open && !c->mute)
		status = cli_flush(c);
	/* The first rank knows now how it went on the others, and says so for them. */
	const bool is_told = j.ranks.open && c->mute;
	ranks_close(&j.ranks, status, &c->error);
	if (is_told)
		status = QV_OK;
	file_abandon(&j.out);
	file_abandon(&j.picture);
	report_release(&j.report);
	mem_free(&mem_malloc, j.counts, (size_t)j.openings.count * sizeof *j.counts);
	openings_release(&j.openings);
	return status;
}
