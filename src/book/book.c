/*
 * book.c - a book as a list of items: creating, adding, merging, and picking lines.
 * SPDX-License-Identifier: MIT
 *
 * Items refer to states, moves and texts by index or offset into arrays of the book, so that arrays
 * can grow and books can be copied item by item. Merging finds equal items through a map of hashes;
 * it costs one hash of each item and rebuilds the index once.
 */
#include "base/options.h"
#include "book/inside.h"
#include "book/polyglot_book.h"

enum { MOST_STATES = 1 << 22, MOST_STATE_BYTES = 1 << 28 };

/* ---- Creating ---- */

bool book_make_room(struct book *b)
{
	const size_t moves = (size_t)b->rules.game->max_moves;
	b->scratch = mem_new(b->allocator, SCRATCH_COUNT, b->stride);
	b->list = mem_new(b->allocator, moves, sizeof *b->list);
	b->other_list = mem_new(b->allocator, moves, sizeof *b->list);
	return b->scratch && b->list && b->other_list;
}

/*
 * The states are aligned for any type. State 0 and text 0 always exist, so that 0 can stand for the
 * start position and for no text.
 */
enum qv_status book_make(struct book *b, const struct qv_allocator *allocator,
			 const struct qv_rules *rules, struct qv_error *error)
{
	const size_t align = _Alignof(max_align_t);
	uint32_t start;
	*b = (struct book){ .allocator = allocator,
			    .rules = *rules,
			    .index = { .allocator = allocator },
			    .texts = { .allocator = allocator } };
	b->stride = (rules->game->state_size + align - 1) / align * align;
	string_add(&b->texts, "", 1);
	if (!book_make_room(b) || b->texts.failed)
		return book_no_memory(error);
	rules->game->start(rules->options, book_scratch(b, SCRATCH_WALK));
	return book_add_state(b, book_scratch(b, SCRATCH_WALK), &start, error);
}

/* A book that book_make has failed to create has some of these only. */
void book_release(struct book *b)
{
	const struct qv_allocator *a = b->allocator;
	if (!a)
		return;
	const size_t moves = (size_t)b->rules.game->max_moves * sizeof *b->list;
	mem_free(a, b->scratch, SCRATCH_COUNT * b->stride);
	mem_free(a, b->list, moves);
	mem_free(a, b->other_list, moves);
	if (b->shared) {
		*b = (struct book){ 0 };
		return;
	}
	mem_free(a, b->items, b->item_room * sizeof *b->items);
	mem_free(a, b->moves, b->move_room * sizeof *b->moves);
	mem_free(a, b->places, b->place_room * sizeof *b->places);
	mem_free(a, b->choices, b->choice_room * sizeof *b->choices);
	mem_free(a, b->states, b->state_room * b->stride);
	map_release(&b->index);
	polyglot_free(b);
	string_release(&b->texts);
	*b = (struct book){ 0 };
}

/* Options beyond those of the game are not set and not compared. */
bool book_is_for(const struct book *b, const struct qv_rules *rules)
{
	if (b->rules.game != rules->game)
		return false;
	for (int i = 0; i < QV_MAX_OPTIONS; i++) {
		if (!rules->game->options || !rules->game->options[i].name)
			return true;
		if (b->rules.options[i] != rules->options[i])
			return false;
	}
	return true;
}

/* ---- Adding ---- */

/* The limits keep a hostile file from using all memory. */
enum qv_status book_add_state(struct book *b, const void *state, uint32_t *number,
			      struct qv_error *error)
{
	if (b->state_count >= MOST_STATES || b->state_count * b->stride >= MOST_STATE_BYTES)
		return qv_fail(error, QV_BAD_INPUT, "book: more than %u positions", b->state_count);
	if (!mem_reserve(b->allocator, &b->states, &b->state_room, (size_t)b->state_count + 1,
			 b->stride))
		return book_no_memory(error);
	memset(book_state(b, b->state_count), 0, b->stride);
	memcpy(book_state(b, b->state_count), state, b->rules.game->state_size);
	*number = b->state_count++;
	return QV_OK;
}

