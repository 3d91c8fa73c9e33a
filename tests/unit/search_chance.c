/*
 * search_chance.c - expectimax: its values are those of the definition, to the last bit, with Star1
 * and Star2 as well; what they save; limits, stops, and what is refused.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "core/context.h"
#include "core/player.h"
#include "games/registry.h"
#include "search/chance.h"
#include "search/engine.h"
#include "toys/toys.h"

enum { RACE_PLIES = 120, DIE_PLIES = 30, STATE = 64, OUTCOMES = 16 };

/* ---- by definition ---- */

/* For `seat`, by the functions of struct qv_game alone; throws cost no depth. */
static double literal(const struct qv_game *g, const void *state, int seat, int depth, int ply,
		      double win)
{
	qv_move list[OUTCOMES];
	int32_t points[QV_MAX_SEATS];
	const int mover = g->seat(state);
	if (g->result(state, points) != QV_GOING) {
		const int winner = qv_winner(g, points);
		const double margin = fabs((double)points[0] - points[1]);
		const double part = g->stakes ? fmin(margin, g->stakes) / g->stakes : 1;
		const double worth = part * win - ply / 256.0;
		return winner < 0 ? 0 : winner == seat ? worth : -worth;
	}
	if (mover != QV_CHANCE && !depth) {
		const struct qv_evaluation *e = g->evaluations;
		const double value = e ? e->evaluate(state, e->weights) : 0;
		return mover == seat ? value : -value;
	}
	double sum = 0, total = 0, best = 0;
	assert_true(g->state_size <= STATE && g->max_moves <= OUTCOMES);
	const int n = g->moves(state, list);
	for (int i = 0; i < n; i++) {
		_Alignas(max_align_t) unsigned char next[STATE];
		memcpy(next, state, g->state_size);
		g->play(next, list[i]);
		const int left = mover == QV_CHANCE ? depth : depth - 1;
		const double value = literal(g, next, seat, left, ply + 1, win);
		if (mover == QV_CHANCE) {
			sum += g->weight(state, list[i]) * value;
			total += g->weight(state, list[i]);
		} else if (i == 0 || (mover == seat ? value > best : value < best)) {
			best = value;
		}
	}
	return mover == QV_CHANCE ? sum / total : best;
}

/* ---- the search from inside: the value as a double ---- */

struct result {
	double value;
	qv_move move;
	uint64_t nodes, evals;
	int depth;
};

static struct result search_by(const struct chance_ops *ops, const struct spot *s, const char *spec)
{
	struct settings settings;
	struct qv_error error = { "" };
	struct chance_search *c = NULL;
	struct qv_answer answer = { .size = sizeof answer };
	assert_int_equal(spec_parse(spec, NULL, &settings, &error), QV_OK);
	const struct search_setup setup = { .game = s->rules.game,
					    .ops = ops,
					    .allocator = context_allocator(s->context),
					    .settings = &settings };
	assert_int_equal(chance_new(&setup, &c, &error), QV_OK);
	const struct qv_limits limits = { .size = sizeof limits };
	assert_int_equal(chance_run(c, s->state, &limits, NULL, &answer, &error), QV_OK);
	const struct result result = { c->best_value, answer.move, answer.nodes, answer.evals,
				       answer.depth };
	assert_true(answer.proven ? answer.score == QV_WIN - 1 :
				    answer.score == lround(c->best_value));
	chance_free(c);
	return result;
}

static struct result search(const struct spot *s, const char *spec)
{
	return search_by(context_engine(s->rules.game)->chance, s, spec);
}

static struct result search_star(const struct spot *s, int star, int depth, bool iterate)
{
	char spec[64];
	snprintf(spec, sizeof spec, "expectimax:depth=%d,star=%d,iterate=%d", depth, star, iterate);
	return search(s, spec);
}

/* So many random plies on, or fewer; starts again when the game has ended. */
static void stroll(struct spot *s, int plies, struct qv_random *random)
{
	const struct qv_game *g = s->rules.game;
	qv_move list[OUTCOMES];
	int32_t points[QV_MAX_SEATS];
	for (int left = (int)qv_random_below(random, (uint64_t)plies + 1); left > 0; left--) {
		if (g->result(s->state, points) != QV_GOING)
			g->start(s->rules.options, s->state);
		const int n = g->moves(s->state, list);
		g->play(s->state, list[qv_random_below(random, (uint64_t)n)]);
	}
}

