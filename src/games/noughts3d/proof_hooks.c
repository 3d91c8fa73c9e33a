/*
 * proof_hooks.c - game knowledge for the proof search of 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * The key of a position must be the same for all 192 symmetries, but trying all of them at each
 * node would be slow. So n3_tools_init lists, for each pattern of marks on the sixteen squares with
 * seven lines, the symmetries that make it smallest. A key then needs only these few.
 *
 * A threat is a third mark in a line whose fourth square is empty, so the reply is forced. The
 * search for wins by threats alone is depth-first, and a table remembers positions from which it
 * failed. It is complete: if there is such a win, it finds one. Its cost is small, because the
 * defender never has a choice.
 */
#include "games/noughts3d/proof_hooks.h"

#include "games/noughts3d/evaluate.h"

/* ---- The key ---- */

/*
 * The marks on the sixteen squares with seven lines, as bits of a number: the corners of the outer
 * levels, and the middles of the inner ones.
 */
static unsigned rich_squares(uint64_t stones)
{
	const unsigned a = stones & 0xffff, b = stones >> 16 & 0xffff;
	const unsigned c = stones >> 32 & 0xffff, d = (unsigned)(stones >> 48);
	const unsigned bottom = (a & 1) | (a >> 2 & 2) | (a >> 10 & 4) | (a >> 12 & 8);
	const unsigned top = (d & 1) | (d >> 2 & 2) | (d >> 10 & 4) | (d >> 12 & 8);
	return bottom | ((b >> 5 & 3) | (b >> 7 & 12)) << 4 | ((c >> 5 & 3) | (c >> 7 & 12)) << 8 |
	       top << 12;
}

/* For each symmetry: the symmetry that undoes it, and where it takes each rich square. */
struct symmetry_table {
	uint8_t inverse[N3_SYMMETRIES];
	uint16_t to[N3_SYMMETRIES][N3_RICH_SQUARES];
};

static void make_symmetries(struct symmetry_table *t)
{
	const uint64_t marks = 0x81; /* no symmetry but the first leaves these marks in place */
	for (int k = 0; k < N3_SYMMETRIES; k++) {
		const uint64_t image = n3_transform(marks, k);
		while (n3_transform(image, t->inverse[k]) != marks)
			t->inverse[k]++;
		for (int square = 0; square < N3_SQUARES; square++) {
			const uint64_t mark = UINT64_C(1) << square;
			const unsigned from = rich_squares(mark);
			if (from)
				t->to[k][bits_lowest(from)] =
					(uint16_t)rich_squares(n3_transform(mark, k));
		}
	}
}

static unsigned pattern_image(const struct symmetry_table *t, int k, unsigned pattern)
{
	unsigned image = 0;
	for (uint64_t left = pattern; left; left = bits_rest(left))
		image |= t->to[k][bits_lowest(left)];
	return image;
}

/*
 * For each pattern, lists the symmetries that lead to its smallest symmetric pattern. Patterns come
 * in ascending order, so the first that has no list yet is the smallest of its kind. It and all its
 * images have equally many symmetries: as many as leave it unchanged.
 */
static void list_ways(struct n3_tools *t, const struct symmetry_table *table)
{
	int used = 0;
	for (unsigned p = 0; p < N3_RICH_PATTERNS; p++) {
		uint16_t images[N3_SYMMETRIES];
		int fixed = 0;
		if (t->ways[p].count)
			continue;
		for (int k = 0; k < N3_SYMMETRIES; k++) {
			images[k] = (uint16_t)pattern_image(table, k, p);
			fixed += images[k] == p;
		}
		for (int k = 0; k < N3_SYMMETRIES; k++) {
			struct n3_ways *const ways = &t->ways[images[k]];
			if (!ways->count) {
				ways->first = used;
				used += fixed;
			}
			t->symmetries[ways->first + ways->count++] = table->inverse[k];
		}
	}
}

