/*
 * options.c - named options: defaults, reading and writing, all driven by tables.
 * SPDX-License-Identifier: MIT
 *
 * Every value is a field of a plain struct, reached by its offset with memcpy, so one function
 * reads and one writes any option. Names are found by a linear search, which is fast enough for
 * tables of fewer than 100 rows.
 */
#include "base/options.h"

#include <stdio.h>

#include "base/scan.h"

enum { ITEM_MOST = 512, DECIMALS = 6, DIGITS_MOST = 12 };

/* ---- One value ---- */

void option_put_choice(const char *choices, int64_t place, struct qv_text *out)
{
	while (place-- > 0 && strchr(choices, '|'))
		choices = strchr(choices, '|') + 1;
	while (*choices && *choices != '|')
		qv_put_char(out, *choices++);
}

/* Numbers and choices are in fields of any width: int64_t, int or an enum, bool. */
static void store_number(void *field, size_t size, int64_t number)
{
	if (size == sizeof(int64_t))
		*(int64_t *)field = number;
	else if (size == sizeof(int))
		*(int *)field = (int)number;
	else
		*(bool *)field = number != 0;
}

/* A sign, digits and a point: the same in every locale, and no "nan", "inf" or exponent. */
static bool read_real(const char *text, const struct option *o, double *out)
{
	int64_t number = 0, unit = 1;
	int digits = 0;
	bool fraction = false;
	const char *c = text + (*text == '-' || *text == '+');
	for (; (*c >= '0' && *c <= '9') || (*c == '.' && !fraction); c++) {
		if (*c == '.') {
			fraction = true;
			continue;
		}
		number = number * 10 + (*c - '0');
		unit *= fraction ? 10 : 1;
		if (++digits > DIGITS_MOST || unit > 1000000)
			return false;
	}
	*out = (double)(*text == '-' ? -number : number) / (double)unit;
	return digits > 0 && !*c && *out >= o->real_min && *out <= o->real_max;
}

/* The text is not a value of the option: says what is expected. */
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
	case OPTION_REAL:
		return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: expected a number from %g to %g",
			       o->name, text, o->real_min, o->real_max);
	case OPTION_TEXT:
		return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: expected 1 to %zu characters",
			       o->name, text, o->size - 1);
	case OPTION_LIST:
		return qv_fail(error, QV_BAD_INPUT, "%s=%.40s: given more than %lld times", o->name,
			       text, (long long)o->max);
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
	struct option_list *list = field;
	const char *end = text;
	int64_t number = 0;
	double real;
	bool good = true;
	switch (o->type) {
	case OPTION_INT:
		good = text_to_int(text, o->min, o->max, &number);
		break;
	case OPTION_SWITCH:
		good = text_to_int(text, 0, 1, &number);
		break;
	case OPTION_TIME:
		/* A whole number alone is in seconds, as in --time. */
		if (text_to_int(text, 0, o->max / 1000, &number)) {
			number *= 1000;
			end = "";
			good = true;
		} else {
			good = text_to_ms(&end, false, &number);
		}
		good = good && !*end && number >= o->min && number <= o->max;
		break;
	case OPTION_CHOICE:
		number = scan_choice(o->choices, text);
		good = number >= 0;
		break;
	case OPTION_REAL:
		good = read_real(text, o, &real);
		if (good)
			memcpy(field, &real, sizeof real);
		break;
	case OPTION_TEXT:
		good = *text && strlen(text) < o->size;
		if (good)
			memcpy(field, text, strlen(text) + 1);
		break;
	case OPTION_POINTER:
		memcpy(field, &text, sizeof text);
		break;
	case OPTION_FLAG:
		*(bool *)field = true;
		break;
	case OPTION_LIST:
		good = list->count < o->max;
		if (good)
			list->texts[list->count++] = text;
		break;
	case OPTION_CUSTOM:
		return o->set(values, o, text, error);
	}
	if (!good)
		return bad_value(o, text, error);
	if (o->type <= OPTION_CHOICE)
		store_number(field, o->size, number);
	return QV_OK;
}

