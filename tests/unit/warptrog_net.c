/*
 * warptrog_net.c - Warp Trog's net: its values beside a plain sum of its members, its file, and its
 * training.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/flag.h"
#include "games/registry.h"
#include "learn/warptrog/train.h"
#include "support/check.h"
#include "support/scale.h"

static const int64_t by_text[QV_MAX_OPTIONS] = { 5, WARPTROG_TEXT };

/* A net with random weights. */
static struct warptrog_net *any_net(uint64_t seed)
{
	struct qv_random random = { seed, 0 };
	struct warptrog_net *net = calloc(1, sizeof *net);
	assert_non_null(net);
	int16_t *weights = (int16_t *)net;
	for (int i = 0; i < WARPTROG_NET_WEIGHTS; i++)
		weights[i] = (int16_t)((int)qv_random_below(&random, 801) - 400);
	return net;
}

/* ---- Values ---- */

/* The captures that a warp of this seat is expected to make, in 1/WARPTROG_GAIN_ONE. */
static int32_t captures(const struct warptrog *s, int seat)
{
	double landings = 0;
	for (int square = 0; square < WARPTROG_SQUARES; square++)
		if ((s->men[seat] & s->trogs) >> square & 1)
			landings += round(WARPTROG_GAIN_ONE *
					  pow(37.0 / 36, 35 - warptrog_visit(square)));
	return (int32_t)landings * bits_count(s->men[1 - seat]) / WARPTROG_SQUARES;
}

/* The value by the members of the net, one neuron after the other. */
static int32_t plain_value(const struct warptrog *s, const struct warptrog_net *net, int output)
{
	const int me = s->turn;
	const int role = !s->weaker ? 0 : s->weaker == 1 + me ? 2 : 1;
	int men = 0, dark = 0;
	int64_t sum = 0;
	for (int square = 0; square < WARPTROG_SQUARES; square++)
		if ((s->men[0] | s->men[1]) >> square & 1) {
			men++;
			dark += (square % 6 + square / 6) % 2 == 0;
		}
	const int parity = dark % 2, phase = men < 4 ? 0 : men < 6 ? 1 : men < 8 ? 2 : 3;
	for (int k = 0; k < WARPTROG_HIDDEN; k++) {
		int32_t x = net->bias[role][me][parity][k];
		for (int side = 0; side < 2; side++) {
			const int seat = side ? 1 - me : me, warps = s->warps[seat];
			for (int square = 0; square < WARPTROG_SQUARES; square++)
				if (s->men[seat] >> square & 1)
					x += net->men[me][2 * side + (int)(s->trogs >> square & 1)]
						     [square][k];
			x += net->warps[role][me][side][warps > 5 ? 5 : warps][k];
			if (warps)
				x += net->gain[me][side][k] * captures(s, seat) / WARPTROG_GAIN_ONE;
		}
		const int64_t cut = x < 0 ? 0 : x > WARPTROG_NET_ONE ? WARPTROG_NET_ONE : x;
		sum += cut * cut / 64 * net->out[output][role][parity][phase][k];
	}
	const double x = ((double)sum / (1024 * 16) + net->out_bias[output][role][parity][phase]) /
			 WARPTROG_OUT_ONE;
	return (int32_t)lround(WARPTROG_NET_VALUE * (x / sqrt(1 + x * x)));
}

static void test_value__is_the_sum_of_its_members(void **unused)
{
	(void)unused;
	struct qv_random random = { 5, 0 };
	struct warptrog_net *net = any_net(3);
	for (int64_t game = scaled(20); game > 0; game--) {
		struct warptrog s;
		warptrog_start(&s, by_text);
		s.weaker = (uint8_t)qv_random_below(&random, 3);
		for (int ply = 0; ply < 100 && !warptrog_has_ended(&s); ply++) {
			qv_move list[WARPTROG_MAX_MOVES];
			struct warptrog before = s;
			const bool warps = s.warping != WARPTROG_NONE;
			before.warps[s.turn] = (uint8_t)(before.warps[s.turn] + warps);
			assert_int_equal(warptrog_net_evaluate(&s, net),
					 plain_value(&before, net,
						     warps ? WARPTROG_WARP_VALUE : WARPTROG_VALUE));
			const int n = warptrog_moves(&s, list);
			warptrog_play(&s, list[qv_random_below(&random, (uint64_t)n)]);
		}
	}
	free(net);
}

/* ---- The file ---- */

