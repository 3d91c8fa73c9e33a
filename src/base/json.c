/*
 * json.c - JSON with jansson: building values, loading objects strictly, reading fields.
 * SPDX-License-Identifier: MIT
 *
 * jansson's own functions accept NULL and release what they fail to add. The builders here use
 * that: a chain of calls passes a failure through, and only its end is checked. Loading is strict,
 * because the texts come from clients and files: duplicate keys and deep nesting are errors.
 */
#include "base/json.h"

/* ---- Building ---- */

/* jansson releases the value if it cannot be added, and refuses NULL on either side. */
json_t *json_field(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) == 0)
		return object;
	json_decref(object);
	return NULL;
}

json_t *json_item(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

json_t *json_text(const char *text)
{
	json_t *value = text ? json_string(text) : json_null();
	char *copy = value ? NULL : mem_strdup(&mem_malloc, text);
	if (!copy)
		return value;
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	value = json_string(copy);
	mem_strfree(&mem_malloc, copy);
	return value;
}

/* ---- Quoting ---- */

/* A callback of json_dump_callback; 0 continues. */
static int add_part(const char *part, size_t length, void *string)
{
	string_add(string, part, length);
	return 0;
}

enum qv_status json_add_quoted(struct string *out, const char *text)
{
	json_t *value = json_string(text);
	if (!value) {
		/* If the text is accepted unchecked, it was not memory that failed. */
		value = json_string_nocheck(text);
		json_decref(value);
		return value ? QV_BAD_INPUT : QV_NO_MEMORY;
	}
	const bool written = json_dump_callback(value, add_part, out, JSON_ENCODE_ANY) == 0;
	json_decref(value);
	return written && !out->failed ? QV_OK : QV_NO_MEMORY;
}

void json_put_quoted(struct qv_text *out, const char *text)
{
	qv_put_char(out, '"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			qv_put_char(out, '\\');
		qv_put_char(out, *text < ' ' || *text > '~' ? '?' : *text);
	}
	qv_put_char(out, '"');
}

/* ---- Loading ---- */

/* The next character outside strings, from *at on; '\0': none is left. A NUL in the text is skipped. */
static char next_plain(const char *text, size_t length, size_t *at)
{
	bool quoted = false;
	while (*at < length) {
		const char c = text[(*at)++];
		if (quoted && c == '\\')
			++*at;
		else if (c == '"')
			quoted = !quoted;
		else if (!quoted && c)
			return c;
	}
	return '\0';
}

bool json_is_shallow(const char *text, size_t length, int depth)
{
	int open = 0;
	size_t at = 0;
	for (char c; (c = next_plain(text, length, &at));)
		if ((c == '[' || c == '{') && ++open > depth)
			return false;
		else if (c == ']' || c == '}')
			open--;
	return true;
}

/* All but the first value of a container follow a comma; a container may have a first one. */
size_t json_count_values(const char *text, size_t length)
{
	size_t count = 1, at = 0;
	for (char c; (c = next_plain(text, length, &at));)
		count += c == ',' || c == '[' || c == '{';
	return count;
}

enum qv_status json_load_object(const char *text, size_t length, int depth, json_t **out,
				struct qv_error *error)
{
	json_error_t why;
	*out = NULL;
	if (depth < JSON_ANY_DEPTH && !json_is_shallow(text, length, depth))
		return qv_fail(error, QV_BAD_INPUT, "invalid JSON: nested deeper than %d levels",
			       depth);
	json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
	if (!value && json_error_code(&why) == json_error_out_of_memory)
		return qv_fail(error, QV_NO_MEMORY, "out of memory");
	if (!value)
		return qv_fail(error, QV_BAD_INPUT, "invalid JSON: %s", why.text);
	if (!json_is_object(value)) {
		json_decref(value);
		return qv_fail(error, QV_BAD_INPUT, "a JSON object is expected");
	}
	*out = value;
	return QV_OK;
}

/* ---- Reading ---- */

bool json_int_between(const json_t *value, int64_t min, int64_t max, int64_t *out)
{
	const int64_t number = json_integer_value(value);
	if (!json_is_integer(value) || number < min || number > max)
		return false;
	*out = number;
	return true;
}

const char *json_plain_text(const json_t *value)
{
	const char *text = json_string_value(value);
	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

const char *json_unknown_key(const json_t *object, const char *names)
{
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)object, key, value) {
		const size_t length = strlen(key);
		const char *at = names;
		while (*at) {
			const size_t n = strcspn(at, " ");
			if (n && n == length && memcmp(at, key, n) == 0)
				break;
			at += n + (at[n] == ' ');
		}
		if (!*at)
			return key;
	}
	return NULL;
}

void json_expected(struct json_reader *r, const char *key, const char *what)
{
	if (r->status == QV_OK)
		r->status = qv_fail(r->error, QV_BAD_INPUT, "%s: %s is expected", key, what);
}

/* The value of a required key. NULL: it is missing, and the reader has failed. */
static const json_t *required(struct json_reader *r, const char *key)
{
	const json_t *value = json_object_get(r->object, key);
	if (!value && r->status == QV_OK)
		r->status = qv_fail(r->error, QV_BAD_INPUT, "%s: is missing", key);
	return value;
}

bool json_has(const struct json_reader *r, const char *key)
{
	return json_object_get(r->object, key);
}

int64_t json_read_int(struct json_reader *r, const char *key, int64_t min, int64_t max)
{
	const json_t *value = required(r, key);
	int64_t number = 0;
	if (value && !json_int_between(value, min, max, &number) && r->status == QV_OK)
		r->status = qv_fail(r->error, QV_BAD_INPUT,
				    "%s: a whole number from %lld to %lld is expected", key,
				    (long long)min, (long long)max);
	return number;
}

bool json_read_bool(struct json_reader *r, const char *key)
{
	const json_t *value = required(r, key);
	if (value && !json_is_boolean(value))
		json_expected(r, key, "true or false");
	return json_is_true(value);
}

const char *json_read_text(struct json_reader *r, const char *key)
{
	const json_t *value = required(r, key);
	const char *text = json_plain_text(value);
	if (value && !text)
		json_expected(r, key, "a text");
	return text ? text : "";
}

const json_t *json_read_list(struct json_reader *r, const char *key, size_t most)
{
	const json_t *value = required(r, key);
	if (json_is_array(value) && json_array_size(value) <= most)
		return value;
	if (value && r->status == QV_OK)
		r->status = qv_fail(r->error, QV_BAD_INPUT,
				    "%s: a list of at most %zu items is expected", key, most);
	return NULL;
}
