/*
 * backgammon_tables.c - the bear-off tables that players share: computed once, by several threads
 * and with little memory, too.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/tables.h"

#include "base/threads.h"
#include "core/context.h"
#include "games/registry.h"
#include "support/bearoff_tables.h"
#include "support/meter.h"

/* ---- Sharing ---- */

enum { WORKERS = 4 };

struct found {
	const void *one[WORKERS], *two[WORKERS];
};

static void look(void *ctx, int worker)
{
	struct found *f = ctx;
	f->two[worker] = backgammon_two_sided(tables);
	f->one[worker] = backgammon_one_sided(tables);
}

static void test_tables__are_made_once(void **unused)
{
	(void)unused;
	struct found f = { { 0 }, { 0 } };
	threads_run(WORKERS, look, &f);
	assert_true(f.one[0] && f.two[0]);
	for (int i = 0; i < WORKERS; i++) {
		if (!f.one[i]) /* a build without threads */
			continue;
		assert_ptr_equal(f.one[i], backgammon_one_sided(tables));
		assert_ptr_equal(f.two[i], backgammon_two_sided(tables));
	}
}

/* A context has them for this game alone. */
static void test_tables__belong_to_the_context(void **unused)
{
	(void)unused;
	struct qv_context *context = qv_context_new(NULL);
	assert_non_null(context);
	for (int i = 0; registry_at(i); i++) {
		const struct engine *engine = registry_at(i);
		void *shared = context_shared(context, engine);
		assert_int_equal(!shared, !engine->shared);
		assert_ptr_equal(shared, context_shared(context, engine));
	}
	assert_null(context_shared(context, &plugin_engine));
	qv_context_free(context);
}

static void test_tables__do_without_memory(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	for (int64_t n = 1; n <= 3; n++) {
		meter_arm(&meter, n, true);
		assert_null(qv_context_new(&allocator));
	}
	meter_arm(&meter, 0, false);
	struct backgammon_tables *poor = backgammon_tables_new(&allocator);
	assert_non_null(poor);
	meter_arm(&meter, 1, true);
	assert_null(backgammon_one_sided(poor));
	for (int64_t n = 1; n <= 3; n++) {
		meter_arm(&meter, n, n == 2);
		assert_null(backgammon_two_sided(poor));
	}
	meter_arm(&meter, 0, false);
	assert_non_null(backgammon_one_sided(poor));
	assert_non_null(backgammon_two_sided(poor));
	backgammon_tables_free(poor);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables__are_made_once),
		cmocka_unit_test(test_tables__belong_to_the_context),
		cmocka_unit_test(test_tables__do_without_memory),
	};
	return cmocka_run_group_tests(tests, tables_setup, tables_teardown);
}
