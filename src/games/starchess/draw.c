/*
 * draw.c - Star Chess in a terminal: the map, and what each faction has, in 40 columns.
 * SPDX-License-Identifier: MIT
 *
 * A sector shows its planet (T or B) with owner and population, and its fleet with owner and ships.
 * If some ships in a row of sectors cannot move this turn, a third line tells how many can.
 */
#include "games/starchess/rules.h"

enum { WIDTH = 8, LEFT = 3 }; /* of a sector; of the margin */

/* The first border has the letters of the columns. */
static void put_border(bool unicode, bool letters, struct qv_text *out)
{
	qv_put(out, unicode ? "  ┼" : "  +");
	for (int i = 0; i < 4 * (WIDTH + 1); i++) {
		const bool corner = i % (WIDTH + 1) == WIDTH;
		if (letters && i % (WIDTH + 1) == WIDTH / 2 - 1)
			qv_put_char(out, (char)('A' + i / (WIDTH + 1)));
		else
			qv_put(out, unicode ? corner ? "┼" : "─" : corner ? "+" : "-");
	}
	qv_put_char(out, '\n');
}

/* The number of lines of a row of sectors, 0 to 3 from below. */
static int lines_of(const struct starchess *s, int row)
{
	for (int i = row; i < SC_SECTORS; i += 4)
		if (s->active[i] < s->g.ships[i])
			return 3;
	return 2;
}

/* One of the three lines of a sector: its planet, its fleet, or how many ships can still move. */
static void put_part(const struct starchess *s, unsigned i, int line, struct qv_text *out)
{
	char text[32] = "";
	const int colony = sc_owner(s->g.colonies, i), fleet = sc_owner(s->g.fleets, i);
	const char planet = s->g.terran >> i & 1 ? 'T' : 'B';
	if (line == 0 && colony < 0)
		snprintf(text, sizeof text, " %c", planet);
	else if (line == 0)
		snprintf(text, sizeof text, " %c%d %4d", planet, colony + 1, s->g.population[i]);
	else if (line == 1 && fleet >= 0)
		snprintf(text, sizeof text, " >%d %4d", fleet + 1, s->g.ships[i]);
	else if (line == 2 && fleet >= 0 && s->active[i] < s->g.ships[i])
		snprintf(text, sizeof text, "ready%3d", s->active[i]);
	sc_putf(out, "%-*s", WIDTH, text);
}

/* The owner of a character: in the map of a planet or fleet, below it of a line of the table. */
int starchess_drawn_owner(const void *state, int row, int column)
{
	const struct starchess *s = state;
	const int x = (column - LEFT) / (WIDTH + 1);
	for (int y = 3; y >= 0; y--) {
		const int line = row - 1, lines = lines_of(s, y);
		row -= 1 + lines;
		if (line < 0 || line >= lines)
			continue;
		if (column < LEFT || x > 3 || (column - LEFT) % (WIDTH + 1) == WIDTH)
			return -1;
		return sc_owner(line ? s->g.fleets : s->g.colonies, (unsigned)(x * 4 + y));
	}
	row -= 3; /* the last border, the turn, the heading */
	return row >= 0 && row < SC_FACTIONS ? row : -1;
}

void starchess_draw(const struct starchess *s, bool unicode, struct qv_text *out)
{
	int32_t scores[SC_FACTIONS], points[QV_MAX_SEATS];
	const bool over = starchess_result(s, points) != QV_GOING;
	int best = -1;
	/* The map, from the top. */
	for (int row = 3; row >= 0; row--) {
		put_border(unicode, row == 3, out);
		for (int line = 0; line < lines_of(s, row); line++) {
			sc_putf(out, "%c ", line ? ' ' : '1' + row);
			for (int column = 0; column < 4; column++) {
				qv_put(out, unicode ? "│" : "|");
				put_part(s, (unsigned)(column * 4 + row), line, out);
			}
			qv_put(out, unicode ? "│\n" : "|\n");
		}
	}
	put_border(unicode, false, out);
	/* The factions; the game ends with the turn after the limit. */
	sc_putf(out, "turn %d of %d\n", over ? sc_least(s->turn, s->limit) : s->turn, s->limit);
	qv_put(out, "    materials  credits ships col  score\n");
	sc_scores(&s->g, scores);
	for (int f = 0; f < SC_FACTIONS; f++) {
		if (s->g.defeated >> f & 1) {
			sc_putf(out, "  %d  defeated                %7d\n", f + 1, scores[f]);
			continue;
		}
		sc_putf(out, "%c %d %9d %8d %5d %3d %6d\n", f == s->seat ? '>' : ' ', f + 1,
			s->g.materials[f], s->g.credits[f], sc_ships_of(&s->g, f),
			bits_count(s->g.colonies[f]), scores[f]);
		if (best < 0 || scores[f] > scores[best])
			best = f;
	}
	if (over && sc_is_won(&s->g))
		sc_putf(out, "faction %d has won\n", best + 1);
	else if (over)
		sc_putf(out, "drawn; the highest score is %d (%d)\n", scores[best], best + 1);
}
