/*
 * erring.c - margin and blunder: which moves are chosen, that they are all chosen, and that the
 * seed alone decides.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

enum { DEPTH = 2, MARGIN = 12 };

/* What each move is worth by full width, one at a time. */
struct worth {
	qv_move move;
	int32_t value;
};

static int list_worths(const struct spot *s, const char *plain, int depth, struct worth *out)
{
	qv_move list[SPOT_MOVES];
	const int n = spot_moves(s, list);
	for (int i = 0; i < n; i++)
		out[i] = (struct worth){ list[i], think_only(s, plain, depth, list[i]).score };
	return n;
}

static int32_t most(const struct worth *w, int n)
{
	int32_t best = w[0].value;
	for (int i = 1; i < n; i++)
		best = w[i].value > best ? w[i].value : best;
	return best;
}

static int32_t least(const struct worth *w, int n)
{
	int32_t worst = w[0].value;
	for (int i = 1; i < n; i++)
		worst = w[i].value < worst ? w[i].value : worst;
	return worst;
}

static int32_t value_of(const struct worth *w, qv_move move)
{
	while (w->move != move)
		w++;
	return w->value;
}

static const struct qv_game *game_named(const struct qv_context *context, const char *name)
{
	return spot_at(context, name, NULL).rules.game;
}

/* A position where somebody is to move and has a choice; false: this walk led to none. */
static bool find_choice(const struct qv_context *context, const struct qv_game *game,
			struct qv_random *random, struct spot *out)
{
	qv_move list[SPOT_MOVES];
	*out = spot_random(context, game, 30, random);
	while (game->seat(out->state) == QV_CHANCE)
		if (!spot_wander(out, random))
			return false;
	return spot_moves(out, list) > 1;
}

/*
 * Of both searches: never further from the best than the margin, and of a win or a loss not at all.
 * A search with dice rounds its scores, so that one point more is allowed.
 */
static void check_margin(const struct spot *s, const char *plain, const char *erring, int slack)
{
	struct worth w[SPOT_MOVES];
	char text[QV_POSITION_TEXT], shown[QV_MOVE_TEXT];
	const int n = list_worths(s, plain, DEPTH, w);
	const int32_t best = most(w, n), near = is_decided(best) ? 0 : MARGIN + slack;
	const struct qv_answer answer = think_to(s, erring, DEPTH);
	if (best - value_of(w, answer.move) > near)
		fail_msg("%s: %s is worth %d, the best %d, at %s", erring,
			 move_text(s, answer.move, shown), (int)value_of(w, answer.move),
			 (int)best, spot_text(s, text));
	assert_true(abs(answer.score - value_of(w, answer.move)) <= slack);
}

static void test_margin__what_is_played_is_near_the_best(void **state)
{
	static const char *const erring[] = {
		"alphabeta:margin=12,quiet=0,tt=0", "negascout:margin=12,quiet=0,tt=1,tt-exact=1",
		"negamax:margin=12", "minimax:margin=12", "alphabeta:margin=12,quiet=0,stack=1,tt=0"
	};
	struct qv_random random = { 5, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int64_t left = scaled(6); is_duel(qv_game_at(*state, i)) && left > 0; left--) {
			struct spot s;
			if (!find_choice(*state, qv_game_at(*state, i), &random, &s))
				continue;
			for (size_t k = 0; k < sizeof erring / sizeof *erring; k++)
				check_margin(&s, "negamax", erring[k], 0);
		}
}

static void test_margin__with_dice_too(void **state)
{
	struct qv_random random = { 6, 0 };
	const struct qv_game *race = game_named(*state, "race");
	for (int64_t left = scaled(60); left > 0; left--) {
		struct spot s;
		if (!find_choice(*state, race, &random, &s))
			continue;
		check_margin(&s, "expectimax:star=0", "expectimax:margin=12", 1);
		check_margin(&s, "expectimax:star=0", "expectimax:margin=12,star=0", 1);
	}
}

/* A win that is seen ends the search: the worst is then what that depth shows. */
static void check_blunder(const struct spot *s, const char *plain, const char *erring, int slack)
{
	struct worth w[SPOT_MOVES];
	const struct qv_answer answer = think_to(s, erring, DEPTH);
	const int n = list_worths(s, plain, answer.depth, w);
	assert_true(value_of(w, answer.move) - least(w, n) <= slack);
	assert_true(abs(answer.score - least(w, n)) <= slack);
}

static void test_blunder__a_hundred_in_a_hundred_are_the_worst(void **state)
{
	struct qv_random random = { 7, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int64_t left = scaled(6); is_duel(qv_game_at(*state, i)) && left > 0; left--) {
			struct spot s;
			if (find_choice(*state, qv_game_at(*state, i), &random, &s))
				check_blunder(&s, "negamax", "negascout:blunder=100,quiet=0,tt=0", 0);
		}
	for (int64_t left = scaled(20); left > 0; left--) {
		struct spot s;
		if (find_choice(*state, game_named(*state, "race"), &random, &s))
			check_blunder(&s, "expectimax", "expectimax:blunder=100", 1);
	}
}

/* How often each of the nine first moves of noughts comes, over many games of one seed. */
static void count_first_moves(const struct spot *s, const char *spec, int games, int *out)
{
	struct qv_player *player = player_new(s, spec);
	const struct qv_limits limits = limits_at(s);
	for (int i = 0; i < 9; i++)
		out[i] = 0;
	for (int i = 0; i < games; i++) {
		char shown[QV_MOVE_TEXT];
		out[*move_text(s, ask(player, s, &limits, NULL).move, shown) - '1']++;
	}
	qv_player_free(player);
}

