/*
 * chess.c - chess, straight from the FIDE laws.
 * SPDX-License-Identifier: MIT
 *
 *  3.1  No man moves to a square with a man of its own side. A man of the other side that stands
 *       there is taken.
 *  3.2  The bishop moves along diagonals, 3.3 the rook along files and ranks, 3.4 the queen along
 *       both; 3.5 none of them over a man.
 *  3.6  The knight moves to the nearest squares not on the same rank, file or diagonal.
 *  3.7  The pawn moves to the empty square before it; from its first place also two squares, if
 *       both are empty; it takes diagonally before it. A pawn that has just moved two squares may
 *       be taken by a pawn as though it had moved one. A pawn that reaches the last rank becomes a
 *       queen, rook, bishop or knight.
 *  3.8  The king moves to any neighbour square; or it castles: two squares towards a rook, which
 *       goes to the square that the king has crossed. Neither has moved, nothing stands between
 *       them, and the king's square, the one it crosses and the one it reaches are not attacked.
 *  3.9  No man moves so that its own king is attacked then.
 *  5.1  Whose king is attacked and who has no legal move has lost. 5.2.1 Who has none and whose
 *       king is not attacked has drawn. 5.2.2 So has everybody where no mate can come about: here,
 *       by the men that are left. 9.3 Fifty moves of each side without a pawn's move or a capture.
 *
 * Position: FEN, where a square to take on in passing is named only if that is legal.
 *
 * Chess960, from guideline II of the same laws: before castling, all squares between the king's
 * first square and its last (the last included), and all between the rook's (likewise), are empty
 * except for the two of them. King and rook end as in chess, with none, one or both of them moved.
 * Neither has moved before, and no square from the king's first to its last is attacked. Castling
 * is written as the king's move to its rook's square, and the position is an X-FEN.
 */
#include "twins/twin.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct board {
	char at[8][8]; /* [rank][file], as in FEN; '.' is empty */
	char side;     /* w or b */
	char rights[8];
	int passed_rank, passed_file; /* the square that a pawn has stepped over, or -1 */
	int quiet, number;
	bool is_960;
	bool may_castle[2][8]; /* Chess960: [white, black][file of the rook] */
};

struct step {
	int rank, file, to_rank, to_file;
	char promotion; /* q r b n, or 0 */
};

static int king_file(const struct board *b, int black)
{
	for (int file = 0; file < 8; file++)
		if (b->at[7 * black][file] == (black ? 'k' : 'K'))
			return file;
	return -1;
}

/* The farthest rook of the side on its first rank, to the right or the left of its king. */
static int outer_rook(const struct board *b, int black, bool right)
{
	int found = -1;
	for (int file = king_file(b, black); file >= 0 && file < 8; file += right ? 1 : -1)
		if (b->at[7 * black][file] == (black ? 'r' : 'R'))
			found = file;
	return found;
}

static void read_rights_960(struct board *b)
{
	for (const char *c = b->rights; *c && *c != '-'; c++) {
		const int black = islower((unsigned char)*c) != 0;
		const int letter = tolower((unsigned char)*c);
		const bool outer = letter == 'k' || letter == 'q';
		b->may_castle[black][outer ? outer_rook(b, black, letter == 'k') : letter - 'a'] =
			true;
	}
}

static void read_board(struct board *b, const char *position, bool is_960)
{
	char men[100] = "", square[4] = "";
	int rank = 7, file = 0;
	memset(b, 0, sizeof *b);
	memset(b->at, '.', sizeof b->at);
	sscanf(position, "%99s %c %7s %3s %d %d", men, &b->side, b->rights, square, &b->quiet,
	       &b->number);
	for (const char *c = men; *c; c++) {
		if (*c == '/') {
			rank--;
			file = 0;
		} else if (isdigit((unsigned char)*c)) {
			file += *c - '0';
		} else {
			b->at[rank][file++] = *c;
		}
	}
	b->passed_file = *square == '-' ? -1 : square[0] - 'a';
	b->passed_rank = *square == '-' ? -1 : square[1] - '1';
	b->is_960 = is_960;
	if (is_960)
		read_rights_960(b);
}

