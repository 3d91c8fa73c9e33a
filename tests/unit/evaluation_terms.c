/*
 * evaluation_terms.c - the terms of every evaluation of every game add up to its value, with the
 * default weights and with others.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"
#include "support/scale.h"

#include "games/chess/material.h"
#include "search/evaluation.h"

enum { GAMES = 30, PLIES = 200 };

/* Evaluations that list terms; the others are tables or nets, or have no weights. */
static const char *const listed[] = {
	"noughts lines",
	"noughts3d lines",
	"hexapawn book",
	"hexapawn material",
	"connect4 default",
	"connect4 threats",
	"reversi default",
	"reversi material",
	"morris default",
	"morris material",
	"draughts default",
	"draughts material",
	"draughts samuel",
	"draughts creative",
	"draughts borchek",
	"draughts mcheckers",
	"chess default",
	"chess material",
	"chess book",
	"minichess default",
	"minichess material",
	"minichess seed",
	"gomoku lines",
	"gomoku shapes",
	"race default",
	"warptrog default",
	"backgammon default",
	NULL,
};
static const char *const unlisted[] = {
	"backgammon net",    "reversi pattern", "chess net",	"diagram score",
	"starchess default", "warptrog book",	"warptrog net", "draughts pattern", NULL,
};

static bool is_in(const char *const *names, const struct qv_game *game,
		  const struct qv_evaluation *e)
{
	char name[128];
	snprintf(name, sizeof name, "%s %s", game->name, e->name);
	for (; *names; names++)
		if (strcmp(*names, name) == 0)
			return true;
	return false;
}

/* An evaluation in progress: which one, with which weights. */
struct desk {
	const struct qv_game *game;
	const struct qv_evaluation *evaluation;
	const void *weights;
	struct qv_term list[QV_MAX_TERMS];
	int count;
};

/* Computes the terms, and the sum. */
static int64_t add_up(struct desk *d, const void *state)
{
	int64_t sum = 0;
	d->count = evaluation_terms(d->game, d->evaluation, d->weights, state, d->list);
	for (int i = 0; i < d->count; i++)
		sum += d->list[i].value;
	return sum;
}

/* The terms add up; those with a whole weight are its product with the difference in counts. */
static void check_position(struct desk *d, const void *state)
{
	const struct qv_evaluation *e = d->evaluation;
	const int me = d->game->seat(state);
	const int32_t value = e->evaluate(state, d->weights);
	if (me == QV_CHANCE)
		return;
	const int64_t sum = add_up(d, state);
	if (sum != value)
		fail_msg("%s %s: the value is %d, the sum %lld", d->game->name, e->name, (int)value,
			 (long long)sum);
	const int places = (int)(e->weights_size / sizeof(int32_t));
	for (int i = 0; i < d->count; i++) {
		const struct qv_term *t = &d->list[i];
		assert_true(t->place >= 0 ? t->place < places : t->name != NULL);
		assert_true(i == 0 || t->place < 0 || t->place > d->list[i - 1].place);
		/* Each of the other terms is off by half a point at most. */
		if (t->place < 0 && strcmp(t->name, "rounding") == 0)
			assert_true(2 * t->value <= d->count && 2 * t->value >= -d->count);
	}
}

/* Plays random games and checks all their positions. */
static void check_games(struct desk *d, const struct qv_rules *rules, uint64_t seed, int games)
{
	struct qv_random random = { .key = qv_random_key(seed, 0) };
	unsigned char *state = calloc(1, d->game->state_size);
	qv_move *moves = calloc(QV_MAX_MOVES, sizeof *moves);
	assert_non_null(state);
	assert_non_null(moves);
	for (int i = 0; i < games; i++) {
		int32_t points[QV_MAX_SEATS];
		d->game->start(rules->options, state);
		for (int ply = 0; ply < PLIES; ply++) {
			check_position(d, state);
			if (d->game->result(state, points) != QV_GOING)
				break;
			const int count = d->game->moves(state, moves);
			d->game->play(state, moves[qv_random_below(&random, (uint64_t)count)]);
		}
	}
	free(state);
	free(moves);
}

