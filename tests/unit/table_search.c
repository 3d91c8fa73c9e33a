/*
 * table_search.c - what is known of positions before the tables: in memory, packed, damaged.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <string.h>

#include "solve/table_search.h"
#include "support/meter.h"

enum { ENTRIES = 300, ROOM = 1 << 14 };

/* Every kind of bounds that says something, under keys from all over. */
static void fill(struct table_search_memory *m, const struct qv_allocator *allocator)
{
	static const struct {
		int8_t low, high;
	} kinds[] = {
		{ TABLE_SEARCH_LOSS, TABLE_SEARCH_LOSS }, { TABLE_SEARCH_LOSS, TABLE_SEARCH_DRAW },
		{ TABLE_SEARCH_DRAW, TABLE_SEARCH_DRAW }, { TABLE_SEARCH_DRAW, TABLE_SEARCH_WIN },
		{ TABLE_SEARCH_WIN, TABLE_SEARCH_WIN },
	};
	assert_int_equal(table_search_memory_init(m, allocator, ROOM), QV_OK);
	for (uint64_t i = 1; i <= ENTRIES; i++) {
		struct table_search_bounds *b = table_search_memory_entry(m, qv_mix(i));
		b->low = kinds[i % 5].low;
		b->high = kinds[i % 5].high;
		b->nodes = TABLE_SEARCH_WORTH;
	}
	table_search_memory_entry(m, 7); /* asked for, but nothing is known */
	table_search_memory_entry(m, 8)->high = TABLE_SEARCH_DRAW; /* known, but cheap */
}

static int count(const struct table_search_memory *m)
{
	int n = 0;
	for (size_t i = 0; i < m->places; i++)
		n += table_search_is_worth_saving(&m->list[i]);
	return n;
}

static void test_above__what_is_packed_is_read(void **state)
{
	(void)state;
	struct table_search_memory m, small;
	struct table_search_packed p;
	fill(&m, &mem_malloc);
	const int known = count(&m);
	assert_in_range(known, ENTRIES * 9 / 10, ENTRIES);
	assert_int_equal(table_search_memory_pack(&m, "morris", &p, NULL), QV_OK);
	/* Into a memory with too little room, which grows; what it knew before stays. */
	assert_int_equal(table_search_memory_init(&small, &mem_malloc, 0), QV_OK);
	table_search_memory_entry(&small, 99)->low = TABLE_SEARCH_WIN;
	table_search_memory_entry(&small, 99)->nodes = 2 * TABLE_SEARCH_WORTH;
	assert_int_equal(table_search_memory_read(&small, "morris", p.file, p.size, "f", NULL),
			 QV_OK);
	assert_int_equal(table_search_memory_entry(&small, 99)->low, TABLE_SEARCH_WIN);
	int same = 0;
	for (size_t i = 0; i < m.places; i++) {
		const struct table_search_bounds *b = &m.list[i];
		if (!table_search_is_worth_saving(b))
			continue;
		const struct table_search_bounds *other = table_search_memory_entry(&small, b->key);
		same += other->low == b->low && other->high == b->high;
	}
	assert_in_range(same, known * 9 / 10, known); /* few places had too many neighbours */
	mem_free(&mem_malloc, p.file, p.room);
	table_search_memory_release(&m);
	table_search_memory_release(&small);
}

static void refuse(struct table_search_memory *m, const unsigned char *file, size_t size,
		   const char *why)
{
	struct qv_error error = { "" };
	const int known = count(m);
	assert_int_equal(table_search_memory_read(m, "morris", file, size, "f", &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, why));
	assert_int_equal(count(m), known);
}

static void test_above__a_damaged_file_is_refused(void **state)
{
	(void)state;
	struct table_search_memory m, other;
	struct table_search_packed p;
	fill(&m, &mem_malloc);
	assert_int_equal(table_search_memory_pack(&m, "morris", &p, NULL), QV_OK);
	assert_int_equal(table_search_memory_init(&other, &mem_malloc, ROOM), QV_OK);
	for (size_t i = 0; i < p.size; i++) {
		/* The name of the game ends at its NUL; what is behind it does not count. */
		if (i > 8 + strlen("morris") && i < 208)
			continue;
		p.file[i] ^= 0x41;
		refuse(&other, p.file, p.size,
		       i < 8	 ? "not a file"
		       : i < 208 ? "another game"
				 : "damaged");
		p.file[i] ^= 0x41;
	}
	for (size_t size = 0; size < p.size; size++)
		refuse(&other, p.file, size, size < 224 ? "not a file" : "damaged");
	assert_int_equal(table_search_memory_load(&other, "morris", "/no/such/file", NULL), QV_OK);
	mem_free(&mem_malloc, p.file, p.room);
	table_search_memory_release(&m);
	table_search_memory_release(&other);
}

static void test_above__no_memory_is_said(void **state)
{
	(void)state;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	bool done = false;
	for (int64_t n = 1; !done; n++) {
		struct table_search_memory m, other;
		struct table_search_packed p = { .room = 0 };
		meter_arm(&meter, 0, false);
		fill(&m, &allocator);
		assert_int_equal(table_search_memory_init(&other, &allocator, 0), QV_OK);
		meter_arm(&meter, n, false);
		enum qv_status status = table_search_memory_pack(&m, "morris", &p, NULL);
		if (status == QV_OK)
			status = table_search_memory_read(&other, "morris", p.file, p.size, "f",
							  NULL);
		done = status == QV_OK;
		assert_true(done || status == QV_NO_MEMORY);
		assert_int_equal(meter.failed, !done);
		mem_free(&allocator, p.file, p.file ? p.room : 0);
		table_search_memory_release(&m);
		table_search_memory_release(&other);
		assert_int_equal(meter.bytes, 0);
		assert_int_equal(meter.wrong_sizes, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_above__what_is_packed_is_read),
		cmocka_unit_test(test_above__a_damaged_file_is_refused),
		cmocka_unit_test(test_above__no_memory_is_said),
	};
	return cmocka_run_group_tests_name("table_search", tests, NULL, NULL);
}
