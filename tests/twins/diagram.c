/*
 * diagram.c - a tree as a game, straight from the rules, on the text itself.
 * SPDX-License-Identifier: MIT
 *
 *  1. The text is the first moves with blanks between them: a letter, a score, and the replies in
 *     parentheses with commas between them; each reply is a score and its own replies. A score of 0
 *     is left out where there are replies.
 *  2. The node after first move B is called B, its second reply B2, the first reply to that B21.
 *     Behind ` @ ` stands the node one is at, and a dot for each ply waited there.
 *  3. The players take turns to go on to a node below. Where there is none, one waits. The tree's
 *     height is the length of its longest way. When so many plies are played, all are at a leaf:
 *     the last move is `end`.
 *  4. Then the first player has the leaf's score, and the second as much below zero.
 */
#include "twins/twin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_MOVES = 26, MOST_PLIES = 32 };

static void diagram_start(char *position, size_t size)
{
	snprintf(position, size, "A4(6,-1,1) B5(-3,3,1) C2(0,1,2)");
}

/* The name of the current node, without dots; the plies played so far. */
static int where(const char *position, char name[MOST_PLIES])
{
	const char *at = strstr(position, " @ ");
	name[0] = '\0';
	if (!at)
		return 0;
	snprintf(name, MOST_PLIES, "%.*s", (int)strcspn(at + 3, "."), at + 3);
	return (int)strlen(at + 3);
}

static bool in_tree(const char *c)
{
	return *c && strncmp(c, " @ ", 3) != 0;
}

static int height(const char *position)
{
	int open = 0, most = 0;
	for (const char *c = position; in_tree(c); c++) {
		open += (*c == '(') - (*c == ')');
		if (open > most)
			most = open;
	}
	return most + 1;
}

/* Branch `number` of those that begin here; NULL: there are fewer. */
static const char *branch(const char *from, int number)
{
	int open = 0;
	for (; number; from++) {
		if (!in_tree(from) || (*from == ')' && !open))
			return NULL;
		open += (*from == '(') - (*from == ')');
		number -= !open && (*from == ' ' || *from == ',');
	}
	return from;
}

/* Where the replies of a branch begin; NULL: it has none. */
static const char *replies(const char *from)
{
	from += strcspn(from, "(), ");
	return *from == '(' ? from + 1 : NULL;
}

static int number_of(char letter)
{
	return letter >= 'A' && letter <= 'Z'	? letter - 'A'
	       : letter >= '1' && letter <= '9' ? letter - '1'
						: letter - 'a' + 9;
}

/* The branch of that name. */
static const char *node(const char *position, const char *name)
{
	const char *found = branch(position, number_of(*name++));
	while (*name)
		found = branch(replies(found), number_of(*name++));
	return found;
}

/* The branches below the current node; NULL: none. */
static const char *below(const char *position)
{
	char name[MOST_PLIES];
	where(position, name);
	return *name ? replies(node(position, name)) : position;
}

static bool diagram_over(const char *position, int points[2])
{
	char name[MOST_PLIES];
	if (where(position, name) <= height(position))
		return false;
	const char *leaf = node(position, name);
	points[0] = atoi(*leaf >= 'A' ? leaf + 1 : leaf);
	points[1] = -points[0];
	return true;
}

static int diagram_moves(const char *position, char list[][16], int max)
{
	char name[MOST_PLIES];
	int points[2], count = 0;
	const int plies = where(position, name);
	const char *first = below(position);
	if (diagram_over(position, points))
		return 0;
	if (!first) {
		snprintf(list[0], 16, "%s", plies == height(position) ? "end" : "wait");
		return 1;
	}
	for (; count < max && branch(first, count); count++)
		snprintf(list[count], 16, "%.12s%c", name,
			 (char)(!plies	    ? 'A' + count
				: count < 9 ? '1' + count
					    : 'a' + count - 9));
	return count;
}

static bool diagram_play(char *position, size_t size, const char *move)
{
	char list[MOST_MOVES][16];
	const int count = diagram_moves(position, list, MOST_MOVES);
	char *at = strstr(position, " @ ");
	for (int i = 0; i < count; i++) {
		if (strcasecmp(list[i], move) != 0)
			continue;
		if (!below(position)) {
			const size_t length = strlen(position);
			snprintf(position + length, size - length, ".");
			return true;
		}
		if (!at)
			at = position + strlen(position);
		snprintf(at, size - (size_t)(at - position), " @ %s", list[i]);
		return true;
	}
	return false;
}

const struct twin twin_diagram = { "diagram", diagram_start, diagram_moves, diagram_play,
				   diagram_over };
