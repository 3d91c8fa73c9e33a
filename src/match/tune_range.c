/*
 * tune_range.c - parses NAME=FROM:TO:STEP, the values of a weight to try.
 * SPDX-License-Identifier: MIT
 *
 * NAME may have an index, as in corner[2]; whether the weight exists is checked later, by tune_run.
 */
#include "match/tune.h"

#include "base/scan.h"
#include "search/weights.h"

/* FROM:TO:STEP, and nothing after it. */
static bool read_numbers(const char *text, struct tune_range *r)
{
	const int64_t most = WEIGHT_MOST;
	int64_t from, to, step;
	if (!scan_int(&text, -most, most, &from) || !scan_literal(&text, ":") ||
	    !scan_int(&text, -most, most, &to) || !scan_literal(&text, ":") ||
	    !scan_int(&text, -most, most, &step) || *text)
		return false;
	r->from = (int)from;
	r->to = (int)to;
	r->step = (int)step;
	return true;
}

enum qv_status tune_range_parse(const char *text, struct tune_range *out, struct qv_error *error)
{
	struct tune_range r = { "", 0, 0, 0, 0 };
	const size_t length = strcspn(text, "=");
	const char *rest = text[length] ? text + length + 1 : "";
	if (!length || length >= sizeof r.name || !read_numbers(rest, &r))
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s' is not NAME=FROM:TO:STEP, as in corner[2]=0:40:10",
			       text);
	memcpy(r.name, text, length);
	if (r.step < 1 || r.from > r.to)
		return qv_fail(error, QV_BAD_INPUT,
			       "weight: '%.60s': FROM must be at most TO, and STEP at least 1",
			       text);
	r.count = (r.to - r.from) / r.step + 1;
	if (r.count > TUNE_VALUES)
		return qv_fail(error, QV_BAD_INPUT, "weight: '%.60s': %d values, more than %d",
			       text, r.count, TUNE_VALUES);
	*out = r;
	return QV_OK;
}
