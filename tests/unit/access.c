/*
 * access.c - the functions by which a program uses games without struct qv_game, structs of other
 * sizes, flags, the number parser, margins of points and names of seats.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>

#include "formats/board_json.h"
#include "support/desk.h"
#include "toys/toys.h"

/* ---- A game in which the margin counts: take the left or the right coin of a row ---- */

enum { COINS = 9 };

struct coins {
	uint8_t left, right, turn;
	uint8_t won[2];
};

static const uint8_t coin_values[COINS] = { 3, 9, 1, 7, 2, 8, 4, 6, 5 };

static void coins_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct coins *)state = (struct coins){ .right = COINS };
}

static int coins_seat(const void *state)
{
	return ((const struct coins *)state)->turn;
}

static int coins_moves(const void *state, qv_move *list)
{
	const struct coins *s = state;
	for (int i = 0; i < 2 && s->left < s->right; i++)
		list[i] = (qv_move)i;
	return s->left == s->right ? 0 : s->left + 1 == s->right ? 1 : 2;
}

/* Whoever takes an even coin moves again. */
static void coins_play(void *state, qv_move move)
{
	struct coins *s = state;
	const uint8_t coin = move ? coin_values[--s->right] : coin_values[s->left++];
	s->won[s->turn] = (uint8_t)(s->won[s->turn] + coin);
	s->turn ^= coin % 2;
}

static enum qv_outcome coins_result(const void *state, int32_t *points)
{
	const struct coins *s = state;
	points[0] = s->won[0];
	points[1] = s->won[1];
	return s->left == s->right ? QV_ENDED : QV_GOING;
}

static uint64_t coins_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct coins));
}

static void coins_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put(out, move ? "right" : "left");
}

static void coins_position_text(const void *state, struct qv_text *out)
{
	const uint8_t *bytes = state;
	for (size_t i = 0; i < sizeof(struct coins); i++) {
		qv_put(out, i ? " " : "");
		qv_put_int(out, bytes[i]);
	}
}

static enum qv_status coins_parse(const int64_t *options, const char *text, void *state,
				  struct qv_error *error)
{
	(void)options;
	uint8_t bytes[sizeof(struct coins)];
	for (size_t i = 0; i < sizeof bytes; i++) {
		int64_t value;
		if ((i && !qv_read_char(&text, ' ')) || !qv_read_number(&text, 45, &value))
			return qv_fail(error, QV_BAD_INPUT, "position: five numbers are expected");
		bytes[i] = (uint8_t)value;
	}
	if (*text || bytes[0] > bytes[1] || bytes[1] > COINS || bytes[2] > 1)
		return qv_fail(error, QV_BAD_INPUT, "position: five numbers are expected");
	memcpy(state, bytes, sizeof bytes);
	return QV_OK;
}

static const char *const coin_seats[] = { "South", "North" };

static const struct qv_game coins = {
	QV_HEAD(qv_game), .name = "coins", .title = "Coins", .seats = 2,
	.state_size = sizeof(struct coins), .max_moves = 2, .max_plies = COINS, .stakes = 45,
	.win = 450, .start = coins_start, .seat = coins_seat, .moves = coins_moves,
	.play = coins_play, .result = coins_result, .hash = coins_hash,
	.move_text = coins_move_text, .position_text = coins_position_text,
	.position_parse = coins_parse, .seat_names = coin_seats,
};

/* The margin of seat 0 with best play, by trying everything. */
static int32_t best_margin(struct coins s)
{
	if (s.left == s.right)
		return s.won[0] - s.won[1];
	int32_t best = s.turn ? INT32_MAX : INT32_MIN;
	for (qv_move move = 0; move < 2; move++) {
		struct coins next = s;
		coins_play(&next, move);
		const int32_t value = best_margin(next);
		best = s.turn ? (value < best ? value : best) : (value > best ? value : best);
	}
	return best;
}

/* Plays random moves until so many coins are left. */
static struct coins random_coins(struct qv_random *random, int left)
{
	struct coins s;
	coins_start(NULL, &s);
	while (s.right - s.left > left)
		coins_play(&s, qv_random_below(random, 2));
	return s;
}

