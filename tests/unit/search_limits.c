/*
 * search_limits.c - limits are kept, and a search that is stopped, at whatever moment, has an
 * answer: the choice of the last depth that was complete, or a better one.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "base/clock.h"
#include "base/flag.h"

enum { SPEC = 256, SECONDS_MOST = 20 };

static const char *const specs[] = {
	"minimax:depth=%d",
	"negamax:depth=%d",
	"minimax:depth=%d,iterate=1",
	"alphabeta:depth=%d",
	"alphabeta:depth=%d,tt=0,sort=0,killers=0,history=0,keep-line=0,iterate=0",
	"alphabeta:depth=%d,tt=0,window=20",
	"alphabeta:depth=%d,tt=0,razor=1,hard=50",
	"alphabeta:depth=%d,hard=1",
	"negascout:depth=%d",
	"negascout:depth=%d,tt=0,random=1",
	"mtdf:depth=%d",
	"mtdf:depth=%d,tt=0,random=1",
	"alphabeta:depth=%d,top=2",
	"negascout:depth=%d,top=3,tt=0",
};
enum { SPECS = sizeof specs / sizeof *specs };

static const char *spec_to(char *spec, int i, int depth)
{
	snprintf(spec, SPEC, specs[i], depth);
	return spec;
}

/* Calls visit at random positions of every game for two. */
static void visit_positions(const struct qv_context *context, int count, uint64_t key,
			    void (*visit)(const struct spot *, struct qv_random *))
{
	struct qv_random random = { key, 0 };
	for (int i = 0; qv_game_at(context, i); i++)
		for (int k = (int)scaled(count); is_duel(qv_game_at(context, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(context, qv_game_at(context, i), 40, &random);
			visit(&s, &random);
		}
}

/* ---- depth ---- */

static void check_depth(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC];
	const int theirs = 1 + (int)qv_random_below(random, 4),
		  ours = 1 + (int)qv_random_below(random, 4);
	const int least = theirs < ours ? theirs : ours;
	struct qv_limits limits = limits_at(s);
	limits.depth = theirs;
	for (int i = 0; i < SPECS; i++) {
		const struct qv_answer answer = think(s, spec_to(spec, i, ours), &limits, NULL);
		if (answer.depth != least && !(answer.proven && answer.depth < least))
			fail_msg("%s and depth %d: %d", spec, theirs, answer.depth);
	}
}

static void test_search_limits__the_smaller_depth_holds(void **state)
{
	visit_positions(*state, 20, 1, check_depth);
}

/* ---- nodes and evaluations ---- */

static void check_nodes(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC];
	struct qv_limits limits = limits_at(s);
	limits.nodes = 1 + qv_random_below(random, qv_random_below(random, 2) ? 50 : 3000);
	for (int i = 0; i < SPECS; i++) {
		const struct qv_answer answer = think(s, spec_to(spec, i, 12), &limits, NULL);
		if (answer.nodes > limits.nodes)
			fail_msg("%s: %llu nodes allowed, %llu taken", spec,
				 (unsigned long long)limits.nodes,
				 (unsigned long long)answer.nodes);
	}
}

static void test_search_limits__no_more_nodes_than_allowed(void **state)
{
	visit_positions(*state, 40, 2, check_nodes);
}

static void check_thread_nodes(const struct spot *s, struct qv_random *random)
{
	struct qv_limits limits = limits_at(s);
	limits.nodes = 1 + qv_random_below(random, 2000);
	const struct qv_answer answer = think(s, "alphabeta:depth=12,threads=3", &limits, NULL);
	if (answer.nodes > limits.nodes)
		fail_msg("three threads: %llu nodes allowed, %llu taken",
			 (unsigned long long)limits.nodes, (unsigned long long)answer.nodes);
}

static void test_search_limits__nor_by_all_threads_together(void **state)
{
	visit_positions(*state, 40, 3, check_thread_nodes);
}

