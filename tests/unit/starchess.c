/*
 * starchess.c - Star Chess against its rules: each number and each condition shown, what its texts
 * refuse, and thousands of random commands against the literal twin.
 * SPDX-License-Identifier: MIT
 */
#include "games/starchess/rules.h"

#include <stdlib.h>

#include "support/check.h"
#include "support/scale.h"
#include "support/starchess.h"
#include "twins/starchess.h"

enum { LIMIT = 200, SEQUENCES = 2000, COMMANDS = 20, LONG = 150, TEXT = 1024 };

static const int64_t preset[] = { SC_MIXED, LIMIT, 1000, 1 };

static struct qv_rules rules_of(const struct qv_context *context, const char *text)
{
	struct qv_rules rules;
	assert_int_equal(qv_rules_parse(context, text, &rules, NULL), QV_OK);
	return rules;
}

/* ---- Positions made of a few sectors ---- */

struct setup {
	struct twin_galaxy g;
};

static struct twin_sector *sector(struct setup *p, const char *name)
{
	return &p->g.at[name[0] - 'A'][name[1] - '1'];
}

/* Four home worlds with 1000 inhabitants and no ships; all other planets barren and empty. */
static struct setup bare(void)
{
	struct setup p = { .g = { .turn = 1, .move = 1, .limit = LIMIT } };
	for (int i = 0; i < 16; i++)
		p.g.at[i / 4][i % 4].planet = 'B';
	for (int f = 1; f <= 4; f++) {
		const struct twin_place home = twin_home(f);
		p.g.at[home.column][home.row] =
			(struct twin_sector){ 'T', f, 1000, 0, 0, 0, 0 };
	}
	return p;
}

static void put_fleet(struct setup *p, const char *name, int owner, int ships)
{
	sector(p, name)->fleet = owner;
	sector(p, name)->ships = sector(p, name)->active = ships;
}

static void put_colony(struct setup *p, const char *name, char planet, int owner, int people)
{
	sector(p, name)->planet = planet;
	sector(p, name)->colony = owner;
	sector(p, name)->population = people;
}

