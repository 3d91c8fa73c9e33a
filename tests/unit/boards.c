/*
 * boards.c - boards and positions as JSON and as pictures: literal answers, lines found the slow
 * way, positions set up again, and refusals.
 * SPDX-License-Identifier: MIT
 */
#include "formats/board_json.h"

#include <stdlib.h>

#include "search/random_move.h"
#include "support/desk.h"
#include "support/scale.h"
#include "toys/toys.h"
#include "formats/board_svg.h"

static const char *const games[] = { "noughts",	 "noughts3d", "hexapawn", "hexapawn:blocked=draw",
				     "connect4", "reversi",   "race",	  NULL };

static json_t *parse(const char *text)
{
	json_error_t why;
	json_t *value = json_loads(text, JSON_DECODE_ANY, &why);
	if (!value)
		fail_msg("%s: %s", text, why.text);
	return value;
}

static void must_equal(json_t *found, const char *expected)
{
	json_t *value = parse(expected);
	char *text = json_dumps(found, JSON_COMPACT | JSON_ENCODE_ANY);
	if (!json_equal(found, value))
		fail_msg("%s\ninstead of\n%s", text, expected);
	free(text);
	json_decref(value);
}

static void must_view(const char *game, const char *position, const char *expected)
{
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	desk_open(&d, context, game, position);
	json_t *view = view_json(&d.rules, d.state);
	assert_non_null(view);
	must_equal(view, expected);
	json_decref(view);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Literal answers ---- */

/* One man moves by both dice, over either point. */
static void test_boards__other_ways_to_enter_a_move(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	desk_open(&d, context, "backgammon", "24:1,off:14 24:1,off:14 1 21");
	json_t *view = view_json(&d.rules, d.state);
	assert_non_null(view);
	must_equal(json_object_get(view, "moves"),
		   "[{\"move\":\"24/21\",\"clicks\":[23,21,21,20],\"ways\":[[23,22,22,20]]}]");
	json_decref(view);
	desk_close(&d);
	qv_context_free(context);
}

static void test_boards__a_position_of_noughts(void **unused)
{
	(void)unused;
	must_view("noughts", "xo..xo... x",
		  "{\"position\":\"xo..xo... x\",\"seat\":1,\"turn\":1,"
		  "\"moves\":[{\"move\":\"3\",\"clicks\":[2]},{\"move\":\"4\",\"clicks\":[3]},"
		  "{\"move\":\"7\",\"clicks\":[6]},{\"move\":\"8\",\"clicks\":[7]},"
		  "{\"move\":\"9\",\"clicks\":[8]}],"
		  "\"standing\":[[0,0,1],[1,1,1],[4,0,1],[5,1,1]],\"marks\":[],\"scores\":null,"
		  "\"over\":false,\"result\":null,\"points\":null,\"text\":"
		  "\" X │ O │ 3 \\n───┼───┼───\\n 4 │ X │ O \\n───┼───┼───\\n 7 │ 8 │ 9 \\n\"}");
	must_view("noughts", "xo..xo..x o",
		  "{\"position\":\"xo..xo..x o\",\"seat\":2,\"turn\":2,\"moves\":[],"
		  "\"standing\":[[0,0,1],[1,1,1],[4,0,1],[5,1,1],[8,0,1]],\"marks\":[0,4,8],"
		  "\"scores\":null,\"over\":true,\"result\":\"win 1\",\"points\":[1,0],\"text\":"
		  "\" X │ O │ 3 \\n───┼───┼───\\n 4 │ X │ O \\n───┼───┼───\\n 7 │ 8 │ X \\n\"}");
}

static void test_boards__a_position_of_race(void **unused)
{
	(void)unused;
	must_view("race", "0,3,3,18 0,0,7,12 2 5",
		  "{\"position\":\"0,3,3,18 0,0,7,12 2 5\",\"seat\":2,\"turn\":2,"
		  "\"moves\":[{\"move\":\"7-12\",\"clicks\":[6],\"touches\":[6,11]},"
		  "{\"move\":\"12-17\",\"clicks\":[11],\"touches\":[11,16]}],"
		  "\"standing\":[[17,0,1],[2,0,2],[19,0,1],[18,1,2],[6,1,1],[11,1,1],[21,6,1]],"
		  "\"marks\":[],\"scores\":[1,0],\"over\":false,\"result\":null,\"points\":null,"
		  "\"text\":\"                 11111111\\n  start 12345678901234567 home\\n"
		  "1   1   ··2··············   1\\n2   2   ······1····1·····   0\\nrolled: 5\\n\"}");
}

static json_t *get(json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	assert_non_null(value);
	return value;
}

static int number(json_t *list, size_t place)
{
	return (int)json_integer_value(json_array_get(list, place));
}

static void test_boards__before_a_throw_it_is_still_somebodys_turn(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	desk_open(&d, context, "race", "0,0,0,0 0,0,0,0 2 -");
	json_t *view = view_json(&d.rules, d.state);
	must_equal(get(view, "seat"), "0");
	must_equal(get(view, "turn"), "2");
	must_equal(json_array_get(get(view, "moves"), 5),
		   "{\"move\":\"roll 6\",\"clicks\":[],\"touches\":[]}");
	must_equal(get(view, "standing"), "[[17,0,4],[18,1,4]]");
	json_decref(view);
	desk_close(&d);
	qv_context_free(context);
}

static void test_boards__the_board_of_noughts(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	json_t *board = board_json(&rules);
	must_equal(get(board, "game"), "\"noughts\"");
	must_equal(get(board, "title"), "\"Noughts and crosses\"");
	must_equal(get(board, "width"), "330");
	must_equal(get(board, "height"), "330");
	must_equal(get(board, "ground"), "\"none\"");
	must_equal(get(board, "turnable"), "false");
	must_equal(get(board, "lines"),
		   "[[115,15,115,315],[15,115,315,115],[215,15,215,315],[15,215,315,215]]");
	must_equal(get(board, "labels"), "[]");
	assert_int_equal(json_array_size(get(board, "cells")), 9);
	must_equal(json_array_get(get(board, "cells"), 5),
		   "{\"name\":\"6\",\"x\":265,\"y\":165,\"width\":100,\"height\":100,\"slant\":0,"
		   "\"row\":1,\"column\":2,\"group\":0,\"shape\":\"rectangle\",\"tone\":\"none\"}");
	json_t *pieces = get(board, "pieces");
	assert_int_equal(json_array_size(pieces), 2);
	must_equal(get(json_array_get(pieces, 1), "name"), "\"nought\"");
	must_equal(get(json_array_get(pieces, 1), "paint"), "\"red\"");
	must_equal(get(json_array_get(pieces, 1), "seat"), "2");
	must_equal(get(json_array_get(pieces, 1), "most"), "1");
	json_decref(board);
	qv_context_free(context);
}

static void test_boards__red_begins_in_connect4(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, "connect4", &rules, NULL), QV_OK);
	json_t *board = board_json(&rules), *pieces = get(board, "pieces");
	assert_int_equal(json_array_size(pieces), 2);
	must_equal(get(json_array_get(pieces, 0), "name"), "\"red disc\"");
	must_equal(get(json_array_get(pieces, 0), "paint"), "\"red\"");
	must_equal(get(json_array_get(pieces, 0), "seat"), "1");
	must_equal(get(json_array_get(pieces, 1), "name"), "\"yellow disc\"");
	must_equal(get(json_array_get(pieces, 1), "paint"), "\"yellow\"");
	must_equal(get(json_array_get(pieces, 1), "seat"), "2");
	assert_non_null(strstr(rules.game->help, "Red moves first."));
	json_decref(board);
	qv_context_free(context);
}

