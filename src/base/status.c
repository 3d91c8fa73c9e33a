/*
 * status.c - texts for status codes, and the version of the library.
 * SPDX-License-Identifier: MIT
 */
#include "quevedo.h"

const char *qv_status_text(enum qv_status status)
{
#define X(id, text) text,
	static const char *const texts[] = { QV_STATUS_LIST(X) };
#undef X
	return (unsigned)status < QV_STATUS_COUNT ? texts[status] : "unknown status";
}

const char *qv_version(void)
{
	return QV_VERSION;
}
