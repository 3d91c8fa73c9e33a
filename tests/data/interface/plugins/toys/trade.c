/*
 * trade.c - material, phases, scores of moves: what the techniques that change a line's value need.
 * SPDX-License-Identifier: MIT
 *
 * Two armies, each with men and a post, which says how well they stand (100: neither well nor
 * badly). A move holds (the post gains 1), charges (it gains 4, but stands open), trades a man for
 * a man, or, if the other side's post stands open, doubles it up: it loses 12. The game lasts eight
 * moves, or until a side has no men; most men win. A charge looks better than a hold until the
 * answer is seen.
 */
#include "toys/toys.h"

enum { HOLD, CHARGE, TRADE, DOUBLE, MOVES };
enum { MEN = 14, MOST_MEN = 20, LEFT = 8, EVEN_POST = 100, MOST_POST = 200, END_BELOW = 25 };

struct trade {
	uint8_t men[2];
	uint8_t post[2];
	uint8_t open[2];
	uint8_t turn;
	uint8_t left;              /* moves */
};
_Static_assert(sizeof(struct trade) == 8, "no padding");

static void trade_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct trade *)state = (struct trade){ { MEN, MEN }, { EVEN_POST, EVEN_POST }, { 0, 0 },
						 0, LEFT };
}

static int trade_seat(const void *state)
{
	return ((const struct trade *)state)->turn;
}

static int trade_moves(const void *state, qv_move *list)
{
	const struct trade *s = state;
	int n = 0;
	if (!s->left || !s->men[0] || !s->men[1])
		return 0;
	for (int move = HOLD; move <= TRADE; move++)
		list[n++] = (qv_move)move;
	if (s->open[1 - s->turn])
		list[n++] = DOUBLE;
	return n;
}

static void trade_shift(uint8_t *post, int by)
{
	const int to = *post + by;
	*post = (uint8_t)(to < 0 ? 0 : to > MOST_POST ? MOST_POST : to);
}

static void trade_play(void *state, qv_move move)
{
	struct trade *s = state;
	const int me = s->turn, other = 1 - me;
	if (move == HOLD || move == CHARGE)
		trade_shift(&s->post[me], move == HOLD ? 1 : 4);
	if (move == CHARGE)
		s->open[me] = 1;
	if (move == TRADE) {
		s->men[0]--;
		s->men[1]--;
	}
	if (move == DOUBLE) {
		trade_shift(&s->post[other], -12);
		s->open[other] = 0;
	}
	s->turn = (uint8_t)other;
	s->left--;
}

static enum qv_outcome trade_result(const void *state, int32_t *points)
{
	const struct trade *s = state;
	if (s->left && s->men[0] && s->men[1])
		return QV_GOING;
	points[0] = s->men[0];
	points[1] = s->men[1];
	return QV_ENDED;
}

static uint64_t trade_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct trade));
}

static void trade_move_text(const void *state, qv_move move, struct qv_text *out)
{
	static const char *const names[MOVES] = { "hold", "charge", "trade", "double" };
	(void)state;
	qv_put(out, names[move]);
}

/* `14 14 100 100 0 0 1 8`: men, posts, whether they stand open, the seat, the moves left. */
static void trade_position_text(const void *state, struct qv_text *out)
{
	const struct trade *s = state;
	const int numbers[] = { s->men[0],  s->men[1],  s->post[0],  s->post[1],
				s->open[0], s->open[1], s->turn + 1, s->left };
	for (int i = 0; i < 8; i++) {
		qv_put(out, i ? " " : "");
		qv_put_int(out, numbers[i]);
	}
}

static enum qv_status trade_position_parse(const int64_t *options, const char *text, void *state,
					   struct qv_error *error)
{
	static const int most[] = { MOST_MEN, MOST_MEN, MOST_POST, MOST_POST, 1, 1, 2, LEFT };
	uint8_t numbers[8];
	(void)options;
	for (int i = 0, number; i < 8; i++) {
		if ((i && !toy_read_char(&text, ' ')) || !toy_read_number(&text, most[i], &number))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: number %d of 8, 0 to %d, is missing", i + 1,
				       most[i]);
		numbers[i] = (uint8_t)number;
	}
	if (*text || numbers[6] == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: seat 1 or 2 and the moves left must end it");
	numbers[6]--;
	memcpy(state, numbers, sizeof numbers);
	return QV_OK;
}

enum { WEIGHT_MAN, WEIGHT_POST, WEIGHTS };
static const int32_t trade_weights[WEIGHTS] = { 10, 1 };
static const int32_t trade_phase_weights[QV_PHASES][WEIGHTS] = { { 10, 3 }, { 10, 2 }, { 10, 1 } };
static const struct qv_weight trade_weight_names[] = {
	{ "man", WEIGHT_MAN, 1 }, { "post", WEIGHT_POST, 1 }, { NULL, 0, 0 },
};

static int32_t trade_evaluate(const void *state, const void *weights)
{
	const struct trade *s = state;
	const int32_t *w = weights;
	const int me = s->turn, other = 1 - me;
	return w[WEIGHT_MAN] * (s->men[me] - s->men[other]) +
	       w[WEIGHT_POST] * (s->post[me] - s->post[other]);
}

/* As if posts had no bounds. */
static int32_t trade_move_gain(const void *state, qv_move move, const void *weights)
{
	static const int gains[MOVES] = { [HOLD] = 1, [CHARGE] = 4, [DOUBLE] = 12 };
	(void)state;
	return ((const int32_t *)weights)[WEIGHT_POST] * gains[move];
}

static int32_t trade_material(const void *state, int seat)
{
	return trade_weights[WEIGHT_MAN] * ((const struct trade *)state)->men[seat];
}

/* The end is when few men are left, however many moves there have been. */
static int trade_phase(const void *state)
{
	const struct trade *s = state;
	return s->men[0] + s->men[1] < END_BELOW ? QV_END : s->left > 6 ? QV_OPENING : QV_MIDDLE;
}

static const struct qv_evaluation trade_evaluations[] = {
	{ .name = "posts",
	  .help = "men and posts",
	  .evaluate = trade_evaluate,
	  .weights = trade_weights,
	  .weights_size = sizeof trade_weights,
	  .names = trade_weight_names,
	  .move = trade_move_gain,
	  .phase_weights = trade_phase_weights },
	{ .name = NULL },
};

const struct qv_game toy_trade = {
	.interface = QV_INTERFACE, .name = "toy-trade", .title = "Trade and posts",
	.seats = 2, .alternates = true, .state_size = sizeof(struct trade),
	.max_moves = MOVES, .max_plies = LEFT, .evaluations = trade_evaluations,
	.start = trade_start, .seat = trade_seat, .moves = trade_moves, .play = trade_play,
	.result = trade_result, .hash = trade_hash,
	.move_text = trade_move_text, .position_text = trade_position_text,
	.position_parse = trade_position_parse,
	.material = trade_material, .phase = trade_phase,
};
