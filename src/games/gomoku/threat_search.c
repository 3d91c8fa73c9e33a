/*
 * threat_search.c - go-moku: alpha-beta with wins by threats, few moves at each node, and forced
 * replies.
 * SPDX-License-Identifier: MIT
 *
 * The driver of the two-player search (duel.c) runs it: iterations, threads, limits, table. At each
 * node a search for a win by fours comes first (vcf.h), and some plies before the horizon one for a
 * win by threats, too (vct.h). Then:
 *
 *  - A four of the opponent's must be blocked: one move, which costs no depth.
 *  - Against an open three only a few points help: those of its window and own fours.
 *  - Otherwise the points with the highest scores are searched, the more the deeper. If the opponent
 *    threatens a win by fours, the points of that win come first.
 *
 * Wins and losses are always forced: if all of these moves lose, the other points are searched,
 * too. Only in the second case they need not be, since the opponent then makes a straight four.
 */
#include "games/gomoku/threat_search.h"

#include <stdlib.h>

#include "games/gomoku/shapes.h"
#include "games/gomoku/vct.h"
#include "search/duel_inline.h"
#include "search/visit.h"

enum {
	WIDTH = 6, /* moves of a node at depth 1, and how many more by ply of depth */
	WIDTH_STEP = 2,
	MOST_WIDTH = 20,
	ROOT_WIDTH = 48,
	LATE = 3,	   /* moves before reductions begin */
	LEAF_NODES = 40,   /* of the search for fours */
	NODE_NODES = 30,   /* and by ply of depth, up to depth 5 */
	ALARM_NODES = 60,  /* and of the one for fours of the opponent's */
	VCT_DEPTH = 4,	   /* the least depth for a search for threats, */
	VCT_NODES = 40,	   /* its nodes by ply of depth, */
	REPLY_NODES = 400, /* and after a move at the root, with a part of those searched so far */
	REPLY_SHARE = 128,
	ROOT_NODES = 1000, /* and a part of the nodes searched so far */
	CHECK_DEPTH = 4,   /* the same for replies to a move that seems best */
	CHECK_SHARE = 16,
	NULL_DEPTH = 4,
	NULL_LESS = 3,
	EXACT_PLIES = 5,
	MOST_VCF_MOVES = 30,
	KILLERS = 2,
	MOST_HISTORY = 1 << 13,
};

/* Move ordering: what the parts of a score weigh. */
enum {
	OWN_WORTH = 16,
	OTHER_WORTH = 13,
	KILLER_SCORE = 3000,
	ALARM_SCORE = 1 << 20, /* points of the opponent's win by fours */
};

/* ---- Visits ---- */

/* Reports what happens at the node that the listener entered last. */
static void why(const struct duel_worker *w, int ply, enum qv_why reason, int32_t number)
{
	if (w->listener)
		visit_why(w->listener, ply, reason, number);
}

static void enter(const struct duel_worker *w, const struct gomoku *s, qv_move move, int depth,
		  int ply, int32_t alpha, int32_t beta, unsigned flags)
{
	visit_enter(w->listener, &(struct qv_visit){ .state = s,
						     .move = move,
						     .ply = ply,
						     .depth = depth > 0 ? depth : 0,
						     .seat = gomoku_seat(s),
						     .alpha = visit_edge(alpha, DUEL_INFINITE),
						     .beta = visit_edge(beta, DUEL_INFINITE),
						     .flags = flags });
}

/* Reports that a node is left. A stopped search does not leave it. */
static void leave(const struct duel_worker *w, int ply, int32_t alpha, int32_t value)
{
	const struct duel_ply *p = &w->plies[ply];
	if (!w->budget.stopped)
		visit_leave(w->listener, ply, value,
			    p->line_length && value > alpha ? p->line[0] : QV_NO_MOVE);
}

/*
 * Whether a listener follows single moves, as a drawn tree does. It has no place for a pass, nor for
 * an answer without moves, so the search goes without these.
 */
static bool shows_moves(const struct duel_worker *w)
{
	const struct qv_listener *l = w->listener;
	return l && (l->branch || l->node || l->leaf);
}

