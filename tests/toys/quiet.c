/*
 * quiet.c - captures and a quiet test, seats that do not alternate, two evaluations, an image.
 * SPDX-License-Identifier: MIT
 *
 * A strip of ten cells, `LP.P..p.pl`: each side has a lord, worth 3, and two pawns, worth 1. A
 * piece steps to an empty cell beside it, or captures by leaping exactly two cells onto an enemy;
 * a capture gives another turn. The game ends when a side has no piece, when the seat to move has
 * no move, or after 16 steps in all; most worth left wins. Only captures are not quiet.
 *
 * Two plies of search err in `.lp.L..... 1 8`: they take the pawn, 5x3, and count even material,
 * though the lord must step 3-4 next, where the other lord takes it. A search that goes on with
 * captures plays 5-6 and stays a pawn behind. Left and right can be exchanged: two images.
 *
 *  Move:  63 .... 8   7 .... 0
 *             to        from
 */
#include "toys/toys.h"

enum { CELLS = 10, STEPS = 16, PIECES = 6, PAWN_WORTH = 1, LORD_WORTH = 3 };

struct quiet {
	char cell[CELLS];          /* P, L of the first seat, p, l of the second, '.' */
	uint8_t turn;
	uint8_t steps;             /* left */
};
_Static_assert(sizeof(struct quiet) == 12, "no padding");

static void quiet_start(const int64_t *options, void *state)
{
	(void)options;
	struct quiet *s = state;
	memcpy(s->cell, "LP.P..p.pl", CELLS);
	s->turn = 0;
	s->steps = STEPS;
}

static int quiet_seat(const void *state)
{
	return ((const struct quiet *)state)->turn;
}

/* The seat that a piece belongs to; -1: an empty cell. */
static int quiet_owner(char piece)
{
	return piece == 'P' || piece == 'L' ? 0 : piece == 'p' || piece == 'l' ? 1 : -1;
}

static int quiet_from(qv_move move)
{
	return (int)(move & 0xff);
}

static int quiet_to(qv_move move)
{
	return (int)(move >> 8);
}

static bool quiet_can_go(const struct quiet *s, int seat, int from, int distance)
{
	const int to = from + distance;
	if (to < 0 || to >= CELLS || quiet_owner(s->cell[from]) != seat)
		return false;
	const int wanted = distance == 1 || distance == -1 ? -1 : 1 - seat;
	return quiet_owner(s->cell[to]) == wanted;
}

/* What the pieces of a seat are worth, with these values of a pawn and a lord. */
static int32_t quiet_worth(const struct quiet *s, int seat, int32_t pawn, int32_t lord)
{
	int32_t sum = 0;
	for (int i = 0; i < CELLS; i++)
		if (quiet_owner(s->cell[i]) == seat)
			sum += s->cell[i] == 'P' || s->cell[i] == 'p' ? pawn : lord;
	return sum;
}

static int quiet_moves(const void *state, qv_move *list)
{
	static const int distances[] = { -2, -1, 1, 2 };
	const struct quiet *s = state;
	int n = 0;
	if (!s->steps || !quiet_worth(s, 1 - s->turn, PAWN_WORTH, LORD_WORTH))
		return 0;
	for (int from = 0; from < CELLS; from++)
		for (int i = 0; i < 4; i++)
			if (quiet_can_go(s, s->turn, from, distances[i]))
				list[n++] = (qv_move)(from + distances[i]) << 8 | (qv_move)from;
	return n;
}

static enum qv_outcome quiet_result(const void *state, int32_t *points)
{
	const struct quiet *s = state;
	qv_move list[4 * PIECES];
	if (quiet_moves(s, list))
		return QV_GOING;
	for (int seat = 0; seat < 2; seat++)
		points[seat] = quiet_worth(s, seat, PAWN_WORTH, LORD_WORTH);
	return QV_ENDED;
}

static bool quiet_is_quiet(const void *state, qv_move move)
{
	return ((const struct quiet *)state)->cell[quiet_to(move)] == '.';
}

static void quiet_play(void *state, qv_move move)
{
	struct quiet *s = state;
	if (quiet_is_quiet(s, move)) {
		s->turn ^= 1;
		s->steps--;
	}
	s->cell[quiet_to(move)] = s->cell[quiet_from(move)];
	s->cell[quiet_from(move)] = '.';
}

/* Lords are taken first, then pawns. */
static int32_t quiet_rank(const void *state, qv_move move)
{
	const char taken = ((const struct quiet *)state)->cell[quiet_to(move)];
	return taken == '.' ? 0 : taken == 'P' || taken == 'p' ? PAWN_WORTH : LORD_WORTH;
}

static const int32_t quiet_weights[3] = { 100, 300, 10 };

static int32_t quiet_material(const void *state, const void *weights)
{
	const struct quiet *s = state;
	const int32_t *w = weights;
	return quiet_worth(s, s->turn, w[0], w[1]) - quiet_worth(s, 1 - s->turn, w[0], w[1]);
}

/* What the pieces are worth to the evaluations, and what a move takes of it. */
static int32_t quiet_army(const void *state, int seat)
{
	return quiet_worth(state, seat, quiet_weights[0], quiet_weights[1]);
}

static int32_t quiet_taken(const void *state, qv_move move, const void *weights)
{
	const char taken = ((const struct quiet *)state)->cell[quiet_to(move)];
	const int32_t *w = weights;
	return taken == '.' ? 0 : taken == 'P' || taken == 'p' ? w[0] : w[1];
}

static int quiet_attacks(const struct quiet *s, int seat)
{
	int n = 0;
	for (int from = 0; from < CELLS; from++)
		n += quiet_can_go(s, seat, from, -2) + quiet_can_go(s, seat, from, 2);
	return n;
}

