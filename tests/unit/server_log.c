/*
 * server_log.c - lines of the operator's log, and networks instead of addresses.
 * SPDX-License-Identifier: MIT
 */
#include "server/api/limits.h"
#include "server/http/log.h"

#include "base/histogram.h"
#include "support/check.h"

/* Keeps the last line without its time. */
struct kept {
	char line[400];
	int count;
};

static void keep(void *ctx, const char *line)
{
	struct kept *kept = ctx;
	const char *at = strchr(line, 'Z');
	assert_non_null(at);
	snprintf(kept->line, sizeof kept->line, "%s", at + 1);
	kept->count++;
}

static void write_line(const struct server_log *log, enum log_level level)
{
	struct log_line line;
	log_begin(&line, log, level, "event");
	log_add_text(&line, "one", "word");
	log_add_text(&line, "none", NULL);
	log_add_text(&line, "words", "a \"b\\\n\x80 c");
	log_add_number(&line, "number", INT64_MIN);
	log_add_real(&line, "real", 1.5);
	log_end(&line);
}

static void test_log__lines_have_two_forms(void **state)
{
	struct kept kept = { .count = 0 };
	struct server_log log = { .level = LOG_INFO, .write = keep, .ctx = &kept };
	(void)state;
	write_line(&log, LOG_INFO);
	assert_string_equal(kept.line, " info event: one=word words=\"a \\\"b\\\\?? c\""
				       " number=-9223372036854775808 real=1.500\n");
	log.json = true;
	write_line(&log, LOG_ERROR);
	assert_string_equal(kept.line,
			    "\",\"level\":\"error\",\"event\":\"event\",\"one\":\"word\","
			    "\"words\":\"a \\\"b\\\\?? c\","
			    "\"number\":-9223372036854775808,\"real\":1.500}\n");
}

static void test_log__levels_are_in_order(void **state)
{
	struct kept kept = { .count = 0 };
	struct server_log log = { .write = keep, .ctx = &kept };
	(void)state;
	for (int least = LOG_ERROR; least <= LOG_DEBUG; least++)
		for (int level = LOG_ERROR; level <= LOG_DEBUG; level++) {
			log.level = (enum log_level)least;
			kept.count = 0;
			write_line(&log, (enum log_level)level);
			assert_int_equal(kept.count, level <= least);
			assert_int_equal(log_wants(&log, (enum log_level)level), level <= least);
		}
	assert_false(log_wants(NULL, LOG_ERROR));
	write_line(NULL, LOG_ERROR);
	write_line(&(struct server_log){ .level = LOG_DEBUG }, LOG_ERROR);
}

static void test_log__messages_of_the_api(void **state)
{
	struct kept kept = { .count = 0 };
	struct server_log log = { .level = LOG_WARN, .write = keep, .ctx = &kept };
	(void)state;
	log_message(&log, "error", "game abc: cannot be loaded: \"why\"");
	assert_string_equal(kept.line, " error game abc: cannot be loaded: \"why\"\n");
	log.json = true;
	log_message(&log, "error", "game abc: cannot be loaded: \"why\"");
	assert_string_equal(kept.line, "\",\"level\":\"error\",\"event\":\"game\",\"message\":"
				       "\"game abc: cannot be loaded: \\\"why\\\"\"}\n");
	log_message(&log, "warn", "store: works again");
	assert_string_equal(kept.line, "\",\"level\":\"warn\",\"event\":\"store\",\"message\":"
				       "\"works again\"}\n");
	log_message(&log, "warn", "/var/lib: others have access");
	assert_string_equal(kept.line, "\",\"level\":\"warn\",\"event\":\"server\",\"message\":"
				       "\"/var/lib: others have access\"}\n");
	kept.count = 0;
	log_message(&log, "info", "store: not wanted");
	assert_int_equal(kept.count, 0);
}

static void test_log__networks_hide_addresses(void **state)
{
	static const char *const rows[][2] = {
		{ "203.0.113.77", "203.0.113.0" },
		{ "2001:db8:1:2::/64", "2001:db8:1::/48" },
		{ "fe80::1%eth0", "fe80::/48" },
		{ "::1", "::/48" },
		{ "", "" },
		{ "a name", "" },
	};
	char out[LIMIT_ADDRESS];
	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		limits_network(rows[i][0], out);
		assert_string_equal(out, rows[i][1]);
	}
}

static void test_histogram__values_are_in_their_buckets(void **state)
{
	struct histogram h = { { 0 }, 0 };
	(void)state;
	histogram_add(&h, histogram_sizes, 1);
	histogram_add(&h, histogram_sizes, 1.5);
	histogram_add(&h, histogram_sizes, 2);
	histogram_add(&h, histogram_sizes, 8193);
	histogram_add(&h, histogram_sizes, -4);
	assert_int_equal(h.counts[0], 2);
	assert_int_equal(h.counts[1], 2);
	assert_int_equal(h.counts[HISTOGRAM_BOUNDS], 1);
	assert_true(h.sum > 8197.4 && h.sum < 8197.6);
	for (int i = 1; i < HISTOGRAM_BOUNDS; i++) {
		assert_true(histogram_seconds[i - 1] < histogram_seconds[i]);
		assert_true(histogram_sizes[i - 1] < histogram_sizes[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_log__lines_have_two_forms),
		cmocka_unit_test(test_log__levels_are_in_order),
		cmocka_unit_test(test_log__messages_of_the_api),
		cmocka_unit_test(test_log__networks_hide_addresses),
		cmocka_unit_test(test_histogram__values_are_in_their_buckets),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
