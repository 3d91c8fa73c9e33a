/*
 * search_multi.c - maxn, paranoid and brs: their values are those of their definitions, which are
 * minimax for two seats; what is called proven is true; limits, stops, and what is refused.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include <math.h>

#include "base/flag.h"
#include "core/context.h"
#include "core/player.h"
#include "games/registry.h"
#include "search/chance.h"
#include "search/multi.h"
#include "support/thicket.h"

/* ---- by definition ---- */

struct oracle {
	const struct qv_game *game;
	const struct qv_evaluation *evaluation;
	int me;
	bool sort;
};

struct vector {
	double of[QV_MAX_SEATS];
};

static struct vector ended_values(const struct oracle *o, const int32_t *points, int ply)
{
	const struct qv_game *g = o->game;
	const double win = g->chance ? g->win - ply / 256.0 : QV_WIN - ply;
	struct vector v = { { 0 } };
	for (int seat = 0; seat < g->seats; seat++) {
		int better = 0, equal = 0;
		for (int other = 0; other < g->seats; other++) {
			better += points[other] > points[seat];
			equal += points[other] == points[seat];
		}
		v.of[seat] = better ? -win : equal > 1 ? 0 : win;
	}
	return v;
}

static struct vector static_values(const struct oracle *o, const void *state)
{
	const struct qv_evaluation *e = o->evaluation;
	struct vector v = { { 0 } };
	int32_t values[QV_MAX_SEATS];
	const bool each = e && e->seats && o->game->seats > 2;
	if (each)
		e->seats(state, e->weights, values);
	for (int seat = 0; e && seat < o->game->seats; seat++) {
		const int32_t mine = e->evaluate(state, e->weights);
		const int32_t others = -mine / (o->game->seats - 1);
		v.of[seat] = each ? values[seat] : seat == o->game->seat(state) ? mine : others;
	}
	return v;
}

/* Those ranked high first, if the search sorts; equal ones as they were listed. */
static int ordered_moves(const struct oracle *o, const void *state, qv_move *list)
{
	const int n = o->game->moves(state, list);
	for (int i = 1; o->sort && o->game->rank && i < n; i++)
		for (int j = i;
		     j > 0 && o->game->rank(state, list[j]) > o->game->rank(state, list[j - 1]);
		     j--) {
			const qv_move move = list[j];
			list[j] = list[j - 1];
			list[j - 1] = move;
		}
	return n;
}

enum { STATE = 64, MOST = 16 };

static void after(const struct oracle *o, const void *state, qv_move move, unsigned char *next)
{
	assert_true(o->game->state_size <= STATE && o->game->max_moves <= MOST);
	memcpy(next, state, o->game->state_size);
	o->game->play(next, move);
}

static struct vector literal_maxn(const struct oracle *o, const void *state, int depth, int ply)
{
	const struct qv_game *g = o->game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[MOST];
	const int mover = g->seat(state);
	if (g->result(state, points) != QV_GOING)
		return ended_values(o, points, ply);
	if (mover != QV_CHANCE && !depth)
		return static_values(o, state);
	struct vector best = { { 0 } };
	double total = 0;
	const int n = mover == QV_CHANCE ? g->moves(state, list) : ordered_moves(o, state, list);
	for (int i = 0; i < n; i++) {
		_Alignas(max_align_t) unsigned char next[STATE];
		after(o, state, list[i], next);
		const struct vector v =
			literal_maxn(o, next, mover == QV_CHANCE ? depth : depth - 1, ply + 1);
		const double weight = mover == QV_CHANCE ? g->weight(state, list[i]) : 0;
		for (int seat = 0; mover == QV_CHANCE && seat < g->seats; seat++)
			best.of[seat] += weight * v.of[seat];
		total += weight;
		if (mover != QV_CHANCE && (!i || v.of[mover] > best.of[mover]))
			best = v;
	}
	for (int seat = 0; mover == QV_CHANCE && seat < g->seats; seat++)
		best.of[seat] /= total;
	return best;
}

/*
 * For o->me: the worst of what the others can do. free: every one of them may choose. Else only
 * `replier`, or, if there is none yet, whoever takes it upon himself; the others play their move of
 * the highest rank.
 */
static double literal_against(const struct oracle *o, const void *state, bool free, int replier,
			      int depth, int ply);

