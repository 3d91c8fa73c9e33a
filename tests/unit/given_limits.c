/*
 * given_limits.c - a limit that somebody gives replaces a kind's own, which nobody wrote: the work
 * of every kind of player grows with it. A limit that a spec names stays.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "base/flag.h"
#include "core/context.h"
#include "core/player.h"
#include "search/budget.h"

enum { HOUR_MS = 3600000 };

#define GAMMON "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31"

/* The middle of a game of Star Chess, in which more nodes find more turns. */
static const char galaxy[] = "SC1 turn=10 move=4 f1=184,2166 f2=90,2330 f3=50,3262 f4=17,2953 "
			     "A1=T1:1000:0/1:29:29 A2=B1:42:0 A3=T0/2:23:23 A4=T2:1000:0/2:15:15 "
			     "B1=T1:28:0/1:7:7 B2=B1:30:0/1:2:2 B3=B2:28:0/2:6:6 B4=B2:42:0 "
			     "C1=T4:33:0/4:27:25 C2=B0 C3=B0/3:8:8 C4=T0 D1=T4:1000:20/4:3:1 "
			     "D2=B4:39:30/4:6:3 D3=B3:42:0/3:18:18 D4=T3:1000:0/3:10:10";

/* Of every kind with a limit of its own, a position that it does not prove within that limit. */
static const struct row {
	const char *spec, *game, *position;
	int depth;     /* of its own limit; 0: it has none */
	bool no_evals; /* no number of evaluations limits it */
} rows[] = {
	{ "minimax", "connect4", NULL, 4, false },
	{ "negamax", "connect4", NULL, 4, false },
	{ "alphabeta", "connect4", NULL, 6, false },
	{ "alphabeta:iterate=0", "connect4", NULL, 6, false },
	{ "negascout", "connect4", NULL, 6, false },
	{ "mtdf", "connect4", NULL, 6, false },
	{ "selective", "minichess", NULL, 6, false },
	{ "mcts", "connect4", NULL, 0, true },
	{ "expectimax", "race", "0,0,0,0 0,0,0,0 1 3", 3, false },
	{ "maxn", "connect4", NULL, 4, false },
	{ "paranoid", "connect4", NULL, 4, false },
	{ "brs", "connect4", NULL, 4, false },
	{ "lurgee:book=none", "connect4", NULL, 5, false },
	{ "lurgee:book=none,iterate=0", "connect4", NULL, 5, false },
	{ "threats", "gomoku:size=9", NULL, 6, false },
	{ "admiral", "starchess", galaxy, 0, true },
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct spot spot_of(const struct qv_context *context, const struct row *row)
{
	return spot_at(context, row->game, row->position);
}

/* Kinds with tests of their own: nobody waits for 7.5 s; and only whole plies count. */
static const char *const others[] = { "seed", "equity" };

static void test_given_limits__every_kind_with_a_limit_is_tested(void **state)
{
	(void)state;
	for (int i = 0; player_kind_at(i); i++) {
		const struct player_kind *kind = player_kind_at(i);
		const size_t length = strlen(kind->name);
		bool found = !kind->limit || strcmp(kind->name, others[0]) == 0 ||
			     strcmp(kind->name, others[1]) == 0;
		for (int k = 0; k < ROWS; k++)
			found |= strncmp(rows[k].spec, kind->name, length) == 0 &&
				 (!rows[k].spec[length] || rows[k].spec[length] == ':');
		if (!found)
			fail_msg("%s has the limit %s and no row here", kind->name, kind->limit);
	}
}

static bool not_beyond(void *ctx, uint64_t nodes)
{
	return nodes <= *(const uint64_t *)ctx;
}

/* How many nodes it searches before the watch, which alone ends this search, ends it. */
static uint64_t watched_nodes(const struct spot *s, const char *spec, struct qv_limits limits,
			      uint64_t beyond)
{
	struct qv_player *player = player_new(s, spec);
	struct qv_answer answer = { .size = sizeof answer };
	limits.watch = not_beyond;
	limits.watch_ctx = &beyond;
	qv_player_think(player, s->state, &limits, NULL, &answer, NULL);
	qv_player_free(player);
	return answer.nodes;
}

static void assert_more(const struct row *row, const char *limit, uint64_t own, uint64_t given)
{
	if (given <= own)
		fail_msg("%s, %s: %llu without a limit, %llu with a wider one", row->spec, limit,
			 (unsigned long long)own, (unsigned long long)given);
}

/* The clock ends none of these searches: the watch does, once they have done more than by themselves. */
static void test_given_limits__more_of_anything_is_more_work(void **state)
{
	for (const struct row *row = rows; row < rows + ROWS; row++) {
		const struct spot s = spot_of(*state, row);
		const struct qv_answer own = think(&s, row->spec, NULL, NULL);
		const uint64_t beyond = own.nodes * 5 / 4 + 1000;
		assert_false(own.proven);
		struct qv_limits limits = limits_at(&s);
		limits.nodes = beyond;
		assert_more(row, "nodes", own.nodes, think(&s, row->spec, &limits, NULL).nodes);
		limits = limits_at(&s);
		limits.evals = own.evals * 5 / 4 + 1000;
		if (!row->no_evals)
			assert_more(row, "evals", own.evals,
				    think(&s, row->spec, &limits, NULL).evals);
		limits = limits_at(&s);
		limits.depth = row->depth + 1;
		if (row->depth) {
			const struct qv_answer deeper = think(&s, row->spec, &limits, NULL);
			assert_int_equal(own.depth, row->depth);
			assert_int_equal(deeper.depth, row->depth + 1);
		}
		limits = limits_at(&s);
		limits.time_ms = HOUR_MS;
		assert_more(row, "time", own.nodes, watched_nodes(&s, row->spec, limits, beyond));
		limits.time_ms = 0;
		limits.aim_ms = HOUR_MS;
		assert_more(row, "aim", own.nodes, watched_nodes(&s, row->spec, limits, beyond));
	}
}

/* The share of each root move grows: the clock of a search without limits would be 7.5 s. */
static void test_given_limits__of_a_time_that_nobody_wrote_too(void **state)
{
	struct settings own;
	struct budget budget;
	struct spot s = spot_at(*state, "minichess", NULL);
	assert_int_equal(player_settings(s.rules.game, "seed", NULL, &own, NULL), QV_OK);
	struct qv_limits limits = limits_at(&s);
	budget_start(&budget, &own, &limits, 1);
	assert_int_equal(budget.time_us, 7500000);
	limits.time_ms = HOUR_MS;
	budget_start(&budget, &own, &limits, 1);
	assert_int_equal(budget.time_us, HOUR_MS * INT64_C(1000));
	limits = limits_at(&s);
	limits.nodes = 20000;
	budget_start(&budget, &own, &limits, 1);
	assert_int_equal(budget.time_us, 0);
	limits.nodes = 2000;
	const uint64_t few = think(&s, "seed", &limits, NULL).nodes;
	limits.nodes = 20000;
	assert_true(think(&s, "seed", &limits, NULL).nodes > 2 * few);
}

/* Whether a search begins a third ply, beyond its own two; then it is stopped. */
struct third_ply {
	struct qv_flag *stop;
	bool begun;
};

static void on_ply(void *ctx, int depth)
{
	struct third_ply *t = ctx;
	t->begun |= depth == 3;
	flag_set(t->stop, t->begun);
}

static void test_given_limits__of_plies_of_backgammon_too(void **state)
{
	const struct spot s = spot_at(*state, "backgammon", GAMMON);
	struct qv_limits all[5];
	for (int i = 0; i < 5; i++)
		all[i] = limits_at(&s);
	all[1].nodes = 100000000;
	all[2].evals = 100000000;
	all[3].time_ms = HOUR_MS;
	all[4].depth = 3;
	for (int i = 0; i < 5; i++) {
		struct qv_player *player = player_new(&s, "equity:filter=tiny");
		struct qv_answer answer = { .size = sizeof answer };
		struct qv_flag stop = { 0 };
		struct third_ply third = { &stop, false };
		const struct qv_listener listener = { .size = sizeof listener,
						      .iteration_start = on_ply,
						      .ctx = &third };
		all[i].stop = &stop;
		qv_player_think(player, s.state, &all[i], &listener, &answer, NULL);
		qv_player_free(player);
		assert_int_equal(third.begun, i > 0);
	}
}

/* A limit that a kind does not obey does not free it from its own. */
static void test_given_limits__without_effect_leave_the_kinds_own(void **state)
{
	for (const struct row *row = rows; row < rows + ROWS; row++) {
		const struct spot s = spot_of(*state, row);
		struct qv_limits limits = limits_at(&s);
		if (!row->no_evals)
			continue;
		const struct qv_answer own = think(&s, row->spec, NULL, NULL);
		limits.depth = 100;
		limits.evals = 1000000000;
		const struct qv_answer same = think(&s, row->spec, &limits, NULL);
		assert_true(same_answer(&own, &same));
	}
}

static void test_given_limits__leave_those_that_a_spec_names(void **state)
{
	static const struct row written[] = {
		{ "alphabeta:depth=3", "connect4", NULL, 0, false },
		{ "selective:depth=3", "minichess", NULL, 0, false },
		{ "mcts:playouts=50", "connect4", NULL, 0, false },
		{ "expectimax:depth=2", "race", "0,0,0,0 0,0,0,0 1 3", 0, false },
		{ "brs:nodes=500", "connect4", NULL, 0, false },
		{ "lurgee:evals=500,book=none", "connect4", NULL, 0, false },
		{ "threats:depth=2", "gomoku:size=9", NULL, 0, false },
		{ "admiral:nodes=3000", "starchess", galaxy, 0, false },
		{ "equity:1", "backgammon", GAMMON, 0, false },
	};
	for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
		const struct spot s = spot_of(*state, &written[i]);
		const struct qv_answer own = think(&s, written[i].spec, NULL, NULL);
		struct qv_limits limits = limits_at(&s);
		limits.nodes = 1000000000;
		limits.evals = 1000000000;
		limits.depth = 50;
		limits.time_ms = HOUR_MS;
		const struct qv_answer same = think(&s, written[i].spec, &limits, NULL);
		assert_true(same_answer(&own, &same));
	}
}

/* So a level is as strong under any clock: its limit is always written. */
static void test_given_limits__change_no_level(void **state)
{
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		for (int ladder = LADDER_OWN; ladder <= LADDER_LURGEE22; ladder++) {
			const char *const *levels = ladder_levels(game, ladder);
			struct settings set;
			for (; levels && *levels; levels++) {
				assert_int_equal(spec_parse(*levels, NULL, &set, NULL), QV_OK);
				if (set.default_limit)
					fail_msg("%s: level '%s' names no limit", game->name,
						 *levels);
			}
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_given_limits__every_kind_with_a_limit_is_tested),
		cmocka_unit_test(test_given_limits__more_of_anything_is_more_work),
		cmocka_unit_test(test_given_limits__of_a_time_that_nobody_wrote_too),
		cmocka_unit_test(test_given_limits__of_plies_of_backgammon_too),
		cmocka_unit_test(test_given_limits__without_effect_leave_the_kinds_own),
		cmocka_unit_test(test_given_limits__leave_those_that_a_spec_names),
		cmocka_unit_test(test_given_limits__change_no_level),
	};
	return cmocka_run_group_tests_name("given_limits", tests, setup, teardown);
}
