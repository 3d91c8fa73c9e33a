/*
 * text.c - positions and moves of go-moku as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is the rows from the top, separated by '/', with runs of empty points as numbers; a
 * blank; and the side to move: `15/15/.../7x7/.../15 o`. With the opening swap2, one more word
 * follows: `open`, as long as colours are not chosen, or `kept` or `swapped`, by whether the first
 * player has Black or White. A position may also be typed as the moves that lead to it.
 */
#include "base/scan.h"
#include "games/gomoku/rules.h"

static const char side_letter[2] = { 'x', 'o' };
static const char *const phase_words[] = { "open", "kept", "swapped" };

/* ---- Moves ---- */

static void put_point(struct qv_text *out, int point)
{
	qv_put_char(out, (char)('a' + point % GOMOKU_SIDE));
	qv_put_int(out, point / GOMOKU_SIDE + 1);
}

void gomoku_move_text(const struct gomoku *s, qv_move move, struct qv_text *out)
{
	(void)s;
	if (move >= GOMOKU_POINTS)
		qv_put(out, move == GOMOKU_TAKE_BLACK ? "black" : "white");
	else
		put_point(out, (int)move);
}

/*
 * Reads a column and a row, such as h8, at the beginning of a text. Returns the characters read; 0:
 * there is no point. *point is -1 if it is not on the board.
 */
static size_t read_point(const struct gomoku *s, const char *text, int *point)
{
	const int column = text[0] - 'a';
	size_t used = 1;
	int row = 0;
	if (column < 0 || column > 25 || text[1] < '1' || text[1] > '9')
		return 0;
	for (; text[used] >= '0' && text[used] <= '9' && used < 4; used++)
		row = row * 10 + text[used] - '0';
	*point = column < s->size && row <= s->size ? gomoku_point(row - 1, column) : -1;
	return used;
}

/* What makes a point forbidden to Black. */
static const char *reason_forbidden(const struct gomoku *s, int point)
{
	struct gomoku_shapes shapes;
	gomoku_find_shapes(s->stones[GOMOKU_BLACK], s->stones[GOMOKU_WHITE], s->size, point,
			   &shapes);
	return shapes.overline	  ? "an overline"
	       : shapes.fours > 1 ? "a double four"
				  : "a double three";
}

void gomoku_refusal(const void *state, const char *text, struct qv_text *why)
{
	const struct gomoku *s = state;
	int point = -1;
	const size_t used = read_point(s, text, &point);
	if (!used || text[used])
		return;
	if (point < 0) {
		qv_put(why, "the point is not on the board");
	} else if (!gomoku_is_empty(s, point)) {
		put_point(why, point);
		qv_put(why, " is occupied");
	} else if (!s->winner && s->phase != GOMOKU_OPENING && !gomoku_allows(s, point)) {
		put_point(why, point);
		qv_put(why, " is forbidden to Black: it makes ");
		qv_put(why, reason_forbidden(s, point));
	}
}

/* ---- Positions ---- */

static char letter_at(const struct gomoku *s, int point)
{
	return gomoku_has_stone(s, GOMOKU_BLACK, point)	  ? side_letter[GOMOKU_BLACK]
	       : gomoku_has_stone(s, GOMOKU_WHITE, point) ? side_letter[GOMOKU_WHITE]
							  : '.';
}

static void put_row(const struct gomoku *s, int row, struct qv_text *out)
{
	int empty = 0;
	for (int column = 0; column < s->size; column++) {
		const char letter = letter_at(s, gomoku_point(row, column));
		if (letter == '.') {
			empty++;
			continue;
		}
		if (empty)
			qv_put_int(out, empty);
		empty = 0;
		qv_put_char(out, letter);
	}
	if (empty)
		qv_put_int(out, empty);
}

void gomoku_position_text(const struct gomoku *s, struct qv_text *out)
{
	for (int row = s->size - 1; row >= 0; row--) {
		put_row(s, row, out);
		qv_put_char(out, row ? '/' : ' ');
	}
	qv_put_char(out, side_letter[s->turn]);
	if (s->swap2) {
		qv_put_char(out, ' ');
		qv_put(out, phase_words[s->phase]);
	}
}

