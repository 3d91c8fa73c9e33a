/*
 * match_show.c - how a match is printed: log lines, progress, standings, JSON.
 * SPDX-License-Identifier: MIT
 *
 * First the figures: with two players Elo comes from their direct meetings, with more from ratings
 * fitted to all of them. Then the standings, a table of statistics with a column for each player
 * (as the console of the Lurgee framework had it, with a row for draws), and the same as JSON.
 */
#include "cli/match_show.h"

#include "terminal/view.h"

enum { LABEL = 24, COLUMN = 21 }; /* widths in the table of statistics */
enum { MOST_COLUMNS = 4, MOST_OPENINGS = 20, MOST_SCORES = 40 };

/* ---- Figures ---- */

/* The results of player a against player b. */
static const struct tally *meeting(const struct match_totals *t, int a, int b)
{
	return &t->meetings[a * t->players + b];
}

/* The same in pairs of games with swapped seats. */
static const struct pair_tally *pair_meeting(const struct match_totals *t, int a, int b)
{
	return &t->pairs[a * t->players + b];
}

/*
 * The figures of more than two players: ratings fitted to all meetings, and superiority from the
 * sum of all results.
 */
static enum qv_status figures_of_many(struct match_view *v, struct qv_error *error)
{
	struct rating ratings[MATCH_MAX_PLAYERS];
	const int players = v->totals->players, seats = v->plan->rules.game->seats;
	if (ratings_of_meetings(v->totals->allocator, players, v->totals->meetings, seats,
				ratings) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	for (int i = 0; i < players; i++) {
		struct tally sum = { 0, 0, 0 }; /* against all others */
		for (int other = 0; other < players; other++) {
			const struct tally *m = meeting(v->totals, i, other);
			sum.wins += m->wins;
			sum.draws += m->draws;
			sum.losses += m->losses;
		}
		v->lines[i] = (struct match_line){ ratings[i].elo, ratings[i].error,
						   statistics_of_meetings(&sum, seats).los,
						   ratings[i].bounded };
	}
	return QV_OK;
}

/* The points per game of a player. */
static double share(const struct match_view *v, int player)
{
	const struct match_total *t = &v->totals->total[player];
	return t->games ? t->shares / (double)t->games : 0;
}

/*
 * With two players the figures come from their meetings alone, by pairs if the match is in pairs.
 */
enum qv_status match_view_make(struct match_view *v, struct qv_error *error)
{
	const int players = v->totals->players;
	enum qv_status status = QV_OK;
	if (players > 2)
		status = figures_of_many(v, error);
	for (int i = 0; i < 2 && players == 2; i++) {
		const struct statistics s =
			v->plan->pairs ? statistics_of_pairs(pair_meeting(v->totals, i, 1 - i))
				       : statistics_of_meetings(meeting(v->totals, i, 1 - i),
								v->plan->rules.game->seats);
		v->lines[i] = (struct match_line){ s.elo, s.elo_error, s.los, s.bounded };
	}
	for (int i = 0; i < players; i++)
		v->searchers[i] = match_searcher(v->plan->rules.game, v->plan->players[i].spec);
	/* An insertion sort is stable: with equal points the first listed is first. */
	for (int i = 0; i < players; i++) {
		int at = i;
		for (; at && share(v, i) > share(v, v->order[at - 1]); at--)
			v->order[at] = v->order[at - 1];
		v->order[at] = i;
	}
	return status;
}

/* Games that have no second game of their pair: they do not count in statistics by pairs. */
static int64_t unpaired(const struct match_view *v)
{
	const struct match_totals *t = v->totals;
	int64_t left = t->games;
	for (int a = 0; a < t->players; a++)
		for (int b = a + 1; b < t->players; b++) {
			const struct pair_tally *p = pair_meeting(t, a, b);
			left -= 2 * (int64_t)(p->ll + p->ld + p->wl + p->dd + p->wd + p->ww);
		}
	return v->plan->pairs ? left : 0;
}

/* ---- While it runs ---- */

/* As "game 3: A - B: win 1, B ran out of time, 40 plies"; the players in the order of the seats. */
void match_log_game(const struct match_plan *plan, const struct match_game *game,
		    struct string *out)
{
	const struct match_reason reason = match_game_reason(game);
	struct match_seating s;
	plan_seating(plan, game->number, &s);
	string_addf(out, "game %lld: ", (long long)game->number + 1);
	for (int seat = 0; seat < plan->rules.game->seats; seat++)
		string_addf(out, "%s%s", seat ? " - " : "", plan->players[s.player[seat]].name);
	if (game->winner >= 0)
		string_addf(out, ": win %d", game->winner + 1);
	else
		string_addf(out, ": draw");
	if (game->end != END_RULES)
		string_addf(out, ", %s", *reason.text ? reason.text : match_end_text(game->end));
	string_addf(out, ", %d %s\n", game->plies, game->plies == 1 ? "ply" : "plies");
}

/* As "game 12 of 100  A 7.5  B 4.5  LLR 0.31", for the first few players. */
void match_progress(const struct match_plan *plan, const struct sprt *sprt,
		    const struct match_totals *totals, struct string *out)
{
	string_addf(out, "game %lld of %lld", (long long)totals->games, (long long)plan->games);
	for (int i = 0; i < totals->players && i < MOST_COLUMNS; i++)
		string_addf(out, "  %s %g", plan->players[i].name, totals->total[i].shares);
	if (sprt)
		string_addf(out, "  LLR %.2f", totals_sprt(totals, plan->pairs, sprt).llr);
}

/* ---- The table ---- */

/* Adds text with blanks up to the width, in columns of a terminal. */
static void add_padded(struct string *out, const char *text, int width)
{
	const int columns = text_columns(text);
	string_addf(out, "%s%*s", text, width > columns ? width - columns : 0, "");
}

/* The length in bytes of the first `characters` characters of a text in UTF-8. */
static int bytes_of(const char *text, int characters)
{
	const char *at = text;
	for (int length; characters && *at && (length = text_character(at)); characters--)
		at += length;
	return (int)(at - text);
}

/* The players in the order of their points per game. */
static void add_standings(const struct match_view *v, struct string *out)
{
	string_addf(out, "rank  %-20s %7s %7s %7s %7s %9s %18s\n", "player", "games", "wins",
		    "draws", "losses", "points", "Elo");
	for (int rank = 0; rank < v->totals->players; rank++) {
		const int i = v->order[rank];
		const struct match_total *t = &v->totals->total[i];
		char elo[64];
		snprintf(elo, sizeof elo, "%+.1f +- %.1f", v->lines[i].elo, v->lines[i].error);
		string_addf(out, "%4d  ", rank + 1);
		add_padded(out, v->plan->players[i].name, 20);
		string_addf(out, " %7lld %7lld %7lld %7lld %9.1f %18s\n", (long long)t->games,
			    (long long)t->wins, (long long)t->draws, (long long)t->losses,
			    t->shares, elo);
	}
}

/* The mean points of games that ended by the rules. */
static double average_score(const struct match_total *t)
{
	return t->scored ? (double)t->scores / (double)t->scored : 0;
}

/* A row of the statistics: what its cells show, for a count the field of struct match_total. */
struct row {
	const char *label;
	enum {
		NAME,
		COUNT,
		PART, /* with percent of games */
		SCORE,
		RESULT,	  /* in games with chance: mean points, ... */
		ADJUSTED, /* ... and without luck */
		OPENINGS, /* a row for each */
		SEARCHER,
		EVALUATOR,
		DEPTH,
		LOS,
		FAULTS,
		TIME,
	} kind;
	size_t at; /* COUNT, PART: the field */
};

/* In the order of the table; is_left_out drops some of them. */
static const struct row rows[] = {
	{ "STATS", NAME, 0 },
	{ "Total wins", PART, offsetof(struct match_total, wins) },
	{ "Draws", PART, offsetof(struct match_total, draws) },
	{ "Losses", PART, offsetof(struct match_total, losses) },
	{ "Wins when starting", PART, offsetof(struct match_total, starting_wins) },
	{ "Early wins", PART, offsetof(struct match_total, early_wins) },
	{ "Average score", SCORE, 0 },
	{ "Mean result", RESULT, 0 },
	{ "Luck-adjusted", ADJUSTED, 0 },
	{ "openings", OPENINGS, 0 },
	{ "Moves considered", COUNT, offsetof(struct match_total, considered) },
	{ "Moves discarded", COUNT, offsetof(struct match_total, discarded) },
	{ "Moves played", COUNT, offsetof(struct match_total, moves) },
	{ "Evaluations done", COUNT, offsetof(struct match_total, evals) },
	{ "Evaluations discarded", COUNT, offsetof(struct match_total, evals_discarded) },
	{ "Positions searched", COUNT, offsetof(struct match_total, nodes) },
	{ "Searcher", SEARCHER, 0 },
	{ "Evaluator", EVALUATOR, 0 },
	{ "Tree depth", DEPTH, 0 },
	{ "Games played", COUNT, offsetof(struct match_total, games) },
	{ "Superiority (LOS)", LOS, 0 },
	{ "Crash/timeout/illegal", FAULTS, 0 },
	{ "Time taken", TIME, 0 },
};

/* Rows that say nothing about this match are left out. */
static bool is_left_out(const struct match_view *v, const struct row *row)
{
	const int64_t *ends = v->totals->ends;
	struct luck_figures luck;
	switch (row->kind) {
	case RESULT:
	case ADJUSTED:
		return !totals_luck(v->totals, v->plan, 0, &luck);
	case SCORE:
		return !v->totals->has_scores;
	case FAULTS:
		return !ends[END_CRASH] && !ends[END_TIMEOUT] && !ends[END_ILLEGAL];
	case TIME:
		return v->no_times;
	case EVALUATOR:
	case DEPTH:
		/* Some player must have one. */
		for (int i = 0; i < v->totals->players; i++)
			if (row->kind == DEPTH ? v->searchers[i].depth > 0
					       : *v->searchers[i].evaluator != '\0')
				return false;
		return true;
	default:
		return row->at == offsetof(struct match_total, early_wins) && row->kind == PART &&
		       !match_fills(v->plan->rules.game);
	}
}

/* Writes the cell of one player in a row. */
static void put_cell(const struct match_view *v, int player, const struct row *row, char *out,
		     size_t size)
{
	const struct match_total *t = &v->totals->total[player];
	const char *name = v->plan->players[player].name;
	int64_t count;
	struct luck_figures luck = { 0 };
	/* All counts are 64 bits wide; for other rows the value is not used. */
	memcpy(&count, (const char *)t + row->at, sizeof count);
	switch (row->kind) {
	case NAME:
		snprintf(out, size, "%.*s", bytes_of(name, COLUMN - 1), name);
		break;
	case COUNT:
		snprintf(out, size, "%lld", (long long)count);
		break;
	case PART:
		snprintf(out, size, "%lld (%.1f%%)", (long long)count,
			 t->games ? 100.0 * (double)count / (double)t->games : 0);
		break;
	case SCORE:
		snprintf(out, size, "%.2f", average_score(t));
		break;
	case RESULT:
	case ADJUSTED:
		totals_luck(v->totals, v->plan, player, &luck);
		snprintf(out, size, "%+.3f +- %.3f",
			 row->kind == RESULT ? luck.mean : luck.adjusted,
			 row->kind == RESULT ? luck.error : luck.adjusted_error);
		break;
	case SEARCHER:
		snprintf(out, size, "%.*s", COLUMN - 1, v->searchers[player].searcher);
		break;
	case EVALUATOR:
		snprintf(out, size, "%.*s", COLUMN - 1,
			 *v->searchers[player].evaluator ? v->searchers[player].evaluator : "-");
		break;
	case DEPTH:
		if (v->searchers[player].depth)
			snprintf(out, size, "%lld", (long long)v->searchers[player].depth);
		else
			snprintf(out, size, "-");
		break;
	case OPENINGS: /* name_openings writes its rows */
		break;
	case LOS:
		snprintf(out, size, "%.1f%%", 100 * v->lines[player].los);
		break;
	case FAULTS:
		snprintf(out, size, "%lld/%lld/%lld", (long long)t->crashes, (long long)t->timeouts,
			 (long long)t->illegal);
		break;
	case TIME:
		snprintf(out, size, "%.3f s", t->seconds);
		break;
	}
}

/* Whether the names have codes, as those of chess: then they are too many for rows. */
static bool has_codes(const struct match_details *d)
{
	for (int i = 0; i < d->opening_count; i++)
		if (*d->openings[i].eco.text)
			return true;
	return false;
}

/* Adds a row for each named opening: how often each player has chosen it. */
static void name_openings(const struct match_view *v, struct string *out)
{
	const struct match_details *d = v->details;
	const int players = v->totals->players;
	if (has_codes(d))
		return;
	for (int i = 0; i < d->opening_count && i < MOST_OPENINGS; i++) {
		const struct named_opening *o = &d->openings[i];
		static const char word[] = " openings";
		char label[BOOK_MOST_NAME + sizeof word];
		/* A long name stands alone. */
		const bool fits = text_columns(o->name) + (int)sizeof word <= LABEL;
		snprintf(label, sizeof label, "%.*s%s", bytes_of(o->name, LABEL - 1), o->name,
			 fits ? word : "");
		add_padded(out, label, LABEL);
		for (int player = 0; player < players; player++) {
			char cell[24];
			snprintf(cell, sizeof cell, "%lld", (long long)o->counts[player]);
			add_padded(out, cell, player + 1 < players ? COLUMN : 0);
		}
		string_addf(out, "\n");
	}
	if (d->opening_count > MOST_OPENINGS)
		string_addf(out, "and %d more named openings; --json has all\n",
			    d->opening_count - MOST_OPENINGS);
}

/* The score of each game, that of the first player first: "50-14 45-0". */
static void add_scores(const struct match_view *v, struct string *out)
{
	const struct match_details *d = v->details;
	if (!v->totals->has_scores || !d->score_count)
		return;
	add_padded(out, "Scores", LABEL);
	for (size_t i = 0; i < d->score_count && i < MOST_SCORES; i++)
		string_addf(out, "%s%d-%d", i ? " " : "", (int)d->scores[i][0],
			    (int)d->scores[i][1]);
	if (d->score_count > MOST_SCORES)
		string_addf(out, " and %zu more; --json has all", d->score_count - MOST_SCORES);
	string_addf(out, "\n");
}

/* The table with a column for each player; used for few players only. */
static void add_statistics(const struct match_view *v, struct string *out)
{
	const int players = v->totals->players;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (rows[i].kind == OPENINGS)
			name_openings(v, out);
		if (rows[i].kind == OPENINGS || is_left_out(v, &rows[i]))
			continue;
		add_padded(out, rows[i].label, LABEL);
		for (int player = 0; player < players; player++) {
			char cell[256] = "";
			put_cell(v, player, &rows[i], cell, sizeof cell);
			add_padded(out, cell, player + 1 < players ? COLUMN : 0);
		}
		string_addf(out, "\n");
	}
	/* The depths can be long, so they have a line for each player. */
	for (int i = 0; i < players; i++) {
		char label[64];
		const char *name = v->plan->players[i].name;
		snprintf(label, sizeof label, "Search depths, %.*s", bytes_of(name, 8), name);
		add_padded(out, label, LABEL);
		for (int depth = 0, n = 0; depth < MATCH_DEPTHS; depth++)
			if (v->totals->total[i].depths[depth])
				string_addf(out, "%s%d:%llu", n++ ? " " : "", depth,
					    (unsigned long long)v->totals->total[i].depths[depth]);
		string_addf(out, "\n");
	}
	add_scores(v, out);
}