static void test_file__round_trip_and_errors(void **unused)
{
	(void)unused;
	struct warptrog_net *net = any_net(9), *read = calloc(1, sizeof *read);
	char *file = calloc(1, WARPTROG_NET_FILE + 1);
	struct qv_error error = { "" };
	assert_non_null(read);
	assert_non_null(file);
	warptrog_net_write(net, file);
	assert_int_equal(warptrog_net_read(file, WARPTROG_NET_FILE, read, &error), QV_OK);
	assert_memory_equal(net, read, sizeof *net);

	assert_int_equal(warptrog_net_read(file, 10, read, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "weights: not a net of Warp Trog");
	for (int by = -1; by <= 1; by += 2) {
		const size_t size = (size_t)((int)WARPTROG_NET_FILE + by);
		assert_int_equal(warptrog_net_read(file, size, read, &error), QV_BAD_INPUT);
		assert_non_null(strstr(error.text, "bytes, but the net has"));
	}
	char *number = strstr(file, "hidden=");
	number[7]++;
	assert_int_equal(warptrog_net_read(file, WARPTROG_NET_FILE, read, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "another format or shape"));
	net->out[1][2][1][3][0] = -WARPTROG_OUT_MOST - 1;
	warptrog_net_write(net, file);
	assert_int_equal(warptrog_net_read(file, WARPTROG_NET_FILE, read, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "weights: a weight is out of range");
	/* The shipped file is sound. */
	assert_int_equal(warptrog_net_file_size, WARPTROG_NET_FILE);
	assert_int_equal(warptrog_net_read((const char *)&warptrog_net_file, WARPTROG_NET_FILE,
					   read, &error),
			 QV_OK);
	free(file);
	free(read);
	free(net);
}

/* ---- Training ---- */

/* A context, and a job for a new folder. */
struct lab {
	struct qv_context *context;
	struct qv_rules rules;
	char folder[64];
	struct warptrog_job job;
	struct warptrog_report last;
	int stop_after; /* a round */
	struct qv_flag stop;
};

static void on_report(void *ctx, const struct warptrog_report *report)
{
	struct lab *lab = ctx;
	lab->last = *report;
	if (report->round.number == lab->stop_after)
		flag_set(&lab->stop, true);
}

static void lab_open(struct lab *lab, const char *plan, int threads)
{
	struct qv_error error = { "" };
	*lab = (struct lab){ .context = qv_context_new(NULL) };
	assert_non_null(lab->context);
	assert_int_equal(qv_rules_parse(lab->context, "warptrog", &lab->rules, &error), QV_OK);
	strcpy(lab->folder, "/tmp/quevedo-warptrog-XXXXXX");
	assert_non_null(mkdtemp(lab->folder));
	lab->job = (struct warptrog_job){ .plan.seed = 4,
					  .context = lab->context,
					  .rules = &lab->rules,
					  .folder = lab->folder,
					  .threads = threads,
					  .stop = &lab->stop,
					  .ctx = lab,
					  .report = on_report };
	if (warptrog_plan_parse(plan, &lab->job.plan, &error) != QV_OK)
		fail_msg("%s", error.text);
}

static void path_in(const struct lab *lab, const char *name, char *out, size_t size)
{
	snprintf(out, size, "%s/%s", lab->folder, name);
}

static void lab_close(struct lab *lab)
{
	static const char *const names[] = { "weights",		"round-1.games",
					     "round-2.games",	"round-3.games",
					     "round-1.weights", "round-2.weights",
					     "round-3.weights", NULL };
	char path[200];
	for (int i = 0; names[i]; i++) {
		path_in(lab, names[i], path, sizeof path);
		unlink(path);
	}
	rmdir(lab->folder);
	qv_context_free(lab->context);
}

static const char small_plan[] = "rounds=3,games=6,depth=1,samples=4,batch=32,remember=2";

static void test_training__same_for_any_number_of_threads(void **unused)
{
	(void)unused;
	struct warptrog_net nets[2];
	struct qv_error error = { "" };
	for (int i = 0; i < 2; i++) {
		struct lab lab;
		lab_open(&lab, small_plan, i ? 3 : 1);
		assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &nets[i], &error), QV_OK);
		assert_int_equal(lab.last.round.number, 3);
		assert_true(lab.last.positions > 0);
		lab_close(&lab);
	}
	assert_memory_equal(&nets[0], &nets[1], sizeof nets[0]);
}

/* Stopped before its first game and after two rounds, it ends with the weights of one run. */
static void test_training__resumes(void **unused)
{
	(void)unused;
	struct warptrog_net net, again;
	struct qv_error error = { "" };
	struct lab lab;
	lab_open(&lab, small_plan, 1);
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_OK);
	lab_close(&lab);

	lab_open(&lab, small_plan, 2);
	qv_flag_set(&lab.stop);
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &again, &error), QV_STOPPED);
	qv_flag_clear(&lab.stop);
	lab.stop_after = 2;
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &again, &error), QV_STOPPED);
	assert_int_equal(lab.last.round.number, 2);
	qv_flag_clear(&lab.stop);
	lab.stop_after = 0;
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &again, &error), QV_OK);
	assert_memory_equal(&net, &again, sizeof net);
	/* A finished training has nothing left to do. */
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &again, &error), QV_OK);
	assert_true(lab.last.round.resumed);
	assert_memory_equal(&net, &again, sizeof net);
	lab.job.plan.batch++;
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &again, &error), QV_BAD_INPUT);
	assert_non_null(strstr(error.text, "of another plan"));
	lab_close(&lab);
}

