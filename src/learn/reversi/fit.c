/*
 * fit.c - reversi: fits the weights of the patterns to games, by least squares.
 * SPDX-License-Identifier: MIT
 *
 * Samples are sorted by their number of discs. The normal equations are solved by the conjugate
 * gradient method with a diagonal preconditioner; the matrix is never stored, and one iteration is
 * one pass over the samples. One thread processes the samples of a phase in a fixed order, so the
 * result depends on the games alone.
 */
#include "learn/reversi/train.h"

#include <math.h>

/* ---- samples ---- */

/* One game out of this many of each round is held back to test the weights. */
enum { HELD_BACK_ONE_OF = 16 };

/*
 * Replays a game and visits each position after the random opening, forced passes included. The two
 * passes of a counting sort: while there is no list, it counts samples by discs, shifted by one;
 * then it adds them to the list, and first[] moves on. False: the game has an illegal move.
 */
static bool take_game(struct samples *samples, const struct game_record *g)
{
	struct reversi s;
	reversi_start(&s, NULL);
	if (g->count > sizeof g->moves)
		return false;
	for (int i = 0; i < g->count;) {
		const uint64_t moves = reversi_mobility(s.mover, s.other);
		const int square = moves ? g->moves[i] : REVERSI_PASS;
		if (moves ? square >= REVERSI_PASS || !(moves >> square & 1)
			  : !reversi_mobility(s.other, s.mover))
			return false;
		const int discs = bits_count(s.mover | s.other);
		if (i >= g->by_chance && samples->list) {
			samples->list[samples->first[discs]++] =
				(struct sample){ s.mover, s.other, s.seat ? -g->score : g->score,
						 0 };
		} else if (i >= g->by_chance) {
			samples->first[discs + 1]++;
			samples->count++;
		}
		reversi_play(&s, (qv_move)square);
		i += moves != 0;
	}
	return true;
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
		if (is_selected(games, i, held_back) && !take_game(s, &games->list[i]))
			return qv_fail(error, QV_BAD_INPUT, "train: game %lld has an illegal move",
				       (long long)i + 1);
	s->room = s->count ? s->count : 1;
	s->list = mem_new(allocator, (size_t)s->room, sizeof *s->list);
	if (!s->list)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory for %lld positions",
			       (long long)s->count);
	/* Counts become the places where the samples of each number of discs begin. */
	for (int i = 1; i <= SAMPLE_DISCS; i++)
		s->first[i] += s->first[i - 1];
	for (int64_t i = 0; i < games->count; i++)
		if (is_selected(games, i, held_back))
			take_game(s, &games->list[i]);
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

/* Arrays with an entry for each weight; `product` is the matrix times the direction. */
struct vectors {
	float *weights, *residual, *direction, *product, *scale;
	uint32_t *same; /* the weight that a weight shares its value with, by symmetry */
};

