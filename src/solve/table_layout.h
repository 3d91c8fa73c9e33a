/*
 * table_layout.h - the layout of a table file, shared by its writer and its reader.
 * SPDX-License-Identifier: MIT
 *
 * All numbers are little-endian, two-byte values included.
 */
#ifndef SOLVE_TABLE_LAYOUT_H
#define SOLVE_TABLE_LAYOUT_H

#include "solve/table_file.h"

static const char table_magic[8] = "QVTABLE1";
static const char table_metric[24] = "plies to the end";

/* Offsets in the header. */
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
	ENTRY_SIZE = 16,           /* a directory entry: the block's offset and checksum */
	TAIL_SIZE = 16,            /* the file's size, and the checksum of header and directory */
	COMPRESSION = 6,           /* zstd level */
};
_Static_assert(sizeof((struct table_facts *)0)->space == AT_METRIC - AT_SPACE, "name of a space");

static inline uint64_t table_number(const unsigned char *at, int bytes)
{
	uint64_t number = 0;
	for (int i = bytes - 1; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

static inline void table_put_number(unsigned char *at, uint64_t number, int bytes)
{
	for (int i = 0; i < bytes; i++)
		at[i] = (unsigned char)(number >> 8 * i);
}

static inline uint64_t table_blocks(uint64_t size, int width)
{
	return (size * (uint64_t)width + TABLE_BLOCK - 1) / TABLE_BLOCK;
}

/* Converts two-byte values between the file's byte order and this machine's. */
static inline void table_order_bytes(unsigned char *data, size_t size, int width)
{
	for (size_t i = 0; width == 2 && i < size; i += 2) {
		const uint16_t value = (uint16_t)table_number(data + i, 2);
		memcpy(data + i, &value, 2);
	}
}

#endif
