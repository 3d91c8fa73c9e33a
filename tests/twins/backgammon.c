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
 *  5. If all men of a side are on its points 1 to 6, a die n takes a man off point n. If the side
 *     has no man on point n, it must move a man from a higher point n steps. If it has no man on a
 *     higher point either, it takes a man off its highest occupied point.
 *  6. Two equal dice count as four. A side must use as many of its numbers as it can, in any order.
 *     If it can use either of two numbers but not both, it must use the higher one.
 *  7. The side that first has all men off wins one point; two if the other has none off; three if
 *     the other has none off and a man on the bar or on the winner's points 1 to 6.
 *  8. With the cube, the game is for a stake, at first 1, by which the points are multiplied. The
 *     cube shows the stake. At first it belongs to nobody. Before it throws, but not before the
 *     first throw of a game, a side may offer to double the stake if the cube is not the other's.
 *     If the other side declines, it has lost the game and the stake as it was. If it accepts, the
 *     stake is doubled and the cube is its own. The cube goes up to 4096.
 *  9. With beavers, a side that was offered a double may at once double once more and keep the
 *     cube. Then the first side accepts, or declines and loses the stake after the first double.
 * 10. With Jacoby's rule, two or three points are only won if somebody has doubled.
 * 11. In a match of n points, games follow one another until a side has n. A side that wins the
 *     match with the present stake may not double any more.
 * 12. With Crawford's rule, nobody may double in the game after the one in which a side first got
 *     to n - 1 points.
 *
 * Position: the men of the one side and of the other as place:men, from the bar downwards, whose
 * turn it is and the throw, or - for what is not known yet. With the cube the throw may also be
 * `roll`, where a side has decided not to double; `double`, where it has; `beaver`, where the other
 * has answered so; `won`. Then `cube`, the stake, whose it is, and `match`, its length, the points
 * of each, `crawford`.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEN = 15, BAR = 25, OFF = 0, MOST = 4096 };

struct board {
	int men[2][26];
	int side;      /* -1 before the first throw */
	int high, low; /* 0 before a throw */
	char word[8];  /* "" or what is written in place of a throw */
	int stake, owner; /* owner -1: nobody */
	int points[2];
	bool crawford; /* this game */
};

static bool may_double(const struct twin_backgammon *rules, const struct board *b)
{
	if (!rules->cube || b->crawford)
		return false;
	if (b->owner == 1 - b->side || b->stake == MOST)
		return false;
	if (b->men[0][OFF] == MEN || b->men[1][OFF] == MEN)
		return false;
	return !rules->match || b->points[b->side] + b->stake < rules->match;
}

/* ---- Text ---- */

static struct board read_board(const struct twin_backgammon *rules, const char *position)
{
	struct board b = { .side = -1, .stake = 1, .owner = -1 };
	char part[2][200], side[8], dice[8], owner[8] = "-", crawford[16] = "";
	int length;
	sscanf(position, "%199s %199s %7s %7s cube %d %7s match %d %d %d %15s", part[0], part[1],
	       side, dice, &b.stake, owner, &length, &b.points[0], &b.points[1], crawford);
	for (int who = 0; who < 2; who++)
		for (char *item = strtok(part[who], ","); item; item = strtok(NULL, ",")) {
			const int place = item[0] == 'b' ? BAR : item[0] == 'o' ? OFF : atoi(item);
			b.men[who][place] = atoi(strchr(item, ':') + 1);
		}
	if (side[0] != '-')
		b.side = side[0] - '1';
	if (owner[0] != '-')
		b.owner = owner[0] - '1';
	b.crawford = crawford[0] == 'c';
	if (dice[0] >= '1' && dice[0] <= '6') {
		b.high = dice[0] - '0';
		b.low = dice[1] - '0';
	} else if (dice[0] != '-') {
		strcpy(b.word, dice);
	} else if (b.side >= 0 && may_double(rules, &b)) {
		strcpy(b.word, "decide");
	}
	return b;
}

static void write_board(const struct twin_backgammon *rules, const struct board *b, char *position)
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
		end += sprintf(end, " - -");
	else if (b->high)
		end += sprintf(end, " %d %d%d", b->side + 1, b->high, b->low);
	else if (!b->word[0] || strcmp(b->word, "decide") == 0)
		end += sprintf(end, " %d -", b->side + 1);
	else
		end += sprintf(end, " %d %s", b->side + 1, b->word);
	if (rules->cube) {
		const char owner[] = { (char)(b->owner < 0 ? '-' : '1' + b->owner), 0 };
		end += sprintf(end, " cube %d %s", b->stake, owner);
	}
	if (rules->match)
		end += sprintf(end, " match %d %d %d", rules->match, b->points[0], b->points[1]);
	if (b->crawford)
		sprintf(end, " crawford");
}

static void set_board(struct board *b)
{
	memset(b->men, 0, sizeof b->men);
	for (int who = 0; who < 2; who++) {
		b->men[who][24] = 2;
		b->men[who][13] = 5;
		b->men[who][8] = 3;
		b->men[who][6] = 5;
	}
	b->side = -1;
	b->high = b->low = 0;
	b->word[0] = 0;
	b->stake = 1;
	b->owner = -1;
}

