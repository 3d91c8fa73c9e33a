/*
 * fit.c - Warp Trog: fits the net to labelled positions with Adam.
 * SPDX-License-Identifier: MIT
 *
 * The fit works on the weights as floats, in the order of struct warptrog_net, and rounds them at the
 * end. The loss is the squared error of each output. A batch is split into a fixed number of parts
 * with a gradient each, so that the result does not depend on the number of threads.
 */
#include <math.h>

#include "base/flag.h"
#include "learn/adam.h"
#include "learn/warptrog/train.h"

enum {
	PARTS = 8, /* of a batch, and of the weights */
	SLICE = (WARPTROG_NET_WEIGHTS + PARTS - 1) / PARTS,
	OUT = WARPTROG_ROW_OUT * WARPTROG_HIDDEN, /* the first output weight */
	BIAS = WARPTROG_ROWS * WARPTROG_HIDDEN,	  /* the first bias of an output */
};

struct part {
	float gradient[WARPTROG_NET_WEIGHTS];
	double squares[WARPTROG_OUTPUTS];
	int64_t count[WARPTROG_OUTPUTS];
	char apart[64]; /* from the next part's cache lines */
};
_Static_assert(sizeof(struct part) % sizeof(float) == 0, "a stride in floats");

/* A fit in progress. */
struct fit {
	const struct warptrog_lesson **list;
	uint64_t count;
	struct part *parts;
	float weights[WARPTROG_NET_WEIGHTS], mean[WARPTROG_NET_WEIGHTS],
		square[WARPTROG_NET_WEIGHTS];
	/* The step in progress. */
	int batch;
	float step;
	int64_t number;
	uint64_t seed;
};

/* ---- The weights as integers ---- */

static int one_of(int i)
{
	return i < OUT ? WARPTROG_NET_ONE : WARPTROG_OUT_ONE;
}

static void to_floats(const struct warptrog_net *net, float *out)
{
	const int16_t *from = (const int16_t *)net;
	for (int i = 0; i < WARPTROG_NET_WEIGHTS; i++)
		out[i] = (float)from[i] / (float)one_of(i);
}

static void to_integers(const float *weights, struct warptrog_net *net)
{
	int16_t *to = (int16_t *)net;
	for (int i = 0; i < WARPTROG_NET_WEIGHTS; i++) {
		const float most = i < OUT ? INT16_MAX : WARPTROG_OUT_MOST;
		const float scaled = roundf(weights[i] * (float)one_of(i));
		to[i] = (int16_t)(scaled > most ? most : scaled < -most ? -most : scaled);
	}
}

void warptrog_net_begin(uint64_t seed, struct warptrog_net *out)
{
	struct qv_random random = { .key = qv_random_key(seed, 0) };
	float weights[WARPTROG_NET_WEIGHTS];
	for (int i = 0; i < WARPTROG_NET_WEIGHTS; i++)
		weights[i] = ((float)qv_random_below(&random, 2001) - 1000) / 10000;
	/* The sums begin in the middle of their range, and the outputs near 0. */
	for (int i = WARPTROG_ROW_BIAS * WARPTROG_HIDDEN; i < OUT; i++)
		weights[i] = 0.4F;
	for (int i = BIAS; i < WARPTROG_NET_WEIGHTS; i++)
		weights[i] = 0;
	to_integers(weights, out);
}

/* ---- The gradient ---- */

