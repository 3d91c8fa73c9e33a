/*
 * train.c - the command train: learns the weights of an evaluation from self-play.
 * SPDX-License-Identifier: MIT
 *
 * Training runs in rounds: games are played, then the weights are fitted to their positions. The
 * folder of --data keeps both, so that a later run continues. src/learn does the work; here are the
 * options, one function per game that fills its job, and what is printed after each round. In chess
 * the positions can also be scored by a player or by a net of Stockfish (--player).
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#include "base/file.h"
#include "cli/cli.h"
#include "games/chess/net.h"
#include "learn/backgammon/train.h"
#include "learn/chess/nnue.h"
#include "learn/chess/train.h"
#include "learn/draughts/train.h"
#include "learn/race/train.h"
#include "learn/reversi/train.h"
#include "learn/rounds.h"
#include "learn/warptrog/train.h"
#include "programs/players.h"

/* The options of train. */
struct train_values {
	const char *plan; /* NULL: not given */
};

/* A training in progress. */
struct training {
	struct cli *c;
	int rounds;
	int64_t games;		/* of a round */
	enum qv_status printed; /* the first failure to print a round */
};

/* Overwrites the line of progress. */
static void show_progress(void *ctx, int round, int64_t games)
{
	const struct training *r = ctx;
	fprintf(stderr, "\r\033[Kround %d of %d: game %lld of %lld", round, r->rounds,
		(long long)games, (long long)r->games);
}

/*
 * Prints a round: the object gets the fields of the game's fit, the text begins with `words`. A
 * round that an earlier run has finished has neither. Takes over `fields`.
 */
static void print_round(struct training *r, const struct rounds_news *news, json_t *fields,
			const char *words)
{
	struct cli *c = r->c;
	const bool timed = !news->resumed && !c->args.no_times;
	char hash[24];
	enum qv_status status = QV_OK;
	snprintf(hash, sizeof hash, "%016" PRIx64, news->hash);
	cli_clear_progress();
	/* Without the progress line, one line or object for each round. */
	if (c->args.json) {
		json_t *o = json_fields(json_object(), "round", json_integer(news->number),
					"resumed", json_boolean(news->resumed), NULL);
		if (!news->resumed && json_object_update(o, fields) != 0)
			c->out.failed = true;
		if (timed)
			o = json_fields(o, "seconds_playing", json_seconds(news->seconds_playing),
					"seconds_fitting", json_seconds(news->seconds_fitting),
					NULL);
		status = cli_json(c, json_field(o, "hash", json_text(hash)));
	} else {
		string_addf(&c->out, "round %d: %s", news->number,
			    news->resumed ? "was there, " : words);
		if (timed)
			string_addf(&c->out, "%.1f s playing, %.1f s fitting, ",
				    news->seconds_playing, news->seconds_fitting);
		string_addf(&c->out, "weights %s\n", hash);
	}
	json_decref(fields);
	if (status == QV_OK)
		status = cli_flush(c);
	if (r->printed == QV_OK)
		r->printed = status;
}

/* Ends the progress report. A training that was stopped is no error, but exits with status 1. */
static enum qv_status finish(const struct training *r, enum qv_status status)
{
	cli_clear_progress();
	if (status == QV_STOPPED) {
		fprintf(stderr,
			"quevedo: train: stopped; run the same command again to continue\n");
		r->c->answer_is_no = true;
		status = QV_OK;
	}
	return status == QV_OK ? r->printed : status;
}

/* ---- Reversi ---- */

/* Prints a round of reversi: the error of the fit in discs, also for each phase of the game. */
static void on_reversi_round(void *ctx, const struct train_round *round)
{
	char words[120];
	json_t *errors = json_array(); /* one for each phase of the game */
	for (int i = 0; i < PATTERN_PHASES; i++)
		errors = json_item(errors,
				   round->error[i] < 0 ? json_null() : json_real(round->error[i]));
	snprintf(words, sizeof words, "%lld positions, error %.3f discs, before %.3f, ",
		 (long long)round->samples, round->after, round->before);
	print_round(ctx, &round->round,
		    json_fields(json_object(), "positions",
				json_integer((json_int_t)round->samples), "error_before",
				json_real(round->before), "error", json_real(round->after),
				"errors", errors, NULL),
		    words);
}

