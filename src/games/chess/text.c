/*
 * text.c - chess as text: FEN, moves as e2e4 and e7e8q, and the board for a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A position is read field by field and checked last. No game need lead to it: odds games and
 * studies have more queens or knights than promotion can give. Only what cannot be played is
 * refused: a missing or second king, more pieces or pawns than a side starts with, the side that
 * just moved in check. An en passant square is kept only if such a capture is legal, so that
 * positions that play alike are equal.
 *
 * Chess960 has X-FEN: a castling right is K, Q, k or q if it is that of the outermost rook on its
 * side of the king, else the file of the rook. It reads Shredder-FEN, too, which has always files.
 */
#include "base/text.h"
#include "games/chess/rules.h"

static const char letters[2][CHESS_KINDS + 1] = { "PNBRQK", "pnbrqk" };
static const char rights_letters[] = "KQkqHAha"; /* or by the file of the rook, as Shredder-FEN */
static const char file_letters[2][9] = { "ABCDEFGH", "abcdefgh" };
static const char *const side_name[2] = { "White", "Black" };

/* ---- writing ---- */

/* As in e4. */
static void put_square(struct qv_text *out, int square)
{
	qv_put_char(out, (char)('a' + chess_file(square)));
	qv_put_char(out, (char)('1' + chess_row(square)));
}

void chess_move_text(const struct chess *s, qv_move move, struct qv_text *out)
{
	put_square(out, chess_from(move));
	put_square(out, s->is_960 && chess_castles(move)
				? chess_castling_rook(s, chess_castling_right(s, move))
				: chess_to(move));
	if (chess_promotes(move))
		qv_put_char(out, letters[CHESS_BLACK][chess_promotion(move)]);
}

/* The rook of the side that is farthest from its king, to the right or left on the first row. */
static int outermost_rook(const struct chess *s, int side, bool far)
{
	const int king = chess_king(s, side), end = (far ? CHESS_A1 : CHESS_H1) + 56 * side;
	const uint64_t rooks = (chess_between(king, end) | chess_bit(end)) &
			       chess_of(s, side, CHESS_ROOK) & CHESS_ROW_1 << 56 * side;
	if (!rooks || king == end)
		return -1;
	return far ? bits_lowest(rooks) : bits_highest(rooks);
}

void chess_position_text(const struct chess *s, struct qv_text *out)
{
	for (int row = 7; row >= 0; row--) {
		int empty = 0; /* squares before the next piece */
		for (int file = 0; file < 8; file++) {
			const int piece = s->board[8 * row + file];
			empty += piece == CHESS_EMPTY;
			if (empty && (piece != CHESS_EMPTY || file == 7)) {
				qv_put_int(out, empty);
				empty = 0;
			}
			if (piece != CHESS_EMPTY)
				qv_put_char(out, letters[piece >> 3][piece & 7]);
		}
		qv_put_char(out, row ? '/' : ' ');
	}
	qv_put(out, s->turn == CHESS_WHITE ? "w " : "b ");
	for (int i = 0; i < 4; i++)
		if (s->castling >> i & 1)
			qv_put_char(out, !s->is_960 || s->rook[i] == outermost_rook(s, i / 2, i % 2)
						 ? rights_letters[i]
						 : file_letters[i / 2][chess_file(s->rook[i])]);
	qv_put(out, s->castling ? " " : "- ");
	if (s->passant)
		put_square(out, s->passant);
	else
		qv_put_char(out, '-');
	qv_put_char(out, ' ');
	qv_put_int(out, s->quiet);
	qv_put_char(out, ' ');
	qv_put_int(out, s->number);
}

void chess_draw(const struct chess *s, bool unicode, struct qv_text *out)
{
	static const char *const signs[2][CHESS_KINDS] = {
		{ "♙", "♘", "♗", "♖", "♕", "♔" },
		{ "♟", "♞", "♝", "♜", "♛", "♚" },
	};
	for (int row = 7; row >= 0; row--) {
		qv_put_int(out, row + 1);
		for (int file = 0; file < 8; file++) {
			const int piece = s->board[8 * row + file];
			qv_put_char(out, ' ');
			if (piece == CHESS_EMPTY)
				qv_put(out, unicode ? "·" : ".");
			else if (unicode)
				qv_put(out, signs[piece >> 3][piece & 7]);
			else
				qv_put_char(out, letters[piece >> 3][piece & 7]);
		}
		qv_put_char(out, '\n');
	}
	qv_put(out, "  a b c d e f g h\n");
}

