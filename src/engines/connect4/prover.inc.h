/*
 * prover.inc.h - template: the two-valued search of connect-four, for one attacker.
 * SPDX-License-Identifier: MIT
 *
 * P(f) names its functions, P_FIRST is 1 if the attacker is the first player. The two differ in
 * what following up gives: who always answers in the same column, when all columns have an even
 * number of free squares, gets the even rows and leaves the odd ones. That is the second player's
 * to use, and proves many positions without a search:
 *  - the first player attacks, and even with all the free squares that following up leaves him
 *    there is no four: he does not win;
 *  - the second player attacks, the even rows give him a four and the odd ones give none to the
 *    first player: he wins;
 *  - the first player attacks, one column alone is odd, and there he threatens the square above
 *    the next one: he follows up elsewhere until the defender must play under it.
 */

static bool P(defend)(struct c4_prover *p, const struct c4_case *c, int discs);

/* The attacker is to move, and has no four to make at once. */
static bool P(attack)(struct c4_prover *p, const struct c4_case *c, int discs)
{
	const uint64_t theirs = c->mine ^ c->all, open = C4_BOARD ^ c->all;
	const uint64_t playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (prover_stops(p) || discs + 3 > p->last)
		return false;

	/* Step 1. Threats of the defender's must be met, and not be uncovered. */
	const uint64_t threats = c4_threats(theirs, c->all), forced = threats & playable;
	if (forced & (forced - 1))
		return false;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (!moves)
		return false;

	/* Step 2. Following up may leave no four at all. */
	const uint64_t odd_columns = prover_columns(playable & C4_EVEN_ROWS);
	if (P_FIRST && !c4_has_four(c->mine | (open & (C4_ODD_ROWS | odd_columns))))
		return false;

	/* Step 3. Near the end, nothing is worth more than trying. */
	struct prover_node node;
	node.count = 0;
	node.discs = discs;
	if (discs >= C4_STORE_BELOW) {
		for (int i = 0; i < C4_WIDTH; i++)
			if (prover_add(&node, c, moves, i, true) &&
			    P(defend)(p, &node.children[node.count - 1].at, discs + 1))
				return true;
		return false;
	}

	/* Step 4. The table may know the position, or one of the next. */
	bool won;
	if (prover_knows(p, c, c->mine, c->mirror_mine, &node, &won))
		return won;
	for (int i = 0; i < C4_WIDTH; i++) {
		struct prover_child *next = prover_add(&node, c, moves, i, true);
		if (!next)
			continue;
		const uint64_t made = c4_threats(next->at.mine, next->at.all);
		const uint64_t now = made & ((next->at.all + C4_BOTTOM) & C4_BOARD);
		if (now & (now - 1))
			return prover_store(p, &node, true);         /* two at once */
		next->score = 2 * bits_count(made) +
			      bits_count(made & (P_FIRST ? C4_ODD_ROWS : C4_EVEN_ROWS));
	}
	if (prover_child_decides(p, &node, true))
		return prover_store(p, &node, true);

	/* Step 5. One move must win. */
	for (struct prover_child *next; (next = prover_best(&node));)
		if (P(defend)(p, &next->at, discs + 1))
			return prover_store(p, &node, true);
	return prover_store(p, &node, false);
}

static bool P(defend)(struct c4_prover *p, const struct c4_case *c, int discs)
{
	const uint64_t theirs = c->mine ^ c->all, open = C4_BOARD ^ c->all;
	const uint64_t playable = (c->all + C4_BOTTOM) & C4_BOARD;
	if (!playable || prover_stops(p) || discs + 2 > p->last)
		return false;
	if (c4_threats(theirs, c->all) & playable)
		return false;                                        /* the defender wins himself */

	/* Step 1. Two threats at once, or one whose square below is all there is, decide. */
	const uint64_t threats = c4_threats(c->mine, c->all), forced = threats & playable;
	if (forced & (forced - 1))
		return true;
	const uint64_t moves = (forced ? forced : playable) & ~(threats >> 1);
	if (!moves)
		return true;

	/* Step 2. Following up may win by itself; when it does so is not said. */
	const uint64_t next_even = playable & C4_EVEN_ROWS;
	if (p->last == C4_SQUARES) {
		if (P_FIRST ? prover_waits(c, threats, next_even) :
			      !next_even && !c4_has_four(theirs | (open & C4_ODD_ROWS)) &&
				      c4_has_four(c->mine | (open & C4_EVEN_ROWS)))
			return true;
	}

	/* Step 3. Near the end, nothing is worth more than trying. */
	struct prover_node node;
	node.count = 0;
	node.discs = discs;
	if (discs >= C4_STORE_BELOW) {
		for (int i = 0; i < C4_WIDTH; i++)
			if (prover_add(&node, c, moves, i, false) &&
			    !P(attack)(p, &node.children[node.count - 1].at, discs + 1))
				return false;
		return true;
	}

	/* Step 4. The table may know the position, or one of the next. */
	bool won;
	if (prover_knows(p, c, theirs, c->mirror_mine ^ c->mirror_all, &node, &won))
		return won;
	for (int i = 0; i < C4_WIDTH; i++) {
		struct prover_child *next = prover_add(&node, c, moves, i, false);
		if (!next)
			continue;
		const uint64_t made = c4_threats(next->at.mine ^ next->at.all, next->at.all);
		next->score = 2 * bits_count(made) +
			      bits_count(made & (P_FIRST ? C4_EVEN_ROWS : C4_ODD_ROWS));
	}
	if (prover_child_decides(p, &node, false))
		return prover_store(p, &node, false);

	/* Step 5. Every move must lose. */
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
	const struct c4_case c = { mine, s->all, c4_mirror(mine), c4_mirror(s->all) };
	p->nodes = 0;
	p->poll_at = 0;
	p->stopped = false;
	if (!attacks)
		return P(defend)(p, &c, discs);
	if (c4_threats(mine, s->all) & c4_playable(s))
		return discs + 1 <= p->last;
	return P(attack)(p, &c, discs);
}
