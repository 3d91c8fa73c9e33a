/*
 * net_fit.c - chess: trains the neural network on positions of self-play.
 * SPDX-License-Identifier: MIT
 *
 * Positions are read in parallel into random order once; later epochs shuffle blocks of 512, which
 * keeps memory access sequential. The network is cut into strips (net_fit_strip.c). A pass runs the
 * backward step of one chunk and the forward step of the next on each strip, then adds up the
 * outputs. The learning rate follows a cosine-like schedule from `step` to a hundredth of it.
 */
#include "learn/chess/net_fit.h"

#include <math.h>

#include "base/flag.h"
#include "base/threads.h"

enum {
	SHARES = 256,  /* parts of the games that are read in parallel */
	BATCH = 16384, /* positions of a mini-batch */
	BLOCK = 512,   /* positions that stay together when shuffled */
	CHUNK_BLOCKS = STRIP_CHUNK / BLOCK, BATCH_BLOCKS = BATCH / BLOCK,
	SLICE = STRIP_CHUNK / 16, /* of a chunk: outputs that one worker adds up */
	SLICES = STRIP_CHUNK / SLICE,
	CURVES = (CURVE_MOST - CURVE_LEAST) / CURVE_STEP + 1,
};
_Static_assert(BATCH % STRIP_CHUNK == 0, "whole chunks");

/* Training positions. {0} is a valid empty list. */
struct lines {
	struct net_line *list;
	int64_t count, room;
};

/* ---- reading ---- */

/* A random permutation of the numbers below `count`, by a Feistel network of four rounds. */
struct order {
	uint64_t count;
	int half; /* bits of half a number */
	uint64_t keys[4];
};

/* Where number `number` is in the permutation: walks the cycle until it is below `count`. */
static uint64_t place_in(const struct order *o, uint64_t number)
{
	const uint64_t mask = (UINT64_C(1) << o->half) - 1;
	do {
		uint64_t high = number >> o->half, low = number & mask;
		for (int i = 0; i < 4; i++) {
			const uint64_t mixed = (low ^ o->keys[i]) * UINT64_C(0x9e3779b97f4a7c15);
			const uint64_t next = high ^ (mixed >> 32 & mask);
			high = low;
			low = next;
		}
		number = high << o->half | low;
	} while (number >= o->count);
	return number;
}

/* A part of the games, read by one job. */
struct share {
	struct lines *lines;
	const struct order *order; /* NULL: as they come */
	struct fit_games games;
	int64_t at;
	enum qv_status status;
	struct qv_error error;
};

/* Stores a position at its place in the order; called for each lesson of the share. */
static bool add_line(void *ctx, const struct lesson *lesson, const struct chess *s)
{
	struct share *share = ctx;
	const uint64_t number = (uint64_t)share->at++;
	const uint64_t place = share->order ? place_in(share->order, number) : number;
	struct net_line *line = &share->lines->list[place];
	const struct chess_net_view mine = chess_net_view(s, s->turn);
	const struct chess_net_view other = chess_net_view(s, 1 - s->turn);
	const int end = s->turn ? 56 : 0;
	*line = (struct net_line){
		.turns = { (uint16_t)(mine.area * STRIP_PLACES + (mine.turn ^ end)),
			   (uint16_t)(other.area * STRIP_PLACES + STRIP_PLACES / 2 +
				      (other.turn ^ end)) },
		.result = s->turn ? 2 - lesson->result : lesson->result,
		.score = s->turn ? (int16_t)-lesson->score : lesson->score,
	};
	for (uint64_t left = chess_occupied(s); left; left = bits_rest(left)) {
		const int square = bits_lowest(left), piece = s->board[square];
		const int kind = (piece >> 3 ^ s->turn) * 8 + (piece & 7);
		line->pieces[line->count++] = (uint16_t)(kind * CHESS_SQUARES + (square ^ end));
	}
	if (line->count % 2)
		line->pieces[line->count] = STRIP_NOBODY;
	return true;
}

struct reading {
	const struct fit_job *job;
	struct share shares[SHARES];
};

