/*
 * threat_search.c - go-moku: alpha-beta with wins by fours, few moves at each node, and forced
 * replies.
 * SPDX-License-Identifier: MIT
 *
 * The driver of the two-player search (duel.c) runs it: iterations, threads, limits, table. At each
 * node a search for a win by fours comes first (vcf.h), at the root one for a win by threats, too
 * (vct.h). Then:
 *
 *  - A four of the opponent's must be blocked: one move, which costs no depth.
 *  - Against an open three only a few points help: those of its window and own fours.
 *  - Otherwise the points with the highest scores are searched, the more the deeper.
 *
 * Wins and losses are always forced: if all of these moves lose, the other points are searched,
 * too. Only in the second case they need not be, since the opponent then makes a straight four.
 */
#include "games/gomoku/threat_search.h"

#include <stdlib.h>

#include "games/gomoku/evaluate.h"
#include "games/gomoku/threats.h"
#include "games/gomoku/vct.h"
#include "search/duel_inline.h"

enum {
	WIDTH = 6, /* moves of a node at depth 1, and how many more by ply of depth */
	WIDTH_STEP = 2,
	MOST_WIDTH = 16,
	ROOT_WIDTH = 48,
	LATE = 3, /* moves before reductions begin */
	VERY_LATE = 8,
	LEAF_NODES = 40, /* of the search for fours */
	NODE_NODES = 200,
	ROOT_NODES = 1000, /* and a quarter of the nodes searched so far */
	EXACT_PLIES = 5,
	MOST_VCF_MOVES = 30,
};

/* ---- Scores of points, for move ordering ---- */

struct scores {
	int32_t of[GOMOKU_POINTS];
};

/* Adds the windows of a line to their points. */
static void score_line(struct scores *out, int line, const uint32_t *windows, const int32_t *values)
{
	for (int n = 1; n <= 4; n++)
		for (uint64_t left = windows[n]; left; left = bits_rest(left)) {
			const int first = bits_lowest(left);
			for (int bit = first; bit < first + 5; bit++)
				out->of[gomoku_point_at(line, bit)] += values[n];
		}
}

/* What a stone is worth that makes these threats, or that prevents them. */
static int32_t score_threats(const struct gomoku_threats *t, int colour, int point, bool own)
{
	const int fours = gomoku_threat_count(t, colour, point, GOMOKU_MAKES_FOUR);
	const int threes = gomoku_threat_count(t, colour, point, GOMOKU_MAKES_THREE);
	if (gomoku_threat_count(t, colour, point, GOMOKU_MAKES_STRAIGHT_FOUR) || fours > 1)
		return own ? 100000 : 30000;
	if (fours && threes)
		return own ? 60000 : 8000;
	if (threes > 1)
		return own ? 20000 : 5000;
	return (fours ? 300 : 0) + (threes ? 300 : 0);
}

/* Scores all empty points for the side to move. */
static void score_points(const struct gomoku *s, const struct gomoku_threats *t, struct scores *out)
{
	static const int32_t own[5] = { 0, 4, 20, 100, 0 }, other[5] = { 0, 3, 15, 80, 0 };
	memset(out, 0, sizeof *out);
	for (int line = 0; line < GOMOKU_LINES; line++)
		for (int colour = 0; colour < 2; colour++) {
			const uint32_t mine = s->stones[colour][line];
			struct gomoku_windows w;
			if (!mine)
				continue;
			gomoku_windows(mine, gomoku_free(s, colour, line),
				       gomoku_is_strict(s, colour), &w);
			score_line(out, line, w.five, colour == s->turn ? own : other);
		}
	for (int colour = 0; colour < 2; colour++)
		for (int point = 0; point < GOMOKU_POINTS; point++)
			if (t->counts[colour][point])
				out->of[point] +=
					score_threats(t, colour, point, colour == s->turn);
}

/* ---- Moves ---- */

struct move_list {
	int n, width; /* the moves after the first `width` are for positions that seem lost */
	qv_move moves[GOMOKU_MAX_MOVES];
	int32_t scores[GOMOKU_MAX_MOVES];
};

static void add_move(struct move_list *list, int point, int32_t score)
{
	list->moves[list->n] = (qv_move)point;
	list->scores[list->n++] = score;
}

