/*
 * chess_files.c - tests of the files of chess: PGN, EPD, Polyglot books.
 * SPDX-License-Identifier: MIT
 */
#include "support/odd_armies.h"
#include "support/record.h"
#include "support/scale.h"

#include "book/polyglot_book.h"
#include "formats/epd.h"
#include "formats/pgn.h"

static struct chess position(const char *fen)
{
	struct chess s;
	struct qv_error error = { "" };
	const int64_t none[QV_MAX_OPTIONS] = { 0 };
	if (chess_position_parse(&s, none, fen, &error) != QV_OK)
		fail_msg("%s: %s", fen, error.text);
	return s;
}

static void play_text(struct chess *s, const char *moves)
{
	char word[8];
	for (int used; sscanf(moves, " %7s%n", word, &used) == 1; moves += used) {
		qv_move move;
		assert_true(chess_move_parse(s, word, &move));
		chess_play(s, move);
	}
}

/* ---- PGN ---- */

static struct qv_record *read_game(const struct qv_context *context, const char *text)
{
	struct pgn_reader r = { .context = context };
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	assert_int_equal(pgn_reader_init(&r, text, strlen(text), NULL), QV_OK);
	if (pgn_next(&r, &record, &error) != QV_OK)
		fail_msg("%s", error.text);
	pgn_reader_release(&r);
	return record;
}

static void assert_body(const struct qv_context *context, const struct qv_record *record,
			const char *expected)
{
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(pgn_write(context, record, NULL, &out, NULL), QV_OK);
	assert_string_equal(strstr(out.data, "\n\n") + 2, expected);
	string_release(&out);
}

static void test_pgn__chess_is_written_in_short_notation(void **state)
{
	struct qv_record *record = read_game(
		*state,
		"[Event \"?\"]\n\n1.e2e4 e7-e5 2.Ng1-f3 Nb8c6 3 Bb5 a6 4.Ba4 Nf6 5.0-0 Nxe4\n"
		"6.d4 b5 7.Bb3 d5 8.dxe5 Be6 9.c3 Bc5 10.Nbd2 0-0 *");
	assert_body(
		*state, record,
		"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Nxe4 6. d4 b5 7. Bb3 d5 8. dxe5\n"
		"Be6 9. c3 Bc5 10. Nbd2 O-O *\n\n");
	qv_record_free(record);
	record = read_game(*state,
			   "[SetUp \"1\"]\n[FEN \"4k3/1P6/8/3pP3/8/8/8/4K3 w - d6 0 30\"]\n\n"
			   "30. exd6e.p. Kd7 31. b8Q Kc6 (31... Ke6 32. d7) 1-0");
	assert_body(*state, record, "30. exd6 Kd7 31. b8=Q Kc6 (31... Ke6 32. d7) 1-0\n\n");
	qv_record_free(record);
	record = read_game(*state, "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 17\"]\n\n"
				   "Kd7 18. O-O Kd6 {x} *");
	assert_body(*state, record, "17... Kd7 18. O-O Kd6 {x} *\n\n");
	qv_record_free(record);
}

static void test_pgn__a_pawn_b_is_no_bishop(void **state)
{
	struct qv_record *record =
		read_game(*state, "[Event \"x\"]\n\n1. b4 e5 2. b5 a6 3. bxa6 Nxa6 *");
	assert_body(*state, record, "1. b4 e5 2. b5 a6 3. bxa6 Nxa6 *\n\n");
	qv_record_free(record);
}

static void test_pgn__random_games_of_chess_survive(void **state)
{
	for (int64_t seed = 0; seed < scaled(20); seed++) {
		struct qv_random random = { (uint64_t)seed, 0 };
		struct qv_record *record = new_record(*state, "chess", NULL);
		for (int i = 0; i < 120 && qv_record_result(record, NULL) == QV_GOING; i++) {
			qv_move list[QV_MAX_MOVES];
			const int n =
				qv_record_rules(record)->game->moves(qv_record_state(record), list);
			qv_record_play(record, list[qv_random_below(&random, (uint64_t)n)], -1,
				       NULL);
		}
		struct string out = { .allocator = &mem_malloc };
		assert_int_equal(pgn_write(*state, record, NULL, &out, NULL), QV_OK);
		struct qv_record *again = read_game(*state, out.data);
		assert_memory_equal(qv_record_state(again), qv_record_state(record),
				    sizeof(struct chess));
		assert_int_equal(qv_record_result(again, NULL), qv_record_result(record, NULL));
		string_release(&out);
		qv_record_free(again);
		qv_record_free(record);
	}
}