/* Reads one row, up to the '/' or the blank behind it. */
static enum qv_status parse_row(struct gomoku *s, int row, const char **text,
				struct qv_error *error)
{
	int column = 0;
	while (column < s->size) {
		const char c = **text;
		int empty = 0;
		if (c == 'x' || c == 'o') {
			gomoku_add(s, c == 'o', gomoku_point(row, column++));
			(*text)++;
		} else if (c >= '1' && c <= '9' && scan_count(text, s->size - column, &empty)) {
			column += empty;
		} else {
			break;
		}
	}
	if (column < s->size)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: row %d: expected %d points as x, o and numbers of empty "
			       "points",
			       row + 1, s->size);
	return QV_OK;
}

/* Whether a colour has a row that has won or, in renju, an overline. */
static bool has_long_row(const struct gomoku *s, const uint32_t *stones)
{
	for (int line = 0; line < GOMOKU_LINES; line++) {
		const uint32_t m = stones[line];
		uint32_t five = m & m >> 1 & m >> 2 & m >> 3 & m >> 4;
		if (s->rule == GOMOKU_EXACT)
			five &= ~(m << 1) & ~(m >> 5);
		if (five)
			return true;
	}
	return false;
}

/* Whether a single stone can have completed all rows of the colour that are too long. */
static bool one_stone_made_it(const struct gomoku *s, int colour)
{
	for (int row = 0; row < s->size; row++)
		for (uint64_t left = s->stones[colour][row]; left; left = bits_rest(left)) {
			const int point = gomoku_point(row, bits_lowest(left) - GOMOKU_MARGIN);
			uint32_t before[GOMOKU_LINES];
			memcpy(before, s->stones[colour], sizeof before);
			for (int d = 0; d < GOMOKU_DIRECTIONS; d++) {
				const struct gomoku_place at = gomoku_place(point, d);
				before[at.line] &= ~(UINT32_C(1) << at.bit);
			}
			if (gomoku_wins_at(s, colour, point) && !has_long_row(s, before))
				return true;
		}
	return false;
}

/* Refuses positions that no game can reach. */
static enum qv_status check_rows(struct gomoku *s, struct qv_error *error)
{
	const int last = 1 - s->turn;
	s->winner = 0;
	if (has_long_row(s, s->stones[s->turn]))
		return qv_fail(error, QV_ILLEGAL,
			       "position: the side to move already has five or more in a row");
	if (!has_long_row(s, s->stones[last]))
		return QV_OK;
	if (!one_stone_made_it(s, last))
		return qv_fail(error, QV_ILLEGAL,
			       "position: no single last move can have completed these rows");
	s->winner = (uint8_t)(1 + last);
	return QV_OK;
}

static int count_stones(const struct gomoku *s, int colour)
{
	int n = 0;
	for (int row = 0; row < s->size; row++)
		n += bits_count(s->stones[colour][row]);
	return n;
}

/* Reads the side and, with swap2, the phase. */
static enum qv_status parse_end(struct gomoku *s, const char *text, struct qv_error *error)
{
	const int ahead = count_stones(s, GOMOKU_BLACK) - count_stones(s, GOMOKU_WHITE);
	int phase = GOMOKU_KEPT;
	if (text[0] != 'x' && text[0] != 'o')
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the side to move, x or o, after the rows");
	const bool white = text[0] == 'o';
	if (s->swap2) {
		phase = GOMOKU_OPENING;
		while (phase <= GOMOKU_SWAPPED &&
		       (text[1] != ' ' || strcmp(text + 2, phase_words[phase]) != 0))
			phase++;
		if (phase > GOMOKU_SWAPPED)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected open, kept or swapped after the side to "
				       "move, because opening=swap2");
	} else if (text[1]) {
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected nothing after the side to move");
	}
	if (ahead != 0 && ahead != 1)
		return qv_fail(
			error, QV_ILLEGAL,
			"position: x moves first, so x must have as many stones as o, or one "
			"more");
	if (white != ahead)
		return qv_fail(error, QV_ILLEGAL,
			       "position: the number of stones shows that it is %c's turn",
			       side_letter[ahead]);
	if (s->swap2 && phase == GOMOKU_OPENING && s->count > GOMOKU_LAST_CHOICE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: in the opening there are at most five stones");
	if (s->swap2 && phase != GOMOKU_OPENING && s->count < GOMOKU_FIRST_CHOICE)
		return qv_fail(error, QV_ILLEGAL,
			       "position: colours are chosen after three stones or more");
	gomoku_set_turn(s, white);
	gomoku_set_phase(s, phase);
	return check_rows(s, error);
}

