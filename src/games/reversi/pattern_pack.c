/*
 * pattern_pack.c - reversi: writes pattern weights to a file.
 * SPDX-License-Identifier: MIT
 *
 * The opposite of pattern_file.c, in a file of its own because the build's expand-patterns needs
 * only the reader.
 */
#include <zstd.h>

#include "games/reversi/pattern.h"

enum { CHUNK = 1 << 14, LARGE = -128, PACK_LEVEL = 17 };

static const char header[] = PATTERN_FILE_HEADER;
enum { HEADER = sizeof header - 1 };

struct packer {
	ZSTD_CStream *stream;
	ZSTD_outBuffer out;
};

static bool pack(struct packer *p, const void *data, size_t size, bool last)
{
	ZSTD_inBuffer in = { data, size, 0 };
	const size_t left =
		ZSTD_compressStream2(p->stream, &p->out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
	return !ZSTD_isError(left) && in.pos == in.size && (!last || !left);
}

/* The weights of a place, each as the difference from the phase before. */
static size_t add_place(const struct reversi_patterns *patterns, uint32_t place, unsigned char *out)
{
	size_t used = 0;
	int last = 0;
	for (int i = 0; i < PATTERN_PHASES; i++) {
		const int weight = patterns->weights[i][place];
		const int difference = (int16_t)(uint16_t)(weight - last);
		last = weight;
		out[used++] = (unsigned char)difference;
		if (difference > LARGE && difference < -LARGE)
			continue;
		out[used - 1] = (unsigned char)LARGE;
		out[used++] = (unsigned char)difference;
		out[used++] = (unsigned char)((uint16_t)difference >> 8);
	}
	return used;
}

static bool pack_places(struct packer *p, const struct reversi_patterns *patterns)
{
	unsigned char chunk[CHUNK];
	size_t used = 0;
	for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
		if (reversi_pattern_same(i) == i)
			used += add_place(patterns, i, chunk + used);
		if (used > CHUNK - 3 * PATTERN_PHASES) {
			if (!pack(p, chunk, used, false))
				return false;
			used = 0;
		}
	}
	return pack(p, chunk, used, true);
}

enum qv_status reversi_patterns_pack(const struct reversi_patterns *patterns, char *out,
				     size_t *size, struct qv_error *error)
{
	memcpy(out, header, HEADER);
	struct packer p = { ZSTD_createCStream(), { out, PATTERN_FILE_MOST, HEADER } };
	bool good = p.stream != NULL;
	good = good &&
	       !ZSTD_isError(ZSTD_CCtx_setParameter(p.stream, ZSTD_c_compressionLevel, PACK_LEVEL));
	good = good && !ZSTD_isError(ZSTD_CCtx_setParameter(p.stream, ZSTD_c_checksumFlag, 1));
	good = good && pack_places(&p, patterns);
	ZSTD_freeCStream(p.stream);
	*size = p.out.pos;
	return good ? QV_OK
		    : qv_fail(error, QV_NO_MEMORY, "weights: not enough memory to pack them");
}