/* A random position where a seat has so many moves to choose from. */
static struct spot seat_spot(const struct qv_context *context, const struct qv_game *game,
			     int plies, int choice, struct qv_random *random)
{
	struct spot s = spot_start(context, game);
	qv_move list[OUTCOMES];
	do
		stroll(&s, plies, random);
	while (game->seat(s.state) == QV_CHANCE || game->moves(s.state, list) < choice);
	return s;
}

struct saved {
	uint64_t nodes[3], evals[3];
	int64_t positions;
};

static void check_spot(const struct spot *s, int depth, double win, struct saved *saved)
{
	char text[QV_POSITION_TEXT];
	const struct qv_game *g = s->rules.game;
	const double value = literal(g, s->state, g->seat(s->state), depth, 0, win);
	qv_move move = QV_NO_MOVE;
	for (int star = 0; star < 3; star++) {
		const struct result r = search_star(s, star, depth, false);
		if (r.value != value)
			fail_msg("star=%d, depth %d: %.17g, by definition %.17g, at %s", star,
				 depth, r.value, value, spot_text(s, text));
		if (star && r.move != move)
			fail_msg("star=%d, depth %d: another move at %s", star, depth,
				 spot_text(s, text));
		move = r.move;
		saved->nodes[star] += r.nodes;
		saved->evals[star] += r.evals;
	}
	saved->positions++;
}

static void print_saved(const char *game, int choice, int depth, const struct saved *s)
{
	print_message("%s, %d moves or more, depth %d, %lld positions: nodes", game, choice, depth,
		      (long long)s->positions);
	for (int star = 0; star < 3; star++)
		print_message(" %llu", (unsigned long long)s->nodes[star]);
	print_message(", evals");
	for (int star = 0; star < 3; star++)
		print_message(" %llu", (unsigned long long)s->evals[star]);
	print_message("\n");
}

static struct saved check_many(const struct qv_context *context, const struct qv_game *game,
			       int plies, int choice, int depth, int64_t positions)
{
	struct qv_random random = { .key = (uint64_t)(7 + depth) };
	struct saved saved = { .positions = 0 };
	while (saved.positions < scaled(positions)) {
		const struct spot s = seat_spot(context, game, plies, choice, &random);
		check_spot(&s, depth, game->win, &saved);
	}
	print_saved(game->name, choice, depth, &saved);
	return saved;
}

