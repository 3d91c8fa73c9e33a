/*
 * mate.c - mate in N: a full-width AND/OR search.
 * SPDX-License-Identifier: MIT
 *
 * The attacker needs one move after which every reply allows mate in one move less. N grows from 1,
 * so the first mate found is the shortest. What saves time: a reply that refuted one attempt is
 * tried first against the next (killers, by distance to the end); checks that leave few replies
 * come first; the last move must be a check; and a table keeps, for each position of the attacker,
 * what is proven and what is refuted.
 */
#include "games/chess/mate.h"

enum { KILLERS = 2, POLL_EVERY = 4096 };

struct entry {
	uint64_t key;
	uint8_t mates_in; /* proven; 0: unknown */
	uint8_t not_in;	  /* refuted up to here */
	uint16_t move;	  /* the mating move */
	uint32_t spare;
};

struct mate_search {
	struct entry *table;
	uint64_t mask;
	qv_move killers[CHESS_MOST_MATE + 1][KILLERS]; /* replies, by moves left */
	uint64_t nodes, polled;
	const atomic_bool *stop;
	bool stopped;
};

static bool must_stop(struct mate_search *m)
{
	if (m->nodes - m->polled >= POLL_EVERY) {
		m->polled = m->nodes;
		m->stopped = m->stop && atomic_load_explicit(m->stop, memory_order_relaxed);
	}
	return m->stopped;
}

/* ---- The last move ---- */

static bool mate_in_one(struct mate_search *m, const struct chess *s, qv_move *out)
{
	qv_move list[CHESS_MAX_MOVES];
	struct chess_checks checks;
	chess_checks_init(&checks, s);
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		if (!chess_gives_check(s, &checks, list[i]))
			continue;
		struct chess next = *s;
		chess_play(&next, list[i]);
		m->nodes++;
		if (!chess_can_move(&next)) {
			*out = list[i];
			return true;
		}
	}
	return false;
}

/* ---- The table ---- */

static struct entry *entry_of(struct mate_search *m, const struct chess *s)
{
	return &m->table[s->key & m->mask];
}

/* 1: mates within `moves`; -1: does not; 0: unknown. */
static int look_up(struct mate_search *m, const struct chess *s, int moves, qv_move *out)
{
	const struct entry *e = entry_of(m, s);
	if (e->key != s->key)
		return 0;
	if (e->mates_in && e->mates_in <= moves) {
		*out = e->move;
		return 1;
	}
	return e->not_in >= moves ? -1 : 0;
}

static void keep(struct mate_search *m, const struct chess *s, int moves, bool mates, qv_move move)
{
	struct entry *e = entry_of(m, s);
	if (e->key != s->key)
		*e = (struct entry){ .key = s->key };
	if (mates && (!e->mates_in || moves < e->mates_in)) {
		e->mates_in = (uint8_t)moves;
		e->move = (uint16_t)move;
	}
	if (!mates && moves > e->not_in)
		e->not_in = (uint8_t)moves;
}

/* ---- Attack and defence ---- */

static bool attack(struct mate_search *m, const struct chess *s, int moves, qv_move *out);

/* Whether every reply allows mate within `moves`. The side to move has legal moves, or is mated. */
static bool refuted(struct mate_search *m, const struct chess *s, int moves)
{
	qv_move list[CHESS_MAX_MOVES], key;
	const int n = chess_moves(s, list);
	if (!n)
		return chess_checkers(s) != 0;
	qv_move *killers = m->killers[moves];
	int first = 0;
	for (int k = 0; k < KILLERS; k++)
		for (int i = first; i < n; i++)
			if (list[i] == killers[k]) {
				list[i] = list[first];
				list[first++] = killers[k];
				break;
			}
	for (int i = 0; i < n; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		m->nodes++;
		if (must_stop(m))
			return false;
		if (!attack(m, &next, moves, &key)) {
			if (killers[0] != list[i]) {
				killers[1] = killers[0];
				killers[0] = list[i];
			}
			return false;
		}
	}
	return true;
}

struct attempt {
	qv_move move;
	int replies; /* fewer is better; checks before all others */
};

/* Lists the moves in the order in which they are tried; returns how many. */
static int attempts_of(struct mate_search *m, const struct chess *s, struct attempt *out)
{
	qv_move list[CHESS_MAX_MOVES];
	struct chess_checks checks;
	chess_checks_init(&checks, s);
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		m->nodes++;
		struct attempt a = { list[i], chess_count(&next) };
		if (!chess_gives_check(s, &checks, list[i]))
			a.replies += CHESS_MAX_MOVES;
		int k = i;
		for (; k > 0 && out[k - 1].replies > a.replies; k--)
			out[k] = out[k - 1];
		out[k] = a;
	}
	return n;
}

