/*
 * xboard_search.c - when an XBoard engine searches, with which limits, and what it reports.
 * SPDX-License-Identifier: MIT
 *
 * A job is a move of the engine's, pondering on the move that it expects, or an analysis. To
 * ponder, the expected move is played in the record and taken back at the end; if the opponent
 * plays it, the job becomes the search for the engine's own move. The interface keeps the time;
 * between its `time` commands the engine's clock is an estimate.
 */
#include "protocols/xboard.h"

#include <stdatomic.h>

#include "base/clock.h"

enum { MATE = 100000 }; /* a score of MATE + N is a mate in N moves */

/* ---- Beginning ---- */

/* Sets depth and time, from `sd`, `st`, or `level` and the clock. */
static void set_time(const struct connection *c, struct engine_limits *limits)
{
	const struct xboard *x = xboard_of(c);
	const struct game_clock *clock = &x->clock;
	const int64_t move_ms = clock->control.move_ms;
	limits->depth = x->depth;
	if (move_ms) {
		limits->time_ms = engine_move_time(&c->engine, move_ms);
	} else if (game_clock_on(clock)) {
		limits->clocks = true;
		limits->left_ms[x->seat] = game_clock_left(clock, XBOARD_OWN, 0);
		limits->left_ms[1 - x->seat] = game_clock_left(clock, XBOARD_OPPONENT, 0);
		limits->added_ms[0] = limits->added_ms[1] = clock->control.added_ms;
		limits->moves_to_go = game_clock_moves_to_go(clock, XBOARD_OWN);
	}
}

/* Begins a search of the record's position; on an error the engine plays neither side. */
static enum next_step begin(struct connection *c, enum xboard_job job, struct string *out)
{
	struct xboard *x = xboard_of(c);
	struct engine_limits limits = { .infinite = job == JOB_ANALYSE,
					.ponder = job == JOB_PONDER };
	qv_move only[QV_MAX_MOVES];
	struct qv_error error;
	const int count = c->engine.rules.game->moves(engine_state(&c->engine), only);
	if (job == JOB_ANALYSE) {
		/* If all moves are excluded, all are searched. */
		for (int i = 0; i < count && x->excluded_count; i++)
			if (xboard_find_excluded(x, only[i]) == x->excluded_count)
				only[limits.only_count++] = only[i];
		limits.only = only;
	} else {
		set_time(c, &limits);
	}
	engine_analyse(&c->engine, job == JOB_ANALYSE);
	if (engine_go(&c->engine, &limits, &error) != QV_OK) {
		string_addf(out, "tellusererror %s\n", error.text);
		x->force = true;
		x->analyse = false;
		return NEXT_LINE;
	}
	atomic_store(&x->job, job);
	atomic_store(&x->told_depth, 0);
	atomic_store(&x->told_nodes, 0);
	atomic_store(&x->told_best, QV_NO_MOVE);
	atomic_store(&x->told_move, QV_NO_MOVE);
	atomic_store(&x->told_number, 0);
	x->move_count = limits.only_count ? limits.only_count : count;
	x->discard = false;
	x->began_us = clock_us();
	return connection_begin(c);
}

/* On the opponent's time: about the move that is expected, as if it had been played. */
static enum next_step begin_ponder(struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	struct engine_session *e = &c->engine;
	const struct qv_game *game = e->rules.game;
	memcpy(x->before, engine_state(e), game->state_size);
	if (x->expected == QV_NO_MOVE || !qv_move_legal(game, x->before, x->expected) ||
	    qv_record_play(e->record, x->expected, -1, NULL) != QV_OK)
		return NEXT_LINE;
	if (engine_over(e)) {
		engine_undo(e, 1, NULL);
		return NEXT_LINE;
	}
	const enum next_step next = begin(c, JOB_PONDER, out);
	if (next != NEXT_THINK)
		engine_undo(e, 1, NULL);
	return next;
}

/*
 * An analysis of a position where the game is over: one line, because the interface waits for a
 * score. It holds to any depth. A lost game is a mate in 0 moves.
 */
static void analyse_end(const struct connection *c, struct string *out)
{
	enum { ANY_DEPTH = 100 };
	struct xboard *x = xboard_of(c);
	int32_t points[QV_MAX_SEATS];
	if (!x->analyse || x->told_end || !atomic_load(&x->post))
		return;
	qv_record_result(c->engine.record, points);
	const int winner = qv_winner(c->engine.rules.game, points);
	const int sign = winner < 0 ? 0 : winner == xboard_seat_to_move(c) ? 1 : -1;
	string_addf(out, "%d %d 0 0\t\n", ANY_DEPTH, sign * MATE);
	x->told_end = true;
}

/*
 * The order of preference: the move that the engine owes, an analysis, pondering. The latter two
 * never end by themselves, so they do not begin while lines wait.
 */
enum next_step xboard_idle(struct connection *c, struct string *out)
{
	const struct xboard *x = xboard_of(c);
	const enum xboard_fate fate = xboard_fate(c);
	if (c->busy || x->editing || x->paused)
		return NEXT_LINE;
	if (engine_over(&c->engine)) {
		analyse_end(c, out);
		return NEXT_LINE;
	}
	/* Only a move ends by itself, so that lines can wait for it. */
	const bool on_move = !x->force && !x->analyse && xboard_seat_to_move(c) == x->seat;
	if (on_move && fate != FATE_BREAKS) {
		const enum next_step next = begin(c, JOB_MOVE, out);
		if (next == NEXT_THINK && fate == FATE_HURRIES)
			connection_stop(c);
		return next;
	}
	if (connection_waits(c))
		return NEXT_LINE;
	if (x->analyse)
		return begin(c, JOB_ANALYSE, out);
	if (x->hard && !x->force)
		return begin_ponder(c, out);
	return NEXT_LINE;
}

