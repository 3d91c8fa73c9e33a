/*
 * text.c - laws of writing: moves and positions print, differ and read back; damaged texts are
 * refused with a reason or read as something that prints canonically; boards draw clean lines.
 * SPDX-License-Identifier: MIT
 */
#include "conform/exam.h"

#include <stdlib.h>

#include "base/text.h"

enum { READ_BACK = 16, MUTATIONS = 60, DRAWING_ROOM = 1 << 14 };

static bool is_printable(const char *text)
{
	while (*text >= ' ' && *text <= '~')
		text++;
	return !*text;
}

/*
 * Texts are words in lists and lines in files: printable, without a comma, no blank at either end.
 */
static bool is_clean(const char *text, bool comma)
{
	const size_t length = strlen(text);
	return length && is_printable(text) && text[0] != ' ' && text[length - 1] != ' ' &&
	       (comma || !strchr(text, ','));
}

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

static enum qv_status put_move_text(struct exam *x, qv_move move, int place)
{
	const size_t length = print_move(x, x->at, move, x->texts[place], QV_MOVE_TEXT);
	if (length >= QV_MOVE_TEXT)
		return exam_fail(x, "a move's text has %zu characters, %d are the most", length,
				 QV_MOVE_TEXT - 1);
	if (length != strlen(x->texts[place]))
		return exam_fail(x, "a move's text '%s' does not have the length it says, %zu",
				 x->texts[place], length);
	if (!is_clean(x->texts[place], false))
		return exam_fail(x, "a move's text '%s' is empty, or holds what no move text may",
				 x->texts[place]);
	return QV_OK;
}

/*
 * Fills x->texts with the texts of the listed moves, each with its largest count and a smaller one.
 */
static enum qv_status put_move_texts(struct exam *x, int *count)
{
	enum qv_status status = QV_OK;
	*count = 0;
	for (int i = 0; i < x->count && status == QV_OK; i++) {
		status = put_move_text(x, x->list[i], (*count)++);
		const int most = exam_max_count(x, x->at, x->list[i]);
		if (status != QV_OK || most == 1 || *count + x->count - i >= TEXTS)
			continue;
		const int fewer = 1 + (int)qv_random_below(&x->random, (uint64_t)(most - 1));
		status = put_move_text(x, x->game->with_count(x->list[i], fewer), (*count)++);
	}
	return status;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(a, b);
}

static enum qv_status move_texts_differ(struct exam *x)
{
	int count;
	enum qv_status status = put_move_texts(x, &count);
	if (status != QV_OK)
		return status;
	qsort(x->texts, (size_t)count, sizeof *x->texts, compare_texts);
	for (int i = 1; i < count; i++)
		if (!strcmp(x->texts[i - 1], x->texts[i]))
			return exam_fail(x, "two moves have the text '%s'", x->texts[i]);
	return QV_OK;
}

static enum qv_status move_texts_read_back(struct exam *x)
{
	for (int i = 0; i < READ_BACK && i < x->count; i++) {
		char text[QV_MOVE_TEXT];
		struct qv_error why;
		qv_move read = QV_NO_MOVE;
		const qv_move move = exam_any_move(x);
		print_move(x, x->at, move, text, sizeof text);
		if (qv_move_parse(x->game, x->at, text, &read, &why) != QV_OK)
			return exam_fail(x, "the move '%s' is refused: %s", text, why.text);
		if (read != move)
			return exam_fail(x, "the move '%s' is read as another", text);
	}
	return QV_OK;
}

/* ---- Positions ---- */

static enum qv_status position_text_is_clean(struct exam *x)
{
	char whole[QV_POSITION_TEXT], cut[16];
	const size_t length = print_position(x, x->at, whole, sizeof whole);
	if (length >= sizeof whole)
		return exam_fail(x, "the position's text has %zu characters, %d are the most",
				 length, QV_POSITION_TEXT - 1);
	if (length != strlen(whole) || !is_clean(whole, true))
		return exam_fail(x, "the position's text is empty, or holds what is not printable");
	if (!strcmp(whole, "start"))
		return exam_fail(x, "the position's text is the word for the start position");
	memset(cut, '#', sizeof cut);
	struct qv_text none = { NULL, 0, 0 }, little = { cut, sizeof cut / 2, 0 };
	x->game->position_text(x->at, &none);
	x->game->position_text(x->at, &little);
	if (none.length != length || little.length != length || cut[sizeof cut / 2] != '#')
		return exam_fail(x,
				 "too small a buffer changes the position's text, or is overrun");
	return QV_OK;
}

