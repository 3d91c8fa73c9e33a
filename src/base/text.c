/*
 * text.c - numbers, similar words, UTF-8, and strings that grow.
 * SPDX-License-Identifier: MIT
 *
 * Suggestions use the Damerau-Levenshtein distance with three rows of the usual table; words of
 * users are short, so the quadratic cost does not matter. Strings double their capacity, and small
 * formatted texts are built on the stack first.
 */
#include "base/text.h"

#include "base/scan.h"

bool text_to_int(const char *text, int64_t min, int64_t max, int64_t *out)
{
	int64_t number;
	if (!scan_int(&text, min, max, &number) || *text)
		return false;
	*out = number;
	return true;
}

/* The number in thousandths; without `clock`, digits beyond the thousandth do not count. */
static bool read_thousandths(const char **text, bool clock, int64_t *out, bool *fraction)
{
	enum { MOST = 7 * 24 * 3600 * 1000 };
	const char *c = *text;
	int64_t value = 0;
	int places = 0;
	*fraction = false;
	if (!is_digit(*c))
		return false;
	for (; is_digit(*c); c++)
		if ((value = value * 10 + (*c - '0')) > MOST)
			return false;
	if (*c == '.')
		for (*fraction = true, c++; is_digit(*c) && (places < 3 || !clock); c++)
			if (places < 3) {
				value = value * 10 + (*c - '0');
				places++;
			}
	for (; places < 3; places++)
		value *= 10;
	*text = c;
	*out = value;
	return true;
}

bool text_to_ms(const char **text, bool clock, int64_t *ms)
{
	static const struct {
		const char *name;
		int64_t ms;
		bool clock;
	} units[] = { { "ms", 1, false },
		      { "s", 1000, false },
		      { "h", 3600000, true },
		      { "m", 60000, true },
		      { "", 1000, true } };
	const char *c = *text;
	int64_t thousandths;
	bool fraction;
	if (!read_thousandths(&c, clock, &thousandths, &fraction))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		const size_t length = strlen(units[i].name);
		if ((units[i].clock && !clock) || strncmp(c, units[i].name, length) != 0)
			continue;
		*text = c + length;
		*ms = thousandths * units[i].ms / 1000;
		return *ms <= 7 * 24 * INT64_C(3600000) && (clock || !fraction || i > 0);
	}
	return false;
}

int text_character(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	const unsigned char first = c[0];
	const int length = first < 0x80			   ? 1
			   : first < 0xc2 || first >= 0xf5 ? 0
							   : 2 + (first >= 0xe0) + (first >= 0xf0);
	for (int i = 1; i < length; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	/* The second byte shows overlong forms, surrogates and values beyond Unicode. */
	const bool bad =
		length >= 3 && ((first == 0xe0 && c[1] < 0xa0) || (first == 0xed && c[1] >= 0xa0) ||
				(first == 0xf0 && c[1] < 0x90) || (first == 0xf4 && c[1] >= 0x90));
	return bad ? 0 : length;
}

bool text_same(const char *a, const char *b)
{
	while (*a && to_lower(*a) == to_lower(*b))
		a++, b++;
	return to_lower(*a) == to_lower(*b);
}

int text_distance(const char *a, const char *b)
{
	enum { LONGEST = 64, FAR = 255 };
	const size_t n = strlen(a), m = strlen(b);
	if (n > LONGEST || m > LONGEST)
		return FAR;
	/* Rows of the usual table. Swapped neighbours need the row before the previous one. */
	int row[3][LONGEST + 1] = { { 0 } };
	for (size_t j = 0; j <= m; j++)
		row[0][j] = (int)j;
	for (size_t i = 1; i <= n; i++) {
		const int *above = row[(i - 1) % 3], *two_above = row[(i + 1) % 3];
		int *here = row[i % 3];
		here[0] = (int)i;
		for (size_t j = 1; j <= m; j++) {
			int d = above[j - 1] + (to_lower(a[i - 1]) != to_lower(b[j - 1]));
			if (d > above[j] + 1)
				d = above[j] + 1;
			if (d > here[j - 1] + 1)
				d = here[j - 1] + 1;
			if (i > 1 && j > 1 && to_lower(a[i - 1]) == to_lower(b[j - 2]) &&
			    to_lower(a[i - 2]) == to_lower(b[j - 1]) && d > two_above[j - 2] + 1)
				d = two_above[j - 2] + 1;
			here[j] = d;
		}
	}
	return row[n % 3][m];
}

struct text_nearest text_nearest_to(const char *word)
{
	return (struct text_nearest){ .word = word, .distance = 255 };
}

void text_nearest_try(struct text_nearest *n, const char *candidate)
{
	const int d = text_distance(n->word, candidate);
	const size_t longest =
		strlen(candidate) > strlen(n->word) ? strlen(candidate) : strlen(n->word);
	/* In a word of three letters two wrong ones leave nothing to guess from. */
	const int most = strlen(n->word) > 3 ? 1 + (int)longest / 3 : 1;
	if (d < n->distance && d <= most) {
		n->best = candidate;
		n->distance = d;
	}
}

void string_add(struct string *s, const char *text, size_t length)
{
	if (s->failed)
		return;
	if (s->length + length + 1 > s->capacity) {
		size_t capacity = (s->length + length + 1) * 2;
		char *data = mem_resize(s->allocator, s->data, s->capacity, capacity);
		if (!data) {
			s->failed = true;
			return;
		}
		s->data = data;
		s->capacity = capacity;
	}
	memcpy(s->data + s->length, text, length);
	s->length += length;
	s->data[s->length] = '\0';
}

void string_addf(struct string *s, const char *format, ...)
{
	char small[512];
	va_list args;
	va_start(args, format);
	int n = vsnprintf(small, sizeof small, format, args);
	va_end(args);
	if (n < (int)sizeof small) {
		string_add(s, small, n < 0 ? 0 : (size_t)n);
		return;
	}
	char *large = mem_new(s->allocator, (size_t)n + 1, 1);
	if (!large) {
		s->failed = true;
		return;
	}
	va_start(args, format);
	vsnprintf(large, (size_t)n + 1, format, args);
	va_end(args);
	string_add(s, large, (size_t)n);
	mem_free(s->allocator, large, (size_t)n + 1);
}

void string_release(struct string *s)
{
	mem_free(s->allocator, s->data, s->capacity);
	*s = (struct string){ .allocator = s->allocator };
}
