/*
 * pgn.c - the games of a match as PGN.
 * SPDX-License-Identifier: MIT
 *
 * The moves are written by formats/pgn.h; here are the tags that other programs look for: round,
 * termination, time control, date, start and opening, as the PGN standard and cutechess-cli write
 * them, and how programs call themselves.
 */
#include "match/match.h"

#include <time.h>

#include "core/context.h"
#include "formats/pgn.h"
#include "match/details.h"

/* The values of the Termination tag. */
static const char *const terminations[MATCH_END_COUNT] = {
	[END_RULES] = "normal",
	[END_MAX_PLIES] = "adjudication",
	[END_ADJUDICATED] = "adjudication",
	[END_CRASH] = "abandoned",
	[END_TIMEOUT] = "time forfeit",
	[END_ILLEGAL] = "illegal move",
};

/* The value of a tag. */
struct tag_text {
	char text[64];
};

/* Seconds without trailing zeros. */
static struct tag_text seconds(int64_t ms)
{
	struct tag_text w;
	snprintf(w.text, sizeof w.text, "%lld.%03lld", (long long)(ms / 1000),
		 (long long)(ms % 1000));
	size_t length = strlen(w.text);
	while (w.text[length - 1] == '0')
		length--;
	length -= w.text[length - 1] == '.';
	w.text[length] = '\0';
	return w;
}

/* 1/5: 5 s for each move; 10+0.1: for the game; 40/2+0.01: for each 40 moves. */
void match_clock_text(const struct time_control *clock, char out[MATCH_CLOCK_TEXT])
{
	struct qv_text w = { out, MATCH_CLOCK_TEXT, 0 };
	if (clock->move_ms) {
		qv_put(&w, "1/");
		qv_put(&w, seconds(clock->move_ms).text);
		return;
	}
	struct time_stage stage = { clock->base_ms, clock->added_ms, clock->period_moves };
	qv_put(&w, clock->base_ms ? "" : "-");
	for (int i = 0; clock->base_ms && i <= clock->later_count; i++) {
		if (i) {
			qv_put(&w, ":");
			stage = clock->later[i - 1];
		}
		if (stage.moves) {
			qv_put_int(&w, stage.moves);
			qv_put(&w, "/");
		}
		qv_put(&w, seconds(stage.base_ms).text);
		qv_put(&w, stage.added_ms ? "+" : "");
		qv_put(&w, stage.added_ms ? seconds(stage.added_ms).text : "");
	}
}

enum qv_status match_pgn(const struct qv_context *context, const struct match_plan *plan,
			 const struct match_game *game, bool no_times, struct string *out,
			 struct qv_error *error)
{
	struct tag_text round, date = { "????.??.??" }, start = { "" };
	char control[MATCH_CLOCK_TEXT];
	const time_t now = game->started ? (time_t)game->started : time(NULL);
	struct tm today;
	match_clock_text(&plan->clock, control);
	if (gmtime_r(&now, &today)) {
		strftime(date.text, sizeof date.text, "%Y.%m.%d", &today);
		strftime(start.text, sizeof start.text, "%Y-%m-%dT%H:%M:%S +0000", &today);
	}
	struct match_seating seating;
	struct qv_record *record = NULL;
	plan_seating(plan, game->number, &seating);
	snprintf(round.text, sizeof round.text, "%lld", (long long)seating.round + 1);
	struct record_tag tags[11] = {
		{ "Event", "Match" },
		{ "Round", round.text },
		{ "PlyCount", "" },
		{ "Termination", terminations[game->end] },
		{ "TimeControl", control },
	};
	int count = 5;
	if (!no_times)
		tags[count++] = (struct record_tag){ "Date", date.text };
	if (!no_times && game->started)
		tags[count++] = (struct record_tag){ "GameStartTime", start.text };
	/* In PDN Black has the first seat. */
	const int white = context_engine(plan->rules.game)->pdn_type != NULL;
	if (*game->engine[white])
		tags[count++] = (struct record_tag){ "WhiteEngineName", game->engine[white] };
	if (*game->engine[1 - white])
		tags[count++] = (struct record_tag){ "BlackEngineName", game->engine[1 - white] };
	if (game->opening)
		tags[count++] = (struct record_tag){ "Opening", game->opening->name };
	if (game->opening && *game->opening->eco.text)
		tags[count++] = (struct record_tag){ "ECO", game->opening->eco.text };
	const struct match_reason reason = match_game_reason(game);
	const struct pgn_style style = {
		.match = true, .last_comment = reason.text, .tags = tags, .tag_count = count
	};
	enum qv_status status =
		qv_record_load(context, game->record.data, game->record.length, &record, error);
	if (status == QV_OK)
		status = pgn_write(context, record, &style, out, error);
	qv_record_free(record);
	return status;
}
