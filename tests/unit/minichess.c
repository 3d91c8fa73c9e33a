/*
 * minichess.c - minichess against known counts, how its games end, and what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/minichess/evaluate.h"

#include "support/desk.h"
#include "support/scale.h"

#define NO_MOVE_LEFT "20 W/KBk../PRP../.P.../...../...../....."

static struct minichess parsed(const char *text)
{
	struct minichess s;
	struct qv_error error = { "" };
	if (minichess_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static qv_move move_of(const struct minichess *s, const char *text)
{
	qv_move list[MINICHESS_MAX_MOVES];
	const int count = minichess_moves(s, list);
	for (int i = 0; i < count; i++) {
		char written[QV_MOVE_TEXT] = "";
		struct qv_text out = { written, sizeof written, 0 };
		minichess_move_text(s, list[i], &out);
		if (!strcmp(written, text))
			return list[i];
	}
	return QV_NO_MOVE;
}

static void play(struct minichess *s, const char *text)
{
	const qv_move move = move_of(s, text);
	if (move == QV_NO_MOVE)
		fail_msg("%s is no move", text);
	minichess_play(s, move);
}

/* ---- Known counts ---- */

static uint64_t leaves(const struct minichess *s, int depth)
{
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	uint64_t count = 0;
	const struct qv_perft_limits limits = { .size = sizeof limits, .depth = depth };
	desk_open(&d, context, "minichess", "start");
	memcpy(d.state, s, sizeof *s);
	assert_int_equal(qv_perft(context, d.rules.game, d.state, &limits, &count, NULL), QV_OK);
	desk_close(&d);
	qv_context_free(context);
	return count;
}

static void test_perft__positions_of_the_specification(void **unused)
{
	static const struct {
		const char *position;
		uint64_t leaves[6]; /* -1 ends them */
	} known[] = {
		{ "20 W/k..../P..P./..b.n/.B..N/.p..p/....K",
		  { 15, 236, 3575, 59773, 985518, UINT64_MAX } },
		{ "40 W/kq.../..P../...../...../..p../R...K", { 13, 149, 0, UINT64_MAX } },
		{ NO_MOVE_LEFT, { 0, 0, UINT64_MAX } },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		const struct minichess s = parsed(known[i].position);
		for (int depth = 1; known[i].leaves[depth - 1] != UINT64_MAX; depth++)
			assert_int_equal(leaves(&s, depth), known[i].leaves[depth - 1]);
	}
}

static void test_perft__divided_at_the_start(void **unused)
{
	static const struct {
		const char *move;
		uint64_t leaves;
	} known[] = { { "a2-a3", 4789 }, { "b2-b3", 7171 }, { "c2-c3", 9098 }, { "d2-d3", 11582 },
		      { "e2-e3", 6862 }, { "b1-a3", 6410 }, { "b1-c3", 8340 } };
	(void)unused;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct minichess s;
		minichess_start(&s, NULL);
		play(&s, known[i].move);
		assert_int_equal(leaves(&s, 4), known[i].leaves);
	}
}

/* ---- How games end ---- */

static void check_end(const char *position, const char *move, int white, int black)
{
	int32_t points[2] = { -1, -1 };
	struct minichess s = parsed(position);
	if (move) {
		assert_int_equal(minichess_result(&s, points), QV_GOING);
		play(&s, move);
	}
	assert_int_equal(minichess_result(&s, points), QV_ENDED);
	assert_int_equal(points[0], white);
	assert_int_equal(points[1], black);
	assert_int_equal(minichess_count(&s), 0);
}

