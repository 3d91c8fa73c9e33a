/*
 * engine_options.c - reads the options that an engine declares.
 * SPDX-License-Identifier: MIT
 *
 * Each protocol has its own form, but only five kinds of values. A line is copied and cut, because
 * its words may stand in any order.
 */
#include "programs/engine_options.h"

#include "formats/hub.h"
#include "protocols/words.h"

enum { LINE_ROOM = 4096 };

static void copy(char *to, size_t size, const char *text)
{
	snprintf(to, size, "%s", text);
}

static void set_value(struct engine_option *o, const char *text)
{
	copy(o->value, sizeof o->value, text);
	o->has_value = true;
}

static void add_choice(struct engine_option *o, const char *text)
{
	const size_t length = strlen(o->choices), room = sizeof o->choices - length;
	if (strlen(text) + 2 > room)
		o->more_choices = true;
	else
		snprintf(o->choices + length, room, "%s\n", text);
}

static void set_bounds(struct engine_option *o, const char *min, const char *max)
{
	o->has_bounds = text_to_int(min, INT64_MIN, INT64_MAX, &o->min) &&
			text_to_int(max, INT64_MIN, INT64_MAX, &o->max);
}

/* ---- UCI and UGI ---- */

/*
 * The values of name, default and var may contain blanks, so each of them ends where the next of
 * these words begins.
 */
static bool read_uci(char *line, struct engine_option *o)
{
	static const char *const kinds = "check|spin|combo|button|string";
	static const enum engine_option_kind kind[] = { ENGINE_OPTION_CHECK, ENGINE_OPTION_NUMBER,
							ENGINE_OPTION_CHOICE, ENGINE_OPTION_BUTTON,
							ENGINE_OPTION_TEXT };
	enum { NAME, TYPE, DEFAULT, MIN, MAX, VAR };
	const char *min = "", *max = "";
	char *rest = line;
	if (strcmp(words_next(&rest), "option") != 0)
		return false;
	while (*(rest = words_skip(rest))) {
		const int key = scan_choice("name|type|default|min|max|var", words_next(&rest));
		char *const from = rest, *end = rest;
		/* The value ends before the next key. */
		for (char *word = rest; *(word = words_skip(word));) {
			const size_t length = strcspn(word, " \t");
			char next[16] = "";
			snprintf(next, sizeof next, "%.*s", (int)(length < 15 ? length : 15), word);
			const bool is_key = scan_choice("name|type|default|min|max|var", next) >= 0;
			/* A name is only ended by its type. */
			if (is_key && (key != NAME || strcmp(next, "type") == 0))
				break;
			end = word += length;
		}
		const char *value = end == from ? "" : from; /* "": the next key follows at once */
		if (end != from) {
			rest = *end ? end + 1 : end;
			*end = '\0';
		}
		const int which = key == TYPE ? scan_choice(kinds, value) : -1;
		if (key == NAME)
			copy(o->name, sizeof o->name, value);
		else if (key == TYPE)
			o->kind = which < 0 ? ENGINE_OPTION_UNKNOWN : kind[which];
		else if (key == DEFAULT)
			set_value(o, value);
		else if (key == MIN)
			min = value;
		else if (key == MAX)
			max = value;
		else if (key == VAR)
			add_choice(o, value);
	}
	set_bounds(o, min, max);
	return *o->name;
}

/* ---- QGP ---- */

static bool read_qgp(char *line, struct engine_option *o)
{
	char *rest = line;
	if (strcmp(words_next(&rest), "option") != 0)
		return false;
	copy(o->name, sizeof o->name, words_next(&rest));
	const int kind = scan_choice("number|text", words_next(&rest));
	o->kind = kind == 0   ? ENGINE_OPTION_NUMBER
		  : kind == 1 ? ENGINE_OPTION_TEXT
			      : ENGINE_OPTION_UNKNOWN;
	if (kind == 0) {
		set_value(o, words_next(&rest));
		const char *min = words_next(&rest);
		set_bounds(o, min, words_next(&rest));
	}
	return *o->name;
}