static void test_search_chance__race_has_the_values_of_the_definition(void **state)
{
	static const int positions[] = { 0, 2000, 1000, 100 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	for (int choice = 2; choice <= 4; choice += 2)
		for (int depth = 1; depth <= 3; depth++) {
			const struct saved s = check_many(*state, race, RACE_PLIES, choice, depth,
							  positions[depth]);
			if (depth > 1) {
				assert_true(s.evals[1] < s.evals[0]);
				assert_true(s.evals[2] < s.evals[1]);
			}
		}
}

/* Loaded dice, no evaluation, and the stamp over struct qv_game; depth 20 reaches every end. */
static void test_search_chance__toy_die_has_the_values_of_the_definition(void **state)
{
	const struct qv_game *die = spot_at(*state, "toy-die", NULL).rules.game;
	for (int depth = 1; depth <= 5; depth++)
		check_many(*state, die, DIE_PLIES, 2, depth, 400);
	struct spot s = spot_at(*state, "toy-die", "5 6 1 2");
	struct saved saved = { .positions = 0 };
	check_spot(&s, 20, die->win, &saved);
	assert_true(saved.evals[0] == 0);
}

/* ---- stakes ---- */

/* The loaded die, but a win counts more the further behind the loser is: 1 to 4, of which 3 count. */
static enum qv_outcome margin_result(const void *state, int32_t *points)
{
	int32_t plain[2];
	char text[32];
	int at[2];
	if (toy_die.result(state, plain) == QV_GOING)
		return QV_GOING;
	struct qv_text out = { text, sizeof text, 0 };
	toy_die.position_text(state, &out);
	assert_int_equal(sscanf(text, "%d %d", &at[0], &at[1]), 2);
	const int loser = plain[0] ? 1 : 0;
	points[loser] = 0;
	points[1 - loser] = at[loser] < 3 ? 4 : at[loser] < 5 ? 3 : at[loser] < 7 ? 2 : 1;
	return QV_ENDED;
}

static struct qv_game staked_die(void)
{
	struct qv_game game = toy_die;
	game.stakes = 3;
	game.result = margin_result;
	return game;
}

/* expectimax, maxn and paranoid count margins; with all lines searched, the value is exact. */
static void test_search_chance__stakes_count_the_margin(void **state)
{
	const struct qv_game staked = staked_die();
	struct qv_random random = { 61, 0 };
	struct saved saved = { .positions = 0 };
	for (int64_t left = scaled(200); left > 0; left--) {
		const struct spot s = seat_spot(*state, &staked, DIE_PLIES, 2, &random);
		check_spot(&s, 3, staked.win, &saved);
		const struct qv_answer star = think_to(&s, "expectimax:star=0,iterate=0", 3);
		const struct qv_answer maxn = think_to(&s, "maxn:iterate=0", 3),
				       paranoid = think_to(&s, "paranoid:iterate=0", 3);
		assert_int_equal(maxn.score, star.score);
		assert_int_equal(paranoid.score, star.score);
	}
	/* Seat 1 wins at once by one point of three, which is not the best that can be. */
	struct spot s = spot_at(*state, "toy-die", "7 8 1 2");
	s.rules.game = &staked;
	const struct qv_answer one = think_to(&s, "expectimax", 3);
	assert_int_equal(one.score, lround(staked.win / 3.0));
	/* By four, of which three count: that is everything. */
	s = spot_at(*state, "toy-die", "7 0 1 2");
	s.rules.game = &staked;
	const struct qv_answer all = think_to(&s, "expectimax", 3);
	assert_true(all.proven && all.score == QV_WIN - 1);
}

/* Monte Carlo search estimates the mean margin, from a loss of all stakes to a win of all. */
static void test_search_chance__mcts_estimates_the_margin(void **state)
{
	static const char *const positions[] = { "5 4 1 2", "4 6 2 2", "7 3 1 2", "3 6 1 3" };
	const struct qv_game staked = staked_die();
	for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
		struct spot s = spot_at(*state, "toy-die", positions[i]);
		s.rules.game = &staked;
		const int seat = staked.seat(s.state);
		const double exact = literal(&staked, s.state, seat, 30, 0, 1000);
		const struct qv_answer answer = think(&s, "mcts:playouts=50000", NULL, NULL);
		if (fabs(exact - answer.score) > 100 && !answer.proven)
			fail_msg("%s: %d, it is %.0f", positions[i], (int)answer.score, exact);
		if (answer.proven)
			assert_true((answer.score > 0) == (exact > 0));
	}
}