static void check_evals(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC];
	struct qv_limits limits = limits_at(s);
	limits.evals = 1 + qv_random_below(random, qv_random_below(random, 2) ? 50 : 3000);
	for (int i = 0; i < SPECS; i++) {
		const struct qv_answer answer = think(s, spec_to(spec, i, 12), &limits, NULL);
		if (answer.evals > limits.evals + (uint64_t)s->rules.game->max_moves)
			fail_msg("%s: %llu evaluations allowed, %llu done", spec,
				 (unsigned long long)limits.evals,
				 (unsigned long long)answer.evals);
	}
}

static void test_search_limits__no_more_evaluations_than_allowed_and_a_list(void **state)
{
	visit_positions(*state, 40, 4, check_evals);
}

static void ignore_visit(void *ctx, const struct qv_visit *visit)
{
	(void)ctx, (void)visit;
}

/* A search with a listener stops at the same node, with the same counts and answer. */
static void check_watched(const struct spot *s, const char *spec, const struct qv_limits *limits)
{
	char text[QV_POSITION_TEXT];
	const struct qv_listener listener = { .size = sizeof listener, .enter = ignore_visit };
	const struct qv_answer alone = think(s, spec, limits, NULL),
			       watched = think(s, spec, limits, &listener);
	if (!same_answer(&alone, &watched))
		fail_msg("%s, %s, %s, %llu nodes and %llu evaluations allowed: %llu and %llu, "
			 "watched %llu and %llu",
			 s->rules.game->name, spot_text(s, text), spec,
			 (unsigned long long)limits->nodes, (unsigned long long)limits->evals,
			 (unsigned long long)alone.nodes, (unsigned long long)alone.evals,
			 (unsigned long long)watched.nodes, (unsigned long long)watched.evals);
}

static void check_watched_specs(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC];
	for (int i = 0; i < 2 * SPECS; i++) {
		const uint64_t most = 1 + qv_random_below(random, i % 3 ? 300 : 2000);
		struct qv_limits limits = limits_at(s);
		limits.nodes = i < SPECS ? most : 0;
		limits.evals = i < SPECS ? 0 : most;
		check_watched(s, spec_to(spec, i % SPECS, 12), &limits);
	}
}

static void test_search_limits__hold_alike_for_a_watched_search(void **state)
{
	visit_positions(*state, 5, 10, check_watched_specs);
}

/* Counted moves: a listed move is as many leaves as it has numbers. */
static void test_search_limits__hold_alike_with_counted_moves(void **state)
{
	static const char *const kinds[] = {
		"minimax:depth=9,iterate=1",
		"minimax:depth=9,iterate=1,stack=1",
		"negamax:depth=9,iterate=1",
		"negamax:depth=9,iterate=1,stack=1",
		"alphabeta:depth=9,tt=0,quiet=0",
		"alphabeta:depth=9,tt=0,quiet=0,sort=0,killers=0,history=0,keep-line=0",
		"alphabeta:depth=9,tt=1,quiet=0",
		"alphabeta:depth=9,tt=0,quiet=0,deep=0",
		"alphabeta:depth=9,tt=0,quiet=0,window=5",
		"alphabeta:depth=9,tt=0,quiet=0,razor=1,hard=5",
		"alphabeta:depth=9,tt=0,quiet=0,top=2",
		"alphabeta:depth=9,tt=0,stack=1",
		"negascout:depth=9,tt=0,quiet=0",
		"negascout:depth=9,tt=1,random=1,quiet=0",
		"mtdf:depth=9,tt=1,quiet=0",
		"mtdf:depth=9,tt=0,quiet=0",
		"maxn:depth=9",
		"paranoid:depth=9",
		"brs:depth=9",
	};
	struct qv_random random = { 11, 0 };
	for (int n = 0; n < 4; n++) {
		struct spot s = spot_at(*state, "toy-counted", NULL);
		for (int k = 0; k < n; k++)
			spot_wander(&s, &random);
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			for (uint64_t most = 1; most < 150; most += 3) {
				check_watched(&s, kinds[i],
					      &(struct qv_limits){ .size = sizeof(struct qv_limits),
								   .nodes = most });
				check_watched(&s, kinds[i],
					      &(struct qv_limits){ .size = sizeof(struct qv_limits),
								   .evals = most });
			}
	}
}

