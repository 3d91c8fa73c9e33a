/*
 * report.c - a match as one SVG picture: the data collected during the match, and the drawing.
 * SPDX-License-Identifier: MIT
 *
 * Three parts, one below the other: the standings, the Elo curves, and the lengths of the games.
 * Colours are CSS classes, so that one style sheet gives both a light and a dark picture. Every
 * curve has its name at its end, so that colour is not the only way to tell them apart.
 */
#include "match/report.h"

#include <math.h>

#include "base/svg.h"
#include "match/journal.h"

/* Lengths are in pixels. */
enum {
	WIDTH = 860,
	MARGIN = 32,
	ROW = 24, /* of the standings */
	CHART_LEFT = 84,
	CHART_RIGHT = 680, /* names of the curves are to the right of it */
	BARS_RIGHT = WIDTH - MARGIN,
	CHART_HEIGHT = 240,
	BARS_HEIGHT = 150,
	GAP = 64,	   /* between the parts, with room for a heading */
	CURVES = 8,	   /* drawn at most, for the best players: more are hard to follow */
	BARS = 40,	   /* at most */
	NAME_LETTERS = 18, /* of a name beside its curve */
};

/* ---- Collecting ---- */

enum qv_status report_init(struct match_report *r, const struct qv_allocator *a, int players)
{
	*r = (struct match_report){ .allocator = a, .players = players, .stride = 1 };
	r->ratings = mem_new(a, (size_t)REPORT_POINTS * (size_t)players, sizeof *r->ratings);
	return r->ratings ? QV_OK : QV_NO_MEMORY;
}

void report_release(struct match_report *r)
{
	if (r->ratings)
		mem_free(r->allocator, r->ratings,
			 (size_t)REPORT_POINTS * (size_t)r->players * sizeof *r->ratings);
	r->ratings = NULL;
}

/* With two players the difference, as in the standings; with more, against their mean. */
enum qv_status report_rate(const struct match_plan *plan, const struct match_totals *t,
			   struct rating *out)
{
	if (t->players != 2)
		return ratings_of_meetings(t->allocator, t->players, t->meetings,
					   plan->rules.game->seats, out);
	const struct statistics s =
		plan->pairs ? statistics_of_pairs(&t->pairs[1])
			    : statistics_of_meetings(&t->meetings[1], plan->rules.game->seats);
	out[0] = (struct rating){ s.elo, s.elo_error, 0, s.bounded };
	out[1] = (struct rating){ 0 - s.elo, s.elo_error, 0, s.bounded };
	return QV_OK;
}

enum qv_status report_add(struct match_report *r, const struct match_plan *plan,
			  const struct match_game *game, const struct match_totals *so_far)
{
	const int last = REPORT_LENGTHS - 1;
	if (!r->ratings)
		return QV_OK;
	r->lengths[game->plies < last ? game->plies : last]++;
	if (game->plies > r->longest)
		r->longest = game->plies;
	if (r->points == REPORT_POINTS) { /* drops every second point */
		r->stride *= 2;
		r->points = 0;
		for (int i = 0; i < REPORT_POINTS; i++) {
			if (r->at[i] % r->stride)
				continue;
			r->at[r->points] = r->at[i];
			memmove(&r->ratings[r->points++ * r->players], &r->ratings[i * r->players],
				(size_t)r->players * sizeof *r->ratings);
		}
	}
	if (so_far->games % r->stride)
		return QV_OK;
	const enum qv_status status =
		report_rate(plan, so_far, &r->ratings[r->points * r->players]);
	r->at[r->points] = so_far->games;
	r->points += status == QV_OK;
	return status;
}

/* ---- Labels and scales ---- */

struct drawing {
	const struct match_report *report;
	const struct match_plan *plan;
	const struct match_totals *totals;
	struct rating now[MATCH_MAX_PLAYERS];
	int who[MATCH_MAX_PLAYERS];    /* players by rank, best first */
	int top;                       /* of the part being drawn */
	struct string *out;
};

