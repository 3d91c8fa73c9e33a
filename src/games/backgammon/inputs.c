/*
 * inputs.c - the inputs of backgammon's nets.
 * SPDX-License-Identifier: MIT
 *
 * Men of both seats by place, and features of each seat that are hard to learn from them: shots,
 * how well men escape and are held, primes, anchors, the race and its gammons. Features are scaled
 * to about 0 to 1. Sets of places are bits: place p of the seat in question is bit p, and a man
 * that moves by a die shifts the set to the right.
 */
#include "base/bits.h"
#include "games/backgammon/net.h"

/*
 * The 36 rolls as bits. near_rolls: the rolls that two steps of one man can play, as far as the six
 * points before it matter; the nearest one is the highest bit of the index, and set if it is
 * blocked. far_rolls: the same for the six points behind those.
 */
static const uint64_t near_rolls[64] = {
	0xfffffffff, 0x7fef7bdef, 0xfeffbdef7, 0x3cef39ce7, 0xfffdfef7b, 0x5fe57ad6b, 0xfe79bce73,
	0x1c6138c63, 0xfffffbfbd, 0x6fef5bdad, 0xfebfa9eb5, 0x2caf09ca5, 0xfffcf2f39, 0x4fe452d29,
	0xfe38a0e31, 0x0c2000c21, 0xfffffff7e, 0x77ef7b56e, 0xfedfbda76, 0x34cf39066, 0xfffd7ed7a,
	0x57e57a56a, 0xfe593c872, 0x144138062, 0xfffff9e3c, 0x67ef5942c, 0xfe9fa9a34, 0x248f09024,
	0xfffc70c38, 0x47e450428, 0xfe1820830, 0x040000020, 0xffffffffe, 0x7bef7bdce, 0xfeefbdee6,
	0x38ef39cc6, 0xfffdbef72, 0x5be53ad42, 0xfe69bce62, 0x186138c42, 0xfffffafb8, 0x6bef5ad88,
	0xfeafa8ea0, 0x28af08c80, 0xfffcb2f30, 0x4be412d00, 0xfe28a0e20, 0x082000c00, 0xfffffff3c,
	0x73ef7b50c, 0xfecfbda24, 0x30cf39004, 0xfffd3ed30, 0x53e53a500, 0xfe493c820, 0x104138000,
	0xfffff8e38, 0x63ef58408, 0xfe8fa8a20, 0x208f08000, 0xfffc30c30, 0x43e410400, 0xfe0820820,
	0x000000000,
};

static const uint64_t far_rolls[64] = {
	0xfffffffff, 0x7ffffffff, 0xbdfffffff, 0x3dfffffff, 0xdef7fffff, 0x5ef7fffff, 0x9cf7fffff,
	0x1cf7fffff, 0xef7bdffff, 0x6f7bdffff, 0xad7bdffff, 0x2d7bdffff, 0xce73dffff, 0x4e73dffff,
	0x8c73dffff, 0x0c73dffff, 0xf7bdef7ff, 0x77bdef7ff, 0xb5bdef7ff, 0x35bdef7ff, 0xd6b5ef7ff,
	0x56b5ef7ff, 0x94b5ef7ff, 0x14b5ef7ff, 0xe739cf7ff, 0x6739cf7ff, 0xa539cf7ff, 0x2539cf7ff,
	0xc631cf7ff, 0x4631cf7ff, 0x8431cf7ff, 0x0431cf7ff, 0xfbdef7bdf, 0x7bdef7bdf, 0xb9def7bdf,
	0x39def7bdf, 0xdad6f7bdf, 0x5ad6f7bdf, 0x98d6f7bdf, 0x18d6f7bdf, 0xeb5ad7bdf, 0x6b5ad7bdf,
	0xa95ad7bdf, 0x295ad7bdf, 0xca52d7bdf, 0x4a52d7bdf, 0x8852d7bdf, 0x0852d7bdf, 0xf39ce73df,
	0x739ce73df, 0xb19ce73df, 0x319ce73df, 0xd294e73df, 0x5294e73df, 0x9094e73df, 0x1094e73df,
	0xe318c73df, 0x6318c73df, 0xa118c73df, 0x2118c73df, 0xc210c73df, 0x4210c73df, 0x8010c73df,
	0x0010c73df,
};

