/*
 * search_techniques.c - each technique of the two-player search does what it is for, on positions
 * chosen for it.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

/* Alpha-beta and nothing else; then one thing more. */
#define BARE "iterate=0,sort=0,killers=0,history=0,keep-line=0,tt=0,quiet=0"
#define BUT_ITERATE "sort=0,killers=0,history=0,keep-line=0,tt=0,quiet=0"

enum { SETS = 30, MANY = 1 << 20 };

static const char *const full_kinds[] = {
	"minimax:depth=5",	   "negamax:depth=5",	 "alphabeta:depth=5," BARE,
	"negascout:depth=5," BARE, "mtdf:depth=5," BARE,
};
enum { FULL_KINDS = 5, MTDF = 4 };

/* Sums over positions from random games of one game, always the same ones. */
struct totals {
	uint64_t nodes, evals;
	int64_t scores;
};

static struct totals totals_of(const struct qv_context *context, const char *name, const char *spec)
{
	struct qv_random random = { 99, 0 };
	struct totals t = { 0, 0, 0 };
	const struct qv_game *game = spot_at(context, name, NULL).rules.game;
	for (int i = 0; i < SETS; i++) {
		const struct spot s = spot_random(context, game, 30, &random);
		const struct qv_answer answer = think(&s, spec, NULL, NULL);
		t.nodes += answer.nodes;
		t.evals += answer.evals;
		t.scores += answer.score * (i + 1);
	}
	return t;
}

/* What was tried, in order. */
struct tried {
	int count[2];
	qv_move first[2];          /* at ply 0 and 1 */
	int narrow, wide;          /* root moves with a window of points, and with the whole one */
	uint64_t branches, nodes, leaves, evaluated;
	const struct spot *spot;
};

static void on_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
		      int32_t beta)
{
	struct tried *t = ctx;
	(void)state;
	assert_true(alpha < beta);
	t->branches++;
	if (ply > 1)
		return;
	if (!t->count[ply]++)
		t->first[ply] = move;
	if (ply == 0 && beta > QV_WIN)
		t->wide++;
	else if (ply == 0)
		t->narrow++;
}

static void on_node(void *ctx, qv_move move, int ply, int32_t value, bool cut)
{
	struct tried *t = ctx;
	(void)move, (void)ply, (void)cut;
	assert_in_range(value + QV_WIN, 0, 2 * (int64_t)QV_WIN);
	t->nodes++;
}

static void on_leaf(void *ctx, const void *state, int ply, int32_t value)
{
	struct tried *t = ctx;
	struct spot at = *t->spot;
	int32_t points[QV_MAX_SEATS];
	memcpy(at.state, state, at.rules.game->state_size);
	const bool ended = at.rules.game->result(state, points) != QV_GOING;
	t->leaves++;
	t->evaluated += !ended;
	assert_int_equal(value, ended ? points_value(&at, points, ply) : static_value(&at));
}

static struct qv_listener listen(struct tried *t, const struct spot *s)
{
	*t = (struct tried){ .spot = s };
	return (struct qv_listener){
		.size = sizeof(struct qv_listener),
		.branch = on_branch, .node = on_node, .leaf = on_leaf, .ctx = t
	};
}

/* ---- lines ---- */

/* The value at the end of the line, for the seat to move at the root. */
static int32_t value_at_end(const struct spot *s, const struct qv_answer *answer)
{
	bool over;
	int32_t points[QV_MAX_SEATS];
	const struct spot end = play_line(s, answer, &over, points);
	const int32_t value =
		over ? points_value(&end, points, answer->line_length) : static_value(&end);
	assert_true(over || answer->line_length == answer->depth);
	return end.rules.game->seat(end.state) == s->rules.game->seat(s->state) ? value : -value;
}

static void test_search_techniques__the_line_leads_to_the_score(void **state)
{
	struct qv_random random = { 11, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(SETS); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 40, &random);
			const int depth = 1 + (int)qv_random_below(&random, 4);
			for (int kind = 0; kind < MTDF; kind++) {
				const struct qv_answer answer =
					think_to(&s, full_kinds[kind], depth);
				assert_int_equal(value_at_end(&s, &answer), answer.score);
			}
		}
}