void n3_tools_init(struct n3_tools *t)
{
	struct symmetry_table table = { .inverse = { 0 } };
	for (int square = 0; square < N3_SQUARES; square++)
		t->fours.through[square] = n3_lines_through(square, t->fours.lines[square]);
	make_symmetries(&table);
	list_ways(t, &table);
}

/*
 * First the smallest pattern of the mover's marks on the rich squares, then the smallest position:
 * few symmetries are left to compare.
 */
int n3_least_image(const struct n3 *s, const struct n3_tools *t, struct n3 *least)
{
	const struct n3_ways ways = t->ways[rich_squares(s->mine)];
	int symmetry = 0;
	*least = (struct n3){ ~UINT64_C(0), ~UINT64_C(0) };
	for (int i = 0; i < ways.count; i++) {
		struct n3 image;
		n3_image(s, t->symmetries[ways.first + i], &image);
		if (image.mine < least->mine ||
		    (image.mine == least->mine && image.theirs < least->theirs)) {
			*least = image;
			symmetry = t->symmetries[ways.first + i];
		}
	}
	return symmetry;
}

uint64_t n3_prove_key(const struct n3 *s, const void *tools)
{
	struct n3 least;
	n3_least_image(s, tools, &least);
	return n3_hash(&least);
}

/* ---- Wins by threats alone ---- */

/* A win: the threats, each with the square that answers it. The last threat wins. */
struct n3_line {
	int count;
	uint64_t threat[N3_SQUARES / 2 + 2], answer[N3_SQUARES / 2 + 2];
};

/* The empty squares that complete a four of `stones`. */
static uint64_t completing(uint64_t stones, uint64_t others)
{
	uint64_t squares = 0;
#define X(step, starts, word, place)                                                           \
	{                                                                                      \
		const uint64_t a = stones & starts, b = (stones >> (step)) & starts;           \
		const uint64_t c = (stones >> 2 * (step)) & starts;                            \
		const uint64_t d = (stones >> 3 * (step)) & starts;                            \
		const uint64_t ab = a & b, cd = c & d;                                         \
		squares |= (b & cd) | (a & cd) << (step) | (ab & d) << 2 * (step) |            \
			   (ab & c) << 3 * (step);                                             \
	}
	N3_EACH_DIRECTION(X)
#undef X
	return squares & ~(stones | others);
}

/* As completing, for the lines through one square only, the last one taken. */
static uint64_t completing_at(const struct n3_fours *f, uint64_t square, uint64_t stones,
			      uint64_t others)
{
	const int at = bits_lowest(square);
	uint64_t squares = 0;
	for (int i = 0; i < f->through[at]; i++) {
		const uint64_t line = f->lines[at][i], free = line & ~stones;
		if (!bits_rest(free))
			squares |= free;
	}
	return squares & ~others;
}

/* ---- Threats ---- */

struct threats {
	int count;
	uint64_t square[2 * N3_LINES], answer[2 * N3_LINES];
};

/*
 * Lists the threats of `mine`. Each line with two marks of mine and none of theirs gives two, one
 * for each empty square.
 */
static void list_threats(struct threats *t, uint64_t mine, uint64_t theirs)
{
	t->count = 0;
#define X(step, starts, word, place)                                                              \
	{                                                                                         \
		const struct n3_sums my = n3_sum(mine, step), other = n3_sum(theirs, step);       \
		const uint64_t full = n3_fours(theirs, step, starts);                             \
		const uint64_t shape = UINT64_C(1) | UINT64_C(1) << (step) |                      \
				       UINT64_C(1) << 2 * (step) | UINT64_C(1) << 3 * (step);     \
		uint64_t lines = my.twos & ~my.ones & ~(other.ones | other.twos | full) & starts; \
		for (; lines; lines = bits_rest(lines)) {                                         \
			const uint64_t free = (shape << bits_lowest(lines)) & ~mine;              \
			const uint64_t one = free & (0 - free);                                   \
			t->square[t->count] = t->answer[t->count + 1] = one;                      \
			t->answer[t->count] = t->square[t->count + 1] = free ^ one;               \
			t->count += 2;                                                            \
		}                                                                                 \
	}
	N3_EACH_DIRECTION(X)
#undef X
}

