/*
 * options.c - named options: defaults, reading and writing, all from tables.
 * SPDX-License-Identifier: MIT
 */
#include "base/options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/scan.h"

enum { ITEM_MOST = 512 };

/* ---- One value ---- */

void option_put_choice(const char *choices, int64_t place, struct qv_text *out)
{
	while (place-- > 0 && strchr(choices, '|'))
		choices = strchr(choices, '|') + 1;
	while (*choices && *choices != '|')
		qv_put_char(out, *choices++);
}

/* 500ms, 2s or 1.5s, in milliseconds; digits beyond the thousandth do not count. */
static bool read_time(const char *text, int64_t max, int64_t *out)
{
	int64_t whole = 0, thousandths = 0, unit = 1000;
	const char *c = text;
	if (!is_digit(*c))
		return false;
	for (; is_digit(*c); c++) {
		whole = whole * 10 + (*c - '0');
		if (whole > max)
			return false;
	}
	const bool fraction = *c == '.';
	if (fraction)
		for (c++; is_digit(*c); c++) {
			unit /= 10;
			thousandths += unit * (*c - '0');
		}
	if (strcmp(c, "s") == 0)
		*out = whole * 1000 + thousandths;
	else if (strcmp(c, "ms") == 0 && !fraction)
		*out = whole;
	else
		return false;
	return true;
}

static bool read_real(const char *text, const struct option *o, double *out)
{
	char *end;
	/* strtod alone would take blanks, "nan", "inf" and hexadecimal numbers. */
	if (!*text || text[strspn(text, "+-.0123456789eE")])
		return false;
	*out = strtod(text, &end);
	return !*end && isfinite(*out) && *out >= (double)o->min && *out <= (double)o->max;
}

static enum qv_status bad_value(const struct option *o, const char *text, struct qv_error *error)
{
	switch (o->type) {
	case OPTION_TIME:
		return qv_fail(error, QV_BAD_INPUT,
			       "%s=%.40s: expected a time such as 500ms, 2s or 1.5s, at most %llds",
			       o->name, text, (long long)(o->max / 1000));
	case OPTION_CHOICE:
		return qv_fail(error, QV_UNKNOWN, "%s=%.40s: expected one of %s", o->name, text,
			       o->choices);
	case OPTION_TEXT:
		return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: expected 1 to %zu characters",
			       o->name, text, o->size - 1);
	default:
		return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: expected a number from %lld to %lld",
			       o->name, text, (long long)(o->type == OPTION_SWITCH ? 0 : o->min),
			       (long long)(o->type == OPTION_SWITCH ? 1 : o->max));
	}
}

enum qv_status option_read(const struct option *o, void *values, const char *text,
			   struct qv_error *error)
{
	void *field = (char *)values + o->at;
	int64_t number = 0;
	double real;
	bool good = false;
	switch (o->type) {
	case OPTION_INT:
		good = text_to_int(text, o->min, o->max, &number);
		break;
	case OPTION_SWITCH:
		good = text_to_int(text, 0, 1, &number);
		break;
	case OPTION_TIME:
		good = read_time(text, o->max, &number) && number >= o->min && number <= o->max;
		break;
	case OPTION_CHOICE:
		number = scan_choice(o->choices, text);
		good = number >= 0;
		break;
	case OPTION_REAL:
		if (!read_real(text, o, &real))
			return bad_value(o, text, error);
		memcpy(field, &real, sizeof real);
		return QV_OK;
	case OPTION_TEXT:
		if (!*text || strlen(text) >= o->size)
			return bad_value(o, text, error);
		memcpy(field, text, strlen(text) + 1);
		return QV_OK;
	case OPTION_POINTER:
		memcpy(field, &text, sizeof text);
		return QV_OK;
	case OPTION_CUSTOM:
		return o->set(values, o, text, error);
	}
	if (!good)
		return bad_value(o, text, error);
	memcpy(field, &number, sizeof number);
	return QV_OK;
}

