/*
 * repeat.c - two kings after three coins: a repetition rule and a draw by count.
 * SPDX-License-Identifier: MIT
 *
 * On a 3x3 board each king steps to a neighbouring square (not diagonally, not onto the other
 * king) and takes the coin that lies there, or rests. When no coin is left, most coins win. Four
 * rests in all are a draw by count; who plays on rests no more. A position that has been there
 * `repeats` times before is a draw, or with verdict=loss lost for the one whose move brought it
 * back. Taking a coin and resting are irreversible.
 *
 * Squares are numbered from 0, row by row; a move is the square the king goes to, or REST.
 */
#include "toys/toys.h"

enum { SQUARES = 9, REST = 9, COINS = 3, MAX_RESTS = 4 };
enum { OPTION_REPEATS, OPTION_VERDICT };

struct repeat {
	uint16_t coins;            /* a bit per square */
	uint8_t king[2];
	uint8_t taken[2];
	uint8_t turn, rests;
	uint8_t repeats, repeater_loses;
};
_Static_assert(sizeof(struct repeat) == 10, "no padding");

static void repeat_start(const int64_t *options, void *state)
{
	*(struct repeat *)state = (struct repeat){
		.coins = 1 << 2 | 1 << 4 | 1 << 6, .king = { 0, 8 },
		.repeats = (uint8_t)options[OPTION_REPEATS],
		.repeater_loses = (uint8_t)options[OPTION_VERDICT],
	};
}

static int repeat_seat(const void *state)
{
	return ((const struct repeat *)state)->turn;
}

static bool repeat_neighbours(int a, int b)
{
	const int dx = a % 3 - b % 3, dy = a / 3 - b / 3;
	return dx * dx + dy * dy == 1;
}

static int repeat_moves(const void *state, qv_move *list)
{
	const struct repeat *s = state;
	int n = 0;
	if (!s->coins)
		return 0;
	for (int to = 0; to < SQUARES; to++)
		if (repeat_neighbours(s->king[s->turn], to) && to != s->king[1 - s->turn])
			list[n++] = (qv_move)to;
	if (s->rests < MAX_RESTS)
		list[n++] = REST;
	return n;
}

static bool repeat_irreversible(const void *state, qv_move move)
{
	const struct repeat *s = state;
	return move == REST || s->coins >> move & 1;
}

static void repeat_play(void *state, qv_move move)
{
	struct repeat *s = state;
	if (move == REST) {
		s->rests++;
	} else {
		s->taken[s->turn] = (uint8_t)(s->taken[s->turn] + (s->coins >> move & 1));
		s->coins = (uint16_t)(s->coins & ~(1 << move));
		s->king[s->turn] = (uint8_t)move;
	}
	s->turn ^= 1;
}

static enum qv_outcome repeat_result(const void *state, int32_t *points)
{
	const struct repeat *s = state;
	if (s->coins && s->rests < MAX_RESTS)
		return QV_GOING;
	for (int seat = 0; seat < 2; seat++)
		points[seat] = s->coins ? 0 : s->taken[seat];
	return s->coins ? QV_DRAWN_BY_COUNT : QV_ENDED;
}

static enum qv_outcome repeat_repeated(const void *state, int times, int32_t *points)
{
	const struct repeat *s = state;
	if (times < s->repeats)
		return QV_GOING;
	points[s->turn] = s->repeater_loses;       /* it was the other one's move */
	points[1 - s->turn] = 0;
	return QV_ENDED;
}

static int32_t repeat_evaluate(const void *state, const void *weights)
{
	const struct repeat *s = state;
	const int32_t *coin = weights;
	return *coin * (s->taken[s->turn] - s->taken[1 - s->turn]);
}

static uint64_t repeat_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct repeat));
}

static void repeat_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	if (move == REST)
		qv_put(out, "rest");
	else
		qv_put_int(out, (int64_t)move + 1);
}

