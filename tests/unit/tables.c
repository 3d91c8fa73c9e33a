/*
 * tables.c - tables of solved positions against brute force, published facts and each other.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include "toys/trog.h"
#include "twins/twin.h"

/* ---- the small games against minimax over their literal twins ---- */

enum { MEMO = 1 << 15 };

struct known {
	char position[24];
	enum qv_value value;
	int in;
};

struct brute {
	const struct twin *twin;
	struct known memo[MEMO];
	int count;
};

static struct known *memo_at(struct brute *b, const char *position)
{
	uint64_t at = qv_hash_bytes(position, strlen(position)) % MEMO;
	while (b->memo[at].position[0] && strcmp(b->memo[at].position, position) != 0)
		at = (at + 1) % MEMO;
	return &b->memo[at];
}

static int seat_of(const char *position)
{
	const char side = position[strlen(position) - 1];
	return side == 'o' || side == 'b';
}

static struct known brute_value(struct brute *b, const char *position);

/* All moves, no pruning; a win as soon, a loss as late as possible. */
static struct known brute_search(struct brute *b, const char *position)
{
	struct known best = { "", QV_VALUE_UNKNOWN, -1 };
	char moves[32][16];
	const int n = b->twin->moves(position, moves, 32);
	for (int i = 0; i < n; i++) {
		char next[24];
		snprintf(next, sizeof next, "%s", position);
		assert_true(b->twin->play(next, sizeof next, moves[i]));
		const struct known reply = brute_value(b, next);
		const enum qv_value mine = reply.value == QV_VALUE_WIN	? QV_VALUE_LOSS
					   : reply.value == QV_VALUE_LOSS ? QV_VALUE_WIN
									  : QV_VALUE_DRAW;
		const int in = mine == QV_VALUE_DRAW ? -1 : reply.in + 1;
		const bool later = mine == QV_VALUE_WIN ? in < best.in : in > best.in;
		if (mine > best.value || (mine == best.value && later)) {
			best.value = mine;
			best.in = in;
		}
	}
	return best;
}

static struct known brute_value(struct brute *b, const char *position)
{
	int points[2];
	struct known *memo = memo_at(b, position);
	if (memo->position[0])
		return *memo;
	struct known found;
	if (b->twin->over(position, points)) {
		const int seat = seat_of(position), ahead = points[seat] - points[1 - seat];
		found.value = ahead > 0 ? QV_VALUE_WIN : ahead < 0 ? QV_VALUE_LOSS : QV_VALUE_DRAW;
		found.in = ahead ? 0 : -1;
	} else {
		found = brute_search(b, position);
	}
	snprintf(found.position, sizeof found.position, "%s", position);
	assert_true(++b->count < MEMO / 2);
	*memo_at(b, position) = found;
	return found;
}

/* Every entry of every space; returns how many positions there are. */
static int compare_with_twin(const char *game, const struct twin *twin, bool as_plugin)
{
	struct tables_folder folder = tables_folder_new();
	struct qv_context *context = desk_context(NULL);
	struct brute *brute = calloc(1, sizeof *brute);
	struct desk d;
	assert_non_null(brute);
	brute->twin = twin;
	desk_open(&d, context, game, "start");
	if (as_plugin)
		desk_as_plugin(&d);
	const struct qv_index *index = d.rules.game->index;
	const struct qv_tables_job job = { .size = sizeof job,
					   .folder = folder.path,
					   .checkpoint_ms = 60000 };
	tables_make(context, &d.rules, &job);
	struct qv_tables *tables = tables_open(context, &d.rules, folder.path);
	struct qv_table t = { .size = sizeof t };
	int positions = 0;
	for (int space = 0; qv_tables_at(tables, space, &t); space++) {
		uint64_t seen[4] = { 0 };
		assert_true(t.there);
		for (uint64_t i = 0; i < t.space.size; i++) {
			char text[QV_POSITION_TEXT];
			struct qv_text out = { text, sizeof text, 0 };
			struct qv_solution s = { .size = sizeof s };
			if (!index->decode(NULL, d.rules.options, space, i, d.state))
				continue;
			d.rules.game->position_text(d.state, &out);
			const struct known truth = brute_value(brute, text);
			assert_int_equal(qv_tables_probe(tables, d.state, &s, NULL), QV_OK);
			if (s.value != truth.value || s.in != truth.in)
				fail_msg("%s: value %d in %d, not %d in %d", text, (int)s.value,
					 s.in, (int)truth.value, truth.in);
			assert_true((s.move == QV_NO_MOVE) == !desk_going(&d));
			seen[s.value]++;
			positions++;
		}
		assert_int_equal(seen[QV_VALUE_WIN], t.wins);
		assert_int_equal(seen[QV_VALUE_DRAW], t.draws);
		assert_int_equal(seen[QV_VALUE_LOSS], t.losses);
		assert_int_equal(t.space.size - t.wins - t.draws - t.losses, t.holes);
	}
	qv_tables_close(tables);
	desk_close(&d);
	qv_context_free(context);
	free(brute);
	tables_folder_free(&folder);
	return positions;
}

