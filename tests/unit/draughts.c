/*
 * draughts.c - draughts against its literal twin and against published facts; texts, draws, search.
 * SPDX-License-Identifier: MIT
 */
#include "games/draughts/evaluate.h"

#include <stdlib.h>

#include "support/search.h"
#include "twins/twin.h"

enum { TEXT = TWIN_DRAUGHTS_TEXT, MOVES = TWIN_DRAUGHTS_MOVES, POSITION = 256 };

static struct draughts parsed(const char *text)
{
	struct draughts s;
	struct qv_error error = { "" };
	if (draughts_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static void check_text(const struct draughts *s, const char *expected)
{
	char text[POSITION] = "";
	draughts_position_text(s, &(struct qv_text){ text, sizeof text, 0 });
	assert_string_equal(text, expected);
}

/* Plays the move with that text, which must be legal. */
static void play(struct draughts *s, const char *text)
{
	qv_move move = QV_NO_MOVE;
	if (!draughts_move_parse(s, text, &move))
		fail_msg("%s: not a legal move", text);
	draughts_play(s, move);
}

/* ---- The twin ---- */

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The moves of both, sorted, and the number of them. */
static int check_same_moves(const struct draughts *s, const char *position, char twin[MOVES][TEXT])
{
	qv_move list[DRAUGHTS_MAX_MOVES];
	char ours[MOVES][TEXT] = { "" };
	const int n = draughts_moves(s, list);
	assert_int_equal(n, draughts_count(s));
	assert_int_equal(n, twin_draughts_moves(position, twin));
	for (int i = 0; i < n; i++)
		draughts_move_text(s, list[i], &(struct qv_text){ ours[i], TEXT, 0 });
	qsort(ours, (size_t)n, TEXT, compare_texts);
	qsort(twin, (size_t)n, TEXT, compare_texts);
	for (int i = 0; i < n; i++)
		if (strcmp(ours[i], twin[i]) != 0)
			fail_msg("%s: %s, and by the twin %s", position, ours[i], twin[i]);
	return n;
}

/* Returns the number of moves that were compared. */
static int compare_game(const char *from, struct qv_random *random, int plies)
{
	char position[POSITION], twin[MOVES][TEXT];
	struct draughts s, read;
	int compared = 0;
	if (from)
		strcpy(position, from);
	else
		twin_draughts_start(position);
	s = parsed(position);
	for (; plies > 0; plies--) {
		int32_t points[2] = { 0, 0 };
		int expected[2];
		check_text(&s, position);
		read = parsed(position);
		assert_memory_equal(&read, &s, sizeof s);
		const int n = check_same_moves(&s, position, twin);
		const enum qv_outcome outcome = draughts_result(&s, points);
		assert_int_equal(outcome != QV_GOING, twin_draughts_over(position, expected));
		if (outcome != QV_GOING) {
			assert_int_equal(points[0], expected[0]);
			assert_int_equal(points[1], expected[1]);
			break;
		}
		const char *move = twin[qv_random_below(random, (uint64_t)n)];
		play(&s, move);
		assert_true(twin_draughts_play(position, move));
		compared += n;
	}
	return compared;
}

/* Any pieces on any squares: far more jumps than in games. */
static void random_position(struct qv_random *random, char *position)
{
	struct draughts s = { .turn = (uint8_t)qv_random_below(random, 2) };
	const int full = (int)qv_random_below(random, 20) + 4;
	for (int i = 0; i < full; i++) {
		const int side = i ? (int)qv_random_below(random, 2) : 1 - s.turn;
		const uint64_t bit =
			draughts_bit(draughts_bit_of(1 + (int)qv_random_below(random, 32)));
		if ((s.pieces[0] | s.pieces[1]) & bit || bits_count(s.pieces[side]) == 12)
			continue;
		s.pieces[side] |= bit;
		if (bit & draughts_last_row(side) || qv_random_below(random, 2))
			s.kings |= bit;
	}
	draughts_position_text(&s, &(struct qv_text){ position, POSITION, 0 });
}

static void test_draughts__plays_like_its_twin(void **unused)
{
	static const char *const positions[] = {
		"B:W6,7,14,15,22,23:BK2",
		"W:WK31:B6,7,8,14,15,16,22,23,24",
		"B:WK29,K30:BK1,K4",
		"W:WK28,K32:BK1,K5:H70",
	};
	struct qv_random random = { 3, 0 };
	char position[POSITION];
	int compared = 0;
	(void)unused;
	for (int i = (int)scaled(600); i > 0; i--)
		compared += compare_game(NULL, &random, 1000);
	for (int i = (int)scaled(4000); i > 0; i--) {
		random_position(&random, position);
		compared += compare_game(position, &random, 12);
	}
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
		compared += compare_game(positions[i], &random, 200);
	print_message("%d moves compared\n", compared);
}

/* ---- The board ---- */

/* Samuel's numbers, and the steps and jumps that the book asks about. */
static void test_draughts__samuel_numbers(void **unused)
{
	(void)unused;
	for (int n = 1; n <= 32; n++) {
		const int expected = n <= 8 ? n + 9 : n <= 16 ? n + 10 : n <= 24 ? n + 11 : n + 12;
		assert_int_equal(draughts_samuel(n), expected);
		assert_int_equal(draughts_square_of(draughts_bit_of(n)), n);
		assert_true(DRAUGHTS_BOARD >> draughts_bit_of(n) & 1);
	}
	assert_int_equal(bits_count(DRAUGHTS_BOARD), 32);
	/* From 20, which is square 10, a man goes to 24 and 25, a king to 15 and 16, too. */
	assert_int_equal(draughts_samuel(10), 20);
	struct draughts s = parsed("B:W32:BK10");
	char text[TEXT] = "";
	qv_move list[DRAUGHTS_MAX_MOVES];
	int found = 0;
	for (int n = draughts_moves(&s, list); n > 0; n--)
		found |= 1 << (draughts_samuel(draughts_square_of(draughts_to(list[n - 1]))) - 10);
	assert_int_equal(found, 1 << 5 | 1 << 6 | 1 << 14 | 1 << 15);
	/* From 23, square 13, a jump by 8 would pass over the dummy 27; one by 10 ends on 33. */
	s = parsed("B:W17,21:B13");
	assert_int_equal(draughts_moves(&s, list), 1);
	draughts_move_text(&s, list[0], &(struct qv_text){ text, sizeof text, 0 });
	assert_string_equal(text, "13x22");
	assert_int_equal(draughts_samuel(13), 23);
	assert_int_equal(draughts_samuel(22), 33);
}

static uint64_t squares(const int *list, int count)
{
	uint64_t bits = 0;
	for (int i = 0; i < count; i++)
		bits |= draughts_bit(draughts_bit_of(list[i]));
	return bits;
}

static void test_draughts__masks(void **unused)
{
	static const int centre[] = { 10, 11, 14, 15, 18, 19, 22, 23 };
	static const int edge[] = { 5, 13, 21, 29, 4, 12, 20, 28 };
	const struct draughts s =
		parsed("B:W21-32:B1-12"); /* the start, rows of which are advanced 0, 1 and 2 */
	(void)unused;
	assert_true(squares(centre, 8) == DRAUGHTS_CENTRE);
	assert_true(squares(edge, 8) == DRAUGHTS_EDGE);
	assert_int_equal(draughts_advance(s.pieces[0], 0), 4 + 8);
	assert_int_equal(draughts_advance(s.pieces[1], 1), 4 + 8);
	assert_int_equal(draughts_evaluate(&s, draughts_weights),
			 draughts_weights[DRAUGHTS_W_TURN]);
}

/* No king has more paths than the length of the move list allows for. */
static void test_draughts__paths_of_one_piece(void **unused)
{
	int most = 0;
	(void)unused;
	for (int square = 1; square <= 32; square++) {
		const uint64_t at = draughts_bit(draughts_bit_of(square));
		uint64_t reached = at, between = 0;
		for (int i = 0; i < 8; i++)
			for (int d = 0; d < 4; d++) {
				const uint64_t over = draughts_shift(reached, d) & DRAUGHTS_BOARD;
				const uint64_t land = draughts_shift(over, d) & DRAUGHTS_BOARD;
				reached |= land;
				between |= draughts_shift(land, 3 - d);
			}
		assert_true(bits_count(between) <= DRAUGHTS_MAX_JUMPS);
		for (uint64_t set = between;; set = (set - 1) & between) {
			const int paths =
				draughts_count_paths(at, set, DRAUGHTS_BOARD & ~set, 0, 3);
			most = paths > most ? paths : most;
			if (!set)
				break;
		}
	}
	assert_int_equal(most, DRAUGHTS_MAX_PATHS);
}

/* Different positions after three moves: the openings of a match. */
static void test_draughts__three_move_openings(void **unused)
{
	struct draughts found[512], start;
	int count = 0, lines = 0;
	(void)unused;
	draughts_start(&start, NULL);
	qv_move first[16], second[16], third[16];
	for (int a = draughts_moves(&start, first); a > 0; a--) {
		struct draughts one = start;
		draughts_play(&one, first[a - 1]);
		for (int b = draughts_moves(&one, second); b > 0; b--) {
			struct draughts two = one;
			draughts_play(&two, second[b - 1]);
			for (int c = draughts_moves(&two, third); c > 0; c--, lines++) {
				struct draughts three = two;
				int i = 0;
				draughts_play(&three, third[c - 1]);
				while (i < count && memcmp(&found[i], &three, sizeof three) != 0)
					i++;
				if (i == count)
					found[count++] = three;
			}
		}
	}
	assert_int_equal(lines, 302);
	assert_int_equal(count, 216);
}

/* ---- Rules ---- */

static void check_moves(const char *position, const char *expected)
{
	const struct draughts s = parsed(position);
	qv_move list[DRAUGHTS_MAX_MOVES];
	char text[1024] = "";
	struct qv_text out = { text, sizeof text, 0 };
	const int n = draughts_moves(&s, list);
	for (int i = 0; i < n; i++) {
		if (i)
			qv_put_char(&out, ' ');
		draughts_move_text(&s, list[i], &out);
	}
	assert_string_equal(text, expected);
}

static void test_draughts__captures(void **unused)
{
	(void)unused;
	/* Compulsory, but any will do. */
	check_moves("B:W14,15,22,32:B9,11,1", "9x18x25 11x18x25");
	check_moves("B:W10,17,26:B6,13", "6x15 13x22x31");
	/* A man that is crowned stops, though a king could go on. */
	check_moves("B:W25,26:B21", "21x30");
	/* A king goes in a circle to its first square, in both directions. */
	check_moves("B:W6,7,14,15:BK2", "2x9x18x11x2 2x11x18x9x2");
	/* Paths that take the same pieces are different moves. */
	check_moves("B:W6,7,14,15,22:BK2", "2x9x18x25 2x9x18x11x2 2x11x18x25 2x11x18x9x2");
	/* The square that the king left is empty for its own jumps only. */
	check_moves("W:W29:B25,18", "29x22x15");
	struct draughts s = parsed("B:W6,7,14,15:BK2");
	play(&s, "2x9x18x11x2");
	check_text(&s, "W:W:BK2");
	int32_t points[2];
	assert_int_equal(draughts_result(&s, points), QV_ENDED);
	assert_int_equal(points[DRAUGHTS_BLACK], 1);
}

/* A side whose pieces are all blocked has lost. */
static void test_draughts__blocked(void **unused)
{
	const struct draughts s = parsed("W:W28,32:B19,20,23,24,27");
	int32_t points[2];
	(void)unused;
	assert_int_equal(draughts_count(&s), 0);
	assert_int_equal(draughts_result(&s, points), QV_ENDED);
	assert_int_equal(points[DRAUGHTS_BLACK], 1);
	assert_int_equal(points[DRAUGHTS_WHITE], 0);
}

static void test_draughts__draws(void **unused)
{
	static const char *const there_and_back[] = { "1-6", "32-27", "6-1", "27-32" };
	struct draughts s = parsed("B:WK32:BK1,12");
	int32_t points[2] = { 7, 7 };
	(void)unused;
	for (int i = 0; i < DRAUGHTS_QUIET; i++) {
		assert_int_equal(draughts_result(&s, points), QV_GOING);
		play(&s, there_and_back[i % 4]);
	}
	check_text(&s, "B:WK32:BK1,12:H80");
	assert_int_equal(draughts_result(&s, points), QV_DRAWN_BY_COUNT);
	assert_int_equal(points[0], points[1]);
	/* A move of a man starts the count again. */
	play(&s, "12-16");
	check_text(&s, "W:WK32:BK1,16");
	/* The third occurrence is a draw. */
	assert_int_equal(draughts_repeated(&s, 1, points), QV_GOING);
	assert_int_equal(draughts_repeated(&s, 2, points), QV_ENDED);
}

/* ---- Texts ---- */

static void test_draughts__positions(void **unused)
{
	static const struct {
		const char *typed, *written;
	} cases[] = {
		{ "B:W21-32:B1-12",
		  "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12" },
		{ "W:BK1,2:W30,K31", "W:W30,K31:BK1,2" },
		{ " W : W 30 , K 31 : B K1 - 3 . ", "W:W30,K31:BK1,K2,K3" },
		{ "w:wk5:bk9,01", "W:WK5:B1,K9" },
		{ "B:WK5:BK9:H0:F1", "B:WK5:BK9" },
		{ "B:WK5:BK9:H12:F30.", "B:WK5:BK9:H12" },
		{ "B:W18:B", "B:W18:B" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct draughts s = parsed(cases[i].typed);
		const struct draughts again = parsed(cases[i].written);
		assert_memory_equal(&s, &again, sizeof s);
		check_text(&s, cases[i].written);
	}
}

static void test_draughts__refused_positions(void **unused)
{
	static const char *const cases[][2] = {
		{ "", "position: expected the side to move, B or W, first" },
		{ "X:W1:B2", "position: expected the side to move, B or W, first" },
		{ "B", "position: the list of Black's squares is missing" },
		{ "B:B1", "position: the list of White's squares is missing" },
		{ "B:W30", "position: the list of Black's squares is missing" },
		{ "B:W30:B1:B2", "position: two lists for Black" },
		{ "B:W33:B1", "position: '33:B1': expected a square from 1 to 32" },
		{ "B:W0:B1", "position: '0:B1': expected a square from 1 to 32" },
		{ "B:W30,:B1", "position: ':B1': expected a square from 1 to 32" },
		{ "B:W100:B1", "position: '100:B1': expected a square from 1 to 32" },
		{ "B:W30:B12-9", "position: 12-9: a range begins with the lower square" },
		{ "B:W30,9:B9", "position: two pieces on square 9" },
		{ "B:W3:B9", "position: White's piece on square 3 must be a king (K3)" },
		{ "B:W30:B29", "position: Black's piece on square 29 must be a king (K29)" },
		{ "B:W30:B1-13", "position: Black has more than 12 pieces" },
		{ "B:W:B1", "position: White has just moved but has no pieces" },
		{ "B:W30:B1 2", "position: unexpected '2'" },
		{ "B:W30:B1:Z", "position: expected W or B and squares after ':'" },
		{ "B:WK30:BK1:H81", "position: expected a number from 0 to 80 after H" },
		{ "B:WK30:BK1:Fx", "position: expected a number after F" },
		{ "B:W30:BK1:H1", "position: H1 counts moves of kings, but White has none" },
		{ "B:WK30:B1:H2", "position: H2 counts moves of kings, but Black has none" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct draughts s;
		struct qv_error error = { "" };
		assert_int_not_equal(draughts_position_parse(&s, NULL, cases[i][0], &error), QV_OK);
		assert_string_equal(error.text, cases[i][1]);
	}
	parsed("B:WK30:B1:H1"); /* White's king has moved, Black's man before it */
}

static void test_draughts__typed_moves(void **state)
{
	static const struct {
		const char *position, *typed, *move; /* move NULL: refused */
	} cases[] = {
		{ "start", "11-15", "11-15" },
		{ "start", "11 - 15", "11-15" },
		{ "start", "09-13", "9-13" },
		{ "start", "1115", "11-15" },
		{ "start", "913", "9-13" },
		{ "start", "11-15*", "11-15" },
		{ "start", "11x15", NULL },
		{ "start", "11:15", NULL },
		{ "start", "11-", NULL },
		{ "start", "11", NULL },
		{ "start", "11-15-19", NULL },
		{ "start", "11-15x", NULL },
		{ "start", "1-5", NULL },
		{ "B:W6,14:B1", "1x10x17", "1x10x17" },
		{ "B:W6,14:B1", "1x17", "1x10x17" },
		{ "B:W6,14:B1", "1:17", "1x10x17" },
		{ "B:W6,14:B1", "1-17", "1x10x17" },
		{ "B:W6,14:B1", "1X10X17", "1x10x17" },
		{ "B:W6,14:B1", "117", "1x10x17" },
		{ "B:W6,14:B1", "1x10", NULL },
		{ "B:W6,7,14,15:BK2", "2x2", NULL },
		{ "B:W6,7,14,15:BK2", "2x9x2", NULL }, /* both ways round pass 9 */
		{ "B:W6,7,14,15:BK2", "2x9x18x2", "2x9x18x11x2" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot s = spot_at(*state, "checkers", cases[i].position);
		qv_move move;
		const enum qv_status status =
			qv_move_parse(s.rules.game, s.state, cases[i].typed, &move, NULL);
		if ((status == QV_OK) != (cases[i].move != NULL))
			fail_msg("%s: %s", cases[i].position, cases[i].typed);
		if (status == QV_OK && cases[i].move) {
			char text[QV_MOVE_TEXT];
			assert_string_equal(move_text(&s, move, text), cases[i].move);
		}
	}
}

static void test_draughts__reasons(void **unused)
{
	static const char *const cases[][3] = {
		{ "B:W21-32:B1-12", "22-18", "Black has no piece on 22" },
		{ "B:W18,32:B14,1", "1-5", "you must capture, and complete the jump: 14x23" },
		{ "B:W6,7,14,15:BK2", "2x2", "ambiguous: name every square where the piece lands" },
		{ "B:W21-32:B1-12", "hello", "" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct draughts s = parsed(cases[i][0]);
		char why[128] = "";
		draughts_refusal(&s, cases[i][1], &(struct qv_text){ why, sizeof why, 0 });
		assert_string_equal(why, cases[i][2]);
	}
}

/* ---- Searches ---- */

/* A man is 1 and a king 3: a side with a king and a man against three men is one ahead. */
static void test_draughts__material(void **unused)
{
	const struct draughts s = parsed("B:W21,22,30:BK14,9");
	qv_move list[DRAUGHTS_MAX_MOVES];
	(void)unused;
	assert_int_equal(draughts_material(&s, 0) - draughts_material(&s, 1), DRAUGHTS_MAN);
	for (int n = draughts_moves(&s, list); n > 0; n--) {
		struct draughts next = s;
		draughts_play(&next, list[n - 1]);
		assert_int_equal(draughts_material(&next, 0) - draughts_material(&next, 1),
				 DRAUGHTS_MAN + draughts_gain(&s, list[n - 1]));
	}
}

/* Every code finds its move again, or one whose first four directions are the same. */
static void test_draughts__codes(void **unused)
{
	struct qv_random random = { 8, 0 };
	char position[POSITION];
	(void)unused;
	for (int i = (int)scaled(2000); i > 0; i--) {
		random_position(&random, position);
		const struct draughts s = parsed(position);
		qv_move list[DRAUGHTS_MAX_MOVES];
		for (int n = draughts_moves(&s, list); n > 0; n--) {
			const int code = draughts_code(list[n - 1]);
			const qv_move again = draughts_from_code(&s, code);
			assert_int_equal(draughts_code(again), code);
			assert_true(draughts_jumps(again) > 4 || again == list[n - 1]);
			assert_int_equal(draughts_code_takes(&s, code), !draughts_quiet(&s, again));
		}
		const qv_move any = draughts_from_code(&s, (int)qv_random_below(&random, 65536));
		bool listed = any == QV_NO_MOVE;
		for (int n = draughts_moves(&s, list); n > 0; n--)
			listed |= list[n - 1] == any;
		assert_true(listed);
	}
}

/* With its keys off, the selective search is alpha-beta. */
static void test_draughts__selective_is_alphabeta(void **state)
{
	struct qv_random random = { 5, 0 };
	const struct qv_game *game = spot_at(*state, "draughts", NULL).rules.game;
	for (int k = (int)scaled(60); k > 0; k--) {
		const struct spot s = spot_random(*state, game, 60, &random);
		const int depth = depth_for(&s, 6, 30000);
		const struct qv_answer plain = think_to(&s, "alphabeta:quiet=0,tt=0", depth);
		const struct qv_answer answer = think_to(
			&s,
			"selective:null=0,lmr=0,late=0,futility=0,see=0,delta=0,checks=0,extend=0,"
			"singular=0,iir=0,probcut=0,correct=0,twofold=0,quiet=0,tt-exact=1,tt=1",
			depth);
		assert_int_equal(answer.score, plain.score);
	}
}

/* Captures are forced, so a search that looks for quiet does not stop before the recapture. */
static void test_draughts__searches_to_the_end_of_an_exchange(void **state)
{
	const struct spot s = spot_at(*state, "draughts", "B:W18,27,32:B1,2,14");
	static const char *const kinds[] = { "alphabeta", "selective" };
	for (size_t i = 0; i < 2; i++) {
		char spec[64];
		snprintf(spec, sizeof spec, "%s:quiet=0,tt=0", kinds[i]);
		const struct qv_answer loud = think_to(&s, spec, 1);
		snprintf(spec, sizeof spec, "%s:quiet=1,tt=0", kinds[i]);
		const struct qv_answer quiet = think_to(&s, spec, 1);
		assert_true(loud.score > 60);
		assert_true(quiet.score > -60 && quiet.score < 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draughts__plays_like_its_twin),
		cmocka_unit_test(test_draughts__samuel_numbers),
		cmocka_unit_test(test_draughts__masks),
		cmocka_unit_test(test_draughts__paths_of_one_piece),
		cmocka_unit_test(test_draughts__three_move_openings),
		cmocka_unit_test(test_draughts__captures),
		cmocka_unit_test(test_draughts__blocked),
		cmocka_unit_test(test_draughts__draws),
		cmocka_unit_test(test_draughts__positions),
		cmocka_unit_test(test_draughts__refused_positions),
		cmocka_unit_test(test_draughts__typed_moves),
		cmocka_unit_test(test_draughts__reasons),
		cmocka_unit_test(test_draughts__material),
		cmocka_unit_test(test_draughts__codes),
		cmocka_unit_test(test_draughts__selective_is_alphabeta),
		cmocka_unit_test(test_draughts__searches_to_the_end_of_an_exchange),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