static void test_boards__nobodys_pieces_and_counted_ones(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, "race", &rules, NULL), QV_OK);
	json_t *board = board_json(&rules), *pieces = get(board, "pieces");
	must_equal(get(json_array_get(pieces, 0), "most"), "4");
	must_equal(get(json_array_get(pieces, 7), "name"), "\"die 6\"");
	must_equal(get(json_array_get(pieces, 7), "seat"), "null");
	json_decref(board);
	qv_context_free(context);
}

static void test_boards__a_game_without_a_board_still_has_a_view(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct qv_error error = { "" };
	desk_open(&d, context, "diagram", "start");
	json_t *board = board_json(&d.rules), *view = view_json(&d.rules, d.state);
	json_t *nothing = json_array();
	assert_true(json_is_null(board));
	must_equal(get(view, "standing"), "[]");
	must_equal(get(json_array_get(get(view, "moves"), 0), "clicks"), "[]");
	assert_int_equal(view_set_up(&d.rules, nothing, 0, d.state, &error), QV_UNSUPPORTED);
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(board_svg(&d.rules, d.state, &out, &error), QV_UNSUPPORTED);
	assert_string_equal(error.text, "diagram: the game has no board");
	json_decref(nothing);
	json_decref(view);
	desk_close(&d);
	qv_context_free(context);
}