/* ---- XBoard ---- */

/* NAME -TYPE VALUES */
static void read_feature(char *text, struct engine_option *o)
{
	static const char *const kinds =
		"check|spin|slider|combo|button|save|reset|string|file|path";
	static const enum engine_option_kind kind[] = { ENGINE_OPTION_CHECK,  ENGINE_OPTION_NUMBER,
							ENGINE_OPTION_NUMBER, ENGINE_OPTION_CHOICE,
							ENGINE_OPTION_BUTTON, ENGINE_OPTION_BUTTON,
							ENGINE_OPTION_BUTTON, ENGINE_OPTION_TEXT,
							ENGINE_OPTION_TEXT,   ENGINE_OPTION_TEXT };
	char *dash = strstr(text, " -");
	while (dash && !(dash[2] >= 'a' && dash[2] <= 'z'))
		dash = strstr(dash + 1, " -");
	if (dash)
		*dash = '\0';
	copy(o->name, sizeof o->name, words_trim(text));
	if (!dash)
		return;
	char *rest = dash + 2;
	const int which = scan_choice(kinds, words_next(&rest));
	o->kind = which < 0 ? ENGINE_OPTION_UNKNOWN : kind[which];
	if (o->kind == ENGINE_OPTION_NUMBER) {
		set_value(o, words_next(&rest));
		const char *min = words_next(&rest);
		set_bounds(o, min, words_next(&rest));
	} else if (o->kind == ENGINE_OPTION_CHECK) {
		set_value(o, words_next(&rest));
	}
	/* A /// B /// *C: the star marks the default. */
	while (o->kind == ENGINE_OPTION_CHOICE && *rest) {
		char *end = strstr(rest, "///");
		char *next = end ? end + 3 : rest + strlen(rest);
		if (end)
			*end = '\0';
		rest = words_trim(rest);
		if (*rest == '*')
			set_value(o, rest + 1);
		add_choice(o, *rest == '*' ? rest + 1 : rest);
		rest = next;
	}
}

/* ---- Hub ---- */

static bool read_hub(char *line, struct engine_option *o)
{
	char *rest = line, *name, *value;
	const char *min = "", *max = "";
	if (strcmp(words_next(&rest), "param") != 0)
		return false;
	while (hub_argument(&rest, &name, &value) == HUB_ARGUMENT) {
		const int kind = scan_choice("bool|int|enum|string|real", value);
		if (strcmp(name, "name") == 0)
			copy(o->name, sizeof o->name, value);
		else if (strcmp(name, "value") == 0)
			set_value(o, value);
		else if (strcmp(name, "min") == 0)
			min = value;
		else if (strcmp(name, "max") == 0)
			max = value;
		else if (strcmp(name, "type") == 0)
			o->kind = kind == 0   ? ENGINE_OPTION_CHECK
				  : kind == 1 ? ENGINE_OPTION_NUMBER
				  : kind == 2 ? ENGINE_OPTION_CHOICE
					      : ENGINE_OPTION_TEXT;
		else if (strcmp(name, "values") == 0)
			for (char *words = value; *words_skip(words);)
				add_choice(o, words_next(&words));
	}
	set_bounds(o, min, max);
	return *o->name;
}

/* ---- All ---- */

/* The option="..." of a line `feature ...` from *at on. */
static bool find_feature(const char *line, size_t *at, char *out, size_t size)
{
	static const char mark[] = "option=\"";
	if (strncmp(line, "feature ", 8) != 0 || *at > strlen(line))
		return false;
	const char *found = strstr(line + *at, mark);
	if (!found)
		return false;
	found += sizeof mark - 1;
	const size_t length = strcspn(found, "\"");
	snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), found);
	*at = (size_t)(found - line) + length;
	return true;
}

