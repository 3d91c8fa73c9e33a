/*
 * no_postgres.c - the store without PostgreSQL, where libpq is missing.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/driver.h"

const struct store_driver *const store_postgres = NULL;

enum qv_status store_vacuum_postgres(const char *place, struct qv_error *error)
{
	(void)place;
	return qv_fail(error, QV_BAD_INPUT, "store: built without PostgreSQL");
}

enum qv_status store_find_key(const char *place, unsigned char key[STORE_KEY],
			      struct qv_error *error)
{
	const struct store_driver *driver;
	(void)key;
	return store_find_driver(place, &driver, error); /* which fails */
}

enum qv_status store_transfer(const struct store_transfer *setup, struct store_transferred *out,
			      struct qv_error *error)
{
	const struct store_driver *driver;
	*out = (struct store_transferred){ 0 };
	return store_find_driver(setup->place, &driver, error);
}
