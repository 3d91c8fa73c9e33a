/*
 * xboard_queries.c - what an engine of the XBoard protocol can be asked about, also while it thinks: how
 * far an analysis has come, a hint, the book.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/xboard.h"

#include "base/clock.h"
#include "book/book.h"

static bool does(const struct connection *c, enum xboard_job job)
{
	return c->busy && atomic_load(&xboard_of(c)->job) == (int)job;
}

/* The position on the board: that before the move that is pondered on. */
static const void *board_state(const struct connection *c)
{
	return does(c, JOB_PONDER) ? xboard_of(c)->before : engine_state(&c->engine);
}

/* stat01: time nodes ply moves-left moves [move]; of the depth that is now searched to. */
void xboard_tell_status(const struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const struct engine_session *e = &c->engine;
	if (!does(c, JOB_ANALYSE))
		return;
	const qv_move move = atomic_load(&x->told_move);
	const int left = x->move_count - atomic_load(&x->told_number);
	const int64_t us = c->no_times ? 0 : clock_us() - x->began_us;
	string_addf(out, "stat01: %lld %llu %d %d %d", (long long)us / 10000,
		    (unsigned long long)atomic_load(&x->told_nodes), atomic_load(&x->told_depth),
		    left > 0 ? left : 0, x->move_count);
	if (move != QV_NO_MOVE)
		string_addf(out, " %s", move_text(e->rules.game, engine_state(e), move).text);
	string_addf(out, "\n");
}

void xboard_tell_hint(const struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const struct qv_game *game = c->engine.rules.game;
	const void *state = board_state(c);
	const qv_move move = does(c, JOB_ANALYSE) ? atomic_load(&x->told_best) : x->expected;
	if (move != QV_NO_MOVE && qv_move_legal(game, state, move))
		string_addf(out, "Hint: %s\n", move_text(game, state, move).text);
}

/* Each move with its share of the weights; the book is opened for this alone. */
static void add_moves(const struct connection *c, const struct book *book, struct book_option *list,
		      struct string *out)
{
	const struct qv_game *game = c->engine.rules.game;
	const void *state = board_state(c);
	const int count = book_options(book, state, list);
	uint64_t all = 0;
	for (int i = 0; i < count; i++)
		all += list[i].weight;
	for (int i = 0; i < count; i++)
		string_addf(out, " %s %.1f %%%s%s\n", move_text(game, state, list[i].move).text,
			    all ? 100.0 * (double)list[i].weight / (double)all : 0.0,
			    *list[i].note ? " " : "", list[i].note);
	if (!count)
		string_addf(out, " The position is not in the book.\n");
}

void xboard_tell_book(const struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const size_t room = (size_t)e->rules.game->max_moves;
	struct qv_error error;
	struct book book = { 0 };
	struct book_option *list = mem_new(e->allocator, room, sizeof *list);
	if (!e->set.book[0])
		string_addf(out, " There is no book.\n");
	else if (!list)
		string_addf(out, " There is no memory to look it up.\n");
	else if (book_open(e->context, e->set.book, NULL, &book, &error) != QV_OK)
		string_addf(out, " %s\n", error.text);
	else if (!book_is_for(&book, &e->rules))
		string_addf(out, " The book is of another game.\n");
	else
		add_moves(c, &book, list, out);
	string_addf(out, "\n");
	book_release(&book);
	mem_free(e->allocator, list, room * sizeof *list);
}