/* An opening is known by its moves, or by its position if it has none. */
static const char *opening_text(const struct match_opening *opening)
{
	return *opening->moves ? opening->moves : opening->position;
}

/* Adds ", wins 3-1, draws 2". */
static void add_results(const struct match_view *v, const int64_t *wins, int64_t draws,
			struct string *out)
{
	string_addf(out, ", wins");
	for (int seat = 0; seat < v->plan->rules.game->seats; seat++)
		string_addf(out, "%s%lld", seat ? "-" : " ", (long long)wins[seat]);
	string_addf(out, ", draws %lld", (long long)draws);
}

/* Adds a line for each opening that was played, with the wins of each seat. */
static void add_openings(const struct match_view *v, struct string *out)
{
	int shown = 0, more = 0;
	for (int i = 0; v->openings && i < v->plan->opening_count; i++) {
		const struct opening_count *count = &v->openings[i];
		/* Many openings would hide the result, so only the first ones are listed. */
		if (!count->games || shown >= MOST_OPENINGS) {
			more += count->games > 0;
			continue;
		}
		string_addf(out, "opening %d: games %lld", i + 1, (long long)count->games);
		add_results(v, count->wins, count->draws, out);
		const char *opening = opening_text(&v->plan->openings[i]);
		/* A position in whole: cut, nobody could use it. */
		const int most = *v->plan->openings[i].moves ? 60 : 200;
		string_addf(out, ": %.*s%s\n", bytes_of(opening, most), opening,
			    text_columns(opening) > most ? "..." : "");
		shown++;
	}
	if (more)
		string_addf(out, "and %d more openings; --json has all\n", more);
	if (shown)
		string_addf(out, "\n");
}

