/*
 * gomoku_fours.c - go-moku: positions with a win by fours, made by a generator; the search must find
 * the shortest line of each.
 * SPDX-License-Identifier: MIT
 *
 * A position is built backwards from the five: the generator takes a stone of the attacker's away
 * and completes three other points of a line through it, so that the stone makes a four there. Then
 * it adds stones of both colours until their numbers are right; they block lines, and give the
 * defender fours of its own. After each step the literal search of twins/gomoku.c must find a win of
 * the right length.
 *
 * Long wins take time to make, so data/gomoku-fours.txt has positions with wins in up to 15 moves,
 * and some without a win. `test_gomoku_fours write` makes it.
 */
#include "games/gomoku/vcf.h"

#include "support/check.h"
#include "support/scale.h"
#include "twins/twin.h"

#include <stdio.h>

/* ---- The generator ---- */

struct problem {
	struct twin_gomoku_board board;
	int rule;
	char side;
	int moves; /* of the attacker, with the five; 0: no win by fours */
};

enum { TRIES = 400, MOST_MOVES = 60 };

static const int steps[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };

static char other_of(char side)
{
	return side == 'x' ? 'o' : 'x';
}

static bool is_on(const struct twin_gomoku_board *b, int row, int column)
{
	return row >= 0 && column >= 0 && row < b->size && column < b->size;
}

static int below(struct qv_random *r, int n)
{
	return (int)qv_random_below(r, (uint64_t)n);
}

static int count_of(const struct twin_gomoku_board *b, char colour)
{
	int n = 0;
	for (int row = 0; row < b->size; row++)
		for (int column = 0; column < b->size; column++)
			n += b->at[row][column] == colour;
	return n;
}

/* Whether there are five or more stones of one colour in a row. */
static bool has_five(const struct twin_gomoku_board *b)
{
	for (int row = 0; row < b->size; row++)
		for (int column = 0; column < b->size; column++)
			for (int d = 0; d < 4; d++) {
				const char colour = b->at[row][column];
				int n = 1;
				while (n < 5 &&
				       is_on(b, row + n * steps[d][0], column + n * steps[d][1]) &&
				       b->at[row + n * steps[d][0]][column + n * steps[d][1]] ==
					       colour)
					n++;
				if (colour != '.' && n == 5)
					return true;
			}
	return false;
}

static bool has_length(const struct twin_gomoku_board *b, const struct problem *p, int moves)
{
	return !has_five(b) &&
	       twin_gomoku_fours(b, p->rule, p->side, moves ? moves : MOST_MOVES) == moves;
}

/* Five points in a line, in the middle of the board; four stones. */
static void put_four(struct problem *p, struct qv_random *r)
{
	const int middle = p->board.size / 2, d = below(r, 4), gap = below(r, 5);
	for (int i = -2; i <= 2; i++)
		if (i + 2 != gap)
			p->board.at[middle + i * steps[d][0]][middle + i * steps[d][1]] = p->side;
}

/*
 * Takes a stone of the attacker's away, and makes three stones on a line through it. The fifth
 * point of the line is where the defender will block. Stones of the defender's at the ends leave no
 * other point for a five. False: the win is not one move longer.
 */
static bool lengthen(struct problem *p, struct qv_random *r)
{
	struct twin_gomoku_board b = p->board;
	const int row = below(r, b.size), column = below(r, b.size), d = below(r, 4);
	const int first = -below(r, 5), block = first + below(r, 5);
	if (b.at[row][column] != p->side || block == 0)
		return false;
	for (int i = first - 1; i <= first + 5; i++) {
		const int to_row = row + i * steps[d][0], to_column = column + i * steps[d][1];
		const bool end = i < first || i == first + 5;
		if (!is_on(&b, to_row, to_column)) {
			if (end)
				continue;
			return false;
		}
		char *at = &b.at[to_row][to_column];
		if (end && (*at != '.' || !below(r, 4)))
			continue;
		if (!end && *at == (i == block ? p->side : other_of(p->side)))
			return false;
		*at = end ? other_of(p->side) : i == block || i == 0 ? '.' : p->side;
	}
	if (!has_length(&b, p, p->moves + 1))
		return false;
	p->board = b;
	p->moves++;
	return true;
}

