/*
 * board.c - chess on a page.
 * SPDX-License-Identifier: MIT
 *
 * Cells are the squares, by their numbers. A move is two clicks, from and to; for castling the king
 * and its target square, in Chess960 the king and the rook. The four promotions of a pawn share their clicks, so the page asks which
 * one is meant.
 */
#include "games/pictures.h"
#include "games/chess/rules.h"

enum { PIECES = 2 * CHESS_KINDS };         /* White's, then Black's, in the order of the kinds */

static const struct qv_piece pieces[PIECES + 1] = {
	PICTURE_CHESS_SET("white", CHESS_WHITE, QV_PAINT_LIGHT),
	PICTURE_CHESS_SET("black", CHESS_BLACK, QV_PAINT_DARK),
	{ .name = NULL },
};

static void layout(const int64_t *options, struct qv_layout *l)
{
	(void)options;
	qv_add_squares(l, 8, 8);
	l->turnable = true;
}

static int stand(const void *state, struct qv_standing *list)
{
	const struct chess *s = state;
	int n = 0;
	for (uint64_t left = chess_occupied(s); left; left = bits_rest(left)) {
		const int square = bits_lowest(left), piece = s->board[square];
		const int number = (piece >> 3) * CHESS_KINDS + (piece & 7);
		list[n++] = (struct qv_standing){ (int16_t)square, (int16_t)number, .count = 1 };
	}
	return n;
}

static int clicks(const void *state, qv_move move, int16_t *cells)
{
	const struct chess *s = state;
	const bool to_rook = s->is_960 && chess_castles(move);
	cells[0] = (int16_t)chess_from(move);
	cells[1] = (int16_t)(to_rook ? chess_castling_rook(s, chess_castling_right(s, move))
				     : chess_to(move));
	return 2;
}

/* A king in check is highlighted. */
static int marks(const void *state, int16_t *cells)
{
	const struct chess *s = state;
	if (!chess_checkers(s))
		return 0;
	cells[0] = (int16_t)chess_king(s, s->turn);
	return 1;
}

/*
 * Goes through the position text, so that the editor refuses what position_parse refuses. Castling
 * is allowed if king and rook stand on their squares of the start; there is no en passant square.
 */
static enum qv_status set_up(const int64_t *options, const struct qv_standing *list, int count,
			     int seat, void *state, struct qv_error *error)
{
	static const char letters[PIECES + 1] = "PNBRQKpnbrqk";
	char board[CHESS_SQUARES + 1], text[128] = "";
	struct qv_text out = { text, sizeof text, 0 };
	memset(board, '1', sizeof board);
	for (int i = 0; i < count; i++)
		board[list[i].cell] = letters[list[i].piece];
	for (int row = 7; row >= 0; row--) {
		for (int file = 0; file < 8; file++)
			qv_put_char(&out, board[8 * row + file]);
		qv_put_char(&out, row ? '/' : ' ');
	}
	qv_put(&out, seat == CHESS_WHITE ? "w " : "b ");
	const size_t before = out.length;
	struct chess start;
	chess_start(&start, options);
	for (int i = 0; i < 4; i++) {
		const int rook = chess_castling_rook(&start, i);
		if (board[chess_king(&start, i / 2)] == "Kk"[i / 2] && board[rook] == "Rr"[i / 2])
			qv_put_char(&out, (char)("Aa"[i / 2] + chess_file(rook)));
	}
	qv_put(&out, out.length == before ? "- - 0 1" : " - 0 1");
	return chess_position_parse(state, options, text, error);
}

const struct qv_board chess_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .marks = marks,
	.set_up = set_up,
};
