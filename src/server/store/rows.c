/*
 * rows.c - the rows of a result: how they are built, and what they hold.
 * SPDX-License-Identifier: MIT
 *
 * All texts of a result are in one block. It moves while it grows, so until rows_end a text is the
 * number of its first byte in the block.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "server/store/inside.h"

/* ---- building ---- */

struct store_rows *rows_new(int columns, size_t most_bytes)
{
	struct store_rows *rows = calloc(1, sizeof *rows);
	if (rows) {
		rows->columns = columns;
		rows->most_bytes = most_bytes ? most_bytes : ROWS_MOST_BYTES;
	}
	return rows;
}

/* `count` counts values here, and rows from rows_end on. */
bool rows_add(struct store_rows *rows, const struct store_value *value)
{
	struct store_value copy = *value;
	const bool has_bytes = value->type == STORE_TEXT || value->type == STORE_BYTES;
	const size_t size = has_bytes ? value->size + 1 : 0;
	const size_t taken = rows->used + (rows->count + 1) * sizeof copy;
	if ((has_bytes && value->size >= rows->most_bytes) || taken + size > rows->most_bytes ||
	    !mem_reserve(&mem_malloc, &rows->values, &rows->values_room, rows->count + 1,
			 sizeof copy))
		return false;
	if (has_bytes) {
		if (!mem_reserve(&mem_malloc, &rows->bytes, &rows->bytes_room, rows->used + size,
				 1))
			return false;
		if (value->size)
			memcpy(rows->bytes + rows->used, value->bytes, value->size);
		rows->bytes[rows->used + value->size] = '\0';
		copy.number = (int64_t)rows->used;
		rows->used += size;
	}
	rows->values[rows->count++] = copy;
	return true;
}

void rows_end(struct store_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		struct store_value *value = &rows->values[i];
		if (value->type != STORE_TEXT && value->type != STORE_BYTES)
			continue;
		value->bytes = rows->bytes + value->number;
		value->number = 0;
	}
	rows->count = rows->columns ? rows->count / (size_t)rows->columns : 0;
}

size_t rows_size(const struct store_rows *rows)
{
	size_t size = 0;
	for (; rows; rows = rows->next)
		size += sizeof *rows + rows->bytes_room +
			rows->values_room * sizeof(struct store_value);
	return size;
}

void store_rows_free(struct store_rows *rows)
{
	for (struct store_rows *next; rows; rows = next) {
		next = rows->next;
		mem_free(&mem_malloc, rows->values, rows->values_room * sizeof *rows->values);
		mem_free(&mem_malloc, rows->bytes, rows->bytes_room);
		free(rows);
	}
}

/* ---- values ---- */

const struct store_value *store_rows_at(const struct store_rows *rows, size_t row, int column)
{
	static const struct store_value null = { .type = STORE_NULL };
	if (row >= rows->count || column < 0 || column >= rows->columns)
		return &null;
	return &rows->values[row * (size_t)rows->columns + (size_t)column];
}

int64_t store_rows_number(const struct store_rows *rows, size_t row, int column)
{
	const struct store_value *value = store_rows_at(rows, row, column);
	return value->type == STORE_NUMBER ? value->number : 0;
}

const char *store_rows_text(const struct store_rows *rows, size_t row, int column)
{
	const struct store_value *value = store_rows_at(rows, row, column);
	return value->type == STORE_TEXT ? value->bytes : "";
}

/* PostgreSQL and SQLite may give a number where a real is stored. */
static double real_at(const struct store_rows *rows, size_t row, int column)
{
	const struct store_value *value = store_rows_at(rows, row, column);
	return value->type == STORE_REAL ? value->real : (double)value->number;
}

/* Copies a text; false: it does not fit. */
static bool take_text(const struct store_rows *rows, size_t row, int column, char *out, size_t size)
{
	const struct store_value *value = store_rows_at(rows, row, column);
	const char *text = value->type == STORE_TEXT ? value->bytes : "";
	return snprintf(out, size, "%s", text) < (int)size;
}

/* ---- typed rows ---- */

enum { PLAY_HEADER = 11 }; /* the column, see statements.c */

bool store_row_play(const struct store_rows *rows, size_t row, struct store_play *out)
{
	*out = (struct store_play){ .created = store_rows_number(rows, row, 3),
				    .updated = store_rows_number(rows, row, 4),
				    .is_private = store_rows_number(rows, row, 5) != 0,
				    .going = store_rows_number(rows, row, 6) != 0,
				    .open_seats = (int)store_rows_number(rows, row, 7),
				    .lines = store_rows_number(rows, row, 8),
				    .epoch = store_rows_number(rows, row, 10) };
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id) &&
	       take_text(rows, row, 1, out->game, sizeof out->game) &&
	       take_text(rows, row, 2, out->owner, sizeof out->owner) &&
	       take_text(rows, row, 9, out->node, sizeof out->node);
}

