/*
 * repro.c - the same seed and options give the same search, to the node; random=1 chooses between
 * equals, and only there.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/scale.h"

static const char *const specs[] = {
	"random",
	"minimax:depth=3",
	"minimax:depth=3,random=1",
	"negamax:depth=3,iterate=1",
	"alphabeta:depth=5,tt=0",
	"alphabeta:depth=5,tt=0,sort=0,killers=0,history=0,keep-line=0",
	"alphabeta:depth=6,tt=1,random=1",
	"alphabeta:depth=6,tt=1,tt-exact=1,window=30",
	"alphabeta:depth=5,razor=1,hard=200,tt=1",
	"alphabeta:depth=6,top=3,tt=1",
	"negascout:depth=6,tt=1,quiet=0,stack=1",
	"negascout:depth=6,tt=1,window=10",
	"negascout:depth=6,tt=1,killers=8,deep=0",
	"negascout:depth=6,random=1",
	"mtdf:depth=6,tt=1",
	"mtdf:depth=5,tt=1,random=1",
	"alphabeta:nodes=2000,tt=1",
	"negascout:evals=1500,tt=1",
	"mtdf:nodes=3000,random=1",
	"mcts:playouts=300",
	"mcts:nodes=5000,explore=80,tt=0",
	"maxn:depth=3,random=1",
	"paranoid:depth=4,iterate=0",
	"brs:nodes=2000",
	"level:2",
	"level:3",
};
enum { SPECS = sizeof specs / sizeof *specs, GAME_PLIES = 6, MOST_NODES = 30000 };

/*
 * Thinks at the start and along the game that its own moves make; where a game has many moves the
 * nodes end it, not the depth.
 */
static void play_on(struct desk *d, struct qv_player *player, struct qv_answer answers[GAME_PLIES])
{
	const struct qv_limits limits = { .size = sizeof limits, .nodes = MOST_NODES };
	d->rules.game->start(d->rules.options, d->state);
	memset(answers, 0, GAME_PLIES * sizeof *answers);
	for (int ply = 0; ply < GAME_PLIES && desk_going(d); ply++) {
		answers[ply].size = sizeof *answers;
		assert_int_equal(qv_player_think(player, d->state, &limits, NULL, &answers[ply],
						 NULL),
				 QV_OK);
		d->rules.game->play(d->state, answers[ply].move);
	}
}

static void check_same_game(const char *spec, const struct qv_answer *a, const struct qv_answer *b)
{
	for (int ply = 0; ply < GAME_PLIES; ply++)
		if (!same_answer(&a[ply], &b[ply]))
			fail_msg("%s, move %d: %llu nodes and then %llu, score %d and then %d",
				 spec, ply + 1, (unsigned long long)a[ply].nodes,
				 (unsigned long long)b[ply].nodes, a[ply].score, b[ply].score);
}

/* The same game from another player like it, and from the same player after a new game. */
static void check_spec(struct desk *d, const char *spec, uint64_t seed)
{
	struct qv_answer first[GAME_PLIES], again[GAME_PLIES];
	struct qv_player *player = desk_player(d, spec, seed), *twin = desk_player(d, spec, seed);
	play_on(d, player, first);
	play_on(d, twin, again);
	check_same_game(spec, first, again);
	qv_player_new_game(player);
	play_on(d, player, again);
	check_same_game(spec, first, again);
	qv_player_free(player);
	qv_player_free(twin);
}

/* Games the searches are for; three seats or chance for those that play any game. */
static bool spec_fits(const struct qv_game *game, const char *spec)
{
	const bool several = strncmp(spec, "maxn", 4) == 0 || strncmp(spec, "paranoid", 8) == 0 ||
			     strncmp(spec, "brs", 3) == 0;
	return (game->seats == 2 && !game->chance) || strcmp(spec, "random") == 0 ||
	       strncmp(spec, "mcts", 4) == 0 || (several && game->seats > 1 && !game->chance);
}

/* A short run plays each spec in every second game, or in every fourth. */
static int spec_step(void)
{
	const int64_t percent = scaled(100);
	return percent >= 100 ? 1 : percent >= 50 ? 2 : 4;
}

static void test_repro__every_game_and_spec(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	const int step = spec_step();
	for (int i = 0; qv_game_at(context, i); i++)
		for (int j = i % step; j < SPECS; j += step) {
			struct desk d;
			desk_open(&d, context, qv_game_at(context, i)->name, "start");
			if (spec_fits(d.rules.game, specs[j]))
				check_spec(&d, specs[j], 1 + (uint64_t)j);
			desk_close(&d);
		}
	qv_context_free(context);
}

