/*
 * tune_range.c - NAME=FROM:TO:STEP, the values of a weight that are to be tried.
 * SPDX-License-Identifier: MIT
 */
#include "match/tune.h"

#include "search/weights.h"

/* The number before `end`; *text goes behind it. */
static bool read_number(const char **text, char end, int *out)
{
	char digits[16];
	int64_t number;
	const char *stop = strchr(*text, end);
	const size_t length = stop ? (size_t)(stop - *text) : sizeof digits;
	if (length >= sizeof digits)
		return false;
	memcpy(digits, *text, length);
	digits[length] = '\0';
	*text = stop + 1;
	if (!text_to_int(digits, -WEIGHT_MOST, WEIGHT_MOST, &number))
		return false;
	*out = (int)number;
	return true;
}

enum qv_status tune_range_parse(const char *text, struct tune_range *out, struct qv_error *error)
{
	struct tune_range r = { "", 0, 0, 0, 0 };
	const size_t length = strcspn(text, "=");
	const char *rest = text[length] ? text + length + 1 : "";
	if (!length || length >= sizeof r.name || !read_number(&rest, ':', &r.from) ||
	    !read_number(&rest, ':', &r.to) || !read_number(&rest, '\0', &r.step))
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s' is not NAME=FROM:TO:STEP, as in corner[2]=0:40:10",
			       text);
	memcpy(r.name, text, length);
	if (r.step < 1 || r.from > r.to)
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s': FROM is at most TO, and STEP at least 1", text);
	r.count = (r.to - r.from) / r.step + 1;
	if (r.count > TUNE_VALUES)
		return qv_fail(error, QV_BAD_INPUT, "weight: '%.60s': %d values, more than %d",
			       text, r.count, TUNE_VALUES);
	*out = r;
	return QV_OK;
}