static qv_move highest_ranked(const struct qv_game *g, const void *state, const qv_move *list,
			      int n)
{
	qv_move highest = list[0];
	for (int i = 1; i < n; i++)
		if (g->rank && g->rank(state, list[i]) > g->rank(state, highest))
			highest = list[i];
	return highest;
}

static double literal_choice(const struct oracle *o, const void *state, bool free, int replier,
			     int depth, int ply)
{
	const struct qv_game *g = o->game;
	qv_move list[MOST];
	const int mover = g->seat(state), n = g->moves(state, list);
	const qv_move usual = highest_ranked(g, state, list, n);
	double best = mover == o->me ? -INFINITY : INFINITY;
	for (int i = 0; i < n; i++) {
		_Alignas(max_align_t) unsigned char next[STATE];
		after(o, state, list[i], next);
		if (mover == o->me) {
			best = fmax(best, literal_against(o, next, free, -1, depth - 1, ply + 1));
			continue;
		}
		if (free || replier == -1 || replier == mover)
			best = fmin(best,
				    literal_against(o, next, free, mover, depth - 1, ply + 1));
		if (list[i] == usual && replier != mover)
			best = fmin(best,
				    literal_against(o, next, free, replier, depth - 1, ply + 1));
	}
	return best;
}

static double literal_against(const struct oracle *o, const void *state, bool free, int replier,
			      int depth, int ply)
{
	const struct qv_game *g = o->game;
	int32_t points[QV_MAX_SEATS];
	qv_move list[MOST];
	if (g->result(state, points) != QV_GOING)
		return ended_values(o, points, ply).of[o->me];
	if (g->seat(state) != QV_CHANCE)
		return depth ? literal_choice(o, state, free, replier, depth, ply)
			     : static_values(o, state).of[o->me];
	double sum = 0, total = 0;
	const int n = g->moves(state, list);
	for (int i = 0; i < n; i++) {
		_Alignas(max_align_t) unsigned char next[STATE];
		after(o, state, list[i], next);
		sum += g->weight(state, list[i]) *
		       literal_against(o, next, free, replier, depth, ply + 1);
		total += g->weight(state, list[i]);
	}
	return sum / total;
}

/* ---- the search from inside: its values as they are ---- */

/* The line is legal, ends where the game does, and dice are nobody's move. */
static void check_line(const struct spot *s, const struct qv_answer *answer)
{
	struct qv_answer part = *answer;
	int32_t points[QV_MAX_SEATS];
	bool over;
	for (part.line_length = 0; part.line_length < answer->line_length; part.line_length++) {
		const struct spot at = play_line(s, &part, &over, points);
		assert_true(!over && at.rules.game->seat(at.state) != QV_CHANCE);
	}
	play_line(s, answer, &over, points);
}

struct result {
	struct multi_values values;
	struct qv_answer answer;
};

static struct result search(const struct spot *s, const struct qv_evaluation *e, const char *spec)
{
	struct settings settings;
	struct qv_error error = { "" };
	struct multi *m = NULL;
	struct result r;
	if (spec_parse(spec, NULL, &settings, &error) != QV_OK)
		fail_msg("%s", error.text);
	const struct search_setup setup = { .game = s->rules.game,
					   .ops = context_engine(s->rules.game)->multi,
					   .allocator = context_allocator(s->context),
					   .settings = &settings,
					   .evaluation = e };
	const struct qv_limits limits = limits_at(s);
	assert_int_equal(multi_new(&setup, &m, &error), QV_OK);
	assert_int_equal(multi_run(m, s->state, &limits, NULL, &r.answer, &error), QV_OK);
	r.values = m->best;
	assert_true(r.answer.proven || labs((long)r.answer.score) <= QV_MAX_EVAL);
	check_line(s, &r.answer);
	multi_free(m);
	return r;
}

static struct result search_at(const struct spot *s, const struct qv_evaluation *e,
			       const char *kind, int depth, int switches)
{
	char spec[80];
	snprintf(spec, sizeof spec, "%s:depth=%d,sort=%d,prune=%d,iterate=%d", kind, depth,
		 switches & 1, switches >> 1 & 1, switches >> 2 & 1);
	return search(s, e, spec);
}

