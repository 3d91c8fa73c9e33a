/*
 * base.c - the ground: random numbers, words and numbers, growing text, arenas, files, the table.
 * SPDX-License-Identifier: MIT
 */
#include "support/check.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "search/table.h"
#include "support/meter.h"
#include "support/scale.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- Random numbers ---- */

static void test_random__published_sequence(void **unused)
{
	/* The first numbers of SplitMix64 from 1234567, as published with the generator. */
	static const uint64_t published[] = {
		UINT64_C(6457827717110365317),  UINT64_C(3203168211198807973),
		UINT64_C(9817491932198370423),  UINT64_C(4593380528125082431),
		UINT64_C(16408922859458223821),
	};
	(void)unused;
	struct qv_random random = { .key = 1234567 };
	for (size_t i = 0; i < LENGTH(published); i++) {
		assert_true(qv_random_next(&random) == published[i]);
		assert_true(qv_random_at(1234567, i) == published[i]);
	}
}

static void test_random__number_by_name_is_number_in_turn(void **unused)
{
	static const uint64_t bounds[] = { 1, 2, 6, 7, 52, 1000003, UINT64_C(3) << 62, UINT64_MAX };
	(void)unused;
	struct qv_random random = { .key = qv_random_key(5, 2) };
	for (uint64_t k = 0; k < 10000; k++) {
		const uint64_t below = bounds[k % LENGTH(bounds)];
		const uint64_t drawn = qv_random_below(&random, below);
		assert_true(drawn < below);
		assert_true(drawn == qv_random_below_at(qv_random_key(5, 2), k, below));
	}
	assert_int_equal(random.next, 10000);
}

/* The sum of (seen - expected)^2 / expected for n classes that should be as likely. */
static double chi_square(const int *seen, int n, int draws)
{
	const double expected = (double)draws / n;
	double sum = 0;
	for (int i = 0; i < n; i++)
		sum += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
	return sum;
}

static void test_random__below_is_uniform(void **unused)
{
	enum { DRAWS = 70000 };
	/* Exceeded by chance once in 10,000 seeds: 27.9 for six degrees of freedom, 18.4 for two,
	 * 88 for 45. */
	(void)unused;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct qv_random random = { .key = seed };
		int sevens[7] = { 0 }, thirds[3] = { 0 }, many[46] = { 0 };
		for (int i = 0; i < DRAWS; i++) {
			sevens[qv_random_below(&random, 7)]++;
			/* Without refusing the odd ones, the first third would come as often as the
			 * others together. */
			thirds[qv_random_below(&random, UINT64_C(3) << 62) >> 62]++;
			many[qv_random_below(&random, 46)]++;
		}
		assert_true(chi_square(sevens, 7, DRAWS) < 27.9);
		assert_true(chi_square(thirds, 3, DRAWS) < 18.4);
		assert_true(chi_square(many, 46, DRAWS) < 88);
	}
}

static int compare_words(const void *a, const void *b)
{
	uint64_t x, y;
	memcpy(&x, a, sizeof x);
	memcpy(&y, b, sizeof y);
	return (x > y) - (x < y);
}

/* The numbers of neighbouring seats, games and seeds: none twice, and bits that agree as often as
 * not. */
static void test_random__keys_give_unrelated_streams(void **unused)
{
	enum { SEEDS = 3, GAMES = 8, SEATS = 4, EACH = 500, STREAMS = SEEDS * GAMES * SEATS };
	static uint64_t numbers[STREAMS * EACH];
	(void)unused;
	for (int i = 0; i < STREAMS * EACH; i++) {
		const int stream = i / EACH, seat = stream % SEATS, game = stream / SEATS % GAMES;
		const uint64_t key =
			qv_random_key((uint64_t)(stream / SEATS / GAMES), (uint64_t)game);
		numbers[i] = qv_random_at(qv_random_key(key, (uint64_t)seat), (uint64_t)(i % EACH));
	}
	for (int stream = 1; stream < STREAMS; stream++) {
		int agree = 0;
		for (int i = 0; i < EACH; i++)
			agree += 64 - __builtin_popcountll(numbers[stream * EACH + i] ^
							   numbers[(stream - 1) * EACH + i]);
		/* 16000 of 32000 are expected; 90 is one standard deviation. */
		assert_in_range(agree, 16000 - 450, 16000 + 450);
	}
	qsort(numbers, LENGTH(numbers), sizeof *numbers, compare_words);
	for (size_t i = 1; i < LENGTH(numbers); i++)
		assert_true(numbers[i] != numbers[i - 1]);
}