void option_write(const struct option *o, const void *values, struct qv_text *out)
{
	const void *field = (const char *)values + o->at;
	int64_t number = 0;
	double real = 0;
	const char *pointer = NULL;
	char text[32];
	switch (o->type) {
	case OPTION_INT:
	case OPTION_SWITCH:
	case OPTION_TIME:
	case OPTION_CHOICE:
		memcpy(&number, field, sizeof number);
		if (o->type == OPTION_CHOICE)
			option_put_choice(o->choices, number, out);
		else
			qv_put_int(out, number);
		if (o->type == OPTION_TIME)
			qv_put(out, "ms");
		break;
	case OPTION_REAL:
		memcpy(&real, field, sizeof real);
		snprintf(text, sizeof text, "%.17g", real);
		qv_put(out, text);
		break;
	case OPTION_TEXT:
		qv_put(out, field);
		break;
	case OPTION_POINTER:
		memcpy(&pointer, field, sizeof pointer);
		qv_put(out, pointer ? pointer : "");
		break;
	case OPTION_CUSTOM:
		break;
	}
}

/* ---- All options of an owner ---- */

void options_init(struct options *o)
{
	memset(o->given, 0, sizeof o->given);
	for (const struct option *const *group = o->groups; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			void *field = (char *)o->values + row->at;
			if (row->type == OPTION_REAL)
				memcpy(field, &row->real_def, sizeof row->real_def);
			else if (row->type == OPTION_TEXT || row->type == OPTION_POINTER)
				memset(field, 0, row->size);
			else if (row->type != OPTION_CUSTOM)
				memcpy(field, &row->def, sizeof row->def);
		}
}

const struct option *options_find(const struct options *o, const char *name, int *index)
{
	int at = 0;
	for (const struct option *const *group = o->groups; *group; group++)
		for (const struct option *row = *group; row->name; row++, at++)
			if (strcmp(row->name, name) == 0) {
				if (index)
					*index = at;
				return row;
			}
	return NULL;
}

bool options_given(const struct options *o, const char *name)
{
	int index;
	return options_find(o, name, &index) && o->given[index];
}

struct suggestion suggest(const struct text_nearest *near)
{
	struct suggestion s = { "" };
	if (near->best)
		snprintf(s.text, sizeof s.text, "; did you mean '%.60s'?", near->best);
	return s;
}

static enum qv_status unknown_option(const struct options *o, const char *name,
				     struct qv_error *error)
{
	struct text_nearest near = text_nearest_to(name);
	for (const struct option *const *group = o->groups; *group; group++)
		for (const struct option *row = *group; row->name; row++)
			text_nearest_try(&near, row->name);
	return qv_fail(error, QV_UNKNOWN, "%s: no option '%.40s'%s", o->owner, name,
		       suggest(&near).text);
}

enum qv_status options_set(struct options *o, const char *name, const char *text,
			   struct qv_error *error)
{
	int index = 0;
	const struct option *row = options_find(o, name, &index);
	if (!row)
		return unknown_option(o, name, error);
	if (o->given[index])
		return qv_fail(error, QV_BAD_INPUT, "%s: %s is given twice", o->owner, name);
	const enum qv_status status = option_read(row, o->values, text, error);
	o->given[index] = status == QV_OK;
	return status;
}

enum qv_status options_parse(struct options *o, const char *text, struct qv_error *error)
{
	while (*text) {
		char item[ITEM_MOST];
		const size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		if (!equals || length >= sizeof item)
			return qv_fail(error, QV_BAD_INPUT, "%s: '%.*s' is not key=value", o->owner,
				       length < 40 ? (int)length : 40, text);
		memcpy(item, text, length);
		item[length] = '\0';
		item[equals - text] = '\0';
		const enum qv_status status =
			options_set(o, item, item + (equals - text) + 1, error);
		if (status != QV_OK)
			return status;
		text += length;
		if (*text && !*++text)
			return qv_fail(error, QV_BAD_INPUT, "%s: nothing follows the last comma",
				       o->owner);
	}
	return QV_OK;
}

void options_default(struct options *o, const char *text)
{
	bool given[OPTIONS_MOST];
	memcpy(given, o->given, sizeof given);
	memset(o->given, 0, sizeof o->given);
	options_parse(o, text, NULL);
	memcpy(o->given, given, sizeof given);
}