/* ---- deepening ---- */

struct iterations {
	int count;
	struct qv_answer at[32];
};

static void on_iteration(void *ctx, const struct qv_answer *so_far)
{
	struct iterations *list = ctx;
	assert_true(list->count < 32);
	list->at[list->count++] = *so_far;
}

static void test_search_techniques__each_iteration_is_the_search_to_its_depth(void **state)
{
	struct qv_random random = { 12, 0 };
	static struct iterations list;
	const struct qv_listener listener = { .size = sizeof listener,
					      .iteration = on_iteration,
					      .ctx = &list };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(SETS); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 40, &random);
			list.count = 0;
			const struct qv_answer last =
				think(&s, "alphabeta:depth=5," BUT_ITERATE, NULL, &listener);
			assert_int_equal(list.count, last.depth);
			assert_true(last.depth == 5 || last.proven);
			for (int d = 1; d <= last.depth; d++) {
				assert_int_equal(list.at[d - 1].depth, d);
				assert_int_equal(list.at[d - 1].score,
						 think_to(&s, full_kinds[2], d).score);
			}
			assert_int_equal(list.at[last.depth - 1].score, last.score);
		}
}

/* ---- windows ---- */

static void test_search_techniques__a_wrong_window_is_searched_again(void **state)
{
	struct qv_random random = { 13, 0 };
	int again = 0, dearer = 0;
	for (int k = 0; k < SETS; k++) {
		const struct spot s = spot_random(*state, qv_game_at(*state, 2), 40, &random);
		struct tried t;
		const struct qv_listener listener = listen(&t, &s);
		const struct qv_answer narrow =
			think(&s, "alphabeta:depth=4,window=1," BUT_ITERATE, NULL, &listener);
		const int wide = t.wide;
		const struct qv_answer plain =
			think(&s, "alphabeta:depth=4," BUT_ITERATE, NULL, NULL);
		assert_int_equal(narrow.score, plain.score);
		qv_move moves[SPOT_MOVES];
		again += t.narrow &&
			 wide > spot_moves(&s, moves); /* the first iteration has no window yet */
		dearer += narrow.nodes > plain.nodes;
	}
	assert_true(again > SETS / 2 && dearer > 0);
}

static void test_search_techniques__a_right_window_saves_nodes(void **state)
{
	const struct totals plain = totals_of(*state, "reversi", "alphabeta:depth=4," BUT_ITERATE);
	const struct totals narrow =
		totals_of(*state, "reversi", "alphabeta:depth=4,window=300," BUT_ITERATE);
	assert_int_equal(narrow.scores, plain.scores);
	assert_true(narrow.nodes < plain.nodes);
}

/* ---- the order of moves ---- */

static void test_search_techniques__sorting_saves_leaves(void **state)
{
	static const char *const names[] = { "noughts", "connect4", "reversi" };
	for (int i = 0; i < 3; i++) {
		const struct totals plain = totals_of(*state, names[i], "alphabeta:depth=5," BARE);
		const struct totals sorted = totals_of(
			*state, names[i],
			"alphabeta:depth=5,iterate=0,killers=0,history=0,keep-line=0,tt=0,quiet=0");
		print_message("%s: %llu leaves, sorted %llu\n", names[i],
			      (unsigned long long)plain.evals, (unsigned long long)sorted.evals);
		assert_int_equal(sorted.scores, plain.scores);
		assert_true(sorted.evals < plain.evals);
	}
}

/*
 * What a search has learned about moves elsewhere, and what it knows of positions, saves nodes and
 * changes nothing.
 */
static void test_search_techniques__killers_history_and_table_save_nodes(void **state)
{
	static const char *const specs[] = {
		"alphabeta:depth=6,iterate=0,sort=0,history=0,keep-line=0,tt=0,quiet=0,killers=2",
		"alphabeta:depth=6,iterate=0,sort=0,killers=0,keep-line=0,tt=0,quiet=0,history=1",
		"alphabeta:depth=6,iterate=0,sort=0,killers=0,history=0,keep-line=0,quiet=0,tt=1,tt-exact=1",
	};
	const struct totals plain = totals_of(*state, "connect4", "alphabeta:depth=6," BARE);
	for (int i = 0; i < 3; i++) {
		const struct totals other = totals_of(*state, "connect4", specs[i]);
		print_message("%llu nodes without, %llu with %s\n", (unsigned long long)plain.nodes,
			      (unsigned long long)other.nodes, specs[i]);
		assert_int_equal(other.scores, plain.scores);
		assert_true(other.nodes < plain.nodes);
	}
}