bool engine_option_read(const struct manager_ops *ops, const char *line, size_t *at,
			struct engine_option *out)
{
	char cut[LINE_ROOM];
	*out = (struct engine_option){ .kind = ENGINE_OPTION_UNKNOWN };
	if (ops == &manager_xboard) {
		if (!find_feature(line, at, cut, sizeof cut))
			return false;
		read_feature(cut, out);
		return *out->name;
	}
	if (*at)
		return false;
	*at = 1;
	copy(cut, sizeof cut, line);
	if (ops == &manager_uci || ops == &manager_ugi)
		return read_uci(cut, out);
	if (ops == &manager_qgp)
		return read_qgp(cut, out);
	return ops == &manager_hub && read_hub(cut, out);
}

/* Whether the value is one of the choices. */
static bool is_choice(const struct engine_option *o, const char *value)
{
	for (const char *at = o->choices; *at;) {
		const size_t length = strcspn(at, "\n");
		char choice[ENGINE_OPTION_NAME];
		snprintf(choice, sizeof choice, "%.*s", (int)length, at);
		if (length < sizeof choice && text_same(choice, value))
			return true;
		at += length + 1;
	}
	return o->more_choices;
}

const char *engine_option_flaw(const struct engine_option *o)
{
	int64_t value;
	if (o->kind == ENGINE_OPTION_UNKNOWN)
		return "its type is missing or unknown";
	if (o->kind == ENGINE_OPTION_NUMBER) {
		if (!o->has_bounds)
			return "it needs numbers as min and max";
		if (o->min > o->max)
			return "its min is above its max";
		if (!text_to_int(o->value, INT64_MIN, INT64_MAX, &value))
			return "its default is not a number";
		if (value < o->min || value > o->max)
			return "its default is not between min and max";
	}
	if (o->kind == ENGINE_OPTION_CHECK && scan_choice("true|false|0|1", o->value) < 0)
		return "its default is neither true nor false";
	if (o->kind == ENGINE_OPTION_CHOICE && !is_choice(o, o->value))
		return "its default is not one of its choices";
	return NULL;
}

static bool check_value(const struct engine_option *o, const char *value, struct qv_error *why)
{
	int64_t number;
	if (o->kind == ENGINE_OPTION_NUMBER && o->has_bounds &&
	    !text_to_int(value, o->min, o->max, &number)) {
		qv_fail(why, QV_BAD_INPUT,
			"option %.60s=%.40s: it must be a number from %lld to %lld", o->name, value,
			(long long)o->min, (long long)o->max);
		return false;
	}
	if (o->kind == ENGINE_OPTION_CHECK && scan_choice("true|false|0|1", value) < 0) {
		qv_fail(why, QV_BAD_INPUT, "option %.60s=%.40s: it must be true or false", o->name,
			value);
		return false;
	}
	if (o->kind == ENGINE_OPTION_CHOICE && *o->choices && !is_choice(o, value)) {
		qv_fail(why, QV_BAD_INPUT, "option %.60s=%.40s: not one of its choices", o->name,
			value);
		return false;
	}
	return true;
}

bool engine_option_accepts(const struct manager_ops *ops, const char *lines, const char *name,
			   const char *value, struct qv_error *why)
{
	struct engine_option o;
	char line[LINE_ROOM];
	const bool declares = ops == &manager_uci || ops == &manager_ugi || ops == &manager_qgp ||
			      ops == &manager_xboard || ops == &manager_hub;
	/* These two are commands of XBoard. */
	if (!declares ||
	    (ops == &manager_xboard && (strcmp(name, "memory") == 0 || strcmp(name, "cores") == 0)))
		return true;
	while (*lines) {
		const size_t length = strcspn(lines, "\n");
		snprintf(line, sizeof line, "%.*s",
			 (int)(length < LINE_ROOM ? length : LINE_ROOM - 1), lines);
		for (size_t at = 0; engine_option_read(ops, line, &at, &o);)
			if (text_same(o.name, name))
				return check_value(&o, value, why);
		lines += length + (lines[length] == '\n');
	}
	qv_fail(why, QV_UNKNOWN, "option %.60s: it has no such option", name);
	return false;
}
