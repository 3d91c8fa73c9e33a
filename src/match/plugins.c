/*
 * plugins.c - which plug-ins are loaded, for the journal: other code may play otherwise.
 * SPDX-License-Identifier: MIT
 */
#include "base/file.h"
#include "core/context.h"
#include "match/match.h"
#include "base/sha256.h"

enum qv_status match_plugins(const struct qv_context *context, struct string *out,
			     struct qv_error *error)
{
	enum { MOST_PLUGIN = 1 << 28 }; /* bytes */
	const struct qv_allocator *a = context_allocator(context);
	const char *path;
	for (int i = 0; (path = context_plugin_at(context, i)); i++) {
		struct file_bytes bytes = { 0 };
		char hash[SHA256_HEX];
		const enum qv_status status = file_read(a, path, MOST_PLUGIN, &bytes, error);
		if (status != QV_OK)
			return status;
		sha256_hex(bytes.data, bytes.size, hash);
		file_release(a, &bytes);
		string_addf(out, "%ssha256:%s", i ? " " : "", hash);
	}
	return out->failed ? qv_fail(error, QV_NO_MEMORY, "match: out of memory") : QV_OK;
}
