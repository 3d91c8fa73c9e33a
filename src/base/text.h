/*
 * text.h - numbers, similar words, UTF-8, and strings that grow.
 * SPDX-License-Identifier: MIT
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/memory.h"

/* Reads the whole text as a number from min to max: digits with an optional sign, nothing else. */
bool text_to_int(const char *text, int64_t min, int64_t max, int64_t *out);

/*
 * Reads a time at the start of *text, in milliseconds, and steps past it: 500ms, 2s, 1.5s. With
 * `clock` also 1h, 5m and 300, which is in seconds. False: not a time, or longer than a week.
 */
bool text_to_ms(const char **text, bool clock, int64_t *ms);

/*
 * Edit distance of two words, letter case ignored, at most 255; longer words than 64 letters count
 * as far.
 */
int text_distance(const char *a, const char *b);

/*
 * Finds the candidate nearest to a word, for "did you mean". Call text_nearest_try for each
 * candidate. `best` stays NULL while no candidate is near enough to be a useful suggestion.
 */
struct text_nearest {
	const char *word, *best;
	int distance;
};
struct text_nearest text_nearest_to(const char *word);
void text_nearest_try(struct text_nearest *n, const char *candidate);

bool text_same(const char *a, const char *b);     /* equal if ASCII letter case is ignored */

/*
 * The length in bytes of the UTF-8 character at `text`, 1 to 4; 0: it is not valid UTF-8. A NUL has
 * length 1.
 */
int text_character(const char *text);

/*
 * A string that grows. If an allocation fails, the string stays as it is and `failed` is set, so
 * check once, at the end. { allocator } is a valid empty string; data may be NULL while length is
 * 0.
 */
struct string {
	const struct qv_allocator *allocator;
	char *data;
	size_t length, capacity;
	bool failed;
};
void string_add(struct string *s, const char *text, size_t length);
void string_addf(struct string *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void string_release(struct string *s);

#endif