static void test_boards__a_counted_move_says_its_largest_count(void **unused)
{
	(void)unused;
	struct qv_rules rules = { &toy_counted, { 0 } };
	unsigned char state[256];
	for (int i = 0; toy_counted.options[i].name; i++)
		rules.options[i] = toy_counted.options[i].preset;
	assert_true(toy_counted.state_size <= sizeof state);
	toy_counted.start(rules.options, state);
	json_t *view = view_json(&rules, state), *moves = get(view, "moves");
	qv_move list[64];
	const int count = toy_counted.moves(state, list);
	assert_int_equal(json_array_size(moves), count);
	int counted = 0;
	for (int i = 0; i < count; i++) {
		const int most = toy_counted.max_count(state, list[i]);
		json_t *max = json_object_get(json_array_get(moves, (size_t)i), "max");
		assert_int_equal(max ? json_integer_value(max) : 1, most);
		counted += most > 1;
	}
	assert_true(counted > 0);
	json_decref(view);
}

static void test_boards__a_record_has_the_last_word_on_the_result(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	const int32_t drawn[2] = { 1, 1 }, won[2] = { 0, 1 };
	desk_open(&d, context, "noughts", "start");
	json_t *view = view_json(&d.rules, d.state);
	assert_true(view_set_result(view, d.rules.game, QV_ENDED, won));
	must_equal(get(view, "moves"), "[]");
	must_equal(get(view, "over"), "true");
	must_equal(get(view, "result"), "\"win 2\"");
	must_equal(get(view, "points"), "[0,1]");
	assert_true(view_set_result(view, d.rules.game, QV_DRAWN_BY_COUNT, drawn));
	must_equal(get(view, "result"), "\"draw\"");
	json_decref(view);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Every position of random games ---- */

struct walk {
	struct desk *d;
	struct qv_layout layout;
	json_t *view;
	int positions;
};

static void each_position(const char *game, int64_t times, void (*look)(struct walk *w))
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_random random = { 5, 0 };
	struct desk d;
	struct walk w = { .d = &d };
	for (int64_t n = scaled(times); n > 0; n--) {
		desk_open(&d, context, game, "start");
		w.layout = (struct qv_layout){ 0 };
		d.rules.game->board->layout(d.rules.options, &w.layout);
		for (int count = 1, ply = 0; count && ply < 400; ply++, w.positions++) {
			qv_move list[QV_MAX_MOVES];
			int32_t points[QV_MAX_SEATS];
			w.view = view_json(&d.rules, d.state);
			look(&w);
			json_decref(w.view);
			count = d.rules.game->result(d.state, points) == QV_GOING
					? d.rules.game->moves(d.state, list)
					: 0;
			if (count)
				d.rules.game->play(d.state, random_move(d.rules.game, d.state, list,
									count, &random));
		}
		desk_close(&d);
	}
	print_message("%s: %d positions\n", game, w.positions);
	qv_context_free(context);
}

/* The six games hide nothing: what stands and whose turn it is are the whole position. */
static void set_up_again(struct walk *w)
{
	const struct qv_game *game = w->d->rules.game;
	void *state = qv_state_new(w->d->context, game);
	struct qv_error error = { "" };
	const int turn = (int)json_integer_value(get(w->view, "turn")) - 1;
	if (view_set_up(&w->d->rules, get(w->view, "standing"), turn, state, &error) != QV_OK)
		fail_msg("%s: %s", json_string_value(get(w->view, "position")), error.text);
	assert_memory_equal(state, w->d->state, game->state_size);
	qv_state_free(w->d->context, game, state);
}

