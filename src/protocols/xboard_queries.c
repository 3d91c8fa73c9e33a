/*
 * xboard_queries.c - what an engine of the XBoard protocol can be asked about, also while it thinks: how
 * far an analysis has come, a hint, the book.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/xboard.h"

#include "base/clock.h"
#include "book/book.h"

static bool does(const struct wire *w, enum xboard_job job)
{
	return w->busy && atomic_load(&xboard_of(w)->job) == (int)job;
}

/* The position on the board: that before the move that is pondered on. */
static const void *board_state(const struct wire *w)
{
	return does(w, JOB_PONDER) ? xboard_of(w)->before : thinker_state(&w->thinker);
}

/* stat01: time nodes ply moves-left moves [move]; of the depth that is now searched to. */
void xboard_tell_status(const struct wire *w, struct string *out)
{
	struct xboard *x = xboard_of(w);
	const struct thinker *t = &w->thinker;
	if (!does(w, JOB_ANALYSE))
		return;
	const qv_move move = atomic_load(&x->told_move);
	const int left = x->move_count - atomic_load(&x->told_number);
	const int64_t us = w->no_times ? 0 : clock_us() - x->began_us;
	string_addf(out, "stat01: %lld %llu %d %d %d", (long long)us / 10000,
		    (unsigned long long)atomic_load(&x->told_nodes), atomic_load(&x->told_depth),
		    left > 0 ? left : 0, x->move_count);
	if (move != QV_NO_MOVE)
		string_addf(out, " %s",
			    thinker_move(t->rules.game, thinker_state(t), move).text);
	string_addf(out, "\n");
}

void xboard_tell_hint(const struct wire *w, struct string *out)
{
	struct xboard *x = xboard_of(w);
	const struct qv_game *game = w->thinker.rules.game;
	const void *state = board_state(w);
	const qv_move move = does(w, JOB_ANALYSE) ? atomic_load(&x->told_best) : x->expected;
	if (move != QV_NO_MOVE && qv_move_legal(game, state, move))
		string_addf(out, "Hint: %s\n", thinker_move(game, state, move).text);
}

/* Each move with its share of the weights; the book is opened for this alone. */
static void add_moves(const struct wire *w, const struct book *book, struct book_option *list,
		      struct string *out)
{
	const struct qv_game *game = w->thinker.rules.game;
	const void *state = board_state(w);
	const int count = book_options(book, state, list);
	uint64_t all = 0;
	for (int i = 0; i < count; i++)
		all += list[i].weight;
	for (int i = 0; i < count; i++)
		string_addf(out, " %s %.1f %%%s%s\n", thinker_move(game, state, list[i].move).text,
			    all ? 100.0 * (double)list[i].weight / (double)all : 0.0,
			    *list[i].note ? " " : "", list[i].note);
	if (!count)
		string_addf(out, " The position is not in the book.\n");
}

void xboard_tell_book(const struct wire *w, struct string *out)
{
	const struct thinker *t = &w->thinker;
	const size_t room = (size_t)t->rules.game->max_moves;
	struct qv_error error;
	struct book book = { 0 };
	struct book_option *list = mem_new(t->allocator, room, sizeof *list);
	if (!t->set.book[0])
		string_addf(out, " There is no book.\n");
	else if (!list)
		string_addf(out, " There is no memory to look it up.\n");
	else if (book_open(t->context, t->set.book, NULL, &book, &error) != QV_OK)
		string_addf(out, " %s\n", error.text);
	else if (!book_is_for(&book, &t->rules))
		string_addf(out, " The book is of another game.\n");
	else
		add_moves(w, &book, list, out);
	string_addf(out, "\n");
	book_release(&book);
	mem_free(t->allocator, list, room * sizeof *list);
}
