/*
 * protocol_spec.c - parses specs of players that are programs.
 * SPDX-License-Identifier: MIT
 *
 * The spec is copied once and cut in place. Its keys are a table of base/options.h, except for
 * option.NAME, whose names the program defines.
 */
#include "programs/protocol_spec.h"

#include "base/options.h"
#include "core/game_clock.h"
#include "programs/command_line.h"

/* time=2s: a time for each move, without increment. */
static enum qv_status set_time(void *values, const struct option *option, const char *text,
			       struct qv_error *error)
{
	struct protocol_spec *spec = values;
	struct time_control control;
	if (!time_control_parse(text, &control) || control.base_ms <= 0 || control.added_ms)
		return qv_fail(error, QV_BAD_INPUT,
			       "%s=%.40s: expected a time such as 500ms, 2s or 1m", option->name,
			       text);
	spec->time_ms = control.base_ms;
	return QV_OK;
}

static const struct option keys[] = {
	OPTION(struct protocol_spec, "depth", OPTION_INT, depth, .min = 1, .max = 100000),
	OPTION(struct protocol_spec, "nodes", OPTION_INT, nodes, .min = 1, .max = INT64_MAX / 2),
	OPTION(struct protocol_spec, "time", OPTION_CUSTOM, time_ms, .set = set_time),
	OPTION(struct protocol_spec, "plies", OPTION_INT, plies, .min = 0, .max = 7),
	OPTION(struct protocol_spec, "dir", OPTION_POINTER, folder),
	OPTION(struct protocol_spec, "cmd", OPTION_POINTER, command), /* up to the end */
	{ 0 },
};

/* Reads keys up to `cmd`, whose value is the rest of the text. */
static enum qv_status read_keys(struct protocol_spec *spec, char *at, struct qv_error *error)
{
	char owner[48];
	struct options o = { .groups = OPTION_GROUPS(keys), .values = spec, .owner = owner };
	enum qv_status status = QV_OK;
	snprintf(owner, sizeof owner, "player %.32s", spec->ops->name);
	while (status == QV_OK) {
		char *equals = at ? strchr(at, '=') : NULL;
		if (!equals)
			return qv_fail(error, QV_BAD_INPUT,
				       "%s: after its keys comes cmd=, the command line", owner);
		*equals = '\0';
		const bool command = strcmp(at, "cmd") == 0;
		char *comma = command ? NULL : strchr(equals + 1, ',');
		if (comma)
			*comma = '\0';
		const char *name = strncmp(at, "option.", 7) == 0 ? at + 7 : NULL;
		if (name && spec->option_count == PROTOCOL_OPTIONS)
			status = qv_fail(error, QV_BAD_INPUT, "%s: more than %d options", owner,
					 PROTOCOL_OPTIONS);
		else if (name && spec->ops->link == MANAGER_ADDRESS)
			status = qv_fail(error, QV_UNSUPPORTED, "%s: it has no options", owner);
		else if (!name && strcmp(at, "dir") == 0 && spec->ops->link == MANAGER_ADDRESS)
			status = qv_fail(error, QV_UNSUPPORTED,
					 "%s: dir is for programs that are started", owner);
		else if (!name && strcmp(at, "dir") == 0 && !equals[1])
			status = qv_fail(error, QV_BAD_INPUT, "%s: dir= needs a folder", owner);
		else if (!name && strcmp(at, "plies") == 0 && spec->ops->link != MANAGER_SERVED)
			status = qv_fail(error, QV_UNSUPPORTED, "%s: plies are for gnubg", owner);
		else if (name && (!*name || (spec->ops->link == MANAGER_PIPES &&
					     spec->ops->blanks && strpbrk(name, " \t"))))
			status = qv_fail(error, QV_BAD_INPUT,
					 "%s: '%.40s' is not a name of an option", owner, name);
		else if (name)
			spec->options[spec->option_count++] =
				(struct protocol_option){ name, equals + 1 };
		else
			status = options_set(&o, at, equals + 1, error);
		if (command)
			return status;
		at = comma ? comma + 1 : NULL;
	}
	return status;
}

/* Control characters cannot be part of a protocol line, so they are refused everywhere. */
static enum qv_status read_all(struct protocol_spec *spec, struct qv_error *error)
{
	char *rest = spec->text + strcspn(spec->text, ":");
	spec->ops = manager_find(spec->text, (size_t)(rest - spec->text));
	if (!spec->ops)
		return qv_fail(error, QV_UNKNOWN, "player '%.40s': no such protocol", spec->text);
	if (*rest)
		rest++;
	for (const char *c = rest; *c; c++)
		if ((unsigned char)*c < ' ' && *c != '\t')
			return qv_fail(error, QV_BAD_INPUT,
				       "player %s: its text holds control characters",
				       spec->ops->name);
	spec->command = rest;
	/* The first word has a '=', and no '/' before it. */
	const bool has_keys =
		rest[strcspn(rest, "=/ \t")] == '=' || strncmp(rest, "option.", 7) == 0;
	const enum qv_status status = has_keys ? read_keys(spec, rest, error) : QV_OK;
	/* Found here, not when the program is started. */
	if (status == QV_OK && spec->ops->link != MANAGER_ADDRESS && !command_closes(spec->command))
		return qv_fail(error, QV_BAD_INPUT,
			       "player %s: a quote in the command line is not closed",
			       spec->ops->name);
	if (status == QV_OK && !spec->command[strspn(spec->command, " \t")])
		return qv_fail(error, QV_BAD_INPUT,
			       spec->ops->link == MANAGER_ADDRESS
				       ? "player %s: the address is missing; write %s:HOST:PORT"
				       : "player %s: the program is missing; write %s:PROGRAM "
					 "ARGUMENTS",
			       spec->ops->name, spec->ops->name);
	return status;
}

enum qv_status protocol_spec_parse(struct protocol_spec *spec, const struct qv_allocator *allocator,
				   const char *text, struct qv_error *error)
{
	*spec = (struct protocol_spec){ .allocator = allocator, .text_size = strlen(text) + 1 };
	if (spec->text_size > PROTOCOL_SPEC_MOST)
		return qv_fail(error, QV_BAD_INPUT, "player: longer than %d characters",
			       PROTOCOL_SPEC_MOST - 1);
	spec->text = mem_new(allocator, spec->text_size, 1);
	if (!spec->text)
		return qv_fail(error, QV_NO_MEMORY, "player: out of memory");
	memcpy(spec->text, text, spec->text_size);
	const enum qv_status status = read_all(spec, error);
	if (status != QV_OK)
		protocol_spec_release(spec);
	return status;
}

void protocol_spec_release(struct protocol_spec *spec)
{
	if (spec->text)
		mem_free(spec->allocator, spec->text, spec->text_size);
	*spec = (struct protocol_spec){ 0 };
}