static bool is_white(char man)
{
	return man >= 'A' && man <= 'Z';
}

static bool belongs(char man, char side)
{
	return man != '.' && is_white(man) == (side == 'w');
}

static char other(char side)
{
	return side == 'w' ? 'b' : 'w';
}

static int sign(int n)
{
	return (n > 0) - (n < 0);
}

/* Rule 3.5. */
static bool way_is_free(const struct board *b, const struct step *s)
{
	const int up = sign(s->to_rank - s->rank), right = sign(s->to_file - s->file);
	int rank = s->rank + up, file = s->file + right;
	for (; rank != s->to_rank || file != s->to_file; rank += up, file += right)
		if (b->at[rank][file] != '.')
			return false;
	return true;
}

/* Whether the piece on the first square attacks the second. */
static bool attacks(const struct board *b, const struct step *s)
{
	const char man = b->at[s->rank][s->file];
	const int up = s->to_rank - s->rank, right = s->to_file - s->file;
	const bool straight = (up == 0) != (right == 0), diagonal = up && abs(up) == abs(right);
	switch (tolower((unsigned char)man)) {
	case 'p':
		return up == (is_white(man) ? 1 : -1) && abs(right) == 1;
	case 'n':
		return abs(up) + abs(right) == 3 && up && right;
	case 'b':
		return diagonal && way_is_free(b, s);
	case 'r':
		return straight && way_is_free(b, s);
	case 'q':
		return (straight || diagonal) && way_is_free(b, s);
	case 'k':
		return (up || right) && abs(up) <= 1 && abs(right) <= 1;
	default:
		return false;
	}
}

static bool is_attacked(const struct board *b, int rank, int file, char by)
{
	for (int r = 0; r < 8; r++)
		for (int f = 0; f < 8; f++) {
			const struct step s = { r, f, rank, file, 0 };
			if (belongs(b->at[r][f], by) && attacks(b, &s))
				return true;
		}
	return false;
}

static bool king_is_attacked(const struct board *b, char side)
{
	for (int r = 0; r < 8; r++)
		for (int f = 0; f < 8; f++)
			if (b->at[r][f] == (side == 'w' ? 'K' : 'k'))
				return is_attacked(b, r, f, other(side));
	return false;
}

static bool pawn_goes(const struct board *b, const struct step *s)
{
	const bool white = b->side == 'w';
	const int up = white ? 1 : -1, far = s->to_rank - s->rank;
	const char there = b->at[s->to_rank][s->to_file];
	if ((s->to_rank == (white ? 7 : 0)) != (s->promotion != 0))
		return false;
	if (attacks(b, s))
		return belongs(there, other(b->side)) ||
		       (s->to_rank == b->passed_rank && s->to_file == b->passed_file);
	if (s->to_file != s->file || there != '.')
		return false;
	return far == up ||
	       (far == 2 * up && s->rank == (white ? 1 : 6) && b->at[s->rank + up][s->file] == '.');
}

static bool castles(const struct board *b, const struct step *s)
{
	const bool white = b->side == 'w', right = s->to_file > s->file;
	const int home = white ? 0 : 7, toward = right ? 1 : -1;
	const char wanted = right ? (white ? 'K' : 'k') : (white ? 'Q' : 'q');
	if (!strchr(b->rights, wanted) || s->rank != home || s->file != 4 || s->to_rank != home ||
	    s->to_file != 4 + 2 * toward)
		return false;
	for (int file = 4 + toward; file != (right ? 7 : 0); file += toward)
		if (b->at[home][file] != '.')
			return false;
	for (int k = 0; k <= 2; k++)
		if (is_attacked(b, home, 4 + k * toward, other(b->side)))
			return false;
	return true;
}

