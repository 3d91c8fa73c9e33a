/*
 * twins.c - each game's rules against their literal twin, move by move, at random play.
 * SPDX-License-Identifier: MIT
 *
 * The two sides meet in texts only. At every position: the same text, which reads back as the same
 * state; the same moves; the same answer to a text that may be no move; the same end and points.
 */
#include "support/check.h"
#include "twins/twin.h"

#include "quevedo.h"

#include <limits.h>
#include <stdlib.h>

#include "support/scale.h"

enum { GAMES = 2000, MAX_TEXTS = 512, TEXT = 16, SEED = 20 };

/* One game under test: the fast rules' state and the twin's position, which must stay the same. */
struct pair {
	const struct twin *twin;
	struct qv_rules rules;
	void *state, *read;
	char position[QV_POSITION_TEXT];
	struct qv_random random;
	int64_t moves; /* compared so far */
};

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void check_same_position(struct pair *p)
{
	char text[QV_POSITION_TEXT] = "";
	struct qv_text out = { text, sizeof text, 0 };
	p->rules.game->position_text(p->state, &out);
	assert_string_equal(text, p->position);
	assert_int_equal(qv_position_parse(&p->rules, p->position, p->read, NULL), QV_OK);
	assert_memory_equal(p->read, p->state, p->rules.game->state_size);
}

/* Returns how many moves there are; texts are the twin's, sorted. */
static int check_same_moves(const struct pair *p, char texts[MAX_TEXTS][TEXT])
{
	qv_move list[QV_MAX_MOVES];
	char ours[MAX_TEXTS][TEXT];
	const int count = p->rules.game->moves(p->state, list);
	assert_int_equal(count, p->twin->moves(p->position, texts, MAX_TEXTS));
	for (int i = 0; i < count; i++) {
		ours[i][0] = '\0';
		struct qv_text out = { ours[i], TEXT, 0 };
		p->rules.game->move_text(p->state, list[i], &out);
	}
	qsort(ours, (size_t)count, sizeof ours[0], compare_texts);
	qsort(texts, (size_t)count, sizeof ours[0], compare_texts);
	for (int i = 0; i < count; i++)
		assert_string_equal(ours[i], texts[i]);
	return count;
}

/* A way from one square to another, as numbers: never further than a die goes. */
static void any_step(struct qv_random *r, char text[TEXT])
{
	const int from = (int)qv_random_below(r, 18);
	snprintf(text, TEXT, "%d-%d", from, from + (int)qv_random_below(r, 7));
}

/* A move of Warp Trog, though perhaps not a legal one. */
static void any_trog_move(struct qv_random *r, char text[TEXT])
{
	const char file = (char)('a' + qv_random_below(r, 6)),
		   rank = (char)('1' + qv_random_below(r, 6));
	switch (qv_random_below(r, 4)) {
	case 0:
		snprintf(text, TEXT, "%s", qv_random_below(r, 2) ? "warp" : "w");
		break;
	case 1:
		snprintf(text, TEXT, "land %c%c", file, rank);
		break;
	case 2:
		snprintf(text, TEXT, "%c%c%c%c", file, rank, file, rank + 1);
		break;
	default:
		snprintf(text, TEXT, "%c%c%c%c", file, rank, file, rank - 1);
		break;
	}
}

/* A text that often is a move of some game: a digit, a square, two, or a cell, `pass`, a throw
 * or two numbers. */
static void any_text(struct qv_random *r, char text[TEXT])
{
	const int kind = (int)qv_random_below(r, 15);
	const char column = (char)('a' + qv_random_below(r, 9)),
		   row = (char)('0' + qv_random_below(r, 10));
	if (kind == 0) {
		snprintf(text, TEXT, "pass");
	} else if (kind < 4) {
		snprintf(text, TEXT, "%c", row);
	} else if (kind < 8) {
		snprintf(text, TEXT, "%c%c", column, row);
	} else if (kind < 10) {
		const uint64_t files = kind == 8 ? 3 : 5, ranks = kind == 8 ? 3 : 6;
		snprintf(text, TEXT, "%c%c-%c%c", (char)('a' + qv_random_below(r, files)),
			 (char)('1' + qv_random_below(r, ranks)),
			 (char)('a' + qv_random_below(r, files)),
			 (char)('1' + qv_random_below(r, ranks)));
	} else if (kind < 12) {
		snprintf(text, TEXT, "%c%c%c", (char)('a' + qv_random_below(r, 5)),
			 (char)('1' + qv_random_below(r, 5)), (char)('A' + qv_random_below(r, 5)));
	} else if (kind < 13) {
		snprintf(text, TEXT, "roll %c", row);
	} else {
		any_step(r, text);
	}
}

