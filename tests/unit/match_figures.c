/*
 * match_figures.c - the statistics of a match: discarded work, early wins and scores, counted again
 * from the records and by players that search the same positions; and kept by a journal.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "match/match.h"

/* What the games come to, counted here. */
struct recount {
	const struct qv_context *context;
	const struct match_plan *plan;
	int64_t early[2], scores[2], scored;
	uint64_t considered[2], discarded[2], evals[2], evals_discarded[2];
	bool searches;             /* think again about every move */
};

static bool is_full(const struct qv_game *game, const void *state)
{
	char text[QV_POSITION_TEXT];
	struct qv_text out = { text, sizeof text, 0 };
	game->position_text(state, &out);
	text[strcspn(text, " ")] = '\0';
	return !strpbrk(text, ".-");
}

static void recount_end(struct recount *r, const struct qv_record *record, const int *players)
{
	const struct qv_game *game = r->plan->rules.game;
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_record_result(record, points), QV_ENDED);
	const int winner = points[0] > points[1] ? 0 : points[0] < points[1] ? 1 : -1;
	if (winner >= 0 && !is_full(game, qv_record_state(record)))
		r->early[players[winner]]++;
	for (int seat = 0; seat < 2; seat++)
		r->scores[players[seat]] += points[seat];
	r->scored++;
}

static void remember(void *ctx, const struct qv_answer *so_far)
{
	*(struct qv_answer *)ctx = *so_far;
}

static void recount_search(struct recount *r, struct qv_player *player, int who,
			   struct qv_record *record)
{
	struct qv_answer whole = { .size = sizeof whole }, answer = { .size = sizeof answer };
	const struct qv_listener listener = { .size = sizeof listener,
					      .iteration = remember,
					      .ctx = &whole };
	struct qv_limits limits = { .size = sizeof limits };
	limits.history = qv_record_history(record, &limits.history_count);
	assert_int_equal(qv_player_think(player, qv_record_state(record), &limits, &listener,
					 &answer, NULL),
			 QV_OK);
	const struct qv_answer *kept = answer.proven ? &answer : &whole;
	r->considered[who] += kept->considered;
	r->discarded[who] += answer.considered - kept->considered;
	r->evals[who] += kept->evals;
	r->evals_discarded[who] += answer.evals - kept->evals;
	assert_int_equal(qv_record_redo(record, 1, NULL), QV_OK);
	assert_true(qv_record_move(record, qv_record_ply(record) - 1) == answer.move);
}

static void search_again(struct recount *r, const struct match_seating *s,
			 struct qv_record *record)
{
	const struct qv_game *game = r->plan->rules.game;
	struct qv_player *players[2];
	const int plies = qv_record_ply(record);
	for (int seat = 0; seat < 2; seat++) {
		const struct qv_defaults defaults = { .size = sizeof defaults,
						      .seed = s->seed[seat],
						      .threads = 1,
						      .hash_mb = r->plan->hash_mb };
		assert_int_equal(qv_player_new(r->context, &r->plan->rules,
					       r->plan->players[s->player[seat]].spec, &defaults,
					       &players[seat], NULL),
				 QV_OK);
	}
	assert_int_equal(qv_record_undo(record, plies, NULL), QV_OK);
	while (qv_record_ply(record) < plies) {
		const int seat = game->seat(qv_record_state(record));
		recount_search(r, players[seat], s->player[seat], record);
	}
	for (int seat = 0; seat < 2; seat++)
		qv_player_free(players[seat]);
}

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct recount *r = ctx;
	struct match_seating s;
	struct qv_record *record = NULL;
	(void)totals;
	plan_seating(r->plan, game->number, &s);
	assert_int_equal(qv_record_load(r->context, game->record.data, game->record.length, &record,
					NULL),
			 QV_OK);
	recount_end(r, record, s.player);
	if (r->searches)
		search_again(r, &s, record);
	qv_record_free(record);
	return true;
}

static struct match_plan plan_of(const struct qv_context *context, const char *game,
				 const struct match_player *players, int64_t games)
{
	struct match_plan plan = { .players = players, .player_count = 2, .games = games, .seed = 3,
				   .hash_mb = 1 };
	assert_int_equal(qv_rules_parse(context, game, &plan.rules, NULL), QV_OK);
	return plan;
}

