/*
 * early_file.c - connect-four: the file format of the early positions' scores, and the shipped
 * files.
 * SPDX-License-Identifier: MIT
 *
 *    0   "QVC4EAR2"
 *    8   plies, one byte
 *    9   checksum of the rest, 8 bytes, lowest byte first
 *    17  one code per index, in order, all of the same number of bits, lowest first; a spare byte
 *
 * A code is 0 if the score is unknown and 1 for a draw. Otherwise it is 2, plus twice the distance
 * of the end from the last possible end, plus 1 if the side to move loses. The first player's wins
 * end with an odd number of discs, the second player's with an even number, so only every other end
 * is counted: with 10 discs there are 32 codes, of 5 bits. A code is found without reading the
 * others, and the embedded table is used in place.
 */
#include "games/connect4/early_file.h"

#include "base/embed.h"
#include "games/connect4/score_search.h"

static const char magic[8] = "QVC4EAR2";

enum { AT_PLIES = 8, AT_SUM = 9, AT_CODES = 17 };

/* ---- codes ---- */

/* The number of codes. Wins with the next disc and losses with the one after it need no code. */
static unsigned codes_of(int plies)
{
	return 2 * (unsigned)((C4_SQUARES + 1 - plies) / 2);
}

static int bits_of(int plies)
{
	int bits = 0;
	while (1U << bits < codes_of(plies))
		bits++;
	return bits;
}

static unsigned code_of(int score, int plies)
{
	const unsigned size = (unsigned)(score > 0 ? score : -score);
	const unsigned code = score == 0 ? 1 : 2 + 2 * ((size - 1) / 2) + (score < 0);
	return score == C4_EARLY_UNKNOWN || code >= codes_of(plies) ? 0 : code;
}

static int score_of(unsigned code, int plies)
{
	const int half = (int)code / 2 - 1;
	if (code == 0 || code >= codes_of(plies))
		return C4_EARLY_UNKNOWN;
	if (code == 1)
		return 0;
	return code % 2 == 0 ? 2 * half + 2 - plies % 2 : -(2 * half + 1 + plies % 2);
}

int c4_early_score(const struct c4_early *e, const struct c4 *at)
{
	int score;
	if (c4_seen_at_once(at, e->plies, &score))
		return score;
	const size_t bit = (size_t)c4_place(&e->places, at) * (size_t)e->bits;
	const unsigned char *from = e->codes + bit / 8;
	const unsigned two = from[0] | (unsigned)from[1] << 8;
	return score_of(two >> bit % 8 & ((1U << e->bits) - 1), e->plies);
}

int c4_early_at_least(const struct c4_early *e, const struct c4 *at)
{
	const uint64_t top = at->all & ~(at->all >> 1);
	int least = C4_EARLY_UNKNOWN;
	for (uint64_t last = top & (at->mover ^ at->all); last; last = bits_rest(last)) {
		const uint64_t disc = last & (0 - last);
		const struct c4 before = { (at->mover ^ at->all) & ~disc, at->all & ~disc };
		const int score = c4_early_score(e, &before);
		if (score != C4_EARLY_UNKNOWN && -score > least)
			least = -score;
	}
	return least;
}

/* ---- files ---- */

static uint64_t number_at(const unsigned char *at)
{
	uint64_t number = 0;
	for (int i = 7; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

static size_t file_size(const struct c4_places *p)
{
	return AT_CODES + (size_t)p->count * (size_t)bits_of(p->plies) / 8 + 2;
}

enum qv_status c4_early_read(struct c4_early *e, const unsigned char *file, size_t size,
			     struct qv_error *error)
{
	e->codes = NULL;
	if (size < AT_CODES || memcmp(file, magic, sizeof magic) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: not a table of early positions");
	if (file[AT_PLIES] < 1 || file[AT_PLIES] > C4_EARLY_MOST)
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: expected 1 to %d plies, not %d", C4_EARLY_MOST,
			       file[AT_PLIES]);
	if (number_at(file + AT_SUM) != qv_hash_bytes(file + AT_CODES, size - AT_CODES))
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: the file is damaged: wrong checksum");
	e->plies = file[AT_PLIES];
	e->bits = bits_of(e->plies);
	c4_places_init(&e->places, e->plies);
	if (size != file_size(&e->places))
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: the file is damaged: wrong length");
	e->codes = file + AT_CODES;
	return QV_OK;
}

size_t c4_early_size(int plies)
{
	struct c4_places places;
	c4_places_init(&places, plies);
	return file_size(&places);
}

void c4_early_pack(int plies, const int8_t *scores, unsigned char *file)
{
	struct c4_places places;
	c4_places_init(&places, plies);
	const size_t size = file_size(&places), bits = (size_t)bits_of(plies);
	memset(file, 0, size);
	memcpy(file, magic, sizeof magic);
	file[AT_PLIES] = (unsigned char)plies;
	for (size_t i = 0; i < places.count; i++) {
		const unsigned code = code_of(scores[i], plies) << i * bits % 8;
		file[AT_CODES + i * bits / 8] |= (unsigned char)code;
		file[AT_CODES + i * bits / 8 + 1] |= (unsigned char)(code >> 8);
	}
	const uint64_t sum = qv_hash_bytes(file + AT_CODES, size - AT_CODES);
	for (int i = 0; i < 8; i++)
		file[AT_SUM + i] = (unsigned char)(sum >> 8 * i);
}

/* ---- the shipped files ---- */

EMBEDDED(unsigned char connect4_early8[]);
EMBEDDED(uint64_t connect4_early8_size);
EMBEDDED(unsigned char connect4_early10[]);
EMBEDDED(uint64_t connect4_early10_size);

const int c4_early_plies[C4_EARLY_TABLES] = { 8, 10 };

enum qv_status c4_early_shipped(struct c4_early *e, int table, struct qv_error *error)
{
	return table ? c4_early_read(e, connect4_early10, connect4_early10_size, error)
		     : c4_early_read(e, connect4_early8, connect4_early8_size, error);
}
