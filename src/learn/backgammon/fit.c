/*
 * fit.c - backgammon: fits the nets to labelled positions with Adam.
 * SPDX-License-Identifier: MIT
 *
 * The loss is the cross entropy of each output; that of the wins counts twice. A batch is split
 * into a fixed number of parts with a gradient each. Then the threads share out the weights: each
 * adds the gradients of its weights in the order of the parts and makes the step. So the result
 * does not depend on the number of threads, and no thread writes what another one reads.
 */
#include <math.h>

#include "learn/adam.h"
#include "learn/backgammon/train.h"

enum {
	PARTS = 16, /* of a batch */
	FLOATS = sizeof(struct backgammon_net) / sizeof(float),
	SLICES = 16, /* of the weights */
	SLICE = (FLOATS + SLICES - 1) / SLICES,
};

struct part {
	struct backgammon_net gradient;
	double error;
	char apart[64]; /* from the next part's cache lines */
};
_Static_assert(sizeof(struct part) % sizeof(float) == 0, "a stride in floats");

struct adam {
	const struct qv_allocator *allocator;
	struct adam_state *state;
	struct thread_pool *pool;
	struct part *parts;
	/* The step in progress. */
	enum backgammon_class class;
	const struct label_window *window;
	int batch;
	float step;
	uint64_t seed;
};

void adam_begin(struct adam_state *state, uint64_t seed)
{
	struct qv_random random = { .key = qv_random_key(seed, 0) };
	memset(state, 0, sizeof *state);
	for (int c = 0; c < BACKGAMMON_CLASSES; c++) {
		struct backgammon_net *net = &state->nets.of[c];
		for (int i = 0; i < BACKGAMMON_INPUTS; i++)
			for (int h = 0; h < BACKGAMMON_HIDDEN; h++)
				net->rows[i][h] = ((float)qv_random_below(&random, 2001) - 1000) /
						  1000 * 0.25F;
		for (int o = 0; o < BACKGAMMON_OUTPUTS; o++)
			for (int h = 0; h < BACKGAMMON_HIDDEN; h++)
				net->outs[o][h] = ((float)qv_random_below(&random, 2001) - 1000) /
						  1000 * 0.1F;
	}
}

struct adam *adam_new(const struct qv_allocator *allocator, struct adam_state *state, int threads)
{
	struct adam *f = mem_new(allocator, 1, sizeof *f);
	if (!f)
		return NULL;
	*f = (struct adam){ .allocator = allocator, .state = state };
	f->parts = mem_new(allocator, PARTS, sizeof *f->parts);
	f->pool = thread_pool_new(allocator, threads < PARTS ? threads : PARTS);
	if (f->parts && f->pool)
		return f;
	adam_free(f);
	return NULL;
}

void adam_free(struct adam *f)
{
	if (!f)
		return;
	thread_pool_free(f->pool);
	mem_free(f->allocator, f->parts, PARTS * sizeof *f->parts);
	mem_free(f->allocator, f, sizeof *f);
}

/* Adds the gradient of one lesson. */
static void learn(const struct backgammon_net *net, const struct labelled *l,
		  enum backgammon_class class, struct part *part)
{
	struct backgammon_net *g = &part->gradient;
	struct backgammon s = { .turn = 0 };
	struct backgammon_inputs in;
	struct backgammon_chances guess;
	float hidden[BACKGAMMON_HIDDEN], outputs[BACKGAMMON_OUTPUTS];
	float back[BACKGAMMON_HIDDEN] = { 0 };
	memcpy(s.men, l->men, sizeof s.men);
	backgammon_inputs(&s, class, &in);
	backgammon_forward(net, &in, hidden, outputs);
	for (int o = 0; o < BACKGAMMON_OUTPUTS; o++) {
		guess.of[o] = backgammon_sigmoid(outputs[o]);
		float error = guess.of[o] - l->label.of[o];
		if (o == BACKGAMMON_WIN_ANY)
			error *= 2;
		/* Impossible gammons are not left to the net. */
		const int loser = o == BACKGAMMON_WIN_GAMMON || o == BACKGAMMON_WIN_BACKGAMMON;
		if (o != BACKGAMMON_WIN_ANY && l->men[loser][BACKGAMMON_OFF]) {
			guess.of[o] = l->label.of[o];
			continue;
		}
		g->base[o] += error;
		for (int h = 0; h < BACKGAMMON_HIDDEN; h++) {
			g->outs[o][h] += error * hidden[h];
			back[h] += error * net->outs[o][h];
		}
	}
	const double miss = backgammon_equity(&guess) - backgammon_equity(&l->label);
	part->error += miss * miss;
	for (int h = 0; h < BACKGAMMON_HIDDEN; h++) {
		const float left = 1 - fabsf(hidden[h]);
		back[h] *= left * left;
		g->bias[h] += back[h];
	}
	for (int i = 0; i < in.count; i++) {
		float *row = g->rows[in.row[i]];
		const float value = i < in.units ? 1 : in.value[i];
		for (int h = 0; h < BACKGAMMON_HIDDEN; h++)
			row[h] += value * back[h];
	}
}

/* One part of a batch. */
static void learn_part(void *ctx, int worker, int64_t job)
{
	struct adam *f = ctx;
	struct part *part = &f->parts[job];
	const struct label_window *w = f->window;
	const uint64_t have = (uint64_t)(w->added < w->room ? w->added : w->room);
	(void)worker;
	memset(part, 0, sizeof *part);
	for (int64_t i = job; i < f->batch; i += PARTS) {
		const uint64_t k = qv_random_below_at(f->seed, (uint64_t)i, have);
		learn(&f->state->nets.of[f->class], &w->list[k], f->class, part);
	}
}

/* The step of one slice of the weights. */
static void step_slice(void *ctx, int worker, int64_t job)
{
	struct adam *f = ctx;
	struct adam_state *state = f->state;
	const struct adam_gradient gradient = { .first = (const float *)&f->parts->gradient,
						.stride = sizeof *f->parts / sizeof(float),
						.parts = PARTS,
						.batch = f->batch };
	const size_t first = (size_t)job * SLICE,
		     end = first + SLICE < FLOATS ? first + SLICE : FLOATS;
	(void)worker;
	adam_update((float *)&state->nets.of[f->class], (float *)&state->mean.of[f->class],
		    (float *)&state->square.of[f->class], first, end, &gradient, f->step,
		    state->steps[f->class]);
}

double adam_step(struct adam *f, enum backgammon_class c, const struct label_window *window,
		 int batch, float step, uint64_t seed)
{
	double error = 0;
	f->class = c;
	f->window = window;
	f->batch = batch;
	f->step = step;
	f->seed = seed;
	f->state->steps[c]++;
	thread_pool_run(f->pool, PARTS, learn_part, f);
	thread_pool_run(f->pool, SLICES, step_slice, f);
	for (int p = 0; p < PARTS; p++)
		error += f->parts[p].error;
	return error;
}
