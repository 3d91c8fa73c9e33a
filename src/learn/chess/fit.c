/*
 * fit.c - chess: fits the weights of the evaluation to training positions (Texel tuning).
 * SPDX-License-Identifier: MIT
 *
 * Each position is reduced once to its non-zero coefficients, so that an iteration is a sparse dot
 * product per position and no evaluation. First the scale of the logistic curve is fitted by a grid
 * search, then the weights by Adam with a falling learning rate. The positions are processed in
 * parts of fixed size whose sums are added in order, so the result does not depend on the number of
 * threads.
 */
#include "learn/chess/train.h"

#include <math.h>

#include "base/flag.h"
#include "base/threads.h"
#include "games/chess/evaluate.h"

enum {
	PART = 4096,	  /* positions summed up by one job */
	TERMS_MOST = 160, /* most non-zero coefficients of a position */
	HELD_BACK = 16,	  /* one game out of this many of each round is held back for testing */
};

/* A coefficient: how often white has a weight's feature, minus black. */
struct term {
	uint16_t at;
	int16_t times;
};

/* A training position, reduced to its terms. */
struct line {
	uint32_t first, count; /* its terms */
	float middle, end;     /* phase: share of the middlegame and the endgame sum */
	float extra;           /* the part of the evaluation that has no weights */
	float result; /* 0, 0.5 or 1, for white */
	float score;  /* the search's */
	float aim;    /* the target: result and score, blended */
};

/* Training positions, and the terms of all of them. */
struct lines {
	const struct qv_allocator *allocator;
	struct line *list;
	int64_t count;
	size_t room;
	struct term *terms;
	int64_t term_count;
	size_t term_room;
};

/* ---- the curve ---- */

double chess_logistic(double x)
{
	if (x < -40)
		return 0;
	if (x > 40)
		return 1;
	/* exp(-x) = 2^n * exp(r) with a small r; exp(r) by its Taylor series. */
	const double log2 = 0.69314718055994530942, y = -x;
	const int n = (int)(y / log2 + (y < 0 ? -0.5 : 0.5));
	const double r = y - n * log2;
	double sum = 1;
	for (int i = 13; i > 0; i--)
		sum = 1 + r / i * sum;
	return 1 / (1 + ldexp(sum, n));
}

/* ---- reading ---- */

static void lines_release(struct lines *l)
{
	const struct qv_allocator *a = l->allocator;
	mem_free(a, l->list, l->room * sizeof *l->list);
	mem_free(a, l->terms, l->term_room * sizeof *l->terms);
}

/* Adds a position as a line; called for each lesson. */
static bool add_line(void *ctx, const struct lesson *lesson, const struct chess *s)
{
	struct lines *l = ctx;
	const struct qv_allocator *a = l->allocator;
	const size_t terms = (size_t)l->term_count + TERMS_MOST;
	struct chess_trace trace = { .phase = 0 };
	if (!mem_reserve(a, &l->list, &l->room, (size_t)l->count + 1, sizeof *l->list) ||
	    !mem_reserve(a, &l->terms, &l->term_room, terms, sizeof *l->terms) ||
	    terms >= UINT32_MAX)
		return false;
	struct line *line = &l->list[l->count++];
	/* The trace does not depend on the weights. */
	chess_evaluate_as(s, chess_weights, &trace);
	*line = (struct line){
		.first = (uint32_t)l->term_count,
		.middle = (float)trace.phase / CHESS_WHOLE,
		.end = (float)((CHESS_WHOLE - trace.phase) * trace.scale) /
		       (CHESS_WHOLE * CHESS_SCALE_ONE),
		.extra = (float)trace.extra,
		.result = (float)lesson->result / 2,
		.score = lesson->score,
	};
	for (int i = 0; i < CHESS_WEIGHTS && line->count < TERMS_MOST; i++) {
		const int times = trace.times[CHESS_WHITE][i] - trace.times[CHESS_BLACK][i];
		if (times) {
			l->terms[l->term_count++] = (struct term){ (uint16_t)i, (int16_t)times };
			line->count++;
		}
	}
	return true;
}

/* Whether the game is for testing. */
static bool is_held_back(const struct fit_job *job, int64_t game)
{
	return game % job->round % HELD_BACK == 0;
}

/* The lessons of a game; a damaged file may have a larger count. */
static int lessons_of(const struct lessons *game)
{
	return game->count < LESSONS_A_GAME ? game->count : LESSONS_A_GAME;
}

