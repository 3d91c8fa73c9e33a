/*
 * games.c - an IMCS game from the first prompt to the result: moves, clocks, ends, the log; and the
 * texts of IMCS.
 * SPDX-License-Identifier: MIT
 *
 * Each game drives a game_session, which has its record and clock. The seat to move gets the board
 * as a prompt; the other seat gets the move only with its own next prompt. White's first move costs
 * no time, but has to come within a minute. Every line costs time, even one that is refused.
 */
#include "imcs/inside.h"

#include <math.h>
#include <time.h>

#include "base/scan.h"

enum {
	POSITION = 128,
	LOG_MOST = 1 << 18, /* bytes of a log: a peer may send illegal moves without end */
};

static const char *const colors[2] = { "W", "B" };

/* ---- Texts ---- */

/* As the original's ^([0-9]+)(:([0-9][0-9]))?$, but limited. */
bool imcs_read_time(const char *text, int64_t *seconds)
{
	int64_t whole = 0;
	const char *at = text;
	for (; is_digit(*at); at++)
		if ((whole = 10 * whole + (*at - '0')) > IMCS_MOST_S)
			return false;
	if (at == text)
		return false;
	if (*at == ':') {
		if (!is_digit(at[1]) || !is_digit(at[2]))
			return false;
		whole = 60 * whole + 10 * (at[1] - '0') + (at[2] - '0');
		at += 3;
	}
	if (*at || whole > IMCS_MOST_S)
		return false;
	*seconds = whole;
	return true;
}

/* The Elo formula with K = 32. Rounding down loses a point now and then, as in the original. */
int imcs_rate(int own, int other, int outcome)
{
	const double expected = 1 / (1 + pow(10, (other - own) / 400.0));
	return (int)floor(32 * ((outcome + 1) / 2.0 - expected));
}

/* The board has 5 files and 6 ranks. */
static bool is_square(const char *text)
{
	return text[0] >= 'a' && text[0] <= 'e' && text[1] >= '1' && text[1] <= '6';
}

/* The form only; whether it is legal is another question with another reply. */
bool imcs_is_move(const char *text, size_t length)
{
	return length == 5 && is_square(text) && text[2] == '-' && is_square(text + 3);
}

void imcs_add_shown(struct string *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		/* The original takes bytes for Latin-1. */
		const bool prints = (c >= 0x20 && c < 0x7f) || (c >= 0xa0 && c != 0xad);
		if (c == '\\')
			string_add(out, "\\\\", 2);
		else if (prints)
			string_add(out, &text[i], 1);
		else
			string_addf(out, "\\[%02x]", c);
	}
}

void imcs_add_clock(struct string *out, int64_t ms)
{
	string_addf(out, "%02d:%02d.%03d", (int)(ms / 60000), (int)(ms / 1000 % 60),
		    (int)(ms % 1000));
}

/* ---- Seats and clocks ---- */

/* IMCS_WHITE or IMCS_BLACK. */
static int seat_to_move(const struct entry *e)
{
	return game_seat_to_move(&e->game);
}

/* The time left when the seat to move got its prompt. */
static int64_t left_ms(const struct entry *e, int seat)
{
	const struct game_clock *c = &e->game.clock;
	const int64_t left = game_clock_left(c, seat, c->since_ms);
	return left > 0 ? left : 0;
}

/* Reports an event; adds what all events have. */
static void tell_host(struct imcs *s, const struct entry *e, struct imcs_news *news)
{
	news->id = e->id;
	news->record = e->game.record;
	for (int i = 0; i < 2; i++) {
		news->players[i] = &s->accounts[e->accounts[i]];
		news->ratings[i] = e->ratings[i];
		news->left_ms[i] = left_ms(e, i);
	}
	s->setup.host.game(s->setup.host.ctx, news);
}

/* ---- The prompt ---- */

/* Appends the lines of the position; as in the original, they end with a bare LF. */
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

/* The line ends differ: CR LF for the peer, LF in the log. Clocks are the mover's first. */
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

/* Sends the prompt to the seat to move, and starts its clock. */
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

/*
 * The record and the session are made first; after that nothing can fail. Both peers are told
 * before the first prompt.
 */
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
	for (int i = 0; i < 2; i++) {
		const int own = (int)(left_ms(e, i) / 1000), its = (int)(left_ms(e, !i) / 1000);
		imcs_say(s, e->peers[i], "%d %s %d:%02d %d:%02d game starts", 105 + i, colors[i],
			 own / 60, own % 60, its / 60, its % 60);
	}
	imcs_last_entry(s, e);
	/* The log begins with the players and the date. */
	const time_t seconds = (time_t)s->setup.host.seconds(s->setup.host.ctx);
	struct tm date;
	char text[64] = "";
	if (gmtime_r(&seconds, &date))
		strftime(text, sizeof text, "%a %b %e %H:%M:%S UTC %Y", &date);
	string_addf(&e->log, "%lld: %s(%s, W) vs %s(%s)\n%s\n", (long long)e->id,
		    s->accounts[e->accounts[IMCS_WHITE]].name, e->peers[IMCS_WHITE]->address,
		    s->accounts[e->accounts[IMCS_BLACK]].name, e->peers[IMCS_BLACK]->address, text);
	struct imcs_news news = { .kind = IMCS_GAME_BEGINS };
	tell_host(s, e, &news);
	ask(s, e);
	return true;
}

/* ---- The end ---- */

/* Tells a peer the result and closes it. Code 0: the server broke the game off. */
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

/*
 * The peer that is not on move is told first, as in the original. A game that the server breaks
 * off is not rated and has no result.
 */
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
	/* Both ratings change by the ratings before the game. */
	struct imcs_account *white = &s->accounts[e->accounts[IMCS_WHITE]];
	struct imcs_account *black = &s->accounts[e->accounts[IMCS_BLACK]];
	struct imcs_news news = { .kind = IMCS_GAME_ENDS,
				  .winner = winner,
				  .end = end,
				  .result = result,
				  .log = e->log.failed ? "" : e->log.data,
				  .log_size = e->log.failed ? 0 : e->log.length };
	if (code && white != black) {
		const int outcome = winner < 0 ? 0 : winner == IMCS_WHITE ? 1 : -1;
		news.changes[IMCS_WHITE] = imcs_rate(white->rating, black->rating, outcome);
		news.changes[IMCS_BLACK] = imcs_rate(black->rating, white->rating, -outcome);
		white->rating += news.changes[IMCS_WHITE];
		black->rating += news.changes[IMCS_BLACK];
		imcs_rated(s, e->accounts[IMCS_WHITE]);
		imcs_rated(s, e->accounts[IMCS_BLACK]);
	}
	tell_host(s, e, &news);
	imcs_drop_entry(s, e);
}

/* ---- Lines ---- */

/* Tells the peer that the line is not a move, and asks again. */
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

/* The move is legal. The opponent gets it together with its prompt, which `ask` appends. */
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
	int32_t points[QV_MAX_SEATS];
	if (qv_record_result(e->game.record, points) == QV_GOING)
		ask(s, e);
	else
		imcs_end_game(s, e, qv_winner(game_rules(&e->game), points), IMCS_BY_RULES);
}

/*
 * The clock stops before the line is read, so that a flag that fell meanwhile decides. `resign`
 * needs no mark; a move may have one.
 */
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
