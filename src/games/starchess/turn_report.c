/*
 * turn_report.c - reports in words what a turn of Star Chess did.
 * SPDX-License-Identifier: MIT
 *
 * Clauses are separated by semicolons. Consecutive orders of one kind share a verb: "moved 12 ships
 * from A1 to B2, 8 from A1 to A2; built 5 ships in A1".
 */
#include "games/starchess/rules.h"
#include "games/starchess/phrases.h"

struct report {
	struct qv_text *out;
	int seat, viewer;
	int last; /* the kind of the last clause, if another can share its verb; otherwise -1 */
	bool begun;
};

/* Starts a clause; true: it shares the verb of the last one. */
static bool clause(struct report *st, int kind)
{
	const bool same = kind >= 0 && st->last == kind;
	if (st->begun)
		qv_put(st->out, same ? ", " : "; ");
	st->begun = true;
	st->last = kind;
	return same;
}

static const char *plural(int count)
{
	return count == 1 ? "" : "s";
}

/* "of yours", "of seat 2". */
struct whose {
	char text[16];
};

static struct whose whose(const struct report *st, int faction)
{
	struct whose w;
	if (faction == st->viewer)
		snprintf(w.text, sizeof w.text, "of yours");
	else
		snprintf(w.text, sizeof w.text, "of seat %d", faction + 1);
	return w;
}

/* "12", "none". */
struct number {
	char text[12];
};

static struct number number(int count)
{
	struct number n;
	if (count)
		snprintf(n.text, sizeof n.text, "%d", count);
	else
		snprintf(n.text, sizeof n.text, "none");
	return n;
}

/* "your colony in B2", "the home world of seat 3 in D4". */
static void put_colony(const struct report *st, int owner, unsigned sector)
{
	const char *what = sc_homes[owner] == sector ? "home world" : "colony";
	if (owner == st->viewer)
		sc_putf(st->out, "your %s in %s", what, sc_name_of(sector).text);
	else
		sc_putf(st->out, "the %s of seat %d in %s", what, owner + 1,
			sc_name_of(sector).text);
}

/* ---- Orders ---- */

static void report_order(struct report *st, qv_move move)
{
	const enum sc_command kind = sc_kind(move);
	const struct sc_name from = sc_name_of(sc_from(move)), to = sc_name_of(sc_to(move));
	const int count = sc_number(move);
	if (st->seat == st->viewer || kind == SC_END)
		return;
	const bool same = clause(st, (int)kind);
	switch (kind) {
	case SC_MOVE:
		if (same)
			sc_putf(st->out, "%d from %s to %s", count, from.text, to.text);
		else
			sc_putf(st->out, "moved %d ship%s from %s to %s", count, plural(count),
				from.text, to.text);
		break;
	case SC_BUILD:
		if (same)
			sc_putf(st->out, "%d in %s", count, from.text);
		else
			sc_putf(st->out, "built %d ship%s in %s", count, plural(count), from.text);
		break;
	case SC_COLONIZE:
		sc_putf(st->out, "%s%s", same ? "" : "colonized ", from.text);
		break;
	case SC_TERRAFORM_PLANET:
		sc_putf(st->out, "%s%s", same ? "" : "terraformed ", from.text);
		break;
	default:
		if (same)
			sc_putf(st->out, "%d in %s", count, from.text);
		else
			sc_putf(st->out, "scrapped %d ship%s in %s", count, plural(count),
				from.text);
	}
}

/* Ships that entered a sector with enemy ships. */
static void report_fight(struct report *st, unsigned at, int came, const struct starchess *before,
			 const struct starchess *after)
{
	const int enemy = sc_owner(before->g.fleets, at), there = before->g.ships[at];
	const int left = after->g.ships[at];
	const struct sc_name sector = sc_name_of(at);
	const struct whose other = whose(st, enemy);
	clause(st, -1);
	if (!left)
		sc_putf(st->out, "lost %d ship%s in %s and destroyed as many %s", came,
			plural(came), sector.text, other.text);
	else if (sc_owner(after->g.fleets, at) != enemy)
		sc_putf(st->out, "beat %d ship%s %s in %s, losing %s", there, plural(there),
			other.text, sector.text, number(came - left).text);
	else
		sc_putf(st->out, "lost %d ship%s in %s to %d %s, destroying %s of them", came,
			plural(came), sector.text, there, other.text, number(there - left).text);
}

