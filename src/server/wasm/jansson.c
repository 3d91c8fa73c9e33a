/*
 * jansson.c - as much of jansson as the engine in a browser needs, behind jansson's own header.
 * SPDX-License-Identifier: MIT
 *
 * The texts that json_dumps writes are those of jansson, byte by byte, so that a browser's engine
 * and a server send the same JSON. Objects keep the order of their fields and are searched linearly:
 * they have few. Errors of json_loadb only have a text.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct field {
	struct field *next;
	json_t *value;
	char key[];
};

/* A value of any type. */
struct value {
	json_t json;
	size_t count; /* fields, items or bytes of the text */
	union {
		struct {
			struct field *first, **end;
		} fields;
		struct {
			json_t **list;
			size_t room;
		} items;
		char *text;
		json_int_t integer;
		double real;
	};
};

static struct value *of(const json_t *json)
{
	return (struct value *)(uintptr_t)json;
}

/* ---- Making and freeing ---- */

static struct value *value_new(json_type type)
{
	struct value *v = calloc(1, sizeof *v);
	if (v) {
		v->json.type = type;
		v->json.refcount = 1;
	}
	return v;
}

json_t *json_object(void)
{
	struct value *v = value_new(JSON_OBJECT);
	if (v)
		v->fields.end = &v->fields.first;
	return (json_t *)v;
}

json_t *json_array(void)
{
	return (json_t *)value_new(JSON_ARRAY);
}

/* Constants have the reference count that jansson never changes. */
#define CONSTANT(name, kind)                                   \
	json_t *name(void)                                     \
	{                                                      \
		static json_t constant = { kind, (size_t)-1 }; \
		return &constant;                              \
	}
CONSTANT(json_true, JSON_TRUE)
CONSTANT(json_false, JSON_FALSE)
CONSTANT(json_null, JSON_NULL)

json_t *json_integer(json_int_t number)
{
	struct value *v = value_new(JSON_INTEGER);
	if (v)
		v->integer = number;
	return (json_t *)v;
}

json_t *json_real(double number)
{
	struct value *v = isfinite(number) ? value_new(JSON_REAL) : NULL;
	if (v)
		v->real = number;
	return (json_t *)v;
}

/* The bytes of the UTF-8 character at the text; 0: malformed. */
static size_t utf8_length(const unsigned char *at, size_t left)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const size_t n = *at < 0x80   ? 1
			 : *at < 0xc2 ? 0
			 : *at < 0xe0 ? 2
			 : *at < 0xf0 ? 3
			 : *at < 0xf5 ? 4
				      : 0;
	if (n == 1)
		return 1;
	if (!n || n > left)
		return 0;
	uint32_t code = *at & (0x7fu >> n);
	for (size_t i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3fu);
	}
	return code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? 0 : n;
}

json_t *json_stringn_nocheck(const char *text, size_t length)
{
	struct value *v = text ? value_new(JSON_STRING) : NULL;
	char *copy = v ? malloc(length + 1) : NULL;
	if (!copy) {
		free(v);
		return NULL;
	}
	memcpy(copy, text, length);
	copy[length] = '\0';
	v->text = copy;
	v->count = length;
	return (json_t *)v;
}

json_t *json_stringn(const char *text, size_t length)
{
	for (size_t i = 0, n; text && i < length; i += n)
		if (!(n = utf8_length((const unsigned char *)text + i, length - i)))
			return NULL;
	return json_stringn_nocheck(text, length);
}

json_t *json_string_nocheck(const char *text)
{
	return text ? json_stringn_nocheck(text, strlen(text)) : NULL;
}

json_t *json_string(const char *text)
{
	return text ? json_stringn(text, strlen(text)) : NULL;
}

json_t *json_vsprintf(const char *format, va_list args)
{
	char *text = NULL;
	va_list again;
	va_copy(again, args);
	const int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length >= 0 && (text = malloc((size_t)length + 1)))
		vsnprintf(text, (size_t)length + 1, format, args);
	json_t *json = json_string(text);
	free(text);
	return json;
}

