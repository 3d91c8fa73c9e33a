/*
 * vcf.c - go-moku: wins by a sequence of fours.
 * SPDX-License-Identifier: MIT
 *
 * The board lists the points that make five or a four without a scan of the lines (threat_board.h).
 */
#include "games/gomoku/vcf.h"

#include <stdlib.h>

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

static uint64_t key_of(const struct gomoku_vcf *v, const struct gomoku *s)
{
	return s->hash ^ gomoku_key(v->quick ? GOMOKU_KEY_QUICK_VCF : GOMOKU_KEY_VCF);
}

/* Whether the table has it that the attacker does not win in that many moves. */
static bool has_failed(struct gomoku_vcf *v, const struct gomoku *s, int moves)
{
	struct table_entry entry;
	if (!v->table || !table_get(v->table, key_of(v, s), &entry) ||
	    entry.value < moves)
		return false;
	v->cut |= entry.value < GOMOKU_VCF_MOVES;
	return true;
}

/*
 * If no line was cut off at the depth, the attacker does not win in any number of moves. The number
 * is the value of the entry: a depth would make the entry worth more than those of other searches.
 */
static void remember_failure(struct gomoku_vcf *v, const struct gomoku *s, int moves)
{
	const struct table_entry entry = { .value = v->cut ? moves : GOMOKU_VCF_MOVES,
					   .place = TABLE_NO_MOVE,
					   .bound = BOUND_UPPER };
	if (v->table && !v->stopped)
		table_put(v->table, key_of(v, s), &entry);
}

static bool attack(struct gomoku_vcf *v, struct threat_board *b, int moves, int ply);

/* Writes the end of the line: a reply and the five. */
static bool finish(struct gomoku_vcf *v, int ply, qv_move reply, int five)
{
	v->line[ply] = reply;
	v->line[ply + 1] = (qv_move)five;
	v->length = ply + 2;
	return true;
}

/*
 * Whether the attacker, who has just made a four, wins with `moves` more moves. The defender has no
 * five, so it can only block.
 */
static bool beats_block(struct gomoku_vcf *v, struct threat_board *b, int moves, int ply)
{
	struct threat_undo undo;
	uint16_t fives[2];
	const int n = threat_board_points(b, 1 - b->s.turn, THREAT_FIVE, fives, 2);
	if (n > 1 && gomoku_allows(&b->s, fives[0]))
		return finish(v, ply, fives[0], fives[1]);
	if (n > 1 && gomoku_allows(&b->s, fives[1]))
		return finish(v, ply, fives[1], fives[0]);
	if (n > 1 || !gomoku_allows(&b->s, fives[0])) {
		/* Black may not block: any move will do, if there is one. */
		const qv_move other = gomoku_any_move(&b->s, fives[0]);
		return other != QV_NO_MOVE && finish(v, ply, other, fives[0]);
	}
	threat_board_play(b, fives[0], &undo, false);
	v->nodes++;
	v->line[ply] = fives[0];
	const bool wins = attack(v, b, moves, ply + 1);
	threat_board_undo(b, fives[0], &undo, false);
	return wins;
}

/* Whether the four at `point` wins, with `moves` more moves of the attacker. */
static bool four_wins(struct gomoku_vcf *v, struct threat_board *b, int point, int moves, int ply)
{
	struct threat_undo undo;
	threat_board_play(b, point, &undo, false);
	v->nodes++;
	v->line[ply] = (qv_move)point;
	const bool wins = beats_block(v, b, moves, ply + 1);
	threat_board_undo(b, point, &undo, false);
	return wins;
}

/* Whether two points lie on one line, at most four steps apart. */
static bool in_line(int a, int b)
{
	const int rows = abs(a / GOMOKU_SIDE - b / GOMOKU_SIDE);
	const int columns = abs(a % GOMOKU_SIDE - b % GOMOKU_SIDE);
	return (!rows || !columns || rows == columns) && rows <= 4 && columns <= 4;
}

/* Whether a four is to be tried: where the search is quick, not all of them. */
static bool is_tried(const struct gomoku_vcf *v, int point, int ply)
{
	return !v->quick || ply < 4 || in_line(point, (int)v->line[ply - 2]);
}

/* Whether the side to move wins by fours in that many moves of its own. */
static bool attack(struct gomoku_vcf *v, struct threat_board *b, int moves, int ply)
{
	const struct gomoku *s = &b->s;
	uint16_t points[GOMOKU_POINTS], blocks[2];
	int n = 0;
	if (threat_board_points(b, s->turn, THREAT_FIVE, points, 1)) {
		v->line[ply] = points[0];
		v->length = ply + 1;
		return true;
	}
	if (moves < 2)
		v->cut |= threat_board_has(b, s->turn, THREAT_FOUR);
	if (moves < 2 || has_failed(v, s, moves))
		return false;
	if (v->max_nodes && v->nodes >= v->max_nodes) {
		v->stopped = true;
		return false;
	}
	const bool cut_before = v->cut;
	const int threats = threat_board_points(b, 1 - s->turn, THREAT_FIVE, blocks, 2);
	v->cut = false;
	if (threats < 2)
		n = threat_board_points(b, s->turn, THREAT_FOUR, points, GOMOKU_POINTS);
	for (int i = 0; i < n && !v->stopped; i++)
		if ((!threats || points[i] == blocks[0]) && is_tried(v, points[i], ply) &&
		    gomoku_allows(s, points[i]) &&
		    four_wins(v, b, points[i], moves - 1, ply))
			return true;
	remember_failure(v, s, moves);
	v->cut |= cut_before;
	return false;
}

bool gomoku_vcf_on(struct gomoku_vcf *v, struct threat_board *b, int most)
{
	v->nodes = 0;
	v->stopped = false;
	v->length = 0;
	v->cut = true;
	for (int moves = 1; moves <= most && v->cut && !v->stopped; moves++) {
		v->cut = false;
		if (v->quick && moves > 3)
			moves = most;
		if (attack(v, b, moves, 0))
			return true;
	}
	v->length = 0;
	return false;
}

bool gomoku_vcf(struct gomoku_vcf *v, const struct gomoku *s, int most)
{
	struct threat_board board;
	threat_board_set(&board, s);
	return gomoku_vcf_on(v, &board, most);
}
