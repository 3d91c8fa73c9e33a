/*
 * text.c - laws of texts: moves and positions can be printed, are distinct and read back.
 * SPDX-License-Identifier: MIT
 *
 * Damaged texts are rejected with a reason, or read as something that prints canonically; boards
 * draw clean lines. Damaged texts are made by a few random mutations of valid ones, as in fuzzing.
 * A failed parse must leave its output unchanged.
 */
#include "conform/exam.h"

#include <stdlib.h>

#include "base/text.h"

enum { READ_BACK = 16, MUTATIONS = 60, DRAWING_ROOM = 1 << 14 };

/* Printable ASCII only. */
static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/*
 * Texts appear in lists and in lines of files: they must be printable, without blanks at either
 * end, and moves without commas.
 */
static bool is_clean(const char *text, bool comma)
{
	const size_t length = strlen(text);
	return length && is_printable(text) && text[0] != ' ' && text[length - 1] != ' ' &&
	       (comma || !strchr(text, ','));
}

/* Prints a move or a position; returns the length that the whole text needs. */
static size_t print_move(const struct exam *x, const void *state, qv_move move, char *out,
			 size_t size)
{
	struct qv_text text = { out, size, 0 };
	out[0] = '\0';
	x->game->move_text(state, move, &text);
	return text.length;
}

static size_t print_position(const struct exam *x, const void *state, char *out, size_t size)
{
	struct qv_text text = { out, size, 0 };
	out[0] = '\0';
	x->game->position_text(state, &text);
	return text.length;
}

/* ---- Moves ---- */

/* Prints a move to x->texts[place]. */
static bool put_move_text(struct exam *x, qv_move move, int place)
{
	const char *text = x->texts[place];
	const size_t length = print_move(x, x->at, move, x->texts[place], QV_MOVE_TEXT);
	if (length >= QV_MOVE_TEXT)
		return exam_fail(x, "a move's text has %zu characters, but at most %d are allowed",
				 length, QV_MOVE_TEXT - 1);
	if (length != strlen(text))
		return exam_fail(x, "a move's text '%s' was counted as %zu bytes", text, length);
	return is_clean(text, false) ||
	       exam_fail(x, "a move's text '%s' is empty or contains a forbidden character", text);
}

/* The order of qsort: equal texts become neighbours. */
static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A counted move is printed with its largest count and, where there is room, a smaller one. */
static bool move_texts_differ(struct exam *x)
{
	int count = 0;
	for (int i = 0; i < x->count; i++) {
		if (!put_move_text(x, x->list[i], count++))
			return false;
		const int most = legal_max_count(x->game, x->at, x->list[i]);
		if (most == 1 || count + x->count - i >= TEXTS)
			continue;
		const int fewer = 1 + (int)qv_random_below(&x->random, (uint64_t)(most - 1));
		if (!put_move_text(x, x->game->with_count(x->list[i], fewer), count++))
			return false;
	}
	qsort(x->texts, (size_t)count, sizeof *x->texts, compare_texts);
	for (int i = 1; i < count; i++)
		if (!strcmp(x->texts[i - 1], x->texts[i]))
			return exam_fail(x, "two moves have the text '%s'", x->texts[i]);
	return true;
}

/* A printed move is read as itself. */
static bool move_texts_read_back(struct exam *x)
{
	for (int i = 0; i < READ_BACK && i < x->count; i++) {
		char text[QV_MOVE_TEXT];
		struct qv_error why;
		qv_move read = QV_NO_MOVE;
		const qv_move move = exam_any_move(x);
		print_move(x, x->at, move, text, sizeof text);
		if (qv_move_parse(x->game, x->at, exam_text(x, text, i % 2), &read, &why) != QV_OK)
			return exam_fail(x, "the move '%s' is rejected: %s", text, why.text);
		if (read != move)
			return exam_fail(x, "the move '%s' is read as another", text);
	}
	return true;
}

/* ---- Positions ---- */

/* The text is printable and within QV_POSITION_TEXT; a smaller buffer cuts it and counts on. */
static bool position_text_is_clean(struct exam *x)
{
	char whole[QV_POSITION_TEXT], cut[16];
	const size_t length = print_position(x, x->at, whole, sizeof whole);
	if (length >= sizeof whole)
		return exam_fail(x, "the position's text has %zu characters, more than %d", length,
				 QV_POSITION_TEXT - 1);
	if (length != strlen(whole) || !is_clean(whole, true))
		return exam_fail(x, "the position's text is empty or not printable");
	if (!strcmp(whole, "start"))
		return exam_fail(x, "the position's text is 'start', a reserved word");
	memset(cut, '#', sizeof cut);
	struct qv_text none = { NULL, 0, 0 }, little = { cut, sizeof cut / 2, 0 };
	x->game->position_text(x->at, &none);
	x->game->position_text(x->at, &little);
	return (none.length == length && little.length == length && cut[sizeof cut / 2] == '#') ||
	       exam_fail(x, "a buffer that is too small changes the text or is overrun");
}

