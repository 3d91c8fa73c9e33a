/*
 * rules.h - chess: the state, attacks, playing a move, results.
 * SPDX-License-Identifier: MIT
 *
 * Squares: a1 = 0, b1 = 1, ... h8 = 63 (tables.h). A piece on the board is KIND | SIDE << 3, an
 * empty square CHESS_EMPTY. A move has 16 bits:
 *
 *     15..12 11.....6 5......0
 *      flag     to      from        castling is the king's move, e1g1
 *
 * Chess960 is an option of chess: other starts, and castling from any files (castling.c). The state
 * has a flag for it, so that both share one code.
 *
 * moves.h lists and counts moves; text.c and san.c write and read them. In names, pieces include
 * pawns and kings.
 *
 * Draws: the third occurrence of a position, and a hundred plies without a capture or pawn move,
 * end the game at once, as is usual in engine matches; so does insufficient material
 * (chess_is_dead). A mate on the hundredth ply counts. Perft plays on after all of these.
 */
#ifndef CHESS_RULES_H
#define CHESS_RULES_H

#include "base/bits.h"
#include "games/chess/tables.h"
#include "quevedo.h"

#define CHESS_INLINE __attribute__((always_inline)) static inline

enum { CHESS_WHITE, CHESS_BLACK };

/* The options of the game. The number counts in Chess960 only. */
enum { CHESS_OPTION_START, CHESS_OPTION_NUMBER };
enum {
	CHESS_STARTS = 960,
	CHESS_NORMAL_START = 518, /* the number of the array of orthodox chess */
};

enum chess_kind {
	CHESS_PAWN, CHESS_KNIGHT, CHESS_BISHOP, CHESS_ROOK, CHESS_QUEEN, CHESS_KING, CHESS_KINDS,
	CHESS_EMPTY = 7,           /* an empty square of the board */
};

/* Castling rights. */
enum {
	CHESS_WHITE_SHORT = 1, CHESS_WHITE_LONG = 2,
	CHESS_BLACK_SHORT = 4, CHESS_BLACK_LONG = 8,
};

enum {
	CHESS_A1 = 0, CHESS_C1 = 2, CHESS_D1, CHESS_E1, CHESS_F1, CHESS_G1, CHESS_H1,
	CHESS_A8 = 56, CHESS_C8 = 58, CHESS_D8, CHESS_E8, CHESS_F8, CHESS_G8, CHESS_H8,
};

/*
 * The most moves that 16 pieces of a side can have. The most in a real game is 218, but a position
 * that is set up may have 15 queens. Pieces on one line reach a square of it from two ends at most:
 * on a line of n squares one piece has n - 1 moves, two or more have at most 2 * (n - 2). The best
 * that 15 queens can get from this is 91 moves each on ranks and on files and 64 on the diagonals
 * of each direction, 310 in all. A queen less costs at least 14 of these; no other piece has as
 * many moves, a pawn that promotes in three ways has 12. With the king's 8 that is 318.
 */
enum {
	CHESS_MAX_MOVES = 320,
	CHESS_MOST_PIECES = 16,    /* of a side, including pawns and king */
	CHESS_MOST_PAWNS = 8,      /* of a side */
	CHESS_FIFTY = 100,         /* plies without progress that draw */
	CHESS_MOST_QUIET = 999,    /* the counters stop here; perft plays on after a draw */
	CHESS_MOST_NUMBER = 9999,
};

struct chess {
	uint64_t kind[CHESS_KINDS];        /* pieces of both sides */
	uint64_t side[2];                  /* pieces of all kinds */
	uint64_t key;              /* of everything but the two counters */
	uint64_t pawn_key;         /* of pawns alone */
	uint8_t board[CHESS_SQUARES];
	uint16_t quiet;            /* plies since a capture or pawn move */
	uint16_t number;           /* of the move, from 1; increases after Black's */
	uint8_t turn;
	uint8_t castling;          /* rights */
	uint8_t passant;           /* the square where en passant is legal; 0: none */
	bool is_960;		   /* Chess960 */
	uint8_t rook[4];	   /* Chess960: the rook's square of each right; 0: no right */
	uint8_t spare[4];
};
_Static_assert(sizeof(struct chess) == 160, "no padding");