static void test_hash_bytes__tells_bytes_apart(void **unused)
{
	(void)unused;
	unsigned char bytes[21] = { 0 }, zeros[21] = { 0 };
	for (size_t size = 1; size <= sizeof bytes; size++) {
		const uint64_t hash = qv_hash_bytes(zeros, size);
		assert_true(hash != qv_hash_bytes(zeros, size - 1));
		for (size_t bit = 0; bit < 8 * size; bit++) {
			bytes[bit / 8] = (unsigned char)(1 << bit % 8);
			assert_true(qv_hash_bytes(bytes, size) != hash);
			bytes[bit / 8] = 0;
		}
	}
}

/* ---- Words and numbers ---- */

static void test_text_to_int__reads_whole_numbers(void **unused)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "-7", -7 },
		{ "+7", 7 },
		{ "-0", 0 },
		{ "007", 7 },
		{ "9223372036854775807", INT64_MAX },
		{ "+9223372036854775807", INT64_MAX },
		{ "-9223372036854775808", INT64_MIN },
		{ "-9223372036854775807", -INT64_MAX },
		{ "0000000000000000000000000000001", 1 },
	};
	static const char *const bad[] = {
		"",
		"-",
		"+",
		" 1",
		"1 ",
		"--1",
		"+-1",
		"1-",
		"0x10",
		"1e3",
		"1.5",
		"a",
		"1a",
		"\xff",
		"\n1",
		"9223372036854775808",
		"-9223372036854775809",
		"99999999999999999999",
		"-99999999999999999999",
		"18446744073709551616",
		"92233720368547758070",
	};
	(void)unused;
	int64_t value = 0;
	for (size_t i = 0; i < LENGTH(good); i++) {
		assert_true(text_to_int(good[i].text, INT64_MIN, INT64_MAX, &value));
		assert_true(value == good[i].value);
	}
	value = 42;
	for (size_t i = 0; i < LENGTH(bad); i++)
		assert_false(text_to_int(bad[i], INT64_MIN, INT64_MAX, &value));
	assert_int_equal(value, 42);
}

static void test_text_to_int__holds_bounds(void **unused)
{
	(void)unused;
	int64_t value = 42;
	for (int n = -20; n <= 20; n++) {
		char text[8];
		snprintf(text, sizeof text, "%d", n);
		assert_int_equal(text_to_int(text, -3, 12, &value), n >= -3 && n <= 12);
		assert_int_equal(value, n < -3 ? 42 : n > 12 ? 12 : n);
	}
	assert_false(text_to_int("5", 6, 4, &value));
}

/* Edit distance straight from its definition: of the last letters, one is added, dropped or
 * changed, or two are swapped. */
static int literal_distance(const char *a, size_t n, const char *b, size_t m)
{
	if (!n || !m)
		return (int)(n + m);
	int best = literal_distance(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
	const int dropped = literal_distance(a, n - 1, b, m) + 1,
		  added = literal_distance(a, n, b, m - 1) + 1;
	best = dropped < best ? dropped : best;
	best = added < best ? added : best;
	if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
		const int swapped = literal_distance(a, n - 2, b, m - 2) + 1;
		best = swapped < best ? swapped : best;
	}
	return best;
}

static void random_word(struct qv_random *random, char *word, uint64_t longest)
{
	uint64_t length = qv_random_below(random, longest + 1);
	while (length--)
		*word++ = (char)('a' + qv_random_below(random, 3));
	*word = '\0';
}

