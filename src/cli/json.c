/*
 * json.c - small builders on jansson: they keep the order, and give NULL once memory is out.
 * SPDX-License-Identifier: MIT
 */
#include <math.h>
#include <stdlib.h>

#include "cli/cli.h"

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
	json_t *value = json_string(text);
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

json_t *json_seconds(double seconds)
{
	return json_real(floor(seconds * 1e6) / 1e6);
}

enum qv_status cli_json(struct cli *c, json_t *value)
{
	char *line =
		value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9))
		      : NULL;
	json_decref(value);
	if (!line)
		return qv_fail(&c->error, QV_NO_MEMORY, "output: out of memory");
	string_addf(&c->out, "%s\n", line);
	free(line);
	return QV_OK;
}
