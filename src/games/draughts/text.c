/*
 * text.c - positions and moves of draughts as text, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * Moves are `11-15` and `22x15x8`, with every square where the piece lands. A position is a FEN of
 * Portable Draughts Notation: the side to move and the squares of each side, `B:W21,K22:B1,2`. As on
 * lidraughts, `:H12` at the end counts the moves without progress; 0 is not written.
 */
#include "base/scan.h"
#include "games/draughts/rules.h"

static const char side_letter[2] = { 'B', 'W' };
static const char *const side_name[2] = { "Black", "White" };

/* ---- Moves ---- */

enum { MOST_LANDINGS = DRAUGHTS_MAX_JUMPS + 1 };

/* The squares of a move, from 1 to 32: where it starts, then where it lands. */
static int squares_of(qv_move move, int squares[MOST_LANDINGS])
{
	const int jumps = draughts_jumps(move);
	uint64_t at = draughts_bit(draughts_from(move));
	int n = 0;
	squares[n++] = draughts_square_of(draughts_from(move));
	for (int i = 0; i < (jumps ? jumps : 1); i++) {
		const int direction = draughts_direction(move, i);
		at = draughts_shift(at, direction);
		if (jumps)
			at = draughts_shift(at, direction);
		squares[n++] = draughts_square_of(bits_lowest(at));
	}
	return n;
}

void draughts_move_text(const struct draughts *s, qv_move move, struct qv_text *out)
{
	int squares[MOST_LANDINGS];
	const int n = squares_of(move, squares);
	(void)s;
	for (int i = 0; i < n; i++) {
		if (i)
			qv_put_char(out, draughts_jumps(move) ? 'x' : '-');
		qv_put_int(out, squares[i]);
	}
}

/*
 * Whether a move starts and ends as typed and lands on the squares between in this order. *whole:
 * nothing was left out.
 */
static bool passes(qv_move move, const int *typed, int count, bool *whole)
{
	int squares[MOST_LANDINGS];
	const int n = squares_of(move, squares);
	int next = 1;
	if (squares[0] != typed[0] || squares[n - 1] != typed[count - 1])
		return false;
	for (int i = 1; i < n - 1 && next < count - 1; i++)
		next += squares[i] == typed[next];
	*whole = n == count;
	return next == count - 1;
}

/*
 * The number of legal moves that fit; *move is the last of them. A move with no other squares than
 * those typed fits alone. takes: only captures do.
 */
static int matches(const struct draughts *s, const int *typed, int count, bool takes, qv_move *move)
{
	qv_move list[DRAUGHTS_MAX_MOVES];
	int found = 0;
	for (int n = draughts_moves(s, list); n > 0; n--) {
		bool whole;
		if ((takes && !draughts_jumps(list[n - 1])) ||
		    !passes(list[n - 1], typed, count, &whole))
			continue;
		*move = list[n - 1];
		if (whole)
			return 1;
		found++;
	}
	return found;
}

/* A square, perhaps with a zero in front: 05. */
static bool scan_square(const char **text, int *square)
{
	const char *at = *text;
	int value = 0;
	for (; is_digit(*at) && at < *text + 2; at++)
		value = 10 * value + *at - '0';
	if (at == *text || is_digit(*at) || value < 1 || value > DRAUGHTS_SQUARES)
		return false;
	*text = at;
	*square = value;
	return true;
}

/*
 * Reads the squares of a move with '-' between them, or 'x' or ':', which mean a capture. A '*' at
 * the end, which marks a forced move, is skipped. 0: it is not such a text.
 */
static int scan_squares(const char *text, int typed[MOST_LANDINGS], bool *takes)
{
	int n = 0;
	*takes = strpbrk(text, "xX:");
	do {
		text += strspn(text, " ");
		if (n == MOST_LANDINGS || !scan_square(&text, &typed[n++]))
			return 0;
		text += strspn(text, " ");
	} while (is_one_of(*text, "-xX:") && *++text);
	text += *text == '*';
	return *text || n < 2 ? 0 : n;
}

/* Two squares without a separator, such as 1115; each way to divide the digits is tried. */
static int match_digits(const struct draughts *s, const char *text, qv_move *move)
{
	const size_t length = strlen(text);
	int found = 0;
	if (length < 2 || length > 4 || strspn(text, "0123456789") != length)
		return 0;
	for (size_t i = 1; i < length && i <= 2; i++) {
		char first[3] = "";
		const char *at = first, *rest = text + i;
		int typed[2];
		memcpy(first, text, i);
		if (scan_square(&at, &typed[0]) && scan_square(&rest, &typed[1]))
			found += matches(s, typed, 2, false, move);
	}
	return found;
}