/* ---- Moves ---- */

struct move_list {
	int n, width; /* the moves after the first `width` are for positions that seem lost */
	uint16_t moves[GOMOKU_MAX_MOVES];
	int32_t scores[GOMOKU_MAX_MOVES];
};

static void add_move(struct move_list *list, int point, int32_t score)
{
	list->moves[list->n] = (uint16_t)point;
	list->scores[list->n++] = score;
}

/* What a stone is worth that makes these threats, or that prevents them. */
static int32_t score_threats(unsigned makes, bool own)
{
	const unsigned straight = makes >> MAKES_STRAIGHT, fours = makes >> MAKES_FOUR & 15;
	const unsigned threes = makes >> MAKES_THREE & 15;
	if (straight || fours > 1)
		return own ? 1600000 : 480000;
	if (fours && threes)
		return own ? 960000 : 128000;
	if (threes > 1)
		return own ? 320000 : 80000;
	return (fours ? 4800 : 0) + (threes ? 4800 : 0);
}

/* Lists all points that the side to move may play, with their scores. */
static void list_all(const struct threat_board *b, struct move_list *list)
{
	const struct gomoku *s = &b->s;
	const int middle = s->size - 1, turn = s->turn;
	list->n = 0;
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int column = bits_lowest(left) - GOMOKU_MARGIN;
			const int point = gomoku_point(row, column);
			/* Without stones near it, a point is the better the nearer to the middle. */
			int32_t score = OWN_WORTH * b->worth[turn][point] +
					OTHER_WORTH * b->worth[1 - turn][point] -
					abs(2 * row - middle) - abs(2 * column - middle);
			for (int colour = 0; colour < 2; colour++) {
				const unsigned makes = b->makes[colour][point];
				if (makes >> MAKES_THREE)
					score += score_threats(makes, colour == turn);
			}
			if (gomoku_allows(s, point))
				add_move(list, point, score);
		}
}

/* Adds to the score of a move. */
static void raise_move(struct move_list *list, qv_move move, int32_t more)
{
	for (int i = 0; i < list->n; i++)
		if (list->moves[i] == move)
			list->scores[i] += more;
}

/*
 * Keeps the moves against an open three of the opponent's and sorts out the others. False: there is
 * none, or nothing helps.
 */
static bool keep_defences(const struct threat_board *b, struct move_list *list)
{
	uint16_t points[GOMOKU_POINTS];
	const int n = threat_board_has(b, 1 - b->s.turn, THREAT_STRAIGHT)
			      ? gomoku_defences(b, points)
			      : -1;
	int kept = 0;
	if (n <= 0)
		return false;
	for (int i = 0; i < list->n; i++) {
		bool helps = false;
		for (int k = 0; k < n; k++)
			helps |= points[k] == list->moves[i];
		if (!helps)
			continue;
		list->moves[kept] = list->moves[i];
		list->scores[kept++] = list->scores[i];
	}
	list->n = list->width = kept;
	return true;
}

/* Raises the points of the win by fours that the opponent would have if it were its turn. */
static void raise_alarm(struct duel_worker *w, struct threat_board *b, struct move_list *list)
{
	const int turn = b->s.turn;
	struct gomoku_vcf v = { .table = w->table, .max_nodes = ALARM_NODES, .quick = true };
	if (!threat_board_has(b, 1 - turn, THREAT_FOUR))
		return;
	gomoku_set_turn(&b->s, 1 - turn);
	const bool wins = gomoku_vcf_on(&v, b, MOST_VCF_MOVES);
	gomoku_set_turn(&b->s, turn);
	w->nodes += v.nodes;
	for (int i = 0; wins && i < v.length; i++)
		raise_move(list, v.line[i], ALARM_SCORE);
}

static int32_t *history_of(struct duel_worker *w, int colour, qv_move move)
{
	return &w->history_table[colour * DUEL_HISTORY + (int)move];
}

