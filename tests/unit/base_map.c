/*
 * base_map.c - the hash map against a list that is searched from end to end.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "base/memory.h"
#include "support/meter.h"
#include "support/scale.h"

enum { ITEMS = 400 };

struct item {
	uint64_t key;
	char text[8];
	bool in; /* the map has it, says the model */
	int seen;
};

/* Few keys, so that many are shared; some of them alike in all but their high bits. */
static uint64_t random_key(struct qv_random *random)
{
	const uint64_t low = qv_random_below(random, 40);
	return low | qv_random_below(random, 3) << 62;
}

static struct item *items_new(struct qv_random *random)
{
	struct item *items = calloc(ITEMS, sizeof *items);
	assert_non_null(items);
	for (int i = 0; i < ITEMS; i++) {
		items[i].key = random_key(random);
		snprintf(items[i].text, sizeof items[i].text, "%d", i * 7919 % 1000);
	}
	return items;
}

static size_t count_in(const struct item *items)
{
	size_t count = 0;
	for (int i = 0; i < ITEMS; i++)
		count += items[i].in;
	return count;
}

static void clear_seen(struct item *items)
{
	for (int i = 0; i < ITEMS; i++)
		items[i].seen = 0;
}

static void check_all(const struct map *m, struct item *items)
{
	struct item *item;
	size_t at = 0;
	clear_seen(items);
	while ((item = map_next(m, &at)))
		item->seen++;
	assert_null(map_next(m, &at));
	for (int i = 0; i < ITEMS; i++)
		assert_int_equal(items[i].seen, items[i].in);
	assert_int_equal(m->count, count_in(items));
}

static void check_key(const struct map *m, struct item *items, uint64_t key)
{
	struct item *item;
	size_t at = 0;
	int expected = 0, found = 0;
	clear_seen(items);
	while ((item = map_next_of(m, key, &at))) {
		assert_true(item->key == key && item->in);
		item->seen++;
		found++;
	}
	for (int i = 0; i < ITEMS; i++) {
		assert_true(items[i].seen <= 1);
		expected += items[i].in && items[i].key == key;
	}
	assert_int_equal(found, expected);
	assert_int_equal(map_find(m, key) != NULL, expected > 0);
}

static void test_map__numbers_as_in_a_list(void **state)
{
	struct qv_random random = { .key = 1 };
	(void)state;
	for (int64_t round = scaled(20); round > 0; round--) {
		struct map m = { .allocator = &mem_malloc };
		struct item *items = items_new(&random);
		const uint64_t adds = qv_random_below(&random, 100); /* of a hundred steps */
		for (int i = 0; i < 3000; i++) {
			struct item *item = &items[qv_random_below(&random, ITEMS)];
			if (qv_random_below(&random, 100) < adds) {
				assert_true(item->in || map_add(&m, item->key, item));
				item->in = true;
			} else {
				map_remove(&m, item->key, item); /* which may not be there */
				item->in = false;
			}
			if (i % 50 == 0) {
				check_all(&m, items);
				check_key(&m, items, random_key(&random));
			}
		}
		map_release(&m);
		assert_null(map_find(&m, items[0].key));
		assert_true(map_add(&m, 1, items)); /* it can be used again */
		map_release(&m);
		free(items);
	}
}

static void test_map__texts_as_in_a_list(void **state)
{
	struct qv_random random = { .key = 2 };
	(void)state;
	for (int64_t round = scaled(20); round > 0; round--) {
		struct map m = { .allocator = &mem_malloc, .text_at = offsetof(struct item, text) };
		struct item *items = items_new(&random);
		for (int i = 0; i < 3000; i++) {
			struct item *item = &items[qv_random_below(&random, ITEMS)];
			if (!item->in)
				assert_true(map_add_text(&m, item));
			else
				map_remove_text(&m, item);
			item->in = !item->in;
			struct item *other = &items[qv_random_below(&random, ITEMS)];
			assert_ptr_equal(map_find_text(&m, other->text), other->in ? other : NULL);
			assert_null(map_find_text(&m, "none"));
			if (i % 50 == 0)
				check_all(&m, items);
		}
		map_release(&m);
		free(items);
	}
}

