/*
 * hexapawn.c - hexapawn against published facts, and what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/hexapawn/rules.h"

#include <stdlib.h>

#include "support/desk.h"

enum { BOARDS = 1 << 19, TEXT = 16, PLIES = 7 };

static const int64_t loss[] = { HEXAPAWN_LOSS }, draw[] = { HEXAPAWN_DRAW };

static struct hexapawn parsed(const char *text)
{
	struct hexapawn s;
	struct qv_error error = { "" };
	if (hexapawn_position_parse(&s, loss, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* A number for each position. */
static int board_of(const struct hexapawn *s)
{
	return s->pawns[0] << 10 | s->pawns[1] << 1 | s->turn;
}

/* Calls check for every position whose text is read, with either option. Returns how many. */
static int each_position(void (*check)(const struct hexapawn *))
{
	int count = 0;
	for (int code = 0; code < 19683 * 2; code++) {
		char text[] = ".../.../... w";
		for (int i = 0, rest = code / 2; i < 9; i++, rest /= 3)
			text[i + i / 3] = ".Pp"[rest % 3];
		text[12] = "wb"[code % 2];
		struct hexapawn s;
		if (hexapawn_position_parse(&s, loss, text, NULL) != QV_OK)
			continue;
		check(&s);
		s.blocked = HEXAPAWN_DRAW;
		check(&s);
		count++;
	}
	return count;
}

/* ---- Moves as people type them ---- */

static void test_text__moves_without_the_hyphen(void **unused)
{
	static const struct {
		const char *game, *position, *typed, *move; /* move NULL: refused */
	} cases[] = {
		{ "hexapawn", "start", "a1a2", "a1-a2" },
		{ "hexapawn", "start", "A1 A2", "a1-a2" },
		{ "hexapawn", "start", "A1-a2", "a1-a2" },
		{ "hexapawn", "start", "a1  a2", "a1-a2" },
		{ "hexapawn", "start", "a1 a2 ", NULL },
		{ "hexapawn", "start", " a1a2", NULL },
		{ "hexapawn", "start", "a1--a2", NULL },
		{ "hexapawn", "start", "a1 - a2", NULL },
		{ "hexapawn", "start", "a1a", NULL },
		{ "hexapawn", "start", "a1a3", NULL },
		{ "hexapawn", "start", "a 1a2", NULL },
		/* As in the 1983 program: column, then row. */
		{ "hexapawn", "start", "1,1 1,2", "a1-a2" },
		{ "hexapawn", "start", "3,1  3,2", "c1-c2" },
		{ "hexapawn", "ppp/P../.PP b", "2,3 1,2", "b3-a2" },
		{ "hexapawn", "start", "1,1 2,1", NULL },
		{ "hexapawn", "start", "1,1 1,4", NULL },
		{ "hexapawn", "start", "0,1 0,2", NULL },
		{ "hexapawn", "start", "1,1 1,2 ", NULL },
		{ "hexapawn", "start", "1,11,2", NULL },
		{ "hexapawn", "start", "1,1", NULL },
		{ "hexapawn", "start", "1, 1 1, 2", NULL },
		{ "hexapawn", "start", "4294967297,1 1,2", NULL },
		{ "minichess", "start", "b1c3", "b1-c3" },
		{ "minichess", "start", "B1 C3", "b1-c3" },
		{ "minichess", "start", "b1d4", NULL },
		{ "minichess", "start", "Nc3", "b1-c3" },
		{ "minichess", "start", "a3", "a2-a3" },
		{ "minichess", "start", "Nd4", NULL },
		{ "minichess", "9 W/k..../..P../Q.r.Q/...../...../R...K", "Qaxc4", "a4-c4" },
		{ "minichess", "9 W/k..../..P../Q.r.Q/...../...../R...K", "Qxc4", NULL },
		{ "minichess", "9 W/k..../..P../Q.r.Q/...../...../R...K", "c6=Q", "c5-c6" },
		{ "morris", "WW.W......BBB..........B W 0 0 0", "D7 G7", "d7-g7" },
		/* Numbers need their hyphen: 112 could be two moves. */
		{ "race", "0,0,0,0 0,0,0,0 1 6", "0-1", "0-1" },
		{ "race", "0,0,0,0 0,0,0,0 1 6", "01", NULL },
		{ "race", "0,0,0,0 0,0,0,0 1 6", "0 1", NULL },
	};
	struct qv_context *context = desk_context(NULL);
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct desk d;
		char text[QV_MOVE_TEXT] = "";
		qv_move move;
		desk_open(&d, context, cases[i].game, cases[i].position);
		const enum qv_status status =
			qv_move_parse(d.rules.game, d.state, cases[i].typed, &move, NULL);
		assert_int_equal(status, cases[i].move ? QV_OK : QV_ILLEGAL);
		if (cases[i].move) {
			d.rules.game->move_text(d.state, move,
						&(struct qv_text){ text, sizeof text, 0 });
			assert_string_equal(text, cases[i].move);
		}
		desk_close(&d);
	}
	qv_context_free(context);
}

