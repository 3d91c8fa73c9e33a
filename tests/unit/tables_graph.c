/*
 * tables_graph.c - tables of random games: each a graph of positions, with ends, cycles, several
 * groups of several spaces, moves that double, and wins that are far off outside but near inside.
 * SPDX-License-Identifier: MIT
 *
 * The values come also from a plain fixed point over the graph, and every way of making the tables
 * must give the same.
 */
#include "support/desk.h"
#include "support/ranks.h"

#include "support/scale.h"

enum { NODES = 240, SPACES = 6, PER_SPACE = NODES / SPACES, DEGREE = 5, PARENTS = 64 };
enum { GOING, ENDS_LOST, ENDS_DRAWN, HOLE };

/* The game being played: the functions of a game have no other way to know it. */
static struct {
	int kind[NODES], degree[NODES], to[NODES][DEGREE];
} graph;
static const int group_of[SPACES] = { 0, 0, 1, 2, 2, 2 };

struct node {
	uint16_t at;
	uint8_t turn, unused;
};
_Static_assert(sizeof(struct node) == 4, "no padding");

static void start(const int64_t *options, void *state)
{
	(void)options;
	*(struct node *)state = (struct node){ .at = NODES - 1 };
}

static int seat(const void *state)
{
	return ((const struct node *)state)->turn;
}

static int moves(const void *state, qv_move *list)
{
	const int at = ((const struct node *)state)->at;
	for (int i = 0; i < graph.degree[at]; i++)
		list[i] = (qv_move)i;
	return graph.kind[at] == GOING ? graph.degree[at] : 0;
}

static void play(void *state, qv_move move)
{
	struct node *s = state;
	s->at = (uint16_t)graph.to[s->at][move];
	s->turn ^= 1;
}

static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct node *s = state;
	points[s->turn] = 0;
	points[1 - s->turn] = graph.kind[s->at] == ENDS_LOST;
	return graph.kind[s->at] == GOING ? QV_GOING : QV_ENDED;
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct node));
}

static void no_text(const void *state, struct qv_text *out)
{
	qv_put_int(out, ((const struct node *)state)->at);
}

static void no_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

static enum qv_status no_parse(const int64_t *options, const char *text, void *state,
			       struct qv_error *error)
{
	(void)options, (void)text, (void)state;
	return qv_fail(error, QV_UNSUPPORTED, "position: none is read");
}

static bool space(const int64_t *options, int number, struct qv_space *out)
{
	(void)options;
	if (number >= SPACES)
		return false;
	snprintf(out->name, sizeof out->name, "part-%d", number);
	out->group = group_of[number];
	out->size = PER_SPACE;
	return true;
}

static bool decode(const void *aid, const int64_t *options, int number, uint64_t i, void *state)
{
	(void)aid, (void)options;
	const struct node s = { .at = (uint16_t)(number * PER_SPACE + (int)i) };
	*(struct node *)state = s;
	return graph.kind[s.at] != HOLE;
}

static bool find(const void *aid, const void *state, struct qv_place *out)
{
	(void)aid;
	const struct node *s = state;
	*out = (struct qv_place){ s->at / PER_SPACE, 1, (uint64_t)(s->at % PER_SPACE) };
	return true;
}

/* Once for each move that leads here; those of other groups are passed over by the library. */
static int parents(const void *state, void *list)
{
	const struct node *s = state;
	struct node *out = list;
	int n = 0;
	for (int from = 0; from < NODES; from++)
		for (int i = 0; i < graph.degree[from] && graph.kind[from] == GOING; i++)
			if (graph.to[from][i] == s->at) {
				assert_true(n < PARENTS);
				out[n++] = (struct node){ .at = (uint16_t)from,
							  .turn = (uint8_t)(1 - s->turn) };
			}
	return n;
}

static const struct qv_index backward = { space, decode, find, parents, PARENTS, NULL, 0 };
static const struct qv_index forward = { space, decode, find, NULL, 0, NULL, 0 };

static struct qv_game make_game(bool with_parents)
{
	return (struct qv_game){
		QV_HEAD(qv_game), .name = "graph", .title = "A graph", .seats = 2,
		.alternates = true, .state_size = sizeof(struct node), .max_moves = DEGREE,
		.start = start, .seat = seat, .moves = moves, .play = play, .result = result,
		.hash = hash, .move_text = no_move_text, .position_text = no_text,
		.position_parse = no_parse, .index = with_parents ? &backward : &forward,
	};
}

