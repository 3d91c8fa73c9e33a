/*
 * table_file.c - the file of one space, written and read.
 * SPDX-License-Identifier: MIT
 *
 * Numbers are little-endian whatever the machine; values of two bytes too.
 */
#include "solve/table_file.h"

#include <errno.h>
#include <unistd.h>
#include <zstd.h>

static const char magic[8] = "QVTABLE1";
static const char metric[24] = "plies to the end";

/* Where the facts stand in the file. */
enum {
	AT_MAGIC = 0,
	AT_WIDTH = 8,
	AT_LONGEST = 12,
	AT_SIZE = 16,
	AT_COUNTS = 24,            /* wins, draws, losses, holes */
	AT_LEVEL = 56,
	AT_PROGRESS = 64,
	AT_GAME = 72,
	AT_SPACE = AT_GAME + SPACES_NAME,
	AT_METRIC = AT_SPACE + 32,
	FACTS_SIZE = AT_METRIC + 24,
	ENTRY_SIZE = 16,           /* of a block: its place and its sum */
	TAIL_SIZE = 16,            /* where the file ends, and the sum of all before the blocks */
	COMPRESSION = 6,
};
_Static_assert(sizeof((struct table_facts *)0)->space == AT_METRIC - AT_SPACE, "name of a space");

