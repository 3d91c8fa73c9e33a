/*
 * index.c - the index of a book: positions found by hash, compared, and mapped back to the caller's
 * orientation.
 * SPDX-License-Identifier: MIT
 *
 * The key of a position is the lowest hash of all its symmetric positions, so a lookup costs one
 * hash per symmetry and one comparison. A place stores its moves in the orientation in which it was
 * first added; lookups map them with the symmetry that leads to the position at hand.
 */
#include "base/scan.h"
#include "book/inside.h"
#include "book/polyglot_book.h"

/* ---- Positions ---- */

/* The hash without counters that only grow, if the game has one. */
static uint64_t hash_of(const struct book *b, const void *state)
{
	const struct qv_game *g = b->rules.game;
	return g->repeat_hash ? g->repeat_hash(state) : g->hash(state);
}

/* 1 for a game without symmetries: the identity. */
static int symmetry_count(const struct book *b)
{
	return b->rules.game->image && b->rules.game->symmetries > 1 ? b->rules.game->symmetries
								     : 1;
}

/* The state under symmetry k. Except for k = 0 the result is in SCRATCH_IMAGE. */
static const void *image_of(const struct book *b, const void *state, int k)
{
	void *out = book_scratch(b, SCRATCH_IMAGE);
	if (k == 0)
		return state;
	b->rules.game->image(state, k, out);
	return out;
}

qv_move book_image_of_move(const struct book *b, const void *state, int k, qv_move move)
{
	return k ? b->rules.game->image_move(state, k, move) : move;
}

uint64_t book_key(const struct book *b, const void *state)
{
	uint64_t least = hash_of(b, state);
	for (int k = 1; k < symmetry_count(b); k++) {
		const uint64_t hash = hash_of(b, image_of(b, state, k));
		least = hash < least ? hash : least;
	}
	return least;
}

/*
 * In games with counters that only grow, positions that differ only in them are the same to a book.
 * The counters are known to repeat_hash only, so the legal moves are compared as well.
 */
bool book_alike(const struct book *b, const void *one, const void *other)
{
	const struct qv_game *g = b->rules.game;
	int32_t points[QV_MAX_SEATS];
	if (memcmp(one, other, g->state_size) == 0)
		return true;
	if (!g->repeat_hash || g->repeat_hash(one) != g->repeat_hash(other) ||
	    g->seat(one) != g->seat(other) || g->result(one, points) != g->result(other, points))
		return false;
	const int n = g->moves(one, b->list);
	return n == g->moves(other, b->other_list) &&
	       memcmp(b->list, b->other_list, (size_t)n * sizeof *b->list) == 0;
}

bool book_has_choice(const struct book *b, const void *state)
{
	const struct qv_game *g = b->rules.game;
	int32_t points[QV_MAX_SEATS];
	return g->result(state, points) == QV_GOING && g->seat(state) != QV_CHANCE;
}

bool book_blanks_separate(const struct book *b, const void *state)
{
	const struct qv_game *g = b->rules.game;
	const int n = g->moves(state, b->list);
	for (int i = 0; i < n; i++) {
		char text[QV_MOVE_TEXT] = "";
		struct qv_text out = { text, sizeof text, 0 };
		g->move_text(state, b->list[i], &out);
		if (strchr(text, ' '))
			return false;
	}
	return true;
}

/* ---- Places ---- */

int book_turn(const struct book *b, const void *from, const void *to)
{
	for (int k = 0; k < symmetry_count(b); k++)
		if (book_alike(b, image_of(b, from, k), to))
			return k;
	return -1;
}

/* book_find for a position whose key is known. */
static uint32_t find_place(const struct book *b, const void *state, uint64_t key, int *image)
{
	const void *number;
	for (size_t at = 0; (number = map_next_of(&b->index, key, &at));) {
		const uint32_t place = (uint32_t)map_to_number(number);
		*image = book_turn(b, book_state(b, b->places[place].state), state);
		if (*image >= 0)
			return place;
	}
	return BOOK_NOWHERE;
}

uint32_t book_find(const struct book *b, const void *state, int *image)
{
	return b->place_count ? find_place(b, state, book_key(b, state), image) : BOOK_NOWHERE;
}

