/*
 * syzygy.c - probes Syzygy endgame tables of chess with libfathom.
 * SPDX-License-Identifier: MIT
 *
 * libfathom keeps its tables in global variables, and only part of it allows several threads, so
 * a lock guards every call. A position is passed on as FEN, since only the library's own game
 * knows the state. The tables respect the fifty-move rule: a win that it would draw is a draw.
 */
#include "cli/syzygy.h"

#include <stdlib.h>
#include <string.h>
#include <tbprobe.h>

#include "base/threads.h"
#include "base/scan.h"

enum { WHITE, BLACK, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING, SETS };

/* A position as libfathom takes it. Squares count from a1 to h8. */
struct board {
	uint64_t set[SETS]; /* of both sides, then of all kinds */
	unsigned pieces;
	unsigned counter, passant; /* plies without progress; the square of en passant, 0: none */
	bool white, castling;
};

/* Reads the FEN that the library has written. */
static bool read_fen(const char *fen, struct board *b)
{
	static const char letters[] = "pnbrqk";
	int square = 56;
	*b = (struct board){ .pieces = 0 };
	for (; *fen && *fen != ' '; fen++) {
		const char lower = (char)(*fen | 0x20);
		const char *kind = strchr(letters, lower);
		if (*fen == '/') {
			square -= 16;
		} else if (*fen >= '1' && *fen <= '8') {
			square += *fen - '0';
		} else if (kind && square >= 0 && square < 64) {
			b->set[*fen == lower ? BLACK : WHITE] |= UINT64_C(1) << square;
			b->set[PAWN + (kind - letters)] |= UINT64_C(1) << square;
			b->pieces++;
			square++;
		} else {
			return false;
		}
	}
	char side, castling[8], passant[8];
	if (sscanf(fen, " %c %7s %7s %u", &side, castling, passant, &b->counter) != 4)
		return false;
	b->white = side == 'w';
	b->castling = castling[0] != '-';
	if (passant[0] != '-')
		b->passant = (unsigned)((passant[1] - '1') * 8 + passant[0] - 'a');
	return true;
}

static struct mutex lock;
static bool has_lock;

/* qv_prober.open */
static enum qv_status open_folder(void *ctx, const char *folder, struct qv_error *error)
{
	(void)ctx;
	/* Chess programs show an empty text option as "<empty>", and some send it back. */
	const bool none = !*folder || strcmp(folder, "<empty>") == 0;
	mutex_lock(&lock);
	const bool good = tb_init(none ? "" : folder) && (none || TB_LARGEST > 0);
	mutex_unlock(&lock);
	return good ? QV_OK
		    : qv_fail(error, QV_IO, "%.200s: there are no Syzygy tables in this folder",
			      folder);
}

/* qv_prober.probe */
static bool probe(void *ctx, const struct qv_rules *rules, const void *state,
		  struct qv_solution *out)
{
	char fen[QV_POSITION_TEXT] = "", text[8];
	struct board b;
	(void)ctx;
	if (!TB_LARGEST || strcmp(rules->game->name, "chess") != 0)
		return false;
	rules->game->position_text(state, &(struct qv_text){ fen, sizeof fen, 0 });
	if (!read_fen(fen, &b) || b.castling || b.pieces > TB_LARGEST)
		return false;
	mutex_lock(&lock);
	const unsigned found = tb_probe_root(b.set[WHITE], b.set[BLACK], b.set[KING], b.set[QUEEN],
					     b.set[ROOK], b.set[BISHOP], b.set[KNIGHT], b.set[PAWN],
					     b.counter, 0, b.passant, b.white, NULL);
	mutex_unlock(&lock);
	if (found == TB_RESULT_FAILED || found == TB_RESULT_CHECKMATE ||
	    found == TB_RESULT_STALEMATE)
		return false;
	const unsigned from = TB_GET_FROM(found), to = TB_GET_TO(found),
		       promotes = TB_GET_PROMOTES(found);
	snprintf(text, sizeof text, "%c%u%c%u%.1s", 'a' + (int)(from % 8), from / 8 + 1,
		 'a' + (int)(to % 8), to / 8 + 1, &"\0qrbn"[promotes <= 4 ? promotes : 0]);
	const unsigned wdl = TB_GET_WDL(found);
	*out = (struct qv_solution){ .value = wdl == TB_WIN    ? QV_VALUE_WIN
					      : wdl == TB_LOSS ? QV_VALUE_LOSS
							       : QV_VALUE_DRAW,
				     .in = -1,
				     .nodes = 1 };
	return qv_move_parse(rules->game, state, text, &out->move, NULL) == QV_OK;
}

const struct qv_prober *syzygy_prober(void)
{
	static const struct qv_prober prober = { .size = sizeof prober,
						 .probe = probe,
						 .open = open_folder };
	if (!has_lock)
		mutex_init(&lock);
	has_lock = true;
	return &prober;
}
