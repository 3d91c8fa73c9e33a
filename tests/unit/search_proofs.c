/*
 * search_proofs.c - what a search calls proven is so: its line is played out to the end it says,
 * and its move keeps the value.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

/* Alpha-beta without a table or anything learned: slow, and nothing in it can be stale. */
#define BARE "sort=0,killers=0,history=0,keep-line=0,tt=0,quiet=0"

/*
 * Players that see position after position of a game; what they prove is so, and their move keeps
 * it.
 */
static void check_proofs(const struct qv_context *context, const char *name, int plies, int games,
			 int oracle_depth)
{
	static const char *const specs[] = {
		"minimax:depth=6",   "alphabeta:depth=9,tt=0",
		"alphabeta:depth=9", "negascout:depth=9",
		"mtdf:depth=9",	     "mtdf:depth=9,tt-exact=1",
		"mtdf:depth=9,tt=0", "negascout:depth=9,random=1,threads=2",
		"alphabeta:depth=9,stack=1,quiet=0", "maxn:depth=6",
		"paranoid:depth=7",  "brs:depth=7",
	};
	enum { SPECS = sizeof specs / sizeof *specs };
	struct qv_random random = { 25, 0 };
	const struct spot start = spot_at(context, name, NULL);
	int proofs = 0;
	for (int k = 0; k < scaled(games) * SPECS; k++) {
		const char *spec = specs[k % SPECS];
		struct qv_player *player = player_new(&start, spec);
		struct spot s = start;
		for (int i = 0; i < plies && spot_wander(&s, &random); i++)
			;
		do {
			const struct qv_limits limits = limits_at(&s);
			const struct qv_answer answer = ask(player, &s, &limits, NULL);
			assert_proof_shown(&s, &answer, spec);
			if (!answer.proven)
				continue;
			char text[QV_POSITION_TEXT];
			const struct qv_answer oracle = think_only(&s, "alphabeta:depth=40," BARE,
								   oracle_depth, answer.move);
			proofs++;
			if (oracle.proven && oracle.score != answer.score)
				fail_msg("%s proves %d, its move is worth %d, at %s", spec,
					 (int)answer.score, (int)oracle.score, spot_text(&s, text));
		} while (spot_wander(&s, &random));
		qv_player_free(player);
	}
	assert_true(proofs > 0);
}

static void test_search_proofs__proofs_in_noughts_are_played_out(void **state)
{
	check_proofs(*state, "noughts", 2, 40, 9);
}

static void test_search_proofs__proofs_in_connect4_are_played_out(void **state)
{
	check_proofs(*state, "connect4", 28, 6, 14);
}

static void test_search_proofs__proofs_in_reversi_are_played_out(void **state)
{
	check_proofs(*state, "reversi", 53, 6, 16);
}

static void test_search_proofs__proofs_in_toys_are_played_out(void **state)
{
	check_proofs(*state, "toy-quiet", 8, 15, 9);
	check_proofs(*state, "toy-counted:heaps=3,size=3", 2, 15, 9);
	check_proofs(*state, "toy-repeat", 6, 15, 8);
	check_proofs(*state, "toy-sling", 6, 15, 12);
}

/* ---- what solves, and what only estimates ---- */

/* A position after just that many random moves: so near the end that plain alpha-beta gets there. */
static struct spot wander_far(const struct spot *start, int plies, struct qv_random *random)
{
	struct spot s = *start;
	for (int i = 0; i < plies; i++)
		if (!spot_wander(&s, random)) {      /* this one would end sooner: another */
			s = *start;
			i = -1;
		}
	return s;
}

/* Whoever is to move: what the player proves is what plain alpha-beta finds at the end of the game. */
static void check_solved(const struct qv_context *context, const char *name, int plies, int games,
			 const char *spec, bool shortest)
{
	struct qv_random random = { 31, 0 };
	const struct spot start = spot_at(context, name, NULL);
	struct qv_player *player = player_new(&start, spec);
	int proofs = 0;
	for (int k = (int)scaled(games); k > 0; k--) {
		char text[QV_POSITION_TEXT];
		const struct spot s = wander_far(&start, plies, &random);
		const struct qv_answer answer = ask(player, &s, NULL, NULL);
		if (!answer.proven)
			continue;
		proofs++;
		assert_proof_shown(&s, &answer, spec);
		const struct qv_answer plain =
			think(&s, "alphabeta:depth=60,iterate=0," BARE, NULL, NULL);
		assert_true(plain.proven);
		if (shortest ? answer.score != plain.score :
			       (answer.score > 0) != (plain.score > 0) ||
				       (answer.score < 0) != (plain.score < 0))
			fail_msg("%s proves %d, it is %d, at %s", spec, (int)answer.score,
				 (int)plain.score, spot_text(&s, text));
	}
	assert_true(proofs > 0);
	qv_player_free(player);
}

