/*
 * mcts.c - Monte Carlo tree search: it sees what a move or two can win or lose, what it proves is
 * so, and it plays games of any number of seats, with dice or without.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include <math.h>

#include "base/clock.h"

/* ---- wins and losses in one ---- */

static struct spot after(const struct spot *s, qv_move move)
{
	struct spot next = *s;
	spot_play(&next, move);
	return next;
}

/* Whether the move ends the game with that seat as the only winner. */
static bool wins_for(const struct spot *s, qv_move move, int seat)
{
	int32_t points[QV_MAX_SEATS];
	const struct spot next = after(s, move);
	return spot_ended(&next, points) && qv_winner(s->rules.game, points) == seat;
}

/* Whether after the move the game is lost, or the other seat can win with its next move. */
static bool loses_soon(const struct spot *s, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	const struct spot next = after(s, move);
	const int other = 1 - s->rules.game->seat(s->state);
	if (spot_ended(&next, points))
		return qv_winner(s->rules.game, points) == other;
	if (s->rules.game->seat(next.state) != other)
		return false;
	for (int n = spot_moves(&next, list); n > 0; n--)
		if (wins_for(&next, list[n - 1], other))
			return true;
	return false;
}

struct seen {
	int wins, dangers;
};

static void check_tactics(const struct spot *s, const char *spec, struct seen *seen)
{
	char text[QV_POSITION_TEXT];
	qv_move list[SPOT_MOVES];
	int winning = 0, losing = 0;
	const int seat = s->rules.game->seat(s->state), n = spot_moves(s, list);
	for (int i = 0; i < n; i++) {
		winning += wins_for(s, list[i], seat);
		losing += loses_soon(s, list[i]);
	}
	seen->wins += winning > 0;
	seen->dangers += !winning && losing && losing < n;
	const struct qv_answer answer = think(s, spec, NULL, NULL);
	assert_proof_shown(s, &answer, spec);
	if (winning && !(wins_for(s, answer.move, seat) && answer.score == QV_WIN - 1))
		fail_msg("%s misses a win in one at %s", spec, spot_text(s, text));
	if (!winning && losing < n && loses_soon(s, answer.move))
		fail_msg("%s walks into a loss at %s", spec, spot_text(s, text));
}

static void test_mcts__no_win_missed_and_no_loss_walked_into(void **state)
{
	static const char *const specs[] = { "mcts:playouts=1", "mcts:playouts=30",
					     "mcts:playouts=200,explore=20",
					     "mcts:playouts=30,tt=0" };
	struct qv_random random = { 71, 0 };
	struct seen all = { 0, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		struct seen seen = { 0, 0 };
		for (int k = 0; is_duel(qv_game_at(*state, i)) && k < scaled(1000); k++) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 62, &random);
			check_tactics(&s, specs[k % 4], &seen);
		}
		all.wins += seen.wins;
		all.dangers += seen.dangers;
	}
	assert_true(all.wins >= scaled(500));
	assert_true(all.dangers >= scaled(300));
}

/* ---- perfect play ---- */

/* Plays to the end from the start; returns the winner. */
static int play_out(struct spot s, struct qv_player *const *players)
{
	int32_t points[QV_MAX_SEATS];
	while (!spot_ended(&s, points)) {
		const int seat = s.rules.game->seat(s.state);
		const struct qv_limits limits = limits_at(&s);
		const struct qv_answer answer =
			ask(players[seat == QV_CHANCE ? 0 : seat], &s, &limits, NULL);
		spot_play(&s, answer.move);
	}
	return qv_winner(s.rules.game, points);
}

static void test_mcts__never_loses_at_noughts(void **state)
{
	static const char *const others[] = { "random", "negamax:depth=9,random=1" };
	const struct spot start = spot_at(*state, "noughts", NULL);
	struct qv_player *ours = player_new(&start, "mcts:playouts=3000");
	for (int i = 0; i < 2; i++) {
		struct qv_player *other = player_new(&start, others[i]);
		for (int k = 0; k < scaled(i ? 10 : 150); k++) {
			struct qv_player *const as_x[] = { ours, other };
			struct qv_player *const as_o[] = { other, ours };
			assert_int_not_equal(play_out(start, as_x), 1);
			assert_int_not_equal(play_out(start, as_o), 0);
		}
		qv_player_free(other);
	}
	qv_player_free(ours);
}