/* Adds a line for each opening that has a code, those of the most games first. */
static void add_coded(const struct match_view *v, struct string *out)
{
	const struct match_details *d = v->details;
	int64_t below = INT64_MAX, most = 1;
	int shown = 0, more = 0;
	while (has_codes(d) && most > 0) {
		most = 0; /* games of the openings that come next */
		for (int i = 0; i < d->opening_count; i++)
			if (d->openings[i].games < below && d->openings[i].games > most)
				most = d->openings[i].games;
		for (int i = 0; i < d->opening_count && most > 0; i++) {
			const struct named_opening *o = &d->openings[i];
			if (o->games != most)
				continue;
			if (shown == MOST_OPENINGS) {
				more++;
				continue;
			}
			string_addf(out, "opening %s%s%s: games %lld", o->eco.text,
				    *o->eco.text ? " " : "", o->name, (long long)o->games);
			add_results(v, o->wins, o->draws, out);
			string_addf(out, "\n");
			shown++;
		}
		below = most;
	}
	if (more)
		string_addf(out, "and %d more openings; --json has all\n", more);
	if (shown)
		string_addf(out, "\n");
}

/* Standings, statistics, openings, pairs, SPRT, and the number of games as the last line. */
void match_table(const struct match_view *v, struct string *out)
{
	const struct match_totals *t = v->totals;
	add_standings(v, out);
	string_addf(out, "\n");
	/* More columns would not fit the terminal. */
	if (t->players <= MOST_COLUMNS) {
		add_statistics(v, out);
		string_addf(out, "\n");
	}
	add_openings(v, out);
	add_coded(v, out);
	/*
	 * The pentanomial counts of the first player: pairs that are even may be two draws or a win
	 * each.
	 */
	if (v->plan->pairs && t->players == 2) {
		const struct pair_tally *p = pair_meeting(t, 0, 1);
		string_addf(out,
			    "pairs of %s: %llu lost, %llu half lost, %llu even, %llu half won, "
			    "%llu won\n",
			    v->plan->players[0].name,
			    (unsigned long long)p->ll, (unsigned long long)p->ld,
			    (unsigned long long)(p->wl + p->dd), (unsigned long long)p->wd,
			    (unsigned long long)p->ww);
	}
	if (unpaired(v))
		string_addf(out, "%lld of the games %s no pair and %s not count for Elo and LOS\n",
			    (long long)unpaired(v), unpaired(v) == 1 ? "has" : "have",
			    unpaired(v) == 1 ? "does" : "do");
	if (v->sprt) {
		const struct sprt_state s = totals_sprt(t, v->plan->pairs, v->sprt);
		string_addf(out, "SPRT %s: LLR %.2f, from %.2f to %.2f: %s\n", v->plan->sprt, s.llr,
			    s.lower, s.upper, sprt_verdict_name(s.verdict));
	}
	string_addf(out, "games %lld, plies %lld\n", (long long)t->games, (long long)t->plies);
}

