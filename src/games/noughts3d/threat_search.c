/*
 * threat_search.c - finds wins by threats alone in 3D noughts and crosses.
 * SPDX-License-Identifier: MIT
 *
 * A threat is a third mark in a line whose fourth square is empty, so the reply is forced. The
 * search is depth-first over threats, and a table remembers positions from which it failed. It is
 * complete: if there is a win by threats alone, it finds one. Its cost is small, because the
 * defender never has a choice.
 */
#include "games/noughts3d/threat_search.h"

#include "games/noughts3d/evaluate.h"

uint64_t n3_completing(uint64_t stones, uint64_t others)
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

/* As n3_completing, for the lines through one square only, the last one taken. */
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
		uint64_t lines = my.twos & ~my.ones & ~(other.ones | other.twos | full) & (starts); \
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

bool n3_fours_win(struct n3_fours *f, const struct n3 *s, struct n3_line *line)
{
	const uint64_t wins = n3_completing(s->mine, s->theirs);
	if (!wins)
		return search(f, s, n3_completing(s->theirs, s->mine), line, 0);
	line->threat[0] = wins & (0 - wins);
	line->answer[0] = 0;
	line->count = 1;
	return true;
}

/* ---- Replaying ---- */

/*
 * The squares of the line itself, and those where the defender, with the replies of the line, would
 * have three in a line without a mark of the attacker.
 */
uint64_t n3_line_spoilers(const struct n3_line *line, const struct n3 *s)
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
 * Plays the same threats one after the other. Each must still be a threat, and must block what the
 * defender threatens by then.
 */
bool n3_line_survives(const struct n3_fours *f, const struct n3_line *line, const struct n3 *s,
		      uint64_t stone)
{
	uint64_t attacker = s->mine, defender = s->theirs | stone;
	uint64_t danger = n3_completing(defender, attacker);
	if (n3_completing(attacker, defender))
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
