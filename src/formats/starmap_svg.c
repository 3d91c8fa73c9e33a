/*
 * starmap_svg.c - the map of Star Chess: planets with the rings of their owners, and fleets.
 * SPDX-License-Identifier: MIT
 *
 * The same shapes and colours as on the page (web/src/starchess/mapparts.tsx, tokens.css). A sector
 * has its planet on the left, with its inhabitants below it, and its fleet on the right, with its
 * ships and a bar that shows how many of them are ready.
 */
#include "formats/starmap_svg.h"

#include "games/starchess/rules.h"

/* In the units of the board's layout: 940 by 940. */
enum { MARGIN = 30, SIDE = 220, GAP = 6, WIDTH = 4 * SIDE + 2 * MARGIN, BAR = 76 };

#define SPACE "#1b2138"
#define EDGE "#3d486f"
#define LANDS                                                                            \
	"M-30-14Q-22-32-6-30T4-16Q-2-6-14-8T-30-14ZM4 4Q14-6 26 0T24 20Q12 30 6 20T4 4Z" \
	"M-22 12Q-12 8-8 16T-16 26Z"
#define ROCKS \
	"M-17-12a9 9 0 1 0 .1 0M14-2a11 11 0 1 0 .1 0M-9 16a6 6 0 1 0 .1 0M8-30a5 5 0 1 0 .1 0"
#define SHIP "M0-42L14 10 38 34 14 28 0 40-14 28-38 34-14 10Z"
#define STAR "M0-13L3.8-4.5 13-4 6 2 8.5 11 0 6-8.5 11-6 2-13-4-3.8-4.5Z"

/* A symbol for each faction besides its colour: triangle, disc, square, diamond. */
static const struct {
	const char *fill, *edge, *sign;
} factions[SC_FACTIONS] = {
	{ "#e5584c", "#7d1f18", "M0-13L13 10H-13Z" },
	{ "#f5c63a", "#7a5905", "M0-12a12 12 0 1 1-.1 0Z" },
	{ "#52b871", "#17522a", "M-11-11H11V11H-11Z" },
	{ "#6ea2f2", "#17366e", "M0-15L13 0 0 15-13 0Z" },
};

bool starmap_is(const struct qv_board *board)
{
	return board == &starchess_board;
}

static void add_number(struct string *out, int size, const char *fill, int number)
{
	string_addf(out,
		    "<text x='0' y='76' font-size='%d' font-weight='700' fill='%s'>%d</text>\n",
		    size, fill, number);
}

static void add_planet(const struct sc_galaxy *g, unsigned i, struct string *out)
{
	const bool terran = g->terran >> i & 1;
	const int owner = sc_owner(g->colonies, i), fleet = sc_owner(g->fleets, i);
	string_addf(out, "<g transform='translate(-46 -14)'>");
	if (owner >= 0) /* what the globe leaves of it is its ring */
		string_addf(out, "<circle r='45' fill='%s'/>", factions[owner].fill);
	string_addf(out, "<circle r='%d' fill='%s'/>", owner >= 0 ? 37 : 40,
		    terran ? "#3b7fb8" : "#9a7b5c");
	string_addf(out, terran ? "<path d='" LANDS "' fill='#63a85f'/>"
				: "<path d='" ROCKS "' fill='none' stroke='#6e553c' "
				  "stroke-width='4'/>");
	if (owner >= 0) {
		string_addf(out,
			    "<circle r='19' fill='" SPACE "' fill-opacity='.85'/>"
			    "<path d='%s' fill='%s'/>",
			    factions[owner].sign, factions[owner].fill);
		if (fleet >= 0 && fleet != owner) /* a blockade */
			string_addf(out, "<circle r='50' fill='none' stroke='#ff8a70' "
					 "stroke-width='6' stroke-dasharray='14 10'/>");
		if (sc_homes[owner] == i)
			string_addf(out, "<path d='" STAR "' transform='translate(34 -38)' "
					 "fill='#ffffff'/>");
		add_number(out, 34, "#e8ecfa", g->population[i]);
	}
	string_addf(out, "</g>\n");
}

static void add_fleet(const struct starchess *s, unsigned i, struct string *out)
{
	const int owner = sc_owner(s->g.fleets, i), ships = s->g.ships[i], ready = s->active[i];
	if (owner < 0)
		return;
	string_addf(out,
		    "<g transform='translate(50 -14)'>"
		    "<path d='" SHIP "' transform='matrix(.88 0 0 .88 0 -2)' fill='%s' stroke='%s' "
		    "stroke-width='3' opacity='%s'/>"
		    "<path d='%s' transform='matrix(.62 0 0 .62 0 4)' fill='%s'/>",
		    factions[owner].fill, factions[owner].edge, ready ? "1" : ".55",
		    factions[owner].sign, factions[owner].edge);
	add_number(out, 42, "#ffffff", ships);
	string_addf(out, "<rect x='%d' y='84' width='%d' height='8' rx='4' fill='" EDGE "'/>",
		    -BAR / 2, BAR);
	if (ready)
		string_addf(out, "<rect x='%d' y='84' width='%d' height='8' rx='4' fill='%s'/>",
			    -BAR / 2, ready * BAR / ships < 8 ? 8 : ready * BAR / ships,
			    factions[owner].fill);
	string_addf(out, "</g>\n");
}

void starmap_add(const void *state, struct string *out)
{
	const struct starchess *s = state;
	string_addf(out, "<rect width='%d' height='%d' rx='10' fill='#12172a'/>\n", WIDTH, WIDTH);
	string_addf(out, "<g font-family='sans-serif' text-anchor='middle'>\n");
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int x = MARGIN + SIDE * (int)(i / 4), y = MARGIN + SIDE * (int)(3 - i % 4);
		string_addf(out,
			    "<g transform='translate(%d %d)'>"
			    "<rect x='%d' y='%d' width='%d' height='%d' rx='12' fill='" SPACE
			    "' stroke='" EDGE "' stroke-width='2'/>\n",
			    x + SIDE / 2, y + SIDE / 2, (GAP - SIDE) / 2, (GAP - SIDE) / 2,
			    SIDE - GAP, SIDE - GAP);
		string_addf(out,
			    "<text x='-82' y='-74' font-size='26' font-weight='700' "
			    "fill='#aab4d6'>%c%c</text>\n",
			    'A' + (int)(i / 4), '1' + (int)(i % 4));
		add_planet(&s->g, i, out);
		add_fleet(s, i, out);
		string_addf(out, "</g>\n");
	}
	string_addf(out, "</g>\n");
}
