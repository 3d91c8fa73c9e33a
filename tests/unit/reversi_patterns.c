/*
 * reversi_patterns.c - reversi's patterns against a literal reading of the board, their files, and
 * their training.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/reversi/pattern.h"
#include "games/reversi/endgame.h"
#include "learn/reversi/train.h"
#include "support/meter.h"
#include "support/scale.h"
#include "support/training.h"

/* ---- the literal reading ---- */

/* A pattern by the names of its squares. All eight ways to lay it on the board are looked at. */
static const struct {
	const char *squares;
	int first, places; /* of its weights; different places on the board */
} literal[] = {
	{ "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2", PATTERN_EDGE, 4 },
	{ "a1 b1 c1 d1 e1 a2 b2 c2 d2 e2", PATTERN_OBLONG, 8 },
	{ "a1 b1 c1 a2 b2 c2 a3 b3 c3", PATTERN_CORNER, 4 },
	{ "a2 b2 c2 d2 e2 f2 g2 h2", PATTERN_ROW_2, 4 },
	{ "a3 b3 c3 d3 e3 f3 g3 h3", PATTERN_ROW_3, 4 },
	{ "a4 b4 c4 d4 e4 f4 g4 h4", PATTERN_ROW_4, 4 },
	{ "a1 b2 c3 d4 e5 f6 g7 h8", PATTERN_DIAGONAL_8, 2 },
	{ "b1 c2 d3 e4 f5 g6 h7", PATTERN_DIAGONAL_7, 4 },
	{ "c1 d2 e3 f4 g5 h6", PATTERN_DIAGONAL_6, 4 },
	{ "d1 e2 f3 g4 h5", PATTERN_DIAGONAL_5, 4 },
	{ "e1 f2 g3 h4", PATTERN_DIAGONAL_4, 4 },
};
enum { LITERAL = sizeof literal / sizeof *literal };

static int digit_at(const struct reversi *s, int column, int row)
{
	const uint64_t square = UINT64_C(1) << (8 * row + column);
	return s->mover & square ? 1 : s->other & square ? 2 : 0;
}

/* The pattern's number when the board is looked at from side `way`. */
static int literal_number(const struct reversi *s, const char *squares, int way)
{
	int number = 0, power = 1;
	for (const char *at = squares; *at; at += at[2] ? 3 : 2, power *= 3) {
		int column = at[0] - 'a', row = at[1] - '1';
		if (way & 1)
			column = 7 - column;
		if (way & 2)
			row = 7 - row;
		number += power * (way & 4 ? digit_at(s, row, column) : digit_at(s, column, row));
	}
	return number;
}

static int literal_moves(const struct reversi *s, bool mine)
{
	struct reversi side = *s;
	qv_move list[REVERSI_MAX_MOVES];
	if (!mine)
		side = (struct reversi){ s->other, s->mover, 1 - s->seat };
	const int count = reversi_moves(&side, list);
	return count && list[0] == REVERSI_PASS ? 0 : count;
}

static int literal_value(const struct reversi *s, const struct reversi_patterns *p)
{
	const int discs = bits_count(s->mover | s->other), phase = (discs - 4) / 6;
	const int16_t *w = p->weights[phase < 10 ? phase : 9];
	int sum = w[PATTERN_MY_MOVES + literal_moves(s, true) + (discs % 2 ? 32 : 0)] +
		  w[PATTERN_THEIR_MOVES + literal_moves(s, false) + (discs % 2 ? 32 : 0)];
	for (int i = 0; i < LITERAL; i++) {
		int all = 0;
		for (int way = 0; way < 8; way++)
			all += w[literal[i].first + literal_number(s, literal[i].squares, way)];
		assert_int_equal(all % (8 / literal[i].places), 0);
		sum += all / (8 / literal[i].places);
	}
	return sum;
}

static struct reversi_patterns *blank_patterns(void)
{
	struct reversi_patterns *p = calloc(1, sizeof *p);
	assert_non_null(p);
	reversi_patterns_init(p);
	return p;
}

/* Any weights, the same for a pattern and its mirror image. */
static struct reversi_patterns *random_patterns(uint64_t key)
{
	struct reversi_patterns *p = blank_patterns();
	struct qv_random random = { key, 0 };
	for (int phase = 0; phase < PATTERN_PHASES; phase++)
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++) {
			const uint32_t same = reversi_pattern_same(i);
			assert_true(same <= i);
			p->weights[phase][i] =
				same < i ? p->weights[phase][same]
				: i % 7	 ? (int16_t)((int)qv_random_below(&random, 401) - 200)
					 : (int16_t)((int)qv_random_below(&random, 65535) - 32767);
		}
	return p;
}