static void must_equal(const struct spot *s, const char *kind, int depth, int switches,
		       double value, double expected)
{
	if (value != expected)
		fail_msg("%s, %d seats, depth %d, switches %d: %.17g, by definition %.17g", kind,
			 s->rules.game->seats, depth, switches, value, expected);
}

enum { SWITCHES = 8, SORTED = 1, PRUNED = 2, ITERATED = 4 };

/* Every value of max^n, but that a search that deepens finds its equal moves in another order. */
static void check_maxn(const struct spot *s, const struct qv_evaluation *e, int depth)
{
	const struct qv_game *g = s->rules.game;
	struct oracle o = { g, e, g->seat(s->state), false };
	for (int switches = 0; switches < SWITCHES; switches++) {
		o.sort = switches & SORTED;
		const struct vector v = literal_maxn(&o, s->state, depth, 0);
		const struct result r = search_at(s, e, "maxn", depth, switches);
		if (r.answer.depth < depth)
			continue; /* it was decided before */
		must_equal(s, "maxn", depth, switches, r.values.of[o.me], v.of[o.me]);
		for (int seat = 0; !(switches & ITERATED) && seat < g->seats; seat++)
			must_equal(s, "maxn", depth, switches, r.values.of[seat], v.of[seat]);
	}
}

static void check_against(const struct spot *s, const struct qv_evaluation *e, const char *kind,
			  int depth, uint64_t nodes[2])
{
	const struct oracle o = { s->rules.game, e, s->rules.game->seat(s->state), false };
	const bool free = strcmp(kind, "paranoid") == 0;
	const double v = literal_against(&o, s->state, free, -1, depth, 0);
	for (int switches = 0; switches < SWITCHES; switches++) {
		const struct result r = search_at(s, e, kind, depth, switches);
		if (!(switches & ITERATED))
			nodes[switches >> 1 & 1] += r.answer.nodes;
		if (r.answer.depth == depth)
			must_equal(s, kind, depth, switches, r.values.of[o.me], v);
	}
}

static void test_search_multi__thickets_have_the_values_of_the_definitions(void **state)
{
	struct qv_random random = { 71, 0 };
	uint64_t nodes[2] = { 0, 0 };
	for (int seats = 2; seats <= QV_MAX_SEATS; seats++)
		for (int dice = 0; dice < 2; dice++) {
			const struct qv_game game = thicket_game(seats, dice);
			for (int64_t left = scaled(300); left > 0; left--) {
				const struct spot s = thicket_spot(*state, &game, &random);
				const int depth = 1 + (int)qv_random_below(&random, THICKET_PLIES);
				const struct qv_evaluation *e = &thicket_evaluations[left & 1];
				check_maxn(&s, e, depth);
				check_against(&s, e, "paranoid", depth, nodes);
				check_against(&s, e, "brs", depth, nodes);
			}
		}
	print_message("nodes of paranoid and brs: %llu, with cut-offs %llu\n",
		      (unsigned long long)nodes[0], (unsigned long long)nodes[1]);
	assert_true(nodes[1] < nodes[0]);
}

static void test_search_multi__coins_for_three_have_the_values_of_the_definitions(void **state)
{
	struct qv_random random = { 73, 0 };
	uint64_t nodes[2] = { 0, 0 };
	const struct qv_game *three = spot_at(*state, "toy-three", NULL).rules.game;
	for (int64_t left = scaled(200); left > 0; left--) {
		const struct spot s = spot_random(*state, three, 6, &random);
		const int depth = 1 + (int)qv_random_below(&random, 8);
		check_maxn(&s, three->evaluations, depth);
		check_against(&s, three->evaluations, "paranoid", depth, nodes);
		check_against(&s, three->evaluations, "brs", depth, nodes);
	}
}

/* ---- two seats ---- */

