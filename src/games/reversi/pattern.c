/*
 * pattern.c - reversi: the patterns of the trained evaluation, and the file of their weights.
 * SPDX-License-Identifier: MIT
 *
 * The eleven patterns are listed once. reversi_patterns_init places each of them on the board under
 * all eight symmetries, and skips a place that has the same squares as one before.
 *
 * The file format is described in pattern.h. A file is unpacked chunk by chunk and checked on the
 * way, so that a bad one can neither use more memory than the weights nor read past the end.
 */
#include <zstd.h>

#include "games/reversi/pattern.h"

/*
 * The squares in the order of their digits, least significant first; and that order from the other
 * side, if the pattern is symmetric; otherwise all 0.
 */
struct pattern {
	uint32_t first;
	int length;
	uint8_t squares[PATTERN_SQUARES], mirror[PATTERN_SQUARES];
};

static const struct pattern kinds[] = {
	{ PATTERN_EDGE, 10, { 0, 1, 2, 3, 4, 5, 6, 7, 9, 14 }, { 7, 6, 5, 4, 3, 2, 1, 0, 9, 8 } },
	{ PATTERN_OBLONG, 10, { 0, 1, 2, 3, 4, 8, 9, 10, 11, 12 }, { 0 } },
	{ PATTERN_CORNER, 9, { 0, 1, 2, 8, 9, 10, 16, 17, 18 }, { 0, 3, 6, 1, 4, 7, 2, 5, 8 } },
	{ PATTERN_ROW_2, 8, { 8, 9, 10, 11, 12, 13, 14, 15 }, { 7, 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_ROW_3, 8, { 16, 17, 18, 19, 20, 21, 22, 23 }, { 7, 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_ROW_4, 8, { 24, 25, 26, 27, 28, 29, 30, 31 }, { 7, 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_8, 8, { 0, 9, 18, 27, 36, 45, 54, 63 }, { 7, 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_7, 7, { 1, 10, 19, 28, 37, 46, 55 }, { 6, 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_6, 6, { 2, 11, 20, 29, 38, 47 }, { 5, 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_5, 5, { 3, 12, 21, 30, 39 }, { 4, 3, 2, 1, 0 } },
	{ PATTERN_DIAGONAL_4, 4, { 4, 13, 22, 31 }, { 3, 2, 1, 0 } },
	{ PATTERN_MY_MOVES, 0, { 0 }, { 0 } },
	{ PATTERN_THEIR_MOVES, 0, { 0 }, { 0 } },
};
_Static_assert(sizeof kinds / sizeof *kinds == PATTERN_KINDS, "as the header says");

/* The squares of a pattern under a symmetry. */
static uint64_t squares_image(const struct pattern *p, int image)
{
	uint64_t set = 0;
	for (int i = 0; i < p->length; i++)
		set |= reversi_image_squares(UINT64_C(1) << p->squares[i], image);
	return set;
}

void reversi_patterns_init(struct reversi_patterns *out)
{
	int slot = 0;
	memset(out->steps, 0, sizeof out->steps);
	for (const struct pattern *p = kinds; p->length; p++)
		for (int image = 0; image < 8; image++) {
			/* Skip it if an earlier symmetry covers the same squares. */
			int seen = 0;
			while (squares_image(p, seen) != squares_image(p, image))
				seen++;
			if (seen < image)
				continue;
			uint16_t power = 1;
			for (int i = 0; i < p->length; i++, power = (uint16_t)(3 * power)) {
				const uint64_t bit = UINT64_C(1) << p->squares[i];
				const int square = bits_lowest(reversi_image_squares(bit, image));
				for (unsigned discs = 0; discs < 16; discs++)
					if (discs >> square % 4 & 1)
						out->steps[square / 4][discs][slot] += power;
			}
			slot++;
		}
}

uint32_t reversi_pattern_same(uint32_t place)
{
	const struct pattern *p = kinds + PATTERN_KINDS - 1;
	while (p->first > place)
		p--;
	uint32_t digits[PATTERN_SQUARES], rest = place - p->first, other = 0;
	if (!p->mirror[1])
		return place;
	for (int i = 0; i < p->length; i++, rest /= 3)
		digits[i] = rest % 3;
	for (int i = p->length - 1; i >= 0; i--)
		other = 3 * other + digits[p->mirror[i]];
	return p->first + other < place ? p->first + other : place;
}

/* ---- Reading files ---- */

enum { CHUNK = 1 << 14, LARGE = -128, PACK_LEVEL = 17 };

static const char header[] = PATTERN_FILE_HEADER;
enum { HEADER = sizeof header - 1 };

/* Where the next weight goes. */
struct reader {
	struct reversi_patterns *patterns;
	int phase;
	uint32_t place;
	int last;  /* the weight of the phase before */
	int state; /* 0: a byte is next; 1 and 2: the bytes of a large difference */
	unsigned low;
};

/* Copies the weight to its mirror images, which are not in the file. */
static void copy_images(struct reader *r)
{
	for (; r->place < PATTERN_WEIGHTS; r->place++) {
		const uint32_t same = reversi_pattern_same(r->place);
		if (same == r->place)
			return;
		for (int i = 0; i < PATTERN_PHASES; i++)
			r->patterns->weights[i][r->place] = r->patterns->weights[i][same];
	}
}

/* Differences are modulo 2^16, so any two weights have one. */
static void take_difference(struct reader *r, int difference)
{
	r->last = (int16_t)(uint16_t)(r->last + difference);
	r->patterns->weights[r->phase++][r->place] = (int16_t)r->last;
	if (r->phase < PATTERN_PHASES)
		return;
	r->phase = r->last = 0;
	r->place++;
	copy_images(r);
}

/* False: there is a weight too many. */
static bool take_byte(struct reader *r, unsigned char byte)
{
	if (r->place >= PATTERN_WEIGHTS)
		return false;
	if (r->state == 0 && (signed char)byte == LARGE) {
		r->state = 1;
	} else if (r->state == 0) {
		take_difference(r, (signed char)byte);
	} else if (r->state == 1) {
		r->low = byte;
		r->state = 2;
	} else {
		r->state = 0;
		take_difference(r, (int16_t)(uint16_t)(r->low | (unsigned)byte << 8));
	}
	return true;
}

static enum qv_status unpack(struct reader *r, ZSTD_DStream *stream, ZSTD_inBuffer *in,
			     struct qv_error *error)
{
	unsigned char chunk[CHUNK];
	for (size_t left = 1; left;) {
		ZSTD_outBuffer out = { chunk, sizeof chunk, 0 };
		left = ZSTD_decompressStream(stream, &out, in);
		if (ZSTD_isError(left))
			return qv_fail(error, QV_BAD_INPUT, "weights: the file is damaged: %s",
				       ZSTD_getErrorName(left));
		for (size_t i = 0; i < out.pos; i++)
			if (!take_byte(r, chunk[i]))
				return qv_fail(error, QV_BAD_INPUT,
					       "weights: the file has too many weights");
		if (left && in->pos == in->size && out.pos < out.size)
			return qv_fail(error, QV_BAD_INPUT, "weights: the file ends too early");
	}
	return QV_OK;
}

enum qv_status reversi_patterns_read(const char *data, size_t size, void *weights,
				     struct qv_error *error)
{
	if (size < HEADER || memcmp(data, header, HEADER) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: not a file of reversi pattern weights, version 1");
	struct reader r = { .patterns = weights };
	ZSTD_inBuffer in = { data + HEADER, size - HEADER, 0 };
	ZSTD_DStream *stream = ZSTD_createDStream();
	if (!stream)
		return qv_fail(error, QV_NO_MEMORY, "weights: out of memory");
	copy_images(&r);
	enum qv_status status = unpack(&r, stream, &in, error);
	ZSTD_freeDStream(stream);
	if (status == QV_OK && (r.place < PATTERN_WEIGHTS))
		return qv_fail(error, QV_BAD_INPUT, "weights: the file has too few weights");
	if (status == QV_OK && in.pos < in.size)
		return qv_fail(error, QV_BAD_INPUT,
			       "weights: the file has extra data after the last weight");
	return status;
}

/* ---- Writing files ---- */

struct packer {
	ZSTD_CStream *stream;
	ZSTD_outBuffer out;
};

/* Compresses some bytes; the last call ends the frame. False: zstd failed, or no room. */
static bool pack(struct packer *p, const void *data, size_t size, bool last)
{
	ZSTD_inBuffer in = { data, size, 0 };
	const size_t left =
		ZSTD_compressStream2(p->stream, &p->out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
	return !ZSTD_isError(left) && in.pos == in.size && (!last || !left);
}

/*
 * Packs the weights of all places that are not mirror images of earlier ones, each as the
 * difference from the phase before.
 */
static bool pack_places(struct packer *p, const struct reversi_patterns *patterns)
{
	unsigned char chunk[CHUNK];
	size_t used = 0;
	for (uint32_t place = 0; place < PATTERN_WEIGHTS; place++) {
		int last = 0;
		for (int i = 0; reversi_pattern_same(place) == place && i < PATTERN_PHASES; i++) {
			const int weight = patterns->weights[i][place];
			const int difference = (int16_t)(uint16_t)(weight - last);
			last = weight;
			chunk[used++] = (unsigned char)difference;
			if (difference > LARGE && difference < -LARGE)
				continue;
			chunk[used - 1] = (unsigned char)LARGE;
			chunk[used++] = (unsigned char)difference;
			chunk[used++] = (unsigned char)((uint16_t)difference >> 8);
		}
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