void option_write(const struct option *o, const void *values, struct qv_text *out)
{
	const void *field = (const char *)values + o->at;
	int64_t number = 0;
	double real = 0;
	const char *pointer = NULL;
	char text[48];
	int length;
	switch (o->type) {
	case OPTION_INT:
	case OPTION_SWITCH:
	case OPTION_TIME:
	case OPTION_CHOICE:
		number = o->size == sizeof(int64_t) ? *(const int64_t *)field
			 : o->size == sizeof(int)   ? *(const int *)field
						    : *(const bool *)field;
		if (o->type == OPTION_CHOICE)
			option_put_choice(o->choices, number, out);
		else
			qv_put_int(out, number);
		if (o->type == OPTION_TIME)
			qv_put(out, "ms");
		break;
	case OPTION_REAL:
		/* All decimals that can be read, without zeros at the end. */
		memcpy(&real, field, sizeof real);
		length = snprintf(text, sizeof text, "%.*f", DECIMALS, real);
		while (text[length - 1] == '0')
			length--;
		text[length - (text[length - 1] == '.')] = '\0';
		qv_put(out, strcmp(text, "-0") == 0 ? "0" : text);
		break;
	case OPTION_TEXT:
		qv_put(out, field);
		break;
	case OPTION_POINTER:
		memcpy(&pointer, field, sizeof pointer);
		qv_put(out, pointer ? pointer : "");
		break;
	case OPTION_FLAG:
		qv_put(out, *(const bool *)field ? "1" : "0");
		break;
	case OPTION_LIST:
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
			else if (row->type <= OPTION_CHOICE)
				store_number(field, row->size, row->def);
			else if (row->type != OPTION_CUSTOM)
				memset(field, 0, row->size);
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

struct suggestion suggest_marked(const struct text_nearest *near, const char *mark)
{
	struct suggestion s = { "" };
	if (near->best)
		snprintf(s.text, sizeof s.text, "; did you mean '%.4s%.60s'?", mark, near->best);
	return s;
}

struct suggestion suggest(const struct text_nearest *near)
{
	return suggest_marked(near, "");
}

/* The names of all options, as many as fit. */
static void put_names(const struct options *o, struct qv_text *out)
{
	for (const struct option *const *group = o->groups; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			if (out->length + strlen(row->name) + 8 > out->size) {
				qv_put(out, ", ...");
				return;
			}
			qv_put(out, out->length ? ", " : "");
			qv_put(out, row->name);
		}
}

enum qv_status options_set(struct options *o, const char *name, const char *text,
			   struct qv_error *error)
{
	const char *mark = o->mark ? o->mark : "";
	struct qv_error why = { "" };
	int index = 0;
	const struct option *row = options_find(o, name, &index);
	if (!row) {
		struct text_nearest near = text_nearest_to(name);
		for (const struct option *const *group = o->groups; *group; group++)
			for (row = *group; row->name; row++)
				text_nearest_try(&near, row->name);
		char names[160] = "";
		if (!near.best && o->lists) {
			put_names(o, &(struct qv_text){ names, sizeof names, 0 });
			return qv_fail(error, QV_UNKNOWN, "%s: no option '%.40s'; its options: %s",
				       o->owner, name, names);
		}
		return qv_fail(error, QV_UNKNOWN, "%s: no option '%.40s'%s", o->owner, name,
			       suggest_marked(&near, mark).text);
	}
	if (o->given[index] && !row->repeats && row->type != OPTION_LIST)
		return qv_fail(error, QV_BAD_INPUT, "%s: %s%s is given twice", o->owner, mark,
			       name);
	const enum qv_status status = option_read(row, o->values, text, &why);
	if (status != QV_OK && o->owner_first)
		return qv_fail(error, status, "%s: %s%s", o->owner, mark, why.text);
	if (status != QV_OK)
		return qv_fail(error, status, "%s%s", mark, why.text);
	o->given[index] = true;
	return QV_OK;
}

/*
 * The length of the first item of a list. It ends at a comma; if its option has `commas`, at a
 * comma before another key=value.
 */
static size_t item_length(const struct options *o, const char *text)
{
	char name[ITEM_MOST];
	size_t length = strcspn(text, ",");
	const size_t key = strcspn(text, "=");
	if (key >= length || key >= sizeof name)
		return length;
	snprintf(name, sizeof name, "%.*s", (int)key, text);
	const struct option *row = options_find(o, name, NULL);
	while (row && row->commas && text[length] == ',') {
		const char *next = text + length + 1;
		const size_t more = strcspn(next, ",");
		if (!more || memchr(next, '=', more))
			break;
		length += 1 + more;
	}
	return length;
}

enum qv_status options_parse(struct options *o, const char *text, struct qv_error *error)
{
	while (*text) {
		char item[ITEM_MOST];
		const size_t length = item_length(o, text);
		if (length >= sizeof item)
			return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is too long", o->owner,
				       text);
		snprintf(item, sizeof item, "%.*s", (int)length, text);
		char *equals = strchr(item, '=');
		if (equals)
			*equals = '\0';
		const struct option *row = options_find(o, item, NULL);
		const bool flag = row && row->type == OPTION_FLAG;
		if (flag && equals)
			return qv_fail(error, QV_BAD_INPUT, "%s: %s takes no value", o->owner,
				       item);
		if (!flag && !equals)
			return qv_fail(error, QV_BAD_INPUT, "%s: '%.40s' is not key=value",
				       o->owner, item);
		const enum qv_status status = options_set(o, item, equals ? equals + 1 : "", error);
		if (status != QV_OK)
			return status;
		text += length;
		if (*text && !*++text)
			return qv_fail(error, QV_BAD_INPUT, "%s: nothing follows the last comma",
				       o->owner);
	}
	return QV_OK;
}

void options_text(const struct options *o, struct qv_text *out)
{
	for (const struct option *const *group = o->groups; *group; group++)
		for (const struct option *row = *group; row->name; row++) {
			qv_put(out, group == o->groups && row == *group ? "" : ",");
			qv_put(out, row->name);
			qv_put_char(out, '=');
			option_write(row, o->values, out);
		}
}

void options_default(struct options *o, const char *text)
{
	bool given[OPTIONS_MOST];
	memcpy(given, o->given, sizeof given);
	memset(o->given, 0, sizeof o->given);
	options_parse(o, text, NULL);
	memcpy(o->given, given, sizeof given);
}
