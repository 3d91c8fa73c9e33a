/*
 * assets.c - the files of the page: reads the index of the blob and finds files in it.
 * SPDX-License-Identifier: MIT
 *
 * The blob is made by our own build, but the index is checked all the same: offsets and sizes that
 * leave the blob make it invalid. A lookup is a linear search, for a page has few files.
 */
#include "server/http/assets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/http/http_text.h"

enum { LINE = 512, MOST_FILES = 4096 };

/* Copies the next line of the blob; false: no line is left, or it is too long. */
static bool next_line(const unsigned char *blob, size_t size, size_t *at, char line[LINE])
{
	const unsigned char *end = memchr(blob + *at, '\n', size - *at);
	const size_t length = end ? (size_t)(end - blob) - *at : LINE;
	if (length >= LINE)
		return false;
	memcpy(line, blob + *at, length);
	line[length] = '\0';
	*at += length + 1;
	return true;
}

/* Reads the lines of the index, then checks that all files lie within the blob. */
static bool read_index(struct assets *assets, const unsigned char *blob, size_t size, size_t at)
{
	char line[LINE];
	for (size_t i = 0; i < assets->count; i++) {
		struct asset *a = &assets->list[i];
		int end = 0;
		if (!next_line(blob, size, &at, line) ||
		    sscanf(line, "%159s %63s %63s %zu %zu %zu %63s%n", a->path, a->type, a->coding,
			   &a->offset, &a->stored, &a->size, a->tag, &end) != 7 ||
		    line[end])
			return false;
		if (a->stored != a->size && !asset_is_packed(a))
			return false;
	}
	if (!next_line(blob, size, &at, line) || line[0])
		return false;
	for (size_t i = 0; i < assets->count; i++) {
		struct asset *a = &assets->list[i];
		if (a->offset > size - at || a->stored > size - at - a->offset)
			return false;
		a->data = blob + at + a->offset;
	}
	return true;
}

/* COUNT is bounded before it is used as a size. */
bool assets_read(struct assets *assets, const unsigned char *blob, size_t size)
{
	char line[LINE];
	size_t at = 0;
	int end = 0;
	*assets = (struct assets){ 0 };
	if (!next_line(blob, size, &at, line) ||
	    sscanf(line, "quevedo-page 2 %zu%n", &assets->count, &end) != 1 || line[end] ||
	    assets->count > MOST_FILES)
		return false;
	assets->list = calloc(assets->count + 1, sizeof *assets->list);
	if (assets->list && read_index(assets, blob, size, at))
		return true;
	assets_release(assets);
	return false;
}

void assets_release(struct assets *assets)
{
	free(assets->list);
	*assets = (struct assets){ 0 };
}

bool asset_is_packed(const struct asset *asset)
{
	return asset->stored < asset->size && strcmp(asset->coding, "identity") == 0;
}

/* Smaller is better: the browser decodes faster than the network sends. */
const struct asset *assets_find(const struct assets *assets, const char *path,
				const char *accept_encoding)
{
	const struct asset *best = NULL;
	for (size_t i = 0; i < assets->count; i++) {
		const struct asset *asset = &assets->list[i];
		if (strcmp(asset->path, path) != 0)
			continue;
		if (strcmp(asset->coding, "identity") != 0 &&
		    !encoding_accepted(accept_encoding, asset->coding))
			continue;
		if (!best || asset->size < best->size)
			best = asset;
	}
	return best;
}
