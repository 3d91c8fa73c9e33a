/*
 * store-table.c - part of the build: an endgame table whose blocks are stored without compression.
 * SPDX-License-Identifier: MIT
 * usage: store-table FILE OUT
 *
 * The engine for browsers has no zstd (src/server/wasm/zstd.c), and what a browser fetches is
 * compressed on its way. The result is a valid table, also for the program.
 */
#include <stdio.h>
#include <string.h>
#include <zstd.h>

#include "solve/table_file.h"

/* A frame of one block: stored, or a single byte repeated. Returns its size. */
static size_t store(const unsigned char *plain, size_t size, unsigned char *out)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	unsigned char *at = out;
	const bool repeated = memcmp(plain, plain + 1, size - 1) == 0;
	memcpy(at, magic, sizeof magic);
	at += sizeof magic;
	/* One segment; the size has one byte, or two from 256 on. */
	*at++ = size < 256 ? 0x20 : 0x60;
	table_put_number(at, size < 256 ? size : size - 256, size < 256 ? 1 : 2);
	at += size < 256 ? 1 : 2;
	table_put_number(at, 1 | (uint64_t)repeated << 1 | (uint64_t)size << 3, 3);
	at += 3;
	memcpy(at, plain, repeated ? 1 : size);
	return (size_t)(at - out) + (repeated ? 1 : size);
}

static bool convert(struct table_file *f, FILE *out)
{
	enum { ENTRY = 16 };
	static unsigned char packed[2 * TABLE_BLOCK], plain[TABLE_BLOCK], frame[2 * TABLE_BLOCK];
	unsigned char *entry = f->front + f->front_size - ENTRY * (f->blocks + 1);
	uint64_t to = f->front_size;
	if (fseek(out, (long)f->front_size, SEEK_SET) != 0)
		return false;
	for (uint64_t i = 0; i < f->blocks; i++, entry += ENTRY) {
		const uint64_t from = table_number(entry, 8);
		const size_t length = (size_t)(table_number(entry + ENTRY, 8) - from);
		if (fseek(f->in, (long)from, SEEK_SET) != 0 ||
		    fread(packed, 1, length, f->in) != length)
			return false;
		const size_t size = ZSTD_decompress(plain, sizeof plain, packed, length);
		if (ZSTD_isError(size) || size < 1)
			return false;
		const size_t stored = store(plain, size, frame);
		if (fwrite(frame, 1, stored, out) != stored)
			return false;
		table_put_number(entry, to, 8);
		table_put_number(entry + 8, qv_hash_bytes(frame, stored), 8);
		to += stored;
	}
	table_put_number(entry, to, 8);
	table_put_number(entry + 8, qv_hash_bytes(f->front, f->front_size - 8), 8);
	return fseek(out, 0, SEEK_SET) == 0 &&
	       fwrite(f->front, 1, f->front_size, out) == f->front_size;
}

int main(int argc, char **argv)
{
	struct table_file file = { 0 };
	struct qv_error error = { "usage: FILE OUT" };
	bool good = argc == 3 && table_open(&file, &mem_malloc, argv[1], &error) == QV_OK;
	FILE *out = good ? fopen(argv[2], "wb") : NULL;
	if (good)
		qv_fail(&error, QV_IO, "%.200s: cannot be written", argv[2]);
	good = out && convert(&file, out);
	if (out && fclose(out) != 0)
		good = false;
	table_close(&file);
	if (!good)
		fprintf(stderr, "store-table: %s\n", error.text);
	return good ? 0 : 1;
}
