/*
 * puzzles.c - chess puzzles: mate in N, and proof games.
 * SPDX-License-Identifier: MIT
 *
 * Mate in N is a full-width AND/OR search. The attacker needs one move after which every reply
 * allows mate in one move less. N grows from 1, so the first mate found is the shortest. What saves
 * time: a reply that refuted one attempt is tried first against the next (killers, by distance to
 * the end); checks that leave few replies come first; the last move must be a check; and a table
 * stores, for each position of the attacker, what is proven and what is refuted.
 *
 * A proof game is found by trying every legal move of both sides, except where the moves left are
 * too few. Each square of the target that is not yet right needs its own piece, and that takes at
 * least as many moves as the nearest piece of the kind needs on an empty board. Castling counts as
 * one move of two pieces. Surplus pieces must be captured, each by one move of the other side.
 * Positions that occur several ways are counted once, and a table stores the counts.
 */
#include "games/chess/puzzles.h"

#include "search/solver.h"

enum { KILLERS = 2, FAR = 99, POLL_EVERY = 4096 };

/* Moves played, and the limits of a search, which are checked every POLL_EVERY moves. */
struct effort {
	uint64_t nodes, polled;
	const struct qv_solve_limits *limits; /* NULL: none */
	bool stopped;
};

static bool must_stop(struct effort *e)
{
	if (e->nodes - e->polled >= POLL_EVERY) {
		e->polled = e->nodes;
		e->stopped = e->limits && solve_must_stop(e->limits, e->nodes);
	}
	return e->stopped;
}

/* The position after a move, which counts as a node. */
static struct chess after(struct effort *e, const struct chess *s, qv_move move)
{
	struct chess next = *s;
	chess_play(&next, move);
	e->nodes++;
	return next;
}

/* The largest power of two of entries that fits, at least 1024. */
static size_t entries_in(size_t bytes, size_t entry_size)
{
	size_t entries = 1024;
	while (entries * 2 * entry_size <= bytes)
		entries *= 2;
	return entries;
}

/* ---- mate ---- */

struct mate_entry {
	uint64_t key;
	uint8_t mates_in; /* proven; 0: unknown */
	uint8_t not_in;	  /* refuted up to here */
	uint16_t move;	  /* the mating move */
	uint32_t spare;
};

struct mate_search {
	struct mate_entry *table;
	uint64_t mask;
	qv_move killers[CHESS_MOST_MATE + 1][KILLERS]; /* replies, by moves left */
	struct effort effort;
};

/* Whether a move mates at once; only checks are tried. */
static bool mate_in_one(struct mate_search *m, const struct chess *s, qv_move *out)
{
	qv_move list[CHESS_MAX_MOVES];
	struct chess_checks checks;
	chess_checks_init(&checks, s);
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++) {
		if (!chess_gives_check(s, &checks, list[i]))
			continue;
		const struct chess next = after(&m->effort, s, list[i]);
		if (!chess_can_move(&next)) {
			*out = list[i];
			return true;
		}
	}
	return false;
}

/* Stores that the side to move mates within `moves`, or does not. */
static void keep(struct mate_search *m, const struct chess *s, int moves, bool mates, qv_move move)
{
	struct mate_entry *e = &m->table[s->key & m->mask];
	if (e->key != s->key)
		*e = (struct mate_entry){ .key = s->key };
	if (mates && (!e->mates_in || moves < e->mates_in)) {
		e->mates_in = (uint8_t)moves;
		e->move = (uint16_t)move;
	}
	if (!mates && moves > e->not_in)
		e->not_in = (uint8_t)moves;
}

static bool attack(struct mate_search *m, const struct chess *s, int moves, qv_move *out);

