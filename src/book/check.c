/*
 * check.c - checks a book that can be read: duplicates, unreachable positions, weights without
 * effect, lines that end badly.
 * SPDX-License-Identifier: MIT
 *
 * Duplicates are found by sorting the items by hash. Reachability is a breadth-first walk over the
 * index. Judging the ends of lines takes one search per line.
 */
#include <stdlib.h>

#include "book/inside.h"
#include "core/context.h"

struct checking {
	struct book *b;
	const struct book_reporter *reporter;
	int found;
};

__attribute__((format(printf, 3, 4))) static void report(struct checking *x, int line,
							 const char *format, ...)
{
	char what[256];
	va_list args;
	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	x->found++;
	x->reporter->report(x->reporter->ctx, line, what);
}

struct move_text {
	char text[QV_MOVE_TEXT];
};

/* The text of a move, for reports. */
static struct move_text move_text(const struct book *b, const void *state, qv_move move)
{
	struct move_text text = { "" };
	struct qv_text out = { text.text, sizeof text.text, 0 };
	b->rules.game->move_text(state, move, &out);
	return text;
}

/* ---- Duplicates ---- */

/* Reports moves of a position that are the same or symmetric, and weights without effect. */
static void check_moves(struct checking *x, const struct book_item *item)
{
	const struct book *b = x->b;
	const void *state = book_state(b, item->from);
	qv_move seen[QV_MAX_MOVES]; /* none the same: a book has legal moves only */
	int count = 0;
	uint64_t total = 0;
	for (uint32_t i = 0; i < item->count; i++) {
		const qv_move move = b->moves[item->first + i].move;
		int k = 0;
		total += b->moves[item->first + i].weight;
		while (k < count && !book_same_move(b, state, seen[k], move))
			k++;
		if (k == count && count < QV_MAX_MOVES)
			seen[count++] = move;
		else if (k < count && seen[k] == move)
			report(x, item->line, "duplicate move %s", move_text(b, state, move).text);
		else if (k < count)
			report(x, item->line, "move %s is symmetric to move %s",
			       move_text(b, state, move).text, move_text(b, state, seen[k]).text);
	}
	if (!item->count && !item->name)
		report(x, item->line, "the position has neither moves nor a name");
	else if (item->count && !total)
		report(x, item->line,
		       "all moves of the position have weight 0, so none is ever played");
}

/* An item with its hash, to sort equal items next to each other. */
struct keyed {
	uint64_t key;
	uint32_t item;
};

/* For qsort; items with equal hashes stay in the order of the file. */
static int by_key(const void *a, const void *b)
{
	const struct keyed *one = a, *other = b;
	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	return (one->item > other->item) - (one->item < other->item);
}

/* Reports items that are the same as an earlier one. */
static enum qv_status check_duplicates(struct checking *x, struct qv_error *error)
{
	const struct book *b = x->b;
	struct keyed *keys = mem_new(b->allocator, b->item_count + 1, sizeof *keys);
	if (!keys)
		return book_no_memory(error);
	for (uint32_t i = 0; i < b->item_count; i++)
		keys[i] = (struct keyed){ book_item_key(b, &b->items[i]), i };
	qsort(keys, b->item_count, sizeof *keys, by_key);
	for (uint32_t i = 1; i < b->item_count; i++) {
		const struct book_item *first = &b->items[keys[i - 1].item],
				       *item = &b->items[keys[i].item];
		if (keys[i].key != keys[i - 1].key || !book_same_item(b, first, b, item))
			continue;
		const bool rotated = memcmp(book_state(b, first->from), book_state(b, item->from),
					    b->rules.game->state_size) != 0;
		if (item->kind == BOOK_AT)
			report(x, item->line, "the position is the same as in line %d%s",
			       first->line, rotated ? ", rotated or mirrored" : "");
		else if (item->kind == BOOK_LINE)
			report(x, item->line, "the moves are the same as in line %d, '%.60s'",
			       first->line, book_text(b, first->name));
		else
			report(x, item->line, "the reply is the same as in line %d", first->line);
	}
	mem_free(b->allocator, keys, (b->item_count + 1) * sizeof *keys);
	return QV_OK;
}

/* ---- Unreachable positions ---- */

/*
 * Reachable are the start, the first positions of lines and replies, and whatever is one move away
 * from a reachable position. So is a book move followed by any reply, for books that cover one seat
 * only.
 */
struct reach {
	bool *reached;
	uint32_t *queue, count;
};

/* Adds a position to the queue, if the book has it and it is new. */
static void reach(const struct book *b, struct reach *r, const void *state)
{
	int image;
	const uint32_t place = book_find(b, state, &image);
	if (place == BOOK_NOWHERE || r->reached[place])
		return;
	r->reached[place] = true;
	r->queue[r->count++] = place;
}

/* Chance nodes count as going, unlike for book_has_choice. */
static bool is_going(const struct book *b, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	return b->rules.game->result(state, points) == QV_GOING;
}

/*
 * Adds what can be reached from a place. `moves` and `replies` each have room for the moves of a
 * position; lookups use the arrays of the book.
 */