/* Whether the side to move mates within `moves`; *out is the first move. */
static bool attack(struct mate_search *m, const struct chess *s, int moves, qv_move *out)
{
	struct attempt list[CHESS_MAX_MOVES];
	if (moves == 1)
		return mate_in_one(m, s, out);
	const int known = look_up(m, s, moves, out);
	if (known)
		return known > 0;
	if (mate_in_one(m, s, out)) {
		keep(m, s, 1, true, *out);
		return true;
	}
	const int n = attempts_of(m, s, list);
	for (int i = 0; i < n && !m->stopped; i++) {
		/* Stalemate, or mate in one, which was already tested. */
		if (list[i].replies % CHESS_MAX_MOVES == 0)
			continue;
		struct chess next = *s;
		chess_play(&next, list[i].move);
		m->nodes++;
		if (refuted(m, &next, moves - 1) && !m->stopped) {
			*out = list[i].move;
			keep(m, s, moves, true, *out);
			return true;
		}
	}
	if (!m->stopped)
		keep(m, s, moves, false, 0);
	return false;
}

/* ---- the result ---- */

/* The fewest moves in which the attacker mates, at most `most`. */
static int shortest(struct mate_search *m, const struct chess *s, int most, qv_move *out)
{
	for (int moves = 1; moves <= most; moves++)
		if (attack(m, s, moves, out))
			return moves;
	return most + 1;
}

/* The reply that lasts longest. */
static qv_move longest_defence(struct mate_search *m, const struct chess *s, int most)
{
	qv_move list[CHESS_MAX_MOVES], key, best = QV_NO_MOVE;
	const int n = chess_moves(s, list);
	int longest = 0;
	for (int i = 0; i < n; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		const int moves = shortest(m, &next, most, &key);
		if (moves > longest) {
			longest = moves;
			best = list[i];
		}
	}
	return best;
}

static void find_line(struct mate_search *m, const struct chess *s, struct chess_mate *out)
{
	struct chess here = *s;
	qv_move move = out->keys[0];
	for (int moves = out->moves;; moves--) {
		out->line[out->line_length++] = move;
		chess_play(&here, move);
		if (moves == 1)
			return;
		move = longest_defence(m, &here, moves - 1);
		if (move == QV_NO_MOVE || m->stopped)
			return;
		out->line[out->line_length++] = move;
		chess_play(&here, move);
		shortest(m, &here, moves - 1, &move);
		if (m->stopped)
			return;
	}
}

/* Every first move that mates in exactly `moves`, where no mate is shorter. */
static void find_keys(struct mate_search *m, const struct chess *s, int moves,
		      struct chess_mate *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	out->key_count = 0;
	for (int i = 0; i < n && !m->stopped; i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		m->nodes++;
		const bool mates = moves == 1
					   ? chess_checkers(&next) && !chess_can_move(&next)
					   : chess_can_move(&next) && refuted(m, &next, moves - 1);
		if (mates && !m->stopped)
			out->keys[out->key_count++] = list[i];
	}
}

enum qv_status chess_mate(const struct qv_allocator *a, const struct chess *s, int most,
			  size_t hash_bytes, const atomic_bool *stop, struct chess_mate *out,
			  struct qv_error *error)
{
	struct mate_search m = { .stop = stop };
	size_t entries = 1024;
	*out = (struct chess_mate){ 0 };
	if (most < 1 || most > CHESS_MOST_MATE)
		return qv_fail(error, QV_BAD_INPUT, "mate: the number of moves must be 1 to %d",
			       CHESS_MOST_MATE);
	while (entries * 2 * sizeof *m.table <= hash_bytes)
		entries *= 2;
	m.table = mem_new(a, entries, sizeof *m.table);
	if (!m.table)
		return qv_fail(error, QV_NO_MEMORY, "mate: out of memory");
	m.mask = entries - 1;
	for (int moves = 1; moves <= most && !out->moves && !m.stopped; moves++) {
		qv_move key;
		if (attack(&m, s, moves, &key))
			out->moves = moves;
	}
	if (out->moves)
		find_keys(&m, s, out->moves, out);
	if (out->moves && !m.stopped)
		find_line(&m, s, out);
	out->nodes = m.nodes;
	mem_free(a, m.table, entries * sizeof *m.table);
	return m.stopped ? qv_fail(error, QV_STOPPED, "mate: stopped") : QV_OK;
}
