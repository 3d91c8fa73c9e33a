/*
 * values.h - values that go into statements, and rows that come back.
 * SPDX-License-Identifier: MIT
 */
#ifndef SERVER_STORE_VALUES_H
#define SERVER_STORE_VALUES_H

#include <string.h>

#include "quevedo.h"

enum store_type { STORE_NULL, STORE_NUMBER, STORE_REAL, STORE_TEXT, STORE_BYTES };

struct store_value {
	enum store_type type;
	int64_t number;
	double real;
	const char *bytes; /* of a text or of bytes; in rows a NUL follows */
	size_t size;
};

static inline struct store_value value_number(int64_t number)
{
	return (struct store_value){ .type = STORE_NUMBER, .number = number };
}

static inline struct store_value value_real(double real)
{
	return (struct store_value){ .type = STORE_REAL, .real = real };
}

/* The text is borrowed until the value is passed on. */
static inline struct store_value value_text(const char *text)
{
	return (struct store_value){ .type = STORE_TEXT, .bytes = text, .size = strlen(text) };
}

static inline struct store_value value_bytes(const void *bytes, size_t size)
{
	return (struct store_value){ .type = STORE_BYTES, .bytes = bytes, .size = size };
}

/* The result of a question: rows of values. Whoever receives it frees it. */
struct store_rows {
	size_t count;
	int columns;
	struct store_value *values; /* row by row */
	struct store_rows *next;    /* of the second statement of the question; NULL: it has one */
	/* The memory of the texts, and how much there is. */
	char *bytes;
	size_t used, bytes_room, values_room;
	size_t most_bytes; /* more than this is refused */
};

void store_rows_free(struct store_rows *rows); /* also those in `next`; NULL is fine */
/* A value of the rows; one that is out of range is STORE_NULL. */
const struct store_value *store_rows_at(const struct store_rows *rows, size_t row, int column);
/* A number, 0 if the value has another type; a text, "" likewise. */
int64_t store_rows_number(const struct store_rows *rows, size_t row, int column);
const char *store_rows_text(const struct store_rows *rows, size_t row, int column);

/* ---- Building rows: for drivers ---- */

enum { ROWS_MOST_BYTES = 64 << 20 }; /* of one result, its values included */

/* most_bytes: 0 for ROWS_MOST_BYTES. NULL: not enough memory. */
struct store_rows *rows_new(int columns, size_t most_bytes);
/* Adds a value, a copy, to the last row. False: the result is too large, or memory is missing. */
bool rows_add(struct store_rows *rows, const struct store_value *value);
/* After the last value: only now the texts can be used. */
void rows_end(struct store_rows *rows);
/* How much memory the rows take, those in `next` included. */
size_t rows_size(const struct store_rows *rows);

#endif