static void test_search_techniques__deep_cuts_save_more_than_shallow_ones(void **state)
{
	const struct totals full = totals_of(*state, "connect4", "negamax:depth=6");
	const struct totals shallow =
		totals_of(*state, "connect4", "alphabeta:depth=6,deep=0," BARE);
	const struct totals deep = totals_of(*state, "connect4", "alphabeta:depth=6," BARE);
	assert_true(shallow.scores == full.scores && deep.scores == full.scores);
	assert_true(deep.evals < shallow.evals && shallow.evals < full.evals);
}

/* ---- quiescence ---- */

/*
 * Two plies count the pawn that 5x3 takes and not the lord that it loses; captures that go on show
 * it.
 */
static void test_search_techniques__quiescence_sees_the_capture_after_the_last_ply(void **state)
{
	const struct spot s = spot_at(*state, "toy-quiet", ".lp.L..... 1 8");
	char text[QV_MOVE_TEXT] = "";
	const struct qv_answer rash = think(&s, "alphabeta:depth=2," BARE, NULL, NULL);
	assert_string_equal(move_text(&s, rash.move, text), "5x3");
	assert_int_equal(rash.score, 0);
	for (int kind = 0; kind < 3; kind++) {
		static const char *const specs[] = { "alphabeta:depth=2,tt=0,quiet=1",
						     "negascout:depth=2,tt=0,quiet=1",
						     "mtdf:depth=2,tt=0,quiet=1" };
		const struct qv_answer calm = think(&s, specs[kind], NULL, NULL);
		assert_string_equal(move_text(&s, calm.move, text), "5-6");
		assert_int_equal(calm.score, -100);
	}
	assert_true(literal_value(&s, 3, 0) < 0);
}

/* Stand-pat and captures by definition: the value for the seat to move at a leaf. */
static int32_t literal_quiet(const struct spot *s, int depth, int ply)
{
	int32_t points[QV_MAX_SEATS];
	qv_move list[SPOT_MOVES];
	const struct qv_game *g = s->rules.game;
	if (spot_ended(s, points))
		return points_value(s, points, ply);
	int32_t best = depth > 0 ? INT32_MIN : static_value(s);
	const int count = spot_moves(s, list);
	for (int i = 0; i < count; i++) {
		struct spot next = *s;
		if (depth <= 0 && g->quiet(s->state, list[i]))
			continue;
		spot_play(&next, list[i]);
		int32_t value = literal_quiet(&next, depth - 1, ply + 1);
		if (g->seat(next.state) != g->seat(s->state))
			value = -value;
		if (value > best)
			best = value;
	}
	return best;
}

static void test_search_techniques__quiescence_is_its_definition(void **state)
{
	struct qv_random random = { 14, 0 };
	const struct qv_game *game = spot_at(*state, "toy-quiet", NULL).rules.game;
	int changed = 0;
	for (int k = (int)scaled(300); k > 0; k--) {
		const struct spot s = spot_random(*state, game, 20, &random);
		const int depth = 1 + k % 4;
		const int32_t expected = literal_quiet(&s, depth, 0);
		changed += expected != literal_value(&s, depth, 0);
		assert_int_equal(think_to(&s, "alphabeta:depth=5,tt=0,iterate=0", depth).score,
				 expected);
		assert_int_equal(think_to(&s, "negascout:depth=5,tt=1,tt-exact=1", depth).score,
				 expected);
		assert_int_equal(think_to(&s, "mtdf:depth=5,tt=1,tt-exact=1", depth).score,
				 expected);
	}
	assert_true(changed > 0);
}

/* ---- what is not sound ---- */