/* Lists the moves of a position in which nobody has a four. */
static void list_moves(struct duel_worker *w, struct threat_board *b, int depth, int ply,
		       qv_move first, struct move_list *list)
{
	const int width = WIDTH + WIDTH_STEP * depth;
	list_all(b, list);
	list->width = width < MOST_WIDTH ? width : MOST_WIDTH;
	for (int i = 0; i < list->n; i++)
		list->scores[i] += *history_of(w, b->s.turn, list->moves[i]);
	for (int k = 0; k < KILLERS; k++)
		raise_move(list, w->plies[ply].killers[k], KILLER_SCORE);
	if (keep_defences(b, list))
		why(w, ply, QV_WHY_TOP, list->n);
	else if (depth > 1)
		raise_alarm(w, b, list);
	raise_move(list, first, DUEL_SCORE_TABLE);
}

/* A move caused a cut-off. */
static void reward(struct duel_worker *w, int colour, qv_move move, int depth, int ply)
{
	int32_t *h = history_of(w, colour, move);
	qv_move *killers = w->plies[ply].killers;
	const int32_t bonus = depth < 16 ? 16 * depth * depth : MOST_HISTORY / 2;
	*h += bonus - *h * bonus / MOST_HISTORY;
	if (killers[0] != move) {
		killers[1] = killers[0];
		killers[0] = move;
	}
}

/* ---- Nodes ---- */

/* Searches a win by fours. Its line becomes that of the ply. */
static bool wins_by_fours(struct duel_worker *w, struct threat_board *b, int ply, uint64_t nodes,
			  int32_t *value)
{
	struct gomoku_vcf v = { .table = w->table,
				.max_nodes = nodes,
				.quick = nodes < ROOT_NODES };
	const int room = (DUEL_MAX_PLY - ply) / 2;
	if (!threat_board_has(b, b->s.turn, THREAT_FOUR) || room < 1)
		return false;
	const bool wins = gomoku_vcf_on(&v, b, room < MOST_VCF_MOVES ? room : MOST_VCF_MOVES);
	w->nodes += v.nodes;
	if (!wins)
		return false;
	memcpy(w->plies[ply].line, v.line, (size_t)v.length * sizeof *v.line);
	w->plies[ply].line_length = v.length;
	*value = QV_WIN - ply - v.length;
	return true;
}

/* Stores a result in the table. */
static void store(struct duel_worker *w, uint64_t key, int32_t value, int depth, qv_move move,
		  enum bound bound)
{
	const struct table_entry entry = { .value = value,
					   .depth = depth,
					   .place = move == QV_NO_MOVE ? TABLE_NO_MOVE : (int)move,
					   .bound = bound };
	if (w->table)
		table_put(w->table, key, &entry);
}

/* For a long search for threats: whether the limits of the player's search are reached. */
static bool poll_limits(void *ctx, uint64_t nodes)
{
	struct duel_worker *w = ctx;
	w->nodes += nodes;
	const bool stopped = w->nodes >= w->budget.check_at && duel_poll(w);
	w->nodes -= nodes;
	return stopped;
}

/*
 * Searches a win by threats. A search that failed is not repeated with the same number of nodes, or
 * fewer.
 */
static bool wins_by_threats(struct duel_worker *w, struct threat_board *b, int depth, int ply,
			    uint64_t nodes, int32_t *value)
{
	const uint64_t key = b->s.hash ^ gomoku_key(GOMOKU_KEY_TRIED);
	struct gomoku_vct v = {
		.table = w->table, .max_nodes = nodes, .poll = poll_limits, .ctx = w
	};
	struct table_entry entry;
	if (ply > DUEL_MAX_PLY - 2 * GOMOKU_VCT_MOVES ||
	    !threat_board_has(b, b->s.turn, THREAT_THREE) ||
	    (w->table && table_get(w->table, key, &entry) && entry.value >= (int32_t)nodes))
		return false;
	const bool wins = gomoku_vct_on(&v, b, GOMOKU_VCT_MOVES);
	w->nodes += v.nodes;
	if (!wins && w->budget.stopped)
		return false;
	if (!wins) {
		store(w, key, v.stopped ? (int32_t)nodes : INT32_MAX, 0, QV_NO_MOVE, BOUND_UPPER);
		return false;
	}
	w->plies[ply].line[0] = v.move;
	w->plies[ply].line_length = 1;
	*value = QV_WIN - ply - (2 * v.moves - 1);
	store(w, b->s.hash, duel_to_table(*value, ply), depth, v.move, BOUND_LOWER);
	return true;
}

