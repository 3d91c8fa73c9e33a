/*
 * draughts_patterns.c - the patterns of draughts against a literal reading of the board, their
 * files, and their training.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdlib.h>
#include <unistd.h>

#include "learn/draughts/train.h"
#include "support/scale.h"
#include "support/training.h"

static struct draughts_patterns *blank_patterns(void)
{
	struct draughts_patterns *p = calloc(1, sizeof *p);
	assert_non_null(p);
	return p;
}

static struct draughts_patterns *random_patterns(uint64_t seed)
{
	struct draughts_patterns *p = blank_patterns();
	struct qv_random random = { seed, 0 };
	for (int i = 0; i < DRAUGHTS_PATTERN_WEIGHTS; i++)
		for (int k = 0; k < 2; k++)
			p->weights[i][k] = (int16_t)((int)qv_random_below(&random, 4001) - 2000);
	return p;
}

/* A position after random moves from the start, or random pieces, in which the game goes on. */
static void random_position(struct qv_random *random, struct draughts *s)
{
	qv_move list[DRAUGHTS_MAX_MOVES];
	do {
		draughts_start(s, NULL);
		for (uint64_t left = qv_random_below(random, 90); left; left--) {
			const int n = draughts_moves(s, list);
			if (!n)
				break;
			draughts_play(s, list[qv_random_below(random, (uint64_t)n)]);
		}
	} while (!draughts_can_move(s));
}

/* ---- the literal reading ---- */

/* The piece on a square from 1 to 32 as a side sees it, whose own first row is 1 to 4. */
enum piece { NONE, MY_MAN, THEIR_MAN, MY_KING, THEIR_KING };

static enum piece piece_at(const struct draughts *s, int side, int square)
{
	const int seen = side == DRAUGHTS_BLACK ? square : 33 - square;
	const uint64_t bit = draughts_bit(draughts_bit_of(seen));
	const bool king = s->kings & bit;
	if (s->pieces[side] & bit)
		return king ? MY_KING : MY_MAN;
	if (s->pieces[1 - side] & bit)
		return king ? THEIR_KING : THEIR_MAN;
	return NONE;
}

/* First row and column of the regions, in the order of their weights. */
static const int corners[DRAUGHTS_REGIONS][2] = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 0, 1 },
						  { 1, 1 }, { 2, 1 }, { 0, 2 }, { 1, 2 } };

/* The weights of a side's regions, of one of the two phases. */
static int region_sum(const struct draughts *s, int side, const struct draughts_patterns *p,
		      int phase)
{
	int sum = 0;
	for (int region = 0; region < DRAUGHTS_REGIONS; region++) {
		int number = 0, power = 1;
		for (int row = corners[region][0]; row < corners[region][0] + 4; row++)
			for (int column = 0; column < 2; column++, power *= 3) {
				const enum piece piece = piece_at(
					s, side, 4 * row + corners[region][1] + column + 1);
				number += piece == MY_MAN      ? power
					  : piece == THEIR_MAN ? 2 * power
							       : 0;
			}
		sum += p->weights[region * DRAUGHTS_REGION_NUMBERS + number][phase];
	}
	return sum;
}

/* What a side has, of one of the two phases. */
static int side_sum(const struct draughts *s, int side, const struct draughts_patterns *p,
		    int phase)
{
	int men = 0, kings = 0, mobile = 0, steps = 0, their_kings = 0, sum = 0;
	struct draughts turned = *s;
	qv_move list[DRAUGHTS_MAX_MOVES];
	uint64_t movers = 0;
	for (int square = 1; square <= 32; square++) {
		const enum piece piece = piece_at(s, side, square);
		men += piece == MY_MAN;
		kings += piece == MY_KING;
		their_kings += piece == THEIR_KING;
		if (piece == MY_KING)
			sum += p->weights[DRAUGHTS_T_KING_SQUARE + square - 1][phase];
	}
	turned.turn = (uint8_t)side;
	for (int n = draughts_list_steps(&turned, side, list); n > 0; n--) {
		const uint64_t from = draughts_bit(draughts_from(list[n - 1]));
		steps += s->kings & from ? 1 : 0;
		movers |= s->kings & from ? 0 : from;
	}
	mobile = bits_count(movers);
	sum += men * p->weights[DRAUGHTS_T_MAN][phase] + kings * p->weights[DRAUGHTS_T_KING][phase];
	sum += mobile * p->weights[DRAUGHTS_T_MOBILE][phase];
	sum += steps * p->weights[DRAUGHTS_T_KING_STEPS][phase];
	sum += kings ? p->weights[DRAUGHTS_T_FIRST_KING][phase] : 0;
	if (kings && their_kings)
		sum += (men + kings) * p->weights[DRAUGHTS_T_AHEAD][phase];
	return sum + region_sum(s, side, p, phase);
}