static void test_end__king_taken_or_forty_moves_or_no_move(void **unused)
{
	(void)unused;
	check_end("7 W/k..../...../...../...../...../R...K", "a1-a6", 1, 0);
	check_end("40 W/k..../...../...../...../...../R...K", "a1-a6", 1, 0);
	check_end("40 B/kr.../...../...../...../...../....K", "b6-b1", 0, 0);
	check_end("40 B/k...r/...../...../...../...../....K", "e6-e1", 0, 1);
	check_end("39 B/k...r/...../...../...../...../....K", "e6-e1", 0, 1);
	check_end(NO_MOVE_LEFT, NULL, 0, 1);
	check_end("41 W/k..../...../...../...../...../....K", NULL, 0, 0);
	/* Black's fortieth move leaves White none: the count comes first. */
	check_end("41 W/KBk../PRP../.P.../...../...../.....", NULL, 0, 0);
	/* Black takes the last man who could move. */
	check_end("19 B/KBk../PRP.r/.P.../....P/...../.....", "e5-e3", 0, 1);
}

static void test_end__fortieth_move_of_white_is_not_the_last(void **unused)
{
	(void)unused;
	int32_t points[2];
	struct minichess s = parsed("40 W/k..../...../...../...../...../R...K");
	play(&s, "a1-b1");
	assert_int_equal(minichess_result(&s, points), QV_GOING);
	s = parsed("39 B/kr.../...../...../...../...../....K");
	play(&s, "b6-b1");
	assert_int_equal(s.number, 40);
	assert_int_equal(minichess_result(&s, points), QV_GOING);
}

/* ---- Men ---- */

static void test_moves__bishop_steps_but_does_not_take_so(void **unused)
{
	(void)unused;
	const struct minichess s = parsed("3 W/k..../...../.p.../pBp../.P.../....K");
	assert_true(move_of(&s, "b3-b4") == QV_NO_MOVE);
	assert_true(move_of(&s, "b3-c3") == QV_NO_MOVE);
	assert_true(move_of(&s, "b3-a4") != QV_NO_MOVE);
	assert_true(move_of(&s, "b2-a3") != QV_NO_MOVE);
	const struct minichess t = parsed("3 W/k..../...../...../.B.../...../....K");
	assert_true(move_of(&t, "b3-c3") != QV_NO_MOVE);
	assert_true(move_of(&t, "b3-b2") != QV_NO_MOVE);
	assert_true(move_of(&t, "b3-d3") == QV_NO_MOVE);
}

static void test_moves__a_pawn_that_arrives_is_a_queen(void **unused)
{
	(void)unused;
	struct minichess s = parsed("9 W/k...r/...P./...../...../.p.../....K");
	play(&s, "d5-e6");
	play(&s, "b2-b1");
	char text[64] = "";
	struct qv_text out = { text, sizeof text, 0 };
	minichess_position_text(&s, &out);
	assert_string_equal(text, "10 W/k...Q/...../...../...../...../.q..K");
}

/* The captures come first in the list, and minichess_captures lists just those. */
static void test_moves__captures_are_the_beginning_of_the_list(void **unused)
{
	(void)unused;
	struct qv_random random = { qv_random_key(7, 7), 0 };
	for (int game = 0; game < (int)scaled(300); game++) {
		struct minichess s;
		int32_t points[2];
		minichess_start(&s, NULL);
		while (minichess_result(&s, points) == QV_GOING) {
			qv_move all[MINICHESS_MAX_MOVES], taking[MINICHESS_MAX_MOVES];
			const int count = minichess_moves(&s, all),
				  takes = minichess_captures(&s, taking);
			assert_int_equal(count, minichess_count(&s));
			for (int i = 0; i < count; i++)
				assert_int_equal(minichess_quiet(&s, all[i]), i >= takes);
			assert_memory_equal(all, taking, (size_t)takes * sizeof *all);
			assert_int_equal(minichess_quiets(&s, taking), count - takes);
			assert_memory_equal(all + takes, taking,
					    (size_t)(count - takes) * sizeof *all);
			minichess_play(&s, all[qv_random_below(&random, (uint64_t)count)]);
		}
	}
}