/* The same for a plug-in, whose board depends on its options. */
static void test_boards__a_board_may_depend_on_the_options(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	struct qv_error error = { "" };
	desk_open(&d, context, "toy-counted:heaps=2,size=9", "9 4 2");
	json_t *board = board_json(&d.rules), *view = view_json(&d.rules, d.state);
	assert_int_equal(json_array_size(get(board, "cells")), 2);
	must_equal(get(board, "game"), "\"toy-counted:heaps=2,size=9\"");
	must_equal(get(json_array_get(get(board, "cells"), 0), "shape"), "\"hexagon\"");
	must_equal(get(view, "standing"), "[[0,0,9],[1,0,4]]");
	must_equal(json_array_get(get(view, "moves"), 1),
		   "{\"move\":\"take b 4\",\"clicks\":[1],\"max\":4}");
	json_t *other = parse("[[1,0,7]]");
	assert_int_equal(view_set_up(&d.rules, other, 0, d.state, &error), QV_OK);
	json_t *after = view_json(&d.rules, d.state);
	must_equal(get(after, "position"), "\"0 7 1\"");
	json_decref(after);
	json_decref(other);
	json_decref(view);
	json_decref(board);
	desk_close(&d);
	qv_context_free(context);
}

/*
 * A page rotates the board for the second seat, so that each sees its pieces at the bottom: at the
 * start those of the first must be below the others.
 */
static void test_boards__the_first_seat_is_at_the_bottom(void **unused)
{
	(void)unused;
	static const char *const turnable[] = { "chess",    "minichess", "hexapawn",
						"draughts", "warptrog",	 NULL };
	struct qv_context *context = qv_context_new(NULL);
	for (int g = 0; turnable[g]; g++) {
		struct desk d;
		desk_open(&d, context, turnable[g], "start");
		json_t *board = board_json(&d.rules), *view = view_json(&d.rules, d.state);
		json_t *standing = get(view, "standing"), *one;
		size_t i;
		json_int_t heights[3] = { 0 };
		must_equal(get(board, "turnable"), "true");
		json_array_foreach(standing, i, one)
		{
			const size_t at = (size_t)json_integer_value(json_array_get(one, 0));
			const size_t piece = (size_t)json_integer_value(json_array_get(one, 1));
			json_t *seat = get(json_array_get(get(board, "pieces"), piece), "seat");
			json_t *cell = json_array_get(get(board, "cells"), at);
			heights[json_integer_value(seat)] += json_integer_value(get(cell, "y"));
		}
		if (heights[1] <= heights[2])
			fail_msg("%s: the first seat is at the top", turnable[g]);
		json_decref(view);
		json_decref(board);
		desk_close(&d);
	}
	qv_context_free(context);
}

static void test_boards__what_stands_can_be_set_up_again(void **unused)
{
	(void)unused;
	for (int i = 0; games[i]; i++)
		each_position(games[i], 50, set_up_again);
}

/* A move is named after what is clicked. */
static void names_match(struct walk *w)
{
	const char *game = w->d->rules.game->name;
	json_t *move;
	size_t i;
	json_array_foreach(get(w->view, "moves"), i, move) {
		json_t *clicks = get(move, "clicks");
		char name[64] = "";
		for (size_t k = 0; k < json_array_size(clicks); k++)
			snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s",
				 k ? "-" : "",
				 w->layout.cells[number(clicks, k)].name);
		const char *text = json_string_value(get(move, "move"));
		if (!strcmp(game, "connect4")) {
			const struct qv_cell *cell = &w->layout.cells[number(clicks, 0)];
			assert_int_equal(cell->group, text[0] - '0');
			assert_int_equal(cell->column, text[0] - '1');
		} else if (strcmp(text, "pass") != 0) {
			assert_string_equal(name, text);
		} else {
			assert_string_equal(name, "");
		}
	}
}

static void test_boards__a_move_is_named_after_what_is_clicked(void **unused)
{
	(void)unused;
	for (int i = 0; games[i]; i++)
		if (strcmp(games[i], "race") != 0)
			each_position(games[i], 10, names_match);
}

/* In Race! the touched cells are FROM-TO. */
static void touches_match(struct walk *w)
{
	json_t *move;
	size_t i;
	json_array_foreach(get(w->view, "moves"), i, move) {
		const char *text = json_string_value(get(move, "move"));
		const int turn = (int)json_integer_value(get(w->view, "turn"));
		json_t *touches = get(move, "touches");
		int from, to;
		if (sscanf(text, "%d-%d", &from, &to) != 2) {
			assert_int_equal(json_array_size(touches), 0);
			continue;
		}
		const int squares[2] = { from, to };
		for (size_t k = 0; k < 2; k++) {
			char name[16];
			const char *at = w->layout.cells[number(touches, k)].name;
			snprintf(name, sizeof name, "%s%d",
				 squares[k] == 0    ? "start "
				 : squares[k] == 18 ? "home "
						    : "",
				 squares[k] == 0 || squares[k] == 18 ? turn : squares[k]);
			assert_string_equal(at, name);
		}
	}
}