static int literal_value(const struct draughts *s, const struct draughts_patterns *p)
{
	int sums[2], pieces = 0, ahead = 0, rows = 0;
	for (int square = 1; square <= 32; square++) {
		const enum piece piece = piece_at(s, s->turn, square);
		pieces += piece != NONE;
		ahead += piece == MY_MAN || piece == MY_KING;
		ahead -= piece == THEIR_MAN || piece == THEIR_KING;
		rows += piece != NONE && (square - 1) / 4 % 2 == 0;
	}
	const int opposition = s->kings ? DRAUGHTS_T_KING_OPPOSITION : DRAUGHTS_T_OPPOSITION;
	for (int phase = 0; phase < 2; phase++) {
		sums[phase] = side_sum(s, s->turn, p, phase) - side_sum(s, 1 - s->turn, p, phase) +
			      p->weights[DRAUGHTS_T_TURN][phase];
		if (!ahead)
			sums[phase] += (rows % 2 ? 1 : -1) * p->weights[opposition][phase];
	}
	return (sums[0] * pieces + sums[1] * (24 - pieces)) / (24 * DRAUGHTS_PATTERN_UNIT);
}

static void test_patterns__value_is_that_of_a_literal_reading(void **state)
{
	struct draughts_patterns *p = random_patterns(3);
	struct qv_random random = { 4, 0 };
	int kings = 0;
	(void)state;
	for (int64_t left = scaled(20000); left > 0; left--) {
		struct draughts s;
		random_position(&random, &s);
		kings += s.kings != 0;
		assert_int_equal(draughts_pattern_value(&s, p), literal_value(&s, p));
	}
	assert_true(kings > scaled(1000));
	free(p);
}

/* The board turned by half, with colours exchanged, is the same position. */
static void test_patterns__colours_do_not_matter(void **state)
{
	struct draughts_patterns *p = random_patterns(5);
	struct qv_random random = { 6, 0 };
	(void)state;
	for (int64_t left = scaled(5000); left > 0; left--) {
		struct draughts s, other = { .quiet = 0 };
		random_position(&random, &s);
		for (int square = 1; square <= 32; square++) {
			const uint64_t from = draughts_bit(draughts_bit_of(square));
			const uint64_t to = draughts_bit(draughts_bit_of(33 - square));
			for (int side = 0; side < 2; side++)
				other.pieces[1 - side] |= s.pieces[side] & from ? to : 0;
			other.kings |= s.kings & from ? to : 0;
		}
		other.turn = 1 - s.turn;
		assert_int_equal(draughts_pattern_value(&s, p), draughts_pattern_value(&other, p));
	}
	free(p);
}

/* ---- files ---- */

static void test_patterns__files_give_back_what_was_written(void **state)
{
	struct draughts_patterns *p = random_patterns(7), *q = blank_patterns();
	char *bytes = malloc(DRAUGHTS_PATTERN_FILE + 1);
	(void)state;
	assert_non_null(bytes);
	draughts_patterns_write(p, bytes);
	assert_int_equal(draughts_patterns_read(bytes, DRAUGHTS_PATTERN_FILE, q, NULL), QV_OK);
	assert_memory_equal(p, q, sizeof *p);
	/* The shipped weights are such a file, too. */
	assert_int_equal(draughts_patterns_read((const char *)&draughts_pattern_file,
						sizeof draughts_pattern_file, q, NULL),
			 QV_OK);
	const size_t wrong[] = { 0, 10, DRAUGHTS_PATTERN_HEAD, DRAUGHTS_PATTERN_FILE - 1,
				 DRAUGHTS_PATTERN_FILE + 1 };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		assert_int_equal(draughts_patterns_read(bytes, wrong[i], q, NULL), QV_BAD_INPUT);
	for (int i = 0; i < DRAUGHTS_PATTERN_HEAD; i++) {
		bytes[i] ^= 1;
		assert_int_equal(draughts_patterns_read(bytes, DRAUGHTS_PATTERN_FILE, q, NULL),
				 QV_BAD_INPUT);
		bytes[i] ^= 1;
	}
	free(bytes);
	free(p);
	free(q);
}