static struct starchess state_of(const struct setup *p)
{
	char text[TEXT];
	struct starchess s;
	struct qv_error error = { "" };
	twin_starchess_write(&p->g, text, sizeof text);
	if (starchess_position_parse(&s, preset, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

static void play(const struct qv_context *context, struct starchess *s, const char *text)
{
	const struct qv_rules rules = rules_of(context, "starchess");
	struct qv_error error = { "" };
	qv_move move;
	if (qv_move_parse(rules.game, s, text, &move, &error) != QV_OK)
		fail_msg("%s", error.text);
	starchess_play(s, move);
}

/* ---- Section 2: the start ---- */

static void test_start__homes_have_a_colony_and_twenty_ships(void **unused)
{
	struct starchess s;
	(void)unused;
	starchess_start(&s, preset);
	for (int f = 0; f < SC_FACTIONS; f++) {
		const unsigned home = sc_homes[f];
		assert_int_equal(sc_owner(s.g.colonies, home), f);
		assert_int_equal(sc_owner(s.g.fleets, home), f);
		assert_int_equal(s.g.population[home], 1000);
		assert_int_equal(s.g.ships[home], 20);
		assert_int_equal(s.active[home], 20);
		assert_true(s.g.terran >> home & 1);
		assert_int_equal(s.g.materials[f] + s.g.credits[f], 0);
	}
	assert_int_equal(bits_count(sc_all_colonies(&s.g)), 4);
}

static void test_start__galaxies_are_mixed_barren_or_terran(void **unused)
{
	const unsigned homes = 1U << 0 | 1U << 3 | 1U << 12 | 1U << 15;
	int terran = 0;
	(void)unused;
	for (int64_t seed = 0; seed < 200; seed++) {
		const int64_t options[] = { SC_MIXED, LIMIT, 1000, seed };
		struct starchess s;
		starchess_start(&s, options);
		terran += bits_count(s.g.terran & ~homes);
	}
	assert_in_range(terran, 1100, 1300);      /* of 2400, each with equal chance */
	for (int galaxy = SC_BARREN; galaxy <= SC_TERRAN; galaxy++) {
		const int64_t options[] = { galaxy, LIMIT, 20, 7 };
		struct starchess s;
		starchess_start(&s, options);
		assert_int_equal(s.g.terran, galaxy == SC_BARREN ? homes : 0xffff);
		assert_int_equal(s.g.population[0], 20);
	}
}

/* ---- Section 3: the economy ---- */

/* What faction 1 has after its turn with a second colony of that kind in B2. */
static struct starchess after_turn(const struct qv_context *context, char planet, int people)
{
	struct setup p = bare();
	put_colony(&p, "B2", planet, 1, people);
	struct starchess s = state_of(&p);
	play(context, &s, "end");
	return s;
}

static void test_economy__produces_consumes_and_grows_by_the_table(void **state)
{
	static const struct {
		char planet;
		int people, materials, credits, grown;
	} rows[] = {
		{ 'T', 20, 20, 20, 24 },       { 'T', 150, 150, 150, 180 },
		{ 'T', 200, 200, 200, 240 },   { 'T', 201, 200, 201, 241 },
		{ 'T', 900, 200, 900, 1000 },  { 'T', 1000, 200, 1000, 1000 },
		{ 'B', 20, 100, -20, 22 },     { 'B', 150, 750, -150, 165 },
		{ 'B', 199, 995, -199, 200 },  { 'B', 200, 1000, -200, 200 },
		{ 'B', 300, 1000, -200, 300 }, { 'B', 29, 145, -29, 31 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct starchess s = after_turn(*state, rows[i].planet, rows[i].people);
		assert_int_equal(s.g.materials[0], 200 + rows[i].materials);
		assert_int_equal(s.g.credits[0], 1000 + rows[i].credits);
		assert_int_equal(s.g.population[5], rows[i].grown);
	}
}

static void test_economy__ships_take_ten_materials_and_twenty_credits(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 1, 20);
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.g.materials[0], 0);             /* its 200 support exactly 20 ships */
	assert_int_equal(s.g.credits[0], 600);
	assert_int_equal(s.g.ships[0], 20);
}

static void test_economy__blockades_stop_everything(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 2, 3);
	put_colony(&p, "A2", 'T', 1, 100);
	put_colony(&p, "A3", 'B', 2, 100);
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.g.materials[0], 100);
	assert_int_equal(s.g.credits[0], 100);
	assert_int_equal(s.g.population[0], 1000);
	assert_int_equal(s.g.population[1], 120);
	struct setup q = bare();
	put_colony(&q, "B2", 'T', 1, 100);
	put_fleet(&q, "B2", 3, 1);
	s = state_of(&q);
	play(*state, &s, "end");
	assert_int_equal(s.g.population[5], 100);
}

static void test_economy__excess_is_shared_by_size_then_by_remainder(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 1, 10);
	put_fleet(&p, "A2", 1, 10);
	put_fleet(&p, "B1", 1, 7);
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	/* 27 ships, 20 supported: 7 go; 70/27 = 2 rest 16, the same, 49/27 = 1 rest 22. */
	assert_int_equal(s.g.ships[0], 7);
	assert_int_equal(s.g.ships[1], 8);
	assert_int_equal(s.g.ships[4], 5);
	assert_int_equal(s.active[0], 7);
}

static void test_economy__credits_never_fall_below_zero(void **state)
{
	struct setup p = bare();
	sector(&p, "A1")->population = 20;
	put_colony(&p, "B1", 'B', 1, 200);
	put_colony(&p, "B2", 'B', 1, 200);
	put_fleet(&p, "A1", 1, 5);
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.g.credits[0], 0);
	assert_int_equal(s.g.ships[0], 0);
	assert_int_equal(s.g.materials[0], 2020);
}

/* ---- Section 4: combat ---- */

