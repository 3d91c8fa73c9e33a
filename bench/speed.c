/*
 * speed.c - how fast the stamped searches are, next to a hand-written loop and to the plug-in
 * interface, in one run.
 * SPDX-License-Identifier: MIT
 *
 * The variants run in turn for several rounds; the best processor time of each counts, since other
 * load only slows them down. All three must search exactly the same number of nodes.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "games/connect4/evaluate.h"
#include "games/reversi/evaluate.h"

#define G(f) c4_##f
#define G_STATE struct c4
#define G_MAX_MOVES C4_WIDTH
#include "plain.inc.h"
#undef G
#undef G_STATE
#undef G_MAX_MOVES

#define G(f) reversi_##f
#define G_STATE struct reversi
#define G_MAX_MOVES REVERSI_MAX_MOVES
#include "plain.inc.h"
#undef G
#undef G_STATE
#undef G_MAX_MOVES

enum { ROUNDS = 9 };

/*
 * Hides the weights from the compiler, which would otherwise fold them into the hand-written loop.
 */
static const void *run_time(const void *weights)
{
	const void *volatile unknown = weights;
	return unknown;
}

static const char all_off[] =
	"iterate=0,tt=0,sort=0,killers=0,history=0,keep-line=0,quiet=0,deep=1";

static uint64_t plain_connect4(const void *state, int depth)
{
	uint64_t nodes = 0;
	c4_plain(state, depth, 0, -QV_WIN - 2, QV_WIN + 2, run_time(c4_weights), &nodes);
	return nodes;
}

static uint64_t plain_reversi(const void *state, int depth)
{
	uint64_t nodes = 0;
	reversi_plain(state, depth, 0, -QV_WIN - 2, QV_WIN + 2, run_time(reversi_weights), &nodes);
	return nodes;
}

static uint64_t perft_connect4(const void *state, int depth)
{
	return c4_plain_perft(state, depth);
}

static uint64_t perft_reversi(const void *state, int depth)
{
	return reversi_plain_perft(state, depth);
}

struct subject {
	const char *game;
	const char *moves;         /* to a position with something going on */
	int depth, perft_depth;
	uint64_t (*plain)(const void *state, int depth);
	uint64_t (*plain_perft)(const void *state, int depth);
	double nodes_goal, leaves_goal;    /* a second */
};

static const struct subject subjects[] = {
	{ "connect4", "4 4 3 5", 13, 10, plain_connect4, perft_connect4, 45e6, 800e6 },
	{ "reversi", "d3 c5 f6 f5 e6 e3", 8, 9, plain_reversi, perft_reversi, 16e6, 220e6 },
};

static void fail(const char *what)
{
	fprintf(stderr, "bench: %s\n", what);
	exit(1);
}

static void set_up(const struct qv_game *game, const struct qv_rules *rules, const char *moves,
		   void *state)
{
	game->start(rules->options, state);
	char copy[128], *rest = copy;
	snprintf(copy, sizeof copy, "%s", moves);
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
		qv_move move;
		if (qv_move_parse(game, state, word, &move, NULL) != QV_OK)
			fail("a move of the bench is not legal");
		game->play(state, move);
	}
}

/* The best run of a variant. */
struct run {
	uint64_t nodes;
	int64_t us;
};

static void keep_best(struct run *best, uint64_t nodes, int64_t us)
{
	if (best->us && best->nodes != nodes)
		fail("a search did not repeat its node count");
	if (!best->us || us < best->us)
		*best = (struct run){ nodes, us };
}

static double rate(struct run r)
{
	return (double)r.nodes / ((double)r.us / 1e6);
}

static struct qv_player *player(const struct qv_context *context, const struct qv_game *game,
				int depth)
{
	const struct qv_rules rules = { game, { 0 } };
	struct qv_error error;
	struct qv_player *p;
	char spec[160];
	snprintf(spec, sizeof spec, "alphabeta:depth=%d,%s", depth, all_off);
	if (qv_player_new(context, &rules, spec, NULL, &p, &error) != QV_OK)
		fail(error.text);
	return p;
}

static void think(struct qv_player *p, const void *state, struct run *best)
{
	struct qv_answer answer = { .size = sizeof answer };
	const int64_t from = clock_thread_us();
	if (qv_player_think(p, state, NULL, NULL, &answer, NULL) != QV_OK)
		fail("a search failed");
	keep_best(best, answer.nodes, clock_thread_us() - from);
}