/* With the default weights, then with random ones. */
static void check_evaluation(const struct qv_rules *rules, const struct qv_evaluation *e)
{
	const size_t places = e->names ? e->weights_size / sizeof(int32_t) : 0;
	struct qv_random random = { .key = qv_random_key(3, 0) };
	struct desk *d = calloc(1, sizeof *d);
	int32_t *weights = calloc(places + 1, sizeof *weights);
	assert_non_null(d);
	assert_non_null(weights);
	*d = (struct desk){ .game = rules->game, .evaluation = e, .weights = e->weights };
	check_games(d, rules, 1, (int)scaled(GAMES));
	for (size_t i = 0; i < places; i++)
		weights[i] = (int32_t)qv_random_below(&random, 2001) - 1000;
	d->weights = places ? weights : e->weights;
	check_games(d, rules, 2, (int)scaled(GAMES));
	free(weights);
	free(d);
}

static void test_terms__add_up_in_every_game(void **state)
{
	struct qv_context *context = qv_context_new(NULL);
	const struct qv_game *game;
	int found = 0;
	(void)state;
	assert_non_null(context);
	for (int i = 0; (game = qv_game_at(context, i)); i++) {
		struct qv_rules rules;
		assert_int_equal(qv_rules_parse(context, game->name, &rules, NULL), QV_OK);
		for (const struct qv_evaluation *e = game->evaluations; e && e->name; e++) {
			struct qv_term list[QV_MAX_TERMS];
			unsigned char *start = calloc(1, game->state_size);
			assert_non_null(start);
			game->start(rules.options, start);
			const bool has = is_in(listed, game, e);
			assert_int_not_equal(has, is_in(unlisted, game, e));
			found += has;
			if (has)
				check_evaluation(&rules, e);
			else
				assert_int_equal(evaluation_terms(game, e, e->weights, start, list),
						 0);
			free(start);
		}
	}
	assert_int_equal(found, sizeof listed / sizeof *listed - 1);
	qv_context_free(context);
}

/* Weights so large that Race! cuts its value: the term `limit` is the rest. */
static void test_terms__include_the_limit_of_race(void **unused)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct desk *d = calloc(1, sizeof *d);
	const int32_t weights[] = { 65536, 65536, 65536, 65536, 65536, 65536 };
	(void)unused;
	assert_non_null(context);
	assert_non_null(d);
	assert_int_equal(qv_rules_parse(context, "race", &rules, NULL), QV_OK);
	*d = (struct desk){ .game = rules.game,
			    .evaluation = rules.game->evaluations,
			    .weights = weights };
	check_games(d, &rules, 4, (int)scaled(GAMES));
	free(d);
	qv_context_free(context);
}

/* Counts per seat, place and value of each term of a small position. */
static void test_terms__of_connect4(void **unused)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct qv_term list[QV_MAX_TERMS];
	static const struct {
		int place, first, second, value;
	} expected[] = { { 0, 2, 1, -16 }, { 1, 2, 0, -8 }, { 2, 1, 0, -3 } };
	(void)unused;
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, "connect4", &rules, NULL), QV_OK);
	void *state = qv_state_new(context, rules.game);
	assert_non_null(state);
	/* Crosses threaten both ends of a row of three, noughts the top of a column. */
	assert_int_equal(qv_position_parse(&rules,
					   "......./......./......./o....../o..x.../o.xxx.. o",
					   state, NULL),
			 QV_OK);
	const struct qv_evaluation *e = rules.game->evaluations;
	assert_int_equal(evaluation_terms(rules.game, e, e->weights, state, list), 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(list[i].place, expected[i].place);
		assert_int_equal(list[i].counts[0], expected[i].first);
		assert_int_equal(list[i].counts[1], expected[i].second);
		assert_int_equal(list[i].value, expected[i].value);
	}
	qv_state_free(context, rules.game, state);
	qv_context_free(context);
}