static void test_combat__rows_of_the_table(void **state)
{
	static const struct {
		int comes, stands, owner, left;
	} rows[] = {
		{ 10, 10, 0, 0 },  { 11, 10, 1, 1 },  { 19, 10, 1, 9 },  { 20, 10, 1, 15 },
		{ 29, 10, 1, 24 }, { 30, 10, 1, 30 }, { 10, 11, 2, 1 },  { 10, 19, 2, 9 },
		{ 10, 20, 2, 15 }, { 10, 29, 2, 24 }, { 10, 30, 2, 30 }, { 15, 7, 1, 12 },
		{ 1, 1, 0, 0 },    { 2, 1, 1, 2 },    { 3, 1, 1, 3 },    { 999, 334, 1, 832 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[TEXT];
		struct setup p = bare();
		put_fleet(&p, "A1", 1, rows[i].comes);
		put_fleet(&p, "A2", 2, rows[i].stands);
		struct starchess s = state_of(&p);
		snprintf(text, sizeof text, "move A1 A2 %d", rows[i].comes);
		play(*state, &s, text);
		assert_int_equal(sc_owner(s.g.fleets, 1) + 1, rows[i].owner);
		assert_int_equal(s.g.ships[1], rows[i].left);
		assert_int_equal(s.active[1], rows[i].owner == 2 ? rows[i].left : 0);
		assert_int_equal(s.g.ships[0], 0);
	}
}

static void test_combat__built_ships_fight_the_blockade(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 2, 5);
	p.g.materials[1] = 1000;
	p.g.credits[1] = 1000;
	struct starchess s = state_of(&p);
	play(*state, &s, "build A1 10");
	assert_int_equal(sc_owner(s.g.fleets, 0), 0);
	assert_int_equal(s.g.ships[0], 8);
	assert_int_equal(s.active[0], 0);
	assert_int_equal(s.worked[0], 100);
	assert_int_equal(s.g.materials[0], 800);
	assert_int_equal(s.g.credits[0], 600);
}

/* ---- Section 4: conditions ---- */

static void must_refuse(const struct qv_context *context, const struct starchess *s,
			const char *text, const char *why)
{
	const struct qv_rules rules = rules_of(context, "starchess");
	struct qv_error error = { "" };
	qv_move move = QV_NO_MOVE;
	assert_int_equal(qv_move_parse(rules.game, s, text, &move, &error), QV_ILLEGAL);
	if (!strstr(error.text, why))
		fail_msg("%s: '%s' does not say '%s'", text, error.text, why);
	assert_true(move == QV_NO_MOVE);
}