/*
 * A limit in the spec and one of the caller's: the smaller holds, and a large enough one changes
 * nothing.
 */
static void test_search_limits__limits_of_spec_and_caller_meet(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	struct qv_limits limits = { .size = sizeof limits, .nodes = 500 };
	assert_true(think(&s, "alphabeta:depth=9,nodes=300", &limits, NULL).nodes <= 300);
	limits.nodes = 200;
	assert_true(think(&s, "alphabeta:depth=9,nodes=300", &limits, NULL).nodes <= 200);
	limits.nodes = UINT64_MAX;
	limits.evals = UINT64_MAX;
	const struct qv_answer free = think(&s, "alphabeta:depth=5", NULL, NULL);
	const struct qv_answer loose =
		think(&s, "alphabeta:depth=5,nodes=100000000", &limits, NULL);
	assert_true(same_answer(&free, &loose));
}

/* ---- time ---- */

static void test_search_limits__a_millisecond_is_enough_for_an_answer(void **state)
{
	static const char *const timed[] = { "minimax:depth=60", "alphabeta:time=1ms",
					     "negascout:time=1ms,threads=2", "mtdf:time=1ms,tt=0" };
	struct qv_random random = { 5, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = 0; is_duel(qv_game_at(*state, i)) && k < 8; k++) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 40, &random);
			struct qv_limits limits = limits_at(&s);
			limits.time_ms = 1 + k;
			const int64_t before = clock_us();
			think(&s, timed[k % 4], &limits, NULL);
			assert_true(clock_us() - before < SECONDS_MOST * INT64_C(1000000));
		}
}

/* ---- only these moves ---- */

static void check_only(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC], text[QV_POSITION_TEXT];
	qv_move moves[SPOT_MOVES], only[2];
	const int n = spot_moves(s, moves);
	for (int i = 0; i < 2; i++)
		only[i] = moves[qv_random_below(random, (uint64_t)n)];
	struct qv_limits limits = limits_at(s);
	limits.only = only;
	limits.only_count = 2;
	for (int i = 0; i < SPECS; i++) {
		limits.depth = 1 + (int)qv_random_below(random, 5);
		limits.nodes = qv_random_below(random, 3) ? 0 : 1 + qv_random_below(random, 20);
		const struct qv_answer answer = think(s, spec_to(spec, i, 5), &limits, NULL);
		if (answer.move != only[0] && answer.move != only[1])
			fail_msg(
				"%s, depth %d, %llu nodes: the move is none of those asked for at %s",
				spec, limits.depth, (unsigned long long)limits.nodes,
				spot_text(s, text));
	}
}

static void test_search_limits__only_the_moves_asked_for_are_answered(void **state)
{
	visit_positions(*state, 60, 6, check_only);
}

/* The value is that of the best of them. */
static void check_only_value(const struct spot *s, struct qv_random *random)
{
	qv_move moves[SPOT_MOVES];
	const qv_move move = moves[qv_random_below(random, (uint64_t)spot_moves(s, moves))];
	struct spot next = *s;
	struct qv_limits limits = limits_at(s);
	spot_play(&next, move);
	const int32_t below = literal_value(&next, 2, 1);
	const bool turns = s->rules.game->seat(next.state) != s->rules.game->seat(s->state);
	limits.only = &move;
	limits.only_count = 1;
	assert_int_equal(think(s, "alphabeta:depth=3,quiet=0,tt-exact=1", &limits, NULL).score,
			 turns ? -below : below);
}

static void test_search_limits__and_their_value_is_theirs(void **state)
{
	visit_positions(*state, 60, 7, check_only_value);
}

/* ---- stopping ---- */

struct iterations {
	int count;
	struct qv_answer at[32]; /* at[d]: of depth d */
};

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct iterations *list = ctx;
	assert_int_equal(so_far->depth, list->count + 1);
	list->at[++list->count] = *so_far;
}

