/*
 * json_text.c - JSON as a text.
 * SPDX-License-Identifier: MIT
 *
 * Most of what the server sends is JSON with many small numbers, for which jansson calls snprintf
 * and a callback each. The texts here are the same, byte by byte.
 */
#include <string.h>

#include "base/json.h"

/* jansson's flag has no name for its bits: JSON_REAL_PRECISION(31). */
#define PLAIN_FLAGS (JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(31))

enum { REAL_ROOM = 64, FIRST_ROOM = 1000 };

struct writing {
	json_malloc_t allocate; /* jansson's, which a test may replace */
	json_free_t release;
	char *text;
	size_t length, room;
	size_t flags;
	bool failed;
};

/* The text in a block of this size. False: not enough memory. */
static bool move_text(struct writing *w, size_t room)
{
	char *text = w->failed ? NULL : w->allocate(room);
	if (!text) {
		w->failed = true;
		return false;
	}
	if (w->length)
		memcpy(text, w->text, w->length);
	w->release(w->text);
	w->text = text;
	w->room = room;
	return true;
}

/* Space for so many more bytes. NULL: not enough memory. */
static char *reserve(struct writing *w, size_t size)
{
	if (w->length + size > w->room && !move_text(w, 2 * (w->length + size) + FIRST_ROOM))
		return NULL;
	return w->text + w->length;
}

static void put(struct writing *w, const char *text, size_t length)
{
	char *at = reserve(w, length);
	if (!at)
		return;
	memcpy(at, text, length);
	w->length += length;
}

static void put_char(struct writing *w, char c)
{
	put(w, &c, 1);
}

static void put_integer(struct writing *w, json_int_t value)
{
	char digits[24];
	size_t at = sizeof digits;
	/* The negative numbers reach further. */
	json_int_t rest = value < 0 ? value : -value;
	do {
		digits[--at] = (char)('0' - rest % 10);
		rest /= 10;
	} while (rest);
	if (value < 0)
		digits[--at] = '-';
	put(w, digits + at, sizeof digits - at);
}

static void put_escape(struct writing *w, unsigned char c)
{
	static const char escapes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	static const char hex[] = "0123456789ABCDEF";
	const char *escape = c ? strchr(escapes, c) : NULL;
	if (escape) {
		put_char(w, '\\');
		put_char(w, letters[escape - escapes]);
		return;
	}
	put(w, "\\u00", 4);
	put_char(w, hex[c >> 4]);
	put_char(w, hex[c & 15]);
}

static void put_string(struct writing *w, const char *text, size_t length)
{
	size_t from = 0;
	put_char(w, '"');
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		if (c >= ' ' && c != '"' && c != '\\')
			continue;
		put(w, text + from, i - from);
		put_escape(w, c);
		from = i + 1;
	}
	put(w, text + from, length - from);
	put_char(w, '"');
}

/* jansson writes the real numbers: there are few. */
static void put_real(struct writing *w, const json_t *value)
{
	char *at = reserve(w, REAL_ROOM);
	const size_t length = at ? json_dumpb(value, at, REAL_ROOM, w->flags) : 0;
	w->failed |= length == 0 || length > REAL_ROOM;
	if (!w->failed)
		w->length += length;
}

static void put_value(struct writing *w, const json_t *value);

static void put_object(struct writing *w, json_t *object)
{
	const char *key;
	json_t *field;
	bool first = true;
	put_char(w, '{');
	json_object_foreach(object, key, field)
	{
		if (!first)
			put_char(w, ',');
		first = false;
		put_string(w, key, strlen(key));
		put_char(w, ':');
		put_value(w, field);
	}
	put_char(w, '}');
}

static void put_array(struct writing *w, const json_t *array)
{
	const size_t count = json_array_size(array);
	put_char(w, '[');
	for (size_t i = 0; i < count; i++) {
		if (i)
			put_char(w, ',');
		put_value(w, json_array_get(array, i));
	}
	put_char(w, ']');
}

static void put_value(struct writing *w, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		put_object(w, (json_t *)(uintptr_t)value);
		break;
	case JSON_ARRAY:
		put_array(w, value);
		break;
	case JSON_STRING:
		put_string(w, json_string_value(value), json_string_length(value));
		break;
	case JSON_INTEGER:
		put_integer(w, json_integer_value(value));
		break;
	case JSON_REAL:
		put_real(w, value);
		break;
	case JSON_TRUE:
		put(w, "true", 4);
		break;
	case JSON_FALSE:
		put(w, "false", 5);
		break;
	case JSON_NULL:
		put(w, "null", 4);
		break;
	}
}

/* NULL: not enough memory. The block has the size of the text, since many texts wait to be sent. */
static char *write_plain(const json_t *value, size_t flags)
{
	struct writing w = { .flags = flags | JSON_ENCODE_ANY };
	json_get_alloc_funcs(&w.allocate, &w.release);
	put_value(&w, value);
	put_char(&w, '\0');
	if (!w.failed && move_text(&w, w.length))
		return w.text;
	w.release(w.text);
	return NULL;
}

char *json_to_text(json_t *value, size_t flags)
{
	const bool whole = json_is_object(value) || json_is_array(value) || flags & JSON_ENCODE_ANY;
	const bool plain = flags & JSON_COMPACT && !(flags & ~(size_t)PLAIN_FLAGS);
	char *text = NULL;
	if (value && whole)
		text = plain ? write_plain(value, flags) : json_dumps(value, flags);
	json_decref(value);
	return text;
}