static void test_margin__solver_and_perfect_find_it(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_rules rules = { .game = &coins };
	struct qv_error error = { "" };
	struct qv_random random = { .key = 5 };
	struct qv_solver *solver;
	struct qv_player *perfect;
	if (qv_conform(context, &rules, NULL, &error) != QV_OK)
		fail_msg("%s", error.text);
	assert_int_equal(qv_solver_new(context, &rules, 1 << 20, &solver, &error), QV_OK);
	assert_int_equal(qv_player_new(context, &rules, "perfect", NULL, &perfect, &error), QV_OK);
	for (int i = 0; i < 60; i++) {
		const struct coins s = random_coins(&random, 1 + i % COINS);
		const int32_t margin = best_margin(s), mine = s.turn ? -margin : margin;
		const struct qv_solve_limits limits = { .size = sizeof limits, .margin = true };
		struct qv_solution found = { .size = sizeof found };
		struct qv_answer answer = { .size = sizeof answer };
		assert_int_equal(qv_solver_solve(solver, &s, &limits, &found, &error), QV_OK);
		assert_true(found.has_margin);
		assert_int_equal(found.margin, mine);
		assert_int_equal(found.value, mine > 0	 ? QV_VALUE_WIN
					      : mine < 0 ? QV_VALUE_LOSS
							 : QV_VALUE_DRAW);
		struct coins next = s;
		coins_play(&next, found.move);
		assert_int_equal(best_margin(next), margin);
		assert_int_equal(qv_player_think(perfect, &s, NULL, NULL, &answer, &error), QV_OK);
		next = s;
		coins_play(&next, answer.move);
		assert_int_equal(best_margin(next), margin);
	}
	qv_player_free(perfect);
	qv_solver_free(solver);
	qv_context_free(context);
}

/* Searches to the end of the game play for the margin, not for any win. */
static void test_margin__players_play_for_it(void **unused)
{
	(void)unused;
	static const char *const specs[] = { "expectimax:depth=9", "maxn:depth=9",
					     "mcts:playouts=3000" };
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_rules rules = { .game = &coins };
	for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
		struct qv_player *player;
		struct qv_random random = { .key = 6 };
		struct qv_error error = { "" };
		if (qv_player_new(context, &rules, specs[k], NULL, &player, &error) != QV_OK)
			fail_msg("%s", error.text);
		for (int i = 0; i < 20; i++) {
			const struct coins s = random_coins(&random, 2 + i % 5);
			struct coins next = s;
			struct qv_answer answer = { .size = sizeof answer };
			assert_int_equal(qv_player_think(player, &s, NULL, NULL, &answer, NULL), QV_OK);
			coins_play(&next, answer.move);
			if (best_margin(next) != best_margin(s))
				fail_msg("%s: %d instead of %d", specs[k], (int)best_margin(next),
					 (int)best_margin(s));
		}
		qv_player_free(player);
	}
	/* A level exists and suits the game. */
	assert_string_equal(qv_levels(&coins)[0], "random");
	qv_context_free(context);
}

static void test_seats__names(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct qv_game named = toy_counted;
	named.seat_names = coin_seats;
	struct qv_rules rules = { .game = &named, .options = { 3, 5 } };
	json_t *board = board_json(&rules);
	assert_string_equal(qv_game_seat_name(&coins, 0), "South");
	assert_string_equal(qv_game_seat_name(&coins, 1), "North");
	assert_null(qv_game_seat_name(&coins, 2));
	assert_null(qv_game_seat_name(&coins, -1));
	assert_null(qv_game_seat_name(qv_game_find(context, "chess"), 0));
	assert_string_equal(
		json_string_value(json_array_get(json_object_get(board, "seat_names"), 1)), "North");
	json_decref(board);
	qv_context_free(context);
}

/* ---- Games and positions by functions alone ---- */

