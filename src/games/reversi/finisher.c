/*
 * finisher.c - reversi: the endgame solver for players that search (solve=N).
 * SPDX-License-Identifier: MIT
 *
 * It first finds who wins, then by how much if there is time; a known win or draw is kept in any
 * case. A loss is reported only once its margin is known, because until then the ordinary search
 * finds a move that makes it harder for the opponent.
 */
#include "games/reversi/solver.h"

#include "games/reversi/endgame.h"
#include "games/reversi/pattern.h"

struct finisher {
	struct endgame endgame;
	const struct qv_allocator *allocator;
};

static void finisher_free(void *finisher)
{
	struct finisher *f = finisher;
	if (!f)
		return;
	endgame_release(&f->endgame, f->allocator);
	mem_free(f->allocator, f, sizeof *f);
}

static enum qv_status finisher_make(const struct qv_allocator *allocator, size_t hash_bytes,
				    void **out)
{
	struct finisher *f = mem_new(allocator, 1, sizeof *f);
	if (!f)
		return QV_NO_MEMORY;
	f->allocator = allocator;
	if (endgame_init(&f->endgame, allocator, hash_bytes) != QV_OK) {
		finisher_free(f);
		return QV_NO_MEMORY;
	}
	*out = f;
	return QV_OK;
}

static void finisher_forget(void *finisher)
{
	endgame_forget(&((struct finisher *)finisher)->endgame);
}

/* Solves within the limits and counts the nodes; false: no result in time. */
static bool ask(struct finisher *f, const struct reversi *s, int low, int high,
		const atomic_bool *stop, struct endgame_answer *answer, struct qv_answer *out)
{
	*answer = endgame_solve(&f->endgame, s->mover, s->other, low, high, stop);
	out->nodes += f->endgame.nodes;
	return !f->endgame.stopped;
}

/* Plays on to the end of the game with best moves for both sides; false: no time for that. */
static bool extend(struct finisher *f, struct reversi s, int score, const atomic_bool *stop,
		   struct qv_answer *out)
{
	int32_t points[QV_MAX_SEATS];
	struct endgame_answer next;
	for (reversi_play(&s, out->move); reversi_result(&s, points) == QV_GOING;
	     reversi_play(&s, (qv_move)next.move)) {
		score = -score;
		if (!ask(f, &s, score - 1, score + 1, stop, &next, out))
			return false;
		out->line[out->line_length++] = (qv_move)next.move;
	}
	return true;
}

static bool finish(void *finisher, const void *state, int64_t deadline_us, const atomic_bool *stop,
		   struct qv_answer *out)
{
	struct finisher *f = finisher;
	const struct reversi *s = state;
	struct endgame_answer winner, best;
	f->endgame.deadline_us = deadline_us;
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (!ask(f, s, -1, 1, stop, &winner, out))
		return false;
	best = winner;
	const bool exact =
		winner.score == 0 || ask(f, s, winner.score > 0 ? 0 : -ENDGAME_MOST,
					 winner.score > 0 ? ENDGAME_MOST : 0, stop, &best, out);
	if (!exact && winner.score < 0)
		return false;
	if (!exact)
		best = winner;
	out->move = out->line[0] = (qv_move)best.move;
	out->line_length = 1;
	out->proven = exact && extend(f, *s, best.score, stop, out);
	out->depth = out->line_length;
	out->score = best.score * PATTERN_DISC;
	if (out->proven)
		out->score = best.score > 0   ? QV_WIN - out->line_length
			     : best.score < 0 ? out->line_length - QV_WIN
					      : 0;
	out->considered = out->nodes;
	return true;
}

const struct finisher_ops reversi_finisher = { finisher_make, finisher_free, finisher_forget,
					       finish };