/* Trains the patterns of reversi. */
static enum qv_status train_reversi(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	(void)rules; /* reversi has no options that matter here */
	struct train_job job = { .folder = c->args.data,
				 .threads = (int)c->args.threads,
				 .stop = cli_stop_flag(),
				 .round = on_reversi_round,
				 .progress = cli_shows_progress() ? show_progress : NULL };
	enum qv_status status = train_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct training r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.plan.seed = (uint64_t)c->args.seed;
	job.ctx = &r;
	struct reversi_patterns *patterns = mem_new(&mem_malloc, 1, sizeof *patterns);
	if (!patterns)
		return cli_no_memory(c, "train");
	status = train_run(&job, &mem_malloc, patterns, &c->error);
	mem_free(&mem_malloc, patterns, sizeof *patterns);
	return finish(&r, status);
}

/* ---- Chess ---- */

/*
 * Prints a round of chess: the error of the fit, and the scale of its curve from scores to results.
 */
static void on_chess_round(void *ctx, const struct chess_round *round)
{
	const struct fit_news *fit = &round->fit;
	char words[120];
	snprintf(words, sizeof words, "%lld positions, error %.4f, before %.4f, curve %d, ",
		 (long long)fit->lessons, fit->after, fit->before, fit->curve);
	print_round(ctx, &round->round,
		    json_fields(json_object(), "positions", json_integer((json_int_t)fit->lessons),
				"curve", json_integer(fit->curve), "error_before",
				json_real(fit->before), "error", json_real(fit->after), NULL),
		    words);
}

/* What scores the positions with --player: a player for each thread, or one net for all. */
struct scorer {
	struct qv_player **players;
	int count;
	struct nnue *net;
	struct nnue_memory *memories; /* of the net, one for each thread */
};

/* The score of a position by a search of the player, for the side to move. */
static enum qv_status score_by_player(void *ctx, int worker, const struct chess *s, int32_t *score,
				      struct qv_error *error)
{
	const struct scorer *b = ctx;
	struct qv_answer answer;
	const enum qv_status status =
		player_think(b->players[worker], NULL, s, NULL, NULL, &answer, error);
	*score = answer.score;
	return status;
}

/* Called between games, so that scores do not depend on the order of games. */
static void forget(void *ctx, int worker)
{
	qv_player_new_game(((const struct scorer *)ctx)->players[worker]);
}

/* The static value of the net. */
static enum qv_status score_by_net(void *ctx, int worker, const struct chess *s, int32_t *score,
				   struct qv_error *error)
{
	const struct scorer *b = ctx;
	(void)error;
	*score = nnue_value(b->net, s, &b->memories[worker]);
	return QV_OK;
}

/* Opens the scorer that --player names. On failure, too, the caller frees what it has. */
static enum qv_status scorer_open(struct cli *c, const struct qv_rules *rules, struct scorer *b,
				  struct judge *judge)
{
	static const char nnue_kind[] = "nnue:";
	const char *spec = c->args.player;
	const size_t kind = sizeof nnue_kind - 1, workers = (size_t)c->args.threads;
	const bool is_net = strncmp(spec, nnue_kind, kind) == 0;
	const struct qv_defaults defaults = { .size = sizeof defaults,
					      .seed = (uint64_t)c->args.seed,
					      .threads = 1,
					      .hash_mb = (int)c->args.hash_mb };
	*judge = (struct judge){ .score = is_net ? score_by_net : score_by_player,
				 .forget = is_net ? NULL : forget,
				 .ctx = b,
				 .name = qv_hash_bytes(spec, strlen(spec)) };
	if (is_net) {
		b->memories = mem_new(&mem_malloc, workers, sizeof *b->memories);
		return b->memories ? nnue_open(&mem_malloc, spec + kind, &b->net, &c->error)
				   : cli_no_memory(c, "train");
	}
	enum qv_status status = QV_OK;
	/* Players are not shared between threads. */
	b->players = mem_new(&mem_malloc, workers, sizeof *b->players);
	if (!b->players)
		return cli_no_memory(c, "train");
	while (status == QV_OK && b->count < c->args.threads) {
		status = player_open(c->context, rules, spec, &defaults, &b->players[b->count],
				     &c->error);
		if (status == QV_OK)
			status = player_ready(b->players[b->count++], &c->error);
	}
	return status;
}

