/*
 * lurgee.c - the player `lurgee` does what the Lurgee framework's release does: its published
 * counts, a literal search beside it, its openings and its lists by chance.
 * SPDX-License-Identifier: MIT
 */
#include "support/search.h"

#include "support/lurgee.h"

static const char *const names[] = { "reversi", "connect4", "morris" };
enum { GAMES = 3 };

/* ---- the release's counts ---- */

struct counts {
	int evals, moves;
};

struct row {
	int game, depth, score;
	const char *best;
	struct counts negamax, negascout, iterative;
};

static const struct row rows[] = {
	{ 0, 1, -56, "e6", { 4, 4 }, { 4, 4 }, { 4, 4 } },
	{ 0, 2, 0, "e6", { 7, 11 }, { 7, 11 }, { 11, 15 } },
	{ 0, 3, -14, "e6", { 31, 42 }, { 32, 43 }, { 42, 57 } },
	{ 0, 4, 14, "e6", { 77, 127 }, { 85, 139 }, { 93, 155 } },
	{ 0, 5, -14, "e6", { 371, 499 }, { 339, 472 }, { 341, 510 } },
	{ 0, 6, 0, "e6", { 1022, 1534 }, { 846, 1295 }, { 861, 1375 } },
	{ 1, 1, 14, "4", { 7, 7 }, { 7, 7 }, { 7, 7 } },
	{ 1, 2, -6, "4", { 13, 20 }, { 13, 20 }, { 26, 33 } },
	{ 1, 3, 18, "4", { 55, 75 }, { 55, 75 }, { 81, 108 } },
	{ 1, 4, -4, "4", { 97, 172 }, { 97, 172 }, { 178, 280 } },
	{ 1, 5, 12, "4", { 419, 595 }, { 399, 575 }, { 614, 921 } },
	{ 1, 6, 0, "4", { 701, 1266 }, { 691, 1256 }, { 1466, 2376 } },
	{ 2, 1, 424, "b4", { 24, 24 }, { 24, 24 }, { 24, 24 } },
	{ 2, 2, -256, "b4", { 46, 70 }, { 46, 70 }, { 70, 94 } },
	{ 2, 3, 424, "b4", { 550, 620 }, { 550, 620 }, { 620, 714 } },
};

static void must_count(const struct spot *s, const char *spec, const struct row *row,
		       struct counts expected)
{
	char text[QV_MOVE_TEXT];
	const struct qv_answer a = think(s, spec, NULL, NULL);
	if (strcmp(move_text(s, a.move, text), row->best) != 0 || a.score != row->score ||
	    a.evals != (uint64_t)expected.evals || a.considered != (uint64_t)expected.moves)
		fail_msg("%s %s: %s, score %d, evals %d, moves %d", names[row->game], spec, text,
			 (int)a.score, (int)a.evals, (int)a.considered);
	assert_int_equal(a.nodes, a.considered);
	assert_int_equal(a.depth, row->depth);
}

static void test_lurgee__the_counts_of_the_release_come_out(void **state)
{
	char spec[128];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *row = &rows[i];
		const struct spot s = spot_at(*state, names[row->game], NULL);
		const char *common = "eval=lurgee22,book=none";
		snprintf(spec, sizeof spec, "lurgee:%s,iterate=0,killers=0,search=negamax,depth=%d",
			 common, row->depth);
		must_count(&s, spec, row, row->negamax);
		snprintf(spec, sizeof spec,
			 "lurgee:%s,iterate=0,killers=0,search=negascout,depth=%d", common,
			 row->depth);
		must_count(&s, spec, row, row->negascout);
		snprintf(spec, sizeof spec, "lurgee:%s,killers=%d,depth=%d", common,
			 row->game == 2 ? 5 : 4, row->depth);
		must_count(&s, spec, row, row->iterative);
	}
}

static void test_lurgee__iterating_costs_connect4_more_than_it_saves(void **state)
{
	const struct spot s = spot_at(*state, "connect4", NULL);
	assert_int_equal(think(&s, "lurgee:eval=lurgee22,book=none,depth=10", NULL, NULL).evals,
			 214675);
	assert_int_equal(think(&s, "lurgee:eval=lurgee22,book=none,depth=10,iterate=0,killers=0",
			       NULL, NULL).evals,
			 98597);
}