/* The stamp for the game and the one over struct qv_game: the same value from the same nodes. */
static void test_search_chance__stamps_agree(void **state)
{
	struct qv_random random = { 41, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	assert_true(race->win > 0);
	for (int64_t left = scaled(300); left > 0; left--) {
		const struct spot s = seat_spot(*state, race, RACE_PLIES, 2, &random);
		for (int star = 0; star < 3; star++) {
			const struct result built_in = search_star(&s, star, 2, true);
			char spec[64];
			snprintf(spec, sizeof spec, "expectimax:depth=2,star=%d", star);
			const struct result again = search_by(plugin_engine.chance, &s, spec);
			assert_true(again.value == built_in.value);
			assert_true(again.move == built_in.move);
			assert_int_equal(again.nodes, built_in.nodes);
			assert_int_equal(again.evals, built_in.evals);
		}
	}
}

static void test_search_chance__iterating_and_sorting_keep_the_value(void **state)
{
	struct qv_random random = { 43, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	for (int64_t left = scaled(500); left > 0; left--) {
		const struct spot s = seat_spot(*state, race, RACE_PLIES, 2, &random);
		const struct result plain = search(&s, "expectimax:depth=2,star=0,iterate=0");
		const struct result iterated = search(&s, "expectimax:depth=2,star=2,iterate=1");
		const struct result unsorted = search(&s, "expectimax:depth=2,star=2,sort=0");
		if (iterated.depth == 2)     /* less: won at once */
			assert_true(iterated.value == plain.value);
		if (unsorted.depth == 2)
			assert_true(unsorted.value == plain.value);
	}
}

/* With entries of the same depth only, the table changes values by its rounding. It saves nodes. */
static void test_search_chance__the_table_keeps_the_value(void **state)
{
	struct qv_random random = { 45, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	uint64_t nodes[2] = { 0, 0 };
	for (int64_t left = 50 + scaled(50); left > 0; left--) {
		const struct spot s = seat_spot(*state, race, RACE_PLIES, 2, &random);
		const struct result plain = search(&s, "expectimax:depth=3,iterate=0");
		const struct result table = search(&s, "expectimax:depth=3,iterate=0,table=1,tt-exact=1");
		assert_true(fabs(table.value - plain.value) < 0.05);
		nodes[0] += plain.nodes;
		nodes[1] += table.nodes;
	}
	assert_true(nodes[1] < nodes[0]);
}

/* ---- options for Warp Trog ---- */

/* The position, with the warp alone or the other moves alone searched. */
static struct chance_search *run_limited(const struct spot *s, const char *spec,
					 const struct qv_limits *limits, struct qv_answer *answer)
{
	struct settings settings;
	struct qv_error error = { "" };
	struct chance_search *c = NULL;
	assert_int_equal(spec_parse(spec, NULL, &settings, &error), QV_OK);
	const struct search_setup setup = { .game = s->rules.game,
					    .ops = context_engine(s->rules.game)->chance,
					    .allocator = context_allocator(s->context),
					    .settings = &settings };
	assert_int_equal(chance_new(&setup, &c, &error), QV_OK);
	assert_int_equal(chance_run(c, s->state, limits, NULL, answer, &error), QV_OK);
	return c;
}

/* c3xc4 wins a Valg, but b4xc4 takes the last man. */
static void test_search_chance__quiescence_sees_the_recapture(void **state)
{
	const struct spot s =
		spot_at(*state, "warptrog", "..............T....tv............... 1 0 0");
	const qv_move greedy = 14 | 20 << 6;
	const struct qv_limits only = { .size = sizeof only, .only = &greedy, .only_count = 1 };
	struct qv_answer plain = { .size = sizeof plain }, quiet = { .size = sizeof quiet };
	chance_free(run_limited(&s, "expectimax:depth=1", &only, &plain));
	chance_free(run_limited(&s, "expectimax:depth=1,quiet=1", &only, &quiet));
	assert_true(quiet.score < plain.score);
	assert_true(quiet.nodes > plain.nodes);
}

/* A Trog on a1 is the last in the scan: it lands once, and 36 samples are all landings. */
static void test_search_chance__samples_are_spread_over_the_landings(void **state)
{
	const struct spot s =
		spot_at(*state, "warptrog", "T...............v...v............... 1 1 0");
	const struct qv_game *g = s.rules.game;
	const struct qv_evaluation *e = g->evaluations;
	const qv_move warp = 0xfff;
	const struct qv_limits limits = { .size = sizeof limits, .only = &warp, .only_count = 1 };
	struct qv_answer answer = { .size = sizeof answer };
	struct chance_search *c =
		run_limited(&s, "expectimax:depth=1,iterate=0,samples=36", &limits, &answer);
	double sum = 0;
	for (qv_move square = 0; square < 36; square++) {
		_Alignas(max_align_t) unsigned char next[STATE];
		memcpy(next, s.state, g->state_size);
		g->play(next, warp);
		g->play(next, square);
		sum -= e->evaluate(next, e->weights);
	}
	assert_true(answer.move == warp);
	assert_true(fabs(c->best_value - sum / 36) < 1e-6);
	chance_free(c);
}

/* A warp is not followed below the root, but it is always searched there. */
static void test_search_chance__the_cost_of_chance_saves_nodes(void **state)
{
	const struct spot s = spot_at(*state, "warptrog", NULL);
	const struct result plain = search(&s, "expectimax:depth=3,iterate=0"),
			    costly = search(&s, "expectimax:depth=3,iterate=0,chance-cost=6"),
			    sampled = search(&s, "expectimax:depth=3,iterate=0,samples=36");
	assert_true(costly.nodes < plain.nodes);
	assert_true(sampled.nodes < plain.nodes);
	assert_true(costly.nodes > 36);
}

/* After the first search, going back to its position costs the player a tenth of a win. */
static void test_search_chance__a_repetition_is_bad(void **state)
{
	const struct spot first = spot_at(*state, "warptrog",
					  "T..................................t 1 0 0"),
			  second = spot_at(*state, "warptrog",
					   ".T.................................t 1 0 0");
	const qv_move back = 1 | 0 << 6; /* b1a1 */
	const struct qv_limits free = { .size = sizeof free },
			       only = { .size = sizeof only, .only = &back, .only_count = 1 };
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error;
	struct chance_search *c =
		run_limited(&first, "expectimax:depth=1,twofold=1", &free, &answer);
	/* The opponent is to move after b1a1, so that is no repetition. */
	assert_int_equal(chance_run(c, second.state, &only, NULL, &answer, &error), QV_OK);
	assert_true(c->best_value != -c->win / 10);
	struct spot third = second;
	const qv_move there = 35 | 34 << 6;
	third.rules.game->play(third.state, back);
	assert_int_equal(chance_run(c, third.state, &free, NULL, &answer, &error), QV_OK);
	third.rules.game->play(third.state, there);
	assert_int_equal(chance_run(c, second.state, &only, NULL, &answer, &error), QV_OK);
	assert_true(c->best_value == -c->win / 10);
	chance_free(c);
}

/* Answers from the table rest on evaluations: they do not end the deepening. */
static void test_search_chance__the_table_does_not_end_the_deepening(void **state)
{
	const struct spot s = spot_at(*state, "warptrog", NULL);
	const struct qv_limits limits = { .size = sizeof limits };
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error;
	struct chance_search *c =
		run_limited(&s, "expectimax:depth=5,table=1,chance-cost=6", &limits, &answer);
	assert_int_equal(answer.depth, 5);
	assert_int_equal(chance_run(c, s.state, &limits, NULL, &answer, &error), QV_OK);
	assert_int_equal(answer.depth, 5);
	chance_free(c);
}

/* ---- known positions ---- */

/* By hand, from the die's weights. */
static void test_search_chance__a_hand_computed_average(void **state)
{
	/* Seat 1 is on 7 with a 2: it runs home. */
	struct spot s = spot_at(*state, "toy-die", "7 0 1 2");
	struct qv_answer answer = think_to(&s, "expectimax", 3);
	assert_true(answer.proven);
	assert_int_equal(answer.score, QV_WIN - 1);
	/*
	 * On 6 with a 1: to 7. The other, on 8, wins with any throw by a step. So all is lost,
	 * after three plies more, and the score is rounded.
	 */
	s = spot_at(*state, "toy-die", "6 8 1 1");
	answer = think_to(&s, "expectimax", 2);
	assert_false(answer.proven);
	assert_int_equal(answer.score, -s.rules.game->win);
	/* The other is on 7: a 2, weight 2 of 6, wins at once; else nothing is known at depth 2. */
	s = spot_at(*state, "toy-die", "1 7 1 1");
	assert_true(fabs(search_star(&s, 2, 2, false).value + s.rules.game->win / 3.0) < 1);
}

/* A win at hand is played; it is called proven, with the line that shows it. */
static void test_search_chance__takes_a_win_in_one(void **state)
{
	const struct spot s = spot_at(*state, "race", "15,18,18,18 0,5,9,13 1 3");
	const struct qv_answer answer = think_to(&s, "expectimax", 4);
	char text[QV_MOVE_TEXT];
	assert_string_equal(move_text(&s, answer.move, text), "15-18");
	assert_win_shown(&s, &answer, "expectimax");
	assert_int_equal(answer.depth, 1);
}

/* Depth 1 sees that a block is safer: the threat is one throw away. */
static void test_search_chance__looks_past_its_own_move(void **state)
{
	const struct spot s = spot_at(*state, "race", "0,0,7,10 0,0,4,18 1 3");
	char text[QV_MOVE_TEXT];
	for (int depth = 1; depth <= 3; depth++) {
		const struct qv_answer answer = think_to(&s, "expectimax", depth);
		assert_string_equal(move_text(&s, answer.move, text), "7-10");
	}
}

/* ---- limits ---- */

static void test_search_chance__limits_are_kept(void **state)
{
	struct qv_random random = { 47, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	for (int64_t left = scaled(300); left > 0; left--) {
		const struct spot s = seat_spot(*state, race, RACE_PLIES, 2, &random);
		struct qv_limits limits = { .size = sizeof limits,
					    .nodes = 1 + qv_random_below(&random, 3000) };
		struct qv_answer answer = think(&s, "expectimax:depth=60", &limits, NULL);
		assert_true(answer.nodes <= limits.nodes);
		limits = (struct qv_limits){ .size = sizeof(struct qv_limits),
					     .evals = 1 + qv_random_below(&random, 3000) };
		answer = think(&s, "expectimax:depth=60", &limits, NULL);
		assert_true(answer.evals <= limits.evals);
		limits = (struct qv_limits){ .size = sizeof(struct qv_limits), .time_ms = 2 };
		answer = think(&s, "expectimax:depth=60", &limits, NULL);
		assert_true(answer.seconds < 20); /* however slow the machine is */
	}
}

/* Whenever it is cut short: the choice of the last complete depth, or of the next. */
static void test_search_chance__an_interrupted_search_has_an_answer(void **state)
{
	const struct spot s = spot_at(*state, "race", "0,3,9,12 1,5,6,14 1 3");
	const struct qv_answer shallow = think_to(&s, "expectimax", 1);
	for (uint64_t nodes = shallow.nodes + 1; nodes < 300; nodes++) {
		const struct qv_limits limits = { .size = sizeof limits, .nodes = nodes };
		const struct qv_answer answer = think(&s, "expectimax:depth=2", &limits, NULL);
		assert_true(answer.depth >= 1);
		assert_true(answer.nodes <= nodes);
	}
}

static void test_search_chance__stops_when_told(void **state)
{
	const struct spot s = spot_at(*state, "race", "0,3,9,12 1,5,6,14 1 3");
	const struct qv_flag stop = { 1 };
	const struct qv_limits limits = { .size = sizeof limits, .stop = &stop };
	struct qv_player *player = player_new(&s, "expectimax:depth=60");
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error;
	assert_int_equal(qv_player_think(player, s.state, &limits, NULL, &answer, &error),
			 QV_STOPPED);
	assert_true(qv_move_legal(s.rules.game, s.state, answer.move));
	qv_player_free(player);
}

static void test_search_chance__only_the_moves_asked_for(void **state)
{
	const struct spot s = spot_at(*state, "race", "0,3,9,12 1,5,6,14 1 3");
	qv_move list[SPOT_MOVES];
	double best = -INFINITY;
	const int n = spot_moves(&s, list);
	const struct result all = search_star(&s, 0, 2, false);
	for (int i = 0; i < n; i++) {
		const struct qv_answer answer = think_only(&s, "expectimax", 2, list[i]);
		assert_true(answer.move == list[i]);
		best = answer.score > best ? answer.score : best;
	}
	assert_true(best == (double)lround(all.value));
}

static void test_search_chance__the_same_again(void **state)
{
	struct qv_random random = { 53, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	for (int64_t left = scaled(100); left > 0; left--) {
		const struct spot s = seat_spot(*state, race, RACE_PLIES, 2, &random);
		const struct qv_answer first = think_to(&s, "expectimax", 2);
		const struct qv_answer second = think_to(&s, "expectimax", 2);
		assert_true(same_answer(&first, &second));
	}
}

/* ---- listeners ---- */

struct heard {
	uint64_t branches, nodes, leaves, iterations;
};

static void hear_iteration(void *ctx, const struct qv_answer *so_far)
{
	(void)so_far;
	((struct heard *)ctx)->iterations++;
}

static void hear_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	(void)state, (void)move, (void)ply;
	assert_true(alpha <= beta);
	((struct heard *)ctx)->branches++;
}

static void hear_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	(void)move, (void)ply, (void)value, (void)cut;
	((struct heard *)ctx)->nodes++;
}

static void hear_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	(void)state, (void)ply, (void)value;
	((struct heard *)ctx)->leaves++;
}

static void test_search_chance__listeners_hear_everything(void **state)
{
	const struct spot s = spot_at(*state, "race", "0,3,9,12 1,5,6,14 1 3");
	struct heard heard = { 0 };
	const struct qv_listener listener = { .size = sizeof listener, .iteration = hear_iteration,
					      .branch = hear_branch,
					      .node = hear_node,
					      .leaf = hear_leaf,
					      .ctx = &heard };
	const struct qv_answer answer = think(&s, "expectimax:depth=3,star=1", NULL, &listener);
	assert_int_equal(heard.branches, answer.nodes);
	assert_int_equal(heard.nodes, answer.nodes);
	assert_int_equal(heard.leaves, answer.evals);
	assert_int_equal(heard.iterations, 3);
}

/* ---- refusals ---- */

static void must_refuse(const struct qv_context *context, const char *game, const char *spec,
			enum qv_status expected)
{
	const struct spot s = spot_at(context, game, NULL);
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_player_new(context, &s.rules, spec, NULL, &player, &error), expected);
	assert_null(player);
	assert_true(error.text[0]);
}

static void test_search_chance__what_is_refused(void **state)
{
	must_refuse(*state, "noughts", "expectimax", QV_UNSUPPORTED);
	must_refuse(*state, "toy-three", "expectimax", QV_UNSUPPORTED);
	must_refuse(*state, "race", "negascout", QV_UNSUPPORTED);
	must_refuse(*state, "race", "expectimax:star=3", QV_BAD_INPUT);
	must_refuse(*state, "race", "expectimax:killers=1", QV_UNKNOWN);
	must_refuse(*state, "race", "expectimax:eval=nothing", QV_UNKNOWN);
	must_refuse(*state, "toy-die", "expectimax:weights=/dev/null", QV_UNSUPPORTED);
}

/* Where chance is to move there is nothing to choose; where the game has ended, nothing at all. */
static void test_search_chance__chance_and_the_end_have_no_choice(void **state)
{
	struct spot s = spot_at(*state, "race", NULL);
	struct qv_player *player = player_new(&s, "expectimax");
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, &error), QV_ILLEGAL);
	s = spot_at(*state, "race", "18,18,18,18 0,0,0,0 2 -");
	assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, &error), QV_OK);
	assert_true(answer.move == QV_NO_MOVE && answer.proven);
	assert_int_equal(answer.score, -QV_WIN);
	qv_player_free(player);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_chance__race_has_the_values_of_the_definition),
		cmocka_unit_test(test_search_chance__toy_die_has_the_values_of_the_definition),
		cmocka_unit_test(test_search_chance__stakes_count_the_margin),
		cmocka_unit_test(test_search_chance__mcts_estimates_the_margin),
		cmocka_unit_test(test_search_chance__stamps_agree),
		cmocka_unit_test(test_search_chance__iterating_and_sorting_keep_the_value),
		cmocka_unit_test(test_search_chance__the_table_keeps_the_value),
		cmocka_unit_test(test_search_chance__quiescence_sees_the_recapture),
		cmocka_unit_test(test_search_chance__samples_are_spread_over_the_landings),
		cmocka_unit_test(test_search_chance__the_cost_of_chance_saves_nodes),
		cmocka_unit_test(test_search_chance__a_repetition_is_bad),
		cmocka_unit_test(test_search_chance__the_table_does_not_end_the_deepening),
		cmocka_unit_test(test_search_chance__a_hand_computed_average),
		cmocka_unit_test(test_search_chance__takes_a_win_in_one),
		cmocka_unit_test(test_search_chance__looks_past_its_own_move),
		cmocka_unit_test(test_search_chance__limits_are_kept),
		cmocka_unit_test(test_search_chance__an_interrupted_search_has_an_answer),
		cmocka_unit_test(test_search_chance__stops_when_told),
		cmocka_unit_test(test_search_chance__only_the_moves_asked_for),
		cmocka_unit_test(test_search_chance__the_same_again),
		cmocka_unit_test(test_search_chance__listeners_hear_everything),
		cmocka_unit_test(test_search_chance__what_is_refused),
		cmocka_unit_test(test_search_chance__chance_and_the_end_have_no_choice),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
