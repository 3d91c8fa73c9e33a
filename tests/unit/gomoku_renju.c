/*
 * gomoku_renju.c - renju's forbidden points: positions built by hand, each with its reason, and
 * random ones against the literal twin.
 * SPDX-License-Identifier: MIT
 *
 * The two double fours at a distance and the nested cases except the ring were found by a random
 * search for points whose verdict needs that depth of the definition, and reduced to the fewest
 * stones. The definitions are those of the Renju International Federation. The program rapfi, an
 * independent implementation, agrees on all positions built by hand.
 */
#include "support/check.h"
#include "twins/twin.h"

#include "games/gomoku/renju.h"
#include "support/scale.h"

/* ---- Boards ---- */

/* The lines of a board, for the rules under test. */
struct lines {
	uint32_t stones[2][GOMOKU_LINES];
};

static void make_lines(const struct twin_gomoku_board *b, struct lines *out)
{
	memset(out, 0, sizeof *out);
	for (int row = 0; row < b->size; row++)
		for (int column = 0; column < b->size; column++) {
			if (b->at[row][column] == '.')
				continue;
			for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
				const struct gomoku_place at =
					gomoku_place(row * GOMOKU_SIDE + column, d);
				out->stones[b->at[row][column] == 'o'][at.line] |= 1U << at.bit;
			}
		}
}

static bool is_forbidden(const struct lines *l, int size, int row, int column)
{
	return gomoku_is_forbidden(l->stones[0], l->stones[1], size, row * GOMOKU_SIDE + column);
}

/* ---- By hand ---- */

enum { MOST_ROWS = 12 };

/* Rows from the top; '*' is the point. Rows that are left out at the bottom are empty. */
static const struct {
	const char *reason;
	bool forbidden;
	const char *rows[MOST_ROWS];
} cases[] = {
	{ "two open threes",
	  true,
	  { ".........", ".........", "....x....", "....x....", "..xx*...." } },
	{ "two threes with a gap each",
	  true,
	  { ".........", "....x....", ".........", "....x....", ".x.x*...." } },
	{ "two diagonal threes",
	  true,
	  { ".........", "..x...x..", "...x.x...", "....*....", "........." } },
	{ "three threes", true, { ".........", "..x.x....", "...xx....", "..xx*...." } },
	{ "a single three is allowed",
	  false,
	  { ".........", ".........", ".........", ".........", "..xx*...." } },
	{ "two stones at a distance of three are no three",
	  false,
	  { ".........", ".........", "....x....", "....x....", "x...*.x.." } },
	{ "a three at the edge has no room for a straight four",
	  false,
	  { ".........", ".........", "..x......", "..x......", "xx*......" } },
	{ "a three beside a white stone cannot become a straight four",
	  false,
	  { ".........", ".........", "....x....", "....x....", ".oxx*...." } },
	{ "one free point at each end is too little room for a straight four",
	  false,
	  { ".........", ".........", "....x....", "....x....", "o.xx*.o.." } },
	{ "one free point at one end and two at the other are enough",
	  true,
	  { ".........", ".........", "....x....", "....x....", "o.xx*..o." } },
	{ "a three blocked by overlines at both ends",
	  false,
	  { ".........", ".........", ".....x...", ".....x...", "x..xx*..x" } },
	{ "a three whose other end is free of overlines",
	  true,
	  { ".........", ".........", ".....x...", ".....x...", "...xx*..x" } },
	{ "two fours, each blocked at one end",
	  true,
	  { "....o....", "....x....", "....x....", "....x....", "oxxx*...." } },
	{ "two fours with a gap",
	  true,
	  { "....x....", "....x....", ".........", "....x....", "x.xx*...." } },
	{ "a four and a three are allowed",
	  false,
	  { ".........", ".........", "....x....", "....x....", "oxxx*...." } },
	{ "two fours in one line that share three stones",
	  true,
	  { ".........", ".........", ".........", ".........", "x.x*x.x.." } },
	{ "two fours in one line that share the stone alone",
	  true,
	  { ".........", ".........", ".........", ".........", "xxx.*.xxx" } },
	{ "two fours in one line that share two stones",
	  true,
	  { ".........", ".........", ".........", ".........", "xx.x*.xx." } },
	{ "a straight four is one four",
	  false,
	  { ".........", ".........", ".........", ".........", "..xx*x..." } },
	{ "a straight four and another four",
	  true,
	  { "....o....", "....x....", "....x....", "....x....", "..xx*x..." } },
	{ "four stones that only an overline extends are no four",
	  false,
	  { "..o......", "..x......", "..x......", "..x......", "xx*x.xx.." } },
	{ "four stones between two white stones are not a four",
	  false,
	  { "....o....", "....x....", "....x....", "....x....", "oxxx*o..." } },
	{ "six in a row",
	  true,
	  { ".........", ".........", ".........", ".........", ".xxx*xx.." } },
	{ "nine in a row",
	  true,
	  { ".........", ".........", ".........", ".........", "xxxx*xxxx" } },
	{ "five beats an overline",
	  false,
	  { "....x....", "....x....", "....x....", "....x....", ".xxx*xx.." } },
	{ "five beats two threes",
	  false,
	  { ".........", "..x...x..", "...x.x...", "xxxx*....", "........." } },
	{ "five beats two fours",
	  false,
	  { ".x..x..x.", "..x.x.x..", "...xxx...", "xxxx*....", "........." } },
	{ "the row becomes a straight four only by an overline in its column",
	  false,
	  { "....x....", "....x....", "...xx....", "...xx....", "o.x*.x.o.", "....x...." } },
	{ "the row becomes a straight four only by a double four",
	  false,
	  { "...........", "...........", "...........", ".x.........", "..*x.x.....",
	    "....x......", "....x......", "....x......", "...........", "...........",
	    "..........." } },
	{ "the same at the top edge",
	  false,
	  { "......x....", "......x....", "....x*.x...", "......x....", "...x.......",
	    "...........", "...........", "...........", "...........", "...........",
	    "..........." } },
	{ "one of three threes is false: two are left",
	  true,
	  { "....x....", "....x....", "...xxx...", "...xx....", "o.x*.x.o.", "....x...." } },
	{ "the row becomes a straight four only where Black makes five instead",
	  false,
	  { ".........", "....x....", "...xx....", "...xx....", "o.x*.x.o.", "....x...." } },
	{ "the point that extends a three is a double three, which is false in turn",
	  true,
	  { "...........", "...........", "...........", "...........", "...x.x.....",
	    "....x.x.x..", ".......*...", ".....x.x...", ".....x.....", "...........",
	    "..........." } },
	{ "the same near the left edge",
	  true,
	  { "...........", "...........", "...........", "...........", "..x.x......",
	    ".x.x*......", "..xxx......", "...........", ".....x.....", "...........",
	    "..........." } },
	{ "nested to depth three",
	  false,
	  { "...........", "......x....", "........xx.", "......x.x..", ".......xx*.",
	    ".........x.", "........x..", ".........x.", "...........", "...........",
	    "..........." } },
	{ "nested to depth three, another way",
	  false,
	  { "...........", "......x..x.", ".......x*..", ".......x...", ".......xx..",
	    "........x..", ".....x.x...", "...........", "...........", "...........",
	    "..........." } },
	{ "nested to depth four",
	  true,
	  { ".............", ".............", ".............", ".............", "...xx........",
	    ".....xx..x...", "....*.xx.....", "...x.x.......", "...x........." } },
	{ "a ring of eight stones, nested to depth three",
	  false,
	  { ".............", ".............", ".............", ".............", ".....xx......",
	    "....x*.x.....", "....x..x.....", ".....xx......" } },
};

