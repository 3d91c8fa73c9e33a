/*
 * prove.inc.h - template: depth-first proof-number search (df-pn), for games of two seats without
 * chance.
 * SPDX-License-Identifier: MIT
 *
 * Optional hooks (#define G_HAS_x 1); `tools` is the pointer of struct prove_setup:
 *   PROVE_KEY   uint64_t G(prove_key)(s, tools): replaces the hash; must be equal only for
 *               positions of equal value, such as symmetric ones.
 *   FORCED      bool G(forced)(s, tools, *first): a quick search found a win for the attacker, who
 *               is to move, by that first move. False means unknown.
 *   CANDIDATES  int G(candidates)(s, tools, width, list): about `width` promising moves of the
 *               attacker; a disproof then proves nothing. Not called if the width is 0.
 *   REPLIES     int G(replies)(s, tools, list): the defender's moves that may not lose; 0: all
 *               lose. All moves left out must lose, so that a proof stays sound.
 */
#include "search/prove.h"
#include "search/stamp.inc.h"

#ifndef G_HAS_PROVE_KEY
#define G_HAS_PROVE_KEY 0
#endif

#if !G_HAS_PROVE_KEY
static inline uint64_t G(prove_key)(const G_STATE *s, const void *tools)
{
	(void)tools;
	return G(hash)(s);
}
#endif

/*
 * Initial numbers of a new leaf: 1 and 1. With REPLIES, many replies raise the proof number a
 * little; so does a single one, since forcing moves would be overrated otherwise.
 */
static struct prove_numbers G(prove_first)(struct prove *p, const G_STATE *s, int ply)
{
	int32_t points[QV_MAX_SEATS];
	const bool attacks = G(seat)(s) == p->attacker;
	(void)attacks, (void)ply;          /* some hooks need neither */
	if (G(result)(s, points) != QV_GOING)
		return points[p->attacker] > points[1 - p->attacker] ? prove_won()
								     : prove_not_won(PROVE_FREE);
#if G_HAS_FORCED
	qv_move first;
	if (attacks && G(forced)(s, p->tools, &first))
		return prove_won();
#endif
#if G_HAS_REPLIES
	G_LIST(list, p->slots, ply);
	const int replies = attacks ? 1 : G(replies)(s, p->tools, list);
	if (!replies)
		return prove_won();
	const uint32_t effort = attacks ? 1 : replies == 1 ? 2 : 1 + (uint32_t)replies / 16;
	return (struct prove_numbers){ effort, 1, PROVE_FREE };
#else
	return (struct prove_numbers){ 1, 1, PROVE_FREE };
#endif
}

/* The numbers of a child: from a repetition on the path, from the table, or initial ones. */
static struct prove_child G(prove_child)(struct prove *p, const G_STATE *s, qv_move move, int ply)
{
	struct prove_child c = { .move = move };
	G_CHILD(child, p->slots, ply);
	G(copy_play)(child, s, move);
	c.key = G(prove_key)(child, p->tools);
	c.rank = G(rank_of)(s, move);
	const int repeats = p->cyclic ? prove_on_path(p, c.key, ply + 1) : -1;
	if (repeats >= 0) {
		c.numbers = prove_not_won(repeats);
	} else if (!prove_find(p, c.key, &c.numbers)) {
		p->nodes++;
		c.numbers = G(prove_first)(p, child, ply + 1);
		prove_keep(p, c.key, c.numbers, 1);
	}
	return c;
}

