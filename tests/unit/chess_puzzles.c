/*
 * chess_puzzles.c - tests of mate in N and of proof games, with the diagrams of the 1983 book that
 * can be used.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "games/chess/puzzles.h"

static struct chess position(const char *fen)
{
	struct chess s;
	struct qv_error error = { "" };
	const int64_t none[QV_MAX_OPTIONS] = { 0 };
	if (chess_position_parse(&s, none, fen, &error) != QV_OK)
		fail_msg("%s: %s", fen, error.text);
	return s;
}

static void add_move(char *text, size_t size, const struct chess *s, qv_move move)
{
	const size_t length = strlen(text);
	struct qv_text out = { text + length, size - length, 0 };
	if (length)
		qv_put(&out, " ");
	chess_move_text(s, move, &out);
}

/* ---- Mates ---- */

/* The oracle: no table, no order, no killers. */
static bool mates(const struct chess *s, int moves)
{
	qv_move list[CHESS_MAX_MOVES], replies[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		const int count = chess_moves(&next, replies);
		bool all = count ? moves > 1 : chess_checkers(&next) != 0;
		for (int k = 0; k < count && all; k++) {
			struct chess then = next;
			chess_play(&then, replies[k]);
			all = mates(&then, moves - 1);
		}
		if (all)
			return true;
	}
	return false;
}

/* The line is legal, and ends in mate after so many moves. */
static void check_line(const struct chess *s, const struct chess_mate *m)
{
	struct chess here = *s;
	assert_int_equal(m->line_length, 2 * m->moves - 1);
	for (int i = 0; i < m->line_length; i++) {
		qv_move list[CHESS_MAX_MOVES];
		const int n = chess_moves(&here, list);
		int k = 0;
		while (k < n && list[k] != m->line[i])
			k++;
		assert_true(k < n);
		chess_play(&here, m->line[i]);
	}
	assert_true(chess_checkers(&here) && !chess_can_move(&here));
}

