/*
 * data.c - the embedded files of the games, which the host provides.
 * SPDX-License-Identifier: MIT
 *
 * What base/embed.h promises as constants are arrays here, empty until engine_data fills them. The
 * build writes data_list.h with X(GAME, SYMBOL, SIZE) for each file, in the order of GAME.bin.
 */
#include <data_list.h>
#include <string.h>

#include "server/wasm/engine.h"
#include "server/wasm/inside.h"

/* Followed by a NUL, as an embedded file. */
#define X(game, symbol, bytes)                                        \
	__attribute__((aligned(64))) unsigned char symbol[bytes + 1]; \
	const uint64_t symbol##_size = bytes;
DATA_LIST
#undef X

static struct {
	const char *game;
	unsigned char *to;
	size_t size;
	bool loaded;
} files[] = {
#define X(game, symbol, bytes) { #game, symbol, bytes, false },
	DATA_LIST
#undef X
};
enum { FILES = sizeof files / sizeof *files };

bool data_is_loaded(const char *game)
{
	for (int i = 0; i < FILES; i++)
		if (strcmp(files[i].game, game) == 0)
			return files[i].loaded;
	return true;
}

bool engine_data(const char *game, const char *bytes, size_t size)
{
	size_t total = 0;
	for (int i = 0; i < FILES; i++)
		total += strcmp(files[i].game, game) == 0 ? files[i].size : 0;
	if (!total || total != size)
		return false;
	for (int i = 0; i < FILES; i++)
		if (strcmp(files[i].game, game) == 0) {
			memcpy(files[i].to, bytes, files[i].size);
			bytes += files[i].size;
			files[i].loaded = true;
		}
	return true;
}
