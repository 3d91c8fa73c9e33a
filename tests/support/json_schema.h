/*
 * json_schema.h - does a JSON value keep to a schema? The part of JSON Schema that openapi.json
 * uses.
 * SPDX-License-Identifier: MIT
 */
#ifndef TEST_JSON_SCHEMA_H
#define TEST_JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * root: what "$ref" is looked up in. False: `why` says where and what. A word of a schema that is
 * not known here is a fault too, so that nothing is passed over.
 */
bool schema_holds(const json_t *root, const json_t *schema, const json_t *value, char *why,
		  size_t size);

#endif
