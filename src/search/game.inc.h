/*
 * game.inc.h - template: a game's inline rules as the functions of struct qv_game.
 * SPDX-License-Identifier: MIT
 *
 * Put G_GAME_FUNCTIONS among the fields of the game's struct qv_game; its facts stand beside it.
 * Each slot function only changes the state's type, from void to G_STATE, and the compiler inlines
 * the rules into it. Functions that the game lacks stay NULL.
 */
#include "search/stamp.inc.h"

static void G(slot_start)(const int64_t *options, void *state)
{
	G(start)(state, options);
}

static int G(slot_seat)(const void *state)
{
	return G(seat)(state);
}

/* The rules list moves only while the game goes on; struct qv_game promises 0 afterwards. */
static int G(slot_moves)(const void *state, qv_move *list)
{
	int32_t points[QV_MAX_SEATS];
	return G(result)(state, points) == QV_ENDED ? 0 : G(moves)(state, list);
}

static void G(slot_play)(void *state, qv_move move)
{
	G(play)(state, move);
}

static enum qv_outcome G(slot_result)(const void *state, int32_t *points)
{
	return G(result)(state, points);
}

static uint64_t G(slot_hash)(const void *state)
{
	return G(hash)(state);
}

static void G(slot_move_text)(const void *state, qv_move move, struct qv_text *out)
{
	G(move_text)(state, move, out);
}

static void G(slot_position_text)(const void *state, struct qv_text *out)
{
	G(position_text)(state, out);
}

static enum qv_status G(slot_position_parse)(const int64_t *options, const char *text, void *state,
					     struct qv_error *error)
{
	return G(position_parse)(state, options, text, error);
}

static int G(slot_count)(const void *state)
{
	return G(count)(state);
}

static int32_t G(slot_evaluate)(const void *state, const void *weights)
{
	return G(evaluate)(state, weights);
}

/* Games of more than two seats do without. */
__attribute__((unused)) static int32_t G(slot_leaf)(const void *state, const void *weights)
{
	return G(leaf)(state, weights);
}

#define G_REQUIRED_FUNCTIONS                                                    \
	.start = G(slot_start), .seat = G(slot_seat), .moves = G(slot_moves),   \
	.play = G(slot_play), .result = G(slot_result), .hash = G(slot_hash),   \
	.move_text = G(slot_move_text), .position_text = G(slot_position_text), \
	.position_parse = G(slot_position_parse), .count = G(slot_count)

#if G_HAS_RANK
static int32_t G(slot_rank)(const void *state, qv_move move)
{
	return G(rank)(state, move);
}
#define G_RANK_FUNCTION G(slot_rank)
#else
#define G_RANK_FUNCTION NULL
#endif

#if G_HAS_QUIET
static bool G(slot_quiet)(const void *state, qv_move move)
{
	return G(quiet)(state, move);
}
#define G_QUIET_FUNCTION G(slot_quiet)
#else
#define G_QUIET_FUNCTION NULL
#endif

#if G_HAS_WEIGHT
static uint32_t G(slot_weight)(const void *state, qv_move outcome)
{
	return G(weight)(state, outcome);
}
#define G_WEIGHT_FUNCTION G(slot_weight)
#else
#define G_WEIGHT_FUNCTION NULL
#endif

#if G_HAS_MOVE_PARSE
static bool G(slot_move_parse)(const void *state, const char *text, qv_move *move)
{
	return G(move_parse)(state, text, move);
}
#define G_MOVE_PARSE_FUNCTION G(slot_move_parse)
#else
#define G_MOVE_PARSE_FUNCTION NULL
#endif

#if G_HAS_COUNTED
static int G(slot_max_count)(const void *state, qv_move move)
{
	return G(max_count)(state, move);
}

static qv_move G(slot_with_count)(qv_move move, int count)
{
	return G(with_count)(NULL, move, count);
}
#define G_COUNT_FUNCTIONS .max_count = G(slot_max_count), .with_count = G(slot_with_count),
#else
#define G_COUNT_FUNCTIONS
#endif

/* Repetition: these three come together. */
#if G_HAS_REPEATED
static enum qv_outcome G(slot_repeated)(const void *state, int times, int32_t *points)
{
	return G(repeated)(state, times, points);
}

static bool G(slot_irreversible)(const void *state, qv_move move)
{
	return G(irreversible)(state, move);
}

static uint64_t G(slot_repeat_hash)(const void *state)
{
	return G(repeat_hash)(state);
}
#define G_REPETITION_FUNCTIONS                                                  \
	.repeated = G(slot_repeated), .irreversible = G(slot_irreversible),     \
	.repeat_hash = G(slot_repeat_hash),
#else
#define G_REPETITION_FUNCTIONS
#endif

/* Symmetries of the board. */
#if G_HAS_IMAGE
static void G(slot_image)(const void *state, int k, void *out)
{
	G(image)(state, k, out);
}

static qv_move G(slot_image_move)(const void *state, int k, qv_move move)
{
	return G(image_move)(state, k, move);
}
#define G_IMAGE_FUNCTIONS .image = G(slot_image), .image_move = G(slot_image_move),
#else
#define G_IMAGE_FUNCTIONS
#endif

#if G_HAS_DRAW
static void G(slot_draw)(const void *state, bool unicode, struct qv_text *out)
{
	G(draw)(state, unicode, out);
}
#define G_DRAW_FUNCTION G(slot_draw)
#else
#define G_DRAW_FUNCTION NULL
#endif

#if G_HAS_PARENTS
static int G(slot_parents)(const void *state, void *list)
{
	return G(parents)(state, list);
}
#endif

/* Numbering of positions, for endgame tables. */
#if G_HAS_INDEX
static bool G(slot_space)(const int64_t *options, int space, struct qv_space *out)
{
	return G(space)(options, space, out);
}

static bool G(slot_decode)(const void *aid, const int64_t *options, int space, uint64_t number,
			   void *state)
{
	return G(decode)(state, aid, options, space, number);
}

static bool G(slot_find)(const void *aid, const void *state, struct qv_place *out)
{
	return G(find)(state, aid, out);
}

#if G_HAS_AID
static void G(slot_prepare)(const int64_t *options, void *aid)
{
	G(prepare)(aid, options);
}
#endif

static const struct qv_index G(slot_index) = {
	.space = G(slot_space), .decode = G(slot_decode), .find = G(slot_find),
#if G_HAS_PARENTS
	.parents = G(slot_parents), .max_parents = G_MAX_PARENTS,
#endif
#if G_HAS_AID
	.prepare = G(slot_prepare), .aid_size = G_AID_SIZE,
#endif
};
#define G_INDEX (&G(slot_index))
#else
#define G_INDEX NULL
#endif

#define G_GAME_FUNCTIONS                                                                \
	G_COUNT_FUNCTIONS G_REPETITION_FUNCTIONS G_IMAGE_FUNCTIONS                      \
	G_REQUIRED_FUNCTIONS, .rank = G_RANK_FUNCTION, .quiet = G_QUIET_FUNCTION,       \
	.weight = G_WEIGHT_FUNCTION, .move_parse = G_MOVE_PARSE_FUNCTION,               \
	.draw = G_DRAW_FUNCTION, .index = G_INDEX
