/*
 * backgammon.c - puzzles of backgammon: the best move by roll-outs.
 * SPDX-License-Identifier: MIT
 *
 * All moves that the static evaluation does not rule out are rolled out with the same dice. A puzzle
 * needs a best move that is better than all others by at least 0.08 points, beyond four standard
 * errors. The errors are those of independent games, which is cautious: with the same dice the
 * differences are known better.
 */
#include <math.h>

#include "base/scan.h"
#include "core/context.h"
#include "games/backgammon/net.h"
#include "games/backgammon/rollout.h"
#include "puzzle/inside.h"

enum {
	MOST_ROLLED = 6, /* moves */
	QUICK_ROLLED = 2, /* other moves in a check of a single block */
	CACHE_MEGABYTES = 4,
	MAKE_TURNS = 5,	 /* after which a game is cut and evaluated */
	CHECK_TURNS = 3, /* the same for a check: with few games it is quick */
	FEWEST_MOVES = 5,
};
#define LEAST_LOSS 0.08
#define ERRORS 4.0
#define STATIC_LOSS 0.3	      /* moves that seem to lose more are not rolled out */
#define CLEAR_LOSS 0.6	      /* of the second-best: too easy */
#define CHECK_SLACK 0.04      /* cutting games earlier or later changes this much at most */

/* A move with its estimate, and its result once it was rolled out. */
struct rolled {
	qv_move move;
	struct backgammon after;
	double estimate, equity, error;
};

struct backgammon_rolls {
	const struct qv_allocator *allocator;
	const struct qv_game *game;
	struct rolled *moves; /* BACKGAMMON_MAX_MOVES of them */
	struct equity evaluator;
	uint64_t seed;
	int blocks;
	struct rollout_block *sums;
};

enum qv_status backgammon_rolls_new(const struct qv_context *context, uint64_t seed, int trials,
				    struct backgammon_rolls **out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct qv_rules rules;
	struct backgammon_rolls *r = mem_new(a, 1, sizeof *r);
	const struct qv_limits none = { 0 };
	const struct settings unlimited = { 0 };
	if (!r)
		return qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	r->allocator = a;
	r->seed = seed;
	r->blocks = (trials + ROLLOUT_BLOCK - 1) / ROLLOUT_BLOCK;
	enum qv_status status = qv_rules_parse(context, "backgammon", &rules, error);
	if (status == QV_OK)
		status = equity_init(&r->evaluator, a,
				     context_shared(context, context_engine(rules.game)),
				     CACHE_MEGABYTES);
	budget_start(&r->evaluator.budget, &unlimited, &none, 0);
	r->game = rules.game;
	r->sums = mem_new(a, (size_t)r->blocks, sizeof *r->sums);
	r->moves = mem_new(a, BACKGAMMON_MAX_MOVES, sizeof *r->moves);
	if (status == QV_OK && (!r->sums || !r->moves))
		status = qv_fail(error, QV_NO_MEMORY, "puzzles: out of memory");
	if (status == QV_OK)
		*out = r;
	else
		backgammon_rolls_free(r);
	return status;
}

void backgammon_rolls_free(struct backgammon_rolls *r)
{
	if (!r)
		return;
	equity_release(&r->evaluator);
	mem_free(r->allocator, r->sums, (size_t)r->blocks * sizeof *r->sums);
	mem_free(r->allocator, r->moves, BACKGAMMON_MAX_MOVES * sizeof *r->moves);
	mem_free(r->allocator, r, sizeof *r);
}

/* The moves by static evaluation, the best first. Returns how many there are. */
static int list_moves(struct backgammon_rolls *r, const struct backgammon *s, struct rolled *out,
		      int most)
{
	qv_move list[BACKGAMMON_MAX_MOVES];
	const struct backgammon before = equity_plain(s);
	const int n = backgammon_moves(&before, list);
	int count = 0;
	for (int i = 0; i < n; i++) {
		struct rolled new = { .move = list[i], .after = before };
		struct backgammon_chances chances;
		backgammon_play(&new.after, list[i]);
		equity_static(&r->evaluator, &new.after, &chances);
		new.estimate = -backgammon_equity(&chances);
		int at = count < most ? count++ : most;
		for (; at && out[at - 1].estimate < new.estimate; at--)
			if (at < most)
				out[at] = out[at - 1];
		if (at < most)
			out[at] = new;
	}
	return n;
}

