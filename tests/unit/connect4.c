/*
 * connect4.c - connect-four: what its texts read and refuse, its laws, and positions of which the
 * exact score is known.
 * SPDX-License-Identifier: MIT
 */
#include "games/connect4/evaluate.h"

#include "support/desk.h"
#include "support/scale.h"

enum { TEXT = 64, CELLS = C4_WIDTH * C4_HEIGHT };

static struct c4 parsed(const char *text)
{
	struct c4 s;
	struct qv_error error = { "" };
	if (c4_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static void text_of(const struct c4 *s, char text[TEXT])
{
	struct qv_text out = { text, TEXT, 0 };
	c4_position_text(s, &out);
}

/* Calls check for every position of some random games, the ends included. */
static void walk_random_games(uint64_t key, int64_t games, void (*check)(const struct c4 *))
{
	struct qv_random random = { key, 0 };
	for (; games; games--) {
		struct c4 s = { 0, 0 };
		qv_move list[C4_WIDTH];
		int32_t points[2];
		for (check(&s); c4_result(&s, points) == QV_GOING; check(&s)) {
			const int n = c4_moves(&s, list);
			c4_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
}

/* Discs anywhere, floating ones too: what only looks at discs must not mind. */
static uint64_t random_discs(struct qv_random *random)
{
	const uint64_t few = qv_random_below(random, 2) ? UINT64_MAX : qv_random_next(random);
	return qv_random_next(random) & few & C4_BOARD;
}

static bool disc_at(uint64_t discs, int column, int row)
{
	return column >= 0 && column < C4_WIDTH && row >= 0 && row < C4_HEIGHT &&
	       discs >> (column * C4_STRIDE + row) & 1;
}

/* Four in a row, by looking along every direction from every place. */
static bool literal_four(uint64_t discs)
{
	static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
	for (int place = 0; place < CELLS; place++)
		for (int way = 0; way < 4; way++) {
			int n = 0;
			while (n < 4 && disc_at(discs, place % C4_WIDTH + n * steps[way][0],
						place / C4_WIDTH + n * steps[way][1]))
				n++;
			if (n == 4)
				return true;
		}
	return false;
}

/* ---- The rules ---- */

static void test_rules__start_and_order_of_moves(void **unused)
{
	(void)unused;
	struct c4 s;
	qv_move list[C4_WIDTH];
	c4_start(&s, NULL);
	assert_int_equal(c4_seat(&s), 0);
	assert_int_equal(c4_moves(&s, list), 7);
	for (int i = 0; i < 7; i++)
		assert_true(list[i] == UINT64_C(1) << i * C4_STRIDE);
	s = parsed("111111");
	assert_int_equal(c4_moves(&s, list), 6);
	assert_int_equal(c4_count(&s), 6);
	assert_true(list[0] == UINT64_C(1) << C4_STRIDE);
}

static void test_rules__fours_as_a_reader_sees_them(void **unused)
{
	(void)unused;
	struct qv_random random = { .key = 1 };
	int fours = 0;
	for (int64_t i = scaled(50000); i; i--) {
		const uint64_t discs = random_discs(&random);
		assert_int_equal(c4_has_four(discs), literal_four(discs));
		fours += c4_has_four(discs);
	}
	assert_true(fours > 10);
}

/* Each of the 69 fours alone wins, and three of it with any other disc does not. */
static void test_rules__69_fours(void **unused)
{
	static const int steps[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
	(void)unused;
	int fours = 0, through[C4_WIDTH * C4_STRIDE] = { 0 };
	for (int place = 0; place < 4 * CELLS; place++) {
		uint64_t discs = 0;
		for (int n = 0; n < 4; n++) {
			const int column = place / 4 % C4_WIDTH + n * steps[place % 4][0];
			const int row = place / 4 / C4_WIDTH + n * steps[place % 4][1];
			if (disc_at(C4_BOARD, column, row))
				discs |= UINT64_C(1) << (column * C4_STRIDE + row);
		}
		if (bits_count(discs) < 4)
			continue;
		fours++;
		assert_true(c4_has_four(discs));
		for (uint64_t left = discs; left; left = bits_rest(left)) {
			assert_false(c4_has_four(discs ^ (left & (0 - left))));
			/* Discs stand on others: an upright four is completed at its top alone. */
			if (place % 4 != 1 || !bits_rest(left))
				assert_true(c4_threats(discs ^ (left & (0 - left)), 0) & left &
					    (0 - left));
			through[bits_lowest(left)]++;
		}
	}
	assert_int_equal(fours, 69);
	for (int i = 0; i < C4_WIDTH * C4_STRIDE; i++)
		assert_int_equal(through[i], c4_fours_through[i]);
}

static void test_rules__draw_on_a_full_board(void **unused)
{
	(void)unused;
	/* Columns of xxooxx and ooxxoo beside each other: no four anywhere. */
	const struct c4 s = parsed("oxoxoxo/oxoxoxo/xoxoxox/xoxoxox/oxoxoxo/xoxoxox x");
	int32_t points[2] = { -1, -1 };
	qv_move list[C4_WIDTH];
	assert_int_equal(c4_result(&s, points), QV_ENDED);
	assert_true(points[0] == 0 && points[1] == 0);
	assert_int_equal(c4_moves(&s, list), 0);
	assert_int_equal(c4_count(&s), 0);
	assert_int_equal(c4_leaf(&s, c4_weights), QV_LEAF_DRAWN);
}

static void test_rules__the_last_disc_wins(void **unused)
{
	(void)unused;
	const struct c4 s = parsed("1212121");
	int32_t points[2] = { -1, -1 };
	assert_int_equal(c4_result(&s, points), QV_ENDED);
	assert_true(points[0] == 1 && points[1] == 0);
	assert_int_equal(c4_seat(&s), 1);
	assert_int_equal(c4_count(&s), 0);
	assert_int_equal(c4_leaf(&s, c4_weights), QV_LEAF_LOST);
}

/* ---- Text ---- */

static void check_round_trip(const struct c4 *s)
{
	char text[TEXT];
	text_of(s, text);
	const struct c4 again = parsed(text);
	assert_memory_equal(&again, s, sizeof again);
}

static void test_text__round_trip(void **unused)
{
	(void)unused;
	walk_random_games(2, scaled(500), check_round_trip);
}

static void test_text__columns_are_read_and_printed_as_rows(void **unused)
{
	static const struct {
		const char *columns, *rows;
	} same[] = {
		{ "4", "......./......./......./......./......./...x... o" },
		{ "4453", "......./......./......./......./...o.../..oxx.. x" },
		{ "1111117", "o....../x....../o....../x....../o....../x.....x o" },
		{ "1212121", "......./......./x....../xo...../xo...../xo..... o" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		char text[TEXT];
		const struct c4 s = parsed(same[i].columns), t = parsed(same[i].rows);
		assert_memory_equal(&s, &t, sizeof s);
		text_of(&s, text);
		assert_string_equal(text, same[i].rows);
	}
}

static void check_refused(const char *text, enum qv_status expected, const char *reason)
{
	struct c4 s = { 5, 7 };
	struct qv_error error = { "" };
	assert_int_equal(c4_position_parse(&s, NULL, text, &error), expected);
	assert_memory_equal(error.text, "position: ", 10);
	if (!strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", text, error.text, reason);
	assert_true(s.mover == 5 && s.all == 7);
	assert_int_equal(c4_position_parse(&s, NULL, text, NULL), expected);
}

static void test_text__refuses_columns_that_cannot_be(void **unused)
{
	(void)unused;
	check_refused("0", QV_BAD_INPUT, "1 to 7");
	check_refused("8", QV_BAD_INPUT, "1 to 7");
	check_refused("44 5", QV_BAD_INPUT, "1 to 7");
	check_refused("44x", QV_BAD_INPUT, "1 to 7");
	check_refused("1\xff", QV_BAD_INPUT, "1 to 7");
	check_refused("1111111", QV_ILLEGAL, "move 7: column 1 is full");
	check_refused("12121213", QV_ILLEGAL, "over after 7 moves");
	char text[1000];
	memset(text, '1', sizeof text);
	text[sizeof text - 1] = '\0';
	check_refused(text, QV_ILLEGAL, "move 7: column 1 is full");
}

static void test_text__refuses_malformed_rows(void **unused)
{
	static const char whole[] = "......./......./......./......./...o.../..oxx.. x";
	(void)unused;
	parsed(whole);
	for (size_t length = 0; length < sizeof whole - 1; length++) {
		char cut[sizeof whole] = "";
		memcpy(cut, whole, length);
		check_refused(cut, QV_BAD_INPUT, length < 48 ? "row" : "the side");
	}
	for (size_t at = 0; at < sizeof whole - 1; at++) {
		char text[sizeof whole];
		memcpy(text, whole, sizeof text);
		text[at] = '?';
		check_refused(text, QV_BAD_INPUT, at < 48 ? "row" : "the side");
	}
	check_refused("......./......./......./......./...o.../..oxx.. xx", QV_BAD_INPUT,
		      "the side");
	check_refused("......./......./......./......./...o.../..oxx../......./ x", QV_BAD_INPUT,
		      "row 1 must be followed");
	check_refused("......./......./......./......./...o.../..oxx.. x ", QV_BAD_INPUT,
		      "the side");
	check_refused("......./......./......./......./...o.../..oXx.. x", QV_BAD_INPUT, "row 1");
}

static void test_text__refuses_impossible_rows(void **unused)
{
	static const struct {
		const char *text, *reason;
	} impossible[] = {
		{ "......./......./......./......./...x.../....... o", "empty place below" },
		{ "x....../......./......./......./......./....... o", "empty place below" },
		{ "......./......./......./......./......./...o... x", "x moves first" },
		{ "......./......./......./......./......./...xx.. o", "x moves first" },
		{ "......./......./......./......./......./...x... x", "it is o's turn" },
		{ "......./......./......./......./......./...xo.. o", "it is x's turn" },
		{ "......./......./......./......./ooo..../xxxx..o x",
		  "has four" }, /* x won, and o moved on */
		{ "......./......./......./......./oooo.../xxxx... x", "has four" }, /* both have */
		{ "......./......./......./......./oooo.../xxxx..x o", "has four" },
		/* Two fours of x with no disc in common. */
		{ "......./......./......./xxxx.../oooxoo./xxxxooo o", "no single last move" },
		/* One four, but under discs that came later. */
		{ "......./......./......./......./ooox.../xxxxo.o x", "has four" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof impossible / sizeof *impossible; i++)
		check_refused(impossible[i].text, QV_ILLEGAL, impossible[i].reason);
	parsed("......./......./......./......./ooo..../xxxx... o");
	/* Four fours that one disc completes. */
	parsed("......./......./......./......./ooo.ooo/xxxxxxx o");
}

static void test_draw__plain_and_unicode(void **unused)
{
	(void)unused;
	const struct c4 s = parsed("4453");
	char text[512];
	struct qv_text out = { text, sizeof text, 0 };
	c4_draw(&s, false, &out);
	assert_string_equal(
		text, "| . . . . . . . |\n| . . . . . . . |\n| . . . . . . . |\n| . . . . . . . |\n"
		      "| . . . O . . . |\n| . . O X X . . |\n+---------------+\n  1 2 3 4 5 6 7\n"
		      "  X Red  O Yellow\n");
	out.length = 0;
	c4_draw(&s, true, &out);
	assert_non_null(strstr(text, "│ · · ○ ● ● · · │\n└───────────────┘\n"));
}

/* ---- Images and hashes ---- */

static void check_images(const struct c4 *s)
{
	qv_move list[C4_WIDTH];
	int32_t points[2], mirrored[2];
	struct c4 image, back;
	c4_image(s, 1, &image);
	c4_image(&image, 1, &back);
	assert_memory_equal(&back, s, sizeof back);
	for (int place = 0; place < CELLS; place++)
		assert_int_equal(disc_at(s->all, place % 7, place / 7),
				 disc_at(image.all, 6 - place % 7, place / 7));
	assert_int_equal(c4_evaluate(&image, c4_weights), c4_evaluate(s, c4_weights));
	const enum qv_outcome outcome = c4_result(s, points);
	assert_int_equal(c4_result(&image, mirrored), outcome);
	if (outcome != QV_GOING) {
		assert_memory_equal(points, mirrored, sizeof points);
		return;
	}
	for (int n = c4_moves(s, list); n > 0; n--) {
		struct c4 one = *s, other = image;
		c4_play(&one, list[n - 1]);
		c4_image(&one, 1, &one);
		c4_play(&other, c4_image_move(s, 1, list[n - 1]));
		assert_memory_equal(&one, &other, sizeof one);
		assert_int_equal(c4_rank(s, list[n - 1]),
				 c4_rank(&image, c4_image_move(s, 1, list[n - 1])));
	}
}

static void test_image__laws(void **unused)
{
	(void)unused;
	walk_random_games(3, scaled(300), check_images);
}

static int compare_states(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct c4));
}

static int compare_hashes(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* The positions one ply on, each once, into `to`. */
static size_t next_positions(const struct c4 *from, size_t count, struct c4 *to)
{
	size_t n = 0, kept = 0;
	for (size_t i = 0; i < count; i++) {
		qv_move list[C4_WIDTH];
		int32_t points[2];
		const int moves =
			c4_result(&from[i], points) == QV_GOING ? c4_moves(&from[i], list) : 0;
		for (int k = 0; k < moves; k++) {
			to[n] = from[i];
			c4_play(&to[n++], list[k]);
		}
	}
	qsort(to, n, sizeof *to, compare_states);
	for (size_t i = 0; i < n; i++)
		if (!i || memcmp(&to[i], &to[kept - 1], sizeof *to) != 0)
			to[kept++] = to[i];
	return kept;
}

/*
 * All positions of the first eight plies (their numbers are published), no two with the same hash.
 */
static void test_hash__one_for_each_position(void **unused)
{
	enum { PLIES = 8 };
	static const size_t published[PLIES + 1] = {
		1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275
	};
	(void)unused;
	size_t count = 1, total = 0;
	struct c4 *here = calloc(1, sizeof *here);
	uint64_t *hashes = malloc(300000 * sizeof *hashes);
	for (int ply = 0;; ply++) {
		assert_int_equal(count, published[ply]);
		for (size_t i = 0; i < count; i++)
			hashes[total++] = c4_hash(&here[i]);
		if (ply == PLIES)
			break;
		struct c4 *next = malloc(count * C4_WIDTH * sizeof *next);
		count = next_positions(here, count, next);
		free(here);
		here = next;
	}
	qsort(hashes, total, sizeof *hashes, compare_hashes);
	for (size_t i = 1; i < total; i++)
		assert_true(hashes[i] != hashes[i - 1]);
	free(here);
	free(hashes);
}

/* ---- Evaluation ---- */

static uint64_t literal_threats(uint64_t discs, uint64_t all)
{
	uint64_t threats = 0;
	for (int column = 0; column < C4_WIDTH; column++)
		for (int row = 0; row < C4_HEIGHT; row++) {
			const uint64_t here = UINT64_C(1) << (column * C4_STRIDE + row);
			if (!(all & here) && literal_four(discs | here))
				threats |= here;
		}
	return threats;
}

static void check_threats(const struct c4 *s)
{
	const uint64_t mine = s->mover, theirs = s->mover ^ s->all;
	if (!c4_has_four(mine))
		assert_true(c4_threats(mine, s->all) == literal_threats(mine, s->all));
	if (!c4_has_four(theirs))
		assert_true(c4_threats(theirs, s->all) == literal_threats(theirs, s->all));
}

static void test_evaluation__threats_by_trying_every_square(void **unused)
{
	(void)unused;
	walk_random_games(4, scaled(200), check_threats);
	struct qv_random random = { .key = 5 };
	for (int64_t i = scaled(2000); i; i--) {
		uint64_t all = 0;
		for (int column = 0; column < C4_WIDTH; column++)
			all |= ((UINT64_C(1) << qv_random_below(&random, C4_HEIGHT + 1)) - 1)
			       << column * C4_STRIDE;
		const struct c4 s = { all & qv_random_next(&random), all };
		check_threats(&s);
	}
}

static void check_evaluation(const struct c4 *s)
{
	const struct c4 swapped = { s->mover ^ s->all, s->all };
	const int32_t value = c4_evaluate(s, c4_weights);
	int32_t points[2], leaf = value;
	assert_int_equal(c4_evaluate(&swapped, c4_weights), -value);
	if (c4_result(s, points) != QV_GOING)
		leaf = points[0] == points[1] ? QV_LEAF_DRAWN : QV_LEAF_LOST;
	assert_int_equal(c4_leaf(s, c4_weights), leaf);
}

static void test_evaluation__of_the_other_side_is_the_negative(void **unused)
{
	(void)unused;
	walk_random_games(6, scaled(500), check_evaluation);
}

static void test_evaluation__terms(void **unused)
{
	(void)unused;
	/*
	 * x: column 4 thrice, so one threat on top; two of its discs are inner squares. o has no
	 * middle, b2 is inner.
	 */
	const struct c4 s = parsed("......./......./......./...x.../.o.x.../.o.xo.. x");
	static const int expected[C4_WEIGHTS] = {
		[C4_THREAT] = 1, [C4_MIDDLE] = 3, [C4_INNER] = 1
	};
	int next = 0;
	for (int i = 0; i < C4_WEIGHTS; i++) {
		int32_t weights[C4_WEIGHTS] = { 0 };
		weights[i] = 1;
		assert_int_equal(c4_evaluate(&s, weights), expected[i]);
	}
	for (const struct qv_weight *w = c4_weight_names; w->name; w++) {
		assert_int_equal(w->first, next);
		next += w->count;
	}
	assert_int_equal(next, C4_WEIGHTS);
}

/* ---- Known scores ---- */

/*
 * Plies to the end by the test sets' convention: 22 minus the winner's discs at the end, minus if
 * the mover loses.
 */
static int plies_to_end(int discs, int score)
{
	if (score == 0)
		return CELLS - discs;
	return score > 0 ? 2 * (22 - score - discs / 2) - 1 : 2 * (22 + score - (discs + 1) / 2);
}

/*
 * The search must prove the score, to the ply. Returns whether the position was near enough to the
 * end.
 */
static bool check_known_score(struct desk *d, const char *spec, const char *columns, int score,
			      int deepest)
{
	const int plies = plies_to_end((int)strlen(columns), score);
	if (plies > deepest)
		return false;
	struct qv_error error = { "" };
	if (qv_position_parse(&d->rules, columns, d->state, &error) != QV_OK)
		fail_msg("%s: %s", columns, error.text);
	const struct qv_answer answer = desk_ask(d, spec, 1, NULL);
	const int32_t expected = score > 0 ? QV_WIN - plies : score < 0 ? plies - QV_WIN : 0;
	if (!answer.proven || answer.score != expected)
		fail_msg("%s %s: %d, proven %d, where %d is known", spec, columns, answer.score,
			 answer.proven, expected);
	if (score)
		assert_int_equal(answer.line_length, plies);
	return true;
}

static int check_known_scores(const char *set, const char *spec, int64_t most, int deepest)
{
	char path[512], line[256], columns[CELLS + 1];
	int score, checked = 0;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "connect4", "start");
	snprintf(path, sizeof path, "%s/connect4-%s-easy.txt", TEST_DATA, set);
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file) && checked < most)
		if (line[0] != '#') {
			assert_int_equal(sscanf(line, "%42s %d", columns, &score), 2);
			checked += check_known_score(&d, spec, columns, score, deepest);
		}
	fclose(file);
	desk_close(&d);
	qv_context_free(context);
	print_message("%s, %s: %d positions\n", set, spec, checked);
	return checked;
}

static void test_value__known_scores_are_proven(void **unused)
{
	(void)unused;
	assert_true(check_known_scores("end", "alphabeta:depth=14,tt=1", scaled(200), 14) >=
		    scaled(150));
	assert_true(check_known_scores("end", "negascout:depth=14,tt=1", scaled(200), 14) >=
		    scaled(150));
	assert_true(check_known_scores("end", "mtdf:depth=14,tt=1", scaled(200), 14) >=
		    scaled(150));
	assert_true(check_known_scores("middle", "alphabeta:depth=13,tt=4", scaled(200), 13) >=
		    scaled(150));
	assert_true(check_known_scores("begin", "negascout:depth=13,tt=4", scaled(100), 13) >=
		    scaled(60));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules__start_and_order_of_moves),
		cmocka_unit_test(test_rules__fours_as_a_reader_sees_them),
		cmocka_unit_test(test_rules__69_fours),
		cmocka_unit_test(test_rules__draw_on_a_full_board),
		cmocka_unit_test(test_rules__the_last_disc_wins),
		cmocka_unit_test(test_text__round_trip),
		cmocka_unit_test(test_text__columns_are_read_and_printed_as_rows),
		cmocka_unit_test(test_text__refuses_columns_that_cannot_be),
		cmocka_unit_test(test_text__refuses_malformed_rows),
		cmocka_unit_test(test_text__refuses_impossible_rows),
		cmocka_unit_test(test_draw__plain_and_unicode),
		cmocka_unit_test(test_image__laws),
		cmocka_unit_test(test_hash__one_for_each_position),
		cmocka_unit_test(test_evaluation__threats_by_trying_every_square),
		cmocka_unit_test(test_evaluation__of_the_other_side_is_the_negative),
		cmocka_unit_test(test_evaluation__terms),
		cmocka_unit_test(test_value__known_scores_are_proven),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