/* A position after some moves by chance. */
static struct reversi random_position(struct qv_random *random, int plies)
{
	struct reversi s;
	int32_t points[QV_MAX_SEATS];
	qv_move list[REVERSI_MAX_MOVES];
	reversi_start(&s, NULL);
	for (int i = 0; i < plies && reversi_result(&s, points) == QV_GOING; i++) {
		const int count = reversi_moves(&s, list);
		reversi_play(&s, list[qv_random_below(random, (uint64_t)count)]);
	}
	return s;
}

static void test_patterns__values_are_those_of_the_literal_reading(void **state)
{
	(void)state;
	struct reversi_patterns *p = random_patterns(3);
	struct qv_random random = { 5, 0 };
	for (int k = (int)scaled(3000); k > 0; k--) {
		const struct reversi s = random_position(&random, k % 64);
		assert_int_equal(reversi_pattern_evaluate(&s, p), literal_value(&s, p));
	}
	free(p);
}

static void test_patterns__any_board_however_absurd(void **state)
{
	(void)state;
	struct reversi_patterns *p = random_patterns(4);
	struct qv_random random = { 6, 0 };
	for (int k = (int)scaled(3000); k > 0; k--) {
		const uint64_t mover = qv_random_next(&random);
		const uint64_t other = qv_random_next(&random) & ~mover;
		const struct reversi s = { mover | 1, other & ~UINT64_C(1), 0 };
		int32_t value = reversi_pattern_evaluate(&s, p);
		assert_int_equal(value, literal_value(&s, p));
		assert_true(value <= QV_MAX_EVAL && value >= -QV_MAX_EVAL);
	}
	free(p);
}

static void test_patterns__images_are_worth_the_same(void **state)
{
	(void)state;
	struct qv_random random = { 7, 0 };
	for (int k = (int)scaled(500); k > 0; k--) {
		const struct reversi s = random_position(&random, k % 60);
		const int32_t value = reversi_pattern_evaluate(&s, &reversi_pattern_weights);
		for (int image = 1; image < 8; image++) {
			struct reversi turned;
			reversi_image(&s, image, &turned);
			assert_int_equal(
				reversi_pattern_evaluate(&turned, &reversi_pattern_weights), value);
		}
	}
}

static void test_patterns__leaves_know_the_end(void **state)
{
	(void)state;
	struct qv_random random = { 8, 0 };
	int ended = 0;
	for (int k = (int)scaled(600); k > 0; k--) {
		const struct reversi s = random_position(&random, 50 + k % 15);
		int32_t points[QV_MAX_SEATS];
		const int32_t leaf = reversi_pattern_leaf(&s, &reversi_pattern_weights);
		if (reversi_result(&s, points) == QV_GOING) {
			assert_int_equal(leaf,
					 reversi_pattern_evaluate(&s, &reversi_pattern_weights));
			continue;
		}
		const int32_t ahead = points[s.seat] - points[1 - s.seat];
		assert_int_equal(leaf, ahead > 0   ? QV_LEAF_WON
				       : ahead < 0 ? QV_LEAF_LOST
						   : QV_LEAF_DRAWN);
		ended++;
	}
	assert_true(ended > 0);
}

/* ---- files ---- */

static char *pack(const struct reversi_patterns *p, size_t *size)
{
	struct qv_error error = { "" };
	char *bytes = malloc(PATTERN_FILE_MOST);
	assert_non_null(bytes);
	assert_int_equal(reversi_patterns_pack(p, bytes, size, &error), QV_OK);
	return bytes;
}

/* Most are 0, as in life: packing takes less time then. */
static struct reversi_patterns *sparse_patterns(uint64_t key)
{
	struct reversi_patterns *p = random_patterns(key);
	for (int phase = 0; phase < PATTERN_PHASES; phase++)
		for (uint32_t i = 0; i < PATTERN_WEIGHTS; i++)
			if (reversi_pattern_same(i) % 20)
				p->weights[phase][i] = 0;
	return p;
}

