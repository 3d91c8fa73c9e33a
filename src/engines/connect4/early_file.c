/*
 * early_file.c - connect-four: the file of the early positions' scores, and the one that is shipped.
 * SPDX-License-Identifier: MIT
 *
 *    0   "QVC4EARL"
 *    8   plies, a byte
 *    9   the checksum of the rest, 8 bytes, the lowest first
 *    17  the scores, in the order of the places, without those that are seen at once
 *
 * A score is coded in yes and no: known, won, drawn or lost, then how soon. How likely each answer
 * is, is learned on the way from those before it in the same situation: who has threats, and how
 * many fours are still open to either side. An arithmetic coder needs for an answer what it is
 * worth, a fraction of a bit.
 */
#include "engines/connect4/early_file.h"

#include "engines/connect4/ask.h"
#include "engines/connect4/followup.h"

#ifndef C4_EARLY_FOLDER
#error "the build names the folder of the early positions"
#endif

static const char magic[8] = "QVC4EARL";

enum { AT_PLIES = 8, AT_SUM = 9, AT_SCORES = 17 };

/* ---- how likely an answer is ---- */

enum {
	CHANCE_BITS = 15,
	CHANCE_SHIFT = 5,
	SOON_BITS = 5,             /* of half a score */
	CHANCES = 2 + 2 * (1 << SOON_BITS),
	OPEN_KINDS = 32,
	THREAT_KINDS = 9,
	CONTEXTS = OPEN_KINDS * THREAT_KINDS,
};

/* The chance of a yes, in each situation, for each question. */
struct chances {
	uint16_t known[2];         /* after one that is not, or is */
	uint16_t of[CONTEXTS][CHANCES];
};

static void chances_init(struct chances *c)
{
	c->known[0] = c->known[1] = 1 << (CHANCE_BITS - 1);
	for (int i = 0; i < CONTEXTS; i++)
		for (int j = 0; j < CHANCES; j++)
			c->of[i][j] = 1 << (CHANCE_BITS - 1);
}

static inline void chance_learn(uint16_t *chance, bool yes)
{
	if (yes)
		*chance = (uint16_t)(*chance + (((1 << CHANCE_BITS) - *chance) >> CHANCE_SHIFT));
	else
		*chance = (uint16_t)(*chance - (*chance >> CHANCE_SHIFT));
}

/* ---- the coder: numbers between 0 and 2^32, a part for yes and a part for no ---- */

struct coder {
	uint32_t low, high;        /* what is left: both are in it */
	uint32_t code;             /* of the reader: the number that was written */
	unsigned char *to;         /* of the writer */
	const unsigned char *from, *end;
	bool missing;              /* a byte was asked for after the end */
};

static inline uint32_t coder_middle(const struct coder *c, uint16_t chance)
{
	return c->low + (uint32_t)((uint64_t)(c->high - c->low) * chance >> CHANCE_BITS);
}

static inline void coder_narrow(struct coder *c, uint32_t middle, uint16_t *chance, bool yes)
{
	if (yes)
		c->high = middle;
	else
		c->low = middle + 1;
	chance_learn(chance, yes);
}

static void coder_write(struct coder *c, uint16_t *chance, bool yes)
{
	coder_narrow(c, coder_middle(c, *chance), chance, yes);
	for (; (c->low ^ c->high) >> 24 == 0; c->low <<= 8, c->high = c->high << 8 | 255)
		*c->to++ = (unsigned char)(c->high >> 24);
}

static inline uint32_t coder_byte(struct coder *c)
{
	if (c->from < c->end)
		return *c->from++;
	c->missing = true;
	return 0;
}

static inline bool coder_read(struct coder *c, uint16_t *chance)
{
	const uint32_t middle = coder_middle(c, *chance);
	const bool yes = c->code <= middle;
	coder_narrow(c, middle, chance, yes);
	for (; (c->low ^ c->high) >> 24 == 0; c->low <<= 8, c->high = c->high << 8 | 255)
		c->code = c->code << 8 | coder_byte(c);
	return yes;
}

/* ---- scores ---- */

/* One pass over the places, reading or writing. */
struct pass {
	struct c4_early *early;
	struct chances *chances;
	struct coder coder;
	bool known;                /* the one before */
};

static inline int within(int n, int least, int most)
{
	return n < least ? least : n > most ? most : n;
}

/* How many fours can still be made with these squares. */
static int open_fours(uint64_t squares)
{
	static const int steps[] = { 1, C4_STRIDE - 1, C4_STRIDE, C4_STRIDE + 1 };
	int count = 0;
	for (int i = 0; i < 4; i++)
		count += bits_count(squares & squares >> steps[i] & squares >> 2 * steps[i] &
				    squares >> 3 * steps[i]);
	return count;
}