int backgammon_escapes(uint32_t blocked, int place)
{
	const uint32_t window = place >= 12 ? blocked >> (place - 12) : blocked << (12 - place);
	return bits_count(near_rolls[window >> 6 & 63] & far_rolls[window & 63]);
}

/* What a seat's men are, as sets of its own places. */
struct view {
	const uint8_t *mine, *theirs;
	uint32_t have, held, high; /* places with a man, with at least two, with at least four */
	uint32_t blots;		   /* of the other seat */
	uint32_t blocked;	   /* points that the other seat holds */
	int rear;		   /* the last place of its men */
	int gate;		   /* the point of the other seat's last man */
	int pips;
};

/* The value for a hit: rolls, pips lost, rolls with two hits. */
struct shots {
	int rolls, pips, two;
};

static inline void add_shots(struct shots *s, uint32_t hit, int weight)
{
	s->rolls += hit ? weight : 0;
	s->pips += weight * (31 - __builtin_clz(hit | 1));
	s->two += hit & (hit - 1) ? weight : 0;
}

/*
 * The blots that a seat with men on the bar can hit with a roll. A man that enters may hit, and the
 * man or another may then move on to hit.
 */
static uint32_t entering_hits(const struct view *v, int one, int two)
{
	const uint32_t open = ~v->blocked, bar = UINT32_C(1) << BACKGAMMON_BAR;
	const int entering = v->mine[BACKGAMMON_BAR];
	const uint32_t by_one = bar >> one & open, by_two = bar >> two & open;
	uint32_t men = v->have & ~bar, hit = (by_one | by_two) & v->blots;
	if (one == two) {
		men = by_one ? men | by_one : 0;
		for (int steps = BACKGAMMON_STEPS - entering; steps > 0 && men; steps--) {
			men = men >> one & open;
			hit |= men & v->blots;
		}
	} else if (entering == 1) {
		if (by_one)
			hit |= (men | by_one) >> two & v->blots;
		if (by_two)
			hit |= (men | by_two) >> one & v->blots;
	}
	return hit;
}

static struct shots find_shots(const struct view *v)
{
	const uint32_t open = ~v->blocked, blots = v->blots;
	struct shots s = { 0, 0, 0 };
	/* Only blots before the last man. */
	if (!(blots & ((UINT32_C(1) << v->rear) - 1)))
		return s;
	if (v->mine[BACKGAMMON_BAR]) {
		for (int one = 1; one <= BACKGAMMON_FACES; one++)
			for (int two = 1; two <= one; two++)
				add_shots(&s, entering_hits(v, one, two), one == two ? 1 : 2);
		return s;
	}
	for (int one = 1; one <= BACKGAMMON_FACES; one++) {
		const uint32_t first = v->have >> one, landed = first & open;
		for (int two = 1; two < one; two++) {
			const uint32_t second = v->have >> two;
			add_shots(&s,
				  (first | second | landed >> two | (second & open) >> one) & blots,
				  2);
		}
		const uint32_t again = landed >> one & open, third = again >> one & open;
		add_shots(&s, (landed | again | third | third >> one) & blots, 1);
	}
	return s;
}

/* The longest row of held points from 1 to 24. */
static int longest_prime(uint32_t held)
{
	int n = 0;
	for (held &= (UINT32_C(1) << BACKGAMMON_BAR) - 2; held; held &= held >> 1)
		n++;
	return n;
}

/* A set of places as the other seat counts them: place p becomes 25 - p. */
static uint32_t mirrored(uint32_t set)
{
	set = (set >> 1 & 0x55555555) | (set & 0x55555555) << 1;
	set = (set >> 2 & 0x33333333) | (set & 0x33333333) << 2;
	set = (set >> 4 & 0x0f0f0f0f) | (set & 0x0f0f0f0f) << 4;
	return __builtin_bswap32(set) >> (31 - BACKGAMMON_BAR);
}

