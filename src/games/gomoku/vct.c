/*
 * vct.c - go-moku: wins by a sequence of threats.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/vct.h"

#include "games/gomoku/threats.h"

enum { VCF_NODES = 60 }; /* for a win by fours at each position */

/* The first window of a line in which the colour has an open three; 0: none. */
static uint32_t open_three(const struct gomoku *s, int colour, int line)
{
	struct gomoku_windows w;
	if (!bits_rest(bits_rest(s->stones[colour][line])))
		return 0;
	gomoku_windows(s->stones[colour][line], gomoku_free(s, colour, line),
		       gomoku_is_strict(s, colour), &w);
	return w.six[3] & (0 - w.six[3]);
}

int gomoku_defences(const struct gomoku *s, int *points)
{
	const int other = 1 - s->turn;
	uint32_t window = 0;
	int line = 0;
	if (!s->patterns[other][GOMOKU_SIX_3])
		return 0;
	while (line < GOMOKU_LINES && !(window = open_three(s, other, line)))
		line++;
	int n = gomoku_four_points(s, s->turn, points);
	const int fours = n;
	for (uint64_t left = window * 63 & ~s->stones[other][line]; left; left = bits_rest(left)) {
		const int point = gomoku_point_at(line, bits_lowest(left));
		bool known = false;
		for (int i = 0; i < fours; i++)
			known |= points[i] == point;
		if (!known)
			points[n++] = point;
	}
	return n;
}

static bool attack(struct gomoku_vct *v, const struct gomoku *s, int moves, qv_move *move);

/* Whether the attacker, who has just moved, wins in that many more moves against every reply. */
static bool beats_replies(struct gomoku_vct *v, const struct gomoku *s, int moves)
{
	int points[GOMOKU_POINTS], fives[2];
	qv_move unused;
	if (s->count == s->size * s->size)
		return false;
	/* The defender has no four: attack() has blocked it. */
	int n = gomoku_five_points(s, 1 - s->turn, fives, 2);
	if (n > 1)
		return moves > 0;
	if (n == 1)
		points[0] = fives[0];
	else
		n = gomoku_defences(s, points);
	if (!n || moves < 1)
		return false;
	for (int i = 0; i < n; i++) {
		struct gomoku after = *s;
		gomoku_play(&after, (qv_move)points[i]);
		v->nodes++;
		if (!attack(v, &after, moves, &unused))
			return false;
	}
	return true;
}

/* Tries a move of the attacker. */
static bool wins_with(struct gomoku_vct *v, const struct gomoku *s, int point, int moves)
{
	struct gomoku after = *s;
	gomoku_play(&after, (qv_move)point);
	v->nodes++;
	return beats_replies(v, &after, moves - 1);
}

static bool by_fours(struct gomoku_vct *v, const struct gomoku *s, int moves, qv_move *move)
{
	struct gomoku_vcf fours = { .table = v->table, .max_nodes = VCF_NODES };
	if (!s->patterns[s->turn][GOMOKU_FIVE_3])
		return false;
	const bool wins = gomoku_vcf(&fours, s, moves);
	v->nodes += fours.nodes;
	*move = wins ? fours.line[0] : QV_NO_MOVE;
	return wins;
}

/* Tries the moves that make a four or an open three. */
static bool by_threats(struct gomoku_vct *v, const struct gomoku *s, int moves, qv_move *move)
{
	struct gomoku_threats threats;
	gomoku_find_threats(s, &threats);
	/* Threes first: the wins by fours alone have been tried. */
	for (int pass = 0; pass < 2; pass++)
		for (int row = 0; row < s->size; row++)
			for (uint64_t left = gomoku_empty_row(s, row); left;
			     left = bits_rest(left)) {
				const int point =
					gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
				const bool four = gomoku_threat_count(&threats, s->turn, point,
								      GOMOKU_MAKES_FOUR);
				if (pass ? !four
					 : four || !gomoku_threat_count(&threats, s->turn, point,
									GOMOKU_MAKES_THREE))
					continue;
				if (v->stopped)
					return false;
				*move = (qv_move)point;
				if (wins_with(v, s, point, moves))
					return true;
			}
	return false;
}

/* Whether the side to move wins by threats in that many moves. */
static bool attack(struct gomoku_vct *v, const struct gomoku *s, int moves, qv_move *move)
{
	struct table_entry entry;
	int fives[2];
	if (s->winner || s->count == s->size * s->size || moves < 1)
		return false;
	if (gomoku_five_points(s, s->turn, fives, 1))
		return *move = (qv_move)fives[0], true;
	const uint64_t key = s->hash ^ gomoku_key(GOMOKU_KEY_VCT);
	if (v->table && table_get(v->table, key, &entry) && entry.depth >= moves)
		return false;
	if (v->nodes >= v->max_nodes)
		v->stopped = true;
	if (v->stopped)
		return false;
	bool wins;
	const int threats = gomoku_five_points(s, 1 - s->turn, fives, 2);
	if (threats) {
		*move = (qv_move)fives[0];
		wins = threats == 1 && wins_with(v, s, fives[0], moves);
	} else {
		/* Against an open three, only fours are fast enough. */
		wins = by_fours(v, s, moves, move) ||
		       (!s->patterns[1 - s->turn][GOMOKU_SIX_3] && by_threats(v, s, moves, move));
	}
	if (!wins && v->table && !v->stopped) {
		entry = (struct table_entry){ .depth = moves,
					      .place = TABLE_NO_MOVE,
					      .bound = BOUND_UPPER };
		table_put(v->table, key, &entry);
	}
	return wins;
}

bool gomoku_vct(struct gomoku_vct *v, const struct gomoku *s, int most)
{
	v->nodes = 0;
	v->stopped = false;
	for (v->moves = 1; v->moves <= most && !v->stopped; v->moves++)
		if (attack(v, s, v->moves, &v->move))
			return true;
	v->moves = 0;
	return false;
}