/* ---- The conformance suite ---- */

static const struct qv_game *whole; /* the game that is broken below */

/* Terms that add up to one point too much; and terms with the right sum but no name. */
static void excessive_terms(const void *state, const void *weights, struct qv_terms *out)
{
	const int32_t value = whole->evaluations->evaluate(state, weights);
	qv_term_add(out, -1, "excess", out->seat, 0, value + 1);
}

static void nameless_terms(const void *state, const void *weights, struct qv_terms *out)
{
	const int32_t value = whole->evaluations->evaluate(state, weights);
	qv_term_add(out, 1 << 20, NULL, out->seat, 0, value);
}

/* The law must not hold for the game with these terms. */
static void check_broken(const char *name,
			 void (*terms)(const void *state, const void *weights,
				       struct qv_terms *out),
			 const char *law)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_rules rules;
	struct qv_error error = { "" };
	const struct qv_conformance how = { .size = sizeof how, .seed = 3, .games = 3 };
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, name, &rules, NULL), QV_OK);
	whole = rules.game;
	struct qv_evaluation table[2] = { whole->evaluations[0], { .name = NULL } };
	struct qv_game broken = *whole;
	table[0].terms = terms;
	broken.evaluations = table;
	rules.game = &broken;
	assert_int_equal(qv_conform(context, &rules, &how, &error), QV_ILLEGAL);
	if (strncmp(error.text, law, strlen(law)) != 0)
		fail_msg("the law '%s' should not hold, but: %s", law, error.text);
	qv_context_free(context);
}

static void test_terms__wrong_ones_are_noticed(void **unused)
{
	(void)unused;
	check_broken("noughts", excessive_terms, "evaluation-terms:");
	check_broken("noughts", nameless_terms, "evaluation-terms:");
	check_broken("starchess", excessive_terms, "evaluation-table:");
}

/* ---- Chess: material with weights ---- */

/* What a move gains equals the difference between the two positions, with rows of pawns too. */
static void test_chess_material__move_gain_is_the_difference(void **unused)
{
	struct qv_context *context = qv_context_new(NULL);
	struct qv_random random = { .key = qv_random_key(5, 0) };
	struct qv_rules rules;
	int32_t weights[CHESS_MATERIAL_WEIGHTS];
	(void)unused;
	assert_non_null(context);
	assert_int_equal(qv_rules_parse(context, "chess", &rules, NULL), QV_OK);
	memcpy(weights, chess_material_weights, sizeof weights);
	for (int64_t i = scaled(GAMES); i > 0; i--) {
		struct chess s, after;
		int32_t points[QV_MAX_SEATS];
		weights[CHESS_MATERIAL_ADVANCE] = (int32_t)(i % 3);
		rules.game->start(rules.options, &s);
		for (int ply = 0; ply < PLIES && rules.game->result(&s, points) == QV_GOING;
		     ply++) {
			qv_move moves[CHESS_MAX_MOVES];
			const int count = rules.game->moves(&s, moves);
			const qv_move move = moves[qv_random_below(&random, (uint64_t)count)];
			after = s;
			rules.game->play(&after, move);
			assert_int_equal(chess_material_gain(&s, move, weights),
					 -chess_material_evaluate(&after, weights) -
						 chess_material_evaluate(&s, weights));
			s = after;
		}
	}
	qv_context_free(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_terms__add_up_in_every_game),
		cmocka_unit_test(test_terms__include_the_limit_of_race),
		cmocka_unit_test(test_terms__of_connect4),
		cmocka_unit_test(test_terms__wrong_ones_are_noticed),
		cmocka_unit_test(test_chess_material__move_gain_is_the_difference),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