/* The samples of a phase are [*from, *to), `overlap` discs of its neighbours included. */
static void phase_range(const struct samples *s, int phase, int overlap, int64_t *from, int64_t *to)
{
	const int least = 4 + phase * PATTERN_PHASE_DISCS - overlap;
	const int most = 4 + (phase + 1) * PATTERN_PHASE_DISCS + overlap;
	*from = s->first[least < 0 ? 0 : least];
	*to = phase == PATTERN_PHASES - 1 || most > SAMPLE_DISCS ? s->count : s->first[most];
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

/* product = (transposed samples x samples + penalty) x direction */
static void multiply(const struct sample *list, int64_t count, const struct reversi_patterns *p,
		     struct vectors *v, float penalty)
{
	uint32_t places[PATTERN_SLOTS];
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v->product[i] = penalty * v->direction[i];
	for (int64_t i = 0; i < count; i++) {
		float sum = 0;
		places_of(&list[i], p, v->same, places);
		for (int k = 0; k < PATTERN_SLOTS; k++)
			sum += v->direction[places[k]];
		for (int k = 0; k < PATTERN_SLOTS; k++)
			v->product[places[k]] += sum;
	}
}

/* The squared norm of the residual, preconditioned. */
static double residual_norm(const struct vectors *v)
{
	double sum = 0;
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		sum += (double)v->residual[i] * (double)v->residual[i] / (double)v->scale[i];
	return sum;
}

static void conjugate_gradient(const struct sample *list, int64_t count,
			       const struct fit_plan *plan, const struct reversi_patterns *p,
			       struct vectors *v)
{
	double distance = residual_norm(v);
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v->direction[i] = v->residual[i] / v->scale[i];
	for (int n = 0; n < plan->iterations && distance > 0; n++) {
		double along = 0;
		multiply(list, count, p, v, (float)plan->penalty);
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
			along += (double)v->direction[i] * (double)v->product[i];
		/* The best step along the direction, then the next conjugate direction. */
		const float step = (float)(distance / along);
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
			v->weights[i] += step * v->direction[i];
			v->residual[i] -= step * v->product[i];
		}
		const double next = residual_norm(v);
		const float keep = (float)(next / distance);
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
			v->direction[i] = v->residual[i] / v->scale[i] + keep * v->direction[i];
		distance = next;
	}
}

bool fit_phase(const struct samples *s, const struct fit_plan *plan, int phase,
	       struct reversi_patterns *out, const struct qv_allocator *allocator)
{
	enum { VECTORS = 6 };
	_Static_assert(sizeof(float) == sizeof(uint32_t), "one block for all");
	/* One block for all vectors. */
	float *block = mem_new(allocator, VECTORS, PATTERN_WEIGHTS * sizeof *block);
	if (!block)
		return false;
	struct vectors v = { block,
			     block + PATTERN_WEIGHTS,
			     block + 2 * PATTERN_WEIGHTS,
			     block + 3 * PATTERN_WEIGHTS,
			     block + 4 * PATTERN_WEIGHTS,
			     (void *)(block + 5 * PATTERN_WEIGHTS) };
	const float penalty = (float)plan->penalty, least = (float)plan->least, most = INT16_MAX;
	uint32_t places[PATTERN_SLOTS];
	int64_t from, to;
	phase_range(s, phase, OVERLAP, &from, &to);
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v.same[i] = reversi_pattern_same(i);
	/* The right-hand side (transposed samples x scores), and the diagonal of the matrix. */
	for (int64_t i = from; i < to; i++) {
		places_of(&s->list[i], out, v.same, places);
		for (int k = 0; k < PATTERN_SLOTS; k++) {
			v.residual[places[k]] += (float)s->list[i].score;
			v.scale[places[k]] += 1;
		}
	}
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
		v.scale[i] += penalty;
	conjugate_gradient(s->list + from, to - from, plan, out, &v);
	/* Round to the integers of the file. */
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
		const float units = v.weights[v.same[i]] * PATTERN_DISC;
		const float held = units > most ? most : units < -most ? -most : units;
		out->weights[phase][i] = v.scale[v.same[i]] - penalty < least
						 ? 0
						 : (int16_t)(held < 0 ? held - 0.5f : held + 0.5f);
	}
	mem_free(allocator, block, VECTORS * PATTERN_WEIGHTS * sizeof *block);
	return true;
}

double fit_error(const struct samples *s, const struct reversi_patterns *p, int phase,
		 int64_t *count)
{
	double sum = 0;
	int64_t from, to;
	phase_range(s, phase, 0, &from, &to);
	for (int64_t i = from; i < to; i++) {
		const struct sample *a = &s->list[i];
		const struct reversi at = { a->mover, a->other, 0 };
		const double error =
			(double)reversi_pattern_evaluate(&at, p) / PATTERN_DISC - a->score;
		sum += error * error;
	}
	*count = to - from;
	return *count ? sqrt(sum / (double)*count) : -1;
}
