/*
 * table_file.h - the values of one space, in memory and in a table file.
 * SPDX-License-Identifier: MIT
 *
 * Values are one or two bytes each, for the side to move. A code is 0 for a draw (during a build:
 * not known yet), otherwise the plies to the end plus one: an even number of plies is a loss, an
 * odd one a win. All ones is a hole: a number that stands for no position. Games without an index
 * have codes of another kind, in which even is a win, too (hashed.h). Threads read and write
 * concurrently with relaxed atomics; retro.inc.h says why the result does not depend on their
 * order.
 *
 * A file is a header, then the values in blocks of 64 KB, compressed one by one, so that any value
 * can be read without the rest. docs/tables.md describes the format. A checkpoint of an unfinished
 * space has the same format and holds the level reached. Every byte is covered by a checksum.
 */
#ifndef SOLVE_TABLE_FILE_H
#define SOLVE_TABLE_FILE_H

#include <stdatomic.h>

#include "base/threads.h"
#include "solve/spaces.h"

/* ---- Values in memory ---- */

#define CODE_DRAW UINT32_C(0)
#define CODE_LOST UINT32_C(1) /* the game has ended, and the side to move has lost */
#define CODE_HOLE UINT32_MAX

struct values {
	unsigned char *data;
	uint64_t size;
	int width; /* bytes of a value, 1 or 2 */
};

/* Whether the side to move wins or loses, and in how many plies; -1 for a draw. */
static inline bool code_wins(uint32_t code)
{
	return code != CODE_HOLE && code && code % 2 == 0;
}

static inline bool code_loses(uint32_t code)
{
	return code != CODE_HOLE && code % 2 == 1;
}

static inline int code_plies(uint32_t code)
{
	return (int)code - 1;
}

/* The stored code of a hole: one more than the greatest code that the width can hold. */
static inline uint32_t values_ones(int width)
{
	return width == 1 ? 0xff : 0xffff;
}

/* The code at a place, in one relaxed atomic load. */
static inline uint32_t values_get(const struct values *v, uint64_t at)
{
	uint32_t code;
	if (v->width == 1)
		code = __atomic_load_n(v->data + at, __ATOMIC_RELAXED);
	else
		code = __atomic_load_n((const uint16_t *)(const void *)v->data + at,
				       __ATOMIC_RELAXED);
	return code == values_ones(v->width) ? CODE_HOLE : code;
}

/* False: the code is too large for the width, and nothing was changed. */
static inline bool values_put(struct values *v, uint64_t at, uint32_t code)
{
	if (code == CODE_HOLE)
		code = values_ones(v->width);
	else if (code >= values_ones(v->width))
		return false;
	if (v->width == 1)
		__atomic_store_n(v->data + at, (uint8_t)code, __ATOMIC_RELAXED);
	else
		__atomic_store_n((uint16_t *)(void *)v->data + at, (uint16_t)code,
				 __ATOMIC_RELAXED);
	return true;
}

/* values_next scans eight bytes at a time. */
typedef uint64_t __attribute__((may_alias)) values_word;

/*
 * The first place in [from, to) with this code, which must not be CODE_HOLE; `to` if there is no
 * such.
 */
static inline uint64_t values_next(const struct values *v, uint64_t from, uint64_t to,
				   uint32_t code)
{
	const int lane = 8 * v->width;
	const uint64_t lanes = 8 / (uint64_t)v->width, ones = UINT64_MAX / values_ones(v->width);
	if (code >= values_ones(v->width))
		return to;
	while (from < to) {
		if (from % lanes == 0 && to - from >= lanes) {
			const values_word *word =
				(const void *)(v->data + from * (uint64_t)v->width);
			const uint64_t x = __atomic_load_n(word, __ATOMIC_RELAXED) ^ ones * code;
			if (!((x - ones) & ~x & ones << (lane - 1))) {
				from += lanes;
				continue;
			}
		}
		do {
			if (values_get(v, from) == code)
				return from;
		} while (++from < to && from % lanes);
	}
	return to;
}

/*
 * Allocates `size` values of `width` bytes, all CODE_DRAW; `size` may be 0. On failure *v can be released, but need
 * not be.
 */
enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error);
/* Frees the values; *v is empty afterwards. */
void values_release(struct values *v, const struct qv_allocator *allocator);

/* ---- Files ---- */

/* Bytes of a block before compression, the level of a finished table, and room for a path. */
enum { TABLE_BLOCK = 1 << 16, TABLE_FINISHED = -2, TABLE_CACHE_PATH = 3072 };

/* The header of a file. */
struct table_facts {
	char game[SPACES_NAME];
	char space[sizeof((struct qv_space *)0)->name];
	int width;     /* bytes of a value, 1 or 2 */
	uint64_t size; /* number of values */
	uint64_t wins, draws, losses, holes;
	int longest;	   /* most plies of a win or loss; -1: all are draws */
	int level;	   /* TABLE_FINISHED, or the level of a checkpoint (retro.h) */
	uint64_t progress; /* chunks done within the level */
};

/* The largest possible file of `size` values of `width` bytes. */
uint64_t table_most_bytes(uint64_t size, int width);