static void check_same_answer(struct pair *p)
{
	char text[TEXT], copy[QV_POSITION_TEXT];
	qv_move move;
	if (strncmp(p->twin->game, "warptrog", 8) == 0)
		any_trog_move(&p->random, text);
	else
		any_text(&p->random, text);
	/* Chess reads this as castling, which its twin writes in another form. */
	if (strncmp(p->twin->game, "chess", 5) == 0 && strcmp(text, "0-0") == 0)
		return;
	/* Minichess reads a pawn's move by its end, which its twin wants in full. */
	if (strcmp(p->twin->game, "minichess") == 0 && strlen(text) == 2)
		return;
	memcpy(copy, p->position, sizeof copy);
	const bool legal = p->twin->play(copy, sizeof copy, text);
	const enum qv_status status = qv_move_parse(p->rules.game, p->state, text, &move, NULL);
	if ((status == QV_OK) != legal)
		fail_msg("%s: %s is %slegal by the twin", p->position, text, legal ? "" : "not ");
}

/* Returns whether the game is over. */
static bool check_same_result(const struct pair *p)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	int expected[2] = { 0, 0 };
	const enum qv_outcome outcome = p->rules.game->result(p->state, points);
	const bool over = p->twin->over(p->position, expected);
	assert_int_equal(outcome != QV_GOING, over);
	if (over) {
		assert_int_equal(points[0], expected[0]);
		assert_int_equal(points[1], expected[1]);
	}
	return over;
}

static void play_both(struct pair *p, const char *text)
{
	qv_move move;
	assert_int_equal(qv_move_parse(p->rules.game, p->state, text, &move, NULL), QV_OK);
	p->rules.game->play(p->state, move);
	assert_true(p->twin->play(p->position, sizeof p->position, text));
}

/* From the start, or from another position, for at most so many plies. */
static void play_random_game(struct pair *p, const char *from, int plies)
{
	char texts[MAX_TEXTS][TEXT];
	struct qv_error error = { "" };
	if (qv_position_parse(&p->rules, from, p->state, &error) != QV_OK)
		fail_msg("%s: %s", from, error.text);
	if (from)
		snprintf(p->position, sizeof p->position, "%s", from);
	else
		p->twin->start(p->position, sizeof p->position);
	for (; plies > 0; plies--) {
		check_same_position(p);
		check_same_answer(p);
		const int count = check_same_moves(p, texts);
		if (check_same_result(p)) {
			int32_t points[QV_MAX_SEATS];
			if (p->rules.game->result(p->state, points) == QV_ENDED)
				assert_int_equal(count, 0);
			return;
		}
		play_both(p, texts[qv_random_below(&p->random, (uint64_t)count)]);
		p->moves++;
	}
}

static void compare_from(const struct twin *twin, const char *from, int games, int plies)
{
	struct qv_context *context = qv_context_new(NULL);
	assert_non_null(context);
	struct pair p = { .twin = twin, .random = { qv_random_key(SEED, 0), 0 } };
	assert_int_equal(qv_rules_parse(context, twin->game, &p.rules, NULL), QV_OK);
	p.state = qv_state_new(context, p.rules.game);
	p.read = qv_state_new(context, p.rules.game);
	assert_non_null(p.state);
	assert_non_null(p.read);
	for (int i = 0; i < games; i++)
		play_random_game(&p, from, plies);
	print_message("%s: %lld moves\n", twin->game, (long long)p.moves);
	qv_state_free(context, p.rules.game, p.read);
	qv_state_free(context, p.rules.game, p.state);
	qv_context_free(context);
}

static void compare_games(const struct twin *twin, int games)
{
	compare_from(twin, NULL, (int)scaled(games), INT_MAX);
}

static void compare(const struct twin *twin)
{
	compare_games(twin, GAMES);
}

static void test_twins__noughts_plays_alike(void **unused)
{
	(void)unused;
	compare(&twin_noughts);
}

static void test_twins__connect4_plays_alike(void **unused)
{
	(void)unused;
	compare(&twin_connect4);
}

static void test_twins__reversi_plays_alike(void **unused)
{
	(void)unused;
	compare(&twin_reversi);
}

static void test_twins__hexapawn_plays_alike(void **unused)
{
	(void)unused;
	compare(&twin_hexapawn);
	compare(&twin_hexapawn_draw);
}

/* Fewer games: they are long, and each position has many moves to write down. */
static void test_twins__noughts3d_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_noughts3d, GAMES / 20);
}

static void test_twins__race_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_race, GAMES / 4);
}