/* Adds the units of a seat's men and collects what its features need. */
static void add_units(struct backgammon_inputs *in, int first, const uint8_t *men, struct view *v)
{
	uint32_t have = 0, held = 0, high = 0;
	int pips = 0;
	for (int place = 1; place < BACKGAMMON_PLACES; place++) {
		const int n = men[place];
		have |= (uint32_t)(n > 0) << place;
		held |= (uint32_t)(n > 1) << place;
		high |= (uint32_t)(n > 3) << place;
		pips += place * n;
	}
	for (uint32_t set = have; set; set &= set - 1) {
		const int place = __builtin_ctz(set), n = men[place];
		in->row[in->units++] =
			(uint16_t)(first + (place - 1) * BACKGAMMON_UNITS + (n < 3 ? n : 3) - 1);
	}
	if (men[BACKGAMMON_OFF])
		in->row[in->units++] = (uint16_t)(first + BACKGAMMON_BAR * BACKGAMMON_UNITS +
						  men[BACKGAMMON_OFF] - 1);
	*v = (struct view){ .mine = men,
			    .have = have,
			    .held = held,
			    .high = high,
			    .rear = 31 - __builtin_clz(have | 1),
			    .pips = pips };
}

static inline void add(struct backgammon_inputs *in, int row, float value)
{
	in->row[in->count] = (uint16_t)row;
	in->value[in->count] = value;
	in->count += value != 0;
}

/* A part of a constant, without a division. */
static inline float part(int x, float of)
{
	return (float)x * (1 / of);
}

static float limited(float x)
{
	return x > 1 ? 1 : x < -1 ? -1 : x;
}

static void add_race_features(struct backgammon_inputs *in, int first, const struct view *v,
			      const struct view *other)
{
	int outside = 0, save = 0;
	for (int place = BACKGAMMON_HOME + 1; place < BACKGAMMON_PLACES; place++) {
		outside += v->mine[place];
		save += v->mine[place] * (place - BACKGAMMON_HOME);
	}
	add(in, first + BACKGAMMON_F_PIPS, part(v->pips, 167));
	add(in, first + BACKGAMMON_F_OUTSIDE, part(outside, 15));
	add(in, first + BACKGAMMON_F_LOW, part(v->mine[1] + v->mine[2], 8));
	if (v->mine[BACKGAMMON_OFF])
		return;
	/* Two men leave per roll, if the pips allow it; a roll has 8.17 pips. */
	const int left = BACKGAMMON_MEN - other->mine[BACKGAMMON_OFF];
	const float by_men = part(left, 2), by_pips = part(other->pips, 8.17F);
	const float theirs = by_men > by_pips ? by_men : by_pips;
	add(in, first + BACKGAMMON_F_SAVE, part(save, 100));
	add(in, first + BACKGAMMON_F_LATE, limited((part(save, 8.17F) + 1 - theirs) / 8));
}

/* Places of men from the lowest one up, each with the number of its men. */
static void add_escapes(struct backgammon_inputs *in, int first, const struct view *v)
{
	int back = 0, back_rolls = 0, all_rolls = 0;
	for (uint32_t set = v->have >> 7 << 7; set; set &= set - 1) {
		const int place = __builtin_ctz(set);
		const int rolls = v->mine[place] * backgammon_escapes(v->blocked, place);
		all_rolls += rolls;
		if (place > 12) {
			back += v->mine[place];
			back_rolls += rolls;
		}
	}
	add(in, first + BACKGAMMON_F_REAR, part(backgammon_escapes(v->blocked, v->rear), 36));
	add(in, first + BACKGAMMON_F_BACK, back ? (float)back_rolls / (36 * (float)back) : 0);
	add(in, first + BACKGAMMON_F_MOBILE, part(all_rolls, 36 * 8));
}

/* How well a seat's points hold the other seat's men. `other` sees them as blocked. */
static void add_blockade(struct backgammon_inputs *in, int first, const struct view *v,
			 const struct view *other)
{
	int far = 36, near = 36;
	for (int place = 13; place < BACKGAMMON_BAR; place++) {
		const int rolls = backgammon_escapes(other->blocked, place);
		far = rolls < far ? rolls : far;
		if (place > 18)
			near = rolls < near ? rolls : near;
	}
	const int bar = backgammon_escapes(other->blocked, BACKGAMMON_BAR);
	near = bar < near ? bar : near;
	far = bar < far ? bar : far;
	add(in, first + BACKGAMMON_F_HOLD, part(36 - near, 36));
	add(in, first + BACKGAMMON_F_HOLD_FAR, part(36 - far, 36));
	add(in, first + BACKGAMMON_F_HOLD_BAR, part(36 - bar, 36));
	const int home = bits_count(v->held & 0x7e), prime = longest_prime(v->held);
	const float shut = part(home * home, 36);
	add(in, first + BACKGAMMON_F_SHUT, shut);
	add(in, first + BACKGAMMON_F_SHUT_OUT, v->theirs[BACKGAMMON_BAR] ? shut : 0);
	add(in, first + BACKGAMMON_F_PRIME, part(prime, 6));
	add(in, first + BACKGAMMON_F_PRIME5, prime >= 5);
	add(in, first + BACKGAMMON_F_PRIME6, prime >= 6);
}