/*
 * Lists the moves against an open three of the opponent's. False: there is none, or in renju it is
 * not certain that it must be answered.
 */
static bool list_defences(const struct gomoku *s, const struct scores *scores,
			  struct move_list *list)
{
	int points[GOMOKU_POINTS];
	const int n = s->rule == GOMOKU_RENJU ? 0 : gomoku_defences(s, points);
	for (int i = 0; i < n; i++)
		add_move(list, points[i], scores->of[points[i]]);
	list->width = n;
	return n > 0;
}

static void list_all(const struct gomoku *s, const struct scores *scores, struct move_list *list)
{
	const int middle = s->size - 1;
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = gomoku_empty_row(s, row); left; left = bits_rest(left)) {
			const int column = bits_lowest(left) - GOMOKU_MARGIN;
			const int point = gomoku_point(row, column);
			/* Without stones near it, a point is the better the nearer to the middle. */
			const int off = abs(2 * row - middle) + abs(2 * column - middle);
			if (gomoku_allows(s, point))
				add_move(list, point, scores->of[point] * 4 - off);
		}
}

/* Lists the moves of a position in which nobody has a four. */
static void list_moves(const struct gomoku *s, int depth, struct move_list *list)
{
	struct gomoku_threats threats;
	struct scores scores;
	gomoku_find_threats(s, &threats);
	score_points(s, &threats, &scores);
	list->n = 0;
	if (list_defences(s, &scores, list))
		return;
	list_all(s, &scores, list);
	const int width = WIDTH + WIDTH_STEP * depth;
	list->width = width < MOST_WIDTH ? width : MOST_WIDTH;
}

/* ---- Nodes ---- */

/* Searches a win by fours. Its line becomes that of the ply. */
static bool wins_by_fours(struct duel_worker *w, const struct gomoku *s, int ply, uint64_t nodes,
			  int32_t *value)
{
	struct gomoku_vcf v = { .table = w->table, .max_nodes = nodes };
	const int room = (DUEL_MAX_PLY - ply) / 2;
	if (!s->patterns[s->turn][GOMOKU_FIVE_3] || room < 1)
		return false;
	const bool wins = gomoku_vcf(&v, s, room < MOST_VCF_MOVES ? room : MOST_VCF_MOVES);
	w->nodes += v.nodes;
	if (!wins)
		return false;
	memcpy(w->plies[ply].line, v.line, (size_t)v.length * sizeof *v.line);
	w->plies[ply].line_length = v.length;
	*value = QV_WIN - ply - v.length;
	return true;
}

/* Loses at once: the opponent has a four that cannot be blocked, or not by an allowed move. */
static int32_t lose(struct duel_worker *w, const struct gomoku *s, int ply, const int *fives, int n)
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

static int32_t node(struct duel_worker *w, const struct gomoku *s, int depth, int ply,
		    int32_t alpha, int32_t beta);

static int32_t leaf(struct duel_worker *w, const struct gomoku *s)
{
	w->evals++;
	return duel_clamp(w->custom ? w->custom->evaluate(s, w->weights)
				    : gomoku_evaluate(s, w->weights));
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
	return true;
}

/* The value of a move: null window first for later moves, reduced if it comes late. */
static int32_t attempt(struct duel_worker *w, const struct gomoku *child, int depth, int ply,
		       int32_t alpha, int32_t beta, int tried)
{
	int less = 0;
	if (depth > 1 && tried >= LATE && !child->patterns[1 - child->turn][GOMOKU_FIVE_4])
		less = tried < VERY_LATE ? 1 : 2;
	if (depth - less < 1)
		less = depth - 1;
	int32_t v = alpha + 1;
	if (tried || less > 0) {
		v = -node(w, child, depth - (less > 0 ? less : 0), ply, -alpha - 1, -alpha);
		if (v > alpha && less > 0 && !w->budget.stopped)
			v = -node(w, child, depth, ply, -alpha - 1, -alpha);
		if (v <= alpha || v >= beta || w->budget.stopped)
			return v;
	}
	return -node(w, child, depth, ply, -beta, -alpha);
}