static int32_t quiet_threats(const void *state, const void *weights)
{
	const struct quiet *s = state;
	const int32_t *w = weights;
	const int ahead = quiet_attacks(s, s->turn) - quiet_attacks(s, 1 - s->turn);
	return quiet_material(s, w) + w[2] * ahead;
}

static int32_t quiet_material_leaf(const void *state, const void *weights)
{
	const struct quiet *s = state;
	int32_t points[2];
	if (quiet_result(s, points) == QV_GOING)
		return quiet_material(s, weights);
	const int32_t ahead = points[s->turn] - points[1 - s->turn];
	return ahead > 0 ? QV_LEAF_WON : ahead < 0 ? QV_LEAF_LOST : QV_LEAF_DRAWN;
}

static qv_move quiet_image_move(const void *state, int k, qv_move move)
{
	(void)state;
	if (k == 0)
		return move;
	return (qv_move)(CELLS - 1 - quiet_to(move)) << 8 | (qv_move)(CELLS - 1 - quiet_from(move));
}

static void quiet_image(const void *state, int k, void *out)
{
	const struct quiet s = *(const struct quiet *)state;
	struct quiet image = s;
	for (int i = 0; i < CELLS; i++)
		image.cell[i] = s.cell[k ? CELLS - 1 - i : i];
	*(struct quiet *)out = image;
}

static uint64_t quiet_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct quiet));
}

static void quiet_move_text(const void *state, qv_move move, struct qv_text *out)
{
	qv_put_int(out, quiet_from(move) + 1);
	qv_put_char(out, quiet_is_quiet(state, move) ? '-' : 'x');
	qv_put_int(out, quiet_to(move) + 1);
}

/* `LP.P..p.pl 1 16`: the cells, the seat to move, the steps left. */
static void quiet_position_text(const void *state, struct qv_text *out)
{
	const struct quiet *s = state;
	for (int i = 0; i < CELLS; i++)
		qv_put_char(out, s->cell[i]);
	qv_put_char(out, ' ');
	qv_put_int(out, s->turn + 1);
	qv_put_char(out, ' ');
	qv_put_int(out, s->steps);
}

static bool quiet_army_fits(const char *cells, char pawn, char lord)
{
	int pawns = 0, lords = 0;
	for (int i = 0; i < CELLS; i++) {
		pawns += cells[i] == pawn;
		lords += cells[i] == lord;
	}
	return pawns <= 2 && lords <= 1;
}

static enum qv_status quiet_position_parse(const int64_t *options, const char *text, void *state,
					   struct qv_error *error)
{
	(void)options;
	struct quiet s;
	int turn, steps;
	for (int i = 0; i < CELLS; i++, text++) {
		if (quiet_owner(*text) < 0 && *text != '.')
			return qv_fail(error, QV_BAD_INPUT,
				       "position: ten of P, L, p, l, '.' come first");
		s.cell[i] = *text;
	}
	if (!toy_read_char(&text, ' ') || !toy_read_number(&text, 2, &turn) || turn == 0 ||
	    !toy_read_char(&text, ' ') || !toy_read_number(&text, STEPS, &steps) || *text)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the seat and the steps left must end it");
	if (!quiet_army_fits(s.cell, 'P', 'L') || !quiet_army_fits(s.cell, 'p', 'l'))
		return qv_fail(error, QV_ILLEGAL,
			       "position: a side has at most two pawns and a lord");
	if (!quiet_worth(&s, turn - 1, PAWN_WORTH, LORD_WORTH))
		return qv_fail(error, QV_ILLEGAL, "position: the seat to move has no piece");
	s.turn = (uint8_t)(turn - 1);
	s.steps = (uint8_t)steps;
	*(struct quiet *)state = s;
	return QV_OK;
}

static void quiet_draw(const void *state, bool unicode, struct qv_text *out)
{
	const struct quiet *s = state;
	for (int i = 0; i < CELLS; i++) {
		qv_put_char(out, ' ');
		if (s->cell[i] == '.' && unicode)
			qv_put(out, "·");
		else
			qv_put_char(out, s->cell[i]);
	}
	qv_put(out, "\n 1 2 3 4 5 6 7 8 9 10\n");
}

static const struct qv_weight quiet_weight_names[] = {
	{ "piece", 0, 2 }, { "threat", 2, 1 }, { NULL, 0, 0 },
};
static const struct qv_evaluation quiet_evaluations[] = {
	{ .name = "material",
	  .help = "what the pieces are worth",
	  .evaluate = quiet_material,
	  .leaf = quiet_material_leaf,
	  .weights = quiet_weights,
	  .weights_size = sizeof quiet_weights,
	  .names = quiet_weight_names,
	  .move = quiet_taken },
	{ .name = "threats",
	  .help = "material, and captures at hand",
	  .evaluate = quiet_threats,
	  .weights = quiet_weights,
	  .weights_size = sizeof quiet_weights,
	  .names = quiet_weight_names },
	{ .name = NULL },
};

const struct qv_game toy_quiet = {
	QV_HEAD(qv_game), .name = "toy-quiet", .title = "Leaps on a strip",
	.seats = 2, .state_size = sizeof(struct quiet),
	.max_moves = 12, .max_plies = STEPS + PIECES - 1, .symmetries = 2,
	.evaluations = quiet_evaluations,
	.start = quiet_start, .seat = quiet_seat, .moves = quiet_moves, .play = quiet_play,
	.result = quiet_result, .hash = quiet_hash,
	.move_text = quiet_move_text, .position_text = quiet_position_text,
	.position_parse = quiet_position_parse, .rank = quiet_rank, .quiet = quiet_is_quiet,
	.image = quiet_image, .image_move = quiet_image_move, .draw = quiet_draw,
	.material = quiet_army,
};