static void test_patterns__files_give_back_what_was_written(void **state)
{
	(void)state;
	struct reversi_patterns *p = sparse_patterns(9), *q = blank_patterns();
	struct qv_error error = { "" };
	size_t size;
	char *bytes = pack(p, &size);
	assert_int_equal(reversi_patterns_read(bytes, size, q, &error), QV_OK);
	assert_memory_equal(p, q, sizeof *p);
	free(bytes);
	bytes = pack(&reversi_pattern_weights, &size);
	assert_int_equal(reversi_patterns_read(bytes, size, q, &error), QV_OK);
	assert_memory_equal(&reversi_pattern_weights, q, sizeof *q);
	free(bytes);
	free(p);
	free(q);
}

static void must_be_refused(const char *bytes, size_t size, struct reversi_patterns *into)
{
	struct qv_error error = { "" };
	assert_int_equal(reversi_patterns_read(bytes, size, into, &error), QV_BAD_INPUT);
	assert_int_equal(strncmp(error.text, "weights: ", 9), 0);
}

static void test_patterns__damaged_files_are_refused(void **state)
{
	(void)state;
	struct reversi_patterns *p = sparse_patterns(10), *q = blank_patterns();
	struct qv_random random = { 12, 0 };
	size_t size;
	char *bytes = pack(p, &size);
	must_be_refused(bytes, 0, q);
	must_be_refused("", 0, q);
	must_be_refused(PATTERN_FILE_HEADER, sizeof PATTERN_FILE_HEADER - 1, q);
	must_be_refused("threat = 20\n", 12, q);
	must_be_refused(bytes, size - 1, q);
	for (int k = (int)scaled(12) + 3; k > 0; k--)
		must_be_refused(bytes, (size_t)qv_random_below(&random, size), q);
	for (int k = (int)scaled(12) + 3; k > 0; k--) {
		const size_t at = (size_t)qv_random_below(&random, size);
		const char flip = (char)(1 << qv_random_below(&random, 8));
		struct qv_error error = { "" };
		bytes[at] ^= flip;
		assert_int_not_equal(reversi_patterns_read(bytes, size, q, &error), QV_OK);
		bytes[at] ^= flip;
	}
	bytes[size] = 'x';
	must_be_refused(bytes, size + 1, q);
	free(bytes);
	free(p);
	free(q);
}

/* ---- training ---- */

struct training {
	struct training_folder folder;
	struct train_job job;
	struct train_round rounds[4];
	int count;
	struct reversi_patterns *patterns;
};

static void on_round(void *ctx, const struct train_round *round)
{
	struct training *t = ctx;
	assert_true(t->count < 4);
	t->rounds[t->count++] = *round;
}

static void training_open(struct training *t, const char *plan, int threads)
{
	struct qv_error error = { "" };
	*t = (struct training){ .folder = training_folder_new(), .patterns = blank_patterns() };
	assert_int_equal(train_plan_parse(plan, &t->job.plan, &error), QV_OK);
	t->job.plan.seed = 1;
	t->job.folder = t->folder.path;
	t->job.threads = threads;
	t->job.ctx = t;
	t->job.round = on_round;
}

static enum qv_status training_run(struct training *t)
{
	struct qv_error error = { "" };
	t->count = 0;
	return train_run(&t->job, &mem_malloc, t->patterns, &error);
}

static void training_close(struct training *t)
{
	training_folder_free(&t->folder);
	free(t->patterns);
}

/* Small, but with every part of a real one. */
#define SHORT "rounds=2,games=64,depth=2,solve=6,remember=2,iterations=3,least=1"

static void test_patterns__training_is_the_same_on_any_number_of_threads(void **state)
{
	(void)state;
	struct training one, two;
	training_open(&one, SHORT, 1);
	training_open(&two, SHORT, 2);
	assert_int_equal(training_run(&one), QV_OK);
	assert_int_equal(training_run(&two), QV_OK);
	assert_int_equal(one.count, 2);
	for (int i = 0; i < 2; i++) {
		assert_true(one.rounds[i].round.hash == two.rounds[i].round.hash);
		assert_true(one.rounds[i].after == two.rounds[i].after);
		assert_true(one.rounds[i].samples > 2000);
	}
	assert_memory_equal(one.patterns, two.patterns, sizeof *one.patterns);
	/* Better than nothing, on games that were not learned from. */
	assert_true(one.rounds[0].after < 0.97 * one.rounds[0].before);
	assert_true(one.rounds[1].after < one.rounds[0].before);
	training_close(&one);
	training_close(&two);
}

