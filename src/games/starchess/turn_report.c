/*
 * turn_report.c - reports in words what a turn of Star Chess did.
 * SPDX-License-Identifier: MIT
 *
 * Clauses are separated by semicolons. Consecutive orders of one kind share a verb: "moved 12 ships
 * from A1 to B2, 8 from A1 to A2; built 5 ships in A1".
 */
#include "games/starchess/rules.h"

/* A report while it is written. */
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

/* ---- Orders ---- */

/* What others ordered; viewers know their own orders. */
static void report_order(struct report *st, qv_move move)
{
	static const char *const verbs[SC_COMMANDS] = {
		[SC_MOVE] = "moved ", [SC_BUILD] = "built ", [SC_COLONIZE] = "colonized ",
		[SC_TERRAFORM_PLANET] = "terraformed ", [SC_SCRAP] = "scrapped ",
	};
	const enum sc_command kind = sc_kind(move);
	const struct sc_name from = sc_name_of(sc_from(move)), to = sc_name_of(sc_to(move));
	const int count = sc_number(move);
	if (st->seat == st->viewer || kind == SC_END)
		return;
	const bool same = clause(st, (int)kind);
	const char *ships = same ? "" : count == 1 ? " ship" : " ships";
	if (!same)
		qv_put(st->out, verbs[kind]);
	if (kind == SC_MOVE)
		sc_putf(st->out, "%d%s from %s to %s", count, ships, from.text, to.text);
	else if (kind == SC_BUILD || kind == SC_SCRAP)
		sc_putf(st->out, "%d%s in %s", count, ships, from.text);
	else
		qv_put(st->out, from.text);
}

/* Ships that entered a sector with enemy ships. */
static void report_fight(struct report *st, unsigned at, int came, const struct starchess *before,
			 const struct starchess *after)
{
	const int enemy = sc_owner(before->g.fleets, at), there = before->g.ships[at];
	const int left = after->g.ships[at];
	const bool won = left && sc_owner(after->g.fleets, at) != enemy;
	const int lost = (won ? came : there) - left; /* by the larger fleet */
	const struct sc_name sector = sc_name_of(at);
	char other[16] = "of yours", losses[12] = "none";
	if (enemy != st->viewer)
		snprintf(other, sizeof other, "of seat %d", enemy + 1);
	if (lost)
		snprintf(losses, sizeof losses, "%d", lost);
	clause(st, -1);
	if (!left)
		sc_putf(st->out, "lost %d ship%s in %s and destroyed as many %s", came,
			plural(came), sector.text, other);
	else if (won)
		sc_putf(st->out, "beat %d ship%s %s in %s, losing %s", there, plural(there), other,
			sector.text, losses);
	else
		sc_putf(st->out, "lost %d ship%s in %s to %d %s, destroying %s of them", came,
			plural(came), sector.text, there, other, losses);
}

/* What the end of a turn did: ships lost, colonies bombed, factions defeated. */
static void report_end(struct report *st, const struct starchess *before,
		       const struct starchess *after)
{
	struct sc_galaxy g = before->g;
	const int me = st->seat;
	SC_EACH(far, g.fleets[me] & ~sc_near(g.colonies[me])) {
		clause(st, -1);
		sc_putf(st->out, "lost %d ship%s in %s, too far from any colony", g.ships[far],
			plural(g.ships[far]), sc_name_of(far).text);
		sc_leave(&g, me, far, g.ships[far]);
	}
	const struct sc_income income = sc_income_of(&g, me);
	const int excess = sc_ships_of(&g, me) - sc_capacity(g.materials[me] + income.materials,
							     g.credits[me] + income.credits);
	if (excess > 0) {
		clause(st, -1);
		sc_putf(st->out, "scrapped %d ship%s that could not be supported", excess,
			plural(excess));
	}
	for (unsigned i = 0; i < SC_SECTORS; i++) {
		const int owner = sc_owner(before->g.colonies, i);
		const int people = before->g.population[i], left = after->g.population[i];
		if (owner < 0 || owner == me || left >= people)
			continue;
		const bool home = sc_homes[owner] == i;
		const char *what = home ? "home world" : "colony";
		if (after->g.defeated >> owner & 1 && !home)
			continue; /* what a defeated faction had besides its home is removed */
		clause(st, -1);
		qv_put(st->out, left ? "bombed " : "destroyed ");
		if (owner == st->viewer)
			sc_putf(st->out, "your %s in %s", what, sc_name_of(i).text);
		else
			sc_putf(st->out, "the %s of seat %d in %s", what, owner + 1,
				sc_name_of(i).text);
		if (left)
			sc_putf(st->out, ", %d of %d inhabitants left", left, people);
	}
	SC_EACH(f, after->g.defeated & ~(unsigned)before->g.defeated) {
		clause(st, -1);
		if ((int)f == st->viewer)
			sc_putf(st->out, "you are defeated");
		else
			sc_putf(st->out, "seat %d is defeated", (int)f + 1);
	}
}

/* ---- The whole ---- */

void starchess_report_turn(const void *before, const qv_move *moves, int count, int viewer,
			   struct qv_text *out)
{
	struct starchess now = *(const struct starchess *)before;
	struct report st = { .out = out, .seat = now.seat, .viewer = viewer, .last = -1 };
	for (int i = 0; i < count; i++) {
		const struct starchess last = now;
		const enum sc_command kind = sc_kind(moves[i]);
		const unsigned at = kind == SC_MOVE ? sc_to(moves[i]) : sc_from(moves[i]);
		starchess_play(&now, moves[i]);
		report_order(&st, moves[i]);
		if ((kind == SC_MOVE || kind == SC_BUILD) &&
		    sc_enemy_fleets(&last.g, st.seat) >> at & 1)
			report_fight(&st, at, sc_number(moves[i]), &last, &now);
		if (kind == SC_END)
			report_end(&st, &last, &now);
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