/* ---- JSON ---- */

/* A number rounded to a thousandth; more digits would be noise. */
static json_t *figure(double value)
{
	char text[64];
	snprintf(text, sizeof text, "%.3f", value);
	return json_loads(text, JSON_DECODE_ANY, NULL);
}

/* How often the player chose each named opening; null: the game has no named openings. */
static json_t *named_openings_json(const struct match_view *v, int player)
{
	const struct match_details *d = v->details;
	json_t *o = d->book.allocator ? json_object() : json_null();
	for (int i = 0; i < d->opening_count; i++)
		if (d->openings[i].counts[player])
			o = json_field(o, d->openings[i].name,
				       json_integer(d->openings[i].counts[player]));
	return o;
}

/* The points of the player in each game that the rules ended; null: the game has no scores. */
static json_t *game_scores_json(const struct match_view *v, int player)
{
	const struct match_details *d = v->details;
	const bool known = v->totals->has_scores && v->totals->players == 2;
	json_t *list = known ? json_array() : json_null();
	for (size_t i = 0; known && i < d->score_count; i++)
		list = json_item(list, json_integer(d->scores[i][player]));
	return list;
}

/* The results of a player with and without luck; null: the game has no chance. */
static json_t *luck_json(const struct match_view *v, int player)
{
	struct luck_figures f;
	if (!totals_luck(v->totals, v->plan, player, &f))
		return json_null();
	return json_fields(json_object(), "mean", figure(f.mean), "error", figure(f.error), "luck",
			   figure(f.luck), "factor", figure(f.factor), "adjusted",
			   figure(f.adjusted), "adjusted_error", figure(f.adjusted_error), NULL);
}

