/*
 * games.c - an IMCS game from the first prompt to the result: moves, clocks, ends, the log.
 * SPDX-License-Identifier: MIT
 *
 * Each game drives a game_session, which has its record and clock. The seat to move gets the board as a
 * prompt; the other seat hears of the move only with its own next prompt. White's first move costs
 * nothing, but has to come within a minute. Every line costs time, also one that is refused.
 */
#include "imcs/inside.h"

#include <time.h>

enum {
	POSITION = 128,
	LOG_MOST = 1 << 18, /* bytes of a log; what is refused may come without end */
};

static const char *const colors[2] = { "W", "B" };

static int seat_to_move(const struct entry *e)
{
	return game_seat_to_move(&e->game);
}

/* As of when the seat to move was asked last. */
static int64_t left_ms(const struct entry *e, int seat)
{
	const struct game_clock *c = &e->game.clock;
	const int64_t left = game_clock_left(c, seat, c->since_ms);
	return left > 0 ? left : 0;
}

bool imcs_is_on_move(const struct imcs_peer *p)
{
	return p->entry && p->entry->peers[seat_to_move(p->entry)] == p;
}

static void tell_host(struct imcs *s, const struct entry *e, struct imcs_news *news)
{
	news->id = e->id;
	news->record = e->game.record;
	for (int i = 0; i < 2; i++) {
		news->players[i] = &s->accounts[e->accounts[i]];
		news->left_ms[i] = left_ms(e, i);
	}
	s->setup.host.game(s->setup.host.ctx, news);
}

/* ---- The prompt ---- */

/* The position's lines, each with its end; between them the original sends bare LF. */
static void add_board(struct string *out, const struct entry *e)
{
	char text[POSITION];
	struct qv_text to = { text, sizeof text, 0 };
	game_rules(&e->game)->position_text(qv_record_state(e->game.record), &to);
	for (char *at = text; *at; at++)
		if (*at == '/')
			*at = '\n';
	string_addf(out, "%s\n", text);
}

static void add_prompt(struct string *out, const struct entry *e, const char *end)
{
	const int seat = seat_to_move(e);
	string_addf(out, "%s", end);
	add_board(out, e);
	string_addf(out, "%s? ", end);
	imcs_add_clock(out, left_ms(e, seat));
	string_addf(out, " ");
	imcs_add_clock(out, left_ms(e, !seat));
	string_addf(out, "%s", end);
}

static void ask(struct imcs *s, struct entry *e)
{
	struct imcs_peer *p = e->peers[seat_to_move(e)];
	add_prompt(&p->out, e, "\r\n");
	if (e->log.length < LOG_MOST)
		add_prompt(&e->log, e, "\n");
	game_clock_start(&e->game.clock, seat_to_move(e), s->now);
	imcs_touch(s, p);
}

/* ---- Beginning ---- */

static void begin_log(struct imcs *s, struct entry *e)
{
	const time_t seconds = (time_t)s->setup.host.seconds(s->setup.host.ctx);
	struct tm date;
	char text[64] = "";
	if (gmtime_r(&seconds, &date))
		strftime(text, sizeof text, "%a %b %e %H:%M:%S UTC %Y", &date);
	string_addf(&e->log, "%lld: %s(%s, W) vs %s(%s)\n%s\n", (long long)e->id,
		    s->accounts[e->accounts[IMCS_WHITE]].name, e->peers[IMCS_WHITE]->address,
		    s->accounts[e->accounts[IMCS_BLACK]].name, e->peers[IMCS_BLACK]->address, text);
}

static void greet(struct imcs *s, const struct entry *e, int seat)
{
	const int own = (int)(left_ms(e, seat) / 1000), other = (int)(left_ms(e, !seat) / 1000);
	imcs_say(s, e->peers[seat], "%d %s %d:%02d %d:%02d game starts", 105 + seat, colors[seat],
		 own / 60, own % 60, other / 60, other % 60);
}