/* Mostly chains, so that some wins are long; the rest is chance. */
static void make_graph(uint64_t seed)
{
	struct qv_random r = { .key = qv_random_key(seed, 7) };
	const uint64_t branching = 1 + qv_random_below(&r, DEGREE), ends = 4 + qv_random_below(&r, 30);
	for (int at = 0; at < NODES; at++) {
		const uint64_t dice = qv_random_below(&r, 100);
		graph.kind[at] = dice < ends / 2 ? ENDS_LOST : dice < ends ? ENDS_DRAWN : GOING;
		if (qv_random_below(&r, 20) == 0)
			graph.kind[at] = HOLE;
		if (at % PER_SPACE == 0)
			graph.kind[at] = ENDS_LOST; /* there is always somewhere to go */
	}
	for (int at = 0; at < NODES; at++) {
		const int group = group_of[at / PER_SPACE];
		int most = NODES;
		while (group_of[(most - 1) / PER_SPACE] > group)
			most -= PER_SPACE;
		graph.degree[at] = 1 + (int)qv_random_below(&r, branching);
		for (int i = 0; i < graph.degree[at]; i++) {
			int to = at - 1;
			if (at == 0 || qv_random_below(&r, 3) == 0)
				to = (int)qv_random_below(&r, (uint64_t)most);
			while (graph.kind[to] == HOLE)
				to = (to + most - 1) % most;
			graph.to[at][i] = to;
		}
	}
}

/* Plies to the end, odd for a win and even for a loss; -1: neither. */
static void solve_plainly(int *value)
{
	for (int at = 0; at < NODES; at++)
		value[at] = graph.kind[at] == ENDS_LOST ? 0 : -1;
	for (int plies = 1; plies <= NODES; plies++)
		for (int at = 0; at < NODES; at++) {
			int won = 0, lost = -1;
			if (graph.kind[at] != GOING || value[at] >= 0)
				continue;
			for (int i = 0; i < graph.degree[at]; i++) {
				const int next = value[graph.to[at][i]];
				won += next >= 0 && next % 2 == 1 && next < plies;
				if (next >= 0 && next % 2 == 0 && next < plies)
					lost = next;
			}
			if (plies % 2 == 1 ? lost >= 0 : won == graph.degree[at])
				value[at] = plies;
		}
}

static void compare(struct qv_tables *tables, const int *value, uint64_t seed)
{
	for (int at = 0; at < NODES; at++) {
		const struct node s = { .at = (uint16_t)at };
		struct qv_solution found = { .size = sizeof found };
		if (graph.kind[at] == HOLE)
			continue;
		assert_int_equal(qv_tables_probe(tables, &s, &found, NULL), QV_OK);
		const enum qv_value truth = value[at] < 0      ? QV_VALUE_DRAW
					    : value[at] % 2    ? QV_VALUE_WIN
							       : QV_VALUE_LOSS;
		if (found.value != truth || found.in != value[at])
			fail_msg("graph %llu, node %d: value %d in %d, not %d",
				 (unsigned long long)seed, at, (int)found.value, found.in,
				 value[at]);
	}
}

/* Alone with counters or threads or without parents, and on ranks, which are threads here. */
static void solve_each_way(struct qv_context *context, uint64_t seed, const int *value)
{
	for (int way = 0; way < (THREADS_MOST > 1 ? 5 : 4); way++) {
		const struct qv_game game = make_game(way != 3);
		const struct qv_rules rules = { .game = &game };
		struct tables_folder folder = tables_folder_new();
		const struct qv_tables_job job = { .size = sizeof job,
						   .folder = folder.path,
						   .counters = way % 2,
						   .threads = way == 2 ? 3 : 1,
						   .checkpoint_ms = 60000 };
		struct qv_context *const contexts[RANKS_MOST] = { context };
		if (way == 4)
			assert_int_equal(
				test_ranks_build(2 + (int)(seed % 3), contexts, &rules, &job, NULL),
				QV_OK);
		tables_make(context, &rules, &job);
		struct qv_tables *tables = tables_open(context, &rules, folder.path);
		compare(tables, value, seed);
		qv_tables_close(tables);
		tables_folder_free(&folder);
	}
}