/* A job of the pool. */
static void read_share(void *ctx, int worker, int64_t job)
{
	struct reading *r = ctx;
	struct share *s = &r->shares[job];
	(void)worker;
	s->status = fit_each_lesson(r->job, &s->games, add_line, s, &s->error);
}

/* Reads the positions; random: in random order; NULL: in the order of the games. */
static enum qv_status read_lines(const struct fit_job *job, struct thread_pool *pool,
				 bool held_back, struct qv_random *random, struct lines *l,
				 struct qv_error *error)
{
	struct reading *r = mem_new(job->allocator, 1, sizeof *r);
	struct order order = { .half = 1 };
	enum qv_status status = QV_OK;
	if (!r)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	r->job = job;
	for (int64_t i = 0; i < SHARES; i++) {
		struct share *s = &r->shares[i];
		s->games = (struct fit_games){ job->count * i / SHARES,
					       job->count * (i + 1) / SHARES, held_back };
		s->lines = l;
		s->order = random ? &order : NULL;
		s->at = l->count;
		l->count += fit_count_lessons(job, &s->games);
	}
	/* The counts give each share its place, so that all can be read at once. */
	l->room = l->count + 1;
	l->list = mem_new(job->allocator, (size_t)l->room, sizeof *l->list);
	if (!l->list) {
		status = qv_fail(error, QV_NO_MEMORY, "train: out of memory");
		goto done;
	}
	mem_prefer_large_pages(l->list, (size_t)l->room * sizeof *l->list);
	order.count = (uint64_t)l->count;
	while (order.count >> 2 * order.half)
		order.half++;
	for (int i = 0; random && i < 4; i++)
		order.keys[i] = qv_random_next(random);
	thread_pool_run(pool, SHARES, read_share, r);
	for (int i = 0; i < SHARES && status == QV_OK; i++) {
		status = r->shares[i].status;
		if (status != QV_OK && error)
			*error = r->shares[i].error;
	}
done:
	mem_free(job->allocator, r, sizeof *r);
	return status;
}

/* ---- chunks ---- */

/* Some blocks of lines, one after the other. */
struct chunk {
	const struct net_line *blocks[CHUNK_BLOCKS];
	int counts[CHUNK_BLOCKS];
	int block_count, count;
};

/* The sums of a slice of a chunk. */
struct slice {
	double error;
	float base[CHESS_NET_STAGES];
};

/* A training in progress. */
struct fitting {
	const struct fit_job *job;
	struct thread_pool *pool;
	struct net_strip *strips;
	float base[3][CHESS_NET_STAGES]; /* output bias, and Adam's moments of its gradient */
	float base_gradient[CHESS_NET_STAGES];
	struct chunk before, now; /* for the backward and the forward step */
	bool steps;		  /* update the weights after `before` */
	struct net_rate rate;
	struct slice slices[SLICES];
	float slopes[STRIP_CHUNK];
	double curve;
	int blend;
};

/* The next blocks from [first, last), in the order given, or as they are if it is NULL. */
static struct chunk chunk_of(const struct lines *l, const uint32_t *order, int64_t first,
			     int64_t last)
{
	struct chunk c = { .count = 0 };
	for (int64_t i = first; i < last && c.block_count < CHUNK_BLOCKS; i++) {
		const int64_t at = (order ? order[i] : i) * BLOCK, left = l->count - at;
		const int count = left < BLOCK ? (int)left : BLOCK;
		c.blocks[c.block_count] = l->list + at;
		c.counts[c.block_count++] = count;
		c.count += count;
	}
	return c;
}

/* A job of the pool: one strip's part of a pass. */
static void pass_strip(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	struct net_strip *s = &f->strips[job];
	(void)worker;
	for (int i = 0, at = 0; i < f->before.block_count; at += f->before.counts[i++])
		net_strip_backward(s, f->before.blocks[i], f->before.counts[i], at, f->slopes);
	if (f->steps)
		net_strip_step(s, &f->rate);
	for (int i = 0, at = 0; i < f->now.block_count; at += f->now.counts[i++])
		net_strip_forward(s, f->now.blocks[i], f->now.counts[i], at);
}

