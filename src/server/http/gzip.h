/*
 * gzip.h - compresses responses, keeps the compressed form of those that are the same for everybody, and unpacks files.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_HTTP_GZIP_H
#define SERVER_HTTP_GZIP_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

enum { GZIP_LEAST = 1024, GZIP_ASIDE = 16384 }; /* a shorter text is not worth it; or worth a thread */
enum { GZIP_TAG = 40, GZIP_KEPT = 64 };

/* Compressed texts by their tags; a new one replaces the oldest. {0} is a valid empty cache. */
struct gzip_cache {
	struct {
		char tag[GZIP_TAG];
		struct string packed;
	} kept[GZIP_KEPT];
	unsigned next;
};

void gzip_cache_release(struct gzip_cache *cache);

/* An ETag for the text, with its quotes. Send it as a weak one: the text may be compressed or not. */
void gzip_tag(const char *text, size_t size, char tag[GZIP_TAG]);

/*
 * The text in gzip format, fast rather than small. False: out of memory, or it would not be smaller;
 * then *out is empty. The caller releases it.
 */
bool gzip_pack(const char *text, size_t size, struct string *out);

/* The same from the cache, as small as possible. NULL: as false. The cache keeps it. */
const struct string *gzip_shared(struct gzip_cache *cache, const char *tag, const char *text,
				 size_t size);

/*
 * Unpacks a file piece by piece, in about 40 KiB of memory, whatever its size. The packed bytes stay
 * the caller's. NULL: out of memory.
 */
struct gunzip *gunzip_open(const unsigned char *packed, size_t size);
/* The next `size` bytes, all of them. False: the file is damaged, or shorter. */
bool gunzip_read(struct gunzip *gunzip, unsigned char *out, size_t size);
/* NULL is fine. */
void gunzip_close(struct gunzip *gunzip);

#endif
