/*
 * xboard_search.c - when an XBoard engine searches, with which limits, and what it reports.
 * SPDX-License-Identifier: MIT
 */
#include "protocols/xboard.h"

#include "base/clock.h"

enum { MATE = 100000 }; /* a score of so much and N is a mate in N moves */

/* ---- Beginning ---- */

static int seat_to_move(const struct wire *w)
{
	return w->thinker.rules.game->seat(thinker_state(&w->thinker));
}

bool xboard_on_move(const struct wire *w)
{
	const struct xboard *x = xboard_of(w);
	return !x->force && !x->analyse && seat_to_move(w) == x->seat && !thinker_over(&w->thinker);
}

static void set_time(const struct wire *w, struct thinker_limits *limits)
{
	const struct xboard *x = xboard_of(w);
	const int64_t lag = w->thinker.set.lag_ms;
	limits->depth = x->depth;
	const struct game_clock *c = &x->clock;
	const int64_t move_ms = c->control.move_ms;
	if (move_ms) {
		limits->time_ms = move_ms > 2 * lag ? move_ms - lag : move_ms / 2 + 1;
	} else if (game_clock_on(c)) {
		limits->clocks = true;
		limits->left_ms[x->seat] = game_clock_left(c, XBOARD_OWN, 0);
		limits->left_ms[1 - x->seat] = game_clock_left(c, XBOARD_OPPONENT, 0);
		limits->added_ms[0] = limits->added_ms[1] = c->control.added_ms;
		limits->moves_to_go = game_clock_moves_to_go(c, XBOARD_OWN);
	}
}

static bool is_excluded(const struct xboard *x, qv_move move)
{
	for (int i = 0; i < x->excluded_count; i++)
		if (x->excluded[i] == move)
			return true;
	return false;
}

/* The moves that are left, if some were excluded; none: all are tried. */
static int list_allowed(const struct wire *w, qv_move *list)
{
	const struct xboard *x = xboard_of(w);
	int kept = 0;
	if (!x->excluded_count)
		return 0;
	const int count = w->thinker.rules.game->moves(thinker_state(&w->thinker), list);
	for (int i = 0; i < count; i++)
		if (!is_excluded(x, list[i]))
			list[kept++] = list[i];
	return kept;
}

static int count_moves(const struct wire *w)
{
	qv_move list[QV_MAX_MOVES];
	return w->thinker.rules.game->moves(thinker_state(&w->thinker), list);
}

static enum wire_next begin(struct wire *w, enum xboard_job job, struct string *out)
{
	struct xboard *x = xboard_of(w);
	struct thinker_limits limits = { .infinite = job == JOB_ANALYSE,
					 .ponder = job == JOB_PONDER };
	qv_move only[QV_MAX_MOVES];
	struct qv_error error;
	if (job == JOB_ANALYSE) {
		limits.only_count = list_allowed(w, only);
		limits.only = only;
	} else {
		set_time(w, &limits);
	}
	thinker_analyse(&w->thinker, job == JOB_ANALYSE);
	if (thinker_go(&w->thinker, &limits, &error) != QV_OK) {
		string_addf(out, "tellusererror %s\n", error.text);
		x->force = true;
		x->analyse = false;
		return WIRE_ON;
	}
	atomic_store(&x->job, job);
	atomic_store(&x->told_depth, 0);
	atomic_store(&x->told_nodes, 0);
	atomic_store(&x->told_best, QV_NO_MOVE);
	atomic_store(&x->told_move, QV_NO_MOVE);
	atomic_store(&x->told_number, 0);
	x->move_count = limits.only_count ? limits.only_count : count_moves(w);
	x->discard = false;
	x->began_us = clock_us();
	return wire_begin(w);
}

/* On the opponent's time: about the move that is expected, as if it had been played. */
static enum wire_next begin_ponder(struct wire *w, struct string *out)
{
	struct xboard *x = xboard_of(w);
	struct thinker *t = &w->thinker;
	const struct qv_game *game = t->rules.game;
	memcpy(x->before, thinker_state(t), game->state_size);
	if (x->expected == QV_NO_MOVE || !qv_move_legal(game, x->before, x->expected) ||
	    qv_record_play(t->record, x->expected, -1, NULL) != QV_OK)
		return WIRE_ON;
	if (thinker_over(t)) {
		thinker_undo(t, 1, NULL);
		return WIRE_ON;
	}
	const enum wire_next next = begin(w, JOB_PONDER, out);
	if (next != WIRE_THINK)
		thinker_undo(t, 1, NULL);
	return next;
}

enum wire_next xboard_idle(struct wire *w, struct string *out)
{
	const struct xboard *x = xboard_of(w);
	const enum xboard_fate fate = xboard_fate(w);
	if (w->busy || x->editing || x->paused || thinker_over(&w->thinker))
		return WIRE_ON;
	/* Of jobs only a move has an end of its own, for which lines can wait. */
	if (xboard_on_move(w) && fate != FATE_BREAKS) {
		const enum wire_next next = begin(w, JOB_MOVE, out);
		if (next == WIRE_THINK && fate == FATE_HURRIES)
			wire_stop(w);
		return next;
	}
	if (wire_waits(w))
		return WIRE_ON;
	if (x->analyse)
		return begin(w, JOB_ANALYSE, out);
	if (x->hard && !x->force)
		return begin_ponder(w, out);
	return WIRE_ON;
}