static void test_distance__is_the_literal_one(void **unused)
{
	(void)unused;
	struct qv_random random = { .key = 1 };
	for (int64_t i = scaled(2000); i; i--) {
		char a[8], b[8];
		random_word(&random, a, 6);
		random_word(&random, b, 6);
		assert_int_equal(text_distance(a, b), literal_distance(a, strlen(a), b, strlen(b)));
	}
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	assert_int_equal(text_distance("Reversi", "rEVERSI"), 0);
	assert_int_equal(text_distance("perft", "pertf"), 1);
}

static void test_distance__long_words_are_far(void **unused)
{
	(void)unused;
	char word[66];
	memset(word, 'w', sizeof word);
	word[65] = '\0';
	assert_int_equal(text_distance(word, "w"), 255);
	assert_int_equal(text_distance("w", word), 255);
	word[64] = '\0';
	assert_int_equal(text_distance(word, word), 0);
	assert_int_equal(text_distance(word, "w"), 63);
}

static void test_text_to_ms__units_and_bounds(void **unused)
{
	static const struct {
		const char *text;
		int64_t plain, clock; /* -1: it is not taken */
		const char *rest;
	} cases[] = {
		{ "500ms", 500, 500, "" },
		{ "2s", 2000, 2000, "" },
		{ "1.5s", 1500, 1500, "" },
		{ "2.s", 2000, 2000, "" },
		{ "0.0019s", 1, -1, "" },
		{ "1.5ms", -1, 1, "" },
		{ "5m", -1, 300000, "" },
		{ "1h", -1, 3600000, "" },
		{ "300", -1, 300000, "" },
		{ "300+3", -1, 300000, "+3" },
		{ "168h", -1, 604800000, "" },
		{ "169h", -1, -1, "" },
		{ "604800s", 604800000, 604800000, "" },
		{ "604801s", -1, -1, "" },
		{ "604800000ms", 604800000, 604800000, "" },
		{ "99999999999999999999s", -1, -1, "" },
		{ "", -1, -1, "" },
		{ "s", -1, -1, "" },
		{ "-1s", -1, -1, "" },
		{ ".5s", -1, -1, "" },
		{ "2sec", 2000, 2000, "ec" },
		{ "2 s", -1, 2000, " s" },
	};
	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (int clock = 0; clock < 2; clock++) {
			const int64_t expected = clock ? cases[i].clock : cases[i].plain;
			const char *at = cases[i].text;
			int64_t ms = -1;
			/* A clock stops at the fourth decimal, and the caller sees what is left. */
			const bool taken =
				text_to_ms(&at, clock, &ms) && !(at[0] >= '0' && at[0] <= '9');
			if (taken != (expected >= 0) || (taken && ms != expected))
				fail_msg("'%s', clock %d: %lld", cases[i].text, clock,
					 (long long)ms);
			if (taken)
				assert_string_equal(at, cases[i].rest);
		}
}

static void test_nearest__names_only_what_is_near(void **unused)
{
	(void)unused;
	struct text_nearest near = text_nearest_to("conect4");
	text_nearest_try(&near, "noughts");
	assert_null(near.best);
	text_nearest_try(&near, "connect5");
	assert_string_equal(near.best, "connect5");
	text_nearest_try(&near, "connect4");
	assert_string_equal(near.best, "connect4");
	text_nearest_try(&near, "connec4"); /* as near: the first stays */
	assert_string_equal(near.best, "connect4");
	near = text_nearest_to("foo"); /* two of three letters are wrong */
	text_nearest_try(&near, "book");
	assert_null(near.best);
	near = text_nearest_to("");
	text_nearest_try(&near, "reversi");
	assert_null(near.best);
}

static void test_same__ignores_ascii_case_only(void **unused)
{
	(void)unused;
	assert_true(text_same("", "") && text_same("aZ09-", "Az09-"));
	assert_false(text_same("a", "") || text_same("", "a") || text_same("ab", "a") ||
		     text_same("a", "ab"));
	assert_false(text_same("@", "`") || text_same("[", "{") || text_same("\xc9", "\xe9"));
}