/* ---- proofs ---- */

static void check_proofs(const struct qv_context *context, const char *name, int plies, int games,
			 int depth, double share)
{
	static const char spec[] = "mcts:playouts=20000,tt=8";
	const struct spot start = spot_at(context, name, NULL);
	struct qv_random random = { 25, 0 };
	int proofs = 0, positions = 0;
	for (int k = 0; k < scaled(games); k++) {
		struct spot s = start;
		for (int i = 0; i < plies && spot_wander(&s, &random); i++)
			;
		do {
			char text[QV_POSITION_TEXT];
			const struct qv_answer answer = think(&s, spec, NULL, NULL);
			positions++;
			assert_proof_shown(&s, &answer, spec);
			if (!answer.proven)
				continue;
			proofs++;
			const struct qv_answer oracle =
				think_to(&s, "alphabeta:depth=40,quiet=0,tt=0", depth);
			if (oracle.proven && sign(oracle.score) != sign(answer.score))
				fail_msg("mcts proves %d, alphabeta %d, at %s", (int)answer.score,
					 (int)oracle.score, spot_text(&s, text));
			const struct qv_answer kept = think_only(
				&s, "alphabeta:depth=40,quiet=0,tt=0", depth, answer.move);
			if (kept.proven && sign(kept.score) != sign(answer.score))
				fail_msg("the move of the proof loses it at %s",
					 spot_text(&s, text));
		} while (spot_wander(&s, &random));
	}
	if (proofs < share * positions)
		fail_msg("%s: %d proofs at %d positions", name, proofs, positions);
}

static void test_mcts__what_it_proves_is_so(void **state)
{
	check_proofs(*state, "noughts", 1, 40, 9, 0.9);
	check_proofs(*state, "connect4", 28, 12, 14, 0.5);
	check_proofs(*state, "reversi", 53, 12, 16, 0.5);
	check_proofs(*state, "toy-quiet", 8, 10, 9, 0.1);
	check_proofs(*state, "toy-counted:heaps=3,size=3", 1, 10, 9, 0.5);
	check_proofs(*state, "toy-counted:last=loses,heaps=3,size=3", 1, 10, 9, 0.5);
	check_proofs(*state, "toy-repeat", 6, 10, 8, 0.01);
	check_proofs(*state, "toy-repeat:verdict=loss", 6, 10, 8, 0.01);
	check_proofs(*state, "toy-sling", 6, 10, 12, 0.1);
}

/* The whole of noughts and crosses: a draw. */
static void test_mcts__noughts_is_a_draw(void **state)
{
	const struct spot s = spot_at(*state, "noughts", NULL);
	const struct qv_answer answer = think(&s, "mcts:playouts=2000000,tt=64", NULL, NULL);
	assert_true(answer.proven);
	assert_int_equal(answer.score, 0);
	assert_proof_shown(&s, &answer, "mcts");
}

/* ---- the same again ---- */

static void test_mcts__the_same_seed_gives_the_same_tree(void **state)
{
	static const char *const specs[] = { "mcts:playouts=700,nodes=200000", "mcts:nodes=5000",
					     "mcts:playouts=2000,explore=50,tt=0,nodes=200000" };
	struct qv_random random = { 3, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = 0; k < scaled(6); k++) {
			struct spot s = spot_random(*state, qv_game_at(*state, i), 12, &random);
			const struct qv_answer one = think(&s, specs[k % 3], NULL, NULL);
			struct qv_player *player = player_new(&s, specs[k % 3]);
			const struct qv_limits limits = limits_at(&s);
			ask(player, &s, &limits, NULL);
			qv_player_new_game(player);
			const struct qv_answer two = ask(player, &s, &limits, NULL);
			qv_player_free(player);
			assert_true(same_answer(&one, &two));
			/* As a plug-in's game it has another stamp, and the same answer. */
			const struct qv_game copy = *s.rules.game;
			s.rules.game = &copy;
			const struct qv_answer three = think(&s, specs[k % 3], NULL, NULL);
			assert_true(same_answer(&one, &three));
		}
}

