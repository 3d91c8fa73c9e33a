/*
 * fit.c - reversi: fits the weights of the patterns to games, by least squares.
 * SPDX-License-Identifier: MIT
 *
 * Samples are sorted by their number of discs. The normal equations are solved by the conjugate
 * gradient method with a diagonal preconditioner; the matrix is never stored, and one iteration is
 * one pass over the samples.
 */
#include "learn/reversi/fit.h"

#include <math.h>

#include "base/memory.h"

/* ---- samples ---- */

typedef void take_sample(struct samples *samples, const struct reversi *at, int score);

/*
 * Replays a game and calls `take` for each position after the random opening, forced passes
 * included. False: the game has an illegal move.
 */
static bool each_position(const struct game_record *g, take_sample *take, struct samples *samples)
{
	struct reversi s;
	reversi_start(&s, NULL);
	if (g->count > sizeof g->moves)
		return false;
	for (int i = 0; i < g->count;) {
		const uint64_t moves = reversi_mobility(s.mover, s.other);
		const int square = moves ? g->moves[i] : REVERSI_PASS;
		if (moves && (square >= REVERSI_PASS || !(moves >> square & 1)))
			return false;
		if (!moves && !reversi_mobility(s.other, s.mover))
			return false;
		if (i >= g->by_chance)
			take(samples, &s, s.seat ? -g->score : g->score);
		reversi_play(&s, (qv_move)square);
		i += moves != 0;
	}
	return true;
}

/* Counting sort, first pass: counts samples by discs, shifted by one. */
static void count_sample(struct samples *samples, const struct reversi *at, int score)
{
	(void)score;
	samples->first[bits_count(at->mover | at->other) + 1]++;
	samples->count++;
}

static void add_sample(struct samples *samples, const struct reversi *at, int score)
{
	const int discs = bits_count(at->mover | at->other);
	samples->list[samples->first[discs]++] = (struct sample){ at->mover, at->other, score, 0 };
}

/* Whether the game is selected: held back or not. */
static bool is_selected(const struct games *games, int64_t game, bool held_back)
{
	const bool held = game % games->round % HELD_BACK_ONE_OF == HELD_BACK_ONE_OF - 1;
	return held == held_back;
}

enum qv_status samples_init(struct samples *s, const struct qv_allocator *allocator,
			    const struct games *games, bool held_back, struct qv_error *error)
{
	*s = (struct samples){ 0 };
	for (int64_t i = 0; i < games->count; i++)
		if (is_selected(games, i, held_back) &&
		    !each_position(&games->list[i], count_sample, s))
			return qv_fail(error, QV_BAD_INPUT, "train: game %lld has an illegal move",
				       (long long)i + 1);
	s->room = s->count ? s->count : 1;
	s->list = mem_new(allocator, (size_t)s->room, sizeof *s->list);
	if (!s->list)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory for %lld positions",
			       (long long)s->count);
	for (int i = 1; i <= SAMPLE_DISCS; i++)
		s->first[i] += s->first[i - 1];
	for (int64_t i = 0; i < games->count; i++)
		if (is_selected(games, i, held_back))
			each_position(&games->list[i], add_sample, s);
	/* Adding has moved each start to its end, which is the start of the next group. */
	memmove(s->first + 1, s->first, SAMPLE_DISCS * sizeof *s->first);
	s->first[0] = 0;
	return QV_OK;
}

void samples_release(struct samples *s, const struct qv_allocator *allocator)
{
	mem_free(allocator, s->list, (size_t)s->room * sizeof *s->list);
	*s = (struct samples){ 0 };
}

/* ---- least squares ---- */

/* Samples within this many discs of a phase are used, too, so that phases change smoothly. */
enum { OVERLAP = 3 };

struct vectors {
	float *weights, *residual, *direction, *image, *scale;
	uint32_t *same;
	int64_t from, to; /* samples */
};

static int64_t samples_from(const struct samples *s, int phase, int overlap)
{
	const int discs = 4 + phase * PATTERN_PHASE_DISCS - overlap;
	return s->first[discs < 0 ? 0 : discs];
}

static int64_t samples_to(const struct samples *s, int phase, int overlap)
{
	const int discs = 4 + (phase + 1) * PATTERN_PHASE_DISCS + overlap;
	return phase == PATTERN_PHASES - 1 || discs > SAMPLE_DISCS ? s->count : s->first[discs];
}

/* The indexes of a sample's weights. */
static inline void places_of(const struct sample *sample, const struct reversi_patterns *p,
			     const uint32_t *same, uint32_t *out)
{
	const struct reversi s = { sample->mover, sample->other, 0 };
	uint16_t numbers[PATTERN_SLOTS];
	reversi_pattern_numbers(p, &s, reversi_mobility(s.mover, s.other),
				reversi_mobility(s.other, s.mover), numbers);
	for (int i = 0; i < PATTERN_SLOTS; i++)
		out[i] = same[reversi_pattern_first[i] + numbers[i]];
}

