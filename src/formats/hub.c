/*
 * hub.c - lines, positions and moves of Hub, a protocol for draughts engines.
 * SPDX-License-Identifier: MIT
 */
#include "formats/hub.h"

#include "base/scan.h"

#define BLANKS " \t"

enum qv_status hub_fits(const struct qv_game *game, struct qv_error *error)
{
	return strcmp(game->name, "draughts") == 0
		       ? QV_OK
		       : qv_fail(error, QV_UNSUPPORTED,
				 "protocol hub: only draughts fits it, not %.40s", game->name);
}

/* ---- Positions ---- */

static const char letters[2][2] = { { 'b', 'B' }, { 'w', 'W' } }; /* man, king */

void hub_position_text(const struct draughts *s, struct qv_text *out)
{
	qv_put_char(out, letters[s->turn][1]);
	for (int square = 1; square <= DRAUGHTS_SQUARES; square++) {
		const int bit = draughts_bit_of(square);
		const int side = (int)(s->pieces[DRAUGHTS_WHITE] >> bit & 1);
		const bool empty = !(s->pieces[side] >> bit & 1);
		qv_put_char(out, empty ? 'e' : letters[side][s->kings >> bit & 1]);
	}
}

enum qv_status hub_position_parse(struct draughts *s, const char *text, struct qv_error *error)
{
	struct draughts read = { .turn = *text == letters[DRAUGHTS_WHITE][1] };
	if (strlen(text) != HUB_POSITION - 1)
		return qv_fail(error, QV_BAD_INPUT,
			       "pos: expected %d characters, the side to move and 32 squares",
			       HUB_POSITION - 1);
	if (!is_one_of(*text, "BW"))
		return qv_fail(error, QV_BAD_INPUT, "pos: the first character must be B or W");
	for (int square = 1; square <= DRAUGHTS_SQUARES; square++) {
		const char c = text[square];
		const uint64_t bit = draughts_bit(draughts_bit_of(square));
		if (!is_one_of(c, "bBwWe"))
			return qv_fail(error, QV_BAD_INPUT,
				       "pos: '%c' on square %d: expected w, b, W, B or e", c,
				       square);
		if (c == 'e')
			continue;
		read.pieces[to_lower(c) == 'w'] |= bit;
		read.kings |= is_one_of(c, "BW") ? bit : 0;
	}
	*s = read;
	return QV_OK;
}

/* ---- Moves ---- */

/* The captured pieces are listed in the order of the jumps. */
void hub_move_text(qv_move move, struct qv_text *out)
{
	const int jumps = draughts_jumps(move);
	uint64_t at = draughts_bit(draughts_from(move));
	qv_put_int(out, draughts_square_of(draughts_from(move)));
	qv_put_char(out, jumps ? 'x' : '-');
	qv_put_int(out, draughts_square_of(draughts_to(move)));
	for (int i = 0; i < jumps; i++) {
		const int direction = draughts_direction(move, i);
		const uint64_t over = draughts_shift(at, direction);
		qv_put_char(out, 'x');
		qv_put_int(out, draughts_square_of(bits_lowest(over)));
		at = draughts_shift(over, direction);
	}
}

bool hub_move_parse(const struct draughts *s, const char *text, qv_move *move)
{
	enum { MOST = DRAUGHTS_MAX_JUMPS + 2 };
	qv_move list[DRAUGHTS_MAX_MOVES];
	int bits[MOST], n = 0;
	uint64_t named = 0;
	const char separator = strchr(text, 'x') ? 'x' : '-';
	for (;;) {
		int64_t square;
		if (n == MOST || !is_digit(*text) || !scan_int(&text, 1, DRAUGHTS_SQUARES, &square))
			return false;
		bits[n] = draughts_bit_of((int)square);
		if (n >= 2)
			named |= draughts_bit(bits[n]);
		n++;
		if (!*text)
			break;
		if (*text++ != separator)
			return false;
	}
	/* A step has two squares, a capture at least three, each captured piece once. */
	if (n < 2 || (separator == 'x') != (n > 2) || bits_count(named) != n - 2)
		return false;
	for (int i = draughts_moves(s, list); i > 0; i--) {
		uint64_t taken;
		const uint64_t to = draughts_walk(list[i - 1], &taken);
		if (draughts_from(list[i - 1]) != bits[0] || to != draughts_bit(bits[1]) ||
		    (draughts_jumps(list[i - 1]) ? taken : 0) != named)
			continue;
		*move = list[i - 1];
		return true;
	}
	return false;
}

/* ---- Arguments ---- */

/* Blanks around the '=' have no meaning. */
enum hub_got hub_argument(char **rest, char **name, char **value)
{
	char *at = *rest + strspn(*rest, BLANKS);
	*rest = at;
	if (!*at)
		return HUB_END;
	const size_t length = strcspn(at, BLANKS "=\"");
	char *end = at + length, *equals = end + strspn(end, BLANKS);
	if (!length || *end == '"')
		return HUB_BAD;
	*name = at;
	if (*equals != '=') {
		*end = '\0';
		*value = end;
		*rest = equals;
		return HUB_ARGUMENT;
	}
	*end = '\0';
	at = equals + 1 + strspn(equals + 1, BLANKS);
	const bool quoted = *at == '"';
	at += quoted;
	end = at + strcspn(at, quoted ? "\"" : BLANKS);
	if (quoted && !*end)
		return HUB_BAD;
	*value = at;
	*rest = *end ? end + 1 : end;
	*end = '\0';
	return HUB_ARGUMENT;
}

void hub_add(struct string *out, const char *name, const char *value)
{
	const bool quoted = !*value || strpbrk(value, BLANKS "=\"");
	string_addf(out, quoted ? " %s=\"" : " %s=", name);
	for (const char *c = value; *c; c++)
		string_add(out, *c == '"' ? "'" : c, 1);
	if (quoted)
		string_add(out, "\"", 1);
}

bool hub_number(const char *text, int64_t *thousandths)
{
	const int64_t most = INT64_C(1000000000000);
	const bool negative = *text == '-';
	int64_t number = 0;
	text += negative || *text == '+';
	if (!is_digit(*text) && !(*text == '.' && is_digit(text[1])))
		return false;
	for (; is_digit(*text); text++)
		number = number < most ? 10 * number + *text - '0' : most;
	number = (number < most ? number : most) * 1000;
	if (*text == '.')
		text++;
	for (int unit = 100; is_digit(*text); text++, unit /= 10)
		number += unit * (*text - '0');
	*thousandths = negative ? -number : number;
	return !*text;
}
