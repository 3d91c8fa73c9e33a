/*
 * warptrog.c - Warp Trog against its rules: each one shown, the counts of the specification, and
 * what its texts refuse.
 * SPDX-License-Identifier: MIT
 */
#include "games/registry.h"
#include "games/warptrog/book_score.h"
#include "games/warptrog/evaluate.h"
#include "games/warptrog/net.h"

#include "support/check.h"
#include "support/scale.h"

enum { TEXT = 256, WALKS = 200, WALK_PLIES = 200 };

#define START "......VVT.VV............vv.tvv...... 1 5 5"

static const int64_t by_text[] = { 5, WARPTROG_TEXT }, by_listing[] = { 5, WARPTROG_1983 },
		     without_warps[] = { 0, WARPTROG_TEXT };

static struct warptrog parsed(const int64_t *options, const char *text)
{
	struct warptrog s;
	struct qv_error error = { "" };
	if (warptrog_position_parse(&s, options, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* The moves' texts with blanks between them. */
static void must_list(const char *position, const char *moves)
{
	qv_move list[WARPTROG_MAX_MOVES];
	char buffer[TEXT] = "";
	struct qv_text out = { buffer, TEXT, 0 };
	const struct warptrog s = parsed(by_text, position);
	const int n = warptrog_has_ended(&s) ? 0 : warptrog_moves(&s, list);
	for (int i = 0; i < n; i++) {
		qv_put(&out, i ? " " : "");
		warptrog_move_text(&s, list[i], &out);
	}
	assert_string_equal(buffer, moves);
}

static void play_text(struct warptrog *s, const char *move)
{
	qv_move list[WARPTROG_MAX_MOVES];
	for (int i = warptrog_moves(s, list); i > 0; i--) {
		char text[TEXT] = "";
		struct qv_text out = { text, TEXT, 0 };
		warptrog_move_text(s, list[i - 1], &out);
		if (strcmp(text, move) == 0) {
			warptrog_play(s, list[i - 1]);
			return;
		}
	}
	fail_msg("%s is no move", move);
}

/* Playing the moves, which are separated by commas, leads there. */
static void must_lead(const int64_t *options, const char *position, const char *moves,
		      const char *after)
{
	struct warptrog s = parsed(options, position);
	char reached[TEXT] = "";
	struct qv_text out = { reached, TEXT, 0 };
	while (*moves) {
		char move[16] = "";
		const size_t length = strcspn(moves, ",");
		assert_true(length < sizeof move);
		memcpy(move, moves, length);
		play_text(&s, move);
		moves += length + (moves[length] == ',');
	}
	warptrog_position_text(&s, &out);
	assert_string_equal(reached, after);
}

/* ---- rules ---- */

static uint64_t count_lines(const struct warptrog *s, int depth)
{
	qv_move list[WARPTROG_MAX_MOVES];
	uint64_t sum = 0;
	const int n = warptrog_has_ended(s) ? 0 : warptrog_moves(s, list);
	for (int i = 0; depth && i < n; i++) {
		struct warptrog next = *s;
		warptrog_play(&next, list[i]);
		sum += count_lines(&next, depth - 1);
	}
	return depth ? sum : 1;
}

static void test_rules__lines_without_warps_are_counted(void **unused)
{
	static const uint64_t counts[] = { 1, 7, 49, 357, 2587, 18552, 131759 };
	(void)unused;
	struct warptrog s;
	warptrog_start(&s, without_warps);
	for (int depth = 0; depth <= 6; depth++)
		assert_int_equal(count_lines(&s, depth), counts[depth]);
}

static void test_rules__each_side_starts_with_seven_moves_and_a_warp(void **unused)
{
	(void)unused;
	must_list(START, "a2a3 b2b3 c2c1 c2d2 c2c3 e2e3 f2f3 warp");
	must_list("......VVT.VV............vv.tvv...... 2 5 5",
		  "a5a4 b5b4 d5d4 d5c5 d5d6 e5e4 f5f4 warp");
	must_list("......VVT.VV............vv.tvv...... 1 0 5",
		  "a2a3 b2b3 c2c1 c2d2 c2c3 e2e3 f2f3");
}

static void test_rules__valgs_step_straight_and_are_promoted(void **unused)
{
	(void)unused;
	must_lead(by_text, "........................V.........v. 1 0 0", "a5a6",
		  "..............................T...v. 2 0 0");
	must_lead(by_text, ".T......v........................... 2 0 0", "c2c1",
		  ".Tt................................. 1 0 0");
	/* A Valg captures straight ahead, and not aside. */
	must_list("............V.....vv................ 1 0 0", "");
	must_list("............V.....v.v............... 1 0 0", "a3a4");
	must_list("............V......v................ 1 0 0", "a3a4");
}

static void test_rules__support_is_sideways_and_stops_valgs_only(void **unused)
{
	(void)unused;
	must_list("............V.....vt................ 1 0 0", "");
	must_list("............T.....vt................ 1 0 0", "a3a2 a3b3 a3a4");
	must_list("............V.....v.....v........... 1 0 0", "a3a4");
	/* The edge of the board is no neighbour: f3 and a4 are not side by side. */
	must_list("...........V.....vv................. 1 0 0", "f2f3");
}

static void test_rules__a_warp_goes_from_f6_to_a1(void **unused)
{
	(void)unused;
	const struct warptrog s = parsed(by_text, "T....T.................T...........t 1 2 0");
	struct warptrog next = s;
	warptrog_play(&next, WARPTROG_WARP);
	assert_int_equal(warptrog_seat(&next), QV_CHANCE);
	for (qv_move square = 0; square < WARPTROG_SQUARES; square++)
		assert_int_equal(warptrog_weight(&next, square), 1);
	/* The Trog on f4 is first. On e6 it warps again, after that of f1. */
	must_lead(by_text, "T....T.................T...........t 1 2 0", "warp,land e6",
		  "T....T............................Tt 1 1 0 warp f1");
	must_lead(by_text, "T....T.................T...........t 1 2 0",
		  "warp,land e6,land a1,land f5",
		  "T....T.......................T.....t 1 1 0 warp a1");
	must_lead(by_text, "T....T.................T...........t 1 2 0",
		  "warp,land e6,land a1,land f5,land b3",
		  ".....T.......T...............T.....t 2 1 0");
	/* To the right and up: it is done. An enemy is removed, supported or not. */
	must_lead(by_text, "..T...............................tt 1 1 0", "warp,land f6",
		  "..................................tT 2 0 0");
	/* On an own man, or on its own square, it stays. */
	must_lead(by_text, "V.T................................t 1 1 0", "warp,land a1",
		  "V.T................................t 2 0 0");
	must_lead(by_text, "V.T................................t 1 1 0", "warp,land c1",
		  "V.T................................t 2 0 0");
	/* Without Trogs a warp passes. */
	must_lead(by_text, "V..................................t 1 1 0", "warp",
		  "V..................................t 2 0 0");
}

static void must_end(const char *position, int winner)
{
	int32_t points[2] = { -1, -1 };
	const struct warptrog s = parsed(by_text, position);
	assert_int_equal(warptrog_result(&s, points), QV_ENDED);
	assert_int_equal(points[winner], 1);
	assert_int_equal(points[1 - winner], 0);
	assert_int_equal(warptrog_seat(&s), 1 - winner);
}

static void test_rules__without_a_move_you_lose_whatever_warps_are_left(void **unused)
{
	(void)unused;
	must_end("......V.....vt...................... 1 5 5", 1);
	must_end("T................................... 2 0 5", 0);
	/* A warp that removes the last enemy is completed first. */
	must_lead(by_text, "t..................................T 1 1 0", "warp,land a1",
		  "T................................... 1 0 0 warp a1");
	must_lead(by_text, "t..................................T 1 1 0", "warp,land a1,land c3",
		  "..............T..................... 2 0 0");
}

static void test_rules__the_listing_has_six_warps_and_line_1020(void **unused)
{
	(void)unused;
	struct warptrog s;
	warptrog_start(&s, by_listing);
	assert_int_equal(s.warps[0], 6);
	assert_int_equal(s.warps[1], 6);
	must_lead(by_listing, "T............t..V................... 1 0 0", "e3e4",
		  "T............t........V............. 2 0 0 last e4");
	must_lead(by_listing, "T............t....V................. 2 0 0 last a4", "b3a3",
		  "T...........t....................... 1 0 0 last a4");
	must_lead(by_listing, "T............t....V................. 2 0 0", "b3a3",
		  "T...........t.....V................. 1 0 0");
	must_lead(by_listing, "T.....t...........V................. 2 0 0 last a4", "a2a3",
		  "T...........t.....V................. 1 0 0 last a4");
	must_lead(by_listing, "T...........t....................... 1 0 0 last a4", "a1b1",
		  ".T..........t....................... 2 0 0");
}

/* ---- texts ---- */

static void test_text__what_is_refused(void **unused)
{
	static const struct {
		const char *text;
		enum qv_status status;
	} cases[] = {
		{ "", QV_BAD_INPUT },
		{ "......VVT.VV", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv.....x 1 5 5", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv......", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 3 5 5", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 6 5", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 05 5", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 ", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 warp", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 warp g1", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 warp c2x", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 last c4", QV_BAD_INPUT },
		{ "......VVT.VV............vv.tvv...... 1 5 5 warp d5", QV_ILLEGAL },
		{ "......VVT.VV............vv.tvv...... 1 5 5 warp a2", QV_ILLEGAL },
		{ "......VVTVVV............vv.tvv...... 1 5 5", QV_ILLEGAL },
		{ "......VVT.VV............vvvtvv...... 1 5 5", QV_ILLEGAL },
		{ "......VVT.V.............vv.tvv.....V 1 5 5", QV_ILLEGAL },
		{ "v.....VVT.VV............v..tvv...... 1 5 5", QV_ILLEGAL },
		{ "......VVT.VV........................ 1 5 5", QV_ILLEGAL },
		{ ".................................... 1 5 5", QV_ILLEGAL },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qv_error error = { "" };
		struct warptrog s, before;
		memset(&s, 0x5a, sizeof s);
		before = s;
		if (warptrog_position_parse(&s, by_text, cases[i].text, &error) != cases[i].status)
			fail_msg("'%s' is not refused as it should be", cases[i].text);
		assert_int_equal(strncmp(error.text, "position: ", 10), 0);
		assert_memory_equal(&s, &before, sizeof s);
	}
	/* rules=1983 reads the square, but only on rank 4. */
	struct warptrog s;
	assert_int_equal(warptrog_position_parse(&s, by_listing, START " last c3", NULL),
			 QV_BAD_INPUT);
	assert_int_equal(warptrog_position_parse(&s, by_listing, START " last c4", NULL), QV_OK);
	assert_int_equal(warptrog_position_parse(&s, without_warps, START, NULL), QV_BAD_INPUT);
}

static void test_text__drawing_fits_40_columns(void **unused)
{
	(void)unused;
	const struct warptrog s =
		parsed(by_text, "......VVT.VV............vv.tvv...... 1 4 5 warp c2");
	char drawing[512];
	struct qv_text out = { drawing, sizeof drawing, 0 };
	warptrog_draw(&s, false, &out);
	assert_string_equal(drawing, "6  .  .  .  .  .  .\n"
				     "5  v  v  .  t  v  v\n"
				     "4  .  .  .  .  .  .\n"
				     "3  .  .  .  .  .  .\n"
				     "2  V  V  T  .  V  V\n"
				     "1  .  .  .  .  .  .\n"
				     "   a  b  c  d  e  f\n"
				     "Red:  v Valgs 4, t Trogs 1, warps 5\n"
				     "Blue: V Valgs 4, T Trogs 1, warps 4\n"
				     "warping: c2\n");
	out = (struct qv_text){ drawing, sizeof drawing, 0 };
	warptrog_draw(&s, true, &out);
	assert_non_null(strstr(drawing, "5  ▽  ▽  ·  ◇  ▽  ▽\n"));
	assert_non_null(strstr(drawing, "Blue: ▲ Valgs 4, ◆ Trogs 1, warps 4\n"));
}

/* What is said about a landing, and why a move is refused. */
static void test_text__landings_and_refusals_are_explained(void **unused)
{
	(void)unused;
	static const struct {
		const char *position, *move, *text;
	} landings[] = {
		{ "......VVT.VV............vv.tvv...... 1 4 5 warp c2", "e4",
		  "The Trog on c2 lands on e4." },
		{ "......VVT.VV............vv.tvv...... 1 4 5 warp c2", "d5",
		  "The Trog on c2 lands on d5 and captures a Trog." },
		{ "......VVT.VV............vv.tvv...... 1 4 5 warp c2", "land a5",
		  "The Trog on c2 lands on a5 and captures a Valg." },
		{ "......VVT.VV............vv.tvv...... 1 4 5 warp c2", "a2",
		  "The Trog on c2 stays: its own man is on a2." },
		{ "......VVT.VV............vv.tvv...... 1 4 5 warp c2", "c2",
		  "The Trog on c2 stays." },
	};
	for (size_t i = 0; i < sizeof landings / sizeof *landings; i++) {
		const struct warptrog s = parsed(by_text, landings[i].position);
		char text[100] = "";
		qv_move move;
		assert_int_equal(
			qv_move_parse(warptrog_engine.game, &s, landings[i].move, &move, NULL),
			QV_OK);
		warptrog_chance_text(&s, move, &(struct qv_text){ text, sizeof text, 0 });
		assert_string_equal(text, landings[i].text);
	}
	static const struct {
		const char *position, *move, *why;
	} refused[] = {
		{ "......VVT.VV............vv.tvv...... 1 0 5", "warp",
		  "move 'warp': no warps left" },
		{ "......VVT.VV............vv.tvv...... 1 0 5", "W", "move 'W': no warps left" },
		{ "T.................V.....vv.t........ 1 5 5", "a4a5",
		  "move 'a4a5': that man is supported, so a Valg cannot capture it" },
		{ "T.................V.....vv.t........ 1 5 5", "a4a6",
		  "move 'a4a6': not a legal move here" },
		{ "T.................V.....vv.t........ 1 5 5", "a4",
		  "move 'a4': not a legal move here" },
	};
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
		const struct warptrog s = parsed(by_text, refused[i].position);
		struct qv_error error = { "" };
		qv_move move;
		assert_int_equal(
			qv_move_parse(warptrog_engine.game, &s, refused[i].move, &move, &error),
			QV_ILLEGAL);
		assert_string_equal(error.text, refused[i].why);
	}
}

/* ---- evaluation ---- */

/* The position turned by half, with the sides exchanged. */
static struct warptrog other_way_round(const struct warptrog *s)
{
	struct warptrog o = *s;
	o.men[0] = o.men[1] = o.trogs = 0;
	for (int square = 0; square < WARPTROG_SQUARES; square++) {
		const uint64_t there = UINT64_C(1) << (WARPTROG_SQUARES - 1 - square);
		for (int seat = 0; seat < 2; seat++)
			o.men[1 - seat] |= s->men[seat] >> square & 1 ? there : 0;
		o.trogs |= s->trogs >> square & 1 ? there : 0;
	}
	o.turn = (uint8_t)(1 - s->turn);
	o.warps[0] = s->warps[1];
	o.warps[1] = s->warps[0];
	if (s->warping != WARPTROG_NONE)
		o.warping = (uint8_t)(WARPTROG_SQUARES - 1 - s->warping);
	return o;
}

/* Sides are alike except for the order of a warp, and nothing comes near what a win is worth. */
static void test_evaluation__sides_are_alike(void **unused)
{
	struct qv_random random = { 33, 0 };
	int32_t weights[WARPTROG_WEIGHTS];
	(void)unused;
	memcpy(weights, warptrog_weights, sizeof weights);
	weights[WARPTROG_W_EARLY] = 0;
	for (int64_t walk = scaled(WALKS); walk > 0; walk--) {
		struct warptrog s;
		warptrog_start(&s, by_text);
		for (int ply = 0; ply < WALK_PLIES && !warptrog_has_ended(&s); ply++) {
			qv_move list[WARPTROG_MAX_MOVES];
			const struct warptrog turned = other_way_round(&s);
			const int32_t value = warptrog_evaluate(&s, weights);
			assert_int_equal(warptrog_evaluate(&turned, weights), value);
			const int32_t full = warptrog_evaluate(&s, warptrog_weights);
			assert_true(full < WARPTROG_WIN && full > -WARPTROG_WIN);
			const int n = warptrog_moves(&s, list);
			warptrog_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
}

/* The net stays below a win, knows a decisive advantage, and values warps and a weaker opponent. */
static void test_evaluation__the_net_has_its_bounds(void **unused)
{
	struct qv_random random = { 34, 0 };
	int64_t sum[WARPTROG_ROLES] = { 0 };
	(void)unused;
	for (int64_t walk = scaled(WALKS); walk > 0; walk--) {
		struct warptrog s;
		warptrog_start(&s, by_text);
		for (int ply = 0; ply < WALK_PLIES && !warptrog_has_ended(&s); ply++) {
			qv_move list[WARPTROG_MAX_MOVES];
			for (int weaker = 0; weaker < 3; weaker++) {
				struct warptrog marked = s;
				marked.weaker = (uint8_t)weaker;
				const int32_t value =
					warptrog_net_evaluate(&marked, &warptrog_net_file.net);
				assert_in_range(value + WARPTROG_NET_VALUE, 0,
						2 * WARPTROG_NET_VALUE);
				sum[weaker] += s.turn ? -value : value;
			}
			const int n = warptrog_moves(&s, list);
			warptrog_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
	assert_true(sum[2] > sum[1]); /* the value for the first side: the second one is weaker */
	const struct warptrog ahead = parsed(by_text, "TT....VV........................v... 1 5 0");
	assert_true(warptrog_net_evaluate(&ahead, &warptrog_net_file.net) > WARPTROG_NET_VALUE / 2);
}

/* ---- the 1983 program ---- */

static qv_move move_between(const char *text)
{
	return (qv_move)(text[0] - 'a' + WARPTROG_SIZE * (text[1] - '1')) |
	       (qv_move)(text[2] - 'a' + WARPTROG_SIZE * (text[3] - '1')) << WARPTROG_TO;
}

static int32_t score_at(const struct warptrog *s, qv_move move)
{
	struct book_board b;
	book_board_fill(&b, s);
	return book_score(&b, book_move_of(move));
}

/* The specification's scores of the first moves, in ten-thousandths. */
static void test_book__scores_of_the_first_moves(void **unused)
{
	static const struct {
		const char *move;
		int32_t score;
	} cases[] = {
		{ "a5a4", 0 },	 { "b5b4", 0 },	   { "e5e4", 0 },    { "f5f4", 0 },
		{ "d5d4", 800 }, { "d5d6", 444 },  { "d5c5", 1800 }, { "c2d2", 1600 },
		{ "c2c3", 600 }, { "c2c1", -156 }, { "a2a3", 0 },    { "b2b3", 0 },
		{ "e2e3", 0 },	 { "f2f3", 0 },
	};
	(void)unused;
	const struct warptrog s = parsed(by_text, START);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(score_at(&s, move_between(cases[i].move)), cases[i].score);
}

/* The specification's values of two plies: the score minus that of the best reply. */
static void test_book__values_of_two_plies(void **unused)
{
	static const struct {
		const char *move;
		int32_t value;
	} cases[] = {
		{ "d5c5", -1050 }, { "d5d6", -1156 }, { "a5a4", -1600 }, { "e5e4", -1600 },
		{ "f5f4", -1600 }, { "b5b4", -2600 }, { "d5d4", -3800 },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct warptrog s =
			parsed(without_warps, "......VVT.VV............vv.tvv...... 2 0 0");
		qv_move list[WARPTROG_MAX_MOVES];
		int32_t best = INT32_MIN;
		const int32_t mine = score_at(&s, move_between(cases[i].move));
		warptrog_play(&s, move_between(cases[i].move));
		for (int n = warptrog_moves(&s, list); n > 0; n--) {
			const int32_t score = score_at(&s, list[n - 1]);
			best = score > best ? score : best;
		}
		assert_int_equal(mine - best, cases[i].value);
	}
}

static struct qv_answer answer_of(const char *game, const char *spec, const char *position)
{
	_Alignas(8) unsigned char state[64];
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	const struct qv_limits limits = { .size = sizeof limits };
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, game, &rules, &error), QV_OK);
	assert_int_equal(qv_position_parse(&rules, position, state, &error), QV_OK);
	if (qv_player_new(context, &rules, spec, NULL, &player, &error) != QV_OK)
		fail_msg("%s: %s", spec, error.text);
	assert_int_equal(qv_player_think(player, state, &limits, NULL, &answer, &error), QV_OK);
	qv_player_free(player);
	qv_context_free(context);
	return answer;
}

static void must_play(const char *spec, const char *position, const char *move)
{
	const struct qv_answer answer = answer_of("warptrog", spec, position);
	assert_int_equal(answer.move, strcmp(move, "warp") ? move_between(move) : WARPTROG_WARP);
}

static void test_book__openings_and_the_decision_to_warp(void **unused)
{
	(void)unused;
	must_play("book", START, "c2c3"); /* d5-d4, turned by half */
	/* After a first move by the other side, the replies to it; as printed, always d5-d4. */
	must_play("book", "......V.T.VV.V..........vv.tvv...... 2 5 5", "a5a4");
	must_play("book:literal=1", "......V.T.VV.V..........vv.tvv...... 2 5 5", "d5d4");
	must_play("book", "......VVT.V......V......vv.tvv...... 2 5 5", "a5a4");
	/* Line 930: all moves lose the Trog, so it warps if it can. */
	must_play("book:random=0", ".......................T.........T.t 2 0 1", "warp");
	must_play("book:random=0", ".......................T.........T.t 2 0 0", "f6f5");
	/* A move that leaves no reply is played at once. */
	must_play("book:random=0", "......V.....v...t................... 2 5 5", "a3a2");
}

/* Deleting lines 740 and 640 changes the work, but neither the move nor its value. */
static void test_book__sorting_and_pruning_only_save_work(void **unused)
{
	struct qv_random random = { 34, 0 };
	uint64_t whole = 0, pruned = 0, all = 0;
	(void)unused;
	for (int64_t walk = scaled(20); walk > 0; walk--) {
		struct warptrog s;
		warptrog_start(&s, without_warps);
		for (int ply = 0; ply < 12 && !warptrog_has_ended(&s); ply++) {
			char text[TEXT] = "";
			struct qv_text out = { text, TEXT, 0 };
			qv_move list[WARPTROG_MAX_MOVES];
			const int n = warptrog_moves(&s, list);
			warptrog_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
			warptrog_position_text(&s, &out);
			if (ply < 4 || warptrog_has_ended(&s))
				continue;
			const char *game = "warptrog:warps=0";
			const struct qv_answer a = answer_of(game, "book:random=0", text),
					       b = answer_of(game, "book:random=0,sort=0", text),
					       c = answer_of(game, "book:random=0,sort=0,prune=0",
							     text);
			assert_int_equal(a.score, b.score);
			assert_int_equal(b.score, c.score);
			assert_true(b.move == c.move);
			whole += a.nodes;
			pruned += b.nodes;
			all += c.nodes;
		}
	}
	assert_true(whole < pruned && pruned < all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules__lines_without_warps_are_counted),
		cmocka_unit_test(test_rules__each_side_starts_with_seven_moves_and_a_warp),
		cmocka_unit_test(test_rules__valgs_step_straight_and_are_promoted),
		cmocka_unit_test(test_rules__support_is_sideways_and_stops_valgs_only),
		cmocka_unit_test(test_rules__a_warp_goes_from_f6_to_a1),
		cmocka_unit_test(test_rules__without_a_move_you_lose_whatever_warps_are_left),
		cmocka_unit_test(test_rules__the_listing_has_six_warps_and_line_1020),
		cmocka_unit_test(test_text__what_is_refused),
		cmocka_unit_test(test_text__drawing_fits_40_columns),
		cmocka_unit_test(test_text__landings_and_refusals_are_explained),
		cmocka_unit_test(test_evaluation__sides_are_alike),
		cmocka_unit_test(test_evaluation__the_net_has_its_bounds),
		cmocka_unit_test(test_book__scores_of_the_first_moves),
		cmocka_unit_test(test_book__values_of_two_plies),
		cmocka_unit_test(test_book__openings_and_the_decision_to_warp),
		cmocka_unit_test(test_book__sorting_and_pruning_only_save_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
