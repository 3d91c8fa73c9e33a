/*
 * vcf.c - go-moku: wins by a sequence of fours.
 * SPDX-License-Identifier: MIT
 *
 * The counts of patterns in the state tell at once whether a side has a four. Only then, or to list
 * the points that make one, the lines are scanned.
 */
#include "games/gomoku/vcf.h"

int gomoku_five_points(const struct gomoku *s, int colour, int *points, int max)
{
	int n = 0;
	if (!s->patterns[colour][GOMOKU_FIVE_4])
		return 0;
	for (int line = 0; line < GOMOKU_LINES && n < max; line++) {
		const uint32_t mine = s->stones[colour][line];
		if (!mine)
			continue;
		const uint32_t free = gomoku_free(s, colour, line);
		const uint32_t four = gomoku_fours(mine, free, gomoku_is_strict(s, colour)).four;
		for (uint64_t left = gomoku_spread_five(four) & free & ~mine; left && n < max;
		     left = bits_rest(left)) {
			const int point = gomoku_point_at(line, bits_lowest(left));
			bool known = false;
			for (int i = 0; i < n; i++)
				known |= points[i] == point;
			if (!known)
				points[n++] = point;
		}
	}
	return n;
}

int gomoku_four_points(const struct gomoku *s, int colour, int *points)
{
	uint32_t seen[GOMOKU_SIDE] = { 0 };
	int n = 0;
	for (int line = 0; line < GOMOKU_LINES; line++) {
		const uint32_t mine = s->stones[colour][line];
		if (!bits_rest(bits_rest(mine)))
			continue;
		const uint32_t free = gomoku_free(s, colour, line);
		const uint32_t three = gomoku_fours(mine, free, gomoku_is_strict(s, colour)).three;
		for (uint64_t left = gomoku_spread_five(three) & free & ~mine; left;
		     left = bits_rest(left)) {
			const int point = gomoku_point_at(line, bits_lowest(left));
			const uint32_t bit = UINT32_C(1) << point % GOMOKU_SIDE;
			if (!(seen[point / GOMOKU_SIDE] & bit))
				points[n++] = point;
			seen[point / GOMOKU_SIDE] |= bit;
		}
	}
	return n;
}

qv_move gomoku_any_move(const struct gomoku *s, int except)
{
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int point = gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
			if (point != except && gomoku_allows(s, point))
				return (qv_move)point;
		}
	return QV_NO_MOVE;
}

/* ---- The search ---- */

/* Whether the table has it that the attacker does not win in that many moves. */
static bool has_failed(struct gomoku_vcf *v, const struct gomoku *s, int moves)
{
	struct table_entry entry;
	if (!v->table || !table_get(v->table, s->hash ^ gomoku_key(GOMOKU_KEY_VCF), &entry) ||
	    entry.depth < moves)
		return false;
	v->cut |= entry.depth < GOMOKU_VCF_MOVES;
	return true;
}

/* If no line was cut off at the depth, the attacker does not win in any number of moves. */
static void remember_failure(struct gomoku_vcf *v, const struct gomoku *s, int moves)
{
	const struct table_entry entry = { .depth = v->cut ? moves : GOMOKU_VCF_MOVES,
					   .place = TABLE_NO_MOVE,
					   .bound = BOUND_UPPER };
	if (v->table && !v->stopped)
		table_put(v->table, s->hash ^ gomoku_key(GOMOKU_KEY_VCF), &entry);
}

static bool attack(struct gomoku_vcf *v, const struct gomoku *s, int moves, int ply);

/* Writes the end of the line: a reply and the five. */
static bool finish(struct gomoku_vcf *v, int ply, qv_move reply, int five)
{
	v->line[ply] = reply;
	v->line[ply + 1] = (qv_move)five;
	v->length = ply + 2;
	return true;
}

/*
 * Whether the four at `point` wins, with `moves` more moves of the attacker. The defender has no
 * five, so it can only block.
 */
static bool four_wins(struct gomoku_vcf *v, const struct gomoku *s, int point, int moves, int ply)
{
	struct gomoku after = *s;
	int fives[2];
	gomoku_play(&after, (qv_move)point);
	v->nodes++;
	v->line[ply] = (qv_move)point;
	const int n = gomoku_five_points(&after, s->turn, fives, 2);
	if (n > 1 && gomoku_allows(&after, fives[0]))
		return finish(v, ply + 1, (qv_move)fives[0], fives[1]);
	if (n > 1 && gomoku_allows(&after, fives[1]))
		return finish(v, ply + 1, (qv_move)fives[1], fives[0]);
	if (n > 1 || !gomoku_allows(&after, fives[0])) {
		/* Black may not block: any move will do, if there is one. */
		const qv_move other = gomoku_any_move(&after, fives[0]);
		return other != QV_NO_MOVE && finish(v, ply + 1, other, fives[0]);
	}
	gomoku_play(&after, (qv_move)fives[0]);
	v->nodes++;
	v->line[ply + 1] = (qv_move)fives[0];
	return attack(v, &after, moves, ply + 2);
}

/* Whether the side to move wins by fours in that many moves of its own. */
static bool attack(struct gomoku_vcf *v, const struct gomoku *s, int moves, int ply)
{
	int points[GOMOKU_POINTS], blocks[2], n;
	if (gomoku_five_points(s, s->turn, points, 1)) {
		v->line[ply] = (qv_move)points[0];
		v->length = ply + 1;
		return true;
	}
	if (moves < 2)
		v->cut |= s->patterns[s->turn][GOMOKU_FIVE_3] > 0;
	if (moves < 2 || has_failed(v, s, moves))
		return false;
	if (v->max_nodes && v->nodes >= v->max_nodes) {
		v->stopped = true;
		return false;
	}
	const bool cut_before = v->cut;
	const int threats = gomoku_five_points(s, 1 - s->turn, blocks, 2);
	v->cut = false;
	n = s->patterns[s->turn][GOMOKU_FIVE_3] && threats < 2
		    ? gomoku_four_points(s, s->turn, points)
		    : 0;
	for (int i = 0; i < n && !v->stopped; i++)
		if ((!threats || points[i] == blocks[0]) && gomoku_allows(s, points[i]) &&
		    four_wins(v, s, points[i], moves - 1, ply))
			return true;
	remember_failure(v, s, moves);
	v->cut |= cut_before;
	return false;
}

bool gomoku_vcf(struct gomoku_vcf *v, const struct gomoku *s, int most)
{
	v->nodes = 0;
	v->stopped = false;
	v->length = 0;
	v->cut = true;
	for (int moves = 1; moves <= most && v->cut && !v->stopped; moves++) {
		v->cut = false;
		if (attack(v, s, moves, 0))
			return true;
	}
	v->length = 0;
	return false;
}