/* Overwrites a byte of a file. */
static void damage(const struct lab *lab, const char *name, long at, int byte)
{
	char path[200];
	path_in(lab, name, path, sizeof path);
	FILE *file = fopen(path, "r+b");
	assert_non_null(file);
	assert_int_equal(fseek(file, at, SEEK_SET), 0);
	assert_int_equal(fputc(byte, file), byte);
	assert_int_equal(fclose(file), 0);
}

/* The first position of the first game begins after the title, the count and the outcome. */
static void test_training__damaged_files_are_refused(void **unused)
{
	(void)unused;
	struct warptrog_net net;
	struct qv_error error = { "" };
	char path[200];
	struct lab lab;
	lab_open(&lab, "rounds=2,games=2,depth=1,samples=1", 1);
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_OK);
	path_in(&lab, "round-2.weights", path, sizeof path);
	unlink(path);
	damage(&lab, "round-1.games", 128 + 8 + 7, 0x7f); /* a man beyond the board */
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "train: a game is damaged");
	damage(&lab, "round-1.games", 128 + 8 + 7, 0);
	damage(&lab, "round-1.games", 128 + 3, 0x7f); /* too many positions */
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "train: a game is damaged");
	damage(&lab, "round-1.weights", 0, 'Q');
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_BAD_INPUT);
	assert_string_equal(error.text, "weights: not a net of Warp Trog");
	lab_close(&lab);
}

/* Games without the 1983 program have other positions, and plans have bounds. */
static void test_training__the_plan_counts(void **unused)
{
	(void)unused;
	struct warptrog_net net;
	struct warptrog_plan plan = { 0 };
	struct qv_error error = { "" };
	struct lab lab;
	lab_open(&lab, "rounds=1,games=4,depth=1,samples=1,book=0,wild=100", 1);
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_OK);
	assert_int_equal(lab.last.outcomes[WARPTROG_SELF_PLAY], 4);
	lab_close(&lab);
	lab_open(&lab, "rounds=1,games=4,depth=1,samples=1,book=100,built-in=1", 1);
	assert_int_equal(warptrog_train(&lab.job, &mem_malloc, &net, &error), QV_OK);
	assert_int_equal(lab.last.outcomes[WARPTROG_SELF_PLAY], 0);
	lab_close(&lab);
	assert_int_equal(warptrog_plan_parse("book=101", &plan, &error), QV_BAD_INPUT);
	assert_int_equal(warptrog_plan_parse("deep=1", &plan, &error), QV_UNKNOWN);
}

/* A fit to one label for all positions learns it. */
static void test_training__a_fit_learns(void **unused)
{
	(void)unused;
	const struct warptrog_plan plan = {
		.seed = 3, .rounds = 1, .passes = 400, .batch = 32, .step = 3000
	};
	struct warptrog_lessons *game = calloc(1, sizeof *game);
	struct warptrog_report report;
	struct warptrog_net net;
	struct qv_error error = { "" };
	assert_non_null(game);
	game->count = 50;
	for (int i = 0; i < game->count; i++) {
		struct warptrog_lesson *l = &game->list[i];
		warptrog_start(&l->s, by_text);
		l->s.turn = (uint8_t)(i % 2);
		l->label = (int16_t)(i % 2 ? -1450 : 1450);
		l->warp = i % 2 ? WARPTROG_NO_WARP : -725;
	}
	const struct warptrog_fit_job job = { .plan = &plan,
					      .games = game,
					      .count = 1,
					      .fresh = 1,
					      .round = 1,
					      .threads = 2,
					      .allocator = &mem_malloc };
	warptrog_net_begin(1, &net);
	assert_int_equal(warptrog_fit(&job, &net, &report, &error), QV_OK);
	struct warptrog s;
	warptrog_start(&s, by_text);
	assert_in_range(warptrog_net_evaluate(&s, &net), 1400, 1500);
	warptrog_play(&s, WARPTROG_WARP);
	assert_in_range(warptrog_net_evaluate(&s, &net) + 2000, 1225, 1325);
	assert_int_equal(report.positions, 50);
	free(game);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value__is_the_sum_of_its_members),
		cmocka_unit_test(test_file__round_trip_and_errors),
		cmocka_unit_test(test_training__same_for_any_number_of_threads),
		cmocka_unit_test(test_training__resumes),
		cmocka_unit_test(test_training__damaged_files_are_refused),
		cmocka_unit_test(test_training__the_plan_counts),
		cmocka_unit_test(test_training__a_fit_learns),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
