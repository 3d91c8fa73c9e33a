/*
 * table_search.c - fuzz target: the file of what comes before tables. Its checksum is put right first, so
 * that the reader behind it is reached too.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "solve/table_search.h"

enum { SUM = 216, PACKED = 224, LARGEST = 1 << 12 };

static void same(const struct table_search_memory *a, struct table_search_memory *b)
{
	for (size_t i = 0; i < a->places; i++) {
		if (!table_search_is_bounded(&a->list[i]))
			continue;
		const struct table_search_bounds *other =
			table_search_memory_entry(b, a->list[i].key);
		fuzz_require(other->low == a->list[i].low && other->high == a->list[i].high);
	}
}

static void read_whole(const struct qv_allocator *allocator, const uint8_t *bytes, size_t size)
{
	struct table_search_memory memory, again;
	struct table_search_packed packed;
	struct qv_error error = { "" };
	fuzz_require(table_search_memory_init(&memory, allocator, 1 << 10) == QV_OK);
	fuzz_require(table_search_memory_init(&again, allocator, 1 << 10) == QV_OK);
	if (table_search_memory_read(&memory, "morris", bytes, size, "file", &error) != QV_OK) {
		fuzz_require_reason(&error);
	} else if (table_search_memory_pack(&memory, "morris", &packed, &error) == QV_OK) {
		/* What is read can be packed and read again. */
		fuzz_require(table_search_memory_read(&again, "morris", packed.file, packed.size,
						      "file", NULL) == QV_OK);
		if (memory.places == again.places)
			same(&memory, &again);
		mem_free(allocator, packed.file, packed.room);
	}
	table_search_memory_release(&memory);
	table_search_memory_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_allocator small = { fuzz_resize, NULL };
	if (!size || size > LARGEST)
		return 0;
	uint8_t *copy = malloc(size);
	fuzz_require(copy != NULL);
	memcpy(copy, data, size);
	read_whole(&small, copy, size);
	if (size >= PACKED) {
		const uint64_t sum = qv_hash_bytes(copy + PACKED, size - PACKED);
		for (int i = 0; i < 8; i++)
			copy[SUM + i] = (uint8_t)(sum >> 8 * i);
		read_whole(&small, copy, size);
	}
	free(copy);
	return 0;
}