/* ---- Text that is written ---- */

static void test_text__is_cut_and_measured(void **unused)
{
	static const char whole[] = "a-9223372036854775808z";
	(void)unused;
	for (size_t size = 0; size <= sizeof whole + 1; size++) {
		char data[sizeof whole + 2];
		memset(data, '#', sizeof data);
		data[0] = '\0'; /* an empty text to begin with */
		struct qv_text out = { size ? data : NULL, size, 0 };
		qv_put_char(&out, 'a');
		qv_put_int(&out, INT64_MIN);
		qv_put(&out, "");
		qv_put(&out, "z");
		assert_int_equal(out.length, sizeof whole - 1);
		if (size) {
			const size_t fits = size <= sizeof whole - 1 ? size - 1 : sizeof whole - 1;
			assert_memory_equal(data, whole, fits);
			assert_int_equal(data[fits], '\0');
		}
		for (size_t i = size ? size : 1; i < sizeof data; i++)
			assert_int_equal(data[i], '#');
	}
}

static void test_fail__one_printable_line(void **unused)
{
	(void)unused;
	struct qv_error error;
	assert_int_equal(qv_fail(NULL, QV_IO, "%s", "unsaid"), QV_IO);
	assert_int_equal(qv_fail(&error, QV_BAD_INPUT, "a\nb\tc\x7f%s%c", "\xc3\xa9", 1),
			 QV_BAD_INPUT);
	assert_string_equal(error.text, "a?b?c????");
	char longer[2000];
	memset(longer, '~', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	qv_fail(&error, QV_IO, "%s", longer);
	assert_int_equal(strlen(error.text), sizeof error.text - 1);
	assert_memory_equal(error.text, longer, sizeof error.text - 1);
}

static void test_status__every_one_has_words(void **unused)
{
	(void)unused;
	for (int i = 0; i < QV_STATUS_COUNT; i++)
		for (int j = 0; j < i; j++)
			assert_string_not_equal(qv_status_text((enum qv_status)i),
						qv_status_text((enum qv_status)j));
	assert_string_equal(qv_status_text((enum qv_status) - 1), "unknown status");
	assert_string_equal(qv_status_text(QV_STATUS_COUNT), "unknown status");
	assert_string_equal(qv_version(), QV_VERSION);
}

static void test_string__grows(void **unused)
{
	enum { PIECES = 3000 };
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct string s = { .allocator = &allocator };
	char piece[700];
	memset(piece, 'p', sizeof piece);
	piece[sizeof piece - 1] = '\0';
	string_add(&s, "", 0);
	assert_string_equal(s.data, "");
	size_t length = 0;
	for (int i = 0; i < PIECES; i++) {
		const size_t some = (size_t)i % sizeof piece;
		string_addf(&s, "%.*s", (int)some, piece);
		length += some;
		assert_int_equal(s.length, length);
	}
	assert_false(s.failed);
	assert_int_equal(strlen(s.data), length);
	assert_int_equal(strspn(s.data, "p"), length);
	string_release(&s);
	string_add(&s, "again", 5);
	assert_string_equal(s.data, "again");
	string_release(&s);
	assert_int_equal(meter.bytes, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

/* A failure leaves it as it was, and so do all that come after. */
static void check_string_failure(const struct qv_allocator *allocator, struct meter *meter,
				 int64_t fail_at)
{
	char longer[600];
	memset(longer, 'l', sizeof longer);
	longer[sizeof longer - 1] = '\0';
	struct string s = { .allocator = allocator };
	string_add(&s, "begun", 5);
	meter_arm(meter, fail_at, false);
	string_addf(&s, "%s", longer);
	assert_true(s.failed);
	assert_string_equal(s.data, "begun");
	string_add(&s, "more", 4);
	string_addf(&s, "%d", 1);
	assert_true(s.failed);
	assert_string_equal(s.data, "begun");
	string_release(&s);
	assert_int_equal(meter->bytes, 0);
}

static void test_string__survives_no_memory(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	check_string_failure(&allocator, &meter, 1); /* the long text itself */
	check_string_failure(&allocator, &meter, 2); /* the growing */
	meter_arm(&meter, 1, true);
	struct string s = { .allocator = &allocator };
	string_add(&s, "x", 1);
	assert_true(s.failed && !s.data && !s.length);
	string_release(&s);
}

/* ---- Memory ---- */

static void test_arena__aligned_zeroed_and_bounded(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct arena a;
	assert_int_equal(
		arena_init(&a, &allocator, arena_need(3, 7) + arena_need(5, 40) + arena_need(1, 1)),
		QV_OK);
	static const size_t wanted[][2] = { { 3, 7 }, { 5, 40 }, { 1, 1 } };
	unsigned char *end = a.data;
	for (size_t i = 0; i < LENGTH(wanted); i++) {
		unsigned char *block = arena_take(&a, wanted[i][0], wanted[i][1]);
		assert_non_null(block);
		assert_int_equal((uintptr_t)block % 64, 0);
		assert_true(block >= end);
		end = block + wanted[i][0] * wanted[i][1];
		assert_true(end <= a.data + a.size);
		for (unsigned char *c = block; c < end; c++)
			assert_int_equal(*c, 0);
		memset(block, 0xff, wanted[i][0] * wanted[i][1]);
	}
	assert_null(arena_take(&a, 2, 64));
	arena_release(&a);
	assert_int_equal(meter.bytes, 0);
	arena_release(&a);
}

static void test_arena__too_much_is_refused(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	struct arena a;
	assert_int_equal(arena_init(&a, &allocator, 1000), QV_OK);
	const size_t used = a.used;
	static const size_t large[] = { SIZE_MAX,     SIZE_MAX - 1,    SIZE_MAX / 2,
					SIZE_MAX / 3, (size_t)1 << 32, 2000 };
	for (size_t i = 0; i < LENGTH(large); i++)
		for (size_t j = 0; j < LENGTH(large); j++) {
			assert_null(arena_take(&a, large[i], large[j]));
			assert_null(mem_new(&allocator, large[i], SIZE_MAX / 2));
		}
	assert_int_equal(a.used, used);
	assert_non_null(arena_take(&a, 1, 900));
	arena_release(&a);
	meter_arm(&meter, 1, false);
	assert_int_equal(arena_init(&a, &allocator, 10), QV_NO_MEMORY);
	arena_release(&a);
	assert_int_equal(meter.blocks, 0);
}

static void test_memory__new_is_zeroed_and_sizes_come_back(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	unsigned char *block = mem_new(&allocator, 10, 10);
	for (int i = 0; i < 100; i++)
		assert_int_equal(block[i], 0);
	char *text = mem_strdup(&allocator, "copied");
	assert_string_equal(text, "copied");
	void *nothing = mem_new(&allocator, 0, 8);
	assert_non_null(nothing);
	mem_free(&allocator, nothing, 0);
	mem_strfree(&allocator, text);
	mem_strfree(&allocator, NULL);
	mem_free(&allocator, NULL, 8);
	mem_free(&allocator, block, 100);
	assert_int_equal(meter.blocks, 0);
	assert_int_equal(meter.wrong_sizes, 0);
}

/* ---- Files ---- */

static void write_file(char *path, const char *data, size_t size)
{
	strcpy(path, "/tmp/test-base-XXXXXX");
	const int file = mkstemp(path);
	assert_true(file >= 0);
	assert_int_equal(write(file, data, size), size);
	close(file);
}

static void check_file(const char *data, size_t size)
{
	char path[64];
	struct file_bytes read = { NULL, 0, 0 };
	struct qv_error error = { "" };
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	write_file(path, data, size);
	assert_int_equal(file_read(&allocator, path, size, &read, &error), QV_OK);
	assert_int_equal(read.size, size);
	assert_memory_equal(read.data, data, size);
	assert_int_equal(read.data[size], '\0');
	file_release(&allocator, &read);
	if (size) {
		assert_int_equal(file_read(&allocator, path, size - 1, &read, &error), QV_IO);
		assert_non_null(strstr(error.text, ": larger than "));
	}
	enum qv_status status = QV_NO_MEMORY;
	for (int64_t n = 1; status != QV_OK; n++) {
		meter_arm(&meter, n, false);
		status = file_read(&allocator, path, size, &read, &error);
		assert_true(status == QV_OK || status == QV_NO_MEMORY);
		assert_int_equal(meter.failed, status == QV_NO_MEMORY);
		assert_true(status == QV_OK || meter.bytes == 0);
	}
	file_release(&allocator, &read);
	assert_int_equal(meter.bytes, 0);
	assert_int_equal(meter.wrong_sizes, 0);
	unlink(path);
}

static void test_file__read_whole_or_refused(void **unused)
{
	static const size_t sizes[] = { 0, 1, 4094, 4095, 4096, 4097, 8191, 8192, 100000 };
	static char data[100000];
	(void)unused;
	for (size_t i = 0; i < sizeof data; i++)
		data[i] = (char)qv_random_at(9, i); /* NULs too */
	for (size_t i = 0; i < LENGTH(sizes); i++)
		check_file(data, sizes[i]);
}

static void expect_file(const char *path, const char *text)
{
	struct file_bytes read;
	assert_int_equal(file_read(&mem_malloc, path, 100, &read, NULL), QV_OK);
	assert_string_equal(read.data, text);
	file_release(&mem_malloc, &read);
}

/* The old file stands until the new one is whole; nothing else is left, whatever goes wrong. */
static void test_file__written_whole_or_not_at_all(void **unused)
{
	(void)unused;
	char folder[] = "/tmp/test-base-XXXXXX", path[64];
	struct file_writer w = { 0 };
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/file", folder);
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "old", 3, NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_OK);
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "half", 4, NULL), QV_OK);
	expect_file(path, "old");
	file_abandon(&w);
	file_abandon(&w);
	expect_file(path, "old");
	struct file_writer other = { 0 };
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_create(&other, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "new", 3, NULL), QV_OK);
	assert_int_equal(file_write(&other, "newer", 5, NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_OK);
	expect_file(path, "new");
	assert_int_equal(file_keep(&other, NULL), QV_OK);
	expect_file(path, "newer");
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "late", 4, NULL), QV_OK);
	assert_int_equal(file_keep_new(&w, NULL), QV_ILLEGAL);
	expect_file(path, "newer");
	unlink(path);
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "first", 5, NULL), QV_OK);
	assert_int_equal(file_keep_new(&w, NULL), QV_OK);
	expect_file(path, "first");
	unlink(path);
	assert_int_equal(rmdir(folder), 0);        /* so it was empty */
	struct qv_error error = { "" };
	assert_int_equal(file_create(&w, &mem_malloc, path, &error), QV_IO);
	assert_non_null(strstr(error.text, "cannot be written"));
	assert_int_equal(file_create(&w, &mem_malloc, "/tmp", NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_IO);      /* a folder has that name */
}