const char *chess_ending(const void *state)
{
	const struct chess *s = state;
	if (!chess_can_move(s))
		return chess_checkers(s) ? "checkmate" : "stalemate";
	return s->quiet >= CHESS_FIFTY ? "fifty moves" : "dead position";
}

/* ---- reading moves ---- */

bool chess_move_parse(const struct chess *s, const char *text, qv_move *move)
{
	return chess_san_parse(s, text, strlen(text), move) == CHESS_SAN_OK;
}

/* ---- reading positions ---- */

/* Adds the parts of the key that are not pieces, once they are known. */
static void finish_key(struct chess *s)
{
	s->key ^= chess_tables.castling_key[s->castling];
	if (s->is_960)
		chess960_toggle_rooks(s, s->castling);
	if (s->turn == CHESS_BLACK)
		s->key ^= chess_tables.turn_key;
	if (s->passant)
		s->key ^= chess_tables.passant_key[chess_file(s->passant)];
}

void chess_start(struct chess *s, const int64_t *options)
{
	uint8_t order[8];
	chess_clear(s);
	s->is_960 = options && options[CHESS_OPTION_START];
	chess960_array(s->is_960 ? (int)options[CHESS_OPTION_NUMBER] : CHESS_NORMAL_START, order);
	for (int file = 0; file < 8; file++) {
		chess_put(s, CHESS_WHITE, order[file], file);
		chess_put(s, CHESS_WHITE, CHESS_PAWN, 8 + file);
		chess_put(s, CHESS_BLACK, CHESS_PAWN, 48 + file);
		chess_put(s, CHESS_BLACK, order[file], 56 + file);
	}
	s->castling = 15;
	for (int right = 0; right < 4 && s->is_960; right++)
		s->rook[right] = (uint8_t)outermost_rook(s, right / 2, right % 2);
	finish_key(s);
}

/* A field of the text; it ends at a blank or at the end. */
struct field {
	const char *at;
	size_t length;
};

/* Skips blanks; the field is empty at the end of the text. */
static struct field next_field(const char **text)
{
	while (**text == ' ')
		(*text)++;
	struct field f = { *text, 0 };
	while (f.at[f.length] && f.at[f.length] != ' ')
		f.length++;
	*text += f.length;
	return f;
}

/* The ranks from the eighth on, with slashes between. */
static enum qv_status parse_board(struct chess *s, struct field f, struct qv_error *error)
{
	const char *at = f.at, *const end = f.at + f.length;
	if (!f.length)
		return qv_fail(error, QV_BAD_INPUT, "position: the board is missing");
	for (int row = 7; row >= 0; row--) {
		int file = 0;
		for (; at < end && *at != '/' && file <= 8; at++) {
			const int side = *at >= 'a' && *at <= 'z';
			const char *letter = memchr(letters[side], *at, CHESS_KINDS);
			if (!letter && (*at < '1' || *at > '8'))
				return qv_fail(
					error, QV_BAD_INPUT,
					"position: rank %d: '%c' is neither a piece nor a number",
					row + 1, *at);
			if (letter && file < 8)
				chess_put(s, side, (int)(letter - letters[side]), 8 * row + file);
			file += letter ? 1 : *at - '0';
		}
		if (file != 8)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: rank %d has %s than eight squares", row + 1,
				       file > 8 ? "more" : "fewer");
		if (row && (at == end || *at != '/'))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: only %d of 8 ranks are given", 8 - row);
		at += row > 0;
	}
	if (at != end)
		return qv_fail(error, QV_BAD_INPUT, "position: more than 8 ranks are given");
	return QV_OK;
}

/* Whether this piece is on the square. */
static bool stands(const struct chess *s, int side, int kind, int square)
{
	return s->board[square] == chess_piece(side, kind);
}

