/*
 * status.c - texts for status codes, and the numbers of the library.
 * SPDX-License-Identifier: MIT
 */
#include "quevedo.h"

const char *qv_status_text(enum qv_status status)
{
	static const char *const texts[] = {
		[QV_OK] = "ok",
		[QV_NO_MEMORY] = "out of memory",
		[QV_BAD_INPUT] = "malformed input",
		[QV_ILLEGAL] = "against the rules",
		[QV_UNKNOWN] = "unknown name",
		[QV_UNSUPPORTED] = "not possible for this game",
		[QV_IO] = "file cannot be read or written",
		[QV_STOPPED] = "stopped",
	};
	_Static_assert(sizeof texts / sizeof *texts == QV_STATUS_COUNT, "every status has a text");
	return (unsigned)status < QV_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *qv_version(void)
{
	return QV_VERSION;
}

int qv_version_number(void)
{
	return QV_VERSION_NUMBER;
}

int qv_interface_number(void)
{
	return QV_INTERFACE;
}