/* Devices, pipes and links stay what they are. */
static void test_file__written_in_place(void **unused)
{
	(void)unused;
	char folder[] = "/tmp/test-base-XXXXXX", path[64], file[64], bytes[8] = "";
	struct file_writer w = { 0 };
	struct stat about;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof path, "%s/name", folder);
	snprintf(file, sizeof file, "%s/file", folder);

	assert_int_equal(mkfifo(path, 0600), 0);
	const int reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "piped", 5, NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_OK);
	assert_int_equal(read(reader, bytes, sizeof bytes), 5);
	assert_memory_equal(bytes, "piped", 5);
	assert_int_equal(stat(path, &about), 0);
	assert_true(S_ISFIFO(about.st_mode));
	close(reader);
	unlink(path);

	assert_int_equal(symlink("/dev/full", path), 0);
	struct qv_error error = { "" };
	if (access(path, W_OK) == 0) {
		assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
		assert_int_equal(file_write(&w, "lost", 4, &error), QV_IO);
		assert_non_null(strstr(error.text, "No space left"));
		assert_int_equal(stat(path, &about), 0);
		assert_true(S_ISCHR(about.st_mode));
	}
	unlink(path);

	assert_int_equal(file_create(&w, &mem_malloc, file, NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_OK);
	assert_int_equal(symlink(file, path), 0);
	assert_int_equal(file_create(&w, &mem_malloc, path, NULL), QV_OK);
	assert_int_equal(file_write(&w, "new", 3, NULL), QV_OK);
	assert_int_equal(file_keep(&w, NULL), QV_OK);
	expect_file(file, "new");
	assert_int_equal(lstat(path, &about), 0);
	assert_true(S_ISLNK(about.st_mode));
	unlink(path);
	unlink(file);
	assert_int_equal(rmdir(folder), 0);
}

