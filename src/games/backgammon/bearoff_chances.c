/*
 * bearoff_chances.c - the chances that the bear-off tables give.
 * SPDX-License-Identifier: MIT
 */
#include "games/backgammon/bearoff_chances.h"

/* The rolls to the first man off; none are needed if one is off already. */
static const uint16_t *first_row(const struct bearoff *table, int index)
{
	static const uint16_t at_once[BEAROFF_ROLLS] = { BEAROFF_ONE };
	return index < BEAROFF_FULL ? at_once : table->first[index - BEAROFF_FULL];
}

/* The chance that `fast` needs at most as many rolls as `slow`. */
static float chance_first(const uint16_t *fast, const uint16_t *slow)
{
	uint64_t sum = 0;
	uint32_t done = 0; /* the chance that `fast` needs at most i rolls */
	for (int i = 0; i < BEAROFF_ROLLS; i++) {
		done += fast[i];
		sum += (uint64_t)done * slow[i];
	}
	return (float)((double)sum / ((double)BEAROFF_ONE * BEAROFF_ONE));
}

/*
 * This seat wins with its n-th roll if the other has not finished with n - 1, and wins a gammon if
 * the other has not begun with them. It loses a gammon if it has not begun with the n-th roll and
 * the other finishes with its own n-th.
 */
void one_sided_chances(const struct bearoff *table, const struct backgammon *s,
		       struct backgammon_chances *out)
{
	const int mine = bearoff_index(s->men[s->turn]);
	const int theirs = bearoff_index(s->men[1 - s->turn]);
	*out = (struct backgammon_chances){ {
		[BACKGAMMON_WIN_ANY] = chance_first(table->all[mine], table->all[theirs]),
		[BACKGAMMON_WIN_GAMMON] = chance_first(table->all[mine], first_row(table, theirs)),
		[BACKGAMMON_LOSE_GAMMON] =
			1 - chance_first(first_row(table, mine), table->all[theirs]),
	} };
}

bool bearoff_chances(struct backgammon_tables *tables, const struct backgammon *s,
		     struct backgammon_chances *out)
{
	if (backgammon_has_ended(s) || backgammon_rear(s->men[0]) > BACKGAMMON_HOME ||
	    backgammon_rear(s->men[1]) > BACKGAMMON_HOME)
		return false;
	if (two_sided_has(s)) {
		const struct two_sided *table = backgammon_two_sided(tables);
		if (table) {
			const double equity = two_sided_equity(table, s, TWO_SIDED_CUBELESS);
			*out = (struct backgammon_chances){ { [BACKGAMMON_WIN_ANY] =
								      (float)((1 + equity) / 2) } };
			return true;
		}
	}
	const struct bearoff *table = backgammon_one_sided(tables);
	if (table)
		one_sided_chances(table, s, out);
	return table;
}
