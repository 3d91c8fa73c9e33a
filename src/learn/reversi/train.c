/*
 * train.c - reversi: the training plan, self-play games, and the rounds of games and fits.
 * SPDX-License-Identifier: MIT
 *
 * Connects self-play and fitting (fit.c) to rounds.c through a struct rounds_subject. Negascout
 * with a small transposition table plays; the endgame solver takes over when few squares are empty,
 * so that final scores are exact. A game depends only on its number and on the plan, not on the
 * games before it. The phases of the game are fitted in parallel, one thread each.
 */
#include "learn/reversi/train.h"

#include <math.h>

#include "base/threads.h"
#include "games/reversi/endgame.h"
#include "games/twins.h"
#include "learn/selfplay.h"
#include "search/player_kind.h"

/*
 * Bounds of the number of random moves. Most games have few; one in eight has many, so that late
 * positions vary as much as early ones.
 */
enum { CHANCE_LEAST = 2, CHANCE_MOST = 22, LATE_LEAST = 20, LATE_MOST = 44, LATE_ONE_OF = 8 };
enum { ENDGAME_BYTES = 1 << 20 };

/* ---- the plan ---- */

#define ROW(name_, f, ...) OPTION(struct train_plan, name_, OPTION_INT, f, __VA_ARGS__)
static const struct option keys[] = {
	ROW("rounds", rounds, .min = 1, .max = 99, .def = 6),
	ROW("games", games, .min = 1, .max = 10000000, .def = 20000),
	ROW("depth", depth, .min = 1, .max = 20, .def = 4),
	ROW("solve", solve, .max = 30, .def = 14),
	ROW("remember", remember, .min = 1, .max = 99, .def = 4),
	ROW("iterations", fit.iterations, .min = 1, .max = 1000, .def = 20),
	ROW("penalty", fit.penalty, .min = 1, .max = 100000, .def = 64),
	ROW("least", fit.least, .max = 100000, .def = 16),
	{ 0 },
};
#undef ROW

enum qv_status train_plan_parse(const char *text, struct train_plan *out, struct qv_error *error)
{
	return selfplay_plan_parse(keys, text, out, sizeof *out, error);
}

void train_plan_text(const struct train_plan *p, char *out, size_t size)
{
	struct train_plan plan = *p;
	struct qv_text text = { out, size, 0 };
	options_text(&(struct options){ .groups = OPTION_GROUPS(keys), .values = &plan }, &text);
}

/* ---- playing ---- */

/* A training in progress: the `learner` of the callbacks below. */
struct train {
	const struct train_job *job;
	const struct qv_allocator *allocator;
	struct reversi_patterns *patterns;
	bool has_patterns; /* false before the first fit: the hand-crafted evaluation plays */
	struct train_round news;
};

/* One thread's player. */
struct selfplay {
	const struct train *t;
	uint64_t seed; /* of the round */
	struct duel *duel;
	struct endgame endgame;
	struct qv_evaluation evaluation;
};

/* All that the games depend on, so that another plan does not resume from them. */
static void title(const void *learner, int round, char *out, size_t size)
{
	const struct train_plan *p = &((const struct train *)learner)->job->plan;
	snprintf(
		out, size,
		"quevedo-reversi-games 1 round=%d seed=%llu games=%lld depth=%d solve=%d remember=%d "
		"fit=%d,%d,%d",
		round, (unsigned long long)p->seed, (long long)p->games, p->depth, p->solve,
		p->remember, p->fit.iterations, p->fit.penalty, p->fit.least);
}

/* The patterns as a struct qv_evaluation. */
static int32_t evaluate(const void *state, const void *weights)
{
	return reversi_pattern_evaluate(state, weights);
}

static int32_t leaf(const void *state, const void *weights)
{
	return reversi_pattern_leaf(state, weights);
}

