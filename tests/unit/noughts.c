/*
 * noughts.c - noughts and crosses against published facts, and what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/noughts/rules.h"

#include "support/desk.h"

enum { BOARDS = 1 << 18, TEXT = 16 };
static const int32_t weights[] = { 0, 1, 4, 16 };

static struct noughts parsed(const char *text)
{
	struct noughts s;
	struct qv_error error = { "" };
	if (noughts_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* A number for each board. */
static int board_of(const struct noughts *s)
{
	return s->stones[0] << 9 | s->stones[1];
}

/* Calls check for each position that can come up, once. Returns how many there are. */
static int walk(const struct noughts *s, bool *seen, void (*check)(const struct noughts *))
{
	int32_t points[2];
	qv_move list[9];
	if (seen[board_of(s)])
		return 0;
	seen[board_of(s)] = true;
	check(s);
	if (noughts_result(s, points) != QV_GOING)
		return 1;
	int positions = 1;
	for (int n = noughts_moves(s, list); n > 0; n--) {
		struct noughts next = *s;
		noughts_play(&next, list[n - 1]);
		positions += walk(&next, seen, check);
	}
	return positions;
}

static int walk_all(void (*check)(const struct noughts *))
{
	static bool seen[BOARDS];
	struct noughts s;
	memset(seen, 0, sizeof seen);
	noughts_start(&s, NULL);
	return walk(&s, seen, check);
}

/* ---- Published facts ---- */

struct games {
	int ended_at[10], crosses, noughts, drawn;
};

static void play_out(const struct noughts *s, int ply, struct games *g)
{
	int32_t points[2];
	qv_move list[9];
	if (noughts_result(s, points) != QV_GOING) {
		g->ended_at[ply]++;
		g->crosses += points[0] > points[1];
		g->noughts += points[1] > points[0];
		g->drawn += points[0] == points[1];
		return;
	}
	for (int n = noughts_moves(s, list); n > 0; n--) {
		struct noughts next = *s;
		noughts_play(&next, list[n - 1]);
		play_out(&next, ply + 1, g);
	}
}

static void test_rules__all_255168_games(void **unused)
{
	static const int ended_at[10] = {
		[5] = 1440, [6] = 5328, [7] = 47952, [8] = 72576, [9] = 127872
	};
	(void)unused;
	struct games g = { .crosses = 0 };
	struct noughts s;
	noughts_start(&s, NULL);
	play_out(&s, 0, &g);
	assert_memory_equal(g.ended_at, ended_at, sizeof ended_at);
	assert_int_equal(g.crosses, 131184);
	assert_int_equal(g.noughts, 77904);
	assert_int_equal(g.drawn, 46080);
}

static int positions_of_least_image;

static void count_least_images(const struct noughts *s)
{
	struct noughts image;
	bool least = true;
	for (int k = 0; k < 8; k++) {
		noughts_image(s, k, &image);
		least &= board_of(s) <= board_of(&image);
	}
	positions_of_least_image += least;
}

static void test_rules__5478_positions_of_765_kinds(void **unused)
{
	(void)unused;
	positions_of_least_image = 0;
	assert_int_equal(walk_all(count_least_images), 5478);
	assert_int_equal(positions_of_least_image, 765);
}

/* The end, seen by a reader of the board. */
static void check_result(const struct noughts *s)
{
	static const char *const lines[] = {
		"012", "345", "678", "036", "147", "258", "048", "246"
	};
	int32_t points[2] = { -1, -1 };
	bool won[2] = { false, false };
	for (int seat = 0; seat < 2; seat++)
		for (int i = 0; i < 8; i++)
			won[seat] |= s->stones[seat] >> (lines[i][0] - '0') &
				     s->stones[seat] >> (lines[i][1] - '0') &
				     s->stones[seat] >> (lines[i][2] - '0') & 1;
	const bool full = (s->stones[0] | s->stones[1]) == 0x1ff, over = won[0] || won[1] || full;
	assert_int_equal(noughts_result(s, points), over ? QV_ENDED : QV_GOING);
	assert_int_equal(points[0], over ? won[0] : -1);
	assert_int_equal(points[1], over ? won[1] : -1);
}

static void test_rules__ends_as_a_reader_sees_it(void **unused)
{
	(void)unused;
	walk_all(check_result);
}

/* ---- Text ---- */

