/*
 * registry.c - games that are compiled twice, portably and for newer processors, do the same in both
 * forms.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include "base/memory.h"
#include "games/twins.h"
#include "search/duel.h"
#include "search/player_kind.h"
#include "support/scale.h"

enum { WALKS = 40, PLIES = 60, PERFT_DEPTH = 4, NODES = 20000, LAST_PLIES = 12 };

/* The two forms of a game, and a position of it. */
struct pair {
	const struct engine *plain, *fast;
	_Alignas(64) unsigned char state[4096];
};

/* Plays moves at random, at most so many, from the start. */
static void walk(struct pair *p, struct qv_random *random, int plies)
{
	const struct qv_game *game = p->plain->game;
	const int64_t options[QV_MAX_OPTIONS] = { 0 };
	qv_move list[QV_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	assert_true(game->state_size <= sizeof p->state);
	game->start(options, p->state);
	for (int i = 0; i < plies && game->result(p->state, points) == QV_GOING; i++)
		game->play(p->state, list[qv_random_below(random, (uint64_t)game->moves(p->state,
										       list))]);
}

/* Every evaluation of the game in both forms, and with its memory where it has one. */
static void compare_values(const struct pair *p, void *const memories[2])
{
	const struct qv_evaluation *a = p->plain->game->evaluations;
	const struct qv_evaluation *b = p->fast->game->evaluations;
	for (; a->name; a++, b++) {
		const int32_t value = a->evaluate(p->state, a->weights);
		assert_string_equal(a->name, b->name);
		assert_int_equal(b->evaluate(p->state, b->weights), value);
		for (int i = 0; a->recall && i < 2; i++)
			assert_int_equal((i ? b : a)->recall(p->state, a->weights, memories[i]),
					 value);
	}
}

static uint64_t leaves(const struct engine *engine, const void *state)
{
	const struct qv_perft_limits limits = { .depth = PERFT_DEPTH };
	uint64_t count = 0;
	assert_int_equal(perft_count(&mem_malloc, engine->game, engine->perft, state, &limits,
				     &count, NULL),
			 QV_OK);
	return count;
}

static void search(const struct engine *engine, const void *state, const char *evaluation,
		   struct qv_answer *out)
{
	struct settings settings;
	struct duel *duel;
	const struct qv_evaluation *e = engine->game->evaluations;
	while (strcmp(e->name, evaluation) != 0)
		e++;
	const struct search_setup setup = { .game = engine->game,
					    .ops = engine->duel,
					    .allocator = &mem_malloc,
					    .settings = &settings,
					    .evaluation = e };
	const struct qv_limits limits = { .nodes = NODES };
	assert_int_equal(kind_settings(&negascout_kind, "tt=1", NULL, &settings, NULL), QV_OK);
	assert_int_equal(duel_new(&setup, &duel, NULL), QV_OK);
	assert_int_equal(duel_run(duel, state, &limits, NULL, out, NULL), QV_OK);
	duel_free(duel);
}

static void compare_searches(const struct pair *p)
{
	for (const struct qv_evaluation *e = p->plain->game->evaluations; e->name; e++) {
		struct qv_answer a = { 0 }, b = { 0 };
		search(p->plain, p->state, e->name, &a);
		search(p->fast, p->state, e->name, &b);
		if (a.nodes != b.nodes || a.score != b.score || a.move != b.move)
			fail_msg("%s, %s: %llu nodes and %llu, score %d and %d",
				 p->plain->game->name, e->name, (unsigned long long)a.nodes,
				 (unsigned long long)b.nodes, (int)a.score, (int)b.score);
	}
}

/* The solver of the last moves, where a game has one. */
static void compare_endings(const struct pair *p)
{
	struct qv_answer answers[2] = { { 0 }, { 0 } };
	for (int i = 0; i < 2; i++) {
		const struct finisher_ops *ops = (i ? p->fast : p->plain)->finisher;
		void *finisher;
		assert_int_equal(ops->make(&mem_malloc, 1 << 20, &finisher), QV_OK);
		assert_true(ops->finish(finisher, p->state, 0, NULL, &answers[i]));
		ops->free(finisher);
	}
	assert_int_equal(answers[0].score, answers[1].score);
	assert_int_equal(answers[0].move, answers[1].move);
	assert_int_equal(answers[0].nodes, answers[1].nodes);
}

static size_t memory_size(const struct qv_game *game)
{
	size_t size = 64;
	for (const struct qv_evaluation *e = game->evaluations; e->name; e++)
		size = e->memory_size > size ? e->memory_size : size;
	return (size + 63) / 64 * 64;
}

static void compare(struct pair *p)
{
	const size_t size = memory_size(p->plain->game);
	struct qv_random random = { qv_random_key(7, 0), 0 };
	int32_t points[QV_MAX_SEATS];
	void *memories[2];
	for (int i = 0; i < 2; i++) {
		memories[i] = aligned_alloc(64, size);
		assert_non_null(memories[i]);
		memset(memories[i], 0, size);
	}
	for (int64_t i = 0; i < scaled(WALKS); i++) {
		const struct qv_game *game = p->plain->game;
		walk(p, &random, (int)qv_random_below(&random, PLIES));
		compare_values(p, memories);
		if (i % 10 == 0 && game->result(p->state, points) == QV_GOING) {
			assert_int_equal(leaves(p->plain, p->state), leaves(p->fast, p->state));
			compare_searches(p);
		}
		if (p->plain->finisher && game->result(p->state, points) == QV_GOING &&
		    p->plain->places_left(p->state) <= LAST_PLIES)
			compare_endings(p);
	}
	for (int i = 0; i < 2; i++)
		free(memories[i]);
}

static void test_registry__both_forms_do_the_same(void **state)
{
	int twins = 0;
	(void)state;
	for (int i = 0; registry_at(i); i++) {
		struct pair p = { .plain = registry_portable(i), .fast = registry_at(i) };
		assert_string_equal(p.plain->game->name, p.fast->game->name);
		if (p.plain == p.fast)
			continue;
		twins++;
		compare(&p);
	}
	print_message("%d games are compiled twice and differ in nothing\n", twins);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registry__both_forms_do_the_same),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
