/*
 * report.c - the report of a match: what is kept, and a picture whatever the players are called.
 * SPDX-License-Identifier: MIT
 *
 * tests/cli/report.sh looks at the picture with an XML parser.
 */
#include "match/report.h"

#include "support/check.h"
#include "support/meter.h"

struct stage {
	struct qv_context *context;
	struct match_plan plan;
	struct match_totals totals;
	struct match_report report;
};

static const struct match_player cast[] = {
	{ "plain", "random" },
	{ "<a & \"b\">", "random" },
	{ "\x01\xff\xc0\x80\xed\xa0\x80", "random" },
	{ "\xc5\x81ukasz", "random" },
	{ "a name that is much longer than any column of any table could ever be", "random" },
};
enum { CAST = sizeof cast / sizeof *cast };

static void open_stage(struct stage *s, const struct qv_allocator *a, int players)
{
	*s = (struct stage){ .context = qv_context_new(NULL) };
	assert_non_null(s->context);
	assert_int_equal(qv_rules_parse(s->context, "noughts", &s->plan.rules, NULL), QV_OK);
	s->plan.players = cast;
	s->plan.player_count = players;
	s->plan.games = MATCH_MAX_GAMES;
	assert_int_equal(totals_init(&s->totals, &mem_malloc, players), QV_OK);
	assert_int_equal(report_init(&s->report, a, players), QV_OK);
}

static void close_stage(struct stage *s)
{
	report_release(&s->report);
	totals_release(&s->totals);
	qv_context_free(s->context);
}

static void play(struct stage *s, int64_t games, int plies)
{
	for (int64_t i = 0; i < games; i++) {
		struct match_game g = { .number = s->totals.games, .at_fault = -1, .plies = plies };
		g.winner = (int)(qv_random_below_at(7, (uint64_t)g.number, 3)) - 1;
		g.points[0] = g.winner == 0 ? 1 : g.winner == 1 ? -1 : 0;
		g.points[1] = -g.points[0];
		totals_add(&s->totals, &s->plan, &g);
		assert_int_equal(report_add(&s->report, &s->plan, &g, &s->totals), QV_OK);
	}
}

static void draw(const struct stage *s, struct string *out)
{
	*out = (struct string){ .allocator = &mem_malloc };
	report_svg(&s->report, &s->plan, &s->totals, out);
	assert_false(out->failed);
	assert_non_null(strstr(out->data, "</svg>"));
	assert_null(strstr(out->data, "nan"));
	assert_null(strstr(out->data, "inf"));
}

static void test_report__keeps_few_points_however_many_games(void **state)
{
	(void)state;
	struct stage s;
	open_stage(&s, &mem_malloc, 2);
	int64_t last_stride = 1;
	for (int step = 0; step < 60; step++) {
		play(&s, 61, 9);
		const struct match_report *r = &s.report;
		assert_in_range(r->points, 1, REPORT_POINTS);
		assert_true(r->stride >= last_stride);
		for (int i = 0; i < r->points; i++)
			assert_int_equal(r->at[i], (i + 1) * r->stride);
		assert_true(r->at[r->points - 1] + r->stride > s.totals.games);
		last_stride = r->stride;
	}
	assert_true(last_stride > 1);
	assert_int_equal(s.report.lengths[9], s.totals.games);
	close_stage(&s);
}

static void test_report__the_kept_points_are_what_it_was_then(void **state)
{
	(void)state;
	struct stage s, again;
	open_stage(&s, &mem_malloc, 2);
	play(&s, 1000, 9);
	for (int i = 0; i < s.report.points; i += 50) {
		open_stage(&again, &mem_malloc, 2);
		play(&again, s.report.at[i], 9);
		const struct statistics then = statistics_of_games(&again.totals.meetings[1]);
		assert_true(s.report.ratings[i * 2].elo == then.elo);
		assert_true(s.report.ratings[i * 2].error == then.elo_error);
		close_stage(&again);
	}
	close_stage(&s);
}

/* What XML does not allow is not there: bare '&' and '<', control characters, broken UTF-8. */
static void check_text(const char *svg)
{
	for (const char *c = svg; *c; c++) {
		assert_true((unsigned char)*c >= ' ' || *c == '\n');
		assert_int_not_equal((unsigned char)*c, 0xff);
		assert_int_not_equal((unsigned char)*c, 0xc0);
		assert_int_not_equal((unsigned char)*c, 0xed);
		if (*c == '&')
			assert_int_equal(c[1], '#');
	}
	assert_null(strstr(svg, "<a "));
	assert_non_null(strstr(svg, "\xc5\x81ukasz"));
}

static void test_report__any_names_and_any_games(void **state)
{
	(void)state;
	static const struct {
		int64_t games;
		int plies;
	} cases[] = { { 0, 0 }, { 1, 0 }, { 2, 1 }, { 40, 9 }, { 40, 1000000 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;
		struct string svg;
		open_stage(&s, &mem_malloc, CAST);
		play(&s, cases[i].games, cases[i].plies);
		play(&s, cases[i].games / 4, 3);
		draw(&s, &svg);
		check_text(svg.data);
		string_release(&svg);
		close_stage(&s);
	}
}

static void test_report__no_memory(void **state)
{
	(void)state;
	struct meter meter = meter_make();
	const struct qv_allocator a = { meter_resize, &meter };
	struct match_report r;
	meter_arm(&meter, 1, true);
	assert_int_equal(report_init(&r, &a, 2), QV_NO_MEMORY);
	report_release(&r);
	meter_arm(&meter, 0, false);
	struct stage s;
	open_stage(&s, &a, 3);
	play(&s, 30, 9);
	for (int64_t n = 1; n < 200; n++) {
		struct string svg = { .allocator = &a };
		meter_arm(&meter, n, true);
		report_svg(&s.report, &s.plan, &s.totals, &svg);
		const bool failed = meter.failed;
		meter_arm(&meter, 0, false);
		assert_int_equal(svg.failed, failed);
		string_release(&svg);
		if (!failed)
			break;
	}
	close_stage(&s);
	assert_int_equal(meter.blocks, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report__keeps_few_points_however_many_games),
		cmocka_unit_test(test_report__the_kept_points_are_what_it_was_then),
		cmocka_unit_test(test_report__any_names_and_any_games),
		cmocka_unit_test(test_report__no_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
