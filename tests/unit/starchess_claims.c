/*
 * starchess_claims.c - what the document says of its player: masks win, first colonies are barren.
 * SPDX-License-Identifier: MIT
 *
 * docs/results/strength.md has the same over more games.
 */
#include "games/starchess/rules.h"

#include "support/check.h"
#include "support/scale.h"

struct game {
	struct qv_rules rules;
	struct qv_player *players[SC_FACTIONS];
	struct starchess s;
};

/* One player in a seat, another in the three others; the galaxy is a seed's. */
static struct game open_game(const struct qv_context *context, int64_t galaxy, int seat,
			     const char *one, const char *others)
{
	struct game g;
	struct qv_defaults defaults = { .size = sizeof defaults, .threads = 1, .hash_mb = 1 };
	assert_int_equal(qv_rules_parse(context, "starchess", &g.rules, NULL), QV_OK);
	g.rules.options[SC_OPTION_SEED] = galaxy;
	g.rules.game->start(g.rules.options, &g.s);
	for (int f = 0; f < SC_FACTIONS; f++) {
		defaults.seed = (uint64_t)(galaxy * SC_FACTIONS + f);
		assert_int_equal(qv_player_new(context, &g.rules, f == seat ? one : others,
					       &defaults, &g.players[f], NULL),
				 QV_OK);
	}
	return g;
}

static void close_game(struct game *g)
{
	for (int f = 0; f < SC_FACTIONS; f++)
		qv_player_free(g->players[f]);
}

static qv_move step(struct game *g)
{
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_think(g->players[g->s.seat], &g->s, NULL, NULL, &answer, NULL),
			 QV_OK);
	starchess_play(&g->s, answer.move);
	return answer.move;
}

/* The seat that wins, or -1. */
static int winner_of(struct game *g)
{
	int32_t points[QV_MAX_SEATS];
	while (starchess_result(&g->s, points) == QV_GOING)
		step(g);
	return qv_winner(g->rules.game, points);
}

static int wins(const struct qv_context *context, const char *one, const char *others, int games)
{
	int won = 0;
	for (int i = 0; i < games; i++) {
		struct game g =
			open_game(context, 1 + i / SC_FACTIONS, i % SC_FACTIONS, one, others);
		won += winner_of(&g) == i % SC_FACTIONS;
		close_game(&g);
	}
	return won;
}

/* 25 % is par; the figures that must hold are 40 % and 18 % of 200 games. */
static void test_masks__win_against_who_has_none(void **state)
{
	const int games = 4 * (int)scaled(10);
	const int won = wins(*state, "mask:turns=2", "mask:masks=0", games);
	if (won * 100 < 40 * games)
		fail_msg("with masks: %d of %d", won, games);
}

static void test_masks__who_has_none_loses(void **state)
{
	const int games = 4 * (int)scaled(10);
	const int won = wins(*state, "mask:masks=0", "mask:turns=2", games);
	if (won * 100 > 18 * games)
		fail_msg("without masks: %d of %d", won, games);
}

/* ---- Levels ---- */

/* What a turn has done so far: kinds of commands, and moves between sectors. */
struct done {
	unsigned kinds;
	uint16_t moved[SC_SECTORS]; /* by source, the targets */
};

/* Nobody builds and scraps in one turn, or moves ships to a sector and others back. */
static void check_command(struct done *d, qv_move move)
{
	const enum sc_command kind = sc_kind(move);
	const unsigned both = 1U << SC_BUILD | 1U << SC_SCRAP;
	d->kinds |= 1U << kind;
	assert_true((d->kinds & both) != both);
	if (kind == SC_MOVE) {
		d->moved[sc_from(move)] |= (uint16_t)(1U << sc_to(move));
		assert_false(d->moved[sc_to(move)] >> sc_from(move) & 1);
	}
	if (kind == SC_END)
		*d = (struct done){ 0 };
}

/* Fewer games would say too little, however small the scale. */
static int enough(int64_t games)
{
	return games > 20 ? (int)games : 20;
}

static void test_levels__the_lowest_make_sensible_turns(void **state)
{
	static const char *const levels[] = { "level:1", "level:2" };
	for (int k = 0; k < 2; k++) {
		const int games = enough(scaled(40));
		unsigned kinds = 0;
		int won = 0;
		for (int i = 0; i < games; i++) {
			struct game g = open_game(*state, 1 + i, 0, levels[k], levels[k]);
			struct done d = { 0 };
			int32_t points[QV_MAX_SEATS];
			while (starchess_result(&g.s, points) == QV_GOING) {
				const qv_move move = step(&g);
				kinds |= 1U << sc_kind(move);
				check_command(&d, move);
			}
			won += qv_winner(g.rules.game, points) >= 0;
			close_game(&g);
		}
		print_message("%s: %d of %d games won\n", levels[k], won, games);
		assert_true(2 * won > games);
		assert_int_equal(kinds & 1U << SC_COLONIZE, 1U << SC_COLONIZE);
	}
}

/* 25 % is par. */
static void test_levels__the_second_beats_the_first(void **state)
{
	const int games = enough(4 * scaled(10));
	const int won = wins(*state, "level:2", "level:1", games);
	const int lost = wins(*state, "level:1", "level:2", games);
	print_message("level 2 won %d, level 1 %d of %d\n", won, lost, games);
	assert_true(won * 100 > 50 * games);
	assert_true(lost * 100 < 15 * games);
}

/* ---- First colonies ---- */

/* Barren planets next to a faction's home world. */
static unsigned barren_neighbours(const struct starchess *s, int faction)
{
	return sc_near(1U << sc_homes[faction]) & ~(unsigned)s->g.terran & 0xffff;
}

static void test_first_colony__is_barren_where_one_can_be(void **state)
{
	int founded = 0, barren = 0;
	for (int64_t galaxy = 1; galaxy <= scaled(100); galaxy++) {
		struct game g = open_game(*state, galaxy, 0, "mask:turns=2", "mask:turns=2");
		unsigned choice[SC_FACTIONS], waiting = 0;
		for (int f = 0; f < SC_FACTIONS; f++) {
			choice[f] = barren_neighbours(&g.s, f);
			waiting |= (unsigned)(choice[f] != 0) << f;
		}
		for (int i = 0; i < 100 && waiting; i++) {
			const int seat = g.s.seat;
			const qv_move move = step(&g);
			if (sc_kind(move) != SC_COLONIZE || !(waiting >> seat & 1))
				continue;
			waiting &= ~(1U << seat);
			founded++;
			barren += (int)(choice[seat] >> sc_from(move) & 1);
		}
		assert_int_equal(waiting, 0);
		close_game(&g);
	}
	if (barren * 100 < 95 * founded)
		fail_msg("of %d first colonies %d are barren", founded, barren);
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
		cmocka_unit_test(test_masks__win_against_who_has_none),
		cmocka_unit_test(test_masks__who_has_none_loses),
		cmocka_unit_test(test_levels__the_lowest_make_sensible_turns),
		cmocka_unit_test(test_levels__the_second_beats_the_first),
		cmocka_unit_test(test_first_colony__is_barren_where_one_can_be),
	};
	return cmocka_run_group_tests(tests, make_context, free_context);
}