static void test_margin__every_near_move_is_played(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL);
	int counts[9], again[9];
	count_first_moves(&s, "alphabeta:depth=1,margin=1000,tt=0", 900, counts);
	for (int i = 0; i < 9; i++)
		assert_true(counts[i] > 50 && counts[i] < 150);
	count_first_moves(&s, "alphabeta:depth=1,margin=1000,tt=0", 900, again);
	assert_memory_equal(counts, again, sizeof counts);
}

static void test_blunder__comes_as_often_as_it_says(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL);
	int counts[9];
	count_first_moves(&s, "alphabeta:depth=1,tt=0", 10, counts);
	int best = 0;
	while (!counts[best])
		best++;
	count_first_moves(&s, "alphabeta:depth=1,blunder=30,tt=0", 1000, counts);
	assert_true(counts[best] > 640 && counts[best] < 760);
}

/* A new game begins with the same random numbers, and what was played before does not matter. */
static void test_erring__a_seed_plays_the_same_again(void **state)
{
	static const char *const cases[][2] = {
		{ "connect4", "alphabeta:depth=3,margin=30,blunder=20,tt=1" },
		{ "race", "expectimax:depth=1,margin=30,blunder=20" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct qv_random random = { 8, 0 };
		struct spot s[20];
		qv_move first[20];
		for (int k = 0; k < 20; k++)
			while (!find_choice(*state, game_named(*state, cases[i][0]), &random, &s[k]))
				;
		struct qv_player *player = player_new(&s[0], cases[i][1]);
		for (int round = 0; round < 3; round++) {
			qv_player_new_game(player);
			for (int k = 0; k < 20; k++) {
				const struct qv_limits limits = limits_at(&s[k]);
				const qv_move move = ask(player, &s[k], &limits, NULL).move;
				if (round == 0)
					first[k] = move;
				assert_true(move == first[k]);
			}
		}
		qv_player_free(player);
	}
}

/* A limit in the middle of an iteration: the choice of the last whole one stands. */
static void test_margin__holds_when_nodes_run_out(void **state)
{
	struct qv_random random = { 9, 0 };
	const struct qv_game *game = game_named(*state, "connect4");
	for (int64_t left = scaled(30); left > 0; left--) {
		struct worth w[SPOT_MOVES];
		struct spot s;
		if (!find_choice(*state, game, &random, &s))
			continue;
		struct qv_limits limits = limits_at(&s);
		limits.nodes = 120;
		const struct qv_answer answer =
			think(&s, "alphabeta:depth=20,margin=12,tt=0", &limits, NULL);
		if (answer.depth != DEPTH || is_decided(answer.score))
			continue;
		const int n = list_worths(&s, "negamax", DEPTH, w);
		assert_true(most(w, n) - value_of(w, answer.move) <= MARGIN);
	}
}

static void test_eval__none_sees_only_how_it_ends(void **state)
{
	const struct spot open = spot_at(*state, "connect4", "44");
	assert_int_equal(think_to(&open, "alphabeta:eval=none,tt=0", 4).score, 0);
	const struct spot won = spot_at(*state, "connect4", "112233");
	assert_int_equal(think_to(&won, "alphabeta:eval=none,tt=0", 2).score, QV_WIN - 1);
}

static void must_refuse(const struct qv_context *context, const char *game, const char *spec,
			const char *why)
{
	const struct spot s = spot_at(context, game, NULL);
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	if (qv_player_new(context, &s.rules, spec, &defaults, &player, &error) == QV_OK)
		fail_msg("%s was accepted", spec);
	if (!strstr(error.text, why))
		fail_msg("'%s' is expected, not '%s'", why, error.text);
}

static void test_erring__refusals(void **state)
{
	must_refuse(*state, "noughts", "alphabeta:margin=-1", "margin=-1");
	must_refuse(*state, "noughts", "alphabeta:blunder=101", "from 0 to 100");
	must_refuse(*state, "noughts", "mtdf:margin=1", "no option 'margin'");
	must_refuse(*state, "noughts", "random:blunder=1", "no option 'blunder'");
	must_refuse(*state, "noughts", "alphabeta:margin=1,window=5", "window");
	must_refuse(*state, "noughts", "alphabeta:blunder=1,top=3", "top");
	must_refuse(*state, "noughts", "negascout:margin=1,razor=1", "razor");
	must_refuse(*state, "noughts", "negascout:margin=1,hard=100", "hard");
	must_refuse(*state, "noughts", "alphabeta:eval=nothing", "eval=nothing");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_margin__what_is_played_is_near_the_best),
		cmocka_unit_test(test_margin__with_dice_too),
		cmocka_unit_test(test_blunder__a_hundred_in_a_hundred_are_the_worst),
		cmocka_unit_test(test_margin__every_near_move_is_played),
		cmocka_unit_test(test_blunder__comes_as_often_as_it_says),
		cmocka_unit_test(test_erring__a_seed_plays_the_same_again),
		cmocka_unit_test(test_margin__holds_when_nodes_run_out),
		cmocka_unit_test(test_eval__none_sees_only_how_it_ends),
		cmocka_unit_test(test_erring__refusals),
	};
	return cmocka_run_group_tests_name("erring", tests, setup, teardown);
}