static void test_boards__a_move_of_race_touches_from_and_to(void **unused)
{
	(void)unused;
	each_position("race", 10, touches_match);
}

/*
 * Marks, the slow way: every straight row of `length` cells, by their coordinates, on which the
 * same piece stands.
 */
struct lattice {
	int piece[4][16][16];              /* level, row, column; -1: nothing */
	bool marked[4][16][16];
};

static void mark_row(struct lattice *l, const int at[3], const int step[3], int length)
{
	int piece = -1;
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < length; i++) {
			const int z = at[0] + i * step[0], y = at[1] + i * step[1],
				  x = at[2] + i * step[2];
			if (x < 0 || x > 15 || y < 0 || y > 15 || z < 0 || z > 3 ||
			    l->piece[z][y][x] < 0 || (i && l->piece[z][y][x] != piece))
				return;
			piece = l->piece[z][y][x];
			if (pass)
				l->marked[z][y][x] = true;
		}
}

static void mark_all(struct lattice *l, int length)
{
	for (int i = 0; i < 4 * 16 * 16; i++)
		for (int direction = 0; direction < 27; direction++) {
			const int at[3] = { i / 256, i / 16 % 16, i % 16 };
			const int step[3] = { direction / 9 - 1, direction / 3 % 3 - 1,
					      direction % 3 - 1 };
			if (direction != 13)
				mark_row(l, at, step, length);
		}
}

/* In the lattice; a place of the cube says by its name where it is. */
static int place_of(const struct qv_cell *c, bool cube)
{
	if (!cube)
		return c->row * 16 + c->column;
	return (c->name[2] - 'A') * 256 + (c->name[1] - '1') * 16 + c->name[0] - 'a';
}

static void marks_match(struct walk *w)
{
	static struct lattice l;
	const bool cube = !strcmp(w->d->rules.game->name, "noughts3d");
	const int length = w->layout.cell_count == 9 ? 3 : 4;
	json_t *entry, *mark;
	size_t i;
	memset(&l, 0, sizeof l);
	memset(l.piece, -1, sizeof l.piece);
	json_array_foreach(get(w->view, "standing"), i, entry) {
		const struct qv_cell *c = &w->layout.cells[number(entry, 0)];
		(&l.piece[0][0][0])[place_of(c, cube)] = number(entry, 1);
	}
	mark_all(&l, length);
	json_array_foreach(get(w->view, "marks"), i, mark) {
		const struct qv_cell *c = &w->layout.cells[json_integer_value(mark)];
		bool *marked = &l.marked[0][0][0] + place_of(c, cube);
		assert_true(*marked);
		*marked = false;
	}
	for (const bool *m = &l.marked[0][0][0]; m < &l.marked[0][0][0] + 4 * 16 * 16; m++)
		assert_false(*m);
}

static void test_boards__marks_are_the_rows_that_won(void **unused)
{
	(void)unused;
	each_position("noughts", 100, marks_match);
	each_position("connect4", 60, marks_match);
	each_position("noughts3d", 20, marks_match);
}

static void scores_match(struct walk *w)
{
	int discs[2] = { 0, 0 };
	for (const char *c = json_string_value(get(w->view, "position")); *c != ' '; c++) {
		discs[0] += *c == 'X';
		discs[1] += *c == 'O';
	}
	assert_int_equal(number(get(w->view, "scores"), 0), discs[0]);
	assert_int_equal(number(get(w->view, "scores"), 1), discs[1]);
}

static void test_boards__the_score_of_reversi_is_the_discs(void **unused)
{
	(void)unused;
	each_position("reversi", 10, scores_match);
}

/* ---- Refusals ---- */

struct refusal {
	const char *game, *standing;
	int seat;
	const char *reason;
};

