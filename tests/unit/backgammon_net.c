/*
 * backgammon_net.c - backgammon's nets: their values beside plain loops, their inputs beside the
 * rules, their file, and their training.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/flag.h"
#include "games/backgammon/evaluate.h"
#include "learn/backgammon/train.h"
#include "support/check.h"
#include "support/scale.h"

static struct backgammon parsed(const char *text)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct backgammon s;
	struct qv_error error = { "" };
	if (backgammon_position_parse(&s, options, text, &error) != QV_OK)
		fail_msg("%s: %s", text, error.text);
	return s;
}

/* Nets with random weights. */
static struct backgammon_nets *any_nets(uint64_t seed)
{
	struct qv_random random = { seed, 0 };
	struct backgammon_nets *nets = calloc(1, sizeof *nets);
	assert_non_null(nets);
	float *weights = (float *)nets;
	for (size_t i = 0; i < sizeof *nets / sizeof *weights; i++)
		weights[i] = ((float)qv_random_below(&random, 2001) - 1000) / 3000;
	return nets;
}

/* Calls a function for the positions of random games. */
static void for_positions(int games, uint64_t seed,
			  void (*check)(const struct backgammon *s, void *ctx), void *ctx)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct qv_random random = { seed, 0 };
	qv_move list[BACKGAMMON_MAX_MOVES];
	for (int i = 0; i < games; i++) {
		struct backgammon s;
		backgammon_start(&s, options);
		while (!backgammon_has_ended(&s)) {
			const int n = backgammon_moves(&s, list);
			/* Where there is a choice, the evaluation picks the better of two. */
			struct backgammon one = s, two = s;
			backgammon_play(&one, list[qv_random_below(&random, (uint64_t)n)]);
			backgammon_play(&two, list[qv_random_below(&random, (uint64_t)n)]);
			s = s.phase == BACKGAMMON_MOVE &&
					    backgammon_evaluate(&two, backgammon_weights) <
						    backgammon_evaluate(&one, backgammon_weights)
				    ? two
				    : one;
			if (s.phase == BACKGAMMON_ROLL)
				check(&s, ctx);
		}
	}
}

/* ---- Inference ---- */

/* The sums of net.h in their order, one number at a time. */
static void plain_forward(const struct backgammon_net *net, const struct backgammon_inputs *in,
			  float hidden[BACKGAMMON_HIDDEN], float outputs[BACKGAMMON_OUTPUTS])
{
	for (int h = 0; h < BACKGAMMON_HIDDEN; h++) {
		float sum = net->bias[h];
		for (int i = 0; i < in->count; i++)
			sum += i < in->units ? net->rows[in->row[i]][h]
					     : net->rows[in->row[i]][h] * in->value[i];
		hidden[h] = sum / (1 + fabsf(sum));
	}
	for (int o = 0; o < BACKGAMMON_OUTPUTS; o++) {
		float t[8] = { 0 };
		for (int h = 0; h < BACKGAMMON_HIDDEN; h++)
			t[h % 8] += net->outs[o][h] * hidden[h];
		outputs[o] = net->base[o] +
			     (((t[0] + t[4]) + (t[1] + t[5])) + ((t[2] + t[6]) + (t[3] + t[7])));
	}
}

static void check_forward(const struct backgammon *s, void *ctx)
{
	const struct backgammon_nets *nets = ctx;
	struct backgammon_inputs in;
	float hidden[2][BACKGAMMON_HIDDEN], outputs[2][BACKGAMMON_OUTPUTS];
	if (backgammon_has_ended(s))
		return;
	const enum backgammon_class c = backgammon_class(s);
	backgammon_inputs(s, c, &in);
	assert_true(in.count <= BACKGAMMON_ACTIVE);
	backgammon_forward(&nets->of[c], &in, hidden[0], outputs[0]);
	plain_forward(&nets->of[c], &in, hidden[1], outputs[1]);
	assert_memory_equal(hidden[0], hidden[1], sizeof hidden[0]);
	assert_memory_equal(outputs[0], outputs[1], sizeof outputs[0]);
}