/* Trains the weights or the net of chess, whichever the plan names. */
static enum qv_status train_chess(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	struct chess_job job = { .plan.seed = (uint64_t)c->args.seed,
				 .folder = c->args.data,
				 .threads = (int)c->args.threads,
				 .stop = cli_stop_flag(),
				 .round = on_chess_round,
				 .progress = cli_shows_progress() ? show_progress : NULL };
	enum qv_status status = chess_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct training r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.ctx = &r;
	int32_t weights[2 * CHESS_WEIGHTS];
	struct scorer scorer = { .count = 0 };
	struct judge judge;
	/* Training starts from the built-in weights. */
	memcpy(weights, chess_weights, sizeof weights);
	if (c->args.player) {
		job.judge = &judge;
		status = scorer_open(c, rules, &scorer, &judge);
	}
	struct chess_net *net = mem_new(&mem_malloc, 1, sizeof *net);
	if (status == QV_OK && !net)
		status = cli_no_memory(c, "train");
	if (status == QV_OK)
		status = chess_train(&job, &mem_malloc, job.plan.net ? (void *)net : weights,
				     &c->error);
	mem_free(&mem_malloc, net, sizeof *net);
	const size_t workers = (size_t)c->args.threads;
	for (int i = 0; i < scorer.count; i++)
		qv_player_free(scorer.players[i]);
	mem_free(&mem_malloc, scorer.players, workers * sizeof *scorer.players);
	mem_free(&mem_malloc, scorer.memories, workers * sizeof *scorer.memories);
	nnue_free(&mem_malloc, scorer.net);
	return finish(&r, status);
}

/* ---- Draughts ---- */

/* Prints a round of draughts: the error of the expected results. */
static void on_draughts_round(void *ctx, const struct draughts_round *round)
{
	char words[120];
	snprintf(words, sizeof words, "%lld positions, error %.4f, before %.4f, ",
		 (long long)round->lessons, round->after, round->before);
	print_round(ctx, &round->round,
		    json_fields(json_object(), "positions",
				json_integer((json_int_t)round->lessons), "error_before",
				json_real(round->before), "error", json_real(round->after), NULL),
		    words);
}

/* Trains the patterns of draughts. */
static enum qv_status train_draughts(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	(void)rules; /* draughts has no options */
	struct draughts_job job = { .plan.seed = (uint64_t)c->args.seed,
				    .folder = c->args.data,
				    .threads = (int)c->args.threads,
				    .stop = cli_stop_flag(),
				    .round = on_draughts_round,
				    .progress = cli_shows_progress() ? show_progress : NULL };
	enum qv_status status =
		draughts_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct training r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.ctx = &r;
	struct draughts_patterns *patterns = mem_new(&mem_malloc, 1, sizeof *patterns);
	if (!patterns)
		return cli_no_memory(c, "train");
	status = draughts_train(&job, &mem_malloc, patterns, &c->error);
	mem_free(&mem_malloc, patterns, sizeof *patterns);
	return finish(&r, status);
}

/* ---- Backgammon ---- */

/* Prints how far the training is, and how well the nets play. */
static void on_backgammon_report(void *ctx, const struct backgammon_report *report)
{
	struct training *r = ctx;
	struct cli *c = r->c;
	enum qv_status status = QV_OK;
	char hash[24];
	snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
	if (c->args.json) {
		json_t *errors = json_array();
		for (int i = 0; i < BACKGAMMON_CLASSES; i++)
			errors = json_item(errors, json_real(report->error[i]));
		json_t *o = json_fields(json_object(), "round", json_integer(report->round),
					"resumed", json_boolean(report->round == 0), "stage",
					json_integer(report->stage), "games",
					json_integer((json_int_t)report->games), "positions",
					json_integer((json_int_t)report->positions), "errors",
					errors, "equity", json_real(report->equity), "equity_error",
					json_real(report->deviation), NULL);
		if (!c->args.no_times)
			o = json_field(o, "seconds", json_seconds(report->seconds));
		status = cli_json(c, json_field(o, "hash", json_text(hash)));
	} else {
		if (report->round)
			string_addf(&c->out, "round %d: ", report->round);
		else
			string_addf(&c->out, "resumed: ");
		string_addf(&c->out,
			    "stage %d, %lld games, %lld positions, errors %.4f %.4f %.4f, equity "
			    "%+.4f +- %.4f, ",
			    report->stage, (long long)report->games, (long long)report->positions,
			    report->error[BACKGAMMON_CONTACT], report->error[BACKGAMMON_CRASHED],
			    report->error[BACKGAMMON_RACE], report->equity, report->deviation);
		if (!c->args.no_times)
			string_addf(&c->out, "%.1f s, ", report->seconds);
		string_addf(&c->out, "weights %s\n", hash);
	}
	if (status == QV_OK)
		status = cli_flush(c);
	if (r->printed == QV_OK)
		r->printed = status;
}