/* The flag of a move: its type. Those with bit 2 capture, those with bit 3 promote. */
enum chess_flag {
	CHESS_QUIET, CHESS_DOUBLE, CHESS_SHORT, CHESS_LONG,
	CHESS_TAKES, CHESS_PASSANT,
	CHESS_PROMOTES = 8,        /* plus kind - CHESS_KNIGHT, plus CHESS_TAKES */
};
enum { CHESS_TO = 6, CHESS_FLAG = 12 };        /* where the parts of a move begin */

/* Packs a move, and takes it apart. Squares are 0 to 63. */
static inline qv_move chess_move(int from, int to, int flag)
{
	return (qv_move)(unsigned)(from | to << CHESS_TO | flag << CHESS_FLAG);
}

static inline int chess_from(qv_move move)
{
	return (int)(move & 63);
}

static inline int chess_to(qv_move move)
{
	return (int)(move >> CHESS_TO & 63);
}

static inline int chess_flag(qv_move move)
{
	return (int)(move >> CHESS_FLAG);
}

static inline bool chess_takes(qv_move move)
{
	return chess_flag(move) & CHESS_TAKES;
}

static inline bool chess_promotes(qv_move move)
{
	return chess_flag(move) & CHESS_PROMOTES;
}

/* The kind that a promotion gives. */
static inline int chess_promotion(qv_move move)
{
	return (chess_flag(move) & 3) + CHESS_KNIGHT;
}

/* Either way. */
static inline bool chess_castles(qv_move move)
{
	return (chess_flag(move) & ~1) == CHESS_SHORT;
}

/* A piece as it is on the board. */
static inline int chess_piece(int side, int kind)
{
	return kind | side << 3;
}

/* CHESS_EMPTY if nothing stands there. */
static inline int chess_kind_on(const struct chess *s, int square)
{
	return s->board[square] & 7;
}

/* The occupied squares. Many functions take them, as `pieces`: these block lines. */
static inline uint64_t chess_occupied(const struct chess *s)
{
	return s->side[0] | s->side[1];
}

/* The pieces of a side and kind. */
static inline uint64_t chess_of(const struct chess *s, int side, int kind)
{
	return s->kind[kind] & s->side[side];
}

/* The square of a side's king. */
static inline int chess_king(const struct chess *s, int side)
{
	return bits_lowest(chess_of(s, side, CHESS_KING));
}

static inline int chess_seat(const struct chess *s)
{
	return s->turn;
}

/* The kind that a legal move captures, CHESS_EMPTY if none. A king may castle to its rook's square. */
static inline int chess_taken(const struct chess *s, qv_move move)
{
	if (chess_castles(move))
		return CHESS_EMPTY;
	return chess_flag(move) == CHESS_PASSANT ? CHESS_PAWN : chess_kind_on(s, chess_to(move));
}

/* The kind of the piece that a legal move moves, before promotion. */
static inline int chess_mover(const struct chess *s, qv_move move)
{
	return chess_kind_on(s, chess_from(move));
}

/* A set as a side sees it: its own first row at the bottom. */
CHESS_INLINE uint64_t chess_seen(uint64_t set, const int side)
{
	return side == CHESS_WHITE ? set : bits_flip_bytes(set);
}

/* ---- attacks ---- */

/* The squares that a piece other than a pawn attacks; `pieces` are the squares that block lines. */
static inline uint64_t chess_attacks(int kind, int square, uint64_t pieces)
{
	switch (kind) {
	case CHESS_KNIGHT:
		return chess_knight_attacks(square);
	case CHESS_BISHOP:
		return chess_bishop_attacks(square, pieces);
	case CHESS_ROOK:
		return chess_rook_attacks(square, pieces);
	case CHESS_QUEEN:
		return chess_queen_attacks(square, pieces);
	default:
		return chess_king_attacks(square);
	}
}

/* The line pieces of a side that attack the square; `pieces` block lines. */
static inline uint64_t chess_line_attackers(const struct chess *s, int square, int side,
					    uint64_t pieces)
{
	const uint64_t queens = s->kind[CHESS_QUEEN];
	return s->side[side] &
	       ((chess_bishop_attacks(square, pieces) & (s->kind[CHESS_BISHOP] | queens)) |
		(chess_rook_attacks(square, pieces) & (s->kind[CHESS_ROOK] | queens)));
}

