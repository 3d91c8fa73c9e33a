/*
 * match_show.c - a match for people and for programs: log, progress, standings, JSON.
 * SPDX-License-Identifier: MIT
 *
 * The table with a column for each player is that of the framework's console, and a row for draws.
 */
#include "cli/match_show.h"

#include "terminal/view.h"

enum { LABEL = 24, COLUMN = 21, MOST_COLUMNS = 4, MOST_OPENINGS = 20 };

/* ---- Figures ---- */

static const struct tally *meeting(const struct match_totals *t, int a, int b)
{
	return &t->meetings[a * t->players + b];
}

static const struct pair_tally *pair_meeting(const struct match_totals *t, int a, int b)
{
	return &t->pairs[a * t->players + b];
}

struct sprt_state match_sprt(const struct match_plan *plan, const struct sprt *sprt,
			     const struct match_totals *totals)
{
	return plan->pairs ? sprt_of_pairs(sprt, pair_meeting(totals, 0, 1))
			   : sprt_of_games(sprt, meeting(totals, 0, 1));
}

/* All that a player did against anybody. */
static struct tally all_meetings(const struct match_totals *t, int player)
{
	struct tally sum = { 0, 0, 0 };
	for (int other = 0; other < t->players; other++) {
		const struct tally *m = meeting(t, player, other);
		sum.wins += m->wins;
		sum.draws += m->draws;
		sum.losses += m->losses;
	}
	return sum;
}

static void figures_of_two(struct match_view *v)
{
	for (int i = 0; i < 2; i++) {
		const struct statistics s =
			v->plan->pairs ? statistics_of_pairs(pair_meeting(v->totals, i, 1 - i))
				       : statistics_of_meetings(meeting(v->totals, i, 1 - i),
								v->plan->rules.game->seats);
		v->lines[i] = (struct match_line){ s.elo, s.elo_error, s.los, s.bounded };
	}
}

static enum qv_status figures_of_many(struct match_view *v, struct qv_error *error)
{
	struct rating ratings[MATCH_MAX_PLAYERS];
	const int players = v->totals->players, seats = v->plan->rules.game->seats;
	if (ratings_of_meetings(v->totals->allocator, players, v->totals->meetings, seats,
				ratings) != QV_OK)
		return qv_fail(error, QV_NO_MEMORY, "match: out of memory");
	for (int i = 0; i < players; i++) {
		const struct tally sum = all_meetings(v->totals, i);
		v->lines[i] = (struct match_line){ ratings[i].elo, ratings[i].error,
						   statistics_of_meetings(&sum, seats).los,
						   ratings[i].bounded };
	}
	return QV_OK;
}

static bool is_better(const struct match_view *v, int a, int b)
{
	const struct match_total *x = &v->totals->total[a], *y = &v->totals->total[b];
	const double mine = x->games ? x->shares / (double)x->games : 0;
	const double other = y->games ? y->shares / (double)y->games : 0;
	return mine > other;
}

enum qv_status match_view_make(struct match_view *v, struct qv_error *error)
{
	const int players = v->totals->players;
	enum qv_status status = QV_OK;
	if (players == 2)
		figures_of_two(v);
	else
		status = figures_of_many(v, error);
	for (int i = 0; i < players; i++) {
		int at = i;
		for (; at && is_better(v, i, v->order[at - 1]); at--)
			v->order[at] = v->order[at - 1];
		v->order[at] = i;
	}
	return status;
}

/* ---- While it runs ---- */

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
	string_addf(out, ", %d plies\n", game->plies);
}

void match_progress(const struct match_plan *plan, const struct sprt *sprt,
		    const struct match_totals *totals, struct string *out)
{
	string_addf(out, "game %lld of %lld", (long long)totals->games, (long long)plan->games);
	for (int i = 0; i < totals->players && i < MOST_COLUMNS; i++)
		string_addf(out, "  %s %g", plan->players[i].name, totals->total[i].shares);
	if (sprt)
		string_addf(out, "  LLR %.2f", match_sprt(plan, sprt, totals).llr);
}

/* ---- The table ---- */

