/*
 * chess960.c - Chess960: the 960 starts, perft of known positions, moves one by one against the
 * list of them, notation, and what X-FEN reads, writes and refuses.
 * SPDX-License-Identifier: MIT
 *
 * tests/data/chess960-perft.txt holds positions with their leaves at each depth.
 */
#include "games/chess/exchange.h"
#include "games/chess/rules.h"

#include <stdio.h>

#include "support/desk.h"
#include "support/scale.h"

enum { LINE = 512, POSITIONS = 1500, MOST_LEAVES = 700000 };

static const int64_t by_960[] = { [CHESS_OPTION_START] = 1, [CHESS_OPTION_NUMBER] = 518 };

static struct chess parsed(const char *text)
{
	struct chess s;
	struct qv_error error = { "" };
	if (chess_position_parse(&s, by_960, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* ---- starts ---- */

static void array_text(int number, char text[9])
{
	uint8_t kinds[8];
	chess960_array(number, kinds);
	for (int file = 0; file < 8; file++)
		text[file] = "PNBRQK"[kinds[file]];
	text[8] = '\0';
}

static void test_chess960__known_starts(void **unused)
{
	static const struct {
		int number;
		const char *array;
	} known[] = { { 0, "BBQNNRKR" },   { 1, "BQNBNRKR" },  { 4, "QBBNNRKR" },
		      { 95, "NNRKRQBB" },  { 96, "BBQNRNKR" }, { 518, "RNBQKBNR" },
		      { 534, "RNBKQBNR" }, { 959, "RKRNNQBB" } };
	char text[9];
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		array_text(known[i].number, text);
		assert_string_equal(text, known[i].array);
	}
}

/* The king is between the rooks, the bishops are on both colours, and no array comes twice. */
static void test_chess960__starts_by_definition(void **unused)
{
	static char all[CHESS_STARTS][9];
	(void)unused;
	for (int i = 0; i < CHESS_STARTS; i++) {
		char *text = all[i];
		array_text(i, text);
		const char *king = strchr(text, 'K'), *rook = strchr(text, 'R');
		const char *bishop = strchr(text, 'B'), *knight = strchr(text, 'N');
		assert_true(king && rook && bishop && knight && strchr(text, 'Q'));
		assert_true(rook < king && strchr(king, 'R') && strchr(knight + 1, 'N'));
		assert_non_null(strchr(bishop + 1, 'B'));
		assert_true((strchr(bishop + 1, 'B') - bishop) % 2);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(all[k], text);
	}
}

/* Orthodox chess and number 518 differ in nothing but how castling is written. */
static void test_chess960__number_518_is_chess(void **unused)
{
	struct chess a, b;
	char one[QV_POSITION_TEXT] = "", other[QV_POSITION_TEXT] = "";
	(void)unused;
	chess_start(&a, NULL);
	chess_start(&b, by_960);
	chess_position_text(&a, &(struct qv_text){ one, sizeof one, 0 });
	chess_position_text(&b, &(struct qv_text){ other, sizeof other, 0 });
	assert_string_equal(one, other);
	assert_false(a.is_960);
	assert_true(b.is_960);
}

/* ---- perft ---- */

static uint64_t count(const struct qv_context *context, const char *position, int depth,
		      size_t hash_bytes)
{
	const struct qv_perft_limits limits = { .size = sizeof limits,
						.depth = depth,
						.hash_bytes = hash_bytes };
	struct desk d;
	uint64_t leaves = 0;
	desk_open(&d, context, "chess:start=960", position);
	assert_int_equal(qv_perft(context, d.rules.game, d.state, &limits, &leaves, NULL), QV_OK);
	desk_close(&d);
	return leaves;
}

static int check_line(const struct qv_context *context, char *line, uint64_t most)
{
	int checked = 0;
	char *semicolon = strchr(line, ';');
	assert_non_null(semicolon);
	for (const char *at = semicolon; at; at = strchr(at + 1, ';')) {
		int depth;
		unsigned long long leaves;
		assert_int_equal(sscanf(at, ";D%d %llu", &depth, &leaves), 2);
		*semicolon = '\0';
		if (leaves > most)
			continue;
		for (int hashed = 0; hashed < 2; hashed++) {
			const uint64_t got = count(context, line, depth, hashed ? 1 << 22 : 0);
			if (got != leaves)
				fail_msg("%s, depth %d: %llu", line, depth,
					 (unsigned long long)got);
		}
		checked++;
	}
	return checked;
}

static void test_chess960__perft_of_known_positions(void **unused)
{
	char line[LINE];
	int checked = 0;
	struct qv_context *context = desk_context(NULL);
	FILE *file = fopen(TEST_DATA "/chess960-perft.txt", "r");
	(void)unused;
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (line[0] != '#')
			checked += check_line(context, line, (uint64_t)scaled(MOST_LEAVES));
	fclose(file);
	print_message("%d counts\n", checked);
	assert_true(checked >= 60);
	qv_context_free(context);
}

/* ---- moves ---- */

static const char *const rich[] = {
	"1r1kr3/pppppppp/8/8/8/8/PPPPPPPP/1R1KR3 w KQkq - 0 1",
	"rkr5/p1p1p1pp/8/8/8/8/P1P1P1PP/RKR5 w KQkq - 0 1",
	"5rkr/pp3p1p/8/8/8/8/PP3P1P/5RKR b KQkq - 0 1",
	"1rk3r1/8/8/8/8/8/8/rRK3R1 w KQkq - 0 1",
	"rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
	"2r1kr2/8/8/8/8/8/8/1R3K1R w KQkq - 0 1",
	"rnbqkbnr/8/8/8/8/8/8/QNRBBNKR w KQkq - 0 1",
};
enum { RICH = sizeof rich / sizeof *rich };

/* Calls check for positions of random play, from odd positions and from random starts. */
static void at_random_positions(void (*check)(const struct chess *s), int positions)
{
	struct qv_random r = { qv_random_key(960, 0), 0 };
	for (int i = 0; i < positions;) {
		const int which = (int)qv_random_below(&r, 2 * RICH);
		const int64_t options[] = { 1, (int64_t)qv_random_below(&r, CHESS_STARTS) };
		struct chess s;
		qv_move list[CHESS_MAX_MOVES];
		int32_t points[2];
		if (which < RICH)
			s = parsed(rich[which]);
		else
			chess_start(&s, options);
		for (int ply = 0; ply < 60 && i < positions; ply++, i++) {
			check(&s);
			if (chess_result(&s, points) != QV_GOING)
				break;
			const int n = chess_moves(&s, list);
			chess_play(&s, list[qv_random_below(&r, (uint64_t)n)]);
		}
	}
}

static int castlings; /* how many were seen, so that the test is known to test something */

static void check_each_move(const struct chess *s)
{
	qv_move list[CHESS_MAX_MOVES], some[CHESS_MAX_MOVES];
	struct chess_checks checks;
	static bool legal[1 << 16];
	const int n = chess_moves(s, list);
	assert_int_equal(chess_count(s), n);
	assert_int_equal(chess_can_move(s), n > 0);
	chess_checks_init(&checks, s);
	memset(legal, 0, sizeof legal);
	for (int i = 0; i < n; i++) {
		struct chess after = *s;
		const int lost = chess_loses(s, list[i]);
		chess_play(&after, list[i]);
		legal[list[i]] = true;
		castlings += chess_castles(list[i]);
		assert_int_equal(after.castling, s->castling & ~lost);
		assert_int_equal(chess_takes(list[i]), chess_taken(s, list[i]) != CHESS_EMPTY);
		assert_int_equal(bits_count(chess_occupied(&after)),
				 bits_count(chess_occupied(s)) - chess_takes(list[i]));
		assert_int_equal(chess_gives_check(s, &checks, list[i]),
				 chess_checkers(&after) != 0);
		const int king = chess_king(&after, s->turn);
		assert_false(chess_attackers(&after, king, chess_occupied(&after)) &
			     after.side[after.turn]);
	}
	for (int i = 0; i < 1 << 16; i++)
		assert_int_equal(chess_is_legal(s, (qv_move)i), legal[i]);
	const int loud = chess_captures(s, some), still = chess_quiets(s, some);
	assert_int_equal(loud + still, n);
}

static void test_chess960__each_move_by_itself(void **unused)
{
	(void)unused;
	castlings = 0;
	at_random_positions(check_each_move, (int)scaled(POSITIONS));
	print_message("%d castlings\n", castlings);
	assert_true(castlings > 10);
}

/* Short and long notation, and the text of the position, which holds the key and every byte. */
static void check_texts(const struct chess *s)
{
	qv_move list[CHESS_MAX_MOVES];
	char fen[QV_POSITION_TEXT] = "";
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		char text[2][16] = { "", "" };
		chess_san_put(s, list[i], &(struct qv_text){ text[0], sizeof text[0], 0 });
		chess_move_text(s, list[i], &(struct qv_text){ text[1], sizeof text[1], 0 });
		for (int k = 0; k < 2; k++) {
			qv_move read = QV_NO_MOVE;
			if (!chess_move_parse(s, text[k], &read) || read != list[i])
				fail_msg("%s is not read back", text[k]);
		}
	}
	chess_position_text(s, &(struct qv_text){ fen, sizeof fen, 0 });
	const struct chess read = parsed(fen);
	assert_memory_equal(&read, s, sizeof read);
}

static void test_chess960__texts_read_back(void **unused)
{
	(void)unused;
	at_random_positions(check_texts, (int)scaled(POSITIONS));
}

static void expect_move(const char *position, const char *text, const char *written)
{
	const struct chess s = parsed(position);
	char out[16] = "";
	qv_move move;
	if (!chess_move_parse(&s, text, &move)) {
		assert_null(written);
		return;
	}
	assert_non_null(written);
	chess_move_text(&s, move, &(struct qv_text){ out, sizeof out, 0 });
	assert_string_equal(out, written);
}

static void test_chess960__castling_is_king_takes_rook(void **unused)
{
	static const char beside[] = "4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1";
	static const char two[] = "4k3/8/8/8/8/8/8/4KRR1 w F - 0 1";
	(void)unused;
	expect_move(beside, "O-O", "f1g1");
	expect_move(beside, "f1g1", "f1g1");
	expect_move(beside, "0-0-0", "f1b1");
	expect_move(beside, "Kxg1", NULL);
	expect_move(beside, "f1c1", NULL);
	expect_move(beside, "Ke1", "f1e1");
	expect_move(two, "e1f1", NULL); /* the other rook is in the way */
	expect_move(two, "O-O", NULL);
	expect_move("4k3/8/8/8/8/8/8/5RKR w K - 0 1", "O-O", NULL);
	expect_move("4k3/8/8/8/8/8/8/6KR w K - 0 1", "O-O", "g1h1");
}

/* ---- positions ---- */

/* What a text becomes; NULL: it is refused. */
static void expect_position(const char *text, const char *written)
{
	struct chess s;
	char out[QV_POSITION_TEXT] = "";
	struct qv_error error = { "" };
	const enum qv_status status = chess_position_parse(&s, by_960, text, &error);
	if (!written) {
		assert_int_not_equal(status, QV_OK);
		assert_true(error.text[0] != '\0');
		return;
	}
	if (status != QV_OK)
		fail_msg("%s: %s", text, error.text);
	chess_position_text(&s, &(struct qv_text){ out, sizeof out, 0 });
	assert_string_equal(out, written);
}

static void test_chess960__x_fen_and_shredder_fen(void **unused)
{
	(void)unused;
	expect_position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1",
			"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
	expect_position("1rk3r1/8/8/8/8/8/8/1RK3R1 w gbGB - 0 1",
			"1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1");
	/* The inner rook needs its file, the outer one has the usual letter. */
	expect_position("4k3/8/8/8/8/8/8/RR2K1RR w HB - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w KB - 0 1");
	expect_position("4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1", "4k3/8/8/8/8/8/8/RR2K1RR w GQ - 0 1");
	expect_position("4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1");
	/* Both sides with other files. */
	expect_position("1rk1r3/8/8/8/8/8/8/R4KR1 w GAeb - 0 1",
			"1rk1r3/8/8/8/8/8/8/R4KR1 w KQkq - 0 1");
}

static void test_chess960__refuses(void **unused)
{
	struct chess s;
	struct qv_error error = { "" };
	(void)unused;
	expect_position("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", NULL); /* the same right twice */
	expect_position("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", NULL);  /* no rook there */
	expect_position("4k3/8/8/8/8/8/8/4K2R w G - 0 1", NULL);
	expect_position("4k3/8/8/8/8/8/4K3/7R w K - 0 1", NULL); /* the king is on another rank */
	expect_position("4k3/8/8/8/8/8/8/K6R w Q - 0 1", NULL);
	expect_position("4k3/8/8/8/8/8/8/R6K w K - 0 1", NULL);
	expect_position("4k3/8/8/8/8/8/8/4K2R w E - 0 1", NULL); /* the king's own file */
	expect_position("4k3/8/8/8/8/8/8/4K2R w Z - 0 1", NULL);
	/* Orthodox chess has none of this, and its error names the option. */
	assert_int_not_equal(
		chess_position_parse(&s, NULL, "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", &error), QV_OK);
	assert_non_null(strstr(error.text, "start=960"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess960__known_starts),
		cmocka_unit_test(test_chess960__starts_by_definition),
		cmocka_unit_test(test_chess960__number_518_is_chess),
		cmocka_unit_test(test_chess960__perft_of_known_positions),
		cmocka_unit_test(test_chess960__each_move_by_itself),
		cmocka_unit_test(test_chess960__texts_read_back),
		cmocka_unit_test(test_chess960__castling_is_king_takes_rook),
		cmocka_unit_test(test_chess960__x_fen_and_shredder_fen),
		cmocka_unit_test(test_chess960__refuses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