/* Reads text twice, over different memory, into SLOT_A. */
static enum qv_status read_twice(struct exam *x, const char *text, enum qv_status *read,
				 struct qv_error *why)
{
	unsigned char *a = exam_slot(x, SLOT_A), *b = exam_slot(x, SLOT_B);
	exam_dirty(x, SLOT_A, 0xff);
	*read = qv_position_parse(x->rules, text, a, why);
	exam_dirty(x, SLOT_B, 0x00);
	if (qv_position_parse(x->rules, text, b, NULL) != *read)
		return exam_fail(x, "read twice, '%s' gives different answers", text);
	if (*read == QV_OK && !exam_same(x, a, b))
		return exam_fail(x, "'%s' is read into bytes that depend on what the memory held",
				 text);
	if (!exam_guards_hold(x, SLOT_A) || !exam_guards_hold(x, SLOT_B))
		return exam_fail(x, "reading '%s' writes outside the state", text);
	return QV_OK;
}

static enum qv_status position_text_reads_back(struct exam *x)
{
	char text[QV_POSITION_TEXT], again[QV_POSITION_TEXT];
	struct qv_error why;
	enum qv_status read;
	print_position(x, x->at, text, sizeof text);
	enum qv_status status = read_twice(x, text, &read, &why);
	if (status != QV_OK)
		return status;
	if (read != QV_OK)
		return exam_fail(x, "the position's own text is refused: %s", why.text);
	print_position(x, exam_slot(x, SLOT_A), again, sizeof again);
	if (strcmp(text, again))
		return exam_fail(x, "read and printed again it is '%s'", again);
	if (!exam_same(x, exam_slot(x, SLOT_A), x->at))
		return exam_fail(x, "the text, read back, is another state");
	return QV_OK;
}

/* ---- Damaged texts ---- */

/* A byte likely to matter to a parser: one of the text's own, a special one, or any. */
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

/* One change, at most one byte or a doubled span longer; text has room for size bytes. */
static void mutate_once(struct exam *x, char *text, size_t size)
{
	const size_t length = strlen(text), at = (size_t)qv_random_below(&x->random, length + 1);
	const size_t span = 1 + (size_t)qv_random_below(&x->random, 8);
	switch (qv_random_below(&x->random, 5)) {
	case 0:
		text[at] = at < length ? odd_byte(x, text, length) : '\0';
		break;
	case 1:                            /* take a span out, or cut the rest off */
		memmove(text + at, text + (at + span < length ? at + span : length),
			length - (at + span < length ? at + span : length) + 1);
		break;
	case 2:
		text[at] = '\0';
		break;
	case 3:                            /* put a byte in */
		if (length + 2 > size)
			break;
		memmove(text + at + 1, text + at, length - at + 1);
		text[at] = odd_byte(x, text, at);
		break;
	default:                           /* say something twice */
		if (at + span > length || length + span + 1 > size)
			break;
		memmove(text + at + span, text + at, length - at + 1);
	}
}

static void mutate(struct exam *x, char *text, size_t size)
{
	for (uint64_t changes = 1 + qv_random_below(&x->random, 3); changes; changes--)
		mutate_once(x, text, size);
}

static bool is_reason(const struct qv_error *why)
{
	return why->text[0] && is_printable(why->text);
}

static bool still_dirty(const struct exam *x, int slot, int byte)
{
	const unsigned char *state = exam_slot(x, slot);
	size_t i = 0;
	while (i < x->game->state_size && state[i] == byte)
		i++;
	return i == x->game->state_size;
}

/* SLOT_A holds what `text` was read as: it must be a position like any other. */
static enum qv_status read_position_is_sane(struct exam *x, const char *text)
{
	char printed[QV_POSITION_TEXT];
	struct qv_error why;
	int32_t points[QV_MAX_SEATS];
	const unsigned char *a = exam_slot(x, SLOT_A);
	unsigned char *again = exam_slot(x, SLOT_C);
	if (print_position(x, a, printed, sizeof printed) >= sizeof printed)
		return exam_fail(x, "'%s' is read, but its text is too long", text);
	if (qv_position_parse(x->rules, printed, again, &why) != QV_OK)
		return exam_fail(x, "'%s' is read and printed as '%s', which is refused: %s", text,
				 printed, why.text);
	if (!exam_same(x, a, again))
		return exam_fail(x, "'%s' is read and printed as '%s', which is another state",
				 text, printed);
	const int count = x->game->moves(a, exam_list(x, SLOT_A)), seat = x->game->seat(a);
	const bool ended = x->game->result(a, points) == QV_ENDED;
	if (count < 0 || count > x->game->max_moves || (count == 0) != ended ||
	    seat >= x->game->seats)
		return exam_fail(x, "'%s' is read as a position with %d moves, seat %d to move, %s",
				 text, count, seat, ended ? "ended" : "going");
	return QV_OK;
}