/* At random some games last for thousands of moves, so they are cut. */
static void test_twins__warptrog_plays_alike(void **unused)
{
	(void)unused;
	compare_from(&twin_warptrog, NULL, (int)scaled(GAMES / 2), 200);
	compare_from(&twin_warptrog_1983, NULL, (int)scaled(GAMES / 4), 200);
}

static void test_twins__morris_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_morris, GAMES / 20);
}

/* Random games take the king soon, or go on for eighty plies. */
static void test_twins__minichess_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_minichess, GAMES / 4);
}

static void test_twins__diagram_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_diagram, GAMES / 4);
}

/* Positions where something rare is near: castling of all kinds, pins, passing, promotion, mates. */
static void test_twins__chess_plays_alike(void **unused)
{
	static const char *const positions[] = {
		NULL,
		"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
		"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
		"r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
		"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
		"r3k2r/8/3b4/8/1Q6/8/8/R3K2R b KQkq - 0 1",
		"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
		"k7/3p4/8/K3P2q/8/8/8/8 b - - 0 1",
		"8/8/8/1k6/2pPp3/8/8/B3K2R b - d3 0 1",
		"4k3/p1p1p1p1/8/1P1P1P1P/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
		"8/8/8/8/8/5k2/5p2/5K2 w - - 98 80",
		"6k1/5ppp/8/8/8/8/8/R2R2K1 w - - 96 60",
		"kbn5/8/8/8/8/8/8/5NBK w - - 0 1",
		"k1b5/8/8/8/8/8/8/B5BK w - - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNBQKBNQ w kq - 0 1",
		"2QQ3Q/Q4Q2/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Qrr/2QQ1K1k w - - 0 1",
	};
	(void)unused;
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
		compare_from(&twin_chess, positions[i], (int)scaled(i ? 12 : 6), 60);
}

/*
 * Starts where castling is odd: the king does not move, or goes to its rook's square, or rooks are
 * neighbours; two rooks on one side, so that X-FEN has files; a line that castling opens; both sides
 * with other files (as in double Fischer random chess).
 */
static void test_twins__chess960_plays_alike(void **unused)
{
	static const char *const positions[] = {
		NULL,
		"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
		"2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w KQkq - 1 9",
		"b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w KQ - 1 9",
		"1r1kr3/pppppppp/8/8/8/8/PPPPPPPP/1R1KR3 w KQkq - 0 1",
		"rkr5/pppppppp/8/8/8/8/PPPPPPPP/RKR5 w KQkq - 0 1",
		"5rkr/pppppppp/8/8/8/8/PPPPPPPP/5RKR b KQkq - 0 1",
		"1rk3r1/8/8/8/8/8/8/rRK3R1 w KQkq - 0 1",
		"rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
		"rr2k1rr/8/8/8/8/8/8/RR2K1RR b KQkq - 0 1",
		"2r1kr2/8/8/8/8/8/8/1R3K1R w KQkq - 0 1",
		"4k2r/6r1/8/8/8/8/3R4/R3K3 w Qk - 0 1",
		"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/QNRBBNKR w KQkq - 0 1",
		"8/8/8/8/8/8/6k1/4K2R w K - 0 1",
		"r1kr4/pp1pp1pp/8/8/8/8/PP1PP1PP/R1KR4 w KQkq - 0 1",
	};
	(void)unused;
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
		compare_from(&twin_chess960, positions[i], (int)scaled(i ? 12 : 6), 60);
}

/* A board has hundreds of moves at every position, and random games nearly fill it. */
static void test_twins__gomoku_plays_alike(void **unused)
{
	(void)unused;
	compare_games(&twin_gomoku, 4);
	compare_games(&twin_gomoku_exact, 20);
	compare_games(&twin_gomoku_renju, 4);
	compare_games(&twin_gomoku_swap2, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_twins__noughts_plays_alike),
		cmocka_unit_test(test_twins__connect4_plays_alike),
		cmocka_unit_test(test_twins__reversi_plays_alike),
		cmocka_unit_test(test_twins__race_plays_alike),
		cmocka_unit_test(test_twins__warptrog_plays_alike),
		cmocka_unit_test(test_twins__hexapawn_plays_alike),
		cmocka_unit_test(test_twins__noughts3d_plays_alike),
		cmocka_unit_test(test_twins__morris_plays_alike),
		cmocka_unit_test(test_twins__minichess_plays_alike),
		cmocka_unit_test(test_twins__diagram_plays_alike),
		cmocka_unit_test(test_twins__chess_plays_alike),
		cmocka_unit_test(test_twins__chess960_plays_alike),
		cmocka_unit_test(test_twins__gomoku_plays_alike),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
