/*
 * json.h - JSON with jansson: building values, loading objects strictly, reading fields.
 * SPDX-License-Identifier: MIT
 *
 * This is the only part of base/ that needs jansson. A program that does not link jansson leaves
 * json.c out and does not include this header.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <jansson.h>

#include "base/text.h"

/* ---- Building ---- */

/*
 * Adds a field to an object, or an item to an array, and returns the object or array. Takes over
 * `value`. If either argument is NULL or memory runs out, both are released and the result is
 * NULL. So a chain of calls needs one check, at its end, and never leaks.
 */
json_t *json_field(json_t *object, const char *key, json_t *value);
json_t *json_item(json_t *array, json_t *value);

/*
 * A string value of any bytes: if they are not UTF-8, each byte from 0x80 on becomes '?'. A NULL
 * text gives null. Returns NULL if memory runs out.
 */
json_t *json_text(const char *text);

/*
 * The value as text, written with these flags of json_dumps. Releases the value. The caller frees
 * the text with free(). Returns NULL if the value is NULL or memory runs out.
 */
char *json_to_text(json_t *value, size_t flags);

/* ---- Quoting ---- */

/*
 * Appends the text as a JSON string. QV_BAD_INPUT: the text is not UTF-8; QV_NO_MEMORY. After an
 * error `out` may hold a part of it.
 */
enum qv_status json_add_quoted(struct string *out, const char *text);

/*
 * Puts the text as a JSON string without allocating memory, for messages that must work when
 * memory has run out. Everything but printable ASCII becomes '?'.
 */
void json_put_quoted(struct qv_text *out, const char *text);

/* ---- Loading ---- */

enum { JSON_ANY_DEPTH = 2048 }; /* jansson itself refuses deeper nesting */

/* Whether no part of the text is nested deeper than `depth`. The text may be malformed. */
bool json_is_shallow(const char *text, size_t length, int depth);

/* How many values the text has at most, without parsing it: each costs memory. */
size_t json_count_values(const char *text, size_t length);

/*
 * Loads one JSON object. Refuses duplicate keys, text after the object, nesting deeper than
 * `depth`, and any other value. On success *out is the object, which the caller releases with
 * json_decref; otherwise *out is NULL. The error describes what is wrong with the text:
 * QV_BAD_INPUT, or QV_NO_MEMORY.
 */
enum qv_status json_load_object(const char *text, size_t length, int depth, json_t **out,
				struct qv_error *error);

/* ---- Reading ---- */

/*
 * Stores an integer value in *out if it lies between min and max; otherwise false, and *out is
 * unchanged.
 */
bool json_int_between(const json_t *value, int64_t min, int64_t max, int64_t *out);

/* The text of a string value, owned by the value. NULL: it is not a string, or contains a NUL. */
const char *json_plain_text(const json_t *value);

/* The first key of the object that is not in the list of names separated by blanks; NULL: none. */
const char *json_unknown_key(const json_t *object, const char *names);

/*
 * Reads fields of an object that may hold anything. The reader keeps the first failure in `status`
 * and `error`, as "KEY: WHY"; a value that is missing or wrong is read as 0, false, "" or NULL. So
 * read all fields first and check the status once. { object, QV_OK, error } is ready to use; an
 * object that is NULL or not an object has no fields. The error may be NULL.
 */
struct json_reader {
	const json_t *object;
	enum qv_status status;
	struct qv_error *error;
};

/* Fails with "KEY: WHAT is expected", unless the reader has failed before. */
void json_expected(struct json_reader *r, const char *key, const char *what);

bool json_has(const struct json_reader *r, const char *key); /* null counts as a value */
/*
 * Reads a required field: an integer from min to max, true or false, a text, or a list of at most
 * `most` items. Texts and lists belong to the object.
 */
int64_t json_read_int(struct json_reader *r, const char *key, int64_t min, int64_t max);
bool json_read_bool(struct json_reader *r, const char *key);
const char *json_read_text(struct json_reader *r, const char *key);
const json_t *json_read_list(struct json_reader *r, const char *key, size_t most);

#endif