/* ---- Chess960 ---- */

/* The order is K, Q, k, q, whatever their letters are. */
static void write_rights_960(struct board *b)
{
	int n = 0;
	for (int black = 0; black < 2; black++)
		for (int right = 1; right >= 0; right--)
			for (int file = 0; file < 8; file++) {
				const bool there = right == (file > king_file(b, black));
				if (!b->may_castle[black][file] || !there)
					continue;
				const int letter = file != outer_rook(b, black, right) ? 'a' + file
						   : right			       ? 'k'
										       : 'q';
				b->rights[n++] = (char)(black ? letter : toupper(letter));
			}
	b->rights[n] = '\0';
}

/* Whether the squares between two files, both included, hold nothing but the two. */
static bool is_empty_960(const struct board *b, int rank, int from, int to, const struct step *s)
{
	for (int file = from < to ? from : to; file <= (from < to ? to : from); file++)
		if (b->at[rank][file] != '.' && file != s->file && file != s->to_file)
			return false;
	return true;
}

static bool castles_960(const struct board *b, const struct step *s)
{
	const int black = b->side == 'b', home = 7 * black;
	const bool right = s->to_file > s->file;
	const int king = right ? 6 : 2, rook = right ? 5 : 3;
	if (s->rank != home || s->to_rank != home || !b->may_castle[black][s->to_file] ||
	    !is_empty_960(b, home, s->file, king, s) || !is_empty_960(b, home, s->to_file, rook, s))
		return false;
	for (int file = s->file < king ? s->file : king; file <= (s->file < king ? king : s->file);
	     file++)
		if (is_attacked(b, home, file, other(b->side)))
			return false;
	return true;
}

static void lose_rights_960(struct board *b, char mover)
{
	for (int black = 0; black < 2; black++)
		for (int file = 0; file < 8; file++)
			if (b->at[7 * black][file] != (black ? 'r' : 'R') ||
			    mover == (black ? 'k' : 'K'))
				b->may_castle[black][file] = false;
}

/* Rules 3.1 to 3.8, and castling in Chess960. */
static bool goes(const struct board *b, const struct step *s)
{
	const char man = b->at[s->rank][s->file];
	const char there = b->at[s->to_rank][s->to_file];
	if (b->is_960 && man == (b->side == 'w' ? 'K' : 'k') &&
	    there == (b->side == 'w' ? 'R' : 'r') && !s->promotion)
		return castles_960(b, s);
	if (!belongs(man, b->side) || belongs(there, b->side))
		return false;
	if (man == 'P' || man == 'p')
		return pawn_goes(b, s);
	if (s->promotion)
		return false;
	return attacks(b, s) || (!b->is_960 && (man == 'K' || man == 'k') && castles(b, s));
}

/* ---- Making moves ---- */

static void lose_right(struct board *b, char right)
{
	char *at = strchr(b->rights, right);
	if (at)
		memmove(at, at + 1, strlen(at));
}

/* A rook or king that has left its first square, or was captured there, cannot castle any more. */
static void lose_rights(struct board *b)
{
	if (b->at[0][4] != 'K' || b->at[0][7] != 'R')
		lose_right(b, 'K');
	if (b->at[0][4] != 'K' || b->at[0][0] != 'R')
		lose_right(b, 'Q');
	if (b->at[7][4] != 'k' || b->at[7][7] != 'r')
		lose_right(b, 'k');
	if (b->at[7][4] != 'k' || b->at[7][0] != 'r')
		lose_right(b, 'q');
}

