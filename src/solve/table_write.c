/*
 * table_write.c - writes the table file of one space.
 * SPDX-License-Identifier: MIT
 *
 * Blocks are compressed one by one; header and directory are written last, when all offsets are
 * known. The file is written as PATH.tmp, synced and renamed, so PATH is never incomplete.
 */
#include <errno.h>
#include <unistd.h>
#include <zstd.h>

#include "solve/table_layout.h"

uint64_t table_most_bytes(uint64_t size, int width)
{
	const uint64_t bytes = size * (uint64_t)width, last = bytes % TABLE_BLOCK;
	return FACTS_SIZE + TAIL_SIZE + table_blocks(size, width) * ENTRY_SIZE +
	       bytes / TABLE_BLOCK * ZSTD_compressBound(TABLE_BLOCK) +
	       (last ? ZSTD_compressBound((size_t)last) : 0);
}

void table_count(struct table_facts *facts, const struct values *values)
{
	facts->wins = facts->draws = facts->losses = facts->holes = 0;
	facts->longest = -1;
	for (uint64_t i = 0; i < values->size; i++) {
		const uint32_t code = values_get(values, i);
		if (code == CODE_HOLE)
			facts->holes++;
		else if (code == CODE_DRAW)
			facts->draws++;
		else if (code_wins(code))
			facts->wins++;
		else
			facts->losses++;
		if (code != CODE_HOLE && code_plies(code) > facts->longest)
			facts->longest = code_plies(code);
	}
}

struct writer {
	const struct qv_allocator *allocator;
	FILE *out;
	ZSTD_CCtx *zstd;
	unsigned char *front;      /* header, directory, tail */
	size_t front_size;
	unsigned char *plain, *packed;
	size_t packed_size;
};

static void put_facts(unsigned char *front, const struct table_facts *f)
{
	const uint64_t counts[] = { f->wins, f->draws, f->losses, f->holes };
	memcpy(front + AT_MAGIC, table_magic, sizeof table_magic);
	table_put_number(front + AT_WIDTH, (uint64_t)f->width, 4);
	table_put_number(front + AT_LONGEST, (uint32_t)f->longest, 4);
	table_put_number(front + AT_SIZE, f->size, 8);
	for (int i = 0; i < 4; i++)
		table_put_number(front + AT_COUNTS + 8 * i, counts[i], 8);
	table_put_number(front + AT_LEVEL, (uint64_t)(int64_t)f->level, 8);
	table_put_number(front + AT_PROGRESS, f->progress, 8);
	memcpy(front + AT_GAME, f->game, sizeof f->game);
	memcpy(front + AT_SPACE, f->space, sizeof f->space);
	memcpy(front + AT_METRIC, table_metric, sizeof table_metric);
}

static enum qv_status writer_init(struct writer *w, const struct qv_allocator *allocator,
				  const struct table_facts *facts)
{
	const uint64_t blocks = table_blocks(facts->size, facts->width);
	*w = (struct writer){ .allocator = allocator, .packed_size = ZSTD_compressBound(TABLE_BLOCK) };
	w->front_size = FACTS_SIZE + (size_t)blocks * ENTRY_SIZE + TAIL_SIZE;
	w->front = mem_new(allocator, 1, w->front_size);
	w->plain = mem_new(allocator, 1, TABLE_BLOCK);
	w->packed = mem_new(allocator, 1, w->packed_size);
	w->zstd = ZSTD_createCCtx();
	return w->front && w->plain && w->packed && w->zstd ? QV_OK : QV_NO_MEMORY;
}

static void writer_release(struct writer *w)
{
	ZSTD_freeCCtx(w->zstd);
	mem_free(w->allocator, w->front, w->front ? w->front_size : 0);
	mem_free(w->allocator, w->plain, w->plain ? TABLE_BLOCK : 0);
	mem_free(w->allocator, w->packed, w->packed ? w->packed_size : 0);
}

/* Writes the blocks and fills in the directory, which is written last. */
static bool write_blocks(struct writer *w, const struct values *values)
{
	const uint64_t blocks = table_blocks(values->size, values->width),
		       bytes = values->size * (uint64_t)values->width;
	uint64_t place = w->front_size;
	unsigned char *entry = w->front + FACTS_SIZE;
	for (uint64_t block = 0; block < blocks; block++, entry += ENTRY_SIZE) {
		const uint64_t from = block * TABLE_BLOCK;
		const size_t size = bytes - from < TABLE_BLOCK ? (size_t)(bytes - from) : TABLE_BLOCK;
		memcpy(w->plain, values->data + from, size);
		table_order_bytes(w->plain, size, values->width);
		const size_t packed = ZSTD_compressCCtx(w->zstd, w->packed, w->packed_size, w->plain,
							size, COMPRESSION);
		if (ZSTD_isError(packed) || fwrite(w->packed, 1, packed, w->out) != packed)
			return false;
		table_put_number(entry, place, 8);
		table_put_number(entry + 8, qv_hash_bytes(w->packed, packed), 8);
		place += packed;
	}
	table_put_number(entry, place, 8);
	table_put_number(entry + 8, qv_hash_bytes(w->front, w->front_size - 8), 8);
	return true;
}

/* Writes everything and syncs it to disk. */
static bool write_all(struct writer *w, const struct values *values)
{
	return fseeko(w->out, (off_t)w->front_size, SEEK_SET) == 0 && write_blocks(w, values) &&
	       fseeko(w->out, 0, SEEK_SET) == 0 &&
	       fwrite(w->front, 1, w->front_size, w->out) == w->front_size && fflush(w->out) == 0 &&
	       fsync(fileno(w->out)) == 0;
}

static enum qv_status write_beside(struct writer *w, const char *path, const struct values *values,
				   struct qv_error *error)
{
	char beside[4096];
	if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
		return qv_fail(error, QV_IO, "%.100s: the path is too long", path);
	w->out = fopen(beside, "wb");
	if (!w->out)
		return qv_fail(error, QV_IO, "%.200s: %s", beside, strerror(errno));
	bool written = write_all(w, values);
	int why = errno;
	if (fclose(w->out) != 0 && written) {
		why = errno;
		written = false;
	}
	if (written && rename(beside, path) != 0) {
		why = errno;
		written = false;
	}
	if (written)
		return QV_OK;
	unlink(beside);
	return qv_fail(error, QV_IO, "%.200s: %s", path, strerror(why));
}

enum qv_status table_write(const struct qv_allocator *allocator, const char *path,
			   const struct table_facts *facts, const struct values *values,
			   struct qv_error *error)
{
	struct writer w;
	enum qv_status status = writer_init(&w, allocator, facts);
	if (status != QV_OK) {
		qv_fail(error, status, "tables: out of memory");
	} else {
		put_facts(w.front, facts);
		status = write_beside(&w, path, values, error);
	}
	writer_release(&w);
	return status;
}
