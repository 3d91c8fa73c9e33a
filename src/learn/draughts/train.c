/*
 * train.c - draughts: the training plan, what is learned from a game, and the rounds of games and
 * fits.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play (selfplay.c) and fitting (fit.c) to rounds.c through a struct rounds_subject.
 */
#include "learn/draughts/train.h"

#include "core/table_solver.h"
#include "games/twins.h"
#include "learn/selfplay.h"
#include "search/player_kind.h"

enum {
	BATCH = 256,
	DECIDED = 450, /* the score of a game that is decided */
	QUIET = 36,    /* plies without progress, after which a game is a draw */
	FEW = 3,       /* positions with so few pieces are in tables */
};

/* ---- the plan ---- */

#define ROW(name_, f, ...) OPTION(struct draughts_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", rounds, .min = 1, .max = 99, .def = 3),
	ROW("games", games, .min = 1, .max = 10000000, .def = 20000),
	ROW("nodes", nodes, .min = 10, .max = 1000000, .def = 600),
	ROW("remember", remember, .min = 1, .max = 99, .def = 2),
	ROW("iterations", iterations, .min = 1, .max = 1000, .def = 20),
	ROW("blend", blend, .max = 100, .def = 50),
	ROW("penalty", penalty, .max = 1000000, .def = 30),
	ROW("least", least, .max = 100000, .def = 8),
	ROW("step", step, .min = 1, .max = 10000, .def = 100),
	{ 0 },
};
#undef ROW

enum qv_status draughts_plan_parse(const char *text, struct draughts_plan *out,
				   struct qv_error *error)
{
	return selfplay_plan_parse(keys, text, out, sizeof *out, error);
}

/* ---- playing ---- */

/* A training in progress: the `learner` of the callbacks below. */
struct learner {
	const struct draughts_job *job;
	const struct qv_allocator *allocator;
	struct draughts_patterns *patterns;
	bool has_patterns; /* false before the first fit: the hand-written evaluation plays */
	struct draughts_round news;
};

/* One thread's player. */
struct teacher {
	uint64_t seed; /* of the round */
	struct duel *duel;
};

/* All that the games depend on, so that another plan does not resume from them. */
static void title(const void *ctx, int round, char *out, size_t size)
{
	const struct draughts_plan *p = &((const struct learner *)ctx)->job->plan;
	snprintf(out, size,
		 "quevedo-draughts-games 1 round=%d seed=%llu games=%lld nodes=%lld fit=%d,%d,%d,%d,%d,%d",
		 round, (unsigned long long)p->seed, (long long)p->games, (long long)p->nodes,
		 p->remember, p->iterations, p->blend, p->penalty, p->least, p->step);
}