static void add_contact_features(struct backgammon_inputs *in, int first, const struct view *v,
				 const struct view *other)
{
	int pass = 0, free = 0, stack = 0, backmen = 0;
	for (uint32_t set = v->have; set; set &= set - 1) {
		const int place = __builtin_ctz(set), n = v->mine[place];
		if (place > v->gate)
			pass += n * (place - v->gate);
		else
			free += n * place;
		stack += n > 4 ? (n - 4) * (n - 4) : 0;
		backmen += place > 18 ? n : 0;
	}
	const struct shots shots = find_shots(v);
	/* Blots that an enemy man can reach. */
	const uint32_t exposed = (v->have & ~v->held) >> (v->gate + 1);
	add(in, first + BACKGAMMON_F_PASS, part(pass, 167));
	add(in, first + BACKGAMMON_F_FREE, part(free, 100));
	add(in, first + BACKGAMMON_F_HITS, part(shots.rolls, 36));
	add(in, first + BACKGAMMON_F_LOSS, part(shots.pips, 36 * 12));
	add(in, first + BACKGAMMON_F_TWO, part(shots.two, 18));
	add_escapes(in, first, v);
	add_blockade(in, first, v, other);
	add(in, first + BACKGAMMON_F_ANCHOR, (v->held >> 19 & 0x3f) != 0);
	add(in, first + BACKGAMMON_F_BACKMEN, part(backmen, 4));
	add(in, first + BACKGAMMON_F_BACKGAME, backmen > 2 ? part(backmen - 2, 4) : 0);
	add(in, first + BACKGAMMON_F_BLOTS, part(bits_count(exposed), 4));
	add(in, first + BACKGAMMON_F_STACK, part(stack, 16));
}

/* The lead after half a roll, compared with what luck may change. */
static float lead(int mine, int theirs)
{
	const float x = ((float)(theirs - mine) + 4) / 12, swing = (float)(theirs + mine) / 100;
	return x / (swing + (x < 0 ? -x : x) + 0.1F);
}

void backgammon_inputs(const struct backgammon *s, enum backgammon_class c,
		       struct backgammon_inputs *in)
{
	struct view v[2];
	in->units = 0;
	for (int k = 0; k < 2; k++)
		add_units(in, k * BACKGAMMON_SIDE_INPUTS, s->men[k ? 1 - s->turn : s->turn], &v[k]);
	in->count = in->units;
	for (int k = 0; k < 2; k++) {
		struct view *me = &v[k];
		const struct view *other = &v[1 - k];
		const int first = k * BACKGAMMON_SIDE_INPUTS;
		me->theirs = other->mine;
		me->gate = BACKGAMMON_BAR - other->rear;
		me->blocked = mirrored(other->held) & ~UINT32_C(1);
		me->blots = mirrored(other->have & ~other->held) & ~UINT32_C(1);
		for (uint32_t set = me->high; set; set &= set - 1) {
			const int place = __builtin_ctz(set);
			add(in, first + place * BACKGAMMON_UNITS - 1,
			    (float)(me->mine[place] - 3) / 2);
		}
	}
	for (int k = 0; k < 2; k++) {
		const int first = k * BACKGAMMON_SIDE_INPUTS + BACKGAMMON_SIDE_UNITS;
		add_race_features(in, first, &v[k], &v[1 - k]);
		if (c != BACKGAMMON_RACE)
			add_contact_features(in, first, &v[k], &v[1 - k]);
	}
	add(in, BACKGAMMON_LEAD, lead(v[0].pips, v[1].pips));
}
