/*
 * build.c - builds books from games that were played, and from a player's analysis.
 * SPDX-License-Identifier: MIT
 *
 * Both collect weighted moves in the index of a temporary book and then turn each position of that
 * index into an item. The analysis visits positions breadth first from the start; the array of
 * places is its queue. Its cost is one search per good move of each position.
 */
#include "book/inside.h"
#include "core/context.h"

/*
 * Adds an item for each place that has a move with weight. `weigh` returns the weight of a choice,
 * or -1 to leave it out. `remark`, if not NULL, writes a note.
 */
static enum qv_status items_of_places(const struct book *from,
				      int64_t (*weigh)(const void *ctx, uint32_t choice),
				      void (*remark)(const void *ctx, uint32_t choice,
						     struct qv_text *out),
				      const void *ctx, struct book *out, struct qv_error *error)
{
	enum qv_status status = QV_OK;
	for (uint32_t p = 0; p < from->place_count && status == QV_OK; p++) {
		const struct book_place *place = &from->places[p];
		bool begun = false;
		int64_t total = 0;
		for (uint32_t c = place->first; c; c = from->choices[c - 1].next)
			total += weigh(ctx, c - 1) > 0;
		if (!total)
			continue;
		for (uint32_t c = place->first; c && status == QV_OK;
		     c = from->choices[c - 1].next) {
			const int64_t weight = weigh(ctx, c - 1);
			struct book_item item = { .kind = BOOK_AT };
			char remarks[96] = "";
			struct qv_text note = { remarks, sizeof remarks, 0 };
			size_t at = 0;
			if (weight < 0)
				continue;
			if (!begun) {
				status = book_add_state(out, book_state(from, place->state),
							&item.from, error);
				if (status == QV_OK)
					status = book_add_item(out, &item, error);
			}
			begun = true;
			if (remark)
				remark(ctx, c - 1, &note);
			if (status == QV_OK)
				status = book_add_text(out, remarks, &at, error);
			if (status == QV_OK)
				status = book_add_move(out, from->choices[c - 1].move,
						       (uint32_t)weight, at, error);
		}
		if (status == QV_OK && begun)
			status = book_index_item(out, book_last_item(out), error);
	}
	return status;
}

/* ---- Games ---- */

enum qv_status book_tally_make(struct book_tally *t, const struct qv_allocator *allocator,
			       const struct qv_rules *rules, struct qv_error *error)
{
	*t = (struct book_tally){ 0 };
	return book_make(&t->book, allocator, rules, error);
}

void book_tally_release(struct book_tally *t)
{
	if (t->book.allocator)
		mem_free(t->book.allocator, t->counts, t->room * sizeof *t->counts);
	book_release(&t->book);
	*t = (struct book_tally){ 0 };
}

/*
 * Room for the counter is made first, so that a failure leaves index and counters of equal length.
 */
enum qv_status book_tally_add(struct book_tally *t, const void *state, qv_move move, int winner,
			      struct qv_error *error)
{
	const uint32_t before = t->book.choice_count;
	uint32_t choice;
	if (!book_has_choice(&t->book, state))
		return QV_OK;
	if (!mem_reserve(t->book.allocator, &t->counts, &t->room, (size_t)before + 1,
			 sizeof *t->counts))
		return book_no_memory(error);
	enum qv_status status = book_add_choice(&t->book, state, move, 1, false, &choice, error);
	if (status != QV_OK)
		return status;
	if (t->book.choice_count > before)
		t->counts[choice] = (struct book_count){ 0 };
	struct book_count *count = &t->counts[choice];
	*(winner < 0				      ? &count->drawn
	  : winner == t->book.rules.game->seat(state) ? &count->won
						      : &count->lost) += 1;
	return QV_OK;
}

/* What weigh_count needs. */
struct finish {
	const struct book_tally *tally;
	uint32_t least;
};

/* 2 per win plus 1 per draw; -1 for a move that was played too rarely. */
static int64_t weigh_count(const void *ctx, uint32_t choice)
{
	const struct finish *f = ctx;
	const struct book_count *c = &f->tally->counts[choice];
	const int64_t weight = 2 * (int64_t)c->won + c->drawn;
	if ((uint64_t)c->won + c->drawn + c->lost < f->least)
		return -1;
	return weight > BOOK_MOST_WEIGHT ? BOOK_MOST_WEIGHT : weight;
}

/* The note of a move: its results. */
static void remark_count(const void *ctx, uint32_t choice, struct qv_text *out)
{
	const struct book_count *c = &((const struct finish *)ctx)->tally->counts[choice];
	char counts[96];
	snprintf(counts, sizeof counts, "%u won, %u drawn, %u lost", c->won, c->drawn, c->lost);
	qv_put(out, counts);
}

enum qv_status book_tally_finish(const struct book_tally *t, uint32_t least, struct book *out,
				 struct qv_error *error)
{
	const struct finish f = { t, least };
	enum qv_status status = book_make(out, t->book.allocator, &t->book.rules, error);
	if (status == QV_OK)
		status = items_of_places(&t->book, weigh_count, remark_count, &f, out, error);
	if (status != QV_OK)
		book_release(out);
	return status;
}

/* ---- A player's analysis ---- */

enum { FULL_WEIGHT = 100 };

/* The state of the analysis. */
struct building {
	const struct book_search *how;
	struct book positions; /* the positions to analyse, and their good moves */
	int *plies;	       /* distance of each place from the start */
	size_t ply_room;
	qv_move *left; /* the moves that are not known to be good yet */
	void *state, *next;
};