const char *store_row_header(const struct store_rows *rows, size_t row, size_t *size)
{
	*size = store_rows_at(rows, row, PLAY_HEADER)->size;
	return store_rows_text(rows, row, PLAY_HEADER);
}

/* FNV-1a, 64 bits: any change of a single byte gives another sum. */
static uint64_t sum_bytes(uint64_t sum, const char *bytes, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
	return sum;
}

int64_t line_checksum(const char *play, int64_t number, const char *line, size_t size)
{
	char digits[8];
	for (int i = 0; i < 8; i++)
		digits[i] = (char)((uint64_t)number >> 8 * i);
	uint64_t sum = sum_bytes(0xcbf29ce484222325u, play, strlen(play) + 1);
	sum = sum_bytes(sum, digits, sizeof digits);
	return (int64_t)sum_bytes(sum, line, size);
}

/* Lines that were stored before there were checksums have none. */
const char *store_row_line(const struct store_rows *rows, size_t row, const char *play,
			   int64_t *number, size_t *size)
{
	static const char damaged[] = "not what was stored";
	const struct store_value *line = store_rows_at(rows, row, 1);
	const struct store_value *sum = store_rows_at(rows, row, 2);
	const char *text = store_rows_text(rows, row, 1);
	*number = store_rows_number(rows, row, 0);
	*size = line->size;
	if (sum->type == STORE_NULL || sum->number == line_checksum(play, *number, text, *size))
		return text;
	*size = sizeof damaged - 1;
	return damaged;
}

const char *store_row_entry(const struct store_rows *rows, size_t row, size_t *size)
{
	*size = store_rows_at(rows, row, 0)->size;
	return store_rows_text(rows, row, 0);
}

static struct store_place place_at(const struct store_rows *rows, size_t row, int column)
{
	return (struct store_place){ .ended = store_rows_number(rows, row, column),
				     .play = store_rows_text(rows, row, column + 1) };
}

struct store_place store_row_place(const struct store_rows *rows, size_t row)
{
	return place_at(rows, row, 1);
}

/* An empty list has no row. */
struct store_looked store_rows_looked(const struct store_rows *rows)
{
	return (struct store_looked){ .count = store_rows_number(rows->next, 0, 0),
				      .more = store_rows_number(rows->next, 0, 1),
				      .last = place_at(rows->next, 0, 2) };
}

bool store_row_puzzle(const struct store_rows *rows, size_t row, struct store_puzzle *out)
{
	*out = (struct store_puzzle){ .rating = real_at(rows, row, 1),
				      .deviation = real_at(rows, row, 2),
				      .volatility = real_at(rows, row, 3),
				      .tries = store_rows_number(rows, row, 4),
				      .solved = store_rows_number(rows, row, 5) };
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id);
}

bool store_row_tally(const struct store_rows *rows, size_t row, struct store_tally *out)
{
	*out = (struct store_tally){ .move = store_rows_text(rows, row, 0),
				     .result = (int)store_rows_number(rows, row, 1),
				     .games = store_rows_number(rows, row, 2),
				     .people = store_rows_number(rows, row, 3),
				     .computers = store_rows_number(rows, row, 4),
				     .levels = store_rows_number(rows, row, 5) };
	return row < rows->count;
}

const char *store_row_mark(const struct store_rows *rows, size_t row, int64_t *mark)
{
	*mark = store_rows_number(rows, row, 1);
	return store_rows_text(rows, row, 0);
}

bool store_row_unexplored(const struct store_rows *rows, char last[STORE_ID], char out[STORE_ID])
{
	return take_text(rows, 0, 0, out, STORE_ID) &&
	       take_text(rows, 0, *out ? 0 : 1, last, STORE_ID);
}

bool store_row_study(const struct store_rows *rows, size_t row, struct store_study *out,
		     const char **body)
{
	*out = (struct store_study){ .version = store_rows_number(rows, row, 3),
				     .created = store_rows_number(rows, row, 4),
				     .updated = store_rows_number(rows, row, 5),
				     .chapters = (int)store_rows_number(rows, row, 6) };
	*body = store_rows_text(rows, row, 7);
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id) &&
	       take_text(rows, row, 1, out->owner, sizeof out->owner) &&
	       take_text(rows, row, 2, out->title, sizeof out->title);
}