/* Of all numbers of 16 bits just those listed are legal. */
static void test_moves__one_by_itself(void **unused)
{
	(void)unused;
	struct qv_random random = { qv_random_key(7, 8), 0 };
	static bool legal[1 << 16];
	for (int game = 0; game < (int)scaled(8); game++) {
		struct minichess s;
		int32_t points[2];
		minichess_start(&s, NULL);
		while (minichess_result(&s, points) == QV_GOING) {
			qv_move list[MINICHESS_MAX_MOVES];
			const int count = minichess_moves(&s, list);
			memset(legal, 0, sizeof legal);
			for (int i = 0; i < count; i++)
				legal[list[i]] = true;
			for (qv_move move = 0; move < 1 << 16; move++)
				assert_int_equal(minichess_is_legal(&s, move), legal[move]);
			assert_false(minichess_is_legal(&s, QV_NO_MOVE));
			minichess_play(&s, list[qv_random_below(&random, (uint64_t)count)]);
		}
	}
}

/* ---- Texts ---- */

static void test_text__the_servers_board_is_read(void **unused)
{
	(void)unused;
	struct minichess start;
	minichess_start(&start, NULL);
	const struct minichess lines = parsed("1 W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n");
	const struct minichess ends =
		parsed("1 W\r\nkqbnr\r\nppppp\r\n.....\r\n.....\r\nPPPPP\r\nRNBQK\r\n\r\n");
	assert_memory_equal(&lines, &start, sizeof start);
	assert_memory_equal(&ends, &start, sizeof start);
}

static void test_text__a_move_as_the_server_sends_it(void **unused)
{
	(void)unused;
	struct minichess s;
	qv_move move = QV_NO_MOVE;
	minichess_start(&s, NULL);
	assert_true(minichess_move_parse(&s, "! a2-a3", &move));
	assert_true(move == move_of(&s, "a2-a3"));
	static const char *const wrong[] = { "!",	"! ",	   "! a2",     "! a2-",
					     "! a2-a",	"! a2-a4", "! a2-a33", "a2-a3",
					     "! f2-f3", "! a7-a8", "! a2a3 " };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_false(minichess_move_parse(&s, wrong[i], &move));
}

static void check_refused(const char *text, const char *reason)
{
	struct minichess s;
	struct qv_error error = { "" };
	assert_int_not_equal(minichess_position_parse(&s, NULL, text, &error), QV_OK);
	if (!strstr(error.text, reason))
		fail_msg("%s: %s", text, error.text);
}

static void test_text__what_cannot_be_is_refused(void **unused)
{
	(void)unused;
	check_refused("", "at the start");
	check_refused("W/kqbnr/ppppp/...../...../PPPPP/RNBQK", "at the start");
	check_refused("01 W/kqbnr/ppppp/...../...../PPPPP/RNBQK", "at the start");
	check_refused("0 W/kqbnr/ppppp/...../...../PPPPP/RNBQK", "at the start");
	check_refused("100 W/kqbnr/ppppp/...../...../PPPPP/RNBQK", "at the start");
	check_refused("1 w/kqbnr/ppppp/...../...../PPPPP/RNBQK", "at the start");
	check_refused("1 W kqbnr/ppppp/...../...../PPPPP/RNBQK", "before rank 6");
	check_refused("1 W/kqbnr/ppppp/...../...../PPPPP", "before rank 1");
	check_refused("1 W/kqbnr/ppppp/...../...../PPPPP/RNBQ", "rank 1: expected five");
	check_refused("1 W/kqbnr/ppppp/...../...../PPPPP/RNBQX", "rank 1: expected five");
	check_refused("1 W/kqbnr/ppppp/...../...../PPPPP/RNBQKK", "unexpected text");
	check_refused("1 W/kqbnr/ppppp/...../...../PPPPP/RNBQK ", "unexpected text");
	check_refused("42 W/k..../...../...../...../...../....K", "last move is 40");
	check_refused("41 B/k..../...../...../...../...../....K", "over after Black's move 40");
	check_refused("2 W/k..../...../...../...../...../K...K", "White has more than one king");
	check_refused("2 W/...../...../...../...../...../K....", "Black has just moved");
	check_refused("1 W/k..../...../...../...../...../.....", "nobody has moved");
	check_refused("2 W/k..P./...../...../...../...../K....", "White has a pawn on rank 1 or 6");
	check_refused("2 W/k..../...../...../...../...../K.p..", "Black has a pawn on rank 1 or 6");
	check_refused("2 W/k..../...../P..../.PPP./PP.../K....", "more than five pawns");
	check_refused("2 W/k..../...../...../...../.NN../K....", "more than one knight");
	check_refused("2 W/k..../...../...../...../PPPPP/KQQ..", "2 queens");
	check_refused("2 W/k..../...../..QQQ/QQQQ./...../K....", "7 queens");
}