/* Memory for the place is reserved before the map is changed, so that they cannot differ. */
enum qv_status book_place_of(struct book *b, const void *state, uint32_t *place,
			     struct qv_error *error)
{
	const uint64_t key = book_key(b, state);
	uint32_t number;
	int image;
	*place = find_place(b, state, key, &image);
	if (*place != BOOK_NOWHERE)
		return QV_OK;
	if (!mem_reserve(b->allocator, &b->places, &b->place_room, (size_t)b->place_count + 1,
			 sizeof *b->places))
		return book_no_memory(error);
	enum qv_status status = book_add_state(b, state, &number, error);
	if (status != QV_OK)
		return status;
	if (!map_add(&b->index, key, map_of_number(b->place_count)))
		return book_no_memory(error);
	*place = b->place_count;
	b->places[b->place_count++] = (struct book_place){ .key = key, .state = number };
	return QV_OK;
}

/* ---- Choices ---- */

/* Moves are symmetric only under symmetries that map the position to itself. */
bool book_same_move(const struct book *b, const void *state, qv_move one, qv_move other)
{
	for (int k = 0; k < symmetry_count(b); k++)
		if (book_image_of_move(b, state, k, one) == other &&
		    book_alike(b, image_of(b, state, k), state))
			return true;
	return false;
}

/* The choices of a place form a linked list in the order in which they were added. */
static struct book_choice *choice_at(const struct book *b, uint32_t link)
{
	return link ? &b->choices[link - 1] : NULL;
}

/*
 * `link` points into the array of choices, which may move when it grows; then it is computed again.
 */
enum qv_status book_add_choice(struct book *b, const void *state, qv_move move, uint64_t weight,
			       bool general, uint32_t *choice, struct qv_error *error)
{
	uint32_t place;
	enum qv_status status = book_place_of(b, state, &place, error);
	if (status != QV_OK)
		return status;
	const void *form = book_state(b, b->places[place].state);
	/* Every symmetry has an inverse, so one maps `state` to the stored orientation. */
	const qv_move here = book_image_of_move(b, state, book_turn(b, state, form), move);
	uint32_t *link = &b->places[place].first;
	for (struct book_choice *c; (c = choice_at(b, *link)); link = &c->next)
		if (c->general == general && book_same_move(b, form, here, c->move))
			break;
	if (!*link) {
		const bool first = link == &b->places[place].first;
		const size_t at = first ? 0 : (size_t)((char *)link - (char *)b->choices);
		if (!mem_reserve(b->allocator, &b->choices, &b->choice_room,
				 (size_t)b->choice_count + 1, sizeof *b->choices))
			return book_no_memory(error);
		if (!first)
			link = (uint32_t *)(void *)((char *)b->choices + at);
		b->choices[b->choice_count] =
			(struct book_choice){ .move = here, .general = general };
		*link = ++b->choice_count;
	}
	b->choices[*link - 1].weight += weight;
	if (choice)
		*choice = *link - 1;
	return QV_OK;
}

/* Sorts by weight, heaviest first; stable. */
static void sort_options(struct book_option *list, int n)
{
	for (int i = 1; i < n; i++) {
		const struct book_option moving = list[i];
		int k = i;
		for (; k > 0 && list[k - 1].weight < moving.weight; k--)
			list[k] = list[k - 1];
		list[k] = moving;
	}
}

/* Universal replies are used only if there is nothing else. */
int book_options(const struct book *b, const void *state, struct book_option *list)
{
	int image, n = 0;
	if (b->bin) {
		n = polyglot_options(b, state, list);
		sort_options(list, n);
		return n;
	}
	const uint32_t place = book_find(b, state, &image);
	if (place == BOOK_NOWHERE)
		return 0;
	const void *form = book_state(b, b->places[place].state);
	for (int general = 0; general < 2 && n == 0; general++)
		for (const struct book_choice *c = choice_at(b, b->places[place].first); c;
		     c = choice_at(b, c->next))
			if (c->general == (general == 1))
				list[n++] = (struct book_option){
					book_image_of_move(b, form, image, c->move), c->weight,
					book_text(b, c->note), c->general
				};
	sort_options(list, n);
	return n;
}

const char *book_name(const struct book *b, const void *state, const char **note, bool *in_book)
{
	int image;
	const uint32_t place = book_find(b, state, &image);
	if (in_book)
		*in_book = b->bin ? polyglot_has(b, state) : place != BOOK_NOWHERE;
	if (note)
		*note = place == BOOK_NOWHERE ? "" : book_text(b, b->places[place].note);
	return place == BOOK_NOWHERE ? "" : book_text(b, b->places[place].name);
}

