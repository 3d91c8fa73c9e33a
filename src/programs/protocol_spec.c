/*
 * protocol_spec.c - specs of players that are programs.
 * SPDX-License-Identifier: MIT
 */
#include "programs/protocol_spec.h"

#include "base/options.h"
#include "core/game_clock.h"

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
	OPTION(struct protocol_spec, "cmd", OPTION_POINTER, command), /* up to the end */
	{ 0 },
};

static enum qv_status add_option(struct protocol_spec *spec, const char *name, const char *value,
				 struct qv_error *error)
{
	if (spec->option_count == PROTOCOL_OPTIONS)
		return qv_fail(error, QV_BAD_INPUT, "player %s: more than %d options",
			       spec->ops->name, PROTOCOL_OPTIONS);
	if (!*name || (spec->ops->blanks && strpbrk(name, " \t")))
		return qv_fail(error, QV_BAD_INPUT, "player %s: '%.40s' is not a name of an option",
			       spec->ops->name, name);
	spec->options[spec->option_count++] = (struct protocol_option){ name, value };
	return QV_OK;
}

/* Keys up to the one that begins the command. */
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
		if (strncmp(at, "option.", 7) == 0)
			status = add_option(spec, at + 7, equals + 1, error);
		else
			status = options_set(&o, at, equals + 1, error);
		if (command)
			return status;
		at = comma ? comma + 1 : NULL;
	}
	return status;
}

/* Whether keys stand there: the first word has a '=', and no '/' before it. */
static bool has_keys(const char *rest)
{
	return rest[strcspn(rest, "=/ \t")] == '=' || strncmp(rest, "option.", 7) == 0;
}

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
	const enum qv_status status = has_keys(rest) ? read_keys(spec, rest, error) : QV_OK;
	if (status == QV_OK && !spec->command[strspn(spec->command, " \t")])
		return qv_fail(error, QV_BAD_INPUT,
			       "player %s: the program is missing; write %s:PROGRAM ARGUMENTS",
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