static void test_file__writer_survives_without_memory(void **unused)
{
	(void)unused;
	struct meter meter = meter_make();
	const struct qv_allocator allocator = { meter_resize, &meter };
	enum qv_status status = QV_NO_MEMORY;
	for (int64_t n = 1; status != QV_OK; n++) {
		struct file_writer w = { 0 };
		meter_arm(&meter, n, false);
		status = file_create(&w, &allocator, "/tmp/test-base-memory", NULL);
		assert_true(status == QV_OK || status == QV_NO_MEMORY);
		file_abandon(&w);
		assert_int_equal(meter.bytes, 0);
	}
	assert_int_equal(meter.wrong_sizes, 0);
}

static void test_file__missing_directory_and_nameless(void **unused)
{
	static const char *const names[] = { "/tmp/no-such-file/at-all", "/tmp", "" };
	static const char *const reasons[] = { "No such file", "directory", "the name is empty" };
	(void)unused;
	for (size_t i = 0; i < LENGTH(names); i++) {
		struct file_bytes read;
		struct qv_error error = { "" };
		assert_int_equal(file_read(&mem_malloc, names[i], 100, &read, &error), QV_IO);
		assert_non_null(strstr(error.text, reasons[i]));
		assert_non_null(strstr(error.text, ": "));
		assert_int_equal(file_read(&mem_malloc, names[i], 100, &read, NULL), QV_IO);
	}
	struct file_writer writer;
	struct qv_error error = { "" };
	assert_int_equal(file_create(&writer, &mem_malloc, "", &error), QV_IO);
	assert_string_equal(error.text, "file: the name is empty");
	file_abandon(&writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random__published_sequence),
		cmocka_unit_test(test_random__number_by_name_is_number_in_turn),
		cmocka_unit_test(test_random__below_is_uniform),
		cmocka_unit_test(test_random__keys_give_unrelated_streams),
		cmocka_unit_test(test_hash_bytes__tells_bytes_apart),
		cmocka_unit_test(test_text_to_int__reads_whole_numbers),
		cmocka_unit_test(test_text_to_int__holds_bounds),
		cmocka_unit_test(test_distance__is_the_literal_one),
		cmocka_unit_test(test_distance__long_words_are_far),
		cmocka_unit_test(test_text_to_ms__units_and_bounds),
		cmocka_unit_test(test_nearest__names_only_what_is_near),
		cmocka_unit_test(test_same__ignores_ascii_case_only),
		cmocka_unit_test(test_text__is_cut_and_measured),
		cmocka_unit_test(test_fail__one_printable_line),
		cmocka_unit_test(test_status__every_one_has_words),
		cmocka_unit_test(test_string__grows),
		cmocka_unit_test(test_string__survives_no_memory),
		cmocka_unit_test(test_arena__aligned_zeroed_and_bounded),
		cmocka_unit_test(test_arena__too_much_is_refused),
		cmocka_unit_test(test_memory__new_is_zeroed_and_sizes_come_back),
		cmocka_unit_test(test_file__read_whole_or_refused),
		cmocka_unit_test(test_file__written_whole_or_not_at_all),
		cmocka_unit_test(test_file__written_in_place),
		cmocka_unit_test(test_file__writer_survives_without_memory),
		cmocka_unit_test(test_file__missing_directory_and_nameless),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