/* All figures of a player. Fields that the game cannot have are null. */
static json_t *player_json(const struct match_view *v, int i)
{
	const struct match_total *t = &v->totals->total[i];
	const struct match_line *line = &v->lines[i];
	const struct match_searcher *how = &v->searchers[i];
	json_t *seats = json_array(), *depths = json_object();
	for (int seat = 0; seat < v->plan->rules.game->seats; seat++)
		seats = json_item(seats, json_fields(json_object(), "games",
						     json_integer(t->seat_games[seat]), "wins",
						     json_integer(t->seat_wins[seat]), NULL));
	/* Only the depths that occurred, by number. */
	for (int depth = 0; depth < MATCH_DEPTHS; depth++) {
		char key[16];
		snprintf(key, sizeof key, "%d", depth);
		if (t->depths[depth])
			depths = json_field(depths, key, json_count(t->depths[depth]));
	}
	json_t *o = json_fields(
		json_object(), "name", json_text(v->plan->players[i].name), "games",
		json_integer(t->games), "wins", json_integer(t->wins), "draws",
		json_integer(t->draws), "losses", json_integer(t->losses), "points",
		figure(t->shares), "elo", figure(line->elo), "error", figure(line->error), "los",
		figure(line->los), "crashes", json_integer(t->crashes), "timeouts",
		json_integer(t->timeouts), "illegal", json_integer(t->illegal), "starting_wins",
		json_integer(t->starting_wins), "seats", seats, "early_wins",
		match_fills(v->plan->rules.game) ? json_integer(t->early_wins) : json_null(),
		"scores", json_integer(t->scores), "average_score",
		v->totals->has_scores ? figure(average_score(t)) : json_null(), "moves",
		json_count(t->moves), "considered", json_count(t->considered), "discarded",
		json_count(t->discarded), "evals", json_count(t->evals), "evals_discarded",
		json_count(t->evals_discarded), "nodes", json_count(t->nodes), "depths", depths,
		"searcher", json_text(how->searcher), "evaluator",
		json_unless_empty(how->evaluator), "tree_depth",
		how->depth ? json_integer(how->depth) : json_null(), "named_openings",
		named_openings_json(v, i), "game_scores", game_scores_json(v, i), "luck",
		luck_json(v, i), NULL);
	return v->no_times ? o : json_field(o, "seconds", json_seconds(t->seconds));
}

