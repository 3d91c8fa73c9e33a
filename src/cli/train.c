/*
 * train.c - the command train: an evaluation's weights from self-play.
 * SPDX-License-Identifier: MIT
 */
#include "cli/train.h"

#include <inttypes.h>
#include <stdio.h>

static void show_progress(void *ctx, int round, int64_t games)
{
	const struct train_run *r = ctx;
	fprintf(stderr, "\r\033[Kround %d of %d: game %lld of %lld", round, r->rounds,
		(long long)games, (long long)r->games);
}

void (*train_progress(void))(void *ctx, int round, int64_t games)
{
	return cli_shows_progress() ? show_progress : NULL;
}

static void clear_progress(void)
{
	if (cli_shows_progress())
		fprintf(stderr, "\r\033[K");
}

void train_tell(struct train_run *r, const struct rounds_news *news, const void *ctx,
		json_t *(*fields)(json_t *o, const void *ctx),
		void (*words)(struct string *out, const void *ctx))
{
	struct cli *c = r->c;
	const bool timed = !news->resumed && !c->args.no_times;
	char hash[24];
	enum qv_status status = QV_OK;
	snprintf(hash, sizeof hash, "%016" PRIx64, news->hash);
	clear_progress();
	if (c->args.json) {
		json_t *o = json_field(json_object(), "round", json_integer(news->number));
		o = json_field(o, "resumed", json_boolean(news->resumed));
		if (!news->resumed)
			o = fields(o, ctx);
		if (timed) {
			o = json_field(o, "seconds_playing", json_seconds(news->seconds_playing));
			o = json_field(o, "seconds_fitting", json_seconds(news->seconds_fitting));
		}
		status = cli_json(c, json_field(o, "hash", json_text(hash)));
	} else {
		string_addf(&c->out, "round %d: ", news->number);
		if (news->resumed)
			string_addf(&c->out, "was there, ");
		else
			words(&c->out, ctx);
		if (timed)
			string_addf(&c->out, "%.1f s playing, %.1f s fitting, ",
				    news->seconds_playing, news->seconds_fitting);
		string_addf(&c->out, "weights %s\n", hash);
	}
	if (status == QV_OK)
		status = cli_flush(c);
	if (r->told == QV_OK)
		r->told = status;
}

enum qv_status train_ended(const struct train_run *r, enum qv_status status)
{
	clear_progress();
	if (status == QV_STOPPED) {
		fprintf(stderr,
			"quevedo: train: stopped; run the same command again to continue\n");
		r->c->answer_is_no = true;
		status = QV_OK;
	}
	return status == QV_OK ? r->told : status;
}

/* ---- The command ---- */

static const struct trainer {
	const char *game;
	enum qv_status (*run)(struct cli *c, const struct qv_rules *rules);
	const char *no_player; /* why --player makes no sense; NULL: it does */
} trainers[] = {
	{ "chess", train_chess, NULL },
	{ "reversi", train_reversi, "reversi learns from the results of games alone" },
};

static const struct trainer *find_trainer(const char *game)
{
	for (size_t i = 0; i < sizeof trainers / sizeof *trainers; i++)
		if (strcmp(trainers[i].game, game) == 0)
			return &trainers[i];
	return NULL;
}

static const struct option own_options[] = {
	SHARED_OPTION(
		"data", OPTION_POINTER, data, .value = "DIR",
		.help = "folder for games and weights; DIR/weights is what weights=FILE takes"),
	COMMAND_OPTION(struct train_values, "plan", OPTION_POINTER, plan, .value = "KEY=N,...",
		       .help = "how to train; the keys are below"),
	SHARED_OPTION("player", OPTION_POINTER, player, .value = "SPEC",
		      .help = "chess: player that scores the positions, or nnue:FILE, the static "
			      "value of a net of Stockfish 15"),
	{ 0 },
};

static enum qv_status run(struct cli *c)
{
	struct qv_rules rules;
	const enum qv_status status =
		qv_rules_parse(c->context, c->args.words[1], &rules, &c->error);
	if (status != QV_OK)
		return status;
	const struct trainer *trainer = find_trainer(rules.game->name);
	if (!trainer)
		return qv_fail(
			&c->error, QV_UNSUPPORTED,
			"train: %.40s has nothing to train; reversi has patterns, chess weights and a net",
			rules.game->name);
	if (!c->args.data || !*c->args.data)
		return qv_fail(&c->error, QV_BAD_INPUT, "--data: it is missing; write --data DIR");
	if (trainer->no_player && c->args.player)
		return qv_fail(&c->error, QV_BAD_INPUT, "--player: %s", trainer->no_player);
	return trainer->run(c, &rules);
}

const struct command command_train = {
	.name = "train",
	.run = run,
	.least = 1,
	.most = 1,
	.usage = "train GAME --data DIR",
	.help = "learn evaluation weights from self-play",
	.more = "Trains reversi's patterns, and chess's weights or net. DIR keeps the games and weights "
		"of each round, so a later run continues where one was stopped. The same plan and "
		"--seed give the same weights with any number of --threads. See docs/training.md.\n"
		"Keys of --plan: rounds, games (in a round), remember (rounds whose games are used), "
		"iterations and penalty (of the fit). Reversi: depth (of the players' search), solve "
		"(empty squares from which they play perfectly), least. Chess: nodes (for a move), "
		"blend (percent of the score in the target), step, net (1: train the net).\n"
		"Exit status 1: Ctrl-C stopped it before the last round.\n",
	.options = OPTION_GROUPS(own_options, common_options),
};
