/*
 * plain.c - the plain search that checks puzzles (plain.h).
 * SPDX-License-Identifier: MIT
 *
 * An AND/OR search of fixed depth and an alpha-beta search to the end of the game, each with a table
 * of results and one killer move per ply.
 */
#include "puzzle/plain.h"

#include "base/flag.h"

static const struct plain_hints all_hints[] = {
	{ .game = "draughts", .worth = draughts_pieces },
	{ .game = "gomoku", .keep = gomoku_keep_what_matters },
	{ .game = "reversi", .squares = 64 },
	{ 0 },
};

enum qv_status plain_init(struct plain *p, const struct qv_allocator *a,
			  const struct qv_game *game, struct qv_error *error)
{
	*p = (struct plain){ .game = game, .allocator = a };
	for (const struct plain_hints *h = all_hints; h->game; h++)
		if (strcmp(h->game, game->name) == 0)
			p->hints = h;
	p->table = mem_new(a, PLAIN_TABLE, sizeof *p->table);
	p->states = mem_new(a, PLAIN_DEPTH + 1, game->state_size);
	p->moves = mem_new(a, (PLAIN_DEPTH + 1) * (size_t)game->max_moves, sizeof *p->moves);
	if (p->table && p->states && p->moves)
		return QV_OK;
	plain_release(p);
	return qv_fail(error, QV_NO_MEMORY, "puzzle: out of memory");
}

void plain_release(struct plain *p)
{
	if (!p->game)
		return;
	mem_free(p->allocator, p->table, PLAIN_TABLE * sizeof *p->table);
	mem_free(p->allocator, p->states, (PLAIN_DEPTH + 1) * p->game->state_size);
	mem_free(p->allocator, p->moves,
		 (PLAIN_DEPTH + 1) * (size_t)p->game->max_moves * sizeof *p->moves);
	*p = (struct plain){ 0 };
}

/* What a seat's pieces are worth for a gain. */
static int32_t worth(const struct plain *p, const void *state, int seat)
{
	return p->hints && p->hints->worth ? p->hints->worth(state, seat)
					   : p->game->material(state, seat);
}

int32_t plain_lead(const struct plain *p, const void *state)
{
	return worth(p, state, p->attacker) - worth(p, state, 1 - p->attacker);
}

void plain_forget(struct plain *p)
{
	memset(p->table, 0, PLAIN_TABLE * sizeof *p->table);
	p->nodes = 0;
}

/* Sets the goal, and what tells its answers from others in the table. */
static void set_goal(struct plain *p, const struct puzzle_goal *goal)
{
	p->goal = *goal;
	p->salt = qv_mix((uint64_t)goal->kind << 40 ^ (uint64_t)(uint32_t)(p->base + goal->amount)
				 << 8 ^ (uint64_t)p->attacker);
}

void plain_aim(struct plain *p, const void *root, const struct puzzle_goal *goal)
{
	p->attacker = p->game->seat(root);
	p->base = goal->kind == PUZZLE_GAIN ? plain_lead(p, root) : 0;
	set_goal(p, goal);
	for (int i = 0; i <= PLAIN_DEPTH; i++)
		p->killers[i] = QV_NO_MOVE;
}

static bool must_stop(const struct plain *p)
{
	return (p->most && p->nodes >= p->most) ||
	       flag_is_set(p->stop);
}

/* Lists the moves: the killer first, then by rank. */
static int list_moves(struct plain *p, const void *state, int plies, int ply, qv_move *list)
{
	const struct qv_game *g = p->game;
	int n = g->moves(state, list);
	if (g->seat(state) == QV_CHANCE)
		return n;
	if (p->hints && p->hints->keep)
		n = p->hints->keep(state, list, n, (plies + 1) / 2,
				   g->seat(state) == p->attacker);
	int32_t ranks[QV_MAX_MOVES];
	for (int i = 0; i < n; i++) {
		const qv_move move = list[i];
		const int32_t rank = move == p->killers[ply] ? INT32_MAX
				     : g->rank		     ? g->rank(state, move)
							     : 0;
		int at = i;
		for (; at && ranks[at - 1] < rank; at--) {
			list[at] = list[at - 1];
			ranks[at] = ranks[at - 1];
		}
		list[at] = move;
		ranks[at] = rank;
	}
	return n;
}

static struct plain_entry *entry_of(const struct plain *p, uint64_t key)
{
	return &p->table[key & (PLAIN_TABLE - 1)];
}

/* Whether the seat to move takes material with every move, as where captures are compulsory. */
static bool must_capture(struct plain *p, const void *state, int ply)
{
	const struct qv_game *g = p->game;
	qv_move *list = &p->moves[(size_t)ply * (size_t)g->max_moves];
	unsigned char *next = &p->states[(size_t)ply * g->state_size];
	const int n = g->moves(state, list), enemy = 1 - g->seat(state);
	const int32_t before = worth(p, state, enemy);
	for (int i = 0; i < n; i += n > 1 ? n - 1 : 1) { /* the first and the last */
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		if (worth(p, next, enemy) >= before)
			return false;
	}
	return true;
}

static bool gained(const struct plain *p, const void *state)
{
	return plain_lead(p, state) - p->base >= p->goal.amount;
}

static enum plain_answer search(struct plain *p, const void *state, int plies, int ply);

