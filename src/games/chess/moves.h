/*
 * moves.h - chess: lists and counts legal moves.
 * SPDX-License-Identifier: MIT
 *
 * Part of rules.h, which includes it. Only legal moves are generated: checkers and pinned pieces
 * are found first (chess_view). Then every piece but the king must land on the `target` squares:
 * any but its own side's; in check, the checker's square and those in between. A pinned piece must
 * stay on its line. Pawns move all at once, by shifts: one pinned on the king's file may step along
 * it, and one pinned on a diagonal may capture along it. The side to move is a compile-time
 * constant throughout, so that the compiler makes one copy per side without branches.
 */
#ifndef CHESS_MOVES_H
#define CHESS_MOVES_H

/* The position as its side to move sees it. */
struct chess_view {
	uint64_t mine, theirs, pieces;
	uint64_t checkers, pinned;
	uint64_t target;           /* where pieces other than the king may land */
	int king;
};

/* Finds the checkers, the pinned pieces and the target squares. */
CHESS_INLINE void chess_look(struct chess_view *v, const struct chess *s, const int us)
{
	const int them = 1 - us;
	v->mine = s->side[us];
	v->theirs = s->side[them];
	v->pieces = v->mine | v->theirs;
	v->king = bits_lowest(s->kind[CHESS_KING] & v->mine);
	v->pinned = 0;
	v->checkers = v->theirs &
		      ((chess_knight_attacks(v->king) & s->kind[CHESS_KNIGHT]) |
		       (chess_pawn_attacks(us, v->king) & s->kind[CHESS_PAWN]));
	/* A sniper would attack the king on an empty board: nothing between, check; one, a pin. */
	const uint64_t queens = s->kind[CHESS_QUEEN];
	uint64_t snipers =
		v->theirs &
		((chess_tables.bishop[v->king].rays & (s->kind[CHESS_BISHOP] | queens)) |
		 (chess_tables.rook[v->king].rays & (s->kind[CHESS_ROOK] | queens)));
	for (; snipers; snipers = bits_rest(snipers)) {
		const uint64_t between = chess_between(v->king, bits_lowest(snipers)) & v->pieces;
		if (!between)
			v->checkers |= snipers & (0 - snipers);
		else if (!bits_rest(between))
			v->pinned |= between & v->mine;
	}
	v->target = ~v->mine;
	if (bits_rest(v->checkers))
		v->target = 0;
	else if (v->checkers)
		v->target = v->checkers | chess_between(v->king, bits_lowest(v->checkers));
}

/* Pawns move by these shifts, up the board as their side sees it. Left is the a-file. */
enum { CHESS_UP = 8, CHESS_UP_LEFT = 7, CHESS_UP_RIGHT = 9 };

CHESS_INLINE uint64_t chess_shift(uint64_t pawns, const int us, const int by)
{
	return us == CHESS_WHITE ? pawns << by : pawns >> (16 - by);
}

/* All that the pawns of a side attack. */
CHESS_INLINE uint64_t chess_pawns_attack(uint64_t pawns, const int us)
{
	return chess_shift(pawns & ~CHESS_FILE_A, us, CHESS_UP_LEFT) |
	       chess_shift(pawns & ~CHESS_FILE_H, us, CHESS_UP_RIGHT);
}

/* All squares that the side attacks; `pieces` are the squares that block lines. */
CHESS_INLINE uint64_t chess_all_attacks(const struct chess *s, const int side, uint64_t pieces)
{
	const uint64_t mine = s->side[side];
	uint64_t out = chess_pawns_attack(s->kind[CHESS_PAWN] & mine, side) |
		       chess_king_attacks(bits_lowest(s->kind[CHESS_KING] & mine));
	for (uint64_t left = s->kind[CHESS_KNIGHT] & mine; left; left = bits_rest(left))
		out |= chess_knight_attacks(bits_lowest(left));
	const uint64_t queens = s->kind[CHESS_QUEEN];
	for (uint64_t left = (s->kind[CHESS_BISHOP] | queens) & mine; left; left = bits_rest(left))
		out |= chess_bishop_attacks(bits_lowest(left), pieces);
	for (uint64_t left = (s->kind[CHESS_ROOK] | queens) & mine; left; left = bits_rest(left))
		out |= chess_rook_attacks(bits_lowest(left), pieces);
	return out;
}

