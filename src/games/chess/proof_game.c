/*
 * proof_game.c - chess: finds all games with a given number of plies from the start to a position.
 * SPDX-License-Identifier: MIT
 *
 * Every legal move of both sides is tried, except where the moves left are too few. Each square of
 * the target that is not yet right needs a piece of its own, and that takes at least as many moves
 * as the nearest piece of the kind needs on an empty board. Castling counts as one move of two
 * pieces. Surplus pieces must be captured, each by one move of the other side. Positions that occur
 * several ways are counted once and remembered.
 */
#include "games/chess/proof_game.h"

enum { FAR = 99, POLL_EVERY = 4096 };

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
	uint64_t mask, nodes, polled;
	uint8_t distance[CHESS_KINDS][64][64]; /* on an empty board; of pieces */
	bool stopped, enough;
	qv_move line[CHESS_MOST_PROOF];
};

/* ---- Distances ---- */

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
	const int rows = side == CHESS_WHITE ? chess_row(to) - chess_row(from)
					     : chess_row(from) - chess_row(to);
	const int files = chess_file(to) > chess_file(from) ? chess_file(to) - chess_file(from)
							    : chess_file(from) - chess_file(to);
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

/* King and rooks: as they stand, or with castling first, which moves two pieces at once. */
static int castle_needs(const struct proof *p, const struct chess *s, int side, int room)
{
	const uint64_t king = chess_of(s, side, CHESS_KING), rooks = chess_of(s, side, CHESS_ROOK);
	const int row = side == CHESS_WHITE ? 0 : 56, shift = side == CHESS_WHITE ? 0 : 2;
	int best = kind_needs(p, s, side, CHESS_KING, king, room) +
		   kind_needs(p, s, side, CHESS_ROOK, rooks, room);
	for (int way = 0; way < 2; way++) {
		if (!(s->castling >> shift & (way ? CHESS_WHITE_LONG : CHESS_WHITE_SHORT)))
			continue;
		const uint64_t to = chess_bit(row + (way ? CHESS_C1 : CHESS_G1));
		const uint64_t rooks_then =
			(rooks & ~chess_bit(row + (way ? CHESS_A1 : CHESS_H1))) |
			chess_bit(row + (way ? CHESS_D1 : CHESS_F1));
		const int needed = 1 + kind_needs(p, s, side, CHESS_KING, to, room) +
				   kind_needs(p, s, side, CHESS_ROOK, rooks_then, room);
		best = needed < best ? needed : best;
	}
	return best;
}

/* Whether a side can still make its part of the target in this many moves. */
static bool can_make(const struct proof *p, const struct chess *s, int side, int moves,
		     int moves_of_other)
{
	const int surplus = bits_count(s->side[side]) - bits_count(p->target->side[side]);
	int needed = 0;
	if (surplus < 0 || surplus > moves_of_other)
		return false;
	for (int kind = CHESS_PAWN; kind < CHESS_KING && needed <= moves; kind++)
		if (kind != CHESS_ROOK)
			needed += kind_needs(p, s, side, kind, chess_of(s, side, kind), moves);
	return needed <= moves && needed + castle_needs(p, s, side, moves) <= moves;
}

/* ---- Counting ---- */

static bool is_target(const struct proof *p, const struct chess *s)
{
	for (int kind = 0; kind < CHESS_KINDS; kind++)
		if (s->kind[kind] != p->target->kind[kind])
			return false;
	return s->side[0] == p->target->side[0] &&
	       (!p->how->rights || s->castling == p->target->castling);
}

static struct count_entry *entry_of(struct proof *p, const struct chess *s, int plies)
{
	return &p->table[(s->key + (uint64_t)plies * UINT64_C(0x9e3779b97f4a7c15)) & p->mask];
}

static bool goes_on(struct proof *p)
{
	if (p->nodes - p->polled >= POLL_EVERY) {
		p->polled = p->nodes;
		p->stopped =
			p->how->stop && atomic_load_explicit(p->how->stop, memory_order_relaxed);
	}
	return !p->stopped;
}

static uint64_t count(struct proof *p, const struct chess *s, int plies)
{
	if (!plies)
		return is_target(p, s);
	const int mine = (plies + 1) / 2, theirs = plies / 2;
	if (!can_make(p, s, s->turn, mine, theirs) || !can_make(p, s, 1 - s->turn, theirs, mine))
		return 0;
	struct count_entry *k = entry_of(p, s, plies);
	if (k->full && k->key == s->key && k->plies == plies)
		return k->games;
	qv_move list[CHESS_MAX_MOVES];
	const int n = chess_moves(s, list);
	uint64_t games = 0;
	for (int i = 0; i < n && goes_on(p); i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		p->nodes++;
		games += count(p, &next, plies - 1);
	}
	if (!p->stopped)
		*entry_of(p, s, plies) =
			(struct count_entry){ s->key, games, (uint8_t)plies, true };
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
	for (int i = 0; i < n && !p->enough && goes_on(p); i++) {
		struct chess next = *s;
		chess_play(&next, list[i]);
		p->nodes++;
		p->line[p->how->plies - plies] = list[i];
		if (count(p, &next, plies - 1))
			report_games(p, &next, plies - 1);
	}
}

enum qv_status chess_proof_games(const struct qv_allocator *a, const struct chess_proof *how,
				 uint64_t *games, uint64_t *nodes, struct qv_error *error)
{
	size_t entries = 1024;
	struct chess start;
	if (how->plies < 0 || how->plies > CHESS_MOST_PROOF)
		return qv_fail(error, QV_BAD_INPUT,
			       "proof game: the number of plies must be 0 to %d", CHESS_MOST_PROOF);
	while (entries * 2 * sizeof(struct count_entry) <= how->hash_bytes)
		entries *= 2;
	struct proof *p = mem_new(a, 1, sizeof *p);
	struct count_entry *table = mem_new(a, entries, sizeof *table);
	if (!p || !table) {
		mem_free(a, p, sizeof *p);
		mem_free(a, table, entries * sizeof *table);
		return qv_fail(error, QV_NO_MEMORY, "proof game: out of memory");
	}
	p->how = how;
	p->target = how->target;
	p->table = table;
	p->mask = entries - 1;
	fill_distances(p);
	chess_start(&start, NULL);
	*games = count(p, &start, how->plies);
	if (*games && how->game && !p->stopped)
		report_games(p, &start, how->plies);
	*nodes = p->nodes;
	const bool stopped = p->stopped;
	mem_free(a, table, entries * sizeof *table);
	mem_free(a, p, sizeof *p);
	return stopped ? qv_fail(error, QV_STOPPED, "proof game: stopped") : QV_OK;
}