/* The meetings of two players; for games of two seats with the counts of pairs. */
static json_t *meeting_json(const struct match_view *v, int a, int b)
{
	const struct tally *t = meeting(v->totals, a, b);
	json_t *pentanomial = json_array(), *names = json_array();
	names = json_item(names, json_text(v->plan->players[a].name));
	names = json_item(names, json_text(v->plan->players[b].name));
	json_t *o =
		json_fields(json_object(), "players", names, "wins", json_count(t->wins), "draws",
			    json_count(t->draws), "losses", json_count(t->losses), NULL);
	if (v->plan->rules.game->seats != 2) {
		json_decref(pentanomial);
		return o;
	}
	const struct pair_tally *p = pair_meeting(v->totals, a, b);
	const uint64_t counts[] = { p->ll, p->ld, p->wl + p->dd, p->wd, p->ww };
	for (int i = 0; i < 5; i++)
		pentanomial = json_item(pentanomial, json_count(counts[i]));
	return json_field(o, "pentanomial", pentanomial);
}

/* The wins of each seat. */
static json_t *wins_json(const struct match_view *v, const int64_t *wins)
{
	json_t *list = json_array();
	for (int seat = 0; seat < v->plan->rules.game->seats; seat++)
		list = json_item(list, json_integer(wins[seat]));
	return list;
}

