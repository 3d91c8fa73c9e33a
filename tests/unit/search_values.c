/*
 * search_values.c - whatever the kind of search and its sound options, the value is plain
 * minimax's; minimax's is that of its definition; stamped games and plug-ins are searched alike, to
 * the node.
 * SPDX-License-Identifier: MIT
 *
 * Every registered game and every toy of two seats without chance takes part; a new game does so by
 * being there.
 */
#include "support/search.h"

enum { DEPTH = 6, SPEC = 256, WANDER = 60 };

/* What is sound is known to all searches, to those that prune, or to those with a window. */
enum knowledge { ALL, PRUNING, WINDOWED };

static const struct {
	const char *name;
	enum knowledge knows;
} kinds[] = {
	{ "minimax", ALL },	   { "negamax", ALL },	{ "alphabeta", WINDOWED },
	{ "negascout", WINDOWED }, { "mtdf", PRUNING },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
	const char *key;
	enum knowledge known;
	int choices[4];
} sound[] = {
	{ "iterate", ALL, { 0, 1, 0, 1 } },       { "random", ALL, { 0, 1, 0, 1 } },
	{ "sort", PRUNING, { 0, 1, 0, 1 } },      { "deep", PRUNING, { 0, 1, 1, 1 } },
	{ "killers", PRUNING, { 0, 1, 2, 8 } },   { "history", PRUNING, { 0, 1, 0, 1 } },
	{ "keep-line", PRUNING, { 0, 1, 0, 1 } }, { "tt", PRUNING, { 0, 1, 0, 1 } },
	{ "window", WINDOWED, { 0, 1, 10, 100 } }, { "stack", ALL, { 0, 1, 0, 1 } },
};

/* A random mix of what must not change the value; threads: whether more than one is among it. */
static void put_mixed_spec(char *spec, int kind, bool threads, struct qv_random *random)
{
	size_t used = (size_t)snprintf(spec, SPEC, "%s:depth=%d", kinds[kind].name, DEPTH);
	if (kinds[kind].knows >= PRUNING)
		used += (size_t)snprintf(spec + used, SPEC - used, ",quiet=0,tt-exact=1,threads=%d",
					 threads && qv_random_below(random, 4) == 0 ? 2 : 1);
	for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
		if (sound[i].known <= kinds[kind].knows)
			used += (size_t)snprintf(spec + used, SPEC - used, ",%s=%d", sound[i].key,
						 sound[i].choices[qv_random_below(random, 4)]);
	assert_true(used < SPEC);
}

/* ---- minimax itself ---- */

static void check_minimax_at(const struct spot *s, int depth)
{
	char text[QV_POSITION_TEXT], spec[SPEC];
	const int32_t expected = literal_value(s, depth, 0);
	snprintf(spec, sizeof spec, "minimax:depth=%d", depth);
	const struct qv_answer answer = think(s, spec, NULL, NULL);
	if (answer.score != expected)
		fail_msg("%s gives %d, by definition it is %d at %s", spec, (int)answer.score,
			 (int)expected, spot_text(s, text));
	assert_win_shown(s, &answer, spec);
}

static void test_search_values__minimax_is_its_definition(void **state)
{
	struct qv_random random = { 1, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		for (int k = (int)scaled(60); is_duel(game) && k > 0; k--) {
			const struct spot s = spot_random(*state, game, WANDER, &random);
			check_minimax_at(
				&s, 1 + (int)qv_random_below(&random,
							     (uint64_t)depth_for(&s, DEPTH, 3000)));
		}
	}
}

/* ---- all the others ---- */

/*
 * One player of each kind with a mix of its own; they see a walk through a game, and may remember
 * what they like.
 */
struct panel {
	char specs[KINDS][SPEC];
	struct qv_player *players[KINDS];
};

static void panel_open(struct panel *p, const struct spot *s, struct qv_random *random)
{
	for (int i = 0; i < KINDS; i++) {
		put_mixed_spec(p->specs[i], i, true, random);
		p->players[i] = player_new(s, p->specs[i]);
	}
}

static void panel_close(struct panel *p)
{
	for (int i = 0; i < KINDS; i++)
		qv_player_free(p->players[i]);
}

