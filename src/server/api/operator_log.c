/*
 * operator_log.c - log lines for the operator: what fails, since when, and what works again.
 * SPDX-License-Identifier: MIT
 *
 * Visitors can cause failures as often as they like, so lines about them are rate-limited. A line
 * may quote what a visitor sent: whatever is not printable ASCII becomes a question mark.
 */
#include <time.h>

#include "server/api/inside.h"

enum { LINE = 512, LIMIT_MS = 10000 };

void log_time(int64_t seconds, char out[LOG_TIME])
{
	const time_t at = (time_t)seconds;
	struct tm day;
	out[0] = '\0';
	if (gmtime_r(&at, &day))
		strftime(out, LOG_TIME, "%Y-%m-%dT%H:%M:%SZ", &day);
}

__attribute__((format(printf, 3, 4))) static void write_line(const struct api *api,
							     const char *level, const char *format,
							     ...)
{
	char line[LINE];
	va_list args;
	if (!api->setup.log.write)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	for (char *c = line; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	api->setup.log.write(api->setup.log.ctx, level, line);
}

static void write_limited(struct api *api, struct log_limit *limit, const char *line)
{
	const int64_t now = api_now(api);
	if (limit->next_ms && now < limit->next_ms) {
		limit->left_out++;
		return;
	}
	if (limit->left_out)
		write_line(api, "error", "%s (and %d more like it)", line, limit->left_out);
	else
		write_line(api, "error", "%s", line);
	*limit = (struct log_limit){ .next_ms = now + LIMIT_MS };
}

void log_store_state(struct api *api)
{
	struct qv_error why = { "" };
	char since[LOG_TIME];
	const bool failing = store_failing(api->store, &why);
	if (failing == (api->store_fails_since != 0))
		return;
	log_time(api->store_fails_since, since);
	api->store_fails_since = failing ? api_seconds(api) : 0;
	if (failing)
		write_line(api, "error", "store: cannot write: %s", why.text);
	else
		write_line(api, "info", "store: works again; it had failed since %s", since);
}

void log_failure(struct api *api, int status, const char *why)
{
	char line[LINE];
	if (api->closing)
		return;
	snprintf(line, sizeof line, "response: %d %s", status, why);
	write_limited(api, &api->failures, line);
}

void log_unloadable(struct api *api, const char *id, const char *why)
{
	char line[LINE];
	snprintf(line, sizeof line, "game %s: cannot be loaded: %s", id, why);
	write_limited(api, &api->unloadable, line);
}

void api_failed(struct api *api, int status, const char *why)
{
	log_failure(api, status, why);
}