/* A failure leaves the texts as they were, so that the book stays usable. */
enum qv_status book_add_text(struct book *b, const char *text, size_t *place,
			     struct qv_error *error)
{
	const size_t at = b->texts.length;
	if (!*text) {
		*place = 0;
		return QV_OK;
	}
	string_add(&b->texts, text, strlen(text) + 1);
	if (b->texts.failed) {
		b->texts.failed = false;
		return book_no_memory(error);
	}
	*place = at;
	return QV_OK;
}

enum qv_status book_add_item(struct book *b, const struct book_item *item, struct qv_error *error)
{
	if (!mem_reserve(b->allocator, &b->items, &b->item_room, (size_t)b->item_count + 1,
			 sizeof *b->items))
		return book_no_memory(error);
	b->items[b->item_count] = *item;
	b->items[b->item_count].first = b->move_count;
	b->items[b->item_count++].count = 0;
	return QV_OK;
}

/* Appends a move to the array of moves; it belongs to no item yet. */
static enum qv_status push_move(struct book *b, struct book_move move, struct qv_error *error)
{
	if (!mem_reserve(b->allocator, &b->moves, &b->move_room, (size_t)b->move_count + 1,
			 sizeof *b->moves))
		return book_no_memory(error);
	b->moves[b->move_count++] = move;
	return QV_OK;
}

enum qv_status book_add_move(struct book *b, qv_move move, uint32_t weight, size_t note,
			     struct qv_error *error)
{
	const enum qv_status status = push_move(b, (struct book_move){ move, weight, note }, error);
	if (status == QV_OK)
		book_last_item(b)->count++;
	return status;
}

/* ---- Merging ---- */

/* The sum, at most BOOK_MOST_WEIGHT. */
static uint32_t add_weights(uint32_t one, uint32_t other)
{
	return one + other > BOOK_MOST_WEIGHT ? BOOK_MOST_WEIGHT : one + other;
}

/*
 * Positions are compared under symmetries; lines and replies must have the same moves from the same
 * position.
 */
bool book_same_item(const struct book *b, const struct book_item *one, const struct book *c,
		    const struct book_item *other)
{
	if (one->kind != other->kind)
		return false;
	if (one->kind == BOOK_AT)
		return book_turn(b, book_state(c, other->from), book_state(b, one->from)) >= 0;
	if (one->count != other->count ||
	    memcmp(book_state(b, one->from), book_state(c, other->from),
		   b->rules.game->state_size) != 0)
		return false;
	for (uint32_t i = 0; i < one->count; i++)
		if (b->moves[one->first + i].move != c->moves[other->first + i].move)
			return false;
	return true;
}

/* The moves of a position do not count, since they are merged. */
uint64_t book_item_key(const struct book *b, const struct book_item *item)
{
	uint64_t key = qv_mix(book_key(b, book_state(b, item->from)) + item->kind);
	for (uint32_t i = 0; item->kind != BOOK_AT && i < item->count; i++)
		key = qv_mix((key ^ b->moves[item->first + i].move) * UINT64_C(0x9e3779b97f4a7c15));
	return key;
}

/* Copies a text of the other book unless *place has one. */
static enum qv_status copy_text(struct book *b, size_t *place, const struct book *more, size_t from,
				struct qv_error *error)
{
	return *place ? QV_OK : book_add_text(b, book_text(more, from), place, error);
}