static void test_net__vectors_equal_plain_loops(void **unused)
{
	(void)unused;
	struct backgammon_nets *nets = any_nets(3);
	for_positions(20, 1, check_forward, nets);
	free(nets);
}

/* Both seats are treated alike, and chances are in order. */
static void check_chances(const struct backgammon *s, void *ctx)
{
	struct backgammon_chances c, other;
	struct backgammon turned = *s;
	memcpy(turned.men[0], s->men[1], sizeof s->men[1]);
	memcpy(turned.men[1], s->men[0], sizeof s->men[0]);
	turned.turn = 1 - s->turn;
	backgammon_chances(ctx, s, &c);
	backgammon_chances(ctx, &turned, &other);
	assert_memory_equal(&c, &other, sizeof c);
	const float *of = c.of;
	assert_true(of[BACKGAMMON_WIN_ANY] >= 0 && of[BACKGAMMON_WIN_ANY] <= 1);
	assert_true(of[BACKGAMMON_WIN_GAMMON] <= of[BACKGAMMON_WIN_ANY]);
	assert_true(of[BACKGAMMON_LOSE_GAMMON] <= 1 - of[BACKGAMMON_WIN_ANY]);
	assert_true(of[BACKGAMMON_WIN_BACKGAMMON] >= 0 &&
		    of[BACKGAMMON_WIN_BACKGAMMON] <= of[BACKGAMMON_WIN_GAMMON]);
	assert_true(of[BACKGAMMON_LOSE_BACKGAMMON] >= 0 &&
		    of[BACKGAMMON_LOSE_BACKGAMMON] <= of[BACKGAMMON_LOSE_GAMMON]);
	if (s->men[s->turn][BACKGAMMON_OFF])
		assert_true(of[BACKGAMMON_LOSE_GAMMON] == 0);
	const struct backgammon_chances flipped = backgammon_flip(&c);
	assert_true(fabsf(backgammon_equity(&flipped) + backgammon_equity(&c)) < 1e-5F);
}

static void test_net__chances_are_sound(void **unused)
{
	(void)unused;
	struct backgammon_nets *nets = any_nets(5);
	for_positions(10, 2, check_chances, nets);
	for_positions(10, 3, check_chances, (void *)(uintptr_t)backgammon_nets());
	free(nets);
}

