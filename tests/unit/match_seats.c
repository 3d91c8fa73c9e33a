/*
 * match_seats.c - matches of three and four seats: who sits where, what a fault does to the others,
 * and ratings against a likelihood that is climbed here, game by game, in another way.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "match/match.h"
#include "match/ratings.h"
#include "support/near.h"

enum { MOST_GAMES = 2000, MOST = 6 };

#define ELO_PER_NAT (400 / 2.302585092994045684)

/* What is kept of a game: who sat where, and what the moves of its record gave to each. */
struct kept {
	int player[QV_MAX_SEATS];
	int32_t points[QV_MAX_SEATS];
	int at_fault;
};

struct history {
	const struct qv_context *context;
	struct match_plan plan;
	struct match_run run;
	struct match_totals totals;
	int count;
	struct kept games[MOST_GAMES];
};

/* Where the rules have ended it, the points are those of the last position. */
static void check_points(const struct history *h, const struct match_game *game)
{
	struct qv_record *record = NULL;
	struct qv_error error = { "" };
	int32_t points[QV_MAX_SEATS];
	assert_int_equal(qv_record_load(h->context, game->record.data, game->record.length, &record,
					&error),
			 QV_OK);
	const enum qv_outcome outcome = qv_record_result(record, points);
	if (game->end == END_RULES) {
		assert_int_equal(outcome, QV_ENDED);
		assert_memory_equal(points, game->points,
				    (size_t)h->plan.rules.game->seats * sizeof *points);
	}
	qv_record_free(record);
}

static bool take_game(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct history *h = ctx;
	struct match_seating seating;
	(void)totals;
	assert_true(h->count < MOST_GAMES);
	struct kept *kept = &h->games[h->count++];
	plan_seating(&h->plan, game->number, &seating);
	check_points(h, game);
	memcpy(kept->player, seating.player, sizeof kept->player);
	memcpy(kept->points, game->points, sizeof kept->points);
	kept->at_fault = game->at_fault;
	return true;
}

static struct history *play(const struct qv_context *context, const char *game,
			    const struct match_player *players, int count, int64_t games,
			    const char *journal)
{
	struct history *h = calloc(1, sizeof *h);
	struct qv_error error = { "" };
	assert_non_null(h);
	h->context = context;
	h->plan = (struct match_plan){ .players = players, .player_count = count, .games = games,
				       .seed = 5, .hash_mb = 1 };
	h->run = (struct match_run){ .jobs = 2, .no_times = true, .journal = journal,
				     .resume = journal, .listener = { take_game, NULL, h } };
	assert_int_equal(qv_rules_parse(context, game, &h->plan.rules, &error), QV_OK);
	if (match_run(context, &h->plan, &h->run, &h->totals, &error) != QV_OK)
		fail_msg("%s", error.text);
	return h;
}

static void forget(struct history *h)
{
	totals_release(&h->totals);
	free(h);
}

/* ---- Who sits where ---- */

static const struct match_player many[] = { { "A", "random" }, { "B", "random" },
					    { "C", "random" }, { "D", "random" },
					    { "E", "random" }, { "F", "random" } };

/* In a round every seat sees every member of the line-up once, one seat on each time. */
static void check_round(const struct match_plan *plan, int64_t first, int seats, int *lineup)
{
	struct match_seating s;
	plan_seating(plan, first, &s);
	memcpy(lineup, s.player, (size_t)seats * sizeof *lineup);
	for (int turn = 0; turn < seats; turn++) {
		struct match_seating t;
		plan_seating(plan, first + turn, &t);
		assert_true(t.opening_key == s.opening_key && t.round == s.round);
		for (int seat = 0; seat < seats; seat++) {
			assert_int_equal(t.player[(seat + turn) % seats], lineup[seat]);
			assert_true(t.chance_key[seat] == s.chance_key[seat]);
		}
	}
}

static int bits_of(unsigned set)
{
	int count = 0;
	for (; set; set &= set - 1)
		count++;
	return count;
}

static void check_plan(const struct qv_context *context, const char *game, int seats, int players,
		       bool gauntlet)
{
	struct match_plan plan = { .players = many, .player_count = players, .games = 10000,
				   .seed = 7, .gauntlet = gauntlet };
	int met[1 << MOST] = { 0 }, sets = 0, lineup[QV_MAX_SEATS];
	assert_int_equal(qv_rules_parse(context, game, &plan.rules, NULL), QV_OK);
	for (unsigned set = 0; set < 1u << players; set++)
		sets += bits_of(set) == seats && (set & 1 || !gauntlet);
	if (players <= seats)
		sets = 1;
	assert_int_equal(plan_lineups(&plan), sets);
	for (int round = 0; round < 2 * sets; round++) {
		unsigned set = 0;
		check_round(&plan, (int64_t)round * seats, seats, lineup);
		for (int seat = 0; seat < seats; seat++)
			set |= 1u << lineup[seat];
		assert_int_equal(bits_of(set), players < seats ? players : seats);
		assert_int_equal(met[set]++, round / sets);
	}
}