static void test_patterns__another_seed_is_another_training(void **state)
{
	(void)state;
	struct training a, b;
	training_open(&a, "rounds=1,games=16,depth=1,solve=4,iterations=1", 1);
	training_open(&b, "rounds=1,games=16,depth=1,solve=4,iterations=1", 1);
	b.job.plan.seed = 2;
	assert_int_equal(training_run(&a), QV_OK);
	assert_int_equal(training_run(&b), QV_OK);
	assert_true(a.rounds[0].round.hash != b.rounds[0].round.hash);
	training_close(&a);
	training_close(&b);
}

/* Goes on after whatever a kill leaves: a round less, or games cut off in the middle of one. */
static void test_patterns__training_goes_on_where_it_stopped(void **state)
{
	(void)state;
	static const struct qv_flag stop = { 1 };
	struct training t;
	char path[160];
	training_open(&t, SHORT, 2);
	t.job.stop = &stop;
	assert_int_equal(training_run(&t), QV_STOPPED);
	assert_int_equal(t.count, 0);
	t.job.stop = NULL;
	assert_int_equal(training_run(&t), QV_OK);
	const uint64_t first = t.rounds[0].round.hash, second = t.rounds[1].round.hash;
	assert_true(first != second);
	training_path(&t.folder, "round-2.weights", path);
	assert_int_equal(remove(path), 0);
	training_path(&t.folder, "round-2.games", path);
	assert_int_equal(truncate(path, 128 + 20 * 64 + 17), 0);
	assert_int_equal(training_run(&t), QV_OK);
	assert_true(t.rounds[0].round.resumed && t.rounds[0].round.hash == first);
	assert_true(!t.rounds[1].round.resumed && t.rounds[1].round.hash == second);
	/* All there: nothing is done again. */
	assert_int_equal(training_run(&t), QV_OK);
	assert_true(t.rounds[1].round.resumed && t.rounds[1].round.hash == second);
	training_close(&t);
}

static void write_bytes(const char *path, long at, const char *bytes, size_t size)
{
	FILE *f = fopen(path, "r+b");
	assert_non_null(f);
	assert_int_equal(fseek(f, at, SEEK_SET), 0);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static void test_patterns__training_refuses_what_is_not_its_own(void **state)
{
	(void)state;
	struct training t;
	char path[160];
	training_open(&t, "rounds=1,games=16,depth=1,solve=4,iterations=1", 1);
	assert_int_equal(training_run(&t), QV_OK);
	t.job.plan.depth = 2;
	assert_int_equal(training_run(&t), QV_BAD_INPUT);
	t.job.plan.depth = 1;
	training_path(&t.folder, "round-1.weights", path);
	write_bytes(path, 40, "?", 1);
	assert_int_equal(training_run(&t), QV_BAD_INPUT);
	assert_int_equal(remove(path), 0);
	training_path(&t.folder, "round-1.games", path);
	write_bytes(path, 128 + 64 + 3, "\0", 1); /* a1 is no first move */
	assert_int_equal(training_run(&t), QV_BAD_INPUT);
	t.job.folder = "/nowhere/at/all";
	assert_int_equal(training_run(&t), QV_IO);
	training_close(&t);
}

static void test_patterns__plans(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		",",
		"rounds",
		"rounds=",
		"rounds=0",
		"rounds=100",
		"=1",
		"rounds=1,",
		"rounds=1,rounds=1",
		"round=1",
		"least=-1",
		"games=99999999999999999999",
		"depth=1,,solve=2",
		"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1"
	};
	struct train_plan plan = { .seed = 77 }, again = { 0 };
	struct qv_error error;
	char text[200];
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		error.text[0] = '\0';
		assert_int_not_equal(train_plan_parse(wrong[i], &plan, &error), QV_OK);
		assert_int_equal(strncmp(error.text, "plan: ", 6), 0);
	}
	assert_int_equal(train_plan_parse("games=5,depth=3", &plan, &error), QV_OK);
	assert_true(plan.games == 5 && plan.depth == 3 && plan.rounds > 1 && plan.seed == 77);
	train_plan_text(&plan, text, sizeof text);
	assert_int_equal(train_plan_parse(text, &again, &error), QV_OK);
	again.seed = 77;
	assert_memory_equal(&again.games, &plan.games, sizeof plan.games);
	assert_true(again.rounds == plan.rounds && again.depth == 3 && again.solve == plan.solve &&
		    again.fit.least == plan.fit.least && again.fit.penalty == plan.fit.penalty);
}