/* The plug-in stamp is another machine with the same answers, to the node. */
static void test_repro__plugin_stamp_counts_the_same(void **unused)
{
	static const char *const games[] = { "noughts", "connect4", "reversi" };
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	const int step = scaled(100) < 100 ? 2 : 1;
	for (int i = 0; i < 3; i++)
		for (int j = i % step; j < SPECS; j += step) {
			struct desk d;
			struct qv_answer built_in[GAME_PLIES], plugin[GAME_PLIES];
			desk_open(&d, context, games[i], "start");
			struct qv_player *player = desk_player(&d, specs[j], 3);
			play_on(&d, player, built_in);
			qv_player_free(player);
			desk_as_plugin(&d);
			player = desk_player(&d, specs[j], 3);
			play_on(&d, player, plugin);
			qv_player_free(player);
			check_same_game(specs[j], built_in, plugin);
			desk_close(&d);
		}
	qv_context_free(context);
}

/* ---- Twenty node limits ---- */

enum { LIMITS = 20 };

static void run_limits(struct desk *d, struct qv_player *player, bool evals,
		       struct qv_answer answers[LIMITS])
{
	const int doublings = scaled(100) < 100 ? 8 : 10;
	for (int i = 0; i < LIMITS; i++) {
		const uint64_t most = (UINT64_C(300) << i % doublings) + 37 * (uint64_t)i;
		struct qv_limits limits = { .size = sizeof limits,
					    .nodes = evals ? 0 : most,
					    .evals = evals ? most : 0 };
		answers[i].size = sizeof *answers;
		assert_int_equal(
			qv_player_think(player, d->state, &limits, NULL, &answers[i], NULL), QV_OK);
		assert_true(qv_move_legal(d->rules.game, d->state, answers[i].move));
		assert_true((evals ? answers[i].evals : answers[i].nodes) <= most);
	}
}

/*
 * As engines are tested: with what one search leaves behind for the next, the counts stay the same
 * after a new game.
 */
static void test_repro__twenty_node_limits_before_and_after_a_new_game(void **unused)
{
	static const char *const games[] = { "connect4", "reversi", "toy-quiet", "toy-repeat" };
	static const char *const limited[] = { "alphabeta:depth=40,tt=1",
					       "negascout:depth=40,tt=1,random=1",
					       "mtdf:depth=40,tt=1" };
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	for (int i = 0; i < 4 * 3 * 2; i++) {
		struct desk d;
		struct qv_answer before[LIMITS], after[LIMITS];
		const char *spec = limited[i / 4 % 3];
		desk_open(&d, context, games[i % 4], "start");
		struct qv_player *player = desk_player(&d, spec, 5);
		run_limits(&d, player, i >= 12, before);
		qv_player_new_game(player);
		run_limits(&d, player, i >= 12, after);
		for (int k = 0; k < LIMITS; k++)
			if (!same_answer(&before[k], &after[k]))
				fail_msg("%s %s, limit %d: %llu nodes, then %llu", games[i % 4],
					 spec, k, (unsigned long long)before[k].nodes,
					 (unsigned long long)after[k].nodes);
		qv_player_free(player);
		desk_close(&d);
	}
	qv_context_free(context);
}

/* A listener changes nothing. */
static void hear_iteration(void *ctx, const struct qv_answer *so_far)
{
	*(int *)ctx += so_far->depth > 0;
}

static void test_repro__listening_changes_nothing(void **unused)
{
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	int heard = 0;
	const struct qv_listener listener = { .size = sizeof listener,
					      .iteration = hear_iteration,
					      .ctx = &heard };
	const struct qv_answer alone = desk_ask(&d, "alphabeta:depth=6,tt=1", 1, NULL);
	struct qv_player *player = desk_player(&d, "alphabeta:depth=6,tt=1", 1);
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_think(player, d.state, NULL, &listener, &answer, NULL), QV_OK);
	assert_true(same_answer(&alone, &answer));
	assert_int_equal(heard, 6);
	qv_player_free(player);
	desk_close(&d);
	qv_context_free(context);
}

/* ---- Random choice between equals ---- */

/* The moves whose own value, by minimax to that depth, is the best there is. */
static int best_moves(struct desk *d, int depth, qv_move *best)
{
	qv_move list[QV_MAX_MOVES];
	char spec[64];
	int32_t most = INT32_MIN;
	int n = 0;
	const int count = d->rules.game->moves(d->state, list);
	snprintf(spec, sizeof spec, "minimax:depth=%d", depth);
	for (int i = 0; i < count; i++) {
		const struct qv_limits limits = { .size = sizeof limits,
						  .only = &list[i],
						  .only_count = 1 };
		const int32_t score = desk_ask(d, spec, 1, &limits).score;
		n = score > most ? 0 : n;
		if (score >= most)
			best[n++] = list[i];
		most = score > most ? score : most;
	}
	return n;
}

static int place_of(const qv_move *list, int count, qv_move move)
{
	for (int i = 0; i < count; i++)
		if (list[i] == move)
			return i;
	return -1;
}