static void test_net__ended_games_are_exact(void **unused)
{
	(void)unused;
	static const struct {
		const char *position;
		float equity;
	} cases[] = {
		{ "off:15 6:5,off:10 2 -", -1 }, { "off:15 12:1,6:14 2 -", -2 },
		{ "off:15 19:1,6:14 2 -", -3 },	 { "bar:1,6:14 off:15 1 -", -3 },
		{ "18:1,6:14 off:15 1 -", -2 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct backgammon s = parsed(cases[i].position);
		struct backgammon_chances c;
		backgammon_chances(backgammon_nets(), &s, &c);
		assert_true(backgammon_equity(&c) == cases[i].equity);
		assert_int_equal(backgammon_net_evaluate(&s, backgammon_nets()),
				 (int32_t)(1000 * cases[i].equity));
		/* As the winner sees it. */
		struct backgammon other = s;
		other.turn = 1 - s.turn;
		backgammon_chances(backgammon_nets(), &other, &c);
		assert_true(backgammon_equity(&c) == -cases[i].equity);
	}
}

static void test_net__sigmoid(void **unused)
{
	(void)unused;
	for (int i = -2500; i <= 2500; i++) {
		const double x = i / 100.0, right = 1 / (1 + exp(-x));
		assert_true(fabs((double)backgammon_sigmoid((float)x) - right) < 1e-6);
	}
	assert_true(backgammon_sigmoid(1e9F) <= 1 && backgammon_sigmoid(-1e9F) >= 0);
}

/* ---- Inputs ---- */

static void test_inputs__classes(void **unused)
{
	(void)unused;
	static const struct {
		const char *position;
		enum backgammon_class class;
	} cases[] = {
		{ "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 -", BACKGAMMON_CONTACT },
		{ "12:7,6:8 12:7,6:8 1 -", BACKGAMMON_RACE },
		{ "14:7,6:8 12:7,6:8 1 -", BACKGAMMON_CONTACT },
		{ "20:2,6:4,2:4,1:5 14:7,8:8 1 -", BACKGAMMON_CRASHED },
		{ "20:2,6:5,2:4,1:4 14:7,8:8 1 -", BACKGAMMON_CONTACT },
		{ "14:7,8:8 20:2,6:4,off:9 1 -", BACKGAMMON_CRASHED },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const struct backgammon s = parsed(cases[i].position);
		assert_int_equal(backgammon_class(&s), cases[i].class);
	}
}

/* Each roll is tried on each set of blocked points within twelve. */
static void test_inputs__escapes(void **unused)
{
	(void)unused;
	for (uint32_t window = 0; window < 1 << 12; window++) {
		int rolls = 0;
		for (int one = 1; one <= 6; one++)
			for (int two = 1; two <= 6; two++) {
				const bool first = window >> (12 - one) & 1;
				const bool second = window >> (12 - two) & 1;
				rolls += !(window >> (12 - one - two) & 1) && !(first && second);
			}
		assert_int_equal(backgammon_escapes(window << 1, 13), rolls);
		assert_int_equal(backgammon_escapes(window << 13, 25), rolls);
		assert_int_equal(backgammon_escapes(window >> 4, 8),
				 backgammon_escapes(window & ~15U, 12));
	}
}

struct shots_seen {
	int found, legal;
};

static float feature(const struct backgammon_inputs *in, int number)
{
	for (int i = in->units; i < in->count; i++)
		if (in->row[i] == BACKGAMMON_SIDE_UNITS + number)
			return in->value[i];
	return 0;
}

/*
 * The rolls that hit, by the moves of the rules. The feature ignores that both dice must be played
 * if possible, so it may count a few rolls more, never fewer.
 */
static void check_shots(const struct backgammon *s, void *ctx)
{
	struct shots_seen *seen = ctx;
	struct backgammon_inputs in;
	qv_move list[BACKGAMMON_MAX_MOVES];
	int legal = 0;
	if (backgammon_has_ended(s))
		return;
	for (int one = 1; one <= 6; one++)
		for (int two = 1; two <= one; two++) {
			struct backgammon rolled = *s;
			rolled.dice[0] = (uint8_t)one;
			rolled.dice[1] = (uint8_t)two;
			rolled.phase = BACKGAMMON_MOVE;
			bool hit = false;
			for (int i = backgammon_moves(&rolled, list) - 1; i >= 0; i--)
				hit |= backgammon_change_of(&rolled, list[i]).hits != 0;
			legal += hit * (one == two ? 1 : 2);
		}
	backgammon_inputs(s, BACKGAMMON_CONTACT, &in);
	const int found = (int)lrintf(feature(&in, BACKGAMMON_F_HITS) * 36);
	assert_in_range(found, legal, 36);
	seen->found += found;
	seen->legal += legal;
}

static void test_inputs__shots(void **unused)
{
	(void)unused;
	struct shots_seen seen = { 0, 0 };
	for_positions(10, 7, check_shots, &seen);
	assert_true(seen.legal > 1000);
	assert_true((seen.found - seen.legal) * 100 < seen.legal);
}

/* ---- The file ---- */

static void test_file__round_trip_and_errors(void **unused)
{
	(void)unused;
	struct backgammon_nets *nets = any_nets(9), *read = calloc(1, sizeof *read);
	char *file = calloc(1, BACKGAMMON_NET_FILE + 1);
	struct qv_error error = { "" };
	assert_non_null(read);
	assert_non_null(file);
	backgammon_nets_write(nets, file);
	assert_int_equal(backgammon_nets_read(file, BACKGAMMON_NET_FILE, read, &error), QV_OK);
	assert_memory_equal(nets, read, sizeof *nets);

	assert_int_equal(backgammon_nets_read(file, 10, read, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "weights: not nets of backgammon");
	assert_int_equal(backgammon_nets_read(file, BACKGAMMON_NET_FILE - 1, read, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "bytes, but the nets have"));
	assert_int_equal(backgammon_nets_read(file, BACKGAMMON_NET_FILE + 1, read, &error),
			 QV_BAD_INPUT);
	char *number = strstr(file, "hidden=");
	number[7]++;
	assert_int_equal(backgammon_nets_read(file, BACKGAMMON_NET_FILE, read, &error),
			 QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "another format or shape"));
	const float bad[] = { NAN, INFINITY, -INFINITY, 1001 };
	for (int i = 0; i < 4; i++) {
		backgammon_nets_write(nets, file);
		memcpy(file + BACKGAMMON_NET_HEAD + 4000, &bad[i], sizeof bad[i]);
		assert_int_equal(backgammon_nets_read(file, BACKGAMMON_NET_FILE, read, &error),
				 QV_BAD_INPUT);
		assert_string_equal(error.text, "weights: a weight is out of range");
	}
	/* The shipped file is sound. */
	assert_int_equal(backgammon_net_file_size, BACKGAMMON_NET_FILE);
	assert_int_equal(backgammon_nets_read((const char *)&backgammon_net_file,
					      BACKGAMMON_NET_FILE, read, &error),
			 QV_OK);
	free(file);
	free(read);
	free(nets);
}

/* ---- Training ---- */

static const char small_plan[] =
	"rounds=4,games=6,deep=1,first=75,window=2000,batch=32,deep-batch=64,gauge=0";

static void remove_folder(const char *folder)
{
	char path[200];
	snprintf(path, sizeof path, "%s/weights", folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/checkpoint", folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/window", folder);
	unlink(path);
	rmdir(folder);
}

static void make_folder(char *folder)
{
	strcpy(folder, "/tmp/quevedo-backgammon-XXXXXX");
	assert_non_null(mkdtemp(folder));
}

static struct backgammon_job job_of(const char *plan, const char *folder, int threads)
{
	struct backgammon_job job = { .plan.seed = 4, .folder = folder, .threads = threads };
	struct qv_error error = { "" };
	if (backgammon_plan_parse(plan, &job.plan, &error) != QV_OK)
		fail_msg("%s", error.text);
	return job;
}

static void test_training__same_for_any_number_of_threads(void **unused)
{
	(void)unused;
	struct backgammon_nets *nets[2];
	struct qv_error error = { "" };
	for (int i = 0; i < 2; i++) {
		char folder[64];
		make_folder(folder);
		const struct backgammon_job job = job_of(small_plan, folder, i ? 3 : 1);
		nets[i] = calloc(1, sizeof *nets[i]);
		assert_non_null(nets[i]);
		assert_int_equal(backgammon_train(&job, &mem_malloc, nets[i], &error), QV_OK);
		remove_folder(folder);
	}
	assert_memory_equal(nets[0], nets[1], sizeof *nets[0]);
	free(nets[0]);
	free(nets[1]);
}

/* Keeps the last report, and stops the training after a number of rounds. */
struct watch {
	struct backgammon_report last;
	int stop_after;
	struct qv_flag stop;
};

static void on_report(void *ctx, const struct backgammon_report *report)
{
	struct watch *w = ctx;
	w->last = *report;
	if (report->round && report->round == w->stop_after)
		flag_set(&w->stop, true);
}

/* Stopped in its first round and after the second, it ends with the weights of one run. */
static void test_training__continues_from_the_checkpoint(void **unused)
{
	(void)unused;
	char folder[64];
	struct watch watch = { .stop = { 1 } };
	struct backgammon_nets *nets = calloc(1, sizeof *nets);
	struct qv_error error = { "" };
	assert_non_null(nets);
	make_folder(folder);
	struct backgammon_job job = job_of(small_plan, folder, 1);
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_OK);
	const uint64_t hash = qv_hash_bytes(nets, sizeof *nets);
	remove_folder(folder);

	job.report = on_report;
	job.ctx = &watch;
	job.stop = &watch.stop;
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_STOPPED);
	qv_flag_clear(&watch.stop);
	watch.stop_after = 2;
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_STOPPED);
	assert_int_equal(watch.last.round, 2);
	qv_flag_clear(&watch.stop);
	watch.stop_after = 0;
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_OK);
	assert_int_equal(watch.last.round, 4);
	assert_true(watch.last.hash == hash);
	/* A finished training has nothing left to do. */
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_OK);
	assert_int_equal(watch.last.round, 0);
	assert_true(watch.last.hash == hash);
	job.plan.batch++;
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "of another plan"));
	remove_folder(folder);
	free(nets);
}

