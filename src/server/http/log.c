/*
 * log.c - the operator's log: lines of text, or of JSON.
 * SPDX-License-Identifier: MIT
 */
#include "server/http/log.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"

const char *const log_level_names[4] = { "error", "warn", "info", "debug" };

bool log_wants(const struct server_log *log, enum log_level level)
{
	return log && log->write && level <= log->level;
}

/* Printable ASCII; between quotes the two characters that need it are escaped. */
static void add_clean(struct log_line *line, const char *text, bool quoted)
{
	for (; *text; text++) {
		const char c = *text < ' ' || *text > '~' ? '?' : *text;
		if (quoted && (c == '"' || c == '\\'))
			string_add(&line->text, "\\", 1);
		string_add(&line->text, &c, 1);
	}
}

/* Times are in UTC; those for programs have milliseconds. */
static void add_time(struct log_line *line)
{
	struct timespec now;
	struct tm day;
	char at[32] = "";
	clock_gettime(CLOCK_REALTIME, &now);
	if (gmtime_r(&now.tv_sec, &day))
		strftime(at, sizeof at, "%Y-%m-%dT%H:%M:%S", &day);
	if (line->log->json)
		string_addf(&line->text, "{\"time\":\"%s.%03dZ\"", at,
			    (int)(now.tv_nsec / 1000000));
	else
		string_addf(&line->text, "%sZ", at);
}

void log_begin(struct log_line *line, const struct server_log *log, enum log_level level,
	       const char *event)
{
	*line = (struct log_line){ .text = { .allocator = &mem_malloc } };
	if (!log_wants(log, level))
		return;
	line->log = log;
	add_time(line);
	if (log->json)
		string_addf(&line->text, ",\"level\":\"%s\",\"event\":\"%s\"",
			    log_level_names[level], event);
	else
		string_addf(&line->text, " %s%s%s%s", log_level_names[level], event ? " " : "",
			    event ? event : "", event ? ":" : "");
}

void log_add_text(struct log_line *line, const char *name, const char *text)
{
	if (!line->log || !text)
		return;
	const bool json = line->log->json, bare = !json && strcmp(name, "message") == 0;
	const bool quoted = json || (!bare && strpbrk(text, " \"="));
	if (bare)
		string_addf(&line->text, " ");
	else
		string_addf(&line->text, json ? ",\"%s\":" : " %s=", name);
	string_addf(&line->text, quoted ? "\"" : "");
	add_clean(line, text, quoted);
	string_addf(&line->text, quoted ? "\"" : "");
}

void log_add_number(struct log_line *line, const char *name, int64_t number)
{
	if (line->log)
		string_addf(&line->text, line->log->json ? ",\"%s\":%lld" : " %s=%lld", name,
			    (long long)number);
}

void log_add_real(struct log_line *line, const char *name, double number)
{
	if (line->log)
		string_addf(&line->text, line->log->json ? ",\"%s\":%.3f" : " %s=%.3f", name,
			    number);
}

void log_end(struct log_line *line)
{
	if (line->log) {
		string_addf(&line->text, line->log->json ? "}\n" : "\n");
		if (!line->text.failed)
			line->log->write(line->log->ctx, line->text.data);
	}
	string_release(&line->text);
}

void log_message(void *ctx, const char *level, const char *text)
{
	const struct server_log *log = ctx;
	struct log_line line;
	char event[32];
	enum log_level found = LOG_ERROR;
	for (int i = 0; i < 4; i++)
		if (strcmp(log_level_names[i], level) == 0)
			found = (enum log_level)i;
	const size_t word = strspn(text, "abcdefghijklmnopqrstuvwxyz");
	snprintf(event, sizeof event, "%.*s", word < 31 ? (int)word : 31, text);
	/* As text the message names the event itself. */
	const bool named = log->json && strncmp(text + word, ": ", 2) == 0;
	/* A message may begin with something else than a word, such as a path. */
	log_begin(&line, log, found, !log->json ? NULL : word ? event : "server");
	log_add_text(&line, "message", named ? text + word + 2 : text);
	log_end(&line);
}
