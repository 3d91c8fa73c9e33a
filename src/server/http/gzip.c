/*
 * gzip.c - compresses responses and unpacks files with zlib.
 * SPDX-License-Identifier: MIT
 */
#include "server/http/gzip.h"

#define ZLIB_CONST /* its input is const */

#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8 }; /* a window of 32 KiB in gzip's format */

/* Compresses into a buffer as large as the text: a result that does not fit is of no use. */
static bool pack(const char *text, size_t size, int level, struct string *out)
{
	z_stream z = { 0 };
	*out = (struct string){ .allocator = &mem_malloc };
	if (size > UINT32_MAX || deflateInit2(&z, level, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
					      Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	string_add(out, text, size); /* reserves the room; deflate reads the original */
	if (!out->failed) {
		z.next_in = (const Bytef *)text;
		z.avail_in = (uInt)size;
		z.next_out = (Bytef *)out->data;
		z.avail_out = (uInt)size;
	}
	const bool done = !out->failed && deflate(&z, Z_FINISH) == Z_STREAM_END;
	if (done)
		out->length = (size_t)z.total_out;
	else
		string_release(out);
	deflateEnd(&z);
	return done;
}

bool gzip_pack(const char *text, size_t size, struct string *out)
{
	return pack(text, size, Z_BEST_SPEED, out);
}

void gzip_tag(const char *text, size_t size, char tag[GZIP_TAG])
{
	unsigned char hash[crypto_generichash_BYTES_MIN];
	char digits[2 * sizeof hash + 1];
	crypto_generichash(hash, sizeof hash, (const unsigned char *)text, size, NULL, 0);
	sodium_bin2hex(digits, sizeof digits, hash, sizeof hash);
	snprintf(tag, GZIP_TAG, "\"%s\"", digits);
}

const struct string *gzip_shared(struct gzip_cache *cache, const char *tag, const char *text,
				 size_t size)
{
	struct string packed;
	for (int i = 0; i < GZIP_KEPT; i++)
		if (strcmp(cache->kept[i].tag, tag) == 0)
			return &cache->kept[i].packed;
	if (!pack(text, size, Z_BEST_COMPRESSION, &packed))
		return NULL;
	const unsigned at = cache->next++ % GZIP_KEPT;
	string_release(&cache->kept[at].packed);
	cache->kept[at].packed = packed;
	snprintf(cache->kept[at].tag, GZIP_TAG, "%s", tag);
	return &cache->kept[at].packed;
}

void gzip_cache_release(struct gzip_cache *cache)
{
	for (int i = 0; i < GZIP_KEPT; i++)
		string_release(&cache->kept[i].packed);
	*cache = (struct gzip_cache){ 0 };
}

struct gunzip {
	z_stream z;
};

/* The files are those of the program, far below zlib's limit of 4 GiB. */
struct gunzip *gunzip_open(const unsigned char *packed, size_t size)
{
	struct gunzip *gunzip = size > UINT32_MAX ? NULL : calloc(1, sizeof *gunzip);
	if (gunzip && inflateInit2(&gunzip->z, GZIP_WINDOW) == Z_OK) {
		gunzip->z.next_in = packed;
		gunzip->z.avail_in = (uInt)size;
		return gunzip;
	}
	free(gunzip);
	return NULL;
}

bool gunzip_read(struct gunzip *gunzip, unsigned char *out, size_t size)
{
	if (size > UINT32_MAX)
		return false;
	gunzip->z.next_out = out;
	gunzip->z.avail_out = (uInt)size;
	const int status = inflate(&gunzip->z, Z_SYNC_FLUSH);
	return (status == Z_OK || status == Z_STREAM_END) && gunzip->z.avail_out == 0;
}

void gunzip_close(struct gunzip *gunzip)
{
	if (!gunzip)
		return;
	inflateEnd(&gunzip->z);
	free(gunzip);
}