static double percent(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void add_padded(struct string *out, const char *text, int width)
{
	const int columns = text_columns(text);
	string_addf(out, "%s%*s", text, width > columns ? width - columns : 0, "");
}

/* The bytes of the first so many characters. */
static int bytes_of(const char *text, int characters)
{
	const char *at = text;
	for (int length; characters && *at && (length = text_character(at)); characters--)
		at += length;
	return (int)(at - text);
}

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

/* What stands in a row for one player. */
struct cell {
	char text[256];
};
typedef void cell_fn(const struct match_view *v, int player, struct cell *out);

static const struct match_total *total_of(const struct match_view *v, int player)
{
	return &v->totals->total[player];
}

static void put_number(struct cell *out, uint64_t number)
{
	snprintf(out->text, sizeof out->text, "%llu", (unsigned long long)number);
}

static void put_part(struct cell *out, int64_t part, int64_t whole)
{
	snprintf(out->text, sizeof out->text, "%lld (%.1f%%)", (long long)part,
		 percent(part, whole));
}

static void name_cell(const struct match_view *v, int i, struct cell *out)
{
	const char *name = v->plan->players[i].name;
	snprintf(out->text, sizeof out->text, "%.*s", bytes_of(name, COLUMN - 1), name);
}

static void wins_cell(const struct match_view *v, int i, struct cell *out)
{
	put_part(out, total_of(v, i)->wins, total_of(v, i)->games);
}

static void draws_cell(const struct match_view *v, int i, struct cell *out)
{
	put_part(out, total_of(v, i)->draws, total_of(v, i)->games);
}

static void losses_cell(const struct match_view *v, int i, struct cell *out)
{
	put_part(out, total_of(v, i)->losses, total_of(v, i)->games);
}

static void starting_cell(const struct match_view *v, int i, struct cell *out)
{
	put_part(out, total_of(v, i)->starting_wins, total_of(v, i)->games);
}

static void early_cell(const struct match_view *v, int i, struct cell *out)
{
	put_part(out, total_of(v, i)->early_wins, total_of(v, i)->games);
}

static double average_score(const struct match_total *t)
{
	return t->scored ? (double)t->scores / (double)t->scored : 0;
}

static void score_cell(const struct match_view *v, int i, struct cell *out)
{
	snprintf(out->text, sizeof out->text, "%.2f", average_score(total_of(v, i)));
}

static void considered_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->considered);
}

static void discarded_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->discarded);
}

static void moves_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->moves);
}

static void evals_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->evals);
}

static void evals_discarded_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->evals_discarded);
}

static void nodes_cell(const struct match_view *v, int i, struct cell *out)
{
	put_number(out, total_of(v, i)->nodes);
}

static void faults_cell(const struct match_view *v, int i, struct cell *out)
{
	const struct match_total *t = total_of(v, i);
	snprintf(out->text, sizeof out->text, "%lld/%lld/%lld", (long long)t->crashes,
		 (long long)t->timeouts, (long long)t->illegal);
}

static void los_cell(const struct match_view *v, int i, struct cell *out)
{
	snprintf(out->text, sizeof out->text, "%.1f%%", 100 * v->lines[i].los);
}

static void time_cell(const struct match_view *v, int i, struct cell *out)
{
	snprintf(out->text, sizeof out->text, "%.3f s", total_of(v, i)->seconds);
}

static void add_row(const struct match_view *v, const char *label, cell_fn *cell,
		    struct string *out)
{
	add_padded(out, label, LABEL);
	for (int i = 0; i < v->totals->players; i++) {
		struct cell c = { "" };
		cell(v, i, &c);
		add_padded(out, c.text, i + 1 < v->totals->players ? COLUMN : 0);
	}
	string_addf(out, "\n");
}

/* Long, and of any length: a line for each player. */
static void add_depths(const struct match_view *v, struct string *out)
{
	for (int i = 0; i < v->totals->players; i++) {
		char label[64];
		const char *name = v->plan->players[i].name;
		snprintf(label, sizeof label, "Search depths, %.*s", bytes_of(name, 8), name);
		add_padded(out, label, LABEL);
		for (int depth = 0, n = 0; depth < MATCH_DEPTHS; depth++)
			if (total_of(v, i)->depths[depth])
				string_addf(out, "%s%d:%llu", n++ ? " " : "", depth,
					    (unsigned long long)total_of(v, i)->depths[depth]);
		string_addf(out, "\n");
	}
}

static bool anybody_at_fault(const struct match_totals *t)
{
	return t->ends[END_CRASH] || t->ends[END_TIMEOUT] || t->ends[END_ILLEGAL];
}

static void add_statistics(const struct match_view *v, struct string *out)
{
	const struct {
		const char *label;
		cell_fn *cell;
		bool left_out;
	} rows[] = {
		{ "STATS", name_cell, false },
		{ "Total wins", wins_cell, false },
		{ "Draws", draws_cell, false },
		{ "Losses", losses_cell, false },
		{ "Wins when starting", starting_cell, false },
		{ "Early wins", early_cell, !match_fills(v->plan->rules.game) },
		{ "Average score", score_cell, !v->totals->has_scores },
		{ "Moves considered", considered_cell, false },
		{ "Moves discarded", discarded_cell, false },
		{ "Moves played", moves_cell, false },
		{ "Evaluations done", evals_cell, false },
		{ "Evaluations discarded", evals_discarded_cell, false },
		{ "Positions searched", nodes_cell, false },
		{ "Superiority (LOS)", los_cell, false },
		{ "Crash/timeout/illegal", faults_cell, !anybody_at_fault(v->totals) },
		{ "Time taken", time_cell, v->no_times },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!rows[i].left_out)
			add_row(v, rows[i].label, rows[i].cell, out);
	add_depths(v, out);
}