/* A man more wins; a king is better than a man. */
static void test_patterns__shipped_weights_count_pieces(void **state)
{
	struct draughts s;
	(void)state;
	draughts_start(&s, NULL);
	const int32_t even = draughts_pattern_value(&s, &draughts_pattern_file.patterns);
	assert_true(even > -30 && even < 30);
	s.pieces[DRAUGHTS_WHITE] &= s.pieces[DRAUGHTS_WHITE] - 1;
	const int32_t ahead = draughts_pattern_value(&s, &draughts_pattern_file.patterns);
	assert_true(ahead > even + 50);
	s.kings |= draughts_bit(0);
	assert_true(draughts_pattern_value(&s, &draughts_pattern_file.patterns) > ahead);
}

/* ---- training ---- */

struct training {
	struct training_folder folder;
	struct draughts_job job;
	struct draughts_round rounds[2];
	int count;
	struct draughts_patterns *patterns;
};

static void on_round(void *ctx, const struct draughts_round *round)
{
	struct training *t = ctx;
	assert_true(t->count < 2);
	t->rounds[t->count++] = *round;
}

static void training_open(struct training *t, const char *plan, int threads)
{
	*t = (struct training){ .folder = training_folder_new(), .patterns = blank_patterns() };
	assert_int_equal(draughts_plan_parse(plan, &t->job.plan, NULL), QV_OK);
	t->job.plan.seed = 1;
	t->job.folder = t->folder.path;
	t->job.threads = threads;
	t->job.ctx = t;
	t->job.round = on_round;
}

static enum qv_status training_run(struct training *t)
{
	t->count = 0;
	return draughts_train(&t->job, &mem_malloc, t->patterns, NULL);
}

static void training_close(struct training *t)
{
	training_folder_free(&t->folder);
	free(t->patterns);
}

/* Small, but with every part of a real one. */
#define SHORT "rounds=2,games=48,nodes=60,iterations=4,least=1"

static void test_training__is_the_same_on_any_number_of_threads(void **state)
{
	struct training one, two;
	(void)state;
	training_open(&one, SHORT, 1);
	training_open(&two, SHORT, 2);
	assert_int_equal(training_run(&one), QV_OK);
	assert_int_equal(training_run(&two), QV_OK);
	assert_int_equal(one.count, 2);
	for (int i = 0; i < 2; i++) {
		assert_true(one.rounds[i].round.hash == two.rounds[i].round.hash);
		assert_true(one.rounds[i].lessons > 1000);
	}
	assert_memory_equal(one.patterns, two.patterns, sizeof *one.patterns);
	/* Better than nothing, on games that were not learned from. */
	assert_true(one.rounds[0].after < one.rounds[0].before);
	training_close(&two);
	/* A finished training is not repeated; a round less is. */
	const uint64_t last = one.rounds[1].round.hash;
	char path[160];
	training_path(&one.folder, "round-2.weights", path);
	assert_int_equal(remove(path), 0);
	assert_int_equal(training_run(&one), QV_OK);
	assert_true(one.rounds[0].round.resumed && !one.rounds[1].round.resumed);
	assert_true(one.rounds[1].round.hash == last);
	one.job.plan.nodes++;
	assert_int_equal(training_run(&one), QV_BAD_INPUT);
	training_close(&one);
}

static void test_training__refuses_broken_games(void **state)
{
	struct training t;
	char path[160];
	const uint32_t squares = UINT32_MAX;
	(void)state;
	training_open(&t, "rounds=1,games=17,nodes=20,iterations=1", 1);
	assert_int_equal(training_run(&t), QV_OK);
	training_path(&t.folder, "round-1.weights", path);
	assert_int_equal(remove(path), 0);
	training_path(&t.folder, "round-1.games", path);
	FILE *f = fopen(path, "r+b");
	assert_non_null(f);
	/* The first square sets of the last game's first lesson. */
	const long at = -(long)sizeof(struct draughts_lessons) +
			(long)offsetof(struct draughts_lessons, list);
	assert_int_equal(fseek(f, at, SEEK_END), 0);
	assert_int_equal(fwrite(&squares, sizeof squares, 1, f), 1);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(training_run(&t), QV_BAD_INPUT);
	training_close(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns__value_is_that_of_a_literal_reading),
		cmocka_unit_test(test_patterns__colours_do_not_matter),
		cmocka_unit_test(test_patterns__files_give_back_what_was_written),
		cmocka_unit_test(test_patterns__shipped_weights_count_pieces),
		cmocka_unit_test(test_training__is_the_same_on_any_number_of_threads),
		cmocka_unit_test(test_training__refuses_broken_games),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
