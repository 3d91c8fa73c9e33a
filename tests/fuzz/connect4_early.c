/*
 * connect4_early.c - fuzz target: the table of connect-four's early positions. Its checksum is put
 * right first, so that the reader behind it is reached too.
 * SPDX-License-Identifier: MIT
 */
#include "fuzz/fuzz.h"

#include "games/connect4/early.h"
#include "games/connect4/evaluate.h"

enum { PLIES = 8, SUM = 9, SCORES = 17, MOST_PLIES = 5, LARGEST = 1 << 12, POSITIONS = 50 };

/* A heap of so many discs, fours or not, as play has their colours. */
static struct c4 wander(struct qv_random *random, int discs)
{
	struct c4 at = { 0, 0 };
	while (bits_count(at.all) < discs) {
		const uint64_t move = c4_playable(&at) & C4_COLUMN(qv_random_below(random, C4_WIDTH));
		if (move)
			c4_play(&at, move);
	}
	return at;
}

/* Whatever the codes are, what they say of positions can be packed and read again. */
static void pack_again(const struct c4_early *early)
{
	const size_t size = c4_early_size(early->plies);
	unsigned char *file = malloc(size);
	int8_t *scores = malloc(early->places.count);
	struct qv_random random = { .key = 1 };
	struct c4 list[POSITIONS];
	struct c4_early again;
	fuzz_require(file != NULL && scores != NULL);
	memset(scores, C4_EARLY_UNKNOWN, early->places.count);
	for (int i = 0; i < POSITIONS; i++) {
		list[i] = wander(&random, early->plies);
		const int score = c4_early_score(early, &list[i]);
		fuzz_require(score == C4_EARLY_UNKNOWN || (score > -43 && score < 43));
		scores[c4_place(&early->places, &list[i])] = (int8_t)score;
	}
	c4_early_pack(early->plies, scores, file);
	fuzz_require(c4_early_read(&again, file, size, NULL) == QV_OK);
	for (int i = 0; i < POSITIONS; i++)
		fuzz_require(c4_early_score(&again, &list[i]) == c4_early_score(early, &list[i]));
	free(scores);
	free(file);
}

static void read_whole(const uint8_t *bytes, size_t size)
{
	struct c4_early early;
	struct qv_error error = { "" };
	if (c4_early_read(&early, bytes, size, &error) == QV_OK) {
		pack_again(&early);
		return;
	}
	fuzz_require_reason(&error);
	fuzz_require(early.codes == NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size || size > LARGEST)
		return 0;
	uint8_t *copy = malloc(size);
	fuzz_require(copy != NULL);
	memcpy(copy, data, size);
	read_whole(copy, size);
	if (size >= SCORES) {
		const uint64_t sum = qv_hash_bytes(copy + SCORES, size - SCORES);
		for (int i = 0; i < 8; i++)
			copy[SUM + i] = (uint8_t)(sum >> 8 * i);
		if (copy[PLIES] > MOST_PLIES && copy[PLIES] <= C4_EARLY_MOST)
			copy[PLIES] = MOST_PLIES;        /* larger ones take long, and say no more */
		read_whole(copy, size);
	}
	free(copy);
	return 0;
}