/* Only this many of the calls fail, one at a time: each try plays and fits again. */
static void test_patterns__training_survives_without_memory(void **state)
{
	(void)state;
	bool failed = true;
	for (int n = 1; failed; n = n < 6 ? n + 1 : n * 2) {
		struct meter meter = meter_make();
		const struct qv_allocator allocator = { meter_resize, &meter };
		struct training t;
		struct qv_error error = { "" };
		training_open(&t, "rounds=1,games=2,depth=1,solve=4,iterations=1", 1);
		meter_arm(&meter, n, false);
		const enum qv_status status = train_run(&t.job, &allocator, t.patterns, &error);
		failed = meter.failed;
		assert_int_equal(status, failed ? QV_NO_MEMORY : QV_OK);
		assert_int_equal(meter.blocks, 0);
		assert_int_equal(meter.wrong_sizes, 0);
		training_close(&t);
	}
}

/* ---- players ---- */

struct desk {
	struct qv_context *context;
	struct qv_rules rules;
	struct qv_player *player;
};

static struct desk desk_open(const char *spec)
{
	struct desk t = { .context = qv_context_new(NULL) };
	const struct qv_defaults defaults = {
		.size = sizeof defaults, .seed = 1, .threads = 1, .hash_mb = 1
	};
	struct qv_error error = { "" };
	assert_non_null(t.context);
	assert_int_equal(qv_rules_parse(t.context, "reversi", &t.rules, &error), QV_OK);
	assert_int_equal(qv_player_new(t.context, &t.rules, spec, &defaults, &t.player, &error),
			 QV_OK);
	return t;
}

static void desk_close(struct desk *t)
{
	qv_player_free(t->player);
	qv_context_free(t->context);
}

/* Near the end, `solve` gives the value and the line that the perfect player finds. */
static void test_patterns__solve_ends_games_perfectly(void **state)
{
	(void)state;
	struct desk searches = desk_open("negascout:depth=1,eval=pattern,solve=12");
	struct desk timed = desk_open("negascout:time=2s,eval=pattern,solve=12");
	struct desk solves = desk_open("perfect");
	struct qv_random random = { 15, 0 };
	int32_t points[QV_MAX_SEATS];
	for (int k = (int)scaled(20); k > 0; k--) {
		const struct reversi s = random_position(&random, 49 + k % 6);
		struct qv_answer found = { .size = sizeof found }, later = { .size = sizeof later },
				 right = { .size = sizeof right };
		if (reversi_result(&s, points) != QV_GOING)
			continue;
		assert_int_equal(qv_player_think(searches.player, &s, NULL, NULL, &found, NULL),
				 QV_OK);
		assert_int_equal(qv_player_think(timed.player, &s, NULL, NULL, &later, NULL),
				 QV_OK);
		assert_int_equal(qv_player_think(solves.player, &s, NULL, NULL, &right, NULL),
				 QV_OK);
		assert_true(found.proven && right.proven);
		assert_true((found.score > 0) == (right.score > 0) &&
			    (found.score < 0) == (right.score < 0));
		if (later.proven) /* there was time */
			assert_true((later.score > 0) == (right.score > 0) &&
				    (later.score < 0) == (right.score < 0));
		struct reversi a = s, b = s;
		for (int i = 0; i < found.line_length; i++)
			reversi_play(&a, found.line[i]);
		for (int i = 0; i < right.line_length; i++)
			reversi_play(&b, right.line[i]);
		assert_int_equal(reversi_result(&a, points), QV_ENDED);
		assert_int_equal(endgame_final(a.mover, a.other) * (a.seat == s.seat ? 1 : -1),
				 endgame_final(b.mover, b.other) * (b.seat == s.seat ? 1 : -1));
	}
	desk_close(&searches);
	desk_close(&timed);
	desk_close(&solves);
}