int64_t fit_count_lessons(const struct fit_job *job, const struct fit_games *which)
{
	int64_t count = 0;
	for (int64_t i = which->first; i < which->last; i++)
		if (is_held_back(job, i) == which->held_back)
			count += lessons_of(&job->games[i]);
	return count;
}

enum qv_status fit_each_lesson(const struct fit_job *job, const struct fit_games *which,
			       bool (*take)(void *ctx, const struct lesson *lesson,
					    const struct chess *s),
			       void *ctx, struct qv_error *error)
{
	for (int64_t i = which->first; i < which->last; i++) {
		const struct lessons *game = &job->games[i];
		if (is_held_back(job, i) != which->held_back)
			continue;
		for (int k = 0; k < lessons_of(game); k++) {
			struct chess s;
			if (!lesson_unpack(&game->list[k], &s))
				return qv_fail(error, QV_BAD_INPUT,
					       "train: game %lld has a broken position",
					       (long long)i + 1);
			if (!take(ctx, &game->list[k], &s))
				return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
		}
	}
	return QV_OK;
}

/* ---- error and gradient ---- */

/* The sums over PART positions: of squared errors, and their gradient if wanted. */
struct part {
	double error;
	double gradient[2 * CHESS_WEIGHTS];
};

/* What a pass over the positions needs. */
struct fitting {
	const struct fit_job *job;
	const struct lines *lines;
	const double *weights;
	double curve;
	bool gradient; /* compute the gradient, too */
	struct part *parts;
};

/* A job of threads_for: the error of one part, and its gradient. */
static void sum_part(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	struct part *p = &f->parts[job];
	const int64_t last =
		(job + 1) * PART < f->lines->count ? (job + 1) * PART : f->lines->count;
	(void)worker;
	memset(p, 0, sizeof *p);
	for (int64_t i = job * PART; i < last; i++) {
		const struct line *line = &f->lines->list[i];
		const struct term *t = f->lines->terms + line->first;
		double middle = 0, end = 0;
		for (uint32_t k = 0; k < line->count; k++) {
			middle += t[k].times * f->weights[2 * t[k].at];
			end += t[k].times * f->weights[2 * t[k].at + 1];
		}
		const double value = middle * (double)line->middle + end * (double)line->end +
				     (double)line->extra;
		const double expected = chess_logistic(value / f->curve);
		const double off = expected - (double)line->aim;
		p->error += off * off;
		if (!f->gradient)
			continue;
		/* The derivative of the squared error by the value, without constant factors. */
		const double slope = off * expected * (1 - expected);
		middle = slope * (double)line->middle;
		end = slope * (double)line->end;
		for (uint32_t k = 0; k < line->count; k++) {
			p->gradient[2 * t[k].at] += middle * t[k].times;
			p->gradient[2 * t[k].at + 1] += end * t[k].times;
		}
	}
}

/* Returns the mean squared error; the sum of the gradient is then in parts[0]. */
static double sum_all(struct fitting *f)
{
	const int64_t parts = (f->lines->count + PART - 1) / PART;
	threads_for(f->job->threads, parts, NULL, sum_part, f);
	for (int64_t i = 1; i < parts; i++) {
		f->parts[0].error += f->parts[i].error;
		for (int k = 0; f->gradient && k < 2 * CHESS_WEIGHTS; k++)
			f->parts[0].gradient[k] += f->parts[i].gradient[k];
	}
	return parts ? f->parts[0].error / (double)f->lines->count : 0;
}

/* Sets the targets: the results, blended with `blend` percent of the search's scores. */
static void set_aims(struct lines *l, double curve, int blend)
{
	for (int64_t i = 0; i < l->count; i++) {
		struct line *line = &l->list[i];
		const double said = chess_logistic((double)line->score / curve);
		line->aim = (float)((said * blend + (double)line->result * (100 - blend)) / 100);
	}
}

/* ---- gradient descent ---- */

/* The state of Adam: weights and moments, a number for each half of a pair. */
struct steps {
	double now[2 * CHESS_WEIGHTS], first[2 * CHESS_WEIGHTS];
	double slow[2 * CHESS_WEIGHTS], size[2 * CHESS_WEIGHTS]; /* first and second moments */
	double new_slow, new_size; /* powers of the decay rates, for bias correction */
};

