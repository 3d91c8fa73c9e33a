/*
 * epd.h - chess positions with annotations: lines in Extended Position Description.
 * SPDX-License-Identifier: MIT
 *
 *     4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "a text; with a semicolon"; D1 15;
 *
 * A line has the first four fields of a FEN, then operations: a name and operands, each ended by a
 * semicolon.
 */
#ifndef FORMATS_EPD_H
#define FORMATS_EPD_H

#include "base/text.h"
#include "games/chess/rules.h"

enum { EPD_MAX_OPERATIONS = 64, EPD_MAX_LINE = 4096, EPD_MAX_NAME = 15 };

struct epd_operation {
	char name[EPD_MAX_NAME + 1];
	const char *operands; /* as written; points into `text` of struct epd */
};

struct epd {
	struct chess state; /* with the counters of hmvc and fmvn */
	struct epd_operation operations[EPD_MAX_OPERATIONS];
	int count;
	char text[EPD_MAX_LINE];
};

/*
 * Reads a line, which may be any NUL-terminated bytes. The two counters of a FEN are accepted
 * before the operations. Operations are kept, known or not; one whose name is too long is passed
 * over. With files of rooks as castling rights it may be Chess960. On failure *out is undefined.
 */
enum qv_status epd_read(const char *line, struct epd *out, struct qv_error *error);

/* The operands of the operation with this name, or NULL. */
const char *epd_operands(const struct epd *e, const char *name);
/* The same as a text without quotes, or as a number; false: missing, or not a number in range. */
bool epd_text(const struct epd *e, const char *name, char *out, size_t size);
bool epd_number(const struct epd *e, const char *name, int64_t min, int64_t max, int64_t *out);
/* Copies the next word of operands and moves *from past it; false: no more. */
bool epd_word(const char **from, char *out, size_t size);

/* Appends the four fields of the position. */
void epd_put_position(struct string *out, const struct chess *s);
/* Appends the line in canonical form, without a newline. */
void epd_write(const struct epd *e, struct string *out);

#endif
