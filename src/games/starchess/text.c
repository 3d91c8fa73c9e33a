/*
 * text.c - Star Chess: commands and positions as text, why a command is refused, and the board for
 * a terminal.
 * SPDX-License-Identifier: MIT
 *
 * A command is read by the beginning of its word; without a number the largest possible one is
 * used. A refusal names the first condition that is not met, with the numbers of the position.
 *
 *     SC1 turn=1 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0 A1=T1:1000:0/1:20:20 A2=B0 ... D4=B0
 *
 * A position has for each faction `materials,credits`, or `-` if it is defeated; for each sector
 * the planet, then 0 or `owner:population:worked`, then, with a fleet, `/owner:ships:active`. The
 * reader accepts exactly what the writer can produce for a position that a game can reach, so each
 * position has one text. It names the first thing that is wrong.
 *
 * The board has 40 columns. A sector shows its planet (T or B) with owner and population, and its
 * fleet with owner and ships. If some ships in a row of sectors cannot move this turn, a third line
 * has the number that can.
 */
#include <stdarg.h>

#include "base/scan.h"
#include "games/starchess/rules.h"

void sc_putf(struct qv_text *out, const char *format, ...)
{
	char text[160];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	qv_put(out, text);
}

static const struct {
	const char *word;
	int sectors; /* that follow the word */
	bool number; /* a number may follow */
	const char *example;
} commands[SC_COMMANDS] = {
	[SC_END] = { "end", 0, false, "end" },
	[SC_MOVE] = { "move", 2, true, "move A1 B2 12" },
	[SC_BUILD] = { "build", 1, true, "build A1 5" },
	[SC_COLONIZE] = { "colonize", 1, false, "colonize B2" },
	[SC_TERRAFORM_PLANET] = { "terraform", 1, false, "terraform C3" },
	[SC_SCRAP] = { "scrap", 1, true, "scrap A1 3" },
};

void starchess_move_text(const struct starchess *s, qv_move move, struct qv_text *out)
{
	const enum sc_command kind = sc_kind(move);
	(void)s;
	qv_put(out, commands[kind].word);
	for (int i = 0; i < commands[kind].sectors; i++)
		sc_putf(out, " %s", sc_name_of(i ? sc_to(move) : sc_from(move)).text);
	if (commands[kind].number)
		sc_putf(out, " %d", sc_number(move));
}

/* ---- Commands, read ---- */

/* A command as it was read. It need not be legal. */
struct order {
	enum sc_command kind;
	unsigned sector[2];
	int count; /* -1: not given */
};

/* Reads a command by its word or a prefix of it, in any letter case. */
static bool read_word(const char **text, enum sc_command *kind)
{
	for (int k = 0; k < SC_COMMANDS; k++) {
		const char *word = commands[k].word, *t = *text;
		while (*word && to_lower(*t) == *word) {
			word++;
			t++;
		}
		if (t > *text && (*t == ' ' || !*t)) {
			*text = t;
			*kind = (enum sc_command)k;
			return true;
		}
	}
	return false;
}

bool starchess_is_order(const char *word)
{
	enum sc_command kind;
	return read_word(&word, &kind);
}

/* Reads a whole command; blanks separate its parts. */
static bool read_order(const char *text, struct order *out)
{
	struct order o = { .count = -1 };
	if (!read_word(&text, &o.kind))
		return false;
	for (int i = 0; i < commands[o.kind].sectors; i++) {
		const char *t = text + strspn(text, " ");
		const char column = to_lower(*t);
		if (t == text || column < 'a' || column > 'd' || t[1] < '1' || t[1] > '4')
			return false;
		o.sector[i] = (unsigned)(column - 'a') * 4 + (unsigned)(t[1] - '1');
		text = t + 2;
	}
	/* A number of up to six digits. */
	if (commands[o.kind].number && *text) {
		const char *const first = text + strspn(text, " ");
		if (first == text || !is_digit(*first))
			return false;
		o.count = 0;
		for (text = first; is_digit(*text) && text < first + 6; text++)
			o.count = o.count * 10 + (*text - '0');
	}
	*out = o;
	return !*text;
}