/* How many nodes a search for threats may take at a node of the search. */
static uint64_t threat_nodes(const struct duel_worker *w, int depth, int ply)
{
	return ply == 1 ? REPLY_NODES + w->nodes / REPLY_SHARE : (uint64_t)(VCT_NODES * depth);
}

/* Loses at once: the opponent has a four that cannot be blocked, or not by an allowed move. */
static int32_t lose(struct duel_worker *w, const struct gomoku *s, int ply, const uint16_t *fives,
		    int n)
{
	struct duel_ply *here = &w->plies[ply];
	int five = fives[0];
	if (n > 1 && gomoku_allows(s, fives[0])) {
		here->line[0] = (qv_move)fives[0];
		five = fives[1];
	} else {
		here->line[0] = gomoku_any_move(s, fives[0]);
	}
	here->line[1] = (qv_move)five;
	here->line_length = 2;
	return ply + 2 - QV_WIN;
}

static int32_t node(struct duel_worker *w, struct threat_board *b, int depth, int ply,
		    int32_t alpha, int32_t beta);

/* `node` as a visit by a move. */
static int32_t visit(struct duel_worker *w, struct threat_board *b, qv_move move, int depth,
		     int ply, int32_t alpha, int32_t beta, unsigned flags)
{
	if (!w->listener)
		return node(w, b, depth, ply, alpha, beta);
	enter(w, &b->s, move, depth, ply, alpha, beta, flags);
	const int32_t value = node(w, b, depth, ply, alpha, beta);
	leave(w, ply, alpha, value);
	return value;
}

static int32_t leaf(struct duel_worker *w, const struct gomoku *s)
{
	w->evals++;
	return duel_clamp(w->custom ? w->custom->evaluate(s, w->weights)
				    : gomoku_evaluate(s, w->weights));
}

/* The same on a board, where the evaluation `shapes` needs no scan. Colours are chosen. */
static int32_t board_leaf(struct duel_worker *w, const struct threat_board *b)
{
	if (!w->custom || w->custom->evaluate != gomoku_shapes_evaluate)
		return leaf(w, &b->s);
	w->evals++;
	return duel_clamp(gomoku_shapes_colour(b, w->weights, 0, NULL));
}

/* Probes the table. Wins and losses count at any depth, since they are forced. */
static bool look_up(struct duel_worker *w, const struct gomoku *s, int depth, int ply,
		    int32_t alpha, int32_t beta, struct table_entry *entry)
{
	if (!w->table || !table_get(w->table, s->hash, entry))
		return false;
	entry->value = duel_from_table(entry->value, ply);
	if (beta > alpha + 1 || (entry->depth < depth && !duel_has_ended(entry->value)) ||
	    (entry->bound == BOUND_LOWER && entry->value < beta) ||
	    (entry->bound == BOUND_UPPER && entry->value > alpha))
		return false;
	w->unproven++;
	why(w, ply, QV_WHY_TABLE, entry->value);
	return true;
}

/* By how many plies a late move is searched less deep; `b` is the position after it. */
static int reduction(const struct threat_board *b, int depth, int tried)
{
	const int mover = 1 - b->s.turn;
	if (depth < 2 || tried < LATE || threat_board_has(b, mover, THREAT_FIVE))
		return 0;
	int less = (1 + bits_highest((uint64_t)depth) * bits_highest((uint64_t)tried)) / 2;
	if (threat_board_has(b, mover, THREAT_STRAIGHT))
		less--; /* it makes a three, or leaves one */
	return less < depth ? less : depth - 1;
}

