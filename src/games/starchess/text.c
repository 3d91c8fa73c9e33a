/*
 * text.c - Star Chess: commands as text, and why a command is refused.
 * SPDX-License-Identifier: MIT
 *
 * A command is read by the beginning of its word; without a number the largest possible one is
 * used. A refusal names the first condition that is not met, with the numbers of the position.
 */
#include "base/scan.h"
#include "games/starchess/rules.h"
#include "games/starchess/phrases.h"

void sc_put_sector(struct qv_text *out, unsigned sector)
{
	qv_put_char(out, (char)('A' + sector / 4));
	qv_put_char(out, (char)('1' + sector % 4));
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
	for (int i = 0; i < commands[kind].sectors; i++) {
		qv_put_char(out, ' ');
		sc_put_sector(out, i ? sc_to(move) : sc_from(move));
	}
	if (commands[kind].number) {
		qv_put_char(out, ' ');
		qv_put_int(out, sc_number(move));
	}
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

/* Skips blanks and reads a sector. */
static bool read_sector(const char **text, unsigned *out)
{
	const char *t = *text + strspn(*text, " ");
	const char column = to_lower(*t);
	if (t == *text || column < 'a' || column > 'd' || t[1] < '1' || t[1] > '4')
		return false;
	*out = (unsigned)(column - 'a') * 4 + (unsigned)(t[1] - '1');
	*text = t + 2;
	return true;
}

/* Skips blanks and reads a number of up to six digits. */
static bool read_count(const char **text, int *out)
{
	const char *t = *text + strspn(*text, " "), *const first = t;
	int count = 0;
	if (t == *text)
		return false;
	for (; is_digit(*t) && t < first + 6; t++)
		count = count * 10 + (*t - '0');
	*text = t;
	*out = count;
	return t > first;
}

static bool read_order(const char *text, struct order *out)
{
	struct order o = { .count = -1 };
	if (!read_word(&text, &o.kind))
		return false;
	for (int i = 0; i < commands[o.kind].sectors; i++)
		if (!read_sector(&text, &o.sector[i]))
			return false;
	if (commands[o.kind].number && *text && !read_count(&text, &o.count))
		return false;
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

static bool owns(const uint16_t sets[SC_FACTIONS], int me, unsigned sector)
{
	return sets[me] >> sector & 1;
}

static void why_no_move(const struct starchess *s, const struct order *o, struct qv_text *out)
{
	const int me = s->seat;
	const unsigned from = o->sector[0], to = o->sector[1];
	const struct sc_name a = sc_name_of(from), b = sc_name_of(to);
	UNLESS(owns(s->g.fleets, me, from), "no ships of yours are in %s", a.text);
	UNLESS(from != to && sc_near(1U << from) >> to & 1, "%s is not a neighbour of %s", b.text,
	       a.text);
	UNLESS(sc_near(s->g.colonies[me]) >> to & 1,
	       "%s neither has a colony of yours nor is next to one", b.text);
	UNLESS(o->count, "you must move at least one ship");
	UNLESS(s->active[from] > 0 && o->count <= s->active[from],
	       "of your ships in %s, only %d can still move this turn", a.text, s->active[from]);
	UNLESS(o->count <= sc_room(s, to) && sc_room(s, to) > 0,
	       "a fleet has at most %d ships, and %s has room for %d", SC_MOST_SHIPS, b.text,
	       sc_room(s, to));
}

static void why_no_building(const struct starchess *s, const struct order *o, struct qv_text *out)
{
	const int me = s->seat, count = o->count < 0 ? 1 : o->count;
	const unsigned at = o->sector[0];
	const struct sc_name a = sc_name_of(at);
	UNLESS(owns(s->g.colonies, me, at), "%s has no colony of yours", a.text);
	UNLESS(count, "you must build at least one ship");
	UNLESS(count <= sc_room(s, at), "a fleet has at most %d ships, and %s has room for %d",
	       SC_MOST_SHIPS, a.text, sc_room(s, at));
	UNLESS((int64_t)count * SC_SHIP_MATERIALS <= s->g.materials[me],
	       "a ship costs %d materials, and you have %d", SC_SHIP_MATERIALS, s->g.materials[me]);
	UNLESS((int64_t)count * SC_SHIP_CREDITS <= s->g.credits[me],
	       "a ship costs %d credits, and you have %d", SC_SHIP_CREDITS, s->g.credits[me]);
	UNLESS(count * SC_SHIP_WORKERS <= sc_idle(s, at),
	       "a ship takes %d colonists, and in %s only %d have not worked this turn",
	       SC_SHIP_WORKERS, a.text, sc_idle(s, at));
}

static void why_no_colony(const struct starchess *s, const struct order *o, struct qv_text *out)
{
	const unsigned at = o->sector[0];
	const struct sc_name a = sc_name_of(at);
	UNLESS(!(sc_all_colonies(&s->g) >> at & 1), "%s already has a colony", a.text);
	UNLESS(owns(s->g.fleets, s->seat, at), "no ships of yours are in %s", a.text);
	UNLESS(s->active[at] >= SC_SETTLERS,
	       "a colony takes %d ships that have not moved, and %s has only %d", SC_SETTLERS,
	       a.text, s->active[at]);
}

static void why_no_terraforming(const struct starchess *s, const struct order *o,
				struct qv_text *out)
{
	const unsigned at = o->sector[0];
	const struct sc_name a = sc_name_of(at);
	UNLESS(owns(s->g.colonies, s->seat, at), "%s has no colony of yours", a.text);
	UNLESS(!(s->g.terran >> at & 1), "the planet of %s is already terran", a.text);
	UNLESS(s->g.materials[s->seat] >= SC_TERRAFORM,
	       "terraforming costs %d materials, and you have %d", SC_TERRAFORM,
	       s->g.materials[s->seat]);
}

static void why_no_scrapping(const struct starchess *s, const struct order *o, struct qv_text *out)
{
	const unsigned at = o->sector[0];
	const struct sc_name a = sc_name_of(at);
	UNLESS(owns(s->g.fleets, s->seat, at), "no ships of yours are in %s", a.text);
	UNLESS(o->count, "you must scrap at least one ship");
	UNLESS(o->count <= s->g.ships[at], "you have only %d ships in %s", s->g.ships[at], a.text);
}

static void why_not_read(const char *text, struct qv_text *out)
{
	static const char *const examples[SC_COMMANDS] = {
		[SC_END] = "end",
		[SC_MOVE] = "move A1 B2 12",
		[SC_BUILD] = "build A1 5",
		[SC_COLONIZE] = "colonize B2",
		[SC_TERRAFORM_PLANET] = "terraform C3",
		[SC_SCRAP] = "scrap A1 3",
	};
	enum sc_command kind;
	if (!read_word(&text, &kind))
		sc_putf(out,
			"the commands are move A1 B2 12, build A1 5, colonize B2, terraform C3, "
			"scrap A1 3 and end");
	else
		sc_putf(out, "write it as '%s'%s%s", examples[kind],
			commands[kind].sectors ? "; sectors are A1 to D4" : "",
			commands[kind].number
				? "; without a number, as many ships as possible are used"
				: "");
}

void starchess_refusal(const void *state, const char *text, struct qv_text *why)
{
	const struct starchess *s = state;
	struct order o;
	if (!read_order(text, &o)) {
		why_not_read(text, why);
		return;
	}
	switch (o.kind) {
	case SC_MOVE:
		why_no_move(s, &o, why);
		break;
	case SC_BUILD:
		why_no_building(s, &o, why);
		break;
	case SC_COLONIZE:
		why_no_colony(s, &o, why);
		break;
	case SC_TERRAFORM_PLANET:
		why_no_terraforming(s, &o, why);
		break;
	case SC_SCRAP:
		why_no_scrapping(s, &o, why);
		break;
	default:
		break;
	}
}