/* Any values may go while all are looked at, the last one given too. */
static void test_map__values_may_be_removed_on_the_way(void **state)
{
	struct qv_random random = { .key = 3 };
	(void)state;
	for (int round = 0; round < 50; round++) {
		struct map m = { .allocator = &mem_malloc };
		struct item *items = items_new(&random), *item;
		size_t at = 0;
		for (int i = 0; i < ITEMS; i++) {
			items[i].in = true;
			assert_true(map_add(&m, items[i].key, &items[i]));
		}
		while ((item = map_next(&m, &at))) {
			assert_true(item->in && !item->seen++);
			struct item *gone[] = { item, &items[qv_random_below(&random, ITEMS)] };
			for (int k = 0; k < (round % 2 ? 2 : 1); k++) {
				map_remove(&m, gone[k]->key, gone[k]);
				gone[k]->in = false;
			}
		}
		assert_int_equal(m.count, 0);
		for (int i = 0; i < ITEMS; i++)
			assert_false(items[i].in);
		map_release(&m);
		free(items);
	}
}

/* A queue of a few values that come and go for a long time needs no more room than they do. */
static void test_map__what_was_removed_takes_no_room(void **state)
{
	struct map m = { .allocator = &mem_malloc };
	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		assert_true(map_add(&m, i, map_of_number(i)));
		if (i >= 10)
			map_remove(&m, i - 10, map_of_number(i - 10));
		assert_true(m.capacity <= 64);
	}
	assert_int_equal(m.count, 10);
	assert_int_equal(map_to_number(map_find(&m, 99995)), 99995);
	assert_null(map_find(&m, 5));
	map_release(&m);
}

static void test_map__few_entries_are_looked_at(void **state)
{
	struct map m = { .allocator = &mem_malloc };
	(void)state;
	for (uint64_t i = 0; i < 100000; i++)
		assert_true(map_add(&m, i << 20, map_of_number(i))); /* alike in their low bits */
	uint64_t steps = 0;
	for (size_t i = 0; i < m.capacity; i++)
		if (m.entries[i].value)
			steps += (i - qv_mix(m.entries[i].key)) & (m.capacity - 1);
	assert_true(m.capacity >= 2 * m.count);
	assert_true(steps <= m.count);
	map_release(&m);
}

static void test_map__want_of_memory_changes_nothing(void **state)
{
	(void)state;
	for (int64_t fail_at = 1; fail_at <= 5; fail_at++) {
		struct qv_random random = { .key = 4 };
		struct meter meter = meter_make();
		const struct qv_allocator allocator = { meter_resize, &meter };
		struct map m = { .allocator = &allocator };
		struct item *items = items_new(&random);
		int failures = 0;
		meter_arm(&meter, fail_at, false);
		for (int i = 0; i < ITEMS; i++) {
			items[i].in = map_add(&m, items[i].key, &items[i]);
			failures += !items[i].in;
			if (!items[i].in)
				check_all(&m, items);
		}
		assert_int_equal(failures, 1);
		check_all(&m, items);
		map_release(&m);
		assert_int_equal(meter.blocks, 0);
		assert_int_equal(meter.bytes, 0);
		assert_int_equal(meter.wrong_sizes, 0);
		free(items);
	}
}

static void test_map__an_empty_one_holds_nothing(void **state)
{
	struct map m = { .allocator = &mem_malloc };
	size_t at = 0;
	(void)state;
	assert_null(map_next(&m, &at));
	assert_null(map_next_of(&m, 0, &at));
	assert_null(map_find(&m, 0));
	assert_null(map_find_text(&m, ""));
	map_remove(&m, 0, &m);
	map_release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map__numbers_as_in_a_list),
		cmocka_unit_test(test_map__texts_as_in_a_list),
		cmocka_unit_test(test_map__values_may_be_removed_on_the_way),
		cmocka_unit_test(test_map__what_was_removed_takes_no_room),
		cmocka_unit_test(test_map__few_entries_are_looked_at),
		cmocka_unit_test(test_map__want_of_memory_changes_nothing),
		cmocka_unit_test(test_map__an_empty_one_holds_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
