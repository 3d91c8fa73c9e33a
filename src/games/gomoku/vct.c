/*
 * vct.c - go-moku: wins by a sequence of threats.
 * SPDX-License-Identifier: MIT
 */
#include "games/gomoku/vct.h"

enum {
	VCF_NODES = 60,	 /* for a win by fours at each position */
	MOST_BLOCKS = 3, /* empty points of a window with an open three */
};

/* ---- Defences ---- */

static int direction_of(int line)
{
	return line < GOMOKU_COLUMNS   ? 0
	       : line < GOMOKU_RISING  ? 1
	       : line < GOMOKU_FALLING ? 2
				       : 3;
}

/*
 * Whether the side that has an open three in the window can make the straight four, whatever the
 * defender plays elsewhere. For Black in renju, too few black stones must be near the point for a
 * double three or four there.
 */
static bool is_certain(const struct threat_board *b, int colour, int line, uint32_t window)
{
	const uint32_t inner = (window & (window - 1)) & ~(UINT32_C(1) << bits_highest(window));
	if (b->s.rule != GOMOKU_RENJU || colour != GOMOKU_BLACK)
		return true;
	return !gomoku_may_be_forbidden(b->s.stones[GOMOKU_BLACK],
					gomoku_point_at(line, bits_lowest(inner)));
}

/* The points that lie in the window, too. */
static int keep_common(int line, uint32_t window, uint16_t *points, int n)
{
	int kept = 0;
	for (int i = 0; i < n; i++) {
		const struct gomoku_place at = gomoku_place(points[i], direction_of(line));
		if (at.line == line && window >> at.bit & 1)
			points[kept++] = points[i];
	}
	return kept;
}

/* The points that stop all straight fours of a colour, at most MOST_BLOCKS; -1: no open three. */
static int list_blocks(const struct threat_board *b, int colour, uint16_t *points)
{
	int n = -1;
	for (int word = 0; word < THREAT_WORDS; word++)
		for (uint64_t lines = b->with[colour][THREAT_STRAIGHT][word]; lines;
		     lines = bits_rest(lines)) {
			const int line = word * 64 + bits_lowest(lines);
			const uint32_t mine = b->s.stones[colour][line];
			struct gomoku_windows w;
			gomoku_windows(mine, b->mask[line] & ~b->s.stones[1 - colour][line],
				       gomoku_is_strict(&b->s, colour), &w);
			for (uint64_t left = w.six[3]; left; left = bits_rest(left)) {
				const uint32_t window = UINT32_C(63) << bits_lowest(left) & ~mine;
				if (!is_certain(b, colour, line, window))
					continue;
				if (n >= 0) {
					n = keep_common(line, window, points, n);
					continue;
				}
				n = 0;
				for (uint64_t bits = window; bits; bits = bits_rest(bits))
					points[n++] = (uint16_t)gomoku_point_at(line,
										bits_lowest(bits));
			}
		}
	return n;
}

int gomoku_defences(const struct threat_board *b, uint16_t *points)
{
	uint16_t blocks[MOST_BLOCKS];
	const int n = list_blocks(b, 1 - b->s.turn, blocks);
	if (n < 0)
		return -1;
	int count = 0;
	for (int i = 0; i < n; i++)
		if (gomoku_allows(&b->s, blocks[i]))
			points[count++] = blocks[i];
	const int first = count;
	const int fours = threat_board_points(b, b->s.turn, THREAT_FOUR, points + first,
					      GOMOKU_POINTS - first);
	for (int i = first; i < first + fours; i++) {
		bool known = false;
		for (int k = 0; k < first; k++)
			known |= points[k] == points[i];
		if (!known && gomoku_allows(&b->s, points[i]))
			points[count++] = points[i];
	}
	return count;
}

/* ---- The search ---- */

static bool attack(struct gomoku_vct *v, struct threat_board *b, int moves, qv_move *move);

/* Whether the attacker, who has just moved, wins in that many more moves against every reply. */
static bool beats_replies(struct gomoku_vct *v, struct threat_board *b, int moves)
{
	uint16_t points[GOMOKU_POINTS];
	qv_move unused;
	if (b->s.count == b->s.size * b->s.size)
		return false;
	/* The defender has no four: attack() has blocked it. */
	int n = threat_board_points(b, 1 - b->s.turn, THREAT_FIVE, points, 2);
	if (n > 1 || (n == 1 && !gomoku_allows(&b->s, points[0]))) {
		v->cut |= moves < 1;
		return moves > 0 && gomoku_any_move(&b->s, -1) != QV_NO_MOVE;
	}
	if (!n)
		n = gomoku_defences(b, points);
	if (n < 0)
		return false;
	/* If nothing helps, any reply loses to a straight four and a five. */
	if (moves < 1 || (!n && moves < 2) || (!n && gomoku_any_move(&b->s, -1) == QV_NO_MOVE)) {
		v->cut = true;
		return false;
	}
	for (int i = 0; i < n; i++) {
		struct threat_undo undo;
		threat_board_play(b, points[i], &undo, false);
		v->nodes++;
		const bool wins = attack(v, b, moves, &unused);
		threat_board_undo(b, points[i], &undo, false);
		if (!wins)
			return false;
	}
	return true;
}

