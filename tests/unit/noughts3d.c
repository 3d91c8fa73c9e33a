/*
 * noughts3d.c - the cube's lines and symmetries by their definition, and what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/noughts3d/evaluate.h"

#include <stdlib.h>

#include "support/desk.h"
#include "support/scale.h"

enum { TEXT = 80, POSITIONS = 2000 };

static struct n3 parsed(const char *text)
{
	struct n3 s;
	struct qv_error error = { "" };
	if (n3_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* ---- Lines, by definition ---- */

static int compare_words(const void *a, const void *b)
{
	const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return (one > other) - (one < other);
}

/* The four cells from one on in a direction; 0 if they leave the cube. */
static uint64_t line_from(int column, int row, int level, int dc, int dr, int dl)
{
	uint64_t line = 0;
	for (int i = 0; i < 4; i++) {
		const int c = column + i * dc, r = row + i * dr, l = level + i * dl;
		if (c < 0 || c > 3 || r < 0 || r > 3 || l < 0 || l > 3)
			return 0;
		line |= UINT64_C(1) << (16 * l + 4 * r + c);
	}
	return line;
}

/* All lines, sorted; one of the two ways to run along each. Returns how many. */
static int all_lines(uint64_t *lines)
{
	int n = 0;
	for (int cell = 0; cell < 64; cell++)
		for (int d = 14; d < 27; d++) {
			const uint64_t line =
				line_from(cell & 3, cell >> 2 & 3, cell >> 4, d % 3 - 1,
					  d / 3 % 3 - 1, d / 9 - 1);
			assert_true(!line || n < N3_LINES);
			if (line)
				lines[n++] = line;
		}
	qsort(lines, (size_t)n, sizeof *lines, compare_words);
	return n;
}

static void test_lines__76_and_through_each_square(void **unused)
{
	(void)unused;
	uint64_t lines[N3_LINES], through[N3_THROUGH];
	assert_int_equal(all_lines(lines), N3_LINES);
	for (int i = 0; i < N3_LINES; i++) {
		assert_int_equal(bits_count(lines[i]), 4);
		assert_true(!i || lines[i] != lines[i - 1]);
		assert_true(n3_has_four(lines[i]));
		assert_false(n3_has_four(bits_rest(lines[i])));
	}
	for (int square = 0; square < 64; square++) {
		const int n = n3_lines_through(square, through);
		qsort(through, (size_t)n, sizeof *through, compare_words);
		int found = 0;
		for (int i = 0; i < N3_LINES; i++)
			if (lines[i] >> square & 1)
				assert_true(found < n && through[found++] == lines[i]);
		assert_int_equal(found, n);
		assert_true(n == 4 || n == 7);
	}
}

/* A stone, then another, ... in any order: the first line is seen at once. */
static void test_lines__four_is_seen_as_soon_as_there_is_one(void **unused)
{
	(void)unused;
	uint64_t lines[N3_LINES];
	struct qv_random random = { 4, 0 };
	all_lines(lines);
	for (int64_t game = scaled(POSITIONS); game > 0; game--) {
		uint64_t stones = 0;
		for (bool expected = false; !expected;) {
			stones |= UINT64_C(1) << qv_random_below(&random, 64);
			for (int i = 0; i < N3_LINES; i++)
				expected |= (stones & lines[i]) == lines[i];
			assert_int_equal(n3_has_four(stones), expected);
		}
	}
}

/* ---- Symmetries ---- */

static void test_image__192_that_keep_the_lines(void **unused)
{
	(void)unused;
	uint64_t lines[N3_LINES], images[N3_LINES];
	int square[N3_SYMMETRIES][64];
	all_lines(lines);
	for (int k = 0; k < N3_SYMMETRIES; k++) {
		for (int i = 0; i < N3_LINES; i++)
			images[i] = n3_transform(lines[i], k);
		qsort(images, N3_LINES, sizeof *images, compare_words);
		assert_memory_equal(images, lines, sizeof lines);
		for (int i = 0; i < 64; i++) {
			const uint64_t image = n3_transform(UINT64_C(1) << i, k);
			assert_int_equal(bits_count(image), 1);
			square[k][i] = bits_lowest(image);
			assert_true(k || square[k][i] == i);
		}
		for (int earlier = 0; earlier < k; earlier++)
			assert_memory_not_equal(square[earlier], square[k], sizeof square[k]);
	}
}

