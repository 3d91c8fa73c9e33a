/*
 * lab_waves.c - a small game solved in memory, wave by wave, is what its endgame tables say.
 * SPDX-License-Identifier: MIT
 */
#include "support/desk.h"
#include "support/tables.h"

#include "core/context.h"
#include "core/wave.h"
#include "support/meter.h"

static int setup(void **state)
{
	*state = qv_context_new(NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	qv_context_free(*state);
	return 0;
}

/* The sums of the tables, and each position of each wave, or one of so many. */
static void compare(const struct qv_context *context, const char *game, const char *up_to, int step)
{
	struct tables_folder folder = tables_folder_new();
	struct qv_rules rules;
	struct qv_table table = { .size = sizeof table };
	struct wave *w = NULL;
	struct qv_error error = { "" };
	const struct qv_tables_job job = {
		.size = sizeof job,
		.folder = folder.path, .up_to = up_to, .threads = 1, .checkpoint_ms = 60000
	};
	assert_int_equal(qv_rules_parse(context, game, &rules, NULL), QV_OK);
	tables_make(context, &rules, &job);
	struct qv_tables *tables = tables_open(context, &rules, folder.path);
	if (wave_new(context_allocator(context), &rules, up_to, &w, &error) != QV_OK)
		fail_msg("%s", error.text);
	uint64_t wins = 0, losses = 0, draws = 0, probed = 0;
	int longest = -1;
	for (int i = 0; i < w->end; i++) {
		assert_true(qv_tables_at(tables, i, &table));
		wins += table.wins;
		losses += table.losses;
		draws += table.draws;
		longest = table.longest > longest ? table.longest : longest;
	}
	assert_int_equal(w->plies, longest + 1);
	assert_int_equal(w->draws, draws);
	assert_int_equal(w->positions, wins + losses + draws);
	void *state = qv_state_new(context, rules.game);
	for (int plies = 0; plies < w->plies; plies++) {
		const struct wave_count *count = &w->counts[plies];
		wins -= count->wins;
		losses -= count->losses;
		for (uint64_t i = 0; i < count->wins + count->losses; i += (uint64_t)step) {
			struct qv_solution known = { .size = sizeof known };
			uint32_t code;
			assert_true(wave_position(w, plies, i, state));
			assert_true(wave_code(w, state, &code));
			assert_int_equal(code_plies(code), plies);
			assert_int_equal(qv_tables_probe(tables, state, &known, NULL), QV_OK);
			assert_int_equal(known.in, plies);
			assert_int_equal(known.value, plies % 2 ? QV_VALUE_WIN : QV_VALUE_LOSS);
			probed++;
		}
		assert_false(wave_position(w, plies, count->wins + count->losses, state));
	}
	assert_int_equal(wins, 0);
	assert_int_equal(losses, 0);
	assert_true(probed > 100);
	qv_state_free(context, rules.game, state);
	wave_free(w);
	qv_tables_close(tables);
	tables_folder_free(&folder);
}

static void test_waves__are_what_the_tables_say(void **state)
{
	compare(*state, "hexapawn", NULL, 1);
	compare(*state, "noughts", NULL, 1);
	compare(*state, "chess", "krk", 97);
}

static void test_waves__large_games_are_refused(void **state)
{
	struct qv_rules rules;
	struct wave *w = NULL;
	struct qv_error error = { "" };
	assert_int_equal(qv_rules_parse(*state, "draughts", &rules, NULL), QV_OK);
	assert_int_equal(wave_new(context_allocator(*state), &rules, NULL, &w, &error),
			 QV_UNSUPPORTED);
	assert_null(w);
	assert_int_equal(qv_rules_parse(*state, "chess", &rules, NULL), QV_OK);
	assert_int_equal(wave_new(context_allocator(*state), &rules, "kxk", &w, &error),
			 QV_UNKNOWN);
	assert_null(w);
}

static void test_waves__survive_without_memory(void **state)
{
	struct meter meter = meter_make();
	const struct qv_allocator metered = { meter_resize, &meter };
	struct qv_rules rules;
	struct wave *w = NULL;
	enum qv_status status = QV_NO_MEMORY;
	assert_int_equal(qv_rules_parse(*state, "noughts", &rules, NULL), QV_OK);
	for (int n = 1; status != QV_OK; n++) {
		assert_true(n < 1000);
		meter_arm(&meter, n, false);
		status = wave_new(&metered, &rules, NULL, &w, NULL);
		assert_int_equal(status, meter.failed ? QV_NO_MEMORY : QV_OK);
		assert_true(status == QV_OK ? w != NULL : !w && !meter.blocks);
	}
	wave_free(w);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waves__are_what_the_tables_say),
		cmocka_unit_test(test_waves__large_games_are_refused),
		cmocka_unit_test(test_waves__survive_without_memory),
	};
	return cmocka_run_group_tests_name("lab_waves", tests, setup, teardown);
}
