/*
 * nnue_file.h - a file of a large net as nnue.h reads it, its weights by chance.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_NNUE_FILE_H
#define TEST_NNUE_FILE_H

#include <stdlib.h>

#include "learn/chess/nnue.h"

enum {
	NNUE_WORDS = 4, /* of what somebody says about the net */
	NNUE_STAGE_BYTES = 4 + 4 * NNUE_FIRST + NNUE_FIRST * NNUE_SIZE + 4 * NNUE_SECOND +
			   32 * NNUE_SECOND + 4 + NNUE_SECOND,
	NNUE_FILE = 16 + NNUE_WORDS + 2 * NNUE_SIZE + 2 * NNUE_ROWS * NNUE_SIZE +
		    4 * NNUE_ROWS * NNUE_STAGES + NNUE_STAGES * NNUE_STAGE_BYTES,
};

static inline void nnue_mark(char *out, uint32_t mark)
{
	memcpy(out, &mark, sizeof mark);
}

/* NNUE_FILE bytes in room for them and `more`, from the seed; NULL: no memory. */
static inline char *nnue_file_new(uint32_t seed, size_t more)
{
	char *file = malloc(NNUE_FILE + more);
	if (!file)
		return NULL;
	for (size_t i = 0; i < NNUE_FILE + more; i++) {
		seed = seed * 1664525 + 1013904223;
		/* Every second byte is all that is large in a row's number. */
		file[i] = (char)(i % 2 ? (seed >> 31 ? 0 : -1) : (int)(seed >> 24));
	}
	nnue_mark(file, 0x7af32f20);
	nnue_mark(file + 4, 0x1c102ef2);
	nnue_mark(file + 8, NNUE_WORDS);
	nnue_mark(file + 12 + NNUE_WORDS, 0x7f2344b8);
	for (int i = 1; i <= NNUE_STAGES; i++)
		nnue_mark(file + NNUE_FILE - i * NNUE_STAGE_BYTES, 0x63336a4a);
	return file;
}

#endif