/* Tries the moves: the attacker needs one that works, the others one that does not. */
static enum plain_answer try_moves(struct plain *p, const void *state, int plies, int ply)
{
	const struct qv_game *g = p->game;
	qv_move *list = &p->moves[(size_t)ply * (size_t)g->max_moves];
	unsigned char *next = &p->states[(size_t)ply * g->state_size];
	const bool attacks = g->seat(state) == p->attacker;
	const enum plain_answer wanted = attacks ? PLAIN_YES : PLAIN_NO;
	const int n = list_moves(p, state, plies, ply, list);
	bool unknown = false;
	for (int i = 0; i < n; i++) {
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		p->nodes++;
		const enum plain_answer answer = search(p, next, plies - 1, ply + 1);
		if (answer == wanted) {
			p->killers[ply] = list[i];
			return answer;
		}
		unknown |= answer == PLAIN_UNKNOWN;
		if (unknown && must_stop(p))
			return PLAIN_UNKNOWN;
	}
	return unknown ? PLAIN_UNKNOWN : attacks ? PLAIN_NO : PLAIN_YES;
}

static enum plain_answer search(struct plain *p, const void *state, int plies, int ply)
{
	const struct qv_game *g = p->game;
	int32_t points[QV_MAX_SEATS];
	if (g->result(state, points) != QV_GOING) {
		if (qv_winner(g, points) != p->attacker)
			return PLAIN_NO;
		/* Only what was captured is a gain: a player with one piece cannot lose two. */
		return p->goal.kind == PUZZLE_WIN || gained(p, state) ? PLAIN_YES : PLAIN_NO;
	}
	if (plies <= 0 && p->goal.kind == PUZZLE_WIN)
		return PLAIN_NO;
	if (ply == PLAIN_DEPTH || must_stop(p))
		return PLAIN_UNKNOWN;
	/* Material counts when the captures that must be made are over. */
	if (plies <= 0 && !must_capture(p, state, ply))
		return gained(p, state) ? PLAIN_YES : PLAIN_NO;
	const uint64_t key = qv_mix(g->hash(state) ^ p->salt) +
			     (uint64_t)(plies + PLAIN_DEPTH) * UINT64_C(0x9e3779b97f4a7c15);
	struct plain_entry *entry = entry_of(p, qv_mix(key));
	if (entry->key == key)
		return (enum plain_answer)entry->value;
	const enum plain_answer answer = try_moves(p, state, plies, ply);
	if (answer != PLAIN_UNKNOWN)
		*entry = (struct plain_entry){ key, (int32_t)answer };
	return answer;
}

enum plain_answer plain_forces(struct plain *p, const void *state, int plies)
{
	return search(p, state, plies, 1);
}

enum plain_answer plain_move_forces(struct plain *p, const void *state, qv_move move, int plies)
{
	memcpy(p->states, state, p->game->state_size);
	p->game->play(p->states, move);
	p->nodes++;
	return search(p, p->states, plies - 1, 1);
}

enum plain_answer plain_instead(struct plain *p, const void *state,
				const struct puzzle_goal *other)
{
	const struct puzzle_goal asked = p->goal;
	set_goal(p, other);
	const enum plain_answer answer = plain_forces(p, state, other->plies);
	set_goal(p, &asked);
	return answer;
}

/* ---- The final lead ---- */

/* Points of a seat minus those of the other; where the rules say so, the winner fills the board. */
static int32_t final_lead(const struct plain *p, const int32_t *points, int seat)
{
	const int32_t lead = points[seat] - points[1 - seat];
	const int squares = p->hints ? p->hints->squares : 0;
	const int32_t empty = squares ? squares - points[0] - points[1] : 0;
	return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
}

static int32_t margin(struct plain *p, const void *state, int32_t alpha, int32_t beta, int ply,
		      bool *known)
{
	const struct qv_game *g = p->game;
	int32_t points[QV_MAX_SEATS];
	const int seat = g->seat(state);
	if (g->result(state, points) != QV_GOING)
		return final_lead(p, points, seat);
	if (ply == PLAIN_DEPTH || must_stop(p)) {
		*known = false;
		return 0;
	}
	/* Only null windows use the table: an entry tells on which side of alpha the value lies. */
	const bool null = beta == alpha + 1;
	const uint64_t key = qv_mix(g->hash(state) ^ p->salt) +
			     (uint64_t)(uint32_t)alpha * UINT64_C(0x9e3779b97f4a7c15);
	struct plain_entry *entry = entry_of(p, qv_mix(key));
	if (null && entry->key == key)
		return entry->value;
	qv_move *list = &p->moves[(size_t)ply * (size_t)g->max_moves];
	unsigned char *next = &p->states[(size_t)ply * g->state_size];
	const int n = list_moves(p, state, PLAIN_DEPTH, ply, list);
	int32_t best = INT32_MIN, from = alpha;
	for (int i = 0; i < n && *known && from < beta; i++) {
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		p->nodes++;
		const bool same = g->seat(next) == seat;
		const int32_t value = same ? margin(p, next, from, beta, ply + 1, known)
					   : -margin(p, next, -beta, -from, ply + 1, known);
		best = value > best ? value : best;
		if (value > from) {
			from = value;
			p->killers[ply] = list[i];
		}
	}
	if (null && *known)
		*entry = (struct plain_entry){ key, best };
	return best;
}

int32_t plain_margin(struct plain *p, const void *state, int32_t alpha, int32_t beta, bool *known)
{
	*known = true;
	return margin(p, state, alpha, beta, 1, known);
}