static void test_mate__problems_are_solved(void **state)
{
	static const struct {
		const char *fen;
		int moves;
		const char *keys;
	} cases[] = {
		{ "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8" },
		{ "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, "a1a6" },
		{ "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2, "d2h6" },
		{ "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3, "f6a6" },
		{ "4r1k1/5bpp/2p5/3pr3/8/1B3pPq/PPR2P2/2R2QK1 b - - 0 1", 3, "e5e1" },
		/* The queen on f7 would be stalemate, which is no key. */
		{ "7k/8/5K2/8/8/8/Q7/8 w - - 0 1", 2, "a2g2 a2a7 f6f7" },
		/* Nothing to be had: kings and a pawn that is stopped. */
		{ "8/8/8/4k3/8/4K3/4P3/8 w - - 0 1", 0, "" },
		/* Mated or stalemated already. */
		{ "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0, "" },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct chess s = position(cases[i].fen);
		struct chess_mate m;
		char keys[256] = "";
		assert_int_equal(chess_mate(&mem_malloc, &s, 4, 1 << 20, NULL, &m, NULL), QV_OK);
		for (int k = 0; k < m.key_count; k++)
			add_move(keys, sizeof keys, &s, m.keys[k]);
		assert_int_equal(m.moves, cases[i].moves);
		assert_string_equal(keys, cases[i].keys);
		if (m.moves)
			check_line(&s, &m);
	}
}

/* King and rook against king, in four: many keys, and the line has the longest defence. */
static void test_mate__in_four(void **state)
{
	const struct chess s = position("8/8/8/8/8/2K5/7R/k7 w - - 0 1");
	struct chess_mate m;
	(void)state;
	assert_int_equal(chess_mate(&mem_malloc, &s, 6, 1 << 22, NULL, &m, NULL), QV_OK);
	assert_true(m.moves > 0 && mates(&s, m.moves));
	assert_true(m.moves == 1 || !mates(&s, m.moves - 1));
	check_line(&s, &m);
}

/* Random endings: the same as without table, order and killers; a small table too. */
static void test_mate__equals_the_plain_search(void **state)
{
	struct qv_random random = { 11, 0 };
	int found[4] = { 0 };
	(void)state;
	for (int tries = 0; tries < 400; tries++) {
		char board[64], fen[128];
		int at = 0;
		memset(board, '1', sizeof board);
		static const char men[] = "KkQRNP";
		for (int i = 0; i < 6; i++)
			board[qv_random_below(&random, 64)] = men[i];
		for (int row = 0; row < 8; row++)
			at += snprintf(fen + at, sizeof fen - (size_t)at, "%.8s%s", board + 8 * row,
				       row < 7 ? "/" : " w - - 0 1");
		struct chess s;
		const int64_t none[QV_MAX_OPTIONS] = { 0 };
		if (chess_position_parse(&s, none, fen, NULL) != QV_OK)
			continue;
		struct chess_mate m;
		assert_int_equal(
			chess_mate(&mem_malloc, &s, 2, tries % 2 ? 1 << 16 : 0, NULL, &m, NULL),
			QV_OK);
		const int plain = mates(&s, 1) ? 1 : mates(&s, 2) ? 2 : 0;
		assert_int_equal(m.moves, plain);
		found[plain]++;
		if (m.moves)
			check_line(&s, &m);
	}
	assert_true(found[0] && found[1] && found[2]);
}

static void test_mate__can_be_stopped(void **state)
{
	struct chess s;
	struct chess_mate m;
	struct qv_error error = { "" };
	struct qv_flag stop = { 1 };
	const struct qv_solve_limits stopped = { .size = sizeof stopped, .stop = &stop },
				     counted = { .size = sizeof counted, .nodes = 20000 };
	(void)state;
	chess_start(&s, NULL);
	assert_int_equal(chess_mate(&mem_malloc, &s, 10, 1 << 16, &stopped, &m, &error),
			 QV_STOPPED);
	assert_int_equal(chess_mate(&mem_malloc, &s, 10, 1 << 16, &counted, &m, &error),
			 QV_STOPPED);
	assert_in_range(m.nodes, 20000, 40000);
	assert_int_equal(chess_mate(&mem_malloc, &s, 0, 1 << 16, NULL, &m, &error), QV_BAD_INPUT);
}

/* Diagram 11-2: taking the knight lets the queen mate; a king has no price to trade it for. */
static void test_mate__diagram_11_2(void **state)
{
	struct chess s = position("6k1/6b1/8/6n1/1q6/6R1/1P6/1K6 w - - 0 1");
	struct chess_mate m;
	qv_move move;
	(void)state;
	assert_true(chess_move_parse(&s, "g3g5", &move));
	chess_play(&s, move);
	assert_int_equal(chess_mate(&mem_malloc, &s, 1, 1 << 16, NULL, &m, NULL), QV_OK);
	assert_int_equal(m.moves, 1);
	assert_int_equal(m.key_count, 1);
	assert_true(chess_move_parse(&s, "b4b2", &move));
	assert_int_equal(m.keys[0], move);
}

/* ---- Proof games: diagram 8-2 ---- */

static const char puzzle_e5[] = "rnbqkbnr/pp3ppp/2p5/4p3/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5";
static const char puzzle_e6[] = "rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5";

struct told {
	char line[128];
	int games, plies;
	const struct chess *target;
};

static bool hear(void *ctx, const qv_move *moves)
{
	struct told *t = ctx;
	struct chess s;
	chess_start(&s, NULL);
	t->line[0] = '\0';
	for (int i = 0; i < t->plies; i++) {
		add_move(t->line, sizeof t->line, &s, moves[i]);
		chess_play(&s, moves[i]);
	}
	assert_memory_equal(s.kind, t->target->kind, sizeof s.kind);
	t->games++;
	return true;
}

static uint64_t games_to(const char *fen, int plies, bool rights, struct told *told)
{
	const struct chess target = position(fen);
	uint64_t games, nodes;
	*told = (struct told){ .plies = plies, .target = &target };
	const struct chess_proof how = { .target = &target,
					 .plies = plies,
					 .rights = rights,
					 .hash_bytes = 1 << 24,
					 .game = hear,
					 .ctx = told };
	assert_int_equal(chess_proof_games(&mem_malloc, &how, &games, &nodes, NULL), QV_OK);
	assert_int_equal(told->games, games);
	return games;
}

static void test_proof_game__the_book_has_a_misprint(void **state)
{
	struct told told;
	(void)state;
	assert_int_equal(games_to(puzzle_e6, 8, false, &told), 1);
	assert_string_equal(told.line, "e2e4 e7e6 f1b5 e8e7 b5d7 c7c6 d7e8 e7e8");
	assert_int_equal(games_to(puzzle_e5, 8, false, &told), 31);
	assert_int_equal(games_to(puzzle_e5, 7, false, &told), 2);
	assert_int_equal(games_to(puzzle_e5, 6, false, &told), 2);
	assert_int_equal(games_to(puzzle_e5, 5, false, &told), 0);
	assert_int_equal(games_to(puzzle_e5, 8, true, &told), 1);
	assert_string_equal(told.line, "e2e4 e7e5 f1b5 e8e7 b5d7 c7c6 d7e8 e7e8");
}

/* The oracle: every game, nothing left out. */
static uint64_t plain_count(const struct chess *s, const struct chess *target, int plies)
{
	qv_move list[CHESS_MAX_MOVES];
	if (!plies)
		return memcmp(s->kind, target->kind, sizeof s->kind) == 0 &&
		       s->side[0] == target->side[0];
	const int n = chess_moves(s, list);
	uint64_t games = 0;
	for (int i = 0; i < n; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		games += plain_count(&next, target, plies - 1);
	}
	return games;
}

static void test_proof_game__equals_the_plain_count(void **state)
{
	struct qv_random random = { 5, 0 };
	(void)state;
	for (int tries = 0; tries < 6; tries++) {
		struct chess start, target;
		uint64_t games, nodes;
		chess_start(&start, NULL);
		target = start;
		for (int i = 0; i < 4; i++) {
			qv_move list[CHESS_MAX_MOVES];
			const int n = chess_moves(&target, list);
			chess_play(&target, list[qv_random_below(&random, (uint64_t)n)]);
		}
		const struct chess_proof how = { .target = &target,
						 .plies = 4,
						 .hash_bytes = 1 << 16 };
		assert_int_equal(chess_proof_games(&mem_malloc, &how, &games, &nodes, NULL), QV_OK);
		assert_int_equal(games, plain_count(&start, &target, 4));
		assert_true(games > 0);
	}
}

/* Castling is one move of two men: the shortest ways to both forms are found. */
static void test_proof_game__knows_castling_and_promotion(void **state)
{
	struct told told;
	(void)state;
	static const char castled[] = "rnbqkb1r/pppp1ppp/5n2/4p3/8/5NP1/PPPPPPBP/RNBQ1RK1 b kq - 0 4";
	static const char promoted[] = "rnbqkbnQ/1ppppp1p/8/8/8/p7/PPPPPPP1/RNBQKBNR b KQq - 0 5";
	assert_int_equal(games_to(castled, 6, false, &told), 0);
	assert_true(games_to(castled, 7, false, &told) > 0);
	assert_true(games_to(promoted, 9, false, &told) > 0);
	assert_non_null(strstr(told.line, "g7h8q"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mate__problems_are_solved),
		cmocka_unit_test(test_mate__in_four),
		cmocka_unit_test(test_mate__equals_the_plain_search),
		cmocka_unit_test(test_mate__can_be_stopped),
		cmocka_unit_test(test_mate__diagram_11_2),
		cmocka_unit_test(test_proof_game__the_book_has_a_misprint),
		cmocka_unit_test(test_proof_game__equals_the_plain_count),
		cmocka_unit_test(test_proof_game__knows_castling_and_promotion),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