/* Whether every reply allows mate within `moves`. The side to move has legal moves, or is mated. */
static bool refuted(struct mate_search *m, const struct chess *s, int moves)
{
	qv_move list[CHESS_MAX_MOVES], key;
	const int n = chess_moves(s, list);
	if (!n)
		return chess_checkers(s) != 0;
	/* Killers to the front. */
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
		const struct chess next = after(&m->effort, s, list[i]);
		if (must_stop(&m->effort))
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

/* A move of the attacker. */
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
		const struct chess next = after(&m->effort, s, list[i]);
		struct attempt a = { list[i], chess_count(&next) };
		if (!chess_gives_check(s, &checks, list[i]))
			a.replies += CHESS_MAX_MOVES;
		/* Insertion sort. */
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
	const struct mate_entry *e = &m->table[s->key & m->mask];
	if (moves == 1)
		return mate_in_one(m, s, out);
	/* What the table knows. */
	if (e->key == s->key && e->mates_in && e->mates_in <= moves) {
		*out = e->move;
		return true;
	}
	if (e->key == s->key && e->not_in >= moves)
		return false;
	if (mate_in_one(m, s, out)) {
		keep(m, s, 1, true, *out);
		return true;
	}
	const int n = attempts_of(m, s, list);
	for (int i = 0; i < n && !m->effort.stopped; i++) {
		/* Stalemate, or mate in one, which was already tested. */
		if (list[i].replies % CHESS_MAX_MOVES == 0)
			continue;
		const struct chess next = after(&m->effort, s, list[i].move);
		if (refuted(m, &next, moves - 1) && !m->effort.stopped) {
			*out = list[i].move;
			keep(m, s, moves, true, *out);
			return true;
		}
	}
	if (!m->effort.stopped)
		keep(m, s, moves, false, 0);
	return false;
}

/* The fewest moves in which the attacker mates; most + 1: it does not within `most`. */
static int shortest(struct mate_search *m, const struct chess *s, int most, qv_move *out)
{
	for (int moves = 1; moves <= most; moves++)
		if (attack(m, s, moves, out))
			return moves;
	return most + 1;
}

/* Fills in out->line: the first key, then the replies that last longest and the shortest mates. */
static void find_line(struct mate_search *m, const struct chess *s, struct chess_mate *out)
{
	struct chess here = *s;
	qv_move list[CHESS_MAX_MOVES], move = out->keys[0], key;
	for (int moves = out->moves;; moves--) {
		out->line[out->line_length++] = move;
		chess_play(&here, move);
		if (moves == 1)
			return;
		const int n = chess_moves(&here, list);
		int longest = 0;
		for (int i = 0; i < n; i++) {
			struct chess next = here;
			chess_play(&next, list[i]);
			const int lasts = shortest(m, &next, moves - 1, &key);
			if (lasts > longest) {
				longest = lasts;
				move = list[i];
			}
		}
		if (!longest || m->effort.stopped)
			return;
		out->line[out->line_length++] = move;
		chess_play(&here, move);
		shortest(m, &here, moves - 1, &move);
		if (m->effort.stopped)
			return;
	}
}

/* Every first move that mates in exactly out->moves, where no mate is shorter. */
static void find_keys(struct mate_search *m, const struct chess *s, struct chess_mate *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	for (int i = 0; i < n && !m->effort.stopped; i++) {
		const struct chess next = after(&m->effort, s, list[i]);
		const bool can_move = chess_can_move(&next);
		const bool mates = out->moves == 1 ? !can_move && chess_checkers(&next)
						   : can_move && refuted(m, &next, out->moves - 1);
		if (mates && !m->effort.stopped)
			out->keys[out->key_count++] = list[i];
	}
}

enum qv_status chess_mate(const struct qv_allocator *a, const struct chess *s, int most,
			  size_t hash_bytes, const struct qv_solve_limits *limits,
			  struct chess_mate *out, struct qv_error *error)
{
	struct mate_search m = { .effort.limits = limits };
	const size_t entries = entries_in(hash_bytes, sizeof *m.table);
	qv_move key;
	*out = (struct chess_mate){ 0 };
	if (most < 1 || most > CHESS_MOST_MATE)
		return qv_fail(error, QV_BAD_INPUT, "mate: the number of moves must be 1 to %d",
			       CHESS_MOST_MATE);
	m.table = mem_new(a, entries, sizeof *m.table);
	if (!m.table)
		return qv_fail(error, QV_NO_MEMORY, "mate: out of memory");
	m.mask = entries - 1;
	for (int moves = 1; moves <= most && !out->moves && !m.effort.stopped; moves++)
		out->moves = attack(&m, s, moves, &key) ? moves : 0;
	if (out->moves)
		find_keys(&m, s, out);
	if (out->moves && !m.effort.stopped)
		find_line(&m, s, out);
	out->nodes = m.effort.nodes;
	mem_free(a, m.table, entries * sizeof *m.table);
	return m.effort.stopped ? qv_fail(error, QV_STOPPED, "mate: stopped") : QV_OK;
}

