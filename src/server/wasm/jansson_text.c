/*
 * jansson_text.c - the other half of jansson.c: values from a format, to text and from text.
 * SPDX-License-Identifier: MIT
 */
#include <errno.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

enum { DEPTH_MOST = 256 }; /* jansson has 2048, for which the stack of a worker is too small */

/* ---- json_pack ---- */

struct packing {
	const char *at;
	va_list args;
	bool failed;
};

static json_t *pack_value(struct packing *p);

/* The next character of the format; blanks and separators mean nothing. */
static char next(struct packing *p)
{
	p->at += strspn(p->at, " \t\n,:");
	return *p->at ? *p->at++ : '\0';
}

/* `?`: NULL becomes null; `*`: NULL is left out. Takes the value. */
static json_t *optional(struct packing *p, json_t *value, bool missing)
{
	const char mark = *p->at;
	if (mark == '?' || mark == '*')
		p->at++;
	if (missing && mark == '?')
		return json_null();
	if (!value && !(missing && mark == '*'))
		p->failed = true;
	return value;
}

static json_t *pack_text(struct packing *p)
{
	const char *text = va_arg(p->args, const char *);
	if (*p->at != '%')
		return optional(p, text ? json_string(text) : NULL, !text);
	p->at++;
	const size_t length = va_arg(p->args, size_t);
	return optional(p, text ? json_stringn(text, length) : NULL, !text);
}

/* Up to the closing bracket, after the opening one. */
static json_t *pack_list(struct packing *p, bool object)
{
	json_t *list = object ? json_object() : json_array();
	p->failed |= !list;
	for (char c; (c = next(p)) && c != '}' && c != ']';) {
		/* In an object each value follows a key, which is always "s". */
		const char *key = object ? va_arg(p->args, const char *) : NULL;
		if (!object)
			p->at--;
		json_t *value = pack_value(p);
		if (value && !p->failed)
			p->failed = object ? json_object_set_new(list, key, value)
					   : json_array_append_new(list, value);
		else
			json_decref(value);
	}
	return list;
}

static json_t *pack_value(struct packing *p)
{
	json_t *value;
	switch (next(p)) {
	case '{':
		return pack_list(p, true);
	case '[':
		return pack_list(p, false);
	case 's':
		return pack_text(p);
	case 'n':
		return json_null();
	case 'b':
		return va_arg(p->args, int) ? json_true() : json_false();
	case 'i':
		return optional(p, json_integer(va_arg(p->args, int)), false);
	case 'I':
		return optional(p, json_integer(va_arg(p->args, json_int_t)), false);
	case 'f':
		return optional(p, json_real(va_arg(p->args, double)), false);
	case 'o':
		value = va_arg(p->args, json_t *);
		return optional(p, value, !value);
	case 'O':
		value = va_arg(p->args, json_t *);
		return optional(p, json_incref(value), !value);
	default:
		p->failed = true;
		return NULL;
	}
}

json_t *json_pack(const char *format, ...)
{
	struct packing p = { .at = format };
	va_start(p.args, format);
	json_t *value = pack_value(&p);
	va_end(p.args);
	if (p.failed) {
		json_decref(value);
		value = NULL;
	}
	return value;
}

/* ---- Writing ---- */

struct writing {
	json_dump_callback_t put;
	void *ctx;
	size_t flags;
	bool failed;
};

static void put(struct writing *w, const char *text, size_t length)
{
	w->failed = w->failed || w->put(text, length, w->ctx);
}

static void put_word(struct writing *w, const char *word)
{
	put(w, word, strlen(word));
}

static void put_string(struct writing *w, const char *text, size_t length)
{
	static const char escapes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	size_t from = 0;
	put_word(w, "\"");
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = (unsigned char)text[i];
		const char *escape = c ? strchr(escapes, c) : NULL;
		char code[8];
		if (c >= ' ' && !escape)
			continue;
		if (escape)
			snprintf(code, sizeof code, "\\%c", letters[escape - escapes]);
		else
			snprintf(code, sizeof code, "\\u%04X", c);
		put(w, text + from, i - from);
		put_word(w, code);
		from = i + 1;
	}
	put(w, text + from, length - from);
	put_word(w, "\"");
}