/* The order as a move; without a number, the largest. */
bool starchess_move_parse(const struct starchess *s, const char *text, qv_move *move)
{
	struct order o;
	if (!read_order(text, &o))
		return false;
	qv_move read = sc_command(o.kind, o.sector[0], o.sector[1], 0);
	if (sc_is_counted(read)) {
		const int count = o.count < 0 ? starchess_max_count(s, read) : o.count;
		if (count < 1 || count > SC_MOST_SHIPS)
			return false;
		read = starchess_with_count(s, read, count);
	}
	*move = read;
	return true;
}

/* ---- Commands, refused ---- */

/* If the condition is not met, writes the reason and returns. */
#define UNLESS(condition, ...)                     \
	do {                                       \
		if (!(condition)) {                \
			sc_putf(out, __VA_ARGS__); \
			return;                    \
		}                                  \
	} while (0)

/* Writes the first condition of the rules that a command breaks. */
static void why_not(const struct starchess *s, const struct order *o, struct qv_text *out)
{
	const struct sc_galaxy *g = &s->g;
	const int me = s->seat, count = o->count < 0 ? 1 : o->count;
	const unsigned at = o->sector[0], to = o->sector[1];
	const int active = s->active[at], room = sc_room(g, me, o->kind == SC_MOVE ? to : at);
	const bool own_fleet = g->fleets[me] >> at & 1, own_colony = g->colonies[me] >> at & 1;
	const struct sc_name a = sc_name_of(at), b = sc_name_of(to);
	switch (o->kind) {
	case SC_MOVE:
		UNLESS(own_fleet, "no ships of yours are in %s", a.text);
		UNLESS(at != to && sc_near(1U << at) >> to & 1, "%s is not a neighbour of %s",
		       b.text, a.text);
		UNLESS(sc_near(g->colonies[me]) >> to & 1,
		       "%s neither has a colony of yours nor is next to one", b.text);
		UNLESS(count, "you must move at least one ship");
		UNLESS(count <= active, "of your ships in %s, only %d can still move this turn",
		       a.text, active);
		UNLESS(count <= room, "a fleet has at most %d ships, and %s has room for %d",
		       SC_MOST_SHIPS, b.text, room);
		break;
	case SC_BUILD:
		UNLESS(own_colony, "%s has no colony of yours", a.text);
		UNLESS(count, "you must build at least one ship");
		UNLESS(count <= room, "a fleet has at most %d ships, and %s has room for %d",
		       SC_MOST_SHIPS, a.text, room);
		UNLESS((int64_t)count * SC_SHIP_MATERIALS <= g->materials[me],
		       "a ship costs %d materials, and you have %d", SC_SHIP_MATERIALS,
		       g->materials[me]);
		UNLESS((int64_t)count * SC_SHIP_CREDITS <= g->credits[me],
		       "a ship costs %d credits, and you have %d", SC_SHIP_CREDITS, g->credits[me]);
		UNLESS(count * SC_SHIP_WORKERS <= sc_idle(s, at),
		       "a ship takes %d colonists, and in %s only %d have not worked this turn",
		       SC_SHIP_WORKERS, a.text, sc_idle(s, at));
		break;
	case SC_COLONIZE:
		UNLESS(!(sc_all_colonies(g) >> at & 1), "%s already has a colony", a.text);
		UNLESS(own_fleet, "no ships of yours are in %s", a.text);
		UNLESS(active >= SC_SETTLERS,
		       "a colony takes %d ships that have not moved, and %s has only %d",
		       SC_SETTLERS, a.text, active);
		break;
	case SC_TERRAFORM_PLANET:
		UNLESS(own_colony, "%s has no colony of yours", a.text);
		UNLESS(!(g->terran >> at & 1), "the planet of %s is already terran", a.text);
		UNLESS(g->materials[me] >= SC_TERRAFORM,
		       "terraforming costs %d materials, and you have %d", SC_TERRAFORM,
		       g->materials[me]);
		break;
	case SC_SCRAP:
		UNLESS(own_fleet, "no ships of yours are in %s", a.text);
		UNLESS(count, "you must scrap at least one ship");
		UNLESS(count <= g->ships[at], "you have only %d ships in %s", g->ships[at], a.text);
		break;
	default:
		break;
	}
}