/* Adds up the outputs of a slice over the strips; sets its slopes and sums. */
static void judge_slice(void *ctx, int worker, int64_t job)
{
	struct fitting *f = ctx;
	const int first = (int)job * SLICE, last = first + SLICE;
	struct slice sum = { .error = 0 };
	(void)worker;
	for (int i = 0, start = 0; i < f->now.block_count; start += f->now.counts[i++]) {
		const int end = start + f->now.counts[i];
		for (int at = first > start ? first : start; at < end && at < last; at++) {
			const struct net_line *line = &f->now.blocks[i][at - start];
			const int stage = chess_net_stage(line->count);
			float output = f->base[0][stage];
			for (int k = 0; k < STRIPS; k++)
				output += f->strips[k].outputs[at];
			const double expected = chess_logistic((double)output);
			const double said = f->blend ? chess_logistic(line->score / f->curve) : 0;
			const double aim =
				(said * f->blend + line->result * 0.5 * (100 - f->blend)) / 100;
			const double off = expected - aim;
			sum.error += off * off;
			f->slopes[at] = (float)(off * expected * (1 - expected));
			sum.base[stage] += f->slopes[at];
		}
	}
	f->slices[job] = sum;
}

/*
 * Backward step of `before`, then forward step of `now`, whose error is returned. Either may be
 * empty.
 */
static double pass(struct fitting *f, const struct chunk *before, const struct chunk *now)
{
	double error = 0;
	/* The strips first, all at once; then the outputs, which need all strips. */
	f->before = *before;
	f->now = *now;
	thread_pool_run(f->pool, STRIPS, pass_strip, f);
	if (!now->count)
		return 0;
	thread_pool_run(f->pool, SLICES, judge_slice, f);
	for (int i = 0; i < SLICES; i++) {
		error += f->slices[i].error;
		for (int k = 0; k < CHESS_NET_STAGES; k++)
			f->base_gradient[k] += f->slices[i].base[k];
	}
	return error;
}

/* The root mean squared error against the results alone; changes no weights. */
static double test(struct fitting *f, const struct lines *l)
{
	const struct chunk none = { .count = 0 };
	const int64_t blocks = (l->count + BLOCK - 1) / BLOCK;
	const int blend = f->blend;
	double error = 0;
	f->blend = 0;
	f->steps = false;
	for (int64_t i = 0; i < blocks; i += CHUNK_BLOCKS) {
		const struct chunk now = chunk_of(l, NULL, i, blocks);
		error += pass(f, &none, &now);
	}
	f->blend = blend;
	return l->count ? sqrt(error / (double)l->count) : 0;
}

/* ---- gradient descent ---- */

/*
 * Sets the learning rate and updates the output biases by it. `left` is the fraction of the
 * training that remains, count the number of positions in the batch.
 */
static void take_rate(struct fitting *f, double left, double *new_slow, double *new_size, int count)
{
	/* Smoothly from the full learning rate down to a hundredth of it. */
	const double wave = left * left * (3 - 2 * left);
	*new_slow *= 0.9;
	*new_size *= 0.999;
	f->rate = (struct net_rate){
		.length = (float)(f->job->step / 100000.0 * (0.01 + 0.99 * wave)), .decay = 0.01f,
		.slow_part = (float)(1 - *new_slow), .size_part = (float)(1 - *new_size),
		.batch = (float)count
	};
	for (int i = 0; i < CHESS_NET_STAGES; i++) {
		net_step_one(&f->base[0][i], &f->base[1][i], &f->base[2][i], f->base_gradient[i],
			     &f->rate);
		f->base_gradient[i] = 0;
	}
}