/* 765 positions that are no images of each other: the published count. */
static void test_tables__noughts_equals_minimax_over_the_twin(void **state)
{
	(void)state;
	assert_int_equal(compare_with_twin("noughts", &twin_noughts, false), 765);
	assert_int_equal(compare_with_twin("noughts", &twin_noughts, true), 765);
}

static void test_tables__hexapawn_equals_minimax_over_the_twin(void **state)
{
	(void)state;
	assert_true(compare_with_twin("hexapawn", &twin_hexapawn, false) > 1000);
	assert_true(compare_with_twin("hexapawn:blocked=draw", &twin_hexapawn_draw, false) > 1000);
	assert_true(compare_with_twin("hexapawn", &twin_hexapawn, true) > 1000);
}

/* 5478 positions are met in games, images told apart; the index finds 765 places for them. */
static int walk(const struct qv_game *game, const void *state, uint8_t *met, uint8_t *places)
{
	const struct noughts_like {
		uint16_t stones[2];
	} *s = state;
	const size_t at = (size_t)s->stones[0] << 9 | s->stones[1];
	struct qv_place place;
	if (met[at])
		return 0;
	met[at] = 1;
	assert_true(game->index->find(NULL, state, &place));
	places[place.space * 2048 + (int)place.number] = 1;
	qv_move moves[9];
	const int n = game->moves(state, moves);
	int count = 1;
	for (int i = 0; i < n; i++) {
		unsigned char child[16];
		memcpy(child, state, game->state_size);
		game->play(child, moves[i]);
		count += walk(game, child, met, places);
	}
	return count;
}

static void test_tables__noughts_has_5478_positions(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct desk d;
	desk_open(&d, context, "noughts", "start");
	uint8_t *met = calloc(1 << 18, 1), *places = calloc(10 * 2048, 1);
	int found = 0;
	assert_int_equal(walk(d.rules.game, d.state, met, places), 5478);
	for (int i = 0; i < 10 * 2048; i++)
		found += places[i];
	assert_int_equal(found, 765);
	free(met);
	free(places);
	desk_close(&d);
	qv_context_free(context);
}

static void test_tables__starts_have_their_known_values(void **state)
{
	(void)state;
	static const struct {
		const char *game;
		enum qv_value value;
		int in;
	} known[] = {
		{ "noughts", QV_VALUE_DRAW, -1 },
		{ "hexapawn", QV_VALUE_LOSS, 6 },
		{ "hexapawn:blocked=draw", QV_VALUE_DRAW, -1 },
		{ "toy-trog", QV_VALUE_LOSS, 18 },
	};
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct desk d;
		struct qv_solution s = { .size = sizeof s };
		const struct qv_tables_job job = { .size = sizeof job,
						   .folder = folder.path,
						   .threads = 2 };
		desk_open(&d, context, known[i].game, "start");
		tables_make(context, &d.rules, &job);
		struct qv_tables *tables = tables_open(context, &d.rules, folder.path);
		assert_int_equal(qv_tables_probe(tables, d.state, &s, NULL), QV_OK);
		assert_int_equal(s.value, known[i].value);
		assert_int_equal(s.in, known[i].in);
		qv_tables_close(tables);
		desk_close(&d);
	}
	tables_folder_free(&folder);
	qv_context_free(context);
}

/* ---- trog against trog: even distances lose, odd ones win ---- */

/* Plays the table's moves to the end: exactly as many as it says. */
static void play_out(struct desk *d, struct qv_tables *tables, int plies)
{
	struct qv_solution s = { .size = sizeof s };
	for (; plies > 0; plies--) {
		assert_int_equal(qv_tables_probe(tables, d->state, &s, NULL), QV_OK);
		assert_int_equal(s.in, plies);
		assert_true(qv_move_legal(d->rules.game, d->state, s.move));
		d->rules.game->play(d->state, s.move);
	}
	assert_false(desk_going(d));
}

