/*
 * table_search_file.c - the file format of saved search bounds (FOLDER/GAME/start.qva).
 * SPDX-License-Identifier: MIT
 *
 * A header, then one zstd frame: all keys in ascending order as differences of 8 bytes, then one
 * byte of bounds for each. Only bounds that took TABLE_SEARCH_WORTH nodes or more are saved. Files
 * are untrusted: the checksum, the frame's size and every record are checked before any is used.
 */
#include <stdlib.h>
#include <zstd.h>

#include "solve/table_search_memory.h"
#include "solve/spaces.h"
#include "solve/table_layout.h"

enum {
	AT_GAME_NAME = 8,
	AT_COUNT = AT_GAME_NAME + SPACES_NAME,
	AT_PACKED_SUM = AT_COUNT + 8,
	AT_PACKED = AT_PACKED_SUM + 8,
	RECORD = 9,
	MOST_RECORDS = 1 << 26,
};

static const char magic[8] = "QVABOVE1";

/* One byte more than needed, so that an empty memory is no special case. */
static size_t plain_size(size_t count)
{
	return count * RECORD + 1;
}

/* ---- writing ---- */

static int by_key(const void *a, const void *b)
{
	const uint64_t x = ((const struct table_search_bounds *)a)->key;
	const uint64_t y = ((const struct table_search_bounds *)b)->key;
	return (x > y) - (x < y);
}

/* The records sorted by key, uncompressed. NULL: out of memory. */
static unsigned char *serialize(const struct table_search_memory *m, size_t count)
{
	struct table_search_bounds *sorted = mem_new(m->allocator, count + 1, sizeof *sorted);
	unsigned char *plain = mem_new(m->allocator, 1, plain_size(count));
	size_t n = 0;
	for (size_t i = 0; sorted && plain && i < m->places; i++)
		if (table_search_is_worth_saving(&m->list[i]))
			sorted[n++] = m->list[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, by_key);
	for (size_t i = 0; i < n; i++) {
		const uint64_t before = i ? sorted[i - 1].key : 0;
		table_put_number(plain + 8 * i, sorted[i].key - before, 8);
		plain[8 * count + i] =
			(unsigned char)((sorted[i].low + 1) | (sorted[i].high + 1) << 2);
	}
	if (!sorted && plain) {
		mem_free(m->allocator, plain, plain_size(count));
		plain = NULL;
	}
	mem_free(m->allocator, sorted, sorted ? (count + 1) * sizeof *sorted : 0);
	return plain;
}

enum qv_status table_search_memory_pack(const struct table_search_memory *m, const char *game,
					struct table_search_packed *out, struct qv_error *error)
{
	enum { LEVEL = 9 };
	size_t count = 0;
	for (size_t i = 0; i < m->places; i++)
		count += table_search_is_worth_saving(&m->list[i]);
	*out = (struct table_search_packed){ .room = AT_PACKED +
						     ZSTD_compressBound(count * RECORD) };
	if (count > MOST_RECORDS)
		return qv_fail(error, QV_UNSUPPORTED, "tables: too many search results to save");
	unsigned char *plain = serialize(m, count), *file = mem_new(m->allocator, 1, out->room);
	const size_t packed = plain && file ? ZSTD_compress(file + AT_PACKED, out->room - AT_PACKED,
							    plain, count * RECORD, LEVEL)
					    : 0;
	mem_free(m->allocator, plain, plain ? plain_size(count) : 0);
	if (!packed || ZSTD_isError(packed)) {
		mem_free(m->allocator, file, file ? out->room : 0);
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	}
	memcpy(file, magic, sizeof magic);
	snprintf((char *)file + AT_GAME_NAME, SPACES_NAME, "%s", game);
	table_put_number(file + AT_COUNT, count, 8);
	table_put_number(file + AT_PACKED_SUM, qv_hash_bytes(file + AT_PACKED, packed), 8);
	out->file = file;
	out->size = AT_PACKED + packed;
	return QV_OK;
}

/* ---- reading ---- */

/* Whether keys ascend and every record bounds the value. */
static bool is_sound(const unsigned char *plain, size_t count)
{
	uint64_t key = 0;
	for (size_t i = 0; i < count; i++) {
		const uint64_t more = table_number(plain + 8 * i, 8);
		const int low = plain[8 * count + i] & 3, high = plain[8 * count + i] >> 2;
		if (!more || key + more < key || low > high || high > 2 || high - low > 1)
			return false;
		key += more;
	}
	return true;
}

static void add(struct table_search_memory *m, const unsigned char *plain, size_t count)
{
	uint64_t key = 0;
	for (size_t i = 0; i < count; i++) {
		key += table_number(plain + 8 * i, 8);
		const int8_t low = (int8_t)((plain[8 * count + i] & 3) - 1);
		const int8_t high = (int8_t)((plain[8 * count + i] >> 2) - 1);
		struct table_search_bounds *b = table_search_memory_entry(m, key);
		b->low = low > b->low ? low : b->low;
		b->high = high < b->high ? high : b->high;
		b->nodes = b->nodes > TABLE_SEARCH_WORTH ? b->nodes : TABLE_SEARCH_WORTH;
	}
}

/* What is wrong with the header; NULL: nothing. */
static const char *header_fault(const unsigned char *file, size_t size, const char *game)
{
	if (size < AT_PACKED || memcmp(file, magic, sizeof magic) != 0)
		return "not a file of search results before the tables";
	if (strncmp((const char *)file + AT_GAME_NAME, game, SPACES_NAME) != 0)
		return "belongs to another game";
	const uint64_t count = table_number(file + AT_COUNT, 8);
	if (count > MOST_RECORDS ||
	    qv_hash_bytes(file + AT_PACKED, size - AT_PACKED) !=
		    table_number(file + AT_PACKED_SUM, 8) ||
	    ZSTD_getFrameContentSize(file + AT_PACKED, size - AT_PACKED) != count * RECORD)
		return "damaged";
	return NULL;
}

enum qv_status table_search_memory_read(struct table_search_memory *m, const char *game,
					const void *file, size_t size, const char *name,
					struct qv_error *error)
{
	const unsigned char *const bytes = file;
	const char *fault = header_fault(bytes, size, game);
	if (fault)
		return qv_fail(error, QV_BAD_INPUT, "%.150s: %s", name, fault);
	const size_t count = (size_t)table_number(bytes + AT_COUNT, 8);
	unsigned char *plain = mem_new(m->allocator, 1, plain_size(count));
	enum qv_status status = plain ? QV_OK : QV_NO_MEMORY;
	if (plain && (ZSTD_decompress(plain, count * RECORD, bytes + AT_PACKED, size - AT_PACKED) !=
			      count * RECORD ||
		      !is_sound(plain, count)))
		status = QV_BAD_INPUT;
	if (status == QV_OK)
		status = table_search_memory_reserve(m, count);
	if (status == QV_OK)
		add(m, plain, count);
	mem_free(m->allocator, plain, plain ? plain_size(count) : 0);
	if (status == QV_OK)
		return QV_OK;
	return qv_fail(error, status, "%.150s: %s", name,
		       status == QV_NO_MEMORY ? "out of memory" : "damaged");
}