/* The number of legal moves that the text may mean. */
static int find_moves(const struct draughts *s, const char *text, qv_move *move)
{
	int typed[MOST_LANDINGS];
	bool takes;
	const int count = scan_squares(text, typed, &takes);
	return count ? matches(s, typed, count, takes, move) : match_digits(s, text, move);
}

bool draughts_move_parse(const struct draughts *s, const char *text, qv_move *move)
{
	return find_moves(s, text, move) == 1;
}

void draughts_refusal(const void *state, const char *text, struct qv_text *why)
{
	int typed[MOST_LANDINGS];
	bool takes;
	const struct draughts *s = state;
	const int count = scan_squares(text, typed, &takes);
	qv_move list[DRAUGHTS_MAX_MOVES], move;
	if (!count)
		return;
	const uint64_t from = draughts_bit(draughts_bit_of(typed[0]));
	if (find_moves(s, text, &move) > 1) {
		qv_put(why, "ambiguous: name every square where the piece lands");
	} else if (!(s->pieces[s->turn] & from)) {
		qv_put(why, side_name[s->turn]);
		qv_put(why, " has no piece on ");
		qv_put_int(why, typed[0]);
	} else if (draughts_captures(s, list)) {
		qv_put(why, "you must capture, and complete the jump: ");
		draughts_move_text(s, list[0], why);
	}
}

/* ---- Positions ---- */

void draughts_position_text(const struct draughts *s, struct qv_text *out)
{
	qv_put_char(out, side_letter[s->turn]);
	for (int side = DRAUGHTS_WHITE; side >= DRAUGHTS_BLACK; side--) {
		qv_put_char(out, ':');
		qv_put_char(out, side_letter[side]);
		for (uint64_t left = s->pieces[side]; left; left = bits_rest(left)) {
			if (left != s->pieces[side])
				qv_put_char(out, ',');
			if (s->kings >> bits_lowest(left) & 1)
				qv_put_char(out, 'K');
			qv_put_int(out, draughts_square_of(bits_lowest(left)));
		}
	}
	if (s->quiet) {
		qv_put(out, ":H");
		qv_put_int(out, s->quiet);
	}
}

/* A text that is being read, and the position so far. */
struct reading {
	const char *at;
	struct draughts s;
	bool has[2]; /* the lists that have been read */
	struct qv_error *error;
};

static void skip_blanks(struct reading *r)
{
	r->at += strspn(r->at, " ");
}

/* The side whose letter is next, in either case; -1 if the next character is no such letter. */
static int read_side(struct reading *r)
{
	for (int side = 0; side < 2; side++)
		if (*r->at && to_lower(*r->at) == to_lower(side_letter[side])) {
			r->at++;
			skip_blanks(r);
			return side;
		}
	return -1;
}

static enum qv_status read_square(struct reading *r, int *square)
{
	if (scan_square(&r->at, square))
		return QV_OK;
	return qv_fail(r->error, QV_BAD_INPUT, "position: '%.8s': expected a square from 1 to 32",
		       r->at);
}

/* A square or a range of squares: 12, K12, 1-4, K29-31. */
static enum qv_status read_item(struct reading *r, int side)
{
	const bool king = *r->at == 'K' || *r->at == 'k';
	int first, last;
	r->at += king;
	skip_blanks(r);
	enum qv_status status = read_square(r, &first);
	last = first;
	skip_blanks(r);
	if (status == QV_OK && *r->at == '-') {
		r->at++;
		skip_blanks(r);
		r->at += *r->at == 'K' && king;
		status = read_square(r, &last);
		skip_blanks(r);
	}
	if (status != QV_OK)
		return status;
	if (last < first)
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: %d-%d: a range begins with the lower square", first,
			       last);
	for (int square = first; square <= last; square++) {
		const uint64_t bit = draughts_bit(draughts_bit_of(square));
		if ((r->s.pieces[0] | r->s.pieces[1]) & bit)
			return qv_fail(r->error, QV_BAD_INPUT, "position: two pieces on square %d",
				       square);
		r->s.pieces[side] |= bit;
		r->s.kings |= king ? bit : 0;
		if (!king && bit & draughts_last_row(side))
			return qv_fail(r->error, QV_ILLEGAL,
				       "position: %s's piece on square %d must be a king (K%d)",
				       side_name[side], square, square);
	}
	return QV_OK;
}

/* The squares of a side, which may be none. */
static enum qv_status read_list(struct reading *r, int side)
{
	if (r->has[side])
		return qv_fail(r->error, QV_BAD_INPUT, "position: two lists for %s",
			       side_name[side]);
	r->has[side] = true;
	if (!*r->at || is_one_of(*r->at, ":."))
		return QV_OK;
	for (;;) {
		const enum qv_status status = read_item(r, side);
		if (status != QV_OK || *r->at != ',')
			return status;
		r->at++;
		skip_blanks(r);
	}
}