static void play(const struct qv_context *context, const struct match_plan *plan,
		 struct match_run run, struct match_totals *totals)
{
	struct qv_error error = { "" };
	run.no_times = true;
	if (match_run(context, plan, &run, totals, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static const struct match_player randoms[] = { { "A", "random" }, { "B", "random" } };
static const struct match_player searchers[] = { { "A", "alphabeta:nodes=400,random=1" },
						 { "B", "negascout:depth=2,random=1" } };

static void test_figures__early_wins_and_scores_are_those_of_the_boards(void **state)
{
	static const struct {
		const char *game;
		int64_t games;
		bool has_scores;
	} matches[] = { { "noughts", 200, false }, { "connect4", 100, false },
			{ "noughts3d", 20, false }, { "reversi", 1000, true } };
	for (size_t i = 0; i < sizeof matches / sizeof *matches; i++) {
		const struct match_plan plan =
			plan_of(*state, matches[i].game, randoms, matches[i].games);
		struct recount r = { .context = *state, .plan = &plan };
		struct match_totals totals;
		play(*state, &plan, (struct match_run){ .listener = { take_game, NULL, &r } },
		     &totals);
		assert_true(match_fills(plan.rules.game));
		assert_int_equal(totals.has_scores, matches[i].has_scores);
		for (int who = 0; who < 2; who++) {
			assert_int_equal(totals.total[who].early_wins, r.early[who]);
			assert_int_equal(totals.total[who].scores, r.scores[who]);
			assert_int_equal(totals.total[who].scored, r.scored);
			assert_true(r.early[who] <= totals.total[who].wins);
		}
		assert_true(r.early[0] + r.early[1] > 0);
		totals_release(&totals);
	}
	const struct match_plan race = plan_of(*state, "race", randoms, 2);
	assert_false(match_fills(race.rules.game));
}

/* Games that the rules did not end have no score. */
static void test_figures__only_games_ended_by_the_rules_are_scored(void **state)
{
	struct match_plan plan = plan_of(*state, "reversi", randoms, 4);
	struct match_totals totals;
	plan.max_plies = 10;
	play(*state, &plan, (struct match_run){ 0 }, &totals);
	assert_int_equal(totals.total[0].scored, 0);
	assert_int_equal(totals.total[0].scores, 0);
	assert_false(totals.has_scores);
	totals_release(&totals);
}

static void test_figures__discarded_is_the_work_of_cut_iterations(void **state)
{
	static const char *const games[] = { "connect4", "reversi", "hexapawn" };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
		const struct match_plan plan = plan_of(*state, games[i], searchers, 2);
		struct recount r = { .context = *state, .plan = &plan, .searches = true };
		struct match_totals totals;
		play(*state, &plan, (struct match_run){ .listener = { take_game, NULL, &r } },
		     &totals);
		for (int who = 0; who < 2; who++) {
			const struct match_total *t = &totals.total[who];
			assert_int_equal(t->considered, r.considered[who]);
			assert_int_equal(t->discarded, r.discarded[who]);
			assert_int_equal(t->evals, r.evals[who]);
			assert_int_equal(t->evals_discarded, r.evals_discarded[who]);
			assert_int_equal(t->considered + t->discarded, t->nodes);
		}
		assert_true(i == 2 || totals.total[0].discarded > 0);
		assert_int_equal(totals.total[1].discarded, 0);
		totals_release(&totals);
	}
}

/* Playouts are never in vain, and of several threads only one tells. */
static void test_figures__what_is_not_known_is_not_discarded(void **state)
{
	static const struct match_player others[] = { { "A", "mcts:playouts=150,tt=1" },
						      { "B", "alphabeta:nodes=500,threads=2" } };
	const struct match_plan plan = plan_of(*state, "connect4", others, 2);
	struct match_totals totals;
	play(*state, &plan, (struct match_run){ 0 }, &totals);
	for (int who = 0; who < 2; who++) {
		assert_int_equal(totals.total[who].discarded, 0);
		assert_int_equal(totals.total[who].evals_discarded, 0);
		assert_int_equal(totals.total[who].considered, totals.total[who].nodes);
	}
	totals_release(&totals);
}

static void test_figures__a_journal_keeps_them(void **state)
{
	char path[] = "/tmp/quevedo-figures-XXXXXX";
	const struct match_plan plan = plan_of(*state, "reversi", searchers, 6);
	struct match_totals first, again;
	close(mkstemp(path));
	play(*state, &plan, (struct match_run){ .journal = path }, &first);
	play(*state, &plan, (struct match_run){ .journal = path, .resume = true }, &again);
	assert_true(first.total[0].discarded > 0);
	assert_memory_equal(first.total, again.total, 2 * sizeof *first.total);
	assert_int_equal(first.has_scores, again.has_scores);
	totals_release(&first);
	totals_release(&again);
	unlink(path);
}

/* ---- Luck ---- */

/* A result that is twice the luck and 0.25: without luck it is 0.25, and certain. */
static void test_figures__luck_is_taken_out(void **unused)
{
	struct luck_tally t = { 0 };
	(void)unused;
	for (int i = 0; i < LUCK_LEAST_ROUNDS - 1; i++)
		luck_tally_add(&t, 2 * (i % 7 - 2) + 0.25, i % 7 - 2);
	struct luck_figures f = luck_figures_of(&t);
	assert_true(f.factor == 1);
	assert_true(fabs(f.adjusted - (f.mean - f.luck)) < 1e-12);
	luck_tally_add(&t, 0.25, 0);
	f = luck_figures_of(&t);
	assert_true(fabs(f.factor - 2) < 1e-9 && fabs(f.adjusted - 0.25) < 1e-9);
	assert_true(f.adjusted_error < 1e-6 && f.error > 0.1);
	/* No rounds, one round, and luck that is always the same. */
	f = luck_figures_of(&(struct luck_tally){ 0 });
	assert_true(f.mean == 0 && f.error == 0 && f.adjusted == 0 && f.adjusted_error == 0);
	t = (struct luck_tally){ 0 };
	luck_tally_add(&t, 1, 0.5);
	f = luck_figures_of(&t);
	assert_true(f.mean == 1 && f.adjusted == 0.5 && f.error == 0 && f.adjusted_error == 0);
	for (int i = 0; i < LUCK_LEAST_ROUNDS; i++)
		luck_tally_add(&t, i % 2, 0.5);
	f = luck_figures_of(&t);
	assert_true(f.factor == 1 && f.adjusted_error == f.error);
}

/* The luck of a game as its record gives it, without openings. */
static bool check_luck(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct qv_record *record = NULL;
	const struct qv_context *context = ctx;
	struct qv_error error = { "" };
	double sum = 0;
	(void)totals;
	assert_int_equal(
		qv_record_load(context, game->record.data, game->record.length, &record, &error),
		QV_OK);
	const struct qv_game *rules = qv_record_rules(record)->game;
	const int plies = qv_record_ply(record);
	assert_int_equal(qv_record_undo(record, plies, NULL), QV_OK);
	for (int ply = 0; ply < plies; ply++) {
		const void *at = qv_record_state(record);
		struct qv_roll_luck luck = { .size = sizeof luck };
		if (rules->seat(at) == QV_CHANCE) {
			const qv_move rolled = qv_record_variation(record, 0);
			assert_int_equal(qv_luck(context, rules, at, rolled, &luck, &error), QV_OK);
			sum += luck.of[0];
		}
		assert_int_equal(qv_record_redo(record, 1, NULL), QV_OK);
	}
	qv_record_free(record);
	assert_true(game->has_luck && fabs(game->luck[0] - sum) < 1e-6);
	assert_true(game->luck[0] == -game->luck[1]);
	return true;
}

/* Equal players: the mean without luck is 0 within its error, which is smaller. A journal keeps it. */
static void test_figures__adjusted_results_are_more_certain(void **state)
{
	static const struct match_player equal[] = { { "A", "expectimax:depth=1,margin=2" },
						     { "B", "expectimax:depth=1,margin=2" } };
	char path[] = "/tmp/quevedo-luck-XXXXXX";
	const struct match_plan plan = plan_of(*state, "race", equal, 400);
	struct match_totals first, again;
	struct luck_figures a, b;
	close(mkstemp(path));
	const struct match_listener listener = { .game = check_luck, .ctx = *state };
	play(*state, &plan, (struct match_run){ .journal = path, .listener = listener }, &first);
	play(*state, &plan, (struct match_run){ .journal = path, .resume = true }, &again);
	assert_true(totals_luck(&first, &plan, 0, &a) && totals_luck(&again, &plan, 0, &b));
	assert_memory_equal(&a, &b, sizeof a);
	assert_true(totals_luck(&first, &plan, 1, &b));
	assert_true(fabs(a.adjusted + b.adjusted) < 1e-9);
	assert_true(a.adjusted_error < 0.7 * a.error);
	assert_true(fabs(a.adjusted) < 1.5 * a.adjusted_error);
	totals_release(&first);
	totals_release(&again);
	unlink(path);
	/* A game without chance has no such figures. */
	const struct match_plan noughts = plan_of(*state, "noughts", equal, 2);
	struct match_totals none;
	assert_int_equal(totals_init(&none, &mem_malloc, 2), QV_OK);
	assert_false(totals_luck(&none, &noughts, 0, &a));
	totals_release(&none);
}

static int set_up(void **state)
{
	*state = desk_context(NULL);
	return 0;
}

static int tear_down(void **state)
{
	qv_context_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures__early_wins_and_scores_are_those_of_the_boards),
		cmocka_unit_test(test_figures__only_games_ended_by_the_rules_are_scored),
		cmocka_unit_test(test_figures__discarded_is_the_work_of_cut_iterations),
		cmocka_unit_test(test_figures__what_is_not_known_is_not_discarded),
		cmocka_unit_test(test_figures__a_journal_keeps_them),
		cmocka_unit_test(test_figures__luck_is_taken_out),
		cmocka_unit_test(test_figures__adjusted_results_are_more_certain),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