/* The parts are built first; json_fields then puts them in their order. */
json_t *match_json(const struct match_view *v)
{
	const struct match_totals *t = v->totals;
	json_t *players = json_array(), *pairs = json_array(), *openings = json_array(),
	       *names = json_array(), *ends = json_object(),
	       *sprt = v->sprt ? json_object() : json_null();
	for (int i = 0; i < t->players; i++)
		players = json_item(players, player_json(v, i));
	/* Only pairs of players that have met. */
	for (int a = 0; a < t->players; a++)
		for (int b = a + 1; b < t->players; b++)
			if (tally_games(meeting(t, a, b)))
				pairs = json_item(pairs, meeting_json(v, a, b));
	for (int i = 0; v->openings && i < v->plan->opening_count; i++) {
		const struct opening_count *count = &v->openings[i];
		if (!count->games)
			continue;
		openings = json_item(openings,
				     json_fields(json_object(), "opening",
						 json_text(opening_text(&v->plan->openings[i])),
						 "games", json_integer(count->games), "wins",
						 wins_json(v, count->wins), "draws",
						 json_integer(count->draws), NULL));
	}
	for (int i = 0; i < v->details->opening_count; i++) {
		const struct named_opening *o = &v->details->openings[i];
		if (!o->games)
			continue;
		names = json_item(names,
				  json_fields(json_object(), "eco",
					      json_text(*o->eco.text ? o->eco.text : NULL), "name",
					      json_text(o->name), "games", json_integer(o->games),
					      "wins", wins_json(v, o->wins), "draws",
					      json_integer(o->draws), NULL));
	}
	for (int end = 0; end < MATCH_END_COUNT; end++)
		ends = json_field(ends, match_end_text((enum match_end)end),
				  json_integer(t->ends[end]));
	if (v->sprt) {
		/* The state of the test, decided or not. */
		const struct sprt_state s = totals_sprt(t, v->plan->pairs, v->sprt);
		sprt = json_fields(sprt, "llr", figure(s.llr), "lower", figure(s.lower), "upper",
				   figure(s.upper), "verdict",
				   json_text(sprt_verdict_name(s.verdict)), NULL);
	}
	return json_fields(json_object(), "game", json_text(rules_text(&v->plan->rules).text),
			   "games", json_integer(t->games), "plies", json_integer(t->plies),
			   "players", players, "pairs", pairs, "openings", openings,
			   "named_openings", names, "ends", ends, "sprt", sprt, "unpaired",
			   json_integer(unpaired(v)), "faults",
			   v->faults ? json_incref(v->faults) : json_array(), NULL);
}