static uint16_t *situation(const struct pass *p, const struct c4 *at)
{
	const uint64_t mine = at->mover, theirs = mine ^ at->all, open = C4_BOARD ^ at->all;
	const int more = open_fours(mine | open) - open_fours(theirs | open);
	const int threats = 3 * within(bits_count(c4_threats(mine, at->all)), 0, 2) +
			    within(bits_count(c4_threats(theirs, at->all)), 0, 2);
	const int kind = within(more / 2 + OPEN_KINDS / 2, 0, OPEN_KINDS - 1);
	return p->chances->of[kind * THREAT_KINDS + threats];
}

/* The first player's wins end with an odd number of discs, the other's with an even one. */
static int score_of(int half, bool won, int plies)
{
	return won ? 2 * half + 2 - plies % 2 : -(2 * half + 1 + plies % 2);
}

static int read_score(struct coder *c, uint16_t *chances, int plies)
{
	const bool won = coder_read(c, &chances[0]);
	if (!won && !coder_read(c, &chances[1]))
		return 0;
	unsigned node = 1;
	chances += 2 + (won ? 0 : 1 << SOON_BITS);
	while (node < 1 << SOON_BITS)
		node = 2 * node + coder_read(c, &chances[node]);
	return score_of((int)node - (1 << SOON_BITS), won, plies);
}

static void write_score(struct coder *c, uint16_t *chances, int score)
{
	coder_write(c, &chances[0], score > 0);
	if (score <= 0)
		coder_write(c, &chances[1], score < 0);
	if (score == 0)
		return;
	const int half = ((score > 0 ? score : -score) - 1) / 2;
	unsigned node = 1;
	chances += 2 + (score > 0 ? 0 : 1 << SOON_BITS);
	for (int bit = SOON_BITS - 1; bit >= 0; bit--) {
		const bool yes = half >> bit & 1;
		coder_write(c, &chances[node], yes);
		node = 2 * node + yes;
	}
}

static bool is_likely(uint16_t chance)
{
	return chance > 1 << (CHANCE_BITS - 1);
}

/* What costs little, where the score does not matter: the likelier answer to every question. */
static int likely_score(const uint16_t *chances, int plies)
{
	const bool won = is_likely(chances[0]);
	if (!won && !is_likely(chances[1]))
		return 0;
	unsigned node = 1;
	chances += 2 + (won ? 0 : 1 << SOON_BITS);
	while (node < 1 << SOON_BITS)
		node = 2 * node + is_likely(chances[node]);
	return score_of((int)node - (1 << SOON_BITS), won, plies);
}

static bool read_place(void *ctx, uint32_t place, const struct c4 *at)
{
	struct pass *p = ctx;
	const int plies = p->early->plies;
	int score;
	if (c4_seen_at_once(at, plies, &score))
		return true;
	p->known = coder_read(&p->coder, &p->chances->known[p->known]);
	if (p->known)
		p->early->scores[place] = (int8_t)read_score(&p->coder, situation(p, at), plies);
	return !p->coder.missing;
}

static bool write_place(void *ctx, uint32_t place, const struct c4 *at)
{
	struct pass *p = ctx;
	const int plies = p->early->plies;
	int score = p->early->scores[place];
	int at_once;
	if (c4_seen_at_once(at, plies, &at_once))
		return true;
	uint16_t *known = &p->chances->known[p->known], *chances = situation(p, at);
	p->known = score == C4_EARLY_ANY ? is_likely(*known) : score != C4_EARLY_UNKNOWN;
	coder_write(&p->coder, known, p->known);
	if (p->known)
		write_score(&p->coder, chances,
			    score == C4_EARLY_ANY ? likely_score(chances, plies) : score);
	return true;
}

/* ---- files ---- */

static uint64_t number_at(const unsigned char *at)
{
	uint64_t number = 0;
	for (int i = 7; i >= 0; i--)
		number = number << 8 | at[i];
	return number;
}

static size_t places_of(const struct c4_places *p)
{
	return (size_t)p->shapes * p->colours;
}

void c4_early_release(struct c4_early *e, const struct qv_allocator *allocator)
{
	mem_free(allocator, e->scores, places_of(&e->places));
	*e = (struct c4_early){ 0 };
}