bool imcs_begin_game(struct imcs *s, struct entry *e, struct imcs_peer *other, bool other_is_white)
{
	struct imcs_peer *offerer = e->offerer;
	const int seat = other_is_white ? IMCS_BLACK : IMCS_WHITE; /* the offerer's */
	/* There is a clock; how much time each seat has is set below. */
	const struct time_control control = { .base_ms = 1,
					      .first_ms = IMCS_FIRST_MS,
					      .grace_ms = -1 };
	struct qv_record *record = NULL;
	if (qv_record_new(s->setup.context, &s->rules, NULL, &record, NULL) != QV_OK ||
	    game_session_init(&e->game, s->setup.context, record, &control) != QV_OK)
		return false;
	e->offerer = NULL;
	e->peers[seat] = offerer;
	e->peers[!seat] = other;
	for (int i = 0; i < 2; i++) {
		game_clock_set(&e->game.clock, i, 1000 * e->offer_s[i == seat ? 0 : 1]);
		e->accounts[i] = e->peers[i]->account;
		e->ratings[i] = s->accounts[e->accounts[i]].rating;
		e->peers[i]->mode = PEER_PLAYING;
		e->peers[i]->entry = e;
	}
	for (int i = 0; i < 2; i++)
		greet(s, e, i);
	imcs_last_entry(s, e);
	begin_log(s, e);
	struct imcs_news news = { .kind = IMCS_GAME_BEGINS };
	tell_host(s, e, &news);
	ask(s, e);
	return true;
}

/* ---- The end ---- */

static void rate(struct imcs *s, const struct entry *e, int winner)
{
	struct imcs_account *white = &s->accounts[e->accounts[IMCS_WHITE]];
	struct imcs_account *black = &s->accounts[e->accounts[IMCS_BLACK]];
	const int outcome = winner < 0 ? 0 : winner == IMCS_WHITE ? 1 : -1;
	const int own = white->rating;
	if (white == black)
		return;
	white->rating += imcs_rate(own, black->rating, outcome);
	black->rating += imcs_rate(black->rating, own, -outcome);
	s->setup.host.keep(s->setup.host.ctx, white);
	s->setup.host.keep(s->setup.host.ctx, black);
}

static void tell_result(struct imcs *s, struct entry *e, struct imcs_peer *p, int code,
			const char *result)
{
	if (!p)
		return;
	if (code) {
		imcs_say(s, p, "= %s", result);
		imcs_say(s, p, "%d %s", code, result);
	} else {
		imcs_say(s, p, "X %s", result);
	}
	for (int i = 0; i < 2; i++)
		if (e->peers[i] == p)
			e->peers[i] = NULL;
	imcs_close_peer(s, p);
}

void imcs_end_game(struct imcs *s, struct entry *e, int winner, enum imcs_end end)
{
	static const char *const tails[] = { [IMCS_BY_RULES] = "",
					     [IMCS_BY_RESIGNING] = " on opponent resignation",
					     [IMCS_BY_TIME] = " on opponent time",
					     [IMCS_BY_LEAVING] = " on opponent disconnect",
					     [IMCS_BY_STOP] = "" };
	static const char *const reasons[] = { [IMCS_BY_RULES] = "",
					       [IMCS_BY_RESIGNING] = "resigns",
					       [IMCS_BY_TIME] = "time",
					       [IMCS_BY_LEAVING] = "disconnect",
					       [IMCS_BY_STOP] = "server stopped" };
	char result[64] = "draw";
	const int mover = seat_to_move(e);
	int code = winner < 0 ? 230 : 231 + winner;
	if (winner >= 0)
		snprintf(result, sizeof result, "%s wins%s", colors[winner], tails[end]);
	if (end == IMCS_BY_STOP) {
		code = 0;
		snprintf(result, sizeof result, "fatal IO error: exiting");
	}
	if (end != IMCS_BY_RULES)
		qv_record_end(e->game.record, winner, reasons[end]);
	add_board(&e->log, e);
	string_addf(&e->log, "%s %s\n", code ? "=" : "X", result);
	tell_result(s, e, e->peers[!mover], code, result);
	tell_result(s, e, e->peers[mover], code, result);
	if (code)
		rate(s, e, winner);
	struct imcs_news news = { .kind = IMCS_GAME_ENDS,
				  .winner = winner,
				  .end = end,
				  .result = result,
				  .log = e->log.failed ? "" : e->log.data,
				  .log_size = e->log.failed ? 0 : e->log.length };
	tell_host(s, e, &news);
	imcs_drop_entry(s, e);
}