/* Six queens and the rest, on squares where they reach far. */
static void test_text__the_most_men_have_room(void **unused)
{
	(void)unused;
	const struct minichess s = parsed("2 W/Q...Q/...../QR.BQ/...../NQ.QK/k....");
	qv_move list[MINICHESS_MAX_MOVES];
	assert_in_range(minichess_moves(&s, list), 40, MINICHESS_MAX_MOVES);
}

/* ---- The document's player ---- */

static struct qv_answer ask(const char *position, const char *spec, const struct qv_limits *limits)
{
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "minichess", position);
	const struct qv_answer answer = desk_ask(&d, spec, 1, limits);
	desk_close(&d);
	qv_context_free(context);
	return answer;
}

/* Two plies after the move, or more: the value that a full search of all of them has. */
static void test_seed__values_are_those_of_minimax(void **unused)
{
	static const char *const quiet[] = { "start", "2 W/kqbnr/ppp.p/...p./..N../PPPPP/R.BQK",
					     "5 B/kqb.r/p.p.p/.p.p./P.N.n/.PPPP/R.BQK",
					     "9 W/k.b.r/p...p/.p.p./P.N../.P.PP/R...K" };
	(void)unused;
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
		for (int depth = 2; depth <= 3; depth++) {
			char spec[64], full[64];
			snprintf(spec, sizeof spec, "seed:depth=%d", depth);
			snprintf(full, sizeof full, "minimax:depth=%d,eval=seed", depth + 1);
			const struct qv_answer ours = ask(quiet[i], spec, NULL);
			const struct qv_answer oracle = ask(quiet[i], full, NULL);
			assert_int_equal(ours.depth, depth + 1);
			if (oracle.proven)
				continue; /* a king was taken on the way: below */
			assert_int_equal(ours.score, oracle.score);
		}
}

/* A king is a man of 1000 points, and what follows his end is not looked at. */
static void test_seed__a_king_is_worth_a_thousand(void **unused)
{
	(void)unused;
	const struct qv_answer b =
		ask("7 W/k..../...../...../...../...../R...K", "seed:depth=2", NULL);
	assert_int_equal(b.score, 1500);
	assert_false(b.proven);
	/* Which of two ways comes first on the board decides: the rook's, from the higher rank. */
	const struct minichess s = parsed("7 W/k..../...../..B../R..../...../....K");
	const struct qv_answer c =
		ask("7 W/k..../...../..B../R..../...../....K", "seed:depth=2", NULL);
	assert_true(c.move == move_of(&s, "c4-a6"));
}

static void test_seed__shares_of_nodes(void **unused)
{
	(void)unused;
	const struct qv_answer a = ask("start", "seed:nodes=30000", NULL),
			       b = ask("start", "seed:nodes=30000", NULL),
			       small = ask("start", "seed:nodes=1", NULL);
	assert_true(same_answer(&a, &b));
	assert_in_range(a.nodes, 20000, 30000);
	assert_int_equal(small.depth, 3); /* two plies after each are always done */
	const struct qv_limits limits = { .size = sizeof limits, .nodes = 30000, .depth = 3 };
	const struct qv_answer bound = ask("start", "seed:nodes=1000000", &limits);
	assert_int_equal(bound.depth, 4);
	assert_true(bound.nodes <= 30000);
}

