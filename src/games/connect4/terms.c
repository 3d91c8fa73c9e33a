/*
 * terms.c - names the threats of a connect-four position for pages and `--notions`.
 * SPDX-License-Identifier: MIT
 *
 * Each term is a name, a count, the squares it concerns and a sentence. The theory is in threats.h.
 */
#include "games/connect4/threats.h"

struct term_list {
	struct qv_notion *list;
	int count, max;
};

/* Adds a term, if there is room; squares: the bits of the cells it concerns. */
static void add_term(struct term_list *t, const char *name, int seat, int value, uint64_t squares,
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
	for (; squares; squares = bits_rest(squares)) {
		const int bit = bits_lowest(squares);
		n->cells[n->cell_count++] =
			(int16_t)(bit / C4_STRIDE * C4_HEIGHT + bit % C4_STRIDE);
	}
}

/* The threats of a seat in the odd or the even rows, by how near they are. */
static void add_threats(struct term_list *t, const struct c4_threat_sets *threats, int seat,
			bool odd, bool own_turn)
{
	const uint64_t all = threats->of[seat] & (odd ? C4_ODD_ROWS : C4_EVEN_ROWS);
	const struct {
		const char *near;
		uint64_t squares;
		const char *text;
	} kinds[] = {
		{ "immediate", all & threats->next,
		  own_turn ? "A disc here makes four, and you can play it now."
		  : bits_rest(threats->of[seat] & threats->next)
			  ? "A disc on any of these squares makes four. The opponent can block only one."
			  : "A disc here makes four. The opponent must block it, or win first." },
		{ "active", all & threats->above,
		  "One empty square is below. If the opponent plays there, a disc above it makes "
		  "four." },
		{ "distant", all & ~(threats->next | threats->above),
		  seat == !odd
			  ? "Two or more empty squares are below. If the columns fill up in turn, "
			    "the owner of this threat gets this row."
			  : "Two or more empty squares are below. If the columns fill up in turn, "
			    "the opponent gets this row." },
	};
	for (int i = 0; i < 3; i++) {
		const char *mark = odd ? "odd" : "even";
		char name[sizeof t->list->name];
		snprintf(name, sizeof name, "%s %s threats", kinds[i].near, mark);
		if (kinds[i].squares)
			add_term(t, name, seat, bits_count(kinds[i].squares), kinds[i].squares,
				 mark, kinds[i].text);
	}
}

static void add_shared(struct term_list *t, const struct c4_threat_sets *threats, bool odd)
{
	const uint64_t shared = c4_shared(threats, odd ? C4_ODD_ROWS : C4_EVEN_ROWS);
	if (shared)
		add_term(t, odd ? "shared odd threats" : "shared even threats", -1,
			 bits_count(c4_columns_of(shared)), shared, "",
			 odd ? "Both sides have an odd threat in the same column."
			     : "Both sides have an even threat in the same column.");
}

static const char *const rule_texts[C4_RULES] = {
	[C4_RULE_NONE] = "By their threats, neither side wins when all other moves run out.",
	[C4_RULE_LAST_COLUMN_FIRST] =
		"One column is left, and the first player's odd threat is the lowest that "
		"counts: the first player wins.",
	[C4_RULE_LAST_COLUMN_SECOND] = "One column is left, and the second player's even threat is "
				       "the lowest that counts: the second player wins.",
	[C4_RULE_MORE_ODD] = "The first player has more odd threats, and so wins when all other "
			     "moves run out.",
	[C4_RULE_MORE_ODD_SHARED] =
		"The second player has more odd threats and there is a shared threat: "
		"the second player wins when all other moves run out.",
	[C4_RULE_SAME_ODD_SHARED] =
		"Both have the same even number of odd threats and there is a "
		"shared threat: the second player wins when all other moves run out.",
	[C4_RULE_SAME_ODD_AND_EVEN] =
		"Both have as many odd threats and the second player has an "
		"even threat: the second player wins when all other moves run out.",
};

int c4_terms(const void *state, struct qv_notion *list, int max)
{
	const struct c4 *s = state;
	struct term_list t = { list, 0, max };
	int32_t points[QV_MAX_SEATS];
	if (c4_result(s, points) != QV_GOING)
		return 0;
	const struct c4_threat_sets threats = c4_find_threats(s);
	const enum c4_rule rule = c4_zugzwang(&threats);
	for (int seat = 0; seat < 2; seat++)
		for (int odd = 1; odd >= 0; odd--)
			add_threats(&t, &threats, seat, odd, c4_seat(s) == seat);
	add_shared(&t, &threats, true);
	add_shared(&t, &threats, false);
	add_term(&t, "zugzwang", c4_rule_seat(rule), rule != C4_RULE_NONE, 0, "", rule_texts[rule]);
	return t.count;
}