/* As jansson: with a point or an exponent, and an exponent without + and leading zeros. */
static void put_real(struct writing *w, double number)
{
	const int precision = (int)(w->flags >> 11 & 0x1f);
	char text[64];
	snprintf(text, sizeof text - 2, "%.*g", precision ? precision : 17, number);
	char *e = strchr(text, 'e');
	if (!strchr(text, '.') && !e)
		strcat(text, ".0");
	if (e) {
		const bool minus = e[1] == '-';
		const char *digits = e + 1 + (e[1] == '-' || e[1] == '+');
		digits += strspn(digits, "0");
		e += 1 + minus;
		memmove(e, digits, strlen(digits) + 1);
	}
	put_word(w, text);
}

static void put_value(struct writing *w, const json_t *value, int depth)
{
	const char *comma = w->flags & JSON_COMPACT ? "," : ", ", *before = "", *key;
	json_t *field;
	char number[32];
	if (depth > DEPTH_MOST) {
		w->failed = true;
		return;
	}
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		put_word(w, "{");
		json_object_foreach((json_t *)(uintptr_t)value, key, field)
		{
			put_word(w, before);
			put_string(w, key, strlen(key));
			put_word(w, w->flags & JSON_COMPACT ? ":" : ": ");
			put_value(w, field, depth + 1);
			before = comma;
		}
		put_word(w, "}");
		break;
	case JSON_ARRAY:
		put_word(w, "[");
		for (size_t i = 0; i < json_array_size(value); i++) {
			put_word(w, i ? comma : "");
			put_value(w, json_array_get(value, i), depth + 1);
		}
		put_word(w, "]");
		break;
	case JSON_STRING:
		put_string(w, json_string_value(value), json_string_length(value));
		break;
	case JSON_INTEGER:
		snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
		put_word(w, number);
		break;
	case JSON_REAL:
		put_real(w, json_real_value(value));
		break;
	case JSON_TRUE:
		put_word(w, "true");
		break;
	case JSON_FALSE:
		put_word(w, "false");
		break;
	case JSON_NULL:
		put_word(w, "null");
		break;
	}
}

int json_dump_callback(const json_t *value, json_dump_callback_t callback, void *ctx, size_t flags)
{
	const bool whole = json_is_object(value) || json_is_array(value);
	struct writing w = { callback, ctx, flags, !whole && !(value && flags & JSON_ENCODE_ANY) };
	if (!w.failed)
		put_value(&w, value, 0);
	return w.failed ? -1 : 0;
}

struct buffer {
	char *text;
	size_t length, room;
};

static int add(const char *text, size_t length, void *ctx)
{
	struct buffer *b = ctx;
	if (b->length + length >= b->room) {
		const size_t room = 2 * (b->length + length) + 64;
		char *larger = realloc(b->text, room);
		if (!larger)
			return -1;
		b->text = larger;
		b->room = room;
	}
	memcpy(b->text + b->length, text, length);
	b->text[b->length += length] = '\0';
	return 0;
}

char *json_dumps(const json_t *value, size_t flags)
{
	struct buffer b = { 0 };
	if (json_dump_callback(value, add, &b, flags) == 0)
		return b.text;
	free(b.text);
	return NULL;
}

/* That of base/json_text.c is for jansson. */
char *json_to_text(json_t *value, size_t flags)
{
	char *text = value ? json_dumps(value, flags) : NULL;
	json_decref(value);
	return text;
}

/* ---- Reading ---- */

struct reading {
	const char *at, *end;
	size_t flags;
	const char *wrong; /* NULL: nothing yet */
	enum json_error_code code;
};

static json_t *read_value(struct reading *r, int depth);

static json_t *fail(struct reading *r, const char *why, enum json_error_code code)
{
	if (!r->wrong) {
		r->wrong = why;
		r->code = code;
	}
	return NULL;
}

static json_t *bad_syntax(struct reading *r)
{
	return fail(r, "invalid token", json_error_invalid_syntax);
}

static json_t *made(struct reading *r, json_t *value)
{
	return value ? value : fail(r, "out of memory", json_error_out_of_memory);
}

/* Skips blanks; the next character, or NUL at the end. */
static char peek(struct reading *r)
{
	while (r->at < r->end && strchr(" \t\n\r", *r->at) && *r->at)
		r->at++;
	return r->at < r->end ? *r->at : '\0';
}