/* Pushes the children onto the stack of lists; returns how many, -1: the stack is full. */
static int G(prove_expand)(struct prove *p, const G_STATE *s, bool attacks, int ply)
{
	G_LIST(list, p->slots, ply);
	struct prove_child *const to = p->children + p->children_used;
	const size_t room = p->children_room - p->children_used;
	int n = -1;                        /* the attacker's candidates, or the replies to consider */
	(void)attacks;
#if G_HAS_CANDIDATES
	if (attacks && p->width)
		n = G(candidates)(s, p->tools, p->width, list);
#endif
#if G_HAS_REPLIES
	if (!attacks)
		n = G(replies)(s, p->tools, list);
#endif
	if (n < 0)
		n = G(moves)(s, list);
	size_t count = 0;
	for (int i = 0; i < n; i++) {
		const int most = G(numbers)(s, list[i]);
		for (int k = most; k > 0; k--) {
			const qv_move move = G(numbered)(s, list[i], k, most);
			if (count == room)
				return -1;
			to[count] = G(prove_child)(p, s, move, ply);
			count += G_HAS_PROVE_KEY ? !prove_listed(to, (int)count) : 1;
		}
	}
	prove_sort(to, (int)count);
	p->children_used += count;
	return (int)count;
}

/* ---- the recursion ---- */

static struct prove_numbers G(prove_node)(struct prove *p, const G_STATE *s, uint64_t key, int ply,
					  struct prove_numbers limit);

/* Searches the most-proving child until one of the position's numbers exceeds its threshold. */
static struct prove_numbers G(prove_children)(struct prove *p, const G_STATE *s, int count, int ply,
					      bool attacks, struct prove_numbers limit)
{
	struct prove_child *const children = p->children + (p->children_used - (size_t)count);
	for (;;) {
		const struct prove_choice choice = prove_choose(children, count, attacks);
		if (!ply && choice.best >= 0)
			p->move = children[choice.best].move;
		if (choice.sum.pn >= limit.pn || choice.sum.dn >= limit.dn || p->stopped)
			return choice.sum;
		struct prove_child *const c = &children[choice.best];
		prove_descend(p, ply, children, count, choice.best, attacks);
		G_CHILD(child, p->slots, ply);
		G(copy_play)(child, s, c->move);
		c->numbers = G(prove_node)(p, child, c->key, ply + 1,
					   prove_limit(&choice, c, limit, attacks));
	}
}

static struct prove_numbers G(prove_node)(struct prove *p, const G_STATE *s, uint64_t key, int ply,
					  struct prove_numbers limit)
{
	const uint64_t nodes_before = p->nodes;
	const bool attacks = G(seat)(s) == p->attacker;
	const size_t used = p->children_used;
	if (p->nodes >= p->poll_at && prove_poll(p))
		return (struct prove_numbers){ 1, 1, PROVE_FREE };
	if (ply >= p->max_plies - 1)
		return prove_not_won(PROVE_CUT);
	p->path[ply] = key;
	const bool fresh = p->listener && prove_is_fresh(p, key);
	const int count = G(prove_expand)(p, s, attacks, ply);
	if (p->listener && count >= 0)
		prove_report(p, ply, count, attacks, fresh);
	struct prove_numbers found = count < 0 ? prove_not_won(PROVE_CUT)
					       : G(prove_children)(p, s, count, ply, attacks, limit);
	p->children_used = used;
	if (found.dn == 0 && found.rests < ply)
		return found;              /* depends on the path above: not stored */
	found.rests = PROVE_FREE;
	prove_keep(p, key, found, p->nodes - nodes_before + 1);
	return found;
}

/* Searches the root with infinite thresholds. A win found by FORCED also gives the move. */
static void G(prove_search)(struct prove *p)
{
	G_ROOT(root, p->game, p->root_state);
	const struct prove_numbers limit = { PROVE_INFINITE, PROVE_INFINITE, 0 };
	if (prove_poll(p))
		return;
#if G_HAS_FORCED
	if (G(seat)(root) == p->attacker && G(forced)(root, p->tools, &p->move)) {
		p->answer = prove_won();
		return;
	}
#endif
	p->answer = G(prove_node)(p, root, G(prove_key)(root, p->tools), 0, limit);
}

static const struct prove_ops G(prove_ops) = { G_DYNAMIC, G(prove_search) };
