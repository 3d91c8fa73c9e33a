/*
 * connect4_notions.c - the theory of threats, straight from its text.
 * SPDX-License-Identifier: MIT
 *
 *  1. A threat exists when three of the discs of a group of four are in place and the fourth square
 *     is open.
 *  2. It is immediate if there is no open square below the fourth square; active if there is one
 *     below, but not below that. (The others are called distant here.)
 *  3. It is odd or even by the row of the square. It is shared if the opponent has one of the same
 *     kind in the same column.
 *  4. With a single column left, the first player wins if he has an odd threat in it, and the
 *     second no even one, or only above it. The second wins if he has an even threat, and the first
 *     no odd one, or only above it.
 *  5. Else the first player needs more odd threats than the second. The second needs: more odd
 *     threats than the first if one or more threats are shared; or an even number of odd threats
 *     that is the first's number too, if one or more threats are shared; or as many odd threats as
 *     the first (perhaps none) and at least one even threat.
 */
#include "twins/notions.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 6, COLUMNS = 7, SIDE = ROWS * (COLUMNS + 1) };

enum nearness { IMMEDIATE, ACTIVE, DISTANT, NEARNESSES };

struct theory {
	char at[COLUMNS + 1][ROWS + 1]; /* by the numbers people use, from 1 */
	bool threat[2][COLUMNS + 1][ROWS + 1];
};

static char disc(int seat)
{
	return seat == 0 ? 'x' : 'o';
}

/* Rule 1, for the group that begins at a square and goes on in a direction. */
static void look_at_group(struct theory *t, int column, int row, int right, int up, int seat)
{
	int own = 0, open = 0, open_column = 0, open_row = 0;
	for (int i = 0; i < 4; i++, column += right, row += up) {
		if (column < 1 || column > COLUMNS || row < 1 || row > ROWS)
			return;
		if (t->at[column][row] == disc(seat)) {
			own++;
		} else if (t->at[column][row] == '.') {
			open++;
			open_column = column;
			open_row = row;
		}
	}
	if (own == 3 && open == 1)
		t->threat[seat][open_column][open_row] = true;
}

static void find_threats(struct theory *t)
{
	for (int seat = 0; seat < 2; seat++)
		for (int column = 1; column <= COLUMNS; column++)
			for (int row = 1; row <= ROWS; row++) {
				look_at_group(t, column, row, 1, 0, seat);
				look_at_group(t, column, row, 0, 1, seat);
				look_at_group(t, column, row, 1, 1, seat);
				look_at_group(t, column, row, 1, -1, seat);
			}
}

static bool is_open(const struct theory *t, int column, int row)
{
	return row >= 1 && t->at[column][row] == '.';
}

/* Rule 2. */
static enum nearness nearness(const struct theory *t, int column, int row)
{
	if (!is_open(t, column, row - 1))
		return IMMEDIATE;
	return is_open(t, column, row - 2) ? DISTANT : ACTIVE;
}

static bool is_odd(int row)
{
	return row == 1 || row == 3 || row == 5;
}

static bool has_in_column(const struct theory *t, int seat, int column, bool odd)
{
	for (int row = 1; row <= ROWS; row++)
		if (t->threat[seat][column][row] && is_odd(row) == odd)
			return true;
	return false;
}

/* Rule 3. */
static bool is_shared(const struct theory *t, int column, bool odd)
{
	return has_in_column(t, 0, column, odd) && has_in_column(t, 1, column, odd);
}

static void add_cell(struct twin_notion *n, int column, int row)
{
	snprintf(n->cells[n->cell_count++], sizeof n->cells[0], "column %d row %d", column, row);
}