static void reach_from(const struct book *b, struct reach *r, uint32_t place, qv_move *moves,
		       qv_move *replies)
{
	const struct qv_game *g = b->rules.game;
	const void *state = book_state(b, b->places[place].state);
	void *next = book_scratch(b, SCRATCH_NEXT), *then = book_scratch(b, SCRATCH_THEN);
	const int n = is_going(b, state) ? g->moves(state, moves) : 0;
	for (int i = 0; i < n; i++) {
		bool ours = false;
		memcpy(next, state, g->state_size);
		g->play(next, moves[i]);
		reach(b, r, next);
		for (uint32_t c = b->places[place].first; c; c = b->choices[c - 1].next)
			ours |= b->choices[c - 1].move == moves[i];
		const int m = ours && is_going(b, next) ? g->moves(next, replies) : 0;
		for (int k = 0; k < m; k++) {
			memcpy(then, next, g->state_size);
			g->play(then, replies[k]);
			reach(b, r, then);
		}
	}
}

/* Reports positions that the moves of the book do not lead to. */
static enum qv_status check_reach(struct checking *x, struct qv_error *error)
{
	struct book *b = x->b;
	const struct qv_allocator *a = b->allocator;
	enum qv_status status = QV_OK;
	int image;
	/* The roots need not be in the index yet: the start, and where lines and replies begin. */
	for (uint32_t i = 0; i <= b->item_count && status == QV_OK; i++) {
		uint32_t place;
		void *state = book_scratch(b, SCRATCH_WALK);
		if (i < b->item_count && b->items[i].kind == BOOK_AT)
			continue;
		memcpy(state, book_state(b, i < b->item_count ? b->items[i].from : 0),
		       b->rules.game->state_size);
		status = book_place_of(b, state, &place, error);
	}
	if (status != QV_OK)
		return status;
	const size_t places = b->place_count, room = (size_t)b->rules.game->max_moves;
	struct reach r = { mem_new(a, places, sizeof *r.reached),
			   mem_new(a, places, sizeof *r.queue), 0 };
	qv_move *moves = mem_new(a, 2 * room, sizeof *moves);
	if (!r.reached || !r.queue || !moves) {
		status = book_no_memory(error);
		goto done;
	}
	reach(b, &r, book_state(b, 0));
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind != BOOK_AT)
			reach(b, &r, book_state(b, b->items[i].from));
	for (uint32_t i = 0; i < r.count; i++)
		reach_from(b, &r, r.queue[i], moves, moves + room);
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_AT &&
		    !r.reached[book_find(b, book_state(b, b->items[i].from), &image)])
			report(x, b->items[i].line,
			       "the position cannot be reached by moves of the book");
done:
	mem_free(a, r.reached, places * sizeof *r.reached);
	mem_free(a, r.queue, places * sizeof *r.queue);
	mem_free(a, moves, 2 * room * sizeof *moves);
	return status;
}

/* Items are checked one by one, then against each other, then as a graph. */
enum qv_status book_check(struct book *b, const struct book_reporter *reporter, int *found,
			  struct qv_error *error)
{
	struct checking x = { b, reporter, 0 };
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_AT)
			check_moves(&x, &b->items[i]);
	enum qv_status status = check_duplicates(&x, error);
	if (status == QV_OK)
		status = check_reach(&x, error);
	if (status == QV_OK && !b->item_count)
		report(&x, 0, "the book is empty");
	*found += x.found;
	return status;
}

/* ---- Lines that end badly ---- */

/* The score of the player decides. A proven score other than a draw means that a seat has lost. */
enum qv_status book_judge(struct book *b, struct qv_player *player, int64_t margin,
			  const struct qv_flag *stop, const struct book_reporter *reporter,
			  int *found, struct qv_error *error)
{
	const struct qv_game *g = b->rules.game;
	const struct qv_limits limits = { .stop = stop };
	struct checking x = { b, reporter, 0 };
	void *state = book_scratch(b, SCRATCH_WALK);
	enum qv_status status = QV_OK;
	if (g->seats != 2)
		return qv_fail(error, QV_UNSUPPORTED,
			       "book: needs a game of two players; %.40s is not one", g->name);
	for (uint32_t i = 0; i < b->item_count && status == QV_OK; i++) {
		const struct book_item *item = &b->items[i];
		struct qv_answer answer;
		memcpy(state, book_state(b, item->from), g->state_size);
		for (uint32_t k = 0; item->kind == BOOK_LINE && k < item->count; k++)
			g->play(state, b->moves[item->first + k].move);
		if (item->kind != BOOK_LINE || !book_has_choice(b, state))
			continue;
		status = player_choose(player, state, &limits, NULL, &answer, error);
		if (status == QV_STOPPED)
			qv_fail(error, status, "book: stopped");
		if (status != QV_OK)
			break;
		const int behind = answer.score < 0 ? g->seat(state) : 1 - g->seat(state);
		const int64_t points = answer.score < 0 ? -(int64_t)answer.score : answer.score;
		const char *name = book_text(b, item->name);
		if (answer.proven && points)
			report(&x, item->line, "'%.60s' ends where seat %d has lost", name,
			       behind + 1);
		else if (!answer.proven && margin >= 0 && points > margin)
			report(&x, item->line, "'%.60s' ends where seat %d is %lld points behind",
			       name, behind + 1, (long long)points);
	}
	*found += x.found;
	return status;
}
