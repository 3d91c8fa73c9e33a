/*
 * trace.c - searched trees: what is captured, what is left out, and that memory may run out.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "support/meter.h"
#include "trace/log.h"

#define PLAIN "alphabeta:iterate=0,sort=0,killers=0,history=0,keep-line=0,tt=0,depth="

static struct trace_setup setup_of(const struct spot *s, const struct qv_allocator *allocator)
{
	return (struct trace_setup){ .allocator = allocator,
				     .rules = s->rules,
				     .root = s->state,
				     .player = "somebody",
				     .max_nodes = 1000,
				     .max_ply = 100 };
}

static enum qv_status capture(const struct spot *s, const char *spec,
			      const struct trace_setup *setup, struct trace *out,
			      struct qv_error *error)
{
	struct trace_capture *c = NULL;
	*out = (struct trace){ 0 };
	enum qv_status status = trace_capture_new(setup, &c, error);
	if (status == QV_OK) {
		const struct qv_listener listener = trace_capture_listener(c);
		const struct qv_answer answer = think(s, spec, NULL, &listener);
		status = trace_capture_finish(c, &answer, out, error);
	}
	trace_capture_free(c);
	return status;
}

static const struct trace_node *find(const struct trace *t, const char *name)
{
	for (int i = 0; i < t->count; i++)
		if (strcmp(trace_name(t, &t->nodes[i]), name) == 0)
			return &t->nodes[i];
	fail_msg("there is no node %s", name);
	return NULL;
}

static void test_trace__values_windows_and_cuts(void **state)
{
	const struct spot s = spot_at(*state, "diagram", "3-1");
	const struct trace_setup setup = setup_of(&s, &mem_malloc);
	struct trace t;
	assert_int_equal(capture(&s, PLAIN "2", &setup, &t, NULL), QV_OK);
	assert_int_equal(t.count, 11);
	assert_int_equal(t.made, 10);
	assert_int_equal(t.leaves, 7);
	assert_int_equal(t.cuts, 1);
	assert_true(t.complete);
	assert_string_equal(t.move, "C");
	assert_int_equal(t.nodes[0].value, 0);
	assert_int_equal(t.nodes[0].end, t.count);
	const struct trace_node *b = find(&t, "B");
	assert_string_equal(trace_value(b).text, "<=-3");
	assert_string_equal(trace_window(b).text, "[-1, +inf]");
	assert_int_equal(b->untried_count, 2);
	assert_string_equal(trace_untried(&t, b, 1), "B3");
	assert_true(find(&t, "B1")->cut);
	assert_true(find(&t, "C")->best && find(&t, "C1")->best && !b->best);
	trace_release(&t);
}

static void test_trace__what_is_not_kept_is_counted(void **state)
{
	const struct spot s = spot_at(*state, "connect4", "start");
	struct trace_setup setup = setup_of(&s, &mem_malloc);
	struct trace t;
	for (int most = 1; most < 400; most += 7) {
		setup.max_nodes = most;
		assert_int_equal(capture(&s, PLAIN "4", &setup, &t, NULL), QV_OK);
		assert_true(t.count <= most + 1);
		assert_int_equal((uint64_t)t.count - 1 + trace_hidden(&t), t.made);
		trace_release(&t);
	}
	setup.max_nodes = 1000;
	setup.max_ply = 1;
	assert_int_equal(capture(&s, PLAIN "4", &setup, &t, NULL), QV_OK);
	assert_int_equal(t.count, 8);
	assert_int_equal(t.deepest, 1);
	trace_release(&t);
}

static void test_trace__short_moves(void **state)
{
	const struct spot s = spot_at(*state, "chess", "start");
	struct trace_setup setup = setup_of(&s, &mem_malloc);
	struct trace t;
	setup.short_moves = true;
	assert_int_equal(capture(&s, PLAIN "1", &setup, &t, NULL), QV_OK);
	assert_non_null(find(&t, "Nf3"));
	trace_release(&t);
}

static void test_trace__a_player_without_a_tree(void **state)
{
	const struct spot s = spot_at(*state, "connect4", "start");
	const struct trace_setup setup = setup_of(&s, &mem_malloc);
	struct qv_error error;
	struct trace t;
	assert_int_equal(capture(&s, "mcts:playouts=10", &setup, &t, &error), QV_UNSUPPORTED);
	assert_non_null(strstr(error.text, "'somebody'"));
	assert_null(t.nodes);
}

static bool draw(const struct trace *t, const struct qv_allocator *allocator)
{
	struct string out = { .allocator = allocator };
	struct qv_error error;
	trace_text(t, &out);
	trace_dot(t, &out);
	const bool ok = trace_svg(t, &out, &error) == QV_OK && !out.failed;
	string_release(&out);
	return ok;
}

static void test_trace__memory_may_run_out(void **state)
{
	const struct spot s = spot_at(*state, "diagram", "3-6");
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct trace_setup setup = setup_of(&s, &allocator);
	setup.max_nodes = 8; /* so that plies are dropped */
	bool whole = false;
	for (int64_t fail_at = 1; !whole; fail_at++) {
		struct trace t;
		struct qv_error error = { "" };
		meter_arm(&meter, fail_at, true);
		const enum qv_status status = capture(&s, PLAIN "3", &setup, &t, &error);
		const bool drawn = status == QV_OK && draw(&t, &allocator);
		whole = !meter.failed;
		assert_int_equal(drawn, whole);
		if (status != QV_OK) {
			assert_int_equal(status, QV_NO_MEMORY);
			assert_string_equal(error.text, "tree: out of memory");
		}
		trace_release(&t);
		assert_int_equal(meter.blocks, 0);
		assert_int_equal(meter.wrong_sizes, 0);
	}
}

