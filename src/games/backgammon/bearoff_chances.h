/*
 * bearoff_chances.h - the chances that the bear-off tables give.
 * SPDX-License-Identifier: MIT
 */
#ifndef BACKGAMMON_BEAROFF_CHANCES_H
#define BACKGAMMON_BEAROFF_CHANCES_H

#include "games/backgammon/chances.h"
#include "games/backgammon/tables.h"

/*
 * The chances of s->turn, which is to roll, if all men of both seats are in their home boards and
 * the game has not ended. They are exact with up to six men a side. With more they are those of two
 * seats that bear off as fast as they can on average, whatever the other does. False: another
 * position, or not enough memory for the table.
 */
bool bearoff_chances(struct backgammon_tables *tables, const struct backgammon *s,
		     struct backgammon_chances *out);
/* The same by the one-sided table alone. */
void one_sided_chances(const struct bearoff *table, const struct backgammon *s,
		       struct backgammon_chances *out);

#endif