void starchess_refusal(const void *state, const char *text, struct qv_text *why)
{
	struct order o;
	enum sc_command kind;
	if (read_order(text, &o))
		why_not(state, &o, why);
	else if (!read_word(&text, &kind))
		sc_putf(why,
			"the commands are move A1 B2 12, build A1 5, colonize B2, terraform C3, "
			"scrap A1 3 and end");
	else
		sc_putf(why, "write it as '%s'%s%s", commands[kind].example,
			commands[kind].sectors ? "; sectors are A1 to D4" : "",
			commands[kind].number
				? "; without a number, as many ships as possible are used"
				: "");
}

/* ---- Positions, written ---- */

void starchess_position_text(const struct starchess *s, struct qv_text *out)
{
	sc_putf(out, "SC1 turn=%d move=%d", s->turn, s->seat + 1);
	for (int f = 0; f < SC_FACTIONS; f++)
		if (s->g.defeated >> f & 1)
			sc_putf(out, " f%d=-", f + 1);
		else
			sc_putf(out, " f%d=%d,%d", f + 1, s->g.materials[f], s->g.credits[f]);
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int colony = sc_owner(s->g.colonies, i), fleet = sc_owner(s->g.fleets, i);
		sc_putf(out, " %s=%c", sc_name_of(i).text, s->g.terran >> i & 1 ? 'T' : 'B');
		if (s->g.population[i])
			sc_putf(out, "%d:%d:%d", colony + 1, s->g.population[i], s->worked[i]);
		else
			qv_put_char(out, '0');
		if (s->g.ships[i])
			sc_putf(out, "/%d:%d:%d", fleet + 1, s->g.ships[i], s->active[i]);
	}
}

/* ---- Positions, read ---- */

/* What is left of a text, and where errors go. */
struct reader {
	const char *at;
	struct qv_error *error;
};

/* Reads a number from min to max, without sign or leading zeros. */
static bool read_number(struct reader *r, int min, int max, int *out)
{
	return scan_count(&r->at, max, out) && *out >= min;
}

/* Reads the reserves of a faction, or that it is defeated. */
static enum qv_status read_faction(struct reader *r, struct starchess *s, int f)
{
	const char key[] = { ' ', 'f', (char)('1' + f), '=', '\0' };
	if (scan_literal(&r->at, key)) {
		if (scan_literal(&r->at, "-")) {
			s->g.defeated |= (uint16_t)(1U << f);
			return QV_OK;
		}
		if (read_number(r, 0, SC_MAX_RESERVE, &s->g.materials[f]) &&
		    scan_literal(&r->at, ",") &&
		    read_number(r, 0, SC_MAX_RESERVE, &s->g.credits[f]))
			return QV_OK;
	}
	return qv_fail(r->error, QV_BAD_INPUT,
		       "position: expected '%s' and materials,credits up to %d, or -", key,
		       SC_MAX_RESERVE);
}

/* An owner, from 0, a number of inhabitants or ships, and how many of them worked or can move. */
struct three {
	int owner, many, part;
};

static bool read_three(struct reader *r, int least, int most, struct three *out)
{
	if (!read_number(r, 1, SC_FACTIONS, &out->owner) || !scan_literal(&r->at, ":") ||
	    !read_number(r, least, most, &out->many) || !scan_literal(&r->at, ":") ||
	    !read_number(r, 0, out->many, &out->part))
		return false;
	out->owner--;
	return true;
}

