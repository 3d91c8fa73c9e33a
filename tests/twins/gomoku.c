/*
 * gomoku.c - go-moku, straight from the rules: a board of characters, and lines walked step by step.
 * SPDX-License-Identifier: MIT
 *
 *  1. Black (x) and White (o) take turns to place a stone on an empty point. Black begins.
 *  2. Freestyle: five or more stones of one colour in an unbroken straight line win. Exact: five,
 *     but not more. Renju: five win for Black, five or more for White.
 *  3. In renju Black must not make an overline, a double four or a double three, unless the stone
 *     makes five in a row.
 *     Overline: more than five stones in an unbroken line.
 *     Four: four stones in a line to which one stone can be added to make five in a row.
 *     Straight four: four stones in an unbroken line to which one stone can be added at either end
 *     to make five in a row.
 *     Three: three stones to which one stone can be added to make a straight four, without making
 *     five in a row at the same time, and where that stone is not forbidden.
 *     Double four, double three: two or more different ones that contain the stone.
 *  4. Swap2: the first player places black, white and black. The second player takes a colour or
 *     places white and black; then the first player takes a colour. White is next.
 *  5. A board without a point that may be played is a draw.
 *
 * Position: rows from the top, numbers for empty points, a blank, the side; in swap2 a blank and
 * open, kept (the first player has Black) or swapped.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Renju ---- */

static const int steps[4][2] = { { 0, 1 }, { 1, 0 }, { 1, 1 }, { 1, -1 } };

static char look(const struct twin_gomoku_board *b, int row, int column)
{
	if (row < 0 || column < 0 || row >= b->size || column >= b->size)
		return '#';
	return b->at[row][column];
}

/* The stones in an unbroken line through a stone. */
static int row_length(const struct twin_gomoku_board *b, int row, int column, const int step[2])
{
	const char colour = look(b, row, column);
	int length = 1;
	for (int i = 1; look(b, row + i * step[0], column + i * step[1]) == colour; i++)
		length++;
	for (int i = 1; look(b, row - i * step[0], column - i * step[1]) == colour; i++)
		length++;
	return length;
}

/* Whether a black stone on an empty point makes exactly five, in this direction. */
static bool five_by(const struct twin_gomoku_board *b, int row, int column, const int step[2])
{
	struct twin_gomoku_board after = *b;
	if (look(b, row, column) != '.')
		return false;
	after.at[row][column] = 'x';
	return row_length(&after, row, column, step) == 5;
}

/* Sets of stones of one line, as bits of their distance from a point, from -8 to 8. */
struct sets {
	int count;
	unsigned set[64];
};

static void add_set(struct sets *s, unsigned set)
{
	for (int i = 0; i < s->count; i++)
		if (s->set[i] == set)
			return;
	s->set[s->count++] = set;
}

/* The fours that contain the stone at row, column, in one direction. */
static int fours(const struct twin_gomoku_board *b, int row, int column, const int step[2])
{
	struct sets found = { 0 };
	for (int first = -4; first <= 0; first++) {
		unsigned stones = 0;
		int black = 0, gap = 99, empty = 0;
		for (int i = first; i < first + 5; i++) {
			const char c = look(b, row + i * step[0], column + i * step[1]);
			if (c == 'x') {
				black++;
				stones |= 1U << (i + 8);
			} else if (c == '.') {
				empty++;
				gap = i;
			}
		}
		if (black == 4 && empty == 1 &&
		    five_by(b, row + gap * step[0], column + gap * step[1], step))
			add_set(&found, stones);
	}
	return found.count;
}

static bool makes_five(const struct twin_gomoku_board *b, int row, int column)
{
	for (int d = 0; d < 4; d++)
		if (five_by(b, row, column, steps[d]))
			return true;
	return false;
}

/*
 * The threes that contain the stone at row, column, in one direction. For each place of the
 * straight four: four points in a line with the stone among them, one of them empty.
 */
static int threes(const struct twin_gomoku_board *b, int row, int column, const int step[2])
{
	struct sets found = { 0 };
	for (int first = -3; first <= 0; first++) {
		unsigned stones = 0;
		int black = 0, gap = 99, empty = 0;
		for (int i = first; i < first + 4; i++) {
			const char c = look(b, row + i * step[0], column + i * step[1]);
			if (c == 'x') {
				black++;
				stones |= 1U << (i + 8);
			} else if (c == '.') {
				empty++;
				gap = i;
			}
		}
		if (black != 3 || empty != 1)
			continue;
		const int to_row = row + gap * step[0], to_column = column + gap * step[1];
		struct twin_gomoku_board after = *b;
		after.at[to_row][to_column] = 'x';
		if (row_length(&after, to_row, to_column, step) == 4 &&
		    five_by(&after, row + (first - 1) * step[0], column + (first - 1) * step[1],
			    step) &&
		    five_by(&after, row + (first + 4) * step[0], column + (first + 4) * step[1],
			    step) &&
		    !makes_five(b, to_row, to_column) &&
		    !twin_gomoku_is_forbidden(b, to_row, to_column))
			add_set(&found, stones);
	}
	return found.count;
}

