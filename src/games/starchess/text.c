/*
 * text.c - Star Chess: commands as text, and why a command is refused.
 * SPDX-License-Identifier: MIT
 *
 * A command is read by the beginning of its word; without a number the largest possible one is
 * used. A refusal names the first condition that is not met, with the numbers of the position.
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
	int sectors;
	bool number;
} commands[SC_COMMANDS] = {
	[SC_END] = { "end", 0, false },
	[SC_MOVE] = { "move", 2, true },
	[SC_BUILD] = { "build", 1, true },
	[SC_COLONIZE] = { "colonize", 1, false },
	[SC_TERRAFORM_PLANET] = { "terraform", 1, false },
	[SC_SCRAP] = { "scrap", 1, true },
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

/* ---- Reading ---- */

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

/* ---- Why not ---- */

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
	static const char *const examples[SC_COMMANDS] = {
		"end", "move A1 B2 12", "build A1 5", "colonize B2", "terraform C3", "scrap A1 3",
	};
	struct order o;
	enum sc_command kind;
	if (read_order(text, &o))
		why_not(state, &o, why);
	else if (!read_word(&text, &kind))
		sc_putf(why,
			"the commands are move A1 B2 12, build A1 5, colonize B2, terraform C3, "
			"scrap A1 3 and end");
	else
		sc_putf(why, "write it as '%s'%s%s", examples[kind],
			commands[kind].sectors ? "; sectors are A1 to D4" : "",
			commands[kind].number
				? "; without a number, as many ships as possible are used"
				: "");
}
