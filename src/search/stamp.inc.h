/*
 * stamp.inc.h - what the algorithm templates need of a game, completed from what it gives.
 * SPDX-License-Identifier: MIT
 *
 * A template is stamped for a game by defining, before it is included:
 *   G(f)          the game's name of function f: #define G(f) c4_##f; the state is always the first
 *                 argument
 *   G_STATE       the type of its state
 *   G_MAX_MOVES   the most moves of a position
 *   G_ALTERNATES  1 if two seats always alternate: then values are negated at each ply
 *   G_HAS_x       1 for each optional function of the game; x is EVALUATE, LEAF, RANK, RANKS,
 *                 COUNT, QUIET, REPEATED, REPEAT_HASH, COUNTED, WEIGHT, IMAGE, MOVE_PARSE, DRAW, INDEX,
 *                 PARENTS, AID, LEAVES, FIND_PARENTS or CHAIN
 * These are compile-time constants, so that a function which a game lacks costs nothing. The
 * switches of a search are run-time values.
 *
 * The same templates run over struct qv_game (core/plugin.c) with G_DYNAMIC 1: the state is a
 * handle {game, bytes}, and states and move lists are in per-ply slots of the search's arena.
 */
#ifndef G
#error "define G(f) and G_STATE before including a template"
#endif

#ifndef G_DYNAMIC
#define G_DYNAMIC 0
#endif
#ifndef G_ALTERNATES
#define G_ALTERNATES 0
#endif
/* These are also used outside of #if, where an undefined name is not 0. */
#ifndef G_HAS_REPEATED
#define G_HAS_REPEATED 0
#endif
#ifndef G_HAS_COUNTED
#define G_HAS_COUNTED 0
#endif
#ifndef G_HAS_LEAVES
#define G_HAS_LEAVES 0
#endif
#ifndef G_HAS_CHAIN
#define G_HAS_CHAIN 0
#endif
#ifndef G_HAS_CONTEMPT
#define G_HAS_CONTEMPT 0
#endif

#ifndef G_STAMPED
#define G_STAMPED
/*
 * Slots. `slots` is an array of struct slot, one for each ply (search/slots.h).
 *   G_CHILD(name, slots, ply)  declares `name`, a pointer to room for a state one ply deeper
 *   G_LIST(name, slots, ply)   declares `name`, room for the moves of this ply
 *   G_ROOT(name, game, bytes)  declares `name`, a pointer to the state that the raw bytes hold
 *   G_BYTES(state)             the raw bytes of a state, for listeners
 */
#if G_DYNAMIC
#define G_CHILD(name, slots, ply) \
	G_STATE name##_room = { (slots)[ply].game, (slots)[ply].state }, *const name = &name##_room
#define G_LIST(name, slots, ply) qv_move *const name = (slots)[ply].moves
#define G_ROOT(name, qv_game_of, bytes)                                         \
	const G_STATE name##_room = { qv_game_of, (void *)(uintptr_t)(bytes) }, \
		      *const name = &name##_room
#define G_BYTES(s) ((s)->bytes)
#else
#define G_CHILD(name, slots, ply) G_STATE name##_room, *const name = ((void)(slots), &name##_room)
#define G_LIST(name, slots, ply) qv_move name[G_MAX_MOVES]
#define G_ROOT(name, qv_game_of, bytes) \
	G_STATE name##_room, *const name = memcpy(&name##_room, bytes, sizeof name##_room)
#define G_BYTES(s) ((const void *)(s))
#endif

/* Whether two seats always move in turn; a plug-in's game says so itself. */
#if G_DYNAMIC
#define G_TAKES_TURNS(s) ((s)->game->alternates)
#else
#define G_TAKES_TURNS(s) G_ALTERNATES
#endif

/* To try a move: copy, and play on the copy. */
static inline void G(copy_play)(G_STATE *to, const G_STATE *from, qv_move move)
{
#if G_DYNAMIC
	G(copy)(to, from);
#else
	*to = *from;
#endif
	G(play)(to, move);
}

