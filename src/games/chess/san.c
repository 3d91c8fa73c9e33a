/*
 * san.c - chess moves in standard algebraic notation (SAN).
 * SPDX-License-Identifier: MIT
 *
 * A text is parsed into a pattern: what it gives of the move, and what it leaves open. The legal
 * moves that match the pattern are counted; exactly one is the result.
 */
#include "games/chess/rules.h"

enum { OPEN = -1 }; /* the text does not give it */

/* What a text gives of a move. */
struct pattern {
	int kind; /* or OPEN: a pawn, or any piece if its square is named */
	int from_file, from_row, to;
	int promotion; /* OPEN: none */
	int castles;   /* CHESS_SHORT or CHESS_LONG, or OPEN */
	bool takes;
};

static const char letters[] = "PNBRQK"; /* by kind */

/* The kind that a letter of either case stands for, or OPEN. */
static int kind_of(char c)
{
	const char upper = c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
	const char *letter = upper ? strchr(letters, upper) : NULL;
	return letter ? (int)(letter - letters) : OPEN;
}

/* ---- writing ---- */

/* File, rank or both, if another piece of the kind could go there too. */
static void put_origin(const struct chess *s, qv_move move, struct qv_text *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int from = chess_from(move), to = chess_to(move), kind = chess_mover(s, move);
	const int n = chess_moves(s, list);
	bool others = false, same_file = false, same_row = false;
	for (int i = 0; i < n; i++) {
		const int other = chess_from(list[i]);
		if (other == from || chess_to(list[i]) != to || chess_mover(s, list[i]) != kind)
			continue;
		others = true;
		same_file |= chess_file(other) == chess_file(from);
		same_row |= chess_row(other) == chess_row(from);
	}
	if (others && (!same_file || same_row))
		qv_put_char(out, (char)('a' + chess_file(from)));
	if (same_file)
		qv_put_char(out, (char)('1' + chess_row(from)));
}

void chess_san_put(const void *state, qv_move move, struct qv_text *out)
{
	const struct chess *s = state;
	const int kind = chess_mover(s, move), to = chess_to(move);
	struct chess after = *s;
	if (chess_castles(move)) {
		qv_put(out, chess_flag(move) == CHESS_SHORT ? "O-O" : "O-O-O");
	} else {
		if (kind != CHESS_PAWN)
			qv_put_char(out, letters[kind]);
		if (kind != CHESS_PAWN && kind != CHESS_KING)
			put_origin(s, move, out);
		if (kind == CHESS_PAWN && chess_takes(move))
			qv_put_char(out, (char)('a' + chess_file(chess_from(move))));
		if (chess_takes(move))
			qv_put_char(out, 'x');
		qv_put_char(out, (char)('a' + chess_file(to)));
		qv_put_char(out, (char)('1' + chess_row(to)));
		if (chess_promotes(move)) {
			qv_put_char(out, '=');
			qv_put_char(out, letters[chess_promotion(move)]);
		}
	}
	/* Check or mate. */
	chess_play(&after, move);
	if (chess_checkers(&after))
		qv_put_char(out, chess_can_move(&after) ? '+' : '#');
}

/* ---- reading ---- */

/* The length without what may follow a move: + # ! ? and e.p. */
static size_t trimmed(const char *text, size_t length)
{
	for (;;) {
		if (length && text[length - 1] && strchr("+#!?", text[length - 1]))
			length--;
		else if (length >= 6 && memcmp(text + length - 4, "e.p.", 4) == 0)
			length -= 4;
		else if (length >= 4 && memcmp(text + length - 2, "ep", 2) == 0)
			length -= 2;
		else if (length && text[length - 1] == ' ')
			length--;
		else
			return length;
	}
}

/* O-O (two parts) or O-O-O (three), with letters or zeros. */
static bool is_castling(const char *text, size_t length, size_t parts)
{
	if (length != 2 * parts - 1)
		return false;
	for (size_t i = 0; i < length; i++)
		if (text[i] != (i % 2 ? '-' : *text))
			return false;
	return *text == 'O' || *text == '0' || *text == 'o';
}

static bool is_file(char c)
{
	return c >= 'a' && c <= 'h';
}

static bool is_row(char c)
{
	return c >= '1' && c <= '8';
}

/* Reads what follows the square: a promotion, as =Q, Q, /Q or (Q). */
static bool read_promotion(const char *text, size_t length, size_t at, struct pattern *w)
{
	if (at == length)
		return true;
	const bool bracket = text[at] == '(';
	at += bracket || text[at] == '=' || text[at] == '/';
	if (at + 1 + bracket != length || (bracket && text[at + 1] != ')'))
		return false;
	w->promotion = kind_of(text[at]);
	return w->promotion >= CHESS_KNIGHT && w->promotion <= CHESS_QUEEN;
}

