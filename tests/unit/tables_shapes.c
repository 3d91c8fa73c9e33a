/*
 * tables_shapes.c - tables of games of odd shapes: more moves than a counter holds, more spaces
 * than files may be open; and two builds in one process.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include <sys/resource.h>

struct place {
	uint16_t at;
	uint8_t turn, unused;
};
_Static_assert(sizeof(struct place) == 4, "no padding");

static const struct place *place_of(const void *state)
{
	return state;
}

static int seat(const void *state)
{
	return place_of(state)->turn;
}

static void go(void *state, int at)
{
	struct place *s = state;
	*s = (struct place){ .at = (uint16_t)at, .turn = s->turn ^ 1 };
}

static uint64_t hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct place));
}

static void position_text(const void *state, struct qv_text *out)
{
	qv_put_int(out, place_of(state)->at);
}

static void move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

static enum qv_status position_parse(const int64_t *options, const char *text, void *state,
				     struct qv_error *error)
{
	(void)options, (void)text, (void)state;
	return qv_fail(error, QV_UNSUPPORTED, "position: none is read");
}

/* Place 0 is where the side to move has lost. */
static enum qv_outcome result(const void *state, int32_t *points)
{
	const struct place *s = place_of(state);
	points[s->turn] = 0;
	points[1 - s->turn] = 1;
	return s->at ? QV_GOING : QV_ENDED;
}

/* ---- a hub with spokes: its one move stands for as many as there are spokes ---- */

enum { SPOKES = 300, HUB = SPOKES + 1 };

static void hub_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct place *)state = (struct place){ .at = HUB };
}

static int hub_moves(const void *state, qv_move *list)
{
	const int at = place_of(state)->at;
	list[0] = at == HUB ? SPOKES : 0;
	return at > 0;
}

static void hub_play(void *state, qv_move move)
{
	go(state, (int)move);
}

static int hub_max_count(const void *state, qv_move move)
{
	(void)move;
	return place_of(state)->at == HUB ? SPOKES : 1;
}

static qv_move hub_with_count(qv_move move, int count)
{
	(void)move;
	return (qv_move)count;
}

static bool hub_space(const int64_t *options, int space, struct qv_space *out)
{
	(void)options;
	*out = (struct qv_space){ .name = "all", .size = HUB + 1 };
	return space == 0;
}

static bool hub_decode(const void *aid, const int64_t *options, int space, uint64_t number,
		       void *state)
{
	(void)aid;
	(void)options, (void)space;
	*(struct place *)state = (struct place){ .at = (uint16_t)number };
	return true;
}

static bool hub_find(const void *aid, const void *state, struct qv_place *out)
{
	(void)aid;
	*out = (struct qv_place){ 0, 1, place_of(state)->at };
	return true;
}

static int hub_parents(const void *state, void *list)
{
	const struct place *s = place_of(state);
	struct place *out = list;
	const int count = s->at == 0 ? SPOKES : s->at < HUB;
	for (int i = 0; i < count; i++)
		out[i] = (struct place){ .at = (uint16_t)(s->at ? HUB : i + 1),
					 .turn = s->turn ^ 1 };
	return count;
}

static const struct qv_index hub_index = {
	.space = hub_space, .decode = hub_decode, .find = hub_find,
	.parents = hub_parents, .max_parents = SPOKES,
};

static const struct qv_game hub = {
	QV_HEAD(qv_game), .name = "hub", .title = "A hub", .seats = 2, .alternates = true,
	.state_size = sizeof(struct place), .max_moves = 1, .start = hub_start, .seat = seat,
	.moves = hub_moves, .play = hub_play, .result = result, .hash = hash,
	.move_text = move_text, .position_text = position_text, .position_parse = position_parse,
	.max_count = hub_max_count, .with_count = hub_with_count, .index = &hub_index,
};

static void test_shapes__more_moves_than_a_counter_holds(void **state)
{
	(void)state;
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_rules rules = { .game = &hub };
	for (int counters = 0; counters < 2; counters++) {
		struct tables_folder folder = tables_folder_new();
		const struct qv_tables_job job = { .size = sizeof job,
						   .folder = folder.path,
						   .counters = counters };
		struct place at = { .at = HUB };
		struct qv_solution s = { .size = sizeof s };
		tables_make(context, &rules, &job);
		struct qv_tables *tables = tables_open(context, &rules, folder.path);
		assert_int_equal(qv_tables_probe(tables, &at, &s, NULL), QV_OK);
		assert_int_equal(s.value, QV_VALUE_LOSS);
		assert_int_equal(s.in, 2);
		qv_tables_close(tables);
		tables_folder_free(&folder);
	}
	qv_context_free(context);
}

