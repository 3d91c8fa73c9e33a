/*
 * level_blunders.c - from the third level up, players seldom make a one-ply blunder.
 * SPDX-License-Identifier: MIT
 *
 * A one-ply blunder is a move that the other side's best reply refutes, with the captures that
 * follow it (quiescence search), while another move was better by a win, or by the material named
 * below. A deeper search must agree, since a sacrifice is no blunder. With dice or more than two
 * seats, it is only a move that misses an immediate win.
 *
 * TEST_SCALE=3000 is the long count. With LEVELS_GAME=chess it is of one game, and with
 * LEVELS_COUNTS=1 the counts are printed.
 */
#include "support/search.h"

enum { FIRST_SOUND = 3, MOST_PLIES = 60, MOST_BLUNDERS = 2 /* in a hundred moves */ };
enum { SHALLOW = 2 }; /* plies, the move itself included */

/* The least material whose loss counts, in points of the evaluation, and how a deep search agrees. */
static const struct material {
	const char *game;
	int32_t points;
	const char *deep; /* player */
	int32_t deep_points;
} materials[] = {
	{ "chess", 300, "negascout:depth=5,tt=4", 200 },
	{ "minichess", 300, "negascout:depth=5,tt=4", 200 },
	{ "draughts", 100, "negascout:depth=9,eval=pattern,tt=4", 60 },
	{ "morris", 1, "negascout:depth=5,tt=4", 60 },
};
enum { MATERIALS = sizeof materials / sizeof *materials };

/* The judges of a game: what a reply shows, and what a deeper search does. */
struct judge {
	struct qv_player *shallow, *deep; /* NULL: only immediate wins count; no material */
	int32_t points, deep_points;
};

static struct judge judge_of(const struct spot *start)
{
	const struct qv_game *game = start->rules.game;
	struct judge judge = { 0 };
	if (game->seats != 2 || game->chance)
		return judge;
	for (const struct material *m = materials; m < materials + MATERIALS; m++)
		if (!strcmp(m->game, game->name)) {
			judge.points = m->points;
			judge.deep_points = m->deep_points;
			judge.deep = player_new(start, m->deep);
		}
	judge.shallow = player_new(start, judge.deep ? "alphabeta:depth=2,eval=material,tt=0"
						     : "alphabeta:depth=2,eval=none,tt=0");
	return judge;
}

/* The value of a position for the seat to move, or of one move there. */
static int32_t value_at(struct qv_player *player, const struct spot *s, const qv_move *only)
{
	struct qv_limits limits = limits_at(s);
	limits.only = only;
	limits.only_count = only != NULL;
	return ask(player, s, &limits, NULL).score;
}

static bool wins_at_once(const struct spot *s, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	struct spot next = *s;
	spot_play(&next, move);
	return spot_ended(&next, points) &&
	       qv_winner(s->rules.game, points) == s->rules.game->seat(s->state);
}

static bool misses_win(const struct spot *s, qv_move move)
{
	qv_move list[SPOT_MOVES];
	if (wins_at_once(s, move))
		return false;
	for (int n = spot_moves(s, list); n > 0; n--)
		if (wins_at_once(s, list[n - 1]))
			return true;
	return false;
}

static int outcome(int32_t value)
{
	return (value > QV_MAX_EVAL) - (value < -QV_MAX_EVAL);
}

/* Whether the move gives something away. A win that comes later, or a later loss, is none. */
static bool gives_away(struct qv_player *player, const struct spot *s, qv_move move, int32_t points)
{
	const int32_t best = value_at(player, s, NULL), value = value_at(player, s, &move);
	return outcome(best) != outcome(value) ||
	       (!outcome(best) && points && best - value >= points);
}

static bool is_blunder(const struct judge *judge, const struct spot *s, qv_move move)
{
	if (!judge->shallow)
		return misses_win(s, move);
	return gives_away(judge->shallow, s, move, judge->points) &&
	       (!judge->deep || gives_away(judge->deep, s, move, judge->deep_points));
}

struct tally {
	int64_t moves, blunders;
};

/* A game of the level against itself, after some random moves. */
static void count_in_game(struct spot s, struct qv_player *player, const struct judge *judge,
			  struct qv_random *random, struct tally *tally)
{
	const struct qv_game *game = s.rules.game;
	int32_t points[QV_MAX_SEATS];
	for (int ply = 0; ply < MOST_PLIES && !spot_ended(&s, points); ply++) {
		qv_move list[SPOT_MOVES];
		const int n = spot_moves(&s, list);
		struct qv_limits limits = limits_at(&s);
		limits.nodes = 20000;
		const qv_move move = game->seat(s.state) == QV_CHANCE || ply < 2
					     ? list[qv_random_below(random, (uint64_t)n)]
					     : ask(player, &s, &limits, NULL).move;
		if (game->seat(s.state) != QV_CHANCE && ply >= 2 && n > 1) {
			tally->moves++;
			tally->blunders += is_blunder(judge, &s, move);
		}
		spot_play(&s, move);
	}
}

static struct tally count_blunders(const struct qv_context *context, const struct qv_game *game,
				   int level)
{
	char spec[32];
	struct tally tally = { 0 };
	struct qv_random random = { qv_hash_bytes(game->name, strlen(game->name)), 21 };
	const struct spot start = spot_start(context, game);
	const struct judge judge = judge_of(&start);
	snprintf(spec, sizeof spec, "level:%d,book=none", level);
	struct qv_player *player = player_new(&start, spec);
	for (int64_t left = scaled(1); left > 0; left--)
		count_in_game(start, player, &judge, &random, &tally);
	qv_player_free(player);
	qv_player_free(judge.shallow);
	qv_player_free(judge.deep);
	return tally;
}

static void test_level_blunders__few_from_the_third_up(void **state)
{
	const char *const only = getenv("LEVELS_GAME");
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		struct tally all = { 0 };
		if (game->seats == 1 || (only && strcmp(only, game->name) != 0))
			continue;
		for (int level = FIRST_SOUND; level <= level_count(game); level += level_step(game)) {
			const struct tally one = count_blunders(*state, game, level);
			all.moves += one.moves;
			all.blunders += one.blunders;
			if (getenv("LEVELS_COUNTS"))
				print_message("%s %d: %lld of %lld\n", game->name, level,
					      (long long)one.blunders, (long long)one.moves);
			/* A few moves of one level say little: the long count judges each. */
			if (one.moves >= 1000 && 100 * one.blunders > MOST_BLUNDERS * one.moves)
				fail_msg("%s: level %d blunders", game->name, level);
		}
		if (100 * all.blunders > MOST_BLUNDERS * all.moves)
			fail_msg("%s: %lld blunders in %lld moves", game->name,
				 (long long)all.blunders, (long long)all.moves);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_level_blunders__few_from_the_third_up),
	};
	return cmocka_run_group_tests_name("level_blunders", tests, setup, teardown);
}
