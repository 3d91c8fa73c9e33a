/*
 * machine_1912.c - the king-and-rook automaton of 1912: six rules, and the first that applies
 * decides.
 * SPDX-License-Identifier: MIT
 *
 * The machine's king is above the rook and the rook above the enemy king, each on a row of its own;
 * the board is turned so that this holds. Nothing is weighed and nothing is searched. The rules as
 * printed step next to the enemy king and lose the rook. With the first and the fifth rule amended
 * they mate from everywhere with the rook on an edge file.
 */
#include "games/chess/rules.h"
#include "search/one_ply.h"

struct square {
	int file, row;
};

/* The board as the machine sees it: its king, its rook, and the enemy king. */
struct scene {
	struct square king, rook, enemy;
};

/*
 * Four orientations of the board. Each is its own inverse but the last, whose inverse is not
 * needed.
 */
static struct square held(int square, int way)
{
	const int row = way & 1 ? 7 - chess_row(square) : chess_row(square);
	return way & 2 ? (struct square){ row, chess_file(square) }
		       : (struct square){ chess_file(square), row };
}

static int apart(int a, int b)
{
	return a > b ? a - b : b - a;
}

/* 0: files a to c; 1: files f to h; -1: between. */
static int zone(int file)
{
	return file <= 2 ? 0 : file >= 5 ? 1 : -1;
}

/* A bit for each rule whose condition holds, from bit 1. The last three exclude each other. */
static unsigned conditions(const struct scene *t, bool literal)
{
	const int space = apart(t->king.file, t->enemy.file), rook_zone = zone(t->rook.file);
	const bool adjacent =
		apart(t->rook.file, t->enemy.file) <= 1 && apart(t->rook.row, t->enemy.row) <= 1;
	const bool near_enemy = rook_zone < 0 || rook_zone == zone(t->enemy.file);
	const bool holds[] = { false,
			       literal ? adjacent : near_enemy,
			       t->rook.row - t->enemy.row > 1,
			       t->king.row - t->enemy.row > 2,
			       space == 0,
			       space % 2 == 1,
			       space && space % 2 == 0 };
	unsigned bits = 0;
	for (int rule = 1; rule <= CHESS_MACHINE_RULES; rule++)
		bits |= (unsigned)holds[rule] << rule;
	return bits;
}

/* Where a rule moves the rook, or the king. */
static struct square target(const struct scene *t, int rule, bool literal)
{
	const int file = t->rook.file, rook_zone = zone(file);
	struct square to = rule == 3 || rule == 6 ? t->king : t->rook;
	if (rule == 1) {
		/* To the edge file that is out of reach. */
		const bool by_enemy = literal || rook_zone < 0;
		to.file = (by_enemy ? t->enemy.file <= 3 : !rook_zone) ? 7 : 0;
	} else if (rule == 5) {
		/* A waiting move: as printed towards the middle, else between edge and neighbour. */
		if (literal)
			to.file = file <= 3 ? file + 1 : file - 1;
		else
			to.file = file == 0 ? 1 : file == 7 ? 6 : file <= 2 ? file - 1 : file + 1;
	} else if (rule == 6) {
		to.file += t->enemy.file > t->king.file ? 1 : -1;
	} else {
		to.row--;
	}
	return to;
}

bool chess_machine_look(const struct chess *s, bool literal, struct chess_machine_view *out)
{
	const int us = s->turn;
	const uint64_t rook = chess_of(s, us, CHESS_ROOK);
	if (!rook || bits_rest(rook) || s->side[us] != (rook | chess_of(s, us, CHESS_KING)) ||
	    bits_rest(s->side[1 - us]))
		return false;
	for (int way = 0; way < 4; way++) {
		const struct scene t = { held(chess_king(s, us), way), held(bits_lowest(rook), way),
					 held(chess_king(s, 1 - us), way) };
		qv_move list[CHESS_MAX_MOVES];
		if (t.king.row <= t.rook.row || t.rook.row <= t.enemy.row)
			continue;
		const unsigned holds = conditions(&t, literal);
		const int rule = bits_lowest(holds), n = chess_moves(s, list);
		const struct square to = target(&t, rule, literal);
		const int from = rule == 3 || rule == 6 ? chess_king(s, us) : bits_lowest(rook);
		const struct square turned = way & 2 ? (struct square){ to.row, to.file } : to;
		const int goal = 8 * (way & 1 ? 7 - turned.row : turned.row) + turned.file;
		for (int i = 0; i < n; i++)
			if (chess_from(list[i]) == from && chess_to(list[i]) == goal) {
				*out = (struct chess_machine_view){ rule, holds, way & 2, list[i] };
				return true;
			}
		return false;
	}
	return false;
}

int chess_machine_rule(const struct chess *s, bool literal, qv_move *move)
{
	struct chess_machine_view view;
	if (!chess_machine_look(s, literal, &view))
		return 0;
	*move = view.move;
	return view.rule;
}

const char *chess_machine_text(int rule, bool literal)
{
	static const char *const texts[] = {
		"",
		"The rook is in the same zone as the enemy king, or between the zones: it goes to "
		"the far edge.",
		"The rook is more than one row away from the enemy king: it comes one row nearer.",
		"The kings are more than two rows apart: the machine's king comes one row nearer.",
		"The kings face each other on one file: the rook gives check from the next row.",
		"The kings are an odd number of files apart: the rook waits, by a step sideways.",
		"The kings are an even number of files apart: the machine's king steps sideways, "
		"towards the enemy king.",
	};
	return rule == 1 && literal ? "The enemy king attacks the rook: it goes to the far edge."
				    : texts[rule];
}

/* ---- The player ---- */

static int32_t score(const void *state, qv_move move, bool literal)
{
	qv_move chosen = QV_NO_MOVE;
	return chess_machine_rule(state, literal, &chosen) && chosen == move;
}

const struct one_ply_program chess_machine_program = { .score = score, .has_literal = true };

static const struct option *const options[] = { literal_option, opening_options, NULL };

const struct player_kind machine_kind = {
	.name = "machine",
	.help = "mates with king and rook against king, by the six rules of the 1912 automaton",
	.options = options,
	.needs_game = true,
	.make = one_ply_player_new,
};