/* Reads a case, turned by quarter turns; returns the point in *row and *column. */
static void read_case(const char *const *rows, int turns, struct twin_gomoku_board *b, int *row,
		      int *column)
{
	b->size = (int)strlen(rows[0]);
	for (int i = 0; i < b->size * b->size; i++) {
		int r = b->size - 1 - i / b->size, c = i % b->size;
		const char *text = i / b->size < MOST_ROWS ? rows[i / b->size] : NULL;
		const char stone = text ? text[c] : '.';
		for (int k = 0; k < turns; k++) {
			const int before = r;
			r = b->size - 1 - c;
			c = before;
		}
		b->at[r][c] = stone == '*' ? '.' : stone;
		if (stone == '*') {
			*row = r;
			*column = c;
		}
	}
}

static void test_renju__built_by_hand(void **unused)
{
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int turns = 0; turns < 4; turns++) {
			struct twin_gomoku_board b = { 0 };
			struct lines l;
			int row = -1, column = -1;
			read_case(cases[i].rows, turns, &b, &row, &column);
			make_lines(&b, &l);
			if (is_forbidden(&l, b.size, row, column) != cases[i].forbidden)
				fail_msg("%s: expected %d", cases[i].reason, cases[i].forbidden);
			if (twin_gomoku_is_forbidden(&b, row, column) != cases[i].forbidden)
				fail_msg("%s: the twin disagrees", cases[i].reason);
		}
}

/* ---- At random ---- */

/*
 * A crowded area on an otherwise empty board, so that most points there have several shapes. The
 * density of stones varies.
 */
static void crowd(struct qv_random *r, struct twin_gomoku_board *b)
{
	b->size = 9 + (int)qv_random_below(r, 7);
	memset(b->at, '.', sizeof b->at);
	const int side = 5 + (int)qv_random_below(r, 4);
	const int low = (int)qv_random_below(r, (uint64_t)(b->size - side + 1));
	const int left = (int)qv_random_below(r, (uint64_t)(b->size - side + 1));
	const uint64_t black = 15 + qv_random_below(r, 25), white = black + qv_random_below(r, 12);
	for (int i = 0; i < side * side; i++) {
		const uint64_t drawn = qv_random_below(r, 100);
		b->at[low + i / side][left + i % side] = drawn < black	 ? 'x'
							 : drawn < white ? 'o'
									 : '.';
	}
}

static void test_renju__twin_agrees_on_random_positions(void **unused)
{
	struct qv_random r = { qv_random_key(19, 0), 0 };
	int64_t forbidden = 0;
	const int64_t positions = scaled(2500);
	(void)unused;
	for (int64_t i = 0; i < positions; i++) {
		struct twin_gomoku_board b = { 0 };
		struct lines l;
		crowd(&r, &b);
		make_lines(&b, &l);
		for (int row = 0; row < b.size; row++)
			for (int column = 0; column < b.size; column++) {
				if (b.at[row][column] != '.')
					continue;
				const bool ours = is_forbidden(&l, b.size, row, column);
				assert_int_equal(ours, twin_gomoku_is_forbidden(&b, row, column));
				forbidden += ours;
			}
	}
	assert_true(forbidden > positions / 2); /* otherwise the positions test nothing */
	print_message("%d forbidden points in %d positions\n", (int)forbidden, (int)positions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_renju__built_by_hand),
		cmocka_unit_test(test_renju__twin_agrees_on_random_positions),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