/*
 * Where the king may go, apart from castling; *danger: what the enemy attacks with the king
 * removed.
 */
CHESS_INLINE uint64_t chess_king_targets(const struct chess *s, const struct chess_view *v,
					 const int us, uint64_t *danger)
{
	const uint64_t to = chess_king_attacks(v->king) & ~v->mine;
	*danger = ~UINT64_C(0);
	if (!to && !s->is_960)
		return 0;          /* nor is there room to castle */
	*danger = chess_all_attacks(s, 1 - us, v->pieces ^ chess_bit(v->king));
	return to & ~*danger;
}

/*
 * Whether the side may castle short or long: right, empty squares, and no check on the king's way.
 */
CHESS_INLINE bool chess_may_castle(const struct chess *s, const struct chess_view *v, const int us,
				   const bool far, uint64_t danger)
{
	const int right = (far ? CHESS_WHITE_LONG : CHESS_WHITE_SHORT) << 2 * us, row = 56 * us;
	const uint64_t empty = UINT64_C(0x60), way = UINT64_C(0x70);
	const uint64_t far_empty = UINT64_C(0x0e), far_way = UINT64_C(0x1c);
	if (s->is_960)
		return (s->castling & right) && chess960_may_castle(s, far, danger);
	return (s->castling & right) && !(v->pieces & (far ? far_empty : empty) << row) &&
	       !(danger & (far ? far_way : way) << row);
}

/* The pawns of the view that may step ahead, and those that may capture to each side. */
struct chess_pawns {
	uint64_t step, left, right;        /* left: towards the a-file */
};

/* Sorts the pawns by what pins leave them: steps, and captures to each side. */
CHESS_INLINE void chess_sort_pawns(struct chess_pawns *p, const struct chess *s,
				   const struct chess_view *v, const int us)
{
	const uint64_t pawns = s->kind[CHESS_PAWN] & v->mine;
	p->step = p->left = p->right = pawns & ~v->pinned;
	/* A pinned pawn moves along its line only: the king's file, or one of its diagonals. */
	const uint64_t pinned = pawns & v->pinned;
	if (pinned) {
		const uint64_t up = chess_tables.diagonal[v->king];
		const uint64_t down = chess_tables.antidiagonal[v->king];
		p->step |= pinned & CHESS_FILE_A << chess_file(v->king);
		p->left |= pinned & (us == CHESS_WHITE ? down : up);
		p->right |= pinned & (us == CHESS_WHITE ? up : down);
	}
	p->left &= ~CHESS_FILE_A;
	p->right &= ~CHESS_FILE_H;
}

/* Where pawns arrive with one step; *twice: with two. */
CHESS_INLINE uint64_t chess_steps(uint64_t pawns, uint64_t pieces, const int us, uint64_t *twice)
{
	const uint64_t third = us == CHESS_WHITE ? CHESS_ROW_1 << 16 : CHESS_ROW_1 << 40;
	const uint64_t once = chess_shift(pawns, us, CHESS_UP) & ~pieces;
	*twice = chess_shift(once & third, us, CHESS_UP) & ~pieces;
	return once;
}

#define CHESS_LAST_ROWS (CHESS_ROW_1 | CHESS_ROW_1 << 56)

/* ---- counting ---- */

/* The pawn moves; a promotion counts as four. */
CHESS_INLINE int chess_count_pawns(const struct chess *s, const struct chess_view *v, const int us)
{
	struct chess_pawns p;
	uint64_t twice;
	chess_sort_pawns(&p, s, v, us);
	const uint64_t takable = v->theirs & v->target;
	const uint64_t once = chess_steps(p.step, v->pieces, us, &twice) & v->target;
	const uint64_t left = chess_shift(p.left, us, CHESS_UP_LEFT) & takable;
	const uint64_t right = chess_shift(p.right, us, CHESS_UP_RIGHT) & takable;
	int n = bits_count(once) + bits_count(twice & v->target) + bits_count(left) +
		bits_count(right);
	if ((once | left | right) & CHESS_LAST_ROWS)
		n += 3 * (bits_count(once & CHESS_LAST_ROWS) + bits_count(left & CHESS_LAST_ROWS) +
			  bits_count(right & CHESS_LAST_ROWS));
	if (s->passant)
		n += bits_count(chess_passers(s, us));
	return n;
}

