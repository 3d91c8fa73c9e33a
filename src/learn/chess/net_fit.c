/*
 * net_fit.c - chess: the weights of the net from lessons.
 * SPDX-License-Identifier: MIT
 */
#include "learn/chess/net_fit.h"

#include <math.h>

#include "learn/crew.h"

enum {
	BATCH = 16384, /* lessons of a step */
	PARTS = 16,    /* of a batch, summed apart */
	PART = BATCH / PARTS,
	SIZE = CHESS_NET_SIZE,
	CURVE_LEAST = 80,
	CURVE_MOST = 600,
	CURVE_STEP = 10,
};

/* The net in floating point: one array, so that the steps need not know its parts. */
struct floats {
	float rows[CHESS_NET_INPUTS][SIZE];
	float empty[SIZE];
	float outs[CHESS_NET_STAGES][2][SIZE];
	float base[CHESS_NET_STAGES];
};
enum { FLOATS = sizeof(struct floats) / sizeof(float) };

/* A lesson ready to be learned. */
struct line {
	uint16_t inputs[2][CHESS_NET_MEN]; /* of who moves, and of the other */
	uint8_t count[2], stage, result;   /* for who moves, as in struct lesson */
	int16_t score;			   /* for who moves */
};

struct lines {
	const struct qv_allocator *allocator;
	struct line *list;
	int64_t count, room;
};

/* ---- reading ---- */

static bool add_line(void *ctx, const struct lesson *lesson, const struct chess *s)
{
	struct lines *l = ctx;
	const struct qv_allocator *a = l->allocator;
	if (l->count == l->room) {
		const int64_t room = l->room ? 2 * l->room : 1024;
		struct line *list = mem_resize(a, l->list, (size_t)l->room * sizeof *list,
					       (size_t)room * sizeof *list);
		if (!list)
			return false;
		l->list = list;
		l->room = room;
	}
	struct line *line = &l->list[l->count++];
	*line = (struct line){
		.stage = (uint8_t)chess_net_stage(bits_count(chess_men(s))),
		.result = s->turn ? 2 - lesson->result : lesson->result,
		.score = s->turn ? (int16_t)-lesson->score : lesson->score,
	};
	for (int i = 0; i < 2; i++)
		line->count[i] = (uint8_t)chess_net_inputs(s, s->turn ^ i, line->inputs[i]);
	return true;
}

/* ---- the net and its gradient ---- */

/* What one lesson needs on its way forth and back. */
struct way {
	float sum[2][SIZE]; /* then: its part of the gradient */
	float squared[2][SIZE];
};

static float forth(const struct floats *f, const struct line *line, struct way *way)
{
	const float *empty = f->empty;
	float total = 0;
	for (int side = 0; side < 2; side++) {
		float *sum = way->sum[side], *squared = way->squared[side];
		const float *outs = f->outs[line->stage][side];
		float lanes[16] = { 0 };
		memcpy(sum, empty, sizeof way->sum[side]);
		for (int i = 0; i < line->count[side]; i++) {
			const float *row = f->rows[line->inputs[side][i]];
			for (int k = 0; k < SIZE; k++)
				sum[k] += row[k];
		}
		for (int k = 0; k < SIZE; k++) {
			const float low = sum[k] > 0 ? sum[k] : 0, cut = low < 1 ? low : 1;
			squared[k] = cut * cut;
		}
		for (int k = 0; k < SIZE; k += 16)
			for (int i = 0; i < 16; i++)
				lanes[i] += squared[k + i] * outs[k + i];
		for (int i = 0; i < 16; i++)
			total += lanes[i];
	}
	return total + f->base[line->stage];
}

/* slope: of the error by the net's output. */
static void back(const struct floats *f, const struct line *line, struct way *way, float slope,
		 struct floats *gradient)
{
	gradient->base[line->stage] += slope;
	for (int side = 0; side < 2; side++) {
		float *sum = way->sum[side];
		const float *squared = way->squared[side], *outs = f->outs[line->stage][side];
		float *to = gradient->outs[line->stage][side], *empty = gradient->empty;
		for (int k = 0; k < SIZE; k++) {
			const float in = sum[k] > 0 && sum[k] < 1 ? sum[k] : 0;
			to[k] += slope * squared[k];
			sum[k] = 2 * slope * outs[k] * in;
			empty[k] += sum[k];
		}
		for (int i = 0; i < line->count[side]; i++) {
			float *row = gradient->rows[line->inputs[side][i]];
			for (int k = 0; k < SIZE; k++)
				row[k] += sum[k];
		}
	}
}

struct part {
	struct floats gradient;
	double error;
};

struct fitting {
	const struct fit_job *job;
	const struct lines *lines;
	const uint32_t *order; /* NULL: as they are */
	int64_t first;	       /* of the batch */
	double curve;
	int blend;
	bool gradient;
	struct floats *now, *slow, *size;
	struct part *parts;
	double new_slow, new_size;
};

