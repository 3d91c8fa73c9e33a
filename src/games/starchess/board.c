/*
 * board.c - Star Chess on a page: sixteen sectors, each with its planet, the ships that can move,
 * and the ships that cannot move any more this turn.
 * SPDX-License-Identifier: MIT
 *
 *     +-----------+      The cells of sector n, in order: 3n is the planet, 3n + 1 the ships that
 *     |  planet   |      are ready, 3n + 2 the others.
 *     | ready  -- |
 *     +-----------+
 */
#include "games/starchess/rules.h"

enum { PARTS = 3, PLANET = 0, READY = 1, IDLE = 2, SIDE = 220, MARGIN = 30 };
enum { PIECE_FLEET = 2 * (SC_FACTIONS + 1) };      /* after the planets: terran, then barren */

#define GLOBE "M-40 0A40 40 0 1 1 40 0 40 40 0 1 1-40 0Z"
#define LANDS "M-30-20Q-10-30 0-15T25-5M-25 15Q-5 5 5 20T25 20"
#define ROCKS "M-15-15a8 8 0 1 0 1 0M12 5a10 10 0 1 0 1 0M-10 20a5 5 0 1 0 1 0"
#define SHIP "M0-42L14 10 38 34 14 28 0 40-14 28-38 34-14 10Z"

/* The name of a piece starts with the colour of the faction, by which pages call the seat. */
#define PLANETS(kind, lines)                                                                        \
	{ .name = kind " planet", .body = GLOBE, .detail = lines, .paint = QV_PAINT_GREY,           \
	  .seat = -1 },                                                                             \
	COLONY(kind, lines, "red", QV_PAINT_RED, 0), COLONY(kind, lines, "yellow", QV_PAINT_YELLOW, 1), \
	COLONY(kind, lines, "green", QV_PAINT_GREEN, 2), COLONY(kind, lines, "blue", QV_PAINT_BLUE, 3)
#define COLONY(kind, lines, colour, colour_paint, whose)                                             \
	{ .name = colour " colony, " kind, .body = GLOBE, .detail = lines, .paint = colour_paint,   \
	  .seat = whose, .most = SC_TERRAN_MOST }
#define FLEET(colour, colour_paint, whose)                                                        \
	{ .name = colour " ships", .body = SHIP, .paint = colour_paint, .seat = whose,            \
	  .most = SC_MOST_SHIPS }

/* Terran planets by owner (nobody first), barren ones likewise, then fleets by owner. */
static const struct qv_piece pieces[] = {
	PLANETS("terran", LANDS),
	PLANETS("barren", ROCKS),
	FLEET("red", QV_PAINT_RED, 0),
	FLEET("yellow", QV_PAINT_YELLOW, 1),
	FLEET("green", QV_PAINT_GREEN, 2),
	FLEET("blue", QV_PAINT_BLUE, 3),
	{ .name = NULL },
};

/* The cell of a part of a sector. */
static int16_t cell_of(unsigned sector, int part)
{
	return (int16_t)(PARTS * sector + (unsigned)part);
}

static void layout(const int64_t *options, struct qv_layout *l)
{
	static const char *const names[PARTS] = { "", " ready", " idle" };
	(void)options;
	l->width = l->height = 2 * MARGIN + 4 * SIDE;
	l->ground = QV_TONE_FRAME;
	for (int i = 0; i < PARTS * SC_SECTORS; i++) {
		const int column = i / PARTS / 4, row = 3 - i / PARTS % 4, part = i % PARTS;
		const int left = MARGIN + SIDE * column, top = MARGIN + SIDE * row;
		const bool planet = part == PLANET;
		char name[QV_CELL_TEXT];
		snprintf(name, sizeof name, "%c%d%s", 'A' + column, 4 - row, names[part]);
		struct qv_cell *cell =
			qv_add_cell(l, name, left + (planet ? SIDE / 2 : 60 + 100 * (part - 1)),
				    top + (planet ? 60 : 160));
		cell->width = planet ? 200 : 98;
		cell->height = 98;
		cell->row = (int16_t)(2 * row + !planet);
		cell->column = (int16_t)(2 * column + (part == IDLE));
		cell->tone = (column + row) % 2 ? QV_TONE_DARK : QV_TONE_LIGHT;
		if (part == IDLE)
			cell->tone = QV_TONE_TRAY;
	}
	for (int i = 0; i < 4; i++) {
		const char letter[] = { (char)('A' + i), '\0' }, digit[] = { (char)('4' - i), '\0' };
		const int middle = MARGIN + SIDE * i + SIDE / 2;
		qv_add_label(l, letter, middle, l->height - MARGIN / 2);
		qv_add_label(l, digit, MARGIN / 2, middle);
	}
}

/* Every sector has a planet. Its number is the population; without a colony it is 1. */
static int stand(const void *state, struct qv_standing *list)
{
	const struct starchess *s = state;
	int n = 0;
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int colony = sc_owner(s->g.colonies, i), idle = s->g.ships[i] - s->active[i];
		const int kind = s->g.terran >> i & 1 ? 0 : SC_FACTIONS + 1;
		const int16_t planet = (int16_t)(kind + 1 + colony);
		const int16_t fleet = (int16_t)(PIECE_FLEET + sc_owner(s->g.fleets, i));
		list[n++] = (struct qv_standing){ cell_of(i, PLANET), planet,
						  colony < 0 ? 1 : s->g.population[i] };
		if (s->active[i])
			list[n++] = (struct qv_standing){ cell_of(i, READY), fleet, s->active[i] };
		if (idle)
			list[n++] = (struct qv_standing){ cell_of(i, IDLE), fleet, idle };
	}
	return n;
}

/*
 * Ships move from their cell to a planet, or settle on their own; planets build or are terraformed;
 * the cell of idle ships scraps.
 */
static int clicks(const void *state, qv_move move, int16_t *cells)
{
	static const int parts[SC_COMMANDS] = { [SC_MOVE] = READY, [SC_COLONIZE] = READY,
						[SC_SCRAP] = IDLE };
	const enum sc_command kind = sc_kind(move);
	const unsigned from = sc_from(move);
	(void)state;
	cells[0] = cell_of(from, parts[kind]);
	cells[1] = cell_of(kind == SC_MOVE ? sc_to(move) : from, PLANET);
	return kind == SC_END ? 0 : parts[kind] == READY ? 2 : 1;
}

/* The score of the rules, which decides nothing but tells who is ahead. */
static int32_t score(const void *state, int seat)
{
	const struct starchess *s = state;
	int32_t scores[SC_FACTIONS];
	sc_scores(&s->g, scores);
	return scores[seat];
}

const struct qv_board starchess_board = {
	.pieces = pieces, .layout = layout, .stand = stand, .clicks = clicks, .score = score,
};
