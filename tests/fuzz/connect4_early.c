/*
 * connect4_early.c - fuzz target: the table of connect-four's early positions. Its checksum is put
 * right first, so that the reader behind it is reached too.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "engines/connect4/early_file.h"

enum { PLIES = 8, SUM = 9, SCORES = 17, MOST_PLIES = 5, LARGEST = 1 << 12 };

static void read_whole(const struct qv_allocator *allocator, const uint8_t *bytes, size_t size)
{
	struct c4_early early;
	struct qv_error error = { "" };
	if (c4_early_read(&early, allocator, bytes, size, &error) != QV_OK) {
		fuzz_require_reason(&error);
		fuzz_require(early.scores == NULL);
		return;
	}
	/* What is read can be packed and read again. */
	unsigned char *file = malloc(c4_early_room(early.plies));
	size_t packed = 0;
	struct c4_early again;
	fuzz_require(file != NULL);
	fuzz_require(c4_early_pack(early.plies, early.scores, allocator, file, &packed, NULL) == QV_OK);
	fuzz_require(c4_early_read(&again, allocator, file, packed, NULL) == QV_OK);
	const size_t places = (size_t)early.places.shapes * early.places.colours;
	fuzz_require(memcmp(early.scores, again.scores, places) == 0);
	c4_early_release(&again, allocator);
	c4_early_release(&early, allocator);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct qv_allocator small = { fuzz_resize, NULL };
	if (!size || size > LARGEST)
		return 0;
	uint8_t *copy = malloc(size);
	fuzz_require(copy != NULL);
	memcpy(copy, data, size);
	read_whole(&small, copy, size);
	if (size >= SCORES) {
		const uint64_t sum = qv_hash_bytes(copy + SCORES, size - SCORES);
		for (int i = 0; i < 8; i++)
			copy[SUM + i] = (uint8_t)(sum >> 8 * i);
		if (copy[PLIES] > MOST_PLIES && copy[PLIES] <= C4_EARLY_MOST)
			copy[PLIES] = MOST_PLIES;        /* larger ones take long, and say no more */
		read_whole(&small, copy, size);
	}
	free(copy);
	return 0;
}