/* Trains for all epochs. order: room for the numbers of all blocks. */
static enum qv_status descend(struct fitting *f, const struct lines *l, uint32_t *order,
			      struct qv_random *random, struct qv_error *error)
{
	const int64_t blocks = (l->count + BLOCK - 1) / BLOCK;
	const int64_t batches = blocks / BATCH_BLOCKS ? blocks / BATCH_BLOCKS : 1;
	const int64_t all = batches * f->job->iterations;
	struct chunk before = { .count = 0 };
	const struct chunk none = before;
	double new_slow = 1, new_size = 1;
	for (int64_t i = 0; i < blocks; i++)
		order[i] = (uint32_t)i;
	memset(f->base_gradient, 0, sizeof f->base_gradient);
	f->steps = false;
	for (int64_t batch = 0; batch < all; batch++) {
		const int64_t first = batch % batches * BATCH_BLOCKS;
		const int64_t last = first + BATCH_BLOCKS < blocks ? first + BATCH_BLOCKS : blocks;
		int count = 0;
		if (flag_is_set(f->job->stop))
			return qv_fail(error, QV_STOPPED, "train: stopped");
		/* Shuffle the blocks at the start of each epoch. */
		for (int64_t i = blocks - 1; batch % batches == 0 && i > 0; i--) {
			const uint64_t k = qv_random_below(random, (uint64_t)i + 1);
			const uint32_t swap = order[i];
			order[i] = order[k];
			order[k] = swap;
		}
		for (int64_t i = first; i < last; i += CHUNK_BLOCKS) {
			const struct chunk now = chunk_of(l, order, i, last);
			pass(f, &before, &now);
			f->steps = false;
			before = now;
			count += now.count;
		}
		/* The strips update their weights after the backward step of the last chunk. */
		take_rate(f, (double)(all - batch) / (double)all, &new_slow, &new_size, count);
		f->steps = true;
	}
	pass(f, &before, &none);
	return QV_OK;
}

/* ---- the whole ---- */

/* From -0.1 to 0.1. */
static float random_weight(struct qv_random *random)
{
	return ((float)qv_random_below(random, 2001) - 1000) / 1000 * 0.1f;
}

/* The initial weights: random, and the same for all stages. */
static void begin_strip(struct net_strip *s, struct qv_random *random)
{
	for (int i = 0; i < STRIP_PLACES * STRIP_WIDTH; i++)
		s->now.shared[i / STRIP_WIDTH][i % STRIP_WIDTH] = random_weight(random);
	for (int k = 0; k < STRIP_WIDTH; k++)
		s->now.empty[k] = 0.2f;
	for (int k = 0; k < 2 * STRIP_WIDTH; k++)
		s->now.outs[0][k / STRIP_WIDTH][k % STRIP_WIDTH] = random_weight(random);
	for (int i = 1; i < CHESS_NET_STAGES; i++)
		memcpy(s->now.outs[i], s->now.outs[0], sizeof s->now.outs[0]);
	net_strip_fold(s);
}

/* A weight in units of 1 / one, rounded and clamped. */
static int16_t in_steps(float x, int one, int most)
{
	const double scaled = (double)x * one;
	const int rounded = (int)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
	return (int16_t)(rounded > most ? most : rounded < -most ? -most : rounded);
}

/* Rounds the weights to those of the file; a strip's neurons are side by side there, too. */
static void to_integers(const struct fitting *f, int curve, struct chess_net *net)
{
	enum { ONE = CHESS_NET_ONE, MOST = CHESS_NET_ROW_MOST, OUT_ONE = CHESS_NET_OUT_ONE };
	memset(net, 0, sizeof *net);
	for (int n = 0; n < CHESS_NET_SIZE; n++) {
		const struct net_strip *s = &f->strips[n / STRIP_WIDTH];
		const int k = n % STRIP_WIDTH;
		for (int i = 0; i < CHESS_NET_INPUTS; i++) {
			const int square = i % CHESS_SQUARES,
				  kind = i / CHESS_SQUARES % CHESS_KINDS;
			const int turned = i / CHESS_SQUARES / CHESS_KINDS; /* area and other */
			const int row = (turned * 8 + kind) * CHESS_SQUARES + square;
			net->rows[i][n] = in_steps(s->rows[row][k], ONE, MOST);
		}
		net->empty[n] = in_steps(s->now.empty[k], ONE, MOST);
		for (int i = 0; i < 2 * CHESS_NET_STAGES; i++)
			net->outs[i / 2][i % 2][n] =
				in_steps(s->now.outs[i / 2][i % 2][k], OUT_ONE, CHESS_NET_OUT_MOST);
	}
	for (int i = 0; i < CHESS_NET_STAGES; i++) {
		const double base = (double)f->base[0][i] * ONE * OUT_ONE;
		net->base[i] = (int32_t)(base < 0 ? base - 0.5 : base + 0.5);
		net->curve[i] = curve;
	}
}

