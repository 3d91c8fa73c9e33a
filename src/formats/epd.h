/*
 * epd.h - chess positions with what is known of them: a line of Extended Position Description.
 * SPDX-License-Identifier: MIT
 *
 *     4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id "a text; with a semicolon"; D1 15;
 *
 * The first four fields of a FEN, then operations: a name and operands, each ended by a semicolon.
 */
#ifndef FORMATS_EPD_H
#define FORMATS_EPD_H

#include "base/text.h"
#include "games/chess/rules.h"

enum { EPD_MAX_OPERATIONS = 64, EPD_MAX_LINE = 4096, EPD_MAX_NAME = 15 };

struct epd_operation {
	char name[EPD_MAX_NAME + 1];
	const char *operands; /* as written, in `text` of the line */
};

struct epd {
	struct chess state; /* hmvc and fmvn are its counters */
	struct epd_operation operations[EPD_MAX_OPERATIONS];
	int count;
	char text[EPD_MAX_LINE];
};

/* Any NUL-terminated bytes may come. Counters of a FEN in place of operations are taken too. */
enum qv_status epd_read(const char *line, struct epd *out, struct qv_error *error);

/* The operands of that name; NULL: there is none. */
const char *epd_operands(const struct epd *e, const char *name);
/* The same as one text, without quotes, or as a number. */
bool epd_text(const struct epd *e, const char *name, char *out, size_t size);
bool epd_number(const struct epd *e, const char *name, int64_t min, int64_t max, int64_t *out);
/* The next word of operands, *from goes behind it; false: no more. */
bool epd_word(const char **from, char *out, size_t size);

/* The position's four fields. */
void epd_put_position(struct string *out, const struct chess *s);
/* The line as it was read, in canonical form and without a newline. */
void epd_write(const struct epd *e, struct string *out);

#endif