/* Copies an item with its position, texts and moves from another book of the same rules. */
static enum qv_status copy_item(struct book *b, const struct book *more,
				const struct book_item *item, struct qv_error *error)
{
	struct book_item copy = { .kind = item->kind, .weight = item->weight };
	enum qv_status status = book_add_state(b, book_state(more, item->from), &copy.from, error);
	if (status == QV_OK)
		status = copy_text(b, &copy.name, more, item->name, error);
	if (status == QV_OK)
		status = copy_text(b, &copy.note, more, item->note, error);
	if (status == QV_OK)
		status = book_add_item(b, &copy, error);
	for (uint32_t i = 0; status == QV_OK && i < item->count; i++) {
		const struct book_move *m = &more->moves[item->first + i];
		size_t note = 0;
		status = copy_text(b, &note, more, m->note, error);
		if (status == QV_OK)
			status = book_add_move(b, m->move, m->weight, note, error);
	}
	return status;
}

/*
 * Merges the moves of a position that both books have. They are copied to the end of the array of
 * moves, because there is no room after the old ones.
 */
static enum qv_status merge_position(struct book *b, struct book_item *here,
				     const struct book *more, const struct book_item *item,
				     struct qv_error *error)
{
	const void *state = book_state(b, here->from), *theirs = book_state(more, item->from);
	const uint32_t start = b->move_count;
	const int image = book_turn(b, theirs, state);
	enum qv_status status = QV_OK;
	for (uint32_t i = 0; i < here->count && status == QV_OK; i++)
		status = push_move(b, b->moves[here->first + i], error);
	for (uint32_t i = 0; i < item->count && status == QV_OK; i++) {
		struct book_move move = more->moves[item->first + i];
		size_t note = 0;
		uint32_t k = start;
		/* In the orientation of this book; k is then the same or a symmetric move. */
		move.move = book_image_of_move(b, theirs, image, move.move);
		while (k < b->move_count && !book_same_move(b, state, b->moves[k].move, move.move))
			k++;
		const bool is_new = k == b->move_count;
		status = copy_text(b, is_new ? &note : &b->moves[k].note, more, move.note, error);
		move.note = note;
		if (status == QV_OK && is_new)
			status = push_move(b, move, error);
		else if (status == QV_OK)
			b->moves[k].weight = add_weights(b->moves[k].weight, move.weight);
	}
	if (status == QV_OK) {
		here->first = start;
		here->count = b->move_count - start;
	}
	return status;
}

/* Merges an item of the other book. `m` maps the hashes of b's items to their indexes. */
static enum qv_status merge_item(struct book *b, struct map *m, const struct book *more,
				 const struct book_item *item, struct qv_error *error)
{
	const uint64_t key = book_item_key(more, item);
	struct book_item *here = NULL;
	const void *number;
	for (size_t at = 0; !here && (number = map_next_of(m, key, &at));)
		if (book_same_item(b, &b->items[map_to_number(number)], more, item))
			here = &b->items[map_to_number(number)];
	if (!here) {
		const enum qv_status copied = copy_item(b, more, item, error);
		if (copied == QV_OK && !map_add(m, key, map_of_number(b->item_count - 1)))
			return book_no_memory(error);
		return copied;
	}
	here->weight = add_weights(here->weight, item->weight);
	enum qv_status status = copy_text(b, &here->name, more, item->name, error);
	if (status == QV_OK)
		status = copy_text(b, &here->note, more, item->note, error);
	if (status == QV_OK && item->kind == BOOK_AT)
		status = merge_position(b, here, more, item, error);
	return status;
}

/* Rebuilds the index after items have changed. */
static enum qv_status rebuild_index(struct book *b, struct qv_error *error)
{
	b->place_count = b->choice_count = 0;
	map_release(&b->index);
	enum qv_status status = QV_OK;
	for (uint32_t i = 0; i < b->item_count && status == QV_OK; i++)
		status = book_index_item(b, &b->items[i], error);
	return status;
}