/* ---- a ladder: each rung a space, and one step down the only move ---- */

enum { RUNGS = 200, FILES = 100 };

static void ladder_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct place *)state = (struct place){ .at = RUNGS - 1 };
}

static int ladder_moves(const void *state, qv_move *list)
{
	list[0] = 0;
	return place_of(state)->at > 0;
}

static void ladder_play(void *state, qv_move move)
{
	(void)move;
	go(state, place_of(state)->at - 1);
}

static bool ladder_space(const int64_t *options, int space, struct qv_space *out)
{
	(void)options;
	*out = (struct qv_space){ .group = space, .size = 1 };
	snprintf(out->name, sizeof out->name, "rung-%d", space);
	return space < RUNGS;
}

static bool ladder_decode(const void *aid, const int64_t *options, int space, uint64_t number,
			  void *state)
{
	(void)aid;
	(void)options, (void)number;
	*(struct place *)state = (struct place){ .at = (uint16_t)space };
	return true;
}

static bool ladder_find(const void *aid, const void *state, struct qv_place *out)
{
	(void)aid;
	*out = (struct qv_place){ place_of(state)->at, 1, 0 };
	return true;
}

static const struct qv_index ladder_index = {
	.space = ladder_space, .decode = ladder_decode, .find = ladder_find,
};

static const struct qv_game ladder = {
	QV_HEAD(qv_game), .name = "ladder", .title = "A ladder", .seats = 2,
	.alternates = true, .state_size = sizeof(struct place), .max_moves = 1,
	.start = ladder_start, .seat = seat, .moves = ladder_moves, .play = ladder_play,
	.result = result, .hash = hash, .move_text = move_text, .position_text = position_text,
	.position_parse = position_parse, .index = &ladder_index,
};

static void test_shapes__more_spaces_than_open_files(void **state)
{
	(void)state;
	struct qv_context *context = qv_context_new(NULL);
	struct tables_folder folder = tables_folder_new();
	const struct qv_rules rules = { .game = &ladder };
	const struct qv_tables_job job = { .size = sizeof job, .folder = folder.path };
	struct rlimit before, few;
	struct qv_table t = { .size = sizeof t };
	tables_make(context, &rules, &job);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	few = before;
	few.rlim_cur = FILES;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	struct qv_tables *tables = tables_open(context, &rules, folder.path);
	for (int i = 0; i < RUNGS; i++) {
		assert_true(qv_tables_at(tables, i, &t));
		assert_true(t.there);
	}
	for (int i = 0; i < 2 * RUNGS; i++) {
		const struct place at = { .at = (uint16_t)(i % RUNGS) };
		struct qv_solution s = { .size = sizeof s };
		assert_int_equal(qv_tables_probe(tables, &at, &s, NULL), QV_OK);
		assert_int_equal(s.in, at.at);
	}
	qv_tables_close(tables);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	qv_context_free(context);
	tables_folder_free(&folder);
}

/* ---- two builds ---- */

struct meeting {
	const struct qv_context *context;
	const struct qv_rules *rules;
	const char *folder;
	int refused;
};

static void build_again(void *ctx, const struct qv_tables_news *news)
{
	struct meeting *m = ctx;
	struct qv_error error = { "" };
	const struct qv_tables_job job = { .size = sizeof job, .folder = m->folder };
	(void)news;
	assert_int_equal(qv_tables_build(m->context, m->rules, &job, &error), QV_IO);
	assert_non_null(strstr(error.text, "another run is building these tables"));
	m->refused++;
}

static void test_shapes__two_builds_in_one_process_do_not_meet(void **state)
{
	(void)state;
	struct qv_context *context = qv_context_new(NULL);
	struct tables_folder folder = tables_folder_new();
	const struct qv_rules rules = { .game = &hub };
	struct meeting meeting = { context, &rules, folder.path, 0 };
	const struct qv_tables_job job = { .size = sizeof job,
					   .folder = folder.path,
					   .progress = build_again,
					   .ctx = &meeting,
					   .checkpoint_ms = 60000 };
	assert_int_equal(qv_tables_build(context, &rules, &job, NULL), QV_OK);
	assert_true(meeting.refused > 0);
	qv_context_free(context);
	tables_folder_free(&folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes__more_moves_than_a_counter_holds),
		cmocka_unit_test(test_shapes__more_spaces_than_open_files),
		cmocka_unit_test(test_shapes__two_builds_in_one_process_do_not_meet),
	};
	return cmocka_run_group_tests_name("tables_shapes", tests, NULL, NULL);
}