/* Trains the nets of backgammon. */
static enum qv_status train_backgammon(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	(void)rules;
	struct backgammon_job job = { .plan.seed = (uint64_t)c->args.seed,
				      .folder = c->args.data,
				      .threads = (int)c->args.threads,
				      .time_ms = c->args.time_ms,
				      .stop = cli_stop_flag(),
				      .report = on_backgammon_report };
	enum qv_status status =
		backgammon_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct training r = { .c = c };
	job.ctx = &r;
	struct backgammon_nets *nets = mem_new(&mem_malloc, 1, sizeof *nets);
	if (!nets)
		return cli_no_memory(c, "train");
	status = backgammon_train(&job, &mem_malloc, nets, &c->error);
	mem_free(&mem_malloc, nets, sizeof *nets);
	return finish(&r, status);
}

/* ---- Warp Trog ---- */

/* Prints a round of Warp Trog: the errors of the fit, and the games against the 1983 program. */
static void on_warptrog_round(void *ctx, const struct warptrog_report *report)
{
	const int64_t *games = report->outcomes;
	char words[200];
	snprintf(words, sizeof words,
		 "%lld positions, errors %.4f %.4f, against book %lld won, %lld drawn, %lld lost, ",
		 (long long)report->positions, report->error, report->warp_error,
		 (long long)games[WARPTROG_BOOK_WON], (long long)games[WARPTROG_BOOK_DRAWN],
		 (long long)games[WARPTROG_BOOK_LOST]);
	print_round(ctx, &report->round,
		    json_fields(json_object(), "positions",
				json_integer((json_int_t)report->positions), "error",
				json_real(report->error), "warp_error",
				json_real(report->warp_error), "won",
				json_integer((json_int_t)games[WARPTROG_BOOK_WON]), "drawn",
				json_integer((json_int_t)games[WARPTROG_BOOK_DRAWN]), "lost",
				json_integer((json_int_t)games[WARPTROG_BOOK_LOST]), NULL),
		    words);
}

/* Trains the net of Warp Trog. */
static enum qv_status train_warptrog(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	struct warptrog_job job = { .plan.seed = (uint64_t)c->args.seed,
				    .context = c->context,
				    .rules = rules,
				    .folder = c->args.data,
				    .threads = (int)c->args.threads,
				    .stop = cli_stop_flag(),
				    .report = on_warptrog_round,
				    .progress = cli_shows_progress() ? show_progress : NULL };
	enum qv_status status =
		warptrog_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	struct training r = { .c = c, .rounds = job.plan.rounds, .games = job.plan.games };
	job.ctx = &r;
	struct warptrog_net *net = mem_new(&mem_malloc, 1, sizeof *net);
	if (!net)
		return cli_no_memory(c, "train");
	status = warptrog_train(&job, &mem_malloc, net, &c->error);
	mem_free(&mem_malloc, net, sizeof *net);
	return finish(&r, status);
}

/* ---- Race! ---- */

/* Prints a point of the curve of Race!. */
static void on_race_point(void *ctx, const struct race_point *p)
{
	struct training *r = ctx;
	struct cli *c = r->c;
	enum qv_status status = QV_OK;
	if (c->args.json) {
		status = cli_json(c, race_point_json(p));
	} else {
		string_addf(&c->out, "%lld games: ", (long long)p->games);
		if (p->games)
			string_addf(&c->out, "error %.4f, ", p->error);
		if (p->tested)
			string_addf(&c->out, "won %lld of %lld against book, ", (long long)p->won,
				    (long long)p->tested);
		string_addf(&c->out, "weights");
		for (const struct qv_weight *w = race_weight_names; w->name; w++)
			string_addf(&c->out, " %s %d", w->name, (int)p->weights[w->first]);
		string_addf(&c->out, "\n");
	}
	if (status == QV_OK)
		status = cli_flush(c);
	if (r->printed == QV_OK)
		r->printed = status;
}

/* Writes DIR/weights, which weights=FILE takes. */
static enum qv_status write_race_weights(struct cli *c, const int32_t *weights)
{
	char path[4096];
	struct string text = { .allocator = &mem_malloc };
	for (const struct qv_weight *w = race_weight_names; w->name; w++)
		string_addf(&text, "%s = %d\n", w->name, (int)weights[w->first]);
	enum qv_status status = QV_OK;
	if (text.failed)
		status = cli_no_memory(c, "train");
	else if (snprintf(path, sizeof path, "%s/weights", c->args.data) >= (int)sizeof path)
		status = qv_fail(&c->error, QV_IO, "%.100s: the path is too long", c->args.data);
	else
		status = cli_write_file(c, path, &text);
	string_release(&text);
	return status;
}