/* The value of a move: null window first for later moves, reduced if it comes late. */
static int32_t attempt(struct duel_worker *w, struct threat_board *b, qv_move move, int depth,
		       int ply, int32_t alpha, int32_t beta, int tried, unsigned flags)
{
	const int less = reduction(b, depth, tried);
	const unsigned scout = beta > alpha + 1 ? QV_VISIT_SCOUT : 0;
	int32_t v = alpha + 1;
	if (tried || less > 0) {
		v = -visit(w, b, move, depth - less, ply, -alpha - 1, -alpha,
			   flags | scout | (less > 0 ? QV_VISIT_REDUCED : 0));
		flags |= QV_VISIT_AGAIN;
		if (v > alpha && less > 0 && !w->budget.stopped)
			v = -visit(w, b, move, depth, ply, -alpha - 1, -alpha, flags | scout);
		if (v <= alpha || v >= beta || w->budget.stopped)
			return v;
	}
	return -visit(w, b, move, depth, ply, -beta, -alpha, flags);
}

/* For a listener: why a move comes early; first: the table's move. */
static unsigned early(const struct duel_worker *w, qv_move move, qv_move first, int ply)
{
	const qv_move *killers = w->plies[ply].killers;
	return move == first				  ? QV_VISIT_TABLE
	       : move == killers[0] || move == killers[1] ? QV_VISIT_KILLER
							  : 0;
}