/* `A.$.$.$.B 1 0 0 0`: the squares, the seat to move, the coins of each, the rests. */
static void repeat_position_text(const void *state, struct qv_text *out)
{
	const struct repeat *s = state;
	const int numbers[] = { s->turn + 1, s->taken[0], s->taken[1], s->rests };
	for (int i = 0; i < SQUARES; i++) {
		const char ground = s->coins >> i & 1 ? '$' : '.';
		qv_put_char(out, i == s->king[0] ? 'A' : i == s->king[1] ? 'B' : ground);
	}
	for (int i = 0; i < 4; i++) {
		qv_put_char(out, ' ');
		qv_put_int(out, numbers[i]);
	}
}

/* Reads the squares and returns how many coins are on them; -1: they cannot be read. */
static int repeat_parse_board(const char *text, struct repeat *s)
{
	int coins = 0, kings[2] = { 0, 0 };
	s->coins = 0;
	for (int i = 0; i < SQUARES; i++) {
		if (text[i] == 'A' || text[i] == 'B') {
			kings[text[i] - 'A']++;
			s->king[text[i] - 'A'] = (uint8_t)i;
		} else if (text[i] == '$') {
			coins++;
			s->coins = (uint16_t)(s->coins | 1 << i);
		} else if (text[i] != '.') {
			return -1;
		}
	}
	return kings[0] == 1 && kings[1] == 1 ? coins : -1;
}

static enum qv_status repeat_position_parse(const int64_t *options, const char *text, void *state,
					    struct qv_error *error)
{
	struct repeat s;
	repeat_start(options, &s);
	const int coins = repeat_parse_board(text, &s);
	if (coins < 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: nine squares of A, B, '$', '.' come first");
	static const int most[] = { 2, COINS, COINS, MAX_RESTS };
	int numbers[4];
	text += SQUARES;
	for (int i = 0; i < 4; i++)
		if (!toy_read_char(&text, ' ') || !toy_read_number(&text, most[i], &numbers[i]))
			return qv_fail(error, QV_BAD_INPUT,
				       "position: seat, coins of each and rests follow");
	if (*text || numbers[0] == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the seat is 1 or 2, and the rests end it");
	if (coins + numbers[1] + numbers[2] != COINS)
		return qv_fail(error, QV_ILLEGAL, "position: there are %d coins, taken ones too",
			       COINS);
	s.turn = (uint8_t)(numbers[0] - 1);
	s.taken[0] = (uint8_t)numbers[1];
	s.taken[1] = (uint8_t)numbers[2];
	s.rests = (uint8_t)numbers[3];
	*(struct repeat *)state = s;
	return QV_OK;
}

static const struct qv_option repeat_options[] = {
	[OPTION_REPEATS] = { "repeats", "how often a position may come back", NULL, 1, 3, 2 },
	[OPTION_VERDICT] = { "verdict", "what one more is for its bringer", "draw|loss", 0, 1, 0 },
	{ NULL, NULL, NULL, 0, 0, 0 },
};

static const int32_t repeat_weights[1] = { 100 };
static const struct qv_weight repeat_weight_names[] = { { "coin", 0, 1 }, { NULL, 0, 0 } };
static const struct qv_evaluation repeat_evaluations[] = {
	{ .name = "coins", .help = "coins taken", .evaluate = repeat_evaluate,
	  .weights = repeat_weights, .weights_size = sizeof repeat_weights,
	  .names = repeat_weight_names },
	{ .name = NULL },
};

const struct qv_game toy_repeat = {
	QV_HEAD(qv_game), .name = "toy-repeat", .title = "Two kings and three coins",
	.seats = 2, .alternates = true, .state_size = sizeof(struct repeat), .max_moves = 5,
	.options = repeat_options, .evaluations = repeat_evaluations,
	.start = repeat_start, .seat = repeat_seat, .moves = repeat_moves, .play = repeat_play,
	.result = repeat_result, .hash = repeat_hash,
	.move_text = repeat_move_text, .position_text = repeat_position_text,
	.position_parse = repeat_position_parse,
	.repeated = repeat_repeated, .irreversible = repeat_irreversible,
};
