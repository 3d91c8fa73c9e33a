/*
 * strategy.c - 3D noughts and crosses: the file of the winning strategy.
 * SPDX-License-Identifier: MIT
 *
 *    0   "QVN3WIN1"
 *    8   checksum of the rest
 *    16  the records, in ascending order of crosses, then noughts
 *
 * A record is two words: the crosses and the noughts, each with the square of the move added. The
 * move is thus the square that both have. Words have 8 bytes, the lowest first. The embedded file
 * is searched in place.
 */
#include "games/noughts3d/strategy.h"

#include <stdlib.h>

#include "base/embed.h"
#include "base/memory.h"

static const char magic[8] = "QVN3WIN1";

enum { AT_SUM = 8, AT_RECORDS = 16, WORD = 8, RECORD = 2 * WORD };

static uint64_t get_word(const unsigned char *from)
{
	uint64_t word = 0;
	for (int i = WORD - 1; i >= 0; i--)
		word = word << 8 | from[i];
	return word;
}

static void put_word(unsigned char *to, uint64_t word)
{
	for (int i = 0; i < WORD; i++)
		to[i] = (unsigned char)(word >> 8 * i);
}

static int compare(const struct n3 *a, const struct n3 *b)
{
	if (a->mine != b->mine)
		return a->mine < b->mine ? -1 : 1;
	return a->theirs < b->theirs ? -1 : a->theirs > b->theirs;
}

uint64_t n3_strategy_find(const struct n3_strategy *t, const struct n3 *s)
{
	size_t low = 0, high = t->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const unsigned char *record = t->records + middle * RECORD;
		const uint64_t crosses = get_word(record), noughts = get_word(record + WORD);
		const struct n3 position = { crosses & ~noughts, noughts & ~crosses };
		const int order = compare(s, &position);
		if (order == 0)
			return bits_rest(crosses & noughts) ? 0 : crosses & noughts;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return 0;
}

enum qv_status n3_strategy_read(struct n3_strategy *t, const unsigned char *file, size_t size,
				struct qv_error *error)
{
	*t = (struct n3_strategy){ NULL, 0 };
	if (size < AT_RECORDS || memcmp(file, magic, sizeof magic) != 0)
		return qv_fail(error, QV_BAD_INPUT, "strategy: not a strategy of noughts3d");
	if ((size - AT_RECORDS) % RECORD != 0 ||
	    get_word(file + AT_SUM) != qv_hash_bytes(file + AT_RECORDS, size - AT_RECORDS))
		return qv_fail(error, QV_BAD_INPUT, "strategy: the file is damaged");
	*t = (struct n3_strategy){ file + AT_RECORDS, (size - AT_RECORDS) / RECORD };
	return QV_OK;
}

size_t n3_strategy_size(size_t count)
{
	return AT_RECORDS + count * RECORD;
}

static int compare_records(const void *a, const void *b)
{
	const struct n3_strategy_record *one = a, *other = b;
	return compare(&one->position, &other->position);
}

void n3_strategy_pack(struct n3_strategy_record *records, size_t count, unsigned char *file)
{
	qsort(records, count, sizeof *records, compare_records);
	memcpy(file, magic, sizeof magic);
	for (size_t i = 0; i < count; i++) {
		unsigned char *to = file + n3_strategy_size(i);
		put_word(to, records[i].position.mine | records[i].move);
		put_word(to + WORD, records[i].position.theirs | records[i].move);
	}
	put_word(file + AT_SUM, qv_hash_bytes(file + AT_RECORDS, count * RECORD));
}

/* ---- The shipped file ---- */

EMBEDDED(unsigned char noughts3d_strategy[]);
EMBEDDED(uint64_t noughts3d_strategy_size);

enum qv_status n3_strategy_shipped(struct n3_strategy *t, struct qv_error *error)
{
	return n3_strategy_read(t, noughts3d_strategy, noughts3d_strategy_size, error);
}