static int steps_apart(const struct trog *s)
{
	const int dx = s->at[0] % s->width - s->at[1] % s->width,
		  dy = s->at[0] / s->width - s->at[1] / s->width;
	return abs(dx) + abs(dy);
}

static void check_trog(const char *game, bool counters, int threads, int longest)
{
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct desk d;
	struct qv_table t = { .size = sizeof t };
	desk_open(&d, context, game, "start");
	const struct qv_tables_job job = { .size = sizeof job,
					   .folder = folder.path,
					   .counters = counters,
					   .threads = threads,
					   .checkpoint_ms = 60000 };
	tables_make(context, &d.rules, &job);
	struct qv_tables *tables = tables_open(context, &d.rules, folder.path);
	assert_true(qv_tables_at(tables, 0, &t));
	assert_int_equal(t.draws, 0);
	assert_int_equal(t.longest, longest);
	assert_false(qv_tables_at(tables, 1, &t));
	const int squares = (int)(d.rules.options[0] * d.rules.options[1]);
	for (int i = 0; i < squares * squares; i++) {
		struct trog *s = d.state;
		struct qv_solution found = { .size = sizeof found };
		trog_start(s, d.rules.options);
		s->at[0] = (uint16_t)(i / squares);
		s->at[1] = (uint16_t)(i % squares);
		if (s->at[0] == s->at[1])
			continue;
		const int apart = steps_apart(s);
		assert_int_equal(qv_tables_probe(tables, s, &found, NULL), QV_OK);
		assert_int_equal(found.value, apart % 2 ? QV_VALUE_WIN : QV_VALUE_LOSS);
		if (i % 997 == 0)
			play_out(&d, tables, found.in);
	}
	qv_tables_close(tables);
	desk_close(&d);
	qv_context_free(context);
	tables_folder_free(&folder);
}

static void test_tables__trog_loses_at_even_distances(void **state)
{
	static const char *const games[] = { "toy-trog", "toy-trog-forward", "toy-trog-images" };
	(void)state;
	for (int i = 0; i < 3; i++)
		for (int counters = 0; counters < 2; counters++)
			check_trog(games[i], counters, 1 + i, 18);
}

/* More plies than a byte holds: the values become wider in the middle of the work. */
static void test_tables__wins_of_more_than_255_plies(void **state)
{
	(void)state;
	check_trog("toy-trog:width=2,height=140", false, 2, 278);
	check_trog("toy-trog:width=140,height=2", true, 2, 278);
	check_trog("toy-trog-images:width=2,height=140", true, 1, 278);
}

/* ---- what the counter of a game draws is played on ---- */

static void test_tables__draws_by_count_are_played_on(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct desk d;
	struct qv_solution fresh = { .size = sizeof fresh }, late = { .size = sizeof late };
	/* Two cells apart: a hit now; the one hit before is out. */
	desk_open(&d, context, "toy-sling", "A.B.... 1 0 1 0");
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	tables_make(context, &d.rules, &job);
	struct qv_tables *tables = tables_open(context, &d.rules, folder.path);
	assert_int_equal(qv_tables_probe(tables, d.state, &fresh, NULL), QV_OK);
	assert_int_equal(fresh.value, QV_VALUE_WIN);
	assert_int_equal(fresh.in, 1);
	assert_int_equal(qv_position_parse(&d.rules, "A.B.... 1 0 1 12", d.state, NULL), QV_OK);
	assert_false(desk_going(&d));
	assert_int_equal(qv_tables_probe(tables, d.state, &late, NULL), QV_OK);
	assert_int_equal(late.value, QV_VALUE_WIN);
	qv_tables_close(tables);
	/* A loss in two, unless the counter draws at the first step: no solver calls that one. */
	struct qv_solver *solver;
	const struct qv_solve_limits limits = { .size = sizeof limits };
	assert_int_equal(qv_solver_new_tables(context, &d.rules, folder.path, 1 << 16, &solver, NULL),
			 QV_OK);
	assert_int_equal(qv_position_parse(&d.rules, "AB..... 2 0 1 10", d.state, NULL), QV_OK);
	assert_int_equal(qv_solver_solve(solver, d.state, &limits, &fresh, NULL), QV_OK);
	assert_int_equal(fresh.value, QV_VALUE_LOSS);
	assert_int_equal(qv_position_parse(&d.rules, "AB..... 2 0 1 11", d.state, NULL), QV_OK);
	assert_int_equal(qv_solver_solve(solver, d.state, &limits, &late, NULL), QV_OK);
	assert_int_equal(late.value, QV_VALUE_UNKNOWN);
	qv_solver_free(solver);
	desk_close(&d);
	qv_context_free(context);
	tables_folder_free(&folder);
}