/* From positions that no game leads to, as odds games are. */
static void test_pgn__reads_games_from_odd_armies(void **state)
{
	for (int i = 0; i < ODD_ARMIES; i++) {
		struct string text = { .allocator = &mem_malloc };
		string_addf(&text, "[SetUp \"1\"]\n[FEN \"%s\"]\n\n*", odd_armies[i]);
		struct qv_record *record = read_game(*state, text.data);
		char now[QV_POSITION_TEXT] = "";
		struct qv_text out = { now, sizeof now, 0 };
		chess_position_text(qv_record_state(record), &out);
		assert_string_equal(now, odd_armies[i]);
		string_release(&text);
		qv_record_free(record);
	}
}

/* ---- EPD ---- */

static void test_epd__reads_operations(void **state)
{
	struct epd e;
	struct qv_error error = { "" };
	char text[64];
	int64_t number;
	(void)state;
	assert_int_equal(
		epd_read("2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - "
			 "bm Qg6 Qh4; id \"WAC; 001\";hmvc 3; fmvn 20; D1 48 ;c0 \"\" ; noop",
			 &e, &error),
		QV_OK);
	assert_int_equal(e.count, 7);
	assert_int_equal(e.state.quiet, 3);
	assert_int_equal(e.state.number, 20);
	assert_true(epd_text(&e, "id", text, sizeof text));
	assert_string_equal(text, "WAC; 001");
	assert_true(epd_number(&e, "D1", 0, 100, &number));
	assert_int_equal(number, 48);
	assert_false(epd_number(&e, "D1", 0, 40, &number));
	assert_string_equal(epd_operands(&e, "noop"), "");
	assert_null(epd_operands(&e, "am"));
	const char *words = epd_operands(&e, "bm");
	assert_true(epd_word(&words, text, sizeof text));
	assert_string_equal(text, "Qg6");
	assert_true(epd_word(&words, text, sizeof text));
	assert_false(epd_word(&words, text, sizeof text));
	struct string out = { .allocator = &mem_malloc };
	epd_write(&e, &out);
	assert_string_equal(out.data,
			    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6 "
			    "Qh4; id \"WAC; 001\"; hmvc 3; fmvn 20; D1 48; c0 \"\"; noop;");
	string_release(&out);
	/* A whole FEN is a position too. */
	assert_int_equal(epd_read("4k3/8/8/8/8/8/8/4K2R w K - 5 9", &e, &error), QV_OK);
	assert_int_equal(e.count, 0);
	assert_int_equal(e.state.quiet, 5);
	assert_int_equal(e.state.number, 9);
	for (int i = 0; i < ODD_ARMIES; i++)
		assert_int_equal(epd_read(odd_armies[i], &e, &error), QV_OK);
}

/* Only the operation is affected by what the standard does not have, and unknown ones are kept. */
static void test_epd__reads_what_circulates(void **state)
{
	static const struct {
		const char *line, *written;
	} cases[] = {
		{ "4k3/8/8/8/8/8/8/4K2R w K - bm \"O-O;", "bm \"O-O;\";" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D2 66", "D1 15; D2 66;" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - 0 1; bm O-O;; id \"a\"", "bm O-O; id \"a\";" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - averyveryverylongname x; bm O-O;", "bm O-O;" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - ;\v1 15; D2 66", "\v1 15; D2 66;" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - \v1 15; D2 66", "\v1 15; D2 66;" },
		{ "4k3/8/8/8/8/8/8/4K2R w K - Ae 3; v.2 (a) [b]; %x", "Ae 3; v.2 (a) [b]; %x;" },
	};
	static struct epd e;
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct string out = { .allocator = &mem_malloc };
		struct qv_error error = { "" };
		if (epd_read(cases[i].line, &e, &error) != QV_OK)
			fail_msg("%s", error.text);
		epd_write(&e, &out);
		assert_string_equal(out.data + strlen("4k3/8/8/8/8/8/8/4K2R w K - "),
				    cases[i].written);
		string_release(&out);
	}
	/* Files of rooks are Chess960, unless orthodox chess has them, too. */
	assert_int_equal(epd_read("4k3/8/8/8/8/8/8/1R3KR1 w GB - bm O-O;", &e, NULL), QV_OK);
	assert_true(e.state.is_960);
	struct string again = { .allocator = &mem_malloc };
	epd_write(&e, &again);
	assert_string_equal(again.data, "4k3/8/8/8/8/8/8/1R3KR1 w GB - bm O-O;");
	string_release(&again);
	assert_int_equal(epd_read("4k3/8/8/8/8/8/8/R3K2R w HA - bm O-O;", &e, NULL), QV_OK);
	assert_false(e.state.is_960);
	assert_int_not_equal(epd_read("4k3/8/8/8/8/8/8/1R3KR1 w KQ - bm O-O;", &e, NULL), QV_OK);
}

