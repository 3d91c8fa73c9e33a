/*
 * log.h - the operator's log: lines of text, or of JSON.
 * SPDX-License-Identifier: MIT
 *
 * A line has a time, a level, the name of an event and fields. As text it is
 * "TIME LEVEL EVENT: FIELD=VALUE ...", and a field "message" stands first, without its name. What is
 * logged never contains a cookie, a token, a password or the id of a game in a path.
 */
#ifndef SERVER_HTTP_LOG_H
#define SERVER_HTTP_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };
extern const char *const log_level_names[4];

struct server_log {
	enum log_level level; /* of the least important lines that are written */
	bool json;
	void (*write)(void *ctx, const char *line); /* with its newline; NULL: no log */
	void *ctx;
};

/* A line that is being made. */
struct log_line {
	const struct server_log *log; /* NULL: it is not wanted */
	struct string text;
};

/* NULL is no log. */
bool log_wants(const struct server_log *log, enum log_level level);
/* If the level is not wanted, the line stays empty and log_end writes nothing. event: static. */
void log_begin(struct log_line *line, const struct server_log *log, enum log_level level,
	       const char *event);
/* Fields, in this order. What is not printable ASCII becomes a question mark. NULL adds nothing. */
void log_add_text(struct log_line *line, const char *name, const char *text);
void log_add_number(struct log_line *line, const char *name, int64_t number);
void log_add_real(struct log_line *line, const char *name, double number);
void log_end(struct log_line *line);

/*
 * For struct api_log: `text` is "WHAT: WHY" and becomes the message of the event that its first word
 * names. ctx: a const struct server_log.
 */
void log_message(void *ctx, const char *level, const char *text);

#endif
