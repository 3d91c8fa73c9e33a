/*
 * game_clock.c - the clocks of a game: each seat's time runs only while that seat thinks.
 * SPDX-License-Identifier: MIT
 */
#include "core/game_clock.h"

enum { MOST_SECONDS = 7 * 24 * 3600, MOST_DIGITS = 6, THOUSANDTHS = 3 };

/* A whole or decimal number in thousandths; steps past it. */
static bool read_thousandths(const char **text, int64_t *out)
{
	const char *t = *text;
	int64_t value = 0;
	int digits = 0, places = 0;
	for (; *t >= '0' && *t <= '9' && digits < MOST_DIGITS; t++, digits++)
		value = value * 10 + (*t - '0');
	if (!digits)
		return false;
	if (*t == '.')
		for (t++; *t >= '0' && *t <= '9' && places < THOUSANDTHS; t++, places++)
			value = value * 10 + (*t - '0');
	for (; places < THOUSANDTHS; places++)
		value *= 10;
	*text = t;
	*out = value;
	return true;
}

/* TIME: a number and its unit, in milliseconds. */
static bool read_time(const char **text, int64_t *ms)
{
	static const struct {
		const char *name;
		int64_t per_thousandth; /* milliseconds in a thousandth of it, times 1000 */
	} units[] = { { "ms", 1 }, { "h", 3600000 }, { "m", 60000 }, { "s", 1000 }, { "", 1000 } };
	int64_t thousandths;
	if (!read_thousandths(text, &thousandths))
		return false;
	for (size_t i = 0;; i++) {
		const size_t length = strlen(units[i].name);
		if (strncmp(*text, units[i].name, length) != 0)
			continue;
		*text += length;
		*ms = thousandths * units[i].per_thousandth / 1000;
		return *ms <= INT64_C(1000) * MOST_SECONDS;
	}
}

bool timer_parse(const char *text, struct timer_terms *out)
{
	struct timer_terms terms = { 0, 0 };
	if (strcmp(text, "off") == 0) {
		*out = terms;
		return true;
	}
	if (!read_time(&text, &terms.base_ms) || terms.base_ms < 1)
		return false;
	if (*text == '+' && (text++, !read_time(&text, &terms.added_ms)))
		return false;
	if (*text)
		return false;
	*out = terms;
	return true;
}

static void put_time(int64_t ms, struct qv_text *out)
{
	const bool minutes = ms && ms % 60000 == 0, seconds = ms % 1000 == 0;
	qv_put_int(out, minutes ? ms / 60000 : seconds ? ms / 1000 : ms);
	qv_put(out, minutes ? "m" : seconds ? "s" : "ms");
}

void timer_text(const struct timer_terms *terms, struct qv_text *out)
{
	if (!terms->base_ms) {
		qv_put(out, "off");
		return;
	}
	put_time(terms->base_ms, out);
	if (terms->added_ms) {
		qv_put_char(out, '+');
		put_time(terms->added_ms, out);
	}
}

void timer_init(struct timer *t, const struct timer_terms *terms)
{
	*t = (struct timer){ .terms = *terms, .seat = -1 };
	for (int i = 0; i < QV_MAX_SEATS; i++)
		t->left_ms[i] = terms->base_ms;
}

bool timer_on(const struct timer *t)
{
	return t->terms.base_ms > 0;
}

/* Without a clock the time of a turn is still counted, for the record. */
void timer_start(struct timer *t, int seat, int64_t now_ms)
{
	t->seat = seat;
	t->since_ms = now_ms;
}

void timer_stop(struct timer *t, int64_t now_ms)
{
	if (t->seat < 0)
		return;
	const int64_t took = now_ms > t->since_ms ? now_ms - t->since_ms : 0;
	t->spent_ms += took;
	if (timer_on(t))
		t->left_ms[t->seat] -= took;
	t->seat = -1;
}

int64_t timer_turn(struct timer *t, int seat, bool moved)
{
	const int64_t spent = t->spent_ms;
	if (moved && timer_on(t) && seat >= 0)
		t->left_ms[seat] += t->terms.added_ms;
	t->spent_ms = 0;
	return spent;
}

int64_t timer_left(const struct timer *t, int seat, int64_t now_ms)
{
	const bool runs = t->seat == seat && now_ms > t->since_ms;
	return t->left_ms[seat] - (runs ? now_ms - t->since_ms : 0);
}