/* Reads a sector: its planet, its colony and its fleet. */
static enum qv_status read_place(struct reader *r, struct starchess *s, unsigned i)
{
	const char key[] = { ' ', (char)('A' + i / 4), (char)('1' + i % 4), '=', '\0' };
	const uint16_t here = (uint16_t)(1U << i);
	struct three three;
	if (!scan_literal(&r->at, key) || (*r->at != 'T' && *r->at != 'B'))
		return qv_fail(r->error, QV_BAD_INPUT,
			       "position: expected '%s' and a planet, T or B", key);
	if (*r->at++ == 'T')
		s->g.terran |= here;
	if (!scan_literal(&r->at, "0")) {
		if (!read_three(r, SC_SETTLERS, SC_TERRAN_MOST, &three))
			return qv_fail(r->error, QV_BAD_INPUT,
				       "position: the planet of%.3s must be followed by 0 or "
				       "owner:population:worked, with a population of %d to %d",
				       key, SC_SETTLERS, SC_TERRAN_MOST);
		s->g.colonies[three.owner] |= here;
		s->g.population[i] = (uint16_t)three.many;
		s->worked[i] = (uint16_t)three.part;
	}
	if (scan_literal(&r->at, "/")) {
		if (!read_three(r, 1, SC_MOST_SHIPS, &three))
			return qv_fail(
				r->error, QV_BAD_INPUT,
				"position: the fleet of%.3s must be owner:ships:active, with 1 "
				"to %d ships",
				key, SC_MOST_SHIPS);
		s->g.fleets[three.owner] |= here;
		s->g.ships[i] = (uint16_t)three.many;
		s->active[i] = (uint16_t)three.part;
	}
	return QV_OK;
}

/* Refuses what no game can reach. */
static enum qv_status check(const struct starchess *s, struct qv_error *error)
{
	for (int f = 0; f < SC_FACTIONS; f++) {
		const bool defeated = s->g.defeated >> f & 1;
		if (!defeated && !(s->g.colonies[f] >> sc_homes[f] & 1))
			return qv_fail(error, QV_ILLEGAL,
				       "position: faction %d has lost its home world but is not "
				       "marked as defeated",
				       f + 1);
		if (defeated && (s->g.colonies[f] || s->g.fleets[f]))
			return qv_fail(error, QV_ILLEGAL,
				       "position: faction %d is defeated but owns something",
				       f + 1);
	}
	if (s->g.defeated == (1U << SC_FACTIONS) - 1)
		return qv_fail(error, QV_ILLEGAL, "position: all factions are defeated");
	if (s->g.defeated >> s->seat & 1)
		return qv_fail(error, QV_ILLEGAL, "position: faction %d is to move but is defeated",
			       s->seat + 1);
	return QV_OK;
}

enum qv_status starchess_position_parse(struct starchess *s, const int64_t *options,
					const char *text, struct qv_error *error)
{
	struct starchess read = { .limit = (uint16_t)options[SC_OPTION_LIMIT] };
	struct reader r = { text, error };
	enum qv_status status = QV_OK;
	int turn, move;
	if (!scan_literal(&r.at, "SC1 turn="))
		return qv_fail(error, QV_BAD_INPUT, "position: it must start with 'SC1 turn='");
	if (!read_number(&r, 1, read.limit + 1, &turn))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: the turn must be 1 to %d, the limit plus one",
			       read.limit + 1);
	if (!scan_literal(&r.at, " move=") || !read_number(&r, 1, SC_FACTIONS, &move))
		return qv_fail(error, QV_BAD_INPUT,
			       "position: expected ' move=' and a faction, 1 to 4, after the turn");
	read.turn = (uint16_t)turn;
	read.seat = (uint16_t)(move - 1);
	for (int f = 0; f < SC_FACTIONS && status == QV_OK; f++)
		status = read_faction(&r, &read, f);
	for (unsigned i = 0; i < SC_SECTORS && status == QV_OK; i++)
		status = read_place(&r, &read, i);
	if (status == QV_OK && *r.at)
		status = qv_fail(error, QV_BAD_INPUT, "position: unexpected text after sector D4");
	if (status == QV_OK)
		status = check(&read, error);
	if (status == QV_OK)
		*s = read;
	return status;
}

/* ---- The board ---- */

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
