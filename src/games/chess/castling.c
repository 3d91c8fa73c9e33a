/*
 * castling.c - castling in Chess960, and its start positions.
 * SPDX-License-Identifier: MIT
 *
 * The king ends on the c- or g-file and the rook beside it, as in orthodox chess, wherever they
 * began. All squares that either of them crosses or reaches must be empty, except for the two of
 * them. Neither need move: the king may castle to its own square, or to that of its rook.
 *
 * Orthodox chess has its own castling, with constants (moves.h, rules.h), because it is faster.
 */
#include "games/chess/rules.h"

/* ---- start positions ---- */

/* Puts a kind on the nth square that is still empty. */
static void fill(uint8_t kinds[8], int n, int kind)
{
	int file = 0;
	while (kinds[file] != CHESS_EMPTY || n--)
		file++;
	kinds[file] = (uint8_t)kind;
}

/* The numbers are Reinhard Scharnagl's, which everybody uses. */
void chess960_array(int number, uint8_t kinds[8])
{
	/* Which two of five empty squares the knights get; the second, after the first is gone. */
	static const uint8_t knights[10][2] = { { 0, 0 }, { 0, 1 }, { 0, 2 }, { 0, 3 }, { 1, 1 },
						{ 1, 2 }, { 1, 3 }, { 2, 2 }, { 2, 3 }, { 3, 3 } };
	memset(kinds, CHESS_EMPTY, 8);
	kinds[2 * (number % 4) + 1] = CHESS_BISHOP;
	kinds[2 * (number / 4 % 4)] = CHESS_BISHOP;
	fill(kinds, number / 16 % 6, CHESS_QUEEN);
	for (int i = 0; i < 2; i++)
		fill(kinds, knights[number / 96][i], CHESS_KNIGHT);
	fill(kinds, 0, CHESS_ROOK);
	fill(kinds, 0, CHESS_KING);
	fill(kinds, 0, CHESS_ROOK);
}

/* ---- rights ---- */

int chess960_loses(const struct chess *s, qv_move move)
{
	const uint64_t touched = chess_bit(chess_from(move)) | chess_bit(chess_to(move));
	int lost = 0;
	for (int right = 0; right < 4; right++)
		if (touched & (chess_bit(s->rook[right]) | chess_of(s, right / 2, CHESS_KING)))
			lost |= 1 << right;
	return lost & s->castling;
}

/* No piece has these two numbers, but they have random numbers, too. */
void chess960_toggle_rooks(struct chess *s, int rights)
{
	for (int right = 0; right < 4; right++) {
		const int unused = chess_piece(right / 2, CHESS_KINDS + right % 2);
		if (rights >> right & 1)
			s->key ^= chess_tables.piece_key[unused][s->rook[right]];
	}
}

void chess960_forget_rooks(struct chess *s, int rights)
{
	chess960_toggle_rooks(s, rights);
	for (int right = 0; right < 4; right++)
		s->rook[right] = rights >> right & 1 ? 0 : s->rook[right];
}

/* ---- castling ---- */

/* The squares from one to the other, with both ends; they are on one row. */
static uint64_t row_from(int a, int b)
{
	return chess_between(a, b) | chess_bit(a) | chess_bit(b);
}

/* The last test is for a line that the rook opens by leaving: rook b1, enemy rook a1, king to c1. */
bool chess960_may_castle(const struct chess *s, bool far, uint64_t danger)
{
	const int us = s->turn, king = chess_king(s, us), rook = s->rook[2 * us + far];
	const int to = (far ? CHESS_C1 : CHESS_G1) + 56 * us, beside = far ? to + 1 : to - 1;
	const uint64_t others = chess_occupied(s) & ~(chess_bit(king) | chess_bit(rook));
	const uint64_t way = row_from(king, to);
	return !(others & (way | row_from(rook, beside))) && !(danger & way) &&
	       !chess_line_attackers(s, to, 1 - us, others | chess_bit(beside));
}

bool chess960_can_castle(const struct chess *s)
{
	const int us = s->turn, rights = s->castling >> 2 * us;
	const uint64_t pieces = chess_occupied(s) ^ chess_of(s, us, CHESS_KING);
	const uint64_t danger = chess_all_attacks(s, 1 - us, pieces);
	return (rights & 1 && chess960_may_castle(s, false, danger)) ||
	       (rights & 2 && chess960_may_castle(s, true, danger));
}

void chess960_castle(struct chess *s, qv_move move)
{
	const int us = s->turn, to = chess_to(move), rook = s->rook[chess_castling_right(s, move)];
	if (s->passant) {
		s->key ^= chess_tables.passant_key[chess_file(s->passant)];
		s->passant = 0;
	}
	s->quiet = (uint16_t)(s->quiet + (s->quiet < CHESS_MOST_QUIET));
	/* Both leave before either arrives. */
	chess_remove(s, us, CHESS_KING, chess_from(move));
	chess_remove(s, us, CHESS_ROOK, rook);
	chess_put(s, us, CHESS_KING, to);
	chess_put(s, us, CHESS_ROOK, chess_flag(move) == CHESS_SHORT ? to - 1 : to + 1);
	chess_lose(s, s->castling & 3 << 2 * us);
	s->turn = (uint8_t)(1 - us);
	s->key ^= chess_tables.turn_key;
	if (us == CHESS_BLACK && s->number < CHESS_MOST_NUMBER)
		s->number++;
}

bool chess960_gives_check(const struct chess *s, qv_move move)
{
	struct chess after = *s;
	chess960_castle(&after, move);
	return chess_checkers(&after);
}
