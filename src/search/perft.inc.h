/*
 * perft.inc.h - template: leaves at exactly depth plies.
 * SPDX-License-Identifier: MIT
 *
 * A pass is a ply. A game that ended earlier adds nothing; draws by a counter are ignored. Moves of
 * the last ply are counted, not played (bulk counting).
 */
#include "search/perft.h"
#include "search/stamp.inc.h"

/* The number of moves; a counted move is one for each number. */
static inline uint64_t G(perft_width)(const G_STATE *s, struct slot *slot)
{
	(void)slot;
	if (!G_HAS_COUNTED)
		return (uint64_t)G(count)(s);
	G_LIST(moves, slot, 0);
	int32_t points[QV_MAX_SEATS];
	uint64_t width = 0;
	for (int n = G(result)(s, points) == QV_ENDED ? 0 : G(moves)(s, moves); n > 0; n--)
		width += (uint64_t)G(numbers)(s, moves[n - 1]);
	return width;
}

static uint64_t G(perft_node)(struct perft_run *run, const G_STATE *s, int depth, int ply);

static inline uint64_t G(perft_child)(struct perft_run *run, const G_STATE *s, qv_move move,
				      int depth, int ply)
{
	G_CHILD(child, run->slots, ply);
	G(copy_play)(child, s, move);
	return depth == 1 ? G(perft_width)(child, &run->slots[ply + 1]) :
			    G(perft_node)(run, child, depth, ply + 1);
}

/* depth >= 2 */
static uint64_t G(perft_node)(struct perft_run *run, const G_STATE *s, int depth, int ply)
{
	int32_t points[QV_MAX_SEATS];
	uint64_t leaves = 0;
	if (G(result)(s, points) == QV_ENDED)
		return 0;
	if (depth > 3 && perft_stopped(run))
		return 0;
	if (run->table && perft_table_get(run->table, G(hash)(s), depth, &leaves))
		return leaves;
	G_LIST(moves, run->slots, ply);
	const int n = G(moves)(s, moves);
	for (int i = 0; i < n; i++) {
		const int most = G(numbers)(s, moves[i]);
		for (int k = most; k > 0; k--)
			leaves += G(perft_child)(run, s, G(numbered)(s, moves[i], k, most),
						 depth - 1, ply);
	}
	if (run->table)
		perft_table_put(run->table, G(hash)(s), depth, leaves);
	return leaves;
}

static uint64_t G(perft)(struct perft_run *run, const void *state, int depth)
{
	G_ROOT(root, run->game, state);
	if (depth < 1)
		return 1;
	return depth == 1 ? G(perft_width)(root, run->slots) : G(perft_node)(run, root, depth, 0);
}