/* Adds a text of this CSS class; at most 120 characters. */
static void put_label(const struct drawing *d, double x, double y, const char *class,
		      const char *text)
{
	string_addf(d->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", class, x, y);
	svg_add_text(d->out, text, 120);
	string_addf(d->out, "</text>\n");
}

/* A step of 1, 2 or 5 times a power of ten that divides the range into at most `most` parts. */
static double nice_step(double range, int most)
{
	double step = pow(10, floor(log10(fmax(range, 1e-9) / most)));
	while (range / step > most)
		step *= range / (2 * step) <= most ? 2 : range / (5 * step) <= most ? 5 : 10;
	return step;
}

struct scale {
	double from, to;           /* values */
	double at_from, at_to;     /* pixels */
};

/* Where a value is on a scale, in pixels. */
static double place(const struct scale *s, double value)
{
	return s->at_from + (value - s->from) / (s->to - s->from) * (s->at_to - s->at_from);
}

/* ---- The parts ---- */

/* Classes s0, s1, ... for the lines of the curves, f0, f1, ... for their bands and names. */
static void put_colours(struct string *out, const char *const *colours)
{
	for (int i = 0; i < CURVES; i++)
		string_addf(out, ".s%d { stroke: %s; } .f%d { fill: %s; }\n", i, colours[i], i,
			    colours[i]);
}

/* The style sheet: light colours, and dark ones for viewers that prefer them. */
static void put_sheet(struct string *out)
{
	static const char *const light[CURVES] = { "#1f6fb4", "#c2410c", "#0f766e", "#9333ea",
						   "#a16207", "#be185d", "#4d7c0f", "#475569" };
	static const char *const dark[CURVES] = { "#60a5fa", "#fb923c", "#2dd4bf", "#c084fc",
						  "#facc15", "#f472b6", "#a3e635", "#cbd5e1" };
	string_addf(out, "<style>\n"
			 "text { font: 14px system-ui, sans-serif; fill: #1c2430; }\n"
			 ".title { font-size: 20px; font-weight: 600; }\n"
			 ".head { font-size: 15px; font-weight: 600; }\n"
			 ".soft { fill: #5b6675; font-size: 12px; }\n"
			 ".end { text-anchor: end; }\n.mid { text-anchor: middle; }\n"
			 ".paper { fill: #ffffff; }\n"
			 ".grid { stroke: #e3e7ed; fill: none; }\n"
			 ".zero { stroke: #8a94a3; fill: none; }\n"
			 ".bar { fill: #7aa7d3; }\n"
			 ".line { fill: none; stroke-width: 2; stroke-linejoin: round; }\n"
			 ".band { stroke: none; opacity: 0.16; }\n");
	put_colours(out, light);
	string_addf(out, "@media (prefers-color-scheme: dark) {\n"
			 "text { fill: #e6eaf0; }\n.soft { fill: #9aa5b4; }\n"
			 ".paper { fill: #12171e; }\n.grid { stroke: #2a323d; }\n"
			 ".zero { stroke: #77828f; }\n.bar { fill: #4f7dab; }\n"
			 ".band { opacity: 0.22; }\n");
	put_colours(out, dark);
	string_addf(out, "}\n</style>\n");
}

enum {
	TERM = 18,
	TERMS_LEAST = 2
}; /* height of a line below the title; how many besides players */

/* How the games began, how long players had, and who is likely to be better. */
static void put_terms(struct drawing *d)
{
	const struct match_plan *p = d->plan;
	const struct match_totals *t = d->totals;
	char control[MATCH_CLOCK_TEXT], line[400];
	match_clock_text(&p->clock, control);
	if (p->clock.move_ms)
		snprintf(control, sizeof control, "%lld ms a move", (long long)p->clock.move_ms);
	int at = snprintf(line, sizeof line, "seed %llu", (unsigned long long)p->seed);
	if (p->opening_count)
		at += snprintf(line + at, sizeof line - (size_t)at, ", %d opening%s",
			       p->opening_count, p->opening_count == 1 ? "" : "s");
	if (p->random_plies)
		at += snprintf(line + at, sizeof line - (size_t)at, ", %d random plies",
			       p->random_plies);
	if (p->clock.base_ms || p->clock.move_ms)
		at += snprintf(line + at, sizeof line - (size_t)at, ", time %s", control);
	snprintf(line + at, sizeof line - (size_t)at, "%s%s", p->pairs ? ", pairs" : "",
		 p->gauntlet ? ", gauntlet" : "");
	put_label(d, MARGIN, d->top, "soft", line);
	d->top += TERM;
	if (t->players == 2) {
		const struct statistics s =
			p->pairs ? statistics_of_pairs(&t->pairs[1])
				 : statistics_of_meetings(&t->meetings[1], p->rules.game->seats);
		snprintf(line, sizeof line, "likelihood that %s is better (LOS): %.1f %%",
			 p->players[0].name, 100 * s.los);
		put_label(d, MARGIN, d->top, "soft", line);
	}
	d->top += TERM;
	for (int i = 0; i < t->players; i++, d->top += TERM) {
		struct string spec = { .allocator = t->allocator };
		const char *level = header_level_spec(p->rules.game, p->players[i].spec);
		string_addf(&spec, "%s: %s%s%s%s", p->players[i].name, p->players[i].spec,
			    level ? " (" : "", level ? level : "", level ? ")" : "");
		d->out->failed |= spec.failed;
		if (!spec.failed)
			put_label(d, MARGIN, d->top, "soft", spec.data);
		string_release(&spec);
	}
}

/* The table of players, best first: name and figures under their columns. */
static void put_standings(struct drawing *d)
{
	static const int columns[] = { 390, 450, 530, 604, 674, 746, WIDTH - MARGIN };
	static const char *const titles[] = { "Elo",  "\u00b1", "points", "games",
					      "wins", "draws",  "losses" };
	put_label(d, MARGIN + 28, d->top, "soft", "player");
	for (int c = 0; c < 7; c++)
		put_label(d, columns[c], d->top, "soft end", titles[c]);
	for (int rank = 0; rank < d->totals->players; rank++) {
		const int i = d->who[rank], y = d->top + (rank + 1) * ROW;
		const struct match_total *t = &d->totals->total[i];
		const double figures[] = { d->now[i].elo,    d->now[i].error, t->shares,
					   (double)t->games, (double)t->wins, (double)t->draws,
					   (double)t->losses };
		string_addf(d->out,
			    "<path class=\"grid\" d=\"M%d %dH%d\"/>\n"
			    "<text class=\"end\" x=\"%d\" y=\"%d\">%d</text>\n"
			    "<text x=\"%d\" y=\"%d\">",
			    MARGIN, y - 17, WIDTH - MARGIN, MARGIN + 16, y, rank + 1, MARGIN + 28,
			    y);
		svg_add_text(d->out, d->plan->players[i].name, 32);
		string_addf(d->out, "</text>\n");
		for (int c = 0; c < 7; c++) {
			char text[32];
			snprintf(text, sizeof text, c ? "%.*f" : "%+.*f", c < 3 ? 1 : 0,
				 figures[c]);
			put_label(d, columns[c], y, "end", text);
		}
	}
	d->top += d->totals->players * ROW + GAP;
}

/* ---- The curves ---- */

/* Point number `point` of the report; the one after the last is the current rating. */
static struct rating point_of(const struct drawing *d, int point, int player)
{
	const struct match_report *r = d->report;
	return point < r->points ? r->ratings[point * r->players + player] : d->now[player];
}

/* How many games had been played at a point. */
static int64_t games_at(const struct drawing *d, int point)
{
	return point < d->report->points ? d->report->at[point] : d->totals->games;
}

/* Horizontal lines at multiples of the step, with their values; sign: "+" before positive ones. */
static void put_grid(const struct drawing *d, const struct scale *y, double step, bool sign,
		     int right)
{
	const double last = sign ? y->to + step / 2 : y->to;
	for (double value = y->from; value <= last; value += step) {
		char text[32];
		const bool zero = fabs(value) < step / 2;
		snprintf(text, sizeof text, zero ? "0" : sign ? "%+.10g" : "%.0f", value);
		string_addf(d->out, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>\n",
			    zero ? "zero" : "grid", CHART_LEFT, place(y, value), right);
		put_label(d, CHART_LEFT - 8, place(y, value) + 4, "soft end", text);
	}
}

/* Labels along the bottom: integers. */
static void put_number_axis(const struct drawing *d, const struct scale *x, int bottom)
{
	const double step = fmax(nice_step(x->to - x->from, 8), 1);
	const double first = ceil(x->from / step) * step;
	for (double value = first; value < x->to + step / 100; value += step) {
		char text[32];
		snprintf(text, sizeof text, "%.0f", value);
		put_label(d, place(x, value), bottom + 18, "soft mid", text);
	}
}

/* A curve with its error band: the band goes along the upper edge and back along the lower. */
static void put_curve(const struct drawing *d, int c, const struct scale *x, const struct scale *y)
{
	const int count = d->report->points + 1, player = d->who[c];
	string_addf(d->out, "<path class=\"band f%d\" d=\"", c);
	for (int i = 0; i < 2 * count; i++) {
		const int point = i < count ? i : 2 * count - 1 - i;
		const struct rating r = point_of(d, point, player);
		string_addf(d->out, "%c%.1f %.1f", i ? 'L' : 'M',
			    place(x, (double)games_at(d, point)),
			    place(y, i < count ? r.elo + r.error : r.elo - r.error));
	}
	string_addf(d->out, "Z\"/>\n<path class=\"line s%d\" d=\"", c);
	for (int i = 0; i < count; i++)
		string_addf(d->out, "%c%.1f %.1f", i ? 'L' : 'M', place(x, (double)games_at(d, i)),
			    place(y, point_of(d, i, player).elo));
	string_addf(d->out, "\"/>\n");
}

/* The Elo curves over the games, with a grid and the names of the players. */
static void put_elo(struct drawing *d)
{
	/* Two players have the same difference up to its sign: one curve is enough. */
	const int players = d->totals->players == 2 ? 1 : d->totals->players;
	const int count = players < CURVES ? players : CURVES;
	const int points = d->report->points, room = 16;
	const double first = (double)games_at(d, 0), games = (double)d->totals->games;
	const struct scale x = { first, fmax(games, first + 1), CHART_LEFT, CHART_RIGHT };
	/* Fits all curves and error bands from the second half on, when they have settled. */
	double low = 0, high = 0;
	for (int c = 0; c < count; c++)
		for (int point = points / 2; point <= points; point++) {
			const struct rating r = point_of(d, point, d->who[c]);
			low = fmin(low, r.elo - r.error);
			high = fmax(high, r.elo + r.error);
		}
	const double step = nice_step(fmax(high - low, 10), 7);
	const struct scale y = { floor(low / step) * step, ceil(high / step) * step,
				 d->top + CHART_HEIGHT, d->top };
	put_label(d, MARGIN, d->top - 20, "head",
		  d->totals->players == 2 ? "Elo difference over the games, with its 95 % error"
					  : "Elo over the games, with its 95 % error");
	put_grid(d, &y, nice_step(y.to - y.from, 8), true, CHART_RIGHT);
	string_addf(d->out,
		    "<clipPath id=\"chart\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
		    "</clipPath>\n<g clip-path=\"url(#chart)\">\n",
		    CHART_LEFT, d->top, CHART_RIGHT - CHART_LEFT, CHART_HEIGHT);
	for (int c = count - 1; c >= 0; c--)
		put_curve(d, c, &x, &y);
	string_addf(d->out, "</g>\n");
	/* The names at the ends of the curves, moved apart where they would overlap; best first. */
	double above = d->top - room;
	for (int c = 0; c < count; c++) {
		const double least = d->top + CHART_HEIGHT - (count - 1 - c) * room;
		const double at = fmin(fmax(place(&y, d->now[d->who[c]].elo), above + room), least);
		string_addf(d->out, "<text class=\"f%d\" x=\"%d\" y=\"%.1f\">", c, CHART_RIGHT + 8,
			    at + 5);
		svg_add_text(d->out, d->plan->players[d->who[c]].name, NAME_LETTERS);
		string_addf(d->out, "</text>\n");
		above = at;
	}
	put_number_axis(d, &x, d->top + CHART_HEIGHT);
	d->top += CHART_HEIGHT + 30 + GAP;
}

/* ---- The lengths ---- */

/* A bar chart of the games by their plies. */
static void put_lengths(struct drawing *d)
{
	const struct match_report *r = d->report;
	const int longest = r->longest < REPORT_LENGTHS ? r->longest : REPORT_LENGTHS - 1;
	uint64_t heights[BARS + 1] = { 0 }, highest = 0;
	int shortest = 0;
	while (shortest < longest && !r->lengths[shortest])
		shortest++;
	/* Each bar has the games of `width` lengths, from a multiple of it. */
	const int width = (int)fmax(nice_step(longest - shortest + 1, BARS), 1);
	const int from = shortest / width * width, count = (longest - from) / width + 1;
	for (int plies = shortest; plies <= longest; plies++)
		heights[(plies - from) / width] += r->lengths[plies];
	for (int i = 0; i < count; i++)
		highest = heights[i] > highest ? heights[i] : highest;
	const int bottom = d->top + BARS_HEIGHT;
	const struct scale x = { from, from + width * count, CHART_LEFT, BARS_RIGHT };
	const struct scale y = { 0, fmax((double)highest, 1), bottom, d->top };
	put_label(d, MARGIN, d->top - 20, "head",
		  r->longest < REPORT_LENGTHS
			  ? "Games by their length in plies"
			  : "Games by their length in plies; the last bar has the longer ones too");
	put_grid(d, &y, fmax(nice_step(y.to, 4), 1), false, BARS_RIGHT);
	for (int i = 0; i < count; i++) {
		const int first = from + width * i;
		const double left = place(&x, first), right = place(&x, first + width);
		const double top = place(&y, (double)heights[i]);
		if (heights[i])
			string_addf(d->out,
				    "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
				    "height=\"%.1f\"><title>%d to %d plies: %llu</title></rect>\n",
				    left + 1, top, right - left - 2, y.at_from - top, first,
				    first + width - 1, (unsigned long long)heights[i]);
	}
	put_number_axis(d, &x, bottom);
	d->top = bottom + 40;
}

/* ---- The picture ---- */

void report_svg(const struct match_report *r, const struct match_plan *plan,
		const struct match_totals *totals, struct string *out)
{
	struct drawing d = { .report = r, .plan = plan, .totals = totals, .top = 48, .out = out };
	const int terms = (TERMS_LEAST + totals->players) * TERM;
	const int height = d.top + 36 + terms + totals->players * ROW + GAP + CHART_HEIGHT + 30 +
			   GAP + BARS_HEIGHT + 40;
	if (totals->players > MATCH_MAX_PLAYERS || report_rate(plan, totals, d.now) != QV_OK) {
		out->failed = true;
		return;
	}
	/* Sorts the players, best first. */
	for (int i = 0; i < totals->players; i++) {
		int at = i;
		for (; at > 0 && d.now[d.who[at - 1]].elo < d.now[i].elo; at--)
			d.who[at] = d.who[at - 1];
		d.who[at] = i;
	}
	char rules[256];
	struct qv_text text = { rules, sizeof rules, 0 };
	qv_rules_text(&plan->rules, &text);
	svg_begin(out, WIDTH, height, "Report of a match");
	put_sheet(out);
	string_addf(out, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", WIDTH, height);
	string_addf(out, "<text class=\"title\" x=\"%d\" y=\"%d\">", MARGIN, d.top);
	svg_add_text(out, rules, 60);
	string_addf(out, ", %lld game%s</text>\n", (long long)totals->games,
		    totals->games == 1 ? "" : "s");
	d.top += 26;
	put_terms(&d);
	d.top += 10;
	put_standings(&d);
	put_elo(&d);
	put_lengths(&d);
	string_addf(out, "</svg>\n");
}