static void test_commands__say_which_condition_failed(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 1, 30);
	sector(&p, "A1")->active = 12;
	put_fleet(&p, "A2", 1, 990);
	put_fleet(&p, "B1", 1, 25);
	sector(&p, "B1")->active = 19;
	put_fleet(&p, "B2", 1, 999);
	put_colony(&p, "B3", 'B', 1, 45);
	sector(&p, "B3")->worked = 20;
	p.g.materials[1] = 999;
	p.g.credits[1] = 100;
	const struct starchess s = state_of(&p);
	must_refuse(*state, &s, "move C1 C2 1", "no ships of yours are in C1");
	must_refuse(*state, &s, "move A4 A3 1", "no ships of yours are in A4");
	must_refuse(*state, &s, "move A1 A3 1", "A3 is not a neighbour of A1");
	must_refuse(*state, &s, "move A1 A1 1", "A1 is not a neighbour of A1");
	must_refuse(*state, &s, "move B1 C1 1", "neither has a colony of yours nor is next to one");
	must_refuse(*state, &s, "move A1 A2 13", "in A1, only 12 can still move");
	must_refuse(*state, &s, "move A1 A2 0", "at least one ship");
	must_refuse(*state, &s, "move A1 A2 10", "room for 9");
	must_refuse(*state, &s, "move A1 B2", "room for 0");
	must_refuse(*state, &s, "build B1 1", "B1 has no colony of yours");
	must_refuse(*state, &s, "build A4 1", "A4 has no colony of yours");
	must_refuse(*state, &s, "build A1 50", "20 materials, and you have 999");
	must_refuse(*state, &s, "build A1 3", "40 credits, and you have 100");
	must_refuse(*state, &s, "build A1 970", "room for 969");
	must_refuse(*state, &s, "build A1 0", "at least one ship");
	must_refuse(*state, &s, "colonize A1", "A1 already has a colony");
	must_refuse(*state, &s, "colonize C3", "no ships of yours are in C3");
	must_refuse(*state, &s, "colonize B1", "20 ships that have not moved, and B1 has only 19");
	must_refuse(*state, &s, "terraform B1", "B1 has no colony of yours");
	must_refuse(*state, &s, "terraform A1", "the planet of A1 is already terran");
	must_refuse(*state, &s, "terraform B3", "1000 materials, and you have 999");
	must_refuse(*state, &s, "scrap A1 31", "you have only 30 ships in A1");
	must_refuse(*state, &s, "scrap A1 0", "at least one ship");
	must_refuse(*state, &s, "scrap D4 1", "no ships of yours are in D4");
	must_refuse(*state, &s, "fly A1 A2 3", "commands are");
	must_refuse(*state, &s, "move A1 E2 3", "write it as 'move A1 B2 12'; sectors are A1 to D4");
	must_refuse(*state, &s, "end now", "write it as 'end'");
	must_refuse(*state, &s, "build A1 1234567", "write it as 'build A1 5'");
	p.g.credits[1] = 1000;
	const struct starchess rich = state_of(&p);
	must_refuse(*state, &rich, "build B3 3", "10 colonists, and in B3 only 25 have not worked");
}

static void test_commands__short_forms_mean_the_same(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "A1", 1, 30);
	const struct starchess s = state_of(&p);
	const struct qv_rules rules = rules_of(*state, "starchess");
	static const char *const same[][2] = { { "m a1 b2 12", "move A1 B2 12" },
					       { "MOVE  A1  B2", "move A1 B2 30" },
					       { "s a1", "scrap A1 30" },
					       { "e", "end" } };
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		qv_move a, b;
		assert_int_equal(qv_move_parse(rules.game, &s, same[i][0], &a, NULL), QV_OK);
		assert_int_equal(qv_move_parse(rules.game, &s, same[i][1], &b, NULL), QV_OK);
		assert_true(a == b);
	}
}

static void test_commands__change_what_they_say(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "B2", 1, 45);
	put_colony(&p, "A2", 'B', 1, 100);
	p.g.materials[1] = 1500;
	p.g.credits[1] = 200;
	struct starchess s = state_of(&p);
	play(*state, &s, "colonize B2");
	assert_int_equal(s.g.population[5], 20);
	assert_int_equal(s.g.ships[5], 25);
	assert_int_equal(s.active[5], 25);
	play(*state, &s, "move B2 C3 10");
	assert_int_equal(s.active[10], 0);
	must_refuse(*state, &s, "move C3 B2 1", "0 can still move");
	play(*state, &s, "terraform A2");
	assert_true(s.g.terran >> 1 & 1);
	assert_int_equal(s.g.materials[0], 500);
	play(*state, &s, "build A2 5");
	assert_int_equal(s.worked[1], 50);
	play(*state, &s, "move B2 A2 10");
	assert_int_equal(s.g.ships[1], 15);
	assert_int_equal(s.active[1], 0);
	play(*state, &s, "scrap B2 3");
	assert_int_equal(s.active[5], 2);
	play(*state, &s, "end");
	assert_int_equal(starchess_seat(&s), 1);
	assert_int_equal(s.active[1], s.g.ships[1]);
	assert_int_equal(s.worked[1], 0);
}

/* ---- Section 5 ---- */

static void test_end__fleets_without_support_are_scrapped(void **state)
{
	struct setup p = bare();
	put_fleet(&p, "B2", 1, 5);
	put_fleet(&p, "C3", 1, 5);
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.g.ships[5], 5);
	assert_int_equal(s.g.ships[10], 0);
}