static void test_search_techniques__razoring_off_is_alphabeta_and_on_is_smaller(void **state)
{
	struct qv_random random = { 15, 0 };
	const struct totals plain = totals_of(*state, "reversi", "alphabeta:depth=5," BARE);
	const struct totals off = totals_of(*state, "reversi", "alphabeta:depth=5,razor=0," BARE);
	const struct totals on = totals_of(*state, "reversi", "alphabeta:depth=5,razor=1," BARE);
	assert_memory_equal(&plain, &off, sizeof plain);
	assert_true(on.nodes < plain.nodes);
	int again = 0;
	for (int k = 0; k < 3 * SETS;
	     k++) { /* nothing beats standing still: then it must look properly */
		const struct spot s = spot_random(*state, qv_game_at(*state, k % 3), 40, &random);
		const struct qv_answer razor =
			think(&s, "alphabeta:depth=4,razor=1," BARE, NULL, NULL);
		if (razor.score > static_value(&s))
			continue;
		again++;
		assert_int_equal(razor.score, think_to(&s, full_kinds[0], 4).score);
	}
	assert_true(again > 0);
}

/* Whether every move leaves the mover more than `limit` below where it stood. */
static bool all_fall(const struct spot *s, int32_t limit)
{
	qv_move list[SPOT_MOVES];
	for (int n = spot_moves(s, list); n > 0; n--) {
		struct spot next = *s;
		int32_t points[QV_MAX_SEATS];
		spot_play(&next, list[n - 1]);
		if (spot_ended(&next, points) || -static_value(&next) >= static_value(s) - limit)
			return false;
	}
	return true;
}

static void test_search_techniques__hard_pruning_lowers_its_limit_until_a_move_is_left(void **state)
{
	struct qv_random random = { 16, 0 };
	int fallen = 0;
	for (int k = 0; k < MANY && fallen < SETS; k++) {
		const struct spot s =
			spot_random(*state, qv_game_at(*state, 1 + k % 2), 50, &random);
		if (!all_fall(&s, 1))
			continue;
		struct tried t;
		qv_move moves[SPOT_MOVES];
		const struct qv_listener listener = listen(&t, &s);
		const struct qv_answer answer =
			think(&s, "alphabeta:depth=3,hard=1," BARE, NULL, &listener);
		fallen++;
		assert_true(answer.depth == 3 || answer.proven);
		assert_true(t.count[0] >=
			    2 * spot_moves(&s, moves)); /* one round in vain, at least */
	}
	assert_int_equal(fallen, SETS);
	const struct totals plain = totals_of(*state, "reversi", "alphabeta:depth=4," BARE);
	const struct totals lenient =
		totals_of(*state, "reversi", "alphabeta:depth=4,hard=268435456," BARE);
	const struct totals strict =
		totals_of(*state, "reversi", "alphabeta:depth=4,hard=100," BARE);
	assert_true(lenient.scores == plain.scores && lenient.nodes == plain.nodes);
	assert_true(strict.nodes < plain.nodes);
}

static void test_search_techniques__top_n_looks_at_fewer_moves(void **state)
{
	const struct totals plain = totals_of(*state, "reversi", "alphabeta:depth=5," BARE);
	const struct totals all = totals_of(*state, "reversi", "alphabeta:depth=5,top=60," BARE);
	uint64_t nodes = all.nodes;
	assert_int_equal(all.scores, plain.scores);
	for (int n = 8; n; n /= 2) {
		char spec[256];
		snprintf(spec, sizeof spec, "alphabeta:depth=5,top=%d," BARE, n);
		const struct totals some = totals_of(*state, "reversi", spec);
		assert_true(some.nodes < nodes);
		nodes = some.nodes;
	}
}

/* What the position after a move looks worth at once, for the seat that plays it. */
static int32_t looks(const struct spot *s, qv_move move, int ply)
{
	struct spot next = *s;
	int32_t points[QV_MAX_SEATS];
	spot_play(&next, move);
	const int32_t value = spot_ended(&next, points) ? points_value(&next, points, ply + 1)
							: static_value(&next);
	return s->rules.game->seat(next.state) == s->rules.game->seat(s->state) ? value : -value;
}

/*
 * Minimax where only the n moves that look best count, the first listed of equals, at the root and
 * at the replies.
 */