static void test_search_multi__two_seats_are_minimax(void **state)
{
	static const char *const kinds[] = { "maxn", "paranoid", "brs" };
	struct qv_random random = { 79, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		if (!is_duel(game))
			continue;
		for (int64_t left = scaled(40); left > 0; left--) {
			const struct spot s = spot_random(*state, game, 30, &random);
			const int depth = depth_for(&s, 5, 3000);
			const int32_t value = literal_value(&s, depth, 0);
			for (int k = 0; k < 3; k++) {
				char spec[80];
				snprintf(spec, sizeof spec, "%s:depth=%d,random=%d", kinds[k],
					 depth, (int)(left & 1));
				const struct qv_answer answer = think(&s, spec, NULL, NULL);
				if (answer.score != value)
					fail_msg("%s, %s: %d, minimax %d", game->name, spec,
						 (int)answer.score, (int)value);
				assert_win_shown(&s, &answer, spec);
				assert_proof_shown(&s, &answer, spec);
			}
		}
	}
}

/* Two seats and dice: the sums of expectimax, in the same order, from the same positions. */
static void test_search_multi__two_seats_and_dice_are_expectimax(void **state)
{
	struct qv_random random = { 83, 0 };
	const struct qv_game *race = spot_at(*state, "race", NULL).rules.game;
	for (int64_t left = scaled(60); left > 0; left--) {
		struct spot s = spot_random(*state, race, 80, &random);
		if (race->seat(s.state) == QV_CHANCE)
			spot_play(&s, qv_random_below(&random, 6) + 1);
		const struct oracle o = { race, race->evaluations, race->seat(s.state), false };
		const double value = literal_against(&o, s.state, true, -1, 2, 0);
		for (int k = 0; k < 3; k++) {
			static const char *const kinds[] = { "maxn", "paranoid", "brs" };
			const struct result r = search_at(&s, race->evaluations, kinds[k], 2, 3);
			must_equal(&s, kinds[k], 2, 3, r.values.of[o.me], value);
			const struct result all = search_at(&s, race->evaluations, kinds[k], 2, 1);
			const struct qv_answer same =
				think(&s, "expectimax:depth=2,star=0,iterate=0", NULL, NULL);
			assert_int_equal(all.answer.score, same.score);
			assert_true(all.answer.move == same.move);
			assert_int_equal(all.answer.nodes, same.nodes);
			assert_int_equal(all.answer.evals, same.evals);
		}
	}
}

/* ---- proofs ---- */

/* Who can still win, or share: a bit for each set of winners that some play leads to. */
static unsigned possible_ends(const struct qv_game *g, const void *state)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[MOST];
	if (g->result(state, points) != QV_GOING)
		return 1U << root_winners(g->seats, points);
	unsigned ends = 0;
	const struct oracle o = { g, NULL, 0, false };
	for (int i = g->moves(state, list); i > 0; i--) {
		_Alignas(max_align_t) unsigned char next[STATE];
		after(&o, state, list[i - 1], next);
		ends |= possible_ends(g, next);
	}
	return ends;
}

/* The seat whose win nothing can prevent, and how soon; -1: none. */
static int sure_winner(const struct spot *s, double *value)
{
	for (int seat = 0; seat < s->rules.game->seats; seat++) {
		const struct oracle o = { s->rules.game, s->rules.game->evaluations, seat, false };
		*value = literal_against(&o, s->state, true, -1, 100, 0);
		if (*value > QV_MAX_EVAL)
			return seat;
	}
	return -1;
}

static void check_proof(const struct spot *s, const char *spec, const struct qv_answer *a)
{
	const struct qv_game *g = s->rules.game;
	int32_t points[QV_MAX_SEATS];
	bool over;
	double value;
	play_line(s, a, &over, points);
	if (!a->proven)
		return;
	assert_true(over);
	const int me = g->seat(s->state), winner = sure_winner(s, &value);
	const unsigned ends = possible_ends(g, s->state);
	if (a->score == 0) {
		assert_true(ends == 1U << root_winners(g->seats, points));
		return;
	}
	if (winner < 0 || (winner == me) != (a->score > 0))
		fail_msg("%s: proven %d, but %d is the sure winner", spec, (int)a->score, winner);
	assert_true(root_winners(g->seats, points) == 1U << winner);
	assert_int_equal(a->line_length, QV_WIN - labs((long)a->score));
	assert_true(labs((long)a->score) == lround(value));
}