/*
 * There are no more than these. The images of the squares are chosen one after the other; whatever
 * three squares of a line have been given, the fourth is forced, so a count by trying is quick.
 */
struct search {
	int line_of[64][64];       /* of two squares; -1: none */
	int image[64];
	bool used[64];
	int found;
};

/* Two squares lie on a line exactly if their images do; four that do keep doing so. */
static bool fits(const struct search *s, int square)
{
	int image_line[N3_LINES];
	for (int i = 0; i < N3_LINES; i++)
		image_line[i] = -1;
	for (int other = 0; other < square; other++) {
		const int line = s->line_of[square][other];
		const int to = s->line_of[s->image[square]][s->image[other]];
		if ((line < 0) != (to < 0))
			return false;
		if (line >= 0 && image_line[line] >= 0 && image_line[line] != to)
			return false;
		if (line >= 0)
			image_line[line] = to;
	}
	return true;
}

static void choose(struct search *s, int square)
{
	if (square == 64) {
		s->found++;
		return;
	}
	for (int to = 0; to < 64; to++) {
		if (s->used[to])
			continue;
		s->image[square] = to;
		s->used[to] = true;
		if (fits(s, square))
			choose(s, square + 1);
		s->used[to] = false;
	}
}

static void test_image__there_are_no_others(void **unused)
{
	(void)unused;
	static struct search s;
	uint64_t lines[N3_LINES];
	all_lines(lines);
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++) {
			s.line_of[a][b] = -1;
			for (int i = 0; i < N3_LINES && a != b; i++)
				if (lines[i] >> a & lines[i] >> b & 1)
					s.line_of[a][b] = i;
		}
	choose(&s, 0);
	assert_int_equal(s.found, N3_SYMMETRIES);
}

/* A position of a random game, going on or just ended. */
static struct n3 random_position(struct qv_random *random)
{
	struct n3 s = { 0, 0 };
	int32_t points[2];
	qv_move list[64];
	for (int left = (int)qv_random_below(random, 65);
	     left && n3_result(&s, points) == QV_GOING; left--)
		n3_play(&s, list[qv_random_below(random, (uint64_t)n3_moves(&s, list))]);
	return s;
}

static void test_image__laws(void **unused)
{
	(void)unused;
	struct qv_random random = { 5, 0 };
	for (int64_t i = scaled(POSITIONS); i > 0; i--) {
		const struct n3 s = random_position(&random);
		const int k = (int)qv_random_below(&random, N3_SYMMETRIES);
		int32_t points[2];
		qv_move list[64];
		struct n3 image;
		n3_image(&s, k, &image);
		const enum qv_outcome outcome = n3_result(&s, points);
		assert_int_equal(n3_result(&image, points), outcome);
		assert_int_equal(n3_evaluate(&image, n3_weights), n3_evaluate(&s, n3_weights));
		for (int n = outcome == QV_GOING ? n3_moves(&s, list) : 0; n > 0; n--) {
			struct n3 one = s, other = image;
			const qv_move move = n3_image_move(&s, k, list[n - 1]);
			assert_int_equal(n3_rank(&s, list[n - 1]), n3_rank(&image, move));
			n3_play(&one, list[n - 1]);
			n3_play(&other, move);
			n3_image(&one, k, &one);
			assert_memory_equal(&one, &other, sizeof one);
		}
	}
}

/* ---- Evaluation, order, value ---- */

static int32_t literal_evaluation(const struct n3 *s, const uint64_t *lines)
{
	int32_t value = 0;
	for (int i = 0; i < N3_LINES; i++) {
		const int mine = bits_count(s->mine & lines[i]),
			  theirs = bits_count(s->theirs & lines[i]);
		if (mine > 0 && mine < 4 && !theirs)
			value += n3_weights[mine - 1];
		if (theirs > 0 && theirs < 4 && !mine)
			value -= n3_weights[theirs - 1];
	}
	return value;
}