json_t *json_sprintf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	json_t *json = json_vsprintf(format, args);
	va_end(args);
	return json;
}

void json_delete(json_t *json)
{
	struct value *v = of(json);
	if (json_is_object(json))
		for (struct field *f = v->fields.first, *next; f; f = next) {
			next = f->next;
			json_decref(f->value);
			free(f);
		}
	if (json_is_array(json)) {
		for (size_t i = 0; i < v->count; i++)
			json_decref(v->items.list[i]);
		free(v->items.list);
	}
	if (json_is_string(json))
		free(v->text);
	free(v);
}

/* ---- Objects ---- */

size_t json_object_size(const json_t *object)
{
	return json_is_object(object) ? of(object)->count : 0;
}

/* An iterator is a pointer to a field. */
void *json_object_iter(json_t *object)
{
	return json_is_object(object) ? of(object)->fields.first : NULL;
}

void *json_object_iter_next(json_t *object, void *iter)
{
	(void)object;
	return iter ? ((struct field *)iter)->next : NULL;
}

const char *json_object_iter_key(void *iter)
{
	return iter ? ((struct field *)iter)->key : NULL;
}

json_t *json_object_iter_value(void *iter)
{
	return iter ? ((struct field *)iter)->value : NULL;
}

void *json_object_key_to_iter(const char *key)
{
	return key ? (void *)(uintptr_t)(key - offsetof(struct field, key)) : NULL;
}

static struct field *find(const json_t *object, const char *key)
{
	struct field *f = json_is_object(object) && key ? of(object)->fields.first : NULL;
	while (f && strcmp(f->key, key) != 0)
		f = f->next;
	return f;
}

json_t *json_object_get(const json_t *object, const char *key)
{
	return json_object_iter_value(find(object, key));
}

int json_object_set_new(json_t *object, const char *key, json_t *value)
{
	struct field *field = find(object, key);
	if (!value || !key || !json_is_object(object) || object == value) {
		json_decref(value);
		return -1;
	}
	if (field) {
		json_decref(field->value);
		field->value = value;
		return 0;
	}
	field = malloc(sizeof *field + strlen(key) + 1);
	if (!field) {
		json_decref(value);
		return -1;
	}
	*field = (struct field){ NULL, value };
	strcpy(field->key, key);
	*of(object)->fields.end = field;
	of(object)->fields.end = &field->next;
	of(object)->count++;
	return 0;
}

int json_object_update(json_t *object, json_t *other)
{
	const char *key;
	json_t *value;
	json_object_foreach(
		other, key,
		value) if (json_object_set_new(object, key, json_incref(value))) return -1;
	return json_is_object(object) && json_is_object(other) ? 0 : -1;
}

/* ---- Arrays, texts, numbers ---- */

size_t json_array_size(const json_t *array)
{
	return json_is_array(array) ? of(array)->count : 0;
}

json_t *json_array_get(const json_t *array, size_t index)
{
	return index < json_array_size(array) ? of(array)->items.list[index] : NULL;
}

int json_array_append_new(json_t *array, json_t *value)
{
	struct value *v = of(array);
	if (!value || !json_is_array(array) || array == value) {
		json_decref(value);
		return -1;
	}
	if (v->count == v->items.room) {
		const size_t room = 2 * v->count + 8;
		json_t **larger = realloc(v->items.list, room * sizeof *larger);
		if (!larger) {
			json_decref(value);
			return -1;
		}
		v->items.list = larger;
		v->items.room = room;
	}
	v->items.list[v->count++] = value;
	return 0;
}

const char *json_string_value(const json_t *string)
{
	return json_is_string(string) ? of(string)->text : NULL;
}

size_t json_string_length(const json_t *string)
{
	return json_is_string(string) ? of(string)->count : 0;
}

json_int_t json_integer_value(const json_t *integer)
{
	return json_is_integer(integer) ? of(integer)->integer : 0;
}

double json_real_value(const json_t *real)
{
	return json_is_real(real) ? of(real)->real : 0;
}

double json_number_value(const json_t *number)
{
	return json_is_integer(number) ? (double)of(number)->integer : json_real_value(number);
}
