/*
 * levels.c - what every game's ladder promises: the first level loses to a player that only avoids
 * immediate losses, and from the third up nothing is given away that one ply
 * shows.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "core/context.h"
#include "core/player.h"
#include "games/registry.h"

enum { FIRST_SOUND = 3 };

/* Whether the move ends the game, and the one who makes it alone has most points. */
static bool wins_at_once(const struct spot *s, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	struct spot next = *s;
	const int mover = s->rules.game->seat(s->state);
	spot_play(&next, move);
	return spot_ended(&next, points) && qv_winner(s->rules.game, points) == mover;
}

/* Whether somebody else is to move after it, and can win at once. */
static bool lets_another_win(const struct spot *s, qv_move move)
{
	const struct qv_game *game = s->rules.game;
	qv_move list[SPOT_MOVES];
	int32_t points[QV_MAX_SEATS];
	struct spot next = *s;
	spot_play(&next, move);
	if (spot_ended(&next, points) || game->seat(next.state) == game->seat(s->state))
		return false;
	for (int n = spot_moves(&next, list); n > 0; n--)
		if (wins_at_once(&next, list[n - 1]))
			return true;
	return false;
}

/* A position of a random game where somebody is to move, not chance. */
static bool wander_to_choice(struct spot *s, struct qv_random *random)
{
	for (uint64_t left = qv_random_below(random, 60); left; left--)
		if (!spot_wander(s, random))
			break;
	while (s->rules.game->seat(s->state) == QV_CHANCE)
		if (!spot_wander(s, random))
			return false;
	return true;
}

/* The start on the smallest board, if the game has several: two plies there are a short search. */
static struct spot small_start(const struct qv_context *context, const struct qv_game *game)
{
	struct spot s = spot_start(context, game);
	for (int i = 0; game->options && game->options[i].name; i++)
		if (!strcmp(game->options[i].name, "size"))
			s.rules.options[i] = game->options[i].min;
	game->start(s.rules.options, s.state);
	return s;
}

/* What one ply shows: how often there was a win to take, or one to prevent. */
struct seen {
	int wins, threats;
};

static void check_choice(const struct spot *s, struct qv_player *player, const char *level,
			 bool replies, struct seen *seen)
{
	char text[QV_POSITION_TEXT], shown[QV_MOVE_TEXT];
	qv_move list[SPOT_MOVES];
	const int n = spot_moves(s, list);
	int wins = 0, safe = 0;
	for (int i = 0; i < n; i++) {
		wins += wins_at_once(s, list[i]);
		safe += replies && !lets_another_win(s, list[i]);
	}
	struct qv_limits limits = limits_at(s);
	limits.nodes = 20000;
	const qv_move move = ask(player, s, &limits, NULL).move;
	if (wins && !wins_at_once(s, move))
		fail_msg("%s: %s is no win, at %s", level, move_text(s, move, shown),
			 spot_text(s, text));
	if (!wins && safe && lets_another_win(s, move))
		fail_msg("%s: %s lets the other win, at %s", level, move_text(s, move, shown),
			 spot_text(s, text));
	seen->wins += wins && wins < n;
	seen->threats += !wins && safe && safe < n;
}

/* With dice, or more than two seats, what others may do is no certainty: only wins are asked for. */
static struct seen check_level(const struct qv_context *context, const struct qv_game *game,
			       const char *level, struct qv_random *random)
{
	const struct spot start = small_start(context, game);
	struct qv_player *player = player_new(&start, level);
	struct seen seen = { 0, 0 };
	for (int64_t left = scaled(20); left > 0; left--) {
		struct spot s = start;
		if (wander_to_choice(&s, random))
			check_choice(&s, player, level, game->seats == 2 && !game->chance, &seen);
	}
	qv_player_free(player);
	return seen;
}

static void test_levels__from_the_third_up_nothing_is_given_away(void **state)
{
	struct seen all = { 0, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		/* Each game has its own positions, whatever other games there are. */
		struct qv_random random = { qv_hash_bytes(game->name, strlen(game->name)), 47 };
		if (game->seats == 1)
			continue;                    /* nobody to win against */
		for (int level = FIRST_SOUND; level <= level_count(game); level += level_step(game)) {
			const struct seen seen =
				check_level(*state, game, qv_levels(game)[level - 1], &random);
			all.wins += seen.wins;
			all.threats += seen.threats;
		}
	}
	assert_true(all.wins > 0 && all.threats > 0);
}

/* ---- the lowest ---- */

/* A game takes long, and the result is clear after few: a short run plays few. */
static bool takes_long(const struct qv_game *game)
{
	static const char *const names[] = { "backgammon", "chess", "gomoku" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(game->name, names[i]))
			return true;
	return false;
}

/* Games are long, and the better player wins most of them, so that few are enough. */
static bool is_long_race(const struct qv_game *game)
{
	return !strcmp(game->name, "backgammon");
}

/*
 * It takes a win and avoids an immediate loss where it can, and knows nothing else. In backgammon
 * that decides no game: there it plays what looks best at once.
 */
static const char *reference_of(const struct qv_game *game)
{
	if (is_long_race(game))
		return "expectimax:depth=1";
	return game->chance ? "expectimax:depth=2,eval=none,margin=1"
			    : "alphabeta:depth=2,eval=none,random=1,tt=0";
}