void twin_backgammon_start_by(const struct twin_backgammon *rules, char *position)
{
	struct board b = { .points = { 0, 0 } };
	set_board(&b);
	write_board(rules, &b, position);
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

/* ---- The end of a game ---- */

/* The points of the side that has all men off. */
static int won_points(const struct twin_backgammon *rules, const struct board *b, int who)
{
	int points = b->men[1 - who][OFF] ? 1 : 2;
	for (int place = 19; place <= BAR && points == 2; place++)
		if (b->men[1 - who][place])
			points = 3;
	if (rules->jacoby && rules->cube && !rules->match && b->owner < 0)
		points = 1;
	return points * b->stake;
}

/* A side has won a game of a match. */
static void count_game(const struct twin_backgammon *rules, struct board *b, int who, int points)
{
	const bool nobody_near =
		b->points[0] != rules->match - 1 && b->points[1] != rules->match - 1;
	b->points[who] += points;
	if (b->points[who] >= rules->match) {
		b->points[who] = rules->match;
		b->side = who;
		strcpy(b->word, "won");
		return;
	}
	b->crawford = rules->crawford && nobody_near && b->points[who] == rules->match - 1;
	set_board(b);
}

/* ---- A turn ---- */

/* What the turns so far have led to, by the number of dice used and whether the first was high. */
struct reached {
	const struct twin_backgammon *rules;
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
	next.high = next.low = 0;
	if (r->rules->match && b->men[b->side][OFF] == MEN)
		count_game(r->rules, &next, b->side, won_points(r->rules, b, b->side));
	else
		next.side = 1 - next.side;
	write_board(r->rules, &next, text);
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

bool twin_backgammon_over_by(const struct twin_backgammon *rules, const char *position,
			     int points[2])
{
	const struct board b = read_board(rules, position);
	points[0] = points[1] = 0;
	if (strcmp(b.word, "won") == 0) {
		points[b.side] = rules->match ? 1 : b.stake;
		return true;
	}
	for (int who = 0; who < 2; who++)
		if (b.men[who][OFF] == MEN) {
			points[who] = won_points(rules, &b, who);
			return true;
		}
	return false;
}

/* ---- The cube ---- */

/* A side gives up, and the other wins the stake. */
static void decline(const struct twin_backgammon *rules, struct board *b, int loser)
{
	b->word[0] = 0;
	if (rules->match) {
		count_game(rules, b, 1 - loser, b->stake);
		return;
	}
	b->side = 1 - loser;
	strcpy(b->word, "won");
}

/* The answers to a double or to a beaver. */
static int answer(const struct twin_backgammon *rules, const struct board *b,
		  char list[][TWIN_BACKGAMMON_TEXT])
{
	const bool beaver = b->word[0] == 'b';
	struct board accepted = *b, declined = *b, again = *b;
	int count = 0;
	accepted.stake *= 2;
	accepted.owner = 1 - b->side;
	accepted.word[0] = 0;
	write_board(rules, &accepted, list[count++]);
	decline(rules, &declined, beaver ? b->side : 1 - b->side);
	write_board(rules, &declined, list[count++]);
	if (!beaver && rules->beavers && !rules->match && 4 * b->stake <= MOST) {
		again.stake *= 2;
		again.owner = 1 - b->side;
		strcpy(again.word, "beaver");
		write_board(rules, &again, list[count++]);
	}
	return count;
}

static int decide(const struct twin_backgammon *rules, const struct board *b,
		  char list[][TWIN_BACKGAMMON_TEXT])
{
	struct board next = *b;
	strcpy(next.word, "roll");
	write_board(rules, &next, list[0]);
	strcpy(next.word, "double");
	write_board(rules, &next, list[1]);
	return 2;
}

int twin_backgammon_next_by(const struct twin_backgammon *rules, const char *position,
			    char list[][TWIN_BACKGAMMON_TEXT], int max)
{
	const struct board b = read_board(rules, position);
	struct reached r = { .rules = rules, .list = list, .max = max };
	int points[2];
	if (twin_backgammon_over_by(rules, position, points))
		return 0;
	if (strcmp(b.word, "decide") == 0)
		return decide(rules, &b, list);
	if (strcmp(b.word, "double") == 0 || strcmp(b.word, "beaver") == 0)
		return answer(rules, &b, list);
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
				next.word[0] = 0;
				write_board(rules, &next, list[r.count++]);
			}
		return r.count;
	}
	const int dice[4] = { b.high, b.low, b.high, b.low }, swapped[2] = { b.low, b.high };
	use_dice(&r, &b, dice, b.high == b.low ? 4 : 2, 0, 0);
	if (b.high != b.low)
		use_dice(&r, &b, swapped, 2, 0, 0);
	return r.count;
}

/* ---- Without the cube ---- */

static const struct twin_backgammon no_cube;

int twin_backgammon_next(const char *position, char list[][TWIN_BACKGAMMON_TEXT], int max)
{
	return twin_backgammon_next_by(&no_cube, position, list, max);
}

bool twin_backgammon_over(const char *position, int points[2])
{
	return twin_backgammon_over_by(&no_cube, position, points);
}