/* The right-hand side (transposed samples x scores), and the diagonal of the matrix. */
static void spread_scores(const struct samples *s, const struct reversi_patterns *p,
			  struct vectors *v)
{
	uint32_t places[PATTERN_SLOTS];
	for (int64_t i = v->from; i < v->to; i++) {
		places_of(&s->list[i], p, v->same, places);
		for (int k = 0; k < PATTERN_SLOTS; k++) {
			v->residual[places[k]] += (float)s->list[i].score;
			v->scale[places[k]] += 1;
		}
	}
}

/* image = (transposed samples x samples + penalty) x direction */
static void apply(const struct samples *s, const struct reversi_patterns *p, struct vectors *v,
		  float penalty)
{
	uint32_t places[PATTERN_SLOTS];
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v->image[i] = penalty * v->direction[i];
	for (int64_t i = v->from; i < v->to; i++) {
		float sum = 0;
		places_of(&s->list[i], p, v->same, places);
		for (int k = 0; k < PATTERN_SLOTS; k++)
			sum += v->direction[places[k]];
		for (int k = 0; k < PATTERN_SLOTS; k++)
			v->image[places[k]] += sum;
	}
}

static double product(const float *a, const float *b)
{
	double sum = 0;
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		sum += (double)a[i] * (double)b[i];
	return sum;
}

/* The squared norm of the residual, preconditioned. */
static double scaled_product(const float *residual, const float *scale)
{
	double sum = 0;
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		sum += (double)residual[i] * (double)residual[i] / (double)scale[i];
	return sum;
}

static void conjugate_gradient(const struct samples *s, const struct fit_plan *plan,
			       const struct reversi_patterns *p, struct vectors *v)
{
	const float penalty = (float)plan->penalty;
	double distance = scaled_product(v->residual, v->scale);
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v->direction[i] = v->residual[i] / v->scale[i];
	for (int n = 0; n < plan->iterations && distance > 0; n++) {
		apply(s, p, v, penalty);
		const float step = (float)(distance / product(v->direction, v->image));
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
			v->weights[i] += step * v->direction[i];
			v->residual[i] -= step * v->image[i];
		}
		const double next = scaled_product(v->residual, v->scale);
		const float keep = (float)(next / distance);
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
			v->direction[i] = v->residual[i] / v->scale[i] + keep * v->direction[i];
		distance = next;
	}
}

static int16_t rounded(float weight)
{
	const float most = INT16_MAX, units = weight * PATTERN_DISC;
	const float limited = units > most ? most : units < -most ? -most : units;
	return (int16_t)(limited < 0 ? limited - 0.5f : limited + 0.5f);
}

enum qv_status fit_phase(const struct samples *s, const struct fit_plan *plan, int phase,
			 struct reversi_patterns *out, const struct qv_allocator *allocator,
			 struct qv_error *error)
{
	enum { VECTORS = 6 };
	_Static_assert(sizeof(float) == sizeof(uint32_t), "one block for all");
	const size_t size = PATTERN_WEIGHTS * sizeof(float);
	char *block = mem_new(allocator, VECTORS, size);
	if (!block)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	struct vectors v = {
		.weights = (void *)block,
		.residual = (void *)(block + size),
		.direction = (void *)(block + 2 * size),
		.image = (void *)(block + 3 * size),
		.scale = (void *)(block + 4 * size),
		.same = (void *)(block + 5 * size),
		.from = samples_from(s, phase, OVERLAP),
		.to = samples_to(s, phase, OVERLAP),
	};
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v.same[i] = reversi_pattern_same(i);
	spread_scores(s, out, &v);
	const float penalty = (float)plan->penalty, least = (float)plan->least;
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v.scale[i] += penalty;
	conjugate_gradient(s, plan, out, &v);
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		out->weights[phase][i] =
			v.scale[v.same[i]] - penalty < least ? 0 : rounded(v.weights[v.same[i]]);
	mem_free(allocator, block, VECTORS * size);
	return QV_OK;
}

int64_t fit_samples(const struct samples *s, int phase)
{
	return samples_to(s, phase, 0) - samples_from(s, phase, 0);
}

double fit_error(const struct samples *s, const struct reversi_patterns *p, int phase)
{
	double sum = 0;
	const int64_t count = fit_samples(s, phase);
	for (int64_t i = samples_from(s, phase, 0); i < samples_to(s, phase, 0); i++) {
		const struct sample *a = &s->list[i];
		const struct reversi at = { a->mover, a->other, 0 };
		const double error =
			(double)reversi_pattern_evaluate(&at, p) / PATTERN_DISC - a->score;
		sum += error * error;
	}
	return count ? sqrt(sum / (double)count) : -1;
}
