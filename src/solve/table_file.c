/*
 * table_file.c - reads and writes the table file of one space.
 * SPDX-License-Identifier: MIT
 *
 * Opening reads the header and the block directory and verifies their checksum; a block is read,
 * verified and decompressed (zstd) on demand. Files are untrusted input: every size is checked
 * against the file's own size before memory is allocated for it. Fuzzed by tests/fuzz/tables.c.
 *
 * When writing, header and directory come last, when the offsets of all blocks are known. The file
 * is written as PATH.tmp, synced and renamed, so PATH is never incomplete.
 *
 * The cache is for the builder and the checker, which look at every entry. (Players read single
 * blocks instead: probe.c.) Loading is guarded by a mutex; a lookup in a loaded space costs one
 * acquire load and no lock. The first failure is kept, and no further table is loaded after it.
 */
#include "solve/table_file.h"

#include <errno.h>
#include <stdatomic.h>
#include <unistd.h>
#include <zstd.h>

static const char magic[8] = "QVTABLE1";
static const char metric[24] = "plies to the end";

/* Offsets in the header. All numbers are little-endian, two-byte values included. */
enum {
	AT_MAGIC = 0,
	AT_WIDTH = 8,	 /* bytes of a value, 1 or 2 */
	AT_LONGEST = 12, /* win or loss, in plies; -1: none */
	AT_SIZE = 16,	 /* of the space */
	AT_COUNTS = 24,	 /* wins, draws, losses, holes */
	AT_LEVEL = 56,	 /* of a checkpoint; else TABLE_FINISHED, and progress is 0 */
	AT_PROGRESS = 64,
	AT_GAME = 72, /* with its options */
	AT_SPACE = AT_GAME + SPACES_NAME,
	AT_METRIC = AT_SPACE + 32,
	FACTS_SIZE = AT_METRIC + 24,
	ENTRY_SIZE = 16, /* a directory entry: the block's offset and checksum */
	TAIL_SIZE = 16,	 /* the file's size, and the checksum of header and directory */
	COMPRESSION = 6, /* zstd level */
};
_Static_assert(sizeof((struct table_facts *)0)->space == AT_METRIC - AT_SPACE, "name of a space");

/* Blocks that hold `size` values. */
static uint64_t block_count(uint64_t size, int width)
{
	return (size * (uint64_t)width + TABLE_BLOCK - 1) / TABLE_BLOCK;
}

/* Converts two-byte values between the file's byte order and this machine's. */
static void order_bytes(unsigned char *data, size_t size, int width)
{
	for (size_t i = 0; width == 2 && i < size; i += 2) {
		const uint16_t value = (uint16_t)table_number(data + i, 2);
		memcpy(data + i, &value, 2);
	}
}

/* Bytes of header, directory and tail. */
static size_t front_bytes(uint64_t size, int width)
{
	return FACTS_SIZE + (size_t)block_count(size, width) * ENTRY_SIZE + TAIL_SIZE;
}

/* Bytes of a block before compression: TABLE_BLOCK, except for the last one. */
static size_t block_bytes(const struct table_facts *f, uint64_t block)
{
	const uint64_t left = f->size * (uint64_t)f->width - block * TABLE_BLOCK;
	return left < TABLE_BLOCK ? (size_t)left : TABLE_BLOCK;
}

enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error)
{
	*v = (struct values){ NULL, size, width };
	if (!size)
		return QV_OK;
	v->data = mem_new(allocator, (size_t)size, (size_t)width);
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

/* Whether the field holds a printable name without blanks. */
static bool is_name(const unsigned char *at, size_t size)
{
	const size_t length = strnlen((const char *)at, size);
	for (size_t i = 0; i < size; i++)
		if (i < length ? at[i] <= ' ' || at[i] > '~' : at[i])
			return false;      /* only zeros may follow: the encoding is canonical */
	return length > 0 && length < size;
}

/* ---- Reading ---- */

/* Decodes the header. Returns NULL, or what is wrong with it. */
static const char *get_facts(const unsigned char *front, struct table_facts *f)
{
	if (memcmp(front + AT_MAGIC, magic, sizeof magic) != 0)
		return "not a table";
	const uint64_t width = table_number(front + AT_WIDTH, 4);
	*f = (struct table_facts){ .width = (int)(width & 0xff) };
	f->longest = (int)(int32_t)(uint32_t)table_number(front + AT_LONGEST, 4);
	f->size = table_number(front + AT_SIZE, 8);
	f->wins = table_number(front + AT_COUNTS, 8);
	f->draws = table_number(front + AT_COUNTS + 8, 8);
	f->losses = table_number(front + AT_COUNTS + 16, 8);
	f->holes = table_number(front + AT_COUNTS + 24, 8);
	f->level = (int)(int64_t)table_number(front + AT_LEVEL, 8);
	f->progress = table_number(front + AT_PROGRESS, 8);
	if (width < 1 || width > 2 || f->size < 1 || f->size > SPACE_LARGEST || f->longest < -1 ||
	    f->longest > 0xffff || f->level < TABLE_FINISHED || f->level > 0xffff ||
	    memcmp(front + AT_METRIC, metric, sizeof metric) != 0 ||
	    !is_name(front + AT_GAME, sizeof f->game) ||
	    !is_name(front + AT_SPACE, sizeof f->space))
		return "damaged: its header is out of bounds";
	memcpy(f->game, front + AT_GAME, sizeof f->game);
	memcpy(f->space, front + AT_SPACE, sizeof f->space);
	return NULL;
}

/* The directory entry of a block; the offset of entry `blocks` is the file's size. */
static const unsigned char *entry_of(const struct table_file *f, uint64_t block)
{
	return f->front + FACTS_SIZE + block * ENTRY_SIZE;
}

/* Reads header and directory. Returns NULL, or what is wrong, with its status in *status. */
static const char *read_front(struct table_file *f, enum qv_status *status)
{
	unsigned char header[FACTS_SIZE];
	const uint64_t most = ZSTD_compressBound(TABLE_BLOCK);
	*status = QV_BAD_INPUT;
	if (fseeko(f->in, 0, SEEK_END) != 0)
		return "cannot be read";
	f->bytes = (uint64_t)ftello(f->in);
	if (fseeko(f->in, 0, SEEK_SET) != 0 || fread(header, 1, FACTS_SIZE, f->in) != FACTS_SIZE)
		return "too short for a table";
	const char *wrong = get_facts(header, &f->facts);
	if (wrong)
		return wrong;
	f->blocks = block_count(f->facts.size, f->facts.width);
	if (f->blocks > f->bytes / ENTRY_SIZE)
		return "too short for its size";
	f->front_size = front_bytes(f->facts.size, f->facts.width);
	f->front = mem_new(f->allocator, 1, f->front_size);
	f->packed = mem_new(f->allocator, 1, most);
	if (!f->front || !f->packed) {
		*status = QV_NO_MEMORY;
		return "out of memory";
	}
	const size_t rest = f->front_size - FACTS_SIZE, sum = f->front_size - 8;
	memcpy(f->front, header, FACTS_SIZE);
	if (fread(f->front + FACTS_SIZE, 1, rest, f->in) != rest)
		return "truncated";
	if (qv_hash_bytes(f->front, sum) != table_number(f->front + sum, 8))
		return "damaged: its checksum is wrong";
	/* Blocks must follow each other without gaps up to the end of the file. */
	uint64_t from = table_number(entry_of(f, 0), 8);
	if (from != f->front_size || table_number(entry_of(f, f->blocks), 8) != f->bytes)
		return "truncated, or too long";
	for (uint64_t i = 1; i <= f->blocks; i++) {
		const uint64_t to = table_number(entry_of(f, i), 8);
		if (to <= from || to - from > most)
			return "damaged: its block directory is wrong";
		from = to;
	}
	return NULL;
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
	mem_free(f->allocator, f->front, f->front ? f->front_size : 0);
	mem_free(f->allocator, f->packed, f->packed ? ZSTD_compressBound(TABLE_BLOCK) : 0);
	*f = (struct table_file){ 0 };
}

enum qv_status table_read_block(struct table_file *f, uint64_t block, unsigned char *out,
				struct qv_error *error)
{
	const unsigned char *entry = entry_of(f, block);
	const uint64_t place = table_number(entry, 8);
	const size_t packed = (size_t)(table_number(entry + ENTRY_SIZE, 8) - place),
		     size = block_bytes(&f->facts, block);
	if (fseeko(f->in, (off_t)place, SEEK_SET) != 0 ||
	    fread(f->packed, 1, packed, f->in) != packed)
		return qv_fail(error, QV_IO, "table %.31s: block %llu cannot be read",
			       f->facts.space, (unsigned long long)block);
	if (qv_hash_bytes(f->packed, packed) != table_number(entry + 8, 8) ||
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
	/* Blocks are decompressed in place; only the last may be shorter. */
	for (uint64_t block = 0; status == QV_OK && block < f->blocks; block++)
		status = table_read_block(f, block, out->data + block * TABLE_BLOCK, error);
	if (status != QV_OK)
		values_release(out, f->allocator);
	return status;
}

/* ---- Writing ---- */

uint64_t table_most_bytes(uint64_t size, int width)
{
	const uint64_t bytes = size * (uint64_t)width, last = bytes % TABLE_BLOCK;
	return front_bytes(size, width) + bytes / TABLE_BLOCK * ZSTD_compressBound(TABLE_BLOCK) +
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

/* Buffers and state of one file that is being written. */
struct writer {
	FILE *out;
	ZSTD_CCtx *zstd;
	unsigned char *front; /* header, directory, tail */
	size_t front_size;
	unsigned char *plain, *packed;
	size_t packed_size;
};

/* Fills in the header; the rest of front is the directory. */
static void put_facts(unsigned char *front, const struct table_facts *f)
{
	const uint64_t counts[] = { f->wins, f->draws, f->losses, f->holes };
	memcpy(front + AT_MAGIC, magic, sizeof magic);
	table_put_number(front + AT_WIDTH, (uint64_t)f->width, 4);
	table_put_number(front + AT_LONGEST, (uint32_t)f->longest, 4);
	table_put_number(front + AT_SIZE, f->size, 8);
	for (int i = 0; i < 4; i++)
		table_put_number(front + AT_COUNTS + 8 * i, counts[i], 8);
	table_put_number(front + AT_LEVEL, (uint64_t)(int64_t)f->level, 8);
	table_put_number(front + AT_PROGRESS, f->progress, 8);
	memcpy(front + AT_GAME, f->game, sizeof f->game);
	memcpy(front + AT_SPACE, f->space, sizeof f->space);
	memcpy(front + AT_METRIC, metric, sizeof metric);
}

/* Writes the blocks, then header and directory before them, and syncs the file to disk. */
static bool write_all(struct writer *w, const struct table_facts *facts,
		      const struct table_source *source)
{
	const uint64_t blocks = block_count(facts->size, facts->width);
	uint64_t place = w->front_size;
	unsigned char *entry = w->front + FACTS_SIZE;
	put_facts(w->front, facts);
	if (fseeko(w->out, (off_t)w->front_size, SEEK_SET) != 0)
		return false;
	for (uint64_t block = 0; block < blocks; block++, entry += ENTRY_SIZE) {
		const size_t size = block_bytes(facts, block);
		if (!source->read(source->ctx, block * TABLE_BLOCK, size, w->plain))
			return false;
		order_bytes(w->plain, size, facts->width);
		const size_t packed = ZSTD_compressCCtx(w->zstd, w->packed, w->packed_size,
							w->plain, size, COMPRESSION);
		if (ZSTD_isError(packed) || fwrite(w->packed, 1, packed, w->out) != packed)
			return false;
		table_put_number(entry, place, 8);
		table_put_number(entry + 8, qv_hash_bytes(w->packed, packed), 8);
		place += packed;
	}
	table_put_number(entry, place, 8);
	table_put_number(entry + 8, qv_hash_bytes(w->front, w->front_size - 8), 8);
	return fseeko(w->out, 0, SEEK_SET) == 0 &&
	       fwrite(w->front, 1, w->front_size, w->out) == w->front_size && fflush(w->out) == 0 &&
	       fsync(fileno(w->out)) == 0;
}

/* Writes PATH.tmp and renames it. */
static enum qv_status write_beside(struct writer *w, const char *path,
				   const struct table_facts *facts,
				   const struct table_source *source, struct qv_error *error)
{
	char beside[4096];
	if (snprintf(beside, sizeof beside, "%s.tmp", path) >= (int)sizeof beside)
		return qv_fail(error, QV_IO, "%.100s: the path is too long", path);
	w->out = fopen(beside, "wb");
	if (!w->out)
		return qv_fail(error, QV_IO, "%.200s: %s", beside, strerror(errno));
	errno = EIO; /* for a failure of zstd, which sets no errno */
	int why = write_all(w, facts, source) ? 0 : errno;
	if (fclose(w->out) != 0 && !why)
		why = errno;
	if (!why && rename(beside, path) != 0)
		why = errno;
	if (!why)
		return QV_OK;
	unlink(beside);
	return qv_fail(error, QV_IO, "%.200s: %s", path, strerror(why));
}

enum qv_status table_write_from(const struct qv_allocator *allocator, const char *path,
				const struct table_facts *facts, const struct table_source *source,
				struct qv_error *error)
{
	struct writer w = { .zstd = ZSTD_createCCtx(),
			    .front_size = front_bytes(facts->size, facts->width),
			    .packed_size = ZSTD_compressBound(TABLE_BLOCK) };
	w.front = mem_new(allocator, 1, w.front_size);
	w.plain = mem_new(allocator, 1, TABLE_BLOCK);
	w.packed = mem_new(allocator, 1, w.packed_size);
	enum qv_status status = w.front && w.plain && w.packed && w.zstd
					? write_beside(&w, path, facts, source, error)
					: qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	ZSTD_freeCCtx(w.zstd);
	mem_free(allocator, w.front, w.front ? w.front_size : 0);
	mem_free(allocator, w.plain, w.plain ? TABLE_BLOCK : 0);
	mem_free(allocator, w.packed, w.packed ? w.packed_size : 0);
	return status;
}

/* table_source.read */
static bool read_values(void *ctx, uint64_t from, size_t size, unsigned char *out)
{
	memcpy(out, ((const struct values *)ctx)->data + from, size);
	return true;
}

enum qv_status table_write(const struct qv_allocator *allocator, const char *path,
			   const struct table_facts *facts, const struct values *values,
			   struct qv_error *error)
{
	struct values all = *values;
	return table_write_from(allocator, path, facts, &(struct table_source){ read_values, &all },
				error);
}

/* ---- The cache ---- */

enum qv_status table_cache_init(struct table_cache *s, const struct spaces *spaces,
				const char *folder, struct qv_error *error)
{
	*s = (struct table_cache){ .spaces = spaces };
	if (folder && !*folder)
		return qv_fail(error, QV_IO, "tables: the folder's name is empty");
	if (folder && snprintf(s->folder, sizeof s->folder, "%s/%s", folder, spaces->name) >=
			      (int)sizeof s->folder)
		return qv_fail(error, QV_IO, "%.100s: the path is too long", folder);
	s->list = mem_new(spaces->allocator, (size_t)spaces->count, sizeof *s->list);
	if (!s->list)
		return qv_fail(error, QV_NO_MEMORY, "tables: out of memory");
	mutex_init(&s->lock);
	return QV_OK;
}

void table_cache_drop(struct table_cache *s, int space)
{
	values_release(&s->list[space].values, s->spaces->allocator);
	atomic_store(&s->list[space].loaded, false);
}

void table_cache_release(struct table_cache *s)
{
	if (s->list) {
		for (int i = 0; i < s->spaces->count; i++)
			table_cache_drop(s, i);
		mem_free(s->spaces->allocator, s->list, (size_t)s->spaces->count * sizeof *s->list);
		mutex_release(&s->lock);
	}
	*s = (struct table_cache){ .spaces = NULL };
}

bool table_cache_path(const struct table_cache *s, int space, const char *extension,
		      char path[4096])
{
	return snprintf(path, 4096, "%s/%s.%s", s->folder, s->spaces->list[space].name, extension) <
	       4096;
}

/* Opens a file of the space that must hold so many values and be finished, or not. */
static enum qv_status open_of_size(const struct table_cache *s, int space, const char *extension,
				   uint64_t size, bool finished, struct table_file *out,
				   struct qv_error *error)
{
	char path[4096];
	const struct qv_space *expected = &s->spaces->list[space];
	if (!*s->folder)
		return qv_fail(error, QV_IO, "tables: %.31s: there is no folder of tables",
			       expected->name);
	if (!table_cache_path(s, space, extension, path))
		return qv_fail(error, QV_IO, "%.100s: the path is too long", s->folder);
	enum qv_status status = table_open(out, s->spaces->allocator, path, error);
	if (status != QV_OK)
		return status;
	const struct table_facts *facts = &out->facts;
	if (strcmp(facts->game, s->spaces->name) == 0 &&
	    strcmp(facts->space, expected->name) == 0 && facts->size == size &&
	    (facts->level == TABLE_FINISHED) == finished)
		return QV_OK;
	status = qv_fail(error, QV_BAD_INPUT, "%.130s: wrong table: %.40s, space %.31s%s", path,
			 facts->game, facts->space,
			 facts->size != size				? ", of another size"
			 : (facts->level == TABLE_FINISHED) != finished ? ", in another state"
									: "");
	table_close(out);
	return status;
}

enum qv_status table_cache_open(const struct table_cache *s, int space, const char *extension,
				struct table_file *out, struct qv_error *error)
{
	return open_of_size(s, space, extension, s->spaces->list[space].size,
			    strcmp(extension, "part") != 0, out, error);
}

enum qv_status table_cache_open_part(const struct table_cache *s, int space, const char *extension,
				     uint64_t from, uint64_t size, struct table_file *out,
				     struct qv_error *error)
{
	const enum qv_status status = open_of_size(s, space, extension, size, false, out, error);
	if (status != QV_OK || out->facts.progress == from)
		return status;
	table_close(out);
	return qv_fail(error, QV_BAD_INPUT, "%.31s.%.40s: wrong part of the space",
		       s->spaces->list[space].name, extension);
}

bool table_cache_has(const struct table_cache *s, int space)
{
	struct table_file file;
	const bool there = table_cache_open(s, space, "qvt", &file, NULL) == QV_OK;
	if (there)
		table_close(&file);
	return there;
}

bool table_cache_load(struct table_cache *s, int space)
{
	mutex_lock(&s->lock);
	if (!atomic_load(&s->list[space].loaded) && s->status == QV_OK) {
		struct table_file file;
		s->status = table_cache_open(s, space, "qvt", &file, &s->error);
		if (s->status == QV_OK) {
			s->status = table_read(&file, &s->list[space].values, &s->error);
			table_close(&file);
		}
		/* Readers without the lock must see the values once they see `loaded`. */
		if (s->status == QV_OK)
			atomic_store_explicit(&s->list[space].loaded, true, memory_order_release);
	}
	const bool loaded = atomic_load(&s->list[space].loaded);
	mutex_unlock(&s->lock);
	return loaded;
}