/* Puts the move of the table first. */
static void raise_move(struct move_list *list, qv_move move, int32_t score)
{
	for (int i = 0; i < list->n; i++)
		if (list->moves[i] == move)
			list->scores[i] = score;
}

/* Searches the listed moves; fail-soft. *best_move is the one that raised alpha last, if any. */
static int32_t search_moves(struct duel_worker *w, const struct gomoku *s, struct move_list *list,
			    int depth, int ply, int32_t alpha, int32_t beta, qv_move *best_move)
{
	const struct qv_listener *l = w->listener;
	int32_t best = -DUEL_INFINITE;
	for (int tried = 0; tried < list->n; tried++) {
		if (tried >= list->width && !duel_is_loss(best)) {
			w->unproven++;
			break;
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return best;
		const qv_move move = list->moves[duel_pick(list->scores, list->n)];
		struct gomoku child = *s;
		gomoku_play(&child, move);
		w->nodes++;
		if (l && l->branch)
			l->branch(l->ctx, s, move, ply, alpha, beta);
		const int32_t v = attempt(w, &child, depth - 1, ply + 1, alpha, beta, tried);
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
		if (v >= beta)
			break;
	}
	return best;
}

/* Blocks the only point of the opponent's four. */
static int32_t block(struct duel_worker *w, const struct gomoku *s, int point, int depth, int ply,
		     int32_t alpha, int32_t beta)
{
	const struct qv_listener *l = w->listener;
	struct gomoku child = *s;
	gomoku_play(&child, (qv_move)point);
	w->nodes++;
	if (l && l->branch)
		l->branch(l->ctx, s, (qv_move)point, ply, alpha, beta);
	const int32_t v = -node(w, &child, depth, ply + 1, -beta, -alpha);
	if (l && l->node)
		l->node(l->ctx, (qv_move)point, ply, v, v >= beta);
	if (v > alpha)
		duel_extend_line(w, ply, (qv_move)point);
	return v;
}

/* The value for the side to move; colours are chosen. Fail-soft. */
static int32_t node(struct duel_worker *w, const struct gomoku *s, int depth, int ply,
		    int32_t alpha, int32_t beta)
{
	int fives[2];
	int32_t value, points[QV_MAX_SEATS];
	struct duel_ply *here = &w->plies[ply];
	here->line_length = 0;

	/* Step 1. The end of the game, now or with the next move. */
	if (gomoku_result(s, points) != QV_GOING)
		return s->winner ? ply - QV_WIN : 0;
	if (gomoku_five_points(s, s->turn, fives, 1)) {
		here->line[0] = (qv_move)fives[0];
		here->line_length = 1;
		return QV_WIN - ply - 1;
	}
	const int threats = gomoku_five_points(s, 1 - s->turn, fives, 2);
	if (threats > 1 || (threats && !gomoku_allows(s, fives[0])))
		return lose(w, s, ply, fives, threats);
	if (ply >= DUEL_MAX_PLY - 4)
		return leaf(w, s);
	if (threats) {
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return 0;
		return block(w, s, fives[0], depth, ply, alpha, beta);
	}

	/* Step 2. Wins by fours, and the horizon. */
	if (depth <= 0) {
		if (!wins_by_fours(w, s, ply, LEAF_NODES, &value))
			value = leaf(w, s);
		if (w->listener && w->listener->leaf)
			w->listener->leaf(w->listener->ctx, s, ply, value);
		return value;
	}
	struct table_entry entry = { .place = TABLE_NO_MOVE };
	if (look_up(w, s, depth, ply, alpha, beta, &entry))
		return entry.value;
	if (wins_by_fours(w, s, ply, NODE_NODES, &value))
		return value;

	/* Step 3. The moves. */
	struct move_list list;
	qv_move best_move = entry.place < GOMOKU_POINTS ? (qv_move)entry.place : QV_NO_MOVE;
	list_moves(s, depth, &list);
	raise_move(&list, best_move, DUEL_SCORE_TABLE);
	const int32_t best = search_moves(w, s, &list, depth, ply, alpha, beta, &best_move);
	if (w->table && !w->budget.stopped) {
		const struct table_entry store = { .value = duel_to_table(best, ply),
						   .depth = depth,
						   .place = best_move == QV_NO_MOVE
								    ? TABLE_NO_MOVE
								    : (int)best_move,
						   .bound = best >= beta   ? BOUND_LOWER
							    : best > alpha ? BOUND_EXACT
									   : BOUND_UPPER };
		table_put(w->table, s->hash, &store);
	}
	return best;
}

/* ---- The root ---- */

/* All legal moves, the most promising first. */
static void prepare(struct duel_worker *w)
{
	const struct gomoku *s = w->root_state;
	struct move_list list = { 0 };
	w->root_seat = gomoku_seat(s);
	w->root_static = leaf(w, s);
	w->root_count = 0;
	if (s->phase == GOMOKU_OPENING) {
		list.n = gomoku_moves(s, list.moves);
	} else {
		struct gomoku_threats threats;
		struct scores scores;
		int fives[2];
		gomoku_find_threats(s, &threats);
		score_points(s, &threats, &scores);
		list_all(s, &scores, &list);
		for (int colour = 0; colour < 2; colour++)
			for (int n = gomoku_five_points(s, colour, fives, 2); n > 0; n--)
				raise_move(&list, (qv_move)fives[n - 1],
					   colour == s->turn ? DUEL_SCORE_TABLE : DUEL_SCORE_KEPT);
	}
	for (int i = 0; i < list.n; i++)
		w->root[w->root_count++] =
			(struct root_move){ list.moves[duel_pick(list.scores, list.n)], 0 };
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
static bool take_threats(struct duel_worker *w, const struct gomoku *s, int depth, int32_t *value)
{
	struct duel_ply *first = &w->plies[1];
	if (w->spread || w->listener)
		return false;
	if (wins_by_fours(w, s, 1, ROOT_NODES + w->nodes / 4, value)) {
		const qv_move move = first->line[0];
		memmove(first->line, first->line + 1,
			(size_t)--first->line_length * sizeof *first->line);
		*value += 1; /* it was counted from ply 1 */
		return take_win(w, move, *value);
	}
	struct gomoku_vct v = { .table = w->table, .max_nodes = ROOT_NODES + w->nodes / 4 };
	if (depth < 2 || s->rule == GOMOKU_RENJU)
		return false;
	const bool wins = gomoku_vct(&v, s, GOMOKU_VCT_MOVES);
	w->nodes += v.nodes;
	first->line_length = 0;
	*value = QV_WIN - (2 * v.moves - 1);
	return wins && take_win(w, v.move, *value);
}

/* In the opening a move is worth what the position after it is worth, without a search. */
static int32_t opening_value(struct duel_worker *w, const struct gomoku *s,
			     const struct gomoku *child)
{
	const int32_t value = leaf(w, child);
	w->plies[1].line_length = 0;
	return gomoku_seat(child) == gomoku_seat(s) ? value : -value;
}

static int32_t search(struct duel_worker *w, int depth, int32_t alpha, int32_t beta)
{
	const struct gomoku *s = w->root_state;
	const bool opening = s->phase == GOMOKU_OPENING;
	struct duel_root r = { alpha, beta, -DUEL_INFINITE, alpha, 0 };
	int32_t value;
	if (!opening && take_threats(w, s, depth, &value))
		return value;
	for (int i = 0; i < w->root_count; i++) {
		struct root_move *m = &w->root[i];
		/* On an empty board the middle, which comes first, is as good as any point. */
		if (i >= (s->count ? ROOT_WIDTH : 1) && !opening && !w->spread &&
		    !duel_is_loss(r.best)) {
			w->unproven++;
			break;
		}
		if (w->nodes >= w->budget.check_at && duel_poll(w))
			return r.best;
		duel_report_root_move(w, i, depth);
		struct gomoku child = *s;
		gomoku_play(&child, m->move);
		w->nodes++;
		const int32_t from = duel_root_alpha(w, &r, s, m->move);
		const bool shown = w->random && i;
		const int32_t v = opening ? opening_value(w, s, &child)
				  : shown ? -node(w, &child, depth - 1, 1, -beta, -from)
					  : attempt(w, &child, depth - 1, 1, from, beta, i);
		if (w->budget.stopped || duel_root_take(w, &r, m, v))
			break;
	}
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
