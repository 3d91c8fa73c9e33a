/*
 * polyglot.c - books of chess in the Polyglot format: keys, moves, records in and out.
 * SPDX-License-Identifier: MIT
 */
#include "book/polyglot.h"

#include <stdlib.h>

#include "book/inside.h"
#include "core/context.h"

/* Where the parts of the numbers begin. */
enum { CASTLING = 768, PASSANT = 772, TURN = 780 };

/* ---- Keys ---- */

uint64_t polyglot_key(const struct chess *s)
{
	uint64_t key = s->turn == CHESS_WHITE ? polyglot_random[TURN] : 0;
	for (uint64_t men = chess_men(s); men; men = bits_rest(men)) {
		const int square = bits_lowest(men), man = s->board[square];
		/* Black pawn 0, white pawn 1, black knight 2, and so on. */
		const int kind = 2 * (man & 7) + (man >> 3 == CHESS_WHITE);
		key ^= polyglot_random[64 * kind + square];
	}
	for (int right = 0; right < 4; right++)
		if (s->castling >> right & 1)
			key ^= polyglot_random[CASTLING + right];
	return s->passant ? key ^ polyglot_random[PASSANT + chess_file(s->passant)] : key;
}

_Static_assert(CHESS_WHITE_SHORT == 1 && CHESS_WHITE_LONG == 2 && CHESS_BLACK_SHORT == 4 &&
		       CHESS_BLACK_LONG == 8,
	       "the format's order of rights");
_Static_assert(CHESS_PAWN == 0 && CHESS_KNIGHT == 1 && CHESS_KING == 5,
	       "the format's order of men");

/* ---- Moves ---- */

uint16_t polyglot_move(const struct chess *s, qv_move move)
{
	const int from = chess_from(move);
	int to = chess_to(move);
	(void)s;
	if (chess_castles(move))
		to = chess_flag(move) == CHESS_SHORT ? from + 3 : from - 4;
	const int promotion = chess_promotes(move) ? chess_promotion(move) : 0;
	return (uint16_t)(promotion << 12 | from << 6 | to);
}

bool polyglot_find_move(const struct chess *s, uint16_t move, qv_move *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int n = move ? chess_moves(s, list) : 0;
	for (int i = 0; i < n; i++)
		if (polyglot_move(s, list[i]) == move) {
			*out = list[i];
			return true;
		}
	return false;
}

/* ---- Reading ---- */

