/*
 * json_schema.c - JSON values against schemas.
 * SPDX-License-Identifier: MIT
 */
#include "support/json_schema.h"

#include <stdio.h>
#include <string.h>

struct check {
	const json_t *root;
	char *why;
	size_t size;
};

static bool fault(const struct check *c, const char *what, const char *detail)
{
	snprintf(c->why, c->size, "%s: %s", what, detail);
	return false;
}

static bool holds(const struct check *c, const json_t *schema, const json_t *value);

static const json_t *look_up(const json_t *root, const char *path)
{
	char word[128];
	const json_t *at = root;
	if (strncmp(path, "#/", 2) != 0)
		return NULL;
	for (path += 2; at && *path;) {
		const size_t length = strcspn(path, "/");
		snprintf(word, sizeof word, "%.*s", (int)length, path);
		at = json_object_get(at, word);
		path += length + (path[length] == '/');
	}
	return at;
}

static bool is_of_type(const json_t *value, const char *type)
{
	return strcmp(type, "object") == 0    ? json_is_object(value)
	       : strcmp(type, "array") == 0   ? json_is_array(value)
	       : strcmp(type, "string") == 0  ? json_is_string(value)
	       : strcmp(type, "integer") == 0 ? json_is_integer(value)
	       : strcmp(type, "number") == 0  ? json_is_number(value)
	       : strcmp(type, "boolean") == 0 ? json_is_boolean(value)
	       : strcmp(type, "null") == 0    ? json_is_null(value)
					      : false;
}

static bool type_holds(const struct check *c, const json_t *type, const json_t *value)
{
	size_t i;
	const json_t *one;
	if (json_is_string(type))
		return is_of_type(value, json_string_value(type)) ||
		       fault(c, "type", json_string_value(type));
	json_array_foreach((json_t *)type, i, one)
		if (is_of_type(value, json_string_value(one)))
			return true;
	return fault(c, "type", "none of those");
}

static bool properties_hold(const struct check *c, const json_t *schema, const json_t *value)
{
	const json_t *properties = json_object_get(schema, "properties");
	const bool closed = json_is_false(json_object_get(schema, "additionalProperties"));
	const char *key;
	json_t *item;
	json_object_foreach((json_t *)value, key, item) {
		const json_t *inner = json_object_get(properties, key);
		if (!inner && closed)
			return fault(c, "unknown property", key);
		if (inner && !holds(c, inner, item)) {
			char why[256];
			snprintf(why, sizeof why, "%.200s", c->why);
			return fault(c, key, why);
		}
	}
	return true;
}

static bool required_hold(const struct check *c, const json_t *required, const json_t *value)
{
	size_t i;
	const json_t *name;
	json_array_foreach((json_t *)required, i, name)
		if (!json_object_get(value, json_string_value(name)))
			return fault(c, "missing property", json_string_value(name));
	return true;
}

static bool items_hold(const struct check *c, const json_t *schema, const json_t *value)
{
	size_t i;
	const json_t *item;
	json_array_foreach((json_t *)value, i, item)
		if (!holds(c, schema, item))
			return false;
	return true;
}

static bool any_holds(const struct check *c, const json_t *list, const json_t *value)
{
	size_t i;
	const json_t *one;
	json_array_foreach((json_t *)list, i, one)
		if (holds(c, one, value)) {
			c->why[0] = '\0';          /* what the others lacked is no fault */
			return true;
		}
	return false;
}

static bool enum_holds(const struct check *c, const json_t *list, const json_t *value)
{
	size_t i;
	const json_t *one;
	json_array_foreach((json_t *)list, i, one)
		if (json_equal(one, value))
			return true;
	return fault(c, "enum", "another value");
}

static bool word_holds(const struct check *c, const json_t *schema, const char *word,
		       const json_t *rule, const json_t *value)
{
	if (strcmp(word, "$ref") == 0) {
		const json_t *other = look_up(c->root, json_string_value(rule));
		return other ? holds(c, other, value)
			     : fault(c, "no such schema", json_string_value(rule));
	}
	if (strcmp(word, "type") == 0)
		return type_holds(c, rule, value);
	if (strcmp(word, "properties") == 0)
		return !json_is_object(value) || properties_hold(c, schema, value);
	if (strcmp(word, "required") == 0)
		return !json_is_object(value) || required_hold(c, rule, value);
	if (strcmp(word, "items") == 0)
		return !json_is_array(value) || items_hold(c, rule, value);
	if (strcmp(word, "anyOf") == 0)
		return any_holds(c, rule, value);
	if (strcmp(word, "enum") == 0)
		return enum_holds(c, rule, value);
	if (strcmp(word, "const") == 0)
		return json_equal(rule, value) || fault(c, "const", "another value");
	if (strcmp(word, "minimum") == 0)
		return !json_is_number(value) ||
		       json_number_value(value) >= json_number_value(rule) ||
		       fault(c, "minimum", "below it");
	if (strcmp(word, "maximum") == 0)
		return !json_is_number(value) ||
		       json_number_value(value) <= json_number_value(rule) ||
		       fault(c, "maximum", "above it");
	if (strcmp(word, "minItems") == 0)
		return (json_int_t)json_array_size(value) >= json_integer_value(rule) ||
		       fault(c, "minItems", "fewer");
	if (strcmp(word, "maxItems") == 0)
		return (json_int_t)json_array_size(value) <= json_integer_value(rule) ||
		       fault(c, "maxItems", "more");
	return strcmp(word, "description") == 0 || strcmp(word, "additionalProperties") == 0 ||
	       fault(c, "a word that is not known", word);
}

static bool holds(const struct check *c, const json_t *schema, const json_t *value)
{
	const char *word;
	json_t *rule;
	json_object_foreach((json_t *)schema, word, rule)
		if (!word_holds(c, schema, word, rule, value))
			return false;
	return true;
}

bool schema_holds(const json_t *root, const json_t *schema, const json_t *value, char *why,
		  size_t size)
{
	const struct check c = { root, why, size };
	snprintf(why, size, "%s", "");
	return holds(&c, schema, value);
}
