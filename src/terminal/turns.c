/*
 * turns.c - the orders of a turn, and what the last turns did.
 * SPDX-License-Identifier: MIT
 *
 * A turn is a run of plies by the same seat. The turns are found by replaying the record, so they
 * need no state of their own; that costs one pass over the game for each question.
 */
#include "terminal/turns.h"

#include "core/context.h"

const struct turn_words *turns_words(const struct session *s)
{
	return context_engine(session_game(s))->turns;
}

/* ---- Finding the turns ---- */

/* A run of moves by one seat. */
struct turn {
	int first, end; /* plies first to end - 1 */
	int seat;
};

/* Enough for the news: the turns since a seat's own last one, and that one. */
enum { TURNS_KEPT = QV_MAX_SEATS + 2 };

/*
 * The last turns, oldest first, at most TURNS_KEPT. The last of them is the one being played, which
 * may be empty; when the game is over it is the one that ended it, or empty.
 */
static int turns_last(struct session *s, struct turn list[TURNS_KEPT])
{
	const struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	const int plies = qv_record_ply(record);
	void *state = session_current(s)->scratch;
	int count = 0;
	memcpy(state, record->kept, game->state_size); /* the state at ply 0 */
	for (int ply = 0; ply <= plies; ply++) {
		const int seat = game->seat(state);
		if (!count || list[count - 1].seat != seat) {
			if (count == TURNS_KEPT)
				memmove(list, list + 1, (size_t)--count * sizeof *list);
			list[count++] = (struct turn){ ply, ply, seat };
		}
		if (ply < plies) {
			list[count - 1].end = ply + 1;
			game->play(state, qv_record_move(record, ply));
		}
	}
	return count;
}

/* The turn being played; empty if no order has been given. */
static struct turn current_turn(struct session *s)
{
	struct turn list[TURNS_KEPT];
	return list[turns_last(s, list) - 1];
}

/* How many of the last turns have ended. */
static int ended_turns(const struct session *s, const struct turn *list, int count)
{
	const bool over = session_turn(s) == TURN_OVER;
	return over && list[count - 1].first < list[count - 1].end ? count : count - 1;
}

/* Seats without people take turns among themselves when all people have been beaten. */
int turns_without_person(struct session *s)
{
	struct turn list[TURNS_KEPT];
	int turns = 0;
	for (int i = ended_turns(s, list, turns_last(s, list)) - 1; i >= 0; i--, turns++)
		if (session_is_person(s, list[i].seat))
			break;
	return turns;
}

/* ---- Orders ---- */

void turns_orders(struct session *s, struct text_list *w)
{
	if (session_turn(s) != TURN_OVER)
		line_words(s, current_turn(s).first, w);
}

/* Whether an order of this turn can be revoked at all. */
static enum qv_status check_turn(struct session *s, const struct turn *turn, struct qv_error *error)
{
	if (!turns_words(s))
		return qv_fail(error, QV_UNSUPPORTED,
			       "revoke: in this game a turn is one move; 'undo' takes it back");
	if (session_turn(s) != TURN_PERSON)
		return qv_fail(error, QV_ILLEGAL, "revoke: it is not your turn");
	if (turn->first == turn->end)
		return qv_fail(
			error, QV_ILLEGAL,
			"revoke: no order has been given this turn ('undo' goes further back)");
	return QV_OK;
}

/* The name of the move that was played at a ply. */
static struct move_name name_at(struct session *s, int ply)
{
	tree_state_at(session_record(s), ply, session_current(s)->scratch);
	return move_name(s, session_current(s)->scratch, qv_record_move(session_record(s), ply));
}

enum qv_status session_revoke(struct session *s, int number, struct move_name *revoked,
			      struct qv_error *error)
{
	struct qv_record *record = session_record(s);
	const struct qv_game *game = session_game(s);
	void *state = session_current(s)->scratch;
	const struct turn turn = current_turn(s);
	const int orders = turn.end - turn.first, ply = turn.first + number - 1;
	enum qv_status status = check_turn(s, &turn, error);
	if (status != QV_OK)
		return status;
	if (number < 1 || number > orders)
		return qv_fail(error, QV_ILLEGAL, "revoke %d: there are orders 1 to %d", number,
			       orders);
	/* The later orders must be legal without this one. */
	const int plies = turn.end - ply;
	qv_move *moves = mem_new(s->allocator, (size_t)plies, sizeof *moves);
	tree_state_at(record, ply, state);
	int needs = -1;
	for (int i = 1; moves && i < plies && needs < 0; i++) {
		moves[i - 1] = qv_record_move(record, ply + i);
		if (qv_move_legal(game, state, moves[i - 1]))
			game->play(state, moves[i - 1]);
		else
			needs = ply + i;
	}
	if (needs >= 0) {
		status = qv_fail(error, QV_ILLEGAL,
				 "revoke %d: order %d, '%s', needs it; revoke that one first",
				 number, needs - turn.first + 1, name_at(s, needs).text);
	} else {
		*revoked = name_at(s, ply);
		status = moves ? record_rewrite(record, plies, moves, plies - 1) : QV_NO_MEMORY;
		if (status == QV_OK)
			game_clock_new_turn(&session_current(s)->clock);
		else if (status == QV_NO_MEMORY)
			qv_fail(error, status, "revoke: out of memory");
		else
			qv_fail(error, status, "record: it would be longer than a record may be");
	}
	mem_free(s->allocator, moves, (size_t)plies * sizeof *moves);
	return status;
}

