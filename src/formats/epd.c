/*
 * epd.c - reads and writes a line of Extended Position Description.
 * SPDX-License-Identifier: MIT
 *
 * Operands are copied into one buffer of the struct and stay there as text; epd_text, epd_number
 * and epd_word interpret them. Nothing is allocated.
 *
 * Files in circulation deviate from the standard: semicolons before the first operation or twice,
 * names that are too long, a quote that is not closed. Only the operation is affected, not the line.
 */
#include "formats/epd.h"

#include "base/scan.h"

static const char blanks[] = " \t\r\n";

/*
 * Reads an operation. Its operands are copied to e->text at *room and end with a NUL. There is room
 * for the quote that may be missing, because the position and the name take more.
 */
static enum qv_status read_operation(const char **at, struct epd *e, size_t *room,
				     struct qv_error *error)
{
	struct epd_operation *o = &e->operations[e->count];
	const size_t length = strcspn(*at, " \t\r\n;");
	const char *from = *at + length + strspn(*at + length, blanks);
	const char *end = from;
	bool is_open = false; /* a quote is not closed; then the operand is the rest of the line */
	/* The operands end at a semicolon outside quotes, or with the line. */
	for (; *end && (is_open || *end != ';'); end++)
		is_open ^= *end == '"';
	const char *to = end;
	while (to > from && is_one_of(to[-1], blanks))
		to--;
	/* Something that looks like a counter of a FEN is no name. */
	if (length && length <= EPD_MAX_NAME && !is_digit(**at) && !is_one_of(**at, "+-")) {
		if (e->count == EPD_MAX_OPERATIONS)
			return qv_fail(error, QV_BAD_INPUT, "EPD: more than %d operations",
				       EPD_MAX_OPERATIONS);
		memcpy(o->name, *at, length);
		o->name[length] = '\0';
		o->operands = e->text + *room;
		memcpy(e->text + *room, from, (size_t)(to - from));
		*room += (size_t)(to - from);
		if (is_open)
			e->text[(*room)++] = '"';
		e->text[(*room)++] = '\0';
		e->count++;
	}
	end += *end != '\0';
	*at = end + strspn(end, blanks);
	return QV_OK;
}

enum qv_status epd_read(const char *line, struct epd *out, struct qv_error *error)
{
	const char *at;
	size_t room = 0;
	int64_t counter;
	out->count = 0;
	if (strlen(line) >= EPD_MAX_LINE)
		return qv_fail(error, QV_BAD_INPUT, "EPD: the line is longer than %d bytes",
			       EPD_MAX_LINE - 1);
	enum qv_status status = chess_position_parse_start(&out->state, line, &at, error);
	if (status != QV_OK)
		return status;
	at += strspn(at, blanks);
	/* The two counters of a FEN may follow. sscanf alone would skip what may begin a name: a vertical tab. */
	int quiet, number, used = 0;
	if (is_digit(*at) && sscanf(at, "%4d %5d%n", &quiet, &number, &used) == 2 && used &&
	    (!at[used] || at[used] == ';' || is_one_of(at[used], blanks)) && quiet >= 0 && quiet <= CHESS_MOST_QUIET &&
	    number >= 1 && number <= CHESS_MOST_NUMBER) {
		out->state.quiet = (uint16_t)quiet;
		out->state.number = (uint16_t)number;
		at += used;
		at += strspn(at, blanks);
	}
	while (*at && status == QV_OK)
		status = read_operation(&at, out, &room, error);
	if (status != QV_OK)
		return status;
	/* Operations have precedence over the counters. */
	if (epd_number(out, "hmvc", 0, CHESS_MOST_QUIET, &counter))
		out->state.quiet = (uint16_t)counter;
	if (epd_number(out, "fmvn", 1, CHESS_MOST_NUMBER, &counter))
		out->state.number = (uint16_t)counter;
	return QV_OK;
}

const char *epd_operands(const struct epd *e, const char *name)
{
	for (int i = 0; i < e->count; i++)
		if (strcmp(e->operations[i].name, name) == 0)
			return e->operations[i].operands;
	return NULL;
}

/* Operands of id and the comments are quoted texts; others are plain words. */
bool epd_text(const struct epd *e, const char *name, char *out, size_t size)
{
	const char *text = epd_operands(e, name);
	if (!text)
		return false;
	const size_t length = strlen(text);
	const bool quoted = length >= 2 && text[0] == '"' && text[length - 1] == '"';
	snprintf(out, size, "%.*s", (int)(quoted ? length - 2 : length), quoted ? text + 1 : text);
	return true;
}

bool epd_number(const struct epd *e, const char *name, int64_t min, int64_t max, int64_t *out)
{
	const char *text = epd_operands(e, name);
	return text && text_to_int(text, min, max, out);
}

bool epd_word(const char **from, char *out, size_t size)
{
	return scan_piece(from, blanks, "", out, size);
}

/*
 * An EPD has the FEN without its two counters. In Chess960 rights are files of rooks, by which
 * epd_read recognises it.
 */
void epd_put_position(struct string *out, const struct chess *s)
{
	char fen[QV_POSITION_TEXT] = "", *rest = fen;
	struct qv_text text = { fen, sizeof fen, 0 };
	chess_position_text(s, &text);
	for (int field = 0; field < 4; field++) {
		const char *word = scan_word(&rest, " ");
		string_addf(out, "%s", field ? " " : "");
		for (int right = 0; field == 2 && s->is_960 && right < 4; right++)
			if (s->castling >> right & 1)
				string_addf(out, "%c", (right < 2 ? 'A' : 'a') +
							       chess_file(s->rook[right]));
		if (field != 2 || !s->is_960 || !s->castling)
			string_addf(out, "%s", word);
	}
}

void epd_write(const struct epd *e, struct string *out)
{
	epd_put_position(out, &e->state);
	for (int i = 0; i < e->count; i++)
		string_addf(out, " %s%s%s;", e->operations[i].name,
			    *e->operations[i].operands ? " " : "", e->operations[i].operands);
}
