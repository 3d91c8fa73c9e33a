/*
 * bearoff_tables.h - the bear-off tables of backgammon, computed once for all tests of a program.
 * SPDX-License-Identifier: MIT
 *
 * Pass tables_setup and tables_teardown to cmocka_run_group_tests.
 */
#ifndef TEST_BEAROFF_TABLES_H
#define TEST_BEAROFF_TABLES_H

#include "games/backgammon/tables.h"
#include "support/check.h"

static struct backgammon_tables *tables;

static inline int tables_setup(void **unused)
{
	(void)unused;
	tables = backgammon_tables_new(&mem_malloc);
	return tables ? 0 : -1;
}

static inline int tables_teardown(void **unused)
{
	(void)unused;
	backgammon_tables_free(tables);
	return 0;
}

/* A position in the notation of the game, without a cube. */
static inline struct backgammon bearoff_position(const char *text)
{
	struct backgammon s;
	struct qv_error error = { "" };
	if (backgammon_position_parse(&s, NULL, text, &error) != QV_OK)
		fail_msg("%s", error.text);
	return s;
}

#endif