/* ---- Published facts ---- */

struct games {
	int leaves[PLIES + 2], ended;
	bool seen[BOARDS];
};

static void play_out(const struct hexapawn *s, int ply, struct games *g)
{
	int32_t points[2];
	qv_move list[HEXAPAWN_MAX_MOVES];
	assert_true(ply <= PLIES);
	g->leaves[ply]++;
	g->seen[board_of(s)] = true;
	if (hexapawn_result(s, points) != QV_GOING) {
		g->ended++;
		return;
	}
	for (int n = hexapawn_moves(s, list); n > 0; n--) {
		struct hexapawn next = *s;
		hexapawn_play(&next, list[n - 1]);
		play_out(&next, ply + 1, g);
	}
}

static void test_rules__all_134_games(void **unused)
{
	static const int leaves[PLIES + 1] = { 1, 3, 10, 28, 56, 70, 64, 20 };
	static struct games g;
	(void)unused;
	for (int blocked = 0; blocked < 2; blocked++) {
		struct hexapawn s;
		hexapawn_start(&s, blocked ? draw : loss);
		memset(&g, 0, sizeof g);
		play_out(&s, 0, &g);
		assert_memory_equal(g.leaves, leaves, sizeof leaves);
		assert_int_equal(g.ended, 134);
	}
}

/* Minimax without depth or evaluation: 1 won, 0 drawn, -1 lost for the side to move. */
static int value_of(const struct hexapawn *s)
{
	int32_t points[2];
	qv_move list[HEXAPAWN_MAX_MOVES];
	int best = -1;
	if (hexapawn_result(s, points) != QV_GOING)
		return points[s->turn] - points[1 - s->turn];
	for (int n = hexapawn_moves(s, list); n > 0; n--) {
		struct hexapawn next = *s;
		hexapawn_play(&next, list[n - 1]);
		const int value = -value_of(&next);
		best = value > best ? value : best;
	}
	return best;
}

static void test_value__lost_after_any_first_move_or_drawn(void **unused)
{
	(void)unused;
	struct hexapawn s;
	qv_move list[HEXAPAWN_MAX_MOVES];
	hexapawn_start(&s, loss);
	assert_int_equal(value_of(&s), -1);
	assert_int_equal(hexapawn_moves(&s, list), 3);
	for (int i = 0; i < 3; i++) {
		struct hexapawn next = s;
		hexapawn_play(&next, list[i]);
		assert_int_equal(value_of(&next), 1);
	}
	hexapawn_start(&s, draw);
	assert_int_equal(value_of(&s), 0);
}

static void test_value__searches_prove_it(void **unused)
{
	static const char *const specs[] = { "minimax:depth=7", "alphabeta:depth=7,tt=0",
					     "negascout:depth=7,tt=1", "mtdf:depth=7,tt=1" };
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	for (int i = 0; i < 4 * 2; i++) {
		struct desk d;
		desk_open(&d, context, i / 4 ? "hexapawn:blocked=draw" : "hexapawn", "start");
		const struct qv_answer answer = desk_ask(&d, specs[i % 4], 1, NULL);
		assert_true(answer.proven);
		assert_int_equal(answer.score, i / 4 ? 0 : -QV_WIN + 6);
		desk_close(&d);
	}
	qv_context_free(context);
}

/* ---- Rules ---- */

static void check_result(const char *text, enum qv_outcome outcome, int white, int black)
{
	int32_t points[2] = { -1, -1 };
	struct hexapawn s = parsed(text);
	assert_int_equal(hexapawn_result(&s, points), outcome);
	assert_int_equal(points[0], white);
	assert_int_equal(points[1], black);
}

static void test_rules__ends(void **unused)
{
	(void)unused;
	check_result("ppp/.../PPP w", QV_GOING, -1, -1);
	check_result("P../.p./..P b", QV_ENDED, 1, 0);  /* arrived */
	check_result(".../.P./p.. w", QV_ENDED, 0, 1);
	check_result(".p./.P./... w", QV_ENDED, 0, 1);  /* blocked */
	check_result(".p./.P./... b", QV_ENDED, 1, 0);
	check_result(".../.P./... b", QV_ENDED, 1, 0);  /* no pawn left */
	check_result("p../.P./... b", QV_GOING, -1, -1); /* can capture */
	int32_t points[2] = { -1, -1 };
	struct hexapawn s = parsed(".p./.P./... w");
	s.blocked = HEXAPAWN_DRAW;
	assert_int_equal(hexapawn_result(&s, points), QV_ENDED);
	assert_int_equal(points[0], 0);
	assert_int_equal(points[1], 0);
	s = parsed(".../.P./p.. w");
	s.blocked = HEXAPAWN_DRAW;
	hexapawn_result(&s, points);
	assert_int_equal(points[1], 1);
}

