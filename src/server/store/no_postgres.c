/*
 * no_postgres.c - the store without PostgreSQL, where libpq is missing.
 * SPDX-License-Identifier: MIT
 */
#include "server/store/driver.h"

const struct store_driver *const store_postgres = NULL;