/* ---- Ending ---- */

bool xboard_ponder_hit(struct wire *w, const char *move)
{
	struct xboard *x = xboard_of(w);
	qv_move played;
	if (atomic_load(&x->job) != JOB_PONDER || x->discard || wire_waits(w) ||
	    qv_move_parse(w->thinker.rules.game, x->before, move, &played, NULL) != QV_OK ||
	    played != x->expected)
		return false;
	atomic_store(&x->job, JOB_MOVE);
	x->began_us = clock_us();
	thinker_ponderhit(&w->thinker);
	return true;
}

void xboard_break(struct wire *w)
{
	xboard_of(w)->discard = true;
	wire_stop(w);
}

void xboard_add_result(const struct wire *w, struct string *out)
{
	const struct thinker *t = &w->thinker;
	const struct qv_game *game = t->rules.game;
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(t->record, points) == QV_GOING)
		return;
	const bool by_rule = game->result(thinker_state(t), points) != QV_GOING;
	switch (by_rule ? qv_winner(game, points) : -1) {
	case 0:
		string_addf(out, "1-0 {White mates}\n");
		break;
	case 1:
		string_addf(out, "0-1 {Black mates}\n");
		break;
	default:
		string_addf(out, "1/2-1/2 {%s}\n", by_rule ? "Draw by rule" : "Draw by repetition");
	}
}

static void make_move(struct wire *w, struct string *out)
{
	struct xboard *x = xboard_of(w);
	struct thinker *t = &w->thinker;
	const struct qv_answer *a = &t->answer;
	const struct thinker_move text = thinker_move(t->rules.game, thinker_state(t), a->move);
	struct qv_error error;
	/* Until the interface sends the time. */
	game_clock_charge(&x->clock, XBOARD_OWN, clock_us() - x->began_us);
	game_clock_moved(&x->clock, XBOARD_OWN);
	x->knows_score = a->depth > 0;
	x->score = a->score;
	x->expected = a->line_length > 1 && a->line[0] == a->move ? a->line[1] : QV_NO_MOVE;
	if (qv_record_play(t->record, a->move, -1, &error) != QV_OK) {
		string_addf(out, "tellusererror %s\n", error.text);
		x->force = true;
		return;
	}
	string_addf(out, "move %s\n", text.text);
	xboard_add_result(w, out);
}

void xboard_answer(struct wire *w, struct string *out)
{
	struct xboard *x = xboard_of(w);
	struct thinker *t = &w->thinker;
	const enum xboard_job job = (enum xboard_job)atomic_load(&x->job);
	const bool wanted = job == JOB_MOVE && !x->discard;
	atomic_store(&x->job, JOB_NONE);
	x->discard = false;
	if (job == JOB_PONDER)
		thinker_undo(t, 1, NULL);
	if (t->status != QV_OK && t->status != QV_STOPPED) {
		string_addf(out, "tellusererror %s\n", t->error.text);
		x->force = true;
		x->analyse = false;
	} else if (wanted) {
		if (t->set.lines < 2)
			wire_last_info(w, out);
		make_move(w, out);
	}
}

/* ---- What is known ---- */

static int score_of(const struct qv_answer *a)
{
	if (a->score > QV_MAX_EVAL)
		return MATE + (QV_WIN - a->score + 1) / 2;
	if (a->score < -QV_MAX_EVAL)
		return -MATE - (QV_WIN + a->score + 1) / 2;
	return a->score;
}

void xboard_info(struct wire *w, int line, const struct qv_answer *a, struct string *out)
{
	struct xboard *x = xboard_of(w);
	const int64_t ms = w->no_times ? 0 : (int64_t)(a->seconds * 1000);
	if (line == 1) {
		atomic_store(&x->told_depth, a->depth);
		atomic_store(&x->told_nodes, a->nodes);
		atomic_store(&x->told_best, a->move);
	}
	if (!atomic_load(&x->post) || atomic_load(&x->job) == JOB_PONDER)
		return;
	const uint64_t nps = ms > 0 ? a->nodes * 1000 / (uint64_t)ms : 0;
	string_addf(out, "%d %d %lld %llu %d %llu 0\t", a->depth, score_of(a), (long long)(ms / 10),
		    (unsigned long long)a->nodes, a->deepest, (unsigned long long)nps);
	thinker_add_line(&w->thinker, a, " ", out);
	string_addf(out, "%s\n", a->bound > 0 ? " !" : a->bound < 0 ? " ?" : "");
}

void xboard_root_move(struct wire *w, qv_move move, int n, int depth, struct string *out)
{
	struct xboard *x = xboard_of(w);
	(void)out;
	atomic_store(&x->told_depth, depth);
	atomic_store(&x->told_move, move);
	atomic_store(&x->told_number, n);
}