static int32_t literal_top(const struct spot *s, int n, int depth, int ply)
{
	qv_move list[SPOT_MOVES];
	int32_t points[QV_MAX_SEATS], best = INT32_MIN;
	if (ply > 1 || spot_ended(s, points))
		return literal_value(s, depth, ply);
	const int count = spot_moves(s, list);
	for (int i = 0; i < count; i++) {
		int ahead = 0;
		for (int j = 0; j < count; j++)
			ahead += looks(s, list[j], ply) > looks(s, list[i], ply) - (j < i);
		if (ahead >= n)
			continue;
		struct spot next = *s;
		spot_play(&next, list[i]);
		const int32_t value = literal_top(&next, n, depth - 1, ply + 1);
		const bool turns = s->rules.game->seat(next.state) != s->rules.game->seat(s->state);
		if ((turns ? -value : value) > best)
			best = turns ? -value : value;
	}
	return best;
}

static void test_search_techniques__top_n_is_its_definition(void **state)
{
	struct qv_random random = { 28, 0 };
	for (int k = (int)scaled(2 * SETS); k > 0; k--) {
		const struct spot s = spot_random(*state, qv_game_at(*state, k % 3), 40, &random);
		assert_int_equal(think(&s, "alphabeta:depth=4,top=2," BARE, NULL, NULL).score,
				 literal_top(&s, 2, 4, 0));
		assert_int_equal(think(&s, "negascout:depth=3,top=2," BARE, NULL, NULL).score,
				 literal_value(&s, 3, 0));
	}
}

/* ---- the chopper, the kept line, chance ---- */

static void test_search_techniques__the_chopper_plays_an_only_move_at_once(void **state)
{
	struct qv_random random = { 18, 0 };
	int found = 0;
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = 0; is_duel(qv_game_at(*state, i)) && k < 300; k++) {
			qv_move moves[SPOT_MOVES];
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 60, &random);
			if (spot_moves(&s, moves) != 1)
				continue;
			found++;
			const struct qv_answer answer =
				think(&s, "alphabeta:depth=6,chopper=1,quiet=0", NULL, NULL);
			assert_true(answer.move == moves[0]);
			assert_true(answer.nodes <= 1);
		}
	assert_true(found > SETS);
}

static void test_search_techniques__the_kept_line_is_tried_first(void **state)
{
	static const char spec[] =
		"alphabeta:depth=6,iterate=0,sort=0,killers=0,history=0,tt=0,keep-line=1";
	struct qv_random random = { 19, 0 };
	for (int k = 0; k < SETS; k++) {
		struct spot s = spot_random(*state, qv_game_at(*state, 1 + k % 2), 12, &random);
		struct qv_player *player = player_new(&s, spec);
		const struct qv_answer first = ask(player, &s, NULL, NULL);
		if (first.line_length == 6) {
			struct tried t;
			const struct qv_listener listener = listen(&t, &s);
			spot_play(&s, first.line[0]);
			spot_play(&s, first.line[1]);
			const struct qv_answer next = ask(player, &s, NULL, &listener);
			assert_true(t.first[0] == first.line[2] && t.first[1] == first.line[3]);
			assert_int_equal(next.score, think(&s, spec, NULL, NULL).score);
		}
		qv_player_free(player);
	}
}

/* After a reply that was not expected, the player searches as one that has just sat down. */
static void test_search_techniques__the_kept_line_is_forgotten_after_another_reply(void **state)
{
	static const char spec[] =
		"alphabeta:depth=6,iterate=0,sort=0,killers=0,history=0,tt=0,keep-line=1";
	struct qv_random random = { 29, 0 };
	for (int k = 0; k < SETS; k++) {
		struct spot s = spot_random(*state, qv_game_at(*state, 1 + k % 2), 12, &random);
		struct qv_player *player = player_new(&s, spec);
		const struct qv_answer first = ask(player, &s, NULL, NULL);
		qv_move moves[SPOT_MOVES];
		int32_t points[QV_MAX_SEATS];
		spot_play(&s, first.line[0]);
		if (first.line_length == 6 && spot_moves(&s, moves) > 1) {
			spot_play(&s, moves[moves[0] == first.line[1]]);
			if (!spot_ended(&s, points)) {
				const struct qv_answer next = ask(player, &s, NULL, NULL),
						       fresh = think(&s, spec, NULL, NULL);
				assert_true(same_answer(&next, &fresh));
			}
		}
		qv_player_free(player);
	}
}