static void test_search_multi__what_is_proven_for_more_than_two_is_true(void **state)
{
	static const char *const specs[] = { "maxn:depth=12", "paranoid:depth=12", "brs:depth=12",
					     "maxn:depth=3", "maxn:depth=12,random=1" };
	struct qv_random random = { 89, 0 };
	const struct qv_game games[] = { thicket_game(3, false), thicket_game(4, false) };
	const struct qv_game *three = spot_at(*state, "toy-three", NULL).rules.game;
	int wins = 0, losses = 0, shared = 0;
	for (int64_t left = scaled(1200); left > 0; left--) {
		const struct spot s =
			left & 1 ? spot_random(*state, three, 9, &random)
				 : thicket_spot(*state, &games[left & 2 ? 1 : 0], &random);
		for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
			const struct qv_answer answer = think(&s, specs[i], NULL, NULL);
			check_proof(&s, specs[i], &answer);
			wins += answer.proven && answer.score > 0;
			losses += answer.proven && answer.score < 0;
			shared += answer.proven && !answer.score;
		}
	}
	print_message("proven: %d wins, %d losses, %d shared\n", wins, losses, shared);
	assert_true(wins && losses && shared);
}

/* A win against all others together is found as one, whoever looks. */
static void test_search_multi__a_sure_win_is_proven(void **state)
{
	struct qv_random random = { 97, 0 };
	const struct qv_game *three = spot_at(*state, "toy-three", NULL).rules.game;
	for (int64_t left = scaled(200); left > 0; left--) {
		const struct spot s = spot_random(*state, three, 9, &random);
		double value;
		if (sure_winner(&s, &value) != three->seat(s.state))
			continue;
		const struct qv_answer answer = think(&s, "paranoid:depth=12", NULL, NULL);
		assert_true(answer.proven);
		assert_int_equal(answer.score, lround(value));
	}
}

/* ---- the same again, and by chance ---- */

static void test_search_multi__the_stamp_for_a_game_counts_as_the_one_for_any(void **state)
{
	static const char *const games[] = { "noughts", "connect4", "hexapawn", "reversi", "race" };
	static const char *const specs[] = { "maxn:depth=3", "paranoid:depth=4",
					     "brs:depth=3,random=1", "paranoid:nodes=500",
					     "maxn:evals=200,sort=0" };
	struct qv_random random = { 101, 0 };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (size_t j = 0; j < sizeof specs / sizeof *specs; j++) {
			struct spot s = spot_random(
				*state, spot_at(*state, games[i], NULL).rules.game, 12, &random);
			if (s.rules.game->seat(s.state) == QV_CHANCE)
				spot_play(&s, 1 + qv_random_below(&random, 6));
			struct qv_limits limits = limits_at(&s);
			if (s.rules.game->chance)
				limits.depth = 2;
			const struct qv_answer built_in = think(&s, specs[j], &limits, NULL);
			const struct qv_answer again = think(&s, specs[j], &limits, NULL);
			const struct qv_game copy = *s.rules.game;
			s.rules.game = &copy;
			const struct qv_answer outside = think(&s, specs[j], &limits, NULL);
			assert_true(same_answer(&built_in, &again));
			assert_true(same_answer(&built_in, &outside));
		}
}

/* random=1: another move perhaps, never another value; and not always the same move. */
static void test_search_multi__chance_chooses_between_equals(void **state)
{
	static const char *const kinds[] = { "maxn", "paranoid", "brs" };
	const struct qv_game game = thicket_game(3, false);
	struct qv_random random = { 103, 0 };
	int others = 0;
	for (int64_t left = 300; left > 0; left--) {
		const struct spot s = thicket_spot(*state, &game, &random);
		char spec[80];
		snprintf(spec, sizeof spec, "%s:depth=3,iterate=0", kinds[left % 3]);
		const struct qv_answer plain = think(&s, spec, NULL, NULL);
		snprintf(spec, sizeof spec, "%s:depth=3,iterate=0,random=1", kinds[left % 3]);
		const struct qv_answer drawn = think(&s, spec, NULL, NULL);
		assert_int_equal(plain.score, drawn.score);
		others += plain.move != drawn.move;
		const struct qv_answer alone = think_only(&s, spec, 3, drawn.move);
		assert_int_equal(alone.score, drawn.score);
	}
	assert_true(others > 0);
}

/* ---- limits ---- */