static void check_round_trip(const struct noughts *s)
{
	char text[TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	noughts_position_text(s, &out);
	const struct noughts again = parsed(text);
	assert_memory_equal(&again, s, sizeof again);
}

static void test_text__every_position_reads_back(void **unused)
{
	(void)unused;
	walk_all(check_round_trip);
	const struct noughts s = parsed("x..oo..x. x");
	assert_int_equal(s.stones[0], 0x81);
	assert_int_equal(s.stones[1], 0x18);
	assert_int_equal(noughts_seat(&s), 0);
}

static void check_refused(const char *text, enum qv_status expected, const char *reason)
{
	struct noughts s = { { 1, 2 } };
	struct qv_error error = { "" };
	assert_int_equal(noughts_position_parse(&s, NULL, text, &error), expected);
	assert_memory_equal(error.text, "position: ", 10);
	if (!strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", text, error.text, reason);
	assert_true(s.stones[0] == 1 && s.stones[1] == 2);
	assert_int_equal(noughts_position_parse(&s, NULL, text, NULL), expected);
}

static void test_text__refuses_malformed(void **unused)
{
	static const char whole[] = "x..oo..x. x";
	(void)unused;
	for (size_t length = 0; length < sizeof whole - 1; length++) {
		char cut[sizeof whole] = "";
		memcpy(cut, whole, length);
		check_refused(cut, QV_BAD_INPUT, length < 9 ? "expected nine" : "the side");
	}
	check_refused("X..oo..x. x", QV_BAD_INPUT, "expected nine");
	check_refused("x..0o..x. x", QV_BAD_INPUT, "expected nine");
	check_refused("x..oo..x.. x", QV_BAD_INPUT, "the side");
	check_refused("x..oo..x.  x", QV_BAD_INPUT, "the side");
	check_refused("x..oo..x.\tx", QV_BAD_INPUT, "the side");
	check_refused("x..oo..x. X", QV_BAD_INPUT, "the side");
	check_refused("x..oo..x. .", QV_BAD_INPUT, "the side");
	check_refused("x..oo..x. x ", QV_BAD_INPUT, "the side");
	check_refused("\xff..oo..x. x", QV_BAD_INPUT, "expected nine");
}

static void test_text__refuses_impossible(void **unused)
{
	(void)unused;
	check_refused("o........ x", QV_ILLEGAL, "x moves first");
	check_refused("xx....... x", QV_ILLEGAL, "x moves first");
	check_refused("xxo.x.... o", QV_ILLEGAL, "x moves first");
	check_refused("ooxo..... o", QV_ILLEGAL, "x moves first");
	check_refused("......... o", QV_ILLEGAL, "it is x's turn");
	check_refused("x..oo..x. o", QV_ILLEGAL, "it is x's turn");
	check_refused("x........ x", QV_ILLEGAL, "it is o's turn");
	check_refused("xxxoo.o.. x", QV_ILLEGAL, "three in a row"); /* x won, and o moved on */
	check_refused("oooxx.x.x o", QV_ILLEGAL, "three in a row");
	check_refused("xxxooo... x", QV_ILLEGAL, "three in a row");
	parsed("xxxoo.... o");
	parsed("oooxx.x.. x");
	parsed("xxxxooxoo o"); /* two lines at once, made by the corner */
}

/* Every board that is read can come up, and the other way round. */
static bool reachable[BOARDS];

static void note_reachable(const struct noughts *s)
{
	reachable[board_of(s)] = true;
}

static void test_text__reads_what_can_come_up(void **unused)
{
	(void)unused;
	memset(reachable, 0, sizeof reachable);
	walk_all(note_reachable);
	int accepted = 0, wrong = 0;
	for (int code = 0; code < 19683; code++) {
		char text[] = "......... x";
		for (int i = 0, rest = code; i < 9; i++, rest /= 3)
			text[i] = ".xo"[rest % 3];
		for (int side = 0; side < 2; side++) {
			struct noughts s;
			text[10] = "xo"[side];
			if (noughts_position_parse(&s, NULL, text, NULL) != QV_OK)
				continue;
			accepted++;
			wrong += !reachable[board_of(&s)];
		}
	}
	assert_int_equal(wrong, 0);
	assert_int_equal(accepted, 5478);
}

static void test_draw__plain_and_unicode(void **unused)
{
	(void)unused;
	const struct noughts s = parsed("x..oo..x. x");
	char text[256];
	struct qv_text out = { text, sizeof text, 0 };
	noughts_draw(&s, false, &out);
	assert_string_equal(text,
			    " X | 2 | 3 \n---+---+---\n O | O | 6 \n---+---+---\n 7 | X | 9 \n");
	out.length = 0;
	noughts_draw(&s, true, &out);
	assert_string_equal(text,
			    " X │ 2 │ 3 \n───┼───┼───\n O │ O │ 6 \n───┼───┼───\n 7 │ X │ 9 \n");
}

/* ---- Images, hashes, evaluation ---- */

static void check_images(const struct noughts *s)
{
	qv_move list[9];
	int32_t points[2];
	struct noughts image;
	for (int k = 0; k < 8; k++) {
		noughts_image(s, k, &image);
		assert_int_equal(noughts_result(&image, points), noughts_result(s, points));
		assert_int_equal(noughts_evaluate(&image, weights), noughts_evaluate(s, weights));
		if (noughts_result(s, points) != QV_GOING)
			continue;
		for (int n = noughts_moves(s, list); n > 0; n--) {
			struct noughts one = *s, other = image;
			noughts_play(&one, list[n - 1]);
			noughts_image(&one, k, &one);
			noughts_play(&other, noughts_image_move(s, k, list[n - 1]));
			assert_memory_equal(&one, &other, sizeof one);
			assert_int_equal(
				noughts_rank(s, list[n - 1]),
				noughts_rank(&image, noughts_image_move(s, k, list[n - 1])));
		}
	}
}

static void test_image__laws(void **unused)
{
	(void)unused;
	walk_all(check_images);
	const struct noughts s = parsed("xo....... x");
	for (int k = 0; k < 8; k++)
		for (int earlier = 0; earlier < k; earlier++) {
			struct noughts one, other;
			noughts_image(&s, k, &one);
			noughts_image(&s, earlier, &other);
			assert_memory_not_equal(&one, &other, sizeof one);
		}
}

static uint64_t hashes[6000];
static int hash_count;

static void note_hash(const struct noughts *s)
{
	hashes[hash_count++] = noughts_hash(s);
}

static void test_hash__one_for_each_position(void **unused)
{
	(void)unused;
	hash_count = 0;
	walk_all(note_hash);
	for (int i = 0; i < hash_count; i++)
		for (int j = 0; j < i; j++)
			assert_true(hashes[i] != hashes[j]);
}

/* Line by line and square by square. */
static void check_evaluation(const struct noughts *s)
{
	const int me = noughts_seat(s);
	int32_t value = 0;
	for (int i = 0; i < 8; i++) {
		int mine = 0, theirs = 0;
		for (int square = 0; square < 9; square++) {
			mine += noughts_lines[i] >> square & s->stones[me] >> square & 1;
			theirs += noughts_lines[i] >> square & s->stones[1 - me] >> square & 1;
		}
		value += theirs ? 0 : weights[mine];
		value -= mine ? 0 : weights[theirs];
	}
	assert_int_equal(noughts_evaluate(s, weights), value);
}

static void test_evaluation__counts_open_lines(void **unused)
{
	(void)unused;
	walk_all(check_evaluation);
	/* By hand: x has the top row with two and the middle column with one, o two rows and a
	 * column with one. */
	const struct noughts even = parsed("x.......o x"), ahead = parsed("xx.o....o x");
	assert_int_equal(noughts_evaluate(&even, weights), 0);
	assert_int_equal(noughts_evaluate(&ahead, weights), 4 + 1 - 1 - 1 - 1);
}

/* The published value of the game, and of its first moves: all draws. */
static void test_value__a_draw(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "noughts", "start");
	for (int i = 0; i < 9 * 4; i++) {
		static const char *const specs[] = { "alphabeta:depth=9,tt=0",
						     "alphabeta:depth=9,tt=1",
						     "negascout:depth=9,tt=1",
						     "mtdf:depth=9,tt=1" };
		const qv_move first = (qv_move)i / 4;
		const struct qv_limits limits = { .size = sizeof limits,
						  .only = &first,
						  .only_count = 1 };
		const struct qv_answer answer = desk_ask(&d, specs[i % 4], 1, &limits);
		if (!answer.proven || answer.score != 0 || answer.move != first ||
		    answer.line_length != 9)
			fail_msg("%s, move %d: %d, a line of %d that begins with %d", specs[i % 4],
				 i / 4, answer.score, answer.line_length, (int)answer.move);
	}
	desk_close(&d);
	/* After a corner only the centre holds; after an edge the centre, its corners and the edge
	 * opposite. */
	desk_open(&d, context, "noughts", "x........ o");
	for (qv_move reply = 1; reply < 9; reply++) {
		const struct qv_limits limits = { .size = sizeof limits,
						  .only = &reply,
						  .only_count = 1 };
		const struct qv_answer answer = desk_ask(&d, "minimax:depth=8", 1, &limits);
		assert_int_equal(answer.score, reply == 4 ? 0 : -QV_WIN + 6);
	}
	desk_close(&d);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules__all_255168_games),
		cmocka_unit_test(test_rules__5478_positions_of_765_kinds),
		cmocka_unit_test(test_rules__ends_as_a_reader_sees_it),
		cmocka_unit_test(test_text__every_position_reads_back),
		cmocka_unit_test(test_text__refuses_malformed),
		cmocka_unit_test(test_text__refuses_impossible),
		cmocka_unit_test(test_text__reads_what_can_come_up),
		cmocka_unit_test(test_draw__plain_and_unicode),
		cmocka_unit_test(test_image__laws),
		cmocka_unit_test(test_hash__one_for_each_position),
		cmocka_unit_test(test_evaluation__counts_open_lines),
		cmocka_unit_test(test_value__a_draw),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
