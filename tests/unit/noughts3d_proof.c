/*
 * noughts3d_proof.c - the proof that crosses win noughts and crosses in a cube, walked: every
 * reply of noughts, until each line of play has four crosses in a row.
 * SPDX-License-Identifier: MIT
 *
 * The walk knows the game as its text has it: 64 characters, and lines and symmetries found here by
 * trying. Only the moves of crosses come from the solver, one position at a time.
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "quevedo.h"
#include "support/scale.h"

enum { CELLS = 64, LINES = 76, SYMMETRIES = 192, TEXT = 67, FEW_CROSSES = 8, FIRST_ROOM = 1 << 16 };

struct seen {
	uint64_t x, o;
};

struct walk {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_solver *solver;
	int lines[LINES][4], line_count;
	int image[SYMMETRIES][CELLS], images;
	struct seen *seen;
	size_t room, count;
	uint64_t asked, replies;
};

/* ---- lines and symmetries, by trying ---- */

static int cell_at(int column, int row, int level)
{
	const bool inside = column >= 0 && column < 4 && row >= 0 && row < 4 && level >= 0 && level < 4;
	return inside ? (level * 4 + row) * 4 + column : -1;
}

static void find_lines(struct walk *w)
{
	for (int d = 14; d < 27; d++)        /* one of each two opposite directions */
		for (int cell = 0; cell < CELLS; cell++) {
			int line[4];
			bool whole = true;
			for (int i = 0; i < 4; i++) {
				line[i] = cell_at(cell % 4 + i * (d % 3 - 1),
						  cell / 4 % 4 + i * (d / 3 % 3 - 1),
						  cell / 16 + i * (d / 9 - 1));
				whole &= line[i] >= 0;
			}
			if (whole)
				memcpy(w->lines[w->line_count++], line, sizeof line);
		}
	assert_int_equal(w->line_count, LINES);
}

static bool is_line(const struct walk *w, const int *cells)
{
	for (int i = 0; i < LINES; i++) {
		int hits = 0;
		for (int a = 0; a < 4; a++)
			for (int b = 0; b < 4; b++)
				hits += w->lines[i][a] == cells[b];
		if (hits == 4)
			return true;
	}
	return false;
}

/* Keeps the map if it takes every line to a line, and is new. */
static void try_map(struct walk *w, const int *map)
{
	for (int i = 0; i < LINES; i++) {
		int cells[4];
		for (int k = 0; k < 4; k++)
			cells[k] = map[w->lines[i][k]];
		if (!is_line(w, cells))
			return;
	}
	for (int i = 0; i < w->images; i++)
		if (!memcmp(w->image[i], map, CELLS * sizeof *map))
			return;
	assert_true(w->images < SYMMETRIES);
	memcpy(w->image[w->images++], map, CELLS * sizeof *map);
}

