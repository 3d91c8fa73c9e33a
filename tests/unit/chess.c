/*
 * chess.c - chess: perft of known positions, the tables by definition, moves one by one against the
 * list of them, algebraic notation, what FEN refuses, and draws.
 * SPDX-License-Identifier: MIT
 *
 * tests/data/chess-perft.txt holds positions with their leaves at each depth.
 */
#include "games/chess/exchange.h"
#include "games/chess/rules.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/desk.h"
#include "support/odd_armies.h"
#include "support/scale.h"

enum { LINE = 512, POSITIONS = 3000 };

static struct chess parsed(const char *text)
{
	struct chess s;
	struct qv_error error = { "" };
	if (chess_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
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
	desk_open(&d, context, "chess", position);
	assert_int_equal(qv_perft(context, d.rules.game, d.state, &limits, &leaves, NULL), QV_OK);
	desk_close(&d);
	return leaves;
}

/* Every depth with no more leaves than that, without and with a table; returns how many there were.
 */
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

static void test_chess__perft_of_known_positions(void **unused)
{
	char line[LINE];
	int checked = 0;
	struct qv_context *context = desk_context(NULL);
	FILE *file = fopen(TEST_DATA "/chess-perft.txt", "r");
	(void)unused;
	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		if (line[0] != '#')
			checked += check_line(context, line, (uint64_t)scaled(200000000));
	fclose(file);
	print_message("%d counts\n", checked);
	assert_true(checked >= (scaled(100) >= 100 ? 51 : 36));
	qv_context_free(context);
}

/* ---- tables, by definition ---- */

static uint64_t walk(int square, int up, int right, uint64_t men)
{
	uint64_t out = 0;
	int row = square / 8 + up, file = square % 8 + right;
	for (; row >= 0 && row < 8 && file >= 0 && file < 8; row += up, file += right) {
		out |= UINT64_C(1) << (8 * row + file);
		if (men >> (8 * row + file) & 1)
			break;
	}
	return out;
}

static void test_chess__lines_end_at_the_first_man(void **unused)
{
	struct qv_random r = { qv_random_key(7, 0), 0 };
	(void)unused;
	for (int i = 0; i < (int)scaled(200000); i++) {
		const int square = (int)qv_random_below(&r, 64);
		uint64_t men = qv_random_next(&r);
		for (int k = (int)qv_random_below(&r, 3); k; k--)
			men &= qv_random_next(&r);
		assert_true(chess_bishop_attacks(square, men) ==
			    (walk(square, 1, 1, men) | walk(square, 1, -1, men) |
			     walk(square, -1, 1, men) | walk(square, -1, -1, men)));
		assert_true(chess_rook_attacks(square, men) ==
			    (walk(square, 1, 0, men) | walk(square, -1, 0, men) |
			     walk(square, 0, 1, men) | walk(square, 0, -1, men)));
#if CHESS_PEXT
		const struct chess_slider *l = &chess_tables.rook[square];
		assert_true(chess_slide_place(l, men) == chess_gather(men, l->mask));
#endif
	}
}

static void test_chess__lines_between_squares(void **unused)
{
	(void)unused;
	for (int a = 0; a < 64; a++)
		for (int b = 0; b < 64; b++) {
			const int up = b / 8 - a / 8, right = b % 8 - a % 8;
			const int far = abs(up) > abs(right) ? abs(up) : abs(right);
			const bool joined = a != b && (!up || !right || abs(up) == abs(right));
			uint64_t between = 0, line = 0;
			for (int k = 1; joined && k < far; k++)
				between |= chess_bit(a + k * (8 * up + right) / far);
			if (joined)
				line = chess_bit(a) | walk(a, up / far, right / far, 0) |
				       walk(a, -up / far, -right / far, 0);
			assert_true(chess_between(a, b) == between);
			assert_true(chess_line(a, b) == line);
		}
}

/* ---- moves ---- */

static const char *const rich[] = {
	"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
	"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
	"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
	"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
	"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
	"4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
	"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
	"R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
};
enum { RICH = sizeof rich / sizeof *rich };

/* Calls check for positions of random play. */
static void at_random_positions(void (*check)(const struct chess *s), int positions)
{
	struct qv_random r = { qv_random_key(8, 0), 0 };
	for (int i = 0; i < positions;) {
		const int which = (int)qv_random_below(&r, RICH + ODD_ARMIES);
		struct chess s = parsed(which < RICH ? rich[which] : odd_armies[which - RICH]);
		qv_move list[CHESS_MAX_MOVES];
		int32_t points[2];
		for (int ply = 0; ply < 80 && i < positions; ply++, i++) {
			check(&s);
			if (chess_result(&s, points) != QV_GOING)
				break;
			const int n = chess_moves(&s, list);
			chess_play(&s, list[qv_random_below(&r, (uint64_t)n)]);
		}
	}
}

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
		chess_play(&after, list[i]);
		legal[list[i]] = true;
		if (after.castling == s->castling && !chess_castles(list[i]) && !s->passant &&
		    !after.passant && !chess_promotes(list[i]))
			assert_true(chess_guess_hash(s, list[i]) == chess_repeat_hash(&after));
		assert_int_equal(chess_gives_check(s, &checks, list[i]),
				 chess_checkers(&after) != 0);
		const int king = chess_king(&after, s->turn);
		assert_false(chess_attackers(&after, king, chess_occupied(&after)) &
			     after.side[after.turn]);
	}
	for (int i = 0; i < 1 << 16; i++)
		assert_int_equal(chess_is_legal(s, (qv_move)i), legal[i]);
	for (int i = 0; i < CHESS_SQUARES; i++)
		assert_int_equal(
			chess_attacked(s) >> i & 1,
			(chess_attackers(s, i, chess_occupied(s)) & s->side[1 - s->turn]) != 0);
	const int loud = chess_captures(s, some);
	for (int i = 0; i < loud; i++)
		assert_true(legal[some[i]] && (chess_takes(some[i]) || chess_promotes(some[i])));
	const int still = chess_quiets(s, some);
	for (int i = 0; i < still; i++)
		assert_true(legal[some[i]] && !chess_takes(some[i]) && !chess_promotes(some[i]));
	assert_int_equal(loud + still, n);
}