static void test_seed__stopped_before_it_begins_it_still_answers(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	struct qv_flag stop = { 1 };
	const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	struct qv_answer answer = { .size = sizeof answer };
	desk_open(&d, context, "minichess", "start");
	struct qv_player *player = desk_player(&d, "seed", 1);
	assert_int_equal(qv_player_think(player, d.state, &limits, NULL, &answer, NULL),
			 QV_STOPPED);
	assert_true(qv_move_legal(d.rules.game, d.state, answer.move));
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

static void test_seed__only_the_moves_allowed(void **unused)
{
	(void)unused;
	struct minichess s;
	minichess_start(&s, NULL);
	const qv_move only[] = { move_of(&s, "e2-e3") };
	const struct qv_limits limits = { .size = sizeof limits, .only = only, .only_count = 1 };
	assert_true(ask("start", "seed:depth=2,random=1", &limits).move == only[0]);
}

/* ---- The evaluation ---- */

/* Turned by half and with the colours exchanged, a position is worth the same to who moves. */
static void turn_round(const struct minichess *s, struct minichess *out)
{
	*out = (struct minichess){ .turn = s->turn ^ 1, .number = s->number };
	for (int square = 0; square < MINICHESS_SQUARES; square++) {
		const uint32_t bit = UINT32_C(1) << (MINICHESS_SQUARES - 1 - square);
		for (int kind = 0; kind < MINICHESS_KINDS; kind++)
			out->kind[kind] |= s->kind[kind] >> square & 1 ? bit : 0;
		for (int seat = 0; seat < 2; seat++)
			out->side[1 - seat] |= s->side[seat] >> square & 1 ? bit : 0;
	}
}

static void test_evaluate__the_same_for_both_colours(void **unused)
{
	(void)unused;
	struct qv_random random = { qv_random_key(8, 8), 0 };
	for (int game = 0; game < (int)scaled(300); game++) {
		struct minichess s, turned;
		int32_t points[2];
		minichess_start(&s, NULL);
		while (minichess_result(&s, points) == QV_GOING) {
			qv_move list[MINICHESS_MAX_MOVES];
			turn_round(&s, &turned);
			assert_int_equal(minichess_evaluate(&s, minichess_weights),
					 minichess_evaluate(&turned, minichess_weights));
			const int count = minichess_moves(&s, list);
			minichess_play(&s, list[qv_random_below(&random, (uint64_t)count)]);
		}
	}
}

static void test_evaluate__passed_pawns(void **unused)
{
	(void)unused;
	const uint32_t black =
		parsed("2 W/k..../...p./...../...../...../K....").kind[MINICHESS_PAWN];
	const uint32_t open = minichess_free_way(black, MINICHESS_WHITE);
	/* Beside it and on the files far from it: free. Below it and its neighbours: not. */
	assert_true(open & UINT32_C(1) << 21);
	assert_true(open & UINT32_C(1) << 22);
	assert_false(open & UINT32_C(1) << 17);
	assert_false(open & UINT32_C(1) << 18);
	assert_false(open & UINT32_C(1) << 4);
	assert_true(open & UINT32_C(1) << 16);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perft__positions_of_the_specification),
		cmocka_unit_test(test_perft__divided_at_the_start),
		cmocka_unit_test(test_end__king_taken_or_forty_moves_or_no_move),
		cmocka_unit_test(test_end__fortieth_move_of_white_is_not_the_last),
		cmocka_unit_test(test_moves__bishop_steps_but_does_not_take_so),
		cmocka_unit_test(test_moves__a_pawn_that_arrives_is_a_queen),
		cmocka_unit_test(test_moves__captures_are_the_beginning_of_the_list),
		cmocka_unit_test(test_moves__one_by_itself),
		cmocka_unit_test(test_text__the_servers_board_is_read),
		cmocka_unit_test(test_text__a_move_as_the_server_sends_it),
		cmocka_unit_test(test_text__what_cannot_be_is_refused),
		cmocka_unit_test(test_text__the_most_men_have_room),
		cmocka_unit_test(test_seed__values_are_those_of_minimax),
		cmocka_unit_test(test_seed__a_king_is_worth_a_thousand),
		cmocka_unit_test(test_seed__shares_of_nodes),
		cmocka_unit_test(test_seed__stopped_before_it_begins_it_still_answers),
		cmocka_unit_test(test_seed__only_the_moves_allowed),
		cmocka_unit_test(test_evaluate__the_same_for_both_colours),
		cmocka_unit_test(test_evaluate__passed_pawns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