/* The pieces of both sides that attack the square; `pieces` block lines. */
static inline uint64_t chess_attackers(const struct chess *s, int square, uint64_t pieces)
{
	const uint64_t queens = s->kind[CHESS_QUEEN];
	return (chess_pawn_attacks(CHESS_WHITE, square) & chess_of(s, CHESS_BLACK, CHESS_PAWN)) |
	       (chess_pawn_attacks(CHESS_BLACK, square) & chess_of(s, CHESS_WHITE, CHESS_PAWN)) |
	       (chess_knight_attacks(square) & s->kind[CHESS_KNIGHT]) |
	       (chess_king_attacks(square) & s->kind[CHESS_KING]) |
	       (chess_bishop_attacks(square, pieces) & (s->kind[CHESS_BISHOP] | queens)) |
	       (chess_rook_attacks(square, pieces) & (s->kind[CHESS_ROOK] | queens));
}

/* The pieces that give check to the king of the side to move. */
static inline uint64_t chess_checkers(const struct chess *s)
{
	const int king = chess_king(s, s->turn);
	return chess_attackers(s, king, chess_occupied(s)) & s->side[1 - s->turn];
}

/* Pieces of either side that alone stand between the king of `side` and an enemy line piece. */
static inline uint64_t chess_blockers(const struct chess *s, int side)
{
	const int king = chess_king(s, side);
	const uint64_t queens = s->kind[CHESS_QUEEN], pieces = chess_occupied(s);
	uint64_t blockers = 0;
	uint64_t snipers = s->side[1 - side] &
			   ((chess_tables.bishop[king].rays & (s->kind[CHESS_BISHOP] | queens)) |
			    (chess_tables.rook[king].rays & (s->kind[CHESS_ROOK] | queens)));
	for (; snipers; snipers = bits_rest(snipers)) {
		const uint64_t between = chess_between(king, bits_lowest(snipers)) & pieces;
		if (between && !bits_rest(between))
			blockers |= between;
	}
	return blockers;
}

/*
 * What a move of the side to move must do to give check. Made once for a position, for
 * chess_gives_check (moves.h).
 */
struct chess_checks {
	/* squares from which a piece of the kind attacks the king */
	uint64_t from[CHESS_KINDS];
	uint64_t blockers;         /* own pieces that open a line to it by leaving the line */
	int king;                  /* the other side's */
};

/* Prepares *c for the side to move in *s. */
static inline void chess_checks_init(struct chess_checks *c, const struct chess *s)
{
	const int them = 1 - s->turn, king = chess_king(s, them);
	const uint64_t pieces = chess_occupied(s);
	c->king = king;
	c->blockers = chess_blockers(s, them) & s->side[s->turn];
	c->from[CHESS_PAWN] = chess_pawn_attacks(them, king);
	c->from[CHESS_KNIGHT] = chess_knight_attacks(king);
	c->from[CHESS_BISHOP] = chess_bishop_attacks(king, pieces);
	c->from[CHESS_ROOK] = chess_rook_attacks(king, pieces);
	c->from[CHESS_QUEEN] = c->from[CHESS_BISHOP] | c->from[CHESS_ROOK];
	c->from[CHESS_KING] = 0;
}

/* ---- playing ---- */

/* The pawns of the side to move that may capture en passant without exposing their king. */
static inline uint64_t chess_passers(const struct chess *s, int us)
{
	const int them = 1 - us, to = s->passant, taken = to ^ 8, king = chess_king(s, us);
	uint64_t out = 0;
	if (!to)
		return 0;
	const uint64_t near = chess_knight_attacks(king) & s->kind[CHESS_KNIGHT],
		       pawns = chess_pawn_attacks(us, king) & s->kind[CHESS_PAWN];
	if ((near | (pawns & ~chess_bit(taken))) & s->side[them])
		return 0;
	uint64_t left = chess_pawn_attacks(them, to) & chess_of(s, us, CHESS_PAWN);
	for (; left; left = bits_rest(left)) {
		const uint64_t from = left & (0 - left);
		const uint64_t pieces =
			(chess_occupied(s) ^ from ^ chess_bit(taken)) | chess_bit(to);
		out |= chess_line_attackers(s, king, them, pieces) ? 0 : from;
	}
	return out;
}