/* H12, the moves without progress; F7, the number of the move, which is not stored. */
static enum qv_status read_counter(struct reading *r)
{
	const bool quiet = *r->at == 'H';
	int value;
	r->at++;
	if (!scan_count(&r->at, quiet ? DRAUGHTS_QUIET : INT32_MAX, &value))
		return quiet ? qv_fail(r->error, QV_BAD_INPUT,
				       "position: expected a number from 0 to %d after H",
				       DRAUGHTS_QUIET)
			     : qv_fail(r->error, QV_BAD_INPUT,
				       "position: expected a number after F");
	if (quiet)
		r->s.quiet = (uint8_t)value;
	skip_blanks(r);
	return QV_OK;
}

/* Refuses what no game can reach. */
static enum qv_status check_position(const struct draughts *s, struct qv_error *error)
{
	const int mover = s->turn, other = 1 - mover;
	for (int side = 0; side < 2; side++)
		if (bits_count(s->pieces[side]) > DRAUGHTS_PIECES)
			return qv_fail(error, QV_ILLEGAL, "position: %s has more than %d pieces",
				       side_name[side], DRAUGHTS_PIECES);
	if (!s->pieces[other])
		return qv_fail(error, QV_ILLEGAL, "position: %s has just moved but has no pieces",
			       side_name[other]);
	for (int i = 0; i < 2; i++) {
		const int side = i ? mover : other; /* the one that moved last, then the other */
		if (s->quiet > i && !(s->pieces[side] & s->kings))
			return qv_fail(error, QV_ILLEGAL,
				       "position: H%d counts moves of kings, but %s has none",
				       s->quiet, side_name[side]);
	}
	return QV_OK;
}

enum qv_status draughts_position_parse(struct draughts *s, const int64_t *options, const char *text,
				       struct qv_error *error)
{
	struct reading r = { .at = text, .error = error };
	(void)options;
	skip_blanks(&r);
	const int turn = read_side(&r);
	if (turn < 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the side to move, B or W, first");
	r.s.turn = (uint8_t)turn;
	while (*r.at == ':') {
		r.at++;
		skip_blanks(&r);
		const int side = read_side(&r);
		enum qv_status status;
		if (side < 0 && *r.at != 'H' && *r.at != 'F')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: expected W or B and squares after ':'");
		status = side < 0 ? read_counter(&r) : read_list(&r, side);
		if (status != QV_OK)
			return status;
	}
	r.at += *r.at == '.';
	skip_blanks(&r);
	if (*r.at)
		return qv_fail(error, QV_BAD_INPUT, "position: unexpected '%.8s'", r.at);
	if (!r.has[0] || !r.has[1])
		return qv_fail(error, QV_BAD_INPUT, "position: the list of %s's squares is missing",
			       side_name[r.has[0]]);
	const enum qv_status status = check_position(&r.s, error);
	if (status == QV_OK)
		*s = r.s;
	return status;
}

/* ---- The board for a terminal ---- */

/* What stands on a square, or its number. */
static void put_cell(const struct draughts *s, int square, bool unicode, struct qv_text *out)
{
	static const char *const signs[2][2] = { { "⛂", "⛃" }, { "⛀", "⛁" } };
	static const char letters[2][2] = { { 'b', 'B' }, { 'w', 'W' } };
	const int bit = draughts_bit_of(square), king = (int)(s->kings >> bit & 1);
	for (int side = 0; side < 2; side++) {
		if (!(s->pieces[side] >> bit & 1))
			continue;
		qv_put_char(out, ' ');
		if (unicode)
			qv_put(out, signs[side][king]);
		else
			qv_put_char(out, letters[side][king]);
		return;
	}
	if (square < 10)
		qv_put_char(out, ' ');
	qv_put_int(out, square);
}

/* Empty squares are numbered; at the right are the numbers of the row. */
void draughts_draw(const struct draughts *s, bool unicode, struct qv_text *out)
{
	for (int row = 0; row < 8; row++) {
		for (int i = 0; i < 4; i++) {
			if (i || row % 2 == 0)
				qv_put(out, "  ");
			put_cell(s, 4 * row + i + 1, unicode, out);
		}
		qv_put(out, row % 2 ? "     " : "   ");
		qv_put_int(out, 4 * row + 1);
		qv_put_char(out, '-');
		qv_put_int(out, 4 * row + 4);
		qv_put_char(out, '\n');
	}
}