static enum qv_status begin(void *ctx, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	const struct learner *l = ctx;
	struct teacher *t = player;
	struct settings settings;
	(void)worker;
	*t = (struct teacher){ seed, NULL };
	const enum qv_status status =
		kind_settings(&selective_kind, "tt=1", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = 0;
	settings.nodes = l->job->plan.nodes;
	/* Endings in the built-in tables are scored exactly. */
	const struct engine *engine = registry_at(GAME_draughts);
	const struct qv_rules rules = { .game = engine->game };
	struct search_tables tables;
	table_solver_for_search(l->allocator, &rules, NULL, &tables);
	const struct search_setup setup = {
		.game = engine->game,
		.allocator = l->allocator,
		.settings = &settings,
		.ops = game_player_find(engine, &selective_kind)->own,
		.evaluation = selfplay_evaluation(engine->game,
						  l->has_patterns ? "pattern" : "default"),
		.weights = l->has_patterns ? l->patterns : NULL,
		.tables = &tables
	};
	return duel_new(&setup, &t->duel, error);
}

static void end(void *player)
{
	struct teacher *t = player;
	duel_free(t->duel);
	*t = (struct teacher){ 0 };
}

static bool is_drawn(const struct selfplay_game *g)
{
	return ((const struct draughts *)g->state)->quiet >= QUIET;
}

/* Stores the position unless it is decided, in the tables, or a capture is due. */
static enum qv_status keep(void *ctx, const struct selfplay_game *g, const struct qv_answer *answer,
			   struct qv_error *error)
{
	struct draughts_lessons *out = ctx;
	const struct draughts *s = g->state;
	const int side = s->turn;
	const int32_t score = answer->score;
	(void)error;
	if (draughts_takers(s) || score >= DECIDED || score <= -DECIDED ||
	    bits_count(s->pieces[0] | s->pieces[1]) <= FEW || out->count == DRAUGHTS_LESSONS_A_GAME)
		return QV_OK;
	uint32_t mine = draughts_pack(s->pieces[side]), theirs = draughts_pack(s->pieces[1 - side]);
	uint32_t kings = draughts_pack(s->kings);
	if (side == DRAUGHTS_WHITE) {
		mine = draughts_turn(mine);
		theirs = draughts_turn(theirs);
		kings = draughts_turn(kings);
	}
	/* The result, not known yet, is for the side to move. */
	out->list[out->count++] = (struct draughts_lesson){ mine, theirs, kings, (int16_t)score,
							    (uint8_t)side, 0 };
	return QV_OK;
}

/* Plays game `number` and stores its training positions. */
static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	const struct selfplay_rules rules = { .game = registry_at(GAME_draughts)->game,
					      .random_least = 3,
					      .random_most = 12,
					      .lopsided = 180,
					      .plies_most = 200,
					      .decided = DECIDED,
					      .decided_plies = 4,
					      .level = 10,
					      .level_plies = 16,
					      .level_from = 50,
					      .is_drawn = is_drawn };
	struct teacher *t = player;
	struct draughts_lessons *out = game;
	struct draughts s;
	struct selfplay_game g = { .rules = &rules,
				   .random.key = qv_random_key(t->seed, (uint64_t)number),
				   .state = &s };
	*out = (struct draughts_lessons){ .count = 0 };
	const enum qv_status status = selfplay_run(&g, t->duel, keep, out, error);
	out->result = g.result;
	for (int i = 0; i < out->count; i++)
		out->list[i].result = (uint8_t)(out->list[i].result == DRAUGHTS_BLACK
							? g.result
							: 2 - g.result);
	return status;
}

/* ---- the whole ---- */

static enum qv_status fit(void *ctx, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct learner *l = ctx;
	const struct draughts_fit_job job = { .games = games,
					      .count = count,
					      .round = round,
					      .plan = &l->job->plan,
					      .stop = l->job->stop,
					      .allocator = l->allocator };
	const enum qv_status status = draughts_fit(&job, l->patterns, &l->news, error);
	l->has_patterns |= status == QV_OK;
	return status;
}

/* The weights as a file, and back. */
static enum qv_status write_weights(void *ctx, char *out, size_t *size, struct qv_error *error)
{
	(void)error;
	draughts_patterns_write(((const struct learner *)ctx)->patterns, out);
	*size = DRAUGHTS_PATTERN_FILE;
	return QV_OK;
}

static enum qv_status read_weights(void *ctx, const char *data, size_t size, struct qv_error *error)
{
	struct learner *l = ctx;
	const enum qv_status status = draughts_patterns_read(data, size, l->patterns, error);
	l->has_patterns |= status == QV_OK;
	return status;
}

static uint64_t hash(const void *ctx)
{
	const struct draughts_patterns *p = ((const struct learner *)ctx)->patterns;
	return qv_hash_bytes(p, sizeof *p);
}

static void report(void *ctx, const struct rounds_news *news)
{
	struct learner *l = ctx;
	l->news.round = *news;
	if (l->job->round)
		l->job->round(l->job->ctx, &l->news);
}

enum qv_status draughts_train(const struct draughts_job *job, const struct qv_allocator *allocator,
			      struct draughts_patterns *out, struct qv_error *error)
{
	const struct draughts_plan *p = &job->plan;
	struct learner l = { .job = job, .allocator = allocator, .patterns = out };
	const struct rounds_job rounds = {
		.seed = p->seed, .rounds = p->rounds, .games = p->games, .remember = p->remember,
		.folder = job->folder, .threads = job->threads, .stop = job->stop,
		.progress = job->progress, .ctx = job->ctx
	};
	const struct rounds_subject subject = {
		.learner = &l, .game_size = sizeof(struct draughts_lessons), .batch = BATCH,
		.file_most = DRAUGHTS_PATTERN_FILE, .title = title,
		.player_size = sizeof(struct teacher), .begin = begin, .end = end, .play = play,
		.fit = fit, .write = write_weights, .read = read_weights, .hash = hash,
		.report = report
	};
	memset(out, 0, sizeof *out);
	return rounds_run(&rounds, &subject, allocator, error);
}