static void test_mcts__other_seeds_give_other_trees(void **state)
{
	const struct spot s = spot_at(*state, "connect4", NULL);
	uint64_t nodes[4];
	for (uint64_t seed = 0; seed < 4; seed++) {
		const struct qv_defaults defaults = {
			.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
		};
		struct qv_player *player;
		assert_int_equal(qv_player_new(*state, &s.rules, "mcts:playouts=500", &defaults,
					       &player, NULL),
				 QV_OK);
		nodes[seed] = ask(player, &s, NULL, NULL).nodes;
		qv_player_free(player);
	}
	assert_true(nodes[0] != nodes[1] || nodes[1] != nodes[2] || nodes[2] != nodes[3]);
}

/* ---- limits ---- */

static void hear(void *ctx, const struct qv_answer *so_far)
{
	assert_true(so_far->line_length > 0 && so_far->line[0] == so_far->move);
	++*(int *)ctx;
}

/* Told at 256 playouts, and whenever they have doubled. */
static void test_mcts__playouts_are_counted(void **state)
{
	static const struct {
		const char *spec;
		int heard;
	} cases[] = { { "mcts:playouts=255", 0 },  { "mcts:playouts=256", 1 },
		      { "mcts:playouts=511", 1 },  { "mcts:playouts=512", 2 },
		      { "mcts:playouts=4096", 5 }, { "mcts", 6 } };
	const struct spot s = spot_at(*state, "connect4", NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int heard = 0;
		const struct qv_listener listener = { .size = sizeof listener,
						      .iteration = hear,
						      .ctx = &heard };
		const struct qv_answer told = think(&s, cases[i].spec, NULL, &listener);
		const struct qv_answer alone = think(&s, cases[i].spec, NULL, NULL);
		assert_int_equal(heard, cases[i].heard);
		assert_true(same_answer(&told, &alone));
	}
}

static void test_mcts__no_more_nodes_than_allowed(void **state)
{
	struct qv_random random = { 9, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = 0; k < scaled(60); k++) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 30, &random);
			struct qv_limits limits = limits_at(&s);
			limits.nodes = 1 + qv_random_below(&random, k % 2 ? 40 : 3000);
			limits.depth = k % 3 ? 0 : 1 + k % 5;
			const struct qv_answer answer =
				think(&s, "mcts:playouts=100000", &limits, NULL);
			assert_true(answer.nodes <= limits.nodes);
			assert_true(!limits.depth || answer.depth <= limits.depth);
		}
}

static void test_mcts__time_and_stop_are_held(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	const int64_t started = clock_us();
	const struct qv_answer answer = think(&s, "mcts:time=50ms", NULL, NULL);
	assert_true(clock_us() - started < 60000000); /* however slow the machine is */
	assert_true(answer.seconds >= 0.05 && answer.nodes > 0);
	struct qv_flag stop = { 1 };
	struct qv_limits limits = limits_at(&s);
	struct qv_answer out = { .size = sizeof out };
	struct qv_error error;
	limits.stop = &stop;
	struct qv_player *player = player_new(&s, "mcts:playouts=1000000000");
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &out, &error), QV_STOPPED);
	assert_true(qv_move_legal(s.rules.game, s.state, out.move));
	assert_true(out.nodes <= 100 && out.line_length == 1 && out.line[0] == out.move);
	qv_player_free(player);
}