static void test_access__plays_whole_games(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		struct qv_rules rules;
		struct qv_random random = { .key = (uint64_t)i };
		int32_t points[QV_MAX_SEATS];
		void *state = qv_state_new(context, game), *copy = qv_state_new(context, game);
		qv_rules_default(game, &rules);
		assert_ptr_equal(qv_rules_game(&rules), qv_game_find(context, qv_game_name(game)));
		assert_true(qv_game_seats(game) >= 1 && qv_game_max_moves(game) >= 1);
		qv_start(&rules, state);
		for (int ply = 0; ply < 60 && qv_result(game, state, points) == QV_GOING; ply++) {
			qv_move list[QV_MAX_MOVES], parsed;
			double chances[QV_MAX_MOVES], sum = 0;
			char text[QV_MOVE_TEXT] = "";
			const int n = qv_moves(game, state, list, QV_MAX_MOVES);
			assert_true(n > 0 && n <= qv_game_max_moves(game));
			assert_int_equal(qv_moves(game, state, NULL, 0), n);
			const bool chance = qv_is_chance(game, state);
			assert_int_equal(qv_outcomes(game, state, NULL, chances, QV_MAX_MOVES),
					 chance ? n : 0);
			for (int k = 0; chance && k < n; k++)
				sum += chances[k];
			assert_true(!chance || fabs(sum - 1) < 1e-9);
			const qv_move move =
				chance ? qv_roll(game, state, &random)
				       : list[qv_random_below(&random, (uint64_t)n)];
			assert_true(chance || qv_roll(game, state, &random) == QV_NO_MOVE);
			qv_move_text(game, state, move, &(struct qv_text){ text, sizeof text, 0 });
			assert_int_equal(qv_move_parse(game, state, text, &parsed, NULL), QV_OK);
			assert_true(parsed == move);
			qv_state_copy(game, copy, state);
			assert_int_equal(qv_play(game, copy, QV_NO_MOVE, NULL), QV_ILLEGAL);
			assert_memory_equal(copy, state, qv_state_size(game));
			assert_int_equal(qv_play(game, state, move, NULL), QV_OK);
			game->play(copy, move);
			assert_memory_equal(copy, state, qv_state_size(game));
			assert_true(qv_hash(game, state) == game->hash(copy));
			assert_int_equal(qv_seat(game, state), game->seat(copy));
		}
		if (qv_result(game, state, points) == QV_ENDED) {
			assert_int_equal(qv_moves(game, state, NULL, 0), 0);
			assert_int_equal(qv_play(game, state, 0, NULL), QV_ILLEGAL);
		}
		char position[QV_POSITION_TEXT] = "", board[QV_POSITION_TEXT] = "";
		qv_position_text(game, state, &(struct qv_text){ position, sizeof position, 0 });
		qv_draw(game, state, false, &(struct qv_text){ board, sizeof board, 0 });
		assert_int_equal(qv_position_parse(&rules, position, copy, NULL), QV_OK);
		assert_memory_equal(copy, state, qv_state_size(game));
		assert_true(*board && strchr(board, '\n'));
		qv_state_free(context, game, state);
		qv_state_free(context, game, copy);
	}
	qv_context_free(context);
}

/* A playout is the same as single random moves, and stops at its limit or at the end of the game. */
static void test_access__plays_out_and_reads_boards(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		struct qv_rules rules;
		struct qv_random random = { .key = (uint64_t)i }, again = random;
		struct qv_standing shown[QV_MAX_CELLS], expected[QV_MAX_CELLS];
		int32_t points[QV_MAX_SEATS];
		void *state = qv_state_new(context, game), *twin = qv_state_new(context, game);
		qv_rules_default(game, &rules);
		qv_start(&rules, state);
		qv_start(&rules, twin);
		const int plies = qv_playout(game, state, &random, 40);
		assert_true(plies <= 40);
		assert_true(plies == 40 || qv_result(game, state, points) != QV_GOING);
		for (int ply = 0; ply < plies; ply++)
			assert_int_equal(qv_playout(game, twin, &again, 1), 1);
		assert_memory_equal(state, twin, qv_state_size(game));
		assert_true(random.next == again.next);
		assert_int_equal(qv_playout(game, twin, &again, 0), 0);
		const int count = game->board ? game->board->stand(state, expected) : 0;
		assert_int_equal(qv_standings(game, state, NULL, 0), count);
		assert_int_equal(qv_standings(game, state, shown, QV_MAX_CELLS), count);
		if (count)
			assert_memory_equal(shown, expected, (size_t)count * sizeof *shown);
		qv_state_free(context, game, state);
		qv_state_free(context, game, twin);
	}
	qv_context_free(context);
}