/* ---- The end of a turn ---- */

static void report_unsupported(struct report *st, const struct starchess *before)
{
	struct sc_galaxy g = before->g;
	const int me = st->seat;
	const unsigned lost = g.fleets[me] & ~sc_near(g.colonies[me]);
	SC_EACH(i, lost) {
		clause(st, -1);
		sc_putf(st->out, "lost %d ship%s in %s, too far from any colony", g.ships[i],
			plural(g.ships[i]), sc_name_of(i).text);
		sc_leave(&g, me, i, g.ships[i]);
	}
	const struct sc_income income = sc_income_of(&g, me);
	const int excess = sc_ships_of(&g, me) - sc_capacity(g.materials[me] + income.materials,
							     g.credits[me] + income.credits);
	if (excess <= 0)
		return;
	clause(st, -1);
	sc_putf(st->out, "scrapped %d ship%s that could not be supported", excess, plural(excess));
}

static void report_bombs(struct report *st, const struct starchess *before,
			 const struct starchess *after)
{
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int owner = sc_owner(before->g.colonies, i);
		const int people = before->g.population[i], left = after->g.population[i];
		if (owner < 0 || owner == st->seat || left >= people)
			continue;
		if (after->g.defeated >> owner & 1 && sc_homes[owner] != i)
			continue; /* what a defeated faction had besides its home is removed */
		clause(st, -1);
		qv_put(st->out, left ? "bombed " : "destroyed ");
		put_colony(st, owner, i);
		if (left)
			sc_putf(st->out, ", %d of %d inhabitants left", left, people);
	}
}

static void report_defeats(struct report *st, const struct starchess *before,
			   const struct starchess *after)
{
	const unsigned fell = after->g.defeated & ~(unsigned)before->g.defeated;
	for (int f = 0; f < SC_FACTIONS; f++) {
		if (!(fell >> f & 1))
			continue;
		clause(st, -1);
		if (f == st->viewer)
			sc_putf(st->out, "you are defeated");
		else
			sc_putf(st->out, "seat %d is defeated", f + 1);
	}
}

/* ---- The whole ---- */

static void report_move(struct report *st, const struct starchess *before,
			const struct starchess *after, qv_move move)
{
	const enum sc_command kind = sc_kind(move);
	const unsigned at = kind == SC_MOVE ? sc_to(move) : sc_from(move);
	report_order(st, move);
	if ((kind == SC_MOVE || kind == SC_BUILD) &&
	    sc_enemy_fleets(&before->g, st->seat) >> at & 1)
		report_fight(st, at, sc_number(move), before, after);
	if (kind != SC_END)
		return;
	report_unsupported(st, before);
	report_bombs(st, before, after);
	report_defeats(st, before, after);
}

void starchess_report_turn(const void *before, const qv_move *moves, int count, int viewer,
			   struct qv_text *out)
{
	struct starchess now = *(const struct starchess *)before;
	struct report st = { .out = out, .seat = now.seat, .viewer = viewer, .last = -1 };
	for (int i = 0; i < count; i++) {
		const struct starchess last = now;
		starchess_play(&now, moves[i]);
		report_move(&st, &last, &now, moves[i]);
	}
}

void starchess_losses(const void *before, const void *now, int seat, struct qv_text *out)
{
	const struct sc_galaxy *a = &((const struct starchess *)before)->g;
	const struct sc_galaxy *b = &((const struct starchess *)now)->g;
	const int ships = sc_ships_of(a, seat) - sc_ships_of(b, seat);
	const unsigned colonies = a->colonies[seat] & ~(unsigned)b->colonies[seat];
	struct report st = { .out = out, .seat = seat, .viewer = seat, .last = -1 };
	int people = 0;
	SC_EACH(i, a->colonies[seat] & b->colonies[seat])
		people += a->population[i] - b->population[i];
	if (ships > 0) {
		clause(&st, 0);
		sc_putf(out, "%d ship%s", ships, plural(ships));
	}
	SC_EACH(lost, colonies) {
		clause(&st, 0);
		sc_putf(out, "the colony in %s", sc_name_of(lost).text);
	}
	if (people > 0) {
		clause(&st, 0);
		sc_putf(out, "%d inhabitants", people);
	}
}