/* What the move is worth to that depth. */
static int32_t worth(const struct spot *s, qv_move move, int depth)
{
	struct qv_limits limits = limits_at(s);
	limits.depth = depth;
	limits.only = &move;
	limits.only_count = 1;
	return think(s, "alphabeta:depth=20,iterate=0,tt=0,quiet=0", &limits, NULL).score;
}

/*
 * The answer after so many nodes: the choice of the last complete depth, or one that the next depth
 * holds no worse.
 */
static void check_interrupted(const struct spot *s, const char *spec, uint64_t nodes,
			      const struct iterations *whole)
{
	char text[QV_POSITION_TEXT];
	struct qv_limits limits = limits_at(s);
	limits.nodes = nodes;
	const struct qv_answer answer = think(s, spec, &limits, NULL);
	assert_true(answer.nodes <= nodes && answer.depth <= whole->count);
	if (answer.depth == 0 || answer.move == whole->at[answer.depth].move)
		return;
	const int next = answer.depth + 1;
	if (worth(s, answer.move, next) < worth(s, whole->at[answer.depth].move, next))
		fail_msg(
			"%s: stopped after %llu nodes, the move is worse than that of depth %d, at %s",
			spec, (unsigned long long)nodes, answer.depth, spot_text(s, text));
}

static void check_every_interruption(const struct spot *s, const char *spec)
{
	static struct iterations whole;
	const struct qv_listener listener = { .size = sizeof listener,
					      .iteration = on_iteration,
					      .ctx = &whole };
	const struct qv_limits limits = limits_at(s);
	whole.count = 0;
	const struct qv_answer answer = think(s, spec, &limits, &listener);
	assert_int_equal(whole.count, answer.depth);
	const uint64_t last = answer.nodes < 600 ? answer.nodes : 600;
	for (uint64_t k = 1; k <= last; k++)
		check_interrupted(s, spec, k, &whole);
}

/* What a listener hears, and in which order it was called among several. */
struct heard {
	int starts, ends, branches, nodes, leaves, roots;
	int *calls, last; /* calls of all listeners; the number of this one's last call */
};

static void hear_start(void *ctx, int depth)
{
	struct heard *h = ctx;
	assert_int_equal(depth, h->ends + 1);
	h->starts++;
	h->last = ++*h->calls;
}

static void hear_end(void *ctx, const struct qv_answer *so_far)
{
	struct heard *h = ctx;
	assert_int_equal(so_far->depth, h->starts);
	h->ends++;
}

static void hear_root(void *ctx, qv_move move, int n, int depth)
{
	(void)move, (void)n, (void)depth;
	((struct heard *)ctx)->roots++;
}

static void hear_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	(void)state, (void)move, (void)ply, (void)alpha, (void)beta;
	((struct heard *)ctx)->branches++;
}

static void hear_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	(void)move, (void)ply, (void)value, (void)cut;
	((struct heard *)ctx)->nodes++;
}

static void hear_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	(void)state, (void)ply, (void)value;
	((struct heard *)ctx)->leaves++;
}

/*
 * Three listeners on one search hear the same as one alone, in the order of the chain. The last one
 * has few functions, which changes nothing for the others.
 */