/* ---- The search ---- */

/* A square that makes two threats wins, because the defender can answer only one. */
static bool double_threat(const struct threats *t, uint64_t allowed, struct n3_line *line,
			  int depth)
{
	uint64_t once = 0;
	for (int i = 0; i < t->count; i++) {
		const uint64_t square = t->square[i] & allowed;
		if (!(square & once)) {
			once |= square;
			continue;
		}
		int first = 0;
		while (t->square[first] != square)
			first++;
		line->threat[depth] = square;
		line->answer[depth] = t->answer[first];
		line->threat[depth + 1] = t->answer[i];
		line->answer[depth + 1] = 0;
		line->count = depth + 2;
		return true;
	}
	return false;
}

/*
 * The attacker is to move and has no four to complete. A threat of the defender (`danger`) must be
 * blocked by a threat.
 */
static bool search(struct n3_fours *f, const struct n3 *s, uint64_t danger, struct n3_line *line,
		   int depth)
{
	const uint64_t allowed = danger ? danger : ~UINT64_C(0);
	struct n3_fours_entry *const known = &f->failed[n3_hash(s) & (N3_FOURS_MEMORY - 1)];
	struct threats t;
	if (bits_rest(danger) || (known->mine == s->mine && known->theirs == s->theirs && s->mine))
		return false;
	list_threats(&t, s->mine, s->theirs);
	if (double_threat(&t, allowed, line, depth))
		return true;
	for (int i = 0; i < t.count; i++) {
		if (!(t.square[i] & allowed))
			continue;
		const struct n3 next = { s->mine | t.square[i], s->theirs | t.answer[i] };
		line->threat[depth] = t.square[i];
		line->answer[depth] = t.answer[i];
		if (search(f, &next, completing_at(f, t.answer[i], next.theirs, next.mine), line,
			   depth + 1))
			return true;
	}
	*known = (struct n3_fours_entry){ s->mine, s->theirs };
	return false;
}

/* Finds a win by threats for the side to move; false: there is no such win. */
static bool fours_win(struct n3_fours *f, const struct n3 *s, struct n3_line *line)
{
	const uint64_t wins = completing(s->mine, s->theirs);
	if (!wins)
		return search(f, s, completing(s->theirs, s->mine), line, 0);
	line->threat[0] = wins & (0 - wins);
	line->answer[0] = 0;
	line->count = 1;
	return true;
}

/* ---- Replaying ---- */

/*
 * The empty squares where a mark of the defender might spoil the win; a mark anywhere else does
 * not. They are the squares of the line itself, and those where the defender, with the replies of
 * the line, would have three in a line without a mark of the attacker.
 */
static uint64_t line_spoilers(const struct n3_line *line, const struct n3 *s)
{
	uint64_t squares = 0, defender = s->theirs;
	for (int i = 0; i < line->count; i++) {
		squares |= line->threat[i] | line->answer[i];
		defender |= line->answer[i];
	}
#define X(step, starts, word, place) \
	{ \
		const struct n3_sums his = n3_sum(defender, step), my = n3_sum(s->mine, step); \
		const uint64_t lines = his.twos & ~(my.ones | my.twos) & (starts); \
		squares |= lines | lines << (step) | lines << 2 * (step) | lines << 3 * (step); \
	}
	N3_EACH_DIRECTION(X)
#undef X
	return squares & ~(s->mine | s->theirs);
}

/*
 * Whether the win still works with such a mark. Plays the same threats one after the other. Each
 * must still be a threat, and must block what the defender threatens by then.
 */