static void test_search_multi__limits_are_kept(void **state)
{
	static const char *const specs[] = { "maxn:depth=100", "paranoid:depth=100",
					     "brs:depth=100" };
	struct qv_random random = { 107, 0 };
	const struct qv_game *reversi = spot_at(*state, "reversi", NULL).rules.game;
	for (int64_t left = scaled(100); left > 0; left--) {
		const struct spot s = spot_random(*state, reversi, 20, &random);
		struct qv_limits limits = { .size = sizeof limits,
					    .nodes = 1 + qv_random_below(&random, 3000) };
		struct qv_answer answer = think(&s, specs[left % 3], &limits, NULL);
		assert_true(answer.nodes <= limits.nodes);
		limits = (struct qv_limits){ .size = sizeof(struct qv_limits),
					     .evals = 1 + qv_random_below(&random, 3000) };
		answer = think(&s, specs[left % 3], &limits, NULL);
		assert_true(answer.evals <= limits.evals);
		limits = (struct qv_limits){ .size = sizeof(struct qv_limits), .time_ms = 2 };
		think(&s, specs[left % 3], &limits, NULL);
		const struct qv_limits depth = { .size = sizeof depth, .depth = 2 };
		assert_int_equal(think(&s, specs[left % 3], &depth, NULL).depth, 2);
	}
}

struct brake {
	struct qv_flag stop;
	uint64_t left;
};

static void count_down(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		       int32_t beta)
{
	struct brake *b = ctx;
	(void)state, (void)move, (void)ply, (void)alpha, (void)beta;
	if (b->left && !--b->left)
		flag_set(&b->stop, true);
}

/* The stop may come at any node; there is always a move, and at 0 it came before the first. */
static void test_search_multi__a_stop_at_any_node_gives_a_legal_move(void **state)
{
	static const char *const specs[] = { "maxn:depth=100", "paranoid:depth=100",
					     "brs:depth=100" };
	const struct spot s = spot_at(*state, "reversi", NULL);
	for (uint64_t at = 0; at < 300; at += 7) {
		struct brake brake = { .left = at };
		flag_set(&brake.stop, at == 0);
		const struct qv_limits limits = { .size = sizeof limits, .stop = &brake.stop };
		const struct qv_listener listener = { .size = sizeof listener,
						      .branch = count_down,
						      .ctx = &brake };
		struct qv_player *player = player_new(&s, specs[at % 3]);
		struct qv_answer answer = { .size = sizeof answer };
		assert_int_equal(
			qv_player_think(player, s.state, &limits, &listener, &answer, NULL),
			QV_STOPPED);
		assert_true(qv_move_legal(s.rules.game, s.state, answer.move));
		assert_true(answer.line_length >= 1 && answer.line[0] == answer.move);
		qv_player_free(player);
	}
}

struct ears {
	uint64_t branches, nodes, leaves, iterations;
	uint64_t cuts;
};

static void hear_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct ears *e = ctx;
	assert_int_equal(so_far->depth, ++e->iterations);
}

static void hear_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	(void)state, (void)move, (void)ply;
	assert_true(alpha < beta);
	((struct ears *)ctx)->branches++;
}

static void hear_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	(void)move, (void)ply, (void)value;
	((struct ears *)ctx)->nodes++;
	((struct ears *)ctx)->cuts += cut;
}

static void hear_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	(void)state, (void)ply, (void)value;
	((struct ears *)ctx)->leaves++;
}

static void test_search_multi__listeners_hear_everything(void **state)
{
	static const char *const specs[] = { "maxn:depth=4", "paranoid:depth=4", "brs:depth=4" };
	const struct spot s = spot_at(*state, "toy-three", NULL);
	for (int i = 0; i < 3; i++) {
		struct ears ears = { 0 };
		const struct qv_listener listener = { .size = sizeof listener,
						      .iteration = hear_iteration,
						      .branch = hear_branch,
						      .node = hear_node,
						      .leaf = hear_leaf,
						      .ctx = &ears };
		const struct qv_answer answer = think(&s, specs[i], NULL, &listener);
		assert_int_equal(ears.branches, answer.nodes);
		assert_int_equal(ears.nodes, answer.nodes);
		assert_int_equal(ears.leaves, answer.evals);
		assert_int_equal(ears.iterations, 4);
		assert_true(i == 0 || ears.cuts > 0);
		assert_int_equal(answer.line_length, 4);
	}
}

