/*
 * reversi.c - the fast reversi against published facts and against its literal twin.
 * SPDX-License-Identifier: MIT
 */
#include "games/reversi/evaluate.h"
#include "support/check.h"
#include "twins/reversi.h"

enum { LIST = REVERSI_MAX_MOVES, TEXT = 128 };

static struct reversi start_of_game(void)
{
	struct reversi s;
	reversi_start(&s, NULL);
	return s;
}

static void text_of(const struct reversi *s, char text[TEXT])
{
	struct qv_text out = { text, TEXT, 0 };
	reversi_position_text(s, &out);
}

static struct reversi parsed(const char *text)
{
	struct reversi s;
	struct qv_error error = { "" };
	if (reversi_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static qv_move square(const char *name)
{
	return (qv_move)(name[0] - 'a' + 8 * (name[1] - '1'));
}

/* Plays moves written without blanks, as d3c3b3, each of them legal. */
static void play_all(struct reversi *s, const char *moves)
{
	for (; *moves; moves += 2) {
		assert_true(reversi_mobility(s->mover, s->other) >> square(moves) & 1);
		reversi_play(s, square(moves));
	}
}

/* Any arrangement of discs, possible or not: the rules of moving are the same. */
static struct reversi random_board(struct qv_random *random)
{
	struct reversi s = { 0, 0, qv_random_below(random, 2) };
	const uint64_t emptiness = 1 + qv_random_below(random, 8);
	for (int i = 0; i < 64; i++) {
		const uint64_t what = qv_random_below(random, 4 + emptiness);
		if (what < 2)
			s.mover |= UINT64_C(1) << i;
		else if (what < 4)
			s.other |= UINT64_C(1) << i;
	}
	return s;
}

static int random_move(const struct reversi *s, struct qv_random *random, qv_move *move)
{
	qv_move list[LIST];
	const int n = reversi_moves(s, list);
	if (n)
		*move = list[qv_random_below(random, (uint64_t)n)];
	return n;
}

/* Calls check for every position of some random games, the ends included. */
static void walk_random_games(uint64_t key, int games, void (*check)(const struct reversi *))
{
	struct qv_random random = { key, 0 };
	for (int game = 0; game < games; game++) {
		struct reversi s = start_of_game();
		qv_move move;
		for (check(&s); random_move(&s, &random, &move); check(&s))
			reversi_play(&s, move);
	}
}

/* ---- The rules ---- */

static void test_start__four_moves_for_black(void **unused)
{
	(void)unused;
	const struct reversi s = start_of_game();
	qv_move list[LIST];
	assert_int_equal(reversi_seat(&s), 0);
	assert_int_equal(reversi_moves(&s, list), 4);
	assert_int_equal(list[0], square("d3"));
	assert_int_equal(list[1], square("c4"));
	assert_int_equal(list[2], square("f5"));
	assert_int_equal(list[3], square("e6"));
}

static uint64_t perft(const struct reversi *s, int depth)
{
	if (depth == 1)
		return (uint64_t)reversi_count(s);
	qv_move list[LIST];
	const int n = reversi_moves(s, list);
	uint64_t leaves = 0;
	for (int i = 0; i < n; i++) {
		struct reversi next = *s;
		reversi_play(&next, list[i]);
		leaves += perft(&next, depth - 1);
	}
	return leaves;
}

static void test_perft__published_counts(void **unused)
{
	static const uint64_t leaves[] = { 4, 12, 56, 244, 1396, 8200, 55092, 390216 };
	(void)unused;
	const struct reversi s = start_of_game();
	for (int depth = 1; depth <= 8; depth++)
		assert_int_equal(perft(&s, depth), leaves[depth - 1]);
}

/* The first pass a game can have comes after eight moves. */
static void test_pass__forced_and_alone(void **unused)
{
	(void)unused;
	struct reversi s = start_of_game();
	play_all(&s, "d3c3b3b2f5a3a1c1");
	char text[TEXT];
	text_of(&s, text);
	assert_string_equal(text,
			    "X-O------O------OOXX-------XX------XXX-------------------------- X");

	qv_move list[LIST];
	int32_t points[2];
	assert_int_equal(reversi_result(&s, points), QV_GOING);
	assert_int_equal(reversi_moves(&s, list), 1);
	assert_int_equal(list[0], REVERSI_PASS);
	assert_int_equal(reversi_count(&s), 1);

	struct reversi next = s;
	reversi_play(&next, REVERSI_PASS);
	assert_int_equal(reversi_seat(&next), 1);
	assert_true(next.mover == s.other && next.other == s.mover);
	assert_true(reversi_count(&next) > 0);
}

/* The shortest game: black has won after nine moves, with no white disc left. */
static void test_end__wipe_out(void **unused)
{
	(void)unused;
	struct reversi s = start_of_game();
	play_all(&s, "e6f4e3f6g5d6e7f5c5");
	qv_move list[LIST];
	int32_t points[2] = { -1, -1 };
	assert_int_equal(reversi_result(&s, points), QV_ENDED);
	assert_int_equal(points[0], 13);
	assert_int_equal(points[1], 0);
	assert_int_equal(reversi_seat(&s), 1);
	assert_int_equal(reversi_moves(&s, list), 0);
	assert_int_equal(reversi_count(&s), 0);
	assert_int_equal(reversi_leaf(&s, reversi_weights), QV_LEAF_LOST);
}

static void test_end__full_board_and_draw(void **unused)
{
	static const char drawn[] =
		"XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO O";
	(void)unused;
	const struct reversi s = parsed(drawn);
	int32_t points[2] = { -1, -1 };
	assert_int_equal(reversi_result(&s, points), QV_ENDED);
	assert_int_equal(points[0], 32);
	assert_int_equal(points[1], 32);
	assert_int_equal(reversi_leaf(&s, reversi_weights), QV_LEAF_DRAWN);
}

static uint64_t bit_at(int row, int column)
{
	return row >= 0 && row < 8 && column >= 0 && column < 8 ? UINT64_C(1) << (row * 8 + column)
								: 0;
}

/*
 * A row of n of their discs from the square on, mine beyond it: turned if all of it is on the
 * board, else nothing.
 */
static void check_ray(int from, int down, int right, int n)
{
	uint64_t theirs = 0, mine = 0;
	for (int i = 1; i <= n; i++)
		theirs |= bit_at(from / 8 + i * down, from % 8 + i * right);
	mine = bit_at(from / 8 + (n + 1) * down, from % 8 + (n + 1) * right);
	assert_int_equal(reversi_turned(mine, theirs, from), mine ? theirs : 0);
	assert_int_equal(reversi_mobility(mine, theirs), mine && n ? UINT64_C(1) << from : 0);
	mine = mine ? ~theirs & ~(UINT64_C(1) << from) : 0;
	assert_int_equal(reversi_turned(mine, theirs, from), mine ? theirs : 0);
}

static void test_turned__every_ray(void **unused)
{
	(void)unused;
	for (int from = 0; from < 64; from++)
		for (int direction = 0; direction < 9; direction++)
			for (int n = 0; n <= 7 && direction != 4; n++)
				check_ray(from, direction / 3 - 1, direction % 3 - 1, n);
}

static void test_turned__eight_directions_at_once(void **unused)
{
	static const char star[] = "X-X-X---" "-OOO----" "XO-OOOOX" "-OOOX---"
				   "X-OXO---" "--O--O--" "--O---O-" "--X----X" " X";
	(void)unused;
	struct reversi s = parsed(star);
	const uint64_t theirs = s.other;
	assert_int_equal(bits_count(theirs), 17);
	assert_int_equal(reversi_turned(s.mover, theirs, (int)square("c3")), theirs);
	reversi_play(&s, square("c3"));
	assert_int_equal(s.mover, 0);
	assert_int_equal(bits_count(s.other), 10 + 17 + 1);
}

/* ---- The twin ---- */

static void check_same_moves(const struct reversi *s, const char *text)
{
	qv_move list[LIST];
	char names[64][16];
	const int n = reversi_moves(s, list);
	assert_int_equal(n, twin_reversi.moves(text, names, 64));
	assert_int_equal(n, reversi_count(s));
	for (int i = 0; i < n; i++) {
		char name[QV_MOVE_TEXT];
		struct qv_text out = { name, sizeof name, 0 };
		reversi_move_text(s, list[i], &out);
		assert_string_equal(name, names[i]);
	}
}

static void check_same_end(const struct reversi *s, const char *text)
{
	int32_t points[2] = { -1, -1 };
	int expected[2] = { -1, -1 };
	const bool over = twin_reversi.over(text, expected);
	assert_int_equal(reversi_result(s, points), over ? QV_ENDED : QV_GOING);
	assert_int_equal(points[0], expected[0]);
	assert_int_equal(points[1], expected[1]);
}

/* Plays the move on both; they must stay the same. */
static void play_both(struct reversi *s, char *twin_text, qv_move move)
{
	char name[QV_MOVE_TEXT], text[TEXT];
	struct qv_text out = { name, sizeof name, 0 };
	reversi_move_text(s, move, &out);
	assert_true(twin_reversi.play(twin_text, TWIN_REVERSI_POSITION, name));
	reversi_play(s, move);
	text_of(s, text);
	assert_string_equal(text, twin_text);
}

static void test_twin__random_games(void **unused)
{
	(void)unused;
	struct qv_random random = { 1, 0 };
	for (int game = 0; game < 2000; game++) {
		struct reversi s = start_of_game();
		char text[TWIN_REVERSI_POSITION];
		twin_reversi.start(text, sizeof text);
		for (qv_move move; random_move(&s, &random, &move); play_both(&s, text, move)) {
			check_same_moves(&s, text);
			check_same_end(&s, text);
		}
		check_same_moves(&s, text);
		check_same_end(&s, text);
	}
}

/* Boards that games seldom or never show, every move of each. */
static void test_twin__random_boards(void **unused)
{
	(void)unused;
	struct qv_random random = { 2, 0 };
	for (int board = 0; board < 3000; board++) {
		const struct reversi s = random_board(&random);
		char text[TEXT];
		qv_move list[LIST];
		text_of(&s, text);
		check_same_moves(&s, text);
		check_same_end(&s, text);
		const int n = reversi_moves(&s, list);
		for (int i = 0; i < n; i++) {
			struct reversi next = s;
			char copy[TWIN_REVERSI_POSITION];
			memcpy(copy, text, sizeof copy);
			play_both(&next, copy, list[i]);
		}
	}
}

static void test_twin__refuses_what_is_illegal(void **unused)
{
	static const char *const moves[] = { "pass", "a1", "d4", "i9", "d", "d33", "", "D3" };
	(void)unused;
	for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
		char text[TWIN_REVERSI_POSITION];
		twin_reversi.start(text, sizeof text);
		assert_false(twin_reversi.play(text, sizeof text, moves[i]));
	}
}

/* ---- Text ---- */

static void check_round_trip(const struct reversi *s)
{
	char text[TEXT];
	text_of(s, text);
	const struct reversi again = parsed(text);
	assert_memory_equal(&again, s, sizeof again);
}

static void test_text__round_trip(void **unused)
{
	(void)unused;
	walk_random_games(3, 300, check_round_trip);
}

/* Positions 40, 52 and 59 of the FFO endgame suite, with the number of their moves. */
static void test_text__reads_known_positions(void **unused)
{
	static const struct {
		const char *text;
		int moves;
	} known[] = {
		{ "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 10 },
		{ "---X-------OX--X--XOOXXXXXXOXXXXXXXOOXXXXXXOOOXX--XO---X-------- O", 10 },
		{ "-----------------------O--OOOOO---OOOOOXOOOOXXXX--XXOOXX--XX-O-X X", 11 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct reversi s = parsed(known[i].text);
		assert_int_equal(reversi_count(&s), known[i].moves);
		check_round_trip(&s);
	}
}

static void check_refused(const char *text, enum qv_status expected, const char *reason)
{
	struct reversi s = start_of_game();
	const struct reversi before = s;
	struct qv_error error = { "" };
	assert_int_equal(reversi_position_parse(&s, NULL, text, &error), expected);
	if (!strstr(error.text, reason))
		fail_msg("\"%s\" does not speak of \"%s\"", error.text, reason);
	assert_memory_equal(error.text, "position: ", 10);
	assert_memory_equal(&s, &before, sizeof s);
	assert_int_equal(reversi_position_parse(&s, NULL, text, NULL), expected);
}

static void test_text__refuses_malformed(void **unused)
{
	static const char start[] =
		"---------------------------OX------XO--------------------------- X";
	(void)unused;
	parsed(start);
	for (size_t length = 0; length < sizeof start - 1; length++) {
		char cut[sizeof start] = "";
		memcpy(cut, start, length);
		check_refused(cut, QV_BAD_INPUT, length < 64 ? "64 squares" : "the side");
	}
	static const struct {
		size_t at;
		char letter;
		const char *reason;
	} changes[] = {
		{ 0, 'x', "a1" }, { 9, '*', "b2" }, { 63, ' ', "h8" }, { 7, '.', "h1" },
		{ 27, '\xff', "d4" }, { 64, '\t', "the side" }, { 65, 'x', "the side" },
		{ 65, '-', "the side" }, { 65, ' ', "the side" },
	};
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		char text[sizeof start];
		memcpy(text, start, sizeof text);
		text[changes[i].at] = changes[i].letter;
		check_refused(text, QV_BAD_INPUT, changes[i].reason);
	}
	static const char *const endings[] = { " X ", " X; junk!", "  X", " X\n" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		char text[sizeof start + 8];
		snprintf(text, sizeof text, "%.64s%s", start, endings[i]);
		check_refused(text, QV_BAD_INPUT, "the side");
	}
}

static void test_text__refuses_impossible(void **unused)
{
	static const struct {
		const char *text, *reason;
	} impossible[] = {
		{ "---------------------------------------------------------------- X", "empty" },
		{ "---------------------------OX------X---------------------------- O", "empty" },
		{ "---------------------------OX------XO--------------------------X X", "on h8 " },
		{ "-------X--------X----------OX------XO--------------------------- X", "on h1 " },
		/* Next to each other in the order of the squares, not on the board. */
		{ "---------------------------OXXXXX--XO--------------------------- X", "on a5 " },
		{ "-----------------------XXXXOX------XO--------------------------- X", "on h3 " },
		{ "---------------------------XX------XX--------------------------- X",
		  "crosswise" },
		{ "---------------------------XX------OO--------------------------- X",
		  "crosswise" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++)
		check_refused(impossible[i].text, QV_ILLEGAL, impossible[i].reason);
	parsed("---------------------------XO------OX--------------------------- X");
	parsed("---------------------------OX------XO--------------------------- O");
}

static void test_text__of_moves_and_cut(void **unused)
{
	(void)unused;
	const struct reversi s = start_of_game();
	char text[8];
	struct qv_text out = { text, sizeof text, 0 };
	reversi_move_text(&s, 0, &out);
	assert_string_equal(text, "a1");
	reversi_move_text(&s, 63, &out);
	assert_string_equal(text, "a1h8");
	out.length = 0;
	reversi_move_text(&s, REVERSI_PASS, &out);
	assert_string_equal(text, "pass");
	out.length = 0;
	reversi_position_text(&s, &out);
	assert_string_equal(text, "-------");
	assert_int_equal(out.length, 66);
}

static void test_draw__plain_and_unicode(void **unused)
{
	(void)unused;
	const struct reversi s = start_of_game();
	char text[1024];
	struct qv_text out = { text, sizeof text, 0 };
	reversi_draw(&s, false, &out);
	assert_string_equal(text,
			    "  a b c d e f g h\n"
			    "1 . . . . . . . .\n"
			    "2 . . . . . . . .\n"
			    "3 . . . + . . . .\n"
			    "4 . . + O X . . .\n"
			    "5 . . . X O + . .\n"
			    "6 . . . . + . . .\n"
			    "7 . . . . . . . .\n"
			    "8 . . . . . . . .\n"
			    "  X 2  O 2\n");
	out.length = 0;
	reversi_draw(&s, true, &out);
	assert_non_null(strstr(text, "4 · · + ○ ● · · ·\n"));
	assert_non_null(strstr(text, "  ● X 2  ○ O 2\n"));
}

/* ---- Images and hashes ---- */

/* Where image k takes a square, told by columns and rows. */
static int image_of_square(int from, int k)
{
	int x = from % 8, y = from / 8;
	if (k & 4)
		x = 7 - x;
	for (int turns = k & 3; turns; turns--) {
		const int old_x = x;
		x = 7 - y;
		y = old_x;
	}
	return y * 8 + x;
}

static void test_image__of_every_square(void **unused)
{
	(void)unused;
	const struct reversi s = start_of_game();
	for (int k = 0; k < 8; k++) {
		for (int i = 0; i < 64; i++) {
			assert_int_equal(reversi_image_move(&s, k, (qv_move)i),
					 image_of_square(i, k));
			assert_int_equal(reversi_image_squares(UINT64_C(1) << i, k),
					 UINT64_C(1) << image_of_square(i, k));
		}
		assert_int_equal(reversi_image_move(&s, k, REVERSI_PASS), REVERSI_PASS);
	}
}

/* Playing and taking the image may be done in either order; nothing else changes. */
static void check_images(const struct reversi *s)
{
	qv_move list[LIST];
	const int n = reversi_moves(s, list);
	for (int k = 0; k < 8; k++) {
		struct reversi image;
		reversi_image(s, k, &image);
		assert_int_equal(reversi_count(&image), n);
		assert_int_equal(reversi_leaf(&image, reversi_weights),
				 reversi_leaf(s, reversi_weights));
		check_round_trip(&image);
		for (int i = 0; i < n; i++) {
			struct reversi one = *s, other = image;
			reversi_play(&one, list[i]);
			reversi_image(&one, k, &one);
			reversi_play(&other, reversi_image_move(s, k, list[i]));
			assert_memory_equal(&one, &other, sizeof one);
		}
	}
}

static void test_image__laws(void **unused)
{
	(void)unused;
	walk_random_games(4, 50, check_images);
}

static void test_image__eight_different_ones(void **unused)
{
	(void)unused;
	struct reversi s = start_of_game(), images[8];
	play_all(&s, "d3c3b3b2");
	for (int k = 0; k < 8; k++) {
		reversi_image(&s, k, &images[k]);
		for (int earlier = 0; earlier < k; earlier++)
			assert_memory_not_equal(&images[k], &images[earlier], sizeof s);
	}
	assert_memory_equal(&images[0], &s, sizeof s);
}

/* One disc or the side changed, another hash. */
static void check_hash(const struct reversi *s)
{
	const uint64_t hash = reversi_hash(s);
	const struct reversi copy = *s;
	assert_true(reversi_hash(&copy) == hash);
	for (int i = 0; i < 64; i++) {
		struct reversi changed = *s;
		changed.mover ^= UINT64_C(1) << i;
		assert_true(reversi_hash(&changed) != hash);
		changed.other ^= UINT64_C(1) << i;
		assert_true(reversi_hash(&changed) != hash);
		changed.mover = s->mover;
		assert_true(reversi_hash(&changed) != hash);
		changed.seat ^= 1;
		assert_true(reversi_hash(&changed) != hash);
	}
	const struct reversi swapped = { s->other, s->mover, s->seat };
	const struct reversi passed = { s->mover, s->other, s->seat ^ 1 };
	assert_true(reversi_hash(&swapped) != hash && reversi_hash(&passed) != hash);
}

static void test_hash__tells_neighbours_apart(void **unused)
{
	(void)unused;
	walk_random_games(5, 50, check_hash);
}

/* ---- Evaluation ---- */

static void check_evaluation(const struct reversi *s)
{
	const struct reversi swapped = { s->other, s->mover, s->seat ^ 1 };
	const int32_t value = reversi_evaluate(s, reversi_weights);
	assert_int_equal(reversi_evaluate(&swapped, reversi_weights), -value);
	assert_int_equal(reversi_material(s, NULL), -reversi_material(&swapped, NULL));
	assert_in_range(value + QV_MAX_EVAL, 0, 2 * (uint64_t)QV_MAX_EVAL);

	int32_t points[2], leaf = value;
	if (reversi_result(s, points) != QV_GOING) {
		const int32_t margin = points[s->seat] - points[s->seat ^ 1];
		assert_int_equal(reversi_material(s, NULL), margin);
		leaf = margin > 0 ? QV_LEAF_WON : margin < 0 ? QV_LEAF_LOST : QV_LEAF_DRAWN;
	}
	assert_int_equal(reversi_leaf(s, reversi_weights), leaf);
}

static void test_evaluation__laws(void **unused)
{
	(void)unused;
	walk_random_games(6, 500, check_evaluation);
	struct qv_random random = { 7, 0 };
	for (int board = 0; board < 20000; board++) {
		const struct reversi s = random_board(&random);
		check_evaluation(&s);
	}
}

static bool next_to_any(uint64_t squares, int from)
{
	for (int row = from / 8 - 1; row <= from / 8 + 1; row++)
		for (int column = from % 8 - 1; column <= from % 8 + 1; column++)
			if (squares & bit_at(row, column))
				return true;
	return false;
}

static void test_evaluation__around_counted_square_by_square(void **unused)
{
	(void)unused;
	struct qv_random random = { 8, 0 };
	for (int board = 0; board < 1000; board++) {
		const uint64_t few = qv_random_next(&random) & qv_random_next(&random);
		const uint64_t squares = few & qv_random_next(&random);
		for (int i = 0; i < 64; i++)
			assert_int_equal(reversi_around(squares) >> i & 1, next_to_any(squares, i));
	}
}

/* Each term counted by hand: the weights are zero but for one. */
static void test_evaluation__terms(void **unused)
{
	/*
	 * Of X: a1, c1, e1, a3, h3, e4, a5, d5, c8, h8; of O: 17 discs, among them b2 (a1 is taken)
	 * and g7 (h8 is).
	 */
	static const char star[] = "X-X-X---" "-OOO----" "XO-OOOOX" "-OOOX---"
				   "X-OXO---" "--O--O--" "--O---O-" "--X----X" " X";
	static const struct {
		int term, expected;
	} terms[] = {
		{ REVERSI_CORNER, 2 },
		{ REVERSI_X_SQUARE, 0 },
		{ REVERSI_C_SQUARE, 0 },
		{ REVERSI_EDGE, 6 },
		{ REVERSI_FRONTIER, 10 - 17 }, /* every disc has an empty neighbour */
	};
	(void)unused;
	const struct reversi s = parsed(star);
	for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
		int32_t weights[REVERSI_WEIGHTS] = { 0 };
		weights[terms[i].term + REVERSI_MIDDLE] = 1;
		assert_int_equal(reversi_evaluate(&s, weights), terms[i].expected);
	}
}

static void test_evaluation__squares_by_empty_corners(void **unused)
{
	(void)unused;
	assert_int_equal(reversi_x_squares(REVERSI_CORNERS), REVERSI_X_SQUARES);
	static const struct {
		const char *corner, *x, *c[2];
	} corners[] = {
		{ "a1", "b2", { "b1", "a2" } }, { "h1", "g2", { "g1", "h2" } },
		{ "a8", "b7", { "b8", "a7" } }, { "h8", "g7", { "g8", "h7" } },
	};
	for (int i = 0; i < 4; i++) {
		const uint64_t corner = UINT64_C(1) << square(corners[i].corner);
		assert_int_equal(reversi_x_squares(corner), UINT64_C(1) << square(corners[i].x));
		assert_int_equal(reversi_c_squares(corner),
				 UINT64_C(1) << square(corners[i].c[0]) |
					 UINT64_C(1) << square(corners[i].c[1]));
	}
}

static void test_evaluation__weights_are_named(void **unused)
{
	(void)unused;
	int next = 0;
	for (const struct qv_weight *w = reversi_weight_names; w->name; w++) {
		assert_int_equal(w->first, next);
		next += w->count;
	}
	assert_int_equal(next, sizeof reversi_weights / sizeof *reversi_weights);
}

static void test_rank__corners_first(void **unused)
{
	(void)unused;
	const struct reversi s = start_of_game();
	for (qv_move move = 0; move <= REVERSI_PASS; move++) {
		assert_true(reversi_rank(&s, move) <= reversi_rank(&s, square("h8")));
		for (int k = 0; k < 8; k++)
			assert_int_equal(reversi_rank(&s, reversi_image_move(&s, k, move)),
					 reversi_rank(&s, move));
	}
	assert_true(reversi_rank(&s, square("b2")) < reversi_rank(&s, square("c3")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start__four_moves_for_black),
		cmocka_unit_test(test_perft__published_counts),
		cmocka_unit_test(test_pass__forced_and_alone),
		cmocka_unit_test(test_end__wipe_out),
		cmocka_unit_test(test_end__full_board_and_draw),
		cmocka_unit_test(test_turned__every_ray),
		cmocka_unit_test(test_turned__eight_directions_at_once),
		cmocka_unit_test(test_twin__random_games),
		cmocka_unit_test(test_twin__random_boards),
		cmocka_unit_test(test_twin__refuses_what_is_illegal),
		cmocka_unit_test(test_text__round_trip),
		cmocka_unit_test(test_text__reads_known_positions),
		cmocka_unit_test(test_text__refuses_malformed),
		cmocka_unit_test(test_text__refuses_impossible),
		cmocka_unit_test(test_text__of_moves_and_cut),
		cmocka_unit_test(test_draw__plain_and_unicode),
		cmocka_unit_test(test_image__of_every_square),
		cmocka_unit_test(test_image__laws),
		cmocka_unit_test(test_image__eight_different_ones),
		cmocka_unit_test(test_hash__tells_neighbours_apart),
		cmocka_unit_test(test_evaluation__laws),
		cmocka_unit_test(test_evaluation__around_counted_square_by_square),
		cmocka_unit_test(test_evaluation__terms),
		cmocka_unit_test(test_evaluation__squares_by_empty_corners),
		cmocka_unit_test(test_evaluation__weights_are_named),
		cmocka_unit_test(test_rank__corners_first),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
