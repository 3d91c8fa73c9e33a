/*
 * base_memory.c - arrays that grow.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include "base/memory.h"
#include "support/meter.h"

static void test_reserve__grows_and_keeps_its_items(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	int *list = NULL;
	size_t room = 0;
	meter_arm(&meter, 0, false);
	for (int i = 0; i < 10000; i++) {
		assert_true(mem_reserve(&allocator, &list, &room, (size_t)i + 1, sizeof *list));
		assert_true(room > (size_t)i);
		list[i] = i;
	}
	assert_true(meter.calls < 20);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(list[i], i);
	assert_true(mem_reserve(&allocator, &list, &room, 100000, sizeof *list));
	assert_int_equal(room, 100000);
	mem_free(&allocator, list, room * sizeof *list);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

static void test_reserve__without_memory_nothing_changes(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	char *list = NULL;
	size_t room = 0;
	meter_arm(&meter, 1, true);
	assert_false(mem_reserve(&allocator, &list, &room, 1, 1));
	assert_null(list);
	assert_int_equal(room, 0);
	meter_arm(&meter, 2, true);
	assert_true(mem_reserve(&allocator, &list, &room, 1, 1));
	const size_t before = room;
	list[0] = 'a';
	assert_false(mem_reserve(&allocator, &list, &room, before + 1, 1));
	assert_false(mem_reserve(&allocator, &list, &room, SIZE_MAX / 2, 4));
	assert_int_equal(room, before);
	assert_int_equal(list[0], 'a');
	assert_true(mem_reserve(&allocator, &list, &room, before, 1));
	mem_free(&allocator, list, room);
	assert_int_equal(meter.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reserve__grows_and_keeps_its_items),
		cmocka_unit_test(test_reserve__without_memory_nothing_changes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