static void test_search_limits__several_listeners_hear_the_same(void **state)
{
	static const struct {
		const char *game, *spec, *position;
	} list[] = {
		{ "connect4", "alphabeta:depth=5,tt=1", NULL },
		{ "connect4", "negascout:depth=4,tt=0", NULL },
		{ "reversi", "lurgee:depth=4,book=none", NULL },
		{ "race", "expectimax:depth=2", "0,0,0,0 0,0,0,0 1 3" },
		{ "toy-three", "maxn:depth=4", NULL },
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		const struct spot s = spot_at(*state, list[i].game, list[i].position);
		int calls = 0, of_alone = 0;
		struct heard alone = { .calls = &of_alone }, h[3];
		const struct qv_listener all = { .size = sizeof all, .iteration_start = hear_start,
						 .iteration = hear_end,
						 .root_move = hear_root,
						 .branch = hear_branch,
						 .node = hear_node,
						 .leaf = hear_leaf,
						 .ctx = &alone };
		struct qv_listener chain[3] = {
			all, all, { .size = sizeof *chain, .iteration_start = hear_start }
		};
		for (int k = 0; k < 3; k++) {
			h[k] = (struct heard){ .calls = &calls };
			chain[k].ctx = &h[k];
			chain[k].next = k < 2 ? &chain[k + 1] : NULL;
		}
		chain[2].iteration = hear_end;
		const struct qv_answer one = think(&s, list[i].spec, NULL, &all);
		const struct qv_answer several = think(&s, list[i].spec, NULL, chain);
		assert_true(one.move == several.move && one.nodes == several.nodes);
		assert_true(alone.starts == one.depth && alone.ends == one.depth);
		assert_true(alone.branches > 0 && alone.nodes > 0 && alone.leaves > 0);
		for (int k = 0; k < 2; k++) {
			assert_true(h[k].starts == alone.starts && h[k].ends == alone.ends);
			assert_true(h[k].branches == alone.branches && h[k].nodes == alone.nodes);
			assert_true(h[k].leaves == alone.leaves && h[k].roots == alone.roots);
		}
		assert_true(h[2].starts == alone.starts && h[2].ends == alone.ends);
		assert_true(h[2].branches == 0);
		assert_true(h[0].last + 1 == h[1].last && h[1].last + 1 == h[2].last);
	}
}

static void test_search_limits__interrupted_after_any_node_the_answer_is_good(void **state)
{
	static const char *const ways[] = {
		"minimax:depth=3,iterate=1",
		"alphabeta:depth=4,quiet=0,tt=0",
		"alphabeta:depth=4,quiet=0,tt=0,window=2",
		"negascout:depth=4,quiet=0,tt=0",
		"mtdf:depth=4,quiet=0,tt=0",
		"mtdf:depth=4,quiet=0,tt=0,random=1",
		"alphabeta:depth=4,quiet=0,tt=1,tt-exact=1",
	};
	struct qv_random random = { 8, 0 };
	int way = 0;
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(7); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 30, &random);
			check_every_interruption(&s, ways[way++ % 7]);
		}
}

/* Sets the flag at the k-th move that is tried. */
struct stopper {
	struct qv_flag stop;
	int after;
	int heard; /* moves tried after the flag was set */
};

static void stop_soon(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		      int32_t beta)
{
	struct stopper *s = ctx;
	(void)state, (void)move, (void)ply, (void)alpha, (void)beta;
	if (s->after > 0 && --s->after == 0)
		flag_set(&s->stop, true);
	else if (s->after == 0)
		s->heard++;
}

static enum qv_status think_until(struct qv_player *player, const struct spot *s,
				  struct stopper *stopper, struct qv_answer *answer)
{
	const struct qv_listener listener = { .size = sizeof listener,
					      .branch = stop_soon,
					      .ctx = stopper };
	struct qv_limits limits = limits_at(s);
	struct qv_error error = { "" };
	limits.stop = &stopper->stop;
	const enum qv_status status =
		qv_player_think(player, s->state, &limits, &listener, answer, &error);
	assert_int_equal(status == QV_STOPPED, strcmp(error.text, "") != 0);
	return status;
}

/*
 * A flag that is up before the search begins, or goes up in its midst, ends it soon; the player can
 * go on playing.
 */
static void check_stop(const struct spot *s, struct qv_random *random)
{
	char spec[SPEC];
	const int way = (int)qv_random_below(random, SPECS);
	struct qv_player *player = player_new(s, spec_to(spec, way, 5));
	struct stopper stopper = { .after = (int)qv_random_below(random, 400) };
	struct qv_answer answer = { .size = sizeof answer };
	const struct qv_limits limits = limits_at(s);
	flag_set(&stopper.stop, stopper.after == 0);
	const bool before = stopper.after == 0;
	const enum qv_status status = think_until(player, s, &stopper, &answer);
	assert_true(status == QV_OK || status == QV_STOPPED);
	assert_true(qv_move_legal(s->rules.game, s->state, answer.move));
	assert_true(answer.line_length >= 1 && answer.line[0] == answer.move);
	assert_true(stopper.heard < 40000);
	if (status == QV_STOPPED)
		assert_true(before || stopper.after == 0);
	qv_player_new_game(player);
	const struct qv_answer after = ask(player, s, &limits, NULL),
			       fresh = think(s, spec, NULL, NULL);
	assert_int_equal(after.score, fresh.score);
	assert_true(after.nodes == fresh.nodes);
	qv_player_free(player);
}

