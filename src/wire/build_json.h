/*
 * build_json.h - small builders of JSON for what a game tells.
 * SPDX-License-Identifier: MIT
 *
 * jansson takes NULL for a value that could not be made, frees what was to be added, and fails: so
 * the builders hand NULL all the way up, and nothing leaks.
 */
#ifndef WIRE_BUILD_JSON_H
#define WIRE_BUILD_JSON_H

#include <jansson.h>

#include "base/memory.h"

static inline json_t *field(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, value) == 0)
		return object;
	json_decref(object);
	return NULL;
}

static inline json_t *item(json_t *array, json_t *value)
{
	if (json_array_append_new(array, value) == 0)
		return array;
	json_decref(array);
	return NULL;
}

/* A plug-in's words may be bytes of any kind. */
static inline json_t *words(const char *text)
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

#endif
