/*
 * lab_desk.h - the engine for browsers in native code: sends it requests and reads its responses.
 * SPDX-License-Identifier: MIT
 *
 * It replaces what only a browser has, so one file of a test program includes it.
 */
#ifndef TEST_LAB_DESK_H
#define TEST_LAB_DESK_H

#include "support/check.h"

#include <jansson.h>

#include "server/wasm/engine.h"
#include "server/wasm/inside.h"

static struct {
	int status;
	json_t *body;
} last;

static const char *missing = ""; /* the game without its data */

bool data_is_loaded(const char *game)
{
	return !*missing || strcmp(game, missing) != 0;
}

void engine_respond(int status, const char *text, size_t size, bool end)
{
	if (!end) /* a message of a search */
		return;
	json_decref(last.body);
	last.status = status;
	last.body = json_loadb(text, size, JSON_DECODE_ANY, NULL);
	assert_non_null(last.body);
}

void engine_random(void *bytes, size_t size)
{
	memset(bytes, 7, size);
}

/* The response of a request, which must succeed; valid until the next one. */
static inline const json_t *lab_ask(const char *request, const char *format, ...)
{
	char body[2048];
	va_list args;
	va_start(args, format);
	vsnprintf(body, sizeof body, format, args);
	va_end(args);
	engine_request(request, body);
	if (last.status != 200)
		fail_msg("%s %s: status %d: %s", request, body, last.status,
			 json_string_value(
				 json_object_get(json_object_get(last.body, "error"), "message")));
	return last.body;
}

static inline void assert_refused(const char *request, const char *body, int status,
				  const char *message)
{
	engine_request(request, body);
	assert_int_equal(last.status, status);
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(last.body, "error"), "message")),
		message);
}

static inline const char *text_of(const json_t *o, const char *key)
{
	const char *text = json_string_value(json_object_get(o, key));
	assert_non_null(text);
	return text;
}

static inline json_int_t number_of(const json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return json_integer_value(json_object_get(o, key));
}

static inline const json_t *list_of(const json_t *o, const char *key)
{
	assert_true(json_is_array(json_object_get(o, key)));
	return json_object_get(o, key);
}

static inline int open_engine(void **state)
{
	(void)state;
	return engine_open() ? 0 : -1;
}

static inline int close_engine(void **state)
{
	(void)state;
	json_decref(last.body);
	last.body = NULL;
	engine_close();
	return 0;
}

#endif
