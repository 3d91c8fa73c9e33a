/*
 * table_file.h - the table file of one space: a header, then the values in blocks of 64 KB,
 * compressed one by one, so that any value can be read without the rest.
 * SPDX-License-Identifier: MIT
 *
 * docs/tables.md describes the format. A checkpoint of an unfinished space has the same format and
 * holds the level reached. Every byte is covered by a checksum.
 */
#ifndef SOLVE_TABLE_FILE_H
#define SOLVE_TABLE_FILE_H

#include "solve/spaces.h"
#include "solve/values.h"

enum { TABLE_BLOCK = 1 << 16, TABLE_FINISHED = -2 };

struct table_facts {
	char game[SPACES_NAME];
	char space[sizeof((struct qv_space *)0)->name];
	int width;
	uint64_t size;
	uint64_t wins, draws, losses, holes;
	int longest;	   /* most plies of a win or loss; -1: all are draws */
	int level;	   /* TABLE_FINISHED, or the level of a checkpoint (retro.h) */
	uint64_t progress; /* chunks done within the level */
};

/* The largest possible file of `size` values of `width` bytes. */
uint64_t table_most_bytes(uint64_t size, int width);

/* Sets wins, draws, losses, holes and longest from the values. */
void table_count(struct table_facts *facts, const struct values *values);

/* Writes PATH.tmp, syncs it to disk and renames it: the file appears complete or not at all. */
enum qv_status table_write(const struct qv_allocator *allocator, const char *path,
			   const struct table_facts *facts, const struct values *values,
			   struct qv_error *error);

/* An open file. {0} is a valid closed one. One thread at a time. */
struct table_file {
	const struct qv_allocator *allocator;
	FILE *in;
	struct table_facts facts;
	uint64_t blocks;
	unsigned char *directory; /* offset and checksum of each block, as in the file */
	size_t directory_size;
	uint64_t bytes;            /* of the whole file */
	void *packed;		   /* buffer for a compressed block */
};

/* Takes ownership of the stream, on failure too. `name` is used in error messages. */
enum qv_status table_open_stream(struct table_file *f, const struct qv_allocator *allocator,
				 FILE *in, const char *name, struct qv_error *error);
/* QV_IO: the file cannot be opened; QV_BAD_INPUT: it is not a table, or is damaged. */
enum qv_status table_open(struct table_file *f, const struct qv_allocator *allocator,
			  const char *path, struct qv_error *error);
void table_close(struct table_file *f); /* a closed one is fine */

/* Decompressed bytes of a block: TABLE_BLOCK, except for the last one. */
size_t table_block_size(const struct table_file *f, uint64_t block);
/* Decompresses a block into `out`, which has room for TABLE_BLOCK bytes. */
enum qv_status table_read_block(struct table_file *f, uint64_t block, unsigned char *out,
				struct qv_error *error);
/* Reads all values; release them with values_release. */
enum qv_status table_read(struct table_file *f, struct values *out, struct qv_error *error);

/* Allocates `size` values of `width` bytes, all CODE_DRAW. */
enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error);
void values_release(struct values *v, const struct qv_allocator *allocator);

#endif