static void test_evaluation__counts_open_lines(void **unused)
{
	(void)unused;
	uint64_t lines[N3_LINES];
	struct qv_random random = { 6, 0 };
	all_lines(lines);
	for (int64_t i = scaled(POSITIONS); i > 0; i--) {
		const struct n3 s = random_position(&random);
		int32_t points[2];
		const int32_t value = literal_evaluation(&s, lines);
		assert_int_equal(n3_evaluate(&s, n3_weights), value);
		const bool over = n3_result(&s, points) == QV_ENDED;
		assert_int_equal(n3_leaf(&s, n3_weights),
				 !over				? value
				 : points[0] == points[1]	? QV_LEAF_DRAWN
								: QV_LEAF_LOST);
	}
	/* By hand: a corner has seven lines, a cell in the middle of an edge four. */
	const struct n3 corner = { 1, 2 };
	assert_int_equal(n3_evaluate(&corner, n3_weights), (7 - 1 - (4 - 1)) * n3_weights[N3_ONE]);
}

static qv_move best_by_rank(const struct n3 *s)
{
	qv_move list[64], best = 0;
	int32_t most = INT32_MIN;
	const int n = n3_moves(s, list);
	for (int i = 0; i < n; i++)
		if (n3_rank(s, list[i]) > most) {
			most = n3_rank(s, list[i]);
			best = list[i];
		}
	return best;
}

static void test_rank__wins_then_blocks(void **unused)
{
	(void)unused;
	const struct n3 both = { 0x0007, 0x0070 }, block = { 0x0700, 0x0070 | 0x0800 };
	assert_true(best_by_rank(&both) == 0x0008);
	assert_true(best_by_rank(&block) == 0x0080);
}

/*
 * That the first player wins is too far off for these searches; a three, or a fork, is not.
 */
static void test_value__forced_wins_are_found(void **unused)
{
	static const char *const specs[] = { "alphabeta:depth=3,tt=0", "negascout:depth=3,tt=1",
					     "mtdf:depth=3,tt=1" };
	static const struct {
		const char *position;
		int32_t score;
	} cases[] = {
		{ "xxx.ooo......................................................... x",
		  QV_WIN - 1 },
		{ ".xx.x...x.......o....o..............................o.........o. x",
		  QV_WIN - 3 },
		{ "xxx.x...x.......o....o..............................o.........o. o",
		  2 - QV_WIN },
	};
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int k = 0; k < 3; k++) {
			struct desk d;
			desk_open(&d, context, "noughts3d", cases[i].position);
			const struct qv_answer answer = desk_ask(&d, specs[k], 1, NULL);
			assert_int_equal(answer.score, cases[i].score);
			assert_true(answer.proven);
			desk_close(&d);
		}
	qv_context_free(context);
}

/* ---- Text ---- */