static const char *opening_text(const struct match_opening *opening)
{
	return *opening->moves ? opening->moves : opening->position;
}

/* The openings that were played, a line each; the wins are those of the seats. */
static void add_openings(const struct match_view *v, struct string *out)
{
	int shown = 0, more = 0;
	for (int i = 0; v->openings && i < v->plan->opening_count; i++) {
		const struct opening_count *count = &v->openings[i];
		if (!count->games || shown >= MOST_OPENINGS) {
			more += count->games > 0;
			continue;
		}
		string_addf(out, "opening %d: games %lld, wins", i + 1, (long long)count->games);
		for (int seat = 0; seat < v->plan->rules.game->seats; seat++)
			string_addf(out, "%s%lld", seat ? "-" : " ", (long long)count->wins[seat]);
		const char *opening = opening_text(&v->plan->openings[i]);
		string_addf(out, ", draws %lld: %.*s\n", (long long)count->draws,
			    bytes_of(opening, 60), opening);
		shown++;
	}
	if (more)
		string_addf(out, "and %d more openings; --json has all\n", more);
	if (shown)
		string_addf(out, "\n");
}

static void add_sprt(const struct match_view *v, struct string *out)
{
	const struct sprt_state s = match_sprt(v->plan, v->sprt, v->totals);
	string_addf(out, "SPRT %s: LLR %.2f, from %.2f to %.2f: %s\n", v->plan->sprt, s.llr,
		    s.lower, s.upper, sprt_verdict_name(s.verdict));
}

void match_table(const struct match_view *v, struct string *out)
{
	const struct match_totals *t = v->totals;
	add_standings(v, out);
	string_addf(out, "\n");
	if (t->players <= MOST_COLUMNS) {
		add_statistics(v, out);
		string_addf(out, "\n");
	}
	add_openings(v, out);
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
	if (v->sprt)
		add_sprt(v, out);
	string_addf(out, "games %lld, plies %lld\n", (long long)t->games, (long long)t->plies);
}

/* ---- JSON ---- */

/* Figures for people, to a thousandth: what comes after is noise. */
static json_t *figure(double value)
{
	char text[64];
	snprintf(text, sizeof text, "%.3f", value);
	return json_loads(text, JSON_DECODE_ANY, NULL);
}

static json_t *depths_json(const struct match_total *t)
{
	json_t *o = json_object();
	for (int depth = 0; depth < MATCH_DEPTHS; depth++) {
		char key[16];
		snprintf(key, sizeof key, "%d", depth);
		if (t->depths[depth])
			o = json_field(o, key, json_integer((json_int_t)t->depths[depth]));
	}
	return o;
}

static json_t *seats_json(const struct match_view *v, const struct match_total *t)
{
	json_t *list = json_array();
	for (int seat = 0; seat < v->plan->rules.game->seats; seat++) {
		json_t *o = json_field(json_object(), "games", json_integer(t->seat_games[seat]));
		list = json_item(list, json_field(o, "wins", json_integer(t->seat_wins[seat])));
	}
	return list;
}

static json_t *player_json(const struct match_view *v, int i)
{
	const struct match_total *t = total_of(v, i);
	json_t *o = json_field(json_object(), "name", json_text(v->plan->players[i].name));
	o = json_field(o, "games", json_integer(t->games));
	o = json_field(o, "wins", json_integer(t->wins));
	o = json_field(o, "draws", json_integer(t->draws));
	o = json_field(o, "losses", json_integer(t->losses));
	o = json_field(o, "points", figure(t->shares));
	o = json_field(o, "elo", figure(v->lines[i].elo));
	o = json_field(o, "error", figure(v->lines[i].error));
	o = json_field(o, "los", figure(v->lines[i].los));
	o = json_field(o, "crashes", json_integer(t->crashes));
	o = json_field(o, "timeouts", json_integer(t->timeouts));
	o = json_field(o, "illegal", json_integer(t->illegal));
	o = json_field(o, "starting_wins", json_integer(t->starting_wins));
	o = json_field(o, "seats", seats_json(v, t));
	o = json_field(o, "early_wins", match_fills(v->plan->rules.game)
						? json_integer(t->early_wins)
						: json_null());
	o = json_field(o, "scores", json_integer(t->scores));
	o = json_field(o, "average_score",
		       v->totals->has_scores ? figure(average_score(t)) : json_null());
	o = json_field(o, "moves", json_integer((json_int_t)t->moves));
	o = json_field(o, "considered", json_integer((json_int_t)t->considered));
	o = json_field(o, "discarded", json_integer((json_int_t)t->discarded));
	o = json_field(o, "evals", json_integer((json_int_t)t->evals));
	o = json_field(o, "evals_discarded", json_integer((json_int_t)t->evals_discarded));
	o = json_field(o, "nodes", json_integer((json_int_t)t->nodes));
	o = json_field(o, "depths", depths_json(t));
	return v->no_times ? o : json_field(o, "seconds", json_seconds(t->seconds));
}

