/*
 * four.c - four seats in turn, who often share the first place.
 * SPDX-License-Identifier: MIT
 *
 * Fifteen matches lie on the table. A move takes 1, 2 or 3 of them and keeps them; who has most in
 * the end wins. A move is the number of matches.
 */
#include "toys/toys.h"

enum { SEATS = 4, MATCHES = 15, MOST = 3 };

struct four {
	uint8_t left;              /* matches on the table */
	uint8_t turn;
	uint8_t kept[SEATS];
};
_Static_assert(sizeof(struct four) == 6, "no padding");

static void four_start(const int64_t *options, void *state)
{
	(void)options;
	*(struct four *)state = (struct four){ MATCHES, 0, { 0, 0, 0, 0 } };
}

static int four_seat(const void *state)
{
	return ((const struct four *)state)->turn;
}

static int four_moves(const void *state, qv_move *list)
{
	const struct four *s = state;
	const int n = s->left < MOST ? s->left : MOST;
	for (int i = 0; i < n; i++)
		list[i] = (qv_move)(i + 1);
	return n;
}

static void four_play(void *state, qv_move move)
{
	struct four *s = state;
	s->left = (uint8_t)(s->left - move);
	s->kept[s->turn] = (uint8_t)(s->kept[s->turn] + move);
	s->turn = (uint8_t)((s->turn + 1) % SEATS);
}

static enum qv_outcome four_result(const void *state, int32_t *points)
{
	const struct four *s = state;
	if (s->left)
		return QV_GOING;
	for (int seat = 0; seat < SEATS; seat++)
		points[seat] = s->kept[seat];
	return QV_ENDED;
}

static uint64_t four_hash(const void *state)
{
	return qv_hash_bytes(state, sizeof(struct four));
}

static void four_move_text(const void *state, qv_move move, struct qv_text *out)
{
	(void)state;
	qv_put_int(out, (int64_t)move);
}

/* `15 1 0 0 0 0`: matches on the table, the seat to move, what each has kept. */
static void four_position_text(const void *state, struct qv_text *out)
{
	const struct four *s = state;
	qv_put_int(out, s->left);
	qv_put_char(out, ' ');
	qv_put_int(out, s->turn + 1);
	for (int seat = 0; seat < SEATS; seat++) {
		qv_put_char(out, ' ');
		qv_put_int(out, s->kept[seat]);
	}
}

static enum qv_status four_position_parse(const int64_t *options, const char *text, void *state,
					  struct qv_error *error)
{
	(void)options;
	struct four read = { 0, 0, { 0, 0, 0, 0 } };
	int left, turn, all = 0;
	if (!toy_read_number(&text, MATCHES, &left) || !toy_read_char(&text, ' ') ||
	    !toy_read_number(&text, SEATS, &turn) || turn == 0)
		return qv_fail(error, QV_BAD_INPUT,
			       "position: matches left and the seat are expected");
	for (int seat = 0; seat < SEATS; seat++) {
		int kept;
		if (!toy_read_char(&text, ' ') || !toy_read_number(&text, MATCHES, &kept))
			return qv_fail(error, QV_BAD_INPUT, "position: what %d keeps is missing",
				       seat + 1);
		read.kept[seat] = (uint8_t)kept;
		all += kept;
	}
	if (*text)
		return qv_fail(error, QV_BAD_INPUT, "position: nothing may follow");
	if (all + left != MATCHES)
		return qv_fail(error, QV_ILLEGAL, "position: there are %d matches in all", MATCHES);
	read.left = (uint8_t)left;
	read.turn = (uint8_t)(turn - 1);
	*(struct four *)state = read;
	return QV_OK;
}

const struct qv_game toy_four = {
	QV_HEAD(qv_game), .name = "toy-four", .title = "Matches for four",
	.seats = SEATS, .state_size = sizeof(struct four), .max_moves = MOST,
	.max_plies = MATCHES,
	.start = four_start, .seat = four_seat, .moves = four_moves, .play = four_play,
	.result = four_result, .hash = four_hash,
	.move_text = four_move_text, .position_text = four_position_text,
	.position_parse = four_position_parse,
};