/* The index is rebuilt as a whole, since weights and names of places may have changed. */
enum qv_status book_merge(struct book *b, const struct book *more, struct qv_error *error)
{
	if (!book_is_for(b, &more->rules))
		return qv_fail(error, QV_BAD_INPUT,
			       "book: the books are for different games or options");
	enum qv_status status = copy_text(b, &b->title, more, more->title, error);
	if (status == QV_OK)
		status = copy_text(b, &b->note, more, more->note, error);
	struct map items = { .allocator = b->allocator };
	for (uint32_t i = 0; i < b->item_count && status == QV_OK; i++)
		if (!map_add(&items, book_item_key(b, &b->items[i]), map_of_number(i)))
			status = book_no_memory(error);
	for (uint32_t i = 0; i < more->item_count && status == QV_OK; i++)
		status = merge_item(b, &items, more, &more->items[i], error);
	map_release(&items);
	return status == QV_OK ? rebuild_index(b, error) : status;
}

/* ---- Lines ---- */

/*
 * The index of the first item from `from` on that `which` selects, by name or else by number;
 * item_count if no item matches. Names take precedence, because a name may be a number.
 */
static uint32_t find_line(const struct book *b, const char *which, uint32_t from)
{
	bool is_name = false;
	int64_t wanted = 0, n = 0;
	for (uint32_t i = 0; i < b->item_count; i++)
		is_name |= b->items[i].kind == BOOK_LINE &&
			   text_same(book_text(b, b->items[i].name), which);
	if (!is_name && !text_to_int(which, 1, INT32_MAX, &wanted))
		return b->item_count;
	for (uint32_t i = 0; i < b->item_count; i++) {
		if (b->items[i].kind != BOOK_LINE)
			continue;
		n++;
		if (i >= from &&
		    (is_name ? text_same(book_text(b, b->items[i].name), which) : n == wanted))
			return i;
	}
	return b->item_count;
}

/* Fails with the nearest name, a name that contains the words, or the range of numbers. */
static enum qv_status no_such_line(const struct book *b, const char *which, struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(which);
	const char *part = NULL; /* a name that contains the words, ignoring letter case */
	int lines = 0;
	for (uint32_t i = 0; i < b->item_count; i++)
		if (b->items[i].kind == BOOK_LINE) {
			const char *name = book_text(b, b->items[i].name);
			const size_t length = strlen(which);
			lines++;
			text_nearest_try(&near, name);
			for (const char *at = name; *at && length && !part; at++) {
				size_t k = 0;
				while (k < length && at[k] && (at[k] | 32) == (which[k] | 32))
					k++;
				part = k == length ? name : NULL;
			}
		}
	near.best = near.best ? near.best : part;
	if (near.best)
		return qv_fail(error, QV_UNKNOWN, "line '%.60s': the book has no such line%s",
			       which, suggest(&near).text);
	return qv_fail(error, QV_UNKNOWN,
		       "line '%.60s': the book has no such line; its lines are 1 to %d", which,
		       lines);
}

const struct book_item *book_line(const struct book *b, const char *which, struct qv_error *error)
{
	const uint32_t i = find_line(b, which, 0);
	if (i < b->item_count)
		return &b->items[i];
	no_such_line(b, which, error);
	return NULL;
}

/* Copies the selected lines to a new book. */
enum qv_status book_pick(const struct book *b, const char *which, struct book *out,
			 struct qv_error *error)
{
	*out = (struct book){ 0 };
	if (!book_line(b, which, error))
		return QV_UNKNOWN;
	enum qv_status status = book_make(out, b->allocator, &b->rules, error);
	for (uint32_t i = 0; (i = find_line(b, which, i)) < b->item_count && status == QV_OK; i++)
		status = copy_item(out, b, &b->items[i], error);
	/* A line that was requested must be playable, even if its weight is 0. */
	for (uint32_t i = 0; i < out->item_count; i++)
		out->items[i].weight += !out->items[i].weight;
	if (status == QV_OK)
		status = rebuild_index(out, error);
	if (status != QV_OK)
		book_release(out);
	return status;
}