/* Plays a game to its end; twice the points of the player in that seat: 2, 1 or 0. */
static int play_game(struct spot s, struct qv_player *const *seats, int seat,
		     struct qv_random *random)
{
	const struct qv_game *game = s.rules.game;
	int32_t points[QV_MAX_SEATS];
	while (!spot_ended(&s, points)) {
		qv_move list[SPOT_MOVES];
		const int mover = game->seat(s.state);
		const struct qv_limits limits = limits_at(&s);
		spot_play(&s, mover == QV_CHANCE
				      ? list[qv_random_below(random, (uint64_t)spot_moves(&s, list))]
				      : ask(seats[mover], &s, &limits, NULL).move);
	}
	const int winner = qv_winner(game, points);
	return winner < 0 ? 1 : winner == seat ? 2 : 0;
}

static void test_levels__the_first_loses_to_who_only_avoids_immediate_losses(void **state)
{
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		struct qv_random random = { 48, 0 };
		if (game->seats != 2 || !game->levels)
			continue;                    /* a ladder of its own is a measured one */
		const int64_t games = scaled(game->chance && !is_long_race(game) ? 1000 : 60),
			      least = takes_long(game) && scaled(100) < 50 ? 20 : 60;
		const struct spot start = small_start(*state, game);
		struct qv_player *first = player_new(&start, "level:1");
		struct qv_player *reference = player_new(&start, reference_of(game));
		int64_t points = 0, played = 0;
		for (; played < games || played < least; played++) {
			const int seat = (int)(played & 1);
			struct qv_player *const seats[] = { seat ? reference : first,
							    seat ? first : reference };
			points += play_game(start, seats, seat, &random);
		}
		qv_player_free(first);
		qv_player_free(reference);
		if (points >= played)
			fail_msg("%s: level 1 made %d half points in %d games", game->name,
				 (int)points, (int)played);
	}
}

/* By depth or nodes, so that a level plays the same on every machine; and a table that is small. */
static void test_levels__no_clock_decides(void **state)
{
	for (int i = 0; qv_game_at(*state, i); i++)
		for (const char *const *level = qv_levels(qv_game_at(*state, i)); *level; level++)
			if (strstr(*level, "time=") || strstr(*level, "threads="))
				fail_msg("%s: %s", qv_game_at(*state, i)->name, *level);
}

/* ---- moving at once ---- */

/* The player has searched nothing when it is stopped, and still has a legal move. */
static void check_at_once(const struct qv_context *context, const struct qv_game *game,
			  const char *spec)
{
	const struct qv_flag stop = { 1 };
	const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_rules rules;
	struct qv_error error = { "" };
	struct qv_player *player;
	struct qv_answer answer = { .size = sizeof answer, .move = QV_NO_MOVE };
	void *start = qv_state_new(context, game);
	assert_int_equal(qv_rules_parse(context, game->name, &rules, &error), QV_OK);
	game->start(rules.options, start);
	for (qv_move list[QV_MAX_MOVES]; game->seat(start) == QV_CHANCE; game->play(start, list[0]))
		game->moves(start, list);
	/* Not every game has every kind of player. */
	if (qv_player_new(context, &rules, spec, &defaults, &player, &error) == QV_OK) {
		const enum qv_status status =
			qv_player_think(player, start, &limits, NULL, &answer, &error);
		if ((status != QV_OK && status != QV_STOPPED) ||
		    !qv_move_legal(game, start, answer.move))
			fail_msg("%s, %s: %d %s", game->name, spec, (int)status, error.text);
		qv_player_free(player);
	} else {
		assert_true(strncmp(spec, "level", 5) != 0);
	}
	qv_state_free(context, game, start);
}

static void test_levels__a_player_told_to_move_at_once_has_a_move(void **state)
{
	static const char *const kinds[] = { "book", "lurgee", "seed", "mask",	    "machine",
					     "mcts", "maxn",   "brs",  "expectimax" };
	char spec[64];
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		for (int level = 1; qv_levels(game)[level - 1]; level++) {
			snprintf(spec, sizeof spec, "level:%d", level);
			check_at_once(*state, game, spec);
		}
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			check_at_once(*state, game, kinds[k]);
	}
}

/* Engine protocols ask for a depth, hints for a time; some players set their own depth. */
static void test_levels__the_strongest_player_can_be_made_for_any_limit(void **state)
{
	static const char *const limits[] = { "depth=100", "time=1s" };
	(void)state;
	for (int i = 0; registry_at(i); i++)
		for (int k = 0; k < 2; k++) {
			char spec[STRONGEST_SPEC];
			struct settings settings;
			struct qv_error error = { "" };
			hint_player(registry_at(i)->game, limits[k], spec);
			if (spec_parse(spec, NULL, &settings, &error) != QV_OK)
				fail_msg("%s: %s: %s", registry_at(i)->game->name, spec,
					 error.text);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels__from_the_third_up_nothing_is_given_away),
		cmocka_unit_test(test_levels__the_first_loses_to_who_only_avoids_immediate_losses),
		cmocka_unit_test(test_levels__no_clock_decides),
		cmocka_unit_test(test_levels__the_strongest_player_can_be_made_for_any_limit),
		cmocka_unit_test(test_levels__a_player_told_to_move_at_once_has_a_move),
	};
	return cmocka_run_group_tests_name("levels", tests, setup, teardown);
}