void imcs_leave_game(struct imcs *s, struct imcs_peer *p)
{
	struct entry *e = p->entry;
	const int seat = e->peers[IMCS_WHITE] == p ? IMCS_WHITE : IMCS_BLACK;
	imcs_end_game(s, e, game_winner_without(&e->game, seat), IMCS_BY_LEAVING);
}

/* ---- Lines ---- */

static void refuse(struct imcs *s, struct imcs_peer *p, const char *what, const char *line,
		   size_t length)
{
	const size_t before = p->out.length;
	string_addf(&p->out, "- %s move ", what);
	imcs_add_shown(&p->out, line, length);
	if (p->entry->log.length < LOG_MOST && !p->out.failed)
		string_addf(&p->entry->log, "%.*s\n", (int)(p->out.length - before),
			    p->out.data + before);
	string_addf(&p->out, "\r\n");
	ask(s, p->entry);
}

static void after_move(struct imcs *s, struct entry *e)
{
	int32_t points[QV_MAX_SEATS];
	const enum qv_outcome outcome = qv_record_result(e->game.record, points);
	if (outcome == QV_GOING)
		ask(s, e);
	else
		imcs_end_game(s, e, qv_winner(game_rules(&e->game), points), IMCS_BY_RULES);
}

static void play(struct imcs *s, struct entry *e, qv_move move, const char *text)
{
	const int seat = seat_to_move(e);
	const double seconds = (double)e->game.clock.spent_ms / 1000;
	if (qv_record_play(e->game.record, move, seconds, NULL) != QV_OK) {
		imcs_end_game(s, e, QV_UNDECIDED, IMCS_BY_STOP); /* not enough memory */
		return;
	}
	game_count_move(&e->game, seat);
	qv_record_clock(e->game.record, seat, left_ms(e, seat));
	string_addf(&e->log, "%s\n", text);
	imcs_say(s, e->peers[!seat], "! %s", text);
	struct imcs_news news = { .kind = IMCS_GAME_MOVES, .move = text };
	tell_host(s, e, &news);
	after_move(s, e);
}

void imcs_play_line(struct imcs *s, struct imcs_peer *p, const char *line, size_t length)
{
	struct entry *e = p->entry;
	const int seat = seat_to_move(e);
	const char *text = length > 2 && line[0] == '!' && line[1] == ' ' ? line + 2 : line;
	qv_move move;
	if (!game_clock_stop(&e->game.clock, s->now))
		imcs_end_game(s, e, game_winner_without(&e->game, seat), IMCS_BY_TIME);
	else if (length == 6 && memcmp(line, "resign", 6) == 0)
		imcs_end_game(s, e, game_winner_without(&e->game, seat), IMCS_BY_RESIGNING);
	else if (!imcs_is_move(text, length - (size_t)(text - line)))
		refuse(s, p, "invalid", line, length);
	else if (qv_move_parse(game_rules(&e->game), qv_record_state(e->game.record), text, &move,
			       NULL) != QV_OK)
		refuse(s, p, "illegal", text, 5);
	else
		play(s, e, move, text);
}

void imcs_line_too_long(struct imcs *s, struct imcs_peer *p, const char *begin, size_t length)
{
	if (p->mode != PEER_PLAYING)
		imcs_say(s, p, "501 unknown command");
	else
		imcs_play_line(s, p, begin, length);
}