/* Rolls one move out. */
static void roll(struct backgammon_rolls *r, struct rolled *m, int turns)
{
	const struct rollout how = { .start = m->after, .seed = r->seed, 
				      .truncate = turns };
	for (int block = 0; block < r->blocks; block++)
		rollout_block(&how, &r->evaluator, block, &r->sums[block]);
	const struct rollout_result result = rollout_sum(r->sums, r->blocks);
	m->equity = -result.mean[ROLLOUT_EQUITY];
	m->error = result.error[ROLLOUT_EQUITY];
}

static double error_of_difference(const struct rolled *a, const struct rolled *b)
{
	return sqrt(a->error * a->error + b->error * b->error);
}

bool backgammon_rolls_make(struct backgammon_rolls *r, const void *state, struct puzzle *out)
{
	const struct backgammon *s = state;
	struct rolled moves[MOST_ROLLED + 1];
	if (s->phase != BACKGAMMON_MOVE)
		return false;
	const int n = list_moves(r, s, moves, MOST_ROLLED + 1);
	if (n < FEWEST_MOVES)
		return false;
	int count = 1;
	while (count <= MOST_ROLLED && moves[0].estimate - moves[count].estimate < STATIC_LOSS &&
	       count < n)
		count++;
	/* Step 1. Neither obvious nor hopelessly close by the static evaluation. */
	const double gap = moves[0].estimate - moves[1].estimate;
	if (count > MOST_ROLLED || gap < LEAST_LOSS || gap > CLEAR_LOSS)
		return false;
	/* Step 2. Roll out the candidates, at least two. */
	count = count < 2 ? 2 : count;
	int best = 0;
	for (int i = 0; i < count; i++) {
		roll(r, &moves[i], MAKE_TURNS);
		best = moves[i].equity > moves[best].equity ? i : best;
	}
	/* Step 3. All others must lose enough. */
	out->goal = (struct puzzle_goal){ .kind = PUZZLE_EQUITY, .loss = 100 };
	for (int i = 0; i < count; i++) {
		const double loss = moves[best].equity - moves[i].equity;
		const double error = error_of_difference(&moves[best], &moves[i]);
		if (i == best)
			continue;
		if (loss - ERRORS * error < LEAST_LOSS)
			return false;
		if (loss < out->goal.loss) {
			out->goal.loss = loss;
			out->goal.error = error;
		}
	}
	struct qv_text line = { out->line, sizeof out->line, 0 };
	r->game->move_text(s, moves[best].move, &line);
	/* Many moves, a small loss, and a best move that looks worse at first make it hard. */
	out->nodes = (uint64_t)((double)n * (best ? 40 : 10) / out->goal.loss);
	return true;
}

enum qv_status backgammon_rolls_check(struct backgammon_rolls *r, const void *state,
				      const struct puzzle *p, struct qv_error *error)
{
	const struct backgammon *s = state;
	struct rolled *moves = r->moves;
	qv_move key;
	const enum qv_status status = qv_move_parse(r->game, s, p->line, &key, error);
	if (status != QV_OK)
		return status;
	if (p->goal.loss - ERRORS * p->goal.error < LEAST_LOSS - 1e-9)
		return qv_fail(error, QV_ILLEGAL, "the second-best move is too good");
	const int n = list_moves(r, s, moves, BACKGAMMON_MAX_MOVES);
	int best = 0;
	while (best < n && moves[best].move != key)
		best++;
	if (best == n)
		return qv_fail(error, QV_ILLEGAL, "the move is not legal");
	roll(r, &moves[best], CHECK_TURNS);
	const int most = r->blocks > 1 ? MOST_ROLLED : QUICK_ROLLED;
	for (int i = 0, rolled = 0; i < n && rolled < most; i++) {
		if (i == best || (rolled && moves[0].estimate - moves[i].estimate >= STATIC_LOSS))
			continue;
		roll(r, &moves[i], CHECK_TURNS);
		rolled++;
		const double loss = moves[best].equity - moves[i].equity;
		const double unsure = ERRORS * error_of_difference(&moves[best], &moves[i]) +
				      ERRORS * p->goal.error + CHECK_SLACK;
		if (loss < p->goal.loss - unsure)
			return qv_fail(error, QV_ILLEGAL,
				       "another move loses %.3f only, not %.3f or more", loss,
				       p->goal.loss);
	}
	return QV_OK;
}