static void test_end__bombs_take_a_per_cent_each(void **state)
{
	static const struct {
		int people, ships, left;
	} rows[] = { { 24, 4, 24 },  { 25, 4, 24 }, { 100, 10, 90 }, { 200, 50, 100 },
		     { 200, 60, 100 }, { 40, 50, 20 }, { 39, 50, 20 }, { 38, 50, 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct setup p = bare();
		put_colony(&p, "A2", 'T', 2, rows[i].people);
		put_fleet(&p, "A2", 1, rows[i].ships);
		p.g.materials[1] = p.g.credits[1] = 9999;
		struct starchess s = state_of(&p);
		play(*state, &s, "end");
		assert_int_equal(s.g.population[1], rows[i].left);
		assert_int_equal(s.g.terran >> 1 & 1, rows[i].left > 0);
		assert_int_equal(sc_owner(s.g.colonies, 1), rows[i].left ? 1 : -1);
	}
}

static void test_end__a_faction_without_its_home_is_gone(void **state)
{
	struct setup p = bare();
	sector(&p, "A4")->population = 30;
	put_fleet(&p, "A4", 1, 40);
	put_colony(&p, "A3", 'B', 1, 100);
	put_colony(&p, "B3", 'T', 2, 100);
	put_fleet(&p, "B4", 2, 7);
	p.g.materials[1] = p.g.credits[1] = 9999;
	p.g.materials[2] = p.g.credits[2] = 77;
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.g.defeated, 1 << 1);
	assert_int_equal(s.g.colonies[1] | s.g.fleets[1], 0);
	assert_int_equal(s.g.materials[1] + s.g.credits[1], 0);
	assert_true(s.g.terran >> 6 & 1);                  /* planets keep their class */
	assert_int_equal(s.g.terran >> 3 & 1, 0);          /* but for the bombed one */
	assert_int_equal(starchess_seat(&s), 2);
}

static void test_end__the_last_faction_wins_and_finishes_its_turn(void **state)
{
	struct setup p = bare();
	int32_t points[QV_MAX_SEATS];
	for (int f = 3; f <= 4; f++) {
		const struct twin_place home = twin_home(f);
		p.g.at[home.column][home.row] = (struct twin_sector){ 'B', 0, 0, 0, 0, 0, 0 };
		p.g.defeated[f] = true;
	}
	sector(&p, "A4")->population = 30;
	sector(&p, "A1")->population = 500;
	put_fleet(&p, "A4", 1, 40);
	put_colony(&p, "A3", 'B', 1, 100);
	p.g.materials[1] = p.g.credits[1] = 9999;
	p.g.turn = 33;
	struct starchess s = state_of(&p);
	assert_int_equal(starchess_result(&s, points), QV_GOING);
	play(*state, &s, "end");
	assert_int_equal(starchess_result(&s, points), QV_ENDED);
	for (int f = 0; f < SC_FACTIONS; f++)
		assert_int_equal(points[f], f == 0);
	assert_int_equal(s.turn, 33);
	assert_int_equal(starchess_seat(&s), 0);
	assert_int_equal(s.g.population[0], 600);
}

static void test_end__turns_are_counted_past_a_defeated_first_faction(void **state)
{
	struct setup p = bare();
	int32_t points[QV_MAX_SEATS];
	*sector(&p, "A1") = (struct twin_sector){ 'B', 0, 0, 0, 0, 0, 0 };
	p.g.defeated[1] = true;
	p.g.move = 4;
	p.g.turn = LIMIT - 1;
	struct starchess s = state_of(&p);
	play(*state, &s, "end");
	assert_int_equal(s.turn, LIMIT);
	assert_int_equal(starchess_seat(&s), 1);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(starchess_result(&s, points), QV_GOING);
		play(*state, &s, "end");
	}
	assert_int_equal(starchess_result(&s, points), QV_ENDED);
	for (int f = 0; f < SC_FACTIONS; f++)
		assert_int_equal(points[f], 0);
	char drawing[4096] = "";
	struct qv_text out = { drawing, sizeof drawing, 0 };
	starchess_draw(&s, false, &out);
	assert_non_null(strstr(drawing, "drawn; the highest score is 10 (2)"));
}