static int most_moves;

static void note_moves(const struct hexapawn *s)
{
	qv_move list[9];
	const int n = hexapawn_moves(s, list);
	most_moves = n > most_moves ? n : most_moves;
}

static void test_rules__most_moves(void **unused)
{
	(void)unused;
	most_moves = 0;
	each_position(note_moves);
	assert_int_equal(most_moves, HEXAPAWN_MAX_MOVES);
}

/* ---- Text ---- */

static void check_round_trip(const struct hexapawn *s)
{
	char text[TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	struct hexapawn again;
	hexapawn_position_text(s, &out);
	assert_int_equal(
		hexapawn_position_parse(&again, s->blocked ? draw : loss, text, NULL), QV_OK);
	assert_memory_equal(&again, s, sizeof again);
}

/* What can come up is read; what is read reads back. */
static void test_text__every_position_reads_back(void **unused)
{
	static struct games g;
	(void)unused;
	struct hexapawn s;
	hexapawn_start(&s, loss);
	memset(&g, 0, sizeof g);
	play_out(&s, 0, &g);
	for (int board = 0; board < BOARDS; board++)
		if (g.seen[board]) {
			s = (struct hexapawn){ .pawns = { (uint16_t)(board >> 10),
							  (uint16_t)(board >> 1 & 0x1ff) },
					       .turn = board & 1 };
			check_round_trip(&s);
		}
	assert_true(each_position(check_round_trip) > 1000);
}

static void check_refused(const char *text, enum qv_status expected, const char *reason)
{
	struct hexapawn s = { .pawns = { 1, 2 } };
	const struct hexapawn before = s;
	struct qv_error error = { "" };
	assert_int_equal(hexapawn_position_parse(&s, draw, text, &error), expected);
	assert_memory_equal(error.text, "position: ", 10);
	if (!strstr(error.text, reason))
		fail_msg("%s: \"%s\" does not speak of \"%s\"", text, error.text, reason);
	assert_memory_equal(&s, &before, sizeof s);
	assert_int_equal(hexapawn_position_parse(&s, draw, text, NULL), expected);
}

static void test_text__refuses_malformed(void **unused)
{
	static const char whole[] = "ppp/.../PPP w";
	(void)unused;
	for (size_t length = 0; length < sizeof whole - 1; length++) {
		char cut[sizeof whole] = "";
		memcpy(cut, whole, length);
		check_refused(cut, QV_BAD_INPUT,
			      length == 12 ? "the side" : length % 4 == 3 ? "followed" : "expected three");
	}
	check_refused("ppp/.../PPP W", QV_BAD_INPUT, "the side");
	check_refused("ppp/.../PPP ww", QV_BAD_INPUT, "the side");
	check_refused("ppp/.../PPP  w", QV_BAD_INPUT, "the side");
	check_refused("ppp/.../PPPw", QV_BAD_INPUT, "rank 1 must be followed by ' '");
	check_refused("ppp/.../PPP/w", QV_BAD_INPUT, "rank 1 must be followed by ' '");
	check_refused("ppp ... PPP w", QV_BAD_INPUT, "rank 3 must be followed by '/'");
	check_refused("pxp/.../PPP w", QV_BAD_INPUT, "rank 3: expected three");
	check_refused("ppp/3/PPP w", QV_BAD_INPUT, "rank 2: expected three");
	check_refused("ppp/\xff../PPP w", QV_BAD_INPUT, "rank 2: expected three");
}

static void test_text__refuses_impossible(void **unused)
{
	(void)unused;
	check_refused("ppp/P../PPP b", QV_ILLEGAL, "White has more than three pawns");
	check_refused("ppp/p../PPP w", QV_ILLEGAL, "Black has more than three pawns");
	check_refused("P../.../..p w", QV_ILLEGAL, "White has already won");
	check_refused("P../.../p.. b", QV_ILLEGAL, "Black has already won");
	check_refused(".../.../PP. w", QV_ILLEGAL, "Black has just moved but has no pawn");
	check_refused(".../.../... w", QV_ILLEGAL, "Black has just moved but has no pawn");
	check_refused("P.P/p../... b", QV_ILLEGAL, "White has two pawns on the far rank");
	parsed("P../p../... b");
	parsed(".../p../... w");
}

static void test_draw__plain_and_unicode(void **unused)
{
	(void)unused;
	const struct hexapawn s = parsed("p.p/p../.PP w");
	char text[256];
	struct qv_text out = { text, sizeof text, 0 };
	hexapawn_draw(&s, false, &out);
	assert_string_equal(text, "3 p . p\n2 p . .\n1 . P P\n  a b c\n");
	out.length = 0;
	hexapawn_draw(&s, true, &out);
	assert_string_equal(text, "3 ♟ · ♟\n2 ♟ · ·\n1 · ♙ ♙\n  a b c\n");
}

/* ---- Images, hashes, evaluation ---- */

static void check_image(const struct hexapawn *s)
{
	qv_move list[HEXAPAWN_MAX_MOVES];
	int32_t points[2];
	struct hexapawn image, back;
	hexapawn_image(s, 1, &image);
	hexapawn_image(&image, 1, &back);
	assert_memory_equal(&back, s, sizeof back);
	assert_int_equal(hexapawn_evaluate(&image, hexapawn_weights),
			 hexapawn_evaluate(s, hexapawn_weights));
	const enum qv_outcome outcome = hexapawn_result(s, points);
	assert_int_equal(hexapawn_result(&image, points), outcome);
	for (int n = outcome == QV_GOING ? hexapawn_moves(s, list) : 0; n > 0; n--) {
		struct hexapawn one = *s, other = image;
		const qv_move move = hexapawn_image_move(s, 1, list[n - 1]);
		assert_int_equal(hexapawn_rank(s, list[n - 1]), hexapawn_rank(&image, move));
		hexapawn_play(&one, list[n - 1]);
		hexapawn_play(&other, move);
		hexapawn_image(&one, 1, &one);
		assert_memory_equal(&one, &other, sizeof one);
	}
}

static void test_image__laws(void **unused)
{
	(void)unused;
	each_position(check_image);
	const struct hexapawn s = parsed("p../.P./..P b");
	struct hexapawn image;
	hexapawn_image(&s, 1, &image);
	const struct hexapawn expected = parsed("..p/.P./P.. b");
	assert_memory_equal(&image, &expected, sizeof image);
}

static uint64_t hashes[40000];
static int hash_count;

static void note_hash(const struct hexapawn *s)
{
	assert_true(hash_count < 40000);
	hashes[hash_count++] = hexapawn_hash(s);
}

static int compare_hashes(const void *a, const void *b)
{
	const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
	return (one > other) - (one < other);
}

static void test_hash__one_for_each_position_and_option(void **unused)
{
	(void)unused;
	hash_count = 0;
	each_position(note_hash);
	qsort(hashes, (size_t)hash_count, sizeof *hashes, compare_hashes);
	for (int i = 1; i < hash_count; i++)
		assert_true(hashes[i] != hashes[i - 1]);
}

/* The start is 0, and each opening move scores 3 for the one who made it, as the book's program. */
static void test_evaluation__as_the_book_says(void **unused)
{
	(void)unused;
	struct hexapawn s;
	qv_move list[HEXAPAWN_MAX_MOVES];
	hexapawn_start(&s, loss);
	assert_int_equal(hexapawn_evaluate(&s, hexapawn_weights), 0);
	for (int n = hexapawn_moves(&s, list); n > 0; n--) {
		struct hexapawn next = s;
		hexapawn_play(&next, list[n - 1]);
		assert_int_equal(hexapawn_evaluate(&next, hexapawn_weights), -3);
		assert_int_equal(hexapawn_material(&next), 0);
	}
	/* Two of black's at home, one on rank 2, against two of white's at home. */
	s = parsed("p.p/p../.PP w");
	assert_int_equal(hexapawn_evaluate(&s, hexapawn_weights), (1 + 1 + 2) - (1 + 1 + 4 + 3));
	assert_int_equal(hexapawn_material(&s), -1);
	s = parsed("P../.p./... b");
	assert_int_equal(hexapawn_evaluate(&s, hexapawn_weights), (4 + 1) - (9 + 20 + 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text__moves_without_the_hyphen),
		cmocka_unit_test(test_rules__all_134_games),
		cmocka_unit_test(test_rules__ends),
		cmocka_unit_test(test_rules__most_moves),
		cmocka_unit_test(test_value__lost_after_any_first_move_or_drawn),
		cmocka_unit_test(test_value__searches_prove_it),
		cmocka_unit_test(test_text__every_position_reads_back),
		cmocka_unit_test(test_text__refuses_malformed),
		cmocka_unit_test(test_text__refuses_impossible),
		cmocka_unit_test(test_draw__plain_and_unicode),
		cmocka_unit_test(test_image__laws),
		cmocka_unit_test(test_hash__one_for_each_position_and_option),
		cmocka_unit_test(test_evaluation__as_the_book_says),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