static void test_search_limits__a_stop_is_obeyed_and_forgotten(void **state)
{
	visit_positions(*state, 15, 9, check_stop);
}

/* Another thread, at another moment each time. */
struct alarm {
	struct qv_flag stop;
	long nanoseconds;
};

static void *ring(void *arg)
{
	struct alarm *alarm = arg;
	const struct timespec pause = { 0, alarm->nanoseconds };
	nanosleep(&pause, NULL);
	flag_set(&alarm->stop, true);
	return NULL;
}

static void test_search_limits__a_stop_from_another_thread_brings_the_answer(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	struct qv_player *player = player_new(&s, "alphabeta:depth=60,threads=2");
	for (int i = 0; i < scaled(40); i++) {
		struct alarm alarm = { .nanoseconds = i * 50000 };
		struct qv_limits limits = { .size = sizeof limits, .stop = &alarm.stop };
		struct qv_answer answer = { .size = sizeof answer, .move = QV_NO_MOVE };
		pthread_t thread;
		flag_set(&alarm.stop, false);
		assert_int_equal(pthread_create(&thread, NULL, ring, &alarm), 0);
		assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &answer, NULL),
				 QV_STOPPED);
		assert_int_equal(pthread_join(thread, NULL), 0);
		assert_true(qv_move_legal(s.rules.game, s.state, answer.move));
	}
	qv_player_free(player);
}

/* ---- ended games ---- */

static void test_search_limits__an_ended_game_has_no_move(void **state)
{
	const struct spot won = spot_at(*state, "noughts", "xxxoo.... o"),
			  drawn = spot_at(*state, "noughts", "xoxxoooxx o");
	for (int i = 0; i < SPECS; i++) {
		char spec[SPEC];
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_player *player = player_new(&won, spec_to(spec, i, 4));
		assert_int_equal(qv_player_think(player, won.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		assert_true(answer.move == QV_NO_MOVE && answer.proven && answer.score == -QV_WIN);
		assert_true(answer.line_length == 0 && answer.nodes == 0);
		assert_int_equal(qv_player_think(player, drawn.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		assert_true(answer.move == QV_NO_MOVE && answer.proven && answer.score == 0);
		qv_player_free(player);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_limits__the_smaller_depth_holds),
		cmocka_unit_test(test_search_limits__no_more_nodes_than_allowed),
		cmocka_unit_test(test_search_limits__nor_by_all_threads_together),
		cmocka_unit_test(test_search_limits__no_more_evaluations_than_allowed_and_a_list),
		cmocka_unit_test(test_search_limits__hold_alike_for_a_watched_search),
		cmocka_unit_test(test_search_limits__hold_alike_with_counted_moves),
		cmocka_unit_test(test_search_limits__limits_of_spec_and_caller_meet),
		cmocka_unit_test(test_search_limits__a_millisecond_is_enough_for_an_answer),
		cmocka_unit_test(test_search_limits__only_the_moves_asked_for_are_answered),
		cmocka_unit_test(test_search_limits__and_their_value_is_theirs),
		cmocka_unit_test(test_search_limits__several_listeners_hear_the_same),
		cmocka_unit_test(test_search_limits__interrupted_after_any_node_the_answer_is_good),
		cmocka_unit_test(test_search_limits__a_stop_is_obeyed_and_forgotten),
		cmocka_unit_test(test_search_limits__a_stop_from_another_thread_brings_the_answer),
		cmocka_unit_test(test_search_limits__an_ended_game_has_no_move),
	};
	return cmocka_run_group_tests_name("search_limits", tests, setup, teardown);
}