static void test_chess__each_move_by_itself(void **unused)
{
	(void)unused;
	at_random_positions(check_each_move, (int)scaled(POSITIONS / 4));
}

static void test_chess__the_most_moves(void **unused)
{
	const struct chess s = parsed(rich[RICH - 1]), queens = parsed(odd_armies[ODD_ARMIES - 1]);
	(void)unused;
	assert_int_equal(chess_count(&s), 218);
	assert_int_equal(chess_count(&queens), 240);
}

/*
 * What pieces can gain on the lines of each direction: the first on a line of n squares n - 1
 * moves, the second n - 3 more, others none. No 15 pieces and a king have more than the best of
 * this.
 */
static void test_chess__sixteen_pieces_have_room(void **unused)
{
	static const int ways[4][2] = { { 1, 0 }, { 0, 1 }, { 1, 1 }, { 1, -1 } };
	int most = 8, least = 0;
	(void)unused;
	for (int way = 0; way < 4; way++) {
		int left[8] = { 0 }, queens = CHESS_MOST_PIECES - 1;
		for (int square = 0; square < 64; square++) {
			const uint64_t before = walk(square, -ways[way][0], -ways[way][1], 0);
			const int after = bits_count(walk(square, ways[way][0], ways[way][1], 0));
			if (!before && after) /* a line begins here */
				left[after]++;
			if (!before && after > 2)
				left[after - 2]++;
		}
		for (int gain = 7; gain > 0 && queens; gain--)
			for (; left[gain] && queens; left[gain]--, queens--) {
				most += gain;
				least += queens == 1 ? gain : 0;
			}
		assert_int_equal(queens, 0);
	}
	assert_int_equal(most, 318);
	assert_true(most <= CHESS_MAX_MOVES);
	assert_true(least >= 12); /* what a pawn that promotes has at most: queens gain no less */
}

/* ---- algebraic notation ---- */