struct book_eco book_eco(const char *note)
{
	struct book_eco eco = { "" };
	if (strncmp(note, "ECO ", 4) == 0 && note[4] >= 'A' && note[4] <= 'E' &&
	    is_digit(note[5]) && is_digit(note[6]))
		memcpy(eco.text, note + 4, 3);
	return eco;
}

void book_put_opening(const char *name, const char *note, struct qv_text *out)
{
	const struct book_eco eco = book_eco(note);
	qv_put(out, eco.text);
	qv_put(out, *eco.text ? " " : "");
	qv_put(out, name);
}

void book_lines_through(const struct book *b, const void *state,
			void (*call)(void *ctx, struct book_passing passing), void *ctx)
{
	const uint64_t key = book_key(b, state);
	void *at = book_scratch(b, SCRATCH_WALK);
	uint32_t line = 0;
	for (uint32_t i = 0; i < b->item_count; i++) {
		const struct book_item *item = &b->items[i];
		if (item->kind != BOOK_LINE)
			continue;
		line++;
		memcpy(at, book_state(b, item->from), b->rules.game->state_size);
		for (uint32_t k = 0; k < item->count; k++) {
			const qv_move move = b->moves[item->first + k].move;
			const int image = book_key(b, at) == key ? book_turn(b, at, state) : -1;
			if (image >= 0) {
				call(ctx, (struct book_passing){
						  line, book_image_of_move(b, at, image, move) });
				break;
			}
			b->rules.game->play(at, move);
		}
	}
}

/* ---- Items ---- */

/* A position keeps the first name and note that it gets. */
static enum qv_status set_name(struct book *b, const void *state, const struct book_item *item,
				struct qv_error *error)
{
	uint32_t place;
	enum qv_status status = book_place_of(b, state, &place, error);
	if (status != QV_OK)
		return status;
	struct book_place *p = &b->places[place];
	p->name = p->name ? p->name : item->name;
	p->note = p->note ? p->note : item->note;
	return QV_OK;
}

/* The moves of a line, and of a position, become choices; the item's name is that of its end. */
static enum qv_status index_moves(struct book *b, const struct book_item *item,
				  struct qv_error *error)
{
	void *state = book_scratch(b, SCRATCH_WALK);
	const bool line = item->kind == BOOK_LINE;
	enum qv_status status = QV_OK;
	memcpy(state, book_state(b, item->from), b->rules.game->state_size);
	if (!line)
		status = set_name(b, state, item, error);
	for (uint32_t i = 0; i < item->count && status == QV_OK; i++) {
		const struct book_move m = b->moves[item->first + i];
		uint32_t choice;
		if (!line || book_has_choice(b, state))
			status = book_add_choice(b, state, m.move, line ? item->weight : m.weight,
						 false, &choice, error);
		if (line)
			b->rules.game->play(state, m.move);
		else if (status == QV_OK && !b->choices[choice].note)
			b->choices[choice].note = m.note;
	}
	return status == QV_OK && line ? set_name(b, state, item, error) : status;
}

/* Adds the universal reply after every move that is not excepted, where the reply is legal. */
static enum qv_status index_reply(struct book *b, const struct book_item *item,
				  struct qv_error *error)
{
	const struct qv_game *g = b->rules.game;
	const qv_move reply = b->moves[item->first].move;
	void *state = book_scratch(b, SCRATCH_WALK);
	const int n = g->moves(book_state(b, item->from), b->list);
	for (int i = 0; i < n; i++) {
		/* The calls below overwrite the list, and may move the array of states. */
		const void *from = book_state(b, item->from);
		g->moves(from, b->list);
		const qv_move move = b->list[i];
		bool excepted = false;
		uint32_t choice;
		for (uint32_t k = 1; k < item->count && !excepted; k++)
			excepted = book_same_move(b, from, move, b->moves[item->first + k].move);
		memcpy(state, from, g->state_size);
		g->play(state, move);
		if (excepted || !book_has_choice(b, state) || !qv_move_legal(g, state, reply))
			continue;
		const enum qv_status status =
			book_add_choice(b, state, reply, 0, true, &choice, error);
		if (status != QV_OK)
			return status;
		/* Symmetric moves lead to the same position, so the weight is not added up. */
		struct book_choice *c = &b->choices[choice];
		c->weight = c->weight < item->weight ? item->weight : c->weight;
		c->note = c->note ? c->note : item->note;
	}
	return QV_OK;
}

enum qv_status book_index_item(struct book *b, const struct book_item *item, struct qv_error *error)
{
	return (item->kind == BOOK_REPLY ? index_reply : index_moves)(b, item, error);
}