static bool take(struct reading *r, char c)
{
	const bool taken = peek(r) == c && r->at < r->end;
	r->at += taken;
	return taken;
}

/* Four hexadecimal digits; -1: they are not. */
static int32_t read_code(struct reading *r)
{
	int32_t code = 0;
	for (int i = 0; i < 4; i++, r->at++) {
		const char c = r->at < r->end ? *r->at : ' ';
		const int digit = c >= '0' && c <= '9'	 ? c - '0'
				  : c >= 'a' && c <= 'f' ? c - 'a' + 10
				  : c >= 'A' && c <= 'F' ? c - 'A' + 10
							 : -1;
		if (digit < 0)
			return -1;
		code = code * 16 + digit;
	}
	return code;
}

/* The character of \u, also of a pair of surrogates, as UTF-8. Returns its end; NULL: malformed. */
static char *read_unicode(struct reading *r, char *out)
{
	int32_t code = read_code(r);
	if (code >= 0xd800 && code < 0xdc00 && r->end - r->at > 2 && r->at[0] == '\\' &&
	    r->at[1] == 'u') {
		r->at += 2;
		const int32_t low = read_code(r);
		code = low >= 0xdc00 && low < 0xe000
			       ? 0x10000 + ((code & 0x3ff) << 10) + (low & 0x3ff)
			       : -1;
	} else if (code >= 0xd800 && code < 0xe000) {
		code = -1;
	}
	if (code <= 0)
		return NULL;
	if (code < 0x80) {
		*out++ = (char)code;
	} else if (code < 0x800) {
		*out++ = (char)(0xc0 | code >> 6);
		*out++ = (char)(0x80 | (code & 0x3f));
	} else if (code < 0x10000) {
		*out++ = (char)(0xe0 | code >> 12);
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	} else {
		*out++ = (char)(0xf0 | code >> 18);
		*out++ = (char)(0x80 | (code >> 12 & 0x3f));
		*out++ = (char)(0x80 | (code >> 6 & 0x3f));
		*out++ = (char)(0x80 | (code & 0x3f));
	}
	return out;
}

/* After the opening quote. The text is malloc'd and no longer than what is read. */
static char *read_text(struct reading *r, size_t *length)
{
	static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
	const char *close = r->at;
	while (close < r->end && *close != '"')
		close += 1 + (*close == '\\');
	char *text = close < r->end ? malloc((size_t)(close - r->at) + 1) : NULL, *out = text;
	if (!text) {
		if (close < r->end)
			made(r, NULL);
		else
			fail(r, "premature end of input", json_error_premature_end_of_input);
		return NULL;
	}
	while (out && *r->at != '"') {
		const char c = *r->at++;
		const char *escape = c == '\\' ? strchr(letters, *r->at) : NULL;
		if (escape && *escape) {
			*out++ = meanings[escape - letters];
			r->at++;
		} else if (c == '\\' && *r->at == 'u') {
			r->at++;
			out = read_unicode(r, out);
		} else if (c == '\\' || (unsigned char)c < ' ') {
			out = NULL;
		} else {
			*out++ = c;
		}
	}
	if (!out) {
		bad_syntax(r);
		free(text);
		return NULL;
	}
	r->at++;
	*length = (size_t)(out - text);
	*out = '\0';
	return text;
}

static json_t *read_string(struct reading *r)
{
	size_t length;
	char *text = read_text(r, &length);
	json_t *value = text ? json_stringn(text, length) : NULL;
	if (text && !value)
		fail(r, "unable to decode byte", json_error_invalid_utf8);
	free(text);
	return value;
}

static size_t digits(const char *at)
{
	return strspn(at, "0123456789");
}

/* The grammar of JSON, since strtod accepts more. Returns the end of the number; NULL: not one. */
static char *number_end(char *at, bool *real)
{
	at += *at == '-';
	*real = false;
	if (!digits(at) || (*at == '0' && digits(at) > 1))
		return NULL;
	at += digits(at);
	if (*at == '.') {
		*real = true;
		if (!digits(at + 1))
			return NULL;
		at += 1 + digits(at + 1);
	}
	if (*at == 'e' || *at == 'E') {
		*real = true;
		at++;
		at += *at == '+' || *at == '-';
		if (!digits(at))
			return NULL;
		at += digits(at);
	}
	return at;
}