static uint64_t leaves(const struct spot *s, int depth)
{
	uint64_t count = 0;
	struct qv_error error = { "" };
	const struct qv_perft_limits limits = { .size = sizeof limits, .depth = depth };
	if (qv_perft(s->context, s->rules.game, s->state, &limits, &count, &error) != QV_OK)
		fail_msg("%s", error.text);
	return count;
}

/* The games are the framework's: it counts as many leaves. No game ends within these depths but in
 * connect-four at 7 plies, where a finished one counts as a leaf. */
static void test_lurgee__the_games_are_the_frameworks(void **state)
{
	static const uint64_t expected[GAMES][8] = {
		{ 4, 12, 56, 244, 1396, 8200, 55092 },
		{ 7, 49, 343, 2401, 16807, 117649, 823536 },
		{ 24, 552, 12144, 255024 },
	};
	for (int g = 0; g < GAMES; g++)
		for (int depth = 1; expected[g][depth - 1]; depth++) {
			const struct spot s = spot_at(*state, names[g], NULL);
			assert_int_equal(leaves(&s, depth), expected[g][depth - 1]);
		}
}

/* ---- beside the literal search ---- */

static const char *const evals[] = { "lurgee", "lurgee22", "alternative", "greed" };

struct attempt {
	int game, eval, depth, killers;
	bool negascout, iterate;
	int threshold;
};

static struct attempt any_attempt(int game, struct qv_random *random)
{
	struct attempt a = { .game = game,
			     .eval = (int)qv_random_below(random, game ? 3 : 4),
			     .depth = 1 + (int)qv_random_below(random, game == 2 ? 3 : 4),
			     .killers = (int)qv_random_below(random, 9),
			     .negascout = qv_random_below(random, 2),
			     .iterate = qv_random_below(random, 2) };
	if (a.iterate && qv_random_below(random, 2))
		a.threshold = 1 + (int)qv_random_below(random, 300);
	return a;
}

static void attempt_spec(const struct attempt *a, char *out, size_t size)
{
	char limit[32] = "";
	if (a->threshold)
		snprintf(limit, sizeof limit, ",evals=%d", a->threshold);
	snprintf(out, size, "lurgee:book=none,eval=%s,depth=%d,killers=%d,search=%s,iterate=%d%s",
		 evals[a->eval], a->depth, a->killers, a->negascout ? "negascout" : "negamax",
		 a->iterate, limit);
}

static struct plain_search literal(const struct spot *s, const struct attempt *a)
{
	char text[QV_POSITION_TEXT];
	struct plain_search p = { .game = &plain_games[a->game], .eval = a->eval,
				  .killers = a->killers, .negascout = a->negascout,
				  .threshold = a->threshold };
	p.game->read(&p.start, spot_text(s, text));
	if (a->iterate)
		plain_iterate(&p, a->depth);
	else
		plain_pass(&p, a->depth);
	return p;
}

static void compare(const struct spot *s, const struct attempt *a)
{
	char spec[160], text[QV_POSITION_TEXT], ours[QV_MOVE_TEXT], theirs[QV_MOVE_TEXT] = "";
	attempt_spec(a, spec, sizeof spec);
	const struct qv_answer answer = think(s, spec, NULL, NULL);
	const struct plain_search p = literal(s, a);
	if (p.found)
		p.game->text(&p.best, theirs);
	if ((p.found && (strcmp(move_text(s, answer.move, ours), theirs) != 0 ||
			 answer.score != p.score)) ||
	    answer.evals != (uint64_t)p.evals || answer.considered != (uint64_t)p.moves)
		fail_msg("%s at %s: %s %d, %d evals, %d moves; literally %s %d, %ld, %ld", spec,
			 spot_text(s, text), ours, (int)answer.score, (int)answer.evals,
			 (int)answer.considered, theirs, p.score, p.evals, p.moves);
}

static void test_lurgee__it_is_the_literal_search_anywhere(void **state)
{
	static const int longest[GAMES] = { 59, 40, 70 };
	struct qv_random random = { 2008, 0 };
	for (int g = 0; g < GAMES; g++) {
		const struct spot start = spot_at(*state, names[g], NULL);
		for (int64_t left = scaled(250); left > 0; left--) {
			const struct spot s =
				spot_random(*state, start.rules.game, longest[g], &random);
			const struct attempt a = any_attempt(g, &random);
			int32_t points[QV_MAX_SEATS];
			if (!spot_ended(&s, points))
				compare(&s, &a);
		}
	}
}

