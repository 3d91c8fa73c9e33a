/*
 * fit.c - draughts: fits the weights of the patterns to training positions.
 * SPDX-License-Identifier: MIT
 *
 * Adam with batches, on one thread: a position has about 25 features, so that a pass over a million
 * positions takes a second or two. The order of the positions is shuffled once; steps fall to a
 * twentieth. The penalty counts in proportion to the batch.
 */
#include "learn/draughts/train.h"

#include <math.h>

#include "base/flag.h"
#include "learn/adam.h"
#include "learn/chess/train.h"

enum {
	BATCH = 8192,
	HELD_BACK = 16, /* one game out of this many of each round is held back for testing */
	VALUES = 2 * DRAUGHTS_PATTERN_WEIGHTS,
	FULL = 2 * DRAUGHTS_PIECES,
	MAN = 100, /* initial values */
	KING = 140,
};

/* The lessons to learn from or to test with. */
struct course {
	const struct draughts_lesson **list;
	int64_t count;
};

/* Arrays of VALUES numbers; the pair of weight i is at 2i and 2i + 1. */
struct fitting {
	const struct draughts_fit_job *job;
	float *weights, *gradient, *mean, *square, *counts;
};

static void position_of(const struct draughts_lesson *l, struct draughts *out)
{
	*out = (struct draughts){ .pieces = { draughts_unpack(l->mine), draughts_unpack(l->theirs) },
				  .kings = draughts_unpack(l->kings) };
}

static int lessons_of(const struct draughts_lessons *game)
{
	return game->count < 0				? 0
	       : game->count < DRAUGHTS_LESSONS_A_GAME ? game->count
						       : DRAUGHTS_LESSONS_A_GAME;
}

/* Whether a damaged file could make a position that the features do not expect. */
static bool is_sound(const struct draughts_lesson *l)
{
	return !(l->mine & l->theirs) && bits_count(l->mine) <= DRAUGHTS_PIECES &&
	       bits_count(l->theirs) <= DRAUGHTS_PIECES && l->result < 3;
}

/* Collects the lessons of the games held back, or of the others. */
static enum qv_status collect(const struct draughts_fit_job *job, bool held_back,
			      struct course *out, struct qv_error *error)
{
	out->count = 0;
	for (int64_t i = 0; i < job->count; i++)
		if ((i % job->round % HELD_BACK == 0) == held_back)
			out->count += lessons_of(&job->games[i]);
	out->list = mem_new(job->allocator, (size_t)out->count, sizeof *out->list);
	if (out->count && !out->list)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	int64_t n = 0;
	for (int64_t i = 0; i < job->count; i++)
		for (int k = 0; k < lessons_of(&job->games[i]); k++) {
			const struct draughts_lesson *l = &job->games[i].list[k];
			if ((i % job->round % HELD_BACK == 0) != held_back)
				break;
			if (!is_sound(l))
				return qv_fail(error, QV_BAD_INPUT,
					       "train: game %lld has a broken position",
					       (long long)i + 1);
			out->list[n++] = l;
		}
	return QV_OK;
}

/* A position's features, and its shares of the two weights of a pair. */
struct reading {
	struct draughts_feature features[DRAUGHTS_FEATURES];
	int count;
	float full, end;
};

static void read_lesson(const struct draughts_lesson *l, struct reading *r)
{
	struct draughts s;
	position_of(l, &s);
	r->count = draughts_features(&s, r->features);
	r->full = (float)bits_count(l->mine | l->theirs) / FULL;
	r->end = 1 - r->full;
}

static double expected(const struct fitting *f, const struct reading *r)
{
	float sum = 0;
	for (int i = 0; i < r->count; i++) {
		const float *w = f->weights + 2 * r->features[i].at;
		sum += (float)r->features[i].times * (w[0] * r->full + w[1] * r->end);
	}
	return chess_logistic((double)sum / DRAUGHTS_CURVE);
}

/* The root mean squared error of the results. */
static double test(const struct fitting *f, const struct course *c)
{
	double sum = 0;
	for (int64_t i = 0; i < c->count; i++) {
		struct reading r;
		read_lesson(c->list[i], &r);
		const double off = expected(f, &r) - c->list[i]->result / 2.0;
		sum += off * off;
	}
	return c->count ? sqrt(sum / (double)c->count) : 0;
}

/* Adds a lesson's part of the gradient. */
static void add_lesson(struct fitting *f, const struct draughts_lesson *l)
{
	const int blend = f->job->plan->blend;
	struct reading r;
	read_lesson(l, &r);
	const double value = expected(f, &r);
	const double said = chess_logistic((double)l->score / DRAUGHTS_CURVE);
	const double aim = (said * blend + l->result / 2.0 * (100 - blend)) / 100;
	const float slope = (float)((value - aim) * value * (1 - value));
	for (int i = 0; i < r.count; i++) {
		float *g = f->gradient + 2 * r.features[i].at;
		const float part = slope * (float)r.features[i].times;
		g[0] += part * r.full;
		g[1] += part * r.end;
	}
}