/* Over many seeds, the moves chosen are those that have the value, all of them. */
static void check_choice(const struct spot *s, const char *spec, int depth)
{
	qv_move moves[SPOT_MOVES];
	const int32_t value = think_to(s, "minimax:depth=9", depth).score;
	const int n = spot_moves(s, moves);
	bool best[SPOT_MOVES], chosen[SPOT_MOVES] = { false };
	for (int i = 0; i < n; i++)
		best[i] = think_only(s, "minimax:depth=9", depth, moves[i]).score == value;
	for (uint64_t seed = 0; seed < 150; seed++) {
		const struct qv_defaults defaults = {
			.size = sizeof defaults, .seed = seed, .threads = 1, .hash_mb = 1
		};
		struct qv_limits limits = limits_at(s);
		struct qv_player *player;
		limits.depth = depth;
		assert_int_equal(
			qv_player_new(s->context, &s->rules, spec, &defaults, &player, NULL),
			QV_OK);
		const struct qv_answer answer = ask(player, s, &limits, NULL);
		qv_player_free(player);
		assert_int_equal(answer.score, value);
		for (int i = 0; i < n; i++)
			chosen[i] |= moves[i] == answer.move;
	}
	for (int i = 0; i < n; i++)
		if (chosen[i] != best[i])
			fail_msg("%s to depth %d: move %d of the list is %s, %s", spec, depth, i,
				 best[i] ? "one of the best" : "not of the best",
				 chosen[i] ? "chosen" : "never chosen");
}

static void test_search_techniques__chance_decides_between_equals(void **state)
{
	static const char *const specs[] = {
		"minimax:depth=9,random=1",	   "negamax:depth=9,random=1",
		"alphabeta:depth=9,random=1,tt=0", "negascout:depth=9,random=1,tt=0",
		"mtdf:depth=9,random=1,tt=0",	   "alphabeta:depth=9,random=1,tt=1,tt-exact=1",
	};
	const struct spot noughts = spot_at(*state, "noughts", "x.......o x");
	const struct spot connect4 = spot_at(*state, "connect4", "4");
	const struct spot reversi = spot_at(*state, "reversi", NULL);
	for (int i = 0; i < 6; i++) {
		check_choice(&noughts, specs[i], 2);
		check_choice(&connect4, specs[i], 3);
		check_choice(&reversi, specs[i], 4);
	}
}

/* The same where the value is proven, whose line must be made to reach the end. */
static void test_search_techniques__chance_decides_between_equal_proofs(void **state)
{
	const struct spot drawn = spot_at(*state, "noughts", "x...o.... x");
	check_choice(&drawn, "alphabeta:depth=9,random=1,tt=0", 9);
	check_choice(&drawn, "alphabeta:depth=9,random=1,tt=1,tt-exact=1", 9);
}

/* ---- turns and history ---- */

static bool has_only_pass(const struct spot *s)
{
	qv_move moves[SPOT_MOVES];
	char text[QV_MOVE_TEXT] = "";
	return spot_moves(s, moves) == 1 && strcmp(move_text(s, moves[0], text), "pass") == 0;
}

static void test_search_techniques__passes_are_searched(void **state)
{
	struct qv_random random = { 20, 0 };
	const struct qv_game *reversi = spot_at(*state, "reversi", NULL).rules.game;
	int passes = 0;
	for (int k = 0; k < MANY && passes < SETS; k++) {
		const struct spot s = spot_random(*state, reversi, 58, &random);
		if (!has_only_pass(&s))
			continue;
		passes++;
		const int32_t expected = literal_value(&s, 4, 0);
		for (int kind = 0; kind < FULL_KINDS; kind++)
			assert_int_equal(think_to(&s, full_kinds[kind], 4).score, expected);
	}
	assert_int_equal(passes, SETS);
}