#if !G_HAS_COUNT
/* How many moves there are; 0 when the game has ended. */
static inline int G(count)(const G_STATE *s)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[G_MAX_MOVES];
	return G(result)(s, points) == QV_ENDED ? 0 : G(moves)(s, list);
}
#endif

#if !G_HAS_REPEAT_HASH
static inline uint64_t G(repeat_hash)(const G_STATE *s)
{
	return G(hash)(s);
}
#endif

#if !G_HAS_REPEATED
/* Never called; with these the templates test G_HAS_REPEATED in plain expressions. */
static inline enum qv_outcome G(repeated)(const G_STATE *s, int times, int32_t *points)
{
	(void)s, (void)times, (void)points;
	return QV_GOING;
}

static inline bool G(irreversible)(const G_STATE *s, qv_move move)
{
	(void)s, (void)move;
	return false;
}
#endif

#if !G_HAS_CHAIN
/* For games with chains of outcomes. Never called: the seat whose move chance completes. */
static inline int G(chain_seat)(const G_STATE *s)
{
	(void)s;
	return 0;
}

/* Whether a move starts a chain; there is always another move. */
static inline bool G(starts_chain)(const G_STATE *s, qv_move move)
{
	(void)s, (void)move;
	return false;
}
#endif

/* The weight of an outcome of chance, and the rank of a move, also for games without them. */
static inline uint32_t G(weight_of)(const G_STATE *s, qv_move outcome)
{
#if G_HAS_WEIGHT
	return G(weight)(s, outcome);
#else
	(void)s, (void)outcome;
	return 1;
#endif
}

static inline int32_t G(rank_of)(const G_STATE *s, qv_move move)
{
#if G_HAS_RANK
	return G(rank)(s, move);
#else
	(void)s, (void)move;
	return 0;
#endif
}

/* The ranks of all moves. A game whose moves share work has G(ranks); it gives the same ranks. */
static inline void G(rank_all)(const G_STATE *s, const qv_move *moves, int n, int32_t *ranks)
{
#if G_HAS_RANKS
	G(ranks)(s, moves, n, ranks);
#else
	for (int i = 0; i < n; i++)
		ranks[i] = G(rank_of)(s, moves[i]);
#endif
}

/* Lists the moves, with their ranks if `sort` is set, else with ranks of 0; returns how many. */
static inline int G(list_ranked)(const G_STATE *s, bool sort, qv_move *moves, int32_t *ranks)
{
	const int n = G(moves)(s, moves);
	if (sort)
		G(rank_all)(s, moves, n, ranks);
	else
		memset(ranks, 0, (size_t)n * sizeof *ranks);
	return n;
}

#if !G_HAS_EVALUATE
static inline int32_t G(evaluate)(const G_STATE *s, const void *weights)
{
	(void)s, (void)weights;
	return 0;
}
#endif

/* How many moves a listed one stands for, and the one with number k. */
static inline int G(numbers)(const G_STATE *s, qv_move move)
{
#if G_HAS_COUNTED
	return G(max_count)(s, move);
#else
	(void)s, (void)move;
	return 1;
#endif
}

static inline qv_move G(numbered)(const G_STATE *s, qv_move move, int k, int most)
{
#if G_HAS_COUNTED
	return k < most ? G(with_count)(s, move, k) : move;
#else
	(void)s, (void)k, (void)most;
	return move;
#endif
}

/* The value of an ended game for the seat to move, as `leaf` gives it. */
static inline int32_t G(leaf_points)(const G_STATE *s, const int32_t *points)
{
	const int seat = G(seat)(s);
	const int32_t ahead = points[seat] - points[1 - seat];
	return ahead > 0 ? QV_LEAF_WON : ahead < 0 ? QV_LEAF_LOST : QV_LEAF_DRAWN;
}

#if !G_HAS_LEAF
static inline int32_t G(leaf)(const G_STATE *s, const void *weights)
{
	int32_t points[QV_MAX_SEATS];
	if (G(result)(s, points) != QV_GOING)
		return G(leaf_points)(s, points);
	return G(evaluate)(s, weights);
}
#endif
#endif
