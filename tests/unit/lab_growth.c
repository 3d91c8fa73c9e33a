/*
 * lab_growth.c - what mcts and proof searches report of their trees: a slow copy of each tree is
 * kept beside it, and every number and every choice must follow from that copy.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include <math.h>

enum { MOST_NODES = 20000 };

/* A tree as a listener sees it. */
struct seen_node {
	int parent;
	qv_move move;
	double numbers[2];
	bool proven;
};

struct seen {
	const struct spot *root;
	struct seen_node nodes[MOST_NODES];
	int count;
	uint64_t steps, choices, bursts;
	int begins, proofs; /* reports of the root alone: before the playouts; as it is proven */
	double result[QV_MAX_SEATS]; /* sums of all playouts */
	double ucb;
	/* Proofs: the expansion whose children are being reported, and their numbers. */
	int expanded, attacker, length;
	double sum, least;
	bool attacks;
};

static int child_of(struct seen *t, int parent, qv_move move, bool add)
{
	for (int i = parent + 1; i < t->count; i++)
		if (t->nodes[i].parent == parent && t->nodes[i].move == move)
			return i;
	if (!add)
		return -1;
	assert_true(t->count < MOST_NODES);
	t->nodes[t->count] = (struct seen_node){ .parent = parent, .move = move };
	return t->count++;
}

static struct seen *seen_new(const struct spot *root)
{
	struct seen *t = calloc(1, sizeof *t);
	assert_non_null(t);
	t->root = root;
	t->count = 1;
	t->expanded = -1;
	return t;
}

/* The seat that plays the move number i of the path. */
static int mover(const struct seen *t, const qv_move *path, int i)
{
	struct spot s = *t->root;
	for (int k = 0; k < i; k++)
		s.rules.game->play(s.state, path[k]);
	return s.rules.game->seat(s.state);
}

/* ---- mcts ---- */

/* Whether the move ends the game, so that mcts knows its value without a visit. */
static bool ends(const struct spot *s, qv_move move)
{
	int32_t points[QV_MAX_SEATS];
	struct spot next = *s;
	spot_play(&next, move);
	return spot_ended(&next, points);
}

/*
 * The formula of docs/formats.md: an unvisited child first; else the highest mean + C * sqrt(ln N /
 * n). Proven children are left out.
 */
static void check_choice(struct seen *t, int parent, const qv_move *path, int at)
{
	struct spot s = *t->root;
	qv_move list[SPOT_MOVES];
	double highest = -1, chosen = -1;
	int fresh = 0;
	for (int k = 0; k < at; k++)
		spot_play(&s, path[k]);
	const int n = spot_moves(&s, list), to = child_of(t, parent, path[at], false);
	for (int i = 0; i < n; i++) {
		const int child = child_of(t, parent, list[i], false);
		fresh += child < 0 && !ends(&s, list[i]);
		if (child < 0 || t->nodes[child].proven)
			continue;
		const double *numbers = t->nodes[child].numbers;
		const double bound =
			numbers[1] + t->ucb * sqrt(log(t->nodes[parent].numbers[0]) / numbers[0]);
		highest = bound > highest ? bound : highest;
		chosen = child == to ? bound : chosen;
	}
	assert_int_equal(to<0, fresh> 0);
	assert_true(to < 0 || chosen > highest - 1e-9);
	t->choices++;
}

/* Whether this is no playout: the root alone is reported before them, and once it is proven. */
static bool is_root_alone(const struct qv_growth *g)
{
	if (g->result)
		return false;
	assert_int_equal(g->length, 0);
	assert_int_equal(g->count, 1);
	assert_int_equal(g->attacker, -1);
	assert_true(g->numbers[0][0] == 0);
	return true;
}