static void make(struct board *b, const struct step *s)
{
	const char man = b->at[s->rank][s->file], kind = (char)tolower((unsigned char)man);
	bool taken = b->at[s->to_rank][s->to_file] != '.';
	const bool own = belongs(b->at[s->to_rank][s->to_file], b->side); /* castling in Chess960 */
	b->at[s->rank][s->file] = '.';
	b->at[s->to_rank][s->to_file] = man;
	if (s->promotion)
		b->at[s->to_rank][s->to_file] =
			b->side == 'w' ? (char)toupper((unsigned char)s->promotion) : s->promotion;
	if (kind == 'p' && s->file != s->to_file && !taken) {
		b->at[s->rank][s->to_file] = '.'; /* in passing */
		taken = true;
	}
	if (own) {
		const bool right = s->to_file > s->file;
		b->at[s->to_rank][s->to_file] = '.';
		b->at[s->rank][right ? 6 : 2] = man;
		b->at[s->rank][right ? 5 : 3] = b->side == 'w' ? 'R' : 'r';
		taken = false;
	} else if (!b->is_960 && kind == 'k' && abs(s->to_file - s->file) == 2) {
		const int corner = s->to_file > s->file ? 7 : 0;
		b->at[s->rank][(s->file + s->to_file) / 2] = b->at[s->rank][corner];
		b->at[s->rank][corner] = '.';
	}
	const bool twice = kind == 'p' && abs(s->to_rank - s->rank) == 2;
	b->passed_rank = twice ? (s->rank + s->to_rank) / 2 : -1;
	b->passed_file = twice ? s->file : -1;
	b->quiet = taken || kind == 'p' ? 0 : b->quiet + 1;
	b->number += b->side == 'b';
	b->side = other(b->side);
	if (b->is_960)
		lose_rights_960(b, man);
	else
		lose_rights(b);
}

static bool is_legal(const struct board *b, const struct step *s)
{
	if (!goes(b, s))
		return false;
	struct board after = *b;
	make(&after, s);
	return !king_is_attacked(&after, b->side); /* rule 3.9 */
}

/* Calls `each` for all legal moves until it returns true; returns whether it did. */
static bool any_legal(const struct board *b, bool (*each)(void *ctx, const struct step *s),
		      void *ctx)
{
	static const char promotions[] = { 0, 'q', 'r', 'b', 'n' };
	for (int from = 0; from < 64; from++) {
		if (!belongs(b->at[from / 8][from % 8], b->side))
			continue;
		for (int to = 0; to < 64; to++)
			for (int i = 0; i < 5; i++) {
				const struct step s = { from / 8, from % 8, to / 8, to % 8,
							promotions[i] };
				if (is_legal(b, &s) && each(ctx, &s))
					return true;
			}
	}
	return false;
}

static void write_board(struct board *b, char *position, size_t size)
{
	size_t n = 0;
	bool passing = false;
	char square[3] = "-";
	for (int rank = 7; rank >= 0; rank--) {
		for (int file = 0; file < 8; file++) {
			int empty = 0;
			while (file + empty < 8 && b->at[rank][file + empty] == '.')
				empty++;
			if (empty)
				position[n++] = (char)('0' + empty);
			if (empty)
				file += empty - 1;
			else
				position[n++] = b->at[rank][file];
		}
		position[n++] = rank ? '/' : ' ';
	}
	for (int from = 0; from < 64 && b->passed_file >= 0; from++) {
		const struct step s = { from / 8, from % 8, b->passed_rank, b->passed_file, 0 };
		passing |= tolower((unsigned char)b->at[from / 8][from % 8]) == 'p' &&
			   s.file != s.to_file && is_legal(b, &s);
	}
	if (passing) {
		square[0] = (char)('a' + b->passed_file);
		square[1] = (char)('1' + b->passed_rank);
	}
	if (b->is_960)
		write_rights_960(b);
	snprintf(position + n, size - n, "%c %s %s %d %d", b->side, *b->rights ? b->rights : "-",
		 square, b->quiet, b->number);
}