/* After a capture the same seat moves again: its value keeps its sign. */
static void test_search_techniques__values_turn_only_when_the_seat_does(void **state)
{
	struct qv_random random = { 21, 0 };
	const struct qv_game *game = spot_at(*state, "toy-quiet", NULL).rules.game;
	int again = 0;
	for (int k = 0; k < MANY && again < SETS; k++) {
		const struct spot s = spot_random(*state, game, 16, &random);
		struct spot next = s;
		bool over;
		int32_t points[QV_MAX_SEATS];
		const struct qv_answer answer = think_to(&s, full_kinds[k % FULL_KINDS], 4);
		spot_play(&next, answer.move);
		play_line(&s, &answer, &over, points);
		if (game->seat(next.state) != game->seat(s.state))
			continue;
		again++;
		assert_int_equal(answer.score, literal_value(&s, 4, 0));
	}
	assert_int_equal(again, SETS);
}

/*
 * The same position with and without its history, by one player, in turn: no table mixes them up.
 */
static void check_history(struct spot *with, struct spot *without, const char *spec, int32_t there,
			  int32_t here)
{
	struct qv_player *player = player_new(with, spec);
	for (int round = 0; round < 2; round++) {
		const struct qv_limits past = limits_at(with), none = limits_at(without);
		const struct qv_answer first = ask(player, with, &past, NULL);
		assert_int_equal(first.score, there);
		assert_true(first.rests_on_repetition);
		assert_int_equal(ask(player, without, &none, NULL).score, here);
	}
	qv_player_free(player);
}

/*
 * Nor does a table whose deeper entries count too. To depth 3 all its entries are of one depth, so
 * the value must be exact; what is proven must be so at any depth.
 */
static void check_plain_table(const struct spot *with, const struct spot *without, const char *spec,
			      int depth)
{
	struct qv_player *player = player_new(with, spec);
	struct qv_limits past = limits_at(with), none = limits_at(without);
	past.depth = none.depth = depth;
	ask(player, with, &past, NULL);
	const struct qv_answer answer = ask(player, without, &none, NULL);
	const struct qv_answer oracle =
		think(without, "alphabeta:depth=8," BUT_ITERATE, NULL, NULL);
	qv_player_free(player);
	if (depth == 3)
		assert_int_equal(answer.score, literal_value(without, 3, 0));
	if (answer.proven && oracle.proven)
		assert_int_equal(sign(answer.score), sign(oracle.score));
}

static void check_history_in(const struct qv_context *context, const char *name, uint64_t key)
{
	struct qv_random random = { key, 0 };
	const struct spot start = spot_at(context, name, NULL);
	const int sets = scaled(100) < 100 ? SETS / 3 : SETS;
	int changed = 0;
	for (int k = 0; k < MANY && changed < sets; k++) {
		struct spot with = start, without;
		for (int i = 0; i < 30 && spot_wander(&with, &random); i++)
			;
		without = with;
		without.history_count = 0;
		const int32_t there = literal_value(&with, 4, 0),
			      here = literal_value(&without, 4, 0);
		if (there == here)
			continue;
		changed++;
		check_history(&with, &without, "alphabeta:depth=4,iterate=0,tt=1,tt-exact=1", there,
			      here);
		check_history(&with, &without, "negascout:depth=4,tt=1,tt-exact=1", there, here);
		check_history(&with, &without, "mtdf:depth=4,tt=1,tt-exact=1", there, here);
		check_history(&with, &without, "minimax:depth=4", there, here);
	}
	assert_int_equal(changed, sets);
}

static void check_plain_tables_in(const struct qv_context *context, const char *name, uint64_t key)
{
	struct qv_random random = { key, 0 };
	const struct spot start = spot_at(context, name, NULL);
	const int sets = scaled(100) < 100 ? SETS / 3 : SETS;
	int changed = 0;
	for (int k = 0; k < MANY && changed < sets; k++) {
		struct spot with = start, without;
		for (int i = (int)qv_random_below(&random, 12); i && spot_wander(&with, &random);
		     i--)
			;
		without = with;
		without.history_count = 0;
		if (literal_value(&with, 3, 0) == literal_value(&without, 3, 0))
			continue;
		changed++;
		check_plain_table(&with, &without, "alphabeta:depth=6,iterate=0", 3);
		check_plain_table(
			&with, &without,
			"alphabeta:depth=6,iterate=0,sort=0,killers=0,history=0,keep-line=0", 3);
		check_plain_table(&with, &without, "mtdf:depth=6,iterate=0", 3);
		check_plain_table(&with, &without, "negascout:depth=6", 6);
	}
	assert_int_equal(changed, sets);
}