/* Three steps of a tree that grows, as a search would report them. */
static void grow(const struct spot *s, const struct qv_listener *listener)
{
	const double numbers[3][2] = { { 3, 0.5 }, { 2, 0.25 }, { 1, 1 } };
	qv_move list[QV_MAX_MOVES], path[2];
	struct spot next = *s;
	s->rules.game->moves(s->state, list);
	path[0] = list[0];
	spot_play(&next, path[0]);
	s->rules.game->moves(next.state, list);
	path[1] = list[0];
	for (int length = 0; length < 3; length++) {
		const struct qv_growth step = { .path = path,
						.length = length,
						.added = length > 0,
						.count = length + 1,
						.numbers = numbers,
						.result = numbers[0],
						.attacker = -1 };
		listener->growth(listener->ctx, &step);
	}
}

/* All that can be written of a log. */
static bool write_log(const struct log *l, const struct qv_allocator *allocator)
{
	struct string out = { .allocator = allocator };
	log_html(l, &out);
	for (int i = 0; i < l->count; i++)
		log_words(l, i, &out);
	const bool ok = !out.failed;
	string_release(&out);
	return ok;
}

static void test_trace__memory_of_a_log_may_run_out(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL);
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct trace_setup setup = setup_of(&s, &allocator);
	setup.max_nodes = 30;
	for (int grows = 0; grows < 2; grows++) {
		bool whole = false;
		for (int64_t fail_at = 1; !whole; fail_at++) {
			struct log *l = NULL;
			struct qv_answer answer = { .size = sizeof answer, .move = QV_NO_MOVE };
			struct qv_error error = { "" };
			meter_arm(&meter, fail_at, true);
			enum qv_status status = log_new(&setup, &l, &error);
			if (status == QV_OK) {
				const struct qv_listener listener = log_listener(l);
				if (grows)
					grow(&s, &listener);
				else
					answer = think(&s, PLAIN "2", NULL, &listener);
				status = log_finish(l, &answer, &error);
			}
			const bool written = status == QV_OK && write_log(l, &allocator);
			whole = !meter.failed;
			assert_int_equal(written, whole);
			if (status != QV_OK)
				assert_string_equal(error.text, "tree: out of memory");
			if (whole && grows) {
				json_t *json = log_json(l),
				       *growth = json_object_get(json, "growth");
				assert_int_equal(l->grown_count, 3);
				assert_int_equal(json_array_size(json_object_get(growth, "steps")),
						 3);
				assert_string_equal(
					json_string_value(json_object_get(growth, "kind")), "mcts");
				json_decref(json);
			}
			log_free(l);
			assert_int_equal(meter.blocks, 0);
			assert_int_equal(meter.wrong_sizes, 0);
		}
	}
}