static void test_text__every_position_reads_back(void **unused)
{
	(void)unused;
	struct qv_random random = { 7, 0 };
	for (int64_t i = scaled(POSITIONS); i > 0; i--) {
		const struct n3 s = random_position(&random);
		char text[TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		n3_position_text(&s, &out);
		const struct n3 again = parsed(text);
		assert_memory_equal(&again, &s, sizeof again);
	}
}

static void test_text__squares_in_order(void **unused)
{
	(void)unused;
	static const char *const names[] = { "a1A", "b1A", "a2A", "a1B", "d4D", "c2D" };
	static const int squares[] = { 0, 1, 4, 16, 63, 54 };
	const struct n3 s = { 0, 0 };
	for (int i = 0; i < 6; i++) {
		char text[TEXT];
		struct qv_text out = { text, sizeof text, 0 };
		n3_move_text(&s, UINT64_C(1) << squares[i], &out);
		assert_string_equal(text, names[i]);
	}
	const struct n3 two =
		parsed("x..............................................................o x");
	assert_true(two.mine == 1 && two.theirs == UINT64_C(1) << 63);
}

static void check_refused(const char *text, enum qv_status expected, const char *reason)
{
	struct n3 s = { 1, 2 };
	struct qv_error error = { "" };
	assert_int_equal(n3_position_parse(&s, NULL, text, &error), expected);
	assert_memory_equal(error.text, "position: ", 10);
	if (!strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", text, error.text, reason);
	assert_true(s.mine == 1 && s.theirs == 2);
	assert_int_equal(n3_position_parse(&s, NULL, text, NULL), expected);
}

#define EMPTY48 "................................................"
static void test_text__refuses_malformed(void **unused)
{
	static const char whole[] = "x..............o" EMPTY48 " x";
	(void)unused;
	for (size_t length = 0; length < sizeof whole - 1; length++) {
		char cut[sizeof whole] = "";
		memcpy(cut, whole, length);
		check_refused(cut, QV_BAD_INPUT, length < 64 ? "there are only" : "the side");
	}
	check_refused("X..............o" EMPTY48 " x", QV_BAD_INPUT, "cell 1: expected");
	check_refused("x./............o" EMPTY48 " x", QV_BAD_INPUT, "cell 3: expected");
	check_refused("x..............o" EMPTY48 ". x", QV_BAD_INPUT, "the side");
	check_refused("x..............o" EMPTY48 "  x", QV_BAD_INPUT, "the side");
	check_refused("x..............o" EMPTY48 " X", QV_BAD_INPUT, "the side");
	check_refused("x..............o" EMPTY48 " x ", QV_BAD_INPUT, "the side");
	check_refused("\xff..............o" EMPTY48 " x", QV_BAD_INPUT, "cell 1: expected");
}

static void test_text__refuses_impossible(void **unused)
{
	(void)unused;
	check_refused("o..............." EMPTY48 " x", QV_ILLEGAL, "x moves first");
	check_refused("xx.............." EMPTY48 " o", QV_ILLEGAL, "x moves first");
	check_refused("................" EMPTY48 " o", QV_ILLEGAL, "it is x's turn");
	check_refused("x..............." EMPTY48 " x", QV_ILLEGAL, "it is o's turn");
	check_refused("xxxxooo........o" EMPTY48 " x", QV_ILLEGAL, "already has four in a line");
	check_refused("xxxxoooo........" EMPTY48 " x", QV_ILLEGAL, "already has four in a line");
	check_refused("xxxxxxxxooo.ooo.o............................................... o",
		      QV_ILLEGAL, "no single last move");
	parsed("xxxxooo........." EMPTY48 " o");
	parsed("xxxxxoo.xoo.xoo." EMPTY48 " o"); /* two lines at once, made by the corner */
}

static void test_draw__plain_and_unicode(void **unused)
{
	(void)unused;
	const struct n3 s =
		parsed("x....................x.........................................o o");
	char text[512];
	struct qv_text out = { text, sizeof text, 0 };
	n3_draw(&s, false, &out);
	assert_string_equal(text, "  A         B         C         D\n"
				  "1 X . . .   . . . .   . . . .   . . . .\n"
				  "2 . . . .   . X . .   . . . .   . . . .\n"
				  "3 . . . .   . . . .   . . . .   . . . .\n"
				  "4 . . . .   . . . .   . . . .   . . . O\n"
				  "  a b c d   a b c d   a b c d   a b c d\n");
	out.length = 0;
	n3_draw(&s, true, &out);
	assert_non_null(strstr(text, "2 · · · ·   · X · ·   · · · ·   · · · ·\n"));
}

/* ---- Hashes ---- */

static void test_hash__differs_with_any_stone(void **unused)
{
	(void)unused;
	enum { COUNT = 64 * 64 };
	static uint64_t hashes[COUNT];
	int n = 0;
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++) {
			const struct n3 s = { a == b ? 0 : UINT64_C(1) << a, UINT64_C(1) << b };
			hashes[n++] = n3_hash(&s);
		}
	qsort(hashes, COUNT, sizeof *hashes, compare_words);
	for (int i = 1; i < COUNT; i++)
		assert_true(hashes[i] != hashes[i - 1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines__76_and_through_each_square),
		cmocka_unit_test(test_lines__four_is_seen_as_soon_as_there_is_one),
		cmocka_unit_test(test_image__192_that_keep_the_lines),
		cmocka_unit_test(test_image__there_are_no_others),
		cmocka_unit_test(test_image__laws),
		cmocka_unit_test(test_evaluation__counts_open_lines),
		cmocka_unit_test(test_rank__wins_then_blocks),
		cmocka_unit_test(test_value__forced_wins_are_found),
		cmocka_unit_test(test_text__every_position_reads_back),
		cmocka_unit_test(test_text__squares_in_order),
		cmocka_unit_test(test_text__refuses_malformed),
		cmocka_unit_test(test_text__refuses_impossible),
		cmocka_unit_test(test_draw__plain_and_unicode),
		cmocka_unit_test(test_hash__differs_with_any_stone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