static int tell_threats(const struct theory *t, struct twin_notion *list, int count, int seat,
			enum nearness near, bool odd)
{
	static const char *const words[NEARNESSES] = { "immediate", "active", "distant" };
	struct twin_notion n = { .seat = seat };
	for (int column = 1; column <= COLUMNS; column++)
		for (int row = 1; row <= ROWS; row++)
			if (t->threat[seat][column][row] && is_odd(row) == odd &&
			    nearness(t, column, row) == near)
				add_cell(&n, column, row);
	if (!n.cell_count)
		return count;
	snprintf(n.name, sizeof n.name, "%s %s threats", words[near], odd ? "odd" : "even");
	n.value = n.cell_count;
	list[count] = n;
	return count + 1;
}

static int tell_shared(const struct theory *t, struct twin_notion *list, int count, bool odd)
{
	struct twin_notion n = { .seat = -1 };
	for (int column = 1; column <= COLUMNS; column++) {
		if (!is_shared(t, column, odd))
			continue;
		n.value++;
		for (int row = 1; row <= ROWS; row++)
			if ((t->threat[0][column][row] || t->threat[1][column][row]) &&
			    is_odd(row) == odd)
				add_cell(&n, column, row);
	}
	if (!n.value)
		return count;
	snprintf(n.name, sizeof n.name, "shared %s threats", odd ? "odd" : "even");
	list[count] = n;
	return count + 1;
}

/* ---- rules 4 and 5 ---- */

static int count_threats(const struct theory *t, int seat, bool odd)
{
	int count = 0;
	for (int column = 1; column <= COLUMNS; column++)
		for (int row = 1; row <= ROWS; row++)
			count += t->threat[seat][column][row] && is_odd(row) == odd;
	return count;
}

/* The row of the lowest; above the board if there is none. */
static int lowest(const struct theory *t, int seat, int column, bool odd)
{
	for (int row = 1; row <= ROWS; row++)
		if (t->threat[seat][column][row] && is_odd(row) == odd)
			return row;
	return ROWS + 1;
}

static int last_column_winner(const struct theory *t, int column)
{
	const int first = lowest(t, 0, column, true), second = lowest(t, 1, column, false);
	if (first <= ROWS && second > first)
		return 0;
	if (second <= ROWS && first > second)
		return 1;
	return -1;
}

static int rules_winner(const struct theory *t)
{
	const int first = count_threats(t, 0, true), second = count_threats(t, 1, true);
	const int second_even = count_threats(t, 1, false);
	bool shared = false;
	for (int column = 1; column <= COLUMNS; column++)
		shared = shared || is_shared(t, column, true) || is_shared(t, column, false);
	if (first > second)
		return 0;
	if (second > first && shared)
		return 1;
	if (second % 2 == 0 && second == first && shared)
		return 1;
	if (second == first && second_even >= 1)
		return 1;
	return -1;
}

static int winner(const struct theory *t)
{
	int open = 0, column_left = 0;
	for (int column = 1; column <= COLUMNS; column++)
		if (t->at[column][ROWS] == '.') {
			open++;
			column_left = column;
		}
	return open == 1 ? last_column_winner(t, column_left) : rules_winner(t);
}

/* The position is one whose game goes on. */
int twin_connect4_notions(const char *position, struct twin_notion list[TWIN_NOTIONS])
{
	struct theory t = { 0 };
	int count = 0;
	for (int column = 1; column <= COLUMNS; column++)
		for (int row = 1; row <= ROWS; row++)
			t.at[column][row] = position[(ROWS - row) * (COLUMNS + 1) + column - 1];
	find_threats(&t);
	for (int seat = 0; seat < 2; seat++)
		for (int near = IMMEDIATE; near < NEARNESSES; near++) {
			count = tell_threats(&t, list, count, seat, (enum nearness)near, true);
			count = tell_threats(&t, list, count, seat, (enum nearness)near, false);
		}
	count = tell_shared(&t, list, count, true);
	count = tell_shared(&t, list, count, false);
	list[count] = (struct twin_notion){ .name = "zugzwang", .seat = winner(&t) };
	list[count].value = list[count].seat >= 0;
	return count + 1;
}