/* ---- The page of a log ---- */

/* The page of a search; the log may have other rules than the search, if their states are the same. */
static struct string page_of(const struct spot *s, const struct qv_game *game, const char *spec)
{
	struct trace_setup setup = setup_of(s, &mem_malloc);
	struct string page = { .allocator = &mem_malloc };
	struct log *l = NULL;
	setup.rules.game = game;
	assert_int_equal(log_new(&setup, &l, NULL), QV_OK);
	const struct qv_listener listener = log_listener(l);
	const struct qv_answer answer = think(s, spec, NULL, &listener);
	assert_int_equal(log_finish(l, &answer, NULL), QV_OK);
	log_html(l, &page);
	string_add(&page, "", 1);
	assert_false(page.failed);
	log_free(l);
	return page;
}

static bool page_has(const struct spot *s, const struct qv_game *game, const char *spec,
		     const char *text)
{
	struct string page = page_of(s, game, spec);
	const bool has = strstr(page.data, text);
	string_release(&page);
	return has;
}

static void write_hostile_move(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put(out, "<i>&\"");
	qv_put_int(out, (int64_t)move);
}

static void test_trace__a_page_escapes_the_names_of_a_game(void **state)
{
	static const struct qv_piece pieces[] = { { .name = "<i>&\" cross", .seat = 0 },
						  { .name = "<i>&\" nought", .seat = 1 },
						  { 0 } };
	const struct spot s = spot_at(*state, "noughts", NULL);
	struct qv_board board = *s.rules.game->board;
	struct qv_game hostile = *s.rules.game;
	board.pieces = pieces;
	hostile.board = &board;
	hostile.move_text = write_hostile_move;
	struct string page = page_of(&s, &hostile, PLAIN "2");
	assert_null(strstr(page.data, "<i>"));
	assert_null(strstr(page.data, "&\""));
	assert_non_null(strstr(page.data, "Values are for &#60;i&#62;&#38;&#34;.</p>"));
	assert_non_null(strstr(page.data, "Move: <b>&#60;i&#62;&#38;&#34;"));
	assert_non_null(strstr(page.data, "&#60;i&#62;&#38;&#34; plays &#60;i&#62;&#38;&#34;"));
	string_release(&page);
}

/* Max^n has values of the player to move, paranoid and brs those of the player at the root. */
static void test_trace__a_page_says_whose_values_it_has(void **state)
{
	struct spot s = spot_at(*state, "toy-four", NULL);
	qv_move list[SPOT_MOVES];
	spot_moves(&s, list);
	spot_play(&s, list[0]);
	const struct qv_game *g = s.rules.game;
	assert_true(page_has(&s, g, "maxn:depth=3", "Values are for the player to move.</p>"));
	assert_true(page_has(&s, g, "paranoid:depth=3", "Values are for Player 2.</p>"));
	assert_true(page_has(&s, g, "brs:depth=3", "Values are for Player 2.</p>"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_trace__values_windows_and_cuts),
		cmocka_unit_test(test_trace__what_is_not_kept_is_counted),
		cmocka_unit_test(test_trace__short_moves),
		cmocka_unit_test(test_trace__a_player_without_a_tree),
		cmocka_unit_test(test_trace__memory_may_run_out),
		cmocka_unit_test(test_trace__memory_of_a_log_may_run_out),
		cmocka_unit_test(test_trace__a_page_escapes_the_names_of_a_game),
		cmocka_unit_test(test_trace__a_page_says_whose_values_it_has),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