/* ---- Section 6 ---- */

static void test_score__counts_the_stronger_double(void **unused)
{
	struct setup p = bare();
	int32_t scores[SC_FACTIONS];
	(void)unused;
	put_fleet(&p, "A1", 1, 25);
	put_colony(&p, "A2", 'B', 1, 50);
	put_fleet(&p, "A4", 2, 5);
	const struct starchess s = state_of(&p);
	sc_scores(&s.g, scores);
	assert_int_equal(scores[0], 3 * 45 - 15 - 10 - 10);
	assert_int_equal(scores[1], 3 * 15 - 2 * 45 - 10 - 10);
	assert_int_equal(scores[2], 3 * 10 - 2 * 45 - 2 * 15 - 10);
}

/* ---- Section 7 ---- */

static void test_orders__are_those_of_the_text(void **unused)
{
	(void)unused;
	for (int f = 0; f < SC_FACTIONS; f++)
		for (int n = 0; n < SC_SECTORS; n++) {
			const struct twin_place p = twin_order(f + 1, n);
			assert_int_equal(sc_orders[f][n], 4 * p.column + p.row);
		}
}

/* ---- Positions ---- */

#define HEAD "SC1 turn=1 move=1 f1=0,0 f2=0,0 f3=0,0 f4=0,0"
#define BODY                                                                             \
	" A1=T1:1000:0/1:20:20 A2=B0 A3=B0 A4=T2:1000:0 B1=B0 B2=B0 B3=B0 B4=B0 C1=B0 C2=B0" \
	" C3=B0 C4=B0 D1=T4:1000:0 D2=B0 D3=B0 D4=T3:1000:0"

static void test_positions__are_refused_with_the_reason(void **unused)
{
	(void)unused;
	static const struct {
		const char *from, *to, *why;
	} rows[] = {
		{ "SC1", "SC2", "must start with" },
		{ "turn=1", "turn=0", "must be 1 to 201" },
		{ "turn=1", "turn=202", "must be 1 to 201" },
		{ "turn=1", "turn=01", "must be 1 to 201" },
		{ "move=1", "move=5", "1 to 4" },
		{ "f1=0,0", "f1=0", "materials,credits" },
		{ "f2=0,0", "f2=1000000000,0", "up to 999999999" },
		{ "f2=0,0", "f2=-", "faction 2 is defeated but owns something" },
		{ "f1=0,0", "f1=0,-1", "materials,credits" },
		{ "A1=T1", "A1=X1", "a planet, T or B" },
		{ "A2=B0", "B2=B0", "' A2='" },
		{ "A2=B0", "A2=B5:20:0", "owner:population:worked" },
		{ "A2=B0", "A2=B1:19:0", "20 to 1000" },
		{ "A2=B0", "A2=B1:1001:0", "20 to 1000" },
		{ "A2=B0", "A2=B1:50:51", "owner:population:worked" },
		{ "A2=B0", "A2=B0/1:1000:0", "1 to 999" },
		{ "A2=B0", "A2=B0/1:0:0", "1 to 999" },
		{ "A2=B0", "A2=B0/1:5:6", "owner:ships:active" },
		{ "A2=B0", "A2=B00", "' A3='" },
		{ "D4=T3:1000:0", "D4=T3:1000:0 ", "unexpected text after" },
		{ "D4=T3:1000:0", "D4=T0", "faction 3 has lost its home world" },
		{ "A1=T1:1000:0", "A1=T2:1000:0", "faction 1 has lost its home world" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[TEXT] = "";
		const char *whole = HEAD BODY, *at = strstr(whole, rows[i].from);
		struct qv_error error = { "" };
		struct starchess s;
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, rows[i].to,
			 at + strlen(rows[i].from));
		assert_int_not_equal(starchess_position_parse(&s, preset, text, &error), QV_OK);
		if (!strstr(error.text, rows[i].why))
			fail_msg("%s: '%s' does not say '%s'", rows[i].to, error.text, rows[i].why);
	}
	struct starchess s;
	assert_int_equal(starchess_position_parse(&s, preset, HEAD BODY, NULL), QV_OK);
	assert_int_equal(starchess_position_parse(&s, preset,
						  "SC1 turn=1 move=1 f1=- f2=- f3=- f4=-", NULL),
			 QV_BAD_INPUT);
}