static const struct refusal refusals[] = {
	{ "noughts", "{}", 0, "standing: expected a list of at most 9 entries" },
	{ "noughts", "7", 0, "standing: expected a list of at most 9 entries" },
	{ "noughts", "[0,0,0,0,0,0,0,0,0,0]", 0,
	  "standing: expected a list of at most 9 entries" },
	{ "noughts", "[7]", 0, "standing: entry 1 is not [cell, piece, count]" },
	{ "noughts", "[[0,0],[1]]", 0, "standing: entry 2 is not [cell, piece, count]" },
	{ "noughts", "[[0,0,1,1]]", 0, "standing: entry 1 is not [cell, piece, count]" },
	{ "noughts", "[[9,0]]", 0, "standing: entry 1: the cell is not a number from 0 to 8" },
	{ "noughts", "[[-1,0]]", 0, "standing: entry 1: the cell is not a number from 0 to 8" },
	{ "noughts", "[[\"1\",0]]", 0, "standing: entry 1: the cell is not a number from 0 to 8" },
	{ "noughts", "[[1.0,0]]", 0, "standing: entry 1: the cell is not a number from 0 to 8" },
	{ "noughts", "[[0,2]]", 0, "standing: entry 1: the piece is not a number from 0 to 1" },
	{ "noughts", "[[0,null]]", 0, "standing: entry 1: the piece is not a number from 0 to 1" },
	{ "noughts", "[[0,0,2]]", 0, "standing: 1: a cell can hold 1 to 1 of cross" },
	{ "noughts", "[[0,0,0]]", 0, "standing: 1: a cell can hold 1 to 1 of cross" },
	{ "noughts", "[[0,0],[0,1]]", 0, "standing: 1 is given twice" },
	{ "noughts", "[]", 2, "seat: expected 1 to 2, not 3" },
	{ "noughts", "[]", -1, "seat: expected 1 to 2, not 0" },
	{ "noughts", "[]", 1, "position: the number of marks shows that it is x's turn" },
	{ "noughts", "[[0,1]]", 0,
	  "position: x moves first, so x must have as many marks as o, or one more" },
	{ "noughts3d", "[[63,1]]", 0,
	  "position: x moves first, so x must have as many marks as o, or one more" },
	{ "hexapawn", "[[6,0],[0,1]]", 0,
	  "position: White has already won and cannot be to move" },
	{ "connect4", "[[1,0]]", 1, "position: a disc has an empty place below it" },
	{ "connect4", "[[0,0]]", 0, "position: the number of discs shows that it is o's turn" },
	{ "reversi", "[]", 0, "position: d4, e4, d5 and e5 cannot be empty" },
	{ "race", "[[17,0,4],[18,1,3]]", 0, "position: seat 2 has 3 pieces instead of 4" },
	{ "race", "[[17,0,4],[18,1,5]]", 0,
	  "standing: start 2: a cell can hold 1 to 4 of red piece" },
	{ "race", "[[17,0,4],[18,1,4],[0,0,4]]", 0, "position: seat 1 has 8 pieces instead of 4" },
	{ "race", "[[18,0,4]]", 0, "position: a piece is on the start or home of the other seat" },
	{ "race", "[[21,0,1]]", 0, "position: only the die may be on the square of the die" },
	{ "race", "[[3,2,1]]", 0, "position: only the die may be on the square of the die" },
	{ "race", "[[19,0,4],[20,1,4]]", 0, "position: both seats have all pieces home" },
};

static void test_boards__refuses_with_the_reason(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
		const struct refusal *r = &refusals[i];
		struct desk d;
		struct qv_error error = { "" };
		unsigned char before[256];
		desk_open(&d, context, r->game, "start");
		memcpy(before, d.state, d.rules.game->state_size);
		json_t *standing = parse(r->standing);
		assert_int_not_equal(view_set_up(&d.rules, standing, r->seat, d.state, &error),
				     QV_OK);
		assert_string_equal(error.text, r->reason);
		assert_memory_equal(before, d.state, d.rules.game->state_size);
		json_decref(standing);
		desk_close(&d);
	}
	qv_context_free(context);
}

/* ---- Memory ---- */

static int allocations_left;

static void *scarce(size_t size)
{
	return allocations_left-- > 0 ? malloc(size) : NULL;
}