/* An undo, which takes back nothing but the orders of this turn. */
enum qv_status session_revoke_all(struct session *s, struct qv_error *error)
{
	const struct turn turn = current_turn(s);
	enum qv_status status = check_turn(s, &turn, error);
	if (status != QV_OK)
		return status;
	status = qv_record_undo(session_record(s), turn.end - turn.first, NULL);
	game_clock_new_turn(&session_current(s)->clock);
	if (status != QV_OK)
		qv_fail(error, status, "revoke: the record has no more room");
	return status;
}

/* ---- News ---- */

/*
 * What a game writes: the effects of a turn's moves, or (now) the losses of a seat since `before`.
 */
struct report {
	const struct turn_words *words;
	const void *before, *now;
	const qv_move *moves;
	int count, viewer;
};

/* Lets the game write the report, into a buffer of any size, or without one to measure it. */
static void write_report(const struct report *r, struct qv_text *out)
{
	if (r->now)
		r->words->losses(r->before, r->now, r->viewer, out);
	else
		r->words->report(r->before, r->moves, r->count, r->viewer, out);
}

static void add_report(const struct report *r, struct string *out)
{
	struct qv_text text = { NULL, 0, 0 };
	write_report(r, &text);
	text = string_extend(out, text.length);
	write_report(r, &text);
}

/* Adds a line for a turn: the seat and what its moves did, as far as the viewer can see it. */
static void add_turn(struct session *s, const struct turn *turn, int viewer, struct string *out)
{
	const struct qv_record *record = session_record(s);
	struct string text = { .allocator = s->allocator };
	const int count = turn->end - turn->first;
	qv_move *moves = mem_new(s->allocator, (size_t)count + 1, sizeof *moves);
	out->failed |= !moves;
	if (!moves)
		return;
	for (int i = 0; i < count; i++)
		moves[i] = qv_record_move(record, turn->first + i);
	void *before = session_current(s)->scratch;
	tree_state_at(record, turn->first, before);
	add_report(&(struct report){ turns_words(s), before, NULL, moves, count, viewer }, &text);
	if (text.length)
		string_addf(out, "%s: %s.\n", seat_name(s, turn->seat, true).text, text.data);
	else if (turn->seat != viewer)
		string_addf(out, "%s: nothing.\n", seat_name(s, turn->seat, true).text);
	out->failed |= text.failed;
	mem_free(s->allocator, moves, ((size_t)count + 1) * sizeof *moves);
	string_release(&text);
}

/* Adds what a seat lost between two plies at which it was not to move. */
static void add_losses(struct session *s, int from, int to, int seat, struct string *out)
{
	const size_t size = session_game(s)->state_size;
	struct string text = { .allocator = s->allocator };
	void *before = session_current(s)->scratch, *now = mem_new(s->allocator, 1, size);
	out->failed |= !now;
	if (!now)
		return;
	tree_state_at(session_record(s), from, before);
	tree_state_at(session_record(s), to, now);
	add_report(&(struct report){ turns_words(s), before, now, NULL, 0, seat }, &text);
	if (text.length)
		string_addf(out, "You lost %s.\n", text.data);
	out->failed |= text.failed;
	mem_free(s->allocator, now, size);
	string_release(&text);
}

void turns_news(struct session *s, int since, struct string *out)
{
	struct turn list[TURNS_KEPT];
	const int ended = ended_turns(s, list, turns_last(s, list));
	/* The viewer: the person to move, else the only person, else nobody (-1). */
	int viewer = session_turn(s) == TURN_PERSON ? session_seat(s) : -1;
	for (int i = 0; viewer < 0 && session_people(s) == 1 && i < session_game(s)->seats; i++)
		if (session_is_person(s, i))
			viewer = i;
	/* From the viewer's own last turn on; without a viewer, only the last turn. */
	int first = ended - (viewer < 0), reported = 0;
	while (viewer >= 0 && first > 0 && list[first - 1].seat != viewer)
		first--;
	const bool own = viewer >= 0 && first > 0;
	for (int i = own ? first - 1 : first; i < ended; i++)
		if (i >= 0 && list[i].end > since) {
			add_turn(s, &list[i], viewer, out);
			reported++;
		}
	if (own && reported)
		add_losses(s, list[first - 1].end, list[ended - 1].end, viewer, out);
}

/* A turn ends when another seat is to move, or when the game is over. */
int turns_ended_at(struct session *s)
{
	struct turn list[TURNS_KEPT];
	const int count = turns_last(s, list);
	return ended_turns(s, list, count) == count ? list[count - 1].end : list[count - 1].first;
}