static enum qv_status damaged_position_is_handled(struct exam *x)
{
	enum qv_status status = QV_OK, read;
	for (int i = 0; i < MUTATIONS && status == QV_OK; i++) {
		char text[QV_POSITION_TEXT];
		struct qv_error why = { "" };
		print_position(x, x->at, text, sizeof text);
		mutate(x, text, sizeof text);
		status = read_twice(x, text, &read, &why);
		if (status == QV_OK && read == QV_OK)
			status = read_position_is_sane(x, text);
		else if (status == QV_OK && !is_reason(&why))
			status = exam_fail(x, "'%s' is refused without a reason", text);
		else if (status == QV_OK && !still_dirty(x, SLOT_B, 0x00))
			status = exam_fail(x, "'%s' is refused, but the state is changed", text);
	}
	return status;
}

static enum qv_status damaged_move_is_handled(struct exam *x)
{
	for (int i = 0; i < MUTATIONS; i++) {
		char text[QV_MOVE_TEXT], printed[QV_MOVE_TEXT];
		struct qv_error why = { "" };
		qv_move read = QV_NO_MOVE, again = QV_NO_MOVE;
		print_move(x, x->at, exam_any_move(x), text, sizeof text);
		mutate(x, text, sizeof text);
		if (qv_move_parse(x->game, x->at, text, &read, &why) != QV_OK) {
			if (!is_reason(&why) || read != QV_NO_MOVE)
				return exam_fail(x,
						 "the move '%s' is refused without a reason, or "
						 "not left alone",
						 text);
			continue;
		}
		if (!qv_move_legal(x->game, x->at, read))
			return exam_fail(x, "the move '%s' is read as one that is not legal", text);
		print_move(x, x->at, read, printed, sizeof printed);
		if (qv_move_parse(x->game, x->at, printed, &again, &why) != QV_OK || again != read)
			return exam_fail(x, "the move '%s' is read as another, '%s'", text,
					 printed);
	}
	return QV_OK;
}

/* ---- Drawings ---- */

static enum qv_status drawing_is_clean(struct exam *x, bool unicode)
{
	char board[DRAWING_ROOM] = "";
	struct qv_text text = { board, sizeof board, 0 };
	x->game->draw(x->at, unicode, &text);
	if (!text.length || text.length >= sizeof board)
		return exam_fail(x, "the drawing is empty, or has %zu bytes", text.length);
	if (board[text.length - 1] != '\n')
		return exam_fail(x, "the drawing's last line does not end");
	for (const char *at = board; *at;) {
		const int length = text_character(at);
		const unsigned char c = (unsigned char)*at;
		if (!length || (c < ' ' && c != '\n') || c == 0x7f)
			return exam_fail(x, "the drawing holds the byte %02x, which is not text",
					 c);
		if (length > 1 && !unicode)
			return exam_fail(x, "the plain drawing holds %02x, which is not ASCII", c);
		at += length;
	}
	return QV_OK;
}

static enum qv_status drawings_are_clean(struct exam *x)
{
	enum qv_status status = drawing_is_clean(x, false);
	return status == QV_OK ? drawing_is_clean(x, true) : status;
}

static bool can_draw(const struct qv_game *game)
{
	return game->draw != NULL;
}

const struct law text_laws[] = {
	{ "move-text", LAW_EVERYWHERE, move_texts_differ, NULL, 0 },
	{ "move-reading", LAW_EVERYWHERE, move_texts_read_back, NULL, 0 },
	{ "position-text", LAW_EVERYWHERE, position_text_is_clean, NULL, 0 },
	{ "position-reading", LAW_EVERYWHERE, position_text_reads_back, NULL, 0 },
	{ "damaged-position", LAW_SAMPLED, damaged_position_is_handled, NULL, 100 },
	{ "damaged-move", LAW_SAMPLED, damaged_move_is_handled, NULL, 100 },
	{ "drawing", LAW_EVERYWHERE, drawings_are_clean, can_draw, 0 },
	{ 0 },
};