static void start(char *position, size_t size)
{
	snprintf(position, size, "%s", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
}

static void write_step(const struct step *s, char text[16])
{
	snprintf(text, 16, "%c%c%c%c%c", 'a' + s->file, '1' + s->rank, 'a' + s->to_file,
		 '1' + s->to_rank, s->promotion);
}

struct listing {
	char (*list)[16];
	int count, max;
};

static bool list_one(void *ctx, const struct step *s)
{
	struct listing *l = ctx;
	if (l->count < l->max)
		write_step(s, l->list[l->count]);
	l->count++;
	return false;
}

static int moves_by(bool is_960, const char *position, char list[][16], int max)
{
	struct board b;
	struct listing l = { list, 0, max };
	read_board(&b, position, is_960);
	any_legal(&b, list_one, &l);
	return l.count;
}

/* A text and the moves that match it. */
struct meaning {
	const struct board *b;
	const char *text;
	struct step found;
	int count;
};

/* The squares, with or without a dash; a pawn's step also by where it goes. */
static bool mean_one(void *ctx, const struct step *s)
{
	struct meaning *m = ctx;
	char plain[16], dashed[24], brief[24] = "";
	write_step(s, plain);
	snprintf(dashed, sizeof dashed, "%.2s-%s", plain, plain + 2);
	const bool pawn = tolower((unsigned char)m->b->at[s->rank][s->file]) == 'p';
	if (pawn && s->file == s->to_file) {
		snprintf(brief, sizeof brief, "%s", plain + 2);
		brief[2] = (char)toupper((unsigned char)brief[2]);
	}
	if (strcmp(m->text, plain) == 0 || strcmp(m->text, dashed) == 0 ||
	    strcmp(m->text, brief) == 0) {
		m->found = *s;
		m->count++;
	}
	return false;
}

static bool play_by(bool is_960, char *position, size_t size, const char *move)
{
	struct board b;
	read_board(&b, position, is_960);
	struct meaning m = { .b = &b, .text = move };
	any_legal(&b, mean_one, &m);
	if (m.count != 1)
		return false;
	make(&b, &m.found);
	write_board(&b, position, size);
	return true;
}

/* Rule 5.2.2: insufficient material. */
static bool no_mate_can_come(const struct board *b)
{
	int knights = 0, bishops[2] = { 0, 0 }, others = 0;
	for (int i = 0; i < 64; i++) {
		const int kind = tolower((unsigned char)b->at[i / 8][i % 8]);
		knights += kind == 'n';
		others += kind == 'p' || kind == 'r' || kind == 'q';
		if (kind == 'b')
			bishops[(i / 8 + i % 8) % 2]++;
	}
	if (others)
		return false;
	if (knights + bishops[0] + bishops[1] <= 1)
		return true;
	return !knights && (!bishops[0] || !bishops[1]);
}

static bool stop_at_once(void *ctx, const struct step *s)
{
	(void)ctx, (void)s;
	return true;
}

static bool over_by(bool is_960, const char *position, int points[2])
{
	struct board b;
	read_board(&b, position, is_960);
	points[0] = points[1] = 0;
	if (any_legal(&b, stop_at_once, NULL))
		return b.quiet >= 100 || no_mate_can_come(&b);
	if (king_is_attacked(&b, b.side))
		points[b.side == 'w'] = 1;
	return true;
}

static int moves(const char *position, char list[][16], int max)
{
	return moves_by(false, position, list, max);
}

static bool play(char *position, size_t size, const char *move)
{
	return play_by(false, position, size, move);
}

static bool over(const char *position, int points[2])
{
	return over_by(false, position, points);
}

static int moves_960(const char *position, char list[][16], int max)
{
	return moves_by(true, position, list, max);
}

static bool play_960(char *position, size_t size, const char *move)
{
	return play_by(true, position, size, move);
}

static bool over_960(const char *position, int points[2])
{
	return over_by(true, position, points);
}

const struct twin twin_chess = { "chess", start, moves, play, over };
const struct twin twin_chess960 = { "chess:start=960", start, moves_960, play_960, over_960 };