/* Trains the weights of Race!. A training takes seconds, so a stopped one starts from scratch. */
static enum qv_status train_race(struct cli *c, const struct qv_rules *rules)
{
	const struct train_values *own = cli_own(c);
	struct training r = { .c = c };
	struct race_job job = { .stop = cli_stop_flag(), .point = on_race_point, .ctx = &r };
	int32_t weights[RACE_WEIGHTS];
	enum qv_status status = race_plan_parse(own->plan ? own->plan : "", &job.plan, &c->error);
	if (status != QV_OK)
		return status;
	if (mkdir(c->args.data, 0777) != 0 && errno != EEXIST)
		return qv_fail(&c->error, QV_IO, "%.100s: %s", c->args.data, strerror(errno));
	job.plan.seed = (uint64_t)c->args.seed;
	status = qv_player_new(c->context, rules, "book", NULL, &job.opponent, &c->error);
	if (status == QV_OK)
		status = race_train(&job, weights, &c->error);
	if (status == QV_OK)
		status = write_race_weights(c, weights);
	qv_player_free(job.opponent);
	return finish(&r, status);
}

/* ---- The command ---- */

/* The games that can learn. */
static const struct trainer {
	const char *game;
	enum qv_status (*run)(struct cli *c, const struct qv_rules *rules);
	const char *no_player; /* why --player is not allowed; NULL: it is */
} trainers[] = {
	{ "backgammon", train_backgammon, "backgammon learns from its own games alone" },
	{ "chess", train_chess, NULL },
	{ "draughts", train_draughts, "draughts learns from its own games alone" },
	{ "race", train_race, "race learns from its own games alone" },
	{ "reversi", train_reversi, "reversi learns from the results of games alone" },
	{ "warptrog", train_warptrog, "warptrog learns from games against itself and `book`" },
	{ 0 },
};

/* What a plan contains depends on the game; the keys are in the help. */
static const struct option own_options[] = {
	SHARED_OPTION(
		"data", OPTION_POINTER, data, .value = "DIR",
		.help = "folder for games and weights; DIR/weights is what weights=FILE takes"),
	COMMAND_OPTION(struct train_values, "plan", OPTION_POINTER, plan, .value = "KEY=N,...",
		       .help = "how to train; the keys are below"),
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "chess: player that scores the positions, or nnue:FILE, the static "
			      "value of a net of Stockfish 15"),
	SHARED_OPTION("time", OPTION_TIME, time_ms, .min = 1, .max = 86400000, .value = "TIME",
		      .help = "backgammon: how long to train, instead of the plan's rounds: 900s"),
	{ 0 },
};

/* Finds the trainer of the game and checks the options that all trainers share. */
static enum qv_status run(struct cli *c)
{
	struct qv_rules rules;
	const enum qv_status status =
		qv_rules_parse(c->context, c->args.words[1], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const struct trainer *trainer = trainers;
	while (trainer->game && strcmp(trainer->game, rules.game->name) != 0)
		trainer++;
	if (!trainer->game)
		return qv_fail(
			&c->error, QV_UNSUPPORTED,
			"train: %.40s has nothing to train; reversi and draughts have patterns, chess weights and a net, backgammon nets, warptrog a net, race weights",
			rules.game->name);
	if (!c->args.data || !*c->args.data)
		return cli_refuse(c, "--data: it is missing; write --data DIR");
	if (trainer->no_player && c->args.player)
		return cli_refuse(c, "--player: %s", trainer->no_player);
	return trainer->run(c, &rules);
}

const struct command command_train = {
	.name = "train",
	.run = run,
	.least = 1,
	.most = 1,
	.usage = "train GAME --data DIR",
	.help = "learn evaluation weights from self-play",
	.more = "Trains the patterns of reversi and draughts, chess's weights or net, the nets of "
		"backgammon and warptrog, and the weights of race. DIR keeps the "
		"games and weights of each round, so a later run continues where one was stopped. The "
		"same plan and --seed give the same weights with any number of --threads. See "
		"docs/training.md.\n"
		"Keys of --plan: rounds, games (in a round), remember (rounds whose games are used), "
		"iterations and penalty (of the fit). Reversi: depth (of the players' search), solve "
		"(empty squares from which they play perfectly), least. Chess: nodes (for a move), "
		"blend (percent of the score in the target), step, net (1: train the net). Draughts: nodes, "
		"blend, least, step. Backgammon: "
		"rounds, built-in (1: start from those nets), first (percent of the rounds by temporal "
		"differences), games, deep (games in a later round), lambda, wild, window, batch, "
		"passes, step, gauge, and deep-... for later rounds. Warptrog: built-in, depth and samples "
		"(of the search), book (percent of the games against `book`), wild, lambda, passes, batch, "
		"step. Race: games, every (games between two lines), test (games against `book` for each), "
		"rate (thousandths), lambda, wild.\n"
		"Exit status 1: Ctrl-C stopped it before the last round.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