/* Puts a piece on an empty square, or removes it. */
static inline void chess_toggle(struct chess *s, int side, int kind, int square)
{
	const uint64_t bit = chess_bit(square);
	s->kind[kind] ^= bit;
	s->side[side] ^= bit;
	s->key ^= chess_tables.piece_key[chess_piece(side, kind)][square];
	if (kind == CHESS_PAWN)
		s->pawn_key ^= chess_tables.piece_key[chess_piece(side, kind)][square];
}

/* The same, and updates the board. */
static inline void chess_put(struct chess *s, int side, int kind, int square)
{
	chess_toggle(s, side, kind, square);
	s->board[square] = (uint8_t)chess_piece(side, kind);
}

static inline void chess_remove(struct chess *s, int side, int kind, int square)
{
	chess_toggle(s, side, kind, square);
	s->board[square] = CHESS_EMPTY;
}

/* An empty board, White to move, no rights. The key lacks its part for the rights. */
static inline void chess_clear(struct chess *s)
{
	*s = (struct chess){ .number = 1 };
	memset(s->board, CHESS_EMPTY, sizeof s->board);
}

/* The castling rights that are lost when something leaves or reaches the square. */
static const uint8_t chess_rights_lost[CHESS_SQUARES] = {
	[CHESS_A1] = CHESS_WHITE_LONG, [CHESS_H1] = CHESS_WHITE_SHORT,
	[CHESS_A8] = CHESS_BLACK_LONG, [CHESS_H8] = CHESS_BLACK_SHORT,
	[CHESS_E1] = CHESS_WHITE_SHORT | CHESS_WHITE_LONG,
	[CHESS_E8] = CHESS_BLACK_SHORT | CHESS_BLACK_LONG,
};

/* ---- castling.c: what Chess960 has of its own ---- */

/* Writes the pieces of a start position, 0 to 959, from the a-file on: kinds. */
void chess960_array(int number, uint8_t kinds[8]);
/* chess_loses, chess_may_castle, chess_play and chess_gives_check; the latter two if it castles. */
int chess960_loses(const struct chess *s, qv_move move);
bool chess960_may_castle(const struct chess *s, bool far, uint64_t danger);
void chess960_castle(struct chess *s, qv_move move);
bool chess960_gives_check(const struct chess *s, qv_move move);
/* Whether the side to move may castle either way. */
bool chess960_can_castle(const struct chess *s);
/* Includes the squares of the rooks in the key, or removes them from it: of these rights. */
void chess960_toggle_rooks(struct chess *s, int rights);
/* Removes them from the key and the state. */
void chess960_forget_rooks(struct chess *s, int rights);

/* The square of the rook for the right with this number, 0 to 3; the side has the right. */
static inline int chess_castling_rook(const struct chess *s, int right)
{
	static const uint8_t corners[4] = { CHESS_H1, CHESS_A1, CHESS_H8, CHESS_A8 };
	return s->is_960 ? s->rook[right] : corners[right];
}

/* The number of the right that a castling move of the side to move uses. */
static inline int chess_castling_right(const struct chess *s, qv_move move)
{
	return 2 * s->turn + (chess_flag(move) == CHESS_LONG);
}

/* The remaining rights that the move loses; the same before and after it. */
static inline int chess_loses(const struct chess *s, qv_move move)
{
	if (s->is_960)
		return chess960_loses(s, move);
	return s->castling &
	       (chess_rights_lost[chess_from(move)] | chess_rights_lost[chess_to(move)]);
}

/* Removes castling rights, which the side has. */
static inline void chess_lose(struct chess *s, int lost)
{
	s->key ^= chess_tables.castling_key[s->castling] ^
		  chess_tables.castling_key[s->castling ^ lost];
	s->castling = (uint8_t)(s->castling ^ lost);
	if (s->is_960)
		chess960_forget_rooks(s, lost);
}