static void test_mcts__only_these_moves(void **state)
{
	struct qv_random random = { 4, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = 0; k < scaled(20); k++) {
			qv_move list[SPOT_MOVES];
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 20, &random);
			if (s.rules.game->seat(s.state) == QV_CHANCE)
				continue;
			const int n = spot_moves(&s, list);
			struct qv_limits limits = limits_at(&s);
			const qv_move only = list[qv_random_below(&random, (uint64_t)n)];
			limits.only = &only;
			limits.only_count = 1;
			assert_true(think(&s, "mcts:playouts=50", &limits, NULL).move == only);
			limits.nodes = 1;
			assert_true(think(&s, "mcts:playouts=50", &limits, NULL).move == only);
		}
	/* A win elsewhere does not count. */
	const struct spot s = spot_at(*state, "noughts", "xx.oo.... x");
	const qv_move worse = 5;
	struct qv_limits limits = limits_at(&s);
	limits.only = &worse;
	limits.only_count = 1;
	assert_true(think(&s, "mcts", NULL, NULL).score == QV_WIN - 1);
	assert_true(think(&s, "mcts", &limits, NULL).score < QV_WIN - 1);
}

/* A tree that is full goes on counting. */
static void test_mcts__full_tree(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	const struct qv_answer small = think(&s, "mcts:playouts=20000,tt=0", NULL, NULL),
			       large = think(&s, "mcts:playouts=20000,tt=64", NULL, NULL);
	assert_true(small.depth < large.depth || small.nodes != large.nodes);
	assert_true(small.nodes > 20000 * 50);
}

static void test_mcts__an_ended_game_has_no_move(void **state)
{
	const struct spot s = spot_at(*state, "noughts", "xxxoo.... o");
	struct qv_player *player = player_new(&s, "mcts");
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, NULL), QV_OK);
	assert_true(answer.move == QV_NO_MOVE && answer.proven && answer.score == -QV_WIN);
	qv_player_free(player);
}

/* ---- chance, seats ---- */

/* The chance that the seat wins, by definition. */
static double die_chance(const struct spot *s, int seat)
{
	const struct qv_game *g = s->rules.game;
	qv_move list[SPOT_MOVES];
	int32_t points[QV_MAX_SEATS];
	if (spot_ended(s, points))
		return qv_winner(g, points) == seat;
	const int mover = g->seat(s->state), n = spot_moves(s, list);
	double sum = 0, weights = 0, best = mover == seat ? -1 : 2;
	for (int i = 0; i < n; i++) {
		const struct spot next = after(s, list[i]);
		const double value = die_chance(&next, seat);
		const double weight = mover == QV_CHANCE ? g->weight(s->state, list[i]) : 0;
		sum += weight * value;
		weights += weight;
		best = mover == seat ? fmax(best, value) : fmin(best, value);
	}
	return mover == QV_CHANCE ? sum / weights : best;
}

static void test_mcts__chances_are_estimated(void **state)
{
	static const char *const positions[] = { "5 4 1 2", "6 6 1 3", "4 6 2 2", "6 7 1 2",
						 "7 3 1 2", "7 7 2 3", "3 6 1 3" };
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		const struct spot s = spot_at(*state, "toy-die", positions[i]);
		const int seat = s.rules.game->seat(s.state);
		const double exact = die_chance(&s, seat);
		const struct qv_answer answer = think(&s, "mcts:playouts=50000", NULL, NULL);
		const struct spot next = after(&s, answer.move);
		assert_true(die_chance(&next, seat) > exact - 0.01);
		if (!answer.proven && fabs((2 * exact - 1) * 1000 - answer.score) > 60)
			fail_msg("%s: %d, it is %.0f", positions[i], (int)answer.score,
				 (2 * exact - 1) * 1000);
		if (answer.proven)
			assert_true(exact == (answer.score > 0));
	}
}

/* Games won by a player in that seat, of n; the others play at random. */
static int games_won(const struct qv_context *context, const char *name, const char *spec, int seat,
		     int n)
{
	const struct spot start = spot_at(context, name, NULL);
	struct qv_player *ours = player_new(&start, spec), *other = player_new(&start, "random");
	struct qv_player *players[QV_MAX_SEATS] = { other, other, other, other };
	int won = 0;
	players[seat] = ours;
	/* Chance is thrown by whoever has seat 0: both throw by the weights. */
	for (int i = 0; i < n; i++)
		won += play_out(start, players) == seat;
	qv_player_free(ours);
	qv_player_free(other);
	return won;
}