/* Reads the text into SLOT_A and SLOT_B, over different bytes; both must be the same. */
static bool read_twice(struct exam *x, const char *text, enum qv_status *read, struct qv_error *why)
{
	unsigned char *a = exam_slot(x, SLOT_A), *b = exam_slot(x, SLOT_B);
	exam_dirty(x, SLOT_A, 0xff);
	exam_now(x, "position_parse", text);
	*read = qv_position_parse(x->rules, exam_text(x, text, true), a, why);
	exam_dirty(x, SLOT_B, 0x00);
	if (qv_position_parse(x->rules, exam_text(x, text, false), b, NULL) != *read)
		return exam_fail(x, "read twice, '%s' gives different results", text);
	if (*read == QV_OK && !exam_same(x, a, b))
		return exam_fail(x, "reading '%s' leaves bytes of the state unwritten", text);
	return (exam_guards_hold(x, SLOT_A) && exam_guards_hold(x, SLOT_B)) ||
	       exam_fail(x, "reading '%s' writes outside the state", text);
}

/* A printed position is read as the same bytes and prints the same again. */
static bool position_text_reads_back(struct exam *x)
{
	char text[QV_POSITION_TEXT], again[QV_POSITION_TEXT];
	struct qv_error why;
	enum qv_status read;
	print_position(x, x->at, text, sizeof text);
	if (!read_twice(x, text, &read, &why))
		return false;
	if (read != QV_OK)
		return exam_fail(x, "the position's own text is rejected: %s", why.text);
	print_position(x, exam_slot(x, SLOT_A), again, sizeof again);
	if (strcmp(text, again))
		return exam_fail(x, "read back and printed, it becomes '%s'", again);
	return exam_same(x, exam_slot(x, SLOT_A), x->at) ||
	       exam_fail(x, "the text is read back as another state");
}

/* ---- Damaged texts ---- */

/* A byte that is likely to matter to a parser: one of the text, a special one, or any. */
static char odd_byte(struct exam *x, const char *text, size_t length)
{
	static const char special[] = " /:,.-=0123456789xXoOwWbB\t\n\r\"\\%\x7f\x80\xff";
	switch (qv_random_below(&x->random, 3)) {
	case 0:
		return length ? text[qv_random_below(&x->random, length)] : ' ';
	case 1:
		return special[qv_random_below(&x->random, sizeof special - 1)];
	default:
		return (char)(1 + qv_random_below(&x->random, 255));
	}
}

/* Makes one change. The text, in a buffer of `size` bytes, may grow by a byte or a doubled span. */
static void mutate_once(struct exam *x, char *text, size_t size)
{
	const size_t length = strlen(text), at = (size_t)qv_random_below(&x->random, length + 1);
	const size_t span = 1 + (size_t)qv_random_below(&x->random, 8);
	switch (qv_random_below(&x->random, 5)) {
	case 0:
		text[at] = at < length ? odd_byte(x, text, length) : '\0';
		break;
	case 1:                            /* remove a span, or the rest */
		memmove(text + at, text + (at + span < length ? at + span : length),
			length - (at + span < length ? at + span : length) + 1);
		break;
	case 2:
		text[at] = '\0';
		break;
	case 3:                            /* insert a byte */
		if (length + 2 > size)
			break;
		memmove(text + at + 1, text + at, length - at + 1);
		text[at] = odd_byte(x, text, at);
		break;
	default:                           /* double a span */
		if (at + span > length || length + span + 1 > size)
			break;
		memmove(text + at + span, text + at, length - at + 1);
	}
}

/* Makes one to three changes. */
static void mutate(struct exam *x, char *text, size_t size)
{
	for (uint64_t changes = 1 + qv_random_below(&x->random, 3); changes; changes--)
		mutate_once(x, text, size);
}

/* Whether a failed parse explains itself. */
static bool is_reason(const struct qv_error *why)
{
	return why->text[0] && is_printable(why->text);
}