/*
 * The moves of knights, bishops, rooks and queens; a pinned knight cannot move. A queen counts as
 * a bishop and a rook, since only the number matters.
 */
CHESS_INLINE int chess_count_pieces(const struct chess *s, const struct chess_view *v)
{
	const uint64_t free = v->mine & ~v->pinned, queens = s->kind[CHESS_QUEEN];
	int n = 0;
	for (uint64_t left = s->kind[CHESS_KNIGHT] & free; left; left = bits_rest(left))
		n += bits_count(chess_knight_attacks(bits_lowest(left)) & v->target);
	for (uint64_t left = (s->kind[CHESS_BISHOP] | queens) & free; left; left = bits_rest(left))
		n += bits_count(chess_bishop_attacks(bits_lowest(left), v->pieces) & v->target);
	for (uint64_t left = (s->kind[CHESS_ROOK] | queens) & free; left; left = bits_rest(left))
		n += bits_count(chess_rook_attacks(bits_lowest(left), v->pieces) & v->target);
	for (uint64_t left = v->pinned & ~(s->kind[CHESS_PAWN] | s->kind[CHESS_KNIGHT]); left;
	     left = bits_rest(left)) {
		const int from = bits_lowest(left);
		n += bits_count(chess_attacks(chess_kind_on(s, from), from, v->pieces) & v->target &
				chess_line(v->king, from));
	}
	return n;
}

/* With no target squares, in double check, only the king may move. */
CHESS_INLINE int chess_count_as(const struct chess *s, const int us)
{
	struct chess_view v;
	uint64_t danger;
	chess_look(&v, s, us);
	const int n = bits_count(chess_king_targets(s, &v, us, &danger)) +
		      chess_may_castle(s, &v, us, false, danger) +
		      chess_may_castle(s, &v, us, true, danger);
	return v.target ? n + chess_count_pawns(s, &v, us) + chess_count_pieces(s, &v) : n;
}

/* The number of legal moves, without listing them. */
static inline int chess_count(const struct chess *s)
{
	return s->turn == CHESS_WHITE ? chess_count_as(s, CHESS_WHITE)
				      : chess_count_as(s, CHESS_BLACK);
}

/* The king comes last, since what the enemy attacks takes longest to find. */
CHESS_INLINE bool chess_can_move_as(const struct chess *s, const int us)
{
	struct chess_view v;
	uint64_t danger;
	chess_look(&v, s, us);
	if (v.target && (chess_count_pawns(s, &v, us) || chess_count_pieces(s, &v)))
		return true;
	/* In orthodox chess a side that may castle may also step aside. */
	return chess_king_targets(s, &v, us, &danger) || (s->is_960 && chess960_can_castle(s));
}

/* Whether there is a legal move. Cheaper than counting. */
static inline bool chess_can_move(const struct chess *s)
{
	return s->turn == CHESS_WHITE ? chess_can_move_as(s, CHESS_WHITE)
				      : chess_can_move_as(s, CHESS_BLACK);
}

/* ---- listing ---- */

/* Which moves to list; a search lists the loud ones first. */
enum chess_which {
	CHESS_LOUD = 1,            /* captures and promotions */
	CHESS_STILL = 2,           /* all others */
	CHESS_ALL = CHESS_LOUD | CHESS_STILL,
};

/* Adds moves from a square to each of `to`. */
CHESS_INLINE qv_move *chess_put_moves(qv_move *list, int from, uint64_t to, uint64_t theirs)
{
	for (; to; to = bits_rest(to)) {
		const int square = bits_lowest(to);
		*list++ = chess_move(from, square,
				     theirs >> square & 1 ? CHESS_TAKES : CHESS_QUIET);
	}
	return list;
}

/* Adds pawn moves from `by` squares behind where they arrive. */
CHESS_INLINE qv_move *chess_put_pawns(qv_move *list, uint64_t to, int by, int flag)
{
	for (; to; to = bits_rest(to)) {
		const int square = bits_lowest(to);
		*list++ = chess_move(square - by, square, flag);
	}
	return list;
}

