/*
 * backgammon.c - backgammon, straight from the rules.
 * SPDX-License-Identifier: MIT
 *
 *  1. The board has 24 points. Each side has fifteen men and counts the points from its own end:
 *     its point n is point 25 - n of the other side. At the start each side has two men on its
 *     24, five on its 13, three on its 8 and five on its 6. Men move from high points to low ones.
 *  2. First each side throws one die. The side with the higher number begins and plays both
 *     numbers. If they are equal, both throw again. After that the sides take turns and throw two
 *     dice each time.
 *  3. A man moves the number of a die to a point that does not hold two or more men of the other
 *     side. A single man of the other side there is put on the bar.
 *  4. While a side has men on the bar it may only bring these in: with a die n to its point 25 - n.
 *  5. If all men of a side are on its points 1 to 6, a die n takes a man off point n. If there is
 *     none, a man from a higher point must be moved; if there is none on a higher point either, a
 *     man comes off the highest point that is held.
 *  6. Two equal dice count as four. A side must use as many of its numbers as it can, in any order.
 *     If it can use either of two numbers but not both, it must use the higher one.
 *  7. The side that first has all men off wins one point; two if the other has none off; three if
 *     the other has none off and a man on the bar or on the winner's points 1 to 6.
 *
 * Position: the men of the one side and of the other as place:men, from the bar downwards, whose
 * turn it is and the throw, or - for what is not known yet.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 15, BAR = 25, OFF = 0 };

struct board {
	int men[2][26];
	int side;      /* -1 before the first throw */
	int high, low; /* 0 before a throw */
};

/* ---- Text ---- */

static struct board read_board(const char *position)
{
	struct board b = { .side = -1 };
	char part[2][200], side[8], dice[8];
	sscanf(position, "%199s %199s %7s %7s", part[0], part[1], side, dice);
	for (int who = 0; who < 2; who++)
		for (char *item = strtok(part[who], ","); item; item = strtok(NULL, ",")) {
			const int place = item[0] == 'b' ? BAR : item[0] == 'o' ? OFF : atoi(item);
			b.men[who][place] = atoi(strchr(item, ':') + 1);
		}
	if (side[0] != '-')
		b.side = side[0] - '1';
	if (dice[0] != '-') {
		b.high = dice[0] - '0';
		b.low = dice[1] - '0';
	}
	return b;
}

static void write_board(const struct board *b, char *position)
{
	char *end = position;
	for (int who = 0; who < 2; who++) {
		const char *before = who ? " " : "";
		for (int place = BAR; place >= OFF; place--) {
			char name[8];
			snprintf(name, sizeof name, "%d", place);
			if (!b->men[who][place])
				continue;
			end += sprintf(end, "%s%s:%d", before,
				       place == BAR   ? "bar"
				       : place == OFF ? "off"
						      : name,
				       b->men[who][place]);
			before = ",";
		}
	}
	if (b->side < 0)
		sprintf(end, " - -");
	else if (b->high)
		sprintf(end, " %d %d%d", b->side + 1, b->high, b->low);
	else
		sprintf(end, " %d -", b->side + 1);
}

/* ---- One man ---- */

static bool all_home(const struct board *b)
{
	for (int place = 7; place <= BAR; place++)
		if (b->men[b->side][place])
			return false;
	return true;
}

static bool higher_men(const struct board *b, int point)
{
	for (int place = point + 1; place <= BAR; place++)
		if (b->men[b->side][place])
			return true;
	return false;
}

static bool may_move(const struct board *b, int from, int die)
{
	const int *mine = b->men[b->side], *theirs = b->men[1 - b->side];
	if (!mine[from])
		return false;
	if (mine[BAR] && from != BAR)
		return false;
	if (from - die >= 1)
		return theirs[25 - (from - die)] < 2;
	if (!all_home(b))
		return false;
	return from == die || !higher_men(b, from);
}

static void move_man(struct board *b, int from, int die)
{
	const int to = from - die > 0 ? from - die : OFF;
	b->men[b->side][from]--;
	b->men[b->side][to]++;
	if (to != OFF && b->men[1 - b->side][25 - to] == 1) {
		b->men[1 - b->side][25 - to] = 0;
		b->men[1 - b->side][BAR]++;
	}
}

/* ---- A turn ---- */

/* What the turns so far have led to, by the number of dice used and whether the first was high. */
struct reached {
	char (*list)[TWIN_BACKGAMMON_TEXT];
	int max, count;
	int used, first; /* of those in the list */
};

static void reach(struct reached *r, const struct board *b, int used, int first)
{
	/* More dice are better; of one alone, the higher. */
	const bool better = used > r->used || (used == r->used && used == 1 && first > r->first);
	const bool equal = used == r->used && (used != 1 || first == r->first);
	struct board next = *b;
	char text[TWIN_BACKGAMMON_TEXT];
	if (better) {
		r->count = 0;
		r->used = used;
		r->first = first;
	} else if (!equal) {
		return;
	}
	next.side = 1 - next.side;
	next.high = next.low = 0;
	write_board(&next, text);
	for (int i = 0; i < r->count; i++)
		if (strcmp(r->list[i], text) == 0)
			return;
	if (r->count < r->max)
		strcpy(r->list[r->count++], text);
}

static void use_dice(struct reached *r, const struct board *b, const int *dice, int left, int used,
		     int first)
{
	reach(r, b, used, first);
	for (int from = 1; left && from <= BAR; from++)
		if (may_move(b, from, dice[0])) {
			struct board next = *b;
			move_man(&next, from, dice[0]);
			use_dice(r, &next, dice + 1, left - 1, used + 1, used ? first : dice[0]);
		}
}

bool twin_backgammon_over(const char *position, int points[2])
{
	const struct board b = read_board(position);
	points[0] = points[1] = 0;
	for (int who = 0; who < 2; who++) {
		if (b.men[who][OFF] != MEN)
			continue;
		points[who] = b.men[1 - who][OFF] ? 1 : 2;
		for (int place = 19; place <= BAR && points[who] == 2; place++)
			if (b.men[1 - who][place])
				points[who] = 3;
		return true;
	}
	return false;
}

int twin_backgammon_next(const char *position, char list[][TWIN_BACKGAMMON_TEXT], int max)
{
	const struct board b = read_board(position);
	struct reached r = { .list = list, .max = max };
	int points[2];
	if (twin_backgammon_over(position, points))
		return 0;
	if (!b.high) {
		for (int one = 1; one <= 6; one++)
			for (int two = 1; two <= 6; two++) {
				struct board next = b;
				if (b.side < 0 ? one == two : one < two)
					continue;
				if (b.side < 0)
					next.side = one > two ? 0 : 1;
				next.high = one > two ? one : two;
				next.low = one > two ? two : one;
				write_board(&next, list[r.count++]);
			}
		return r.count;
	}
	const int dice[4] = { b.high, b.low, b.high, b.low }, swapped[2] = { b.low, b.high };
	use_dice(&r, &b, dice, b.high == b.low ? 4 : 2, 0, 0);
	if (b.high != b.low)
		use_dice(&r, &b, swapped, 2, 0, 0);
	return r.count;
}