/* SLOT_A has the position that `text` was read as: it must be a valid one. */
static bool read_position_is_sane(struct exam *x, const char *text)
{
	char printed[QV_POSITION_TEXT];
	struct qv_error why;
	int32_t points[QV_MAX_SEATS];
	const unsigned char *a = exam_slot(x, SLOT_A);
	unsigned char *again = exam_slot(x, SLOT_C);
	if (print_position(x, a, printed, sizeof printed) >= sizeof printed)
		return exam_fail(x, "'%s' is read, but its text is too long", text);
	if (qv_position_parse(x->rules, printed, again, &why) != QV_OK)
		return exam_fail(x, "'%s' is read and printed as '%s', which is rejected: %s", text,
				 printed, why.text);
	if (!exam_same(x, a, again))
		return exam_fail(x, "'%s' is read as '%s', which is another state", text, printed);
	exam_now(x, "moves, seat or result", printed);
	const int count = x->game->moves(a, exam_list(x, SLOT_A)), seat = x->game->seat(a);
	const bool ended = x->game->result(a, points) == QV_ENDED;
	return (count >= 0 && count <= x->game->max_moves && (count == 0) == ended &&
		seat < x->game->seats) ||
	       exam_fail(x, "'%s' is read as a position with %d moves, seat %d to move, %s", text,
			 count, seat, ended ? "ended" : "going");
}

/* A damaged position is read as a valid one, or rejected with a reason and without side effects. */
static bool damaged_position_is_handled(struct exam *x)
{
	for (int i = 0; i < MUTATIONS; i++) {
		char text[QV_POSITION_TEXT];
		struct qv_error why = { "" };
		enum qv_status read;
		print_position(x, x->at, text, sizeof text);
		mutate(x, text, sizeof text);
		if (!read_twice(x, text, &read, &why) ||
		    (read == QV_OK && !read_position_is_sane(x, text)))
			return false;
		if (read == QV_OK)
			continue;
		if (!is_reason(&why))
			return exam_fail(x, "'%s' is rejected without a reason", text);
		/* read_twice filled SLOT_B with zeros. */
		for (size_t at = 0; at < x->game->state_size; at++)
			if (exam_slot(x, SLOT_B)[at])
				return exam_fail(x, "'%s' is rejected but changes the state", text);
	}
	return true;
}

/* A damaged move is read as a legal one that prints and reads back, or rejected with a reason. */
static bool damaged_move_is_handled(struct exam *x)
{
	for (int i = 0; i < MUTATIONS; i++) {
		char text[QV_MOVE_TEXT], printed[QV_MOVE_TEXT];
		struct qv_error why = { "" };
		qv_move read = QV_NO_MOVE, again = QV_NO_MOVE;
		print_move(x, x->at, exam_any_move(x), text, sizeof text);
		mutate(x, text, sizeof text);
		exam_now(x, "move_parse", text);
		if (qv_move_parse(x->game, x->at, exam_text(x, text, i % 2), &read, &why) !=
		    QV_OK) {
			if (!is_reason(&why) || read != QV_NO_MOVE)
				return exam_fail(x, "'%s': no reason, or changed output", text);
			continue;
		}
		if (!qv_move_legal(x->game, x->at, read))
			return exam_fail(x, "the move '%s' is read as one that is not legal", text);
		print_move(x, x->at, read, printed, sizeof printed);
		if (qv_move_parse(x->game, x->at, printed, &again, &why) != QV_OK || again != read)
			return exam_fail(x, "'%s' is read as another move, '%s'", text, printed);
	}
	return true;
}

/* ---- Drawings ---- */

/* Both drawings consist of complete lines, one of valid UTF-8 and the other of ASCII alone. */
static bool drawings_are_clean(struct exam *x)
{
	for (int unicode = 0; unicode < 2; unicode++) {
		char board[DRAWING_ROOM] = "";
		struct qv_text text = { board, sizeof board, 0 };
		x->game->draw(x->at, unicode, &text);
		if (!text.length || text.length >= sizeof board)
			return exam_fail(x, "the drawing is empty, or has %zu bytes", text.length);
		if (board[text.length - 1] != '\n')
			return exam_fail(x, "the last line of the drawing has no line end");
		for (const char *at = board; *at;) {
			const int length = text_character(at);
			const unsigned char c = (unsigned char)*at;
			if (!length || (c < ' ' && c != '\n') || c == 0x7f)
				return exam_fail(x, "the drawing contains the byte %02x", c);
			if (length > 1 && !unicode)
				return exam_fail(x, "the ASCII drawing contains the byte %02x", c);
			at += length;
		}
	}
	return true;
}

const struct law text_laws[] = {
	{ "move-text", LAW_EVERYWHERE, move_texts_differ, ANY_GAME, 0 },
	{ "move-reading", LAW_EVERYWHERE, move_texts_read_back, ANY_GAME, 0 },
	{ "position-text", LAW_EVERYWHERE, position_text_is_clean, ANY_GAME, 0 },
	{ "position-reading", LAW_EVERYWHERE, position_text_reads_back, ANY_GAME, 0 },
	{ "damaged-position", LAW_SAMPLED, damaged_position_is_handled, ANY_GAME, 100 },
	{ "damaged-move", LAW_SAMPLED, damaged_move_is_handled, ANY_GAME, 100 },
	{ "drawing", LAW_EVERYWHERE, drawings_are_clean, DRAWING, 0 },
	{ 0 },
};