/* Sets wins, draws, losses, holes and longest from the values. */
void table_count(struct table_facts *facts, const struct values *values);

/* Where the values of a table come from. */
struct table_source {
	/* Stores `size` bytes from byte `from` on. Blocks are requested once each, in order. */
	bool (*read)(void *ctx, uint64_t from, size_t size, unsigned char *out);
	void *ctx;
};

/* Writes PATH.tmp, syncs it to disk and renames it: the file appears complete or not at all. */
enum qv_status table_write_from(const struct qv_allocator *allocator, const char *path,
				const struct table_facts *facts, const struct table_source *source,
				struct qv_error *error);
/* The same with values in memory. */
enum qv_status table_write(const struct qv_allocator *allocator, const char *path,
			   const struct table_facts *facts, const struct values *values,
			   struct qv_error *error);

/* An open file. {0} is a valid closed one. One thread at a time. */
struct table_file {
	const struct qv_allocator *allocator;
	FILE *in;
	struct table_facts facts;
	uint64_t blocks;
	unsigned char *front; /* header, block directory and their checksum, as in the file */
	size_t front_size;
	uint64_t bytes;            /* of the whole file */
	void *packed;		   /* buffer for a compressed block */
};

/* Takes ownership of the stream, on failure too. `name` is used in error messages. */
enum qv_status table_open_stream(struct table_file *f, const struct qv_allocator *allocator,
				 FILE *in, const char *name, struct qv_error *error);
/* QV_IO: the file cannot be opened; QV_BAD_INPUT: it is not a table, or is damaged. */
enum qv_status table_open(struct table_file *f, const struct qv_allocator *allocator,
			  const char *path, struct qv_error *error);
/* Closes the file and frees its buffers; a closed one is fine. */
void table_close(struct table_file *f);

/*
 * Reads a block, verifies its checksum and decompresses it into `out`, which has room for
 * TABLE_BLOCK bytes. QV_IO: it cannot be read; QV_BAD_INPUT: it is damaged.
 */
enum qv_status table_read_block(struct table_file *f, uint64_t block, unsigned char *out,
				struct qv_error *error);
/* Reads all values; release them with values_release. */
enum qv_status table_read(struct table_file *f, struct values *out, struct qv_error *error);

/* A little-endian number of 1 to 8 bytes, as in the files of tables and search results. */
static inline uint64_t table_number(const unsigned char *at, int bytes)
{
	uint64_t number = 0;
	for (int i = bytes - 1; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

/* Writes the lowest `bytes` bytes of the number, lowest first. */
static inline void table_put_number(unsigned char *at, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

/* ---- The finished tables of a game, loaded into memory whole and on demand ---- */

/* A table in memory. */
struct table_cache_space {
	struct values values; /* valid once `loaded` is set */
	atomic_bool loaded;
};

/* {0} is a valid empty cache. */
struct table_cache {
	const struct spaces *spaces;
	char folder[TABLE_CACHE_PATH];	/* of the game with its options; empty: none */
	struct table_cache_space *list; /* NULL: empty, and the mutex is not in use */
	struct mutex lock;		/* held while loading */
	enum qv_status status;		/* QV_OK, or why the first space failed to load */
	struct qv_error error;
};

/*
 * Loads nothing yet. `folder` holds the tables of all games; NULL: there are none. The spaces must
 * outlive the cache.
 */
enum qv_status table_cache_init(struct table_cache *s, const struct spaces *spaces,
				const char *folder, struct qv_error *error);
/* Frees all loaded tables; a {0} cache is fine. No other thread may use it. */
void table_cache_release(struct table_cache *s);
/* Frees the memory of a space. No other thread may use the cache meanwhile. */
void table_cache_drop(struct table_cache *s, int space);

/* Writes "FOLDER/SPACE.EXTENSION" to path; false: it is too long. */
bool table_cache_path(const struct table_cache *s, int space, const char *extension,
		      char path[4096]);
/*
 * Opens a finished table (extension "qvt") or a checkpoint ("part"). QV_BAD_INPUT if it belongs to
 * another game, space or size. Close it with table_close.
 */
enum qv_status table_cache_open(const struct table_cache *s, int space, const char *extension,
				struct table_file *out, struct qv_error *error);
/* The same for a rank's checkpoint: a number of values, of the part that begins at `from`. */
enum qv_status table_cache_open_part(const struct table_cache *s, int space, const char *extension,
				     uint64_t from, uint64_t size, struct table_file *out,
				     struct qv_error *error);
/* Whether the finished table of a space exists and opens. */
bool table_cache_has(const struct table_cache *s, int space);

/* Loads the space unless it is loaded; any thread. False: see s->status and s->error. */
bool table_cache_load(struct table_cache *s, int space);

/*
 * Looks up one code, loading the space first if necessary; any thread. Fails as table_cache_load.
 */
static inline bool table_cache_get(struct table_cache *s, int space, uint64_t number,
				   uint32_t *code)
{
	if (!atomic_load_explicit(&s->list[space].loaded, memory_order_acquire) &&
	    !table_cache_load(s, space))
		return false;
	*code = values_get(&s->list[space].values, number);
	return true;
}

#endif