/* What cannot be solved in time is searched; limits of depth and nodes leave the solver out. */
static void test_patterns__solve_gives_way_to_the_search(void **state)
{
	(void)state;
	struct desk t = desk_open("negascout:time=500ms,eval=pattern,solve=64");
	struct desk patient = desk_open("negascout:time=60s,eval=pattern,solve=64");
	const struct qv_flag stop = { 1 };
	struct reversi s;
	struct qv_answer answer = { .size = sizeof answer };
	reversi_start(&s, NULL);
	assert_int_equal(qv_player_think(t.player, &s, NULL, NULL, &answer, NULL), QV_OK);
	assert_true(!answer.proven && answer.depth >= 1 && answer.evals > 0);
	const struct qv_limits shallow = { .size = sizeof shallow, .depth = 2 },
			       few = { .size = sizeof few, .nodes = 50 },
			       at_once = { .size = sizeof at_once, .stop = &stop };
	assert_int_equal(qv_player_think(patient.player, &s, &shallow, NULL, &answer, NULL), QV_OK);
	assert_int_equal(answer.depth, 2);
	assert_int_equal(qv_player_think(patient.player, &s, &few, NULL, &answer, NULL), QV_OK);
	assert_true(answer.nodes <= 60);
	assert_int_equal(qv_player_think(patient.player, &s, &at_once, NULL, &answer, NULL),
			 QV_STOPPED);
	assert_true(answer.move != QV_NO_MOVE);
	desk_close(&t);
	desk_close(&patient);
}

static void test_patterns__players_survive_without_memory(void **state)
{
	(void)state;
	bool failed = true;
	for (int n = 1; failed; n++) {
		struct meter meter = meter_make();
		const struct qv_allocator allocator = { meter_resize, &meter };
		struct qv_context *context = qv_context_new(&allocator);
		struct qv_rules rules;
		struct qv_player *player = NULL;
		assert_int_equal(qv_rules_parse(context, "reversi", &rules, NULL), QV_OK);
		meter_arm(&meter, n, false);
		const enum qv_status status = qv_player_new(
			context, &rules, "negascout:depth=1,tt=1,eval=pattern,solve=9", NULL,
			&player, NULL);
		failed = meter.failed;
		assert_int_equal(status, failed ? QV_NO_MEMORY : QV_OK);
		if (status == QV_OK)
			qv_player_free(player);
		qv_context_free(context);
		assert_int_equal(meter.blocks, 0);
		assert_int_equal(meter.wrong_sizes, 0);
	}
}

/* The shipped weights are worth having: at the same depth they beat the evaluation by hand. */
static void test_patterns__they_beat_the_evaluation_by_hand(void **state)
{
	(void)state;
	struct desk players[2] = { desk_open("negascout:depth=2,eval=pattern,tt=1"),
				   desk_open("negascout:depth=2,tt=1") };
	const int pairs = 20;
	int won = 0, lost = 0;
	for (int k = 0; k < 2 * pairs; k++) {
		struct qv_random opening = { 16, (uint64_t)(k / 2) * 100 };
		struct reversi s = random_position(&opening, 8);
		int32_t points[QV_MAX_SEATS];
		while (reversi_result(&s, points) == QV_GOING) {
			struct qv_answer answer = { .size = sizeof answer };
			const int who = (int)(s.seat ^ (uint64_t)(k & 1));
			assert_int_equal(
				qv_player_think(players[who].player, &s, NULL, NULL, &answer, NULL),
				QV_OK);
			reversi_play(&s, answer.move);
		}
		const int ours = k & 1;
		won += points[ours] > points[1 - ours];
		lost += points[ours] < points[1 - ours];
	}
	assert_true(won > 2 * lost);
	desk_close(&players[0]);
	desk_close(&players[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns__values_are_those_of_the_literal_reading),
		cmocka_unit_test(test_patterns__any_board_however_absurd),
		cmocka_unit_test(test_patterns__images_are_worth_the_same),
		cmocka_unit_test(test_patterns__leaves_know_the_end),
		cmocka_unit_test(test_patterns__files_give_back_what_was_written),
		cmocka_unit_test(test_patterns__damaged_files_are_refused),
		cmocka_unit_test(test_patterns__training_is_the_same_on_any_number_of_threads),
		cmocka_unit_test(test_patterns__another_seed_is_another_training),
		cmocka_unit_test(test_patterns__training_goes_on_where_it_stopped),
		cmocka_unit_test(test_patterns__training_refuses_what_is_not_its_own),
		cmocka_unit_test(test_patterns__plans),
		cmocka_unit_test(test_patterns__training_survives_without_memory),
		cmocka_unit_test(test_patterns__solve_ends_games_perfectly),
		cmocka_unit_test(test_patterns__solve_gives_way_to_the_search),
		cmocka_unit_test(test_patterns__players_survive_without_memory),
		cmocka_unit_test(test_patterns__they_beat_the_evaluation_by_hand),
	};
	return cmocka_run_group_tests_name("reversi_patterns", tests, NULL, NULL);
}
