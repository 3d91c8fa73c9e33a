/*
 * search_table.c - the transposition table: what it keeps, what gives way, and torn entries.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "search/table.h"
#include "support/meter.h"
#include "support/scale.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool same_entry(const struct table_entry *a, const struct table_entry *b)
{
	return a->value == b->value && a->depth == b->depth && a->place == b->place &&
	       a->bound == b->bound && a->proven == b->proven;
}

static struct table_entry random_entry(struct qv_random *random)
{
	static const int32_t values[] = { 0,          1,           -1,        QV_WIN,   -QV_WIN,
					  QV_WIN - 7, QV_MAX_EVAL, INT32_MAX, INT32_MIN };
	const uint64_t which = qv_random_below(random, 2 * LENGTH(values));
	return (struct table_entry){
		.value = which < LENGTH(values) ? values[which]
						: (int32_t)(uint32_t)qv_random_next(random),
		.depth = (int)qv_random_below(random, TABLE_MAX_DEPTH + 1),
		.place = (int)qv_random_below(random, TABLE_NO_MOVE + 1),
		.bound = (enum bound)(1 + qv_random_below(random, 3)),
		.proven = qv_random_below(random, 2),
	};
}

/* What was just put comes back, every field of it, whatever was there. */
static void test_table__keeps_every_field(void **unused)
{
	(void)unused;
	struct table t;
	struct qv_random random = { .key = 3 };
	assert_int_equal(table_init(&t, &mem_malloc, 1 << 12), QV_OK);
	for (int i = 0; i < 20000; i++) {
		const uint64_t key = qv_random_next(&random);
		const struct table_entry entry = random_entry(&random);
		struct table_entry found = { 0 };
		assert_false(table_get(&t, key, &found));
		table_put(&t, key, &entry);
		assert_true(table_get(&t, key, &found));
		assert_true(same_entry(&entry, &found));
		if (i % 1000 == 0)
			table_new_search(&t);
	}
	table_release(&t);
}

/* A table of a single cluster, where all meet. */
static void one_cluster(struct table *t, const int *depths)
{
	assert_int_equal(table_init(t, &mem_malloc, 0), QV_OK);
	assert_int_equal(t->clusters, 1);
	for (int i = 0; i < TABLE_CLUSTER; i++) {
		const struct table_entry entry = { .value = i,
						   .depth = depths[i],
						   .bound = BOUND_EXACT };
		table_put(t, (uint64_t)i + 1, &entry);
	}
}

static bool holds(const struct table *t, uint64_t key, int32_t value)
{
	struct table_entry entry;
	return table_get(t, key, &entry) && entry.value == value;
}

static void test_table__same_position_is_replaced(void **unused)
{
	static const int depths[TABLE_CLUSTER] = { 9, 8, 7, 6 };
	(void)unused;
	struct table t;
	one_cluster(&t, depths);
	for (int i = 0; i < TABLE_CLUSTER; i++) {
		const struct table_entry shallow = { .value = 100 + i,
						     .depth = 1,
						     .bound = BOUND_LOWER };
		table_put(&t, (uint64_t)i + 1, &shallow);
		for (int j = 0; j < TABLE_CLUSTER; j++)
			assert_true(holds(&t, (uint64_t)j + 1, j <= i ? 100 + j : j));
	}
	table_release(&t);
}

static void test_table__shallow_gives_way_then_old(void **unused)
{
	static const int depths[TABLE_CLUSTER] = { 5, 3, 9, 7 };
	const struct table_entry next = { .value = 50, .depth = 2, .bound = BOUND_EXACT };
	(void)unused;
	struct table t;
	one_cluster(&t, depths);
	table_put(&t, 99, &next); /* for the one of depth 3 */
	assert_true(holds(&t, 1, 0) && !holds(&t, 2, 1) && holds(&t, 3, 2) && holds(&t, 4, 3) &&
		    holds(&t, 99, 50));
	table_new_search(&t);
	table_new_search(&t);
	table_put(&t, 3, &(struct table_entry){ .value = 2, .depth = 4, .bound = BOUND_EXACT });
	table_put(&t, 1, &(struct table_entry){ .value = 0, .depth = 1, .bound = BOUND_EXACT });
	table_put(&t, 98, &next); /* 99 is old and shallower than 4, which is old too */
	assert_true(holds(&t, 98, 50) && !holds(&t, 99, 50) && holds(&t, 4, 3) && holds(&t, 1, 0) &&
		    holds(&t, 3, 2));
	table_put(&t, 97, &next); /* 4, of depth 7 but two searches old, before 1, of depth 1 */
	assert_true(holds(&t, 97, 50) && !holds(&t, 4, 3) && holds(&t, 1, 0) && holds(&t, 3, 2) &&
		    holds(&t, 98, 50));
	table_release(&t);
}

static void test_table__torn_entry_is_no_hit(void **unused)
{
	(void)unused;
	struct table t;
	struct qv_random random = { .key = 4 };
	assert_int_equal(table_init(&t, &mem_malloc, 0), QV_OK);
	for (int i = 0; i < 1000; i++) {
		const uint64_t key = qv_random_next(&random);
		const struct table_entry one = random_entry(&random), two = random_entry(&random);
		struct table_entry found = { 0 };
		table_clear(&t);
		table_put(&t, key, &one);
		const uint64_t first_data = atomic_load(&t.slots[0].data);
		table_put(&t, ~key, &two);
		/* Half of the one store, half of the other. */
		atomic_store(&t.slots[1].data, first_data);
		assert_true(same_entry(&one, &two) || !table_get(&t, ~key, &found));
		assert_true(table_get(&t, key, &found) && same_entry(&found, &one));
		atomic_fetch_xor(&t.slots[0].key, UINT64_C(1) << i % 64);
		assert_false(table_get(&t, key, &found));
	}
	table_release(&t);
}

static void test_table__clear_forgets_and_no_memory_is_said(void **unused)
{
	static const int depths[TABLE_CLUSTER] = { 1, 2, 3, 4 };
	(void)unused;
	struct table t;
	struct table_entry entry;
	one_cluster(&t, depths);
	assert_true(holds(&t, 1, 0));
	table_clear(&t);
	for (uint64_t key = 0; key <= TABLE_CLUSTER; key++)
		assert_false(table_get(&t, key, &entry));
	table_release(&t);
	table_release(&t);
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	meter_arm(&meter, 1, false);
	assert_int_equal(table_init(&t, &allocator, 1 << 20), QV_NO_MEMORY);
	table_release(&t);
	assert_int_equal(meter.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table__keeps_every_field),
		cmocka_unit_test(test_table__same_position_is_replaced),
		cmocka_unit_test(test_table__shallow_gives_way_then_old),
		cmocka_unit_test(test_table__torn_entry_is_no_hit),
		cmocka_unit_test(test_table__clear_forgets_and_no_memory_is_said),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