static void test_positions__need_a_faction_to_move_that_lives(void **unused)
{
	struct setup p = bare();
	struct starchess s;
	struct qv_error error;
	char text[TEXT];
	(void)unused;
	*sector(&p, "A1") = (struct twin_sector){ 'B', 0, 0, 0, 0, 0, 0 };
	p.g.defeated[1] = true;
	twin_starchess_write(&p.g, text, sizeof text);
	assert_int_equal(starchess_position_parse(&s, preset, text, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "faction 1 is to move but is defeated"));
	for (int f = 2; f <= 4; f++) {
		const struct twin_place home = twin_home(f);
		p.g.at[home.column][home.row] = (struct twin_sector){ 'B', 0, 0, 0, 0, 0, 0 };
		p.g.defeated[f] = true;
	}
	twin_starchess_write(&p.g, text, sizeof text);
	assert_int_equal(starchess_position_parse(&s, preset, text, &error), QV_ILLEGAL);
	assert_non_null(strstr(error.text, "all factions are defeated"));
}

/* ---- The twin ---- */

/* A command of any kind about any sectors; often it is not legal. */
static void any_command(struct qv_random *r, char *text, size_t size)
{
	static const char *const words[] = { "terraform", "colonize", "build", "scrap", "move" };
	const int kind = (int)qv_random_below(r, 5);
	const int a = (int)qv_random_below(r, 16);
	int b = (int)qv_random_below(r, 16);
	const int count = (int)qv_random_below(r, qv_random_below(r, 3) ? 30 : 1200);
	if (qv_random_below(r, 3) && a % 4 < 3)
		b = a + 1;
	snprintf(text, size, "%s %c%d", words[kind], 'A' + a / 4, a % 4 + 1);
	if (kind == 4)
		snprintf(text + strlen(text), size - strlen(text), " %c%d", 'A' + b / 4, b % 4 + 1);
	if (kind >= 2)
		snprintf(text + strlen(text), size - strlen(text), " %d", count);
}

static void legal_command(struct qv_random *r, const struct starchess *s, char *text, size_t size)
{
	qv_move list[SC_MAX_MOVES];
	const int n = starchess_moves(s, list);
	qv_move move = list[qv_random_below(r, (uint64_t)n)];
	const int most = starchess_max_count(s, move);
	assert_true(most >= 1);
	if (most > 1 && qv_random_below(r, 2))
		move = starchess_with_count(s, move, 1 + (int)qv_random_below(r, (uint64_t)most));
	struct qv_text out = { text, size, 0 };
	starchess_move_text(s, move, &out);
}

static void must_be_alike(const struct starchess *s, const struct twin_galaxy *g)
{
	char ours[TEXT] = "", twins[TEXT];
	struct qv_text out = { ours, sizeof ours, 0 };
	struct starchess read;
	int32_t scores[SC_FACTIONS], points[QV_MAX_SEATS];
	starchess_position_text(s, &out);
	twin_starchess_write(g, twins, sizeof twins);
	assert_string_equal(ours, twins);
	assert_int_equal(starchess_position_parse(&read, preset, ours, NULL), QV_OK);
	assert_memory_equal(&read, s, sizeof read);
	sc_scores(&s->g, scores);
	for (int f = 0; f < SC_FACTIONS; f++)
		assert_int_equal(scores[f], twin_starchess_score(g, f + 1));
	const int over = twin_starchess_over(g);
	assert_int_equal(starchess_result(s, points) == QV_ENDED, over != 0);
	for (int f = 0; f < SC_FACTIONS && over; f++)
		assert_int_equal(points[f], over == f + 1);
}