static bool line_survives(const struct n3_fours *f, const struct n3_line *line, const struct n3 *s,
			  uint64_t stone)
{
	uint64_t attacker = s->mine, defender = s->theirs | stone;
	uint64_t danger = completing(defender, attacker);
	if (completing(attacker, defender))
		return true;
	for (int i = 0; i < line->count; i++) {
		const uint64_t threat = line->threat[i];
		if (danger & ~threat || (attacker | defender) & threat)
			return false;
		attacker |= threat;
		const uint64_t answers = completing_at(f, threat, attacker, defender);
		if (!answers || bits_rest(answers))
			return answers != 0;
		defender |= answers;
		danger = completing_at(f, answers, defender, attacker);
	}
	return false;
}

/* ---- The attacker ---- */

bool n3_wins_by_threats(const struct n3 *s, struct n3_tools *tools, qv_move *first)
{
	struct n3_line line;
	if (!fours_win(&tools->fours, s, &line))
		return false;
	*first = line.threat[0];
	return true;
}

/* The move of the strategy, found for the smallest symmetric position and mapped back. */
static bool strategy_move(const struct n3 *s, const struct n3_tools *t, qv_move *move)
{
	struct n3 least;
	if (!t->strategy.count || n3_seat(s) != 0)
		return false;
	const int symmetry = n3_least_image(s, t, &least);
	const uint64_t found = n3_strategy_find(&t->strategy, &least);
	for (uint64_t left = ~(s->mine | s->theirs); found && left; left = bits_rest(left)) {
		*move = left & (0 - left);
		if (n3_transform(*move, symmetry) == found)
			return true;
	}
	return false;
}

bool n3_forced(const struct n3 *s, void *tools, qv_move *first)
{
	return n3_wins_by_threats(s, tools, first) || strategy_move(s, tools, first);
}

/*
 * The moves of the highest ranks, or the one that blocks an immediate threat of the defender. Moves
 * of equal rank are all in or all out, so that symmetric positions have symmetric candidates: what
 * is proven for one can then be looked up for the other.
 */
int n3_candidates(const struct n3 *s, void *tools, int width, qv_move *list)
{
	int32_t ranks[N3_SQUARES];
	const uint64_t danger = completing(s->theirs, s->mine);
	(void)tools;
	if (danger) {
		list[0] = danger & (0 - danger);
		return 1;
	}
	/* Sort: highest rank first; equal ranks in the order of the squares. */
	const int n = n3_moves(s, list);
	for (int i = 0; i < n; i++) {
		const qv_move move = list[i];
		const int32_t rank = n3_rank(s, move);
		int to = i;
		for (; to > 0 && ranks[to - 1] < rank; to--) {
			list[to] = list[to - 1];
			ranks[to] = ranks[to - 1];
		}
		list[to] = move;
		ranks[to] = rank;
	}
	if (n <= width)
		return n;
	int cut = width;
	while (cut > 0 && ranks[cut - 1] == ranks[width])
		cut--;
	for (; cut == 0 || (cut < n && ranks[cut] == ranks[cut - 1]); cut++)
		;
	return cut;
}

/* ---- The defender ---- */

/*
 * Completing or blocking a four decides. Otherwise, if the attacker could win by threats with the
 * move, only the replies that break this win matter: replaying it shows that it works against all
 * others.
 */
int n3_replies(const struct n3 *s, void *tools, qv_move *list)
{
	struct n3_fours *const fours = &((struct n3_tools *)tools)->fours;
	struct n3_line line;
	const struct n3 passed = { s->theirs, s->mine };
	uint64_t only = completing(s->mine, s->theirs);
	if (!only)
		only = completing(s->theirs, s->mine);
	if (only) {
		list[0] = only & (0 - only);
		return 1;
	}
	if (!fours_win(fours, &passed, &line))
		return n3_moves(s, list);
	int n = 0;
	for (uint64_t left = line_spoilers(&line, &passed); left; left = bits_rest(left)) {
		const uint64_t stone = left & (0 - left);
		if (!line_survives(fours, &line, &passed, stone))
			list[n++] = stone;
	}
	return n;
}