bool twin_gomoku_is_forbidden(const struct twin_gomoku_board *b, int row, int column)
{
	struct twin_gomoku_board after = *b;
	int four_count = 0, three_count = 0;
	if (makes_five(b, row, column))
		return false;
	after.at[row][column] = 'x';
	for (int d = 0; d < 4; d++)
		if (row_length(&after, row, column, steps[d]) > 5)
			return true;
	for (int d = 0; d < 4; d++)
		four_count += fours(&after, row, column, steps[d]);
	if (four_count >= 2)
		return true;
	for (int d = 0; d < 4; d++)
		three_count += threes(&after, row, column, steps[d]);
	return three_count >= 2;
}

/* ---- Positions ---- */

enum rule { FREESTYLE, EXACT, RENJU };

struct game {
	struct twin_gomoku_board board;
	char side;
	char phase[12]; /* empty without swap2 */
};

static void read_game(const char *text, struct game *g)
{
	int size = 1, row, column = 0;
	memset(g, 0, sizeof *g);
	for (const char *c = text; *c != ' '; c++)
		size += *c == '/';
	g->board.size = size;
	row = size - 1;
	while (*text != ' ') {
		if (*text == '/') {
			row--;
			column = 0;
			text++;
		} else if (*text == 'x' || *text == 'o') {
			g->board.at[row][column++] = *text++;
		} else {
			for (long n = strtol(text, (char **)&text, 10); n > 0; n--)
				g->board.at[row][column++] = '.';
		}
	}
	g->side = text[1];
	if (text[2] == ' ')
		snprintf(g->phase, sizeof g->phase, "%s", text + 3);
}

static void write_game(const struct game *g, char *text, size_t size)
{
	size_t n = 0;
	for (int row = g->board.size - 1; row >= 0; row--) {
		int empty = 0;
		for (int column = 0; column <= g->board.size; column++) {
			const char c = column < g->board.size ? g->board.at[row][column] : '/';
			if (c == '.') {
				empty++;
				continue;
			}
			if (empty)
				n += (size_t)snprintf(text + n, size - n, "%d", empty);
			empty = 0;
			if (c != '/' || row)
				n += (size_t)snprintf(text + n, size - n, "%c", c);
		}
	}
	snprintf(text + n, size - n, " %c%s%s", g->side, *g->phase ? " " : "", g->phase);
}

static int stones_on(const struct game *g)
{
	int count = 0;
	for (int row = 0; row < g->board.size; row++)
		for (int column = 0; column < g->board.size; column++)
			count += g->board.at[row][column] != '.';
	return count;
}

static bool has_won(const struct game *g, enum rule rule, char colour)
{
	const bool exactly = rule == EXACT || (rule == RENJU && colour == 'x');
	for (int row = 0; row < g->board.size; row++)
		for (int column = 0; column < g->board.size; column++)
			for (int d = 0; d < 4; d++) {
				if (look(&g->board, row, column) != colour)
					continue;
				const int length = row_length(&g->board, row, column, steps[d]);
				if (length == 5 || (length > 5 && !exactly))
					return true;
			}
	return false;
}

static bool is_opening(const struct game *g)
{
	return strcmp(g->phase, "open") == 0;
}

/* The moves of a game in which nobody has won. */
static int list_moves(const struct game *g, enum rule rule, char list[][16], int max)
{
	const int stones = stones_on(g);
	int count = 0;
	for (int row = 0; row < g->board.size; row++)
		for (int column = 0; column < g->board.size; column++) {
			if (look(&g->board, row, column) != '.' || (is_opening(g) && stones == 5))
				continue;
			if (rule == RENJU && g->side == 'x' &&
			    twin_gomoku_is_forbidden(&g->board, row, column))
				continue;
			if (count < max)
				snprintf(list[count++], 16, "%c%d", 'a' + column, row + 1);
		}
	if (is_opening(g) && (stones == 3 || stones == 5) && count + 2 <= max) {
		snprintf(list[count++], 16, "black");
		snprintf(list[count++], 16, "white");
	}
	return count;
}

static int moves_by(const char *position, enum rule rule, char list[][16], int max)
{
	struct game g;
	read_game(position, &g);
	if (has_won(&g, rule, 'x') || has_won(&g, rule, 'o'))
		return 0;
	return list_moves(&g, rule, list, max);
}