static float clipped(float x)
{
	return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Adds the gradient of one output, and to `back` that of the sums. */
static void learn_output(const float *weights, int row, const float *sums, float label,
			 enum warptrog_output output, struct part *part, float *back)
{
	const float *out = weights + OUT + row * WARPTROG_HIDDEN;
	float *gradient = part->gradient + OUT + row * WARPTROG_HIDDEN;
	float x = weights[BIAS + row];
	for (int k = 0; k < WARPTROG_HIDDEN; k++)
		x += out[k] * clipped(sums[k]) * clipped(sums[k]);
	const float root = sqrtf(1 + x * x), miss = x / root - label;
	/* The small part keeps a gradient where the curve is flat. */
	const float slope = miss / (root * root * root) + miss * 0.02F;
	part->squares[output] += (double)miss * (double)miss;
	part->count[output]++;
	part->gradient[BIAS + row] += slope;
	for (int k = 0; k < WARPTROG_HIDDEN; k++) {
		const float c = clipped(sums[k]);
		gradient[k] += slope * c * c;
		back[k] += sums[k] > 0 && sums[k] < 1 ? slope * out[k] * 2 * c : 0;
	}
}

static void learn(const float *weights, const struct warptrog_lesson *l, struct part *part)
{
	struct warptrog_inputs in;
	float sums[WARPTROG_HIDDEN] = { 0 }, back[WARPTROG_HIDDEN] = { 0 };
	warptrog_net_inputs(&l->s, &in);
	for (int i = 0; i < in.count; i++)
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			sums[k] += weights[in.row[i] * WARPTROG_HIDDEN + k];
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			sums[k] += weights[in.gain_row[side] * WARPTROG_HIDDEN + k] *
				   (float)in.gain[side] / WARPTROG_GAIN_ONE;
	learn_output(weights, in.out, sums, (float)l->label / WARPTROG_NET_VALUE, WARPTROG_VALUE,
		     part, back);
	if (l->warp != WARPTROG_NO_WARP)
		learn_output(weights, WARPTROG_OUT_ROWS + in.out, sums,
			     (float)l->warp / WARPTROG_NET_VALUE, WARPTROG_WARP_VALUE, part, back);
	for (int i = 0; i < in.count; i++)
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			part->gradient[in.row[i] * WARPTROG_HIDDEN + k] += back[k];
	for (int side = 0; side < 2; side++)
		for (int k = 0; k < WARPTROG_HIDDEN; k++)
			part->gradient[in.gain_row[side] * WARPTROG_HIDDEN + k] +=
				back[k] * (float)in.gain[side] / WARPTROG_GAIN_ONE;
}

/* One part of a batch. */
static void learn_part(void *ctx, int worker, int64_t job)
{
	struct fit *f = ctx;
	struct part *part = &f->parts[job];
	(void)worker;
	memset(part->gradient, 0, sizeof part->gradient);
	for (int64_t i = job; i < f->batch; i += PARTS)
		learn(f->weights, f->list[qv_random_below_at(f->seed, (uint64_t)i, f->count)],
		      part);
}

/* The step of one slice of the weights. */
static void step_slice(void *ctx, int worker, int64_t job)
{
	struct fit *f = ctx;
	const struct adam_gradient gradient = { .first = f->parts->gradient,
						.stride = sizeof *f->parts / sizeof(float),
						.parts = PARTS,
						.batch = f->batch };
	const size_t first = (size_t)job * SLICE, end = first + SLICE < WARPTROG_NET_WEIGHTS
								? first + SLICE
								: WARPTROG_NET_WEIGHTS;
	(void)worker;
	adam_update(f->weights, f->mean, f->square, first, end, &gradient, f->step, f->number);
}

/* ---- The positions ---- */

/* Whether the inputs of a position that was read from a file are defined. */
static bool is_sound(const struct warptrog *s)
{
	return s->turn < 2 && s->weaker <= 2 && !((s->men[0] | s->men[1]) & ~WARPTROG_BOARD) &&
	       !(s->men[0] & s->men[1]);
}

/* Lists the positions of the games, and counts those of the last round. */
static bool list_positions(const struct warptrog_fit_job *job, struct fit *f, int64_t *fresh)
{
	*fresh = 0;
	for (int64_t i = 0; i < job->count; i++) {
		const struct warptrog_lessons *g = &job->games[i];
		if (g->count < 0 || g->count > WARPTROG_PLIES_MOST)
			return false;
		for (int k = 0; k < g->count; k++) {
			if (!is_sound(&g->list[k].s))
				return false;
			f->list[f->count++] = &g->list[k];
		}
		*fresh += i >= job->count - job->fresh ? g->count : 0;
	}
	return true;
}

/* ---- The whole ---- */

/* The size of a step: it falls to a tenth in the whole training, and in each round. */
static float step_size(const struct warptrog_fit_job *job, double share)
{
	const struct warptrog_plan *p = job->plan;
	const double done = (job->round - 1 + share) / p->rounds;
	return (float)(p->step * 1e-6 * pow(0.1, done) * (0.55 + 0.45 * cos(share * 3.14159265)));
}

static enum qv_status descend(const struct warptrog_fit_job *job, struct fit *f,
			      struct thread_pool *pool, int64_t steps, struct qv_error *error)
{
	const uint64_t seed = qv_random_key(~job->plan->seed, (uint64_t)job->round);
	f->batch = job->plan->batch;
	for (f->number = 1; f->number <= steps; f->number++) {
		if (flag_is_set(job->stop))
			return qv_fail(error, QV_STOPPED, "train: stopped");
		f->seed = qv_random_key(seed, (uint64_t)f->number);
		f->step = step_size(job, (double)f->number / (double)steps);
		thread_pool_run(pool, PARTS, learn_part, f);
		thread_pool_run(pool, PARTS, step_slice, f);
	}
	return QV_OK;
}

static double root_mean(const struct fit *f, enum warptrog_output output)
{
	double squares = 0, count = 0;
	for (int i = 0; i < PARTS; i++) {
		squares += f->parts[i].squares[output];
		count += (double)f->parts[i].count[output];
	}
	return count > 0 ? sqrt(squares / count) : 0;
}

enum qv_status warptrog_fit(const struct warptrog_fit_job *job, struct warptrog_net *net,
			    struct warptrog_report *report, struct qv_error *error)
{
	const struct qv_allocator *a = job->allocator;
	const size_t most = (size_t)job->count * WARPTROG_PLIES_MOST;
	struct fit *f = mem_new(a, 1, sizeof *f);
	struct part *parts = mem_new(a, PARTS, sizeof *parts);
	const struct warptrog_lesson **list = mem_new(a, most, sizeof(void *));
	struct thread_pool *pool = thread_pool_new(a, job->threads < PARTS ? job->threads : PARTS);
	enum qv_status status = QV_OK;
	int64_t fresh;
	if (!f || !parts || !list || !pool) {
		status = qv_fail(error, QV_NO_MEMORY, "train: out of memory");
		goto done;
	}
	f->parts = parts;
	f->list = list;
	if (!list_positions(job, f, &fresh)) {
		status = qv_fail(error, QV_BAD_INPUT, "train: a game is damaged");
		goto done;
	}
	to_floats(net, f->weights);
	const int64_t steps = f->count ? fresh * job->plan->passes / job->plan->batch + 1 : 0;
	status = descend(job, f, pool, steps, error);
	if (status != QV_OK)
		goto done;
	to_integers(f->weights, net);
	report->positions = (int64_t)f->count;
	report->error = root_mean(f, WARPTROG_VALUE);
	report->warp_error = root_mean(f, WARPTROG_WARP_VALUE);
done:
	thread_pool_free(pool);
	mem_free(a, list, most * sizeof(void *));
	mem_free(a, parts, PARTS * sizeof *parts);
	mem_free(a, f, sizeof *f);
	return status;
}
