/*
 * polyglot.c - the keys, moves and entries of the Polyglot book format.
 * SPDX-License-Identifier: MIT
 *
 * A key is a Zobrist hash: the exclusive or of one random number for each feature of the position.
 * Other programs use the same numbers, so they must never change. They are embedded from
 * polyglot_keys.bin: 781 numbers of 8 bytes, big-endian as in a book, so that the file is the same
 * for all processors. 768 are for pieces on squares, 4 for castling rights, 8 for the files of en
 * passant captures and 1 for the side to move.
 */
#include "formats/polyglot.h"

#include "base/bits.h"
#include "base/embed.h"

/* Where the parts of the random numbers begin. */
enum { CASTLING = 768, PASSANT = 772, TURN = 780, KEYS = 781 };

EMBEDDED(unsigned char polyglot_keys[8 * KEYS]);

/* All numbers of the format are big-endian, whatever the processor is. */
static uint64_t big_endian(const unsigned char *bytes, int count)
{
	uint64_t value = 0;
	for (int i = 0; i < count; i++)
		value = value << 8 | bytes[i];
	return value;
}

/* ---- Keys ---- */

static uint64_t random_number(int i)
{
	return big_endian(polyglot_keys + 8 * i, 8);
}

uint64_t polyglot_key(const struct chess *s)
{
	uint64_t key = s->turn == CHESS_WHITE ? random_number(TURN) : 0;
	for (uint64_t men = chess_occupied(s); men; men = bits_rest(men)) {
		const int square = bits_lowest(men), man = s->board[square];
		/* Black pawn 0, white pawn 1, black knight 2, and so on. */
		const int kind = 2 * (man & 7) + (man >> 3 == CHESS_WHITE);
		key ^= random_number(64 * kind + square);
	}
	for (int right = 0; right < 4; right++)
		if (s->castling >> right & 1)
			key ^= random_number(CASTLING + right);
	return s->passant ? key ^ random_number(PASSANT + chess_file(s->passant)) : key;
}

_Static_assert(CHESS_WHITE_SHORT == 1 && CHESS_WHITE_LONG == 2 && CHESS_BLACK_SHORT == 4 &&
		       CHESS_BLACK_LONG == 8,
	       "the format's order of rights");
_Static_assert(CHESS_PAWN == 0 && CHESS_KNIGHT == 1 && CHESS_KING == 5,
	       "the format's order of men");

/* ---- Moves ---- */

uint16_t polyglot_move(const struct chess *s, qv_move move)
{
	const int from = chess_from(move);
	int to = chess_to(move);
	if (chess_castles(move))
		to = chess_castling_rook(s, chess_castling_right(s, move));
	const int promotion = chess_promotes(move) ? chess_promotion(move) : 0;
	return (uint16_t)(promotion << 12 | from << 6 | to);
}

/* Move 0 is used by other programs for "no move"; it would be a1a1. */
bool polyglot_find_move(const struct chess *s, uint16_t move, qv_move *out)
{
	qv_move list[CHESS_MAX_MOVES];
	const int n = move ? chess_moves(s, list) : 0;
	for (int i = 0; i < n; i++)
		if (polyglot_move(s, list[i]) == move) {
			*out = list[i];
			return true;
		}
	return false;
}

/* ---- Entries ---- */

struct polyglot_entry polyglot_get(const char *data, uint32_t i)
{
	const unsigned char *e = (const unsigned char *)data + (size_t)i * POLYGLOT_ENTRY;
	return (struct polyglot_entry){ big_endian(e, 8), (uint16_t)big_endian(e + 8, 2),
					 (uint16_t)big_endian(e + 10, 2),
					 (uint32_t)big_endian(e + 12, 4) };
}

static void put_big_endian(struct string *out, uint64_t value, int count)
{
	char bytes[8];
	for (int i = count; i--; value >>= 8)
		bytes[i] = (char)(value & 0xff);
	string_add(out, bytes, (size_t)count);
}

void polyglot_put(struct string *out, const struct polyglot_entry *e)
{
	put_big_endian(out, e->key, 8);
	put_big_endian(out, e->move, 2);
	put_big_endian(out, e->weight, 2);
	put_big_endian(out, e->learn, 4);
}

bool polyglot_is_name(const char *path)
{
	const size_t length = strlen(path);
	return length > 4 && text_same(path + length - 4, ".bin");
}