bool store_row_user(const struct store_rows *rows, size_t row, struct store_user *out)
{
	*out = (struct store_user){ .created = store_rows_number(rows, row, 4),
				    .epoch = store_rows_number(rows, row, 6) };
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id) &&
	       take_text(rows, row, 1, out->name, sizeof out->name) &&
	       take_text(rows, row, 2, out->login, sizeof out->login) &&
	       take_text(rows, row, 3, out->password_hash, sizeof out->password_hash) &&
	       take_text(rows, row, 5, out->email, sizeof out->email);
}

/* A user who is not in the store has an identity, too. */
void store_row_identity(const struct store_rows *rows, struct store_identity *out)
{
	*out = (struct store_identity){
		.stored = rows->count > 0,
		.epoch = store_rows_number(rows, 0, 0),
		.session = store_rows_at(rows, 0, 1)->type == STORE_NUMBER,
		.token = store_rows_at(rows, 0, 2)->type == STORE_NUMBER,
	};
	out->day = store_rows_number(rows, 0, out->session ? 1 : 2);
}

bool store_row_session(const struct store_rows *rows, size_t row, struct store_session *out)
{
	*out = (struct store_session){ .created = store_rows_number(rows, row, 3),
				       .seen = store_rows_number(rows, row, 4) };
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id) &&
	       take_text(rows, row, 1, out->user, sizeof out->user) &&
	       take_text(rows, row, 2, out->label, sizeof out->label);
}

bool store_row_token(const struct store_rows *rows, size_t row, struct store_token *out)
{
	*out = (struct store_token){ .created = store_rows_number(rows, row, 3),
				     .used = store_rows_number(rows, row, 4) };
	return row < rows->count && take_text(rows, row, 0, out->id, sizeof out->id) &&
	       take_text(rows, row, 1, out->user, sizeof out->user) &&
	       take_text(rows, row, 2, out->label, sizeof out->label);
}

bool store_row_code(const struct store_rows *rows, struct store_code *out)
{
	*out = (struct store_code){ .expires = store_rows_number(rows, 0, 3) };
	return rows->count > 0 && take_text(rows, 0, 0, out->user, sizeof out->user) &&
	       take_text(rows, 0, 1, out->purpose, sizeof out->purpose) &&
	       take_text(rows, 0, 2, out->email, sizeof out->email);
}

bool store_row_revocation(const struct store_rows *rows, size_t row, struct store_revocation *out)
{
	*out = (struct store_revocation){ .number = store_rows_number(rows, row, 0) };
	return row < rows->count && take_text(rows, row, 1, out->user, sizeof out->user) &&
	       take_text(rows, row, 2, out->issuer, sizeof out->issuer) &&
	       take_text(rows, row, 3, out->kept, sizeof out->kept);
}

bool store_row_imcs_user(const struct store_rows *rows, size_t row, struct store_imcs_user *out)
{
	*out = (struct store_imcs_user){ .rating = (int)store_rows_number(rows, row, 3),
					 .version = store_rows_number(rows, row, 4) };
	return row < rows->count && take_text(rows, row, 0, out->name, sizeof out->name) &&
	       take_text(rows, row, 1, out->user, sizeof out->user) &&
	       take_text(rows, row, 2, out->password_hash, sizeof out->password_hash);
}

bool store_row_imcs_entry(const struct store_rows *rows, size_t row, struct store_imcs_entry *out)
{
	*out = (struct store_imcs_entry){
		.id = store_rows_number(rows, row, 0),
		.color = *store_rows_text(rows, row, 4),
		.offer_s = { store_rows_number(rows, row, 5), store_rows_number(rows, row, 6) },
		.ratings = { (int)store_rows_number(rows, row, 7),
			     (int)store_rows_number(rows, row, 8) },
	};
	return row < rows->count && take_text(rows, row, 1, out->node, sizeof out->node) &&
	       take_text(rows, row, 2, out->white, sizeof out->white) &&
	       take_text(rows, row, 3, out->black, sizeof out->black);
}

bool store_row_imcs_game(const struct store_rows *rows, size_t row, struct store_imcs_game *out)
{
	*out = (struct store_imcs_game){ .id = store_rows_number(rows, row, 0),
					 .began = store_rows_number(rows, row, 4),
					 .ended = store_rows_number(rows, row, 5),
					 .result = store_rows_text(rows, row, 6),
					 .log = store_rows_text(rows, row, 7),
					 .log_size = store_rows_at(rows, row, 7)->size };
	return row < rows->count && take_text(rows, row, 1, out->white, sizeof out->white) &&
	       take_text(rows, row, 2, out->black, sizeof out->black) &&
	       take_text(rows, row, 3, out->play, sizeof out->play);
}