static void sum_part(void *ctx, int hand, int64_t job)
{
	struct fitting *f = ctx;
	struct part *p = &f->parts[job];
	const int64_t first = f->first + job * PART;
	const int64_t last = first + PART < f->lines->count ? first + PART : f->lines->count;
	struct way way;
	(void)hand;
	p->error = 0;
	if (f->gradient)
		memset(&p->gradient, 0, sizeof p->gradient);
	for (int64_t i = first; i < last; i++) {
		const struct line *line = &f->lines->list[f->order ? f->order[i] : i];
		const double expected = chess_logistic((double)forth(f->now, line, &way));
		const double said = chess_logistic(line->score / f->curve);
		const double aim = (said * f->blend + line->result * 0.5 * (100 - f->blend)) / 100;
		const double off = expected - aim;
		p->error += off * off;
		if (f->gradient)
			back(f->now, line, &way, (float)(off * expected * (1 - expected)),
			     &p->gradient);
	}
}

static double sum_batch(struct fitting *f)
{
	const struct crew_work work = { f->job->threads, PARTS, sum_part, f, NULL };
	double error = 0;
	crew_run(&work);
	for (int i = 0; i < PARTS; i++)
		error += f->parts[i].error;
	return error;
}

static double test(struct fitting *f, const struct lines *lines)
{
	struct fitting other = *f;
	double error = 0;
	other.lines = lines;
	other.order = NULL;
	other.gradient = false;
	other.blend = 0;
	for (other.first = 0; other.first < lines->count; other.first += BATCH)
		error += sum_batch(&other);
	return lines->count ? sqrt(error / (double)lines->count) : 0;
}

/* ---- stepping ---- */

struct stride {
	struct fitting *f;
	float length, decay;
};

static float held(float x, float most)
{
	return x > most ? most : x < -most ? -most : x;
}

enum { STRIDE_PARTS = 32 };

static void stride_part(void *ctx, int hand, int64_t job)
{
	const struct stride *st = ctx;
	const struct fitting *f = st->f;
	const int first = (int)(job * FLOATS / STRIDE_PARTS);
	const int last = (int)((job + 1) * FLOATS / STRIDE_PARTS);
	float *now = (float *)f->now, *slow = (float *)f->slow, *size = (float *)f->size;
	const float keep = 0.9f, keep_size = 0.999f;
	const float bias = (float)(1 - f->new_slow), bias_size = (float)(1 - f->new_size);
	(void)hand;
	for (int i = first; i < last; i++) {
		float gradient = 0;
		for (int k = 0; k < PARTS; k++)
			gradient += ((const float *)&f->parts[k].gradient)[i];
		gradient /= BATCH;
		slow[i] = keep * slow[i] + (1 - keep) * gradient;
		size[i] = keep_size * size[i] + (1 - keep_size) * gradient * gradient;
		const float by = slow[i] / bias / (sqrtf(size[i] / bias_size) + 1e-8f);
		now[i] = held(now[i] - st->length * (by + st->decay * now[i]), 1.98f);
	}
}

static void stride(struct fitting *f, float length)
{
	struct stride st = { f, length, 0.01f };
	const struct crew_work work = { f->job->threads, STRIDE_PARTS, stride_part, &st, NULL };
	f->new_slow *= 0.9;
	f->new_size *= 0.999;
	crew_run(&work);
}

static void shuffle(uint32_t *order, int64_t count, struct qv_random *random)
{
	for (int64_t i = count - 1; i > 0; i--) {
		const uint64_t k = qv_random_below(random, (uint64_t)i + 1);
		const uint32_t swap = order[i];
		order[i] = order[k];
		order[k] = swap;
	}
}

static enum qv_status descend(struct fitting *f, uint32_t *order, struct qv_random *random,
			      struct qv_error *error)
{
	const int64_t batches = f->lines->count / BATCH ? f->lines->count / BATCH : 1;
	const int64_t all = batches * f->job->iterations;
	int64_t done = 0;
	f->new_slow = f->new_size = 1;
	for (int round = 0; round < f->job->iterations; round++) {
		shuffle(order, f->lines->count, random);
		f->order = order;
		f->gradient = true;
		for (int64_t i = 0; i < batches; i++, done++) {
			if (f->job->stop && atomic_load(f->job->stop))
				return qv_fail(error, QV_STOPPED, "train: stopped");
			f->first = i * BATCH;
			sum_batch(f);
			/* From the whole step down to a hundredth of it, along half a wave. */
			const double left = (double)(all - done) / (double)all;
			const double wave = left * left * (3 - 2 * left);
			stride(f, (float)(f->job->step / 100000.0 * (0.01 + 0.99 * wave)));
		}
	}
	return QV_OK;
}

/* ---- the whole ---- */

