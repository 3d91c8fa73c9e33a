/*
 * pgn.c - the games of a match as PGN.
 * SPDX-License-Identifier: MIT
 *
 * The moves are written by formats/pgn.h; here are the tags that other programs look for: round,
 * termination, time control and date, as the PGN standard and cutechess-cli write them.
 */
#include "match/match.h"

#include <time.h>

#include "formats/pgn.h"

/* The value of the Termination tag. */
static const char *termination(enum match_end end)
{
	switch (end) {
	case END_MAX_PLIES:
	case END_ADJUDICATED:
		return "adjudication";
	case END_TIMEOUT:
		return "time forfeit";
	case END_CRASH:
		return "abandoned";
	case END_ILLEGAL:
		return "illegal move";
	default:
		return "normal";
	}
}

struct tag_text {
	char text[64];
};

/* Seconds without trailing zeros. */
static struct tag_text seconds(int64_t ms)
{
	struct tag_text w;
	snprintf(w.text, sizeof w.text, "%lld.%03lld", (long long)(ms / 1000),
		 (long long)(ms % 1000));
	for (size_t i = strlen(w.text); w.text[i - 1] == '0' || w.text[i - 1] == '.';) {
		const bool point = w.text[i - 1] == '.';
		w.text[--i] = '\0';
		if (point)
			break;
	}
	return w;
}

static struct tag_text time_control(const struct match_clock *clock)
{
	struct tag_text w = { "-" };
	if (clock->kind == CLOCK_MOVE)
		snprintf(w.text, sizeof w.text, "1/%.24s", seconds(clock->base_ms).text);
	else if (clock->kind == CLOCK_GAME && clock->added_ms)
		snprintf(w.text, sizeof w.text, "%.24s+%.24s", seconds(clock->base_ms).text,
			 seconds(clock->added_ms).text);
	else if (clock->kind == CLOCK_GAME)
		snprintf(w.text, sizeof w.text, "%s", seconds(clock->base_ms).text);
	return w;
}

static struct tag_text today(void)
{
	struct tag_text w = { "????.??.??" };
	const time_t now = time(NULL);
	struct tm date;
	if (gmtime_r(&now, &date))
		strftime(w.text, sizeof w.text, "%Y.%m.%d", &date);
	return w;
}

enum qv_status match_pgn(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_game *game, bool no_times, struct string *out,
			 struct qv_error *error)
{
	const struct tag_text date = today(), control = time_control(&plan->clock);
	struct tag_text round;
	struct match_seating seating;
	struct qv_record *record = NULL;
	plan_seating(plan, game->number, &seating);
	snprintf(round.text, sizeof round.text, "%lld", (long long)seating.round + 1);
	const struct record_tag tags[] = {
		{ "Event", "Match" },
		{ "Round", round.text },
		{ "PlyCount", "" },
		{ "Termination", termination(game->end) },
		{ "TimeControl", control.text },
		{ "Date", date.text },
	};
	const int count = (int)(sizeof tags / sizeof *tags);
	const struct match_reason reason = match_game_reason(game);
	const struct pgn_style style = { .match = true,
					 .last_comment = reason.text,
					 .tags = tags,
					 .tag_count = no_times ? count - 1 : count };
	enum qv_status status =
		qv_record_load(context, game->record.data, game->record.length, &record, error);
	if (status == QV_OK)
		status = pgn_write(context, record, &style, out, error);
	qv_record_free(record);
	return status;
}