/* Adds a stone near others on a point that leaves the length of the win as it is. */
static bool add_stone(struct problem *p, struct qv_random *r, char colour)
{
	for (int i = 0; i < TRIES; i++) {
		struct twin_gomoku_board b = p->board;
		const int row = below(r, b.size), column = below(r, b.size), d = below(r, 4);
		const int near = below(r, 2) ? 1 : -1;
		if (b.at[row][column] == '.' || b.at[row][column] != (i % 2 ? 'x' : 'o'))
			continue;
		const int to_row = row + near * steps[d][0],
			  to_column = column + near * steps[d][1];
		if (!is_on(&b, to_row, to_column) || b.at[to_row][to_column] != '.')
			continue;
		b.at[to_row][to_column] = colour;
		if (has_length(&b, p, p->moves)) {
			p->board = b;
			return true;
		}
	}
	return false;
}

/* Adds stones until it is the attacker's turn by their number. */
static bool add_stones(struct problem *p, struct qv_random *r)
{
	for (;;) {
		const int black = count_of(&p->board, 'x') - (p->side == 'o');
		const int white = count_of(&p->board, 'o');
		if (black == white)
			return true;
		if (!add_stone(p, r, black < white ? 'x' : 'o'))
			return false;
	}
}

/* The size of the board, the rule, the side and the moves of *p are given. False: try again. */
static bool make(struct problem *p, struct qv_random *r)
{
	const int wanted = p->moves;
	memset(p->board.at, '.', sizeof p->board.at);
	put_four(p, r);
	p->moves = 1;
	for (int i = 0; i < 100 * TRIES && p->moves < wanted; i++)
		lengthen(p, r);
	return p->moves == wanted && add_stones(p, r);
}

/* Adds stones of both colours until there is no win by fours. False: none were found. */
static bool spoil(struct problem *p, struct qv_random *r)
{
	p->moves = 0;
	return add_stone(p, r, other_of(p->side)) && add_stones(p, r);
}

/* Problem number i: rules, sizes, colours and lengths vary. */
static void make_problem(int i, int longest, struct problem *p)
{
	struct qv_random r = { qv_random_key(1931, (uint64_t)i), 0 };
	bool made;
	do {
		*p = (struct problem){ .board.size = i / 3 % 2 ? 20 : 15,
				       .rule = i % 3,
				       .side = i / 6 % 2 ? 'o' : 'x',
				       .moves = 3 + i % (longest - 2) };
		made = make(p, &r);
	} while (!made);
}

static const char *const rules[] = { "freestyle", "exact", "renju" };

static void write_problem(FILE *out, const struct problem *p)
{
	char text[QV_POSITION_TEXT];
	twin_gomoku_text(&p->board, p->side, text, sizeof text);
	fprintf(out, "%s %d %s\n", rules[p->rule], p->moves, text);
	fflush(out);
}

/* Every third problem is also there without its win. */
static int write_problems(FILE *out)
{
	enum { PROBLEMS = 78, LONGEST = 15 };
	fprintf(out, "# Wins by fours, made by test_gomoku_fours: rule, moves of the side to move "
		     "until it has five (0: no win by fours), position\n");
	for (int i = 0; i < PROBLEMS; i++) {
		struct qv_random r = { qv_random_key(1932, (uint64_t)i), 0 };
		struct problem p;
		make_problem(i, LONGEST, &p);
		write_problem(out, &p);
		if (i % 3 == i / 3 % 3 && spoil(&p, &r))
			write_problem(out, &p);
	}
	return ferror(out) ? 1 : 0;
}

/* ---- The search under test ---- */

/* What the problems contain, so that none of it is missing. */
struct tally {
	int wins, without, lengths[64], sizes[2], sides[2], rules[3];
	int counters; /* wins in whose line a reply makes a four that must be answered */
	int strict;   /* wins that would be shorter if overlines won and nothing was forbidden */
};

/* The line must be legal, make a four with each move of the attacker, and win. */
static bool check_line(const struct gomoku_vcf *v, const struct gomoku *from)
{
	struct gomoku s = *from;
	const int attacker = s.turn;
	bool counter = false;
	for (int i = 0; i < v->length; i++) {
		int32_t points[QV_MAX_SEATS];
		qv_move list[GOMOKU_MAX_MOVES];
		bool legal = false;
		assert_int_equal(gomoku_result(&s, points), QV_GOING);
		for (int n = gomoku_moves(&s, list); n > 0; n--)
			legal |= list[n - 1] == v->line[i];
		assert_true(legal);
		gomoku_play(&s, v->line[i]);
		if (s.turn != attacker && i < v->length - 1)
			assert_true(s.patterns[attacker][GOMOKU_FIVE_4] > 0);
		counter |= s.turn == attacker && s.patterns[1 - attacker][GOMOKU_FIVE_4] > 0;
	}
	assert_int_equal(s.winner, 1 + attacker);
	return counter;
}