/* Positions where somebody flies, or quiet shifts come to an end, are rare in random play. */
static void test_lurgee__morris_is_literal_to_the_end(void **state)
{
	static const char *const texts[] = {
		"W.....B..W...W.B....B... W 0 0 0", "W.....B..W...W.B....B... B 0 0 18",
		"WWW...B..W...W.B..B.B... W 0 0 17", "WW..B.B..W.B.W.B..B.B..W W 0 0 19",
		".W..B.BW.W.B.W.B..B.B..W B 0 0 18",
	};
	struct qv_random random = { 9, 0 };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (int64_t left = scaled(12); left > 0; left--) {
			const struct spot s = spot_at(*state, "morris", texts[i]);
			const struct attempt a = any_attempt(2, &random);
			compare(&s, &a);
		}
}

/* ---- limits ---- */

static void test_lurgee__the_limit_counts_all_iterations(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	/* 4, 11, 42, 93, 341, 861: an iteration that ends just there is whole. */
	static const struct {
		int evals, depth, done;
	} cases[] = {
		{ 1, 1, 4 }, { 4, 1, 4 }, { 10, 1, 10 }, { 11, 2, 11 }, { 12, 2, 12 },
		{ 41, 2, 41 },
		{ 42, 3, 42 }, { 92, 3, 92 }, { 93, 4, 93 }, { 860, 5, 860 }, { 861, 6, 861 },
		{ 900, 6, 861 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char spec[80];
		snprintf(spec, sizeof spec, "lurgee:eval=lurgee22,book=none,depth=6,evals=%d",
			 cases[i].evals);
		const struct qv_answer a = think(&s, spec, NULL, NULL);
		assert_int_equal(a.depth, cases[i].depth);
		assert_int_equal(a.evals, cases[i].done);
		assert_int_equal(a.score, rows[cases[i].depth - 1].score);
	}
}

static void test_lurgee__callers_limits_hold(void **state)
{
	struct qv_random random = { 5, 0 };
	for (int g = 0; g < GAMES; g++)
		for (uint64_t nodes = 1; nodes < 3000; nodes = nodes * 3 + 1) {
			const struct spot start = spot_at(*state, names[g], NULL);
			const struct spot s = spot_random(*state, start.rules.game, 12, &random);
			struct qv_limits limits = limits_at(&s);
			qv_move list[SPOT_MOVES];
			bool legal = false;
			limits.nodes = nodes;
			const struct qv_answer a =
				think(&s, "lurgee:depth=8,book=none", &limits, NULL);
			assert_true(a.nodes <= nodes);
			for (int n = spot_moves(&s, list); n > 0; n--)
				legal |= list[n - 1] == a.move;
			assert_true(legal);
		}
}

static void test_lurgee__only_moves_that_are_allowed(void **state)
{
	for (int g = 0; g < GAMES; g++) {
		const struct spot s = spot_at(*state, names[g], NULL);
		qv_move list[SPOT_MOVES];
		for (int n = spot_moves(&s, list); n > 0; n--) {
			struct qv_limits limits = limits_at(&s);
			limits.only = &list[n - 1];
			limits.only_count = 1;
			assert_int_equal(think(&s, "lurgee:depth=2", &limits, NULL).move,
					 list[n - 1]);
		}
	}
}

/* Who must pass does, for a ply; the framework itself had no answer there. */
static void test_lurgee__passes(void **state)
{
	const struct spot s = spot_at(
		*state, "reversi",
		"-------O-------O-------OOOOOOOOX---OO--------------------------- X");
	char text[QV_MOVE_TEXT];
	for (int depth = 1; depth <= 5; depth++)
		for (int iterate = 0; iterate < 2; iterate++) {
			const struct attempt a = { .eval = depth % 4, .depth = depth, .killers = 3,
						   .negascout = true, .iterate = iterate };
			char spec[64];
			compare(&s, &a);
			snprintf(spec, sizeof spec, "lurgee:depth=%d,iterate=%d", depth, iterate);
			const struct qv_answer answer = think(&s, spec, NULL, NULL);
			assert_string_equal(move_text(&s, answer.move, text), "pass");
		}
	/* Else the line ends there: only the leaf is looked at. */
	assert_int_equal(think(&s, "lurgee:depth=5,iterate=0,bye=0", NULL, NULL).evals, 1);
}

/* ---- chance ---- */

/* How often each of the replies was played, over many seeds. */
static void draw(const struct spot *s, const char *spec, int tries, const char *const *replies,
		 int *counts)
{
	for (int seed = 1; seed <= tries; seed++) {
		char text[QV_MOVE_TEXT];
		struct qv_error error = { "" };
		struct qv_player *player = NULL;
		const struct qv_defaults defaults = {
			.size = sizeof defaults, .seed = (uint64_t)seed, .threads = 1, .hash_mb = 1
		};
		if (qv_player_new(s->context, &s->rules, spec, &defaults, &player, &error) != QV_OK)
			fail_msg("%s", error.text);
		struct qv_limits limits = limits_at(s);
		const struct qv_answer a = ask(player, s, &limits, NULL);
		int i = 0;
		while (replies[i] && strcmp(replies[i], move_text(s, a.move, text)) != 0)
			i++;
		if (!replies[i])
			fail_msg("%s: %s was not expected", spec, text);
		counts[i]++;
		qv_player_free(player);
	}
}

/* odds: in percent; chi-square with up to 3 degrees of freedom, 0.1 %: 16.27. */
static void must_draw(const struct spot *s, const char *spec, const char *const *replies,
		      const double *odds)
{
	enum { TRIES = 4000 };
	int counts[8] = { 0 };
	double sum = 0;
	draw(s, spec, TRIES, replies, counts);
	for (int i = 0; replies[i]; i++) {
		const double expected = odds[i] / 100 * TRIES;
		if (odds[i] > 0)
			sum += (counts[i] - expected) * (counts[i] - expected) / expected;
		else
			assert_int_equal(counts[i], 0);
	}
	if (sum > 16.27)
		fail_msg("%s: %d %d %d %d, chi-square %f", spec, counts[0], counts[1], counts[2],
			 counts[3], sum);
}

static struct spot after(const struct qv_context *context, const char *game, const char *move)
{
	struct spot s = spot_at(context, game, NULL);
	qv_move list[SPOT_MOVES];
	char text[QV_MOVE_TEXT];
	for (int n = spot_moves(&s, list); n > 0; n--)
		if (strcmp(move_text(&s, list[n - 1], text), move) == 0) {
			spot_play(&s, list[n - 1]);
			return s;
		}
	fail_msg("%s: no move of %s", move, game);
	return s;
}

static void test_lurgee__reversi_opens_by_its_odds(void **state)
{
	/* parallel, diagonal, perpendicular */
	static const char *const openings[][5] = {
		{ "d3", "e3", "c3", "c5", NULL }, { "c4", "c5", "c3", "e3", NULL },
		{ "f5", "f4", "f6", "d6", NULL }, { "e6", "d6", "f6", "f4", NULL },
	};
	static const struct {
		const char *spec;
		double odds[3];
	} cases[] = {
		{ "lurgee:depth=3,eval=lurgee", { 100 / 9.0, 300 / 9.0, 500 / 9.0 } },
		{ "lurgee:depth=4,eval=lurgee", { 0, 300 / 9.0, 600 / 9.0 } },
		{ "lurgee:depth=3,eval=lurgee22", { 10, 30, 60 } },
		{ "lurgee:depth=4,eval=lurgee22", { 0, 30, 70 } },
	};
	for (int i = 0; i < 4; i++) {
		const struct spot s = after(*state, "reversi", openings[i][0]);
		must_draw(&s, cases[i].spec, openings[i] + 1, cases[i].odds);
		assert_int_equal(think(&s, "lurgee:depth=3", NULL, NULL).evals, 0);
		assert_true(think(&s, "lurgee:depth=3,book=none", NULL, NULL).evals > 0);
	}
}

static void test_lurgee__connect4_opens_by_its_odds(void **state)
{
	static const char *const four[] = { "4", NULL }, *const rest[] = { "1", "2", "7", NULL },
			  *const outer[] = { "1", "2", "6", "7", NULL };
	static const double sure[] = { 100 }, quarters[] = { 25, 25, 25, 25 },
			    thirds[] = { 100 / 3.0, 100 / 3.0, 100 / 3.0 };
	const struct spot start = spot_at(*state, "connect4", NULL);
	const struct spot middle = after(*state, "connect4", "4");
	const struct spot sixth = after(*state, "connect4", "6");
	must_draw(&start, "lurgee", four, sure);
	must_draw(&middle, "lurgee", outer, quarters);
	must_draw(&sixth, "lurgee:eval=lurgee22", rest, thirds);
}

/* All first moves of reversi are worth the same: chance alone decides, and decides evenly. */
static void test_lurgee__equal_moves_come_by_chance(void **state)
{
	static const char *const first[] = { "d3", "c4", "f5", "e6", NULL };
	static const double quarters[] = { 25, 25, 25, 25 };
	const struct spot s = spot_at(*state, "reversi", NULL);
	must_draw(&s, "lurgee:depth=1,random=1", first, quarters);
	must_draw(&s, "lurgee:depth=2,random=1,killers=0", first, quarters);
}

/* A game that begins anew begins with the same random numbers. */
static void test_lurgee__the_same_seed_plays_the_same_game(void **state)
{
	static const char *const specs[] = { "lurgee:depth=3,random=1", "level:2,ladder=lurgee22" };
	for (int g = 0; g < GAMES; g++)
		for (int k = 0; k < 2; k++) {
			const struct spot start = spot_at(*state, names[g], NULL);
			struct qv_player *player = player_new(&start, specs[k]);
			qv_move played[2][7];
			for (int round = 0; round < 2; round++) {
				struct spot s = start;
				qv_player_new_game(player);
				for (int ply = 0; ply < 7; ply++) {
					struct qv_limits limits = limits_at(&s);
					const struct qv_answer a = ask(player, &s, &limits, NULL);
					played[round][ply] = a.move;
					spot_play(&s, a.move);
				}
			}
			assert_memory_equal(played[0], played[1], sizeof played[0]);
			qv_player_free(player);
		}
}

/* What the listener hears of is what is counted. */
struct heard {
	uint64_t branches, nodes, leaves;
};

static void hear_branch(void *ctx, const void *state, qv_move move, int ply, int32_t alpha,
			int32_t beta)
{
	(void)state, (void)move, (void)ply;
	assert_true(alpha < beta);
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

static void test_lurgee__listeners_hear_all_of_it(void **state)
{
	for (int g = 0; g < GAMES; g++) {
		const struct spot s = spot_at(*state, names[g], NULL);
		struct heard heard = { 0, 0, 0 };
		const struct qv_listener listener = { .size = sizeof listener,
						      .branch = hear_branch,
						      .node = hear_node,
						      .leaf = hear_leaf,
						      .ctx = &heard };
		const struct qv_answer a = think(&s, "lurgee:depth=3,book=none", NULL, &listener);
		assert_int_equal(heard.branches, a.considered);
		assert_int_equal(heard.nodes, a.considered);
		assert_int_equal(heard.leaves, a.evals);
	}
}

/* ---- weights, names, ladders ---- */

static void must_refuse(const struct spot *s, const char *spec, enum qv_status expected,
			const char *start)
{
	struct qv_error error = { "" };
	struct qv_player *player = NULL;
	assert_int_equal(qv_player_new(s->context, &s->rules, spec, NULL, &player, &error),
			 expected);
	assert_null(player);
	if (strncmp(error.text, start, strlen(start)) != 0)
		fail_msg("%s: '%s' does not begin with '%s'", spec, error.text, start);
}

static void test_lurgee__what_is_wrong_is_said(void **state)
{
	const struct spot s = spot_at(*state, "reversi", NULL);
	const struct spot noughts = spot_at(*state, "noughts", NULL);
	must_refuse(&s, "lurgee:eval=material", QV_UNKNOWN, "eval=material: reversi has no such");
	must_refuse(&s, "lurgee:search=mtdf", QV_UNKNOWN,
		    "search=mtdf: expected one of negamax|negascout");
	must_refuse(&s, "lurgee:search=", QV_UNKNOWN, "search=: expected one of");
	must_refuse(&s, "lurgee:book=", QV_BAD_INPUT, "book=: expected 1 to ");
	must_refuse(&s, "lurgee:time=1s", QV_UNKNOWN, "player lurgee: no option 'time'");
	must_refuse(&s, "lurgee:iterate=0,evals=5", QV_UNSUPPORTED, "player lurgee: evals=5 needs");
	must_refuse(&s, "lurgee:weight=discs[6]:1", QV_BAD_INPUT, "weight discs[6]");
	must_refuse(&s, "alphabeta:eval=lurgee", QV_UNKNOWN, "eval=lurgee: reversi has no such");
	must_refuse(&s, "level:7,ladder=lurgee", QV_UNKNOWN, "level 7: reversi has levels 1 to 6");
	must_refuse(&s, "level:1,ladder=other", QV_UNKNOWN, "ladder=other: expected one of own|lurgee|");
	must_refuse(&noughts, "lurgee", QV_UNSUPPORTED,
		    "player lurgee: not available for noughts; it plays ");
	must_refuse(&noughts, "level:1,ladder=lurgee22", QV_UNSUPPORTED, "player level: ladder");
}

/* The tables differ only in weights: one becomes the other by a file. */
static void test_lurgee__weights_make_one_evaluator_of_another(void **state)
{
	struct qv_random random = { 88, 0 };
	char path[] = "lurgee-weights-XXXXXX", spec[160];
	FILE *file = fdopen(mkstemp(path), "w");
	assert_non_null(file);
	fputs("discs = 1 1 1 1 1\npotential = 0 0 0 0 0\nmobility = 0 0 0 0 0\n"
	      "corners = 0 0 0 0 0\nedges = 0 0 0 0 0 # none\nx-squares = 0 0 0 0 0\n", file);
	assert_int_equal(fclose(file), 0);
	snprintf(spec, sizeof spec, "lurgee:eval=lurgee22,depth=3,book=none,weights=%s", path);
	const struct spot start = spot_at(*state, "reversi", NULL);
	for (int k = 0; k < 20; k++) {
		const struct spot s = spot_random(*state, start.rules.game, 30, &random);
		const struct qv_answer a = think(&s, spec, NULL, NULL);
		const struct qv_answer b =
			think(&s, "lurgee:eval=greed,depth=3,book=none", NULL, NULL);
		assert_int_equal(a.move, b.move);
		assert_int_equal(a.score, b.score);
		assert_int_equal(a.evals, b.evals);
	}
	assert_int_equal(remove(path), 0);
	assert_int_equal(
		think(&start, "lurgee:depth=1,eval=greed,weight=discs[1]:7", NULL, NULL).score, 21);
}

/* The ladders of the documents and of the release, as players. */
static void test_lurgee__ladders(void **state)
{
	static const struct {
		const char *level;
		int game, evals;
	} cases[] = {
		{ "level:1,ladder=lurgee", 0, 250 },   { "level:2,ladder=lurgee", 0, 1000 },
		{ "level:1,ladder=lurgee22", 0, 200 }, { "level:2,ladder=lurgee22", 0, 500 },
		{ "level:4,ladder=lurgee22", 0, 5000 }, { "level:1,ladder=lurgee", 1, 250 },
		{ "level:2,ladder=lurgee22", 1, 5000 }, { "level:1,ladder=lurgee", 2, 250 },
		{ "level:3,ladder=lurgee22", 2, 5000 },
	};
	struct qv_random random = { 3, 0 };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct spot start = spot_at(*state, names[cases[i].game], NULL);
		const struct spot s = spot_random(*state, start.rules.game, 10, &random);
		const struct qv_answer a = think(&s, cases[i].level, NULL, NULL);
		assert_true(a.evals <= (uint64_t)cases[i].evals);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lurgee__the_counts_of_the_release_come_out),
		cmocka_unit_test(test_lurgee__iterating_costs_connect4_more_than_it_saves),
		cmocka_unit_test(test_lurgee__the_games_are_the_frameworks),
		cmocka_unit_test(test_lurgee__it_is_the_literal_search_anywhere),
		cmocka_unit_test(test_lurgee__morris_is_literal_to_the_end),
		cmocka_unit_test(test_lurgee__the_limit_counts_all_iterations),
		cmocka_unit_test(test_lurgee__callers_limits_hold),
		cmocka_unit_test(test_lurgee__only_moves_that_are_allowed),
		cmocka_unit_test(test_lurgee__passes),
		cmocka_unit_test(test_lurgee__reversi_opens_by_its_odds),
		cmocka_unit_test(test_lurgee__connect4_opens_by_its_odds),
		cmocka_unit_test(test_lurgee__equal_moves_come_by_chance),
		cmocka_unit_test(test_lurgee__the_same_seed_plays_the_same_game),
		cmocka_unit_test(test_lurgee__listeners_hear_all_of_it),
		cmocka_unit_test(test_lurgee__what_is_wrong_is_said),
		cmocka_unit_test(test_lurgee__weights_make_one_evaluator_of_another),
		cmocka_unit_test(test_lurgee__ladders),
	};
	return cmocka_run_group_tests_name("lurgee", tests, setup, teardown);
}
