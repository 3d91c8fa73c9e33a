/*
 * polyglot.h - the Polyglot format of opening books for chess: files .bin.
 * SPDX-License-Identifier: MIT
 *
 * A file is a list of entries of 16 bytes, big-endian, sorted by key:
 *
 *     key 8, move 2, weight 2, learn 4        several entries may have one key
 *     move: 14..12 promotion, 11..9 from row, 8..6 from file, 5..3 to row, 2..0 to file
 *
 * Castling is written as the king's move to its rook, e1h1; promotions are 1 knight to 4 queen. The
 * key is a hash of the position, from which the position cannot be recovered.
 */
#ifndef FORMATS_POLYGLOT_H
#define FORMATS_POLYGLOT_H

#include "base/text.h"
#include "games/chess/rules.h"

enum { POLYGLOT_ENTRY = 16 }; /* bytes */

/*
 * The key of a position. The format includes the en passant file if an enemy pawn stands beside the
 * pawn; ours includes it only if the capture is legal, because the state holds no more.
 */
uint64_t polyglot_key(const struct chess *s);

/* A legal move of the position in the format's encoding. */
uint16_t polyglot_move(const struct chess *s, qv_move move);
/* The legal move with that encoding; false: no such move. */
bool polyglot_find_move(const struct chess *s, uint16_t move, qv_move *out);

/* One move of a book in native byte order. A move with a larger weight is played more often. */
struct polyglot_entry {
	uint64_t key;
	uint16_t move, weight;
	uint32_t learn; /* used by other programs; copied, not interpreted */
};

/* The i-th entry of a file's bytes. */
struct polyglot_entry polyglot_get(const char *data, uint32_t i);
/* Appends an entry's bytes. */
void polyglot_put(struct string *out, const struct polyglot_entry *e);

/* Whether a name ends with .bin. */
bool polyglot_is_name(const char *path);

#endif