static uint64_t big_endian(const unsigned char *bytes, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

static struct polyglot_record record_at(const char *data, uint32_t i)
{
	const unsigned char *r = (const unsigned char *)data + (size_t)i * POLYGLOT_RECORD;
	return (struct polyglot_record){ big_endian(r, 8), (uint16_t)big_endian(r + 8, 2),
					 (uint16_t)big_endian(r + 10, 2),
					 (uint32_t)big_endian(r + 12, 4) };
}

static size_t bytes_of(uint32_t count)
{
	return sizeof(struct polyglot) + count * sizeof(struct polyglot_record);
}

enum qv_status polyglot_read(const struct qv_context *context, const char *data, size_t size,
			     struct book *out, struct qv_error *error)
{
	const struct qv_allocator *a = context_allocator(context);
	struct qv_rules rules;
	*out = (struct book){ 0 };
	/* Some end with a newline. */
	if (size % POLYGLOT_RECORD == 1 && data[size - 1] == '\n')
		size--;
	if (size % POLYGLOT_RECORD)
		return qv_fail(error, QV_BAD_INPUT,
			       "book: %zu bytes are no whole number of records of %d", size,
			       POLYGLOT_RECORD);
	enum qv_status status = qv_rules_parse(context, "chess", &rules, error);
	if (status == QV_OK)
		status = book_make(out, a, &rules, error);
	if (status != QV_OK)
		return status;
	const uint32_t count = (uint32_t)(size / POLYGLOT_RECORD);
	out->bin = mem_new(a, 1, bytes_of(count));
	if (!out->bin)
		return book_no_memory(error);
	out->bin->count = count;
	for (uint32_t i = 0; i < count; i++) {
		out->bin->records[i] = record_at(data, i);
		if (i && out->bin->records[i].key < out->bin->records[i - 1].key)
			return qv_fail(error, QV_BAD_INPUT, "book: record %u of %u is out of order",
				       i + 1, count);
	}
	return QV_OK;
}

void polyglot_free(struct book *b)
{
	if (!b->bin)
		return;
	mem_free(b->allocator, b->bin->seen, (b->bin->count + 1) * sizeof *b->bin->seen);
	mem_free(b->allocator, b->bin, bytes_of(b->bin->count));
	b->bin = NULL;
}

bool polyglot_is_name(const char *path)
{
	const size_t length = strlen(path);
	return length > 4 && text_same(path + length - 4, ".bin");
}

/* ---- Looking up ---- */

uint32_t polyglot_first(const struct polyglot *p, uint64_t key)
{
	uint32_t from = 0, to = p->count;
	while (from < to) {
		const uint32_t middle = from + (to - from) / 2;
		if (p->records[middle].key < key)
			from = middle + 1;
		else
			to = middle;
	}
	return from < p->count && p->records[from].key == key ? from : p->count;
}

bool polyglot_has(const struct book *b, const void *state)
{
	return polyglot_first(b->bin, polyglot_key(state)) < b->bin->count;
}

/* The same move twice is one, with both weights. */
int polyglot_options(const struct book *b, const void *state, struct book_option *list)
{
	const struct polyglot *p = b->bin;
	const uint64_t key = polyglot_key(state);
	int n = 0;
	for (uint32_t i = polyglot_first(p, key); i < p->count && p->records[i].key == key; i++) {
		qv_move move;
		int k = 0;
		if (!polyglot_find_move(state, p->records[i].move, &move))
			continue;
		while (k < n && list[k].move != move)
			k++;
		if (k == n)
			list[n++] = (struct book_option){ .move = move, .note = "" };
		list[k].weight += p->records[i].weight;
	}
	return n;
}

/* ---- Writing ---- */

static void put_big_endian(struct string *out, uint64_t value, int count)
{
	char bytes[8];
	for (int i = count; i--; value >>= 8)
		bytes[i] = (char)(value & 0xff);
	string_add(out, bytes, (size_t)count);
}

static void put_record(struct string *out, const struct polyglot_record *r)
{
	put_big_endian(out, r->key, 8);
	put_big_endian(out, r->move, 2);
	put_big_endian(out, r->weight, 2);
	put_big_endian(out, r->learn, 4);
}

/* By key, the heaviest first, then by move. */
static int record_order(const void *a, const void *b)
{
	const struct polyglot_record *one = a, *other = b;
	if (one->key != other->key)
		return one->key < other->key ? -1 : 1;
	if (one->weight != other->weight)
		return one->weight > other->weight ? -1 : 1;
	return (one->move > other->move) - (one->move < other->move);
}

static uint16_t scaled_weight(uint64_t weight, uint64_t heaviest)
{
	if (heaviest <= UINT16_MAX || !weight)
		return (uint16_t)weight;
	const uint64_t scaled = (uint64_t)((double)weight / (double)heaviest * UINT16_MAX);
	return (uint16_t)(scaled ? scaled : 1);
}

/* The records of one position; returns how many. */
static uint32_t records_of(const struct book *b, const struct book_place *place,
			   struct book_option *options, struct polyglot_record *out)
{
	const void *state = book_state(b, place->state);
	const int n = book_options(b, state, options);
	for (int i = 0; i < n; i++)
		out[i] = (struct polyglot_record){ .key = polyglot_key(state),
						   .move = polyglot_move(state, options[i].move),
						   .weight = scaled_weight(options[i].weight,
									   options[0].weight) };
	return (uint32_t)n;
}

static enum qv_status write_places(const struct book *b, struct string *out, struct qv_error *error)
{
	const size_t room = b->choice_count ? b->choice_count : 1;
	struct polyglot_record *all = mem_new(b->allocator, room, sizeof *all);
	struct book_option options[CHESS_MAX_MOVES];
	uint32_t count = 0;
	if (!all)
		return book_no_memory(error);
	for (uint32_t i = 0; i < b->place_count; i++)
		count += records_of(b, &b->places[i], options, all + count);
	qsort(all, count, sizeof *all, record_order);
	for (uint32_t i = 0; i < count; i++)
		put_record(out, &all[i]);
	mem_free(b->allocator, all, room * sizeof *all);
	return out->failed ? book_no_memory(error) : QV_OK;
}

enum qv_status polyglot_write(struct book *b, struct string *out, struct qv_error *error)
{
	if (strcmp(b->rules.game->name, "chess") != 0)
		return qv_fail(error, QV_UNSUPPORTED,
			       "book: the Polyglot format (.bin) is for chess, not for %s",
			       b->rules.game->name);
	if (!b->bin)
		return write_places(b, out, error);
	for (uint32_t i = 0; i < b->bin->count; i++)
		put_record(out, &b->bin->records[i]);
	return out->failed ? book_no_memory(error) : QV_OK;
}