/* Searches the listed moves; fail-soft. *best_move is the one that raised alpha last, if any. */
static int32_t search_moves(struct duel_worker *w, struct threat_board *b, struct move_list *list,
			    int depth, int ply, int32_t alpha, int32_t beta, qv_move *best_move)
{
	const struct qv_listener *l = w->listener;
	const qv_move first = *best_move;
	int32_t best = -DUEL_INFINITE;
	for (int tried = 0; tried < list->n; tried++) {
		if (tried >= list->width && !duel_is_loss(best)) {
			w->unproven++;
			why(w, ply, QV_WHY_LATE, tried);
			break;
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		const qv_move move = list->moves[duel_pick(list->scores, list->n)];
		struct threat_undo undo;
		if (l && l->branch)
			l->branch(l->ctx, &b->s, move, ply, alpha, beta);
		threat_board_play(b, (int)move, &undo, true);
		w->nodes++;
		const int32_t v = attempt(w, b, move, depth - 1, ply + 1, alpha, beta, tried,
					  l ? early(w, move, first, ply) : 0);
		threat_board_undo(b, (int)move, &undo, true);
		if (w->budget.stopped)
			return best;
		if (l && l->node)
			l->node(l->ctx, move, ply, v, v >= beta);
		best = v > best ? v : best;
		if (v <= alpha)
			continue;
		alpha = v;
		*best_move = move;
		duel_extend_line(w, ply, move);
		if (v >= beta) {
			why(w, ply, QV_WHY_CUT, v);
			reward(w, b->s.turn, move, depth, ply);
			break;
		}
	}
	return best;
}

/* Blocks the only point of the opponent's four. */
static int32_t block(struct duel_worker *w, struct threat_board *b, int point, int depth, int ply,
		     int32_t alpha, int32_t beta)
{
	const struct qv_listener *l = w->listener;
	struct threat_undo undo;
	if (l && l->branch)
		l->branch(l->ctx, &b->s, (qv_move)point, ply, alpha, beta);
	threat_board_play(b, point, &undo, true);
	w->nodes++;
	why(w, ply, QV_WHY_TOP, 1);
	const int32_t v =
		-visit(w, b, (qv_move)point, depth, ply + 1, -beta, -alpha, QV_VISIT_EXTENDED);
	threat_board_undo(b, point, &undo, true);
	if (l && l->node)
		l->node(l->ctx, (qv_move)point, ply, v, v >= beta);
	if (v >= beta && !w->budget.stopped)
		why(w, ply, QV_WHY_CUT, v);
	if (v > alpha)
		duel_extend_line(w, ply, (qv_move)point);
	return v;
}

/*
 * Null move: if the position is good enough even when the opponent moves twice, no move is searched.
 * Not where the opponent threatens a straight four.
 */
static bool passes(struct duel_worker *w, struct threat_board *b, int depth, int ply, int32_t beta,
		   int32_t *value)
{
	const int turn = b->s.turn;
	if (depth < NULL_DEPTH || shows_moves(w) || duel_has_ended(beta) ||
	    threat_board_has(b, 1 - turn, THREAT_STRAIGHT) || board_leaf(w, b) < beta)
		return false;
	gomoku_set_turn(&b->s, 1 - turn);
	*value = -visit(w, b, QV_NO_MOVE, depth - 1 - NULL_LESS, ply + 1, -beta, 1 - beta,
			QV_VISIT_PASS | QV_VISIT_REDUCED);
	gomoku_set_turn(&b->s, turn);
	w->plies[ply].line_length = 0;
	w->unproven++;
	if (duel_is_win(*value))
		*value = beta;
	const bool enough = *value >= beta && !w->budget.stopped;
	if (enough)
		why(w, ply, QV_WHY_NULL_MOVE, *value);
	return enough;
}

/* The value for the side to move; colours are chosen. Fail-soft. */
static int32_t node(struct duel_worker *w, struct threat_board *b, int depth, int ply,
		    int32_t alpha, int32_t beta)
{
	const struct gomoku *s = &b->s;
	uint16_t fives[2];
	int32_t value;
	struct duel_ply *here = &w->plies[ply];
	here->line_length = 0;

	/* Step 1. The end of the game, now or with the next move. */
	if (s->count == s->size * s->size || (gomoku_is_restricted(s) && !gomoku_can_play(s))) {
		why(w, ply, QV_WHY_ENDED, 0);
		return 0;
	}
	if (threat_board_points(b, s->turn, THREAT_FIVE, fives, 1)) {
		here->line[0] = (qv_move)fives[0];
		here->line_length = 1;
		why(w, ply, QV_WHY_WON, QV_WIN - ply - 1);
		return QV_WIN - ply - 1;
	}
	const int threats = threat_board_points(b, 1 - s->turn, THREAT_FIVE, fives, 2);
	if (threats > 1 || (threats && !gomoku_allows(s, fives[0]))) {
		value = lose(w, s, ply, fives, threats);
		why(w, ply, QV_WHY_WON, value); /* by the opponent */
		return value;
	}
	if (ply >= DUEL_MAX_PLY - 4) {
		value = board_leaf(w, b);
		why(w, ply, QV_WHY_DEEPEST, value);
		return value;
	}
	if (threats) {
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return 0;
		return block(w, b, fives[0], depth, ply, alpha, beta);
	}

	/* Step 2. Wins by fours, and the horizon. */
	if (depth <= 0) {
		int32_t win;
		value = board_leaf(w, b);
		why(w, ply, QV_WHY_LEAF, value);
		if (value < beta && wins_by_fours(w, b, ply, LEAF_NODES, &win)) {
			value = win;
			why(w, ply, QV_WHY_WON, value);
		}
		if (w->listener && w->listener->leaf)
			w->listener->leaf(w->listener->ctx, s, ply, value);
		return value;
	}
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	if (look_up(w, s, depth, ply, alpha, beta, &entry))
		return entry.value;
	if (wins_by_fours(w, b, ply, (uint64_t)(NODE_NODES * (depth < 5 ? depth : 5)), &value) ||
	    (depth >= VCT_DEPTH &&
	     wins_by_threats(w, b, depth, ply, threat_nodes(w, depth, ply), &value))) {
		why(w, ply, QV_WHY_WON, value);
		return value;
	}
	if (beta == alpha + 1 && passes(w, b, depth, ply, beta, &value))
		return value;

	/* Step 3. The moves. */
	struct move_list list;
	qv_move best_move = entry.place < GOMOKU_POINTS ? (qv_move)entry.place : QV_NO_MOVE;
	list_moves(w, b, depth, ply, best_move, &list);
	const int32_t best = search_moves(w, b, &list, depth, ply, alpha, beta, &best_move);
	if (!w->budget.stopped)
		store(w, s->hash, duel_to_table(best, ply), depth, best_move,
		      best >= beta   ? BOUND_LOWER
		      : best > alpha ? BOUND_EXACT
				     : BOUND_UPPER);
	return best;
}

/* ---- The root ---- */

/* Whether a point is at most two steps from a stone; on the empty board, from the middle. */
static bool is_near(const struct gomoku *s, int row, int column)
{
	const int middle = s->size / 2;
	if (!s->count)
		return abs(row - middle) <= 2 && abs(column - middle) <= 2;
	for (int near = row < 2 ? 0 : row - 2; near <= row + 2 && near < s->size; near++)
		if ((s->stones[0][near] | s->stones[1][near]) >> (column + GOMOKU_MARGIN - 2) & 31)
			return true;
	return false;
}

/*
 * All legal moves, the most promising first. Deliberate errors stay near the stones, as those of
 * beginners do.
 */
static void prepare(struct duel_worker *w)
{
	const struct gomoku *s = w->root_state;
	struct move_list list = { 0 };
	qv_move opening[GOMOKU_MAX_MOVES];
	w->root_seat = gomoku_seat(s);
	w->root_static = leaf(w, s);
	w->root_count = 0;
	if (s->phase == GOMOKU_OPENING) {
		const int n = gomoku_moves(s, opening);
		for (int i = 0; i < n; i++)
			add_move(&list, (int)opening[i], 0);
	} else {
		struct threat_board board;
		uint16_t fives[2];
		threat_board_set(&board, s);
		list_all(&board, &list);
		for (int colour = 0; colour < 2; colour++)
			for (int n = threat_board_points(&board, colour, THREAT_FIVE, fives, 2);
			     n > 0; n--)
				raise_move(&list, fives[n - 1],
					   colour == s->turn ? DUEL_SCORE_TABLE : DUEL_SCORE_KEPT);
	}
	for (int i = 0; i < list.n; i++) {
		const int point = list.moves[duel_pick(list.scores, list.n)];
		if (!i || !w->spread || s->phase == GOMOKU_OPENING ||
		    is_near(s, point / GOMOKU_SIDE, point % GOMOKU_SIDE))
			w->root[w->root_count++] = (struct root_move){ (qv_move)point, 0 };
	}
}

/* Makes a root move the best one; its line is that of ply 1. False: it is not to be searched. */
static bool take_win(struct duel_worker *w, qv_move move, int32_t value)
{
	for (int i = 0; i < w->root_count; i++) {
		if (w->root[i].move != move)
			continue;
		w->root[i].value = value;
		duel_new_best(w, move, value);
		return true;
	}
	return false;
}

/*
 * Whether a win by fours, or by threats of both kinds, is the answer. Not if the worth of other
 * moves is asked for, too.
 */
static bool take_threats(struct duel_worker *w, struct threat_board *b, int depth, int32_t *value)
{
	struct duel_ply *first = &w->plies[1];
	if (w->spread || shows_moves(w))
		return false;
	if (wins_by_fours(w, b, 1, (uint64_t)((1 + depth) * ROOT_NODES), value)) {
		const qv_move move = first->line[0];
		memmove(first->line, first->line + 1,
			(size_t)--first->line_length * sizeof *first->line);
		*value += 1; /* it was counted from ply 1 */
		return take_win(w, move, *value);
	}
	struct gomoku_vct v = { .table = w->table,
				.max_nodes = ROOT_NODES + w->nodes / 8,
				.poll = poll_limits,
				.ctx = w };
	if (depth < 2)
		return false;
	const bool wins = gomoku_vct_on(&v, b, GOMOKU_VCT_MOVES);
	w->nodes += v.nodes;
	first->line_length = 0;
	*value = QV_WIN - (2 * v.moves - 1);
	return wins && take_win(w, v.move, *value);
}

/* In the opening a move is worth what the position after it is worth, without a search. */
static int32_t opening_value(struct duel_worker *w, const struct gomoku *s, qv_move move)
{
	struct gomoku child = *s;
	gomoku_play(&child, move);
	w->nodes++;
	const int32_t value = leaf(w, &child);
	w->plies[1].line_length = 0;
	if (w->listener) {
		enter(w, &child, move, 0, 1, -DUEL_INFINITE, DUEL_INFINITE, 0);
		why(w, 1, QV_WHY_LEAF, value);
		leave(w, 1, -DUEL_INFINITE, value);
	}
	return gomoku_seat(&child) == gomoku_seat(s) ? value : -value;
}

/* The value of a root move, for the side that plays it. */
static int32_t root_value(struct duel_worker *w, struct threat_board *b, int i, int depth,
			  int32_t from, int32_t beta)
{
	const qv_move move = w->root[i].move;
	struct threat_undo undo;
	threat_board_play(b, (int)move, &undo, true);
	w->nodes++;
	int32_t v;
	if (gomoku_wins_at(&b->s, 1 - b->s.turn, (int)move)) {
		w->plies[1].line_length = 0;
		v = QV_WIN - 1;
		if (w->listener) {
			enter(w, &b->s, move, depth - 1, 1, -beta, -from, 0);
			why(w, 1, QV_WHY_ENDED, -v);
			leave(w, 1, -beta, -v);
		}
	} else if (w->random && i) {
		v = -visit(w, b, move, depth - 1, 1, -beta, -from, 0);
	} else {
		v = attempt(w, b, move, depth - 1, 1, from, beta, i, 0);
	}
	/* A move that seems best must stand a longer search of the opponent's threats. */
	int32_t loss;
	if (v > from && !duel_has_ended(v) && depth >= CHECK_DEPTH && !shows_moves(w) &&
	    !w->budget.stopped &&
	    wins_by_threats(w, b, depth, 1, ROOT_NODES + w->nodes / CHECK_SHARE, &loss)) {
		v = -loss;
		if (w->listener) {
			enter(w, &b->s, move, depth - 1, 1, -beta, -from,
			      QV_VISIT_VERIFY | QV_VISIT_AGAIN);
			why(w, 1, QV_WHY_WON, loss);
			leave(w, 1, -beta, loss);
		}
	}
	threat_board_undo(b, (int)move, &undo, true);
	return v;
}

static int32_t search(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	const struct gomoku *s = w->root_state;
	const bool opening = s->phase == GOMOKU_OPENING;
	struct duel_root r = { alpha, beta, -DUEL_INFINITE, alpha, 0 };
	struct threat_board board;
	int32_t value;
	threat_board_set(&board, s);
	if (w->listener)
		enter(w, s, QV_NO_MOVE, depth, 0, alpha, beta, w->pass_flags);
	if (!opening && take_threats(w, &board, depth, &value)) {
		why(w, 0, QV_WHY_WON, value);
		if (w->listener && !w->budget.stopped)
			visit_leave(w->listener, 0, value, w->best_move);
		return value;
	}
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->root[i];
		/* On an empty board the middle, which comes first, is as good as any point. */
		if (i >= (s->count ? ROOT_WIDTH : 1) && !opening && !w->spread &&
		    !duel_is_loss(r.best)) {
			w->unproven++;
			why(w, 0, QV_WHY_LATE, i);
			break;
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return r.best;
		duel_report_root_move(w, i, depth);
		const int32_t from = duel_root_alpha(w, &r, s, m->move);
		const int32_t v = opening ? opening_value(w, s, m->move)
					  : root_value(w, &board, i, depth, from, beta);
		if (w->budget.stopped)
			break;
		if (duel_root_take(w, &r, m, v)) {
			why(w, 0, QV_WHY_CUT, v);
			break;
		}
	}
	if (w->listener && !w->budget.stopped)
		visit_leave(w->listener, 0, r.best, r.best > alpha ? w->best_move : QV_NO_MOVE);
	return r.best;
}

const struct duel_ops gomoku_threat_ops = { .prepare = prepare,
					    .search = search,
					    .exact_plies = EXACT_PLIES };

static const struct option *const groups[] = {
	depth_option,	effort_options, evaluation_options, random_option,   error_options,
	chopper_option, table_option,	threads_option,	    opening_options, NULL,
};

const struct player_kind gomoku_threats_kind = {
	.name = "threats",
	.help = "go-moku: finds wins by fours and open threes; otherwise alpha-beta over few "
		"moves",
	.options = groups,
	.limit = "depth=6",
	.variant = DUEL_OWN,
	.needs_game = true,
	.deepens = true,
	.counts_work = true,
	.make = duel_player_new
};