/* `small`: a lower-case letter at the start is a piece, even a b. */
static bool read_pattern(const char *text, size_t length, bool small, struct pattern *w)
{
	char places[4] = { 0 };
	size_t at = 0, n = 0, first = 0;
	*w = (struct pattern){ OPEN, OPEN, OPEN, OPEN, OPEN, OPEN, false };
	if (is_castling(text, length, 2) || is_castling(text, length, 3)) {
		w->castles = length == 3 ? CHESS_SHORT : CHESS_LONG;
		return true;
	}
	if (length && (small || !is_file(*text))) {
		w->kind = kind_of(*text);
		at = w->kind != OPEN;
	}
	/* Squares and parts of squares, with x, - or : between: up to four letters and digits. */
	for (; at < length; at++) {
		const char c = text[at];
		if (n < 4 && (is_file(c) || is_row(c)))
			places[n++] = c;
		else if (c == 'x' || c == 'X' || c == ':')
			w->takes = true;
		else if (c != '-')
			break;
	}
	if (n >= 3 && places[n - 1] == 'b' && is_row(places[n - 2])) {
		n--; /* e8b: not a square but a bishop */
		at--;
	}
	if (n < 2 || !is_file(places[n - 2]) || !is_row(places[n - 1]))
		return false;
	w->to = places[n - 2] - 'a' + 8 * (places[n - 1] - '1');
	if (first < n - 2 && is_file(places[first]))
		w->from_file = places[first++] - 'a';
	if (first < n - 2 && is_row(places[first]))
		w->from_row = places[first++] - '1';
	return first == n - 2 && read_promotion(text, length, at, w);
}

/* Whether the text gives file and row of the origin. */
static bool names_square(const struct pattern *w)
{
	return w->from_file != OPEN && w->from_row != OPEN;
}

/* Whether a legal move is what the text means. */
static bool matches(const struct chess *s, qv_move move, const struct pattern *w)
{
	const int from = chess_from(move), kind = chess_mover(s, move);
	if (w->castles != OPEN)
		return chess_flag(move) == w->castles;
	if (chess_to(move) != w->to || (w->takes && !chess_takes(move)))
		return false;
	if ((w->from_file != OPEN && w->from_file != chess_file(from)) ||
	    (w->from_row != OPEN && w->from_row != chess_row(from)))
		return false;
	/* Without a letter it is a pawn, unless the origin is named. */
	if (w->kind == OPEN ? kind != CHESS_PAWN && !names_square(w) : kind != w->kind)
		return false;
	/* In Chess960 the squares of the king may mean a plain move; its rook's square is needed. */
	if (chess_castles(move) && (s->is_960 || !names_square(w)))
		return false;
	if (kind == CHESS_PAWN && chess_takes(move) && w->from_file == OPEN)
		return false;
	return w->promotion == OPEN ||
	       (chess_promotes(move) && chess_promotion(move) == w->promotion);
}

/* `names`: the text gives the square that the piece comes from. */
static enum chess_san parse(const struct chess *s, const char *text, size_t length, bool small,
			    bool *names, qv_move *move)
{
	struct pattern w;
	qv_move list[CHESS_MAX_MOVES];
	int found = 0;
	*names = false;
	if (!read_pattern(text, length, small, &w))
		return CHESS_SAN_MALFORMED;
	*names = names_square(&w);
	/* King takes own rook is castling, as some programs write it. */
	if (w.castles == OPEN && *names && w.promotion == OPEN) {
		const int from = w.from_file + 8 * w.from_row, far = w.to < from;
		if (s->board[from] == chess_piece(s->turn, CHESS_KING) &&
		    s->board[w.to] == chess_piece(s->turn, CHESS_ROOK) &&
		    s->castling >> (2 * s->turn + far) & 1 &&
		    w.to == chess_castling_rook(s, 2 * s->turn + far) &&
		    (w.kind == OPEN || w.kind == CHESS_KING))
			w.castles = far ? CHESS_LONG : CHESS_SHORT;
	}
	const int n = chess_moves(s, list);
	for (int i = 0; i < n; i++)
		if (matches(s, list[i], &w) && !found++)
			*move = list[i];
	return found == 1 ? CHESS_SAN_OK : found ? CHESS_SAN_AMBIGUOUS : CHESS_SAN_ILLEGAL;
}

/*
 * Replaces figurines of either colour, which begin with the bytes e2 99, by letters. Returns the
 * length; 0: no room.
 */
static size_t without_figurines(const char *text, size_t length, char *out, size_t room)
{
	static const char kings_first[] = "KQRBNPKQRBNP";
	size_t n = 0;
	for (size_t i = 0; i < length; i++) {
		const bool begins = i + 2 < length && memcmp(text + i, "\xe2\x99", 2) == 0;
		const int figurine = begins ? (unsigned char)text[i + 2] - 0x94 : -1;
		const bool is_figurine = figurine >= 0 && figurine < 12;
		if (n == room)
			return 0;
		out[n++] = is_figurine ? kings_first[figurine] : text[i];
		i += is_figurine ? 2 : 0;
	}
	return n;
}

enum chess_san chess_san_parse(const struct chess *s, const char *text, size_t length,
			       qv_move *move)
{
	qv_move read;
	bool names;
	char letters_only[32];
	length = trimmed(text, length);
	if (memchr(text, 0xe2, length)) {
		length = without_figurines(text, length, letters_only, sizeof letters_only);
		text = letters_only;
	}
	enum chess_san answer = parse(s, text, length, false, &names, &read);
	/* A b that is no pawn's file may be a bishop. */
	if ((answer == CHESS_SAN_MALFORMED || answer == CHESS_SAN_ILLEGAL) && !names && length &&
	    *text == 'b') {
		const enum chess_san small = parse(s, text, length, true, &names, &read);
		if (small != CHESS_SAN_MALFORMED)
			answer = small;
	}
	if (answer == CHESS_SAN_OK)
		*move = read;
	return answer;
}