/* ---- plans ---- */

static void test_tables__plan_counts_and_then_has_nothing_left(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_tables_estimate plan = { .size = sizeof plan };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	assert_int_equal(qv_rules_parse(context, "noughts", &rules, NULL), QV_OK);
	assert_int_equal(qv_tables_plan(context, &rules, &job, &plan, NULL), QV_OK);
	assert_int_equal(plan.spaces, 10);
	assert_int_equal(plan.finished, 0);
	assert_int_equal(plan.numbers, 6046);
	assert_int_equal((int)(plan.positions + 0.5), 765);
	/* The largest group, and the one after it, where its moves lead. */
	assert_int_equal(plan.memory, 1680 + 1260);
	assert_true(plan.disk > 6046 && plan.disk < 6046 + 10 * 500);
	assert_false(plan.open_ended);
	tables_make(context, &rules, &job);
	assert_int_equal(qv_tables_plan(context, &rules, &job, &plan, NULL), QV_OK);
	assert_int_equal(plan.finished, 10);
	assert_int_equal(plan.disk, 0);
	assert_int_equal(plan.memory, 0);
	qv_context_free(context);
	tables_folder_free(&folder);
}

/* Files have a front too, which is most of a small one. */
static void test_tables__no_disk_is_needed_beyond_the_plan(void **state)
{
	static const char *const games[] = { "noughts", "toy-sling", "toy-trog", "hexapawn" };
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		struct qv_rules rules;
		struct qv_tables_estimate plan = { .size = sizeof plan };
		struct qv_table t = { .size = sizeof t };
		uint64_t bytes = 0;
		assert_int_equal(qv_rules_parse(context, games[i], &rules, NULL), QV_OK);
		assert_int_equal(qv_tables_plan(context, &rules, &job, &plan, NULL), QV_OK);
		tables_make(context, &rules, &job);
		struct qv_tables *tables = tables_open(context, &rules, folder.path);
		for (int space = 0; qv_tables_at(tables, space, &t); space++)
			bytes += t.bytes;
		qv_tables_close(tables);
		assert_true(bytes > 0 && bytes <= plan.disk);
	}
	qv_context_free(context);
	tables_folder_free(&folder);
}

static void test_tables__up_to_makes_a_part(void **state)
{
	(void)state;
	struct qv_context *context = desk_context(NULL);
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_table t = { .size = sizeof t };
	struct qv_error error;
	struct qv_tables_job job = { .size = sizeof job,
				     .folder = folder.path,
				     .up_to = "hits-0-1" };
	assert_int_equal(qv_rules_parse(context, "toy-sling", &rules, NULL), QV_OK);
	tables_make(context, &rules, &job);
	struct qv_tables *tables = tables_open(context, &rules, folder.path);
	for (int space = 0; qv_tables_at(tables, space, &t); space++)
		assert_int_equal(t.there, t.space.group <= 1);
	qv_tables_close(tables);
	job.up_to = "hits-0-2";
	assert_int_equal(qv_tables_build(context, &rules, &job, &error), QV_UNKNOWN);
	assert_non_null(strstr(error.text, "did you mean"));
	qv_context_free(context);
	tables_folder_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables__noughts_equals_minimax_over_the_twin),
		cmocka_unit_test(test_tables__hexapawn_equals_minimax_over_the_twin),
		cmocka_unit_test(test_tables__noughts_has_5478_positions),
		cmocka_unit_test(test_tables__starts_have_their_known_values),
		cmocka_unit_test(test_tables__trog_loses_at_even_distances),
		cmocka_unit_test(test_tables__wins_of_more_than_255_plies),
		cmocka_unit_test(test_tables__draws_by_count_are_played_on),
		cmocka_unit_test(test_tables__plan_counts_and_then_has_nothing_left),
		cmocka_unit_test(test_tables__no_disk_is_needed_beyond_the_plan),
		cmocka_unit_test(test_tables__up_to_makes_a_part),
	};
	return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