/* The move must be one that has the value, too. */
static void check_move_has_value(const struct spot *s, const char *spec, int depth,
				 const struct qv_answer *answer)
{
	char text[QV_POSITION_TEXT];
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	limits.only = &answer->move;
	limits.only_count = 1;
	const struct qv_answer only = think(s, "minimax:depth=6", &limits, NULL);
	if (only.score != answer->score)
		fail_msg("%s: its move is worth %d, not %d, to depth %d at %s", spec,
			 (int)only.score, (int)answer->score, depth, spot_text(s, text));
}

static void panel_agrees(struct panel *p, const struct spot *s, int depth)
{
	char text[QV_POSITION_TEXT];
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	const struct qv_answer minimax = think(s, "minimax:depth=6", &limits, NULL);
	for (int i = 0; i < KINDS; i++) {
		const struct qv_answer answer = ask(p->players[i], s, &limits, NULL);
		if (answer.score != minimax.score)
			fail_msg("%s gives %d, minimax %d, to depth %d at %s", p->specs[i],
				 (int)answer.score, (int)minimax.score, depth, spot_text(s, text));
		assert_win_shown(s, &answer, p->specs[i]);
		if (answer.move != minimax.move)
			check_move_has_value(s, p->specs[i], depth, &answer);
	}
}

/* How far a walk may go before the first comparison: half a game, where games are short. */
static int opening(const struct qv_game *game)
{
	return game->max_plies && game->max_plies < WANDER ? game->max_plies / 2 : WANDER / 2;
}

/*
 * A walk with a new panel; returns how many positions were compared, at most `most`. Depths from
 * `least` on, less where trees grow too large.
 */
static int walk(const struct qv_context *context, const struct qv_game *game, int64_t most,
		int least, uint64_t leaves, struct qv_random *random)
{
	struct panel panel;
	struct spot s = spot_random(context, game, opening(game), random);
	int positions = 0;
	panel_open(&panel, &s, random);
	do {
		const int depth =
			least + (int)qv_random_below(random, (uint64_t)(DEPTH - least) + 1);
		panel_agrees(&panel, &s, depth_for(&s, depth, leaves));
		positions++;
	} while (positions < 20 && positions < most && spot_wander(&s, random));
	panel_close(&panel);
	return positions;
}

static void compare_on(const struct qv_context *context, int count, int least, uint64_t leaves,
		       uint64_t key)
{
	struct qv_random random = { key, 0 };
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		const int64_t most = scaled(count);
		int positions = 0;
		while (is_duel(game) && positions < most)
			positions += walk(context, game, most - positions, least, leaves, &random);
		print_message("%s: %d positions\n", game->name, positions);
	}
}

static void test_search_values__sound_options_never_change_the_value(void **state)
{
	compare_on(*state, 1000, 1, 20000, 2);
}

/* Six plies, all of noughts and connect-four; and on fewer positions, most of reversi. */
static void test_search_values__nor_at_depth_6(void **state)
{
	compare_on(*state, 100, DEPTH, 120000, 3);
	compare_on(*state, 8, DEPTH, 2000000, 4);
}

/* ---- plug-ins ---- */

/* A copy of a registered game has another address, and so is searched as a plug-in's would be. */
static void check_plugin_at(const struct spot *s, const struct qv_game *copy,
			    const struct qv_limits *limits, const char *spec)
{
	char text[QV_POSITION_TEXT];
	struct spot outside = *s;
	outside.rules.game = copy;
	const struct qv_answer ours = think(s, spec, limits, NULL),
			       theirs = think(&outside, spec, limits, NULL);
	if (!same_answer(&ours, &theirs))
		fail_msg("%s: %d after %llu nodes, as a plug-in %d after %llu, at %s", spec,
			 (int)ours.score, (unsigned long long)ours.nodes, (int)theirs.score,
			 (unsigned long long)theirs.nodes, spot_text(s, text));
}

static void test_search_values__plugins_are_searched_alike_to_the_node(void **state)
{
	struct qv_random random = { 4, 0 };
	char spec[SPEC];
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		const struct qv_game copy = *game;
		for (int k = (int)scaled(150); is_duel(game) && k > 0; k--) {
			const struct spot s = spot_random(*state, game, WANDER, &random);
			struct qv_limits limits = limits_at(&s);
			limits.depth = depth_for(&s, DEPTH, 20000);
			limits.nodes = k % 2 ? 0 : 1 + qv_random_below(&random, 3000);
			put_mixed_spec(spec, k % KINDS, false, &random);
			check_plugin_at(&s, &copy, &limits, spec);
		}
	}
}