/*
 * In every seat four standard deviations more than a random player there. TEST_SCALE would blur
 * that.
 */
static void check_beats_random(const struct qv_context *context, const char *name, const char *spec,
			       int games)
{
	const int seats = spot_at(context, name, NULL).rules.game->seats;
	for (int seat = 0; seat < seats; seat++) {
		const int won = games_won(context, name, spec, seat, games),
			  by_chance = games_won(context, name, "random", seat, games);
		if (won < by_chance + 4 * sqrt(games / 2.0))
			fail_msg("%s, seat %d: %d of %d games, %d by chance", name, seat, won,
				 games, by_chance);
	}
}

static void test_mcts__beats_random_players(void **state)
{
	if (scaled(100) >= 20) { /* not with sanitizers */
		check_beats_random(*state, "connect4", "mcts:playouts=200", 60);
		check_beats_random(*state, "reversi", "mcts:playouts=100", 60);
	}
	check_beats_random(*state, "toy-die", "mcts:playouts=200", 200);
	check_beats_random(*state, "toy-three", "mcts:playouts=300", 200);
}

/* Frogs and toads: fifteen moves, no second chance. */
static void test_mcts__solves_the_puzzle_of_one_seat(void **state)
{
	int32_t points[QV_MAX_SEATS] = { 0 };
	bool over;
	struct spot s = spot_at(*state, "toy-solo", NULL);
	const struct qv_answer answer = think(&s, "mcts:playouts=20000", NULL, NULL);
	assert_true(answer.proven);
	assert_int_equal(answer.score, 1);
	play_line(&s, &answer, &over, points);
	assert_true(over && points[0] == 1 && answer.line_length == 15);
	struct qv_player *player = player_new(&s, "mcts:playouts=300");
	struct qv_player *const players[] = { player };
	assert_int_equal(play_out(s, players), 0);
	qv_player_free(player);
}

/* Nim with heaps too large to prove by luck: the theory says which moves win. */
static void test_mcts__counted_moves_are_all_tried(void **state)
{
	static const char *const positions[] = { "1 4 2 1", "5 1 1 1", "2 2 3 2", "5 4 0 1" };
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		const struct spot s = spot_at(*state, "toy-counted:heaps=3,size=5", positions[i]);
		const struct qv_answer answer = think(&s, "mcts:playouts=100000,tt=64", NULL, NULL);
		assert_true(answer.proven && answer.score > QV_MAX_EVAL);
		assert_proof_shown(&s, &answer, "mcts");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mcts__no_win_missed_and_no_loss_walked_into),
		cmocka_unit_test(test_mcts__never_loses_at_noughts),
		cmocka_unit_test(test_mcts__what_it_proves_is_so),
		cmocka_unit_test(test_mcts__noughts_is_a_draw),
		cmocka_unit_test(test_mcts__the_same_seed_gives_the_same_tree),
		cmocka_unit_test(test_mcts__other_seeds_give_other_trees),
		cmocka_unit_test(test_mcts__playouts_are_counted),
		cmocka_unit_test(test_mcts__no_more_nodes_than_allowed),
		cmocka_unit_test(test_mcts__time_and_stop_are_held),
		cmocka_unit_test(test_mcts__only_these_moves),
		cmocka_unit_test(test_mcts__full_tree),
		cmocka_unit_test(test_mcts__an_ended_game_has_no_move),
		cmocka_unit_test(test_mcts__chances_are_estimated),
		cmocka_unit_test(test_mcts__beats_random_players),
		cmocka_unit_test(test_mcts__solves_the_puzzle_of_one_seat),
		cmocka_unit_test(test_mcts__counted_moves_are_all_tried),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