static void test_tables__random_graphs_equal_a_plain_fixed_point(void **state)
{
	(void)state;
	struct qv_context *context = qv_context_new(NULL);
	int longest = 0, drawn = 0;
	for (uint64_t seed = 0; seed < (uint64_t)scaled(60); seed++) {
		int value[NODES];
		make_graph(seed);
		solve_plainly(value);
		for (int at = 0; at < NODES; at++) {
			longest = value[at] > longest ? value[at] : longest;
			drawn += value[at] < 0;
		}
		solve_each_way(context, seed, value);
	}
	assert_true(longest > 10 && drawn > 0); /* the graphs are worth it */
	qv_context_free(context);
}

/* ---- indexes that lie ---- */

static enum qv_status build_with(const struct qv_index *index, struct qv_error *error)
{
	struct qv_game game = make_game(true);
	struct tables_folder folder = tables_folder_new();
	struct qv_context *context = qv_context_new(NULL);
	game.index = index;
	const struct qv_rules rules = { .game = &game };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	const enum qv_status status = qv_tables_build(context, &rules, &job, error);
	qv_context_free(context);
	tables_folder_free(&folder);
	return status;
}

static bool find_nothing(const void *aid, const void *state, struct qv_place *out)
{
	(void)aid, (void)state, (void)out;
	return false;
}

static bool find_too_far(const void *aid, const void *state, struct qv_place *out)
{
	find(aid, state, out);
	out->number += NODES;
	return true;
}

static bool find_later(const void *aid, const void *state, struct qv_place *out)
{
	find(aid, state, out);
	out->space = SPACES - 1;
	return true;
}

static bool decode_half(const void *aid, const int64_t *options, int number, uint64_t i,
			void *state)
{
	return decode(aid, options, number, i, state) && i % 2;
}

static bool unnamed_space(const int64_t *options, int number, struct qv_space *out)
{
	const bool there = space(options, number, out);
	strcpy(out->name, "../etc");
	return there;
}

static void test_tables__an_index_that_lies_is_refused(void **state)
{
	(void)state;
	const struct qv_index lies[] = {
		{ space, decode, find_nothing, parents, PARENTS, NULL, 0 },
		{ space, decode, find_too_far, parents, PARENTS, NULL, 0 },
		{ space, decode, find_later, parents, PARENTS, NULL, 0 },
		{ space, decode_half, find, parents, PARENTS, NULL, 0 },
		{ unnamed_space, decode, find, parents, PARENTS, NULL, 0 },
		{ space, decode, find, parents, 0, NULL, 0 },
		{ space, NULL, find, NULL, 0, NULL, 0 },
	};
	make_graph(3);
	for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
		struct qv_error error = { "" };
		assert_int_equal(build_with(&lies[i], &error), QV_ILLEGAL);
		assert_non_null(strstr(error.text, "game graph: index: "));
	}
}

/* Parents that are left out make wrong tables, and the checker says so. */
static int no_parents(const void *state, void *list)
{
	(void)state, (void)list;
	return 0;
}

static void test_tables__the_checker_finds_what_is_missing(void **state)
{
	(void)state;
	static const struct qv_index orphans = { space, decode, find, no_parents, 1, NULL, 0 };
	struct qv_game game = make_game(true);
	struct tables_folder folder = tables_folder_new();
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_rules rules = { .game = &game };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	struct qv_tables_report report = { .size = sizeof report };
	int value[NODES], missing = 0;
	make_graph(5);
	solve_plainly(value);
	game.index = &orphans;
	assert_int_equal(qv_tables_build(context, &rules, &job, NULL), QV_OK);
	assert_int_equal(qv_tables_check(context, &rules, &job, &report, NULL), QV_OK);
	for (int at = 0; at < NODES; at++)
		missing += value[at] > 0;
	assert_true(missing > 0 && report.wrong > 0);
	assert_non_null(strstr(report.first_wrong, "its value contradicts its successors"));
	qv_context_free(context);
	tables_folder_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables__random_graphs_equal_a_plain_fixed_point),
		cmocka_unit_test(test_tables__an_index_that_lies_is_refused),
		cmocka_unit_test(test_tables__the_checker_finds_what_is_missing),
	};
	return cmocka_run_group_tests_name("tables_graph", tests, NULL, NULL);
}