/* Unsound options too do the same thing in the same places. */
static void test_search_values__plugins_are_pruned_alike(void **state)
{
	static const char *const specs[] = {
		"alphabeta",
		"negascout:tt=0",
		"mtdf",
		"alphabeta:razor=1,tt=0",
		"alphabeta:hard=50,tt=0",
		"negascout:top=3",
	};
	struct qv_random random = { 5, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		const struct qv_game copy = *game;
		for (int k = (int)scaled(60); is_duel(game) && k > 0; k--) {
			const struct spot s = spot_random(*state, game, WANDER, &random);
			struct qv_limits limits = limits_at(&s);
			limits.depth = 5;
			check_plugin_at(&s, &copy, &limits, specs[k % 6]);
		}
	}
}

/* ---- leaves ---- */

static void count_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	(void)state, (void)ply, (void)value;
	++*(uint64_t *)ctx;
}

struct counts {
	uint64_t nodes, evals, leaves;
};

static struct counts counts_of(const struct spot *s, const char *spec, int depth)
{
	struct counts c = { 0, 0, 0 };
	const struct qv_listener listener = { .size = sizeof listener,
					      .leaf = count_leaf,
					      .ctx = &c.leaves };
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	const struct qv_answer silent = think(s, spec, &limits, NULL),
			       heard = think(s, spec, &limits, &listener);
	assert_true(same_answer(&silent, &heard));
	c.nodes = silent.nodes;
	c.evals = silent.evals;
	return c;
}

static bool no_more(struct counts a, struct counts b)
{
	return a.nodes <= b.nodes && a.evals <= b.evals && a.leaves <= b.leaves;
}

/* In whatever order the moves are tried: each leaf of the one is a leaf of the other. */
static void check_leaves_at(const struct spot *s, int depth, struct qv_random *random)
{
	char text[QV_POSITION_TEXT], spec[SPEC];
	const struct counts minimax = counts_of(s, "minimax:depth=6", depth);
	const struct counts negamax = counts_of(s, "negamax:depth=6", depth);
	assert_memory_equal(&minimax, &negamax, sizeof minimax);
	const struct counts plain = counts_of(
		s,
		"alphabeta:depth=6,iterate=0,sort=0,killers=0,history=0,keep-line=0,tt=0,quiet=0",
		depth);
	snprintf(spec, sizeof spec,
		 "alphabeta:depth=6,iterate=0,quiet=0,tt=0,sort=%d,killers=%d,history=%d,deep=%d",
		 (int)qv_random_below(random, 2), (int)qv_random_below(random, 3),
		 (int)qv_random_below(random, 2), (int)qv_random_below(random, 2));
	const struct counts mixed = counts_of(s, spec, depth);
	if (!no_more(plain, minimax) || !no_more(mixed, minimax))
		fail_msg("alphabeta makes more nodes or leaves than minimax to depth %d at %s",
			 depth, spot_text(s, text));
}

static void test_search_values__alphabeta_never_has_more_leaves_than_minimax(void **state)
{
	struct qv_random random = { 6, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		for (int k = (int)scaled(100); is_duel(game) && k > 0; k--) {
			const struct spot s = spot_random(*state, game, WANDER, &random);
			check_leaves_at(
				&s, depth_for(&s, 1 + (int)qv_random_below(&random, DEPTH), 50000),
				&random);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_values__minimax_is_its_definition),
		cmocka_unit_test(test_search_values__sound_options_never_change_the_value),
		cmocka_unit_test(test_search_values__nor_at_depth_6),
		cmocka_unit_test(test_search_values__plugins_are_searched_alike_to_the_node),
		cmocka_unit_test(test_search_values__plugins_are_pruned_alike),
		cmocka_unit_test(test_search_values__alphabeta_never_has_more_leaves_than_minimax),
	};
	return cmocka_run_group_tests_name("search_values", tests, setup, teardown);
}