/* Over many seeds every one of the equal best is chosen, about as often, and nothing else. */
static void check_choice(struct desk *d, const char *position, const char *spec, int depth,
			 int each)
{
	qv_move best[QV_MAX_MOVES];
	int chosen[64] = { 0 };
	assert_int_equal(qv_position_parse(&d->rules, position, d->state, NULL), QV_OK);
	const int n = best_moves(d, depth, best);
	const int seeds = each * n;
	for (int seed = 1; seed <= seeds; seed++) {
		const struct qv_answer answer = desk_ask(d, spec, (uint64_t)seed, NULL);
		const int place = place_of(best, n, answer.move);
		if (place < 0)
			fail_msg("%s %s, seed %d: a move that is not among the %d best", position,
				 spec, seed, n);
		assert_true(answer.line[0] == answer.move);
		chosen[place]++;
	}
	for (int i = 0; i < n; i++)
		if (chosen[i] < each / 4 || (n > 1 && chosen[i] > each * 5 / 2))
			fail_msg("%s %s: best move %d of %d was chosen %d times of %d", position,
				 spec, i + 1, n, chosen[i], seeds);
}

/* The keys of a spec; its depth goes before them. */
static const char *const choosers[] = {
	"minimax:depth=%d,random=1",
	"negamax:depth=%d,random=1",
	"alphabeta:depth=%d,random=1,tt=0",
	"alphabeta:depth=%d,random=1,tt=1,tt-exact=1",
	"alphabeta:depth=%d,random=1,tt=0,window=5",
	"alphabeta:depth=%d,random=1,tt=0,iterate=0,sort=0,killers=0,history=0,deep=0",
	"negascout:depth=%d,random=1,tt=0",
	"negascout:depth=%d,random=1,tt=1,tt-exact=1",
	"mtdf:depth=%d,random=1,tt=0",
	"mtdf:depth=%d,random=1,tt=1,tt-exact=1",
};
enum { CHOOSERS = sizeof choosers / sizeof *choosers };

static void check_choices(const char *game, const char *position, int depth, int first, int each)
{
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, game, "start");
	for (int i = first; i < CHOOSERS; i++) {
		char spec[128];
		const char *percent = strstr(choosers[i], "%d");
		snprintf(spec, sizeof spec, "%.*s%d%s", (int)(percent - choosers[i]), choosers[i],
			 depth, percent + 2);
		check_choice(&d, position, spec, depth, each);
	}
	desk_close(&d);
	qv_context_free(context);
}

static void test_random_choice__heuristic_values(void **unused)
{
	(void)unused;
	check_choices("noughts", "start", 2, 0, 40);
	check_choices("connect4", "start", 3, 0, 40);
	check_choices("connect4", "1726354", 4, 0, 40);
	check_choices("reversi", "start", 3, 0, 40);
}

/* Where the end is in sight: all nine first moves of noughts and crosses are draws. */
static void test_random_choice__proven_values(void **unused)
{
	(void)unused;
	check_choices("noughts", "x...o.... x", 7, 0, 20); /* draws */
	check_choices("noughts", "x........ o", 8, 2, 10); /* one move holds */
	check_choices("noughts", "xo....... x", 7, 0, 20); /* several win */
	check_choices("connect4", "......./......./......./......./ooo..../xxx.... x", 3, 0, 20);
	if (scaled(100) >= 100)
		check_choices("noughts", "start", 9, 6, 12);
}

static void test_random_choice__seeds_differ_somewhere(void **unused)
{
	static const char *const random_specs[] = { "random", "alphabeta:depth=2,random=1",
						    "mtdf:depth=2,random=1",
						    "minimax:depth=2,random=1" };
	(void)unused;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "reversi", "start");
	for (int i = 0; i < 4; i++) {
		struct qv_answer one[GAME_PLIES], other[GAME_PLIES];
		int different = 0;
		for (uint64_t seed = 1; seed <= 10; seed++) {
			struct qv_player *a = desk_player(&d, random_specs[i], seed),
					 *b = desk_player(&d, random_specs[i], seed + 100);
			play_on(&d, a, one);
			play_on(&d, b, other);
			for (int ply = 0; ply < GAME_PLIES; ply++)
				different += one[ply].move != other[ply].move;
			qv_player_free(a);
			qv_player_free(b);
		}
		assert_true(different > 10);
	}
	/* Without random=1 the seed is nothing. */
	const struct qv_answer a = desk_ask(&d, "alphabeta:depth=5", 1, NULL),
			       b = desk_ask(&d, "alphabeta:depth=5", 2, NULL);
	assert_true(same_answer(&a, &b));
	desk_close(&d);
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repro__every_game_and_spec),
		cmocka_unit_test(test_repro__plugin_stamp_counts_the_same),
		cmocka_unit_test(test_repro__twenty_node_limits_before_and_after_a_new_game),
		cmocka_unit_test(test_repro__listening_changes_nothing),
		cmocka_unit_test(test_random_choice__heuristic_values),
		cmocka_unit_test(test_random_choice__proven_values),
		cmocka_unit_test(test_random_choice__seeds_differ_somewhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