/* One step of Adam, with a learning rate that falls linearly to a tenth. */
static void step(struct steps *s, const struct fitting *f, int number)
{
	const double keep = 0.9, keep_size = 0.999, count = (double)f->lines->count;
	s->new_slow *= keep;
	s->new_size *= keep_size;
	const double bias = 1 - s->new_slow, bias_size = 1 - s->new_size;
	const double left = 1 - (double)(number - 1) / f->job->iterations;
	const double length = f->job->step / 100.0 * (0.1 + 0.9 * left);
	/* The L2 penalty pulls towards the initial weights. */
	const double hold = f->job->penalty / count / (f->curve * f->curve) / 16;
	for (int i = 0; i < 2 * CHESS_WEIGHTS; i++) {
		const double gradient = f->parts[0].gradient[i] / count / f->curve +
					hold * (s->now[i] - s->first[i]);
		s->slow[i] = keep * s->slow[i] + (1 - keep) * gradient;
		s->size[i] = keep_size * s->size[i] + (1 - keep_size) * gradient * gradient;
		s->now[i] -= length * (s->slow[i] / bias) / (sqrt(s->size[i] / bias_size) + 1e-9);
	}
}

/* The root mean squared error of the lines, with the current weights. */
static double test(struct fitting f, const struct lines *lines)
{
	f.lines = lines;
	f.gradient = false;
	return sqrt(sum_all(&f));
}

/* Fits the curve and the weights; f->parts has room for the longer of the two lists. */
static enum qv_status fit(struct fitting *f, struct lines *learned, struct lines *tested,
			  int32_t *weights, struct fit_news *news, struct qv_error *error)
{
	struct steps *s = mem_new(f->job->allocator, 1, sizeof *s);
	enum qv_status status = QV_OK;
	if (!s)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	for (int i = 0; i < 2 * CHESS_WEIGHTS; i++)
		s->now[i] = s->first[i] = weights[i];
	f->weights = s->now;
	f->lines = learned;
	/* The scale of the logistic curve with the least error for the initial weights. */
	double least = 2;
	set_aims(learned, 1, 0);
	for (int curve = CURVE_LEAST; curve <= CURVE_MOST; curve += CURVE_STEP) {
		f->curve = curve;
		const double squared = sum_all(f);
		if (squared < least) {
			least = squared;
			news->curve = curve;
		}
	}
	f->curve = news->curve;
	set_aims(learned, f->curve, f->job->blend);
	set_aims(tested, f->curve, 0);
	news->before = test(*f, tested);
	/* The descent. */
	f->gradient = true;
	s->new_slow = s->new_size = 1;
	for (int i = 1; i <= f->job->iterations; i++) {
		if (flag_is_set(f->job->stop)) {
			status = qv_fail(error, QV_STOPPED, "train: stopped");
			goto done;
		}
		sum_all(f);
		step(s, f, i);
	}
	for (int i = 0; i < 2 * CHESS_WEIGHTS; i++)
		s->now[i] = weights[i] =
			(int32_t)(s->now[i] < 0 ? s->now[i] - 0.5 : s->now[i] + 0.5);
	news->after = test(*f, tested);
done:
	mem_free(f->job->allocator, s, sizeof *s);
	return status;
}

enum qv_status chess_fit(const struct fit_job *job, int32_t *weights, struct fit_news *news,
			 struct qv_error *error)
{
	struct lines learned = { .allocator = job->allocator }, tested = learned;
	struct fitting f = { .job = job };
	const struct fit_games others = { 0, job->count, false };
	const struct fit_games held_back = { 0, job->count, true };
	enum qv_status status = fit_each_lesson(job, &others, add_line, &learned, error);
	if (status == QV_OK)
		status = fit_each_lesson(job, &held_back, add_line, &tested, error);
	if (status == QV_OK && !learned.count)
		status = qv_fail(error, QV_BAD_INPUT, "train: no position to learn from");
	*news = (struct fit_news){ .lessons = learned.count, .curve = CURVE_LEAST };
	if (status == QV_OK) {
		const int64_t most = learned.count > tested.count ? learned.count : tested.count;
		const size_t parts = (size_t)((most + PART - 1) / PART);
		f.parts = mem_new(job->allocator, parts, sizeof *f.parts);
		status = f.parts ? fit(&f, &learned, &tested, weights, news, error)
				 : qv_fail(error, QV_NO_MEMORY, "train: out of memory");
		mem_free(job->allocator, f.parts, parts * sizeof *f.parts);
	}
	lines_release(&learned);
	lines_release(&tested);
	return status;
}