/* The same with the four promotions, the queen first; takes: CHESS_TAKES or 0. */
CHESS_INLINE qv_move *chess_put_promotions(qv_move *list, uint64_t to, int by, int takes)
{
	for (; to; to = bits_rest(to)) {
		const int square = bits_lowest(to);
		for (int kind = CHESS_QUEEN; kind >= CHESS_KNIGHT; kind--)
			*list++ = chess_move(square - by, square,
					     CHESS_PROMOTES + kind - CHESS_KNIGHT + takes);
	}
	return list;
}

/* Lists the pawn moves of the wanted type (`which`), promotions and en passant included. */
CHESS_INLINE qv_move *chess_list_pawns(qv_move *list, const struct chess *s,
				       const struct chess_view *v, const int us,
				       const enum chess_which which)
{
	struct chess_pawns p;
	uint64_t twice;
	const int up = us == CHESS_WHITE ? 8 : -8;
	chess_sort_pawns(&p, s, v, us);
	const uint64_t once = chess_steps(p.step, v->pieces, us, &twice) & v->target;
	if (which & CHESS_LOUD) {
		const uint64_t takable = v->theirs & v->target;
		const uint64_t left = chess_shift(p.left, us, CHESS_UP_LEFT) & takable;
		const uint64_t right = chess_shift(p.right, us, CHESS_UP_RIGHT) & takable;
		if ((once | left | right) & CHESS_LAST_ROWS) {
			list = chess_put_promotions(list, left & CHESS_LAST_ROWS, up - 1,
						    CHESS_TAKES);
			list = chess_put_promotions(list, right & CHESS_LAST_ROWS, up + 1,
						    CHESS_TAKES);
			list = chess_put_promotions(list, once & CHESS_LAST_ROWS, up, 0);
		}
		list = chess_put_pawns(list, left & ~CHESS_LAST_ROWS, up - 1, CHESS_TAKES);
		list = chess_put_pawns(list, right & ~CHESS_LAST_ROWS, up + 1, CHESS_TAKES);
		if (s->passant)
			for (uint64_t by = chess_passers(s, us); by; by = bits_rest(by))
				*list++ = chess_move(bits_lowest(by), s->passant, CHESS_PASSANT);
	}
	if (which & CHESS_STILL) {
		list = chess_put_pawns(list, once & ~CHESS_LAST_ROWS, up, CHESS_QUIET);
		list = chess_put_pawns(list, twice & v->target, 2 * up, CHESS_DOUBLE);
	}
	return list;
}

/* Lists the moves of the pieces of one kind. */
CHESS_INLINE qv_move *chess_list_kind(qv_move *list, const struct chess_view *v, const int kind,
				      uint64_t set, uint64_t target)
{
	for (; set; set = bits_rest(set)) {
		const int from = bits_lowest(set);
		const uint64_t to = chess_attacks(kind, from, v->pieces);
		list = chess_put_moves(list, from, to & target, v->theirs);
	}
	return list;
}

/* Lists the moves of knights, bishops, rooks and queens. */
CHESS_INLINE qv_move *chess_list_pieces(qv_move *list, const struct chess *s,
					const struct chess_view *v, uint64_t target)
{
	const uint64_t pieces = v->mine & ~(s->kind[CHESS_PAWN] | s->kind[CHESS_KING]);
	const uint64_t free = pieces & ~v->pinned;
	list = chess_list_kind(list, v, CHESS_KNIGHT, s->kind[CHESS_KNIGHT] & free, target);
	list = chess_list_kind(list, v, CHESS_BISHOP, s->kind[CHESS_BISHOP] & free, target);
	list = chess_list_kind(list, v, CHESS_ROOK, s->kind[CHESS_ROOK] & free, target);
	list = chess_list_kind(list, v, CHESS_QUEEN, s->kind[CHESS_QUEEN] & free, target);
	for (uint64_t left = pieces & v->pinned & ~s->kind[CHESS_KNIGHT]; left;
	     left = bits_rest(left)) {
		const int from = bits_lowest(left);
		const uint64_t to = chess_attacks(chess_kind_on(s, from), from, v->pieces);
		list = chess_put_moves(list, from, to & target & chess_line(v->king, from),
				       v->theirs);
	}
	return list;
}