static void test_epd__refuses(void **state)
{
	static struct epd e;
	static char many[EPD_MAX_LINE + 100];
	struct qv_error error = { "" };
	(void)state;
	strcpy(many, "4k3/8/8/8/8/8/8/4K2R w K -");
	for (int i = 0; i < EPD_MAX_OPERATIONS; i++)
		strcat(many, " a;");
	assert_int_equal(epd_read(many, &e, &error), QV_OK);
	strcat(many, " a;");
	assert_int_equal(epd_read(many, &e, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "EPD: more than 64 operations");
	memset(many, ' ', sizeof many - 1);
	assert_int_equal(epd_read(many, &e, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "EPD: the line is longer than 4095 bytes");
	assert_true(epd_read("nonsense", &e, NULL) != QV_OK);
}

/* ---- Polyglot ---- */

static void test_polyglot__keys_are_the_published_ones(void **state)
{
	static const struct {
		const char *moves;
		uint64_t key;
	} cases[] = {
		{ "", UINT64_C(0x463b96181691fc9c) },
		{ "e2e4", UINT64_C(0x823c9b50fd114196) },
		{ "e2e4 d7d5", UINT64_C(0x0756b94461c50fb0) },
		{ "e2e4 d7d5 e4e5", UINT64_C(0x662fafb965db29d4) },
		{ "e2e4 d7d5 e4e5 f7f5", UINT64_C(0x22a48b5a8e47ff78) },
		{ "e2e4 d7d5 e4e5 f7f5 e1e2", UINT64_C(0x652a607ca3f242c1) },
		{ "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", UINT64_C(0x00fdd303c946bdd9) },
		{ "a2a4 b7b5 h2h4 b5b4 c2c4", UINT64_C(0x3c8123ea7b067637) },
		{ "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", UINT64_C(0x5c3f9b829b279560) },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct chess s;
		chess_start(&s, NULL);
		play_text(&s, cases[i].moves);
		assert_int_equal(polyglot_key(&s), cases[i].key);
	}
}

static void test_polyglot__moves_go_both_ways(void **state)
{
	static const char *const fens[] = {
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"3k3r/8/8/8/8/8/8/R3R1K1 w - - 0 1",
	};
	(void)state;
	for (size_t i = 0; i < sizeof fens / sizeof *fens; i++) {
		const struct chess s = position(fens[i]);
		qv_move list[CHESS_MAX_MOVES], back;
		const int n = chess_moves(&s, list);
		for (int k = 0; k < n; k++) {
			assert_true(polyglot_find_move(&s, polyglot_move(&s, list[k]), &back));
			assert_int_equal(back, list[k]);
		}
		assert_false(polyglot_find_move(&s, 0, &back));
	}
	/* e1h1 is castling, e1 being a king's square; and e7e8 with a queen is 4 << 12. */
	const struct chess castles = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
	qv_move move;
	assert_true(chess_move_parse(&castles, "e1g1", &move));
	assert_int_equal(polyglot_move(&castles, move), 4 << 6 | 7);
	const struct chess promotes = position("7k/4P3/8/8/8/8/8/4K3 w - - 0 1");
	assert_true(chess_move_parse(&promotes, "e7e8q", &move));
	assert_int_equal(polyglot_move(&promotes, move), 4 << 12 | 52 << 6 | 60);
}

static const char lines[] = "quevedo-book 1 chess\n"
			    "line 70000 Open: e2e4 e7e5 g1f3\n"
			    "line 1 Closed: d2d4 d7d5 c2c4\n"
			    "line 0 Never: a2a4\n"
			    "at r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1\n  move 2 e8g8\n  move 1 e8c8\n";

static void test_polyglot__a_book_is_written_and_looked_up(void **state)
{
	struct book book = { 0 }, bin = { 0 };
	struct string out = { .allocator = &mem_malloc };
	struct qv_error error = { "" };
	struct book_option list[CHESS_MAX_MOVES];
	if (book_read(*state, lines, sizeof lines - 1, NULL, &book, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(polyglot_write(&book, &out, &error), QV_OK);
	assert_int_equal(out.length, 9 * POLYGLOT_ENTRY);
	assert_int_equal(polyglot_read(*state, out.data, out.length, &bin, &error), QV_OK);
	/* The heaviest of a position comes first: who takes the first takes the best. */
	for (uint32_t i = 1; i < bin.bin->count; i++) {
		const struct polyglot_entry *r = &bin.bin->entries[i];
		assert_true(r->key > r[-1].key || r->weight <= r[-1].weight);
	}
	struct chess s;
	chess_start(&s, NULL);
	assert_int_equal(book_options(&bin, &s, list), 3);
	assert_int_equal(list[0].weight, UINT16_MAX);
	assert_int_equal(list[1].weight, 1); /* 1 of 70000, and never nothing */
	assert_int_equal(list[2].weight, 0);
	bool known;
	assert_string_equal(book_name(&bin, &s, NULL, &known), "");
	assert_true(known);
	play_text(&s, "e2e4 c7c5");
	assert_int_equal(book_options(&bin, &s, list), 0);
	book_name(&bin, &s, NULL, &known);
	assert_false(known);
	const struct chess castles = position("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1");
	assert_int_equal(book_options(&bin, &castles, list), 2);
	assert_int_equal(chess_flag(list[0].move), CHESS_SHORT);
	/* The items: all but what no way leads to. */
	uint32_t unknown;
	assert_int_equal(book_unfold(&bin, &unknown, &error), QV_OK);
	assert_int_equal(unknown, 1);
	assert_int_equal(bin.item_count, 5);
	chess_start(&s, NULL);
	assert_int_equal(book_options(&bin, &s, list), 3);
	book_release(&bin);
	book_release(&book);
	string_release(&out);
}

/* Other programs' files may have a move twice: it is one. */
static void test_polyglot__a_move_twice(void **state)
{
	static const char twice[] = "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\5\0\0\0\0"
				    "\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\2\0\0\0\0";
	struct book bin = { 0 };
	struct book_option list[CHESS_MAX_MOVES];
	struct chess s;
	chess_start(&s, NULL);
	assert_int_equal(polyglot_read(*state, twice, 32, &bin, NULL), QV_OK);
	assert_int_equal(book_options(&bin, &s, list), 1);
	assert_int_equal(list[0].weight, 7);
	book_release(&bin);
}

/* A book for one side only: its replies are found behind any move of the other. */
static void test_polyglot__walks_over_the_other_sides_moves(void **state)
{
	static const char white[] =
		"quevedo-book 1 chess\nat start\n  move 1 e2e4\n"
		"at rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
		"  move 1 g1f3\n"
		"at rnbqkbnr/pppp1ppp/4p3/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n"
		"  move 1 d2d4\n";
	struct book book = { 0 }, bin = { 0 };
	struct string out = { .allocator = &mem_malloc };
	uint32_t unknown;
	assert_int_equal(book_read(*state, white, sizeof white - 1, NULL, &book, NULL), QV_OK);
	assert_int_equal(polyglot_write(&book, &out, NULL), QV_OK);
	assert_int_equal(polyglot_read(*state, out.data, out.length, &bin, NULL), QV_OK);
	assert_int_equal(book_unfold(&bin, &unknown, NULL), QV_OK);
	assert_int_equal(unknown, 0);
	assert_int_equal(bin.item_count, 3);
	book_release(&bin);
	book_release(&book);
	string_release(&out);
}

static void test_polyglot__refuses(void **state)
{
	static const char good[32] = { 0, 0, 0, 0, 0, 0, 0, 1 }, bad[32] = { 1 };
	struct book book;
	struct qv_error error = { "" };
	assert_int_equal(polyglot_read(*state, good, 17, &book, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "book: the size, 17 bytes, is not a multiple of 16");
	assert_int_equal(polyglot_read(*state, bad, 32, &book, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "book: record 2 of 2 is out of order");
	book_release(&book);
	assert_int_equal(polyglot_read(*state, "", 0, &book, &error), QV_OK);
	book_release(&book);
	static const char noughts[] = "quevedo-book 1 noughts\nline 1 Corner: 1\n";
	struct string out = { .allocator = &mem_malloc };
	assert_int_equal(book_read(*state, noughts, sizeof noughts - 1, NULL, &book, NULL), QV_OK);
	assert_int_equal(polyglot_write(&book, &out, &error), QV_UNSUPPORTED);
	book_release(&book);
	string_release(&out);
}

/* ---- The ten openings of the 1983 book ---- */

/* These ten alone, which are the first ten lines of the program's book, with equal weights. */
static const char ten_openings[] =
	"quevedo-book 1 chess\n"
	"line 1 Sicilian - Rauzer: e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 b8c6 c1g5 c8d7 "
	"d1d2 a8c8 e1c1 c6d4\n"
	"line 1 Sicilian - Dragon: e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6 c1e3 f8g7 "
	"f1e2 b8c6 e1g1 e8g8\n"
	"line 1 Ruy Lopez - Closed: e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 "
	"a4b3 d7d6 c2c3 e8g8\n"
	"line 1 Giuoco Piano: e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d4 e5d4 c3d4 c5b4 c1d2 "
	"b4d2 b1d2 d7d5\n"
	"line 1 King's Gambit: e2e4 e7e5 f2f4 e5f4 g1f3 g7g5 f1c4 d7d6 e1g1 h7h6 d2d4 f8g7 c2c3 "
	"b8c6 g2g3 g5g4\n"
	"line 1 French - Winawer: e2e4 e7e6 d2d4 d7d5 b1c3 f8b4 e4e5 c7c5 a2a3 b4c3 b2c3 g8e7 "
	"d1g4 c5d4 g4g7 h8g8\n"
	"line 1 Queen's Gambit Declined - Orthodox: d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 g1f3 "
	"e8g8 e2e3 b8d7 a1c1 c7c6 f1d3 d5c4\n"
	"line 1 Nimzo-Indian - Rubinstein: d2d4 g8f6 c2c4 e7e6 b1c3 f8b4 e2e3 b7b6 f1d3 c8b7 g1f3 "
	"b4c3 b2c3 d7d5 c1a3 b8d7\n"
	"line 1 King's Indian - Classical: d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6 f1e2 e8g8 g1f3 "
	"e7e5 e1g1 b8d7 d4d5 d7c5\n"
	"line 1 English - Symmetrical: c2c4 c7c5 b1c3 b8c6 g2g3 g7g6 f1g2 f8g7 g1f3 g8f6 e1g1 e8g8 "
	"d2d4 c5d4 f3d4 c6d4\n"
	"reply 1 e7e5 except d2d4 f2f4 g1f3\n";

/* The book's moves in the position after these, with their weights. */
static void assert_book(const struct book *b, const char *moves, const char *expected)
{
	struct book_option list[CHESS_MAX_MOVES];
	struct chess s;
	char text[256] = "";
	chess_start(&s, NULL);
	play_text(&s, moves);
	const int n = book_options(b, &s, list);
	for (int i = 0; i < n; i++) {
		char word[QV_MOVE_TEXT] = "";
		struct qv_text out = { word, sizeof word, 0 };
		chess_move_text(&s, list[i].move, &out);
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %d%s",
			 i ? ", " : "", word, (int)list[i].weight,
			 list[i].general ? " to all" : "");
	}
	assert_string_equal(text, expected);
}

static void test_openings__lines_end_as_printed(void **state)
{
	static const char *const ends[] = {
		"2rqkb1r/pp1bpppp/3p1n2/6B1/3nP3/2N5/PPPQ1PPP/2KR1B1R",
		"r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1B3/PPP1BPPP/R2Q1RK1",
		"r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1",
		"r1bqk2r/ppp2ppp/2n2n2/3p4/2BPP3/5N2/PP1N1PPP/R2QK2R",
		"r1bqk1nr/ppp2pb1/2np3p/8/2BPPpp1/2P2NP1/PP5P/RNBQ1RK1",
		"rnbqk1r1/pp2npQp/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR",
		"r1bq1rk1/pp1nbppp/2p1pn2/6B1/2pP4/2NBPN2/PP3PPP/2RQK2R",
		"r2qk2r/pbpn1ppp/1p2pn2/3p4/2PP4/B1PBPN2/P4PPP/R2QK2R",
		"r1bq1rk1/ppp2pbp/3p1np1/2nPp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1",
		"r1bq1rk1/pp1pppbp/5np1/8/2Pn4/2N3P1/PP2PPBP/R1BQ1RK1",
	};
	struct book book = { 0 };
	int line = 0;
	assert_int_equal(book_open(*state, "own:chess", NULL, &book, NULL), QV_OK);
	for (uint32_t i = 0; i < book.item_count && line < 10; i++) {
		const struct book_item *item = &book.items[i];
		if (item->kind != BOOK_LINE)
			continue;
		struct chess s;
		char fen[QV_POSITION_TEXT] = "";
		struct qv_text out = { fen, sizeof fen, 0 };
		chess_start(&s, NULL);
		assert_int_equal(item->count, 16);
		for (uint32_t k = 0; k < item->count; k++)
			chess_play(&s, book.moves[item->first + k].move);
		chess_position_text(&s, &out);
		*strchr(fen, ' ') = '\0';
		assert_string_equal(fen, ends[line++]);
	}
	assert_int_equal(line, 10);
	book_release(&book);
}

static void test_openings__variations_are_switched_by_position(void **state)
{
	struct book book = { 0 };
	assert_int_equal(
		book_read(*state, ten_openings, sizeof ten_openings - 1, NULL, &book, NULL), QV_OK);
	assert_book(&book, "", "e2e4 6, d2d4 3, c2c4 1");
	assert_book(&book, "e2e4", "e7e5 3, c7c5 2, e7e6 1");
	/* The Rauzer becomes the Dragon. */
	assert_book(&book, "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 g7g6", "c1e3 1");
	/* Nimzo or King's Indian in place of the Orthodox. */
	assert_book(&book, "d2d4 g8f6", "c2c4 2");
	/* The printed method mixes this up with lines 6 and 7; positions cannot be. */
	assert_book(&book, "d2d4 g8f6 c2c4 e7e6", "b1c3 1");
	assert_book(&book, "d2d4 g8f6 c2c4 e7e6 b1c3 f8b4", "e2e3 1");
	/* Out of book, and the universal reply with its exceptions. */
	assert_book(&book, "e2e4 e7e5 g1f3 b8c6 f1b5 f8c5", "");
	assert_book(&book, "b1c3", "e7e5 1 to all");
	assert_book(&book, "g1f3", "");
	assert_book(&book, "f2f4", "");
	book_release(&book);
}

/* Diagram 8-1: one position by three ways, to every kind of key. */
static void test_openings__transpositions_are_the_same(void **state)
{
	static const char *const ways[] = { "d2d4 g8f6 c2c4 g7g6 b1c3 f8g7 e2e4 d7d6",
					    "d2d4 d7d6 c2c4 g8f6 b1c3 g7g6 e2e4 f8g7",
					    "c2c4 g8f6 b1c3 d7d6 d2d4 g7g6 e2e4 f8g7" };
	struct book book = { 0 };
	struct chess first, s;
	assert_int_equal(
		book_read(*state, ten_openings, sizeof ten_openings - 1, NULL, &book, NULL), QV_OK);
	for (int i = 0; i < 3; i++) {
		chess_start(&s, NULL);
		play_text(&s, ways[i]);
		if (!i)
			first = s;
		assert_int_equal(polyglot_key(&s), polyglot_key(&first));
		assert_int_equal(book_key(&book, &s), book_key(&book, &first));
		assert_book(&book, ways[i], "f1e2 1");
	}
	book_release(&book);
}

/* ---- The program's book of chess ---- */

/* ECO, a code such as B90, then nothing or a further sentence. */
static bool has_eco_code(const char *note)
{
	return strncmp(note, "ECO ", 4) == 0 && note[4] >= 'A' && note[4] <= 'E' &&
	       note[5] >= '0' && note[5] <= '9' && note[6] >= '0' && note[6] <= '9' &&
	       (note[7] == '\0' || note[7] == '.');
}

static void test_openings__lines_are_named_coded_and_graded(void **state)
{
	struct book book = { 0 };
	int count = 0;
	assert_int_equal(book_open(*state, "own:chess", NULL, &book, NULL), QV_OK);
	for (uint32_t i = 0; i < book.item_count; i++) {
		const struct book_item *item = &book.items[i];
		if (item->kind != BOOK_LINE)
			continue;
		const char *name = book_text(&book, item->name);
		count++;
		assert_int_equal(item->from, 0);
		if (!has_eco_code(book_text(&book, item->note)))
			fail_msg("%s: %s", name, book_text(&book, item->note));
		if (item->weight != 10 && item->weight != 4 && item->weight != 1)
			fail_msg("%s: weight %d", name, (int)item->weight);
		if (item->count < 8 || item->count > 20)
			fail_msg("%s: %d plies", name, (int)item->count);
		/* No other line has its name or ends in its final position, which has this name. */
		struct chess s;
		chess_start(&s, NULL);
		for (uint32_t k = 0; k < item->count; k++)
			chess_play(&s, book.moves[item->first + k].move);
		assert_true(*name);
		assert_string_equal(book_name(&book, &s, NULL, NULL), name);
		for (uint32_t k = 0; k < i; k++)
			if (book.items[k].kind == BOOK_LINE)
				assert_string_not_equal(book_text(&book, book.items[k].name), name);
	}
	assert_true(count >= 300);
	book_release(&book);
}

static void test_openings__every_first_move_is_answered(void **state)
{
	struct book book = { 0 };
	struct chess start;
	qv_move moves[CHESS_MAX_MOVES];
	struct book_option list[CHESS_MAX_MOVES];
	assert_int_equal(book_open(*state, "own:chess", NULL, &book, NULL), QV_OK);
	chess_start(&start, NULL);
	const int count = chess_moves(&start, moves);
	assert_int_equal(count, 20);
	for (int i = 0; i < count; i++) {
		struct chess s = start;
		chess_play(&s, moves[i]);
		assert_true(book_options(&book, &s, list) > 0);
		assert_false(list[0].general);
		assert_true(*book_name(&book, &s, NULL, NULL));
	}
	/* Of the first moves, 1.e4 and 1.d4 lead by far; the rest are rarer than these four. */
	uint64_t total = 0;
	assert_int_equal(book_options(&book, &start, list), 20);
	for (int i = 0; i < 20; i++)
		total += list[i].weight;
	static const char *const first[] = { "e2e4", "d2d4", "c2c4", "g1f3" };
	static const uint64_t least[] = { 40, 30, 5, 5 };
	for (int i = 0; i < 4; i++) {
		char word[QV_MOVE_TEXT] = "";
		struct qv_text out = { word, sizeof word, 0 };
		chess_move_text(&start, list[i].move, &out);
		assert_string_equal(word, first[i]);
		assert_true(100 * list[i].weight >= least[i] * total);
	}
	book_release(&book);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pgn__chess_is_written_in_short_notation),
		cmocka_unit_test(test_pgn__a_pawn_b_is_no_bishop),
		cmocka_unit_test(test_pgn__random_games_of_chess_survive),
		cmocka_unit_test(test_pgn__reads_games_from_odd_armies),
		cmocka_unit_test(test_epd__reads_operations),
		cmocka_unit_test(test_epd__reads_what_circulates),
		cmocka_unit_test(test_epd__refuses),
		cmocka_unit_test(test_polyglot__keys_are_the_published_ones),
		cmocka_unit_test(test_polyglot__moves_go_both_ways),
		cmocka_unit_test(test_polyglot__a_book_is_written_and_looked_up),
		cmocka_unit_test(test_polyglot__a_move_twice),
		cmocka_unit_test(test_polyglot__walks_over_the_other_sides_moves),
		cmocka_unit_test(test_polyglot__refuses),
		cmocka_unit_test(test_openings__lines_end_as_printed),
		cmocka_unit_test(test_openings__lines_are_named_coded_and_graded),
		cmocka_unit_test(test_openings__every_first_move_is_answered),
		cmocka_unit_test(test_openings__variations_are_switched_by_position),
		cmocka_unit_test(test_openings__transpositions_are_the_same),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