static enum qv_status parse_rows(struct gomoku *s, const char *text, struct qv_error *error)
{
	for (int row = s->size - 1; row >= 0; row--) {
		const enum qv_status status = parse_row(s, row, &text, error);
		if (status != QV_OK)
			return status;
		if (*text != (row ? '/' : ' '))
			return qv_fail(
				error, QV_BAD_INPUT,
				"position: expected %d rows of %d points, separated by '/', and "
				"a blank",
				s->size, s->size);
		text++;
	}
	return parse_end(s, text, error);
}

/* Reads one move of a list; *text then is behind it. */
static bool parse_move(const struct gomoku *s, const char **text, qv_move *move)
{
	qv_move list[GOMOKU_MAX_MOVES];
	int32_t points[QV_MAX_SEATS];
	const size_t length = strcspn(*text, " ");
	const int n = gomoku_result(s, points) == QV_GOING ? gomoku_moves(s, list) : 0;
	for (int i = 0; i < n; i++) {
		char name[16] = "";
		struct qv_text out = { name, sizeof name, 0 };
		gomoku_move_text(s, list[i], &out);
		size_t same = 0; /* characters; capital letters are accepted, as in typed moves */
		while (same < out.length && name[same] == to_lower((*text)[same]))
			same++;
		if (out.length == length && same == length) {
			*move = list[i];
			*text += length;
			return true;
		}
	}
	return false;
}

/* Plays the moves of a list from the start. */
static enum qv_status parse_moves(struct gomoku *s, const char *text, struct qv_error *error)
{
	for (int number = 1; *text; number++) {
		qv_move move;
		if (!parse_move(s, &text, &move))
			return qv_fail(
				error, number == 1 ? QV_BAD_INPUT : QV_ILLEGAL,
				"position: move %d is not legal; expected rows, or moves such as "
				"h8 i9",
				number);
		gomoku_play(s, move);
		if (*text == ' ')
			text++;
	}
	return QV_OK;
}

enum qv_status gomoku_position_parse(struct gomoku *s, const int64_t *options, const char *text,
				     struct qv_error *error)
{
	struct gomoku read;
	gomoku_start(&read, options);
	if (!*text)
		return qv_fail(error, QV_BAD_INPUT, "position: expected rows or moves");
	const enum qv_status status = strchr(text, '/') ? parse_rows(&read, text, error)
							: parse_moves(&read, text, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- The board for a terminal ---- */

/* Row numbers at the left, letters below; '!' marks a point that is forbidden to Black. */
void gomoku_draw(const struct gomoku *s, bool unicode, struct qv_text *out)
{
	const bool restricted = gomoku_is_restricted(s) && !s->winner;
	for (int row = s->size - 1; row >= 0; row--) {
		qv_put(out, row < 9 ? " " : "");
		qv_put_int(out, row + 1);
		for (int column = 0; column < s->size; column++) {
			const int point = gomoku_point(row, column);
			const char letter = letter_at(s, point);
			qv_put_char(out, ' ');
			if (letter != '.')
				qv_put(out, letter == 'x' ? (unicode ? "●" : "X")
							  : (unicode ? "○" : "O"));
			else if (restricted && !gomoku_allows(s, point))
				qv_put_char(out, '!');
			else
				qv_put(out, unicode ? "·" : ".");
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  ");
	for (int column = 0; column < s->size; column++) {
		qv_put_char(out, ' ');
		qv_put_char(out, (char)('a' + column));
	}
	qv_put_char(out, '\n');
}