static void test_access__options_are_data(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_game *gomoku = qv_game_find(context, "GOMOKU");
	struct qv_rules rules;
	struct qv_error error;
	int64_t value;
	char text[64];
	assert_null(qv_game_find(context, "gomuku"));
	qv_rules_default(gomoku, &rules);
	assert_string_equal(qv_game_option(gomoku, 0)->name, "size");
	assert_null(qv_game_option(gomoku, QV_MAX_OPTIONS));
	assert_null(qv_game_option(gomoku, -1));
	assert_int_equal(qv_rules_get(&rules, "size", &value, NULL), QV_OK);
	assert_int_equal(value, qv_game_option(gomoku, 0)->preset);
	assert_int_equal(qv_rules_set(&rules, "size", 19, NULL), QV_OK);
	qv_rules_text(&rules, &(struct qv_text){ text, sizeof text, 0 });
	assert_string_equal(text, "gomoku:size=19");
	assert_int_equal(qv_rules_set(&rules, "size", 1000, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "size must be from"));
	assert_int_equal(qv_rules_get(&rules, "sise", &value, &error), QV_UNKNOWN);
	assert_int_equal(qv_rules_set(&rules, "sise", 1, NULL), QV_UNKNOWN);
	qv_context_free(context);
}

static void test_access__evaluations_by_name(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	int32_t value = 1, first = 2;
	const char *help = NULL;
	char name[QV_MOVE_TEXT] = "";
	static struct qv_term list[QV_MAX_TERMS];
	struct qv_terms terms = { .list = list, .max = QV_MAX_TERMS };
	desk_open(&d, context, "reversi", "start");
	const struct qv_game *game = d.rules.game;
	assert_non_null(qv_game_evaluation(context, game, 0, &help));
	assert_null(qv_game_evaluation(context, game, 100, NULL));
	assert_null(qv_game_evaluation(context, game, -1, NULL));
	assert_int_equal(qv_evaluate(context, game, d.state, NULL, &first, NULL), QV_OK);
	assert_int_equal(qv_evaluate(context, game, d.state,
				     qv_game_evaluation(context, game, 0, NULL), &value, NULL),
			 QV_OK);
	assert_int_equal(value, first);
	assert_int_equal(qv_evaluate(context, game, d.state, "none", &value, NULL), QV_OK);
	assert_int_equal(value, 0);
	assert_int_equal(qv_evaluate(context, game, d.state, "nonsense", &value, NULL), QV_UNKNOWN);
	assert_int_equal(qv_evaluation_terms(context, game, d.state, "none", &terms, NULL),
			 QV_UNSUPPORTED);
	desk_close(&d);
	desk_open(&d, context, "chess", "start");
	game = d.rules.game;
	assert_int_equal(qv_evaluation_terms(context, game, d.state, NULL, &terms, NULL), QV_OK);
	int64_t sum = 0;
	for (int i = 0; i < terms.count; i++)
		sum += terms.list[i].value;
	assert_int_equal(qv_evaluate(context, game, d.state, NULL, &value, NULL), QV_OK);
	assert_int_equal(sum, value);
	for (int i = 0; i < terms.count; i++)
		if (terms.list[i].place >= 0)
			assert_int_equal(qv_weight_name(context, game, NULL, terms.list[i].place,
							&(struct qv_text){ name, sizeof name, 0 },
							NULL),
					 QV_OK);
	assert_true(*name);
	assert_int_equal(qv_weight_name(context, game, NULL, -5,
					&(struct qv_text){ name, sizeof name, 0 }, NULL),
			 QV_UNKNOWN);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Sizes ---- */

/* A caller that knows less: what lies beyond its size is neither read nor written. */
static void test_sizes__older_and_newer_structs(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct qv_error error = { "" };
	struct {
		struct qv_limits limits;
		char more[64];
	} newer;
	struct qv_limits older;
	struct qv_answer answer, whole = { .size = sizeof whole };
	desk_open(&d, context, "connect4", "start");
	struct qv_player *player = desk_player(&d, "alphabeta:depth=4,tt=0", 1);
	/* The pointers after `depth` are nonsense. */
	memset(&older, 0x5a, sizeof older);
	older.size = offsetof(struct qv_limits, nodes);
	older.depth = 2;
	memset(&answer, 0x5a, sizeof answer);
	answer.size = offsetof(struct qv_answer, depth);
	assert_int_equal(qv_player_think(player, d.state, &older, NULL, &answer, &error), QV_OK);
	assert_true(qv_move_legal(d.rules.game, d.state, answer.move));
	assert_int_equal(answer.size, offsetof(struct qv_answer, depth));
	for (size_t i = answer.size; i < sizeof answer; i++)
		assert_int_equal(((unsigned char *)&answer)[i], 0x5a);
	memset(&newer, 0x5a, sizeof newer);
	memset(&newer.limits, 0, sizeof newer.limits);
	newer.limits.size = sizeof newer;
	newer.limits.depth = 2;
	assert_int_equal(qv_player_think(player, d.state, &newer.limits, NULL, &whole, &error),
			 QV_OK);
	assert_int_equal(whole.depth, 2);
	assert_int_equal(whole.score, answer.score);
	assert_int_equal(whole.size, sizeof whole);
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

static void test_sizes__zero_is_an_error(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	struct desk d;
	struct qv_error error = { "" };
	const struct qv_limits limits = { .depth = 1 };
	const struct qv_defaults defaults = { .seed = 1 };
	const struct qv_perft_limits counting = { .depth = 1 };
	const struct qv_listener listener = { .ctx = NULL };
	struct qv_answer answer = { .size = sizeof answer }, none = { .size = 0 };
	struct qv_player *player;
	uint64_t leaves;
	desk_open(&d, context, "noughts", "start");
	assert_int_equal(qv_player_new(context, &d.rules, "random", &defaults, &player, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "struct qv_defaults: size is not set"));
	player = desk_player(&d, "alphabeta:depth=1", 1);
	assert_int_equal(qv_player_think(player, d.state, &limits, NULL, &answer, &error),
			 QV_BAD_INPUT);
	assert_int_equal(qv_player_think(player, d.state, NULL, &listener, &answer, &error),
			 QV_BAD_INPUT);
	assert_int_equal(qv_player_think(player, d.state, NULL, NULL, &none, &error), QV_BAD_INPUT);
	assert_int_equal(qv_perft(context, d.rules.game, d.state, &counting, &leaves, &error),
			 QV_BAD_INPUT);
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Small things ---- */

static void test_flag__is_clear_when_zeroed(void **unused)
{
	(void)unused;
	struct qv_flag flag = { 0 };
	assert_false(qv_flag_is_set(&flag));
	assert_false(qv_flag_is_set(NULL));
	qv_flag_set(&flag);
	assert_true(qv_flag_is_set(&flag));
	qv_flag_clear(&flag);
	assert_false(qv_flag_is_set(&flag));
}

static void test_numbers__are_read_plainly(void **unused)
{
	(void)unused;
	const struct {
		const char *text;
		int64_t max, value; /* -1: no number */
		int used;
	} list[] = {
		{ "0", 9, 0, 1 },   { "7x", 9, 7, 1 }, { "12", 12, 12, 2 }, { "13", 12, -1, 0 },
		{ "01", 9, -1, 0 }, { "", 9, -1, 0 },  { "-1", 9, -1, 0 },  { "+1", 9, -1, 0 },
		{ "9223372036854775807", INT64_MAX, INT64_MAX, 19 },
		{ "9223372036854775808", INT64_MAX, -1, 0 },
		{ "99999999999999999999999", INT64_MAX, -1, 0 },
		{ "3", 0, -1, 0 },  { "3", 2, -1, 0 },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const char *at = list[i].text;
		int64_t value = -1;
		assert_int_equal(qv_read_number(&at, list[i].max, &value), list[i].value >= 0);
		assert_int_equal(value, list[i].value);
		assert_int_equal(at - list[i].text, list[i].used);
	}
	const char *end = "";
	assert_false(qv_read_char(&end, '\0'));
}

static void test_version__numbers(void **unused)
{
	(void)unused;
	int major, minor, patch;
	assert_int_equal(sscanf(qv_version(), "%d.%d.%d", &major, &minor, &patch), 3);
	assert_int_equal(qv_version_number(), major * 10000 + minor * 100 + patch);
	assert_int_equal(qv_version_number(), QV_VERSION_NUMBER);
	assert_int_equal(qv_interface_number(), QV_INTERFACE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_margin__solver_and_perfect_find_it),
		cmocka_unit_test(test_margin__players_play_for_it),
		cmocka_unit_test(test_seats__names),
		cmocka_unit_test(test_access__plays_whole_games),
		cmocka_unit_test(test_access__plays_out_and_reads_boards),
		cmocka_unit_test(test_access__options_are_data),
		cmocka_unit_test(test_access__evaluations_by_name),
		cmocka_unit_test(test_sizes__older_and_newer_structs),
		cmocka_unit_test(test_sizes__zero_is_an_error),
		cmocka_unit_test(test_flag__is_clear_when_zeroed),
		cmocka_unit_test(test_numbers__are_read_plainly),
		cmocka_unit_test(test_version__numbers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
