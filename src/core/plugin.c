/*
 * plugin.c - the search algorithms compiled for struct qv_game itself, for games of plug-ins.
 * SPDX-License-Identifier: MIT
 *
 * Each built-in game compiles the algorithms for its own state type. For plug-ins they are compiled
 * once, over a handle: the game, and a pointer to the bytes of the state. Every call then goes
 * through the game's function pointers. Functions that a game lacks get a simple substitute here.
 */
#include "games/registry.h"
#include "search/duel_inline.h"
#include "search/legal.h"

/* The handle of a state, which takes the place of a game's state type. */
struct any {
	const struct qv_game *game;
	void *bytes;
};

/*
 * Copies a state whose size is known only at run time. The common sizes are spelled out because a
 * call of memcpy would cost more than the copy.
 */
static inline void any_copy(struct any *to, const struct any *from)
{
	to->game = from->game;
	switch (from->game->state_size) {
	case 8:
		memcpy(to->bytes, from->bytes, 8);
		break;
	case 16:
		memcpy(to->bytes, from->bytes, 16);
		break;
	case 24:
		memcpy(to->bytes, from->bytes, 24);
		break;
	case 32:
		memcpy(to->bytes, from->bytes, 32);
		break;
	default:
		memcpy(to->bytes, from->bytes, from->game->state_size);
	}
}

/* The required functions of every game. */
static inline int any_seat(const struct any *s)
{
	return s->game->seat(s->bytes);
}

static inline int any_moves(const struct any *s, qv_move *list)
{
	return s->game->moves(s->bytes, list);
}

static inline void any_play(struct any *s, qv_move move)
{
	s->game->play(s->bytes, move);
}

static inline enum qv_outcome any_result(const struct any *s, int32_t *points)
{
	return s->game->result(s->bytes, points);
}

static inline uint64_t any_hash(const struct any *s)
{
	return s->game->hash(s->bytes);
}

static inline uint64_t any_repeat_hash(const struct any *s)
{
	return s->game->repeat_hash ? s->game->repeat_hash(s->bytes) : s->game->hash(s->bytes);
}

static inline int32_t any_evaluate(const struct any *s, const void *weights)
{
	return s->game->evaluations ? s->game->evaluations->evaluate(s->bytes, weights) : 0;
}

/* Defined by the stamp. */
static inline int32_t any_leaf_points(const struct any *s, const int32_t *points);

static inline int32_t any_leaf(const struct any *s, const void *weights)
{
	int32_t points[QV_MAX_SEATS];
	if (s->game->evaluations && s->game->evaluations->leaf) {
		/* Clamp what is not a result: a plug-in may return anything. */
		const int32_t leaf = s->game->evaluations->leaf(s->bytes, weights);
		return leaf == QV_LEAF_WON || leaf == QV_LEAF_LOST || leaf == QV_LEAF_DRAWN
			       ? leaf
			       : duel_clamp(leaf);
	}
	return any_result(s, points) != QV_GOING ? any_leaf_points(s, points)
						 : duel_clamp(any_evaluate(s, weights));
}

/* Optional functions, with a substitute for games that lack them. */
static inline int32_t any_rank(const struct any *s, qv_move move)
{
	return s->game->rank ? s->game->rank(s->bytes, move) : 0;
}

static inline bool any_quiet(const struct any *s, qv_move move)
{
	return s->game->quiet ? s->game->quiet(s->bytes, move) : true;
}

static inline uint32_t any_weight(const struct any *s, qv_move outcome)
{
	return s->game->weight ? s->game->weight(s->bytes, outcome) : 1;
}

static inline int any_max_count(const struct any *s, qv_move move)
{
	return legal_max_count(s->game, s->bytes, move);
}

static inline qv_move any_with_count(const struct any *s, qv_move move, int count)
{
	return s->game->with_count(move, count);
}

/* Called only for games with a repetition rule. */
static inline enum qv_outcome any_repeated(const struct any *s, int times, int32_t *points)
{
	return s->game->repeated(s->bytes, times, points);
}

static inline bool any_irreversible(const struct any *s, qv_move move)
{
	return s->game->irreversible(s->bytes, move);
}

/* The index functions are called only for games that have an index. */
static inline bool any_decode(struct any *s, const void *aid, const int64_t *options, int space,
			      uint64_t number)
{
	return s->game->index->decode(aid, options, space, number, s->bytes);
}

static inline bool any_find(const struct any *s, const void *aid, struct qv_place *out)
{
	return s->game->index->find(aid, s->bytes, out);
}

/* `list` refers to the first state of an array; the others follow it in memory. */
static inline int any_parents(const struct any *s, struct any *list)
{
	return s->game->index->parents(s->bytes, list->bytes);
}

/* Compile every algorithm. All optional functions exist, since the substitutes above do. */
#define G(f) any_##f
#define G_DYNAMIC 1
#define G_STATE struct any
#define G_MAX_MOVES QV_MAX_MOVES
#define G_HAS_EVALUATE 1
#define G_HAS_LEAF 1
#define G_HAS_RANK 1
#define G_HAS_QUIET 1
#define G_HAS_COUNTED 1
#define G_HAS_REPEATED 1
#define G_HAS_REPEAT_HASH 1
#define G_HAS_WEIGHT 1
#define G_HAS_INDEX 1
#define G_HAS_PARENTS 1
#include "search/perft.inc.h"
#include "search/duel.inc.h"
#include "search/mcts.inc.h"
#include "search/prove.inc.h"
#include "search/multi.inc.h"
#include "search/chance.inc.h"
#include "solve/retro.inc.h"

const struct engine plugin_engine = {
	.perft = any_perft,
	.duel = &any_duel_ops,
	.mcts = &any_mcts_ops,
	.prove = &any_prove_ops,
	.multi = &any_multi_ops,
	.chance = &any_chance_ops,
	.retro = &any_retro_ops,
};