static bool over_by(const char *position, enum rule rule, int points[2])
{
	static char list[512][16];
	struct game g;
	read_game(position, &g);
	const bool black = has_won(&g, rule, 'x'), white = has_won(&g, rule, 'o');
	const bool swapped = strcmp(g.phase, "swapped") == 0;
	points[0] = swapped ? white : black;
	points[1] = swapped ? black : white;
	return black || white || list_moves(&g, rule, list, 512) == 0;
}

static bool play_by(char *position, size_t size, enum rule rule, const char *move)
{
	static char list[512][16];
	const int count = moves_by(position, rule, list, 512);
	struct game g;
	int i = 0;
	while (i < count && strcmp(list[i], move) != 0)
		i++;
	if (i == count)
		return false;
	read_game(position, &g);
	const bool first_chooses = stones_on(&g) == 5;
	if (strcmp(move, "black") == 0) {
		strcpy(g.phase, first_chooses ? "kept" : "swapped");
	} else if (strcmp(move, "white") == 0) {
		strcpy(g.phase, first_chooses ? "swapped" : "kept");
	} else {
		g.board.at[atoi(move + 1) - 1][move[0] - 'a'] = g.side;
		g.side = g.side == 'x' ? 'o' : 'x';
	}
	write_game(&g, position, size);
	return true;
}

static void start_by(char *position, size_t size, int points, const char *phase)
{
	struct game g = { .side = 'x' };
	g.board.size = points;
	for (int row = 0; row < points; row++)
		memset(g.board.at[row], '.', (size_t)points);
	snprintf(g.phase, sizeof g.phase, "%s", phase);
	write_game(&g, position, size);
}

/* ---- Wins by fours ---- */

static bool may_play(const struct twin_gomoku_board *b, enum rule rule, char colour, int row,
		     int column)
{
	return look(b, row, column) == '.' &&
	       !(rule == RENJU && colour == 'x' && twin_gomoku_is_forbidden(b, row, column));
}

/* Whether a stone of the colour on an empty point wins. The board is as before on return. */
static bool wins_at(struct twin_gomoku_board *b, enum rule rule, char colour, int row, int column)
{
	const bool exactly = rule == EXACT || (rule == RENJU && colour == 'x');
	bool wins = false;
	b->at[row][column] = colour;
	for (int d = 0; d < 4; d++) {
		const int length = row_length(b, row, column, steps[d]);
		wins |= length == 5 || (length > 5 && !exactly);
	}
	b->at[row][column] = '.';
	return wins;
}

/* Lists the points where a stone of the colour wins; at most 8. */
static int winning_points(struct twin_gomoku_board *b, enum rule rule, char colour,
			  int points[8][2])
{
	int count = 0;
	for (int row = 0; row < b->size; row++)
		for (int column = 0; column < b->size; column++)
			if (count < 8 && look(b, row, column) == '.' &&
			    wins_at(b, rule, colour, row, column)) {
				points[count][0] = row;
				points[count++][1] = column;
			}
	return count;
}

/* The same, but only on the lines through a point, at most four steps away. */
static int winning_points_near(struct twin_gomoku_board *b, enum rule rule, char colour, int row,
			       int column, int points[8][2])
{
	int count = 0;
	for (int d = 0; d < 4; d++)
		for (int i = -4; i <= 4; i++) {
			const int r = row + i * steps[d][0], c = column + i * steps[d][1];
			if (count < 8 && look(b, r, c) == '.' && wins_at(b, rule, colour, r, c)) {
				points[count][0] = r;
				points[count++][1] = c;
			}
		}
	return count;
}

/* Whether three stones of the colour are on one line near a point, at most four steps away. */
static bool has_three_near(const struct twin_gomoku_board *b, char colour, int row, int column)
{
	for (int d = 0; d < 4; d++) {
		int stones = 0;
		for (int i = -4; i <= 4; i++)
			stones +=
				look(b, row + i * steps[d][0], column + i * steps[d][1]) == colour;
		if (stones >= 3)
			return true;
	}
	return false;
}

/* A set of boards, each once. */
struct boards {
	int count, room;
	struct twin_gomoku_board *list;
	int *places; /* where a board is in the list, by its hash; -1: free; 2 * room of them */
};

static void boards_init(struct boards *s, int room)
{
	s->count = 0;
	s->room = room;
	s->list = malloc((size_t)room * sizeof *s->list);
	s->places = malloc(2 * (size_t)room * sizeof *s->places);
	memset(s->places, -1, 2 * (size_t)room * sizeof *s->places);
}

static void boards_release(struct boards *s)
{
	free(s->list);
	free(s->places);
}

