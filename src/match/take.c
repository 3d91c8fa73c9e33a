/*
 * take.c - values out of JSON that may hold anything.
 * SPDX-License-Identifier: MIT
 */
#include "match/take.h"

void take_wrong(struct taker *t, const char *key, const char *what)
{
	if (t->status == QV_OK)
		t->status = qv_fail(t->error, QV_BAD_INPUT, "%s: %s is expected", key, what);
}

int64_t take_int(struct taker *t, const char *key, int64_t min, int64_t max)
{
	const json_t *value = json_object_get(t->object, key);
	const int64_t number = json_integer_value(value);
	if (json_is_integer(value) && number >= min && number <= max)
		return number;
	take_wrong(t, key, "a whole number in its bounds");
	return 0;
}

bool take_bool(struct taker *t, const char *key)
{
	const json_t *value = json_object_get(t->object, key);
	if (!json_is_boolean(value))
		take_wrong(t, key, "true or false");
	return json_is_true(value);
}

const char *take_text(struct taker *t, const char *key)
{
	const json_t *value = json_object_get(t->object, key);
	if (!json_is_string(value))
		take_wrong(t, key, "a text");
	return json_is_string(value) ? json_string_value(value) : "";
}

const json_t *take_list(struct taker *t, const char *key, size_t most)
{
	const json_t *value = json_object_get(t->object, key);
	if (json_is_array(value) && json_array_size(value) <= most)
		return value;
	take_wrong(t, key, "a list in its bounds");
	return NULL;
}