/* ---- proof games: the fewest moves still needed ---- */

struct count_entry {
	uint64_t key;
	uint64_t games;
	uint8_t plies;
	bool full;
};

struct proof {
	const struct chess_proof *how;
	const struct chess *target;
	struct count_entry *table;
	uint64_t mask;
	struct effort effort;
	uint8_t distance[CHESS_KINDS][64][64]; /* of pieces on an empty board */
	bool enough;			       /* the caller wants no more games */
	qv_move line[CHESS_MOST_PROOF];
};

/* Breadth-first from every square, for all kinds but pawns. */
static void fill_distances(struct proof *p)
{
	for (int kind = CHESS_KNIGHT; kind < CHESS_KINDS; kind++)
		for (int from = 0; from < 64; from++) {
			memset(p->distance[kind][from], FAR, 64);
			uint64_t reached = chess_bit(from), edge = reached;
			for (uint8_t moves = 0; edge; moves++) {
				uint64_t next = 0;
				for (; edge; edge = bits_rest(edge)) {
					p->distance[kind][from][bits_lowest(edge)] = moves;
					next |= chess_attacks(kind, bits_lowest(edge), 0);
				}
				edge = next & ~reached;
				reached |= edge;
			}
		}
}

/* Moves of a pawn of that side from square to square; it changes files by capturing. */
static int pawn_distance(int side, int from, int to)
{
	const int up = chess_row(to) - chess_row(from), rows = side == CHESS_WHITE ? up : -up;
	const int right = chess_file(to) - chess_file(from), files = right < 0 ? -right : right;
	const bool home = chess_row(from) == (side == CHESS_WHITE ? 1 : 6);
	if (rows < files)
		return FAR;
	return rows - (home && rows >= 2 && files <= rows - 2);
}

/* The fewest moves that bring one of these pieces, or a promoted pawn, to the square. */
static int nearest(const struct proof *p, uint64_t pieces, uint64_t pawns, int side, int kind,
		   int to)
{
	int best = FAR;
	for (; pieces; pieces = bits_rest(pieces)) {
		const int from = bits_lowest(pieces);
		const int d = kind == CHESS_PAWN ? pawn_distance(side, from, to)
						 : p->distance[kind][from][to];
		best = d < best ? d : best;
	}
	if (kind == CHESS_PAWN || kind == CHESS_KING)
		return best;
	/* Or a pawn promotes on any square of the last row, and goes on from there. */
	for (; pawns; pawns = bits_rest(pawns)) {
		const int from = bits_lowest(pawns), row = side == CHESS_WHITE ? 56 : 0;
		for (int file = 0; file < 8; file++) {
			const int way = pawn_distance(side, from, row + file);
			const int d = way + p->distance[kind][row + file][to];
			best = way < FAR && d < best ? d : best;
		}
	}
	return best;
}

/*
 * Moves that the pieces of a kind need at least; above `room` any number above it may be returned.
 */
static int kind_needs(const struct proof *p, const struct chess *s, int side, int kind,
		      uint64_t pieces, int room)
{
	/* A quick bound first: one move for each missing piece. */
	uint64_t missing = chess_of(p->target, side, kind) & ~pieces;
	int needed = bits_count(missing);
	if (needed > room)
		return needed;
	needed = 0;
	for (; missing && needed <= room; missing = bits_rest(missing))
		needed += nearest(p, pieces, chess_of(s, side, CHESS_PAWN), side, kind,
				  bits_lowest(missing));
	return needed;
}

/*
 * Whether a side can still make its part of the target in this many moves. King and rooks go as
 * they stand, or castle first, which moves two pieces at once.
 */