/* False: there is no room. */
static bool boards_add(struct boards *s, const struct twin_gomoku_board *b)
{
	unsigned hash = 2166136261U;
	for (int i = 0; i < 400; i++)
		hash = (hash ^ (unsigned char)b->at[i / 20][i % 20]) * 16777619U;
	unsigned place = hash % (2 * (unsigned)s->room);
	while (s->places[place] >= 0) {
		if (memcmp(&s->list[s->places[place]], b, sizeof *b) == 0)
			return true;
		place = (place + 1) % (2 * (unsigned)s->room);
	}
	if (s->count == s->room)
		return false;
	s->places[place] = s->count;
	s->list[s->count++] = *b;
	return true;
}

enum fours { FOURS_WIN, FOURS_GO_ON, FOURS_TOO_MANY };

/*
 * Makes each four that the colour to move has, and adds the boards after the only reply that
 * prevents five. A four wins if there is no such reply. A four that does not answer the opponent's
 * own is useless.
 */
static enum fours make_fours(struct twin_gomoku_board *b, enum rule rule, char colour,
			     struct boards *next)
{
	const char other = colour == 'x' ? 'o' : 'x';
	int fives[8][2], threats[8][2];
	const int must = winning_points(b, rule, other, threats);
	for (int row = 0; row < b->size && must < 2; row++)
		for (int column = 0; column < b->size; column++) {
			if ((must && (row != threats[0][0] || column != threats[0][1])) ||
			    !has_three_near(b, colour, row, column) ||
			    !may_play(b, rule, colour, row, column))
				continue;
			struct twin_gomoku_board after = *b;
			after.at[row][column] = colour;
			const int count =
				winning_points_near(&after, rule, colour, row, column, fives);
			if (!count)
				continue;
			if (count > 1 || !may_play(&after, rule, other, fives[0][0], fives[0][1]))
				return FOURS_WIN;
			after.at[fives[0][0]][fives[0][1]] = other;
			if (!boards_add(next, &after))
				return FOURS_TOO_MANY;
		}
	return FOURS_GO_ON;
}

int twin_gomoku_fours(const struct twin_gomoku_board *board, int rule, char colour, int most)
{
	struct twin_gomoku_board start = *board;
	int fives[8][2], moves = 0;
	if (most < 1 || winning_points(&start, (enum rule)rule, colour, fives))
		return most > 0;
	struct boards now, next;
	boards_init(&now, 1);
	boards_add(&now, &start);
	/* All boards of a round have as many stones, so none of them comes again later. */
	for (int round = 2; round <= most && !moves && now.count; round++) {
		enum fours found = FOURS_GO_ON;
		boards_init(&next, TWIN_GOMOKU_BOARDS);
		for (int i = 0; i < now.count && found == FOURS_GO_ON; i++)
			found = make_fours(&now.list[i], (enum rule)rule, colour, &next);
		moves = found == FOURS_WIN ? round : found == FOURS_TOO_MANY ? -1 : 0;
		boards_release(&now);
		now = next;
	}
	boards_release(&now);
	return moves;
}

int twin_gomoku_vcf(const char *position, int rule, int most)
{
	struct game g;
	read_game(position, &g);
	return twin_gomoku_fours(&g.board, rule, g.side, most);
}

void twin_gomoku_text(const struct twin_gomoku_board *board, char side, char *text, size_t size)
{
	struct game g = { .board = *board, .side = side };
	write_game(&g, text, size);
}

/* A twin for each combination of options that is compared. */
#define TWIN(name, spec, points, rule, phase)                                            \
	static void name##_start(char *position, size_t size)                            \
	{                                                                                \
		start_by(position, size, points, phase);                                 \
	}                                                                                \
	static int name##_moves(const char *position, char list[][16], int max)          \
	{                                                                                \
		return moves_by(position, rule, list, max);                              \
	}                                                                                \
	static bool name##_play(char *position, size_t size, const char *move)           \
	{                                                                                \
		return play_by(position, size, rule, move);                              \
	}                                                                                \
	static bool name##_over(const char *position, int result[2])                     \
	{                                                                                \
		return over_by(position, rule, result);                                  \
	}                                                                                \
	const struct twin twin_##name = { spec, name##_start, name##_moves, name##_play, \
					  name##_over };

TWIN(gomoku, "gomoku", 15, FREESTYLE, "")
TWIN(gomoku_exact, "gomoku:size=9,rule=exact", 9, EXACT, "")
TWIN(gomoku_renju, "gomoku:size=11,rule=renju", 11, RENJU, "")
TWIN(gomoku_swap2, "gomoku:size=20,opening=swap2", 20, FREESTYLE, "open")
