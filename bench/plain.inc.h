/*
 * plain.inc.h - hand-written alpha-beta and perft for one game: no switches, no limits, no
 * principal variation.
 * SPDX-License-Identifier: MIT
 *
 * The base line for the stamped searches. Include with G(f), G_STATE and G_MAX_MOVES defined.
 */

static int32_t G(plain)(const G_STATE *s, int depth, int ply, int32_t alpha, int32_t beta,
			const void *weights, uint64_t *nodes)
{
	qv_move moves[G_MAX_MOVES];
	int32_t points[QV_MAX_SEATS], best = -QV_WIN - 2;
	if (G(result)(s, points) != QV_GOING) {
		const int seat = G(seat)(s);
		const int32_t ahead = points[seat] - points[1 - seat];
		return ahead > 0 ? QV_WIN - ply : ahead < 0 ? ply - QV_WIN : 0;
	}
	const int n = G(moves)(s, moves);
	for (int i = 0; i < n; i++) {
		G_STATE child = *s;
		G(play)(&child, moves[i]);
		++*nodes;
		int32_t v;
		if (depth > 1) {
			v = -G(plain)(&child, depth - 1, ply + 1, -beta, -alpha, weights, nodes);
		} else {
			v = G(leaf)(&child, weights);
			if (v > QV_MAX_EVAL || v < -QV_MAX_EVAL)
				v = v == QV_LEAF_DRAWN ? 0
				    : v > 0	       ? QV_WIN - ply - 1
						       : ply + 1 - QV_WIN;
			v = -v;
		}
		if (v > best) {
			best = v;
			if (best > alpha)
				alpha = best;
			if (alpha >= beta)
				break;
		}
	}
	return best;
}

static uint64_t G(plain_perft)(const G_STATE *s, int depth)
{
	qv_move moves[G_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	uint64_t leaves = 0;
	if (depth == 1)
		return (uint64_t)G(count)(s);
	if (G(result)(s, points) != QV_GOING)
		return 0;
	const int n = G(moves)(s, moves);
	for (int i = 0; i < n; i++) {
		G_STATE child = *s;
		G(play)(&child, moves[i]);
		leaves += G(plain_perft)(&child, depth - 1);
	}
	return leaves;
}