/* One step of Adam for a batch of `count` of all lessons. */
static void make_step(struct fitting *f, int count, int64_t all, double left, int64_t number)
{
	const struct draughts_plan *plan = f->job->plan;
	/* The slope of an undecided position is 1/4, and weights are in points. */
	const float pull = (float)plan->penalty * (float)count / (float)all / 4 / DRAUGHTS_CURVE;
	for (int i = 0; i < VALUES; i++) {
		if (i < 2 * DRAUGHTS_T_MAN)
			f->gradient[i] += pull * f->weights[i];
		if (f->counts[i] < (float)plan->least)
			f->gradient[i] = 0;
	}
	const struct adam_gradient gradient = { f->gradient, VALUES, 1, count };
	adam_update(f->weights, f->mean, f->square, 0, VALUES, &gradient,
		    (float)(plan->step / 100.0 * (0.05 + 0.95 * left)), number);
	memset(f->gradient, 0, VALUES * sizeof *f->gradient);
}

static void shuffle(struct course *c, uint64_t seed)
{
	struct qv_random random = { .key = qv_random_key(seed, 1) };
	for (int64_t i = c->count - 1; i > 0; i--) {
		const int64_t k = (int64_t)qv_random_below(&random, (uint64_t)i + 1);
		const struct draughts_lesson *l = c->list[i];
		c->list[i] = c->list[k];
		c->list[k] = l;
	}
}

/* How often each weight has a feature. Weights outside the regions are always fitted. */
static void count_features(struct fitting *f, const struct course *c)
{
	for (int64_t i = 0; i < c->count; i++) {
		struct reading r;
		read_lesson(c->list[i], &r);
		for (int k = 0; k < r.count; k++)
			for (int phase = 0; phase < 2; phase++)
				f->counts[2 * r.features[k].at + phase]++;
	}
	for (int i = 2 * DRAUGHTS_T_MAN; i < VALUES; i++)
		f->counts[i] = (float)f->job->plan->least;
}

static enum qv_status descend(struct fitting *f, struct course *learned, struct qv_error *error)
{
	const struct draughts_plan *plan = f->job->plan;
	int64_t number = 0;
	count_features(f, learned);
	shuffle(learned, plan->seed);
	for (int pass = 0; pass < plan->iterations; pass++) {
		if (flag_is_set(f->job->stop))
			return qv_fail(error, QV_STOPPED, "train: stopped");
		const double left = 1 - (double)pass / plan->iterations;
		int count = 0;
		for (int64_t i = 0; i < learned->count; i++) {
			add_lesson(f, learned->list[i]);
			if (++count < BATCH && i + 1 < learned->count)
				continue;
			make_step(f, count, learned->count, left, ++number);
			count = 0;
		}
	}
	return QV_OK;
}

/* Rounds the weights to those of the patterns, and keeps what was rounded. */
static void take_weights(struct fitting *f, struct draughts_patterns *p)
{
	for (int i = 0; i < VALUES; i++) {
		const float scaled = f->weights[i] * DRAUGHTS_PATTERN_UNIT;
		const float whole = scaled < 0 ? scaled - 0.5F : scaled + 0.5F;
		const int16_t w = (int16_t)(whole > INT16_MAX	? INT16_MAX
					    : whole < INT16_MIN ? INT16_MIN
								: whole);
		p->weights[i / 2][i % 2] = w;
		f->weights[i] = (float)w / DRAUGHTS_PATTERN_UNIT;
	}
}

enum qv_status draughts_fit(const struct draughts_fit_job *job, struct draughts_patterns *patterns,
			    struct draughts_round *news, struct qv_error *error)
{
	struct course learned = { 0 }, tested = { 0 };
	struct fitting f = { .job = job };
	float *const room = mem_new(job->allocator, 5 * VALUES, sizeof *room);
	enum qv_status status = room ? QV_OK
				     : qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	if (status == QV_OK)
		status = collect(job, false, &learned, error);
	if (status == QV_OK)
		status = collect(job, true, &tested, error);
	if (status == QV_OK && !learned.count)
		status = qv_fail(error, QV_BAD_INPUT, "train: no position to learn from");
	if (status != QV_OK)
		goto done;
	f.weights = room;
	f.gradient = room + VALUES;
	f.mean = room + 2 * VALUES;
	f.square = room + 3 * VALUES;
	f.counts = room + 4 * VALUES;
	/* The error before is that of the last weights; each fit starts from material. */
	for (int i = 0; i < VALUES; i++)
		f.weights[i] = (float)patterns->weights[i / 2][i % 2] / DRAUGHTS_PATTERN_UNIT;
	news->lessons = learned.count;
	news->before = test(&f, &tested);
	memset(f.weights, 0, VALUES * sizeof *f.weights);
	for (int phase = 0; phase < 2; phase++) {
		f.weights[2 * DRAUGHTS_T_MAN + phase] = MAN;
		f.weights[2 * DRAUGHTS_T_KING + phase] = KING;
	}
	status = descend(&f, &learned, error);
	if (status != QV_OK)
		goto done;
	take_weights(&f, patterns);
	news->after = test(&f, &tested);
done:
	mem_free(job->allocator, learned.list, (size_t)learned.count * sizeof *learned.list);
	mem_free(job->allocator, tested.list, (size_t)tested.count * sizeof *tested.list);
	mem_free(job->allocator, room, 5 * VALUES * sizeof *room);
	return status;
}