static json_t *number_value(struct reading *r, const char *text, bool real)
{
	errno = 0;
	const long long whole = real ? 0 : strtoll(text, NULL, 10);
	if (errno == ERANGE)
		return fail(r, "too big integer", json_error_numeric_overflow);
	json_t *value = real ? json_real(strtod(text, NULL)) : json_integer(whole);
	return value ? value : fail(r, "real number overflow", json_error_numeric_overflow);
}

static json_t *read_number(struct reading *r)
{
	const char *after = r->at;
	while (after < r->end && *after && strchr("+-.0123456789Ee", *after))
		after++;
	const size_t size = (size_t)(after - r->at);
	char *text = malloc(size + 1);
	bool real;
	if (!text)
		return made(r, NULL);
	memcpy(text, r->at, size);
	text[size] = '\0';
	char *end = number_end(text, &real);
	json_t *value = NULL;
	if (end) {
		r->at += end - text;
		*end = '\0';
		value = number_value(r, text, real);
	} else {
		bad_syntax(r);
	}
	free(text);
	return value;
}

static json_t *read_list(struct reading *r, bool object, int depth)
{
	const char close = object ? '}' : ']';
	json_t *list = made(r, object ? json_object() : json_array());
	if (take(r, close))
		return list;
	do {
		json_t *name = NULL, *value = NULL;
		const char *key = NULL;
		if (!object)
			value = read_value(r, depth);
		else if (!take(r, '"'))
			fail(r, "string or '}' expected", json_error_invalid_syntax);
		else if ((key = json_string_value(name = read_string(r))) && !take(r, ':'))
			fail(r, "':' expected", json_error_invalid_syntax);
		else if (key && r->flags & JSON_REJECT_DUPLICATES && json_object_get(list, key))
			fail(r, "duplicate object key", json_error_duplicate_key);
		else if (key)
			value = read_value(r, depth);
		if (value && (object ? json_object_set_new(list, key, value)
				     : json_array_append_new(list, value)))
			made(r, NULL);
		json_decref(name);
	} while (!r->wrong && take(r, ','));
	if (!r->wrong && !take(r, close))
		fail(r, object ? "'}' expected" : "']' expected", json_error_invalid_syntax);
	if (!r->wrong)
		return list;
	json_decref(list);
	return NULL;
}

static bool take_word(struct reading *r, const char *word)
{
	const size_t length = strlen(word);
	const bool taken = (size_t)(r->end - r->at) >= length && memcmp(r->at, word, length) == 0;
	r->at += taken ? length : 0;
	return taken;
}

static json_t *read_value(struct reading *r, int depth)
{
	const char c = peek(r);
	if (depth > DEPTH_MOST)
		return fail(r, "maximum parsing depth reached", json_error_stack_overflow);
	if (take(r, '{'))
		return read_list(r, true, depth + 1);
	if (take(r, '['))
		return read_list(r, false, depth + 1);
	if (take(r, '"'))
		return read_string(r);
	if (c == '-' || (c >= '0' && c <= '9'))
		return read_number(r);
	if (take_word(r, "true"))
		return json_true();
	if (take_word(r, "false"))
		return json_false();
	if (take_word(r, "null"))
		return json_null();
	return bad_syntax(r);
}

json_t *json_loadb(const char *text, size_t length, size_t flags, json_error_t *error)
{
	struct reading r = { text, text + length, flags, NULL, json_error_unknown };
	const char first = peek(&r);
	json_t *value = NULL;
	if (first != '{' && first != '[' && !(flags & JSON_DECODE_ANY))
		fail(&r, "'[' or '{' expected", json_error_invalid_syntax);
	else
		value = read_value(&r, 0);
	peek(&r);
	if (value && !(flags & JSON_DISABLE_EOF_CHECK) && r.at < r.end) {
		json_decref(value);
		value = fail(&r, "end of file expected", json_error_end_of_input_expected);
	}
	if (error) {
		*error = (json_error_t){ .position = (int)(r.at - text) };
		snprintf(error->text, sizeof error->text - 1, "%s", r.wrong ? r.wrong : "");
		error->text[sizeof error->text - 1] = (char)r.code;
	}
	return value;
}

json_t *json_loads(const char *text, size_t flags, json_error_t *error)
{
	return json_loadb(text, strlen(text), flags, error);
}