/* ---- Ending ---- */

/* The move is already on the board of the search; only the clock begins to run. */
bool xboard_ponder_hit(struct connection *c, const char *move)
{
	struct xboard *x = xboard_of(c);
	qv_move played;
	if (atomic_load(&x->job) != JOB_PONDER || x->discard || connection_waits(c) ||
	    qv_move_parse(c->engine.rules.game, x->before, move, &played, NULL) != QV_OK ||
	    played != x->expected)
		return false;
	atomic_store(&x->job, JOB_MOVE);
	x->began_us = clock_us();
	engine_ponderhit(&c->engine);
	return true;
}

/* The engine answers soon; xboard_answer ignores that answer. */
void xboard_break(struct connection *c)
{
	xboard_of(c)->discard = true;
	connection_stop(c);
}

/* A result by the rules has a winner or is a draw; a result by the record alone is a repetition. */
void xboard_add_result(const struct connection *c, struct string *out)
{
	const struct engine_session *e = &c->engine;
	const struct qv_game *game = e->rules.game;
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(e->record, points) == QV_GOING)
		return;
	const bool by_rule = game->result(engine_state(e), points) != QV_GOING;
	const int winner = by_rule ? qv_winner(game, points) : -1;
	if (winner < 0)
		string_addf(out, "1/2-1/2 {%s}\n", by_rule ? "Draw by rule" : "Draw by repetition");
	else
		string_addf(out, winner ? "0-1 {Black mates}\n" : "1-0 {White mates}\n");
}

/* Plays the answer's move and prints it. */
static void make_move(struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	struct engine_session *e = &c->engine;
	const struct qv_answer *a = &e->answer;
	const struct move_text text = xboard_move_text(c, engine_state(e), a->move);
	struct qv_error error;
	/* Until the interface sends the time. */
	game_clock_charge(&x->clock, XBOARD_OWN, clock_us() - x->began_us);
	game_clock_moved(&x->clock, XBOARD_OWN);
	x->knows_score = a->depth > 0;
	x->score = a->score;
	x->expected = a->line_length > 1 && a->line[0] == a->move ? a->line[1] : QV_NO_MOVE;
	if (qv_record_play(e->record, a->move, -1, &error) != QV_OK) {
		string_addf(out, "tellusererror %s\n", error.text);
		x->force = true;
		return;
	}
	string_addf(out, "move %s\n", text.text);
	xboard_add_result(c, out);
}

/*
 * A search that failed would fail again, so the engine stops playing and analysing after an error.
 */
void xboard_answer(struct connection *c, struct string *out)
{
	struct xboard *x = xboard_of(c);
	struct engine_session *e = &c->engine;
	const enum xboard_job job = (enum xboard_job)atomic_load(&x->job);
	const bool wanted = job == JOB_MOVE && !x->discard;
	atomic_store(&x->job, JOB_NONE);
	x->discard = false;
	if (job == JOB_PONDER)
		engine_undo(e, 1, NULL);
	if (e->status != QV_OK && e->status != QV_STOPPED) {
		string_addf(out, "tellusererror %s\n", e->error.text);
		x->force = true;
		x->analyse = false;
	} else if (wanted) {
		if (e->set.lines < 2)
			connection_last_info(c, out);
		make_move(c, out);
	}
}

/* ---- Progress ---- */

/*
 * PLY SCORE TIME NODES SELDEPTH NPS TBHITS, a tab and the line; times in hundredths of a second.
 * Pondering is not shown: the interface would take it for the current position.
 */
void xboard_info(struct connection *c, int line, const struct qv_answer *a, struct string *out)
{
	struct xboard *x = xboard_of(c);
	const int64_t ms = c->no_times ? 0 : (int64_t)(a->seconds * 1000);
	if (line == 1) {
		atomic_store(&x->told_depth, a->depth);
		atomic_store(&x->told_nodes, a->nodes);
		atomic_store(&x->told_best, a->move);
	}
	if (!atomic_load(&x->post) || atomic_load(&x->job) == JOB_PONDER)
		return;
	int score = a->score;
	if (score > QV_MAX_EVAL)
		score = MATE + (QV_WIN - score + 1) / 2;
	else if (score < -QV_MAX_EVAL)
		score = -MATE - (QV_WIN + score + 1) / 2;
	const uint64_t nps = ms > 0 ? a->nodes * 1000 / (uint64_t)ms : 0;
	string_addf(out, "%d %d %lld %llu %d %llu %llu\t", a->depth, score, (long long)(ms / 10),
		    (unsigned long long)a->nodes, a->deepest, (unsigned long long)nps,
		    (unsigned long long)a->table_hits);
	engine_add_line(&c->engine, a, " ", out);
	string_addf(out, "%s\n", a->bound > 0 ? " !" : a->bound < 0 ? " ?" : "");
}

/* Nothing is printed: the interface asks with a dot. */
void xboard_root_move(struct connection *c, qv_move move, int n, int depth, struct string *out)
{
	struct xboard *x = xboard_of(c);
	(void)out;
	atomic_store(&x->told_depth, depth);
	atomic_store(&x->told_move, move);
	atomic_store(&x->told_number, n);
}