static void test_seats__rotate_and_all_sets_meet(void **state)
{
	for (int players = 2; players <= MOST; players++)
		for (int gauntlet = 0; gauntlet < 2; gauntlet++) {
			check_plan(*state, "toy-three", 3, players, gauntlet);
			check_plan(*state, "toy-four", 4, players, gauntlet);
		}
}

/* ---- Faults ---- */

/* Who is at fault has lost to all; the others have beaten it and share the rest. */
static void check_fault(const struct kept *game, int seats)
{
	struct match_game as_kept = { .number = 0 };
	memcpy(as_kept.points, game->points, sizeof as_kept.points);
	for (int seat = 0; seat < seats; seat++) {
		const double share = match_game_share(&as_kept, seats, seat);
		const double others = (1 + 0.5 * (seats - 2)) / (seats - 1);
		assert_near(share, seat == game->at_fault ? 0 : others, 1e-12);
	}
}

static void check_faults(const struct qv_context *context, const char *game, int seats)
{
	static const struct match_player players[] = { { "A", "random" },
						       { "B", "random" },
						       { "C", "qgp:" MOCK_ENGINE " crash" },
						       { "D", "random" } };
	char path[] = "/tmp/test-match-seats-XXXXXX";
	struct rating rating[4];
	struct match_audit audit;
	const int file = mkstemp(path);
	assert_true(file >= 0);
	close(file);
	struct history *h = play(context, game, players, seats, 24 * seats, path);
	const struct match_total *total = h->totals.total;
	int64_t faults = 0;
	for (int i = 0; i < h->count; i++) {
		if (h->games[i].at_fault < 0)
			continue;
		assert_int_equal(h->games[i].player[h->games[i].at_fault], 2);
		check_fault(&h->games[i], seats);
		faults++;
	}
	assert_true(faults > 2 * seats);
	assert_int_equal(total[2].crashes, faults);
	assert_int_equal(h->totals.ends[END_CRASH], faults);
	assert_true(total[2].losses >= faults);
	assert_int_equal(total[0].crashes + total[1].crashes, 0);
	assert_true(total[0].draws >= faults && total[1].draws >= faults);
	assert_true(h->totals.meetings[0 * seats + 2].wins >= (uint64_t)faults);
	assert_int_equal(ratings_of_meetings(&mem_malloc, seats, h->totals.meetings, seats, rating),
			 QV_OK);
	for (int i = 0; i < seats; i++)
		assert_true(i == 2 || rating[i].elo > rating[2].elo + 100);

	/* The journal says the same, and is not refused for it. */
	struct history *again = play(context, game, players, seats, 24 * seats, path);
	assert_memory_equal(again->games, h->games, (size_t)h->count * sizeof *h->games);
	assert_int_equal(match_audit(context, path, 0, 1, 1, NULL, &audit, NULL), QV_OK);
	assert_int_equal(audit.checked, h->count);
	assert_int_equal(audit.wrong, 0);
	forget(again);
	forget(h);
	unlink(path);
}

static void test_seats__a_fault_loses_to_all_and_the_others_share(void **state)
{
	check_faults(*state, "toy-three", 3);
	check_faults(*state, "toy-four", 4);
}

/* ---- Ratings ---- */

/*
 * Bradley and Terry by Zermelo's iteration, over the games one by one: every two seats of different
 * players are a comparison, and equal points half a win of each.
 */
static void zermelo(const struct history *h, int seats, int players, double *nats)
{
	double strength[MOST], won[MOST] = { 0 };
	for (int i = 0; i < players; i++)
		strength[i] = 1;
	for (int g = 0; g < h->count; g++)
		for (int a = 0; a < seats; a++)
			for (int b = 0; b < seats; b++) {
				const struct kept *k = &h->games[g];
				if (k->player[a] != k->player[b])
					won[k->player[a]] += k->points[a] > k->points[b]    ? 1
							     : k->points[a] == k->points[b] ? 0.5
											    : 0;
			}
	for (int round = 0; round < 3000; round++) {
		double expected[MOST] = { 0 }, next[MOST], product = 1;
		for (int g = 0; g < h->count; g++)
			for (int a = 0; a < seats; a++)
				for (int b = 0; b < seats; b++) {
					const int *player = h->games[g].player;
					const int i = player[a], j = player[b];
					if (i != j)
						expected[i] += 1 / (strength[i] + strength[j]);
				}
		for (int i = 0; i < players; i++)
			product *= next[i] = won[i] / expected[i];
		for (int i = 0; i < players; i++)
			strength[i] = next[i] / pow(product, 1.0 / players);
	}
	for (int i = 0; i < players; i++)
		nats[i] = log(strength[i]);
}