static void on_playout(void *ctx, const struct qv_growth *g)
{
	struct seen *t = ctx;
	int node = 0;
	if (is_root_alone(g))
		return;
	t->steps++;
	t->ucb = g->ucb;
	assert_int_equal(g->count, g->length + 1);
	assert_int_equal(g->attacker, -1);
	for (int i = 0; i <= g->length; i++) {
		/* The root's children are expanded at the beginning, so two plies may be new. */
		if (i < g->length && t->nodes[node].numbers[0] > 0 && i < 2)
			check_choice(t, node, g->path, i);
		const bool old = t->nodes[node].numbers[0] > 0;
		t->nodes[node].numbers[0]++;
		assert_true(g->numbers[i][0] == t->nodes[node].numbers[0]);
		if (i == g->length)
			assert_int_equal(g->added, !old);
		/* The reported mean is the old one with the result added. */
		const double n = g->numbers[i][0], before = t->nodes[node].numbers[1];
		const int seat = mover(t, g->path, i ? i - 1 : 0);
		assert_true(fabs(g->numbers[i][1] - (before * (n - 1) + g->result[seat]) / n) <
			    1e-9);
		t->nodes[node].numbers[1] = g->numbers[i][1];
		if (i < g->length)
			node = child_of(t, node, g->path[i], true);
	}
}

/* Where proofs correct the means, these are taken as they are reported. */
static void on_playout_with_proofs(void *ctx, const struct qv_growth *g)
{
	struct seen *t = ctx;
	int node = 0;
	if (is_root_alone(g))
		return;
	t->steps++;
	t->ucb = g->ucb;
	for (int i = 0; i <= g->length; i++) {
		/* The children of the root are expanded, and may be proven, before any visit. */
		if (i > 0 && i < g->length && t->nodes[node].numbers[0] > 0)
			check_choice(t, node, g->path, i);
		if (i < g->length)
			node = child_of(t, node, g->path[i], true);
	}
	for (int i = g->length; i >= 0; i--, node = t->nodes[node].parent) {
		assert_false(t->nodes[node].proven); /* it would not be visited again */
		memcpy(t->nodes[node].numbers, g->numbers[i], sizeof t->nodes[node].numbers);
		t->nodes[node].proven = g->proven[i];
	}
}

static struct qv_answer answer_of(const struct spot *s, const char *spec,
				  const struct qv_listener *l)
{
	struct qv_player *player = player_new(s, spec);
	struct qv_answer answer = { .size = sizeof answer };
	const struct qv_limits limits = limits_at(s);
	assert_int_equal(qv_player_think(player, s->state, &limits, l, &answer, NULL), QV_OK);
	qv_player_free(player);
	return answer;
}

static void assert_same_answer(const struct qv_answer *a, const struct qv_answer *b)
{
	assert_int_equal(a->move, b->move);
	assert_int_equal(a->score, b->score);
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->line_length, b->line_length);
	assert_memory_equal(a->line, b->line, (size_t)a->line_length * sizeof *a->line);
}

/* Far from any end there are no proofs, and everything follows from the formula. */
static void test_growth__every_playout_follows_from_the_formula(void **state)
{
	const struct spot s = spot_at(*state, "connect4", NULL);
	struct seen *t = seen_new(&s);
	const struct qv_listener listener = { .size = sizeof listener,
					      .growth = on_playout,
					      .ctx = t };
	const char *spec = "mcts:playouts=400,explore=90,book=none";
	const struct qv_answer with = answer_of(&s, spec, &listener),
			       without = answer_of(&s, spec, NULL);
	assert_same_answer(&with, &without);
	assert_int_equal(t->steps, 400);
	assert_true(t->ucb == 0.9);
	assert_true(t->choices > 350);
	/* The move with the most visits is played, and its mean is the score. */
	const double *best = t->nodes[child_of(t, 0, with.move, false)].numbers;
	for (int i = 1; i < t->count; i++)
		assert_true(t->nodes[i].parent || t->nodes[i].numbers[0] <= best[0]);
	assert_int_equal(with.score, (int)floor((2 * best[1] - 1) * 1000 + 0.5));
	free(t);
}

static void test_growth__what_is_proven_is_left_out(void **state)
{
	struct spot s = spot_at(*state, "noughts", NULL);
	spot_play_text(&s, "5 1");
	struct seen *t = seen_new(&s);
	int proven = 0;
	const struct qv_listener listener = { .size = sizeof listener,
					      .growth = on_playout_with_proofs,
					      .ctx = t };
	answer_of(&s, "mcts:playouts=600", &listener);
	for (int i = 0; i < t->count; i++)
		proven += t->nodes[i].proven;
	assert_true(t->choices > 200);
	assert_true(proven > 20);
	free(t);
}