static void compare_searches(const struct qv_context *context, const struct subject *s,
			     const struct qv_game *game, const void *state)
{
	struct run plain = { 0 }, stamped = { 0 }, outside = { 0 };
	const struct qv_game as_plugin =
		*game; /* another address: the library takes it for a plug-in's */
	struct qv_player *ours = player(context, game, s->depth),
			 *any = player(context, &as_plugin, s->depth);
	for (int i = 0; i < ROUNDS; i++) {
		const int64_t from = clock_thread_us();
		const uint64_t nodes = s->plain(state, s->depth);
		keep_best(&plain, nodes, clock_thread_us() - from);
		think(ours, state, &stamped);
		think(any, state, &outside);
	}
	qv_player_free(ours);
	qv_player_free(any);
	if (plain.nodes != stamped.nodes || plain.nodes != outside.nodes)
		fail("the variants did not search the same tree");
	printf("%-9s alpha-beta depth %2d  %10llu nodes  stamped %6.1f M/s (goal %3.0f)  by hand %6.1f M/s, ratio %.3f  "
	       "plug-in %6.1f M/s, ratio %.3f\n",
	       s->game, s->depth, (unsigned long long)plain.nodes, rate(stamped) / 1e6,
	       s->nodes_goal / 1e6, rate(plain) / 1e6, rate(plain) / rate(stamped),
	       rate(outside) / 1e6, rate(stamped) / rate(outside));
}

static void compare_perfts(const struct qv_context *context, const struct subject *s,
			   const struct qv_game *game, const void *state)
{
	struct run plain = { 0 }, stamped = { 0 };
	const struct qv_perft_limits limits = { .size = sizeof limits, .depth = s->perft_depth };
	for (int i = 0; i < ROUNDS; i++) {
		int64_t from = clock_thread_us();
		uint64_t leaves = s->plain_perft(state, s->perft_depth);
		keep_best(&plain, leaves, clock_thread_us() - from);
		from = clock_thread_us();
		if (qv_perft(context, game, state, &limits, &leaves, NULL) != QV_OK)
			fail("perft failed");
		keep_best(&stamped, leaves, clock_thread_us() - from);
	}
	if (plain.nodes != stamped.nodes)
		fail("the perfts do not agree");
	printf("%-9s perft depth %2d      %11llu leaves  stamped %6.1f M/s (goal %3.0f)  by hand %6.1f M/s, ratio %.3f\n",
	       s->game, s->perft_depth, (unsigned long long)plain.nodes, rate(stamped) / 1e6,
	       s->leaves_goal / 1e6, rate(plain) / 1e6, rate(plain) / rate(stamped));
}

/* By how much searches exceed their time limit. */
static void measure_limits(const struct qv_context *context, const struct qv_rules *rules,
			   const void *state)
{
	static const int times[] = { 1, 5, 20, 100 };
	for (int i = 0; i < 4; i++) {
		char spec[64];
		struct qv_player *p;
		struct qv_answer answer = { .size = sizeof answer };
		double worst = 0;
		snprintf(spec, sizeof spec, "negascout:time=%dms", times[i]);
		if (qv_player_new(context, rules, spec, NULL, &p, NULL) != QV_OK)
			fail("no player");
		for (int round = 0; round < 20; round++) {
			qv_player_think(p, state, NULL, NULL, &answer, NULL);
			if (answer.seconds > worst)
				worst = answer.seconds;
		}
		printf("%-9s time=%dms: worst of 20 took %.2f ms\n", rules->game->name, times[i],
		       worst * 1e3);
		qv_player_free(p);
	}
}

static void measure_threads(const struct qv_context *context, const struct qv_rules *rules,
			    const void *state)
{
	double rates[2] = { 0, 0 };
	for (int round = 0; round < 3; round++)
		for (int threads = 1; threads <= 2; threads++) {
			char spec[64];
			struct qv_player *p;
			struct qv_answer answer = { .size = sizeof answer };
			snprintf(spec, sizeof spec, "negascout:time=1s,threads=%d", threads);
			if (qv_player_new(context, rules, spec, NULL, &p, NULL) != QV_OK)
				fail("no player");
			qv_player_think(p, state, NULL, NULL, &answer, NULL);
			const double r = (double)answer.nodes / answer.seconds;
			if (r > rates[threads - 1])
				rates[threads - 1] = r;
			qv_player_free(p);
		}
	printf("%-9s negascout with table: 1 thread %.1f M/s, 2 threads %.1f M/s, ratio %.2f (goal 1.60)\n",
	       rules->game->name, rates[0] / 1e6, rates[1] / 1e6, rates[1] / rates[0]);
}

int main(void)
{
	struct qv_context *context = qv_context_new(NULL);
	if (!context)
		fail("out of memory");
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		const struct subject *s = &subjects[i];
		struct qv_rules rules;
		if (qv_rules_parse(context, s->game, &rules, NULL) != QV_OK)
			fail("no such game");
		void *state = qv_state_new(context, rules.game),
		     *start = qv_state_new(context, rules.game);
		if (!state || !start)
			fail("out of memory");
		set_up(rules.game, &rules, s->moves, state);
		set_up(rules.game, &rules, "", start);
		compare_searches(context, s, rules.game, state);
		compare_perfts(context, s, rules.game, start);
		measure_limits(context, &rules, state);
		measure_threads(context, &rules, state);
		qv_state_free(context, rules.game, state);
		qv_state_free(context, rules.game, start);
	}
	qv_context_free(context);
	return 0;
}