/* Lists all moves of the wanted type for a known side to move; returns how many. */
CHESS_INLINE int chess_list_as(const struct chess *s, qv_move *list, const int us,
			       const enum chess_which which)
{
	struct chess_view v;
	uint64_t danger;
	qv_move *end = list;
	chess_look(&v, s, us);
	const uint64_t loud = which & CHESS_LOUD ? v.theirs : 0;
	const uint64_t wanted = which & CHESS_STILL ? ~v.theirs | loud : loud;
	if (v.target) {
		end = chess_list_pawns(end, s, &v, us, which);
		end = chess_list_pieces(end, s, &v, v.target & wanted);
	}
	/* Without a piece next to it, the king has no capture: skip the search for attacks. */
	if (which == CHESS_LOUD && !(chess_king_attacks(v.king) & v.theirs))
		return (int)(end - list);
	const uint64_t to = chess_king_targets(s, &v, us, &danger);
	end = chess_put_moves(end, v.king, to & wanted, v.theirs);
	if (which & CHESS_STILL) {
		if (chess_may_castle(s, &v, us, false, danger))
			*end++ = chess_move(v.king, CHESS_G1 + 56 * us, CHESS_SHORT);
		if (chess_may_castle(s, &v, us, true, danger))
			*end++ = chess_move(v.king, CHESS_C1 + 56 * us, CHESS_LONG);
	}
	return (int)(end - list);
}

/* Fills the list (CHESS_MAX_MOVES of room) with the legal moves; returns how many. */
static inline int chess_moves(const struct chess *s, qv_move *list)
{
	return s->turn == CHESS_WHITE ? chess_list_as(s, list, CHESS_WHITE, CHESS_ALL)
				      : chess_list_as(s, list, CHESS_BLACK, CHESS_ALL);
}

/* Captures and promotions only. */
static inline int chess_captures(const struct chess *s, qv_move *list)
{
	return s->turn == CHESS_WHITE ? chess_list_as(s, list, CHESS_WHITE, CHESS_LOUD)
				      : chess_list_as(s, list, CHESS_BLACK, CHESS_LOUD);
}

/* All other moves. */
static inline int chess_quiets(const struct chess *s, qv_move *list)
{
	return s->turn == CHESS_WHITE ? chess_list_as(s, list, CHESS_WHITE, CHESS_STILL)
				      : chess_list_as(s, list, CHESS_BLACK, CHESS_STILL);
}

/* ---- single moves ---- */

/* Whether a legal move gives check; `c` belongs to the same position. */
static inline bool chess_gives_check(const struct chess *s, const struct chess_checks *c,
				     qv_move move)
{
	const int from = chess_from(move), to = chess_to(move);
	const int mover = chess_kind_on(s, from);
	if (s->is_960 && chess_castles(move))
		return chess960_gives_check(s, move);
	/* A direct check, then one that the piece uncovers by leaving a line. */
	if (c->from[mover] >> to & 1 && !chess_promotes(move))
		return true;
	if (c->blockers >> from & 1 && !(chess_line(c->king, from) >> to & 1))
		return true;
	if (chess_promotes(move))
		return chess_attacks(chess_promotion(move), to,
				     chess_occupied(s) ^ chess_bit(from)) >>
			       c->king &
		       1;
	if (chess_flag(move) == CHESS_PASSANT) {
		const uint64_t pieces =
			(chess_occupied(s) ^ chess_bit(from) ^ chess_bit(to ^ 8)) | chess_bit(to);
		return chess_line_attackers(s, c->king, s->turn, pieces);
	}
	const int beside = chess_flag(move) == CHESS_SHORT ? to - 1 : to + 1; /* the rook */
	return chess_castles(move) &&
	       chess_rook_attacks(beside, chess_occupied(s) ^ chess_bit(from)) >> c->king & 1;
}

/*
 * Whether any 16 bits are a legal move here, for moves from tables and killers. Costs little more
 * than finding checkers and pins.
 */
bool chess_is_legal(const struct chess *s, qv_move move);      /* legal.c */

#endif
