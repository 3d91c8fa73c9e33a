/*
 * assets.h - the files of the page, which are built into the program, compressed.
 * SPDX-License-Identifier: MIT
 *
 * The build packs the page into one blob (tools/pack-page): a line "quevedo-page 2 COUNT", COUNT
 * lines "PATH TYPE CODING OFFSET STORED SIZE TAG", an empty line, then the bytes that the offsets
 * count from. A blob without files means the program has no page.
 *
 * A file that gzip makes smaller is not stored as it is: its line for "identity" has the bytes of
 * gzip, STORED of them, and gzip.h unpacks them to SIZE bytes. Otherwise STORED and SIZE are equal.
 */
#ifndef SERVER_HTTP_ASSETS_H
#define SERVER_HTTP_ASSETS_H

#include <stdbool.h>
#include <stddef.h>

enum { ASSET_PATH = 160, ASSET_WORD = 64 };

/* One file in one coding. */
struct asset {
	char path[ASSET_PATH];	   /* "/index.html", "/assets/page-1a2b3c.js" */
	char type[ASSET_WORD];	   /* "text/html;charset=utf-8" */
	char coding[ASSET_WORD];   /* "identity", "gzip" or "br" */
	char tag[ASSET_WORD];	   /* as an ETag, with its quotes */
	size_t offset, stored;	   /* offset: after the index */
	size_t size;		   /* as it is sent */
	const unsigned char *data; /* `stored` bytes of the blob */
};

struct assets { /* {0} is a valid empty one */
	struct asset *list;
	size_t count;
};

/*
 * Keeps pointers into the blob. False: not a blob, or out of memory; then nothing is left to
 * release.
 */
bool assets_read(struct assets *assets, const unsigned char *blob, size_t size);
void assets_release(struct assets *assets);

/* The stored bytes are in gzip's format, but the file is sent without a coding. */
bool asset_is_packed(const struct asset *asset);

/* The smallest version of the file that the header (may be "") accepts. NULL: no such file. */
const struct asset *assets_find(const struct assets *assets, const char *path,
				const char *accept_encoding);

/* The blob that was built in: web.c. */
const unsigned char *page_blob(size_t *size);

#endif
