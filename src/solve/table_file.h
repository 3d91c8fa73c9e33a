/*
 * table_file.h - the file of one space: its facts, then its values in blocks of 64 KB, compressed
 * one by one, so that any value can be read without the rest.
 * SPDX-License-Identifier: MIT
 *
 * docs/tables.md draws the file. A checkpoint of a space that is not finished is the same, with the
 * level it has reached. Nothing in a file is believed: every byte is under a checksum, and sizes
 * are held against the file's own before anything is allocated.
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
	int longest;               /* most plies of a win or loss; -1: there is none */
	int level;                 /* TABLE_FINISHED, or how far a checkpoint is (retro.h) */
	uint64_t progress;         /* within the level */
};

/* No file of so many values is larger. */
uint64_t table_most_bytes(uint64_t size, int width);

/* Counts the values into the facts. */
void table_count(struct table_facts *facts, const struct values *values);

/* Writes beside the path, to disk, and renames: the file is there whole or not at all. */
enum qv_status table_write(const struct qv_allocator *allocator, const char *path,
			   const struct table_facts *facts, const struct values *values,
			   struct qv_error *error);

/* An open file. {0} is a valid empty one. One thread at a time. */
struct table_file {
	const struct qv_allocator *allocator;
	FILE *in;
	struct table_facts facts;
	uint64_t blocks;
	unsigned char *directory;  /* the places and sums of the blocks, as in the file */
	size_t directory_size;
	uint64_t bytes;            /* of the whole file */
	void *packed;              /* room for a block as it is in the file */
};

/* Takes the stream over, whatever happens. `name` is for errors. */
enum qv_status table_open_stream(struct table_file *f, const struct qv_allocator *allocator,
				 FILE *in, const char *name, struct qv_error *error);
enum qv_status table_open(struct table_file *f, const struct qv_allocator *allocator,
			  const char *path, struct qv_error *error);
void table_close(struct table_file *f);

/* Bytes of a block when it is unpacked: TABLE_BLOCK, but for the last. */
size_t table_block_size(const struct table_file *f, uint64_t block);
/* Unpacks a block into `out`, which has room for TABLE_BLOCK bytes. */
enum qv_status table_read_block(struct table_file *f, uint64_t block, unsigned char *out,
				struct qv_error *error);
/* The whole; release with values_release. */
enum qv_status table_read(struct table_file *f, struct values *out, struct qv_error *error);

enum qv_status values_init(struct values *v, const struct qv_allocator *allocator, uint64_t size,
			   int width, struct qv_error *error);
void values_release(struct values *v, const struct qv_allocator *allocator);

#endif
