/*
 * chess_phases.c - chess: weights for each phase (`phases=1`) and scores of moves (`move-eval=1`) of
 * the evaluations `default` and `book`.
 * SPDX-License-Identifier: MIT
 */
#include "support/chess_positions.h"

#include "games/chess/book_eval.h"
#include "games/chess/evaluate.h"

static struct chess position(const char *fen)
{
	struct chess s;
	struct qv_error error = { "" };
	const int64_t none[QV_MAX_OPTIONS] = { 0 };
	if (chess_position_parse(&s, none, fen, &error) != QV_OK)
		fail_msg("%s: %s", fen, error.text);
	return s;
}

/* Weights that fix the phase give what the phase of the position gives in others. */
static void test_phases__weights_fix_the_phase(void **state)
{
	static const struct {
		const char *fen;
		int phase;
	} cases[] = {
		{ "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 0 %d", -1 },
		{ "4k3/8/2P5/1P6/8/8/5p2/4K2r w - - 0 %d", QV_END },
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int32_t last = INT32_MAX;
		for (int number = 10; number <= 11; number++) {
			char fen[128];
			snprintf(fen, sizeof fen, cases[i].fen, number);
			const struct chess s = position(fen);
			const int phase = chess_book_phase_of(&s);
			assert_int_equal(phase, cases[i].phase >= 0 ? cases[i].phase
						: number == 10	    ? QV_OPENING
								    : QV_MIDDLE);
			const int32_t value = chess_book_evaluate(&s, chess_book_weights);
			assert_int_equal(value,
					 chess_book_evaluate(&s, chess_book_phase_weights[phase]));
			assert_true((value == last) == (phase == QV_END && number == 11));
			/* With the weights of the opening the number of the move is nothing. */
			const int32_t fixed =
				chess_book_evaluate(&s, chess_book_phase_weights[QV_OPENING]);
			assert_true((fixed == value) == (phase == QV_OPENING));
			last = value;
		}
	}
	/* The default evaluation has one value for each weight: no mixing by material. */
	for (int i = 0; i < CHESS_WEIGHTS; i++) {
		assert_int_equal(chess_phase_weights[QV_OPENING][2 * i], chess_weights[2 * i]);
		assert_int_equal(chess_phase_weights[QV_END][2 * i], chess_weights[2 * i + 1]);
		for (int phase = QV_OPENING; phase <= QV_END; phase++)
			assert_int_equal(chess_phase_weights[phase][2 * i],
					 chess_phase_weights[phase][2 * i + 1]);
	}
}

/* Chooses a legal move at random. False: no move is legal. */
static bool any_move(const struct chess *s, struct qv_random *random, qv_move *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int count = chess_moves(s, list);
	if (!count)
		return false;
	*out = list[qv_random_below(random, (uint64_t)count)];
	return true;
}

/*
 * With weights for nothing but pieces and their squares, the score of a move is the difference
 * between the positions before and after it.
 */
static void test_moves__scores_are_differences(void **state)
{
	int32_t book[CHESS_BOOK_WEIGHTS], own[2 * CHESS_WEIGHTS] = { 0 };
	struct qv_random random = { 71, 0 };
	int checked = 0, special = 0;
	const size_t squares = CHESS_KING_SQUARES_LAST + 1 - CHESS_MATERIAL_AT;
	memcpy(own + 2 * CHESS_MATERIAL_AT, chess_phase_weights[QV_MIDDLE] + 2 * CHESS_MATERIAL_AT,
	       2 * squares * sizeof *own);
	for (int i = 0; i < 4000; i++) {
		const struct chess s = any_position(*state, &random);
		const int phase = i % QV_PHASES;
		struct chess after = s;
		qv_move move;
		if (!any_move(&s, &random, &move))
			continue;
		chess_play(&after, move);
		memcpy(book, chess_book_phase_weights[phase], sizeof book);
		memset(book + CHESS_BOOK_INFLUENCE, 0,
		       (CHESS_BOOK_FIANCHETTO - CHESS_BOOK_INFLUENCE) * sizeof *book);
		book[CHESS_BOOK_ROOKS_TOGETHER] = book[CHESS_BOOK_ATTACK] = 0;
		book[CHESS_BOOK_OPEN_LINE] = book[CHESS_BOOK_NO_RIGHT] = 0;
		book[CHESS_BOOK_EARLY_QUEEN] = book[CHESS_BOOK_CHAIN] = book[CHESS_BOOK_RUNNER] = 0;
		memset(book + CHESS_BOOK_SUPPORTED, 0, 3 * sizeof *book);
		assert_int_equal(chess_book_move(&s, move, book),
				 -chess_book_evaluate(&after, book) -
					 chess_book_evaluate(&s, book));
		/* The default evaluation, unless the ending counts less or has more terms. */
		struct chess_trace here = { .phase = 0 }, there = { .phase = 0 };
		const int32_t before = chess_evaluate_as(&s, own, &here);
		const int32_t later = chess_evaluate_as(&after, own, &there);
		special += chess_castles(move) || chess_promotes(move) ||
			   chess_flag(move) == CHESS_PASSANT;
		if (here.scale != CHESS_SCALE_ONE || there.scale != CHESS_SCALE_ONE || here.extra ||
		    there.extra)
			continue;
		assert_int_equal(chess_move_gain(&s, move, own), -later - before);
		checked++;
	}
	assert_true(checked > 1000 && special > 10);
}

/* Attacks of the moving piece count; what a move uncovers does not. */
static void test_moves__attacks_count(void **state)
{
	const struct chess s = position("3rk3/8/8/8/8/8/3N4/3QK3 w - - 0 30");
	int32_t weights[CHESS_BOOK_WEIGHTS] = { 100, 300, 300, 500, 900 };
	(void)state;
	weights[CHESS_BOOK_ATTACK] = 100; /* a hundredth of the attacked piece */
	const int d2 = 11, b3 = 17, f3 = 21, e4 = 28;
	assert_int_equal(chess_book_move(&s, chess_move(d2, b3, CHESS_QUIET), weights), 0);
	assert_int_equal(chess_book_move(&s, chess_move(d2, e4, CHESS_QUIET), weights), 0);
	const struct chess near = position("3rk3/8/8/4r3/8/8/3N4/3QK3 w - - 0 30");
	assert_int_equal(chess_book_move(&near, chess_move(d2, f3, CHESS_QUIET), weights), 5);
	struct chess after = near;
	chess_play(&after, chess_move(d2, f3, CHESS_QUIET));
	/* The position also has the attack of the queen on the rook, and of the rook on the queen. */
	weights[CHESS_BOOK_PHASE] = 2;
	assert_int_equal(-chess_book_evaluate(&after, weights) -
				 chess_book_evaluate(&near, weights),
			 5 + 5 + (3 - 9));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phases__weights_fix_the_phase),
		cmocka_unit_test(test_moves__scores_are_differences),
		cmocka_unit_test(test_moves__attacks_count),
	};
	return cmocka_run_group_tests_name("chess_phases", tests, setup, teardown);
}