/* Tries a move of the attacker. */
static bool wins_with(struct gomoku_vct *v, struct threat_board *b, int point, int moves)
{
	struct threat_undo undo;
	if (!gomoku_allows(&b->s, point))
		return false;
	threat_board_play(b, point, &undo, false);
	v->nodes++;
	const bool wins = beats_replies(v, b, moves - 1);
	threat_board_undo(b, point, &undo, false);
	return wins;
}

static bool by_fours(struct gomoku_vct *v, struct threat_board *b, int moves, qv_move *move)
{
	struct gomoku_vcf fours = { .table = v->table, .max_nodes = VCF_NODES, .quick = true };
	if (!threat_board_has(b, b->s.turn, THREAT_FOUR))
		return false;
	const bool wins = gomoku_vcf_on(&fours, b, moves < GOMOKU_VCF_MOVES ? moves
									    : GOMOKU_VCF_MOVES);
	v->nodes += fours.nodes;
	v->cut |= !wins && (fours.cut || fours.stopped);
	*move = wins ? fours.line[0] : QV_NO_MOVE;
	return wins;
}

/* Whether the point is among them. */
static bool contains(const uint16_t *points, int n, int point)
{
	for (int i = 0; i < n; i++)
		if (points[i] == point)
			return true;
	return false;
}

/* How promising a threat is: the more threats at once, the better; fours alone come last. */
static int promise(const struct threat_board *b, int point)
{
	const int turn = b->s.turn;
	const int threes = threat_board_count(b, turn, THREAT_THREE, point);
	const int fours = threat_board_count(b, turn, THREAT_FOUR, point);
	return fours && threes ? 4 : threes > 1 ? 3 : threes ? 2 : 1;
}

/* Tries the moves that make a four or an open three. */
static bool by_threats(struct gomoku_vct *v, struct threat_board *b, int moves, qv_move *move)
{
	uint16_t points[2 * GOMOKU_POINTS], blocks[MOST_BLOCKS];
	uint8_t promises[2 * GOMOKU_POINTS];
	const int turn = b->s.turn;
	const int threes = threat_board_points(b, turn, THREAT_THREE, points, GOMOKU_POINTS);
	const int all = threes + threat_board_points(b, turn, THREAT_FOUR, points + threes,
						     GOMOKU_POINTS);
	/* Against an open three, only fours are fast enough, and threes that stop it. */
	const int stops = list_blocks(b, 1 - turn, blocks);
	for (int i = 0; i < all; i++) {
		const bool twice = i >= threes && contains(points, threes, points[i]);
		const int value = twice ? 0 : promise(b, points[i]);
		promises[i] = (uint8_t)(i < threes && stops >= 0 && value < 4 &&
							!contains(blocks, stops, points[i])
						? 0
						: value);
	}
	for (int value = 4; value > 0; value--)
		for (int i = 0; i < all; i++) {
			if (promises[i] != value)
				continue;
			if (v->stopped)
				return false;
			*move = points[i];
			if (wins_with(v, b, points[i], moves))
				return true;
		}
	return false;
}

/* Whether the side to move wins by threats in that many moves. */
static bool attack(struct gomoku_vct *v, struct threat_board *b, int moves, qv_move *move)
{
	struct table_entry entry;
	uint16_t fives[2];
	if (b->s.count == b->s.size * b->s.size)
		return false;
	if (moves < 1) {
		v->cut = true;
		return false;
	}
	if (threat_board_points(b, b->s.turn, THREAT_FIVE, fives, 1))
		return *move = fives[0], true;
	const uint64_t key = b->s.hash ^ gomoku_key(GOMOKU_KEY_VCT);
	if (v->table && table_get(v->table, key, &entry) && entry.value >= moves) {
		v->cut |= entry.value < GOMOKU_VCF_MOVES;
		return false;
	}
	if (v->nodes >= v->max_nodes || (v->poll && v->poll(v->ctx, v->nodes)))
		v->stopped = true;
	if (v->stopped)
		return false;
	const bool cut_before = v->cut;
	const int threats = threat_board_points(b, 1 - b->s.turn, THREAT_FIVE, fives, 2);
	bool wins = false;
	v->cut = false;
	if (threats) {
		*move = fives[0];
		wins = threats == 1 && wins_with(v, b, fives[0], moves);
	} else {
		wins = by_fours(v, b, moves, move) || by_threats(v, b, moves, move);
	}
	if (!wins && v->table && !v->stopped) {
		entry = (struct table_entry){ .value = v->cut ? moves : GOMOKU_VCF_MOVES,
					      .place = TABLE_NO_MOVE,
					      .bound = BOUND_UPPER };
		table_put(v->table, key, &entry);
	}
	v->cut |= cut_before;
	return wins;
}

bool gomoku_vct_on(struct gomoku_vct *v, struct threat_board *b, int most)
{
	v->nodes = 0;
	v->stopped = false;
	v->cut = true;
	for (v->moves = 1; v->moves <= most && v->cut && !v->stopped; v->moves++) {
		v->cut = false;
		if (attack(v, b, v->moves, &v->move))
			return true;
	}
	v->moves = 0;
	return false;
}

bool gomoku_vct(struct gomoku_vct *v, const struct gomoku *s, int most)
{
	struct threat_board board;
	threat_board_set(&board, s);
	return gomoku_vct_on(v, &board, most);
}