static void walk(const struct qv_game *game, struct qv_random *r, int commands,
		 struct starchess *s, struct twin_galaxy *g, int *legal, int *illegal)
{
	must_be_alike(s, g);
	for (int i = 0; i < commands && !twin_starchess_over(g); i++) {
		char text[64] = "";
		qv_move move;
		const uint64_t kind = qv_random_below(r, 4);
		if (kind == 0)
			snprintf(text, sizeof text, "end");
		else if (kind == 1)
			legal_command(r, s, text, sizeof text);
		else
			any_command(r, text, sizeof text);
		const struct starchess before = *s;
		const char *fault = twin_starchess_play(g, text);
		const bool ours = qv_move_parse(game, s, text, &move, NULL) == QV_OK;
		if (ours != !fault)
			fail_msg("%s: %s", text, fault ? fault : "legal");
		assert_memory_equal(&before, s, sizeof before);
		if (ours)
			starchess_play(s, move);
		*(ours ? legal : illegal) += 1;
		must_be_alike(s, g);
	}
}

static void test_twin__agrees_on_every_step(void **state)
{
	const struct qv_rules rules = rules_of(*state, "starchess");
	struct qv_random r = { 5, 0 };
	int legal = 0, illegal = 0;
	for (int64_t i = 0; i < scaled(SEQUENCES); i++) {
		struct starchess s;
		struct twin_galaxy g;
		if (i % 3 == 0) {
			char text[TEXT] = "";
			struct qv_text out = { text, sizeof text, 0 };
			const int64_t options[] = { SC_MIXED, LIMIT, 1000, i };
			starchess_start(&s, options);
			starchess_position_text(&s, &out);
			twin_starchess_read(&g, text, LIMIT);
		} else {
			struct setup p;
			any_galaxy(&r, &p.g, LIMIT);
			g = p.g;
			s = state_of(&p);
		}
		walk(rules.game, &r, i % 10 ? COMMANDS : LONG, &s, &g, &legal, &illegal);
	}
	assert_true(legal > scaled(SEQUENCES) * 4 && illegal > scaled(SEQUENCES) * 4);
}

static int make_context(void **state)
{
	*state = qv_context_new(NULL);
	return *state ? 0 : -1;
}

static int free_context(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_start__homes_have_a_colony_and_twenty_ships),
		cmocka_unit_test(test_start__galaxies_are_mixed_barren_or_terran),
		cmocka_unit_test(test_economy__produces_consumes_and_grows_by_the_table),
		cmocka_unit_test(test_economy__ships_take_ten_materials_and_twenty_credits),
		cmocka_unit_test(test_economy__blockades_stop_everything),
		cmocka_unit_test(test_economy__excess_is_shared_by_size_then_by_remainder),
		cmocka_unit_test(test_economy__credits_never_fall_below_zero),
		cmocka_unit_test(test_combat__rows_of_the_table),
		cmocka_unit_test(test_combat__built_ships_fight_the_blockade),
		cmocka_unit_test(test_commands__say_which_condition_failed),
		cmocka_unit_test(test_commands__short_forms_mean_the_same),
		cmocka_unit_test(test_commands__change_what_they_say),
		cmocka_unit_test(test_end__fleets_without_support_are_scrapped),
		cmocka_unit_test(test_end__bombs_take_a_per_cent_each),
		cmocka_unit_test(test_end__a_faction_without_its_home_is_gone),
		cmocka_unit_test(test_end__the_last_faction_wins_and_finishes_its_turn),
		cmocka_unit_test(test_end__turns_are_counted_past_a_defeated_first_faction),
		cmocka_unit_test(test_score__counts_the_stronger_double),
		cmocka_unit_test(test_orders__are_those_of_the_text),
		cmocka_unit_test(test_positions__are_refused_with_the_reason),
		cmocka_unit_test(test_positions__need_a_faction_to_move_that_lives),
		cmocka_unit_test(test_twin__agrees_on_every_step),
	};
	return cmocka_run_group_tests(tests, make_context, free_context);
}