/* Plays a move of a known side: one copy per side without branches. */
CHESS_INLINE void chess_play_as(struct chess *s, qv_move move, const int us)
{
	const int from = chess_from(move), to = chess_to(move), flag = chess_flag(move);
	const int mover = chess_kind_on(s, from), taken = chess_kind_on(s, to);
	const int left = chess_promotes(move) ? chess_promotion(move) : mover;
	if (s->is_960 && chess_castles(move)) {
		chess960_castle(s, move);
		return;
	}
	if (s->passant) {
		s->key ^= chess_tables.passant_key[chess_file(s->passant)];
		s->passant = 0;
	}
	s->quiet = (uint16_t)(s->quiet + (s->quiet < CHESS_MOST_QUIET));
	if (taken != CHESS_EMPTY) {
		chess_toggle(s, 1 - us, taken, to);
		s->quiet = 0;
	}
	chess_remove(s, us, mover, from);
	chess_put(s, us, left, to);
	/* Rights are lost when the king or a rook moves, or a rook is captured. */
	const int lost = chess_loses(s, move);
	if (lost)
		chess_lose(s, lost);
	s->turn = (uint8_t)(1 - us);
	s->key ^= chess_tables.turn_key;
	if (us == CHESS_BLACK && s->number < CHESS_MOST_NUMBER)
		s->number++;
	if (mover == CHESS_PAWN) {
		s->quiet = 0;
		const int over = to ^ 8; /* the square stepped over, or that of the pawn taken */
		if (flag == CHESS_PASSANT)
			chess_remove(s, 1 - us, CHESS_PAWN, over);
		else if (flag == CHESS_DOUBLE &&
			 chess_pawn_attacks(us, over) & chess_of(s, 1 - us, CHESS_PAWN)) {
			/* Stored only if the other side may capture there. */
			s->passant = (uint8_t)over;
			if (chess_passers(s, 1 - us))
				s->key ^= chess_tables.passant_key[chess_file(over)];
			else
				s->passant = 0;
		}
	} else if (chess_castles(move)) {
		chess_remove(s, us, CHESS_ROOK, flag == CHESS_SHORT ? to + 1 : to - 2);
		chess_put(s, us, CHESS_ROOK, flag == CHESS_SHORT ? to - 1 : to + 1);
	}
}

/* Plays a legal move and updates the keys; the counters stop at their largest values. */
static inline void chess_play(struct chess *s, qv_move move)
{
	if (s->turn == CHESS_WHITE)
		chess_play_as(s, move, CHESS_WHITE);
	else
		chess_play_as(s, move, CHESS_BLACK);
}

/* Passes, for the null move of a search. Not a move of the game; not allowed in check. */
static inline void chess_pass(struct chess *s)
{
	if (s->passant)
		s->key ^= chess_tables.passant_key[chess_file(s->passant)];
	s->passant = 0;
	s->quiet = (uint16_t)(s->quiet + (s->quiet < CHESS_MOST_QUIET));
	s->turn ^= 1;
	s->key ^= chess_tables.turn_key;
}

/* ---- repetition ---- */

/*
 * What makes two positions the same: pieces, side to move, castling rights and a legal en passant
 * capture. Every move updates the key; a search's table may use it and check `quiet` itself.
 */
static inline uint64_t chess_repeat_hash(const struct chess *s)
{
	return s->key;
}

/* Of the whole state, counters included. */
static inline uint64_t chess_hash(const struct chess *s)
{
	return qv_mix(s->key + ((uint64_t)s->quiet << 16 | s->number));
}

/* Whether no position before the move can occur again after it. */
static inline bool chess_irreversible(const struct chess *s, qv_move move)
{
	return chess_takes(move) || chess_mover(s, move) == CHESS_PAWN || chess_loses(s, move);
}

/* The slot `repeated`: a position that has occurred `times` times before is a draw from 2 on. */
static inline enum qv_outcome chess_repeated(const struct chess *s, int times, int32_t *points)
{
	(void)s;
	points[0] = points[1] = 0;
	return times >= 2 ? QV_ENDED : QV_GOING;
}

/*
 * Whether neither side can ever mate: bare kings, one knight, or bishops all on squares of one
 * colour.
 */
static inline bool chess_is_dead(const struct chess *s)
{
	const uint64_t bishops = s->kind[CHESS_BISHOP], knights = s->kind[CHESS_KNIGHT];
	if (s->kind[CHESS_PAWN] | s->kind[CHESS_ROOK] | s->kind[CHESS_QUEEN])
		return false;
	if (knights)
		return !bishops && !bits_rest(knights);
	return !(bishops & CHESS_LIGHT) || !(bishops & ~CHESS_LIGHT);
}

#include "games/chess/moves.h"