static void put_number(unsigned char *at, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t get_number(const unsigned char *at, int bytes)
{
	uint64_t number = 0;
	for (int i = bytes - 1; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

static uint64_t blocks_of(uint64_t size, int width)
{
	return (size * (uint64_t)width + TABLE_BLOCK - 1) / TABLE_BLOCK;
}

uint64_t table_most_bytes(uint64_t size, int width)
{
	const uint64_t bytes = size * (uint64_t)width, last = bytes % TABLE_BLOCK;
	return FACTS_SIZE + TAIL_SIZE + blocks_of(size, width) * ENTRY_SIZE +
	       bytes / TABLE_BLOCK * ZSTD_compressBound(TABLE_BLOCK) +
	       (last ? ZSTD_compressBound((size_t)last) : 0);
}

/* ---- values in memory ---- */

enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error)
{
	*v = (struct values){ mem_new(allocator, (size_t)size, (size_t)width), size, width };
	if (!v->data)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory for %llu positions",
			       (unsigned long long)size);
	return QV_OK;
}

void values_release(struct values *v, const struct qv_allocator *allocator)
{
	mem_free(allocator, v->data, (size_t)v->size * (size_t)v->width);
	*v = (struct values){ 0 };
}

/* Values of two bytes from the file's order to this machine's, or back. */
static void order_bytes(unsigned char *data, size_t size, int width)
{
	for (size_t i = 0; width == 2 && i < size; i += 2) {
		const uint16_t value = (uint16_t)get_number(data + i, 2);
		memcpy(data + i, &value, 2);
	}
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

/* ---- writing ---- */

struct writer {
	const struct qv_allocator *allocator;
	FILE *out;
	ZSTD_CCtx *zstd;
	unsigned char *front;      /* facts, directory, tail */
	size_t front_size;
	unsigned char *plain, *packed;
	size_t packed_size;
};

static void put_facts(unsigned char *front, const struct table_facts *f)
{
	const uint64_t counts[] = { f->wins, f->draws, f->losses, f->holes };
	memcpy(front + AT_MAGIC, magic, sizeof magic);
	put_number(front + AT_WIDTH, (uint64_t)f->width, 4);
	put_number(front + AT_LONGEST, (uint32_t)f->longest, 4);
	put_number(front + AT_SIZE, f->size, 8);
	for (int i = 0; i < 4; i++)
		put_number(front + AT_COUNTS + 8 * i, counts[i], 8);
	put_number(front + AT_LEVEL, (uint64_t)(int64_t)f->level, 8);
	put_number(front + AT_PROGRESS, f->progress, 8);
	memcpy(front + AT_GAME, f->game, sizeof f->game);
	memcpy(front + AT_SPACE, f->space, sizeof f->space);
	memcpy(front + AT_METRIC, metric, sizeof metric);
}

static enum qv_status writer_init(struct writer *w, const struct qv_allocator *allocator,
				  const struct table_facts *facts)
{
	const uint64_t blocks = blocks_of(facts->size, facts->width);
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

/* The blocks one by one; their places go into the front, which is written last. */
static bool write_blocks(struct writer *w, const struct values *values)
{
	const uint64_t blocks = blocks_of(values->size, values->width),
		       bytes = values->size * (uint64_t)values->width;
	uint64_t place = w->front_size;
	unsigned char *entry = w->front + FACTS_SIZE;
	for (uint64_t block = 0; block < blocks; block++, entry += ENTRY_SIZE) {
		const uint64_t from = block * TABLE_BLOCK;
		const size_t size = bytes - from < TABLE_BLOCK ? (size_t)(bytes - from) : TABLE_BLOCK;
		memcpy(w->plain, values->data + from, size);
		order_bytes(w->plain, size, values->width);
		const size_t packed = ZSTD_compressCCtx(w->zstd, w->packed, w->packed_size, w->plain,
							size, COMPRESSION);
		if (ZSTD_isError(packed) || fwrite(w->packed, 1, packed, w->out) != packed)
			return false;
		put_number(entry, place, 8);
		put_number(entry + 8, qv_hash_bytes(w->packed, packed), 8);
		place += packed;
	}
	put_number(entry, place, 8);
	put_number(entry + 8, qv_hash_bytes(w->front, w->front_size - 8), 8);
	return true;
}

/* To the disk, not only to the system. */
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
		return qv_fail(error, QV_IO, "%.100s: the name is too long", path);
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

/* ---- reading ---- */

static bool is_name(const unsigned char *at, size_t size)
{
	const unsigned char *end = memchr(at, '\0', size);
	for (const unsigned char *c = at; end && c < end; c++)
		if (*c <= ' ' || *c > '~')
			return false;
	/* One text, one way to write it: nothing after the end. */
	for (const unsigned char *c = end; c && c < at + size; c++)
		if (*c)
			return false;
	return end && end > at;
}

static const char *get_facts(const unsigned char *front, struct table_facts *f)
{
	if (memcmp(front + AT_MAGIC, magic, sizeof magic) != 0)
		return "not a table";
	*f = (struct table_facts){ .width = (int)(get_number(front + AT_WIDTH, 4) & 0xff) };
	f->longest = (int)(int32_t)(uint32_t)get_number(front + AT_LONGEST, 4);
	f->size = get_number(front + AT_SIZE, 8);
	f->wins = get_number(front + AT_COUNTS, 8);
	f->draws = get_number(front + AT_COUNTS + 8, 8);
	f->losses = get_number(front + AT_COUNTS + 16, 8);
	f->holes = get_number(front + AT_COUNTS + 24, 8);
	f->level = (int)(int64_t)get_number(front + AT_LEVEL, 8);
	f->progress = get_number(front + AT_PROGRESS, 8);
	if (get_number(front + AT_WIDTH, 4) < 1 || get_number(front + AT_WIDTH, 4) > 2 ||
	    f->size < 1 || f->size > SPACE_LARGEST || f->longest < -1 || f->longest > 0xffff ||
	    f->level < TABLE_FINISHED || f->level > 0xffff ||
	    memcmp(front + AT_METRIC, metric, sizeof metric) != 0 ||
	    !is_name(front + AT_GAME, sizeof f->game) ||
	    !is_name(front + AT_SPACE, sizeof f->space))
		return "its facts are out of bounds";
	memcpy(f->game, front + AT_GAME, sizeof f->game);
	memcpy(f->space, front + AT_SPACE, sizeof f->space);
	return NULL;
}

static uint64_t block_place(const struct table_file *f, uint64_t block)
{
	return get_number(f->directory + block * ENTRY_SIZE, 8);
}

/* The blocks follow each other without gaps up to the end of the file. */
static const char *check_places(const struct table_file *f)
{
	const uint64_t most = ZSTD_compressBound(TABLE_BLOCK);
	if (block_place(f, 0) != FACTS_SIZE + f->directory_size ||
	    block_place(f, f->blocks) != f->bytes)
		return "cut short, or too long";
	for (uint64_t i = 0; i < f->blocks; i++) {
		const uint64_t from = block_place(f, i), to = block_place(f, i + 1);
		if (to <= from || to - from > most)
			return "the places of its blocks are wrong";
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
		/* A sum that does not fit shows as a directory that leads nowhere. */
		if (qv_hash_bytes(whole, size - 8) != get_number(whole + size - 8, 8))
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
	f->blocks = blocks_of(f->facts.size, f->facts.width);
	if (f->blocks > f->bytes / ENTRY_SIZE)
		return "too short for its size";
	const enum qv_status got = read_directory(f, front);
	if (got != QV_OK) {
		*status = got;
		return got == QV_NO_MEMORY ? "out of memory" : "cut short";
	}
	if (!get_number(f->directory, 8))
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
		    get_number(f->directory + block * ENTRY_SIZE + 8, 8) ||
	    ZSTD_decompress(out, size, f->packed, packed) != size)
		return qv_fail(error, QV_BAD_INPUT,
			       "table %.31s: block %llu is damaged: its checksum is wrong",
			       f->facts.space, (unsigned long long)block);
	order_bytes(out, size, f->facts.width);
	return QV_OK;
}

enum qv_status table_read(struct table_file *f, struct values *out, struct qv_error *error)
{
	enum qv_status status =
		values_init(out, f->allocator, f->facts.size, f->facts.width, error);
	if (status != QV_OK)
		return status;
	/* A whole block is unpacked in place; only the last may be shorter. */
	for (uint64_t block = 0; status == QV_OK && block < f->blocks; block++)
		status = table_read_block(f, block, out->data + block * TABLE_BLOCK, error);
	if (status != QV_OK)
		values_release(out, f->allocator);
	return status;
}