/* Points of the nets at 0-ply against random moves. */
static int points_against_random(const struct backgammon_nets *nets, int games)
{
	static const int64_t options[QV_MAX_OPTIONS] = { 0 };
	struct qv_random random = { 11, 0 };
	qv_move list[BACKGAMMON_MAX_MOVES];
	int points = 0;
	for (int i = 0; i < games; i++) {
		struct backgammon s;
		int32_t each[2];
		backgammon_start(&s, options);
		while (!backgammon_has_ended(&s)) {
			const int n = backgammon_moves(&s, list);
			uint64_t best = qv_random_below(&random, (uint64_t)n);
			int32_t least = INT32_MAX;
			for (int k = 0; s.phase == BACKGAMMON_MOVE && s.turn == i % 2 && k < n;
			     k++) {
				struct backgammon after = s;
				backgammon_play(&after, list[k]);
				const int32_t value = backgammon_net_evaluate(&after, nets);
				if (value < least) {
					least = value;
					best = (uint64_t)k;
				}
			}
			backgammon_play(&s, list[best]);
		}
		backgammon_result(&s, each);
		points += each[i % 2] - each[1 - i % 2];
	}
	return points;
}

/* How strong it becomes; how it trains, the tests before have seen. */
static void test_training__beats_random_moves(void **unused)
{
	(void)unused;
	if (scaled(100) < 100)
		skip();
	char folder[64];
	struct backgammon_nets *nets = calloc(1, sizeof *nets);
	struct qv_error error = { "" };
	assert_non_null(nets);
	make_folder(folder);
	const struct backgammon_job job = job_of(
		"rounds=12,games=24,first=100,lambda=80,window=20000,batch=64,passes=3,gauge=0",
		folder, 1);
	assert_int_equal(backgammon_train(&job, &mem_malloc, nets, &error), QV_OK);
	remove_folder(folder);
	assert_in_range(points_against_random(nets, 60), 60, 180);
	/* The shipped nets win nearly all games, most of them as gammons. */
	assert_in_range(points_against_random(backgammon_nets(), 60), 90, 180);
	free(nets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_net__vectors_equal_plain_loops),
		cmocka_unit_test(test_net__chances_are_sound),
		cmocka_unit_test(test_net__ended_games_are_exact),
		cmocka_unit_test(test_net__sigmoid),
		cmocka_unit_test(test_inputs__classes),
		cmocka_unit_test(test_inputs__escapes),
		cmocka_unit_test(test_inputs__shots),
		cmocka_unit_test(test_file__round_trip_and_errors),
		cmocka_unit_test(test_training__same_for_any_number_of_threads),
		cmocka_unit_test(test_training__continues_from_the_checkpoint),
		cmocka_unit_test(test_training__beats_random_moves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