static void test_search_proofs__a_perfect_player_is_perfect(void **state)
{
	check_solved(*state, "noughts", 2, 60, "perfect:tt=1", true);
	check_solved(*state, "hexapawn", 1, 60, "perfect:tt=1", true);
	check_solved(*state, "hexapawn:blocked=draw", 1, 60, "perfect:tt=1", true);
	check_solved(*state, "connect4", 32, 60, "perfect:tt=1", true);
	check_solved(*state, "reversi", 54, 40, "perfect:tt=1", false);        /* by discs */
	check_solved(*state, "toy-counted:heaps=3,size=3", 1, 40, "perfect:tt=1", true);
}

static void test_search_proofs__monte_carlo_proves_what_is_so(void **state)
{
	check_solved(*state, "noughts", 2, 60, "mcts:playouts=3000,tt=1", false);
	check_solved(*state, "hexapawn", 1, 60, "mcts:playouts=3000,tt=1", false);
	check_solved(*state, "connect4", 34, 60, "mcts:playouts=3000,tt=1", false);
}

/* They value a position in another way; what they prove is the game's own value all the same. */
static void test_search_proofs__other_values_prove_what_is_so(void **state)
{
	static const char *const specs[] = {
		"alphabeta:depth=12,ply1=1",	 "negascout:depth=12,ply1=2",
		"alphabeta:depth=12,move-eval=1,eval=material", "negascout:depth=12,exchange=1",
		"mtdf:depth=12,phases=1",
	};
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
		check_solved(*state, "reversi", 54, 30, specs[i], true);
}

/* ---- counted moves ---- */

/* Bouton 1901: whether the seat to move wins. */
static bool nim_is_won(const int *heaps, bool last_loses)
{
	const int sum = heaps[0] ^ heaps[1] ^ heaps[2], ones = heaps[0] + heaps[1] + heaps[2];
	if (last_loses && heaps[0] < 2 && heaps[1] < 2 && heaps[2] < 2)
		return ones % 2 == 0;
	return sum != 0;
}

static void test_search_proofs__counted_moves_play_nim_perfectly(void **state)
{
	static const char *const specs[] = { "alphabeta:depth=20", "negascout:depth=20",
					     "mtdf:depth=20,tt-exact=1" };
	for (int last = 0; last < 2; last++)
		for (int i = 1; i < 4 * 4 * 4; i++) {
			const int heaps[3] = { i & 3, i >> 2 & 3, i >> 4 };
			char text[64];
			snprintf(text, sizeof text, "%d %d %d 1", heaps[0], heaps[1], heaps[2]);
			const struct spot s = spot_at(*state,
						      last ? "toy-counted:size=3,last=loses"
							   : "toy-counted:size=3",
						      text);
			const struct qv_answer answer = think(&s, specs[i % 3], NULL, NULL);
			assert_true(answer.proven && is_decided(answer.score));
			assert_int_equal(answer.score > 0, nim_is_won(heaps, last));
			assert_proof_shown(&s, &answer, specs[i % 3]);
		}
}

/* ---- moves left out ---- */

/* The opponent may have had a way out among the replies that were left out. */
static void test_search_proofs__top_n_proves_only_what_is_so(void **state)
{
	struct qv_random random = { 17, 0 };
	for (int k = (int)scaled(400); k > 0; k--) {
		char text[QV_POSITION_TEXT];
		const struct spot s = spot_random(*state, qv_game_at(*state, 0), 4, &random);
		struct qv_player *player = player_new(&s, "alphabeta:depth=9,top=2");
		const struct qv_answer all =
			think(&s, "alphabeta:depth=9,iterate=0," BARE, NULL, NULL);
		for (int depth = 9; depth > 0;
		     depth -= 2) { /* and nothing that the table remembers is taken for more */
			const struct qv_limits limits = { .size = sizeof limits, .depth = depth };
			const struct qv_answer some = ask(player, &s, &limits, NULL);
			if (some.proven && some.score != all.score)
				fail_msg("top=2 to depth %d proves %d, it is %d, at %s", depth,
					 (int)some.score, (int)all.score, spot_text(&s, text));
		}
		qv_player_free(player);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search_proofs__proofs_in_noughts_are_played_out),
		cmocka_unit_test(test_search_proofs__proofs_in_connect4_are_played_out),
		cmocka_unit_test(test_search_proofs__proofs_in_reversi_are_played_out),
		cmocka_unit_test(test_search_proofs__proofs_in_toys_are_played_out),
		cmocka_unit_test(test_search_proofs__a_perfect_player_is_perfect),
		cmocka_unit_test(test_search_proofs__monte_carlo_proves_what_is_so),
		cmocka_unit_test(test_search_proofs__other_values_prove_what_is_so),
		cmocka_unit_test(test_search_proofs__counted_moves_play_nim_perfectly),
		cmocka_unit_test(test_search_proofs__top_n_proves_only_what_is_so),
	};
	return cmocka_run_group_tests_name("search_proofs", tests, setup, teardown);
}
