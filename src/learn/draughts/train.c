/*
 * train.c - draughts: the training plan, self-play games, and the rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play and fitting (fit.c) to rounds.c through a struct rounds_subject. A game is
 * adjudicated when its score is decisive or level for several plies, or when nothing has been
 * captured and no man has moved for a while.
 */
#include "learn/draughts/train.h"

#include "base/options.h"
#include "core/table_solver.h"
#include "games/registry.h"
#include "search/duel.h"
#include "search/player_kind.h"

enum {
	BATCH = 256,
	CHANCE_LEAST = 3, CHANCE_MOST = 12,   /* random plies of the opening */
	LOPSIDED = 180, STARTS_MOST = 50,     /* an opening with a larger score is replaced */
	PLIES_MOST = 200,
	DECIDED = 450, DECIDED_PLIES = 4,     /* adjudicated as a win after this many plies */
	LEVEL = 10, LEVEL_PLIES = 16, LEVEL_FROM = 50, /* as a draw, from this ply on */
	QUIET = 36,			      /* as a draw without progress */
	FEW = 3,			      /* positions with so few pieces are in tables */
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
	struct draughts_plan plan = *out;
	struct options o = { OPTION_GROUPS(keys), &plan, .owner = "plan", .owner_first = true };
	options_init(&o);
	const enum qv_status status = options_parse(&o, text, error);
	if (status == QV_OK)
		*out = plan;
	return status;
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

/* The evaluation of that name, which must exist. */
static const struct qv_evaluation *find_evaluation(const char *name)
{
	const struct qv_evaluation *e = draughts_engine.game->evaluations;
	while (strcmp(e->name, name) != 0)
		e++;
	return e;
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
	const struct qv_rules rules = { .game = draughts_engine.game };
	struct search_tables tables;
	table_solver_for_search(l->allocator, &rules, NULL, &tables);
	const struct search_setup setup = {
		.game = draughts_engine.game, .allocator = l->allocator, .settings = &settings,
		.ops = game_player_find(&draughts_engine, &selective_kind)->own,
		.evaluation = find_evaluation(l->has_patterns ? "pattern" : "default"),
		.weights = l->has_patterns ? l->patterns : NULL, .tables = &tables
	};
	return duel_new(&setup, &t->duel, error);
}

static void end(void *player)
{
	struct teacher *t = player;
	duel_free(t->duel);
	*t = (struct teacher){ 0 };
}

/* A game in progress. */
struct lesson_game {
	struct teacher *teacher;
	struct qv_random random;
	struct draughts s;
	uint64_t history[PLIES_MOST + CHANCE_MOST + 1]; /* since the last irreversible move */
	int history_count;
	int plies;
	int decided, level; /* plies with a decisive score (negative: for White), a level one */
	bool over;
	int result; /* for Black, as in a lesson */
};

static void finish(struct lesson_game *g, int result)
{
	g->over = true;
	g->result = result;
}

/* Plays a move and tests for the end of the game. */
static void play_move(struct lesson_game *g, qv_move move)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	if (draughts_irreversible(&g->s, move))
		g->history_count = 0;
	else
		g->history[g->history_count++] = draughts_repeat_hash(&g->s);
	draughts_play(&g->s, move);
	g->plies++;
	if (draughts_result(&g->s, points) != QV_GOING)
		finish(g, 1 + points[DRAUGHTS_BLACK] - points[DRAUGHTS_WHITE]);
	else if (g->s.quiet >= QUIET || g->plies >= PLIES_MOST)
		finish(g, 1);
}

/* Plays the random opening. False: the game has ended. */
static bool play_opening(struct lesson_game *g)
{
	qv_move list[DRAUGHTS_MAX_MOVES];
	g->history_count = g->plies = g->decided = g->level = 0;
	g->over = false;
	draughts_start(&g->s, NULL);
	uint64_t left = CHANCE_LEAST + qv_random_below(&g->random, CHANCE_MOST - CHANCE_LEAST + 1);
	for (; left && !g->over; left--) {
		const uint64_t n = (uint64_t)draughts_moves(&g->s, list);
		play_move(g, list[qv_random_below(&g->random, n)]);
	}
	return !g->over;
}

/* Ends the game if the score, for Black, has been decisive or level for long enough. */
static void adjudicate(struct lesson_game *g, int32_t black)
{
	const int32_t size = black < 0 ? -black : black;
	g->decided = size < DECIDED ? 0
		     : black > 0    ? (g->decided > 0 ? g->decided : 0) + 1
				    : (g->decided < 0 ? g->decided : 0) - 1;
	g->level = size <= LEVEL ? g->level + 1 : 0;
	if (g->decided >= DECIDED_PLIES || g->decided <= -DECIDED_PLIES)
		finish(g, g->decided > 0 ? 2 : 0);
	else if (g->level >= LEVEL_PLIES && g->plies >= LEVEL_FROM)
		finish(g, 1);
}

/* Stores the position unless it is decided, in the tables, or a capture is due. */
static void keep(const struct lesson_game *g, int32_t score, struct draughts_lessons *out)
{
	const struct draughts *s = &g->s;
	const int side = s->turn;
	if (draughts_takers(s) || score >= DECIDED || score <= -DECIDED ||
	    bits_count(s->pieces[0] | s->pieces[1]) <= FEW || out->count == DRAUGHTS_LESSONS_A_GAME)
		return;
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
}

/* Plays game `number` and stores its training positions. */
static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	struct teacher *t = player;
	struct draughts_lessons *out = game;
	struct lesson_game g = { .teacher = t,
				 .random.key = qv_random_key(t->seed, (uint64_t)number) };
	struct qv_answer answer = { .score = 0 };
	enum qv_status status = QV_OK;
	duel_forget(t->duel);
	*out = (struct draughts_lessons){ .count = 0 };
	/* Openings until one is playable and not lopsided. */
	for (int starts = 0; starts < STARTS_MOST; starts++) {
		const struct qv_limits none = { 0 };
		if (!play_opening(&g))
			continue;
		status = duel_run(t->duel, &g.s, &none, NULL, &answer, error);
		if (status != QV_OK || (answer.score < LOPSIDED && answer.score > -LOPSIDED))
			break;
	}
	while (status == QV_OK && !g.over) {
		const struct qv_limits limits = { .history = g.history,
						  .history_count = g.history_count };
		status = duel_run(t->duel, &g.s, &limits, NULL, &answer, error);
		if (status != QV_OK)
			break;
		keep(&g, answer.score, out);
		const int32_t black = g.s.turn == DRAUGHTS_BLACK ? answer.score : -answer.score;
		play_move(&g, answer.move);
		if (!g.over)
			adjudicate(&g, black);
	}
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