/* X-FEN and Shredder-FEN: the king and the rook are on the first row, the rook on its side of it. */
static enum qv_status parse_castling_960(struct chess *s, struct field f, struct qv_error *error)
{
	for (size_t i = 0; i < f.length; i++) {
		const char c = f.at[i];
		const int side = c >= 'a' && c <= 'z', row = 56 * side, king = chess_king(s, side);
		const char *letter = memchr(rights_letters, c, 4);
		const char *file = memchr(file_letters[side], c, 8);
		if (!letter && !file)
			return qv_fail(
				error, QV_BAD_INPUT,
				"position: castling right '%c' must be one of KQkq or the file of a rook",
				c);
		const bool far = letter ? (letter - rights_letters) % 2
					: (int)(file - file_letters[side]) < chess_file(king);
		const int rook = letter ? outermost_rook(s, side, far)
					: (int)(file - file_letters[side]) + row;
		const int right = 2 * side + far;
		if (s->castling >> right & 1)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: castling right '%c' is given twice", c);
		if (chess_row(king) != 7 * side || rook < 0 || !stands(s, side, CHESS_ROOK, rook))
			return qv_fail(
				error, QV_ILLEGAL,
				"position: castling right '%c', but %s's king and rook are not on the first rank",
				c, side_name[side]);
		s->castling |= (uint8_t)(1 << right);
		s->rook[right] = (uint8_t)rook;
	}
	return QV_OK;
}

/* Rights need the king and the rook on their first squares. */
static enum qv_status parse_castling(struct chess *s, struct field f, struct qv_error *error)
{
	if (f.length == 1 && *f.at == '-')
		return QV_OK;
	if (!f.length)
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected castling rights (KQkq, or -) after the side to move");
	if (s->is_960)
		return parse_castling_960(s, f, error);
	for (size_t i = 0; i < f.length; i++) {
		const char *letter = memchr(rights_letters, f.at[i], sizeof rights_letters - 1);
		if (!letter)
			return qv_fail(
				error, QV_BAD_INPUT,
				memchr(file_letters[0], f.at[i], 8) ||
						memchr(file_letters[1], f.at[i], 8)
					? "position: castling right '%c': only Chess960 (chess:start=960) has rooks on other files"
					: "position: castling right '%c' must be one of KQkq",
				f.at[i]);
		const int right = (int)(letter - rights_letters) % 4, side = right / 2;
		if (s->castling >> right & 1)
			return qv_fail(error, QV_BAD_INPUT,
				       "position: castling right '%c' is given twice", f.at[i]);
		const int row = 56 * side, rook = right & 1 ? CHESS_A1 : CHESS_H1;
		if (!stands(s, side, CHESS_KING, CHESS_E1 + row) ||
		    !stands(s, side, CHESS_ROOK, rook + row))
			return qv_fail(
				error, QV_ILLEGAL,
				"position: castling right '%c', but %s's king and rook are not on their first squares",
				f.at[i], side_name[side]);
		s->castling |= (uint8_t)(1 << right);
	}
	return QV_OK;
}

/* The square that a pawn has just stepped over; both squares behind the pawn are empty. */
static enum qv_status parse_passant(struct chess *s, struct field f, struct qv_error *error)
{
	const int them = 1 - s->turn, row = them == CHESS_WHITE ? 2 : 5;
	if (f.length == 1 && *f.at == '-')
		return QV_OK;
	if (f.length != 2 || f.at[0] < 'a' || f.at[0] > 'h' || f.at[1] < '1' || f.at[1] > '8')
		return qv_fail(
			error, QV_BAD_INPUT,
			"position: expected an en passant square, or -, after the castling rights");
	const int square = f.at[0] - 'a' + 8 * (f.at[1] - '1');
	const int from = them == CHESS_WHITE ? square - 8 : square + 8;
	if (chess_row(square) != row || !stands(s, them, CHESS_PAWN, square ^ 8) ||
	    s->board[square] != CHESS_EMPTY || s->board[from] != CHESS_EMPTY)
		return qv_fail(error, QV_ILLEGAL,
			       "position: no pawn of %s can have just stepped over %.2s",
			       side_name[them], f.at);
	s->passant = (uint8_t)square;
	return QV_OK;
}

/* Up to four digits. */
static bool parse_count(struct field f, int most, uint16_t *out)
{
	int value = 0;
	if (!f.length || f.length > 4)
		return false;
	for (size_t i = 0; i < f.length; i++) {
		if (f.at[i] < '0' || f.at[i] > '9')
			return false;
		value = 10 * value + f.at[i] - '0';
	}
	*out = (uint16_t)value;
	return value <= most;
}

/* Halfmove clock and move number; both may be missing. */
static enum qv_status parse_counters(struct chess *s, const char *text, struct qv_error *error)
{
	const struct field quiet = next_field(&text);
	if (!quiet.length)
		return QV_OK;
	const struct field number = next_field(&text);
	if (!parse_count(quiet, CHESS_MOST_QUIET, &s->quiet))
		return qv_fail(error, QV_BAD_INPUT, "position: the halfmove clock must be 0 to %d",
			       CHESS_MOST_QUIET);
	if (!parse_count(number, CHESS_MOST_NUMBER, &s->number))
		return qv_fail(error, QV_BAD_INPUT, "position: the move number must be 1 to %d",
			       CHESS_MOST_NUMBER);
	if (!s->number)
		s->number = 1; /* some programs count from 0 */
	if (next_field(&text).length)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: unexpected text after the move number");
	return QV_OK;
}