static void test_search_multi__only_those_moves(void **state)
{
	const struct spot s = spot_at(*state, "toy-three", NULL);
	for (qv_move move = 1; move <= 3; move++)
		assert_true(think_only(&s, "maxn", 4, move).move == move);
	const struct spot one = spot_at(*state, "toy-three", "1 2 3 0 0");
	assert_int_equal(think(&one, "maxn:chopper=1,depth=5", NULL, NULL).depth, 1);
}

/* ---- levels, refusals ---- */

/* Whatever the game, its levels are players that move. */
static void test_search_multi__every_level_of_every_game_moves(void **state)
{
	struct qv_random random = { 109, 0 };
	for (int i = 0; qv_game_at(*state, i); i++) {
		const struct qv_game *game = qv_game_at(*state, i);
		const char *const *levels = qv_levels(game);
		assert_non_null(levels[game->levels ? 0 : 3]);
		for (int level = 0; levels[level]; level++) {
			struct spot s = spot_random(*state, game, 6, &random);
			const struct qv_limits limits = { .size = sizeof limits, .nodes = 300 };
			while (game->seat(s.state) == QV_CHANCE) {
				qv_move list[SPOT_MOVES];
				spot_moves(&s, list);
				spot_play(&s, list[0]);
			}
			think(&s, levels[level], &limits, NULL);
		}
	}
}

static void must_refuse(const struct qv_context *context, const char *game, const char *spec,
			enum qv_status status)
{
	const struct spot s = spot_at(context, game, NULL);
	struct qv_player *player = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_player_new(context, &s.rules, spec, NULL, &player, &error), status);
	assert_null(player);
	assert_non_null(strstr(error.text, ": "));
}

static void test_search_multi__refusals(void **state)
{
	must_refuse(*state, "toy-solo", "maxn", QV_UNSUPPORTED);
	must_refuse(*state, "toy-solo", "brs", QV_UNSUPPORTED);
	must_refuse(*state, "toy-three", "maxn:killers=1", QV_UNKNOWN);
	must_refuse(*state, "toy-three", "paranoid:prune=2", QV_BAD_INPUT);
	must_refuse(*state, "toy-three", "brs:eval=nothing", QV_UNKNOWN);
	must_refuse(*state, "toy-three", "maxn:weights=/dev/null", QV_UNSUPPORTED);
	const struct spot s = spot_at(*state, "race", NULL);
	struct qv_player *player = player_new(&s, "maxn");
	struct qv_answer answer = { .size = sizeof answer };
	struct qv_error error = { "" };
	assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, &error), QV_ILLEGAL);
	qv_player_free(player);
}

/* An ended game has no move, and a score for the seat whose turn it would be. */
static void test_search_multi__an_ended_game(void **state)
{
	static const struct {
		const char *position;
		int32_t score;
	} ends[] = { { "0 1 9 3 2", QV_WIN },
		     { "0 2 9 3 2", -QV_WIN },
		     { "0 1 7 7 2", 0 },
		     { "0 3 7 7 2", -QV_WIN } };
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const struct spot s = spot_at(*state, "toy-three", ends[i].position);
		struct qv_player *player = player_new(&s, "maxn");
		struct qv_answer answer = { .size = sizeof answer };
		assert_int_equal(qv_player_think(player, s.state, NULL, NULL, &answer, NULL),
				 QV_OK);
		assert_true(answer.move == QV_NO_MOVE && answer.proven);
		assert_int_equal(answer.score, ends[i].score);
		qv_player_free(player);
	}
}

#define TEST(name) cmocka_unit_test(test_search_multi__##name)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(thickets_have_the_values_of_the_definitions),
		TEST(coins_for_three_have_the_values_of_the_definitions),
		TEST(two_seats_are_minimax),
		TEST(two_seats_and_dice_are_expectimax),
		TEST(what_is_proven_for_more_than_two_is_true),
		TEST(a_sure_win_is_proven),
		TEST(the_stamp_for_a_game_counts_as_the_one_for_any),
		TEST(chance_chooses_between_equals),
		TEST(limits_are_kept),
		TEST(a_stop_at_any_node_gives_a_legal_move),
		TEST(listeners_hear_everything),
		TEST(only_those_moves),
		TEST(every_level_of_every_game_moves),
		TEST(refusals),
		TEST(an_ended_game),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