static void test_search_techniques__history_changes_values_and_no_table_keeps_them(void **state)
{
	check_history_in(*state, "toy-repeat", 22);
	check_history_in(*state, "toy-repeat:repeats=1,verdict=loss", 23);
	check_history_in(*state, "toy-sling", 24);
}

static void test_search_techniques__tables_forget_what_rests_on_repetition(void **state)
{
	check_plain_tables_in(*state, "toy-repeat:repeats=1", 31);
	check_plain_tables_in(*state, "toy-sling", 32);
}

/* ---- listeners ---- */

static void test_search_techniques__listeners_hear_every_node_and_leaf(void **state)
{
	struct qv_random random = { 26, 0 };
	for (int i = 0; qv_game_at(*state, i); i++)
		for (int k = (int)scaled(SETS); is_duel(qv_game_at(*state, i)) && k > 0; k--) {
			const struct spot s =
				spot_random(*state, qv_game_at(*state, i), 40, &random);
			if (s.rules.game->repeated)
				continue; /* a leaf may have ended by what is not in its state */
			for (int kind = 0; kind < MTDF; kind++) {
				struct tried t;
				const struct qv_listener listener = listen(&t, &s);
				const struct qv_limits limits = { .size = sizeof limits,
								  .depth = 1 + k % 4 };
				const struct qv_answer answer =
					think(&s, full_kinds[kind], &limits, &listener);
				assert_int_equal(t.branches, answer.nodes);
				assert_int_equal(t.nodes, answer.nodes);
				assert_int_equal(t.evaluated, answer.evals);
			}
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_techniques__the_line_leads_to_the_score),
		cmocka_unit_test(test_search_techniques__each_iteration_is_the_search_to_its_depth),
		cmocka_unit_test(test_search_techniques__a_wrong_window_is_searched_again),
		cmocka_unit_test(test_search_techniques__a_right_window_saves_nodes),
		cmocka_unit_test(test_search_techniques__sorting_saves_leaves),
		cmocka_unit_test(test_search_techniques__killers_history_and_table_save_nodes),
		cmocka_unit_test(test_search_techniques__deep_cuts_save_more_than_shallow_ones),
		cmocka_unit_test(
			test_search_techniques__quiescence_sees_the_capture_after_the_last_ply),
		cmocka_unit_test(test_search_techniques__quiescence_is_its_definition),
		cmocka_unit_test(
			test_search_techniques__razoring_off_is_alphabeta_and_on_is_smaller),
		cmocka_unit_test(
			test_search_techniques__hard_pruning_lowers_its_limit_until_a_move_is_left),
		cmocka_unit_test(test_search_techniques__top_n_looks_at_fewer_moves),
		cmocka_unit_test(test_search_techniques__top_n_is_its_definition),
		cmocka_unit_test(test_search_techniques__the_chopper_plays_an_only_move_at_once),
		cmocka_unit_test(test_search_techniques__the_kept_line_is_tried_first),
		cmocka_unit_test(
			test_search_techniques__the_kept_line_is_forgotten_after_another_reply),
		cmocka_unit_test(test_search_techniques__chance_decides_between_equals),
		cmocka_unit_test(test_search_techniques__chance_decides_between_equal_proofs),
		cmocka_unit_test(test_search_techniques__passes_are_searched),
		cmocka_unit_test(test_search_techniques__values_turn_only_when_the_seat_does),
		cmocka_unit_test(
			test_search_techniques__history_changes_values_and_no_table_keeps_them),
		cmocka_unit_test(test_search_techniques__tables_forget_what_rests_on_repetition),
		cmocka_unit_test(test_search_techniques__listeners_hear_every_node_and_leaf),
	};
	return cmocka_run_group_tests_name("search_techniques", tests, setup, teardown);
}
