/*
 * table_file.c - reads the table file of one space.
 * SPDX-License-Identifier: MIT
 *
 * Opening reads the header and the block directory and verifies their checksum; a block is read,
 * verified and decompressed (zstd) when it is asked for. Files are untrusted input: every size is
 * checked against the file's own size before memory is allocated for it. Fuzzed by
 * tests/fuzz/tables.c.
 */
#include "solve/table_file.h"

#include <errno.h>
#include <zstd.h>

#include "solve/table_layout.h"

enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error)
{
	*v = (struct values){ mem_new(allocator, (size_t)size, (size_t)width), size, width };
	if (!v->data)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory for %llu positions",
			       (unsigned long long)size);
	mem_prefer_large_pages(v->data, (size_t)size * (size_t)width);
	return QV_OK;
}

void values_release(struct values *v, const struct qv_allocator *allocator)
{
	mem_free(allocator, v->data, (size_t)v->size * (size_t)v->width);
	*v = (struct values){ 0 };
}

static bool is_name(const unsigned char *at, size_t size)
{
	const unsigned char *end = memchr(at, '\0', size);
	for (const unsigned char *c = at; end && c < end; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	/* The encoding is canonical: only zeros may follow the terminator. */
	for (const unsigned char *c = end; c && c < at + size; c++)
		if (*c)
			return false;
	return end && end > at;
}

static const char *get_facts(const unsigned char *front, struct table_facts *f)
{
	if (memcmp(front + AT_MAGIC, table_magic, sizeof table_magic) != 0)
		return "not a table";
	*f = (struct table_facts){ .width = (int)(table_number(front + AT_WIDTH, 4) & 0xff) };
	f->longest = (int)(int32_t)(uint32_t)table_number(front + AT_LONGEST, 4);
	f->size = table_number(front + AT_SIZE, 8);
	f->wins = table_number(front + AT_COUNTS, 8);
	f->draws = table_number(front + AT_COUNTS + 8, 8);
	f->losses = table_number(front + AT_COUNTS + 16, 8);
	f->holes = table_number(front + AT_COUNTS + 24, 8);
	f->level = (int)(int64_t)table_number(front + AT_LEVEL, 8);
	f->progress = table_number(front + AT_PROGRESS, 8);
	if (table_number(front + AT_WIDTH, 4) < 1 || table_number(front + AT_WIDTH, 4) > 2 ||
	    f->size < 1 || f->size > SPACE_LARGEST || f->longest < -1 || f->longest > 0xffff ||
	    f->level < TABLE_FINISHED || f->level > 0xffff ||
	    memcmp(front + AT_METRIC, table_metric, sizeof table_metric) != 0 ||
	    !is_name(front + AT_GAME, sizeof f->game) ||
	    !is_name(front + AT_SPACE, sizeof f->space))
		return "damaged: its header is out of bounds";
	memcpy(f->game, front + AT_GAME, sizeof f->game);
	memcpy(f->space, front + AT_SPACE, sizeof f->space);
	return NULL;
}

static uint64_t block_place(const struct table_file *f, uint64_t block)
{
	return table_number(f->directory + block * ENTRY_SIZE, 8);
}

/* Blocks must follow each other without gaps up to the end of the file. */
static const char *check_places(const struct table_file *f)
{
	const uint64_t most = ZSTD_compressBound(TABLE_BLOCK);
	if (block_place(f, 0) != FACTS_SIZE + f->directory_size ||
	    block_place(f, f->blocks) != f->bytes)
		return "truncated, or too long";
	for (uint64_t i = 0; i < f->blocks; i++) {
		const uint64_t from = block_place(f, i), to = block_place(f, i + 1);
		if (to <= from || to - from > most)
			return "damaged: its block directory is wrong";
	}
	return NULL;
}

static enum qv_status read_directory(struct table_file *f, const unsigned char *front)
{
	f->directory_size = (size_t)f->blocks * ENTRY_SIZE + TAIL_SIZE;
	const size_t size = FACTS_SIZE + f->directory_size;
	unsigned char *whole = mem_new(f->allocator, 1, size);
	f->directory = mem_new(f->allocator, 1, f->directory_size);
	f->packed = mem_new(f->allocator, 1, ZSTD_compressBound(TABLE_BLOCK));
	enum qv_status status = whole && f->directory && f->packed ? QV_OK : QV_NO_MEMORY;
	if (status == QV_OK) {
		memcpy(whole, front, FACTS_SIZE);
		if (fread(f->directory, 1, f->directory_size, f->in) != f->directory_size)
			status = QV_BAD_INPUT;
		memcpy(whole + FACTS_SIZE, f->directory, f->directory_size);
		/* The caller sees a wrong checksum as a directory whose first offset is 0. */
		if (qv_hash_bytes(whole, size - 8) != table_number(whole + size - 8, 8))
			memset(f->directory, 0, f->directory_size);
	}
	mem_free(f->allocator, whole, whole ? size : 0);
	return status;
}

static const char *read_front(struct table_file *f, enum qv_status *status)
{
	unsigned char front[FACTS_SIZE];
	*status = QV_BAD_INPUT;
	if (fseeko(f->in, 0, SEEK_END) != 0)
		return "cannot be read";
	f->bytes = (uint64_t)ftello(f->in);
	if (fseeko(f->in, 0, SEEK_SET) != 0 || fread(front, 1, sizeof front, f->in) != sizeof front)
		return "too short for a table";
	const char *wrong = get_facts(front, &f->facts);
	if (wrong)
		return wrong;
	f->blocks = table_blocks(f->facts.size, f->facts.width);
	if (f->blocks > f->bytes / ENTRY_SIZE)
		return "too short for its size";
	const enum qv_status got = read_directory(f, front);
	if (got != QV_OK) {
		*status = got;
		return got == QV_NO_MEMORY ? "out of memory" : "truncated";
	}
	if (!table_number(f->directory, 8))
		return "damaged: its checksum is wrong";
	return check_places(f);
}

enum qv_status table_open_stream(struct table_file *f, const struct qv_allocator *allocator,
				 FILE *in, const char *name, struct qv_error *error)
{
	enum qv_status status;
	*f = (struct table_file){ .allocator = allocator, .in = in };
	const char *wrong = read_front(f, &status);
	if (!wrong)
		return QV_OK;
	table_close(f);
	return qv_fail(error, status, "%.200s: %s", name, wrong);
}

enum qv_status table_open(struct table_file *f, const struct qv_allocator *allocator,
			  const char *path, struct qv_error *error)
{
	*f = (struct table_file){ .allocator = allocator };
	FILE *in = fopen(path, "rb");
	if (!in)
		return qv_fail(error, QV_IO, "%.200s: %s", path, strerror(errno));
	return table_open_stream(f, allocator, in, path, error);
}

void table_close(struct table_file *f)
{
	if (f->in)
		fclose(f->in);
	mem_free(f->allocator, f->directory, f->directory ? f->directory_size : 0);
	mem_free(f->allocator, f->packed, f->packed ? ZSTD_compressBound(TABLE_BLOCK) : 0);
	*f = (struct table_file){ 0 };
}

size_t table_block_size(const struct table_file *f, uint64_t block)
{
	const uint64_t left = f->facts.size * (uint64_t)f->facts.width - block * TABLE_BLOCK;
	return left < TABLE_BLOCK ? (size_t)left : TABLE_BLOCK;
}

enum qv_status table_read_block(struct table_file *f, uint64_t block, unsigned char *out,
				struct qv_error *error)
{
	const uint64_t place = block_place(f, block);
	const size_t packed = (size_t)(block_place(f, block + 1) - place),
		     size = table_block_size(f, block);
	if (fseeko(f->in, (off_t)place, SEEK_SET) != 0 ||
	    fread(f->packed, 1, packed, f->in) != packed)
		return qv_fail(error, QV_IO, "table %.31s: block %llu cannot be read",
			       f->facts.space, (unsigned long long)block);
	if (qv_hash_bytes(f->packed, packed) !=
		    table_number(f->directory + block * ENTRY_SIZE + 8, 8) ||
	    ZSTD_decompress(out, size, f->packed, packed) != size)
		return qv_fail(error, QV_BAD_INPUT,
			       "table %.31s: block %llu is damaged: its checksum is wrong",
			       f->facts.space, (unsigned long long)block);
	table_order_bytes(out, size, f->facts.width);
	return QV_OK;
}

enum qv_status table_read(struct table_file *f, struct values *out, struct qv_error *error)
{
	enum qv_status status =
		values_init(out, f->allocator, f->facts.size, f->facts.width, error);
	if (status != QV_OK)
		return status;
	/* Blocks are decompressed in place; only the last may be shorter. */
	for (uint64_t block = 0; status == QV_OK && block < f->blocks; block++)
		status = table_read_block(f, block, out->data + block * TABLE_BLOCK, error);
	if (status != QV_OK)
		values_release(out, f->allocator);
	return status;
}