/* The error of the search's scores against the results, for each scale of the curve. */
struct curves {
	const struct lines *lines;
	double errors[CURVES];
};

static void try_curve(void *ctx, int worker, int64_t job)
{
	struct curves *c = ctx;
	const double curve = (double)(CURVE_LEAST + job * CURVE_STEP);
	double error = 0;
	(void)worker;
	for (int64_t i = 0; i < c->lines->count; i++) {
		const struct net_line *line = &c->lines->list[i];
		const double off = chess_logistic(line->score / curve) - line->result * 0.5;
		error += off * off;
	}
	c->errors[job] = error;
}

/* Initialises the network, reads the positions, trains and tests. */
static enum qv_status fit(struct fitting *f, struct lines *learned, struct lines *tested,
			  struct fit_news *news, struct qv_error *error)
{
	const struct fit_job *job = f->job;
	struct qv_random random = { .key = qv_random_key(job->seed, 1) };
	struct curves curves = { .lines = tested };
	int best = 0;
	for (int i = 0; i < STRIPS; i++)
		begin_strip(&f->strips[i], &random);
	enum qv_status status = read_lines(job, f->pool, false, &random, learned, error);
	if (status == QV_OK)
		status = read_lines(job, f->pool, true, NULL, tested, error);
	if (status == QV_OK && !learned->count)
		status = qv_fail(error, QV_BAD_INPUT, "train: no position to learn from");
	if (status != QV_OK)
		return status;
	const size_t blocks = (size_t)learned->count / BLOCK + 1;
	uint32_t *order = mem_new(job->allocator, blocks, sizeof *order);
	if (!order)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	news->lessons = learned->count;
	/* The scale of the logistic curve that fits the search's scores best to the results. */
	thread_pool_run(f->pool, CURVES, try_curve, &curves);
	for (int i = 1; i < CURVES; i++)
		if (curves.errors[i] < curves.errors[best])
			best = i;
	news->curve = CURVE_LEAST + best * CURVE_STEP;
	f->curve = news->curve;
	news->before = test(f, tested);
	status = descend(f, learned, order, &random, error);
	if (status == QV_OK)
		news->after = test(f, tested);
	mem_free(job->allocator, order, blocks * sizeof *order);
	return status;
}

/* Owns all memory of the training. */
enum qv_status chess_net_fit(const struct fit_job *job, struct chess_net *net,
			     struct fit_news *news, struct qv_error *error)
{
	const struct qv_allocator *a = job->allocator;
	struct lines learned = { 0 }, tested = { 0 };
	struct fitting *f = mem_new(a, 1, sizeof *f);
	struct net_strip *strips = mem_new(a, STRIPS, sizeof *strips);
	struct thread_pool *pool = thread_pool_new(a, job->threads);
	enum qv_status status = QV_NO_MEMORY;
	*news = (struct fit_news){ .lessons = 0 };
	if (f && strips && pool) {
		*f = (struct fitting){ job, pool, strips, .blend = job->blend };
		status = fit(f, &learned, &tested, news, error);
	} else {
		qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	}
	if (status == QV_OK)
		to_integers(f, news->curve, net);
	thread_pool_free(pool);
	mem_free(a, strips, STRIPS * sizeof *strips);
	mem_free(a, f, sizeof *f);
	mem_free(a, learned.list, (size_t)learned.room * sizeof *learned.list);
	mem_free(a, tested.list, (size_t)tested.room * sizeof *tested.list);
	return status;
}
