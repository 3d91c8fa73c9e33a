/*
 * server_specs.c - which players strangers may ask for, and how fast anybody may ask.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/limits.h"
#include "server/api/allowed_specs.h"
#include "support/check.h"

static const struct {
	const char *game, *spec;
	bool may;
} specs[] = {
	{ "noughts", "level:1", true },
	{ "noughts", "level:4", true },
	{ "noughts", "random", true },
	{ "noughts", "perfect", true },
	{ "connect4", "negascout:time=2s,tt=64", true },
	{ "connect4", "alphabeta:depth=100", true },
	{ "connect4", "mcts:playouts=1000000000000", true },
	{ "race", "expectimax:depth=3", true },
	{ "noughts", "level:99", false },
	{ "noughts", "level:0", false },
	{ "noughts", "", false },
	{ "noughts", "human", false },
	{ "noughts", "qgp:rm -rf", false },
	{ "noughts", "ugi:cmd=/bin/sh", false },
	{ "chess", "uci:stockfish", false },
	{ "chess", "xboard:cmd=phalanx", false },
	{ "noughts", "uci:stockfish", false },
	{ "backgammon", "external:localhost:1", false },
	{ "draughts", "hub:scan hub", false },
	{ "backgammon", "gnubg:gnubg -t -q", false },
	{ "hexapawn", "learn", true },
	{ "hexapawn", "learn:train=1000000", false },
	{ "hexapawn", "learn:book=own", false },
	{ "race", "learn", false },
	{ "starchess", "learn", false },
	{ "hexapawn", "learn:file=/etc/passwd", false },
	{ "connect4", "alphabeta:weights=/etc/passwd", false },
	{ "morris", "perfect:tables=/etc", false },
	{ "morris", "perfect", false }, /* no tables are there */
	{ "reversi", "level:6,ladder=lurgee", true },
	{ "reversi", "level:7,ladder=lurgee", false },
	{ "morris", "level:5,ladder=lurgee22", true },
	{ "morris", "level:5,ladder=lurgee23", false },
	{ "noughts", "level:1,ladder=lurgee", false },
	{ "noughts", "level:1,ladder=own", true },
	{ "reversi", "level:3,book=/etc/passwd", false },
	{ "reversi", "random:book=own:reversi", false },
	{ "reversi", "level:3,book=own,line=Tiger", true },
	{ "reversi", "level:3,book=auto", true },
	{ "connect4", "lurgee:book=none", true },
	{ "connect4", "negascout:tt=100000,threads=64", false },
	{ "connect4", "negascout:tt=65", false },
	{ "connect4", "negascout:threads=2", false },
	{ "connect4", "negascout:time=11s", false },
	{ "connect4", "mcts:playouts=1e12", false },
	{ "connect4", "mcts:tt=1000", false },
	{ "connect4", "perfect:tt=1000", false },
	{ "race", "perfect", false },
};

static void test_specs__only_harmless_players_sit_down(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	struct table_lookup *lookup = table_lookup_new(context, NULL);
	(void)state;
	assert_non_null(lookup);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct qv_error error = { "" };
		struct qv_rules rules;
		assert_int_equal(qv_rules_parse(context, specs[i].game, &rules, &error), QV_OK);
		const bool may =
			specs_check(context, lookup, &rules, specs[i].spec, &error) == QV_OK;
		if (may != specs[i].may)
			fail_msg("%s: %s", specs[i].spec, may ? "allowed" : error.text);
		assert_true(may || *error.text);
	}
	table_lookup_free(lookup);
	qv_context_free(context);
}

static void test_buckets__fill_at_their_rate(void **state)
{
	struct limits *b = limits_new(1, 0);
	(void)state;
	for (int i = 0; i < 3; i++)
		assert_true(limits_take(b, "a", 60, 3, 1000));
	assert_false(limits_take(b, "a", 60, 3, 1000));
	assert_true(limits_take(b, "b", 60, 3, 1000));
	assert_false(limits_take(b, "a", 60, 3, 1999));
	assert_true(limits_take(b, "a", 60, 3, 2000));
	for (int i = 0; i < 3; i++)                /* never more than full */
		assert_true(limits_take(b, "a", 60, 3, 100000));
	assert_false(limits_take(b, "a", 60, 3, 100000));
	limits_free(b);
}

static void test_buckets__full_ones_are_forgotten_and_others_not(void **state)
{
	struct limits *b = limits_new(1, 0);
	char name[32];
	(void)state;
	for (int i = 0; i < 3; i++)
		limits_take(b, "slow", 0.001, 3, 0);
	for (int i = 0; i < 20000; i++) {
		snprintf(name, sizeof name, "passer-by %d", i);
		assert_true(limits_take(b, name, 60, 3, 10 * (int64_t)i));
	}
	assert_false(limits_take(b, "slow", 0.001, 3, 200000));
	limits_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_specs__only_harmless_players_sit_down),
		cmocka_unit_test(test_buckets__fill_at_their_rate),
		cmocka_unit_test(test_buckets__full_ones_are_forgotten_and_others_not),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
