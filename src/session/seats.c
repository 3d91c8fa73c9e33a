/*
 * seats.c - who sits where at the terminal, and the players that think for the computers' seats.
 * SPDX-License-Identifier: MIT
 */
#include "session/seats.h"

#include "base/text.h"
#include "core/context.h"
#include "programs/players.h"
#include "search/allot.h"

/* ---- Looking ---- */

const char *session_spec(const struct session *s, int seat)
{
	return s->chapters[s->chapter].seats[seat];
}

bool session_is_person(const struct session *s, int seat)
{
	return strcmp(session_spec(s, seat), "human") == 0;
}

int session_persons(const struct session *s)
{
	int persons = 0;
	for (int seat = 0; seat < session_game(s)->seats; seat++)
		persons += session_is_person(s, seat);
	return persons;
}

int session_level_of(const char *spec)
{
	int64_t level;
	if (strncmp(spec, "level:", 6) != 0 || !text_to_int(spec + 6, 1, 1000, &level))
		return 0;
	return (int)level;
}

/* ---- Players ---- */

static enum qv_status make_player(const struct session *s, const char *spec, int seat,
				  struct qv_player **out, struct qv_error *error)
{
	struct qv_defaults defaults = s->setup.defaults;
	/* Neither two seats nor two games in a row draw the same numbers. */
	defaults.seed =
		qv_random_key(defaults.seed, (uint64_t)seat) + s->chapters[s->chapter].number;
	const struct qv_rules *rules = qv_record_rules(session_record(s));
	if (!s->setup.programs)
		return qv_player_new(s->setup.context, rules, spec, &defaults, out, error);
	return player_open(s->setup.context, rules, spec, &defaults, out, error);
}

void seats_release(struct session *s)
{
	for (int seat = 0; seat < QV_MAX_SEATS; seat++) {
		qv_player_free(s->players[seat]);
		s->players[seat] = NULL;
	}
	qv_player_free(s->adviser);
	s->adviser = NULL;
}

enum qv_status seats_check(const struct qv_context *context, const struct qv_rules *rules,
			   const struct qv_defaults *defaults, const char *spec, bool programs,
			   struct qv_error *error)
{
	struct qv_player *player = NULL;
	if (strcmp(spec, "human") == 0)
		return QV_OK;
	if (strlen(spec) >= SESSION_SPEC)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters",
			       SESSION_SPEC - 1);
	const enum qv_status status =
		programs ? player_open(context, rules, spec, defaults, &player, error)
			 : qv_player_new(context, rules, spec, defaults, &player, error);
	qv_player_free(player);
	return status;
}

enum qv_status session_set_seat(struct session *s, int seat, const char *spec,
				struct qv_error *error)
{
	const struct qv_rules *rules = qv_record_rules(session_record(s));
	if (seat < 0 || seat >= rules->game->seats)
		return qv_fail(error, QV_BAD_INPUT, "seat %d: there are seats 1 to %d", seat + 1,
			       rules->game->seats);
	const enum qv_status status = seats_check(s->setup.context, rules, &s->setup.defaults, spec,
						  s->setup.programs, error);
	if (status != QV_OK)
		return status;
	char *kept = s->chapters[s->chapter].seats[seat];
	if (spec != kept)
		memcpy(kept, spec, strlen(spec) + 1);
	qv_player_free(s->players[seat]);
	s->players[seat] = NULL;
	return QV_OK;
}

enum qv_status session_set_level(struct session *s, int level, struct qv_error *error)
{
	char spec[32];
	const int seats = session_game(s)->seats, count = game_level_count(session_game(s));
	if (level < 1 || level > count)
		return qv_fail(error, QV_BAD_INPUT, "level %d: there are levels 1 to %d", level,
			       count);
	if (session_persons(s) == seats)
		return qv_fail(error, QV_ILLEGAL,
			       "level: no computer plays; 'seat %d level:%d' seats one", seats,
			       level);
	snprintf(spec, sizeof spec, "level:%d", level);
	for (int seat = 0; seat < seats; seat++) {
		const enum qv_status status =
			session_is_person(s, seat) ? QV_OK : session_set_seat(s, seat, spec, error);
		if (status != QV_OK)
			return status;
	}
	return QV_OK;
}

void session_swap(struct session *s)
{
	struct chapter *c = &s->chapters[s->chapter];
	game_rotate_seats(c->seats, session_game(s)->seats, SESSION_SPEC);
	seats_release(s);
}

/* ---- Thinking ---- */

/* What an external program gets to know besides the position. */
static struct player_news news_for(const struct session *s, bool clocks)
{
	struct player_news news = { .record = session_record(s), .clocks = clocks };
	for (int seat = 0; news.clocks && seat < session_game(s)->seats; seat++) {
		news.left_ms[seat] = session_left_ms(s, seat);
		news.added_ms[seat] = session_current(s)->clock.control.added_ms;
	}
	return news;
}

/* `clocks`: on the time of the seat to move. */
static enum qv_status ask(struct session *s, struct qv_player *player, bool clocks,
			  const atomic_bool *stop, struct qv_answer *out, struct qv_error *error)
{
	const struct player_news news = news_for(s, clocks);
	struct qv_limits limits = { .stop = stop };
	const struct allot_clock clock = { .left_ms = session_left_ms(s, session_seat(s)),
					   .added_ms = session_current(s)->clock.control.added_ms,
					   .lag_ms = ALLOT_LAG_MS };
	if (clocks)
		allot(&clock, &limits);
	limits.history = qv_record_history(session_record(s), &limits.history_count);
	return player_think(player, &news, session_state(s), &limits, NULL, out, error);
}

enum qv_status session_think(struct session *s, const atomic_bool *stop, struct qv_answer *out,
			     struct qv_error *error)
{
	const int seat = session_seat(s);
	enum qv_status status = QV_OK;
	if (!s->players[seat])
		status = make_player(s, session_spec(s, seat), seat, &s->players[seat], error);
	if (status != QV_OK)
		return status;
	session_clock_start(s);
	status = ask(s, s->players[seat], game_clock_on(&session_current(s)->clock), stop, out,
		     error);
	session_clock_stop(s);
	return status;
}

static enum qv_status make_adviser(struct session *s, struct qv_error *error)
{
	char own[STRONGEST_SPEC];
	strongest_player(session_game(s), "time=1s", own);
	return make_player(s, s->hint[0] ? s->hint : own, 0, &s->adviser, error);
}

enum qv_status session_advise(struct session *s, const char *spec, const atomic_bool *stop,
			      struct qv_answer *out, struct qv_error *error)
{
	struct qv_player *other = NULL;
	enum qv_status status = QV_OK;
	if (spec)
		status = make_player(s, spec, session_seat(s), &other, error);
	else if (!s->adviser)
		status = make_adviser(s, error);
	if (status == QV_OK)
		status = ask(s, spec ? other : s->adviser, false, stop, out, error);
	qv_player_free(other);
	return status;
}
