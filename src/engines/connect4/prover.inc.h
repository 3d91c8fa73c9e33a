/*
 * prover.inc.h - template: the two-valued search of connect-four, for one attacker.
 * SPDX-License-Identifier: MIT
 *
 * P(f) names its functions, P_FIRST is 1 if the attacker is the first player. The two differ in
 * what following up gives (followup.h), which is asked of a position before the table, and of the
 * next ones before any of them is searched.
 */

/* The attacker is to move: following up keeps him from a four. */
static inline bool P(is_held)(const struct prover_case *c, uint64_t defenders_threats)
{
	const uint64_t open = C4_BOARD ^ c->all, playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (P_FIRST)
		return c4_first_is_held(c->mine, open, playable);
	return !c4_has_four(c->mine | open) ||
	       c4_first_waits(c->mine, open, playable, defenders_threats);
}

/*
 * The defender is to move: following up wins, and in time. The first player waits for a threat at
 * the longest until all but the squares above it is full.
 */
static inline bool P(is_sure)(const struct c4_prover *p, const struct prover_case *c,
			      uint64_t threats)
{
	const uint64_t theirs = c->mine ^ c->all;
	const uint64_t open = C4_BOARD ^ c->all, playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (!P_FIRST)
		return p->last == SQUARES && c4_second_is_sure(theirs, c->mine, open, playable);
	const uint64_t in_time = p->last >= SQUARES - 1 ? C4_BOARD :
				 p->last >= SQUARES - 3 ? C4_BOTTOM << 2 : 0;
	return c4_first_waits(theirs, open, playable, threats & in_time);
}

static bool P(defend)(struct c4_prover *p, const struct prover_case *c, int discs);

/* Adds the attacker's moves. True: one of them wins, as is seen at once. */
static inline bool P(add_attacks)(const struct c4_prover *p, struct prover_node *node,
				  const struct prover_case *c, uint64_t moves)
{
	for (int i = 0; i < C4_WIDTH; i++) {
		struct prover_child *next = prover_add(node, c, moves, i, true);
		if (!next)
			continue;
		const uint64_t made = c4_threats(next->at.mine, next->at.all);
		const uint64_t now = made & ((next->at.all + C4_BOTTOM) & C4_BOARD);
		if (now & (now - 1) || P(is_sure)(p, &next->at, made))
			return true;
		next->score = prover_score(made, P_FIRST ? C4_ODD_ROWS : C4_EVEN_ROWS,
					   next->at.all ^ c->all, true);
	}
	return false;
}

/* The attacker is to move, and has no four to make at once. */
static bool P(attack)(struct c4_prover *p, const struct prover_case *c, int discs)
{
	const struct prover_role role = { P_FIRST, true };
	const uint64_t playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (prover_stops(p) || discs + 3 > p->last)
		return false;

	/* Step 1. Threats of the defender's must be met, and not be uncovered. */
	const uint64_t threats = c4_threats(c->mine ^ c->all, c->all), forced = threats & playable;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (forced & (forced - 1) || !moves || P(is_held)(c, threats))
		return false;

	/* Step 2. Near the end, nothing is worth more than trying. */
	struct prover_node node;
	node.count = 0;
	node.discs = discs;
	if (discs >= STORE_BELOW) {
		for (int i = 0; i < C4_WIDTH; i++)
			if (prover_add(&node, c, moves, i, true) &&
			    P(defend)(p, &node.children[node.count - 1].at, discs + 1))
				return true;
		return false;
	}

	/* Step 3. The table may know the position, or one of the next. */
	bool won;
	if (prover_knows(p, c, role, &node, &won))
		return won;
	if (P(add_attacks)(p, &node, c, moves))
		return true;
	if (prover_child_decides(p, &node, role))
		return prover_store(p, &node, true);

	/* Step 4. One move must win. */
	for (struct prover_child *next; (next = prover_best(&node));)
		if (P(defend)(p, &next->at, discs + 1))
			return prover_store(p, &node, true);
	return prover_store(p, &node, false);
}

/* Adds the defender's moves. True: one of them holds, as is seen at once. */
static inline bool P(add_defences)(struct prover_node *node, const struct prover_case *c,
				   uint64_t moves)
{
	for (int i = 0; i < C4_WIDTH; i++) {
		struct prover_child *next = prover_add(node, c, moves, i, false);
		if (!next)
			continue;
		const uint64_t made = c4_threats(next->at.mine ^ next->at.all, next->at.all);
		const uint64_t now = made & ((next->at.all + C4_BOTTOM) & C4_BOARD);
		if (now & (now - 1) || P(is_held)(&next->at, made))
			return true;
		next->score = prover_score(made, P_FIRST ? C4_EVEN_ROWS : C4_ODD_ROWS,
					   next->at.all ^ c->all, P_FIRST);
	}
	return false;
}

static bool P(defend)(struct c4_prover *p, const struct prover_case *c, int discs)
{
	const struct prover_role role = { P_FIRST, false };
	const uint64_t theirs = c->mine ^ c->all, playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (!playable || prover_stops(p) || discs + 2 > p->last)
		return false;
	if (c4_threats(theirs, c->all) & playable)
		return false;                                        /* the defender wins himself */

	/* Step 1. Two threats at once, or one whose square below is all there is, decide. */
	const uint64_t threats = c4_threats(c->mine, c->all), forced = threats & playable;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (forced & (forced - 1) || !moves || P(is_sure)(p, c, threats))
		return true;

	/* Step 2. Near the end, nothing is worth more than trying. */
	struct prover_node node;
	node.count = 0;
	node.discs = discs;
	if (discs >= STORE_BELOW) {
		for (int i = 0; i < C4_WIDTH; i++)
			if (prover_add(&node, c, moves, i, false) &&
			    !P(attack)(p, &node.children[node.count - 1].at, discs + 1))
				return false;
		return true;
	}

	/* Step 3. The table may know the position, or one of the next. */
	bool won;
	if (prover_knows(p, c, role, &node, &won))
		return won;
	if (P(add_defences)(&node, c, moves))
		return false;
	if (prover_child_decides(p, &node, role))
		return prover_store(p, &node, false);

	/* Step 4. Every move must lose. */
	for (struct prover_child *next; (next = prover_best(&node));)
		if (!P(attack)(p, &next->at, discs + 1))
			return prover_store(p, &node, false);
	return prover_store(p, &node, true);
}

static bool P(proves)(struct c4_prover *p, const struct c4 *s)
{
	const int discs = bits_count(s->all);
	const bool attacks = (discs % 2 == 0) == P_FIRST;
	const uint64_t mine = attacks ? s->mover : s->mover ^ s->all;
	const struct prover_case c = { mine, s->all, c4_mirror(mine), c4_mirror(s->all) };
	if (!attacks)
		return P(defend)(p, &c, discs);
	if (c4_threats(mine, s->all) & c4_playable(s))
		return discs + 1 <= p->last;
	return P(attack)(p, &c, discs);
}