static void check_ratings(const struct qv_context *context, const char *game, int seats,
			  const struct match_player *players, int count, int64_t games)
{
	struct history *h = play(context, game, players, count, games, NULL);
	struct rating rating[MOST];
	double nats[MOST], spread = 0;
	zermelo(h, seats, count, nats);
	assert_int_equal(ratings_of_meetings(&mem_malloc, count, h->totals.meetings, seats, rating),
			 QV_OK);
	for (int i = 0; i < count; i++) {
		assert_false(rating[i].bounded);
		assert_near(rating[i].elo, nats[i] * ELO_PER_NAT, 0.001);
		spread += fabs(rating[i].elo);
	}
	assert_true(spread > 20);  /* they are not all alike */
	forget(h);
}

static void test_seats__ratings_are_those_of_greatest_likelihood(void **state)
{
	static const struct match_player five[] = { { "A", "maxn:depth=2,random=1" },
						    { "B", "random" },
						    { "C", "paranoid:depth=1,random=1" },
						    { "D", "random" },
						    { "E", "mcts:playouts=8,tt=1" } };
	static const struct match_player six[] = { { "A", "mcts:playouts=40,tt=1" },
						   { "B", "random" },
						   { "C", "mcts:playouts=6,tt=1" },
						   { "D", "random" },
						   { "E", "maxn:depth=4" },
						   { "F", "random" } };
	check_ratings(*state, "toy-three", 3, five, 5, 300);
	check_ratings(*state, "toy-three", 3, five, 3, 90);
	check_ratings(*state, "toy-four", 4, six, 6, 600);
	check_ratings(*state, "toy-four", 4, six, 3, 120);
}

/* A match of two players in four seats: three meetings of a game are not three games. */
static void test_seats__meetings_of_one_game_weigh_less(void **state)
{
	const struct tally t = { 60, 30, 40 };
	const struct statistics two = statistics_of_meetings(&t, 2), one = statistics_of_games(&t),
				four = statistics_of_meetings(&t, 4);
	(void)state;
	/* By field: the bytes between them are indeterminate. */
	assert_int_equal(two.count, one.count);
	assert_int_equal(two.bounded, one.bounded);
	assert_memory_equal(&two.score, &one.score,
			    sizeof one - offsetof(struct statistics, score));
	assert_near(four.elo, one.elo, 1e-9);
	assert_near(four.score_error / one.score_error, sqrt(2), 1e-9);
	assert_near(four.elo_error / one.elo_error, sqrt(2), 0.02);
	assert_true(four.los > 0.5 && four.los < one.los);
	assert_int_equal(four.count, 130);
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

/* ---- Starts by chance ---- */

struct starts {
	char text[12][300];
	int count;
};

static bool take_start(void *ctx, const struct match_game *game, const struct match_totals *totals)
{
	struct starts *s = ctx;
	(void)totals;
	const char *at = strstr(game->record.data, "\"position\":\"");
	assert_non_null(at);
	snprintf(s->text[game->number], sizeof s->text[0], "%.*s", (int)strcspn(at + 12, "\""),
		 at + 12);
	s->count++;
	return true;
}

/* A galaxy for each round of four games; and one for all, where its seed is given. */
static void test_seats__a_round_has_one_galaxy(void **state)
{
	static const struct match_player players[] = { { "A", "mask:masks=0" }, { "B", "mask:turns=0" } };
	for (int given = 0; given < 2; given++) {
		struct starts s = { .count = 0 };
		struct match_plan plan = { .players = players, .player_count = 2, .games = 12,
					   .seed = 5 };
		const struct match_run run = { .jobs = 2, .no_times = true,
					       .listener = { take_start, NULL, &s } };
		struct match_totals totals;
		struct qv_error error = { "" };
		assert_int_equal(qv_rules_parse(*state, given ? "starchess:limit=3,seed=9" :
								"starchess:limit=3",
						&plan.rules, NULL), QV_OK);
		if (match_run(*state, &plan, &run, &totals, &error) != QV_OK)
			fail_msg("%s", error.text);
		totals_release(&totals);
		assert_int_equal(s.count, 12);
		for (int i = 0; i < 12; i++)
			assert_string_equal(s.text[i], s.text[i - i % 4]);
		assert_int_equal(strcmp(s.text[0], s.text[4]) == 0, given);
		assert_int_equal(strcmp(s.text[4], s.text[8]) == 0, given);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seats__rotate_and_all_sets_meet),
		cmocka_unit_test(test_seats__a_fault_loses_to_all_and_the_others_share),
		cmocka_unit_test(test_seats__ratings_are_those_of_greatest_likelihood),
		cmocka_unit_test(test_seats__meetings_of_one_game_weigh_less),
		cmocka_unit_test(test_seats__a_round_has_one_galaxy),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