static enum qv_status read_scores(struct c4_early *e, const struct qv_allocator *allocator,
				  const unsigned char *from, const unsigned char *end)
{
	struct pass p = { .early = e, .coder = { .high = UINT32_MAX, .from = from, .end = end } };
	p.chances = mem_new(allocator, 1, sizeof *p.chances);
	e->scores = mem_new(allocator, places_of(&e->places), sizeof *e->scores);
	if (!p.chances || !e->scores) {
		mem_free(allocator, p.chances, sizeof *p.chances);
		return QV_NO_MEMORY;
	}
	chances_init(p.chances);
	memset(e->scores, C4_EARLY_UNKNOWN, places_of(&e->places));
	for (int i = 0; i < 4; i++)
		p.coder.code = p.coder.code << 8 | coder_byte(&p.coder);
	const bool whole = c4_places_walk(&e->places, read_place, &p) && !p.coder.missing &&
			   p.coder.from == end;
	mem_free(allocator, p.chances, sizeof *p.chances);
	return whole ? QV_OK : QV_BAD_INPUT;
}

enum qv_status c4_early_read(struct c4_early *e, const struct qv_allocator *allocator,
			     const unsigned char *file, size_t size, struct qv_error *error)
{
	*e = (struct c4_early){ 0 };
	if (size < AT_SCORES || memcmp(file, magic, sizeof magic) != 0)
		return qv_fail(error, QV_BAD_INPUT, "early positions: not such a table");
	if (file[AT_PLIES] < 1 || file[AT_PLIES] > C4_EARLY_MOST)
		return qv_fail(error, QV_BAD_INPUT, "early positions: of 1 to %d plies, not %d",
			       C4_EARLY_MOST, file[AT_PLIES]);
	if (number_at(file + AT_SUM) != qv_hash_bytes(file + AT_SCORES, size - AT_SCORES))
		return qv_fail(error, QV_BAD_INPUT, "early positions: damaged, the checksum differs");
	e->plies = file[AT_PLIES];
	c4_places_init(&e->places, e->plies);
	const enum qv_status status = read_scores(e, allocator, file + AT_SCORES, file + size);
	if (status == QV_OK)
		return QV_OK;
	c4_early_release(e, allocator);
	return qv_fail(error, status,
		       status == QV_NO_MEMORY ? "early positions: out of memory" :
						"early positions: damaged, of the wrong length");
}

size_t c4_early_room(int plies)
{
	struct c4_places places;
	c4_places_init(&places, plies);
	return AT_SCORES + 8 + 2 * places_of(&places);
}

enum qv_status c4_early_pack(int plies, int8_t *scores, const struct qv_allocator *allocator,
			     unsigned char *file, size_t *size, struct qv_error *error)
{
	struct c4_early early = { .plies = plies, .scores = scores };
	struct pass p = { .early = &early, .coder = { .high = UINT32_MAX, .to = file + AT_SCORES } };
	p.chances = mem_new(allocator, 1, sizeof *p.chances);
	if (!p.chances)
		return qv_fail(error, QV_NO_MEMORY, "early positions: out of memory");
	chances_init(p.chances);
	c4_places_init(&early.places, plies);
	c4_places_walk(&early.places, write_place, &p);
	for (int i = 24; i >= 0; i -= 8)
		*p.coder.to++ = (unsigned char)(p.coder.low >> i);
	mem_free(allocator, p.chances, sizeof *p.chances);
	*size = (size_t)(p.coder.to - file);
	memcpy(file, magic, sizeof magic);
	file[AT_PLIES] = (unsigned char)plies;
	const uint64_t sum = qv_hash_bytes(file + AT_SCORES, *size - AT_SCORES);
	for (int i = 0; i < 8; i++)
		file[AT_SUM + i] = (unsigned char)(sum >> 8 * i);
	return QV_OK;
}

/* ---- the one that is shipped ---- */

/* The assembler copies the files, as it does in the server's page.c. */
#define TAKE_IN(name, path) \
	__asm__(".pushsection .rodata\n" \
		".hidden " #name "_begin\n" \
		".global " #name "_begin\n" \
		#name "_begin:\n" \
		".incbin \"" path "\"\n" \
		".hidden " #name "_end\n" \
		".global " #name "_end\n" \
		#name "_end:\n" \
		".byte 0\n" \
		".popsection\n"); \
	extern const unsigned char name##_begin[] __attribute__((visibility("hidden"))); \
	extern const unsigned char name##_end[] __attribute__((visibility("hidden")))

TAKE_IN(c4_early8, C4_EARLY_FOLDER "/early8.bin");
TAKE_IN(c4_early10, C4_EARLY_FOLDER "/early10.bin");

const int c4_early_plies[C4_EARLY_TABLES] = { 8, 10 };

enum qv_status c4_early_shipped(struct c4_early *e, int table, const struct qv_allocator *allocator,
				struct qv_error *error)
{
	const unsigned char *const begin = table ? c4_early10_begin : c4_early8_begin;
	const unsigned char *const end = table ? c4_early10_end : c4_early8_end;
	return c4_early_read(e, allocator, begin, (size_t)(end - begin), error);
}