/* Checkmate, stalemate, the fifty-move rule and dead positions; repetition is chess_repeated. */
static inline enum qv_outcome chess_result(const struct chess *s, int32_t *points)
{
	const bool stuck = !chess_can_move(s);
	if (!stuck && s->quiet < CHESS_FIFTY && !chess_is_dead(s))
		return QV_GOING;
	points[s->turn] = 0;
	points[1 - s->turn] = stuck && chess_checkers(s);
	return stuck ? QV_ENDED : QV_DRAWN_BY_COUNT;
}

/* ---- text.c: the slots of struct qv_game with these names, and more ---- */

/* In these, options NULL are the defaults: orthodox chess. */
void chess_start(struct chess *s, const int64_t *options);
/* Castling is the king's move (e1g1), in Chess960 king takes rook (e1h1). */
void chess_move_text(const struct chess *s, qv_move move, struct qv_text *out);
/* Accepts e2e4, SAN (below), and castling as O-O, 0-0 or king takes rook (e1h1). */
bool chess_move_parse(const struct chess *s, const char *text, qv_move *move);
void chess_position_text(const struct chess *s, struct qv_text *out); /* FEN or X-FEN */
/* Reads FEN, in Chess960 X-FEN; the counters may be missing. *s changes only on success. */
enum qv_status chess_position_parse(struct chess *s, const int64_t *options, const char *text,
				    struct qv_error *error);
/*
 * Reads the first four fields only, as in EPD; *rest is the text after them. If the castling rights
 * are files of rooks that orthodox chess does not have, it is a position of Chess960.
 */
enum qv_status chess_position_parse_start(struct chess *s, const char *text, const char **rest,
					  struct qv_error *error);
/* How the game ended: checkmate, stalemate, fifty moves or dead position. A static string. */
const char *chess_ending(const void *state);
/* The board for a terminal, White at the bottom; unicode: with chess symbols. */
void chess_draw(const struct chess *s, bool unicode, struct qv_text *out);

/* ---- san.c: standard algebraic notation, such as Nbd7, exd6, e8=Q+, O-O-O# ---- */

enum chess_san {
	CHESS_SAN_OK,
	CHESS_SAN_MALFORMED, /* not the notation of a chess move */
	CHESS_SAN_ILLEGAL,   /* no legal move matches */
	CHESS_SAN_AMBIGUOUS, /* several moves match */
};

/* Writes a legal move; at most 7 characters (Qa1xb2#) and the NUL. */
void chess_san_put(const void *state, qv_move move, struct qv_text *out);

/*
 * Reads a move of the position from the first `length` bytes of text. Besides standard SAN it
 * accepts: more or less detail than needed (Ng1f3, e2xd3), a missing x, + or #, a promotion without
 * =, in brackets or after a slash (e8Q, e8(Q), e8/Q), castling with zeros, long moves (e2-e4, e2e4,
 * e7e8q), a following e.p., signs such as !?, and figurines. Lower-case piece letters are read where no pawn's
 * file is meant; a b is first taken as a pawn's file.
 */
enum chess_san chess_san_parse(const struct chess *s, const char *text, size_t length,
			       qv_move *move);

/* ---- machine_1912.c: the king-and-rook automaton of Torres y Quevedo ---- */

/*
 * Sets *move to the machine's move and returns the rule that made it, 1 to 6. 0: no rule applies,
 * and *move is unchanged. literal: the rules as printed in the 1983 book, which lose the rook
 * (docs/players.md).
 */
int chess_machine_rule(const struct chess *s, bool literal, qv_move *move);

enum { CHESS_MACHINE_RULES = 6 };

/* How the machine sees a position. */
struct chess_machine_view {
	int rule;	/* the first whose condition holds */
	unsigned holds; /* a bit for each such rule: bit 1 for rule 1 */
	bool sideways;	/* its rows are the files of the board, and its files are the rows */
	qv_move move;
};

/* False: no rule applies, or its move is not legal. */
bool chess_machine_look(const struct chess *s, bool literal, struct chess_machine_view *out);
/* The condition of a rule and what it does, in a sentence; rows and files as the machine's. */
const char *chess_machine_text(int rule, bool literal);

extern const struct player_kind machine_kind;
extern const struct one_ply_program chess_machine_program;

extern const struct qv_board chess_board;      /* board.c */

#endif