static void check_notation(const struct chess *s)
{
	qv_move list[CHESS_MAX_MOVES];
	char texts[CHESS_MAX_MOVES][16];
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		qv_move read = QV_NO_MOVE;
		struct qv_text out = { texts[i], sizeof texts[i], 0 };
		chess_san_put(s, list[i], &out);
		assert_true(out.length >= 2 && out.length < sizeof texts[i]);
		if (chess_san_parse(s, texts[i], strlen(texts[i]), &read) != CHESS_SAN_OK ||
		    read != list[i])
			fail_msg("%s is not read back", texts[i]);
		for (int k = 0; k < i; k++)
			assert_string_not_equal(texts[i], texts[k]);
	}
}

static void test_chess__notation_reads_back(void **unused)
{
	(void)unused;
	at_random_positions(check_notation, (int)scaled(POSITIONS));
}

static void expect_san(const char *position, const char *move, const char *san)
{
	const struct chess s = parsed(position);
	char text[16] = "";
	struct qv_text out = { text, sizeof text, 0 };
	qv_move read;
	assert_int_equal(chess_san_parse(&s, move, strlen(move), &read), CHESS_SAN_OK);
	chess_san_put(&s, read, &out);
	assert_string_equal(text, san);
}

static void test_chess__notation_as_the_standard_has_it(void **unused)
{
	static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
	static const char castle[] = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
	static const char promote[] = "3r4/2P5/8/8/8/8/k7/4K3 w - - 0 1";
	(void)unused;
	expect_san(start, "e2e4", "e4");
	expect_san(start, "Ng1-f3", "Nf3");
	expect_san(start, "nf3!?", "Nf3");
	expect_san(castle, "0-0", "O-O");
	expect_san(castle, "e1h1", "O-O");
	expect_san(castle, "e1c1", "O-O-O");
	expect_san(castle, "Ke1a1", "O-O-O");
	expect_san(castle, "h1h8+", "Rxh8+");
	expect_san(promote, "c7c8q", "c8=Q");
	expect_san(promote, "c8N", "c8=N");
	expect_san(promote, "cxd8=R", "cxd8=R");
	expect_san(promote, "cxd8(B)", "cxd8=B");
	expect_san(promote, "cxd8b", "cxd8=B");
	expect_san(promote, "c8/r", "c8=R");
	/* Only a legal move of another man needs telling apart: the knight on e2 is pinned. */
	expect_san("4r1k1/8/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2", "Nc2");
	expect_san("4k3/8/8/8/4r3/8/4N3/4KN2 w - - 0 1", "f1g3", "Ng3");
	expect_san("4k3/8/8/8/8/8/8/N3N1K1 w - - 0 1", "a1c2", "Nac2");
	expect_san("4k3/8/N7/8/8/8/N7/6K1 w - - 0 1", "a2b4", "N2b4");
	expect_san("6k1/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1");
	expect_san("rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3", "dxe3 e.p.",
		   "dxe3");
	expect_san("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "Ra8", "Ra8#");
	expect_san("6k1/5pp1/8/8/8/8/8/R5K1 w - - 0 1", "Ra8#", "Ra8+");
	/* A b is a file first, then a bishop. */
	expect_san("4k3/8/8/8/8/2p5/1P1B4/4K3 w - - 0 1", "bxc3", "bxc3");
	expect_san("4k3/8/8/8/8/2p5/3B4/4K3 w - - 0 1", "bxc3", "Bxc3");
	expect_san("4k3/8/8/4B3/8/8/8/1N2BK2 w - - 0 1", "B1c3", "B1c3");
}

static void expect_no_san(const char *position, const char *text, enum chess_san why)
{
	const struct chess s = parsed(position);
	qv_move move = 77;
	if (chess_san_parse(&s, text, strlen(text), &move) != why)
		fail_msg("%s at %s", text, position);
	assert_true(move == 77);
}

static void test_chess__notation_that_is_refused(void **unused)
{
	static const char *const malformed[] = {
		"",	"e",	   "4",	  "e9",	    "i4",    "Pe",  "O",       "O-",   "0-O",
		"O-O-", "O-O-O-O", "e4=", "e4=K",   "e8=QQ", "e4e", "Nf3f3f3", "4e4e", "e4(",
		"e4(Q", "--",	   "Z0",  "e2e4q5", "N",     "Nf",  "+",       "x",    "=Q",
	};
	static const char start[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
	(void)unused;
	for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++)
		expect_no_san(start, malformed[i], CHESS_SAN_MALFORMED);
	expect_no_san(start, "e5", CHESS_SAN_ILLEGAL);
	expect_no_san(start, "Nd2", CHESS_SAN_ILLEGAL);
	expect_no_san(start, "Nxf3", CHESS_SAN_ILLEGAL);
	expect_no_san(start, "O-O", CHESS_SAN_ILLEGAL);
	expect_no_san(start, "e1h1", CHESS_SAN_ILLEGAL);
	expect_no_san(start, "e4=Q", CHESS_SAN_ILLEGAL);
	expect_no_san("4k3/8/8/8/8/8/8/N3N1K1 w - - 0 1", "Nc2", CHESS_SAN_AMBIGUOUS);
	expect_no_san("3r4/2P5/8/8/8/8/k7/4K3 w - - 0 1", "c8", CHESS_SAN_AMBIGUOUS);
	expect_no_san("3r4/2P5/8/8/8/8/k7/4K3 w - - 0 1", "d8=Q", CHESS_SAN_ILLEGAL);
	expect_no_san("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "Kg1", CHESS_SAN_ILLEGAL);
}

/* The library reads the very text first, then as the game reads, then without regard to case. */
static void test_chess__moves_through_the_library(void **unused)
{
	static const char *const same[][2] = {
		{ "e1g1", "e1g1" }, { "O-O", "e1g1" },	{ "0-0-0", "e1c1" }, { "e1h1", "e1g1" },
		{ "E1G1", "e1g1" }, { "B1c3", "e1c3" }, { "b1c3", "b1c3" },
	};
	struct qv_context *context = desk_context(NULL);
	(void)unused;
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		struct desk d;
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		qv_move move;
		desk_open(&d, context, "chess",
			  i < 5 ? "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
				: "4k3/8/8/4B3/8/8/8/1N2BK2 w - - 0 1");
		assert_int_equal(qv_move_parse(d.rules.game, d.state, same[i][0], &move, NULL),
				 QV_OK);
		d.rules.game->move_text(d.state, move, &out);
		assert_string_equal(text, same[i][1]);
		desk_close(&d);
	}
	qv_context_free(context);
}

/* ---- positions ---- */

static void expect_text(const char *read, const char *written)
{
	const struct chess s = parsed(read);
	char text[128] = "";
	struct qv_text out = { text, sizeof text, 0 };
	chess_position_text(&s, &out);
	assert_string_equal(text, written);
}

static void test_chess__positions_are_written_in_one_way(void **unused)
{
	(void)unused;
	expect_text("4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
	expect_text(" 4k3/8/8/8/8/8/8/4K3  b -  - 7 0 ", "4k3/8/8/8/8/8/8/4K3 b - - 7 1");
	expect_text("4k3/11111111/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
	expect_text("r3k2r/8/8/8/8/8/8/R3K2R w haHA - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
	expect_text("r3k2r/8/8/8/8/8/8/R3K2R w qK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1");
	/* Nobody can take there; one can; one can, but is pinned. */
	expect_text("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
		    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
	expect_text("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
	expect_text("8/8/8/8/k2pP2Q/8/8/4K3 b - e3 0 1", "8/8/8/8/k2pP2Q/8/8/4K3 b - - 0 1");
}

static void test_chess__positions_that_are_refused(void **unused)
{
	static const char *const cases[][2] = {
		{ "4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king" },
		{ "4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has more than one king" },
		{ "4k3/8/8/8/8/8/8/4K2P w - - 0 1", "first or the last rank" },
		{ "p3k3/8/8/8/8/8/8/4K3 w - - 0 1", "first or the last rank" },
		{ "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "9 pawns" },
		{ "4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1", "White has 17 pieces" },
		{ "nnnnknnn/pppppppp/7n/7n/8/8/8/4K3 w - - 0 1", "Black has 18 pieces" },
		{ "4k3/8/8/8/RRRRRRRR/RRRRRRRR/8/4K3 b - - 0 1", "White has 17 pieces" },
		{ "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "Black's king is in check" },
		{ "8/8/8/8/8/8/8/kK6 w - - 0 1", "Black's king is in check" },
		{ "4k3/8/8/8/8/5n2/4r3/r3K3 w - - 0 1", "more than two" },
		{ "4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "first squares" },
		{ "4k3/8/8/8/8/8/8/3K3R w K - 0 1", "first squares" },
		{ "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "twice" },
		{ "4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "twice" },
		{ "4k3/8/8/8/8/8/8/4K2R w G - 0 1", "start=960" },
		{ "4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "stepped over e6" },
		{ "4k3/8/8/8/4p3/8/8/4K3 w - e3 0 1", "stepped over e3" },
		{ "4k3/4n3/8/4p3/8/8/8/4K3 w - e6 0 1", "stepped over e6" },
		{ "4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "stepped over e6" },
		{ "4k3/8/8/4p3/8/8/8/4K3 w - i6 0 1", "en passant" },
		{ "4k3/8/8/4p3/8/8/8/4K3 w -", "en passant" },
		{ "4k3/8/8/4p3/8/8/8/4K3 w", "castling" },
		{ "4k3/8/8/4p3/8/8/8/4K3", "side to move" },
		{ "4k3/8/8/4p3/8/8/8/4K3 W - - 0 1", "side to move" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - x 1", "halfmove clock" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - -1 1", "halfmove clock" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 1000 1", "halfmove clock" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0", "move number" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 10000", "move number" },
		{ "4k3/8/8/8/8/8/8/4K3 w - - 0 1 1", "unexpected text" },
		{ "4k3/8/8/8/8/8/4K3 w - - 0 1", "ranks" },
		{ "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1", "ranks" },
		{ "4k3/9/8/8/8/8/8/4K3 w - - 0 1", "neither a piece" },
		{ "4k3/7/8/8/8/8/8/4K3 w - - 0 1", "fewer" },
		{ "4k3/8p/8/8/8/8/8/4K3 w - - 0 1", "more" },
		{ "4k3/7x/8/8/8/8/8/4K3 w - - 0 1", "neither a piece" },
		{ " ", "board is missing" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct chess s;
		struct qv_error error = { "" };
		if (chess_position_parse(&s, NULL, cases[i][0], &error) == QV_OK)
			fail_msg("%s is taken", cases[i][0]);
		if (!strstr(error.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], error.text);
	}
}

/* Odds games and studies: what a side cannot have by promotion is played all the same. */
static void test_chess__any_sixteen_pieces_are_taken(void **unused)
{
	static const char *const others[] = {
		"4k3/8/8/8/8/B1B5/PPPPPPPP/4K3 w - - 0 1",
		"4k3/8/8/8/8/1B1B4/PPPPPPPP/4K3 w - - 0 1",
		"4k3/8/8/8/8/1QQQQQQQ/PPPPPPPP/4K3 b - - 0 1",
		"4k3/8/8/8/8/NNNNNNNN/1NNNNNNN/4K3 b - - 0 1",
	};
	(void)unused;
	for (int i = 0; i < ODD_ARMIES; i++)
		expect_text(odd_armies[i], odd_armies[i]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		expect_text(others[i], others[i]);
}

/* ---- the end ---- */

static enum qv_outcome result_of(const char *position, int32_t points[2])
{
	const struct chess s = parsed(position);
	points[0] = points[1] = 9;
	return chess_result(&s, points);
}

static void test_chess__endings_in_words(void **unused)
{
	static const char *const cases[][2] = {
		{ "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 99", "checkmate" },
		{ "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", "stalemate" },
		{ "k7/8/8/8/8/8/8/K6R w - - 100 99", "fifty moves" },
		{ "k7/8/8/8/8/8/8/K7 w - - 7 9", "dead position" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chess s = parsed(cases[i][0]);
		assert_string_equal(chess_ending(&s), cases[i][1]);
	}
}

static void test_chess__ends(void **unused)
{
	static const struct {
		const char *position;
		enum qv_outcome outcome;
		int white, black;
	} cases[] = {
		{ "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", QV_ENDED, 1, 0 },
		{ "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", QV_ENDED, 0, 1 },
		{ "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 99", QV_ENDED, 1, 0 },
		{ "k7/2Q5/2K5/8/8/8/8/8 b - - 0 1", QV_ENDED, 0, 0 },
		{ "k7/8/8/8/8/8/8/K6R w - - 99 99", QV_GOING, 9, 9 },
		{ "k7/8/8/8/8/8/8/K6R w - - 100 99", QV_DRAWN_BY_COUNT, 0, 0 },
		{ "k7/8/8/8/8/8/8/K7 w - - 0 1", QV_DRAWN_BY_COUNT, 0, 0 },
		{ "k7/8/8/8/8/8/8/6BK w - - 0 1", QV_DRAWN_BY_COUNT, 0, 0 },
		{ "k7/8/8/8/8/8/8/K5NN w - - 0 1", QV_GOING, 9, 9 },
		{ "k7/8/8/8/8/8/8/K5N1 w - - 0 1", QV_DRAWN_BY_COUNT, 0, 0 },
		{ "k7/8/8/8/8/8/8/K4nN1 w - - 0 1", QV_GOING, 9, 9 },
		{ "k7/8/8/8/8/8/8/K4bN1 w - - 0 1", QV_GOING, 9, 9 },
		{ "k7/8/8/8/8/8/1b6/2B4K w - - 0 1", QV_DRAWN_BY_COUNT, 0, 0 },
		{ "k7/8/8/8/8/8/1b6/1B5K w - - 0 1", QV_GOING, 9, 9 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int32_t points[2];
		if (result_of(cases[i].position, points) != cases[i].outcome ||
		    points[0] != cases[i].white || points[1] != cases[i].black)
			fail_msg("%s: %d %d", cases[i].position, points[0], points[1]);
	}
}

/* Plays texts on a record; returns how it stands then. */
static enum qv_outcome after(const char *position, const char *moves)
{
	struct qv_context *context = desk_context(NULL);
	struct qv_rules rules;
	struct qv_record *record;
	char copy[256], *save = NULL;
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_rules_parse(context, "chess", &rules, NULL), QV_OK);
	assert_int_equal(qv_record_new(context, &rules, position, &record, NULL), QV_OK);
	snprintf(copy, sizeof copy, "%s", moves);
	for (char *word = strtok_r(copy, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		qv_move move;
		assert_int_equal(qv_record_result(record, points), QV_GOING);
		if (qv_move_parse(rules.game, qv_record_state(record), word, &move, NULL) != QV_OK)
			fail_msg("%s is not legal", word);
		assert_int_equal(qv_record_play(record, move, 0, NULL), QV_OK);
	}
	const enum qv_outcome outcome = qv_record_result(record, points);
	qv_record_free(record);
	qv_context_free(context);
	return outcome;
}

static void test_chess__the_third_time_draws(void **unused)
{
	(void)unused;
	assert_int_equal(after("start", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1"), QV_GOING);
	assert_int_equal(after("start", "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"), QV_ENDED);
	/* The first time one could castle, or take en passant: another position. */
	assert_int_equal(
		after("4k3/p7/8/8/8/8/8/4K2R w K - 0 1", "Rg1 Kd8 Rh1 Ke8 Rg1 Kd8 Rh1 Ke8"),
		QV_GOING);
	assert_int_equal(
		after("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1"),
		QV_GOING);
	/* One could take, were the pawn not pinned: the same position. */
	assert_int_equal(
		after("8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1", "e4 Ka5 Qh5+ Ka4 Qh4 Ka5 Qh5+ Ka4 Qh4"),
		QV_ENDED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chess__perft_of_known_positions),
		cmocka_unit_test(test_chess__lines_end_at_the_first_man),
		cmocka_unit_test(test_chess__lines_between_squares),
		cmocka_unit_test(test_chess__each_move_by_itself),
		cmocka_unit_test(test_chess__the_most_moves),
		cmocka_unit_test(test_chess__sixteen_pieces_have_room),
		cmocka_unit_test(test_chess__any_sixteen_pieces_are_taken),
		cmocka_unit_test(test_chess__notation_reads_back),
		cmocka_unit_test(test_chess__notation_as_the_standard_has_it),
		cmocka_unit_test(test_chess__notation_that_is_refused),
		cmocka_unit_test(test_chess__moves_through_the_library),
		cmocka_unit_test(test_chess__positions_are_written_in_one_way),
		cmocka_unit_test(test_chess__positions_that_are_refused),
		cmocka_unit_test(test_chess__ends),
		cmocka_unit_test(test_chess__endings_in_words),
		cmocka_unit_test(test_chess__the_third_time_draws),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
