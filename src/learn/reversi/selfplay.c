/*
 * selfplay.c - reversi: self-play games for training.
 * SPDX-License-Identifier: MIT
 *
 * Negascout with a small transposition table plays; the endgame solver takes over when few squares
 * are empty, so that final scores are exact.
 */
#include "learn/reversi/selfplay.h"

#include "games/registry.h"
#include "search/player_kind.h"

/*
 * Bounds of the number of random moves. Most games have few; one in eight has many, so that late
 * positions vary as much as early ones.
 */
enum { CHANCE_LEAST = 2, CHANCE_MOST = 22, LATE_LEAST = 20, LATE_MOST = 44, LATE_ONE_OF = 8 };
enum { ENDGAME_BYTES = 1 << 20 };

static int32_t evaluate(const void *state, const void *weights)
{
	return reversi_pattern_evaluate(state, weights);
}

static int32_t leaf(const void *state, const void *weights)
{
	return reversi_pattern_leaf(state, weights);
}

enum qv_status selfplay_init(struct selfplay *p, const struct qv_allocator *allocator,
			     const struct selfplay_plan *plan,
			     const struct reversi_patterns *patterns, struct qv_error *error)
{
	struct settings settings;
	*p = (struct selfplay){ .plan = *plan, .allocator = allocator };
	p->evaluation = (struct qv_evaluation){
		.name = "learning", .evaluate = evaluate, .leaf = leaf, .weights = patterns
	};
	enum qv_status status = kind_settings(&negascout_kind, "tt=1", NULL, &settings, error);
	if (status != QV_OK)
		return status;
	settings.depth = plan->depth;
	const struct duel_setup setup = {
		.game = reversi_engine.game,
		.ops = reversi_engine.duel,
		.allocator = allocator,
		.settings = &settings,
		.evaluation = patterns ? &p->evaluation : NULL,
	};
	status = duel_new(&setup, &p->duel, error);
	if (status == QV_OK && endgame_init(&p->endgame, allocator, ENDGAME_BYTES) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "train: out of memory");
	return status;
}

void selfplay_release(struct selfplay *p)
{
	duel_free(p->duel);
	if (p->allocator)
		endgame_release(&p->endgame, p->allocator);
	*p = (struct selfplay){ 0 };
}

static int chance_plies(struct qv_random *random)
{
	if (qv_random_below(random, LATE_ONE_OF) == 0)
		return LATE_LEAST + (int)qv_random_below(random, LATE_MOST - LATE_LEAST + 1);
	return CHANCE_LEAST + (int)qv_random_below(random, CHANCE_MOST - CHANCE_LEAST + 1);
}

/* The move of the endgame solver or the search; the side to move must have one. */
static enum qv_status choose(struct selfplay *p, const struct reversi *s, int *square,
			     struct qv_error *error)
{
	const struct qv_limits none = { 0 };
	struct qv_answer answer;
	if (bits_count(~(s->mover | s->other)) <= p->plan.solve) {
		*square = endgame_solve(&p->endgame, s->mover, s->other, -ENDGAME_MOST,
					ENDGAME_MOST, NULL)
				  .move;
		return QV_OK;
	}
	const enum qv_status status = duel_run(p->duel, s, &none, NULL, &answer, error);
	*square = (int)answer.move;
	return status;
}

enum qv_status selfplay_game(struct selfplay *p, int64_t number, struct game_record *out,
			     struct qv_error *error)
{
	struct qv_random random = { .key = qv_random_key(p->plan.seed, (uint64_t)number) };
	struct reversi s;
	enum qv_status status = QV_OK;
	int by_chance = chance_plies(&random);
	*out = (struct game_record){ .by_chance = (uint8_t)by_chance };
	duel_forget(p->duel);
	endgame_forget(&p->endgame);
	reversi_start(&s, NULL);
	for (;;) {
		uint64_t moves = reversi_mobility(s.mover, s.other);
		int square = REVERSI_PASS;
		if (!moves && !reversi_mobility(s.other, s.mover))
			break;
		if (moves && out->count < by_chance) {
			for (uint64_t skip = qv_random_below(&random, (uint64_t)bits_count(moves));
			     skip; skip--)
				moves = bits_rest(moves);
			square = bits_lowest(moves);
		} else if (moves && (status = choose(p, &s, &square, error)) != QV_OK) {
			return status;
		}
		reversi_play(&s, (qv_move)square);
		if (moves)
			out->moves[out->count++] = (uint8_t)square;
	}
	const int score = endgame_final(s.mover, s.other);
	out->score = (int8_t)(s.seat == 0 ? score : -score);
	return QV_OK;
}