static void test_boards__no_memory_is_no_answer_and_no_leak(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	int failures = 0;
	desk_open(&d, context, "race", "0,3,3,18 0,0,7,12 2 5");
	for (bool done = false; !done; failures++) {
		json_set_alloc_funcs(scarce, free);
		allocations_left = failures;
		json_t *view = view_json(&d.rules, d.state);
		json_t *board = view ? board_json(&d.rules) : NULL;
		done = board != NULL;
		json_decref(view);
		json_decref(board);
		json_set_alloc_funcs(malloc, free);
	}
	assert_true(failures > 100);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Pictures ---- */

static int occurrences(const char *text, const char *part)
{
	int count = 0;
	for (; (text = strstr(text, part)); text += strlen(part))
		count++;
	return count;
}

static void test_boards__a_picture_has_every_piece(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct string out = { .allocator = &mem_malloc };
	desk_open(&d, context, "race", "0,3,3,18 0,0,7,12 2 5");
	assert_int_equal(board_svg(&d.rules, d.state, &out, NULL), QV_OK);
	assert_false(out.failed);
	assert_int_equal(strncmp(out.data, "<svg xmlns='http://www.w3.org/2000/svg' ", 40), 0);
	assert_string_equal(out.data + out.length - 7, "</svg>\n");
	assert_int_equal(occurrences(out.data, "<g transform="), 7);
	assert_int_equal(occurrences(out.data, "<circle"), 2);
	assert_int_equal(occurrences(out.data, "<rect"), 1 + 22);
	assert_int_equal(occurrences(out.data, "<title>Race!: 0,3,3,18 0,0,7,12 2 5</title>"), 1);
	string_release(&out);
	desk_close(&d);
	qv_context_free(context);
}

/* A home world with a colony beside it, which an enemy blockades; all others belong to nobody. */
static void test_boards__the_map_of_star_chess(void **unused)
{
	static const char position[] =
		"SC1 turn=1 move=1 f1=0,0 f2=0,0 f3=- f4=- A1=T1:1000:0/1:20:5 A2=T1:30:0/2:7:0 "
		"A3=B0 A4=T2:900:0 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0 C3=B0 C4=B0 D1=B0 D2=B0 "
		"D3=B0 D4=B0";
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct string out = { .allocator = &mem_malloc };
	desk_open(&d, context, "starchess", position);
	assert_int_equal(board_svg(&d.rules, d.state, &out, NULL), QV_OK);
	assert_false(out.failed);
	assert_int_equal(occurrences(out.data, "<circle r='45' fill='#e5584c'/>"), 2);
	assert_int_equal(occurrences(out.data, "<circle r='45' fill='#f5c63a'/>"), 1);
	assert_int_equal(occurrences(out.data, "<circle r='40' fill='#9a7b5c'/>"), 13);
	assert_int_equal(occurrences(out.data, "stroke='#ff8a70'"), 1);
	assert_int_equal(occurrences(out.data, "translate(34 -38)"), 2); /* the stars of homes */
	assert_int_equal(occurrences(out.data, ">1000</text>"), 1);
	assert_int_equal(occurrences(out.data, ">20</text>"), 1);
	/* A quarter of the bar is filled; none of the other one, whose ship is pale. */
	assert_int_equal(occurrences(out.data, "width='19' height='8' rx='4' fill='#e5584c'"), 1);
	assert_int_equal(occurrences(out.data, "opacity='.55'"), 1);
	string_release(&out);
	desk_close(&d);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_boards__a_position_of_noughts),
		cmocka_unit_test(test_boards__other_ways_to_enter_a_move),
		cmocka_unit_test(test_boards__a_position_of_race),
		cmocka_unit_test(test_boards__before_a_throw_it_is_still_somebodys_turn),
		cmocka_unit_test(test_boards__the_board_of_noughts),
		cmocka_unit_test(test_boards__red_begins_in_connect4),
		cmocka_unit_test(test_boards__nobodys_pieces_and_counted_ones),
		cmocka_unit_test(test_boards__a_game_without_a_board_still_has_a_view),
		cmocka_unit_test(test_boards__a_counted_move_says_its_largest_count),
		cmocka_unit_test(test_boards__a_record_has_the_last_word_on_the_result),
		cmocka_unit_test(test_boards__a_board_may_depend_on_the_options),
		cmocka_unit_test(test_boards__the_first_seat_is_at_the_bottom),
		cmocka_unit_test(test_boards__what_stands_can_be_set_up_again),
		cmocka_unit_test(test_boards__a_move_is_named_after_what_is_clicked),
		cmocka_unit_test(test_boards__a_move_of_race_touches_from_and_to),
		cmocka_unit_test(test_boards__marks_are_the_rows_that_won),
		cmocka_unit_test(test_boards__the_score_of_reversi_is_the_discs),
		cmocka_unit_test(test_boards__refuses_with_the_reason),
		cmocka_unit_test(test_boards__no_memory_is_no_answer_and_no_leak),
		cmocka_unit_test(test_boards__a_picture_has_every_piece),
		cmocka_unit_test(test_boards__the_map_of_star_chess),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