static int moves_of(const struct gomoku_vcf *v)
{
	return v->length ? v->length / 2 + 1 : 0;
}

static void read_state(const char *text, int rule, struct gomoku *s)
{
	struct qv_error error = { "" };
	int size = 1;
	for (const char *c = text; *c; c++)
		size += *c == '/';
	const int64_t options[] = { size, rule, 0 };
	if (gomoku_position_parse(s, options, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
}

static void check_problem(const char *text, int rule, int moves, struct table *table,
			  struct tally *tally)
{
	struct gomoku s, loose;
	struct gomoku_vcf v = { .table = table }, plain = { 0 }, other = { .table = table };
	read_state(text, rule, &s);
	gomoku_vcf(&v, &s, GOMOKU_VCF_MOVES);
	if (moves_of(&v) != moves)
		fail_msg("%s %s: won in %d moves, but the shortest win has %d", rules[rule], text,
			 moves_of(&v), moves);
	/* Without a table, long searches take too long. */
	if (moves && moves <= 7) {
		gomoku_vcf(&plain, &s, GOMOKU_VCF_MOVES);
		assert_int_equal(moves_of(&plain), moves);
		check_line(&plain, &s);
	}
	if (!moves) {
		tally->without++;
		return;
	}
	read_state(text, GOMOKU_FREESTYLE, &loose);
	gomoku_vcf(&other, &loose, GOMOKU_VCF_MOVES);
	tally->strict += moves_of(&other) != moves;
	tally->counters += check_line(&v, &s);
	tally->wins++;
	tally->lengths[moves]++;
	tally->sizes[s.size == 20]++;
	tally->sides[s.turn]++;
	tally->rules[rule]++;
}

/* The positions of the file. The twin checks their lengths once more. */
static void test_fours__shortest_wins_of_the_file(void **unused)
{
	FILE *in = fopen(TEST_DATA "/gomoku-fours.txt", "r");
	char line[QV_POSITION_TEXT + 64];
	struct tally t = { 0 };
	struct table table = { 0 };
	(void)unused;
	assert_non_null(in);
	assert_int_equal(table_init(&table, &mem_malloc, 1 << 20), QV_OK);
	while (fgets(line, sizeof line, in)) {
		char name[16];
		int moves, at, rule = 0;
		if (line[0] == '#')
			continue;
		line[strcspn(line, "\n")] = '\0';
		assert_int_equal(sscanf(line, "%15s %d %n", name, &moves, &at), 2);
		while (rule < 2 && strcmp(name, rules[rule]) != 0)
			rule++;
		check_problem(line + at, rule, moves, &table, &t);
		/* The file is right in every build; slow ones leave out what takes the twin long. */
		if (scaled(100) >= 50 || (moves && moves <= 7))
			assert_int_equal(twin_gomoku_vcf(line + at, rule, moves ? moves : MOST_MOVES),
					 moves);
	}
	fclose(in);
	table_release(&table);
	print_message("%d wins, %d positions without; counter-fours in %d, rules matter in %d\n",
		      t.wins, t.without, t.counters, t.strict);
	assert_true(t.wins >= 60 && t.without >= 20);
	for (int moves = 3; moves <= 15; moves++)
		assert_true(t.lengths[moves] >= 4);
	for (int i = 0; i < 2; i++)
		assert_true(t.sizes[i] >= 30 && t.sides[i] >= 30);
	for (int i = 0; i < 3; i++)
		assert_true(t.rules[i] >= 20);
	assert_true(t.counters >= 5 && t.strict >= 10);
}

/* Others, with shorter wins, which are made here. */
static void test_fours__shortest_wins_of_new_positions(void **unused)
{
	const int64_t problems = scaled(6);
	struct tally t = { 0 };
	struct table table = { 0 };
	(void)unused;
	assert_int_equal(table_init(&table, &mem_malloc, 1 << 20), QV_OK);
	for (int i = 0; i < problems; i++) {
		char text[QV_POSITION_TEXT];
		struct problem p;
		make_problem(1000 + i, 7, &p);
		twin_gomoku_text(&p.board, p.side, text, sizeof text);
		check_problem(text, p.rule, p.moves, &table, &t);
	}
	table_release(&table);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fours__shortest_wins_of_the_file),
		cmocka_unit_test(test_fours__shortest_wins_of_new_positions),
	};
	if (argc > 1 && strcmp(argv[1], "write") == 0)
		return write_problems(stdout);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