/* Coordinates change places, their four places are renamed, and each may be reversed. */
static void find_symmetries(struct walk *w)
{
	static const int axes[6][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 },
					{ 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	for (int names = 0; names < 256; names++) {
		const int name[4] = { names & 3, names >> 2 & 3, names >> 4 & 3, names >> 6 };
		if ((1 << name[0] | 1 << name[1] | 1 << name[2] | 1 << name[3]) != 15)
			continue;
		for (int k = 0; k < 48; k++) {
			int map[CELLS];
			for (int cell = 0; cell < CELLS; cell++) {
				const int from[3] = { cell % 4, cell / 4 % 4, cell / 16 };
				int to[3];
				for (int a = 0; a < 3; a++) {
					const int place = name[from[axes[k / 8][a]]];
					to[a] = k >> a & 1 ? 3 - place : place;
				}
				map[cell] = cell_at(to[0], to[1], to[2]);
			}
			try_map(w, map);
		}
	}
	assert_int_equal(w->images, SYMMETRIES);
}

/* ---- positions walked already ---- */

static struct seen words_of(const char *text, const int *map)
{
	struct seen s = { 0, 0 };
	for (int cell = 0; cell < CELLS; cell++) {
		const uint64_t bit = UINT64_C(1) << (map ? map[cell] : cell);
		s.x |= text[cell] == 'x' ? bit : 0;
		s.o |= text[cell] == 'o' ? bit : 0;
	}
	return s;
}

/* With few crosses the least of all images stands for the position. */
static struct seen name_of(const struct walk *w, const char *text)
{
	struct seen least = words_of(text, NULL);
	int crosses = 0;
	for (int cell = 0; cell < CELLS; cell++)
		crosses += text[cell] == 'x';
	for (int k = 0; k < SYMMETRIES && crosses <= FEW_CROSSES; k++) {
		const struct seen s = words_of(text, w->image[k]);
		if (s.x < least.x || (s.x == least.x && s.o < least.o))
			least = s;
	}
	return least;
}

static bool insert(struct walk *w, struct seen s)
{
	size_t place = qv_mix(s.x + qv_mix(s.o + 1)) & (w->room - 1);
	while (w->seen[place].x | w->seen[place].o) {
		if (w->seen[place].x == s.x && w->seen[place].o == s.o)
			return false;
		place = (place + 1) & (w->room - 1);
	}
	w->seen[place] = s;
	w->count++;
	return true;
}

/* The empty board is never asked for twice, so zeros can mean nothing. */
static bool is_new(struct walk *w, const char *text)
{
	if (2 * w->count >= w->room) {
		struct walk old = *w;
		w->room = old.room ? 2 * old.room : FIRST_ROOM;
		w->seen = calloc(w->room, sizeof *w->seen);
		assert_non_null(w->seen);
		w->count = 0;
		for (size_t i = 0; i < old.room; i++)
			if (old.seen[i].x | old.seen[i].o)
				insert(w, old.seen[i]);
		free(old.seen);
	}
	return insert(w, name_of(w, text));
}

/* ---- the walk ---- */

/* The empty cells that would complete a line of that side's. */
static int completing(const struct walk *w, const char *text, char side, bool *cells)
{
	int count = 0;
	memset(cells, 0, CELLS * sizeof *cells);
	for (int i = 0; i < LINES; i++) {
		int own = 0, empty = -1;
		for (int k = 0; k < 4; k++) {
			const int cell = w->lines[i][k];
			own += text[cell] == side;
			empty = text[cell] == '.' ? cell : empty;
		}
		if (own == 3 && empty >= 0 && !cells[empty]) {
			cells[empty] = true;
			count++;
		}
	}
	return count;
}

/* What the solver would play for the crosses, who must be winning. */
static int ask(struct walk *w, const char *text)
{
	struct { uint64_t words[2]; } state;
	const struct qv_solve_limits limits = { .size = sizeof limits, .distance = false };
	struct qv_solution s = { .size = sizeof s };
	char move[QV_MOVE_TEXT];
	struct qv_text out = { move, sizeof move, 0 };
	assert_int_equal(w->rules.game->state_size, sizeof state);
	assert_int_equal(qv_position_parse(&w->rules, text, &state, NULL), QV_OK);
	assert_int_equal(qv_solver_solve(w->solver, &state, &limits, &s, NULL), QV_OK);
	if (s.value != QV_VALUE_WIN)
		fail_msg("not won: %s", text);
	w->rules.game->move_text(&state, s.move, &out);
	w->asked++;
	return cell_at(move[0] - 'a', move[1] - '1', move[2] - 'A');
}

static void walk(struct walk *w, char *text);

/* Noughts to move: every reply. Where crosses can then complete a line, they do. */
static void walk_replies(struct walk *w, char *text)
{
	bool threats[CELLS], dangers[CELLS];
	const int count = completing(w, text, 'x', threats);
	assert_int_equal(completing(w, text, 'o', dangers), 0);
	bool any = false;
	for (int cell = 0; cell < CELLS; cell++) {
		if (text[cell] != '.')
			continue;
		any = true;
		w->replies++;
		if (count - threats[cell] > 0)
			continue;              /* four in a row */
		text[cell] = 'o';
		text[CELLS + 1] = 'x';
		walk(w, text);
		text[cell] = '.';
	}
	assert_true(any);                      /* a full cube would be a draw */
}

/* Crosses to move, with no line to complete unless it is the first call. */
static void walk(struct walk *w, char *text)
{
	bool threats[CELLS];
	if (completing(w, text, 'x', threats) || !is_new(w, text))
		return;
	const int cell = ask(w, text);
	assert_true(cell >= 0 && text[cell] == '.');
	text[cell] = 'x';
	text[CELLS + 1] = 'o';
	walk_replies(w, text);
	text[cell] = '.';
	text[CELLS + 1] = 'x';
}

static struct walk walk_open(void)
{
	struct walk w = { .context = qv_context_new(NULL) };
	assert_non_null(w.context);
	assert_int_equal(qv_rules_parse(w.context, "noughts3d", &w.rules, NULL), QV_OK);
	assert_int_equal(qv_solver_new(w.context, &w.rules, (size_t)64 << 20, &w.solver, NULL), QV_OK);
	find_lines(&w);
	find_symmetries(&w);
	return w;
}

static void walk_close(struct walk *w)
{
	print_message("%llu positions of the crosses, %llu replies of the noughts\n",
		      (unsigned long long)w->asked, (unsigned long long)w->replies);
	qv_solver_free(w->solver);
	qv_context_free(w->context);
	free(w->seen);
}

/* The proof whole where there is time for it (make soak); otherwise what follows two moves, or four in slow builds. */
static void test_noughts3d__the_proof_holds(void **unused)
{
	(void)unused;
	static const int opening[] = { 0, 5, 15, 50 };    /* crosses and noughts in turn */
	const int64_t scale = scaled(100);
	const int moves = scale > 100 ? 0 : scale == 100 ? 2 : 4;
	char text[TEXT + 1];
	struct walk w = walk_open();
	memset(text, '.', CELLS);
	memcpy(text + CELLS, " x", 3);
	for (int i = 0; i < moves; i++)
		text[opening[i]] = i % 2 ? 'o' : 'x';
	walk(&w, text);
	assert_true(w.asked > 0);
	walk_close(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_noughts3d__the_proof_holds),
	};
	return cmocka_run_group_tests_name("noughts3d_proof", tests, NULL, NULL);
}