/* Adds a position, at this ply, to the queue unless it is there. */
static enum qv_status visit(struct building *x, const void *state, int ply, struct qv_error *error)
{
	struct book *b = &x->positions;
	const uint32_t before = b->place_count;
	uint32_t place;
	if (ply >= x->how->plies)
		return QV_OK;
	if (!mem_reserve(b->allocator, &x->plies, &x->ply_room, (size_t)before + 1,
			 sizeof *x->plies))
		return book_no_memory(error);
	enum qv_status status = book_place_of(b, state, &place, error);
	if (status == QV_OK && b->place_count > before)
		x->plies[place] = ply;
	return status;
}

/* Searches for the best of the remaining moves, again and again, until one is too far behind. */
static enum qv_status find_good(struct building *x, struct qv_error *error)
{
	const struct book *b = &x->positions;
	const int all = b->rules.game->moves(x->state, x->left);
	int n = 0;
	int64_t best = 0;
	/* Only one move of each group of symmetric ones. */
	for (int i = 0; i < all; i++) {
		int k = 0;
		while (k < n && !book_same_move(b, x->state, x->left[i], x->left[k]))
			k++;
		if (k == n)
			x->left[n++] = x->left[i];
	}
	for (bool first = true; n > 0; first = false) {
		const struct qv_limits limits = { .stop = x->how->stop,
						  .only = x->left,
						  .only_count = n };
		struct qv_answer answer;
		enum qv_status status =
			player_choose(x->how->player, x->state, &limits, NULL, &answer, error);
		if (status != QV_OK)
			return status == QV_STOPPED ? qv_fail(error, status, "book: stopped")
						    : status;
		best = first ? answer.score : best;
		const int64_t behind = best - answer.score;
		if (behind > x->how->margin)
			break;
		int k = 0;
		while (k < n && x->left[k] != answer.move)
			k++;
		if (k == n)
			break; /* the player ignored the restriction; avoid a loop */
		x->left[k] = x->left[--n];
		/* FULL_WEIGHT for the best move, down to 1 at the margin. */
		const int64_t margin = x->how->margin, worse = behind < 0 ? 0 : behind;
		const int64_t weight =
			margin ? 1 + (margin - worse) * (FULL_WEIGHT - 1) / margin : FULL_WEIGHT;
		status = book_add_choice(&x->positions, x->state, answer.move, (uint64_t)weight,
					 false, NULL, error);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

/* Visits the positions after good moves, or after all moves. */
static enum qv_status visit_next(struct building *x, int ply, bool all, struct qv_error *error)
{
	struct book *b = &x->positions;
	const struct qv_game *g = b->rules.game;
	enum qv_status status = QV_OK;
	const int n = g->moves(x->state, x->left);
	for (int i = 0; i < n && status == QV_OK; i++) {
		int image;
		bool good = all;
		const uint32_t place = good ? 0 : book_find(b, x->state, &image);
		for (uint32_t c = good || place == BOOK_NOWHERE ? 0 : b->places[place].first; c;
		     c = b->choices[c - 1].next)
			good |= book_same_move(b, book_state(b, b->places[place].state), x->left[i],
					       b->choices[c - 1].move);
		if (!good)
			continue;
		memcpy(x->next, x->state, g->state_size);
		g->play(x->next, x->left[i]);
		status = visit(x, x->next, ply + 1, error);
	}
	return status;
}

/* Analyses all positions of the queue, which grows meanwhile. */
static enum qv_status build_all(struct building *x, struct qv_error *error)
{
	struct book *b = &x->positions;
	int32_t points[QV_MAX_SEATS];
	b->rules.game->start(b->rules.options, x->state);
	enum qv_status status = visit(x, x->state, 0, error);
	for (uint32_t i = 0; i < b->place_count && status == QV_OK; i++) {
		const int ply = x->plies[i];
		memcpy(x->state, book_state(b, b->places[i].state), b->rules.game->state_size);
		if (x->how->progress)
			x->how->progress(x->how->ctx, i, b->place_count);
		if (b->rules.game->result(x->state, points) != QV_GOING)
			continue;
		const bool choice = book_has_choice(b, x->state);
		if (choice)
			status = find_good(x, error);
		if (status == QV_OK)
			status = visit_next(x, ply, x->how->every || !choice, error);
	}
	return status;
}

/* The weight that the analysis has given. */
static int64_t weigh_choice(const void *ctx, uint32_t choice)
{
	return (int64_t)((const struct book *)ctx)->choices[choice].weight;
}

/* The temporary book has the positions to analyse; only those with good moves become items. */
enum qv_status book_build(const struct qv_allocator *allocator, const struct qv_rules *rules,
			  const struct book_search *how, struct book *out, struct qv_error *error)
{
	struct building x = { .how = how };
	const size_t moves = (size_t)rules->game->max_moves;
	*out = (struct book){ 0 };
	enum qv_status status = book_make(&x.positions, allocator, rules, error);
	x.left = mem_new(allocator, moves, sizeof *x.left);
	x.state = mem_new(allocator, 2, x.positions.stride);
	x.next = x.state ? (char *)x.state + x.positions.stride : NULL;
	if (status == QV_OK && (!x.left || !x.state))
		status = book_no_memory(error);
	if (status == QV_OK)
		status = build_all(&x, error);
	if (status == QV_OK)
		status = book_make(out, allocator, rules, error);
	if (status == QV_OK)
		status =
			items_of_places(&x.positions, weigh_choice, NULL, &x.positions, out, error);
	if (status != QV_OK)
		book_release(out);
	mem_free(allocator, x.left, moves * sizeof *x.left);
	mem_free(allocator, x.state, 2 * x.positions.stride);
	mem_free(allocator, x.plies, x.ply_room * sizeof *x.plies);
	book_release(&x.positions);
	return status;
}
