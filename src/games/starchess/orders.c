/*
 * orders.c - Star Chess: gives out a planned turn command by command.
 * SPDX-License-Identifier: MIT
 *
 * The rules know single commands, but players plan whole turns. The plan is kept with the position
 * where its next command belongs. If the game is in another position, somebody else has moved, and
 * the player plans again.
 */
#include "games/starchess/orders.h"

qv_move orders_absolute(qv_move move, int me)
{
	const enum sc_command kind = sc_kind(move);
	const uint8_t *order = sc_orders[me];
	if (kind == SC_END)
		return move;
	return sc_command(kind, order[sc_from(move)], kind == SC_MOVE ? order[sc_to(move)] : 0,
			  sc_number(move));
}

void orders_take(struct orders *o, const struct starchess *s, const struct turn_log *log)
{
	o->expected = *s;
	o->next = 0;
	o->count = log->count;
	for (int i = 0; i < log->count; i++)
		o->moves[i] = orders_absolute(log->moves[i], s->seat);
}

bool orders_give(struct orders *o, const struct starchess *s, struct qv_answer *out)
{
	if (o->next >= o->count || memcmp(&o->expected, s, sizeof *s) != 0)
		return false;
	const int left = o->count - o->next;
	out->move = o->moves[o->next];
	out->score = o->score;
	out->depth = o->depth;
	out->line_length = left < QV_MAX_LINE ? left : QV_MAX_LINE;
	memcpy(out->line, o->moves + o->next, (size_t)out->line_length * sizeof *out->line);
	starchess_play(&o->expected, o->moves[o->next++]);
	return true;
}

static bool is_legal(const struct starchess *s, qv_move move)
{
	qv_move list[SC_MAX_MOVES];
	for (int i = starchess_moves(s, list); i > 0; i--) {
		const qv_move largest = list[i - 1];
		if (move == largest)
			return true;
		if (sc_is_counted(largest) && sc_number(move) >= 1 &&
		    sc_number(move) <= sc_number(largest) &&
		    starchess_with_count(s, largest, sc_number(move)) == move)
			return true;
	}
	return false;
}

void orders_obey(const struct qv_limits *limits, const struct starchess *s, struct qv_answer *out)
{
	qv_move allowed = QV_NO_MOVE;
	for (int i = 0; limits->only && i < limits->only_count; i++) {
		if (limits->only[i] == out->move)
			return;
		if (allowed == QV_NO_MOVE && is_legal(s, limits->only[i]))
			allowed = limits->only[i];
	}
	if (allowed == QV_NO_MOVE)
		return;
	out->move = out->line[0] = allowed;
	out->line_length = 1;
}

enum qv_status orders_think(struct orders *o, struct qv_player *player, orders_decide *decide,
			    const void *state, const struct qv_limits *limits,
			    const struct qv_listener *listener, struct qv_answer *out)
{
	struct starchess s;
	int32_t points[QV_MAX_SEATS];
	bool stopped = false;
	memcpy(&s, state, sizeof s);
	*out = (struct qv_answer){ .move = QV_NO_MOVE };
	if (starchess_result(&s, points) != QV_GOING)
		return QV_OK;
	if (!orders_give(o, &s, out)) {
		stopped = decide(player, &s, limits, out);
		orders_give(o, &s, out);
	}
	orders_obey(limits, &s, out);
	if (listener && listener->iteration)
		listener->iteration(listener->ctx, out);
	return stopped ? QV_STOPPED : QV_OK;
}
