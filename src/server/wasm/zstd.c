/*
 * zstd.c - as much of zstd as the engine in a browser needs, behind zstd's own header.
 * SPDX-License-Identifier: MIT
 *
 * Endgame tables come in frames of blocks that are not compressed (tools/store-table.c), because the
 * transport compresses them. Everything else that the library does with zstd needs files, which a
 * browser does not have: it fails.
 */
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

static const size_t failed = (size_t)-ZSTD_error_GENERIC;

unsigned ZSTD_isError(size_t code)
{
	return code > (size_t)-ZSTD_error_maxCode;
}

const char *ZSTD_getErrorName(size_t code)
{
	return ZSTD_isError(code) ? "compressed data is not supported here" : "no error";
}

size_t ZSTD_compressBound(size_t size)
{
	return ZSTD_COMPRESSBOUND(size);
}

/*
 * A frame with a size of one or two bytes, without a dictionary or checksum, of stored and
 * repeated-byte blocks.
 */
size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t size)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	const unsigned char *at = from, *const end = at + size;
	unsigned char *out = to;
	if (size < 7 || memcmp(at, magic, sizeof magic) != 0 || (at[4] & 0xbf) != 0x20)
		return failed;
	const int is_long = at[4] >> 6;
	const size_t length = is_long ? 256 + (at[5] | (size_t)at[6] << 8) : at[5];
	size_t left = length;
	if (length > room)
		return failed;
	at += is_long ? 7 : 6;
	for (int last = 0; !last;) {
		if (end - at < 4)
			return failed;
		const unsigned head = at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16;
		const size_t count = head >> 3;
		const int repeated = (head >> 1 & 3) == 1;
		last = head & 1;
		at += 3;
		if (head >> 1 & 2 || count > left || (!repeated && count > (size_t)(end - at)))
			return failed;
		if (repeated)
			memset(out, *at, count);
		else
			memcpy(out, at, count);
		at += repeated ? 1 : count;
		out += count;
		left -= count;
	}
	return left || at != end ? failed : length;
}

unsigned long long ZSTD_getFrameContentSize(const void *from, size_t size)
{
	(void)from, (void)size;
	return ZSTD_CONTENTSIZE_ERROR;
}

ZSTD_CCtx *ZSTD_createCCtx(void)
{
	return NULL;
}

size_t ZSTD_freeCCtx(ZSTD_CCtx *context)
{
	(void)context;
	return 0;
}

size_t ZSTD_compressCCtx(ZSTD_CCtx *context, void *to, size_t room, const void *from, size_t size,
			 int level)
{
	(void)context, (void)to, (void)room, (void)from, (void)size, (void)level;
	return failed;
}

size_t ZSTD_compress(void *to, size_t room, const void *from, size_t size, int level)
{
	return ZSTD_compressCCtx(NULL, to, room, from, size, level);
}

size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value)
{
	(void)context, (void)parameter, (void)value;
	return failed;
}

ZSTD_CStream *ZSTD_createCStream(void)
{
	return NULL;
}

size_t ZSTD_freeCStream(ZSTD_CStream *stream)
{
	(void)stream;
	return 0;
}

size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
			    ZSTD_EndDirective end)
{
	(void)context, (void)out, (void)in, (void)end;
	return failed;
}

ZSTD_DStream *ZSTD_createDStream(void)
{
	return NULL;
}

size_t ZSTD_freeDStream(ZSTD_DStream *stream)
{
	(void)stream;
	return 0;
}

size_t ZSTD_decompressStream(ZSTD_DStream *stream, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
	(void)stream, (void)out, (void)in;
	return failed;
}