static void on_any_playout(void *ctx, const struct qv_growth *g)
{
	struct seen *t = ctx;
	if (is_root_alone(g)) {
		t->begins += !g->proven[0];
		t->proofs += g->proven[0];
		return;
	}
	t->steps++;
	assert_true(g->numbers[0][0] == (double)t->steps);
	/* A proven root has an exact value. */
	assert_true(!g->proven[0] || g->numbers[0][1] == 0 || g->numbers[0][1] == 0.5 ||
		    g->numbers[0][1] == 1 || t->root->rules.game->seats != 2 ||
		    t->root->rules.game->stakes);
	for (int i = 1; i <= g->length; i++)
		assert_true(g->numbers[i][0] >= 1 && g->numbers[i][0] <= g->numbers[i - 1][0]);
	for (int seat = 0; seat < t->root->rules.game->seats; seat++)
		t->result[seat] += g->result[seat];
	/* At the root the mean is that of the seat to move, unless a proof has corrected it. */
	const int seat = t->root->rules.game->seat(t->root->state);
	if (t->root->rules.game->chance)
		assert_true(fabs(g->numbers[0][1] - t->result[seat] / (double)t->steps) < 1e-6);
}

/* Dice, more seats, one seat, repetition, plug-ins. */
static void test_growth__a_listener_changes_no_playout_of_any_game(void **state)
{
	const struct qv_context *context = *state;
	struct qv_random random = { 5, 0 };
	int games = 0;
	for (int i = 0; qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		struct spot s = spot_random(context, game, 6, &random);
		if (game->state_size > SPOT_STATE || game->seat(s.state) == QV_CHANCE)
			continue;
		struct seen *t = seen_new(&s);
		const struct qv_listener listener = { .size = sizeof listener,
						      .growth = on_any_playout,
						      .ctx = t };
		const struct qv_answer with = answer_of(&s, "mcts:playouts=60,book=none",
							&listener),
				       without = answer_of(&s, "mcts:playouts=60,book=none", NULL);
		assert_same_answer(&with, &without);
		assert_true(t->steps <= 60 && (t->steps == 60 || with.proven));
		assert_int_equal(t->begins, 1);
		assert_int_equal(t->proofs, with.proven && !t->steps);
		games++;
		free(t);
	}
	assert_true(games > 8);
}

/* ---- proofs ---- */

/* The numbers of an expanded node are the minimum and the sum of its children's. */
static void finish_burst(struct seen *t)
{
	if (t->expanded < 0)
		return;
	const double *numbers = t->nodes[t->expanded].numbers;
	assert_true(numbers[t->attacks ? 0 : 1] == t->least);
	assert_true(numbers[t->attacks ? 1 : 0] == t->sum);
	t->expanded = -1;
	t->bursts++;
}

static void on_expansion(void *ctx, const struct qv_growth *g)
{
	struct seen *t = ctx;
	int node = 0, parent = -1;
	t->steps++;
	assert_null(g->result);
	if (t->steps == 1 || g->attacker != t->attacker)
		t->count = 1; /* the other seat's proof is a tree of its own */
	if (!g->added || g->attacker != t->attacker || !g->length)
		finish_burst(t);
	t->attacker = g->attacker;
	for (int i = 0; i < g->length; i++) {
		parent = node;
		node = child_of(t, node, g->path[i], true);
	}
	const double *last = g->numbers[g->length];
	if (g->added && g->length) {
		/* A child: its parent was the node of the step before. */
		if (t->expanded < 0) {
			t->expanded = parent;
			t->length = g->length;
			t->attacks = mover(t, g->path, g->length - 1) == g->attacker;
			t->sum = 0;
			t->least = INFINITY;
		}
		assert_int_equal(parent, t->expanded);
		const double one = last[t->attacks ? 0 : 1], other = last[t->attacks ? 1 : 0];
		t->least = one < t->least ? one : t->least;
		t->sum += other;
	}
	for (int i = g->length, at = node; at >= 0; i--, at = t->nodes[at].parent) {
		/* Decided for one side is impossible for the other. */
		assert_true((g->numbers[i][0] == 0) == isinf(g->numbers[i][1]));
		assert_true((g->numbers[i][1] == 0) == isinf(g->numbers[i][0]));
		memcpy(t->nodes[at].numbers, g->numbers[i], sizeof t->nodes[at].numbers);
		if (!at)
			break;
	}
}

