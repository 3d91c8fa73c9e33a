/*
 * early.c - connect-four: numbers the positions with a given number of discs, and stores their
 * scores in files.
 * SPDX-License-Identifier: MIT
 *
 * A position with few discs is a shape (how many discs each column holds) and a colouring of it.
 * Both are counted off combinatorially, so the number of a position is computed without any table
 * of positions. A file:
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
#include "games/connect4/early.h"

#include "base/embed.h"
#include "games/connect4/score_search.h"

static const char magic[8] = "QVC4EAR2";

enum { AT_PLIES = 8, AT_SUM = 9, AT_CODES = 17 };

/* ---- Places ---- */

/* The ways to put discs on the columns from `column` on. */
static uint32_t heaps(const struct c4_places *p, int column, int discs)
{
	return column == C4_WIDTH ? discs == 0 : p->below[column][discs][C4_HEIGHT + 1];
}

/* The number of the mirror image of a shape. */
static uint32_t image_of(const struct c4_places *p, uint32_t shape)
{
	int heights[C4_WIDTH], left = p->plies;
	uint32_t image = 0;
	for (int c = 0; c < C4_WIDTH; c++) {
		int h = 0;
		while (h < left && h < C4_HEIGHT && p->below[c][left][h + 1] <= shape)
			h++;
		shape -= p->below[c][left][h];
		left -= h;
		heights[C4_WIDTH - 1 - c] = h;
	}
	left = p->plies;
	for (int c = 0; c < C4_WIDTH; c++) {
		image += p->below[c][left][heights[c]];
		left -= heights[c];
	}
	return image;
}

void c4_places_init(struct c4_places *p, int plies)
{
	*p = (struct c4_places){ .plies = plies };
	for (int c = C4_WIDTH - 1; c >= 0; c--)
		for (int n = 0; n <= plies; n++)
			for (int h = 0; h <= C4_HEIGHT; h++)
				p->below[c][n][h + 1] =
					p->below[c][n][h] + (h <= n ? heaps(p, c + 1, n - h) : 0);
	for (int n = 0; n <= plies; n++)
		for (int k = 0; k <= n; k++)
			p->choose[n][k] = k == 0 || k == n ? 1 : p->choose[n - 1][k - 1] + p->choose[n - 1][k];
	p->shapes = heaps(p, 0, plies);
	p->colours = p->choose[plies][(plies + 1) / 2];
	uint32_t numbered = 0;
	for (uint32_t shape = 0; shape < p->shapes; shape++)
		if (shape <= image_of(p, shape))
			p->number[shape] = (uint16_t)numbered++;
	p->count = numbered * p->colours;
}

/* The number of a position as it stands, not mirrored. */
struct own_place {
	uint32_t shape, colour;
};

/* Colours are numbered as rank.h numbers sets, with discs counted column by column upwards. */
static struct own_place own_place(const struct c4_places *p, uint64_t first, uint64_t all)
{
	struct own_place own = { 0, 0 };
	int left = p->plies, seen = 0, firsts = 0;
	for (int c = 0; c < C4_WIDTH; c++) {
		const int height = bits_count(all & C4_COLUMN(c));
		own.shape += p->below[c][left][height];
		left -= height;
		for (uint64_t discs = first >> c * C4_STRIDE, i = 0; i < (uint64_t)height; i++, seen++)
			if (discs >> i & 1)
				own.colour += ++firsts <= seen ? p->choose[seen][firsts] : 0;
	}
	return own;
}

uint32_t c4_place(const struct c4_places *p, const struct c4 *at)
{
	const uint64_t first = p->plies % 2 == 0 ? at->mover : at->mover ^ at->all;
	const struct own_place own = own_place(p, first, at->all);
	const struct own_place image = own_place(p, c4_mirror(first), c4_mirror(at->all));
	const bool smaller =
		own.shape < image.shape || (own.shape == image.shape && own.colour < image.colour);
	const struct own_place *place = smaller ? &own : &image;
	return p->number[place->shape] * p->colours + place->colour;
}

/* ---- What needs no table ---- */

bool c4_seen_at_once(const struct c4 *at, int discs, int *score)
{
	const uint64_t playable = c4_playable(at);
	if (c4_threats(at->mover, at->all) & playable) {
		*score = c4_score_win(discs + 1);
		return true;
	}
	const uint64_t threats = c4_threats(at->mover ^ at->all, at->all), forced = threats & playable;
	*score = -c4_score_win(discs + 2);
	return forced & (forced - 1) || !((forced ? forced : playable) & ~(threats >> 1));
}

/* ---- Codes ---- */

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

int c4_early_score(const struct c4_early *e, const struct c4 *at)
{
	int score;
	if (c4_seen_at_once(at, e->plies, &score))
		return score;
	const size_t bit = (size_t)c4_place(&e->places, at) * (size_t)e->bits;
	const unsigned char *from = e->codes + bit / 8;
	const unsigned two = from[0] | (unsigned)from[1] << 8;
	const unsigned code = two >> bit % 8 & ((1U << e->bits) - 1);
	const int half = (int)code / 2 - 1, odd = e->plies % 2;
	if (code == 0 || code >= codes_of(e->plies))
		return C4_EARLY_UNKNOWN;
	return code == 1 ? 0 : code % 2 == 0 ? 2 * half + 2 - odd : -(2 * half + 1 + odd);
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

/* ---- Files ---- */

static size_t file_size(const struct c4_places *p)
{
	return AT_CODES + (size_t)p->count * (size_t)bits_of(p->plies) / 8 + 2;
}

enum qv_status c4_early_read(struct c4_early *e, const unsigned char *file, size_t size,
			     struct qv_error *error)
{
	uint64_t sum = 0;
	e->codes = NULL;
	if (size < AT_CODES || memcmp(file, magic, sizeof magic) != 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: not a table of early positions");
	if (file[AT_PLIES] < 1 || file[AT_PLIES] > C4_EARLY_MOST)
		return qv_fail(error, QV_BAD_INPUT,
			       "early positions: expected 1 to %d plies, not %d", C4_EARLY_MOST,
			       file[AT_PLIES]);
	for (int i = 7; i >= 0; i--)
		sum = sum << 8 | file[AT_SUM + i];
	if (sum != qv_hash_bytes(file + AT_CODES, size - AT_CODES))
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
	const size_t length = file_size(&places), bits = (size_t)bits_of(plies);
	memset(file, 0, length);
	memcpy(file, magic, sizeof magic);
	file[AT_PLIES] = (unsigned char)plies;
	for (size_t i = 0; i < places.count; i++) {
		const int score = scores[i], size = score > 0 ? score : -score;
		unsigned code = score == 0 ? 1 : 2 + 2 * ((unsigned)(size - 1) / 2) + (score < 0);
		if (score == C4_EARLY_UNKNOWN || code >= codes_of(plies))
			code = 0;
		code <<= i * bits % 8;
		file[AT_CODES + i * bits / 8] |= (unsigned char)code;
		file[AT_CODES + i * bits / 8 + 1] |= (unsigned char)(code >> 8);
	}
	const uint64_t sum = qv_hash_bytes(file + AT_CODES, length - AT_CODES);
	for (int i = 0; i < 8; i++)
		file[AT_SUM + i] = (unsigned char)(sum >> 8 * i);
}

/* ---- The shipped files ---- */

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