static json_t *pentanomial(const struct pair_tally *p)
{
	const uint64_t counts[] = { p->ll, p->ld, p->wl + p->dd, p->wd, p->ww };
	json_t *list = json_array();
	for (int i = 0; i < 5; i++)
		list = json_item(list, json_integer((json_int_t)counts[i]));
	return list;
}

static json_t *meeting_json(const struct match_view *v, int a, int b)
{
	const struct tally *t = meeting(v->totals, a, b);
	json_t *names = json_item(json_array(), json_text(v->plan->players[a].name));
	names = json_item(names, json_text(v->plan->players[b].name));
	json_t *o = json_field(json_object(), "players", names);
	o = json_field(o, "wins", json_integer((json_int_t)t->wins));
	o = json_field(o, "draws", json_integer((json_int_t)t->draws));
	o = json_field(o, "losses", json_integer((json_int_t)t->losses));
	if (v->plan->rules.game->seats == 2)
		o = json_field(o, "pentanomial", pentanomial(pair_meeting(v->totals, a, b)));
	return o;
}

static json_t *meetings_json(const struct match_view *v)
{
	json_t *list = json_array();
	for (int a = 0; a < v->totals->players; a++)
		for (int b = a + 1; b < v->totals->players; b++)
			if (tally_games(meeting(v->totals, a, b)))
				list = json_item(list, meeting_json(v, a, b));
	return list;
}

static json_t *sprt_json(const struct match_view *v)
{
	const struct sprt_state s = match_sprt(v->plan, v->sprt, v->totals);
	json_t *o = json_field(json_object(), "llr", figure(s.llr));
	o = json_field(o, "lower", figure(s.lower));
	o = json_field(o, "upper", figure(s.upper));
	return json_field(o, "verdict", json_text(sprt_verdict_name(s.verdict)));
}

static json_t *opening_json(const struct match_view *v, int i)
{
	const struct match_opening *opening = &v->plan->openings[i];
	const struct opening_count *count = &v->openings[i];
	json_t *wins = json_array();
	for (int seat = 0; seat < v->plan->rules.game->seats; seat++)
		wins = json_item(wins, json_integer(count->wins[seat]));
	json_t *o = json_field(json_object(), "opening",
			       json_text(opening_text(opening)));
	o = json_field(o, "games", json_integer(count->games));
	o = json_field(o, "wins", wins);
	return json_field(o, "draws", json_integer(count->draws));
}

static json_t *openings_json(const struct match_view *v)
{
	json_t *list = json_array();
	for (int i = 0; v->openings && i < v->plan->opening_count; i++)
		if (v->openings[i].games)
			list = json_item(list, opening_json(v, i));
	return list;
}

static json_t *ends_json(const struct match_totals *t)
{
	json_t *o = json_object();
	for (int end = 0; end < MATCH_END_COUNT; end++)
		o = json_field(o, match_end_text((enum match_end)end), json_integer(t->ends[end]));
	return o;
}

json_t *match_json(const struct match_view *v)
{
	char name[QV_POSITION_TEXT] = "";
	struct qv_text text = { name, sizeof name, 0 };
	qv_rules_text(&v->plan->rules, &text);
	json_t *o = json_field(json_object(), "game", json_text(name));
	o = json_field(o, "games", json_integer(v->totals->games));
	o = json_field(o, "plies", json_integer(v->totals->plies));
	json_t *players = json_array();
	for (int i = 0; i < v->totals->players; i++)
		players = json_item(players, player_json(v, i));
	o = json_field(o, "players", players);
	o = json_field(o, "pairs", meetings_json(v));
	o = json_field(o, "openings", openings_json(v));
	o = json_field(o, "ends", ends_json(v->totals));
	return json_field(o, "sprt", v->sprt ? sprt_json(v) : json_null());
}