static void check_proof(const struct spot *s, struct seen *t, bool alone)
{
	const struct qv_listener listener = { .size = sizeof listener,
					      .growth = on_expansion,
					      .ctx = t };
	struct qv_solution found[2] = { { .size = sizeof *found }, { .size = sizeof *found } };
	for (int i = 0; i < 2; i++) {
		struct qv_solver *solver = NULL;
		const struct qv_solve_limits limits = { .size = sizeof limits,
							.listener = i ? &listener : NULL };
		assert_int_equal(qv_solver_new_by(s->context, &s->rules, QV_BY_PROOF, 1 << 20,
						  &solver, NULL),
				 QV_OK);
		assert_int_equal(qv_solver_solve(solver, s->state, &limits, &found[i], NULL),
				 QV_OK);
		qv_solver_free(solver);
	}
	finish_burst(t);
	assert_int_equal(found[0].value, found[1].value);
	assert_int_equal(found[0].move, found[1].move);
	assert_int_equal(found[0].nodes, found[1].nodes);
	assert_true(t->steps > 0 && t->bursts > 0);
	/* The last numbers of the root are the answer to the last question. */
	const int seat = s->rules.game->seat(s->state);
	const bool won = t->nodes[0].numbers[0] == 0;
	assert_true(won || !alone || t->nodes[0].numbers[1] == 0);
	if (found[0].value == QV_VALUE_DRAW)
		assert_false(won);
	else
		assert_int_equal(won ? t->attacker : 1 - t->attacker,
				 found[0].value == QV_VALUE_WIN ? seat : 1 - seat);
}

static void test_growth__proof_numbers_are_minima_and_sums(void **state)
{
	static const char *const games[] = { "hexapawn", "noughts", "toy-repeat" };
	struct qv_random random = { 3, 0 };
	for (size_t i = 0; i < sizeof games / sizeof *games; i++)
		for (int k = 0; k < 12; k++) {
			struct spot s = spot_at(*state, games[i], NULL);
			for (int plies = i == 1 ? 3 : k % 3; plies > 0; plies--)
				spot_wander(&s, &random);
			struct seen *t = seen_new(&s);
			check_proof(&s, t, i < 2);
			free(t);
		}
}

/* perfect passes its listener to the search for the value of the root only. */
static void on_step(void *ctx, const struct qv_growth *g)
{
	struct seen *t = ctx;
	struct spot s = *t->root;
	t->steps++;
	for (int i = 0; i < g->length; i++) {
		assert_true(qv_move_legal(s.rules.game, s.state, g->path[i]));
		spot_play(&s, g->path[i]);
	}
}

static void test_growth__perfect_can_be_followed(void **state)
{
	struct spot s = spot_at(*state, "noughts3d", NULL);
	spot_play_text(&s, "a1A b2B a2A c3C");
	struct seen *t = seen_new(&s);
	const struct qv_listener listener = { .size = sizeof listener,
					      .growth = on_step,
					      .ctx = t };
	const char *spec = "perfect:nodes=20000";
	const struct qv_answer with = answer_of(&s, spec, &listener),
			       without = answer_of(&s, spec, NULL);
	assert_int_equal(with.move, without.move);
	assert_int_equal(with.score, without.score);
	assert_int_equal(with.nodes, without.nodes);
	assert_true(t->steps > 0);
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growth__every_playout_follows_from_the_formula),
		cmocka_unit_test(test_growth__what_is_proven_is_left_out),
		cmocka_unit_test(test_growth__a_listener_changes_no_playout_of_any_game),
		cmocka_unit_test(test_growth__proof_numbers_are_minima_and_sums),
		cmocka_unit_test(test_growth__perfect_can_be_followed),
	};
	return cmocka_run_group_tests_name("lab_growth", tests, setup, teardown);
}
