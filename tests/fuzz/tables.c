/*
 * tables.c - fuzz target: the file of a table, which anybody may have written, and the same file as
 * the checkpoint of a rank. The sums over its parts are put right first, so that the reader behind
 * them is reached too.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "solve/exchange.h"

enum { FACTS = 328, ENTRY = 16, LARGEST = 1 << 16 };

static uint64_t number_at(const uint8_t *at)
{
	uint64_t number = 0;
	for (int i = 7; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

static void put_sum(uint8_t *at, const uint8_t *data, size_t size)
{
	const uint64_t sum = qv_hash_bytes(data, size);
	for (int i = 0; i < 8; i++)
		at[i] = (uint8_t)(sum >> 8 * i);
}

/* Makes the sums fit, as far as the directory can be found. */
static void mend(uint8_t *bytes, size_t size)
{
	if (size < FACTS + ENTRY)
		return;
	const uint64_t values = number_at(bytes + 16) * bytes[8];
	const uint64_t blocks = (values + TABLE_BLOCK - 1) / TABLE_BLOCK;
	if (blocks > size / ENTRY || FACTS + (blocks + 1) * ENTRY > size)
		return;
	uint8_t *entry = bytes + FACTS;
	for (uint64_t i = 0; i < blocks; i++, entry += ENTRY) {
		const uint64_t from = number_at(entry), to = number_at(entry + ENTRY);
		if (from <= to && to <= size)
			put_sum(entry + 8, bytes + from, (size_t)(to - from));
	}
	put_sum(entry + 8, bytes, (size_t)(entry + 8 - bytes));
}

/* Reads an open file as a checkpoint into values of its own width, or of two bytes. */
static void read_part(const struct qv_allocator *small, struct table_file *file, int width)
{
	const uint64_t numbers = file->facts.size / 2;
	struct qv_error error = { "" };
	struct values values = { 0 }, counters = { 0 };
	if (width < file->facts.width || exchange_part_size(numbers) != file->facts.size)
		return;
	if (values_init(&values, small, numbers, width, &error) == QV_OK &&
	    values_init(&counters, small, numbers, 1, &error) == QV_OK &&
	    exchange_read_part(file, &values, &counters, &error) == QV_OK) {
		/* What was read is what the file holds: the values come back in the same places. */
		struct values all;
		if (table_read(file, &all, &error) == QV_OK) {
			for (uint64_t i = 0; i < numbers; i++)
				fuzz_require(values_get(&values, i) == values_get(&all, i));
			values_release(&all, small);
		}
	} else {
		fuzz_require_reason(&error);
	}
	if (values.data)
		values_release(&values, small);
	if (counters.data)
		values_release(&counters, small);
}

static void read_whole(const struct qv_allocator *small, uint8_t *bytes, size_t size)
{
	struct table_file file;
	struct qv_error error = { "" };
	struct values values;
	FILE *in = fmemopen(bytes, size, "rb");
	fuzz_require(in != NULL);
	if (table_open_stream(&file, small, in, "file", &error) != QV_OK) {
		fuzz_require_reason(&error);
		return;
	}
	if (table_read(&file, &values, &error) != QV_OK) {
		fuzz_require_reason(&error);
	} else {
		struct table_facts facts = file.facts;
		table_count(&facts, &values);
		fuzz_require(facts.wins + facts.draws + facts.losses + facts.holes == values.size);
		values_release(&values, small);
	}
	read_part(small, &file, 1);
	read_part(small, &file, 2);
	table_close(&file);
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
	mend(copy, size);
	read_whole(&small, copy, size);
	free(copy);
	return 0;
}