/* ---- checking ---- */

/* These bounds keep the move list and the sums of the net within their sizes. */
static enum qv_status check_pieces(const struct chess *s, int side, struct qv_error *error)
{
	const char *const who = side_name[side];
	const int kings = bits_count(chess_of(s, side, CHESS_KING));
	const int pawns = bits_count(chess_of(s, side, CHESS_PAWN));
	const int pieces = bits_count(s->side[side]);
	if (kings != 1)
		return qv_fail(error, QV_ILLEGAL, "position: %s has %s", who,
			       kings ? "more than one king" : "no king");
	if (pawns > CHESS_MOST_PAWNS)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has %d pawns; at most %d are allowed", who, pawns,
			       CHESS_MOST_PAWNS);
	if (pieces > CHESS_MOST_PIECES)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has %d pieces; at most %d are allowed", who, pieces,
			       CHESS_MOST_PIECES);
	if (chess_of(s, side, CHESS_PAWN) & CHESS_LAST_ROWS)
		return qv_fail(error, QV_ILLEGAL,
			       "position: %s has a pawn on the first or the last rank", who);
	return QV_OK;
}

/* The side that just moved is not in check, and no more than two pieces give check. */
static enum qv_status check_checks(const struct chess *s, struct qv_error *error)
{
	const int them = 1 - s->turn, king = chess_king(s, them);
	if (chess_attackers(s, king, chess_occupied(s)) & s->side[s->turn])
		return qv_fail(error, QV_ILLEGAL,
			       "position: it is %s's turn, but %s's king is in check",
			       side_name[s->turn], side_name[them]);
	if (bits_count(chess_checkers(s)) > 2)
		return qv_fail(error, QV_ILLEGAL, "position: more than two pieces give check");
	return QV_OK;
}

/*
 * Reads the four fields that EPD has too, and with `counters` the two of FEN, which may be missing.
 * Kings are checked before anything needs their squares. *out and *text change only on success.
 */
static enum qv_status parse(struct chess *out, bool is_960, const char **text, bool counters,
			    struct qv_error *error)
{
	struct chess read, *s = &read;
	const char *at = *text;
	chess_clear(s);
	s->is_960 = is_960;
	enum qv_status status = parse_board(s, next_field(&at), error);
	if (status != QV_OK)
		return status;
	const struct field turn = next_field(&at);
	if (turn.length != 1 || (*turn.at != 'w' && *turn.at != 'b'))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected the side to move, w or b, after the board");
	s->turn = *turn.at == 'b';
	for (int side = 0; side < 2 && status == QV_OK; side++)
		status = check_pieces(s, side, error);
	if (status == QV_OK)
		status = check_checks(s, error);
	if (status == QV_OK)
		status = parse_castling(s, next_field(&at), error);
	if (status == QV_OK)
		status = parse_passant(s, next_field(&at), error);
	if (status == QV_OK && counters)
		status = parse_counters(s, at, error);
	if (status != QV_OK)
		return status;
	if (s->passant && !chess_passers(s, s->turn))
		s->passant = 0;
	finish_key(s);
	*out = read;
	*text = at;
	return QV_OK;
}

/* Whether the castling rights are the files of rooks alone, as in Shredder-FEN. */
static bool has_rook_files(const char *text)
{
	struct field f = { text, 0 };
	for (int i = 0; i < 3; i++)
		f = next_field(&text);
	return f.length && f.length <= 4 && strspn(f.at, "ABCDEFGHabcdefgh") >= f.length;
}

enum qv_status chess_position_parse_start(struct chess *s, const char *text, const char **rest,
					  struct qv_error *error)
{
	enum qv_status status = parse(s, false, &text, false, error);
	if (status != QV_OK && has_rook_files(text))
		status = parse(s, true, &text, false, error);
	if (status == QV_OK)
		*rest = text;
	return status;
}

enum qv_status chess_position_parse(struct chess *s, const int64_t *options, const char *text,
				    struct qv_error *error)
{
	return parse(s, options && options[CHESS_OPTION_START], &text, true, error);
}
