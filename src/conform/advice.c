/*
 * advice.c - what is allowed, but seldom meant: signs of mistakes that break no law.
 * SPDX-License-Identifier: MIT
 *
 * A pass over the random games counts, and sentences follow from the counts. Each may be untrue of a
 * game as it should be, so nothing fails because of them.
 */
#include "conform/exam.h"

enum { FEWEST = 20 }; /* of what is counted, before it says something */

/* ---- Counting ---- */

/* Whose turn follows whose; a dice roll is nobody's. */
static void count_turn(struct exam *x)
{
	struct exam_tally *t = &x->tally;
	const int seat = x->game->seat(x->at);
	t->turns += x->ply && t->seat != QV_CHANCE && seat != QV_CHANCE;
	t->again += x->ply && t->seat == seat && seat != QV_CHANCE;
	t->seat = seat;
}

static void count_result(struct exam *x)
{
	struct exam_tally *t = &x->tally;
	int32_t points[QV_MAX_SEATS], most = INT32_MIN;
	int best = 0;
	memcpy(points, x->points, sizeof points);
	if (x->outcome != QV_ENDED && !exam_repeats(x, x->at, x->cut, x->ply, points))
		return;
	t->games++;
	for (int i = 0; i < x->game->seats; i++)
		most = points[i] > most ? points[i] : most;
	for (int i = 0; i < x->game->seats; i++)
		best += points[i] == most;
	t->drawn += best > 1;
	for (int i = 0; i < x->game->seats; i++)
		t->won[i] += best == 1 && points[i] == most;
}

/* A turn is worth something, too, so the values need not differ in the sign alone. */
static void compare_values(struct exam *x, const void *other)
{
	const struct qv_evaluation *e = x->game->evaluations;
	for (int i = 0; e && e[i].name && i < EXAM_EVALUATIONS; i++) {
		const int32_t a = e[i].evaluate(x->at, e[i].weights);
		const int32_t b = e[i].evaluate(other, e[i].weights);
		x->tally.compared[i] += a || b;
		x->tally.same[i] += a && a == b;
	}
}

/* Compares the position with the same pieces and the other seat to move. */
static void compare_set_up(struct exam *x)
{
	const struct qv_board *board = x->game->board;
	const int seat = x->game->seat(x->at);
	struct qv_standing list[QV_MAX_CELLS];
	unsigned char *other = exam_slot(x, SLOT_A);
	if (!board || !board->set_up || x->game->seats != 2)
		return;
	exam_now(x, "set_up", NULL);
	if (board->set_up(x->rules->options, list, board->stand(x->at, list), !seat, other, NULL) ==
		    QV_OK &&
	    x->game->seat(other) == !seat)
		compare_values(x, other);
}

/* Marks the cells on which something else stands before than after. Returns their number. */
static int changed_cells(const struct exam *x, const void *after, bool *changed)
{
	struct qv_standing was[QV_MAX_CELLS], is[QV_MAX_CELLS];
	int32_t piece[QV_MAX_CELLS] = { 0 }, count[QV_MAX_CELLS] = { 0 };
	const int before = x->game->board->stand(x->at, was),
		  later = x->game->board->stand(after, is);
	int differ = 0;
	for (int i = 0; i < before; i++) {
		piece[was[i].cell] = was[i].piece + 1;
		count[was[i].cell] = was[i].count;
	}
	for (int i = 0; i < later; i++) {
		piece[is[i].cell] -= is[i].piece + 1;
		count[is[i].cell] -= is[i].count;
	}
	for (int i = 0; i < QV_MAX_CELLS; i++)
		differ += changed[i] = piece[i] || count[i];
	return differ;
}

static void count_clicks(struct exam *x, qv_move move, const void *after)
{
	int16_t cells[QV_MAX_CLICKS];
	bool changed[QV_MAX_CELLS], hit = false;
	if (!x->game->board)
		return;
	const int clicks = x->game->board->clicks(x->at, move, cells);
	if (!clicks || !changed_cells(x, after, changed))
		return;
	for (int i = 0; i < clicks; i++)
		hit |= changed[cells[i]];
	x->tally.clicked++;
	x->tally.beside += !hit;
}

static bool observe(struct exam *x)
{
	if (x->over) {
		count_result(x);
		return true;
	}
	count_turn(x);
	if (x->game->seat(x->at) == QV_CHANCE)
		return true;
	const qv_move move = exam_any_move(x);
	count_clicks(x, move, exam_after(x, SLOT_B, x->at, move));
	compare_set_up(x);
	return true;
}

const struct law advice_law = { "advice", LAW_EVERYWHERE, observe, ANY_GAME, 0 };

/* ---- Saying ---- */

static void say(const struct exam *x, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct exam *x, const char *format, ...)
{
	char sentence[200];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof sentence, format, args);
	va_end(args);
	x->watch->advise(x->watch->ctx, sentence);
}

void advice_give(const struct exam *x)
{
	const struct qv_game *g = x->game;
	const struct exam_tally *t = &x->tally;
	const struct qv_evaluation *e = g->evaluations;
	for (int i = 0; e && e[i].name && i < EXAM_EVALUATIONS; i++)
		if (t->same[i] >= FEWEST && t->same[i] > t->compared[i] - t->compared[i] / 10)
			say(x,
			    "evaluation %.60s: the value is the same whoever is to move, in %d of "
			    "%d set-up positions; it should be that of the seat to move",
			    e[i].name, t->same[i], t->compared[i]);
	if (t->clicked >= FEWEST && t->beside > t->clicked / 2)
		say(x, "the clicks of a move touch no cell that it changes, in %d of %d moves",
		    t->beside, t->clicked);
	if (g->seats == 2 && !g->chance && !g->alternates && t->turns >= FEWEST && !t->again)
		say(x, "moves always alternate, but alternates is not set");
	if (g->seats > 1 && t->games >= FEWEST && !t->drawn)
		say(x, "no game of %d was drawn", t->games);
	for (int i = 0; g->seats > 1 && t->games >= FEWEST && i < g->seats; i++)
		if (!t->won[i])
			say(x, "seat %d never won, in %d games", i + 1, t->games);
}