static void begin(struct floats *f, struct qv_random *random)
{
	float *all = (float *)f;
	for (int i = 0; i < FLOATS; i++)
		all[i] = 0;
	for (int i = 0; i < CHESS_NET_INPUTS; i++)
		for (int k = 0; k < SIZE; k++)
			f->rows[i][k] = ((float)qv_random_below(random, 2001) - 1000) / 1000 * 0.1f;
	for (int k = 0; k < SIZE; k++)
		f->empty[k] = 0.2f;
	for (int i = 0; i < CHESS_NET_STAGES; i++)
		for (int side = 0; side < 2; side++)
			for (int k = 0; k < SIZE; k++)
				f->outs[i][side][k] =
					((float)qv_random_below(random, 2001) - 1000) / 1000 * 0.1f;
	/* The stages begin alike. */
	for (int i = 1; i < CHESS_NET_STAGES; i++)
		memcpy(f->outs[i], f->outs[0], sizeof f->outs[0]);
}

static int16_t in_steps(float x, int one, int most)
{
	const double scaled = (double)x * one;
	const int rounded = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
	return (int16_t)(rounded > most ? most : rounded < -most ? -most : rounded);
}

static void to_integers(const struct floats *f, int curve, struct chess_net *net)
{
	*net = (struct chess_net){ .base = { 0 } };
	for (int i = 0; i < CHESS_NET_INPUTS; i++)
		for (int k = 0; k < SIZE; k++)
			net->rows[i][k] =
				in_steps(f->rows[i][k], CHESS_NET_ONE, CHESS_NET_ROW_MOST);
	for (int k = 0; k < SIZE; k++)
		net->empty[k] = in_steps(f->empty[k], CHESS_NET_ONE, CHESS_NET_ROW_MOST);
	for (int i = 0; i < CHESS_NET_STAGES; i++) {
		for (int side = 0; side < 2; side++)
			for (int k = 0; k < SIZE; k++)
				net->outs[i][side][k] = in_steps(
					f->outs[i][side][k], CHESS_NET_OUT_ONE, CHESS_NET_OUT_MOST);
		const double base = (double)f->base[i] * CHESS_NET_ONE * CHESS_NET_OUT_ONE;
		net->base[i] = (int32_t)(base < 0 ? base - 0.5 : base + 0.5);
		net->curve[i] = curve;
	}
}

/* The curve that fits the results best by the search's scores. */
static int find_curve(const struct lines *l)
{
	int best = CURVE_LEAST;
	double least = -1;
	for (int curve = CURVE_LEAST; curve <= CURVE_MOST; curve += CURVE_STEP) {
		double error = 0;
		for (int64_t i = 0; i < l->count; i++) {
			const double off = chess_logistic((double)l->list[i].score / curve) -
					   l->list[i].result * 0.5;
			error += off * off;
		}
		if (least < 0 || error < least) {
			least = error;
			best = curve;
		}
	}
	return best;
}

enum qv_status chess_net_fit(const struct fit_job *job, struct chess_net *net,
			     struct fit_news *news, struct qv_error *error)
{
	struct lines learned = { .allocator = job->allocator }, tested = learned;
	struct qv_random random = { .key = qv_random_key(job->seed, 1) };
	struct fitting f = { .job = job, .blend = job->blend };
	const struct qv_allocator *a = job->allocator;
	uint32_t *order = NULL;
	enum qv_status status = fit_each_lesson(job, false, add_line, &learned, error);
	if (status == QV_OK)
		status = fit_each_lesson(job, true, add_line, &tested, error);
	if (status == QV_OK && !learned.count)
		status = qv_fail(error, QV_BAD_INPUT, "train: no position to learn from");
	*news = (struct fit_news){ .lessons = learned.count };
	f.lines = &learned;
	f.now = mem_new(a, 3, sizeof *f.now);
	f.parts = mem_new(a, PARTS, sizeof *f.parts);
	order = mem_new(a, (size_t)learned.count + 1, sizeof *order);
	if (status == QV_OK && (!f.now || !f.parts || !order))
		status = qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	if (status == QV_OK) {
		f.slow = f.now + 1;
		f.size = f.now + 2;
		memset(f.slow, 0, 2 * sizeof *f.slow);
		for (int64_t i = 0; i < learned.count; i++)
			order[i] = (uint32_t)i;
		begin(f.now, &random);
		news->curve = find_curve(&tested);
		f.curve = news->curve;
		news->before = test(&f, &tested);
		status = descend(&f, order, &random, error);
	}
	if (status == QV_OK) {
		news->after = test(&f, &tested);
		to_integers(f.now, news->curve, net);
	}
	mem_free(a, order, ((size_t)learned.count + 1) * sizeof *order);
	mem_free(a, f.parts, PARTS * sizeof *f.parts);
	mem_free(a, f.now, 3 * sizeof *f.now);
	mem_free(a, learned.list, (size_t)learned.room * sizeof *learned.list);
	mem_free(a, tested.list, (size_t)tested.room * sizeof *tested.list);
	return status;
}