/* Prepares a thread's player: search and endgame solver, each with its own table. */
static enum qv_status begin(void *learner, int worker, uint64_t seed, void *player,
			    struct qv_error *error)
{
	const struct train *t = learner;
	struct selfplay *p = player;
	struct settings settings;
	(void)worker;
	*p = (struct selfplay){ .t = t, .seed = seed };
	p->evaluation = (struct qv_evaluation){ "learning", .evaluate = evaluate, .leaf = leaf,
						.weights = t->patterns };
	enum qv_status status = kind_settings(&negascout_kind, "tt=1", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = t->job->plan.depth;
	const struct engine *engine = registry_at(GAME_reversi);
	const struct search_setup setup = {
		.game = engine->game, .ops = engine->duel, .allocator = t->allocator,
		.settings = &settings, .evaluation = t->has_patterns ? &p->evaluation : NULL
	};
	status = duel_new(&setup, &p->duel, error);
	if (status == QV_OK && endgame_init(&p->endgame, t->allocator, ENDGAME_BYTES) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	return status;
}

/* Also after a failed begin, and for a player that has not begun: all its bytes are 0. */
static void end(void *player)
{
	struct selfplay *p = player;
	duel_free(p->duel);
	if (p->t)
		endgame_release(&p->endgame, p->t->allocator);
	*p = (struct selfplay){ 0 };
}

/* The move of the endgame solver or the search; the side to move must have one. */
static enum qv_status choose(struct selfplay *p, const struct reversi *s, int *square,
			     struct qv_error *error)
{
	const struct qv_limits none = { 0 };
	struct qv_answer answer;
	if (bits_count(~(s->mover | s->other)) <= p->t->job->plan.solve) {
		*square = endgame_solve(&p->endgame, s->mover, s->other, -ENDGAME_MOST,
					ENDGAME_MOST, NULL)
				  .move;
		return QV_OK;
	}
	const enum qv_status status = duel_run(p->duel, s, &none, NULL, &answer, error);
	*square = (int)answer.move;
	return status;
}

/* Plays game `number`. Each game starts with empty tables. */
static enum qv_status play(void *player, int64_t number, void *game, struct qv_error *error)
{
	struct selfplay *p = player;
	struct game_record *out = game;
	struct qv_random random = { .key = qv_random_key(p->seed, (uint64_t)number) };
	struct reversi s;
	const bool late = qv_random_below(&random, LATE_ONE_OF) == 0;
	const int least = late ? LATE_LEAST : CHANCE_LEAST, most = late ? LATE_MOST : CHANCE_MOST;
	const int by_chance = least + (int)qv_random_below(&random, (uint64_t)(most - least + 1));
	*out = (struct game_record){ .by_chance = (uint8_t)by_chance };
	duel_forget(p->duel);
	endgame_forget(&p->endgame);
	reversi_start(&s, NULL);
	for (;;) {
		uint64_t moves = reversi_mobility(s.mover, s.other);
		int square = REVERSI_PASS;
		if (!moves && !reversi_mobility(s.other, s.mover))
			break;
		/* A random move: skip some of the set. */
		if (moves && out->count < by_chance) {
			for (uint64_t skip = qv_random_below(&random, (uint64_t)bits_count(moves));
			     skip; skip--)
				moves = bits_rest(moves);
			square = bits_lowest(moves);
		} else if (moves) {
			const enum qv_status status = choose(p, &s, &square, error);
			if (status != QV_OK)
				return status;
		}
		reversi_play(&s, (qv_move)square);
		if (moves)
			out->moves[out->count++] = (uint8_t)square;
	}
	const int score = endgame_final(s.mover, s.other);
	out->score = (int8_t)(s.seat == 0 ? score : -score);
	return QV_OK;
}

/* ---- fitting ---- */

/* One fit of all phases. */
struct fitting {
	struct train *t;
	struct samples learned, tested;
	bool fitted[PATTERN_PHASES];
	double errors[PATTERN_PHASES];
	int64_t counts[PATTERN_PHASES]; /* of samples tested */
};

/* Jobs of threads_for, one for each phase. */
static void fit_one(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	struct train *t = f->t;
	(void)worker;
	f->fitted[job] =
		fit_phase(&f->learned, &t->job->plan.fit, (int)job, t->patterns, t->allocator);
}

static void test_one(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	(void)worker;
	f->errors[job] = fit_error(&f->tested, f->t->patterns, (int)job, &f->counts[job]);
}

/* The error of all phases together, with the current weights. */
static double whole_error(struct fitting *f)
{
	double sum = 0;
	threads_for(f->t->job->threads, PATTERN_PHASES, NULL, test_one, f);
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (f->errors[i] >= 0)
			sum += f->errors[i] * f->errors[i] * (double)f->counts[i];
	return f->tested.count ? sqrt(sum / (double)f->tested.count) : 0;
}

static enum qv_status fit(void *learner, const void *games, int64_t count, int64_t round,
			  struct qv_error *error)
{
	struct train *t = learner;
	struct fitting f = { .t = t };
	const struct games all = { games, count, round };
	enum qv_status status = samples_init(&f.learned, t->allocator, &all, false, error);
	if (status == QV_OK)
		status = samples_init(&f.tested, t->allocator, &all, true, error);
	if (status != QV_OK)
		goto done;
	/* Test, fit, and test again. */
	t->news.samples = f.learned.count;
	t->news.before = whole_error(&f);
	if (!threads_for(t->job->threads, PATTERN_PHASES, t->job->stop, fit_one, &f)) {
		status = qv_fail(error, QV_STOPPED, "train: stopped");
		goto done;
	}
	for (int i = 0; i < PATTERN_PHASES; i++)
		if (!f.fitted[i]) {
			status = qv_fail(error, QV_NO_MEMORY, "train: out of memory");
			goto done;
		}
	t->news.after = whole_error(&f);
	memcpy(t->news.error, f.errors, sizeof t->news.error);
	t->has_patterns = true;
done:
	samples_release(&f.learned, t->allocator);
	samples_release(&f.tested, t->allocator);
	return status;
}

/* ---- the whole ---- */

/* The weights as a file, and back. */
static enum qv_status write_weights(void *learner, char *out, size_t *size, struct qv_error *error)
{
	return reversi_patterns_pack(((const struct train *)learner)->patterns, out, size, error);
}

static enum qv_status read_weights(void *learner, const char *data, size_t size,
				   struct qv_error *error)
{
	struct train *t = learner;
	const enum qv_status status = reversi_patterns_read(data, size, t->patterns, error);
	t->has_patterns |= status == QV_OK;
	return status;
}

static uint64_t hash(const void *learner)
{
	const struct reversi_patterns *p = ((const struct train *)learner)->patterns;
	return qv_hash_bytes(p->weights, sizeof p->weights);
}

static void report(void *learner, const struct rounds_news *news)
{
	struct train *t = learner;
	t->news.round = *news;
	if (t->job->round)
		t->job->round(t->job->ctx, &t->news);
}

enum qv_status train_run(const struct train_job *job, const struct qv_allocator *allocator,
			 struct reversi_patterns *out, struct qv_error *error)
{
	struct train t = { .job = job, .allocator = allocator, .patterns = out };
	const struct train_plan *p = &job->plan;
	const struct rounds_job rounds = {
		.seed = p->seed, .rounds = p->rounds, .games = p->games, .remember = p->remember,
		.folder = job->folder, .threads = job->threads, .stop = job->stop,
		.progress = job->progress, .ctx = job->ctx
	};
	const struct rounds_subject subject = {
		.learner = &t, .game_size = sizeof(struct game_record), .batch = 4096,
		.file_most = PATTERN_FILE_MOST, .title = title,
		.player_size = sizeof(struct selfplay), .begin = begin, .end = end, .play = play,
		.fit = fit, .write = write_weights, .read = read_weights, .hash = hash,
		.report = report
	};
	memset(out, 0, sizeof *out);
	reversi_patterns_init(out);
	return rounds_run(&rounds, &subject, allocator, error);
}