static bool can_make(const struct proof *p, const struct chess *s, int side, int moves,
		     int moves_of_other)
{
	const uint64_t king = chess_of(s, side, CHESS_KING), rooks = chess_of(s, side, CHESS_ROOK);
	const int surplus = bits_count(s->side[side]) - bits_count(p->target->side[side]);
	int needed = 0;
	if (surplus < 0 || surplus > moves_of_other)
		return false;
	for (int kind = CHESS_PAWN; kind < CHESS_KING && needed <= moves; kind++)
		if (kind != CHESS_ROOK)
			needed += kind_needs(p, s, side, kind, chess_of(s, side, kind), moves);
	if (needed > moves)
		return false;
	int best = kind_needs(p, s, side, CHESS_KING, king, moves) +
		   kind_needs(p, s, side, CHESS_ROOK, rooks, moves);
	for (int way = 0; way < 2; way++) {
		const int row = 56 * side, right = way ? CHESS_WHITE_LONG : CHESS_WHITE_SHORT;
		const uint64_t to = chess_bit(row + (way ? CHESS_C1 : CHESS_G1));
		const uint64_t corner = chess_bit(row + (way ? CHESS_A1 : CHESS_H1));
		const uint64_t beside = chess_bit(row + (way ? CHESS_D1 : CHESS_F1));
		if (!(s->castling >> 2 * side & right))
			continue;
		const int castled =
			1 + kind_needs(p, s, side, CHESS_KING, to, moves) +
			kind_needs(p, s, side, CHESS_ROOK, (rooks & ~corner) | beside, moves);
		best = castled < best ? castled : best;
	}
	return needed + best <= moves;
}

/* ---- proof games: counting ---- */

/* Counts the games that lead from the position to the target in exactly `plies`. */
static uint64_t count(struct proof *p, const struct chess *s, int plies)
{
	const struct chess *target = p->target;
	if (!plies)
		return memcmp(s->kind, target->kind, sizeof s->kind) == 0 &&
		       s->side[0] == target->side[0] &&
		       (!p->how->rights || s->castling == target->castling);
	const int mine = (plies + 1) / 2, theirs = plies / 2;
	if (!can_make(p, s, s->turn, mine, theirs) || !can_make(p, s, 1 - s->turn, theirs, mine))
		return 0;
	/* The same position with other plies left is another entry. */
	const uint64_t place = s->key + (uint64_t)plies * UINT64_C(0x9e3779b97f4a7c15);
	struct count_entry *k = &p->table[place & p->mask];
	if (k->full && k->key == s->key && k->plies == plies)
		return k->games;
	qv_move list[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	uint64_t games = 0;
	for (int i = 0; i < n && !must_stop(&p->effort); i++) {
		const struct chess next = after(&p->effort, s, list[i]);
		games += count(p, &next, plies - 1);
	}
	if (!p->effort.stopped)
		*k = (struct count_entry){ s->key, games, (uint8_t)plies, true };
	return games;
}

/* Reports every game to how->game; only paths that lead to the target are followed. */
static void report_games(struct proof *p, const struct chess *s, int plies)
{
	if (!plies) {
		p->enough = !p->how->game(p->how->ctx, p->line);
		return;
	}
	qv_move list[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	for (int i = 0; i < n && !p->enough && !must_stop(&p->effort); i++) {
		const struct chess next = after(&p->effort, s, list[i]);
		p->line[p->how->plies - plies] = list[i];
		if (count(p, &next, plies - 1))
			report_games(p, &next, plies - 1);
	}
}

enum qv_status chess_proof_games(const struct qv_allocator *a, const struct chess_proof *how,
				 uint64_t *games, uint64_t *nodes, struct qv_error *error)
{
	const size_t entries = entries_in(how->hash_bytes, sizeof(struct count_entry));
	struct chess start;
	if (how->plies < 0 || how->plies > CHESS_MOST_PROOF)
		return qv_fail(error, QV_BAD_INPUT,
			       "proof game: the number of plies must be 0 to %d", CHESS_MOST_PROOF);
	struct proof *p = mem_new(a, 1, sizeof *p);
	struct count_entry *table = mem_new(a, entries, sizeof *table);
	enum qv_status status = QV_OK;
	if (!p || !table) {
		status = qv_fail(error, QV_NO_MEMORY, "proof game: out of memory");
		goto done;
	}
	p->how = how;
	p->target = how->target;
	p->table = table;
	p->mask = entries - 1;
	p->effort.limits = how->limits;
	fill_distances(p);
	chess_start(&start, NULL);
	*games = count(p, &start, how->plies);
	if (*games && how->game && !p->effort.stopped)
		report_games(p, &start, how->plies);
	*nodes = p->effort.nodes;
	if (p->effort.stopped)
		status = qv_fail(error, QV_STOPPED, "proof game: stopped");
done:
	mem_free(a, table, entries * sizeof *table);
	mem_free(a, p, sizeof *p);
	return status;
}
