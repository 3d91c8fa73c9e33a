/*
 * terms.c - connect-four's theory of threats, told of a position.
 * SPDX-License-Identifier: MIT
 */
#include "games/connect4/threats.h"

struct teller {
	struct qv_notion *list;
	int count, max;
};

static int16_t hole_of(int bit)
{
	return (int16_t)(bit / C4_STRIDE * C4_HEIGHT + bit % C4_STRIDE);
}

static void tell(struct teller *t, const char *name, int seat, int value, uint64_t squares,
		 const char *mark, const char *text)
{
	if (t->count == t->max)
		return;
	struct qv_notion *n = &t->list[t->count++];
	snprintf(n->name, sizeof n->name, "%s", name);
	snprintf(n->mark, sizeof n->mark, "%s", mark);
	snprintf(n->text, sizeof n->text, "%s", text);
	n->seat = (int16_t)seat;
	n->value = value;
	for (; squares; squares = bits_rest(squares))
		n->cells[n->cell_count++] = hole_of(bits_lowest(squares));
}

static const char *immediate_text(int count, bool own_turn)
{
	if (own_turn)
		return "A disc there makes four, and it can be played now.";
	return count > 1 ? "A disc makes four on any of these: the opponent can stop only one."
			 : "A disc there makes four: unless the opponent wins first, it must play "
			   "there.";
}

/* The threats of a seat in the odd or the even rows, by how near they are. */
static void tell_row(struct teller *t, const struct c4_threat_sets *threats, int seat, bool odd,
		     bool own_turn)
{
	const uint64_t all = threats->of[seat] & (odd ? C4_ODD_ROWS : C4_EVEN_ROWS);
	const uint64_t immediate = all & threats->next, active = all & threats->above;
	const uint64_t distant = all & ~(threats->next | threats->above);
	const char *mark = odd ? "odd" : "even";
	if (immediate)
		tell(t, odd ? "immediate odd threats" : "immediate even threats", seat,
		     bits_count(immediate), immediate, mark,
		     immediate_text(bits_count(threats->of[seat] & threats->next), own_turn));
	if (active)
		tell(t, odd ? "active odd threats" : "active even threats", seat,
		     bits_count(active), active, mark,
		     "One place is free below: if the opponent plays there, a disc above makes "
		     "four.");
	if (distant)
		tell(t, odd ? "distant odd threats" : "distant even threats", seat,
		     bits_count(distant), distant, mark,
		     seat == !odd
			     ? "Two or more places are free below; by turns, this row falls to "
			       "its owner."
			     : "Two or more places are free below; by turns, this row falls to "
			       "the opponent.");
}

static void tell_shared(struct teller *t, const struct c4_threat_sets *threats, bool odd)
{
	const uint64_t shared = c4_shared(threats, odd ? C4_ODD_ROWS : C4_EVEN_ROWS);
	if (shared)
		tell(t, odd ? "shared odd threats" : "shared even threats", -1,
		     bits_count(c4_columns_of(shared)), shared, "",
		     odd ? "Both sides have an odd threat in one column."
			 : "Both sides have an even threat in one column.");
}

static const char *const rule_texts[C4_RULES] = {
	[C4_RULE_NONE] = "The threats say of neither side that it wins when other moves run out.",
	[C4_RULE_LAST_COLUMN_FIRST] =
		"One column is left, and its lowest threat that counts is the "
		"first player's odd one: it wins.",
	[C4_RULE_LAST_COLUMN_SECOND] = "One column is left, and its lowest threat that counts is "
				       "the second player's even one: it wins.",
	[C4_RULE_MORE_ODD] = "The first player has more odd threats: it profits when other moves "
			     "run out.",
	[C4_RULE_MORE_ODD_SHARED] =
		"The second player has more odd threats and a threat is shared: "
		"it profits when other moves run out.",
	[C4_RULE_SAME_ODD_SHARED] = "Both have the same even number of odd threats and a threat is "
				    "shared: the second player profits when other moves run out.",
	[C4_RULE_SAME_ODD_AND_EVEN] = "Both have as many odd threats and the second player has an "
				      "even one: it profits when other moves run out.",
};

int c4_notions(const void *state, struct qv_notion *list, int max)
{
	const struct c4 *s = state;
	struct teller t = { list, 0, max };
	int32_t points[QV_MAX_SEATS];
	if (c4_result(s, points) != QV_GOING)
		return 0;
	const struct c4_threat_sets threats = c4_find_threats(s);
	const enum c4_rule rule = c4_zugzwang(&threats);
	for (int seat = 0; seat < 2; seat++)
		for (int odd = 1; odd >= 0; odd--)
			tell_row(&t, &threats, seat, odd, c4_seat(s) == seat);
	tell_shared(&t, &threats, true);
	tell_shared(&t, &threats, false);
	tell(&t, "zugzwang", c4_rule_seat(rule), rule != C4_RULE_NONE, 0, "", rule_texts[rule]);
	return t.count;
}
