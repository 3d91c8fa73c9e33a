/*
 * pattern_file.c - reversi: reads pattern weights from a file.
 * SPDX-License-Identifier: MIT
 *
 * The format is described in pattern.h. The file is unpacked chunk by chunk and checked on the way,
 * so that a bad file can neither use more memory than the weights nor read past the end.
 */
#include <zstd.h>

#include "games/reversi/pattern.h"

enum { CHUNK = 1 << 14, LARGE = -128 };

static const char header[] = PATTERN_FILE_HEADER;
enum { HEADER = sizeof header - 1 };

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

/* Unpacks chunk by chunk: a file cannot use more memory than the weights need. */
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
